"""Second stage: the position of the table in its file, below titles and merged cells, above a footer."""

import re
from collections import deque
from dataclasses import replace
from itertools import chain, islice, zip_longest

from stabcore.base.errors import InputError
from stabcore.base.text import counted, listed
from stabcore.io.cells import is_number, is_unit, is_unknown, parse_cell
from stabcore.io.choices import Layout
from stabcore.io.contents import Columns, MisplacedError, Place, Row, Rows

HEADER_ROWS = 40  # rows to search for the column names
_LOOK_AT = 300  # columns to inspect for a line of units
_FOOTER_ROWS = 12  # last rows to search for a footer
_MIN_FILLED_SHARE = 0.7  # smallest share of filled cells in a line of names
_SUMMARY = re.compile(
    r"(?:grand total|gesamtergebnis|total g[ée]n[ée]ral|mean|average|avg|median|s\.?d\.?|std\.?(?: ?dev\w*\.?)?|sem|min(?:imum)?|"
    r"max(?:imum)?|sum|total|count|n|p|p[ -]values?|"
    r"ref(?:erence)?(?: ?range)?|normal ?range|mittelwert|mw|standardabweichung|stabw|summe|anzahl|gesamt|moyenne|m[ée]diane?|"
    r"[ée]cart[- ]type|media)(?: ?(?:±|\+/-|and|und) ?(?:sd|sem|s\.d\.))?\s*(?:[:=]\s*\d*)?",
    re.IGNORECASE,
)


def locate_table(contents: Rows | Columns, chosen: Layout) -> Rows | Columns:
    """The rows of the table only, its column names first. Columns are unchanged.

    A first line that is as full as those below it holds the names. Raises MisplacedError for chosen lines that do not exist.
    """
    if isinstance(contents, Columns):
        return contents
    chosen = replace(chosen, sheet=contents.place.layout.sheet)
    rows = iter(contents.rows) if contents.separator else ((line, cells) for line, cells in contents.rows if any(cells))
    head = list(islice(rows, max(HEADER_ROWS, (chosen.header or 0) + 3)))
    place, notes = Place(chosen, tuple(head), contents.place.sheets), contents.notes
    start = _header(head) if chosen.header is None else _position(place, chosen.header, "column names")
    if not head:
        return replace(contents, rows=iter(()), place=place)
    line, names = head[start]
    names = _completed_names(head[:start], names)
    notes += _note_above(head[:start], line)
    body = start + 1
    has_units = _is_line_of_units(head[body:], names) if chosen.units is None else bool(chosen.units)
    units: dict[str, str] = {}
    if has_units:
        body = body if chosen.units is None else _position(place, chosen.units, "units")
        if body <= start:
            raise MisplacedError(
                f"Line {chosen.units} cannot hold the units: the column names are in line {line}. Choose a line below it.", place
            )
        units = {
            name.strip(): cell.strip(" []()")
            for name, cell in zip(names, head[body][1], strict=False)
            if name.strip() and cell.strip(" []()")
        }
        notes.append(f"Line {head[body][0]} was read as the units of the columns: {listed(units.values(), 4)}.")
    below = chain(head[start + 1 : body], head[body + 1 :]) if has_units else head[start + 1 :]
    layout = replace(chosen, header=line, units=head[body][0] if has_units else 0)
    table = _fill_merged(chain(below, rows), contents.merged, names, notes)
    table = _drop_footer(_drop_repeated_names(table, line, names, chosen.last, notes), names, chosen.last, notes)
    return replace(contents, rows=chain([(line, names)], table), place=replace(place, layout=layout), units=units)


def _position(place, line, what):
    position = next((i for i, (number, _) in enumerate(place.head) if number == line), None)
    if position is None:
        raise MisplacedError(f"Line {line}, chosen for the {what}, is empty. Choose another line.", place)
    return position


# ---- the line of names ----


def _filled(cells):
    return sum(bool(cell.strip()) for cell in cells)


