"""Panel: the selected features, their uncertainty, the expected false ones, and the directions of their effects."""

from pages.parts import figures, guards, layout, session
from pages.parts.frame import Frame
from pages.parts.panel import sections
from pages.parts.panel.view import PanelView, ask_whose
from pages.parts.view import View


def screen():
    """The panel, or the open analysis."""
    frame = Frame()
    results = guards.require_results(frame)
    analyses = sections.analyses(results)
    draw = frame.analysis(analyses, session.PANEL_SECTION, "Panel") or sections.panel_features
    selector, rule, k = ask_whose(results)
    view = View(results, k, frame=frame).extended(PanelView, who=selector, rule=rule)
    draw(view)
    frame.close(analyses, session.PANEL_SECTION, sections.GROUPS)


layout.title("Which features belong in the panel?", then=("report", "Report"))
figures.fragment(screen)
