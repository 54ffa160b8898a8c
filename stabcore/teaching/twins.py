"""Perfect twins: stability depends on the similarity of features."""

import numpy as np

from stabcore.measures.effective import effective
from stabcore.selections.selections import Selections
from stabcore.similarity.similarity import Similarity
from stabcore.teaching.lesson import SELECTED, Control, Draw, Guess, Lesson, Step

NAMES = ("A", "A'", "B", "B'")


def theory(c: float, runs: int) -> dict[str, float]:
    """Return Φ_C of runs that select one of each of two pairs at random, with similarity c of twins.

    tr(CS) = 1 − c and tr(CΣ⁰) = 1 − c/3, for any number of runs. Known: 0 at c = 0, 1 at c = 1.
    """
    return {"stability": 1 - (1 - c) / (1 - c / 3)}


def draw(rng, c, runs):
    """Return the effective stability of a study whose runs select one twin at random."""
    similarity = Similarity.identity(4, names=NAMES).edited({NAMES[:2]: c, NAMES[2:]: c})
    coins = rng.integers(2, size=(runs, 2))
    chosen = np.stack([coins[:, 0], 1 - coins[:, 0], coins[:, 1], 1 - coins[:, 1]], axis=1)
    value = effective(Selections.from_matrix(chosen, names=NAMES), similarity)
    return Draw({"stability": float(value)}, dict(zip(NAMES, chosen.T, strict=True)))


def _describe(settings, expected):
    return (
        f"With a similarity of {settings['c']:g} between twins, the stability is {expected['stability']:.2f}. The selections are "
        "the same for every similarity."
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
        Control(key="c", label="Similarity of twins", values=(0.0, 0.2, 0.4, 0.6, 0.8, 1.0), default=0.0, free=True),
        Control(key="runs", label="Runs", values=(10, 50, 200), default=50, free=True),
    ),
    line=tuple(round(0.05 * i, 2) for i in range(21)),
    series={"stability": "effective stability"},
    y="Effective stability",
    theory=theory,
    draw=draw,
    describe=_describe,
    cells={SELECTED: "selected, a column per run"},
    insight="Decide first which markers are interchangeable. Depending on that, the same runs are random or perfectly stable.",
    note="Many guess 0.5 or 1, because the twins are the same protein. The measure knows that only through C.",
    steps=(
        Step(words="A column per run. Each takes one twin of each pair."),
        Step(words="A thousand studies. To a measure that knows no twins, they look random.", draws=1000),
        Step(words="Now twins count as nearly the same.", settings={"c": 0.8}, draws=1000),
        Step(words="Now they count as one. The runs are the same as before.", settings={"c": 1.0}, draws=1000),
    ),
    source="Sechidis, Papangelou, Nogueira, Weatherall & Brown, ECML-PKDD 2019, equation 1",
    page="pages/similarity.py",
    page_label="Which of my features are similar?",
)
