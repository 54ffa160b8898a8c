"""The common part of all selectors: check the input once, rank by score with seeded ties, select the best k."""

from __future__ import annotations

import operator
import sys
from collections.abc import Callable, Mapping
from dataclasses import Field, field, fields
from functools import lru_cache
from importlib.util import find_spec
from typing import Any, Concatenate, Protocol, Self, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from stabcore.base.errors import InputError
from stabcore.base.target import MORE, NUMBER, TIME, TWO, as_target, kind_of_target
from stabcore.base.text import listed
from stabcore.base.types import Seed
from stabcore.data.feature_table import FeatureTable, TableLike, as_table
from stabcore.selections.model_paths import ModelPath
from stabcore.selectors.given import Given

LIBRARY_MODULES = {"scikit-survival": "sksurv"}  # {optional library: its module}
MAY = "may"  # a selector may determine its number of features


class SelectorObject(Protocol):
    """A user-defined selector: fit(X, y), optionally with rng and k, sets `scores_`, one number for each column."""

    @property
    def fit(self) -> Callable[Concatenate[Any, Any, ...], object]: ...

    @property
    def scores_(self) -> ArrayLike: ...


class LearningModel(Protocol):
    """A scikit-learn model: fit(X, y) and parameters, so that a fresh clone can be trained on every resample."""

    @property
    def fit(self) -> Callable[Concatenate[Any, Any, ...], object]: ...

    def get_params(self, deep: bool = True) -> dict[str, Any]: ...


SelectorLike: TypeAlias = "str | tuple[str, Mapping[str, Any]] | SelectorObject | LearningModel"


class Selector:
    """A feature selector. A subclass is a dataclass of its options with the method `_score`.

    `targets`: the targets for which it is defined, of TWO classes, MORE classes, a NUMBER, a TIME to event. `weighs`: True if
    `scores_` are weights of the features, False if they only number the order in which features are added or dropped. After `fit`:
    `scores_` (d,) higher is better, `ranking_` (d,) 1 = best, with ties in random order, both NaN where not ranked. `importances_`
    (d,) are at least 0, `warnings_` are sentences about this fit. `path_` is a ModelPath of the selections at every k, None if they
    are the k best of the ranking. `importances_of_one_k`: True if the importances belong to a model on the k
    features given to fit and are unknown for another k. Scores and ranking must not depend on that k. Features that do not vary in
    these rows come last (see `demote_constants`), unless the selector places them itself (`places_constant`). `zero_is_out`: a
    sentence that explains why features with score 0 are not selected. "" if 0 is a score like any other. Otherwise such features
    are not ranked, and a run may select fewer than k. A selector with a final model also has `predict`: see `FinalModel`.
    `chance_inside`: True if two fits to the same rows may differ through rng, apart from the order of tied features. `steadied_by`:
    the option that reduces this, in plain words. `looks_at_outcome`: False if the selection does not depend on the outcome.
    `takes_given`: True if it judges features beyond columns that are always in the model. Otherwise it refuses such columns. They
    are `given` (see stabcore.selectors.given), None without any.
    `own_size`: MAY if it can choose the number of features itself (all that it ranks), "" if k must be given. `library`: an
    optional library that it needs, "" for none.
    """

    targets: tuple[str, ...] = (TWO, MORE)
    weighs = True
    looks_at_outcome = True
    places_constant = False
    zero_is_out = ""
    importances_of_one_k = False
    chance_inside = False
    steadied_by = ""
    own_size = ""
    library = ""
    takes_given = False
    given: Given | None = None
    path_: ModelPath | None

    def __post_init__(self):
        dataclass: Any = self  # because every subclass is one
        for declared in fields(dataclass):
            check_option(declared, getattr(self, declared.name))

    def fit(
        self, X: TableLike, y: ArrayLike, *, rng: Seed | None = None, k: int | None = None, given: TableLike | None = None
    ) -> Self:
        """Score the features of X (FeatureTable, array or DataFrame, n × d) for the target y (n,).

        y: class labels. Floating-point numbers with more than two different values are a numeric target. Two columns, or a
        structured array as in scikit-survival, are a time to event. rng: seed or numpy Generator, for ties and for randomised
        selectors. k: the smallest number of features to rank. given: columns (n, g) that are always in the model, in the forms of
        X. A feature counts by what it adds to them. Raises InputError for k below 1 and for a target of the wrong length, with
        gaps, with one value, or of a kind for which the selector is not defined.
        """
        table = as_table(X)
        y = as_target(y, table.n_rows)
        refuse_target(self, y)
        refuse_missing_library(self.library)
        always = None if given is None else as_table(given)
        refuse_given(self, always)
        if table.n_features == 0:
            raise InputError("The table has no features. A selector needs at least one column.")
        k = None if k is None else whole_number(k, "k")
        rng = np.random.default_rng(rng)
        self.warnings_, self.path_ = describe_uninformative(table), None
        with one_thread():  # threads change the order of additions, and so the last digit
            self.given = None if always is None else Given.from_table(always)
            self.scores_, self.importances_ = self._score(table, y, rng, k)
        if self.zero_is_out:
            self.scores_ = np.where(self.scores_ == 0, np.nan, self.scores_)
            if np.count_nonzero(~np.isnan(self.scores_)) < (k or 0):
                self.warnings_.append(f"Fewer than the {k} requested features are selected. {self.zero_is_out}")
        last = np.zeros(table.n_features, dtype=bool) if self.places_constant else constant_features(table)
        self.scores_ = demote_constants(self.scores_, last)
        self.ranking_ = ranking(self.scores_, rng, last)
        return self

    def select(self, k: int) -> np.ndarray:
        """Sorted indices of the k best features, fewer if fewer are ranked. Raises InputError for k below 1."""
        return np.flatnonzero(self.ranking_ <= whole_number(k, "k"))

    def remark(self, k: int) -> str:
        """A warning about selecting k features with these options, or an empty string."""
        return ""

    def cannot_adjust(self, table: FeatureTable, given: FeatureTable) -> str:
        """The reason why it cannot adjust the features of this table for the given columns, "" if it can."""
        return ""

    def _score(self, table: FeatureTable, y, rng, k):
        """(scores, importances), (d,) each. y are class numbers 0 … C − 1 or floats. May add to `warnings_`."""
        raise NotImplementedError


