"""The kind of each column of a table, and why, for screens and studies."""

from dataclasses import dataclass

import numpy as np

from stabcore.base.text import counted, quote
from stabcore.io.cells import PAIRS, are_codes, holds_two_numbers, is_date, is_unknown, parse_number, read_cells
from stabcore.io.check import ONE_A_COLUMN, example_with_unit
from stabcore.io.contents import column_texts

USABLE = ("number", "category", "yes-no")
# Reasons to leave out other kinds automatically. "mixed" is missing, because the user must decide.
REASONS = {
    "empty": "no cell is filled",
    "constant": "all filled cells hold the same value",
    "date": "dates are not measurements",
    "text": "its texts are names, identifiers or free text, not categories",
}
TWO_NUMBERS = f"Most of its cells hold two numbers, as blood pressures and times of day do. {ONE_A_COLUMN}"
MAX_LEVELS = 50
MAX_CLASSES = 20
_BEFORE_NUMBERS = "+-( €$£¥EURSDCHFGBP"  # signs and currencies, as in € 12
_LOOK_AT = 50  # texts to inspect for numbers

_YES_NO = [set(pair) for pair in PAIRS]


@dataclass(frozen=True, eq=False)
class Column:
    """One column of n rows. values (n,) are numbers, or codes of `levels`. NaN is missing.

    why: an explanation beyond its kind and its example, mostly "".
    kind: "number", "category", "yes-no", "date", "text", "mixed" (numbers with some text), "empty" or "constant".
    problem: why it cannot be a feature, if the user must decide.
    """

    name: str
    kind: str
    why: str
    distinct: int
    missing: int
    example: str
    values: np.ndarray
    levels: tuple[str, ...] = ()
    problem: str = ""


def describe_columns(frame) -> list[Column]:
    """One Column for each column of a DataFrame."""
    from pandas.api.types import is_bool_dtype, is_numeric_dtype

    names = [str(name) for name in frame.columns]
    kinds = list(frame.dtypes)
    numeric = [j for j, kind in enumerate(kinds) if is_numeric_dtype(kind) and not is_bool_dtype(kind)]
    values = frame.iloc[:, numeric].to_numpy(dtype=float, na_value=np.nan) if numeric else np.empty((len(frame), 0))
    understood = dict(zip(numeric, _number_columns([names[j] for j in numeric], values, frame.index), strict=True))
    return [understood[j] if j in understood else _text_or_date_column(names[j], frame.iloc[:, j]) for j in range(len(names))]


def row_place(index, row: int) -> str:
    """The position of a row: its line in the file, or its number from 1."""
    return f"line {index[row]}" if index.name == "line" else f"row {row + 1}"


# ---- numbers ----


def _number_columns(names, values, index, why=""):
    """Columns of numbers, all at once for speed, because a table can have thousands."""
    ordered = np.sort(np.ascontiguousarray(values.T), axis=1)  # missing cells come last
    missing = np.isnan(values).sum(axis=0)
    with np.errstate(invalid="ignore"):
        distinct = ((ordered[:, 1:] != ordered[:, :-1]) & ~np.isnan(ordered[:, 1:])).sum(axis=1)
    distinct += missing < len(values)
    last = np.maximum(len(values) - missing - 1, 0)
    infinite = np.isinf(values).any(axis=0)
    for j, name in enumerate(names):
        ends = (ordered[j, 0], ordered[j, last[j]]) if len(values) else (0, 0)
        problem = _problem_infinite(name, values[:, j], index) if infinite[j] else ""
        yield _number_column(name, values[:, j], int(distinct[j]), int(missing[j]), ends, why, problem)


def _number_column(name, values, distinct, missing, ends, why, problem):
    if distinct <= 1:
        return _degenerate_column(name, values, format_short_number(ends[0]) if distinct else "", missing)
    example = "0, 1" if distinct == 2 and ends == (0, 1) else f"{format_short_number(ends[0])} to {format_short_number(ends[1])}"
    return Column(name, "number", problem or why, distinct, missing, example, values, problem=problem)


def format_short_number(value) -> str:
    """A number of a table in at most six digits, whole numbers as they are, others in three or as a whole number."""
    whole = value == np.round(value) or abs(value) >= 1000
    return (f"{value:.6g}" if whole else f"{value:#.3g}".rstrip(".")).replace("-", "−")


def _problem_infinite(name, values, index):
    row = int(np.flatnonzero(np.isinf(values))[0])
    return f"{quote(name)} is infinite in {row_place(index, row)}. Correct the cell, empty it, or leave the column out."


def _degenerate_column(name, values, only, missing, levels=()):
    if not only:
        return Column(name, "empty", "No cell is filled.", 0, missing, "", values)
    why = "Every row holds the same value."
    if missing:
        why = f"Every filled cell holds the same value, and {missing} are empty. If empty means no, write no in the cells."
    return Column(name, "constant", why, 1, missing, only[:60], values, levels)


# ---- everything else ----


