"""Columns that can be computed from other columns: sum scores, and columns determined by another one."""

from typing import Any

import numpy as np

MAX_COLUMNS = 1000  # largest number of numeric columns to search for sums: beyond it, combinations far outnumber rows
MAX_TERMS = 20  # largest number of terms of a sum
ROWS_PER_TERM = 5  # smallest number of complete rows per term for a meaningful fit
MAX_ROUNDING_SHARE = 1e-7  # largest share of variance left by rounding
MAX_RESIDUAL = 0.01  # largest share of variance left by a sum with equal weights
MIN_SHARE = 0.01  # smallest contribution of a term to the spread of a sum
MIN_WEIGHT_SHARE = 0.1  # smallest contribution of a term to the spread of an approximate sum
WEIGHT_TOLERANCE = 0.05  # largest difference of weights that count as equal
MIN_ROWS = 20
MAX_FEW, MAX_COMPARED = 200, 50_000_000  # largest number of columns with few levels, and of cells, to compare with all others
FEW_LEVELS = 10  # largest number of levels of a determined column
MAX_BY_CHANCE = 0.005  # largest expected number of such columns by chance


def derived_columns(columns) -> list[tuple[str, str, tuple[str, ...]]]:
    """[(name, "sum" or "nested", names of its sources)] of Column objects that can be computed from others, without circles.

    A sum is a linear combination of at most MAX_TERMS others, either up to rounding, or of equal weights up to MAX_RESIDUAL of its
    variance. A nested column has few levels, each of which is an interval or a set of values of another column.
    """
    nested = list(_nested_columns([column for column in columns if not column.problem]))
    skip = {name for name, _, _ in nested}
    return [*_sum_columns([column for column in columns if column.kind == "number" and column.name not in skip]), *nested]


# ---- sums ----


