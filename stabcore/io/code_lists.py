"""Lists of names as code writes them, one after another: c("A", "B") of R; ['A', 'B'], Index([...]) and array([...]) of Python."""

from __future__ import annotations

import re

from stabcore.errors import InputError
from stabcore.wording import shown

_STRING = r'"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\''
_NUMBER = r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?L?"
_ITEM = re.compile(rf"(?P<wrapped>(?:np|numpy)\.\w+\()?(?:(?P<text>[bru]?(?:{_STRING}))|(?P<first>\d+)L?\s*:\s*(?P<last>\d+)L?|"
                   rf"(?P<bare>{_NUMBER}|True|False|TRUE|FALSE|T\b|F\b))(?(wrapped)\))")
_GAP = re.compile(r"[\s,]*")
_BETWEEN = re.compile(r"(?:[\s,;]|#[^\n]*)*")
_LABEL = re.compile(rf"(?P<quoted>{_STRING})\s*:\s*|(?P<name>[\w.$`@\[\]\"-]+(?: [\w.-]+){{0,3}})\s*(?:<<?-|=|:|\t)\s*|\d+[.)]\s+")
_CALL = re.compile(r"c\(|(?:(?:pd|np|numpy|pandas)\.)?(?:Index|Int64Index|UInt64Index|array|list|tuple|set|frozenset|Series)\(\s*|"
                   r"[\[{(]|(?:character|integer|numeric|logical)\(0\)|NULL\b")
_KEYWORDS = re.compile(r"(?:\s*,\s*(?:dtype|name|length|shape|copy)\s*=\s*(?:'[^']*'|\"[^\"]*\"|\([^()]*\)|[\w.<>|]+))*\s*,?\s*\)")
_OUTER = re.compile(r"(?:[\w.]+\s*=\s*)?([\[{(])\s*(?=[\[{(]|(?:(?:pd|np)\.)?(?:Index|array|set|frozenset|tuple)\(|"
                    rf"(?:{_STRING}|\d+)\s*:\s*[\[{{(a-zA-Z])")
_CLOSES = {"[": "]", "{": "}", "(": ")"}
_BEGINS = re.compile(r"c\(\s*[\"'\d)TF]|(?:(?:pd|np)\.)?(?:Index|Int64Index|array)\(\s*\[|(?:frozen)?set\(|"
                     r"[\[{(]\s*(?:np\.\w+\()?['\"]|\d+L?:\d+L?\s*$", re.MULTILINE)
_PROMPT = re.compile(r">(?: |$)|>>>(?: |$)|In ?\[\d+\]:")
_GOES_ON = re.compile(r"\+(?: |$)|\.\.\.(?: |$)|\s+\.\.\.:")
_OUT = re.compile(r"Out\[\d+\]:\s*")
ECHO = "Lines that repeat the commands of a console were left aside."


def without_commands(text: str) -> tuple[str, list[str]]:
    """(what a console printed, notes) of a text that holds commands after a prompt; of one with commands alone, these."""
    lines, output, commands, inside = text.splitlines(), [], [], False
    if not any(_PROMPT.match(line) for line in lines):
        return text, []
    for line in lines:
        prompt = _PROMPT.match(line) or (inside and _GOES_ON.match(line))
        inside = bool(prompt)
        if prompt:
            commands.append(line[prompt.end():])
        else:
            output.append(_OUT.sub("", line))
    if any(line.strip() for line in output):
        return "\n".join(output), [ECHO]
    return "\n".join(commands), []


def code_lists(text: str) -> list[tuple[str, list[str]]] | None:
    """[(name of the run or "", what it selected)] of lists that code wrote one after another; None of a text that begins otherwise.

    A text has items in quotation marks, numbers, a:b or truth values. Raises InputError, with the line, where something else
    follows, and for a list that was shortened when it was printed.
    """
    outer = _OUTER.match(text)
    at, end = (outer.end(), len(text)) if outer else (0, len(text))
    first = _BEGINS.match(text, _after_label(text, _BETWEEN.match(text, at).end())[1])
    if first is None:
        return None
    if outer:
        end = text.rstrip().rfind(_CLOSES[outer[1]])
        end = len(text) if end < at else end
    runs = []
    while (at := _BETWEEN.match(text, at, end).end()) < end:
        label, start = _after_label(text, at)
        entry = _one(text, start)
        if entry is None and not runs:
            return None
        if entry is None:
            line = text.count("\n", 0, at) + 1
            raise InputError(f"The text begins as lists that code wrote, but line {line} is no list of names: "
                             f"{shown(text[at:at + 40].splitlines()[0])}. Give one list per run, such as c(\"TP53\", \"KRAS\"), "
                             "and delete everything else.")
        names, at = entry
        runs.append((label, names))
    return runs


def _after_label(text, at):
    """(the name of the run or "", where its list begins)."""
    label, item = _LABEL.match(text, at), _ITEM.match(text, at)
    if label is None or item and item["first"] or _CALL.match(text, label.end()) is None and _ITEM.match(text, label.end()) is None:
        return "", at
    name = (label["quoted"] or label["name"] or "").strip("\"'`")
    return ("" if "[" in name else name.rpartition("$")[2].strip("`")), label.end()


def _one(text, at):
    """(names, where the list ends), or None where there is no list."""
    call = _CALL.match(text, at)
    if call is None:
        item = _ITEM.match(text, at)
        return (_entries(item), item.end()) if item and (item["text"] or item["first"]) else None
    if call[0].endswith("0)") or call[0] == "NULL":
        return [], call.end()
    at, closing = call.end(), _CLOSES.get(call[0][-1:], ")")
    inner = text[at:at + 1] if call[0][0] not in _CLOSES and not call[0].startswith("c(") else ""
    if inner in ("[", "{", "("):                                # Index([…]), set({…})
        at += 1
    names = []
    while (at := _GAP.match(text, at).end()) < len(text):
        if text.startswith("...", at):
            raise InputError("A list was shortened when it was printed: it holds '...'. Print all names: in pandas by "
                             "print(list(names)), in NumPy by print(names.tolist()).")
        item = _ITEM.match(text, at)
        if item is None:
            break
        names += _entries(item)
        at = item.end()
    return _closed(text, at, closing, inner, names)


def _closed(text, at, closing, inner, names):
    """(names, where the list ends) where its brackets close here, else None."""
    if inner in _CLOSES:
        if text[at:at + 1] != _CLOSES[inner]:
            return None
        keywords = _KEYWORDS.match(text, at + 1)
        return (names, keywords.end()) if keywords else None
    return (names, at + 1) if text[at:at + 1] == closing else None


def _entries(item):
    if item["text"]:
        return [re.sub(r"\\(.)", r"\1", item["text"].lstrip("bru")[1:-1])]
    if item["first"]:
        return list(map(str, range(int(item["first"]), int(item["last"]) + 1)))
    return [item["bare"].removesuffix("L")]


def as_matrix(runs) -> list[list[str]] | None:
    """Rows of 0 and 1, or of importances, where lists of one length hold a truth value or number for each feature; else None."""
    truths = {"true": "1", "t": "1", "false": "0", "f": "0"}
    lists = [[truths.get(cell.casefold(), cell) for cell in names] for _, names in runs]
    if len(lists) < 2 or len({len(one) for one in lists}) > 1 or len(lists[0]) < 2:
        return None
    if not all(re.fullmatch(_NUMBER, cell) for one in lists for cell in one):
        return None
    again = any(len(set(one)) < len(one) for one in lists)
    fractions = any("." in cell.rstrip(".") for one in lists for cell in one)
    return [[cell.rstrip(".") for cell in one] for one in lists] if again or fractions else None
