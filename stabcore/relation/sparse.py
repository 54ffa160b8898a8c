"""Changes of a sparse matrix in one piece: of tens of millions of entries, every copy counts."""

from __future__ import annotations

import numpy as np

def only(matrix, keep, values):
    """Some of the stored entries of a sparse matrix, with other values. keep: a mark for each stored entry."""
    from scipy.sparse import csr_array

    stored = np.diff(matrix.indptr) > 0
    counts = np.zeros(len(matrix.indptr), dtype=matrix.indptr.dtype)
    if stored.any():
        counts[1:][stored] = np.add.reduceat(keep.view(np.int8), matrix.indptr[:-1][stored], dtype=counts.dtype)
    return csr_array((values, np.compress(keep, matrix.indices), np.cumsum(counts, dtype=counts.dtype)), shape=matrix.shape)


def replaced(matrix, i, j, values):
    """A sparse matrix with other values at some places; what is 0 there now is not stored.

    It may share its places with the matrix it came from, so these are put in order first: scipy sorts rows where they lie, and
    would leave the values of the other matrix behind.
    """
    from scipy.sparse import csr_array

    matrix = matrix if matrix.has_sorted_indices else matrix.sorted_indices()
    at = np.full(len(i), -1)
    for place, (row, column) in enumerate(zip(i, j, strict=True)):
        stored_at = np.flatnonzero(matrix.indices[matrix.indptr[row]:matrix.indptr[row + 1]] == column)
        if len(stored_at):
            at[place] = matrix.indptr[row] + stored_at[0]
    stored, data = at >= 0, matrix.data.copy()
    data[at[stored]] = values[stored]
    if (values[stored] == 0).any():
        keep = np.ones(len(data), dtype=bool)
        keep[at[stored & (values == 0)]] = False
        changed = only(matrix, keep, np.compress(keep, data))
    else:
        changed = csr_array((data, matrix.indices, matrix.indptr), shape=matrix.shape)
    new = ~stored & (values != 0)
    return changed + csr_array((values[new], (i[new], j[new])), shape=matrix.shape) if new.any() else changed
