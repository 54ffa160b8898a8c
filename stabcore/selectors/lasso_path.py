"""The path of L1-penalised logistic regression: a fitted model at every penalty where a column enters or leaves.

Minimises mean log-loss + penalty · Σ|w|, the intercept free. Between two such penalties the weights of the active
columns follow a smooth curve: a tangent step predicts the next event, Newton steps correct it (Park & Hastie 2007,
JRSS B 69:659-677); the optimality conditions over all columns are checked at every model.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

_CONVERGED = 1e-9    # residual of the optimality conditions, as a share of the penalty
_VIOLATION = 1e-8    # an inactive column enters when its gradient exceeds the penalty by this share
_OVERSHOOT = 1e-4    # go this share of the penalty beyond a predicted event, so that it has happened
_LONGEST = 0.3       # longest step, as a share of the penalty: keeps the tangent honest
_MOST_STEPS = 100    # Newton steps at one penalty


@dataclass(frozen=True)
class Model:
    """A solution at one penalty: the columns with non-zero weight, in order of entry, and their weights."""

    penalty: float
    intercept: float
    active: np.ndarray
    weights: np.ndarray


class NotConverged(Exception):
    """Newton's method did not satisfy the optimality conditions."""


def path(columns, target, rng, least=1e-4) -> Iterator[Model]:
    """Models at falling penalties, from the one with no column at all.

    columns: (p, n) standardised, a row a column of the design; target: (n,) 0/1; rng: decides between equal columns.
    Ends when the penalty falls below `least` times its start, or the model leaves 0.1 % of the deviance.
    Raises NotConverged.
    """
    share = target.mean()
    gradient = columns @ (share - target) / len(target)
    start = np.abs(gradient).max(initial=0.0)
    model = Model(start, float(np.log(share / (1 - share))), np.empty(0, dtype=int), np.empty(0))
    enough = 0.001 * _deviance(np.full(len(target), model.intercept), target)
    while True:
        yield model
        margin = model.intercept + model.weights @ columns[model.active]
        if model.penalty <= least * start or start < 1e-12 or _deviance(margin, target) < enough:
            return
        model = solve(columns, target, _tangent_step(columns, target, model, margin), rng)


def solve(columns, target, model, rng) -> Model:
    """The solution at `model.penalty`, searched from the weights of `model`. Raises NotConverged."""
    penalty, intercept, active, weights = model.penalty, model.intercept, model.active, model.weights
    signs = np.sign(weights)
    for _ in range(_MOST_STEPS):
        rows = _with_intercept(columns, active)
        chance = _chance(intercept + weights @ rows[1:])
        residual = (chance - target) / len(target)
        gap = rows @ residual
        gap[1:] += penalty * signs
        if np.abs(gap).max() <= _CONVERGED * penalty:
            enters, sign = _violator(columns @ residual, active, penalty, rng)
            if enters is None:
                return Model(penalty, intercept, active, weights)
            active, weights, signs = np.append(active, enters), np.append(weights, 0.0), np.append(signs, sign)
            continue
        step = -np.linalg.solve(_curvature(rows, chance), gap)
        length, leaves = _until_zero(weights, step[1:], signs)
        intercept, weights = intercept + length * step[0], weights + length * step[1:]
        if leaves is not None:
            active, weights, signs = (np.delete(values, leaves) for values in (active, weights, signs))
    raise NotConverged


def _tangent_step(columns, target, model, margin):
    """Where the tangent of the path meets the next event: a start for `solve`."""
    rows, chance = _with_intercept(columns, model.active), _chance(margin)
    signs = np.sign(model.weights)
    # changes of intercept, weights and gradient for each unit that is taken off the penalty
    slope = np.linalg.solve(_curvature(rows, chance), np.concatenate([[0.0], signs]))
    pull = columns @ ((slope @ rows) * chance * (1 - chance)) / len(target)
    gradient = columns @ (chance - target) / len(target)
    inactive = np.ones(len(columns), dtype=bool)
    inactive[model.active] = False
    fall = np.inf
    for toward in (1, -1):
        # toward·gradient + fall·toward·pull = penalty − fall; a column that moves with the penalty never gets there
        closing = 1 + toward * pull
        may = inactive & (closing > 1e-6)
        fall = min(fall, ((model.penalty - toward * gradient)[may] / closing[may]).min(initial=np.inf))
    shrinking = slope[1:] * signs < 0
    fall = min(fall, (-model.weights / np.where(shrinking, slope[1:], 1))[shrinking].min(initial=np.inf))
    fall = min(max(fall, 0) + _OVERSHOOT * model.penalty, _LONGEST * model.penalty)
    weights = model.weights + fall * slope[1:]
    stays = weights * signs > 0
    return Model(model.penalty - fall, model.intercept + fall * slope[0], model.active[stays], weights[stays])


def _violator(gradient, active, penalty, rng):
    """The inactive column that breaks the optimality conditions most and the sign it enters with; None if none does."""
    excess = np.abs(gradient)
    excess[active] = 0
    most = excess.max(initial=0.0)
    if most <= penalty * (1 + _VIOLATION):
        return None, 0.0
    equal = np.flatnonzero(excess >= most * (1 - _CONVERGED))
    enters = equal[0] if len(equal) == 1 else rng.choice(equal)
    return enters, -np.sign(gradient[enters])


def _until_zero(weights, step, signs):
    """How much of a step can be gone before a weight changes its sign, and which one does then."""
    beyond = np.flatnonzero((weights + step) * signs < 0)
    if len(beyond) == 0:
        return 1.0, None
    lengths = -weights[beyond] / step[beyond]
    return lengths.min(), beyond[lengths.argmin()]


def _with_intercept(columns, active):
    rows = np.empty((len(active) + 1, columns.shape[1]))
    rows[0] = 1
    columns.take(active, axis=0, out=rows[1:])
    return rows


def _curvature(rows, chance):
    hessian = (rows * (chance * (1 - chance) / rows.shape[1])) @ rows.T
    hessian.flat[:: len(rows) + 1] *= 1 + 1e-10  # dependent columns: the step stays finite and ends where one leaves
    return hessian


def _chance(margin):
    return 0.5 + 0.5 * np.tanh(0.5 * margin)


def _deviance(margin, target):
    return float(np.mean(np.logaddexp(0, margin) - target * margin))
