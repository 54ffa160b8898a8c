"""Feature profile: one feature over all selectors."""

from functools import partial

import streamlit as st

from pages.parts import cache, controls, figures, glossary, highlights, layout, session, text
from stabcore.analysis.feature_profile import feature_profile, feature_substitutes
from stabcore.analysis.noise_floors import blind_selectors
from stabcore.analysis.runs_asked import runs_by_selector
from stabcore.analysis.substitutes import is_tested
from stabcore.base.text import joined, verb_for
from stabcore.plots.effects import describe_direction, describe_effect, describe_repeated_rows, describe_selection_bias
from stabcore.plots.feature_profile import (
    describe_frequency_line,
    draw_frequency,
    draw_ranks,
    finding_frequency,
    finding_ranks,
    frame_frequency,
    frame_ranks,
)
from stabcore.plots.feature_values import (
    describe_dots,
    draw_feature_values,
    finding_feature_values,
    frame_feature_values,
    table_feature_values,
)
from stabcore.plots.noise_floor import describe_chance_of_exceeding
from stabcore.plots.substitutes import NOT_TESTED

COLUMNS = {
    "frequency": st.column_config.NumberColumn("Selected in", help="Share of the runs that select it", format="percent"),
    **figures.number_columns("%.1f", "rank_middle", rank_low="Rank, lower quarter", rank_high="Rank, upper quarter"),
    "importance": st.column_config.NumberColumn(
        "Share of the importance", help="Mean over the runs that select it", format="percent"
    ),
}
PARTNERS = {
    **figures.number_columns("%.2f", "related"),
    **figures.number_columns("percent", "only_this", "only_partner", both="Selected together"),
    **figures.number_columns("%.2f", about={"association": "−1: never together, 0: as if independent"}),
    **figures.number_columns("%.3f", about={"p_holm": "Probability that random subsets select both at most this often"}),
}


def show_feature(view):
    """The chosen feature, with all results about it."""
    feature = ask_feature(view)
    runs, table = _profile_of(view, feature)
    view.screen.show_answer(_describe_feature(view, feature, table))
    _explain_direction(view, feature)
    if view.results.has_control and (ignoring := blind_selectors(view.results)):
        view.screen.explain(
            text.plain(f"{joined(ignoring)} {verb_for(len(ignoring), 'ignore')} the outcome, so there is no grey mark.")
        )
    view.screen.explain(describe_chance_of_exceeding(view.results) if _show_figures(view, feature, table) else "")
    for label, runs_of_one in runs.items():
        if runs_of_one.no_importances:
            view.screen.explain(text.plain(f"{label}: {runs_of_one.no_importances}."))
    view.screen.numbers = partial(_show_numbers, view, table)
    view.screen.others = {
        "Ranks": partial(show_ranks, view, feature, runs),
        "Substitutes": partial(show_substitutes, view, feature, runs),
        "Column details": partial(show_column, view, feature),
    }


def _profile_of(view, feature):
    """({label: Selections}, the numbers of the feature by selector)."""
    runs = runs_by_selector(view.results, view.k)
    return runs, feature_profile(runs, feature)


def _describe_feature(view, feature, table) -> str:
    """Its selection frequency, and the direction of its effect if the table is known."""
    row = _effect_row(view, feature)
    return f"{finding_frequency(table, feature)} {'' if row is None else describe_direction(row)}".strip()


def _effect_row(view, feature):
    """Its row of the effects, None without the table."""
    table = view.effects()
    return None if table is None else table.set_index("feature", drop=False).loc[feature]


def _show_figures(view, feature, table) -> str:
    """Its values by outcome beside its selection frequency, and how to read both. Returns the sentence on the noise floor."""
    shown, frame = feature_values(view, feature), frame_frequency(table, view.results, view.k)
    left, right = st.columns(2) if shown is not None else (None, st.container())
    if left is not None:
        with left:
            drawn, finding, behind = draw_feature_values(shown), finding_feature_values(shown), table_feature_values(shown)
            figures.show_figure(drawn, finding, behind, "values", subject=feature, with_finding=False, with_numbers=False)
    with right:
        finding = finding_frequency(table, feature)
        figures.show_figure(
            draw_frequency(frame), finding, frame, "frequency", subject=feature, with_finding=False, with_numbers=False
        )
    often = describe_frequency_line(frame)
    glossary.show_caption(text.plain(f"{describe_dots(shown) if shown is not None else ''} {often}".strip()))
    return often


def open_or_highlight(names):
    """The effect of a click on features: one opens its profile over the screen, several are highlighted or not."""
    if len(names) == 1:
        st.session_state[session.PROFILE_OPENED] = names[0]
    else:
        highlights.toggle_highlighted(names)


