"""Report: one file for co-authors, reviewers and auditors; tables, settings, script; everything as one zip."""

from pages.parts import guards, layout
from pages.parts.report import sections
from pages.parts.report.view import ReportView, ask
from pages.parts.view import View


def screen():
    """What is asked, what comes out in short, the files, and the report itself."""
    results = guards.require_results()
    view = View(results).extended(ReportView, **ask())
    sections.in_short(view)
    chosen = sections.choose(view)
    sections.take(view, *chosen)
    sections.see(view, *chosen)


layout.title("What do you hand to others?")
screen()
