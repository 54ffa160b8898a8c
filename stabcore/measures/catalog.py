"""The only list of stability measures: pages, command line, tests and documentation read it."""

from __future__ import annotations

from dataclasses import asdict

from stabcore.errors import InputError
from stabcore.measures.entries import ENTRIES, FAMILIES, Entry, Properties

__all__ = ["BY_KEY", "ENTRIES", "FAMILIES", "WISHES", "Entry", "Properties", "available", "entry", "fitting", "measures"]

BY_KEY = {entry.key: entry for entry in ENTRIES}


def entry(key) -> Entry:
    """The catalogue entry of a measure key. Raises InputError that lists the keys."""
    if key not in BY_KEY:
        raise InputError(f"There is no stability measure {key!r}. Choose one of: {', '.join(BY_KEY)}.")
    return BY_KEY[key]


def available(preferences) -> list[Entry]:
    """The measures that these runs carry enough for, a relation aside; or would at another k, which the measure then says."""
    importances = preferences.weights is not None or bool(preferences.no_importances)
    carries = {
        "sets": preferences.selection is not None,
        "importances": importances,
        "scores": preferences.scores is not None,
        "ranks": preferences.ranks is not None or preferences.scores is not None,
        "order": preferences.ranks is not None or preferences.scores is not None or preferences.weights is not None,
        "relation": True,
    }
    return [one for one in ENTRIES if all(carries[need] for need in one.needs)]


def measures():
    """DataFrame of all measures: key, label, family, plain sentence, formula, range, needs, properties, reference."""
    import pandas as pd

    rows = [{**{k: v for k, v in vars(one).items() if k not in ("properties", "function", "low", "high", "otherwise")},
             **asdict(one.properties)} for one in ENTRIES]
    return pd.DataFrame(rows).set_index("key")


WISHES = {
    "fully_defined": "Take runs that select different numbers",
    "chance": "Show 0 (or a constant) for luck, so that long and short lists compare",
    "bounds": "Stay between fixed limits",
    "maximum": "Reach its maximum only when all runs are alike",
    "interchangeable": "Count features that stand for each other as the same",
    "group_size": "Not depend on how many copies of a feature there are",
    "weighted_decomposition": "Weigh features by their importance in the models",
}


def fitting(wishes):
    """DataFrame of the measures that have all these properties (keys of WISHES): name, plain sentence, and every property."""
    import pandas as pd

    word = {True: "yes", False: "no", None: ""}
    rows = [{"measure": one.label, "what it says": one.plain,
             **{text: word[getattr(one.properties, key)] for key, text in WISHES.items()}}
            for one in ENTRIES if all(getattr(one.properties, key) for key in wishes)]
    return pd.DataFrame(rows, columns=["measure", "what it says", *WISHES.values()])
