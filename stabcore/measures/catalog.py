"""The only list of stability measures: pages, command line, docs and tests read it. It also adopts user-defined measures."""

from __future__ import annotations

from dataclasses import asdict, replace
from inspect import Parameter, Signature, signature
from typing import TYPE_CHECKING

import numpy as np

from stabcore.base.errors import InputError
from stabcore.base.text import suggest_name
from stabcore.measures.entries import ENTRIES, OPTION_MEANINGS
from stabcore.measures.entry import Entry
from stabcore.measures.statistic import PairStatistic, compared_terms

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    import pandas as pd
    from typing_extensions import TypeIs  # known to every type checker, not installed

    from stabcore.measures.entry import MeasureLike
    from stabcore.selections.selections import Selections


_VARIADIC = (Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD)
_POSITIONAL = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)
CONTRACT = (
    "A user-defined measure is a function f(selections, similarity=None, **options) that returns one number, or an Entry with one"
)


def adopt_measure(measure: MeasureLike) -> Entry:
    """An Entry whose function has `terms`, from a user's function or Entry. Raises InputError if the contract is not met."""
    if not isinstance(measure, Entry):
        if not callable(measure):
            raise InputError(f"{CONTRACT}. Found {measure!r}. sc.list_measures() lists the measures of the catalogue.")
        name = getattr(measure, "__name__", type(measure).__name__)
        measure = Entry(key=name, label=name.replace("_", " "), function=measure)
    if hasattr(measure.function, "terms"):  # built of averages over pairs and runs, like those of the catalogue
        return measure
    needs_similarity, takes_similarity, options = _parameters(measure)
    needs = (*measure.needs, "similarity") if needs_similarity and not measure.needs_similarity else measure.needs
    return replace(measure, needs=needs, function=_recomputed_measure(measure.key, measure.function, takes_similarity, options))


def _parameters(definition):
    """(needs a similarity, accepts a similarity, options) of a user-defined measure, from its signature."""
    try:
        first, *others = signature(definition.function).parameters.values()
    except (TypeError, ValueError):
        first, others = None, []
    if first is None or first.kind not in _POSITIONAL:
        raise InputError(f"{CONTRACT}. {definition.key} cannot be called with the selections alone.")
    similarity = next((parameter for parameter in others if parameter.name == "similarity"), None)
    others = [other for other in others if other is not similarity and other.kind not in _VARIADIC]
    lacking = [parameter.name for parameter in others if parameter.default is Parameter.empty]
    if lacking:
        raise InputError(
            f"{CONTRACT}. {definition.key} has parameters without a default: {', '.join(lacking)}. Give them defaults."
        )
    return similarity is not None and similarity.default is Parameter.empty, similarity is not None, others


def _recomputed_measure(key, function, takes_similarity, options):
    """Terms of a measure that only gives a value. Its jackknife calls it without each unit in turn."""

    def value(selections, similarity=None, **chosen):
        try:
            number = function(selections, **({"similarity": similarity} if takes_similarity else {}), **chosen)
        except InputError:
            raise
        except Exception as error:  # a user-defined function may raise anything
            raise InputError(f"The measure {key} failed: {type(error).__name__}: {error}") from error
        if np.ndim(number) or not isinstance(number, (int, float, np.integer, np.floating, np.ndarray)):
            raise InputError(f"The measure {key} must return one number. Found {number!r}.")
        return float(number)

    def build(selections, similarity=None, **chosen):
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

    def terms(selections, similarity=None, **chosen):
        return compared_terms(selections, build, similarity, **chosen)

    def of_runs(selections, similarity=None, **chosen):
        if selections.within_units:
            return terms(selections, similarity, **chosen).value()
        return value(selections, similarity, **chosen)

    public: Any = of_runs
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


LISTED_COLUMNS = ("key", "label", "family", "plain", "formula", "range", "corrected", "needs", "options", "reference")

BY_KEY = {entry.key: entry for entry in ENTRIES}


