"""Stability against cardinality: every number of selected features at once, beside what random ranking would give."""

from __future__ import annotations

import numpy as np

from stabcore.errors import InputError
from stabcore.inference import deviate, jackknife_error
from stabcore.measures import chance
from stabcore.measures.catalog import entry
from stabcore.measures.random_sets import random_pair
from stabcore.measures.similarity import effective_terms
from stabcore.measures.terms import Terms
from stabcore.preferences import Preferences

RANDOM_PAIRS = 200          # pairs of random sets a size, for the band of `effective`
CELLS = 5_000_000          # entries of M runs × d features × sizes that are held at a time


def profile(preferences, measure="nogueira", *, relation=None, sizes=None, level=0.95, baseline=True):
    """DataFrame(k, value, low, high, random, random_low, random_high): the measure if every run selected its k best, every k.

    measure: a pair measure (jaccard, kuncheva, phi, …), nogueira, or effective with a relation. sizes: which k (default: all).
    The curve stops where the first run stops ranking; no order is invented. low, high: jackknife over runs at `level`.
    random…: what as many runs that rank at random would give (see random_profile; left out with baseline=False).
    Cost O(M²d) for pair measures, never a loop over k. Raises InputError for runs without a ranking, or a
    relation about other features.
    """
    import pandas as pd

    one = _allowed(measure, relation)
    if relation is not None:
        relation.check_covers(preferences)
    ranks = preferences.ranking()
    ks = _sizes(ranks, sizes)
    terms = _effective_terms(ranks, ks, relation) if one.key == "effective" else _pair_terms(ranks, ks, _pair(one))
    value, half = terms.value(), deviate(level, terms.n_runs - 1) * jackknife_error(terms)
    curve = pd.DataFrame({"k": ks, "value": value, "low": value - half, "high": value + half})
    if baseline:
        chance_level = random_profile(*ranks.shape, ks, measure, relation=relation, level=level)
        curve[["random", "random_low", "random_high"]] = chance_level[["value", "low", "high"]]
    return curve


def random_profile(n_runs, n_features, sizes, measure="nogueira", *, relation=None, level=0.95, seed=0):
    """DataFrame(k, value, low, high): what M runs that rank at random give on average, and the band they stay in.

    For pair measures mean and standard deviation are exact: the overlap is hypergeometric and, for random sets of one size,
    pairs that share a run are uncorrelated. For `effective` the mean is 0 exactly and the standard deviation is estimated from
    400 seeded random sets a size. The band takes the value as normally distributed.
    """
    import pandas as pd

    one = _allowed(measure, relation)
    ks = np.asarray(sizes, dtype=int)
    if one.key == "effective":
        mean, sd = np.zeros(len(ks)), _effective_spread(n_runs, relation, ks, seed)
    else:
        mean, sd = np.array([random_pair(_pair(one), k, k, n_features) for k in ks]).reshape(-1, 2).T
        sd = sd / np.sqrt(n_runs * (n_runs - 1) / 2)
    half = deviate(level) * sd
    return pd.DataFrame({"k": ks, "value": mean, "low": mean - half, "high": mean + half})


def _allowed(measure, relation):
    one = entry(measure)
    if one.key != "effective" and _pair(one) is None:
        raise InputError(f"A profile needs a measure of sets; {measure} is not one. Choose nogueira, effective, jaccard, "
                         "kuncheva or phi.")
    if one.key == "effective" and relation is None:
        raise InputError("effective needs to know which features stand for each other: give relation=.")
    return one


def _pair(one):
    """The pair formula of a measure; nogueira is Kuncheva's index where all runs select k features."""
    return chance.kuncheva.pair if one.key == "nogueira" else getattr(one.function, "pair", None)


def _sizes(ranks, sizes):
    longest = int((~np.isnan(ranks)).sum(axis=1).min())
    if sizes is None:
        return np.arange(1, longest + 1)
    ks = np.unique(np.asarray(sizes))
    if not len(ks) or ks[0] < 1 or (ks % 1).any():
        raise InputError("Cardinalities are whole numbers from 1 up.")
    if ks[0] > longest:
        raise InputError(f"The run that ranks fewest ranks {longest} features, so it cannot select {ks[0]:.0f}.")
    return ks[ks <= longest].astype(int)


