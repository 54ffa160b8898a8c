"""What a screen shows in one rerun: one object, made at its top and handed to its sections; each thing is read once."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from pages.parts import cache, controls, highlights, scenarios
from pages.parts.frame import Frame
from stabcore.analysis.compare_selectors import stability_pairs
from stabcore.analysis.effects import effects
from stabcore.analysis.noise_floors import floors
from stabcore.analysis.similarity_warnings import similarity_warnings
from stabcore.measures.catalog import available, entry
from stabcore.plots.noise_floor import frame_floor

if TYPE_CHECKING:
    from stabcore.similarity.scenario import Scenario
    from stabcore.similarity.similarity import Similarity
    from stabcore.study.results import AnyResult


@dataclass(frozen=True, eq=False)
class View:
    """The results, the number of features k that is asked for (None: what each run selected), and the frame of the screen.

    What a person changes by a click is changed in the session, never here: the next rerun makes another View.
    """

    results: AnyResult
    k: int | None = None
    frame: Frame = field(default_factory=Frame)

    def extended(self, kind, **more):
        """The view of a screen that asks for more, a subclass of View; what was read already is not read again."""
        view = kind(self.results, self.k, self.frame, **more)
        vars(view).update({name: value for name, value in vars(self).items() if name not in vars(view)})
        return view

    @cached_property
    def scenario(self) -> Scenario:
        """Which features stand for each other, as chosen."""
        return scenarios.chosen()

    @cached_property
    def similarity(self) -> Similarity:
        """C of the chosen scenario."""
        return cache.similarity()

    @cached_property
    def measures(self) -> list[str]:
        """Keys of the measures that these runs allow."""
        return [measure.key for measure in available(self.results.selections(self.results.finished_selectors[0], self.k))]

    @cached_property
    def missing_runs(self) -> dict[str, str]:
        """{selector: what its numbers rest on} of those of which runs failed or are not finished."""
        return controls.missing_runs(self.results)

    def own_data(self):
        """The table that the study was made of; None where it is not at hand, or another one."""
        return cache.dataset_of(self.results)

    def telling_data(self):
        """The table that tells which way features go: that of the study, or one that came beside selections that were brought."""
        return cache.matching_data() if self.results.plan is None else self.own_data()

    def effects(self):
        """Direction and size of the effect of each feature in the table; None without it."""
        data = self.telling_data()
        return None if data is None else cache.computed(effects, data)

    @cached_property
    def highlighted(self) -> list[str]:
        """The features that are highlighted on every screen."""
        return highlights.picked()

    def similarity_for(self, measure) -> Similarity | None:
        """C for a measure that needs it."""
        return self.similarity if entry(measure).needs_similarity else None

    def selections(self, labels) -> dict:
        """{label: Selections} of the selections alone, with k features."""
        return {label: cache.selections(self.results, label, self.k) for label in labels}

    def floors(self, measure):
        """What each selector would show without any signal, as stabcore.analysis.noise_floors does."""
        return cache.computed(floors, self.results, measure, self.similarity_for(measure), self.k)

    def drawn_floor(self, measure):
        """The same as pictures draw it, see stabcore.plots.floor."""
        return drawn_floor(self.results, measure, self.similarity_for(measure), self.k)

    def stability_pairs(self, measure):
        """Every two selectors compared by a measure: what is clear rests on these."""
        return cache.computed(stability_pairs, self.results, measure, self.similarity_for(measure), self.k)

    def cautions(self) -> list[str]:
        """What makes the effective stability of these runs hard to read with the chosen relation; each sentence once."""
        return cache.computed_step(_cautions, self.results, cache.similarity_question(self.scenario))

    def similarity_sentence(self) -> str:
        """C of the chosen scenario, in plain words."""
        return cache.computed_step(_similarity_sentence, cache.similarity_question(self.scenario))


def drawn_floor(results, measure, similarity, k):
    """What runs would show without any signal, as pictures draw it: `floors` where there is a control, else one line."""
    return cache.computed(_drawn_floor, results, measure, similarity, k)


def _drawn_floor(results, measure, similarity, k):
    measured = cache.computed(floors, results, measure, similarity, k) if results.has_control else None
    return frame_floor(results, k, measure, similarity, measured)


def _similarity_sentence(question):
    scenario, *_ = question
    return scenario.sentence(cache.made_similarity(question))


def _cautions(results, question):
    similarity = cache.made_similarity(question)
    return list(
        dict.fromkeys(
            sentence
            for label in results.finished_selectors
            for sentence in similarity_warnings(similarity, results.selections(label))
        )
    )
