"""What a selector's own final model says of rows that it has not seen, from the features that it selected alone."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass
from typing import Any

import numpy as np

from stabcore.base.errors import InputError
from stabcore.classifiers.catalog import Classifier
from stabcore.data.encoding import Design
from stabcore.data.feature_table import as_table
from stabcore.selectors.base import Selector, class_codes


class FinalModel(Selector):
    """A selector with a model of its own: after `fit`, `predict` asks the model on the k features given to fit.

    That is the very model, shrunk as the selector's options say, where the selector ends in one on the features it selects; where
    it ranks by a model of all features, the same kind of model, with the same options, trained again on those it selected.
    A subclass gives `_learner`, or `_final`. Any object with such a `predict` is taken as one that has a final model.
    """

    def fit(self, X, y, *, rng=None, k=None):
        table, rng = as_table(X), np.random.default_rng(rng)
        super().fit(table, y, rng=rng, k=k)
        self._given = table, y, k, deepcopy(rng)
        return self

    def predict(self, X):
        """Classes (n,) of these rows, as they are called in y, and probabilities (n, C) of the classes in sorted order.

        None instead of probabilities where the model gives none. Raises InputError after a fit to a target that is a number.
        """
        table, y, k, rng = self._given
        if np.asarray(y).dtype.kind == "f" and len(np.unique(y)) > 2:
            raise InputError("This model was fitted to a number; only classes are predicted.")
        codes, labels = class_codes(y, table.n_rows)
        model = self._final(table, codes, self.select(k or table.n_features), deepcopy(rng))
        predicted, chances = model.predict(as_table(X))
        return labels[predicted], chances

    def _final(self, table, codes, chosen, rng):
        """An object with predict(table): class numbers (n,), and probabilities (n, C) or None."""
        return Restricted(self._learner().fit(table.columns(chosen), codes, rng), chosen)

    def _learner(self) -> Classifier:
        """What is trained again on the features that were selected."""
        raise NotImplementedError


@dataclass(frozen=True)
class Restricted:
    """A model that sees only some features of a table."""

    model: Any
    features: np.ndarray

    def predict(self, table):
        return self.model.predict(table.columns(self.features))


@dataclass(frozen=True)
class LinearModel:
    """Log-odds w·x + b on the columns of a Design: one row of weights for two classes, else one a class against the rest."""

    design: Design
    weights: np.ndarray  # (1 or C, p)
    intercepts: np.ndarray  # (1 or C,)

    @classmethod
    def of(cls, design, order, active, weights, intercepts):
        """From weights of some columns each, numbered after the columns were put in `order`."""
        full = np.zeros((len(weights), len(design.feature)))
        for row, columns, of_columns in zip(full, active, weights, strict=True):
            row[order[columns]] = of_columns
        return cls(design, full, np.array(intercepts))

    def predict(self, table):
        """Class numbers (n,) and probabilities (n, C); those of more than two classes are scaled to sum to 1."""
        margins = self.design.transform(table) @ self.weights.T + self.intercepts
        chances = 0.5 + 0.5 * np.tanh(0.5 * margins)
        if chances.shape[1] == 1:
            chances = np.hstack([1 - chances, chances])
            return (margins[:, 0] > 0).astype(int), chances
        return margins.argmax(axis=1), chances / chances.sum(axis=1, keepdims=True)
