"""Selectors from linear models: the features that a penalised model keeps."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from stabcore.data.encoding import Design
from stabcore.selectors.base import MORE, NUMBER, TWO, Selector, option, prefix_length, whole
from stabcore.selectors.fair import as_likely
from stabcore.selectors.final_model import FinalModel, LinearModel
from stabcore.selectors.model_paths import ModelPath
from stabcore.selectors.solvers import lasso_path
from stabcore.selectors.solvers.loss import Logistic, Squared
from stabcore.selectors.solvers.penalised import Problem


@dataclass
class PathSelector(FinalModel, Selector):
    """A linear model on standardised columns whose penalty λ falls from where nothing is in; features come in one by one.

    The loss is logistic for classes, squared for a number. A feature is in when any of its columns has a weight, for any
    class against the rest when there are more than two. `ranking_` is the order of entry (a feature may leave again
    later); `select(k)` is the model with at most k features, as close to k as the path gets, at its smallest λ;
    `importances_` are ‖w_f‖ over the columns of each feature in that model, for the k given to fit (or `length`); `path_` has
    the models of every other k as well. Features that never enter are not ranked. `predict` asks that model; for more than
    two classes, each against the rest. A subclass says which columns come together and how they are penalised.

    The columns of a feature come in together, at a penalty of λ √v_f ‖w_f‖: λ |w| for a number, whose v_f is 1. For p_f columns
    v_f = X/x, where X = n R² is the χ² of the feature alone on its p_f degrees of freedom (at least their median), and x what
    chance exceeds as often on one: the feature comes in first where a number as likely with no signal would. Yuan & Lin 2006 have
    v_f = p_f, the mean of X/x under chance, at which it comes in too late where few features are wanted or the classes are several;
    weights from a first fit: Wang & Leng 2008, Computational Statistics & Data Analysis 52:5277-5286.
    """

    targets = (TWO, MORE, NUMBER)
    weighs = False
    length: int | None = option(None, "follow the path until more features than this are in (by default 200, or all)")

    def select(self, k):
        """Sorted indices of the features in the model that comes closest to k without passing it."""
        return self._sets[_closest(self._sets, whole(k, "k"))]

    def _groups(self, table, feature):
        """(p,) numbers of the groups of columns that enter together, and α, the share of the penalty that leaves out."""
        raise NotImplementedError

    def _score(self, table, y, rng, k):
        length = prefix_length(self.length, k, table.n_features)
        design, columns = Design.of(table, contrasts=True)
        group, share = self._groups(table, design.feature)
        order = np.argsort(group, kind="stable")    # the columns of a group next to each other
        feature, sizes = design.feature[order], np.unique(group, return_counts=True)[1]
        columns = np.ascontiguousarray(columns.T[order])
        loss, targets, unit = losses(y)
        problems = [Problem(columns, target, loss, sizes, share, _penalty_weights(columns, target, feature, sizes))
                    for target in targets]
        *lots, last = rng.integers(2**63, size=len(problems) + 1)       # of each its own: how far one goes moves no other
        penalties, points = _side_by_side([self._follow(problem, feature, length, np.random.default_rng(lot))
                                           for problem, lot in zip(problems, lots, strict=True)])
        self._sets = [_features(point, feature) for point in points]
        at = _closest(self._sets, k or length)
        self._say_what_is_missing(at, k or self.length or 0)

        def weights(at):
            """The models of a point, and the importances (d,) that they give."""
            models = self._least_shrunk(problems, feature, penalties, points, at, np.random.default_rng([last, at]))
            return models, unit * sum(lengths(model.weights, feature[model.active], table.n_features) for model in models)

        models, importances = weights(at)
        self._final_model = LinearModel.of(design, order, [model.active for model in models], [model.weights for model in models],
                                           [model.intercept for model in models])
        sizes = sorted({len(entered) for entered in self._sets} - {0})
        kept = {size: _closest(self._sets, size) for size in sizes if size <= length}
        self.path_ = ModelPath.of({size: self._sets[one] for size, one in kept.items()},
                                  [weights(one)[1][self._sets[one]] for one in kept.values()])
        return _entry_scores(self._sets, table.n_features), importances

    def _final(self, table, codes, chosen, rng):
        return self._final_model

    def _say_what_is_missing(self, at, asked):
        reached = len(self._sets[at])
        if reached < asked:
            self.warnings_.append(f"No model on the path has the {asked} features asked for; the nearest with fewer has {reached}.")

    def _follow(self, problem, feature, length, rng):
        """The models of one target, up to the first with more than `length` features."""
        models = []
        try:
            for model in lasso_path.path(problem, rng):
                models.append(model)
                if len(np.unique(feature[model.active])) > length:
                    break
        except (lasso_path.NotConverged, np.linalg.LinAlgError):
            self.warnings_.append(f"The path of the model stopped at λ = {models[-1].penalty:.3g} with "
                                  f"{len(models[-1].active)} columns: the next model did not converge.")
        return models

    def _least_shrunk(self, problems, feature, penalties, models, at, rng):
        """The models of a point, moved down to just before the next, where the newest feature has gained weight."""
        if at + 1 == len(penalties):
            return models[at]
        penalty = penalties[at] * (penalties[at + 1] / penalties[at]) ** 0.9
        try:
            moved = [lasso_path.between(problem, model, later, penalty, rng)
                     for problem, model, later in zip(problems, models[at], models[at + 1], strict=True)]
        except (lasso_path.NotConverged, np.linalg.LinAlgError):
            return models[at]
        return moved if np.array_equal(_features(moved, feature), self._sets[at]) else models[at]


@dataclass
class Lasso(PathSelector):
    """The lasso: min mean loss + λ Σ_f √v_f ‖w_f‖, |w| for a number. See PathSelector for v_f, ranking, choice and importance.

    Tibshirani 1996, JRSS B 58:267-288.
    """

    def _groups(self, table, feature):
        return np.unique(feature, return_inverse=True)[1], 1.0


def losses(y):
    """The loss, the targets that it is fitted to (a number in standard deviations), and what a weight is to be times."""
    if y.dtype.kind == "f":
        centred = y - y.mean()
        unit = centred.std()
        return Squared, [centred / unit], unit
    classes = range(1, 2) if y.max() == 1 else range(y.max() + 1)
    return Logistic, [(y == c).astype(float) for c in classes], 1.0


def lengths(weights, feature, n_features) -> np.ndarray:
    """(n_features,) √Σw² over the columns of each feature: |w| of a number, the standard deviation of what a category adds."""
    return np.sqrt(np.bincount(feature, weights=np.square(weights), minlength=n_features))


def _penalty_weights(columns, target, feature, sizes):
    """(G,) what each group counts in the penalty, Σ over its features of v_f (see PathSelector); None where that is `sizes`."""
    of_group = np.repeat(np.arange(len(sizes)), sizes)
    present, first, width = np.unique(feature, return_index=True, return_counts=True)
    many = width > 1
    if not many.any():
        return None
    from scipy.special import gammaincinv

    rest = target - target.mean()
    statistic = np.bincount(feature, weights=(columns @ rest) ** 2)[present] / (rest @ rest)
    usual = 2 * gammaincinv(width[many] / 2, 0.5)
    statistic = np.maximum(statistic[many], usual)
    worth = np.ones(len(present))
    worth[many] = statistic / as_likely(statistic, width[many])
    return np.bincount(of_group[first], weights=worth, minlength=len(sizes))


def _side_by_side(paths):
    """Every penalty that all paths reach, falling, and the model of each path there."""
    floor = max(models[-1].penalty for models in paths)
    penalties = sorted({model.penalty for models in paths for model in models if model.penalty >= floor}, reverse=True)
    reached = [np.searchsorted([-model.penalty for model in models], np.negative(penalties), side="right")
               for models in paths]
    return penalties, [[models[max(count[i] - 1, 0)] for models, count in zip(paths, reached, strict=True)]
                       for i in range(len(penalties))]


def _features(models, feature):
    return np.unique(feature[np.concatenate([model.active for model in models])])


def _closest(sets, k):
    """Where the path has as many features as it gets without passing k: the last point of the first such stretch."""
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
