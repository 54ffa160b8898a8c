"""Study: choose selectors and resampling, run the study in its own process, follow or cancel it, and see its results."""

import streamlit as st

from pages.parts import cache, guards, layout, session
from pages.parts.start import doors
from pages.parts.study import new_study, other_cohort, progress, study_file
from pages.parts.study.progress import StudyView


def show_screen():
    """The uploaded file, the study, and the form of the next study."""
    project = session.project_or_none()
    guards.require_own_project(project)
    if project and project.settings.get("kind") == "study":
        missing = "The study file of this project is missing. Upload it again on Start."
        guards.require(cache.results(), missing, "pages/start.py", "Go to Start")
        study_file.show_study_file(project)
        if project.table_file is None:
            st.stop()
    page, label = ("pages/data.py", "Choose the outcome") if project else ("pages/start.py", "Go to Start")
    data = guards.require(cache.dataset(), "A study needs a table and its outcome.", page, label)
    project = session.project()
    if "selections" in project.settings:
        about = "These screens show your uploaded selections. A study of their table is a project of its own."
        st.info(about, icon=":material/info:")
        st.button("Open table as a new project", key="table-alone", on_click=doors.open_table_alone)
        return
    view = StudyView(project, data, project.is_running)
    progress.show_last_study(view)
    if view.ended is None and not view.running and (results := cache.results()) is not None:
        progress.show_ended(results)  # results of a bundled study, which this project did not run
    if view.ended is not None:
        new_study.show_evaluation(view)
    if not view.running:
        other_cohort.show_cohorts()
        progress.show_earlier_studies(view)
        new_study.show_form(view)


with session.read_once():
    question, then = progress.screen_title(), ("stability", "Stability") if session.has_results() else None
layout.show_title(question, then=then)
show_screen()
