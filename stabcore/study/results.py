"""Runs: selections to look at, whether a study made them or somebody brought them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from stabcore.errors import InputError
from stabcore.inference.control import NO_CONTROL
from stabcore.inference.dice import NO_REPEATS
from stabcore.inference.estimate import stability
from stabcore.inference.guessing import COLUMNS as GUESSING
from stabcore.measures.catalog import entries
from stabcore.preferences import Preferences
from stabcore.study.accuracy import SCORE_COLUMNS, SCORES
from stabcore.study.missing_runs import missing_runs
from stabcore.wording import several

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    import pandas as pd

    from stabcore.contracts.protocols import MeasureLike
    from stabcore.inference.comparison import Comparison
    from stabcore.relation.relation import Relation
    from stabcore.selectors.catalog import Entry as SelectorEntry
    from stabcore.study.resampling import Plan

QUARTER = 0.25          # what counts as selected when only an order was given (Sechidis et al. 2019)


class Results:
    """Runs of one or more selectors over the same features: what the result screens show.

    Here: selections that somebody brought. StudyResult adds what only a study knows: accuracy, rankings, progress.
    Raises InputError where selectors are about different features.
    """

    def __init__(self, preferences: dict[str, Preferences]) -> None:
        first = next(iter(preferences.values()))
        for label, runs in preferences.items():
            if runs.n_features != first.n_features or runs.features != first.features:
                raise InputError(f"{label!r} is about other features than the first selections; what is compared must have "
                                 "the same features in the same order.")
        self._preferences = preferences
        self.features = first.features
        self.notes = []

    @classmethod
    def from_files(cls, files: Iterable[tuple[Any, Mapping[str, Any]]], table: Iterable[str] | None = None,
                   columns: Iterable[str] = ()) -> Results:
        """Of files that people bring: (source, options) each, source a path, bytes or text, options label, name, kind, n_features,
        features and answers to questions; table, columns: the features and the columns of a data table that belongs to them.

        The attribute `notes` says what was assumed. Raises InputError for a file that cannot be read as selections, or when
        the files are about different features; Question when a file may mean several things.
        """
        from stabcore.io.selection_files import read_selection_files

        read, notes = read_selection_files(files, table, columns)
        preferences = {label: _as_preferences(one) for label, one in read.items()}
        for label, selections in read.items():
            if selections.kind in ("scores", "ranks"):
                k = preferences[label].sizes.max()
                notes.append(f"{label}: {selections.kind} select nothing by themselves; the best {k:.0f} features of each run "
                             "count as selected until you ask for another number.")
        results = cls(preferences)
        results.notes = notes
        return results

    @property
    def selectors(self) -> list[str]:
        """Labels of the selectors."""
        return list(self._preferences)

    def called(self, label: str) -> str:
        """What a selector is called here."""
        return label

    def entry_of(self, label: str) -> SelectorEntry | None:
        """The catalogue entry of a selector: of selections that were brought nobody knows it."""
        return None

    def importance_told(self, label: str) -> str:
        """What the importances of a selector are; "" of those that were brought, of which nobody knows."""
        return ""

    @property
    def plan(self) -> Plan | None:
        """The resampling plan; None: nobody knows how the runs came about, so what they share without any signal is not known."""
        return None

    @property
    def ready(self) -> list[str]:
        """Selectors with at least two runs, so that there is agreement to measure."""
        return self.selectors

    def sentence(self) -> str:
        """What these runs are, in plain words."""
        runs = several(self.n_runs, "run")
        if len(self.selectors) > 1:
            alike = len({one.n_runs for one in self._preferences.values()}) == 1
            runs = f"{len(self.selectors)} sets of selections, {'' if alike else 'up to '}{runs} each"
        return f"{runs}, {len(self.features):,} features."

    @property
    def n_runs(self) -> int:
        """Runs of the selector that has most."""
        return max(one.n_runs for one in self._preferences.values())

    def preferences(self, label: str, k: int | None = None) -> Preferences:
        """Preferences of one selector; with `k`, its k best features in every run (needs a ranking)."""
        runs = self._preferences[label]
        return runs if k is None else runs.top(k)

    def paired(self, first: str, second: str, k: int | None = None) -> tuple[Preferences, Preferences, bool]:
        """(Preferences of both, on the runs that both have; whether these rest on the same resamples, one by one)."""
        return self.preferences(first, k), self.preferences(second, k), False

    def compare_scores(self, first: str, second: str, score: str = "accuracy") -> Comparison:
        """Comparison of how well two selectors predict new patients: here nobody knows. Raises InputError."""
        raise InputError("Selections that were brought along have no accuracy.")

    def beats_guessing(self, score: str | None = None) -> pd.DataFrame:
        """Which selectors predict better than always naming the larger class: here nobody knows. See StudyResult.beats_guessing."""
        import pandas as pd

        return pd.DataFrame(columns=list(GUESSING), index=pd.Index([], name="selector"))

    def run_scores(self, label: str, score: str = "accuracy") -> dict[int, float]:
        """{number of the run: score of its predictions}: none here, as selections that were brought along predicted nothing."""
        return {}

    @property
    def n_selected(self) -> int | None:
        """How many features each run was asked to select; None when nobody knows."""
        return None

    @property
    def keeps_predictions(self) -> bool:
        """Were rows predicted, so that errors can be compared?"""
        return False

    def run_numbers(self, label: str) -> list[int]:
        """What the runs in `preferences(label)` are called, from 1."""
        return list(range(1, self.preferences(label).n_runs + 1))

    def folds(self, label: str) -> list[int] | None:
        """Number of the outer fold, from 1, of each run in `preferences(label)`; None unless there are several."""
        return None

    def can_rank(self, label: str) -> bool:
        """Do its runs rank the features, so that other cardinalities can be asked for?"""
        runs = self._preferences[label]
        return runs.ranks is not None or runs.scores is not None

    def longest(self, labels: Iterable[str]) -> int:
        """The most features that any of these selectors ranks in all its runs."""
        return max(self.preferences(label).n_ranked for label in labels)

    def accuracy(self) -> pd.DataFrame:
        """DataFrame, one row a selector, of what is known about its predictions: here only sizes and runs."""
        import pandas as pd

        rows = [{"selector": label, "mean_size": self.preferences(label).sizes.mean(), "runs": self.preferences(label).n_runs}
                for label in self.ready]
        return pd.DataFrame(rows, columns=["selector", *SCORE_COLUMNS]).set_index("selector").assign(accuracy_note="")

    @property
    def has_control(self) -> bool:
        """Was the outcome shuffled too, and is a shuffle done, so that noise floors are known?"""
        return False

    def floor(self, measure: MeasureLike = "nogueira", relation: Relation | None = None, k: int | None = None) -> pd.DataFrame:
        """The noise floor of each selector: of selections that were uploaded it is not known. Raises InputError."""
        raise InputError(NO_CONTROL)

    def shuffled_frequencies(self, labels: str | Iterable[str], k: int | None = None) -> np.ndarray:
        """How often features are selected with the outcome shuffled: here nobody knows. Raises InputError."""
        raise InputError(NO_CONTROL)

    def frequency_line(self, label: str, k: int | None = None) -> float:
        """How often the luckiest feature is selected with the outcome shuffled: here nobody knows. Raises InputError."""
        raise InputError(NO_CONTROL)

    @property
    def blind(self) -> list[str]:
        """The selectors that do not look at the outcome: of selections that were uploaded none is known to be one."""
        return []

    @property
    def has_repeats(self) -> bool:
        """Were runs fitted again with other dice on the same rows, so that `own_dice` has an answer?"""
        return False

    def own_dice(self, k: int | None = None) -> pd.DataFrame:
        """Whose the disagreement is: here nobody knows. Raises InputError; see StudyResult.own_dice."""
        raise InputError(NO_REPEATS)

    def missing_runs(self) -> pd.DataFrame:
        """DataFrame of the selectors of which runs are missing: of selections that were brought nobody knows."""
        return missing_runs({})

    def table(self, measures: MeasureLike | Iterable[MeasureLike] = ("nogueira",), relation: Relation | None = None,
              k: int | None = None) -> pd.DataFrame:
        """DataFrame, one row a selector: each measure with its _low, _high and _note; mean size and accuracy beside it.

        measures: keys, and measures of one's own, whose columns are called as they are.

        k: as if every run had selected its k best features; the accuracy of that is not known. Selectors with fewer than two
        finished runs are left out. Raises InputError for an unknown measure; what else hinders one stands in its _note.
        """
        import pandas as pd

        wanted, rows = entries(measures), []
        for label in self.ready:
            runs = self.preferences(label, k)
            row = {"selector": label, "mean_size": runs.sizes.mean()}
            for key, estimate in stability(runs, wanted, relation=relation).items():
                row |= {key: estimate.value, f"{key}_low": estimate.low, f"{key}_high": estimate.high,
                        f"{key}_note": estimate.reason or " ".join(estimate.warnings)}
            rows.append(row)
        columns = ["selector", *(f"{one.key}{part}" for one in wanted for part in ("", "_low", "_high", "_note")), "mean_size"]
        known = self.accuracy().drop(columns="mean_size")
        if k is not None:
            known[[f"{score}{part}" for score in SCORES for part in ("", "_low", "_high")]] = np.nan
            known["accuracy_note"] = ""
        return pd.DataFrame(rows, columns=columns).set_index("selector").join(known)


def _as_preferences(read) -> Preferences:
    """Preferences of Selections as they were read."""
    if read.kind == "sets":
        return Preferences.from_sets(read.sets, features=read.features)
    if read.kind == "selection matrix":
        return Preferences.from_selection_matrix(read.matrix, read.features)
    if read.kind == "importances":
        return Preferences.from_importances(read.matrix, read.features)
    ranked = Preferences.from_scores(-read.matrix if read.kind == "ranks" else read.matrix, read.features)
    ranked = replace(ranked, weighs=read.kind == "scores")
    return ranked.top(max(1, int(QUARTER * ranked.n_features + 0.5)))
