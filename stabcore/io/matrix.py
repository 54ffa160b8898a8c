"""Runs × features as numbers: where the names are, which cells are wrong, and what kind of numbers they are."""

from __future__ import annotations

import numpy as np

from stabcore.io.cells import number
from stabcore.io.intercept import COEFFICIENTS, SIZES
from stabcore.io.question import Question
from stabcore.io.rows import check_names
from stabcore.io.selection_words import FEATURE, RUN, word
from stabcore.errors import InputError
from stabcore.validation import default_names
from stabcore.wording import be, listed, several, shown

_RUN_WORDS = RUN | FEATURE | {"", "row", "row name", "rownames"}
_LOOK_AT = 50, 200      # rows and columns that tell numbers from names


def looks_like_matrix(rows) -> bool:
    """Whether rows, a list of (line, cells), are numbers by run and feature, not lists of feature names or numbers.

    Raises Question when every row holds the numbers 1 to d once, which may be ranks as well as sets.
    """
    if len(rows) < 2:
        return False
    sample = [cells[: _LOOK_AT[1]] for _, cells in rows[: _LOOK_AT[0]]]
    body = [cell for cells in sample[1:] for cell in (cells[1:] or cells) if cell]
    if sum(value_of(cell) is not None for cell in body) * 2 < len(body) or not body:
        return False
    if _is_text_header(sample[0]):
        return True
    values = [[value_of(cell) for cell in cells[value_of(cells[0]) is None:] if cell] for cells in sample]
    flat = [value for row in values for value in row]
    if set(flat) <= {0, 1} or any(value is None or value < 0 or not value.is_integer() for value in flat):
        return True
    if any(len(set(row)) < len(row) for row in values):
        return True
    if all(sorted(row) == list(range(1, len(values[0]) + 1)) for row in values):
        raise Question(f"Every line holds the numbers 1 to {len(values[0])} once; say whether these are ranks or sets of feature "
                       "numbers.", "kind", {"ranks": "Ranks: 1 is best", "sets": "Numbers of the features that were selected"})
    return False


def read_matrix(rows, kind, features=None, coefficients=False):
    """(kind, names (d,), runs (M,), matrix (M, d), notes) of rows, a list of (line, cells) whose cells are numbers.

    kind: None detects a selection matrix or importances. coefficients: of models for certain, so that their sign does not count
    although kind does not say so.
    Raises InputError with line and column of what is wrong.
    """
    rows = [(line, [cell.strip() for cell in cells]) for line, cells in rows]
    header, rows, notes = _take_header(rows, kind)
    _refuse_few_runs(len(rows))
    runs, header, rows = _take_run_names(header, rows, kind, notes)
    width = len(rows[0][1]) if header is None else len(header)
    names = _names(header, width, features, notes)
    for line, cells in rows:
        if len(cells) != width:
            raise InputError(f"Line {line} has {several(len(cells), 'number')}, but there are {width} features; each "
                             "run needs one number a feature, 0 where it was not selected.")
    matrix = _numbers(rows, names, kind in ("scores", "ranks"))
    kind, matrix = sizes(kind, matrix, coefficients, notes)
    kind = check_kind(matrix, kind, [line for line, _ in rows], names)
    notes.append(described(kind, len(rows), width))
    return kind, names, runs, matrix, notes


def sizes(kind, matrix, coefficients, notes):
    """(kind, matrix) with the sizes of coefficients as importances; notes grow by the sentence that says so."""
    if kind != COEFFICIENTS and not (coefficients and kind is None and (matrix < 0).any()):
        return kind, matrix
    notes.append(SIZES)
    return "importances" if kind == COEFFICIENTS else None, np.abs(matrix)


def described(kind, n_runs, n_features):
    """What a matrix was taken as."""
    return f"The rows were taken as {n_runs} runs and the columns as {n_features} features: {_KINDS[kind]}."


_KINDS = {"selection matrix": "1 is selected and 0 is not selected", "scores": "scores, where higher is better",
          "importances": "importances, where 0 is not selected", "ranks": "ranks, where 1 is best"}


def _refuse_few_runs(n_runs):
    if n_runs < 2:
        raise InputError(f"Stability compares runs, so at least 2 are needed, one a row; found {n_runs}.")


def value_of(cell):
    """The number that a cell is, also with a decimal comma, or None."""
    value = number(cell)
    return number(cell.replace(",", ".")) if value is None and cell.count(",") == 1 else value


def _is_text_header(cells):
    named = [cell for cell in (cells[1:] or cells) if cell]
    return sum(value_of(cell) is None for cell in named) * 2 > len(named)


