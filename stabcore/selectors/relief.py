"""ReliefF: features that differ between near rows of different classes, but not of the same class."""

from dataclasses import dataclass

import numpy as np

from stabcore.base.text import counted
from stabcore.selectors.base import Selector, demote_constants, option

_BLOCK = 1 << 18  # differences in memory at a time
_DISTANCE_STEPS = 2.0**33  # steps per unit of distance, finer than real differences and coarser than rounding


@dataclass
class ReliefF(Selector):
    """ReliefF: w_f = 1/n Σ_i [ Σ_{c ≠ y_i} P(c)/(1 − P(y_i)) · mean over M_c(i) of diff_f − mean over H(i) of diff_f ].

    H(i) and M_c(i) are the K nearest rows of row i in its own class, and in class c, or fewer in smaller classes. The distance is
    the sum of diff over the features. The earlier of equally distant rows counts. diff_f is |difference| / range for a number, and
    0 or 1 for a category. If one value is missing, diff_f is the mean difference of the other value from the recorded ones. If both
    are missing, it is the mean difference among these. This is Kononenko's expected difference, but over all rows instead of one
    class, so that gaps do not separate the classes. Few pairs of rows differ much in a number, and many in a category. So weights
    of categories vary more around 0 without signal (Robnik-Šikonja & Kononenko 2003, Machine Learning 53:23-69). If the table has
    numbers, the weight of such a category is therefore multiplied by a ratio: the mean standard deviation of diff of the numbers,
    divided by its own, over the compared pairs. Bootstrap copies of a row count as one row and are not neighbours. At distance 0
    and in the same class they would favour any feature. As a probe and in means over neighbours, a row has the weight of its
    copies. Scores are in −1 … 1. A constant feature has the lowest score of the others, at most 0. Importances are the scores, with
    0 for negative ones. Source: Kononenko 1994 (ECML), with all rows as probes.
    """

    neighbours: int = option(10, "number of nearest rows of each class")

    def _score(self, table, codes, rng, k):
        table, codes, times = table.distinct(codes)
        parts = [part for part in (Numbers.from_table(table), Levels.from_table(table)) if part.values.shape[1]]
        scores, differs = np.zeros(table.n_features), np.zeros(table.n_features, dtype=bool)
        if parts:
            self._warn_of_small_classes(codes)
            pairs = _weighted_pairs(_grid_distances(parts), codes, times, self.neighbours)
            for part in parts:
                scores[part.features], differs[part.features] = part.weighted_sums(*pairs), True
            if len(parts) == 2:
                numbers, levels = (part.deviations(*pairs) for part in parts)
                scores[parts[1].features] *= numbers.mean() / np.maximum(levels, numbers.mean())
        return demote_constants(scores, ~differs), np.maximum(scores, 0)

    def _warn_of_small_classes(self, codes):
        smallest = int(np.bincount(codes).min())
        if smallest <= self.neighbours:
            self.warnings_.append(
                f"The smallest class has {counted(smallest, 'row')} here, too few for {self.neighbours} neighbours. "
                "Rows are compared with the available neighbours."
            )


