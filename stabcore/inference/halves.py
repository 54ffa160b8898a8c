"""Two halves: what two separate halves of the patients agree on. No row is shared, so without any signal they agree by chance."""

from __future__ import annotations

import numpy as np

from stabcore.inference.estimate import deviate
from stabcore.measures.catalog import entry

COLUMNS = ("shared", "by_luck", "size", "value", "low", "high", "pairs", "note")


def agreement_of_halves(preferences, pairs, measure="kappa", *, relation=None, level=0.95) -> dict:
    """What the two runs of a pair agree on, averaged over the pairs.

    pairs: (M,) number of the pair of complementary halves that each run belongs to; runs without their other half do not count.
    shared: mean |V ∩ V'|; by_luck: mean k k'/d, what two random sets of those sizes share; size: mean number selected; value: the
    mean of `measure` on the two runs alone; low, high: t interval of that mean (pairs are drawn independently of each other, so
    it speaks of other divisions of the same patients). Missing with a `note` where a pair has no value, below three pairs, or
    where all pairs have the same value. Both halves have half the patients: it is what studies of that size would agree on.
    Source: Shah & Samworth 2013 (the pairs).
    """
    pairs = np.asarray(pairs)
    both = [index for pair in np.unique(pairs) if len(index := np.flatnonzero(pairs == pair)) == 2]
    if not both:
        return dict(zip(COLUMNS, (*[np.nan] * 6, 0, "no pair has both halves finished")))
    first, second = np.array(both).T
    sizes, shared = preferences.sizes, preferences.shared[first, second]
    by_luck = sizes[first] * sizes[second] / preferences.n_features
    function = entry(measure).function
    values = (function.of_pairs(preferences, relation, first, second) if hasattr(function, "of_pairs") else
              np.array([function(preferences.take(pair), relation) for pair in both]))
    low, high, note = _interval(values, level)
    return dict(zip(COLUMNS, (float(shared.mean()), float(by_luck.mean()), float(sizes[np.ravel(both)].mean()),
                              float(values.mean()), low, high, len(both), note)))


def _interval(values, level):
    """(low, high, why there is none) of the mean of independent values."""
    many, missing = len(values), np.count_nonzero(np.isnan(values))
    if missing:
        return np.nan, np.nan, f"{missing} of {many} pairs of halves have no value"
    if many < 3 or np.ptp(values) == 0:
        return np.nan, np.nan, "an interval needs at least three pairs" if many < 3 else "all pairs of halves agree alike"
    half = deviate(level, many - 1) * values.std(ddof=1) / np.sqrt(many)
    return float(values.mean() - half), float(min(values.mean() + half, 1.0)), ""
