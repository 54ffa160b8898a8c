"""The data check: problems of a table before a study, and their remedies."""

import hashlib
import itertools
import re
from dataclasses import dataclass
from typing import Any

import numpy as np

from stabcore.base.errors import InputError
from stabcore.base.target import target_columns, target_label
from stabcore.base.text import counted, listed, quote
from stabcore.data.blanks import describe_blank
from stabcore.data.columns import REASONS, USABLE, describe_columns
from stabcore.data.describe import IDENTIFIERS, PEOPLE, holds_person_names, is_identifier, may_be_patient_column, patients_with_gaps
from stabcore.data.followed import describe_late_events
from stabcore.data.leaks import revealing_columns
from stabcore.data.missing import blank_tests, predicting_rows
from stabcore.data.nuisance import nuisance_columns
from stabcore.data.redcap import TO_JOIN, recognise_redcap
from stabcore.data.roles import assign_roles, patient_codes
from stabcore.data.times import survival_pairs_of_frame

LEAVE_OUT, CORRECT, CHOOSE_OUTCOME, NO_REMEDY = "leave out", "correct the cells", "choose another outcome", ""
KEEP, BLANK, ONE_ROW = "leave out or keep", "leave out, keep or use the blank", "use one row of each patient"
FEW_EVENTS = 20
_MAX_SINGLE = 10  # largest number of columns with a separate sentence
_MONTH = "(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)"
_DATED = re.compile(rf"\d{{4}}-\d\d-\d\d(?:[ T]00:00:00)?|\d{{1,2}}-{_MONTH}|{_MONTH}-\d{{2,4}}", re.IGNORECASE)


@dataclass(frozen=True)
class Finding:
    """One finding of the data check with its columns.

    severity: "error" (a study cannot start), "warning" or "note". remedy: "leave out", "leave out or keep", "leave out, keep or
    use the blank", "use one row of each patient", "correct the cells", "choose another outcome" or "" (no remedy).
    """

    severity: str
    sentence: str
    columns: tuple[str, ...]
    remedy: str


def check(
    frame, target, exclude=(), same_patient=None, target_as=None, set_aside=False, confirmed=(), apart=(), event=(), given=()
) -> list[Finding]:
    """The findings about a table with these roles (see Dataset.from_frame) without the excluded columns, errors first.

    confirmed: columns that are confirmed as features. Those given are asked about no more. apart: columns whose names or classes
    differ although they look the same.
    Raises InputError only for names that do not exist.
    """
    targets = tuple(map(str, target_columns(target)))
    try:
        roles = assign_roles(frame, target, exclude, same_patient, target_as, apart, event, given)
    except InputError as error:
        if not set(targets) <= set(map(str, frame.columns)):
            raise
        return [Finding("error", str(error), targets, CHOOSE_OUTCOME)]
    target = target_label(targets)
    used = [j for j, name in enumerate(map(str, frame.columns)) if name not in {*roles.excluded, *targets}]
    columns = describe_columns(frame.iloc[roles.rows, used])
    patient = next((column for column in columns if column.name == str(same_patient)), None)
    columns = [column for column in columns if column is not patient]
    features = [column for column in columns if column.kind in USABLE and not column.problem]
    confirmed = {*confirmed, *roles.given}
    findings = [Finding("note", note, targets, NO_REMEDY) for note in roles.notes]
    export = recognise_redcap(frame)
    findings += [Finding("warning", TO_JOIN, (export.record,), NO_REMEDY)] if export and export.events else []
    findings += [
        *_patient(patient, frame.index[roles.rows]),
        *_gaps_of_patients(frame, same_patient),
        *_conflicts(patient, roles),
        *_single_results(frame.iloc[roles.rows, used], roles.target),
        *_constant_columns(patient, features),
        *_copies(patient, features),
        *_problems(columns, set_aside),
        *_unusable(columns),
        *_dated_names(features),
        *_finding([column for column in features if is_identifier(column)], IDENTIFIERS),
        *_finding([column for column in features if holds_person_names(column)], PEOPLE),
        *_names_of_patients(features),
        *_duplicates(features),
        *_leaks(features, roles),
        *_late_events(describe_columns(frame.iloc[roles.rows]), targets, roles.event),
        *_times(survival_pairs_of_frame(frame.iloc[roles.rows], targets[-1]), features, target),
        *_nuisances(features, confirmed),
        *_blanks(features, roles, patient, confirmed),
        *_missing(features, len(roles.rows)),
        *_balance(roles, target, patient),
        *_running_number(frame, roles, target),
        *_size(features, len(roles.rows)),
    ]
    return sorted(findings, key=lambda finding: ("error", "warning", "note").index(finding.severity))


