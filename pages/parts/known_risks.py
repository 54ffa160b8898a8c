"""The risks of patients that were asked for on Panel, as far as they have been computed."""

import streamlit as st

from pages.parts import session
from stabcore.errors import InputError
from stabcore.study.pieces import in_study, name_of, read_models
from stabcore.study.risk import from_models, question


def known(results, data, asked):
    """The Risk of a question, where it has been computed and lies in the study file or in this work; else None."""
    kept = in_study(results, asked) or read_models(session.workspace().folder / name_of(asked), asked, data.n_rows)
    return from_models(data, results, asked, kept) if kept else None


def asked_last(results, data, k):
    """The question as it stands on Panel; None where there is none for these results and this table."""
    label, learner = (st.session_state.get(key) for key in (session.EXPLORED, session.RISK_CLASSIFIER))
    if data is None or learner is None or label not in results.ready:
        return None
    try:
        return question(data, results, label, learner, st.session_state.get(session.RISK_EVENT), k)
    except InputError:          # an outcome that has no risks
        return None
