"""Holm's correction for several tests."""

import numpy as np


def holm(p):
    """Adjusted p. NaN stays NaN and is not counted. SciPy has no such function. Source: Holm 1979, Scand J Statist 6:65-70."""
    order = np.argsort(p)
    n_tests = np.count_nonzero(~np.isnan(p))
    stepped = np.maximum.accumulate(p[order][:n_tests] * (n_tests - np.arange(n_tests)))
    result = np.full(len(p), np.nan)
    result[order[:n_tests]] = np.minimum(stepped, 1)
    return result
