"""Sample size: agreement of groups of patients of any size, in a model with known effects."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from stabcore.base.errors import InputError
from stabcore.base.public import public

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import ArrayLike

SIZES = (50, 100, 200, 500, 1000, 2000, 5000)
MAX_PATIENTS = 10**7
SCORE_NODES = np.linspace(-9, 9, 2401)  # nodes of the common part of a score in all runs, in standard errors
BISECTIONS = 36  # bisections of an interval of about 40
LEFT_OUT = 0.05
COLUMNS = ("n", "pairs", "halves", "most_rows", "true_half", "true_most")


@public
def sample_size_for_stability(
    n: ArrayLike | None = None,
    *,
    d: int,
    true: int,
    effect: float,
    k: int | None = None,
    wanted: float | None = None,
    cases: float = 0.5,
) -> pd.DataFrame:
    """DataFrame, one row per number of patients n: the agreement of panels, and the share of true features in them.

    Of d independent features, `true` differ between two classes by `effect` standard deviations. A filter selects the k (default:
    true) with the largest |z|, z normal with mean effect·√(m·cases·(1 − cases)) for the m rows of a run. cases: share of the
    smaller class, 0 to 0.5.
    pairs      agreement (kappa) of two separate halves: 0 by chance, 1 if equal
    halves     of two independent halves, which share half of their rows. most_rows: of runs that leave out 5%
    true_half, true_most    share of the selected that are true, for a half, and for runs that leave out 5%

    Parameters
    ----------
    n : array_like, optional
        Numbers of patients.
    d : int
        Number of features.
    true : int
        Number of true features.
    effect : float
        Standardised difference of a true feature between the classes.
    k : int, optional
        Number of features that a run selects (default: true).
    wanted : float, optional
        Smallest value of `pairs`, instead of n. The result is one row, for the smallest even number of patients that reaches it.
        Shared rows make `most_rows` high in small studies, so only `pairs` distinguishes them from large ones.
    cases : float, optional
        Share of cases.

    Notes
    -----
    Simulated studies with independent features and 12 or more cases per half agreed with this within 0.05. With 3 to 12 cases per
    half, `pairs` was up to 0.08 too high. Correlations among features without effects hardly changed it. Features that correlate
    with a true one differ between the classes, too. With four such features (ρ = 0.8) for each true one, `pairs` was 0.24
    instead of 0.76 (d = 200, 10 true, effect 0.5, n = 480).

    Raises
    ------
    InputError
        For impossible sizes and effects, and for a `wanted` that no number of patients reaches.

    References
    ----------
    Source: normal scores as in stabcore.inference.noise_floor, with non-centralities that grow as √n.

    Examples
    --------
    >>> list(sc.sample_size_for_stability([100, 200], d=1000, true=20, effect=0.5))
    ['n', 'pairs', 'halves', 'most_rows', 'true_half', 'true_most']
    """
    import pandas as pd

    k = true if k is None else k
    if not (d > 1 and 1 <= true < d and 1 <= k < d and effect > 0):
        raise InputError(
            "The sample size needs 1 to d − 1 true features of d, an effect above 0, and 1 to d − 1 selected features. Found "
            f"d = {d!r}, true = {true!r}, effect = {effect!r}, k = {k!r}."
        )
    if not 0 < cases <= 0.5:
        raise InputError(f"The share of the smaller class must be above 0 and at most 0.5. Found cases = {cases!r}.")
    spread = effect * np.sqrt(cases * (1 - cases))  # mean of a score for a study of one row
    if wanted is not None:
        n = _fewest_patients(wanted, d, true, spread, k)
    sizes = np.atleast_1d(np.asarray(SIZES if n is None else n, dtype=float))
    if not (sizes >= 4).all():
        raise InputError(f"Numbers of patients must be 4 or more. Found {n!r}.")
    rows = []
    for size in sizes:
        half, most = spread * np.sqrt(size / 2), spread * np.sqrt((1 - LEFT_OUT) * size)
        rows.append(
            (
                int(size),
                *(agreement(mean, true, d, k, share) for mean, share in ((half, 0.0), (half, 0.5), (most, 1 - LEFT_OUT))),
                *(true * _selection_probability(mean, _cutoff(mean, true, d, k)) / k for mean in (half, most)),
            )
        )
    return pd.DataFrame(rows, columns=list(COLUMNS))


def agreement(mean, true, d, k, share=0.0) -> float:
    """Expected kappa of two runs that share part of their rows, in the model of sample_size_for_stability.

    (P₂ − π²)/(π(1 − π)), π = k/d, P₂ the mean over the features of P(|Z| > c in both), for scores with mean `mean` (0 if not
    true), variance 1 and correlation `share`. k features exceed c on average.
    """
    cut, part = _cutoff(mean, true, d, k), k / d
    both = (true * _joint_probability(mean, cut, share) + (d - true) * _joint_probability(0.0, cut, share)) / d
    return float((both - part**2) / (part * (1 - part)))


def _selection_probability(mean, cut):
    """P(|Z| > cut) of a normal Z with this mean and variance 1."""
    from scipy.special import ndtr

    return ndtr(mean - cut) + ndtr(-mean - cut)


def _joint_probability(mean, cut, share):
    """P(|Z| > cut and |Z'| > cut), correlation `share`: given their common part, they are independent."""
    if share == 0:
        return _selection_probability(mean, cut) ** 2
    density = np.exp(-(SCORE_NODES**2) / 2)
    spread = np.sqrt(1 - share)
    passed = _selection_probability((mean + np.sqrt(share) * SCORE_NODES) / spread, cut / spread)
    return float(passed**2 @ density / density.sum())


def _cutoff(mean, true, d, k):
    """C so that k of the features have |Z| > c on average."""
    low, high = np.zeros(np.broadcast(mean, true).shape), mean + 40.0
    for _ in range(BISECTIONS):
        middle = (low + high) / 2
        passed = true * _selection_probability(mean, middle) + (d - true) * _selection_probability(0.0, middle) > k
        low, high = np.where(passed, middle, low), np.where(passed, high, middle)
    return (low + high) / 2


def _fewest_patients(wanted, d, true, spread, k):
    """The smallest even number of patients whose two halves reach this agreement."""

    def reached(n):
        return agreement(spread * np.sqrt(n / 2), true, d, k) >= wanted

    if not 0 < wanted < 1 or not reached(MAX_PATIENTS):
        raise InputError(
            f"No number of patients gives an agreement of {wanted!r} between two halves with these effects. Agreement is between 0 "
            "and 1, and a selection of more features than are true limits it."
        )
    low, high = 1, MAX_PATIENTS // 2
    while low + 1 < high:
        middle = (low + high) // 2
        low, high = (low, middle) if reached(2 * middle) else (middle, high)
    return 2 * high
