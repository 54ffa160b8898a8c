"""Maps: which runs of which selectors are drawn, the Kalousis grid, and the Hamer–Dupont map of importances."""

from dataclasses import dataclass
from functools import cached_property

import streamlit as st

from pages.parts import cache, controls, figures, highlights, session, text, words
from pages.parts.view import View
from stabcore.analysis.effects import ways
from stabcore.analysis.seriation import MAX_CLUSTERED
from stabcore.inference.estimate import stability
from stabcore.plots.importance_map import (
    MAX_SEGMENTS,
    draw_importance_map,
    finding_importance_map,
    frame_importance_map,
    frequent_features,
)
from stabcore.plots.noise_floor import describe_frequencies
from stabcore.plots.selection_grid import MAX_CELLS, columns_a_pixel, draw_grid, finding_grid, frame_grid
from stabcore.plots.selection_map import ORDERS, arrange

TALLEST = 640  # pixels of a grid; what is beyond is scrolled to, its names and its axes stay as large


@dataclass(frozen=True, eq=False, kw_only=True)
class MapView(View):
    """One or two selectors, the order of the features, whether members of groups are one row, whether runs that selected
    alike stand beside each other, the outer folds left out, whether colours tell which way features go.
    """

    labels: list[str]
    order: str
    merged: bool
    alike: bool
    left_out: list[int]
    coloured: bool

    @cached_property
    def by_frequency(self) -> dict:
        """{selector: Map} with the columns selected most often first."""
        return self._arranged("frequency")

    def values(self, label) -> dict:
        """{key: value} of the stability of the runs that are shown, with importances and without."""
        estimates = cache.computed(_estimates, self.results, label, self.k, self.left_out)
        return {key: estimate.value for key, estimate in estimates.items()}

    @cached_property
    def ordered(self) -> dict:
        """{selector: Map} with the columns in the chosen order."""
        return self.by_frequency if self.order == "frequency" else self._arranged(self.order)

    def _arranged(self, order):
        runs, numbers, folds = zip(*(_runs_shown(self.results, label, self.k, self.left_out) for label in self.labels))
        return dict(
            zip(
                self.labels,
                arrange(list(runs), self.similarity, order, merged=self.merged, picked=self.highlighted, runs=numbers, folds=folds),
            )
        )


def _runs_shown(results, label, k, left_out):
    """(Selections, numbers of the runs, numbers of their outer folds or None) of the runs of a selector that are shown."""
    runs, numbers, folds = results.selections(label, k), results.run_numbers(label), results.folds(label)
    shown = [i for i in range(runs.n_runs) if not folds or folds[i] not in left_out]
    if len(shown) < runs.n_runs:
        runs = runs.take(shown)
    return runs, [numbers[i] for i in shown], [folds[i] for i in shown] if folds else None


def _estimates(results, label, k, left_out):
    return stability(_runs_shown(results, label, k, left_out)[0], ["nogueira", "importance_weighted"])


def choose(view) -> MapView:
    """Ask for selectors, order, groups and folds."""
    left, right = st.columns(2)
    with left:
        labels = _selectors(view.results)
    with right:
        order = st.selectbox(
            "Order of the features",
            ORDERS,
            format_func=ORDERS.__getitem__,
            **session.bound(session.FEATURE_ORDER, "frequency", ORDERS),
        )
        merged = _merged(view.similarity.labels is not None and len(view.similarity.group_names) > 0)
        alike = st.toggle("Runs that selected alike beside each other", **session.bound(session.RUNS_CLUSTERED, False))
        has_ways = bool(ways_of(view))
        coloured = (
            st.toggle(
                "Colours tell which way features go with the outcome",
                disabled=not has_ways,
                help="On all rows, as told on Panel under “Which way”. Highlighted features keep their own colours. "
                "It needs the table of the study, and an outcome with two classes or a number: selections that "
                "were brought alone say nothing about it.",
                **session.bound(session.DIRECTIONS_COLOURED, False),
            )
            and has_ways
        )
    left_out = _folds_left_out(sorted({fold for label in labels for fold in view.results.folds(label) or ()}))
    return view.extended(
        MapView, labels=list(dict.fromkeys(labels)), order=order, merged=merged, alike=alike, left_out=left_out, coloured=coloured
    )


def ways_of(view) -> dict:
    """{feature: which way it goes with the outcome} in the table that tells it; {} where there is none, or no way."""
    data = view.telling_data()
    return {} if data is None else cache.computed(ways, data)


def _selectors(results):
    labels = [controls.selector_choice(results, session.SELECTOR, "Selector")]
    if len(results.finished_selectors) > 1 and st.toggle(
        "Compare with another selector", **session.bound(session.HAS_SECOND_SELECTOR, False)
    ):
        labels.append(controls.selector_choice(results, session.SECOND_SELECTOR, "Beside it", default=1))
    return labels


def _merged(has_groups):
    merged = st.toggle(
        "Merge the members of each group",
        disabled=not has_groups,
        help="A column is a group then; it is filled as strongly as many of its members were selected. The groups "
        "are those of Groups & C.",
        **session.bound(session.GROUPS_MERGED, False),
    )
    if not has_groups:
        words.tell("The chosen scenario has no groups to merge; groups are made on Groups & C.")
    return merged and has_groups


def _folds_left_out(folds):
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
        words.tell(
            f"What if outer fold {', '.join(map(str, sorted(left_out)))} had not been run? Its runs are left blank and "
            "count nowhere on this page."
        )
    return left_out


