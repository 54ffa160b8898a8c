"""Properties in the catalogue: claimed ones hold on generated input, denied ones have a counterexample.

A property of None is not tested. Sources are Table 1 of Bommert 2017 and Table 2 of Hamer & Dupont 2021.
"""

import re
from dataclasses import fields, replace
from itertools import combinations_with_replacement, product
from pathlib import Path

import numpy as np
import pytest
from measure_support import CORRECTABLE, estimate, random_similarity, rearranged, runs_of, takes, with_sets
from scipy.sparse import csr_array
from support import random_selection, slow

import stabcore as sc
from stabcore.measures.catalog import BY_KEY, ENTRIES
from stabcore.measures.entry import Properties
from stabcore.measures.random_sets import random_pair_moments

DRAWS = 60
STUDIES = (3, slow(30))
RANKS = ("spearman_ranks", "canberra")


def value(key, runs, similarity, **options):
    return estimate(key, runs, similarity, draws=DRAWS, **options).value


def claims(name):
    return [
        pytest.param(entry.key, getattr(entry.properties, name), id=f"{entry.key}-{getattr(entry.properties, name)}")
        for entry in ENTRIES
        if getattr(entry.properties, name) is not None
    ]


def study(key, random_state, runs=4, d=7):
    rng, size = np.random.default_rng(random_state), 5 if key == "kuncheva" else 1
    groups = sc.Similarity.from_groups({"a": [0, 1, 2], "b": [4, 5]}, n_features=d)
    selections = with_sets(random_selection(rng, runs, d, size, 5), rng)
    return selections, groups if random_state % 2 else random_similarity(rng, d)


@pytest.mark.parametrize("studies", STUDIES)
@pytest.mark.parametrize("key", BY_KEY)
def test_values_stay_within_the_limits_with_and_without_correction(key, studies):
    entry = BY_KEY[key]
    assert takes(key, "corrected") == (entry.otherwise is not None), f"otherwise= of {key} goes with its option corrected"
    assert entry.limits() == (entry.low, entry.high)
    for random_state in range(studies):
        runs, similarity = study(key, random_state, runs=2 + random_state % 4)
        for corrected in (entry.corrected, not entry.corrected)[: 2 if entry.otherwise else 1]:
            low, high = entry.limits({"corrected": corrected})
            found = value(key, runs, similarity, undefined=0, corrected=corrected)  # 0 if chance covers every feature
            assert low - 1e-9 <= found <= high + 1e-9, (random_state, corrected)


@pytest.mark.parametrize(("key", "claimed"), claims("fully_defined"))
def test_fully_defined(key, claimed):
    runs = with_sets(np.array([[1, 0, 0, 0, 0, 0], [1, 1, 0, 0, 1, 0], [1, 1, 1, 1, 0, 0]]), np.random.default_rng(0))
    options = {"draws": DRAWS} if takes(key, "draws") else {}
    found = sc.stability(runs, [key], similarity=sc.Similarity.from_groups({"a": [0, 1]}, n_features=6), **options)[key]
    assert np.isfinite(found.value) == claimed
    assert claimed or found.reason


def beyond_1(key):
    """Runs for which an unbounded measure is below −1 or above 1."""
    d = 6
    if key == "canberra":  # each run ranks one feature, and two ranks count
        return sc.Selections.from_scores([[1.0, np.nan], [np.nan, 1.0]]), None, {"k": 2}
    if key in ("wald", "npog"):
        return with_sets(np.array([[1, 1, 1, 1, 1, 0], [0, 0, 0, 0, 0, 1]])), None, {}
    if key == "shared_information":  # 0 and 1 are similar to all others, but not to each other
        others = {(i, j): 1.0 for i in (0, 1) for j in range(2, d)}
        return with_sets(np.array([[1, 0, 0, 0, 0, 0], [0, 1, 0, 0, 0, 0]])), sc.Similarity.identity(d).edited(others), {}
    all_but_one = sc.Similarity.from_groups({"a": range(d - 1)}, n_features=d)
    return with_sets(np.array([[1, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 1]])), all_but_one, {}


