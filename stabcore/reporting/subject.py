"""What a report is about: the results, the table if it is at hand, C, and what is computed of them once."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from stabcore.analysis import compare_selectors
from stabcore.analysis.consensus import shared_panels
from stabcore.analysis.effects import effects, split_effects
from stabcore.analysis.noise_floors import blind, floors, panel_floor
from stabcore.analysis.panel import THRESHOLD, chosen_selectors, false_selection_bounds, false_together, panel
from stabcore.analysis.rank_intervals import rank_intervals
from stabcore.base.errors import InputError
from stabcore.base.text import several
from stabcore.data.blanks import blanks_by_class
from stabcore.inference.predictions import default_score
from stabcore.plots.noise_floor import floor_is_measured, frame_beyond, frame_floor, panels_of
from stabcore.similarity.similarity import Similarity
from stabcore.study.new_patients import kept_intervals

if TYPE_CHECKING:
    from typing import Any

    import numpy as np
    import pandas as pd

    from stabcore.data.dataset import Dataset
    from stabcore.similarity.scenario import Scenario
    from stabcore.study.risk import Risk

RANKED = 20  # features whose effects are ranked
UNKNOWN = "not answered"
FILTERED = {
    "no": "The columns were chosen without looking at the outcome.",
    "yes": "Some columns were chosen beforehand by looking at the outcome of the same patients.",
    UNKNOWN: "Whether columns were chosen beforehand by looking at the outcome was not answered.",
}


@dataclass(frozen=True, eq=False)
class Subject:
    """What a report is about.

    result      of a study, or selections that were brought
    similarity    C, which features stand for each other; scenario: how it was made, if that is known
    data        the table of the study, or None
    beside      of selections that were brought: a table with their features, which tells which way these go; or None
    threshold   of the panel, a share of the runs
    filtered    were columns chosen by looking at the outcome: a key of FILTERED
    source      where the patients come from, in somebody's own words
    risk        how far each patient's risk moves, where that was asked
    Raises InputError for a table of another study, or an answer that is none of FILTERED.
    """

    result: Any  # a StudyResult where is_study, else Results
    similarity: Similarity
    scenario: Scenario | None = None
    data: Dataset | None = None
    threshold: float = THRESHOLD
    filtered: str = UNKNOWN
    source: str = ""
    risk: Risk | None = None
    beside: Dataset | None = None
    _answers: dict = field(default_factory=dict)

    def __post_init__(self):
        if self.filtered not in FILTERED:
            raise InputError(
                f"Whether columns were chosen by looking at the outcome is answered by {', '.join(FILTERED)}; found "
                f"{self.filtered!r}."
            )
        if not self.result.finished_selectors:
            raise InputError("No selector has finished two runs yet, so there is nothing to report.")
        if self.data is not None and self.is_study and self.data.fingerprint != self.result.settings["data"]["fingerprint"]:
            raise InputError(
                "This is not the table that the study was made of: its fingerprint differs. Bring the very file, with "
                "the same columns left out, or make the report without the table."
            )

    @property
    def is_study(self) -> bool:
        """Did a study make these runs, so that plan, settings and seeds are known?"""
        return self.result.plan is not None

    @cached_property
    def digest(self) -> str:
        """The fingerprint of the results of a study."""
        return self.result.digest()

    @cached_property
    def labels(self) -> list[str]:
        """Selectors whose panel it is: all but baselines."""
        return chosen_selectors(self.result)

    @property
    def measures(self) -> tuple[str, ...]:
        """The measures of stability; the effective one only where features are similar, as it is the same otherwise."""
        return ("nogueira", "effective") if self.similarity.n_related else ("nogueira",)

    @cached_property
    def table(self) -> pd.DataFrame:
        """One row per selector: stability by each measure, accuracy, size."""
        return self.result.table(list(self.measures), similarity=self.similarity)

    @cached_property
    def floors(self) -> dict[str, pd.DataFrame]:
        """{measure: each selector beside its noise floor}."""
        return {key: floors(self.result, key, self.similarity if key == "effective" else None) for key in self.measures}

    @cached_property
    def noise_floor(self) -> pd.DataFrame:
        """That of the usual stability, as pictures and sentences take it."""
        return frame_floor(self.result, computed=self.floors["nogueira"].drop(columns=["low", "high"]))

    @property
    def has_halves(self) -> bool:
        """Did the study make complementary halves?"""
        return self.is_study and self.result.plan.separate_halves

    @cached_property
    def beyond(self) -> pd.DataFrame:
        """Each selector beside its noise floor, by halves where the study made them, and by all runs."""
        return frame_beyond(
            panels_of(
                self.result, self.similarity, lambda key: self.result.split_half(key, self.similarity), lambda key: self.floors[key]
            ),
            blind(self.result),
        )

    @property
    def judged(self) -> bool:
        """Was the noise floor measured? Without it nothing is judged."""
        return floor_is_measured(self.beyond)

    @cached_property
    def new_patients(self) -> pd.DataFrame:
        """Intervals for new patients that the study file holds."""
        return kept_intervals(self.data, self.result) if self.data is not None else pd.DataFrame()

    def stability_pairs(self, measure) -> pd.DataFrame:
        """Every two selectors compared by a measure."""
        return self.once(
            measure,
            lambda: compare_selectors.stability_pairs(self.result, measure, self.similarity if measure == "effective" else None),
        )

    @cached_property
    def score(self) -> str:
        """The score of predictions that is known, balanced accuracy first where classes differ in size; "" where none is."""
        return default_score(self.result, self.table)

    @cached_property
    def score_pairs(self) -> pd.DataFrame:
        """Every two selectors compared by that score."""
        return compare_selectors.score_pairs(self.result, self.score)

    @cached_property
    def alike(self) -> tuple[pd.DataFrame | None, list[list[str]]]:
        """(every two selectors, groups) whose errors cannot be told apart; empty without predictions."""
        return self.result.indistinguishable() if self.result.keeps_predictions else (None, [])

    @cached_property
    def panel(self) -> pd.DataFrame:
        """The panel of all selectors together."""
        return panel(self.result, self.threshold, None, self.similarity, self.labels, with_swaps=False)

    @cached_property
    def false(self) -> pd.DataFrame:
        """How many features of each selector may be false."""
        return false_selection_bounds(self.result, self.threshold).set_index("selector")

    @cached_property
    def false_together(self) -> dict:
        """How many features of the panel may be false."""
        return false_together(self.result, self.labels, self.threshold)

    @cached_property
    def luckiest(self) -> np.ndarray:
        """How often the luckiest feature of each shuffle of the outcome is selected."""
        return panel_floor(self.result, self.labels)[1]

    @cached_property
    def effects(self) -> pd.DataFrame | None:
        """Direction and size of each feature; None without a table."""
        if not self.is_study:
            return None if self.beside is None else effects(self.beside)
        return None if self.data is None else effects(self.data)

    @cached_property
    def places(self) -> pd.DataFrame | None:
        """Rank intervals of the effects of the features that were selected most often; None without a table."""
        data = self.data if self.is_study else self.beside
        names = [name for name in self.panel["feature"].head(RANKED) if data is not None and name in data.features]
        return None if data is None else rank_intervals(data, names)

    @cached_property
    def other_half(self) -> pd.DataFrame | None:
        """Effects on the other half of what one half of the patients selected; None without the table or without halves."""
        if self.data is None or not self.has_halves or 1 not in self.result.run_numbers(self.labels[0]):
            return None
        return split_effects(self.data, self.result, self.labels[0])

    @cached_property
    def blanks(self) -> pd.DataFrame | None:
        """Missing cells of each feature by class; None without a table."""
        return None if self.data is None else blanks_by_class(self.data)

    @cached_property
    def missing(self) -> dict:
        """{selector: what its numbers rest on} where runs are missing."""
        return self.result.missing_runs().set_index("selector")["sentence"].to_dict()

    @cached_property
    def shared(self) -> pd.DataFrame:
        """How many features are in the panels of which selectors."""
        return shared_panels(self.result, self.threshold)

    def similarity_sentence(self) -> str:
        """Which features are similar, in plain words."""
        if self.scenario is not None:
            return self.scenario.sentence(self.similarity)
        many = self.similarity.n_related
        verb = "is" if many == 1 else "are"
        return f"{several(many, 'pair')} of features {verb} similar (C > 0)." if many else "No features are similar."

    def once(self, key, make):
        """What make() gives, asked for once."""
        if key not in self._answers:
            self._answers[key] = make()
        return self._answers[key]
