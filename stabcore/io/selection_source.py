"""Files and pasted texts of selections as rows of cells, or as lines of names where no table can be seen."""

from __future__ import annotations

import csv
import re
from typing import TYPE_CHECKING, NamedTuple

from stabcore.base.errors import InputError
from stabcore.io.cells import number
from stabcore.io.contents import as_rows
from stabcore.io.decode import CELL_ENDINGS, ENDINGS, SELECTION_ENDINGS, clean_paste, decode_cells, decode_text, load
from stabcore.io.printed_lists import PRINTED, as_lines, as_one_block
from stabcore.io.selection_words import RUN_NAME
from stabcore.io.text import describe_separator, find_separator, records, split_lines

if TYPE_CHECKING:
    from stabcore.io.contents import Row
    from stabcore.io.decode import Source

ONE_BLOCK = "This is a matrix as R prints it: its blocks of columns were put side by side."
NO_LISTS = (
    '{title} holds no lists of names as {what} writes them. Write JSON such as [["ALT", "AST"], ["ALT"]] or {{"run 1": ["ALT"]}}, '
    'in R the dput of a list such as list(c("ALT", "AST"), "ALT"), or CSV.'
)

_RUN_LABEL = re.compile(rf"({RUN_NAME.pattern})\s*:", re.IGNORECASE)

_LABEL = re.compile(r"\s*([^,;\t|:]{1,60}):(?:\s+|$)")


class SelectionSource(NamedTuple):
    """Rows of (line, cells), their text (None for a file that has cells itself), and notes.

    There are no rows where a text cannot be split as a table and may still be lists of names.
    """

    text: str | None
    rows: list[Row]
    notes: list[str]


def open_source(source: Source, name: str | None, kind: str | None = None) -> SelectionSource:
    """Open a file, or pasted text (a str is always text). kind: of its selections, if known.

    Raises InputError for a file that cannot be opened, or cannot be split although it is no list of names.
    """
    opened = _open(source, name)
    if opened.text is None:
        return opened
    rows, separator = _grid(opened.text, tolerant=kind in (None, "sets"))
    if separator not in ("", ",") and kind != "sets" and not {ONE_BLOCK, PRINTED} & set(opened.notes):  # those are split already
        opened.notes.append(describe_separator(separator))
    return opened._replace(rows=rows)


def _open(source, name):
    if isinstance(source, str):
        return _printed(clean_paste(source), [])
    file = load(source, name, SELECTION_ENDINGS)
    if file.ending in CELL_ENDINGS:
        contents = decode_cells(file)
        rows = as_rows(contents)
        if file.ending != ".parquet" and max(len(cells) for _, cells in rows) == 1:
            return SelectionSource("\n" * (rows[0][0] - 1) + "\n".join(cells[0] for _, cells in rows), [], contents.notes)
        return SelectionSource(None, rows, contents.notes)
    text, notes = decode_text(file.data)
    opened = _printed(text, notes)
    if file.ending not in ENDINGS and PRINTED not in opened.notes:
        raise InputError(NO_LISTS.format(title=file.title, what="JSON" if file.ending == ".json" else "R"))
    return opened


def _printed(text, notes):
    block = as_one_block(text)
    if block != text:
        return SelectionSource(block, [], [*notes, ONE_BLOCK])
    lines, more = as_lines(text)
    return SelectionSource(lines, [], [*notes, *more])


def _grid(text, tolerant):
    """(rows, separator) of a text; no rows when it cannot be split as a table and may still be a list of sets."""
    lines = [line.strip() for line in split_lines(text)]
    if any(lines) and all(line[:1] + line[-1:] == "[]" for line in lines if line):  # as Python prints an array
        text = "\n".join(line[1:-1] for line in lines)
    head, *rows = [line.split() for line in lines if line] or [[]]
    # Names and a number each beneath one name: as R prints a matrix of one column.
    column = len(head) == 1 and len(rows) > 2 and all(len(row) == 2 and number(row[1]) is not None for row in rows)
    separator = " " if column else find_separator(text, spaces=True)
    try:
        return [(line, [cell.strip() for cell in cells]) for line, cells in records(text, separator)], separator
    except InputError:
        if tolerant:
            return [], ""
        raise


def token_lines(opened: SelectionSource) -> list[Row]:
    """(line, names) of every line, empty ones too."""
    return opened.rows if opened.text is None else list(_token_lines(opened.text))


def _token_lines(text):
    """One separator for all lines, so that names may hold another."""
    rows = [line.strip().rstrip(",;") for line in split_lines(text)]
    uses = {separator: sum(separator in row for row in rows) for separator in "\t;,|"}
    separator = max(uses, key=uses.__getitem__)
    for line_number, line in enumerate(rows, 1):
        label = _RUN_LABEL.match(line)
        members = line[label.end() :].strip() if label else line
        if members[:1] + members[-1:] in ("{}", "[]", "()"):
            members = members[1:-1]
        try:
            reader = csv.reader([members], delimiter=separator, skipinitialspace=True)
            cells = next(reader, []) if uses[separator] else members.split()
        except csv.Error as error:
            raise InputError(f"Line {line_number} cannot be split into features ({error}). Correct its quotation marks.") from None
        tokens = [_unquoted(cell.strip()) for cell in cells]
        yield line_number, [label.group(1), *tokens] if label else tokens


def _unquoted(cell):
    """A name without the quotation marks around it; one such as 3' keeps its own."""
    return cell[1:-1] if len(cell) > 1 and cell[0] == cell[-1] and cell[0] in "'\"" else cell


def labelled_lines(opened: SelectionSource):
    """{selector: (run names, (line, tokens) of its lines)} of lines that all begin with a name and a colon, as "lasso: ALT, AST".

    None where lines do not, or only with names of runs. A name that comes only once is that of a run.
    """
    if opened.text is None:
        return None
    rows = [(line_number, line.strip()) for line_number, line in enumerate(split_lines(opened.text), 1) if line.strip()]
    matches = [label_match for _, line in rows if (label_match := _LABEL.match(line))]
    if len(rows) < 2 or len(matches) < len(rows) or all(_RUN_LABEL.match(line) for _, line in rows):
        return None
    labels = [label_match.group(1).strip().strip("'\"") for label_match in matches]
    bare = "\n".join(line[label_match.end() :] for (_, line), label_match in zip(rows, matches, strict=True))
    lists = [(line, tokens) for (line, _), (_, tokens) in zip(rows, _token_lines(bare), strict=True)]
    if len(set(labels)) == len(labels):
        return {"": (labels, lists)}
    parts: dict[str, tuple[None, list]] = {label: (None, []) for label in labels}
    for label, row in zip(labels, lists, strict=True):
        parts[label][1].append(row)
    return parts
