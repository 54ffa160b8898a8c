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
    guards.add_settings_drawer(frame, results)
    rule, settings, download = report.control_places()
    asked = ask_rule(results, settings, rule)
    view = View(results, frame=frame).extended(ReportView, rule=asked, **report.answers())
    report.show_summary(view)
    with settings:
        chosen = report.ask_content(view)
    report.show_report(view, download, *chosen)
    frame.show_drawers()


layout.show_title("What does the report contain?")
screen()
