"""All selectors under several scenarios: whether the order of selectors depends on C."""

from functools import partial

import streamlit as st

from pages.parts import cache, controls, figures, glossary, scenarios, session
from pages.parts.figures import show_dataframe, show_folded_table
from pages.parts.text import plain
from stabcore.analysis.scenarios import scenario_contrasts
from stabcore.base.errors import InputError
from stabcore.plots.noise_floor import HOW_TO_READ_WITHOUT_FLOOR, describe_unknown_floor
from stabcore.plots.similarity import (
    draw_scenarios,
    finding_conclusions,
    finding_scenarios,
    frame_scenarios,
    table_conclusions,
    table_scenarios,
)

MAX_SCENARIOS = 5  # limit of scenarios in a figure
LINES = 4  # lines of the legend on a telephone
HOW = (
    "Each part of the figure is a scenario. Grey: the same selector with the outcome shuffled, range and mean, in that scenario.",
    "Pale blue: the difference from the noise floor. Filled: clearly above the shuffles. The scales differ.",
)


def show_scenarios(view):
    """The chosen scenarios, all selectors, and the difference of each pair of selectors."""
    related = similarities(view, ask_scenarios())
    if len(related) < 2:
        st.info("Choose at least two scenarios, or add one on Similarity.", icon=":material/info:")
        st.page_link("pages/similarity.py", label="Go to Similarity", icon=":material/hub:")
        return
    against = st.selectbox(
        "Choose reference scenario",
        list(related),
        help="Selectors are sorted by this scenario.",
        **session.bound(session.REFERENCE_SCENARIO, next(iter(related)), list(related)),
    )
    frame = cache.computed(frame_scenarios, view.results, related, against, view.k)
    leads = cache.computed(scenario_contrasts, view.results, related, against=against, k=view.k)
    figures.show_by_width(
        draw_scenarios(frame), lambda: one_scenario(frame), finding_scenarios(frame), frame, "scenarios", screen=view.screen
    )
    if view.results.has_control:
        glossary.show_caption(plain(finding_conclusions(leads)))
    view.screen.explain(*(HOW if view.results.has_control else [HOW_TO_READ_WITHOUT_FLOOR]))
    view.screen.numbers = partial(_show_numbers, frame, leads)
    for reason in dict.fromkeys([*frame.loc[frame["value"].isna(), "note"], *frame.loc[~frame["blind"], "change_note"]]):
        if reason:
            view.screen.add_limitations(plain(f"Some values or intervals are missing: {reason}."))
    if view.results.has_control:
        view.screen.explain(
            "A star: significantly ahead under that scenario, corrected for all pairs (Holm).",
            plain(
                f"A lead depends on the scenario only where the difference itself differs significantly from that under {against}."
            ),
        )
    else:
        view.screen.explain(plain(describe_unknown_floor(view.results)))
    view.screen.add_limitations(*controls.describe_interval_limits(view.results))


def one_scenario(frame):
    """The figure for a telephone, with one scenario."""
    facets = list(dict.fromkeys(frame["facet"]))
    shown = st.selectbox("Scenario", facets, **session.bound(session.TELEPHONE_SCENARIO, facets[0], facets))
    return draw_scenarios(frame, [shown], lines=LINES)


def ask_scenarios():
    """The compared scenarios by name, with that of this tab among the first."""
    names = list(scenarios.by_name())
    chosen_names = st.multiselect(
        "Choose scenarios",
        names,
        max_selections=MAX_SCENARIOS,
        **session.bound(session.SCENARIOS_COMPARED, names[:MAX_SCENARIOS], names, MAX_SCENARIOS),
    )
    return {name: scenarios.by_name()[name] for name in chosen_names}


def similarities(view, asked):
    """{name: C} of scenarios that can be computed here. The others are noted with their reason."""
    related = {}
    for name, scenario in asked.items():
        try:
            related[name] = cache.similarity_of(scenario)
        except InputError as error:
            view.screen.add_limitations(plain(f"{name} is left out. {error}"))
            continue
        view.screen.explain(plain(f"{name}: {scenario.sentence(related[name])}"))
    return related


def _show_numbers(frame, leads):
    """Every value, and the pairs of selectors whose order depends on the scenario."""
    show_dataframe(
        table_scenarios(frame).reset_index(),
        column_config={"selector": "Selector"},
        alt="Effective stability of each selector under each scenario",
    )
    if leads.empty:
        return
    st.markdown("**Conclusions that depend on the scenario**")
    show_dataframe(
        table_conclusions(leads),
        alt="The difference of every two selectors under each scenario",
        column_config={"pair": "First − second", "verdict": "Does the lead depend on it?"},
    )
    show_folded_table(lambda: leads, "scenario-differences", "All differences with their intervals")
