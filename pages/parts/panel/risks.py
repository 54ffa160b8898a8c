"""Each patient's risk: how far it moves from model to model, told once it was asked for."""

import streamlit as st

from pages.parts import cache, controls, figures, session, text
from stabcore.figures.risk import draw_calibration, draw_risk, finding_risk, frame_calibration, frame_risk
from stabcore.study.risk import WITH_RISKS, risk


def risks(view):
    """One button trains the models; a slider says from which risk on a patient is called."""
    data, label = view.own_data(), _of_one(view)
    if data is None or data.numeric_target or len(data.classes) != 2:
        with view.top:
            st.info("Risks of patients need the table that the study was made of, and an outcome with two classes.",
                    icon=":material/info:")
        return
    first, second = st.columns(2)
    with first:
        session.kept(session.RISK_CLASSIFIER, lambda **at: st.selectbox("Classifier", WITH_RISKS, **at), default="logistic")
    with second:
        percent = session.kept_slider(session.RISK_THRESHOLD, "A patient is called from this risk on (%)", 1, 99, 50, 1)
    learner = st.session_state[session.RISK_CLASSIFIER]
    asked = [label, learner, view.k]
    if st.button(f"Train the models of {view.results.plan.runs} runs", key="risk-compute", icon=":material/play_arrow:"):
        st.session_state[session.RISK_ASKED] = asked
    if st.session_state.get(session.RISK_ASKED) != asked:
        with view.top:
            st.info("For each run the classifier is trained on the features that were selected there, and once on all rows. "
                    "Features are selected anew on all rows only, so this takes seconds to a minute.", icon=":material/info:")
        return
    with text.sentences():
        found = cache.cached(lambda: risk(data, view.results, label, learner, k=view.k), "risk", *asked, data.fingerprint)
        _told(view, found, percent / 100)


def _of_one(view):
    ready = view.results.ready
    return view.who if view.who in ready else controls.selector_choice(view.results, session.EXPLORED, "Selector")


def _told(view, found, threshold):
    """The pictures, each patient, and what they do not say."""
    table = found.table(threshold)
    with view.top:
        figures.figure(draw_risk(frame_risk(table), threshold, found.event), finding_risk(table, threshold), table, "risks")
    if found.note:
        st.info(text.plain(found.note), icon=":material/info:")
    st.caption(text.plain(f"The risk of {found.event}. Every model has learned from part of these very patients or all of "
                          "them, so risks look better than for new ones; what counts here is how far they move. Bands hold 95 of "
                          "100 models."))
    curves = frame_calibration(found.curves())
    figures.figure(draw_calibration(curves), "How often it happened in patients of about the same predicted risk, on the patients "
                   "that the models learned from", curves, "calibration")
    figures.numbers(table, hide_index=True, alt="Each patient's risk and how far it moves", column_config={
        "risk": st.column_config.NumberColumn(format="percent"), "low": st.column_config.NumberColumn("from", format="percent"),
        "high": st.column_config.NumberColumn("to", format="percent"),
        "mape": st.column_config.NumberColumn("moves by", format="percent", help="Mean distance between the risks by the models of "
                                              "the runs and by the model of all rows (MAPE)"),
        "happened": st.column_config.CheckboxColumn(text.plain(found.event)),
        "changes": st.column_config.NumberColumn("other side in", format="percent", help="Share of the models that put this "
                                                 "patient on the other side of the threshold")})
