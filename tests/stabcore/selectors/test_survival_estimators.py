"""Estimators of scikit-survival as selectors, where it is installed, and a model without weights that needs no library."""

import numpy as np
import pytest
from sklearn.base import BaseEstimator
from survival_support import simulated, slow_concordance

from stabcore.selectors.estimator import _by_permutation, adopt

X, Y = simulated(np.random.default_rng(0), 150, 8, (1.0, -0.8))


class Risk(BaseEstimator):
    """A model of a time to an event without weights: the difference of two columns, whatever it learned from."""

    def fit(self, X, y):
        self.n_learned_ = len(y)
        return self

    def predict(self, X):
        return X[:, 0] - X[:, 1]


def test_a_model_without_weights_is_judged_by_permutation():
    found = adopt(Risk()).fit(X, Y, rng=0, k=2)
    assert found.select(2).tolist() == [0, 1] and np.isnan(found.scores_[2:]).all()
    drop = _by_permutation(Risk(), X, Y, np.random.default_rng(1))
    rng = np.random.default_rng(1)
    rows = [rng.permutation(np.flatnonzero(Y["event"] == event)) for event in (True, False)]
    halves = [np.concatenate([one[start::2] for one in rows]) for start in (0, 1)]
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
    found = adopt(build(**options)).fit(X, Y, rng=0, k=2)
    assert found.select(2).tolist() == [0, 1]
    again = adopt(build(**options)).fit(X, Y, rng=0, k=2)
    np.testing.assert_array_equal(found.scores_, again.scores_)
