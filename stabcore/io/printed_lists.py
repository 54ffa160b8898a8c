"""Lists of names as R and Python print or write them, as one line per run, and matrices as R prints them, as one block.

Read word by word, the lists would give wrong features. Read line by line, a matrix in blocks would give wrong runs.
"""

import json
import re
from contextlib import suppress
from typing import Any

from stabcore.base.errors import InputError
from stabcore.base.text import quote
from stabcore.io.cells import parse_number

_HEAD = re.compile(r"(?:\$(?:`[^`]+`|[^\s$\[]+)|\[\[\d+\]\])+")
_ROW = re.compile(r"\[\d+\]\s+(.+)")
_NAME = re.compile(r"""(?:"([^"]*)"|(\S+))(?:\s+|$)""")
_EMPTY = re.compile(r"character\(0\)|integer\(0\)|NULL|Levels:.*|")
_NUMBERED = re.compile(r"\s*(?:(\d+)[.)]|[-*\u2022\u2013])\s+(?=\S)")
MAX_BEGINNING_LENGTH = 20_000  # characters of a text in which a print of a package is looked for
PRINTED = "These are lists in the notation of R, Python or JSON, one list per run."
NO_LISTS = (
    '{title} holds no lists of names in the notation of {what}. Write JSON such as [["ALT", "AST"], ["ALT"]] or '
    '{{"run 1": ["ALT"]}}, in R the dput of a list such as list(c("ALT", "AST"), "ALT"), or CSV.'
)
_DATA_TABLE = re.compile(r"\s*[A-Za-z][\w.]*(?:[ \t]+[\w.]+)+[ \t]*\r?\n(?:[ \t]*<.*>[ \t]*\r?\n)?[ \t]*1: .*\r?\n[ \t]*2: ")
_NO_TABLE = re.compile(r"\s*(?:\d+ x \d+ (?:sparse|diagonal) Matrix of class|# A (?:tibble|data frame)|Classes |'data\.frame')")


def as_lines(text: str) -> tuple[str, list[str]]:
    """(the text of lists printed or written by R or Python, one line per run, notes). Other texts are unchanged.

    Raises InputError, with the line, for a printed list with more than names, and for R's display of a sparse matrix.
    """
    if _DATA_TABLE.match(text):
        raise InputError(
            "This is a table as data.table prints it in R, where long tables are cut. Write all of it: data.table::fwrite(x, "
            "'selections.csv')."
        )
    if _NO_TABLE.match(text):
        raise InputError(
            "This is a sparse matrix or a tibble as R prints it. Write it in R: write.csv(as.matrix(x), 'selections.csv') of a "
            "matrix, " + _TO_CSV + " of a table."
        )
    text, notes = _without_commands(text)
    for beginning, sentence in _PEERS.items():
        if re.match(beginning, text[:MAX_BEGINNING_LENGTH]):
            raise InputError(sentence)
    if column := _named_vector(text):
        return column, notes
    bare = text.strip()
    lists = _json(bare) or code_lists(bare) or _dput_lists(bare)
    if not lists:
        lines = bare.splitlines()
        if not lines or not (_HEAD.fullmatch(lines[0].strip()) or any(_ROW.match(line.strip()) for line in lines)):
            return _without_numbers(text), notes
        lists = _printed(lines)
    if (rows := _as_matrix(lists)) is not None:
        lines = list(map("\t".join, rows))
    elif len(lists) == 1 and not lists[0][0]:
        lines = list(map(_quoted, lists[0][1]))  # the list of one run
    else:
        lines = [f"{name or f'run {i}'}: " + "\t".join(map(_quoted, names)) for i, (name, names) in enumerate(lists, 1)]
    return "\n".join(lines), [*notes, PRINTED]


def _quoted(name):
    """A name, in quotation marks if it holds a blank, because lines of one name have no other separator."""
    return '"' + name.replace('"', '""') + '"' if " " in name else name


# ---- prints of packages about their results: sentences, which must not be read as names ----

