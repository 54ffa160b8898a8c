"""Rows that are copies of others, so that two halves of the rows share information."""

import numpy as np

from stabcore.base.text import several

FEW_VALUES = 10  # largest number of different values that is too few to identify rows
RARELY = 0.01  # largest expected number of pairs of rows that are equal by chance


def copied_rows(values, measured, patients=None) -> int:
    """Number of rows that equal another row in every column, 0 if equal rows are likely by chance.

    values: (n, d) floats, NaN missing. measured: (d,) which columns are numbers. patients: (n,) the patient of each row. Copies
    within a patient do not count. Equal rows are likely by chance if more than RARELY pairs are expected in the columns with
    many numbers, assuming independent columns, or if there is only one such column.
    """
    table = np.where(np.isnan(values), np.nan, values + 0.0)  # a single NaN and a single zero
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
    """The sentence about copies of rows. by_patient: whether the patients are known."""
    of = "rows of other patients" if by_patient else "other rows"
    return (
        f"{several(copies, 'row')} copied from {of}, feature by feature. Selections then agree and predict well even without signal"
    )
