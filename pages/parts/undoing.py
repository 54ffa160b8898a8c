"""Undo and redo of every what-if, one step per gesture: the choices in the address, scenarios, saved panels and answers.

A difference at the start of a rerun was made by a person. A difference at its end came from the program, such as a number that
other results do not allow, and is no step.
"""

import time
from contextlib import suppress

import streamlit as st

from pages.parts import address, links, project_choices, scenarios, session
from pages.workspace import history
from stabcore.base.errors import InputError

STATE_MODULES = (scenarios, project_choices)  # kept by the project for all of its tabs, by names that begin with their MARK
STATE_PREFIXES = tuple(module.STATE_PREFIX for module in STATE_MODULES)
# Seconds within which another change of a number is the same gesture, as with arrow keys. Twice the time of the rerun is added,
# because the browser then receives and draws for long, and keys pressed meanwhile come late.
SAME_STEP_SECONDS = 0.7
NO_STEP = (None, 0.0, float("-inf"))


def record_changes():
    """Make the changes of a person since the last rerun one step, at the start of a rerun."""
    with suppress(InputError):  # the page shows damaged settings
        if session.project_or_none() is not None:
            before = _history()
            if not st.session_state.pop(session.PROJECT_CHANGED, False):  # otherwise another tab has changed them
                of_tab = {name: value for name, value in before.state.items() if not name.startswith(STATE_PREFIXES)}
                before = before.with_state(of_tab | _project_state())
            now, page = time.monotonic(), st.session_state.get(session.PAGE, "")
            _, began, drawn = st.session_state.get(session.LAST_STEP, NO_STEP)
            after, soon = before, now - drawn < SAME_STEP_SECONDS + 2 * (drawn - began)
            # controls moved during a rerun arrive together in the next one, and each is a step
            for of_c in st.session_state.pop(session.CHANGES_OF_C, [])[:-1]:
                rest = {name: value for name, value in after.state.items() if not name.startswith(scenarios.STATE_PREFIX)}
                after = after.with_step(rest | of_c, page, soon)
            after = after.with_step(_state(), page, soon)
            if after is not before:
                st.session_state[session.LAST_STEP] = st.session_state.get(session.RERUN_COUNT, 0), now, now
            _save_history(after)


def record_program_changes():
    """Keep changes by the program at the end of a rerun."""
    number, began, _ = st.session_state.get(session.LAST_STEP, NO_STEP)
    if number == st.session_state.get(session.RERUN_COUNT, 0):
        st.session_state[session.LAST_STEP] = number, began, time.monotonic()  # the step before was not visible until now
    if st.session_state.get(session.PROJECT_CHANGED):
        record_changes()  # a button that acts while the page is drawn
    with suppress(InputError):
        if session.project_or_none() is not None and session.STEPS in st.session_state:
            _save_history(_history().with_state(_state()))


def show_buttons():
    """Undo and redo, above the controls of a page."""
    done = _history()
    st.session_state[session.STEPS_DRAWN] = _offered_pages()
    with st.container(horizontal=True, gap="xsmall", width="content", key="undo-bar"):
        for key, label, keys, icon, steps_there, turn in (
            ("undo", "Undo", "Alt+Z", "undo", done.past, history.History.undo),
            ("redo", "Redo", "Alt+Y", "redo", done.future, history.History.redo),
        ):
            page = steps_there[-1].page if steps_there else st.session_state.get(session.PAGE)
            where = f" It was made on {page}." if page != st.session_state.get(session.PAGE) else ""
            st.button(
                label,
                key=key,
                shortcut=keys,
                icon=f":material/{icon}:",
                type="tertiary",
                disabled=not steps_there,
                on_click=_apply,
                args=(turn,),
                help=f"{label}es the last change ({keys}).{where}",
            )
        if session.project().read_only_since is not None:
            links.show_copy_button("own-copy-bar")  # the sidebar is closed on a telephone


def _offered_pages():
    """The pages of the next steps of undo and redo, None without one."""
    return [steps[-1].page if steps else None for steps in (_history().past, _history().future)]


def is_stale() -> bool:
    """Whether the buttons above the page offer other steps than exist, after a part of the page was drawn alone."""
    with suppress(InputError):
        drawn = st.session_state.get(session.STEPS_DRAWN)
        return drawn is not None and session.project_or_none() is not None and drawn != _offered_pages()
    return False


@session.if_project_exists
def _apply(turn):
    """Undo or redo one step in the session, the address and the project."""
    before = _history()
    after = turn(before)
    differ = {name for name in {**before.state, **after.state} if before.state.get(name) != after.state.get(name)}
    address.restore({name: after.state.get(name) for name in differ if not name.startswith(STATE_PREFIXES)})
    for module in STATE_MODULES:
        if any(name.startswith(module.STATE_PREFIX) for name in differ):
            module.restore(after.state)
    if differ - address.ADDRESS_NAMES:
        st.session_state[session.RERUN_PAGE] = True  # the rest of the page shows it, too
    st.session_state.pop(session.PROJECT_CHANGED, None)
    st.session_state.pop(session.LAST_STEP, None)
    st.session_state.pop(session.CHANGES_OF_C, None)
    _save_history(after.with_state(_state()))


def _state() -> dict:
    """Everything that can be undone: {name: plain value}."""
    return address.undoable_choices() | _project_state()


def _project_state() -> dict:
    """The part of the state in the project, shared by every tab."""
    return {name: value for module in STATE_MODULES for name, value in module.state().items()}


def _history() -> history.History:
    """The steps of this session. After F5, the steps that led to the address."""
    if session.STEPS not in st.session_state:
        st.session_state[session.STEPS] = history.read_history(session.project().folder, _state())
    return st.session_state[session.STEPS]


def _save_history(after):
    """Keep the steps in the session, and in the project for F5."""
    before = st.session_state[session.STEPS]
    st.session_state[session.STEPS] = after
    project = session.project()
    if after != before and (after.past or after.future) and project.read_only_since is None:
        history.write_history(project.folder, after, before.state)
