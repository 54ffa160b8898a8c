"""Passport: everything that is known about one feature, over all selectors."""

import streamlit as st

from pages.parts import cache, controls, figures, guards, highlights, layout, session, text
from stabcore.analysis.passport import partners, passport
from stabcore.figures.passport import (
    draw_frequency,
    draw_ranks,
    finding_frequency,
    finding_ranks,
    frame_frequency,
    frame_ranks,
    sentence_line,
)

SHARE = {"format": "percent"}
COLUMNS = {
    "frequency": st.column_config.NumberColumn("selected in", help="Share of the runs that select it", **SHARE),
    "rank_low": st.column_config.NumberColumn("rank, lower quarter", format="%.0f"),
    "rank_middle": st.column_config.NumberColumn("rank, middle", format="%.0f"),
    "rank_high": st.column_config.NumberColumn("rank, upper quarter", format="%.0f"),
    "ranked": st.column_config.NumberColumn("runs that rank it"),
    "importance": st.column_config.NumberColumn("share of the importance", help="Mean over the runs that select it", **SHARE)}
PARTNERS = {
    "related": st.column_config.NumberColumn("stands for it (C)", format="%.2f"),
    "both": st.column_config.NumberColumn("selected together", **SHARE),
    "only_this": st.column_config.NumberColumn("only this one", **SHARE),
    "only_partner": st.column_config.NumberColumn("only the partner", **SHARE),
    "association": st.column_config.NumberColumn("association", format="%.2f",
                                                 help="−1: always one or the other; 0: as if independent"),
    "p_holm": st.column_config.NumberColumn("p (Holm)", format="%.3f", help="That random sets are as seldom together")}

layout.title("What is known about one feature?")
found = guards.require_results()
chosen, picture = st.container(), st.container()            # above what is asked below
k = controls.cardinality(found)
runs = {label: found.preferences(label, k) for label in found.ready}
relation, data = cache.relation(), cache.dataset()

picked, names = highlights.picked(), layout.offered(found)
feature = chosen.selectbox("Feature", names, key="passport-feature", accept_new_options=len(names) < len(found.features),
                           help="The highlighted ones come first."
                           + " Others can be typed in." * (len(names) < len(found.features)))
if feature not in picked and feature in found.features:
    chosen.button("Highlight it everywhere", key="highlight", icon=":material/highlight:",
                  on_click=lambda: highlights.pick([*picked, feature]))

table = passport(runs, feature)
for label, one in runs.items():
    if one.no_importances:
        st.caption(text.plain(f"{label}: {one.no_importances}."))
often = frame_frequency(table, found, k)
with picture:
    said = f"{finding_frequency(table, feature)} {sentence_line(often, found, feature, k)}".strip()
    figures.figure(draw_frequency(often), said, often, "frequency")
known = table.assign(runs=controls.of_planned(found, table["selector"])).dropna(axis="columns", how="all")  # some do not rank
st.dataframe(known, hide_index=True, alt="How often and how high the feature comes with each selector", column_config=COLUMNS)

frame = frame_ranks(runs, feature)
if len(frame):
    figures.figure(draw_ranks(frame), finding_ranks(frame, feature), frame, "ranks")

st.subheader("Which features does it swap with?", divider="gray")
related = relation.n_related > 0
st.caption(("Related features that are selected instead of it: " if related else "Nothing stands for anything else now, so all "
            "features are looked at: ") + "selected together less often than in random sets of features that come as often, "
           "beyond what may be chance (p < 0.05 by Holm, over all that were looked at).")
label = controls.selector_choice(found, session.EXPLORED, "Selector")
swaps = partners(runs[label], feature, relation if related else None)
if len(swaps):
    st.dataframe(swaps, hide_index=True, alt="Features it swaps with", column_config=PARTNERS)
else:
    st.info("None that these runs could tell: it is always or never selected, or no "
            f"{'related ' * related}feature takes its place more often than in random sets.", icon=":material/info:")
controls.relation_line(found)

if data is not None and feature in data.features:
    st.subheader("What it is in the table", divider="gray")
    group = next((name for name, members in relation.groups.items() if feature in members), "none")
    about = data.columns[data.columns["column"] == feature].assign(group=group)
    st.dataframe(about, hide_index=True, alt="Kind, missing cells and group of the feature")
