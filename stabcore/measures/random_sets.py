"""What picking at random would give: exact expectations over random sets of given sizes."""

from __future__ import annotations

import numpy as np


def random_pair(pair, a, b, d):
    """(mean, standard deviation) of a pair value over two random sets of sizes a and b out of d features.

    pair: formula of (r, a, b, d). The overlap r of two random sets is hypergeometric, so both are finite sums. NaN where the
    formula has no value for an overlap that can happen.
    """
    from scipy.stats import hypergeom

    r = np.arange(max(0, int(a + b - d)), int(min(a, b)) + 1)
    chance = hypergeom(int(d), int(a), int(b)).pmf(r)
    with np.errstate(invalid="ignore", divide="ignore"):
        value = np.asarray(pair(r.astype(float), float(a), float(b), d), dtype=float)
    mean = float((chance * value).sum())
    return mean, float(np.sqrt(max((chance * (value - mean) ** 2).sum(), 0)))
