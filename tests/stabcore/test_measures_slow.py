"""Each measure against a slow version written from its definition, on input small enough to list everything."""

from itertools import combinations, permutations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from measure_support import everything, random_relation, rearranged, runs_of
from scipy.optimize import linprog
from scipy.sparse import csr_array
from scipy.stats import pearsonr, rankdata
from support import random_selection

import stabcore as sc
from stabcore.measures import chance, information, overlap, random_related, similarity, weights
from stabcore.measures.catalog import BY_KEY
from stabcore.measures.random_sets import chance_of_union, random_pair
from stabcore.measures.transport import best_transports

Z = arrays(int, st.tuples(st.integers(2, 5), st.integers(2, 7)), elements=st.integers(0, 1))
SEED = st.integers(0, 10 ** 6)


# ---- sets: one value a pair ----

def over(top, bottom):
    return top / bottom if abs(bottom) > 1e-12 else np.nan


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


def of_pairs(matrix, value):
    return np.mean([value(set(np.flatnonzero(a)), set(np.flatnonzero(b))) for a, b in combinations(np.asarray(matrix), 2)])


def same(found, slow, tolerance=1e-10):
    return np.isnan(found) if np.isnan(slow) else found == pytest.approx(slow, abs=tolerance)


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


# ---- sets and a relation ----

def near(x, others, C):
    return [C[x, y] for y in sorted(others) if C[x, y] > 0]


def covered(V, W, C, by=None):
    return sum(1 if by is None else by(near(x, W, C)) for x in V if near(x, W, C))


def largest_matching(left, right, C):
    """Every way of pairing off, tried."""
    if not left:
        return 0
    x, rest = left[0], left[1:]
    return max([largest_matching(rest, right, C)]
               + [1 + largest_matching(rest, [z for z in right if z != y], C) for y in right if C[x, y] > 0])


def greedy_matching(left, right, C):
    """From the textbook: sort the edges, walk down, take what is free at both ends."""
    edges = sorted((-C[x, y], min(x, y), max(x, y)) for x in left for y in right if C[x, y] > 0)
    used, size = set(), 0
    for _, x, y in edges:
        if x not in used and y not in used:
            used |= {x, y}
            size += 1
    return size


AMOUNT = {
    "intersection_count": lambda V, W, C: min(covered(V, W, C), covered(W, V, C)),
    "intersection_mean": lambda V, W, C: min(covered(V, W, C, np.mean), covered(W, V, C, np.mean)),
    "intersection_mbm": lambda V, W, C: largest_matching(sorted(V), sorted(W), C),
    "intersection_greedy": lambda V, W, C: greedy_matching(V, W, C),
    "yu": lambda V, W, C: (covered(V, W, C) + covered(W, V, C)) / 2,
}
MOST = {key: (lambda a, b: (a + b) / 2) if key == "yu" else (lambda a, b: (a * b) ** 0.5) for key in AMOUNT}


def listed(amount, a, b, d):
    """Mean of amount(V, W) over all pairs of sets of these sizes."""
    return np.mean([amount(set(V), set(W)) for V in combinations(range(d), a) for W in combinations(range(d), b)])


@pytest.mark.parametrize("key", AMOUNT)
@settings(max_examples=40, deadline=None)
@given(Z, SEED, st.sampled_from([0.0, 0.5, 0.7]))
def test_amounts_shared_through_related_features(key, matrix, seed, threshold):
    d = matrix.shape[1]
    relation = random_relation(np.random.default_rng(seed), d)
    C = relation.block(np.arange(d)) * (relation.block(np.arange(d)) >= threshold)
    slow = of_pairs(matrix, lambda V, W: len(V & W) + AMOUNT[key](V - W, W - V, C))
    assert BY_KEY[key].function(runs_of(matrix), relation, threshold=threshold, corrected=False) == pytest.approx(slow, abs=1e-12)


