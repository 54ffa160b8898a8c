"""Data: only the rows of one cohort, so that what is selected there can be looked for in another."""

from __future__ import annotations

import streamlit as st

from pages.parts import cache, callbacks, other_studies, session, text, words
from stabcore.io.choices import ONLY, Mend
from stabcore.wording import several

ALL = None


def choose(target, patient):
    """Which column tells the cohorts, and whose rows are used; target: the outcome, which tells none; patient: its column."""
    offered = {name: values for name, values in cache.cohorts().items() if name != target}
    now = next((mend for mend in cache.choices().mends if mend.do == ONLY), None)
    if not offered:
        return
    with st.expander("Use the rows of one cohort only", key="cohort", icon=":material/filter_alt:", expanded=now is not None):
        words.tell("For a question such as: do the markers of cohort A come back in cohort B? Choose A here and run the study. One "
                   "click on Study or Panel then studies B in the same way, and Panel, Would it replicate?, compares the two.")
        first, second = st.columns(2)
        names = [ALL, *offered]
        session.set_widget(session.COHORT_COLUMN, now.columns[0] if now and now.columns[0] in offered else ALL)
        column = first.selectbox("Which column tells the cohort?", names, key=session.COHORT_COLUMN, on_change=_column,
                                 format_func=lambda name: "No, use all rows" if name is ALL else name)
        if column is ALL:
            return
        many = offered[column]
        session.set_widget(session.COHORT, now.cells[0] if now and now.cells[0] in many else next(iter(many)))
        second.selectbox("Whose rows are used?", list(many), key=session.COHORT, on_change=_value, args=(column,),
                         format_func=lambda value: f"{value} ({several(many[value], 'row')})")
        here = st.session_state[session.COHORT]
        shared, sentence = other_studies.in_both(column, [here], [value for value in many if value != here], patient,
                                                 "in this cohort and in another")
        if patient is not None:
            (st.warning if shared else st.caption)(text.plain(sentence))


@callbacks.of_work
def _column():
    """Begin with the cohort of most rows; or take all rows again."""
    column = st.session_state[session.COHORT_COLUMN]
    _keep(column, ALL if column is ALL else next(iter(cache.cohorts()[column])))


@callbacks.of_work
def _value(column):
    _keep(column, st.session_state[session.COHORT])


def _keep(column, value):
    """Choose the rows of a cohort in the place of those that were chosen before."""
    choices = cache.choices()
    for number in reversed([i for i, mend in enumerate(choices.mends) if mend.do == ONLY]):
        choices = choices.without(number)
    if column is not ALL:
        choices = choices.mended(Mend(ONLY, (column,), (value,)))
    session.workspace().save(choices=choices.settings())
