"""Plans that draw rows at random: subsamples, bootstrap samples, complementary pairs."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from stabcore.base.errors import InputError
from stabcore.resampling.plan import Plan, check_count
from stabcore.resampling.units import fold_parts

if TYPE_CHECKING:
    from typing import Any


def draw_counts(sizes, share, rng) -> np.ndarray:
    """(classes,) number of rows of each class to leave out: its share rounded down or up, on average exact.

    All together are the share of all, rounded down or up, and at least one; a whole class is never left out, so that one of a
    single unit always stays. Without classes every run leaves out the same number. Source of the rounding: systematic
    sampling (Madow 1949, Annals of Mathematical Statistics 20:333-354).
    """
    least, ends = _shares(sizes, share)
    if not _n_rounded_up(ends):  # no fraction is left: nothing is drawn
        return least
    return least + _rounded_up(ends, rng.random())


@lru_cache(maxsize=64)
def _chances_of_counts(sizes, share):
    least, ends = _shares(sizes, share)
    borders = np.unique(np.round(np.r_[0.0, ends % 1, 1.0], 9))  # where the random number changes the counts
    chances: dict[tuple[int, ...], float] = {}
    for low, high in zip(borders[:-1], borders[1:]):
        counts = tuple((least + _rounded_up(ends, (low + high) / 2)).tolist())
        chances[counts] = chances.get(counts, 0.0) + float(high - low)
    return chances


def chances_of_counts(sizes, share) -> dict:
    """{how many of each class: chance} of everything that `draw_counts` can give."""
    return _chances_of_counts(tuple(sizes), share)


def ways(sizes, counts) -> float:
    """The number of ways to choose so many of each class; infinite beyond the range of a float."""
    log = sum(
        math.lgamma(size + 1) - math.lgamma(count + 1) - math.lgamma(size - count + 1)
        for size, count in zip(sizes, counts, strict=True)
    )
    return math.exp(log) if log < 700 else math.inf


@lru_cache(maxsize=4)
def without_repetition(plan, units, seed, draws):
    """[(parts, redraws)] of the first draws of a plan, the InputError in place of the parts where there are none.

    Each is the first of its own stream of random numbers that does not come too often: what has the chance p comes at most
    n·p times in n draws, rounded up. That holds for every kind of draw (how many of each class it leaves out), so that the
    shares of the classes stay, and among those of a kind for every single one, so that none comes again while others are left.
    """
    times: Counter = Counter()
    drawn, before = [], 0

    def is_due(mark, chance, among):
        return not times[mark] or times[mark] < math.ceil(among * chance - 1e-9)

    for number in range(draws):
        rng, redrawn = np.random.default_rng([seed, number]), 0
        while True:
            try:
                parts, lost = units.draw_until_all_classes(plan.split, rng)
            except InputError as error:
                drawn.append((error, 0))
                before += 1
                break
            redrawn, before = redrawn + lost, before + lost  # draws that lose a class have their share as well
            kind, chance, n_of_kind = plan.kind_of(units.strata, parts)
            draw = frozenset(left.tobytes() for _, left in parts)
            if is_due(kind, chance, before + 1) and is_due(draw, 1 / n_of_kind, (times[kind] + 1) * (before + 1) / (number + 1)):
                times.update((kind, draw))
                before += 1
                drawn.append((parts, redrawn))
                break
    return drawn


def _shares(sizes, share):
    """((classes,) what is left out at least, (classes,) ends of the fractions that remain, laid one after another)."""
    sizes = np.asarray(sizes)
    exact = np.minimum(sizes * share, sizes - 1)
    if 0 < exact.sum() < 1:
        exact = exact / exact.sum()
    least = np.floor(exact).astype(int)
    rest = exact - least
    if len(sizes) == 1:
        rest = np.floor(rest + 0.5)
    return least, np.cumsum(rest)


def _n_rounded_up(ends):
    """How many of the points lot, lot + 1, … fall within the fractions; what rounding makes of 0 or a whole number is that."""
    return math.ceil(round(float(ends[-1]), 9))


def _rounded_up(ends, lot):
    """(classes,) 1 for each class in whose fraction one of lot, lot + 1, lot + 2 … falls."""
    passed = np.clip(np.ceil(ends - lot), 0, None).astype(int)
    return np.diff(passed, prepend=0)


MOST_WAYS_COMPARED = 10**6  # possible draws up to which each is compared with those before it, so that none comes too often


class Drawn(Plan):
    """Plans of draws that give `runs_a_draw` runs each; where few are possible none comes again while others are left."""

    runs_a_draw = 1
    parts_rows = True

    def _units(self, run, units, seed):
        draw, part = divmod(run, self.runs_a_draw)
        if self._ways(units.strata) > MOST_WAYS_COMPARED:
            parts, redrawn = units.draw_until_all_classes(self.split, np.random.default_rng([seed, draw]))
        else:
            parts, redrawn = without_repetition(self, units, seed, max(draw + 1, self.n_runs // self.runs_a_draw))[draw]
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

    n_runs: int = 50
    test_size: float = 0.05
    stratified: bool = True
    kind = "subsample"

    def __post_init__(self):
        check_count(self.n_runs, "n_runs", "Stability compares runs")
        if not 0 < self.test_size < 1:
            raise InputError(f"The share of rows to leave out lies between 0 and 1. Found {self.test_size}.")

    def shared_rows(self) -> list[tuple[float, float]]:
        return [(1 - self.test_size, 1.0)]

    def sentence(self) -> str:
        return f"{self.n_runs} runs, each leaving out {self.test_size:.0%} of the rows"

    def split(self, strata: list[np.ndarray], rng: np.random.Generator) -> list[tuple[np.ndarray, np.ndarray]]:
        learned, held_out = [], []
        for members, count in zip(strata, draw_counts([len(c) for c in strata], self.test_size, rng)):
            shuffled = rng.permutation(members)
            held_out.append(shuffled[:count])
            learned.append(shuffled[count:])
        return [(np.sort(np.concatenate(learned)), np.sort(np.concatenate(held_out)))]

    def _ways(self, strata):
        sizes = [len(members) for members in strata]
        return sum(ways(sizes, counts) for counts in chances_of_counts(sizes, self.test_size))

    def kind_of(self, strata: list[np.ndarray], parts: list[Any]) -> tuple[tuple, float, float]:
        sizes = [len(members) for members in strata]
        counts = tuple(int(np.isin(members, parts[0][1]).sum()) for members in strata)
        return counts, chances_of_counts(sizes, self.test_size).get(counts, 0.0), ways(sizes, counts)


@dataclass(frozen=True)
class Bootstrap(Plan):
    """`runs` draws of as many rows as there are, with replacement; what is never drawn is held out.

    Raises InputError for fewer than two runs. Source: Hamer & Dupont 2021 (30 or 100 runs).
    """

    n_runs: int = 50
    stratified: bool = True
    kind = "bootstrap"

    def __post_init__(self):
        check_count(self.n_runs, "n_runs", "Stability compares runs")

    def shared_rows(self) -> list[tuple[float, float]]:
        return [(0.5, 1.0)]  # E Σ w w' / E Σ w² = n/(2n) for the times w, w' that two draws take each row

    def sentence(self) -> str:
        return f"{self.n_runs} runs, each on a bootstrap sample"

    def _units(self, run, units, seed):
        (part,), redrawn = units.draw_until_all_classes(self._split, np.random.default_rng([seed, run]))
        return part, redrawn

    def _split(self, strata, rng):
        drawn = np.concatenate([rng.choice(members, len(members)) for members in strata])
        return [(np.sort(drawn), np.setdiff1d(np.concatenate(strata), drawn))]


@dataclass(frozen=True)
class ComplementaryPairs(Drawn):
    """Complementary halves: the two runs of a pair share no row; each predicts the other's.

    Raises InputError for no pair. Source: Shah & Samworth 2013, JRSS B 75:55-80 (50 pairs).
    """

    n_pairs: int = 25
    stratified: bool = True
    kind = "complementary_pairs"
    runs_a_draw = 2
    separate_halves = True
    unit_name = "pair"

    def __post_init__(self):
        check_count(self.n_pairs, "n_pairs", "Halves come in pairs", 1)

    @property
    def n_runs(self) -> int:
        return 2 * self.n_pairs

    def unit(self, run: int) -> int:
        return run // 2

    def shared_rows(self) -> list[tuple[float, float]]:
        inside = 1 / (self.n_runs - 1)  # of the other runs, one is the other half
        return [(0.0, inside), (0.5, 1 - inside)]

    def sentence(self) -> str:
        return f"{self.n_runs} runs, each on one half of the rows, the other half held out"

    def split(self, strata: list[np.ndarray], rng: np.random.Generator) -> list[tuple[np.ndarray, np.ndarray]]:
        return fold_parts(strata, 2, rng)

    def _ways(self, strata):
        odd = any(len(members) % 2 for members in strata)  # then either half can be the larger one; else swapping is nothing
        return ways([len(members) for members in strata], [len(members) // 2 for members in strata]) / (1 if odd else 2)

    def kind_of(self, strata: list[np.ndarray], parts: list[Any]) -> tuple[tuple, float, float]:
        return (), 1.0, self._ways(strata)
