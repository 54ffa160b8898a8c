"""Selectors from boosting."""

from __future__ import annotations

from dataclasses import dataclass

from stabcore.selectors.base import Selector, option
from stabcore.selectors.trees import ensemble_importance


@dataclass
class BoostedStumps(Selector):
    """Gradient boosting of the log-loss, one split a tree (Friedman 2001): score and importance are its split gains.

    They sum to 1 over the features.
    """

    rounds: int = option(100, "how many one-split trees are added up")

    def _score(self, table, codes, rng, k):
        from sklearn.ensemble import GradientBoostingClassifier

        model = GradientBoostingClassifier(n_estimators=self.rounds, max_depth=1, random_state=int(rng.integers(2**31)))
        scores = ensemble_importance(model, table, codes)
        return scores, scores
