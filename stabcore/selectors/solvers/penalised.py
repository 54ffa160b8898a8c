"""Penalised linear models: the losses, the problem with its penalty, and its whole path."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from stabcore.survival.cox import BRESLOW, RiskSets

# ---- the problem ----


@dataclass(frozen=True)
class Problem:
    """Minimise mean loss + λ (α Σ_g √v_g ‖w_g‖₂ + (1 − α) ‖w‖₂²/2).

    columns: (p, n), standardised, one row per column of the design, those of one group next to each other. loss: see Loss. sizes:
    (G,) columns of each group. share: α, above 0 and at most 1. weights: (G,) v, weight of each group in the penalty, by default
    its number of columns. given: (q, n) columns that are always in the model, without a penalty, in addition to the intercept.
    """

    columns: np.ndarray
    loss: Loss
    sizes: np.ndarray
    share: float = 1.0
    weights: np.ndarray | None = None
    given: np.ndarray | None = None

    @cached_property
    def free(self):
        """(f, n) the rows without a penalty: of ones, where the loss has an intercept, and the given columns."""
        n = self.columns.shape[1]
        ones = np.ones((int(self.loss.has_intercept), n))
        return ones if self.given is None else np.vstack([ones, self.given])

    @cached_property
    def group(self):
        """(p,) the group of each column."""
        return np.repeat(np.arange(len(self.sizes)), self.sizes)

    @cached_property
    def group_starts(self):
        return np.cumsum(self.sizes) - self.sizes

    @cached_property
    def entry_gradients(self):
        """(G,) the gradient, for each unit of penalty, at which a group enters: α √v_g."""
        return self.share * np.sqrt(self.sizes if self.weights is None else self.weights)

    @cached_property
    def max_entry_speed(self):
        """The largest √(p_g/v_g), the speed of a group towards entering relative to a single column."""
        return 1.0 if self.weights is None else float(np.sqrt((self.sizes / self.weights).max(initial=0.0)))

    def group_sums(self, values):
        """(G,) sums of (p,) values over the columns of each group."""
        return values if len(self.sizes) == len(self.columns) else np.add.reduceat(values, self.group_starts)

    def subset(self, groups):
        """(the problem of some groups (G,), the positions of their columns in this problem)."""
        where = np.flatnonzero(groups[self.group])
        weights = None if self.weights is None else self.weights[groups]
        return replace(self, columns=self.columns[where], sizes=self.sizes[groups], weights=weights), where

    def members(self, group):
        return np.arange(self.group_starts[group], self.group_starts[group] + self.sizes[group])

    def residual(self, margin):
        """(n,) derivative of the mean loss by the margin of each row."""
        return self.loss.residual(margin) / len(margin)

    def rows(self, active):
        """(f + a, n) the free rows and the active columns."""
        n_free = len(self.free)
        rows = np.empty((n_free + len(active), self.columns.shape[1]))
        rows[:n_free] = self.free
        self.columns.take(active, axis=0, out=rows[n_free:])
        return rows

    def active_group_sums(self, active, values):
        """(a,) for each active column the sum of `values` over its group."""
        return np.bincount(self.group[active], weights=values, minlength=len(self.sizes))[self.group[active]]

    def penalty_gradient(self, active, weights):
        """(a,) derivative of the penalty term by the active weights, for each unit of penalty."""
        length = np.sqrt(self.active_group_sums(active, weights**2))
        return self.entry_gradients[self.group[active]] * weights / length + (1 - self.share) * weights

    def objective(self, margin, penalty, active, weights):
        lengths = np.sqrt(np.bincount(self.group[active], weights=weights**2, minlength=len(self.sizes)))
        return self.loss.mean(margin) + penalty * (self.entry_gradients @ lengths + (1 - self.share) * weights @ weights / 2)

    def curvature(self, rows, margin, penalty, active, weights):
        """(f + a, f + a) second derivative of the objective by free and active weights."""
        hessian, n_free = self.loss.hessian(rows, margin), len(self.free)
        diagonal = hessian.reshape(-1)[:: len(rows) + 1]
        diagonal *= 1 + 1e-10  # with dependent columns, the step stays finite and ends when one leaves
        diagonal[n_free:] += penalty * (1 - self.share)
        label = self.group[active]
        if (self.sizes[label] > 1).any():
            length = np.sqrt(self.active_group_sums(active, weights**2))
            unit, bend = weights / length, penalty * self.entry_gradients[label] / length
            hessian[n_free:, n_free:] -= np.where(label[:, None] == label, np.outer(unit * bend, unit), 0)
            diagonal[n_free:] += bend
        return hessian


# ---- losses ----


class Loss:
    """A loss of the margins (n,) of the rows, for one target.

    min_loss_share: a model that leaves this share of the loss without columns ends the path. boosting_scale: the number of units of
    boosting in one unit of the margin. has_intercept: False if the loss does not change when a number is added to all margins.
    """

    min_loss_share = 1e-6
    boosting_scale = 1.0
    has_intercept = True

    def __init__(self, target: np.ndarray) -> None:
        self.target = target

    def intercept(self) -> float:
        """The margin of the best model without columns."""
        return 0.0

    def residual(self, margin: np.ndarray) -> np.ndarray:
        """(n,) derivative of the summed loss by the margins."""
        raise NotImplementedError

    def curvature(self, margin: np.ndarray) -> np.ndarray:
        """(n,) second derivative by the margins, of a loss that is a sum over rows."""
        raise NotImplementedError

    def hessian(self, rows: np.ndarray, margin: np.ndarray) -> np.ndarray:
        """(r, r) second derivative of the mean loss by the weights of some rows (r, n)."""
        scaled = rows * np.sqrt(self.curvature(margin) / rows.shape[1])
        return scaled @ scaled.T  # a matrix times its own transpose takes half the time

    def residual_change(self, direction: np.ndarray, margin: np.ndarray) -> np.ndarray:
        """(n,) change of the residual for each unit along a direction (n,) of the margins."""
        return direction * self.curvature(margin)

    def mean(self, margin: np.ndarray) -> float:
        """The mean loss."""
        raise NotImplementedError


class Logistic(Loss):
    """log(1 + e^margin) − target·margin, the target 0 or 1."""

    min_loss_share = 1e-3  # below this share of the first loss, the classes are nearly separated and weights diverge
    # boosting uses the loss of half the log-odds in base 2 (Bühlmann & Hothorn 2007), which rescales a step in log-odds
    boosting_scale = 4 / np.log(2)

    def intercept(self):
        share = self.target.mean()
        return float(np.log(share / (1 - share)))

    def __init__(self, target):
        super().__init__(target)
        self._margin = self._chances = None

    def residual(self, margin):
        return self._chance(margin) - self.target

    def curvature(self, margin):
        chance = self._chance(margin)
        return chance * (1 - chance)

    def _chance(self, margin):
        if margin is not self._margin:  # the most expensive part of both
            self._margin, self._chances = margin, 0.5 + 0.5 * np.tanh(0.5 * margin)
        return self._chances

    def mean(self, margin):
        return float(np.mean(np.logaddexp(0, margin) - self.target * margin))


class Squared(Loss):
    """(margin − target)²/2, for a numeric target."""

    def intercept(self):
        return float(self.target.mean())

    def residual(self, margin):
        return margin - self.target

    def curvature(self, margin):
        return np.ones(len(margin))

    def mean(self, margin):
        return float(np.mean((margin - self.target) ** 2) / 2)


class Cox(Loss):
    """Minus Cox's log partial likelihood, for records of time and event. Ties by Breslow, as in glmnet.

    Source: Simon, Friedman, Hastie & Tibshirani 2011, Journal of Statistical Software 39(5):1-13.
    """

    min_loss_share = 1e-2
    has_intercept = False

    def __init__(self, target):
        super().__init__(target)
        self._sets = RiskSets.of(target, BRESLOW)
        self._margin = self._hazards = None

    def residual(self, margin):
        return self._hazards_at(margin).residual()

    def hessian(self, rows, margin):
        return self._hazards_at(margin).information(rows) / rows.shape[1]

    def residual_change(self, direction, margin):
        return self._hazards_at(margin).hessian_product(direction)

    def mean(self, margin):
        return self._hazards_at(margin).loss / len(margin)

    def _hazards_at(self, margin):
        if margin is not self._margin:  # all values of one margin are computed once
            self._margin, self._hazards = margin, self._sets.hazards(margin)
        return self._hazards


# ---- the path ----

_CONVERGED = 1e-9  # residual of the optimality conditions, as a share of the penalty
_VIOLATION = 1e-8  # an inactive group enters when its gradient exceeds the penalty by this share
_ROUNDING = 1e-14  # rounding of sums over rows, below which the conditions cannot be checked
_OVERSHOOT = 1e-4  # relative step beyond a predicted event, so that it has happened
_MAX_STEP = 0.3  # longest step, as a share of the penalty, to keep the tangent accurate
_ENTRY_LENGTH = 1e-7  # length of the weights of an entering group, so that it has a direction
_MAX_ALL_NEAR = 2000  # up to this number of columns, all are watched
_NEAR_SHARE = 0.7  # beyond it, groups with at least this share of the entering gradient are watched
_RECHECK_SHARE = 0.85  # until another group may have reached this share
_MAX_STEPS = 100  # largest number of Newton steps at one penalty


@dataclass(frozen=True)
class Model:
    """A solution at one penalty: the weights of the free rows, the columns with non-zero weight in order of entry, and theirs."""

    penalty: float
    free: np.ndarray
    active: np.ndarray
    weights: np.ndarray

    @property
    def intercept(self) -> float:
        """The weight of the row of ones, where the loss has one."""
        return float(self.free[0]) if len(self.free) else 0.0


class NotConverged(Exception):
    """Newton's method did not satisfy the optimality conditions."""


