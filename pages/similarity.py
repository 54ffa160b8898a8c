"""Similarity: the features that count as one. All numbers change at once, and no study runs again."""

import streamlit as st

from pages.parts import cache, controls, glossary, guards, layout, scenarios, text
from pages.parts.screen import Screen
from pages.parts.similarity import define, pairs, scenario
from pages.parts.similarity.scenario import SimilarityView
from stabcore.similarity.scenario import BASES


def show_screen():
    """The definition of similarity, its effect, and the matrix as a figure. Scenarios and single pairs are folded."""
    screen = Screen()
    guards.require(cache.features(), "Load a table with its outcome, or results, first.", "pages/start.py", "Go to Start")
    results, bases = cache.results(), scenario.allowed_bases()
    view = SimilarityView(results, None if results is None else controls.chosen_cardinality(results), screen=screen)
    first, second, third = st.columns([3, 5, 3], vertical_alignment="bottom")
    first.selectbox(
        "Define similar features by", bases, format_func=BASES.__getitem__, **scenarios.bound_setting("scenario", "base")
    )
    if view.scenario.base == "correlation":
        with second:
            scenario.ask_threshold(view)
        with third.popover("More settings", key="similarity-settings"):
            scenario.ask_correlation()
    elif view.scenario.base == "groups":
        define.show_groups(view)
    elif view.scenario.base == "sets":
        define.show_overlapping_sets(view)
    elif view.scenario.base == "matrix":
        pairs.show_matrix_upload(view)
    scenario.show_similarity(view)
    scenario.explain_warnings(view)
    drawn, beside = st.columns([5, 4])
    with drawn:
        clusters = scenario.show_heat_map(view)
    if view.has_runs and not view.similarity.is_identity:
        with beside:
            scenario.show_effect(view)
    glossary.show_caption(text.plain(clusters))
    pairs.show_pairs(view)
    scenario.show_scenario_bar()
    screen.explain(
        scenario.ABOUT_EFFECTIVE,
        "Similar features stay separate columns of the table. A feature can be similar to two that are not similar to each other.",
        "The choice applies to effective stability on every screen. Nothing is run again.",
    )
    screen.show_drawers()


layout.show_title("Which features count as one?", then=("whatif", "What if"), detour=True)
show_screen()
