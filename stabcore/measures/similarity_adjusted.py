"""Agreement of selected sets with similar features (a similarity C)."""

from dataclasses import replace

import numpy as np

from stabcore.measures.related import (
    chance_overlaps,
    check_draws,
    expected_covered_by_difference,
    expected_covered_by_set,
    expected_overlaps,
    neighbour_matrix,
    similarity_contributions,
)
from stabcore.measures.statistic import expected_pair_values, mean_of_pairs, measure, ratio

# ---- sets that count similar features as shared ----

_NOTHING_TO_SHARE = "a run that selected nothing or everything cannot agree beyond chance (0/0)"


def _intersection_terms(kind, selections, similarity, scale, threshold, draws, random_state, undefined, corrected):
    """Terms of (I − E)/(scale − E), I = r + the contribution of similar features, scale a function of (a, b)."""
    check_draws(draws)
    similarity.check_covers(selections)
    similarity = similarity.thresholded(threshold)
    Z, sizes, n = selections.selection_matrix, selections.sizes, selections.n_runs
    i, j = np.triu_indices(n, 1)
    shared = selections.shared.copy()
    if similarity.n_related:
        extra = similarity_contributions(kind, Z[i], Z[j], similarity)
        shared[i, j] += extra
        shared[j, i] += extra
    if not corrected:
        return mean_of_pairs(shared, "", undefined, selections.units)

    def of_half(a, b):
        return a * b / similarity.n_features + (
            expected_covered_by_difference(a, b, similarity) + expected_covered_by_difference(b, a, similarity)
        ) / 2, 0.0

    if kind == "half":
        chance = expected_overlaps(sizes, of_half)
    else:
        chance = chance_overlaps(kind, sizes, similarity, draws=draws, random_state=random_state)
    expected, most = chance.for_runs(sizes), scale(sizes[:, None], sizes[None, :])
    values = ratio(shared - expected, most - expected, scale=selections.n_features)
    slope = ratio(shared - most, (most - expected) ** 2)
    return replace(
        mean_of_pairs(values, _NOTHING_TO_SHARE, undefined, selections.units), chance_error=chance.value_error(slope, sizes)
    )


def _geometric_mean(a, b):
    return np.sqrt(a * b)


@measure
def intersection_count(selections, similarity, *, threshold=0.0, draws=10_000, random_state=0, undefined=None, corrected=True):
    """Mean of (I − E)/(√(ab) − E), I = r + min(A_ij, A_ji): a missing feature counts if the other run has a similar one.

    A_ij is the number of features of V_i∖V_j that are similar (C ≥ threshold, above 0) to one of V_j∖V_i. E is the mean over
    random sets of the same sizes. It is listed for few features, else simulated by `draws` pairs of sets with `seed`, and its
    standard error is reported. Range (−∞, 1]: 0 is random sets. Without similar features it equals `unadjusted`.
    corrected=False gives the mean of I. Source: Bommert & Rahnenführer 2020.
    """
    return _intersection_terms(
        "count", selections, similarity, _geometric_mean, threshold, draws, random_state, undefined, corrected
    )


@measure
def intersection_mean(selections, similarity, *, threshold=0.0, draws=10_000, random_state=0, undefined=None, corrected=True):
    """As `intersection_count`, but each covered feature adds its mean similarity instead of 1.

    Range (−∞, 1]: 0 is random sets. Source: Bommert & Rahnenführer 2020.
    """
    return _intersection_terms(
        "mean", selections, similarity, _geometric_mean, threshold, draws, random_state, undefined, corrected
    )


@measure
def intersection_mbm(selections, similarity, *, threshold=0.0, draws=10_000, random_state=0, undefined=None, corrected=True):
    """As `intersection_count` with I = r + the largest matching of V_i∖V_j with V_j∖V_i: each feature replaces at most one other.

    Range (−∞, 1]: 0 is random sets, 1 when every feature has its own partner. Source: Bommert & Rahnenführer 2020.
    """
    return _intersection_terms(
        "matching", selections, similarity, _geometric_mean, threshold, draws, random_state, undefined, corrected
    )


@measure
def intersection_greedy(selections, similarity, *, threshold=0.0, draws=10_000, random_state=0, undefined=None, corrected=True):
    """As `intersection_mbm`, with the matching built from the most similar pair down.

    Pairs of equal similarity are used in the order of the features, so the value can depend on this order.

    Range (−∞, 1]: 0 is random sets. Source: Bommert & Rahnenführer 2020.
    """
    return _intersection_terms(
        "greedy", selections, similarity, _geometric_mean, threshold, draws, random_state, undefined, corrected
    )


