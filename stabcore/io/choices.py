"""What a file leaves open, and what a person decided: where the table lies in it, how its cells are mended; as settings keep it."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields, replace
from typing import TYPE_CHECKING, Any

from stabcore.base.errors import InputError
from stabcore.base.text import nearest, shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

DEEPEST_HEADER = 1000  # line in which the column names can stand
ONLY, FIRST, APART, BLANK = "only", "first", "apart", "blank"
DOES = {
    "missing": "read as missing",
    "keep": "kept as texts, not read as missing",
    "half": "read as half the limit",
    "limit": "read as the limit",
    "unit": "read as numbers without their unit",
    "yes-no": "read as yes and no",
    "number": "read as the number in them",
    "spaces": "read with spaces between thousands",
    "dates": "read as dates, which are no feature",
    "spelling": "joined where only capitals, or signs that cannot be seen, differ",
    "decimal": "read with commas as decimal points",
    "thousands": "read with commas between thousands",
    "as": "read as another text",
    "own": "kept as a class of their own",
    ONLY: "the only rows that are used",
    APART: "kept apart where only capitals, or signs that cannot be seen, differ",
    BLANK: "replaced by whether they are blank",
    FIRST: "used to keep one row of each patient, the first",
}


class Question(InputError):
    """What a file may mean in more than one way; as a sentence it can be shown like any other InputError.

    Attributes
    ----------
    option : str
        The argument of the reader that takes the answer.
    answers : dict
        ``{value of that argument: what it means, in plain words}``.
    file : str
        Name of the file, where several are read.
    """

    def __init__(self, sentence: str, option: str, answers: Mapping[str, str], file: str = "") -> None:
        super().__init__(sentence)
        self.option, self.answers, self.file = option, answers, file


@dataclass(frozen=True)
class Layout:
    """Where the table lies in its file. None: to be found.

    Attributes
    ----------
    sheet : str or None
        Name of the sheet.
    header, units, last : int or None
        Lines, as the file counts them, of the column names, of their units (0: there are none) and of the last row.
    decimal : str or None
        The sign before the decimals, ``"."`` or ``","``.
    """

    sheet: str | None = None
    header: int | None = None
    units: int | None = None
    last: int | None = None
    decimal: str | None = None

    def __post_init__(self) -> None:
        """Refuse, with an InputError, what cannot be chosen."""
        for name, least, most in (("header", 1, DEEPEST_HEADER), ("units", 0, DEEPEST_HEADER), ("last", 1, None)):
            value = getattr(self, name)
            if value is not None and (type(value) is not int or value < least or (most and value > most)):
                up_to = f" and at most {most}" if most else ""
                raise InputError(f"{name} is the number of a line, at least {least}{up_to}; found {shown(value)}.")
        if self.decimal not in (None, ".", ","):
            raise InputError(f'decimal is the sign before the decimals, "." or ","; found {shown(self.decimal)}.')
        if not (self.sheet is None or (isinstance(self.sheet, str) and self.sheet.isprintable())):
            raise InputError(f"sheet is the name of a sheet; found {shown(self.sheet)}.")

    def settings(self) -> dict[str, Any]:
        """What was chosen, as the table [data] of a settings file keeps it."""
        return {name: value for name, value in asdict(self).items() if value is not None}


@dataclass(frozen=True)
class Mend:
    """One decision about cells.

    Attributes
    ----------
    do : str
        A key of DOES.
    columns : tuple of str
        Whose cells.
    cells : tuple of str
        Which texts, as they stand, for what is decided text by text; or the rows that hold one of them.
    unit : str
        What is taken off.
    into : str
        The text of the column that cells are read as.
    """

    do: str
    columns: tuple[str, ...]
    cells: tuple[str, ...] = ()
    unit: str = ""
    into: str = ""

    def settings(self) -> dict[str, Any]:
        """As the settings file of a study keeps it."""
        return {name: list(value) if isinstance(value, tuple) else value for name, value in asdict(self).items() if value}

    @classmethod
    def of(cls, entry: object) -> Mend:
        """From what `settings` gives. Raises InputError for what no mend is."""
        types = {"do": str, "columns": list, "cells": list, "unit": str, "into": str}
        if not isinstance(entry, dict) or set(entry) - set(types) or not {"do", "columns"} <= set(entry):
            raise InputError(f"A mend of cells has the entries {', '.join(types)}; found {shown(entry)}.")
        for name, value in entry.items():
            if not isinstance(value, types[name]) or (types[name] is list and not all(isinstance(text, str) for text in value)):
                what = "a list of texts" if types[name] is list else "a text"
                raise InputError(f"{name} of a mend is {what}; found {shown(value)}.")
        if entry["do"] not in DOES:
            raise InputError(f"A mend cannot do {shown(entry['do'])}{nearest(entry['do'], DOES)}; it can do: {', '.join(DOES)}.")
        if entry["do"] == "as" and not (entry.get("cells") and entry.get("into", "").strip()):
            raise InputError(
                f"A mend that does 'as' names its cells and, by into, the text that they are read as; found {shown(entry)}."
            )
        return cls(
            entry["do"],
            tuple(entry["columns"]),
            tuple(entry.get("cells", ())),
            entry.get("unit", ""),
            entry.get("into", "").strip(),
        )


_PLACES = tuple(field.name for field in fields(Layout))


@dataclass(frozen=True)
class Choices:
    """Where the table lies, as far as that was chosen, and what was decided about its cells."""

    layout: Layout = Layout()
    mends: tuple[Mend, ...] = ()

    def settings(self) -> dict[str, Any]:
        """Plain values, for a settings file."""
        return self.layout.settings() | ({"mends": [mend.settings() for mend in self.mends]} if self.mends else {})

    @classmethod
    def of(cls, entries: Mapping[str, Any]) -> Choices:
        """From what `settings` gives. Raises InputError for what cannot be chosen."""
        places = dict(entries)
        mends = places.pop("mends", [])
        for name in places:
            if name not in _PLACES:
                raise InputError(
                    f"Of a table {shown(name)} cannot be chosen{nearest(name, (*_PLACES, 'mends'))}; what can be: "
                    f"{', '.join((*_PLACES, 'mends'))}."
                )
        if not isinstance(mends, list | tuple):
            raise InputError(f"mends is a list of tables; found {shown(mends)}.")
        return cls(Layout(**places), tuple(map(Mend.of, mends)))

    def placed(self, **changed: Any) -> Choices:
        """With another place of the table; None: to be found."""
        return replace(self, layout=replace(self.layout, **changed))

    def mended(self, *more: Mend) -> Choices:
        """With more mends."""
        return replace(self, mends=(*self.mends, *more))

    def without(self, number: int) -> Choices:
        """Without one mend, by its number from 0."""
        return replace(self, mends=tuple(mend for i, mend in enumerate(self.mends) if i != number))

    def only(self, column: str, cells: Iterable[str]) -> Choices:
        """With the rows of these cohorts alone, in the place of those that were chosen by the same column."""
        others = tuple(mend for mend in self.mends if (mend.do, mend.columns) != (ONLY, (column,)))
        return replace(self, mends=(*others, Mend(ONLY, (column,), tuple(cells))))
