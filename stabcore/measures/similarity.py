"""Agreement of selected sets when features can stand for each other (a relation C)."""

from __future__ import annotations

import numpy as np

from stabcore.measures.terms import Terms, measure, ratio


@measure
def effective(preferences, relation):
    """Effective stability Φ_C = 1 − tr(CS)/tr(CΣ⁰): agreement beyond chance where related features count as the same.

    S is the unbiased covariance of the 0/1 rows, Σ⁰ the one that random selection of the same sizes would have. 0 is chance (on
    average exactly for equal sizes, up to a term in var(k)/(M−1) otherwise), 1 all runs alike up to C. NOT bounded: it can pass
    1 when C is not positive semi-definite and fall far below −1 when large groups come and go as a whole; it is never clipped.
    C = I gives `nogueira`.
    Cost: entries of C among the features that were ever selected. Undefined when all entries of C are 1 and sizes are equal.
    Source: Sechidis et al., ECML-PKDD 2019; off-diagonal Σ⁰ with the mean of the squared sizes, as in the authors' code.
    """
    relation.check_covers(preferences)
    Z = preferences.sets
    own = relation.self_products(Z)
    others = Z @ relation.times(preferences.counts) - own
    return effective_terms(relation, own, others, preferences.sizes)


def effective_terms(relation, own, others, sizes) -> Terms:
    """Terms of `effective` from each run's effective size z_i C z_iᵀ, effective intersection with all others, and size."""
    d, off_total = relation.n_features, relation.total - relation.n_features

    def formula(n, shared, own_size, size, squared_size):
        variance = size / d * (1 - size / d)
        covariance = ((squared_size - size) / (d * d - d) if d > 1 else 0.0) - size ** 2 / d ** 2
        by_chance = variance * d + covariance * off_total
        return 1 - ratio(own_size - shared, by_chance, scale=variance * d + np.abs(covariance) * off_total + 1e-300)

    return Terms(formula, len(sizes), pairs=(others,), runs=(own, sizes, sizes ** 2),
                 reason="chance alone would already agree completely (every run empty or full, or all features standing for "
                        "each other), so there is nothing to compare with (0/0)", warn=_out_of_range)


def _out_of_range(value):
    if value > 1 + 1e-9:
        return ["Above 1: the relation C is not positive semi-definite (thresholded correlations often are not: a goes with b "
                "and b with c, but not a with c), so partial agreement is counted more than once. Compare selectors, do not "
                "read the value as a share."]
    if value < -1 - 1e-9:
        return ["Far below 0: whole groups of related features are selected together in some runs and not in others, which "
                "varies more than random selection would. The value has no lower limit."]
    return []
