"""Seriation: columns that the same runs selected are neighbours."""

import numpy as np
import pytest

from stabcore.analysis.seriation import coselection_order


def test_columns_that_the_same_runs_selected_are_neighbours(monkeypatch):
    rng = np.random.default_rng(0)
    for limit in (3, 50):
        blocks = np.zeros((40, 12), dtype=bool)
        blocks[:20, :6], blocks[20:, 6:] = rng.random((20, 6)) < 0.9, rng.random((20, 6)) < 0.8
        mixed = rng.permutation(12)
        monkeypatch.setattr("stabcore.analysis.seriation.MAX_CLUSTERED", limit)
        order = coselection_order(blocks[:, mixed])
        assert sorted(order) == list(range(12))
        block = mixed[order] < 6
        assert np.count_nonzero(np.diff(block)) == 1 and block[0], "the block that is selected more often comes first"


@pytest.mark.parametrize(
    ("selected", "expected"),
    [
        *((np.ones((4, 5)), [0, 1, 2, 3, 4]), (np.zeros((4, 0)), []), (np.ones((4, 1)), [0]), (np.zeros((3, 4)), [0, 1, 2, 3])),
        ([[0, 1], [0, 1], [1, 1]], [1, 0]),
    ],
)
def test_an_order_of_few_or_equal_columns(selected, expected, monkeypatch):
    assert coselection_order(selected).tolist() == expected
    monkeypatch.setattr("stabcore.analysis.seriation.MAX_CLUSTERED", 2)
    assert coselection_order(selected).tolist() == expected
