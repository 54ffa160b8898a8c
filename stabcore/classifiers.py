"""Learners that score a feature set: trained on the chosen features of a resample, asked about the rows it left out."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from stabcore.encoding import Design
from stabcore.errors import InputError
from stabcore.table import Table


class Classifier:
    """fit(table, y, rng), then predict(table); y are class numbers (n,) in 0 … n_classes − 1.

    Encoding and scaling are learned in fit. Where the table has no column that varies, or one class only, the shares of
    the classes in y are predicted.
    """

    def fit(self, table: Table, y, rng=None, n_classes=None):
        """Learn from rows that all have a class; n_classes also counts classes that these rows lack."""
        y = np.asarray(y)
        self._design = Design.learn(table)
        self._shares = np.bincount(y, minlength=n_classes or 0) / len(y)
        self._learnt = len(self._design.feature) > 0 and np.count_nonzero(self._shares) > 1
        if self._learnt:
            self._fit(self._design.transform(table), y, rng)
        return self

    def predict(self, table: Table) -> tuple[np.ndarray, np.ndarray]:
        """Class numbers (n,) and probabilities (n, n_classes)."""
        if not self._learnt:
            chances = np.tile(self._shares, (table.n_rows, 1))
            return chances.argmax(axis=1), chances
        return self._predict(self._design.transform(table))

    def _fit(self, columns, y, rng):
        raise NotImplementedError

    def _predict(self, columns):
        raise NotImplementedError


@dataclass
class NearestNeighbours(Classifier):
    """Majority of the k nearest rows (Euclidean); a draw goes to the nearest one; equally near: by position."""

    neighbours: int = 3

    def _fit(self, columns, y, rng):
        self._columns, self._y = columns, y

    def _predict(self, columns):
        from scipy.spatial.distance import cdist

        order = np.argsort(cdist(columns, self._columns), axis=1, kind="stable")[:, : self.neighbours]
        votes = np.eye(len(self._shares))[self._y[order]]  # (n, neighbours, n_classes)
        chances = votes.mean(axis=1)
        nearer = votes * np.arange(order.shape[1], 0, -1)[:, None]
        return (votes.sum(axis=1) + nearer.max(axis=1) / (order.shape[1] + 1)).argmax(axis=1), chances


class Logistic(Classifier):
    """Logistic regression with a ridge penalty (C = 1) on standardised columns; multinomial beyond two classes."""

    def _fit(self, columns, y, rng):
        from sklearn.linear_model import LogisticRegression

        self._model = LogisticRegression(max_iter=1000).fit(columns, y)

    def _predict(self, columns):
        chances = np.zeros((len(columns), len(self._shares)))
        chances[:, self._model.classes_] = self._model.predict_proba(columns)
        return chances.argmax(axis=1), chances


@dataclass(frozen=True)
class Entry:
    """What there is to say about one classifier."""

    key: str
    label: str
    plain: str
    build: type


CLASSIFIERS = {entry.key: entry for entry in [
    Entry("3nn", "3 nearest neighbours",
          "Gives a patient the class that most of the three most similar patients have.", NearestNeighbours),
    Entry("logistic", "Logistic regression",
          "Gives a patient a risk from a weighted sum of the chosen markers.", Logistic),
]}


def classifier(key) -> Classifier:
    """A new classifier by its key. Raises InputError for an unknown key."""
    if key not in CLASSIFIERS:
        raise InputError(f"There is no classifier {key!r}. Choose one of: {', '.join(CLASSIFIERS)}.")
    return CLASSIFIERS[key].build()
