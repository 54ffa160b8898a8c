"""One selector at several settings: tables [[selector]] that differ in one option, made from a list of its values and back."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from stabcore.errors import InputError
from stabcore.selectors.catalog import entry
from stabcore.study.cardinality import FREE
from stabcore.wording import shown

if TYPE_CHECKING:
    from stabcore.study.results import Results

MOST = 20               # settings of one selector


def number_of_features(text: str) -> Any:
    """k as it was typed: nothing, a whole number, a share such as 0.25, "sqrt" or "free". Raises InputError."""
    told = text.strip().lower()
    if told in ("", "sqrt", FREE):
        return told or None
    return _value(told, "whole" if told.isdecimal() else "number", "The number of features")


def spread(table: dict[str, Any], option: str, text: str) -> list[dict[str, Any]]:
    """One [[selector]] for each value of an option that was typed, separated by commas, each with a label that tells it.

    Raises InputError for a value that is no number or choice, one that comes twice, none, and more than 20.
    """
    known = entry(table["key"]).options[option]
    parts = [part.strip() for part in text.split(",") if part.strip()]
    if not 1 <= len(parts) <= MOST:
        raise InputError(f"{option} takes 1 to {MOST} values, separated by commas, such as 5, 10, 20; found {len(parts)}.")
    values = [_value(part, known.kind, option) for part in parts]
    if len(set(values)) < len(values):
        raise InputError(f"{option} has the same value twice in {shown(text)}. Leave one out.")
    name = option.replace("_", " ")
    return [{**table, "label": f"{entry(table['key']).label}, {name} {part}", option: value}
            for part, value in zip(parts, values, strict=True)]


def gathered(tables: list[dict[str, Any]]) -> dict[str, tuple[dict[str, Any], str, str]]:
    """{key: (what its tables share, the option in which they differ, its values as text)}; "" and "" where there is one table.

    Of tables that differ in more than one option the first stands alone.
    """
    by_key: dict[str, tuple[dict[str, Any], str, str]] = {}
    for key in dict.fromkeys(one["key"] for one in tables if "key" in one):
        own = [{name: value for name, value in one.items() if name != "label"} for one in tables if one.get("key") == key]
        differ = [name for name in {name: 0 for one in own for name in one} if len({repr(one.get(name)) for one in own}) > 1]
        if len(own) > 1 and len(differ) == 1 and differ[0] in entry(key).options:
            usual = entry(key).options[differ[0]].default
            values = ", ".join(str(one.get(differ[0], usual)) for one in own)
            by_key[key] = {name: value for name, value in own[0].items() if name != differ[0]}, differ[0], values
        else:
            by_key[key] = own[0], "", ""
    return by_key


def settings_of_one(result: Results) -> dict[str, str]:
    """{selector: what it is a setting of} of selectors that a line can join: 2 to 20 settings that differ in one option alone.

    Settings that differ in more, as those of a random search, have no order.
    """
    entries = {label: result.entry_of(label) for label in result.ready}
    called = {label: one.label for label, one in entries.items() if one is not None}
    many, about = Counter(called.values()), {one["label"]: one for one in getattr(result, "settings", {}).get("selectors", ())}
    differ = {name: _differing([about[label] for label in called if called[label] == name and label in about]) for name in many}
    return {label: name for label, name in called.items() if 2 <= many[name] <= MOST and differ[name] <= 1}


def _differing(selectors: list[dict[str, Any]]) -> int:
    """In how many options, or in k, some selectors of a study's settings differ."""
    given = [{**one.get("options", {}), "k": one.get("n_selected", "as the study")} for one in selectors]
    return sum(len({repr(one.get(name)) for one in given}) > 1 for name in {name: 0 for one in given for name in one})


def _value(text, kind, name):
    if kind == "choice":
        return text
    try:
        return int(text) if kind == "whole" else float(text)
    except ValueError:
        raise InputError(f"{name} is {'a whole number' if kind == 'whole' else 'a number'}; found {shown(text)}.") from None
