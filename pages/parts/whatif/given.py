"""The study with and without the columns that are always in the model, side by side."""

from contextlib import suppress

import streamlit as st

from pages.parts import cache, controls, figures, session, text
from pages.parts.study import progress
from pages.parts.study.progress import StudyView
from stabcore.analysis.compare_given import compare_given, is_same_without_given
from stabcore.analysis.panel import THRESHOLD
from stabcore.base.errors import InputError
from stabcore.base.text import join_tied
from stabcore.plots.compare_given import ABOUT_GIVEN, draw_given, finding_given, frame_given
from stabcore.study.rerun import continued_tables
from stabcore.study.study_result import open_study

COLUMNS = {
    **figures.number_columns("percent", without="Without", beyond="Always in the model", difference="Difference"),
    "change": "Panel",
}
STABILITY = figures.number_columns("%.2f", without="Stability without", beyond="Always in the model")


def show_comparison(view):
    """The panels of both studies, or the button that runs the second."""
    project, given = session.project(), view.results.given
    without = _study_without_given(project, view.results)
    if project.is_running and (data := cache.dataset_of_study(view.results)) is not None:
        progress.show_running(StudyView(project, data, True), briefly=True)
    if without is None:
        _show_run_button(project, view.results, given)
        return
    label = controls.ask_selector(view.results, session.SELECTOR, "Choose selector")
    try:
        table = cache.computed(compare_given, view.results, without, THRESHOLD, view.k, label)
    except InputError as error:
        st.info(text.plain(error), icon=":material/info:")
        return
    frame = frame_given(table, given)
    figures.show_figure(
        draw_given(frame, THRESHOLD), finding_given(table, given), table, "given-columns", subject=label, screen=view.screen
    )
    figures.show_dataframe(table, column_config=COLUMNS, alt="Selection frequency with and without the columns")
    both = [cache.compared_results(study) for study in (without, view.results)]
    alone, beyond = (study.table("nogueira", k=view.k)["nogueira"] for study in both)
    figures.show_dataframe(
        alone.rename("without").to_frame().join(beyond.rename("beyond"), how="inner").rename_axis("selector").reset_index(),
        column_config=STABILITY,
        alt="Stability of each selector with and without the columns",
    )
    view.screen.explain(*ABOUT_GIVEN)


def _study_without_given(project, results):
    """The same study without these columns in this project, None without one."""
    for path in project.studies:
        with suppress(InputError):  # Study reports a damaged file
            study = cache.open_study(path)
            if is_same_without_given(results, study) and study.finished_selectors:
                return study
    return None


def _show_run_button(project, results, given):
    """The button that starts the same study without these columns."""
    if project.is_running:
        return
    data = cache.dataset_of_study(results)
    if project.read_only_since is not None or data is None:
        st.info(
            "This comparison needs the table of the study, in a project of your own. It runs the study a second time.",
            icon=":material/info:",
        )
        return
    if st.button(f"Run the study without {text.plain(join_tied(list(given)))}", key="without-given", icon=":material/play_circle:"):
        with text.show_errors():
            written = open_study(results.path).settings  # selectors by their keys, because screens have other names
            roles = {**project.settings["roles"], "given": []}
            roles["exclude"] = [*roles.get("exclude", ()), *given]
            project.start_other_study(continued_tables(written, data.changed(name=written["data"]["name"])), data.choices, roles)
            st.rerun()
    st.caption("The same selectors, resamples and seed. The shown results stay.")
