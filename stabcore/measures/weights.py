"""Agreement of weights, ranks and importances rather than of sets alone."""

from dataclasses import replace

import numpy as np

from stabcore.base.errors import InputError
from stabcore.measures.random_sets import chance_note
from stabcore.measures.statistic import mean_of_pairs, measure, ratio

_ALL_EQUAL = "the correlation of a run whose weights are all equal or partly unknown is undefined"


@measure
def pearson_weights(selections, similarity=None, *, undefined=None):
    """Mean Pearson correlation of the importances that two runs give the selected features, 0 for all others.

    It depends on the number of selected features. `pearson_scores` uses the weights of all. Range [−1, 1]: 0 no agreement, 1
    proportional importances. Undefined for a run whose importances are all equal. Source: φ_pears of Hamer & Dupont 2021, eq. 4.
    """
    rows = selections.weights
    if rows is None:
        raise InputError(
            "pearson_weights needs importances of the selected features, but these runs carry none. Where runs carry "
            "a weight of every feature, use pearson_scores."
        )
    d, mean = selections.n_features, rows.sum(axis=1) / selections.n_features
    product = (rows @ rows.T).toarray() - d * np.outer(mean, mean)
    scale = np.sqrt(np.maximum(np.diag(product), 0))
    scale[scale**2 <= 1e-12 * d * mean**2] = 0
    correlation = np.clip(ratio(product, np.outer(scale, scale), scale=0.0), -1, 1)
    return mean_of_pairs(correlation, _ALL_EQUAL, undefined, selections.units)


@measure
def pearson_scores(selections, similarity=None, *, undefined=None):
    """Mean Pearson correlation of the weights that two runs give all features, selected or not (S_W).

    It does not depend on the selections. Range [−1, 1]: 0 no agreement, 1 proportional weights. Undefined where some features
    have no weight, as for selectors that only order features (SVM-RFE, mRMR, lasso), and for a run whose weights are all equal.
    A feature that does not vary in the rows of a run gets at most the lowest weight of that run.
    Source: S_W of Kalousis et al. 2005. For a linear SVM they use the squared weights.
    """
    if selections.scores is None:
        raise InputError(
            "pearson_scores needs a weight of every feature, selected or not, but these runs carry none. Give the weights "
            "(Selections.from_scores), or use pearson_weights, which uses the importances of the selected features."
        )
    if not selections.weighs:
        return mean_of_pairs(
            np.full((selections.n_runs,) * 2, np.nan),
            "the runs give an order of the features, but no weights",
            units=selections.units,
        )
    return mean_of_pairs(_correlation(selections.scores), _ALL_EQUAL, undefined, selections.units)


@measure
def spearman_ranks(selections, similarity=None, *, ties="random", random_state=0):
    """Mean Spearman ρ of the ranks that two runs give all features.

    ties: "random" (seeded random order, the default) or "average". Average ranks overstate the agreement of a selector that
    scores many features 0. Features that a run did not rank are tied after the last ranked one.
    Range [−1, 1]: 0 no agreement, 1 the same order in every run. Source: S_R of Kalousis et al. 2005.
    """
    _check_ties(ties)
    if ties == "average":
        full = _average_ranks(selections.ranking() if selections.scores is None else -selections.scores)
    else:
        order = np.nan_to_num(selections.ranking(random_state), nan=np.inf)
        tie = np.random.default_rng(random_state).random(order.shape)
        full = np.argsort(np.lexsort((tie, order), axis=1), axis=1).astype(float)
    return mean_of_pairs(
        _correlation(full), "the order of a run that ranks all features equally is undefined", units=selections.units
    )


def _check_ties(ties):
    if ties not in ("random", "average"):
        raise InputError(f"The option ties must be 'random' or 'average'. Found {ties!r}.")


def _average_ranks(order):
    """(M, d) ranks of features by rising `order`, ties at their mean rank, NaN last and tied."""
    from scipy.stats import rankdata

    return rankdata(np.nan_to_num(order, nan=np.inf), axis=1)


def _correlation(rows):
    """(M, M) Pearson correlations of dense rows, NaN for a constant row or one with gaps."""
    centred = rows - rows.mean(axis=1, keepdims=True)
    norm = np.sqrt((centred**2).sum(axis=1, keepdims=True))
    unit = ratio(centred, norm, scale=np.abs(rows).max(axis=1, keepdims=True) * np.sqrt(rows.shape[1]))
    with np.errstate(invalid="ignore"):
        return np.clip(unit @ unit.T, -1, 1)


