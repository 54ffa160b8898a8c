"""What picking at random would give: exact expectations over random sets of given sizes."""

from __future__ import annotations

import numpy as np


def random_pair(pair, a, b, d):
    """(mean, standard deviation) of a pair value over two random sets of sizes a and b out of d features.

    pair: formula of (r, a, b, d). The overlap r of two random sets is hypergeometric, so both are finite sums. NaN where the
    formula has no value for an overlap that can happen.
    """
    r, chance = _overlap(int(a), int(b), int(d))
    with np.errstate(invalid="ignore", divide="ignore"):
        value = np.asarray(pair(r.astype(float), float(a), float(b), d), dtype=float)
    mean = float((chance * value).sum())
    return mean, float(np.sqrt(max((chance * (value - mean) ** 2).sum(), 0)))


def _overlap(a, b, d):
    """(r, their chances) of the overlap of two random sets, up to 12 standard deviations (and 12) around its mean.

    By the ratio of neighbouring chances, which costs far less than a distribution object for each of thousands of sizes.
    """
    centre, reach = a * b / d, 12 + 12 * np.sqrt(a * b * (d - a) * (d - b) / (d * d * max(d - 1, 1)))
    r = np.arange(max(0, a + b - d, int(centre - reach)), min(a, b, int(centre + reach) + 1) + 1)
    up = np.log((a - r[:-1]) * (b - r[:-1]) / (r[1:] * (d - a - b + r[1:])))
    weight = np.cumsum(np.r_[0.0, up])
    chance = np.exp(weight - weight.max())
    return r, chance / chance.sum()
