"""What if: the effect of each group of features on effective stability."""

from dataclasses import replace

import streamlit as st

from pages.parts import cache, glossary, scenarios, session
from pages.parts.controls import ask_selector
from pages.parts.figures import show_dataframe, show_figure, show_folded_table
from pages.parts.text import format_stability, plain
from stabcore.analysis.whatif.groups import within_between, within_between_beside
from stabcore.base.text import counted
from stabcore.inference.estimate import stability
from stabcore.plots.noise_floor import describe_floor
from stabcore.plots.whatif import (
    MAX_BARS,
    describe_groups_compared,
    describe_substitution,
    draw_group_effects,
    finding_group_effects,
    frame_group_effects,
    half_width,
    table_groups_compared,
)
from stabcore.selectors.baseline import is_baseline

MAX_PILLS = 30
ABOUT_TESTS = (
    "A star: a significant difference, corrected for all groups (Holm). Each 95% interval is for one group.",
    "Selectors that ran on the same resamples are compared run by run.",
)
COLUMNS = {
    "features": st.column_config.NumberColumn("Features"),
    "stability": st.column_config.NumberColumn(
        "Stability inside", format="%.2f", help="Stability of the features of this group alone"
    ),
    "low": st.column_config.NumberColumn(format="%.2f"),
    "high": st.column_config.NumberColumn(format="%.2f"),
    "reason": st.column_config.TextColumn("Reason for no value"),
    "variance": st.column_config.NumberColumn("Variance of the members", format="%.3f", help="Part of tr(S)"),
    "effective_variance": st.column_config.NumberColumn("Variance of the group", format="%.3f", help="Part of tr(CS)"),
    "substitution": st.column_config.NumberColumn(
        "Only substitution",
        format="%.3f",
        help="Variance that C removes, due to one member instead of another. Below 0 if members are selected together.",
    ),
    "by_random_sets": st.column_config.NumberColumn(
        "In random subsets",
        format="%.3f",
        help="Random subsets with the same frequencies: each run selects the same number of features",
    ),
}


def show_groups(view):
    """Switch groups on and off, with their effects and the sources of disagreement."""
    now, similarity = view.scenario, view.similarity
    if similarity.labels is None or not similarity.group_names:
        show_group_links(now)
        return
    view.screen.explain("In a group that is on, selecting one member instead of another is no disagreement.")
    label = ask_selector(view.results, session.SELECTOR, "Choose selector")
    on = ask_groups(similarity.group_names)
    runs = view.selections([label])[label]
    effects = cache.computed(frame_group_effects, runs, similarity)
    chosen = cache.computed(_stability_with_groups, runs, similarity, on)
    show_values(view, effects, chosen, len(on), len(similarity.group_names))
    explain_floor(view, label)
    if len(on) < len(similarity.group_names) and now.base == "groups":
        show_scenario_button(now, on)
    half = half_width(cache.computed(stability, runs, "effective", similarity=similarity))
    show_figure(
        draw_group_effects(effects, half),
        finding_group_effects(effects, half),
        effects,
        "effects",
        subject=label,
        pick=lambda clicked: clicked and toggle_group(effects["group"][int(clicked[0])]),
        screen=view.screen,
    )
    for reason in dict.fromkeys(effects["reason"][effects["reason"] != ""]):
        view.screen.explain(plain(f"Where a bar is missing: {reason}."))
    view.screen.explain(
        "Click a bar to switch its group. Grey: within the interval of the stability with all groups.",
        f"The {MAX_BARS} largest of {len(effects):,} are drawn." if len(effects) > MAX_BARS else "",
        "If the two effects of a group differ, another group explains part of the same disagreement.",
    )
    show_decomposition(cache.computed(within_between, runs, similarity))
    show_second_selector(view, label)


def show_group_links(now):
    """If there are no groups to switch, a link to define some."""
    st.info("Sets that overlap cannot be switched on and off." if now.base == "sets" else "The chosen scenario has no groups.")
    if now.groups and now.base != "groups":
        st.button(
            f"Use my {counted(len(now.groups), 'group')} on every screen",
            key="use-groups",
            icon=":material/hub:",
            on_click=scenarios.change,
            args=(replace(now, base="groups"),),
        )
    st.page_link("pages/similarity.py", label="Define groups", icon=":material/hub:")


