"""Named columns of text as a DataFrame with types, and what had to be assumed for that."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from stabcore.io.cells import LONGEST_EXACT_INTEGER, Cells, read_cells
from stabcore.io.layout import Layout
from stabcore.errors import InputError
from stabcore.wording import listed, several, shown

if TYPE_CHECKING:
    import pandas as pd

MAX_WORDS = 400_000     # different texts of all columns, numbers aside


@dataclass(frozen=True, eq=False)
class Reading:
    """A table as it was understood: a DataFrame, and what was assumed on the way, one plain sentence each.

    The index of the frame is called "line" and counts as an editor or a spreadsheet does (a Parquet file has no lines).
    raw: {column: its cells as they stand, an arrow array}; comma: what commas mean in this table ("", "decimal", "thousands");
    units: {column: unit}; layout: where the table was found; sheets: those of the file; head: its first (line, cells);
    marks: {column: {usual mark for missing, such as NA: cells that hold it and were read so}}; mended: what was mended on request,
    one sentence each; chosen, mends: what was asked for of both, where the table lies and how its cells are mended; elsewhere: rows
    left out because only those of a cohort were asked for; repeated: those left out because one row of each patient was.
    """

    frame: pd.DataFrame
    notes: tuple[str, ...]
    raw: dict = field(default_factory=dict)
    comma: str = ""
    units: dict = field(default_factory=dict)
    layout: Layout = Layout()
    sheets: tuple[str, ...] = ()
    head: tuple = ()
    marks: dict = field(default_factory=dict)
    mended: tuple[str, ...] = ()
    chosen: Layout = Layout()
    mends: tuple = ()
    elsewhere: int = 0
    repeated: int = 0
    again: dict = field(default_factory=dict)       # {column: its name in the file}, of lines that came again and were numbered
    about: tuple[str, ...] = ()     # columns that tell about the samples: a likely outcome is among them, a feature rather not

    @property
    def last(self) -> int | None:
        """The last line of the table in its file; None where a file has no lines."""
        return int(self.frame.index[-1]) if self.frame.index.name == "line" else None


def understood(texts: dict, lines, notes, separator="", others=None, about=(), decimal=None) -> Reading:
    """A Reading of texts by column name; `others` holds all columns, in order, when some have types already.

    decimal: the sign before the decimals, "." or ",", for numbers that can be read in two ways.
    """
    import pandas as pd
    import pyarrow as pa

    cells = _cells(texts)
    comma = {",": "decimal", ".": "thousands"}.get(decimal) or _meaning_of_comma(cells, separator)
    if comma:
        doubtful = [name for name, column in cells.items() if column.comma == "either" or (
            comma == "decimal" and not column.comma and column.numbers is not None and _has_fraction(column.numbers))]
        cells |= {name: read_cells(texts[name], comma) for name in doubtful}
    notes = (*notes, *_notes_on_commas(cells), *_notes_on_missing(cells))
    columns = {name: as_column(cells[name]) if name in cells else others[name] for name in (others or texts)}
    raw = {name: pa.array(column, pa.string()) if isinstance(column, list) else column for name, column in texts.items()}
    marks = {name: missing for name, column in cells.items() if (missing := {mark: n for mark, n in column.marks.items() if mark})}
    return Reading(pd.DataFrame(columns, index=_index(lines)), notes, raw, comma, about=tuple(about), marks=marks)


def _cells(texts):
    """Cells by column name. Raises InputError for too many different words: each is looked at many times before a study begins."""
    cells, words = {}, 0
    for name, column in texts.items():
        cells[name] = read_cells(column, most_words=MAX_WORDS - words)
        words += cells[name].words
        if words > MAX_WORDS:
            raise InputError(f"The table has more than {MAX_WORDS:,} different texts that are no numbers (the column {shown(name)} "
                             f"alone has {cells[name].words:,}); at most {MAX_WORDS:,} can be read. Names, identifiers and free "
                             "text cannot become features: leave such columns out.")
    return cells


def typed(frame, names) -> tuple[dict, dict]:
    """(all columns, texts among them) of a DataFrame whose columns have types already, as `understood` takes them."""
    from pandas.api.types import is_bool_dtype, is_datetime64_any_dtype, is_float_dtype, is_integer_dtype

    columns, texts = {}, {}
    for j, name in enumerate(names):
        column = frame.iloc[:, j]
        kind = column.dtype
        long = is_integer_dtype(kind) and (column.abs() >= LONGEST_EXACT_INTEGER).any()     # such are identifiers
        if not long and (is_float_dtype(kind) or is_integer_dtype(kind)):
            columns[name] = as_column(Cells(column.to_numpy(dtype=float, na_value=np.nan), None, {}))
        elif (is_bool_dtype(kind) and kind != "category") or is_datetime64_any_dtype(kind):
            columns[name] = column.array
        else:
            columns[name] = texts[name] = texts_of(column)
    return columns, texts


def frame_as_read(frame) -> Reading:
    """A DataFrame as if it had been read from a file, so that its cells can be mended."""
    columns, texts = typed(frame, [str(name) for name in frame.columns])
    reading = understood(texts, None, [], others=columns)
    return replace(reading, frame=reading.frame.set_axis(frame.index))


def texts_of(column) -> list:
    """(n,) the cells of a column as text, None where missing."""
    return [None if gone else str(cell) for cell, gone in zip(column.astype(object), column.isna(), strict=True)]


def _index(lines):
    import pandas as pd

    if not lines:
        return None
    unbroken = lines[-1] - lines[0] + 1 == len(lines)
    return pd.RangeIndex(lines[0], lines[-1] + 1, name="line") if unbroken else pd.Index(lines, name="line")


def as_column(cells):
    """The values of understood cells in the type they are shown in: int64, float64, bool or str."""
    import pandas as pd

    if cells.numbers is not None:
        # Not a number, infinite and beyond the exact integers all fail the second comparison.
        whole = (cells.numbers == np.floor(cells.numbers)) & (np.abs(cells.numbers) < LONGEST_EXACT_INTEGER)
        return cells.numbers.astype(np.int64) if whole.all() else cells.numbers
    if cells.truths:
        truths = [None if text is None else text.lower() == "true" for text in cells.texts]
        return pd.array(truths, dtype="boolean" if None in truths else "bool")
    return pd.array(cells.texts, dtype="str")


def _has_fraction(numbers):
    return bool((numbers != np.floor(numbers))[np.isfinite(numbers)].any())


def _meaning_of_comma(cells, separator):
    """What commas mean in the columns of this table that leave no doubt, to settle those that do."""
    meanings = {column.comma for column in cells.values()} - {"", "either"}
    if len(meanings) == 1:
        return meanings.pop()
    points = any(column.numbers is not None and _has_fraction(column.numbers) for column in cells.values())
    undecided = any(column.comma == "either" for column in cells.values())
    return "decimal" if separator == ";" and undecided and not points and not meanings else ""


def _notes_on_commas(cells):
    sentences = {"decimal": "Commas were read as decimal points (1,5 is 1.5) in {}.",
                 "thousands": "Commas were read as thousands separators (1,234 is 1234) in {}.",
                 "either": "Numbers such as 1,234 can be read in two ways in {}, so they were kept as text; write them "
                           "with a decimal point and no thousands separator."}
    for meaning, sentence in sentences.items():
        names = [name for name, column in cells.items() if column.comma == meaning]
        if names:
            yield sentence.format(listed(names))


def _notes_on_missing(cells):
    blank = sum(column.marks.get("", 0) for column in cells.values())
    return [f"Read as missing: {several(blank, 'empty cell')}."] if blank else []
