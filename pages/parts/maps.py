"""Maps: the choice of selectors, the Kalousis grid, and the Hamer–Dupont map of importances."""

from dataclasses import dataclass
from functools import cached_property

import streamlit as st

from pages.parts import cache, controls, feature_profile, figures, glossary, session, text
from pages.parts.view import View
from stabcore.analysis.effects import feature_directions
from stabcore.analysis.seriation import MAX_CLUSTERED
from stabcore.base.text import counted, joined
from stabcore.inference.estimate import stability
from stabcore.plots.importance_map import (
    MAX_SEGMENTS,
    draw_importance_map,
    finding_importance_map,
    frame_importance_map,
    frequent_features,
)
from stabcore.plots.noise_floor import describe_chance_of_exceeding, describe_frequencies
from stabcore.plots.selection_grid import AXES_HEIGHT, MAX_CELLS, ROW_HEIGHT, columns_per_pixel, draw_grid, finding_grid, frame_grid
from stabcore.plots.selection_map import ORDERS, selection_maps
from stabcore.plots.style import TOOL_BAR
from stabcore.study.progress import shuffle_run_counts

KINDS = {"selections": "Selections", "importance": "Importance"}
ROWS_AT_FIRST = 24  # rows of a grid that fit on a screen
MAX_HEIGHT = TOOL_BAR + AXES_HEIGHT + ROWS_AT_FIRST * ROW_HEIGHT  # pixels of a grid with all rows, beyond which it scrolls


@dataclass(frozen=True, eq=False, kw_only=True)
class MapView(View):
    """One or two selectors, the order of features, merged groups, clustered runs, outer folds left out, colours of directions,
    whether importances are drawn, and of how many features.
    """

    labels: list[str]
    order: str
    merged: bool
    alike: bool
    left_out: list[int]
    coloured: bool
    importances: bool
    most: int

    @cached_property
    def by_frequency(self) -> dict:
        """{selector: Map} with the columns selected most often first."""
        return self._arranged("frequency")

    def values(self, label) -> dict:
        """{key: value} of the stability of the shown runs, with and without importances."""
        estimates = cache.computed(_estimates, self.results, label, self.k, self.left_out)
        return {key: estimate.value for key, estimate in estimates.items()}

    @cached_property
    def ordered(self) -> dict:
        """{selector: Map} with the columns in the chosen order."""
        return self.by_frequency if self.order == "frequency" else self._arranged(self.order)

    def _arranged(self, order):
        runs, numbers, folds = zip(*(_runs_shown(self.results, label, self.k, self.left_out) for label in self.labels))
        how = {"merged": self.merged, "picked": self.highlighted, "runs": numbers, "folds": folds}
        return dict(zip(self.labels, selection_maps(list(runs), self.similarity, order, **how)))


def _runs_shown(results, label, k, left_out):
    """(Selections, numbers of the runs, numbers of their outer folds or None) of the shown runs of a selector."""
    runs, numbers, folds = results.selections(label, k), results.run_numbers(label), results.folds(label)
    shown = [i for i in range(runs.n_runs) if not folds or folds[i] not in left_out]
    if len(shown) < runs.n_runs:
        runs = runs.take(shown)
    return runs, [numbers[i] for i in shown], [folds[i] for i in shown] if folds else None


def _estimates(results, label, k, left_out):
    return stability(_runs_shown(results, label, k, left_out)[0], ["nogueira", "importance_weighted"])


def ask_view(view) -> MapView:
    """Choose selectors, kind and order. More settings are folded."""
    controls_here, more = st.columns([6, 2], vertical_alignment="bottom")
    left, middle = controls_here.columns(2)
    with left:
        labels = [controls.ask_selector(view.results, session.SELECTOR, "Choose selector")]
    with middle:
        box = session.bound(session.MAP_KIND, "selections", KINDS)
        kind = st.segmented_control("Choose what cells show", KINDS, format_func=KINDS.__getitem__, required=True, **box)
        importances = kind == "importance"
    with more.popover("More settings", key="map-settings"):
        box = session.bound(session.FEATURE_ORDER, "frequency", ORDERS)
        order = st.selectbox("Sort features by", ORDERS, format_func=ORDERS.__getitem__, **box)
        labels += _ask_second_selector(view.results)
        merged = _ask_merged(view.similarity.labels is not None and len(view.similarity.group_names) > 0)
        alike = st.toggle("Sort runs by similarity", **session.bound(session.RUNS_CLUSTERED, False))
        has_ways = bool(effect_directions(view))
        coloured = st.toggle(
            "Colour features by direction",
            disabled=not has_ways,
            help="Direction of the effect in the table of the study. An outcome with more than two classes has none.",
            **session.bound(session.DIRECTIONS_COLOURED, False),
        )
        left_out = _ask_folds_left_out(view, sorted({fold for label in labels for fold in view.results.folds(label) or ()}))
        most = _ask_separate_features(len(view.results.features)) if importances else 0
    return view.extended(
        MapView,
        labels=list(dict.fromkeys(labels)),
        order=order,
        merged=merged,
        alike=alike,
        left_out=left_out,
        coloured=coloured and has_ways,
        importances=importances,
        most=most,
    )