class _FeatureKind:
    """The features of one kind: values (n, p) with NaN for missing, and their positions in the table."""

    gap_value: float  # replaces a missing value in distances

    def __init__(self, features, values):
        self.features, self.values = features, values
        self.with_gaps = np.flatnonzero(np.isnan(values).any(axis=0))
        self.expected = self._expected_diff(values[:, self.with_gaps])

    @staticmethod
    def _differ(first, other):
        """Diff, elementwise."""
        raise NotImplementedError

    @staticmethod
    def _pairwise_sums(pdist, values):
        """Sums of diff of every two rows, in the order of SciPy's pdist."""
        raise NotImplementedError

    @staticmethod
    def _expected_diff(values):
        """(n, p) mean diff of each value from the recorded ones of its feature."""
        raise NotImplementedError

    def distances(self):
        """(n, n) sums of diff over the features."""
        from scipy.spatial.distance import pdist, squareform

        if not len(self.with_gaps):
            return squareform(self._pairwise_sums(pdist, self.values), checks=False)
        filled = np.where(np.isnan(self.values), self.gap_value, self.values)
        distances = squareform(self._pairwise_sums(pdist, filled), checks=False)
        missing = np.isnan(self.values[:, self.with_gaps])
        # the missing part of the sum of a pair with a filled value, half for each of two missing values
        lacks = np.where(missing, self.expected / 2, self.expected - self._differ(filled[:, self.with_gaps], self.gap_value))
        distances += np.hstack([missing, lacks]) @ np.hstack([lacks, missing]).T
        return distances

    def weighted_sums(self, first, other, weight):
        """(p,) sums of weight · diff over pairs of rows."""
        total = np.zeros(self.values.shape[1])
        step = max(1, _BLOCK // self.values.shape[1])
        for low in range(0, len(weight), step):
            pair = slice(low, low + step)
            diff = self._diff(first[pair], other[pair])
            diff *= weight[pair, None]
            total += diff.sum(axis=0)  # not a matrix product, because equal columns must get equal sums
        return total

    def deviations(self, first, other, _):
        """(p,) standard deviations of diff over pairs of rows."""
        moments = np.zeros((2, self.values.shape[1]))
        step = max(1, _BLOCK // self.values.shape[1])
        for low in range(0, len(first), step):
            diff = self._diff(first[low : low + step], other[low : low + step])
            moments += diff.sum(axis=0), (diff**2).sum(axis=0)
        mean, square = moments / len(first)
        return np.sqrt(np.maximum(square - mean**2, 0))

    def _diff(self, rows, other):
        diff = self._differ(self.values[rows], self.values[other])
        if len(self.with_gaps):
            first = np.isnan(self.values[np.ix_(rows, self.with_gaps)])
            gaps = first | np.isnan(self.values[np.ix_(other, self.with_gaps)])
            diff[:, self.with_gaps] = np.where(
                gaps, np.where(first, self.expected[other], self.expected[rows]), diff[:, self.with_gaps]
            )
        return diff


class Numbers(_FeatureKind):
    """Numbers, scaled to 0 … 1."""

    gap_value = 0.0

    @classmethod
    def from_table(cls, table):
        low, high, _ = table.extremes
        varies = np.flatnonzero((high > low) & ~table.categorical)
        low, high = low[varies] / 2, high[varies] / 2  # halves, because the range may exceed the largest float
        width = np.where(high > low, high - low, 1)  # half of the smallest float is 0
        scaled = np.take(table.values, varies, axis=1)  # row by row in memory, for pdist and the comparison of rows
        scaled /= 2
        scaled -= low
        scaled /= width
        return cls(varies, scaled)

    @staticmethod
    def _differ(value, other):
        diff = value - other
        return np.abs(diff, out=diff)

    @staticmethod
    def _pairwise_sums(pdist, values):
        return pdist(values, "cityblock")

    @staticmethod
    def _expected_diff(values):
        """Mean |x − x′| over the recorded x′ of the feature, (n, p), or the mean of these for a missing x."""
        order = np.argsort(values, axis=0, kind="stable")  # missing values sort last
        ordered = np.take_along_axis(values, order, axis=0)
        recorded = (~np.isnan(values)).sum(axis=0)
        below = np.cumsum(ordered, axis=0)
        rank = np.arange(1, len(values) + 1)[:, None]
        mean = (ordered * (2 * rank - recorded) + np.nansum(ordered, axis=0) - 2 * below) / recorded
        expected = np.empty_like(values)
        np.put_along_axis(expected, order, mean, axis=0)
        return _filled_with_mean(expected, recorded)


class Levels(_FeatureKind):
    """Categories by the codes of their levels."""

    gap_value = -1.0

    @classmethod
    def from_table(cls, table):
        low, high, _ = table.extremes
        varies = np.flatnonzero((high > low) & table.categorical)
        return cls(varies, np.take(table.values, varies, axis=1))

    @staticmethod
    def _differ(value, other):
        return (value != other).astype(float)

    @staticmethod
    def _pairwise_sums(pdist, values):
        return pdist(values, "hamming") * values.shape[1]

    @staticmethod
    def _expected_diff(values):
        """The share of recorded values with another level, (n, p), or the mean of these for a missing value."""
        recorded = (~np.isnan(values)).sum(axis=0)
        expected = np.full(values.shape, np.nan)
        for level in range(int(np.nanmax(values, initial=-1)) + 1):
            here = values == level
            expected = np.where(here, 1 - here.sum(axis=0) / recorded, expected)
        return _filled_with_mean(expected, recorded)


def _filled_with_mean(expected, recorded):
    return np.where(np.isnan(expected), np.nansum(expected, axis=0) / recorded, expected)


def _grid_distances(parts):
    """(n, n) distances in whole steps of a grid, so that ties do not depend on the order of the columns."""
    distances = parts[0].distances()
    for part in parts[1:]:
        distances += part.distances()
    distances *= _DISTANCE_STEPS
    return np.rint(distances, out=distances)


def _weighted_pairs(distances, codes, times, neighbours):
    """Row numbers (u,), (u,) of the pairs of a probe and a neighbour, each pair once, and their weights (u,).

    times: (n,) the count of each row.
    """
    n, total, sizes = len(codes), times.sum(), np.bincount(codes, weights=times)
    np.fill_diagonal(distances, np.inf)
    probes, neighbours_of_probes, weights = [], [], []
    for label, size in enumerate(sizes):
        members, same_class = np.flatnonzero(codes == label), codes == label
        for which, take, weight in (
            (same_class, min(neighbours, len(members) - 1), np.full(n, -1.0)),
            (~same_class, min(neighbours, len(members)), size / (total - sizes[codes])),
        ):
            if take == 0:
                continue
            rows = np.flatnonzero(which)
            near = members[_nearest_positions(distances, rows, members, take)]
            probes.append(np.repeat(rows, take))
            neighbours_of_probes.append(near.ravel())
            of_all = times[near].sum(axis=1, keepdims=True) * total
            weights.append(((weight * times)[rows, None] * times[near] / of_all).ravel())
    probe, neighbour = np.concatenate(probes), np.concatenate(neighbours_of_probes)
    pair = np.minimum(probe, neighbour) * n + np.maximum(probe, neighbour)
    unique, place = np.unique(pair, return_inverse=True)
    return *np.divmod(unique, n), np.bincount(place, weights=np.concatenate(weights))


def _nearest_positions(distances, rows, members, take):
    """(rows, take) positions in `members` of the nearest, the earlier first among equals."""
    step = max(1, _BLOCK // len(members))
    return np.concatenate(
        [_lowest_positions(distances[np.ix_(rows[low : low + step], members)], take) for low in range(0, len(rows), step)]
    )


def _lowest_positions(distances, take):
    """(m, take) positions of the lowest values in each row, the first of equal values."""
    last = np.partition(distances, take - 1, axis=1)[:, [take - 1]]
    near, equal = distances < last, distances == last
    room = take - near.sum(axis=1, keepdims=True)
    crowded = np.flatnonzero(equal.sum(axis=1, keepdims=True) > room)
    equal[crowded] &= np.cumsum(equal[crowded], axis=1) <= room[crowded]
    return np.nonzero(near | equal)[1].reshape(-1, take)
