"""A description of each column before a target is chosen, with its likely role."""

import re

import numpy as np

from stabcore.base.text import comma_separated
from stabcore.data.columns import TWO_NUMBERS, USABLE, Column, describe_columns, format_short_number

# From the most to the least specific word: the first match is the likely target.
_WORDS = comma_separated(
    "target, class, label, outcome, response, diagnosis, diagnose, status, event, endpoint, group, y, case, disease, death, died, "
    "survived, relapse"
)
_TARGET = re.compile(rf"(?:.*[ _.])?(?:{'|'.join(_WORDS)})", re.IGNORECASE)
_IDENTIFIER = re.compile(
    r"(?:.*[ _.-])?(?:id|nr|no|number|index|code|key|row|row name|mrn|pid|ptid|usubjid|barcode|"
    r"unnamed: 0|piz|ssn|plz|zip|kennung|schlüssel|pseudonym|identifier|sample|probe)[.#]?|"
    r"(?-i:.*[a-zäöüß]I[Dd])|.*(?:nr\.?|nummer)|#",
    re.IGNORECASE,
)
_WHO = r"(?:pat|patient|subj|subject|person|participant|proband|case|fall|mrn|pid|ptid|usubjid|eid)(?:en)?"
_PATIENT = re.compile(
    rf"{_WHO}|(?:.*[ _.-])?{_WHO}[ _.-]{{0,2}}(?:id|ids|nr|no|num|number|nummer|code|identifier)\.?|"
    r"(?:.*[ _.-])?(?:mrn|pid|ptid|usubjid|piz|pseudonym)|id|aufnahmen(?:ummer|r\.?)|"
    r"(?:.*[ _.-])?(?:record|hospital|nhs|patient identification|study|studien)[ _.-]?(?:id|no|nr|number|nummer)\.?",
    re.IGNORECASE,
)
# Names that may also mean cases, households, hospitals or studies, so that few values are not patients
_AMBIGUOUS = re.compile(
    r"case|fall|person|(?:.*[ _.-])?(?:hospital|study|studien)[ _.-]?(?:id|no|nr|number|nummer)\.?", re.IGNORECASE
)
_NAME = r"(?:name|names)"
_PERSON = re.compile(
    rf"{_NAME}|(?:.*[ _.-])?(?:{_WHO}|person(?:en)?|full|first|last|family|given|middle|maiden|sur|vor|nach|fore|"
    rf"familien|geburts|ruf)[ _.-]?{_NAME}|name (?:of|des|der|du) .*patient.*|(?:.*[ _.-])?(?:initials|initialen)|"
    r"nom|pr[ée]nom|nom (?:de famille|du patient)|nombre|apellidos?|nome|cognome",
    re.IGNORECASE,
)
MAX_COMPARED = 3  # largest number of classes of which medians stand side by side
MAX_GUESSED = 10  # largest number of classes of a guessed outcome
IDENTIFIERS = "Possible identifiers, with a different whole number in every row: {}. Leave out columns that are not measurements."
PEOPLE = "Possible names of people: {}. Names are private and are not measurements. Leave them out, and delete them from your file."
_MANY_LEVELS = 20  # with fewer than five rows each, texts probably identify patients, families or places


def describe(frame):
    """DataFrame with one row for each column: column, kind, why, distinct, missing, example, suggestion.

    suggestion is the likely role: "likely target" (one column at most), "feature", "patient" (the patient of each row),
    "identifier", "constant", "empty", "date", "text", or "correct cells" (numbers mixed with text).
    """
    import pandas as pd

    columns = describe_columns(frame)
    suggestions = [suggested_role(column) for column in columns]
    if (likely := likely_target(columns)) is not None:
        suggestions[likely] = "likely target"
    rows = [(c.name, c.kind, c.why, c.distinct, c.missing, c.example, role) for c, role in zip(columns, suggestions, strict=True)]
    return pd.DataFrame(rows, columns=["column", "kind", "why", "distinct", "missing", "example", "suggestion"])


def class_medians(data):
    """DataFrame(column, then "Median, …" for each class): the medians of features that are numbers, of a Dataset.

    Patients with several rows count once, with the mean of their rows. Texts as those of ranges, "" for a class without values.
    Without classes, or with more than MAX_COMPARED, there is only the column.
    """
    import pandas as pd

    numbers = np.flatnonzero(~data.table.categorical)
    frame = pd.DataFrame({"column": [data.features[j] for j in numbers]})
    heading = "Median" if data.patients is None else "Median of patients"
    for code, name in enumerate(data.classes if len(data.classes) <= MAX_COMPARED else ()):
        medians = pd.DataFrame(values_by_patient(data, data.target == code)[:, numbers]).median()
        frame[f"{heading}, {name}"] = ["" if np.isnan(median) else format_short_number(median) for median in medians]
    return frame


