"""Stability: one plain sentence a selector, the chosen measures with their intervals, classic beside effective."""

import streamlit as st

from pages import _state, _widgets
from stabcore.figures.estimates import draw_estimates, finding_estimates, frame_estimates, sentence
from stabcore.measures.catalog import FAMILIES, available, entry

_widgets.title("How often do the same features come back?")
found = _widgets.need_result()
k = _widgets.cardinality(found)
relation = _state.relation()

headline = found.table(["nogueira", "effective"], relation=relation, k=k)
frame = frame_estimates(headline, ["nogueira", "effective"])
for label, row in headline.iterrows():
    st.markdown(f"- {_widgets.plain(sentence(label, row))}")
_widgets.figure(draw_estimates(frame), finding_estimates(frame), frame, "stability")
_widgets.interval_caveat()
_widgets.relation_line()

st.subheader("Other ways to measure it", divider="gray")
possible = [one.key for one in available(found.preferences(found.ready[0], k))]
chosen = _state.keep(_state.MEASURES, lambda **at: st.multiselect(
    "Measures", possible, format_func=lambda key: entry(key).label, **at), default=[
        key for key in ("nogueira", "effective", "jaccard", "importance_weighted") if key in possible])
chosen = [key for key in chosen if key in possible]
if chosen:
    values = found.table(chosen, relation=relation, k=k)
    shown = frame_estimates(values, chosen)
    wide = shown.assign(text=shown["text"]).pivot(index="selector", columns="label", values="text")
    st.dataframe(wide.loc[values.index, [entry(key).label for key in chosen]], alt="Stability of each selector by each measure")
    for reason in dict.fromkeys(shown["note"][shown["note"] != ""]):
        st.caption(_widgets.plain(reason))
    _widgets.table(lambda: shown.drop(columns="text"), "measures", "All values with their intervals")

with st.expander("What each measure says"):
    for family, title in FAMILIES.items():
        st.markdown(f"**{title}**")
        for one in (entry(key) for key in possible):
            if one.family == family:
                st.markdown(f"*{one.label}* ({one.range}): {one.plain}")
                st.latex(one.formula)
                luck = "Corrected for luck" if one.corrected else "Not corrected for luck: it grows with the number of features"
                st.caption(f"{luck}. Source: {one.reference}.")