@measure
def yu(selections, similarity, *, threshold=0.0, undefined=None, corrected=True):
    """Mean of (I − E)/((a + b)/2 − E), I = r + (A_ij + A_ji)/2, with A_ij as in `intersection_count` and E exact.

    Range (−∞, 1]: 0 is random sets, 1 when every feature is shared or covered. Without similar features it equals `kappa`
    (stabm computes `unadjusted` in that case). corrected=False gives the mean of I. Source: Yu, Ding & Loscalzo 2008,
    Zhang et al. 2009.
    """
    return _intersection_terms("half", selections, similarity, lambda a, b: (a + b) / 2, threshold, 2, 0, undefined, corrected)


def _outside_similarity(selections, similarity, threshold):
    """(Z, (M, V) sums of C between the set of each run and every feature outside it), over the features that were ever selected."""
    similarity.check_covers(selections)
    ever = np.flatnonzero(selections.counts)
    Z = selections.selection_matrix[:, ever]
    reach = (Z @ neighbour_matrix(similarity.thresholded(threshold), ever)).toarray()
    reach[Z.toarray() > 0] = 0
    return Z, reach


def _related_overlap(selections, similarity, threshold):
    """(M, M) O: features of V_i that are in V_j or similar to one of V_j."""
    Z, reach = _outside_similarity(selections, similarity, threshold)
    return selections.shared + Z @ (reach > 0).T.astype(float)


@measure
def pogr(selections, similarity, *, threshold=0.0, undefined=None):
    """Percentage of overlapping genes with similar features included: mean of O_ij/a and O_ji/b over pairs.

    O_ij: features of V_i that are in V_j or similar (C ≥ threshold, above 0) to one of V_j. Range [0, 1], above 0 for random sets.
    Source: Zhang et al. 2009.
    """
    sizes, overlap = selections.sizes, _related_overlap(selections, similarity, threshold)
    values = (ratio(overlap, sizes[:, None]) + ratio(overlap.T, sizes[None, :])) / 2
    return mean_of_pairs(values, "the shared part of an empty selection is undefined (0/0)", undefined, selections.units)


@measure
def npogr(selections, similarity, *, threshold=0.0, undefined=None):
    """`pogr` corrected for chance: mean of (O_ij − E)/(a − E) and (O_ji − E)/(b − E) over pairs, E exact.

    Range (−∞, 1]: 0 is random sets, 1 when every feature is shared or covered. Source: Zhang et al. 2009.
    """
    sizes, overlap = selections.sizes, _related_overlap(selections, similarity, threshold)
    cut, d = similarity.thresholded(threshold), selections.n_features
    kinds, which = np.unique(sizes, return_inverse=True)
    expected = np.array([[a * b / d + expected_covered_by_set(a, b, cut) for b in kinds.astype(int)] for a in kinds.astype(int)])
    expected = expected[np.ix_(which, which)]
    values = (
        ratio(overlap - expected, sizes[:, None] - expected, scale=d)
        + ratio(overlap.T - expected.T, sizes[None, :] - expected.T, scale=d)
    ) / 2
    return mean_of_pairs(values, _NOTHING_TO_SHARE, undefined, selections.units)


@measure
def zucknick(selections, similarity, *, threshold=0.0, undefined=None, corrected=False):
    """Mean of (r + c_ij + c_ji)/u over pairs, c_ij = (1/b) Σ C_xy over x ∈ V_i, y ∈ V_j∖V_i: Jaccard with partial credit.

    Range [0, 1]. Only equal runs reach 1 if C < 1 between different features. Random sets are above 0. corrected=True gives
    (value − E)/(1 − E) with the exact E over random sets. Source: Zucknick, Richardson & Stronach 2008.
    """
    Z, reach = _outside_similarity(selections, similarity, threshold)
    sizes, r = selections.sizes, selections.shared
    credit = ratio(reach @ Z.T.toarray(), np.broadcast_to(sizes[None, :], r.shape))
    credit = np.nan_to_num(credit)  # an empty set has no features to give credit for
    values = ratio(r + credit + credit.T, sizes[:, None] + sizes[None, :] - r)
    if corrected:
        d, cut = selections.n_features, similarity.thresholded(threshold)
        mean = (cut.total - d) / (d * (d - 1)) if d > 1 else 0.0

        def formula(r, a, b, d):
            return ratio(r + mean * np.nan_to_num(ratio(a * (b - r), b) + ratio(b * (a - r), a)), a + b - r)

        expected = expected_pair_values(formula, sizes, d)
        values = ratio(values - expected, 1 - expected)
    return mean_of_pairs(
        values, "the overlap of two runs that both selected nothing is undefined (0/0)", undefined, selections.units
    )
