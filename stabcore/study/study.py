"""Study: a dataset, selectors, a resampling plan, a number of features, a classifier and a seed, and its execution."""

from __future__ import annotations

import logging
import os
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from copy import copy
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path
from typing import Any, TypeAlias, TypedDict, Unpack, overload

from stabcore.base.errors import InputError
from stabcore.base.public import public
from stabcore.base.target import plain_values
from stabcore.base.text import counted
from stabcore.base.user_objects import describe_object, object_bytes
from stabcore.base.validation import plain_number, refuse_path
from stabcore.classifiers.catalog import ClassifierLike
from stabcore.classifiers.user_classifiers import UserClassifier
from stabcore.data import Dataset
from stabcore.inference.noise_floor import DEFAULT_SHUFFLES, MAX_SHUFFLES, RUNS_PER_SHUFFLE
from stabcore.inference.panel_rule import KINDS, PanelRule
from stabcore.inference.path_selection import CORRELATED
from stabcore.resampling.catalog import PlanSetting, adopt_plan, plan_settings, resolve_plan
from stabcore.resampling.plan import Plan
from stabcore.resampling.user_plan import UserPlan
from stabcore.selectors.base import SelectorLike, whole_number
from stabcore.selectors.classifier_importance import SELECTOR, refuse_importance
from stabcore.study.choices import SELECTOR_CHOOSES, Choice, make_choices, resolve_k, scoring_classifier
from stabcore.study.contents import MAX_RUNS
from stabcore.study.executors import check_workers, dask_client, library_versions
from stabcore.study.machine import n_processes, needed_worker_memory, refuse_excess_memory
from stabcore.study.progress import failures, progress_reporter
from stabcore.study.scheduling import run_tasks
from stabcore.study.store import Store
from stabcore.study.study_result import StudyResult
from stabcore.study.tasks import SharedData, Task
from stabcore.study.working_files import StudyLock, cancel_file, remove_scratch, remove_with_owner, scratch_folder, working_folder

log = logging.getLogger("stabcore")

MAX_FILLED_COLUMNS = 1000  # columns with missing cells, whose filling takes about a minute

MISPLACED_OPTIONS = {  # arguments that have other names in other libraries
    "cv": "Give the splitter as plan=.",
    "n_splits": "Give plan=5 for 5 folds, or plan=sc.RepeatedKFold(5, 10).",
    "n_jobs": "Give it to run: study.run(n_jobs=2).",
    "store": "Give it to run: study.run(store='trial.stab').",
    "n_selected": "Give k=.",
    "n_features_to_select": "Give k=.",
    "seed": "Give random_state=.",
}
SelectorsLike: TypeAlias = "SelectorLike | Iterable[SelectorLike] | Mapping[str, SelectorLike]"


class StudySettings(TypedDict, total=False):
    """The options of a study in addition to its data and its selectors. See Study."""

    plan: PlanSetting
    k: float | str | None
    classifier: ClassifierLike | None
    groups: Any
    given: Any
    random_state: int
    n_permutations: int
    n_seeds: int
    n_imputations: int
    importances: str
    permutation_runs: int | str
    panel: Mapping[str, float] | None