@pytest.mark.parametrize(("key", "claimed"), claims("bounds"))
def test_bounds(key, claimed):
    entry = BY_KEY[key]
    assert claimed == bool(np.isfinite([entry.low, entry.high]).all())
    if not claimed:
        runs, similarity, options = beyond_1(key)
        assert abs(value(key, runs, similarity, **options)) > 1.5


def maximum_counterexample(key):
    """Different runs with the maximum, or equal runs below it, for each measure that denies the property."""
    if key == "lustgarten":
        return with_sets(np.array([[1, 1, 0, 0, 0]] * 3)), None, {}  # equal runs below 1
    if key == "davis":
        return with_sets(np.array([[1, 1, 0, 0, 0]] * 3)), None, {"penalty": 1.0}  # equal runs below the largest value 0.8
    if key in ("somol", "wald"):
        return with_sets(np.array([[1, 1, 0, 0, 0], [1, 0, 0, 0, 0]])), None, {}  # one set contains the other
    if key in ("pearson_weights", "pearson_scores", "rbo"):  # linear dependence is enough
        runs = sc.Selections.from_weights([[1.0, 2, 3, 5], [2.0, 3, 4, 6]])  # with the same order
        return replace(runs, scores=runs.importances), None, {}
    return (
        with_sets(np.array([[1, 0, 0, 1, 0], [0, 1, 0, 1, 0], [0, 1, 0, 1, 0]])),  # twins
        sc.Similarity.from_groups({"twins": [0, 1]}, n_features=5),
        {},
    )


@pytest.mark.parametrize("studies", STUDIES)
@pytest.mark.parametrize(("key", "claimed"), claims("maximum"))
def test_only_equal_runs_reach_the_maximum(key, claimed, studies):
    if not claimed:
        runs, similarity, options = maximum_counterexample(key)
        alike, found = key in ("lustgarten", "davis"), value(key, runs, similarity, **options)
        assert found < (0.8 if key == "davis" else 1) - 0.05 if alike else found == pytest.approx(1, abs=1e-9)
        assert alike == (np.ptp(runs.selected.astype(int), axis=0).max() == 0 and np.ptp(runs.importances, axis=0).max() == 0)
        return
    loose = sc.Similarity.from_matrix(np.full((7, 7), 0.6) + 0.4 * np.eye(7))  # off-diagonal C < 1
    for random_state in range(studies):
        runs, _ = study(key, random_state)
        alike = rearranged(runs, np.zeros(4, dtype=int))
        assert value(key, alike, loose) == pytest.approx(1, abs=1e-9)
        if len(np.unique(runs.ranks if key in RANKS else runs.selected, axis=0)) > 1:
            assert value(key, runs, loose) < 1 - 1e-6


@pytest.mark.parametrize(("key", "claimed"), claims("chance"))
def test_the_mean_of_random_selections_is_constant_only_if_claimed(key, claimed):
    """Means at two sizes, over pairs of many random runs."""
    rng, d = np.random.default_rng(3), 10
    similarity, means = sc.Similarity.from_groups({"a": [0, 1, 2], "b": [5, 6]}, n_features=d), []
    for k in (2, 5):  # q = Mk is a multiple of d, so the least agreement is a whole number
        found = []
        for _ in range(8):
            runs = with_sets(random_selection(rng, 20, d, k, k), rng)
            found.append(estimate(key, runs, similarity, draws=2000).value)
        means.append((np.mean(found), np.std(found, ddof=1) / np.sqrt(len(found))))
    (a, ea), (b, eb) = means
    if BY_KEY[key].corrected and key != "somol":
        assert abs(a) < 4 * ea + 1e-9 and abs(b) < 4 * eb + 1e-9, "the corrected mean of random selections is 0"
    gap, error = abs(a - b), np.hypot(ea, eb)
    assert gap < 4 * error + 1e-9 if claimed else gap > 6 * error + 0.02