def _finding(columns, sentence, remedy=LEAVE_OUT, severity="warning"):
    """One finding about these columns, with their names in place of {} in the sentence, or none without columns."""
    if names := tuple(column.name for column in columns):
        yield Finding(severity, sentence.replace("{}", listed(names)), names, remedy)


def _findings_per_column(items, sentence_of, more, remedy, severity="warning"):
    """A finding for each of the first items, {column: item}, and one for all others."""
    names = list(items)
    for name in names[:_MAX_SINGLE]:
        yield Finding(severity, sentence_of(items[name]), (name,), remedy)
    if others := names[_MAX_SINGLE:]:
        yield Finding(severity, more.format(listed(others)), tuple(others), LEAVE_OUT if remedy == LEAVE_OUT else KEEP)


def _patient(column, index):
    try:
        patient_codes(column, index)
    except InputError as error:
        yield Finding("error", str(error), (column.name,), CORRECT)


def _gaps_of_patients(frame, same_patient):
    for column in patients_with_gaps(frame):
        if column.name != str(same_patient):
            sentence = (
                f"{quote(column.name)} looks like a patient number, but it is empty in {counted(column.missing, 'row')}. If these "
                "rows belong to the patient above, fill in the number and the outcome in the file. Otherwise they count as other "
                "patients, or are left out."
            )
            yield Finding("warning", sentence, (column.name,), NO_REMEDY)


def _conflicts(patient, roles):
    """Patients with rows of several classes: repeated measurements, or one outcome that was written wrongly."""
    if patient is None or patient.missing or not roles.classes:
        return
    classes_of = np.unique(np.unique(np.column_stack([patient.values, roles.target]), axis=0)[:, 0], return_counts=True)[1]
    if n := int((classes_of > 1).sum()):
        sentence = f"Rows of {counted(n, 'patient')} have different classes. If the class belongs to the patient, correct it."
        yield Finding("warning" if 2 * n < len(classes_of) else "note", sentence, (), NO_REMEDY)


_MAX_LONG = 20  # largest number of columns of a table with one result per row
_FULL_LONG = 0.8  # smallest share of pairs of sample and test that such a table has


def _single_results(frame, target):
    """A table with one result per row, as laboratories export it: sample, test, result."""
    names = list(map(str, frame.columns))
    if len(names) > _MAX_LONG or target.dtype.names:
        return
    codes = [frame.iloc[:, j].factorize()[0] for j in range(len(names))]
    counts = [len(np.unique(code)) for code in codes]

    def constant(values, code):
        return len(np.unique(np.column_stack([code, values]), axis=0)) == len(np.unique(code))

    for test, sample in itertools.permutations(range(len(names)), 2):
        cells = counts[test] * counts[sample]
        if counts[test] < 3 or frame.dtypes.iloc[test].kind in "iufb" or not _FULL_LONG * cells <= len(frame) <= cells:
            continue
        apart = len(np.unique(np.column_stack([codes[sample], codes[test]]), axis=0)) == len(frame)
        others = [j for j in range(len(names)) if j not in (test, sample)]
        varying = [j for j in others if not constant(codes[j], codes[sample]) and not constant(codes[j], codes[test])]
        numbers = [j for j in varying if frame.dtypes.iloc[j].kind in "iuf"]
        if apart and len(numbers) == 1 and constant(target, codes[sample]) and not constant(target, codes[test]):
            sentence = (
                f"Each row seems to hold one result, {quote(names[numbers[0]])}, of one {quote(names[sample])} and one "
                f"{quote(names[test])}. A study needs one row per patient and a column per measurement. A pivot table in Excel, or "
                "pivot in Python, makes it."
            )
            yield Finding("warning", sentence, (names[test], names[numbers[0]]), NO_REMEDY)
            return


ABOUT_CONSTANT_COLUMNS = (
    "Columns with one value in all rows of a patient look more predictive than they are, because each row counts: {columns}"
)


def constant_within_patients(patients, features) -> list[str]:
    """Names of the features, {name: (n,) numbers}, that are constant within each patient, if others vary.

    With two rows per patient and no signal, JMI selected such features in 64% of its runs, and varying ones in 3%.
    """
    order = np.argsort(patients, kind="stable")
    repeated = np.flatnonzero(np.diff(patients[order]) == 0)
    row, other = order[repeated], order[repeated + 1]  # of one patient
    same = [name for name, values in features.items() if np.array_equal(values[row], values[other], equal_nan=True)]
    return same if len(repeated) and len(same) < len(features) else []


