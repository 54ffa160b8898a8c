"""Steps that can be taken back: what each changed, by name, so that taking it back leaves what changed elsewhere as it is."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from pages.workspace.files import locked, write_whole
from stabcore.base.errors import InputError

FILE = "steps.json"
MOST, LONGEST = 100, 300_000  # steps that can be taken back; characters of a history on disk
HISTORIES = 6  # of one project on disk: every tab looks at a state of its own


@dataclass(frozen=True)
class Step:
    """What one gesture changed: {name: [before, after]}, None where it was not there; and the screen it was made on."""

    changed: dict
    page: str = ""


@dataclass(frozen=True)
class History:
    """The state now, {name: plain value}; steps that led to it, the latest last; steps that were taken back, likewise."""

    now: dict
    past: tuple = ()
    future: tuple = ()

    def settled(self, now) -> History:
        """The state as it came to be without a gesture: no step, and nothing is lost."""
        return replace(self, now=now)

    def after(self, now, page="", goes_on=False) -> History:
        """After a gesture: one step more, unless nothing is different; what was taken back before is gone.

        goes_on: it came so soon after the last step that the two are one gesture, where both moved the same number.
        """
        changed = _changed(self.now, now, {**self.now, **now})
        if not changed:
            return self
        last = self.past[-1].changed if goes_on and self.past and not self.future else {}
        if (number := _number(changed)) is not None and number == _number(last):
            changed = _changed({name: values[0] for name, values in last.items()}, now, last)
            return History(now, (*self.past[:-1], *([Step(changed, page)] if changed else [])))
        return History(now, (*self.past, Step(changed, page))[-MOST:])

    def undo(self) -> History:
        """The last step taken back. There has to be one."""
        step = self.past[-1]
        return History(_with(self.now, step, 0), self.past[:-1], (*self.future, step))

    def redo(self) -> History:
        """What was taken back last, done once more. There has to be something."""
        step = self.future[-1]
        return History(_with(self.now, step, 1), (*self.past, step), self.future[:-1])


def _changed(before, after, names) -> dict:
    return {name: [before.get(name), after.get(name)] for name in names if before.get(name) != after.get(name)}


def _number(changed) -> tuple | None:
    """Which one number was changed, as a slider does: its name, and of a scenario what in it; None where anything else was.

    In the address a number is a list of one text, None the usual one. A pair that is set by hand was no number before.
    """
    if len(changed) != 1:
        return None
    ((name, (before, after)),) = changed.items()
    try:
        if isinstance(before, dict) and isinstance(after, dict):
            inner = _changed(_flat(before), _flat(after), {**_flat(before), **_flat(after)})
            values = [value for pair in inner.values() for value in pair if value is not None]
            return (name, *inner) if len(inner) == 1 and all(type(value) in (int, float) for value in values) else None
        texts = [text for value in (before, after) if value is not None for (text,) in [value]]
        return (name,) if all(float(text) is not None for text in texts) else None
    except (TypeError, ValueError):
        return None


def _flat(scenario) -> dict:
    """A scenario in which each pair that was set by hand, [feature, feature, number], has a name of its own."""
    pairs = {(a, b): value for a, b, value in scenario.get("edits") or ()}
    return {**{name: value for name, value in scenario.items() if name != "edits"}, **pairs}


def _with(now, step, which) -> dict:
    """A state in which the names of a step have their value before (0) or after (1) it."""
    changed = {**now, **{name: values[which] for name, values in step.changed.items()}}
    return {name: value for name, value in changed.items() if value is not None}


# ---- on disk ----


def read_history(folder, now) -> History:
    """The history in a project's folder that led to this state; a new one where none did."""
    return next((history for history in reversed(_read(folder)) if history.now == now), History(now))


def write_history(folder, history, instead=None):
    """Keep a history in a project's folder, in the place of another state of it. It is a help: a full disk does no harm."""
    path = Path(folder) / FILE
    with suppress(OSError, InputError), locked(path):
        others = [other for other in _read(folder) if other.now not in (history.now, instead)][1 - HISTORIES :]
        write_whole(path, f"[{', '.join(_text(state) for state in (*others, history))}]".encode())


def _text(history) -> str:
    """As JSON; the earliest steps are left aside as far as it would be too long."""
    text = json.dumps([history.now, _plain(history.past), _plain(history.future)])
    shorter = replace(history, past=history.past[len(history.past) // 2 + 1 :], future=())
    return text if len(text) <= LONGEST or not history.past else _text(shorter)


def _plain(steps):
    return [[step.changed, step.page] for step in steps]


def _read(folder) -> list[History]:
    """Histories as they were kept; none where the file is damaged."""
    try:
        return [
            History(dict(now), _steps(past), _steps(future))
            for now, past, future in json.loads((Path(folder) / FILE).read_text(encoding="utf-8"))
        ]
    except (OSError, ValueError, TypeError, AttributeError, RecursionError):
        return []


def _steps(plain) -> tuple:
    return tuple(Step({name: [before, after] for name, (before, after) in changed.items()}, str(page)) for changed, page in plain)
