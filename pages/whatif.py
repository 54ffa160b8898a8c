"""What if? Other thresholds, single pairs, groups on and off, without a feature or a run. No study runs again."""

import streamlit as st

from pages import _state, _whatif_groups, _whatif_pairs, _whatif_parts, _whatif_thresholds, _widgets

SECTIONS = {"thresholds": "From which correlation on?", "pairs": "Which pairs matter most?", "groups": "What does each group do?",
            "parts": "Without a feature or a run"}
ASK = {"thresholds": _whatif_thresholds.ask, "pairs": _whatif_pairs.ask, "groups": _whatif_groups.ask, "parts": _whatif_parts.ask}


def question():
    """One question, its controls and its answer."""
    found = _widgets.need_result()
    section = _state.keep(_state.WHAT_IF, lambda **at: st.segmented_control(
        "Question", SECTIONS, format_func=SECTIONS.get, required=True, label_visibility="collapsed", **at), default="thresholds")
    picture = st.container()                    # above its controls
    k = _widgets.cardinality(found)
    ASK[section](found, k, picture)


_widgets.title("What if?")
_widgets.alive(question)
