"""Report: one file for co-authors, reviewers and auditors, with tables, settings, script, and a zip of everything."""

from pages.parts import guards, layout, report
from pages.parts.frame import Frame
from pages.parts.panel.view import ask_rule
from pages.parts.report import ReportView
from pages.parts.view import View


def screen():
    """The summary, the content of the report, its preview, and the files."""
    frame = Frame()
    results = guards.require_results(frame)
    guards.offer_settings(frame, results)
    rule, settings, download = report.places()
    asked = ask_rule(results, settings, rule)
    view = View(results, frame=frame).extended(ReportView, rule=asked, **report.answers())
    report.in_short(view)
    with settings:
        chosen = report.choose(view)
    report.take(view, download, *chosen)
    frame.close()


layout.title("What does the report contain?")
screen()
