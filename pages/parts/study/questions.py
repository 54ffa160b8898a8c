"""The three questions of a study: how many markers at most, how much is taken away, how long it may take."""

from contextlib import suppress
from dataclasses import replace

import streamlit as st

from pages.parts import session, words
from pages.parts.study.starting import percent
from pages.workspace.files import home
from pages.workspace.speed import read_speeds
from stabcore.errors import InputError
from stabcore.inference.control import USUAL
from stabcore.study.forecast import between, in_words, runs_within
from stabcore.study.plans import PLANS
from stabcore.study.study import others_compute, study_from, usual_workers
from stabcore.wording import duration, several

HALF, FIFTH, TWENTIETH, OTHER = "half", "fifth", "twentieth", "other"
AWAY = {HALF: "one half (recommended)", FIFTH: "one fifth", TWENTIETH: "one in twenty", OTHER: "as under Details"}
LEFT_OUT = {FIFTH: 20, TWENTIETH: 5}                    # per cent
WITHIN = {60: "a minute", 300: "5 minutes", 1200: "20 minutes", 3600: "an hour", 36000: "a night"}
FEWEST, MOST = 10, 50                                   # runs: fewer say little, more are asked for under Details


def ask(data):
    """The three questions side by side; the answers are put into the controls under Details."""
    first, second, third = st.columns(3)
    with first:
        st.number_input("How many markers at most?", 1, data.n_features, key=session.K,
                        help="What every run selects. What other numbers would select can be looked at afterwards without running "
                        "again; how well they predict is known for this number only.")
    st.session_state[session.AWAY] = _away()
    with second:
        st.selectbox("How much of the rows is taken away each time?", AWAY, format_func=AWAY.get, key=session.AWAY,
                     on_change=lambda: _take_away(data), help="The more is taken away, the less the runs share, and the stricter "
                     "the question. Halves are best understood: the two halves of a pair have nothing in common.")
    st.session_state.setdefault(session.HOW_LONG, 300)
    with third:
        st.select_slider("How long may it take?", list(WITHIN), format_func=WITHIN.get, key=session.HOW_LONG,
                         on_change=lambda: fit_runs(data))


def _away():
    """The answer that the controls under Details come to."""
    if st.session_state[session.PLAN] == HALF:
        return HALF
    if st.session_state[session.PLAN] == "subsample":
        left_out = st.session_state.get(session.LEAVE_OUT, percent(PLANS["subsample"].options[session.LEAVE_OUT].default))
        return next((key for key, share in LEFT_OUT.items() if share == left_out), OTHER)
    return OTHER


def _take_away(data):
    """Another plan, with as many runs as the time allows."""
    answer = st.session_state[session.AWAY]
    if answer == OTHER:
        return
    st.session_state[session.PLAN] = HALF if answer == HALF else "subsample"
    if answer != HALF:
        st.session_state[session.LEAVE_OUT] = LEFT_OUT[answer]
    fit_runs(data)


def fit_runs(data):
    """As many runs as fit into the time, up to what is enough, and never so few that they say little."""
    key, of_one = {HALF: (session.PAIRS, 2), "subsample": (session.RUNS, 1), "bootstrap": (session.RUNS, 1)}.get(
        st.session_state[session.PLAN], (None, 1))
    if key is None:
        return
    with suppress(InputError):          # what cannot be run is said when it is to be started
        options = PLANS[st.session_state[session.PLAN]].options
        plan = {"kind": st.session_state[session.PLAN], key: 5}
        if session.LEAVE_OUT in options and session.LEAVE_OUT in st.session_state:
            plan[session.LEAVE_OUT] = st.session_state[session.LEAVE_OUT] / 100
        control = USUAL if st.session_state.get(session.CONTROL, True) else 0
        study = study_from({"study": {"k": int(st.session_state[session.K]), "control": control}, "plan": plan,
                            "selector": [{"key": one} for one in st.session_state[session.SELECTORS]]}, data)
        fit = runs_within(study, st.session_state[session.HOW_LONG], usual_workers(), read_speeds(home()))
        st.session_state[key] = min(max(fit, FEWEST), MOST) // of_one


def told(chosen, data):
    """The settings in one sentence, and how long they may take."""
    if not chosen["selector"]:
        return
    with suppress(InputError):          # what cannot be run is said when it is to be started
        study = study_from(chosen, data)
        paces = read_speeds(home())
        least, most = between(study, usual_workers(), paces)
        words.say(in_words(study))
        alone = between(replace(study, control=0), usual_workers(), paces)
        control = f" The permutation control takes {duration(least - alone[0])} to {duration(most - alone[1])} of that." \
            if study.control else ""
        busy = " Other programs keep this computer busy now: then it takes longer." if others_compute() else ""
        st.caption(f":material/timer: About {duration(least)} to {duration(most)} on {several(usual_workers(), 'worker')} of this "
                   f"computer, guessed from the size of the table{_also(study, paces)}.{control}{busy} A trial of one "
                   "run tells more.")
        if least > st.session_state[session.HOW_LONG]:
            st.warning(f"That is longer than {WITHIN[st.session_state[session.HOW_LONG]]}. Allow more time, or choose fewer "
                       "selectors or runs under Details.", icon=":material/hourglass_top:")


def _also(study, paces) -> str:
    """What else a guess rests on, as the end of a sentence."""
    known_here = [one.key in paces for one in study.selectors]
    which = "these selectors" if all(known_here) else "some of these selectors"
    return f" and from how long {which} took on this computer before" if any(known_here) else ""
