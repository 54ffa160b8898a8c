"""The risk of each patient and its variation between models, computed on request in a process of its own."""

import streamlit as st

from pages.parts import figures, session, text
from pages.parts.computing import parse_progress, show_progress
from pages.parts.panel.view import ask_classifier
from stabcore.base.errors import InputError
from stabcore.base.target import TIME, kind_of_target
from stabcore.base.text import counted
from stabcore.plots.risk import (
    draw_calibration,
    draw_mape,
    draw_patient,
    draw_risk,
    finding_mape,
    finding_patient,
    finding_risk,
    frame_calibration,
    frame_mape,
    frame_patient,
    frame_risk,
    row_noun,
)
from stabcore.plots.survival import ABOUT_AT_RISK, draw_survival, finding_survival, frame_survival
from stabcore.study.pieces import piece_file_name, read_from_study, read_models
from stabcore.study.risk import describe_excluded_classifiers, no_risks_reason, risk_from_models, risk_question

COLUMNS = {
    "row": "Row",
    **figures.number_columns("percent", "risk", "low", "high"),
    "mape": st.column_config.NumberColumn(
        "Mean change",
        format="percent",
        help="Mean distance between the risks by the models of the runs and by the model of all rows (MAPE)",
    ),
    "changes": st.column_config.NumberColumn(
        "Class changes in", format="percent", help="Share of the models by which this patient is on the other side of the threshold"
    ),
}


def known_risk(results, data, asked):
    """The computed Risk of a question, from the study file or this project, else None."""
    models = read_from_study(results, asked) or read_models(session.project().folder / piece_file_name(asked), asked, data.n_rows)
    return risk_from_models(data, results, asked, models) if models else None


def last_risk_question(results, data, k):
    """The present question, None if these results or this table have none."""
    label, learner = st.session_state.get(session.SELECTOR), st.session_state.get(session.RISK_CLASSIFIER)
    if data is None or label is None or learner is None or label not in results.finished_selectors:
        return None
    try:
        return risk_question(data, results, label, learner, st.session_state.get(session.RISK_EVENT), k)
    except InputError:  # an outcome without risks
        return None


def show_risks(view):
    """A button that trains the models, and the risk threshold."""
    data, label = view.study_data(), view.selector
    if kind_of_target(view.results.target) == TIME:
        _show_survival(view, label)
        return
    if data is None or data.numeric_target or len(data.classes) != 2:
        st.info(
            "Risks of patients need the table that the study was made of, and an outcome with two classes.", icon=":material/info:"
        )
        return
    if why := no_risks_reason(view.results.plan):
        st.info(why, icon=":material/info:")
        return
    first, second, third = st.columns(3)
    with first:
        learner = ask_classifier(session.RISK_CLASSIFIER)
    box = session.bound(session.RISK_EVENT, data.classes[data.event_class], data.classes)
    event = second.selectbox("Choose class", data.classes, **box)
    percent = third.slider("Set risk threshold (%)", **session.bound_range(session.RISK_THRESHOLD, 1, 99, 50))
    view.screen.explain(text.plain(describe_excluded_classifiers()))
    with text.show_errors():
        asked = risk_question(data, view.results, label, learner, event, view.k)
        risk = known_risk(view.results, data, asked)
        if risk is None:
            _show_computation(view, asked, data)
        else:
            _show_figures(view, risk, percent / 100)


def _show_survival(view, label):
    """Survival of thirds of the patients by the risk from models that had not seen them."""
    with text.show_errors():
        frame = frame_survival(view.results, label)
        figures.show_figure(draw_survival(frame), finding_survival(frame), frame, "survival", screen=view.screen)
        view.screen.explain(ABOUT_AT_RISK)
        view.screen.add_limitations("Features and models differ from run to run. The curves show the procedure, not one model.")


def _show_computation(view, asked, data):
    """The button that computes the risks, their progress, and the reason of an early end."""
    project = session.project()
    if project.risks.is_running:
        count = len(view.results.run_numbers(asked["selector"]))
        show_progress(
            project.risks, lambda: _risk_progress(project, count), cancel="Cancel (keep trained models)", key="risk-cancel"
        )
        return
    st.info(
        "The classifier is trained on the selected features of each run. It is also trained once on all rows, with features "
        "selected from all rows. This takes seconds or minutes and continues when this page is closed.",
        icon=":material/info:",
    )
    if project.risks.last_line and not project.risks.last_line.startswith("Done"):
        st.warning(text.plain(project.risks.last_line), icon=":material/pause_circle:")
    if st.button(f"Train {counted(view.results.n_runs, 'model')}", key="risk-compute", icon=":material/play_arrow:"):
        with text.show_errors():
            project.start_computation(project.risks, asked, data.choices)
            st.rerun()


def _risk_progress(project, count):
    done, total = parse_progress(project.risks.last_line)
    done = done if total == count else 0
    return done, count, f"{done} of {counted(count, 'model')} trained"


def _show_figures(view, risk, threshold):
    """The figures, each patient, and the limitations."""
    table, patients = risk.table(threshold), row_noun(view.study_data())
    drawn, finding = draw_risk(frame_risk(table), threshold, risk.event), finding_risk(table, threshold, patients)
    figures.show_figure(drawn, finding, table, "risks", screen=view.screen)
    view.screen.explain(text.plain(f"The risk of {risk.event}. Bands hold 95 of 100 models."))
    view.screen.add_limitations(
        "Every model has learned from these patients, so the risks are too optimistic. Use their variation only."
    )
    st.header("Variation between models", divider="gray")
    moves = frame_mape(table)
    figures.show_figure(draw_mape(moves, patients), finding_mape(moves, patients), moves, "risk-variation")
    st.header("One patient", divider="gray")
    data = view.study_data()
    row = st.number_input("Row among those used", 1, len(table), **session.bound(session.RISK_PATIENT, 1, range(1, len(table) + 1)))
    if data is not None and data.lines is not None:
        st.caption(f"This is line {data.lines[row - 1]:,} of the file.")
    frame = frame_patient(risk, row)
    figures.show_figure(draw_patient(frame, threshold), finding_patient(frame, row, threshold), frame, "patient")
    st.header("Calibration", divider="gray")
    curves = frame_calibration(risk.curves())
    figures.show_figure(
        draw_calibration(curves), "Observed frequency by predicted risk, in all patients of the table", curves, "calibration"
    )
    columns = COLUMNS | {"happened": st.column_config.CheckboxColumn(text.plain(risk.event))}
    figures.show_dataframe(table, alt="Risk of each patient and its variation between models", column_config=columns)
