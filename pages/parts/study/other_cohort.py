"""Another cohort of the same table, studied with the settings of the open results by one click."""

import streamlit as st

from pages.parts import cache, other_studies, session, text
from pages.parts.study import progress
from pages.parts.study.progress import StudyView
from stabcore.base.errors import InputError
from stabcore.base.text import counted, joined
from stabcore.io.choices import Choices
from stabcore.study.loading import study_from_settings
from stabcore.study.rerun import continued_tables
from stabcore.study.study_result import open_study


def show_cohort_button(results):
    """The button, if these results are of a cohort and another one is not studied yet. During a study, its progress."""
    project, cohort = session.project(), other_studies.cohort_of(results)
    if not cohort:
        return
    column, data = next(iter(cohort)), cache.dataset_of_study(results)
    if project.read_only_since is not None or data is None:
        which = text.plain(f"These results are of {column} = {joined(sorted(cohort[column]), 'or')}.")
        way = "in a copy of your own" if project.read_only_since is not None else "once the table is added"
        st.caption(f"{which} The other cohort can be studied {way}.")
    elif project.is_running:
        progress.show_running(StudyView(project, data, True), briefly=True)
    elif left := _unstudied_cohorts(project, results, column):
        _ask_cohort(project, results, data, column, left)


def show_cohorts():
    """On Study: the button, and a link to the comparison."""
    results = cache.results()
    if results is None or not results.finished_selectors:
        return
    show_cohort_button(results)
    if other_studies.other_cohorts(session.project_or_none(), results) and st.button(
        "Compare the cohorts", key="compare-cohorts", icon=":material/compare_arrows:"
    ):
        st.session_state[session.PANEL_SECTION] = "replicate"
        st.switch_page("pages/panel.py")


def _unstudied_cohorts(project, results, column):
    """{cohort that was not studied alike: its rows}. One column at a time, because of several the column would be a feature."""
    mine, alike = other_studies.cohort_of(results)[column], other_studies.comparable_cohorts(project, results, column)
    return {value: rows for value, rows in cache.cohorts().get(column, {}).items() if value not in mine and {value} not in alike}


def _ask_cohort(project, results, data, column, left):
    """The choice of the cohort, and the button."""

    def named(value):
        return f"{column} = {value} ({counted(left[value], 'row')})"

    value, label = next(iter(left)), "Study the other cohort with the same settings"
    if len(left) > 1:
        value = st.selectbox("Which other cohort?", list(left), format_func=named, key="other-cohort-value")
        label = "Study it with the same settings"
    if st.button(
        f"{label}: {text.plain(named(value))}",
        key="other-cohort",
        icon=":material/play_circle:",
        help="The same selectors, settings, plan and seed on the other cohort. Panel, Replication, compares the two.",
    ):
        with text.show_errors():
            _start_cohort(project, results, data, column, value)
            st.session_state[session.OTHER_STUDY] = "study.stab"
            st.rerun()


def _start_cohort(project, results, data, column, value):
    """Raise InputError for a cohort that cannot be studied so, before any change."""
    written = open_study(results.path).settings  # selectors by their keys, because screens have other names
    settings = continued_tables(written, data.changed(name=written["data"]["name"]))
    choices = Choices.of(data.choices).only(column, [value]).settings()
    try:
        study_from_settings(settings, cache.other_dataset(project.table_file, project.settings["roles"], choices))
    except InputError as error:
        raise InputError(f"The rows of {column} = {value} cannot be studied in this way. {error}") from None
    project.start_other_study(settings, choices)
