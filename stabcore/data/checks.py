"""The data check: what a person should know about a table before a study, in plain words, and what to do about it."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from typing import Any

import numpy as np

from stabcore.base.errors import InputError
from stabcore.base.text import listed, shown
from stabcore.data.blanks import blanks, predicting, sentence_blank
from stabcore.data.columns import BECAUSE, USABLE, understand
from stabcore.data.copies import copied_rows, sentence_copied
from stabcore.data.describe import is_identifier, may_name_patients, names_people, sentence_people
from stabcore.data.leaks import giving_away
from stabcore.data.nuisance import nuisances
from stabcore.data.redcap import TO_JOIN, recognise
from stabcore.data.roles import assign, patient_codes
from stabcore.data.times import survival_of

LEAVE_OUT, CORRECT, CHOOSE_TARGET, NOTHING = "leave out", "correct the cells", "choose another target", ""
KEEP, BLANK, ONE_ROW = "leave out or keep", "leave out, keep or use the blank", "use one row of each patient"
_MOST = 10  # columns with a sentence of their own
_MONTH = "(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)"
_DATED = re.compile(rf"\d{{4}}-\d\d-\d\d(?:[ T]00:00:00)?|\d{{1,2}}-{_MONTH}|{_MONTH}-\d{{2,4}}", re.IGNORECASE)


@dataclass(frozen=True)
class Finding:
    """One thing that the data check found, and the columns it is about.

    severity: "error" (a study cannot start), "warning" or "note"; remedy: "leave out", "leave out or keep", "leave out, keep or use
    the blank", "use one row of each patient", "correct the cells", "choose another target" or "" (nothing to press).
    """

    severity: str
    sentence: str
    columns: tuple[str, ...]
    remedy: str


def check(frame, target, exclude=(), same_patient=None, target_as=None, set_aside=False, confirmed=(), apart=()) -> list[Finding]:
    """The findings about a table with these roles (see Dataset.from_frame) and without the excluded columns, errors first.

    confirmed: columns of which somebody said that they stay features; apart: those whose names or classes differ although they
    look the same. Raises InputError only for names that do not exist.
    """
    try:
        roles = assign(frame, target, exclude, same_patient, target_as, apart)
    except InputError as error:
        if str(target) not in map(str, frame.columns):
            raise
        return [Finding("error", str(error), (str(target),), CHOOSE_TARGET)]
    used = [j for j, name in enumerate(map(str, frame.columns)) if name not in roles.excluded and name != str(target)]
    columns = understand(frame.iloc[roles.rows, used])
    patient = next((column for column in columns if column.name == str(same_patient)), None)
    columns = [column for column in columns if column is not patient]
    features = [column for column in columns if column.kind in USABLE and not column.problem]
    findings = [Finding("note", note, (str(target),), NOTHING) for note in roles.notes]
    export = recognise(frame)
    findings += [Finding("warning", TO_JOIN, (export.record,), NOTHING)] if export and export.events else []
    findings += [
        *_patient(patient, frame.index[roles.rows]),
        *_same_within(patient, features),
        *_copies(patient, features),
        *_problems(columns, set_aside),
        *_unusable(columns),
        *_dated_names(features),
        *_identifiers(features),
        *_people(features),
        *_maybe_patients(features),
        *_duplicates(features),
        *_leaks(features, roles),
        *_times(survival_of(frame.iloc[roles.rows], str(target)), features, str(target)),
        *_nuisances(features, set(confirmed)),
        *_blanks(features, roles, patient, set(confirmed)),
        *_missing(features, len(roles.rows)),
        *_balance(roles, str(target), patient),
        *_running_number(frame, roles, str(target)),
        *_size(features, len(roles.rows)),
    ]
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


COUNTED_AGAIN = (
    "Every row of a patient says the same in {columns}, but not in other columns. What is the same counts once for "
    "each row, so it looks more telling than it is, to some selectors much more"
)


def same_within(patients, features) -> list[str]:
    """Names of the features, {name: (n,) numbers}, that are the same in all rows of each patient, where others are not.

    With two rows of each patient and no signal, JMI took such features in 64% of its runs and those that vary in 3%.
    """
    order = np.argsort(patients, kind="stable")
    repeated = np.flatnonzero(np.diff(patients[order]) == 0)
    same = [
        name
        for name, values in features.items()
        if np.array_equal(values[order][repeated], values[order][repeated + 1], equal_nan=True)
    ]
    return same if len(repeated) and len(same) < len(features) else []


def _same_within(patient, columns):
    if patient is None or patient.missing:
        return
    same = same_within(patient.values, {column.name: column.values for column in columns})
    if same:
        why = COUNTED_AGAIN.format(columns=listed(same))
        yield Finding(
            "warning",
            f"{why}. Use one row of each patient, or see what the permutation control of the study shows.",
            tuple(same),
            ONE_ROW,
        )


def _copies(patient, features):
    copies = (
        copied_rows(
            np.column_stack([column.values for column in features]),
            [column.kind == "number" for column in features],
            None if patient is None else patient.values,
        )
        if features
        else 0
    )
    if copies:
        way = "say which rows belong to one patient" if patient is None else "correct who they belong to"
        yield Finding("warning", f"{sentence_copied(copies, patient is not None)}: {way}, or delete the copies.", (), NOTHING)


def _problems(columns, set_aside):
    mixed = [column for column in columns if set_aside and column.kind == "mixed"]
    if mixed:
        yield Finding(
            "warning",
            f"Set aside until their cells are mended: {_list(mixed)}; a study can run without them.",
            _about(mixed),
            LEAVE_OUT,
        )
    wrong = [column for column in columns if column.problem and column not in mixed]
    severity = "warning" if set_aside else "error"
    for column in wrong[:_MOST]:
        yield Finding(severity, ("Set aside: " if set_aside else "") + column.problem, (column.name,), LEAVE_OUT)
    if wrong[_MOST:]:
        more = wrong[_MOST:]
        yield Finding(severity, f"Something like that is also in {_list(more)}.", _about(more), LEAVE_OUT)


def _unusable(columns):
    for kind, because in BECAUSE.items():
        of_kind = [column for column in columns if column.kind == kind]
        if of_kind:
            yield Finding("note", f"Left out without being asked, because {because}: {_list(of_kind)}.", _about(of_kind), NOTHING)
    if not any(column.kind in (*USABLE, "mixed") for column in columns):
        yield Finding("error", "No feature is left; leave out fewer columns or upload a table with more.", (), NOTHING)


def _dated_names(columns):
    dated = [column for column in columns if _DATED.fullmatch(column.name)]
    if dated and len(dated) < len(columns):
        yield Finding(
            "warning",
            f"{_are_dates(dated)}: a spreadsheet makes dates of genes such as MARCH1 and SEPT2, and "
            "of two genes sometimes the same one. Where it was so, give the columns their names again in the file.",
            _about(dated),
            NOTHING,
        )


def _are_dates(dated):
    return f"The name {_list(dated)} is a date" if len(dated) == 1 else f"The names {_list(dated)} are dates"


def _identifiers(columns):
    identifiers = [column for column in columns if is_identifier(column)]
    if identifiers:
        yield Finding(
            "warning",
            f"Every row has another whole number in {_list(identifiers)}, as identifiers do; leave out what is not a measurement.",
            _about(identifiers),
            LEAVE_OUT,
        )


def _people(columns):
    people = [column for column in columns if names_people(column)]
    if people:
        yield Finding("warning", sentence_people(_about(people)), _about(people), LEAVE_OUT)


def _maybe_patients(columns):
    candidates = [column for column in columns if may_name_patients(column) and not names_people(column)]
    if candidates:
        yield Finding(
            "warning",
            f"Many values, a few rows each, are in {_list(candidates)}: if one of them says which rows belong to "
            "one patient, choose it for that; what is not a measurement should be left out.",
            _about(candidates),
            LEAVE_OUT,
        )


def _times(pairs, features, target):
    names = {column.name for column in features}
    for pair in pairs:
        if pair.time in names:
            yield Finding("warning", pair.sentence.replace("is left out", "should be left out"), (pair.time,), LEAVE_OUT)
        elif pair.time == target:
            yield Finding(
                "warning",
                f"The target {shown(target)} looks like the time of survival data: for those to whom nothing "
                f"had happened yet, as {shown(pair.event)} tells, the true time is longer; choose "
                f"{shown(pair.event)} instead.",
                (target,),
                CHOOSE_TARGET,
            )


def _duplicates(columns):
    same: dict[Any, Any] = {}
    for column in columns:
        values = np.where(np.isnan(column.values), np.nan, column.values + 0.0)
        key = hashlib.sha256(values.tobytes() + repr(column.levels).encode()).digest()
        same.setdefault(key, []).append(column)
    for first, *copies in same.values():
        if copies:
            yield Finding(
                "warning",
                f"{_list([first])} comes again, cell by cell, as {_list(copies)}; keep one, or "
                "their stability will look lower than it is.",
                _about(copies),
                LEAVE_OUT,
            )


def _missing(columns, n_rows):
    most = [column for column in columns if column.missing > 0.5 * n_rows]
    some = [column for column in columns if 0.2 * n_rows < column.missing <= 0.5 * n_rows]
    if most:
        yield Finding(
            "warning",
            f"More than half of the cells are empty in {_list(most)}; consider leaving {'it' if len(most) == 1 else 'them'} out.",
            _about(most),
            LEAVE_OUT,
        )
    if some:
        yield Finding(
            "note",
            f"More than a fifth of the cells are empty in {_list(some)}; being empty is treated as information.",
            _about(some),
            NOTHING,
        )


def _nuisances(columns, confirmed):
    """Centres, treatments and columns computed from others: whether they are meant as features is asked."""
    asked = [nuisance for nuisance in nuisances(columns) if nuisance.name not in confirmed]
    for nuisance in asked[:_MOST]:
        yield Finding("warning", f"{nuisance.sentence} Leave it out, or keep it as a feature?", (nuisance.name,), KEEP)
    if asked[_MOST:]:
        more = [nuisance.name for nuisance in asked[_MOST:]]
        yield Finding("warning", f"Something like that is also true of {listed(more)}.", tuple(more), KEEP)


def _blanks(columns, roles, patient, confirmed):
    """Columns whose blanks predict the outcome."""
    some = [column for column in columns if column.missing and column.name not in confirmed]
    if not some:
        return
    who = None if patient is None or patient.missing else patient.values
    tested = blanks(
        np.column_stack([column.values for column in some]), [column.name for column in some], roles.target, roles.classes, who
    )
    rows = [row for _, row in predicting(tested).iterrows()]
    for row in rows[:_MOST]:
        yield Finding(
            "warning",
            f"{sentence_blank(row)}. It can be selected because its cells are blank. Leave it out, keep it, "
            "or use only whether it is blank as the feature?",
            (row["feature"],),
            BLANK,
        )
    if rows[_MOST:]:
        more = [row["feature"] for row in rows[_MOST:]]
        yield Finding("warning", f"Blanks differ by outcome also in {listed(more)}.", tuple(more), KEEP)


def _leaks(columns, roles):
    leaks = giving_away(columns, roles.target, len(roles.classes))
    if leaks:
        tells = (
            f"tells the {len(roles.classes)} classes (almost) perfectly apart"
            if roles.classes
            else ("puts the rows (almost) perfectly in the order of the target")
        )
        yield Finding(
            "warning",
            f"One column alone {tells}, which is true of {_list(leaks)}; leave out what was recorded after, "
            "or because of, the outcome.",
            _about(leaks),
            LEAVE_OUT,
        )


def _balance(roles, target, patient):
    """A class of few rows, or of few patients where these have several rows."""
    if not roles.classes:
        return
    several_rows = patient is not None and not patient.missing and len(np.unique(patient.values)) < len(patient.values)
    who, noun = (patient.values, "patients") if several_rows else (np.arange(len(roles.rows)), "rows")
    counts = np.array([len(np.unique(who[roles.target == code])) for code in range(len(roles.classes))])
    if counts.min() < 10 or counts.min() < 0.1 * counts.sum():
        least = int(counts.argmin())
        rows = f" ({(roles.target == least).sum()} rows)" if several_rows else ""
        which = (
            f"Each class has only {counts[least]} {noun}"
            if counts.min() == counts.max()
            else (f"The class {shown(roles.classes[least])} has only {counts[least]} of {len(np.unique(who))} {noun}{rows}")
        )
        yield Finding("warning", f"{which}; accuracy and stability will be uncertain.", (target,), NOTHING)


def _running_number(frame, roles, target):
    if not roles.classes and is_identifier(understand(frame.iloc[roles.rows, [list(map(str, frame.columns)).index(target)]])[0]):
        yield Finding(
            "warning",
            f"Every row has another whole number in the target {shown(target)}, as identifiers do; choose "
            "another target if it is not a measurement.",
            (target,),
            CHOOSE_TARGET,
        )


def _size(columns, n_rows):
    if len(columns) > n_rows:
        yield Finding(
            "note",
            f"There are {len(columns)} features for {n_rows} rows; with more features than rows, "
            "selections differ a lot even where there is a signal; look at measures that are 0 for random sets.",
            (),
            NOTHING,
        )
