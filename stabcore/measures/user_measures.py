"""A user's own measure made an entry such as those of the catalogue; the contract is in stabcore.measures."""

from __future__ import annotations

from dataclasses import replace
from inspect import Parameter, Signature, signature
from typing import TYPE_CHECKING

import numpy as np

from stabcore.errors import InputError
from stabcore.measures.entry import Entry
from stabcore.measures.statistic import PairStatistic

if TYPE_CHECKING:
    from typing import Any

    from stabcore.measures.entry import MeasureLike

_FREE = (Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD)
_POSITIONAL = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)
CONTRACT = "An own measure is a function f(preferences, relation=None, **options) that returns one number, or an Entry with one"


def adopt(brought: MeasureLike) -> Entry:
    """An Entry whose function gives `terms`, of one's own function or Entry. Raises InputError for what keeps no contract."""
    if not isinstance(brought, Entry):
        if not callable(brought):
            raise InputError(f"{CONTRACT}; found {brought!r}. The keys of sc.measures() name those of the catalogue.")
        name = getattr(brought, "__name__", type(brought).__name__)
        brought = Entry(key=name, label=name.replace("_", " "), function=brought)
    if hasattr(brought.function, "terms"):          # built of averages over pairs and runs, as those of the catalogue
        return brought
    needs_relation, asks, options = _parameters(brought)
    needs = (*brought.needs, "relation") if needs_relation and not brought.needs_relation else brought.needs
    return replace(brought, needs=needs, function=_recomputed(brought.key, brought.function, asks, options))


def _parameters(brought):
    """(whether it cannot do without a relation, whether it asks for one, its options) of an own measure, from how it is called."""
    try:
        first, *others = signature(brought.function).parameters.values()
    except (TypeError, ValueError):
        first, others = None, []
    if first is None or first.kind not in _POSITIONAL:
        raise InputError(f"{CONTRACT}; {brought.key} cannot be called with the preferences alone.")
    relation = next((one for one in others if one.name == "relation"), None)
    others = [other for other in others if other is not relation and other.kind not in _FREE]
    lacking = [parameter.name for parameter in others if parameter.default is Parameter.empty]
    if lacking:
        raise InputError(f"{CONTRACT}; {brought.key} also asks for {', '.join(lacking)}, which nothing gives it. Give these "
                         "defaults.")
    return relation is not None and relation.default is Parameter.empty, relation is not None, others


def _recomputed(key, function, asks, options):
    """A measure of which only the value is known: for its interval it is computed anew without each unit in turn."""
    def value(preferences, relation=None, **chosen):
        try:
            number = function(preferences, **({"relation": relation} if asks else {}), **chosen)
        except InputError:
            raise
        except Exception as error:      # a user's own function may raise anything
            raise InputError(f"The own measure {key} could not be computed: {type(error).__name__}: {error}") from error
        if np.ndim(number) or not isinstance(number, (int, float, np.integer, np.floating, np.ndarray)):
            raise InputError(f"The own measure {key} must return one number; found {number!r}.")
        return float(number)

    def terms(preferences, relation=None, **chosen):
        units = np.arange(preferences.n_runs) if preferences.units is None else preferences.units
        rests = [np.flatnonzero(units != unit) for unit in range(preferences.n_units)]
        left_out = [value(preferences.take(rest), relation, **chosen) if len(rest) > 1 else np.nan for rest in rests]
        return PairStatistic(lambda n, found: found, preferences.n_runs, units=preferences.units,
                             totals=((value(preferences, relation, **chosen), np.array(left_out)),),
                             reason=f"the own measure {key} gives no number for these runs")

    public: Any = value
    public.terms = terms
    public.__name__ = public.__qualname__ = key
    public.__signature__ = Signature([Parameter("preferences", Parameter.POSITIONAL_OR_KEYWORD),
                                      Parameter("relation", Parameter.POSITIONAL_OR_KEYWORD, default=None),
                                      *(option.replace(kind=Parameter.KEYWORD_ONLY) for option in options)])
    return public