@pytest.mark.parametrize("key", AMOUNT)
@settings(max_examples=5, deadline=None)
@given(arrays(int, st.just((3, 5)), elements=st.integers(0, 1)), SEED)
def test_measures_with_a_relation_are_corrected_by_all_sets_listed(key, matrix, seed):
    rng, d, cache = np.random.default_rng(seed), 5, {}
    groups = sc.Relation.from_groups({"a": [0, 1], "b": [2, 3, 4]}, n_features=d)
    for relation in (random_relation(rng, d), groups, groups.edited({(0, 4): 0.6, (2, 3): 0.0})):
        C = relation.block(np.arange(d))

        def amount(V, W):
            return len(V & W) + AMOUNT[key](V - W, W - V, C)

        def value(V, W):
            a, b = sorted((len(V), len(W)))
            if (id(relation), a, b) not in cache:
                cache[id(relation), a, b] = listed(amount, a, b, d)
            expected = cache[id(relation), a, b]
            return over(amount(V, W) - expected, MOST[key](a, b) - expected)

        assert same(BY_KEY[key].function(runs_of(matrix), relation), of_pairs(matrix, value))


@settings(max_examples=15, deadline=None)
@given(arrays(int, st.just((3, 5)), elements=st.integers(0, 1)), SEED, st.booleans())
def test_pogr_npogr_and_zucknick_and_their_chance(matrix, seed, grouped):
    d = 5
    relation = (sc.Relation.from_groups({"a": [0, 1], "b": [2, 3, 4]}, n_features=d) if grouped else
                random_relation(np.random.default_rng(seed), d))
    C = relation.block(np.arange(d))
    cache = {}

    def reached(V, W):
        return len(V & W) + covered(V - W, W, C)

    def similar(V, W):
        a, b, r = len(V), len(W), len(V & W)
        return over(r + (sum(C[x, y] for x in V for y in W - V) / b if b else 0)
                    + (sum(C[x, y] for x in W for y in V - W) / a if a else 0), a + b - r)

    def expected(amount, a, b):
        if (amount, a, b) not in cache:
            cache[amount, a, b] = listed(amount, a, b, d)
        return cache[amount, a, b]

    def beyond(V, W):
        a, b = len(V), len(W)
        there, back = expected(reached, a, b), expected(reached, b, a)
        return (over(reached(V, W) - there, a - there) + over(reached(W, V) - back, b - back)) / 2

    def similar_beyond(V, W):
        by_chance = expected(similar, len(V), len(W))
        return over(similar(V, W) - by_chance, 1 - by_chance)

    runs = runs_of(matrix)
    assert same(similarity.pogr(runs, relation), of_pairs(matrix, lambda V, W: (over(reached(V, W), len(V))
                                                                             + over(reached(W, V), len(W))) / 2))
    assert same(similarity.npogr(runs, relation), of_pairs(matrix, beyond))
    assert same(similarity.zucknick(runs, relation), of_pairs(matrix, similar))
    assert same(similarity.zucknick(runs, relation, corrected=True), of_pairs(matrix, similar_beyond))


@pytest.mark.parametrize("kind", ["count", "mean", "matching", "greedy", "half"])
@pytest.mark.parametrize("grouped", [True, False])
def test_drawn_chance_is_the_listed_one_within_its_error_and_the_error_is_its_spread(kind, grouped, monkeypatch):
    rng, d = np.random.default_rng(11), 9
    C = sc.Relation.from_groups({"a": [0, 1, 2], "b": [5, 6]}, n_features=d) if grouped else random_relation(rng, d, 0.2)
    sizes = np.array([2, 3])

    def found(seed, draws=1000):
        fresh = sc.Relation(d, None, C.labels, C.group_names, C.extra)
        return random_related.chance_of_amount(kind, sizes, fresh, draws=draws, seed=seed)

    exact = found(0)
    assert not exact.error.any()
    monkeypatch.setattr(random_related, "MOST_LISTED", 0)
    drawn = [found(seed) for seed in range(30)]
    means, errors = (np.array([getattr(one, name) for one in drawn]) for name in ("mean", "error"))
    assert (errors > 0).all() and (np.abs(means - exact.mean) < 4 * errors).mean() > 0.98
    assert np.abs(means.mean(axis=0) - exact.mean).max() < 4 * (errors.mean(axis=0) / np.sqrt(30)).max()
    assert means.std(axis=0, ddof=1) == pytest.approx(errors.mean(axis=0), rel=0.6)
    assert errors.mean() / np.mean([one.error for one in (found(1, 4000), found(2, 4000))]) == pytest.approx(2, rel=0.25)


