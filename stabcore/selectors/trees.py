"""Tree-based selectors: forests and boosted stumps."""

from copy import deepcopy
from dataclasses import dataclass
from functools import partial

import numpy as np

from stabcore.classifiers.catalog import ForestClassifier, StumpsClassifier
from stabcore.data.encoding import Design
from stabcore.selectors.base import (
    MORE,
    NUMBER,
    TWO,
    Selector,
    constant_features,
    demote_constants,
    kind_of_target,
    option,
    ranking,
)
from stabcore.selectors.fair import chance_adjusted, has_few_cuts
from stabcore.selectors.final_model import FinalModel
from stabcore.selectors.given import adjusted_columns, distinct_rows
from stabcore.selectors.solvers.stumps import LEARNING_RATE, Cuts, boosted_splits, gain_factors


@dataclass
class RandomForest(FinalModel, Selector):
    """Random forest (Breiman 2001): score and importance are the mean decrease in impurity, summed over columns of a feature.

    Impurity is Gini's for classes, and the variance for a numeric target. Trees have many possible cuts in a number, and one in
    each level of a category. The sum of a category, or of a number with few values or gaps, is therefore multiplied by a ratio of
    chance scores: that of the others to its own. They come from the same number of trees with newly shuffled outcomes (see
    `chance_adjusted`). Scores sum to 1 over the features. Features without any gain are not ranked. Given columns are in every tree
    as further columns, and features are residuals on them (see `adjusted_columns`).
    """

    targets = (TWO, MORE, NUMBER)
    takes_given = True
    zero_is_out = "No tree uses the others."
    chance_inside = True
    steadied_by = "more trees"

    trees: int = option(100, "number of trees")

    def _score(self, table, y, rng, k):
        design, columns = Design.of(table)
        if len(design.feature) == 0:
            return np.zeros(table.n_features), np.zeros(table.n_features)
        columns = adjusted_columns(columns, self.given)
        forest = unfitted_forest(self.trees, kind_of_target(y), rng).fit(columns, y)
        scores = design.total(forest.feature_importances_[: len(design.feature)], table.n_features)
        if has_few_cuts(table).any():
            scores = chance_adjusted(scores, self._chance_scores(design, columns, y, rng), table)
        if has_few_cuts(table).any() or self.given is not None:
            scores /= scores.sum() or 1
        return scores, scores

    def _learner(self):
        return ForestClassifier(self.trees)

    def _chance_scores(self, design, columns, y, rng):
        """(d,) mean scores in the same number of trees, each for a newly shuffled outcome."""
        from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

        columns, summed = columns.astype(np.float32), np.zeros(columns.shape[1])
        build = DecisionTreeRegressor if kind_of_target(y) == NUMBER else partial(DecisionTreeClassifier, max_features="sqrt")
        for _ in range(self.trees):
            rows = rng.integers(len(y), size=len(y))  # as in each tree of a forest
            seed, shuffled = int(rng.integers(2**31)), rng.permutation(y)[rows, None].astype(float)
            tree = build(random_state=seed).fit(columns[rows], shuffled, check_input=False)
            summed += tree.tree_.compute_feature_importances()
        return design.total(summed[: len(design.feature)], design.learned.n_features)


@dataclass
class PermutedForest(FinalModel, Selector):
    """Permutation in a random forest (Breiman 2001): the decrease in out-of-bag accuracy when the values of a feature are shuffled.

    score_f = Σ over the columns of f of the mean over trees of (out-of-bag accuracy − the same with that column shuffled), below 0
    if shuffling helped. Features that no tree uses are not ranked. importances_: the same in a new forest on the k best
    features only (the k given to fit, or all), with 0 for negative values (Hamer & Dupont 2021).
    Bootstrap copies of a row count as one row, because a tree that has learned one copy knows the outcome of the others. The
    probability of being in a bag rises with the number of copies. Given columns: as in RandomForest.
    """

    takes_given = True
    importances_of_one_k = True
    chance_inside = True
    steadied_by = "more trees"

    trees: int = option(100, "number of trees in each of the two forests")

    def _score(self, table, codes, rng, k):
        table, given, codes, times = distinct_rows(table, self.given, codes)
        scores, again = self._accuracy_losses(table, codes, times, rng, given), np.random.default_rng(rng.integers(2**63))
        last = constant_features(table)
        ranks = ranking(demote_constants(scores, last), deepcopy(rng), last)  # a copy, so that fit breaks ties in the same way
        best = np.flatnonzero(ranks <= (k or table.n_features))
        importances = np.zeros(table.n_features)
        importances[best] = np.fmax(self._accuracy_losses(table.columns(best), codes, times, again, given), 0)
        return scores, importances

    def _accuracy_losses(self, table, codes, times, rng, given):
        """(d,) falls in accuracy in a new forest on all features of a table, whose rows come so many times (n,).

        NaN for features that no tree uses.
        """
        from stabcore.selectors.importance import permutation_importance

        design, columns = Design.of(table)
        if len(design.feature) == 0:
            return np.full(table.n_features, np.nan)
        weights, columns = times if (times > 1).any() else None, adjusted_columns(columns, given)
        forest = unfitted_forest(self.trees, kind_of_target(codes), rng).fit(columns, codes, sample_weight=weights)
        p = len(design.feature)
        falls = design.total(permutation_importance(forest, columns, codes, rng)[:p], table.n_features)
        columns = np.unique(np.concatenate([tree.tree_.feature for tree in forest.estimators_]))
        falls[np.setdiff1d(np.arange(table.n_features), design.feature[columns[(columns >= 0) & (columns < p)]])] = np.nan
        return falls

    def _learner(self):
        return ForestClassifier(self.trees)


def unfitted_forest(trees, kind, rng, share=1.0):
    """A random forest of scikit-learn. share: of the columns that each split of a regression tree tries."""
    from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor

    seed = int(rng.integers(2**31))
    if kind == NUMBER:
        return RandomForestRegressor(trees, max_features=share, random_state=seed, n_jobs=1)
    return RandomForestClassifier(trees, random_state=seed, n_jobs=1)


@dataclass
class BoostedStumps(FinalModel, Selector):
    """Gradient boosting with one split per tree (Friedman 2001): score and importance are the share in the gain of all splits.

    The loss is the log-loss (multinomial for more than two classes), or the squared error for a numeric target. The gain of a split
    on a category, or on a number with few values or gaps, is multiplied by a ratio (see `gain_factors`). It is the best gain of
    other numbers for shuffled outcomes, divided by its own. Scores sum to 1 over the features. Features without a split are not
    ranked. Ties between splits are broken at random. Given columns are an offset that is fitted again after every round, and trees
    split the residuals of features on them.
    """

    targets = (TWO, MORE, NUMBER)
    takes_given = True
    zero_is_out = "No split uses the others."
    chance_inside = True  # with categories or gaps, whose cuts are weighted by shuffling

    rounds: int = option(100, "number of one-split trees")

    def _score(self, table, y, rng, k):
        cuts = Cuts(table, gain_factors(table, y, rng, self.given), self.given)
        gains = np.zeros(table.n_features)
        for split in boosted_splits(cuts, y, self.rounds, rng, self.given):
            gains[cuts.feature[split.column]] += split.gain
        scores = gains / (gains.sum() or 1)
        return scores, scores

    def _learner(self):
        return StumpsClassifier(self.rounds, LEARNING_RATE)
