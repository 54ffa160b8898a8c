"""Boosting with trees of one split: columns are sorted once, and each round is one cumulative sum per column."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from stabcore.data.encoding import Design
from stabcore.data.feature_table import FeatureTable
from stabcore.selectors.base import MORE, NUMBER, kind_of_target
from stabcore.selectors.fair import chance_adjusted, has_few_cuts
from stabcore.selectors.given import Given

LEARNING_RATE = 0.1  # learning rate, as in Friedman's examples
_BLOCK = 2**16  # cells per block, small enough for the cache
_SHUFFLES = 400  # shuffles of the outcome, for the gain by chance
_GAIN_QUANTILE = 0.9  # quantile of these gains that is equalised, high because selected features have high gains
_SAMPLED_FEATURES = 20  # number of numeric features without gaps as a sample of all
_GIVEN_STEPS = 10  # Newton steps of given columns before the first round
_MAX_CHANGE = 5.0  # change of a margin in one of them, so that given columns that separate the classes do not run away
_TOLERANCE = 1e-10  # smaller relative differences of gains are rounding


class Split(NamedTuple):
    """One split: its column, the rows on its lower side, and the decrease of the mean squared residual."""

    column: int
    low: np.ndarray
    gain: float


class Cuts:
    """All possible cuts of the columns of a table, and the feature (p,) of each column.

    worth: (d,) factor of the gains of each feature, by default 1. given: columns for which cut columns are adjusted.
    """

    def __init__(self, table: FeatureTable, worth=None, given: Given | None = None):
        n, d = table.n_rows, table.n_features
        self.n_rows, width = n, max(_BLOCK // n, 1)
        parts = [_sorted_columns(table, np.arange(start, min(start + width, d)), given) for start in range(0, d, width)]
        self.feature = np.concatenate([feature for feature, _, _ in parts])
        self._blocks = [(order, between) for _, order, between in parts if len(order)]
        self._first = np.cumsum([0, *(len(order) for order, _ in self._blocks)])
        below = np.arange(1.0, n)
        self._weight = 1 / (below * (n - below))
        self._worth = None if worth is None else np.asarray(worth)[self.feature]

    def best_split(self, residual, rng) -> Split | None:
        """The split with the largest gain n₁n₂/n² (r̄₁ − r̄₂)², ties broken at random. None if no split has a gain."""
        centred = residual - residual.mean()
        spread = np.mean(centred**2)
        highest = [self._gains(b, centred).max() for b in range(len(self._blocks))]
        gain = max(highest, default=0.0)
        noise = self.n_rows * np.finfo(float).eps
        if spread <= np.finfo(float).eps or gain <= noise**2 * spread:
            return None
        least = gain * (1 - _TOLERANCE)
        blocks = np.flatnonzero(np.array(highest) >= least)
        tied = np.array([(b, *place) for b in blocks for place in np.argwhere(self._gains(b, centred) >= least)])
        columns = self._first[tied[:, 0]] + tied[:, 1]
        owner = self.feature[columns]  # ties are broken among features first, so that many columns give no advantage
        drawn = rng.choice(np.flatnonzero(owner == rng.choice(np.unique(owner))))
        block, row, below = tied[drawn]
        return Split(int(columns[drawn]), self._blocks[block][0][row, : below + 1].astype(np.intp), gain)

    def highest_gains(self, residual, n_features) -> np.ndarray:
        """(n_features,) the largest gain of each feature."""
        gains, centred = np.zeros(n_features), residual - residual.mean()
        for b in range(len(self._blocks)):
            columns = self.feature[self._first[b] : self._first[b + 1]]
            np.maximum.at(gains, columns, self._gains(b, centred).max(axis=1))
        return gains

    def _gains(self, b, centred):
        """(columns, n − 1) gains of a cut after each sorted row of a block, 0 between equal values."""
        order, between = self._blocks[b]
        gains = centred[order]
        gains = np.cumsum(gains, axis=1, out=gains)[:, :-1]
        gains *= gains
        gains *= self._weight
        if between is not None:
            gains *= between
        if self._worth is not None:
            gains *= self._worth[self._first[b] : self._first[b + 1], None]
        return gains


def gain_factors(table, y, rng, given=None) -> np.ndarray | None:
    """(d,) factors of the gains of each feature, 1 except for categories and numbers with few values or gaps. None without these.

    Categories have one cut per level, numbers one between any two values. With these factors,
    the 90% quantile of the best gain for unrelated outcomes is the same for every feature. See `chance_adjusted`.
    """
    differs = has_few_cuts(table)
    if not differs.any():
        return None
    others = np.flatnonzero(~differs)
    others = others[np.linspace(0, len(others) - 1, min(len(others), _SAMPLED_FEATURES)).astype(int)]  # evenly spread
    some = np.sort(np.append(np.flatnonzero(differs), others))
    part, target = table.columns(some), _loss(y, kind_of_target(y))[0]
    cuts = Cuts(part, given=given)
    gains = [cuts.highest_gains(rng.permutation(target[:, i % target.shape[1]]), len(some)) for i in range(_SHUFFLES)]
    worth = np.ones(table.n_features)
    worth[some] = chance_adjusted(worth[some], np.quantile(gains, _GAIN_QUANTILE, axis=0), part)
    return worth


def _sorted_columns(table, features, given):
    """Feature of each column (p,), its rows in ascending order (p, n), and where neighbours differ (None: everywhere)."""
    design, columns = Design.of(table.columns(features))
    columns = np.ascontiguousarray(columns.T if given is None else given.column_residuals(columns.T))
    order = np.argsort(columns, axis=1, kind="stable")
    between = np.diff(np.take_along_axis(columns, order, axis=1), axis=1) > 0
    return features[design.feature], order.astype(np.min_scalar_type(table.n_rows)), None if between.all() else between


def boosted_splits(cuts: Cuts, y, rounds, rng, given: Given | None = None) -> Iterator[Split]:
    """The splits of gradient boosting, in order (Friedman 2001): each fits the residual, each side takes a Newton step × 0.1.

    Loss: the log-loss for two classes, the multinomial for more (one tree for each class and round), squared error for a number.
    given: columns that are fitted to the residuals of the trees, again after every round.
    """
    kind = kind_of_target(y)
    target, margin, mean = _loss(y, kind)
    damped = LEARNING_RATE * (1 - 1 / target.shape[1] if kind == MORE else 1)  # Friedman's (K − 1)/K
    for _ in range(_GIVEN_STEPS if given is not None else 0):
        _refit_given(given, target, margin, mean, kind)
    for _ in range(rounds):
        fitted = mean(margin)
        residual = target - fitted
        curvature = np.ones_like(fitted) if kind == NUMBER else fitted * (1 - fitted)
        for tree in range(target.shape[1]):
            split = cuts.best_split(residual[:, tree], rng)
            low = np.ones(len(y), dtype=bool)
            if split is not None:
                low = np.zeros(len(y), dtype=bool)
                low[split.low] = True
                yield split
            for side in (low, ~low):
                bend = curvature[side, tree].sum()
                if bend > 1e-150:  # else the probabilities are already 0 and 1, and no step improves them
                    margin[side, tree] += damped * residual[side, tree].sum() / bend
        if given is not None:
            _refit_given(given, target, margin, mean, kind)


def _refit_given(given, target, margin, mean, kind):
    """One Newton step of the given columns and a constant, in the margins (n, trees) of each tree."""
    fitted = mean(margin)
    for tree in range(target.shape[1]):
        curvature = np.ones(len(fitted)) if kind == NUMBER else fitted[:, tree] * (1 - fitted[:, tree])
        hessian = (given.basis.T * curvature) @ given.basis
        step = np.linalg.lstsq(hessian, given.basis.T @ (target[:, tree] - fitted[:, tree]), rcond=None)[0]
        margin[:, tree] += np.clip(given.basis @ step, -_MAX_CHANGE, _MAX_CHANGE)


def _loss(y, kind):
    """Target (n, trees), initial margin (n, trees), and the function from margins to expected targets."""
    from scipy.special import expit, logit, softmax

    if kind == NUMBER:
        scaled = y / np.abs(y).max()
        target = ((scaled - scaled.mean()) / scaled.std())[:, None]
        return target, np.zeros_like(target), np.copy
    if kind == MORE:
        target = (y[:, None] == np.arange(y.max() + 1)).astype(float)
        return target, np.tile(np.log(target.mean(axis=0)), (len(y), 1)), lambda margin: softmax(margin, axis=1)
    target = (y[:, None] == 1).astype(float)
    return target, np.tile(logit(target.mean()), (len(y), 1)), expit
