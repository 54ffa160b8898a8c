"""Univariate selectors: one feature at a time.

Numbers use their recorded cells. A category of two levels (missing is a level) is a number 0/1. A category of more levels gets
the score of a number with the same p-value, by Pearson's χ² of levels and classes: see `LevelTables`.
"""

from dataclasses import dataclass

import numpy as np

from stabcore.base.target import TIME
from stabcore.base.text import listed
from stabcore.data.encoding import Design, discretise
from stabcore.selectors.base import MORE, NUMBER, TWO, Selector, option, prefix_length
from stabcore.selectors.fair import equivalent_chi2
from stabcore.selectors.given import feature_statistics
from stabcore.selectors.solvers.column_statistics import (
    MIN_CELLS,
    Correlations,
    anova_f,
    apply_by_block,
    separation,
    variances,
    welch_t,
)
from stabcore.selectors.solvers.score_tests import logistic_joint_score, logistic_scores, pillai_trace
from stabcore.selectors.timed import column_ranks


@dataclass
class Variance(Selector):
    """Score and importance: the sample variance, in the squared unit of the feature. The target is not used.

    A category has no unit. Its score is the median variance of the numbers that vary (1 without any) times Σ p(1 − p)/(1 − 1/L)
    over the shares p of its L levels. This factor is 0 if one level has all rows, and 1 if all levels have equal shares.
    """

    targets = (TWO, MORE, NUMBER, TIME)
    looks_at_outcome = False
    takes_given = True  # there is no association to adjust

    def _score(self, table, y, rng, k):
        numbers, categories = _split_by_kind(table)
        scores = np.zeros(table.n_features)
        scores[numbers] = apply_by_block(variances, np.asarray(table.values), numbers)
        if len(categories):
            varying = scores[scores > 0]
            scores[categories] = _evenness(table.columns(categories)) * (np.median(varying) if len(varying) else 1.0)
        return scores, scores


@dataclass
class AUC(Selector):
    """Score and importance: |0.5 − AUC| of the feature alone, 0 to 0.5 (Bommert et al. 2017).

    For more than two classes: one class against the rest, averaged with the class sizes as weights. Categories: see `LevelTables`.
    With given columns, the ranks of the feature are added to their logistic model. The score is the distance from 0.5 that has the
    same p-value as the score test.
    """

    takes_given = True

    def _score(self, table, codes, rng, k):
        if self.given is not None:
            scores = _adjusted_separation(table, codes, self.given)
            return scores, scores
        scores = _feature_scores(self, table, codes, separation, LevelTables.separation)
        return scores, scores


@dataclass
class WelchT(Selector):
    """Score and importance: |x̄₁ − x̄₀| / √(s₁²/n₁ + s₀²/n₀), Welch's t.

    Infinite where no class has any spread (see `_finite_scores`). With given columns: |z| of Rao's score test of the feature, added
    to the logistic model of the given columns.
    """

    targets = (TWO,)
    takes_given = True

    def _score(self, table, codes, rng, k):
        if self.given is None:
            scores = _finite_scores(self, table, _feature_scores(self, table, codes, welch_t, lambda tables: np.sqrt(tables.f())))
        else:
            scores = _logistic_z(table, codes == 1, self.given, lambda columns: columns)
        return scores, scores


@dataclass
class AnovaF(Selector):
    """Score and importance: the F of a one-way analysis of variance.

    Infinite where no class has any spread (see `_finite_scores`). With given columns: the F of the classes in a linear model of the
    feature that includes the given columns (analysis of covariance).
    """

    takes_given = True

    def _score(self, table, codes, rng, k):
        alone = self.given is None
        scores = _feature_scores(self, table, codes, anova_f, LevelTables.f) if alone else _partial_f(table, codes, self.given)
        scores = _finite_scores(self, table, scores)
        return scores, scores


@dataclass
class SeparationMRMR(Selector):
    """Forward search for the highest |0.5 − AUC| / Σ over chosen s of |Pearson's r with s| (Bommert et al. 2017).

    Features without redundancy (the first, and those uncorrelated with all chosen) come first, the highest |0.5 − AUC| leading.
    Correlations use the rows where both are recorded. The levels of a category are replaced by their scores on the first axis of
    correspondence analysis with the classes. By this definition, the second choice among many features is nearly the least
    correlated one. Scores −1, −2, … in the order of choice. Importances: |0.5 − AUC| of the chosen, because the quotient of the
    first is infinite.
    """

    weighs = False

    length: int | None = option(None, "number of features to rank (default: 200, or all if there are fewer)")

    def _score(self, table, codes, rng, k):
        d = table.n_features
        relevance = _feature_scores(self, table, codes, separation, LevelTables.separation)
        categories = _split_by_kind(table)[1]
        columns = np.asarray(table.values)
        if len(categories):
            columns = columns.copy()
            columns[:, categories] = LevelTables.from_table(table.columns(categories), codes).scores()
        length = prefix_length(self.length, k, d)
        order = _forward_order(relevance, Correlations(columns), length, rng)
        scores, importances = np.full(d, np.nan), np.zeros(d)
        scores[order] = -np.arange(1.0, length + 1)
        importances[order] = relevance[order]
        return scores, importances


