"""Which selectors have chance inside is declared, and true: two fits with other dice differ, or never do."""

import numpy as np
import pandas as pd
import pytest

import stabcore as sc
from stabcore.base.target import TIME
from stabcore.selectors.catalog import BY_KEY
from stabcore.study.choices import Choice


def fits(key, times=3, **options):
    """Fits to one table of numbers, gaps and categories, with other dice each time."""
    rng = np.random.default_rng(0)
    X, y = pd.DataFrame(rng.normal(size=(60, 12)), columns=list("abcdefghijkl")), rng.permutation(60) % 2
    X[["a", "b", "c"]] += y[:, None] * [1.5, 1.0, 0.7]
    X.loc[rng.choice(60, 9, replace=False), "d"] = np.nan
    X["l"] = np.array(list("uvwx"))[rng.integers(0, 4, 60)]
    return [sc.selector(key, **options).fit(X, y, rng=seed, k=4) for seed in range(times)]


def same_order(one, other):
    """The same scores, and the same order of all whose scores differ from the others'."""
    alone = np.bincount(np.unique(one.scores_, return_inverse=True)[1])[np.unique(one.scores_, return_inverse=True)[1]] == 1
    np.testing.assert_array_equal(one.scores_, other.scores_)
    np.testing.assert_array_equal(one.ranking_[alone], other.ranking_[alone])


@pytest.mark.parametrize("key", [key for key, one in BY_KEY.items() if not one.chance_inside and one.targets != (TIME,)])
def test_the_deterministic_ones_never_differ(key):
    first, *others = fits(key)
    for other in others:
        same_order(first, other)
    assert not Choice(key, key).chance_inside


@pytest.mark.parametrize("key", [key for key, one in BY_KEY.items() if one.chance_inside and one.targets != (TIME,)])
def test_those_with_chance_inside_differ(key):
    options = {"estimator": {"model": "sklearn.ensemble.ExtraTreesClassifier"}, "boruta": {"trees": 8, "rounds": 8}}.get(key, {})
    first, *others = fits(key, **options)
    assert any(not np.array_equal(first.scores_, other.scores_) for other in others)
    trees = ("random_forest", "random_forest_permutation", "boruta", "gbm", "estimator")
    assert Choice(key, key).chance_inside and key in (*trees, "knockoff_filter", "random")


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
