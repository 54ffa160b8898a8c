"""The only list of selectors: pages, command line, tests and documentation read it."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, NamedTuple

from stabcore.base.errors import InputError
from stabcore.base.text import nearest
from stabcore.selectors.augmented import Augmented
from stabcore.selectors.baseline import SIGN, Random
from stabcore.selectors.estimator import Estimator
from stabcore.selectors.information_gain import InformationGain
from stabcore.selectors.linear import ElasticNet, GLMBoosting, GroupLasso, Lasso, PathSelector
from stabcore.selectors.mutual_information import CMIM, JMI, MRMR, MutualInformation
from stabcore.selectors.recursive import SVM, SVMRFE, HybridRFE, LogisticRFE
from stabcore.selectors.relief import ReliefF
from stabcore.selectors.trees import BoostedStumps, PermutedForest, RandomForest
from stabcore.selectors.univariate import AUC, AnovaF, SeparationMRMR, Variance, WelchT

if TYPE_CHECKING:
    from typing import Any

    import pandas as pd

    from stabcore.selectors.base import Selector


class Option(NamedTuple):
    """An option of a selector: what it is unless one says otherwise, what it means, and what is allowed (see base.option)."""

    default: Any
    meaning: str
    kind: str
    low: float | None
    high: float | None
    choices: tuple | None


_COLUMNS = (
    "Numbers are standardised, their gaps filled with the median and marked in a column of their own; a category of L "
    "levels (missing is one of them) is L − 1 columns, each a level against those before it. The columns of a feature are "
    "chosen or left together, "
)
_LEVELS = (
    "Numbers are standardised, their gaps filled with the median and marked in a column of their own; a category is one "
    "column a level (missing is one of them). What the columns of a feature are worth is added up"
)

# What a selector does with numbers, categories and gaps; always learned from the resample alone.
ENCODINGS = {
    "intervals": "Numbers are cut into intervals; a category keeps its levels; missing is one more level. Where features differ "
    "in how many levels they have, each counts as one of as many levels as there are intervals that chance makes "
    "look as telling.",
    "accepted cuts": "Numbers are cut where the classes change and the cut is worth it. A category, a number of few values and "
    "the gaps of a number count where a number would that chance makes look as telling.",
    "columns that enter": _COLUMNS + "and come in where a number would that chance makes look as telling.",
    "columns by their mean": _COLUMNS + "by the mean of their squared weights, so that their number is no advantage.",
    "columns in one fit": _COLUMNS + "in one fit that is shrunk until it is as free as that of a single column.",
    "levels": _LEVELS + ".",
    "levels against chance": _LEVELS + ", and compared with what they come to for shuffled outcomes.",
    "differences": "Numbers are compared by their distance relative to the range, categories as same or different; a gap counts as "
    "the expected difference. A category weighs as much less as its differences spread more than those of numbers.",
    "one by one": "Numbers are looked at without their gaps, a category of two levels (missing is one of them) as a number. A "
    "category of more counts as a number that chance makes look as telling.",
    "own units": "Numbers are taken in their own units, without their gaps; a category, which has none, as the middle one of the "
    "numbers, or less the more unevenly its levels (missing is one of them) share the rows.",
    "nothing": "Values are not looked at.",
}


@dataclass(frozen=True, kw_only=True)
class Entry:
    """What there is to say about one selector."""

    key: str
    label: str
    plain: str
    family: str
    build: type[Selector]
    ranks: str  # "all", or "prefix" when some features are left unranked: of a search the last, of a model what it does not use
    encoding: str  # key of ENCODINGS
    importance: str
    reference: str

    @property
    def targets(self) -> tuple[str, ...]:
        """For which targets it is defined: of "two classes", "more classes", "a number"."""
        return self.build.targets

    @property
    def importances_of_one_k(self) -> bool:
        """Are its importances those of a model on the k features asked for, and unknown for any other k?"""
        return self.build.importances_of_one_k

    @property
    def chance_inside(self) -> bool:
        """May two fits to the same rows differ, ties aside? With its usual options."""
        return bool(self.build().chance_inside)

    @property
    def looks_at_outcome(self) -> bool:
        """Would it select otherwise if the outcome were another one?"""
        return self.build.looks_at_outcome

    @property
    def has_path(self) -> bool:
        """Does it select the models of a path, which need not be the first k of its ranking?"""
        return issubclass(self.build, PathSelector)

    @property
    def has_model(self) -> bool:
        """Does it end in a model of its own that predicts classes?"""
        return hasattr(self.build, "predict")

    @property
    def options(self) -> dict[str, Option]:
        return {field.name: Option(field.default, **field.metadata) for field in fields(self.build)}  # type: ignore[arg-type]


_BOMMERT = "Bommert, Rahnenführer & Lang 2017, Computational and Mathematical Methods in Medicine 7907163"
_BROWN = "Brown et al. 2012, JMLR 13:27-66"

ENTRIES = (
    Entry(
        key="mim",
        label="Mutual information (MIM)",
        family="mutual information",
        build=MutualInformation,
        plain="Ranks each marker on its own by how much knowing it tells about the outcome.",
        ranks="all",
        encoding="intervals",
        importance="mutual information with the outcome, in nats",
        reference=_BROWN,
    ),
    Entry(
        key="mrmr",
        label="mRMR",
        family="mutual information",
        build=MRMR,
        plain="Picks markers one by one: each tells much about the outcome and overlaps little with those already picked.",
        ranks="prefix",
        encoding="intervals",
        importance="relevance less mean redundancy when chosen, in nats; 0 when negative",
        reference="Peng, Long & Ding 2005, IEEE TPAMI 27:1226-1238",
    ),
    Entry(
        key="jmi",
        label="Joint mutual information (JMI)",
        family="mutual information",
        build=JMI,
        plain="Picks markers one by one that, paired with each marker already picked, tell most about the outcome.",
        ranks="prefix",
        encoding="intervals",
        importance="mean information added to each marker already chosen, in nats",
        reference="Yang & Moody 1999, NIPS 12:687-693",
    ),
    Entry(
        key="cmim",
        label="Conditional mutual information (CMIM)",
        family="mutual information",
        build=CMIM,
        plain="Picks markers one by one that still tell something new whichever of the picked markers is already known.",
        ranks="prefix",
        encoding="intervals",
        importance="least information added to any marker already chosen, in nats",
        reference="Fleuret 2004, JMLR 5:1531-1555",
    ),
    Entry(
        key="information_gain",
        label="Information gain",
        family="mutual information",
        build=InformationGain,
        plain="Cuts each marker where the outcome changes most, if that is worth a cut, and ranks by how much the pieces tell.",
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
        plain="Prefers markers in which similar patients with different outcomes differ and those with the same outcome do not.",
        ranks="all",
        encoding="differences",
        importance="weight; 0 when negative",
        reference="Kononenko 1994, ECML 171-182",
    ),
    Entry(
        key="svm",
        label="Support vector machine (SVM)",
        family="linear",
        build=SVM,
        plain="Finds the weighted sum of markers that parts the outcomes with the widest gap, and ranks markers by their weights.",
        ranks="all",
        encoding="columns by their mean",
        importance="squared weight; of several columns the mean",
        reference="Kalousis, Prados & Hilario 2005, ICDM",
    ),
    Entry(
        key="svm_rfe",
        label="SVM, dropping the weakest (SVM-RFE)",
        family="linear",
        build=SVMRFE,
        plain="Parts the outcomes with the widest gap, drops the markers with the least weight, and starts again with the others.",
        ranks="all",
        encoding="columns by their mean",
        importance="squared weight in the model with k features; of several columns the mean",
        reference="Guyon et al. 2002, Machine Learning 46:389-422; Kalousis, Prados & Hilario 2005, ICDM",
    ),
    Entry(
        key="logistic_rfe",
        label="Logistic regression, dropping the weakest (logistic RFE)",
        family="linear",
        build=LogisticRFE,
        plain="Fits the chance of the outcome with all markers, drops those with the least weight, and fits again with the others.",
        ranks="all",
        encoding="columns by their mean",
        importance="absolute weight in the model with k features; of several columns √(mean square)",
        reference="Hamer & Dupont 2021, JMLR 22(116)",
    ),
    Entry(
        key="hybrid_rfe",
        label="Logistic RFE that keeps the best single markers (hybrid RFE)",
        family="linear",
        build=HybridRFE,
        plain="As logistic RFE, but a few markers that are steady on their own stay in, which makes the choice more stable.",
        ranks="all",
        encoding="columns by their mean",
        importance="absolute weight in the model with k features; of several columns √(mean square)",
        reference="Hamer & Dupont 2021, JMLR 22(116), section 6",
    ),
    Entry(
        key="lasso",
        label="Lasso",
        family="linear",
        build=Lasso,
        plain="Fits one weighted sum of markers to the outcome and keeps only the few that it cannot do without.",
        ranks="prefix",
        encoding="columns that enter",
        importance="absolute weight in the model with k features; of several columns √(sum of squares)",
        reference="Tibshirani 1996, JRSS B 58:267-288; Park & Hastie 2007, JRSS B 69:659-677",
    ),
    Entry(
        key="elastic_net",
        label="Elastic net",
        family="linear",
        build=ElasticNet,
        plain="Fits one weighted sum of markers to the outcome and keeps few, but lets markers that resemble each other in "
        "together.",
        ranks="prefix",
        encoding="columns that enter",
        importance="absolute weight in the model with k features; of several columns √(sum of squares)",
        reference="Zou & Hastie 2005, JRSS B 67:301-320; Hamer & Dupont 2021, JMLR 22(116)",
    ),
    Entry(
        key="group_lasso",
        label="Group lasso",
        family="linear",
        build=GroupLasso,
        plain="Fits one weighted sum of markers to the outcome and keeps or drops whole groups of markers, as you define them.",
        ranks="prefix",
        encoding="columns that enter",
        importance="absolute weight in the model with k features; of several columns √(sum of squares)",
        reference="Yuan & Lin 2006, JRSS B 68:49-67; Meier, van de Geer & Bühlmann 2008, JRSS B 70:53-71",
    ),
    Entry(
        key="random_forest",
        label="Random forest",
        family="trees",
        build=RandomForest,
        plain="Grows many decision trees on random parts of the data and ranks markers by how much they help to tell the outcome.",
        ranks="prefix",
        encoding="levels against chance",
        importance="share of the fall in impurity (Gini's; the variance for a number)",
        reference="Breiman 2001, Machine Learning 45:5-32; Altmann et al. 2010, Bioinformatics 26:1340-1347",
    ),
    Entry(
        key="random_forest_permutation",
        label="Random forest, shuffled",
        family="trees",
        build=PermutedForest,
        plain="Grows many decision trees and ranks markers by how many more patients they get wrong once it is shuffled.",
        ranks="prefix",
        encoding="levels",
        importance="fall in out-of-bag accuracy in a new forest on the k best features; 0 when negative",
        reference="Breiman 2001, Machine Learning 45:5-32; Hamer & Dupont 2021, JMLR 22(116)",
    ),
    Entry(
        key="gbm",
        label="Boosted stumps (GBM)",
        family="boosting",
        build=BoostedStumps,
        plain="Adds up many yes/no questions, each about one marker, and ranks markers by what their questions settle.",
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
        plain="Builds one weighted sum of markers in small steps, each giving a little weight to the marker that helps most "
        "just then.",
        ranks="prefix",
        encoding="columns in one fit",
        importance="absolute weight after all rounds; of several columns √(mean square)",
        reference="Bühlmann & Hothorn 2007, Statistical Science 22:477-505; Hofner et al. 2011, JCGS 20:956-971",
    ),
    Entry(
        key="variance",
        label="Variance",
        family="one by one",
        build=Variance,
        plain="Ranks each marker by how much it varies between patients, without looking at the outcome; it depends on the units.",
        ranks="all",
        encoding="own units",
        importance="variance",
        reference=_BOMMERT,
    ),
    Entry(
        key="auc",
        label="Area under the curve (AUC)",
        family="one by one",
        build=AUC,
        plain="Ranks each marker on its own by how well its values tell the classes apart, whatever the cut-off.",
        ranks="all",
        encoding="one by one",
        importance="distance of the AUC from 0.5",
        reference=_BOMMERT,
    ),
    Entry(
        key="auc_mrmr",
        label="AUC with little overlap (AUC-mRMR)",
        family="one by one",
        build=SeparationMRMR,
        plain="Picks markers one by one: each tells the classes apart on its own and is little correlated with those "
        "already picked.",
        ranks="prefix",
        encoding="one by one",
        importance="distance of the AUC from 0.5, for each chosen feature",
        reference=_BOMMERT,
    ),
    Entry(
        key="welch_t",
        label="Welch's t-test",
        family="one by one",
        build=WelchT,
        plain="Ranks each marker on its own by how far its means in the two classes lie apart, against its spread.",
        ranks="all",
        encoding="one by one",
        importance="absolute t",
        reference="Welch 1947, Biometrika 34:28-35; Hamer & Dupont 2021, JMLR 22(116)",
    ),
    Entry(
        key="anova_f",
        label="Analysis of variance (F)",
        family="one by one",
        build=AnovaF,
        plain="Ranks each marker on its own by how much more it differs between the classes than within them.",
        ranks="all",
        encoding="one by one",
        importance="F statistic",
        reference="Fisher 1925, Statistical Methods for Research Workers",
    ),
    Entry(
        key="estimator",
        label="Any scikit-learn model",
        family="any model",
        build=Estimator,
        plain="Fits a model of your choice and ranks markers by the weight or the importance that it gives them.",
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
        plain="Keeps the best markers of a filter, trains a learner on them, and ranks those that the learner uses.",
        ranks="prefix",
        encoding="levels",
        importance="weight or importance in the learner; 1 for each that support vectors use",
        reference=_BOMMERT,
    ),
    Entry(
        key="random",
        label=f"Random ranking {SIGN}",
        family="baseline",
        build=Random,
        plain="Picks markers by lot: the yardstick that any real method should beat.",
        ranks="all",
        encoding="nothing",
        importance="1/k for each chosen feature",
        reference="Kalousis, Prados & Hilario 2005, ICDM",
    ),
)

BY_KEY = {entry.key: entry for entry in ENTRIES}


def entry(key: str) -> Entry:
    """The catalogue entry of a selector key. Raises InputError that lists the keys."""
    if key not in BY_KEY:
        raise InputError(f"There is no selector {key!r}{nearest(key, BY_KEY)}. Choose one of: {', '.join(BY_KEY)}.")
    return BY_KEY[key]


def selector(key: str, **options: Any) -> Selector:
    """A new selector by its key, with its options. Raises InputError for an unknown key or option."""
    known = entry(key).options
    for name in options:
        if name not in known:
            allowed = f"its options are: {', '.join(known)}" if known else "it has none"
            raise InputError(f"The selector {key!r} has no option {name!r}; {allowed}.")
    return entry(key).build(**options)


def list_selectors() -> pd.DataFrame:
    """The catalogue as DataFrame by key: label, plain sentence, family, options, and where they apply."""
    import pandas

    shown = [
        "key",
        "label",
        "plain",
        "family",
        "options",
        "ranks",
        "targets",
        "encoding",
        "importance",
        "importances_of_one_k",
        "has_model",
        "chance_inside",
        "reference",
    ]
    frame = pandas.DataFrame([[getattr(definition, name) for name in shown] for definition in ENTRIES], columns=shown)
    frame["options"] = [
        "; ".join(f"{name} = {one.default}: {one.meaning}" for name, one in options.items()) for options in frame["options"]
    ]
    frame["targets"] = frame["targets"].map(", ".join)
    frame["encoding"] = frame["encoding"].map(ENCODINGS)
    return frame.set_index("key")
