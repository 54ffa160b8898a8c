"""What the sections of Panel share: whose panel, from which threshold on, and what is computed of that once."""

from dataclasses import dataclass

import streamlit as st

from pages.parts import cache, controls, session, words
from pages.parts.view import View
from stabcore.analysis.panel import THRESHOLD, at_threshold, panel
from stabcore.analysis.runs_asked import chosen_selectors

TOGETHER = "Mean of all selectors"


@dataclass(frozen=True, eq=False, kw_only=True)
class PanelView(View):
    """Whose panel it is (a label, or TOGETHER), and the share of the runs in which a feature has to come."""

    who: str
    threshold: float

    @property
    def selectors(self):
        """Labels of the selectors that make the panel."""
        return chosen_selectors(self.results) if self.who == TOGETHER else [self.who]

    def panel(self):
        """The panel of these selectors, computed once for all thresholds."""
        whole = cache.computed(panel, self.results, THRESHOLD, self.k, self.similarity, self.selectors, with_swaps=False)
        return at_threshold(whole, self.threshold)

    @property
    def size(self):
        """Features a run selects: as asked, or as the study did; None where nobody knows."""
        return self.k or self.results.n_selected


def ask_whose(results):
    """(Whose panel it is, the least share of the runs, the number of features of each run or None)."""
    first, second, third = st.columns(3)
    offered = [TOGETHER, *results.finished_selectors]
    with first:
        usual = TOGETHER if len(chosen_selectors(results)) > 1 else results.finished_selectors[0]
        who = st.selectbox(
            "Choose selector",
            offered,
            help=words.explained("selector, baseline, panel"),
            **session.bound(session.PANEL_SELECTOR, usual, offered),
        )
    with second:
        percent = st.slider(
            "Set threshold: least share of runs (%)",
            step=5,
            help=words.about("frequency"),
            **session.bound_range(session.PANEL_THRESHOLD, 5, 100, int(100 * THRESHOLD)),
        )
    with third:
        k = controls.cardinality(results)
    return who, percent / 100, k


def of_ready(view):
    """The selector of a section that looks at one alone."""
    return (
        view.who
        if view.who in view.results.finished_selectors
        else controls.selector_choice(view.results, session.SELECTOR, "Choose selector")
    )
