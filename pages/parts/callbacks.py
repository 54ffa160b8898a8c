"""What a click or a moved control does, where it may come too late: for a work that is forgotten, or from a page that is gone."""

from functools import wraps

import streamlit as st

from pages.parts import session


def of_work(act):
    """What a click changes in the work: nothing where another tab has forgotten the work, which the page that follows says."""
    @wraps(act)
    def if_there(*args, **options):
        if session.workspace() is not None:
            act(*args, **options)

    return if_there


def when_moved(key, act):
    """What a widget with the key does, act(value), when it is moved from where it was drawn.

    A control that another section has replaced is told of once more by the browser: as a change, to what it was at.
    """
    last = [st.session_state[key]]

    def moved():
        value = st.session_state[key]
        if value != last[0]:
            last[0] = value
            act(value)

    return moved
