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


def drawn_three(rng, runs, imputations=3, repeats=2, d=60, variances=(0.4, 0.3, 0.3)):
    """{(repeat, imputation): Selections} of Z = 1[merit_f + patients_rf + gaps_rfi + seed_rfis > 0], and the true shares.

    variances: of patients, missing values and seed in the normal scores, from which the shares for selections follow.
    """
    merit, deviations = rng.normal(size=d), np.sqrt(variances)
    patients = merit + deviations[0] * rng.normal(size=(runs, d))
    fits = {}
    for imputation in range(imputations):
        filled = patients + deviations[1] * rng.normal(size=patients.shape)
        for repeat in range(repeats if imputation == 0 else 1):
            chosen = filled + deviations[2] * rng.normal(size=filled.shape) > 0
            fits[repeat, imputation] = sc.Selections.from_matrix(chosen.astype(int))
    within_filling, within_run = (share_of_seed(merit, *parts) for parts in _cut(*deviations))
    return fits, np.array([1 - within_run, within_run - within_filling, within_filling])


def _cut(patients, gaps, seed):
    """Return (shared deviation, separate deviation) of two fits, for one imputation and for one run."""
    return (np.hypot(patients, gaps), seed), (patients, np.hypot(gaps, seed))