@measure
def canberra(selections, similarity=None, *, k=None, ties="average", random_state=0):
    """Canberra stability of the top k places.

    1 − (1/χ) pair mean of Σ_f c(s_i, s_j), c(x, y) = |x − y|/(x + y), s = min(rank, k + 1).

    k: the number of ranks that count (default: the mean number of selected features, else all). χ is the mean distance of two
    random rankings: (1/d) Σ c(s_x, s_y) over all ranks x, y from 1 to d. The usual (k+1)(2d−k)/d·ln 4 − (2kd+3d−k−k²)/d only
    approximates it (8% less for 2 of 10 features). Range [−1, 1], and lower where runs rank fewer than k features: 0 is random
    order, 1 the same ranks in every run. The highest ranks have most weight.
    ties: "average" (the mean rank of features with equal scores, as in the examples of Hamer & Dupont) or "random" (seeded
    random order). Shared or unassigned ranks agree by chance. An Estimate reports the amount.
    Source: Jurman et al. 2008, and Hamer & Dupont 2021, eq. 5. Figure 6 of the latter has 0.51, as computed here. Its Figure 3
    prints D/χ = 0.47, the part that is subtracted, where the value is 0.53.
    """
    _check_ties(ties)
    d = selections.n_features
    if k is None:
        k = d if selections.selection is None else max(1, int(selections.sizes.mean() + 0.5))
    if int(k) != k or not 1 <= k <= d:
        raise InputError(f"canberra compares the first k ranks. k must be a whole number from 1 to {d}. Found {k}.")
    every = np.minimum(np.nan_to_num(run_ranks(selections, ties, random_state), nan=np.inf), k + 1)
    ranked = every[:, (every < k + 1).any(axis=0)]
    distance = np.zeros((len(ranked),) * 2)
    for i in range(len(ranked) - 1):
        rest = ranked[i + 1 :]
        distance[i, i + 1 :] = distance[i + 1 :, i] = _canberra_distances(rest, ranked[i]).sum(axis=1)
    by_chance = _chance_distance(k, d)
    terms = mean_of_pairs(
        ratio(by_chance - distance, np.full_like(distance, by_chance)),
        "the order of a single feature is undefined (0/0)",
        units=selections.units,
    )
    because = f"Some of the first {k} ranks are shared by several features or assigned to none"
    return replace(terms, warn=lambda value: chance_note(1 - _chance_distance_of_ranks(every) / by_chance, because))


def _canberra_distances(x, y):
    return np.abs(x - y) / (x + y)


def _chance_distance(k, d) -> float:
    """χ, in k steps: Σ over ranks up to k of c(a, b) is 2 Σ_a 2a(H_{2a−1} − H_a) − (a − 1) with the harmonic numbers H."""
    a = np.arange(1.0, k + 1)
    harmonic = np.cumsum(1 / np.arange(1.0, 2 * k + 1))  # H_1 … H_2k
    among = 2 * (2 * a * (harmonic[0 : 2 * k : 2] - harmonic[:k]) - (a - 1)).sum()
    return float((among + 2 * (d - k) * _canberra_distances(a, k + 1).sum()) / d)


def _chance_distance_of_ranks(places) -> float:
    """The same for runs with exactly these ranks (M, d), assigned to features at random."""
    n, d = places.shape
    held, which = np.unique(places, return_inverse=True)
    counts = np.stack([np.bincount(row, minlength=len(held)) for row in which.reshape(n, d)]).astype(float)
    reach = np.concatenate(
        [_canberra_distances(held[part : part + 500, None], held) @ counts.T for part in range(0, len(held), 500)]
    )
    return float(((reach @ np.ones(n)) @ counts.sum(axis=0) - (reach * counts.T).sum()) / (n * (n - 1) * d))


def run_ranks(selections, ties, random_state):
    """(M, d) ranks by score or as given, else by importance among the selected, NaN where not ranked."""
    averaged = ties == "average"
    if selections.scores is not None and averaged:
        return np.where(np.isnan(selections.scores), np.nan, _average_ranks(-selections.scores))
    if selections.ranks is not None or selections.scores is not None:
        return selections.ranking(random_state)
    rows = (selections.selection_matrix if selections.weights is None else selections.weights).toarray()
    outside = selections.selection_matrix.toarray() == 0
    if averaged:
        ranks = _average_ranks(np.where(outside, np.nan, -rows))
    else:
        order = np.lexsort((np.random.default_rng(random_state).random(rows.shape), -rows, outside), axis=1)
        ranks = np.argsort(order, axis=1) + 1.0
    return np.where(outside, np.nan, ranks)
