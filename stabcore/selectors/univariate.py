"""Selectors that look at one feature at a time.

Each column of a feature is looked at on its own, over its known cells: a number is one column, a category one column a level
(missing is one of them). The column that says most counts for the feature.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from stabcore.encoding import Design
from stabcore.selectors.base import MORE, NUMBER, TWO, Selector, option, prefix_length
from stabcore.selectors.column_statistics import FEWEST, Correlations, anova_f, by_block, separation, variances, welch_t
from stabcore.words import listed


@dataclass
class Variance(Selector):
    """Score and importance: the sample variance, in the squared unit of the feature; the target is not looked at.

    A category: Σ p(1 − p) over the shares p of its levels, 0 when one level has all rows.
    """

    targets = (TWO, MORE, NUMBER)

    def _score(self, table, y, rng, k):
        numbers, categories, design = _split(table)
        scores = np.zeros(table.n_features)
        scores[numbers] = by_block(variances, np.asarray(table.values), numbers)
        scores[categories] = design.total(design.deviation**2, len(categories))
        return scores, scores


@dataclass
class AUC(Selector):
    """Score and importance: |0.5 − AUC| of the feature alone, 0 to 0.5 (Bommert et al. 2017).

    More than two classes: one class against the rest, the mean weighted by the sizes of the classes.
    """

    def _score(self, table, codes, rng, k):
        scores = _best_columns(self, table, codes, separation)[0]
        return scores, scores


@dataclass
class WelchT(Selector):
    """Score and importance: |x̄₁ − x̄₀| / √(s₁²/n₁ + s₀²/n₀), Welch's t; infinite where no class has any spread (see
    `_finite`)."""

    targets = (TWO,)

    def _score(self, table, codes, rng, k):
        scores = _finite(self, table, _best_columns(self, table, codes, welch_t)[0])
        return scores, scores


@dataclass
class AnovaF(Selector):
    """Score and importance: the F of a one-way analysis of variance; infinite where no class has any spread
    (see `_finite`)."""

    def _score(self, table, codes, rng, k):
        scores = _finite(self, table, _best_columns(self, table, codes, anova_f)[0])
        return scores, scores


@dataclass
class SeparationMRMR(Selector):
    """Forward search for the highest |0.5 − AUC| / Σ over chosen s of |Pearson's r with s| (Bommert et al. 2017).

    The first has no redundancy, nor has a feature that is uncorrelated with all chosen: these come first, the highest
    |0.5 − AUC| leading. Correlations are of the column that counts for the feature, over the rows where both are known. With many
    features the second choice is hardly more than the least correlated one, as the definition has it. Scores −1, −2, … in
    the order of choice; importances: |0.5 − AUC| of the chosen, as the quotient of the first is infinite.
    """

    weighs = False

    length: int | None = option(None, "how many features to rank (by default 200, or all if there are fewer)")

    def _score(self, table, codes, rng, k):
        d = table.n_features
        relevance, of_categories = _best_columns(self, table, codes, separation)
        columns = np.where(table.categorical, 0.0, np.asarray(table.values))
        for feature, column in of_categories.items():
            columns[:, feature] = column
        length = prefix_length(self.length, k, d)
        order = _forward(relevance, Correlations(columns), length, rng)
        scores, importances = np.full(d, np.nan), np.zeros(d)
        scores[order] = -np.arange(1.0, length + 1)
        importances[order] = relevance[order]
        return scores, importances


def _split(table):
    """Numeric features, categories, and the design of these: a column a level."""
    categorical = np.asarray(table.categorical, dtype=bool)
    categories = np.flatnonzero(categorical)
    return np.flatnonzero(~categorical), categories, Design.learn(table.columns(categories))


def _best_columns(selector, table, codes, function):
    """What the best column of each feature is worth (d,), and that column of each category (a constant one has none)."""
    few = [count for count in np.bincount(codes) if count < FEWEST]
    if few:
        selector.warnings_.append(f"{len(few)} of {codes.max() + 1} classes have a single row here, too few to compare: they say "
                                  "nothing about any feature.")
    values, (numbers, categories, design) = np.asarray(table.values), _split(table)
    worth, columns = np.zeros(table.n_features), {}
    worth[numbers] = by_block(function, values, numbers, codes)
    levels = design.transform(table.columns(categories))
    found = by_block(function, levels, np.arange(levels.shape[1]), codes)
    for column in np.argsort(-found, kind="stable")[::-1]:      # the best last, so that it stays
        f = categories[design.feature[column]]
        worth[f], columns[f] = found[column], levels[:, column]
    return worth, columns


def _finite(selector, table, scores):
    """Scores, the infinite ones at twice the largest other (1 where there is none): still first, and every sum stays finite."""
    endless = np.isinf(scores)
    if endless.any():
        selector.warnings_.append(f"No spread within the classes, so that the statistic is infinite; counted as twice the largest "
                                  f"other: {listed([table.features[f] for f in np.flatnonzero(endless)])}.")
    return np.where(endless, 2 * scores[~endless].max(initial=0) or 1.0, scores)


def _forward(relevance, correlations, length, rng):
    """The features in the order of choice: highest quotient, then highest relevance, then by lot."""
    order, redundancy = [], np.zeros(len(relevance))
    waiting = np.arange(len(relevance))
    while len(order) < length:
        free = np.where(relevance > 0, np.inf, 0.0)
        quotient = np.divide(relevance, redundancy, out=free, where=redundancy > 0)[waiting]
        best = waiting[quotient == quotient.max()]
        best = best[relevance[best] == relevance[best].max()]
        chosen = int(rng.choice(best))
        order.append(chosen)
        waiting = waiting[waiting != chosen]
        redundancy += correlations.with_all(chosen)
    return order
