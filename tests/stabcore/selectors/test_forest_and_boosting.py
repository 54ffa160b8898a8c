"""Random forests and boosted stumps: against scikit-learn and slow versions, and ties."""

import numpy as np
import pandas as pd
import pytest
from contract_support import falls_slowly
from sklearn.ensemble import GradientBoostingClassifier, GradientBoostingRegressor, RandomForestClassifier, RandomForestRegressor
from support import slow

from stabcore.data.encoding import Design
from stabcore.data.feature_table import as_table
from stabcore.selectors.catalog import selector
from stabcore.selectors.solvers import stumps
from stabcore.selectors.solvers.stumps import Cuts, boosted_splits


def data(n=60, d=5, random_state=0):
    rng = np.random.default_rng(random_state)
    X = rng.normal(size=(n, d))
    return X, (X[:, 1] + 0.5 * X[:, 3] + rng.normal(size=n) > 0).astype(int)


def target(X, kind, random_state=5):
    signal = X[:, 0] + 0.5 * X[:, 1] + np.random.default_rng(random_state).normal(size=len(X))
    return {"two": (signal > 0).astype(int), "more": np.digitize(signal, [-0.7, 0.7]), "number": 40 * signal + 1000}[kind]


@pytest.mark.parametrize(
    ("kind", "bootstrap"), [("two", False), ("more", True), ("number", False), slow("two", True), slow("number", True)]
)
def test_splits_and_importances_agree_with_scikit_learn(kind, bootstrap):
    rng = np.random.default_rng(0)  # without ties between best splits, which both break at random
    X = rng.normal(size=(120, 40)).astype(np.float32).astype(float)  # scikit-learn cuts in single precision
    y = target(X, kind)
    if bootstrap:
        rows = rng.integers(0, 120, 120)
        X, y = X[rows], y[rows]
    ours = list(boosted_splits(Cuts(as_table(X)), y, 60, np.random.default_rng(0)))
    build = GradientBoostingRegressor if kind == "number" else GradientBoostingClassifier
    model = build(max_depth=1, n_estimators=60, random_state=0)
    trees = [tree.tree_ for stage in model.fit(X, y).estimators_ for tree in stage]
    assert len(ours) == len(trees) == 60 * (3 if kind == "more" else 1)
    for split, tree in zip(ours, trees, strict=True):
        assert split.column == tree.feature[0]
        assert sorted(split.low) == np.flatnonzero(X[:, split.column] <= tree.threshold[0]).tolist()
    fitted = selector("gbm", rounds=60).fit(X, y, rng=0)
    np.testing.assert_allclose(fitted.importances_, model.feature_importances_, atol=1e-9)


def test_blocks_of_columns_change_nothing(monkeypatch):
    X, _ = data(50, 11)
    X[::7, 3] = np.nan
    X[:, 4] = X[:, 4] > 0
    y = target(X, "more")
    whole = selector("gbm", rounds=30).fit(X, y, rng=0).scores_
    monkeypatch.setattr(stumps, "_BLOCK", 120)
    np.testing.assert_array_equal(selector("gbm", rounds=30).fit(X, y, rng=0).scores_, whole)


def test_ties_between_splits_are_broken_at_random():
    rng = np.random.default_rng(0)
    X, y = data(60)
    half = X[:, 1] > 0  # a number, its negative, and a category of two columns
    frame = pd.DataFrame(
        {"number": half.astype(float), "turned": -3.0 * half, "category": pd.Categorical(half), "noise": rng.normal(size=60) * 1e-3}
    )
    first = [next(boosted_splits(cuts := Cuts(as_table(frame)), y, 1, np.random.default_rng(seed))) for seed in range(90)]
    counts = np.bincount([cuts.feature[split.column] for split in first], minlength=4)
    assert counts[3] == 0 and (counts[:3] > 15).all()


