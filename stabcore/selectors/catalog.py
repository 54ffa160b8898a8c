"""The only list of selectors: pages, command line, tests and documentation read it."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from stabcore.base.errors import InputError
from stabcore.base.public import public
from stabcore.base.tables import listed_entries
from stabcore.base.text import suggest_name
from stabcore.selectors.augmented import Augmented
from stabcore.selectors.backward import BackwardElimination
from stabcore.selectors.base import Selector
from stabcore.selectors.baseline import BASELINE_SUFFIX, Random
from stabcore.selectors.boruta import Boruta
from stabcore.selectors.estimator import NamedEstimator
from stabcore.selectors.information_gain import InformationGain
from stabcore.selectors.knockoffs import KnockoffFilter
from stabcore.selectors.linear import ElasticNet, GLMBoosting, GroupLasso, Lasso, PathSelector
from stabcore.selectors.mutual_information import CMIM, JMI, MRMR, MutualInformation
from stabcore.selectors.recursive import SVM, SVMRFE, HybridRFE, LogisticRFE
from stabcore.selectors.relief import ReliefF
from stabcore.selectors.survival_forest import SurvivalForest
from stabcore.selectors.timed import Concordance, CoxScore
from stabcore.selectors.trees import BoostedStumps, PermutedForest, RandomForest
from stabcore.selectors.univariate import AUC, AnovaF, SeparationMRMR, Variance, WelchT

if TYPE_CHECKING:
    import pandas as pd


class Option(NamedTuple):
    """An option of a selector: its default, its meaning, and the allowed values (see base.option)."""

    default: Any
    meaning: str
    kind: str
    low: float | None
    high: float | None
    choices: tuple | None


_COLUMNS = (
    "Numbers are standardised. Their gaps are filled with the median and marked in a second column. A category of L levels "
    "(missing is one) is L − 1 contrasts. The columns of a feature are selected together"
)
_LEVELS = (
    "Numbers are standardised. Their gaps are filled with the median and marked in a second column. A category is one column per "
    "level (missing is one). The importances of the columns of a feature are added"
)

# How a selector encodes numbers, categories and gaps. The encoding is learned from the resample alone.
ENCODINGS = {
    "intervals": "Numbers are cut into intervals. A category keeps its levels, and missing is one more level. Scores are "
    "adjusted so that the number of levels gives no advantage by chance.",
    "accepted cuts": "Numbers are cut where the classes change and the cut pays off. Categories, numbers of few values and gaps "
    "are adjusted so that they are no more likely to be selected by chance.",
    "columns that enter": _COLUMNS + ", and enter as early as a number would by chance.",
    "columns by their mean": _COLUMNS + ", by the mean of their squared weights, so that their number gives no advantage.",
    "columns in one fit": _COLUMNS + ", in one fit that is shrunk to the degrees of freedom of a single column.",
    "columns tested together": _COLUMNS + ", and tested on the degrees of freedom of their number.",
    "levels": _LEVELS + ".",
    "levels against chance": _LEVELS + ", and compared with those for shuffled outcomes.",
    "levels against shadows": _LEVELS + ", and compared with those of shuffled copies.",
    "differences": "Numbers are compared by their distance relative to the range, categories as same or different. A gap counts "
    "as the expected difference. Categories are weighted by how much their differences spread.",
    "one by one": "Numbers are used without their gaps. A category of two levels (missing is one) is used as a number. A "
    "category of more levels is adjusted to the score that a number has by chance.",
    "own units": "Numbers are used in their own units, without their gaps. A category gets the scale of the median number, or "
    "less if its levels (missing is one) are uneven.",
    "nothing": "Values are not used.",
}


@dataclass(frozen=True, kw_only=True)
class Entry:
    """One selector of the catalogue."""

    key: str
    label: str
    plain: str
    family: str
    build: type[Selector]
    ranks: str  # "all", or "prefix" when some features stay unranked
    encoding: str  # key of ENCODINGS
    importance: str
    reference: str

    @property
    def targets(self) -> tuple[str, ...]:
        """The targets it is defined for, among "two classes", "more classes" and "a number"."""
        return self.build.targets

    @property
    def importances_of_one_k(self) -> bool:
        """Whether its importances are those of a model on the k requested features, and unknown for any other k."""
        return self.build.importances_of_one_k

    @property
    def chance_inside(self) -> bool:
        """Whether two fits to the same rows may differ, ties aside, with its default options."""
        return bool(self.build().chance_inside)

    @property
    def looks_at_outcome(self) -> bool:
        """Whether its selections depend on the outcome."""
        return self.build.looks_at_outcome

    @property
    def has_path(self) -> bool:
        """Whether it selects the models of a path, which need not be the first k of its ranking."""
        return issubclass(self.build, PathSelector)

    @property
    def has_model(self) -> bool:
        """Whether it ends in a final model that predicts classes."""
        return hasattr(self.build, "predict")

    @property
    def options(self) -> dict[str, Option]:
        return {field.name: Option(field.default, **field.metadata) for field in fields(self.build)}  # type: ignore[arg-type]


_BOMMERT = "Bommert, Rahnenführer & Lang 2017, Computational and Mathematical Methods in Medicine 7907163"
_BROWN = "Brown et al. 2012, JMLR 13:27-66"
# Selectors of one kind share what is said of them.
_information_entry = partial(Entry, family="mutual information", encoding="intervals")
_sparse_entry = partial(
    Entry,
    family="linear",
    ranks="prefix",
    encoding="columns that enter",
    importance="absolute weight in the model with k features, √(sum of squares) over several columns",
)
_linear_entry = partial(Entry, family="linear", ranks="all", encoding="columns by their mean")
_univariate_entry = partial(Entry, family="univariate", ranks="all", encoding="one by one")
_tree_entry = partial(Entry, family="trees", ranks="prefix")

ENTRIES = (
    _information_entry(
        key="mim",
        label="Mutual information (MIM)",
        build=MutualInformation,
        plain="Ranks each feature by its mutual information with the outcome.",
        ranks="all",
        importance="mutual information with the outcome, in nats",
        reference=_BROWN,
    ),
    _information_entry(
        key="mrmr",
        label="mRMR",
        build=MRMR,
        plain="Minimum redundancy, maximum relevance: adds features one by one. Each has high mutual information with the outcome "
        "and little with those already selected.",
        ranks="prefix",
        importance="relevance less mean redundancy when chosen, in nats, 0 when negative",
        reference="Peng, Long & Ding 2005, IEEE TPAMI 27:1226-1238",
    ),
    _information_entry(
        key="jmi",
        label="Joint mutual information (JMI)",
        build=JMI,
        plain="Adds features one by one. It pairs a candidate with each feature selected before. The score is the mean "
        "information of these pairs about the outcome.",
        ranks="prefix",
        importance="mean information added to each feature already chosen, in nats",
        reference="Yang & Moody 1999, NIPS 12:687-693",
    ),
    _information_entry(
        key="cmim",
        label="Conditional mutual information (CMIM)",
        build=CMIM,
        plain="Adds features one by one. For each candidate, it computes the information about the outcome that it adds "
        "to each feature selected before, and keeps the smallest. The candidate with the largest of these values is next.",
        ranks="prefix",
        importance="least information added to any feature already chosen, in nats",
        reference="Fleuret 2004, JMLR 5:1531-1555",
    ),
    Entry(
        key="information_gain",
        label="Information gain",
        family="mutual information",
        build=InformationGain,
        plain="Cuts each feature where the classes change most, if the cut pays off, and ranks by mutual information.",
        ranks="prefix",
        encoding="accepted cuts",
        importance="mutual information with the outcome, in nats",
        reference="Fayyad & Irani 1993, IJCAI 1022-1027",
    ),
    Entry(
        key="relieff",
        label="ReliefF",
        family="neighbours",
        build=ReliefF,
        plain="Prefers features that differ between similar patients with different outcomes, but not with the same outcome.",
        ranks="all",
        encoding="differences",
        importance="weight, 0 when negative",
        reference="Kononenko 1994, ECML 171-182",
    ),
    _linear_entry(
        key="svm",
        label="Support vector machine (SVM)",
        build=SVM,
        plain="Separates the outcomes by a weighted sum of features with the widest margin, and ranks features by weight.",
        importance="squared weight, the mean over several columns",
        reference="Kalousis, Prados & Hilario 2005, ICDM",
    ),
    _linear_entry(
        key="svm_rfe",
        label="SVM with recursive feature elimination (SVM-RFE)",
        build=SVMRFE,
        plain="Fits an SVM, drops the features with the smallest weights, and fits again to the others.",
        importance="squared weight in the model with k features, the mean over several columns",
        reference="Guyon et al. 2002, Machine Learning 46:389-422; Kalousis, Prados & Hilario 2005, ICDM",
    ),
    _linear_entry(
        key="logistic_rfe",
        label="Logistic regression with recursive feature elimination",
        build=LogisticRFE,
        plain="Fits a logistic regression, drops the features with the smallest weights, and fits again to the others.",
        importance="absolute weight in the model with k features, √(mean square) over several columns",
        reference="Hamer & Dupont 2021, JMLR 22(116)",
    ),
    _linear_entry(
        key="hybrid_rfe",
        label="Logistic RFE that keeps the best single features (hybrid RFE)",
        build=HybridRFE,
        plain="Logistic RFE that always keeps a few features chosen by a stable filter.",
        importance="absolute weight in the model with k features, √(mean square) over several columns",
        reference="Hamer & Dupont 2021, JMLR 22(116), section 6",
    ),
    _sparse_entry(
        key="lasso",
        label="Lasso",
        build=Lasso,
        plain="Fits a weighted sum of features with a penalty that sets most weights to 0.",
        reference="Tibshirani 1996, JRSS B 58:267-288; Park & Hastie 2007, JRSS B 69:659-677",
    ),
    _sparse_entry(
        key="elastic_net",
        label="Elastic net",
        build=ElasticNet,
        plain="Fits a weighted sum of features with a penalty that sets most weights to 0, but keeps correlated features together.",
        reference="Zou & Hastie 2005, JRSS B 67:301-320; Hamer & Dupont 2021, JMLR 22(116)",
    ),
    _sparse_entry(
        key="group_lasso",
        label="Group lasso",
        build=GroupLasso,
        plain="Fits a weighted sum of features with a penalty that keeps or drops whole groups of features, as you define them.",
        reference="Yuan & Lin 2006, JRSS B 68:49-67; Meier, van de Geer & Bühlmann 2008, JRSS B 70:53-71",
    ),
    Entry(
        key="backward_elimination",
        label="Backward elimination",
        family="linear",
        build=BackwardElimination,
        plain="Fits a regression on all features, and drops the least significant one by one, by AIC, BIC or p value.",
        ranks="all",
        encoding="columns tested together",
        importance="absolute weight in the model with k features, √(mean square) over several columns",
        reference="Heinze, Wallisch & Dunkler 2018, Biometrical Journal 60:431-449",
    ),
    Entry(
        key="knockoff_filter",
        label="Knockoff filter",
        family="linear",
        build=KnockoffFilter,
        plain="Keeps features that a lasso weighs more than their knockoffs, random copies with the same correlations.",
        ranks="prefix",
        encoding="columns by their mean",
        importance="absolute weight in the lasso minus that of the knockoff, 0 when negative",
        reference="Candès et al. 2018, JRSS B 80:551-577; Barber & Candès 2015, Annals of Statistics 43:2055-2085",
    ),
    _tree_entry(
        key="random_forest",
        label="Random forest",
        build=RandomForest,
        plain="Grows many decision trees on random parts of the data, and ranks features by how well their splits separate the "
        "outcome.",
        encoding="levels against chance",
        importance="share of the decrease in impurity (Gini, or the variance for a number)",
        reference="Breiman 2001, Machine Learning 45:5-32; Altmann et al. 2010, Bioinformatics 26:1340-1347",
    ),
    _tree_entry(
        key="random_forest_permutation",
        label="Random forest, permutation importance",
        build=PermutedForest,
        plain="Grows many decision trees, and ranks features by the loss of accuracy when their values are shuffled.",
        encoding="levels",
        importance="decrease in out-of-bag accuracy in a new forest on the k best features, 0 when negative",
        reference="Breiman 2001, Machine Learning 45:5-32; Hamer & Dupont 2021, JMLR 22(116)",
    ),
    _tree_entry(
        key="survival_forest",
        label="Random survival forest",
        build=SurvivalForest,
        plain="Grows many survival trees, and ranks features by the loss of concordance when their values are shuffled.",
        encoding="levels",
        importance="decrease in out-of-bag concordance, 0 when negative",
        reference="Ishwaran et al. 2008, Annals of Applied Statistics 2:841-860",
    ),
    Entry(
        key="boruta",
        label="Boruta",
        family="trees",
        build=Boruta,
        plain="Keeps features that count more in random forests than shuffled copies of all features, round after round.",
        ranks="all",
        encoding="levels against shadows",
        importance="mean decrease in impurity, 0 of a feature that is not ranked",
        reference="Kursa & Rudnicki 2010, Journal of Statistical Software 36(11):1-13",
    ),
    Entry(
        key="gbm",
        label="Boosted stumps (GBM)",
        family="boosting",
        build=BoostedStumps,
        plain="Adds up many trees that split the rows once, by one feature. Ranks features by how well their splits separate "
        "the outcome.",
        ranks="prefix",
        encoding="levels against chance",
        importance="share of the gain of all splits",
        reference="Friedman 2001, Annals of Statistics 29:1189-1232",
    ),
    Entry(
        key="glm_boosting",
        label="GLM boosting",
        family="boosting",
        build=GLMBoosting,
        plain="Builds a weighted sum of features in small steps. Each step uses the feature that improves the fit most.",
        ranks="prefix",
        encoding="columns in one fit",
        importance="absolute weight after all rounds, √(mean square) over several columns",
        reference="Bühlmann & Hothorn 2007, Statistical Science 22:477-505; Hofner et al. 2011, JCGS 20:956-971",
    ),
    Entry(
        key="variance",
        label="Variance",
        family="univariate",
        build=Variance,
        plain="Ranks each feature by its variance, without the outcome. The variance depends on the units.",
        ranks="all",
        encoding="own units",
        importance="variance",
        reference=_BOMMERT,
    ),
    _univariate_entry(
        key="auc",
        label="Area under the curve (AUC)",
        build=AUC,
        plain="Ranks each feature by how well its values separate the classes, at any cut-off.",
        importance="distance of the AUC from 0.5",
        reference=_BOMMERT,
    ),
    Entry(
        key="auc_mrmr",
        label="AUC with little overlap (AUC-mRMR)",
        family="univariate",
        build=SeparationMRMR,
        plain="Adds features one by one. Each separates the classes and has little correlation with those already selected.",
        ranks="prefix",
        encoding="one by one",
        importance="distance of the AUC from 0.5, for each chosen feature",
        reference=_BOMMERT,
    ),
    Entry(
        key="cox_score",
        label="Cox score test",
        family="univariate",
        build=CoxScore,
        plain="Ranks each feature by how clearly it is related to the hazard of the event, one at a time.",
        ranks="all",
        encoding="one by one",
        importance="|z| of the score test",
        reference="Cox 1972, JRSS B 34:187-220",
    ),
    Entry(
        key="concordance",
        label="Concordance",
        family="univariate",
        build=Concordance,
        plain="Ranks each feature by how often it orders two patients as their times to the event.",
        ranks="all",
        encoding="one by one",
        importance="|0.5 − concordance|",
        reference="Harrell et al. 1982, JAMA 247:2543-2546",
    ),
    _univariate_entry(
        key="welch_t",
        label="Welch's t-test",
        build=WelchT,
        plain="Ranks each feature by the difference of its means in the two classes, relative to its spread.",
        importance="absolute t",
        reference="Welch 1947, Biometrika 34:28-35; Hamer & Dupont 2021, JMLR 22(116)",
    ),
    _univariate_entry(
        key="anova_f",
        label="Analysis of variance (F)",
        build=AnovaF,
        plain="Ranks each feature by its variance between the classes, relative to that within them.",
        importance="F statistic",
        reference="Fisher 1925, Statistical Methods for Research Workers",
    ),
    Entry(
        key="estimator",
        label="Any scikit-learn model",
        family="any model",
        build=NamedEstimator,
        plain="Fits a model of your choice, and ranks features by their weights or importances in it.",
        ranks="prefix",
        encoding="levels",
        importance="sum of absolute weights, or the model's own importance",
        reference="Pedregosa et al. 2011, JMLR 12:2825-2830",
    ),
    Entry(
        key="augmented",
        label="Filter, then a learner",
        family="any model",
        build=Augmented,
        plain="Keeps the best features of a filter, trains a learner on them, and ranks those that the learner uses.",
        ranks="prefix",
        encoding="levels",
        importance="weight or importance in the learner, 1 for each feature that support vectors use",
        reference=_BOMMERT,
    ),
    Entry(
        key="random",
        label=f"Random ranking {BASELINE_SUFFIX}",
        family="baseline",
        build=Random,
        plain="Selects features at random, as a baseline for comparison.",
        ranks="all",
        encoding="nothing",
        importance="1/k for each chosen feature",
        reference="Kalousis, Prados & Hilario 2005, ICDM",
    ),
)

BY_KEY = {entry.key: entry for entry in ENTRIES}


def entry(key: str) -> Entry:
    """The catalogue entry of a selector key. Raises InputError, with the list of keys, for an unknown one."""
    if key not in BY_KEY:
        raise InputError(f"There is no selector {key!r}{suggest_name(key, BY_KEY)}. Choose one of: {', '.join(BY_KEY)}.")
    return BY_KEY[key]


@public
def selector(key: str, **options: Any) -> Selector:
    """A new selector by its key, with its options. Raises InputError for an unknown key or option.

    Parameters
    ----------
    key : str
        Key of the catalogue.
    options : object, optional
        Options of the selector.

    Examples
    --------
    >>> sc.selector("random_forest", trees=50)
    RandomForest(trees=50)
    """
    allowed = entry(key).options
    for name in options:
        if name not in allowed:
            raise InputError(f"The selector {key!r} has no option {name!r}. Its options are: {', '.join(allowed) or 'none'}.")
    return entry(key).build(**options)


def list_selectors() -> pd.DataFrame:
    """The catalogue as a DataFrame by key: label, plain sentence, family, options, and their scope.

    Examples
    --------
    >>> sc.list_selectors().loc["lasso", "label"]
    'Lasso'
    """
    shown = ["label", "plain", "family", "options", "ranks", "targets", "encoding", "importance"]
    frame = listed_entries(ENTRIES, [*shown, "importances_of_one_k", "has_model", "chance_inside", "reference"])
    frame["targets"] = frame["targets"].map(", ".join)
    frame["encoding"] = frame["encoding"].map(ENCODINGS)
    return frame
