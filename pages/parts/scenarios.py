"""The scenarios of C that are kept side by side: one is chosen; every change of them can be taken back."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from hashlib import sha256

import streamlit as st

from pages.parts import session
from pages.parts.session import TRIED_HERE
from pages.workspace.project import Project
from stabcore.base.errors import InputError
from stabcore.similarity.correlation import METHODS
from stabcore.similarity.scenario import BASES, Scenario

NOTHING, CORRELATED, GROUPED = "nothing", "correlated", "groups"  # names of the scenarios that there are to begin with
BY_HAND = "by hand"  # what a scenario rests on where only pairs set by hand stand for each other
NAME_OF_BASIS = {
    "none": NOTHING,
    "correlation": CORRELATED,
    "groups": GROUPED,
    "sets": "my sets",
    "matrix": "my matrix",
    BY_HAND: "pairs by hand",
}  # a name for what each rests on
LONGEST = 60  # characters of a name
UNNAMED = "mine"  # the scenario of a work that never named one
TRIABLE = {
    "base": BASES.__contains__,
    "method": METHODS.__contains__,
    "binary": lambda value: isinstance(value, bool),
    "share": lambda value: isinstance(value, bool),
    "threshold": lambda value: isinstance(value, int | float) and 0 <= value <= 1,
}  # of one that is tried: may it be so?
MARK = "scenario"  # begins the names of what is told of them to be taken back


def first_settings(groups) -> dict:
    """Settings of the scenarios that there are to begin with for a table, by name."""
    named = {NOTHING: Scenario(groups=groups), CORRELATED: Scenario(base="correlation", groups=groups)}
    if groups:
        named[GROUPED] = Scenario(base="groups", groups=groups)
    return {name: scenario.settings() for name, scenario in named.items()}


def by_name() -> dict[str, Scenario]:
    """The scenarios by name, the chosen one among them."""
    return {name: _scenario(settings) for name, settings in _settings_by_name().items()}


def chosen() -> Scenario:
    """Which features stand for each other, as chosen."""
    return _scenario(_settings_by_name()[chosen_name()]) if session.workspace() else Scenario()


def chosen_name() -> str:
    """Name of the scenario that this tab looks at: that of its address, else that which was chosen last in any tab."""
    project, of_tab = session.workspace(), st.session_state.get(session.SCENARIO_OF_TAB)
    if project is not None and of_tab is not None and of_tab in project.settings.get("scenarios", {}):
        return of_tab
    return _chosen_last(project)


def _chosen_last(project):
    """The name that the work keeps."""
    return (project.settings.get("scenario_name") if project else None) or UNNAMED


def describe_change() -> str:
    """What this tab looks at from now on; a sentence where another tab, or time since a link was made, has changed it."""
    if session.workspace() is None:
        return ""
    name, asked = chosen_name(), st.session_state.get(session.SCENARIO_OF_TAB)
    st.session_state[session.SCENARIO_OF_TAB] = name
    now, before = digest(), st.session_state.get(session.SCENARIO_SEEN)
    st.session_state[session.SCENARIO_SEEN] = now
    if asked is not None and asked != name:
        return f"The scenario “{asked}” is not there any more. These are the numbers of “{name}”."
    if before is None or before == now:
        return ""
    return f"The scenario “{name}” was changed in another tab, or since this link was made. These are the numbers as it is now."


def changed_elsewhere() -> bool:
    """Is what this tab looks at another one than when it looked, by nothing that was done in this tab?"""
    return st.session_state.get(session.SCENARIO_SEEN, digest()) != digest()


def mark_seen():
    """Remember as looked at what this tab has just changed, and draws itself."""
    if session.SCENARIO_SEEN not in st.session_state:
        describe_change()


def digest() -> str:
    """A few letters that are others when the scenario that this tab looks at is another one."""
    return sha256(json.dumps(_settings_by_name()[chosen_name()], sort_keys=True).encode()).hexdigest()[:8]


@session.if_work_exists
def change(new: Scenario, editing=False):
    """Change the chosen scenario; what it was can be had back. editing: from a table that is being edited and stays as it is.

    Another base may make it another one beside it. A scenario whose name says what it rests on, as those that were given do,
    stays what its name says; one with pairs set by hand keeps them, for they were set on top of that base.
    """
    before, name = chosen(), chosen_name()
    if new.settings() == before.settings():  # a table may tell of one edit twice
        return
    another_base = new.base != before.base
    if another_base and before.edits or _basis(new) != _basis(before) == _basis_in_name(name):
        new = replace(new, edits=()) if another_base else new
        same = [other for other, scenario in by_name().items() if scenario == new and _basis_in_name(other) in (None, _basis(new))]
        if same:
            choose(same[0])
        else:
            add(free_name(NAME_OF_BASIS[_basis(new)]), new)
        return
    _mark_changed(editing)
    session.work().save(scenarios={**_settings_by_name(), name: new.settings()}, scenario=new.settings(), scenario_name=name)


def bound_setting(screen, field, **more) -> dict:
    """Arguments of a widget that shows a setting of the chosen scenario on a screen and changes it; more: what else it sets."""
    key = session.setting(screen, field)
    session.watch(key, getattr(chosen(), field), folded=field != "threshold")
    return {"key": key, "on_change": _take_over, "args": (key, field, more)}


def _take_over(key, field, more):
    if session.moved(key):
        with session.read_once():
            change(replace(chosen(), **{field: st.session_state[key], **more}))
            st.session_state.setdefault(session.CHANGES_OF_C, []).append(state())


def _basis(scenario) -> str:
    """Its base; where that is none, pairs set by hand may be all there is."""
    return BY_HAND if scenario.base == "none" and scenario.edits else scenario.base


def _basis_in_name(name) -> str | None:
    """What a scenario of this name rests on, also with a number behind it as that of a copy; None: a name of one's own."""
    return next(
        (base for base, given in NAME_OF_BASIS.items() if name == given or re.fullmatch(rf"{re.escape(given)} [0-9]+", name)), None
    )


