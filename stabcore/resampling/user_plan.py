"""User-defined resampling plans, including scikit-learn's splitters: checked, and described in the study file.

The contract is in stabcore.resampling.plan.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from stabcore.base.errors import InputError
from stabcore.base.user_objects import as_input_error, describe_object, global_seed
from stabcore.resampling.plan import Plan, PlanLike, Resample, SplitterObject

if TYPE_CHECKING:
    from typing_extensions import TypeIs  # known to every type checker, not installed


def is_splitter(plan: object) -> TypeIs[SplitterObject]:
    """Whether it is a scikit-learn splitter that is not also a plan."""
    methods = [callable(getattr(plan, name, None)) for name in ("split", "get_n_splits", "resample")]
    return not isinstance(plan, type) and methods == [True, True, False]


@dataclass(frozen=True)
class Splits:
    """Given splits, [(rows to learn from, rows held out)], as scikit-learn accepts them for cv."""

    splits: list[tuple[np.ndarray, np.ndarray]]

    def split(self, X: Any = None, y: Any = None, groups: Any = None) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        return iter(self.splits)

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:
        return len(self.splits)


@dataclass(frozen=True)
class SplitterPlan:
    """A splitter as a user-defined plan (see stabcore.resampling.plan), with the rows that its splits share.

    Runs that together hold out every row once, such as the folds of one cross-validation, are one unit. The splitter gets the
    patients as groups. If it splits the rows of a patient, the study refuses it when it checks the runs.
    """

    splitter: Any
    units: tuple[int, ...]
    shares: tuple[tuple[float, float], ...]
    parts_rows: bool
    separate_halves: bool

    @classmethod
    def of(cls, splitter: SplitterObject, target: np.ndarray, seed: int, patients: np.ndarray | None = None) -> SplitterPlan:
        """Look at all splits of these rows. Raises InputError when the splitter cannot split them."""
        try:
            splits = _all_splits(splitter, target, seed, patients)
        except Exception as error:  # a splitter of scikit-learn or of a user may raise anything
            raise as_input_error(f"splitter {type(splitter).__name__}", error) from error
        for rows, others in splits:
            if patients is not None and len(np.intersect1d(patients[rows], patients[others])):
                raise InputError(
                    f"{type(splitter).__name__} splits the rows of a patient. Use a splitter by groups, such as GroupKFold or "
                    "StratifiedGroupKFold, or a plan of sc.list_plans()."
                )
        n_rows, learned, held_out = len(target), np.zeros((len(splits), len(target))), np.zeros((len(splits), len(target)))
        for run, (rows, others) in enumerate(splits):
            learned[run, rows], held_out[run, others] = 1, 1
        common, sizes = learned @ learned.T, learned.sum(axis=1)
        pairs = list(combinations(range(len(splits)), 2))
        times = Counter(round(float(common[i, j] / np.sqrt(sizes[i] * sizes[j])), 3) for i, j in pairs)
        shares = tuple((share, number / len(pairs)) for share, number in sorted(times.items()))
        parts_rows = all(len(rows) + len(others) == n_rows for rows, others in splits) and bool((learned + held_out == 1).all())
        halves = len(splits) % 2 == 0 and all(common[run, run + 1] == 0 for run in range(0, len(splits), 2))
        return cls(splitter, _run_units(held_out), shares, parts_rows, parts_rows and halves)

    @property
    def n_runs(self) -> int:
        return len(self.units)

    def resample(self, run: int, target: np.ndarray, seed: int, patients: np.ndarray | None = None) -> Resample:
        return Resample(*_all_splits(self.splitter, target, seed, patients)[run])

    def unit(self, run: int) -> int:
        return self.units[run]

    def shared_rows(self) -> list[tuple[float, float]]:
        return list(self.shares)

    def sentence(self) -> str:
        return f"{self.n_runs} runs of scikit-learn's {type(self.splitter).__name__}"


def _all_splits(splitter, target, seed, patients) -> list[tuple[np.ndarray, np.ndarray]]:
    """All splits, equal for equal seeds of the study. A splitter with its own seed keeps it."""
    fresh = deepcopy(splitter)
    if getattr(fresh, "random_state", 0) is None:
        fresh.random_state = int(np.random.SeedSequence(seed).generate_state(1)[0])
    with global_seed(seed):
        splits = list(fresh.split(np.zeros((len(target), 1)), target, patients))
    return [(np.asarray(rows), np.asarray(others)) for rows, others in splits]


def _run_units(held_out) -> tuple[int, ...]:
    """The unit of each run: consecutive runs that together hold out every row once, else each run by itself."""
    units, start = list(range(len(held_out))), 0
    for run in range(len(held_out)):
        times = held_out[start : run + 1].sum(axis=0)
        if (times > 1).any():
            start = run
        elif (times == 1).all():
            units[start : run + 1] = [start] * (run + 1 - start)
            start = run + 1
    return tuple(units)


CONTRACT = (
    "A user-defined plan is an object with `n_runs` and resample(run, target, seed, patients=None) that gives (rows, held_out)"
)
_RUN_ANSWERS = {"measures_stability": bool, "block": int, "unit": int}
_PLAN_ANSWERS = {"parts_rows": bool, "separate_halves": bool}


@dataclass(frozen=True)
class UserPlan(Plan):
    """A user-defined plan. Its resamples are checked, and its description is kept in the study file.

    description  its runs as plain values, enough to read the results without its class
    user_object  the object itself, None in results that were read from a file
    """

    description: dict
    user_object: Any = None
    unit_name = "unit"

    @classmethod
    def of(cls, user_object: PlanLike, target: np.ndarray, seed: int, patients: np.ndarray | None = None) -> UserPlan:
        """Check a user-defined plan by its first resample of these rows. Raises InputError if the contract is not met."""
        if isinstance(user_object, type) or not callable(getattr(user_object, "resample", None)):
            without = f"an object of type {type(user_object).__name__} without resample"
            found = f"the class {user_object.__name__}" if isinstance(user_object, type) else without
            raise InputError(f"{CONTRACT}. Found {found}.")
        plan = cls(_plan_description(user_object), user_object)
        first, second = (plan.resample(0, target, seed, patients) for _ in range(2))
        if not all(np.array_equal(*both) for both in ((first.rows, second.rows), (first.held_out, second.held_out))):
            raise InputError(
                f"The plan {type(user_object).__name__} gives different rows for the same run. Draw them from "
                "np.random.default_rng([seed, run]), so that they depend only on the seed and the run."
            )
        return plan

    @property
    def n_runs(self) -> int:
        return self.description["n_runs"]

    @property
    def parts_rows(self) -> bool:  # type: ignore[override]
        return self.description["parts_rows"]

    @property
    def separate_halves(self) -> bool:  # type: ignore[override]
        return self.description["separate_halves"]

    def resample(self, run: int, target: np.ndarray, seed: int, patients: np.ndarray | None = None) -> Resample:
        if self.user_object is None:
            name = self.description["own"]
            raise InputError(f"The rows of run {run + 1} come from the plan {name}, which a study file does not hold.")
        try:
            with global_seed(seed, run):
                resample = self.user_object.resample(run, target, seed, patients)
        except Exception as error:  # a user-defined plan may raise anything
            raise as_input_error(f"plan {type(self.user_object).__name__} in run {run + 1}", error) from error
        return _checked_resample(
            resample, f"run {run + 1} of the plan {type(self.user_object).__name__}", len(target), patients, self.parts_rows
        )

    def measures_stability(self, run: int) -> bool:
        return self.description["measures_stability"][run]

    def block(self, run: int) -> int:
        return self.description["block"][run]

    def unit(self, run: int) -> int:
        return self.description["unit"][run]

    def cluster(self, run: int) -> int:
        together = self.description["unit"]
        return together[run] if len(set(together)) < len(together) else self.block(run)

    def shared_rows(self) -> list[tuple[float, float]]:
        if self.description["shared_rows"] is None:
            raise InputError("The plan needs a method shared_rows(), as stabcore.resampling.plan.Plan has.")
        return [tuple(pair) for pair in self.description["shared_rows"]]

    def sentence(self) -> str:
        return self.description["sentence"]


def _plan_description(user_object) -> dict:
    """The description of a plan as plain values. Answers that it lacks come from `Plan`."""
    name, runs = type(user_object).__name__, getattr(user_object, "n_runs", None)
    if isinstance(runs, bool) or not isinstance(runs, (int, np.integer)) or runs < 2:
        raise InputError(f"{CONTRACT}. `n_runs` of {name} must be a whole number of at least 2. Found {runs!r}.")
    description: dict[str, Any] = {
        "own": describe_object(getattr(user_object, "splitter", user_object)),
        "n_runs": int(runs),
        "sentence": _plan_answer(user_object, "sentence") or f"{runs} runs of the plan {name}",
        "shared_rows": _plan_answer(user_object, "shared_rows"),
    }
    for question, kind in _RUN_ANSWERS.items():
        description[question] = [
            _plain_value(_plan_answer(user_object, question, run), kind, f"{question}({run}) of {name}") for run in range(runs)
        ]
    for question, kind in _PLAN_ANSWERS.items():
        description[question] = _plain_value(getattr(user_object, question, getattr(Plan, question)), kind, f"{question} of {name}")
    if sum(description["measures_stability"]) < 2:
        found = f"{sum(description['measures_stability'])} of {runs}"
        raise InputError(f"measures_stability(run) of {name} must be True for at least two runs. Found {found}.")
    try:
        return json.loads(json.dumps(description))
    except (TypeError, ValueError):
        found = " and ".join(type(description[name]).__name__ for name in ("sentence", "shared_rows"))
        what = "a text and a list of (share, weight)"
        raise InputError(f"sentence() and shared_rows() of {name} must give {what}. Found {found}.") from None


def _plan_answer(user_object, question, *run):
    """The answer of a plan to a question, or that of `Plan` if it has none, or None."""
    ask = getattr(user_object, question, None)
    try:
        return ask(*run) if ask is not None else getattr(Plan, question)(user_object, *run)
    except NotImplementedError:
        return None
    except Exception as error:  # a user-defined plan may raise anything
        raise as_input_error(f"plan {type(user_object).__name__}, asked for {question}", error) from error


def _plain_value(value, kind, who):
    """A bool or whole number as a Python value."""
    if not isinstance(value, (kind, {bool: np.bool_, int: np.integer}[kind])) or kind is int and isinstance(value, bool):
        raise InputError(f"{who} must be {'True or False' if kind is bool else 'a whole number'}. Found {value!r}.")
    return kind(value)


def _checked_resample(resample, who, n_rows, patients, parts_rows) -> Resample:
    """A checked Resample. Raises InputError for wrong row numbers, and for rows that are both learned from and held out."""
    if not isinstance(resample, Resample):
        try:
            rows, held_out = resample
        except (TypeError, ValueError):
            raise InputError(f"{CONTRACT}. {who[0].upper()}{who[1:]} gives {type(resample).__name__}.") from None
        resample = Resample(rows, held_out)
    rows = _row_numbers(resample.rows, f"the rows to learn from in {who}", n_rows)
    held_out = _row_numbers(resample.held_out, f"the rows held out in {who}", n_rows)
    if not len(rows):
        raise InputError(f"There are no rows to learn from in {who}.")
    shared = np.intersect1d(rows, held_out)
    if len(shared):
        more = f" and {len(shared) - 1} more" if len(shared) > 1 else ""
        raise InputError(f"Held-out rows may not be learned from, but {who} does both with row {shared[0] + 1}{more}.")
    if patients is not None:
        shared = np.intersect1d(np.asarray(patients)[rows], np.asarray(patients)[held_out])
        if len(shared):
            raise InputError(
                f"Rows of one patient stay together, but {who} splits those of patient number {shared[0] + 1}. Draw from the "
                "patients that resample is given."
            )
    if parts_rows and (len(rows) + len(held_out) != n_rows or len(np.unique(rows)) < len(rows)):
        raise InputError(
            f"With parts_rows each row is learned from once or held out, but {who} learns from {len(rows)} and holds out "
            f"{len(held_out)} of {n_rows}. Remove parts_rows."
        )
    return Resample(rows, held_out, int(resample.redrawn))


def _row_numbers(rows, who, n_rows):
    numbers = np.asarray(rows)
    if numbers.size == 0:
        return np.zeros(0, dtype=np.int64)
    listed = numbers.ndim == 1 and numbers.dtype.kind in "iu"
    if not listed or numbers.min() < 0 or numbers.max() >= n_rows:
        found = f"numbers from {numbers.min()} to {numbers.max()}" if listed else f"type {numbers.dtype} and shape {numbers.shape}"
        raise InputError(f"{who[0].upper()}{who[1:]} must be whole numbers from 0 to {n_rows - 1}. Found {found}.")
    return numbers.astype(np.int64)