_PEERS = {
    r"\s*\w+ =\s+\d+[×x]\d+ (?:cell|logical|string) array": "This is the display of MATLAB. Write a matrix by writematrix(+Z, "
    "'selections.csv'), or lists of names by writecell(C, 'selections.csv').",
    r"\s*Stability Selection with": "This is a print of stabs. Write its frequencies: write.csv(s$max, 'frequencies.csv'). Then "
    "give the number of runs, 2 × B with sampling.type = 'SS'.",
    r"\s*(?:Stability selection using function|Calibrated parameters:)": "This is a print of sharp. Write its frequencies: "
    "write.csv(SelectionProportions(s), 'frequencies.csv'). Then give K as the number of runs.",
    r"\s*Boruta performed \d+ iterations": "This is a print of Boruta about one run. Write attStats(b) of every run as CSV.",
    r"\s*Recursive feature selection": "This is a print of caret's rfe. Write the features of every resample: "
    "write.csv(x$variables[x$variables$Variables == x$optsize, ], 'selections.csv', row.names = FALSE).",
    r"\s*Selection By Filter": "This is a print of caret's sbf. Write the features of every resample: "
    "dput(x$variables, 'lists.txt').",
    r"\s*Nested cross-validation with": "This is a print of nestedcv. Write the coefficients of the folds: "
    "write.csv(cv_coef(fit), 'selections.csv').",
    r"(?s).*\b(?:efp_scores|q_values)\W{1,4}\{": "This is the result of one run of ipss. Run it on several resamples of the "
    "patients, and write result['selected_features'] of each as one line.",
}


def _named_vector(text):
    """Lines "name number" of a vector with names as R prints it, a line of names above each line of numbers. "" for other texts."""
    lines = [line for line in map(str.expandtabs, text.splitlines()) if line.strip()]
    if len(lines) > 2 and len(lines) % 2 and _HEAD.fullmatch(lines[0].strip()):
        lines = lines[1:]
    pairs = []
    for above, below in zip(lines[::2], lines[1::2], strict=False):
        places = [[(word.end(), word[0]) for word in re.finditer(r"\S+", line)] for line in (above, below)]
        if [end for end, _ in places[0]] != [end for end, _ in places[1]]:  # R aligns names and numbers at the right
            return ""
        pairs += [(name, cell) for (_, name), (_, cell) in zip(*places, strict=True)]
    if (
        len(lines) % 2
        or len(pairs) < 2
        or any(parse_number(name) is not None or parse_number(cell) is None for name, cell in pairs)
    ):
        return ""
    return "\n".join(["\tx", *map("\t".join, pairs)])


def _end_of(gap, text, position) -> int:
    """The end of a part that is not a list. gap: a pattern that also matches an empty text."""
    between = gap.match(text, position)
    return position if between is None else between.end()


def _without_numbers(text):
    """The text without the numbers or bullets at the beginnings of its lines, as 1. TP53, KRAS."""
    lines = [line for line in text.splitlines() if line.strip()]
    numbers = [number for line in lines if (number := _NUMBERED.match(line))]
    if len(lines) < 2 or len(numbers) < len(lines):
        return text
    counted = [numbered[1] for numbered in numbers]
    if counted != [str(i) for i in range(1, len(lines) + 1)] and set(counted) != {None}:
        return text
    return "\n".join(line[numbered.end() :] for line, numbered in zip(lines, numbers, strict=True))


def as_one_block(text: str) -> str:
    """The text of a matrix that R printed in several blocks of columns, with tabs as separators. Other texts are unchanged.

    A block begins with its names, indented above the row labels, which every block repeats.
    """
    blocks: list[list[list[str]]] = []
    for line in map(str.expandtabs, text.splitlines()):
        if line.startswith(" ") and line.strip():
            blocks.append([line.split()])
        elif line.strip():
            if not blocks:
                return text
            blocks[-1].append(line.split())
    blocks = [_with_one_label(block) for block in blocks]
    labels = [row[0] for row in blocks[0][1:]] if blocks and len(blocks[0]) > 1 else []
    if not labels:
        return text
    for head, *rows in blocks:
        if [row[0] for row in rows] != labels or any(len(row) != len(head) + 1 for row in rows):
            return text
    head, *rows = ([cell for block in blocks for cell in block[number][number > 0 :]] for number in range(len(labels) + 1))
    return "\n".join(["\t".join(["", *head]), *("\t".join([label, *row]) for label, row in zip(labels, rows, strict=True))])


