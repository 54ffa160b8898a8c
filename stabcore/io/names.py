"""Third stage: a name for each column. Also names that look the same, mean the same or repeat."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain, islice
from typing import Any

import numpy as np

from stabcore.base.errors import InputError
from stabcore.base.text import counted, listed, quote, verb_for
from stabcore.io.cells import visible_text
from stabcore.io.choices import Question
from stabcore.io.contents import Columns, MisplacedError, Rows, refuse_many_cells, refuse_ragged

# ---- names that look the same ----


def same_looking_names(names: Iterable[str], look: Callable[[str], str] = visible_text) -> dict[str, list[str]]:
    """{how they look: the names} of names that look the same. look: the function that gives their looks."""
    names_of: dict[str, list[str]] = {}
    for name in names:
        names_of.setdefault(look(name), []).append(name)
    return {seen: same for seen, same in names_of.items() if len(same) > 1}


def joined_names(names: Iterable[str], answer: str | None = None) -> dict[str, str]:
    """{name: the name used for it} of names that look the same, by the answer "join" or "keep".

    The name used is the one that a person would type. Raises Question without an answer.
    """
    names = list(names)
    double = same_looking_names(names)
    if not double or answer == "keep":
        return {name: name for name in names}
    if answer != "join":
        raise Question(
            f"{counted(len(double), 'name')} have several spellings that look the same: {listed(double)}. They differ in invisible "
            "characters. Are they the same?",
            "alike_names",
            {"join": "The same: join them", "keep": f"Different, as {quote(next(iter(double)))} and its double"},
        )
    return {name: name for name in names} | {name: look for look, same in double.items() for name in same}


# ---- repeated names ----


def number_repeated(names: Iterable[str]) -> list[str]:
    """The names with repetitions numbered: TP53, TP53 (2)."""
    names = list(names)
    used, counts, numbered = set(names), Counter[str](), []
    for name in names:
        counts[name] += 1
        new = name
        while counts[name] > 1 and new in used:
            new = f"{name} ({counts[name]})"
            counts[name] += new in used
        used.add(new)
        numbered.append(new)
    return numbered


def original_names(names: Iterable[str], in_file: Iterable[str]) -> dict[str, str]:
    """{numbered: name in the file} of repeated names: TP53 (2) is TP53, unless the file has the name TP53 (2)."""
    return {name: old for name, old in zip(names, in_file, strict=True) if name != old}


def describe_numbered(numbered: Mapping[str, str]) -> list[str]:
    """The note on numbered names, {numbered: name in the file}, or none."""
    count = counted(len(numbered), "name")
    return [f"{count} occurred more than once and got numbers, as in {listed(numbered, 2)}."] if numbered else []


# ---- names in another file, which may differ in capitals, blanks and R's spelling ----

_MARKS = re.compile(r"[\W_]+")


def bare_name(name: str) -> str:
    """A name without the changes of R's make.names, Excel and people: IL-6, IL.6, il 6 and IL_6 are il.6, and X16S is 16s."""
    text = str(name).strip().casefold()
    text = re.sub(r"^x(?=[\d._])", "", text)
    return _MARKS.sub(".", text).strip(".")


def _same_sign(name, other):
    """Whether two names with equal bare forms can be one. CD4+ is neither CD4 nor CD4-, but may be R's CD4.."""
    ends = {text[-1] if text[-1] in "+-" else "any" if _MARKS.fullmatch(text[-1]) else "" for text in (name.strip(), other.strip())}
    return len(ends) == 1 or "any" in ends


def match_names(names: Iterable[str], features: Iterable[str], once: bool = True) -> dict[str, str]:
    """{name: its feature} of the names that match exactly one feature.

    The exact name of a feature matches itself. Other names are compared in bare form. If two features have the same bare form,
    none is matched, because the choice is ambiguous. If names must match different features (once), the same holds for names.
    """
    names, features = list(dict.fromkeys(map(str, names))), list(dict.fromkeys(map(str, features)))
    exact = set(features)
    feature_of = {name: name for name in names if name in exact}
    free = [name for name in names if name not in exact]
    features_alike, names_alike = Counter(map(bare_name, features)), Counter(map(bare_name, free))
    feature_of_bare = {bare_name(feature): feature for feature in features}
    taken = set(feature_of.values())
    for name in free:
        key = bare_name(name)
        if not key or features_alike[key] != 1:
            continue
        feature = feature_of_bare[key]
        if _same_sign(name, feature) and (not once or (names_alike[key] == 1 and feature not in taken)):
            feature_of[name] = feature
    return feature_of


