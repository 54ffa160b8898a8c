"""Copies of rows in resampled tables."""

import numpy as np
import pandas as pd

from stabcore.data.feature_table import as_table


def test_rows_drawn_twice_are_copies_after_every_resampling():
    table = as_table(np.arange(12.0).reshape(6, 2))
    drawn = table.rows([3, 0, 3, 5])
    assert drawn.originals.tolist() == [3, 0, 3, 5]
    assert drawn.columns([1]).originals.tolist() == [3, 0, 3, 5]
    assert drawn.rows([2, 0, 1]).originals.tolist() == [3, 3, 0]


def test_equal_rows_are_copies_only_without_a_patient_column():
    X = np.array([[1, np.nan], [1, 2], [1, np.nan], [2, 2]])
    assert as_table(X).originals.tolist() == [0, 1, 0, 2]
    assert as_table(pd.DataFrame(X)).originals.tolist() == [0, 1, 0, 2]
    assert as_table(X).rows(np.arange(4)).originals.tolist() == [0, 1, 2, 3]


def test_copies_in_bootstraps_are_recognised():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 2))
    for _ in range(200):
        drawn = rng.integers(0, 200, 200)
        assert len(set(as_table(X[drawn]).originals)) == len(set(drawn))


def test_distinct_rows_are_ordered_and_counted():
    table, y = as_table(np.arange(8.0).reshape(4, 2)).rows([2, 0, 2, 1, 0, 2]), np.array([1, 0, 1, 1, 0, 0])
    rows, codes, times = table.distinct(y)
    assert rows.values[:, 0].tolist() == [4, 0, 2, 4]  # the last copy has another class
    assert codes.tolist() == [1, 0, 1, 0] and times.tolist() == [2, 2, 1, 1]
    same, codes, times = rows.rows([0, 1, 2]).distinct(y[:3])
    assert same.values.tolist() == [[4, 5], [0, 1], [2, 3]] and times.tolist() == [1, 1, 1]
    assert table.rows([0, 1]).distinct(y[:2])[0].n_rows == 2
