"""What the sections of Panel share: whose panel, from which threshold on, and what is computed of that once."""

from dataclasses import dataclass

import streamlit as st

from pages.parts import cache, session, words
from pages.parts.view import View
from stabcore.analysis.each import chosen_selectors
from stabcore.analysis.panel import THRESHOLD, add_places, at_threshold, false_features, panel
from stabcore.analysis.places import places

TOGETHER = "All selectors together"


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
        """The panel of these selectors, computed once for all thresholds; the places depend on k neither."""
        whole = cache.cached(lambda: add_places(panel(self.results, THRESHOLD, self.k, self.relation, self.selectors,
                                                      with_places=False, with_swaps=False), self.places()),
                             "panel", self.k, self.relation_key, self.selectors)
        return at_threshold(whole, self.threshold)

    def places(self):
        """Between which places the first features of these selectors lie, computed once."""
        return cache.cached(lambda: places(self.results, self.selectors), "places", self.selectors)

    def false_features(self):
        """How many stay and may be false, for every selector."""
        return cache.cached(lambda: false_features(self.results, self.threshold, self.k), "false features", self.threshold, self.k)


def ask_whose(results):
    """(Whose panel it is, the least share of the runs)."""
    first, second = st.columns(2)
    offered = [TOGETHER, *results.ready]
    with first:
        who = session.kept(session.PANEL_OF, lambda **at: st.selectbox(
            "Whose panel", offered, help=words.explained("selector, baseline, panel"), **at),
                           TOGETHER if len(chosen_selectors(results)) > 1 else results.ready[0], offered)
    with second:
        percent = session.kept_slider(session.PANEL_THRESHOLD, "Least share of the runs (%)", 5, 100, int(100 * THRESHOLD), 5,
                                        help=words.about("frequency"))
    return who, percent / 100
