"""Simulated fits with known seed variability."""

import numpy as np
from scipy.special import ndtr

import stabcore as sc


def drawn(rng, runs, repeats=2, d=40, seed_share=0.5, spread=1.0):
    """`repeats` Selections of the same runs, Z = 1[merit_f + rows_rf + seed_rfs > 0], and the true share of the seed.

    seed_share: share in the variance of the normal scores, from which the share for selections follows.
    """
    merit = rng.normal(size=d)
    rows, seed = np.sqrt(1 - seed_share) * spread, np.sqrt(seed_share) * spread
    base = merit + rows * rng.normal(size=(runs, d))
    Z = [(base + seed * rng.normal(size=base.shape) > 0).astype(int) for _ in range(repeats)]
    return [sc.Selections.from_matrix(matrix) for matrix in Z], share_of_seed(merit, rows, seed)


def share_of_seed(merit, rows, seed):
    """E over rows of p(1 − p) given the rows, as a share of p(1 − p), by quadrature."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(60)
    given = ndtr((merit[:, None] + rows * nodes) / seed)
    weights = weights / weights.sum()
    p = given @ weights
    return ((given * (1 - given)) @ weights).mean() / (p * (1 - p)).mean()


def _cut(patients, gaps, seed):
    """Return (shared deviation, separate deviation) of two fits, for one imputation and for one run."""
    return (np.hypot(patients, gaps), seed), (patients, np.hypot(gaps, seed))
