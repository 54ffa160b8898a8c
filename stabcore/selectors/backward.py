"""Backward elimination: drop one feature after the other from the regression on all, until each remaining one is needed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from stabcore.base.errors import InputError
from stabcore.base.target import NUMBER, TIME, TWO, kind_of_target
from stabcore.data.encoding import Design
from stabcore.selectors.base import MAY, Selector, option
from stabcore.selectors.fair import equivalent_chi2, feature_weights
from stabcore.selectors.final_model import FinalModel, LinearModel
from stabcore.survival.cox import RiskSets

_MAX_STEPS = 60  # largest number of Newton steps
_CONVERGED = 1e-9  # expected decrease of the loss by another step, below which the fit ends
_MIN_STEP = 1e-6  # share of a step, below which it does not help
_MAX_MARGIN_RANGE = 300.0  # range of the margins in Cox regression, beyond which sums of hazards would be 0
_CANDIDATE_FACTOR = 1.1  # features whose approximate tests lie within this factor of the weakest are fitted
_TIE_TOLERANCE = 1e-6  # tests that differ by less are equal, and chance decides
_ROUNDING = 1e-14  # shares of variance left by a model that are rounding
_SEPARATION_LOSS = 1e-2  # loss of a row below which a logistic model knows every outcome


@dataclass
class BackwardElimination(FinalModel, Selector):
    """Backward elimination in logistic, linear or Cox regression (ties by Efron) on standardised columns.

    Each step tests every remaining feature by the likelihood ratio of the models with and without its columns. Among the features
    that meet the criterion, it drops the one with the largest p value. The criterion is χ² < 2 df for AIC. For BIC it is χ² < df
    log(n), where n is the number of rows or of events. For p it is p > `largest_p` (F test in linear regression). k = "free"
    selects the features of the first model that loses none. For a given k, elimination by the largest p value continues until k
    features are left. Scores number the features in the order of removal. importances_: |w| in the model on the selected features,
    or √(Σ w²/p) over several columns. In a study of bootstrap resamples, the selection frequencies are the inclusion frequencies of
    Heinze et al. 2018.

    If features separate the classes, or order all events, likelihood ratios exist and weights do not. A penalty of w²/20000 for
    each weight keeps them finite, and in Cox regression the logarithms of the hazards stay within a range of 300. The penalty
    belongs to the likelihood in every test. One step of Newton's method finds the weakest features (Lawless & Singhal 1978,
    Biometrics 34:318-327). Only these are tested by a fit, and all features before the elimination stops. Given columns are never
    dropped. `fit` raises InputError for fewer rows than columns + 2. Source: Heinze, Wallisch & Dunkler 2018, Biometrical Journal
    60:431-449.
    """

    targets = (TWO, NUMBER, TIME)
    weighs = False
    importances_of_one_k = True
    own_size = MAY
    takes_given = True

    criterion: str = option("AIC", "criterion by which a feature is dropped", choices=("AIC", "BIC", "p"))
    largest_p: float = option(0.05, "for criterion p: features with a larger p value are dropped", low=1e-9, high=1.0)

    def _score(self, table, y, rng, k):
        design, columns = Design.of(table, contrasts=True)
        given = np.empty((0, len(columns))) if self.given is None else self.given.columns
        n, p = len(columns), columns.shape[1] + len(given)
        if n < p + 2:
            raise InputError(
                f"Backward elimination of {p} columns needs at least {p + 2} rows per run, but this run has {n}. Choose fewer "
                "features or another selector."
            )
        regression, unit = _regression(y)
        fit = _Fit.of_all_columns(regression, columns.T, design.feature, given)
        removed, final, chosen = [], None, None
        while len(fit.features):
            weakest, goes = self._next_removal(fit, chosen is None, rng)
            if chosen is None and not goes:
                chosen = fit.features
            if final is None and (chosen is not None if k is None else len(fit.features) <= k):
                final = fit
            removed.append(weakest.feature)
            fit = weakest.fit
        final = fit if final is None else final
        if regression.is_explained(final):
            self.warnings_.append(
                "The selected features separate the outcomes completely. Their weights are kept finite by a penalty."
            )
        self._final_model = LinearModel.of(design, final.columns, [slice(None)], [final.weights], [final.intercept])
        scores, ranked = np.full(table.n_features, np.nan), len(removed) if k else len(final.features)
        scores[removed] = np.arange(1, len(removed) + 1)
        scores[removed[: len(removed) - ranked]] = np.nan
        if k:
            scores[np.setdiff1d(np.arange(table.n_features), design.feature)] = 0
        return scores, unit * feature_weights(final.weights, design.feature[final.columns], table.n_features)

    def _next_removal(self, fit, may_stop, rng):
        """The feature to drop next as a _Tested, and whether the criterion lets it go."""
        order = np.argsort(guess := fit.approximate_strengths())
        close = guess[order] <= guess[order[0]] * _CANDIDATE_FACTOR + _TIE_TOLERANCE
        tested = [fit.removal_test(feature) for feature in fit.features[order[close]]]
        gone = [test for test in tested if self._is_removable(test, fit)]
        if may_stop and not gone:
            tested += [fit.removal_test(feature) for feature in fit.features[order[~close]]]
            gone = [test for test in tested if self._is_removable(test, fit)]
        strengths = np.array([test.strength for test in gone or tested])
        equal = np.flatnonzero(strengths <= strengths.min() + _TIE_TOLERANCE)
        return (gone or tested)[rng.choice(equal) if len(equal) > 1 else equal[0]], bool(gone)

    def _is_removable(self, test, fit):
        if self.criterion == "p":
            return fit.regression.p_value(test.statistic, test.degrees, fit.residual_degrees) > self.largest_p
        return test.statistic < test.degrees * (2 if self.criterion == "AIC" else np.log(fit.regression.size))

    def _final(self, table, codes, chosen, rng):
        return self._final_model


@dataclass(frozen=True)
class _RemovalTest:
    """The test of one feature: its χ² and degrees of freedom, the χ² on 1 degree with the same p value, the fit without it."""

    feature: int
    statistic: float
    degrees: int
    strength: float
    fit: _Fit


@dataclass(frozen=True)
class _Fit:
    """A regression on some columns, then the given ones, and the intercept as the last row where it has one."""

    regression: _Regression
    rows: np.ndarray  # (r, n)
    feature: np.ndarray  # (c,) of each column
    columns: np.ndarray  # (c,) their numbers in the design
    weights_of_rows: np.ndarray  # (r,)
    loss: float  # with the penalty
    covariance: np.ndarray  # (r, r)

    @classmethod
    def of_all_columns(cls, regression, columns, feature, given):
        """The fit to all columns (p, n), and given ones (q, n)."""
        rows = np.vstack([columns, given, np.ones((regression.n_intercepts, columns.shape[1]))])
        return cls._minimum(regression, rows, feature, np.arange(len(feature)), np.zeros(len(rows)))

    @classmethod
    def _minimum(cls, regression, rows, feature, columns, weights):
        """From any weights: Newton's method with halved steps."""
        ridge = np.where(np.arange(len(rows)) < len(rows) - regression.n_intercepts, regression.ridge, 0.0)

        def loss_at(weights):
            return float(regression.loss(weights @ rows) + ridge @ weights**2 / 2)

        if not np.isfinite(loss := loss_at(weights)):
            weights, loss = np.zeros(len(rows)), loss_at(np.zeros(len(rows)))
        for _ in range(_MAX_STEPS):
            slope, hessian = regression.derivatives(rows, weights @ rows)
            covariance = np.linalg.inv(hessian + np.diag(ridge)) if len(rows) else hessian
            gradient = slope + ridge * weights
            step = -covariance @ gradient
            if -(gradient @ step) <= _CONVERGED:
                break
            length = 1.0
            while (after := loss_at(weights + length * step)) > loss + 1e-12 * abs(loss) and length > _MIN_STEP:
                length /= 2
            if length <= _MIN_STEP:
                break
            weights, loss = weights + length * step, after
        return cls(regression, rows, feature, columns, weights, loss, covariance)

    @property
    def features(self):
        """The features in the model, ascending."""
        return np.unique(self.feature)

    @property
    def weights(self):
        """(c,) of the columns."""
        return self.weights_of_rows[: len(self.feature)]

    @property
    def intercept(self):
        return float(self.weights_of_rows[len(self.rows) - self.regression.n_intercepts :].sum())

    @property
    def residual_degrees(self):
        """Degrees of freedom of the residuals."""
        return self.rows.shape[1] - len(self.rows)

    def approximate_strengths(self):
        """(features left,) the χ² on one degree of each by one step of Newton's method from here, at least its own."""
        degrees = np.bincount(self.feature)[self.features]
        moved = self.weights_of_rows + np.array([self._removal_step(feature) for feature in self.features])
        squares = (moved[:, : len(self.rows) - self.regression.n_intercepts] ** 2).sum(axis=1)
        losses = self.regression.loss(moved @ self.rows) + self.regression.ridge * squares / 2
        return self._strengths(self.regression.statistic(losses, self.loss), degrees)

    def removal_test(self, feature):
        """The test of a feature, by the fit without it."""
        remaining = np.append(self.feature != feature, np.ones(len(self.rows) - len(self.feature), dtype=bool))
        keeps = remaining[: len(self.feature)]
        start = (self.weights_of_rows + self._removal_step(feature))[remaining]
        fit = self._minimum(self.regression, self.rows[remaining], self.feature[keeps], self.columns[keeps], start)
        statistic, degrees = float(self.regression.statistic(fit.loss, self.loss)), int((~keeps).sum())
        strength = float(self._strengths(np.array([statistic]), np.array([degrees]))[0])
        return _RemovalTest(int(feature), statistic, degrees, strength, fit)

    def _removal_step(self, feature):
        """(r,) the change of the weights that sets those of a feature to 0, where the loss is a parabola."""
        columns = np.flatnonzero(self.feature == feature)
        if len(columns) == 1:
            return -self.covariance[columns[0]] * (self.weights_of_rows[columns[0]] / self.covariance[columns[0], columns[0]])
        return -np.linalg.solve(self.covariance[np.ix_(columns, columns)], self.weights_of_rows[columns]) @ self.covariance[columns]

    def _strengths(self, statistics, degrees):
        statistics = np.maximum(statistics, 0.0) * self.regression.correction(degrees, self.residual_degrees)
        wide, strengths = degrees > 1, statistics.copy()
        if wide.any():
            strengths[wide] = equivalent_chi2(statistics[wide], degrees[wide])
        return strengths


