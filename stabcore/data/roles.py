"""The roles of columns: the target (classes or a number), the patient column, and the left-out columns."""

from dataclasses import dataclass, replace

import numpy as np

from stabcore.base.errors import InputError
from stabcore.base.target import target_columns
from stabcore.base.text import counted, joined, listed, quote, suggest_name
from stabcore.data.columns import MAX_CLASSES, describe_columns, row_place
from stabcore.data.followed import event_times, value_names
from stabcore.io.cells import is_unknown, word_key
from stabcore.io.names import check_names, same_looking_names

MIN_ROWS = 10
MIN_NUMBERS = 3  # smallest number of different values of a numeric target
TARGET_AS = (None, "classes", "number")


@dataclass(frozen=True, eq=False)
class Roles:
    """The rows that have a target (n,), its class codes (n,) into `classes`, the columns left out on request, and those given.

    A numeric target has values (n,) as floats and no classes. A time to an event has records (n,), the values that mean that it
    happened, the other values, and the unit of its time.
    """

    rows: np.ndarray
    target: np.ndarray
    classes: tuple[str, ...]
    excluded: frozenset[str]
    notes: tuple[str, ...]
    event: tuple[str, ...] = ()
    censored: tuple[str, ...] = ()
    time_unit: str = ""
    given: tuple[str, ...] = ()


def assign_roles(frame, target, exclude=(), same_patient=None, target_as=None, apart=(), event=(), given=()) -> Roles:
    """Determine the roles.

    target: a column, or those of a time to an event, see `event_times`. target_as: "classes", "number", or None for the rule (more
    than 20 different numbers are a number). apart: columns whose names or classes differ although they look the same. event: the
    values that mean that the event happened. given: columns that are always in the model. Raises InputError for names that do not
    exist or clash, names or classes that look
    the same, and a target of another kind.
    """
    names = check_names([str(name) for name in frame.columns])
    targets = [str(name) for name in target_columns(target)]
    exclude, given = ([name] if isinstance(name, str) else [str(column) for column in name] for name in (exclude, given))
    for name in [*targets, *exclude, *given, *([] if same_patient is None else [str(same_patient)])]:
        if name not in names:
            raise InputError(f"There is no column {quote(name)}{suggest_name(name, names)}. The columns are {listed(names, 10)}.")
    for target in targets:
        if target in exclude or target == str(same_patient) or targets.count(target) > 1:
            raise InputError(
                f"The column {quote(target)} holds the outcome. It cannot be left out or name the patients. Choose another column."
            )
    for name in given:
        if name in (*targets, *exclude, str(same_patient)) or given.count(name) > 1:
            raise InputError(f"{quote(name)} is always in the model, so it can have no other role. Name it once.")
    _refuse_alike_names([name for name in names if name not in exclude], apart)
    if len(targets) > 1:
        return replace(
            _roles_of_times(frame, [names.index(name) for name in targets], exclude, target_as, event), given=tuple(given)
        )
    return replace(_roles_of_column(frame, names.index(targets[0]), exclude, target_as, apart), given=tuple(given))


def _roles_of_column(frame, position, exclude, target_as, apart):
    """The roles where the outcome is one column, which lies at this position."""
    target = str(frame.columns[position])
    column = _holds_classes(describe_columns(frame.iloc[:, [position]])[0])
    rows = np.flatnonzero(~np.isnan(column.values))
    if len(rows) < MIN_ROWS:
        raise InputError(f"There are {len(rows)} rows with a value for {quote(target)}. At least {MIN_ROWS} are needed.")
    dropped = len(frame) - len(rows)
    notes = (f"Left out: {counted(dropped, 'row')} without a value for {quote(target)}.",) if dropped else ()
    _refuse_no_target(column)
    if _is_number(column, target_as):
        return Roles(rows, column.values[rows] + 0.0, (), frozenset(exclude), (*notes, _note_number(column, target_as)))
    _refuse_no_classes(column, len(rows))
    values, codes = np.unique(column.values[rows], return_inverse=True)
    classes = tuple(value_names(column, values))
    if column.levels and target not in apart:
        _refuse_alike_classes(column)
    _refuse_single(column, classes, codes, rows, frame.index)
    return Roles(rows, codes, classes, frozenset(exclude), notes)


def _roles_of_times(frame, positions, exclude, target_as, event):
    """The roles of a time to an event, whose columns lie at these positions."""
    if target_as is not None:
        raise InputError(f"A time to an event is neither classes nor a number, so target_as is not given. Found {target_as!r}.")
    by_name = {column.name: column for column in describe_columns(frame.iloc[:, positions])}
    times = event_times([by_name[str(frame.columns[j])] for j in positions], event, frame.index)
    if len(times.rows) < MIN_ROWS:
        raise InputError(f"There are {len(times.rows)} rows with a time and an event. At least {MIN_ROWS} are needed.")
    return Roles(times.rows, times.target, (), frozenset(exclude), times.notes, times.event, times.censored, times.unit)


