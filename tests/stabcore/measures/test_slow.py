"""Each measure and its jackknife against slow versions from their definitions, on input small enough for enumeration."""

from itertools import combinations, permutations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from measure_support import CORRECTABLE, everything, of_pairs, over, random_similarity, rearranged, runs_of, same
from scipy.optimize import linprog
from scipy.sparse import csr_array
from scipy.stats import pearsonr, rankdata
from support import random_selection, slow

import stabcore as sc
from stabcore.measures import chance, information, overlap, rank_overlap, weights
from stabcore.measures.catalog import BY_KEY
from stabcore.measures.information import best_transports
from stabcore.measures.random_sets import random_pair_moments, union_probabilities

Z = arrays(int, st.tuples(st.integers(2, 5), st.integers(2, 7)), elements=st.integers(0, 1))
SEED = st.integers(0, 10**6)


# ---- sets: one value per pair ----

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
@settings(max_examples=20, deadline=None)
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
    least = (q**2 - p * (q - q % p) - (q % p) ** 2) / (p * q * (n - 1))
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
def test_kuncheva(runs, d, random_state):
    k = 1 + random_state % (d - 1)
    matrix = random_selection(np.random.default_rng(random_state), runs, d, k, k)
    slow = of_pairs(matrix, lambda V, W: (len(V & W) * d - k * k) / (k * (d - k)))
    assert same(chance.kuncheva(runs_of(matrix)), slow)


# ---- chance of sets: all selections enumerated ----


@pytest.mark.parametrize("key", CORRECTABLE)
@pytest.mark.parametrize(("a", "b", "d"), [(1, 3, 5), (2, 2, 6), (4, 3, 6), (6, 2, 6), (1, 1, 1)])
def test_pairs_are_corrected_by_enumeration(key, a, b, d):
    listed = np.mean([PAIR[key](len(set(range(a)) & set(W)), a, b, d) for W in combinations(range(d), b)])
    runs = sc.Selections.from_lists([range(a), range(d - b, d)], n_features=d)
    raw = BY_KEY[key].function(runs)
    assert same(BY_KEY[key].function(runs, corrected=True), over(raw - listed, 1 - listed))
    assert random_pair_moments(BY_KEY[key].function.pair, a, b, d)[0] == pytest.approx(listed, abs=1e-12)