class _Regression:
    """A kind of regression: its loss and derivatives at margins (n,), tests, and the number of rows or events."""

    n_intercepts = 1
    ridge = 1e-4  # λ of a penalty λ w²/2 that keeps weights finite where the likelihood has no maximum

    def __init__(self, y):
        self.y = y

    @property
    def size(self):
        return len(self.y)

    def loss(self, margins):
        """Sums over the rows of margins (…, n)."""
        raise NotImplementedError

    def derivatives(self, rows, margin):
        """(r,) and (r, r) first and second derivatives of the loss by the weights of rows (r, n)."""
        raise NotImplementedError

    def statistic(self, without, loss):
        """Likelihood ratio χ² of two losses."""
        return 2 * (without - loss)

    def correction(self, degrees, residual_degrees):
        """Factor that makes the statistic of a small table χ² on these degrees, nearly."""
        return 1.0

    def p_value(self, statistic, degrees, residual_degrees):
        from scipy.special import gammaincc

        return float(gammaincc(degrees / 2, max(statistic, 0.0) / 2))

    def is_explained(self, fit):
        """Whether a fit knows every outcome."""
        return False


class _Logistic(_Regression):
    def loss(self, margins):
        return np.logaddexp(0, margins).sum(axis=-1) - margins @ self.y

    def derivatives(self, rows, margin):
        chance = 0.5 + 0.5 * np.tanh(0.5 * margin)
        scaled = rows * np.sqrt(chance * (1 - chance))
        return rows @ (chance - self.y), scaled @ scaled.T

    def is_explained(self, fit):
        return self.loss(fit.weights_of_rows @ fit.rows) < _SEPARATION_LOSS * len(self.y)


