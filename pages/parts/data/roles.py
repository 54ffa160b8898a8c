"""Data: what the columns are for: the outcome, those that are left out, the one that tells patients apart."""

from __future__ import annotations

import streamlit as st

from pages.parts import session
from pages.parts.data import classes, cohort, guesses, mends
from stabcore.data.columns import MOST_CLASSES

KINDS_OF_OUTCOME = {"classes": "each value a class to tell apart", "number": "large or small; fewer selectors, and no accuracy"}


def ask(view) -> dict | None:
    """The questions about columns, and about cells between them; the roles as chosen, None until the outcome is sure."""
    roles, guessed = view.roles, view.guessed
    guesses.preset(session.TARGET, roles["target"] if roles.get("target") in view.columns else guessed.target, view.columns)
    target = st.selectbox("Which column is the outcome to predict?", view.columns, key=session.TARGET, index=None,
                          placeholder="Choose a column", format_func=view.named)
    sure = guesses.confirmed(guessed, target, roles)
    others = [name for name in view.columns if name != target]
    guesses.preset(session.EXCLUDE, list(roles.get("exclude", guessed.exclude)), others)
    exclude = st.multiselect("Which columns should be left out?", others, key=session.EXCLUDE, format_func=view.named,
                             help="Numbers of patients, dates, anything recorded after the outcome was known.")
    guesses.people(view, exclude)
    guesses.redcap(view, exclude)
    guesses.times(guessed, exclude, target)
    mends.ask_about_cells(exclude, target, not _is_number(view, target))
    mends.decided(view.read)
    if target is not None and not _is_number(view, target):
        classes.merge(target)
    same_patient = _patients(view, others)
    cohort.choose(target, same_patient)
    if target is None or not sure:
        st.info("Choose the outcome to go on." if target is None else "Confirm the outcome to go on.",
                icon=":material/arrow_upward:")
        return None
    optional = {"same_patient": same_patient, "target_as": _outcome_as(view, target),
                "set_aside": bool((view.described["suggestion"] == "correct cells").any())}
    return {"target": target, "exclude": exclude} | {name: value for name, value in optional.items() if value}


def _patients(view, others):
    """The column whose rows of one value are kept together, or None."""
    guesses.preset(session.SAME_PATIENT, view.roles.get("same_patient") if "target" in view.roles else view.guessed.patient, others)
    same_patient = st.selectbox("Do several rows belong to one patient?", [None, *others], key=session.SAME_PATIENT,
                                format_func=lambda name: "No, each row is another patient" if name is None
                                else f"Yes, as {name} tells",
                                help="Rows of one patient are then learned from or held out together.")
    guesses.patients(view, same_patient)
    return same_patient


def _key(target):
    return f"target-as-{target}"


def _is_number(view, target):
    """Whether somebody said that the outcome is a number, so that it has no classes."""
    return st.session_state.get(_key(target), view.roles.get("target_as")) == "number"


def _outcome_as(view, target):
    """Classes or a number, for an outcome that could be either; None as long as it is what the rule says."""
    row = view.row_of(target)
    if row["kind"] != "number" or row["distinct"] < 3:
        return None
    usual, key = "number" if row["distinct"] > MOST_CLASSES else "classes", _key(target)
    st.session_state.setdefault(key, view.roles.get("target_as") or usual)
    chosen = st.radio("The outcome is", list(KINDS_OF_OUTCOME), key=key, horizontal=True, captions=list(KINDS_OF_OUTCOME.values()))
    return None if chosen == usual else chosen
