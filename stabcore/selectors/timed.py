"""Univariate selectors for a time to an event: Cox's score test, and concordance.

Numbers use their recorded cells. A category of two levels (missing is a level) is a number 0/1. A category of more levels gets the
score of a number with the same p-value, by the score test of all its levels.
"""

from dataclasses import dataclass

import numpy as np

from stabcore.base.target import TIME
from stabcore.selectors.base import Selector
from stabcore.selectors.fair import equivalent_chi2
from stabcore.selectors.given import feature_statistics
from stabcore.survival.concordance import chance_deviation, column_concordances
from stabcore.survival.cox import joint_score_statistic, score_statistics


@dataclass
class CoxScore(Selector):
    """Score and importance: |z| of the score test of the feature alone in Cox's model, √(U²/V). Ties by Efron.

    With two groups this is the log-rank test. With given columns it is the test of the feature added to their model. Cox 1972,
    JRSS B 34:187-220.
    """

    targets = (TIME,)
    takes_given = True

    def _score(self, table, y, rng, k):
        scores = _feature_z(table, y, self.given, lambda columns: columns)
        return scores, scores


@dataclass
class Concordance(Selector):
    """Score and importance: |0.5 − C|, C Harrell's concordance of the feature alone, 0 to 0.5.

    With given columns: the distance from 0.5 that has the same p-value as the score test of the ranks of the feature, added to
    Cox's model of the given columns. Harrell et al. 1982, JAMA 247:2543-2546.
    """

    targets = (TIME,)
    takes_given = True

    def _score(self, table, y, rng, k):
        spread = chance_deviation(y)

        def of_numbers(columns, rows):
            return np.abs(column_concordances(columns, y[rows]) - 0.5) if y["event"][rows].any() else np.zeros(len(columns))

        if self.given is not None:
            scores = np.minimum(_feature_z(table, y, self.given, column_ranks) * spread, 0.5)
        else:
            scores = feature_statistics(
                table, of_numbers, lambda columns: np.minimum(np.sqrt(_category_chi2(columns, y, None)) * spread, 0.5)
            )
        return scores, scores


def column_ranks(columns: np.ndarray) -> np.ndarray:
    """(m, n) the ranks in each column, of equal values their mean."""
    from scipy.stats import rankdata

    return rankdata(columns, axis=1)


def _feature_z(table, y, given, transformed):
    """(d,) |z| of the score test of each feature, transformed (see `column_ranks`)."""

    def of_numbers(columns, rows):
        if not y["event"][rows].any():
            return np.zeros(len(columns))
        return _column_z(transformed(columns), y[rows], None if given is None else given.subset(rows).columns)

    return feature_statistics(table, of_numbers, lambda columns: np.sqrt(_category_chi2(columns, y, given)))


def _column_z(columns, y, free):
    """(d,) |z| of columns (d, n) without gaps. 0 where a column does not vary, or nothing is known of it."""
    columns = columns - columns.mean(axis=1, keepdims=True)
    unit = np.abs(columns).max(axis=1, keepdims=True)
    score, variance = score_statistics(columns / np.where(unit > 0, unit, 1), y, free)
    return np.abs(np.divide(score, np.sqrt(variance), out=np.zeros(len(score)), where=variance > 1e-12))


def _category_chi2(columns, y, given):
    """χ² on one degree as likely as that of all columns of a category."""
    statistic, degrees = joint_score_statistic(columns, y, None if given is None else given.columns)
    return equivalent_chi2(statistic, max(degrees, 1))
