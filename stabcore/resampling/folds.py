"""Plans that part the rows: cross-validation, and cross-validation inside it."""

from __future__ import annotations

from dataclasses import dataclass

from stabcore.resampling.plan import Plan, check_count
from stabcore.resampling.units import in_folds


@dataclass(frozen=True)
class RepeatedKFold(Plan):
    """N-fold cross-validation, `repeats` times: every run learns from all folds but one, which is held out.

    Raises InputError for fewer than two folds, or no repeat. Source: Bommert et al. 2017 (10 folds).
    """

    folds: int = 10
    repeats: int = 1
    stratified: bool = True
    kind = "kfold"
    parts_rows = True
    unit_name = "repeat"

    def __post_init__(self):
        check_count(self.folds, "folds", "Cross-validation holds out one fold at a time")
        check_count(self.repeats, "repeats", "Cross-validation is done at least once", 1)

    @property
    def runs(self) -> int:
        return self.folds * self.repeats

    def most(self, n_units: int) -> dict[str, tuple[str, int]]:
        return {"folds": ("folds", n_units)}

    def unit(self, run: int) -> int:
        return run // self.folds

    def shared_rows(self) -> list[tuple[float, float]]:
        inside = (self.folds - 1) / (self.runs - 1)  # of the other runs, how many belong to the same repeat
        return [((self.folds - 2) / (self.folds - 1), inside), ((self.folds - 1) / self.folds, 1 - inside)]

    def sentence(self) -> str:
        repeated = f" ({self.folds}-fold cross-validation, {self.repeats} times over)" if self.repeats > 1 else ""
        return f"{self.runs} runs, each holding out one of {self.folds} folds{repeated}"

    def _units(self, run, units, seed):
        parts, redrawn = in_folds(units, self.folds, seed, run // self.folds)
        return parts[run % self.folds], redrawn


@dataclass(frozen=True)
class NestedKFold(Plan):
    """Cross-validation inside cross-validation: the outer folds tell the error, the inner ones the stability.

    Runs 0 … folds·inner − 1 learn from the training part of an outer fold without one of its inner folds; nothing is predicted.
    Each is a unit of its own: in simulations (tests/benchmarks/bench_intervals.py) leaving out one at a time told the standard
    error to 10%, whole outer folds made it a third to two thirds too wide.
    The last `folds` runs learn from whole training parts and predict the outer folds.
    Raises InputError for fewer than two outer or inner folds. Source: Kalousis et al. 2005 (10 × 10).
    """

    folds: int = 10
    inner: int = 10
    stratified: bool = True
    kind = "nested"

    def __post_init__(self):
        check_count(self.folds, "folds", "Cross-validation holds out one fold at a time")
        check_count(self.inner, "inner", "Stability compares runs inside an outer fold")

    @property
    def runs(self) -> int:
        return self.folds * (self.inner + 1)

    def most(self, n_units: int) -> dict[str, tuple[str, int]]:
        smallest_training_part = n_units - -(-n_units // self.folds)
        return {"folds": ("folds", n_units), "inner": ("inner folds", smallest_training_part)}

    def measures_stability(self, run: int) -> bool:
        return run < self.folds * self.inner

    def block(self, run: int) -> int:
        return run // self.inner if self.measures_stability(run) else run - self.folds * self.inner

    def cluster(self, run: int) -> int:
        return self.block(run)

    def shared_rows(self) -> list[tuple[float, float]]:
        inside = (self.inner - 1) / (self.folds * self.inner - 1)  # of the other runs, how many lie in the same outer fold
        between = (self.folds - 2) / (self.folds - 1) * (self.inner - 1) / self.inner
        return [((self.inner - 2) / (self.inner - 1), inside), (between, 1 - inside)]

    def sentence(self) -> str:
        return (
            f"{self.folds * self.inner} runs for the stability ({self.inner} inner folds in each of {self.folds} outer ones) "
            f"and {self.folds} for the error"
        )

    def _units(self, run, units, seed):
        parts, redrawn = in_folds(units, self.folds, seed, 0)
        outer = self.block(run)
        if not self.measures_stability(run):
            return parts[outer], redrawn
        inside, redrawn_inside = in_folds(units.within(parts[outer][0]), self.inner, seed, 1 + outer)
        return (inside[run % self.inner][0], []), redrawn + redrawn_inside