@pytest.mark.parametrize(("key", "claimed"), claims("monotonicity"))
def test_monotonicity(key, claimed):
    """Two runs of fixed sizes with a growing intersection, or two rankings from opposite to equal by single swaps."""
    assert claimed, "the first measure that denies monotonicity needs a counterexample here"
    if key in RANKS:
        order, values = list(range(6, 0, -1)), []
        while True:
            ranks = np.array([[1, 2, 3, 4, 5, 6], order], dtype=float)
            values.append(value(key, sc.Selections.from_scores(-ranks), None))
            swaps = [i for i in range(5) if order[i] > order[i + 1]]
            if not swaps:
                break
            order[swaps[0]], order[swaps[0] + 1] = order[swaps[0] + 1], order[swaps[0]]
        assert len(values) == 16 and (np.diff(values) > 1e-9).all()
        return
    for a, b, d in ((3, 3, 8), (4, 4, 6)) + (((2, 5, 8), (5, 3, 7)) if key != "kuncheva" else ()):
        values = []
        for r in range(max(0, a + b - d), min(a, b) + 1):
            matrix = np.zeros((2, d), dtype=int)
            matrix[0, :a] = matrix[1, a - r : a - r + b] = 1
            values.append(value(key, with_sets(matrix), sc.Similarity.identity(d)))
        assert (np.diff(values) > 1e-9).all(), (a, b, d)


def of_blocks(blocks, d, rng=None):
    """Runs from lists of (first feature, number of features, total importance). Selected features have the first ranks."""
    rows = np.zeros((len(blocks), d))
    for row, parts in zip(rows, blocks):
        for start, count, amount in parts:
            row[start : start + count] = amount / max(count, 1)
    chosen = csr_array((rows > 0).astype(float))
    noise = np.random.default_rng(1).random(rows.shape)
    scores = np.where(rows > 0, 1 + rows, noise)
    ranks = np.argsort(np.argsort(-scores, axis=1), axis=1) + 1.0
    return replace(runs_of(chosen), raw_importances=csr_array(rows), scores=scores, ranks=ranks)


@pytest.mark.parametrize(("key", "claimed"), claims("group_size"))
def test_the_size_of_a_group_has_no_influence_only_if_claimed(key, claimed):
    """One constant feature and three that never repeat, then twelve copies that share the importance of the first.

    For hamming the first feature is in every other run.
    """
    d, found = 4000, []
    for copies in (1, 12):
        runs = of_blocks([[(0, 0 if key == "hamming" and i % 2 else copies, 1.0), (20 + 3 * i, 3, 1.0)] for i in range(4)], d)
        similarity = sc.Similarity.from_groups({"copies": range(copies)}, n_features=d)
        options = {"k": int(runs.sizes[0])} if key == "canberra" else {"k": 3} if key == "rbo" else {}
        found.append(value(key, runs, similarity, **options))
    gap = abs(found[1] - found[0])
    if key in ("hamming", "spearman_ranks", "pearson_scores"):  # the gap is small with 4000 features
        gap *= 100
    assert gap < 0.01 if claimed else gap > 0.03


@pytest.mark.parametrize(("key", "claimed"), claims("interchangeable"))
def test_a_substitute_costs_nothing_only_if_claimed(key, claimed):
    """Some runs select the perfect twin of a feature, with its importance and rank."""
    d, similarity = 8, sc.Similarity.from_groups({"twins": [0, 1], "others": [5, 6]}, n_features=8)
    rng = np.random.default_rng(2)
    sets = [[0, 2, 3, 5], [0, 2, 4, 5], [0, 2, 3, 5], [0, 3, 4, 5]]
    same = with_sets(np.array([np.isin(np.arange(d), chosen_set) for chosen_set in sets], dtype=int), rng)
    twin = np.r_[1, 0, np.arange(2, d)]
    rows = [rearranged(same, np.array([i, i]), twin if i % 2 else slice(None)) for i in range(4)]

    def stacked(name):
        parts = [getattr(row, name)[:1] for row in rows]
        dense = np.vstack([part.toarray() if hasattr(part, "toarray") else part for part in parts])
        return csr_array(dense) if hasattr(parts[0], "toarray") else dense

    swapped = replace(same, **{name: stacked(name) for name in ("selection", "raw_importances", "scores", "ranks")})
    assert swapped.sizes.tolist() == same.sizes.tolist() and (swapped.selected != same.selected).any()
    if key == "kuncheva":
        assert same.sizes.min() == same.sizes.max()
    options = {"corrected": False} if key == "shared_information" else {}
    before, after = (value(key, runs, similarity, **options) for runs in (same, swapped))
    assert after == pytest.approx(before, abs=1e-9) if claimed else after < before - 0.005