def effect_directions(view) -> dict:
    """{feature: direction of its effect} in the table with the outcome. {} without a table or directions."""
    data = view.effect_data()
    return {} if data is None else cache.computed(feature_directions, data)


def _ask_second_selector(results):
    """The selector to compare with, as a list, empty by default."""
    if len(results.finished_selectors) < 2:
        return []
    if st.toggle("Compare with another selector", **session.bound(session.HAS_SECOND_SELECTOR, False)):
        return [controls.ask_selector(results, session.SECOND_SELECTOR, "Choose second selector", default=1)]
    return []


def _ask_merged(has_groups):
    merged = st.toggle(
        "Merge each group into one row",
        disabled=not has_groups,
        help="The shade of a row shows how many members of the group were selected. Groups are defined on Similarity.",
        **session.bound(session.GROUPS_MERGED, False),
    )
    return merged and has_groups


def _ask_separate_features(d):
    """The number of features with a segment each. All others share one."""
    if d <= 5:
        return d
    return st.slider("Set number of separate features", **session.bound_range(session.FEATURES_DRAWN, 5, min(200, d), min(40, d)))


def _ask_folds_left_out(view, folds):
    if not folds:
        return []
    left_out = st.multiselect(
        "Leave outer folds out",
        folds,
        max_selections=len(folds) - 1,
        format_func=lambda fold: f"fold {fold}",
        placeholder="All are shown",
        **session.bound(session.FOLDS_LEFT_OUT, [], folds, len(folds) - 1),
    )
    if left_out:
        view.screen.explain(
            f"The runs of outer fold {', '.join(map(str, sorted(left_out)))} are left blank and do not count on this screen."
        )
    return left_out


def show_grids(view):
    """The grids, their explanation, and the controls of their columns."""
    first = view.ordered[view.labels[0]]
    never = [name for name in view.highlighted if first.column_of[view.results.features.index(name)] < 0]
    if never:
        st.info(f"Highlighted, but never selected here: {text.plain(', '.join(never))}.", icon=":material/info:")
    halves = " Runs 1 and 2 learned from the two halves of one division, and so on."
    view.screen.explain(
        "A row without gaps is a feature that every run selected (Kalousis grid).",
        "Click a bar beside a name to open that feature.",
        "" if view.alike else f"Runs are in the order of their numbers.{halves * view.results.has_halves}",
    )
    if view.order == "coselection" and len(first.columns) > MAX_CLUSTERED:
        view.screen.explain(
            f"With more than {MAX_CLUSTERED:,} columns the order follows the first principal component, not a tree."
        )
    far = bool(first.columns["highlighted"].iloc[ROWS_AT_FIRST:].any())
    more = len(first.columns) > ROWS_AT_FIRST and not (far or session.value_or_default(session.ALL_ROWS_SHOWN, False))
    span = (1, ROWS_AT_FIRST) if more else _ask_range(view, first)
    _draw_side_by_side(view.labels, lambda label, name: _show_grid(view, span, label, name))
    judged = view.results.has_control and not view.left_out
    of_shuffle, n_runs = shuffle_run_counts(view.results)
    simulated = " (simulated)" if of_shuffle < n_runs else ""
    line = f"Grey line: highest selection frequency with the outcome shuffled{simulated}." if judged else ""
    line += (
        " Pale: does not clearly exceed it, but can carry signal." if judged and (more or len(first.columns) <= MAX_CELLS) else ""
    )
    glossary.show_caption(
        f"One row per feature, one column per run. Filled: selected. {line} {_describe_hidden_rows(view) * more}".strip()
    )
    if len(first.columns) > ROWS_AT_FIRST and not far:
        every = counted(len(first.columns), "row" if first.merged else "feature")
        st.toggle(f"Show all {every}", **session.bound(session.ALL_ROWS_SHOWN, False))


def _describe_hidden_rows(view) -> str:
    """The number of rows that are not drawn, and the highest selection frequency of their features."""
    rest = [view.ordered[label].columns["frequency"].iloc[ROWS_AT_FIRST:] for label in view.labels]
    return f"The {len(rest[0]):,} others are selected in at most {max(shares.max() for shares in rest):.0%} of runs."


