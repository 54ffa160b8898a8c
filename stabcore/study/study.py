"""Study: a dataset, selectors, a resampling plan, a cardinality, a classifier and a seed; and running it."""

from __future__ import annotations

import os
import platform
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from stabcore.base.errors import InputError
from stabcore.base.user_objects import described, portable
from stabcore.classifiers.user_classifiers import OwnClassifier
from stabcore.data import Dataset
from stabcore.inference.noise_floor import MOST, RUNS, USUAL
from stabcore.resampling.catalog import adopted, plan_settings
from stabcore.resampling.draws import Subsample
from stabcore.resampling.plan import Plan
from stabcore.resampling.user_plan import UserPlan
from stabcore.selectors.base import whole
from stabcore.selectors.classifier_importance import SELECTOR, refuse_importance
from stabcore.study.choices import Choice, choices_of, how_many, scoring_classifier
from stabcore.study.machine import refuse_what_cannot_fit, usual_workers
from stabcore.study.scheduling import work_through
from stabcore.study.store import Store
from stabcore.study.study_result import StudyResult
from stabcore.study.tasks import Task, Work
from stabcore.study.working_files import StudyLock, working_folder

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from os import PathLike
    from typing import Any

    from stabcore.classifiers.catalog import ClassifierLike
    from stabcore.resampling.plan import PlanLike
    from stabcore.selectors.base import SelectorLike


