"""Entries of sparse matrices kept and replaced, against dense arithmetic."""

import numpy as np
import pytest
from scipy.sparse import csr_array

from stabcore.relation.relation import Relation, only, replaced


def sparse(rng, d=7):
    A = rng.integers(1, 5, (d, d)) * (rng.random((d, d)) < 0.4)
    A[[0, d - 1]] = 0               # empty rows at both ends
    return A.astype(float), csr_array(A.astype(float))


@pytest.mark.parametrize("seed", range(6))
def test_some_entries_are_kept_with_other_values(seed):
    dense, matrix = sparse(np.random.default_rng(seed))
    keep = matrix.data > seed
    found = only(matrix, keep, matrix.data[keep] * 10)
    assert np.array_equal(found.toarray(), np.where(dense > seed, dense * 10, 0)) and found.nnz == keep.sum()


def test_of_an_empty_matrix_nothing_is_kept():
    assert only(csr_array((3, 3)), np.zeros(0, dtype=bool), np.zeros(0)).nnz == 0


@pytest.mark.parametrize("seed", range(6))
def test_single_places_get_other_values_and_zeros_are_not_stored(seed):
    rng = np.random.default_rng(seed)
    dense, matrix = sparse(rng)
    place = rng.choice(49, 12, replace=False)
    i, j, values = place // 7, place % 7, rng.choice([0.0, 0.25, -1.0], 12)
    found = replaced(matrix, i, j, values)
    dense[i, j] = values
    assert np.array_equal(found.toarray(), dense) and found.nnz == np.count_nonzero(dense)
    assert np.array_equal(matrix.toarray(), sparse(np.random.default_rng(seed))[0])        # what there was stays as it was


def test_what_became_of_a_matrix_can_be_put_in_order_without_touching_it():
    """Where nothing new is stored the places are shared: putting one in order must not leave the other's values behind."""
    matrix = csr_array((np.array([1.0, 2, 3]), np.array([2, 0, 1]), np.array([0, 3, 3, 3])), shape=(3, 3))
    dense = matrix.toarray()
    made = replaced(matrix, np.array([0]), np.array([2]), np.array([9.0]))
    made.sum_duplicates()
    assert made.toarray()[0].tolist() == [2, 3, 9] and np.array_equal(matrix.toarray(), dense)


def test_what_thresholds_share_cannot_be_changed():
    C = np.array([[1, 0.5, 0.9], [0.5, 1, 0], [0.9, 0, 1]])
    relation = Relation.from_matrix(C)
    cut, all_pairs = relation.thresholded(0.8, binary=True), relation.thresholded(0.2, binary=True)
    assert cut.block(range(3)).tolist() == [[1, 0, 1], [0, 1, 0], [1, 0, 1]] and all_pairs.extra.data.tolist() == [1, 1, 1, 1]
    assert np.shares_memory(cut.extra.data, all_pairs.extra.data)
    with pytest.raises(ValueError, match="read-only"):
        cut.extra.data[0] = 2
    assert np.array_equal(relation.block(range(3)), C)
