"""What resampling draws: rows, or patients whose rows stay together, by class."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from stabcore.errors import InputError

MOST_REDRAWS = 100


@dataclass(frozen=True, eq=False)
class Units:
    """Rows, or patients with all their rows.

    strata  unit numbers of each class (one stratum of all when not stratified, or when the target is a number)
    """

    strata: list
    target: np.ndarray
    _rows: list

    @classmethod
    def of(cls, target, patients, stratified) -> Units:
        """Of rows with class numbers (or numbers) `target` (n,) and codes `patients` (n,) or None.

        A patient counts for the class that most of the rows have.
        """
        target = np.asarray(target)
        codes = target if target.dtype.kind != "f" else np.zeros(len(target), dtype=int)
        unit_of_row, unit_class = _unit_classes(codes, patients)
        strata = unit_class if stratified else np.zeros_like(unit_class)
        order = np.argsort(unit_of_row, kind="stable")
        start = np.searchsorted(unit_of_row[order], np.arange(len(unit_class) + 1))
        rows = [order[start[u]:start[u + 1]] for u in range(len(unit_class))]
        return cls([np.flatnonzero(strata == c) for c in np.unique(strata)], codes, rows)

    @property
    def many(self) -> int:
        """How many units there are."""
        return len(self._rows)

    def rows(self, units) -> np.ndarray:
        """The rows of some units (a unit may come twice)."""
        return np.concatenate([self._rows[u] for u in units]) if len(units) else np.zeros(0, dtype=int)

    def within(self, units) -> Units:
        """The same, of some of the units only."""
        return Units([members[np.isin(members, units)] for members in self.strata], self.target, self._rows)

    def settle(self, split, rng):
        """(parts, redraws): split(strata, rng) gives (kept, left) units; drawn again until every class is in every kept part.

        Raises InputError when that does not happen in 100 draws.
        """
        classes = len(np.unique(self.target[self.rows(np.concatenate(self.strata))]))
        for redrawn in range(MOST_REDRAWS):
            parts = split(self.strata, rng)
            if all(len(np.unique(self.target[self.rows(kept)])) == classes for kept, _ in parts):
                return parts, redrawn
        raise InputError(f"No resample kept all {classes} classes of the target in {MOST_REDRAWS} draws: a class is too small. "
                         "Leave out fewer rows, or merge the smallest classes.")


def _unit_classes(target, patients):
    """(unit of each row, class of each unit): a unit is a row, or all rows of a patient with their most common class."""
    if patients is None:
        return np.arange(len(target)), target
    units, unit_of_row = np.unique(patients, return_inverse=True)
    votes = np.zeros((len(units), int(target.max()) + 1))
    np.add.at(votes, (unit_of_row, target), 1)
    return unit_of_row, votes.argmax(axis=1)
