"""A part of a large similarity C for a plot: few features, with similar ones next to each other."""

from dataclasses import dataclass

import numpy as np

from stabcore.similarity.correlation import MAX_PAIRS, Correlations, numeric_columns

MAX_SHOWN, ALL_SHOWN = 150, 40  # features in a picture of C, and up to which all are shown
ALL_PAIRS = 1500  # up to this number of features, |ρ| of every pair is kept
SAMPLED = 2048
LEVELS = (0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)


@dataclass(frozen=True, eq=False)
class Excerpt:
    """A part of C: `index` (m,) 0-based features in display order, `C` (m, m), `sizes` of its clusters of two or more."""

    index: np.ndarray
    C: np.ndarray
    sizes: tuple[int, ...]


def excerpt(similarity, counts=None, most=MAX_SHOWN) -> Excerpt:
    """Up to `most` features of C. Of many features, only those with a similar one.

    First the most frequently selected (counts), then those with the largest row sums of C.

    Features linked by any chain of C > 0 are one cluster. The largest clusters are first. Within a cluster, the order is that of
    the leaves of the average linkage tree of 1 − C.
    """
    from scipy.cluster.hierarchy import leaves_list, linkage
    from scipy.sparse.csgraph import connected_components
    from scipy.spatial.distance import squareform

    index = _shown_features(similarity, counts, most)
    C = similarity.block(index)
    _, labels = connected_components(C > 0, directed=False)
    sizes = np.bincount(labels)
    leaves = leaves_list(linkage(squareform(1 - C, checks=False), "average")) if len(index) > 1 else np.arange(len(index))
    first = np.full(len(sizes), len(index))  # the first feature of each cluster, so that equal sizes keep their order
    np.minimum.at(first, labels, np.arange(len(index)))
    place = np.empty(len(index), dtype=int)
    place[leaves] = np.arange(len(index))
    order = np.lexsort((place, first[labels], -sizes[labels]))
    return Excerpt(index[order], C[np.ix_(order, order)], tuple(sorted((int(n) for n in sizes if n > 1), reverse=True)))


def _shown_features(similarity, counts, most):
    d = similarity.n_features
    if d <= min(most, ALL_SHOWN):
        return np.arange(d)
    sums = similarity.times(np.ones(d))
    linked = np.flatnonzero(sums > 1) if similarity.n_related else np.arange(d)
    often = np.zeros(d) if counts is None else np.asarray(counts)
    return np.sort(linked[np.lexsort((linked, -sums[linked], -often[linked]))[:most]])


def lowest_threshold(X, method="spearman") -> float:
    """The lowest |ρ| to keep for the correlated pairs of X, so that a higher threshold only removes pairs.

    0 for up to ALL_PAIRS features, else the lowest of LEVELS that fits in memory, estimated from a sample of features. 1 if none
    fits.
    """
    values, _ = numeric_columns(X)
    d = values.shape[1]
    if d <= ALL_PAIRS:
        return 0.0
    index = np.unique(np.linspace(0, d - 1, SAMPLED).astype(int))
    reached = np.zeros(len(LEVELS))
    for _, _, rho in Correlations.of(values[:, index], method).blocks():
        reached += [np.count_nonzero(rho >= level) for level in LEVELS]
    pairs = reached * (d * (d - 1)) / (len(index) * (len(index) - 1))
    return next((level for level, count in zip(LEVELS, pairs) if count < 0.95 * MAX_PAIRS), 1.0)
