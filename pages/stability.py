"""Stability: each selector with its noise floor, any measure with its interval, comparisons of selectors and measures."""

from pages.parts import controls, guards, layout, session, stability
from pages.parts.screen import Screen
from pages.parts.view import View


def show_screen():
    """The figure, or the open analysis."""
    screen = Screen()
    results = guards.require_results(screen)
    view = View(results, controls.ask_cardinality(results), screen=screen)
    analyses = stability.allowed_analyses(view)
    draw = screen.open_analysis(analyses, session.STABILITY_SECTION, "Stability") or stability.show_stability
    guards.add_settings_drawer(screen, results)
    draw(view)
    screen.add_limitations(*controls.describe_interval_limits(results))
    controls.explain_similarity(view)
    screen.show_drawers(analyses, session.STABILITY_SECTION)


layout.show_title("How stable is each selector?", then=("panel", "Panel"))
show_screen()
