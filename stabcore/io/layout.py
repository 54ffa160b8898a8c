"""Where the table lies in its file: under titles and merged cells, with a line of units, above a footer; chosen or found."""

from __future__ import annotations

import re
from collections import deque
from dataclasses import asdict, dataclass, field, replace
from itertools import chain, islice

from stabcore.io.marks import is_number, is_unit, is_unknown
from stabcore.errors import InputError
from stabcore.wording import listed, several, shown

_DEEPEST = 1000     # line in which the column names can stand
HEAD = 40           # rows in which the column names are looked for
_LOOK_AT = 300      # columns that tell whether there is a line of units
_TAIL = 12          # rows at the end in which a footer is looked for
_FULL = 0.7         # of the usual number of filled cells: fewer make no line of names
_SUMMARY = re.compile(
    r"(?:mean|average|avg|median|s\.?d\.?|std\.?(?: ?dev\w*\.?)?|sem|min(?:imum)?|max(?:imum)?|sum|total|count|n|p|p[ -]values?|"
    r"ref(?:erence)?(?: ?range)?|normal ?range|mittelwert|mw|standardabweichung|stabw|summe|anzahl|gesamt|moyenne|m[ée]diane?|"
    r"[ée]cart[- ]type|media)(?: ?(?:±|\+/-|and|und) ?(?:sd|sem|s\.d\.))?\s*(?:[:=]\s*\d*)?", re.IGNORECASE)


@dataclass(frozen=True)
class Layout:
    """Where the table lies. sheet: its name; header, units, last: lines as the file counts them, of the column names, of their
    units (0: there are none) and of the last row; decimal: "." or ",". None: to be found.
    """

    sheet: str | None = None
    header: int | None = None
    units: int | None = None
    last: int | None = None
    decimal: str | None = None

    def __post_init__(self):
        for name, least, most in (("header", 1, _DEEPEST), ("units", 0, _DEEPEST), ("last", 1, None)):
            value = getattr(self, name)
            if value is not None and (type(value) is not int or value < least or most and value > most):
                up_to = f" and at most {most}" if most else ""
                raise InputError(f"{name} is the number of a line, at least {least}{up_to}; found {shown(value)}.")
        if self.decimal not in (None, ".", ","):
            raise InputError(f'decimal is the sign before the decimals, "." or ","; found {shown(self.decimal)}.')
        if not (self.sheet is None or isinstance(self.sheet, str) and self.sheet.isprintable()):
            raise InputError(f"sheet is the name of a sheet; found {shown(self.sheet)}.")

    def settings(self) -> dict:
        """What was chosen, as the table [data] of a settings file keeps it."""
        return {name: value for name, value in asdict(self).items() if value is not None}


class MisplacedError(InputError):
    """A table that cannot be read from where it was looked for: what stands in its first rows, for another choice to be made."""

    def __init__(self, sentence, head=(), layout=None, sheets=()):
        super().__init__(sentence)
        self.head, self.layout, self.sheets = tuple(head), layout or Layout(), sheets


@dataclass
class Placed:
    """The rows of a table in its file: `rows` yields (line, cells), the names first; `notes` grow as they are read."""

    rows: object
    layout: Layout
    head: tuple
    notes: list = field(default_factory=list)
    units: dict = field(default_factory=dict)


FOUND = Layout()         # nothing is chosen


def place_table(rows, chosen: Layout = FOUND) -> Placed:
    """Find the line of names, the line of units and the footer among rows, an iterable of (line, cells).

    A first line that is as full as those below it holds the names, as ever. Raises InputError for chosen lines that are not there.
    """
    rows = iter(rows)
    head = list(islice(rows, max(HEAD, (chosen.header or 0) + 3)))
    start = _header(head) if chosen.header is None else _at(head, chosen.header, "column names")
    placed = Placed(None, chosen, tuple(head))
    if not head:
        placed.rows = iter(())
        return placed
    line, names = head[start]
    names = _joined(head[:start], names)
    placed.notes += _note_above(head[:start], line)
    body = start + 1
    units = _units(head[body:], names) if chosen.units is None else bool(chosen.units)
    if units:
        body = body if chosen.units is None else _at(head, chosen.units, "units")
        if body <= start:
            raise MisplacedError(f"Line {chosen.units} cannot hold the units: the column names are in line {line}; choose a line "
                                 "below it.", head)
        placed.units = {name.strip(): cell.strip(" []()") for name, cell in zip(names, head[body][1], strict=False)
                        if name.strip() and cell.strip(" []()")}
        placed.notes.append(f"Line {head[body][0]} was read as the units of the columns: {listed(placed.units.values(), 4)}.")
    rest = chain(head[start + 1:body], head[body + 1:]) if units else head[start + 1:]
    placed.layout = replace(chosen, header=line, units=head[body][0] if units else 0)
    placed.rows = chain([(line, names)], _until_footer(_once(chain(rest, rows), line, names, placed.notes), names,
                                                         chosen.last, placed.notes))
    return placed


def _at(head, line, what):
    place = next((i for i, (at, _) in enumerate(head) if at == line), None)
    if place is None:
        raise MisplacedError(f"There is nothing in line {line}, which was chosen for the {what}; choose another line.", head)
    return place


# ---- the line of names ----

def _filled(cells):
    return sum(bool(cell.strip()) for cell in cells)


