"""Shared parts of the sections of Panel: its selectors, its rule, and its computation."""

from dataclasses import dataclass

import streamlit as st

from pages.parts import cache, controls, glossary, session
from pages.parts.view import View
from stabcore.analysis.panel import panel, panel_at_threshold
from stabcore.analysis.panel_paths import no_paths_reason
from stabcore.analysis.runs_asked import chosen_selectors
from stabcore.classifiers.catalog import CLASSIFIERS
from stabcore.inference.panel_rule import AT_MOST, FREQUENCY, SHARE, THRESHOLD, PanelRule
from stabcore.study.risk import RISK_CLASSIFIERS

ALL_SELECTORS = "Mean of all selectors"
OF_ONE_SELECTOR = ("growth", "centres", "subgroups", "risk")  # analyses of a single selector
WITHOUT_RULE = (*OF_ONE_SELECTOR, "rank_intervals", "substitutes")  # analyses that no rule of the panel changes
RULES = {FREQUENCY: "Selection frequency", AT_MOST: "Number of false features", SHARE: "Share of false features"}


@dataclass(frozen=True, eq=False, kw_only=True)
class PanelView(View):
    """The selector of the panel (a label, or TOGETHER), and the rule of the panel."""

    selector: str
    rule: PanelRule

    @property
    def threshold(self):
        """The threshold of the selection frequency. The default for a rule on false features."""
        return THRESHOLD if self.rule.is_target else self.rule.value

    @property
    def selectors(self):
        """The selectors of the panel."""
        return chosen_selectors(self.results) if self.selector == ALL_SELECTORS else [self.selector]

    def panel(self):
        """The panel of these selectors, computed once for all thresholds, and once per limit on false features."""
        asked = self.rule.settings() if self.rule.is_target else {FREQUENCY: THRESHOLD}
        of = {"k": self.k, "similarity": self.similarity, "selectors": self.selectors, "with_substitutes": False}
        whole = cache.computed(panel, self.results, **of, **asked)
        return whole if self.rule.is_target else panel_at_threshold(whole, self.rule.value)

    @property
    def size(self):
        """Features per run: the chosen number, or that of the study. None if unknown."""
        return self.k or self.results.n_selected


def ask_panel(results, analysis=""):
    """(selector, rule of the panel, number of features per run or None), which the open analysis may restrict."""
    first, second, more = st.columns([3, 4, 2], vertical_alignment="bottom")
    others = (second if analysis in WITHOUT_RULE else more).popover("More settings", key="panel-settings")
    offered = [ALL_SELECTORS, *results.finished_selectors]
    usual = ALL_SELECTORS if len(chosen_selectors(results)) > 1 else results.finished_selectors[0]
    if analysis in OF_ONE_SELECTOR:
        of_panel = st.session_state.get(session.PANEL_SELECTOR)
        default = results.finished_selectors.index(of_panel) if of_panel in results.finished_selectors else 0
        with first:
            selector = controls.ask_selector(results, session.SELECTOR, "Choose selector", default=default)
    else:
        box = session.bound(session.PANEL_SELECTOR, usual, offered)
        selector = first.selectbox("Choose selector", offered, help=glossary.describe_terms("selector, baseline, panel"), **box)
    rule = PanelRule(FREQUENCY, THRESHOLD) if analysis in WITHOUT_RULE else ask_rule(results, others, second)
    with others:
        k = controls.ask_cardinality(results)
    return selector, rule, k


def ask_rule(results, kinds, values) -> PanelRule:
    """Choose the rule: a limit on false features if paths allow one, else a threshold. The default is the rule of the study.

    kinds, values: containers for the kind of the rule and for its number.
    """
    fixed, kind = PanelRule.from_settings(results.settings), FREQUENCY
    value = {FREQUENCY: THRESHOLD, AT_MOST: 1.0, SHARE: 0.1} | (fixed.settings() if fixed else {})
    if not no_paths_reason(results, results.finished_selectors):
        kind = kinds.selectbox(
            "Choose rule of the panel",
            RULES,
            format_func=RULES.__getitem__,
            **session.bound(session.PANEL_RULE, fixed.kind if fixed else FREQUENCY, RULES),
        )
    if kind == AT_MOST:
        box = session.bound_range(session.PANEL_AT_MOST, 0.1, 1000.0, value[AT_MOST])
        return PanelRule(AT_MOST, values.number_input("Maximum expected number of false features", step=0.5, format="%g", **box))
    if kind == SHARE:
        box = session.bound_range(session.PANEL_SHARE, 1, 50, round(100 * value[SHARE]))
        return PanelRule(SHARE, values.number_input("Maximum expected share of false features (%)", step=1, **box) / 100)
    percent = values.slider(
        "Set threshold (% of runs)",
        step=5,
        help=f"{glossary.describe_term('frequency')} The threshold applies to Panel and Report.",
        **session.bound_range(session.PANEL_THRESHOLD, 5, 100, round(100 * value[FREQUENCY])),
    )
    return PanelRule(FREQUENCY, percent / 100)


def ask_classifier(key) -> str:
    """A classifier that gives risks. key: of the choice in the session."""
    box = session.bound(key, "logistic", RISK_CLASSIFIERS)
    return st.selectbox("Choose classifier", RISK_CLASSIFIERS, format_func=lambda name: CLASSIFIERS[name].label, **box)
