"""Learners for a numeric outcome, and for a time to an event, which score a feature set by their predictions of held-out rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from stabcore.classifiers.catalog import Entry, column_factors
from stabcore.data.encoding import Design
from stabcore.data.feature_table import FeatureTable
from stabcore.survival.cox import baseline_hazard, fit_cox

REGRESSORS = {"ridge": "Ridge regression (penalty 1)", "random_forest": "Random forest (100 trees)"}
DEFAULT_REGRESSOR = "ridge"
COX = Entry(
    key="cox",
    label="Cox model (ridge penalty 1)",
    build=None,
    plain="Predicts the hazard of the event from a weighted sum of the selected features.",
    reference="Cox 1972, JRSS B 34:187-220",
)
SURVIVAL_MODELS = {COX.key: COX.label}


@dataclass
class Regressor:
    """fit(table, y, rng), then predict(table): numbers (n,), the mean of y where no column varies. key: one of REGRESSORS."""

    key: str

    def fit(
        self, table: FeatureTable, y: np.ndarray, rng: np.random.Generator, n_classes: int | None = None, n_given: int = 0
    ) -> Regressor:
        """Learn from standardised columns without gaps, as Design makes them from these rows. n_given: see Classifier."""
        self._design, columns = Design.of(table)
        self._factors = column_factors(self._design, table.n_features, n_given if self.key == "ridge" else 0)
        columns *= self._factors
        self._mean, self._model = float(np.mean(y)), None
        if len(self._design.feature):
            self._model = self._unfitted(rng).fit(columns, y)
        return self

    def predict(self, table: FeatureTable) -> np.ndarray:
        """A number for each row."""
        if self._model is None:
            return np.full(table.n_rows, self._mean)
        return np.asarray(self._model.predict(self._design.transform(table) * self._factors), dtype=float)

    def _unfitted(self, rng) -> Any:
        if self.key == "ridge":
            from sklearn.linear_model import Ridge

            return Ridge(alpha=1.0)
        from sklearn.ensemble import RandomForestRegressor

        return RandomForestRegressor(100, n_jobs=1, random_state=int(rng.integers(2**31)))


class SurvivalModel:
    """fit(table, y, rng), then predict(table, times): the risk of each row, and the hazard of a row of risk 0.

    Cox's model on standardised columns, with the penalty ‖w‖²/2, which keeps weights finite where the rows of a resample are few.
    """

    def fit(
        self, table: FeatureTable, y: np.ndarray, rng: np.random.Generator, n_classes: int | None = None, n_given: int = 0
    ) -> SurvivalModel:
        """Learn from records (n,) of time and event. n_given: see Classifier."""
        self._design, columns = Design.of(table)
        self._target = y
        ridge = column_factors(self._design, table.n_features, n_given) ** -2
        self._weights = fit_cox(np.ascontiguousarray(columns.T), y, ridge=ridge).weights
        self._margin = columns @ self._weights
        return self

    def predict(self, table: FeatureTable, times: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(risk (m,) as the logarithm of a relative hazard, cumulative hazard (T,) at the risk 0 until some times).

        The survival of a row until a time is exp(−hazard · exp(risk)).
        """
        return self._design.transform(table) @ self._weights, baseline_hazard(self._margin, self._target, times)
