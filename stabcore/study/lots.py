"""What runs leave out by lot: the share of each class, its fraction settled by one lot, and not the same twice for long."""

from __future__ import annotations

import math
from collections import Counter
from functools import lru_cache

import numpy as np

from stabcore.errors import InputError


def leave_out(sizes, share, rng) -> np.ndarray:
    """(classes,) how many of each class to leave out: its share rounded down or up, on average exactly its share.

    All together are the share of all, rounded down or up, and at least one; a whole class is never left out, so that one of a
    single unit always stays. Without classes every run leaves out the same number. Source of the rounding: systematic
    sampling (Madow 1949, Annals of Mathematical Statistics 20:333-354).
    """
    least, ends = _shares(sizes, share)
    if not _steps(ends):                # nothing is left as a fraction: no lot is drawn
        return least
    return least + _one_more(ends, rng.random())


@lru_cache(maxsize=64)
def _lots(sizes, share):
    least, ends = _shares(sizes, share)
    turns = np.unique(np.round(np.r_[0.0, ends % 1, 1.0], 9))       # where the lot changes what is left out
    chances = {}
    for low, high in zip(turns[:-1], turns[1:]):
        counts = tuple((least + _one_more(ends, (low + high) / 2)).tolist())
        chances[counts] = chances.get(counts, 0.0) + float(high - low)
    return chances


def lots(sizes, share) -> dict:
    """{how many of each class: chance} of everything that `leave_out` can give."""
    return _lots(tuple(sizes), share)


def ways(sizes, counts) -> float:
    """In how many ways so many of each class can be chosen; infinite beyond what a float holds."""
    log = sum(math.lgamma(size + 1) - math.lgamma(count + 1) - math.lgamma(size - count + 1)
              for size, count in zip(sizes, counts, strict=True))
    return math.exp(log) if log < 700 else math.inf


@lru_cache(maxsize=4)
def without_repetition(plan, units, seed, draws):
    """[(parts, redraws)] of the first draws of a plan, the InputError in place of the parts where there are none.

    Each is the first of its own stream of random numbers that does not come too often: what has the chance p comes at most
    n·p times in n draws, rounded up. That holds for every kind of draw (how many of each class it leaves out), so that the
    shares of the classes stay, and among those of a kind for every single one, so that none comes again while others are left.
    """
    times, drawn, before = Counter(), [], 0

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
            redrawn, before = redrawn + lost, before + lost         # draws that lose a class have their share as well
            kind, chance, many = plan.kind_of(units.strata, parts)
            own = frozenset(left.tobytes() for _, left in parts)
            if is_due(kind, chance, before + 1) and is_due(own, 1 / many, (times[kind] + 1) * (before + 1) / (number + 1)):
                times.update((kind, own))
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


def _steps(ends):
    """How many of the lots fall within the fractions; what rounding makes of 0 or a whole number is that."""
    return math.ceil(round(float(ends[-1]), 9))


def _one_more(ends, lot):
    """(classes,) 1 for each class in whose fraction one of lot, lot + 1, lot + 2 … falls."""
    passed = np.clip(np.ceil(ends - lot), 0, None).astype(int)
    return np.diff(passed, prepend=0)
