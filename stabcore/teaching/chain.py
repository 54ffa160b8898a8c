"""A chain of related markers: a thresholded relation can push agreement above 1."""

from __future__ import annotations

import numpy as np

from stabcore.measures.effective import Chance, effective
from stabcore.selections.selections import Selections
from stabcore.similarity.similarity import Similarity
from stabcore.teaching.lesson import MEAN, Control, Guess, Lesson

MARKERS, RUNS = 10, 200
SWAP = np.array([1.0, -1.0, 1.0])  # A and C come where B goes


def similarity_of(neighbours, threshold=None):
    """C of the chain A–B–C, (10, 10): ρ between neighbours, ρ² between A and C; δ(|ρ| > θ) where there is a threshold."""
    C = np.eye(MARKERS)
    C[0, 1] = C[1, 0] = C[1, 2] = C[2, 1] = neighbours
    C[0, 2] = C[2, 0] = neighbours**2
    return C if threshold is None else (threshold < C).astype(float)


def theory(threshold: float, neighbours: float) -> dict[str, float]:
    """Φ_C of runs that take B, or A and C, with even odds: tr(CS) = ¼ vᵀCv with v = (1, −1, 1), which is −¼ where A–B and B–C are
    related and A–C is not; tr(CΣ⁰) at mean sizes 1.5 and 2.5 (squared). Φ_C > 1 where C is not positive semi-definite.
    """
    chance = Chance.of(1.5, 2.5, MARKERS)

    def value(C):
        return float(chance.stability(SWAP @ C[:3, :3] @ SWAP / 4, C.sum() - MARKERS))

    return {"cut": value(similarity_of(neighbours, threshold)), "whole": value(similarity_of(neighbours))}


def simulate(rng, repeats, threshold, neighbours):
    """Effective stability of so many studies of 200 runs, half of which took B."""
    cut, whole = (Similarity.from_matrix(similarity_of(neighbours, at)) for at in (threshold, None))
    values = {"cut": np.empty(repeats), "whole": np.empty(repeats)}
    for i in range(repeats):
        takes_b = rng.integers(2, size=RUNS)
        Z = np.zeros((RUNS, MARKERS))
        Z[:, 0] = Z[:, 2] = 1 - takes_b
        Z[:, 1] = takes_b
        runs = Selections.from_matrix(Z)
        values["cut"][i], values["whole"][i] = effective(runs, cut), effective(runs, whole)
    return values


def _say(at, known, seen):
    above = known["cut"] > 1 + 1e-9
    because = (
        "A goes with B and B with C, but A not with C: such a relation counts the same agreement more than once (it is not "
        "positive semi-definite)"
        if above
        else "at this threshold the relation holds together"
    )
    return (
        f"Cut at {at['threshold']:g}, the effective stability is {known['cut']:.2f} (simulated, {MEAN}: {seen['cut']:.2f}), "
        f"{'above 1' if above else 'not above 1'}: {because}. With the correlations as they are it is {known['whole']:.2f}."
    )


LESSON = Lesson(
    key="chain",
    question="Can agreement exceed 100%?",
    story="Three of ten markers form a chain: A goes with B, B goes with C, A and C have less in common. Half of the runs "
    "take B alone, the other half A and C, which tell the same together.",
    ask=lambda at: (
        f"Correlations above {at['threshold']:g} count as full, all others as none; neighbours correlate by "
        f"{at['neighbours']:g}. Is the effective stability above 1?"
    ),
    guess=Guess(choices=("yes, above 1", "no")),
    right=lambda at, known: "yes, above 1" if known["cut"] > 1 + 1e-9 else "no",
    controls=(
        Control(key="threshold", label="Correlations above this count", values=(0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9), default=0.6),
        Control(key="neighbours", label="Correlation of neighbours", values=(0.65, 0.75, 0.85), default=0.75),
    ),
    line=tuple(round(0.01 * i, 2) for i in range(30, 91)),
    y="Effective stability",
    series={"cut": "correlations cut at the threshold", "whole": "correlations as they are"},
    theory=theory,
    simulate=simulate,
    say=_say,
    insight="Cutting correlations at a threshold can make a relation that contradicts itself. Above 1, compare selectors but "
    "do not read the value as a share.",
    source="Sechidis et al., ECML-PKDD 2019, section 4; positive semi-definite relations",
    page="pages/whatif.py",
    page_label="What does the threshold do to my stability?",
)
