"""One task of a study: one selector on one resample. It runs in a worker and learns from the resample only."""

from __future__ import annotations

import hashlib
import io
import json
import pickle
import threading
import time
import warnings
from contextlib import contextmanager, suppress
from copy import deepcopy
from dataclasses import dataclass, field, fields
from functools import cached_property, lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from stabcore.base.target import NUMBER, TIME, kind_of_target, target_strata
from stabcore.base.user_objects import global_seed
from stabcore.classifiers.catalog import OWN_MODEL, classifier, own_model_predictions
from stabcore.classifiers.learners import Regressor, SurvivalModel
from stabcore.data.feature_table import FeatureTable, read_only
from stabcore.data.imputation import fill_missing
from stabcore.inference.noise_floor import shuffled_outcome
from stabcore.resampling.catalog import plan_from_settings
from stabcore.resampling.plan import Resample
from stabcore.selections.model_paths import ModelPath
from stabcore.selectors import fit_checks
from stabcore.selectors.base import Selector, one_thread
from stabcore.selectors.classifier_importance import SELECTOR, classifier_importance
from stabcore.study.choices import Choice
from stabcore.study.task_result import TaskResult
from stabcore.survival.concordance import evaluation_times

USER_OBJECTS_FILE = "own.pickle"  # in the folder of a running study


@dataclass(frozen=True)
class Task:
    """A selector on one resample, the unit of work of a worker.

    shuffle  0: the original outcome, s: that of shuffle s (see stabcore.inference.noise_floor)
    repeat   0: the first fit to these rows, r: a refit with another seed
    imputation  0: the first filling of the missing cells, if they are filled at all, i: another filling
    again    whether an earlier start of the study lost it, so that it is tried alone
    The classifier is trained only for the first fit to the original outcome. Other fits only give selections.
    """

    choice: Choice
    run: int
    shuffle: int = 0
    repeat: int = 0
    imputation: int = 0
    again: bool = False

    @property
    def key(self) -> tuple:
        """(selector, run, shuffle, repeat, imputation), its key in a study file."""
        return self.choice.label, self.run, self.shuffle, self.repeat, self.imputation

    @property
    def first(self) -> bool:
        """Whether it is the first fit to the original outcome."""
        return not (self.shuffle or self.repeat or self.imputation)

    def result(self, **parts) -> TaskResult:
        """Its result."""
        return TaskResult(*self.key, **parts)


@dataclass(frozen=True)
class Parcel:
    """The files of a study's folder as bytes, for workers on other machines. Equal names mean equal content."""

    name: str
    files: dict = field(compare=False, repr=False)


@dataclass(frozen=True)
class SharedData:
    """The shared data of all tasks of a study, in a folder. Workers get its path (or a Parcel), never the arrays.

    given         the columns that are always in the model
    user_objects  {"plan": an UserPlan, "classifier": an UserClassifier}, if user-defined
    """

    table: FeatureTable
    target: np.ndarray
    patients: np.ndarray | None
    settings: dict
    given: FeatureTable | None = None
    user_objects: dict = field(default_factory=dict)

    @cached_property
    def plan(self):
        """The resampling plan."""
        return self.user_objects.get("plan") or plan_from_settings(self.settings["plan"])

    def learner(self):
        """A new classifier."""
        if "classifier" in self.user_objects:
            return deepcopy(self.user_objects["classifier"])
        kind = kind_of_target(self.target)
        if kind == TIME:
            return SurvivalModel()
        return (Regressor if kind == NUMBER else classifier)(self.settings["classifier"])

    @staticmethod
    def write(folder, data, settings, user_objects=b""):
        """Write a dataset and the settings of a study to a folder. user_objects: see SharedData, as bytes."""
        folder = Path(folder)
        if user_objects:
            (folder / USER_OBJECTS_FILE).write_bytes(user_objects)
        np.save(folder / "values.npy", data.table.values)
        np.save(folder / "target.npy", data.target)
        if data.patients is not None:
            np.save(folder / "patients.npy", data.patients)
        about = {"table": _table_names(data.table), "settings": settings}
        if data.given is not None:
            np.save(folder / "given.npy", data.given.values)
            about["given"] = _table_names(data.given)
        (folder / "shared.json").write_text(json.dumps(about), encoding="utf-8")

    @staticmethod
    def parcel(folder) -> Parcel:
        """The folder for workers that cannot see it."""
        files = {path.name: path.read_bytes() for path in sorted(Path(folder).iterdir())}
        return Parcel(hashlib.sha256(b"".join(files.values())).hexdigest(), files)

    @staticmethod
    @lru_cache(maxsize=2)
    def read(source) -> SharedData:
        """The shared part of a study from its folder (memory-mapped) or its Parcel, once per process."""
        if isinstance(source, Parcel):
            arrays = {name: np.load(io.BytesIO(content)) for name, content in source.files.items() if name.endswith(".npy")}
            about, user_objects = json.loads(source.files["shared.json"]), source.files.get(USER_OBJECTS_FILE)
        else:
            arrays = {path.name: np.load(path, mmap_mode="r") for path in Path(source).glob("*.npy")}
            about = json.loads((Path(source) / "shared.json").read_text(encoding="utf-8"))
            path = Path(source) / USER_OBJECTS_FILE
            user_objects = path.read_bytes() if path.exists() else b""
        return SharedData(
            _feature_table(arrays["values.npy"], about["table"]),
            read_only(arrays["target.npy"]),
            arrays.get("patients.npy"),
            about["settings"],
            _feature_table(arrays["given.npy"], about["given"]) if "given" in about else None,
            pickle.loads(user_objects) if user_objects else {},
        )