def show_importance_maps(view):
    """The maps of importances."""
    view.screen.explain(
        "The features selected most often are on the left. Segments that stay in line show stable importance (Hamer–Dupont map).",
        "Weighted: stability in which each feature counts by its importance.",
        "Grey: all other features, with their share of the importance. The order of the runs follows the coloured features, "
        "unless the runs belong to outer folds or the features to groups.",
    )
    if meanings := list(dict.fromkeys(filter(None, map(view.results.describe_importance, view.labels)))):
        view.screen.explain(text.plain(f"Importance here: {joined(meanings)}."))
    _draw_side_by_side(view.labels, lambda label, name: _show_importance_map(view, label, name))
    glossary.show_caption("One bar per run. The width of a segment is the importance of a feature.")


def _ask_range(view, first):
    """(first, last) place of the shown features if there are too many for one figure, else None."""
    columns = len(first.columns)
    if columns <= MAX_CELLS:
        return None
    places = range(1, columns + 1)
    chosen = session.value_or_default(session.POSITIONS_SHOWN, (1, columns))
    if len(chosen) != 2 or not set(chosen) <= set(places) or chosen[0] > chosen[1]:  # it may come from other results or an address
        st.session_state[session.POSITIONS_SHOWN] = (1, columns)
    st.session_state[session.POSITIONS_SHOWN] = tuple(st.session_state[session.POSITIONS_SHOWN])
    span = st.slider("Set range of features", 1, columns, **session.bound(session.POSITIONS_SHOWN, (1, columns)))
    if span[1] - span[0] < MAX_CELLS:
        return span
    a_pixel = columns_per_pixel(first.slice_columns(*span))
    view.screen.explain(
        f"One pixel covers {a_pixel} features. It is darker where more of them were selected." if a_pixel > 1 else "",
        f"Click one of the {MAX_CELLS} most frequent features on the line. Choose {MAX_CELLS} or fewer to see every cell.",
    )
    return span


def _draw_side_by_side(labels, draw):
    """draw(label, name) for each selector, two side by side."""
    for place, label, name in zip(st.columns(len(labels)), labels, ("", "-2")):
        with place:
            if len(labels) > 1:
                st.markdown(f"**{text.plain(label)}**")
            draw(label, name)


def _show_grid(view, span, label, name):
    """The Kalousis grid of one selector."""
    results, selection_map = view.results, view.ordered[label]
    part = selection_map.slice_columns(*span) if span else selection_map
    drawn = part.group_by_direction(effect_directions(view)) if view.coloured else part
    often = "" if view.left_out else describe_frequencies(results, label, view.k)
    drawn = drawn.order_by_similarity() if view.alike else drawn
    view.screen.explain(describe_chance_of_exceeding(results) if often else "")
    line, is_alone = results.frequency_line(label, view.k) if often else None, len(view.labels) == 1
    figures.show_figure(
        draw_grid(drawn, line, wide=is_alone and not figures.is_telephone()),
        f"{finding_grid(selection_map, len(results.features), label)} {often}".strip(),
        lambda: frame_grid(selection_map),
        f"grid{name}",
        screen=view.screen if is_alone else None,
        pick=_column_callback(results.features, selection_map),
        max_height=MAX_HEIGHT if len(part.columns) > ROWS_AT_FIRST else None,
        subject=label,
    )


def _show_importance_map(view, label, name):
    """The Hamer–Dupont map of one selector."""
    importance_map = view.by_frequency[label]
    frame = frame_importance_map(importance_map, view.most, view.values(label))
    if importance_map.weights is None:
        why = view.results.selections(label, view.k).no_importances or "these runs hold no importances"
        st.info(text.plain(f"Every selected feature has the same weight: {why}."), icon=":material/info:")
    figures.show_figure(
        draw_importance_map(frame, importance_map),
        finding_importance_map(frame, importance_map.merged),
        frame,
        f"importance-map{name}",
        screen=view.screen if len(view.labels) == 1 else None,
        pick=_column_callback(view.results.features, importance_map),
        subject=label,
    )
    if often := frequent_features(importance_map):
        view.screen.explain(text.plain(f"In at least 80% of the runs: {', '.join(often)}."))
    if len(frame) > MAX_SEGMENTS:
        view.screen.explain(
            f"With more than {MAX_SEGMENTS:,} segments the figure is an image without names. Show fewer separate features."
        )


def _column_callback(features, shown):
    """The effect of a click: one feature opens its profile, several or a group are highlighted."""

    def clicked(positions):
        columns = dict.fromkeys(position for position in positions if position)
        feature_profile.open_or_highlight([features[i] for position in columns for i in shown.members(position - 1)])

    return clicked
