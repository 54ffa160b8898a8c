"""Texts as rows of cells: the separator, and line numbers as an editor shows them."""

import csv
import io
import json
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice

from stabcore.base.errors import InputError
from stabcore.io.contents import Rows

SEPARATORS = {"\t": "tabs", ";": "semicolons", ",": "commas", "|": "vertical bars", " ": "spaces"}
_LOOK_AT = 200
_END = re.compile(r"[\r\n]\n?")
_WITH_END = re.compile(r"[^\r\n]*+(?:\r\n|\r|\n)|[^\r\n]++")
_QUOTED = re.compile(r'"[^"]*+"(?: "[^"]*+")+')
_PIECE_LENGTH = 1 << 20  # characters that are split into lines at once
_MARKDOWN_RULE = re.compile(r"\s*(?::?-{2,}:?)?\s*")  # a cell of the line below the names in Markdown
_CODE = re.compile(r"(structure|list|data\.frame)\(\s*(list\(|[\w.`\"]+\s*=)")


def text_rows(text: str, notes: list[str], ending: str) -> Rows:
    """The rows of a text. ending: of its file, "" for pasted text. Raises InputError for output of R's dput or JSON."""
    _refuse_code(text)
    first = text[: _LOOK_AT * 1000].split("\n", 1)[0].strip()
    by_r = _QUOTED.fullmatch(first) is not None  # as R's write.table writes names, for any ending of the file
    separator = find_separator(text, spaces=by_r or ending in ("", ".txt"))
    if (ending, separator) not in ((".csv", ","), (".tsv", "\t")):
        notes.append(describe_separator(separator))
    return Rows(read_records(text, separator), notes, separator)


def describe_separator(separator: str) -> str:
    """The note on the assumed separator."""
    return f"The cells are separated by {SEPARATORS.get(separator, repr(separator))}."


def _refuse_code(text):
    start = text.lstrip()[:40]
    what = "R's dput" if _CODE.match(start) else "JSON" if start[:1] in ("[", "{") and _is_json(text) else ""
    if what:
        raise InputError(
            f"This is the output of {what}, which is not read as a table. Save the table as CSV: in R by write.csv(table, "
            "'table.csv', row.names = FALSE), in Python by table.to_csv('table.csv', index=False)."
        )


def _is_json(text):
    with suppress(ValueError, RecursionError):
        return isinstance(json.loads(text), (dict, list))
    return False


def find_separator(text: str, spaces: bool = False) -> str:
    """The separator for which the first lines have the same number of cells. " " (any run of spaces) only on request.

    The comma is late in the order, because it is the decimal comma in tables with semicolons or tabs.
    """
    head = _head(text)
    if declared := re.match(r"sep=(.)\r?$", head.split("\n", 1)[0], re.IGNORECASE):
        return declared.group(1)
    agreement = {
        separator: _agreement([len(cells) for _, cells in _readable(read_records(head, separator))])
        for separator in ("\t;,| " if spaces else "\t;,|")
    }
    best = max(agreement, key=agreement.__getitem__)
    return best if agreement[best] else _separator_below_titles(head)


def _separator_below_titles(head):
    """The separator for which most lines have the same number of cells, without regard to lines above them."""
    share = {}
    for separator in "\t;,|":
        widths = Counter(len(cells) for _, cells in _readable(read_records(head, separator)))
        width, count = widths.most_common(1)[0] if widths else (1, 0)
        share[separator] = count / widths.total() if width > 1 else 0.0
    best = max(share, key=share.__getitem__)
    return best if share[best] >= 0.5 else ","


def _agreement(widths):
    """Share of lines with the usual number of cells, 0 if the first line cannot be the header of such lines."""
    if not widths:
        return 0.0
    usual = Counter(widths).most_common(1)[0][0]
    # R writes row names without a heading, so only its header is one cell short.
    fits = widths[0] == usual or (widths[0] == usual - 1 and widths[1:2] == [usual])
    return (widths.count(usual) + (widths[0] == usual - 1)) / len(widths) if widths[0] > 1 and fits else 0.0


def _head(text):
    end = -1
    for _ in range(_LOOK_AT):
        end = text.find("\n", end + 1)
        if end < 0:
            return text
    return text[: end + 1]


def _readable(rows):
    """Rows up to the first unreadable one, for a first look before errors are raised."""
    with suppress(InputError):
        yield from islice(rows, _LOOK_AT)


def split_lines(text: str) -> list[str]:
    """The lines as an editor counts them: str.splitlines would also split at other characters."""
    return re.split(r"\r\n|\r|\n", text)


def _lines(text):
    """Each line with its end, piece by piece, because io.StringIO takes four bytes per character."""
    start, plain = 0, "\r" not in text
    while start < len(text):
        end = (
            text.find("\n", start + _PIECE_LENGTH) + 1
            if plain
            else match.end()
            if (match := _END.search(text, start + _PIECE_LENGTH))
            else 0
        )
        piece = text[start : end or None]
        start += len(piece)
        if plain and piece.find("\n") in (-1, len(piece) - 1):
            yield piece
        elif len(piece) > 2 * _PIECE_LENGTH:  # a line longer than in any table
            yield from (each.group() for each in _WITH_END.finditer(piece))
        else:
            yield from io.StringIO(piece, newline="")


def _split_at_blanks(row):
    """Cells between blanks. A cell in quotation marks, as in R, may contain blanks."""
    if '"' not in row:
        return row.split()
    try:
        return next(csv.reader([" ".join(row.split("\t")).strip()], delimiter=" ", skipinitialspace=True, strict=True))
    except csv.Error:
        return row.split()


def read_records(text: str, separator: str) -> Iterator[tuple[int, list[str]]]:
    """Yield (line, cells) of every line that is not blank. Lines count from 1, as in an editor.

    Raises InputError, with the line, for a quotation mark that is not closed.
    """
    if separator == " ":
        yield from ((line, _split_at_blanks(row)) for line, row in enumerate(split_lines(text), 1) if row.strip())
        return
    reader = csv.reader(_lines(text), delimiter=separator, strict=True)
    line = 1
    try:
        for cells in reader:
            declared = line == 1 and separator.join(cells).lower().startswith("sep=")
            ruled = separator == "|" and all(map(_MARKDOWN_RULE.fullmatch, cells))
            if not declared and not ruled and (len(cells) > 1 or (cells and cells[0].strip())):
                yield line, cells
            line = reader.line_num + 1
    except csv.Error as error:
        long = "field limit" in str(error)
        what = f"a cell of more than {csv.field_size_limit():,} characters, or " if long else ""
        raise InputError(
            f"Line {line} has {what}a quotation mark that is not closed or that text follows. Correct the quotation marks of that "
            "line, or leave the column out."
        ) from None
