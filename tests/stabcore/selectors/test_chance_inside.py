"""Which selectors have chance inside is declared, and true: two fits with other seeds differ, or never do."""

import numpy as np
import pandas as pd
import pytest

import stabcore as sc
from stabcore.base.target import TIME
from stabcore.selectors.catalog import BY_KEY
from stabcore.study.choices import Choice

OPTIONS = {
    "estimator": {"model": "sklearn.ensemble.ExtraTreesClassifier", "parameters": {"n_estimators": 5}},
    "boruta": {"trees": 5, "rounds": 5},
    "random_forest": {"trees": 5},
    "random_forest_permutation": {"trees": 5},
}


def fits(key, **options):
    """Two fits to one table of numbers, gaps and categories, with other seeds."""
    rng = np.random.default_rng(0)
    X, y = pd.DataFrame(rng.normal(size=(60, 12)), columns=list("abcdefghijkl")), rng.permutation(60) % 2
    X[["a", "b", "c"]] += y[:, None] * [1.5, 1.0, 0.7]
    X.loc[rng.choice(60, 9, replace=False), "d"] = np.nan
    X["l"] = np.array(list("uvwx"))[rng.integers(0, 4, 60)]
    return [sc.selector(key, **options).fit(X, y, rng=seed, k=4) for seed in range(2)]


def same_order(one, other):
    """The same scores, and the same order of all whose scores differ from the others'."""
    alone = np.bincount(np.unique(one.scores_, return_inverse=True)[1])[np.unique(one.scores_, return_inverse=True)[1]] == 1
    np.testing.assert_array_equal(one.scores_, other.scores_)
    np.testing.assert_array_equal(one.ranking_[alone], other.ranking_[alone])


@pytest.mark.parametrize("key", [key for key, one in BY_KEY.items() if one.targets != (TIME,)])
def test_what_is_declared_is_true(key):
    first, other = fits(key, **OPTIONS.get(key, {}))
    assert Choice(key, key).chance_inside == BY_KEY[key].chance_inside
    if BY_KEY[key].chance_inside:
        assert not np.array_equal(first.scores_, other.scores_)
    else:
        same_order(first, other)


def test_models_and_own_objects_say_it_themselves():
    from sklearn.ensemble import ExtraTreesClassifier
    from sklearn.linear_model import Ridge

    class Plain:
        def fit(self, X, y):
            self.scores_ = X.sum(axis=0)

    class Draws:
        def fit(self, X, y, rng=None):
            self.scores_ = np.random.default_rng(rng).random(X.shape[1])

    class Says(Draws):
        chance_inside = False

    assert [
        Choice("own", user_object=own).chance_inside for own in (ExtraTreesClassifier(), Ridge(), Plain(), Draws(), Says())
    ] == [True, True, False, True, False]  # Ridge has a random_state, which only some of its solvers use
    assert not Choice("own", "estimator", (("model", "sklearn.linear_model.OrthogonalMatchingPursuit"),)).chance_inside
    assert sc.list_selectors().loc["random_forest", "chance_inside"]
