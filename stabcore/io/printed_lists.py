"""Lists of names as R or Python prints or writes them, as one line per run; matrices as R prints them as one block.

Read word by word the lists are other features; read line by line a matrix that R broke into blocks has other runs.
"""

from __future__ import annotations

import json
import re
from contextlib import suppress

from stabcore.io.code_lists import as_matrix, code_lists, without_commands
from stabcore.io.dput import written_lists
from stabcore.errors import InputError

_HEAD = re.compile(r"(?:\$(?:`[^`]+`|[^\s$\[]+)|\[\[\d+\]\])+")
_ROW = re.compile(r"\[\d+\]\s+(.+)")
_NAME = re.compile(r"""(?:"([^"]*)"|(\S+))(?:\s+|$)""")
_NOTHING = re.compile(r"character\(0\)|integer\(0\)|NULL|Levels:.*|")
_CODE = re.compile(r"(structure|list|data\.frame)\(\s*(list\(|[\w.`\"]+\s*=)")
_NUMBERED = re.compile(r"\s*(?:(\d+)[.)]|[-*\u2022\u2013])\s+(?=\S)")
PRINTED = "These are lists as R prints or writes them, or as Python or JSON does, one list per run."
_DATA_TABLE = re.compile(r"\s*[A-Za-z][\w.]*(?:[ \t]+[\w.]+)+[ \t]*\r?\n(?:[ \t]*<.*>[ \t]*\r?\n)?[ \t]*1: .*\r?\n[ \t]*2: ")
_NO_TABLE = re.compile(r"\s*(?:\d+ x \d+ (?:sparse|diagonal) Matrix of class|# A (?:tibble|data frame)|Classes |'data\.frame')")


def as_lines(text: str) -> tuple[str, list[str]]:
    """(the text of lists that R or Python printed or wrote, one line per run, notes); any other text as it is.

    Raises InputError, with the line, for a printed list that holds more than names, and for what R shows of a sparse matrix.
    """
    if _DATA_TABLE.match(text):
        raise InputError("This is how data.table shows a table in R, where long lists are cut. Write all of it: "
                         "data.table::fwrite(x, 'selections.csv').")
    if _NO_TABLE.match(text):
        raise InputError("This is how R shows a sparse matrix or a tibble on the screen; write it in R: write.csv(as.matrix(x), "
                         "'selections.csv') of a matrix, write.csv(x, 'selections.csv', row.names = FALSE) of a table.")
    text, notes = without_commands(text)
    bare = text.strip()
    lists = _json(bare) or code_lists(bare) or written_lists(bare)
    if not lists:
        lines = bare.splitlines()
        if not lines or not (_HEAD.fullmatch(lines[0].strip()) or any(_ROW.match(line.strip()) for line in lines)):
            return _without_numbers(text), notes
        lists = _printed(lines)
    rows = as_matrix(lists)
    if rows is not None:
        return "\n".join(map("\t".join, rows)), [*notes, PRINTED]
    if len(lists) == 1 and not lists[0][0]:
        return "\n".join(lists[0][1]), [*notes, PRINTED]             # the list of one run
    lists = [(name or f"run {i}", names) for i, (name, names) in enumerate(lists, 1)]
    return "\n".join(_line(name, names) for name, names in lists), [*notes, PRINTED]


def _without_numbers(text):
    """The text without the numbers or bullets that each of its lines begins with, as 1. TP53, KRAS."""
    lines = [line for line in text.splitlines() if line.strip()]
    numbers = [_NUMBERED.match(line) for line in lines]
    if len(lines) < 2 or not all(numbers):
        return text
    counted = [one[1] for one in numbers]
    if counted != [str(i) for i in range(1, len(lines) + 1)] and set(counted) != {None}:
        return text
    return "\n".join(line[one.end():] for line, one in zip(lines, numbers, strict=True))


def refuse_code(text: str):
    """Raises InputError for a table as R's dput or JSON writes it, which is no text table."""
    bare = text.lstrip()[:40]
    what = "R's dput" if _CODE.match(bare) else "JSON" if bare[:1] in ("[", "{") and _is_json(text) else ""
    if what:
        raise InputError(f"This is what {what} writes, which is not read as a table. Save the table as CSV and bring that: in R by "
                         "write.csv(table, 'table.csv', row.names = FALSE), in Python by table.to_csv('table.csv', index=False).")


def _is_json(text):
    with suppress(ValueError, RecursionError):
        return isinstance(json.loads(text), (dict, list))
    return False


def as_one_block(text: str) -> str:
    """The text of a matrix that R printed in several blocks of columns, as one with tabs; any other text as it is.

    A block begins with its names, indented above the labels of the rows, which every block repeats.
    """
    lines = [line.expandtabs() for line in text.splitlines() if line.strip()]
    heads = [number for number, line in enumerate(lines) if line.startswith(" ")]
    if len(heads) < 2 or heads[0] or len({stop - start for start, stop in zip(heads, [*heads[1:], len(lines)], strict=True)}) > 1:
        return text
    blocks = [[line.split() for line in lines[start:stop]] for start, stop in zip(heads, [*heads[1:], len(lines)], strict=True)]
    labels = [row[0] for row in blocks[0][1:]]
    if not labels or any([row[0] for row in rows] != labels or any(len(row) != len(head) + 1 for row in rows)
                         for head, *rows in blocks):
        return text
    head, *rows = ([cell for block in blocks for cell in block[number][number > 0:]] for number in range(len(labels) + 1))
    return "\n".join(["\t".join(["", *head]), *("\t".join([label, *row]) for label, row in zip(labels, rows, strict=True))])


def _json(text):
    """[(name, names of one run)] of a JSON list of lists of names, or of an object of such lists; nothing of any other text."""
    lists = None
    with suppress(ValueError, RecursionError):
        lists = json.loads(text) if text[:1] in ("[", "{") else None
    if isinstance(lists, list):
        lists = [lists] if lists and all(isinstance(one, str) for one in lists) else lists         # a file of one run
        runs = [("", one) for one in lists]
    else:
        runs = list(lists.items()) if isinstance(lists, dict) else []
    return runs if all(isinstance(names, list) and all(isinstance(one, str) for one in names) for _, names in runs) else []


def _printed(lines):
    runs, headed = [], bool(_HEAD.fullmatch(lines[0].strip()))
    for number, line in enumerate(map(str.strip, lines), 1):
        row = _ROW.fullmatch(line)
        if _HEAD.fullmatch(line):
            runs.append((f"run {len(runs) + 1}" if line.startswith("[[") else line.removeprefix("$").replace("`", ""), []))
        elif row:
            if not runs or (not headed and line.startswith("[1]")):         # one print a run, as a loop writes them
                runs.append((f"run {len(runs) + 1}", []))
            runs[-1][1].extend(quoted or bare for quoted, bare in _NAME.findall(row[1]))
        elif not _NOTHING.fullmatch(line):
            raise InputError(f"The text looks like a list that R printed, but line {number} is no list of names; write one run a "
                             "line in R: writeLines(sapply(lists, paste, collapse = ','), 'lists.txt').")
    return runs


def _line(name, names):
    return (f"{name}: " if name else "") + "\t".join(names)