def test_the_error_of_a_drawn_measure_is_its_spread_over_seeds(monkeypatch):
    rng, d = np.random.default_rng(12), 9
    runs, C = runs_of(random_selection(rng, 5, d, 2, 4)), sc.Relation.from_groups({"a": [0, 1, 2, 3]}, n_features=d)
    exact = similarity.intersection_mbm(runs, C)
    monkeypatch.setattr(random_related, "MOST_LISTED", 0)
    drawn = [sc.stability(runs, "intersection_mbm", relation=C, draws=500, seed=seed) for seed in range(40)]
    values, errors = np.array([(one.value, one.chance_error) for one in drawn]).T
    assert values.std(ddof=1) == pytest.approx(errors.mean(), rel=0.5)
    assert abs(values.mean() - exact) < 4 * errors.mean() / np.sqrt(40)


def slow_effective(matrix, C):
    d, k, S = matrix.shape[1], matrix.sum(axis=1), np.cov(matrix, rowvar=False, ddof=1)
    null = np.full((d, d), ((k ** 2).mean() - k.mean()) / (d ** 2 - d) - k.mean() ** 2 / d ** 2)
    np.fill_diagonal(null, k.mean() / d * (1 - k.mean() / d))
    with np.errstate(invalid="ignore", divide="ignore"):
        return 1 - np.trace(C @ S) / np.trace(C @ null)


@settings(max_examples=60, deadline=None)
@given(Z, SEED)
def test_effective_of_matrix_groups_and_edits(matrix, seed):
    rng, d = np.random.default_rng(seed), matrix.shape[1]
    if not 0 < matrix.sum() < matrix.size:
        return
    runs, free = runs_of(matrix), random_relation(rng, d, 0.6, rng.random(5))
    labels = rng.integers(-1, 3, d)
    groups = sc.Relation.from_groups({str(g): np.flatnonzero(labels == g) for g in range(3)}, n_features=d)
    edited = groups.edited({(0, 1): 0.3, (1, 2): 0.0}) if d > 2 else groups
    for relation in (free, groups, edited, free.thresholded(0.5)):
        C = relation.block(np.arange(d))
        found, slow = similarity.effective(runs, relation), slow_effective(matrix, C)
        assert relation.total == pytest.approx(C.sum())
        if np.isnan(found):
            assert abs(slow) > 1e6 or np.isnan(slow) or d < 2 or np.allclose(C, 1)
        else:
            assert found == pytest.approx(slow, rel=1e-6, abs=1e-8)


def test_effective_at_a_million_features_equals_the_same_study_without_the_idle_ones():
    rng = np.random.default_rng(3)
    sets = [rng.choice(3000, 100, replace=False) for _ in range(20)]
    labels = rng.integers(0, 300, 3000)
    groups = {str(g): np.flatnonzero(labels == g) for g in range(300)}
    d = 1_000_000
    found = similarity.effective(sc.Preferences.from_sets(sets, n_features=d), sc.Relation.from_groups(groups, n_features=d))
    small = sc.Preferences.from_sets(sets, n_features=3000).selected.astype(float)
    C = (labels[:, None] == labels[None, :]).astype(float)
    k = small.sum(axis=1)
    trace = ((small - small.mean(axis=0)) @ C * (small - small.mean(axis=0))).sum() / 19
    null = k.mean() * (1 - k.mean() / d) + (((k ** 2).mean() - k.mean()) / (d ** 2 - d) - k.mean() ** 2 / d ** 2) * (C.sum() - 3000)
    assert found == pytest.approx(1 - trace / null, rel=1e-9)


# ---- weights and ranks ----

