"""The data check: what a person should know about a table before a study, in plain words, and what to do about it."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from itertools import combinations
from math import comb

import numpy as np

from stabcore.dataset.columns import BECAUSE, USABLE, understand
from stabcore.dataset.describe import is_identifier
from stabcore.dataset.roles import assign, patient_codes
from stabcore.errors import InputError
from stabcore.words import listed, shown

LEAVE_OUT, CORRECT, CHOOSE_TARGET, NOTHING = "leave out", "correct the cells", "choose another target", ""
_LEAK = 0.99
_MOST = 10      # columns with a sentence of their own
_BLOCK = 2_000_000


@dataclass(frozen=True)
class Finding:
    """One thing that the data check found, and the columns it is about.

    severity: "error" (a study cannot start), "warning" or "note"; remedy: "leave out", "correct the cells", "choose
    another target" or "" (nothing to press).
    """

    severity: str
    sentence: str
    columns: tuple[str, ...]
    remedy: str


def check(frame, target, exclude=(), same_patient=None) -> list[Finding]:
    """The findings about a table with this target and without the excluded columns, errors first.

    Raises InputError only for names that do not exist.
    """
    try:
        roles = assign(frame, target, exclude, same_patient)
    except InputError as error:
        if str(target) not in map(str, frame.columns):
            raise
        return [Finding("error", str(error), (str(target),), CHOOSE_TARGET)]
    kept = [j for j, name in enumerate(map(str, frame.columns)) if name not in roles.excluded and name != str(target)]
    columns = understand(frame.iloc[roles.rows, kept])
    patient = next((column for column in columns if column.name == str(same_patient)), None)
    columns = [column for column in columns if column is not patient]
    features = [column for column in columns if column.kind in USABLE and not column.problem]
    findings = [Finding("note", note, (str(target),), NOTHING) for note in roles.notes]
    findings += [*_patient(patient, frame.index[roles.rows]), *_problems(columns), *_unusable(columns),
                 *_identifiers(features), *_duplicates(features), *_leaks(features, roles.codes, roles.classes),
                 *_missing(features, len(roles.codes)), *_balance(roles.codes, roles.classes, str(target)),
                 *_size(features, len(roles.codes))]
    return sorted(findings, key=lambda finding: ("error", "warning", "note").index(finding.severity))


def _list(columns):
    return listed(column.name for column in columns)


def _about(columns):
    return tuple(column.name for column in columns)


def _patient(column, index):
    try:
        patient_codes(column, index)
    except InputError as error:
        yield Finding("error", str(error), (column.name,), CORRECT)


def _problems(columns):
    wrong = [column for column in columns if column.problem]
    for column in wrong[:_MOST]:
        yield Finding("error", column.problem, (column.name,), LEAVE_OUT)
    if wrong[_MOST:]:
        more = wrong[_MOST:]
        yield Finding("error", f"Something like that is also in {_list(more)}.", _about(more), LEAVE_OUT)


def _unusable(columns):
    for kind, because in BECAUSE.items():
        found = [column for column in columns if column.kind == kind]
        if found:
            yield Finding("note", f"Left out without being asked, because {because}: {_list(found)}.",
                          _about(found), LEAVE_OUT)
    if not any(column.kind in (*USABLE, "mixed") for column in columns):
        yield Finding("error", "No feature is left; leave out fewer columns or upload a table with more.", (), NOTHING)


def _identifiers(columns):
    found = [column for column in columns if is_identifier(column)]
    if found:
        yield Finding("warning", f"Every row has another whole number in {_list(found)}, as identifiers do; leave out "
                      "what is not a measurement.", _about(found), LEAVE_OUT)


def _duplicates(columns):
    same = {}
    for column in columns:
        values = np.where(np.isnan(column.values), np.nan, column.values + 0.0)
        key = hashlib.sha256(values.tobytes() + repr(column.levels).encode()).digest()
        same.setdefault(key, []).append(column)
    for first, *copies in same.values():
        if copies:
            yield Finding("warning", f"{_list([first])} comes again, cell by cell, as {_list(copies)}; keep one, or "
                          "their stability will look lower than it is.", _about(copies), LEAVE_OUT)


def _missing(columns, n_rows):
    most = [column for column in columns if column.missing > 0.5 * n_rows]
    some = [column for column in columns if 0.2 * n_rows < column.missing <= 0.5 * n_rows]
    if most:
        yield Finding("warning", f"More than half of the cells are empty in {_list(most)}; consider leaving them out.",
                      _about(most), LEAVE_OUT)
    if some:
        yield Finding("note", f"More than a fifth of the cells are empty in {_list(some)}; being empty is treated as "
                              "information.",
                      _about(some), NOTHING)


def _balance(codes, classes, target):
    counts = np.bincount(codes)
    least = int(counts.argmin())
    if counts[least] < 10 or counts[least] < 0.1 * len(codes):
        yield Finding("warning", f"The class {shown(classes[least])} has only {counts[least]} of {len(codes)} rows; "
                      "accuracy and stability will be uncertain.", (target,), NOTHING)


def _size(columns, n_rows):
    if len(columns) > n_rows:
        yield Finding("note", f"There are {len(columns)} features for {n_rows} rows; with more features than rows, "
                      "chance alone makes selections differ, so look at measures that are corrected for chance.",
                      (), NOTHING)


# ---- columns that give the target away ----

def _leaks(columns, codes, classes):
    levels = [column for column in columns if column.levels and len(column.levels) * 5 <= len(codes)]
    numbers = [column for column in columns if not column.levels]
    found = {column.name for column in levels if _levels_tell(column.values, codes)}
    found |= {column.name for column in columns if column.missing and _levels_tell(np.isnan(column.values), codes)}
    if _beyond_chance(len(numbers), np.bincount(codes)):
        found |= {numbers[j].name for j in _separating(numbers, codes)}
    leaks = [column for column in columns if column.name in found]
    if leaks:
        yield Finding("warning", f"One column alone tells the {len(classes)} classes (almost) perfectly apart, which "
                      f"is true of {_list(leaks)}; leave out what was recorded after, or because of, the outcome.",
                      _about(leaks), LEAVE_OUT)


def _levels_tell(values, codes):
    """Whether nearly every row of every class lies in levels where its class prevails."""
    _, levels = np.unique(values, return_inverse=True)      # missing is one level
    table = np.zeros((levels.max() + 1, codes.max() + 1))
    np.add.at(table, (levels, codes), 1)
    prevails = np.arange(table.shape[1]) == table.argmax(axis=1)[:, None]
    return bool(((table * prevails).sum(axis=0) / table.sum(axis=0)).min() >= _LEAK)


def _beyond_chance(n_columns, counts):
    """Whether a column that separates two classes cannot be expected among so many columns by chance."""
    two = np.sort(counts)[:2]
    return n_columns * 200 < comb(int(two.sum()), int(two[0]))


def _separating(columns, codes):
    """Numbers of the columns in which every two classes are (almost) separated by a threshold."""
    left = np.arange(len(columns))
    for a, b in combinations(range(codes.max() + 1), 2):
        rows = np.flatnonzero((codes == a) | (codes == b))
        step = max(_BLOCK // len(rows), 1)
        areas = [_areas(np.column_stack([columns[j].values[rows] for j in left[start:start + step]]), codes[rows] == b)
                 for start in range(0, len(left), step)]
        left = left[np.concatenate(areas) >= _LEAK] if areas else left
    return left


def _areas(values, positive):
    """Area under the ROC curve of each column, either direction, over the filled cells; 0 where a class has under 5."""
    from scipy.stats import rankdata

    filled = ~np.isnan(values)
    n_positive, n_negative = filled[positive].sum(axis=0), filled[~positive].sum(axis=0)
    ranks = np.where(filled, rankdata(np.where(filled, values, np.inf), axis=0), 0.0)   # empty cells rank last
    wins = ranks[positive].sum(axis=0) - n_positive * (n_positive + 1) / 2
    area = wins / np.maximum(n_positive * n_negative, 1)
    return np.where(np.minimum(n_positive, n_negative) < 5, 0.0, np.maximum(area, 1 - area))
