"""The sections of Report: in short, what is in it, the files, the report itself."""

import streamlit as st

from pages.parts import controls, session, text, words
from stabcore.report import exports
from stabcore.report.make import TITLES, chosen_parts, page
from stabcore.report.pictures import offered
from stabcore.report.repeat import files
from stabcore.report.results import in_short as sentences

ZIP, HTML = "application/zip", "text/html"
SHEET = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


def in_short(view):
    """The three sentences of part 1."""
    text.bullets(sentences(view.subject))
    if view.own_data() is None:
        why = ("The table is not at hand, so nothing is told of patients, and of direction and size of effects. It can be added on "
               "Study." if view.subject.is_study else "Which runs of which table made these selections is not known, so nothing is "
               "told of patients" + (". Direction and size of effects are those in the table that was brought beside them."
                                     if view.subject.beside is not None else ", and of direction and size of effects."))
        st.info(why, icon=":material/info:")


def choose(view):
    """(numbers of the parts, names of the figures) that the report shows."""
    there = offered(view.subject)
    with st.expander("What is in the report: all parts and figures, unless you leave some out", key="report-parts",
                     expanded=controls.unfolded("report-parts", session.REPORT_PARTS, session.REPORT_FIGURES)):
        parts = session.kept(session.REPORT_PARTS, lambda **at: st.multiselect(
            "Parts", list(TITLES), format_func=lambda one: f"{one} {TITLES[one]}", **at), list(TITLES), among=TITLES)
        figures = session.kept(session.REPORT_FIGURES, lambda **at: st.multiselect(
            "Figures", list(there), format_func=there.get, **at), list(there), among=there)
    return tuple(parts), tuple(figures)


def take(view, parts, figures):
    """The files, each made when it is asked for; tables are those of the chosen parts, as the risk of each patient is one."""
    subject = view.subject
    st.header("Take it with you", divider="gray")
    if not parts:
        st.info("Choose at least one part.", icon=":material/arrow_upward:")
        return

    def asked():
        return chosen_parts(subject, parts, figures)

    _file("The report (HTML)", lambda: page(subject, parts, figures), "report.html", HTML, key="report-html",
          type="primary", icon=":material/description:")
    words.tell("One file that opens in any browser without a network, and prints on A4 and letter paper. Tables and sentences can "
               "be copied from it into Word.")
    first, second, third = st.columns(3)
    with first:
        _file("Everything (zip)", lambda: exports.everything(subject, asked(), page(subject, parts, figures)),
              "everything.zip", ZIP, key="report-zip", icon=":material/folder_zip:")
        words.tell("Report, tables, settings, script, references, and the study file, which holds the outcome of each row; the "
                   "table itself is not in it." if subject.is_study else "Report, tables and references.")
    with second:
        st.download_button("All tables (CSV)", lambda: exports.tables_zip(asked()), "tables.zip", ZIP,
                           key="report-tables", on_click="ignore", icon=":material/table:")
    with third:
        st.download_button("All tables (Excel)", lambda: exports.workbook(asked()), "tables.xlsx", SHEET,
                           key="report-workbook", on_click="ignore", icon=":material/table_view:")
    with st.container(horizontal=True):
        for name, (what, content) in files(subject).items():
            st.download_button(f"{name}", content, name, "text/plain", key=f"report-{name}", on_click="ignore", help=what,
                               icon=":material/code:")


def _file(label, make, name, kind, key, **how):
    """A large file: made when its button is pressed, then offered until something else is chosen, which it would not show."""
    if st.button(label, key=key, **how):
        with st.spinner(f"{label} is being made …"):
            content = make()
        st.download_button(f"Download {name}", content, name, kind, key=f"{key}-made", on_click="ignore",
                           icon=":material/download:")


def see(view, parts, figures):
    """The report itself, when it is asked for."""
    if parts and session.kept(session.REPORT_SHOWN, lambda **at: st.toggle("Show the report here", **at), default=False):
        with st.container(key="sheet"):
            st.iframe(page(view.subject, parts, figures), height=900, alt="The report")
