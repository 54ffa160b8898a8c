"""Groups & C: which features stand for each other. A what-if: every number follows at once, no study runs again."""

import streamlit as st

from pages.parts import cache, controls, figures, guards, layout, scenarios
from pages.parts.groups import define, pairs, scenario
from pages.parts.groups.scenario import GroupView
from stabcore.similarity.scenario import BASES


def screen():
    """Three ways to begin and what each does; then the scenario and its settings."""
    guards.require(cache.features(), "Load a table with its outcome, or results, first.", "pages/start.py", "Go to Start")
    st.markdown(
        "If two markers carry the same information, picking one instead of the other is no real disagreement. What you "
        "choose here changes every **effective** number and picture at once, and runs no study again."
    )
    results, top = cache.results(), st.container()
    bases = scenario.possible_bases()
    view = GroupView(results, None if results is None else controls.asked_cardinality(results))
    label = scenario.selector(view)
    with top:
        scenario.cards(view, label)
    scenario.scenario_bar()
    st.radio("What stands for what?", bases, format_func=BASES.__getitem__, **scenarios.bound_setting("scenario", "base"))
    if view.scenario.base == "correlation":
        scenario.correlation_controls(view)
    elif view.scenario.base == "groups":
        define.controls(view)
    elif view.scenario.base == "sets":
        define.overlapping(view)
    elif view.scenario.base == "matrix":
        pairs.matrix_controls(view)
    scenario.say_similarity(view)
    scenario.effect_numbers(view, label)
    pairs.by_hand(view, label)
    scenario.heat_map(view)
    figures.table(view.similarity.pairs, "similarity", f"The related pairs, largest first ({view.similarity.n_related:,})")


layout.title("Which features stand for each other?")
screen()
