"""Information gain after discretising with the minimum description length (Fayyad & Irani 1993)."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from stabcore.encoding import discretise
from stabcore.selectors.base import Selector
from stabcore.selectors.counts import whole_number_entropy

_BLOCK = 1 << 17  # values at a time: small enough to stay in the cache of one core


@dataclass
class InformationGain(Selector):
    """I(X_f; Y) in nats, a number cut into the intervals that the minimum description length accepts.

    An interval S of N values with k classes is cut into S₁, S₂ where Ent is lowest (the lowest such cut), as long as
    N · gain > log(N − 1) + log(3ᵏ − 2) − k Ent(S) + k₁ Ent(S₁) + k₂ Ent(S₂). Only recorded values are cut; missing is one more
    level, and a category keeps its levels. 0 where nothing is cut and nothing is missing. Importances are the scores.
    Source: Fayyad & Irani 1993 (IJCAI).
    """

    def _score(self, table, codes, rng, k):
        counted = Counted(codes)
        scores = np.zeros(table.n_features)
        numbers, categories = np.flatnonzero(~table.categorical), np.flatnonzero(table.categorical)
        step = max(1, _BLOCK // table.n_rows)
        for low in range(0, len(numbers), step):
            some = numbers[low : low + step]
            scores[some] = _of_numbers(np.asarray(table.values)[:, some].T, codes, counted)
        if len(categories):
            scores[categories] = _of_levels(*discretise(table.columns(categories)), codes, counted)
        scores *= counted.nats
        return scores, scores


class Counted:
    """N · Ent of counts by class, in whole units, so that equal entropies are equal to the last digit."""

    def __init__(self, codes):
        n, self.by_class = len(codes), np.bincount(codes)
        self.table, unit = whole_number_entropy(n, 4 * n * math.log(max(n, 2)))
        self.unit, self.nats = unit, 1 / (n * unit)

    def entropy(self, counts):
        """Of (…, C) counts."""
        return self.table[counts.sum(axis=-1)] - self.table[counts].sum(axis=-1)


def _of_levels(levels, sizes, codes, counted):
    """(d,) information, in whole units, of features given as levels (n, d), sizes[f] of them."""
    left = np.full(levels.shape[1], counted.entropy(counted.by_class))
    for level in range(sizes.max()):
        left -= counted.entropy(_by_class((levels == level).T, codes, counted))
    return left


def _of_numbers(values, codes, counted):
    """(m,) information, in whole units, of values (m, n): what all accepted cuts, and the gaps, take from the entropy."""
    order = np.argsort(values, axis=1)  # missing come last
    values, classes = np.take_along_axis(values, order, axis=1), codes.astype(np.int16)[order]
    n, length = values.shape[1], (~np.isnan(values)).sum(axis=1)
    recorded = _by_class(np.arange(n) < length[:, None], classes, counted)
    gained = counted.entropy(counted.by_class) - counted.entropy(recorded) - counted.entropy(counted.by_class - recorded)
    ends = np.zeros(values.shape, dtype=bool)  # where a value is followed by a larger one
    np.less(values[:, :-1], values[:, 1:], out=ends[:, :-1])
    feature = np.flatnonzero(length > 1)
    start, length = np.zeros(len(feature), dtype=int), length[feature]
    while len(feature):
        place = np.minimum(start[:, None] + np.arange(length.max()), n - 1)
        at, fall = _accepted_cut(classes[feature[:, None], place], ends[feature[:, None], place], length, counted)
        np.add.at(gained, feature, fall)
        feature, start = np.tile(feature, 2), np.concatenate([start, start + at])
        length = np.concatenate([at, length - at])
        worth = (np.tile(fall, 2) > 0) & (length > 1)
        feature, start, length = feature[worth], start[worth], length[worth]
    return gained


def _accepted_cut(classes, ends, length, counted):
    """How many values lie below the best cut of each sorted interval, and how far N · Ent falls; 0 where it is not accepted.

    classes, ends: (m, w), of which length (m,) count. Every place between different values is tried: the best one is
    always a boundary point (Fayyad & Irani's theorem 1).
    """
    below, table = np.arange(1, classes.shape[1] + 1), counted.table
    left = [np.cumsum(classes == c, axis=1, dtype=np.int32) for c in range(len(counted.by_class))]
    rows = np.arange(len(classes))
    whole = np.stack([one[rows, length - 1] for one in left], axis=-1)
    entropy = table[below] + table.take(length[:, None] - below, mode="clip")
    for one, all_of_it in zip(left, whole.T, strict=True):
        entropy -= table.take(one)
        entropy -= table.take(all_of_it[:, None] - one, mode="clip")
    entropy[~ends | (below >= length[:, None])] = np.iinfo(np.int64).max
    at = entropy.argmin(axis=1)
    part = np.stack([one[rows, at] for one in left], axis=-1)
    fall = counted.entropy(whole) - entropy[rows, at]
    return at + 1, np.where((fall > 0) & _is_shorter(whole, part, counted), fall, 0)


def _is_shorter(whole, part, counted):
    """(m,) whether the classes (m, C) of an interval are described shorter when `part` of it is cut off."""
    pieces = whole, part, whole - part
    size = whole.sum(axis=-1)
    k = [(one > 0).sum(axis=-1) for one in pieces]
    total, *parts = [counted.entropy(one) / counted.unit for one in pieces]
    ent = [entropy / np.maximum(one.sum(axis=-1), 1) for entropy, one in zip([total, *parts], pieces, strict=True)]
    cost = (np.log(np.maximum(size - 1, 1)) + k[0] * math.log(3) + np.log1p(-2 / 3.0 ** k[0])
            - k[0] * ent[0] + k[1] * ent[1] + k[2] * ent[2])
    return total - sum(parts) > cost


def _by_class(marks, classes, counted):
    """(m, C) how many of the marked values (m, n) are of each class."""
    return np.stack([(marks & (classes == c)).sum(axis=-1) for c in range(len(counted.by_class))], axis=-1)
