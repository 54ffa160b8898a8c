"""Resampling plans: which rows run i learns from and which are held out.

Run i depends on (seed, i) alone, so every selector sees the same resamples, in any order, on any number of workers.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass

import numpy as np

from stabcore.errors import InputError

MOST_REDRAWS = 100


@dataclass(frozen=True)
class Resample:
    """Row numbers to learn from (a row may come twice) and row numbers held out; how often it had to be drawn again."""

    rows: np.ndarray
    held_out: np.ndarray
    redrawn: int = 0


@dataclass(frozen=True)
class Subsample:
    """`runs` draws that each leave out a share of the rows, the same share of every class.

    Source: Sechidis et al. 2019 (50 runs, 5 % left out).
    """

    runs: int = 50
    leave_out: float = 0.05
    stratified: bool = True
    kind = "subsample"

    def __post_init__(self):
        _check_runs(self.runs)
        if not 0 < self.leave_out < 1:
            raise InputError(f"The share of rows to leave out lies between 0 and 1; found {self.leave_out}.")

    def resample(self, run, target, seed, patients=None) -> Resample:
        """Resample number `run` (from 0) of rows with classes `target` (n,); rows of one patient stay together."""
        return _drawn(self, run, target, seed, patients)

    def _units(self, classes, rng):
        kept, left = [], []
        for members, count in zip(classes, _shares([len(c) for c in classes], self.leave_out, rng)):
            shuffled = rng.permutation(members)
            left.append(shuffled[:count])
            kept.append(shuffled[count:])
        return np.sort(np.concatenate(kept)), np.sort(np.concatenate(left))


@dataclass(frozen=True)
class Bootstrap:
    """`runs` draws of as many rows as there are, with replacement; what is never drawn is held out.

    Source: Hamer & Dupont 2021 (30 or 100 runs).
    """

    runs: int = 50
    stratified: bool = True
    kind = "bootstrap"

    def __post_init__(self):
        _check_runs(self.runs)

    def resample(self, run, target, seed, patients=None) -> Resample:
        """Resample number `run` (from 0) of rows with classes `target` (n,); rows of one patient stay together."""
        return _drawn(self, run, target, seed, patients)

    def _units(self, classes, rng):
        drawn = np.concatenate([rng.choice(members, len(members)) for members in classes])
        return np.sort(drawn), np.setdiff1d(np.concatenate(classes), drawn)


PLANS = {plan.kind: plan for plan in (Subsample, Bootstrap)}


def plan_settings(plan) -> dict:
    """A plan as plain settings: its kind and options."""
    return {"kind": plan.kind, **asdict(plan)}


def plan_from(settings):
    """The plan of plain settings. Raises InputError for an unknown kind or option."""
    options = dict(settings)
    kind = options.pop("kind", "subsample")
    if kind not in PLANS:
        raise InputError(f"There is no resampling plan {kind!r}. Choose one of: {', '.join(PLANS)}.")
    try:
        return PLANS[kind](**options)
    except TypeError:
        known = ", ".join(PLANS[kind].__dataclass_fields__)
        raise InputError(f"The plan {kind!r} has the options {known}; found {', '.join(options)}.") from None


def _check_runs(runs):
    if int(runs) != runs or runs < 2:
        raise InputError(f"Stability compares runs, so a plan needs at least 2; found {runs}.")


def _drawn(plan, run, target, seed, patients):
    """Draw until every class is in the rows to learn from."""
    target = np.asarray(target)
    unit_of_row, unit_class = _unit_classes(target, patients)
    strata = unit_class if plan.stratified else np.zeros_like(unit_class)
    classes = [np.flatnonzero(strata == c) for c in np.unique(strata)]
    order = np.argsort(unit_of_row, kind="stable")
    start = np.searchsorted(unit_of_row[order], np.arange(len(unit_class) + 1))
    rows_of = [order[start[u]:start[u + 1]] for u in range(len(unit_class))]
    n_classes = len(np.unique(target))
    rng = np.random.default_rng([seed, run])
    for redrawn in range(MOST_REDRAWS):
        kept, left = (np.concatenate([rows_of[u] for u in part]) if len(part) else np.zeros(0, dtype=int)
                      for part in plan._units(classes, rng))
        if len(np.unique(target[kept])) == n_classes:
            return Resample(kept, left, redrawn)
    raise InputError(f"No resample kept all {n_classes} classes of the target in {MOST_REDRAWS} draws: a class is too small. "
                     "Leave out fewer rows, or merge the smallest classes.")


def _unit_classes(target, patients):
    """(unit of each row, class of each unit): a unit is a row, or all rows of a patient with their most common class."""
    if patients is None:
        return np.arange(len(target)), target
    units, unit_of_row = np.unique(patients, return_inverse=True)
    votes = np.zeros((len(units), int(target.max()) + 1))
    np.add.at(votes, (unit_of_row, target), 1)
    return unit_of_row, votes.argmax(axis=1)


def _shares(sizes, share, rng):
    """How many of each class to leave out: proportional, adding up to the share of all, at least one, never a whole class.

    What proportion leaves as a fraction is settled by lot, so that small classes are held out now and then as well.
    """
    sizes = np.asarray(sizes)
    total = max(1, int(np.floor(sizes.sum() * share + 0.5)))
    exact = sizes * share
    counts = np.floor(exact).astype(int)
    rest = exact - counts
    extra = min(total - counts.sum(), np.count_nonzero(rest))
    if extra > 0:
        counts[rng.choice(len(sizes), extra, replace=False, p=rest / rest.sum())] += 1
    return np.minimum(counts, sizes - 1)
