"""Each measure against a slow version written from its definition, on input small enough to list everything."""

from itertools import combinations, permutations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from measure_support import everything, of_pairs, over, random_relation, rearranged, runs_of, same
from scipy.optimize import linprog
from scipy.sparse import csr_array
from scipy.stats import pearsonr, rankdata
from support import random_selection

import stabcore as sc
from stabcore.measures import chance, information, overlap, rank_overlap, weights
from stabcore.measures.catalog import BY_KEY
from stabcore.measures.random_sets import chance_of_union, random_pair
from stabcore.measures.transport import best_transports

Z = arrays(int, st.tuples(st.integers(2, 5), st.integers(2, 7)), elements=st.integers(0, 1))
SEED = st.integers(0, 10 ** 6)


# ---- sets: one value a pair ----

PAIR = {
    "jaccard": lambda r, a, b, d: over(r, a + b - r),
    "dice": lambda r, a, b, d: over(2 * r, a + b),
    "ochiai": lambda r, a, b, d: over(r, (a * b) ** 0.5),
    "hamming": lambda r, a, b, d: (r + d - (a + b - r)) / d,
    "pog": lambda r, a, b, d: (over(r, a) + over(r, b)) / 2,
    "lustgarten": lambda r, a, b, d: over(r - a * b / d, min(a, b) - max(0, a + b - d)),
    "wald": lambda r, a, b, d: over(r - a * b / d, min(a, b) - a * b / d),
    "kappa": lambda r, a, b, d: over(r - a * b / d, (a + b) / 2 - a * b / d),
    "phi": lambda r, a, b, d: over(r - a * b / d, (a * (1 - a / d) * b * (1 - b / d)) ** 0.5),
    "unadjusted": lambda r, a, b, d: over(r - a * b / d, (a * b) ** 0.5 - a * b / d),
    "npog": lambda r, a, b, d: (over(r - a * b / d, a - a * b / d) + over(r - a * b / d, b - a * b / d)) / 2,
}


@pytest.mark.parametrize("key", PAIR)
@settings(max_examples=40, deadline=None)
@given(Z)
def test_measures_of_pairs_of_sets(key, matrix):
    d = matrix.shape[1]
    slow = of_pairs(matrix, lambda V, W: PAIR[key](len(V & W), len(V), len(W), d))
    assert same(BY_KEY[key].function(runs_of(matrix)), slow)


def slow_novovicova(matrix):
    M, h = len(matrix), matrix.sum(axis=0)
    return over(sum(x * np.log2(x) for x in h if x), h.sum() * np.log2(M))


def slow_davis(matrix, penalty=0.0):
    h, k = matrix.sum(axis=0), matrix.sum(axis=1)
    return max(0, (h[h > 0] / len(matrix)).mean() - penalty / matrix.shape[1] * np.median(k)) if h.any() else np.nan


def slow_somol(matrix):
    (n, p), h = matrix.shape, matrix.sum(axis=0)
    q = h.sum()
    if not q:
        return np.nan
    cw = (h / q * (h - 1) / (n - 1)).sum()
    least = (q ** 2 - p * (q - q % p) - (q % p) ** 2) / (p * q * (n - 1))
    most = ((q % n) ** 2 + q * (n - 1) - (q % n) * n) / (q * (n - 1))
    return over(cw - least, most - least)


def slow_nogueira(matrix):
    (M, d), p, k = matrix.shape, matrix.mean(axis=0), matrix.sum(axis=1).mean()
    return 1 - over((M / (M - 1) * p * (1 - p)).mean(), k / d * (1 - k / d))


@settings(max_examples=80, deadline=None)
@given(Z, st.sampled_from([0.0, 0.5, 2.0]))
def test_measures_of_all_sets_at_once(matrix, penalty):
    runs = runs_of(matrix)
    assert same(overlap.novovicova(runs), slow_novovicova(matrix))
    assert same(overlap.davis(runs, penalty=penalty), slow_davis(matrix, penalty))
    assert same(chance.somol(runs), slow_somol(matrix))
    assert same(chance.nogueira(runs), slow_nogueira(matrix))


@settings(max_examples=40, deadline=None)
@given(st.integers(2, 5), st.integers(2, 7), SEED)
def test_kuncheva(runs, d, seed):
    k = 1 + seed % (d - 1)
    matrix = random_selection(np.random.default_rng(seed), runs, d, k, k)
    slow = of_pairs(matrix, lambda V, W: (len(V & W) * d - k * k) / (k * (d - k)))
    assert same(chance.kuncheva(runs_of(matrix)), slow)


