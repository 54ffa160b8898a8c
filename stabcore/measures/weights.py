"""Agreement of weights, ranks and importances rather than of sets alone."""

from __future__ import annotations

import numpy as np

from stabcore.errors import InputError
from stabcore.measures.terms import mean_of_pairs, measure, ratio


@measure
def pearson_weights(preferences, relation=None, *, of=None, undefined=None):
    """Mean Pearson correlation of the weight rows of two runs.

    of: "importances" (0 where not selected) or "scores"; by default the importances where there are any.
    Range [−1, 1]: 0 no agreement, 1 proportional weights. Undefined for a run whose weights are all equal.
    Source: S_W of Kalousis et al. 2005; φ_pears of Hamer & Dupont 2021.
    """
    of = of or ("scores" if preferences.weights is None else "importances")
    if of not in ("importances", "scores"):
        raise InputError(f"pearson_weights is of 'importances' or 'scores'; found {of!r}.")
    rows = preferences.weights if of == "importances" else preferences.scores
    if rows is None:
        raise InputError(f"These runs carry no {of}, only selected sets; pearson_weights needs importances or scores.")
    if of == "scores":
        correlation = _correlation(rows)
    else:
        d, mean = preferences.n_features, rows.sum(axis=1) / preferences.n_features
        product = (rows @ rows.T).toarray() - d * np.outer(mean, mean)
        scale = np.sqrt(np.maximum(np.diag(product), 0))
        scale[scale ** 2 <= 1e-12 * d * mean ** 2] = 0
        correlation = np.clip(ratio(product, np.outer(scale, scale), scale=0.0), -1, 1)
    return mean_of_pairs(correlation, "a run whose weights are all equal (or not all known) has no correlation", undefined)


@measure
def spearman_ranks(preferences, relation=None, *, ties="random", seed=0):
    """Mean Spearman ρ of the ranks that two runs give all features.

    ties: "random" (in seeded random order, the default: average ranks flatter a selector that scores many features 0) or
    "average". Features a run did not rank share the places after the last ranked one, as ties.
    Range [−1, 1]: 0 no agreement, 1 the same order in every run. Source: S_R of Kalousis et al. 2005.
    """
    from scipy.stats import rankdata

    if ties not in ("random", "average"):
        raise InputError(f"ties are broken in 'random' order or given the 'average' rank; found {ties!r}.")
    averaged = ties == "average"
    order = -preferences.scores if averaged and preferences.scores is not None else preferences.ranking(seed)
    order = np.where(np.isnan(order), np.inf, order)
    if averaged:
        full = rankdata(order, axis=1)
    else:
        tie = np.random.default_rng(seed).random(order.shape)
        full = np.argsort(np.lexsort((tie, order), axis=1), axis=1).astype(float)
    return mean_of_pairs(_correlation(full), "a run that ranks all features alike has no order to compare")


def _correlation(rows):
    """(M, M) Pearson correlations of dense rows; NaN for a constant row or one with gaps."""
    centred = rows - rows.mean(axis=1, keepdims=True)
    norm = np.sqrt((centred ** 2).sum(axis=1, keepdims=True))
    unit = ratio(centred, norm, scale=np.abs(rows).max(axis=1, keepdims=True) * np.sqrt(rows.shape[1]))
    with np.errstate(invalid="ignore"):
        return np.clip(unit @ unit.T, -1, 1)


@measure
def canberra(preferences, relation=None, *, k=None, seed=0):
    """Canberra stability of the top k places: 1 − (1/χ) pair mean of Σ_f |s_i − s_j|/(s_i + s_j), s = min(rank, k + 1).

    k: how many places count (default: the mean number of selected features, else all). χ is what random rankings give:
    (k+1)(2d−k)/d·ln 4 − (2kd+3d−k−k²)/d. Range (−∞, 1]: 0 is chance (for large k), 1 the same places in every run; early places
    weigh most. Ties, and selected features without a score, are in seeded random order. Source: Jurman et al. 2008.
    """
    d = preferences.n_features
    if k is None:
        k = d if preferences.selection is None else max(1, int(preferences.sizes.mean() + 0.5))
    if int(k) != k or not 1 <= k <= d:
        raise InputError(f"canberra counts the first k places; k is a whole number from 1 to {d}, found {k}.")
    places = np.minimum(np.nan_to_num(_places(preferences, seed), nan=np.inf), k + 1)
    places = places[:, (places <= k).any(axis=0)]
    distance = np.zeros((len(places),) * 2)
    for i in range(len(places) - 1):
        rest = places[i + 1:]
        distance[i, i + 1:] = distance[i + 1:, i] = (np.abs(rest - places[i]) / (rest + places[i])).sum(axis=1)
    by_chance = (k + 1) * (2 * d - k) / d * np.log(4) - (2 * k * d + 3 * d - k - k * k) / d
    return mean_of_pairs(ratio(by_chance - distance, np.full_like(distance, by_chance), scale=d),
                         "a single feature has no order to agree on (0/0)")


def _places(preferences, seed):
    """(M, d) ranks of what the runs prefer: carried or scored, else by importance, else the selected in random order."""
    if preferences.ranks is not None or preferences.scores is not None:
        return preferences.ranking(seed)
    rows = preferences.weights if preferences.weights is not None else preferences.sets
    dense = rows.toarray()
    order = np.lexsort((np.random.default_rng(seed).random(dense.shape), -dense, dense == 0), axis=1)
    places = np.argsort(order, axis=1) + 1.0
    places[preferences.sets.toarray() == 0] = np.nan
    return places
