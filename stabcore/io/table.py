"""A table from its file to a DataFrame: decode, locate, name, type, then apply the decisions about its cells."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from stabcore.base.errors import InputError
from stabcore.base.text import quote
from stabcore.io.check import suggested_mends
from stabcore.io.choices import APART, Choices, Layout, Mend
from stabcore.io.contents import Columns
from stabcore.io.decode import TABLE_ENDINGS, Source, decode
from stabcore.io.locate import locate_table
from stabcore.io.mends import apply_mends
from stabcore.io.names import name_columns, same_looking_names
from stabcore.io.type import Reading, type_columns

if TYPE_CHECKING:
    import pandas as pd

SUGGESTED = "suggested"


def read_table(source: Source, name: str | None = None, choices: Choices | None = None) -> Reading:
    """Read a table: .csv, .tsv, .txt (each also .gz), .xlsx, .xls, .ods, .parquet, .gct, .sav, .dta, .xpt or .rds.

    name: the file name with the ending of the format, for bytes. choices: the chosen position of the table, and the corrections of
    its cells. Columns become int64, float64, bool, datetime64 or str, with NaN for missing. A column of numbers with some text
    stays text. Raises InputError with line and column, and MisplacedError if another position of the table may help.
    """
    choices = choices or Choices()
    contents = decode(source, name, TABLE_ENDINGS, choices.layout.sheet)
    reading = type_columns(name_columns(locate_table(contents, choices.layout)), choices.layout)
    return apply_mends(reading, choices.mends) if choices.mends else reading


def read_frame(frame: pd.DataFrame) -> Reading:
    """A Reading of a DataFrame, so that its cells can be corrected."""
    columns = Columns([str(name) for name in frame.columns], [frame.iloc[:, j] for j in range(frame.shape[1])])
    reading = type_columns(columns, Layout())
    return replace(reading, frame=reading.frame.set_axis(frame.index))


def mend_reading(
    reading: Reading,
    mends: Iterable[Mend | dict] | str,
    target: str,
    exclude: str | Iterable[str] = (),
    alike_words: str | None = None,
) -> Reading:
    """A table after the corrections chosen in Python: mends, or "suggested". Raises InputError for other values.

    target, exclude: the outcome, and left-out columns, for which nothing is suggested. alike_words: "join" or "keep", the treatment
    of classes and names that look the same.
    """
    if alike_words not in (None, "join", "keep"):
        raise InputError(f"alike must be 'join' or 'keep'. Found {quote(alike_words)}.")
    if isinstance(mends, str) and mends != SUGGESTED:
        raise InputError(f"mends must be a list of mends, or {SUGGESTED!r}. Found {quote(mends)}.")
    chosen = [mend if isinstance(mend, Mend) else Mend.of(mend) for mend in (() if isinstance(mends, str) else mends)]
    if alike_words == "join":
        chosen.append(Mend("spelling", (str(target),)))
    elif alike_words == "keep":
        double = same_looking_names([str(name) for name in reading.frame.columns])
        chosen.append(Mend(APART, tuple(dict.fromkeys([str(target), *(name for same in double.values() for name in same)]))))
    excluded = [exclude] if isinstance(exclude, str) else [str(name) for name in exclude]
    if isinstance(mends, str):
        chosen += suggested_mends(reading, chosen, excluded, str(target))[0]
    return apply_mends(reading, chosen) if chosen else reading
