"""Predictions of the final model of a selector for new rows, from the selected features only."""

from copy import deepcopy
from dataclasses import dataclass
from typing import Any

import numpy as np

from stabcore.base.errors import InputError
from stabcore.base.target import NUMBER, TIME, as_target, class_codes, kind_of_target
from stabcore.classifiers.catalog import Classifier
from stabcore.data.encoding import Design
from stabcore.data.feature_table import as_table
from stabcore.selectors.base import Selector


class FinalModel(Selector):
    """A selector with a final model: after `fit`, `predict` uses the model on the best k features, for the k given to fit.

    If the selector ends in a model on the selected features, that model is used, with its shrinkage. If a model of
    all features ranks them, a model of the same kind and options is trained again on the selected ones. A subclass defines
    `_learner` or `_final`. Any object with such a `predict` counts as a selector with a final model.
    """

    def fit(self, X, y, *, rng=None, k=None, given=None):
        table, rng = as_table(X), np.random.default_rng(rng)
        super().fit(table, y, rng=rng, k=k, given=given)
        self._fitted_to = table, y, k, deepcopy(rng)
        return self

    def predict(self, X):
        """Classes (n,) of these rows, with their labels in y, and probabilities (n, C) of the classes in sorted order.

        Probabilities are None if the model has none. Raises InputError after a fit to another target than classes, or beyond given
        columns.
        """
        if self.given is not None:
            raise InputError("This model adjusts for given columns. Only models without them predict.")
        table, y, k, rng = self._fitted_to
        kind = kind_of_target(as_target(y, table.n_rows))
        if kind in (NUMBER, TIME):
            raise InputError(f"This model was fitted to {kind}. It must be fitted to classes to predict.")
        codes, labels = class_codes(y, table.n_rows)
        model = self._final(table, codes, self.select(k or table.n_features), deepcopy(rng))
        predicted, chances = model.predict(as_table(X))
        return labels[predicted], chances

    def _final(self, table, codes, chosen, rng):
        """An object with predict(table): class numbers (n,), and probabilities (n, C) or None."""
        return SubsetModel(self._learner().fit(table.columns(chosen), codes, rng), chosen)

    def _learner(self) -> Classifier:
        """The learner to train again on the selected features."""
        raise NotImplementedError


@dataclass(frozen=True)
class SubsetModel:
    """A model that uses only some features of a table."""

    model: Any
    features: np.ndarray

    def predict(self, table):
        return self.model.predict(table.columns(self.features))


@dataclass(frozen=True)
class LinearModel:
    """Log-odds w·x + b on the columns of a Design.

    One row of weights for two classes, otherwise one for each class against the rest.
    """

    design: Design
    weights: np.ndarray  # (1 or C, p)
    intercepts: np.ndarray  # (1 or C,)

    @classmethod
    def of(cls, design, order, active, weights, intercepts):
        """From the weights of some columns, numbered after the columns were sorted by `order`."""
        full = np.zeros((len(weights), len(design.feature)))
        for row, columns, of_columns in zip(full, active, weights, strict=True):
            row[order[columns]] = of_columns
        return cls(design, full, np.array(intercepts))

    def predict(self, table):
        """Class numbers (n,) and probabilities (n, C), scaled to sum to 1 for more than two classes."""
        margins = self.design.transform(table) @ self.weights.T + self.intercepts
        chances = 0.5 + 0.5 * np.tanh(0.5 * margins)
        if chances.shape[1] == 1:
            chances = np.hstack([1 - chances, chances])
            return (margins[:, 0] > 0).astype(int), chances
        return margins.argmax(axis=1), chances / chances.sum(axis=1, keepdims=True)
