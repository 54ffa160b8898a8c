"""Fourth stage: named columns as a DataFrame with types."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from stabcore.base.errors import InputError
from stabcore.base.text import counted, listed, quote
from stabcore.io.cells import MAX_EXACT_INTEGER, Cells, read_cells
from stabcore.io.choices import Choices, Layout
from stabcore.io.contents import Columns, Place, column_texts

if TYPE_CHECKING:
    import pandas as pd

MAX_WORDS = 400_000  # different texts of all columns, without numbers


@dataclass(frozen=True)
class Written:
    """The cells as in the file, for decisions about them.

    texts  {column: its cells, an arrow array}
    comma  the meaning of commas in this table: "", "decimal" or "thousands"
    marks  {column: {usual mark for missing, such as NA: number of cells that were read as missing for it}}
    """

    texts: dict[str, Any] = field(default_factory=dict)
    comma: str = ""
    marks: dict[str, dict[str, int]] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Reading:
    """A table from a file.

    frame                the table. Its index "line" counts as in an editor or a spreadsheet (a Parquet file has no lines)
    notes                assumptions, one plain sentence each
    written              the cells as in the file
    units                {column: unit}
    place                the position of the table
    choices              the chosen position of the table, and the corrections of its cells
    mended               the effect of each mend, one sentence each
    elsewhere, repeated  rows left out because of a chosen cohort, and because of one row per patient
    about                columns about the samples, which are likely outcomes and unlikely features
    numbered             {column: its name in the file}, of repeated lines that were numbered
    """

    frame: pd.DataFrame
    notes: tuple[str, ...]
    written: Written = Written()
    units: dict[str, str] = field(default_factory=dict)
    place: Place = Place()
    choices: Choices = Choices()
    mended: tuple[str, ...] = ()
    elsewhere: int = 0
    repeated: int = 0
    about: tuple[str, ...] = ()
    numbered: dict[str, str] = field(default_factory=dict)

    @property
    def last(self) -> int | None:
        """The last line of the table in its file, None if the file has no lines."""
        return int(self.frame.index[-1]) if self.frame.index.name == "line" else None


def type_columns(columns: Columns, layout: Layout) -> Reading:
    """The Reading of named columns. Each becomes int64, float64, bool, datetime64 or str. NaN is missing.

    A column of numbers with some text stays text. layout: the chosen layout. Its decimal sign decides ambiguous numbers. Raises
    InputError for too many different words.
    """
    import pandas as pd
    import pyarrow as pa

    typed, texts = _typed_and_texts(columns)
    cells = _read_texts(texts)
    comma = {",": "decimal", ".": "thousands"}.get(layout.decimal or "") or _meaning_of_comma(cells, columns.separator)
    if comma:
        doubtful = [
            name
            for name, column in cells.items()
            if column.comma == "either"
            or (comma == "decimal" and not column.comma and column.numbers is not None and _has_fraction(column.numbers))
        ]
        cells |= {name: read_cells(texts[name], comma, decided=bool(layout.decimal)) for name in doubtful}
    blank = sum(column.marks.get("", 0) for column in cells.values()) + sum(int(pd.isna(values).sum()) for values in typed.values())
    on_missing = [f"Read as missing: {counted(blank, 'empty cell')}."] if blank else []
    values = {name: column_values(cells[name]) if name in cells else typed[name] for name in columns.names}
    arrays = {name: pa.array(column, pa.string()) if isinstance(column, list) else column for name, column in texts.items()}
    marks = {name: missing for name, column in cells.items() if (missing := {mark: n for mark, n in column.marks.items() if mark})}
    return Reading(
        pd.DataFrame(values, index=_index(columns.lines)),
        (*columns.notes, *_notes_on_commas(cells), *on_missing),
        Written(arrays, comma, marks),
        {name: unit for name, unit in columns.units.items() if name in columns.names},
        columns.place,
        Choices(layout),
        about=columns.about,
        numbered=columns.numbered,
    )


def _typed_and_texts(columns):
    """({column: values that already have a type}, {column: texts})."""
    import pandas as pd
    from pandas.api.types import is_bool_dtype, is_datetime64_any_dtype, is_float_dtype, is_integer_dtype

    typed, texts = {}, {}
    for name, column in zip(columns.names, columns.cells, strict=True):
        if not isinstance(column, pd.Series):
            texts[name] = column
            continue
        kind = column.dtype
        is_identifier = is_integer_dtype(kind) and (column.abs() >= MAX_EXACT_INTEGER).any()
        if not is_identifier and (is_float_dtype(kind) or is_integer_dtype(kind)):
            typed[name] = column_values(Cells(column.to_numpy(dtype=float, na_value=np.nan), None, {}))
        elif (is_bool_dtype(kind) and kind != "category") or is_datetime64_any_dtype(kind):
            typed[name] = column.array
        else:
            texts[name] = column_texts(column)
    return typed, texts


def _read_texts(texts):
    """Cells by column name. Raises InputError for too many different words, because each is inspected many times."""
    cells, words = {}, 0
    for name, column in texts.items():
        cells[name] = read_cells(column, most_words=MAX_WORDS - words)
        words += cells[name].words
        if words > MAX_WORDS:
            raise InputError(
                f"The table has more than {MAX_WORDS:,} different texts (the column {quote(name)} alone has "
                f"{cells[name].words:,}). Names, identifiers and free text cannot become features. Leave such columns out."
            )
    return cells


def _index(lines):
    import pandas as pd

    if not lines:
        return None
    unbroken = lines[-1] - lines[0] + 1 == len(lines)
    return pd.RangeIndex(lines[0], lines[-1] + 1, name="line") if unbroken else pd.Index(lines, name="line")


def column_values(cells: Cells) -> Any:
    """The values of understood cells in the type they are shown in: int64, float64, bool or str."""
    import pandas as pd

    if cells.numbers is not None:
        # Not a number, infinite and beyond the exact integers all fail the second comparison.
        whole = (cells.numbers == np.trunc(cells.numbers)) & (np.abs(cells.numbers) < MAX_EXACT_INTEGER)
        return cells.numbers.astype(np.int64) if whole.all() else cells.numbers
    texts = np.asarray(cells.texts)
    if cells.truths:
        truths = [None if text is None else text.lower() == "true" for text in texts]
        return pd.array(truths, dtype="boolean" if None in truths else "bool")
    return pd.array(texts, dtype="str")


def _has_fraction(numbers):
    return bool((numbers != np.trunc(numbers))[np.isfinite(numbers)].any())


def _meaning_of_comma(cells, separator):
    """The meaning of commas in the unambiguous columns of this table, for the ambiguous ones."""
    meanings = {column.comma for column in cells.values()} - {"", "either"}
    if len(meanings) == 1:
        return meanings.pop()
    points = any(column.numbers is not None and _has_fraction(column.numbers) for column in cells.values())
    undecided = any(column.comma == "either" for column in cells.values())
    return "decimal" if separator == ";" and undecided and not points and not meanings else ""


def _notes_on_commas(cells):
    sentences = {
        "decimal": "Commas were read as decimal points (1,5 is 1.5) in {}.",
        "thousands": "Commas were read as thousands separators (1,234 is 1234) in {}.",
        "either": "Numbers such as 1,234 are ambiguous in {}, so they were kept as text. Write them with a decimal point and no "
        "thousands separator.",
    }
    for meaning, sentence in sentences.items():
        if names := [name for name, column in cells.items() if column.comma == meaning]:
            yield sentence.format(listed(names))
