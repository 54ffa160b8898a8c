"""Panels that a person keeps with the work, by name: {name: features, threshold, k, selector}. Every change can be taken back."""

import streamlit as st

from pages.parts import session
from stabcore.errors import InputError
from stabcore.wording import shown

LONGEST = 60            # characters of a name
MARK = "kept panel"     # begins the names of what is told of them to be taken back


def every() -> dict[str, dict]:
    """The kept panels by name, in the order they were kept."""
    here = session.workspace()
    return dict(here.settings.get("panels") or {}) if here else {}


def keep(name, about):
    """One more panel. Raises InputError for no name, and for one that another panel has: that is left as it is."""
    kept = every()
    if kept.get(name) != about:
        _save({**kept, checked(name, kept): about})


def rename(old, new):
    """Another name for a panel, at the same place."""
    kept = every()
    new = checked(new, [name for name in kept if name != old])
    _save({new if name == old else name: about for name, about in kept.items()})


def remove(name):
    """Forget a panel."""
    _save({one: about for one, about in every().items() if one != name})


def checked(name, taken) -> str:
    """A name that a panel can have."""
    name = " ".join(name.split())[:LONGEST]
    if not name:
        raise InputError("Give the panel a name.")
    if name in taken:
        raise InputError(f"There is another panel named {shown(name)} already, which was left as it is: choose another name.")
    return name


def state() -> dict:
    """All of the panels, by names that begin with MARK: their order, and each."""
    kept = every()
    return {f"{MARK}s": list(kept), **{f"{MARK}={name}": about for name, about in kept.items()}} if kept else {}


def restore(told):
    """Let the panels be as in a `state`."""
    kept = {name.removeprefix(f"{MARK}="): about for name, about in told.items() if name.startswith(f"{MARK}=")}
    names = dict.fromkeys([name for name in told.get(f"{MARK}s", ()) if name in kept] + list(kept))
    _save({name: kept[name] for name in names})


def _save(panels):
    """This tab changes the work: that is a step."""
    session.workspace().save(panels=panels)
    st.session_state[session.WORK_CHANGED] = True
    st.session_state[session.RERUN_PAGE] = True         # undo is above the page
