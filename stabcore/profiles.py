"""Stability against cardinality: every number of selected features at once, beside what random ranking would give."""

from __future__ import annotations

import numpy as np

from stabcore.errors import InputError
from stabcore.inference import deviate, jackknife_error
from stabcore.measures.catalog import entry
from stabcore.measures.random_sets import random_pair
from stabcore.measures.terms import Terms
from stabcore.model_paths import shared_pairs, sizes_at
from stabcore.profiles_related import effective_along, effective_at, effective_spread

AT_ONCE = 200_000           # pairs of runs × sizes that are counted together, few enough to stay in a processor's cache


def profile(preferences, measure="nogueira", *, relation=None, sizes=None, level=0.95, baseline=True):
    """DataFrame(k, value, low, high, random, random_low, random_high): the measure if every run selected its k best, every k.

    measure: a pair measure (jaccard, kuncheva, phi, …), nogueira, or effective with a relation. sizes: which k (default: all).
    The curve stops where the first run stops ranking; no order is invented. Runs with paths are taken at each k with the sets that
    the selector gives there, which may hold fewer than k features. low, high: jackknife over runs at `level`.
    random…: what as many runs that rank at random would give (see random_profile; left out with baseline=False).
    Cost O(M²d), for `effective` O(Md · (M + related features of each)); never a product for each k. Raises InputError for runs
    without a ranking, or a relation about other features.
    """
    import pandas as pd

    terms, ks = profile_terms(preferences, measure, relation=relation, sizes=sizes)
    value, half = terms.value(), deviate(level, terms.n_runs - 1) * jackknife_error(terms)
    low, high = entry(measure).interval(value, half)
    curve = pd.DataFrame({"k": ks, "value": value, "low": low, "high": high})
    if baseline:
        d = preferences.n_features
        chance_level = random_profile(terms.n_runs, d, ks, measure, relation=relation, level=level)
        curve[["random", "random_low", "random_high"]] = chance_level[["value", "low", "high"]]
    return curve


def profile_terms(preferences, measure="nogueira", *, relation=None, sizes=None):
    """(Terms of a measure at K sizes at once, (K,) the sizes); see profile."""
    one = _allowed(measure, relation)
    if relation is not None:
        relation.check_covers(preferences)
    ks, paths = _sizes(preferences, sizes), preferences.paths
    if paths is not None:
        return (effective_along(paths, ks, relation) if one.of_related else
                _path_terms(paths, ks, one, preferences.n_features)), ks
    ranks = preferences.ranking()
    return (effective_at(ranks, ks, relation) if one.of_related else _pair_terms(ranks, ks, _pair(one))), ks


def random_profile(n_runs, n_features, sizes, measure="nogueira", *, relation=None, level=0.95):
    """DataFrame(k, value, low, high): what M runs that rank at random give on average, and the band they stay in.

    Mean and standard deviation are exact: for pair measures the overlap is hypergeometric and, for random sets of one size,
    pairs that share a run are uncorrelated; for `effective` see effective_spread. The band takes the value as normally
    distributed, which it is not quite where a few large groups decide.
    """
    import pandas as pd

    one = _allowed(measure, relation)
    ks = np.asarray(sizes, dtype=int)
    if one.of_related:
        mean, sd = np.zeros(len(ks)), effective_spread(n_runs, relation, ks)
    else:
        mean, sd = _random_pairs(_pair(one), ks, n_features)
        sd = sd / np.sqrt(n_runs * (n_runs - 1) / 2)
    half = deviate(level) * sd
    return pd.DataFrame({"k": ks, "value": mean, "low": mean - half, "high": mean + half})


def _allowed(measure, relation):
    one = entry(measure)
    if not one.profiled:
        raise InputError(f"A profile needs a measure of sets; {one.key} is not one. Choose nogueira, effective, jaccard, "
                         "kuncheva or phi.")
    if one.needs_relation and relation is None:
        raise InputError(f"{one.key} needs to know which features stand for each other: give relation=.")
    return one


def _pair(one):
    """Formula of a pair of runs that select equally many, whose mean the measure is."""
    return one.at_equal_sizes or one.pair


def _sizes(preferences, sizes):
    longest = preferences.n_ranked
    if not longest:
        preferences.ranking()       # says what is missing
        raise InputError("A run selects nothing whatever the number of features, so there is no profile.")
    if sizes is None:
        return np.arange(1, longest + 1)
    ks = np.unique(np.asarray(sizes))
    if not len(ks) or ks[0] < 1 or (ks % 1).any():
        raise InputError("Cardinalities are whole numbers from 1 up.")
    if ks[0] > longest:
        raise InputError(f"The run that ranks fewest ranks {longest} features, so it cannot select {ks[0]:.0f}.")
    return ks[ks <= longest].astype(int)


