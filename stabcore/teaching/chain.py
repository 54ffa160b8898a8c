"""A chain of similar markers: a threshold on C can push effective stability above 1."""

from functools import lru_cache

import numpy as np

from stabcore.measures.effective import ChanceVariance, effective
from stabcore.selections.selections import Selections
from stabcore.similarity.similarity import Similarity
from stabcore.teaching.lesson import SELECTED, Control, Draw, Guess, Lesson, Step

MARKERS, RUNS = 10, 200
THRESHOLDS = (0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
SWAP_CONTRAST = np.array([1.0, -1.0, 1.0])  # A and C replace B


def chain_similarity(neighbours, threshold=None):
    """Return C (10, 10) of the chain A–B–C: ρ between neighbours, ρ² between A and C. With a threshold, 1 above it, else 0."""
    C = np.eye(MARKERS)
    C[0, 1] = C[1, 0] = C[1, 2] = C[2, 1] = neighbours
    C[0, 2] = C[2, 0] = neighbours**2
    return C if threshold is None else (threshold < C).astype(float)


@lru_cache(maxsize=32)
def _similarities(neighbours, threshold):
    return tuple(Similarity.from_matrix(chain_similarity(neighbours, cut_at)) for cut_at in (threshold, None))


def theory(threshold: float, neighbours: float) -> dict[str, float]:
    """Return Φ_C of runs that select B, or A and C, with equal probability.

    tr(CS) = ¼ vᵀCv with v = (1, −1, 1), which is −¼ if A–B and B–C are similar and A–C is not. tr(CΣ⁰) at mean sizes 1.5 and 2.5
    (squared). Φ_C > 1 if C is not positive semi-definite.
    """
    chance = ChanceVariance.of(1.5, 2.5, MARKERS)

    def value(C):
        return float(chance.stability(SWAP_CONTRAST @ C[:3, :3] @ SWAP_CONTRAST / 4, C.sum() - MARKERS))

    return {"cut": value(chain_similarity(neighbours, threshold)), "whole": value(chain_similarity(neighbours))}


def draw(rng, threshold, neighbours):
    """Return the effective stabilities of a study of 200 runs, half of which select B."""
    takes_b = rng.integers(2, size=RUNS)
    Z = np.zeros((RUNS, MARKERS))
    Z[:, 0] = Z[:, 2] = 1 - takes_b
    Z[:, 1] = takes_b
    runs = Selections.from_matrix(Z)
    cut, whole = _similarities(neighbours, threshold)
    values = {"cut": float(effective(runs, cut)), "whole": float(effective(runs, whole))}
    return Draw(values, {name: Z[:, column].astype(int) for column, name in enumerate("ABC")})


def _describe(settings, expected):
    above = expected["cut"] > 1 + 1e-9
    return (
        f"Cut at {settings['threshold']:g}, effective stability is {expected['cut']:.2f}. The similarity matrix is "
        f"{'not ' if above else ''}positive semi-definite. With the correlations themselves it is {expected['whole']:.2f}."
    )


LESSON = Lesson(
    key="chain",
    question="Can agreement exceed 100%?",
    story="Three of ten markers form a chain. A correlates with B, and B with C. A and C correlate less. Half of the runs select "
    "B alone, the other half A and C.",
    ask=lambda settings: (
        f"Correlations above {settings['threshold']:g} count as 1, all others as 0. Neighbours correlate by "
        f"{settings['neighbours']:g}. What is the effective stability, if 0 is chance and 1 is always the same?"
    ),
    guess=Guess(high=2),
    controls=(
        Control(key="threshold", label="Correlations above this count", values=THRESHOLDS, default=0.6, free=True),
        Control(key="neighbours", label="Correlation of neighbours", values=(0.65, 0.75, 0.85), default=0.75, free=True),
    ),
    line=tuple(round(0.01 * i, 2) for i in range(30, 91)),
    y="Effective stability",
    series={"cut": "correlations cut at the threshold", "whole": "original correlations"},
    theory=theory,
    draw=draw,
    describe=_describe,
    cells={SELECTED: "selected, a column per run"},
    insight="A threshold on correlations can give a matrix that is not positive semi-definite. Then use effective stability to "
    "rank selectors, not as a proportion.",
    note="Many guess at most 1. A stands for B and B for C, but A not for C, so a switch counts as more than full agreement.",
    steps=(
        Step(words="Half of the runs select B, the other half A and C. No pair counts as similar.", settings={"threshold": 0.8}),
        Step(words="Below 0.75, B is similar to A and to C. But A is not similar to C: more than full agreement.", draws=100),
        Step(words="Below 0.56, all three are similar. No more than 1.", settings={"threshold": 0.5}, draws=100),
        Step(words="The dashed line has no threshold. It never exceeds 1.", settings={"threshold": 0.7}, draws=100),
    ),
    source="Sechidis et al., ECML-PKDD 2019, section 4",
    page="pages/whatif.py",
    page_label="What does the threshold do to my stability?",
)
