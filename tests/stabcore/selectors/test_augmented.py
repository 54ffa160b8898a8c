"""A filter followed by a learner, against both run one after the other."""

import numpy as np
import pytest

import stabcore as sc
from stabcore.selectors.augmented import FILTERS, LEARNERS
from stabcore.selectors.catalog import selector


@pytest.fixture(scope="module")
def data():
    return sc.teaching_data("twins", n=100).dataset()


def fitted(data, key="augmented", **options):
    return selector(key, **options).fit(data.table, data.target, rng=1)


@pytest.mark.parametrize("name", FILTERS)
def test_learner_uses_only_filtered_features(data, name):
    filtered = fitted(data, name).select(7)
    made = fitted(data, filter=name, keep=7, learner="glm_boosting", rounds=60)
    slow = selector("glm_boosting", rounds=60).fit(data.table.columns(filtered), data.target, rng=2)
    expected = np.zeros(data.n_features)
    expected[filtered] = slow.importances_
    np.testing.assert_allclose(made.importances_, expected)
    assert set(made.select(50)) == set(np.flatnonzero(expected)) and len(made.select(2)) == 2


def test_the_lasso_is_at_a_minimum_of_its_objective(data):
    """The derivative of the loss by each weight is λ for weights other than 0, and at most λ for the others."""
    made = fitted(data, learner="lasso", penalty=8.0)
    X = (data.table.values - data.table.values.mean(axis=0)) / data.table.values.std(axis=0)
    chances = made.predict(data.table)[1][:, 1]
    slope = np.abs(X.T @ (chances - data.target))
    used = made.importances_ > 0
    assert 2 < used.sum() < 40 and slope.max() < 8.0 * 1.001
    np.testing.assert_allclose(slope[used], 8.0, rtol=1e-3)


@pytest.mark.parametrize("learner", LEARNERS)
def test_learner_predicts_from_selected_features_only(data, learner):
    made = selector("augmented", learner=learner, keep=20, trees=20).fit(data.table, data.target, rng=1, k=2)
    predicted, chances = made.predict(data.table)
    changed = np.array(data.table.values)
    changed[:, np.setdiff1d(np.arange(data.n_features), made.select(2))] = 0.0
    again = made.predict(type(data.table)(changed, data.table.categorical, data.features))
    np.testing.assert_array_equal(predicted, again[0])
    assert chances.shape == (100, 2) and (predicted == data.target).mean() > 0.6
