"""scikit-learn's splitters as plans: run i learns from the training rows of split i and holds out its test rows."""

from __future__ import annotations

from collections import Counter
from copy import deepcopy
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from stabcore.base.user_objects import failure
from stabcore.resampling.plan import Resample

if TYPE_CHECKING:
    from collections.abc import Iterator

    from typing_extensions import TypeIs  # known to every type checker; nothing is installed for it

    from stabcore.resampling.plan import SplitterObject


def is_splitter(plan: object) -> TypeIs[SplitterObject]:
    """Is it a scikit-learn splitter, and no plan by itself?"""
    methods = [callable(getattr(plan, name, None)) for name in ("split", "get_n_splits", "resample")]
    return not isinstance(plan, type) and methods == [True, True, False]


@dataclass(frozen=True)
class Splits:
    """Splits that are known already, [(rows to learn from, rows held out)], as scikit-learn takes them for cv."""

    splits: list[tuple[np.ndarray, np.ndarray]]

    def split(self, X: Any = None, y: Any = None, groups: Any = None) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Each in turn."""
        return iter(self.splits)

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:
        """How many there are."""
        return len(self.splits)


@dataclass(frozen=True)
class SplitterPlan:
    """A splitter as a plan of one's own (see stabcore.resampling.plan), and what its splits of these rows have in common.

    Runs that hold out every row once between them, as the folds of one cross-validation, are one unit. Patients are the groups that
    the splitter is given; one that keeps no groups together is refused for rows of patients when the study checks its runs.
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
            splits = _splits(splitter, target, seed, patients)
        except Exception as error:  # scikit-learn's own, or a user's, may raise anything
            raise failure(f"splitter {type(splitter).__name__}", error) from error
        n_rows, learned, held_out = len(target), np.zeros((len(splits), len(target))), np.zeros((len(splits), len(target)))
        for run, (rows, others) in enumerate(splits):
            learned[run, rows], held_out[run, others] = 1, 1
        common, sizes = learned @ learned.T, learned.sum(axis=1)
        pairs = list(combinations(range(len(splits)), 2))
        shares = Counter(round(float(common[i, j] / np.sqrt(sizes[i] * sizes[j])), 3) for i, j in pairs)
        parts_rows = all(len(rows) + len(others) == n_rows for rows, others in splits) and bool((learned + held_out == 1).all())
        halves = len(splits) % 2 == 0 and all(common[run, run + 1] == 0 for run in range(0, len(splits), 2))
        return cls(
            splitter,
            _units(held_out),
            tuple((share, number / len(pairs)) for share, number in sorted(shares.items())),
            parts_rows,
            parts_rows and halves,
        )

    @property
    def n_runs(self) -> int:
        """How many splits there are."""
        return len(self.units)

    def resample(self, run: int, target: np.ndarray, seed: int, patients: np.ndarray | None = None) -> Resample:
        """Split number `run`."""
        return Resample(*_splits(self.splitter, target, seed, patients)[run])

    def unit(self, run: int) -> int:
        """Number of the cross-validation that a run belongs to."""
        return self.units[run]

    def shared_rows(self) -> list[tuple[float, float]]:
        """What share of their rows two runs have in common, and in what share of the pairs, as counted."""
        return list(self.shares)

    def sentence(self) -> str:
        """What the runs are, in plain words."""
        return f"{self.n_runs} runs of scikit-learn's {type(self.splitter).__name__}"


def _splits(splitter, target, seed, patients) -> list[tuple[np.ndarray, np.ndarray]]:
    """All splits, the same for the same seed of the study; a splitter with a seed of its own keeps that."""
    fresh = deepcopy(splitter)
    if getattr(fresh, "random_state", 0) is None:
        fresh.random_state = int(np.random.SeedSequence(seed).generate_state(1)[0])
    return [(np.asarray(rows), np.asarray(others)) for rows, others in fresh.split(np.zeros((len(target), 1)), target, patients)]


def _units(held_out) -> tuple[int, ...]:
    """The unit of each run: runs in a row that hold out every row once between them; else each by itself."""
    units, start = list(range(len(held_out))), 0
    for run in range(len(held_out)):
        times = held_out[start : run + 1].sum(axis=0)
        if (times > 1).any():
            start = run
        elif (times == 1).all():
            units[start : run + 1] = [start] * (run + 1 - start)
            start = run + 1
    return tuple(units)
