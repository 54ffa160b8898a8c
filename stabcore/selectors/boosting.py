"""Selectors from boosting."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from stabcore.classifiers.catalog import Stumps
from stabcore.selectors.base import MORE, NUMBER, TWO, Selector, option
from stabcore.selectors.final_model import FinalModel
from stabcore.selectors.solvers.stumps import RATE, Cuts, boosted, fair_worth


@dataclass
class BoostedStumps(FinalModel, Selector):
    """Gradient boosting with one split a tree (Friedman 2001): score and importance are the share in the gain of all splits.

    The loss is the log-loss (multinomial for more than two classes), or the squared error for a target that is a number.
    The gain of a question about a category, or a number of few values or with gaps, is multiplied by what shuffled outcomes give
    the best question about other numbers over what they give its own (see `fair_worth`).
    Scores sum to 1 over the features; those never asked are not ranked. Equally good splits are drawn by lot.
    """

    targets = (TWO, MORE, NUMBER)
    zero_is_out = "No split uses the others."
    chance_inside = True        # where there are categories or gaps: what their cuts are worth is found by shuffling

    rounds: int = option(100, "how many one-split trees are added up")

    def _score(self, table, y, rng, k):
        cuts = Cuts(table, fair_worth(table, y, rng))
        gains = np.zeros(table.n_features)
        for split in boosted(cuts, y, self.rounds, rng):
            gains[cuts.feature[split.column]] += split.gain
        scores = gains / (gains.sum() or 1)
        return scores, scores

    def _learner(self):
        return Stumps(self.rounds, RATE)