def _take_header(rows, kind):
    """(header cells or None, the other rows, notes)."""
    first = rows[0][1]
    if _is_text_header(first):
        return first, rows[1:], []
    values = [value_of(cell) for cell in first]
    body = {cell for _, cells in rows[1:] for cell in cells[: _LOOK_AT[1]]}
    counted = values in ([float(i) for i in range(len(first))], [float(i + 1) for i in range(len(first))])
    distinct = len(set(values)) == len(values) > 2 and None not in values
    if distinct and kind not in ("scores", "ranks") and (body <= {"0", "1"} or (counted and "0" in body)):
        return first, rows[1:], [f"Line {rows[0][0]} was taken as the names of the features, although they are numbers."]
    return None, rows, []


def _take_run_names(header, rows, kind, notes):
    """(runs, header, rows) with the column of run names taken off, if there is one."""
    first = [cells[0] for _, cells in rows]
    short = header is not None and all(len(cells) == len(header) + 1 for _, cells in rows)
    named = header is not None and word(header[0]) in _RUN_WORDS
    if len(rows[0][1]) > 1 and (short or named or all(cell and value_of(cell) is None for cell in first)
                                or _is_counting(first, kind, notes)):
        header = header if short or header is None else header[1:]
        return tuple(first), header, [(line, cells[1:]) for line, cells in rows]
    return tuple(f"run {i + 1}" for i in range(len(rows))), header, rows


def _is_counting(cells, kind, notes):
    counting = len(cells) > 2 and kind not in ("scores", "ranks") and any(
        cells == [str(i + start) for i in range(len(cells))] for start in (0, 1))
    if counting:
        notes.append("The first column counts the rows, so it was taken as the names of the runs.")
    return counting


def _names(header, width, features, notes):
    if header is None:
        if features and len(features) != width:
            raise InputError(f"The rows have {width} numbers, but {len(features)} feature names were given; there must "
                             "be one a feature.")
        if not features:
            notes.append("The columns have no names, so the features are called f1, f2, and so on.")
        return features or default_names(width)
    names = tuple(check_names(header))
    if features and set(features) != set(names):
        wrong = sorted(set(features) ^ set(names))
        raise InputError(f"The feature names differ from those that were given: {listed(wrong)}.")
    return names


def _numbers(rows, names, may_be_empty):
    """(M, d) floats; NaN for an empty cell where that is allowed."""
    try:
        matrix = np.array([cells for _, cells in rows], dtype=float)
        if np.isfinite(matrix).all():
            return matrix
    except ValueError:
        pass
    matrix = np.full((len(rows), len(names)), np.nan)
    for i, (line, cells) in enumerate(rows):
        for j, cell in enumerate(cells):
            value = value_of(cell)
            if value is not None and np.isfinite(value):
                matrix[i, j] = value
            elif cell or not may_be_empty:
                what = f"holds {shown(cell)}, which is not a finite number" if cell else "is empty"
                raise InputError(f"{_place(line, names, j)} {what}; write 0 if the run did not select the feature.")
    return matrix


def _place(line, names, column):
    return f"{line if isinstance(line, str) else f'Line {line}'}, column {column + 1} ({shown(names[column])})"


def _ask_when_negative(matrix, lines, names):
    """Numbers of which some are below 0 are neither 0/1 nor importances; of coefficients the others are mostly 0."""
    below = int((matrix < 0).sum())
    if not below:
        return
    zero = float((matrix == 0).mean())
    i, j = np.argwhere(matrix < 0)[0]
    place = _place(lines[i], names, j)
    size = "0 is not selected and of the others the size counts" if zero else "the size counts and every feature was selected"
    raise Question(f"{several(below, 'number')} {be(below)} below 0 (first in {place[0].lower()}{place[1:]}) and "
                   f"{f'{zero:.0%} of all are 0' if zero else 'none is 0'}. What are they? Of coefficients {size}; of scores those "
                   "below 0 are worst. If they are measurements of patients, bring them as a table.", "kind",
                   {COEFFICIENTS: "Coefficients of models", "scores": "Scores: higher is better"})


def check_kind(matrix, kind, lines, names):
    """The kind of a matrix, once its cells are sure to be of that kind; lines: the number or name of each row, for sentences."""
    def refuse(wrong, allowed):
        if wrong.any():
            i, j = np.argwhere(wrong)[0]
            raise InputError(f"{_place(lines[i], names, j)} holds {matrix[i, j]:g}; {allowed}.")

    other = (matrix != 0) & (matrix != 1)
    if kind is None:
        _ask_when_negative(matrix, lines, names)
        # Ones among the selected cells are the rule in a selection matrix and the exception among importances.
        kind = "selection matrix" if other.sum() < (matrix == 1).sum() else "importances"
    if kind == "selection matrix":
        refuse(other, "a selection matrix holds only 0 (not selected) and 1 (selected), so correct the cell, or if "
               "these are importances choose 'importances'")
    if kind == "importances":
        refuse(matrix < 0, "an importance is 0 (not selected) or above, so if these are scores choose 'scores', if coefficients "
               "'coefficients'")
    if kind == "ranks":
        refuse(matrix < 1, "the best rank is 1 and the others are higher")
    return kind
