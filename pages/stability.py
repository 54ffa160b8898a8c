"""Stability: each selector beside its own noise floor, any measure with its interval, selectors compared, measures compared."""

import streamlit as st

from pages.parts import controls, guards, layout, session, stability
from pages.parts.view import View


def screen():
    """The headline, then the section that is open."""
    results = guards.require_results()
    view = View(results, controls.cardinality(results))
    stability.draw(view)
    controls.interval_caveat(results)
    controls.few_runs_caveat(results)
    controls.similarity_line(view)
    if results.folds(results.finished_selectors[0]):
        stability.folds(view)
    st.header("Look closer", divider="gray")
    offered = stability.offered(results)
    section = controls.section(session.STABILITY_SECTION, {key: title for key, (title, _) in offered.items()}, "Look closer")
    offered[section][1](view)
    if not results.has_repeats:
        stability.how_to_ask_whose_dice(results)


layout.title("How often do the same features come back?")
screen()
