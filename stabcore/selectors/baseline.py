"""The random selector, a baseline for all others."""

from dataclasses import dataclass

import numpy as np

from stabcore.base.target import MORE, NUMBER, TIME, TWO
from stabcore.selectors.base import Selector

BASELINE_SUFFIX = "(baseline)"  # at the end of the label of a baseline


def is_baseline(label) -> bool:
    """Whether this selector is a baseline. Texts never name a baseline as best or worst."""
    return label == "random" or label.endswith(BASELINE_SUFFIX)


def drop_baselines(frame):
    """The rows of a DataFrame with a column `selector`, without baselines."""
    return frame[~frame["selector"].map(is_baseline).astype(bool)]


@dataclass
class Random(Selector):
    """A random ranking. Every feature has the importance 1/k, where k is given to fit (default d)."""

    targets = (TWO, MORE, NUMBER, TIME)
    chance_inside = True
    steadied_by = "nothing"
    looks_at_outcome = False
    takes_given = True  # there is no association to adjust
    places_constant = True  # at random like others, because values are not used

    def _score(self, table, codes, rng, k):
        d = table.n_features
        return rng.permutation(d).astype(float), np.full(d, 1 / min(k or d, d))
