"""tr(CΣ⁰), what selections of the same sizes at random would vary, as a function of how much of C is not 0."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from stabcore.measures.terms import ratio

UNDEFINED = ("random sets would already agree completely (every run empty or full, or all features standing for each other), so "
             "there is nothing to compare with (0/0)")


@dataclass(frozen=True)
class Chance:
    """tr(CΣ⁰) = own + pair · (ΣC − d), numbers or arrays.

    own    the variances of all features together, k̄ (1 − k̄/d)
    pair   the covariance of any two, (mean(k²) − k̄)/(d² − d) − k̄²/d²
    """

    own: float
    pair: float

    @classmethod
    def of(cls, size, squared_size, d) -> Chance:
        """size, squared_size: mean of k and of k² over the runs, numbers or arrays; d: how many features there are."""
        if d < 1:
            return cls(0.0 * size, 0.0 * size)
        return cls(size * (1 - size / d), ((squared_size - size) / (d * d - d) if d > 1 else 0.0 * size) - size ** 2 / d ** 2)

    @classmethod
    def of_runs(cls, runs) -> Chance:
        return cls.of(runs.sizes.mean(), (runs.sizes ** 2).mean(), runs.n_features)

    def total(self, related):
        """tr(CΣ⁰) of ΣC − d."""
        return self.own + self.pair * related

    def stability(self, varying, related):
        """Φ_C = 1 − tr(CS)/tr(CΣ⁰) of tr(CS) and ΣC − d, elementwise; NaN where it is 0/0."""
        return 1 - ratio(varying, self.total(related), scale=self.own + np.abs(self.pair) * related + 1e-300)


def varying(runs, relation) -> float:
    """tr(CS): how much the selections vary, S the unbiased covariance of their 0/1 rows."""
    n = runs.n_runs
    return float((relation.self_products(runs.sets).sum() - runs.counts @ relation.times(runs.counts) / n) / (n - 1))


def reasons(values):
    """Why each value is missing; "" where it is not."""
    return np.where(np.isnan(values), UNDEFINED, "")
