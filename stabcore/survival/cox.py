"""Cox's partial likelihood: its derivatives, score tests of many columns at once, and fits.

Columns are rows of an array (p, n), as the solvers of selectors have them. A margin η (n,) is the logarithm of the relative hazard
of each row. Columns that are always in the model are `free` columns: their weights have no penalty, and score tests adjust for
them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

EFRON, BRESLOW = "efron", "breslow"
_BLOCK = 1 << 18  # numbers at a time: small enough to stay in the cache
_MAX_STEPS = 60  # largest number of Newton steps
_CONVERGED = 1e-10  # size of the gradient, in standard errors, at which the fit ends
_MAX_WEIGHT = 30.0  # a larger weight of a standardised column diverges, because the likelihood has no maximum


@dataclass(frozen=True, eq=False)
class RiskSets:
    """The rows at risk at each event. Ties by Efron (1977, JASA 72:557-565), or by Breslow (1974).

    A step is one event. At a step of m tied events, the l-th (from 0) counts its m rows by 1 − l/m (Efron) or by 1 (Breslow).
    order   (n,) rows by rising time, those with an event first among equal times
    first   (S,) place in that order from which on rows are at risk at each step
    after   (S,) place after the last tied event of each step
    spared  (S,) l/m, the share by which the tied events of a step no longer count
    place   (n,) number of steps at or before the time of each row, in that order
    event   (n,) bool, in that order
    """

    order: np.ndarray
    first: np.ndarray
    after: np.ndarray
    spared: np.ndarray
    place: np.ndarray
    event: np.ndarray

    @classmethod
    def of(cls, target: np.ndarray, ties: str = EFRON) -> RiskSets:
        """Of records (n,) of time and event."""
        time, event = target["time"], target["event"]
        order = np.lexsort((~event, time))
        time, event = time[order], event[order]
        of_event = time[event]
        first = np.searchsorted(time, of_event)
        tied = np.searchsorted(of_event, of_event, side="right") - np.searchsorted(of_event, of_event)
        number = np.arange(len(of_event)) - np.searchsorted(of_event, of_event)
        spared = number / tied if ties == EFRON else np.zeros(len(of_event))
        return cls(order, first, first + tied, spared, np.searchsorted(of_event, time, side="right"), event)

    def totals(self, values: np.ndarray) -> np.ndarray:
        """(…, S) sums of values (…, n), in order of time, over the rows at risk at each step."""
        n = values.shape[-1]
        left = np.zeros((*values.shape[:-1], n + 1))  # from the end: a difference of large sums would lose the last rows
        np.cumsum(values[..., ::-1], axis=-1, out=left[..., 1:])
        sums = left[..., self._from_end[0]]
        if self._has_ties:
            sums = sums - self.spared * (sums - left[..., self._from_end[1]])
        return sums

    def row_totals(self, steps: np.ndarray) -> np.ndarray:
        """(…, n) in order of time, the sum of values (…, S) over the steps at which each row is at risk."""
        passed = np.zeros((*steps.shape[:-1], steps.shape[-1] + 1))
        np.cumsum(steps, axis=-1, out=passed[..., 1:])
        collected = passed[..., self.place]
        if self._has_ties:
            np.cumsum(self.spared * steps, axis=-1, out=passed[..., 1:])
            collected -= np.where(self._n_tied > 0, passed[..., self.place] - passed[..., self.place - self._n_tied], 0)
        return collected

    def event_means(self, steps: np.ndarray) -> np.ndarray:
        """(…, n) in order of time, the mean of values (…, S) over the steps of each row's own event. 0 for rows without."""
        passed = np.zeros((*steps.shape[:-1], steps.shape[-1] + 1))
        np.cumsum(steps, axis=-1, out=passed[..., 1:])
        return (passed[..., self.place] - passed[..., self.place - self._n_tied]) / np.maximum(self._n_tied, 1)

    @cached_property
    def _has_ties(self):
        """Whether any tied events are spared."""
        return bool(self.spared.any())

    @cached_property
    def _from_end(self):
        """`first` and `after`, counted from the last row."""
        return len(self.order) - self.first, len(self.order) - self.after

    @cached_property
    def _n_tied(self):
        """(n,) number of steps at the time of each row with an event, 0 for other rows, in order of time."""
        starts = np.searchsorted(self.first, self.first)
        start = starts[np.minimum(self.place - 1, len(self.first) - 1)] if len(self.first) else self.place
        return np.where(self.event, self.place - start, 0)

    def hazards(self, margin: np.ndarray) -> Hazards:
        """The likelihood terms of the margins (n,) of the rows."""
        eta = margin[self.order]
        top = eta.max()
        weight = np.exp(eta - top)
        total = self.totals(weight)
        return Hazards(self, weight, total, self.row_totals(1 / total), float(np.log(total).sum() + len(total) * top), eta)