@dataclass(frozen=True)
class Study:
    """Every selector on every resample of a plan; beside it, runs with the outcome shuffled, and runs with other seeds.

    Parameters
    ----------
    data : Dataset
        The table, its outcome and its features.
    selectors : str, object, list or dict
        Catalogue keys, (key, options) pairs, or {label: key | (key, options) | own object}. An own object is a selector, or an
        estimator of scikit-learn with coef_ or feature_importances_ (see stabcore.selectors).
    plan : Plan
        A resampling plan (sc.ComplementaryPairs, …), a splitter of scikit-learn, or one's own (see stabcore.resampling.plan).
    k : int, float or str
        How many features each run selects: a number, a share of all (0.25), or "sqrt" for min(20, √d). An option "k" of a
        (key, options) pair holds for that selector alone, and may be "free" where it settles that itself.
    classifier : str or object, optional
        Scores the selected features on the held-out rows: a key, or one's own (see stabcore.classifiers); "own" for each
        selector's own final model, which all must have; "none". By default "3nn", and "none" for a numeric outcome.
    random_state : int
        The seed of all that is drawn by lot: run i depends on it and on i alone.
    n_permutations : int
        How often the outcome is shuffled and some runs repeated, which measures the noise floor of every selector that looks
        at the outcome. 0 leaves it out, and then nothing is judged. 20 shuffles of 4 runs beside 50 runs take about 1.6 times
        as long again, more for selectors that noise keeps busy, as the lasso.
    permutation_runs : int or "all"
        How many runs of the plan each shuffle repeats, at least 4; "all" for measures that are no mean over pairs of runs.
    n_seeds : int
        How often selectors with chance inside are fitted to the rows of each run (inference.seed_variability).
    importances : str
        "selector": as each selector weighs features; or in the classifier that is trained on them: "linear", "margin",
        "permutation" or "sensitivity" (see stabcore.selectors.importance).

    Raises
    ------
    InputError
        For an unknown selector, option or classifier, a selector that is not defined for the outcome, or a k or a plan that
        the data cannot give.
    """

    data: Dataset
    selectors: tuple[Choice, ...]
    plan: Plan = field(default_factory=Subsample)
    k: float | str = 0.25
    classifier: str | OwnClassifier | None = None
    random_state: int = 0
    n_permutations: int = USUAL
    n_seeds: int = 1
    importances: str = "selector"
    permutation_runs: int | str = RUNS

    if TYPE_CHECKING:  # what may be given; the fields are what it is made

        def __init__(
            self,
            data: Dataset,
            selectors: SelectorLike | Iterable[SelectorLike] | Mapping[str, SelectorLike],
            plan: PlanLike = ...,
            k: float | str = 0.25,
            classifier: ClassifierLike | None = None,
            random_state: int = 0,
            n_permutations: int = USUAL,
            n_seeds: int = 1,
            importances: str = "selector",
            permutation_runs: int | str = RUNS,
        ) -> None: ...

    def __post_init__(self):
        object.__setattr__(self, "selectors", choices_of(self.selectors, self.data.target))
        object.__setattr__(self, "classifier", scoring_classifier(self.classifier, self.data, self.selectors))
        if self.importances != SELECTOR:
            refuse_importance(self.importances, self.classifier if isinstance(self.classifier, str) else "", len(self.data.classes))
        whole(self.random_state, "random_state", 0)
        object.__setattr__(
            self, "n_permutations", whole(self.n_permutations, "n_permutations, how often the outcome is shuffled,", 0, MOST)
        )
        if self.permutation_runs != "all":
            whole(self.permutation_runs, 'permutation_runs, how many runs each shuffle repeats ("all" for the whole plan),', RUNS)
        object.__setattr__(self, "n_seeds", whole(self.n_seeds, "n_seeds, how often each run is fitted,", 1, MOST))
        plan = self.plan.of_table(self.data) if isinstance(self.plan, Plan) else self.plan
        object.__setattr__(self, "plan", adopted(plan, self.data.target, self.random_state, self.data.patients))
        usual = how_many(self.k, self.data.n_features)
        for choice in self.selectors:
            choice.size(usual, self.data.n_features)
        _refuse_too_many_folds(self.plan, self.data)

    def settings(self) -> dict:
        """All that the outcome depends on, as plain values: kept in the study file, compared before it is continued."""
        return {
            "data": {
                "name": self.data.name,
                "fingerprint": self.data.fingerprint,
                "target": self.data.target_name,
                "n_rows": self.data.n_rows,
                "n_features": self.data.n_features,
            },
            "selectors": [self._settings_of(choice) for choice in self.selectors],
            "plan": plan_settings(self.plan),
            "k": self.k,
            "n_selected": how_many(self.k, self.data.n_features),
            "classifier": (
                {"own": described(self.classifier.own)} if isinstance(self.classifier, OwnClassifier) else self.classifier
            ),
            "random_state": int(self.random_state),
            "n_permutations": self.n_permutations,
            "permutation_runs": self.permutation_runs if self.n_permutations else "all",
            "n_seeds": self.n_seeds,
        } | ({} if self.importances == SELECTOR else {"importances": self.importances})

    def _settings_of(self, choice):
        if choice.user_object is not None:
            return {"label": choice.label, "own": described(choice.user_object)}
        size = choice.size(how_many(self.k, self.data.n_features), self.data.n_features)
        asked = {"n_selected": size} if choice.k is not None or size is None else {}
        return {"label": choice.label, "key": choice.key, "options": dict(choice.options), **asked}

    def tasks(self) -> Iterator[Task]:
        """In the order of work: the outcome as it is, so that first results appear at once; one shuffle after another; other dice.

        Shuffles of some of the runs that stability rests on (see Plan.permutation_runs), of the selectors that look at the outcome;
        repeats of all of them, of the selectors with chance inside.
        """
        runs = range(self.plan.n_runs)
        yield from (Task(choice, run) for run in runs for choice in self.selectors)
        agreeing = [run for run in runs if self.plan.measures_stability(run)]
        looking = [choice for choice in self.selectors if choice.looks_at_outcome]
        repeated = self.plan.permutation_runs(self.permutation_runs)
        for shuffle in range(1, self.n_permutations + 1):
            yield from (Task(choice, run, shuffle) for run in repeated for choice in looking)
        drawing = [choice for choice in self.selectors if choice.chance_inside] if self.n_seeds > 1 else []
        for repeat in range(1, self.n_seeds):
            yield from (Task(choice, run, 0, repeat) for run in agreeing for choice in drawing)

    def repetition(self) -> str:
        """That some runs would learn from the same rows as others, as a sentence; empty when none would, or none can be drawn."""
        try:
            return self.plan.repetition(self.data.target, self.random_state, self.data.patients)
        except InputError:
            return ""

    def run(
        self,
        executor: Executor | None = None,
        store: str | PathLike[str] | None = None,
        progress: Callable[[int, int], bool | None] | None = None,
        n_jobs: int | None = None,
        pilot: bool = False,
    ) -> StudyResult:
        """Run what is missing and return the StudyResult.

        n_jobs    how many processes; None or -1: one a core
        executor  any concurrent.futures.Executor; None: a pool of `n_jobs` processes (default: all cores) on this machine.
                  Tasks in threads of one process take turns, so only more processes are faster
        store     the study file, begun or continued; None: a temporary one
        progress  called as progress(done, total) after each task; returning False stops the study and keeps what is done
        pilot     the first run of every selector only: enough to tell how long the rest will take
        The outcome is bit-identical whatever the executor, the number of workers and the interruptions. Raises InputError
        when this machine has too little memory, the file cannot be written, or another process runs the same study file.
        """
        n_jobs = None if n_jobs in (None, -1) else whole(n_jobs, "n_jobs")
        if executor is None:
            n_jobs = n_jobs or usual_workers()
            refuse_what_cannot_fit(self.data, n_jobs)
        store = store or os.path.join(tempfile.mkdtemp(prefix="stabcore-"), "study.stab")
        _refuse_place(Path(store))
        lock = StudyLock(store)
        if not lock.acquire():
            raise InputError(f"{Path(store).name} is being run by another process now. Wait for it, or cancel it there.")
        try:
            study_file = Store.create(store, self.settings(), self._about())
            done = study_file.finished()
            every = list(self.tasks())
            missing = [task for task in every if task.key not in done and not (pilot and (task.run or not task.first))]
            lost = study_file.lacked_memory()
            missing = [replace(task, again=task.key in lost) for task in missing]
            if missing:
                with working_folder(store) as folder:
                    Work.write(folder, self.data, self.settings(), self._user_objects())
                    self._work_through(missing, len(done), len(every), folder, study_file, executor, progress, n_jobs)
            study_file.seal()
        finally:
            lock.release()
        return StudyResult(store)

    def _work_through(self, missing, done, total, folder, study_file, executor, progress, n_jobs):
        def keep(outcomes):
            nonlocal done
            study_file.add(*outcomes)
            done += len(outcomes)

        def go_on():
            return progress is None or progress(done, total) is not False

        work_through(missing, folder, keep, go_on, executor, n_jobs)

    def _user_objects(self) -> bytes:
        """The plan and the classifier for the workers, as far as they are one's own."""
        user_objects: dict[str, Any] = {"plan": self.plan} if isinstance(self.plan, UserPlan) else {}
        user_objects |= {"classifier": self.classifier} if isinstance(self.classifier, OwnClassifier) else {}
        return portable(user_objects, " and the ".join(f"own {name}" for name in user_objects)) if user_objects else b""

    def _about(self) -> dict:
        """Circumstances: kept in the file, but a study may be continued under others."""
        return (
            {
                "features": list(self.data.features),
                "classes": list(self.data.classes),
                "importances_of_one_k": {
                    choice.label: self.importances != SELECTOR or choice.importances_of_one_k for choice in self.selectors
                },
                "chance_inside": [choice.chance_inside for choice in self.selectors],
                "target": self.data.target.tolist(),
                "versions": _versions(),
            }
            | ({} if self.data.patients is None else {"patients": self.data.patients.tolist()})
            | ({"mended": list(self.data.mended)} if self.data.mended else {})
            | ({"choices": self.data.choices} if self.data.choices else {})
            | ({"units": self.data.units} if self.data.units else {})
        )


