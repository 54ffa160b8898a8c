"""Steps for undo and redo. Each holds its changes by name, so that undoing it leaves other changes as they are."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from pages.workspace.files import locked, write_atomically
from stabcore.base.errors import InputError

FILE = "steps.json"
MAX_STEPS, MAX_FILE_LENGTH = 100, 300_000  # limits: steps of undo; characters of a history on disk
MAX_HISTORIES = 6  # histories of one project on disk, because every tab has its own state


@dataclass(frozen=True)
class Step:
    """The changes of one gesture: {name: [before, after]}, None for a missing one, and its screen."""

    changes: dict
    page: str = ""


@dataclass(frozen=True)
class History:
    """The present state {name: plain value}, the steps before it, the latest last, and the undone steps, likewise."""

    state: dict
    past: tuple = ()
    future: tuple = ()

    def with_state(self, state) -> History:
        """The state after a change without a gesture: no step, and nothing is lost."""
        return replace(self, state=state)

    def with_step(self, state, page="", continues=False) -> History:
        """The state after a gesture: one more step if anything differs. Undone steps are dropped.

        continues: it came so soon after the last step that both are one gesture, if both changed the same number.
        """
        changed = _differences(self.state, state, {**self.state, **state})
        if not changed:
            return self
        last = self.past[-1].changes if continues and self.past and not self.future else {}
        if (number := _changed_number(changed)) is not None and number == _changed_number(last):
            changed = _differences({name: values[0] for name, values in last.items()}, state, last)
            return History(state, (*self.past[:-1], *([Step(changed, page)] if changed else [])))
        return History(state, (*self.past, Step(changed, page))[-MAX_STEPS:])

    def undo(self) -> History:
        """Undo the last step. There must be one."""
        step = self.past[-1]
        return History(_state_with(self.state, step, 0), self.past[:-1], (*self.future, step))

    def redo(self) -> History:
        """Redo the last undone step. There must be one."""
        step = self.future[-1]
        return History(_state_with(self.state, step, 1), (*self.past, step), self.future[:-1])


def _differences(before, after, names) -> dict:
    return {name: [before.get(name), after.get(name)] for name in names if before.get(name) != after.get(name)}


def _changed_number(changed) -> tuple | None:
    """The single number that was changed, as by a slider: its name, and its part of a scenario. None for any other change.

    In the address a number is a list of one text, and None is the default. A pair set by hand had no number before.
    """
    if len(changed) != 1:
        return None
    ((name, (before, after)),) = changed.items()
    try:
        if isinstance(before, dict) and isinstance(after, dict):
            inner = _differences(_flat_scenario(before), _flat_scenario(after), {**_flat_scenario(before), **_flat_scenario(after)})
            values = [value for pair in inner.values() for value in pair if value is not None]
            return (name, *inner) if len(inner) == 1 and all(type(value) in (int, float) for value in values) else None
        texts = [text for value in (before, after) if value is not None for (text,) in [value]]
        return (name,) if all(float(text) is not None for text in texts) else None
    except (TypeError, ValueError):
        return None


def _flat_scenario(scenario) -> dict:
    """A scenario in which each pair set by hand, [feature, feature, number], has a name of its own."""
    pairs = {(a, b): value for a, b, value in scenario.get("edits") or ()}
    return {**{name: value for name, value in scenario.items() if name != "edits"}, **pairs}


def _state_with(state, step, which) -> dict:
    """A state in which the names of a step have their value before (0) or after (1) it."""
    changed = {**state, **{name: values[which] for name, values in step.changes.items()}}
    return {name: value for name, value in changed.items() if value is not None}


# ---- on disk ----


def read_history(folder, state) -> History:
    """The history on disk that led to this state, else a new one."""
    return next((history for history in reversed(_read_histories(folder)) if history.state == state), History(state))


def write_history(folder, history, replaced=None):
    """Keep a history on disk, in place of another state of it. A full disk does no harm, because the history is not essential."""
    path = Path(folder) / FILE
    with suppress(OSError, InputError), locked(path):
        others = [other for other in _read_histories(folder) if other.state not in (history.state, replaced)][1 - MAX_HISTORIES :]
        write_atomically(path, f"[{', '.join(_format_history(state) for state in (*others, history))}]".encode())


def _format_history(history) -> str:
    """As JSON, without the earliest steps if it would be too long."""
    past, future = ([[step.changes, step.page] for step in steps] for steps in (history.past, history.future))
    text = json.dumps([history.state, past, future])
    shorter = replace(history, past=history.past[len(history.past) // 2 + 1 :], future=())
    return text if len(text) <= MAX_FILE_LENGTH or not history.past else _format_history(shorter)


def _read_histories(folder) -> list[History]:
    """Histories on disk, none if the file is damaged."""
    try:
        stored = json.loads((Path(folder) / FILE).read_text(encoding="utf-8"))
        return [History(dict(now), _parse_steps(past), _parse_steps(future)) for now, past, future in stored]
    except (OSError, ValueError, TypeError, AttributeError, RecursionError):
        return []


def _parse_steps(plain) -> tuple:
    return tuple(Step({name: [before, after] for name, (before, after) in changed.items()}, str(page)) for changed, page in plain)
