"""TaskResult: the result of one task of a study, and its form in a study file."""

from __future__ import annotations

import json
import re
import zlib
from dataclasses import dataclass, fields, replace

import numpy as np

from stabcore.selections.model_paths import ModelPath

FIT_KINDS = ("shuffle", "repeat", "imputation")  # kinds of fits other than the first to the original outcome
KEY = (*FIT_KINDS, "selector", "run")  # key of a task, in an order that keeps the most-read tasks together
ARRAYS = {
    "scores": "<f8",
    "ranking": "<f8",
    "importances": "<f8",
    "selected": "<i4",
    "held_out": "<i4",
    "predicted": "<i2",
    "probability": "<f8",
    "path_starts": "<i4",
    "path_sizes": "<i4",
    "path_features": "<i4",
    "path_importances": "<f4",
    "baseline": "<f8",
    "given_predicted": "<i2",
    "given_probability": "<f8",
    "given_baseline": "<f8",
}

WORKER_DIED = "The worker process died twice, most likely because memory ran out."  # the message of such a task
_MEMORY = re.compile(r"\w*MemoryError\b")


@dataclass(frozen=True, eq=False)
class TaskResult:
    """The result of one task (a selector on one resample). shuffle, repeat, imputation: see stabcore.study.tasks.Task.

    scores, ranking, importances  (d,). selected: numbers of the selected features. held_out: row numbers, with predicted classes
    and probabilities (rows × classes) if any, or with predicted numbers, or with risks of a time to an event. baseline: the
    cumulative hazard of risk 0 at survival.evaluation_times. given_…: the same for a model of the given columns alone. path_…: see
    `path`. A failed task has a message and no arrays.

    Each field is a column of the file. A new array needs its type in ARRAYS, its allowed content in stabcore.study.contents, and a
    higher FORMAT in stabcore.study.store.
    """

    selector: str
    run: int
    shuffle: int = 0
    repeat: int = 0
    imputation: int = 0
    status: str = "done"
    message: str = ""
    warnings: tuple[str, ...] = ()
    redrawn: int = 0
    fit_seconds: float = 0.0
    seconds: float = 0.0
    scores: np.ndarray | None = None
    ranking: np.ndarray | None = None
    importances: np.ndarray | None = None
    selected: np.ndarray | None = None
    held_out: np.ndarray | None = None
    predicted: np.ndarray | None = None
    probability: np.ndarray | None = None
    path_starts: np.ndarray | None = None
    path_sizes: np.ndarray | None = None
    path_features: np.ndarray | None = None
    path_importances: np.ndarray | None = None
    baseline: np.ndarray | None = None
    given_predicted: np.ndarray | None = None
    given_probability: np.ndarray | None = None
    given_baseline: np.ndarray | None = None

    @property
    def key(self) -> tuple[str, int, int, int, int]:
        """(selector, run, shuffle, repeat, imputation)."""
        return self.selector, self.run, self.shuffle, self.repeat, self.imputation

    @property
    def first(self) -> bool:
        """Whether it is the first fit to the original outcome."""
        return not (self.shuffle or self.repeat or self.imputation)

    @property
    def as_given_result(self) -> TaskResult:
        """The same with the predictions of the given columns alone, and nothing selected."""
        return replace(
            self,
            selected=np.empty(0, dtype=int),
            predicted=self.given_predicted,
            probability=self.given_probability,
            baseline=self.given_baseline,
        )

    @property
    def lacked_memory(self) -> bool:
        """Whether it failed for a temporary reason, which may not recur later or with fewer workers."""
        return self.status == "failed" and (self.message == WORKER_DIED or bool(_MEMORY.match(self.message)))

    @property
    def path(self) -> ModelPath | None:
        """The selections at every k, if they are not the first k of its ranking, else None."""
        if self.path_starts is None:
            return None
        return ModelPath(
            self.path_starts, required_array(self.path_sizes), required_array(self.path_features), self.path_importances
        )


def required_array(array: np.ndarray | None) -> np.ndarray:
    """An array that every successful task has."""
    assert array is not None
    return array


COLUMNS = tuple(declared.name for declared in fields(TaskResult))
IN_EVERY_FORMAT = tuple(
    name for name in COLUMNS if name not in (*FIT_KINDS, "baseline") and not name.startswith(("path_", "given_"))
)


def pack_value(name, value):
    """A value of a TaskResult as stored in the file."""
    if value is not None and name in ARRAYS:
        return zlib.compress(np.ascontiguousarray(value, dtype=ARRAYS[name]).tobytes(), 6)
    return json.dumps(list(value)) if name == "warnings" else value
