"""Columns that are always in the model, on the training rows of a selector, and features adjusted for them.

The association of a feature with the outcome is adjusted for the given columns. Univariate selectors use score tests (see
solvers.score_tests). Penalised models and boosting leave the given columns unpenalised. Other models use the residuals of each
feature on the given columns, in addition to these columns.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from stabcore.data.encoding import Design
from stabcore.data.feature_table import FeatureTable
from stabcore.survival.cox import columns_by_gaps

_MIN_INDEPENDENT = 1e-8  # a column with shorter residuals on the others, relative to its length, is a combination of them
_MIN_RESIDUAL = 1e-9  # a feature with a smaller share of residuals on the given columns is a combination of them


@dataclass(frozen=True, eq=False)
class Given:
    """The given columns as a design: standardised, gaps filled and marked, categories as contrasts, each beyond the ones before.

    table    the given columns themselves
    columns  (q, n) standardised, of which none is a linear combination of the others and a constant
    basis    (n, q + 1) orthonormal, of the same space. Its first column is constant
    """

    table: FeatureTable
    columns: np.ndarray
    basis: np.ndarray

    @classmethod
    def from_table(cls, table: FeatureTable) -> Given:
        """From the given columns of some rows."""
        return cls._from_columns(table, Design.of(table, contrasts=True)[1].T)

    @classmethod
    def _from_columns(cls, table, columns):
        from scipy.linalg import qr

        n = columns.shape[1]
        centred = columns - columns.mean(axis=1, keepdims=True)
        constant = np.full((n, 1), n**-0.5)
        if not centred.any():
            return cls(table, np.empty((0, n)), constant)
        orthonormal, triangle, order = qr(centred.T, mode="economic", pivoting=True)
        size = np.abs(np.diag(triangle))
        rank = int(np.count_nonzero(size > _MIN_INDEPENDENT * size[0]))
        independent = np.sort(order[:rank])
        return cls(table, np.ascontiguousarray(columns[independent]), np.hstack([constant, orthonormal[:, :rank]]))

    def subset(self, rows: np.ndarray) -> Given:
        """The same columns on some of the rows, (n,) True or False."""
        return self if rows.all() else Given._from_columns(self.table.rows(rows), self.columns[:, rows])

    def column_residuals(self, columns: np.ndarray) -> np.ndarray:
        """(p, n) residuals of columns (p, n) on the given columns and a constant, 0 for a linear combination of these."""
        left = columns - (columns @ self.basis) @ self.basis.T
        whole = np.linalg.norm(columns - columns.mean(axis=1, keepdims=True), axis=1)
        left[np.linalg.norm(left, axis=1) <= _MIN_RESIDUAL * whole] = 0
        return left

    def table_residuals(self, table: FeatureTable) -> FeatureTable:
        """The same features, with residuals of numbers on the given columns, in recorded rows."""
        values = np.array(table.values, dtype=float)
        numbers = np.flatnonzero(~np.asarray(table.categorical, dtype=bool))
        for pattern, members in columns_by_gaps(values[:, numbers]):
            recorded = np.zeros(table.n_rows, dtype=bool)
            recorded[pattern] = True
            columns = np.ix_(pattern, numbers[members])
            values[columns] = self.subset(recorded).column_residuals(values[columns].T).T
        return FeatureTable(values, table.categorical, table.features, table.drawn)

    @property
    def strata(self) -> np.ndarray:
        """(n,) number of the combination of the given categories of each row."""
        categories = np.asarray(self.table.values)[:, np.asarray(self.table.categorical, dtype=bool)]
        return np.unique(categories, axis=0, return_inverse=True)[1].ravel()


def adjusted_columns(columns: np.ndarray, given: Given | None, free: float = 1.0) -> np.ndarray:
    """(n, p + q) standardised columns (n, p) beyond the given ones, scaled to a standard deviation of 1, and then these.

    free: the factor of the given columns, large for models that penalise. Without given columns the same columns.
    """
    if given is None:
        return columns
    left = given.column_residuals(columns.T)
    spread = left.std(axis=1, keepdims=True)
    return np.hstack([(left / np.where(spread > 0, spread, 1)).T, free * given.columns.T])


def distinct_rows(
    table: FeatureTable, given: Given | None, codes: np.ndarray
) -> tuple[FeatureTable, Given | None, np.ndarray, np.ndarray]:
    """Table and given columns without copies of a row within a class, the classes (m,), and the number of copies (m,)."""
    d = table.n_features
    rows, codes, times = table.beside(None if given is None else given.table).distinct(codes)
    if given is None:
        return rows, None, codes, times
    return rows.columns(range(d)), Given.from_table(rows.columns(range(d, rows.n_features))), codes, times


def feature_statistics(
    table: FeatureTable, of_numbers: Callable[[np.ndarray, np.ndarray], np.ndarray], of_category: Callable[[np.ndarray], float]
) -> np.ndarray:
    """(d,) a statistic of each feature of a table.

    of_numbers: (m,) from columns (m, n') and the rows (n,) True or False where they are recorded. A category of two levels
    (missing is one) is a column 0/1, standardised. of_category: of the contrasts (L − 1, n) of three or more levels.
    """
    values = np.asarray(table.values)
    categorical, gaps = np.asarray(table.categorical, dtype=bool), np.asarray(table.extremes[2])
    worth, every = np.zeros(table.n_features), np.ones(table.n_rows, dtype=bool)
    if len(whole := np.flatnonzero(~categorical & ~gaps)):
        worth[whole] = of_numbers(np.ascontiguousarray(values[:, whole].T), every)
    some = np.flatnonzero(~categorical & gaps & ~np.isnan(table.extremes[0]))
    for pattern, members in columns_by_gaps(values[:, some]):
        recorded = np.zeros(table.n_rows, dtype=bool)
        recorded[pattern] = True
        worth[some[members]] = of_numbers(np.ascontiguousarray(values[np.ix_(pattern, some[members])].T), recorded)
    for f in np.flatnonzero(categorical):
        columns = Design.of(table.columns([int(f)]), contrasts=True)[1].T
        if len(columns) == 1:
            worth[f] = of_numbers(columns, every)[0]
        elif len(columns):
            worth[f] = of_category(columns)
    return worth
