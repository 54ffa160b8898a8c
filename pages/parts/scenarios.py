"""The scenarios of C of a project: one is chosen, and every change can be undone."""

import json
import re
from dataclasses import replace
from hashlib import sha256

import streamlit as st

from pages.parts import session
from pages.parts.session import CHANGED_SETTINGS
from pages.workspace.project import Project
from stabcore.base.errors import InputError
from stabcore.similarity.correlation import METHODS
from stabcore.similarity.scenario import BASES, Scenario

NONE_SIMILAR, CORRELATED, GROUPED = "nothing", "correlated", "groups"  # names of the first scenarios
BY_HAND = "by hand"  # basis of a scenario with pairs set by hand only
BASIS_NAMES = {
    "none": NONE_SIMILAR,
    "correlation": CORRELATED,
    "groups": GROUPED,
    "sets": "my sets",
    "matrix": "my matrix",
    BY_HAND: "pairs by hand",
}  # a name for each basis
MAX_NAME_LENGTH = 60  # limit of characters of a name
UNNAMED = "mine"  # the scenario of a project that never named one
TRIABLE_FIELDS = {
    "base": BASES.__contains__,
    "method": METHODS.__contains__,
    "binary": lambda value: isinstance(value, bool),
    "share": lambda value: isinstance(value, bool),
    "threshold": lambda value: isinstance(value, int | float) and 0 <= value <= 1,
}  # checks of the values of a tried scenario
STATE_PREFIX = "scenario"  # prefix of their names in the state for undo


def default_settings(groups) -> dict:
    """Settings of the first scenarios of a table, by name."""
    named = {NONE_SIMILAR: Scenario(groups=groups), CORRELATED: Scenario(base="correlation", groups=groups)}
    if groups:
        named[GROUPED] = Scenario(base="groups", groups=groups)
    return {name: scenario.settings() for name, scenario in named.items()}


def by_name() -> dict[str, Scenario]:
    """The scenarios by name, with the chosen one among them."""
    return {name: _scenario(settings) for name, settings in _settings_by_name().items()}


def chosen() -> Scenario:
    """The chosen feature similarity."""
    return _scenario(_settings_by_name()[chosen_name()]) if session.project_or_none() else Scenario()


def chosen_name() -> str:
    """Name of the scenario of this tab: that of its address, else the one chosen last in any tab."""
    project, of_tab = session.project_or_none(), st.session_state.get(session.SCENARIO_OF_TAB)
    if project is not None and of_tab is not None and of_tab in project.settings.get("scenarios", {}):
        return of_tab
    return _last_chosen_name(project)


def _last_chosen_name(project):
    return (project.settings.get("scenario_name") if project else None) or UNNAMED


def describe_change() -> str:
    """The scenario of this tab from now on, and a note if another tab changed it or a link is out of date."""
    if session.project_or_none() is None:
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


def has_changed_elsewhere() -> bool:
    """Whether another tab has changed the scenario of this tab since it was shown."""
    return st.session_state.get(session.SCENARIO_SEEN, digest()) != digest()


def mark_seen():
    """Note a change made by this tab as shown."""
    if session.SCENARIO_SEEN not in st.session_state:
        describe_change()


def digest() -> str:
    """A short fingerprint of the scenario of this tab."""
    return sha256(json.dumps(_settings_by_name()[chosen_name()], sort_keys=True).encode()).hexdigest()[:8]


@session.if_project_exists
def change(new: Scenario, editing=False):
    """Change the chosen scenario. The change can be undone. editing: from a table that is being edited and stays.

    Another basis may start another scenario. A scenario that is named after its basis keeps that basis, and so does one with pairs
    set by hand, which were set on top of it.
    """
    before, name = chosen(), chosen_name()
    if new.settings() == before.settings():  # a table may send one edit twice
        return
    another_base = new.base != before.base
    if another_base and before.edits or _basis(new) != _basis(before) == _basis_in_name(name):
        new = replace(new, edits=()) if another_base else new
        same = [other for other, scenario in by_name().items() if scenario == new and _basis_in_name(other) in (None, _basis(new))]
        if same:
            choose(same[0])
        else:
            add(free_name(BASIS_NAMES[_basis(new)]), new)
        return
    _mark_changed(editing)
    session.project().save(scenarios={**_settings_by_name(), name: new.settings()}, scenario=new.settings(), scenario_name=name)


def bound_setting(screen, field, **more) -> dict:
    """Arguments of a widget for a setting of the chosen scenario on a screen. more: other settings that it changes."""
    key = session.setting_key(screen, field)
    session.set_watched_widget(key, getattr(chosen(), field), folded=field != "threshold")
    return {"key": key, "on_change": _store_setting, "args": (key, field, more)}


def _store_setting(key, field, more):
    if session.has_moved(key):
        with session.read_once():
            change(replace(chosen(), **{field: st.session_state[key], **more}))
            st.session_state.setdefault(session.CHANGES_OF_C, []).append(state())


def _basis(scenario) -> str:
    """Its basis. Without one, pairs set by hand may be all there is."""
    return BY_HAND if scenario.base == "none" and scenario.edits else scenario.base


