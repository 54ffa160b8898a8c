"""ReliefF: against plain loops and skrebate, ties, missing values and small classes."""

import math
import statistics

import numpy as np
import pytest
from support import stored_reference

from stabcore.data.feature_table import FeatureTable
from stabcore.selectors.catalog import selector


def mean(values):
    values = list(values)
    return math.fsum(values) / len(values)


def difference(column, categorical, a, b):
    """Difference of rows a and b in one feature, by definition. column: a list, with None for missing values."""
    recorded = [v for v in column if v is not None]
    width = max(recorded) - min(recorded)

    def apart(first, second):
        return float(first != second) if categorical else abs(first - second) / width

    if column[a] is None and column[b] is None:
        return mean(apart(first, second) for first in recorded for second in recorded)
    if column[a] is None or column[b] is None:
        present = column[b] if column[a] is None else column[a]
        return mean(apart(present, other) for other in recorded)
    return apart(column[a], column[b])


def textbook(columns, categorical, y, neighbours, times=None):
    """ReliefF (Kononenko) in plain loops. Every row is a probe, and ties in distance take the earlier row.

    A category whose differences vary more than those of numbers on average is scaled down to that average.

    times: copies of each row, each of which is a probe and counts among neighbours.
    """
    d = len(columns)
    times = times or [1] * len(y)
    diff = [
        [[difference(column, kind, a, b) for column, kind in zip(columns, categorical, strict=True)] for b in range(len(y))]
        for a in range(len(y))
    ]
    n = sum(times)
    share = {c: sum(row_times for row_times, label in zip(times, y, strict=True) if label == c) / n for c in set(y)}
    weights, compared = [0.0] * d, set()
    for probe in range(len(y)):
        for c in set(y):
            others = [row for row in range(len(y)) if row != probe and y[row] == c]
            near = sorted(others, key=lambda row: (round(math.fsum(diff[probe][row]), 9), row))[:neighbours]
            if not near:
                continue
            compared |= {(min(probe, row), max(probe, row)) for row in near}
            factor = -1 if c == y[probe] else share[c] / (1 - share[y[probe]])
            for f in range(d):
                weights[f] += factor * times[probe] / n * mean(diff[probe][row][f] for row in near for _ in range(times[row]))
    spread = [statistics.pstdev(diff[a][b][f] for a, b in compared) for f in range(d)]
    numbers = [sd for sd, kind in zip(spread, categorical, strict=True) if not kind]
    return [weight * min(mean(numbers) / sd, 1) if kind else weight for weight, sd, kind in zip(weights, spread, categorical)]


def as_lists(values):
    return [[None if np.isnan(v) else float(v) for v in column] for column in values.T]


def mixed(n, classes, gaps, decimals, random_state=0):
    """Four numbers and three categories. Few decimals make equal distances."""
    rng = np.random.default_rng(random_state)
    y = rng.permutation(np.minimum(np.arange(n) % (classes + 1), classes - 1))  # the last class is twice as large
    values = np.round(np.hstack([rng.normal(size=(n, 4)) + y[:, None], rng.integers(0, 4, (n, 3)) + 0.0]), decimals)
    values[:, 6] = np.where(rng.random(n) < 0.7, y, values[:, 6])
    values[:, [0, 2, 5, 6]] = np.where(rng.random((n, 4)) < gaps, np.nan, values[:, [0, 2, 5, 6]])
    return FeatureTable(values, np.arange(7) > 3, tuple("abcdefg")), y


@pytest.mark.parametrize("decimals", [0, 12])
@pytest.mark.parametrize("gaps", [0, 0.3])
@pytest.mark.parametrize(("classes", "neighbours"), [(2, 1), (3, 3), (4, 10)])
def test_relieff_matches_plain_loops(neighbours, classes, gaps, decimals):
    table, y = mixed(35, classes, gaps, decimals)
    fitted = selector("relieff", neighbours=neighbours).fit(table, y, rng=0)
    expected = textbook(as_lists(table.values), table.categorical, y.tolist(), neighbours)
    np.testing.assert_allclose(fitted.scores_, expected, atol=1e-12)
    np.testing.assert_array_equal(fitted.importances_, np.maximum(fitted.scores_, 0))


@pytest.mark.parametrize("neighbours", [1, 10])
def test_relieff_agrees_with_skrebate(neighbours):
    from sklearn.datasets import load_breast_cancer

    X, y = load_breast_cancer(return_X_y=True)
    fitted = selector("relieff", neighbours=neighbours).fit(X[::4], y[::4], rng=0)
    np.testing.assert_allclose(fitted.scores_, stored_reference("relieff.json")["weights"][str(neighbours)], rtol=0, atol=1e-12)


@pytest.mark.parametrize("gaps", [0, 0.3])
def test_equal_features_have_equal_scores_in_any_order(gaps):
    table, y = mixed(50, 2, gaps, 0)
    doubled = table.columns([0, 4, 1, 2, 0, 3, 5, 6, 4])
    scores = selector("relieff").fit(doubled, y, rng=0).scores_
    assert scores[0] == scores[4]
    assert scores[1] == scores[8]
    for seed in range(5):  # rounded values make equal distances, which must stay equal in any order of summation
        order = np.random.default_rng(seed).permutation(9)
        moved = selector("relieff").fit(doubled.columns(order), y, rng=0).scores_
        np.testing.assert_allclose(moved, scores[order], atol=1e-13)


@pytest.mark.parametrize(("neighbours", "classes", "gaps"), [(1, 2, 0), (3, 3, 0.3)])
def test_copies_of_a_row_count_as_one_with_weight(neighbours, classes, gaps):
    table, y = mixed(40, classes, gaps, 12)
    drawn = np.sort(np.random.default_rng(1).integers(0, 40, 40))
    rows, times = np.unique(drawn, return_counts=True)
    expected = textbook(as_lists(table.values[rows]), table.categorical, y[rows].tolist(), neighbours, times.tolist())
    sample = table.rows(drawn)
    for form in (sample, FeatureTable(sample.values, sample.categorical, sample.features)):  # copies by the table, and by hand
        fitted = selector("relieff", neighbours=neighbours).fit(form, y[drawn], rng=0)
        np.testing.assert_allclose(fitted.scores_, expected, atol=1e-12)


def test_a_small_class_gives_fewer_neighbours():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(14, 3)), [0] * 11 + [1] * 2 + [2]  # the only row of class 2 has no neighbour of its own class
    fitted = selector("relieff").fit(X, y, rng=0)
    np.testing.assert_allclose(fitted.scores_, textbook(as_lists(X), [False] * 3, y, 10), atol=1e-12)
    assert selector("relieff", neighbours=1).fit(X[:13], y[:13], rng=0).warnings_ == []