@pytest.mark.parametrize(("sizes", "d"), [((2, 2, 2), 5), ((1, 2, 3), 5), ((0, 2, 4), 4), ((1, 1, 2, 3), 4)])
@pytest.mark.parametrize("penalty", [0.0, 0.7])
def test_davis_and_novovicova_are_corrected_by_enumeration(sizes, d, penalty):
    every = [
        np.array([np.isin(np.arange(d), V) for V in chosen], dtype=int)
        for chosen in product(*(combinations(range(d), k) for k in sizes))
    ]
    selections = sc.Selections.from_matrix(every[len(every) // 3])
    most = max(1 - penalty / d, (len(sizes) - 1) // 2 / len(sizes))
    for found, defined, largest in (
        (overlap.davis, lambda matrix: slow_davis(matrix, penalty), most),
        (overlap.novovicova, slow_novovicova, 1),
    ):
        options = {"penalty": penalty} if found is overlap.davis else {}
        listed, raw = np.mean([defined(matrix) for matrix in every]), found(selections, **options)
        assert same(found(selections, corrected=True, **options), over(raw - listed, largest - listed))
    unions, shares = np.unique([(matrix.sum(axis=0) > 0).sum() for matrix in every], return_counts=True)
    v, p = union_probabilities(np.array(sizes), d)
    assert v.tolist() == unions.tolist() and p == pytest.approx(shares / len(every), abs=1e-12)


# ---- weights and ranks ----


@settings(max_examples=15, deadline=None)
@given(arrays(float, st.tuples(st.integers(3, 6), st.integers(3, 8)), elements=st.integers(0, 4).map(float)), st.integers(0, 99))
def test_rank_and_weight_measures(scores, random_state):
    def mean(rows, value):
        return np.mean([value(a, b) for a, b in combinations(rows, 2)])

    runs, d = sc.Selections.from_scores(scores), scores.shape[1]
    if np.ptp(scores, axis=1).min() > 0:
        assert weights.pearson_scores(runs) == pytest.approx(mean(scores, lambda a, b: pearsonr(a, b)[0]), abs=1e-10)
        assert weights.pearson_scores(runs.top(2)) == weights.pearson_scores(runs)
        ranks = rankdata(-scores, axis=1)
        assert weights.spearman_ranks(runs, ties="average") == pytest.approx(mean(ranks, lambda a, b: pearsonr(a, b)[0]), abs=1e-10)
    if (scores > 0).any(axis=1).all() and (scores == 0).any(axis=1).all():
        slow = mean(scores, lambda a, b: np.corrcoef(a, b)[0, 1])
        assert weights.pearson_weights(sc.Selections.from_weights(scores)) == pytest.approx(slow, abs=1e-10, nan_ok=True)
    broken = runs.ranking(random_state)
    assert (np.sort(broken, axis=1) == np.arange(1, d + 1)).all()
    assert weights.spearman_ranks(runs, random_state=random_state) == pytest.approx(
        mean(broken, lambda a, b: pearsonr(a, b)[0]), abs=1e-10
    )
    for k in (1, d // 2 + 1, d):
        every = np.minimum(np.arange(1, d + 1), k + 1)
        chi = canberra(every[:, None], every).sum() / d
        for ties, places in (("random", broken), ("average", rankdata(-scores, axis=1))):
            top = np.minimum(places, k + 1)
            slow = 1 - mean(top, lambda a, b: canberra(a, b).sum()) / chi
            assert weights.canberra(runs, k=k, ties=ties, random_state=random_state) == pytest.approx(slow, abs=1e-10)


def canberra(a, b):
    return np.abs(a - b) / (a + b)


@pytest.mark.parametrize(("d", "k"), [(2, 1), (2, 2), (4, 1), (4, 3), (5, 2), (5, 5)])
def test_the_mean_of_canberra_over_all_rankings_is_0(d, k):
    """One of the two rankings is fixed, because the order of features is arbitrary."""
    orders = np.array(list(permutations(range(d))), dtype=float)
    listed = [weights.canberra(sc.Selections.from_scores(np.array([orders[0], order])), k=k) for order in orders]
    assert np.mean(listed) == pytest.approx(0, abs=1e-12) and min(listed) >= -1 - 1e-12 and max(listed) == pytest.approx(1)


@pytest.mark.parametrize(
    ("scores", "k"),
    [
        ([[3, 1, 1, 0], [2, 2, 2, 1], [1, 0, 0, 0]], 2),
        ([[2, 2, 1, 0], [3, 2, 1, 0]], 2),
        ([[1, np.nan, np.nan, np.nan], [2, 1, np.nan, np.nan], [1, 1, 2, np.nan]], 3),
    ],
)
def test_chance_with_ties_and_gaps_is_the_permutation_mean(scores, k):
    scores = np.array(scores, dtype=float)
    orders = [list(order) for order in permutations(range(scores.shape[1]))]
    pairs = [sc.Selections.from_scores(np.array([a, b[order]])) for a, b in combinations(scores, 2) for order in orders]
    listed = np.mean([weights.canberra(pair, k=k) for pair in pairs])
    warnings = " ".join(sc.stability(sc.Selections.from_scores(scores), "canberra", k=k).warnings)
    assert abs(listed) > 0.01 and f"{listed:.2f}" in warnings
    random_ties = np.mean(
        [weights.canberra(pair, k=k, ties="random", random_state=random_state) for random_state in range(8) for pair in pairs]
    )
    assert np.isnan(scores).any() or random_ties == pytest.approx(0, abs=0.05)


# ---- the first ranks ----


def slow_rbo(first, second, k, p, d):
    """(RBO, RBO expected by chance) of two lists of features, best first, by the definition."""
    depths = range(1, k + 1)
    common = [len(set(first[:e]) & set(second[:e])) for e in depths]
    found, expected = [x / k * p**k for x in (common[-1], k * k / d)]
    found += (1 - p) / p * sum(x / e * p**e for e, x in zip(depths, common, strict=True))
    expected += (1 - p) / p * sum(e / d * p**e for e in depths)
    return found, expected


@pytest.mark.parametrize("p", [0.5, 0.9])
@pytest.mark.parametrize(("d", "k"), [(2, 1), (3, 3), (8, 5), (30, 20)])
def test_rank_biased_overlap(d, k, p):
    rng = np.random.default_rng(d)
    scores = rng.permuted(np.tile(np.arange(float(d)), (5, 1)), axis=1)
    runs, lists = sc.Selections.from_scores(scores), [list(np.argsort(-row)) for row in scores]
    pairs = [slow_rbo(a, b, k, p, d) for a, b in combinations(lists, 2)]
    assert BY_KEY["rbo"].function is rank_overlap.rbo
    plain, expected = np.array(pairs).T
    assert rank_overlap.rbo(runs, p=p, k=k, corrected=False) == pytest.approx(plain.mean(), abs=1e-12)
    assert rank_overlap.rbo(runs, p=p, k=k) == pytest.approx(((plain - expected) / (1 - expected)).mean(), abs=1e-12)
    assert rank_overlap.rbo(runs.take([0, 0]), p=p, k=k) == pytest.approx(1)
    assert rank_overlap.rbo(runs.top(k), p=p) == rank_overlap.rbo(runs, p=p, k=k)


@pytest.mark.parametrize(("d", "k"), [(2, 1), (2, 2), (4, 3), (5, 2), (5, 5)])
def test_mean_and_spread_of_rbo_over_all_orders(d, k):
    orders = np.array(list(permutations(range(d))), dtype=float)
    listed = [rank_overlap.rbo(sc.Selections.from_scores(np.array([orders[0], order])), k=k, corrected=False) for order in orders]
    mean, sd = (values[0] for values in rank_overlap.random_rbo_moments(np.array([k]), d))
    assert np.mean(listed) == pytest.approx(mean, abs=1e-12) and np.std(listed) == pytest.approx(sd, abs=1e-12)
    assert (min(listed) - mean) / (1 - mean) >= -1 - 1e-12 and max(listed) == pytest.approx(1)


def test_rbo_compares_two_runs_up_to_their_common_depth():
    gaps = np.array([[9, 8, np.nan, np.nan, np.nan], [9, 8, 7, np.nan, np.nan], [8, 9, 7, 6, 5]])
    runs, orders = sc.Selections.from_scores(gaps), [[0, 1], [0, 1, 2], [1, 0, 2, 3, 4]]
    pairs = np.array([slow_rbo(a, b, min(len(a), len(b)), 0.9, 5) for a, b in combinations(orders, 2)])
    assert rank_overlap.rbo(runs) == pytest.approx(np.mean((pairs[:, 0] - pairs[:, 1]) / (1 - pairs[:, 1])), abs=1e-12)
    assert np.isnan(rank_overlap.rbo(sc.Selections.from_weights([[0, 0, 0], [1, 2, 0]])))


SEED = st.integers(0, 10**6)


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
    found = information.importance_weighted(sc.Selections.from_weights(importances))
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
@given(
    arrays(float, st.tuples(st.just(2), st.integers(2, 7)), elements=st.sampled_from([0.0, 0.1, 0.5, 1.0, 3.0])),
    SEED,
    st.sampled_from([0.2, 0.5, 1.0]),
)
def test_transports_equal_the_full_dense_linear_program(importances, random_state, filled):
    d = importances.shape[1]
    rng = np.random.default_rng(random_state)
    C = random_similarity(rng, d, filled, (*rng.random(4), 1.0))
    dense = C.block(np.arange(d))
    neighbours = dense * (1 - np.eye(d))
    first, second = csr_array(importances[:1]), csr_array(importances[1:])
    found = best_transports(first, np.array([0]), second, np.array([0]), csr_array(neighbours))[0]
    assert found == pytest.approx(dense_transport(*importances, dense), abs=1e-9)


@settings(max_examples=15, deadline=None)
@given(IMPORTANCES, SEED, st.booleans())
def test_uncorrected_shared_information(importances, random_state, grouped):
    d = importances.shape[1]
    similarity = (
        sc.Similarity.from_groups({"a": range(d // 2), "b": range(d // 2, d)}, n_features=d)
        if grouped
        else random_similarity(np.random.default_rng(random_state), d)
    )
    J, C, k = scaled(importances), similarity.block(np.arange(d)), (importances > 0).sum(axis=1).mean()
    slow = np.mean([k if not a.any() and not b.any() else dense_transport(a, b, C) for a, b in combinations(J, 2)]) / k if k else 1
    runs = sc.Selections.from_weights(importances)
    assert information.shared_information(runs, similarity, corrected=False) == pytest.approx(slow, abs=1e-9)


HUB = np.eye(5) + 0.8 * np.not_equal.outer(np.arange(5) == 0, np.arange(5) == 0)  # all others are similar to feature 0
CHAIN = np.eye(4) + 0.6 * (np.abs(np.subtract.outer(np.arange(4), np.arange(4))) == 1)
PAIRED = np.kron(np.eye(2), np.ones((2, 2)))


@pytest.mark.parametrize(
    ("C", "importances"),
    [
        slow(PAIRED, [[3, 1, 0, 0], [0, 2, 1, 1], [1, 0, 0, 1]]),
        slow(CHAIN, [[3, 1, 0, 0], [0, 2, 1, 1], [1, 0, 0, 1]]),
        slow(HUB, [[8, 1, 1, 0, 0], [0, 1, 0, 6, 2], [7, 0, 2, 0, 1]]),
        (HUB, [[8, 1, 1, 0, 0], [0, 1, 0, 6, 2]]),
    ],
    ids=["groups", "chain", "hub", "hub of two"],
)
def test_chance_of_shared_information_is_the_permutation_mean(C, importances):
    J = np.array(importances) / np.sum(importances, axis=1, keepdims=True)
    A = np.mean([dense_transport(a, b, C) for a, b in combinations(J, 2)])
    # Either run is permuted, and each distinct order of its importances is equally frequent.
    E = np.mean([np.mean([dense_transport(a, np.array(c), C) for c in set(permutations(b))]) for a, b in permutations(J, 2)])
    found = sc.stability(
        sc.Selections.from_weights(np.array(importances, dtype=float)),
        "shared_information",
        similarity=sc.Similarity.from_matrix(C),
        draws=200,
    )
    assert 0 < found.chance_error < 0.05 and abs(found.value - (A - E) / (1 - E)) < 4 * found.chance_error


@pytest.mark.slow
def test_the_error_of_drawn_chance_is_the_spread_over_seeds():
    """20 runs give 190 pairs with two draws of chance each. An error from two values alone would vary by 75%."""
    rows = np.random.default_rng(0).random((20, 12)) * (np.random.default_rng(1).random((20, 12)) < 0.4)
    rows[:, 0] += 0.1
    C = np.eye(12) + 0.7 * np.not_equal.outer(np.arange(12) == 0, np.arange(12) == 0)
    runs, similarity = sc.Selections.from_weights(rows), sc.Similarity.from_matrix(C)
    terms = [
        information.shared_information.terms(runs, similarity, draws=2, random_state=random_state) for random_state in range(16)
    ]
    spread, stated = np.std([term.value() for term in terms], ddof=1), np.array([term.chance_error for term in terms])
    assert 0.7 < np.sqrt((stated**2).mean()) / spread < 1.4 and stated.std() / stated.mean() < 0.35


UNITS = {"runs": None, "pairs": [0, 0, 1, 1, 2, 2, 3, 3], "of any size": [2, 0, 2, 1, 3, 2, 1, 2], "two": [0, 1, 1, 1, 0, 0, 1, 1]}
GROUPS = sc.Similarity.from_groups({"a": [0, 1, 2]}, n_features=9)


def check_jackknife(runs, similarity, function, options):
    left_out, units = function.terms(runs, similarity, **options).leave_one_out_values(), runs.units
    units = np.arange(runs.n_runs) if units is None else units
    assert len(left_out) == runs.n_units == units.max() + 1
    for unit, found in enumerate(left_out):
        rest = rearranged(runs.in_units(None), np.flatnonzero(units != unit))
        assert found == pytest.approx(function(rest, similarity, **options), abs=1e-10, nan_ok=True)


@pytest.mark.parametrize("key", BY_KEY)
def test_runs_and_units_are_left_out_as_a_whole(key):
    runs, similarity = everything(np.random.default_rng(9), 8)
    options = {"corrected": False} if key == "shared_information" else {}
    for units in UNITS.values():
        check_jackknife(runs.in_units(units), similarity, BY_KEY[key].function, options)


@pytest.mark.parametrize("key", ["jaccard", "dice", "ochiai", "hamming", "pog", "zucknick", "davis", "novovicova"])
def test_corrected_measures_and_varying_sizes(key):
    runs = runs_of(random_selection(np.random.default_rng(13), 8, 9, 2, 6))
    for units in UNITS.values():
        check_jackknife(runs.in_units(units), GROUPS, BY_KEY[key].function, {"corrected": True})
    if key == "davis":
        check_jackknife(runs, None, BY_KEY[key].function, {"penalty": 0.4})


@pytest.mark.parametrize("key", ["importance_weighted", "jaccard", "ochiai", "nogueira", "somol", "shared_information"])
def test_empty_runs(key):
    importances = np.random.default_rng(5).uniform(0.2, 1, (8, 9)) * random_selection(np.random.default_rng(6), 8, 9, 2, 6)
    importances[[0, 3, 6]] = 0
    runs = sc.Selections.from_weights(importances)
    options = {"undefined": "skip"} if key in ("jaccard", "ochiai") else {"corrected": False} if key == "shared_information" else {}
    for units in UNITS.values():
        check_jackknife(runs.in_units(units), GROUPS, BY_KEY[key].function, options)


def test_one_remaining_run_has_no_value():
    left_out = chance.nogueira.terms(everything(np.random.default_rng(9), 4)[0].in_units([0, 1, 1, 1])).leave_one_out_values()
    assert np.isfinite(left_out[0]) and np.isnan(left_out[1])


def test_the_jackknife_keeps_the_drawn_chance_of_each_pair():
    runs, similarity = everything(np.random.default_rng(9))
    terms = information.shared_information.terms(runs, similarity, draws=300)
    uncorrected = information.shared_information.terms(runs, similarity, corrected=False).leave_one_out_values()
    chances = (uncorrected - terms.leave_one_out_values()) / (1 - terms.leave_one_out_values())  # chance without each run
    whole = (information.shared_information(runs, similarity, corrected=False) - terms.value()) / (1 - terms.value())
    assert chances.mean() == pytest.approx(whole, abs=1e-3) and np.ptp(chances) < 0.1
