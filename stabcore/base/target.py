"""The outcome of each row as one array, of which there are three kinds: classes, a number, and a time to event.

Classes are whole numbers 0 … C − 1, and a number is a float. A time to event is a record of `event` (did it happen?) and `time`
(when it happened, or how long the row was followed), as in scikit-survival. Every package calls `kind_of_target`, and rows are
drawn by `target_strata`, so that each kind has the same rules everywhere.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from stabcore.base.errors import InputError
from stabcore.base.text import listed

TWO, MORE, NUMBER, TIME = "two classes", "more classes", "a number", "a time to an event"
SURVIVAL = np.dtype([("event", "?"), ("time", "<f8")])


def target_columns(target: Any) -> tuple[str, ...]:
    """The names of the columns of an outcome: one, or those of a time to an event."""
    return (target,) if isinstance(target, str) or not isinstance(target, (tuple, list)) else tuple(map(str, target))


def target_label(target: Any) -> str:
    """The outcome of these columns in a sentence or a table."""
    return ", ".join(map(str, target_columns(target)))


def kind_of_target(y: np.ndarray) -> str:
    """TWO, MORE, NUMBER or TIME, of class numbers, floats or records."""
    if y.dtype.names:
        return TIME
    if y.dtype.kind == "f":
        return NUMBER
    return TWO if y.max(initial=0) <= 1 else MORE


def has_classes(y: np.ndarray) -> bool:
    """Whether the outcome of the rows is a class."""
    return kind_of_target(y) in (TWO, MORE)


def survival_target(time: ArrayLike, event: ArrayLike) -> np.ndarray:
    """(n,) records of times and events."""
    target = np.empty(len(np.asarray(time)), dtype=SURVIVAL)
    target["time"], target["event"] = time, event
    return target


def target_strata(y: np.ndarray) -> np.ndarray:
    """(n,) whole numbers by which rows are drawn: the class, whether the event happened, or 0 for a number."""
    kind = kind_of_target(y)
    if kind == TIME:
        return (y["event"] & (~y["event"]).any()).astype(np.int64)  # a single stratum if no row is censored
    return np.zeros(len(y), dtype=np.int64) if kind == NUMBER else y.astype(np.int64)


def as_target(y: ArrayLike, n_rows: int) -> np.ndarray:
    """The target in the form that selectors and plans use.

    Class numbers (n,) in 0 … C − 1, (n,) floats for a number, or records (n,) of time and event.

    A structured array or two columns are a time to event. Floating-point numbers with more than two different values are a numeric
    target. Anything else names classes. Raises InputError for a wrong length, gaps, infinite numbers, or a single value.
    """
    if (records := as_survival(y, n_rows)) is not None:
        return records
    labels = np.asarray(y)
    if labels.dtype.kind == "f" and labels.shape == (n_rows,) and len(np.unique(labels)) > 2 and not np.isnan(labels).any():
        if np.isinf(labels).any():
            raise InputError("The outcome is infinite in some rows. Correct these rows or leave them out.")
        return labels.astype(float)
    return class_codes(labels, n_rows)[0]


def class_codes(y: ArrayLike, n_rows: int) -> tuple[np.ndarray, np.ndarray]:
    """Class numbers (n,) in 0 … C − 1 from any labels, and the labels (C,) in sorted order.

    Raises InputError for a wrong length, gaps, or fewer than two classes.
    """
    labels = np.asarray(y)
    if labels.shape != (n_rows,):
        raise InputError(
            f"The outcome must have one value per row. The features have {n_rows} rows, but the outcome has the shape "
            f"{labels.shape}."
        )
    gaps = _gaps(labels)
    if gaps.any():
        raise InputError(f"The outcome is missing in {gaps.sum()} of {n_rows} rows. Leave these rows out first.")
    classes, codes = np.unique(labels.astype(str) if labels.dtype == object else labels, return_inverse=True)
    if len(classes) < 2:
        raise InputError(f"The outcome has only one class ({listed(classes)}). Feature selection needs at least two.")
    return codes, classes


def _gaps(labels):
    if labels.dtype == object:
        import pandas

        return pandas.isna(labels)
    return np.isnan(labels) if labels.dtype.kind in "fcmM" else np.zeros(labels.shape, dtype=bool)


def plain_arrays(y: np.ndarray) -> list[np.ndarray]:
    """The plain arrays (n,) that an outcome consists of."""
    return [y["time"], y["event"]] if y.dtype.names else [y]


def plain_values(y: np.ndarray) -> list[Any]:
    """The outcome as a file can hold it: one value per row, [time, 0 or 1] of a time to event."""
    if y.dtype.names:
        return [[time, int(event)] for time, event in zip(y["time"].tolist(), y["event"].tolist(), strict=True)]
    return y.tolist()


def from_plain_values(values: list[Any]) -> np.ndarray:
    """The outcome (n,) from the result of `plain_values`."""
    if values and isinstance(values[0], list):
        return survival_target(*np.array(values, dtype=float).T)
    return np.array(values)


def refuse_two_rows(y: Any) -> None:
    """Raise InputError for (time, event) as two arrays (n,), because the rows of an outcome are those of X."""
    several = isinstance(y, (tuple, list)) or isinstance(y, np.ndarray) and y.ndim == 2
    if several and len(y) == 2 and np.ndim(y[0]) == 1 and np.shape(y[0]) == np.shape(y[1]) != (2,):
        raise InputError(
            f"The outcome has 2 rows and {len(y[0])} columns. For a time to an event, give two columns, as of "
            "np.column_stack([time, event]), a DataFrame of both, or records of scikit-survival."
        )


def as_survival(y: Any, n_rows: int) -> np.ndarray | None:
    """Records (n,) of a time and an event in any form. None for any other outcome.

    y: a structured array with one boolean and one number, as in scikit-survival, or a DataFrame or array (n, 2) of times and
    events. Raises InputError for another number of rows and for impossible values, see `check_survival`,
    and for two arrays in a tuple.
    """
    refuse_two_rows(y)
    names = getattr(getattr(y, "dtype", None), "names", None)
    if names:
        if len(names) != 2:
            raise InputError(f"A time to event has two fields, the event and the time. Found {len(names)}: {', '.join(names)}.")
        first, second = (np.asarray(y[name]) for name in names)
        time, event = (second, first) if first.dtype.kind == "b" else (first, second)
    elif np.ndim(y) == 2 and np.shape(y)[1] == 2:
        columns = y.to_numpy() if hasattr(y, "to_numpy") else np.asarray(y)
        time, event = columns[:, 0], columns[:, 1]
        if _is_event(time) and not _is_event(event):
            time, event = event, time
    else:
        return None
    if len(time) != n_rows:
        raise InputError(f"The outcome must be one time and one event per row: X has {n_rows} rows, the outcome has {len(time)}.")
    return check_survival(np.asarray(time, dtype=float), np.asarray(event, dtype=float))


def _is_event(values) -> bool:
    return bool(np.isin(np.asarray(values, dtype=float), (0, 1)).all())


def check_survival(
    time: np.ndarray,
    event: np.ndarray,
    times: str = "The time",
    events: str = "The event",
    place: Callable[[int], str] = lambda row: f"row {row + 1}",
) -> np.ndarray:
    """Records (n,) of floats without gaps.

    times, events: their names in errors. place: the word for a row. Raises InputError, with the row, for times that are missing,
    infinite or negative, for events that are not 0 or 1, for times that are all 0 or 1, and for fewer than two events.
    """
    for wrong, what, way in (
        (~np.isfinite(time), f"{times} is missing or infinite", "Fill the cell, or leave the row out."),
        (time < 0, f"{times} is negative", "Correct the dates that it comes from, or leave the row out."),
        (~np.isin(event, (0, 1)), f"{events} is not 0 (censored) or 1 (happened)", "Say which values mean that it happened."),
    ):
        if wrong.any():
            rows = np.flatnonzero(wrong)
            where = f"{place(rows[0])}" + (f" and {len(rows) - 1} more" if len(rows) > 1 else "")
            raise InputError(f"{what} in {where}. {way}")
    if np.isin(time, (0, 1)).all():
        raise InputError(
            f"{times} is 0 or 1 in every row, so it looks like a class. Give one column as the outcome, or times with other values."
        )
    if np.count_nonzero(event) < 2:
        raise InputError(f"{events} happened in {np.count_nonzero(event)} rows. At least 2 are needed. Choose another outcome.")
    return survival_target(time, event == 1)
