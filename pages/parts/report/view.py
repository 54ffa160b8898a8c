"""What the report is about, as chosen here and on other screens."""

from dataclasses import dataclass

import streamlit as st

from pages.parts import cache, session
from pages.parts.view import View
from stabcore.analysis.panel import THRESHOLD
from stabcore.report.subject import UNKNOWN, Subject

ANSWERS = {UNKNOWN: "Not answered", "no": "No", "yes": "Yes, in these very patients"}
LONGEST = 2000          # letters of the answer where patients come from


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
        data = self.data
        return cache.cached(lambda: Subject(self.results, self.relation, self.scenario, data, self.threshold, self.filtered,
                                            self.source),
                            "report", self.relation_key, self.threshold, self.filtered, self.source,
                            data.fingerprint if data is not None else "")


def ask() -> dict:
    """The threshold of the panel and two questions that no file answers; the answers stay with the work."""
    here = session.workspace()
    told = here.settings.get("asked") or {}
    with st.expander("Two questions that no file answers", expanded=not told):
        filtered = st.radio("Were columns chosen beforehand by looking at the outcome of these patients?", list(ANSWERS),
                            index=list(ANSWERS).index(told.get("filtered", UNKNOWN)) if told.get("filtered") in ANSWERS else 0,
                            format_func=ANSWERS.get, key="asked-filtered", horizontal=True,
                            help="For example, only genes kept that differ between the groups. Then stability and accuracy look "
                            "better than they are.")
        source = st.text_area("Where do the patients come from?", told.get("source", ""), key="asked-source", max_chars=LONGEST,
                              placeholder="Hospital, years, how they were chosen").strip()
    new = {"filtered": filtered, "source": source}
    if new != {"filtered": UNKNOWN, "source": ""} | told:
        here.save(asked=new)
    percent = session.kept_slider(session.PANEL_THRESHOLD, "The panel: least share of the runs (%)", 5, 100,
                                    int(100 * THRESHOLD), 5)
    return {"threshold": percent / 100, **new}
