"""Matrices of runs × features: the side of the runs, names, cells and kind of numbers."""

from itertools import zip_longest

import numpy as np

from stabcore.base.errors import InputError
from stabcore.base.text import counted, is_or_are, listed, quote
from stabcore.base.validation import default_names
from stabcore.io.cells import parse_number_with_comma
from stabcore.io.choices import Question
from stabcore.io.contents import refuse_ragged
from stabcore.io.names import check_names
from stabcore.io.selection_source import (
    COEFFICIENTS,
    FEATURE,
    RUN,
    SIZES,
    is_counting,
    is_intercept,
    is_nameless,
    is_run,
    normal_name,
    yes_no_words,
)

_RUN_WORDS = RUN | FEATURE | {"", "row", "row name", "rownames"}
_LOOK_AT = 50, 200  # rows and columns to inspect for names


def looks_like_matrix(rows) -> bool:
    """Whether rows, a list of (line, cells), are numbers by run and feature, not lists of feature names or numbers.

    Raises Question if every row holds the numbers 1 to d once, which may be ranks or sets.
    """
    if len(rows) < 2:
        return False
    sample = [cells[: _LOOK_AT[1]] for _, cells in rows[: _LOOK_AT[0]]]
    body = [cell for cells in sample[1:] for cell in (cells[1:] or cells) if cell]
    if sum(parse_number_with_comma(cell) is not None for cell in body) * 2 < len(body) or not body:
        return False
    if _is_text_header(sample[0]):
        return True
    values = [
        [parse_number_with_comma(cell) for cell in cells[parse_number_with_comma(cells[0]) is None :] if cell] for cells in sample
    ]
    flat = [value for row in values for value in row]
    if set(flat) <= {0, 1} or any(value is None or value < 0 or not value.is_integer() for value in flat):
        return True
    if any(len(set(row)) < len(row) for row in values):
        return True
    if all(set(row) == set(range(1, len(values[0]) + 1)) for row in values):  # no row holds a number twice
        raise Question(
            f"Every line holds the numbers 1 to {len(values[0])} once. Are these ranks or sets of feature numbers?",
            "kind",
            {"ranks": "Ranks: 1 is best", "sets": "Numbers of the features that were selected"},
        )
    return False


def read_selection_matrix(rows, kind, features=None, coefficients=False):
    """(kind, names (d,), runs (M,), matrix (M, d), notes) of rows, a list of (line, cells) whose cells are numbers.

    kind: None detects a selection matrix or importances. coefficients: whether these are known to be coefficients of models, whose
    sign does not count although kind is None. Raises InputError with line and column of the error.
    """
    rows = [(line, [cell.strip() for cell in cells]) for line, cells in rows]
    header, rows, notes = _take_header(rows, kind)
    if len(rows) < 2:
        raise InputError(f"Stability compares runs, so at least 2 are needed, one per row. Found {len(rows)}.")
    runs, header, rows = _take_run_names(header, rows, kind, notes)
    width = len(rows[0][1]) if header is None else len(header)
    names = _names(header, width, features, notes)
    for line, cells in rows:
        refuse_ragged(line, len(cells), width, "features")
    matrix = _numbers(rows, names, kind in ("scores", "ranks"))
    kind, matrix = absolute_importances(kind, matrix, coefficients, notes)
    kind = check_kind(matrix, kind, [line for line, _ in rows], names)
    notes.append(describe_matrix(kind, len(rows), width))
    return kind, names, runs, matrix, notes


def absolute_importances(kind, matrix, coefficients, notes):
    """(kind, matrix) with the absolute values of coefficients as importances. Adds a note."""
    if kind != COEFFICIENTS and not (coefficients and kind is None and (matrix < 0).any()):
        return kind, matrix
    notes.append(SIZES)
    return "importances" if kind == COEFFICIENTS else None, np.abs(matrix)


def describe_matrix(kind, n_runs, n_features):
    """The note on the content of a matrix."""
    return f"The rows are {n_runs} runs, the columns {n_features} features: {_KINDS[kind]}."


_KINDS = {
    "selection matrix": "1 is selected and 0 is not selected",
    "scores": "scores, where higher is better",
    "importances": "importances, where 0 is not selected",
    "ranks": "ranks, where 1 is best",
}


def _is_text_header(cells):
    named = [cell for cell in (cells[1:] or cells) if cell]
    return sum(parse_number_with_comma(cell) is None for cell in named) * 2 > len(named)


def _take_header(rows, kind):
    """(header cells or None, the other rows, notes)."""
    first = rows[0][1]
    if _is_text_header(first):
        return first, rows[1:], []
    values = [parse_number_with_comma(cell) for cell in first]
    body = {cell for _, cells in rows[1:] for cell in cells[: _LOOK_AT[1]]}
    counted = values in ([float(i) for i in range(len(first))], [float(i + 1) for i in range(len(first))])
    distinct = len(set(values)) == len(values) > 2 and None not in values
    if distinct and kind not in ("scores", "ranks") and (body <= {"0", "1"} or (counted and "0" in body)):
        return first, rows[1:], [f"Line {rows[0][0]} was read as the names of the features, although they are numbers."]
    return None, rows, []


