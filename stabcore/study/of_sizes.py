"""What a study file tells of how many features were selected."""

from __future__ import annotations

from stabcore.study.results import Results


class OfSizes(Results):
    """The part of a StudyResult that knows how many features each selector was asked for."""

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
        sizes = {self.selected_by(label) for label in self.selectors}
        known = sorted(sizes - {None})
        told = str(known[0]) if len(known) == 1 else f"{known[0]} to {known[-1]}" if known else ""
        return " or ".join(filter(None, [told, "as many as the selector likes" if None in sizes else ""]))
