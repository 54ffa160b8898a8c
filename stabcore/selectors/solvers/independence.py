"""Mean and variance of plug-in mutual information of two independent variables.

Plug-in information increases with the number of cells, so features with many codes appear more informative. Under independence,
given the number of rows with each code, the count c of a cell is hypergeometric. With a rows of one code, b of
the other, n in all and m = ab/n, the information times n is Σ over the cells of h(c) = c ln(c/m) − c + m. Its mean is the sum of
the exact means. In its variance, the variance of each cell is exact. The covariance of two cells is that of the parts of h of
first and second degree in c. Polynomials of degree r that are orthonormal for each cell have the correlation ρ_ii' ρ_jj' in cells
(i, j) and (i', j'), where ρ_ii' = (−1)^r √((a_i)_r (a_i')_r / ((n − a_i)_r (n − a_i')_r)) and (a)_r is the falling factorial.
Polynomials of different degrees are uncorrelated. Sources: Vinh, Epps & Bailey 2010, JMLR 11:2837-2854 (the mean). Romano, Bailey,
Nguyen & Verspoor 2014, ICML 1143-1151 (information in standard deviations). Wilson & Hilferty 1931, PNAS 17:684-688
(`matched_chi2`). The correlations are our own, and tests compare them with enumeration.
"""

from functools import lru_cache

import numpy as np

from stabcore.data.feature_table import read_only

_MAX_EXACT_ROWS = (
    200  # largest number of rows for which every margin is computed: beyond it, some are computed and others interpolated
)
_NODE_RATIO = 1.05  # ratio of successive computed margins
_MAX_DEVIATIONS = 9.0  # relevant standard deviations of a count
_CACHE_SIZE = 4096  # cached tables of a margin
_SIGN = np.array([-1.0, 1.0])  # (−1)^r
_TOLERANCE = 1e-9  # variances below this are 0 up to rounding


def matched_chi2(statistic, mean, variance, degrees) -> np.ndarray:
    """(d,) the χ² value on `degrees` with the same p-value as a statistic of this mean and variance.

    Both are approximated by gamma distributions, with Wilson & Hilferty's cube root: z = (∛(x/mean) − 1 + h)/√h with h =
    variance/(9 mean²), and back with h = 2/(9 degrees). A statistic without variance has z = 0. One that is always 0 stays 0.
    """
    varies, possible = variance > _TOLERANCE, mean > _TOLERANCE
    if not varies.all():
        mean, variance = np.where(varies, mean, 1.0), np.where(varies, variance, 1.0)
    spread, degrees = variance / (9 * mean**2), max(degrees, 1)
    z = (np.cbrt(statistic / mean) - 1 + spread) / np.sqrt(spread)
    if not varies.all():
        z[~varies] = 0
    usual = 2 / (9 * degrees)
    return possible * degrees * np.maximum(1 - usual + z * usual**0.5, 0) ** 3


def information_moments(counts, start, others) -> tuple[np.ndarray, np.ndarray]:
    """(mean, variance), (d,) each, of n · information in nats, for features and an independent variable.

    counts: (B,) rows with each code of the features, those of feature f from start[f] on. others: rows with each code of the other
    variable, whose sum n is that of the counts of every feature.
    """
    mean, variance, first, second = np.add.reduceat(
        _moment_table(tuple(sorted(int(other) for other in others if other))).take(counts, axis=1), start, axis=1
    )
    return mean, variance - first**2 + second**2