def test_forest_agrees_with_scikit_learn_and_corrects_categories():
    rng = np.random.default_rng(1)
    frame = pd.DataFrame({"number": rng.normal(size=80), "stage": pd.Categorical(rng.choice(list("abcd"), 80))})
    y = ((frame["stage"] == "a") | (frame["number"] > 1)).to_numpy().astype(int)
    fitted = selector("random_forest", trees=20).fit(frame, y, rng=7)
    columns, rng = Design.learn(as_table(frame)).transform(as_table(frame)), np.random.default_rng(7)

    def shares(trees, outcome):
        forest = RandomForestClassifier(trees, random_state=int(rng.integers(2**31)))
        found = forest.fit(columns, outcome).feature_importances_
        return np.array([found[0], found[1:].sum()])

    scores = shares(20, y)
    chance = sum(shares(1, rng.permutation(y)) for _ in range(100))  # many more trees than the selector's 20
    expected = scores * [1, chance[0] / chance[1]]
    np.testing.assert_allclose(fitted.scores_, expected / expected.sum(), rtol=0.3)
    scores_of_seeds = [selector("random_forest", trees=20).fit(frame, y, rng=seed).scores_[1] for seed in range(4)]
    assert np.mean(scores_of_seeds) == pytest.approx(expected[1] / expected.sum(), rel=0.15)
    assert fitted.scores_[1] > scores[1]


def test_gain_of_a_category_is_calibrated_to_numbers():
    rng = np.random.default_rng(1)
    frame = pd.DataFrame(rng.normal(size=(80, 3)), columns=list("abc")).assign(stage=pd.Categorical(rng.choice(list("uvwx"), 80)))
    y = rng.integers(0, 2, 80)
    outcomes, high = np.array([rng.permutation(y) for _ in range(4000)]), np.zeros(4)
    for f, x in enumerate(frame.to_numpy().T):
        low = np.array([x <= cut for cut in np.sort(x)[:-1]] if f < 3 else [x == level for level in "uvwx"]).astype(float)
        size = low.sum(axis=1)
        apart = outcomes @ low.T / size - outcomes @ (1 - low.T) / (80 - size)
        high[f] = np.quantile((size * (80 - size) * apart**2).max(axis=1), 0.9)
    worth = stumps.gain_factors(as_table(frame), y, np.random.default_rng(0))
    assert worth[:3].tolist() == [1, 1, 1] and worth[3] == pytest.approx(high[:3].mean() / high[3], rel=0.15)
    assert stumps.gain_factors(as_table(frame[list("abc")]), y, rng) is None


def test_a_number_grows_a_forest_of_regressors():
    X, _ = data()
    y = target(X, "number")
    fitted = selector("random_forest", trees=20).fit(X, y, rng=7)
    forest = RandomForestRegressor(20, random_state=int(np.random.default_rng(7).integers(2**31)))
    columns = Design.learn(as_table(X)).transform(as_table(X))
    np.testing.assert_allclose(fitted.scores_, forest.fit(columns, y).feature_importances_)


@pytest.mark.parametrize("bootstrap", [False, True])
def test_permutation_scores_are_out_of_bag_decreases(bootstrap):
    """All copies of a row are in the bag, or all are out of it."""
    X, y = data(80, 4)
    drawn = np.random.default_rng(1).integers(0, 80, 80) if bootstrap else np.arange(80)
    fitted = selector("random_forest_permutation", trees=40).fit(as_table(X).rows(drawn), y[drawn], rng=3)
    _, first, times = np.unique(drawn, return_index=True, return_counts=True)
    rows, times = drawn[np.sort(first)], times[np.argsort(first)]
    columns = Design.learn(as_table(X[rows])).transform(as_table(X[rows]))
    forest = RandomForestClassifier(40, random_state=int(np.random.default_rng(3).integers(2**31)))
    forest.fit(columns, y[rows], sample_weight=times if bootstrap else None)
    expected = falls_slowly(forest, columns, y[rows], np.random.default_rng(0), 3)
    np.testing.assert_allclose(fitted.scores_, expected, atol=0.035)  # both shuffle at random
    by_hand = selector("random_forest_permutation", trees=40).fit(X[drawn], y[drawn], rng=3)
    assert np.array_equal(fitted.scores_, by_hand.scores_)


@pytest.mark.parametrize("k", [3, 8])
def test_importances_come_from_a_new_forest_on_the_chosen(k):
    X, y = data(60, 8)
    X[:, 5:] = 1.0  # constant: their scores are equal
    fitted = selector("random_forest_permutation", trees=25).fit(X, y, rng=2, k=k)
    assert set(np.flatnonzero(fitted.importances_)) <= set(fitted.select(k))
    assert fitted.importances_[1] > 0 and (fitted.importances_ >= 0).all()
    assert not np.isin(fitted.importances_[fitted.importances_ > 0], fitted.scores_).any()
