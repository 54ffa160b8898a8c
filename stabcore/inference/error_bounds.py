"""Bounds on the number of false selections, for studies of complementary halves."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from stabcore.base.errors import InputError
from stabcore.base.public import public
from stabcore.base.text import joined
from stabcore.base.validation import is_between

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

MEINSHAUSEN_BUHLMANN, UNIMODAL, R_CONCAVE = "meinshausen_buhlmann", "unimodal", "r_concave"
BOUNDS = {
    MEINSHAUSEN_BUHLMANN: "Meinshausen & Bühlmann 2010",
    UNIMODAL: "Shah & Samworth 2013, unimodal",
    R_CONCAVE: "Shah & Samworth 2013, r-concave",
}
TOLERANCE = 1e-9  # divisors below this are 0 up to rounding
LARGEST_SHIFT = 1e5  # largest shift of the densities below, which are then nearly uniform


@public
def pfer_bound(q: float, d: int, threshold: ArrayLike, pairs: int, bound: str = UNIMODAL) -> float | np.ndarray:
    """Upper bound on the expected number of false selections among features selected in a share `threshold` of the runs.

    With θ = q/d and B pairs of complementary halves, whose 2B runs select q features on average, for features selected
    in a share τ of the runs or more:
        meinshausen_buhlmann   q²/((2τ − 1) d), τ > ½. Assumes exchangeable noise features, and a selector no worse than guessing
        unimodal               q²/(d C), C = 2(2τ − 1 − 1/(2B)) for ½ + min(θ², 1/(2B) + ¾θ²) < τ ≤ ¾, and
                               C = (1 + 1/B)/(4(1 − τ + 1/(2B))) above ¾. Bounds how many features of low selection probability
                               (≤ θ) are selected. It needs no exchangeability. How often both halves select a feature must have
                               a distribution with one peak
        r_concave              d · min{1, D(θ², ⌈2Bτ⌉ − B, B, −½), D(θ, ⌈2Bτ⌉, 2B, −¼)}, D(η, t, N, r) the largest P(X ≥ t/N) of an
                               r-concave law on 0, 1/N, …, 1 with mean η. This bound is the sharpest, and the only one that is
                               defined for τ ≤ ½. The law must fall off smoothly. Tables of noise exceeded the bound by a factor
                               of up to 2 with 12 to 20 rows, and of 1.4 with d = 1000 and τ = 0.55
                               (tests/benchmarks/bench_panel_truth.py). They never exceeded the other two bounds

    The bound is for E V, the mean over studies. For one study it implies P(V ≥ m) ≤ bound/m (Markov). A bound below 1 is thus a
    bound on the share of studies with any false selection. Returns a number or an array like threshold, NaN where the bound is not
    defined. A bound above d carries no information.

    Parameters
    ----------
    q : float
        Mean number of features that a run selects.
    d : int
        Number of features.
    threshold : array_like
        Share of the runs in (½, 1], a number or an array.
    pairs : int
        Number of pairs of halves B.
    bound : str, optional
        Bound on false selections: 'meinshausen_buhlmann', 'unimodal' or 'r_concave'.

    Raises
    ------
    InputError
        For q outside 0 … d, fewer than one pair, or an unknown bound.

    References
    ----------
    Source: Meinshausen & Bühlmann 2010, JRSS B 72:417-473; Shah & Samworth 2013, JRSS B 75:55-80.

    Examples
    --------
    >>> round(sc.pfer_bound(10, 1000, 0.75, 25), 2)
    0.1
    """
    if bound not in BOUNDS:
        raise InputError(f"There is no bound {bound!r}. Choose one of: {joined(list(BOUNDS), 'or')}.")
    if not is_between(d, 1, np.inf) or not is_between(q, 0, d) or not is_between(pairs, 1, np.inf):
        raise InputError(
            "A bound needs 0 to d selected features on average, d ≥ 1, and at least 1 pair of halves. Found "
            f"{q!r} of {d!r} and {pairs!r} pairs."
        )
    thresholds = np.asarray(threshold, dtype=float)
    if not ((thresholds >= 0) & (thresholds <= 1)).all():
        raise InputError(f"The threshold must be a share of the runs, 0 to 1. Found {threshold!r}.")
    formula = {MEINSHAUSEN_BUHLMANN: _meinshausen_buhlmann, UNIMODAL: _unimodal, R_CONCAVE: _r_concave}[bound]
    value = formula(q, d, thresholds, int(pairs))
    return float(value) if thresholds.ndim == 0 else value


def bound_with_source(bound: float, counted: float) -> tuple[float, str]:
    """(number of false selections to report, "bound", "shuffled" or "" as its source).

    bound: on the mean number of false selections, NaN if there is none. counted: number of features that pass the threshold with
    the outcome shuffled, mean over shuffles, NaN without shuffles. The bounds assume that an unrelated feature is rarely selected.
    Some selectors prefer certain columns for any outcome. Then more features pass under shuffling than the bound allows, and their
    count is reported.
    """
    if np.isnan(bound) or counted > bound:
        return float(counted), "" if np.isnan(counted) else "shuffled"
    return float(bound), "bound"


def _meinshausen_buhlmann(q, d, thresholds, pairs):
    with np.errstate(divide="ignore"):
        return np.where(thresholds > 0.5, q * q / (d * np.abs(2 * thresholds - 1)), np.nan)


def _unimodal(q, d, thresholds, pairs):
    share = q / d
    least = 0.5 + min(share**2, 1 / (2 * pairs) + 0.75 * share**2)
    with np.errstate(divide="ignore", invalid="ignore"):
        low, high = 2 * (2 * thresholds - 1 - 1 / (2 * pairs)), (1 + 1 / pairs) / (4 * (1 - thresholds + 1 / (2 * pairs)))
        C = np.where(thresholds <= 0.75, low, high)
        return np.where((thresholds > least) & (C > TOLERANCE), q * q / (d * C), np.nan)


def _r_concave(q, d, thresholds, pairs):
    share = q / d

    def value(threshold):
        t = int(np.ceil(2 * pairs * threshold - 1e-9))
        both = largest_tail(share**2, t - pairs, pairs, -0.5)  # 1 up to half of the runs, where there is no bound
        return d * min(both, largest_tail(share, t, 2 * pairs, -0.25))

    return np.vectorize(value, otypes=[float])(thresholds)


@lru_cache(maxsize=4096)
def largest_tail(mean, t, n, r):
    """D(η, t, n, r): the largest P(X ≥ t) of a law on 0 … n with mean n η whose probabilities to the power r are convex.

    It is attained by probabilities c (a + i)^(1/r) on 0 … j and the rest on j + 1. The mean determines c. The shift a lies between
    those with probability 0 and with the largest allowed probability on j + 1. Up to twice the mean there is no bound, so it is 1.
    """
    from scipy.optimize import minimize_scalar

    total = n * mean
    if t <= np.ceil(2 * total):
        return 1.0
    if total == 0:
        return 0.0

    def below(log_a, j):
        """P(X < t) of the law above."""
        weights = (np.exp(log_a) + np.arange(j + 1)) ** (1 / r)
        return (j + 1 - total) * weights[:t].sum() / ((j + 1 - np.arange(j + 1)) @ weights)

    last = _tail_shift(total, n, r)
    least = below(last, n)
    for j in range(n - 1, t - 1, -1):
        first, last = last, _tail_shift(total, j, r)
        minimum = minimize_scalar(below, bounds=(first, last), args=(j,), method="bounded", options={"xatol": 1e-9})
        least = min(least, minimum.fun)
    return 1 - least


@lru_cache(maxsize=4096)
def _tail_shift(total, j, r):
    """Log a for which probabilities ∝ (a + i)^(1/r) on 0 … j have this mean."""
    from scipy.optimize import brentq

    counts = np.arange(j + 1)

    def beyond(log_a):
        weights = ((np.exp(log_a) + counts) / (np.exp(log_a) + j)) ** (1 / r)
        return counts @ weights / weights.sum() - total

    low, high = np.log(1e-12), np.log(LARGEST_SHIFT)
    return high if beyond(high) <= 0 else brentq(beyond, low, high, xtol=1e-12)
