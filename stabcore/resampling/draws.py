"""All plans: random draws, folds, growing parts of the rows, and centres."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np

from stabcore.base.errors import InputError
from stabcore.base.public import public
from stabcore.base.text import counted, is_or_are, joined, listed, quote, suggest_name
from stabcore.base.validation import is_between
from stabcore.data.dataset import MAX_PARTS, Dataset
from stabcore.resampling.plan import Plan, Resample, check_count
from stabcore.resampling.units import SamplingUnits, draw_folds, random_folds


def draw_counts(sizes, share, rng) -> np.ndarray:
    """(classes,) number of rows of each class to leave out: its share rounded at random, exact on average.

    The total is the overall share, rounded up or down, and at least one. A class is never left out completely, so a class with
    a single unit always stays. Without classes every run leaves out the same number. Source of the rounding: systematic
    sampling (Madow 1949, Annals of Mathematical Statistics 20:333-354).
    """
    least, ends = _rounding_bounds(sizes, share)
    if round(float(ends[-1]), 9) == 0:  # no fraction is left, so nothing is random
        return least
    return least + _rounded_up_counts(ends, rng.random())


@lru_cache(maxsize=64)
def draw_count_probabilities(sizes, share) -> dict:
    """{counts by class: probability} of all results of `draw_counts`. sizes: a tuple."""
    least, ends = _rounding_bounds(sizes, share)
    borders = np.unique(np.round(np.r_[0.0, ends % 1, 1.0], 9))  # values of the random number at which the counts change
    middles = (borders[:-1] + borders[1:]) / 2
    return {tuple((least + _rounded_up_counts(ends, lot)).tolist()): float(p) for lot, p in zip(middles, np.diff(borders))}


def n_combinations(sizes, counts) -> float:
    """The number of ways to choose these counts from the classes, at most e^700, which a float can hold."""
    log = sum(math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1) for n, k in zip(sizes, counts, strict=True))
    return math.exp(min(log, 700))


@lru_cache(maxsize=4)
def distinct_draws(plan, units, seed, n_draws):
    """[(parts, redraws)] of the first draws of a plan, with an InputError in place of parts that are impossible.

    A draw is the first of its own stream of random numbers that is not too frequent. A result with probability p occurs at most
    n·p times in n draws, rounded up. This holds for every kind of draw (the counts left out by class), so the shares of the
    classes stay correct. It also holds for each single draw of a kind, so none repeats while others are left.
    """
    kinds, times = plan.kinds(units.strata), Counter[Any]()
    drawn: list[Any] = []
    n = 1  # draws so far with this one, also those that lost a class

    def is_due(result, expected):
        return times[result] < max(1, math.ceil(expected - 1e-9))

    for number in range(n_draws):
        rng, redrawn, due = np.random.default_rng([seed, number]), 0, False
        while not due:
            try:
                parts, lost = units.draw_until_all_classes(plan.parts, rng)
            except InputError as error:
                parts, redrawn = error, 0
                break
            redrawn, n = redrawn + lost, n + lost
            kind, draw = plan.kind_of(units.strata, parts), frozenset(left.tobytes() for _, left in parts)
            probability, n_of_kind = kinds[kind]
            n_kind = (times[kind] + 1) * n / (number + 1)
            due = is_due(kind, n * probability) and is_due(draw, n_kind / n_of_kind)
        else:
            times.update((kind, draw))
        n += 1
        drawn.append((parts, redrawn))
    return drawn


def _rounding_bounds(sizes, share):
    """((classes,) minimum left out, (classes,) cumulative ends of the remaining fractions)."""
    sizes = np.asarray(sizes)
    exact = np.minimum(sizes * share, sizes - 1)
    if 0 < exact.sum() < 1:
        exact = exact / exact.sum()
    least = np.floor(exact).astype(int)
    rest = exact - least
    if len(sizes) == 1:
        rest = np.floor(rest + 0.5)
    return least, np.cumsum(rest)


def _rounded_up_counts(ends, lot):
    """(classes,) 1 for each class whose fraction contains one of lot, lot + 1, lot + 2 …."""
    passed = np.clip(np.ceil(ends - lot), 0, None).astype(int)
    return np.diff(passed, prepend=0)


MAX_COMPARED_DRAWS = 10**6  # up to this number of possible draws, each is compared with earlier ones, to avoid repeats


@public
class RandomDrawPlan(Plan):
    """Plans of draws that give `runs_a_draw` runs each. If few draws are possible, none repeats while others are left."""

    runs_a_draw = 1
    parts_rows = True

    def _units(self, run, units, seed):
        draw, part = divmod(run, self.runs_a_draw)
        if sum(n for _, n in self.kinds(units.strata).values()) > MAX_COMPARED_DRAWS:
            parts, redrawn = units.draw_until_all_classes(self.parts, np.random.default_rng([seed, draw]))
        else:
            parts, redrawn = distinct_draws(self, units, seed, max(draw + 1, self.n_runs // self.runs_a_draw))[draw]
        if isinstance(parts, InputError):
            raise parts
        return parts[part], redrawn

    def parts(self, strata: list[np.ndarray], rng: np.random.Generator) -> list[tuple[np.ndarray, np.ndarray]]:
        """[(units to learn from, units held out)] of one draw."""
        raise NotImplementedError

    def kinds(self, strata: list[np.ndarray]) -> dict[tuple, tuple[float, float]]:
        """{kind of a draw: (its probability, its number of equally likely draws)}."""
        raise NotImplementedError

    def kind_of(self, strata: list[np.ndarray], parts: list[Any]) -> tuple:
        """The kind of a draw."""
        return ()


@public
@dataclass(frozen=True)
class Subsample(RandomDrawPlan):
    """Draws that each leave out a share of the rows, the same share of every class.

    Parameters
    ----------
    n_runs : int, optional
        Number of runs.
    test_size : float, optional
        Share of the rows that each run leaves out.
    stratified : bool, optional
        Keep the share of every class.

    Raises
    ------
    InputError
        For fewer than two runs, or a share outside 0 … 1.

    References
    ----------
    Source: Sechidis et al. 2019 (50 runs, 5% left out).

    Examples
    --------
    >>> sc.Subsample(100, test_size=0.2).sentence()
    '100 runs, each leaving out 20% of the rows'
    """

    n_runs: int = 50
    test_size: float = 0.05
    stratified: bool = True
    kind = "subsample"

    def __post_init__(self):
        check_count(self.n_runs, "n_runs", "Stability compares runs")
        if not is_between(self.test_size, 0, 1) or self.test_size in (0, 1):
            raise InputError(f"The share of rows to leave out lies between 0 and 1. Found {self.test_size!r}.")

    def shared_rows(self) -> list[tuple[float, float]]:
        return [(1 - self.test_size, 1.0)]

    def sentence(self) -> str:
        return f"{self.n_runs} runs, each leaving out {self.test_size:.0%} of the rows"

    def parts(self, strata: list[np.ndarray], rng: np.random.Generator) -> list[tuple[np.ndarray, np.ndarray]]:
        learned, held_out = [], []
        for members, count in zip(strata, draw_counts([len(c) for c in strata], self.test_size, rng)):
            shuffled = rng.permutation(members)
            held_out.append(shuffled[:count])
            learned.append(shuffled[count:])
        return [(np.sort(np.concatenate(learned)), np.sort(np.concatenate(held_out)))]

    def kinds(self, strata: list[np.ndarray]) -> dict[tuple, tuple[float, float]]:
        sizes = tuple(map(len, strata))
        return {counts: (p, n_combinations(sizes, counts)) for counts, p in draw_count_probabilities(sizes, self.test_size).items()}

    def kind_of(self, strata: list[np.ndarray], parts: list[Any]) -> tuple:
        return tuple(int(np.isin(members, parts[0][1]).sum()) for members in strata)


@public
@dataclass(frozen=True)
class Bootstrap(Plan):
    """Draws with replacement, as large as the table. Rows that are not drawn are held out.

    Parameters
    ----------
    n_runs : int, optional
        Number of runs.
    stratified : bool, optional
        Keep the share of every class.

    Raises
    ------
    InputError
        For fewer than two runs.

    References
    ----------
    Source: Hamer & Dupont 2021 (30 or 100 runs).

    Examples
    --------
    >>> sc.Bootstrap(100).sentence()
    '100 runs, each on a bootstrap sample'
    """

    n_runs: int = 50
    stratified: bool = True
    kind = "bootstrap"

    def __post_init__(self):
        check_count(self.n_runs, "n_runs", "Stability compares runs")

    def shared_rows(self) -> list[tuple[float, float]]:
        return [(0.5, 1.0)]  # E Σ w w' / E Σ w² = n/(2n) for the counts w, w' of each row in two draws

    def sentence(self) -> str:
        return f"{self.n_runs} runs, each on a bootstrap sample"

    def _units(self, run, units, seed):
        (part,), redrawn = units.draw_until_all_classes(self._split, np.random.default_rng([seed, run]))
        return part, redrawn

    def _split(self, strata, rng):
        drawn = np.concatenate([rng.choice(members, len(members)) for members in strata])
        return [(np.sort(drawn), np.setdiff1d(np.concatenate(strata), drawn))]


@public
@dataclass(frozen=True)
class ComplementaryPairs(RandomDrawPlan):
    """Complementary halves: the two runs of a pair share no row, and each predicts the other's rows.

    Parameters
    ----------
    n_pairs : int, optional
        Number of pairs of halves.
    stratified : bool, optional
        Keep the share of every class.

    Raises
    ------
    InputError
        For no pair.

    References
    ----------
    Source: Shah & Samworth 2013, JRSS B 75:55-80 (50 pairs).

    Examples
    --------
    >>> sc.ComplementaryPairs(25).n_runs
    50
    """

    n_pairs: int = 25
    stratified: bool = True
    kind = "complementary_pairs"
    runs_a_draw = 2
    separate_halves = True
    unit_name = "pair"

    def __post_init__(self):
        check_count(self.n_pairs, "n_pairs", "The plan needs at least one pair", 1)

    @property
    def n_runs(self) -> int:
        return 2 * self.n_pairs

    def unit(self, run: int) -> int:
        return run // 2

    def shared_rows(self) -> list[tuple[float, float]]:
        inside = 1 / (self.n_runs - 1)  # one of the other runs is the other half
        return [(0.0, inside), (0.5, 1 - inside)]

    def sentence(self) -> str:
        divisions = f"{self.n_pairs} random divisions of the rows"
        return f"{self.n_runs} runs on the two halves of {divisions}, each with the other half held out"

    def parts(self, strata: list[np.ndarray], rng: np.random.Generator) -> list[tuple[np.ndarray, np.ndarray]]:
        return random_folds(strata, 2, rng)

    def kinds(self, strata: list[np.ndarray]) -> dict[tuple, tuple[float, float]]:
        sizes = [len(members) for members in strata]
        odd = any(size % 2 for size in sizes)  # then either half can be the larger one, else swapping has no effect
        return {(): (1.0, n_combinations(sizes, [size // 2 for size in sizes]) / (1 if odd else 2))}


@public
@dataclass(frozen=True)
class RepeatedKFold(Plan):
    """Repeated cross-validation: every run learns from all folds but one, which is held out.

    Parameters
    ----------
    n_splits : int, optional
        Number of folds.
    n_repeats : int, optional
        Number of random divisions of the rows into folds.
    stratified : bool, optional
        Keep the share of every class.

    Raises
    ------
    InputError
        For fewer than two folds, or no repeat.

    References
    ----------
    Source: Bommert et al. 2017 (10 folds).

    Examples
    --------
    >>> sc.RepeatedKFold(5, 10).n_runs
    50
    """

    n_splits: int = 10
    n_repeats: int = 1
    stratified: bool = True
    kind = "repeated_kfold"
    parts_rows = True
    unit_name = "repeat"

    def __post_init__(self):
        check_count(self.n_splits, "n_splits", "Cross-validation holds out one fold at a time")
        check_count(self.n_repeats, "n_repeats", "Cross-validation needs at least one repetition", 1)

    @property
    def n_runs(self) -> int:
        return self.n_splits * self.n_repeats

    def most(self, n_units: int) -> dict[str, tuple[str, int]]:
        return {"n_splits": ("folds", n_units)}

    def unit(self, run: int) -> int:
        return run // self.n_splits

    def shared_rows(self) -> list[tuple[float, float]]:
        inside = (self.n_splits - 1) / (self.n_runs - 1)  # share of the other runs in the same repetition
        return [((self.n_splits - 2) / (self.n_splits - 1), inside), ((self.n_splits - 1) / self.n_splits, 1 - inside)]

    def sentence(self) -> str:
        repeated = f" ({self.n_splits}-fold cross-validation, repeated {self.n_repeats} times)" if self.n_repeats > 1 else ""
        return f"{self.n_runs} runs, each holding out one of {self.n_splits} folds{repeated}"

    def _units(self, run, units, seed):
        parts, redrawn = draw_folds(units, self.n_splits, seed, run // self.n_splits)
        return parts[run % self.n_splits], redrawn


@public
@dataclass(frozen=True)
class NestedKFold(Plan):
    """Nested cross-validation: the outer folds give the error, the inner folds give the stability.

    Runs 0 … n_outer · n_inner − 1 learn from the training part of an outer fold without one of its inner folds. They predict
    nothing, and each is a separate unit. In simulations (tests/benchmarks/bench_intervals.py) leaving out one at a time gave the
    standard error to 10%. Leaving out whole outer folds made it a third to two thirds too wide. The last n_outer runs learn from
    whole training parts and predict the outer folds.

    Parameters
    ----------
    n_outer : int, optional
        Number of outer folds.
    n_inner : int, optional
        Number of inner folds.
    stratified : bool, optional
        Keep the share of every class.

    Raises
    ------
    InputError
        For fewer than two outer or inner folds.

    References
    ----------
    Source: Kalousis et al. 2005 (10 × 10).

    Examples
    --------
    >>> sc.NestedKFold(5, 4).sentence()
    '20 runs for the stability (4 inner folds in each of 5 outer ones) and 5 for the error'
    """

    n_outer: int = 10
    n_inner: int = 10
    stratified: bool = True
    kind = "nested_kfold"

    def __post_init__(self):
        check_count(self.n_outer, "n_outer", "Cross-validation holds out one fold at a time")
        check_count(self.n_inner, "n_inner", "Stability compares runs inside an outer fold")

    @property
    def n_runs(self) -> int:
        return self.n_outer * (self.n_inner + 1)

    def most(self, n_units: int) -> dict[str, tuple[str, int]]:
        smallest_training_part = n_units - -(-n_units // self.n_outer)
        return {"n_outer": ("folds", n_units), "n_inner": ("inner folds", smallest_training_part)}

    def measures_stability(self, run: int) -> bool:
        return run < self.n_outer * self.n_inner

    def block(self, run: int) -> int:
        return run // self.n_inner if self.measures_stability(run) else run - self.n_outer * self.n_inner

    def cluster(self, run: int) -> int:
        return self.block(run)

    def shared_rows(self) -> list[tuple[float, float]]:
        inside = (self.n_inner - 1) / (self.n_outer * self.n_inner - 1)  # share of the other runs in the same outer fold
        between = (self.n_outer - 2) / (self.n_outer - 1) * (self.n_inner - 1) / self.n_inner
        return [((self.n_inner - 2) / (self.n_inner - 1), inside), (between, 1 - inside)]

    def sentence(self) -> str:
        return (
            f"{self.n_outer * self.n_inner} runs for the stability ({self.n_inner} inner folds in each of {self.n_outer} outer "
            f"ones) and {self.n_outer} for the error"
        )

    def _units(self, run, units, seed):
        parts, redrawn = draw_folds(units, self.n_outer, seed, 0)
        outer = self.block(run)
        if not self.measures_stability(run):
            return parts[outer], redrawn
        inside, redrawn_inside = draw_folds(units.subset(parts[outer][0]), self.n_inner, seed, 1 + outer)
        return (inside[run % self.n_inner][0], []), redrawn + redrawn_inside


PARTS = (2, 4, 8)  # a half, a quarter, an eighth of the rows


@public
@dataclass(frozen=True)
class LearningCurve(ComplementaryPairs):
    """Pairs of complementary halves, then equal numbers of pairs of quarters and of eighths. The runs of a pair share no row.

    The halves are those of ComplementaryPairs with the same seed, and the stability is measured on them. Quarters and eighths show
    how the agreement of two groups of patients grows with their number. They predict nothing.

    Parameters
    ----------
    n_pairs : int, optional
        Number of pairs of halves.
    stratified : bool, optional
        Keep the share of every class.

    Raises
    ------
    InputError
        For fewer than three pairs.

    Examples
    --------
    >>> sc.LearningCurve(10).n_runs
    60
    """

    kind = "learning_curve"
    parts_rows = False

    def __post_init__(self):
        check_count(self.n_pairs, "n_pairs", "The agreement of each size is a mean over pairs", 3)

    @property
    def halves(self) -> ComplementaryPairs:
        """The plan of the halves only."""
        return ComplementaryPairs(self.n_pairs, self.stratified)

    @property
    def n_runs(self) -> int:
        return 2 * self.n_pairs * len(PARTS)

    def part(self, run: int) -> int:
        """The part of the rows that a run learns from: 2, 4 or 8 for a half, a quarter or an eighth."""
        return PARTS[run // (2 * self.n_pairs)]

    def measures_stability(self, run: int) -> bool:
        return self.part(run) == PARTS[0]

    def of_table(self, data: Dataset) -> LearningCurve:
        strata = SamplingUnits.of(data.target, data.patients, True).strata
        few = [(len(members), c) for c, members in enumerate(strata) if len(members) < PARTS[-1]]
        if few:
            n_units, c = min(few)
            who = f" of {quote(data.classes[c])}" if data.classes else ""
            unit = "row" if data.patients is None else "patient"
            raise InputError(
                f"A learning curve needs at least {PARTS[-1]} {unit}s of every class. There {is_or_are(n_units)} "
                f"{counted(n_units, unit)}{who}. Use complementary pairs, or merge the smallest classes."
            )
        return self

    def shared_rows(self) -> list[tuple[float, float]]:
        return self.halves.shared_rows()

    def sentence(self) -> str:
        return (
            f"{self.n_runs} runs: {self.n_pairs} pairs each of halves, quarters and eighths, with stability measured on the halves"
        )

    def _units(self, run, units, seed):
        if self.measures_stability(run):
            return self.halves._units(run, units, seed)

        def two_parts(strata, rng):  # disjoint, with nothing held out
            return [(left, left[:0]) for _, left in random_folds(strata, self.part(run), rng)[:2]]

        parts, redrawn = units.draw_until_all_classes(two_parts, np.random.default_rng([seed, run // 2]))
        return parts[run % 2], redrawn


@public
@dataclass(frozen=True)
class LeaveOneSiteOut(Plan):
    """One run per centre: it learns from all other centres, and the rows of its centre are held out.

    Parameters
    ----------
    column : str, optional
        The column with the centre of a row. It is left out of the features (`exclude` of the Dataset), because it is constant
        in the held-out rows.
    centres, of_row : tuple, optional
        The names, and the number of the centre of each row, which the study takes from the table.

    References
    ----------
    Source: Riley et al. 2016, BMJ 353:i3140 (internal-external validation: each cluster left out in turn).

    Examples
    --------
    >>> sc.LeaveOneSiteOut("hospital").column
    'hospital'
    """

    column: str = ""
    centres: tuple[str, ...] = ()
    of_row: tuple[int, ...] = ()
    kind = "leave_one_site_out"
    stratified = False
    parts_rows = True

    def __post_init__(self):
        object.__setattr__(self, "centres", tuple(self.centres))
        object.__setattr__(self, "of_row", tuple(self.of_row))

    @property
    def n_runs(self) -> int:
        self._refuse_unknown()
        return len(self.centres)

    def of_table(self, data: Dataset) -> LeaveOneSiteOut:
        cells = _site_cells(data, self.column)
        centres = tuple(sorted(set(cells)))
        number = {name: i for i, name in enumerate(centres)}
        plan = replace(self, centres=centres, of_row=tuple(number[cell] for cell in cells))
        _refuse_lost_class(plan, data)
        _refuse_split_patient(plan, data)
        return plan

    def resample(self, run: int, target: np.ndarray, seed: int, patients: np.ndarray | None = None) -> Resample:
        self._refuse_unknown()
        if len(target) != len(self.of_row):
            raise InputError(
                f"The plan has the centres of {counted(len(self.of_row), 'row')}, but the table has {len(target)} rows."
            )
        held_out = np.array(self.of_row) == run
        return Resample(np.flatnonzero(~held_out), np.flatnonzero(held_out))

    def shared_rows(self) -> list[tuple[float, float]]:
        """The runs without centres i and j share n − nᵢ − nⱼ rows of √((n − nᵢ)(n − nⱼ)), the correlation of their means."""
        self._refuse_unknown()
        sizes = np.bincount(self.of_row)
        first, second = np.triu_indices(len(sizes), 1)
        left = len(self.of_row) - sizes
        common = (left[first] - sizes[second]) / np.sqrt(left[first] * left[second])
        return [(share, n_pairs / len(common)) for share, n_pairs in sorted(Counter(np.round(common, 3).tolist()).items())]

    def sentence(self) -> str:
        return f"{self.n_runs} runs, each leaving out one of {self.n_runs} centres ({self.column})"

    def _refuse_unknown(self):
        if not self.centres:
            raise InputError("The centres come from the table. Give this plan to a Study.")


def possible_site_columns(data: Dataset) -> list[str]:
    """The left-out columns that could be the centre: 2 to MAX_PARTS different values, none missing."""
    return [] if data.aside is None else [name for name in data.aside.columns if not data.aside[name].isna().any()]


def _site_cells(data, column):
    """The text of each cell of the centre column. Raises InputError if it cannot be one."""
    possible, names = possible_site_columns(data), data.columns["column"].tolist()
    needed = f"a column outside the features, filled in every row, with 2 to {MAX_PARTS} different values"
    offer = f"Choose one of: {listed(possible)}." if possible else f"The centre must be {needed}. This table has none."
    if not column:
        raise InputError(f"Choose the column of the centre. {offer}")
    if column in data.features:
        raise InputError(f"{quote(column)} is a feature. Leave it out of the features, or choose another column. {offer}")
    if column not in names:
        raise InputError(f"There is no column {quote(column)}{suggest_name(column, names)}. {offer}")
    if data.aside is None or column not in data.aside:
        raise InputError(f"{quote(column)} is not {needed}. {offer}")
    if n_missing := int(data.aside[column].isna().sum()):
        raise InputError(f"{quote(column)} is empty in {counted(n_missing, 'row')}. Fill in these cells.")
    return data.aside[column].astype(str).tolist()


def _refuse_lost_class(plan, data):
    """Raise InputError unless every run learns from rows of every class, or from two events."""
    for run, name in enumerate(plan.centres):
        left = data.target[np.array(plan.of_row) != run]
        if data.timed and np.count_nonzero(left["event"]) < 2:
            raise InputError(f"Fewer than 2 events are outside the centre {quote(name)}. Merge centres, or choose another plan.")
        if lost := [data.classes[c] for c in range(len(data.classes)) if not (left == c).any()]:
            labels = joined([quote(label) for label in lost])
            raise InputError(f"All rows of {labels} are in the centre {quote(name)}. Merge centres, or choose another plan.")


def _refuse_split_patient(plan, data):
    if data.patients is None:
        return
    pairs = {*zip(data.patients.tolist(), plan.of_row, strict=True)}
    if moved := [patient for patient, times in Counter(patient for patient, _ in pairs).items() if times > 1]:
        who = counted(len(moved), "patient")
        raise InputError(f"{who} have rows in more than one centre ({plan.column}). Give each patient one centre.")
