"""Profiles: stability against the number of features and of runs, beside random ranking; where it seems to end."""

import streamlit as st

from pages.parts import controls, figures, guards, layout, session, text
from pages.parts.profiles import sections


def look():
    """One section of the page under the controls that all share."""
    found = guards.require_results()
    rankers = [label for label in found.ready if found.can_rank(label)]
    offered = sections.SECTIONS if rankers else {"runs": sections.SECTIONS["runs"]}
    if not rankers:
        st.info("These runs hold only what was selected, not the order of all features, so other numbers of features cannot be "
                "asked for. Run a study, or bring scores or ranks.", icon=":material/info:")
        st.page_link("pages/start.py", label="Go to Start", icon=":material/arrow_forward:")
    titles = {key: title for key, (title, _) in offered.items()}
    if session.PROFILE not in st.session_state or st.session_state[session.PROFILE] not in titles:
        st.session_state[session.PROFILE] = next(iter(titles))
    section = session.kept(session.PROFILE, lambda **at: st.segmented_control(
        "What to look at", titles, format_func=titles.get, required=True, label_visibility="collapsed", **at))
    picture = st.container()                    # above its controls, which are told of further below
    k = size(found, rankers) if rankers else None
    offered[section][1](found, rankers, k, picture)
    controls.interval_caveat()
    controls.relation_line(found)


def size(found, rankers):
    """The number of features that is looked at."""
    longest = found.longest(rankers)
    if longest == 1:
        return 1
    k = session.kept_slider(session.CARDINALITY, "Number of selected features", 1, longest,
                     default=found.n_selected or max(1, longest // 4),
                     then=lambda: st.session_state.update({session.OTHER_CARDINALITY: True}))
    short = controls.short_rankings(found, rankers, k)
    if short:
        st.caption(text.plain(f"Some runs rank fewer than {k}: their curves end before, and elsewhere all that they rank "
                                  f"count: {short}."))
    if st.session_state.get(session.OTHER_CARDINALITY):
        st.caption("Every screen but Pareto asks what this number of features would give, until the what-if is switched off there.")
    return k


layout.title("How many features can be trusted?")
figures.fragment(look)
