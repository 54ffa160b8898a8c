"""Products z C wᵀ of sparse selections: the sum of what the diagonal, the groups and the rest of C add to it."""

from __future__ import annotations

import numpy as np


def self_products(relation, Z, W):
    """(M,) z C wᵀ of the rows of two sparse (M, d) matrices, pair by pair; densely where C is small and full."""
    if relation.dense is not None:
        at = W.tocoo()
        return np.bincount(at.row, (Z @ relation.dense)[at.row, at.col] * at.data, minlength=W.shape[0])
    amount = Z.multiply(W).sum(axis=1)
    if relation.labels is not None:
        grouped = np.flatnonzero(relation.labels >= 0)
        amount = amount + (Z @ relation.membership).multiply(W @ relation.membership).sum(axis=1)
        amount = amount - Z[:, grouped].multiply(W[:, grouped]).sum(axis=1)
    if relation.extra is not None:
        amount = amount + (Z @ relation.extra).multiply(W).sum(axis=1)
    return np.asarray(amount, dtype=float).ravel()


def cross_products(relation, Z):
    """(M, M) z_i C z_jᵀ of the rows of a sparse (M, d) matrix."""
    result = (Z @ Z.T).toarray()
    if relation.labels is not None:
        per_group = Z @ relation.membership
        inside = Z[:, np.flatnonzero(relation.labels >= 0)]
        result = result + (per_group @ per_group.T).toarray() - (inside @ inside.T).toarray()
    return result if relation.extra is None else result + (Z @ relation.extra @ Z.T).toarray()
