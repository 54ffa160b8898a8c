"""Profiles: stability against the number of features and of runs, beside random ranking; where it seems to end."""

import streamlit as st

from pages import _profiles_sections, _state, _widgets


def look():
    """One section of the page under the controls that all share."""
    found = _widgets.need_result()
    rankers = [label for label in found.ready if found.can_rank(label)]
    sections = _profiles_sections.SECTIONS if rankers else {"runs": _profiles_sections.SECTIONS["runs"]}
    if not rankers:
        st.info("These runs hold only what was selected, not the order of all features, so other numbers of features cannot be "
                "asked for. Run a study, or bring scores or ranks.", icon=":material/info:")
        st.page_link("pages/start.py", label="Go to Start", icon=":material/arrow_forward:")
    titles = {key: title for key, (title, _) in sections.items()}
    if _state.PROFILE not in st.session_state or st.session_state[_state.PROFILE] not in titles:
        st.session_state[_state.PROFILE] = next(iter(titles))
    section = _state.keep(_state.PROFILE, lambda **at: st.segmented_control(
        "What to look at", titles, format_func=titles.get, required=True, label_visibility="collapsed", **at))
    picture = st.container()                    # above its controls, which are told of further below
    k = size(found, rankers) if rankers else None
    sections[section][1](found, rankers, k, picture)
    _widgets.interval_caveat()
    _widgets.relation_line(found)


def size(found, rankers):
    """The number of features that is looked at."""
    longest = found.longest(rankers)
    if longest == 1:
        return 1
    k = _state.slide(_state.CARDINALITY, "Number of selected features", 1, longest,
                     default=found.n_selected or max(1, longest // 4),
                     then=lambda: st.session_state.update({_state.OTHER_CARDINALITY: True}))
    short = _widgets.short_rankings(found, rankers, k)
    if short:
        st.caption(_widgets.plain(f"Some runs rank fewer than {k}: their curves end before, and elsewhere all that they rank "
                                  f"count: {short}."))
    if st.session_state.get(_state.OTHER_CARDINALITY):
        st.caption("Every screen but Pareto asks what this number of features would give, until the what-if is switched off there.")
    return k


_widgets.title("How many features can be trusted?")
_widgets.alive(look)
