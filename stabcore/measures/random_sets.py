"""Values of random selections: exact expectations over random sets of given sizes."""

import numpy as np

MIN_REPORTED_CHANCE = 0.01  # smallest chance value that is reported


def mean_product(sizes) -> float:
    """Mean of k_i k_j over pairs of runs, k̄² − s²/M. Where sizes vary, the chance overlap is below k̄²/d."""
    n = len(sizes)
    return float((sizes.sum() ** 2 - (sizes**2).sum()) / (n * (n - 1)))


def chance_note(expected_by_chance, because) -> list[str]:
    """A sentence where random selections do not score about 0, as a corrected measure promises. Otherwise none."""
    if abs(expected_by_chance) < MIN_REPORTED_CHANCE:
        return []
    return [f"{because}. Random selections therefore score {expected_by_chance:.2f} here, not 0."]


def unequal_sizes_reason(sizes) -> str:
    """The range of the sizes, as the reason why random sets do not score 0."""
    return f"The runs select from {sizes.min():.0f} to {sizes.max():.0f} features"


def random_pair_moments(pair, a, b, d):
    """(mean, standard deviation) of a pair value over two random sets of sizes a and b out of d features.

    pair: formula of (r, a, b, d). The overlap r of two random sets is hypergeometric, so both are finite sums. NaN where the
    formula has no value for an overlap that can happen.
    """
    r, chance = _overlap_distribution(int(a), int(b), int(d))
    with np.errstate(invalid="ignore", divide="ignore"):
        value = np.asarray(pair(r.astype(float), float(a), float(b), d), dtype=float)
    mean = float((chance * value).sum())
    return mean, float(np.sqrt(max((chance * (value - mean) ** 2).sum(), 0)))


def _overlap_distribution(a, b, d):
    """(r, probabilities) of the overlap of two random sets, up to 12 standard deviations (and 12) around its mean.

    Ratios of neighbouring probabilities cost far less than a distribution object for each of thousands of sizes.
    """
    centre, reach = a * b / d, 12 + 12 * np.sqrt(a * b * (d - a) * (d - b) / (d * d * max(d - 1, 1)))
    r = np.arange(max(0, a + b - d, int(centre - reach)), min(a, b, int(centre + reach) + 1) + 1)
    up = np.log((a - r[:-1]) * (b - r[:-1]) / (r[1:] * (d - a - b + r[1:])))
    weight = np.cumsum(np.r_[0.0, up])
    chance = np.exp(weight - weight.max())
    return r, chance / chance.sum()


def count_probabilities(shares):
    """(M + 1,) Poisson-binomial probabilities that h = 0 … M runs select a feature, run i with probability shares[i]."""
    chance = np.ones(1)
    for share in np.asarray(shares, dtype=float):
        chance = np.convolve(chance, [1 - share, share])
    return chance


def union_probabilities(sizes, d):
    """(sizes of the union, probabilities) of independent random sets out of d features. Drops probabilities below 1e-18.

    One set after another: of the d − v features not yet in the union, a set of k picks a hypergeometric number.
    """
    log_factorial = np.r_[0.0, np.cumsum(np.log(np.arange(1.0, d + 1)))]

    def log_choose(n, k):
        return log_factorial[n] - log_factorial[k] - log_factorial[n - k]

    low, chance = 0, np.ones(1)
    for k in np.asarray(sizes, dtype=int):
        union = np.arange(low, low + len(chance))
        new = np.arange(max(0, k - union[-1]), min(k, d - low) + 1)
        step_low = new[0]
        wide = np.zeros(union[-1] - low + len(new))
        for v, weight in zip(union, chance):
            fits = (new <= d - v) & (new >= k - v)
            j = new[fits]
            step = np.exp(log_choose(d - v, j) + log_choose(v, k - j) - log_choose(d, k))
            wide[v - low + j - step_low] += weight * step
        low += step_low
        likely = np.flatnonzero(wide > 1e-18)
        low, chance = low + likely[0], wide[likely[0] : likely[-1] + 1]
    return np.arange(low, low + len(chance)).astype(float), chance / chance.sum()


def expected_without_each(sizes, expected, units=None, most=5):
    """(G,) expected(sizes without each unit).

    It depends on the left-out sizes alone, so it is computed once for units of equal sizes. For more than `most` different units of
    one run it is computed at that many and interpolated, because it hardly bends between them.
    """
    units = np.arange(len(sizes)) if units is None else units
    sizes_of_units = [tuple(np.sort(sizes[units == unit])) for unit in range(int(units.max()) + 1)]
    kinds = sorted(set(sizes_of_units))
    if len(kinds) > most and len(sizes_of_units) == len(sizes):
        kinds = [(size,) for size in np.unique(np.quantile(sizes, np.linspace(0, 1, most), method="nearest"))]
    values = {kind: expected(rest) if len(rest := sizes[units != sizes_of_units.index(kind)]) > 1 else np.nan for kind in kinds}
    if len(sizes_of_units) == len(sizes):
        return np.interp(sizes, np.ravel(kinds), list(values.values()))
    return np.array([values[kind] for kind in sizes_of_units])
