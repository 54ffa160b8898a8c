"""The random selector, a baseline for all others."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from stabcore.selectors.base import MORE, NUMBER, TWO, Selector

SIGN = "(baseline)"  # at the end of the label of a baseline


def is_baseline(label) -> bool:
    """Whether a selector of this name is a baseline, which no sentence names as the best or the worst."""
    return label == "random" or label.endswith(SIGN)


def rivals(frame):
    """The rows of a DataFrame with a column `selector` that are no baselines."""
    return frame[~frame["selector"].map(is_baseline).astype(bool)]


@dataclass
class Random(Selector):
    """A random ranking; importances are the same for every feature, 1/k for the k given to fit (or d)."""

    targets = (TWO, MORE, NUMBER)
    chance_inside = True
    steadied_by = "nothing"
    looks_at_outcome = False
    places_constant = True  # at random, as any other: it does not look at values

    def _score(self, table, codes, rng, k):
        d = table.n_features
        return rng.permutation(d).astype(float), np.full(d, 1 / min(k or d, d))
