"""The sign-flip test: is the mean of some differences further from 0 than it gets when every sign is drawn by lot?"""

from __future__ import annotations

from statistics import NormalDist

import numpy as np

MOST_SUMS = 2 ** 16         # sums that are listed one by one; beyond, their tail is approximated
ROUNDED = 9                 # decimals to which sums are kept, so that equal ones meet
EQUAL = 1e-6                # sums that differ by less, for sizes up to 1, are the same: many roundings add up


def sign_flip(differences) -> float:
    """Two-sided p-value of differences (n,), one a unit (a row, a patient, a study): P(|Σ ±d| ≥ |Σ d|), every sign ½.

    Dividing by the standard error would change nothing, as Σd² keeps its value under every flip: this is the studentised test,
    which holds its level for a mean of 0 whatever the shape once there are some dozens of units. With differences −1, 0 and 1 it
    is McNemar's exact test. Exact while the sums can be listed (any 15 units, or any number with few different sizes); else by the
    saddlepoint approximation, which is within 5% of p ≥ 0.01 and within 15% of smaller ones. NaN without units, 1 when all
    differences are 0.
    Source: Fisher 1935, The Design of Experiments, .21; Robinson 1982, JRSS B 44:91-101 (saddlepoint).
    """
    differences = np.asarray(differences, dtype=float)
    if not len(differences):
        return np.nan
    largest = np.abs(differences).max()
    if largest == 0:
        return 1.0
    sizes, reached = np.abs(differences[differences != 0]) / largest, abs(differences.sum()) / largest
    sums = _listed(sizes)
    if sums is None:
        return _tail(sizes, reached)
    return float(min(1.0, sums[1][np.abs(sums[0]) >= reached - EQUAL].sum()))


def _listed(sizes):
    """(sums, chance of each) of Σ ±size, equal sizes taken together; None when there are too many sums to list."""
    from scipy.special import gammaln

    sums, chance = np.zeros(1), np.ones(1)
    for size, count in zip(*np.unique(sizes.round(ROUNDED), return_counts=True), strict=True):
        if len(sums) * (count + 1) > MOST_SUMS:
            return None
        plus = np.arange(count + 1)
        binomial = np.exp(gammaln(count + 1) - gammaln(plus + 1) - gammaln(count - plus + 1) - count * np.log(2))
        both = (sums[:, None] + size * (2 * plus - count)).round(ROUNDED)
        sums, at = np.unique(both.ravel(), return_inverse=True)
        chance = np.bincount(at, np.outer(chance, binomial).ravel())
    return sums, chance


def _tail(sizes, reached) -> float:
    """2 P(Σ ±size ≥ reached) by the saddlepoint of Σ log cosh(t size): Lugannani and Rice's formula."""
    normal, spread = NormalDist(), np.sqrt((sizes ** 2).sum())
    if reached > sizes.sum() - EQUAL:            # all on one side: no sum is larger
        return float(2.0 ** (1 - len(sizes)))
    if reached < 0.01 * spread:                             # the formula is 0/0 at 0, and the normal is right there
        return 2 * normal.cdf(-reached / spread)
    from scipy.optimize import brentq

    def short(t):
        return (sizes * np.tanh(t * sizes)).sum() - reached

    high = 1.0
    while short(high) < 0:
        high *= 2
    t = brentq(short, 0, high)
    generating = (np.logaddexp(t * sizes, -t * sizes) - np.log(2)).sum()
    curvature = (sizes ** 2 / np.cosh(t * sizes) ** 2).sum()
    w, v = np.sqrt(2 * (t * reached - generating)), t * np.sqrt(curvature)
    return float(2 * (normal.cdf(-w) + normal.pdf(w) * (1 / v - 1 / w)))
