"""What another measure or another relation C changes: for one selector, and for one selector more than for another."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from stabcore.inference.comparison import (
    ALIKE,
    Comparison,
    p_value_at,
    refuse_what_does_not_compare,
    variance_of_difference,
)
from stabcore.inference.estimate import NOTHING, deviate, jackknife_variance, terms_of, too_few
from stabcore.measures.catalog import entry

if TYPE_CHECKING:
    from stabcore.measures.entry import MeasureLike
    from stabcore.measures.statistic import PairStatistic
    from stabcore.preferences import Preferences
    from stabcore.relation.relation import Relation

FEWEST = 5          # units; of fewer, the values without each are alike by accident so often that 20 of 100 results show a change


@dataclass(frozen=True)
class Shift:
    """after − before of the same runs; units are left out of both together, so that what a run does to both does not count."""

    before: PairStatistic
    after: PairStatistic

    def value(self):
        """The change over all runs."""
        return self.after.value() - self.before.value()

    def leaving_one_out(self):
        """(G,) the change without each unit in turn."""
        return self.after.leaving_one_out() - self.before.leaving_one_out()

    @property
    def reason(self) -> str:
        """Why there is no change to tell: one of the two values is undefined."""
        return next((part.reason for part in (self.after, self.before) if not np.isfinite(part.value())), "")

    @property
    def chance_error(self):
        """What simulated chance terms add to the standard error."""
        return float(np.hypot(self.before.chance_error, self.after.chance_error))


def change(runs: Preferences, before: MeasureLike = "nogueira", after: MeasureLike = "effective", *,
           relation: Relation | None = None, relation_before: Relation | None = None, level: float = 0.95) -> Comparison:
    """How much more one measure gives than another one of the same runs: after − before, by the jackknife of their difference.

    relation: what both read; relation_before: what `before` reads instead, where another C is what changes.
    Units are left out of both together, as in `compare`: what a run does to both does not count, one that nobody saw neither, so
    that the interval need not reach further where few runs deviate: a change that hangs on one run has a standard error as large.
    Raises InputError as `stability`.
    """
    earlier = relation if relation_before is None else relation_before
    shift = Shift(terms_of(runs, entry(before), earlier, {}), terms_of(runs, entry(after), relation, {}))
    comparison = partial(Comparison, entry(after).key, float(shift.value()), level=level, n_runs=runs.n_runs, n_units=runs.n_units)
    left_out = shift.leaving_one_out()
    return _judged(comparison, [shift], runs, (float(jackknife_variance(left_out)), len(left_out) - 1), level)


def compare_changes(first: Preferences, second: Preferences, before: Relation, after: Relation, *,
                    measure: MeasureLike = "effective", level: float = 0.95, paired: bool = True) -> Comparison:
    """How much more the first runs gain than the second where C is `after` instead of `before`: the difference of two changes.

    (Φ_after − Φ_before) of the first − the same of the second, by the jackknife: each unit is left out of all four values
    together; not paired, of the two of each selector, and both variances added (degrees of freedom by Welch and Satterthwaite).
    It is what has to differ from 0 before a lead that is clear under one C only may be said to depend on C.
    Raises InputError as `compare`.
    """
    definition = entry(measure)
    refuse_what_does_not_compare(first, second, paired, definition, "jackknife")
    both = [Shift(terms_of(runs, definition, before, {}), terms_of(runs, definition, after, {})) for runs in (first, second)]
    few = min((first, second), key=lambda runs: runs.n_units)
    comparison = partial(Comparison, definition.key, float(both[0].value() - both[1].value()), level=level, paired=paired,
                         n_runs=few.n_runs, n_units=few.n_units)
    return _judged(comparison, both, few, variance_of_difference([one.leaving_one_out() for one in both], paired), level)


def _judged(comparison, shifts, few, spread, level):
    """The Comparison of one change, or of two; made: it but for its uncertainty; spread: (variance, degrees of freedom)."""
    if reason := next((one.reason for one in shifts if one.reason), ""):
        return comparison(reason=reason)
    variance, freedom = spread
    if not np.isfinite(variance):
        return comparison(reason=too_few(few))
    if few.n_units < FEWEST:
        return comparison(reason=f"how sure a change is can be told from {FEWEST} runs that are independent of each other on, and "
                                 f"these count as {few.n_units}")
    if variance < NOTHING ** 2:
        return comparison(reason=ALIKE)
    half = deviate(level, freedom) * float(np.sqrt(variance + sum(one.chance_error ** 2 for one in shifts)))
    difference = comparison().difference
    return comparison(low=difference - half, high=difference + half, se=half / deviate(level, freedom),
                      p_value=p_value_at(difference, half, level, freedom))
