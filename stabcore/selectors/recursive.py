"""Recursive elimination: fit a linear model and drop the weakest features, round by round.

The columns of a feature are kept or dropped together. Constant features are not used and come last. Given columns are never
dropped and have hardly any penalty. Features enter as residuals on them (see selectors.given.adjusted).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from stabcore.classifiers.catalog import FREE_PENALTY, SupportVectorMachine
from stabcore.data.encoding import Design
from stabcore.selectors.base import TWO, Selector, descending_order, option, ranking
from stabcore.selectors.fair import feature_weights, mean_squares
from stabcore.selectors.final_model import FinalModel, LinearModel
from stabcore.selectors.given import adjusted_columns
from stabcore.selectors.solvers.dual_linear import RemainingColumns, logistic_weights, svm_weights
from stabcore.selectors.solvers.penalised import Logistic
from stabcore.selectors.univariate import Variance, WelchT

_GIVEN_FACTOR = FREE_PENALTY**-0.5  # factor of the given columns, which makes their penalty FREE
_STRENGTH_DIGITS = 12  # digits of a strength relative to the largest. Later digits are rounding


@dataclass
class SVM(FinalModel, Selector):
    """Support vector machine on standardised columns: min ‖w‖²/2 + cost Σ max(0, 1 − y(w·x + b)), with an unpenalised intercept b.

    Score and importance: w², its mean over the columns of a feature (so that more columns give no advantage), summed over pairs of
    classes if there are more than two. The SVMONE of Kalousis et al. 2005.
    """

    takes_given = True

    cost: float = option(0.5, "cost of a row on the wrong side (C)", low=1e-6, high=1e6)

    def _score(self, table, codes, rng, k):
        columns = _varying_columns(table, self.given)
        if not len(columns.features):
            return np.zeros(table.n_features), np.zeros(table.n_features)
        squares = _svm_squares(columns, codes, self.cost, table.n_features)
        return _relative_strengths(np.sqrt(squares)) ** 2 * squares.max(), squares

    def _learner(self):
        return SupportVectorMachine("linear", self.cost)


@dataclass
class SVMRFE(FinalModel, Selector):
    """Recursive elimination with the support vector machine (Guyon et al. 2002): see `SVM` for the model.

    Each round drops `share` of the remaining features, rounded down, at least one, with the lowest w², down to the
    last. Scores number the features in the order of removal, within a round by w². The k best are those left when a round
    stops at exactly k. importances_: w² in the model on the k features (the k given to fit, or all).
    """

    weighs = False
    importances_of_one_k = True
    takes_given = True

    share: float = option(0.1, "share of the remaining features that each round drops, 0 for one feature per round", high=0.9)
    cost: float = option(0.5, "cost of a row on the wrong side (C)", low=1e-6, high=1e6)

    def _score(self, table, codes, rng, k):
        def strengths(columns):
            return _svm_squares(columns, codes, self.cost, table.n_features)

        scores, importances = np.zeros(table.n_features), np.zeros(table.n_features)
        columns, k_wanted = _varying_columns(table, self.given), k or table.n_features
        for stage in _elimination_rounds(columns, strengths, self.share, rng):
            scores[stage.order] = stage.rank_scores()
            if stage.is_last_for(k_wanted):
                importances = strengths(_scaled_columns(columns, np.ones(table.n_features), stage.order[:k_wanted]))
        return scores, importances

    def _learner(self):
        return SupportVectorMachine("linear", self.cost)


@dataclass
class LogisticRFE(FinalModel, Selector):
    """Recursive elimination with logistic regression: min Σ log(1 + exp(−y(w·x + b))) + penalty ‖w‖², b unpenalised.

    On standardised columns. Each round drops `share` of the remaining features, rounded down, at least one, with the
    lowest |w| (of several columns √(Σ w²/p)), down to the last. Scores number the features in the order of removal, within a round
    by |w|: the k best are those left when a round stops at exactly k. importances_: |w| in the final model, on the k features
    (the k given to fit, or all) with the penalty `final_penalty`. frequency_scores_ (d,): sc_f of equation 15 for these k, near
    1 if a feature was never close to being dropped, NaN for the others. Source: Hamer & Dupont 2021, Algorithm 1 with N = 0. The
    norm is squared here, as in any ridge penalty.
    """

    targets = (TWO,)
    weighs = False
    importances_of_one_k = True
    takes_given = True

    penalty: float = option(1.0, "penalty while features are dropped (λ)", low=1e-4, high=1e6)
    final_penalty: float = option(1.0, "penalty in the final model (λ_f)", low=1e-4, high=1e6)
    share: float = option(0.2, "share of the remaining features that each round drops, 0 for one feature per round", high=0.9)

    def _score(self, table, codes, rng, k):
        return self._eliminate(table, codes, rng, k)

    def _eliminate(self, table, codes, rng, k, forced=(), shrinkage=1.0, contrast=0.0):
        """Scores and importances (d,).

        The `forced` features, best first, stay to the end, with their weights times shrinkage in the penalty. The squared weight of
        a feature with the frequency score s counts 1 + contrast (1 − s) times in the final penalty.
        """
        d, start = table.n_features, None
        design, factor, k_wanted = _varying_columns(table, self.given), np.ones(d), k or table.n_features
        factor[list(forced)] = shrinkage

        def strengths(columns):
            nonlocal start
            weights, start = logistic_weights(columns, codes, self.penalty, start)
            return feature_weights(weights, columns.feature, d)[:d] / factor

        scores, importances, closeness = np.zeros(d), np.zeros(d), np.ones(d)
        self._weights, self.frequency_scores_ = (np.empty(0), Logistic(codes).intercept()), np.full(d, np.nan)
        for stage in _elimination_rounds(
            _scaled_columns(design, 1 / factor) if len(forced) else design, strengths, self.share, rng, forced
        ):
            scores[stage.order] = stage.rank_scores()
            if stage.is_last_for(k_wanted):
                best, scale = stage.order[:k_wanted], np.zeros(d)
                frequency = closeness[best] * stage.closeness(len(best)) * stage.n_features / len(best)
                self.frequency_scores_[best] = frequency
                scale[best] = 1 / np.sqrt(1 + contrast * np.maximum(1 - frequency, 0))
                final = _scaled_columns(design, scale, best)
                weights, (_, intercept, _) = logistic_weights(final, codes, self.final_penalty)
                self._weights = weights * np.append(scale, 1)[final.feature], intercept
                importances = feature_weights(self._weights[0], final.feature, d)[:d]
            closeness[stage.order[: stage.n_kept]] *= stage.closeness(stage.n_kept)
        return scores, importances

    def _final(self, table, codes, chosen, rng):
        (design, _), (weights, intercept) = Design.of(table, contrasts=True), self._weights
        columns = np.flatnonzero(np.isin(design.feature, chosen))
        return LinearModel.of(design, columns, [slice(None)], [weights], [intercept])


@dataclass
class HybridRFE(LogisticRFE):
    """Logistic RFE that always keeps the best features of a univariate criterion.

    The criterion is mix · |Welch's t| + (1 − mix) · variance in the units of the table, each scaled to 0 … 1 over the features. A
    category has no unit, so only t counts (unless mix is 0). The `forced` best features are never dropped and rank first, in this
    order. During elimination their weights count `shrinkage` times in the penalty λ Σ (β_f w_f)². In the final model the penalty is
    λ_f Σ (1 + contrast (1 − s_f)) w_f², with the frequency score s_f = |F₀|/|F_k| Π_s (|F_s| − r_f(s) + 1)/(|F_{s−1}| − r_f(s) + 1)
    over the rounds s up to k features, where r_f(s) is the rank in round s. Source: Hamer & Dupont 2021, Algorithm 1,
    equations 15 and 16.
    """

    forced: int = option(5, "number of features that the filter keeps (N)", low=0)
    mix: float = option(0.5, "weight of Welch's t against the variance in this filter", high=1.0)
    shrinkage: float = option(
        0.5, "penalty of these features relative to the others while features are dropped (ε)", low=0.01, high=1.0
    )
    contrast: float = option(0.0, "extra penalty in the final model for features that were nearly dropped (α)", high=1e6)

    def _score(self, table, codes, rng, k):
        self.warnings_ += filter(None, [self.remark(k or table.n_features)])
        forced = self._filter_order(table, codes, rng)[: self.forced] if self.forced else ()
        return self._eliminate(table, codes, rng, k, forced, self.shrinkage, self.contrast)

    def remark(self, k) -> str:
        """A warning if the filter alone decides, because at least k features are forced."""
        if self.forced < k:
            return ""
        return (
            f"Hybrid RFE keeps {self.forced} features by its filter, and {k} are selected. Recursive elimination then has "
            "no effect. Keep fewer (N < k)."
        )

    def _filter_order(self, table, codes, rng):
        """The features that vary, best first."""
        given = None if self.given is None else self.given.table
        by_t, by_variance = WelchT().fit(table, codes, rng=rng, given=given), Variance().fit(table, codes, rng=rng)
        self.warnings_ += [sentence for sentence in by_t.warnings_ if sentence not in self.warnings_]
        telling, varying = _unit_scaled(by_t.scores_), _unit_scaled(by_variance.scores_)
        criterion = self.mix * telling + (1 - self.mix) * varying
        if self.mix > 0:
            criterion = np.where(table.categorical, telling, criterion)
        order = np.argsort(ranking(criterion, rng))
        return order[np.isin(order, Design.learn(table).feature)]


class _Round(NamedTuple):
    """One round: the remaining features, best first, and the number that stay."""

    order: np.ndarray  # (features left,)
    keys: np.ndarray  # (features left,) falling, equal where the order is random
    n_kept: int
    n_features: int  # at the start

    def is_last_for(self, k):
        """Whether this is the last round if exactly k features are to remain."""
        return self.n_kept < k <= len(self.order) or (len(self.order) == self.n_features <= k)

    def rank_scores(self):
        """The number of features that each of `order` exceeds or equals. In later rounds the remaining ones rank above these."""
        first = np.searchsorted(-self.keys, -self.keys)
        places = np.arange(len(self.order))
        return self.n_features - np.where(places < self.n_kept, first, np.maximum(first, self.n_kept))

    def closeness(self, left):
        """(left,) factors of the frequency score, near 1 at the top and small for features dropped next."""
        places = np.arange(left)
        return (left - places) / (len(self.order) - places)


def _elimination_rounds(columns, strengths_of, share, rng, forced=()) -> Iterator[_Round]:
    """The rounds of an elimination, to the last feature that is not forced. They do not depend on k.

    The k best of a round that ends with fewer than k are those left by a stop at k.
    """
    features = columns.features
    total, left = len(features), features
    fewest = max(len(forced), 1)
    while len(left):
        keys = _relative_strengths(strengths_of(columns))
        keys[list(forced)] = 1 + np.arange(len(forced), 0, -1)
        order = left[descending_order(keys[left], rng)]
        stay = len(order) - max(int(share * len(order)), 1)
        stay = max(stay, fewest) if len(order) > fewest else 0
        yield _Round(order, keys[order], stay, total)
        columns.drop(order[stay:])
        left = np.sort(order[:stay])


def _varying_columns(table, given):
    """The columns of all features that vary, and, as those of one more feature, the given ones."""
    design, columns = Design.of(table, contrasts=True)
    feature = np.append(design.feature, np.full(0 if given is None else len(given.columns), table.n_features)).astype(int)
    return RemainingColumns(adjusted_columns(columns, given, _GIVEN_FACTOR).T, feature, table.n_features)


def _scaled_columns(columns, factor, features=None):
    """The columns of some features, by default all, times the factor (d,) of their feature."""
    chosen = slice(None) if features is None else np.isin(columns.feature, np.append(features, columns.n_features))
    feature = columns.feature[chosen]
    return RemainingColumns(columns.values[chosen] * np.append(factor, 1)[feature][:, None], feature, columns.n_features)


def _svm_squares(columns, codes, cost, n_features):
    """(n_features,) squared weights in the support vector machine, summed over pairs of classes, their mean over columns."""
    return mean_squares(np.sum(svm_weights(columns, codes, cost) ** 2, axis=0), columns.feature, n_features)[:n_features]


def _relative_strengths(strengths):
    """Strengths divided by the largest, rounded so that rounding differences become ties."""
    return np.round(strengths / (strengths.max() or 1), _STRENGTH_DIGITS)


def _unit_scaled(values):
    low, high = values.min(), values.max()
    return (values / high - low / high) / (1 - low / high) if low < high else np.zeros(len(values))
