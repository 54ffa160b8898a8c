"""Panel: which features stay in the end, how sure each is, how many of them may be false, and which way they go."""

import streamlit as st

from pages.parts import controls, figures, guards, layout, session
from pages.parts.panel import sections
from pages.parts.panel.view import PanelView, ask_whose
from pages.parts.view import View


def screen():
    """One section of the page above the controls that all share."""
    results = guards.require_results()
    offered = sections.offered(results)
    section = controls.section(session.PANEL_SECTION, {key: title for key, (title, _) in offered.items()})
    top = st.container()
    who, threshold = ask_whose(results)
    view = View(results, controls.cardinality(results), top).extended(PanelView, who=who, threshold=threshold)
    offered[section][1](view)
    controls.similarity_line(view)


layout.title("Which features stay in the end?")
figures.fragment(screen)
