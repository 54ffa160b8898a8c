"""StudyResult: the result of a study, read from its file, finished or still running."""

from __future__ import annotations

import hashlib
import json
from functools import cached_property
from itertools import chain
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from stabcore.base.errors import InputError
from stabcore.base.public import public
from stabcore.base.target import from_plain_values
from stabcore.base.text import listed
from stabcore.base.validation import is_between
from stabcore.measures.entry import MeasureLike
from stabcore.resampling.catalog import plan_from_settings
from stabcore.resampling.plan import Plan
from stabcore.selections.model_paths import ModelPath
from stabcore.selections.selections import Selections
from stabcore.selectors.base import whole_number
from stabcore.selectors.catalog import BY_KEY
from stabcore.selectors.catalog import Entry as SelectorEntry
from stabcore.similarity.similarity import Similarity
from stabcore.study import agreement, performance, progress, summary
from stabcore.study.added_value import added_value
from stabcore.study.results import AnyResult
from stabcore.study.store import NamedStore, Store
from stabcore.study.task_result import ARRAYS, TaskResult, required_array
from stabcore.study.working_files import remove_with_owner, scratch_folder

MAX_CACHED = 24  # cached Selections
MAX_CACHED_CELLS = 10**7  # or runs times features of them, because a permutation control has many


