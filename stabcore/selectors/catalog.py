"""The only list of selectors: pages, command line, tests and documentation read it."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import NamedTuple

from stabcore.errors import InputError
from stabcore.selectors.baseline import Random
from stabcore.selectors.boosting import BoostedStumps
from stabcore.selectors.linear import Lasso
from stabcore.selectors.mutual_information import CMIM, JMI, MRMR, MutualInformation
from stabcore.selectors.trees import RandomForest


class Option(NamedTuple):
    """An option of a selector: what it is unless one says otherwise, what it means, and what is allowed (see base.option)."""

    default: object
    meaning: str
    kind: str
    low: float | None
    high: float | None
    choices: tuple | None


# What a selector does with numbers, categories and gaps; always learned from the resample alone.
ENCODINGS = {
    "intervals": "Numbers are cut into intervals; a category keeps its levels; missing is one more level.",
    "columns": "Numbers are standardised, their gaps filled with the median and marked in a column of their own; a category is one "
               "column a level (missing is one of them). The columns of a feature are chosen or left together.",
    "differences": "Numbers are compared by their distance relative to the range, categories as same or different; a gap counts as "
                   "the expected difference.",
    "one by one": "Each column of a feature is looked at on its own: numbers without their gaps, a category one column a level "
                  "(missing is one of them); the column that says most counts for the feature.",
    "nothing": "Values are not looked at.",
}


@dataclass(frozen=True)
class Entry:
    """What there is to say about one selector."""

    key: str
    label: str
    plain: str
    family: str
    build: type
    ranks: str  # "all", or "prefix" when only the top of the ranking gets built
    encoding: str  # key of ENCODINGS
    importance: str
    reference: str

    @property
    def targets(self) -> tuple[str, ...]:
        """For which targets it is defined: of "two classes", "more classes", "a number"."""
        return self.build.targets

    @property
    def options(self) -> dict[str, Option]:
        return {field.name: Option(field.default, **field.metadata) for field in fields(self.build)}


_BROWN = "Brown et al. 2012, JMLR 13:27-66"

ENTRIES = (
    Entry("mim", "Mutual information (MIM)",
          "Ranks each marker on its own by how much knowing it tells about the outcome.",
          "mutual information", MutualInformation, "all", "intervals",
          "mutual information with the outcome, in nats", _BROWN),
    Entry("mrmr", "mRMR",
          "Picks markers one by one: each tells much about the outcome and overlaps little with those already picked.",
          "mutual information", MRMR, "prefix", "intervals",
          "relevance less mean redundancy when chosen, in nats; 0 when negative",
          "Peng, Long & Ding 2005, IEEE TPAMI 27:1226-1238"),
    Entry("jmi", "Joint mutual information (JMI)",
          "Picks markers one by one that, paired with each marker already picked, tell most about the outcome.",
          "mutual information", JMI, "prefix", "intervals",
          "mean information added to each marker already chosen, in nats",
          "Yang & Moody 1999, NIPS 12:687-693"),
    Entry("cmim", "Conditional mutual information (CMIM)",
          "Picks markers one by one that still tell something new whichever of the picked markers is already known.",
          "mutual information", CMIM, "prefix", "intervals",
          "least information added to any marker already chosen, in nats",
          "Fleuret 2004, JMLR 5:1531-1555"),
    Entry("lasso", "Lasso",
          "Fits one weighted sum of markers to the outcome and keeps only the few that it cannot do without.",
          "linear", Lasso, "prefix", "columns",
          "sum of absolute weights in the model with k features",
          "Tibshirani 1996, JRSS B 58:267-288; Park & Hastie 2007, JRSS B 69:659-677"),
    Entry("random_forest", "Random forest",
          "Grows many decision trees on random parts of the data and ranks markers by how well they part the classes.",
          "trees", RandomForest, "all", "columns",
          "share of the fall in Gini impurity", "Breiman 2001, Machine Learning 45:5-32"),
    Entry("gbm", "Boosted stumps (GBM)",
          "Adds up many yes/no questions, each about one marker, and ranks markers by what their questions settle.",
          "boosting", BoostedStumps, "all", "columns",
          "share of the gain of all splits", "Friedman 2001, Annals of Statistics 29:1189-1232"),
    Entry("random", "Random choice",
          "Picks markers by lot: the yardstick that any real method should beat.",
          "baseline", Random, "all", "nothing",
          "1/k for each chosen feature", "Kalousis, Prados & Hilario 2005, ICDM"),
)

BY_KEY = {entry.key: entry for entry in ENTRIES}


def entry(key) -> Entry:
    """The catalogue entry of a selector key. Raises InputError that lists the keys."""
    if key not in BY_KEY:
        raise InputError(f"There is no selector {key!r}. Choose one of: {', '.join(BY_KEY)}.")
    return BY_KEY[key]


def selector(key, **options):
    """A new selector by its key, with its options. Raises InputError for an unknown key or option."""
    known = entry(key).options
    for name in options:
        if name not in known:
            allowed = f"its options are: {', '.join(known)}" if known else "it has none"
            raise InputError(f"The selector {key!r} has no option {name!r}; {allowed}.")
    return entry(key).build(**options)


def selectors():
    """The catalogue as DataFrame by key: label, plain sentence, family, options, and where they apply."""
    import pandas

    shown = ["key", "label", "plain", "family", "options", "ranks", "targets", "encoding", "importance", "reference"]
    frame = pandas.DataFrame([[getattr(one, name) for name in shown] for one in ENTRIES], columns=shown)
    frame["options"] = ["; ".join(f"{name} = {one.default}: {one.meaning}" for name, one in options.items())
                        for options in frame["options"]]
    frame["targets"] = frame["targets"].map(", ".join)
    frame["encoding"] = frame["encoding"].map(ENCODINGS)
    return frame.set_index("key")
