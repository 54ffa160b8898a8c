"""Random forest and boosted stumps: columns summed to features, stumps against a slow version."""

import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import RandomForestClassifier

from stabcore.encoding import Design
from stabcore.selectors import selector
from stabcore.table import as_table


def data(n=60, d=5, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    return X, (X[:, 1] + 0.5 * X[:, 3] + rng.normal(size=n) > 0).astype(int)


def boosted_by_hand(X, y, rounds):
    """Share of the gain of each feature: every round one split of the residuals, shrunk by 0.1 (Friedman 2001)."""
    gains = np.zeros(X.shape[1])
    margin = np.full(len(y), np.log(y.mean() / (1 - y.mean())))
    for _ in range(rounds):
        chance = 1 / (1 + np.exp(-margin))
        residual = y - chance
        best = (-1.0, None, None)
        for f in range(X.shape[1]):
            known = np.unique(X[:, f])
            for cut in (known[1:] + known[:-1]) / 2:
                left = X[:, f] <= cut
                fall = left.sum() * (~left).sum() * (residual[left].mean() - residual[~left].mean()) ** 2 / len(y) ** 2
                best = max(best, (fall, f, cut))
        fall, f, cut = best
        gains[f] += fall
        for side in (X[:, f] <= cut, X[:, f] > cut):
            margin[side] += 0.1 * residual[side].sum() / (chance[side] * (1 - chance[side])).sum()
    return gains / gains.sum()


def test_stumps_follow_the_definition():
    X, y = data()
    fitted = selector("gbm", rounds=25).fit(X, y, rng=0)
    np.testing.assert_allclose(fitted.importances_, boosted_by_hand(X, y, 25), atol=1e-8)


def test_forest_is_scikit_learns_summed_over_columns():
    rng = np.random.default_rng(1)
    frame = pd.DataFrame({"number": rng.normal(size=80), "stage": pd.Categorical(rng.choice(list("abcd"), 80))})
    y = ((frame["stage"] == "a") | (frame["number"] > 1)).to_numpy()
    fitted = selector("random_forest", trees=20).fit(frame, y, rng=7)
    columns = Design.learn(as_table(frame)).transform(as_table(frame))
    seed = int(np.random.default_rng(7).integers(2**31))
    forest = RandomForestClassifier(20, random_state=seed).fit(columns, y)
    np.testing.assert_allclose(fitted.scores_, [forest.feature_importances_[0], forest.feature_importances_[1:].sum()])


@pytest.mark.parametrize("key", ["random_forest", "gbm"])
def test_importances_sum_to_one(key):
    X, y = data()
    fitted = selector(key).fit(X, y + (X[:, 0] > 1), rng=0)
    assert fitted.importances_.sum() == pytest.approx(1)


def test_every_forest_is_drawn_anew():
    X, y = data()
    assert not np.array_equal(*(selector("random_forest", trees=10).fit(X, y, rng=seed).scores_ for seed in (0, 1)))
