"""The scenarios of C that are kept side by side: one is chosen; every change of them can be taken back."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from hashlib import sha256

import streamlit as st

from pages.parts import callbacks, session
from pages.parts.opened import TRIED_HERE
from pages.workspace.workspace import Workspace
from stabcore.errors import InputError
from stabcore.relation.correlation import METHODS
from stabcore.relation.scenario import BASES, Scenario

NOTHING, CORRELATED, GROUPED = "nothing", "correlated", "groups"        # names of the scenarios that there are to begin with
BY_HAND = "by hand"     # what a scenario rests on where only pairs set by hand stand for each other
GIVEN = {"none": NOTHING, "correlation": CORRELATED, "groups": GROUPED, "sets": "my sets", "matrix": "my matrix",
         BY_HAND: "pairs by hand"}      # a name for what each rests on
LONGEST = 60            # characters of a name
UNNAMED = "mine"        # the scenario of a work that never named one
TOLD = {"base": BASES.__contains__, "method": METHODS.__contains__, "binary": lambda value: isinstance(value, bool),
        "share": lambda value: isinstance(value, bool),
        "threshold": lambda value: isinstance(value, int | float) and 0 <= value <= 1}     # of one that is tried: may it be so?
MARK = "scenario"       # begins the names of what is told of them to be taken back


def usual(groups) -> dict:
    """Settings of the scenarios that there are to begin with for a table, by name."""
    kept = {NOTHING: Scenario(groups=groups), CORRELATED: Scenario(base="correlation", groups=groups)}
    if groups:
        kept[GROUPED] = Scenario(base="groups", groups=groups)
    return {name: one.settings() for name, one in kept.items()}


def every() -> dict[str, Scenario]:
    """The scenarios by name, the chosen one among them."""
    return {name: _scenario(one) for name, one in _kept().items()}


def chosen() -> Scenario:
    """Which features stand for each other, as chosen."""
    return _scenario(_kept()[chosen_name()]) if session.workspace() else Scenario()


def chosen_name() -> str:
    """Name of the scenario that this tab looks at: that of its address, else that which was chosen last in any tab."""
    here, of_tab = session.workspace(), st.session_state.get(session.SCENARIO_OF_TAB)
    if here is not None and of_tab in here.settings.get("scenarios", {}):
        return of_tab
    return _chosen_last(here)


def _chosen_last(here):
    """The name that the work keeps."""
    return (here.settings.get("scenario_name") if here else None) or UNNAMED


def look() -> str:
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


def looked_at():
    """Remember as looked at what this tab has just changed, and draws itself."""
    if session.SCENARIO_SEEN not in st.session_state:
        look()


def digest() -> str:
    """A few letters that are others when the scenario that this tab looks at is another one."""
    return sha256(json.dumps(_kept()[chosen_name()], sort_keys=True).encode()).hexdigest()[:8]


@callbacks.of_work
def change(new: Scenario, editing=False):
    """Change the chosen scenario; what it was can be had back. editing: from a table that is being edited and stays as it is.

    Another base may make it another one beside it. A scenario whose name says what it rests on, as those that were given do,
    stays what its name says; one with pairs set by hand keeps them, for they were set on top of that base.
    """
    before, name = chosen(), chosen_name()
    if new.settings() == before.settings():             # a table may tell of one edit twice
        return
    another_base = new.base != before.base
    if another_base and before.edits or _rests_on(new) != _rests_on(before) == _says(name):
        new = replace(new, edits=()) if another_base else new
        same = [other for other, kept in every().items() if kept == new and _says(other) in (None, _rests_on(new))]
        if same:
            choose(same[0])
        else:
            add(free_name(GIVEN[_rests_on(new)]), new)
        return
    _remember(editing)
    session.workspace().save(scenarios={**_kept(), name: new.settings()}, scenario=new.settings(), scenario_name=name)


def _rests_on(scenario) -> str:
    """Its base; where that is none, pairs set by hand may be all there is."""
    return BY_HAND if scenario.base == "none" and scenario.edits else scenario.base


def _says(name) -> str | None:
    """What a scenario of this name rests on, also with a number behind it as that of a copy; None: a name of one's own."""
    return next((base for base, given in GIVEN.items() if name == given or re.fullmatch(rf"{re.escape(given)} [0-9]+", name)), None)


@callbacks.of_work
def choose(name):
    """Another of the scenarios that are kept."""
    _save(_kept(), name)


@callbacks.of_work
def add(name, new: Scenario):
    """Keep one more scenario and choose it."""
    _save({**_kept(), name: new.settings()}, name)


