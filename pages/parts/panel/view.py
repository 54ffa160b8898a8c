"""What the sections of Panel share: whose panel, from which threshold on, and what is computed of that once."""

from dataclasses import dataclass

import streamlit as st

from pages.parts import cache, controls, session, words
from pages.parts.view import View
from stabcore.analysis.each import chosen_selectors
from stabcore.analysis.floors import panel_floor
from stabcore.analysis.panel import THRESHOLD, at_threshold, false_features, false_together, panel
from stabcore.analysis.places import places
from stabcore.analysis.split_effects import split_effects

TOGETHER = "All selectors together"
RANKED = 20             # features whose effects are ranked: the fewer, the narrower the intervals


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
        whole = cache.computed(panel, self.results, THRESHOLD, self.k, self.relation, self.selectors, with_swaps=False)
        return at_threshold(whole, self.threshold)

    def places(self):
        """The rank intervals of the effects of the features that are selected most often; None without the table."""
        data = self.telling_data()
        if data is None:
            return None
        names = [name for name in self.panel()["feature"].head(RANKED) if name in data.features]
        return cache.computed(places, data, names)

    def other_half(self):
        """Effects of the features of a first half on the other half, computed once; None without the table."""
        data, label = self.own_data(), self.selectors[0]
        return None if data is None else cache.computed(split_effects, data, self.results, label, self.k)

    def false_features(self):
        """How many stay and may be false, for every selector."""
        return cache.computed(false_features, self.results, self.threshold, self.k)

    def false_together(self):
        """How many features of this panel may be false."""
        return cache.computed(false_together, self.results, self.selectors, self.threshold, self.k)

    def luckiest(self):
        """How often the luckiest feature of each shuffle of the outcome is selected; none where it was not shuffled."""
        return cache.computed(panel_floor, self.results, self.selectors, self.k)[1]

    @property
    def size(self):
        """Features a run selects: as asked, or as the study did; None where nobody knows."""
        return self.k or self.results.n_selected


def ask_whose(results):
    """(Whose panel it is, the least share of the runs)."""
    first, second = st.columns(2)
    offered = [TOGETHER, *results.ready]
    with first:
        usual = TOGETHER if len(chosen_selectors(results)) > 1 else results.ready[0]
        who = st.selectbox("Whose panel", offered, help=words.explained("selector, baseline, panel"),
                           **session.bound(session.PANEL_SELECTOR, usual, offered))
    with second:
        percent = st.slider("Least share of the runs (%)", step=5, help=words.about("frequency"),
                            **session.bound_range(session.PANEL_THRESHOLD, 5, 100, int(100 * THRESHOLD)))
    return who, percent / 100


def of_ready(view):
    """The selector of a section that looks at one alone."""
    return view.who if view.who in view.results.ready else controls.selector_choice(view.results, session.SELECTOR, "Selector")
