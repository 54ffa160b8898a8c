"""Selections written as TRUE/FALSE, yes/no or a cross in a cell, as 1 and 0."""

from __future__ import annotations

from stabcore.io.selection_words import yes_no
from stabcore.wording import shown

_LOOK_AT = 200, 500     # rows and columns that tell whether these are words


def as_numbers(rows):
    """(rows, notes) with yes as 1 and no as 0, where the rows beneath their names hold these; else as they were.

    A blank cell is a no only in a table with column names whose other cells are crosses. A cell that says neither stays as it is,
    to be named by its place.
    """
    width = max((len(cells) for _, cells in rows), default=0)
    if len(rows) < 2 or width < 2:
        return rows, []
    pair = yes_no([cell for cells in _filled(rows[1:_LOOK_AT[0]], width) for cell in cells[1:_LOOK_AT[1]]])
    if pair is None:
        return rows, []
    full = _filled(rows, width)
    top = _others(full[0][1:], pair)
    side = _others([cells[0] for cells in full[1:]], pair)
    short = len(rows[0][1]) == width - 1
    ragged = any(len(cells) != width for _, cells in rows[1:])
    if not pair[1] and (ragged or not (top and all(rows[0][1][0 if short else side:]))):
        return rows, []                 # without names above all columns, blanks are more likely gaps in a list
    number = {pair[0]: "1", pair[1]: "0"}
    read = {cell: number.get(cell.casefold(), cell) for cell in {cell for cells in full for cell in cells}}
    replaced = [(line, [*cells[:side], *map(read.get, cells[side:])])
                for (line, _), cells in zip(rows[top:], full[top:], strict=True)]
    yes, no = (next((cell for cells in full for cell in cells if cell.casefold() == word), word) for word in pair)
    return [*rows[:top], *replaced], [f"{shown(yes)} was taken as selected (1) and {shown(no) if no else 'a blank cell'} as not "
                                      "selected (0), whatever the capitals."]


def _filled(rows, width):
    return [[*cells, *[""] * (width - len(cells))] for _, cells in rows]


def _others(cells, pair):
    """Are most of these, as names are, something else than yes and no?"""
    return sum(cell.casefold() in pair and bool(cell or not pair[1]) for cell in cells) * 2 < len(cells)