@public
@dataclass(frozen=True, init=False, eq=False, repr=False)
class Study:
    """Selectors on the resamples of a plan, also with the outcome shuffled and with other seeds.

    Call it as Study(X, y, selectors, …), Study(dataset, selectors, …) or Study.from_file(path, selectors, target=…, …).

    Parameters
    ----------
    data : Dataset, optional
        The table with its outcome, instead of X and y.
    X : DataFrame, array, sparse matrix or Dataset
        The features (n, d), see sc.Dataset, or a Dataset, which includes the outcome.
    y : array (n,) or str
        The outcome of each row, or the name of its column. Omit it with a Dataset. A warning names the rows and columns of X that
        are left out, such as rows without an outcome.
    selectors : str, object, list or dict
        Catalogue keys, (key, options) or (name, object) pairs, objects, or {name: any of these}. An object is an estimator or
        feature selector of scikit-learn, a Pipeline of any depth, or a user-defined selector (see stabcore.selectors).
    plan : Plan, int, str or splitter
        The resampling plan, such as sc.ComplementaryPairs(25) or a key of sc.list_plans(). It can also be a number of folds, a
        splitter of scikit-learn or its splits, or a user-defined plan (see stabcore.resampling.plan). By default 50 runs that each
        leave out 5% of the rows.
    k : int, float, str or None
        The largest number of features per run: a number, a share of all (0.25), or "sqrt" for min(20, √d). With None, each selector
        chooses the number. An option "k" of a (key, options) pair applies to that selector only. A run may select fewer, because
        features that a model does not use are not selected.
    classifier : str or object, optional
        The classifier that scores the selected features on the held-out rows: a key, or a user-defined classifier (see
        stabcore.classifiers). "own" is the final model of each selector, which all must have. "none" gives no scores. By default
        "3nn", for a numeric outcome "ridge".
    groups : array (n,), optional
        The patient of each row. Rows of one patient stay together.
    given : str or list of str, optional
        Names of columns of X that are always in the model, such as age and sex. They are not features, see sc.Dataset.
    random_state : int
        The seed of all random numbers. Run i depends only on it and on i.
    n_permutations : int
        The number of shuffles of the outcome, for which some runs are repeated. They measure the noise floor of every selector
        that uses the outcome. With 0 there is no noise floor. 20 shuffles of 4 runs take about 1.6 times as long as 50 runs, and
        longer for selectors that are slow on noise, such as the lasso.
    permutation_runs : int or "all"
        The number of runs that each shuffle repeats, at least 4. "all" is for measures that are not means over pairs of runs.
    n_seeds : int
        The number of fits of randomised selectors to the rows of each run, see StudyResult.disagreement_sources.
    n_imputations : int
        The number of fillings of the missing cells in each run, by chained equations learned from its rows (data.imputation). All
        results use the first. From two on, every selector is fitted to each filling, and randomised selectors at least twice to
        the first (n_seeds of 2). Then disagreement_sources separates patients, missing values and seeds. With 0 nothing is
        filled, and each selector treats missing cells as its docstring says. A table without missing cells is filled once.
    importances : str
        "selector" for the importances of each selector. "linear", "margin", "permutation" or "sensitivity" for those of a
        classifier trained on the selection (see stabcore.selectors.importance).
    panel : dict, optional
        The rule of the panel, fixed in advance: {"max_false": 1}, {"fdr": 0.1} or {"threshold": 0.8}, see sc.panel.

    Raises
    ------
    InputError
        For an unknown selector, option or classifier, and for a selector that is not defined for the outcome. Also for a k or a
        plan that is impossible for the data.

    Examples
    --------
    >>> import stabcore as sc
    >>> table = sc.teaching_data("twins")
    >>> study = sc.Study(table.dataset(), ["mim", "lasso"], plan=sc.ComplementaryPairs(10), k=4)
    >>> study.plan.n_runs
    20
    """

    data: Dataset
    selectors: tuple[Choice, ...]
    plan: Plan
    k: float | str
    classifier: str | UserClassifier | None
    random_state: int
    n_permutations: int
    n_seeds: int
    n_imputations: int
    importances: str
    permutation_runs: int | str
    panel: PanelRule | None

    @overload
    def __init__(self, data: Dataset, selectors: SelectorsLike, /, **settings: Unpack[StudySettings]) -> None: ...

    @overload
    def __init__(self, X: Any, y: Any, selectors: SelectorsLike, /, **settings: Unpack[StudySettings]) -> None: ...

    @overload
    def __init__(self, *, data: Dataset, selectors: SelectorsLike, **settings: Unpack[StudySettings]) -> None: ...

    def __init__(
        self,
        *arguments: Any,
        data: Any = None,
        X: Any = None,
        y: Any = None,
        selectors: Any = None,
        plan: Any = None,
        k: Any = 0.25,
        classifier: Any = None,
        groups: Any = None,
        given: Any = (),
        random_state: int = 0,
        n_permutations: int = DEFAULT_SHUFFLES,
        n_seeds: int = 1,
        n_imputations: int = 0,
        importances: str = "selector",
        permutation_runs: int | str = RUNS_PER_SHUFFLE,
        panel: Any = None,
        **unknown: Any,
    ) -> None:
        for name in unknown:
            raise TypeError(f"Study has no argument {name!r}. {MISPLACED_OPTIONS.get(name, 'See help(sc.Study).')}")
        data, selectors = _data_and_selectors(arguments, X if data is None else data, y, selectors, groups, given)
        chosen = make_choices(selectors, data.target, data.table, data.given)
        k = plain_number(k)
        if k is None:
            k, chosen = (
                SELECTOR_CHOOSES,
                tuple(choice if choice.k is not None else replace(choice, k=SELECTOR_CHOOSES) for choice in chosen),
            )
        seed = whole_number(random_state, "random_state", 0)
        learner = scoring_classifier(classifier, data, chosen)
        if importances != SELECTOR:
            refuse_importance(importances, learner if isinstance(learner, str) else "", len(data.classes))
        if permutation_runs != "all":
            whole_number(
                permutation_runs, 'permutation_runs, the number of runs per shuffle ("all" for the whole plan),', RUNS_PER_SHUFFLE
            )
        plan = resolve_plan(plan)
        plan = adopt_plan(plan.of_table(data) if isinstance(plan, Plan) else plan, data.target, seed, data.patients)
        n_seeds = whole_number(n_seeds, "n_seeds, the number of fits of each run,", 1, MAX_SHUFFLES)
        imputations = _checked_imputations(n_imputations, data)
        if imputations > 1 and any(choice.chance_inside for choice in chosen):
            n_seeds = max(2, n_seeds)
        usual = resolve_k(k, data.n_features)
        for choice in chosen:
            choice.size(usual, data.n_features)
        _refuse_too_many_folds(plan, data)
        if plan.n_runs > MAX_RUNS:
            raise InputError(f"The plan has {plan.n_runs:,} runs, but a study can have at most {MAX_RUNS:,}. 50 to 500 are usual.")
        vars(self).update(
            data=data,
            selectors=chosen,
            plan=plan,
            k=k,
            classifier=learner,
            random_state=random_state,
            n_permutations=whole_number(n_permutations, "n_permutations, the number of shuffles of the outcome,", 0, MAX_SHUFFLES),
            n_seeds=n_seeds,
            n_imputations=imputations,
            importances=importances,
            permutation_runs=permutation_runs,
            panel=_panel_rule(panel),
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Study):
            return NotImplemented
        return self.data == other.data and self.settings() == other.settings()

    def __hash__(self) -> int:
        return hash((self.data, self.random_state))

    def __repr__(self) -> str:
        size, d = resolve_k(self.k, self.data.n_features), counted(self.data.n_features, "feature")
        selected = "as many features as each selects" if size is None else f"{size} of {d}"
        return (
            f"Study of {self.data!r}\n"
            f"{', '.join(choice.label for choice in self.selectors)}: {self.plan.sentence()}, "
            f"{selected}, {counted(self.n_permutations, 'shuffle')} of the outcome, seed {self.random_state}"
        )

    def _repr_html_(self) -> str:
        from html import escape

        return "".join(f"<p>{escape(line)}</p>" for line in repr(self).splitlines())

    @classmethod
    def from_file(cls, path: str | PathLike[str], selectors: SelectorsLike, *, target: str, **settings: Any) -> Study:
        """A study of a file in any format that Data reads. `target` names its outcome.

        Parameters
        ----------
        path : str or path
            The file, of any format that Dataset.from_file reads.
        selectors : SelectorsLike
            Selectors, see Study.
        target : str
            Name of the outcome column.
        settings : object, optional
            Options of Study, and those of Dataset.from_file, such as `exclude`, `same_patient` and `mends`.

        Raises
        ------
        InputError
            As Dataset.from_file and Study.

        Examples
        --------
        >>> import tempfile
        >>> from pathlib import Path
        >>> path = Path(tempfile.mkdtemp()) / "trial.csv"
        >>> data.to_frame().to_csv(path, index=False)
        >>> sc.Study.from_file(path, ["mim"], target="outcome", k=5).data.n_rows
        160
        """
        of_study = {
            name: settings.pop(name) for name in list(settings) if name in StudySettings.__annotations__ and name != "given"
        }
        return cls(Dataset.from_file(path, target=target, **settings), selectors, **of_study)

    def without_given(self) -> Study:
        """The same study without the columns that are always in the model, to compare the two (see sc.compare_given).

        Raises InputError if no column is always in the model.

        Examples
        --------
        >>> frame = data.to_frame()
        >>> beyond = sc.Study(frame.drop(columns="outcome"), frame["outcome"], ["mim"], k=5, given="A")
        >>> beyond.without_given().data.given_names
        ()
        """
        if self.data.given is None:
            raise InputError("No column is always in the model of this study.")
        same = copy(self)
        vars(same)["data"] = self.data.changed(given=None, given_levels={})
        return same

    def settings(self) -> dict:
        """All sources of the results as plain values, stored in the study file and compared before it is continued.

        Examples
        --------
        >>> sorted(study.settings())[:3]
        ['classifier', 'data', 'k']
        """
        return {
            "data": {
                "name": self.data.name,
                "fingerprint": self.data.fingerprint,
                "target": list(self.data.target_columns) if self.data.timed else self.data.target_name,
                "n_rows": self.data.n_rows,
                "n_features": self.data.n_features,
            }
            | ({"event": list(self.data.event), "censored": list(self.data.censored)} if self.data.timed else {})
            | ({"given": list(self.data.given_names)} if self.data.given_names else {}),
            "selectors": [self._settings_of(choice) for choice in self.selectors],
            "plan": plan_settings(self.plan),
            "k": self.k,
            "n_selected": resolve_k(self.k, self.data.n_features),
            "classifier": (
                {"own": describe_object(self.classifier.learner)}
                if isinstance(self.classifier, UserClassifier)
                else self.classifier
            ),
            "random_state": int(self.random_state),
            "n_permutations": self.n_permutations,
            "permutation_runs": self.permutation_runs if self.n_permutations else "all",
            "n_seeds": self.n_seeds,
            **({"n_imputations": self.n_imputations} if self.n_imputations else {}),
            **({} if self.importances == SELECTOR else {"importances": self.importances}),
            **({} if self.panel is None else {"panel": self.panel.settings()}),
        }

    def _settings_of(self, choice):
        size = choice.size(resolve_k(self.k, self.data.n_features), self.data.n_features)
        if choice.user_object is not None:
            return {"label": choice.label, "own": describe_object(choice.user_object)} | (
                {"n_selected": None} if size is None else {}
            )
        asked = {"n_selected": size} if choice.k is not None or size is None else {}
        return {"label": choice.label, "key": choice.key, "options": dict(choice.options), **asked}

    def tasks(self) -> Iterator[Task]:
        """The tasks in order: the original outcome first, for early results, then shuffles, other seeds and other imputations.

        Shuffles repeat some of the runs that measure stability (see Plan.permutation_runs), for selectors that use the outcome.
        Repeats with another seed have all runs, for randomised selectors. Those with another imputation are for all selectors.

        Examples
        --------
        >>> len(list(study.tasks()))
        40
        """
        yield from (Task(choice, run) for run in range(self.plan.n_runs) for choice in self.selectors)
        agreeing = self.plan.agreeing_runs
        looking = [choice for choice in self.selectors if choice.looks_at_outcome]
        repeated = self.plan.permutation_runs(self.permutation_runs)
        for shuffle in range(1, self.n_permutations + 1):
            yield from (Task(choice, run, shuffle) for run in repeated for choice in looking)
        drawing = [choice for choice in self.selectors if choice.chance_inside] if self.n_seeds > 1 else []
        for repeat in range(1, self.n_seeds):
            yield from (Task(choice, run, 0, repeat) for run in agreeing for choice in drawing)
        for imputation in range(1, self.n_imputations):
            yield from (Task(choice, run, imputation=imputation) for run in agreeing for choice in self.selectors)

    def repetition(self) -> str:
        """A sentence on runs that would learn from the same rows as others, "" without any.

        Examples
        --------
        >>> study.repetition()
        ''
        """
        try:
            return self.plan.repetition(self.data.target, self.random_state, self.data.patients)
        except InputError:
            return ""

    def run(
        self,
        executor: Any = None,
        *,
        store: str | PathLike[str] | None = None,
        progress: bool | Callable[[int, int], bool | None] | None = None,
        n_jobs: int | None = None,
        pilot: bool = False,
    ) -> StudyResult:
        """Run the missing tasks and return the StudyResult.

        Parameters
        ----------
        executor : optional
            Runs the tasks: any concurrent.futures.Executor, a Client of dask.distributed, a joblib.Parallel, or "joblib" for the
            backend of joblib.parallel_config. By default `n_jobs` processes on this machine. Threads of one process take turns.
        store : str or path, optional
            The study file, new or continued. By default a temporary file that is removed with the result.
        progress : bool or function, optional
            True shows a bar, False shows none. By default there is one in terminals and notebooks. A function is called as
            progress(done, total) once per finished task. Returning False stops the study and keeps finished runs.
        n_jobs : int, optional
            The number of processes: None or −1 for one per core, 1 for this process only, where a debugger can enter a
            user-defined selector. With an executor, the number of tasks at once, if it does not define it.
        pilot : bool
            Whether to run only the first run of every selector, which is enough to estimate the remaining time.

        Returns
        -------
        StudyResult
            It is the same, bit by bit, for any executor, number of processes and interruptions. A warning names the selectors with
            failed runs, and says when the study was stopped.

        Raises
        ------
        InputError
            If this machine has too little memory, the file cannot be written, or another process runs the same study file.

        Examples
        --------
        >>> result = study.run(n_jobs=1, progress=False)
        >>> result.finished_selectors
        ['mim', 'random_forest']
        """
        n_jobs = n_processes(n_jobs) if executor is None else n_jobs and n_processes(n_jobs)
        if executor is None:
            refuse_excess_memory(self.data, n_jobs)
        elif (client := dask_client(executor)) is not None:
            check_workers(client, needed_worker_memory(self.data))
        if not (store is None or isinstance(store, (str, os.PathLike))):
            raise InputError(f"store is the path of the study file, such as 'trial.stab'. Found {store!r}.")
        folder = None if store else scratch_folder()
        path = (folder / "study.stab") if folder is not None else Path(str(store))
        try:
            refuse_path(path, "the study file, such as study.stab,")
            waiting = self._run_missing(path, executor, progress, n_jobs, pilot)
            result = StudyResult(path)
        except BaseException:
            if folder is not None:
                remove_scratch(folder)
            raise
        if folder is not None:
            remove_with_owner(result, folder)
        if waiting:
            kept = " Finished ones are kept, and the same call continues." if store else ""
            warnings.warn(f"The study was stopped before its last {counted(waiting, 'fit')}.{kept}", stacklevel=3)
        if failed := failures(result):
            warnings.warn("Runs failed. " + " ".join(failed.values()), stacklevel=3)
        return result

    def _run_missing(self, path, executor, progress, n_jobs, pilot) -> int:
        """The number of tasks that were not run, because the study was stopped."""
        lock = StudyLock(path)
        if not lock.acquire():
            raise InputError(f"{path.name} is being run by another process. Wait for it, or cancel it there.")
        try:
            cancel_file(path).unlink(missing_ok=True)  # for an earlier run
            study_file = Store.create(path, self.settings(), self._about())
            done = study_file.finished()
            every = list(self.tasks())
            missing = [task for task in every if task.key not in done and not (pilot and (task.run or not task.first))]
            lost = study_file.lacked_memory()
            missing = [replace(task, again=task.key in lost) for task in missing]
            log.info("%d of %d tasks to do", len(missing), len(every))
            waiting = len(missing)
            if missing:
                with working_folder(path) as folder, progress_reporter(progress, len(done), len(every)) as advance:
                    SharedData.write(folder, self.data, self.settings(), self._user_objects())
                    waiting -= self._work_through(missing, folder, study_file, executor, advance, n_jobs)
            study_file.seal()
            return waiting
        finally:
            lock.release()

    def _work_through(self, missing, folder, study_file, executor, advance, n_jobs) -> int:
        """The number of tasks that were run."""
        cancel, going, done = cancel_file(study_file.path), True, 0

        def keep(results):
            nonlocal going, done
            study_file.add(*results)
            done += len(results)
            for result in results:
                if result.status == "failed":
                    log.debug("%s, run %d failed: %s", result.selector, result.run + 1, result.message)
                going = advance() is not False and going

        run_tasks(missing, folder, keep, lambda: going and not cancel.exists(), executor, n_jobs)
        return done

    def _user_objects(self) -> bytes:
        """The user-defined plan and classifier for the workers."""
        user_objects: dict[str, Any] = {"plan": self.plan} if isinstance(self.plan, UserPlan) else {}
        user_objects |= {"classifier": self.classifier} if isinstance(self.classifier, UserClassifier) else {}
        return object_bytes(user_objects, " and the ".join(f"own {name}" for name in user_objects)) if user_objects else b""

    def _about(self) -> dict:
        """Circumstances, stored in the file. A study may be continued under others."""
        return (
            {
                "features": list(self.data.features),
                "classes": list(self.data.classes),
                "importances_of_one_k": {
                    choice.label: self.importances != SELECTOR or choice.importances_of_one_k for choice in self.selectors
                },
                "chance_inside": [choice.chance_inside for choice in self.selectors],
                "target": plain_values(self.data.target),
                "versions": library_versions(),
            }
            | ({} if self.data.patients is None else {"patients": self.data.patients.tolist()})
            | ({"mended": list(self.data.mended)} if self.data.mended else {})
            | ({"choices": self.data.choices} if self.data.choices else {})
            | ({"units": self.data.units} if self.data.units else {})
            | ({"correlated": self._correlated()} if self.n_permutations and self.plan.separate_halves else {})
        )

    def _correlated(self) -> list[int]:
        """The numbers of the features that shuffles cannot judge, see analysis.panel_paths."""
        from stabcore.similarity.correlation import correlated_features

        return correlated_features(self.data, CORRELATED).nonzero()[0].tolist()


