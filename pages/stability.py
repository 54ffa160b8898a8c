"""Stability: each selector with its noise floor, any measure with its interval, comparisons of selectors and measures."""

from pages.parts import controls, guards, layout, session, stability
from pages.parts.frame import Frame
from pages.parts.view import View


def screen():
    """The figure, or the open analysis."""
    frame = Frame()
    results = guards.require_results(frame)
    view = View(results, controls.ask_cardinality(results), frame=frame)
    analyses = stability.allowed_analyses(view)
    draw = frame.open_analysis(analyses, session.STABILITY_SECTION, "Stability") or stability.show_stability
    guards.add_settings_drawer(frame, results)
    draw(view)
    frame.add_limitations(*controls.describe_interval_limits(results))
    controls.explain_similarity(view)
    frame.show_drawers(analyses, session.STABILITY_SECTION)


layout.show_title("How stable is each selector?", then=("panel", "Panel"))
screen()