@session.if_work_exists
def choose(name):
    """Another of the scenarios that are kept."""
    _save(_settings_by_name(), name)


@session.if_work_exists
def add(name, new: Scenario):
    """Keep one more scenario and choose it."""
    _save({**_settings_by_name(), name: new.settings()}, name)


def free_name(name) -> str:
    """This name, or one like it that is not taken."""
    base, number = name[: LONGEST - 4].rstrip(), 2
    if name[:LONGEST] not in _settings_by_name():
        return name[:LONGEST]
    while f"{base} {number}" in _settings_by_name():
        number += 1
    return f"{base} {number}"


@session.if_work_exists
def rename(new):
    """Another name for the chosen scenario, at the same place."""
    old = chosen_name()
    _save({new if name == old else name: settings for name, settings in _settings_by_name().items()}, new)


@session.if_work_exists
def remove(name):
    """Forget one of several scenarios; if it was chosen, the first of the others is."""
    settings_of = {other: settings for other, settings in _settings_by_name().items() if other != name}
    _save(settings_of, chosen_name() if chosen_name() != name else next(iter(settings_of)))


def state() -> dict:
    """All of the scenarios, by names that begin with MARK: which one is chosen, their order, the settings of each."""
    settings_of = _settings_by_name()
    return {
        MARK: chosen_name(),
        f"{MARK}s": list(settings_of),
        **{f"{MARK}={name}": settings for name, settings in settings_of.items()},
    }


def redraw():
    """Tables that are being edited are drawn anew, as the scenario is."""
    st.session_state[session.SCENARIO_REVISION] = st.session_state.get(session.SCENARIO_REVISION, 0) + 1


@session.if_work_exists
def restore(before):
    """Let the scenarios be as in a `state`; those that another tab has made since stay, behind the others."""
    settings_of = {name.removeprefix(f"{MARK}="): settings for name, settings in before.items() if name.startswith(f"{MARK}=")}
    names = dict.fromkeys([name for name in before[f"{MARK}s"] if name in settings_of or name == before[MARK]] + list(settings_of))
    settings_of = {name: settings_of.get(name) for name in names}
    _save(settings_of, before[MARK] if before[MARK] in settings_of else next(iter(settings_of)))


# ---- what a viewer of a read-only copy tries: only the address keeps it ----


def describe_tried() -> str:
    """How the chosen scenario differs from that of the read-only copy, as an address can say it; empty for any other work."""
    project = session.workspace()
    if project is None or project.frozen is None or TRIED_HERE not in st.session_state:
        return ""
    sent, now = _settings_as_sent().get(chosen_name(), {}), chosen().settings()
    before = _scenario(sent).settings()
    differs = {field: now[field] for field in TRIABLE if now[field] != before[field]}
    if not differs and chosen_name() in _settings_as_sent():
        return ""
    return json.dumps({"name": chosen_name(), **differs}, separators=(",", ":"))


def take_up_tried(text):
    """Take up what an address tells of a scenario that was tried in a read-only copy; nothing where it cannot mean anything."""
    project = session.workspace()
    if project is None or project.frozen is None or not text:
        return
    try:
        asked = json.loads(text)
        name, differs = str(asked.pop("name"))[:LONGEST], {field: value for field, value in asked.items() if TRIABLE[field](value)}
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return
    new = replace(_scenario(_settings_as_sent().get(name, {})), **differs).settings()
    project.save(scenarios={**_settings_by_name(), name: new}, scenario=new, scenario_name=name)


def _settings_as_sent():
    """Settings of the scenarios of a read-only copy as it was sent, by name."""
    stored = Project(session.work().id).settings
    return {**stored.get("scenarios", {}), stored.get("scenario_name") or UNNAMED: stored.get("scenario") or {}}


# ---- below: how they are kept ----


def fresh(key):
    """A key for a table to edit: another one after every change from elsewhere, or it would apply its earlier edits again."""
    return f"{key}-{st.session_state.get(session.SCENARIO_REVISION, 0)}"


def _scenario(settings) -> Scenario:
    """The scenario of settings that may be damaged. Raises InputError."""
    try:
        return Scenario.of(settings)
    except (TypeError, ValueError, AttributeError):
        raise InputError(
            "A scenario of this project cannot be read, because its settings are damaged. Open another project on Start."
        ) from None


def _settings_by_name():
    """Settings of every scenario, by name."""
    project = session.workspace()
    if project is None:
        return {_chosen_last(project): None}
    return {**project.settings.get("scenarios", {}), _chosen_last(project): project.settings.get("scenario")}


def _save(settings_of, name):
    _mark_changed()
    st.session_state[session.RERUN_PAGE] = True
    session.work().save(scenarios=settings_of, scenario=settings_of[name], scenario_name=name)


def _mark_changed(editing=False):
    """This tab changes the scenarios: that is a step, it need not be told, and it looks at the chosen one."""
    for key in (session.SCENARIO_OF_TAB, session.SCENARIO_SEEN):
        st.session_state.pop(key, None)
    st.session_state[session.WORK_CHANGED] = True
    if not editing:
        redraw()