def _header(head) -> int:
    """Position of the line of names: the first line unless it is a title, which is much emptier than the rows below."""
    if len(head) < 4:
        return 0
    usual = sorted(_filled(cells) for _, cells in head[len(head) // 3 :])[-max(1, len(head) // 3)]
    for i, (_, cells) in enumerate(head[:-2]):
        merged = _completed_names(head[max(i - 1, 0) : i], cells)
        if _filled(cells if i == 0 else merged) < max(_MIN_FILLED_SHARE * usual, 2) and usual > 1:
            continue
        if i == 0:
            return int(_completes(head) or _is_title_above_names(head))
        over_two = all(len(below) == len(cells) for _, below in head[i + 1 : i + 3])
        return i if over_two and _may_name(merged) else 0
    return 0


def _completes(head):
    """Whether the second line fills gaps of the first, under merged cells, and is empty elsewhere."""
    (_, first), (_, second), (_, below) = head[:3]
    if not len(first) == len(second) == len(below) or any(map(is_number, second)):
        return False
    full = [bool(a.strip() or b.strip()) for a, b in zip(first, second, strict=True)]
    apart = any(a.strip() and not b.strip() and c.strip() for a, b, c in zip(first, second, below, strict=True))
    return apart and sum(full) > _filled(first) and any(map(is_number, below))


def _is_title_above_names(head):
    """Whether the first line is a title that happens to have as many separators as the table, such as '# export, site 2, final'."""
    (_, first), (_, second) = head[:2]
    prose = first[0].lstrip().startswith("#") or any(len(cell.split()) > 2 for cell in first)
    if not prose or len(first) != len(second) or not _may_name(second) or 2 * sum(map(is_unit, second)) >= _filled(second):
        return False
    rest = [cells for _, cells in head[2:] if len(cells) == len(second)]
    over = [cell for cell, *below in zip(second, *rest, strict=True) if 2 * sum(map(is_number, below)) > _filled(below)]
    return len(over) > 1 and all(cell.strip() and not is_unknown(cell) for cell in over)  # else the second line is data


def _may_name(cells):
    filled = [cell.strip() for cell in cells if cell.strip()]
    return not any(map(is_number, filled)) and len(set(filled)) > 0.5 * len(filled)


def _completed_names(above, names):
    """Names completed by the merged cells above them, where a name is missing or repeated."""
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


def _note_above(above, line):
    if above:
        where = f"line {above[0][0]}" if len(above) == 1 else f"lines {above[0][0]} to {above[-1][0]}"
        yield f"Not read as data: {where} above the column names in line {line}."  # a title may name a person


# ---- the line of units ----


def _is_line_of_units(body, names) -> bool:
    """Whether the first row below the names holds units: text above columns of numbers, mostly units."""
    if len(body) < 4 or any(len(cells) != len(names) for _, cells in body[:4]):
        return False
    first, rest = body[0][1], [cells for _, cells in body[1:] if len(cells) == len(names)]
    if any(map(is_number, first)) or first == names:
        return False
    filled = [[row[j] for row in rest if row[j].strip()] for j in range(min(len(names), _LOOK_AT))]
    numeric = [j for j, cells in enumerate(filled) if 2 * sum(map(is_number, cells)) > len(cells)]
    over = [first[j].strip() for j in numeric if first[j].strip()]
    if not over or any(is_unknown(cell) for cell in over):
        return False
    mostly_distinct = 2 * len(set(over)) > len(over)  # repeated words or letters are classes of samples, not units
    likely = sum(is_unit(cell) and (mostly_distinct or len(cell) > 1 or not cell.isalpha()) for cell in over)
    return 2 * likely >= len(over) or len(over) == len(numeric) > 1 and (likely > 0 or mostly_distinct)


# ---- merged cells ----


def _fill_merged(rows, merged, names, notes):
    """The rows with the value of a merged cell in each of its lines, as a spreadsheet shows it."""
    ends: dict[int, list[tuple[int, int]]] = {}
    for first, last, j in merged:
        ends.setdefault(first, []).append((j, last))
    open_cells: dict[int, tuple[str, int]] = {}
    filled: dict[str, int] = {}
    for line, cells in rows:
        open_cells |= {j: (cells[j], last) for j, last in ends.get(line, ()) if j < len(cells)}
        for j, (cell, last) in open_cells.items():
            if line <= last and j < len(cells) and cell and not cells[j]:
                cells = [*cells[:j], cell, *cells[j + 1 :]]
                name = names[j].strip() if j < len(names) else ""
                filled[name] = filled.get(name, 0) + 1
        yield line, cells
    if filled:
        n = counted(sum(filled.values()), "cell")
        notes.append(f"Cells merged over several lines hold their value in each of them: {n} in {listed(filled)}.")


# ---- the footer ----


def _drop_repeated_names(rows, first, names, last, notes):
    """The rows without repetitions of the names, as in reports of several pages. Raises InputError for a second table below."""
    repeated, before, above, gap = [], first, (), False
    for line, cells in rows:
        gap = gap or line > before + 1 or not any(map(str.strip, cells))
        if len(names) > 1 and list(cells) == list(names):
            repeated.append(line)
        elif gap and line <= (last or line) and _may_head(cells, names, above):
            raise InputError(
                f"Line {line} seems to hold the column names of a second table. Put each table into a file or sheet of its own, or "
                f"choose line {before} as the last one. If line {line} holds data, delete the empty line above it."
            )
        else:
            yield line, cells
        if not gap or _filled(cells) > 1:
            before, above, gap = line, cells, False
    if repeated:
        notes.append(
            f"The column names of line {first} are repeated {counted(len(repeated), 'time')}, first in line {repeated[0]}. These "
            "lines were left out."
        )


def _may_head(cells, names, above):
    """Whether a row may hold other column names: most of its cells are such names, or words below numbers."""
    filled = [(cell.strip(), over) for cell, over in zip_longest(cells, above, fillvalue="") if cell.strip()]
    odd = [cell for cell, over in filled if cell in names or (parse_cell(cell).kind == "text" and is_number(over.strip()))]
    return len(odd) > 1 and 2 * len(odd) >= len(filled)


def _drop_footer(rows, names, last, notes):
    """The rows up to the last one: the chosen row, or the one before summaries and remarks at the end."""
    if last is not None:
        yield from ((line, cells) for line, cells in rows if line <= last)
        return
    held: deque[Row] = deque()
    for row in rows:
        held.append(row)
        if len(held) > _FOOTER_ROWS:
            yield held.popleft()
    tail = list(held)
    end = len(tail)
    while end > 1 and _is_footer(tail[end - 1][1], len(names)):
        end -= 1
    if end < len(tail):
        words = [next(cell.strip() for cell in cells if cell.strip()) for _, cells in tail[end:] if _filled(cells)]
        summaries = listed([word for word in words if _SUMMARY.fullmatch(word)], 3)  # a remark may name a patient
        said = f", with {summaries}" if summaries else "" if words else ", with nothing but separators"
        notes.append(f"Not read as data: {counted(len(tail) - end, 'line')} below the table, from line {tail[end][0]}{said}.")
    yield from tail[:end]


def _is_footer(cells, width):
    filled = [cell.strip() for cell in cells if cell.strip()]
    if width < 3 or not filled:
        return width >= 3 and not filled
    remark = len(filled) == 1 and (" " in filled[0] or filled[0][0] in "*†‡#") and not is_number(filled[0])
    return remark or (len(cells) == width and len(filled[0]) < 40 and bool(_SUMMARY.fullmatch(filled[0])))
