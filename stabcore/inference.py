"""Estimate: a stability value with its uncertainty, and why it is missing when it is.

Runs drawn from one dataset overlap, so intervals speak of the resampling, not of new patients.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from statistics import NormalDist

import numpy as np

from stabcore.errors import InputError
from stabcore.measures.catalog import ENTRIES, entries, entry, is_one

ENOUGH = 50         # runs; with fewer, the published interval of nogueira is too narrow and the jackknife's is not


@dataclass(frozen=True)
class Estimate:
    """One measured stability.

    value     the measure; NaN when undefined, and then `reason` says why
    low, high confidence interval at `level`, cut where the measure cannot go; NaN when there is none
    se        standard error
    method    where the interval comes from: "published" (nogueira) or "jackknife" (leaving out one run at a time)
    chance_error   what a chance term that was drawn at random adds to se; 0 where chance is exact
    warnings  what a reader of the value must know
    """

    measure: str
    value: float
    low: float = np.nan
    high: float = np.nan
    se: float = np.nan
    level: float = 0.95
    method: str = ""
    n_runs: int = 0
    chance_error: float = 0.0
    reason: str = ""
    warnings: tuple[str, ...] = ()

    def p_above(self, value) -> float:
        """One-sided p-value of H₀: stability ≤ value; normal with the published variance, Student's t with the jackknife."""
        if not self.se > 0:
            return np.nan
        distance = (value - self.value) / self.se
        if self.method == "published":
            return NormalDist().cdf(distance)
        from scipy.special import stdtr

        return float(stdtr(self.n_runs - 1, distance))

    def __str__(self):
        if self.reason:
            return f"{self.measure}: undefined, {self.reason}"
        return f"{self.measure}: {self.value:.3f} [{self.low:.3f}, {self.high:.3f}]"


def stability(preferences, measure="nogueira", *, relation=None, level=0.95, interval=None, **options):
    """Estimate of one measure, or a dict of Estimates for a list of measures.

    measure: a key of `sc.measures()`, a measure of one's own (see stabcore.measures), or a list of these. relation: a Relation for
    the measures that need one.
    interval: "published" (nogueira only, its default from ENOUGH runs on) or "jackknife". options go to the measure
    (`undefined=`, `ties=`).
    Raises InputError for an unknown key, a missing relation or input that the measure cannot take; in a list such a measure
    becomes an Estimate with the reason, so that one does not hide the others.
    """
    if is_one(measure):
        return _estimate(preferences, entry(measure), relation, level, interval, options)
    result = {}
    for one in entries(measure):
        try:
            result[one.key] = _estimate(preferences, one, relation, level, interval, options)
        except InputError as error:
            result[one.key] = Estimate(one.key, np.nan, level=level, n_runs=preferences.n_runs, reason=str(error))
    return result


def _estimate(preferences, one, relation, level, interval, options) -> Estimate:
    interval = interval or ("published" if one.published_variance and preferences.n_runs >= ENOUGH else "jackknife")
    refuse_interval(interval, one)
    terms = terms_of(preferences, one, relation, options)
    value = terms.value()
    make = partial(Estimate, one.key, value, level=level, n_runs=preferences.n_runs, chance_error=terms.chance_error)
    if not np.isfinite(value):
        return make(reason=terms.reason)
    warnings = list(terms.warn(value))
    if terms.skipped:
        warnings.append(f"{terms.skipped} pairs of runs had no value and were left out.")
    if terms.chance_error:
        warnings.append(f"What chance gives was drawn at random, which adds a standard error of {terms.chance_error:.2g}.")
    se = np.sqrt(one.published_variance(preferences)) if interval == "published" else jackknife_error(terms)
    if not np.isfinite(se) or preferences.n_runs < 3:
        return make(method=interval, warnings=(*warnings, "No interval: that needs at least 3 runs, and a value without each."))
    se = float(np.hypot(se, terms.chance_error))
    half = deviate(level, preferences.n_runs - 1 if interval == "jackknife" else None) * se
    low, high = map(float, one.interval(value, half, options))
    return make(low=low, high=high, se=se, method=interval, warnings=tuple(warnings))


def refuse_interval(interval, one):
    """Raise InputError for an interval that there is none of for this entry."""
    if interval not in ("published", "jackknife") or interval == "published" and not one.published_variance:
        published = ", ".join(known.key for known in ENTRIES if known.published_variance)
        raise InputError(f"Only {published} has a published interval, all others the jackknife; found {interval!r} for {one.key}.")


def terms_of(preferences, one, relation, options):
    """Terms of a catalogue entry for these runs, with what it was given checked."""
    if one.needs_relation and relation is None:
        raise InputError(f"{one.key} needs to know which features stand for each other: give relation=, for example "
                         "Relation.from_groups(...) or Relation.from_correlation(...).")
    if relation is not None:
        relation.check_covers(preferences)
    if preferences.no_importances and one.needs_importances:
        raise InputError(f"{one.label}: {preferences.no_importances}.")
    unknown = [name for name in options if name not in one.options]
    if unknown:
        raise InputError(f"{one.key} has no option {unknown[0]!r}; it has {', '.join(one.options) or 'none'}.")
    return one.function.terms(preferences, relation, **options)


def deviate(level, freedom=None) -> float:
    """How many standard errors an interval reaches to each side: normal, or Student's t with degrees of freedom."""
    if not 0 < level < 1:
        raise InputError(f"The level of an interval lies between 0 and 1, for example 0.95; found {level}.")
    if freedom is None:
        return NormalDist().inv_cdf(0.5 + level / 2)
    from scipy.special import stdtrit

    return float(stdtrit(freedom, 0.5 + level / 2))


def jackknife_error(terms):
    """Standard error from leaving out one run at a time: √((M−1)/M · Σ(φ₍ᵢ₎ − φ₍·₎)²); (K,) of a profile. NaN below 3 runs."""
    left_out = terms.leaving_one_out()
    n = terms.n_runs
    found = np.sqrt((n - 1) / n * ((left_out - left_out.mean(axis=0)) ** 2).sum(axis=0))
    return float(found) if np.ndim(found) == 0 else found