@dataclass(frozen=True, eq=False)
class Hazards:
    """The partial likelihood at one margin, and its derivatives. All in order of time."""

    sets: RiskSets
    weight: np.ndarray  # (n,) relative hazards, up to one factor
    total: np.ndarray  # (S,) of the rows at risk
    collected: np.ndarray  # (n,) cumulative baseline hazard until the time of each row
    log_totals: float
    eta: np.ndarray

    @property
    def loss(self) -> float:
        """Minus the logarithm of the partial likelihood."""
        return self.log_totals - float(self.eta[self.sets.event].sum())

    @cached_property
    def expected(self) -> np.ndarray:
        """(n,) expected number of events of each row."""
        return self.weight * self.collected

    def residual(self) -> np.ndarray:
        """(n,) derivative of the loss by the margin of each row, in the order of the table: minus the martingale residuals."""
        rows = np.empty(len(self.eta))
        rows[self.sets.order] = self.expected - self.sets.event
        return rows

    def means(self, columns: np.ndarray) -> np.ndarray:
        """(p, S) weighted mean of columns (p, n), in order of time, over the rows at risk at each step."""
        return self.sets.totals(columns * self.weight) / self.total

    def information(self, columns: np.ndarray) -> np.ndarray:
        """(p, p) second derivative of the loss by the weights of columns (p, n)."""
        ordered = columns[:, self.sets.order]
        means = self.means(ordered)
        scaled = ordered * np.sqrt(np.maximum(self.expected, 0))
        return scaled @ scaled.T - means @ means.T

    def hessian_product(self, direction: np.ndarray) -> np.ndarray:
        """(n,) second derivative of the loss by the margins, times a change (n,) of the margins, in the order of the table."""
        ordered = direction[self.sets.order]
        rows = np.empty(len(ordered))
        rows[self.sets.order] = self.expected * ordered - self.weight * self.sets.row_totals(self.means(ordered) / self.total)
        return rows


