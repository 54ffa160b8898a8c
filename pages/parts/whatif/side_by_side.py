"""Every selector under every scenario: does who leads depend on what counts as the same?"""

import streamlit as st

from pages.parts import cache, controls, scenarios, session, words
from pages.parts.figures import figure, numbers, table
from pages.parts.text import plain
from stabcore.analysis.scenarios import conclusions
from stabcore.errors import InputError
from stabcore.figures.floor import sentence_floor
from stabcore.figures.scenarios import (
    draw_scenarios,
    finding_conclusions,
    finding_scenarios,
    frame_scenarios,
    table_conclusions,
    table_scenarios,
)

MOST = 5                # scenarios that a picture can hold
HOW = ("A point with its whisker: the scenario, and how far its distance from the grey line may reach (95%, the same runs under "
       "both). Full: clearly another value, also after asking about all of them at once (Holm); hollow: may be nothing, even where "
       "its whisker ends before the line.")


def ask(view):
    """The scenarios that are kept, all selectors, and what each pair of selectors comes to."""
    st.markdown("Scenarios differ in which features may stand for each other. Does a conclusion, such as one selector being more "
                "stable than another, hold whichever you believe?")
    related = relations(chosen())
    if len(related) < 2:
        st.info("There is nothing to hold side by side yet: choose two scenarios that can be made here, or add one on Groups & C.",
                icon=":material/info:")
        st.page_link("pages/groups.py", label="Make another scenario", icon=":material/hub:")
        return
    against = session.kept(session.HELD_AGAINST, lambda **at: st.selectbox(
        "Hold the others against", list(related), help="The grey line in the picture.", **at), next(iter(related)), list(related))
    question = [against, view.k, {name: cache.relation_key_of(scenarios.every()[name]) for name in related}]
    frame = cache.cached(lambda: frame_scenarios(view.results, related, against, view.k), "scenarios", question)
    leads = cache.cached(lambda: conclusions(view.results, related, against=against, k=view.k), "conclusions", question)
    with view.top:
        words.say(finding_conclusions(leads))
        figure(draw_scenarios(frame), finding_scenarios(frame), frame, "scenarios")
    words.tell(HOW)
    numbers(table_scenarios(frame).reset_index(), hide_index=True, column_config={"selector": "Selector"},
                 alt="Effective stability of each selector under each scenario")
    for reason in dict.fromkeys([*frame["note"], *frame["change_note"]]):
        if reason:
            words.tell(plain(f"Where a value or its whisker is missing: {reason}."))
    each_lead(leads, against)
    words.tell(plain(sentence_floor(view.drawn_floor("nogueira"), view.results, view.k)))
    controls.interval_caveat(view.results)


def chosen():
    """The scenarios that are held side by side, by name; the one of this tab among the first."""
    kept = scenarios.every()
    return {name: kept[name] for name in session.kept(session.SIDE_BY_SIDE, lambda **at: st.multiselect(
        "Scenarios", list(kept), max_selections=MOST, **at), list(kept)[:MOST], list(kept), MOST)}


def relations(asked):
    """{name: C} of those that can be made here; of the others it is said why not."""
    related = {}
    for name, scenario in asked.items():
        try:
            related[name] = cache.relation_of(scenario)
        except InputError as error:
            words.tell(f":material/warning: {plain(f'{name} is left out. {error}')}")
            continue
        words.tell(plain(f"{name}: {scenario.sentence(related[name])}"))
    return related


def each_lead(frame, against):
    """Which lead depends on the scenario, pair by pair; the sentence about them is above the picture."""
    if frame.empty:
        return
    st.markdown("**Which conclusion depends on what counts as the same?**")
    numbers(table_conclusions(frame), hide_index=True, alt="The difference of every two selectors under each scenario",
                 column_config={"pair": "First − second", "verdict": "Does the lead depend on it?"})
    words.tell(plain("A star: clearly ahead under that scenario, after asking about all pairs at once (Holm). A lead depends on it "
                     f"only where the difference itself clearly differs from that under {against}: a star here and none there is "
                     "not enough."))
    table(lambda: frame, "conclusions", "All differences with their intervals")