def grids(view):
    """The grids, above what is said and asked about their columns."""
    first = view.ordered[view.labels[0]]
    never = [name for name in view.highlighted if first.column_of[view.results.features.index(name)] < 0]
    if never:
        st.info(f"Highlighted, but never selected here: {text.plain(', '.join(never))}.", icon=":material/info:")
    words.tell(
        "One row a feature, one column a run; a filled cell was selected. Unbroken rows are features that always come back "
        "(Kalousis grid). Click a bar beside a name to highlight that feature everywhere."
    )
    if view.order == "coselection" and len(first.columns) > MAX_CLUSTERED:
        words.tell(
            f"With more than {MAX_CLUSTERED:,} columns the order follows the first principal component of the selections "
            "instead of a clustering tree."
        )
    span = _span(first)
    with view.top:
        _side_by_side(view.labels, lambda label, name: _grid(view, span, label, name))


def rectangle_maps(view):
    """The maps of importances."""
    st.header("How much each feature counted", divider="gray")
    words.tell(
        "One bar a run; the width of a piece is the importance of a feature, the features selected most often on the left. "
        "Colours that stay in line are importance you can count on (Hamer–Dupont map). φ: how often the same features come "
        "back (Nogueira); φ_iw: the same, each counted by its importance. Unnamed: the part of all importance "
        "that belongs to features without a name above the bars, whatever their colour."
    )
    if meanings := list(dict.fromkeys(filter(None, map(view.results.importance_told, view.labels)))):
        words.tell(text.plain(f"Importance here: {'; '.join(meanings)}."))
    d = len(view.results.features)
    most = (
        d
        if d <= 5
        else st.slider("Features drawn one by one", **session.bound_range(session.FEATURES_DRAWN, 5, min(200, d), min(40, d)))
    )
    _side_by_side(view.labels, lambda label, name: _rectangles(view, most, label, name))


def _span(first):
    """(first, last) place in the order that is looked at, where there are too many columns to draw them all; else None."""
    columns = len(first.columns)
    if columns <= MAX_CELLS:
        return None
    places = range(1, columns + 1)
    chosen = session.usual(session.PLACES_SHOWN, (1, columns))
    if len(chosen) != 2 or not set(chosen) <= set(places) or chosen[0] > chosen[1]:  # of other results, or an address
        st.session_state[session.PLACES_SHOWN] = (1, columns)
    st.session_state[session.PLACES_SHOWN] = tuple(st.session_state[session.PLACES_SHOWN])
    span = st.slider("Places in the order to look at", 1, columns, **session.bound(session.PLACES_SHOWN, (1, columns)))
    if span[1] - span[0] < MAX_CELLS:
        words.tell("Few enough columns to see, point at and click every one of them.")
        return span
    a_pixel = columns_a_pixel(first.part(*span))
    words.tell(
        (f"One pixel covers {a_pixel} places: the darker, the more of them were selected. " if a_pixel > 1 else "")
        + f"The {MAX_CELLS} most frequent columns shown can be clicked as points on the line; take {MAX_CELLS} places "
        "or fewer to see and click every one."
    )
    return span


def _side_by_side(labels, draw):
    """draw(label, name) for each selector, two beside each other."""
    for place, label, name in zip(st.columns(len(labels)), labels, ("", "-2")):
        with place:
            if len(labels) > 1:
                st.markdown(f"**{text.plain(label)}**")
            draw(label, name)


def _grid(view, span, label, name):
    """The Kalousis grid of one selector."""
    results, whole = view.results, view.ordered[label]
    part = whole.part(*span) if span else whole
    drawn = part.by_direction(ways_of(view)) if view.coloured else part
    often = "" if view.left_out else describe_frequencies(results, label, results.selections(label, view.k).frequencies, view.k)
    drawn = drawn.by_likeness() if view.alike else drawn
    figures.figure(
        draw_grid(drawn),
        f"{finding_grid(part, len(results.features))} {often}".strip(),
        lambda: frame_grid(part),
        f"grid{name}",
        pick=_highlight_columns(results.features, whole),
        tallest=TALLEST,
        of=label,
    )


def _rectangles(view, most, label, name):
    """The Hamer–Dupont map of one selector."""
    whole = view.by_frequency[label]
    frame = frame_importance_map(whole, most, view.values(label))
    if whole.weights is None:
        why = view.results.selections(label, view.k).no_importances
        st.info(
            text.plain(f"Every selected feature counts the same here: {why or 'these runs carry no importances'}."),
            icon=":material/info:",
        )
    figures.figure(
        draw_importance_map(frame, whole),
        finding_importance_map(frame, whole.merged),
        frame,
        f"rectangles{name}",
        pick=_highlight_columns(view.results.features, whole),
        of=label,
    )
    often = frequent_features(whole)
    if often:
        words.tell(text.plain(f"In at least 80% of the runs: {', '.join(often)}."))
    if len(frame) > MAX_SEGMENTS:
        words.tell(
            f"With more than {MAX_SEGMENTS:,} pieces this is a picture: its pieces cannot be clicked and do not say their "
            "names. Draw fewer features one by one to have that back."
        )


def _highlight_columns(features, shown):
    """What a click on columns does: highlights their features everywhere, or no more."""

    def clicked(positions):
        for position in dict.fromkeys(position for position in positions if position):
            highlights.toggle([features[i] for i in shown.members(position - 1)])

    return clicked
