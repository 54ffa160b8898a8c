"""Guesses of the roles of columns, for the user to confirm or undo."""

from dataclasses import dataclass

from stabcore.data.columns import USABLE, describe_columns
from stabcore.data.describe import MAX_GUESSED, holds_person_names, is_identifier, is_named_target, is_patient_column, likely_target
from stabcore.data.nuisance import kind_by_name
from stabcore.data.redcap import Redcap, recognise_redcap
from stabcore.data.times import Survival, survival_pairs


@dataclass(frozen=True)
class GuessedRoles:
    """The guessed roles of the columns of a table.

    target and why_target: the guessed outcome, if any. patient: the patient column. exclude: columns without measurements.
    people: columns with names of people. redcap: the structure of an export of REDCap, None for other tables.

    candidates: columns about the samples that could be the outcome, if none has a clear name. survival: times and their events.
    """

    target: str | None
    why_target: str
    candidates: tuple[str, ...]
    patient: str | None
    exclude: tuple[str, ...]
    survival: tuple[Survival, ...]
    people: tuple[str, ...] = ()
    redcap: Redcap | None = None


def guess_roles(frame, about=()) -> GuessedRoles:
    """The guesses about a DataFrame. about: its columns about the samples (see Reading)."""
    columns = describe_columns(frame)
    export = recognise_redcap(frame)
    measured = [column for column in columns if export is None or column.name not in export.own_columns]
    target, why, candidates = _guess_target(measured, set(about))
    pairs = tuple(survival_pairs(columns, target))
    patients = [column for column in columns if is_patient_column(column) and column.name != target]
    # the column with the fewest values keeps most rows together
    patient = min(patients, key=lambda column: column.distinct).name if patients else None
    events = {pair.event for pair in pairs} - {target}
    out = {column.name for column in columns if is_identifier(column)} | set(about) | events | {pair.time for pair in pairs}
    people = tuple(column.name for column in columns if holds_person_names(column) and column.name != target)
    out |= {column.name for column in patients} | set(people) | set(export.own_columns if export else ())
    exclude = tuple(column.name for column in columns if column.name in out - {target, patient})
    return GuessedRoles(target, why, candidates, patient, exclude, pairs, people, export)


def _guess_target(columns, about):
    """(the likely outcome, why, the candidates when several columns about the samples could be it)."""
    if about:
        fit = [c for c in columns if c.name in about and c.kind in USABLE and not c.problem and 2 <= c.distinct <= MAX_GUESSED]
        likely = likely_target(fit)
        if likely is None or not is_named_target(fit[likely]):
            return None, "", tuple(column.name for column in fit)
        return fit[likely].name, "by its name", ()
    if (likely := likely_target(columns)) is None:
        return None, "", ()
    if is_named_target(columns[likely]):
        return columns[likely].name, "by its name", ()
    if kind_by_name(columns[likely]):  # a treatment or a centre in the last column
        return None, "", ()
    return columns[likely].name, "as the last column, with few classes", ()
