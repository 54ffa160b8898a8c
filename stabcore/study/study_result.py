"""StudyResult: what came out of a study, read from its file, whether it is finished or still running."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from stabcore.classifiers.catalog import learner_name
from stabcore.errors import InputError
from stabcore.preferences import Preferences
from stabcore.resampling.catalog import plan_from
from stabcore.selectors.catalog import BY_KEY
from stabcore.selectors.model_paths import ModelPath
from stabcore.study.accuracy import by_run, compare_scores, of_every_selector
from stabcore.study.control_result import Controlled
from stabcore.study.guessing import beats_guessing
from stabcore.study.of_plan import OfPlan
from stabcore.study.of_sizes import OfSizes
from stabcore.study.outcome import ARRAYS
from stabcore.study.progress import Progress
from stabcore.study.runs_together import together
from stabcore.study.store import UNTOLD, Named, Store
from stabcore.wording import listed, several

if TYPE_CHECKING:
    from os import PathLike

    import pandas as pd

    from stabcore.inference.comparison import Comparison
    from stabcore.resampling.plan import Plan
    from stabcore.selectors.catalog import Entry as SelectorEntry

MOST_KEPT = 24          # Preferences held at a time
MOST_HELD = 10 ** 7     # or runs times features of them, as a control has many


class StudyResult(Progress, OfPlan, OfSizes, Controlled):
    """A study file, open for reading. Everything it returns rests on the tasks that are done so far."""

    def __init__(self, path: str | PathLike[str], *, named: bool = False) -> None:
        self.store = Named(path) if named else Store(path)
        self.path = Path(path)
        self.settings = UNTOLD | self.store.meta("settings")
        self.features = tuple(self.store.meta("features"))
        self.classes = tuple(self.store.meta("classes"))
        self.target = np.array(self.store.meta("target"))

    @property
    def selectors(self) -> list[str]:
        """Labels of the selectors, in the order of the study."""
        return [one["label"] for one in self.settings["selectors"]]

    def called(self, label: str) -> str:
        """What a selector is called here, which may be told by the key it is stored under."""
        return getattr(self.store, "names", {}).get(label, label)

    def sentence(self) -> str:
        """What this study did, in plain words."""
        done = len(self.store.finished())
        so_far = "" if done == self.total else f" So far {done} of {self.total} tasks are done."
        equal = "" if self.different is None else f" ({self.different} different ones)"
        return (f"{several(len(self.selectors), 'selector')}, {self.plan.sentence()}{equal}, selecting {self.sizes_told()} of "
                f"{len(self.features):,} features; {learner_name(self.settings['classifier'])}, seed {self.settings['seed']}."
                f"{''.join(self._beside())}{so_far}")

    def _beside(self):
        """What was done besides, as sentences."""
        if self.settings["control"]:
            yield f" As a control, the outcome was shuffled {several(self.settings['control'], 'time')}."
        if self.settings["repeat_seeds"] > 1:
            yield f" Selectors with chance inside were fitted {several(self.settings['repeat_seeds'], 'time')} in each run."

    @cached_property
    def plan(self) -> Plan:
        """The resampling plan."""
        return plan_from(self.settings["plan"])

    @cached_property
    def different(self) -> int | None:
        """How many different resamples the finished runs are, where some are equal; None where none are, or nothing tells.

        That the plan tells which rows were learned from: not of bootstrap samples, nor of folds inside of folds.
        """
        if not self.plan.parts_rows:
            return None
        held_out = {one.run: one.held_out.tobytes() for one in self.store.outcomes(columns=("held_out",)) if one.status == "done"}
        different = len(set(held_out.values()))
        return different if different < len(held_out) else None

    @property
    def n_runs(self) -> int:
        """Runs planned for each selector, of those that its stability rests on."""
        return sum(self.plan.measures_stability(run) for run in range(self.plan.runs))

    @property
    def ready(self) -> list[str]:
        """Selectors with at least two finished runs, so that there is agreement to measure."""
        return [label for label in self.selectors if len(self._agreeing(label)) >= 2]

    def can_rank(self, label: str) -> bool:
        """Do its runs rank the features, so that other cardinalities can be asked for?"""
        return True

    def paired(self, first: str, second: str, k: int | None = None) -> tuple[Preferences, Preferences, bool]:
        """(Preferences of both, on the runs that both finished; True: every selector sees the same resamples)."""
        done = [self.run_numbers(label) for label in (first, second)]
        both = set(done[0]) & set(done[1])
        if len(both) < 2:
            raise InputError(f"{first} and {second} have finished {len(both)} runs in common; a comparison needs at least two.")
        if done[0] == done[1]:
            return self.preferences(first, k), self.preferences(second, k), True
        units = together(self.plan, [one for one in self._agreeing(first) if one.run + 1 in both])
        runs_of_first, other = (self.preferences(label, k).take([i for i, run in enumerate(runs) if run in both]).in_units(*units)
                                for label, runs in zip((first, second), done))
        return runs_of_first, other, True

    @property
    def keeps_predictions(self) -> bool:
        """Were rows predicted, so that errors can be compared?"""
        return self.settings["classifier"] != "none"

    def run_numbers(self, label: str, repeat: int = 0) -> list[int]:
        """Numbers, from 1, of the finished runs that the stability of a selector rests on; of those fitted again for a repeat."""
        return [one.run + 1 for one in self._agreeing(label, repeat=repeat)]

    def folds(self, label: str) -> list[int] | None:
        """Number of the outer fold, from 1, of each run in `preferences(label)`; None unless there are several."""
        numbers = [self.plan.block(run - 1) + 1 for run in self.run_numbers(label)]
        return numbers if len(set(numbers)) > 1 else None

    def preferences(self, label: str, k: int | None = None, shuffle: int = 0, repeat: int = 0) -> Preferences:
        """Preferences of one selector over its finished runs; with `k`, what it would have selected at another k.

        That is the first k of its ranking, or the model of its path at k. Importances are left out where those of another k are
        not known. shuffle, repeat: of that shuffle of the outcome, of that other fit. Raises InputError for an unknown selector, or
        while fewer than two runs are finished.
        """
        label = self.called(label)
        runs = self._made.get((label, k, shuffle, repeat))
        if runs is None:
            as_it_was = k in (None, self.selected_by(label))
            runs = (self._put_together(label, shuffle, repeat) if as_it_was else
                    self.preferences(label, None, shuffle, repeat).top(k))
            self._made[label, k, shuffle, repeat] = runs
            most = max(MOST_KEPT, MOST_HELD // (self.plan.runs * len(self.features)))
            for old in list(self._made)[:-most]:        # other sessions may read at the same time: nothing is assumed
                self._made.pop(old, None)
        return runs

    def _put_together(self, label, shuffle, repeat):
        done = self._agreeing(label, shuffle, repeat)
        if len(done) < 2:
            raise InputError(f"{label} has finished {len(done)} of {self.n_runs} runs; agreement needs at least two.")
        return self._preferences_of(label, done)

    def _preferences_of(self, label, done):
        """Preferences of some outcomes of a selector."""
        from scipy.sparse import csr_array

        entry, selected = self.entry_of(label), np.zeros((len(done), len(self.features)))
        scores = np.stack([one.scores for one in done])
        if entry is not None and entry.build.zero_is_out:           # not ranked, and of no weight
            scores = np.nan_to_num(scores)
        for row, one in zip(selected, done):
            row[one.selected] = 1
        return Preferences(csr_array(selected), len(self.features), self.features,
                           raw_importances=csr_array(np.stack([one.importances for one in done])),
                           scores=scores, ranks=np.stack([one.ranking for one in done]),
                           weighs=entry is None or entry.build.weighs, paths=self._paths(label, done),
                           raw_importances_for=self.selected_by(label) if self._importances_of_one_k(label) else None,
                           k=self.selected_by(label)
                           ).in_units(*together(self.plan, done))

    def _importances_of_one_k(self, label) -> bool:
        """Are the importances of a selector known for the features that it selected alone?"""
        kept = self.store.meta("importances_of_one_k")
        entry = self.entry_of(label)
        return kept[label] if kept else entry is None or entry.importances_of_one_k

    def entry_of(self, label: str) -> SelectorEntry | None:
        """The catalogue entry of a selector of this study; None for somebody's own."""
        return BY_KEY.get(next(one.get("key") for one in self.settings["selectors"] if one["label"] == label))

    def _paths(self, label, done):
        """The paths of some runs; None where the first k of a ranking are what is selected at k."""
        if all(one.path is None for one in done) or label in self._without_paths:
            return None
        return tuple(one.path or ModelPath.of_ranking(one.ranking) for one in done)

    @cached_property
    def _without_paths(self) -> list[str]:
        """Selectors that follow a path, of which an earlier version kept no models in some runs."""
        kept = self.store.outcomes(columns=("path_starts",))
        lacking = {one.selector for one in kept if one.status == "done" and one.path_starts is None}
        entries = {label: self.entry_of(label) for label in self.selectors if label in lacking}
        return [label for label, entry in entries.items() if entry is not None and entry.has_path]

    @cached_property
    def notes(self) -> list[str]:        # type: ignore[override]
        """What the reader of any number must know of this file."""
        sentences, without = [], self._without_paths
        if self.store.intact() is False:
            sentences.append("This study file is not as it was when the study ended: something has changed it since. Take another "
                             "copy, or run the study again.")
        if self.store.unknown:
            sentences.append(f"This study file tells of {listed(self.store.unknown)}, which this version knows nothing of: a later "
                             "version made it, or something has changed it since.")
        if without:
            sentences.append(f"An earlier version made this study and did not keep what {listed(without)} would select with "
                             "another number of features: there, the first features to enter the model stand in for it. Run the "
                             "study again to have it right.")
        return [*sentences, *filter(None, [self.fewer_told()])]

    @cached_property
    def _made(self):
        """{(selector, k, shuffle, repeat): Preferences}: a screen asks for the same ones at every turn of a control."""
        return {}

    def _done(self, label, shuffle=0, repeat=0):
        label = self.called(label)
        if label not in self.selectors:
            raise InputError(f"This study has no selector {label!r}. It has: {', '.join(self.selectors)}.")
        first = not (shuffle or repeat)         # what every screen reads is kept, the rest is read when it is asked for
        outcomes = self._outcomes.get(label, []) if first else self.store.outcomes(label, shuffle=shuffle, repeat=repeat)
        return [one for one in outcomes if one.status == "done"]

    def _agreeing(self, label, shuffle=0, repeat=0):
        return [one for one in self._done(label, shuffle, repeat) if self.plan.measures_stability(one.run)]

    @cached_property
    def _outcomes(self):
        kept = {}
        for one in self.store.outcomes():
            kept.setdefault(one.selector, []).append(one)
        return kept

    def accuracy(self) -> pd.DataFrame:
        """DataFrame, one row a selector: accuracy, balanced_accuracy, auc (two classes), each with _low and _high (95%),
        mean number of features, runs, seconds; scored_runs that predicted rows, auc_runs that held out both classes;
        accuracy_note, which classes were (almost) never held out.

        Means over runs of the held-out rows; balanced accuracy over classes, of the held-out rows of all runs. The interval is for
        new tables: the variance over runs times 1/M + n_held_out/n_learned, corrected by how patients differ (accuracy._interval).
        In simulations it held the average over tables in 90 to 100 of 100 studies for accuracy and balanced accuracy under every
        plan, for the AUC in 86 to 100.
        Source: Nadeau & Bengio, Machine Learning 2003; the correction is ours.
        """
        return self._accuracies.copy()

    @cached_property
    def _accuracies(self):
        return of_every_selector([(label, self._agreeing(label), self._done(label)) for label in self.selectors], self.target,
                                 self.classes, self.store.meta("patients"))

    def compare_scores(self, first: str, second: str, score: str = "accuracy") -> Comparison:
        """Comparison of how well two selectors predict new patients; see stabcore.study.accuracy.compare_scores."""
        return compare_scores(self._done(first), self._done(second), self.target, len(self.classes), score)

    def run_scores(self, label: str, score: str = "accuracy") -> dict[int, float]:
        """{number of the run, from 1: score on its held-out rows} of the runs that have one; see stabcore.study.accuracy.by_run."""
        return by_run(self._done(label), self.target, len(self.classes), score)

    def beats_guessing(self, score: str | None = None) -> pd.DataFrame:
        """DataFrame, one row a selector but for baselines: does it predict better than always naming the larger class?

        score: accuracy, balanced_accuracy or auc; None: that of inference.guessing.default_score. Columns score, value, guess, se,
        p_value (one-sided, see inference.guessing.against_guessing), p_holm (corrected for asking about all selectors), better
        (p_holm < 0.05).
        """
        return beats_guessing({label: self._done(label) for label in self.ready}, self, score, self.store.meta("patients"))

    def indistinguishable(self, level: float = 0.05) -> tuple[pd.DataFrame, list[list[str]]]:
        """(DataFrame of every two selectors, list of groups) whose accuracies on held-out rows cannot be told apart.

        A sign-flip test in which every row (or patient) counts once, McNemar's where it was predicted once; see
        stabcore.inference.predictions. Groups: largest sets of selectors of which no two differ at `level`, most accurate first.
        """
        from stabcore.inference.predictions import indistinguishable

        patients = self.store.meta("patients")
        return indistinguishable({label: self._done(label) for label in self.selectors}, self.target,
                                 None if patients is None else np.array(patients), level)

    def digest(self) -> str:
        """A fingerprint of all that the settings and seed determine: equal for equal studies, however they were run."""
        import hashlib
        import json

        stored = Store(self.path)
        told = hashlib.sha256(json.dumps(UNTOLD | stored.meta("settings"), sort_keys=True).encode())
        for one in stored.outcomes(shuffle=None, repeat=None):
            told.update(f"{one.selector}|{one.run}|{one.shuffle}|{one.repeat}|{one.status}|{one.message}|{one.warnings}|{one.redrawn}".encode())
            for name in ARRAYS:
                part = getattr(one, name)
                told.update(b"-" if part is None else part.tobytes())
        return told.hexdigest()


def open_study(path: str | PathLike[str], *, named: bool = False) -> StudyResult:
    """Open a study file, finished or not. named: selectors go by their names in the catalogue, as on screens, not by their keys.

    Raises InputError when it is not one.
    """
    return StudyResult(path, named=named)