@pytest.mark.parametrize(("key", "claimed"), claims("weighted_decomposition"))
def test_parts_are_weighted_by_importance_only_if_claimed(key, claimed):
    """Figure 6 of Hamer & Dupont: half of the importance is constant, half never repeats, which gives 0.5.

    In the figure 15 features share the first half. canberra is 0.5 there by chance, so it gets 2 features.
    """
    d, M, n = 3000, 8, 2 if key == "canberra" else 15
    runs = of_blocks([[(0, n, 10.0), (n + (20 - n) * i, 20 - n, 10.0)] for i in range(M)], d)
    found = value(key, runs, sc.Similarity.from_groups({"unused": [2990, 2991]}, n_features=d))
    assert abs(found - 0.5) < 0.02 if claimed else abs(found - 0.5) > 0.03


@pytest.mark.parametrize("key", CORRECTABLE)
def test_corrected_overlaps_reach_their_lower_limit(key):
    """The least agreement of two sizes, for all pairs of sizes with up to 16 features."""
    lowest, formula = 0.0, BY_KEY[key].function.pair
    for d in range(2, 17):
        for a, b in combinations_with_replacement(range(1, d), 2):
            expected = random_pair_moments(formula, a, b, d)[0]
            lowest = min(lowest, (formula(float(max(0, a + b - d)), float(a), float(b), d) - expected) / (1 - expected))
    limit = BY_KEY[key].limits({"corrected": True})[0]
    assert lowest == pytest.approx(limit, abs=1e-9) or limit == -np.inf and lowest < -1.5


def test_no_corrected_overlap_of_many_sets_is_below_minus_1():
    """Evenly spread selections have the least agreement, for all sizes of a few runs."""
    lowest = {"davis": 0.0, "novovicova": 0.0}
    for d, M in product((2, 3, 5), (2, 3, 4)):
        for sizes in combinations_with_replacement(range(d + 1), M):
            ends = np.cumsum(sizes)
            even = sc.Selections.from_lists([np.arange(end - k, end) % d for k, end in zip(sizes, ends)], n_features=d)
            for key in lowest:
                found = BY_KEY[key].function(even, corrected=True)
                lowest[key] = min(lowest[key], 0 if np.isnan(found) else found)
    assert lowest == pytest.approx({"davis": -1, "novovicova": -1}, abs=1e-9)


@pytest.mark.parametrize("d", [2, 3])
def test_canberra_of_two_full_rankings_is_at_least_minus_1(d):
    """|x − y|/(x + y) is a metric, so two rankings differ by at most twice their mean distance from a random one."""
    lowest = 0.0
    rankings = product(combinations_with_replacement(range(3), d), product(range(3), repeat=d))  # up to the order of features
    for first, second in rankings:
        lowest = min([lowest, *(BY_KEY["canberra"].function(sc.Selections.from_scores([first, second]), k=k) for k in (1, 2, d))])
    assert lowest >= -1 - 1e-12 and (d > 2 or lowest == pytest.approx(-1))


def test_every_kind_of_claim_is_tested():
    tested = re.findall(r'claims\("(\w+)"\)', Path(__file__).read_text(encoding="utf-8"))
    assert {field.name for field in fields(Properties)} == set(tested)