def _header(head) -> int:
    """Position of the line of names: the first unless it is a title, that is much emptier than the rows below are."""
    if len(head) < 4:
        return 0
    usual = sorted(_filled(cells) for _, cells in head[len(head) // 3:])[-max(1, len(head) // 3)]
    for i, (_, cells) in enumerate(head[:-2]):
        merged = _joined(head[max(i - 1, 0):i], cells)
        if _filled(cells if i == 0 else merged) < max(_FULL * usual, 2) and usual > 1:
            continue
        if i == 0:
            return int(_completes(head))
        return i if _may_name(merged) and _over_two(head, i) else 0
    return 0


def _completes(head):
    """Whether the second line gives names that the first lacks, under merged cells, and has none where the first one has."""
    (_, first), (_, second), (_, below) = head[:3]
    if not len(first) == len(second) == len(below) or any(map(is_number, second)):
        return False
    full = [bool(a.strip() or b.strip()) for a, b in zip(first, second, strict=True)]
    apart = any(a.strip() and not b.strip() and c.strip() for a, b, c in zip(first, second, below, strict=True))
    return apart and sum(full) > _filled(first) and any(map(is_number, below))


def _over_two(head, i):
    return all(len(cells) == len(head[i][1]) for _, cells in head[i + 1:i + 3])


def _may_name(cells):
    filled = [cell.strip() for cell in cells if cell.strip()]
    return not any(map(is_number, filled)) and len(set(filled)) > 0.5 * len(filled)


def _joined(above, names):
    """Names, to which merged cells right above them add what they lack: a name, or what tells two equal ones apart."""
    top = above[-1][1] if above else ()
    if len(top) != len(names) or not _filled(top) or any(map(is_number, [*top, *names])):
        return names
    stripped, over, spread = [name.strip() for name in names], "", []
    for cell in top:
        over = cell.strip() or over
        spread.append(over)
    full = [name or cell.strip() for name, cell in zip(stripped, top, strict=True)]
    twice = {name for name in full if name and full.count(name) > 1}
    return [f"{group} {name}".strip() if name in twice else name for group, name in zip(spread, full, strict=True)]


def _was(rows):
    return "was" if len(rows) == 1 else "were"


def _note_above(above, line):
    if above:
        words = [cell.strip() for _, cells in above for cell in cells if cell.strip()]
        where = f"Line {above[0][0]}" if len(above) == 1 else f"Lines {above[0][0]} to {above[-1][0]}"
        yield f"{where} above the column names in line {line} {_was(above)} not read as data: {listed(words, 3)}."


# ---- the line of units ----

def _units(body, names) -> bool:
    """Whether the first row below the names holds units: text over columns of numbers, most of it units as people write them."""
    if len(body) < 4 or any(len(cells) != len(names) for _, cells in body[:4]):
        return False
    first, rest = body[0][1], [cells for _, cells in body[1:] if len(cells) == len(names)]
    if any(map(is_number, first)):
        return False
    filled = [[row[j] for row in rest if row[j].strip()] for j in range(min(len(names), _LOOK_AT))]
    numeric = [j for j, cells in enumerate(filled) if 2 * sum(map(is_number, cells)) > len(cells)]
    over = [first[j].strip() for j in numeric if first[j].strip()]
    if not over or any(is_unknown(cell) for cell in over):
        return False
    likely = sum(map(is_unit, over))
    told_apart = 2 * len(set(over)) > len(over)         # words that come again and again are classes of samples, not units
    return 2 * likely >= len(over) or len(over) == len(numeric) > 1 and (likely > 0 or told_apart)


# ---- the footer ----

def _once(rows, first, names, notes):
    """The rows without those that say the names again, as reports of several pages do."""
    again = []
    for line, cells in rows:
        if len(names) > 1 and list(cells) == list(names):
            again.append(line)
        else:
            yield line, cells
    if again:
        notes.append(f"The column names of line {first} come again {several(len(again), 'time')}, first in line {again[0]}; "
                     "these lines were left out.")


def _until_footer(rows, names, last, notes):
    """The rows up to the last one: that which was chosen, or the one before summaries and remarks at the end."""
    if last is not None:
        yield from ((line, cells) for line, cells in rows if line <= last)
        return
    held = deque()
    for row in rows:
        held.append(row)
        if len(held) > _TAIL:
            yield held.popleft()
    held = list(held)
    end = len(held)
    while end > 1 and _is_footer(held[end - 1][1], len(names)):
        end -= 1
    if end < len(held):
        words = [next(cell.strip() for cell in cells if cell.strip()) for _, cells in held[end:] if _filled(cells)]
        notes.append(f"{several(len(held) - end, 'line')} below the table, from line {held[end][0]}, {_was(held[end:])} not read "
                     f"as data: {listed(words, 3) or 'nothing but separators'}.")
    yield from held[:end]


def _is_footer(cells, width):
    filled = [cell.strip() for cell in cells if cell.strip()]
    if width < 3 or not filled:
        return width >= 3 and not filled
    remark = len(filled) == 1 and (" " in filled[0] or filled[0][0] in "*†‡#") and not is_number(filled[0])
    return remark or (len(cells) == width and len(filled[0]) < 40 and bool(_SUMMARY.fullmatch(filled[0])))

