"""Reading a relation C that people have already: a square matrix, or a list of pairs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from stabcore.io.cells import MISSING_MARKS, number
from stabcore.io.files import WORKBOOKS, load, parquet_rows, refuse_many_cells, workbook_rows
from stabcore.io.tables import clean_paste
from stabcore.io.text import decode, find_separator, records
from stabcore.errors import InputError
from stabcore.relation.relation import Relation
from stabcore.validation import ROUNDING
from stabcore.wording import listed, nearest, several, shown

PAIR_COLUMNS = (("feature_a", "feature_b", "value"), ("feature_i", "feature_j", "value"), ("i", "j", "value"))


@dataclass(frozen=True, eq=False)
class RelationReading:
    """A relation as it was understood, and what was assumed on the way, one plain sentence each."""

    relation: Relation
    notes: tuple[str, ...]


def read_relation(source, name=None, features=()) -> RelationReading:
    """Read C: a square matrix with names on both sides, on one or on none, or a list of feature_a, feature_b, value.

    source: path, bytes or file-like object (.csv, .tsv, .txt, each also .gz, .xlsx, .xls, .ods, .parquet), or pasted text when
    there is no name (a str is then always text). features: the d names of the data. A pair given once counts for its mirror image
    too; a pair that is empty or not there is 0; the order of rows and columns does not matter. Names that are not among the
    features are left aside with a note. Raises InputError, with line and column, for a cell that is no number from 0 to 1, a
    diagonal other than 1, a pair given twice with different values, a matrix that is not square, or when no name is known.
    """
    features = [str(one) for one in features]
    rows, notes = _rows(source, name)
    rows = [(line, [cell.strip() for cell in cells]) for line, cells in rows if any(cell.strip() for cell in cells)]
    if not rows:
        raise InputError("There is nothing but blank lines; give a square matrix, or a list of feature_a, feature_b, value.")
    head = tuple(cell.lower() for cell in rows[0][1])
    if any(set(columns) <= set(head) for columns in PAIR_COLUMNS):
        triples = _listed(rows, head)
    elif len(head) == 3 and set(rows[0][1][:2]) <= set(features) and _value(rows[0][1][2]) is not None:
        triples = _listed([(0, list(PAIR_COLUMNS[0])), *rows], PAIR_COLUMNS[0])
        notes.append("No names stand above the columns, which were taken as two features and the value of C.")
    elif len(rows[0][1]) == 3 and len(rows) > 1 and _value(rows[1][1][0]) is None and rows[1][1][1] in features:
        triples = _listed(rows, PAIR_COLUMNS[0])
        notes.append(f"The columns were taken as two features and the value of C: {listed(rows[0][1])}.")
    else:
        triples = _matrix(rows, features, notes)
    return _joined(triples, features, notes)


def _rows(source, name):
    """(rows of (line, cells), notes) of any file or of pasted text."""
    if isinstance(source, str) and name is None:
        text = clean_paste(source)
        return list(records(text, find_separator(text, spaces=True))), []
    data, name, ending = load(source, name)
    if ending == ".parquet":
        return parquet_rows(data, name), []
    if ending in WORKBOOKS:
        rows, first, notes = workbook_rows(data, name)
        return list(enumerate(rows, first)), notes
    text, notes = decode(data)
    return list(records(text, find_separator(text, spaces=ending == ".txt"))), notes


def _value(cell):
    """A number, also with a decimal comma; None for anything else."""
    value = number(cell)
    return number(cell.replace(",", ".")) if value is None and cell.count(",") == 1 else value


def _entry(cell, place):
    """The entry of C that a cell holds; None when it is empty."""
    if not cell or cell.lower() in MISSING_MARKS:
        return None
    value = _value(cell)
    if value is None or not -ROUNDING <= value <= 1 + ROUNDING:
        signed = " Give correlations without their sign." if value is not None and -1 - ROUNDING <= value < 0 else ""
        raise InputError(f"{_said(place)} holds {shown(cell)}; C is a number from 0 (unrelated) to 1 (the same).{signed}")
    return min(max(value, 0.0), 1.0)


def _listed(rows, head):
    """(feature, feature, value, place) of each line of a list; head: the names of its columns."""
    a, b, c = next([head.index(column) for column in columns] for columns in PAIR_COLUMNS if set(columns) <= set(head))
    entries = []
    for line, cells in rows[1:]:
        if len(cells) != len(rows[0][1]):
            raise InputError(f"Line {line} has {several(len(cells), 'cell')}, but line {rows[0][0]} has {len(rows[0][1])}; a pair "
                             "is two features and a value.")
        if not cells[a] or not cells[b]:
            raise InputError(f"Line {line} names only one feature of the pair; give both, or delete the line.")
        place = line, c + 1
        entries.append((cells[a], cells[b], _entry(cells[c], place), place))
    return entries


def _matrix(rows, features, notes):
    """(feature, feature, value, place) of each cell of a square matrix."""
    width = max(len(cells) for _, cells in rows)
    refuse_many_cells(len(rows), width)
    known, first = set(features), rows[0][1]
    top = _names_it(first, known)
    body = rows[1:] if top else rows
    side = bool(body) and _names_it([cells[0] for _, cells in body], known)
    n = len(body)
    if not n or any(len(cells) != n + side for _, cells in body):
        line, cells = next(((line, cells) for line, cells in body if len(cells) != n + side), rows[0])
        raise InputError(f"C must have one row and one column a feature, but it has {several(n, 'row')} and line {line} has "
                         f"{several(len(cells) - side, 'number')}. A list of pairs needs the columns feature_a, feature_b, value.")
    columns = first[len(first) - n:] if top else None
    lines = [cells[0] for _, cells in body] if side else columns
    columns = columns or lines
    if columns is None:
        if n != len(features):
            raise InputError(f"C has no names and is {n} × {n}, but the data has {len(features)} features; write the names of the "
                             "features above the columns.")
        lines = columns = features
        notes.append("C has no names, so its rows and columns were taken in the order of the features.")
    for names, where in ((columns, "column"), (lines, "row")):
        twice = next((one for i, one in enumerate(names) if one in names[:i]), None) if len(set(names)) < n else None
        if twice is not None or "" in names:
            raise InputError(f"Each {where} of C needs a name of its own; "
                             f"{shown(twice) + ' comes twice' if twice else 'one is empty'}.")
    if set(lines) != set(columns):
        raise InputError(f"The rows and the columns of C must name the same features; on one side only: "
                         f"{listed(sorted(set(lines) ^ set(columns)))}.")
    entries = _entries(body, side)
    told = (entries != 0) | (entries.T != 0 if lines == columns else True) | np.eye(n, dtype=bool)
    at = zip(*(part.tolist() for part in np.nonzero(told)), entries[told].tolist(), strict=True)
    return [(lines[i], columns[j], None if np.isnan(value) else value, (body[i][0], j + 1 + side)) for i, j, value in at]


def _entries(body, side):
    """(n, n) entries of C, NaN where a cell is empty."""
    try:
        entries = np.array([cells[side:] for _, cells in body], dtype=float)
        if ((entries >= 0) & (entries <= 1)).all():
            return entries
    except ValueError:
        pass
    return np.array([[_entry(cell, (line, j)) for j, cell in enumerate(cells[side:], 1 + side)] for line, cells in body],
                    dtype=float)


def _names_it(cells, known):
    """Whether a line of cells is names: they are features, or not numbers."""
    cells = [cell for cell in cells if cell]
    named = sum(cell in known or (_value(cell) is None and cell.lower() not in MISSING_MARKS) for cell in cells)
    return named * 2 > len(cells)


def _joined(triples, features, notes):
    """The relation of (feature, feature, value, place), each pair once."""
    from scipy.sparse import csr_array

    position = {name: i for i, name in enumerate(features)}
    given, strangers, seen = {}, {}, set()
    for one, other, value, place in triples:           # place: line and column
        if one not in position or other not in position:
            strangers.update(dict.fromkeys(name for name in (one, other) if name not in position))
            seen.update(name for name in (one, other) if name in position)
            continue
        seen.update((one, other))
        if value is None:
            continue
        if one == other:
            if abs(value - 1) > ROUNDING:
                raise InputError(f"{_said(place)} says {value:g} for {shown(one)} with itself; the diagonal of C is always 1.")
            continue
        pair = tuple(sorted((position[one], position[other])))
        before, where = given.setdefault(pair, (value, place))
        if abs(before - value) > ROUNDING:
            raise InputError(f"{_said(place)} gives {value:g} for {shown(one)} and {shown(other)}, but {_said(where).lower()} "
                             f"gives {before:g} for the same two; C is symmetric, so both must be equal.")
    if not triples:
        raise InputError("There are column names, but no pair of features follows; there is nothing to read.")
    if not seen:
        raise InputError(f"None of the names in C is a feature of the data: {_with_nearest(strangers, features)}.")
    if strangers:
        notes.append(f"Left aside, because they are not features of the data: {_with_nearest(strangers, features)}.")
    if len(seen) < len(features):
        alone = [name for name in features if name not in seen]
        notes.append(f"Not in C, so standing for themselves only: {several(len(alone), 'feature')}, {listed(alone)}.")
    kept = {pair: value for pair, (value, _) in given.items() if value > 0}
    i, j = np.array(list(kept), dtype=np.int64).reshape(-1, 2).T
    upper = csr_array((np.array(list(kept.values()), dtype=float), (i, j)), shape=(len(features),) * 2)
    relation = Relation(len(features), tuple(features), extra=(upper + upper.T).tocsr())
    notes.append(f"{several(relation.n_related, 'pair')} of features stand for each other.")
    return RelationReading(relation, tuple(notes))


def _said(place):
    return f"Line {place[0]}, column {place[1]}"


def _with_nearest(names, features):
    names = list(names)
    more = f" and {len(names) - 5} more" if len(names) > 5 else ""
    return ", ".join(f"{shown(name)}{nearest(name, features)}" for name in names[:5]) + more
