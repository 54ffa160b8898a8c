"""Boruta: features that are more important than shuffled copies of all features in random forests, round after round."""

from dataclasses import dataclass

import numpy as np

from stabcore.base.target import kind_of_target
from stabcore.classifiers.catalog import ForestClassifier
from stabcore.data.encoding import Design
from stabcore.selectors.base import MAY, MORE, NUMBER, TWO, Selector, option
from stabcore.selectors.fair import chance_adjusted, has_few_cuts
from stabcore.selectors.final_model import FinalModel
from stabcore.selectors.given import adjusted_columns, distinct_rows
from stabcore.selectors.trees import unfitted_forest

_MIN_SHADOWS = 5  # as in the paper: with fewer, the best of them is too easily beaten
_CONFIRMED, _TENTATIVE, _REJECTED = 2, 1, 0


@dataclass
class Boruta(FinalModel, Selector):
    """Boruta (Kursa & Rudnicki 2010): random forests on the features and on shadows, copies with shuffled rows.

    A feature scores a hit in a round if its importance exceeds that of every shadow. A binomial test with probability ½, by
    Bonferroni over all features, confirms features with many hits and rejects those with few, which leave the forest with their
    shadows. Rounds end when no feature is undecided, or after `rounds`. k = "free" selects the confirmed features. For a given k,
    confirmed features come before undecided ones, and these before the rejected, each by mean importance. Scores number this order.
    The level is that of a binomial test over rounds, not over samples of patients. A noise feature that follows the outcome by
    chance exceeds new shadows in round after round. So some noise is confirmed in about a quarter of tables without signal.
    importances_: the mean decrease in impurity over the rounds, whose sum over features and shadows is 1 in each round. The paper
    uses the standardised decrease in accuracy. The importance of a category, or of a number with few values or gaps, is compared
    with its own shadows (see `chance_adjusted`). Copies of a row in a bootstrap count as one row, because shadows that separate
    copies would be at a disadvantage. Given columns are in every forest and never judged. Features and shadows are what they leave
    of the features (see `adjusted_columns`).
    """

    targets = (TWO, MORE, NUMBER)
    weighs = False
    own_size = MAY
    takes_given = True
    chance_inside = True
    steadied_by = "more rounds"

    rounds: int = option(50, "largest number of rounds")
    trees: int = option(50, "number of trees in each round")
    level: float = option(0.01, "p value, times the number of features, at which a feature is confirmed or rejected", high=1.0)

    def _score(self, table, y, rng, k):
        labels, codes = np.unique(y, return_inverse=True)
        rows, given, codes, times = distinct_rows(table, self.given, codes)
        target = labels[codes]
        design, columns = Design.of(rows)
        columns, always = np.split(adjusted_columns(columns, given), [len(design.feature)], axis=1)
        decided, importances = self._decisions(rows, design, columns, always, target, times, rng)
        confirmed = decided == _CONFIRMED
        order = decided + importances / (1 + importances.max(initial=0.0))
        scores = np.unique(order, return_inverse=True)[1].astype(float)
        if k is None:
            scores[~confirmed] = np.nan
            importances = np.where(confirmed, importances, 0.0)
        return scores, importances

    def _decisions(self, table, design, columns, given, target, times, rng):
        """(d,) the decision on each feature, and its mean importance in its rounds."""
        d, differs = table.n_features, has_few_cuts(table)
        decided, hits, sums = np.full(d, _REJECTED), np.zeros(d), np.zeros((2, d))
        decided[design.feature] = _TENTATIVE
        in_rounds, n_tested = np.zeros(d), np.count_nonzero(decided)
        for done in range(1, self.rounds + 1):
            if not (decided == _TENTATIVE).any():
                break
            real, shadow = self._importances(design, columns, given, target, times, decided != _REJECTED, rng)
            sums += real, shadow.mean(axis=0)
            in_rounds += decided != _REJECTED
            if differs.any():
                chance = sums[1] / np.maximum(in_rounds, 1)
                real, *shadow = (chance_adjusted(values, chance, table) for values in (real, *shadow))
            hits += real > np.max(shadow)
            decided = np.where(decided == _TENTATIVE, self._hit_decisions(hits, done, n_tested), decided)
        means = sums / np.maximum(in_rounds, 1)
        return decided, chance_adjusted(means[0], means[1], table) if differs.any() else means[0]

    def _hit_decisions(self, hits, rounds, n_tested):
        """(d,) the decision that follows from the numbers of hits in some rounds."""
        from scipy.special import bdtr, bdtrc

        level = self.level / n_tested
        confirmed = bdtrc(hits - 1, rounds, 0.5) <= level
        return np.where(confirmed, _CONFIRMED, np.where(bdtr(hits, rounds, 0.5) <= level, _REJECTED, _TENTATIVE))

    def _importances(self, design, columns, always, target, times, remaining, rng):
        """(d,) importances of the remaining features, and (s, d) of their shadows, in one new forest with the given columns."""
        d, mine = design.learned.n_features, np.flatnonzero(remaining[design.feature])
        n_copies = -(-_MIN_SHADOWS // np.count_nonzero(remaining))
        blocks = [columns[:, mine]]
        for _ in range(n_copies):
            place = rng.permuted(np.tile(np.arange(len(columns)), (d, 1)), axis=1)  # the columns of a feature move together
            blocks.append(columns[place[design.feature[mine]].T, mine])
        forest = unfitted_forest(self.trees, kind_of_target(target), rng, share=1 / 3)
        forest.fit(np.hstack([*blocks, always]), target, sample_weight=times if (times > 1).any() else None)
        parts = forest.feature_importances_[: (n_copies + 1) * len(mine)].reshape(n_copies + 1, len(mine))
        of_features = np.array([np.bincount(design.feature[mine], weights=part, minlength=d) for part in parts])
        return of_features[0], of_features[1:]

    def _learner(self):
        return ForestClassifier(self.trees)
