"""Report: its subject, the summary, the files, the preview, and two questions about the patients."""

from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import streamlit as st

from pages.parts import cache, project_choices, scenarios, session
from pages.parts.figures import show_file_button
from pages.parts.panel.risks import known_risk, last_risk_question
from pages.parts.panel.subgroups import last_subgroup_question
from pages.parts.view import View
from stabcore.base.errors import InputError
from stabcore.base.text import counted
from stabcore.inference.panel_rule import PanelRule
from stabcore.reporting import exports
from stabcore.reporting.make import TITLES, chosen_parts, page
from stabcore.reporting.pictures import DEFAULT_FIGURES, available_figures
from stabcore.reporting.repeat import repeat_files
from stabcore.reporting.results import results_paragraph
from stabcore.reporting.subject import NOT_ANSWERED, Subject
from stabcore.study.subgroups import subgroup_agreement

ANSWERS = {NOT_ANSWERED: "Not answered", "no": "No", "yes": "Yes, in these patients"}
MAX_SOURCE_LENGTH = 2000  # limit of characters of the answer on the source of the patients
PREVIEW_HEIGHT = 440  # pixels of height, so that the screen does not scroll


def answers() -> dict:
    """{filtered, source} of the answers."""
    saved = {"filtered": NOT_ANSWERED, "source": ""} | (session.project().settings.get(project_choices.ANSWERS) or {})
    return {"filtered": saved["filtered"] if saved["filtered"] in ANSWERS else NOT_ANSWERED, "source": str(saved["source"])}


def _show_questions(view):
    session.set_widget(session.ASKED_FILTERED, view.filtered)
    session.set_widget(session.ASKED_SOURCE, view.source)
    title = "Data source (described)" if view.filtered != NOT_ANSWERED and view.source else "Add the data source"
    with st.popover(title, icon=":material/edit_note:", key="two-questions"):
        st.radio(
            "Were columns selected beforehand with the outcome of these patients?",
            list(ANSWERS),
            format_func=ANSWERS.__getitem__,
            key=session.ASKED_FILTERED,
            on_change=_save_answers,
            help="For example, genes that differ between the groups. Then stability and accuracy are too optimistic.",
        )
        st.text_area(
            "Where do the patients come from?",
            key=session.ASKED_SOURCE,
            max_chars=MAX_SOURCE_LENGTH,
            on_change=_save_answers,
            placeholder="Hospital, years, eligibility criteria",
        )


@session.if_project_exists
def _save_answers():
    filtered, source = (st.session_state[key] for key in (session.ASKED_FILTERED, session.ASKED_SOURCE))
    project_choices.save(asked={"filtered": filtered, "source": source.strip()})


@dataclass(frozen=True, eq=False, kw_only=True)
class ReportView(View):
    """The rule of the panel, and the answers about the table."""

    rule: PanelRule
    filtered: str
    source: str

    @property
    def subject(self):
        """The subject of the report, computed once."""
        data = self.study_data()
        asked = last_risk_question(self.results, data, self.k)
        risks = known_risk(self.results, data, asked) if asked else None
        beside = self.effect_data() if self.results.plan is None else None
        chosen = self.rule, self.filtered, self.source, asked if risks else None, beside, last_subgroup_question(self.results, data)
        return cache.computed(_subject, self.results, self.similarity, self.scenario, data, *chosen)


def _subject(results, similarity, scenario, data, rule, filtered, source, asked, beside, groups):
    risks: Any = known_risk(results, data, asked) if asked else None
    agreement = None
    if groups:
        *of_groups, k = groups
        agreement = cache.computed(subgroup_agreement, data, results, *of_groups, k=k)
    return Subject(results, similarity, scenario, data, rule, filtered, source, risks, beside, agreement)


def control_places() -> tuple:
    """The places of the three controls: the number of the rule, more settings, and the download."""
    first, second, third = st.columns([4, 2, 2], vertical_alignment="bottom")
    return first, second.popover("More settings", key="report-settings", icon=":material/tune:", width="stretch"), third