def show_opened_profile(view):
    """The profile of the clicked feature, if there is one."""
    name = st.session_state.pop(session.PROFILE_OPENED, None)
    if name in view.results.features:
        st.dialog(text.plain(name), width="large", icon=":material/badge:")(_show_profile)(view, name)


def _show_profile(view, feature):
    """One feature in short: effect, values, selection frequency, and a link to the full profile."""
    _, table = _profile_of(view, feature)
    glossary.show_sentence(_describe_feature(view, feature, table))
    _show_figures(view, feature, table)
    with st.container(horizontal=True):
        if st.button("Open as page", key="profile-page", icon=":material/open_in_full:"):
            st.session_state[session.FEATURE] = feature
            st.switch_page("pages/feature_profile.py")
        if st.button("Highlight on every screen", key="profile-highlight", icon=":material/highlight:"):
            highlights.toggle_highlighted([feature])
            st.rerun()


def ask_feature(view) -> str:
    """Choose the feature."""
    features, names = view.results.features, layout.offered_features(view.results)
    few, widget = len(names) == len(features), session.widget_key(session.FEATURE)
    feature = session.value_or_default(session.FEATURE, names[0])
    if feature not in features:  # it may come from other results or an address
        feature = st.session_state[session.FEATURE] = names[0]
    st.session_state[widget] = feature
    left, right = st.columns([3, 1], vertical_alignment="bottom")
    offered = names if feature in names else [feature, *names]
    left.selectbox(
        "Choose feature",
        offered,
        key=widget,
        accept_new_options=not few,
        on_change=_set_feature,
        args=(features,),
        help="Highlighted features come first." + ("" if few else " Type the name of any other."),
    )
    if feature not in view.highlighted:
        wanted = [*view.highlighted, feature]
        label = "Highlight on every screen"
        right.button(label, key="highlight", icon=":material/highlight:", on_click=highlights.set_highlighted, args=(wanted,))
    return feature


def _set_feature(features):
    """Another feature. A typed name may be unknown."""
    chosen = st.session_state[session.widget_key(session.FEATURE)]
    if chosen in features:
        st.session_state[session.FEATURE] = chosen
    else:
        st.toast(text.describe_unknown_feature(chosen, features), icon=":material/search_off:")


def _show_numbers(view, table):
    """Selection frequency and rank of the feature by selector."""
    shown = table.assign(runs=controls.format_run_counts(view.results, table["selector"])).dropna(axis="columns", how="all")
    figures.show_dataframe(shown, alt="Selection frequency and ranks of the feature by selector", column_config=COLUMNS)


def feature_values(view, feature):
    """The values of the feature by outcome, None without the table."""
    data = view.effect_data()
    frame = None if data is None or feature not in data.features else frame_feature_values(data, feature)
    return None if frame is None or frame.empty else frame


def show_ranks(view, feature, runs):
    """Its ranks over the runs, for runs that rank."""
    frame = frame_ranks(runs, feature)
    if len(frame):
        figures.show_figure(
            draw_ranks(frame), finding_ranks(frame, feature, len(view.results.features)), frame, "ranks", subject=feature
        )


def show_substitutes(view, feature, runs):
    """The features that are selected instead of it."""
    related = view.similarity.n_related > 0
    glossary.show_caption(
        "Substitutes are features that are selected instead of this one, more often than random subsets explain.",
        "The test is corrected for all pairs of features of one selector (Holm, p < 0.05). Panel corrects for all selectors.",
        text.plain(view.describe_similarity()) if related else "No features count as similar, so all features are examined.",
    )
    label = controls.ask_selector(view.results, session.SELECTOR, "Choose selector")
    frame = feature_substitutes(runs[label], feature, view.similarity if related else None)
    if len(frame):
        figures.show_dataframe(frame, alt="Substitutes of the feature", column_config=PARTNERS)
    else:
        too_few = "" if is_tested(runs[label]) else f" {NOT_TESTED} {text.plain(label)}."
        st.info(f"No substitutes found.{too_few}", icon=":material/info:")


def _explain_direction(view, feature):
    """Add the size of its effect to the drawers, or why it is not known."""
    row = _effect_row(view, feature)
    if row is None:
        view.screen.explain("The direction of the effect needs the table of the study.")
        return
    view.screen.explain(text.plain(describe_effect(row)))
    notes = (describe_selection_bias(view.effects()), describe_repeated_rows(view.effect_data()))
    view.screen.add_limitations(*map(text.plain, filter(None, notes)))


def show_column(view, feature):
    """Kind, missing cells and group of the feature, with the table."""
    data = cache.dataset()
    if data is None or feature not in data.features:
        return
    group = next((name for name, members in view.similarity.groups.items() if feature in members), "none")
    about = data.columns[data.columns["column"] == feature].assign(group=group)
    figures.show_dataframe(about, alt="Kind, missing cells and group of the feature")
