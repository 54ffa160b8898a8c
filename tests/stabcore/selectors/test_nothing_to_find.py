"""What every selector makes of features that do not vary, and of tables that hold nothing but noise."""

import numpy as np
import pytest
from contract_support import KEYS, check, make

from stabcore.data.feature_table import FeatureTable, as_table
from stabcore.selectors.catalog import selector


@pytest.mark.parametrize("key", KEYS)
def test_nothing_varies(key):
    fitted = make(key).fit(np.ones((8, 3)), [0, 1] * 4, rng=0)
    check(fitted, 3, 2)


STILL = [2, 6, 9, 11]


def partly_still(seed, n=40):
    """Twelve features: the first tells something, four do not vary, two vary but are equal in both classes, the rest is noise."""
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 2
    X = rng.normal(size=(n, 12)).round(1)
    X[:, 0] += 1.5 * y
    X[:, 3], X[:, 4] = np.arange(n) // 2 % 2, np.arange(n) // 4 % 2
    X[:, STILL] = 1.0, 0.0, -3.0, np.nan
    return FeatureTable(X, np.isin(np.arange(12), (4, 6)), tuple("abcdefghijkl")), y


@pytest.mark.parametrize("key", [key for key in KEYS if key != "random"])  # which does not look at values
def test_what_does_not_vary_comes_last(key):
    for seed in range(2):
        table, y = partly_still(seed)
        fitted = make(key).fit(table, y, rng=seed, k=3)
        check(fitted, 12, 3)
        ranks = np.where(np.isnan(fitted.ranking_), 99, fitted.ranking_)
        varies = np.setdiff1d(np.arange(12), STILL)
        assert np.isnan(fitted.ranking_[STILL]).all() or ranks[STILL].min() > ranks[varies].max()
        assert (fitted.importances_[STILL] == 0).all()


@pytest.mark.parametrize("key", ["mrmr", "jmi", "cmim", "auc_mrmr"])
def test_what_does_not_vary_takes_no_part_in_a_search(key):
    for seed in range(5):
        table, y = partly_still(seed)
        varies = np.setdiff1d(np.arange(12), [3, 4, *STILL])  # without ties
        order, alone = (make(key).fit(table.columns(some), y, rng=0).ranking_ for some in (np.append(varies, STILL), varies))
        assert np.array_equal(order[: len(varies)], alone)


def test_a_features_place_is_the_random_rankings_own_affair():
    table, y = partly_still(0)
    assert any(make("random").fit(table, y, rng=seed).ranking_[2] == 1 for seed in range(100))


COPIES = {"relieff": {}, "random_forest_permutation": {"trees": 20}}  # they ask how near rows are, or what a tree did not see


@pytest.mark.parametrize("key", COPIES)
def test_noise_scores_above_0_as_often_on_bootstrap_samples_as_on_subsamples(key):
    """About 45 times of 100, and 95 or more when copies of a row were each other's neighbours, or in the bag and out of it."""
    above = {"subsample": [], "bootstrap": [], "bootstrap by hand": []}
    for seed in range(8 if key == "relieff" else 4):
        rng = np.random.default_rng(seed)
        X, y = rng.normal(size=(80, 25)), rng.permutation(np.arange(80) % 2)
        some, drawn = rng.choice(80, 64, replace=False), rng.integers(0, 80, 80)
        for name, rows, form in (
            ("subsample", some, as_table(X).rows(some)),
            ("bootstrap", drawn, as_table(X).rows(drawn)),
            ("bootstrap by hand", drawn, X[drawn]),
        ):
            above[name].append(np.mean(selector(key, **COPIES[key]).fit(form, y[rows], rng=seed).scores_ > 0))
        as_array = selector(key, **COPIES[key]).fit(X[some], y[some], rng=seed)
        drawn = selector(key, **COPIES[key]).fit(as_table(X).rows(some), y[some], rng=seed)
        assert as_array.scores_.tobytes() == drawn.scores_.tobytes()
    assert all(0.35 < np.mean(found) < 0.6 for found in above.values()), above
