"""Seriation: an order of columns in which columns selected by the same runs are neighbours."""

import numpy as np

MAX_CLUSTERED = 2000  # limit of the tree, which needs all pairwise distances


def coselection_order(selected) -> np.ndarray:
    """(C,) order of the columns of an (M, C) 0/1 matrix, so that columns selected by the same runs are next to each other.

    Up to MAX_CLUSTERED columns: the leaves of the average-linkage tree of their Jaccard distances, with the branch
    that is selected more often first at every fork. Beyond it: by their loadings on the first principal component of the matrix
    with centred columns, from the end where the columns are selected more often. Equal columns stay in the order given.
    """
    selected = np.asarray(selected, dtype=bool)
    if selected.shape[1] < 3:
        return np.argsort(-selected.sum(axis=0), kind="stable")
    return _cluster_order(selected) if selected.shape[1] <= MAX_CLUSTERED else _axis_order(selected)


def _cluster_order(selected):
    from scipy.cluster.hierarchy import linkage
    from scipy.spatial.distance import squareform

    counts = selected.sum(axis=0, dtype=np.float32)
    both = selected.T.astype(np.float32) @ selected.astype(np.float32)
    either = counts[:, None] + counts[None, :] - both
    distance = 1 - np.divide(both, either, out=np.ones_like(both), where=either > 0)
    tree = linkage(squareform(distance, checks=False), "average")
    branches = [([leaf], count) for leaf, count in enumerate(counts.tolist())]  # leaves, and their total count
    for left, right in tree[:, :2].astype(int):
        first, second = sorted((branches[left], branches[right]), key=lambda b: (-b[1] / len(b[0]), b[0][0]))
        branches.append((first[0] + second[0], first[1] + second[1]))
    return np.array(branches[-1][0])


def _axis_order(selected):
    frequency = selected.mean(axis=0)
    centred = selected - frequency
    loading = centred.T @ np.linalg.eigh(centred @ centred.T)[1][:, -1]
    if (frequency - frequency.mean()) @ loading > 0:
        loading = -loading
    largest = np.abs(loading).max()
    return np.argsort(np.round(loading / largest, 9) if largest > 0 else loading, kind="stable")
