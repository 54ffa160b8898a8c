"""Empirical Bayes over all features: effects corrected for selection from many estimates.

The largest of many estimates are too large, however they were selected. A prior for the effects is learned from all features
together. The posterior of each feature then needs no correction for the way it was selected. Simulations:
tests/benchmarks/bench_shrinkage.py.
"""

import numpy as np

LEVEL = 0.95
GRID_STEP = 0.25  # step of the grid of effects, in standard errors
GRID = np.arange(-60, 61) * GRID_STEP
ZERO = len(GRID) // 2
MAX_SHRUNKEN = 10.0  # estimates this number of standard errors from 0 are not shrunk
EFFECT_CENTRES = (0, 1, 1.5, 2, 2.5, 3, 3.5, 4, 5, 6, 8)  # centres of nonzero effects on both sides, in standard errors
EFFECT_WIDTHS = (0.25, 0.5, 1, 1.5, 2, 3, 4, 6)  # standard deviations of nonzero effects, at most half of the centre
N_SHARES = 24  # number of shares of features with an effect, from ½ feature to MAX_SHARE
MAX_SHARE = 0.9
NO_EFFECT_ODDS = 0.4  # prior odds that no feature has an effect
MIN_FACTOR_SHARE = 0.1  # smallest share of all variance of a common factor
MIN_FACTOR_FEATURES = 10  # smallest variance of a common factor, in features
FACTOR_EFFECT_ODDS = 0.1  # prior odds that the outcome is associated with a common factor
FACTOR_EFFECT_SIZE = 3.0  # size of this association, in standard errors
MIN_SEPARATE_SHARE = 0.05  # smallest share of its variance that a feature keeps without the factors
HUBER_CONSTANT = 1.345  # Huber's constant
MAX_FACTOR_DISTANCE = 3.0  # features this far from the factors are not used to estimate them


def shrunken_effects(value, error, bend, parts):
    """(mean, low, high), (d,) each, of the posterior of every effect, NaN without an estimate.

    value: (d,) estimates, NaN if missing. error, bend: (d,) their standard error is error · √(1 + bend · (value/error)²).
    parts: (G, d) contribution of each patient to each estimate, see `stabcore.inference.effect_sizes`. It gives the covariance of
    estimates.

    The prior has a mass at 0 and two normal components, mirrored at 0. It is averaged over its three parameters, weighted by
    their likelihood in all features. A fitted prior would be overconfident about the few largest effects. Common factors of many
    features are removed first, and a separate prior shrinks their contributions. Estimates nearly always move towards 0.
    If many effects are similar, smaller estimates increase.

    Source: Efron 2011, JASA 106:1602-1614. Stephens 2017, Biostatistics 18:275-294 (prior with a mass at 0). Fan, Han & Gu 2012,
    JASA 107:1019-1035 (common factors).
    """
    usable = np.isfinite(value) & (error > 0)
    ends = np.full((3, len(value)), np.nan)
    if usable.any():
        ends[:, usable] = np.stack(_posterior(value[usable], error[usable], bend[usable], parts[:, usable]))
    return tuple(ends)


def _posterior(value, error, bend, parts):
    shift, doubt, common = common_shift(value / error / np.sqrt(1 + bend * (value / error) ** 2), parts)
    moved, spread = common
    rest = (value - error * moved) / (error * spread)
    mean, low, high = (moment * error * spread for moment in sparse_posterior(np.clip(rest, -MAX_SHRUNKEN, MAX_SHRUNKEN), bend))
    reach, shift = interval_half_width() * error * doubt, error * shift
    mean, low, high = mean + shift, mean + shift - np.hypot(mean - low, reach), mean + shift + np.hypot(high - mean, reach)
    far, plain = np.abs(rest) > MAX_SHRUNKEN, interval_half_width() * error * np.sqrt(1 + bend * (value / error) ** 2)
    return np.where(far, value, mean), np.where(far, value - plain, low), np.where(far, value + plain, high)


def interval_half_width():
    """Half-width of an interval in standard errors."""
    from scipy.special import ndtri

    return float(ndtri((1 + LEVEL) / 2))


def sparse_posterior(t, bend):
    """Posterior mean, low and high of effects in standard errors, for independent estimates t, averaged over the prior.

    t : (d,) estimates in standard errors. bend : (d,) 1/(2 degrees of freedom), 0 if t is normal.
    """
    weights = effect_priors()
    likely = likelihood(t, bend, GRID)
    none = likelihood(t, bend, np.zeros(1))[:, 0]
    ratio = (likely @ weights) / none[:, None]  # (d, humps) relative to no effect
    shares = np.geomspace(min(0.5 / len(t), MAX_SHARE / 2), MAX_SHARE, N_SHARES)
    fit = np.array([np.log1p(share * (ratio - 1)).sum(axis=0) for share in shares]) - np.log(N_SHARES * weights.shape[1])
    top = max(fit.max(), np.log(NO_EFFECT_ODDS))
    post, no_effects = np.exp(fit - top), NO_EFFECT_ODDS * np.exp(-top)
    total = post.sum() + no_effects
    mass, slabs = np.full(len(t), no_effects / total), np.zeros(ratio.shape)
    for share, of_share in zip(shares, post / total, strict=True):
        over = of_share / (1 + share * (ratio - 1))
        mass += (1 - share) * over.sum(axis=1)
        slabs += share * over
    density = likely * ((slabs / none[:, None]) @ weights.T)
    density[:, ZERO] += mass
    density /= density.sum(axis=1, keepdims=True)
    return density @ GRID, *(_quantile(density, end) for end in ((1 - LEVEL) / 2, (1 + LEVEL) / 2))