def free_name(name) -> str:
    """This name, or one like it that is not taken."""
    base, number = name[:LONGEST - 4].rstrip(), 2
    if name[:LONGEST] not in _kept():
        return name[:LONGEST]
    while f"{base} {number}" in _kept():
        number += 1
    return f"{base} {number}"


@callbacks.of_work
def rename(new):
    """Another name for the chosen scenario, at the same place."""
    old = chosen_name()
    _save({new if name == old else name: one for name, one in _kept().items()}, new)


@callbacks.of_work
def remove(name):
    """Forget one of several scenarios; if it was chosen, the first of the others is."""
    kept = {one: settings for one, settings in _kept().items() if one != name}
    _save(kept, chosen_name() if chosen_name() != name else next(iter(kept)))


def state() -> dict:
    """All of the scenarios, by names that begin with MARK: which one is chosen, their order, the settings of each."""
    kept = _kept()
    return {MARK: chosen_name(), f"{MARK}s": list(kept), **{f"{MARK}={name}": settings for name, settings in kept.items()}}


def redraw():
    """Tables that are being edited are drawn anew, as the scenario is."""
    st.session_state[session.SCENARIO_REVISION] = st.session_state.get(session.SCENARIO_REVISION, 0) + 1


@callbacks.of_work
def restore(told):
    """Let the scenarios be as in a `state`; those that another tab has made since stay, behind the others."""
    kept = {name.removeprefix(f"{MARK}="): settings for name, settings in told.items() if name.startswith(f"{MARK}=")}
    names = dict.fromkeys([name for name in told[f"{MARK}s"] if name in kept or name == told[MARK]] + list(kept))
    kept = {name: kept.get(name) for name in names}
    _save(kept, told[MARK] if told[MARK] in kept else next(iter(kept)))


# ---- what a viewer of a read-only copy tries: only the address keeps it ----

def tried() -> str:
    """How the chosen scenario differs from that of the read-only copy, as an address can say it; empty for any other work."""
    here = session.workspace()
    if here is None or here.frozen is None or TRIED_HERE not in st.session_state:
        return ""
    kept, now = _sent().get(chosen_name(), {}), chosen().settings()
    before = _scenario(kept).settings()
    differs = {field: now[field] for field in TOLD if now[field] != before[field]}
    return json.dumps({"name": chosen_name(), **differs}, separators=(",", ":")) if differs or chosen_name() not in _sent() else ""


def try_again(text):
    """Take up what an address tells of a scenario that was tried in a read-only copy; nothing where it cannot mean anything."""
    here = session.workspace()
    if here is None or here.frozen is None or not text:
        return
    try:
        told = json.loads(text)
        name, differs = str(told.pop("name"))[:LONGEST], {field: value for field, value in told.items() if TOLD[field](value)}
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return
    new = replace(_scenario(_sent().get(name, {})), **differs).settings()
    here.save(scenarios={**_kept(), name: new}, scenario=new, scenario_name=name)


def _sent():
    """Settings of the scenarios of a read-only copy as it was sent, by name."""
    kept = Workspace(session.workspace().id).settings
    return {**kept.get("scenarios", {}), kept.get("scenario_name") or UNNAMED: kept.get("scenario") or {}}


# ---- below: how they are kept ----

def fresh(key):
    """A key for a table to edit: another one after every change from elsewhere, or it would apply its earlier edits again."""
    return f"{key}-{st.session_state.get(session.SCENARIO_REVISION, 0)}"


def _scenario(settings) -> Scenario:
    """The scenario of settings that may be damaged. Raises InputError."""
    try:
        return Scenario.of(settings)
    except (TypeError, ValueError, AttributeError):
        raise InputError("A scenario of this work cannot be read: its settings are damaged. Open another work on Start, or forget "
                         "this one.") from None


def _kept():
    """Settings of every scenario, by name."""
    here = session.workspace()
    if here is None:
        return {_chosen_last(here): None}
    return {**here.settings.get("scenarios", {}), _chosen_last(here): here.settings.get("scenario")}


def _save(kept, name):
    _remember()
    st.session_state[session.RERUN_PAGE] = True
    session.workspace().save(scenarios=kept, scenario=kept[name], scenario_name=name)


def _remember(editing=False):
    """This tab changes the scenarios: that is a step, it need not be told, and it looks at the chosen one."""
    for key in (session.SCENARIO_OF_TAB, session.SCENARIO_SEEN):
        st.session_state.pop(key, None)
    st.session_state[session.WORK_CHANGED] = True
    if not editing:
        redraw()
