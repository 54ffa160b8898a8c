"""The units of resampling by class: rows, or patients whose rows stay together."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from stabcore.base.errors import InputError
from stabcore.base.target import class_codes, target_strata

MAX_REDRAWS = 100


@dataclass(frozen=True, eq=False)
class SamplingUnits:
    """Rows, or patients with all their rows.

    strata  unit numbers of each class, see stabcore.base.target (one stratum when not stratified, or when the target is a number)
    """

    strata: list
    _classes: np.ndarray  # (units, classes) bool: whether the unit has rows of the class
    _rows: list

    @classmethod
    def of(cls, target, patients, stratified) -> SamplingUnits:
        """Of rows with the outcome `target` (n,), also of class labels, and codes `patients` (n,) or None.

        Rows with and without the event are the classes of a time to an event. A patient has the class of most of the rows. Equal
        rows give the same object, so that draws from it can be cached.
        """
        target = np.asarray(target)
        labelled = not target.dtype.names and target.dtype.kind not in "biuf"
        codes = class_codes(target, len(target))[0] if labelled else target_strata(target)
        of_row = None if patients is None else np.unique(patients, return_inverse=True)[1].astype(np.int64).tobytes()
        return _cached_units(codes.tobytes(), of_row, bool(stratified))

    def rows(self, units) -> np.ndarray:
        """The rows of some units (a unit may come twice)."""
        return np.concatenate([self._rows[u] for u in units]) if len(units) else np.zeros(0, dtype=int)

    def subset(self, units) -> SamplingUnits:
        """The same for some of the units."""
        return SamplingUnits([members[np.isin(members, units)] for members in self.strata], self._classes, self._rows)

    def draw_until_all_classes(self, split, rng):
        """(parts, redraws): split(strata, rng) gives (kept, left). It is repeated until every kept part has every class.

        Raises InputError if this fails in 100 draws.
        """
        classes = self._n_classes(np.concatenate(self.strata))
        for redrawn in range(MAX_REDRAWS):
            parts = split(self.strata, rng)
            if all(self._n_classes(learned) == classes for learned, _ in parts):
                return parts, redrawn
        raise InputError(
            f"No resample had all {classes} classes of the outcome in {MAX_REDRAWS} draws, because a class is too small. Leave out "
            "fewer rows, or merge the smallest classes."
        )

    def _n_classes(self, units) -> int:
        """The number of classes in the rows of some units."""
        return int(np.count_nonzero(self._classes[units].any(axis=0)))


@lru_cache(maxsize=4)
def draw_folds(units, folds, seed, stream):
    """((kept, left) of every fold, redraws). All folds of one draw use the same stream of random numbers."""
    n_units = sum(len(members) for members in units.strata)
    if folds > n_units:
        raise InputError(f"{folds} folds need at least {folds} rows (or patients). There are {n_units}. Choose fewer folds.")
    return units.draw_until_all_classes(lambda strata, rng: random_folds(strata, folds, rng), np.random.default_rng([seed, stream]))


def random_folds(strata, folds, rng):
    """(kept, left) of every fold. The sizes of folds, also within classes, differ by one at most."""
    shuffled = np.concatenate([rng.permutation(members) for members in strata])
    fold = rng.permutation(folds)[np.arange(len(shuffled)) % folds]
    return [(np.sort(shuffled[fold != number]), np.sort(shuffled[fold == number])) for number in range(folds)]


@lru_cache(maxsize=4)
def _cached_units(codes, of_row, stratified) -> SamplingUnits:
    """Units of class numbers and patient numbers, given as bytes."""
    target = np.frombuffer(codes, dtype=np.int64)
    if of_row is None:
        unit_of_row, unit_class = np.arange(len(target)), target
    else:  # a patient has the most common class of the rows
        unit_of_row = np.frombuffer(of_row, dtype=np.int64)
        votes = np.zeros((int(unit_of_row.max()) + 1, int(target.max()) + 1))
        np.add.at(votes, (unit_of_row, target), 1)
        unit_class = votes.argmax(axis=1)
    strata = unit_class if stratified else np.zeros_like(unit_class)
    order = np.argsort(unit_of_row, kind="stable")
    start = np.searchsorted(unit_of_row[order], np.arange(len(unit_class) + 1))
    rows = [order[start[u] : start[u + 1]] for u in range(len(unit_class))]
    classes = np.zeros((len(unit_class), int(target.max()) + 1), dtype=bool)
    classes[unit_of_row, target] = True
    return SamplingUnits([np.flatnonzero(strata == c) for c in np.unique(strata)], classes, rows)
