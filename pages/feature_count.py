"""Feature count: stability by the number of features and of runs, for each selector with its noise floor."""

import streamlit as st

from pages.parts import cache, controls, feature_count, figures, guards, layout, session
from pages.parts.feature_count import FeatureCountView, ask_cardinality
from pages.parts.screen import Screen
from pages.parts.view import View


def show_screen():
    """The profile, or the open analysis."""
    screen = Screen()
    results = cache.compared_results(guards.require_results(screen))
    rankers = [label for label in results.finished_selectors if results.can_rank(label) and results.longest([label])]
    analyses = feature_count.ANALYSES if rankers else {}
    if not rankers:
        why = "These runs do not rank all features, so other numbers are not known. Run a study, or upload scores or ranks."
        st.info(why, icon=":material/info:")
        st.page_link("pages/start.py", label="Go to Start", icon=":material/arrow_forward:")
    draw = screen.open_analysis(analyses, session.COUNT_SECTION, "Feature count")
    left, right = st.columns(2)
    with left:
        k = ask_cardinality(results, rankers, screen) if rankers else None
    view = View(results, k, screen=screen).extended(FeatureCountView, rankers=rankers, beside=right)
    (draw or (feature_count.show_profiles if rankers else feature_count.show_runs_needed))(view)
    screen.add_limitations(*controls.describe_interval_limits(results))
    screen.show_drawers(analyses, session.COUNT_SECTION)


layout.show_title("With how many features is selection stable?", then=("report", "Report"), detour=True)
figures.run_fragment(show_screen)