@dataclass(frozen=True)
class _NearGroups:
    """The groups of a problem that are in the model or nearly in it, as a separate problem.

    Columns have the length √n, so no gradient changes by more than √n ‖change of the residual‖. This bounds the gradients of all
    other groups without computing them.
    """

    problem: Problem
    where: np.ndarray  # (p_small,) its columns in the whole problem
    residual: np.ndarray  # (n,) when all groups were last checked
    entry_penalty: float  # the largest penalty at which another group would have entered then
    max_entry_speed: float  # of the whole problem

    @classmethod
    def from_residual(cls, problem, residual, penalty, active):
        """The groups near entry from now on, and the gradient of their columns."""
        gradient = problem.columns @ residual
        nearness = np.sqrt(problem.group_sums(gradient**2)) / problem.entry_gradients
        near = (nearness >= _NEAR_SHARE * penalty) | (len(gradient) <= _MAX_ALL_NEAR)
        near[problem.group[active]] = True
        small, where = problem.subset(near)
        return cls(small, where, residual, nearness[~near].max(initial=-np.inf), problem.max_entry_speed), gradient[where]

    def entry_bound(self, residual):
        """The penalty above which no other group enters."""
        return self.entry_penalty + self.max_gradient_change(residual - self.residual)

    def max_gradient_change(self, change):
        """The largest effect of a change of the residual on any group."""
        return np.sqrt(len(change)) * np.linalg.norm(change) / self.problem.share * self.max_entry_speed


