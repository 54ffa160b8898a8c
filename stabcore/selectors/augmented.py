"""Augmented methods: a filter, then a learner that selects among the features of the filter."""

from dataclasses import dataclass

import numpy as np

from stabcore.classifiers.catalog import Classifier, ForestClassifier, SupportVectorMachine
from stabcore.selectors.base import MAY, TWO, Selector, option
from stabcore.selectors.final_model import FinalModel, SubsetModel
from stabcore.selectors.information_gain import InformationGain
from stabcore.selectors.linear import GLMBoosting
from stabcore.selectors.mutual_information import JMI, MRMR, MutualInformation
from stabcore.selectors.univariate import AUC, SeparationMRMR, Variance, WelchT

FILTERS = {
    "variance": Variance,
    "auc": AUC,
    "auc_mrmr": SeparationMRMR,
    "welch_t": WelchT,
    "mim": MutualInformation,
    "mrmr": MRMR,
    "jmi": JMI,
    "information_gain": InformationGain,
}
LEARNERS = ("glm_boosting", "lasso", "random_forest", "rbf_svm")
_DEFAULT_ROUNDS = 1000  # rounds of the solver of the lasso


@dataclass
class SparseLogistic(Classifier):
    """Logistic regression, min Σ log(1 + exp(−y(w·x + b))) + λ ‖w‖₁, at a given λ."""

    penalty: float

    def _fit(self, columns, y, rng):
        from sklearn.linear_model import LogisticRegression

        # The solver also shrinks the intercept, but hardly in a column this long. The order in which it visits the columns is
        # not random here, and has no effect at this precision.
        # Before scikit-learn 1.8, a lasso share without the new penalty argument silently left the ridge unchanged.
        lasso = {"l1_ratio": 1.0} if LogisticRegression().penalty == "deprecated" else {"penalty": "l1"}
        self._model = LogisticRegression(
            **lasso,
            C=1 / self.penalty,
            solver="liblinear",
            intercept_scaling=100.0,
            tol=1e-9,
            max_iter=_DEFAULT_ROUNDS,
            random_state=0,
        ).fit(columns, y)


@dataclass
class Augmented(FinalModel, Selector):
    """A filter keeps its best features, and a learner trained on them selects among them.

    A feature is used if it has a weight other than 0 (GLM boosting, lasso) or an impurity importance above 0 (random forest). The
    support vector machine uses all features of the filter. With k = "free" all used features are selected, as in the paper.
    `select(k)` gives the k best. importances_: ‖w_f‖ over the columns of a feature, the impurity importance, or 1 for each feature
    in the support vector machine. scores_: the same, for support vectors the order of the filter. `predict` uses the learner, which
    is trained again if fewer features are selected than it uses. Options of other learners are ignored. Intended for tables of
    numbers: lasso and forest see one column for each level of a category, which is an advantage for the category. Source: Bommert,
    Rahnenführer & Lang 2017, sections 2.2-2.4.
    """

    targets = (TWO,)
    own_size = MAY

    filter: str = option("auc", "filter that ranks the features first", choices=tuple(FILTERS))
    keep: int | None = option(None, "number of features that the filter keeps (default: all)", kind="whole")
    learner: str = option("glm_boosting", "learner trained on them", choices=LEARNERS)
    rounds: int = option(100, "GLM boosting: number of steps")
    penalty: float = option(1.0, "lasso: penalty (λ)", low=2.0**-30, high=2.0**30)
    trees: int = option(100, "random forest: number of trees")
    node: int = option(2, "random forest: smallest number of rows to split")
    cost: float = option(1.0, "support vectors: cost of a row on the wrong side (C)", low=2.0**-30, high=2.0**30)
    width: float = option(0.01, "support vectors: kernel width (σ)", low=2.0**-30, high=2.0**30)

    @property
    def chance_inside(self) -> bool:  # type: ignore[override]
        return self.learner == "random_forest"

    def _score(self, table, y, rng, k):
        d, keep = table.n_features, min(self.keep or table.n_features, table.n_features)
        if keep < d:
            filtered = FILTERS[self.filter]().fit(table, y, rng=rng, k=keep)
            columns = filtered.select(keep)
        else:
            filtered, columns = None, np.arange(d)
        model, weights = self._fitted_learner(table.columns(columns), y, rng)
        importances, scores = np.zeros(d), np.full(d, np.nan)
        importances[columns] = weights
        used = np.flatnonzero(importances)
        scores[used] = importances[used]
        if self.learner == "rbf_svm" and filtered is not None:
            scores[used] = -filtered.ranking_[used]
        self._whole = len(used), SubsetModel(model, columns)
        return scores, importances

    def _fitted_learner(self, table, y, rng):
        """(the learner, the importance of each feature in it (d,))."""
        d = table.n_features
        if self.learner == "glm_boosting":
            return GLMBoosting(rounds=self.rounds).fitted_model(table, y, rng)
        learner = {
            "lasso": SparseLogistic(self.penalty),
            "random_forest": ForestClassifier(self.trees, self.node),
            "rbf_svm": SupportVectorMachine("rbf", self.cost, self.width),
        }[self.learner].fit(table, y, rng, n_classes=2)
        design, model = learner.fitted
        if model is None:
            return learner, np.zeros(d)
        if self.learner == "rbf_svm":
            return learner, np.isin(np.arange(d), design.feature).astype(float)
        if self.learner == "random_forest":
            return learner, design.total(model.feature_importances_, d)
        return learner, np.sqrt(design.total(model.coef_[0] ** 2, d))

    def _final(self, table, codes, chosen, rng):
        n_used, model = self._whole
        return model if len(chosen) == n_used else SubsetModel(self._fitted_learner(table.columns(chosen), codes, rng)[0], chosen)
