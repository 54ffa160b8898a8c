"""MIM, mRMR, JMI and CMIM: against slow textbook versions, against praznik, and the exactness of ties."""

import hashlib
import json
import math
import os
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats

import stabcore
from stabcore.data.encoding import discretise
from stabcore.data.feature_table import FeatureTable, as_table
from stabcore.selectors import mutual_information, selector
from stabcore.selectors.mutual_information import CMIM, JMI, MRMR
from stabcore.selectors.solvers.contingency import Information, PackedTable, packed_table

FORWARD = ["mrmr", "jmi", "cmim"]
SHARED = Path(os.environ.get("STABCORE_SHARED", Path(stabcore.__file__).parents[2] / "shared"))


def entropy(*columns):
    """Plug-in entropy in nats of the joint distribution of some columns."""
    counts = Counter(zip(*columns, strict=True)).values()
    n = len(columns[0])
    return math.fsum(-c / n * math.log(c / n) for c in counts)


def information(x, y, given=None):
    """I(X; Y) or I(X; Y | Z) in nats."""
    if given is None:
        return entropy(x) + entropy(y) - entropy(x, y)
    return entropy(x, given) + entropy(y, given) - entropy(x, y, given) - entropy(given)


def degrees(x, y, given):
    """Degrees of freedom of the information of two variables, where the third has each of its values."""
    return sum((len({a for a, c in zip(x, given) if c == value}) - 1) * (len({b for b, c in zip(y, given) if c == value}) - 1)
               for value in set(given))


def levelled(columns, y, bins, given=None):
    """Information of each column with y; of one with more codes than bins, what chance exceeds as often for those with as many."""
    found = np.array([information(x, y, given) for x in columns])
    many = np.array([len(set(x)) for x in columns])
    free = np.array([degrees(x, y, given or [0] * len(y)) for x in columns])
    for f in np.flatnonzero(many > bins):
        statistic = 2 * len(y) * found[f]
        found[f] = stats.chi2.isf(stats.chi2.sf(statistic, free[f]), free[many == bins].mean()) / (2 * len(y))
    return found


def criterion(key, columns, y, chosen, bins):
    """What each feature is worth after some choices, from the definitions of Brown et al. 2012."""
    relevance = levelled(columns, y, bins)
    if not chosen:
        return relevance
    if key == "mrmr":
        return relevance - np.mean([levelled(columns, columns[s], bins) for s in chosen], axis=0)
    conditional = [levelled(columns, y, bins, columns[s]) for s in chosen]
    if key == "jmi":
        return np.sum(conditional, axis=0) + sum(information(columns[s], y) for s in chosen)
    return np.min([relevance, *conditional], axis=0)


def small_data(classes, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, classes, 50)
    X = rng.normal(size=(50, 7)) + y[:, None] * rng.random(7)
    X[:, 3] = X[:, 0]                 # a copy: ties that are certain
    X[:, 4] = X[:, 4] > 0             # two values
    X[::9, 5] = np.nan
    return X, y


def order_of(fitted):
    ranked = np.flatnonzero(~np.isnan(fitted.ranking_))
    return ranked[np.argsort(fitted.ranking_[ranked])].tolist()


@pytest.mark.parametrize("classes", [2, 3])
def test_mim_is_the_plug_in_information(classes):
    X, y = small_data(classes)
    fitted = selector("mim", bins=4).fit(X, y, rng=0)
    codes, _ = discretise(as_table(X), 4)
    expected = [information(x, y.tolist()) for x in codes.T.tolist()]
    np.testing.assert_allclose(np.delete(fitted.scores_, 5), np.delete(expected, 5), atol=1e-13)
    assert 0 < fitted.scores_[5] < expected[5]      # its gaps are one code more than there are intervals
    np.testing.assert_allclose(fitted.scores_, levelled(codes.T.tolist(), y.tolist(), 4), atol=1e-11)
    assert fitted.scores_[0] == fitted.scores_[3]


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("seed", [0, 1])
@pytest.mark.parametrize("key", FORWARD)
def test_every_step_takes_a_best_feature(key, seed, classes):
    X, y = small_data(classes, seed)
    fitted = selector(key, bins=4).fit(X, y, rng=seed)
    columns = discretise(as_table(X), 4)[0].T.tolist()
    order = order_of(fitted)
    assert sorted(order) == list(range(7))
    for step, feature in enumerate(order):
        worth = criterion(key, columns, y.tolist(), order[:step], 4)
        worth[order[:step]] = -np.inf
        assert worth[feature] == pytest.approx(worth.max(), abs=1e-10)
        if key == "jmi" and step:   # the importance is the part of the sum that is the feature's own, a chosen feature
            worth = (worth - sum(information(columns[s], y.tolist()) for s in order[:step])) / step
        assert fitted.importances_[feature] == pytest.approx(max(worth[feature], 0), abs=1e-10)


