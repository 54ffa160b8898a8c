"""Tests of columns beyond others that are always in the model: Rao's score tests of logistic models, and partial F.

Columns are rows of an array (p, n). `free` are the columns (q, n) that are always in the model, beside an intercept.
"""

import numpy as np

_CONVERGED = 1e-10  # size of a step, in log-odds, at which the fit ends
_MAX_STEPS = 50
_MAX_MARGIN = 30.0  # log-odds beyond this run away: the free columns separate the classes
_TOLERANCE = 1e-12  # a smaller variance, relative to that of the column, is rounding


def logistic_probabilities(free: np.ndarray, happened: np.ndarray) -> np.ndarray:
    """(n,) fitted probabilities of the logistic model of the free columns (q, n), by Newton's method.

    If they separate the classes, it is the model of the last step with log-odds up to ±30.
    """
    rows = np.vstack([np.ones(len(happened)), free])
    weights = np.zeros(len(rows))
    weights[0] = np.log(happened.mean() / (1 - happened.mean()))
    margin = weights @ rows
    for _ in range(_MAX_STEPS):
        chances = 0.5 + 0.5 * np.tanh(0.5 * margin)
        curved = rows * (chances * (1 - chances))
        step = np.linalg.lstsq(curved @ rows.T, rows @ (happened - chances), rcond=None)[0]
        moved = (weights + step) @ rows
        if np.abs(moved).max() > _MAX_MARGIN:
            break
        weights, margin = weights + step, moved
        if np.abs(step @ rows).max() < _CONVERGED:
            break
    return 0.5 + 0.5 * np.tanh(0.5 * margin)


def logistic_scores(columns: np.ndarray, happened: np.ndarray, free: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Score U and variance V, (p,) each, of every column added to the logistic model of the free ones. U²/V is χ² on 1 degree.

    V = xᵀWx − xᵀWZ (ZᵀWZ)⁻¹ ZᵀWx, W = p̂(1 − p̂), Z the free columns and a constant. V is 0 where nothing of a column is left.
    Source: Rao 1948, Proceedings of the Cambridge Philosophical Society 44:50-57.
    """
    score, covariance, whole = _adjusted_scores(columns, happened, free)
    variance = (covariance**2).sum(axis=1)
    return score, np.where(variance > _TOLERANCE * whole, variance, 0.0)


def logistic_joint_score(columns: np.ndarray, happened: np.ndarray, free: np.ndarray) -> tuple[float, int]:
    """(χ² of several columns (p, n) together, its degrees of freedom), beyond the free ones in a logistic model."""
    score, left, _ = _adjusted_scores(columns, happened, free)
    return joint_statistic(score, left @ left.T)


def _adjusted_scores(columns, happened, free):
    """(scores (p,), columns times √W beyond the free ones (p, n), and their squared length before that (p,))."""
    chances = logistic_probabilities(free, happened)
    root = np.sqrt(chances * (1 - chances))
    basis = np.linalg.qr((np.vstack([np.ones(len(happened)), free]) * root).T)[0]
    columns = columns - columns.mean(axis=1, keepdims=True)
    weighed = columns * root
    return columns @ (happened - chances), weighed - (weighed @ basis) @ basis.T, (weighed**2).sum(axis=1)


def joint_statistic(score: np.ndarray, information: np.ndarray) -> tuple[float, int]:
    """(χ² of a score (p,) with this information (p, p), its degrees of freedom)."""
    inverse = np.linalg.pinv(information, rcond=1e-10, hermitian=True)
    return float(score @ inverse @ score), int(np.linalg.matrix_rank(information, tol=1e-10 * np.abs(information).max(initial=0)))


def pillai_trace(first: np.ndarray, second: np.ndarray) -> float:
    """Pillai's trace: the sum of the squared canonical correlations of two sets of columns, (p, n) and (m, n), both centred.

    For two single columns it is r². For indicators of levels and classes, n times it is Pearson's χ². Source: Pillai 1955,
    Annals of Mathematical Statistics 26:117-121.
    """
    left, right = (_orthonormal(columns) for columns in (first, second))
    return float(((left.T @ right) ** 2).sum())


def _orthonormal(columns):
    values, sizes, _ = np.linalg.svd(columns.T, full_matrices=False)
    return values[:, sizes > 1e-10 * sizes.max(initial=0)]
