"""The path of a model that leaves columns out: fitted at every penalty λ where a group of columns enters or leaves.

Minimises mean loss + λ (α Σ_g √v_g ‖w_g‖₂ + (1 − α) ‖w‖₂²/2), the intercept free; see Problem. Groups of
one column make the lasso (α = 1) and the elastic net. Between two such penalties the weights of the active columns follow a
smooth curve: a tangent step predicts the next event, Newton steps correct it (Park & Hastie 2007, JRSS B 69:659-677); the
optimality conditions over all columns are checked at every model.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from stabcore.selectors.solvers.penalised import Problem

_CONVERGED = 1e-9    # residual of the optimality conditions, as a share of the penalty
_VIOLATION = 1e-8    # an inactive group enters when its gradient exceeds the penalty by this share
_ROUNDING = 1e-14    # what additions over rows lose: below it neither condition can be told
_OVERSHOOT = 1e-4    # go this share of the penalty beyond a predicted event, so that it has happened
_LONGEST = 0.3       # longest step, as a share of the penalty: keeps the tangent honest
_ENTRY = 1e-7        # length of the weights that a group enters with: it has a direction from the start
_FEW = 2000          # so many columns are all watched; of more, …
_WATCHED = 0.7       # … the groups whose gradient is at least this share of what lets them in, …
_TOO_NEAR = 0.85     # … until one of the others may have come this near
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


@dataclass(frozen=True)
class _Watch:
    """The groups of a problem that are in or nearly in, as a problem of their own.

    Columns have the length √n, so no gradient moves by more than √n ‖change of the residual‖: that bounds how near any other
    group can have come, without looking at it.
    """

    small: Problem
    where: np.ndarray      # (p_small,) its columns in the whole problem
    residual: np.ndarray   # (n,) when all groups were last looked at
    rest: float            # the largest penalty that would have let one of the others in then
    reach: float           # of the whole problem

    @classmethod
    def over(cls, problem, residual, penalty, active):
        """What to watch from here on, and the gradient of its columns."""
        gradient = problem.columns @ residual
        nearness = np.sqrt(problem.by_group(gradient**2)) / problem.threshold
        near = (nearness >= _WATCHED * penalty) | (len(gradient) <= _FEW)
        near[problem.group[active]] = True
        small, where = problem.of_groups(near)
        return cls(small, where, residual, nearness[~near].max(initial=-np.inf), problem.reach), gradient[where]

    def nearest(self, residual):
        """A larger penalty than this lets none of the others in."""
        return self.rest + self.pace(residual - self.residual)

    def pace(self, change):
        """How much nearer a change of the residual can bring any group."""
        return np.sqrt(len(change)) * np.linalg.norm(change) / self.small.share * self.reach


def path(problem, rng, least=1e-4) -> Iterator[Model]:
    """Models at falling penalties, from the one with no column at all; rng decides between equal groups.

    Ends when the penalty falls below `least` times its start, or the loss below its share `settled` of the start.
    Raises NotConverged.
    """
    loss, target = problem.loss, problem.target
    intercept = loss.intercept(target)
    margin = np.full(len(target), intercept)
    enough = loss.settled * loss.mean(margin, target)
    gradient = problem.columns @ problem.residual(margin)
    start = (np.sqrt(problem.by_group(gradient**2)) / problem.threshold).max(initial=0.0)
    model = Model(start, intercept, np.empty(0, dtype=int), np.empty(0))
    watch = gradient = None
    while True:
        yield model
        margin = model.intercept + model.weights @ problem.columns[model.active]
        if model.penalty <= least * start or start < 1e-12 or loss.mean(margin, target) < enough:
            return
        model, watch, gradient = _next(problem, watch, gradient, model, margin, rng)


def _next(problem, watch, gradient, model, margin, rng):
    """The model after the next event, what to watch from there, and the gradient of the columns that are watched."""
    residual = problem.residual(margin)
    if watch is None or watch.nearest(residual) > _TOO_NEAR * model.penalty:
        watch, gradient = _Watch.over(problem, residual, model.penalty, model.active)
    model = _ahead(watch, _renumbered(model, np.searchsorted(watch.where, model.active)), gradient, residual, rng)
    while True:
        model, gradient, residual = _solve(watch.small, model, rng)
        whole = _renumbered(model, watch.where[model.active])
        if watch.nearest(residual) <= model.penalty:
            return whole, watch, gradient
        watch, _ = _Watch.over(problem, residual, model.penalty, whole.active)
        model = _renumbered(whole, np.searchsorted(watch.where, whole.active))


def _renumbered(model, active):
    return Model(model.penalty, model.intercept, active, model.weights)


def between(problem, model, later, penalty, rng) -> Model:
    """The solution at a penalty between two models of a path that follow each other, where only their groups can be in.

    Raises NotConverged.
    """
    kept = np.zeros(len(problem.sizes), dtype=bool)
    kept[problem.group[np.concatenate([model.active, later.active])]] = True
    small, where = problem.of_groups(kept)
    start = Model(penalty, model.intercept, np.searchsorted(where, model.active), model.weights)
    solution = _solve(small, start, rng)[0]
    return _renumbered(solution, where[solution.active])


def _solve(problem, model, rng):
    """The solution, its gradient (p,) and its residual (n,), divided by n."""
    penalty, intercept, active, weights = model.penalty, model.intercept, model.active, model.weights
    for _ in range(_MOST_STEPS):
        rows = problem.rows(active)
        margin = intercept + weights @ rows[1:]
        residual = problem.residual(margin)
        gap = rows @ residual
        gap[1:] += penalty * problem.pull(active, weights)
        if np.abs(gap).max() <= _CONVERGED * penalty + _ROUNDING:
            gradient = problem.columns @ residual
            enters = _violator(problem, gradient, active, penalty, rng)
            if enters is None:
                return Model(penalty, intercept, active, weights), gradient, residual
            active, weights = _entered(problem, enters, gradient, active, weights)
            continue
        step = -np.linalg.solve(problem.curvature(rows, margin, penalty, active, weights), gap)
        intercept, active, weights = _moved(problem, rows, margin, penalty, intercept, active, weights, step)
    raise NotConverged


def _moved(problem, rows, margin, penalty, intercept, active, weights, step):
    """Intercept, active columns and weights after a Newton step, or as much of it as the objective allows.

    A step ends where the first group would turn round, and the group leaves there.
    """
    now = problem.objective(margin, penalty, active, weights)
    length, stays = 1.0, np.ones(len(active), dtype=bool)
    turns = _until_turned(problem, active, weights, step[1:])
    if turns.min(initial=np.inf) < 1:
        length = turns.min()
        stays = problem.group[active] != problem.group[active[turns.argmin()]]
    while True:
        moved = np.where(stays, weights + length * step[1:], 0.0)
        level = intercept + length * step[0]
        after = problem.objective(level + moved @ rows[1:], penalty, active[stays], moved[stays])
        if after <= now + 1e-12 * abs(now) or length < 1e-6:
            return level, active[stays], moved[stays]
        length, stays = length / 2, np.ones(len(active), dtype=bool)


def _until_turned(problem, active, weights, step):
    """(a,) how much of a step can be gone before the group of each active column turns against its direction now."""
    along = problem.together(active, weights * step)
    with np.errstate(divide="ignore"):
        return np.where(along < 0, -problem.together(active, weights**2) / along, np.inf)


def _ahead(watch, model, gradient, residual, rng):
    """Where the tangent of the path meets the next event: a start for `_solve`."""
    problem = watch.small
    penalty, active, weights = model.penalty, model.active, model.weights
    rows = problem.rows(active)
    margin = model.intercept + weights @ rows[1:]
    # changes of intercept, weights and gradient for each unit that is taken off the penalty
    slope = np.linalg.solve(problem.curvature(rows, margin, penalty, active, weights),
                            np.concatenate([[0.0], problem.pull(active, weights)]))
    change = (slope @ rows) * problem.loss.curvature(margin) / len(margin)
    drift = problem.columns @ change
    falls = _until_entered(problem, penalty, gradient, drift)
    falls[problem.group[active]] = np.inf
    first = falls.min(initial=np.inf)
    fall = min(first, _until_turned(problem, active, weights, slope[1:]).min(initial=np.inf))
    unseen = (penalty - watch.nearest(residual)) / (1 + watch.pace(change))     # until then none of the others comes in
    fall = min(fall + _OVERSHOOT * penalty, _LONGEST * penalty, unseen)
    moved = weights + fall * slope[1:]
    stays = problem.together(active, weights * moved) > 0
    active, weights = active[stays], moved[stays]
    if first < fall:
        enters = _by_lot(falls <= first + _CONVERGED * penalty, rng)
        active, weights = _entered(problem, enters, gradient + fall * drift, active, weights)
    return Model(penalty - fall, model.intercept + fall * slope[0], active, weights)


def _until_entered(problem, penalty, gradient, drift):
    """(G,) how far the penalty falls until ‖gradient + fall·drift‖ of each group meets threshold·(penalty − fall)."""
    square = problem.threshold**2
    a = problem.by_group(drift**2) - square
    b = problem.by_group(gradient * drift) + square * penalty
    c = np.minimum(problem.by_group(gradient**2) - square * penalty**2, 0.0)
    towards = b + np.sqrt(np.maximum(b**2 - a * c, 0.0))
    meets = towards > 1e-6 * square * penalty   # a group that moves with the penalty never gets there
    return np.where(meets, -c / np.where(meets, towards, 1.0), np.inf)


def _violator(problem, gradient, active, penalty, rng):
    """The inactive group that breaks the optimality conditions most; None if none does."""
    excess = np.sqrt(problem.by_group(gradient**2)) / problem.threshold
    excess[problem.group[active]] = 0
    most = excess.max(initial=0.0)
    return None if most <= penalty * (1 + _VIOLATION) + _ROUNDING else _by_lot(excess >= most * (1 - _CONVERGED), rng)


def _by_lot(equal, rng):
    candidates = np.flatnonzero(equal)
    return candidates[0] if len(candidates) == 1 else rng.choice(candidates)


def _entered(problem, group, gradient, active, weights):
    """Active columns and weights with one more group, against its gradient."""
    members = problem.members(group)
    against = -gradient[members]
    return np.append(active, members), np.append(weights, _ENTRY * against / np.linalg.norm(against))
