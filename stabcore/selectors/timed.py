"""Univariate selectors for a time to an event: Cox's score test, and concordance.

Numbers use their recorded cells. A category of two levels (missing is a level) is a number 0/1. A category of more levels gets the
score of a number with the same p-value, by the score test of all its levels.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from stabcore.base.target import TIME
from stabcore.data.encoding import Design
from stabcore.selectors.base import Selector
from stabcore.selectors.fair import as_likely
from stabcore.survival.concordance import column_concordances, spread_by_chance
from stabcore.survival.cox import by_gaps, joint_score_statistic, score_statistics


@dataclass
class CoxScore(Selector):
    """Score and importance: |z| of the score test of the feature alone in Cox's model, √(U²/V); ties by Efron.

    With two groups this is the log-rank test. Cox 1972, JRSS B 34:187-220.
    """

    targets = (TIME,)

    def _score(self, table, y, rng, k):
        scores = _one_by_one(table, y, _score_test, np.sqrt)
        return scores, scores


@dataclass
class Concordance(Selector):
    """Score and importance: |0.5 − C|, C Harrell's concordance of the feature alone, 0 to 0.5.

    Harrell et al. 1982, JAMA 247:2543-2546.
    """

    targets = (TIME,)

    def _score(self, table, y, rng, k):
        def of_category(statistic):
            return np.minimum(np.sqrt(statistic) * spread_by_chance(y), 0.5)

        scores = _one_by_one(table, y, lambda columns, target: np.abs(column_concordances(columns, target) - 0.5), of_category)
        return scores, scores


def _score_test(columns, y):
    """(d,) |z| of columns (d, n) without gaps; 0 where a column does not vary, or nothing is known of it."""
    columns = columns - columns.mean(axis=1, keepdims=True)
    unit = np.abs(columns).max(axis=1, keepdims=True)
    score, variance = score_statistics(columns / np.where(unit > 0, unit, 1), y)
    return np.abs(np.divide(score, np.sqrt(variance), out=np.zeros(len(score)), where=variance > 1e-12))


def _one_by_one(table, y, function, of_category):
    """(d,) score of each feature.

    A function of columns and times, or `of_category` of χ² on one degree for three or more levels.
    """
    values = np.asarray(table.values)
    categorical, gaps = np.asarray(table.categorical, dtype=bool), np.asarray(table.extremes[2])
    worth = np.zeros(table.n_features)
    if len(whole := np.flatnonzero(~categorical & ~gaps)):
        worth[whole] = function(np.ascontiguousarray(values[:, whole].T), y)
    some = np.flatnonzero(~categorical & gaps & ~np.isnan(table.extremes[0]))
    for pattern, members in by_gaps(values[:, some]):
        if y["event"][pattern].any():
            worth[some[members]] = function(np.ascontiguousarray(values[np.ix_(pattern, some[members])].T), y[pattern])
    for f in np.flatnonzero(categorical):
        columns = Design.of(table.columns([f]), contrasts=True)[1].T
        if len(columns) == 1:
            worth[f] = function(columns, y)[0]
        elif len(columns):
            statistic, degrees = joint_score_statistic(columns, y)
            worth[f] = of_category(as_likely(statistic, max(degrees, 1)))
    return worth