def show_summary(view):
    """The subject of the report, and its missing parts."""
    size = int(view.subject.panel["in_panel"].sum())
    finished = " of the finished runs" if view.missing_run_notes else ""
    view.screen.show_answer(
        f"It contains a panel of {counted(size, 'feature')}{finished} ({view.rule.description()}), "
        "the stability and accuracy of the selectors, the methods, and the limitations."
    )
    if view.study_data() is None:
        if view.subject.is_study:
            why = "The table is missing, so the report does not describe patients, directions and effects. Add it on Study."
        elif view.subject.table_of_upload is not None:
            why = "The runs of these selections are not known, so patients are not described. Effects describe the table."
        else:
            why = "The runs of these selections are not known, so the report does not describe patients, directions and effects."
        view.screen.add_limitations(why)


def ask_content(view):
    """(numbers of the parts, names of the figures, whether a reader can change figures) of the report."""
    there = available_figures(view.subject)
    box = session.bound(session.REPORT_PARTS, list(TITLES), TITLES)
    parts = st.multiselect("Sections", list(TITLES), format_func=lambda number: f"{number} {TITLES[number]}", **box)
    box = session.bound(session.REPORT_FIGURES, [name for name in there if name in DEFAULT_FIGURES], there)
    figures = st.multiselect("Figures", list(there), format_func=there.__getitem__, **box)
    interactive = st.toggle(
        "Include interactive figures",
        help="The reader can change the thresholds and the number of features. The file grows by about 1 MB.",
        **session.bound(session.REPORT_INTERACTIVE, True),
    )
    return tuple(parts), tuple(figures), interactive


def show_report(view, place, parts, figures, interactive):
    """The preview, the files, each made on request, and the questions. Tables hold patients, so other parts have no tables."""
    subject = view.subject
    if not parts:
        st.info("Choose at least one section under More settings.", icon=":material/arrow_upward:")
        return
    scenarios_of_reader = _other_similarities(view) if interactive else None  # here, because a download has no session

    def whole_report():  # takes seconds, also within the zip file
        return cache.computed(page, subject, parts, figures, interactive, scenarios_of_reader)

    with place:
        words = "One HTML file. It opens in any browser without a network, and prints on A4 and letter paper."
        show_file_button("Download report", whole_report, "report.html", "report-html", type="primary", width="stretch", help=words)
    preview = st.container()
    with st.container(horizontal=True, vertical_alignment="center"):
        _show_questions(view)
        if subject.is_study:
            label, icon = "Copy results paragraph", ":material/content_copy:"
            paragraph = st.popover(label, icon=icon, key="report-paragraph", on_change="rerun")
            if paragraph.open:
                paragraph.code(results_paragraph(subject), language=None, wrap_lines=True)
        box = st.popover("Download tables, script, ZIP", icon=":material/download:", key="report-files", on_change="rerun")
        if box.open:
            with box:
                _show_files(subject, whole_report, lambda: chosen_parts(subject, parts, figures))
        every = st.toggle("Preview all sections", **session.bound(session.REPORT_SHOWN, False))
    with preview, st.container(key="sheet"):  # still figures, because the others take seconds at every click
        shown = page(subject, parts if every else parts[:1], figures if every else (), interactive=False)
        st.iframe(shown, height=PREVIEW_HEIGHT, alt="The report" if every else "The first section of the report")


def _other_similarities(view):
    """{name: C} of the other scenarios of this project in which features are similar."""
    found = {}
    for name, scenario in scenarios.by_name().items():
        if scenario != view.scenario:
            with suppress(InputError):  # its table or file is not loaded
                found[name] = cache.similarity_of(scenario)
    return {name: C for name, C in found.items() if C.n_related}


def _show_files(subject, whole_report, asked):
    """Everything as one zip file."""

    def everything():
        return exports.archive(subject, asked(), whole_report())

    show_file_button("Download everything (zip)", everything, "everything.zip", "report-zip", ":material/folder_zip:")
    of_study = (
        "Report, tables, settings, script, references and the study file. They hold the outcome of each row and the texts of "
        "corrected cells."
    )
    st.caption(of_study if subject.is_study else "Report, tables and references.")
    show_file_button(
        "Download tables (CSV)", lambda: exports.tables_zip(asked()), "tables.zip", "report-tables", ":material/table:"
    )
    show_file_button(
        "Download tables (Excel)", lambda: exports.workbook(asked()), "tables.xlsx", "report-workbook", ":material/table_view:"
    )
    for name, (what, content) in repeat_files(subject).items():
        show_file_button(name, content, name, f"report-{name}", ":material/code:", help=what)
