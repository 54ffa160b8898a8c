"""A time to an event from the columns of a table: a time and an event, or two dates and an event."""

import re
from dataclasses import dataclass

import numpy as np

from stabcore.base.errors import InputError
from stabcore.base.target import check_survival
from stabcore.base.text import counted, joined, listed, quote, suggest_name
from stabcore.data.columns import row_place
from stabcore.data.event import is_absence
from stabcore.io.cells import is_date, word_key

MAX_VALUES = 10  # largest number of different values of a column of events
_DAYS_FIRST = re.compile(r"(\d{1,2})([-/.])(\d{1,2})[-/.]\d{2,4}")
_UNITS = {
    "days": r"days?|d|tage?|jours?",
    "weeks": r"weeks?|wks?|wochen?",
    "months": r"months?|mos?|mths?|monate?n?|mois",
    "years": r"years?|yrs?|y|jahre?n?",
}
_HAPPENED = {"1": ("0",), "2": ("1",)}  # {code for an event: codes for none}


@dataclass(frozen=True, eq=False)
class EventTimes:
    """The rows (n,) with known time and event, their records (n,), and the reading of the columns.

    event, censored: the values that mean that the event happened, and all others. unit: of the time, "" if unknown.
    """

    rows: np.ndarray
    target: np.ndarray
    event: tuple[str, ...]
    censored: tuple[str, ...]
    notes: tuple[str, ...]
    unit: str = ""


def event_values(column) -> tuple[list[str], list[str]]:
    """(the values of the Column of an event, those that usually mean that it happened, none if unclear)."""
    try:
        usual, names = _event_meaning(column, ())
    except InputError:
        values = np.unique(column.values[~np.isnan(column.values)])
        return value_names(column, values) if len(values) <= MAX_VALUES else [], []
    return names, usual


def event_times(columns, happened, index) -> EventTimes:
    """A time to an event of its Column objects: (time, event), or (first date, last date, event).

    happened: values of the event column that mean that it happened, () for the usual codes and words. Raises InputError if these
    are unclear, for negative times, and for columns of another kind.
    """
    if len(columns) not in (2, 3):
        raise InputError(
            "A time to an event has two columns, the time and the event, or three: first date, last date, event. Found "
            f"{len(columns)}."
        )
    *times, event = columns
    wrong = next((column for column in columns if column.problem), None)
    if wrong is not None:
        raise InputError(f"{wrong.problem.rsplit(' Or leave', 1)[0]} Or choose another outcome.")
    time, unit = (_times_from_dates(*times), "days") if len(times) == 2 else (_number(times[0], event), _time_unit(times[0].name))
    yes, names = _event_meaning(event, [str(value) for value in happened])
    code = np.array([names.index(name) for name in yes])
    rows = np.flatnonzero(~np.isnan(time) & ~np.isnan(event.values))
    values = np.unique(event.values[~np.isnan(event.values)])
    records = check_survival(
        time[rows],
        np.isin(np.searchsorted(values, event.values[rows]), code).astype(float),
        f"The time from {quote(times[0].name)} to {quote(times[1].name)}" if times[1:] else f"The time {quote(times[0].name)}",
        f"The event of {quote(event.name)}",
        lambda row: row_place(index, int(rows[row])),
    )
    censored = tuple(name for name in names if name not in yes)
    return EventTimes(rows, records, tuple(yes), censored, tuple(_notes(columns, records, yes, censored, len(time), unit)), unit)


def _number(time, event):
    if time.kind == "number":
        return np.asarray(time.values, dtype=float)
    if time.kind == "date":
        raise InputError(
            f"The time {quote(time.name)} holds dates. Name the first and the last date: target = (first date, last date, event)."
        )
    if len(time.levels) == 2:  # such as pd.get_dummies(y)
        raise InputError(
            f"The time {quote(time.name)} is {joined([quote(level) for level in time.levels], 'or')} in every row, so it looks "
            "like a class. Give one column as the outcome, or times that are numbers."
        )
    swapped = " The time comes first, then the event." if event.kind == "number" else ""
    raise InputError(f"The time {quote(time.name)} is not a number ({time.example}).{swapped} Choose another column.")


def _event_meaning(event, happened):
    """(the values that mean that it happened, all values in order) of the event column, as texts."""
    values = np.unique(event.values[~np.isnan(event.values)])
    if len(values) > MAX_VALUES:
        raise InputError(
            f"The event {quote(event.name)} has {len(values)} different values. An event has 2 to {MAX_VALUES}, which say "
            "whether it happened. The time comes first, then the event."
        )
    names = value_names(event, values)
    for name in happened:
        if name not in names:
            raise InputError(
                f"{quote(event.name)} has no value {quote(name)}{suggest_name(name, names)}. Its values are {listed(names)}."
            )
    if len(happened) == len(names):
        raise InputError(f"All values of {quote(event.name)} would mean that the event happened. Leave out those that do not.")
    return (happened, names) if happened else (_usual_event_values(event, names), names)


