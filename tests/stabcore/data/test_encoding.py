"""Bins, standardised columns and copies of rows, against loops, and learned from the given rows only."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from stabcore.data.encoding import Design, discretise
from stabcore.data.feature_table import FeatureTable, as_table


def mixed(n=40, random_state=0):
    """A number with gaps, a whole number of three values, a category with gaps, a constant, an empty column."""
    rng = np.random.default_rng(random_state)
    numbers = rng.normal(size=n)
    numbers[::7] = np.nan
    category = np.array(["low", "mid", "high"], dtype=object)[rng.integers(0, 3, n)]
    category[3] = None
    visits = rng.integers(1, 4, n) * 10
    return pd.DataFrame({"number": numbers, "visits": visits, "stage": pd.Categorical(category), "constant": 0.1, "empty": np.nan})


def binned_by_hand(column, bins, categorical):
    """Codes of one column, from the definition."""
    distinct = sorted({x for x in column if not np.isnan(x)})
    if categorical or len(distinct) <= bins:
        codes, size = [distinct.index(x) if not np.isnan(x) else None for x in column], len(distinct)
    else:
        low, high = distinct[0], distinct[-1]
        codes = [min(int((x - low) / (high - low) * bins), bins - 1) if not np.isnan(x) else None for x in column]
        size = bins
    return [size if code is None else code for code in codes], size + (None in codes)


@pytest.mark.parametrize("bins", [2, 5, 9])
def test_bins_follow_the_definition_column_by_column(bins):
    table = as_table(mixed())
    codes, sizes = discretise(table, bins)
    for f in range(table.n_features):
        assert (codes[:, f].tolist(), sizes[f]) == binned_by_hand(table.values[:, f], bins, table.categorical[f])


@pytest.mark.parametrize("bins", [2, 5])
@pytest.mark.parametrize("filled", [0.0, np.nan], ids=["all", "a column with gaps"])
def test_whole_numbers_are_binned_as_any_others(bins, filled):
    rng = np.random.default_rng(0)
    few = [0, 1, 2], [0, 7, 31], [0, 7, 32], [-1, 0, 1], [0, 0.5, 1], [300, 301], [4]
    values = np.column_stack([*(rng.choice(some, 40) for some in few), rng.poisson(9, 40), np.full(40, filled)])
    codes, sizes = discretise(as_table(values), bins)
    for f in range(values.shape[1]):
        assert (codes[:, f].tolist(), sizes[f]) == binned_by_hand(values[:, f], bins, False)


_CELLS = st.one_of(st.just(float("nan")), st.integers(-3, 3).map(float), st.floats(allow_nan=False, allow_infinity=False))


@settings(max_examples=30, deadline=None)
@given(arrays(float, st.tuples(st.integers(1, 30), st.integers(1, 4)), elements=_CELLS), st.integers(2, 7))
def test_any_numbers_can_be_binned(values, bins):
    codes, sizes = discretise(as_table(values), bins)
    assert (codes >= 0).all() and (codes < sizes).all()
    missing = np.isnan(values)
    for f in range(values.shape[1]):
        order = np.argsort(values[~missing[:, f], f])
        assert (np.diff(codes[~missing[:, f], f][order].astype(int)) >= 0).all()  # a larger value is never in a lower bin
        assert (codes[missing[:, f], f] == sizes[f] - 1).all()


def test_known_design_columns():
    table = as_table(mixed())
    design = Design.learn(table)
    columns = design.transform(table)
    # number, visits, gaps of number, then stage: high, low, mid, missing. Constant and empty columns are left out.
    assert design.feature.tolist() == [0, 1, 0, 2, 2, 2, 2]
    number, visits, stage = table.values[:, :3].T
    filled = np.where(np.isnan(number), np.nanmedian(number), number)
    raw = [filled, visits, np.isnan(number), *(stage == level for level in range(3)), np.isnan(stage)]
    expected = np.column_stack([(np.asarray(x, float) - np.mean(x)) / np.std(x) for x in raw])
    np.testing.assert_allclose(columns, expected, atol=1e-12)


def test_the_design_does_not_depend_on_held_out_rows():
    frame = mixed(60)
    learning, held_out = as_table(frame).rows(np.arange(40)), as_table(frame).rows(np.arange(40, 60))
    strange = FeatureTable(held_out.values * 1000 + 7, held_out.categorical, held_out.features)
    before = Design.learn(learning).transform(learning)
    design = Design.learn(learning)
    design.transform(strange)
    assert np.array_equal(design.transform(learning), before)
    one_by_one = np.vstack([design.transform(held_out.rows([i])) for i in range(20)])
    assert np.array_equal(design.transform(held_out), one_by_one)


def test_an_unknown_level_is_zero_in_every_column():
    learning = FeatureTable(np.array([[0.0], [1.0], [0.0], [1.0]]), np.array([True]), ("arm",))
    design = Design.learn(learning)
    new = design.transform(FeatureTable(np.array([[2.0], [np.nan]]), np.array([True]), ("arm",)))
    np.testing.assert_array_equal(new, [[-1.0, -1.0], [-1.0, -1.0]])  # a standardised 0: (0 − 0.5)/0.5


def test_contrasts_are_uncorrelated_and_keep_the_levels():
    table = as_table(mixed(60))
    design, columns = Design.of(table, contrasts=True)
    assert design.feature.tolist() == [0, 1, 0, 2, 2, 2]  # one column fewer than three levels and missing
    stage = columns[:, 3:]
    np.testing.assert_allclose(stage.T @ stage / 60, np.eye(3), atol=1e-12)
    plain, codes = Design.learn(table).transform(table), table.values[:, 2]
    assert np.linalg.matrix_rank(np.hstack([plain[:, 3:], stage]), tol=1e-9) == 3
    np.testing.assert_array_equal(columns[:, :3], plain[:, :3])
    np.testing.assert_array_equal(design.transform(table), columns)
    by_hand = np.where(codes == 0, -np.mean(codes == 1) / np.mean(codes == 0), codes == 1)  # 0 of the third level and of gaps
    np.testing.assert_allclose(stage[:, 0], by_hand / by_hand.std(), atol=1e-12)


@settings(max_examples=30, deadline=None)
@given(arrays(float, st.tuples(st.integers(1, 12), st.integers(1, 4)), elements=_CELLS))
def test_columns_of_any_numbers_are_standardised(values):
    design = Design.learn(as_table(values))
    columns = design.transform(as_table(values))
    assert columns.shape == (len(values), len(design.feature))
    np.testing.assert_allclose(columns.mean(axis=0), 0, atol=1e-6)
    np.testing.assert_allclose(columns.std(axis=0), 1, atol=1e-6)


@settings(max_examples=30, deadline=None)
@given(arrays(float, st.tuples(st.integers(0, 9), st.integers(1, 4)), elements=_CELLS))
def test_extremes_and_gaps_are_those_of_the_recorded_values(values):
    low, high, gaps = as_table(values).extremes
    for column, least, most, gap in zip(values.T, low, high, gaps, strict=True):
        recorded = [x for x in column if x == x]
        assert gap == (len(recorded) < len(column))
        assert (least, most) == (min(recorded), max(recorded)) if recorded else np.isnan([least, most]).all()


def test_copies_of_rows_are_recognised_by_the_table_and_by_their_cells():
    table = as_table(np.arange(12.0).reshape(6, 2))
    drawn = table.rows([3, 0, 3, 5])
    assert drawn.originals.tolist() == [3, 0, 3, 5]
    assert drawn.columns([1]).originals.tolist() == [3, 0, 3, 5]
    assert drawn.rows([2, 0, 1]).originals.tolist() == [3, 3, 0]
    X = np.array([[1, np.nan], [1, 2], [1, np.nan], [2, 2]])
    assert as_table(X).originals.tolist() == [0, 1, 0, 2]
    assert as_table(pd.DataFrame(X)).originals.tolist() == [0, 1, 0, 2]
    assert as_table(X).rows(np.arange(4)).originals.tolist() == [0, 1, 2, 3]
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
