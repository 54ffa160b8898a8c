"""Panel: the selected features, their uncertainty, the expected false ones, and the directions of their effects."""

import streamlit as st

from pages.parts import figures, guards, layout, session
from pages.parts.panel import sections
from pages.parts.panel.view import PanelView, ask_panel
from pages.parts.screen import Screen
from pages.parts.view import View


def show_screen():
    """The panel, or the open analysis."""
    screen = Screen()
    results = guards.require_results(screen)
    analyses = sections.allowed_analyses(results)
    draw = screen.open_analysis(analyses, session.PANEL_SECTION, "Panel")
    selector, rule, k = ask_panel(results, st.session_state[session.PANEL_SECTION] if draw else "")
    view = View(results, k, screen=screen).extended(PanelView, selector=selector, rule=rule)
    (draw or sections.show_panel)(view)
    screen.show_drawers(analyses, session.PANEL_SECTION, sections.GROUPS)


layout.show_title("Which features belong in the panel?", then=("report", "Report"))
figures.run_fragment(show_screen)