def _logistic_z(table, happened, given, transformed):
    """(d,) |z| of the score test of each feature, transformed, beyond the given columns in a logistic model."""

    def of_numbers(columns, rows):
        if happened[rows].sum() < MIN_CELLS or (~happened[rows]).sum() < MIN_CELLS:
            return np.zeros(len(columns))
        score, variance = logistic_scores(transformed(columns), happened[rows], given.subset(rows).columns)
        return np.abs(np.divide(score, np.sqrt(variance), out=np.zeros(len(score)), where=variance > 0))

    def of_category(columns):
        statistic, degrees = logistic_joint_score(columns, happened, given.columns)
        return np.sqrt(equivalent_chi2(statistic, max(degrees, 1)))

    return feature_statistics(table, of_numbers, of_category)


def _adjusted_separation(table, codes, given):
    """(d,) |0.5 − AUC| as likely as the score test of ranks, one class against the rest where there are several."""
    n, classes = len(codes), np.arange(1 if codes.max() == 1 else 0, codes.max() + 1)
    total = np.zeros(table.n_features)
    for c in classes:
        inside = np.count_nonzero(codes == c)
        spread = np.sqrt((n + 1) / (12 * inside * (n - inside)))
        share = inside / n if len(classes) > 1 else 1
        total += share * np.minimum(_logistic_z(table, codes == c, given, column_ranks) * spread, 0.5)
    return total


def _partial_f(table, codes, given):
    """(d,) F of the classes beyond the given columns."""
    classes = (codes == np.arange(1, codes.max() + 1)[:, None]).astype(float)
    n, spare, used = len(codes), len(classes), given.basis.shape[1]

    def of_numbers(columns, rows):
        fewer = given.subset(rows)
        left, of_classes = fewer.column_residuals(columns), fewer.column_residuals(classes[:, rows])
        of_classes = of_classes[of_classes.any(axis=1)]
        within = int(rows.sum()) - fewer.basis.shape[1] - len(of_classes)
        if not len(of_classes) or within < 1:
            return np.zeros(len(columns))
        basis = np.linalg.qr(of_classes.T)[0]
        between, total = ((left @ basis) ** 2).sum(axis=1), (left**2).sum(axis=1)
        rest = np.maximum(total - between, 0)
        rest[rest < 1e-12 * total] = 0
        ratio = np.where(total > 0, np.inf, 0.0)
        return np.divide(between / len(of_classes), rest / within, out=ratio, where=rest > 0)

    def of_category(columns):
        left, of_classes = given.column_residuals(columns), given.column_residuals(classes)
        degrees = max(np.linalg.matrix_rank(left, tol=1e-8 * np.sqrt(n)), 1) * spare
        x = equivalent_chi2((n - used + 1) * pillai_trace(left, of_classes), degrees, spare)
        return float(np.expm1(x / n) * max(n - used - spare, 1) / spare)

    return feature_statistics(table, of_numbers, of_category)


def _split_by_kind(table):
    """Numeric features and categories."""
    categorical = np.asarray(table.categorical, dtype=bool)
    return np.flatnonzero(~categorical), np.flatnonzero(categorical)


def _evenness(categories):
    """(m,) from 0 (one level in all rows) to 1 (levels of equal size)."""
    design, width = Design.learn(categories), categories.n_features
    levels = np.bincount(design.feature, minlength=width)
    return design.total(design.deviation**2, width) / (1 - 1 / np.maximum(levels, 2))


def _feature_scores(selector, table, codes, function, of_tables):
    """(d,) score of each feature, by a function of columns (n, p) and classes, or of `LevelTables` for three or more levels."""
    if few := [count for count in np.bincount(codes) if count < MIN_CELLS]:
        selector.warnings_.append(f"{len(few)} of {codes.max() + 1} classes have a single row in this resample. They are ignored.")
    numbers, categories = _split_by_kind(table)
    worth = np.zeros(table.n_features)
    worth[numbers] = apply_by_block(function, np.asarray(table.values), numbers, codes)
    if not len(categories):
        return worth
    levels = LevelTables.from_table(table.columns(categories), codes)
    two = levels.sizes == 2
    worth[categories[two]] = apply_by_block(function, levels.levels.astype(float), np.flatnonzero(two), codes)
    worth[categories[levels.sizes > 2]] = of_tables(levels)[levels.sizes > 2]
    return worth