class _Linear(_Regression):
    """Half the sum of squares of the residuals."""

    def loss(self, margins):
        return ((margins - self.y) ** 2).sum(axis=-1) / 2

    def derivatives(self, rows, margin):
        return rows @ (margin - self.y), rows @ rows.T

    def statistic(self, without, loss):
        smallest = _ROUNDING * len(self.y)
        return len(self.y) * np.log(np.maximum(without, smallest) / max(loss, smallest))

    def correction(self, degrees, residual_degrees):
        return (residual_degrees + degrees / 2 - 1) / len(
            self.y
        )  # Bartlett 1938, Proceedings of the Cambridge Philosophical Society 34:33-40

    def p_value(self, statistic, degrees, residual_degrees):
        from scipy.special import betainc

        return float(betainc(residual_degrees / 2, degrees / 2, np.exp(-max(statistic, 0.0) / len(self.y))))


class _Cox(_Regression):
    n_intercepts = 0

    def __init__(self, y):
        super().__init__(y)
        self._sets = RiskSets.of(y)

    @property
    def size(self):
        return int(self.y["event"].sum())

    def loss(self, margins):
        eta = margins[..., self._sets.order]
        top = eta.max(axis=-1, keepdims=True)
        too_wide = top[..., 0] - eta.min(axis=-1) > _MAX_MARGIN_RANGE
        if np.any(too_wide):
            return np.where(too_wide, np.inf, self.loss(np.where(too_wide[..., None], 0.0, margins)))
        totals = self._sets.totals(np.exp(eta - top))
        return np.log(totals).sum(axis=-1) + (top[..., 0] * self.size - eta[..., self._sets.event].sum(axis=-1))

    def derivatives(self, rows, margin):
        hazards = self._sets.hazards(margin)
        return rows @ hazards.residual(), hazards.information(rows)


def _regression(y):
    """The regression for a target, and the factor of its weights (numbers are fitted in standard deviations)."""
    kind = kind_of_target(y)
    if kind == TIME:
        return _Cox(y), 1.0
    if kind == NUMBER:
        unit = float(y.std())
        return _Linear((y - y.mean()) / unit), unit
    return _Logistic(y.astype(float)), 1.0
