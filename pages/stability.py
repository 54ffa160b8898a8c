"""Stability: each selector with its noise floor, any measure with its interval, comparisons of selectors and measures."""

from pages.parts import controls, guards, layout, session, stability
from pages.parts.frame import Frame
from pages.parts.view import View


def screen():
    """The figure, or the open analysis."""
    frame = Frame()
    results = guards.require_results(frame)
    view = View(results, controls.cardinality(results), frame=frame)
    analyses = stability.analyses(view)
    draw = frame.analysis(analyses, session.STABILITY_SECTION, "Stability") or stability.draw
    guards.offer_settings(frame, results)
    draw(view)
    frame.limit(*controls.describe_interval_limits(results))
    controls.note_similarity(view)
    frame.close(analyses, session.STABILITY_SECTION)


layout.title("How stable is each selector?", then=("panel", "Panel"))
screen()
