"""Who comes first and last by numbers as they are shown: those that look the same are level, and none of them is the winner."""

from __future__ import annotations

import numpy as np


def top(names, values, decimals=2) -> list:
    """The names whose value looks like the highest one, in their order."""
    shown = [f"{value:z.{decimals}f}" for value in values]
    best = shown[int(np.argmax(values))]
    return [name for name, one in zip(names, shown, strict=True) if one == best]


def ends(names, values, decimals=2):
    """(names with the highest value, names with the lowest, that value, this one); when all are level the names are the same."""
    values = np.asarray(values, dtype=float)
    return top(names, values, decimals), top(names, -values, decimals), values.max(), values.min()
