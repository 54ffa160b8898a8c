"""Selectors from forests of decision trees."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from stabcore.encoding import Design
from stabcore.selectors.base import Selector, option


@dataclass
class RandomForest(Selector):
    """Random forest (Breiman 2001): score and importance are the mean fall of the Gini impurity.

    They sum to 1 over the features.
    """

    trees: int = option(100, "how many trees are grown")

    def _score(self, table, codes, rng, k):
        from sklearn.ensemble import RandomForestClassifier

        forest = RandomForestClassifier(self.trees, random_state=int(rng.integers(2**31)), n_jobs=1)
        scores = ensemble_importance(forest, table, codes)
        return scores, scores


def ensemble_importance(model, table, codes) -> np.ndarray:
    """(d,) `feature_importances_` of a scikit-learn model fitted here, summed over the columns of each feature."""
    design = Design.learn(table)
    if len(design.feature) == 0:
        return np.zeros(table.n_features)
    model.fit(design.transform(table), codes)
    return design.total(model.feature_importances_, table.n_features)