def _with_one_label(block):
    """A block of a printed matrix whose row labels, such as boot 1, were split at their blanks."""
    head, *rows = block
    parts = {len(row) - len(head) for row in rows}
    if len(parts) != 1 or (n := parts.pop()) < 2 or any(parse_number(cell) is None for row in rows for cell in row[n:]):
        return block
    return [head, *([" ".join(row[:n]), *row[n:]] for row in rows)]


def _json(text):
    """[(name, names of one run)] of JSON, else an empty list. Raises InputError for objects without one list of names each.

    JSON may be a list of lists of names, an object of such lists, or a list of objects such as {"run": 1, "features": ["ALT"]}.
    """
    content = None
    with suppress(ValueError, RecursionError):
        content = json.loads(text) if text[:1] in ("[", "{") else None
    runs: list[tuple[Any, Any]] = []
    if isinstance(content, list):
        content = [content] if content and _are_names(content) else content  # a file of one run
        runs = [_object_of_run(part) if isinstance(part, dict) else ("", part) for part in content]
    elif isinstance(content, dict):
        runs = list(content.items())
    if all(_are_names(names) for _, names in runs):
        return [(str(name), list(map(str, names))) for name, names in runs]
    if isinstance(content, dict) or any(isinstance(part, dict) for part in content or ()):
        raise InputError(NO_LISTS.format(title="The text", what="JSON"))
    return []


def _object_of_run(values):
    """(name of the run, its features) of an object with one list and at most one other value. None: another object."""
    lists, others = [[part for part in values.values() if isinstance(part, list) == is_list] for is_list in (True, False)]
    return ("".join(map(str, others)), lists[0]) if len(lists) == 1 and len(others) < 2 else ("", None)


def _are_names(names):
    return isinstance(names, list) and all(isinstance(name, (str, int)) for name in names)


def _printed(lines):
    runs, headed = list[Any](), bool(_HEAD.fullmatch(lines[0].strip()))
    for line_number, line in enumerate(map(str.strip, lines), 1):
        row = _ROW.fullmatch(line)
        if _HEAD.fullmatch(line):
            runs.append((f"run {len(runs) + 1}" if line.startswith("[[") else line.removeprefix("$").replace("`", ""), []))
        elif row:
            if not runs or (not headed and line.startswith("[1]")):  # one print per run, as in a loop
                runs.append((f"run {len(runs) + 1}", []))
            runs[-1][1].extend(quoted or bare for quoted, bare in _NAME.findall(row[1]))
        elif not _EMPTY.fullmatch(line):
            raise InputError(
                f"The text looks like a list that R printed, but line {line_number} is not a list of names. Write one run per line "
                "in R: " + _TO_LINES + "."
            )
    return runs


_TO_CSV = "write.csv(x, 'selections.csv', row.names = FALSE)"
_TO_LINES = "writeLines(sapply(lists, paste, collapse = ','), 'lists.txt')"

# ---- lists in the notation of code: c("A", "B") and dput of R; ['A', 'B'], Index([...]) and array([...]) of Python ----

