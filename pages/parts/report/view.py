"""What the report is about, as chosen here and on other screens."""

from dataclasses import dataclass

from pages.parts import cache, session
from pages.parts.known_risks import asked_last, known
from pages.parts.report.asked import about_table
from pages.parts.view import View
from stabcore.analysis.panel import THRESHOLD
from stabcore.reporting.subject import Subject


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
        tables = [one.fingerprint if one is not None else "" for one in (data, beside)]
        key = [self.threshold, self.filtered, self.source, asked if risks else {}, *tables]
        return cache.cached(lambda: Subject(self.results, self.relation, self.scenario, data, self.threshold, self.filtered,
                                            self.source, risks, beside), "report", self.relation_key, *key)


def ask() -> dict:
    """The threshold of the panel, and what was answered about the table."""
    answers = about_table()
    percent = session.kept_slider(session.PANEL_THRESHOLD, "The panel: least share of the runs (%)", 5, 100,
                                    int(100 * THRESHOLD), 5)
    return {"threshold": percent / 100, **answers}
