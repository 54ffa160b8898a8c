"""Stability against cardinality: every number of selected features at once, with the values of random rankings."""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from stabcore.base.errors import InputError
from stabcore.base.public import public
from stabcore.inference.deviating_runs import mostly_equal
from stabcore.inference.estimate import (
    TOLERANCE,
    critical_value,
    distances_from_error,
    expected_by_chance,
    jackknife_error,
    skewed_lower_distance,
)
from stabcore.measures.catalog import entry
from stabcore.measures.effective import ChanceVariance, effective_terms
from stabcore.measures.entry import MeasureLike
from stabcore.measures.random_sets import random_pair_moments
from stabcore.measures.statistic import PairStatistic, is_linear, pair_formula, ratio, sums_inside_units
from stabcore.selections.model_paths import path_changes, shared_counts, sizes_at
from stabcore.selections.selections import Selections
from stabcore.similarity.similarity import Similarity

BLOCK = 200_000  # pairs of runs × sizes per block, few enough for the cache
N_EXAMINED_SIZES = 100  # largest number of sizes at which few deviating runs are treated separately


@public
def stability_profile(
    selections: Selections,
    measure: MeasureLike = "nogueira",
    *,
    similarity: Similarity | None = None,
    sizes: ArrayLike | None = None,
    level: float = 0.95,
    baseline: bool = True,
) -> pd.DataFrame:
    """DataFrame(k, value, low, high, random, random_low, random_high): the measure if every run selected its k best, for every k.

    The curve stops where the first run stops ranking, because no order is invented. Runs with paths have at each k the selection of
    their selector, which can have fewer than k features. low, high: as in sc.stability(runs.top(k), …), by the jackknife. Only high
    is missing if the runs never differ. If most runs agree at more than 100 sizes, the effect of a few deviating runs is computed
    at 100 sizes and used for the next ones of their kind. random…: the values of as many random rankings (see random_profile),
    omitted with baseline=False. Cost O(M²d), for `effective` O(Md · (M + number of features similar to each)), without a product
    for each k.

    Parameters
    ----------
    selections : Selections
        The selections and rankings of the runs.
    measure : str or function, optional
        A pair measure (jaccard, kuncheva, phi, …), nogueira, rbo, or effective with C.
    similarity : Similarity, optional
        Feature similarity C, for measures that need it.
    sizes : array_like, optional
        Values of k (default: all).
    level : float, optional
        Confidence level of the interval, 0 to 1.
    baseline : bool, optional
        Whether to add the values of random rankings.

    Raises
    ------
    InputError
        For runs without a ranking, or a similarity about other features.

    References
    ----------
    Source: for the measure, see sc.list_measures(). The curve over k, and that of random rankings, are ours.

    Examples
    --------
    >>> sc.stability_profile(runs, sizes=[5, 10])[["k"]]
        k
    0   5
    1  10
    """
    similarity = None if similarity is None else Similarity.of(similarity)
    selections = Selections.of(selections)
    terms, ks = profile_terms(selections, measure, similarity=similarity, sizes=sizes)
    definition, value, se = entry(measure), terms.value(), jackknife_error(terms)
    half = critical_value(level, terms.n_units - 1) * se

    def measured(runs):
        return definition.function(runs, similarity)

    def sides_at(i):
        how = {"by_rank": definition.compares_rankings, "at_random": expected_by_chance(definition)}
        return distances_from_error(selections.top(int(ks[i])), value[i], se[i], half[i], measured, level, **how)[:2]

    below, above = _limit_distances(se, half, mostly_equal(selections, ks), sides_at)
    below = np.fmax(below, skewed_lower_distance(value, half)) if definition.uses_similar_overlaps else below
    (low, _), (_, high) = (definition.interval(value, side) for side in (below, above))
    curve = pd.DataFrame({"k": ks, "value": value, "low": low, "high": high})
    if baseline:
        n_runs, repeated = (2, selections.compared.sum() / 2) if selections.within_units else (terms.n_runs, 1)
        chance_level = random_profile(n_runs, selections.n_features, ks, measure, similarity=similarity, level=level)
        curve["random"] = chance_level["value"]
        for end in ("low", "high"):  # a mean over pairs that share no run
            curve[f"random_{end}"] = curve["random"] + (chance_level[end] - curve["random"]) / np.sqrt(repeated)
    return curve


