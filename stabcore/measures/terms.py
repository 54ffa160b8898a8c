"""What a stability measure is made of: averages over pairs of runs and over runs, joined by a formula.

Keeping the parts makes leaving out one run cheap: no measure is ever computed M times over.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps

import numpy as np

from stabcore.errors import InputError
from stabcore.measures.random_sets import random_pair


@dataclass(frozen=True, eq=False)
class Terms:
    """value = formula(M, pair averages…, run averages…, totals…), elementwise, NaN where it is 0/0.

    pairs     each (M,): the sum of one pair amount between a run and all other runs
    runs      each (M,): one amount a run
              (or (M, K): the same at K cardinalities, for a whole profile at once)
    totals    each (total, (M,) what it is without each run): for amounts that are no averages
    partners  (M,) with how many other runs a run's amount is defined; None: with all
    skipped   how many pairs of runs had no value and were left out
    reason    why the value is undefined when it is
    warn      value -> list of sentences a reader of the value must know
    chance_error   standard error that a simulated chance term adds to the value; 0 when chance is exact
    """

    formula: Callable
    n_runs: int
    pairs: tuple[np.ndarray, ...] = ()
    runs: tuple[np.ndarray, ...] = ()
    totals: tuple[tuple[float, np.ndarray], ...] = ()
    partners: np.ndarray | None = None
    skipped: int = 0
    reason: str = ""
    warn: Callable = lambda value: []
    chance_error: float = 0.0

    def value(self):
        """The measure over all runs: a number, or (K,) of a profile."""
        partners = self._partners.sum()
        with np.errstate(invalid="ignore", divide="ignore"):            # every pair may have been left out
            found = self._join(self.n_runs, [rows.sum(axis=0) / partners for rows in self.pairs],
                               [amount.mean(axis=0) for amount in self.runs], [total for total, _ in self.totals])
        return float(found) if np.ndim(found) == 0 else found

    def leaving_one_out(self) -> np.ndarray:
        """(M,) or (M, K): the measure without each run in turn; NaN when only one run would be left."""
        n = self.n_runs - 1
        if n < 2:
            return np.full(np.shape((*self.pairs, *self.runs, *(rest for _, rest in self.totals))[0]), np.nan)
        partners = self._partners.sum() - 2 * self._partners
        with np.errstate(invalid="ignore", divide="ignore"):
            return self._join(n, [((rows.sum(axis=0) - 2 * rows).T / partners).T for rows in self.pairs],
                              [(amount.sum(axis=0) - amount) / n for amount in self.runs], [rest for _, rest in self.totals])

    @property
    def _partners(self):
        return np.full(self.n_runs, self.n_runs - 1.0) if self.partners is None else self.partners

    def _join(self, n, pairs, runs, totals):
        with np.errstate(invalid="ignore", divide="ignore"):
            return self.formula(n, *pairs, *runs, *totals)


def mean_of_pairs(pair_values, reason, undefined=None) -> Terms:
    """Terms of a plain average over pairs, from an (M, M) matrix with NaN where a pair has no value.

    undefined: None (any such pair makes the measure undefined), "skip" (average the others) or a number to put in.
    """
    if isinstance(undefined, str) and undefined != "skip":
        raise InputError(f"Pairs without a value are left out ('skip') or given a number; found undefined={undefined!r}.")
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
        reason = (f"{int(gaps.sum()) // 2} of {n_runs * (n_runs - 1) // 2} pairs of runs have no value, "
                  f"the first is run {i + 1} with run {j + 1}: {reason}")
    return Terms(lambda n, mean: mean, n_runs, pairs=(values.sum(axis=1),), partners=partners, skipped=skipped, reason=reason)


def ratio(top, bottom, scale=1.0):
    """top / bottom, NaN where bottom is 0 up to rounding (relative to `scale`)."""
    bottom = np.asarray(bottom, dtype=float)
    zero = np.abs(bottom) <= 1e-12 * np.abs(scale)
    return np.where(zero, np.nan, top / np.where(zero, 1.0, bottom))


def measure(build):
    """Make a public measure of a function that builds its Terms: calling it gives the value, `.terms` the parts."""
    @wraps(build)
    def value(preferences, relation=None, **options):
        return build(preferences, relation, **options).value()

    value.terms = build
    value.__signature__ = inspect.signature(build).replace(return_annotation="float")
    return value


def pair_measure(reason, *, correctable=False):
    """Make a public measure of a formula of (r, a, b, d): features shared by two runs, the two sizes, all features.

    correctable: it takes corrected=True, (score − E)/(1 − E) for each pair with the exact E of random sets of those sizes.
    """
    def wrap(formula):
        def terms(preferences, relation=None, *, undefined=None):
            return mean_of_pairs(pair_values(formula, preferences), reason, undefined)

        def correctable_terms(preferences, relation=None, *, corrected=False, undefined=None):
            values = pair_values(formula, preferences)
            if corrected:
                expected = expected_pairs(formula, preferences.sizes, preferences.n_features)
                values = ratio(values - expected, 1 - expected)
            return mean_of_pairs(values, reason, undefined)

        build = correctable_terms if correctable else terms
        build.__name__, build.__qualname__, build.__doc__ = formula.__name__, formula.__qualname__, formula.__doc__
        build.__module__ = formula.__module__
        made = measure(build)
        made.pair = formula
        return made
    return wrap


def pair_values(formula, preferences) -> np.ndarray:
    """(M, M) of a formula of (r, a, b, d) for every two runs; NaN where it has no value."""
    sizes = preferences.sizes
    with np.errstate(invalid="ignore", divide="ignore"):
        return formula(preferences.shared, sizes[:, None], sizes[None, :], preferences.n_features)


def expected_pairs(formula, sizes, d) -> np.ndarray:
    """(M, M) exact expectation of a formula of (r, a, b, d) over random sets of the sizes of every two runs."""
    kinds, which = np.unique(sizes, return_inverse=True)
    expected = np.empty((len(kinds), len(kinds)))
    for i, a in enumerate(kinds):
        for j, b in enumerate(kinds[:i + 1]):
            expected[i, j] = expected[j, i] = random_pair(formula, a, b, d)[0]
    return expected[np.ix_(which, which)]
