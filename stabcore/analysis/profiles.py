"""Stability against cardinality: every number of selected features at once, beside what random ranking would give."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from stabcore.analysis.effective_profiles import effective_along, effective_at, effective_spread
from stabcore.errors import InputError
from stabcore.inference.estimate import NOTHING, by_luck, deviate, jackknife_error, sides
from stabcore.inference.steady import most_alike
from stabcore.measures.catalog import entry
from stabcore.measures.random_sets import random_pair
from stabcore.measures.statistic import PairStatistic, inside_units, linear, pair_formula, ratio
from stabcore.selectors.model_paths import shared_pairs, sizes_at

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import ArrayLike

    from stabcore.measures.entry import MeasureLike
    from stabcore.preferences import Preferences
    from stabcore.relation.relation import Relation

AT_ONCE = 200_000           # pairs of runs × sizes that are counted together, few enough to stay in a processor's cache
LOOKED_AT = 100             # sizes at most at which the few deviating runs of a steady ranking are looked at one by one


def profile(preferences: Preferences, measure: MeasureLike = "nogueira", *, relation: Relation | None = None,
            sizes: ArrayLike | None = None, level: float = 0.95, baseline: bool = True) -> pd.DataFrame:
    """DataFrame(k, value, low, high, random, random_low, random_high): the measure if every run selected its k best, every k.

    preferences: what the runs selected and ranked; level: of the interval, 0 to 1.
    measure: a pair measure (jaccard, kuncheva, phi, …), nogueira, rbo, or effective with a relation. sizes: which k (default: all).
    The curve stops where the first run stops ranking; no order is invented. Runs with paths are taken at each k with the sets that
    the selector gives there, which may hold fewer than k features. low, high: as sc.stability(runs.top(k), …) has them, by the
    jackknife; only high is missing where the runs never differ. (Of more than 100 sizes at which most runs agree, how far a few
    deviating runs leave the value open is asked at 100 and taken over by the next ones of the kind.)
    random…: what as many runs that rank at random would give (see random_profile; left out with baseline=False).
    Cost O(M²d), for `effective` O(Md · (M + related features of each)); never a product for each k. Raises InputError for runs
    without a ranking, or a relation about other features.
    Source: of the measure, see sc.list_measures(); its course over k, and that of random rankings, are ours.
    """
    import pandas as pd

    terms, ks = profile_terms(preferences, measure, relation=relation, sizes=sizes)
    definition, value, se = entry(measure), terms.value(), jackknife_error(terms)
    half = deviate(level, terms.n_units - 1) * se

    def at(i):
        return sides(preferences.top(int(ks[i])), value[i], se[i], half[i], lambda some: definition.function(some, relation), level,
                     at_random=by_luck(definition))[:2]

    below, above = _sides(se, half, most_alike(preferences, ks), at)
    (low, _), (_, high) = (definition.interval(value, side) for side in (below, above))
    curve = pd.DataFrame({"k": ks, "value": value, "low": low, "high": high})
    if baseline:
        d = preferences.n_features
        chance_level = random_profile(terms.n_runs, d, ks, measure, relation=relation, level=level)
        curve[["random", "random_low", "random_high"]] = chance_level[["value", "low", "high"]]
    return curve


def _sides(se, half, alike, at):
    """(below, above), (K,): how far the intervals of a profile reach. alike: (K,) may most runs be; at: i -> both there."""
    below, above = half.copy(), half.copy()
    still = se < NOTHING
    for kind in (np.flatnonzero(still), np.flatnonzero(alike & (se >= NOTHING))):
        if len(kind):
            looked_at = kind[np.unique(np.linspace(0, len(kind) - 1, LOOKED_AT // 2).astype(int))]
            reaches = np.array([at(i) for i in looked_at], dtype=float)[np.abs(kind[:, None] - looked_at).argmin(axis=1)]
            below[kind], above[kind] = np.maximum(reaches, half[kind, None]).T
    return below, above


def profile_terms(preferences, measure="nogueira", *, relation=None, sizes=None):
    """(Terms of a measure at K sizes at once, (K,) the sizes); see profile."""
    definition = _allowed(measure, relation)
    if relation is not None:
        relation.check_covers(preferences)
    ks, paths = _sizes(preferences, sizes), preferences.paths
    if definition.of_order:
        return _order_terms(preferences.ranking(), ks, definition, preferences.units)
    if paths is not None:
        if definition.of_related:
            return effective_along(paths, ks, relation, preferences.units), ks
        return _path_terms(paths, ks, definition, preferences.n_features, preferences.units), ks
    ranks = preferences.ranking()
    if definition.of_related:
        return effective_at(ranks, ks, relation, preferences.units), ks
    return _pair_terms(ranks, ks, pair_formula(definition), preferences.units), ks


def random_profile(n_runs: int, n_features: int, sizes: ArrayLike, measure: MeasureLike = "nogueira", *,
                   relation: Relation | None = None, level: float = 0.95) -> pd.DataFrame:
    """DataFrame(k, value, low, high): what M runs that rank at random give on average, and the band they stay in.

    Mean and standard deviation are exact: for pair measures the overlap is hypergeometric and, for random sets of one size,
    pairs that share a run are uncorrelated; for `effective` see effective_spread. The band takes the value as normally
    distributed, which it is not quite where a few large groups decide.
    """
    import pandas as pd

    definition = _allowed(measure, relation)
    ks = np.asarray(sizes, dtype=int)
    if definition.of_related:
        mean, sd = np.zeros(len(ks)), effective_spread(n_runs, relation, ks)
    else:
        mean, sd = (_random_orders(definition, ks, n_features) if definition.of_order else
                    _random_pairs(pair_formula(definition), ks, n_features))
        sd = sd / np.sqrt(n_runs * (n_runs - 1) / 2)
    half = deviate(level) * sd
    return pd.DataFrame({"k": ks, "value": mean, "low": mean - half, "high": mean + half})


def _allowed(measure, relation):
    definition = entry(measure)
    if not definition.profiled:
        raise InputError(f"A profile needs a measure of sets, or rbo; {definition.key} is neither. Choose nogueira, effective, "
                         "jaccard, kuncheva, phi or rbo.")
    if definition.needs_relation and relation is None:
        raise InputError(f"{definition.key} needs to know which features stand for each other: give relation=.")
    return definition


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


# ---- measures of the order ----

def _order_terms(ranks, ks, definition, units):
    """(Terms of a measure of two rankings down to K depths, (K,) those that every run reaches); corrected, as by default."""
    ks = ks[ks <= np.count_nonzero(~np.isnan(ranks), axis=1).min()]
    if not len(ks):
        raise InputError("A run ranks nothing, so its order cannot be compared at any depth.")
    depths, d = np.arange(1, ks[-1] + 1), ranks.shape[1]
    by_lot = definition.of_order.random_along(ks, d)[0]

    def with_others(runs):
        others = np.count_nonzero(runs) - 1
        return ratio(definition.of_order.along(shared_with_others(ranks[runs], depths), ks) - others * by_lot, 1 - by_lot)

    return PairStatistic(lambda n, mean: mean, len(ranks), pairs=(with_others(np.ones(len(ranks), dtype=bool)),), units=units,
                         inside=inside_units(units, len(ks), with_others)), ks


def _random_orders(definition, ks, d):
    """(mean, standard deviation), each (K,), of a corrected measure of two random orders."""
    by_lot, sd = definition.of_order.random_along(ks, d)
    return np.zeros(len(ks)), ratio(sd, 1 - by_lot)


# ---- pair measures ----

def _pair_terms(ranks, ks, pair, units) -> PairStatistic:
    """Terms of a pair measure at all sizes; a mean over pairs of what is linear in the overlap needs only the mean overlap."""
    of_mean = linear(pair, ks.astype(float), ranks.shape[1])

    def with_others(runs):
        if not of_mean:
            return _pairs_with_others(ranks[runs], ks, pair)
        others = np.count_nonzero(runs) - 1
        with np.errstate(invalid="ignore", divide="ignore"):
            return others * pair(shared_with_others(ranks[runs], ks) / others, ks.astype(float), ks.astype(float), ranks.shape[1])

    return PairStatistic(lambda n, mean: mean, len(ranks), pairs=(with_others(np.ones(len(ranks), dtype=bool)),), units=units,
                         inside=inside_units(units, len(ks), with_others))


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


def _path_terms(paths, ks, definition, d, units) -> PairStatistic:
    """Terms of a measure of pairs at all sizes for runs with paths: sets as the selectors give them."""
    n_runs, size = len(paths), sizes_at(paths, ks)
    summed = np.zeros(size.shape)
    inside = () if units is None else (np.zeros((int(units.max()) + 1, len(ks))),)
    for some, i, shared in shared_pairs(paths, ks):
        values = shared.astype(float)
        if not definition.of_shared:
            with np.errstate(invalid="ignore", divide="ignore"):
                values = pair_formula(definition)(values, size[i, some], size[i + 1:, some], d)
        summed[i, some] += values.sum(axis=0)
        summed[i + 1:, some] += values
        if inside:
            inside[0][units[i], some] += 2 * values[units[i + 1:] == units[i]].sum(axis=0)
    if definition.of_shared:
        return definition.of_shared(summed, size, d, units=units, inside=inside)
    return PairStatistic(lambda n, mean: mean, n_runs, pairs=(summed,), units=units, inside=inside)


def _in_order(ranks, last):
    """((M, d) ranks as whole numbers, last + 1 for all that come later or never; (M, last) the features in order of rank)."""
    levels = np.where(np.isnan(ranks) | (ranks > last), last + 1, ranks).astype(np.int32)
    return levels, np.argsort(levels, axis=1, kind="stable")[:, :last]


def _random_pairs(pair, ks, d):
    """(mean, standard deviation), each (K,), of a pair formula over two random sets of k features each."""
    size = ks.astype(float)
    if not linear(pair, size, d):
        return np.array([random_pair(pair, k, k, d) for k in ks]).reshape(-1, 2).T
    with np.errstate(invalid="ignore", divide="ignore"):
        slope = (pair(size, size, size, d) - pair(0 * size, size, size, d)) / size
        mean = pair(size ** 2 / d, size, size, d)
    return np.broadcast_to(mean, size.shape), np.abs(slope) * size * (d - size) / d / np.sqrt(max(d - 1, 1))