def score_statistics(columns: np.ndarray, target: np.ndarray, free: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
    """Score U (d,) and variance V (d,) of each column (d, n) added to the model of the `free` columns (q, n) alone.

    U²/V is χ² on 1 degree of freedom. Columns have no gaps, and one that does not vary has U = V = 0. V is the variance beyond the
    free columns, V_ff − V_fg V_gg⁻¹ V_gf. U is the product of the columns with the martingale residuals of the free columns. Ties
    by Efron. Source: Cox 1972, JRSS B 34:187-220; Rao 1948, Proceedings of the Cambridge Philosophical Society 44:50-57.
    """
    sets = RiskSets.of(target)
    given = np.empty((0, len(target))) if free is None else free
    hazards = sets.hazards(fit_cox(given, target).weights @ given if len(given) else np.zeros(len(target)))
    score, variance = np.empty(len(columns)), np.empty(len(columns))
    residual, expected = hazards.residual()[sets.order], hazards.expected
    ordered_given = given[:, sets.order]
    means_given = hazards.means(ordered_given)
    of_given = (ordered_given * expected) @ ordered_given.T - means_given @ means_given.T
    step = max(1, _BLOCK // max(len(target), 1))
    for start in range(0, len(columns), step):
        block = slice(start, start + step)
        part = columns[block][:, sets.order]
        part = part - part.mean(axis=1, keepdims=True)
        means = hazards.means(part)
        score[block] = -part @ residual
        variance[block] = (part**2) @ expected - (means**2).sum(axis=1)
        if len(given):
            cross = (part * expected) @ ordered_given.T - means @ means_given.T
            variance[block] -= (cross * np.linalg.solve(of_given, cross.T).T).sum(axis=1)
    return score, np.maximum(variance, 0.0)


def joint_score_statistic(columns: np.ndarray, target: np.ndarray, free: np.ndarray | None = None) -> tuple[float, int]:
    """(χ² of the score test of several columns (p, n) together, its degrees of freedom), beyond the `free` columns (q, n)."""
    given = np.empty((0, len(target))) if free is None else free
    hazards = RiskSets.of(target).hazards(fit_cox(given, target).weights @ given if len(given) else np.zeros(len(target)))
    score, information = columns @ hazards.residual(), hazards.information(np.vstack([columns, given]))
    p, length = len(columns), np.diag(information)[: len(columns)]
    cross = information[:p, p:]
    information = information[:p, :p] - cross @ np.linalg.pinv(information[p:, p:], hermitian=True) @ cross.T
    left = information * (np.diag(information) > 1e-10 * length)  # a column that the free ones give is rounding
    inverse = np.linalg.pinv(left, rcond=1e-10, hermitian=True)
    return float(score @ inverse @ score), int(np.linalg.matrix_rank(left, tol=1e-10 * np.abs(length).max(initial=0)))


@dataclass(frozen=True, eq=False)
class CoxFit:
    """Weights (p,) of a Cox model, their covariance (p, p), its loss, and whether it converged."""

    weights: np.ndarray
    covariance: np.ndarray
    loss: float
    converged: bool


def fit_cox(columns: np.ndarray, target: np.ndarray, ridge: float | np.ndarray = 0.0, ties: str = EFRON) -> CoxFit:
    """Fit a Cox model by Newton's method with halved steps.

    columns: (p, n), preferably standardised. ridge: λ, one or (p,), of the penalty λ w²/2 of each weight. 0: no penalty.
    """
    sets, n_columns = RiskSets.of(target, ties), len(columns)
    penalty = np.broadcast_to(np.asarray(ridge, dtype=float), n_columns)
    weights = np.zeros(n_columns)
    hazards = sets.hazards(np.zeros(len(target)))
    loss, converged = hazards.loss, n_columns == 0
    hessian = hazards.information(columns) + np.diag(penalty)
    for _ in range(_MAX_STEPS if n_columns else 0):
        gradient = columns @ hazards.residual() + penalty * weights
        step = -np.linalg.lstsq(hessian, gradient, rcond=None)[0]
        if -(gradient @ step) < _CONVERGED**2 * max(1.0, len(target)):
            converged = True
            break
        length = 1.0
        while True:
            moved = weights + length * step
            after = sets.hazards(moved @ columns)
            value = after.loss + 0.5 * float(penalty @ moved**2)
            if value <= loss + 1e-12 * abs(loss) or length < 1e-6:
                break
            length /= 2
        weights, hazards, loss = moved, after, value
        if np.abs(weights).max() > _MAX_WEIGHT * max(1.0, 1 / max(np.abs(columns).max(), 1e-300)):
            break
        hessian = hazards.information(columns) + np.diag(penalty)
    return CoxFit(weights, np.linalg.pinv(hessian) if n_columns else hessian, loss, converged)


def fit_cox_each(columns: np.ndarray, target: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Cox models of each column (d, n) alone.

    Weights (d,), standard errors (d,), and (d, n) contributions of the rows to each weight.

    Columns without gaps. NaN where a column does not vary, or orders the events so well that the likelihood has no maximum. Its
    contributions are then 0. The contributions sum to 0, and their squares to the robust variance (Lin & Wei 1989, JASA
    84:1074-1078).
    """
    sets, step = RiskSets.of(target), max(1, _BLOCK // max(len(target), 1))
    parts = [_fit_block(sets, columns[start : start + step]) for start in range(0, len(columns), step)]
    if not parts:
        return np.empty(0), np.empty(0), np.empty((0, len(target)))
    weights, errors, rows = (np.concatenate(part) for part in zip(*parts, strict=True))
    return weights, errors, rows


def _fit_block(sets, columns):
    columns = columns[:, sets.order]
    mean, unit = columns.mean(axis=1, keepdims=True), columns.std(axis=1, keepdims=True)
    varies = unit[:, 0] > 1e-12 * (np.abs(mean[:, 0]) + 1e-300)
    x = (columns - mean) / np.where(varies[:, None], unit, 1)
    weights = np.zeros(len(x))
    for _ in range(_MAX_STEPS):
        relative = np.exp(np.clip(weights[:, None] * x, -50, 50))
        total = sets.totals(relative)
        means = sets.totals(relative * x) / total
        score = x[:, sets.event].sum(axis=1) - means.sum(axis=1)
        information = (sets.totals(relative * x**2) / total - means**2).sum(axis=1)
        change = np.clip(np.divide(score, information, out=np.zeros(len(x)), where=information > 1e-12), -1, 1)
        if np.abs(change).max(initial=0.0) < 1e-9:
            break
        weights = np.where(np.abs(weights) < _MAX_WEIGHT / 2, weights + change, weights)
    estimated = varies & (np.abs(weights) < _MAX_WEIGHT / 2) & (information > 1e-9)
    with np.errstate(invalid="ignore", divide="ignore"):
        residual = sets.event - relative * sets.row_totals(1 / total)
        at_own = sets.event_means(means) - relative * sets.row_totals(means / total)
        rows = np.empty(x.shape)
        rows[:, sets.order] = (x * residual - at_own) / (information * unit[:, 0])[:, None]
        error = 1 / np.sqrt(information) / unit[:, 0]
        weights = weights / unit[:, 0]
    return np.where(estimated, weights, np.nan), np.where(estimated, error, np.nan), np.where(estimated[:, None], rows, 0.0)


def columns_by_gaps(values: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """((m,) rows that are recorded, numbers of the columns with exactly these) of columns (n, d)."""
    recorded = ~np.isnan(values)
    if recorded.all():  # the search for patterns takes longer than most filters
        if values.shape[1]:
            yield np.arange(len(values)), np.arange(values.shape[1])
        return
    patterns, of_column = np.unique(np.packbits(recorded, axis=0), axis=1, return_inverse=True)
    for number in range(patterns.shape[1]):
        members = np.flatnonzero(of_column == number)
        yield np.flatnonzero(recorded[:, members[0]]), members


def baseline_hazard(margin: np.ndarray, target: np.ndarray, times: np.ndarray) -> np.ndarray:
    """(T,) Breslow's cumulative hazard of a row of margin 0 at some times. Source: Breslow 1974, Biometrics 30:89-99."""
    sets = RiskSets.of(target, BRESLOW)
    hazards = sets.hazards(margin)
    passed = np.concatenate([[0.0], np.cumsum(1 / hazards.total)]) * np.exp(-margin.max())
    return passed[np.searchsorted(target["time"][sets.order][sets.event], times, side="right")]
