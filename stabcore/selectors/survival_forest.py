"""Random survival forests of scikit-survival, an optional library."""

from dataclasses import dataclass

import numpy as np

from stabcore.base.target import TIME
from stabcore.data.encoding import Design
from stabcore.selectors.base import Selector, option
from stabcore.selectors.given import adjusted_columns
from stabcore.survival.concordance import column_concordances, concordance

_RISK_DIGITS = 9  # digits of risks, so that equal risks stay equal in any order of addition


@dataclass
class SurvivalForest(Selector):
    """Random survival forest: the decrease in out-of-bag concordance when the values of a feature are shuffled.

    Trees split by the log-rank test. The risk of a row is its mean over the trees without any copy of it, by the expected number of
    events in its leaf. The columns of a feature are shuffled together. Features that no tree uses are not ranked. importances_: the
    scores above 0. Every forest has the given columns, and the residuals of the features on them (see `adjusted_columns`).
    Ishwaran et al. 2008, Annals of Applied Statistics 2:841-860.
    """

    targets = (TIME,)
    takes_given = True
    chance_inside = True
    steadied_by = "more trees"
    library = "scikit-survival"

    trees: int = option(100, "number of trees")
    leaf: int = option(15, "smallest number of rows in a leaf")

    def _score(self, table, y, rng, k):
        design, columns = Design.of(table)
        if len(design.feature) == 0 or not y["event"].any():
            return np.zeros(table.n_features), np.zeros(table.n_features)
        from sksurv.ensemble import RandomSurvivalForest

        forest = RandomSurvivalForest(
            self.trees, min_samples_leaf=self.leaf, low_memory=True, random_state=int(rng.integers(2**31)), n_jobs=1
        )
        columns = adjusted_columns(columns, self.given)
        falls = permuted_losses(forest.fit(columns, y), columns, design.feature, y, table.originals, rng)
        scores = np.full(table.n_features, np.nan)
        scores[list(falls)] = list(falls.values())
        return scores, np.fmax(scores, 0)


def permuted_losses(forest, columns, feature, y, originals, rng) -> dict[int, float]:
    """{feature: fall in concordance} for the features that a tree uses, of a fitted forest and its rows (n, p + q).

    feature: (p,) of the first columns. originals: (n,) equal for copies of a row, which are in the bag together.
    """
    n, p = columns.shape
    used = [np.unique(feature[[c for c in np.unique(tree.tree_.feature) if 0 <= c < len(feature)]]) for tree in forest.estimators_]
    every = np.unique(np.concatenate([np.empty(0, dtype=int), *used]))
    times, risk, changes = np.zeros(n), np.zeros(n), np.zeros((len(every), n))
    for tree, inside, features in zip(forest.estimators_, forest.estimators_samples_, used, strict=True):
        outside = np.flatnonzero(~np.isin(originals, originals[inside]))
        if len(outside) == 0:
            continue
        asked = np.tile(columns[outside], (len(features) + 1, 1, 1))
        for number, f in enumerate(features):
            columns_of_f = np.flatnonzero(feature == f)
            asked[number + 1][:, columns_of_f] = columns[np.ix_(rng.permutation(outside), columns_of_f)]
        unmoved, *moved = tree.predict(asked.reshape(-1, p)).reshape(-1, len(outside))
        times[outside] += 1
        risk[outside] += unmoved
        if len(features):
            changes[np.ix_(np.searchsorted(every, features), outside)] += moved - unmoved
    rows = np.flatnonzero(times)
    if not y["event"][rows].any():
        return {}
    target, moved = y[rows], (risk + changes)[:, rows] / times[rows]
    falls = concordance((risk[rows] / times[rows]).round(_RISK_DIGITS), target) - column_concordances(
        moved.round(_RISK_DIGITS), target
    )
    return dict(zip(every.tolist(), np.nan_to_num(falls).tolist(), strict=True))
