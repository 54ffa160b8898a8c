"""Perfect twins: stability depends on what is called the same."""

from __future__ import annotations

import numpy as np

from stabcore.measures.effective import effective
from stabcore.selections.selections import Selections
from stabcore.similarity.similarity import Similarity
from stabcore.teaching.lesson import MEAN, Control, Guess, Lesson

NAMES = ("A", "A'", "B", "B'")


def theory(c: float, runs: int) -> dict[str, float]:
    """Φ_C of runs that take one of each of two pairs by coin, twins standing for each other by c: tr(CS) = 1 − c,
    tr(CΣ⁰) = 1 − c/3, whatever the number of runs. Known: 0 at c = 0, 1 at c = 1.
    """
    return {"stability": 1 - (1 - c) / (1 - c / 3)}


def simulate(rng, repeats, c, runs):
    """Effective stability of so many studies of coins."""
    similarity = Similarity.identity(4, names=NAMES).edited({NAMES[:2]: c, NAMES[2:]: c})
    values = np.empty(repeats)
    for i in range(repeats):
        coins = rng.integers(2, size=(runs, 2))
        chosen = np.stack([coins[:, 0], 1 - coins[:, 0], coins[:, 1], 1 - coins[:, 1]], axis=1)
        values[i] = effective(Selections.from_matrix(chosen, names=NAMES), similarity)
    return {"stability": values}


def _say(at, known, seen):
    if at["c"] == 1:
        return (
            f"Twins that stand for each other completely: every run found the same, and the stability is "
            f"{known['stability']:.0f} (simulated, {MEAN}: {seen['stability']:.2f})."
        )
    how = "no twin stands for the other" if at["c"] == 0 else f"twins stand for each other by {at['c']:g}"
    return (
        f"Where {how}, the same selections have a stability of {known['stability']:.2f} (simulated with {at['runs']} "
        f"runs, {MEAN}: {seen['stability']:z.2f}). No run was changed."
    )


LESSON = Lesson(
    key="twins",
    question="Two perfect twins, one is taken by coin. How stable is that?",
    story="Four markers: A and A' measure the same protein, B and B' another. Every run takes one of each pair, which one a coin "
    "decides. Every panel holds the same two proteins.",
    ask=lambda at: (
        f"Twins count as standing for each other by {at['c']:g} (0 not at all, 1 fully). How stable are the "
        "panels, if 0 is random sets and 1 always the same?"
    ),
    guess=Guess(low=-1),
    controls=(
        Control(key="c", label="How far twins stand for each other", values=(0.0, 0.2, 0.4, 0.6, 0.8, 1.0), default=0.0),
        Control(key="runs", label="Runs", values=(10, 50, 200), default=50),
    ),
    line=tuple(round(0.05 * i, 2) for i in range(21)),
    series={"stability": "effective stability"},
    y="Effective stability",
    theory=theory,
    simulate=simulate,
    say=_say,
    insight="Say first which markers are interchangeable; the same runs are as random as coins, or perfectly stable, depending on "
    "it.",
    source="Sechidis, Papangelou, Nogueira, Weatherall & Brown, ECML-PKDD 2019, equation 1",
    page="pages/groups.py",
    page_label="Which of my features stand for each other?",
)
