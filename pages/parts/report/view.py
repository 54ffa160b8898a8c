"""What the report is about, as chosen here and on other screens."""

from dataclasses import dataclass

import streamlit as st

from pages.parts import cache, session
from pages.parts.known_risks import asked_last, known
from pages.parts.report.asked import about_table
from pages.parts.view import View
from stabcore.analysis.panel import THRESHOLD
from stabcore.report.subject import Subject


@dataclass(frozen=True, eq=False, kw_only=True)
class ReportView(View):
    """The least share of the runs, and what was answered about the table."""

    threshold: float
    filtered: str
    source: str

    @property
    def subject(self):
        """What the report is about, computed once."""
        data = self.own_data()
        asked = asked_last(self.results, data, self.k)
        risks = known(self.results, data, asked) if asked else None
        beside = self.telling_data() if self.results.plan is None else None
        return cache.computed(_subject, self.results, self.relation, self.scenario, data, self.threshold, self.filtered,
                              self.source, asked if risks else None, beside)


def _subject(results, relation, scenario, data, threshold, filtered, source, asked, beside):
    risks = known(results, data, asked) if asked else None
    return Subject(results, relation, scenario, data, threshold, filtered, source, risks, beside)


def ask() -> dict:
    """The threshold of the panel, and what was answered about the table."""
    answers = about_table()
    percent = st.slider("The panel: least share of the runs (%)", step=5,
                        **session.bound_range(session.PANEL_THRESHOLD, 5, 100, int(100 * THRESHOLD)))
    return {"threshold": percent / 100, **answers}
