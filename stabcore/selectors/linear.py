"""Selectors from linear models: the features that a penalised model keeps."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from stabcore.encoding import Design
from stabcore.selectors import lasso_path
from stabcore.selectors.base import Selector, option, prefix_length, whole


@dataclass
class Lasso(Selector):
    """L1-penalised logistic regression on standardised columns: min mean log-loss + λ Σ|w|, λ falling from λ_max.

    A feature is in when any of its columns has a weight, for any class against the rest when there are more than two.
    `ranking_` is the order of entry (a feature may leave again later); `select(k)` is the model with at most k
    features, as close to k as the path gets, at its smallest λ; `importances_` are Σ|w| over the columns of each
    feature in that model, for the k given to fit (or `length`). Features that never enter are not ranked.
    """

    length: int | None = option(None, "follow the path until more features than this are in (by default 200, or all)")

    def select(self, k):
        """Sorted indices of the features in the model that comes closest to k without passing it."""
        return self._sets[_closest(self._sets, whole(k, "k"))]

    def _score(self, table, codes, rng, k):
        length = prefix_length(self.length, k, table.n_features)
        design = Design.learn(table)
        columns = np.ascontiguousarray(design.transform(table).T)
        classes = range(1, 2) if codes.max() == 1 else range(codes.max() + 1)
        targets = [(codes == c).astype(float) for c in classes]
        paths = [self._follow(columns, target, design.feature, length, rng) for target in targets]
        penalties, models = _side_by_side(paths)
        self._sets = [_features(point, design.feature) for point in models]
        at = _closest(self._sets, k or length)
        best = self._least_shrunk(columns, targets, design.feature, penalties, models, at, rng)
        weights = np.zeros(len(columns))
        for model in best:
            weights[model.active] += np.abs(model.weights)
        if len(self._sets[at]) < (k or self.length or 0):
            self.warnings_.append(f"The lasso path comes to {len(self._sets[at])} features at most, "
                                  f"not to the {k or self.length} asked for.")
        return _entry_scores(self._sets, table.n_features), design.total(weights, table.n_features)

    def _follow(self, columns, target, feature, length, rng):
        """The models of one class against the rest, up to the first with more than `length` features."""
        models = []
        try:
            for model in lasso_path.path(columns, target, rng):
                models.append(model)
                if len(np.unique(feature[model.active])) > length:
                    break
        except (lasso_path.NotConverged, np.linalg.LinAlgError):
            self.warnings_.append(f"The lasso path stopped at λ = {models[-1].penalty:.3g} with "
                                  f"{len(models[-1].active)} columns: the next model did not converge.")
        return models

    def _least_shrunk(self, columns, targets, feature, penalties, models, at, rng):
        """The models of a point, moved down to just before the next, where the newest feature has gained weight."""
        if at + 1 == len(penalties):
            return models[at]
        penalty = penalties[at] * (penalties[at + 1] / penalties[at]) ** 0.9
        try:
            moved = [lasso_path.solve(columns, target, lasso_path.Model(penalty, m.intercept, m.active, m.weights), rng)
                     for target, m in zip(targets, models[at], strict=True)]
        except (lasso_path.NotConverged, np.linalg.LinAlgError):
            return models[at]
        return moved if np.array_equal(_features(moved, feature), self._sets[at]) else models[at]


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
    sizes = np.array([len(found) for found in sets])
    same = sizes == sizes[sizes <= k].max()
    first = int(same.argmax())
    ends = np.flatnonzero(~same[first:])
    return first + int(ends[0]) - 1 if len(ends) else len(sets) - 1


def _entry_scores(sets, n_features):
    """Scores −1, −2, … in the order of entry, equal for features that enter together, NaN for those that never do."""
    scores, entries = np.full(n_features, np.nan), 0
    for found in sets:
        new = found[np.isnan(scores[found])]
        entries += len(new) > 0
        scores[new] = -entries
    return scores
