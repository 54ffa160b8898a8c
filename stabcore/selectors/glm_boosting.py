"""Componentwise boosting of a linear model: in every round one feature gains a little weight."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from stabcore.data.encoding import Design
from stabcore.selectors.base import MAY, MORE, NUMBER, TWO, Selector, option
from stabcore.selectors.fair import usual_weights
from stabcore.selectors.final_model import FinalModel, LinearModel, Restricted
from stabcore.selectors.linear import losses
from stabcore.wording import several

if TYPE_CHECKING:
    from typing import Any

_EQUAL = 1e-9  # columns that fit equally well up to this share are equal: the lot decides


@dataclass
class GLMBoosting(FinalModel, Selector):
    """Componentwise boosting: each round fits the negative gradient by each feature alone and moves ν along the best.

    The columns are standardised, a constant competes with them. A feature of p columns is one ridge fit with as many degrees of
    freedom, tr(2S − SᵀS) = 1, as a number has: (1 − √(1 − 1/p)) of the least-squares fits b of its uncorrelated columns, the best
    by Σ b²/p (Hofner et al. 2011, Journal of Computational and Graphical Statistics 20:956-971). Classes have the logistic loss
    (each class against the rest when there are more than two), a number the squared loss. The model chooses how many features it
    uses: score and importance are √(Σ w²/p), |w| for a number (in log-odds, or in units of the target, for one standard
    deviation); a feature that never was the best is not ranked. `select(k)` takes the k largest, or all there are when
    they are fewer. Bühlmann & Hothorn 2007, Statistical Science 22:477-505.
    """

    targets = (TWO, MORE, NUMBER)
    own_size = MAY
    rounds: int = option(100, "how often one feature gains weight; few rounds make a small model")
    step: float = option(0.1, "how much of the best fit is added in a round (ν)", low=1e-4, high=1.0)

    def _score(self, table, y, rng, k):
        _, importances = self.trained(table, y, rng)
        reached = np.count_nonzero(importances)
        if reached < (k or 0):
            self.warnings_.append(f"Boosting came to {several(reached, 'feature')} in {several(self.rounds, 'round')}, not to the "
                                  f"{k} asked for. More rounds may bring in more.")
        return np.where(importances > 0, importances, np.nan), importances

    def trained(self, table, y, rng):
        """(the model after all rounds, its importances (d,))."""
        design, weights, intercepts, unit = self._boosted(table, y, rng)
        importances = unit * sum(usual_weights(one, design.feature, table.n_features) for one in weights)
        return LinearModel(design, weights, intercepts), importances

    def _boosted(self, table, y, rng):
        """The design, the weights (targets, p) and intercepts (targets,) after all rounds, and what a weight is to be times."""
        design, columns = Design.of(table, contrasts=True)
        columns = np.vstack([columns.T, np.ones(table.n_rows)])
        learner = np.unique([*design.feature, table.n_features], return_inverse=True)[1]
        loss, targets, unit = losses(y)
        coefficients = np.array([boosted(columns, target, loss, self.rounds, self.step, rng, learner) for target in targets])
        return design, coefficients[:, :-1], coefficients[:, -1] + [loss.intercept(target) for target in targets], unit

    def _final(self, table, codes, chosen, rng):
        return Restricted(self.trained(table.columns(chosen), codes, rng)[0], chosen)


def boosted(columns, target, loss, rounds, step, rng, learner=None) -> np.ndarray:
    """Weights (p,) after some rounds; columns (p, n) of mean square 1; learner (p,): number of the feature of each, from 0."""
    alone = learner is None or np.array_equal(learner, np.arange(len(columns)))
    width: Any = 1 if alone else np.bincount(learner)
    weights, margin = np.zeros(len(columns)), np.full(len(target), loss.intercept(target))
    for _ in range(rounds):
        fits = columns @ -loss.residual(margin, target) / len(target)
        size = np.abs(fits) if alone else np.sqrt(np.bincount(learner, weights=fits**2) / width)
        equal = np.flatnonzero(size >= size.max() * (1 - _EQUAL))
        best = equal[0] if len(equal) == 1 else rng.choice(equal)
        if alone:
            moved = step * loss.pace * fits[best]
            margin += moved * columns[best]
        else:
            best, shrunk = learner == best, 1 - np.sqrt(1 - 1 / width[best])
            moved = step * loss.pace * shrunk * fits[best]
            margin += moved @ columns[best]
        weights[best] += moved
    return weights
