"""What the sections of Maps share: which runs of which selectors are drawn, their columns in one order."""

from dataclasses import dataclass
from functools import cached_property

import streamlit as st

from pages.parts import cache, controls, session, words
from pages.parts.view import View
from stabcore.analysis.effects import ways
from stabcore.figures.columns import ORDERS, arrange
from stabcore.inference.estimate import stability


@dataclass(frozen=True, eq=False, kw_only=True)
class MapView(View):
    """One or two selectors, the order of the features, whether members of groups are one row, whether runs that selected
    alike stand beside each other, the outer folds left out, whether colours tell which way features go."""

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
        runs, numbers, folds = zip(*(_shown(self.results, label, self.k, self.left_out) for label in self.labels))
        return dict(zip(self.labels, arrange(list(runs), self.relation, order, merged=self.merged, picked=self.highlighted,
                                             runs=numbers, folds=folds)))


def _shown(results, label, k, left_out):
    """(Preferences, numbers of the runs, numbers of their outer folds or None) of the runs of a selector that are shown."""
    runs, numbers, folds = results.preferences(label, k), results.run_numbers(label), results.folds(label)
    shown = [i for i in range(runs.n_runs) if not folds or folds[i] not in left_out]
    if len(shown) < runs.n_runs:
        runs = runs.take(shown)
    return runs, [numbers[i] for i in shown], [folds[i] for i in shown] if folds else None


def _estimates(results, label, k, left_out):
    return stability(_shown(results, label, k, left_out)[0], ["nogueira", "importance_weighted"])


def choose(view) -> MapView:
    """Ask for selectors, order, groups and folds."""
    left, right = st.columns(2)
    with left:
        labels = _selectors(view.results)
    with right:
        order = st.selectbox("Order of the features", ORDERS, format_func=ORDERS.get,
                             **session.bound(session.ORDER, "frequency", ORDERS))
        merged = _merged(view.relation.labels is not None and len(view.relation.group_names) > 0)
        alike = st.toggle("Runs that selected alike beside each other", **session.bound(session.ALIKE, False))
        known = bool(ways_of(view))
        coloured = st.toggle("Colours tell which way features go with the outcome", disabled=not known,
                             help="On all rows, as told on Panel under “Which way”. Highlighted features keep their own colours. "
                                  "It needs the table of the study, and an outcome with two classes or a number: selections that "
                                  "were brought alone say nothing about it.",
                             **session.bound(session.WAYS, False)) and known
    left_out = _folds_left_out(sorted({fold for label in labels for fold in view.results.folds(label) or ()}))
    return view.extended(MapView, labels=list(dict.fromkeys(labels)), order=order, merged=merged, alike=alike,
                         left_out=left_out, coloured=coloured)


def ways_of(view) -> dict:
    """{feature: which way it goes with the outcome} in the table that tells it; {} where there is none, or no way."""
    data = view.telling_data()
    return {} if data is None else cache.computed(ways, data)


def _selectors(results):
    labels = [controls.selector_choice(results, session.EXPLORED, "Selector")]
    if len(results.ready) > 1 and st.toggle("Compare with another selector", **session.bound(session.BESIDE, False)):
        labels.append(controls.selector_choice(results, session.EXPLORED_BESIDE, "Beside it", default=1))
    return labels


def _merged(has_groups):
    merged = st.toggle("Merge the members of each group", disabled=not has_groups,
                       help="A column is a group then; it is filled as strongly as many of its members were selected. The groups "
                            "are those of Groups & C.",
                       **session.bound(session.MERGED, False))
    if not has_groups:
        words.tell("The chosen scenario has no groups to merge; groups are made on Groups & C.")
    return merged and has_groups


def _folds_left_out(folds):
    if not folds:
        return []
    left_out = st.multiselect("Leave outer folds out", folds, max_selections=len(folds) - 1,
                              format_func=lambda fold: f"fold {fold}", placeholder="All are shown",
                              **session.bound(session.FOLDS_LEFT_OUT, [], folds, len(folds) - 1))
    if left_out:
        words.tell(f"What if outer fold {', '.join(map(str, sorted(left_out)))} had not been run? Its runs are left blank and "
                   "count nowhere on this page.")
    return left_out