def _basis_in_name(name) -> str | None:
    """The basis that a name stands for, also of a numbered copy. None for a user-defined name."""
    return next(
        (base for base, given in BASIS_NAMES.items() if name == given or re.fullmatch(rf"{re.escape(given)} [0-9]+", name)), None
    )


@session.if_project_exists
def choose(name):
    """Choose another scenario."""
    _save(_settings_by_name(), name)


@session.if_project_exists
def add(name, new: Scenario):
    """Add a scenario and choose it."""
    _save({**_settings_by_name(), name: new.settings()}, name)


def free_name(name) -> str:
    """This name, with a number if it is taken."""
    base, number = name[: MAX_NAME_LENGTH - 4].rstrip(), 2
    if name[:MAX_NAME_LENGTH] not in _settings_by_name():
        return name[:MAX_NAME_LENGTH]
    while f"{base} {number}" in _settings_by_name():
        number += 1
    return f"{base} {number}"


@session.if_project_exists
def rename(new):
    """Rename the chosen scenario in place."""
    old = chosen_name()
    _save({new if name == old else name: settings for name, settings in _settings_by_name().items()}, new)


@session.if_project_exists
def remove(name):
    """Delete one of several scenarios. After the chosen one, the first of the others is chosen."""
    settings_of = {other: settings for other, settings in _settings_by_name().items() if other != name}
    _save(settings_of, chosen_name() if chosen_name() != name else next(iter(settings_of)))


def state() -> dict:
    """All scenarios by names that begin with MARK: the chosen one, their order, the settings of each."""
    settings_of = _settings_by_name()
    return {
        STATE_PREFIX: chosen_name(),
        f"{STATE_PREFIX}s": list(settings_of),
        **{f"{STATE_PREFIX}={name}": settings for name, settings in settings_of.items()},
    }


def redraw_tables():
    """Draw edited tables again, as the scenario is."""
    st.session_state[session.SCENARIO_REVISION] = st.session_state.get(session.SCENARIO_REVISION, 0) + 1


@session.if_project_exists
def restore(before):
    """Restore the scenarios of a `state`. Later ones from other tabs stay, after the others."""
    settings_of = {
        name.removeprefix(f"{STATE_PREFIX}="): settings for name, settings in before.items() if name.startswith(f"{STATE_PREFIX}=")
    }
    names = dict.fromkeys(
        [name for name in before[f"{STATE_PREFIX}s"] if name in settings_of or name == before[STATE_PREFIX]] + list(settings_of)
    )
    settings_of = {name: settings_of.get(name) for name in names}
    _save(settings_of, before[STATE_PREFIX] if before[STATE_PREFIX] in settings_of else next(iter(settings_of)))


# ---- changes by a viewer of a read-only copy, kept in the address only ----


def format_tried() -> str:
    """The difference of the chosen scenario from that of the read-only copy, for an address. Empty for other projects."""
    project = session.project_or_none()
    if project is None or project.read_only_since is None or CHANGED_SETTINGS not in st.session_state:
        return ""
    sent, now = _sent_settings().get(chosen_name(), {}), chosen().settings()
    before = _scenario(sent).settings()
    differs = {field: now[field] for field in TRIABLE_FIELDS if now[field] != before[field]}
    if not differs and chosen_name() in _sent_settings():
        return ""
    return json.dumps({"name": chosen_name(), **differs}, separators=(",", ":"))


def restore_tried(text):
    """Restore a scenario that was tried in a read-only copy from an address. Invalid values are ignored."""
    project = session.project_or_none()
    if project is None or project.read_only_since is None or not text:
        return
    try:
        asked = json.loads(text)
        name, differs = (
            str(asked.pop("name"))[:MAX_NAME_LENGTH],
            {field: value for field, value in asked.items() if TRIABLE_FIELDS[field](value)},
        )
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return
    new = replace(_scenario(_sent_settings().get(name, {})), **differs).settings()
    project.save(scenarios={**_settings_by_name(), name: new}, scenario=new, scenario_name=name)


def _sent_settings():
    """Settings of the scenarios of a read-only copy as sent, by name."""
    stored = Project(session.project().id).settings
    return {**stored.get("scenarios", {}), stored.get("scenario_name") or UNNAMED: stored.get("scenario") or {}}


# ---- storage ----


def table_key(key):
    """A key for an edited table, new after every change from elsewhere, because the table would repeat earlier edits."""
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
    project = session.project_or_none()
    if project is None:
        return {_last_chosen_name(project): None}
    return {**project.settings.get("scenarios", {}), _last_chosen_name(project): project.settings.get("scenario")}


def _save(settings_of, name):
    _mark_changed()
    st.session_state[session.RERUN_PAGE] = True
    session.project().save(scenarios=settings_of, scenario=settings_of[name], scenario_name=name)


def _mark_changed(editing=False):
    """A change of the scenarios by this tab: a step for undo, which needs no note."""
    for key in (session.SCENARIO_OF_TAB, session.SCENARIO_SEEN):
        st.session_state.pop(key, None)
    st.session_state[session.PROJECT_CHANGED] = True
    if not editing:
        redraw_tables()