def entry(measure: MeasureLike) -> Entry:
    """The entry of a measure, given as a key, a function of the catalogue, a user's function or an Entry.

    Raises InputError that lists the keys, or the fault of a user-defined measure (see stabcore.measures).
    """
    if isinstance(measure, str):
        if measure not in BY_KEY:
            raise InputError(
                f"There is no stability measure {measure!r}{suggest_name(measure, BY_KEY)}. Choose one of: {', '.join(BY_KEY)}."
            )
        return BY_KEY[measure]
    ours = next((definition for definition in ENTRIES if measure is definition or measure is definition.function), None)
    adopted = ours or adopt_measure(measure)
    if ours is None and adopted.key in BY_KEY:
        raise InputError(f"{adopted.key!r} is a measure of the catalogue. Give the user-defined measure another name.")
    return adopted


def is_single_measure(measures: MeasureLike | Iterable[MeasureLike]) -> TypeIs[MeasureLike]:
    """Whether this is a single measure."""
    return isinstance(measures, str) or callable(measures) or not hasattr(measures, "__iter__")


def entries(measures: MeasureLike | Iterable[MeasureLike]) -> list[Entry]:
    """The entries of one measure, or of several. Raises InputError if two different measures have the same name."""
    by_key: dict[str, tuple[MeasureLike, Entry]] = {}
    for measure in [measures] if is_single_measure(measures) else measures:
        definition = entry(measure)
        if by_key.setdefault(definition.key, (measure, definition))[0] is not measure and definition.key not in BY_KEY:
            raise InputError(
                f"Two measures are called {definition.key!r}. Give one another name: Entry(key=…, label=…, function=…)."
            )
    return [definition for _, definition in by_key.values()]


def available_measures(selections: Selections) -> list[Entry]:
    """The measures for which these runs carry enough, similarity aside. A measure that fails only at this k is included."""
    importances = selections.weights is not None or bool(selections.no_importances)
    carries = {
        "sets": selections.selection is not None,
        "importances": importances,
        "scores": selections.scores is not None,
        "ranks": selections.ranks is not None or selections.scores is not None,
        "order": selections.ranks is not None or selections.scores is not None or selections.weights is not None,
        "similarity": True,
    }
    return [definition for definition in ENTRIES if all(carries[need] for need in definition.needs)]


def list_measures() -> pd.DataFrame:
    """DataFrame of all measures.

    key, label, family, plain sentence, formula, range, needs, options and what they mean, reference, properties.

    Examples
    --------
    >>> sc.list_measures().loc["nogueira", "range"]
    '−1/(M−1) to 1'
    """
    import pandas as pd

    rows = [
        {
            **{name: getattr(definition, name) for name in LISTED_COLUMNS},
            "options": "; ".join(
                f"{name} = {default!r}: {OPTION_MEANINGS.get(name, '')}" for name, default in definition.options.items()
            ),
            **asdict(definition.properties),
        }
        for definition in ENTRIES
    ]
    return pd.DataFrame(rows).set_index("key")


WANTED_PROPERTIES = {
    "fully_defined": "Accept runs of different sizes",
    "chance": "Be constant for random selections, so that long and short lists are comparable",
    "bounds": "Stay between fixed limits",
    "maximum": "Reach the maximum only when all runs are equal",
    "interchangeable": "Count similar features as one",
    "group_size": "Be independent of the number of copies of a feature",
    "weighted_decomposition": "Weight features by their importance in the models",
}


def measures_with_properties(keys: Iterable[str]) -> pd.DataFrame:
    """DataFrame of the measures that have all these properties (keys of WANTED_PROPERTIES): name, sentence, and every property."""
    import pandas as pd

    word = {True: "yes", False: "no", None: ""}
    rows = [
        {
            "measure": definition.label,
            "What it says": definition.plain,
            **{text: word[getattr(definition.properties, key)] for key, text in WANTED_PROPERTIES.items()},
        }
        for definition in ENTRIES
        if all(getattr(definition.properties, key) for key in keys)
    ]
    return pd.DataFrame(rows, columns=["measure", "What it says", *WANTED_PROPERTIES.values()])