def _stability_with_groups(runs, similarity, on):
    return stability(runs, "effective", similarity=similarity.with_groups(on))


def explain_floor(view, label):
    """The noise floor of this selector with all groups, or why it is unknown."""
    floor = view.floor_frame("effective")
    view.screen.explain(plain(f"With all groups: {describe_floor(floor[floor['selector'] == label], view.results, view.k)}"))


def ask_groups(names):
    """The groups that are on: a few as buttons, many as a list of those that are off."""
    off = [name for name in session.value_or_default(session.GROUPS_OFF, []) if name in names]
    few = len(names) <= MAX_PILLS
    key = session.GROUPS_ON_CHOICE if few else session.GROUPS_OFF_CHOICE
    st.session_state[key] = [name for name in names if name not in off] if few else off

    def changed():
        chosen = st.session_state[key]
        st.session_state[session.GROUPS_OFF] = [name for name in names if name not in chosen] if few else chosen

    if few:
        st.pills("Switch groups", names, selection_mode="multi", format_func=plain, key=key, on_change=changed)
    else:
        st.multiselect("Switch groups off", names, key=key, placeholder="All are on", on_change=changed)
    return [name for name in names if name not in off]


def toggle_group(name):
    """Switch a group."""
    off = list(st.session_state.get(session.GROUPS_OFF) or ())
    st.session_state[session.GROUPS_OFF] = [other for other in off if other != name] if name in off else [*off, name]


def show_values(view, effects, chosen, on, count):
    """Φ_C with no group, with the groups that are on, and with all."""
    for place, name, value in zip(
        st.columns(3),
        ("With no group", f"With {on} of {counted(count, 'group')}", "With all groups"),
        (effects.attrs["none"], chosen.value, effects.attrs["all"]),
    ):
        place.metric(name, format_stability(value), border=True)
    if chosen.reason:
        view.screen.explain(plain(f"Undefined with the groups that are on: {chosen.reason}."))


def show_scenario_button(now, on):
    """Offer the groups that are on as a new scenario."""

    def keep():
        name = f"{scenarios.chosen_name()}, {len(on)} of {counted(len(now.groups), 'group')}"
        scenarios.add(scenarios.free_name(name), now.with_only_groups(on))
        st.session_state[session.GROUPS_OFF] = []

    st.button(
        "Use only these groups everywhere",
        key="groups-everywhere",
        icon=":material/hub:",
        on_click=keep,
        help="As a new scenario, so that the one with all groups stays.",
    )


def show_second_selector(view, label):
    """The same parts of another selector, and groups with a clear difference."""
    others = [other for other in view.results.finished_selectors if other != label and not is_baseline(other)]
    if not others or not st.toggle("Compare with another selector", **session.bound(session.HAS_SECOND_SELECTOR, False)):
        return
    if st.session_state.get(session.SECOND_SELECTOR) == label:
        st.session_state[session.SECOND_SELECTOR] = others[0]
    other = st.selectbox("Choose second selector", others, **session.bound(session.SECOND_SELECTOR, others[0], others))
    frame = cache.computed(_compared_groups, view.results, label, other, view.k, view.similarity)
    glossary.show_sentence(describe_groups_compared(frame, label, other))
    show_dataframe(table_groups_compared(frame, label, other), alt="Variance within each group, for two selectors")
    view.screen.explain(*ABOUT_TESTS)
    show_folded_table(lambda: frame, "within-beside", "All these numbers")


def _compared_groups(results, label, other, k, similarity):
    first, second, paired = results.paired(label, other, k)
    return within_between_beside(first, second, similarity, paired=paired)


def show_decomposition(frame):
    """Sechidis' table of the variance within and between groups."""
    st.markdown("**Disagreement inside groups and between them**")
    st.markdown(plain(describe_substitution(frame)))
    order = ["group", *(name for name in COLUMNS if name != "reason"), *["reason"][: int((frame["reason"] != "").any())]]
    rounded = {name: frame[name].round(9) + 0.0 for name in ("variance", "effective_variance", "substitution")}  # no −0.000
    show_dataframe(
        frame.assign(**rounded),
        column_config=COLUMNS,
        column_order=order,
        alt="Stability within each group, and its share of the variance",
    )
    show_folded_table(lambda: frame, "within-between", "Download this table")
