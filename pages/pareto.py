"""Pareto: accuracy against stability, classic beside effective, and which selectors no other beats in both."""

import streamlit as st

from pages import _state, _widgets
from stabcore.figures.pareto import draw_fronts, finding_fronts, frame_fronts

_widgets.title("Accurate and stable: which selectors give both?")
found = _widgets.need_result()
scores = {"accuracy": "Accuracy", "balanced_accuracy": "Balanced accuracy", "auc": "Area under the ROC curve"}
relation = _state.relation()
table = found.table(["nogueira", "effective"], relation=relation)
scores = {key: label for key, label in scores.items() if table[key].notna().any()}
if not scores:
    st.info("Nothing is known about how well these features predict: selections that were brought along have no accuracy, and a "
            "study has one only with a classifier.", icon=":material/info:")
    st.page_link("pages/study.py", label="Run a study", icon=":material/arrow_forward:")
    st.stop()

score = st.segmented_control("How well they predict held-out rows", scores, format_func=scores.get, default="accuracy",
                             required=True, key="score")
frame = frame_fronts(table, ["nogueira", "effective"], score)
_widgets.figure(draw_fronts(frame, scores[score]), finding_fronts(frame), frame, "fronts")
st.caption("Filled: on the front, no other selector is at least as good in both and better in one. Hollow: some other is. The "
           "dotted line joins the front. Accuracies rest on the number of features that the study selected.")
_widgets.interval_caveat()
_widgets.relation_line()
