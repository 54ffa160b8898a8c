"""Report: one file for co-authors, reviewers and auditors, with tables, settings, script, and a zip of everything."""

from pages.parts import guards, layout, report
from pages.parts.panel.view import ask_rule
from pages.parts.report import ReportView
from pages.parts.screen import Screen
from pages.parts.view import View


def show_screen():
    """The summary, the content of the report, its preview, and the files."""
    screen = Screen()
    results = guards.require_results(screen)
    guards.add_settings_drawer(screen, results)
    rule, settings, download = report.control_places()
    asked = ask_rule(results, settings, rule)
    view = View(results, screen=screen).extended(ReportView, rule=asked, **report.answers())
    report.show_summary(view)
    with settings:
        chosen = report.ask_content(view)
    report.show_report(view, download, *chosen)
    screen.show_drawers()


layout.show_title("What does the report contain?")
show_screen()
