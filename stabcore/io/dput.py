"""Lists of names as R's dput writes them, broken over lines, with names inside or beside: one (name, names) a run."""

from __future__ import annotations

import re

from stabcore.errors import InputError

_BEGIN = re.compile(r"(?:[\w.]+\s*(?:<-|=)\s*)?(structure\(\s*)?list\(\s*")
_STRING = r'"(?:[^"\\]|\\.)*"'
_ONE = rf"(?:{_STRING}|\d+L?(?::\d+L?)?)"
_ENTRY = re.compile(rf"({_STRING})|(\d+)L?(?::(\d+)L?)?")
_VECTOR = re.compile(rf"(?:(?P<name>`[^`]+`|{_STRING}|[\w.]+)\s*=\s*)?"
                     rf"(?:c\(\s*(?P<many>{_ONE}(?:\s*,\s*{_ONE})*)\s*\)|(?P<one>{_ONE})|character\(0\)|integer\(0\)|NULL)\s*")
_BESIDE = re.compile(rf",\s*\.?[nN]ames\s*=\s*c\(\s*(?P<names>{_STRING}(?:\s*,\s*{_STRING})*)\s*\)\s*\)")
_TO_CSV = "write.csv(x, 'selections.csv', row.names = FALSE)"


def written_lists(text: str) -> list[tuple[str, list[str]]] | None:
    """[(name of the run, what it selected)] of a list of vectors of names or numbers; None of a text that begins otherwise.

    Runs without a name are numbered. Raises InputError for an R list of anything else.
    """
    begin = _BEGIN.match(text)
    if begin is None:
        return None
    runs, at = [], begin.end()
    while vector := _VECTOR.match(text, at):
        runs.append(((vector["name"] or "").strip('`"'), _entries(vector["many"] or vector["one"] or "")))
        at = vector.end()
        if text[at:at + 1] != ",":
            break
        at = re.compile(r",\s*").match(text, at).end()
    end = text[at:].strip()
    beside = _BESIDE.fullmatch(end[1:].strip()) if begin[1] and end[:1] == ")" else None
    if not runs or not (beside or (end == ")" and not begin[1])):
        raise InputError("The text is a list as R's dput writes it, but not one of names, one c(...) a run; write lists in R by "
                         "writeLines(sapply(lists, paste, collapse = ','), 'lists.txt'), and a table x by " + _TO_CSV + ".")
    names = _entries(beside["names"]) if beside else [name for name, _ in runs]
    return [(name or f"run {i}", entries) for i, (name, (_, entries)) in enumerate(zip(names, runs, strict=False), 1)]


def _entries(text):
    """What stands between c( and ): strings without their quotation marks, numbers, and every number of a:b."""
    entries = []
    for quoted, first, last in _ENTRY.findall(text):
        if quoted:
            entries.append(re.sub(r"\\(.)", r"\1", quoted[1:-1]))
        else:
            entries += map(str, range(int(first), int(last or first) + 1))
    return entries
