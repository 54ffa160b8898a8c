"""The only list of stability measures: pages, command line, tests and documentation read it."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from stabcore.base.errors import InputError
from stabcore.base.text import nearest
from stabcore.measures.entries import ENTRIES, MEANINGS
from stabcore.measures.entry import Entry
from stabcore.measures.user_measures import adopt

if TYPE_CHECKING:
    from collections.abc import Iterable

    import pandas as pd
    from typing_extensions import TypeIs  # known to every type checker; nothing is installed for it

    from stabcore.measures.entry import MeasureLike
    from stabcore.selections.selections import Selections

SHOWN = ("key", "label", "family", "plain", "formula", "range", "corrected", "needs", "options", "reference")

BY_KEY = {entry.key: entry for entry in ENTRIES}


def entry(measure: MeasureLike) -> Entry:
    """The entry of a measure: of a key, of a function of the catalogue, or of one's own function or Entry.

    Raises InputError that lists the keys, or the fault of a user-defined measure (see stabcore.measures).
    """
    if isinstance(measure, str):
        if measure not in BY_KEY:
            raise InputError(
                f"There is no stability measure {measure!r}{nearest(measure, BY_KEY)}. Choose one of: {', '.join(BY_KEY)}."
            )
        return BY_KEY[measure]
    ours = next((definition for definition in ENTRIES if measure is definition or measure is definition.function), None)
    adopted = ours or adopt(measure)
    if ours is None and adopted.key in BY_KEY:
        raise InputError(f"{adopted.key!r} is a measure of the catalogue. Give the user-defined measure another name.")
    return adopted


def is_one(measures: MeasureLike | Iterable[MeasureLike]) -> TypeIs[MeasureLike]:
    """Is this one measure, and not several?"""
    return isinstance(measures, str) or callable(measures) or not hasattr(measures, "__iter__")


def entries(measures: MeasureLike | Iterable[MeasureLike]) -> list[Entry]:
    """The entries of one measure, or of several. Raises InputError also for two different ones of the same name."""
    by_key: dict[str, tuple[MeasureLike, Entry]] = {}
    for measure in [measures] if is_one(measures) else measures:
        definition = entry(measure)
        if by_key.setdefault(definition.key, (measure, definition))[0] is not measure and definition.key not in BY_KEY:
            raise InputError(
                f"Two measures are called {definition.key!r}. Give one another name: Entry(key=…, label=…, function=…)."
            )
    return [definition for _, definition in by_key.values()]


def available(selections: Selections) -> list[Entry]:
    """The measures that these runs carry enough for, a similarity aside; or would at another k, which the measure then says."""
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
    """DataFrame of all measures: key, label, family, plain sentence, formula, range, needs, options and what they mean, reference,
    properties.
    """
    import pandas as pd

    rows = [
        {
            **{name: getattr(definition, name) for name in SHOWN},
            "options": "; ".join(f"{name} = {default!r}: {MEANINGS.get(name, '')}" for name, default in definition.options.items()),
            **asdict(definition.properties),
        }
        for definition in ENTRIES
    ]
    return pd.DataFrame(rows).set_index("key")


WISHES = {
    "fully_defined": "Take runs that select different numbers",
    "chance": "Show 0 (or a constant) for random sets, so that long and short lists compare",
    "bounds": "Stay between fixed limits",
    "maximum": "Reach its maximum only when all runs are alike",
    "interchangeable": "Count features that stand for each other as the same",
    "group_size": "Not depend on how many copies of a feature there are",
    "weighted_decomposition": "Weigh features by their importance in the models",
}


def fitting(wishes: Iterable[str]) -> pd.DataFrame:
    """DataFrame of the measures that have all these properties (keys of WISHES): name, plain sentence, and every property."""
    import pandas as pd

    word = {True: "yes", False: "no", None: ""}
    rows = [
        {
            "measure": definition.label,
            "What it says": definition.plain,
            **{text: word[getattr(definition.properties, key)] for key, text in WISHES.items()},
        }
        for definition in ENTRIES
        if all(getattr(definition.properties, key) for key in wishes)
    ]
    return pd.DataFrame(rows, columns=["measure", "What it says", *WISHES.values()])