def _refuse_too_many_folds(plan, data):
    """Raise InputError, with the most that are possible, for a cross-validation that cannot fill its folds."""
    n_units, unit_name = (data.n_rows, "rows") if data.patients is None else (int(data.patients.max()) + 1, "patients")
    for name, (what, most) in plan.most(n_units).items():
        asked = getattr(plan, name)
        if asked > most:
            raise InputError(
                f"The plan asks for {asked} {what}, but with {n_units} {unit_name} the largest possible number of "
                f"{what} is {most}. Choose fewer {what}: {name} = …, or another plan."
            )


def _refuse_place(store):
    """Raise InputError when no study file can be written there."""
    place = store if store.exists() else store.parent
    wrong = (
        f"There is no folder {store.parent}"
        if not store.parent.is_dir()
        else f"{store} is a folder"
        if store.is_dir()
        else ""
        if os.access(place, os.W_OK)
        else f"You may not write to {place}"
    )
    if wrong:
        raise InputError(f"{wrong}. Choose a name for the study file, such as study.stab, in a folder that exists and is yours.")


def _versions() -> dict:
    from importlib.metadata import version

    from stabcore import __version__

    return {
        "stabcore": __version__,
        "python": platform.python_version(),
        **{name: version(name) for name in ("numpy", "scipy", "pandas", "scikit-learn")},
    }
