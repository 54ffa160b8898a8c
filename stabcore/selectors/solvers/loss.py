"""The losses of linear models, as means over rows of a margin (n,) = intercept + weights · columns and a target (n,)."""

from __future__ import annotations

import numpy as np


class Logistic:
    """log(1 + e^margin) − target·margin, the target 0 or 1."""

    settled = 1e-3  # a model that leaves this share of the first loss has as good as parted the classes: weights run away
    # boosting takes the loss in base 2 of half the log-odds (Bühlmann & Hothorn 2007): a step there is so many in log-odds
    pace = 4 / np.log(2)

    @staticmethod
    def intercept(target) -> float:
        """The margin of the best model without columns."""
        share = target.mean()
        return float(np.log(share / (1 - share)))

    @staticmethod
    def residual(margin, target):
        """Derivative by the margin, (n,)."""
        return 0.5 + 0.5 * np.tanh(0.5 * margin) - target

    @staticmethod
    def curvature(margin):
        """Second derivative by the margin, (n,)."""
        chance = 0.5 + 0.5 * np.tanh(0.5 * margin)
        return chance * (1 - chance)

    @staticmethod
    def mean(margin, target) -> float:
        return float(np.mean(np.logaddexp(0, margin) - target * margin))


class Squared:
    """(margin − target)²/2, for a target that is a number."""

    settled = 1e-6
    pace = 1.0

    @staticmethod
    def intercept(target) -> float:
        """The margin of the best model without columns."""
        return float(target.mean())

    @staticmethod
    def residual(margin, target):
        """Derivative by the margin, (n,)."""
        return margin - target

    @staticmethod
    def curvature(margin):
        """Second derivative by the margin, (n,)."""
        return np.ones(len(margin))

    @staticmethod
    def mean(margin, target) -> float:
        return float(np.mean((margin - target) ** 2) / 2)
