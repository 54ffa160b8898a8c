"""Questions about a file, and the answers of the user: the position of the table, and corrections of its cells."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields, replace
from typing import Any

from stabcore.base.errors import InputError
from stabcore.base.text import quote, suggest_name

DEEPEST_HEADER = 1000  # last possible line of the column names
ONLY, FIRST, APART, BLANK = "only", "first", "apart", "blank"
DOES = {
    "missing": "read as missing",
    "keep": "kept as texts, not read as missing",
    "half": "read as half the limit",
    "limit": "read as the limit",
    "unit": "read as numbers without their unit",
    "yes-no": "read as yes and no",
    "number": "read as the number in them",
    "negative": "read as negative numbers",
    "spaces": "read with spaces between thousands",
    "dates": "read as dates, which are not a feature",
    "spelling": "joined where only capitals or invisible characters differ",
    "decimal": "read with commas as decimal points",
    "thousands": "read with commas between thousands",
    "as": "read as another text",
    "own": "kept as a separate class",
    ONLY: "the only rows that are used",
    APART: "kept separate where only capitals or invisible characters differ",
    BLANK: "replaced by whether they are blank",
    FIRST: "used to keep one row of each patient, the first",
}


class Question(InputError):
    """A question about an ambiguous file. It can be shown like any other InputError.

    option   the argument of the reader that takes the answer
    answers  {value of that argument: its meaning in plain words}
    file     name of the file, if several are read
    """

    def __init__(self, sentence: str, option: str, answers: Mapping[str, str], file: str = "") -> None:
        super().__init__(sentence)
        self.option, self.answers, self.file = option, answers, file


@dataclass(frozen=True)
class Layout:
    """The position of the table in its file. None: find it.

    sheet                the name of the sheet
    header, units, last  lines, as the file counts them, of the column names, of their units (0: there are none) and of the last row
    decimal              the decimal sign, "." or ","
    """

    sheet: str | None = None
    header: int | None = None
    units: int | None = None
    last: int | None = None
    decimal: str | None = None

    def __post_init__(self) -> None:
        """Raise InputError for values that are not allowed."""
        for name, least, most in (("header", 1, DEEPEST_HEADER), ("units", 0, DEEPEST_HEADER), ("last", 1, None)):
            value = getattr(self, name)
            if value is not None and (type(value) is not int or value < least or (most and value > most)):
                up_to = f" and at most {most}" if most else ""
                raise InputError(f"{name} must be the number of a line, at least {least}{up_to}. Found {quote(value)}.")
        if self.decimal not in (None, ".", ","):
            raise InputError(f'decimal must be the decimal sign, "." or ",". Found {quote(self.decimal)}.')
        if not (self.sheet is None or (isinstance(self.sheet, str) and self.sheet.isprintable())):
            raise InputError(f"sheet must be the name of a sheet. Found {quote(self.sheet)}.")

    def settings(self) -> dict[str, Any]:
        """The choices as in the table [data] of a settings file."""
        return {name: value for name, value in asdict(self).items() if value is not None}


@dataclass(frozen=True)
class Mend:
    """One decision about cells.

    do       a key of DOES
    columns  the columns of the cells
    cells    their texts, if the decision is about single texts, or the texts that identify rows
    unit     the unit that is removed
    into     the text of the column that replaces the cells
    """

    do: str
    columns: tuple[str, ...]
    cells: tuple[str, ...] = ()
    unit: str = ""
    into: str = ""

    def settings(self) -> dict[str, Any]:
        """As the settings file of a study stores it."""
        return {name: list(value) if isinstance(value, tuple) else value for name, value in asdict(self).items() if value}

    @classmethod
    def of(cls, entry: object) -> Mend:
        """From the result of `settings`. Raises InputError for anything else."""
        types = {"do": str, "columns": list, "cells": list, "unit": str, "into": str}
        if not isinstance(entry, dict) or set(entry) - set(types) or not {"do", "columns"} <= set(entry):
            raise InputError(f"A mend of cells must have the entries {', '.join(types)}. Found {quote(entry)}.")
        for name, value in entry.items():
            if not isinstance(value, types[name]) or (types[name] is list and not all(isinstance(text, str) for text in value)):
                what = "a list of texts" if types[name] is list else "a text"
                raise InputError(f"{name} of a mend must be {what}. Found {quote(value)}.")
        if entry["do"] not in DOES:
            near = suggest_name(entry["do"], DOES)
            raise InputError(f"There is no mend {quote(entry['do'])}{near}. Choose one of: {', '.join(DOES)}.")
        if entry["do"] == "as" and not (entry.get("cells") and entry.get("into", "").strip()):
            raise InputError(f"The mend 'as' needs cells and into, the text that replaces them. Found {quote(entry)}.")
        fields = {name: tuple(value) if isinstance(value, list) else value for name, value in entry.items()}
        return cls(**fields | {"into": entry.get("into", "").strip()})


@dataclass(frozen=True)
class Choices:
    """The chosen position of the table, and the decisions about its cells."""

    layout: Layout = Layout()
    mends: tuple[Mend, ...] = ()

    def settings(self) -> dict[str, Any]:
        """Plain values, for a settings file."""
        return self.layout.settings() | ({"mends": [mend.settings() for mend in self.mends]} if self.mends else {})

    @classmethod
    def of(cls, entries: Mapping[str, Any]) -> Choices:
        """From the result of `settings`. Raises InputError for unknown choices."""
        places = dict(entries)
        mends = places.pop("mends", [])
        allowed = [*(field.name for field in fields(Layout)), "mends"]
        for name in places:
            if name not in allowed:
                raise InputError(
                    f"There is no choice {quote(name)}{suggest_name(name, allowed)}. The choices are {', '.join(allowed)}."
                )
        if not isinstance(mends, list | tuple):
            raise InputError(f"mends must be a list of tables. Found {quote(mends)}.")
        return cls(Layout(**places), tuple(map(Mend.of, mends)))

    def placed(self, **changed: Any) -> Choices:
        """With another position of the table. None: find it."""
        return replace(self, layout=replace(self.layout, **changed))

    def mended(self, *more: Mend) -> Choices:
        """With more mends."""
        return replace(self, mends=(*self.mends, *more))

    def without(self, number: int) -> Choices:
        """Without one mend, by its number from 0."""
        return replace(self, mends=tuple(mend for i, mend in enumerate(self.mends) if i != number))

    def only(self, column: str, cells: Iterable[str]) -> Choices:
        """With the rows of these cohorts only, instead of those chosen earlier by the same column."""
        others = tuple(mend for mend in self.mends if (mend.do, mend.columns) != (ONLY, (column,)))
        return replace(self, mends=(*others, Mend(ONLY, (column,), tuple(cells))))
