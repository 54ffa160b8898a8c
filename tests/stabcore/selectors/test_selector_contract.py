"""Contract of selectors, for every one of the catalogue."""

import sys
from dataclasses import dataclass

import numpy as np
import pandas as pd
import pytest
from contract_support import KEYS, QUICK, check, plain
from support import slow

from stabcore.base.errors import InputError
from stabcore.data.feature_table import FeatureTable, as_table
from stabcore.selectors import base
from stabcore.selectors.base import MORE, NUMBER, Selector, ranking
from stabcore.selectors.catalog import BY_KEY, selector
from stabcore.study.choices import Choice

# a forest draws columns by position, and a random ranking uses only positions
DRAWS_COLUMNS = ("random_forest", "random_forest_permutation", "boruta", "knockoff_filter", "estimator", "random")
UNSUPERVISED = ("variance", "random")  # these do not use the target
MAY_RANK_NONE = (  # these may leave unused features unranked
    *("lasso", "elastic_net", "group_lasso", "glm_boosting", "augmented", "backward_elimination", "information_gain"),
    *("random_forest", "random_forest_permutation", "gbm", "estimator", "boruta", "knockoff_filter"),
)
NEED_ROWS = ("backward_elimination",)  # needs two more rows than columns
WARN = {"group_lasso", "hybrid_rfe"}  # with default options


def make(key):
    return selector(key, **QUICK.get(key, {}))


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
    if classes == 2 and key != "random":  # its scores are shuffled integers
        weighs = (fitted.scores_[~np.isnan(fitted.scores_)] % 1 != 0).any()
        assert weighs == BY_KEY[key].build.weighs  # scores are weights, or only an order
    used = np.count_nonzero(fitted.importances_) if key in MAY_RANK_NONE else 6
    assert len(fitted.select(3)) == min(3, used)
    assert len(fitted.warnings_) == (key in WARN) or used < 3 and len(fitted.warnings_) == 1
    assert len(fitted.select(100)) <= 6
    if key not in UNSUPERVISED:
        assert 5 in fitted.select(1 if classes == 2 else 3)  # the most informative column


def clinical(n=50, random_state=0):
    """Return a DataFrame with missing values, a category, a constant and an empty column, and text classes."""
    X, y = plain(n, 3, random_state=random_state)
    X[::6, 1] = np.nan
    stage = np.array(["I", "II", "III"], dtype=object)[np.random.default_rng(random_state).integers(0, 3, n)]
    stage[4] = None
    frame = pd.DataFrame(X, columns=["a", "b", "c"])
    return frame.assign(stage=pd.Categorical(stage), constant=0.1, empty=np.nan), np.array(["no", "yes"])[y]


@pytest.mark.parametrize("key", KEYS)
def test_refits_are_equal_and_the_seed_matters_only_with_chance(key):
    frame, y = clinical()
    fitted, bits, varying = make(key), [], []  # the last two columns are constant, and their order is random
    for rng in (np.random.default_rng(5), 5, 6):
        check(fitted.fit(frame, y, rng=rng, k=3), 6, 3)
        bits.append([getattr(fitted, name).tobytes() for name in ("scores_", "ranking_", "importances_")])
        varying.append(fitted.scores_[:4].tobytes())
    assert bits[0] == bits[1]
    assert (varying[1] != varying[2]) == BY_KEY[key].chance_inside == Choice(key, key).chance_inside
    assert key == "random" or fitted.select(1)[0] not in (4, 5)  # a constant column and an empty one


@pytest.mark.parametrize("key", ["mim", "lasso", "estimator"])  # inputs are read in one place for all
def test_form_of_table_and_names_of_classes_do_not_matter(key):
    X, y = plain()
    fits = [make(key).fit(form, y, rng=0) for form in (X, pd.DataFrame(X), as_table(X))]
    fits.append(make(key).fit(X, np.array(["a", "b"])[y], rng=0))
    assert len({fitted.scores_.tobytes() for fitted in fits}) == 1


