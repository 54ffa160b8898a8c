"""Rows that are copies of others, so that two halves of the rows share information."""

from __future__ import annotations

import numpy as np

from stabcore.base.text import several

FEW_VALUES = 10  # columns with so few different numbers tell rows apart too badly
RARELY = 0.01  # pairs of rows that may be the same by themselves where this is taken for copies


def copied_rows(values, measured, patients=None) -> int:
    """How many of n rows say in every column what another row says; 0 where that is nothing special for such columns.

    values: (n, d) floats, NaN missing; measured: (d,) which columns are numbers. patients: (n,) of who a row is; copies of one
    patient do not count. Nothing special: were the columns with many numbers independent, and of the values of the rows that
    differ, more than RARELY pairs of rows would be the same in them; or there is but one such column.
    """
    table = np.where(np.isnan(values), np.nan, values + 0.0)  # one way to be missing, one zero
    n, d = table.shape
    if n < 2 or d == 0:
        return 0
    _, first, row = np.unique(np.ascontiguousarray(table).view(f"V{8 * d}").ravel(), return_index=True, return_inverse=True)
    different = len(first)
    apart = n if patients is None else len({*zip(row.tolist(), np.asarray(patients).tolist(), strict=True)})
    if apart == different:
        return 0
    counts = [np.unique(column, return_counts=True)[1] for column in table[first][:, np.asarray(measured, dtype=bool)].T]
    same = [(often * (often - 1)).sum() / (different * max(different - 1, 1)) for often in counts if len(often) > FEW_VALUES]
    return apart - different if len(same) > 1 and np.prod(same) * n * (n - 1) / 2 < RARELY else 0


def sentence_copied(copies, by_patient) -> str:
    """The sentence about copies of rows; by_patient: whether rows of one patient are known."""
    of = "rows of other patients" if by_patient else "other rows"
    return (
        f"{several(copies, 'row')} copied from {of}, feature by feature. Selections then agree and predict well even without any "
        "signal"
    )
