"""Subgroups: agreement of the features selected in women and men, or in several centres."""

import streamlit as st

from pages.parts import cache, figures, glossary, session, text
from stabcore.base.errors import InputError
from stabcore.base.text import format_duration, join_tied
from stabcore.plots.subgroups import ABOUT_SUBGROUPS, POWER_OF_SUBGROUPS, draw_subgroups, finding_subgroups, frame_subgroups
from stabcore.study.subgroups import possible_group_columns, subgroup_agreement, subgroup_seconds

NO_SUBGROUPS = (
    "Subgroups need the table of the study, and a category in it, such as sex or centre, with at least 10 patients of every "
    "class in two of its values. The column may be a feature, always in the model, or left out."
)
MAX_SECONDS = 1.0  # largest time in seconds for a comparison without request
COLUMNS = {
    "kind": "Agreement",
    **figures.number_columns("%.2f", "low", "high", value="Kappa"),
    **figures.number_columns("%.3f", "p"),
}


def show_subgroups(view):
    """Choose the column, then three agreements with their intervals."""
    data = view.study_data()
    possible = {} if data is None else cache.computed(possible_group_columns, data)
    if not possible:
        st.info(NO_SUBGROUPS, icon=":material/info:")
        return
    label = view.selector
    usual = getattr(view.results.plan, "column", "")
    column = st.selectbox(
        "Choose subgroups",
        list(possible),
        format_func=lambda name: f"{name}: {join_tied(list(possible[name]), 4)}",  # a list shows text without markup
        **session.bound(session.PANEL_SUBGROUPS, usual if usual in possible else next(iter(possible)), list(possible)),
    )
    takes = subgroup_seconds(view.results, label, len(possible[column]))
    asked = data.fingerprint, column, label, view.k
    wait = takes > MAX_SECONDS and st.session_state.get(session.SUBGROUPS_ASKED) != asked
    words = f"Compare subgroups (about {format_duration(takes)})"
    if wait and not st.button(words, key="subgroups-compute", icon=":material/play_arrow:"):
        return
    try:
        with st.spinner("Selecting in halves of the subgroups …"):
            table = cache.computed(subgroup_agreement, data, view.results, column, label, k=view.k)
    except InputError as error:
        st.info(text.plain(error), icon=":material/info:")
        return
    st.session_state[session.SUBGROUPS_ASKED] = asked
    frame = frame_subgroups(table)
    figures.show_figure(
        draw_subgroups(frame), text.plain(finding_subgroups(frame)), frame, "subgroups", subject=label, screen=view.screen
    )
    figures.show_dataframe(
        frame[list(COLUMNS)], column_config=COLUMNS, alt="Agreement within and across subgroups, and of random groups"
    )
    glossary.show_caption(f"Every half has {table['rows'].iloc[0]} patients.")
    view.screen.explain(*ABOUT_SUBGROUPS, text.plain(table["note"].iloc[0]))
    view.screen.add_limitations(POWER_OF_SUBGROUPS)


def last_subgroup_question(results, data):
    """(column, selector, k) of the last comparison in this session, None if it was not of these results."""
    fingerprint, *asked = st.session_state.get(session.SUBGROUPS_ASKED) or [None]
    is_here = data is not None and fingerprint == data.fingerprint and asked[1] in results.finished_selectors
    return tuple(asked) if is_here else None
