"""Rows of cells as named columns of text, every row as wide as the header; the sentences that say where one is not."""

from __future__ import annotations

from collections import Counter
from itertools import chain, islice

import numpy as np

from stabcore.io.files import refuse_many_cells
from stabcore.io.text import SEPARATORS
from stabcore.errors import InputError
from stabcore.wording import listed, several

_BLOCK = 500_000    # cells that are held as Python strings at a time
MOSTLY_DIFFERENT = 20   # one row name in so many may be one that came before
_BODY = 20          # rows that tell whether the header is one cell short


def named_columns(rows, separator: str, header: bool = True):
    """(texts by column name as arrow arrays, their line numbers, notes) of rows, an iterable of (line, cells).

    Raises InputError, with line and column, for no rows, too many or few cells, and names that are missing or twice.
    """
    rows, notes = iter(rows), []
    line, cells = next(rows, (0, None))
    if cells is None:
        raise InputError("There is nothing but blank lines; the first line must hold the column names.")
    names = [cell.strip() for cell in cells] if header else [f"column {j + 1}" for j in range(len(cells))]
    first = list(islice(rows, _BODY))
    if header and len(names) > 1 and len(first) > 1 and all(len(row) == len(names) + 1 for _, row in first):
        # Either every line ends with a separator, or R wrote row names under no name.
        names = [*names, ""] if not any(row[-1].strip() for _, row in first) else ["", *names]
    columns, lines, skipped = _packed(chain([] if header else [(line, cells)], first, rows), names, line, separator)
    if not lines:
        raise InputError(f"Line {line} holds column names, but no rows follow; there is nothing to read.")
    if skipped:
        notes.append(f"Skipped: {several(skipped, 'line')} with only empty cells.")
    names, columns = _named(names, columns, line, notes)
    if header and all(_is_number(name) for name in names):
        notes.append(f"Every column name in line {line} is a number; if that line is data, add a line of names above it.")
    return dict(zip(names, columns, strict=True)), lines, notes


def _named(names, columns, line, notes):
    """Names and columns after columns without a name were dropped (no cells) or named (row names)."""
    kept = [j for j, name in enumerate(names) if name or not _is_blank(columns[j])]
    if len(kept) < len(names):
        notes.append(f"Skipped: {several(len(names) - len(kept), 'column')} with neither a name nor a filled cell.")
    names = [names[j] for j in kept]
    if len(names) > 1 and not names[0] and (differ := _how_row_names_differ(columns[kept[0]])):
        names[0] = "row name" if "row name" not in names else "row name (first column)"
        notes.append(f"The first column has no name and its cells {differ}, so it is called {names[0]!r}.")
    return check_names(names, kept, line), [columns[j] for j in kept]


def _packed(rows, names, header_line, separator):
    """(arrow columns, line numbers, lines of empty cells), packed block by block to stay small in memory."""
    import pyarrow as pa

    width, blocks, block, lines, skipped = len(names), [[] for _ in names], [], [], 0
    refuse_many_cells(1, width)

    def flush():
        for column, cells in zip(blocks, zip(*block, strict=True), strict=False):
            column.append(pa.array(cells, pa.string()))
        block.clear()

    for line, cells in rows:
        if len(cells) != width:
            _refuse_ragged(line, len(cells), width, header_line, separator)
        if not any(cells):
            skipped += 1
            continue
        block.append(cells)
        lines.append(line)
        if len(block) * width >= _BLOCK:
            refuse_many_cells(len(lines), width)
            flush()
    flush()
    refuse_many_cells(len(lines), width)
    return [pa.chunked_array(column, pa.string()) for column in blocks], lines, skipped


def _refuse_ragged(line, cells, width, header_line, separator):
    mark = SEPARATORS.get(separator, "separators")
    cause = (f"look for missing {mark}" if cells < width else f"look for extra {mark}, or a cell that contains one and "
             "needs quotation marks around it")
    if width == 1:
        cause = "the first line must hold the column names, so delete titles above them"
    raise InputError(f"Line {line} has {several(cells, 'cell')}, but line {header_line} has {several(width, 'column')}; {cause}.")


def _is_blank(column):
    return all(not cell.strip() for cell in column.to_pylist())


def _how_row_names_differ(column):
    """How the cells of a column without a name differ, as row names do; nothing of others. Symbols of genes may come twice."""
    cells = [cell.strip() for cell in column.to_pylist()]
    again = len(cells) - len(set(cells))
    if not all(cells) or again * MOSTLY_DIFFERENT > len(cells) or (again and any(map(_is_number, cells[:_BODY]))):
        return ""
    return f"all differ but {again}" if again else "all differ"


def _is_number(name):
    try:
        return bool(np.isfinite(float(name)))
    except ValueError:
        return False


def check_names(names, positions=None, line=None):
    """The names, once it is sure that each column has one of its own. Raises InputError, with the line if known."""
    where = f" in line {line}" if line else ""
    for position, name in zip(positions or range(len(names)), names, strict=True):
        if not name:
            raise InputError(f"Column {position + 1} has no name{where}; type a name above its cells, or delete the column.")
    twice = [name for name, count in Counter(names).items() if count > 1]
    if twice:
        raise InputError(f"Column names must differ; these come more than once{where}: {listed(twice)}. Rename one of each.")
    return names