def _holds_classes(column):
    """A target with few texts holds classes, even '<50' or '10 mg', unless some texts mean missing."""
    if column.kind == "mixed" and column.distinct <= MAX_CLASSES and not any(map(is_unknown, column.levels)):
        return replace(column, kind="category", problem="")
    return column


def _refuse_alike_names(names, apart):
    for look, same in same_looking_names(names).items():
        if not set(same) <= set(apart):
            where = joined([str(names.index(name) + 1) for name in same])
            raise InputError(
                f"The columns {where} have a name that looks the same, {quote(look)}. They differ in invisible characters. Rename "
                "one, leave one out, or keep both (on Data, or in Python by alike='keep')."
            )


def _refuse_alike_classes(column):
    for same in same_looking_names(column.levels, word_key).values():
        raise InputError(
            f"The classes {listed(same)} of {quote(column.name)} differ only in capitals or invisible characters. Join them or "
            "keep them apart (on Data, or in Python by alike='join' or alike='keep')."
        )


def _is_number(column, target_as) -> bool:
    name = quote(column.name)
    if target_as not in TARGET_AS:
        raise InputError(f'The option target_as must be "classes", "number" or None. Found {target_as!r}.')
    if target_as != "number":
        return target_as is None and column.kind == "number" and column.distinct > MAX_CLASSES
    if column.kind != "number":
        raise InputError(f"The outcome {name} holds text ({column.example}), not numbers. Treat it as classes.")
    if column.distinct < MIN_NUMBERS:
        raise InputError(
            f"The outcome {name} has {column.distinct} different numbers. A numeric outcome needs {MIN_NUMBERS}. "
            "Treat it as classes."
        )
    return True


def _note_number(column, target_as):
    if target_as == "number":
        return f"The outcome {quote(column.name)} is treated as a number, as chosen. It has {column.distinct} different values."
    why = f"has {column.distinct} different numbers, so it is treated as a number"
    return f"The outcome {quote(column.name)} {why}. To predict classes, group it (such as low and high)."


def _refuse_no_target(column):
    name = quote(column.name)
    if column.problem:
        raise InputError(f"{column.problem.rsplit(', or leave', 1)[0]}, or choose another outcome.")
    if column.distinct < 2:
        raise InputError(f"The outcome {name} has only one value, {column.example!r}. Choose another outcome.")
    if column.kind == "date":
        raise InputError(
            f"The outcome {name} holds dates. An outcome must be a number or 2 to {MAX_CLASSES} classes. Choose another outcome."
        )


def _refuse_no_classes(column, n_rows):
    if column.distinct == n_rows or column.distinct > MAX_CLASSES:
        found = "differs in every row" if column.distinct == n_rows else f"has {column.distinct} different values"
        number = "Treat it as a number, group it into classes (such as low and high), or choose"
        way = number if column.kind == "number" else "Choose"
        raise InputError(
            f"The outcome {quote(column.name)} {found}. The number of classes must be 2 to {MAX_CLASSES}. {way} another outcome."
        )


def _refuse_single(column, classes, codes, rows, index):
    counts = np.bincount(codes)
    if counts.min() == 1:
        c = int(counts.argmin())
        where = row_place(index, rows[np.flatnonzero(codes == c)[0]])
        number = ", or treat the outcome as a number" if column.kind == "number" and column.distinct >= MIN_NUMBERS else ""
        meant = suggest_name(classes[c], [name for other, name in enumerate(classes) if counts[other] > 1])
        raise InputError(
            f"The class {quote(classes[c])} of {quote(column.name)} has only one row ({where}){meant}. Correct the cell in your "
            "file, or empty it to leave the row out. You can also replace it on Data (in a settings file, by the mend 'as'), or "
            f"join it with another class{number}."
        )


def patient_codes(column, index):
    """(n,) codes of the patients, None without a column. Raises InputError, with the row, for an empty cell."""
    if column is None:
        return None
    if column.missing:
        where = row_place(index, int(np.flatnonzero(np.isnan(column.values))[0]))
        raise InputError(f"{quote(column.name)} names the patients, but it is empty in {where}. Fill the cell, or delete the row.")
    codes = np.unique(column.values, return_inverse=True)[1]
    if codes.max() == 0:
        raise InputError(f"By {quote(column.name)} all rows belong to one patient. Choose another column, or none.")
    return codes