def _limit_distances(se, half, constant, sides_at):
    """(below, above), (K,): half widths of intervals. constant: (K,) whether most runs may be equal. sides_at: i -> both there."""
    below, above = half.copy(), half.copy()
    still = se < TOLERANCE
    for kind in (np.flatnonzero(still), np.flatnonzero(constant & (se >= TOLERANCE))):
        if len(kind):
            looked_at = kind[np.unique(np.linspace(0, len(kind) - 1, N_EXAMINED_SIZES // 2).astype(int))]
            reaches = np.array([sides_at(i) for i in looked_at], dtype=float)[np.abs(kind[:, None] - looked_at).argmin(axis=1)]
            below[kind], above[kind] = np.maximum(reaches, half[kind, None]).T
    return below, above


def profile_terms(selections, measure="nogueira", *, similarity=None, sizes=None):
    """(Terms of a measure at K sizes at once, (K,) the sizes). See profile."""
    terms, ks = _terms_at(selections, measure, similarity, sizes)
    return (terms.within_units() if selections.within_units else terms), ks


def _terms_at(selections, measure, similarity, sizes):
    definition = _profiled_measure(measure, similarity)
    if similarity is not None:
        similarity.check_covers(selections)
    ks, paths = _sizes(selections, sizes), selections.paths
    if definition.depth_overlap:
        return _order_terms(selections.ranking(), ks, definition, selections.units)
    if paths is not None:
        if definition.uses_similar_overlaps:
            return effective_path_terms(paths, ks, similarity, selections.units), ks
        return _path_terms(paths, ks, definition, selections.n_features, selections.units), ks
    ranks = selections.ranking()
    if definition.uses_similar_overlaps:
        return effective_rank_terms(ranks, ks, similarity, selections.units), ks
    return _pair_terms(ranks, ks, pair_formula(definition), selections.units), ks


def random_profile(
    n_runs: int,
    n_features: int,
    sizes: ArrayLike,
    measure: MeasureLike = "nogueira",
    *,
    similarity: Similarity | None = None,
    level: float = 0.95,
) -> pd.DataFrame:
    """DataFrame(k, value, low, high): mean and band for M runs with random rankings.

    Mean and standard deviation are exact: for pair measures the overlap is hypergeometric. For random sets of one size,
    pairs that share a run are uncorrelated. For `effective` see effective_spread. The band assumes a normal
    distribution, which is approximate if few large groups dominate.
    """
    definition = _profiled_measure(measure, similarity)
    ks = np.asarray(sizes, dtype=int)
    mean, n_pairs = np.zeros(len(ks)), n_runs * (n_runs - 1) / 2
    if definition.uses_similar_overlaps:
        sd = effective_spread(n_runs, similarity, ks)
    elif definition.depth_overlap:
        by_lot, sd = definition.depth_overlap.random_rbo_moments(ks, n_features)
        sd = ratio(sd, 1 - by_lot) / np.sqrt(n_pairs)
    else:
        mean, sd = _random_pair_moments(pair_formula(definition), ks, n_features)
        sd = sd / np.sqrt(n_pairs)
    half = critical_value(level) * sd
    return pd.DataFrame({"k": ks, "value": mean, "low": mean - half, "high": mean + half})


def _profiled_measure(measure, similarity):
    definition = entry(measure)
    if not definition.has_profile:
        raise InputError(
            f"A profile needs a measure of sets, or rbo. {definition.key} is neither. Choose nogueira, effective, "
            "jaccard, kuncheva, phi or rbo."
        )
    if definition.needs_similarity and similarity is None:
        raise InputError(f"{definition.key} needs the similarity of features. Give similarity=.")
    return definition


def _sizes(selections, sizes):
    longest = selections.n_ranked
    if not longest:
        selections.ranking()  # raises the error for missing rankings
        raise InputError("A run selects nothing at any number of features, so there is no profile.")
    if sizes is None:
        return np.arange(1, longest + 1)
    ks = np.unique(np.asarray(sizes))
    if not len(ks) or ks[0] < 1 or (ks % 1).any():
        raise InputError("Numbers of features must be whole numbers from 1.")
    if ks[0] > longest:
        raise InputError(f"The shortest ranking has {longest} features, so it cannot select {ks[0]:.0f}.")
    return ks[ks <= longest].astype(int)


# ---- measures of the order ----


def _order_terms(ranks, ks, definition, units):
    """(Terms of a measure of two rankings down to K depths, (K,) depths that every run reaches), corrected by default."""
    ks = ks[ks <= np.count_nonzero(~np.isnan(ranks), axis=1).min()]
    if not len(ks):
        raise InputError("A run ranks nothing, so its order cannot be compared at any depth.")
    depths, d = np.arange(1, ks[-1] + 1), ranks.shape[1]
    by_lot = definition.depth_overlap.random_rbo_moments(ks, d)[0]

    def with_others(runs):
        others = np.count_nonzero(runs) - 1
        return ratio(
            definition.depth_overlap.rbo_at_depths(shared_with_others(ranks[runs], depths), ks) - others * by_lot, 1 - by_lot
        )

    return _mean_of_pairs(with_others, len(ranks), len(ks), units), ks


def _mean_of_pairs(with_others, n_runs, n_sizes, units) -> PairStatistic:
    """Terms of a mean over pairs of runs. with_others: (M,) bool -> (runs, K) sum over the pairs of each run among these."""
    pairs, inside = (with_others(np.ones(n_runs, dtype=bool)),), sums_inside_units(units, n_sizes, with_others)
    return PairStatistic(lambda n, mean: mean, n_runs, pairs=pairs, units=units, inside=inside)


# ---- pair measures ----


def _pair_terms(ranks, ks, pair, units) -> PairStatistic:
    """Terms of a pair measure at all sizes. A mean over pairs that is linear in the overlap needs only the mean overlap."""
    of_mean = is_linear(pair, ks.astype(float), ranks.shape[1])

    def with_others(runs):
        if not of_mean:
            return _pairs_with_others(ranks[runs], ks, pair)
        others = np.count_nonzero(runs) - 1
        with np.errstate(invalid="ignore", divide="ignore"):
            return others * pair(shared_with_others(ranks[runs], ks) / others, ks.astype(float), ks.astype(float), ranks.shape[1])

    return _mean_of_pairs(with_others, len(ranks), len(ks), units)


def shared_with_others(ranks, ks):
    """(M, K) number of features that the k best of each run share with all other runs in total.

    The k-th feature of run q is shared with run i from k on if i already has it, or from its rank in i.
    """
    levels, order = _ordered_features(ranks, int(ks[-1]))
    now = np.arange(1, order.shape[1] + 1, dtype=levels.dtype)
    gain = np.zeros(order.shape, dtype=np.int64)
    for i, levels_of_run in enumerate(levels):
        rank_of_kth = levels_of_run[order]  # the rank in run i of the k-th feature of every run
        gain[i] += np.count_nonzero(rank_of_kth <= now, axis=0) - 1
        gain += rank_of_kth < now
    return np.cumsum(gain, axis=1)[:, ks - 1].astype(float)


def _pairs_with_others(ranks, ks, pair):
    """(M, K) sum of a pair formula between a run and all others: two runs share f from the larger of its two ranks on."""
    n_runs, d = ranks.shape
    last, size = int(ks[-1]), ks.astype(float)
    levels = _ordered_features(ranks, last)[0].astype(np.int64)
    step, others = max(1, BLOCK // (last + 2)), np.zeros((n_runs, len(ks)))
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
    """Terms of a measure of pairs at all sizes for runs with paths: sets from the selectors."""
    n_runs, size = len(paths), sizes_at(paths, ks)
    summed = np.zeros(size.shape)
    inside = () if units is None else (np.zeros((int(units.max()) + 1, len(ks))),)
    for some, i, shared in shared_counts(paths, ks):
        values = shared.astype(float)
        if not definition.overlap_terms:
            with np.errstate(invalid="ignore", divide="ignore"):
                values = pair_formula(definition)(values, size[i, some], size[i + 1 :, some], d)
        summed[i, some] += values.sum(axis=0)
        summed[i + 1 :, some] += values
        if inside:
            inside[0][units[i], some] += 2 * values[units[i + 1 :] == units[i]].sum(axis=0)
    if definition.overlap_terms:
        return definition.overlap_terms(summed, size, d, units=units, inside=inside)
    return PairStatistic(lambda n, mean: mean, n_runs, pairs=(summed,), units=units, inside=inside)


def _ordered_features(ranks, last):
    """((M, d) ranks as whole numbers, last + 1 for later or unranked features, (M, last) features in order of rank)."""
    levels = np.where(np.isnan(ranks) | (ranks > last), last + 1, ranks).astype(np.int32)
    return levels, np.argsort(levels, axis=1, kind="stable")[:, :last]


def _random_pair_moments(pair, ks, d):
    """(mean, standard deviation), each (K,), of a pair formula over two random sets of k features each."""
    size = ks.astype(float)
    if not is_linear(pair, size, d):
        return np.array([random_pair_moments(pair, k, k, d) for k in ks]).reshape(-1, 2).T
    with np.errstate(invalid="ignore", divide="ignore"):
        slope = (pair(size, size, size, d) - pair(0 * size, size, size, d)) / size
        mean = pair(size**2 / d, size, size, d)
    return np.broadcast_to(mean, size.shape), np.abs(slope) * size * (d - size) / d / np.sqrt(max(d - 1, 1))


# ---- effective stability: all numbers of features in one pass through the rankings ----


def effective_rank_terms(ranks, ks, similarity, units=None):
    """Terms of `effective` at K sizes (K,) at once, from ranks (M, d) up to the largest. Units as in Terms."""
    near = np.flatnonzero((ranks <= ks[-1]).any(axis=0))  # the others are never selected
    order, among = np.argsort(ranks[:, near], axis=1, kind="stable")[:, : ks[-1]], similarity.among(near)

    def amounts(some):
        runs = np.arange(np.count_nonzero(some))
        return _effective_amounts([(runs, entering, np.ones(len(runs))) for entering in order[some].T], among, len(runs))

    return _effective_terms(similarity, amounts, np.broadcast_to(ks.astype(float), (len(ranks), len(ks))), ks, units)


def effective_path_terms(paths, ks, similarity, units=None):
    """The same for M paths, whose sets at k need not have k features nor contain the earlier ones."""
    near = np.unique(np.concatenate([path.features for path in paths]))
    among = similarity.among(near)

    def amounts(some):
        moving = [path for path, taken in zip(paths, some, strict=True) if taken]
        moves = path_changes(moving, similarity.n_features, int(ks[-1]))
        return _effective_amounts(
            [(runs, np.searchsorted(near, features), signs) for runs, features, signs in moves], among, len(moving)
        )

    return _effective_terms(similarity, amounts, sizes_at(paths, ks), ks, units)


def _effective_terms(similarity, amounts, sizes, ks, units):
    """Terms of `effective` at K sizes. amounts: (M,) bool -> _effective_amounts of these runs. sizes: (M, K) of the runs."""
    diagonal, others = (amount[:, ks - 1] for amount in amounts(np.ones(len(sizes), dtype=bool)))
    inside = sums_inside_units(units, len(ks), lambda some: amounts(some)[1][:, ks - 1])
    return effective_terms(similarity, diagonal, others, sizes, units, inside)


def _effective_amounts(moves, similarity, n_runs):
    """(M, K) effective size of each run, and its effective intersection with all others, at k = 1 … K.

    moves: at each k (runs, features, signs) of features that enter (+1) or leave (−1) the sets. All runs proceed together. Each
    feature stores its similarity to the set of every run, (C z_i)_f, which only the rows of C of moving features change. Its values
    for these features before and after give the change of the sums.
    """
    related = _RunSimilarities(similarity, n_runs)
    diagonal, shared = np.empty((2, len(moves), n_runs))
    for k, (runs, features, signs) in enumerate(moves):
        before = related.of(features)  # [q, i] similarity of the set of run i to the q-th moving feature
        related.move(runs, features, signs)
        after, run_index = related.of(features), np.arange(len(runs))
        diagonal[k] = np.bincount(runs, signs * (before[run_index, runs] + after[run_index, runs]), minlength=n_runs)
        shared[k] = np.bincount(runs, signs * before.sum(axis=1), minlength=n_runs) + signs @ after
    diagonal, shared = np.cumsum(diagonal, axis=0).T, np.cumsum(shared, axis=0).T
    return diagonal, shared - diagonal


class _RunSimilarities:
    """Similarity of the set of each run to every feature, C z_i for M runs, updated as features enter and leave."""

    def __init__(self, similarity, n_runs):
        d, self.n_runs = similarity.n_features, n_runs
        alone = np.arange(d) + len(similarity.group_names)  # a feature without a group is a separate group
        self.group = alone if similarity.labels is None else np.where(similarity.labels >= 0, similarity.labels, alone)
        self.members = np.zeros((d + len(similarity.group_names), n_runs))
        self.extra = None
        if similarity.extra is not None and similarity.extra.nnz:
            extra = similarity.extra.tocsr()
            self.degree, ends = np.diff(extra.indptr), extra.indptr[1:-1]
            self.cells = np.split(extra.indices.astype(np.int64) * n_runs, ends)
            self.weights = np.split(extra.data, ends)
            self.extra = np.zeros((d, n_runs))

    def of(self, features):
        """(features, M) entries of C z_i."""
        inside = self.members[self.group[features]]
        return inside if self.extra is None else inside + self.extra[features]

    def move(self, runs, features, signs):
        """Run runs[q] adds features[q] (signs[q] = 1) or removes it (−1)."""
        np.add.at(self.members.reshape(-1), self.group[features] * self.n_runs + runs, signs)
        if self.extra is not None and len(features):
            rows, degree = features.tolist(), self.degree[features]
            cells = np.concatenate([self.cells[row] for row in rows]) + np.repeat(runs, degree)
            weights = np.concatenate([self.weights[row] for row in rows]) * np.repeat(signs, degree)
            np.add.at(self.extra.reshape(-1), cells, weights)


def effective_spread(n_runs, similarity, ks):
    """(K,) exact standard deviation of `effective` over studies of random rankings.

    With equal sizes the value is 1 − U/tr(CΣ⁰), where U is the mean over pairs of runs of h(z, z') = (zCz + z'Cz')/2 − zCz', so its
    variance is (4ζ/M + 2τ/(M(M−1)))/tr(CΣ⁰)², ζ = var E(h | z) and τ = var((z−p)C(z'−p)) = ‖CΣ⁰‖². With C = I + A and
    A_fg = μ + α_f + α_g + ε_fg (row sums of ε 0) the parts are uncorrelated under sampling without replacement:
    ζ = (1−2p)²·var(αz) + ½·Σε²·P(two given features in, two given others out), p = k/d.
    """
    d, k = similarity.n_features, np.asarray(ks, dtype=float)
    if d < 2:
        return np.zeros(len(k))
    rows, squares = similarity.times(np.ones(d)), _sum_of_squares(similarity)
    centred = ((rows - rows.mean()) ** 2).sum()
    alpha = centred / (d - 2) ** 2 if d > 2 else 0.0  # Σα²
    epsilon = max(squares - d - d * (rows.mean() - 1) ** 2 / (d - 1) - 2 * (d - 2) * alpha, 0.0)
    apart = k * (k - 1) * (d - k) * (d - k - 1) / (d * (d - 1) * (d - 2) * (d - 3)) if d > 3 else 0 * k
    p, v = k / d, k / d * (1 - k / d) * d / (d - 1)
    zeta = (1 - 2 * p) ** 2 * v * alpha + epsilon * apart / 2
    tau = v**2 * max(squares - 2 * centred / d - rows.mean() ** 2, 0.0)
    chance = ChanceVariance.of(k, k * k, d)
    sd = np.sqrt(4 * zeta / n_runs + 2 * tau / (n_runs * (n_runs - 1)))
    return np.nan_to_num(ratio(sd, chance.total(rows.sum() - d), scale=chance.variance + 1e-300))


def _sum_of_squares(similarity):
    sizes = np.zeros(0) if similarity.labels is None else similarity.group_sizes.astype(float)
    total = similarity.n_features + (sizes**2 - sizes).sum()
    if similarity.extra is None:
        return float(total)
    extra = similarity.extra.tocoo()
    return float(total + (extra.data * (extra.data + 2 * similarity.same_group(extra.row, extra.col))).sum())