# ---- pair measures ----

def _pair_terms(ranks, ks, pair) -> Terms:
    """Terms of a pair measure at all sizes; a mean over pairs of what is linear in the overlap needs only the mean overlap."""
    size, n_runs = ks.astype(float), len(ranks)
    if _linear(pair, size, ranks.shape[1]):
        with np.errstate(invalid="ignore", divide="ignore"):
            mean = pair(shared_with_others(ranks, ks) / (n_runs - 1), size, size, ranks.shape[1])
        return Terms(lambda n, mean: mean, n_runs, pairs=(mean * (n_runs - 1),))
    return Terms(lambda n, mean: mean, n_runs, pairs=(_pairs_with_others(ranks, ks, pair),))


def _linear(pair, size, d):
    """Is a pair formula, for two sets of one size, linear in their overlap?"""
    with np.errstate(invalid="ignore", divide="ignore"):
        none, half, all_of_it = (np.asarray(pair(share * size, size, size, d)) for share in (0.0, 0.5, 1.0))
    return np.allclose((none + all_of_it) / 2, half, rtol=1e-9, atol=1e-9, equal_nan=True)


def shared_with_others(ranks, ks):
    """(M, K) how many features each run's k best share with those of all other runs together.

    The k-th feature of run q is shared with run i from now on if i has it already, or when i comes to it later.
    """
    levels, order = _in_order(ranks, int(ks[-1]))
    now = np.arange(1, order.shape[1] + 1, dtype=levels.dtype)
    gain = np.zeros(order.shape, dtype=np.int64)
    for i, own in enumerate(levels):
        at = own[order]                                 # where run i ranks the k-th feature of every run
        gain[i] += np.count_nonzero(at <= now, axis=0) - 1
        gain += at < now
    return np.cumsum(gain, axis=1)[:, ks - 1].astype(float)


def _pairs_with_others(ranks, ks, pair):
    """(M, K) sum of a pair formula between a run and all others: two runs share f from the worse of its two ranks on."""
    n_runs, d = ranks.shape
    last, size = int(ks[-1]), ks.astype(float)
    levels = _in_order(ranks, last)[0].astype(np.int64)
    step, others = max(1, AT_ONCE // (last + 2)), np.zeros((n_runs, len(ks)))
    for i in range(n_runs - 1):
        for start in range(i + 1, n_runs, step):
            partners = slice(start, min(start + step, n_runs))
            count = partners.stop - start
            worse = np.maximum(levels[i], levels[partners]) + (last + 2) * np.arange(count)[:, None]
            shared = np.bincount(worse.ravel(), minlength=(last + 2) * count).reshape(count, -1).cumsum(axis=1)[:, ks]
            with np.errstate(invalid="ignore", divide="ignore"):
                values = pair(shared.astype(float), size, size, d)
            others[i] += values.sum(axis=0)
            others[partners] += values
    return others


def _path_terms(paths, ks, one, d) -> Terms:
    """Terms of a measure of pairs at all sizes for runs with paths: sets as the selectors give them."""
    n_runs, size = len(paths), sizes_at(paths, ks)
    summed = np.zeros(size.shape)
    for some, i, shared in shared_pairs(paths, ks):
        values = shared.astype(float)
        if not one.of_shared:
            with np.errstate(invalid="ignore", divide="ignore"):
                values = _pair(one)(values, size[i, some], size[i + 1:, some], d)
        summed[i, some] += values.sum(axis=0)
        summed[i + 1:, some] += values
    if one.of_shared:
        return one.of_shared(summed, size, d)
    return Terms(lambda n, mean: mean, n_runs, pairs=(summed,))


def _in_order(ranks, last):
    """((M, d) ranks as whole numbers, last + 1 for all that come later or never; (M, last) the features in order of rank)."""
    levels = np.where(np.isnan(ranks) | (ranks > last), last + 1, ranks).astype(np.int32)
    return levels, np.argsort(levels, axis=1, kind="stable")[:, :last]


def _random_pairs(pair, ks, d):
    """(mean, standard deviation), each (K,), of a pair formula over two random sets of k features each."""
    size = ks.astype(float)
    if not _linear(pair, size, d):
        return np.array([random_pair(pair, k, k, d) for k in ks]).reshape(-1, 2).T
    with np.errstate(invalid="ignore", divide="ignore"):
        slope = (pair(size, size, size, d) - pair(0 * size, size, size, d)) / size
        mean = pair(size ** 2 / d, size, size, d)
    return np.broadcast_to(mean, size.shape), np.abs(slope) * size * (d - size) / d / np.sqrt(max(d - 1, 1))