def _constant_columns(patient, columns):
    if patient is None or patient.missing:
        return
    if same := constant_within_patients(patient.values, {column.name: column.values for column in columns}):
        why = ABOUT_CONSTANT_COLUMNS.format(columns=listed(same))
        yield Finding("warning", f"{why}. Use one row of each patient, or run the permutation control.", tuple(same), ONE_ROW)


def _copies(patient, features):
    if not features:
        return
    values, measured = np.column_stack([column.values for column in features]), [column.kind == "number" for column in features]
    if copies := copied_rows(values, measured, None if patient is None else patient.values):
        way = "Name the column of the patients" if patient is None else "Correct the column of the patients"
        yield Finding(
            "warning", f"{describe_copied_rows(copies, patient is not None)}. {way}, or delete the copies.", (), NO_REMEDY
        )


def _problems(columns, set_aside):
    mixed = [column for column in columns if set_aside and column.kind == "mixed"]
    yield from _finding(mixed, "Set aside until their cells are corrected: {}. A study can run without them.")
    wrong = {column.name: ("Set aside: " if set_aside else "") + column.problem for column in columns if column.problem}
    wrong = {name: problem for name, problem in wrong.items() if name not in {column.name for column in mixed}}
    severity = "warning" if set_aside else "error"
    yield from _findings_per_column(wrong, str, "{} have similar problems.", LEAVE_OUT, severity)


def _unusable(columns):
    for kind, because in REASONS.items():
        of_kind = [column for column in columns if column.kind == kind]
        yield from _finding(of_kind, f"Left out automatically because {because}: {{}}.", NO_REMEDY, "note")
    if not any(column.kind in (*USABLE, "mixed") for column in columns):
        yield Finding("error", "No feature is left. Leave out fewer columns, or upload a table with more features.", (), NO_REMEDY)


def _dated_names(columns):
    dated = [column for column in columns if _DATED.fullmatch(column.name)]
    if len(dated) < len(columns):
        yield from _finding(
            dated,
            "Column names that look like dates: {}. Spreadsheets turn gene names such as MARCH1 and SEPT2 into dates. If that "
            "happened, correct the names in the file.",
            NO_REMEDY,
        )


def _names_of_patients(columns):
    return _finding(
        [column for column in columns if may_be_patient_column(column) and not holds_person_names(column)],
        "Many values, each in a few rows: {}. If one of these columns identifies the patients, choose it as the patient column. "
        "Leave out columns that are not measurements.",
    )


def _late_events(columns, targets, happened):
    if len(targets) == 3:
        first, last, event = (next(column for column in columns if column.name == name) for name in targets)
        others = [column for column in columns if column.kind == "date" and column.name not in targets]
        if sentence := describe_late_events(first, last, event, others, happened):
            yield Finding("warning", sentence, targets, CORRECT)


def _times(pairs, features, target):
    names = {column.name for column in features}
    for pair in pairs:
        if pair.time in names:
            yield Finding("warning", pair.sentence.replace("is left out", "should be left out"), (pair.time,), LEAVE_OUT)
        elif pair.time == target:
            yield Finding(
                "warning",
                f"The outcome {quote(target)} looks like survival time. For censored patients (see {quote(pair.event)}), the true "
                f"time is longer. Choose both as the outcome: a time to an event.",
                (target,),
                CHOOSE_OUTCOME,
            )


def _duplicates(columns):
    same: dict[Any, Any] = {}
    for column in columns:
        values = np.where(np.isnan(column.values), np.nan, column.values + 0.0)
        key = hashlib.sha256(values.tobytes() + repr(column.levels).encode()).digest()
        same.setdefault(key, []).append(column)
    for first, *copies in same.values():
        yield from _finding(
            copies,
            f"Identical to {quote(first.name)} in every cell: {{}}. Keep one column. Copies make the stability look too low.",
        )


def _missing(columns, n_rows):
    above_half = [column for column in columns if column.missing > 0.5 * n_rows]
    above_fifth = [column for column in columns if 0.2 * n_rows < column.missing <= 0.5 * n_rows]
    yield from _finding(above_half, "More than half of the cells are empty in {}. Consider leaving them out.")
    yield from _finding(
        above_fifth,
        "More than a fifth of the cells are empty in {}. Whether a cell is empty counts as information.",
        NO_REMEDY,
        "note",
    )


def _nuisances(columns, confirmed):
    """Centres, treatments and columns computed from others, which the user confirms as features, gives or leaves out."""
    return _findings_per_column(
        {nuisance.name: nuisance for nuisance in nuisance_columns(columns) if nuisance.name not in confirmed},
        lambda nuisance: f"{nuisance.sentence} Leave it out, keep it as a feature, or always in the model?",
        "The same is true of {}.",
        KEEP,
    )


