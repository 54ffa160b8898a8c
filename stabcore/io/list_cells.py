"""Cells of a long table that hold a whole list of names, as packages of R and Python write them."""

from __future__ import annotations

import re

from stabcore.io.code_lists import code_lists
from stabcore.io.question import Question
from stabcore.errors import InputError
from stabcore.wording import shown

_VECTOR = re.compile(r"c\(.*\)|\[.*\]|\{.*\}|(?:Index|array)\(.*\)|character\(0\)|set\(\)", re.DOTALL)
CELL_IS = {"list": "A list of names", "name": "One name, which holds that sign"}


def hold_lists(cells) -> bool:
    """Are most cells several names, as R and Python write lists in a cell or parted by bars or semicolons?"""
    return 2 * sum(bool(_VECTOR.fullmatch(cell)) or "|" in cell or ";" in cell for cell in cells) > len(cells)


def split_lists(selectors, cell_is=None):
    """Notes, after the cells {selector: {run: {cell: value}}} were split where each is the list of a run.

    cell_is: "list" or "name". Raises Question where several lines of one run hold signs that part names.
    """
    cells = [own for runs in selectors.values() for own in runs.values()]
    names = [name for own in cells for name in own]
    vectors = any(_VECTOR.fullmatch(name) and code_lists(name) for name in names)
    if not names or cell_is == "name":
        return []
    if max(map(len, cells)) > 1:
        if cell_is is None and hold_lists(names):
            example = next(name for name in names if not name.isalnum())
            raise Question(f"Most cells hold signs that part names, such as {shown(example)}, and some runs have several "
                           "lines. What is such a cell?", "cell_is", CELL_IS)
        if cell_is == "list":
            run = next(run for runs in selectors.values() for run, own in runs.items() if len(own) > 1)
            raise InputError(f"Run {shown(run)} has several lists of names. If they are of different selectors, name the column "
                             "that tells them apart 'selector'.")
        return []
    separator = max(";|,", key=lambda mark: sum(mark in name for name in names))
    if not vectors and not any(separator in name for name in names):
        separator = None                                # blanks
        if sum(len(name.split()) > 1 for name in names) * 2 < len(names):
            return []
    for runs in selectors.values():
        for run, own in runs.items():
            runs[run] = dict.fromkeys((one for name in own for one in _parted(name, None if vectors else (separator,))), 1.0)
    if vectors:
        return ["Each line names a run and all its features in one cell, as R and Python write lists."]
    return ["Each line names a run and all its features in one cell, which was split at "
            f"{'blanks' if separator is None else shown(separator)}."]


def _parted(name, separators):
    """The names in a cell; separators None: as code writes a list, c("A", "B"), or "A"."""
    if separators is None:
        if name in ("character(0)", "set()", "[]"):
            return []
        read = code_lists(name) if _VECTOR.fullmatch(name) else None
        return read[0][1] if read else [name.strip("'\"")]
    return list(filter(None, (part.strip() for part in name.split(separators[0]))))
