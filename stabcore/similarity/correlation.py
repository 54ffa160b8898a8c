"""Correlations between features, computed in blocks so that a d × d matrix is never held."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from stabcore.base.errors import InputError
from stabcore.base.tables import as_pandas
from stabcore.data.feature_table import FeatureTable, as_table

METHODS = {"spearman": "Spearman (ranks)", "pearson": "Pearson (values)", "kendall": "Kendall (order of two rows, τ-b)"}
BLOCK = 512
MAX_PAIRS = 20_000_000  # about 2 GB while they are built
MAX_COMPARISONS = 2e11  # limit of kendall, rows² × features²: about 6 seconds, 15 with missing cells
MIN_ROWS = 3  # on two rows every |ρ| is 1


def correlated_pairs(X, *, method="spearman", threshold=0.5):
    """(sparse symmetric (d, d) of |ρ| where |ρ| ≥ threshold, without diagonal, feature names or None).

    X: Dataset, FeatureTable, DataFrame or (n, d) array. |ρ| is rounded to 12 decimals, so that ties at the threshold are exact.
    Raises InputError as Correlations.of does, and if there are too many pairs for memory.
    """
    from scipy.sparse import coo_array

    every = Correlations.of(X, method)
    parts, n_pairs = [], 0
    for rows, columns, rho in every.blocks():
        rho = np.round(rho, 12)
        keep = (rho >= threshold) & (rho > 0)
        n_pairs += int(np.count_nonzero(keep))
        if n_pairs > MAX_PAIRS:
            too_many = f"More than {MAX_PAIRS:,} pairs of features have |ρ| ≥ {threshold:g}"
            raise InputError(f"{too_many}, more than fits in memory. Choose a higher threshold.")
        places = np.nonzero(keep)
        parts.append((rho[places], rows[places[0]].astype(np.int32), columns[places[1]].astype(np.int32)))
    data, i, j = (np.concatenate(part) for part in zip(*parts))
    upper = coo_array((data, (i, j)), shape=(every.n_features,) * 2).tocsr()
    return (upper + upper.T).tocsr(), every.names


def correlated_features(X, threshold: float, method="spearman") -> np.ndarray:
    """(d,) whether each feature has |ρ| ≥ threshold with another one. X and errors: as for correlated_pairs."""
    every = Correlations.of(X, method)
    found = np.zeros(every.n_features, dtype=bool)
    for rows, columns, rho in every.blocks():
        near = rho >= threshold
        found[rows] |= near.any(axis=1)
        found[columns] |= near.any(axis=0)
    return found


@dataclass(frozen=True, eq=False)
class Correlations:
    """|ρ| between any of d features, computed on demand.

    columns  (n, d) the prepared features: centred and of length 1 (0 where unknown), or ranks for kendall
    known    (n, d) 1 where a cell is known, or None if all are
    """

    columns: np.ndarray
    known: np.ndarray | None
    method: str
    names: tuple[str, ...] | None

    @classmethod
    def of(cls, X, method="spearman") -> Correlations:
        """Make it from the features of a Dataset, FeatureTable, DataFrame or (n, d) array.

        spearman: Pearson of the ranks. kendall: τ-b = Σ sgn(x_i−x_j) sgn(y_i−y_j) / √(pairs of rows not tied in x · in y).
        Missing cells: each pair uses the rows where both are known, at least 3. Spearman ranks each feature once, among all its
        known values. A column with fewer than two different values has no correlations.
        Raises InputError for an unknown method, no features, and if kendall would take too long.
        """
        from scipy.stats import rankdata

        if method not in METHODS:
            raise InputError(f"Correlation {method!r} is not known. Choose one of {', '.join(METHODS)}.")
        values, names = numeric_columns(X)
        n, d = values.shape
        if d < 1:
            raise InputError("There are no features to correlate: the table has no columns.")
        if method == "kendall" and n * (n - 1) / 2 * d * (d - 1) / 2 > MAX_COMPARISONS:
            limit = int(2 * MAX_COMPARISONS**0.5 / max(n, 1))
            raise InputError(
                f"Kendall's correlation takes too long for {n} rows and {d} features: at most {limit} features are possible with "
                "this number of rows. Choose spearman, which is close to it, or fewer features."
            )
        known = ~np.isnan(values)
        if method != "pearson":
            values = rankdata(values, axis=0, nan_policy="omit")
        columns = values.astype(np.float32) if method == "kendall" else _standardised(values, known)
        return cls(columns, None if known.all() else known.astype(columns.dtype), method, names)

    @property
    def n_features(self) -> int:
        """d, the number of features."""
        return self.columns.shape[1]

    def block(self, rows, columns) -> np.ndarray:
        """(b, c) |ρ| between features, by 0-based number, 0 where undefined."""
        a, b = self.columns[:, rows], self.columns[:, columns]
        known = (None, None) if self.known is None else (self.known[:, rows], self.known[:, columns])
        rho = (
            _kendall(a, b, *known)
            if self.method == "kendall"
            else a.T @ b
            if self.known is None
            else _pairwise_pearson(a, b, *known)
        )
        return np.minimum(np.abs(rho, out=rho), 1, out=rho)

    def blocks(self, index=None):
        """Yield (rows (b,), columns (c,), |ρ| (b, c)) that contain every pair rows < columns of all (or some) features once.

        |ρ| is −1 where a block reaches below the diagonal, so that it is never similar. rows, columns: positions in index.
        """
        index = np.arange(self.n_features) if index is None else np.asarray(index)
        for start in range(0, len(index), BLOCK):
            for first in range(start, len(index), 4 * BLOCK):
                rows = np.arange(start, min(start + BLOCK, len(index)))
                columns = np.arange(first, min(first + 4 * BLOCK, len(index)))
                rho = self.block(index[rows], index[columns])
                if first == start:
                    rho[columns[None, :] <= rows[:, None]] = -1
                yield rows, columns, rho


def numeric_columns(X):
    """((n, d) floats with NaN, names or None) of a Dataset, or of a table as `as_table` takes it, for correlations."""
    if callable(getattr(type(X), "numbers", None)):  # checked on the type, because a DataFrame may have a column of that name
        return X.numbers(), X.features
    X = as_pandas(X)
    table = as_table(X)
    levels = np.nan_to_num(table.values, nan=0).max(axis=0, initial=0) + 1
    values = np.where(table.categorical & (levels > 2), np.nan, table.values)
    return values, table.features if isinstance(X, FeatureTable) or hasattr(X, "columns") else None


def _standardised(values, known):
    """Columns of mean 0 and length 1 over their known cells, all 0 if a column does not vary."""
    n_known = known.sum(axis=0)
    centre = np.nansum(values, axis=0) / np.maximum(n_known, 1)
    x = np.where(known, values - centre, 0.0)
    largest = np.abs(x).max(axis=0, initial=0)
    varies = (largest > 1e-12 * np.abs(centre)) & (n_known >= MIN_ROWS)
    x = x / np.where(varies, largest, np.inf)  # first by the largest value, because squares in tiny or huge units would be lost
    return x / np.where(varies, np.sqrt((x**2).sum(axis=0)), 1)


def _pairwise_pearson(a, b, known_a, known_b):
    """Pearson of each pair over the rows where both are known (0 where unknown)."""
    n = np.maximum(known_a.T @ known_b, 1)
    sum_a, sum_b = a.T @ known_b, known_a.T @ b
    cross = a.T @ b - sum_a * sum_b / n
    var_a = (a**2).T @ known_b - sum_a**2 / n
    var_b = known_a.T @ (b**2) - sum_b**2 / n
    defined = (var_a > 1e-12) & (var_b > 1e-12) & (n >= MIN_ROWS)
    return _cosine(cross, var_a * var_b, defined)


def _kendall(a, b, known_a, known_b):
    """τ-b of each pair: the cosine between the signs of all differences of two rows, which are 0 if a row is unknown.

    Rows are compared with those `lag` below them, so that each step is one matrix product with exact sums.
    """
    cross, ordered_a, ordered_b = np.zeros((3, a.shape[1], b.shape[1]))
    for lag in range(1, len(a)):
        s, t = np.sign(a[lag:] - a[:-lag]), np.sign(b[lag:] - b[:-lag])
        if known_a is None:
            ordered_a += (s**2).sum(axis=0)[:, None]
            ordered_b += (t**2).sum(axis=0)[None, :]
        else:
            s, t = np.nan_to_num(s), np.nan_to_num(t)
            ordered_a += (s**2).T @ (known_b[lag:] * known_b[:-lag])
            ordered_b += (known_a[lag:] * known_a[:-lag]).T @ (t**2)
        cross += s.T @ t
    n = len(a) if known_a is None else known_a.T @ known_b
    return _cosine(cross, ordered_a * ordered_b, (ordered_a > 0) & (ordered_b > 0) & (n >= MIN_ROWS))


def _cosine(cross, product, defined):
    return np.where(defined, cross / np.sqrt(np.where(product > 0, product, 1)), 0.0)
