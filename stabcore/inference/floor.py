"""The floor: how stable a selection is when nothing in the table has to do with the outcome."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from stabcore.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from stabcore.contracts.protocols import SharesRows

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


def floor_profile(plan, n_features, sizes, measure="nogueira"):
    """(K,) what a measure of pairs is expected to give of a study without any signal, in which every run selects k features.

    Two runs then share k²/d + floor · k(1 − k/d) features on average (see noise_floor), and what is linear in that number is known
    with it: nogueira, kappa, phi, kuncheva and others. NaN for measures that are not (jaccard), that ask which features stand for
    each other, and for an own plan that does not say what its runs share.
    """
    from stabcore.measures.catalog import entry
    from stabcore.measures.statistic import linear, pair_formula

    ks, definition = np.asarray(sizes, dtype=float), entry(measure)
    of_pairs = definition.profiled and not definition.of_related and not definition.of_order
    if not of_pairs or not linear(pair_formula(definition), ks, n_features):
        return np.full(len(ks), np.nan)
    try:
        floor = noise_floor(plan, ks, n_features)
    except InputError:
        return np.full(len(ks), np.nan)
    by_chance = ks ** 2 / n_features
    with np.errstate(invalid="ignore", divide="ignore"):
        return pair_formula(definition)(by_chance + floor * (ks - by_chance), ks, ks, n_features)


def marginal_floor(plan, sizes, window, d):
    """(K,) marginal stability (see stabcore.analysis.knots) of the features ranked k + 1 … k + window without any signal.

    Under the model of noise_floor, with a and b the quantiles that cut off k and k + window features: two runs both rank a feature
    there with probability P(b < |X| < a, b < |Y| < a) = Q(a, a) − 2 Q(a, b) + Q(b, b), Q(a, b) = P(|X| > a, |Y| > b), and
    d (1 − 2k/d + Q(a, a)) features are among the k best of neither.
    """
    from scipy.special import ndtri

    k = np.asarray(sizes, dtype=float)
    a, b = -ndtri(k / d / 2), -ndtri((k + window) / d / 2)
    shared, by_chance = np.zeros((2, len(k)))
    for rho, weight in plan.shared_rows():
        both = [_both_above(one, other, rho) for one, other in ((a, a), (a, b), (b, b))]
        shared += weight * d * (both[0] - 2 * both[1] + both[2])
        by_chance += weight * (d - 2 * k + d * both[0]) * window ** 2 / (d - k) ** 2
    with np.errstate(invalid="ignore", divide="ignore"):
        return (shared - by_chance) / (window - by_chance)


def marginal_spread(plan, sizes, window, d):
    """(K,) standard deviation of marginal_floor from one table without any signal to the next, d independent features.

    Given u, what a feature's score is in all runs, it is among the k best with p(u), among the `window` next with r(u). With
    F = Σ r², E = c Σ (1 − p)², c = window²/(d − k)², the value is m = (F − E)/(window − E), so that G = r² − (1 − m) c (1 − p)² of
    each feature moves it, less what the cuts a and b give way, as k and window are fixed: G − βp − β'(p + r).
    """
    from scipy.special import ndtr, ndtri

    rho = sum(weight * one for one, weight in plan.shared_rows())
    u = np.linspace(-7, 7, 601)
    density = np.exp(-u * u / 2) / np.exp(-u * u / 2).sum()

    def among(cut):
        return sum(ndtr((sign * np.sqrt(rho) * u - cut) / np.sqrt(1 - rho)) for sign in (1, -1))

    def spread(k):
        a, b, c = -ndtri(max(k, 1e-9) / d / 2), -ndtri((k + window) / d / 2), window ** 2 / (d - k) ** 2

        def moves(a, b, m=0.0):
            p, reached = among(a), among(b)
            return (reached - p) ** 2 - (1 - m) * c * (1 - p) ** 2, p, reached

        shared, by_chance = ((moves(a, b, m)[0] @ density) * d for m in (1.0, 0.0))
        by_chance = shared - by_chance
        m, step = (shared - by_chance) / (window - by_chance), 1e-4
        G, p, reached = moves(a, b, m)
        give_a, give_b = ([(up - down) @ density for up, down in zip(moves(a + x, b + y, m), moves(a - x, b - y, m), strict=True)]
                          for x, y in ((step, 0), (0, step)))
        G = G - (give_a[0] / give_a[1] * p if k > 0 else 0) - give_b[0] / give_b[2] * reached
        return np.sqrt(d * max((G * G) @ density - (G @ density) ** 2, 0.0)) / (window - by_chance)

    if rho == 0:
        return np.zeros(len(sizes))
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.array([spread(float(k)) if k + window < d else np.nan for k in sizes])


def _both_above(a, b, rho):
    """P(|X| > a, |Y| > b) of standard normal X and Y with correlation ρ, elementwise; a = ∞ for none, as where k = 0.

    The integral of the density over its correlation; ρ = sin t takes 1/√(1 − ρ²) out of it.
    """
    from scipy.special import ndtr

    a, b = np.minimum(a, 40.0), np.minimum(b, 40.0)         # beyond, nothing is left
    nodes, weights = np.polynomial.legendre.leggauss(4 * NODES)     # near t = π/2 the two differ by a sharp peak
    top = np.arcsin(rho)
    t = top * (nodes + 1) / 2
    sine, a, b = np.sin(t), a[:, None], b[:, None]
    with np.errstate(under="ignore"):
        inside = (np.exp(-(a * a - 2 * a * b * sine + b * b) / (2 * np.cos(t) ** 2))
                  - np.exp(-(a * a + 2 * a * b * sine + b * b) / (2 * np.cos(t) ** 2)))
    return 4 * ndtr(-a[:, 0]) * ndtr(-b[:, 0]) + top / (2 * np.pi) * (inside @ weights)


def often_without_signal(plan, k, d, share, runs):
    """The share of the features that at least `share` of so many runs select without any signal.

    The score of a feature in a run is √ρ u + √(1 − ρ) e: u is the same in all runs, as far as they share rows, e is the run's
    own. So it is selected in Binomial(runs, p(u)) of them, p(u) = P(|√ρ u + √(1 − ρ) e| > c), which is averaged over the normal u
    (c and ρ as in noise_floor; where pairs of runs share unequal amounts, as in halves, ρ is their mean). share: 0 < share ≤ 1.
    """
    from scipy.special import ndtr, ndtri
    from scipy.stats import binom

    if k == d:
        return 1.0
    rho = sum(weight * one for one, weight in plan.shared_rows())
    cut, own = -ndtri(k / d / 2), np.sqrt(1 - rho)
    u = np.linspace(-8, 8, 4001)
    selected = ndtr((np.sqrt(rho) * u - cut) / own) + ndtr((-np.sqrt(rho) * u - cut) / own)
    enough = binom.sf(np.ceil(share * runs - 1e-9) - 1, runs, np.clip(selected, 0, 1))
    density = np.exp(-u * u / 2)
    return float(enough @ density / density.sum())
