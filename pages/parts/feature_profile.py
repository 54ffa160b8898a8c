"""Feature profile: one feature over all selectors."""

from functools import partial

import streamlit as st

from pages.parts import cache, controls, figures, glossary, highlights, layout, session, text
from stabcore.analysis.feature_profile import feature_profile, partners
from stabcore.analysis.noise_floors import blind
from stabcore.analysis.runs_asked import by_selector
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
    **figures.formatted("%.1f", "rank_middle", rank_low="Rank, lower quarter", rank_high="Rank, upper quarter"),
    "importance": st.column_config.NumberColumn(
        "Share of the importance", help="Mean over the runs that select it", format="percent"
    ),
}
PARTNERS = {
    **figures.formatted("%.2f", "related"),
    **figures.formatted("percent", "only_this", "only_partner", both="Selected together"),
    **figures.formatted("%.2f", about={"association": "−1: never together, 0: as if independent"}),
    **figures.formatted("%.3f", about={"p_holm": "Probability that random subsets select both at most this often"}),
}


def draw(view):
    """The chosen feature, with all results about it."""
    feature = ask_feature(view)
    runs, table = _profile_of(view, feature)
    view.frame.answer(_answer(view, feature, table))
    _explain_direction(view, feature)
    if view.results.has_control and (ignoring := blind(view.results)):
        view.frame.explain(
            text.plain(f"{joined(ignoring)} {verb_for(len(ignoring), 'ignore')} the outcome, so there is no grey mark.")
        )
    view.frame.explain(describe_chance_of_exceeding(view.results) if _figures(view, feature, table) else "")
    for label, runs_of_one in runs.items():
        if runs_of_one.no_importances:
            view.frame.explain(text.plain(f"{label}: {runs_of_one.no_importances}."))
    view.frame.numbers = partial(_numbers, view, table)
    view.frame.others = {
        "Ranks": partial(ranks, view, feature, runs),
        "Substitutes": partial(substitutes, view, feature, runs),
        "Column details": partial(in_the_table, view, feature),
    }


def _profile_of(view, feature):
    """({label: Selections}, the numbers of the feature by selector)."""
    runs = by_selector(view.results, view.k)
    return runs, feature_profile(runs, feature)


def _answer(view, feature, table) -> str:
    """Its selection frequency, and the direction of its effect if the table is known."""
    row = _effect(view, feature)
    return f"{finding_frequency(table, feature)} {'' if row is None else describe_direction(row)}".strip()


def _effect(view, feature):
    """Its row of the effects, None without the table."""
    table = view.effects()
    return None if table is None else table.set_index("feature", drop=False).loc[feature]


def _figures(view, feature, table) -> str:
    """Its values by outcome beside its selection frequency, and how to read both. Returns the sentence on the noise floor."""
    shown, frame = values_of(view, feature), frame_frequency(table, view.results, view.k)
    left, right = st.columns(2) if shown is not None else (None, st.container())
    if left is not None:
        with left:
            drawn, finding, behind = draw_feature_values(shown), finding_feature_values(shown), table_feature_values(shown)
            figures.figure(drawn, finding, behind, "values", of=feature, heading=False, behind=False)
    with right:
        finding = finding_frequency(table, feature)
        figures.figure(draw_frequency(frame), finding, frame, "frequency", of=feature, heading=False, behind=False)
    often = describe_frequency_line(frame)
    glossary.tell(text.plain(f"{describe_dots(shown) if shown is not None else ''} {often}".strip()))
    return often


def pick(names):
    """The effect of a click on features: one opens its profile over the screen, several are highlighted or not."""
    if len(names) == 1:
        st.session_state[session.PROFILE_OPENED] = names[0]
    else:
        highlights.toggle(names)


def show_opened(view):
    """The profile of the clicked feature, if there is one."""
    name = st.session_state.pop(session.PROFILE_OPENED, None)
    if name in view.results.features:
        st.dialog(text.plain(name), width="large", icon=":material/badge:")(_profile)(view, name)


