"""Random survival forests and scikit-survival estimators: permutation scores against slow versions, and the library missing."""

from types import SimpleNamespace

import numpy as np
import pytest
from sklearn.base import BaseEstimator
from survival_support import simulated, slow_concordance

import stabcore as sc
from stabcore.base.errors import InputError
from stabcore.selectors.base import LIBRARY_MODULES
from stabcore.selectors.catalog import selector
from stabcore.selectors.estimator import as_selector, permuted_concordance_loss
from stabcore.selectors.survival_forest import permuted_losses

X, Y = simulated(np.random.default_rng(0), 150, 8, (1.0, -0.8))


def slow_falls(forest, columns, feature, y, originals, rng):
    """Decrease of concordance, tree by tree, feature by feature and row by row."""
    n = len(columns)
    kinds = sorted({int(feature[c]) for tree in forest.estimators_ for c in tree.tree_.feature if 0 <= c < len(feature)})
    risks = {f: [[] for _ in range(n)] for f in [None, *kinds]}
    for tree, inside in zip(forest.estimators_, forest.estimators_samples_, strict=True):
        outside = [row for row in range(n) if originals[row] not in {originals[i] for i in inside}]
        moved = {}
        for f in sorted({int(feature[c]) for c in tree.tree_.feature if 0 <= c < len(feature)}):
            moved[f] = dict(zip(outside, rng.permutation(outside), strict=True))
        for row in outside:
            for f in risks:
                values = columns[row].copy()
                if f in moved:
                    values[np.flatnonzero(feature == f)] = columns[moved[f][row], np.flatnonzero(feature == f)]
                risks[f][row].append(float(tree.predict(values[None])[0]))
    rows = [row for row in range(n) if risks[None][row]]
    agree = {f: slow_concordance(np.array([np.mean(risks[f][row]) for row in rows]).round(9), y[rows]) for f in risks}
    return {f: agree[None] - agree[f] for f in kinds}


def tree(*columns):
    """A tree without the library, which predicts the sum of the columns that it reports as used."""
    return SimpleNamespace(
        tree_=SimpleNamespace(feature=np.array([*columns, -2])), predict=lambda rows: rows[:, list(columns)].sum(axis=1)
    )


def test_shuffling_out_of_the_bag_by_hand():
    rng = np.random.default_rng(1)
    bags = [rng.integers(0, 40, 40) for _ in range(4)]
    forest = SimpleNamespace(estimators_=[tree(0, 1), tree(0, 2, 5), tree(1), tree(6)], estimators_samples_=bags)
    feature, originals = np.array([0, 1, 2, 3, 4, 2]), np.arange(40) // 2  # two columns of feature 2; the last two are given
    columns, y = X[:40], Y[:40]
    found = permuted_losses(forest, columns, feature, y, originals, np.random.default_rng(2))
    slow = slow_falls(forest, columns, feature, y, originals, np.random.default_rng(2))
    assert list(found) == list(slow) == [0, 1, 2]
    np.testing.assert_allclose(list(found.values()), list(slow.values()), atol=1e-12)


def test_forests_of_the_library_by_hand():
    ensemble = pytest.importorskip("sksurv.ensemble")
    forest = ensemble.RandomSurvivalForest(6, min_samples_leaf=15, low_memory=True, random_state=0).fit(X, Y)
    found = permuted_losses(forest, X, np.arange(8), Y, np.arange(150), np.random.default_rng(3))
    slow = slow_falls(forest, X, np.arange(8), Y, np.arange(150), np.random.default_rng(3))
    np.testing.assert_allclose(list(found.values()), list(slow.values()), atol=1e-12)


def test_survival_forest_finds_features_among_noise():
    pytest.importorskip("sksurv")
    assert selector("survival_forest").fit(X, Y, rng=0, k=2).select(2).tolist() == [0, 1]
    below = [(selector("survival_forest", trees=20).fit(*noise(seed), rng=seed).scores_ < 0).mean() for seed in range(6)]
    assert 0.2 < np.mean(below) < 0.8


def noise(seed):
    """A table without signal."""
    return simulated(np.random.default_rng(seed), 100, 8)


def test_bootstrap_copies_do_not_leak_times():
    """With pure noise, copies both in and out of the bag would appear predictive."""
    pytest.importorskip("sksurv")
    means = []
    for seed in range(6):
        values, y = noise(seed)
        drawn = np.random.default_rng(seed).integers(0, 100, 100)
        table = sc.Dataset(values, y).table.rows(drawn)
        means.append(np.nanmean(selector("survival_forest", trees=40, leaf=3).fit(table, y[drawn], rng=seed).scores_))
    assert abs(np.mean(means)) < 0.02


def test_survival_forest_needs_the_library(monkeypatch):
    monkeypatch.setitem(LIBRARY_MODULES, "scikit-survival", "no_such_module")
    with pytest.raises(InputError, match="scikit-survival"):
        selector("survival_forest").fit(X, Y)
    with pytest.raises(InputError, match="scikit-survival"):
        sc.Study(X, Y, ["survival_forest"], n_permutations=0)


class Risk(BaseEstimator):
    """A survival model without weights that always predicts the difference of two columns."""

    def fit(self, X, y):
        self.n_learned_ = len(y)
        return self

    def predict(self, X):
        return X[:, 0] - X[:, 1]


def test_models_without_weights_use_permutation():
    found = as_selector(Risk()).fit(X, Y, rng=0, k=2)
    assert found.select(2).tolist() == [0, 1] and np.isnan(found.scores_[2:]).all()
    drop = permuted_concordance_loss(Risk(), X, Y, np.random.default_rng(1))
    rng = np.random.default_rng(1)
    rows = [rng.permutation(np.flatnonzero(Y["event"] == event)) for event in (True, False)]
    halves = [np.concatenate([rows_of_event[start::2] for rows_of_event in rows]) for start in (0, 1)]
    slow = np.zeros(8)
    for asked in halves[::-1]:
        for column in range(8):
            moved = X[asked].copy()
            moved[:, column] = rng.permutation(moved[:, column])
            risks = (part[:, 0] - part[:, 1] for part in (X[asked], moved))
            before, after = (slow_concordance(risk, Y[asked]) for risk in risks)
            slow[column] += (before - after) / 2
    np.testing.assert_allclose(drop, slow, atol=1e-12)


@pytest.mark.parametrize(
    ("module", "name", "options"),
    [
        ("linear_model", "CoxPHSurvivalAnalysis", {"alpha": 0.1}),
        ("linear_model", "CoxnetSurvivalAnalysis", {}),
        ("svm", "FastSurvivalSVM", {}),
        ("ensemble", "GradientBoostingSurvivalAnalysis", {"n_estimators": 30}),
        ("ensemble", "ComponentwiseGradientBoostingSurvivalAnalysis", {}),
        ("ensemble", "RandomSurvivalForest", {"n_estimators": 30}),
    ],
)
def test_estimators_of_scikit_survival_find_the_features(module, name, options):
    build = getattr(pytest.importorskip(f"sksurv.{module}"), name)
    found = as_selector(build(**options)).fit(X, Y, rng=0, k=2)
    assert found.select(2).tolist() == [0, 1]
    again = as_selector(build(**options)).fit(X, Y, rng=0, k=2)
    np.testing.assert_array_equal(found.scores_, again.scores_)
