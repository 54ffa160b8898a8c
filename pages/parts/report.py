"""Report: its subject, two questions about the patients, the summary, the files, and the preview."""

from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import streamlit as st

from pages.parts import cache, controls, scenarios, session, work_choices
from pages.parts.figures import file
from pages.parts.panel.risks import known_risk, risk_asked_last
from pages.parts.panel.subgroups import asked_last
from pages.parts.panel.view import ask_rule
from pages.parts.view import View
from stabcore.base.errors import InputError
from stabcore.base.text import several
from stabcore.inference.panel_rule import PanelRule
from stabcore.reporting import exports
from stabcore.reporting.make import TITLES, chosen_parts, page
from stabcore.reporting.pictures import USUAL, offered
from stabcore.reporting.repeat import files
from stabcore.reporting.results import results_paragraph
from stabcore.reporting.subject import UNKNOWN, Subject
from stabcore.study.subgroups import subgroup_agreement

ANSWERS = {UNKNOWN: "Not answered", "no": "No", "yes": "Yes, in these patients"}
LONGEST = 2000  # limit of characters of the answer on the source of the patients


def about_table() -> dict:
    """{filtered, source} of the answers."""
    project = session.work()
    answers = {"filtered": UNKNOWN, "source": ""} | (project.settings.get(work_choices.ANSWERS) or {})
    unanswered = answers["filtered"] == UNKNOWN or not answers["source"]
    session.set_widget(session.ASKED_FILTERED, answers["filtered"] if answers["filtered"] in ANSWERS else UNKNOWN)
    session.set_widget(session.ASKED_SOURCE, str(answers["source"]))
    with st.expander(
        f"Two questions for your methods section ({'not answered' if unanswered else 'answered'})", key="two-questions"
    ):
        st.radio(
            "Were columns selected beforehand with the outcome of these patients?",
            list(ANSWERS),
            format_func=ANSWERS.__getitem__,
            key=session.ASKED_FILTERED,
            horizontal=True,
            on_change=_answered,
            help="For example, genes that differ between the groups. Then stability and accuracy are too optimistic.",
        )
        st.text_area(
            "Where do the patients come from?",
            key=session.ASKED_SOURCE,
            max_chars=LONGEST,
            on_change=_answered,
            placeholder="Hospital, years, eligibility criteria",
        )
    return answers


@session.if_work_exists
def _answered():
    """Keep both answers."""
    filtered, source = (st.session_state[key] for key in (session.ASKED_FILTERED, session.ASKED_SOURCE))
    work_choices.save(asked={"filtered": filtered, "source": source.strip()})


@dataclass(frozen=True, eq=False, kw_only=True)
class ReportView(View):
    """The rule of the panel, and the answers about the table."""

    rule: PanelRule
    filtered: str
    source: str

    @property
    def subject(self):
        """The subject of the report, computed once."""
        data = self.own_data()
        asked = risk_asked_last(self.results, data, self.k)
        risks = known_risk(self.results, data, asked) if asked else None
        beside = self.telling_data() if self.results.plan is None else None
        return cache.computed(
            _subject,
            self.results,
            self.similarity,
            self.scenario,
            data,
            self.rule,
            self.filtered,
            self.source,
            asked if risks else None,
            beside,
            asked_last(self.results, data),
        )


def _subject(results, similarity, scenario, data, rule, filtered, source, asked, beside, groups):
    risks: Any = known_risk(results, data, asked) if asked else None
    agreement = None
    if groups:
        column, label, k = groups
        agreement = cache.computed(subgroup_agreement, data, results, column, label, k=k)
    return Subject(results, similarity, scenario, data, rule, filtered, source, risks, beside, agreement)


def ask(results) -> dict:
    """The rule of the panel, and the answers about the table."""
    answers = about_table()
    rule = st.container()
    return {"rule": ask_rule(results, rule, rule), **answers}


