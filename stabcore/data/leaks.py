"""Columns that reveal the target: recorded after the outcome, or because of it."""

from itertools import combinations
from math import comb

import numpy as np

from stabcore.base.target import TIME, kind_of_target
from stabcore.survival.concordance import column_concordances

LEAK = 0.99
_MIN_CELLS = 10  # smallest number of filled cells for which such agreement is not chance
_BLOCK = 2_000_000


def revealing_columns(columns, target, n_classes):
    """The columns that predict the target (almost) perfectly on their own.

    Classes: nearly every row of every class lies in levels where its class prevails, or any two classes are separated by a
    threshold. A number (n_classes 0): Spearman's |ρ| with the target is at least 0.99, or the correlation ratio of the ranks
    between the levels of a category is.
    """
    from scipy.stats import rankdata

    levels = [column for column in columns if column.levels and len(column.levels) * 5 <= len(target)]
    numbers = [column for column in columns if not column.levels]
    grouped = [(c, c.values) for c in levels] + [(c, np.isnan(c.values)) for c in columns if c.missing]
    if kind_of_target(target) == TIME:  # only an order of the times, because the levels of a category are not risks
        complete = [column for column in numbers if not column.missing]
        areas = column_concordances(np.array([column.values for column in complete]).reshape(-1, len(target)), target)
        telling = {c.name for c, area in zip(complete, areas, strict=True) if max(area, 1 - area) >= LEAK}
    elif n_classes:
        telling = {c.name for c, values in grouped if _levels_separate(values, target)}
        if _beyond_chance(len(numbers), np.bincount(target)):
            telling |= {numbers[j].name for j in _separating(numbers, target)}
    else:
        ranks = rankdata(target)
        telling = {c.name for c, values in grouped if _levels_order(values, ranks)}
        telling |= {c.name for c, rho in zip(numbers, target_correlations(numbers, target), strict=True) if abs(rho) >= LEAK}
    return [column for column in columns if column.name in telling]


def _levels_order(values, ranks):
    """Whether the levels account for nearly all variance of the ranks: a correlation ratio of at least 0.99."""
    _, levels = np.unique(values, return_inverse=True)  # missing is one level
    means = np.bincount(levels, ranks) / np.bincount(levels)
    return bool(means[levels].var() >= LEAK**2 * ranks.var())


def target_correlations(columns, target):
    """Spearman's ρ of each column with the target over its filled cells, 0 if there are too few of them."""
    step = max(_BLOCK // len(target), 1)
    blocks = [
        _spearman(np.column_stack([column.values for column in columns[start : start + step]]), target)
        for start in range(0, len(columns), step)
    ]
    return np.concatenate(blocks) if blocks else np.zeros(0)


def _spearman(values, target):
    filled = ~np.isnan(values)
    count = filled.sum(axis=0)
    ranks = [_ranks_of_filled(numbers, filled) for numbers in (values, np.broadcast_to(target[:, None], values.shape))]
    first, second = (np.where(filled, rank - (count + 1) / 2, 0.0) for rank in ranks)
    scale = np.sqrt((first**2).sum(axis=0) * (second**2).sum(axis=0))
    enough = (count >= _MIN_CELLS) & (scale > 0)
    return np.divide((first * second).sum(axis=0), scale, out=np.zeros(len(count)), where=enough)


def _ranks_of_filled(values, filled):
    from scipy.stats import rankdata

    return rankdata(np.where(filled, values, np.inf), axis=0)  # empty cells rank last


def _levels_separate(values, codes):
    """Whether nearly every row of every class lies in levels where its class prevails."""
    _, levels = np.unique(values, return_inverse=True)  # missing is one level
    table = np.zeros((levels.max() + 1, codes.max() + 1))
    np.add.at(table, (levels, codes), 1)
    prevails = np.arange(table.shape[1]) == table.argmax(axis=1)[:, None]
    return bool(((table * prevails).sum(axis=0) / table.sum(axis=0)).min() >= LEAK)


def _beyond_chance(n_columns, counts):
    """Whether a column that separates two classes is unlikely among this number of random columns."""
    two = np.sort(counts)[:2]
    return n_columns * 200 < comb(int(two.sum()), int(two[0]))


def _separating(columns, codes):
    """Numbers of the columns in which every two classes are (almost) separated by a threshold."""
    left = np.arange(len(columns))
    for a, b in combinations(range(codes.max() + 1), 2):
        rows = np.flatnonzero((codes == a) | (codes == b))
        step = max(_BLOCK // len(rows), 1)
        areas = [
            _areas(np.column_stack([columns[j].values[rows] for j in left[start : start + step]]), codes[rows] == b)
            for start in range(0, len(left), step)
        ]
        left = left[np.concatenate(areas) >= LEAK] if areas else left
    return left


def _areas(values, positive):
    """Area under the ROC curve of each column, in the better direction, over the filled cells. 0 if a class has under 5."""
    filled = ~np.isnan(values)
    n_positive, n_negative = filled[positive].sum(axis=0), filled[~positive].sum(axis=0)
    ranks = np.where(filled, _ranks_of_filled(values, filled), 0.0)
    wins = ranks[positive].sum(axis=0) - n_positive * (n_positive + 1) / 2
    area = wins / np.maximum(n_positive * n_negative, 1)
    return np.where(np.minimum(n_positive, n_negative) < 5, 0.0, np.maximum(area, 1 - area))
