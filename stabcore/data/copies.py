"""Rows that are copies of others: what one half of the rows teaches, the other half then holds again."""

from __future__ import annotations

import numpy as np

FEW_VALUES = 10     # columns with so few different numbers tell rows apart too badly
RARELY = 0.01       # pairs of rows that may be the same by themselves where this is taken for copies


def copied_rows(columns, patients=None) -> int:
    """How many of n rows say in every column what another row says; 0 where that is nothing special for such columns.

    columns: values (n,) floats each, NaN missing, as of Column. patients: (n,) of who a row is; copies of one patient do not count.
    Nothing special: were the columns with many numbers independent, more than RARELY pairs of rows would be the same in them.
    """
    if not columns:
        return 0
    table = np.column_stack([np.where(np.isnan(column.values), np.nan, column.values + 0.0) for column in columns])
    _, row = np.unique(np.ascontiguousarray(table).view(f"V{table.dtype.itemsize * table.shape[1]}").ravel(), return_inverse=True)
    n, different = len(row), int(row.max(initial=-1)) + 1
    apart = n if patients is None else len({*zip(row.tolist(), np.asarray(patients).tolist(), strict=True)})
    if apart == different:
        return 0
    same = [_same_pairs(column.values) for column in columns if column.kind == "number" and column.distinct > FEW_VALUES]
    return apart - different if same and np.prod(same) * n * (n - 1) / 2 < RARELY else 0


def _same_pairs(values):
    """The share of pairs of rows that say the same."""
    counts = np.unique(values, return_counts=True, equal_nan=True)[1]
    return float((counts * (counts - 1)).sum()) / (len(values) * (len(values) - 1))
