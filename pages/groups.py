"""Groups & C: which features stand for each other. A what-if: every number follows at once, no study runs again."""

import streamlit as st

from pages.parts import cache, controls, figures, guards, layout, undoing
from pages.parts.groups import basis, define, effect, pairs, scenario_bar
from pages.parts.groups.view import GroupView
from stabcore.relation.scenario import BASES


def screen():
    """The scenario and its settings, then what it does."""
    guards.require(cache.features(), "Load a table with its outcome, or results, first.", "pages/start.py", "Go to Start")
    undoing.bar()
    st.markdown("If two markers carry the same information, picking one instead of the other is no real disagreement. What you "
                "choose here changes every **effective** number and picture at once, and runs no study again.")
    scenario_bar.bar()
    bases = basis.possible_bases()
    results = cache.results()
    view = GroupView(results, None if results is None else controls.asked_cardinality(results))
    basis.control(view, "base", st.radio, "What stands for what?", bases, format_func=BASES.get)
    if view.scenario.base == "correlation":
        basis.correlation_controls(view)
    elif view.scenario.base == "groups":
        define.controls(view)
    elif view.scenario.base == "sets":
        define.overlapping(view)
    elif view.scenario.base == "matrix":
        pairs.matrix_controls(view)
    basis.say_relation(view)
    effect.numbers(view)
    effect.heat_map(view)
    pairs.by_hand(view)
    figures.table(view.relation.pairs, "relation", f"The related pairs, largest first ({view.relation.n_related:,})")


layout.title("Which features stand for each other?")
screen()
