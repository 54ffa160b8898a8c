"""Effective stability: agreement of runs when features are similar."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from stabcore.measures.random_sets import chance_note, mean_product, unequal_sizes_reason
from stabcore.measures.statistic import PairStatistic, measure, ratio, unit_sums

UNDEFINED = (
    "random sets would agree completely (every run is empty or full, or all features are similar), so chance agreement "
    "cannot be corrected (0/0)"
)


@dataclass(frozen=True)
class ChanceVariance:
    """tr(CΣ⁰) = variance + pair · (ΣC − d), numbers or arrays: the chance variance for these sizes. Its only implementation.

    variance  the variances of all features together, k̄ (1 − k̄/d)
    pair      the covariance of any two, (mean(k²) − k̄)/(d² − d) − k̄²/d²
    """

    variance: float
    pair: float

    @classmethod
    def of(cls, size, squared_size, d) -> ChanceVariance:
        """size, squared_size: mean of k and of k² over the runs, numbers or arrays. d: the number of features."""
        if d < 1:
            return cls(0.0 * size, 0.0 * size)
        return cls(size / d * (1 - size / d) * d, pair_probability(size, squared_size, d) - size**2 / d**2)

    @classmethod
    def of_runs(cls, runs) -> ChanceVariance:
        """The chance of random subsets of the sizes of these runs."""
        return cls.of(runs.sizes.mean(), (runs.sizes**2).mean(), runs.n_features)

    def total(self, related):
        """tr(CΣ⁰) of ΣC − d."""
        return self.variance + self.pair * related

    def stability(self, varying, related):
        """Φ_C = 1 − tr(CS)/tr(CΣ⁰) of tr(CS) and ΣC − d, elementwise, NaN where it is 0/0."""
        return 1 - ratio(varying, self.total(related), scale=self.variance + np.abs(self.pair) * related + 1e-300)


def pair_probability(size, squared_size, d):
    """Probability that a random set contains two given features, from the means of k and k² over the runs."""
    return (squared_size - size) / (d * d - d) if d > 1 else 0.0 * size


@measure
def effective(selections, similarity):
    """Effective stability Φ_C = 1 − tr(CS)/tr(CΣ⁰): chance-corrected agreement where similar features count as one.

    S is the unbiased covariance of the 0/1 rows. Σ⁰ is the covariance under random selection of the same sizes. 0 is random
    sets, 1 is runs that are equal up to C. Random sets of exactly these sizes give −s² ΣC/(M d² tr(CΣ⁰)), where s² is the
    variance of the sizes. An Estimate warns where this is noticeable. NOT bounded: it can exceed 1 when C is not positive
    semi-definite, and fall far below −1 when runs select large groups as a whole or not at all. It is never clipped. C = I
    gives `nogueira`. The cost is the number of entries of C among the features that were ever selected. Undefined when all
    entries of C are 1 and sizes are equal. Source: Sechidis et al., ECML-PKDD 2019, with the mean of the squared sizes in
    the off-diagonal entries of Σ⁰, as in the authors' code.
    """
    similarity.check_covers(selections)
    Z = selections.selection_matrix
    self_products = similarity.self_products(Z)
    others = Z @ similarity.times(selections.counts) - self_products
    sizes, units = selections.sizes, selections.units
    inside = () if units is None else (similarity.self_products(selections.unit_counts) - unit_sums(self_products, units),)
    terms = effective_terms(similarity, self_products, others, sizes, units, inside)
    return replace(
        terms,
        warn=lambda value: [
            *_range_warnings(value),
            *chance_note(_chance_value(terms, similarity, sizes), unequal_sizes_reason(sizes)),
        ],
    )


def _pair_values(selections, similarity, first, second):
    """`effective` of run first[i] and run second[i] alone, for every i."""
    similarity.check_covers(selections)
    Z, sizes, d = selections.selection_matrix, selections.sizes, similarity.n_features
    self_products, shared = similarity.self_products(Z), similarity.self_products(Z[first], Z[second])
    mean = [(amount[first] + amount[second]) / 2 for amount in (self_products, sizes, sizes**2)]
    return ChanceVariance.of(mean[1], mean[2], d).stability(mean[0] - shared, similarity.total - d)


effective.values_of_pairs = _pair_values


def _several_terms(several, similarity):
    """PairStatistic of `effective` of S Selections with the same units, (M, S): two products with C instead of 2 S."""
    from scipy.sparse import vstack

    first, n = several[0], len(several)
    similarity.check_covers(first)
    Z = vstack([selections.selection_matrix for selections in several], format="csr")
    counts = similarity.times(np.column_stack([selections.counts for selections in several]))
    columns = np.repeat(np.arange(n), first.n_runs)
    with_itself = similarity.self_products(Z).reshape(n, -1).T
    others = (Z @ counts)[np.arange(len(columns)), columns].reshape(n, -1).T - with_itself
    sizes = np.column_stack([selections.sizes for selections in several])
    inside: tuple[np.ndarray, ...] = ()
    if first.units is not None:
        of_units = vstack([selections.unit_counts for selections in several], format="csr")
        inside = (similarity.self_products(of_units).reshape(n, -1).T - unit_sums(with_itself, first.units),)
    terms = effective_terms(similarity, with_itself, others, sizes, first.units, inside)
    return terms.within_units() if first.within_units else terms


effective.several_terms = _several_terms


def _chance_value(terms, similarity, sizes):
    """The expected value for random sets of exactly these sizes: exact, because the formula is linear in the random part."""
    d, size, squared_size = similarity.n_features, sizes.mean(), (sizes**2).mean()
    self_product = size + pair_probability(size, squared_size, d) * (similarity.total - d)
    return terms.formula(len(sizes), mean_product(sizes) * similarity.total / (d * d), self_product, size, squared_size)


def effective_terms(similarity, effective_sizes, others, sizes, units=None, inside=()) -> PairStatistic:
    """PairStatistic of `effective` from each run's effective size z_i C z_iᵀ, effective intersection with all others, and size."""
    d, related = similarity.n_features, similarity.total - similarity.n_features

    def formula(n, shared, own_size, size, squared_size):
        return ChanceVariance.of(size, squared_size, d).stability(own_size - shared, related)

    return PairStatistic(
        formula,
        len(sizes),
        pairs=(others,),
        runs=(effective_sizes, sizes, sizes**2),
        units=units,
        inside=inside,
        reason=UNDEFINED,
        warn=_range_warnings,
    )


def _range_warnings(value):
    if value > 1 + 1e-9:
        return [
            "Above 1: this similarity matrix is not positive semi-definite, so partial agreement counts more than once. "
            "Do not read the value as a proportion. Compare values beyond the noise floor."
        ]
    if value < -1 - 1e-9:
        return [
            "Below −1: some runs select several features of a group and others select none. This varies more than random "
            "selection. The value has no lower limit. Compare values beyond the noise floor."
        ]
    return []


def selection_variance(runs, similarity) -> float:
    """tr(CS), the variance of the selections. S is the unbiased covariance of their 0/1 rows, or of those of two compared runs."""
    rows, sums, n, divisor = runs.moments
    return float((similarity.self_products(rows).sum() - sums @ similarity.times(sums) / n) / divisor)


def undefined_reasons(values):
    """The reason why each value is missing, "" where it is not."""
    return np.where(np.isnan(values), UNDEFINED, "")
