"""Learners for a numeric outcome, which score a feature set by their predictions of held-out rows."""

from __future__ import annotations

from typing import Any

import numpy as np

from stabcore.base.errors import InputError
from stabcore.base.text import nearest
from stabcore.classifiers.catalog import lengths
from stabcore.data.encoding import Design
from stabcore.data.feature_table import FeatureTable

REGRESSORS = {"ridge": "Ridge regression (penalty 1)", "random_forest": "Random forest (100 trees)"}
USUAL_REGRESSOR = "ridge"


class Regressor:
    """fit(table, y, rng), then predict(table): numbers (n,), the mean of y where no column varies."""

    def __init__(self, key: str) -> None:
        if key not in REGRESSORS:
            raise InputError(
                f"There is no learner {key!r} for a numeric outcome{nearest(key, REGRESSORS)}. Choose one of: "
                f"{', '.join(REGRESSORS)}, none."
            )
        self.key = key

    def fit(
        self, table: FeatureTable, y: np.ndarray, rng: np.random.Generator, n_classes: int | None = None, n_given: int = 0
    ) -> Regressor:
        """Learn from standardised columns without gaps, as Design makes them from these rows. n_given: see Classifier."""
        self._design, columns = Design.of(table)
        self._length = lengths(self._design, table.n_features, n_given if self.key == "ridge" else 0)
        columns *= self._length
        self._mean, self._model = float(np.mean(y)), None
        if len(self._design.feature):
            self._model = self._unfitted(rng).fit(columns, y)
        return self

    def predict(self, table: FeatureTable) -> np.ndarray:
        """A number for each row."""
        if self._model is None:
            return np.full(table.n_rows, self._mean)
        return np.asarray(self._model.predict(self._design.transform(table) * self._length), dtype=float)

    def _unfitted(self, rng) -> Any:
        if self.key == "ridge":
            from sklearn.linear_model import Ridge

            return Ridge(alpha=1.0)
        from sklearn.ensemble import RandomForestRegressor

        return RandomForestRegressor(100, n_jobs=1, random_state=int(rng.integers(2**31)))
