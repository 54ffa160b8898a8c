"""C from a file: a square matrix, or a list of pairs of features with a value."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from stabcore.base.errors import InputError
from stabcore.base.text import listed, nearest, several, shown
from stabcore.base.validation import ROUNDING
from stabcore.io.cells import MISSING_MARKS, number_with_comma
from stabcore.io.contents import as_rows, refuse_many_cells, refuse_ragged
from stabcore.io.decode import decode, decode_paste

if TYPE_CHECKING:
    from collections.abc import Iterable

    from stabcore.io.decode import Source

PAIR_COLUMNS = (("feature_a", "feature_b", "value"), ("feature_i", "feature_j", "value"), ("i", "j", "value"))


@dataclass(frozen=True, eq=False)
class FeaturePairs:
    """Pairs of similar features, with their similarity.

    Attributes
    ----------
    first, second : ndarray of int, shape (m,)
        Indices of the two features, the first below the second; each pair once.
    values : ndarray of float, shape (m,)
        In (0, 1].
    notes : tuple of str
        Assumptions, one plain sentence each.
    """

    first: np.ndarray
    second: np.ndarray
    values: np.ndarray
    notes: tuple[str, ...]


def read_pairs(source: Source, name: str | None = None, features: Iterable[str] = ()) -> FeaturePairs:
    """Read C: a square matrix with names on both sides, on one or on none, or a list of feature_a, feature_b, value.

    Parameters
    ----------
    source : path, bytes or file-like object
        .csv, .tsv, .txt (each also .gz), .xlsx, .xls, .ods or .parquet; or pasted text if there is no name (a str is then
        always text).
    name : str, optional
        File name with the ending of the format.
    features : iterable of str
        The d names of the data. Other names in the file are ignored with a note.

    Returns
    -------
    FeaturePairs
        A pair given once counts for its mirror image too. A pair that is empty or absent is 0. The order of rows and columns does
        not matter.

    Raises
    ------
    InputError
        With line and column, for a cell that is no number from 0 to 1, a diagonal other than 1, a pair given twice with different
        values, a matrix that is not square, or if no name is a feature.
    """
    features = [str(feature) for feature in features]
    contents = decode_paste(source) if isinstance(source, str) and name is None else decode(source, name)
    rows = [(line, cells) for line, cells in as_rows(contents) if any(cells)]
    notes = contents.notes
    if not rows:
        raise InputError("There are only blank lines. Give a square matrix, or a list of feature_a, feature_b, value.")
    head = tuple(cell.lower() for cell in rows[0][1])
    if any(set(columns) <= set(head) for columns in PAIR_COLUMNS):
        entries = _listed(rows, head)
    elif len(head) == 3 and set(rows[0][1][:2]) <= set(features) and number_with_comma(rows[0][1][2]) is not None:
        entries = _listed([(0, list(PAIR_COLUMNS[0])), *rows], PAIR_COLUMNS[0])
        notes.append("The columns have no names. They were read as two features and the value of C.")
    elif len(head) == 3 and len(rows) > 1 and number_with_comma(rows[1][1][0]) is None and rows[1][1][1] in features:
        entries = _listed(rows, PAIR_COLUMNS[0])
        notes.append(f"The columns were read as two features and the value of C: {listed(rows[0][1])}.")
    else:
        entries = _matrix(rows, features, notes)
    return _pairs(entries, features, notes)


def _value(cell, place):
    """The value of C in a cell; None when it is empty."""
    if not cell or cell.lower() in MISSING_MARKS:
        return None
    value = number_with_comma(cell)
    if value is None or not -ROUNDING <= value <= 1 + ROUNDING:
        signed = " Give correlations without their sign." if value is not None and -1 - ROUNDING <= value < 0 else ""
        raise InputError(f"{_describe(place)} holds {shown(cell)}. C is a number from 0 (unrelated) to 1 (the same).{signed}")
    return min(max(value, 0.0), 1.0)


def _listed(rows, head):
    """(feature, other, value, place) of each line of a list; head: the names of its columns."""
    a, b, c = next([head.index(column) for column in columns] for columns in PAIR_COLUMNS if set(columns) <= set(head))
    entries = []
    for line, cells in rows[1:]:
        refuse_ragged(line, len(cells), len(rows[0][1]))
        if not cells[a] or not cells[b]:
            raise InputError(f"Line {line} names only one feature of the pair. Give both, or delete the line.")
        place = line, c + 1
        entries.append((cells[a], cells[b], _value(cells[c], place), place))
    return entries


def _matrix(rows, features, notes):
    """(feature, other, value, place) of the cells of a square matrix, but for pairs that are 0 on both sides."""
    refuse_many_cells(len(rows), max(len(cells) for _, cells in rows))
    names, first = set(features), rows[0][1]
    top = _are_names(first, names)
    body = rows[1:] if top else rows
    side = bool(body) and _are_names([cells[0] for _, cells in body], names)
    n = len(body)
    if not n or any(len(cells) != n + side for _, cells in body):
        line, cells = next(((line, cells) for line, cells in body if len(cells) != n + side), rows[0])
        raise InputError(
            f"C must have one row and one column per feature, but it has {several(n, 'row')}, and line {line} has "
            f"{several(len(cells) - side, 'number')}. A list of pairs needs the columns feature_a, feature_b, value."
        )
    columns = first[len(first) - n :] if top else None
    lines = [cells[0] for _, cells in body] if side else columns
    columns = columns or lines
    if columns is None or lines is None:
        if n != len(features):
            raise InputError(
                f"C has no names and is {n} × {n}, but there are {len(features)} features. Add names above its columns."
            )
        lines = columns = features
        notes.append("C has no names, so its rows and columns were read in the order of the features.")
    for side_names, where in ((columns, "column"), (lines, "row")):
        twice = [name for name, count in Counter(side_names).items() if count > 1]
        if twice or "" in side_names:
            what = f"{shown(twice[0])} comes twice" if twice else "one is empty"
            raise InputError(f"Each {where} of C needs a name of its own, but {what}.")
    if odd := sorted(set(lines) ^ set(columns)):
        raise InputError(f"Rows and columns of C must name the same features. On one side only: {listed(odd)}.")
    values = _values(body, side)
    relevant = (values != 0) | (values.T != 0 if lines == columns else True) | np.eye(n, dtype=bool)
    places = zip(*(part.tolist() for part in np.nonzero(relevant)), values[relevant].tolist(), strict=True)
    return [(lines[i], columns[j], None if np.isnan(value) else value, (body[i][0], j + 1 + side)) for i, j, value in places]


def _values(body, side):
    """(n, n) values of C, NaN where a cell is empty."""
    try:
        values = np.array([cells[side:] for _, cells in body], dtype=float)
        if ((values >= 0) & (values <= 1)).all():
            return values
    except ValueError:
        pass
    return np.array(
        [[_value(cell, (line, j)) for j, cell in enumerate(cells[side:], 1 + side)] for line, cells in body], dtype=float
    )


def _are_names(cells, features):
    """Whether a line of cells is names: they are features, or not numbers."""
    cells = [cell for cell in cells if cell]
    named = sum(cell in features or (number_with_comma(cell) is None and cell.lower() not in MISSING_MARKS) for cell in cells)
    return named * 2 > len(cells)


def _pairs(entries, features, notes):
    """The pairs of features that the entries give, each once."""
    if not entries:
        raise InputError("There are column names, but no pair of features follows.")
    position = {name: i for i, name in enumerate(features)}
    given: dict[tuple[int, int], tuple[float, tuple[int, int]]] = {}
    named: dict[str, None] = {}
    for feature, other, value, place in entries:  # place: line and column
        named.update({feature: None, other: None})
        if value is None or feature not in position or other not in position:
            continue
        if feature == other:
            if abs(value - 1) > ROUNDING:
                raise InputError(
                    f"{_describe(place)} is {value:g} for {shown(feature)} with itself. The diagonal of C is always 1."
                )
            continue
        i, j = sorted((position[feature], position[other]))
        before, where = given.setdefault((i, j), (value, place))
        if abs(before - value) > ROUNDING:
            raise InputError(
                f"{_describe(place)} is {value:g} for {shown(feature)} and {shown(other)}, {_describe(where).lower()} is "
                f"{before:g} for the same two. C is symmetric, so both must be equal."
            )
    unknown_names = [f"{shown(name)}{nearest(name, features)}" for name in named if name not in position]
    more = f" and {len(unknown_names) - 5} more" if len(unknown_names) > 5 else ""
    unknown = ", ".join(unknown_names[:5]) + more
    if not named.keys() & position.keys():
        raise InputError(f"None of the names in C is a feature of the data: {unknown}.")
    if unknown:
        notes.append(f"Ignored, because they are not features of the data: {unknown}.")
    alone = [name for name in features if name not in named]
    if alone:
        notes.append(f"Not in C, so similar to no other feature: {several(len(alone), 'feature')}, {listed(alone)}.")
    positive = {pair: value for pair, (value, _) in given.items() if value > 0}
    notes.append(f"{several(len(positive), 'pair')} of features are similar.")
    first, second = np.array(list(positive), dtype=np.int64).reshape(-1, 2).T
    return FeaturePairs(first, second, np.array(list(positive.values()), dtype=float), tuple(notes))


def _describe(place):
    return f"Line {place[0]}, column {place[1]}"