@pytest.mark.parametrize("key", FORWARD)
def test_only_the_prefix_is_ranked(key):
    X, y = small_data(2)
    fitted = selector(key, length=3).fit(X, y, rng=0)
    assert np.isnan(fitted.ranking_).sum() == np.isnan(fitted.scores_).sum() == 4
    assert len(fitted.select(5)) == 3
    assert np.count_nonzero(fitted.importances_) <= 3
    assert len(selector(key, length=3).fit(X, y, rng=0, k=5).select(5)) == 5
    everything = selector(key).fit(X, y, rng=0)
    assert order_of(everything)[:3] == order_of(fitted)


@pytest.mark.parametrize("key", FORWARD)
def test_ties_fall_either_way(key):
    X, y = small_data(2)
    ranks = [selector(key).fit(X, y, rng=seed).ranking_ for seed in range(20)]
    assert {bool(one[0] < one[3]) for one in ranks} == {True, False}


_CODES = arrays(np.int64, st.tuples(st.integers(2, 40), st.just(4)), elements=st.integers(0, 3))


@settings(max_examples=50, deadline=None)
@given(_CODES, st.data())
def test_information_is_exact_and_knows_no_order(codes, data):
    table = FeatureTable(codes[:, :3].astype(float), np.ones(3, dtype=bool), ("a", "b", "c"))
    y = np.unique(codes[:, 3], return_inverse=True)[1]
    ours = Information(PackedTable(table, 5), y, terms=3)
    columns = codes.T.tolist()
    scale = ours.nats
    for s in range(3):
        for f in range(3):
            assert ours.relevance[f] * scale == pytest.approx(information(columns[f], columns[3]), abs=1e-12)
            assert ours.redundancy(s)[f] * scale == pytest.approx(information(columns[f], columns[s]), abs=1e-12)
            assert ours.conditional(s)[f] * scale == pytest.approx(
                information(columns[f], columns[3], columns[s]), abs=1e-12)
    rows, order = data.draw(st.permutations(range(len(y)))), data.draw(st.permutations(range(3)))
    moved = Information(PackedTable(table.rows(rows).columns(order), 5), y[list(rows)], terms=3)
    assert np.array_equal(moved.relevance, ours.relevance[order])
    assert np.array_equal(moved.joint(order.index(0)), ours.joint(0)[order])


@pytest.mark.parametrize("shape", [(2, 3, 5), (3, 4, 7), (2, 2, 41)])
def test_independent_features_have_exactly_no_information(shape):
    classes, levels, copies = shape
    y, x = np.divmod(np.arange(classes * levels).repeat(copies), levels)
    table = as_table(np.column_stack([x, x * 0]).astype(float))
    assert Information(PackedTable(table, 5), y).relevance.tolist() == [0, 0]


def test_counts_beyond_a_word_and_beyond_a_block():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(300, 900)), rng.integers(0, 3, 300)
    packed = PackedTable(as_table(X), 5)
    ours = Information(packed, y)
    codes = packed.codes.T.tolist()
    for f in (0, 1, 450, 899):
        assert ours.joint(7)[f] * ours.nats == pytest.approx(
            entropy(codes[f], codes[7]) + entropy(y.tolist()) - entropy(codes[f], codes[7], y.tolist()), abs=1e-12)


def test_the_four_selectors_share_one_packed_table():
    table = as_table(small_data(2)[0])
    assert packed_table(table, 5) is packed_table(table, 5)
    assert packed_table(table, 4) is not packed_table(table, 5)
    assert packed_table(table.rows(np.arange(50)), 5) is not packed_table(table, 5)


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("tied", [False, True])
def test_cmim_with_bounds_chooses_what_a_full_search_chooses(classes, tied):
    rng = np.random.default_rng(classes)
    y = rng.permutation(np.arange(120) % classes)
    X = rng.normal(size=(120, 400)) + y[:, None] * np.linspace(0, 1, 400) * rng.integers(0, 2, 400)
    X[:, 200:] += X[:, [0]]   # overlap: bounds fall late in the search
    if tied:
        X[:, 1::2] = X[:, ::2]
    table = as_table(X)
    fitted = selector("cmim", length=25).fit(table, y, rng=0)
    information = Information(packed_table(table, 5), y, terms=25)
    bound, chosen = information.relevance.copy(), order_of(fitted)
    for feature in chosen:
        assert bound[feature] == bound.max()
        assert fitted.importances_[feature] == max(bound[feature], 0) * information.nats
        bound = np.minimum(bound, information.conditional(feature))
        bound[chosen[: chosen.index(feature) + 1]] = np.iinfo(np.int64).min