def solution_path(problem, rng, least=1e-4) -> Iterator[Model]:
    """Models at falling penalties, from the empty one. rng decides between equal groups.

    Ends when the penalty falls below `least` times its start, or the loss below its `min_loss_share` of the start.
    Raises NotConverged.
    """
    loss, free = problem.loss, unpenalised_weights(problem, rng)
    margin = free @ problem.free
    enough = loss.min_loss_share * loss.mean(margin)
    gradient = problem.columns @ problem.residual(margin)
    start = (np.sqrt(problem.group_sums(gradient**2)) / problem.entry_gradients).max(initial=0.0)
    model = Model(start, free, np.empty(0, dtype=int), np.empty(0))
    near = gradient = None
    while True:
        yield model
        margin = model.free @ problem.free + model.weights @ problem.columns[model.active]
        if model.penalty <= least * start or start < 1e-12 or loss.mean(margin) < enough:
            return
        model, near, gradient = _next_model(problem, near, gradient, model, margin, rng)


def unpenalised_weights(problem, rng) -> np.ndarray:
    """(f,) weights of the free rows alone. Raises NotConverged."""
    free = np.zeros(len(problem.free))
    free[: int(problem.loss.has_intercept)] = problem.loss.intercept()
    if problem.given is None:
        return free
    alone = problem.subset(np.zeros(len(problem.sizes), dtype=bool))[0]
    return _solve(alone, Model(1.0, free, np.empty(0, dtype=int), np.empty(0)), rng)[0].free


