"""Which selectors and which classifier a study asks for: whatever a person wrote, checked by making each once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stabcore.base.user_objects import described, portable
from stabcore.classifiers.catalog import CLASSIFIERS, OWN, neighbours_of
from stabcore.classifiers.own import adopt as adopted_classifier
from stabcore.errors import InputError
from stabcore.selectors.base import refuse_target
from stabcore.selectors.catalog import entry
from stabcore.study.tasks import Choice
from stabcore.wording import listed, verb_for

if TYPE_CHECKING:
    from collections.abc import Iterable


def choices_of(selectors, target) -> tuple[Choice, ...]:
    """Choices of whatever a person wrote, each checked by making it once."""
    if isinstance(selectors, str):
        selectors = [selectors]
    if not isinstance(selectors, dict):
        named = [(_label(one), one) for one in selectors]
        if len({label for label, _ in named}) < len(named):
            raise InputError("Two selectors of the study have the same label; give them different ones: {label: selector}.")
        selectors = dict(named)
    if not selectors:
        raise InputError("A study needs at least one selector; sc.list_selectors() lists them.")
    choices = tuple(_choice(label, one) for label, one in selectors.items())
    for choice in choices:
        if choice.own is not None:
            portable(choice.own, f"own selector {choice.label}")
        selector = choice.make()
        if hasattr(selector, "targets"):
            try:
                refuse_target(selector, target)
            except InputError as error:
                raise InputError(f"{choice.label}: {error}") from None
    return choices


def _label(choice) -> str:
    if isinstance(choice, Choice):
        return choice.label
    return choice if isinstance(choice, str) else choice[0] if isinstance(choice, tuple) else type(choice).__name__


def _choice(label, choice) -> Choice:
    if isinstance(choice, Choice):
        return choice
    if isinstance(choice, str):
        return Choice(label, choice)
    if isinstance(choice, tuple):
        options = dict(choice[1])
        return Choice(label, choice[0], k=options.pop("k", None), options=tuple(sorted(options.items())))
    return Choice(label, own=choice)


def classifiers_for(keys: Iterable[str], numeric: bool = False) -> dict:
    """{key: Entry} of what can score these selectors, by their keys: first their own final models, where all have one."""
    own = {OWN.key: OWN} if keys and all(entry(key).has_model for key in keys) else {}
    return {} if numeric else own | CLASSIFIERS


def scoring_classifier(chosen, data, choices):
    """A key, or one's own as an OwnClassifier."""
    numeric, brought, known = data.numeric_target, not isinstance(chosen, str), (OWN.key, *CLASSIFIERS, "none")
    if chosen is None:
        return "none" if numeric else "3nn"
    if not brought and chosen not in known and neighbours_of(chosen) is None:
        raise InputError(f"There is no classifier {chosen!r}. Choose one of: {', '.join(known)}.")
    if numeric and chosen != "none":
        raise InputError(f"The classifier {described(chosen) if brought else repr(chosen)} predicts classes, but the target is a "
                         "number; use classifier=\"none\", or group the target into classes.")
    if brought:
        return adopted_classifier(chosen, data.table, data.target)
    lacking = [one.label for one in choices if chosen == OWN.key and not hasattr(one.make(), "predict")]
    if lacking:
        raise InputError(f"The classifier {chosen!r} asks the final model of each selector, and {listed(lacking)} "
                         f"{verb_for(len(lacking), 'end')} in no model that predicts. Leave out what has none, or choose a "
                         "classifier that is the same for all.")
    return chosen
