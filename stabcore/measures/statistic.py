"""The parts of a stability measure: averages over pairs of runs and over runs, joined by a formula.

With the parts, leaving out runs is cheap: no measure is computed M times.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property, wraps
from typing import Any

import numpy as np

from stabcore.base.errors import InputError
from stabcore.measures.random_sets import random_pair_moments


@dataclass(frozen=True, eq=False)
class PairStatistic:
    """The parts of a measure: value = formula(M, pair averages…, run averages…, totals…), elementwise, NaN where it is 0/0.

    pairs     each (M,): the sum of one pair amount between a run and all other runs
    runs      each (M,): one amount per run,
              or (M, K): the same at K cardinalities, for a whole profile at once
    totals    each (total, (G,) total without each unit): for amounts that are not averages
    units     (M,) the unit, 0 … G − 1, of each run. Units are left out as a whole. None: each run is its own unit
    inside    for each of `pairs`, (G,) or (G, K): its sum over the ordered pairs of runs of one unit, () without units
    partners  (M,) the number of other runs with which the amount of a run is defined. None: all
    partners_inside   (G,) the same over the ordered pairs of one unit. None: all
    skipped   the number of pairs of runs that had no value and were left out
    reason    why the value is undefined when it is
    warn      value -> list of sentences for a reader of the value
    chance_error   standard error that a simulated chance term adds to the value, 0 when chance is exact
    counts_runs    whether the formula depends on M beyond the averages, so that no two runs have a part in the value
    """

    formula: Callable
    n_runs: int
    pairs: tuple[np.ndarray, ...] = ()
    runs: tuple[np.ndarray, ...] = ()
    totals: tuple[tuple[float, np.ndarray], ...] = ()
    units: np.ndarray | None = None
    inside: tuple[np.ndarray | float, ...] = ()
    partners: np.ndarray | None = None
    partners_inside: np.ndarray | float | None = None
    skipped: int = 0
    reason: str = ""
    warn: Callable = lambda value: []
    chance_error: float = 0.0
    counts_runs: bool = False

    def value(self):
        """The measure over all runs: a number, or (K,) of a profile."""
        return self._value

    @cached_property
    def _value(self):
        partners = self._partners.sum()
        with np.errstate(invalid="ignore", divide="ignore"):  # all pairs may have been left out
            value = self._apply_formula(
                self.n_runs,
                [rows.sum(axis=0) / partners for rows in self.pairs],
                [amount.mean(axis=0) for amount in self.runs],
                [total for total, _ in self.totals],
            )
        return float(value) if np.ndim(value) == 0 else value

    def weighted_value(self, share: float) -> Any:
        """The measure, a number or (K,), with the weight `share` for the pairs of runs within a unit.

        For a few runs that represent more runs, with another share of pairs within units. share: 0 to 1. NaN for a measure that
        is not an average over pairs of runs, and where a kind of pair with positive weight does not occur.
        """
        if self.totals or not self.pairs:
            return float("nan")
        missing = np.nan if np.ndim(self.value()) == 0 else np.full(np.shape(self.value()), np.nan)
        if self.units is None:
            return self.value() if share < 1 else missing
        size = self._unit_sums(np.ones(self.n_runs))
        within = (size * (size - 1) if self.partners_inside is None else np.asarray(self.partners_inside)).sum()
        between = self._partners.sum() - within
        if share > 0 and not within or share < 1 and not between:
            return missing

        def weighed(rows, inside):
            near = np.sum(inside, axis=0)
            parts = ((share, near, within), (1 - share, np.sum(rows, axis=0) - near, between))
            return sum(weight * total / n_pairs for weight, total, n_pairs in parts if weight > 0)

        value = self._apply_formula(
            self.n_runs,
            [weighed(*amounts) for amounts in zip(self.pairs, self.inside, strict=True)],
            [amount.mean(axis=0) for amount in self.runs],
            [],
        )
        return float(value) if np.ndim(value) == 0 else value

    def within_units(self) -> PairStatistic:
        """The same measure with averages over the pairs of runs within a unit only."""
        units = np.arange(self.n_runs) if self.units is None else self.units
        size = unit_sums(np.ones(self.n_runs), units)
        inside = self.inside if self.units is not None else tuple(np.zeros_like(rows) for rows in self.pairs)
        n_pairs = size * (size - 1) if self.partners_inside is None else np.asarray(self.partners_inside)

        def of_run(amount):  # an equal part for each run of a unit, because only sums by unit are read
            return (np.asarray(amount)[units].T / size[units]).T

        return replace(
            self, pairs=tuple(map(of_run, inside)), units=units, inside=inside, partners=of_run(n_pairs), partners_inside=n_pairs
        )

    @property
    def n_units(self) -> int:
        """G, the number of units."""
        return self.n_runs if self.units is None else int(self.units.max()) + 1

    def leave_one_out_values(self) -> np.ndarray:
        """(G,) or (G, K): the measure without each unit in turn, NaN when fewer than two runs would be left.

        The pairs with a run of the unit are subtracted from the sum over all ordered pairs. These are twice the sums of its
        runs with all others, minus the pairs inside the unit, which were counted twice.
        """
        size = self._unit_sums(np.ones(self.n_runs))
        left = self.n_runs - size
        inside = (0.0,) * len(self.pairs) if self.units is None else self.inside
        partners_inside = size * (size - 1) if self.partners_inside is None else self.partners_inside
        partners = self._partners.sum() - 2 * self._unit_sums(self._partners) + partners_inside
        with np.errstate(invalid="ignore", divide="ignore"):
            values = self._apply_formula(
                self._as_column(left),
                [
                    ((rows.sum(axis=0) - 2 * self._unit_sums(rows) + within).T / partners).T
                    for rows, within in zip(self.pairs, inside, strict=True)
                ],
                [((amount.sum(axis=0) - self._unit_sums(amount)).T / left).T for amount in self.runs],
                [rest for _, rest in self.totals],
            )
        return np.where(self._as_column(left) < 2, np.nan, values)

    def _as_column(self, amounts):
        """(G,), or (G, 1) for a profile."""
        wide = any(np.ndim(amount) > 1 for amount in (*self.pairs, *self.runs))
        return amounts[:, None] if wide else amounts

    def _unit_sums(self, amounts):
        return amounts if self.units is None else unit_sums(amounts, self.units)

    @property
    def _partners(self):
        return np.full(self.n_runs, self.n_runs - 1.0) if self.partners is None else self.partners

    def _apply_formula(self, n, pairs, runs, totals):
        with np.errstate(invalid="ignore", divide="ignore"):
            return self.formula(n, *pairs, *runs, *totals)


def unit_sums(amounts, units) -> np.ndarray:
    """(G, …) sums of (M, …) amounts over the runs of each unit."""
    total = np.zeros((int(units.max()) + 1, *np.shape(amounts)[1:]))
    np.add.at(total, units, amounts)
    return total


def sums_inside_units(units, width, with_others) -> tuple:
    """`inside` of a PairStatistic for one amount: with_others(runs, marked) gives (runs, width) sums over those runs only."""
    if units is None:
        return ()
    inside = np.zeros((int(units.max()) + 1, width))
    for unit in np.flatnonzero(np.bincount(units) > 1):
        inside[unit] = with_others(units == unit).sum(axis=0)
    return (inside,)


def mean_of_pairs(pair_values, reason, undefined=None, units=None) -> PairStatistic:
    """PairStatistic of a plain average over pairs, from an (M, M) matrix with NaN where a pair has no value.

    undefined: None (any such pair makes the measure undefined), "skip" (average the others) or a number to put in.
    units: see PairStatistic.
    """
    if isinstance(undefined, str) and undefined != "skip":
        raise InputError(f"For pairs without a value, set undefined to 'skip', None or a number. Found undefined={undefined!r}.")
    values = np.array(pair_values, dtype=float)
    n_runs = len(values)
    np.fill_diagonal(values, 0.0)
    gaps = np.isnan(values)
    partners, skipped = None, 0
    if gaps.any() and undefined is not None:
        if undefined == "skip":
            partners, skipped = (n_runs - 1.0) - gaps.sum(axis=1), int(gaps.sum()) // 2
            values[gaps] = 0.0
        else:
            values[gaps] = float(undefined)
    elif gaps.any():
        i, j = np.argwhere(gaps)[0]
        reason = (
            f"{int(gaps.sum()) // 2} of {n_runs * (n_runs - 1) // 2} pairs of runs have no value. "
            f"The first is run {i + 1} with run {j + 1}: {reason}"
        )
    inside: tuple[np.ndarray, ...] = ()
    partners_inside = None
    if units is not None:
        together = units[:, None] == units
        inside = (unit_sums(np.where(together, values, 0.0).sum(axis=1), units),)
        partners_inside = unit_sums((together & ~gaps).sum(axis=1) - 1.0, units) if partners is not None else None
    return PairStatistic(
        lambda n, mean: mean,
        n_runs,
        pairs=(values.sum(axis=1),),
        units=units,
        inside=inside,
        partners=partners,
        partners_inside=partners_inside,
        skipped=skipped,
        reason=reason,
    )


def ratio(top, bottom, scale=1.0):
    """Top / bottom, NaN where bottom is 0 up to rounding (relative to `scale`)."""
    bottom = np.asarray(bottom, dtype=float)
    zero = np.abs(bottom) <= 1e-12 * np.abs(scale)
    return np.where(zero, np.nan, top / np.where(zero, 1.0, bottom))


def measure(build):
    """Make a public measure from a function that builds its PairStatistic: a call gives the value, `.terms` gives the parts.

    Where single pairs are cheap to compute, `.values_of_pairs(selections, similarity, first, second)` gives many of them at once.
    `.several_terms(several, similarity)` gives the terms of S Selections with the same units, as if they were S cardinalities.
    """

    def terms(selections, similarity=None, **options):
        return compared_terms(selections, build, similarity, **options)

    @wraps(build)
    def value(selections, similarity=None, **options):
        return terms(selections, similarity, **options).value()

    public: Any = value
    public.terms = terms
    public.__signature__ = inspect.signature(build).replace(return_annotation="float")
    return public


def compared_terms(selections, build, *args, **options) -> PairStatistic:
    """PairStatistic of build(selections, …) over the pairs of runs that are compared: all, or those within a unit.

    A measure that is not an average over pairs is computed for each unit, and averaged over them.
    """
    if not selections.within_units:
        return build(selections, *args, **options)
    members = selections.members
    several, as_one = [runs for runs in members if len(runs) > 1], replace(selections, within_units=False)
    terms = build(as_one, *args, **options)
    if not terms.totals and not terms.counts_runs:
        return terms.within_units()
    values = [build(as_one.take(runs), *args, **options).value() for runs in several]
    whole = as_one.take(np.concatenate(several)) if several else as_one
    sizes = [len(runs) for runs in several]
    return PairStatistic(
        lambda n, mean: mean,
        whole.n_runs,
        runs=(np.repeat(values, sizes) if several else np.full(whole.n_runs, np.nan),),
        units=np.repeat(np.arange(len(several)), sizes) if several else None,
        reason=terms.reason,
        warn=terms.warn,
    )


def pair_measure(reason, *, correctable=False):
    """Make a public measure from a formula of (r, a, b, d): features shared by two runs, the two sizes, all features.

    correctable: whether it accepts corrected=True, (score − E)/(1 − E) for each pair with the exact E over random sets.
    """

    def wrap(formula):
        def terms(selections, similarity=None, *, undefined=None):
            return mean_of_pairs(pair_values(formula, selections), reason, undefined, selections.units)

        def correctable_terms(selections, similarity=None, *, corrected=False, undefined=None):
            values = pair_values(formula, selections)
            if corrected:
                expected = expected_pair_values(formula, selections.sizes, selections.n_features)
                values = ratio(values - expected, 1 - expected)
            return mean_of_pairs(values, reason, undefined, selections.units)

        build = correctable_terms if correctable else terms
        build.__name__, build.__qualname__, build.__doc__ = formula.__name__, formula.__qualname__, formula.__doc__
        build.__module__ = formula.__module__

        def values_of_pairs(selections, similarity, first, second):
            sizes = selections.sizes
            with np.errstate(invalid="ignore", divide="ignore"):
                return formula(selections.shared[first, second], sizes[first], sizes[second], selections.n_features)

        wrapped = measure(build)
        wrapped.pair, wrapped.values_of_pairs = formula, values_of_pairs
        return wrapped

    return wrap


def pair_values(formula, selections) -> np.ndarray:
    """(M, M) of a formula of (r, a, b, d) for every two runs, NaN where it has no value."""
    sizes = selections.sizes
    with np.errstate(invalid="ignore", divide="ignore"):
        return formula(selections.shared, sizes[:, None], sizes[None, :], selections.n_features)


def expected_pair_values(formula, sizes, d) -> np.ndarray:
    """(M, M) exact expectation of a formula of (r, a, b, d) over random sets of the sizes of every two runs."""
    kinds, which = np.unique(sizes, return_inverse=True)
    expected = np.empty((len(kinds), len(kinds)))
    for i, a in enumerate(kinds):
        for j, b in enumerate(kinds[: i + 1]):
            expected[i, j] = expected[j, i] = random_pair_moments(formula, a, b, d)[0]
    return expected[np.ix_(which, which)]


def pair_formula(definition):
    """The formula for two runs of equal size whose mean over pairs is the measure."""
    return definition.at_equal_sizes or definition.pair


def is_linear(pair, size, d):
    """Whether a pair formula is linear in the overlap of two sets of one size."""
    with np.errstate(invalid="ignore", divide="ignore"):
        none, half, all_of_it = (np.asarray(pair(share * size, size, size, d)) for share in (0.0, 0.5, 1.0))
    return np.allclose((none + all_of_it) / 2, half, rtol=1e-9, atol=1e-9, equal_nan=True)
