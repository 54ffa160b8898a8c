"""Correlations in blocks against scipy and a slow version, with missing values, constants and categories."""

from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.stats import kendalltau, pearsonr, rankdata, spearmanr
from snapshot_support import check_refusals

import stabcore as sc
from stabcore.similarity import correlation
from stabcore.similarity.correlation import Correlations, correlated_features, correlated_pairs

METHODS = tuple(correlation.METHODS)


def dense(X, method="spearman", threshold=0.0):
    found, _ = correlated_pairs(X, method=method, threshold=threshold)
    assert (found != found.T).nnz == 0 and not found.diagonal().any() and (found.data > 0).all()
    return found.toarray()


def slow(X, method):
    """|ρ| of each pair over the rows where both are known. Spearman ranks each feature once among its known values."""
    values = np.array(X, dtype=float)
    if method == "spearman":
        for column in values.T:
            column[~np.isnan(column)] = rankdata(column[~np.isnan(column)])
    found = np.zeros((values.shape[1],) * 2)
    for i, j in combinations(range(values.shape[1]), 2):
        both = ~np.isnan(values[:, i]) & ~np.isnan(values[:, j])
        a, b = values[both, i], values[both, j]
        if both.sum() >= 3 and np.ptp(a) > 0 and np.ptp(b) > 0:
            found[i, j] = found[j, i] = abs((kendalltau if method == "kendall" else pearsonr)(a, b)[0])
    return found


def data(n=40, d=8, random_state=0):
    rng = np.random.default_rng(random_state)
    return rng.normal(size=(n, 2)) @ rng.normal(size=(2, d)) + rng.normal(size=(n, d))


@settings(max_examples=100, deadline=None)
@given(
    arrays(float, st.tuples(st.integers(3, 8), st.integers(1, 5)), elements=st.sampled_from([0.0, 1, 2, 3, np.nan])),
    st.sampled_from(METHODS),
    st.sampled_from([0.0, 0.3, 0.5, 1.0]),
)
def test_any_small_table_equals_the_slow_version(X, method, threshold):
    expected = slow(X, method)
    rounded = np.round(expected, 12)
    assert dense(X, method, threshold) == pytest.approx(np.where(rounded >= threshold, rounded, 0), abs=1e-7)


def test_subsets_of_features_and_blocks_hold_every_pair_once(monkeypatch):
    X, index = data(d=11, random_state=9), np.array([7, 2, 9, 4, 0])
    for method in METHODS:
        whole, every = dense(X, method), Correlations.of(X, method)
        assert dense(X[:, index], method) == pytest.approx(whole[np.ix_(index, index)], abs=1e-11)
        assert every.block([3], [1, 5]) == pytest.approx(whole[[3]][:, [1, 5]], abs=1e-11)
        for size in (1, 2, 512):
            monkeypatch.setattr(correlation, "BLOCK", size)
            found = np.zeros((5, 5))
            for rows, columns, rho in every.blocks(index):
                found[np.ix_(rows, columns)] += np.where(rho >= 0, rho, 0)
                assert ((rho == -1) == (columns[None, :] <= rows[:, None])).all()
            assert found == pytest.approx(np.triu(whole[np.ix_(index, index)], 1), abs=1e-11)


def test_correlated_features_are_those_with_a_pair(monkeypatch):
    monkeypatch.setattr(correlation, "BLOCK", 3)
    X = np.random.default_rng(0).normal(size=(30, 20))
    X[:, 7] += 2 * X[:, 3]
    pairs, _ = correlated_pairs(X, threshold=0.5)
    assert correlated_features(X, 0.5).tolist() == (pairs.sum(axis=1) > 0).tolist() and correlated_features(X, 0.5)[[3, 7]].all()


def test_equal_correlations_are_exactly_equal():
    rng = np.random.default_rng(3)
    X = rng.permuted(np.tile(np.arange(5.0), (60, 1)), axis=1).T
    found = dense(X)
    possible = {round(abs(1 - 6 * s / 120), 12) for s in range(0, 41, 2)}
    assert set(np.unique(found)) <= possible
    for threshold in (0.1, 0.3, 0.6, 0.7, 0.9):
        assert sc.Similarity.from_correlation(X, threshold=threshold).n_related == np.count_nonzero(np.triu(found) >= threshold)


