"""Tables that lie on their side, genes in rows and samples in columns: turned, so that each sample is a row."""

from __future__ import annotations

from collections import Counter

from stabcore.io.files import MAX_COLUMNS
from stabcore.errors import InputError
from stabcore.wording import listed, several


def turned_texts(rows, names_in, samples, width, first=1) -> tuple[dict[str, list[str]], dict[str, str]]:
    """({feature: its cell of each sample}, {feature that was numbered: its name in the file}) of rows, a list of (line, cells) with
    the cells of the samples from `first` on.

    names_in: the places of the cells that may name a row, the first filled one does. Raises InputError for rows of another width.
    """
    for line, cells in rows:
        if len(cells) != width:
            raise InputError(f"Line {line} has {several(len(cells), 'cell')}, but there are {several(width, 'column')}; the file "
                             "was cut off or changed, so save or download it again.")
    plain = [next((cells[j].strip() for j in names_in if cells[j].strip()), f"line {line}") for line, cells in rows]
    names = apart(plain)
    return {name: cells[first:first + len(samples)] for name, (_, cells) in zip(names, rows, strict=True)}, again(names, plain)


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


def again(names, plain) -> dict[str, str]:
    """{numbered: as it stands in the file} of the names that came before: TP53 (2) is TP53, unless the file calls it so."""
    return {name: old for name, old in zip(names, plain, strict=True) if name != old}


def told_again(numbered) -> list[str]:
    """What is said of names that were numbered, {numbered: as it stands in the file}; nothing where there are none."""
    many = several(len(numbered), "name")
    return [f"{many} came more than once and got a number, as in {listed(numbered, 2)}."] if numbered else []


def refuse_many_features(count: int):
    """Raise InputError when the lines of a table are too many to become columns."""
    if count > MAX_COLUMNS:
        raise InputError(f"The table has {count:,} lines of measurements, which become columns, but at most {MAX_COLUMNS:,} "
                         "columns can be read; keep those that vary most over the samples, whatever their class.")