def likelihood(t, bend, effects):
    """(d, K) density of estimates t at true effects, in standard errors: noncentral t by its normal approximation.

    Source: Johnson & Welch 1940, Biometrika 31:362-389.
    """
    t, bend = t[:, None], np.broadcast_to(bend, t.shape)[:, None]
    centre, scale = 1 - bend / 2, np.sqrt(1 + bend * t**2)
    slope = np.maximum(centre + effects * t * bend, 1e-6) / scale**3
    return np.exp(-0.5 * ((centre * t - effects) / scale) ** 2) * slope


def effect_priors():
    """(K, humps) priors of nonzero effects, on GRID."""
    shapes = [(centre, width) for centre in EFFECT_CENTRES for width in EFFECT_WIDTHS if not centre or width <= centre / 2]
    density = np.stack(
        [np.exp(-0.5 * ((GRID - centre) / width) ** 2) + np.exp(-0.5 * ((GRID + centre) / width) ** 2) for centre, width in shapes],
        axis=1,
    )
    return density / density.sum(axis=0)


def common_shift(z, parts):
    """Contributions of factors that affect many features to estimates z, in standard errors.

    Returns ((d,) shrunk share of the factors in z, (d,) its standard deviation, ((d,) unshrunk share, (d,) standard deviation of
    the rest of z)). Factors are principal components of the features within classes, with at least MIN_FACTOR_SHARE of all variance
    and the variance of MIN_FACTOR_FEATURES features. They also need twice the variance that few patients give by chance. Patients
    count by their contributions (Kish's effective number), because those of a rare class contribute most. z is regressed on the
    factors robustly, because most features have no separate effect.
    """
    units = parts / np.maximum(np.sqrt((parts**2).sum(axis=0)), 1e-300)
    patients, n_features = units.shape
    wide = n_features > patients
    values, vectors = np.linalg.eigh(units @ units.T if wide else units.T @ units)
    share = (units**2).sum(axis=1) / (units**2).sum()
    large = values > max(MIN_FACTOR_FEATURES, MIN_FACTOR_SHARE * n_features, 2 * n_features * (share**2).sum())
    if not large.any():
        return np.zeros(n_features), np.zeros(n_features), (np.zeros(n_features), np.ones(n_features))
    loadings = units.T @ vectors[:, large] if wide else vectors[:, large] * np.sqrt(values[large])
    rest = np.maximum(1 - (loadings**2).sum(axis=1), MIN_SEPARATE_SHARE)
    scores = _factor_scores(z, loadings, rest)
    mean, variance = _factor_effect(scores)
    return loadings @ mean, np.sqrt((loadings**2) @ variance), (loadings @ scores, np.sqrt(rest))


def _factor_scores(z, loadings, rest):
    """(q,) scores of the factors: weighted least squares, without features that have a separate effect."""
    weight, ridge = np.ones(len(z)), 1e-9 * np.eye(loadings.shape[1])
    for _ in range(30):
        weighed = loadings * (weight / rest)[:, None]
        scores = np.linalg.solve(weighed.T @ loadings + ridge, weighed.T @ z)
        far = np.abs(z - loadings @ scores) / np.sqrt(rest)
        weight = np.where(far > MAX_FACTOR_DISTANCE, 0.0, np.minimum(1, HUBER_CONSTANT / np.maximum(far, 1e-9)))
        if not weight.any():
            return scores
    return scores


def _factor_effect(scores):
    """(mean, variance) of the effect of the outcome on a factor. The score is standard normal around it."""
    slope = FACTOR_EFFECT_SIZE**2 / (1 + FACTOR_EFFECT_SIZE**2)
    odds = FACTOR_EFFECT_ODDS * np.exp(0.5 * scores**2 * slope) / np.sqrt(1 + FACTOR_EFFECT_SIZE**2)
    share, mean = odds / (1 + odds), slope * scores
    return share * mean, share * (slope + mean**2) - (share * mean) ** 2


def _quantile(density, level):
    """(d,) quantiles of densities on GRID: uniform within a step, with the mass at 0."""
    sums = np.cumsum(density, axis=1)
    cell = np.minimum((sums < level).sum(axis=1), len(GRID) - 1)
    rows = np.arange(len(density))
    inside = (level - (sums[rows, cell] - density[rows, cell])) / np.maximum(density[rows, cell], 1e-300)
    return np.where(cell == ZERO, 0.0, GRID[cell] + GRID_STEP * (np.clip(inside, 0, 1) - 0.5))
