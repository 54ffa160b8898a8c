"""Features of several columns beside features of one: what a statistic is worth, given how much of it chance brings.

With no signal a category of six levels still follows any outcome more closely than a number, as it has five ways to follow it:
its degrees of freedom, which `Design` states. Where the law of a statistic under no signal is known, `as_likely` takes that
away; where only its size for a column is, as of weights, the mean over columns does (`mean_squares`); where neither is, as with
trees, `against_chance` compares with outcomes that were shuffled. A number of few values has few places to be cut, and is treated
there as a category is. Nothing here changes a table of numbers of many values.
"""

from __future__ import annotations

import numpy as np

from stabcore.data.encoding import few_distinct

FEW = 5  # different values up to which a number has few
_FAR = 1e-200  # chances below this are compared by their logarithms
_TERMS = 60  # of the continued fraction: many more than it takes so far out
_STEPS = 50  # of the search for a value as far out


def as_likely(statistic, degrees, than=1.0) -> np.ndarray:
    """The value of χ² on `than` degrees of freedom that chance exceeds as often as it exceeds `statistic` on `degrees`.

    Arrays that broadcast; degrees above 0, not necessarily whole. The order of features of the same degrees stays, and so does
    a value whose degrees are `than` (but for rounding). Source: the definition of the p-value; Pearson 1900, Philosophical
    Magazine 50:157-175 for χ².
    """
    from scipy.special import gammaincc, gammainccinv

    x, a, b = (np.array(array, dtype=float) / 2 for array in np.broadcast_arrays(statistic, degrees, than))
    chance = gammaincc(a, x)
    values = np.array(gammainccinv(b, chance))
    far = (chance < _FAR) & np.isfinite(x)
    if far.any():
        aim, value, b = _log_chance(a[far], x[far]), x[far], b[far]
        for _ in range(_STEPS):  # Newton's, whose slope is nearly −1 so far out
            value = value + _log_chance(b, value) - aim
        values[far] = value
    return 2 * values


def _log_chance(a, x):
    """Logarithm of the upper incomplete gamma function over Γ(a), for x well above a, by Legendre's continued fraction."""
    from scipy.special import gammaln

    fraction = x
    for i in range(_TERMS, 0, -1):
        fraction = x + (i - a) / (1 + i / fraction)
    return a * np.log(x) - x - np.log(fraction) - gammaln(a)


def mean_squares(squares, feature, n_features) -> np.ndarray:
    """(n_features,) means of squared weights (p,) over the columns of each feature: with no signal as large for any number."""
    return np.bincount(feature, weights=squares, minlength=n_features) / np.maximum(np.bincount(feature, minlength=n_features), 1)


def usual_weights(weights, feature, n_features) -> np.ndarray:
    """(n_features,) |w| of a feature of one column, √(Σ w²/p) of one of p."""
    return np.sqrt(mean_squares(np.square(weights), feature, n_features))


def against_chance(scores, chance, table) -> np.ndarray:
    """Scores (d,), those of `uneven` features times (mean chance of the other features) / (their own chance).

    chance: (d,) what each feature scores for shuffled outcomes, its mean or a quantile; a feature that then scores nothing stays as
    it is. Where every feature is uneven, the mean is over all. Source: Altmann et al. 2010, Bioinformatics 26:1340-1347,
    who compare importances with those for permuted outcomes.
    """
    differs = uneven(table)
    usual = ~differs & (chance > 0)  # a constant is no number to compare with
    usual = chance[usual].mean() if usual.any() else chance.mean()
    return np.where(differs & (chance > 0), scores * usual / np.where(chance > 0, chance, 1), scores)


def uneven(table) -> np.ndarray:
    """(d,) True for features that are not cut in as many places as a number: categories, numbers of few values or with gaps."""
    low, high, gaps = table.extremes
    few = (low < high) & few_distinct(np.asarray(table.values), FEW)
    return np.asarray(table.categorical, dtype=bool) | gaps | few


def some_of(features, most) -> np.ndarray:
    """At most so many of some features, evenly spread over their places: they stand for all."""
    return features[np.linspace(0, len(features) - 1, min(len(features), most)).astype(int)]
