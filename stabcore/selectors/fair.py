"""Fair comparison of features with several columns or few values: statistics corrected for chance.

By chance a category of six levels follows the outcome more closely than a number, because it has five degrees of freedom
(see `Design`). If the null distribution of a statistic is known, `equivalent_chi2` corrects for this. If only its size for one
column is known, as for weights, the mean over columns does (`mean_squares`). Otherwise, as for trees, `chance_adjusted` compares
with shuffled outcomes. A number with few values offers few cuts and is treated there like a category. Tables of numbers with many
values are not changed.
"""

import numpy as np

from stabcore.data.encoding import few_distinct

MAX_FEW_VALUES = 5  # largest number of different values of a number with few values
_MIN_PROBABILITY = 1e-200  # probabilities below this are compared by their logarithms
_FRACTION_TERMS = 60  # terms of the continued fraction, many more than needed in the far tail
_SEARCH_STEPS = 50  # steps of the search for a value in the far tail


def equivalent_chi2(statistic, degrees, new_degrees=1.0) -> np.ndarray:
    """The χ² value on `than` degrees of freedom with the same p-value as `statistic` on `degrees`.

    Arrays that broadcast. Degrees are above 0, not necessarily whole. Features with equal degrees keep their order, and values with
    `than` degrees do not change, apart from rounding. Source: the definition of the p-value, and Pearson 1900, Philosophical
    Magazine 50:157-175 for χ².
    """
    from scipy.special import gammaincc, gammainccinv

    x, a, b = (np.array(array, dtype=float) / 2 for array in np.broadcast_arrays(statistic, degrees, new_degrees))
    chance = gammaincc(a, x)
    values = np.array(gammainccinv(b, chance))
    far = (chance < _MIN_PROBABILITY) & np.isfinite(x)
    if far.any():
        aim, value, b = _log_upper_gamma(a[far], x[far]), x[far], b[far]
        for _ in range(_SEARCH_STEPS):  # Newton steps, with a slope of nearly −1 in the far tail
            value = value + _log_upper_gamma(b, value) - aim
        values[far] = value
    return 2 * values


def _log_upper_gamma(a, x):
    """Logarithm of the upper incomplete gamma function over Γ(a), for x well above a, by Legendre's continued fraction."""
    from scipy.special import gammaln

    fraction = x
    for i in range(_FRACTION_TERMS, 0, -1):
        fraction = x + (i - a) / (1 + i / fraction)
    return a * np.log(x) - x - np.log(fraction) - gammaln(a)


def mean_squares(squares, feature, n_features) -> np.ndarray:
    """(n_features,) mean squared weights (p,) over the columns of each feature.

    Without signal they do not depend on the number of columns.
    """
    return np.bincount(feature, weights=squares, minlength=n_features) / np.maximum(np.bincount(feature, minlength=n_features), 1)


def feature_weights(weights, feature, n_features) -> np.ndarray:
    """(n_features,) |w| of a feature with one column, √(Σ w²/p) with p columns."""
    return np.sqrt(mean_squares(np.square(weights), feature, n_features))


def chance_adjusted(scores, chance, table) -> np.ndarray:
    """Scores (d,), those of `has_few_cuts` features times (mean chance of the other features) / (their own chance).

    chance: (d,) the score of each feature for shuffled outcomes, its mean or a quantile. A feature whose chance score is 0 is
    not changed. If every feature is uneven, the mean is over all. Source: Altmann et al. 2010, Bioinformatics 26:1340-1347,
    who compare importances with those for permuted outcomes.
    """
    differs = has_few_cuts(table)
    usual = ~differs & (chance > 0)  # a constant is not used for comparison
    usual = chance[usual].mean() if usual.any() else chance.mean()
    return np.where(differs & (chance > 0), scores * usual / np.where(chance > 0, chance, 1), scores)


def has_few_cuts(table) -> np.ndarray:
    """(d,) True for features with fewer possible cuts than a number: categories, numbers with few values or gaps."""
    low, high, gaps = table.extremes
    few = (low < high) & few_distinct(np.asarray(table.values), MAX_FEW_VALUES)
    return np.asarray(table.categorical, dtype=bool) | gaps | few
