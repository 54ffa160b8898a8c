"""The data between the stages of reading: rows of cells, then named columns, with their limits."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from stabcore.base.errors import InputError
from stabcore.base.text import counted
from stabcore.io.choices import Layout

if TYPE_CHECKING:
    import pandas as pd

Row = tuple[int, list[str]]

MAX_BYTES = 200 * 2**20
MAX_CELLS = 50_000_000
MAX_COLUMNS = 100_000
MAX_UNPACKED = 500 * 2**20
MAX_RATIO = 200
UNCHECKED_BYTES = 50 * 2**20  # bytes to which any file may unpack


@dataclass(frozen=True)
class Place:
    """The position of a table in its file: the lines, the first rows of the file as (line, cells), and its sheets."""

    layout: Layout = Layout()
    head: tuple[Row, ...] = ()
    sheets: tuple[str, ...] = ()


class MisplacedError(InputError):
    """A table that cannot be read at its position, with the position, for another choice."""

    def __init__(self, sentence: str, place: Place | None = None) -> None:
        super().__init__(sentence)
        self.place = place or Place()


@dataclass
class Rows:
    """Rows of cells: all of a file, or those of its table only, the column names first.

    rows       (line, cells) each, which can be read once. Lines are numbered as in an editor or a spreadsheet
    notes      assumptions, one plain sentence each. The list grows while the rows are read
    separator  the separator of cells, "" if the format has cells
    place      the position of the table
    units      {column: unit}, from a line of units
    merged     (first line, last line, position of the column) of each cell that is merged over several lines
    """

    rows: Iterable[Row]
    notes: list[str] = field(default_factory=list)
    separator: str = ""
    place: Place = field(default_factory=Place)
    units: dict[str, str] = field(default_factory=dict)
    merged: Sequence[Sequence[int]] = ()


@dataclass
class Columns:
    """Named columns.

    cells     cells of each column: texts (a list or an arrow array), or a pandas Series that may have a type already
    lines     the line of each row, None if the file has no lines
    about     columns about the samples, which are likely outcomes and unlikely features
    numbered  {column: its name in the file} of repeated lines that became numbered columns
    notes, separator, place, units  as in Rows
    """

    names: list[str]
    cells: list[Any]
    lines: Sequence[int] | None = None
    notes: list[str] = field(default_factory=list)
    separator: str = ""
    place: Place = field(default_factory=Place)
    units: dict[str, str] = field(default_factory=dict)
    about: tuple[str, ...] = ()
    numbered: dict[str, str] = field(default_factory=dict)


def columns_of_frame(frame: pd.DataFrame, notes: Iterable[str] = ()) -> Columns:
    """The columns of a DataFrame. Raises InputError if it has no rows."""
    if not len(frame):
        raise InputError("The table has column names, but no rows.")
    return Columns(
        [str(name).strip() for name in frame.columns], [frame.iloc[:, j] for j in range(frame.shape[1])], notes=list(notes)
    )


def column_texts(column: pd.Series) -> list[str | None]:
    """(n,) the cells of a column as text, None if missing."""
    return [None if missing else str(cell) for cell, missing in zip(column.astype(object), column.isna(), strict=True)]


def trimmed_texts(columns: Columns) -> list[list[str]]:
    """The cells of each column as trimmed texts, "" if empty."""
    import pandas as pd

    texts = [
        column_texts(cells) if isinstance(cells, pd.Series) else cells if isinstance(cells, list) else cells.to_pylist()
        for cells in columns.cells
    ]
    return [["" if cell is None else cell.strip() for cell in cells] for cells in texts]


def as_rows(contents: Rows | Columns) -> list[Row]:
    """Rows of trimmed texts, the names first. Without line numbers, rows count from 1."""
    if isinstance(contents, Rows):
        return [(line, [cell.strip() for cell in cells]) for line, cells in contents.rows]
    return list(enumerate([contents.names, *map(list, zip(*trimmed_texts(contents), strict=True))], 1))


def refuse_many_cells(rows: int, columns: int) -> None:
    """Raise InputError for a table with too many cells or columns."""
    if columns > MAX_COLUMNS:
        raise InputError(
            f"The table has {columns} columns. At most {MAX_COLUMNS} can be read. If patients are in columns, turn the table so "
            "that each row is one patient."
        )
    if rows * columns > MAX_CELLS:
        millions = MAX_CELLS // 10**6
        raise InputError(f"The table has {rows} rows × {columns} columns, over {millions} million cells. Leave out columns.")


def refuse_ragged(line: int, n_cells: int, width: int, expected: str = "columns") -> None:
    """Raise InputError for a line without exactly `width` cells."""
    if n_cells != width:
        raise InputError(
            f"Line {line} has {counted(n_cells, 'cell')}, but there are {width} {expected}. Look for missing or extra separators, "
            "or for a cell with a separator that needs quotation marks."
        )
