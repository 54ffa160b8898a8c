"""Passport: one feature over all selectors."""

import streamlit as st

from pages.parts import cache, controls, figures, highlights, layout, session, text, words
from stabcore.analysis.feature_profile import feature_profile, partners
from stabcore.plots.effects import describe_chosen, describe_effect, describe_repeated_rows
from stabcore.plots.feature_profile import (
    describe_frequency_line,
    draw_frequency,
    draw_ranks,
    finding_frequency,
    finding_ranks,
    frame_frequency,
    frame_ranks,
)

COLUMNS = {
    "frequency": st.column_config.NumberColumn("Selected in", help="Share of the runs that select it", format="percent"),
    "rank_low": st.column_config.NumberColumn("Rank, lower quarter", format="%.1f"),
    "rank_middle": st.column_config.NumberColumn("Rank, middle", format="%.1f"),
    "rank_high": st.column_config.NumberColumn("Rank, upper quarter", format="%.1f"),
    "ranked": st.column_config.NumberColumn("Runs that rank it"),
    "importance": st.column_config.NumberColumn(
        "Share of the importance", help="Mean over the runs that select it", format="percent"
    ),
}
PARTNERS = {
    "related": st.column_config.NumberColumn("Stands for it (C)", format="%.2f"),
    "both": st.column_config.NumberColumn("Selected together", format="percent"),
    "only_this": st.column_config.NumberColumn("Only this one", format="percent"),
    "only_partner": st.column_config.NumberColumn("Only the partner", format="percent"),
    "association": st.column_config.NumberColumn(
        "Association", format="%.2f", help="−1: always one or the other; 0: as if independent"
    ),
    "p_holm": st.column_config.NumberColumn("p (Holm)", format="%.3f", help="That random sets are as seldom together"),
}


def ask_feature(view, place) -> str:
    """The feature that is looked at."""
    features, names = view.results.features, layout.offered(view.results)
    few, widget = len(names) == len(features), session.widget_key(session.FEATURE)
    feature = session.usual(session.FEATURE, names[0])
    if feature not in features:  # of other results, or an address
        feature = st.session_state[session.FEATURE] = names[0]
    st.session_state[widget] = feature
    offered = names if feature in names else [feature, *names]
    place.selectbox(
        "Feature",
        offered,
        key=widget,
        accept_new_options=not few,
        on_change=_look_at,
        args=(features,),
        help="The highlighted ones come first." + ("" if few else " Others can be typed in."),
    )
    if feature not in view.highlighted:
        place.button(
            "Highlight it everywhere",
            key="highlight",
            icon=":material/highlight:",
            on_click=highlights.pick,
            args=([*highlights.picked(), feature],),
        )
    return feature


def _look_at(features):
    """Another feature; a name that was typed may be none."""
    chosen = st.session_state[session.widget_key(session.FEATURE)]
    if chosen in features:
        st.session_state[session.FEATURE] = chosen
    else:
        st.toast(text.no_feature(chosen, features), icon=":material/search_off:")


def how_often(view, feature, runs):
    """How often each selector takes it, and how high. runs: {label: Selections}."""
    table = feature_profile(runs, feature)
    for label, runs_of_one in runs.items():
        if runs_of_one.no_importances:
            words.tell(text.plain(f"{label}: {runs_of_one.no_importances}."))
    frame = frame_frequency(table, view.results, view.k)
    with view.top:
        finding = f"{finding_frequency(table, feature)} {describe_frequency_line(frame, view.results)}".strip()
        figures.figure(draw_frequency(frame), finding, frame, "frequency", of=feature)
    shown = table.assign(runs=controls.of_planned(view.results, table["selector"]))
    figures.numbers(
        shown.dropna(axis="columns", how="all"),  # some do not rank
        hide_index=True,
        alt="How often and how high the feature comes with each selector",
        column_config=COLUMNS,
    )


def ranks(view, feature, runs):
    """Its ranks over the runs, where runs rank."""
    frame = frame_ranks(runs, feature)
    if len(frame):
        figures.figure(draw_ranks(frame), finding_ranks(frame, feature, len(view.results.features)), frame, "ranks", of=feature)


def swaps(view, feature, runs):
    """The features that are selected instead of it."""
    st.header("Which features does it swap with?", divider="gray")
    related = view.similarity.n_related > 0
    words.tell(
        (
            "Related features that are selected instead of it: "
            if related
            else "Nothing stands for anything else now, so all features are looked at: "
        )
        + "selected together less often than in random sets of features that come as often, "
        "beyond what may be chance: p < 0.05 by Holm's correction, over the partners of this feature and for one selector. "
        "So where nothing swaps, at most about 5 of 100 passports show a pair all the same. Panel, Which swap?, "
        "corrects over all pairs of all selectors, looks only at the features that come most often, and shows fewer."
    )
    label = controls.selector_choice(view.results, session.SELECTOR, "Selector")
    frame = partners(runs[label], feature, view.similarity if related else None)
    if len(frame):
        figures.numbers(frame, hide_index=True, alt="Features it swaps with", column_config=PARTNERS)
    else:
        st.info(
            "None that these runs could tell: it is always or never selected, or no "
            f"{'related ' * related}feature takes its place more often than in random sets.",
            icon=":material/info:",
        )


def direction(view, feature):
    """Which way the feature goes with the outcome, and by how much, where the table is at hand."""
    st.header("Which way does it go with the outcome?", divider="gray")
    table = view.effects()
    if table is None:
        words.tell("That needs the table that the study was made of. Selections that were brought alone say nothing about it.")
        return
    row = table.set_index("feature", drop=False).loc[feature]
    words.say(describe_effect(row))
    words.tell(" ".join(filter(None, (describe_chosen(table), describe_repeated_rows(view.telling_data())))))


def in_the_table(view, feature):
    """Kind, missing cells and group of the feature, where the table is at hand."""
    data = cache.dataset()
    if data is None or feature not in data.features:
        return
    st.header("What it is in the table", divider="gray")
    group = next((name for name, members in view.similarity.groups.items() if feature in members), "none")
    about = data.columns[data.columns["column"] == feature].assign(group=group)
    figures.numbers(about, hide_index=True, alt="Kind, missing cells and group of the feature")
