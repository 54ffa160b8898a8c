"""Survival data: times and event indicators, recognised by names and values."""

import re
from dataclasses import dataclass

import numpy as np

from stabcore.base.errors import InputError
from stabcore.data.columns import USABLE, describe_columns
from stabcore.data.followed import column_days

_WHAT = (
    r"(?:os|pfs|dfs|rfs|efs|dss|css|mfs|ttp|ttr|surv(?:ival)?|overall[ _.-]?surv(?:ival)?|\w+[ _.-]free[ _.-]surv(?:ival)?|fu|"
    r"follow[ _.-]?up|event|death|relapse|recurrence|progression|censor(?:ing)?|observation|last[ _.-]contact)"
)
_UNIT = r"(?:time|t|days?|d|weeks?|months?|mo|years?|yrs?|y|dur(?:ation)?)"
_TIME = re.compile(
    rf"{_WHAT}(?:[ _.-]*{_UNIT})*|{_UNIT}[ _.-]*(?:to|until|till)[ _.-]*(?:the[ _.-])?(?:first[ _.-])?"
    rf"(?:{_WHAT}|last|failure)[ _.\w-]*|(?:fu|s|surv|t2?e?)[ _.-]?time|time(?:[ _.-]?(?:days?|months?|years?))?|"
    r"months|days|überlebenszeit|beobachtungs(?:zeit|dauer)|nachbeobachtung(?:szeit|sdauer)?",
    re.IGNORECASE,
)
_EVENT = re.compile(
    rf"(?:(?:{_WHAT}|vital|fu|pat(?:ient)?|disease)[ _.-]*)?(?:status|stat|event|censor(?:ed|ing)?|cens|indicator|"
    r"died|dead|death|deceased|delta|verstorben|ereignis)|relapsed?|recurrence|progression|progressed|"
    r"os|pfs|dfs|rfs|efs",
    re.IGNORECASE,
)
_IN_BRACKETS = re.compile(r"\s*[\[(][^\])]*[\])]\s*$")
MIN_TIMES = 10
MAX_EVENTS = 4  # such as censored, dead, transplanted, lost


@dataclass(frozen=True)
class Survival:
    """The names of a column of times, or of two dates, and of the event indicator."""

    time: str
    event: str
    first: str = ""  # the first date, where `time` is the last

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns as a Dataset takes them for its outcome."""
        return (self.first, self.time, self.event) if self.first else (self.time, self.event)

    @property
    def sentence(self) -> str:
        """The note on the pair, with the reason for its treatment."""
        if self.first:
            return (
                f"{self.first!r} and {self.time!r} are dates. {self.event!r} may say whether an event happened. The days "
                "between the dates and the event can be the outcome."
            )
        return (
            f"{self.time!r} may be a time to an event. {self.event!r} may say whether it happened. Together they can be the "
            f"outcome. {self.time!r} is left out as a feature, because it is known only afterwards."
        )


def survival_pairs(columns, target=None) -> list[Survival]:
    """The pairs among Column objects, with the nearest event for each time.

    target: a column of classes that may also be the event.
    """
    events = [j for j, column in enumerate(columns) if _is_event(column, target)]
    times = [j for j, column in enumerate(columns) if _is_time(column)]
    nearest = {j: min(events, key=lambda i: _distance(columns, j, i, target)) for j in times} if events else {}
    return [Survival(columns[j].name, columns[i].name) for j, i in nearest.items()] or _date_pair(columns, events)


def _date_pair(columns, events):
    """The pair of dates that lie in the same order in every row, if there is exactly one, with the nearest event."""
    dates = [column for column in columns if column.kind == "date"]
    if not events or len(dates) < 2:
        return []
    try:
        days = {column.name: column_days(column) for column in dates}
    except InputError:  # unreadable dates are reported when they are chosen
        return []
    pairs = [
        (first, last) for first in days for last in days if first != last and not np.nanmin(days[last] - days[first], initial=0) < 0
    ]
    if len(pairs) != 1:
        return []
    (first, last), names = pairs[0], [column.name for column in columns]
    event = min(events, key=lambda i: abs(i - names.index(last)))
    return [Survival(last, names[event], first)]


def survival_pairs_of_frame(frame, target) -> list[Survival]:
    """The pairs in a DataFrame, among columns with a matching name."""
    meant = [
        j
        for j, name in enumerate(map(str, frame.columns))
        if name == target or any(pattern.fullmatch(_IN_BRACKETS.sub("", name)) for pattern in (_TIME, _EVENT))
    ]
    return survival_pairs(describe_columns(frame.iloc[:, meant]), target)


def _distance(columns, time, event, target):
    """A key that prefers names with the same beginning (os_time, os_event), then a named event, then the nearest column."""
    a, b = (re.split(r"[ _.-]", columns[i].name.lower())[0] for i in (time, event))
    return a != b, columns[event].name == target and not _EVENT.fullmatch(columns[event].name), abs(time - event)


def _is_time(column):
    numbers = column.values[np.isfinite(column.values)]
    named = _TIME.fullmatch(_IN_BRACKETS.sub("", column.name))
    return bool(named and column.kind == "number" and column.distinct > MIN_TIMES and (numbers >= 0).all())


def _is_event(column, target):
    named = _EVENT.fullmatch(_IN_BRACKETS.sub("", column.name)) or column.name == target
    return bool(named and column.kind in USABLE and not column.problem and 2 <= column.distinct <= MAX_EVENTS)