_STRING = r'"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\''
_NUMBER = r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?L?"
_ITEM = re.compile(
    rf"(?P<wrapped>(?:np|numpy)\.\w+\()?(?:(?P<text>[bru]?(?:{_STRING}))|(?P<first>\d+)L?\s*:\s*(?P<last>\d+)L?|"
    rf"(?P<bare>{_NUMBER}|True|False|TRUE|FALSE|T\b|F\b))(?(wrapped)\))"
)
_GAP = re.compile(r"[\s,]*")
_BETWEEN = re.compile(r"(?:[\s,;]|#[^\n]*)*")
_LABEL = re.compile(
    rf"(?P<quoted>{_STRING})\s*[:=]\s*|(?P<name>`[^`]+`|[\w.$`@\[\]\"-]+(?: [\w.-]+){{0,3}})\s*(?:<<?-|=|:|\t)\s*|\d+[.)]\s+"
)
_CALL = re.compile(
    r"c\(|(?:(?:pd|np|numpy|pandas)\.)?(?:Index|Int64Index|UInt64Index|array|list|tuple|set|frozenset|Series)\(\s*|"
    r"[\[{(]|(?:character|integer|numeric|logical)\(0\)|NULL\b"
)
_BEGIN = re.compile(r"(?:[\w.]+\s*(?:<-|=)\s*)?(structure\(\s*)?list\(\s*")
_BESIDE = re.compile(r"\)\s*,\s*\.?[nN]ames\s*=\s*(c\(.*\))\s*\)", re.DOTALL)
_KEYWORDS = re.compile(r"(?:\s*,\s*(?:dtype|name|length|shape|copy)\s*=\s*(?:'[^']*'|\"[^\"]*\"|\([^()]*\)|[\w.<>|]+))*\s*,?\s*\)")
_OUTER = re.compile(
    r"(?:[\w.]+\s*=\s*)?([\[{(])\s*(?=[\[{(]|(?:(?:pd|np)\.)?(?:Index|array|set|frozenset|tuple)\(|"
    rf"(?:{_STRING}|\d+)\s*:\s*[\[{{(a-zA-Z])"
)
_CLOSES = {"[": "]", "{": "}", "(": ")"}
_BEGINS = re.compile(
    r"c\(\s*[\"'\d)TF]|(?:(?:pd|np)\.)?(?:Index|Int64Index|array)\(\s*\[|(?:frozen)?set\(|"
    r"[\[{(]\s*(?:np\.\w+\()?['\"]|\d+L?:\d+L?\s*$",
    re.MULTILINE,
)
_PROMPT = re.compile(r">(?: |$)|>>>(?: |$)|In ?\[\d+\]:")
_GOES_ON = re.compile(r"\+(?: |$)|\.\.\.(?: |$)|\s+\.\.\.:")
_OUT = re.compile(r"Out\[\d+\]:\s*")
ECHO = "Lines that repeat the commands of a console were left out."


def _without_commands(text: str) -> tuple[str, list[str]]:
    """(the output of a console, notes) of a text with commands after a prompt. A text with only commands gives the commands."""
    lines, output, commands, inside = text.splitlines(), [], [], False
    if not any(_PROMPT.match(line) for line in lines):
        return text, []
    for line in lines:
        prompt = _PROMPT.match(line) or (inside and _GOES_ON.match(line))
        inside = bool(prompt)
        if prompt:
            commands.append(line[prompt.end() :])
        else:
            output.append(_OUT.sub("", line))
    if any(line.strip() for line in output):
        return "\n".join(output), [ECHO]
    return "\n".join(commands), []


def code_lists(text: str) -> list[tuple[str, list[str]]] | None:
    """[(name of the run or "", its names)] of consecutive lists written as code, None for other texts.

    Items are strings in quotation marks, numbers, a:b or truth values. Raises InputError, with the line, if something else
    follows, and for a list that was shortened when it was printed.
    """
    outer = _OUTER.match(text)
    position, end = (outer.end(), len(text)) if outer else (0, len(text))
    first = _BEGINS.match(text, _after_label(text, _end_of(_BETWEEN, text, position))[1])
    if first is None:
        return None
    if outer:
        end = text.rstrip().rfind(_CLOSES[outer[1]])
        end = len(text) if end < position else end
    runs, position = _lists_from(text, position, end)
    if runs and position < end:
        line, found = 1 + text.count("\n", 0, position), quote(text[position : position + 40].splitlines()[0])
        raise InputError(
            f"The text begins with lists in the notation of code, but line {line} is not one: {found}. Give one list per run, such "
            'as c("TP53", "KRAS"), and delete everything else.'
        )
    return runs or None


