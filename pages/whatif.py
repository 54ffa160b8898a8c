"""What if? Other thresholds, pairs, groups on and off, scenarios side by side, without a feature or a run. No study runs again."""

import streamlit as st

from pages.parts import controls, figures, guards, layout, session
from pages.parts.view import View
from pages.parts.whatif import groups, leaving_out, pairs, side_by_side, thresholds

SECTIONS = {
    "thresholds": ("From which correlation on?", thresholds.ask),
    "pairs": ("Which pairs matter most?", pairs.ask),
    "groups": ("What does each group do?", groups.ask),
    "scenarios": ("Scenarios side by side", side_by_side.ask),
    "parts": ("Without a feature or a run", leaving_out.ask),
}


def screen():
    """One question, its controls and its answer."""
    results = guards.require_results()
    section = controls.section(session.WHAT_IF_QUESTION, {key: title for key, (title, _) in SECTIONS.items()}, "Question")
    top = st.container()  # above its controls
    view = View(results, controls.cardinality(results), top)
    SECTIONS[section][1](view)


layout.title("What if?")
figures.fragment(screen)