def test_cmim_with_bounds_breaks_the_same_ties_by_lot(monkeypatch):
    rng = np.random.default_rng(0)
    y = np.arange(40) % 2
    X = (rng.random((40, 600)) < 0.3 + 0.2 * y[:, None]).astype(float)  # yes or no in 40 rows: hundreds of ties
    ranks = [selector("cmim", length=15).fit(X, y, rng=seed).ranking_ for seed in range(5)]
    monkeypatch.setattr(mutual_information, "_AT_ONCE", 600)
    for seed in range(5):
        np.testing.assert_array_equal(selector("cmim", length=15).fit(X, y, rng=seed).ranking_, ranks[seed])


def test_cmim_is_not_taken_in_by_a_bound_as_high_as_the_best():
    one, two = np.arange(40) // 20, np.arange(40) // 10 % 2    # independent, equally telling, more so together
    y = np.where(one == two, one, np.arange(40) % 2)
    X = np.repeat(np.column_stack([one, two]), 150, axis=1)
    for seed in range(10):
        first, second = order_of(selector("cmim", length=2).fit(X, y, rng=seed))
        assert (first < 150) != (second < 150)


def test_conditional_information_of_some_features_is_the_same():
    X, y = small_data(3)
    information = Information(PackedTable(as_table(X), 5), y)
    some = np.array([5, 0, 4])
    assert np.array_equal(information.conditional(2, some), information.conditional(2)[some])


def praznik_tables():
    """The three tables as praznik saw them: equal-width bins of scikit-learn's data, checked by their fingerprints."""
    from sklearn import datasets

    file = SHARED / "golden" / "praznik.json"
    if not file.exists():
        pytest.skip(f"reference values are not here: {file}")
    golden = json.loads(file.read_text(encoding="utf-8"))
    for name, about in golden["datasets"].items():
        X, y = getattr(datasets, f"load_{name}")(return_X_y=True)
        low, width = X.min(axis=0), np.ptp(X, axis=0)
        binned = np.clip(np.floor((X - low) / np.where(width > 0, width, 1) * 5), 0, 4)
        fingerprint = hashlib.sha256(np.ascontiguousarray(binned, dtype=np.int8).tobytes()).hexdigest()
        assert fingerprint == about["sha256_int8_C"]
        yield X, binned, y, [one for one in golden["results"] if one["dataset"] == name], [
            one for one in golden["mi_scores"] if one["dataset"] == name]


def worth_after(method, information, chosen):
    """The criterion of every feature in nats, and in exact whole numbers, as the search has it after these choices."""
    build = {"MIM": MRMR, "MRMR": MRMR, "JMI": JMI, "CMIM": CMIM}[method]
    search, state, exact = build(), None, information.relevance
    for step, feature in enumerate(chosen if method != "MIM" else [], start=1):
        state = search._next(information, state, feature)
        exact = search._criterion(information, state, step)
    return exact * information.nats / (max(len(chosen), 1) if method == "MRMR" else 1), exact


def test_praznik_finds_the_same_ties_and_margins_at_every_step(monkeypatch):
    monkeypatch.setattr(mutual_information, "_AT_ONCE", 1000)  # every bound exact: a margin needs the second best
    for _, binned, y, results, _ in praznik_tables():
        for one in results:
            information = Information(PackedTable(as_table(binned), 5), y, terms=len(one["selection0"]) + 1)
            for step, (tied, margin) in enumerate(zip(one["oracle_tied"], one["margin"], strict=True)):
                chosen = one["selection0"][:step]
                nats, exact = worth_after(one["method"], information, chosen)
                left = np.setdiff1d(np.arange(binned.shape[1]), chosen)
                best = left[exact[left] == exact[left].max()]
                assert best.tolist() == sorted(tied)
                others = np.setdiff1d(left, best)
                if len(others) and margin is not None:
                    assert nats[best[0]] - nats[others].max() == pytest.approx(margin, abs=1e-9)


def test_praznik_chooses_the_same():
    for X, binned, y, results, mi_scores in praznik_tables():
        wide = [f for f in range(X.shape[1]) if len(np.unique(X[:, f])) > 5]
        assert np.array_equal(discretise(as_table(X))[0][:, wide], binned[:, wide])
        for one in mi_scores:
            np.testing.assert_allclose(selector("mim").fit(binned, y, rng=0).scores_, one["score"], atol=1e-11)
        for one in results:
            fitted = selector(one["method"].lower()).fit(binned, y, rng=0)
            ours, theirs = order_of(fitted), one["selection0"]
            clear = [len(tied) == 1 and margin > 1e-9
                     for tied, margin in zip(one["oracle_tied"], one["margin"], strict=True)]
            steps = clear.index(False) if False in clear else len(theirs)  # beyond a tie the searches may part
            assert ours[:steps] == theirs[:steps]
            assert steps == len(theirs) or ours[steps] in one["oracle_tied"][steps]
            if one["method"] != "JMI":
                np.testing.assert_allclose(fitted.importances_[theirs[:steps]],
                                           np.maximum(one["score"][:steps], 0), atol=1e-11)
