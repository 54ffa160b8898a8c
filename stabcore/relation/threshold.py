"""Which |ρ| or entries of C reach a threshold: said in one place, so that what is equal up to rounding is equal everywhere."""

from __future__ import annotations

import numpy as np

from stabcore.errors import InputError


def check_threshold(threshold):
    """Raise InputError for a threshold of |ρ| or of C outside [0, 1]."""
    if not 0 <= threshold <= 1:
        raise InputError(f"The threshold lies between 0 and 1; found {threshold}.")


def smallest_value_rounding_to(thresholds):
    """The smallest number that, rounded to 12 decimals, is each threshold or more and above 0: a 0 is never related.

    So nothing needs to be rounded to compare with thresholds, and what is equal up to rounding is equal everywhere.
    """
    wanted = np.maximum(thresholds, 1e-12)
    below, reach = wanted - 2e-12, wanted + 2e-12
    for _ in range(64):
        middle = (below + reach) / 2
        enough = np.round(middle, 12) >= wanted
        below, reach = np.where(enough, below, middle), np.where(enough, middle, reach)
    return reach
