"""MIM, mRMR, JMI and CMIM: against slow versions and praznik, with exact ties."""

import hashlib
import itertools

import numpy as np
import pytest
from contract_support import information
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats
from support import golden

from stabcore.data.encoding import discretise
from stabcore.data.feature_table import FeatureTable, as_table
from stabcore.selectors import mutual_information
from stabcore.selectors.catalog import selector
from stabcore.selectors.mutual_information import CMIM, JMI, MRMR
from stabcore.selectors.solvers.contingency import Information, PackedTable, packed_table
from stabcore.selectors.solvers.independence import information_moments, matched_chi2

FORWARD = ["mrmr", "jmi", "cmim"]


def standardised(columns, y, bins, given=None):
    """Information of each column with y, as the value with equal tail probability for a feature of `bins` codes."""
    n, given = len(y), given or [0] * len(y)
    parts = [[i for i in range(n) if given[i] == value] for value in sorted(set(given))]
    degrees = (bins - 1) * sum(len({y[i] for i in part}) - 1 for part in parts)
    found = []
    for x in columns:
        law = [
            information_moments(
                np.bincount([x[i] for i in part], minlength=max(x) + 1), np.array([0]), np.bincount([y[i] for i in part])
            )
            for part in parts
        ]
        mean, variance = 2 * sum(part_moments[0][0] for part_moments in law), 4 * sum(part_moments[1][0] for part_moments in law)
        found.append(matched_chi2(np.array([2 * n * information(x, y, given)]), np.array([mean]), np.array([variance]), degrees)[0])
    return np.array(found) / (2 * n)


def plain(columns, y, bins, given=None):
    """Information of each column with y, without standardisation."""
    return np.array([information(x, y, given) for x in columns])


def criterion(key, columns, y, chosen, bins, levelled):
    """Criterion of each feature after some selections, by the definitions of Brown et al. 2012."""
    relevance = levelled(columns, y, bins)
    if not chosen:
        return relevance
    if key == "mrmr":
        return relevance - np.mean([levelled(columns, columns[s], bins) for s in chosen], axis=0)
    conditional = [levelled(columns, y, bins, columns[s]) for s in chosen]
    if key == "jmi":
        return np.sum(conditional, axis=0) + sum(information(columns[s], y) for s in chosen)
    return np.min([relevance, *conditional], axis=0)


def small_data(classes, random_state=0):
    rng = np.random.default_rng(random_state)
    y = rng.integers(0, classes, 50)
    X = rng.normal(size=(50, 7)) + y[:, None] * rng.random(7)
    X[:, 3] = X[:, 0]  # a copy makes exact ties
    X[:, 4] = X[:, 4] > 0  # two values
    X[::9, 5] = np.nan
    return X, y


def order_of(fitted):
    ranked = np.flatnonzero(~np.isnan(fitted.ranking_))
    return ranked[np.argsort(fitted.ranking_[ranked])].tolist()


@pytest.mark.parametrize("classes", [2, 3])
def test_mim_is_the_plug_in_information(classes):
    X, y = small_data(classes)
    codes, _ = discretise(as_table(X), 4)
    for option, slow in (
        (False, plain),
        (True, standardised),
        (None, standardised),
    ):  # by default standardised, because one number has two values
        fitted = selector("mim", bins=4, standardised=option).fit(X, y, rng=0)
        np.testing.assert_allclose(fitted.scores_, slow(codes.T.tolist(), y.tolist(), 4), atol=1e-11)
        assert fitted.scores_[0] == fitted.scores_[3]
    numbers = np.delete(X, [4, 5], axis=1)
    usual, plug_in = (selector("mim", bins=4, standardised=option).fit(numbers, y, rng=0).scores_ for option in (None, False))
    assert np.array_equal(usual, plug_in)


def every_order(x, y):
    """n times the information of two variables, for all permutations of the second."""
    return np.array([len(x) * information(x, order) for order in itertools.permutations(y)])


