"""Correlations between features, computed in blocks so that a d × d matrix is never held."""

from __future__ import annotations

import numpy as np

from stabcore.errors import InputError
from stabcore.table import Table, as_table

METHODS = {"spearman": "Spearman (ranks)", "pearson": "Pearson (values)"}
BLOCK = 1024
MOST_PAIRS = 20_000_000         # about 2 GB while they are put together
FEWEST_ROWS = 3         # on two rows every |ρ| is 1


def correlated_pairs(X, *, method="spearman", threshold=0.5):
    """(sparse symmetric (d, d) of |ρ| where |ρ| ≥ threshold, without diagonal; feature names or None).

    X: Dataset, Table, DataFrame or (n, d) array. Missing cells: each pair uses the rows where both are known, at least 3;
    Spearman ranks each feature once, among all its known values. |ρ| is rounded to 12 decimals, so that ties at the threshold
    are ties. Raises InputError for an unknown method, no features, or when more pairs are related than memory should hold.
    """
    from scipy.sparse import coo_array

    if method not in METHODS:
        raise InputError(f"Correlation {method!r} is not known; choose one of {', '.join(METHODS)}.")
    values, names = _numbers(X)
    d = values.shape[1]
    if d < 1:
        raise InputError("There are no features to correlate: the table has no columns.")
    if method == "spearman":
        from scipy.stats import rankdata

        values = rankdata(values, axis=0, nan_policy="omit")
    found, kept = [], 0
    for rows, columns, rho in _blocks(values):
        keep = (rho >= threshold) & (rho > 0) & (columns > rows)
        kept += np.count_nonzero(keep)
        if kept > MOST_PAIRS:
            raise InputError(f"More than {MOST_PAIRS:,} pairs of features have |ρ| ≥ {threshold:g}, more than fits in "
                             "memory. Choose a higher threshold.")
        at = np.nonzero(keep)
        found.append((rho[at], rows[at[0], 0].astype(np.int32), columns[0, at[1]].astype(np.int32)))
    data, i, j = (np.concatenate(part) for part in zip(*found))
    upper = coo_array((data, (i, j)), shape=(d, d)).tocsr()
    return (upper + upper.T).tocsr(), names


def _numbers(X):
    """((n, d) floats with NaN, names or None)."""
    if callable(getattr(type(X), "numbers", None)):         # of the type: a DataFrame may have a column of that name
        return X.numbers(), X.features
    table = as_table(X)
    levels = np.nan_to_num(table.values, nan=0).max(axis=0, initial=0) + 1
    values = np.where(table.categorical & (levels > 2), np.nan, table.values)
    return values, table.features if isinstance(X, Table) or hasattr(X, "columns") else None


def _blocks(values):
    """Yield (row numbers (b, 1), column numbers (1, c), |ρ| (b, c)) of the upper triangle, block by block."""
    d = values.shape[1]
    known = ~np.isnan(values)
    complete = bool(known.all())
    n_known = known.sum(axis=0)
    centre = np.nansum(values, axis=0) / np.maximum(n_known, 1)
    x = np.where(known, values - centre, 0.0)
    largest = np.abs(x).max(axis=0, initial=0)
    varies = (largest > 1e-12 * np.abs(centre)) & (n_known >= FEWEST_ROWS)
    x = x / np.where(varies, largest, np.inf)           # first by the largest: squares of tiny or huge units would be lost
    x = x / np.where(varies, np.sqrt((x ** 2).sum(axis=0)), 1)
    mask = None if complete else known.astype(float)
    for start in range(0, d, BLOCK):
        rows = np.arange(start, min(start + BLOCK, d))
        columns = np.arange(start, d)
        rho = x[:, rows].T @ x[:, columns] if complete else _pairwise(x, mask, rows, columns)
        yield rows[:, None], columns[None, :], np.round(np.clip(np.abs(rho), 0, 1), 12)


def _pairwise(x, mask, rows, columns):
    """Pearson of each pair over the rows where both are known (x is 0 where unknown)."""
    a, b, ma, mb = x[:, rows], x[:, columns], mask[:, rows], mask[:, columns]
    n = np.maximum(ma.T @ mb, 1)
    sum_a, sum_b = a.T @ mb, ma.T @ b
    cross = a.T @ b - sum_a * sum_b / n
    var_a = (a ** 2).T @ mb - sum_a ** 2 / n
    var_b = ma.T @ (b ** 2) - sum_b ** 2 / n
    product = var_a * var_b
    defined = (var_a > 1e-12) & (var_b > 1e-12) & (n >= FEWEST_ROWS)
    return np.where(defined, cross / np.sqrt(np.where(product > 0, product, 1)), 0.0)
