"""Tables that lie on their side, genes in rows and samples in columns: turned, so that each sample is a row."""

from __future__ import annotations

from collections import Counter

from stabcore.data.reading.files import MAX_COLUMNS
from stabcore.errors import InputError
from stabcore.wording import several


def turned_texts(rows, names_in, samples, width, first=1) -> dict[str, list[str]]:
    """{feature: its cell of each sample} of rows, a list of (line, cells) with the cells of the samples from `first` on.

    names_in: the places of the cells that may name a row, the first filled one does. Raises InputError for rows of another width.
    """
    for line, cells in rows:
        if len(cells) != width:
            raise InputError(f"Line {line} has {several(len(cells), 'cell')}, but there are {several(width, 'column')}; the file "
                             "was cut off or changed, so save or download it again.")
    names = apart([next((cells[j].strip() for j in names_in if cells[j].strip()), f"line {line}") for line, cells in rows])
    return {name: cells[first:first + len(samples)] for name, (_, cells) in zip(names, rows, strict=True)}


def apart(names) -> list[str]:
    """The names with those that come again numbered: TP53, TP53 (2)."""
    taken, seen, numbered = set(names), Counter(), []
    for name in names:
        seen[name] += 1
        new = name
        while seen[name] > 1 and new in taken:
            new = f"{name} ({seen[name]})"
            seen[name] += new in taken
        taken.add(new)
        numbered.append(new)
    return numbered


def refuse_many_features(count: int):
    """Raise InputError when the lines of a table are too many to become columns."""
    if count > MAX_COLUMNS:
        raise InputError(f"The table has {count:,} lines of measurements, which become columns, but at most {MAX_COLUMNS:,} "
                         "columns can be read; keep those that vary most over the samples, whatever their class.")
