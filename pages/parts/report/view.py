"""What the report is about, as chosen here and on other screens."""

from dataclasses import dataclass

import streamlit as st

from pages.parts import cache, session
from pages.parts.report.asked import about_table
from pages.parts.view import View
from stabcore.analysis.panel import THRESHOLD
from stabcore.report.subject import Subject
from stabcore.study.risk import risk


@dataclass(frozen=True, eq=False, kw_only=True)
class ReportView(View):
    """The least share of the runs, and what was answered about the table."""

    threshold: float
    filtered: str
    source: str

    @property
    def data(self):
        """The table of the study, or None where it is not at hand, or another one."""
        data = cache.dataset()
        same = data is not None and self.results.plan is not None and (
            self.results.settings["data"]["fingerprint"] == data.fingerprint)
        return data if same else None

    @property
    def subject(self):
        """What the report is about, computed once."""
        data, asked = self.data, st.session_state.get(session.RISK_ASKED) or []
        mark = data.fingerprint if data is not None else ""

        def made():
            risks = self._risks(*asked, mark) if data is not None and asked and asked[0] in self.results.ready else None
            return Subject(self.results, self.relation, self.scenario, data, self.threshold, self.filtered, self.source, risks)

        return cache.cached(made, "report", self.relation_key, self.threshold, self.filtered, self.source, *asked, mark)

    def _risks(self, label, learner, k, mark):
        """How far risks move, as it was asked on Panel."""
        return cache.cached(lambda: risk(self.data, self.results, label, learner, k=k), "risk", label, learner, k, mark)


def ask() -> dict:
    """The threshold of the panel, and what was answered about the table."""
    answers = about_table()
    percent = session.kept_slider(session.PANEL_THRESHOLD, "The panel: least share of the runs (%)", 5, 100,
                                    int(100 * THRESHOLD), 5)
    return {"threshold": percent / 100, **answers}
