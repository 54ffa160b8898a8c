"""Which column is what: the target and its classes, the patient, and the columns that are left out."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from stabcore.dataset.columns import MOST_CLASSES, place, understand
from stabcore.errors import InputError
from stabcore.reading.rows import check_names
from stabcore.words import listed, nearest, several, shown

FEWEST_ROWS = 10


@dataclass(frozen=True, eq=False)
class Roles:
    """The rows that have a target (n,), their class codes (n,), the class names, the columns left out on request."""

    rows: np.ndarray
    codes: np.ndarray
    classes: tuple[str, ...]
    excluded: frozenset[str]
    notes: tuple[str, ...]


def assign(frame, target, exclude=(), same_patient=None) -> Roles:
    """Settle the roles. Raises InputError for names that do not exist or clash, and a target without classes."""
    names = check_names([str(name) for name in frame.columns])
    target, exclude = str(target), [exclude] if isinstance(exclude, str) else [str(name) for name in exclude]
    for name in [target, *exclude, *([] if same_patient is None else [str(same_patient)])]:
        if name not in names:
            raise InputError(f"There is no column {shown(name)}{nearest(name, names)}; the columns are "
                             f"{listed(names, 10)}.")
    if target in exclude or target == str(same_patient):
        raise InputError(f"{shown(target)} is the target, so it cannot be left out or name the patients; choose "
                         "another column.")
    column = understand(frame.iloc[:, [names.index(target)]])[0]
    rows = np.flatnonzero(~np.isnan(column.values))
    if len(rows) < FEWEST_ROWS:
        raise InputError(f"There are {len(rows)} rows with a value for {shown(target)}; at least {FEWEST_ROWS} are "
                         "needed.")
    _refuse_no_classes(column, len(rows))
    found, codes = np.unique(column.values[rows], return_inverse=True)
    classes = tuple(column.levels[int(value)] if column.levels else _number_name(value) for value in found)
    _refuse_single(target, classes, codes, rows, frame.index)
    dropped = len(frame) - len(rows)
    notes = (f"Left out: {several(dropped, 'row')} without a value for {shown(target)}.",) if dropped else ()
    return Roles(rows, codes, classes, frozenset(exclude), notes)


def _number_name(value):
    return str(int(value)) if value == int(value) else repr(float(value))


def _refuse_no_classes(column, n_rows):
    name = shown(column.name)
    if column.problem:
        raise InputError(f"{column.problem.rsplit(', or leave', 1)[0]}, or choose another target.")
    if column.distinct < 2:
        raise InputError(f"The target {name} has only one value, {column.example!r}, so there is nothing to tell "
                         "apart; choose another target.")
    if column.kind == "date":
        raise InputError(f"The target {name} holds dates, but a target must be 2 to {MOST_CLASSES} classes; choose "
                         "another target.")
    if column.distinct == n_rows:
        raise InputError(f"The target {name} differs in every row, but a target must be 2 to {MOST_CLASSES} classes; "
                         f"{_group_or_choose(column)}.")
    if column.distinct > MOST_CLASSES:
        raise InputError(f"The target {name} has {column.distinct} different values, but this version tells 2 to "
                         f"{MOST_CLASSES} classes apart; {_group_or_choose(column)}.")


def _group_or_choose(column):
    return ("group its numbers into classes (such as low and high) in your table, or choose another target"
            if column.kind == "number" else "choose another target")


def _refuse_single(target, classes, codes, rows, index):
    counts = np.bincount(codes)
    if counts.min() == 1:
        c = int(counts.argmin())
        row = rows[np.flatnonzero(codes == c)[0]]
        raise InputError(f"The class {shown(classes[c])} of {shown(target)} has only one row ({place(index, row)}); "
                         "correct the cell, empty it to leave the row out, or join the class with another.")


def patient_codes(column, index):
    """(n,) codes of who a row belongs to; None without a column. Raises InputError, with the row, for an empty cell."""
    if column is None:
        return None
    if column.missing:
        row = int(np.flatnonzero(np.isnan(column.values))[0])
        raise InputError(f"{shown(column.name)} says which rows belong to one patient, but is empty in "
                         f"{place(index, row)}; fill the cell, or delete the row.")
    codes = np.unique(column.values, return_inverse=True)[1]
    if codes.max() == 0:
        raise InputError(f"{shown(column.name)} says that all rows belong to one patient; choose another column, or "
                         "none.")
    return codes
