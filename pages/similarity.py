"""Similarity: the features that count as one. All numbers change at once, and no study runs again."""

import streamlit as st

from pages.parts import cache, controls, glossary, guards, layout, scenarios, text
from pages.parts.frame import Frame
from pages.parts.similarity import define, pairs, scenario
from pages.parts.similarity.scenario import SimilarityView
from stabcore.similarity.scenario import BASES


def screen():
    """The definition of similarity, its effect, and the matrix as a figure. Scenarios and single pairs are folded."""
    frame = Frame()
    guards.require(cache.features(), "Load a table with its outcome, or results, first.", "pages/start.py", "Go to Start")
    results, bases = cache.results(), scenario.possible_bases()
    view = SimilarityView(results, None if results is None else controls.asked_cardinality(results), frame=frame)
    first, second, third = st.columns([3, 5, 3], vertical_alignment="bottom")
    first.selectbox(
        "Define similar features by", bases, format_func=BASES.__getitem__, **scenarios.bound_setting("scenario", "base")
    )
    if view.scenario.base == "correlation":
        with second:
            scenario.threshold(view)
        with third.popover("More settings", key="similarity-settings"):
            scenario.correlation_settings()
    elif view.scenario.base == "groups":
        define.controls(view)
    elif view.scenario.base == "sets":
        define.overlapping(view)
    elif view.scenario.base == "matrix":
        pairs.matrix_controls(view)
    scenario.say_similarity(view)
    scenario.warn(view)
    drawn, beside = st.columns([5, 4])
    with drawn:
        clusters = scenario.heat_map(view)
    if view.has_runs and not view.similarity.is_identity:
        with beside:
            scenario.effect_on_runs(view)
    glossary.tell(text.plain(clusters))
    pairs.by_hand(view)
    scenario.scenario_bar()
    frame.explain(
        scenario.TOGETHER,
        "Similar features stay separate columns of the table. A feature can be similar to two that are not similar to each other.",
        "The choice applies to effective stability on every screen. Nothing is run again.",
    )
    frame.close()


layout.title("Which features count as one?", then=("whatif", "What if"), detour=True)
screen()
