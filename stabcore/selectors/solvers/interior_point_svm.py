"""The linear support vector machine with fewer columns than rows, where libsvm may take millions of steps: an interior point.

The dual of min ‖w‖²/2 + cost Σ max(0, 1 − y(w·x + b)) has a multiplier a_i from 0 to the cost for each row, Σ y a = 0 and
w = Σ a_i y_i x_i. Every step solves one linear system of the size of w, so that it costs n p² whatever the data
(Ferris & Munson 2002, SIAM Journal on Optimization 13:783-804; Mehrotra's predictor and corrector). What keeps that system
away from singular ones is a cost on the length of the step alone, which moves no solution (Friedlander & Orban 2012,
Mathematical Programming Computation 4:71-107).
"""

from __future__ import annotations

import numpy as np

_CONVERGED = 1e-12   # gap between the primal and the dual value, as a share of the primal
_MOST_STEPS = 100    # far more than the ten to thirty it takes
_SHORT_OF = 0.995    # share of the way to the nearest bound that a step goes
_STEP_COST = 1e-13   # of the squared change of the multipliers, in sums of squares of the design: no system is nearer to singular


def support_weights(design, sign, cost) -> np.ndarray:
    """Weights (p,) of the support vector machine on design (n, p), sign (n,) ±1, the intercept free."""
    signed = design * sign[:, None]
    sizes = np.where(sign > 0, np.sum(sign > 0), np.sum(sign < 0))
    a = 0.5 * cost * sizes.min() / sizes            # inside the bounds, and balanced
    weights = a @ signed
    excess = signed @ weights - 1
    bounded = np.array([[a, cost - a], [np.maximum(excess, 0) + 1, np.maximum(-excess, 0) + 1]])
    intercept, floor = 0.0, _STEP_COST * np.vdot(signed, signed)
    for _ in range(_MOST_STEPS):
        gap = np.vdot(*bounded)
        if gap <= _CONVERGED * (0.5 * weights @ weights + cost * bounded[1, 1].sum()):
            break
        far, (d_bounded, d_weights, d_intercept) = _step(signed, sign, gap / (2 * len(a)), bounded, weights, intercept, floor)
        bounded, weights, intercept = bounded + far * d_bounded, weights + far * d_weights, intercept + far * d_intercept
    return weights


def _step(signed, sign, mean, bounded, weights, intercept, floor):
    """How far to go, and the changes of bounded (2, 2, n), weights and intercept.

    bounded: the multiplier of each row and its room up to the cost; what the row has beyond the margin and what it lacks to it.
    The products of the former with the latter come down together towards 0. A row on the margin is ever freer to move, and with
    more such rows than independent columns the system would become singular but for `floor`, what a change d of the multipliers
    costs: floor d²/2. What a row is then still off its margin, floor d, is the next step's to mend.
    """
    inner, outer = bounded
    ratio = outer / inner
    freedom = 1 / (ratio[0] + ratio[1] + floor)
    root = np.sqrt(freedom)
    solve = bordered(root[:, None] * signed, root * sign, 1.0)
    residual = signed @ weights + intercept * sign - 1 - outer[0] + outer[1]

    def direction(aim):
        """The changes with which the products come to `aim`, to first order."""
        rest = aim / inner - outer
        pull = rest[0] - rest[1] - residual
        d_weights, d_intercept = solve(root * pull)
        d_a = freedom * (pull - signed @ d_weights - d_intercept * sign)
        d_inner = np.array([d_a, -d_a])
        return np.array([d_inner, rest - ratio * d_inner]), d_weights, d_intercept

    guess = direction(0.0)[0]
    ahead = np.vdot(*(bounded + _way(bounded, guess) * guess)) / guess[0].size
    corrected = direction(mean * (ahead / mean) ** 3 - guess[0] * guess[1])
    return min(1.0, _SHORT_OF * _way(bounded, corrected[0], 2.0)), corrected


def _way(values, changes, most=1.0):
    """The share of a step after which the first of the values reaches 0."""
    return 1 / max(-float(np.min(changes / values)), 1 / most)


def bordered(design, border, penalty):
    """A function of a target (n,) that gives w and b of min ‖target − design w − border b‖² + penalty ‖w‖²."""
    system = design.T @ design
    system[np.diag_indices_from(system)] += penalty
    solved = inverse_of(system)

    def weights(target):
        return solved(design.T @ target)

    across = weights(border)
    rest = border - design @ across

    def solve(target):
        intercept = rest @ target / (rest @ border)
        return weights(target) - intercept * across, intercept

    return solve


def inverse_of(system):
    """A function of a right-hand side that solves a positive definite system, which is overwritten (Cholesky).

    Where rounding has left it short of positive definite, its diagonal is raised by as much as rounding may have taken: steps that
    are solved from it come a little shorter, and the next makes up for it. Raises LinAlgError for a system further from it.
    LAPACK itself: the checks around it take longer than small systems.
    """
    from scipy.linalg.lapack import dpotrf, dpotrs

    diagonal = system.diagonal().copy()
    rounding = len(diagonal) * np.finfo(float).eps * diagonal.sum()
    for extra in (0, rounding, 100 * rounding):
        system[np.diag_indices_from(system)] = diagonal + extra
        factor, failed = dpotrf(system.T, clean=0, overwrite_a=1)       # symmetric; columns first saves a copy
        if not failed:
            return lambda target: dpotrs(factor, target)[0]
        above = np.triu(system, 1)      # the half that LAPACK leaves as it was
        system = above + above.T
    raise np.linalg.LinAlgError("The system is not positive definite.")
