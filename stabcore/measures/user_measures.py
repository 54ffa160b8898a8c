"""Make a catalogue entry of a user's measure; the contract is in stabcore.measures."""

from __future__ import annotations

from dataclasses import replace
from inspect import Parameter, Signature, signature
from typing import TYPE_CHECKING

import numpy as np

from stabcore.base.errors import InputError
from stabcore.measures.entry import Entry
from stabcore.measures.statistic import PairStatistic

if TYPE_CHECKING:
    from typing import Any

    from stabcore.measures.entry import MeasureLike

_FREE = (Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD)
_POSITIONAL = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)
CONTRACT = (
    "A user-defined measure is a function f(selections, similarity=None, **options) that returns one number, or an Entry with one"
)


def adopt(given: MeasureLike) -> Entry:
    """An Entry whose function has `terms`, from a user's function or Entry. Raises InputError if the contract is not met."""
    if not isinstance(given, Entry):
        if not callable(given):
            raise InputError(f"{CONTRACT}. Found {given!r}. sc.list_measures() lists the measures of the catalogue.")
        name = getattr(given, "__name__", type(given).__name__)
        given = Entry(key=name, label=name.replace("_", " "), function=given)
    if hasattr(given.function, "terms"):  # built of averages over pairs and runs, as those of the catalogue
        return given
    needs_similarity, asks, options = _parameters(given)
    needs = (*given.needs, "similarity") if needs_similarity and not given.needs_similarity else given.needs
    return replace(given, needs=needs, function=_recomputed(given.key, given.function, asks, options))


def _parameters(given):
    """(whether it needs a similarity, whether it asks for one, its options) of a user's measure, from how it is called."""
    try:
        first, *others = signature(given.function).parameters.values()
    except (TypeError, ValueError):
        first, others = None, []
    if first is None or first.kind not in _POSITIONAL:
        raise InputError(f"{CONTRACT}. {given.key} cannot be called with the selections alone.")
    similarity = next((parameter for parameter in others if parameter.name == "similarity"), None)
    others = [other for other in others if other is not similarity and other.kind not in _FREE]
    lacking = [parameter.name for parameter in others if parameter.default is Parameter.empty]
    if lacking:
        raise InputError(f"{CONTRACT}. {given.key} has parameters without a default: {', '.join(lacking)}. Give them defaults.")
    return similarity is not None and similarity.default is Parameter.empty, similarity is not None, others


def _recomputed(key, function, asks, options):
    """A measure with only a value: for its interval it is recomputed without each unit in turn."""

    def value(selections, similarity=None, **chosen):
        try:
            number = function(selections, **({"similarity": similarity} if asks else {}), **chosen)
        except InputError:
            raise
        except Exception as error:  # a user's own function may raise anything
            raise InputError(f"The measure {key} failed: {type(error).__name__}: {error}") from error
        if np.ndim(number) or not isinstance(number, (int, float, np.integer, np.floating, np.ndarray)):
            raise InputError(f"The measure {key} must return one number. Found {number!r}.")
        return float(number)

    def terms(selections, similarity=None, **chosen):
        units = np.arange(selections.n_runs) if selections.units is None else selections.units
        rests = [np.flatnonzero(units != unit) for unit in range(selections.n_units)]
        left_out = [value(selections.take(rest), similarity, **chosen) if len(rest) > 1 else np.nan for rest in rests]
        return PairStatistic(
            lambda n, found: found,
            selections.n_runs,
            units=selections.units,
            totals=((value(selections, similarity, **chosen), np.array(left_out)),),
            reason=f"the measure {key} gives no number for these runs",
        )

    public: Any = value
    public.terms = terms
    public.__name__ = public.__qualname__ = key
    public.__signature__ = Signature(
        [
            Parameter("selections", Parameter.POSITIONAL_OR_KEYWORD),
            Parameter("similarity", Parameter.POSITIONAL_OR_KEYWORD, default=None),
            *(option.replace(kind=Parameter.KEYWORD_ONLY) for option in options),
        ]
    )
    return public
