"""The linear support vector machine with fewer columns than rows, where libsvm may take millions of steps: an interior point.

The dual of min ‖w‖²/2 + cost Σ max(0, 1 − y(w·x + b)) has a multiplier a_i from 0 to the cost for each row, Σ y a = 0 and
w = Σ a_i y_i x_i. Every step solves one linear system of the size of w, so that it costs n p² whatever the data
(Ferris & Munson 2002, SIAM Journal on Optimization 13:783-804; Mehrotra's predictor and corrector).
"""

from __future__ import annotations

import numpy as np

_CONVERGED = 1e-12   # gap between the primal and the dual value, as a share of the primal
_MOST_STEPS = 100    # far more than the ten to thirty it takes
_SHORT_OF = 0.995    # share of the way to the nearest bound that a step goes


def support_weights(design, sign, cost) -> np.ndarray:
    """Weights (p,) of the support vector machine on design (n, p), sign (n,) ±1, the intercept free."""
    signed = design * sign[:, None]
    sizes = np.where(sign > 0, np.sum(sign > 0), np.sum(sign < 0))
    a = 0.5 * cost * sizes.min() / sizes            # inside the bounds, and balanced
    weights = a @ signed
    excess = signed @ weights - 1
    state = a, cost - a, np.maximum(excess, 0) + 1, np.maximum(-excess, 0) + 1, weights, 0.0
    for _ in range(_MOST_STEPS):
        a, room, over, under, weights, _ = state
        gap = a @ over + room @ under
        if gap <= _CONVERGED * (0.5 * weights @ weights + cost * under.sum()):
            break
        state = _step(signed, sign, gap / (2 * len(a)), *state)
    return state[4]


def _step(signed, sign, mean, a, room, over, under, weights, intercept):
    """One step: a multipliers, room up to the cost, over and under what a row has beyond the margin and lacks to it; a · over
    and room · under come down together towards 0."""
    freedom = 1 / (over / a + under / room)
    root = np.sqrt(freedom)
    solve = bordered(root[:, None] * signed, root * sign, 1.0)
    residual = signed @ weights + intercept * sign - 1 - over + under

    def direction(aim_over, aim_under):
        """Where a · over and room · under should come to, to first order."""
        pull = aim_over / a - over - aim_under / room + under - residual
        d_weights, d_intercept = solve(root * pull)
        d_a = freedom * (pull - signed @ d_weights - d_intercept * sign)
        return (d_a, -d_a, aim_over / a - over - over / a * d_a, aim_under / room - under + under / room * d_a,
                d_weights, d_intercept)

    bounded = a, room, over, under
    d_a, d_room, d_over, d_under, _, _ = guess = direction(0, 0)
    far = _way(bounded, guess)
    ahead = (np.dot(a + far * d_a, over + far * d_over) + np.dot(room + far * d_room, under + far * d_under)) / (2 * len(a))
    target = mean * (ahead / mean) ** 3
    found = direction(target - d_a * d_over, target - d_room * d_under)
    far = min(1.0, _SHORT_OF * _way(bounded, found, 2.0))
    return tuple(old + far * new for old, new in zip((*bounded, weights, intercept), found, strict=True))


def _way(values, changes, most=1.0):
    """The share of a step after which the first of the values reaches 0."""
    return 1 / max(max(float(np.max(-change / value)) for value, change in zip(values, changes, strict=False)), 1 / most)


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

    LAPACK itself: the checks around it take longer than small systems.
    """
    from scipy.linalg.lapack import dpotrf, dpotrs

    factor, failed = dpotrf(system.T, overwrite_a=1)        # symmetric; columns first saves a copy
    if failed:
        raise np.linalg.LinAlgError("The system is not positive definite.")
    return lambda target: dpotrs(factor, target)[0]