def _take_run_names(header, rows, kind, notes):
    """(runs, header, rows) without the column of run names, if there is one."""
    first = [cells[0] for _, cells in rows]
    named = header is not None and normal_name(header[0]) in _RUN_WORDS
    named = named or all(cell and parse_number_with_comma(cell) is None for cell in first)
    counting = not named and len(first) > 2 and kind not in ("scores", "ranks") and is_counting(first)
    if len(rows[0][1]) > 1 and (named or counting):
        if counting:
            notes.append("The first column counts the rows, so it was read as the names of the runs.")
        return tuple(first), header and header[1:], [(line, cells[1:]) for line, cells in rows]
    return tuple(f"run {i + 1}" for i in range(len(rows))), header, rows


def _names(header, width, features, notes):
    if header is None:
        if features and len(features) != width:
            raise InputError(f"The rows have {width} numbers, but there are {len(features)} feature names.")
        if not features:
            notes.append("The columns have no names, so the features are called f1, f2, and so on.")
        return features or default_names(width)
    names = tuple(check_names(header))
    if features and (odd := sorted(set(features) ^ set(names))):
        raise InputError(f"The feature names of the file differ from those given: {listed(odd)}.")
    return names


def _numbers(rows, names, may_be_empty):
    """(M, d) floats, NaN for an empty cell if allowed."""
    try:
        matrix = np.array([cells for _, cells in rows], dtype=float)
        if np.isfinite(matrix).all():
            return matrix
    except ValueError:
        pass
    matrix = np.full((len(rows), len(names)), np.nan)
    for i, (line, cells) in enumerate(rows):
        for j, cell in enumerate(cells):
            if cell or not may_be_empty:
                matrix[i, j] = finite_number(cell, f"Line {line}, column {j + 1} ({quote(names[j])})")
    return matrix


def finite_number(cell: str, place: str) -> float:
    """The number of a cell, possibly with a decimal comma. Raises InputError, with the place, for anything else."""
    value = parse_number_with_comma(cell)
    if value is None or not np.isfinite(value):
        what = f"holds {quote(cell)}, which is not a finite number" if cell else "is empty"
        raise InputError(f"{place} {what}. Write 0 if the run did not select the feature.")
    return value


def _place(line, names, column):
    return f"{line if isinstance(line, str) else f'Line {line}'}, column {column + 1} ({quote(names[column])})"


def _ask_when_negative(matrix, lines, names):
    """Negative numbers are neither 0/1 nor importances. Coefficients are mostly 0."""
    if below := int((matrix < 0).sum()):
        place = _place(lines[np.argwhere(matrix < 0)[0][0]], names, np.argwhere(matrix < 0)[0][1])
        share = f"{(matrix == 0).mean():.0%} of all are 0."
        raise Question(
            f"{counted(below, 'number')} {is_or_are(below)} below 0, the first in {place[0].lower()}{place[1:]}. {share} What are "
            "they? For coefficients, the size counts and 0 is not selected. For scores, the lowest are the worst. If these are "
            "measurements of patients, upload them as a table.",
            "kind",
            {COEFFICIENTS: "Coefficients of models", "scores": "Scores: higher is better"},
        )


def check_kind(matrix, kind, lines, names):
    """The kind of a matrix after a check of its cells. lines: the number or name of each row, for messages."""
    other = (matrix != 0) & (matrix != 1)
    if kind is None:
        _ask_when_negative(matrix, lines, names)
        # Most selected cells are 1 in a selection matrix, but few are 1 among importances.
        kind = "selection matrix" if other.sum() < (matrix == 1).sum() else "importances"
    wrong, allowed = {
        "selection matrix": (
            other,
            "A selection matrix holds only 0 and 1. Correct the cell, delete the column if it is no feature, "
            "or choose 'importances'",
        ),
        "importances": (matrix < 0, "An importance must be at least 0. If these are scores or coefficients, choose that kind"),
        "ranks": (matrix < 1, "Ranks must be 1 or more, and 1 is the best"),
    }.get(kind, (np.zeros(matrix.shape, dtype=bool), ""))
    if wrong.any():
        i, j = np.argwhere(wrong)[0]
        raise InputError(f"{_place(lines[i], names, j)} holds {matrix[i, j]:g}. {allowed}.")
    return kind


# ---- the side of the runs, from the names or else by a question ----

SIDES = {"rows": "Each row is a run", "columns": "Each column is a run"}
LONG_ROWS, LONG_RATIO = 500, 10  # smallest numbers of rows, and of rows per column, at which unnamed rows are probably not runs


def transposed(rows):
    """Rows and columns swapped. Short rows are filled with blanks."""
    return [(j, list(column)) for j, column in enumerate(zip_longest(*(cells for _, cells in rows), fillvalue=""), 1)]