def in_short(view):
    """The subject of the report, and its missing parts."""
    size = int(view.subject.panel["stays"].sum())
    ready = "The report covers the finished runs" if view.missing_runs else "The report is ready"
    view.frame.answer(f"{ready}: a panel of {several(size, 'feature')} ({view.rule.in_words()}).")
    if view.own_data() is None:
        if view.subject.is_study:
            why = "The table is missing, so the report does not describe patients, directions and effects. Add it on Study."
        elif view.subject.table_of_upload is not None:
            why = "The runs of these selections are not known, so patients are not described. Effects describe the table."
        else:
            why = "The runs of these selections are not known, so the report does not describe patients, directions and effects."
        view.frame.limit(why)


def choose(view):
    """(numbers of the parts, names of the figures, whether a reader can change figures) of the report."""
    there = offered(view.subject)
    with st.expander(
        "Choose sections and figures",
        key="report-parts",
        expanded=controls.unfolded("report-parts", session.REPORT_PARTS, session.REPORT_FIGURES, session.REPORT_INTERACTIVE),
    ):
        parts = st.multiselect(
            "Sections",
            list(TITLES),
            format_func=lambda number: f"{number} {TITLES[number]}",
            **session.bound(session.REPORT_PARTS, list(TITLES), TITLES),
        )
        figures = st.multiselect(
            "Figures",
            list(there),
            format_func=there.__getitem__,
            **session.bound(session.REPORT_FIGURES, [name for name in there if name in USUAL], there),
        )
        interactive = st.toggle(
            "Include interactive figures",
            help="The reader can change the thresholds and the number of features. The file grows by about 1 MB.",
            **session.bound(session.REPORT_INTERACTIVE, True),
        )
    return tuple(parts), tuple(figures), interactive


def take(view, parts, figures, interactive):
    """The files, each made on request, with the tables of the chosen parts only, because some hold patients."""
    subject = view.subject
    if not parts:
        st.info("Choose at least one section.", icon=":material/arrow_upward:")
        return

    scenarios_of_reader = _scenarios(view) if interactive else None  # here, because a download has no session

    def whole():
        return page(subject, parts, figures, interactive, scenarios_of_reader)

    file("Download report", whole, "report.html", "report-html", ":material/description:", type="primary")
    st.caption("One HTML file, made on a click. It opens in any browser without a network, and prints on A4 and letter paper.")
    if subject.is_study:
        paragraph = st.popover("Copy results paragraph", icon=":material/content_copy:", key="report-paragraph", on_change="rerun")
        if paragraph.open:
            paragraph.code(results_paragraph(subject), language=None, wrap_lines=True)
    box = st.popover("Download other files", icon=":material/download:", key="report-files", on_change="rerun")
    if not box.open:
        return
    with box:
        _other_files(subject, whole, lambda: chosen_parts(subject, parts, figures))


def _scenarios(view):
    """{name: C} of the other scenarios of this project in which features are similar."""
    found = {}
    for name, scenario in scenarios.by_name().items():
        if scenario != view.scenario:
            with suppress(InputError):  # its table or file is not loaded
                found[name] = cache.similarity_of(scenario)
    return {name: C for name, C in found.items() if C.n_related}


def _other_files(subject, whole, asked):
    """Everything as one zip file."""

    def everything():
        return exports.everything(subject, asked(), whole())

    file("Download everything (zip)", everything, "everything.zip", "report-zip", ":material/folder_zip:")
    st.caption(
        "Report, tables, settings, script, references and the study file, which holds the outcome of each row."
        if subject.is_study
        else "Report, tables and references."
    )
    file("Download tables (CSV)", lambda: exports.tables_zip(asked()), "tables.zip", "report-tables", ":material/table:")
    file("Download tables (Excel)", lambda: exports.workbook(asked()), "tables.xlsx", "report-workbook", ":material/table_view:")
    for name, (what, content) in files(subject).items():
        file(name, content, name, f"report-{name}", ":material/code:", help=what)


def see(view, parts, figures):
    """The report itself, on request, with still figures, because the others take seconds at every click."""
    if parts and st.toggle("Show preview", **session.bound(session.REPORT_SHOWN, False)):
        with st.container(key="sheet"):
            st.iframe(page(view.subject, parts, figures, interactive=False), height=900, alt="The report")
