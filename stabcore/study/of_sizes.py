"""What a study file tells of how many features were selected, and of how much each counts."""

from __future__ import annotations

from stabcore.classifiers.catalog import learner_name
from stabcore.selectors.of_classifier import KINDS
from stabcore.study.cardinality import range_told
from stabcore.study.results import Results


class OfSizes(Results):
    """The part of a StudyResult that knows how many features each selector was asked for, and how they are weighed."""

    settings: dict

    @property
    def n_selected(self) -> int:
        """How many features each run was asked to select."""
        return self.settings["n_selected"]

    def selected_by(self, label: str) -> int | None:
        """How many features each run of one selector was asked to select; None where it settles that itself."""
        about = next((one for one in self.settings["selectors"] if one["label"] == self.called(label)), {})
        return about.get("n_selected", self.n_selected)

    def sizes_told(self) -> str:
        """How many features are selected, where that differs from selector to selector the range."""
        return range_told({self.selected_by(label) for label in self.selectors})

    def importance_told(self, label: str) -> str:
        """How much a feature counts in the runs of a selector: in the classifier, where that was asked for, else as it weighs."""
        kind = self.settings.get("importances")
        if kind in KINDS:
            return f"{KINDS[kind][0]} ({learner_name(self.settings['classifier'])})"
        entry = self.entry_of(label)
        return "" if entry is None else f"as {label} weighs features ({entry.importance})"