def _dput_lists(text: str) -> list[tuple[str, list[str]]] | None:
    """[(name of the run or "", its names)] of a list from R's dput, with names inside or after it, None for other texts.

    Raises InputError for an R list of anything else than vectors of names or numbers.
    """
    if (begin := _BEGIN.match(text)) is None:
        return None
    runs, position = _lists_from(text, begin.end(), len(text), numbers=True)
    end = text[position:].strip()
    beside = _BESIDE.fullmatch(end) if begin[1] else None
    names = (_list(beside[1], 0) or [[]])[0] if beside else [label for label, _ in runs]
    if not runs or len(names) != len(runs) or not (beside or (end == ")" and not begin[1])):
        raise InputError(
            "The text is a list from R's dput, but not a list of names with one c(...) per run. Write lists in R by "
            f"{_TO_LINES}, and a table x by {_TO_CSV}."
        )
    return [(name, run) for name, (_, run) in zip(names, runs, strict=True)]


def _lists_from(text, position, end, numbers=False):
    """([(name of the run or "", its names)], the position after the last list). numbers: whether a number alone is a list."""
    runs: list[Any] = []
    while (position := min(_end_of(_BETWEEN, text, position), end)) < end:
        label, start = _after_label(text, position)
        if (entry := _list(text, start, numbers)) is None:
            break
        runs.append((label, entry[0]))
        position = entry[1]
    return runs, position


def _after_label(text, position):
    """(the name of the run or "", where its list begins)."""
    label, item = _LABEL.match(text, position), _ITEM.match(text, position)
    if label is None or item and item["first"] or _CALL.match(text, label.end()) is None and _ITEM.match(text, label.end()) is None:
        return "", position
    name = (label["quoted"] or label["name"] or "").strip("\"'`")
    return ("" if "[" in name else name.rpartition("$")[2].strip("`")), label.end()


def _list(text, position, numbers=False):
    """(names, where the list ends), or None without a list."""
    if (call := _CALL.match(text, position)) is None:
        item = _ITEM.match(text, position)
        return (_entries(item), item.end()) if item and (item["text"] or item["first"] or (numbers and item["bare"])) else None
    if call[0].endswith("0)") or call[0] == "NULL":
        return [], call.end()
    position, closing = call.end(), _CLOSES.get(call[0][-1:], ")")
    inner = text[position : position + 1] if call[0][0] not in _CLOSES and not call[0].startswith("c(") else ""
    if inner in _CLOSES:  # Index([…]), set({…})
        position, closing = position + 1, _CLOSES[inner]
    names = []
    while (position := _end_of(_GAP, text, position)) < len(text):
        if text.startswith("...", position):
            raise InputError(
                "A list was shortened when it was printed, because it contains '...'. Print all names: in pandas by "
                "print(list(names)), in NumPy by print(names.tolist())."
            )
        if (item := _ITEM.match(text, position)) is None:
            break
        names += _entries(item)
        position = item.end()
    if text[position : position + 1] != closing:
        return None
    if inner not in _CLOSES:
        return names, position + 1
    keywords = _KEYWORDS.match(text, position + 1)
    return (names, keywords.end()) if keywords else None


def _entries(item):
    if item["text"]:
        return [re.sub(r"\\(.)", r"\1", item["text"].lstrip("bru")[1:-1])]
    if item["first"]:
        return list(map(str, range(int(item["first"]), int(item["last"]) + 1)))
    return [item["bare"].removesuffix("L")]


def _as_matrix(runs) -> list[list[str]] | None:
    """Rows of 0 and 1, or of importances, if lists of equal length hold a truth value or number for each feature, else None."""
    truths = {"true": "1", "t": "1", "false": "0", "f": "0"}
    lists = [[truths.get(cell.casefold(), cell) for cell in names] for _, names in runs]
    if len(lists) < 2 or len({len(cells) for cells in lists}) > 1 or len(lists[0]) < 2:
        return None
    if not all(re.fullmatch(_NUMBER, cell) for cells in lists for cell in cells):
        return None
    repeats = any(len(set(cells)) < len(cells) for cells in lists)
    fractions = any("." in cell.rstrip(".") for cells in lists for cell in cells)
    return [[cell.rstrip(".") for cell in cells] for cells in lists] if repeats or fractions else None