def _next_model(problem, near, gradient, model, margin, rng):
    """The model after the next event, the groups near entry, and the gradient of their columns."""
    residual = problem.residual(margin)
    if near is None or near.entry_bound(residual) > _RECHECK_SHARE * model.penalty:
        near, gradient = _NearGroups.from_residual(problem, residual, model.penalty, model.active)
    model = _predicted_model(near, _renumbered(model, np.searchsorted(near.where, model.active)), gradient, residual, rng)
    while True:
        model, gradient, residual = _solve(near.problem, model, rng)
        full_model = _renumbered(model, near.where[model.active])
        if near.entry_bound(residual) <= model.penalty:
            return full_model, near, gradient
        near, _ = _NearGroups.from_residual(problem, residual, model.penalty, full_model.active)
        model = _renumbered(full_model, np.searchsorted(near.where, full_model.active))


def _renumbered(model, active):
    return Model(model.penalty, model.free, active, model.weights)


def solution_at(problem, model, later, penalty, rng) -> Model:
    """The solution at a penalty between two successive models of a path, with only their groups. Raises NotConverged."""
    active = np.zeros(len(problem.sizes), dtype=bool)
    active[problem.group[np.concatenate([model.active, later.active])]] = True
    small, where = problem.subset(active)
    start = Model(penalty, model.free, np.searchsorted(where, model.active), model.weights)
    solution = _solve(small, start, rng)[0]
    return _renumbered(solution, where[solution.active])


def _solve(problem, model, rng):
    """The solution, its gradient (p,) and its residual (n,), divided by n."""
    penalty, free, active, weights, n_free = model.penalty, model.free, model.active, model.weights, len(problem.free)
    for _ in range(_MAX_STEPS):
        rows = problem.rows(active)
        margin = np.concatenate([free, weights]) @ rows
        residual = problem.residual(margin)
        gap = rows @ residual
        gap[n_free:] += penalty * problem.penalty_gradient(active, weights)
        if np.abs(gap).max(initial=0.0) <= _CONVERGED * penalty + _ROUNDING:
            gradient = problem.columns @ residual
            if (enters := _violator(problem, gradient, active, penalty, rng)) is None:
                return Model(penalty, free, active, weights), gradient, residual
            active, weights = _add_group(problem, enters, gradient, active, weights)
            continue
        step = -np.linalg.solve(problem.curvature(rows, margin, penalty, active, weights), gap)
        free, active, weights = _limited_step(problem, rows, margin, penalty, free, active, weights, step)
    raise NotConverged


def _limited_step(problem, rows, margin, penalty, free, active, weights, step):
    """Free weights, active columns and their weights after a Newton step, or as much of it as the objective allows.

    A step ends where the first group would change its sign, and that group leaves.
    """
    now = problem.objective(margin, penalty, active, weights)
    length, remaining = 1.0, np.ones(len(active), dtype=bool)
    moved_free, step = step[: len(free)], step[len(free) :]
    turns = _reversal_shares(problem, active, weights, step)
    if turns.min(initial=np.inf) < 1:
        length = turns.min()
        remaining = problem.group[active] != problem.group[active[turns.argmin()]]
    while True:
        moved = np.where(remaining, weights + length * step, 0.0)
        level = free + length * moved_free
        after = problem.objective(np.concatenate([level, moved]) @ rows, penalty, active[remaining], moved[remaining])
        if after <= now + 1e-12 * abs(now) or length < 1e-6:
            return level, active[remaining], moved[remaining]
        length, remaining = length / 2, np.ones(len(active), dtype=bool)


