"""Third stage: rows of cells as columns with a name each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import chain, islice
from typing import Any

import numpy as np

from stabcore.base.errors import InputError
from stabcore.base.text import listed, several
from stabcore.io.contents import Columns, MisplacedError, Rows, refuse_many_cells, refuse_ragged

_BLOCK = 500_000  # cells that are held as Python strings at a time
MOSTLY_DIFFERENT = 20  # one row name in so many may be one that came before
_BODY = 20  # rows that tell whether the header is one cell short


def name_columns(contents: Rows | Columns) -> Columns:
    """The columns of a table, its names in the first of the rows.

    Raises MisplacedError, with line and column, for no rows, too many or few cells, and names that are missing or twice.
    """
    if isinstance(contents, Columns):
        check_names(contents.names)
        return contents
    try:
        names, columns, lines = _named_columns(contents)
    except InputError as error:
        raise MisplacedError(str(error), contents.place) from None
    return Columns(names, columns, lines, contents.notes, contents.separator, contents.place, contents.units)


def _named_columns(contents):
    """(names, columns as arrow arrays, their line numbers)."""
    rows = iter(contents.rows)
    line, cells = next(rows, (0, None))
    if cells is None:
        raise InputError("There are only blank lines. The first line must hold the column names.")
    names = [cell.strip() for cell in cells]
    first = list(islice(rows, _BODY))
    if len(names) > 1 and len(first) > 1 and all(len(row) == len(names) + 1 for _, row in first):
        # Either every line ends with a separator, or R wrote row names under no name.
        names = [*names, ""] if not any(row[-1].strip() for _, row in first) else ["", *names]
    columns, lines, n_blank = _packed(chain(first, rows), names)
    if not lines:
        raise InputError(f"Line {line} holds column names, but no rows follow.")
    if n_blank and contents.separator:
        contents.notes.append(f"Skipped: {several(n_blank, 'line')} with only empty cells.")
    names, columns = _with_names(names, columns, line, contents.notes)
    if all(_is_number(name) for name in names):
        contents.notes.append(f"Every column name in line {line} is a number. If that line is data, add a line of names above it.")
    return names, columns, lines


def _with_names(names, columns, line, notes):
    """Names and columns after columns without a name were dropped (no cells) or named (row names)."""
    filled = [j for j, name in enumerate(names) if name or any(cell.strip() for cell in columns[j].to_pylist())]
    if len(filled) < len(names):
        notes.append(f"Skipped: {several(len(names) - len(filled), 'column')} with neither a name nor a filled cell.")
    names = [names[j] for j in filled]
    if len(names) > 1 and not names[0] and _are_row_names(columns[filled[0]]):
        names[0] = "row name" if "row name" not in names else "row name (first column)"
        notes.append(f"The first column has no name. Its cells (nearly) all differ, so it is called {names[0]!r}.")
    check_names(names, filled, line)
    return names, [columns[j] for j in filled]


def _packed(rows, names):
    """(arrow columns, line numbers, number of lines of empty cells), packed block by block to stay small in memory."""
    import pyarrow as pa

    width, blocks, block, lines, n_blank = len(names), [list[Any]() for _ in names], list[Any](), [], 0
    refuse_many_cells(1, width)

    def flush():
        for column, cells in zip(blocks, zip(*block, strict=True), strict=False):
            column.append(pa.array(cells, pa.string()))
        block.clear()

    for line, cells in rows:
        if width == 1 and len(cells) > 1:
            raise InputError(f"Line {line} has {len(cells)} cells, but there is one column name. Delete titles above the names.")
        refuse_ragged(line, len(cells), width)
        if not any(cells):
            n_blank += 1
            continue
        block.append(cells)
        lines.append(line)
        if len(block) * width >= _BLOCK:
            refuse_many_cells(len(lines), width)
            flush()
    flush()
    refuse_many_cells(len(lines), width)
    return [pa.chunked_array(column, pa.string()) for column in blocks], lines, n_blank


def _are_row_names(column):
    """Whether the cells of a column without a name differ as row names do. Symbols of genes may come twice."""
    cells = [cell.strip() for cell in column.to_pylist()]
    n_repeated = len(cells) - len(set(cells))
    if not all(cells) or n_repeated * MOSTLY_DIFFERENT > len(cells):
        return False
    return not (n_repeated and any(map(_is_number, cells[:_BODY])))


def _is_number(name):
    try:
        return bool(np.isfinite(float(name)))
    except ValueError:
        return False


def check_names(names: list[str], positions: Iterable[int] | None = None, line: int | None = None) -> list[str]:
    """The names, once it is sure that each column has one of its own. Raises InputError, with the line if known."""
    where = f" in line {line}" if line else ""
    for position, name in zip(positions or range(len(names)), names, strict=True):
        if not name:
            raise InputError(f"Column {position + 1} has no name{where}. Type a name above its cells, or delete the column.")
    twice = [name for name, count in Counter(names).items() if count > 1]
    if twice:
        raise InputError(f"Column names must differ. These come more than once{where}: {listed(twice)}. Rename one of each.")
    return names