@dataclass(frozen=True)
class LevelTables:
    """The tables of levels by classes of m categories, with known classes, without classes of a single row.

    χ² = Σ (n_lc − n_l n_c/n)²/(n_l n_c/n) of L levels and C classes has the same p-value as x on the degrees of freedom
    of a number (see `equivalent_chi2`): C − 1 instead of (L − 1)(C − 1). Pearson 1900, Philosophical Magazine 50:157-175.
    """

    levels: np.ndarray  # (n, m) level numbers
    sizes: np.ndarray  # (m,)
    n_levels: np.ndarray  # (m,) levels in the used rows
    rows: np.ndarray  # (C,) rows of each used class
    chi2_roots: np.ndarray  # (m, L, C) signed roots of the parts of χ²

    @classmethod
    def from_table(cls, table, codes):
        levels, sizes = discretise(table)
        count = np.bincount(codes)
        used = count >= MIN_CELLS
        m, most, rows = len(sizes), sizes.max(initial=0), count[used]
        present, renumbered = used[codes], np.cumsum(used) - 1
        cell = (np.arange(m) * most + levels[present]) * len(rows) + renumbered[codes[present]][:, None]
        counts = np.bincount(cell.ravel(), minlength=m * most * len(rows)).reshape(m, most, len(rows))
        of_level = counts.sum(axis=2, keepdims=True)
        by_chance = of_level * (rows / np.maximum(rows.sum(), 1))
        parts = (counts - by_chance) / np.sqrt(np.where(by_chance > 0, by_chance, 1))
        return cls(levels, sizes, (of_level > 0).sum(axis=(1, 2)), rows, parts)

    def f(self) -> np.ndarray:
        """(m,) F of a number with the same p-value, by its likelihood ratio: n ln(1 + F (C − 1)/(n − C)) = x."""
        n, spare = self.rows.sum(), len(self.rows) - 1
        if spare < 1:
            return np.zeros(len(self.sizes))
        x = self._equivalent_chi2((self.chi2_roots**2).sum(axis=(1, 2)), spare)
        return np.expm1(x / n) * max(n - spare - 1, 1) / spare

    def separation(self) -> np.ndarray:
        """(m,) |0.5 − AUC| of a number as likely with no signal, √x √((n + 1)/(12 n_c (n − n_c))): see `AUC` for the classes."""
        n, total = self.rows.sum(), np.zeros(len(self.sizes))
        if len(self.rows) < 2:
            return total
        for c in range(1 if len(self.rows) == 2 else 0, len(self.rows)):
            inside, outside = self.rows[c], n - self.rows[c]
            x = self._equivalent_chi2((self.chi2_roots[:, :, c] ** 2).sum(axis=1) * n / outside, 1)
            share = inside / n if len(self.rows) > 2 else 1
            total += share * np.minimum(np.sqrt(x * (n + 1) / (12 * inside * outside)), 0.5)
        return total

    def scores(self) -> np.ndarray:
        """(n, m) the level of each row as the number that follows the classes most."""
        first = np.linalg.svd(self.chi2_roots, full_matrices=False)[0][:, :, 0]
        weight = np.sqrt(np.array([np.bincount(level, minlength=first.shape[1]) for level in self.levels.T]))
        score = np.divide(first, weight, out=np.zeros(first.shape), where=weight > 0)
        return np.take_along_axis(score, self.levels.T.astype(int), axis=1).T

    def _equivalent_chi2(self, statistic, degrees):
        return equivalent_chi2(statistic, np.maximum(self.n_levels - 1, 1) * degrees, degrees)


def _finite_scores(selector, table, scores):
    """Scores, with infinite ones replaced by twice the largest finite score (1 if there is none), so that sums stay finite."""
    endless = np.isinf(scores)
    if endless.any():
        selector.warnings_.append(
            "The statistic is infinite, because there is no spread within the classes. It counts as twice the largest other: "
            f"{listed([table.features[f] for f in np.flatnonzero(endless)])}."
        )
    return np.where(endless, 2 * scores[~endless].max(initial=0) or 1.0, scores)


def _forward_order(relevance, correlations, length, rng):
    """The features in the order of choice: highest quotient, then highest relevance, then at random."""
    order: list[int] = []
    redundancy = np.zeros(len(relevance))
    waiting = np.arange(len(relevance))
    while len(order) < length:
        free = np.where(relevance > 0, np.inf, 0.0)
        quotient = np.divide(relevance, redundancy, out=free, where=redundancy > 0)[waiting]
        best = waiting[quotient == quotient.max()]
        best = best[relevance[best] == relevance[best].max()]
        chosen = int(rng.choice(best))
        order.append(chosen)
        waiting = waiting[waiting != chosen]
        redundancy += correlations.row(chosen)
    return order
