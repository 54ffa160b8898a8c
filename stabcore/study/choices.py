"""The choices of a study: selectors, features per run, and classifier. Each is checked by making it once."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

from stabcore.base.errors import InputError
from stabcore.base.target import NUMBER, TIME, TWO, kind_of_target
from stabcore.base.text import format_span, listed, quote, suggest_name, verb_for
from stabcore.base.user_objects import CODE_MARK, describe_object, object_bytes
from stabcore.base.validation import plain_number
from stabcore.classifiers.catalog import CLASSIFIERS, OWN_MODEL, n_neighbours
from stabcore.classifiers.learners import COX, DEFAULT_REGRESSOR, REGRESSORS, SURVIVAL_MODELS
from stabcore.classifiers.user_classifiers import adopt_classifier
from stabcore.selectors.base import MAY, Selector, refuse_given, refuse_missing_library, refuse_target
from stabcore.selectors.catalog import entry, selector


def make_choices(selectors, target, table=None, given=None) -> tuple[Choice, ...]:
    """Choices from user input for a table with its given columns, each checked by making it once."""
    if isinstance(selectors, (str, Choice)) or hasattr(selectors, "fit") or _is_single_selector(selectors):
        selectors = [selectors]
    if not isinstance(selectors, (Mapping, Iterable)):
        raise InputError(
            "Give selectors as keys of sc.list_selectors(), estimators, or a list or dict of these. Found "
            f"{type(selectors).__name__}."
        )
    if not isinstance(selectors, Mapping):
        selectors = _labelled_selectors(list(selectors))
    if not selectors:
        raise InputError("A study needs at least one selector. sc.list_selectors() lists them.")
    choices = tuple(_checked_choice(label, selector_like) for label, selector_like in selectors.items())
    for choice in choices:
        if choice.user_object is not None:
            object_bytes(choice.user_object, f"own selector {choice.label}")
        selector = choice.make()
        if hasattr(selector, "targets"):
            try:
                refuse_target(selector, target)
                refuse_missing_library(selector.library)
                refuse_given(selector, given, table)
            except InputError as error:
                raise InputError(f"{choice.label}: {error}") from None
    return choices


def _is_single_selector(selectors) -> bool:
    """Whether it is one selector, (key, options) or (name, estimator), and not a tuple of keys."""
    return (
        isinstance(selectors, tuple) and len(selectors) == 2 and isinstance(selectors[0], str) and not isinstance(selectors[1], str)
    )


def _label(choice) -> str:
    """The label of a selector given by its key, or with its name."""
    return choice if isinstance(choice, str) else choice.label if isinstance(choice, Choice) else str(choice[0])


def _labelled_selectors(selectors) -> dict[str, Any]:
    """{label: selector}: the key, the given name, or the class, which is numbered if there are several."""
    by_label: dict[str, Any] = {}
    for choice in selectors:
        is_object = not isinstance(choice, (str, tuple, Choice))
        label = type(choice).__name__ if is_object else _label(choice)
        if label in by_label and not is_object:
            raise InputError(f"Two selectors are called {quote(label)}. Give them different labels: {{label: selector}}.")
        number = 1 + sum(type(other) is type(choice) for other in by_label.values())
        by_label[f"{label} {number}" if is_object and number > 1 else label] = choice
    return by_label


def _checked_choice(label, choice) -> Choice:
    if isinstance(choice, Choice):
        return choice
    if isinstance(choice, str):
        return Choice(label, choice)
    if isinstance(choice, tuple):
        if len(choice) != 2 or not isinstance(choice[0], str):
            raise InputError("Give a selector in parentheses as (key, {option: value}) or (name, estimator).")
        if not isinstance(choice[1], Mapping):
            return _checked_choice(label, choice[1])
        options = {name: plain_number(value) for name, value in sorted(dict(choice[1]).items())}
        return Choice(label, choice[0], k=options.pop("k", None), options=tuple(options.items()))
    return Choice(label, user_object=choice)


def possible_classifiers(keys: Iterable[str], kind: str = TWO, given: bool = False) -> dict:
    """{key: Entry} of the classifiers for these selectors and a kind of outcome.

    For classes, their own final models come first if all selectors have one and no column is always in the model.
    """
    if kind == NUMBER:
        return {}
    if kind == TIME:
        return {COX.key: COX}
    of_selectors = {OWN_MODEL.key: OWN_MODEL} if keys and not given and all(entry(key).has_model for key in keys) else {}
    return of_selectors | CLASSIFIERS


_LEARNERS = {NUMBER: ("a numeric outcome", DEFAULT_REGRESSOR, REGRESSORS), TIME: (TIME, COX.key, SURVIVAL_MODELS)}


def scoring_classifier(chosen, data, choices):
    """A key, or a user-defined classifier as an UserClassifier."""
    brought, keys = not isinstance(chosen, str), (OWN_MODEL.key, *CLASSIFIERS, "none")
    outcome, usual, learners = _LEARNERS.get(kind_of_target(data.target), ("", "3nn", {}))
    if chosen is None:
        return usual
    if chosen == OWN_MODEL.key and data.given is not None:
        raise InputError(
            "The final models of selectors do not include the columns that are always in the model. Choose a classifier, such as "
            "logistic."
        )
    if learners and not brought:
        if chosen not in (*learners, "none"):
            raise InputError(
                f"There is no learner {chosen!r} for {outcome}{suggest_name(chosen, learners)}. Choose one of: "
                f"{', '.join(learners)}, none."
            )
        return chosen
    if not brought and chosen not in keys and n_neighbours(chosen) is None:
        raise InputError(f"There is no classifier {chosen!r}. Choose one of: {', '.join(keys)}.")
    if learners:
        raise InputError(
            f"The classifier {describe_object(chosen)} predicts classes, but the outcome is {kind_of_target(data.target)}. Choose "
            f"one of: {', '.join(learners)}, none. Or choose an outcome of classes."
        )
    if brought:
        return adopt_classifier(chosen, data.table, data.target)
    lacking = [choice.label for choice in choices if chosen == OWN_MODEL.key and not hasattr(choice.make(), "predict")]
    if lacking:
        raise InputError(
            f"The classifier {chosen!r} is the final model of each selector, but {listed(lacking)} "
            f"{verb_for(len(lacking), 'end')} without a model that predicts. Leave out such selectors, or choose a "
            "classifier that is the same for all."
        )
    return chosen


SELECTOR_CHOOSES = "free"  # as many as the selector chooses, if it determines the number


def resolve_k(k: float | str, n_features: int) -> int:
    """The number of features from a number, a share of all features, or "sqrt" for min(20, √d). All of them if FREE."""
    k = plain_number(k)
    if k == SELECTOR_CHOOSES:
        return n_features
    if k == "sqrt":
        return max(1, min(20, int(n_features**0.5)))
    if isinstance(k, bool) or not isinstance(k, (int, float)):
        raise InputError(
            "k must be a number, a share between 0 and 1, 'sqrt', or None for as many features as a selector selects "
            f"itself. Found {k!r}."
        )
    count = max(1, int(k * n_features + 0.5)) if isinstance(k, float) and 0 < k < 1 else k
    if not 1 <= count <= n_features or int(count) != count:
        raise InputError(
            f"k = {k} of {n_features} features is not possible. Give a whole number from 1 to {n_features}, or a share between 0 "
            "and 1."
        )
    return int(count)


def format_sizes(sizes: set[int | None]) -> str:
    """The number of selected features, or the range if it differs between selectors. None: any number."""
    numbers = sorted(size for size in sizes if size is not None)
    range_ = format_span(numbers[0], numbers[-1]) if numbers else ""
    return " or ".join(filter(None, [range_, "any number" if None in sizes else ""]))


@dataclass(frozen=True)
class Choice:
    """A selector of a study: its label, and its catalogue key with options or a user-defined object.

    k: its number of features if it differs from that of the study: a number, a share, "sqrt", or FREE.
    """

    label: str
    key: str = ""
    options: tuple[tuple[str, Any], ...] = ()
    user_object: Any = None
    k: Any = None

    def size(self, usual: int, n_features: int) -> int | None:
        """The number of features that it should select of n, given `usual` of the study. None: as many as it chooses.

        Raises InputError for an invalid k, and for FREE if the selector does not determine the number.
        """
        if self.k == SELECTOR_CHOOSES and getattr(self.make(), "own_size", "") != MAY:
            raise InputError(
                f"{self.label} cannot choose its number of features, because it ranks all of them. Give it a "
                "number, such as k = 10."
            )
        return None if self.k == SELECTOR_CHOOSES else usual if self.k is None else resolve_k(self.k, n_features)

    def make(self) -> Selector:
        """A fresh selector."""
        if self.user_object is None:
            return selector(self.key, **dict(self.options))
        from stabcore.selectors.estimator import as_selector

        return as_selector(deepcopy(self.user_object))

    @property
    def recipe(self) -> str:
        """Its key or class, with its options. Its random numbers follow from it, so it has no label and no mark of code."""
        if self.user_object is not None:
            return CODE_MARK.sub("", describe_object(self.user_object))
        return self.key + (f" {json.dumps(dict(self.options), sort_keys=True, default=str)}" if self.options else "")

    @property
    def importances_of_one_k(self) -> bool:
        """Whether its importances hold only for the k of its fit. True if unknown."""
        return bool(getattr(self.make(), "importances_of_one_k", True))

    @property
    def looks_at_outcome(self) -> bool:
        """Whether its selections depend on the outcome. True for user-defined selectors."""
        return self.user_object is not None or self.make().looks_at_outcome

    @property
    def chance_inside(self) -> bool:
        """Whether two fits to the same rows may differ, ties aside. True if unknown."""
        return bool(getattr(self.make(), "chance_inside", True))
