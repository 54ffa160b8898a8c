"""Sparse linear models: lasso, elastic net, group lasso and componentwise boosting."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from stabcore.base.errors import InputError
from stabcore.base.target import TIME, kind_of_target
from stabcore.base.text import counted
from stabcore.base.validation import group_labels
from stabcore.data.encoding import Design
from stabcore.selections.model_paths import ModelPath
from stabcore.selectors.base import MAY, MORE, NUMBER, TWO, Selector, option, prefix_length, whole_number
from stabcore.selectors.fair import equivalent_chi2, feature_weights
from stabcore.selectors.final_model import FinalModel, LinearModel, SubsetModel
from stabcore.selectors.solvers import penalised
from stabcore.selectors.solvers.penalised import Cox, Logistic, Problem, Squared
from stabcore.selectors.solvers.score_tests import pillai_trace


@dataclass
class PathSelector(FinalModel, Selector):
    """A linear model on standardised columns along falling penalties λ, starting with the empty model.

    The loss is logistic for classes, squared for a number, Cox's partial likelihood for a time to event. A feature is in the model
    if any of its columns has a weight, with more than two classes in any model of a class against the rest. `ranking_` is the order
    of entry (a feature may leave later). `select(k)` is the model with at most k features, as close to k as possible, at its
    smallest λ. `importances_` are ‖w_f‖ over the columns of each feature in that model, for the k given to fit (default `length`);
    `path_` has the models for all k. Features that never enter are not ranked. `predict` uses the model of `importances_`. A
    subclass may define the groups of columns and the share of the lasso.

    The columns of a feature enter together, with the penalty λ √v_f ‖w_f‖, which is λ |w| for a number (v_f = 1). For p_f columns
    v_f = X/x. X = n R² is the χ² of the single feature on its p_f degrees of freedom (at least their median), and x is the value
    with the same p-value on one degree. So the feature enters where a number with the same p-value would. Yuan & Lin 2006 use
    v_f = p_f, the mean of X/x by chance. The feature then enters too late for small k or several classes.
    For weights from a first fit see Wang & Leng 2008, Computational Statistics & Data Analysis 52:5277-5286.

    Given columns have no penalty, and R² is adjusted for them.
    """

    targets = (TWO, MORE, NUMBER, TIME)
    weighs = False
    takes_given = True
    lasso_share = 1.0  # of the penalty (α)
    length: int | None = option(None, "follow the path until more features than this are selected (default: 200, or all)")

    def select(self, k):
        """Sorted indices of the features in the largest model with at most k features."""
        return self._path_features[_path_point(self._path_features, whole_number(k, "k"))]

    def _column_groups(self, table, feature):
        """(p,) numbers of the groups of columns that enter together: those of one feature."""
        return np.unique(feature, return_inverse=True)[1]

    def _score(self, table, y, rng, k):
        length = prefix_length(self.length, k, table.n_features)
        design, columns = Design.of(table, contrasts=True)
        group = self._column_groups(table, design.feature)
        order = np.argsort(group, kind="stable")  # places the columns of a group next to each other
        feature, sizes = design.feature[order], np.unique(group, return_counts=True)[1]
        columns = np.ascontiguousarray(columns.T[order])
        of_targets, unit = losses(y)
        given = None if self.given is None else self.given.columns
        problems = [Problem(columns, loss, sizes, float(self.lasso_share), given=given) for loss in of_targets]
        problems = [replace(problem, weights=_penalty_weights(problem, feature, self.given)) for problem in problems]
        *lots, last = rng.integers(2**63, size=len(problems) + 1)  # one seed each: paths do not affect each other
        paths = [
            self._path_models(problem, feature, length, np.random.default_rng(lot))
            for problem, lot in zip(problems, lots, strict=True)
        ]
        penalties, points = _common_path(paths)
        self._path_features = [_model_features(point, feature) for point in points]
        point = _path_point(self._path_features, k or length)
        self._warn_of_few_features(point, k or self.length or 0)

        def weights(point):
            """The models of a point, and their importances (d,)."""
            models = self._models_before_next(problems, feature, penalties, points, point, np.random.default_rng([last, point]))
            return models, unit * sum(column_norms(model.weights, feature[model.active], table.n_features) for model in models)

        models, importances = weights(point)
        of_models = zip(*((model.active, model.weights, model.intercept) for model in models), strict=True)
        self._final_model = LinearModel.of(design, order, *of_models)
        reached = sorted({len(entered) for entered in self._path_features} - {0})
        closest = {size: _path_point(self._path_features, size) for size in reached if size <= length}
        self.path_ = ModelPath.of(
            {size: self._path_features[point] for size, point in closest.items()},
            [weights(point)[1][self._path_features[point]] for point in closest.values()],
        )
        return _entry_scores(self._path_features, table.n_features), importances

    def _final(self, table, codes, chosen, rng):
        return self._final_model

    def _warn_of_few_features(self, point, k):
        reached = len(self._path_features[point])
        if reached < k:
            self.warnings_.append(f"No model on the path has the {k} requested features. The nearest smaller model has {reached}.")

    def _path_models(self, problem, feature, length, rng):
        """The models of one target, up to the first with more than `length` features."""
        models = []
        try:
            for model in penalised.solution_path(problem, rng):
                models.append(model)
                if len(np.unique(feature[model.active])) > length:
                    break
        except (penalised.NotConverged, np.linalg.LinAlgError):
            self.warnings_.append(
                f"The path of the model stopped at λ = {models[-1].penalty:.3g} with "
                f"{len(models[-1].active)} columns, because the next model did not converge."
            )
        return models

    def _models_before_next(self, problems, feature, penalties, models, point, rng):
        """The models of a point, moved to just before the next one, where the newest feature has gained weight."""
        if point + 1 == len(penalties):
            return models[point]
        penalty = penalties[point] * (penalties[point + 1] / penalties[point]) ** 0.9
        try:
            moved = [
                penalised.solution_at(problem, model, later, penalty, rng)
                for problem, model, later in zip(problems, models[point], models[point + 1], strict=True)
            ]
        except (penalised.NotConverged, np.linalg.LinAlgError):
            return models[point]
        return moved if np.array_equal(_model_features(moved, feature), self._path_features[point]) else models[point]


@dataclass
class Lasso(PathSelector):
    """The lasso: min mean loss + λ Σ_f √v_f ‖w_f‖, |w| for a number. See PathSelector for v_f, ranking, choice and importance.

    Tibshirani 1996, JRSS B 58:267-288.
    """


def losses(y):
    """The loss of each target to fit (numbers in standard deviations), and the factor of the weights."""
    kind = kind_of_target(y)
    if kind == TIME:
        return [Cox(y)], 1.0
    if kind == NUMBER:
        centred = y - y.mean()
        unit = centred.std()
        return [Squared(centred / unit)], unit
    classes = range(1, 2) if kind == TWO else range(y.max() + 1)
    return [Logistic((y == c).astype(float)) for c in classes], 1.0


def column_norms(weights, feature, n_features) -> np.ndarray:
    """(n_features,) √Σw² over the columns of each feature.

    |w| of a number, for a category the standard deviation of its contribution.
    """
    return np.sqrt(np.bincount(feature, weights=np.square(weights), minlength=n_features))


def _penalty_weights(problem, feature, given):
    """(G,) weight of each group in the penalty, Σ over its features of v_f (see PathSelector). None if that equals its `sizes`."""
    columns, sizes = problem.columns, problem.sizes
    present, first, width = np.unique(feature, return_index=True, return_counts=True)
    wide = width > 1
    if not wide.any():
        return None
    from scipy.special import gammaincinv

    free = penalised.unpenalised_weights(problem, np.random.default_rng(0))  # no random numbers if no column is penalised
    rest = -problem.loss.residual(free @ problem.free if len(free) else np.zeros(columns.shape[1]))
    if given is None:
        statistic = np.bincount(feature, weights=(columns @ rest) ** 2)[present][wide] / (rest @ rest)
    else:
        parts = [given.column_residuals(columns[feature == f]) for f in present[wide]]
        statistic = len(rest) * np.array([pillai_trace(part, rest[None]) for part in parts])
    usual = 2 * gammaincinv(width[wide] / 2, 0.5)
    statistic = np.maximum(statistic, usual)
    worth = np.ones(len(present))
    worth[wide] = statistic / equivalent_chi2(statistic, width[wide])
    return np.bincount(problem.group[first], weights=worth, minlength=len(sizes))


def _common_path(paths):
    """All penalties that every path reaches, in falling order, and the model of each path at each penalty."""
    floor = max(models[-1].penalty for models in paths)
    penalties = sorted({model.penalty for models in paths for model in models if model.penalty >= floor}, reverse=True)
    reached = [np.searchsorted([-model.penalty for model in models], np.negative(penalties), side="right") for models in paths]
    return penalties, [
        [models[max(count[i] - 1, 0)] for models, count in zip(paths, reached, strict=True)] for i in range(len(penalties))
    ]


def _model_features(models, feature):
    return np.unique(feature[np.concatenate([model.active for model in models])])


def _path_point(sets, k):
    """The last point of the first stretch of the path with the most features up to k."""
    sizes = np.array([len(entered) for entered in sets])
    same = sizes == sizes[sizes <= k].max()
    first = int(same.argmax())
    ends = np.flatnonzero(~same[first:])
    return first + int(ends[0]) - 1 if len(ends) else len(sets) - 1


def _entry_scores(sets, n_features):
    """Scores −1, −2, … in the order of entry, equal for features that enter together, NaN for those that never do."""
    scores, entries = np.full(n_features, np.nan), 0
    for entered in sets:
        new = entered[np.isnan(scores[entered])]
        entries += len(new) > 0
        scores[new] = -entries
    return scores


@dataclass
class ElasticNet(PathSelector):
    """The elastic net: min mean loss + λ₁ (λ₂ Σ_f √v_f ‖w_f‖ + (1 − λ₂) Σw²/2), λ₁ falling. See PathSelector.

    Zou & Hastie 2005, JRSS B 67:301-320. The two λ are as in Hamer & Dupont 2021, with the squared length in the ridge part.
    """

    lasso_share: float = option(
        0.5, "share of the lasso in the penalty (λ₂): 1 is the lasso, less keeps correlated features together", low=0.01, high=1.0
    )


@dataclass
class GroupLasso(PathSelector):
    """The group lasso: min mean loss + λ Σ_g √v_g ‖w_g‖₂, v_g = Σ v_f over the features of group g.

    See PathSelector. v_g is the number of features if they are numbers. A feature without a group is a separate group. So is every
    feature if no groups are given, with a warning. The features of a group share one score. `select(k)` takes whole groups with at
    most k features in all, none if the first group is larger. `fit` raises InputError for unknown features and for a feature in two
    groups. Yuan & Lin 2006, JRSS B 68:49-67. For the logistic loss: Meier, van de Geer & Bühlmann 2008, JRSS B 70:53-71.
    """

    groups: dict | None = option(
        None,
        "features that enter together: a name for each group and its features. Other features are separate groups",
        kind="groups",
    )

    def _column_groups(self, table, feature):
        groups = self.groups or {}
        if not isinstance(groups, Mapping) or any(isinstance(members, str) for members in groups.values()):
            raise InputError(
                "groups must give each group a name and a list of features, for example "
                "{'liver': ['ALT', 'AST'], 'kidney': ['creatinine']}."
            )
        if not groups:
            self.warnings_.append(
                "No groups were given, so every feature was a separate group. Define groups of features for this selector."
            )
        labels = group_labels(groups, table.features, table.n_features)
        alone = len(labels) + np.arange(len(labels))
        return np.unique(np.where(labels < 0, alone, labels)[feature], return_inverse=True)[1]

    def _warn_of_few_features(self, point, k):
        larger = next((len(entered) for entered in self._path_features if len(entered) > 0), 0)
        if larger > k > 0:
            self.warnings_.append(
                f"The first group to enter has {larger} features, more than the {k} requested. Nothing is "
                "selected. Increase k, or make the groups smaller."
            )
        elif len(self._path_features[-1]) < k:
            super()._warn_of_few_features(point, k)


_TIE_TOLERANCE = 1e-9  # relative tolerance of ties between columns, which are broken at random


@dataclass
class GLMBoosting(FinalModel, Selector):
    """Componentwise boosting: each round fits each feature to the negative gradient and moves by ν along the best.

    Columns are standardised, and a constant competes with them. A feature of p columns is one ridge fit with the degrees of freedom
    of a number, tr(2S − SᵀS) = 1: (1 − √(1 − 1/p)) of the least-squares fits b of its uncorrelated columns, the best by Σ b²/p
    (Hofner et al. 2011, Journal of Computational and Graphical Statistics 20:956-971). Classes have the logistic loss (each class
    against the rest if there are more than two), numbers the squared loss, a time to event Cox's partial likelihood. The model
    itself determines the number of used features. Score and importance are √(Σ w²/p), |w| for a number (in log-odds, in units of
    the target, or in logarithms of the hazard, for one standard deviation). Features that were never the best are not ranked.
    `select(k)` takes the k largest, or fewer if fewer are ranked. Given columns are an offset, which is fitted again after every
    round (Boulesteix & Hothorn 2010, BMC Bioinformatics 11:78, fit it once). Bühlmann & Hothorn 2007, Statistical Science
    22:477-505.
    """

    targets = (TWO, MORE, NUMBER, TIME)
    own_size = MAY
    takes_given = True
    rounds: int = option(100, "number of boosting steps. Fewer steps make a smaller model")
    step: float = option(0.1, "step length (ν)", low=1e-4, high=1.0)

    def _score(self, table, y, rng, k):
        _, importances = self.fitted_model(table, y, rng)
        reached = int(np.count_nonzero(importances))
        if reached < (k or 0):
            self.warnings_.append(
                f"Boosting used {counted(reached, 'feature')} in {counted(self.rounds, 'round')}, not the "
                f"{k} requested. More rounds may add features."
            )
        return np.where(importances > 0, importances, np.nan), importances

    def fitted_model(self, table, y, rng):
        """(the model after all rounds, its importances (d,))."""
        design, columns = Design.of(table, contrasts=True)
        columns = np.vstack([columns.T, np.ones(table.n_rows)])
        learner = np.unique([*design.feature, table.n_features], return_inverse=True)[1]
        of_targets, unit = losses(y)
        given = None if self.given is None else self.given.columns
        coefficients = np.array(
            [boosted_weights(columns, loss, self.rounds, self.step, rng, learner, given) for loss in of_targets]
        )
        weights, intercepts = coefficients[:, :-1], coefficients[:, -1] + [loss.intercept() for loss in of_targets]
        importances = unit * sum(feature_weights(weight, design.feature, table.n_features) for weight in weights)
        return LinearModel(design, weights, intercepts), importances

    def _final(self, table, codes, chosen, rng):
        return SubsetModel(self.fitted_model(table.columns(chosen), codes, rng)[0], chosen)


def boosted_weights(columns, loss, rounds, step, rng, learner=None, given=None) -> np.ndarray:
    """Weights (p,) after some rounds. columns: (p, n) of mean square 1. learner: (p,) number of the feature of each column.

    given: (q, n) columns without a step, fitted again after every round.
    """
    alone = learner is None or np.array_equal(learner, np.arange(len(columns)))
    width: Any = 1 if alone else np.bincount(learner)
    weights, margin = np.zeros(len(columns)), np.full(columns.shape[1], loss.intercept())
    if given is not None:
        offset = Problem(columns[:0], loss, np.empty(0, dtype=int), given=given)
        margin = penalised.unpenalised_weights(offset, rng) @ offset.free
    for _ in range(rounds):
        fits = columns @ -loss.residual(margin) / len(margin)
        size = np.abs(fits) if alone else np.sqrt(np.bincount(learner, weights=fits**2) / width)
        equal = np.flatnonzero(size >= size.max() * (1 - _TIE_TOLERANCE))
        best = equal[0] if len(equal) == 1 else rng.choice(equal)
        if alone:
            moved = step * loss.boosting_scale * fits[best]
            margin = margin + moved * columns[best]
        else:
            best, shrunk = learner == best, 1 - np.sqrt(1 - 1 / width[best])
            moved = step * loss.boosting_scale * shrunk * fits[best]
            margin = margin + moved @ columns[best]
        weights[best] += moved
        if given is not None:  # one Newton step, because a round moves little
            gradient = offset.free @ offset.residual(margin)
            margin = margin - np.linalg.lstsq(loss.hessian(offset.free, margin), gradient, rcond=None)[0] @ offset.free
    return weights
