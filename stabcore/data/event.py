"""The event among the classes: the class with the disease or finding."""

import re

from stabcore.base.errors import InputError
from stabcore.base.text import comma_separated, joined
from stabcore.io.cells import PAIRS, word_key

# English and German names of classes without the event
_NAMES_OF_ABSENCE = {
    *comma_separated(
        "control, controls, ctrl, ctl, hc, kontrolle, kontrollen, kontrollgruppe, healthy, gesund, gesunde, normal, well, "
        "unaffected, none, benign, alive, survived, survivor, survivors, living, lives, lebend, lebt, überlebt, placebo, "
        "remission, event-free, event free, kein, keine, ohne, unremarkable, unauffällig"
    ),
    *(no for _, no in PAIRS),
}
_WITHOUT = re.compile(r"(?:healthy|normal|no|not|non|without|free of|kein|keine|ohne|nicht|gesunde|sans|pas de|sin)[\s_-].+")
_CODE_PREFIX = re.compile(r"\d+\s*[:=.)-]\s*(?=\D)")  # a code before the word, as in 0:LIVING
_NOT_YET = comma_separated("censored, zensiert, cens, lost, lost to follow-up, withdrawn, ongoing")


def is_absence(name) -> bool:
    """Whether a value of a column of events means that it did not happen, or is unknown."""
    key = _CODE_PREFIX.sub("", word_key(name))
    return key in _NAMES_OF_ABSENCE or key in _NOT_YET or bool(_WITHOUT.fullmatch(key))


def event_class(classes) -> int:
    """The code of the event: the second of two classes, unless only that one has a name for an absence.

    Of more classes, it is the first without such a name.
    """
    names = [_CODE_PREFIX.sub("", word_key(name)) for name in classes]
    events = [code for code, name in enumerate(names) if not (name in _NAMES_OF_ABSENCE or _WITHOUT.fullmatch(name))]
    if len(classes) == 2:
        return 0 if events == [0] else 1
    return events[0] if events else 0


def event_number(classes, event: str | None) -> int:
    """The code of the event that somebody asks for. By default `event_class`, for two classes."""
    if event is None and len(classes) != 2:
        raise InputError(f"There are {len(classes)} classes. Choose the event, event= one of: {joined(list(classes), 'or')}.")
    if event is not None and event not in classes:
        raise InputError(f"There is no class {event!r}. Choose one of: {joined(list(classes), 'or')}.")
    return event_class(classes) if event is None else list(classes).index(event)