def _text_or_date_column(name, column):
    from pandas.api.types import is_bool_dtype, is_datetime64_any_dtype, is_timedelta64_dtype

    if is_datetime64_any_dtype(column.dtype) or is_timedelta64_dtype(column.dtype):
        return _text_column(name, column_texts(column), column.index, dates=True)
    written = column_texts(column)
    cells = read_cells(written)
    if cells.numbers is not None and column.index.name == "line":  # a file, in which commas elsewhere may be decimal commas
        cells = with_commas if (with_commas := read_cells(written, "decimal")).comma == "either" else cells
    if cells.numbers is not None:
        why = {"decimal": " with a decimal comma", "thousands": " with commas between thousands"}.get(cells.comma, "")
        why = "" if np.isnan(cells.numbers).all() else f"Every filled cell is a number, written as text{why}."
        return next(_number_columns([name], cells.numbers[:, None], column.index, why))
    texts = np.asarray(cells.texts)
    if cells.truths or is_bool_dtype(column.dtype):
        texts = np.array([None if text is None else text.capitalize() for text in texts], dtype=object)
    dates = all(text is None or is_date(text) for text in texts)
    return _text_column(name, texts, column.index, dates, cells.comma)


def _text_column(name, texts, index, dates, comma=""):
    filled = np.array([text is not None for text in texts], dtype=bool)
    distinct, codes = np.unique(np.array([text for text in texts if text is not None], dtype=object), return_inverse=True)
    levels, counts, missing = tuple(distinct), np.bincount(codes).tolist(), int((~filled).sum())
    values = np.full(len(texts), np.nan)
    values[filled] = codes
    if len(levels) < 2:
        return _degenerate_column(name, values, levels[0] if levels else "", missing, levels)
    example = ", ".join(level[:20] for level in levels[:3]) + (", …" if len(levels) > 3 else "")

    def column(kind, why, problem="", example=example):
        return Column(name, kind, why, len(levels), missing, example, values, levels, problem)

    if dates:
        why = "Every filled cell is a date. If it matters, compute a duration or an age from it."
        return column("date", why, example=f"{levels[0][:30]} to {levels[-1][:30]}")
    problem = _problem_comma(name, levels) if comma == "either" else _problem_text(name, texts, levels, counts, index)
    if problem := problem or _problem_unit(name, levels, counts):
        return column("mixed", problem, problem)
    if len(levels) == 2 and {level.lower() for level in levels} in _YES_NO:
        return column("yes-no", "")
    if len(levels) <= min(MAX_LEVELS, max(2, sum(counts) / 2)):
        return column("category", "Leading zeros show that its texts are codes." if are_codes(levels, counts) else "")
    if 2 * sum(map(holds_two_numbers, levels)) > len(levels):
        return column("text", TWO_NUMBERS)
    if max(counts) == 1:
        return column("text", "All cells differ, like names or identifiers.")
    return column("text", f"It has {len(levels)} different texts, too many for a category. Group them if the column matters.")


def _problem_comma(name, levels):
    example = next(level for level in levels if "," in level or "." in level)
    what = f"{quote(name)} holds ambiguous numbers such as {quote(example)}"
    return f"{what}. Write them with a decimal point and no thousands separator, or leave the column out."


def _problem_unit(name, levels, counts):
    """The problem of a column of numbers with units, which would otherwise be texts."""
    if not any(level[:5].lstrip(_BEFORE_NUMBERS)[:1].isdigit() for level in levels[:_LOOK_AT]):
        return ""
    example = example_with_unit(dict(zip(levels, counts, strict=True)))
    what = f"{quote(name)} is a column of numbers with units or brackets, such as {quote(example)}"
    return example and f"{what}. Choose on Data how to read them, or leave the column out."


def _problem_text(name, texts, levels, counts, index):
    """The problem of a column of numbers in which some cells are text, "" for other columns."""
    numbers = {level: parse_number(level) for level in levels}
    filled = sum(counts)
    n_numbers = sum(count for level, count in zip(levels, counts, strict=True) if numbers[level] is not None)
    if n_numbers * 2 < filled or n_numbers == filled or are_codes(levels, counts):
        return ""
    all_whole = all(value is None or value.is_integer() for value in numbers.values())
    texts_only = [level for level in levels if numbers[level] is None]
    unclear = any(level.startswith(("<", ">", "≤", "≥", "~", "≈", "(")) or is_unknown(level) for level in texts_only)
    if all_whole and len(levels) <= 10 and not unclear:
        return ""  # stages such as 1, 2, 3, 4a
    rows = [i for i, text in enumerate(texts) if text is not None and numbers[text] is None]
    cells = ", ".join(f"{quote(texts[i], 20)} ({row_place(index, i)})" for i in rows[:5])
    more = f" and {len(rows) - 5} more" if len(rows) > 5 else ""
    where = f"text in {counted(len(rows), 'cell')}: {cells}{more}"
    return f"{quote(name)} is a column of numbers with {where}. Correct or empty the cells, or leave the column out."
