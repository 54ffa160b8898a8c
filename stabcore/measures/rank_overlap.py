"""Rank-biased overlap: the overlap of two rankings down to every depth, with most weight on the highest ranks."""

import numpy as np

from stabcore.base.errors import InputError
from stabcore.measures.statistic import mean_of_pairs, measure, ratio
from stabcore.measures.weights import run_ranks

PERSISTENCE = 0.9  # p: nine of ten readers of one rank read on, and the first ten ranks have 86% of the weight


@measure
def rbo(selections, similarity=None, *, p=PERSISTENCE, k=None, corrected=True, random_state=0):
    """Mean rank-biased overlap of the first k ranks of two runs, less that of random orders.

    RBO = (X_k/k) pᵏ + ((1 − p)/p) Σ_{e ≤ k} (X_e/e) pᵉ, where X_e is the number of features that both have among their first e.
    Random orders of d features give exactly X_e = e²/d on average, so E = (k/d) pᵏ + ((1 − p)/p) Σ (e/d) pᵉ. The value is
    (RBO − E)/(1 − E). corrected=False gives RBO.
    p: the probability that a reader of one rank reads on, between 0 and 1. k: the depth (default: the mean number of selected
    features, else all). Two runs are compared down to the shorter ranking. Features of equal score are in seeded random order.
    Range [−1, 1], or 0 to 1 uncorrected: 0 is random order, 1 the same first k ranks in every run. Undefined for a run that
    ranks nothing, and for a single feature. Source: Webber, Moffat & Zobel 2010, ACM TOIS 28:20 (RBO_ext, lists of one length).
    """
    d = selections.n_features
    if not 0 < p < 1:
        raise InputError(f"rbo needs a persistence p between 0 and 1. Found p={p!r}.")
    if k is None:
        k = d if selections.selection is None else max(1, int(selections.sizes.mean() + 0.5))
    if int(k) != k or not 1 <= k <= d:
        raise InputError(f"rbo compares the first k ranks. k must be a whole number from 1 to {d}. Found {k}.")
    ranks = run_ranks(selections, "random", random_state)
    depth = np.minimum(np.count_nonzero(~np.isnan(ranks), axis=1), int(k))
    values = np.full((len(ranks),) * 2, np.nan)
    for i in range(len(ranks) - 1):
        values[i, i + 1 :] = values[i + 1 :, i] = _rbo_with_others(
            ranks[i], ranks[i + 1 :], np.minimum(depth[i], depth[i + 1 :]), p
        )
    if corrected:
        by_chance = _random_rbo(np.minimum.outer(depth, depth), d, p)
        values = ratio(values - by_chance, 1 - by_chance)
    return mean_of_pairs(values, "a run that ranks nothing, or a single feature, has no order to compare", units=selections.units)


def rbo_at_depths(shared, depths, p=PERSISTENCE):
    """(…, K) RBO down to each of K depths. shared: (…, E) X_e at every depth e from 1 to the deepest."""
    e = np.arange(1, np.shape(shared)[-1] + 1)
    share, weight = shared / e, p**e
    so_far = (1 - p) / p * np.cumsum(share * weight, axis=-1)
    return (so_far + share * weight)[..., np.asarray(depths) - 1]


def random_rbo_moments(depths, d):
    """(mean, standard deviation), each (K,), of RBO down to each of K depths for two random orders of d features.

    The mean is exact by E X_e = e²/d. The variance uses cov(X_e, X_f) = e² (d − f)²/(d² (d − 1)) for e ≤ f.
    """
    e, p = np.arange(1.0, np.max(depths) + 1), PERSISTENCE
    each, last = (1 - p) / p * p**e / e, p**e / e  # weight of X_e above the last depth, and additional weight at it
    left = ((d - e) / d) ** 2 / max(d - 1, 1)
    before = np.cumsum(each * e**2)
    variance = np.cumsum(each**2 * e**2 * left + 2 * each * left * (before - each * e**2))
    variance = variance + (last**2 * e**2 + 2 * last * before) * left
    return rbo_at_depths(e**2 / d, depths), np.sqrt(variance[np.asarray(depths) - 1])


def _rbo_with_others(ranks, others, depth, p):
    """(N,) RBO of one row of ranks with N others, each down to its own depth, NaN where the depth is 0."""
    deepest = max(int(depth.max()), 1)
    worse = np.nan_to_num(np.maximum(ranks, others), nan=deepest + 1.0)  # depth from which two runs share a feature
    steps = np.minimum(worse, deepest + 1).astype(int) + (deepest + 2) * np.arange(len(others))[:, None]
    shared = np.bincount(steps.ravel(), minlength=(deepest + 2) * len(others)).reshape(len(others), -1)
    overlaps = rbo_at_depths(shared.cumsum(axis=1)[:, 1 : deepest + 1], np.arange(1, deepest + 1), p)
    return np.where(depth > 0, overlaps[np.arange(len(others)), np.maximum(depth, 1) - 1], np.nan)


def _random_rbo(depth, d, p):
    """Mean RBO of two random orders, for a matrix of depths."""
    every = rbo_at_depths(np.arange(1, d + 1) ** 2 / d, np.arange(1, d + 1), p)
    return every[np.maximum(depth, 1) - 1]
