"""What a study file tells of how many features were selected, and of how much each counts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stabcore.classifiers.catalog import learner_name
from stabcore.selectors.of_classifier import KINDS
from stabcore.study.choices import range_told
from stabcore.study.results import Results
from stabcore.wording import joined, several

if TYPE_CHECKING:
    import pandas as pd


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
        at_most = "" if self.fewer_selected().empty else "at most "
        return at_most + range_told({self.selected_by(label) for label in self.selectors})

    def fewer_selected(self) -> pd.DataFrame:
        """DataFrame(asked, fewest, most, fewer, runs) by selector: those of which some runs selected fewer features than asked for.

        A feature that a selector's model does not use is not selected, so that asked is what a run selects at most. fewest, most:
        features selected in a run; fewer: in how many of the runs it was less than asked.
        """
        import pandas as pd

        rows = {}
        for label in self.ready:
            asked, sizes = self.selected_by(label), self.preferences(label).sizes
            if asked is not None and (sizes < asked).any():
                rows[label] = [asked, int(sizes.min()), int(sizes.max()), int((sizes < asked).sum()), len(sizes)]
        return pd.DataFrame.from_dict(rows, orient="index", columns=["asked", "fewest", "most", "fewer", "runs"])

    def fewer_told(self) -> str:
        """That in a sentence or two; "" where every run selected as many as asked for."""
        parts = []
        for asked, short in self.fewer_selected().groupby("asked"):
            each = [f"{label} ({one.fewest} to {one.most}, in {one.fewer} of {several(one.runs, 'run')})" for label, one in
                    short.iterrows()]
            parts.append(f"Some runs select fewer than {several(int(str(asked)), 'feature')}: {joined(each)}.")
        return " ".join([*parts, "A feature that the model of a run does not use is not selected."]) if parts else ""

    def importance_told(self, label: str) -> str:
        """How much a feature counts in the runs of a selector: in the classifier, where that was asked for, else as it weighs."""
        kind = self.settings.get("importances")
        if kind in KINDS:
            return f"{KINDS[kind][0]} ({learner_name(self.settings['classifier'])})"
        entry = self.entry_of(label)
        return "" if entry is None else f"as {label} weighs features ({entry.importance})"
