"""The plan of a learning curve: pairs of halves, of quarters and of eighths of the rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from stabcore.base.errors import InputError
from stabcore.base.text import be, several, shown
from stabcore.resampling.draws import ComplementaryPairs
from stabcore.resampling.plan import check_count
from stabcore.resampling.units import SamplingUnits, fold_parts

if TYPE_CHECKING:
    from stabcore.data.dataset import Dataset

PARTS = (2, 4, 8)  # a half, a quarter, an eighth of the rows


@dataclass(frozen=True)
class LearningCurve(ComplementaryPairs):
    """`pairs` pairs of complementary halves, then as many pairs of quarters, then of eighths; no pair shares a row.

    The halves are those of ComplementaryPairs with the same seed, and the stability is measured on them. Quarters and eighths show
    how the agreement of two groups of patients grows with their number. They predict nothing.
    Raises InputError for fewer than three pairs.
    """

    kind = "learning_curve"
    parts_rows = False

    def __post_init__(self):
        check_count(self.n_pairs, "n_pairs", "The agreement of each size is a mean over pairs", 3)

    @property
    def halves(self) -> ComplementaryPairs:
        """The plan of the halves alone."""
        return ComplementaryPairs(self.n_pairs, self.stratified)

    @property
    def n_runs(self) -> int:
        return 2 * self.n_pairs * len(PARTS)

    def part(self, run: int) -> int:
        """2, 4 or 8: which part of the rows a run learns from."""
        return PARTS[run // (2 * self.n_pairs)]

    def measures_stability(self, run: int) -> bool:
        return self.part(run) == PARTS[0]

    def of_table(self, data: Dataset) -> LearningCurve:
        strata = SamplingUnits.of(data.target, data.patients, True).strata
        few = [(len(members), c) for c, members in enumerate(strata) if len(members) < PARTS[-1]]
        if few:
            n_units, c = min(few)
            who = f" of {shown(data.classes[c])}" if data.classes else ""
            unit = "row" if data.patients is None else "patient"
            raise InputError(
                f"A learning curve needs at least {PARTS[-1]} {unit}s of every class. There {be(n_units)} "
                f"{several(n_units, unit)}{who}. Use complementary pairs, or merge the smallest classes."
            )
        return self

    def shared_rows(self) -> list[tuple[float, float]]:
        return self.halves.shared_rows()

    def sentence(self) -> str:
        return f"{self.n_runs} runs: {self.n_pairs} pairs each of halves, quarters and eighths; the halves measure stability"

    def _units(self, run, units, seed):
        if self.measures_stability(run):
            return self.halves._units(run, units, seed)

        def two_parts(strata, rng):
            """Two disjoint parts of the rows, with nothing held out."""
            return [(left, left[:0]) for _, left in fold_parts(strata, self.part(run), rng)[:2]]

        parts, redrawn = units.draw_until_all_classes(two_parts, np.random.default_rng([seed, run // 2]))
        return parts[run % 2], redrawn
