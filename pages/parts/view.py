"""The data of a screen in one rerun: one object that its sections share, with everything read once."""

from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain

from pages.parts import cache, controls, highlights, scenarios
from pages.parts.screen import Screen
from stabcore.analysis.compare_selectors import stability_pairs
from stabcore.analysis.effects import effects
from stabcore.analysis.noise_floors import noise_floors
from stabcore.analysis.similarity_warnings import similarity_warnings
from stabcore.measures.catalog import available_measures, entry
from stabcore.plots.noise_floor import frame_floor
from stabcore.similarity.scenario import Scenario
from stabcore.similarity.similarity import Similarity
from stabcore.study.results import AnyResult


@dataclass(frozen=True, eq=False)
class View:
    """The results, the chosen number of features k (None: the actual selections), and the screen.

    A click changes the session, never the View. The next rerun makes another View.
    """

    results: AnyResult
    k: int | None = None
    screen: Screen = field(default_factory=Screen)

    def extended(self, kind, **more):
        """The view of a screen with more data, a subclass of View, with everything that is already read."""
        view = kind(self.results, self.k, self.screen, **more)
        vars(view).update({name: value for name, value in vars(self).items() if name not in vars(view)})
        return view

    @cached_property
    def compared(self) -> AnyResult:
        """The results in which stabilities compare two disjoint halves, where the plan has them."""
        return cache.compared_results(self.results)

    @cached_property
    def scenario(self) -> Scenario:
        """The chosen feature similarity."""
        return scenarios.chosen()

    @cached_property
    def similarity(self) -> Similarity:
        """C of the chosen scenario."""
        return cache.similarity()

    @cached_property
    def measures(self) -> list[str]:
        """Keys of the measures that these runs allow."""
        return [measure.key for measure in available_measures(self.results.selections(self.results.finished_selectors[0], self.k))]

    @cached_property
    def missing_run_notes(self) -> dict[str, str]:
        """{selector: note on its runs} of selectors with failed or unfinished runs."""
        return controls.missing_run_notes(self.results)

    def study_data(self):
        """The table of the study. None if it is missing or another one."""
        return cache.dataset_of_study(self.results)

    def effect_data(self):
        """The table with the directions of features: that of the study, or one beside uploaded selections."""
        return cache.matching_dataset() if self.results.plan is None else self.study_data()

    def effects(self):
        """Direction and size of the effect of each feature in the table. None without it."""
        data = self.effect_data()
        return None if data is None else cache.computed(effects, data)

    @cached_property
    def highlighted(self) -> list[str]:
        """The features that are highlighted on every screen."""
        return highlights.highlighted_features()

    def similarity_for(self, measure) -> Similarity | None:
        """C for a measure that needs it."""
        return self.similarity if entry(measure).needs_similarity else None

    def selections(self, labels) -> dict:
        """{label: Selections} of the selections alone, with k features."""
        return {label: cache.selections(self.results, label, self.k) for label in labels}

    def noise_floors(self, measure):
        """The noise floor of each selector, see stabcore.analysis.noise_floors."""
        return cache.computed(noise_floors, self.compared, measure, self.similarity_for(measure), self.k)

    def floor_frame(self, measure):
        """The noise floors for figures: measured with a permutation control, else one expected line."""
        return cache.computed(_floor_frame, self.compared, measure, self.similarity_for(measure), self.k)

    def stability_pairs(self, measure):
        """All pairs of selectors compared by a measure, for clear differences."""
        return cache.computed(stability_pairs, self.compared, measure, self.similarity_for(measure), self.k)

    def similarity_warnings(self) -> list[str]:
        """Warnings about the effective stability of these runs with the chosen similarity, each once."""
        return cache.computed_step(_similarity_warnings, self.results, cache.similarity_question(self.scenario))

    def describe_similarity(self) -> str:
        """C of the chosen scenario, in words."""
        return cache.computed_step(_describe_similarity, cache.similarity_question(self.scenario))


def _floor_frame(results, measure, similarity, k):
    measured = cache.computed(noise_floors, results, measure, similarity, k) if results.has_control else None
    return frame_floor(results, k, measure, similarity, measured)


def _describe_similarity(question):
    scenario, *_ = question
    return scenario.sentence(cache.similarity_of_question(question))


def _similarity_warnings(results, question):
    similarity = cache.similarity_of_question(question)
    warnings = (similarity_warnings(similarity, results.selections(label)) for label in results.finished_selectors)
    return list(dict.fromkeys(chain.from_iterable(warnings)))
