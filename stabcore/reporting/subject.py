"""The subject of a report: the results, the table if available, C, and all values computed from them."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import pandas as pd

from stabcore.analysis import compare_selectors
from stabcore.analysis.clinical_worth import ClinicalWorth, clinical_worth, has_enough_rows
from stabcore.analysis.consensus import shared_panels
from stabcore.analysis.effects import effects, split_effects
from stabcore.analysis.noise_floors import blind_selectors, floor_frequencies, noise_floors
from stabcore.analysis.panel import chosen_selectors, false_selection_bounds, joint_false_selections, panel
from stabcore.analysis.rank_intervals import rank_intervals
from stabcore.base.errors import InputError
from stabcore.base.text import counted
from stabcore.data.blanks import blanks_by_class
from stabcore.inference.panel_rule import THRESHOLD, PanelRule
from stabcore.inference.predictions import default_score
from stabcore.plots.added_value import frame_added_value
from stabcore.plots.feature_values import frame_values
from stabcore.plots.noise_floor import floor_facets, floor_is_measured, frame_beyond
from stabcore.similarity.similarity import Similarity
from stabcore.study.new_patients import stored_intervals

if TYPE_CHECKING:
    from typing import Any

    import numpy as np

    from stabcore.data.dataset import Dataset
    from stabcore.similarity.scenario import Scenario
    from stabcore.study.results import AnyResult
    from stabcore.study.risk import Risk

MAX_RANKED, MAX_DRAWN = 20, 12  # features whose effects are ranked, and whose values are drawn
NOT_ANSWERED = "not answered"
FILTERED = {
    "no": "The columns were chosen without use of the outcome.",
    "yes": "Some columns were chosen beforehand by the outcome of the same patients.",
    NOT_ANSWERED: "It is not stated whether columns were chosen beforehand by the outcome.",
}


@dataclass(frozen=True, eq=False)
class Subject:
    """The subject of a report.

    result           a result of a study, or uploaded selections
    similarity       C. scenario: its definition, if known
    data             the table of the study, or None
    table_of_upload  a table with the features of uploaded selections, for their effects, or None
    asked            the rule of the panel. None: that of the study, else a threshold of 0.75
    filtered         whether columns were chosen by looking at the outcome: a key of FILTERED
    source           of the patients, in the user's words
    risk             risk instability, if it was computed
    subgroups        agreement of subgroups, if it was computed
    Raises InputError for a table of another study, or an answer outside of FILTERED.
    """

    result: Any  # a StudyResult where is_study, else Results
    similarity: Similarity
    scenario: Scenario | None = None
    data: Dataset | None = None
    asked: PanelRule | None = None
    filtered: str = NOT_ANSWERED
    source: str = ""
    risk: Risk | None = None
    table_of_upload: Dataset | None = None
    subgroups: pd.DataFrame | None = None
    _answers: dict = field(default_factory=dict)

    def __post_init__(self):
        if not isinstance(self.source, str):
            raise InputError(f"Give source as a text, such as 'Patients of one clinic'. Found {type(self.source).__name__}.")
        if self.filtered not in FILTERED:
            raise InputError(
                f"The answer whether columns were chosen by the outcome must be one of {', '.join(FILTERED)}. Found "
                f"{self.filtered!r}."
            )
        if not self.result.finished_selectors:
            raise InputError("No selector has finished two runs yet, so there is nothing to report.")
        if self.data is not None and self.is_study and self.data.fingerprint != self.result.settings["data"]["fingerprint"]:
            raise InputError(
                "This is not the table of the study: its fingerprint differs. Give the same file with the same columns left out, "
                "or make the report without the table."
            )

    @property
    def is_study(self) -> bool:
        """Whether a study made these runs, so that plan, settings and seeds are known."""
        return self.result.plan is not None

    @property
    def data_with_directions(self) -> Dataset | None:
        """The table with the directions of features: that of the study, or one beside uploaded selections."""
        return self.data if self.is_study else self.table_of_upload

    @cached_property
    def added(self) -> pd.DataFrame:
        """The added value of the selected features over the given columns, without rows if there are none."""
        return frame_added_value(self.result.added_value(), self.result.given) if self.result.given else pd.DataFrame()

    @cached_property
    def digest(self) -> str:
        """The fingerprint of the results of a study."""
        return self.result.digest()

    @cached_property
    def labels(self) -> list[str]:
        """The selectors of the panel: all but baselines."""
        return chosen_selectors(self.result)

    @property
    def measures(self) -> tuple[str, ...]:
        """The measures of stability. The effective one only if features are similar, because it equals the other otherwise."""
        return ("nogueira", "effective") if self.similarity.n_related else ("nogueira",)

    @cached_property
    def compared(self) -> AnyResult:
        """The result in which stabilities compare two disjoint halves, where the plan has them."""
        return self.result.as_compared()

    @cached_property
    def table(self) -> pd.DataFrame:
        """One row per selector: stability by each measure, accuracy, size."""
        return self.compared.table(list(self.measures), similarity=self.similarity)

    @cached_property
    def floors(self) -> dict[str, pd.DataFrame]:
        """{measure: stability and noise floor of each selector}."""
        return {key: noise_floors(self.compared, key, self.similarity if key == "effective" else None) for key in self.measures}

    @cached_property
    def beyond(self) -> pd.DataFrame:
        """Stability and noise floor of each selector, by halves if the study has them, and by all runs."""
        result, C = self.result, self.similarity

        def over_all_runs(key):
            return noise_floors(result, key, C) if self.result.has_halves else self.floors[key]

        return frame_beyond(floor_facets(result, C, lambda key: result.split_half(key, C), over_all_runs), blind_selectors(result))

    @property
    def judged(self) -> bool:
        """Whether the noise floor was measured. Without it, no stability is judged."""
        return floor_is_measured(self.beyond)

    @cached_property
    def new_patients(self) -> pd.DataFrame:
        """Intervals for new patients in the study file."""
        return stored_intervals(self.data, self.result) if self.data is not None else pd.DataFrame()

    def stability_pairs(self, measure) -> pd.DataFrame:
        """Comparisons of all pairs of selectors by a measure."""
        similarity = self.similarity if measure == "effective" else None
        return self.cached(measure, lambda: compare_selectors.stability_pairs(self.compared, measure, similarity))

    @cached_property
    def score(self) -> str:
        """The score of predictions, balanced accuracy if classes differ in size, "" without predictions."""
        return default_score(self.result, self.table)

    @cached_property
    def score_pairs(self) -> pd.DataFrame:
        """Comparisons of all pairs of selectors by that score."""
        return compare_selectors.score_pairs(self.result, self.score)

    @cached_property
    def guessing(self) -> pd.DataFrame:
        """Whether each selector predicts better than a model without features, by that score."""
        return self.result.beats_guessing(self.score or None)

    @property
    def rule(self) -> PanelRule:
        """The rule of the panel."""
        return self.asked or PanelRule.from_settings(self.result.settings) or PanelRule()

    @property
    def threshold(self) -> float:
        """The least selection frequency in the panels of single selectors, which a limit on false features does not set."""
        return THRESHOLD if self.rule.is_target else self.rule.value

    @cached_property
    def panel(self) -> pd.DataFrame:
        """The panel of all selectors together."""
        rule: Any = self.rule.settings()
        return panel(self.result, similarity=self.similarity, selectors=self.labels, with_substitutes=False, **rule)

    @cached_property
    def false(self) -> pd.DataFrame:
        """Expected false selections of each selector."""
        return false_selection_bounds(self.result, self.threshold).set_index("selector")

    @cached_property
    def false_in_panel(self) -> dict:
        """Expected false selections of the panel."""
        return joint_false_selections(self.result, self.labels, self.rule)

    @cached_property
    def highest_shuffled(self) -> np.ndarray:
        """The selection frequency of the most frequent feature in each shuffle of the outcome."""
        return floor_frequencies(self.result, self.labels)[1]

    @cached_property
    def values(self) -> pd.DataFrame:
        """The values of the features of the panel by outcome. Empty without a table."""
        members = self.members[:MAX_DRAWN]
        return self.panel.iloc[:0] if self.data_with_directions is None else frame_values(self.data_with_directions, members)

    @cached_property
    def effects(self) -> pd.DataFrame | None:
        """Direction and size of the effect of each feature, None without a table."""
        return None if self.data_with_directions is None else effects(self.data_with_directions)

    @cached_property
    def rank_intervals(self) -> pd.DataFrame | None:
        """Rank intervals of the effects of the most frequently selected features, None without a table."""
        data = self.data_with_directions
        names = [name for name in self.panel["feature"].head(MAX_RANKED) if data is not None and name in data.features]
        return None if data is None else rank_intervals(data, names)

    @cached_property
    def other_half(self) -> pd.DataFrame | None:
        """Effects, on the other half, of features selected on one half. None without the table or without halves."""
        if self.data is None or not self.result.has_halves or 1 not in self.result.run_numbers(self.labels[0]):
            return None
        return split_effects(self.data, self.result, self.labels[0])

    @cached_property
    def worth(self) -> ClinicalWorth | None:
        """Clinical worth of the panel, with the runs of its first selector. None without the table, two classes, and a model."""
        if self.data is None or not self.has_worth:
            return None
        return clinical_worth(self.data, self.members, self.result, self.labels[0])

    @cached_property
    def has_worth(self) -> bool:
        """Whether the panel has a clinical worth, which takes long to compute."""
        if self.data is None or not self.is_study or len(self.data.classes) != 2 or not self.members:
            return False
        return has_enough_rows(self.data, self.members)

    @cached_property
    def members(self) -> list[str]:
        """The features of the panel."""
        return self.panel.loc[self.panel["in_panel"], "feature"].tolist()

    @cached_property
    def blanks(self) -> pd.DataFrame | None:
        """Missing cells of each feature by class, None without a table."""
        return None if self.data is None else blanks_by_class(self.data)

    @cached_property
    def missing(self) -> dict:
        """{selector: a sentence on its missing runs}."""
        return self.result.missing_runs().set_index("selector")["sentence"].to_dict()

    @cached_property
    def shared(self) -> pd.DataFrame:
        """Features shared by the panels of the selectors."""
        return shared_panels(self.result, self.threshold)

    def similarity_sentence(self) -> str:
        """Describe the similar features."""
        if self.scenario is not None:
            return self.scenario.sentence(self.similarity)
        return f"The similarity matrix has {counted(self.similarity.n_related, 'pair')} of similar features (C > 0)."

    def cached(self, key, make):
        """Return make(), computed once."""
        if key not in self._answers:
            self._answers[key] = make()
        return self._answers[key]
