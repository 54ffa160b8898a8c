"""Report: one file for co-authors, reviewers and auditors, with tables, settings, script, and a zip of everything."""

from pages.parts import guards, layout, report
from pages.parts.frame import Frame
from pages.parts.report import ReportView, ask
from pages.parts.view import View


def screen():
    """The summary, the content of the report, and the files."""
    frame = Frame()
    results = guards.require_results(frame)
    frame.explain(guards.settings_of(results))
    view = View(results, frame=frame).extended(ReportView, **ask(results))
    report.in_short(view)
    parts, figures, interactive = report.choose(view)
    report.take(view, parts, figures, interactive)
    report.see(view, parts, figures)
    frame.close()


layout.title("What should the report contain?")
screen()
