"""What every selector of the catalogue keeps to, and what a user's own one needs."""

import sys
from dataclasses import dataclass

import numpy as np
import pandas as pd
import pytest
from contract_support import KEYS, check, clinical, make, plain
from support import slow

from stabcore.base.errors import InputError
from stabcore.data.feature_table import FeatureTable, as_table
from stabcore.selectors import base
from stabcore.selectors.base import MORE, NUMBER, Selector, ranking
from stabcore.selectors.catalog import BY_KEY, selector
from stabcore.study.choices import Choice

# a forest draws columns by their position, and a random ranking looks at nothing else
DRAWS_COLUMNS = ("random_forest", "random_forest_permutation", "boruta", "knockoff_filter", "estimator", "random")
UNSUPERVISED = ("variance", "random")  # does not look at the target
MAY_RANK_NONE = (  # leave features unranked that they do not use
    *("lasso", "elastic_net", "group_lasso", "glm_boosting", "augmented", "backward_elimination", "information_gain"),
    *("random_forest", "random_forest_permutation", "gbm", "estimator", "boruta", "knockoff_filter"),
)
NEED_ROWS = ("backward_elimination",)  # two more than columns
WARN = {"group_lasso", "hybrid_rfe"}  # with the options as they are


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("key", KEYS)
def test_shapes_and_order(key, classes):
    X, y = plain(classes=classes)
    if classes == 3 and MORE not in BY_KEY[key].targets:
        with pytest.raises(InputError):
            make(key).fit(X, y, rng=0, k=3)
        return
    fitted = make(key)
    assert fitted.fit(X, y, rng=0, k=3) is fitted
    check(fitted, 6, 3)
    if classes == 2 and key != "random":  # whose weights are a shuffled row of numbers
        weighs = (fitted.scores_[~np.isnan(fitted.scores_)] % 1 != 0).any()
        assert weighs == BY_KEY[key].build.weighs  # it weighs features or numbers their order as it says
    used = np.count_nonzero(fitted.importances_) if key in MAY_RANK_NONE else 6
    assert len(fitted.select(3)) == min(3, used)
    assert len(fitted.warnings_) == (key in WARN) or used < 3 and len(fitted.warnings_) == 1
    assert len(fitted.select(100)) <= 6
    if key not in UNSUPERVISED:
        assert 5 in fitted.select(1 if classes == 2 else 3)  # the column that follows the class most


@pytest.mark.parametrize("key", KEYS)
def test_a_second_fit_forgets_the_first_and_another_seed_gives_others_only_where_chance_is_inside(key):
    frame, y = clinical()
    fitted, bits, varying = make(key), [], []  # the last two columns do not vary, and their order is drawn
    for rng in (np.random.default_rng(5), 5, 6):
        check(fitted.fit(frame, y, rng=rng, k=3), 6, 3)
        bits.append([getattr(fitted, name).tobytes() for name in ("scores_", "ranking_", "importances_")])
        varying.append(fitted.scores_[:4].tobytes())
    assert bits[0] == bits[1]
    assert (varying[1] != varying[2]) == BY_KEY[key].chance_inside == Choice(key, key).chance_inside
    assert key == "random" or fitted.select(1)[0] not in (4, 5)  # a constant and an empty column


@pytest.mark.parametrize("key", ["mim", "lasso", "estimator"])  # a table and an outcome are read in one place for all
def test_neither_the_form_nor_the_names_of_the_classes_matter(key):
    X, y = plain()
    fits = [make(key).fit(form, y, rng=0) for form in (X, pd.DataFrame(X), as_table(X))]
    fits.append(make(key).fit(X, np.array(["a", "b"])[y], rng=0))
    assert len({fitted.scores_.tobytes() for fitted in fits}) == 1


@pytest.mark.parametrize("key", KEYS)
def test_a_target_that_is_a_number(key):
    X, _ = plain()
    y = X @ np.array([0, 0, 0, 1.0, 0, 2.0]) + 50
    if NUMBER not in BY_KEY[key].targets:
        with pytest.raises(InputError):
            make(key).fit(X, y, rng=0, k=2)
        return
    fitted = make(key).fit(X, y, rng=0, k=2)
    check(fitted, 6, 2)
    if key not in UNSUPERVISED:
        assert fitted.select(2).tolist() == [3, 5]


@pytest.mark.parametrize("key", [key for key in KEYS if key not in DRAWS_COLUMNS])
def test_moved_columns_move_their_scores(key):
    X, y = plain(150, 6, random_state=3)
    order = np.array([3, 0, 5, 1, 4, 2])
    fitted, moved = make(key).fit(X, y, rng=0, k=3), make(key).fit(X[:, order], y, rng=0, k=3)
    np.testing.assert_allclose(moved.scores_, fitted.scores_[order], rtol=1e-9)
    np.testing.assert_allclose(moved.importances_, fitted.importances_[order], rtol=1e-6, atol=1e-12)
    assert np.array_equal(np.sort(order[moved.select(2)]), fitted.select(2))


