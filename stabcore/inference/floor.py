"""The floor: how stable a selection is when nothing in the table has to do with the outcome."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from stabcore.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from stabcore.resampling.plan import SharesRows

NODES = 48          # of Gauss and Legendre; 24 already give ten digits for every ρ below 0.999


def noise_floor(plan: SharesRows, k: ArrayLike, d: int) -> float | np.ndarray:
    """Stability to expect of a study without any signal: its runs agree because they share rows.

    Of a filter that ranks |z_f|, d independent features, none related to the outcome, k selected. The scores of two runs are
    standard normal with correlation ρ, the share of its rows that a run has in common with another (`plan.shared_rows()`). With
    π = k/d and c the 1 − π/2 quantile, both runs select a feature with probability
        P₂ = P(|X| > c, |Y| > c) = π² + (1/π₀) ∫₀^{arcsin ρ} exp(−c²/(1 + sin t)) − exp(−c²/(1 − sin t)) dt,   π₀ = 3.14…
    (the integral of the bivariate normal density over its correlation: Plackett 1954), and
        floor = (P₂ − π²)/(π(1 − π)), averaged over the pairs of runs: what nogueira and kappa are expected to give.
    plan: a resampling plan. k: a number, or an array of numbers for a whole curve. d: number of features.
    Returns a number or an array like k: 0 no more than random sets, 1 the same set in every run; NaN for k = d, where there is no
    choice. It is a yardstick and no test: selectors that prefer correlated features, or that do not look at the outcome (such as
    `variance`), have another floor; shuffling the outcome (`Study(…, control=5)`) finds that of every selector. With few rows
    scores have longer tails than the normal, and the floor is a little lower.
    Raises InputError for k outside 1 … d.
    Source: Plackett 1954, Biometrika 41:351-360, for the integral; the floor that it gives is ours.
    """
    from scipy.special import ndtri

    asked = np.asarray(k, dtype=float)
    if not d >= 1 or not ((asked >= 1) & (asked <= d)).all():
        raise InputError(f"The floor is about selecting 1 to {d} of {d} features; found {k!r}.")
    share = asked / d
    cut = ndtri(1 - share / 2) ** 2
    total = sum(weight * _covariance(cut, rho) for rho, weight in plan.shared_rows())
    with np.errstate(invalid="ignore", divide="ignore"):
        floor = np.where(share < 1, total / (share * (1 - share)), np.nan)
    return float(floor) if floor.ndim == 0 else floor


def _covariance(cut, rho):
    """P₂ − π² of the docstring above, for an array of c² and one correlation."""
    nodes, weights = np.polynomial.legendre.leggauss(NODES)
    top = np.arcsin(rho)
    sine = np.sin(top * (nodes + 1) / 2)
    inside = np.exp(-cut[..., None] / (1 + sine)) - np.exp(-cut[..., None] / (1 - sine))
    return top / (2 * np.pi) * (inside @ weights)