def _checked_imputations(asked, data) -> int:
    """The number of fillings of the missing cells: at most one for a table without any."""
    asked = whole_number(asked, "n_imputations, the number of fillings of the missing cells,", 0, MAX_SHUFFLES)
    if asked and data.n_incomplete > MAX_FILLED_COLUMNS:
        raise InputError(
            f"{data.n_incomplete:,} columns have missing cells, but chained equations are for at most {MAX_FILLED_COLUMNS:,}. "
            "Leave out n_imputations, or columns, or fill the cells before."
        )
    return asked if data.n_incomplete else min(asked, 1)


def _panel_rule(panel) -> PanelRule | None:
    """The rule of the panel of {kind: value}, None without one."""
    if panel is None or isinstance(panel, PanelRule):
        return panel
    rule = {kind: plain_number(value) for kind, value in panel.items()} if isinstance(panel, dict) else {"": panel}
    if not set(rule) <= set(KINDS) or not all(isinstance(value, (int, float)) for value in rule.values()):
        raise InputError(f'The rule of a panel is one of {", ".join(KINDS)}, such as {{"max_false": 1}}. Found {panel!r}.')
    return PanelRule.of(**rule)


def _data_and_selectors(arguments, data, y, selectors, groups, given):
    """(Dataset, selectors) from the arguments of a Study: a Dataset and selectors, or X, y and selectors."""
    arguments = [Dataset.of(argument) if hasattr(argument, "dataset") else argument for argument in arguments]
    names = [name for name, value in (("X", data), ("y", y), ("selectors", selectors)) if value is None]
    if isinstance(arguments[0] if arguments else data, Dataset):
        names = [name for name in names if name != "y"]
    if len(arguments) > len(names):
        raise InputError("A study takes X, y and selectors, or a Dataset and selectors. Give other arguments by name: plan=…, k=….")
    named = dict(zip(names, arguments, strict=False))
    data, y, selectors = named.get("X", data), named.get("y", y), named.get("selectors", selectors)
    if isinstance(data, Dataset):
        if groups is not None or y is not None or given:
            raise InputError(
                "A Dataset includes its outcome, its patients and its given columns. Set y=, groups= and given= when you make it."
            )
    elif data is None or y is None:
        raise InputError("A study takes X, y and selectors: sc.Study(X, y, ['lasso', 'mim']), or a Dataset instead of X and y.")
    if selectors is None:
        raise InputError("A study needs at least one selector: sc.Study(X, y, ['lasso']). sc.list_selectors() lists them.")
    if not isinstance(data, Dataset):
        data = Dataset(data, y, groups=groups, given=given)
        if data.notes:  # who gives X and y never sees the Dataset
            warnings.warn(" ".join(data.notes), stacklevel=3)
    return data, selectors


def _refuse_too_many_folds(plan, data):
    """Raise InputError, with the largest possible number, for a cross-validation with too many folds."""
    n_units, unit_name = (data.n_rows, "rows") if data.patients is None else (int(data.patients.max()) + 1, "patients")
    for name, (what, most) in plan.most(n_units).items():
        asked = getattr(plan, name)
        if asked > most:
            raise InputError(
                f"The plan has {asked} {what}, but with {n_units} {unit_name} the largest possible number of "
                f"{what} is {most}. Choose fewer {what}: {name} = …, or another plan."
            )
