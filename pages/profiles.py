"""Profiles: stability against the number of selected features, for all selectors, beside random ranking."""

import streamlit as st

from pages import _state, _widgets
from stabcore.figures.curves import draw_curves, finding_curves
from stabcore.measures.catalog import entry

_widgets.title("How many features can be trusted?")
found = _widgets.need_result()
rankers = [label for label in found.ready if found.can_rank(label)]
if not rankers:
    st.info("These runs hold only what was selected, not the order of all features, so other numbers of features cannot be asked "
            "for. Run a study, or bring scores or ranks.", icon=":material/info:")
    st.page_link("pages/start.py", label="Go to Start", icon=":material/arrow_forward:")
    st.stop()

measure = st.segmented_control("Measure", ["nogueira", "effective", "jaccard", "phi"], default="nogueira", required=True,
                               format_func=lambda key: entry(key).label, key="profile-measure")
frame = _state.curves(measure, rankers)
longest = int(frame["k"].max())
if longest < found.longest(rankers):
    st.caption(f"With so many features, effective stability is drawn at some sizes up to {longest}.")
asked = getattr(found, "settings", {}).get("n_selected") or max(1, longest // 4)
st.session_state[_state.CARDINALITY] = min(st.session_state.get(_state.CARDINALITY) or asked, longest)
k = _state.keep(_state.CARDINALITY, lambda **at: st.slider("Number of selected features", 1, longest, **at))
bands = st.multiselect("Show the interval of", rankers, default=rankers[:1], key="profile-bands")
_widgets.figure(draw_curves(frame, k, bands), finding_curves(frame, k, measure), frame, "profiles")
st.caption("Grey: what ranking at random would give on average, and the band it stays in 95 times of 100. A curve stops where a "
           "selector stops ranking; no order is invented.")
_widgets.interval_caveat()
_widgets.relation_line()