SMALL = [(6, 3, [0, 0, 0, 1, 1, 1]), (2, 4, [0, 1]), (9, 1, [0, 1, 1, 0, 1, 0, 1, 1, 1]), (30, 4, [0, 1] * 14 + [2, 2])]


@pytest.mark.parametrize("key", KEYS)
def test_small_data(key):
    for rows, d, y in SMALL:
        if max(y) == 2 and MORE not in BY_KEY[key].targets:
            y = np.minimum(y, 1)
        X = np.random.default_rng(1).normal(size=(rows, d))
        if key in NEED_ROWS and rows < d + 2:
            with pytest.raises(InputError):
                make(key).fit(X, y, rng=0, k=2)
            continue
        check(make(key).fit(X, y, rng=0, k=2), d, 2)
    check(make(key).fit(X, y, rng=0), d, 20)


@pytest.mark.parametrize("key", KEYS)
def test_where_nothing_varies_features_are_ranked_by_chance_or_not_at_all(key):
    fits = [make(key).fit(np.ones((8, 4)), [0, 1] * 4, rng=seed) for seed in range(2 if key in MAY_RANK_NONE else 20)]
    check(fits[0], 4, 2)
    assert key in MAY_RANK_NONE or {int(fitted.select(1)[0]) for fitted in fits} == {0, 1, 2, 3}


@pytest.mark.parametrize("key", KEYS)
def test_what_is_refused_and_why(key):
    X, y = plain(20, 3)
    gaps = np.where(y == 0, np.nan, 1.0), np.array([None, "a"] * 10, dtype=object), pd.array([1, None] * 10, dtype="Int64")
    for outcome in (np.zeros(20), y[:-1], *gaps):
        with pytest.raises(InputError):
            make(key).fit(X, outcome)
    with pytest.raises(InputError):
        make(key).fit(X[:, :0], y)
    fitted = make(key).fit(X, y)
    for k in (0, -3, 2.5, "all"):
        with pytest.raises(InputError):
            make(key).fit(X, y, k=k)
        with pytest.raises(InputError):
            fitted.select(k)


def test_ranks_leave_gaps_alone_and_share_ties_fairly():
    scores = np.array([1.0, np.nan, 2.0, 1.0])
    ranks = np.array([ranking(scores, np.random.default_rng(seed)) for seed in range(200)])
    assert (ranks[:, 2] == 1).all()
    assert np.isnan(ranks[:, 1]).all()
    assert 70 < (ranks[:, 0] == 2).sum() < 130


def test_linear_algebra_keeps_to_one_thread_during_a_fit_and_an_import_is_noticed(monkeypatch):
    from threadpoolctl import threadpool_info

    def threads():
        return [pool["num_threads"] for pool in threadpool_info()]

    @dataclass
    class Looks(Selector):
        def _score(self, table, codes, rng, k):
            self.seen = threads()
            return np.zeros(table.n_features), np.zeros(table.n_features)

    before = threads()
    assert set(Looks().fit(*plain(), rng=0).seen) == {1}
    assert threads() == before
    pools = base._thread_pools(len(sys.modules))
    assert base._thread_pools(len(sys.modules)) is pools
    monkeypatch.setitem(sys.modules, "a_library_loaded_later", None)
    assert base._thread_pools(len(sys.modules)) is not pools


# ---- features that do not vary, and noise ----


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
    table, y = partly_still(0)
    fitted = make(key).fit(table, y, rng=0, k=3)
    check(fitted, 12, 3)
    ranks = np.where(np.isnan(fitted.ranking_), 99, fitted.ranking_)
    varies = np.setdiff1d(np.arange(12), STILL)
    assert np.isnan(fitted.ranking_[STILL]).all() or ranks[STILL].min() > ranks[varies].max()
    assert (fitted.importances_[STILL] == 0).all()


@pytest.mark.parametrize("key", ["mrmr", "jmi", "cmim", "auc_mrmr"])
def test_what_does_not_vary_takes_no_part_in_a_search(key):
    for seed in range(2):
        table, y = partly_still(seed)
        varies = np.setdiff1d(np.arange(12), [3, 4, *STILL])  # without ties
        order, alone = (make(key).fit(table.columns(some), y, rng=0).ranking_ for some in (np.append(varies, STILL), varies))
        assert np.array_equal(order[: len(varies)], alone)


COPIES = {"relieff": {}, "random_forest_permutation": {"trees": 20}}  # they ask how near rows are, or what a tree did not see


@pytest.mark.parametrize("key", ["relieff", slow("random_forest_permutation")])
def test_noise_scores_above_0_as_often_on_bootstrap_samples_as_on_subsamples(key):
    """About 45 times of 100. It was 95 or more when copies of a row were each other's neighbours, or in the bag and out of it."""
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