# ---- names that look like code or console output, also with a value behind them: these cause a question ----

_CODE = re.compile(r"<-|^\[\d+,?\]$|^>{1,3}$|^(?:c|list|array|Index|set|frozenset|dtype)\(|^dtype=|^['\"`]|['\"`]$")
_SIGNS = re.compile(r"[\"\[\]{}]|: |\(\d*[.,]\d+\)$")
_PAIRS = (("(", ")"), ("[", "]"), ("{", "}"))


class OddNames(Question):
    """Names that contain signs of code. `names` are all of them."""

    def __init__(self, names: tuple[str, ...], file: str = "") -> None:
        super().__init__(
            f"{counted(len(names), 'name')} {verb_for(len(names), 'hold')} quotation marks, brackets or other signs of code: "
            f"{listed(names)}. Are these features? If not, correct the file: it needs one list of names per run.",
            "names_are",
            {"features": "Yes, these are names of features"},
            file,
        )
        self.names = names


def refuse_odd_names(
    names: Iterable[str], answer: str | None = None, features: Iterable[str] = (), as_columns: bool = False, file: str = ""
) -> None:
    """Raise OddNames if names contain signs of code, unless the user accepted them or they are known features.

    as_columns: names of the columns of a table, which may hold a unit in brackets. file: its name, if several are read.
    """
    if answer == "features":
        return
    certain = set(map(str, features))
    odd = [
        name
        for name in names
        if name not in certain
        and (
            _CODE.search(name)
            or any(name.count(opens) != name.count(closes) for opens, closes in _PAIRS)
            or (not as_columns and _SIGNS.search(name))
        )
    ]
    if odd:
        raise OddNames(tuple(odd), file)


_WHOLE, _DIGITS = re.compile(r"[+-]?\d+", re.ASCII), re.compile(r"\d{1,4}", re.ASCII)
_OF_ROWS = re.compile(
    r"(?:.*[ _.-])?(?:id|nr|no|number|name|code|patient|pat|subject|sample|case|fall)[.#]?|.*(?:ID|Id|nr)", re.IGNORECASE
)
_BLOCK = 500_000  # cells held as Python strings at a time
MOSTLY_DIFFERENT = 20  # one in 20 row names may be a repetition
_INSPECTED_ROWS = 20  # rows to inspect for a header that is one cell short


def name_columns(contents: Rows | Columns) -> Columns:
    """The columns of a table, with its names in the first row.

    Raises MisplacedError, with line and column, for no rows, too many or few cells, and missing or repeated names.
    """
    if isinstance(contents, Columns):
        check_names(contents.names)
        return contents
    try:
        names, columns, lines = _named_columns(contents)
    except InputError as error:
        raise MisplacedError(str(error), contents.place) from None
    return Columns(names, columns, lines, contents.notes, contents.separator, contents.place, contents.units)


def _named_columns(contents):
    """(names, columns as arrow arrays, their line numbers)."""
    rows = iter(contents.rows)
    line, cells = next(rows, (0, None))
    if cells is None:
        raise InputError("There are only blank lines. The first line must hold the column names.")
    names = [cell.strip() for cell in cells]
    first = list(islice(rows, _INSPECTED_ROWS))
    if len(names) > 1 and len(first) > 1 and all(len(row) == len(names) + 1 for _, row in first):
        # Either every line ends with a separator, or R wrote row names without a heading.
        if any(row[-1].strip() for _, row in first):
            _refuse_split_numbers(names, line, first)
            names = ["", *names]
        else:
            names = [*names, ""]
    columns, lines, n_blank = _pack_columns(chain(first, rows), names)
    if not lines:
        raise InputError(f"Line {line} holds column names, but no rows follow.")
    if n_blank and contents.separator:
        contents.notes.append(f"Skipped: {counted(n_blank, 'line')} with only empty cells.")
    names, columns = _with_names(names, columns, line, contents.notes)
    numbers = [name for name in names if _is_number(name)]
    if len(numbers) == len(names) or any("." in name for name in numbers):
        contents.notes.append(
            f"Column names that are numbers: {len(numbers)} in line {line}. If this line is data, add a line of names above it."
        )
    return names, columns, lines