def _table_names(table):
    """All of a FeatureTable but its values."""
    return {"categorical": table.categorical.tolist(), "features": list(table.features)}


def _feature_table(values, names):
    return FeatureTable(values, np.array(names["categorical"], dtype=bool), tuple(names["features"]))


class _RunRows(NamedTuple):
    """The rows of a run: of the table, the outcome and the given columns, and the held-out rows of the table and these columns."""

    drawn: Resample
    table: FeatureTable
    labels: np.ndarray
    given: FeatureTable | None
    held_out: FeatureTable
    held_out_given: FeatureTable | None


@lru_cache(maxsize=2)
def _run_rows(source, run, shuffle, imputation) -> _RunRows:
    """The rows of a run, cached for its selectors, which come one after another. Only a first fit predicts held-out rows."""
    shared = SharedData.read(source)
    target, seed = _task_outcome(source, shuffle), shared.settings["random_state"]
    drawn = shared.plan.resample(run, target, seed, shared.patients)
    learned, others = drawn.rows, drawn.held_out if not (shuffle or imputation) else drawn.held_out[:0]
    parts = [(shared.table.rows(rows), None if shared.given is None else shared.given.rows(rows)) for rows in (learned, others)]
    if shared.settings.get("n_imputations"):
        for_training, for_prediction = (table.beside(given) for table, given in parts)
        fillings = fill_missing(for_training, for_prediction, [seed, run, text_seed("imputation"), imputation])
        parts = [_split_given(every, shared.table.n_features) for every in fillings]
    (table, given), (held_out, held_out_given) = parts
    return _RunRows(drawn, table, read_only(target[learned]), given, held_out, held_out_given)


def _split_given(every, d):
    """(the d features, the given columns after them) of a table with both."""
    if every.n_features == d:
        return every, None
    return every.columns(range(d)), every.columns(range(d, every.n_features))


@lru_cache(maxsize=2)
def _task_outcome(source, shuffle):
    """The outcome of all rows (n,), original or shuffled."""
    shared = SharedData.read(source)
    if not shuffle:
        return shared.target
    return shuffled_outcome(shared.target, shared.patients, shared.settings["random_state"], shuffle, shared.given)


def run_batch(source, tasks) -> list[TaskResult]:
    """Run several tasks one after another, because quick tasks are sent in batches."""
    return [run_task(source, task) for task in tasks]


def run_task(source, task: Task) -> TaskResult:
    """Fit the selector to the resample and select. In the first fit, also train the classifier and predict the held-out rows.

    Never raises: an error becomes a failed TaskResult with its message, so that the study continues. The tasks of a process take
    turns, so that in threads each has its own warnings and the same digits as in a separate process.
    """
    with one_task_at_a_time() as heard:
        started = time.perf_counter()
        try:
            warm_up(SharedData.read(source), task.choice)
            started = time.perf_counter()
            with global_seed(*_task_seed(SharedData.read(source).settings, task)):
                parts = _run_parts(source, task)
            warned = tuple(dict.fromkeys([*parts.pop("warnings"), *heard]))
            return task.result(warnings=warned, seconds=time.perf_counter() - started, **parts)
        except Exception as error:  # a user-defined selector may raise anything
            return task.result(status="failed", message=_failure_reason(error, source), seconds=time.perf_counter() - started)


