"""Statistics of the columns of an array with gaps: (n, p) to (p,), all columns at once."""

import numpy as np

MIN_CELLS = 2  # smallest number of known cells of a class in a column: one cell has no spread and separates classes by chance
_MIN_COMMON_ROWS = 3  # smallest number of rows of a correlation: on two, every |r| is 1
_MIN_SPREAD = 1e-12  # smaller shares of the spread of a column are rounding
_BLOCK = 2**16  # cells per block, small enough for the cache of one core
_MIN_BLOCK_COLUMNS = (
    8  # smallest number of columns per block: a single column is added in another order, which changes the last digit
)


def apply_by_block(function, X, columns, *arguments):
    """The (p,) result of a function of some columns (p,) of X, a few of them at a time."""
    n_blocks = min(len(X) * len(columns) // _BLOCK, len(columns) // _MIN_BLOCK_COLUMNS)
    blocks = np.array_split(columns, max(n_blocks, 1))
    return np.concatenate([function(np.ascontiguousarray(X[:, block]), *arguments) for block in blocks])


def variances(X) -> np.ndarray:
    """(p,) sample variances of the known cells of X (n, p), 0 if fewer than two are known."""
    known = ~np.isnan(X)
    scale, x = _centred(X, known)
    count = known.sum(axis=0)
    with np.errstate(over="ignore"):
        estimates = (x**2).sum(axis=0) / np.maximum(count - 1, 1) * scale**2
    return np.where(_is_constant(X), 0, np.minimum(estimates, np.finfo(float).max))


def separation(X, y) -> np.ndarray:
    """(p,) |0.5 − AUC| of each column of X (n, p), without gaps. For more than two classes see `AUC`."""
    from scipy.stats import rankdata

    known = ~np.isnan(X)
    ranks = np.where(known, rankdata(np.where(known, X, np.inf), axis=0), 0)  # gaps last, so that they do not change ranks
    classes = np.arange(1 if y.max() == 1 else 0, y.max() + 1)
    total = np.zeros(X.shape[1])
    for c in classes:
        inside, all_known = known[y == c].sum(axis=0), known.sum(axis=0)
        outside = all_known - inside
        beyond = 2 * ranks[y == c].sum(axis=0) - inside * (all_known + 1)  # whole numbers, so that equal features stay equal
        defined = (inside >= MIN_CELLS) & (outside >= MIN_CELLS)
        share = np.mean(y == c) if len(classes) > 1 else 1
        total += share * np.where(defined, np.abs(beyond) / np.maximum(2 * inside * outside, 1), 0)
    return total


def welch_t(X, y) -> np.ndarray:
    """(p,) |t| between two classes, of each column of X (n, p), 0 below two known cells in a class, inf without spread."""
    count, mean, squares = _class_moments(X, y)
    defined = (count >= MIN_CELLS).all(axis=0) & ~_is_constant(X)
    error = (squares / np.maximum(count * (count - 1), 1)).sum(axis=0)
    return _ratio(np.abs(mean[1] - mean[0]), np.sqrt(error), defined)


def anova_f(X, y) -> np.ndarray:
    """(p,) F over the classes with at least two known cells in a column of X (n, p): 0 with one such class, inf without spread."""
    count, mean, squares = _class_moments(X, y)
    used = count >= MIN_CELLS
    count, classes, n = count * used, used.sum(axis=0), (count * used).sum(axis=0)
    grand = (count * mean).sum(axis=0) / np.maximum(n, 1)
    between = (count * (mean - grand) ** 2).sum(axis=0) / np.maximum(classes - 1, 1)
    within = (squares * used).sum(axis=0) / np.maximum(n - classes, 1)
    varies = ~_is_constant(np.where(used[y], X, np.nan))
    return _ratio(between, within, (classes > 1) & varies)


def _ratio(above, below, defined):
    """above/below where defined, inf where below is 0, 0 elsewhere."""
    return np.divide(above, below, out=np.where(defined, np.inf, 0.0), where=defined & (below > 0))


def _class_moments(X, y):
    """Known cells, means and sums of squared deviations (C, p) of each class, exactly 0 for a class of equal values."""
    known = ~np.isnan(X)
    x = _centred(X, known)[1]
    count, mean, squares = np.zeros((3, y.max() + 1, X.shape[1]))
    for c in range(y.max() + 1):
        rows = y == c
        count[c] = known[rows].sum(axis=0)
        mean[c] = x[rows].sum(axis=0) / np.maximum(count[c], 1)
        deviation = np.where(known[rows], x[rows] - mean[c], 0)
        squares[c] = np.where(_is_constant(X[rows]), 0, (deviation**2).sum(axis=0))
    return count, mean, squares


def _centred(X, known):
    """Largest magnitude (p,), and X (n, p) divided by it, less its mean, 0 at gaps, so that squares stay in range for any unit."""
    x = np.where(known, X, 0)
    scale = np.abs(x).max(axis=0, initial=0)
    x /= np.where(scale > 0, scale, 1)
    x -= x.sum(axis=0) / np.maximum(known.sum(axis=0), 1)
    return scale, np.where(known, x, 0)


def _is_constant(X):
    """(p,) True where at most one value is known."""
    low, high = np.fmin.reduce(X, axis=0), np.fmax.reduce(X, axis=0)
    return ~(low < high)


class Correlations:
    """|Pearson's r| of one column with every column of X (n, p), each pair over the rows where both are known."""

    def __init__(self, X):
        constant = _is_constant(X)
        X = np.where(constant, 0, X)
        known = ~np.isnan(X)
        self._x = _centred(X, known)[1]
        self._known = None if known.all() else known.astype(float)
        norm = np.sqrt((self._x**2).sum(axis=0))
        self._x /= np.where(constant, np.inf, norm)

    def row(self, s) -> np.ndarray:
        """(p,), 0 for constants and for pairs with fewer than three common rows, rounded so that ties are exact."""
        x, column = self._x, self._x[:, s]
        if self._known is None:
            return np.round(np.minimum(np.abs(column @ x), 1), 12)
        both = self._known[:, s]
        n = np.maximum(both @ self._known, 1)
        sum_one, sum_x = column @ self._known, both @ x
        spread_one, spread_x = column**2 @ self._known - sum_one**2 / n, both @ x**2 - sum_x**2 / n
        defined = (n >= _MIN_COMMON_ROWS) & (spread_one > _MIN_SPREAD) & (spread_x > _MIN_SPREAD)
        correlations = np.abs(column @ x - sum_one * sum_x / n) / np.sqrt(np.where(defined, spread_one * spread_x, 1))
        return np.where(defined, np.round(np.minimum(correlations, 1), 12), 0)
