"""Influence functions: how much every patient contributes to the effect of every feature, and so how effects vary together.

Each function takes X (n, d) floats with NaN for missing cells, y (n,) and patients as in `stabcore.inference.effect_sizes`. It
returns (G, d), one row per patient: the estimate is the true effect plus the sum of the column, to first order. The covariance of
two estimates is the sum over patients of the product of their columns. A missing cell contributes 0.
"""

from __future__ import annotations

import numpy as np

from stabcore.inference.effect_sizes import moments, ranks
from stabcore.inference.repeated import codes


def of_difference(X, y, patients=None):
    """(G, d) contributions to the standardised difference of two classes.

    Notes
    -----
    A row of class 1 contributes (x − m₁)/(s n₁) − δ((x − m₁)² − s²)/(2 s² (n₀ + n₁ − 2)), a row of class 0 the same with
    −(x − m₀)/(s n₀). Source: Hampel 1974, Journal of the American Statistical Association 69:383-393.
    """
    n, mean, square = (np.stack(part) for part in zip(*(moments(X, y == one) for one in (0, 1)), strict=True))
    free = n.sum(axis=0) - 2
    with np.errstate(invalid="ignore", divide="ignore"):
        variance = square.sum(axis=0) / free
        effect = (mean[1] - mean[0]) / np.sqrt(variance)
        side = (y == 1).astype(int)
        z = (X - mean[side]) / np.sqrt(variance)
        rows = np.where(side[:, None] == 1, z / n[1], -z / n[0]) - effect * (z ** 2 - 1) / (2 * free)
    return by_patient(rows, patients)


def of_area(X, y, patients=None):
    """(G, d) contributions to the area under the ROC curve of two classes.

    Notes
    -----
    A row contributes its placement, the share of the other class that it lies on the right side of, less the area, divided by the
    number of rows of its class. Source: DeLong, DeLong & Clarke-Pearson 1988, Biometrics 44:837-845.
    """
    of_all, rows = ranks(X), np.full(X.shape, np.nan)
    for one in (0, 1):
        own, others = y == one, (~np.isnan(X[y != one])).sum(axis=0)
        with np.errstate(invalid="ignore", divide="ignore"):
            placed = (of_all[own] - ranks(X[own])) / others
            n, mean, _ = moments(placed, np.ones(len(placed), dtype=bool))
            rows[own] = (placed - mean) / n * (1 if one else -1)
    return by_patient(rows, patients)


def of_rank_correlation(X, y, patients=None):
    """(G, d) contributions to Spearman's ρ, ties at their mean rank.

    Notes
    -----
    With U and V the mean ranks divided by n, ρ = cov(U, V)/√(var U var V). A row contributes to each of the three moments by its
    own product, and by the ranks of the rows above it, which it moves. Source: Hájek 1968, Annals of Mathematical Statistics
    39:325-346.
    """
    known = ~np.isnan(X)
    n = known.sum(axis=0)
    first, second = X, np.where(known, np.asarray(y, dtype=float)[:, None], np.nan)
    (u, above_u), (v, above_v) = (_midranks(one, n) for one in (first, second))
    with np.errstate(invalid="ignore", divide="ignore"):
        product, square_u, square_v = u * v + above_u(v) + above_v(u), u ** 2 + 2 * above_u(u), v ** 2 + 2 * above_v(v)
        product, square_u, square_v = (one - np.nansum(one, axis=0) / n for one in (product, square_u, square_v))
        cov, var_u, var_v = (np.nansum(one, axis=0) / n - 0.25 * ((n + 1) / n) ** 2 for one in (u * v, u ** 2, v ** 2))
        scale = np.sqrt(var_u * var_v)
        rows = (product / scale - cov / scale / 2 * (square_u / var_u + square_v / var_v)) / n
    return by_patient(rows, patients)


def by_patient(rows, patients):
    """(G, d) sums over the rows of each patient, a missing or undefined contribution counting 0."""
    rows, of_row = np.nan_to_num(rows, nan=0.0, posinf=0.0, neginf=0.0), codes(patients)
    if of_row is None:
        return rows
    sums = np.zeros((of_row.max() + 1, rows.shape[1]))
    np.add.at(sums, of_row, rows)
    return sums


def _midranks(X, n):
    """((n, d) mean ranks divided by n, function w → (n, d) mean over rows of w where they rank above a row, ties counting half)."""
    from scipy.stats import rankdata

    gaps = np.isnan(X)
    filled = np.where(gaps, np.inf, X)
    order = np.argsort(filled, axis=0, kind="stable")
    first, last = (rankdata(filled, how, axis=0).astype(int) for how in ("min", "max"))

    def above(weights):
        below = np.vstack([np.zeros((1, X.shape[1])), np.cumsum(np.nan_to_num(np.take_along_axis(weights, order, axis=0)), axis=0)])
        upto, before = (np.take_along_axis(below, place, axis=0) for place in (last, first - 1))
        return np.where(gaps, np.nan, (below[-1] - (upto + before) / 2) / n)

    return np.where(gaps, np.nan, (first + last) / 2 / n), above