def _pair_terms(ranks, ks, pair) -> Terms:
    """Terms of a pair measure at all sizes: two runs share f at size k from k = the worse of its two ranks on."""
    n_runs, d = ranks.shape
    last = int(ks[-1])
    levels = np.where(np.isnan(ranks) | (ranks > last), last + 1, ranks).astype(np.int64)
    size = ks[None, :].astype(float)
    others = np.zeros((n_runs, len(ks)))
    for i in range(n_runs - 1):
        worse = np.maximum(levels[i], levels[i + 1:]) + (last + 2) * np.arange(n_runs - i - 1)[:, None]
        counts = np.bincount(worse.ravel(), minlength=(last + 2) * (n_runs - i - 1)).reshape(-1, last + 2)
        with np.errstate(invalid="ignore", divide="ignore"):
            values = pair(np.cumsum(counts, axis=1)[:, ks].astype(float), size, size, d)
        others[i] += values.sum(axis=0)
        others[i + 1:] += values
    return Terms(lambda n, mean: mean, n_runs, pairs=(others,))


def _effective_terms(ranks, ks, relation) -> Terms:
    """Terms of `effective` at all sizes, some sizes at a time so that memory stays small."""
    near = np.flatnonzero((ranks <= ks[-1]).any(axis=0))           # the others are never selected
    ranks, among = ranks[:, near], relation.among(near)
    step = max(1, CELLS // max(ranks.size, 1))
    parts = [_effective_amounts(ranks, ks[i:i + step], among) for i in range(0, len(ks), step)]
    own, others = (np.concatenate(part, axis=1) for part in zip(*parts))
    return effective_terms(relation, own, others, np.broadcast_to(ks.astype(float), own.shape))


def _effective_amounts(ranks, ks, relation):
    """(M, K) effective size of each run, and its effective intersection with all others; C is applied once, to all together."""
    n_runs, d = ranks.shape
    inside = (ranks.T[:, :, None] <= ks).astype(float)                      # (d, M, K); NaN compares as not selected
    related = relation.times(inside.reshape(d, -1)).reshape(inside.shape)
    own = (inside * related).sum(axis=0)
    return own, (inside * related.sum(axis=1, keepdims=True)).sum(axis=0) - own


def _effective_spread(n_runs, relation, ks, seed):
    """(K,) standard deviation of `effective` over studies of random rankings; interpolated between a few sizes.

    With equal sizes the value is 1 − U/tr(CΣ⁰), U the mean over pairs of runs of h(z, z') = (zCz + z'Cz')/2 − zCz'. So its
    variance is 2/(M(M−1))·(2(M−2)ζ₁ + ζ₂), ζ₁ = var E(h | z), ζ₂ = var h, both estimated from random sets, a few hundred a size.
    """
    d = relation.n_features
    some = np.unique(np.linspace(ks[0], ks[-1], min(12, len(ks))).round().astype(int))
    row_sums, found = relation.times(np.ones(d)), []
    for k in some:
        rng = np.random.default_rng([seed, k])
        sets = Preferences.from_sets([rng.choice(d, k, replace=False) for _ in range(2 * RANDOM_PAIRS)], n_features=d).sets
        own = relation.self_products(sets)
        first, second = sets[::2], sets[1::2]
        h = (own[::2] + own[1::2]) / 2 - relation.self_products(first, second)
        zeta_1, zeta_2 = np.var(own / 2 - k / d * (sets @ row_sums), ddof=1), np.var(h, ddof=1)
        by_chance = k / d * (1 - k / d) * d + ((k * k - k) / max(d * d - d, 1) - k * k / d ** 2) * (relation.total - d)
        variance = (2 * (n_runs - 2) * zeta_1 + zeta_2) * 2 / (n_runs * (n_runs - 1))
        found.append(np.sqrt(variance) / by_chance if by_chance > 0 else 0.0)
    return np.interp(ks, some, found)