def values_by_patient(data, rows):
    """(patients, d) one value per patient among these rows, or the rows themselves if each is a patient."""
    values = np.asarray(data.table.values, dtype=float)[rows]
    if data.patients is None:
        return values
    patient = np.unique(np.asarray(data.patients)[rows], return_inverse=True)[1]
    recorded = ~np.isnan(values)
    count, total = np.zeros((2, patient.max() + 1, values.shape[1]))
    np.add.at(count, patient, recorded)
    np.add.at(total, patient, np.where(recorded, values, 0))
    with np.errstate(invalid="ignore"):
        by_patient = total / count
    smaller, larger, two = feature_two_values(data)
    nearest = np.where(by_patient > (smaller + larger) / 2, larger, smaller)
    by_patient = np.where(two & ~np.isnan(by_patient), nearest, by_patient)
    for f in np.flatnonzero(data.table.categorical):
        levels = len(data.levels[data.features[f]])
        counts = np.zeros((len(by_patient), levels))
        np.add.at(counts, (patient[recorded[:, f]], values[recorded[:, f], f].astype(int)), 1)
        by_patient[:, f] = np.where(counts.any(axis=1), counts.argmax(axis=1), np.nan)
    return by_patient


def feature_two_values(data):
    """(smaller value, larger value, whether it is a number with these two values only) of each feature."""
    values = np.asarray(data.table.values, dtype=float)
    smaller, larger = np.nanmin(values, axis=0, initial=np.inf), np.nanmax(values, axis=0, initial=-np.inf)
    only = (np.isnan(values) | (values == smaller) | (values == larger)).all(axis=0)
    return smaller, larger, only & (smaller < larger) & ~np.asarray(data.table.categorical)


def suggested_role(column: Column) -> str:
    """The likely role of a column that is not the target."""
    if column.kind in ("constant", "empty", "date"):
        return column.kind
    if is_identifier(column) or holds_person_names(column):
        return "identifier"
    if is_patient_column(column):
        return "patient"
    if column.kind == "mixed" or column.problem:
        return "correct cells"
    return "text" if column.kind == "text" else "feature"


def is_identifier(column: Column) -> bool:
    """Whether all cells differ and look like names or running numbers, not measurements."""
    filled = _n_filled(column)
    if column.distinct < filled or filled < 2:
        return False
    if column.kind != "number":
        return column.kind == "text" and column.why != TWO_NUMBERS
    numbers = column.values[np.isfinite(column.values)]
    if len(numbers) < filled or (numbers != np.floor(numbers)).any():
        return False
    named = _IDENTIFIER.fullmatch(column.name) or _PATIENT.fullmatch(column.name)
    return bool(numbers.max() - numbers.min() == filled - 1 or named)


def is_patient_column(column: Column) -> bool:
    """Whether the name of the column refers to patients, and values repeat."""
    few = max(MAX_GUESSED, 0.1 * _n_filled(column)) if _AMBIGUOUS.fullmatch(column.name) else 2
    repeated = few < column.distinct < _n_filled(column)
    numbers = column.values[np.isfinite(column.values)]
    return bool(repeated and (numbers == np.floor(numbers)).all() and _PATIENT.fullmatch(column.name))


def patients_with_gaps(frame) -> list[Column]:
    """The columns of a DataFrame named after patients whose values differ, with empty cells below, as after merged cells."""
    named = [j for j, name in enumerate(frame.columns) if _PATIENT.fullmatch(str(name))]
    return [
        column
        for column in describe_columns(frame.iloc[:, named])
        if column.missing > 1 and column.distinct == _n_filled(column) > 1 and not np.isnan(column.values[0])
    ]


def holds_person_names(column: Column) -> bool:
    """Whether a text column, by its name, holds names of people, which are private and not measurements."""
    return column.kind in ("category", "yes-no", "text") and bool(_PERSON.fullmatch(column.name[:100]))


def may_be_patient_column(column: Column) -> bool:
    """Whether its name, or many texts in a few rows each, suggest patients with several rows."""
    filled = _n_filled(column)
    many_levels = column.kind != "number" and max(_MANY_LEVELS, 0.2 * filled) <= column.distinct < filled
    return many_levels or is_patient_column(column)


def likely_target(columns) -> int | None:
    """The column that is most likely the target: by its name, otherwise the last column if it has few classes."""
    fit = [
        j
        for j, column in enumerate(columns)
        if column.kind in USABLE and not column.problem and 2 <= column.distinct <= MAX_GUESSED
    ]
    if names := {j: columns[j].name.lower() for j in fit if is_named_target(columns[j])}:
        return min(names, key=lambda j: (_WORDS.index(names[j]) if names[j] in _WORDS else len(_WORDS), -j))
    return len(columns) - 1 if fit and fit[-1] == len(columns) - 1 else None


def is_named_target(column) -> bool:
    """Whether the name of a column says that it is an outcome."""
    return bool(_TARGET.fullmatch(column.name))


def _n_filled(column):
    return len(column.values) - column.missing