@public
class StudyResult(AnyResult):
    """A study file, open for reading. All results are those of the tasks finished so far.

    Parameters
    ----------
    path : str or path
        Path of the file.
    named : bool, optional
        Whether selectors have their catalogue names instead of their keys.

    Examples
    --------
    >>> sc.StudyResult(result.path) == result
    True
    """

    _source: StudyResult | None = None  # the same result over all runs, if this one is of halves

    def __init__(self, path: str | PathLike[str], *, named: bool = False) -> None:
        self.store = NamedStore(path) if named else Store(path)
        self.path = Path(path)
        self.settings = self.store.meta("settings")
        self.features = tuple(self.store.meta("features"))
        self.classes = tuple(self.store.meta("classes"))
        self.target = from_plain_values(self.store.meta("target"))

    def between_halves(self) -> StudyResult:
        """The same result, where every stability compares the two disjoint halves of a pair, which share no patient.

        Over all runs, most pairs of runs share patients, which raises stability and noise floors. Each half has half of the
        patients, so this is the agreement of two studies of that size. Frequencies and accuracy are those of all runs.

        Raises
        ------
        InputError
            For another plan, whose runs share rows.

        References
        ----------
        Source: Shah & Samworth 2013, JRSS B 75:55-80 (the pairs).

        Examples
        --------
        >>> halves = result.between_halves()
        >>> halves.stability()["value"].round(2).tolist(), result.stability()["value"].round(2).tolist()
        ([0.5, 0.5], [0.6, 0.55])
        """
        if not self.has_halves:
            raise InputError(
                f"Split-half agreement needs a study of complementary halves. This one used {self.plan.sentence()}, "
                "which share rows. Run it with the plan complementary_pairs."
            )
        return self._copy(_selections=self._selections, _source=self)  # which keeps the file

    def _copy(self, **changed) -> StudyResult:
        """Return this result with other attributes. A copy would copy the file."""
        twin = object.__new__(type(self))
        vars(twin).update(vars(self), **changed)
        return twin

    @property
    def of_halves(self) -> bool:
        return self._source is not None

    def as_compared(self) -> StudyResult:
        return self.between_halves() if self.has_halves and not self.of_halves else self

    # ---- content of the file ----

    @property
    def patients(self) -> list[int] | None:
        return self.store.meta("patients")

    @property
    def correlated(self) -> list[int] | None:
        """The numbers of the features that are strongly correlated with another one. None where this is unknown."""
        return self.store.meta("correlated")

    @property
    def selectors(self) -> list[str]:
        return [about["label"] for about in self.settings["selectors"]]

    def display_name(self, label: str) -> str:
        return getattr(self.store, "names", {}).get(label, label)

    def entry_of(self, label: str) -> SelectorEntry | None:
        label = self._checked_label(label)
        return BY_KEY.get(next((about.get("key") for about in self.settings["selectors"] if about["label"] == label), ""))

    @cached_property
    def plan(self) -> Plan:
        """The resampling plan. Raises InputError for a kind of plan that this version does not know."""
        return plan_from_settings(self.settings["plan"])

    @property
    def n_runs(self) -> int:
        return len(self.plan.agreeing_runs)

    @property
    def n_selected(self) -> int:
        return self.settings["n_selected"]

    def n_selected_by(self, label: str) -> int | None:
        name = self._checked_label(label)
        about: dict[str, Any] = next((about for about in self.settings["selectors"] if about["label"] == name), {})
        return about.get("n_selected", self.n_selected)

    @property
    def finished_selectors(self) -> list[str]:
        return [label for label in self.selectors if len(self.agreeing_tasks(label)) >= 2]

    def can_rank(self, label: str) -> bool:
        return bool(self._checked_label(label))

    @cached_property
    def notes(self) -> list[str]:
        """Warnings about this file for the reader of any number."""
        sentences, without = [], self._without_paths
        if self.store.intact() is False:
            sentences.append(
                "This study file is not as it was when the study ended. Something has changed it since. Use another "
                "copy, or run the study again."
            )
        if self.store.unknown:
            sentences.append(
                f"This study file has entries that this version does not know: {listed(self.store.unknown)}. A later version "
                "made it, or something has changed it since."
            )
        if without:
            sentences.append(
                f"An earlier version made this study. It did not keep the selections of {listed(without)} with another "
                "number of features. The first features to enter the model replace them there. Run the study again for "
                "exact results."
            )
        return [*sentences, *filter(None, [summary.describe_fewer(self)])]

    # ---- its tasks ----

    def run_status(self) -> dict[tuple[str, int], str]:
        return {(task.selector, task.run): task.status for task in self.store.tasks(columns=())}

    def _checked_label(self, label) -> str:
        """The label that a selector is displayed by. Raises InputError for an unknown one."""
        label = self.display_name(label)
        if label not in self.selectors:
            raise InputError(f"This study has no selector {label!r}. It has: {', '.join(self.selectors)}.")
        return label

    def finished_tasks(self, label: str, shuffle: int = 0, repeat: int = 0, imputation: int = 0) -> list[TaskResult]:
        """The successful tasks of a selector, or those of another fit of its runs.

        shuffle, repeat, imputation: as in `run_numbers`. Raises InputError for an unknown selector.
        """
        label = self._checked_label(label)
        asked = {"shuffle": shuffle, "repeat": repeat, "imputation": imputation}
        # tasks that every screen reads are cached, others are read on request
        tasks = self.store.tasks(label, **asked) if any(asked.values()) else self._tasks.get(label, [])
        return [task for task in tasks if task.status == "done"]

    def agreeing_tasks(self, label: str, shuffle: int = 0, repeat: int = 0, imputation: int = 0) -> list[TaskResult]:
        finished = self.finished_tasks(label, shuffle, repeat, imputation)
        return [task for task in finished if self.plan.measures_stability(task.run)]

    @cached_property
    def _tasks(self) -> dict[str, list[TaskResult]]:
        by_selector: dict[str, list[TaskResult]] = {}
        for task in self.store.tasks():
            by_selector.setdefault(task.selector, []).append(task)
        return by_selector

    def run_numbers(self, label: str, repeat: int = 0, shuffle: int = 0, imputation: int = 0) -> list[int]:
        """Numbers, from 1, of the finished runs that measure stability, or of another fit of the runs.

        Parameters
        ----------
        label : str
            Name of a selector in the result.
        repeat, shuffle, imputation : int, optional
            Number of a repeat with another seed, of a shuffle of the outcome, or of another filling of the missing cells. 0 for the
            first fit, to the outcome as it is.

        Raises
        ------
        InputError
            For an unknown selector.

        Examples
        --------
        >>> result.run_numbers("mim")
        [1, 2, 3, 4, 5, 6, 7, 8]
        """
        if not (shuffle or repeat or imputation):
            return [task.run + 1 for task in self.agreeing_tasks(label)]
        ended = self._ended_extra_fits.get(self._checked_label(label), {}).get((shuffle, repeat, imputation), {})
        return [run + 1 for run, done in ended.items() if done and self.plan.measures_stability(run)]

    def folds(self, label: str) -> list[int] | None:
        numbers = [self.plan.block(run - 1) + 1 for run in self.run_numbers(label)]
        return numbers if len(set(numbers)) > 1 else None

    def finished_shuffles(self, label: str) -> list[int]:
        return sorted(shuffle for shuffle, *refit in self._finished_extra_fits.get(self._checked_label(label), ()) if shuffle)

    def finished_refits(self, label: str) -> list[tuple[int, int]]:
        besides = self._finished_extra_fits.get(self._checked_label(label), ())
        return [(0, 0), *sorted((repeat, imputation) for shuffle, repeat, imputation in besides if not shuffle)]

    @cached_property
    def _finished_extra_fits(self) -> dict[str, list[tuple[int, int, int]]]:
        """{selector: (shuffle, repeat, imputation) of those whose runs have all ended, at least two successfully}."""
        shuffled = progress.runs_per_shuffle(self)
        return {
            label: [
                fit for fit, done in fits.items() if len(done) >= (shuffled if fit[0] else self.n_runs) and sum(done.values()) >= 2
            ]
            for label, fits in self._ended_extra_fits.items()
        }

    @cached_property
    def _ended_extra_fits(self) -> dict[str, dict[tuple[int, int, int], dict[int, bool]]]:
        """{selector: {(shuffle, repeat, imputation): {run: whether it succeeded}}} of the fits besides the first."""
        ended: dict[str, dict[tuple[int, int, int], dict[int, bool]]] = {}
        for task in self.store.every_task(()):
            if not task.first:
                fit = task.shuffle, task.repeat, task.imputation
                ended.setdefault(task.selector, {}).setdefault(fit, {})[task.run] = task.status == "done"
        return ended

    # ---- its runs ----

    def selections(self, label: str, k: int | None = None, shuffle: int = 0, repeat: int = 0, imputation: int = 0) -> Selections:
        """Selections of one selector over its finished runs. With `k`, its selections at another number of features.

        That is the first k of its ranking, or the model of its path at k. Importances are omitted if unknown for this k.

        Parameters
        ----------
        label : str
            Name of a selector in the result.
        k : int, optional
            As if every run had selected its k best features. None: as the runs select.
        shuffle, repeat, imputation : int, optional
            Number of a shuffle of the outcome (see `shuffled`), of a fit with another seed, or of another filling of missing cells.

        Raises
        ------
        InputError
            For an unknown selector, or while fewer than two runs are finished.

        Examples
        --------
        >>> result.selections("mim", k=3).sizes.max()
        np.float64(3.0)
        """
        label = self.display_name(label)
        fit = shuffle, repeat, imputation
        runs = self._selections.get((label, k, *fit, self.of_halves))
        if runs is None:
            if k is None or k == self.n_selected_by(label):
                runs = self._all_selections(label, *fit)
            else:
                runs = self.selections(label, None, *fit).top(k)
            self._selections[label, k, *fit, self.of_halves] = runs
            most = max(MAX_CACHED, MAX_CACHED_CELLS // (self.plan.n_runs * len(self.features)))
            for old in list(self._selections)[:-most]:  # other sessions may read at the same time
                self._selections.pop(old, None)
        return runs

    @cached_property
    def _selections(self) -> dict[tuple[str, int | None, int, int, int, bool], Selections]:
        """{(selector, k, shuffle, repeat, imputation, of halves): Selections}: screens request the same ones repeatedly."""
        return {}

    def _all_selections(self, label, shuffle, repeat, imputation) -> Selections:
        if self._source is not None:
            runs = self._source.selections(label, None, shuffle, repeat, imputation)
            numbers = self.run_numbers(label, repeat, shuffle, imputation)
            return runs.in_pairs([self.plan.unit(number - 1) for number in numbers], runs.counted if runs.units is not None else "")
        tasks = self.agreeing_tasks(label, shuffle, repeat, imputation)
        if len(tasks) < 2:
            raise InputError(f"{label} has finished {len(tasks)} of {self.n_runs} runs. Agreement needs at least two.")
        runs = self.selections_of_tasks(label, tasks)
        return runs.in_units([self.plan.cluster(task.run) for task in tasks]) if shuffle else runs

    def selections_of_tasks(self, label: str, tasks: list[TaskResult]) -> Selections:
        """Selections of some tasks of a selector."""
        from scipy.sparse import csr_array

        entry, selected = self.entry_of(label), np.zeros((len(tasks), len(self.features)))
        of_one_k = self.store.meta("importances_of_one_k")  # of selectors whose importances are known for their selection only
        one_k = of_one_k[label] if of_one_k else entry is None or entry.importances_of_one_k
        scores_of_runs = np.stack([required_array(task.scores) for task in tasks])
        if entry is not None and entry.build.zero_is_out:  # not ranked, and without weight
            scores_of_runs = np.nan_to_num(scores_of_runs)
        for row, task in zip(selected, tasks):
            row[task.selected] = 1
        runs = Selections(
            csr_array(selected),
            len(self.features),
            self.features,
            raw_importances=csr_array(np.stack([required_array(task.importances) for task in tasks])),
            scores=scores_of_runs,
            ranks=np.stack([required_array(task.ranking) for task in tasks]),
            weighs=entry is None or entry.build.weighs,
            paths=self._paths(label, tasks),
            raw_importances_for=self.n_selected_by(label) if one_k else None,
            k=self.n_selected_by(label),
        )
        return self._in_units(runs, tasks)

    def _in_units(self, runs, tasks) -> Selections:
        units, counted = agreement.run_units(self.plan, tasks)
        if self.of_halves:
            return runs.in_pairs([self.plan.unit(task.run) for task in tasks], counted if units else "")
        return runs.in_units(units, counted)

    def _paths(self, label, tasks) -> tuple[ModelPath, ...] | None:
        """The paths of some runs, None if the first k of a ranking are the selection at k."""
        if all(task.path is None for task in tasks) or label in self._without_paths:
            return None
        return tuple(task.path or ModelPath.from_ranking(required_array(task.ranking)) for task in tasks)

    @cached_property
    def _without_paths(self) -> list[str]:
        """Selectors with a path whose models an earlier version did not keep in some runs."""
        lacking = {task.selector for task in chain(*self._tasks.values()) if task.status == "done" and task.path_starts is None}
        entries = {label: self.entry_of(label) for label in self.selectors if label in lacking}
        return [label for label, entry in entries.items() if entry is not None and entry.has_path]

    def paired(self, first: str, second: str, k: int | None = None) -> tuple[Selections, Selections, bool]:
        numbers = [self.run_numbers(label) for label in (first, second)]
        both = set(numbers[0]) & set(numbers[1])
        if len(both) < 2:
            raise InputError(f"{first} and {second} have {len(both)} finished runs in common. A comparison needs at least two.")
        if numbers[0] == numbers[1]:
            return self.selections(first, k), self.selections(second, k), True
        shared = [task for task in self.agreeing_tasks(first) if task.run + 1 in both]
        runs_of_first, other = (
            self._in_units(self.selections(label, k).take([i for i, run in enumerate(runs) if run in both]), shared)
            for label, runs in zip((first, second), numbers)
        )
        return runs_of_first, other, True

    def shuffled(self, label: str, k: int | None = None) -> list[tuple[int, Selections]]:
        return [(number, self.selections(label, k, shuffle=number)) for number in self.finished_shuffles(label)]

    def refitted(self, label: str, k: int | None = None) -> dict[tuple[int, int], Selections]:
        numbers = {fit: self.run_numbers(label, repeat=fit[0], imputation=fit[1]) for fit in self.finished_refits(label)}
        same = sorted(set.intersection(*map(set, numbers.values())))
        return {
            fit: self.selections(label, k, repeat=fit[0], imputation=fit[1]).take([done.index(run) for run in same])
            for fit, done in numbers.items()
        }

    # ---- methods of a study only, those of every result are in AnyResult ----

    def sentence(self) -> str:
        return summary.describe_study(self)

    @cached_property
    def n_distinct(self) -> int | None:
        """The number of different resamples among the finished runs. None if all differ, or if it is unknown."""
        return summary.n_distinct_resamples(self)

    def describe_sizes(self) -> str:
        """The number of selected features, or its range if it differs between selectors.

        Examples
        --------
        >>> result.describe_sizes()
        '5'
        """
        return summary.describe_sizes(self)

    @cached_property
    def _accuracy(self) -> pd.DataFrame:
        return performance.accuracy(self)

    def added_value(self, score: str | None = None) -> pd.DataFrame:
        """The added value of the selected features over the given columns, on held-out rows.

        Parameters
        ----------
        score : str, optional
            "accuracy", "balanced_accuracy" or "auc" for classes, "harrell" or "uno" for a time to an event, "r2" for a number. By
            default the score of the study.

        Returns
        -------
        DataFrame
            By selector: score, value (with the selected features), given_alone, difference, low, high (its 95% interval for other
            tables of this size), runs, note. Empty for a study without a
            classifier.

        Raises
        ------
        InputError
            For a study without given columns, and for an unknown score.

        Notes
        -----
        Both models learn from the same rows and predict the same rows. The interval accounts for rows shared by runs and for the
        few patients. Source: Nadeau & Bengio 2003, Machine Learning 52:239-281.

        Examples
        --------
        >>> frame, plan = pd.DataFrame(data.table.values, columns=data.features), sc.ComplementaryPairs(3)
        >>> study = sc.Study(frame, data.target, ["welch_t"], plan=plan, k=5, given=["E"], n_permutations=0)
        >>> study.run(n_jobs=1, progress=False).added_value()["score"].tolist()
        ['accuracy']
        """
        return added_value(self, score)

    def indistinguishable(self, level: float = 0.05) -> tuple[pd.DataFrame, list[list[str]]]:
        """(DataFrame of every two selectors, list of groups) of selectors whose accuracies are not distinguishable.

        A sign-flip test in which every row (or patient) counts once, or McNemar's test if it was predicted once. Its
        variance is doubled, because rows are also training rows. See
        stabcore.inference.predictions. Groups: largest sets of selectors of which no two differ at `level`, most accurate first.

        Parameters
        ----------
        level : float, optional
            Confidence level of intervals, 0 to 1.

        Raises
        ------
        InputError
            If selectors predicted different rows.

        Examples
        --------
        >>> pairs, groups = result.indistinguishable()
        >>> pairs[["first", "second"]]
          first         second
        0   mim  random_forest
        """
        from stabcore.inference.predictions import indistinguishable

        if not is_between(level, 0, 1):
            raise InputError(f"The level of a test lies between 0 and 1. Found {level!r}.")
        patients = None if self.patients is None else np.array(self.patients)
        return indistinguishable({label: self.finished_tasks(label) for label in self.selectors}, self.target, patients, level)

    def centres(self) -> pd.DataFrame:
        """DataFrame, one row per selector and centre: prediction of the patients of a centre by models of all other centres.

        Columns: selector, centre, rows. accuracy, accuracy_low, accuracy_high: with Wilson's 95% interval. joint_low, joint_high:
        ends of which 5% at most are wrong on one side in any of the centres (Bonferroni). auc, auc_low, auc_high: for two classes,
        with Newcombe's interval, NaN if the centre has fewer than two rows of either class. largest: the share of the most
        frequent class, which is the accuracy of predicting it for every row. The intervals allow for several rows per patient.
        Raises InputError for a plan that does not leave centres out, and without a classifier.

        References
        ----------
        Source: Riley et al. 2016, BMJ 353:i3140.

        Examples
        --------
        >>> try:
        ...     result.centres()
        ... except sc.InputError as error:
        ...     print(str(error)[:27])
        Accuracy in each centre nee
        """
        return performance.accuracy_in_centres(self)

    def within_folds(
        self, measure: MeasureLike = "nogueira", similarity: Similarity | None = None, k: int | None = None
    ) -> pd.DataFrame:
        """DataFrame(selector, measure, average, lowest, highest, folds, planned, note): a measure inside outer folds, averaged.

        For a nested plan. Runs of one outer fold share more rows than runs of different folds, so this is usually above the value
        over all runs. `folds` of the `planned` folds count: those with two or more finished runs and a defined value. The note
        gives the reason.

        Parameters
        ----------
        measure : str or function, optional
            Key of sc.list_measures(), or a user-defined measure.
        similarity : Similarity, optional
            Feature similarity C, for measures that need it.
        k : int, optional
            As if every run had selected its k best features. None: as the runs select.

        References
        ----------
        Source: Kalousis, Prados & Hilario 2005, ICDM (Table 2).

        Examples
        --------
        >>> list(result.within_folds())
        ['selector', 'measure', 'average', 'lowest', 'highest', 'folds', 'planned', 'note']
        """
        return agreement.within_folds(self, measure, similarity, k)

    def split_half(
        self, measure: MeasureLike = "kappa", similarity: Similarity | None = None, k: int | None = None
    ) -> pd.DataFrame:
        """Agreement of two disjoint halves of the patients, with the noise floor of each selector.

        DataFrame, one row per selector, for a plan of complementary halves: the columns of inference.split_half.agreement_of_halves
        (shared, expected_by_chance, size, value, low, high, pairs, note), and those of noise_floor.difference_from_floor.

        Parameters
        ----------
        measure, similarity, k : optional
            As in `within_folds`.

        Raises
        ------
        InputError
            For another plan, whose runs share rows.

        Examples
        --------
        >>> result.split_half()["pairs"].tolist()
        [4, 4]
        """
        return agreement.split_half(self, measure, similarity, k)

    def growth(self, measure: MeasureLike = "kappa", similarity: Similarity | None = None, k: int | None = None) -> pd.DataFrame:
        """Agreement of two disjoint groups of patients by their size.

        For a learning curve, one row per selector and size. The agreement of two disjoint groups of n/8, n/4 and n/2 of the n rows
        (or patients), as in split_half.

        Parameters
        ----------
        measure, similarity, k : optional
            As in `within_folds`.

        Raises
        ------
        InputError
            For another plan.

        Examples
        --------
        >>> try:
        ...     result.growth()
        ... except sc.InputError as error:
        ...     print(str(error)[:13])
        A learning cu
        """
        return agreement.growth(self, measure, similarity, k)

    @property
    def total(self) -> int:
        """Planned tasks: runs, runs with the outcome shuffled, and runs with another seed."""
        return progress.planned_tasks(self)

    @property
    def tried(self) -> bool:
        """Whether only the first run of every selector is finished, as after a trial."""
        return self.store.finished() == {(label, 0, 0, 0, 0) for label in self.selectors}

    def seconds_left(self, n_jobs: int = 1) -> float | None:
        """Estimate with this number of workers, from the times of finished tasks. None while some selector has none.

        Shuffles and refits train no classifier. Until some are finished, they count as long as the fits of the runs.

        Parameters
        ----------
        n_jobs : int, optional
            Number of workers.

        Raises
        ------
        InputError
            For an invalid number of workers.

        Examples
        --------
        >>> result.seconds_left(n_jobs=2)
        0.0
        """
        return progress.seconds_left(self, whole_number(n_jobs, "n_jobs"))

    def progress(self) -> pd.DataFrame:
        """DataFrame, one row per selector: tasks done, failed and planned (runs, shuffles and refits), mean seconds per run.

        Examples
        --------
        >>> result.progress()["planned"].tolist()
        [16, 24]
        """
        return progress.progress(self)

    def done_words(self) -> dict[str, str]:
        """{selector: finished runs, shuffles and refits with another seed, in words}.

        Examples
        --------
        >>> list(result.done_words())
        ['mim', 'random_forest']
        """
        return progress.done_words(self)

    def messages(self) -> pd.DataFrame:
        """DataFrame of failures and warnings: selector, kind, message, number of runs, first run.

        Examples
        --------
        >>> list(result.messages())
        ['selector', 'kind', 'message', 'runs', 'first_run']
        """
        return progress.messages(self)

    def failures(self) -> dict[str, str]:
        return progress.failures(self)

    def most_frequent_failure(self) -> str:
        """The most frequent reason of failed runs, as a sentence. Empty without failures.

        Examples
        --------
        >>> result.most_frequent_failure()
        ''
        """
        return progress.most_frequent_failure(self)

    def digest(self) -> str:
        """A fingerprint of all results, to the last bit. It is equal for equal settings and seeds.

        Other versions of the libraries may differ in the last digits: see `selection_digest`.

        Examples
        --------
        >>> result.digest() == sc.open_study(result.path).digest()
        True
        """
        line = "{fit}|{0.status}|{0.message}|{0.warnings}|{0.redrawn}"
        return self._fingerprint(line, ARRAYS)

    def selection_digest(self) -> str:
        """A fingerprint of the settings and of the features that each run selected.

        It is also equal if other versions of libraries change the last digits of scores, see `largest_difference`.

        Examples
        --------
        >>> len(result.selection_digest())
        64
        """
        return self._fingerprint("{fit}|{0.status}", ("selected",))

    def _fingerprint(self, line, arrays) -> str:
        stored = Store(self.path)
        digest = hashlib.sha256(json.dumps(stored.meta("settings"), sort_keys=True).encode())
        for task in stored.every_task(("message", "warnings", "redrawn", *arrays)):
            fit = task.key if task.imputation else task.key[:-1]  # as before there were imputations
            digest.update(line.format(task, fit="|".join(map(str, fit))).encode())
            for name in arrays:
                part = getattr(task, name)
                digest.update(b"-" if part is None else part.tobytes())
        return digest.hexdigest()

    def largest_difference(self, other: StudyResult) -> float:
        """The largest difference between scores, importances and probabilities of two results of one study.

        Infinite if only one has a value. Differences up to 1e-9 come from other versions of libraries.

        Parameters
        ----------
        other : StudyResult
            The other result.

        Raises
        ------
        InputError
            For anything other than the result of a study.

        Examples
        --------
        >>> result.largest_difference(result)
        0.0
        """
        if not isinstance(other, StudyResult):
            raise InputError(f"The other result is of a study. Found {type(other).__name__}.")
        tasks, others = (Store(result.path).every_task() for result in (self, other))
        if [task.key for task in tasks] != [task.key for task in others]:
            return float(np.inf)
        pairs = [
            (getattr(task, name), getattr(same, name))
            for task, same in zip(tasks, others, strict=True)
            for name in ("scores", "importances", "probability")
        ]
        return max((_array_difference(*pair) for pair in pairs if any(part is not None for part in pair)), default=0.0)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, StudyResult):
            return NotImplemented
        same = self.of_halves == other.of_halves and self.settings == other.settings
        return self is other or (same and self.digest() == other.digest())

    def __hash__(self) -> int:
        return hash(json.dumps(self.settings, sort_keys=True))

    def __getstate__(self) -> dict[str, Any]:
        """The pickled state: the content of the study file, so that the result works without the file."""
        named = isinstance(self.store, NamedStore)
        return {"content": self.path.read_bytes(), "name": self.path.name, "named": named, "halves": self.of_halves}

    def __setstate__(self, state: dict[str, Any]) -> None:
        folder = scratch_folder()
        path = folder / state["name"]
        path.write_bytes(state["content"])
        self.__init__(path, named=state["named"])  # type: ignore[misc]
        remove_with_owner(self, folder)
        if state.get("halves"):
            self._source = self._copy()


def _array_difference(values, others) -> float:
    """The largest difference of two arrays, where NaN equals NaN. Infinite if only one has a value."""
    if values is None or others is None or np.shape(values) != np.shape(others):
        return float(np.inf)
    values, others = np.asarray(values, dtype=float), np.asarray(others, dtype=float)
    if (np.isnan(values) != np.isnan(others)).any():
        return float(np.inf)
    return float(np.abs(np.nan_to_num(values) - np.nan_to_num(others)).max(initial=0.0))


@public
def open_study(path: str | PathLike[str], *, named: bool = False) -> StudyResult:
    """Open a study file, finished or not. named: selectors have their catalogue names, as on screens, instead of their keys.

    Parameters
    ----------
    path : str or path
        Path of the file.
    named : bool, optional
        Whether selectors have their catalogue names instead of their keys.

    Raises
    ------
    InputError
        For a file that is not a study file.

    Examples
    --------
    >>> sc.open_study(result.path).selectors
    ['mim', 'random_forest']
    """
    return StudyResult(path, named=named)
