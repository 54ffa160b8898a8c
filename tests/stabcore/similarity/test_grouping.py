"""Suggested groups: clusters against slow linkage, names, patterns and families."""

from functools import partial
from itertools import combinations

import numpy as np
import pytest
from snapshot_support import check_refusals

from stabcore.similarity.correlation import correlated_pairs
from stabcore.similarity.grouping import LINKAGES, cut_tree, feature_tree, pattern_groups, prefix_groups


def modules(n=40, sizes=(4, 3, 1, 2), random_state=0):
    """Columns of modules. Those of one module share a factor."""
    rng = np.random.default_rng(random_state)
    return np.repeat(rng.normal(size=(n, len(sizes))), sizes, axis=1) + 0.5 * rng.normal(size=(n, sum(sizes)))


def slow_clusters(rho, linkage, threshold):
    """Join the two most similar clusters until no pair reaches the threshold."""
    of = {"average": np.mean, "complete": np.min, "single": np.max}[linkage]
    clusters = [[i] for i in range(len(rho))]
    while len(clusters) > 1:
        likeness, a, b = max(((of(rho[np.ix_(a, b)]), a, b) for a, b in combinations(clusters, 2)), key=lambda pair: pair[0])
        if round(likeness, 12) < threshold:
            break
        clusters = [cluster for cluster in clusters if cluster not in (a, b)] + [a + b]
    return {frozenset(cluster) for cluster in clusters if len(cluster) > 1}


@pytest.mark.parametrize("linkage", LINKAGES)
@pytest.mark.parametrize("method", ["spearman", "kendall"])
def test_clusters_match_a_slow_version(linkage, method):
    X = modules()
    X[:, 0] = 1.0  # similar to no other feature
    rho = correlated_pairs(X, method=method, threshold=0)[0].toarray()
    tree = feature_tree(X, method=method, linkage=linkage)
    assert tree.similarity == pytest.approx(rho + np.eye(10)) and sorted(tree.order) == list(range(10))
    for threshold in (0.05, 0.2, 0.4, 0.6, 0.8, 1.0):
        found = cut_tree(tree, threshold)
        clusters = {frozenset(int(name[1:]) - 1 for name in members) for members in found.values()}
        assert clusters == slow_clusters(rho, linkage, threshold)
        assert all(name.removeprefix("like ") in members for name, members in found.items())
        assert [len(members) for members in found.values()] == sorted(map(len, found.values()), reverse=True)


def test_similarity_equal_to_the_threshold_joins():
    X = np.array([[1, 1], [2, 3], [3, 2.0]])  # ρ = 0.5
    tree = feature_tree(X)
    assert cut_tree(tree, 0.5) == {"like f1": ["f1", "f2"]} and cut_tree(tree, 0.5001) == {}
    for exact, order in ((0.9, [0, 1, 2, 4, 3]), (0.8, [1, 0, 2, 4, 3]), (0.7, [0, 1, 4, 2, 3]), (0.6, [1, 0, 4, 2, 3])):
        tree = feature_tree(np.column_stack([np.arange(5), order]))
        assert tree.similarity[0, 1] == pytest.approx(exact)  # rounded, because 1 − 0.9 is not exactly 0.1
        assert len(cut_tree(tree, exact)) == 1 and not cut_tree(tree, exact + 1e-9)


def test_wrong_questions_get_sentences():
    X, options = modules(), ({"most": 9}, {"linkage": "ward"}, {"method": "x"}, {"features": ["a"]}, {"features": []})
    cases = [
        *(partial(feature_tree, X, **option) for option in options),
        *(partial(cut_tree, feature_tree(X), threshold) for threshold in (1.5, np.nan)),
        *(partial(pattern_groups, ["IL_6", "TNF"], pattern) for pattern in ("IL_*", "x")),
    ]
    check_refusals("similarity/wrong_groupings", lambda ask: ask(), cases)


NAMES = ["IL_6", "il_8", "IL_10", "TNF", "CD4.count", "CD4.share", "_x", "_y", "IL", "age"]


def test_families_by_pattern():
    assert pattern_groups(NAMES, "IL_*") == {"IL": ["IL_6", "il_8", "IL_10"]}
    assert pattern_groups(NAMES, "il_*") == {"il": ["IL_6", "il_8", "IL_10"]}
    assert pattern_groups(NAMES, "IL_?") == {"IL": ["IL_6", "il_8"]}
    assert pattern_groups(NAMES, "*_[68]") == {"[68]": ["IL_6", "il_8"]}
    assert pattern_groups(NAMES, "_*") == {"_*": ["_x", "_y"]} and pattern_groups(NAMES, "*") == {"*": NAMES}


def test_families_by_prefix():
    assert prefix_groups(NAMES) == {"IL": ["IL_6", "il_8", "IL_10"], "CD4": ["CD4.count", "CD4.share"]}
    assert prefix_groups(["a-1", "a-2"]) == {} == prefix_groups([])  # a prefix of all names is no family
    assert prefix_groups(["a 1", "a|2", "a/3", "a:4", "b"]) == {"a": ["a 1", "a|2", "a/3", "a:4"]}