def value_names(column, values) -> list[str]:
    """The values of a Column, its levels or numbers, as texts."""
    return [column.levels[int(v)] if column.levels else str(int(v)) if v == int(v) else repr(float(v)) for v in values]


def _usual_event_values(event, names):
    if len(names) == 2 and (names[0],) == _HAPPENED.get(names[1]):
        return names[1:]
    lacking = [is_absence(name) for name in names]
    if len(names) == 2 and lacking.count(True) == 1:
        return [name for name, lacks in zip(names, lacking, strict=True) if not lacks]
    if names == ["1"] or len(names) == 1 and word_key(names[0]) in ("yes", "true", "dead", "died", "event"):
        return names
    raise InputError(
        f"{quote(event.name)} holds {joined([quote(name) for name in names])}. Choose which of them mean that the event happened "
        "(on Data, or in Python by event=[…]). All others count as censored."
    )


def _times_from_dates(first, last):
    for column in (first, last):
        if column.kind != "date":
            dates = [is_date(level) for level in column.levels]
            if dates.count(True) > len(dates) / 2:
                other = column.levels[dates.index(False)]
                raise InputError(
                    f"{quote(column.name)} holds dates and {quote(other)}, which is not a date. Empty such cells, or write dates."
                )
            raise InputError(
                f"{quote(column.name)} holds no dates ({column.example}). A time from dates needs two columns of them."
            )
    return column_days(last) - column_days(first)


def column_days(column):
    """(n,) days since 1970 of a column of dates, NaN where a cell is empty."""
    import pandas as pd

    parts = [match for level in column.levels if (match := _DAYS_FIRST.match(level))]
    first, second = ([int(match[group]) for match in parts] for group in (1, 3))
    day_first = any(match[2] == "." for match in parts) or max(first, default=0) > 12
    if parts and not day_first and max(second, default=0) <= 12:
        raise InputError(
            f"The dates of {quote(column.name)}, such as {quote(column.levels[0])}, do not say which number is the day. Write "
            "them as 2021-03-31."
        )
    try:
        read = pd.to_datetime(pd.Series(column.levels), format="mixed", dayfirst=day_first)
    except (ValueError, TypeError):
        raise InputError(f"Some dates of {quote(column.name)} cannot be read. Write them as 2021-03-31.") from None
    days = (read - pd.Timestamp("1970-01-01")).dt.total_seconds().to_numpy() / 86_400
    known = ~np.isnan(column.values)
    values = np.full(len(column.values), np.nan)
    values[known] = np.floor(days)[column.values[known].astype(int)]
    return values


def describe_late_events(first, last, event, others, happened) -> str:
    """A sentence on events that another column dates after the last date, "" without any. others: Column objects of dates."""
    _, names = _event_meaning(event, list(happened))
    values = np.unique(event.values[~np.isnan(event.values)])
    yes = np.isin(event.values, values[[names.index(name) for name in happened]])
    for other in others:
        try:
            later = yes & (column_days(other) > column_days(last)) & (column_days(other) >= column_days(first))
        except InputError:  # dates that cannot be read are not evidence
            continue
        if later.any():
            return (
                f"In {counted(int(later.sum()), 'row')} with the event, {quote(other.name)} is after {quote(last.name)}. If it "
                f"dates the event, the time must end there: put it into {quote(last.name)} in these rows."
            )
    return ""


def _time_unit(name) -> str:
    """The unit of time in the name of a column, "" without one."""
    words = re.split(r"[^a-zäöü]+", re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).lower())
    return next((unit for unit, pattern in _UNITS.items() if any(re.fullmatch(pattern, word) for word in words)), "")


def _notes(columns, records, yes, censored, n_rows, unit):
    *times, event = (quote(column.name) for column in columns)
    if dropped := n_rows - len(records):
        yield f"Left out: {counted(dropped, 'row')} without a time or an event."
    if len(times) == 2:
        yield f"The time is the number of days from {times[0]} to {times[1]}."
    elif not unit:
        yield f"The unit of {times[0]} is unknown. A column name such as 'time (days)' gives it."
    others = f" {joined([quote(name) for name in censored])} counts as censored." if censored else " No row is censored."
    yield f"The event is {event} = {joined([quote(name) for name in yes], 'or')}.{others}".replace(
        " counts as", " count as" if len(censored) > 1 else " counts as"
    )
    if len(censored) > 1:
        yield ABOUT_COMPETING_EVENTS
    if zero := int((records["time"] == 0).sum()):
        yield f"The time is 0 in {counted(zero, 'row')}. These rows are followed for no time. Check their dates."


ABOUT_COMPETING_EVENTS = (
    "Several values count as censored. If one of them is a competing event, such as death from another cause, hazards are those "
    "among people who had none of these events yet."
)
