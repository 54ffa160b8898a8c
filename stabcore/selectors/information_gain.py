"""Information gain after discretising with the minimum description length (Fayyad & Irani 1993)."""

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from stabcore.data.encoding import discretise, few_distinct
from stabcore.selectors.base import Selector, option
from stabcore.selectors.fair import MAX_FEW_VALUES
from stabcore.selectors.solvers.contingency import whole_number_entropy
from stabcore.selectors.solvers.independence import information_moments, matched_chi2

_STANDARDISED = (
    "adjust categories and numbers of few values, so that they are no more likely to be selected by chance (default: if there "
    "are any), or false as in the paper"
)
_BLOCK = 1 << 17  # values per block, small enough for the cache of one core
_MAX_SHUFFLED = 2_400_000, 20_000  # largest numbers of values and of columns to estimate the acceptance of cuts by chance
_MAX_CHI2 = 500.0  # smallest χ² whose probability is computed by its logarithm
_RESOLUTION = 1e9  # resolution of χ², so that scores do not depend on the order of addition


@dataclass
class InformationGain(Selector):
    """I(X_f; Y) in nats, with numbers cut into intervals by the minimum description length.

    An interval S of N values with k classes is cut into S₁, S₂ at the lowest Ent (the first such cut), while N · gain >
    log(N − 1) + log(3ᵏ − 2) − k Ent(S) + k₁ Ent(S₁) + k₂ Ent(S₂). Only recorded values are cut. Levels of a category (missing is a
    level) are parts without a cut point. Two levels are cut like a number 0/1. The missing and recorded rows of a number are also
    parts. A partition is accepted if N · gain > log W − k Ent(S) + Σ kᵢ Ent(Sᵢ), with W = Σⱼ (−1)ʲ (k over j) (2^(k − j) − 1)ᵛ.
    W counts the ways in which v parts contain some of the k classes each and all of them together (3ᵏ − 2 for two parts). A
    number has many possible cuts, and without signal one of them is accepted much more often than the levels of a category. By
    default each category, and each number with at most five different values, therefore gets the value with the same p-value for a
    number without ties. It is accepted if that number would be. Gaps of a number are described as one more cut. Features without
    an accepted cut are not ranked. Importances are the scores. Source: Fayyad & Irani 1993 (IJCAI), whose count of ways is extended
    from two parts to v.
    """

    zero_is_out = "Cuts of the others do not pay for their description."

    standardised: bool | None = option(None, _STANDARDISED, kind="switch")

    def _score(self, table, codes, rng, k):
        counted, few = ClassEntropy(codes), np.zeros(table.n_features, dtype=bool)
        scores = np.zeros(table.n_features)
        if self.standardised is not False:
            few = np.asarray(table.categorical) | few_distinct(np.asarray(table.values), MAX_FEW_VALUES)
            scores[few] = _number_equivalents(table.columns(np.flatnonzero(few)), codes, counted) / counted.nats
        numbers, categories = np.flatnonzero(~table.categorical & ~few), np.flatnonzero(table.categorical & ~few)
        step = max(1, _BLOCK // table.n_rows)
        for low in range(0, len(numbers), step):
            some = numbers[low : low + step]
            scores[some] = _cut_gain(np.asarray(table.values)[:, some].T, codes, counted, self.standardised is not False)
        if len(categories):
            levels, sizes = discretise(table.columns(categories))
            pieces = np.stack([_class_counts((levels == level).T, codes, counted) for level in range(sizes.max())])
            scores[categories] = _partition_gain(pieces, counted)
            scores[categories[sizes == 2]] = _cut_gain(levels[:, sizes == 2].T.astype(float), codes, counted)
        scores *= counted.nats
        return scores, scores


class ClassEntropy:
    """N · Ent of counts by class, in whole units, so that equal entropies are equal to the last digit."""

    def __init__(self, codes):
        n, self.by_class = len(codes), np.bincount(codes)
        self.table, unit = whole_number_entropy(n, 4 * n * math.log(max(n, 2)))
        self.unit, self.nats = unit, 1 / (n * unit)

    def entropy(self, counts):
        """Entropies from (…, C) counts."""
        return self.table[counts.sum(axis=-1)] - self.table[counts].sum(axis=-1)


def _number_equivalents(table, codes, counted):
    """(d,) information in nats with the same p-value for a number without ties, 0 if its cut is not accepted."""
    if not table.n_features:
        return np.zeros(0)
    levels, sizes = discretise(table, MAX_FEW_VALUES)
    start, n = np.cumsum(sizes) - sizes, len(codes)
    cell = (start + levels)[:, :, None] * len(counted.by_class) + codes[:, None, None]
    cells = np.bincount(cell.ravel(), minlength=int(sizes.sum()) * len(counted.by_class)).reshape(int(sizes.sum()), -1)
    of_levels = np.add.reduceat(counted.entropy(cells), start)
    mean, variance = information_moments(cells.sum(axis=1), start, counted.by_class)
    chi = matched_chi2(2 * (counted.entropy(counted.by_class) - of_levels) / counted.unit, 2 * mean, 4 * variance, 1)
    accepted, least = _chance_acceptance(tuple(sorted(float(f"{count:.2g}") for count in counted.by_class if count)))
    return np.where(variance > 0, _best_cut_chi2(chi, accepted, least), 0) / (2 * n)


def _best_cut_chi2(chi, accepted, least):
    """χ² of the best cut of a number with the same p-value as these on one degree of freedom.

    κ times that of one cut, where κ is accepted / P(χ² > least). 0 below `least`.
    """
    from scipy.stats import chi2

    times = max(accepted / chi2.sf(least, 1), 1.0)
    best = np.where(chi < _MAX_CHI2, chi2.isf(chi2.sf(np.minimum(chi, _MAX_CHI2), 1) / times, 1), chi + 2 * math.log(times))
    return np.where(best >= least, np.rint(best * _RESOLUTION) / _RESOLUTION, 0)


@lru_cache(maxsize=64)
def _chance_acceptance(by_class):
    """(share of accepted cuts, 2n times the least accepted information) of a number without ties, with the classes shuffled."""
    codes = np.repeat(np.arange(len(by_class)), np.array(by_class, dtype=int))
    counted, rng, n = ClassEntropy(codes), np.random.default_rng(0), len(codes)
    n_shuffles, parts = max(1, min(_MAX_SHUFFLED[0] // n, _MAX_SHUFFLED[1])), []
    for start in range(0, n_shuffles, max(1, _BLOCK // n)):
        values = rng.random((min(n_shuffles - start, max(1, _BLOCK // n)), n))
        parts.append(_cut_gain(values, codes, counted) * (2 / counted.unit))
    gains = np.concatenate(parts)
    gains = gains[gains > 0]
    return (len(gains) + 0.5) / (n_shuffles + 1), float(gains.min(initial=2 * (math.log(n) + 3)))


def _partition_gain(pieces, counted, places=1):
    """(m,) decrease of N · Ent by a partition of all rows into (v, m, C), one of many possible, 0 if not accepted."""
    all_rows = np.broadcast_to(counted.by_class, pieces.shape[1:])
    fall = counted.entropy(all_rows) - counted.entropy(pieces).sum(axis=0)
    n_pieces, n_classes = pieces.any(axis=2).sum(axis=0), np.count_nonzero(counted.by_class)
    sizes, which = np.unique(n_pieces, return_inverse=True)
    ways = np.array([_log_n_partitions(int(size), n_classes) for size in sizes])[which]
    return np.where((fall > 0) & _is_shorter(all_rows, pieces, ways + math.log(places), counted), fall, 0)


def _log_n_partitions(pieces, classes):
    """Logarithm of the number of ways in which the parts contain some classes each and all classes together."""
    return math.log(sum((-1) ** j * math.comb(classes, j) * (2 ** (classes - j) - 1) ** pieces for j in range(classes + 1)))


def _cut_gain(values, codes, counted, gaps_have_places=False):
    """(m,) information, in whole units, of values (m, n): the decrease of entropy by the accepted cuts and gaps."""
    order = np.argsort(values, axis=1)  # missing values sort last
    values, classes = np.take_along_axis(values, order, axis=1), codes.astype(np.int16)[order]
    n, length = values.shape[1], (~np.isnan(values)).sum(axis=1)
    recorded = _class_counts(np.arange(n) < length[:, None], classes, counted)
    gained, gaps = np.zeros(len(values), dtype=np.int64), length < n
    gained[gaps] = _partition_gain(
        np.stack([recorded, counted.by_class - recorded])[:, gaps], counted, max(n - 1, 1) if gaps_have_places else 1
    )
    ends = np.zeros(values.shape, dtype=bool)  # True where a larger value follows
    np.less(values[:, :-1], values[:, 1:], out=ends[:, :-1])
    feature = np.flatnonzero(length > 1)
    start, length = np.zeros(len(feature), dtype=int), length[feature]
    while len(feature):
        place = np.minimum(start[:, None] + np.arange(length.max()), n - 1)
        cut, fall = _accepted_cut(classes[feature[:, None], place], ends[feature[:, None], place], length, counted)
        np.add.at(gained, feature, fall)
        feature, start = np.tile(feature, 2), np.concatenate([start, start + cut])
        length = np.concatenate([cut, length - cut])
        worth = (np.tile(fall, 2) > 0) & (length > 1)
        feature, start, length = feature[worth], start[worth], length[worth]
    return gained


def _accepted_cut(classes, ends, length, counted):
    """Number of values below the best cut of each sorted interval, and the decrease of N · Ent, 0 if not accepted.

    classes, ends: (m, w), of which length (m,) count. Every position between different values is tried. The best one is
    always a boundary point (Fayyad & Irani's theorem 1).
    """
    below, table = np.arange(1, classes.shape[1] + 1), counted.table
    left = [np.cumsum(classes == c, axis=1, dtype=np.int32) for c in range(len(counted.by_class))]
    rows = np.arange(len(classes))
    interval = np.stack([counts[rows, length - 1] for counts in left], axis=-1)
    entropy = table[below] + table.take(length[:, None] - below, mode="clip")
    for counts, all_of_it in zip(left, interval.T, strict=True):
        entropy -= table.take(counts)
        entropy -= table.take(all_of_it[:, None] - counts, mode="clip")
    entropy[~ends | (below >= length[:, None])] = np.iinfo(np.int64).max
    best = entropy.argmin(axis=1)
    part = np.stack([counts[rows, best] for counts in left], axis=-1)
    fall = counted.entropy(interval) - entropy[rows, best]
    classes_here = (interval > 0).sum(axis=-1)
    places = np.log(np.maximum(length - 1, 1)) + classes_here * math.log(3) + np.log1p(-2 / 3.0**classes_here)
    return best + 1, np.where((fall > 0) & _is_shorter(interval, np.stack([part, interval - part]), places, counted), fall, 0)


def _is_shorter(intervals, pieces, ways, counted):
    """(m,) whether the pieces (v, m, C) shorten the description of the classes (m, C), given the log of the ways (m,)."""
    total, parts = counted.entropy(intervals) / counted.unit, counted.entropy(pieces) / counted.unit
    cost, parts_cost = (
        (counts > 0).sum(axis=-1) * (spread / np.maximum(counts.sum(axis=-1), 1))
        for counts, spread in ((intervals, total), (pieces, parts))
    )
    return total - parts.sum(axis=0) > ways - cost + parts_cost.sum(axis=0)


def _class_counts(marks, classes, counted):
    """(m, C) number of marked values (m, n) of each class."""
    return np.stack([(marks & (classes == c)).sum(axis=-1) for c in range(len(counted.by_class))], axis=-1)