def _reversal_shares(problem, active, weights, step):
    """(a,) the share of a step at which the group of each active column reverses its direction."""
    along = problem.active_group_sums(active, weights * step)
    with np.errstate(divide="ignore"):
        return np.where(along < 0, -problem.active_group_sums(active, weights**2) / along, np.inf)


def _predicted_model(near, model, gradient, residual, rng):
    """The point where the tangent of the path meets the next event, a start for `_solve`."""
    problem = near.problem
    penalty, active, weights, n_free = model.penalty, model.active, model.weights, len(problem.free)
    rows = problem.rows(active)
    margin = np.concatenate([model.free, weights]) @ rows
    # changes of free weights, weights and gradient for each unit that is taken off the penalty
    slope = np.linalg.solve(
        problem.curvature(rows, margin, penalty, active, weights),
        np.concatenate([np.zeros(n_free), problem.penalty_gradient(active, weights)]),
    )
    change = problem.loss.residual_change(slope @ rows, margin) / len(margin)
    drift = problem.columns @ change
    falls = _entry_falls(problem, penalty, gradient, drift)
    falls[problem.group[active]] = np.inf
    first = falls.min(initial=np.inf)
    fall = min(first, _reversal_shares(problem, active, weights, slope[n_free:]).min(initial=np.inf))
    unseen = (penalty - near.entry_bound(residual)) / (1 + near.max_gradient_change(change))  # until then no other group enters
    fall = min(fall + _OVERSHOOT * penalty, _MAX_STEP * penalty, unseen)
    moved = weights + fall * slope[n_free:]
    remaining = problem.active_group_sums(active, weights * moved) > 0
    active, weights = active[remaining], moved[remaining]
    if first < fall:
        enters = _draw_one(falls <= first + _CONVERGED * penalty, rng)
        active, weights = _add_group(problem, enters, gradient + fall * drift, active, weights)
    return Model(penalty - fall, model.free + fall * slope[:n_free], active, weights)


def _entry_falls(problem, penalty, gradient, drift):
    """(G,) the fall of the penalty until ‖gradient + fall·drift‖ of each group meets threshold·(penalty − fall)."""
    square = problem.entry_gradients**2
    a = problem.group_sums(drift**2) - square
    b = problem.group_sums(gradient * drift) + square * penalty
    c = np.minimum(problem.group_sums(gradient**2) - square * penalty**2, 0.0)
    towards = b + np.sqrt(np.maximum(b**2 - a * c, 0.0))
    meets = towards > 1e-6 * square * penalty  # a group that moves with the penalty never reaches it
    return np.where(meets, -c / np.where(meets, towards, 1.0), np.inf)


def _violator(problem, gradient, active, penalty, rng):
    """The inactive group that violates the optimality conditions most, None if none does."""
    excess = np.sqrt(problem.group_sums(gradient**2)) / problem.entry_gradients
    excess[problem.group[active]] = 0
    most = excess.max(initial=0.0)
    return None if most <= penalty * (1 + _VIOLATION) + _ROUNDING else _draw_one(excess >= most * (1 - _CONVERGED), rng)


def _draw_one(equal, rng):
    candidates = np.flatnonzero(equal)
    return candidates[0] if len(candidates) == 1 else rng.choice(candidates)


def _add_group(problem, group, gradient, active, weights):
    """Active columns and weights with one more group, opposite to its gradient."""
    members = problem.members(group)
    against = -gradient[members]
    return np.append(active, members), np.append(weights, _ENTRY_LENGTH * against / np.linalg.norm(against))