@pytest.mark.parametrize(
    ("x", "y"), [("0001111", "0011111"), ("0011222", "0001111"), ("0112222", "0112233"), ("0123456", "0001122")]
)
def test_moments_under_independence_match_all_permutations(x, y):
    x, y = list(map(int, x)), list(map(int, y))
    values, (mean, variance) = every_order(x, y), information_moments(np.bincount(x), np.array([0]), np.bincount(y))
    assert mean[0] == pytest.approx(values.mean(), rel=1e-12)
    assert variance[0] == pytest.approx(values.var(), rel=0.05, abs=1e-12)


def test_standardised_values_keep_the_tail_probability():
    chances = np.array([0.5, 0.1, 0.01, 0.001, 1e-5])
    for degrees, usual in ((1, 4), (2, 4), (4, 16), (9, 4), (4, 4)):
        found = matched_chi2(stats.chi2.isf(chances, degrees), np.full(5, float(degrees)), np.full(5, 2.0 * degrees), usual)
        np.testing.assert_allclose(stats.norm.isf(stats.chi2.sf(found, usual)), stats.norm.isf(chances), atol=0.15)
    assert matched_chi2(np.array([3.0]), np.array([3.0]), np.array([0.0]), 4)[0] == pytest.approx(stats.chi2.median(4), rel=0.01)


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("key", FORWARD)
@pytest.mark.parametrize("slow", [plain, standardised])
def test_each_step_selects_a_best_feature(key, classes, slow):
    X, y = small_data(classes)
    fitted = selector(key, bins=4, standardised=slow is standardised).fit(X, y, rng=0)
    columns = discretise(as_table(X), 4)[0].T.tolist()
    order = order_of(fitted)
    assert sorted(order) == list(range(7))
    for step, feature in enumerate(order):
        worth = criterion(key, columns, y.tolist(), order[:step], 4, slow)
        worth[order[:step]] = -np.inf
        assert worth[feature] == pytest.approx(worth.max(), abs=1e-8)
        if key == "jmi" and step:  # the importance of JMI is a mean per selected feature
            worth = (worth - sum(information(columns[s], y.tolist()) for s in order[:step])) / step
        assert fitted.importances_[feature] == pytest.approx(max(worth[feature], 0), abs=1e-8)


_CODES = arrays(np.int64, st.tuples(st.integers(2, 40), st.just(4)), elements=st.integers(0, 3))


@settings(max_examples=30, deadline=None)
@given(_CODES, st.data())
def test_information_is_exact_in_any_order(codes, data):
    table = FeatureTable(codes[:, :3].astype(float), np.ones(3, dtype=bool), ("a", "b", "c"))
    y = np.unique(codes[:, 3], return_inverse=True)[1]
    ours = Information(PackedTable(table, 5), y, terms=3)
    columns = codes.T.tolist()
    scale = ours.nats
    for s in range(3):
        for f in range(3):
            assert ours.relevance[f] * scale == pytest.approx(information(columns[f], columns[3]), abs=1e-12)
            assert ours.redundancy(s)[f] * scale == pytest.approx(information(columns[f], columns[s]), abs=1e-12)
            assert ours.conditional(s)[f] * scale == pytest.approx(information(columns[f], columns[3], columns[s]), abs=1e-12)
    rows, order = data.draw(st.permutations(range(len(y)))), data.draw(st.permutations(range(3)))
    moved = Information(PackedTable(table.rows(rows).columns(order), 5), y[list(rows)], terms=3)
    assert np.array_equal(moved.relevance, ours.relevance[order])
    assert np.array_equal(moved.joint(order.index(0)), ours.joint(0)[order])


@pytest.mark.parametrize("shape", [(2, 3, 5), (3, 4, 7), (2, 2, 41)])
def test_independent_features_have_exactly_0_information(shape):
    classes, levels, copies = shape
    y, x = np.divmod(np.arange(classes * levels).repeat(copies), levels)
    table = as_table(np.column_stack([x, x * 0]).astype(float))
    assert Information(PackedTable(table, 5), y).relevance.tolist() == [0, 0]


@pytest.mark.parametrize("tied", [False, True])
def test_cmim_with_bounds_matches_a_full_search(tied):
    rng = np.random.default_rng(3)
    y = rng.permutation(np.arange(120) % 3)
    X = rng.normal(size=(120, 400)) + y[:, None] * np.linspace(0, 1, 400) * rng.integers(0, 2, 400)
    X[:, 200:] += X[:, [0]]  # overlap: bounds fall late in the search
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


