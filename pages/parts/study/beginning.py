"""A new study: its form, and the buttons that try or start it."""

import json
import os

import streamlit as st

from pages.parts import session
from pages.parts.study import searching
from pages.parts.study.form import study_form
from pages.parts.study.progress import start
from stabcore.errors import InputError
from stabcore.study.loading import study_from
from stabcore.study.machine import refuse_what_cannot_fit, usual_workers

FORM = "form"                           # in the work: settings that were chosen and not started, so that they outlive F5
CLUSTER = "STABILITY_SCHEDULER"         # in the environment: this installation may use the Dask cluster of that address


def section(view):
    """The form and its buttons."""
    st.header("A new study", divider="gray")
    last = view.here.last_settings
    chosen = study_form(view.data, view.here.settings.get(FORM) or ({} if "search" in last else last))
    keep(view.here, chosen)
    if os.environ.get(CLUSTER):
        st.text_input("Run on the Dask cluster of this scheduler (empty: on this computer)", os.environ[CLUSTER],
                      key=session.SCHEDULER)
    if not st.session_state.get(session.SCHEDULER):
        refuse_what_cannot_fit(view.data, usual_workers())
    begin, ask, _ = st.columns([1, 1, 2])
    now = begin.button("Start the study", key="start", type="primary", disabled=not chosen["selector"],
                       icon=":material/play_circle:")
    pilot = ask.button("Try one run of each", key="pilot", disabled=not chosen["selector"], icon=":material/timer:",
                       help="Tells how long it really takes. Runs every selector once, which the study then need not do again.")
    if now or pilot:
        begin_with(view, chosen, pilot)
    searching.section(view, begin_with)


def keep(here, chosen):
    """Keep the settings once they are others than those that the form began with."""
    told = json.loads(json.dumps({**chosen, session.HOW_LONG: st.session_state[session.HOW_LONG]}))
    began = st.session_state.setdefault(session.FORM_BEGAN, told)
    if told["selector"] and told != (here.settings.get(FORM) or began):
        here.save(**{FORM: told})


def begin_with(view, chosen, pilot):
    """Start a study with these settings, unless it is there already. Raises InputError."""
    study_from(chosen, view.data)       # what cannot be run is said before an earlier study is put aside
    same = view.here.finished_study(chosen)
    if same:
        which = "The study above" if same == view.own else "One of the earlier studies, whose results can be shown again,"
        raise InputError(f"{which} has exactly these settings and is finished: run again, it would come out the same, bit by "
                         "bit. Change something, for example the seed.")
    view.here.write_study(chosen)
    view.here.save(**{FORM: None})
    st.session_state.pop(session.FORM_BEGAN, None)
    start(pilot)
    st.rerun()