@lru_cache(maxsize=512)
def _moment_table(others):
    """(4, n + 1) by the rows a of a code, given those of each code of the other variable.

    The rows are its contributions to the mean, to the variance by itself, and to two sums over codes, of degree 1 and 2. The
    squares of these sums are the rest of the variance.
    """
    n = sum(others)
    cells, weight, beside = (
        np.stack([_cell_moments(n, other) for other in others], axis=1),
        _node_ratios(n),
        _margin_ratios(n, np.array(others)),
    )
    of_h, values, rest = cells[0], cells[1:3], cells[3]  # (J, m), (2, J, m), (J, m)
    between = _SIGN[:, None, None] * (beside[:, :, None] * beside[:, None, :])
    between[:, *np.diag_indices(len(others))] = 1.0
    weighed, signs = between @ values, _SIGN[:, None]
    variance = rest.sum(axis=0) + ((1 - signs * weight**2) * (values * weighed).sum(axis=1)).sum(axis=0)
    along = values @ weight[:, :, None]  # (2, J, 1): the codes differ in the size of their contribution, hardly in its direction
    size = np.sqrt(np.maximum((along * (between @ along)).sum(axis=(1, 2)), 0))
    parts = weight * (along * weighed).sum(axis=1) / np.where(size > _TOLERANCE, size, np.inf)[:, None]
    table = np.vstack([of_h.sum(axis=0), variance, parts])
    if table.shape[1] <= n:
        table = np.stack([np.interp(np.arange(n + 1), _nodes(n), row) for row in table])
    return read_only(table)


def _margin_ratios(n, rows):
    """(2, m) √((a)_r/(n − a)_r) of the margins a, r = 1 and 2, 0 where that is infinite because nothing varies."""
    rows = rows.astype(float)
    above, below = np.stack([rows, rows * (rows - 1)]), np.stack([n - rows, (n - rows) * (n - rows - 1)])
    return np.sqrt(np.divide(above, below, out=np.zeros_like(above), where=below > 0))


@lru_cache(maxsize=512)
def _node_ratios(n):
    """`_margin_ratios` at the nodes of n."""
    return read_only(_margin_ratios(n, _nodes(n)))


@lru_cache(maxsize=512)
def _nodes(n):
    """Margins with computed values: all up to _EVERY rows, otherwise all small ones and then fewer and fewer."""
    if n <= _MAX_EXACT_ROWS:
        return np.arange(n + 1)
    grown = np.exp(np.arange(np.log(_MAX_EXACT_ROWS / 4), np.log(n), np.log(_NODE_RATIO))).astype(int)
    return np.unique(np.concatenate([np.arange(_MAX_EXACT_ROWS // 4), grown, n - np.arange(5)]))


@lru_cache(maxsize=_CACHE_SIZE)
def _cell_moments(n, b):
    """(4, m) at the nodes a of n, of a cell with b rows of the other.

    The rows are the mean of h, its parts of first and second degree, and the rest of its variance.
    """
    a = _nodes(n)
    mean = a * (b / n)
    far = _MAX_DEVIATIONS * np.sqrt(mean * (n - a) * (n - b) / (n * max(n - 1, 1))) + 2
    low, high = np.maximum(np.maximum(0, a + b - n), np.floor(mean - far)), np.minimum(np.minimum(a, b), np.ceil(mean + far))
    count = low[:, None] + np.arange(int((high - low).max()) + 1)
    inside = count <= high[:, None]
    count = np.where(inside, count, low[:, None]).astype(int)
    factorial = np.concatenate([[0.0], np.cumsum(np.log(np.arange(1, n + 1)))])
    log_chance = (factorial[a] + factorial[n - a] + factorial[b] + factorial[n - b] - factorial[n])[:, None] - (
        factorial[count] + factorial[a[:, None] - count] + factorial[b - count] + factorial[n - a[:, None] - b + count]
    )
    chance = np.where(inside, np.exp(log_chance), 0.0)
    chance /= chance.sum(axis=1, keepdims=True)
    away, expected = count - mean[:, None], np.where(mean > 0, mean, 1.0)[:, None]
    h = count * np.log(np.where(count > 0, count, 1) / expected) - away
    variance, skew = (chance * away**2).sum(axis=1), (chance * away**3).sum(axis=1)
    square = (
        away**2 - np.divide(skew, variance, out=np.zeros(len(a)), where=variance > _TOLERANCE)[:, None] * away - variance[:, None]
    )
    of_h = (chance * h).sum(axis=1)
    rest, parts = (chance * (h - of_h[:, None]) ** 2).sum(axis=1), []
    for polynomial in (away, square):
        size = (chance * polynomial**2).sum(axis=1)
        parts.append(np.divide((chance * h * polynomial).sum(axis=1), np.sqrt(size), out=np.zeros(len(a)), where=size > _TOLERANCE))
        rest = rest - parts[-1] ** 2
    return read_only(np.stack([of_h, *parts, rest]))