@settings(max_examples=40, deadline=None)
@given(arrays(float, st.tuples(st.integers(3, 6), st.integers(3, 8)), elements=st.integers(0, 4).map(float)), st.integers(0, 99))
def test_rank_and_weight_measures(scores, seed):
    def mean(rows, value):
        return np.mean([value(a, b) for a, b in combinations(rows, 2)])

    runs, d = sc.Preferences.from_scores(scores), scores.shape[1]
    if np.ptp(scores, axis=1).min() > 0:
        assert weights.pearson_weights(runs) == pytest.approx(mean(scores, lambda a, b: pearsonr(a, b)[0]), abs=1e-10)
        ranks = rankdata(-scores, axis=1)
        assert weights.spearman_ranks(runs, ties="average") == pytest.approx(mean(ranks, lambda a, b: pearsonr(a, b)[0]), abs=1e-10)
    broken = runs.ranking(seed)
    assert (np.sort(broken, axis=1) == np.arange(1, d + 1)).all()
    assert weights.spearman_ranks(runs, seed=seed) == pytest.approx(mean(broken, lambda a, b: pearsonr(a, b)[0]), abs=1e-10)
    for k in (1, d // 2 + 1, d):
        chi = (k + 1) * (2 * d - k) / d * np.log(4) - (2 * k * d + 3 * d - k - k * k) / d
        top = np.minimum(broken, k + 1)
        slow = 1 - mean(top, lambda a, b: (np.abs(a - b) / (a + b)).sum()) / chi
        assert weights.canberra(runs, k=k, seed=seed) == pytest.approx(slow, abs=1e-10)


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


IMPORTANCES = arrays(float, st.tuples(st.integers(2, 5), st.integers(2, 6)), elements=st.sampled_from([0.0, 0.0, 0.5, 1.0, 2.0, 7.0]))


@settings(max_examples=80, deadline=None)
@given(IMPORTANCES)
def test_importance_weighted(importances):
    found, slow = information.importance_weighted(sc.Preferences.from_importances(importances)), slow_importance_weighted(importances)
    if np.isnan(found) != np.isnan(slow):
        assert not importances.any() or (importances > 0).all() and np.ptp(importances, axis=1).max() == 0
    else:
        assert same(found, slow)


def dense_transport(I, J, C):
    """The whole d × d linear program."""
    d = len(I)
    rows, columns = np.kron(np.eye(d), np.ones(d)), np.kron(np.ones(d), np.eye(d))
    return -linprog(-C.ravel(), A_ub=np.r_[rows, columns], b_ub=np.r_[I, J], method="highs").fun


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


@pytest.mark.parametrize("grouped", [True, False])
def test_chance_of_shared_information_is_the_mean_over_all_permutations(grouped):
    d = 4
    importances = np.array([[3.0, 1, 0, 0], [0, 2, 1, 1], [1, 0, 0, 1]])
    relation = sc.Relation.from_groups({"a": [0, 1], "b": [2, 3]}, n_features=d) if grouped else sc.Relation.from_matrix(
        np.eye(4) + 0.6 * (np.abs(np.subtract.outer(np.arange(4), np.arange(4))) == 1))
    J, C = importances / importances.sum(axis=1, keepdims=True), relation.block(np.arange(d))
    orders = [list(order) for order in permutations(range(d))]
    A = np.mean([dense_transport(a, b, C) for a, b in combinations(J, 2)])
    E = np.mean([dense_transport(a, b[order], C) for a, b in permutations(J, 2) for order in orders])         # either is permuted
    found = sc.stability(sc.Preferences.from_importances(importances), "shared_information", relation=relation, draws=1500)
    assert 0 < found.chance_error < 0.05 and abs(found.value - (A - E) / (1 - E)) < 4 * found.chance_error


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


def check_jackknife(runs, relation, function, options):
    left_out = function.terms(runs, relation, **options).leaving_one_out()
    for i in range(runs.n_runs):
        rest = rearranged(runs, np.delete(np.arange(runs.n_runs), i))
        assert left_out[i] == pytest.approx(function(rest, relation, **options), abs=1e-10)


def test_jackknife_of_corrected_shared_information_keeps_the_drawn_chance_of_each_pair():
    runs, relation = everything(np.random.default_rng(9))
    terms = information.shared_information.terms(runs, relation, draws=300)
    uncorrected = information.shared_information.terms(runs, relation, corrected=False).leaving_one_out()
    chances = (uncorrected - terms.leaving_one_out()) / (1 - terms.leaving_one_out())        # E without each run, solved for
    whole = (information.shared_information(runs, relation, corrected=False) - terms.value()) / (1 - terms.value())
    assert chances.mean() == pytest.approx(whole, abs=1e-3) and np.ptp(chances) < 0.1