def one_thread() -> Any:
    """Context manager: linear algebra uses one thread."""
    return _thread_pools(len(sys.modules)).limit(limits=1)


@lru_cache(maxsize=1)
def _thread_pools(n_modules):
    """The thread pools of the loaded libraries. The search takes longer than a quick selector, and only imports add pools."""
    import scipy.special  # noqa: F401  loads the separate pool of scipy, which would have no limit if loaded during a fit
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()


def refuse_target(selector: Selector, y: np.ndarray) -> None:
    """Raise InputError unless the selector is defined for an outcome such as y."""
    kind = kind_of_target(y)
    if kind not in selector.targets:
        actual = f"is {kind}" if kind in (NUMBER, TIME) else f"has {y.max() + 1} classes"
        raise InputError(
            f"This selector is defined for an outcome of {' or '.join(selector.targets)}, but the outcome {actual}. Choose "
            "another selector."
        )


def refuse_missing_library(library: str) -> None:
    """Raise InputError unless an optional library, such as scikit-survival, is installed. "" for none."""
    if library and find_spec(LIBRARY_MODULES[library]) is None:
        raise InputError(f"This selector needs {library}, which is not installed. Run: pip install {library}")


def refuse_given(selector: Selector, given: FeatureTable | None, table: FeatureTable | None = None) -> None:
    """Raise InputError if the selector cannot adjust features, those of a table if there is one, for given columns."""
    if given is None:
        return
    reason = "" if selector.takes_given else "it has no form that adjusts for other columns"
    if reason := reason or (table is not None and selector.cannot_adjust(table, given)) or "":
        raise InputError(
            f"This selector cannot adjust for {listed(given.features)}, because {reason}. Choose another selector, or "
            "keep no column always in the model."
        )


def option(default: Any, meaning: str, *, low: Any = None, high: Any = None, choices: Any = None, kind: str | None = None) -> Any:
    """A field of the dataclass of a selector: an option with its default, its meaning in plain words, and its allowed values.

    kind: "whole", "number", "switch", "choice", "text", "table" (values by name), or "groups" (a table of names). It follows from
    the default value unless given. A whole number is at least 1, another number at least 0, unless low or high differ. None is
    allowed if it is the default.
    """
    if kind is None:
        kind = (
            "choice" if choices else "switch" if isinstance(default, bool) else "number" if isinstance(default, float) else "whole"
        )
    low = {"whole": 1, "number": 0.0}.get(kind) if low is None else low
    return field(default=default, metadata={"meaning": meaning, "kind": kind, "low": low, "high": high, "choices": choices})