def _blanks(columns, roles, patient, confirmed):
    some = [column for column in columns if column.missing and column.name not in confirmed]
    if not some:
        return
    patients = None if patient is None or patient.missing else patient.values
    values, names = np.column_stack([column.values for column in some]), [column.name for column in some]
    rows = predicting_rows(blank_tests(values, names, roles.target, roles.classes, patients))
    yield from _findings_per_column(
        {row["feature"]: row for _, row in rows.iterrows()},
        lambda row: (
            f"{describe_blank(row)}. Its blank cells alone can get it selected. Leave it out, keep it, or use only whether it "
            "is blank?"
        ),
        "Blanks differ by outcome also in {}.",
        BLANK,
    )


def _leaks(columns, roles):
    predicts = f"separates the {len(roles.classes)} classes" if roles.classes else "orders the rows as the outcome does"
    return _finding(
        revealing_columns(columns, roles.target, len(roles.classes)),
        f"Each of these columns alone {predicts} (almost) perfectly: {{}}. Leave out columns recorded after, or because of, the "
        "outcome.",
    )


def _balance(roles, target, patient):
    several_rows = patient is not None and not patient.missing and len(np.unique(patient.values)) < len(patient.values)
    who, noun = (patient.values, "patients") if several_rows else (np.arange(len(roles.rows)), "rows")
    if roles.event and (n_events := len(np.unique(who[roles.target["event"]]))) < FEW_EVENTS:
        sentence = f"Only {counted(n_events, 'event')} in {len(np.unique(who))} {noun}. Accuracy and stability will be uncertain."
        yield Finding("warning", sentence, (target,), NO_REMEDY)
    if not roles.classes:
        return
    counts = np.array([len(np.unique(who[roles.target == code])) for code in range(len(roles.classes))])
    if counts.min() < 10 or counts.min() < 0.1 * counts.sum():
        least = int(counts.argmin())
        which = "Each class" if counts.min() == counts.max() else f"The class {quote(roles.classes[least])}"
        sentence = f"{which} has only {counts[least]} of {len(np.unique(who))} {noun}. Accuracy and stability will be uncertain."
        yield Finding("warning", sentence, (target,), NO_REMEDY)


def _running_number(frame, roles, target):
    if not roles.classes and not roles.event:
        (column,) = describe_columns(frame.iloc[roles.rows, [list(map(str, frame.columns)).index(target)]])
        if is_identifier(column):
            yield from _finding(
                [column],
                "The outcome {} has a different whole number in every row, like an identifier. Choose another outcome if it is not "
                "a measurement.",
                CHOOSE_OUTCOME,
            )


def _size(columns, n_rows):
    if len(columns) > n_rows:
        yield Finding(
            "note",
            f"There are {len(columns)} features for {n_rows} rows. Selections then differ strongly, even with a real signal. "
            "Prefer chance-corrected measures.",
            (),
            NO_REMEDY,
        )


# ---- rows that are copies of others, so that two halves of the rows share information ----

FEW_VALUES = 10  # largest number of different values that is too few to identify rows
MAX_CHANCE = 0.01  # largest expected number of pairs of rows that are equal by chance


def copied_rows(values, measured, patients=None) -> int:
    """Number of rows that equal another row in every column, 0 if equal rows are likely by chance.

    values: (n, d) floats, NaN missing. measured: (d,) which columns are numbers. patients: (n,) the patient of each row. Copies
    within a patient do not count. Equal rows are likely by chance if more than RARELY pairs are expected in the columns with
    many numbers, assuming independent columns, or if there is only one such column.
    """
    table = np.where(np.isnan(values), np.nan, values + 0.0)  # a single NaN and a single zero
    n, d = table.shape
    if n < 2 or d == 0:
        return 0
    _, first, row = np.unique(np.ascontiguousarray(table).view(f"V{8 * d}").ravel(), return_index=True, return_inverse=True)
    different = len(first)
    apart = n if patients is None else len({*zip(row.tolist(), np.asarray(patients).tolist(), strict=True)})
    if apart == different:
        return 0
    counts = [np.unique(column, return_counts=True)[1] for column in table[first][:, np.asarray(measured, dtype=bool)].T]
    same = [(often * (often - 1)).sum() / (different * max(different - 1, 1)) for often in counts if len(often) > FEW_VALUES]
    return apart - different if len(same) > 1 and np.prod(same) * n * (n - 1) / 2 < MAX_CHANCE else 0


def describe_copied_rows(copies, by_patient) -> str:
    """The sentence about copies of rows. by_patient: whether the patients are known."""
    of = "rows of other patients" if by_patient else "other rows"
    return (
        f"{counted(copies, 'row')} copied from {of}, feature by feature. Selections then agree and predict well even without signal"
    )