def _run_parts(source, task) -> dict:
    shared = SharedData.read(source)
    settings = shared.settings
    rows = _run_rows(source, task.run, task.shuffle, task.imputation)
    drawn, table, labels, given = rows[:4]
    rng = np.random.default_rng(_task_seed(settings, task))
    started = time.perf_counter()
    fitted, k = task.choice.make(), task.choice.size(settings["n_selected"], table.n_features)
    fitted.fit(table, labels, rng=rng, k=k, **_given_argument(given))
    chosen = fit_checks.selected_features(fitted, k or table.n_features, table.n_features)
    parts = {
        "fit_seconds": time.perf_counter() - started,
        "redrawn": drawn.redrawn,
        "selected": chosen,
        **{name: fit_checks.feature_values(fitted, f"{name}_", table.n_features) for name in ("scores", "ranking", "importances")},
        "warnings": list(getattr(fitted, "warnings_", ())),
        **_model_path(fitted),
    }
    if (kind := settings.get("importances", SELECTOR)) != SELECTOR:
        parts["importances"] = _classifier_importances(kind, shared, task, table, labels, chosen, given)
        parts["path_importances"] = None
    if not task.first:
        short = {name: parts[name].astype(np.float32) for name in ("scores", "importances")}  # to save space in the file
        return parts | short | {"path_importances": None}
    parts["held_out"] = drawn.held_out
    if settings["classifier"] != "none" and len(drawn.held_out):
        if shared.settings["classifier"] == OWN_MODEL.key:
            n_classes = int(shared.target.max()) + 1
            parts |= dict(
                zip(("predicted", "probability"), own_model_predictions(fitted, rows.held_out, labels, n_classes), strict=True)
            )
        else:
            parts |= _predictions(shared, rows, chosen, rng)
        if given is not None:
            parts |= _given_predictions(source, task.run)
        if not len(chosen) and given is None:
            usual = {NUMBER: "the mean", TIME: "the same risk"}.get(kind_of_target(labels), "the most common class")
            parts["warnings"].append(f"No feature was selected, so {usual} was predicted.")
    return parts


def _classifier_importances(kind, shared, task, table, labels, chosen, given):
    """(d,) importance of each selected feature in a classifier trained on these features only, 0 for the others."""
    rng = np.random.default_rng([*_task_seed(shared.settings, task), text_seed(kind)])
    few, importances = table.columns(chosen).beside(given), np.zeros(table.n_features)
    learner = shared.learner().fit(few, labels, rng, n_classes=int(shared.target.max()) + 1, **_given_count_argument(given))
    importances[chosen] = classifier_importance(kind, learner, few, labels, rng)[: len(chosen)]
    return importances


def _task_seed(settings, task):
    """The seed of the random numbers of a task, independent of the worker and the time.

    Selectors with equal settings use the same random numbers, under any label. The seed includes the table. Otherwise two cohorts
    with one seed would break ties by the same random numbers, and noise would seem to replicate.
    """
    other = () if task.first else (task.shuffle, task.repeat, *[task.imputation] * bool(task.imputation))
    table = text_seed(settings.get("data", {}).get("fingerprint", ""))
    return [settings["random_state"], task.run, text_seed(task.choice.recipe), table, *other]


def _predictions(shared, rows, chosen, rng) -> dict:
    """Class and probabilities of the held-out rows, from the chosen features and the given columns alone.

    For a numeric outcome the predicted number. For a time to an event the risk, and the hazard of risk 0.
    """
    labels, given, kind = rows.labels, rows.given, kind_of_target(rows.labels)
    learned, held_out = rows.table.columns(chosen).beside(given), rows.held_out.columns(chosen).beside(rows.held_out_given)
    if kind == TIME:
        risk, hazard = (
            shared.learner()
            .fit(learned, labels, rng, **_given_count_argument(given))
            .predict(held_out, evaluation_times(shared.target))
        )
        return {"probability": risk.astype(np.float32), "baseline": hazard}  # saves space in the file
    if kind == NUMBER:
        return {"probability": shared.learner().fit(learned, labels, rng, **_given_count_argument(given)).predict(held_out)}
    learner = shared.learner().fit(learned, labels, rng, n_classes=int(shared.target.max()) + 1, **_given_count_argument(given))
    return dict(zip(("predicted", "probability"), learner.predict(held_out), strict=True))


def _given_argument(given) -> dict:
    """The given columns as an argument of fit, which selectors of users need not know."""
    return {} if given is None else {"given": given}