# ---- chance of sets: every selection listed ----

@pytest.mark.parametrize("key", ["jaccard", "dice", "ochiai", "hamming", "pog"])
@pytest.mark.parametrize("a,b,d", [(1, 3, 5), (2, 2, 6), (4, 3, 6), (6, 2, 6), (1, 1, 1)])
def test_correction_of_pairs_is_by_all_sets_listed(key, a, b, d):
    listed = np.mean([PAIR[key](len(set(range(a)) & set(W)), a, b, d) for W in combinations(range(d), b)])
    runs = sc.Preferences.from_sets([range(a), range(d - b, d)], n_features=d)
    raw = BY_KEY[key].function(runs)
    assert same(BY_KEY[key].function(runs, corrected=True), over(raw - listed, 1 - listed))
    assert random_pair(BY_KEY[key].function.pair, a, b, d)[0] == pytest.approx(listed, abs=1e-12)


@pytest.mark.parametrize("sizes,d", [((2, 2, 2), 5), ((1, 2, 3), 5), ((0, 2, 4), 4), ((1, 1, 2, 3), 4)])
@pytest.mark.parametrize("penalty", [0.0, 0.7])
def test_correction_of_davis_and_novovicova_is_by_all_sets_listed(sizes, d, penalty):
    every = [np.array([np.isin(np.arange(d), V) for V in chosen], dtype=int)
             for chosen in product(*(combinations(range(d), k) for k in sizes))]
    one = sc.Preferences.from_selection_matrix(every[len(every) // 3])
    most = max(1 - penalty / d, (len(sizes) - 1) // 2 / len(sizes))
    for found, slow, largest in ((overlap.davis, lambda matrix: slow_davis(matrix, penalty), most),
                                 (overlap.novovicova, slow_novovicova, 1)):
        options = {"penalty": penalty} if found is overlap.davis else {}
        listed, raw = np.mean([slow(matrix) for matrix in every]), found(one, **options)
        assert same(found(one, corrected=True, **options), over(raw - listed, largest - listed))
    unions, shares = np.unique([(matrix.sum(axis=0) > 0).sum() for matrix in every], return_counts=True)
    v, p = chance_of_union(np.array(sizes), d)
    assert v.tolist() == unions.tolist() and p == pytest.approx(shares / len(every), abs=1e-12)


def test_random_pairs_are_hypergeometric():
    rng = np.random.default_rng(10)
    mean, sd = random_pair(overlap.jaccard.pair, 4, 4, 15)
    drawn = [len(np.intersect1d(*(rng.choice(15, 4, replace=False) for _ in range(2)))) for _ in range(4000)]
    drawn = np.array(drawn) / (8 - np.array(drawn))
    assert np.mean(drawn) == pytest.approx(mean, abs=4 * sd / 60) and np.std(drawn) == pytest.approx(sd, rel=0.1)


# ---- weights and ranks ----

@settings(max_examples=40, deadline=None)
@given(arrays(float, st.tuples(st.integers(3, 6), st.integers(3, 8)), elements=st.integers(0, 4).map(float)), st.integers(0, 99))
def test_rank_and_weight_measures(scores, seed):
    def mean(rows, value):
        return np.mean([value(a, b) for a, b in combinations(rows, 2)])

    runs, d = sc.Preferences.from_scores(scores), scores.shape[1]
    if np.ptp(scores, axis=1).min() > 0:
        assert weights.pearson_scores(runs) == pytest.approx(mean(scores, lambda a, b: pearsonr(a, b)[0]), abs=1e-10)
        assert weights.pearson_scores(runs.top(2)) == weights.pearson_scores(runs)
        ranks = rankdata(-scores, axis=1)
        assert weights.spearman_ranks(runs, ties="average") == pytest.approx(mean(ranks, lambda a, b: pearsonr(a, b)[0]), abs=1e-10)
    if (scores > 0).any(axis=1).all() and (scores == 0).any(axis=1).all():
        slow = mean(scores, lambda a, b: np.corrcoef(a, b)[0, 1])
        assert weights.pearson_weights(sc.Preferences.from_importances(scores)) == pytest.approx(slow, abs=1e-10, nan_ok=True)
    broken = runs.ranking(seed)
    assert (np.sort(broken, axis=1) == np.arange(1, d + 1)).all()
    assert weights.spearman_ranks(runs, seed=seed) == pytest.approx(mean(broken, lambda a, b: pearsonr(a, b)[0]), abs=1e-10)
    for k in (1, d // 2 + 1, d):
        every = np.minimum(np.arange(1, d + 1), k + 1)
        chi = canberra(every[:, None], every).sum() / d
        for ties, places in (("random", broken), ("average", rankdata(-scores, axis=1))):
            top = np.minimum(places, k + 1)
            slow = 1 - mean(top, lambda a, b: canberra(a, b).sum()) / chi
            assert weights.canberra(runs, k=k, ties=ties, seed=seed) == pytest.approx(slow, abs=1e-10)


def canberra(a, b):
    return np.abs(a - b) / (a + b)


@pytest.mark.parametrize("d,k", [(2, 1), (2, 2), (4, 1), (4, 3), (5, 2), (5, 5)])
def test_canberra_is_0_on_average_over_all_rankings_listed(d, k):
    """With one of two rankings held still, as features have no order of their own."""
    orders = np.array(list(permutations(range(d))), dtype=float)
    listed = [weights.canberra(sc.Preferences.from_scores(np.array([orders[0], order])), k=k) for order in orders]
    assert np.mean(listed) == pytest.approx(0, abs=1e-12) and min(listed) >= -1 - 1e-12 and max(listed) == pytest.approx(1)


@pytest.mark.parametrize("scores,k", [([[3, 1, 1, 0], [2, 2, 2, 1], [1, 0, 0, 0]], 2), ([[2, 2, 1, 0], [3, 2, 1, 0]], 2),
                                      ([[1, np.nan, np.nan, np.nan], [2, 1, np.nan, np.nan], [1, 1, 2, np.nan]], 3)])
def test_what_shared_and_empty_places_agree_by_luck_is_the_mean_over_all_permutations_and_is_said(scores, k):
    scores = np.array(scores, dtype=float)
    orders = [list(order) for order in permutations(range(scores.shape[1]))]
    pairs = [sc.Preferences.from_scores(np.array([a, b[order]])) for a, b in combinations(scores, 2) for order in orders]
    listed = np.mean([weights.canberra(pair, k=k) for pair in pairs])
    said = sc.stability(sc.Preferences.from_scores(scores), "canberra", k=k).warnings
    assert abs(listed) > 0.01 and f"held by none, so picking at random gives {listed:.2f} here, not 0." in said[0]
    by_lot = np.mean([weights.canberra(pair, k=k, ties="random", seed=seed) for seed in range(20) for pair in pairs])
    assert np.isnan(scores).any() or by_lot == pytest.approx(0, abs=0.05)


# ---- the first places ----

def slow_rbo(one, other, k, p, d):
    """(RBO, what random orders give) of two lists of features, best first, by the definition."""
    depths = range(1, k + 1)
    common = [len(set(one[:e]) & set(other[:e])) for e in depths]
    found, expected = ([x / k * p ** k for x in (common[-1], k * k / d)])
    found += (1 - p) / p * sum(x / e * p ** e for e, x in zip(depths, common, strict=True))
    expected += (1 - p) / p * sum(e / d * p ** e for e in depths)
    return found, expected


@pytest.mark.parametrize("p", [0.5, 0.9])
@pytest.mark.parametrize("d,k", [(2, 1), (3, 3), (8, 5), (30, 20)])
def test_rank_biased_overlap(d, k, p):
    rng = np.random.default_rng(d)
    scores = rng.permuted(np.tile(np.arange(float(d)), (5, 1)), axis=1)
    runs, lists = sc.Preferences.from_scores(scores), [list(np.argsort(-row)) for row in scores]
    pairs = [slow_rbo(a, b, k, p, d) for a, b in combinations(lists, 2)]
    assert BY_KEY["rbo"].function is rank_overlap.rbo
    plain, expected = np.array(pairs).T
    assert rank_overlap.rbo(runs, p=p, k=k, corrected=False) == pytest.approx(plain.mean(), abs=1e-12)
    assert rank_overlap.rbo(runs, p=p, k=k) == pytest.approx(((plain - expected) / (1 - expected)).mean(), abs=1e-12)
    assert rank_overlap.rbo(runs.take([0, 0]), p=p, k=k) == pytest.approx(1)
    assert rank_overlap.rbo(runs.top(k), p=p) == rank_overlap.rbo(runs, p=p, k=k)


@pytest.mark.parametrize("d,k", [(2, 1), (2, 2), (4, 3), (5, 2), (5, 5)])
def test_rbo_of_all_orders_listed_is_0_on_average_with_the_spread_that_is_said_and_never_below_minus_1(d, k):
    orders = np.array(list(permutations(range(d))), dtype=float)
    listed = [rank_overlap.rbo(sc.Preferences.from_scores(np.array([orders[0], order])), k=k, corrected=False) for order in orders]
    mean, sd = (one[0] for one in rank_overlap.random_along(np.array([k]), d))
    assert np.mean(listed) == pytest.approx(mean, abs=1e-12) and np.std(listed) == pytest.approx(sd, abs=1e-12)
    assert (min(listed) - mean) / (1 - mean) >= -1 - 1e-12 and max(listed) == pytest.approx(1)


def test_rbo_compares_two_runs_as_deep_as_both_rank():
    gaps = np.array([[9, 8, np.nan, np.nan, np.nan], [9, 8, 7, np.nan, np.nan], [8, 9, 7, 6, 5]])
    runs, orders = sc.Preferences.from_scores(gaps), [[0, 1], [0, 1, 2], [1, 0, 2, 3, 4]]
    pairs = np.array([slow_rbo(a, b, min(len(a), len(b)), 0.9, 5) for a, b in combinations(orders, 2)])
    assert rank_overlap.rbo(runs) == pytest.approx(np.mean((pairs[:, 0] - pairs[:, 1]) / (1 - pairs[:, 1])), abs=1e-12)
    assert np.isnan(rank_overlap.rbo(sc.Preferences.from_importances([[0, 0, 0], [1, 2, 0]])))
    assert "ranks nothing" in sc.stability(sc.Preferences.from_importances([[0, 0, 0.0], [1, 2, 0]]), "rbo").reason


# ---- importances ----

def scaled(importances):
    total = importances.sum(axis=1, keepdims=True)
    return np.divide(importances, total, out=np.zeros_like(importances), where=total > 0) * (importances > 0).sum(axis=1).mean()


def slow_importance_weighted(importances):
    d, k_mean = importances.shape[1], (importances > 0).sum(axis=1).mean()
    agreed, by_chance = [], []
    for a, b in combinations(scaled(importances), 2):
        if not a.any() and not b.any():
            agreed.append(k_mean), by_chance.append(k_mean)
        else:
            agreed.append(np.minimum(a, b).sum())
            by_chance.append(np.minimum.outer(a[a > 0], b[b > 0]).sum() / d if a.any() and b.any() else 0.0)
    return over(np.mean(agreed) - np.mean(by_chance), k_mean - np.mean(by_chance))


IMPORTANCES = arrays(float, st.tuples(st.integers(2, 5), st.integers(2, 6)), elements=st.sampled_from([0.0, 0.5, 1.0, 2.0, 7.0]))


@settings(max_examples=80, deadline=None)
@given(IMPORTANCES)
def test_importance_weighted(importances):
    found = information.importance_weighted(sc.Preferences.from_importances(importances))
    slow = slow_importance_weighted(importances)
    if np.isnan(found) != np.isnan(slow):
        assert not importances.any() or (importances > 0).all() and np.ptp(importances, axis=1).max() == 0
    else:
        assert same(found, slow)


def dense_transport(first, second, C):
    """The whole d × d linear program."""
    d = len(first)
    rows, columns = np.kron(np.eye(d), np.ones(d)), np.kron(np.ones(d), np.eye(d))
    return -linprog(-C.ravel(), A_ub=np.r_[rows, columns], b_ub=np.r_[first, second], method="highs").fun


@settings(max_examples=40, deadline=None)
@given(arrays(float, st.tuples(st.just(2), st.integers(2, 7)), elements=st.sampled_from([0.0, 0.1, 0.5, 1.0, 3.0])), SEED,
       st.sampled_from([0.2, 0.5, 1.0]))
def test_transports_equal_the_full_dense_linear_program(importances, seed, filled):
    d = importances.shape[1]
    rng = np.random.default_rng(seed)
    C = random_relation(rng, d, filled, (*rng.random(4), 1.0))
    dense = C.block(np.arange(d))
    neighbours = dense * (1 - np.eye(d))
    first, second = csr_array(importances[:1]), csr_array(importances[1:])
    found = best_transports(first, np.array([0]), second, np.array([0]), csr_array(neighbours))[0]
    assert found == pytest.approx(dense_transport(*importances, dense), abs=1e-9)


@settings(max_examples=15, deadline=None)
@given(IMPORTANCES, SEED, st.booleans())
def test_uncorrected_shared_information(importances, seed, grouped):
    d = importances.shape[1]
    relation = (sc.Relation.from_groups({"a": range(d // 2), "b": range(d // 2, d)}, n_features=d) if grouped else
                random_relation(np.random.default_rng(seed), d))
    J, C, k = scaled(importances), relation.block(np.arange(d)), (importances > 0).sum(axis=1).mean()
    slow = np.mean([k if not a.any() and not b.any() else dense_transport(a, b, C) for a, b in combinations(J, 2)]) / k if k else 1
    runs = sc.Preferences.from_importances(importances)
    assert information.shared_information(runs, relation, corrected=False) == pytest.approx(slow, abs=1e-9)


HUB = np.eye(5) + 0.8 * np.not_equal.outer(np.arange(5) == 0, np.arange(5) == 0)           # the others stand for feature 0
CHAIN = np.eye(4) + 0.6 * (np.abs(np.subtract.outer(np.arange(4), np.arange(4))) == 1)
PAIRED = np.kron(np.eye(2), np.ones((2, 2)))


@pytest.mark.parametrize("C,importances", [
    (PAIRED, [[3, 1, 0, 0], [0, 2, 1, 1], [1, 0, 0, 1]]), (CHAIN, [[3, 1, 0, 0], [0, 2, 1, 1], [1, 0, 0, 1]]),
    (HUB, [[8, 1, 1, 0, 0], [0, 1, 0, 6, 2], [7, 0, 2, 0, 1]])], ids=["groups", "chain", "hub"])
def test_chance_of_shared_information_is_the_mean_over_all_permutations(C, importances):
    J, orders = np.array(importances) / np.sum(importances, axis=1, keepdims=True), [list(p) for p in permutations(range(len(C)))]
    A = np.mean([dense_transport(a, b, C) for a, b in combinations(J, 2)])
    E = np.mean([dense_transport(a, b[order], C) for a, b in permutations(J, 2) for order in orders])         # either is permuted
    found = sc.stability(sc.Preferences.from_importances(np.array(importances, dtype=float)), "shared_information",
                         relation=sc.Relation.from_matrix(C), draws=1500)
    assert 0 < found.chance_error < 0.05 and abs(found.value - (A - E) / (1 - E)) < 4 * found.chance_error


def test_the_stated_error_of_a_drawn_chance_is_how_far_values_of_other_seeds_lie_apart():
    """With 20 runs, 190 pairs, chance is drawn twice: an error taken from the two alone would itself vary by 75 %."""
    rows = np.random.default_rng(0).random((20, 12)) * (np.random.default_rng(1).random((20, 12)) < 0.4)
    rows[:, 0] += 0.1
    C = np.eye(12) + 0.7 * np.not_equal.outer(np.arange(12) == 0, np.arange(12) == 0)
    runs, relation = sc.Preferences.from_importances(rows), sc.Relation.from_matrix(C)
    terms = [information.shared_information.terms(runs, relation, draws=2, seed=seed) for seed in range(40)]
    spread, stated = np.std([one.value() for one in terms], ddof=1), np.array([one.chance_error for one in terms])
    assert 0.7 < np.sqrt((stated ** 2).mean()) / spread < 1.4 and stated.std() / stated.mean() < 0.35


def test_carrying_importance_leaves_the_runs_as_they_were():
    """Rows that are not in order, on buffers that somebody else reads too."""
    data, columns, start = np.array([5.0, 1, 2, 3]), np.array([3, 0, 2, 1]), np.array([0, 2, 4])
    first = csr_array((data, columns, start), shape=(2, 4))
    best_transports(first, np.array([0]), csr_array((data, [0, 1, 2, 3], start), shape=(2, 4)), np.array([1]),
                    csr_array(np.ones((4, 4)) - np.eye(4)))
    assert data.tolist() == [5, 1, 2, 3] and columns.tolist() == [3, 0, 2, 1]


# ---- leaving one run out ----

@pytest.mark.parametrize("key", BY_KEY)
def test_jackknife_equals_leaving_out_each_run_for_real(key):
    runs, relation = everything(np.random.default_rng(9))
    function = BY_KEY[key].function
    options = {"corrected": False} if key == "shared_information" else {}
    check_jackknife(runs, relation, function, options)


@pytest.mark.parametrize("key", ["jaccard", "dice", "ochiai", "hamming", "pog", "zucknick", "davis", "novovicova"])
def test_jackknife_of_corrected_measures_and_varying_sizes(key):
    runs = runs_of(random_selection(np.random.default_rng(13), 6, 9, 2, 6))
    check_jackknife(runs, sc.Relation.from_groups({"a": [0, 1, 2]}, n_features=9), BY_KEY[key].function, {"corrected": True})


def test_jackknife_of_davis_with_a_penalty():
    runs = runs_of(random_selection(np.random.default_rng(14), 7, 9, 2, 6))
    check_jackknife(runs, None, overlap.davis, {"penalty": 0.4})


UNITS = {"pairs": [0, 0, 1, 1, 2, 2, 3, 3], "of any size": [2, 0, 2, 1, 3, 2, 1, 2], "two": [0, 1, 1, 1, 0, 0, 1, 1]}


@pytest.mark.parametrize("units", UNITS)
@pytest.mark.parametrize("key", BY_KEY)
def test_units_are_left_out_as_a_whole(key, units):
    runs, relation = everything(np.random.default_rng(9), 8)
    options = {"corrected": False} if key == "shared_information" else {}
    check_jackknife(runs.in_units(UNITS[units]), relation, BY_KEY[key].function, options)


@pytest.mark.parametrize("key", ["jaccard", "dice", "hamming", "pog", "zucknick", "davis", "novovicova"])
def test_units_of_corrected_measures_and_varying_sizes(key):
    runs = runs_of(random_selection(np.random.default_rng(13), 8, 9, 2, 6))
    for units in UNITS.values():
        check_jackknife(runs.in_units(units), sc.Relation.from_groups({"a": [0, 1, 2]}, n_features=9), BY_KEY[key].function,
                        {"corrected": True})


@pytest.mark.parametrize("key", ["importance_weighted", "jaccard", "ochiai", "nogueira", "somol", "shared_information"])
def test_units_with_runs_that_selected_nothing(key):
    importances = np.random.default_rng(5).uniform(0.2, 1, (8, 9)) * random_selection(np.random.default_rng(6), 8, 9, 2, 6)
    importances[[0, 3, 6]] = 0
    runs = sc.Preferences.from_importances(importances)
    options = {"undefined": "skip"} if key in ("jaccard", "ochiai") else {"corrected": False} if key == "shared_information" else {}
    for units in UNITS.values():
        relation = sc.Relation.from_groups({"a": [0, 1, 2]}, n_features=9)
        check_jackknife(runs.in_units(units), relation, BY_KEY[key].function, options)


def test_without_a_unit_nothing_is_left():
    left_out = chance.nogueira.terms(everything(np.random.default_rng(9), 4)[0].in_units([0, 1, 1, 1])).leaving_one_out()
    assert np.isfinite(left_out[0]) and np.isnan(left_out[1])


def check_jackknife(runs, relation, function, options):
    left_out, units = function.terms(runs, relation, **options).leaving_one_out(), runs.units
    units = np.arange(runs.n_runs) if units is None else units
    assert len(left_out) == runs.n_units == units.max() + 1
    for unit, found in enumerate(left_out):
        rest = rearranged(runs.in_units(None), np.flatnonzero(units != unit))
        assert found == pytest.approx(function(rest, relation, **options), abs=1e-10, nan_ok=True)


def test_jackknife_of_corrected_shared_information_keeps_the_drawn_chance_of_each_pair():
    runs, relation = everything(np.random.default_rng(9))
    terms = information.shared_information.terms(runs, relation, draws=300)
    uncorrected = information.shared_information.terms(runs, relation, corrected=False).leaving_one_out()
    chances = (uncorrected - terms.leaving_one_out()) / (1 - terms.leaving_one_out())        # E without each run, solved for
    whole = (information.shared_information(runs, relation, corrected=False) - terms.value()) / (1 - terms.value())
    assert chances.mean() == pytest.approx(whole, abs=1e-3) and np.ptp(chances) < 0.1
