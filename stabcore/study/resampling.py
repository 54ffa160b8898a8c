"""Resampling plans: which rows run i learns from and which are held out.

Run i depends on (seed, i) alone, so every selector sees the same resamples, in any order, on any number of workers.

A plan of one's own, Study(…, plan=mine), is any object with

    mine.runs                                            how many resamples it gives, at least 2
    mine.resample(run, target, seed, patients=None)      (rows, held_out) of resample number `run` = 0 … runs − 1, or a Resample

target    (n,) class numbers 0 … C − 1 (floats where the target is a number); patients: (n,) a number a row, None where each row is
          a patient of its own
rows      numbers of the rows to learn from, a row may come twice; held_out: those to predict, which may be none. No row is in
          both, nor rows of one patient. The same for the same arguments: drawn from np.random.default_rng([seed, run])

It may have what `Plan` has as well, and then says how its runs belong together: `measures_stability`, `block`, `unit`,
`shared_rows`, `sentence`, `separate_halves`. The study tries it once when it is made, checks each resample, keeps in its file what
the plan says of its runs, and is continued only with a plan of the same class and options.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from stabcore.errors import InputError
from stabcore.study.lots import leave_out, lots, ways, without_repetition
from stabcore.study.sampling_units import SamplingUnits, fold_parts
from stabcore.wording import several

if TYPE_CHECKING:
    from typing import Any

    from stabcore.data.dataset import Dataset

FEW = 10 ** 6           # possible draws, up to which each is compared with those before it, so that none comes too often
COUNTED = 10 ** 6       # rows times runs up to which equal runs are looked for


@dataclass(frozen=True)
class Resample:
    """Row numbers to learn from (a row may come twice) and row numbers held out; how often it had to be drawn again."""

    rows: np.ndarray
    held_out: np.ndarray
    redrawn: int = 0


class Plan:
    """What every plan gives: `runs`, how many resamples; `resample`, the rows of one of them; `sentence`, in words.

    parts_rows       does a run learn once from every row that it does not hold out, so that equal held-out rows are equal runs?
    separate_halves  are runs 2i and 2i + 1 complementary halves, which share no row?
    unit_name        what runs that were made together are called; see `unit`
    """

    if TYPE_CHECKING:       # what each plan says of itself, as a field or a property
        stratified: bool
        kind: str

        @property
        def runs(self) -> int: ...

    parts_rows = False
    separate_halves = False
    unit_name = "run"

    def resample(self, run: int, target: np.ndarray, seed: int, patients: np.ndarray | None = None) -> Resample:
        """Resample number `run` (from 0) of rows with classes `target` (n,); rows of one patient stay together.

        A draw that loses a class is drawn again. Raises InputError when a class is too small for that to end.
        """
        units = SamplingUnits.of(target, patients, self.stratified)
        (kept, left), redrawn = self._units(run, units, seed)
        return Resample(units.rows(kept), units.rows(left), redrawn)

    def different(self, target: np.ndarray, seed: int, patients: np.ndarray | None = None) -> int:
        """How many different resamples there are among the runs that the stability rests on.

        With more than a million rows times runs none are compared, and all are taken to differ. Errors as in `resample`.
        """
        asked = [run for run in range(self.runs) if self.measures_stability(run)]
        if len(target) * len(asked) > COUNTED:
            return len(asked)
        return len({self.resample(run, target, seed, patients).rows.tobytes() for run in asked})

    def repetition(self, target: np.ndarray, seed: int, patients: np.ndarray | None = None) -> str:
        """That some runs learn from the same rows as others, as a sentence to read before they start; empty when none do."""
        many = sum(self.measures_stability(run) for run in range(self.runs))
        different = self.different(target, seed, patients)
        if different == many:
            return ""
        of = several(len(target), "row") if patients is None else several(len(np.unique(patients)), "patient")
        return (f"{many} runs, {different} different ones: {of} can be resampled in few ways. The other runs learn from the same "
                "rows again and tell nothing new.")

    def of_table(self, data: Dataset) -> Plan:
        """The plan as it is run on a table: with what it has to know of it. Raises InputError where the table cannot give it."""
        return self

    def most(self, many: int) -> dict[str, tuple[str, int]]:
        """{option: (what it counts, the most of them that so many rows, or patients, can give)}"""
        return {}

    def measures_stability(self, run: int) -> bool:
        """Does the agreement of the selectors rest on this run?"""
        return True

    def block(self, run: int) -> int:
        """Number of the outer fold that a run belongs to; 0 where there is none."""
        return 0

    def shared_rows(self) -> list[tuple[float, float]]:
        """[(share, weight)]: what share of its rows a run has in common with another, and in what share of the pairs of runs.

        Expected shares, of the runs that stability is measured on; a row drawn twice counts as in the correlation of two means.
        """
        raise NotImplementedError

    def unit(self, run: int) -> int:
        """Number of the unit that a run belongs to: runs of one unit were made together and hold out different rows, so that they
        vary less together than runs made one by one, and intervals leave them out as a whole.
        """
        return run

    def cluster(self, run: int) -> int:
        """Number of the cluster that a run belongs to: two runs of one share another part of their rows than runs of two clusters.

        The halves of a pair, the folds of one cross-validation, the inner folds of one outer fold.
        """
        return self.unit(run)

    def control_runs(self, many: int | str) -> list[int]:
        """The runs that are repeated with the outcome shuffled: about `many` ("all": every one that stability rests on).

        Two of each of the first clusters, so that agreement within and between clusters can both be told; the first runs where
        each is a cluster of its own, or all are of one.
        """
        agreeing = [run for run in range(self.runs) if self.measures_stability(run)]
        if isinstance(many, str) or many >= len(agreeing):
            return agreeing
        members: dict[int, list[int]] = {}
        for run in agreeing:
            members.setdefault(self.cluster(run), []).append(run)
        if len(members) == 1:
            return agreeing[:many]
        return sorted([run for runs in members.values() for run in runs[:2]][:many])

    def sentence(self) -> str:
        """What the runs are, in plain words."""
        raise NotImplementedError

    def _units(self, run, units, seed):
        """((units to learn from, units held out), how often drawn again because a class was lost)."""
        raise NotImplementedError


class Drawn(Plan):
    """Plans of draws that give `runs_a_draw` runs each; where few are possible none comes again while others are left."""

    runs_a_draw = 1
    parts_rows = True

    def _units(self, run, units, seed):
        draw, part = divmod(run, self.runs_a_draw)
        if self._ways(units.strata) > FEW:
            parts, redrawn = units.draw_until_all_classes(self.split, np.random.default_rng([seed, draw]))
        else:
            parts, redrawn = without_repetition(self, units, seed, max(draw + 1, self.runs // self.runs_a_draw))[draw]
        if isinstance(parts, InputError):
            raise parts
        return parts[part], redrawn

    def split(self, strata: list[np.ndarray], rng: np.random.Generator) -> list[tuple[np.ndarray, np.ndarray]]:
        """[(units to learn from, units held out)] of one draw."""
        raise NotImplementedError

    def _ways(self, strata) -> float:
        """How many different draws there are."""
        raise NotImplementedError

    def kind_of(self, strata: list[np.ndarray], parts: list[Any]) -> tuple[tuple, float, float]:
        """(what kind of draw this is, the chance of its kind, how many of its kind there are, all equally likely)."""
        raise NotImplementedError


@dataclass(frozen=True)
class Subsample(Drawn):
    """`runs` draws that each leave out a share of the rows, the same share of every class.

    Raises InputError for fewer than two runs, or a share outside 0 … 1. Source: Sechidis et al. 2019 (50 runs, 5% left out).
    """

    runs: int = 50
    leave_out: float = 0.05
    stratified: bool = True
    kind = "subsample"

    def __post_init__(self):
        check_count(self.runs, "runs", "Stability compares runs")
        if not 0 < self.leave_out < 1:
            raise InputError(f"The share of rows to leave out lies between 0 and 1; found {self.leave_out}.")

    def shared_rows(self) -> list[tuple[float, float]]:
        return [(1 - self.leave_out, 1.0)]

    def sentence(self) -> str:
        return f"{self.runs} runs, each leaving out {self.leave_out:.0%} of the rows"

    def split(self, strata: list[np.ndarray], rng: np.random.Generator) -> list[tuple[np.ndarray, np.ndarray]]:
        kept, left = [], []
        for members, count in zip(strata, leave_out([len(c) for c in strata], self.leave_out, rng)):
            shuffled = rng.permutation(members)
            left.append(shuffled[:count])
            kept.append(shuffled[count:])
        return [(np.sort(np.concatenate(kept)), np.sort(np.concatenate(left)))]

    def _ways(self, strata):
        sizes = [len(members) for members in strata]
        return sum(ways(sizes, counts) for counts in lots(sizes, self.leave_out))

    def kind_of(self, strata: list[np.ndarray], parts: list[Any]) -> tuple[tuple, float, float]:
        sizes = [len(members) for members in strata]
        counts = tuple(int(np.isin(members, parts[0][1]).sum()) for members in strata)
        return counts, lots(sizes, self.leave_out).get(counts, 0.0), ways(sizes, counts)


@dataclass(frozen=True)
class Bootstrap(Plan):
    """`runs` draws of as many rows as there are, with replacement; what is never drawn is held out.

    Raises InputError for fewer than two runs. Source: Hamer & Dupont 2021 (30 or 100 runs).
    """

    runs: int = 50
    stratified: bool = True
    kind = "bootstrap"

    def __post_init__(self):
        check_count(self.runs, "runs", "Stability compares runs")

    def shared_rows(self) -> list[tuple[float, float]]:
        return [(0.5, 1.0)]             # E Σ w w' / E Σ w² = n/(2n) for the times w, w' that two draws take each row

    def sentence(self) -> str:
        return f"{self.runs} runs, each on a bootstrap sample"

    def _units(self, run, units, seed):
        (part,), redrawn = units.draw_until_all_classes(self._split, np.random.default_rng([seed, run]))
        return part, redrawn

    def _split(self, strata, rng):
        drawn = np.concatenate([rng.choice(members, len(members)) for members in strata])
        return [(np.sort(drawn), np.setdiff1d(np.concatenate(strata), drawn))]


@dataclass(frozen=True)
class Half(Drawn):
    """Complementary halves: the two runs of a pair share no row; each predicts the other's.

    Raises InputError for no pair. Source: Shah & Samworth 2013, JRSS B 75:55-80 (50 pairs).
    """

    pairs: int = 25
    stratified: bool = True
    kind = "half"
    runs_a_draw = 2
    separate_halves = True
    unit_name = "pair"

    def __post_init__(self):
        check_count(self.pairs, "pairs", "Halves come in pairs", 1)

    @property
    def runs(self) -> int:
        return 2 * self.pairs

    def unit(self, run: int) -> int:
        return run // 2

    def shared_rows(self) -> list[tuple[float, float]]:
        inside = 1 / (self.runs - 1)                                # of the other runs, one is the other half
        return [(0.0, inside), (0.5, 1 - inside)]

    def sentence(self) -> str:
        return f"{self.runs} runs, each on one half of the rows, the other half held out"

    def split(self, strata: list[np.ndarray], rng: np.random.Generator) -> list[tuple[np.ndarray, np.ndarray]]:
        return fold_parts(strata, 2, rng)

    def _ways(self, strata):
        odd = any(len(members) % 2 for members in strata)       # then either half can be the larger one; else swapping is nothing
        return ways([len(members) for members in strata], [len(members) // 2 for members in strata]) / (1 if odd else 2)

    def kind_of(self, strata: list[np.ndarray], parts: list[Any]) -> tuple[tuple, float, float]:
        return (), 1.0, self._ways(strata)


def check_count(count, name, why, least=2):
    if isinstance(count, bool) or not isinstance(count, (int, np.integer)) or count < least:
        raise InputError(f"{why}, so {name} is a whole number of at least {least}; found {count!r}.")
