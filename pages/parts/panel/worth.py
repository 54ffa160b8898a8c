"""The clinical worth of the panel: measures of its model, the decision curve and calibration."""

import streamlit as st

from pages.parts import cache, controls, figures, glossary, session, text
from pages.parts.panel.view import ALL_SELECTORS
from stabcore.analysis.clinical_worth import clinical_worth
from stabcore.plots.clinical_worth import (
    ABOUT_WORTH,
    draw_decision_curve,
    draw_worth_calibration,
    finding_decision_curve,
    finding_worth,
    finding_worth_calibration,
    frame_decision_curve,
    frame_worth_calibration,
    table_worth,
)

COLUMNS = {
    "corrected": st.column_config.NumberColumn("Corrected", help="Apparent value less optimism", format="%.3f"),
    "apparent": st.column_config.NumberColumn("Apparent", help="On the patients that the model learned from", format="%.3f"),
    **figures.number_columns("%.3f", optimism="Optimism"),
    "run_median": st.column_config.NumberColumn("Median run", help="On patients that the run has not seen", format="%.3f"),
    "run_low": st.column_config.NumberColumn("Runs from", help="2.5% point over the runs", format="%.3f"),
    "run_high": st.column_config.NumberColumn("Runs to", help="97.5% point over the runs", format="%.3f"),
}


def show_clinical_worth(view):
    """Measures, decision curve and calibration of a logistic regression on the panel."""
    data, label = view.study_data(), view.selector
    if label == ALL_SELECTORS:
        label = controls.ask_selector(view.results, session.SELECTOR, "Choose selector of the runs")
    if data is None or not data.classes:
        st.info("Clinical worth needs the table of the study, and an outcome with classes.", icon=":material/info:")
        return
    event = data.classes[data.event_class]
    if len(data.classes) > 2:
        event = st.selectbox("Choose class", data.classes, **session.bound(session.RISK_EVENT, event, data.classes))
    panel = view.panel()
    features = tuple(panel.loc[panel["in_panel"], "feature"])
    if not features:
        st.info("No feature is in the panel, so it has no model.", icon=":material/info:")
        return
    worth = None
    with text.show_errors(), st.spinner("Drawing bootstrap samples …"):
        worth = cache.computed(clinical_worth, data, features, view.results, label, k=view.k, event=event)
    if worth is None:  # the reason is shown
        return
    frame = frame_decision_curve(worth)
    figures.show_figure(draw_decision_curve(frame), finding_worth(worth), frame, "decision", subject=label, screen=view.screen)
    glossary.show_sentence(finding_decision_curve(frame))
    figures.show_dataframe(table_worth(worth), column_config=COLUMNS, alt="Measures of the model on the panel")
    st.header("Calibration", divider="gray")
    curve = frame_worth_calibration(worth)
    figures.show_figure(draw_worth_calibration(curve), finding_worth_calibration(worth), curve, "worth-calibration", subject=label)
    view.screen.explain(*ABOUT_WORTH)
