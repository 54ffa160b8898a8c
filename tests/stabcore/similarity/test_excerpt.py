"""Excerpt of a large C: its features, the order of clusters, and the lowest threshold that fits in memory."""

import numpy as np
import pytest
from scipy.sparse import csr_array

import stabcore as sc
from stabcore.similarity import excerpt as overview
from stabcore.similarity.excerpt import excerpt, lowest_threshold


def chained(d, links):
    extra = np.zeros((d, d))
    for i, j, value in links:
        extra[i, j] = extra[j, i] = value
    return sc.Similarity(d, extra=csr_array(extra))


def components(C):
    """Sizes of connected components, by a plain walk."""
    left, sizes = set(range(len(C))), []
    while left:
        found = [left.pop()]
        for i in found:
            near = {j for j in left if C[i, j] > 0}
            left -= near
            found += near
        sizes.append(len(found))
    return sizes


@pytest.mark.parametrize("seed", range(3))
def test_clusters_are_sorted_by_size(seed):
    rng = np.random.default_rng(seed)
    links = [(*sorted(rng.choice(25, 2, replace=False)), rng.random()) for _ in range(14)]
    similarity = chained(25, links)
    seen = excerpt(similarity)
    assert sorted(seen.index) == list(range(25)) and (similarity.block(seen.index) == seen.C).all()
    assert list(seen.sizes) == sorted((size for size in components(seen.C) if size > 1), reverse=True)
    start = 0
    for size in seen.sizes:
        block = slice(start, start + size)
        assert components(seen.C[block, block]) == [size] and not seen.C[block, start + size :].any()
        start += size
    assert (seen.C[start:, start:] == np.eye(25 - start)).all()


def test_excerpt_takes_the_most_selected_then_most_linked():
    similarity = chained(10, [(7, 8, 1), (7, 9, 1), (1, 2, 0.5)])
    assert sorted(excerpt(similarity, most=3).index) == [7, 8, 9]
    assert sorted(excerpt(similarity, np.array([0, 5, 4, 9, 0, 0, 0, 0, 0, 0]), most=3).index) == [1, 2, 7]
    assert sorted(excerpt(similarity, np.arange(10), most=3).index) == [7, 8, 9]


def test_lowest_threshold_keeps_as_many_pairs_as_fit(monkeypatch):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 60)) + rng.normal(size=(40, 1))
    assert lowest_threshold(X) == 0
    monkeypatch.setattr(overview, "ALL_PAIRS", 50)
    assert lowest_threshold(X) == 0.3
    rho = np.abs(np.corrcoef(X.T))[np.triu_indices(60, 1)]
    for level, higher in zip(overview.LEVELS, overview.LEVELS[1:]):
        reached = np.count_nonzero(rho >= level)
        if reached > np.count_nonzero(rho >= higher):
            monkeypatch.setattr(overview, "MAX_PAIRS", reached)  # one too many
            assert lowest_threshold(X, "pearson") == higher
            monkeypatch.setattr(overview, "MAX_PAIRS", reached / 0.95 + 1)
            assert lowest_threshold(X, "pearson") == level
    monkeypatch.setattr(overview, "MAX_PAIRS", 0)
    assert lowest_threshold(X) == 1
