"""What the sections of Profiles share: the selectors that rank, and what is computed of them once."""

from dataclasses import dataclass

import streamlit as st

from pages.parts import cache, controls, session, text, words
from pages.parts.view import View
from stabcore.analysis.floors import blind, floors
from stabcore.figures.beyond import frame_beyond
from stabcore.figures.curves import frame_curves
from stabcore.figures.knots import frame_knots


@dataclass(frozen=True, eq=False, kw_only=True)
class ProfileView(View):
    """The selectors whose runs rank the features."""

    rankers: list[str]

    def profiles(self, measure):
        """Profiles of all that rank beside their own noise floors, computed once."""
        return cache.computed(_profiles, self.results, self.rankers, measure, self.relation_for(measure))

    def beyond(self, measure):
        """Each selector that ranks beside its noise floor at the chosen number of features."""
        return cache.computed(_beyond, self.results, self.rankers, measure, self.relation_for(measure), self.k)

    def knots(self, labels, related=False):
        """Knots of some selectors, computed once. related: features that stand for each other count as shared."""
        return cache.computed(_knots, self.results, labels, self.relation if related else None)


def shuffled(results, labels) -> dict:
    """{label: runs of each shuffle of the outcome} of these selectors; empty without a control."""
    return {label: [runs for _, runs in results.shuffled(label)] for label in labels} if results.has_control else {}


def _profiles(results, labels, measure, relation):
    return frame_curves({label: results.preferences(label) for label in labels}, measure, relation, shuffled(results, labels),
                        results.cluster_share if results.has_control else None)


def _beyond(results, labels, measure, relation, k):
    return frame_beyond({"runs": floors(results, measure, relation, k).loc[labels]}, blind(results))


def _knots(results, labels, relation):
    return frame_knots({label: results.preferences(label) for label in labels}, relation)


def ask_size(results, rankers):
    """The number of features that is looked at."""
    longest = results.longest(rankers)
    if longest == 1:
        return 1
    usual = min(controls.usual_cardinality(results), longest)
    k = st.slider("Number of selected features", **session.bound_range(session.CARDINALITY, 1, longest, usual,
                                                                       switches_on=session.OTHER_CARDINALITY))
    short = controls.short_rankings(results, rankers, k)
    if short:
        words.tell(text.plain(f"Some runs rank fewer than {k}: their curves end before, and elsewhere all that they rank "
                              f"count: {short}."))
    if st.session_state.get(session.OTHER_CARDINALITY):
        words.tell("Every screen but Pareto asks what this number of features would give, until the what-if is switched off there.")
    return k
