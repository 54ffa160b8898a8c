"""What else a work keeps of choices that can be taken back: the studies that are laid over, and answers about its table."""

import streamlit as st

from pages.parts import session

COMPARED, ASKED = "compared", "asked"           # in the settings of the work: [{"sample" or "file", "name"}], {question: answer}
MARK = "kept answer"    # begins the names of what is told of them to be taken back


def save(**answers):
    """This tab changes the work: that is a step."""
    session.workspace().save(**answers)
    st.session_state[session.WORK_CHANGED] = True


def state() -> dict:
    """What is chosen, by names that begin with MARK. A study file that was added is no step: taken out it is deleted for good."""
    kept = {COMPARED: _bundled(_of_work(COMPARED)), ASKED: _of_work(ASKED)}
    return {f"{MARK}={key}": value for key, value in kept.items() if value}


def restore(told):
    """Let them be as in a `state`; files that were added stay."""
    files = [one for one in _of_work(COMPARED) or [] if "file" in one]
    save(**{COMPARED: [*(told.get(f"{MARK}={COMPARED}") or []), *files], ASKED: told.get(f"{MARK}={ASKED}") or {}})


def _bundled(studies):
    return [one for one in studies or [] if "file" not in one]


def _of_work(key):
    here = session.workspace()
    return here.settings.get(key) if here else None
