"""The only list of stability measures: pages, command line, tests and documentation read it."""

from __future__ import annotations

from dataclasses import asdict

from stabcore.errors import InputError
from stabcore.measures.entries import ENTRIES, FAMILIES, Entry, Properties

__all__ = ["BY_KEY", "ENTRIES", "FAMILIES", "Entry", "Properties", "available", "entry", "measures"]

BY_KEY = {entry.key: entry for entry in ENTRIES}


def entry(key) -> Entry:
    """The catalogue entry of a measure key. Raises InputError that lists the keys."""
    if key not in BY_KEY:
        raise InputError(f"There is no stability measure {key!r}. Choose one of: {', '.join(BY_KEY)}.")
    return BY_KEY[key]


def available(preferences) -> list[Entry]:
    """The measures that these runs carry enough for, a relation aside."""
    carries = {
        "sets": preferences.selection is not None,
        "importances": preferences.weights is not None,
        "weights": preferences.weights is not None or preferences.scores is not None,
        "ranks": preferences.ranks is not None or preferences.scores is not None,
        "order": preferences.ranks is not None or preferences.scores is not None or preferences.weights is not None,
        "relation": True,
    }
    return [one for one in ENTRIES if all(carries[need] for need in one.needs)]


def measures():
    """DataFrame of all measures: key, label, family, plain sentence, formula, range, needs, properties, reference."""
    import pandas as pd

    rows = [{**{k: v for k, v in vars(one).items() if k not in ("properties", "function", "low", "high")},
             **asdict(one.properties)} for one in ENTRIES]
    return pd.DataFrame(rows).set_index("key")