def _sum_columns(columns):
    columns = [column for column in columns if column.distinct > 2 and np.isfinite(column.values[~np.isnan(column.values)]).all()]
    if not 2 <= len(columns) <= MAX_COLUMNS:
        return []
    values = np.column_stack([column.values for column in columns])
    centred = values - np.nanmean(values, axis=0)
    filled = np.where(np.isnan(centred), 0.0, centred)
    spread = np.sqrt((filled**2).mean(axis=0))
    products = (filled / spread).T @ (filled / spread) / len(filled)
    candidates, found = [], set[Any]()
    for j in range(len(columns)):
        terms = _closest_combination(products, j, min(MAX_TERMS, len(values) // ROWS_PER_TERM))
        terms, weights = _exact_weights(values, j, terms)
        if terms:
            computed = j > max(terms) if len(terms) == 2 else (weights > 0).all()  # with three columns, the last one
            candidates.append((not computed, -j, j, terms))
    for _, _, j, terms in sorted(candidates):
        members = frozenset((j, *terms))
        if not any(members <= other or other <= members for other in found):
            found.add(members)
            yield columns[j].name, "sum", tuple(columns[i].name for i in sorted(terms))


def _closest_combination(products, j, most):
    """The columns whose combination is closest to the j-th, by orthogonal matching pursuit.

    None if the best of them contributes too little.
    """
    chosen, left, correlations = list[int](), 1.0, products[j].copy()
    for step in range(most):
        correlations[[j, *chosen]] = 0.0
        best = int(np.abs(correlations).argmax())
        if abs(correlations[best]) < 1e-9:
            break
        chosen.append(best)
        weights = np.linalg.lstsq(products[np.ix_(chosen, chosen)], products[chosen, j], rcond=1e-10)[0]
        before, left = left, 1.0 - float(weights @ products[chosen, j])
        if left < MAX_ROUNDING_SHARE:
            break
        if (before - left) * (most - step) < left:
            break
        correlations = products[j] - weights @ products[chosen]
    return chosen if left < 0.2 else []


def _exact_weights(values, j, terms):
    """(relevant terms, their weights) if they give the j-th column in all complete rows, else None."""
    part = values[:, [j, *terms]]
    part = part[~np.isnan(part).any(axis=1)]
    if not terms or len(part) < max(MIN_ROWS, ROWS_PER_TERM * len(terms)):
        return [], None
    part = part - part.mean(axis=0)
    total = (part[:, 0] ** 2).sum()
    weights = np.linalg.lstsq(part[:, 1:], part[:, 0], rcond=None)[0]
    share = (weights * part[:, 1:]).std(axis=0) / max(part[:, 0].std(), 1e-300)
    matter = share >= MIN_SHARE
    if not matter.all():
        return _exact_weights(values, j, [term for term, matters in zip(terms, matter, strict=True) if matters])
    left = ((part[:, 0] - part[:, 1:] @ weights) ** 2).sum() / total if total > 0 else np.inf
    equal = len(terms) > 1 and np.ptp(weights) <= WEIGHT_TOLERANCE * weights.mean() and share.min() >= MIN_WEIGHT_SHARE
    return (terms, weights) if left <= MAX_ROUNDING_SHARE or (equal and left <= MAX_RESIDUAL) else ([], None)


# ---- nested ----


def _nested_columns(columns):
    """Columns of few levels that another one determines. The one with fewer levels follows from the other."""
    few = [column for column in columns if 2 <= column.distinct <= FEW_LEVELS]
    numbers = [column for column in columns if not column.levels and column.distinct > 2]
    values = np.column_stack([column.values for column in numbers]) if numbers else None
    taken = set()
    if len(few) > MAX_FEW or len(few) * len(columns) * (len(columns[0].values) if columns else 0) > MAX_COMPARED:
        return  # too many, as with genotypes, which all have three levels
    for column in few:
        others = _with_more_levels(column, numbers, values) if numbers else []
        others += [
            other
            for other in few
            if other is not column
            and other not in others
            and other.name not in taken
            and (other.distinct, other.name) > (column.distinct, column.name)
            and _determines(other.values, column.values)
        ]
        for other in sorted(others, key=lambda other: other.distinct):
            if _beyond_chance(column, other, len(few) * len(columns)):
                taken.add(column.name)
                yield column.name, "nested", (other.name,)
                break


def _with_more_levels(column, numbers, values):
    """Columns of numbers in which each level of the column is a separate interval."""
    codes = np.unique(column.values[~np.isnan(column.values)])
    low = np.array([np.fmin.reduce(values[column.values == code], axis=0) for code in codes])
    high = np.array([np.fmax.reduce(values[column.values == code], axis=0) for code in codes])
    order = np.argsort(low, axis=0)
    low, high = np.take_along_axis(low, order, axis=0), np.take_along_axis(high, order, axis=0)
    apart = (high[:-1] < low[1:]).all(axis=0)
    return [numbers[i] for i in np.flatnonzero(apart) if numbers[i] is not column and numbers[i].distinct > column.distinct]


def _determines(of, values):
    """Whether each value of one column occurs with one value of the other."""
    both = ~np.isnan(of) & ~np.isnan(values)
    pairs = np.unique(np.column_stack([of[both], values[both]]), axis=0)
    return len(pairs) > 1 and len(np.unique(pairs[:, 0])) == len(pairs) and len(np.unique(pairs[:, 1])) > 1


def _beyond_chance(column, other, pairs):
    """Whether complete rows predict one from the other better than expected for random columns."""
    both = ~np.isnan(column.values) & ~np.isnan(other.values)
    n = int(both.sum())
    if n < max(MIN_ROWS, 0.5 * (~np.isnan(column.values)).sum()):
        return False
    counts = np.unique(column.values[both], return_counts=True)[1]
    levels = len(np.unique(other.values[both]))
    if len(counts) < 2:
        return False
    if other.levels or levels <= FEW_LEVELS:  # each further row of a level agrees by chance with the share of the most common level
        return pairs * (counts.max() / n) ** (n - levels) < MAX_BY_CHANCE
    from scipy.special import gammaln

    arrangements = gammaln(n + 1) - gammaln(counts + 1).sum() - gammaln(len(counts) + 1)
    return float(np.log(pairs) - arrangements) < np.log(MAX_BY_CHANCE)