def _given_count_argument(given) -> dict:
    """How many of the last features of a learner have no penalty."""
    return {} if given is None else {"n_given": given.n_features}


@lru_cache(maxsize=2)
def _given_predictions(source, run) -> dict:
    """The predictions of a model of the given columns alone, the same for every selector of a run."""
    shared = SharedData.read(source)
    seed = [shared.settings["random_state"], run, text_seed("given")]
    with global_seed(*seed):
        found = _predictions(shared, _run_rows(source, run, 0, 0), [], np.random.default_rng(seed))
    return {f"given_{name}": value for name, value in found.items()}


def _model_path(fitted):
    """The selections of a fitted selector at every k, for a TaskResult. None if they are the first k of its ranking."""
    path = getattr(fitted, "path_", None)
    if path is None and type(fitted).select is not Selector.select:
        path = ModelPath.from_selector(fitted.select, fitted.ranking_)
    return {} if path is None else {f"path_{part.name}": getattr(path, part.name) for part in fields(path)}


def text_seed(text) -> int:
    """A number that depends only on a text (Python's hash differs between processes)."""
    return int.from_bytes(hashlib.sha256(text.encode("utf-8")).digest()[:4], "little")


def _failure_reason(error, source) -> str:
    """The reason of a failure, without paths of files, because others may read the study file."""
    reason = f"{type(error).__name__}: {error}".replace(source if isinstance(source, str) else "\0", "…")
    if isinstance(error, ValueError) and "read-only" in str(error):
        reason += (
            ". All selectors of a run learn from one table and one outcome, which therefore cannot be changed in place. "
            "Change a copy, such as X.values.copy()."
        )
    return reason


TASK_LOCK = threading.Lock()  # also held by code that changes Python's warnings while tasks may run here


@contextmanager
def one_task_at_a_time():
    """In it, no other task runs in this process, linear algebra keeps to one thread, and warnings of this thread are collected.

    Yields {sentence: None}, each sentence once, in order.
    Warnings of other threads, which are not the task's, go where they went before.
    """
    from threadpoolctl import OpenBLASController

    heard: dict[str, None] = {}
    here = threading.get_ident()
    with TASK_LOCK, warnings.catch_warnings():
        show = warnings.showwarning

        def hear(message, category, *where, **more):
            if threading.get_ident() == here:
                heard[f"{category.__name__}: {(str(message).strip().splitlines() or [''])[0]}"] = None
            else:
                show(message, category, *where, **more)

        warnings.showwarning = hear
        warnings.simplefilter("always")  # not "default", which ignores warnings that another thread had before
        warnings.simplefilter("ignore", ResourceWarning)  # of any object that is only now collected as garbage
        OpenBLASController.clear_controlling_thread(force=True)  # a limit set by another thread would take precedence
        with one_thread():
            yield heard


WARM_UP_ROWS = 6  # rows of each class
WARM_UP_COLUMNS = 10
_loaded: set[tuple[str, str, str]] = set()


def warm_up(shared, choice):
    """Fit a selector of the catalogue, and the classifier, to a few rows of the study, once per process.

    The result is discarded. Otherwise the first trial of a study would count seconds of loading for every run. User-defined code
    runs in tasks only.
    """
    mark = choice.key, repr(choice.options), repr(shared.settings["classifier"])
    if choice.user_object is not None or mark in _loaded:
        return
    _loaded.add(mark)
    rows = _first_rows(shared.target)
    table, target = shared.table.rows(rows).columns(range(min(WARM_UP_COLUMNS, shared.table.n_features))), shared.target[rows]
    given = None if shared.given is None else shared.given.rows(rows)
    with suppress(Exception), warnings.catch_warnings():  # a task will report the error
        warnings.simplefilter("ignore")
        fitted, key = choice.make().fit(table, target, rng=0, k=1, **_given_argument(given)), shared.settings["classifier"]
        if key != "none" and "classifier" not in shared.user_objects:
            times = (evaluation_times(target),) if kind_of_target(target) == TIME else ()
            learner = fitted if key == OWN_MODEL.key else shared.learner().fit(table, target, np.random.default_rng(0))
            learner.predict(table, *times)


def _first_rows(target):
    """Numbers of the first rows of each class, or of the first rows where the target is a number."""
    strata = target_strata(target)
    if not strata.any():
        return np.arange(min(2 * WARM_UP_ROWS, len(target)))
    return np.sort(np.concatenate([np.flatnonzero(strata == c)[:WARM_UP_ROWS] for c in np.unique(strata)]))