def test_binary_by_value_and_zero():
    X = data(d=5, random_state=4)
    X[:, 4] = 1
    by_value = sc.Similarity.from_correlation(X, threshold=0.4, binary=False).block(range(5))
    fully = sc.Similarity.from_correlation(X, threshold=0.4).block(range(5))
    assert ((by_value >= 0.4) == (fully == 1)).all() and 0 < by_value[by_value < 1].max() < 1
    everything = sc.Similarity.from_correlation(X, threshold=0.0).block(range(5))
    assert everything.tolist() == [[1] * 4 + [0]] * 4 + [[0] * 4 + [1]]  # constants correlate with nothing


@pytest.mark.parametrize("method", METHODS)
def test_constants_are_recognised_despite_rounding(method):
    X = data(41, 2)
    for value in (0.1, 1 / 3, 1e9 + 0.1, 7e-5, -0.7):
        constant = np.column_stack([np.full(41, value), X])
        assert not dense(constant, method)[0].any()
        constant[::2, 2] = np.nan
        constant[1::4, 0] = value + 1  # constant only in the rows where the last column is known
        constant[constant[:, 0] != value, 2] = np.nan
        constant[40, 2] = 5.0
        assert dense(constant, method)[0, 2] == 0 < dense(constant, method)[0, 1]


@pytest.mark.parametrize("unit", [1e-200, 1e-15, 1.0, 1e9, 1e200])
def test_the_unit_does_not_matter(unit):
    X = data(d=3, random_state=6)
    gaps = np.where(np.random.default_rng(6).random(X.shape) < 0.1, np.nan, X)
    for table in (X, gaps):
        for method in METHODS:
            assert dense(table * [unit, 1, 1], method) == pytest.approx(dense(table, method), abs=1e-9)
    assert dense(X + 1e6, "pearson") == pytest.approx(dense(X, "pearson"), abs=1e-8)


def test_only_categories_of_two_levels_correlate():
    rng = np.random.default_rng(7)
    sex = rng.integers(0, 2, 60)
    frame = pd.DataFrame({"x": sex + rng.normal(0, 0.5, 60), "sex": np.where(sex, "m", "f"), "flag": sex > 0})
    frame["stage"] = rng.choice(["i", "ii", "iii"], 60)
    frame.loc[3, "sex"] = None
    found, names = correlated_pairs(frame, threshold=0)
    found = found.toarray()
    assert names == ("x", "sex", "flag", "stage")
    assert found[1, 2] == 1 and found[0, 2] == pytest.approx(abs(spearmanr(frame["x"], sex).statistic))
    assert not found[3].any() and not found[:, 3].any()


def test_too_many_pairs_for_memory_are_refused(monkeypatch):
    X = data(d=9)
    related = sc.Similarity.from_correlation(X, threshold=0.1).n_related
    monkeypatch.setattr(correlation, "BLOCK", 2)
    monkeypatch.setattr(correlation, "MAX_PAIRS", related)
    assert sc.Similarity.from_correlation(X, threshold=0.1).n_related == related
    monkeypatch.setattr(correlation, "MAX_PAIRS", related - 1)
    with pytest.raises(sc.InputError):
        sc.Similarity.from_correlation(X, threshold=0.1)


def test_wrong_questions_get_sentences():
    cases = [
        lambda: correlated_pairs(data(), method="kendal"),
        lambda: correlated_pairs(np.zeros((2000, 2000)), method="kendall"),
        lambda: correlated_pairs(np.zeros((5, 0))),
        lambda: correlated_pairs(np.zeros(5)),
        lambda: correlated_pairs(np.array([[1, 2], [np.inf, 3], [2, 5]])),
        lambda: sc.Similarity.from_correlation(data(), threshold=1.01, binary=False),
        lambda: sc.Similarity.from_correlation(data(), threshold=-0.01),
        lambda: sc.Similarity.from_correlation(data(), names=["a"]),
    ]
    check_refusals("similarity/wrong_correlations", lambda make: make(), cases)