@pytest.mark.parametrize("key", KEYS)
def test_numeric_targets(key):
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
def test_constant_tables_are_ranked_at_random_or_not_at_all(key):
    fits = [make(key).fit(np.ones((8, 4)), [0, 1] * 4, rng=seed) for seed in range(2 if key in MAY_RANK_NONE else 20)]
    check(fits[0], 4, 2)
    assert key in MAY_RANK_NONE or {int(fitted.select(1)[0]) for fitted in fits} == {0, 1, 2, 3}


@pytest.mark.parametrize("key", KEYS)
def test_invalid_inputs_are_refused(key):
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


def test_ranking_keeps_missing_scores_and_breaks_ties_at_random():
    scores = np.array([1.0, np.nan, 2.0, 1.0])
    ranks = np.array([ranking(scores, np.random.default_rng(seed)) for seed in range(200)])
    assert (ranks[:, 2] == 1).all()
    assert np.isnan(ranks[:, 1]).all()
    assert 70 < (ranks[:, 0] == 2).sum() < 130


def test_fits_use_one_thread_of_linear_algebra(monkeypatch):
    from threadpoolctl import threadpool_info

    def threads():
        return [pool["num_threads"] for pool in threadpool_info()]

    @dataclass
    class RecordsThreads(Selector):
        def _score(self, table, codes, rng, k):
            self.seen = threads()
            return np.zeros(table.n_features), np.zeros(table.n_features)

    before = threads()
    assert set(RecordsThreads().fit(*plain(), rng=0).seen) == {1}
    assert threads() == before
    pools = base._thread_pools(len(sys.modules))
    assert base._thread_pools(len(sys.modules)) is pools
    monkeypatch.setitem(sys.modules, "a_library_loaded_later", None)
    assert base._thread_pools(len(sys.modules)) is not pools


# ---- features that do not vary, and noise ----


CONSTANT = [2, 6, 9, 11]


def with_constants(seed, n=40):
    """Twelve features: the first is informative, four are constant, two have equal classes, and the others are noise."""
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 2
    X = rng.normal(size=(n, 12)).round(1)
    X[:, 0] += 1.5 * y
    X[:, 3], X[:, 4] = np.arange(n) // 2 % 2, np.arange(n) // 4 % 2
    X[:, CONSTANT] = 1.0, 0.0, -3.0, np.nan
    return FeatureTable(X, np.isin(np.arange(12), (4, 6)), tuple("abcdefghijkl")), y


@pytest.mark.parametrize("key", [key for key in KEYS if key != "random"])  # random does not use values
def test_constant_features_are_last(key):
    table, y = with_constants(0)
    fitted = make(key).fit(table, y, rng=0, k=3)
    check(fitted, 12, 3)
    ranks = np.where(np.isnan(fitted.ranking_), 99, fitted.ranking_)
    varies = np.setdiff1d(np.arange(12), CONSTANT)
    assert np.isnan(fitted.ranking_[CONSTANT]).all() or ranks[CONSTANT].min() > ranks[varies].max()
    assert (fitted.importances_[CONSTANT] == 0).all()


@pytest.mark.parametrize("key", ["mrmr", "jmi", "cmim", "auc_mrmr"])
def test_constant_features_do_not_affect_a_search(key):
    for seed in range(2):
        table, y = with_constants(seed)
        varies = np.setdiff1d(np.arange(12), [3, 4, *CONSTANT])  # 3 and 4 tie
        order, alone = (make(key).fit(table.columns(some), y, rng=0).ranking_ for some in (np.append(varies, CONSTANT), varies))
        assert np.array_equal(order[: len(varies)], alone)


COPIES = {"relieff": {}, "random_forest_permutation": {"trees": 20}}  # copies of a row affect distances and out-of-bag rows


@pytest.mark.parametrize("key", ["relieff", slow("random_forest_permutation")])
def test_noise_scores_alike_on_bootstrap_and_subsamples(key):
    """About 45% of scores. It is 95% if copies of a row are neighbours, or both in and out of the bag."""
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