def runs_as_rows(rows, runs_in=None):
    """(rows with one run each, notes) of a matrix of numbers, a list of (line, cells), possibly with names on two sides.

    runs_in: "rows" or "columns" decides. Raises Question if neither names nor shape show where the runs are.
    """
    why = "as chosen" if runs_in else "because the columns are named like runs or the rows like features"
    if (runs_in or _side_of_runs(rows)) != "columns":
        return rows, []
    for line, cells in rows[1:]:
        refuse_ragged(line, len(cells), len(rows[-1][1]))
    return transposed(rows), [f"Each column was read as a run and each row as a feature, {why}."]


def _side_of_runs(rows):
    """The side of the runs by names and shape. Raises Question if they do not decide."""
    if len(rows) < 2:
        return "rows"
    head = rows[0][1]
    header = _is_text_header(head)
    body = rows[1:] if header else rows
    side = [cells[0] for _, cells in body]
    corner = normal_name(head[0]) if header else ""
    texts_beside = all(cell and parse_number_with_comma(cell) is None for cell in side)
    named = texts_beside or (header and (corner == "" or corner in RUN | FEATURE))
    columns = head[int(named) :] if header else []
    n_rows, n_columns = len(body), len(body[0][1]) - named
    runs_beside = named and (corner in RUN or all(map(is_run, side)))
    features_beside = named and not runs_beside and texts_beside and not all(map(is_nameless, side))
    runs_above = header and all(map(is_run, columns))
    features_above = header and not runs_above and not all(map(is_nameless, columns))
    if runs_above and runs_beside:
        ask_side_of_runs(n_rows, n_columns, "Both are named like runs.")
    if runs_above or (named and corner in FEATURE and not runs_beside):
        return "columns"
    if features_beside and header and not features_above:
        ask_side_of_runs(n_rows, n_columns, "The rows have names, the columns only numbers.")
    long = n_rows >= LONG_ROWS and n_rows >= LONG_RATIO * n_columns
    if runs_beside or (features_above and not features_beside and not long):
        return "rows"
    if n_rows > n_columns:
        ask_side_of_runs(n_rows, n_columns, "The names do not show which are runs.")
    return "rows"


def ask_side_of_runs(n_rows, n_columns, because):
    """Raise the question which side the runs are on."""
    raise Question(
        f"There are {n_rows:,} rows and {n_columns:,} columns. {because} Is each row or each column a run?",
        "runs_in",
        {
            "rows": f"Each row is a run: {n_rows:,} runs of {n_columns:,} features",
            "columns": f"Each column is a run: {n_columns:,} runs of {n_rows:,} features",
        },
    )


def without_intercept(rows: list) -> tuple[list, str | None]:
    """(rows, side) of a matrix, a list of (line, cells), without the constant. side: the side of the runs, None without one."""
    beside = [bool(cells) and is_intercept(cells[0]) for _, cells in rows]
    if any(beside[1:]):
        return [row for row, constant in zip(rows, beside, strict=True) if not constant], "columns"
    place = next((j for j, cell in enumerate(rows[0][1]) if is_intercept(cell)), None) if rows else None
    if place is None:
        return rows, None
    return [(line, [*cells[:place], *cells[place + 1 :]]) for line, cells in rows], "rows"


# ---- selections written as TRUE/FALSE, yes/no or a cross in a cell ----

_LOOK_AT_WORDS = 200, 500  # rows and columns to inspect for words


def words_as_numbers(rows):
    """(rows, notes) with yes as 1 and no as 0, if the rows below their names hold these, else unchanged.

    A blank cell means no only in a table with column names whose other cells are crosses. Other cells are unchanged, so that
    errors name them.
    """
    width = max((len(cells) for _, cells in rows), default=0)
    if len(rows) < 2 or width < 2:
        return rows, []
    full = [[*cells, *[""] * (width - len(cells))] for _, cells in rows]
    pair = yes_no_words([cell for cells in full[1 : _LOOK_AT_WORDS[0]] for cell in cells[1 : _LOOK_AT_WORDS[1]]])
    if pair is None:
        return rows, []
    top = _others(full[0][1:], pair)
    side = _others([cells[0] for cells in full[1:]], pair)
    ragged = any(len(cells) != width for _, cells in rows[1:])
    if not pair[1] and (ragged or not (top and all(rows[0][1][side:]))):
        return rows, []  # without names above all columns, blanks are more likely gaps in a list
    number = {pair[0]: "1", pair[1]: "0"}
    read = {cell: number.get(cell.casefold(), cell) for cell in {cell for cells in full for cell in cells}}
    replaced = [
        (line, [*cells[:side], *map(read.get, cells[side:])]) for (line, _), cells in zip(rows[top:], full[top:], strict=True)
    ]
    yes, no = (next((cell for cells in full for cell in cells if cell.casefold() == word), word) for word in pair)
    return [*rows[:top], *replaced], [describe_yes_no(yes, no)]


def describe_yes_no(yes, no):
    """The note on words that were read as selected and not selected."""
    return f"{quote(yes)} was read as selected (1) and {quote(no) if no else 'a blank cell'} as not selected (0)."


def _others(cells, pair):
    """Whether most of these are other words than yes and no, as names are."""
    return sum(cell.casefold() in pair and bool(cell or not pair[1]) for cell in cells) * 2 < len(cells)
