"""A penalised linear model as a problem to solve: its objective and the derivatives that solvers ask for."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np


@dataclass(frozen=True)
class Problem:
    """Minimise mean loss + λ (α Σ_g √v_g ‖w_g‖₂ + (1 − α) ‖w‖₂²/2), the intercept free.

    columns: (p, n) standardised, a row a column of the design, those of one group next to each other; target: (n,);
    loss: see selectors.solvers.loss; sizes: (G,) columns of each group; share: α, above 0 and at most 1; weights: (G,) v, what
    each group counts in the penalty, by default its number of columns.
    """

    columns: np.ndarray
    target: np.ndarray
    loss: type
    sizes: np.ndarray
    share: float = 1.0
    weights: np.ndarray | None = None

    @cached_property
    def group(self):
        """(p,) the group of each column."""
        return np.repeat(np.arange(len(self.sizes)), self.sizes)

    @cached_property
    def starts(self):
        return np.cumsum(self.sizes) - self.sizes

    @cached_property
    def threshold(self):
        """(G,) the gradient, for each unit of penalty, at which a group enters: α √v_g."""
        return self.share * np.sqrt(self.sizes if self.weights is None else self.weights)

    @cached_property
    def reach(self):
        """How much more than a single column a group can move towards entering: the largest √(p_g/v_g)."""
        return 1.0 if self.weights is None else float(np.sqrt((self.sizes / self.weights).max(initial=0.0)))

    def by_group(self, values):
        """(G,) sums of (p,) values over the columns of each group."""
        return values if len(self.sizes) == len(self.columns) else np.add.reduceat(values, self.starts)

    def of_groups(self, kept):
        """(the problem of some groups (G,) alone, where their columns lie in this one)."""
        where = np.flatnonzero(kept[self.group])
        weights = None if self.weights is None else self.weights[kept]
        return replace(self, columns=self.columns[where], sizes=self.sizes[kept], weights=weights), where

    def members(self, group):
        return np.arange(self.starts[group], self.starts[group] + self.sizes[group])

    def residual(self, margin):
        """(n,) derivative of the mean loss by the margin of each row."""
        return self.loss.residual(margin, self.target) / len(margin)

    def rows(self, active):
        """(1 + a, n) the intercept's row of ones and the active columns."""
        rows = np.empty((len(active) + 1, self.columns.shape[1]))
        rows[0] = 1
        self.columns.take(active, axis=0, out=rows[1:])
        return rows

    def together(self, active, values):
        """(a,) for each active column the sum of `values` over its group."""
        return np.bincount(self.group[active], weights=values, minlength=len(self.sizes))[self.group[active]]

    def pull(self, active, weights):
        """(a,) derivative of the penalty term by the active weights, for each unit of penalty."""
        length = np.sqrt(self.together(active, weights**2))
        return self.threshold[self.group[active]] * weights / length + (1 - self.share) * weights

    def objective(self, margin, penalty, active, weights):
        lengths = np.sqrt(np.bincount(self.group[active], weights=weights**2, minlength=len(self.sizes)))
        return self.loss.mean(margin, self.target) + penalty * (self.threshold @ lengths + (1 - self.share) * weights @ weights / 2)

    def curvature(self, rows, margin, penalty, active, weights):
        """(1 + a, 1 + a) second derivative of the objective by intercept and active weights."""
        scaled = rows * np.sqrt(self.loss.curvature(margin) / rows.shape[1])
        hessian = scaled @ scaled.T     # a matrix times its own transpose takes half the time
        diagonal = hessian.reshape(-1)[:: len(rows) + 1]
        diagonal *= 1 + 1e-10  # dependent columns: the step stays finite and ends where one leaves
        diagonal[1:] += penalty * (1 - self.share)
        label = self.group[active]
        if (self.sizes[label] > 1).any():
            length = np.sqrt(self.together(active, weights**2))
            unit, bend = weights / length, penalty * self.threshold[label] / length
            hessian[1:, 1:] -= np.where(label[:, None] == label, np.outer(unit * bend, unit), 0)
            diagonal[1:] += bend
        return hessian
