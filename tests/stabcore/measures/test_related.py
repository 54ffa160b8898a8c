"""Measures with a similarity against slow versions from their definitions, and drawn chance against enumerated chance."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from measure_support import of_pairs, over, random_similarity, runs_of, same, slow_effective

import stabcore as sc
from stabcore.measures import effective, related, similarity_adjusted
from stabcore.measures.catalog import BY_KEY

Z = arrays(int, st.tuples(st.integers(2, 5), st.integers(2, 7)), elements=st.integers(0, 1))
SEED = st.integers(0, 10**6)


def near(x, others, C):
    return [C[x, y] for y in sorted(others) if C[x, y] > 0]


def covered(V, W, C, by=None):
    return sum(1 if by is None else by(near(x, W, C)) for x in V if near(x, W, C))


def largest_matching(left, right, C):
    """Tries every matching."""
    if not left:
        return 0
    x, rest = left[0], left[1:]
    return max(
        [largest_matching(rest, right, C)]
        + [1 + largest_matching(rest, [z for z in right if z != y], C) for y in right if C[x, y] > 0]
    )


def greedy_matching(left, right, C):
    """Textbook version: take the edges in order, if both ends are free."""
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
@settings(max_examples=20, deadline=None)
@given(Z, SEED, st.sampled_from([0.0, 0.5, 0.7]))
def test_amounts_shared_through_related_features(key, matrix, random_state, threshold):
    d = matrix.shape[1]
    similarity = random_similarity(np.random.default_rng(random_state), d)
    C = similarity.block(np.arange(d)) * (similarity.block(np.arange(d)) >= threshold)
    slow = of_pairs(matrix, lambda V, W: len(V & W) + AMOUNT[key](V - W, W - V, C))
    assert BY_KEY[key].function(runs_of(matrix), similarity, threshold=threshold, corrected=False) == pytest.approx(slow, abs=1e-12)


@pytest.mark.parametrize("key", AMOUNT)
@settings(max_examples=5, deadline=None)
@given(arrays(int, st.just((3, 5)), elements=st.integers(0, 1)), SEED)
def test_measures_with_a_similarity_are_corrected_by_enumeration(key, matrix, random_state):
    rng, d, cache = np.random.default_rng(random_state), 5, {}
    groups = sc.Similarity.from_groups({"a": [0, 1], "b": [2, 3, 4]}, n_features=d)
    for similarity in (random_similarity(rng, d), groups, groups.edited({(0, 4): 0.6, (2, 3): 0.0})):
        C = similarity.block(np.arange(d))

        def amount(V, W):
            return len(V & W) + AMOUNT[key](V - W, W - V, C)

        def value(V, W):
            a, b = sorted((len(V), len(W)))
            if (id(similarity), a, b) not in cache:
                cache[id(similarity), a, b] = listed(amount, a, b, d)
            expected = cache[id(similarity), a, b]
            return over(amount(V, W) - expected, MOST[key](a, b) - expected)

        assert same(BY_KEY[key].function(runs_of(matrix), similarity), of_pairs(matrix, value))


@settings(max_examples=15, deadline=None)
@given(arrays(int, st.just((3, 5)), elements=st.integers(0, 1)), SEED, st.booleans())
def test_pogr_npogr_and_zucknick_and_their_chance(matrix, random_state, grouped):
    d = 5
    similarity = (
        sc.Similarity.from_groups({"a": [0, 1], "b": [2, 3, 4]}, n_features=d)
        if grouped
        else random_similarity(np.random.default_rng(random_state), d)
    )
    C = similarity.block(np.arange(d))
    cache = {}

    def reached(V, W):
        return len(V & W) + covered(V - W, W, C)

    def similar(V, W):
        a, b, r = len(V), len(W), len(V & W)
        return over(
            r + (sum(C[x, y] for x in V for y in W - V) / b if b else 0) + (sum(C[x, y] for x in W for y in V - W) / a if a else 0),
            a + b - r,
        )

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
    assert same(
        similarity_adjusted.pogr(runs, similarity),
        of_pairs(matrix, lambda V, W: (over(reached(V, W), len(V)) + over(reached(W, V), len(W))) / 2),
    )
    assert same(similarity_adjusted.npogr(runs, similarity), of_pairs(matrix, beyond))
    assert same(similarity_adjusted.zucknick(runs, similarity), of_pairs(matrix, similar))
    assert same(similarity_adjusted.zucknick(runs, similarity, corrected=True), of_pairs(matrix, similar_beyond))


@pytest.mark.parametrize("kind", ["count", "mean", "matching", "greedy", "half"])
@pytest.mark.parametrize("grouped", [True, False])
def test_drawn_chance_equals_enumerated_chance_within_its_error(kind, grouped, monkeypatch):
    rng, d = np.random.default_rng(11), 9
    C = sc.Similarity.from_groups({"a": [0, 1, 2], "b": [5, 6]}, n_features=d) if grouped else random_similarity(rng, d, 0.2)
    sizes = np.array([2, 3])

    def found(random_state, draws=500):
        fresh = sc.Similarity(d, None, C.labels, C.group_names, C.extra)
        return related.chance_overlaps(kind, sizes, fresh, draws=draws, random_state=random_state)

    exact = found(0)
    assert not exact.error.any()
    monkeypatch.setattr(related, "MAX_LISTED", 0)
    drawn = [found(random_state) for random_state in range(12)]
    means, errors = (np.array([getattr(chance, name) for chance in drawn]) for name in ("mean", "error"))
    assert (errors > 0).all() and (np.abs(means - exact.mean) < 4 * errors).mean() > 0.98
    assert np.abs(means.mean(axis=0) - exact.mean).max() < 4 * (errors.mean(axis=0) / np.sqrt(12)).max()
    assert means.std(axis=0, ddof=1) == pytest.approx(errors.mean(axis=0), rel=0.6)
    assert errors.mean() / np.mean([chance.error for chance in (found(1, 2000), found(2, 2000))]) == pytest.approx(2, rel=0.25)


@settings(max_examples=60, deadline=None)
@given(Z, SEED)
def test_effective_of_matrix_groups_and_edits(matrix, random_state):
    rng, d = np.random.default_rng(random_state), matrix.shape[1]
    if not 0 < matrix.sum() < matrix.size:
        return
    runs, free = runs_of(matrix), random_similarity(rng, d, 0.6, rng.random(5))
    labels = rng.integers(-1, 3, d)
    groups = sc.Similarity.from_groups({str(g): np.flatnonzero(labels == g) for g in range(3)}, n_features=d)
    edited = groups.edited({(0, 1): 0.3, (1, 2): 0.0}) if d > 2 else groups
    for similarity in (free, groups, edited, free.thresholded(0.5)):
        C = similarity.block(np.arange(d))
        found, slow = effective.effective(runs, similarity), slow_effective(matrix, C)
        assert similarity.total == pytest.approx(C.sum())
        if np.isnan(found):
            assert abs(slow) > 1e6 or np.isnan(slow) or d < 2 or np.allclose(C, 1)
        else:
            assert found == pytest.approx(slow, rel=1e-6, abs=1e-8)


@pytest.mark.parametrize(("kind", "units"), [("dense", None), ("groups", [0, 0, 1, 1]), ("pairs", None)])
def test_several_selections_at_once_equal_single_ones(kind, units):
    rng = np.random.default_rng(3)
    names = [f"f{i}" for i in range(9)]
    similarity = {
        "dense": random_similarity(rng, 9),
        "groups": sc.Similarity.from_groups({"a": names[:3], "b": names[5:7]}, names=names),
        "pairs": sc.Similarity.identity(9).edited({(0, 3): 0.5, (2, 8): 1.0}),
    }[kind]
    several = [runs_of(rng.integers(0, 2, (4, 9))).in_units(units) for _ in range(5)]
    terms = effective.effective.several_terms(several, similarity)
    alone = [effective.effective.terms(runs, similarity) for runs in several]
    assert terms.value() == pytest.approx([single.value() for single in alone], abs=1e-12)
    assert terms.weighted_value(0.2) == pytest.approx([single.weighted_value(0.2) for single in alone], abs=1e-12, nan_ok=True)
