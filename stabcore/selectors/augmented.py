"""A filter, then a learner that selects among what the filter left: what is called an augmented method."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from stabcore.classifiers.catalog import Classifier, Forest, SupportVectors
from stabcore.selectors.base import ALWAYS, TWO, Selector, option
from stabcore.selectors.final_model import FinalModel, Restricted
from stabcore.selectors.glm_boosting import GLMBoosting
from stabcore.selectors.information_gain import InformationGain
from stabcore.selectors.mutual_information import JMI, MRMR, MutualInformation
from stabcore.selectors.univariate import AUC, SeparationMRMR, Variance, WelchT

FILTERS = {"variance": Variance, "auc": AUC, "auc_mrmr": SeparationMRMR, "welch_t": WelchT, "mim": MutualInformation, "mrmr": MRMR,
           "jmi": JMI, "information_gain": InformationGain}
LEARNERS = ("glm_boosting", "lasso", "random_forest", "rbf_svm")
_ROUNDS = 1000          # of the lasso's solver


@dataclass
class SparseLogistic(Classifier):
    """Logistic regression, min Σ log(1 + exp(−y(w·x + b))) + λ ‖w‖₁, at a λ that is given."""

    penalty: float

    def _fit(self, columns, y, rng):
        from sklearn.linear_model import LogisticRegression

        # the solver also shrinks the intercept, but hardly in a column this long
        self._model = LogisticRegression(l1_ratio=1.0, C=1 / self.penalty, solver="liblinear", intercept_scaling=100.0,
                                         max_iter=_ROUNDS, random_state=int(rng.integers(2**31))).fit(columns, y)

    def _predict(self, columns):
        chances = self._spread(self._model.predict_proba(columns))
        return chances.argmax(axis=1), chances


@dataclass
class Augmented(FinalModel, Selector):
    """A filter keeps its best features, a learner is trained on them, and selected is what the learner uses.

    Used: a weight other than 0 (GLM boosting, lasso), an impurity importance above 0 (random forest), all that the filter kept
    (support vectors). How many that are is the learner's affair: `select(k)` gives them for any k. importances_: ‖w_f‖ over the
    columns of a feature, the impurity importance, or 1 for each feature that the support vectors use; scores_ the same, there by
    the filter's order. `predict` asks the learner. Options that another learner would have are not looked at. Source: Bommert,
    Rahnenführer & Lang 2017, sections 2.2-2.4.
    """

    targets = (TWO,)
    own_size = ALWAYS

    filter: str = option("auc", "what the features are ranked by at first", choices=tuple(FILTERS))
    keep: int | None = option(None, "how many features the filter keeps (all, if not given)", kind="whole")
    learner: str = option("lasso", "what is trained on them", choices=LEARNERS)
    rounds: int = option(100, "GLM boosting: how often one feature gains weight")
    penalty: float = option(1.0, "lasso: how strongly weights are shrunk (λ)", low=2.0 ** -30, high=2.0 ** 30)
    trees: int = option(100, "random forest: how many trees are grown")
    node: int = option(2, "random forest: fewer rows than this are not parted any further")
    cost: float = option(1.0, "support vectors: what a row on the wrong side costs (C)", low=2.0 ** -30, high=2.0 ** 30)
    width: float = option(0.01, "support vectors: how soon likeness falls with distance (σ)", low=2.0 ** -30, high=2.0 ** 30)

    @property
    def chance_inside(self):
        return self.learner == "random_forest"

    def remark(self, k) -> str:
        return "A filter with a learner selects what the learner uses, whatever number of features the study asks for."

    def select(self, k):
        """Sorted indices of the features that the learner uses, whatever k."""
        return self._used

    def _score(self, table, y, rng, k):
        d, keep = table.n_features, min(self.keep or table.n_features, table.n_features)
        if keep < d:
            filtered = FILTERS[self.filter]().fit(table, y, rng=rng, k=keep)
            kept = filtered.select(keep)
        else:
            filtered, kept = None, np.arange(d)
        self._model, weights = self._trained(table.columns(kept), y, rng)
        importances, scores = np.zeros(d), np.full(d, np.nan)
        importances[kept] = weights
        self._used = np.flatnonzero(importances)
        scores[self._used] = importances[self._used]
        if self.learner == "rbf_svm" and filtered is not None:
            scores[self._used] = -filtered.ranking_[self._used]
        self._final_model = Restricted(self._model, kept)
        return scores, importances

    def _trained(self, table, y, rng):
        """(the learner, what each feature counts in it (d,))."""
        d = table.n_features
        if self.learner == "glm_boosting":
            return GLMBoosting(rounds=self.rounds).trained(table, y, rng)
        learner = {"lasso": SparseLogistic(self.penalty), "random_forest": Forest(self.trees, self.node),
                   "rbf_svm": SupportVectors("rbf", self.cost, self.width)}[self.learner].fit(table, y, rng, n_classes=2)
        design, model = learner.fitted
        if model is None:
            return learner, np.zeros(d)
        if self.learner == "rbf_svm":
            return learner, np.isin(np.arange(d), design.feature).astype(float)
        if self.learner == "random_forest":
            return learner, design.total(model.feature_importances_, d)
        return learner, np.sqrt(design.total(model.coef_[0] ** 2, d))

    def _final(self, table, codes, chosen, rng):
        return self._final_model
