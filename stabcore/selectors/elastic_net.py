"""The elastic net: the lasso with a ridge part that lets related features in together."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from stabcore.selectors.base import option
from stabcore.selectors.linear import PathSelector


@dataclass
class ElasticNet(PathSelector):
    """The elastic net: min mean loss + λ₁ (λ₂ Σ_f √v_f ‖w_f‖ + (1 − λ₂) Σw²/2), λ₁ falling. See PathSelector.

    Zou & Hastie 2005, JRSS B 67:301-320; the two λ as in Hamer & Dupont 2021, with the squared length in the ridge part.
    """

    lasso_share: float = option(0.5, "how much of the penalty leaves features out (λ₂): at 1 it is the lasso, at less it lets "
                                     "features that resemble each other in together", low=0.01, high=1.0)

    def _groups(self, table, feature):
        return np.unique(feature, return_inverse=True)[1], float(self.lasso_share)
