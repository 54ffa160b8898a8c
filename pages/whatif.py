"""What if? Other thresholds, single pairs, groups on and off, without a feature or a run. No study runs again."""

import streamlit as st

from pages.parts import controls, figures, guards, layout, session
from pages.parts.whatif import groups, leaving_out, pairs, thresholds

SECTIONS = {"thresholds": "From which correlation on?", "pairs": "Which pairs matter most?", "groups": "What does each group do?",
            "parts": "Without a feature or a run"}
ASK = {"thresholds": thresholds.ask, "pairs": pairs.ask, "groups": groups.ask, "parts": leaving_out.ask}


def question():
    """One question, its controls and its answer."""
    found = guards.require_results()
    section = session.kept(session.WHAT_IF, lambda **at: st.segmented_control(
        "Question", SECTIONS, format_func=SECTIONS.get, required=True, label_visibility="collapsed", **at), default="thresholds")
    picture = st.container()                    # above its controls
    k = controls.cardinality(found)
    ASK[section](found, k, picture)


layout.title("What if?")
figures.fragment(question)