def test_cmim_handles_a_bound_equal_to_the_best():
    first_feature, second_feature = np.arange(40) // 20, np.arange(40) // 10 % 2  # independent, equally telling, more so together
    y = np.where(first_feature == second_feature, first_feature, np.arange(40) % 2)
    X = np.repeat(np.column_stack([first_feature, second_feature]), 150, axis=1)
    for seed in range(10):
        first, second = order_of(selector("cmim", length=2).fit(X, y, rng=seed))
        assert (first < 150) != (second < 150)


def praznik_tables():
    """Data sets of scikit-learn in equal-width bins, as given to praznik and verified by hashes."""
    from sklearn import datasets

    printed = golden("praznik.json")
    for name, about in printed["datasets"].items():
        X, y = getattr(datasets, f"load_{name}")(return_X_y=True)
        low, width = X.min(axis=0), np.ptp(X, axis=0)
        binned = np.clip(np.floor((X - low) / np.where(width > 0, width, 1) * 5), 0, 4)
        fingerprint = hashlib.sha256(np.ascontiguousarray(binned, dtype=np.int8).tobytes()).hexdigest()
        assert fingerprint == about["sha256_int8_C"]
        yield X, binned, y, *([row for row in printed[part] if row["dataset"] == name] for part in ("results", "mi_scores"))


def worth_after(method, information, chosen):
    """Criterion of every feature after these selections, in nats and in the exact integers of the search."""
    build = {"MIM": MRMR, "MRMR": MRMR, "JMI": JMI, "CMIM": CMIM}[method]
    search, state, exact = build(), None, information.relevance
    for step, feature in enumerate(chosen if method != "MIM" else [], start=1):
        state = search._next_state(information, state, feature)
        exact = search._criterion(information, state, step)
    return exact * information.nats / (max(len(chosen), 1) if method == "MRMR" else 1), exact


def test_ties_and_margins_agree_with_praznik(monkeypatch):
    monkeypatch.setattr(mutual_information, "_FIRST_BATCH", 1000)  # all bounds exact, because a margin needs the second best
    for _, binned, y, results, _ in praznik_tables():
        for result in results:
            information = Information(PackedTable(as_table(binned), 5), y, terms=len(result["selection0"]) + 1)
            for step, (tied, margin) in enumerate(zip(result["oracle_tied"], result["margin"], strict=True)):
                chosen = result["selection0"][:step]
                nats, exact = worth_after(result["method"], information, chosen)
                left = np.setdiff1d(np.arange(binned.shape[1]), chosen)
                best = left[exact[left] == exact[left].max()]
                assert best.tolist() == sorted(tied)
                others = np.setdiff1d(left, best)
                if len(others) and margin is not None:
                    assert nats[best[0]] - nats[others].max() == pytest.approx(margin, abs=1e-9)


def test_selections_agree_with_praznik():
    for X, binned, y, results, mi_scores in praznik_tables():
        wide = [f for f in range(X.shape[1]) if len(np.unique(X[:, f])) > 5]
        assert np.array_equal(discretise(as_table(X))[0][:, wide], binned[:, wide])
        for row in mi_scores:
            np.testing.assert_allclose(selector("mim", standardised=False).fit(binned, y, rng=0).scores_, row["score"], atol=1e-11)
        for row in results:
            fitted = selector(row["method"].lower(), standardised=False).fit(binned, y, rng=0)
            ours, theirs = order_of(fitted), row["selection0"]
            clear = [len(tied) == 1 and margin > 1e-9 for tied, margin in zip(row["oracle_tied"], row["margin"], strict=True)]
            steps = clear.index(False) if False in clear else len(theirs)  # after a tie the searches may differ
            assert ours[:steps] == theirs[:steps]
            assert steps == len(theirs) or ours[steps] in row["oracle_tied"][steps]
            if row["method"] != "JMI":
                np.testing.assert_allclose(fitted.importances_[theirs[:steps]], np.maximum(row["score"][:steps], 0), atol=1e-11)
