"""Report: one file for co-authors, reviewers and auditors; tables, settings, script; everything as one zip."""

from pages.parts import guards, layout, report
from pages.parts.report import ReportView, ask
from pages.parts.view import View


def screen():
    """What is asked, what comes out in short, the files, and the report itself."""
    results = guards.require_results()
    view = View(results).extended(ReportView, **ask())
    report.in_short(view)
    chosen = report.choose(view)
    report.take(view, *chosen)
    report.see(view, *chosen)


layout.title("What do you hand to others?")
screen()
