"""Learners for a time to an event, which score a feature set by their predictions of held-out rows."""

from __future__ import annotations

import numpy as np

from stabcore.base.errors import InputError
from stabcore.base.text import nearest
from stabcore.classifiers.catalog import Entry, lengths
from stabcore.data.encoding import Design
from stabcore.data.feature_table import FeatureTable
from stabcore.survival.cox import baseline_hazard, fit

COX = Entry(
    key="cox",
    label="Cox model (ridge penalty 1)",
    build=None,
    plain="Predicts the hazard of the event from a weighted sum of the selected features.",
    reference="Cox 1972, JRSS B 34:187-220",
)
SURVIVAL_MODELS = {COX.key: COX.label}
USUAL_SURVIVAL_MODEL = COX.key


class SurvivalModel:
    """fit(table, y, rng), then predict(table, times): the risk of each row, and the hazard of a row of risk 0.

    Cox's model on standardised columns, with the penalty ‖w‖²/2, which keeps weights finite where the rows of a resample are few.
    """

    def __init__(self, key: str) -> None:
        if key not in SURVIVAL_MODELS:
            raise InputError(
                f"There is no learner {key!r} for a time to an event{nearest(key, SURVIVAL_MODELS)}. Choose one of: "
                f"{', '.join(SURVIVAL_MODELS)}, none."
            )
        self.key = key

    def fit(
        self, table: FeatureTable, y: np.ndarray, rng: np.random.Generator, n_classes: int | None = None, n_given: int = 0
    ) -> SurvivalModel:
        """Learn from records (n,) of time and event. n_given: see Classifier."""
        self._design, columns = Design.of(table)
        self._target = y
        ridge = lengths(self._design, table.n_features, n_given) ** -2
        self._weights = fit(np.ascontiguousarray(columns.T), y, ridge=ridge).weights
        self._margin = columns @ self._weights
        return self

    def predict(self, table: FeatureTable, times: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(risk (m,) as the logarithm of a relative hazard, cumulative hazard (T,) at the risk 0 until some times).

        The survival of a row until a time is exp(−hazard · exp(risk)).
        """
        return self._design.transform(table) @ self._weights, baseline_hazard(self._margin, self._target, times)