def check_option(field: Field[Any], value: Any) -> None:
    """Raise InputError unless `value` is allowed for the field of an option."""
    allowed = field.metadata
    if not allowed or allowed["kind"] == "groups" or (value is None and field.default is None):
        return
    if allowed["kind"] == "whole":
        whole_number(value, field.name, allowed["low"], allowed["high"])
    elif allowed["kind"] == "number":
        real_number(value, field.name, allowed["low"], allowed["high"])
    elif allowed["kind"] == "switch" and not isinstance(value, bool):
        raise InputError(f"{field.name} must be true or false. Found {value!r}.")
    elif allowed["kind"] == "choice" and value not in allowed["choices"]:
        raise InputError(f"{field.name} must be one of {', '.join(map(str, allowed['choices']))}. Found {value!r}.")
    elif allowed["kind"] == "text" and not isinstance(value, str):
        raise InputError(f"{field.name} must be a text. Found {value!r}.")
    elif allowed["kind"] == "table" and not isinstance(value, Mapping):
        raise InputError(f"{field.name} must be a table of names and values. Found {value!r}.")


def constant_features(table: FeatureTable) -> np.ndarray:
    """(d,) True for features with the same value in all rows or no value in any."""
    low, high, gaps = table.extremes
    return np.isnan(low) | ((low == high) & ~gaps)


def demote_constants(scores: np.ndarray, last: np.ndarray) -> np.ndarray:
    """The scores (d,), those of the `last` features (d,) at most the lowest other score. NaN if another feature is not ranked."""
    if not last.any() or last.all():
        return scores
    return np.where(last, np.minimum(scores, scores[~last].min()), scores)  # a minimum with NaN is NaN


def ranking(scores: np.ndarray, rng: np.random.Generator, last: np.ndarray | bool = False) -> np.ndarray:
    """Ranks (d,) of scores, 1 = highest, equal scores in an order drawn from rng, the `last` ones (d,) at the end.

    NaN stays NaN.
    """
    ranks = np.empty(len(scores))
    ranks[descending_order(scores, rng, last)] = np.arange(1, len(scores) + 1)
    ranks[np.isnan(scores)] = np.nan
    return ranks


def descending_order(scores: np.ndarray, rng: np.random.Generator, last: np.ndarray | bool = False) -> np.ndarray:
    """Indices (d,) by falling score, ties in an order drawn from rng, the `last` ones (d,) at the end, and NaN after them."""
    lots = rng.permutation(len(scores))  # always drawn, so that later random numbers do not depend on ties
    order = np.argsort(-scores)
    falling = scores[order]
    lower = ~((falling[1:] == falling[:-1]) | np.isnan(falling[:-1]))
    if lower.all():
        return order
    place = np.cumsum(np.append(0, lower))  # equal for equal scores, because one sort of whole numbers is faster than np.lexsort
    return order[np.argsort((2 * place + np.broadcast_to(last, scores.shape)[order]) * len(scores) + lots[order])]


def whole_number(value: Any, name: str, low: int = 1, high: int | None = None) -> int:
    """The value as an int. Raises InputError unless it is a whole number of at least `low` and at most `high`."""
    try:
        number = operator.index(value)
    except TypeError:
        number = None
    if number is None or number < low or (high is not None and number > high):
        allowed = f"of at least {low}" if high is None else f"from {low} to {high}"
        raise InputError(f"{name} must be a whole number {allowed}. Found {value!r}.")
    return number


def real_number(value: Any, name: str, low: float | None = None, high: float | None = None) -> float:
    """The value as a float. Raises InputError unless it is a number from `low` to `high`."""
    number = None if isinstance(value, (bool, str)) or value is None else float(value)
    if number is None or not np.isfinite(number) or (low is not None and number < low) or (high is not None and number > high):
        allowed = " ".join(f"{word} {limit:g}" for word, limit in (("from", low), ("to", high)) if limit is not None)
        raise InputError(f"{name} must be a number{' ' * bool(allowed)}{allowed}. Found {value!r}.")
    return number


def prefix_length(length: int | None, k: int | None, n_features: int) -> int:
    """The number of features that a forward search ranks: `length` (by default 200), at least k, at most all."""
    return min(max(length or 200, k or 1), n_features)


def describe_uninformative(table: FeatureTable) -> list[str]:
    """A sentence for the features without values, and one for those with a single value."""
    empty = np.isnan(table.extremes[0])
    reasons = [("No value in any of these rows", empty), ("The same value in all of these rows", constant_features(table) & ~empty)]
    return [f"{what}: {listed([table.features[f] for f in np.flatnonzero(which)])}." for what, which in reasons if which.any()]
