"""Cross-validation, plain and nested."""

from __future__ import annotations

from dataclasses import dataclass

from stabcore.resampling.plan import Plan, check_count
from stabcore.resampling.units import in_folds


@dataclass(frozen=True)
class RepeatedKFold(Plan):
    """N-fold cross-validation, `repeats` times: every run learns from all folds but one, which is held out.

    Raises InputError for fewer than two folds, or no repeat. Source: Bommert et al. 2017 (10 folds).
    """

    n_splits: int = 10
    n_repeats: int = 1
    stratified: bool = True
    kind = "repeated_kfold"
    parts_rows = True
    unit_name = "repeat"

    def __post_init__(self):
        check_count(self.n_splits, "n_splits", "Cross-validation holds out one fold at a time")
        check_count(self.n_repeats, "n_repeats", "Cross-validation is done at least once", 1)

    @property
    def n_runs(self) -> int:
        return self.n_splits * self.n_repeats

    def most(self, n_units: int) -> dict[str, tuple[str, int]]:
        return {"n_splits": ("folds", n_units)}

    def unit(self, run: int) -> int:
        return run // self.n_splits

    def shared_rows(self) -> list[tuple[float, float]]:
        inside = (self.n_splits - 1) / (self.n_runs - 1)  # of the other runs, how many belong to the same repeat
        return [((self.n_splits - 2) / (self.n_splits - 1), inside), ((self.n_splits - 1) / self.n_splits, 1 - inside)]

    def sentence(self) -> str:
        repeated = f" ({self.n_splits}-fold cross-validation, repeated {self.n_repeats} times)" if self.n_repeats > 1 else ""
        return f"{self.n_runs} runs, each holding out one of {self.n_splits} folds{repeated}"

    def _units(self, run, units, seed):
        parts, redrawn = in_folds(units, self.n_splits, seed, run // self.n_splits)
        return parts[run % self.n_splits], redrawn


@dataclass(frozen=True)
class NestedKFold(Plan):
    """Nested cross-validation: the outer folds give the error, the inner ones the stability.

    Runs 0 … folds·inner − 1 learn from the training part of an outer fold without one of its inner folds; nothing is predicted.
    Each is a unit of its own: in simulations (tests/benchmarks/bench_intervals.py) leaving out one at a time gave the standard
    error to 10%, whole outer folds made it a third to two thirds too wide.
    The last `folds` runs learn from whole training parts and predict the outer folds.
    Raises InputError for fewer than two outer or inner folds. Source: Kalousis et al. 2005 (10 × 10).
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
        inside = (self.n_inner - 1) / (self.n_outer * self.n_inner - 1)  # of the other runs, how many lie in the same outer fold
        between = (self.n_outer - 2) / (self.n_outer - 1) * (self.n_inner - 1) / self.n_inner
        return [((self.n_inner - 2) / (self.n_inner - 1), inside), (between, 1 - inside)]

    def sentence(self) -> str:
        return (
            f"{self.n_outer * self.n_inner} runs for the stability ({self.n_inner} inner folds in each of {self.n_outer} outer "
            f"ones) and {self.n_outer} for the error"
        )

    def _units(self, run, units, seed):
        parts, redrawn = in_folds(units, self.n_outer, seed, 0)
        outer = self.block(run)
        if not self.measures_stability(run):
            return parts[outer], redrawn
        inside, redrawn_inside = in_folds(units.within(parts[outer][0]), self.n_inner, seed, 1 + outer)
        return (inside[run % self.n_inner][0], []), redrawn + redrawn_inside
