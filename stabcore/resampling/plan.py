"""Resampling plans: the rows that run i learns from, and those that it holds out.

Run i depends only on (seed, i), so every selector gets the same resamples, in any order and with any number of workers.

A user-defined plan, Study(…, plan=mine), is any object with

    mine.n_runs                                          the number of resamples, at least 2
    mine.resample(run, target, seed, patients=None)      (rows, held_out) of resample number `run` = 0 … runs − 1, or a Resample

target    (n,) class numbers 0 … C − 1, or floats for a numeric target. patients: (n,) a number per row, None if each row is
          its own patient
rows      numbers of the rows to learn from, with repeats allowed. held_out: rows to predict, possibly none. No row and no
          patient is in both. Equal arguments must give equal rows: draw from np.random.default_rng([seed, run])

It may also have `measures_stability`, `block`, `unit`, `shared_rows`, `sentence` and `separate_halves`, as `Plan` has to describe
which runs belong together. The study tries the plan once, checks each resample and keeps this description in its file. It
continues only with a plan of the same class and options.

A splitter of scikit-learn, Study(…, plan=RepeatedStratifiedKFold(…)), can be given directly, see stabcore.resampling.user_plan.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from stabcore.base.errors import InputError
from stabcore.base.public import public
from stabcore.base.target import as_target
from stabcore.base.text import counted
from stabcore.data.dataset import Dataset
from stabcore.resampling.units import SamplingUnits

MAX_COMPARED = 10**6  # largest rows times runs for which equal runs are searched


@dataclass(frozen=True)
class Resample:
    """Row numbers to learn from (repeats allowed), row numbers held out, and the number of redraws."""

    rows: np.ndarray
    held_out: np.ndarray
    redrawn: int = 0


class PlanObject(Protocol):
    """A user-defined plan: the number of runs, and the rows that each of them learns from and holds out."""

    @property
    def n_runs(self) -> int: ...

    def resample(
        self, run: int, target: np.ndarray, seed: int, patients: np.ndarray | None = None, /
    ) -> tuple[ArrayLike, ArrayLike] | Resample: ...


class SplitterObject(Protocol):
    """A scikit-learn splitter: KFold, RepeatedStratifiedKFold, ShuffleSplit, GroupKFold and others."""

    @property
    def split(self) -> Callable[..., Iterator[tuple[Any, Any]]]: ...

    @property
    def get_n_splits(self) -> Callable[..., int]: ...


class SharesRows(Protocol):
    """A plan that gives the share of rows that two runs share."""

    def shared_rows(self) -> Sequence[tuple[float, float]]: ...


PlanLike: TypeAlias = "PlanObject | SplitterObject"


@public
class Plan:
    """A resampling plan: `n_runs` is the number of resamples, `resample` gives the rows of one, `sentence` describes them.

    parts_rows       whether a run learns once from every row that it does not hold out. Equal held-out rows are then equal runs
    separate_halves  whether runs 2i and 2i + 1 are complementary halves, which share no row
    unit_name        the name of a unit of runs, see `unit`
    """

    if TYPE_CHECKING:  # each plan defines these as a field or a property
        stratified: bool
        kind: str

        @property
        def n_runs(self) -> int: ...

    parts_rows = False
    separate_halves = False
    unit_name = "run"

    def resample(self, run: int, target: np.ndarray, seed: int, patients: np.ndarray | None = None) -> Resample:
        """Resample number `run` (from 0) of rows with classes `target` (n,). Rows of one patient stay together.

        A draw that loses a class is drawn again.

        Parameters
        ----------
        run : int
            Number of the run, from 0.
        target : array
            Outcome of each row (n,).
        seed : int
            Seed of everything drawn at random.
        patients : array, optional
            Number of the patient of each row (n,).

        Raises
        ------
        InputError
            If a class is too small, so that every draw loses it.

        Examples
        --------
        >>> drawn = sc.Subsample(10, test_size=0.25).resample(0, np.array([0, 1] * 4), 1)
        >>> len(drawn.rows), len(drawn.held_out)
        (6, 2)
        """
        units = SamplingUnits.of(target, patients, self.stratified)
        (learned, held_out), redrawn = self._units(run, units, seed)
        return Resample(units.rows(learned), units.rows(held_out), redrawn)

    def split(self, X: Any, y: Any = None, groups: Any = None, random_state: int = 0) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """The rows to learn from and the held-out rows of each run, as a scikit-learn splitter gives them, such as for `cv=`.

        Parameters
        ----------
        X : object
            Table of features (n, d).
        y : object, optional
            Outcome of each row (n,), by which a stratified plan draws.
        groups : object, optional
            Patient of each row (n,). Rows of one patient stay together.
        random_state : int, optional
            Seed of everything drawn at random. Equal seeds give the rows of the study.

        Raises
        ------
        InputError
            For an outcome of another length, and when a class is too small.

        Examples
        --------
        >>> [len(held_out) for rows, held_out in sc.RepeatedKFold(5, 1).split(np.zeros((10, 2)), ["ill", "well"] * 5)]
        [2, 2, 2, 2, 2]
        """
        n_rows = X.shape[0] if hasattr(X, "shape") else len(X)
        target = np.zeros(n_rows) if y is None else as_target(y, n_rows)
        for run in range(self.n_runs):
            drawn = self.resample(run, target, random_state, groups)
            yield drawn.rows, drawn.held_out

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:
        """The number of runs, under the name that scikit-learn asks for.

        Parameters
        ----------
        X, y, groups : object, optional
            Not used.

        Examples
        --------
        >>> sc.ComplementaryPairs(25).get_n_splits()
        50
        """
        return self.n_runs

    def n_distinct(self, target: np.ndarray, seed: int, patients: np.ndarray | None = None) -> int:
        """The number of different resamples among the runs that measure stability.

        With more than a million rows times runs none are compared, and all count as different. Arguments and errors are those of
        `resample`.
        """
        runs = self.agreeing_runs
        if len(target) * len(runs) > MAX_COMPARED:
            return len(runs)
        return len({self.resample(run, target, seed, patients).rows.tobytes() for run in runs})

    def repetition(self, target: np.ndarray, seed: int, patients: np.ndarray | None = None) -> str:
        """A warning that some runs learn from the same rows as others. Empty when none do. Arguments as in `resample`."""
        n_runs = len(self.agreeing_runs)
        different = self.n_distinct(target, seed, patients)
        if different == n_runs:
            return ""
        of = counted(len(target), "row") if patients is None else counted(len(np.unique(patients)), "patient")
        return (
            f"Only {different} of {n_runs} runs differ, because {of} can be resampled in few ways. The others add no information."
        )

    def of_table(self, data: Dataset) -> Plan:
        """The plan with the details that it needs of a table. Raises InputError where the table lacks them."""
        return self

    def most(self, n_units: int) -> dict[str, tuple[str, int]]:
        """{option: (name, its maximum for this number of rows or patients)}."""
        return {}

    def measures_stability(self, run: int) -> bool:
        """Whether the stability is measured on this run, a number from 0."""
        return True

    @property
    def agreeing_runs(self) -> list[int]:
        """The runs on which the stability is measured."""
        return [run for run in range(self.n_runs) if self.measures_stability(run)]

    def block(self, run: int) -> int:
        """Number of the outer fold that a run belongs to. 0 where there is none."""
        return 0

    def shared_rows(self) -> list[tuple[float, float]]:
        """[(share, weight)]: the share of rows that two runs share, and the share of pairs of runs with this value.

        Expected shares, for the runs that measure stability. A row drawn twice counts as in the correlation of two means.
        """
        raise NotImplementedError

    def unit(self, run: int) -> int:
        """Number of the unit that a run belongs to.

        Runs of one unit were made together and hold out different rows. Together they vary less than runs made one by one, so
        intervals leave them out as a whole.
        """
        return run

    def cluster(self, run: int) -> int:
        """Number of the cluster of a run. Runs within and between clusters share different parts of their rows.

        Clusters are the halves of a pair, the folds of one cross-validation, or the inner folds of one outer fold.
        """
        return self.unit(run)

    def permutation_runs(self, n_runs: int | str) -> list[int]:
        """The runs to repeat with the outcome shuffled: about `n_runs` ("all": every run that measures stability).

        They are two runs of each of the first clusters, for agreement within and between clusters. If each run is a separate
        cluster, or all are in one, they are the first runs.
        """
        agreeing = self.agreeing_runs
        if isinstance(n_runs, str) or n_runs >= len(agreeing):
            return agreeing
        members: dict[int, list[int]] = {}
        for run in agreeing:
            members.setdefault(self.cluster(run), []).append(run)
        if len(members) == 1:
            return agreeing[:n_runs]
        return sorted([run for runs in members.values() for run in runs[:2]][:n_runs])

    def sentence(self) -> str:
        """The runs in plain words."""
        raise NotImplementedError

    def _units(self, run, units, seed):
        """((units to learn from, units held out), the number of redraws because a class was lost)."""
        raise NotImplementedError


def check_count(count, name, why, least=2):
    """Raise InputError unless the count is a whole number of at least `least`."""
    if isinstance(count, bool) or not isinstance(count, (int, np.integer)) or count < least:
        raise InputError(f"{why}, so {name} must be a whole number of at least {least}. Found {count!r}.")
