"""Componentwise boosting of a linear model: in every round one column gains a little weight."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from stabcore.encoding import Design
from stabcore.selectors.base import MORE, NUMBER, TWO, Selector, option
from stabcore.selectors.final_model import FinalModel, LinearModel, Restricted
from stabcore.selectors.linear import losses
from stabcore.words import several

_EQUAL = 1e-9  # columns that fit equally well up to this share are equal: the lot decides


@dataclass
class GLMBoosting(FinalModel, Selector):
    """Componentwise boosting: each round fits the negative gradient by each column alone and moves ν along the best.

    The columns are standardised, a constant competes with them. Classes have the logistic loss (each class against the
    rest when there are more than two), a number the squared loss. The model chooses how many features it uses: score
    and importance are Σ|w| over the columns of a feature (in log-odds, or in units of the target, for one standard
    deviation); a feature that never was the best is not ranked. `select(k)` takes the k largest, or all there are when
    they are fewer. Bühlmann & Hothorn 2007, Statistical Science 22:477-505.
    """

    targets = (TWO, MORE, NUMBER)
    rounds: int = option(100, "how often one column gains weight; few rounds make a small model")
    step: float = option(0.1, "how much of the best fit is added in a round (ν)", low=1e-4, high=1.0)

    def _score(self, table, y, rng, k):
        design, weights, _, unit = self._boosted(table, y, rng)
        importances = design.total(unit * np.abs(weights).sum(axis=0), table.n_features)
        found = np.count_nonzero(importances)
        if found < (k or 0):
            self.warnings_.append(f"Boosting came to {several(found, 'feature')} in {several(self.rounds, 'round')}, not to the "
                                  f"{k} asked for. More rounds may bring in more.")
        return np.where(importances > 0, importances, np.nan), importances

    def _boosted(self, table, y, rng):
        """The design, the weights (targets, p) and intercepts (targets,) after all rounds, and what a weight is to be times."""
        design, columns = Design.of(table)
        columns = np.vstack([columns.T, np.ones(table.n_rows)])
        loss, targets, unit = losses(y)
        found = np.array([boosted(columns, target, loss, self.rounds, self.step, rng) for target in targets])
        return design, found[:, :-1], found[:, -1] + [loss.intercept(target) for target in targets], unit

    def _final(self, table, codes, chosen, rng):
        return Restricted(LinearModel(*self._boosted(table.columns(chosen), codes, rng)[:3]), chosen)


def boosted(columns, target, loss, rounds, step, rng) -> np.ndarray:
    """Weights (p,) after some rounds; columns (p, n) of mean square 1."""
    weights, margin = np.zeros(len(columns)), np.full(len(target), loss.intercept(target))
    for _ in range(rounds):
        fits = columns @ -loss.residual(margin, target) / len(target)
        size = np.abs(fits)
        equal = np.flatnonzero(size >= size.max() * (1 - _EQUAL))
        best = equal[0] if len(equal) == 1 else rng.choice(equal)
        moved = step * loss.pace * fits[best]
        weights[best] += moved
        margin += moved * columns[best]
    return weights
