"""Fronts against the definition, point by point, with ties, duplicates and gaps."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import stabcore as sc

points = arrays(float, st.tuples(st.integers(0, 9), st.integers(1, 3)), elements=st.sampled_from([0.0, 0.25, 1.0, -1.0, np.nan]))


def dominates(a, b):
    """a is at least as good as b in everything and better in something; gaps dominate nothing and nobody."""
    return not np.isnan([*a, *b]).any() and all(x >= y for x, y in zip(a, b)) and any(x > y for x, y in zip(a, b))


@settings(max_examples=200, deadline=None)
@given(points)
def test_fronts_equal_the_definition(values):
    names = list("abc")[:values.shape[1]]
    found = sc.front(pd.DataFrame(values, columns=names), names)
    for i, row in enumerate(values):
        beaten_by = sum(dominates(other, row) for other in values)
        if np.isnan(row).any():
            assert np.isnan(found["beaten_by"][i]) and not found["on_front"][i]
        else:
            assert found["beaten_by"][i] == beaten_by and found["on_front"][i] == (beaten_by == 0)


def test_duplicates_stay_together_and_ties_in_one_criterion_are_decided_by_the_other():
    table = pd.DataFrame({"accuracy": [0.9, 0.9, 0.9, 0.8, 0.7, np.nan], "stability": [0.5, 0.5, 0.4, 0.6, 0.6, 1.0]},
                         index=["a", "a again", "tie", "b", "tie b", "unknown"])
    found = sc.front(table)
    assert found["on_front"].tolist() == [True, True, False, True, False, False]
    assert found["beaten_by"].tolist()[:5] == [0, 0, 2, 0, 1] and np.isnan(found["beaten_by"]["unknown"])
    assert list(found.index) == list(table.index) and list(table) == ["accuracy", "stability"]       # the input is left alone


def test_rows_with_the_same_index_are_different_points():
    table = pd.DataFrame({"accuracy": [0.9, 0.1], "stability": [0.9, 0.1]}, index=[7, 7])
    assert sc.front(table)["on_front"].tolist() == [True, False]


def test_infinity_is_the_best_and_the_worst():
    assert sc.front(pd.DataFrame({"x": [np.inf, 1, -np.inf]}), ["x"])["beaten_by"].tolist() == [0, 1, 2]


@pytest.mark.parametrize("columns, criteria, said", [
    (["accuracy", "size"], ("accuracy", "stability"), "no column 'stability'; they have 'accuracy', 'size'"),
    ([0, 1], ("x",), "no column 'x'; they have '0', '1'"),
    (["accuracy"], (), "at least one criterion"),
])
def test_missing_criteria_get_a_sentence(columns, criteria, said):
    with pytest.raises(sc.InputError, match=said):
        sc.front(pd.DataFrame(np.zeros((2, len(columns))), columns=columns), criteria)
