"""Overlap of the selected sets, corrected for chance: 0 is what picking at random gives, 1 is perfect agreement."""

from __future__ import annotations

import numpy as np

from stabcore.errors import InputError
from stabcore.measures.terms import Terms, mean_of_pairs, measure, pair_measure, ratio


def _kuncheva(r, a, b, d):
    return ratio(r - a * b / d, a - a * b / d, scale=d)


@measure
def kuncheva(preferences, relation=None, *, undefined=None):
    """Kuncheva's index: mean of (r − k²/d)/(k − k²/d) over pairs, for runs that all select k features.

    Range [−1, 1]: 0 is chance, 1 all runs alike. Raises InputError when runs select different numbers of features.
    Source: Kuncheva 2007.
    """
    sizes = preferences.sizes
    if sizes.min() != sizes.max():
        raise InputError(f"kuncheva needs the same number of features in every run; found {sizes.min():.0f} to {sizes.max():.0f}. "
                         "Use nogueira, which equals it where both are defined and takes any sizes.")
    pairs = _kuncheva(preferences.shared, sizes[:, None], sizes[None, :], preferences.n_features)
    return mean_of_pairs(pairs, "every run selected nothing, or everything, so agreement says nothing (0/0)", undefined)


kuncheva.pair = _kuncheva


@pair_measure("a run that selects nothing, or every feature, has no correlation with another")
def phi(r, a, b, d):
    """Mean Pearson correlation of the 0/1 rows: (r − ab/d)/√(a(1−a/d)·b(1−b/d)) over pairs.

    Range [−1, 1]: 0 is chance, 1 all runs alike. Undefined for a run that selects 0 or d features (see `undefined`).
    Source: Nogueira & Brown 2016; the measure SC of Bommert et al. 2017.
    """
    return ratio(r - a * b / d, np.sqrt(a * (1 - a / d) * b * (1 - b / d)), scale=d)


@measure
def nogueira(preferences, relation=None):
    """Agreement beyond chance, for any set sizes: 1 − mean_f M/(M−1)·p_f(1−p_f) / [(k̄/d)(1−k̄/d)].

    Range [−1/(M−1), 1]: 0 is what random selection gives, 1 all runs alike; below 0.4 is usually called poor, above 0.75
    excellent. Cost O(selected features); the default measure. Undefined when all runs select nothing, or everything.
    Source: Nogueira, Sechidis & Brown, JMLR 2018.
    """
    d = preferences.n_features
    others = preferences.sets @ preferences.counts - preferences.sizes      # features shared with all other runs

    def formula(n, shared, size):
        return 1 - ratio(size - shared, size * (1 - size / d), scale=size)

    return Terms(formula, preferences.n_runs, pairs=(others,), runs=(preferences.sizes,),
                 reason="every run selected nothing, or everything, so there was no choice to agree on (0/0)")