def _refuse_split_numbers(names, line, rows):
    """Refuse lines that may be one cell too long because a decimal comma separates cells, not because of row names of R."""
    counted = all(cells[0].strip() == str(i) for i, (_, cells) in enumerate(rows, 1))
    for j in range(len(names)):
        pairs = [(cells[j].strip(), cells[j + 1].strip()) for _, cells in rows]
        if not all(_WHOLE.fullmatch(a) and _DIGITS.fullmatch(b) for a, b in pairs) or j == 0 and counted:
            continue
        if any(b[0] == "0" and len(b) > 1 for _, b in pairs) or (not counted and _OF_ROWS.fullmatch(names[0])):
            raise InputError(
                f"The lines below line {line} have one cell more than it has names. Decimal commas probably split the numbers of "
                f"{quote(names[j])}. Save the table with semicolons between the cells, or with decimal points."
            )


def _with_names(names, columns, line, notes):
    """Names and columns after unnamed columns were dropped (no cells) or named (row names)."""
    filled = [j for j, name in enumerate(names) if name or any(cell.strip() for cell in columns[j].to_pylist())]
    if len(filled) < len(names):
        count = counted(len(names) - len(filled), "column")
        notes.append(f"Skipped: {count} with neither a name nor a filled cell.{_empty_column_advice(filled)}")
    names = [names[j] for j in filled]
    if len(names) > 1 and not names[0] and _are_row_names(columns[filled[0]]):
        names[0] = "row name" if "row name" not in names else "row name (first column)"
        notes.append(f"The first column has no name. (Nearly) all of its cells differ, so it is called {names[0]!r}.")
    check_names(names, filled, line)
    return names, [columns[j] for j in filled]


def _pack_columns(rows, names):
    """(arrow columns, line numbers, number of lines of empty cells), packed block by block to stay small in memory."""
    import pyarrow as pa

    width, blocks, block, lines, n_blank = len(names), [list[Any]() for _ in names], list[Any](), [], 0
    refuse_many_cells(1, width)

    def flush():
        for column, cells in zip(blocks, zip(*block, strict=True), strict=False):
            column.append(pa.array(cells, pa.string()))
        block.clear()

    for line, cells in rows:
        if width == 1 and len(cells) > 1:
            raise InputError(
                f"Line {line} has {len(cells)} cells, but there is only one column name. Delete titles above the names."
            )
        refuse_ragged(line, len(cells), width)
        if not any(cells):
            n_blank += 1
            continue
        block.append(cells)
        lines.append(line)
        if len(block) * width >= _BLOCK:
            refuse_many_cells(len(lines), width)
            flush()
    flush()
    refuse_many_cells(len(lines), width)
    return [pa.chunked_array(column, pa.string()) for column in blocks], lines, n_blank


def _are_row_names(column):
    """Whether the cells of an unnamed column differ like row names. Gene symbols may be repeated."""
    cells = [cell.strip() for cell in column.to_pylist()]
    n_repeated = len(cells) - len(set(cells))
    if not all(cells) or n_repeated * MOSTLY_DIFFERENT > len(cells):
        return False
    return not (n_repeated and any(map(_is_number, cells[:_INSPECTED_ROWS])))


def _is_number(name):
    try:
        return bool(np.isfinite(float(name)))
    except ValueError:
        return False


def _empty_column_advice(positions):
    """What to do if an empty column separates two tables, "" if no column is empty between these positions."""
    apart = positions and positions[-1] - positions[0] >= len(positions)
    return " If empty columns separate two tables, put each into a file or sheet of its own." if apart else ""


def check_names(names: list[str], positions: Sequence[int] | None = None, line: int | None = None) -> list[str]:
    """The names after a check that each column has a unique name. Raises InputError, with the line if known."""
    where = f" in line {line}" if line else ""
    for position, name in zip(positions or range(len(names)), names, strict=True):
        if not name:
            raise InputError(f"Column {position + 1} has no name{where}. Type a name above its cells, or delete the column.")
    if twice := [name for name, count in Counter(names).items() if count > 1]:
        beside = _empty_column_advice(positions or ())
        raise InputError(f"Column names must differ. These are repeated{where}: {listed(twice)}. Rename one of each.{beside}")
    return names
