"""Lists of names as R prints them, or as its dput writes them, as one line a run: read word by word they are other features."""

from __future__ import annotations

import re

from stabcore.errors import InputError

_HEAD = re.compile(r"(?:\$(?:`[^`]+`|[^\s$\[]+)|\[\[\d+\]\])+")
_ROW = re.compile(r"\[\d+\]\s+(.+)")
_NAME = re.compile(r"""(?:"([^"]*)"|(\S+))(?:\s+|$)""")
_NOTHING = re.compile(r"character\(0\)|integer\(0\)|NULL|Levels:.*|")
_VECTOR = re.compile(r"""(?:(`[^`]+`|"[^"]+"|[\w.]+)\s*=\s*)?c\(\s*("[^"]*"(?:\s*,\s*"[^"]*")*)\s*\)""")


def as_lines(text: str) -> str:
    """The text of lists that R printed or wrote, one line a run, with its name where it has one; any other text as it is.

    Raises InputError, with the line, for a printed list that holds more than names.
    """
    bare = text.strip()
    if bare.startswith("list(") and not re.sub(r"[\s,)]", "", _VECTOR.sub("", bare.removeprefix("list("))):
        return "\n".join(_line((name or "").strip('`"'), re.findall(r'"([^"]*)"', names)) for name, names in _VECTOR.findall(bare))
    lines = bare.splitlines()
    if not lines or not (_HEAD.fullmatch(lines[0].strip()) or _ROW.match(lines[0].strip())):
        return text
    return "\n".join(_line(name, names) for name, names in _printed(lines))


def _printed(lines):
    runs = []
    for number, line in enumerate(map(str.strip, lines), 1):
        row = _ROW.fullmatch(line)
        if _HEAD.fullmatch(line):
            runs.append((f"run {len(runs) + 1}" if line.startswith("[[") else line.removeprefix("$").replace("`", ""), []))
        elif row:
            runs = runs or [("run 1", [])]
            runs[-1][1].extend(quoted or bare for quoted, bare in _NAME.findall(row[1]))
        elif not _NOTHING.fullmatch(line):
            raise InputError(f"The text looks like a list that R printed, but line {number} is no list of names; write one run a "
                             "line in R: writeLines(sapply(lists, paste, collapse = ','), 'lists.txt').")
    return runs


def _line(name, names):
    return (f"{name}: " if name else "") + "\t".join(names)
