"""Agreement of weights, ranks and importances rather than of sets alone."""

from __future__ import annotations

import numpy as np

from stabcore.errors import InputError
from stabcore.measures.terms import Terms, mean_of_pairs, measure, ratio


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
def importance_weighted(preferences, relation=None):
    """φ_iw = (A − C)/(k̄ − C): how much importance the runs place on the same features, beyond chance.

    Importances of a run are scaled to sum to k̄. A: pair mean of Σ_f min(I_fi, I_fj); C: pair mean of
    (1/d) Σ_{f∈V_i, f'∈V_j} min(I_fi, I_f'j). k̄ cancels. Two empty runs agree fully, one empty run with another not at all.
    Range [−1/(M−1), 1]: 0 is chance, 1 the same importances in every run. Cost O(Mk̄ log Mk̄).
    Source: Hamer & Dupont, JMLR 2021, eq. 6 (pairs i < j, not the divisor of their Algorithm 2).
    """
    if preferences.weights is None:
        raise InputError("importance_weighted needs importances, but these runs carry selected sets only. Give the "
                         "importances (Preferences.from_importances), or use nogueira, which takes them all as equal.")
    weights, n_runs = preferences.weights, preferences.n_runs
    run = np.repeat(np.arange(n_runs), np.diff(weights.indptr))
    total = np.bincount(run, weights=weights.data, minlength=n_runs)
    empty = total == 0
    value = weights.data / total[run]
    with_same_feature = np.bincount(run, weights=_minima(value, weights.indices), minlength=n_runs)
    with_any = np.bincount(run, weights=_minima(value, np.zeros_like(run)), minlength=n_runs)
    with_own = np.bincount(run, weights=_minima(value, run), minlength=n_runs)
    both_empty = np.where(empty, empty.sum() - 1.0, 0.0)
    agreed = np.where(empty, both_empty, with_same_feature - 1)
    by_chance = np.where(empty, both_empty, (with_any - with_own) / preferences.n_features)
    unweighted = np.flatnonzero(empty & (preferences.sizes > 0)) if preferences.selection is not None else []
    reason = "every run is empty, or gives all features the same importance, so there was no choice to agree on (0/0)"
    if len(unweighted):
        reason = f"run {unweighted[0] + 1} selected features but gave none of them any importance"
        agreed = np.where(np.isin(np.arange(n_runs), unweighted), np.nan, agreed)
    return Terms(lambda n, a, c: ratio(a - c, 1 - c), n_runs, pairs=(agreed, by_chance), reason=reason)


def _minima(values, groups):
    """For each value, the sum of min(value, other) over all values of its group, itself included."""
    order = np.lexsort((values, groups))
    v, g = values[order], groups[order]
    start = np.flatnonzero(np.r_[True, g[1:] != g[:-1]]) if len(g) else np.zeros(0, dtype=int)
    size = np.diff(np.r_[start, len(g)])
    first = np.repeat(start, size)
    total = np.r_[0.0, np.cumsum(v)]
    below = total[np.arange(len(v))] - total[first]              # values before this one in its group
    at_least = np.repeat(start + size, size) - np.arange(len(v))
    result = np.empty(len(v))
    result[order] = below + v * at_least
    return result
