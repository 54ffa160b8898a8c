"""What the sections of Profiles share: the selectors that rank, and what is computed of them once."""

from dataclasses import dataclass

import streamlit as st

from pages.parts import cache, controls, session, text, words
from pages.parts.view import View
from stabcore.analysis.floors import blind, floors
from stabcore.figures.noise_floor import frame_beyond
from stabcore.figures.profiles import frame_agreement_cutoffs, frame_profiles


@dataclass(frozen=True, eq=False, kw_only=True)
class ProfileView(View):
    """The selectors whose runs rank the features."""

    rankers: list[str]

    def preferences(self, labels, k=None) -> dict:
        """{label: Preferences} of these selectors."""
        return {label: self.results.preferences(label, k) for label in labels}

    def shuffled(self, labels) -> dict:
        """{label: runs of each shuffle of the outcome} of these selectors; empty without a control."""
        return {label: [one for _, one in self.results.shuffled(label)] for label in labels} if self.results.has_control else {}

    @property
    def share(self):
        """How agreement within and between clusters of the plan is weighed in the few runs of a shuffle."""
        return self.results.cluster_share if self.results.has_control else None

    def profiles(self, measure):
        """Profiles of all that rank beside their own noise floors, computed once."""
        relation, key = self.relation_for(measure)
        return cache.cached(lambda: frame_profiles(self.preferences(self.rankers), measure, relation, self.shuffled(self.rankers),
                                                 self.share), "curves", measure, self.rankers, key)

    def beyond(self, measure):
        """Each selector that ranks beside its noise floor at the chosen number of features."""
        relation, key = self.relation_for(measure)
        return cache.cached(lambda: frame_beyond({"runs": floors(self.results, measure, relation, self.k).loc[self.rankers]},
                                                 blind(self.results)), "beyond at k", measure, self.k, self.rankers, key)

    def knots(self, labels, related=False):
        """Knots of some selectors, computed once. related: features that stand for each other count as shared."""
        relation, key = (self.relation, self.relation_key) if related else (None, None)
        return cache.cached(lambda: frame_agreement_cutoffs(self.preferences(labels), relation), "knots", labels, key)


def ask_size(results, rankers):
    """The number of features that is looked at."""
    longest = results.longest(rankers)
    if longest == 1:
        return 1
    k = session.kept_slider(session.CARDINALITY, "Number of selected features", 1, longest,
                            default=min(controls.usual_cardinality(results), longest),
                            then=lambda: st.session_state.update({session.OTHER_CARDINALITY: True}))
    short = controls.short_rankings(results, rankers, k)
    if short:
        words.tell(text.plain(f"Some runs rank fewer than {k}: their curves end before, and elsewhere all that they rank "
                              f"count: {short}."))
    if st.session_state.get(session.OTHER_CARDINALITY):
        words.tell("Every screen but Pareto asks what this number of features would give, until the what-if is switched off there.")
    return k