def _profile(view, feature):
    """One feature in short: effect, values, selection frequency, and a link to the full profile."""
    _, table = _profile_of(view, feature)
    glossary.say(_answer(view, feature, table))
    _figures(view, feature, table)
    with st.container(horizontal=True):
        if st.button("Open as page", key="profile-page", icon=":material/open_in_full:"):
            st.session_state[session.FEATURE] = feature
            st.switch_page("pages/feature_profile.py")
        if st.button("Highlight on every screen", key="profile-highlight", icon=":material/highlight:"):
            highlights.toggle([feature])
            st.rerun()


def ask_feature(view) -> str:
    """Choose the feature."""
    features, names = view.results.features, layout.offered(view.results)
    few, widget = len(names) == len(features), session.widget_key(session.FEATURE)
    feature = session.usual(session.FEATURE, names[0])
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
        on_change=_look_at,
        args=(features,),
        help="Highlighted features come first." + ("" if few else " Type the name of any other."),
    )
    if feature not in view.highlighted:
        wanted = [*view.highlighted, feature]
        label = "Highlight on every screen"
        right.button(label, key="highlight", icon=":material/highlight:", on_click=highlights.pick, args=(wanted,))
    return feature


def _look_at(features):
    """Another feature. A typed name may be unknown."""
    chosen = st.session_state[session.widget_key(session.FEATURE)]
    if chosen in features:
        st.session_state[session.FEATURE] = chosen
    else:
        st.toast(text.no_feature(chosen, features), icon=":material/search_off:")


def _numbers(view, table):
    """Selection frequency and rank of the feature by selector."""
    shown = table.assign(runs=controls.of_planned(view.results, table["selector"])).dropna(axis="columns", how="all")
    figures.numbers(shown, alt="Selection frequency and ranks of the feature by selector", column_config=COLUMNS)


def values_of(view, feature):
    """The values of the feature by outcome, None without the table."""
    data = view.telling_data()
    frame = None if data is None or feature not in data.features else frame_feature_values(data, feature)
    return None if frame is None or frame.empty else frame


def ranks(view, feature, runs):
    """Its ranks over the runs, for runs that rank."""
    frame = frame_ranks(runs, feature)
    if len(frame):
        figures.figure(draw_ranks(frame), finding_ranks(frame, feature, len(view.results.features)), frame, "ranks", of=feature)


def substitutes(view, feature, runs):
    """The features that are selected instead of it."""
    related = view.similarity.n_related > 0
    glossary.tell(
        "Substitutes are features that are selected instead of this one, more often than random subsets explain.",
        "The test is corrected for all pairs of features of one selector (Holm, p < 0.05). Panel corrects for all selectors.",
        text.plain(view.similarity_sentence()) if related else "No features count as similar, so all features are examined.",
    )
    label = controls.selector_choice(view.results, session.SELECTOR, "Choose selector")
    frame = partners(runs[label], feature, view.similarity if related else None)
    if len(frame):
        figures.numbers(frame, alt="Substitutes of the feature", column_config=PARTNERS)
    else:
        too_few = "" if is_tested(runs[label]) else f" {NOT_TESTED} {text.plain(label)}."
        st.info(f"No substitutes found.{too_few}", icon=":material/info:")


def _explain_direction(view, feature):
    """Add the size of its effect to the drawers, or why it is not known."""
    row = _effect(view, feature)
    if row is None:
        view.frame.explain("The direction of the effect needs the table of the study.")
        return
    view.frame.explain(text.plain(describe_effect(row)))
    notes = (describe_selection_bias(view.effects()), describe_repeated_rows(view.telling_data()))
    view.frame.limit(*map(text.plain, filter(None, notes)))


def in_the_table(view, feature):
    """Kind, missing cells and group of the feature, with the table."""
    data = cache.dataset()
    if data is None or feature not in data.features:
        return
    group = next((name for name, members in view.similarity.groups.items() if feature in members), "none")
    about = data.columns[data.columns["column"] == feature].assign(group=group)
    figures.numbers(about, alt="Kind, missing cells and group of the feature")
