"""Perfect twins: stability depends on the similarity of features."""

from __future__ import annotations

import numpy as np

from stabcore.measures.effective import effective
from stabcore.selections.selections import Selections
from stabcore.similarity.similarity import Similarity
from stabcore.teaching.lesson import MEAN, Control, Guess, Lesson

NAMES = ("A", "A'", "B", "B'")


def theory(c: float, runs: int) -> dict[str, float]:
    """Return Φ_C of runs that select one of each of two pairs at random, with similarity c of twins.

    tr(CS) = 1 − c and tr(CΣ⁰) = 1 − c/3, for any number of runs. Known: 0 at c = 0, 1 at c = 1.
    """
    return {"stability": 1 - (1 - c) / (1 - c / 3)}


def simulate(rng, repeats, c, runs):
    """Return effective stabilities of studies that select one twin at random."""
    similarity = Similarity.identity(4, names=NAMES).edited({NAMES[:2]: c, NAMES[2:]: c})
    values = np.empty(repeats)
    for i in range(repeats):
        coins = rng.integers(2, size=(runs, 2))
        chosen = np.stack([coins[:, 0], 1 - coins[:, 0], coins[:, 1], 1 - coins[:, 1]], axis=1)
        values[i] = effective(Selections.from_matrix(chosen, names=NAMES), similarity)
    return {"stability": values}


def _describe(settings, expected, simulated):
    return (
        f"With a similarity of {settings['c']:g} between twins, the stability is {expected['stability']:.2f} (simulated with "
        f"{settings['runs']} runs, {MEAN}: {simulated['stability']:z.2f}). The selections are the same for every similarity."
    )


LESSON = Lesson(
    key="twins",
    question="Two identical twins: one of them is selected at random. How stable is that?",
    story="A and A' measure the same protein, B and B' another. Every run selects one of each pair at random. So every panel "
    "measures the same two proteins.",
    ask=lambda settings: (
        f"The similarity of twins is {settings['c']:g} (0: none, 1: identical). How stable are the panels, if 0 is chance and 1 is "
        "always the same?"
    ),
    guess=Guess(low=-1),
    controls=(
        Control(key="c", label="Similarity of twins", values=(0.0, 0.2, 0.4, 0.6, 0.8, 1.0), default=0.0),
        Control(key="runs", label="Runs", values=(10, 50, 200), default=50),
    ),
    line=tuple(round(0.05 * i, 2) for i in range(21)),
    series={"stability": "effective stability"},
    y="Effective stability",
    theory=theory,
    simulate=simulate,
    describe=_describe,
    insight="Decide first which markers are interchangeable. Depending on that, the same runs are random or perfectly stable.",
    source="Sechidis, Papangelou, Nogueira, Weatherall & Brown, ECML-PKDD 2019, equation 1",
    page="pages/similarity.py",
    page_label="Which of my features are similar?",
)
