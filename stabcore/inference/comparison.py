"""Two selectors compared on the same resamples: the difference of their stabilities, with its uncertainty."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from statistics import NormalDist
from typing import TYPE_CHECKING

import numpy as np

from stabcore.base.errors import InputError
from stabcore.base.public import public
from stabcore.base.tables import PlainFields
from stabcore.base.text import format_with_interval
from stabcore.inference.estimate import (
    TOLERANCE,
    critical_value,
    jackknife_variance,
    limit_distances,
    measure_terms,
    refuse_interval,
    too_few_reason,
)
from stabcore.measures.catalog import entry
from stabcore.measures.statistic import PairStatistic
from stabcore.selections.selections import Selections

if TYPE_CHECKING:
    from typing import Any

    from numpy.typing import ArrayLike

    from stabcore.measures.entry import MeasureLike
    from stabcore.measures.statistic import PairStatistic
    from stabcore.selections.selections import SelectionsLike
    from stabcore.similarity.similarity import Similarity

NEVER_DIFFER = "both selectors select the same in all of these runs, so the variance of the difference is unknown"
NO_VARIATION = "leaving out any run does not change the difference, so its variance is unknown"


@public
@dataclass(frozen=True, eq=False, repr=False)
class Comparison(PlainFields):
    """Difference of the stability of two selectors, first − second.

    Parameters
    ----------
    measure : str
        Key of sc.list_measures(), or a user-defined measure.
    difference : float
        First − second. NaN if one of them is undefined. `reason` then says why.
    low, high : float, optional
        Limits of the confidence interval at `level`. NaN if there is none. `reason` then says why.
    se : float, optional
        Standard error. If few runs deviate, the one that corresponds to the wider side of the interval.
    p_value : float, optional
        Two-sided p-value of no difference. It is below 1 − level exactly if the interval does not contain 0.
    level : float, optional
        Confidence level of intervals, 0 to 1.
    paired : bool, optional
        Whether run i of both selectors used the same resample.
    n_runs : int, optional
        Number of runs.
    n_units : int, optional
        Number of units that the jackknife leaves out one at a time, for the selector with fewer units. Each run is a unit, unless
        runs belong together.
    reason : str, optional
        Reason for no value.

    Examples
    --------
    >>> comparison = sc.compare(Z, Z[::-1])
    >>> comparison.difference
    0.0
    """

    measure: str
    difference: float
    low: float = np.nan
    high: float = np.nan
    se: float = np.nan
    p_value: float = np.nan
    level: float = 0.95
    paired: bool = True
    n_runs: int = 0
    n_units: int = 0
    reason: str = ""

    def __float__(self) -> float:
        return float(self.difference)

    def __repr__(self) -> str:
        p = "" if np.isnan(self.p_value) else ", p < 0.001" if self.p_value < 0.001 else f", p = {self.p_value:.2g}"
        value = format_with_interval(self.difference, self.low, self.high, self.level)
        return f"{self.measure} difference {value}{p}, {self.n_runs} runs" + (f". {self.reason}" if self.reason else "")


@public
def compare(
    first: SelectionsLike,
    second: SelectionsLike,
    measure: MeasureLike = "nogueira",
    *,
    similarity: Similarity | None = None,
    level: float = 0.95,
    paired: bool = True,
    interval: str = "jackknife",
    **options: Any,
) -> Comparison:
    """Difference of a measure between two selectors, with its interval and p-value by the jackknife.

    Runs share rows, so the test is valid for new resamples of this table, not for new patients.

    Parameters
    ----------
    first, second : Selections, array, DataFrame or list
        Selections, as of sc.stability.
    measure, similarity, level, options : optional
        As of sc.stability.
    paired : bool, optional
        Whether run i of both was made on the same resample, as in a study. Run i of both is then left out together, because the
        resample affects both. se² = (G−1)/G Σ(δ₍g₎ − δ₍·₎)² over the G units (runs, unless some belong together), t with G − 1
        degrees of freedom. Not paired: both variances added, degrees of freedom by Welch and Satterthwaite. Few runs of a selector
        may deviate from what its others select (see inference.deviating_runs). Then the interval is at least as wide as the two
        intervals together (Zou & Donner 2008). Below, it reaches √(to the low end of the first² + to the high end of the second²),
        and above, the other way round, and so does an unpaired difference of effective stability, which is skewed. Without any
        variance there is neither interval nor p-value.
    interval : str, optional
        "published" for the test of two independent selectors as published, where there is one (nogueira) and not paired.

    Raises
    ------
    InputError
        If paired runs differ in number or in their units, or if the features differ.

    References
    ----------
    Source: Nogueira, Sechidis & Brown, JMLR 2018 (the published test). Welch 1947, Biometrika 34:28-35. Zou & Donner 2008,
    Statistics in Medicine 27:1693-1702. The jackknife of the paired difference is ours.

    Examples
    --------
    >>> sc.compare(result.selections("mim"), result.selections("random_forest"))
    nogueira difference 0.05 (95% CI −0.12 to 0.22), p = 0.53, 8 runs
    """
    sides = [ComparisonSide(Selections.of(runs), measure, similarity, level, options) for runs in (first, second)]
    return compare_sides(*sides, paired=paired, interval=interval)


@dataclass(frozen=True, eq=False)
class ComparisonSide:
    """One side of a comparison, with values that are computed once for all comparisons."""

    runs: Selections
    measure: MeasureLike
    similarity: Similarity | None = None
    level: float = 0.95
    options: dict[str, Any] = field(default_factory=dict)

    @cached_property
    def definition(self):
        """The entry of the measure."""
        return entry(self.measure)

    @cached_property
    def terms(self):
        """The parts of the measure for these runs."""
        return measure_terms(self.runs, self.definition, self.similarity, self.options)

    @cached_property
    def value(self):
        """The measure of all runs."""
        return self.terms.value()

    @cached_property
    def left_out(self):
        """(G,) The measure without each unit in turn."""
        return self.terms.leave_one_out_values()

    @cached_property
    def spread(self):
        """(below, above) distances of the limits of the interval from the value."""
        return limit_distances(self.runs, self.terms, self.definition, self.similarity, self.options, self.level)


def compare_sides(side: ComparisonSide, other: ComparisonSide, *, paired: bool = True, interval: str = "jackknife") -> Comparison:
    """The result of `compare` for two sides with the same measure, similarity, level and options."""
    first, second, definition, level = side.runs, other.runs, side.definition, side.level
    refuse_incomparable(first, second, paired, definition, interval)
    difference = side.value - other.value
    n_runs, n_units = min(first.n_runs, second.n_runs), min(first.n_units, second.n_units)

    def comparison(**numbers):
        return Comparison(definition.key, difference, level=level, paired=paired, n_runs=n_runs, n_units=n_units, **numbers)

    if not np.isfinite(difference):
        return comparison(reason=next(part.terms.reason for part in (side, other) if not np.isfinite(part.value)))
    if interval == "published":
        variance, freedom, spread = sum(definition.published_variance(runs) for runs in (first, second)), None, []
    else:
        variance, freedom = variance_of_difference([side.left_out, other.left_out], paired)
        spread = [side.spread, other.spread]
    if not np.isfinite(variance) or n_runs < 3:
        return comparison(reason=too_few_reason(min((first, second), key=lambda runs: runs.n_units)))
    if variance < TOLERANCE**2 and interval != "published" and not any(extent.note for extent in spread):
        return comparison(reason=NEVER_DIFFER if all(side.lower_only for side in spread) else NO_VARIATION)
    half = critical_value(level, freedom) * float(np.sqrt(variance + sum(part.terms.chance_error**2 for part in (side, other))))
    below, above = _widened_limits(half, spread)
    se = max(below, above) / critical_value(level, freedom)
    if definition.uses_similar_overlaps and not paired:  # both sides of skewed values, see estimate.skewed_lower_distance
        first_below, second_below = (extent.lowest for extent in spread)
        first_above, second_above = (np.nan_to_num(extent.above) for extent in spread)
        below, above = max(below, np.hypot(first_below, second_above)), max(above, np.hypot(first_above, second_below))
    return comparison(
        low=difference - below,
        high=difference + above,
        se=se,
        p_value=p_value_from_limit(difference, below if difference > 0 else above, level, freedom),
    )


def compare_beyond_floors(comparison: Comparison, first: ArrayLike, second: ArrayLike) -> Comparison:
    """The comparison of two values beyond their noise floors: (Φ_A − Φ₀_A) − (Φ_B − Φ₀_B).

    first, second: (S,) the values of both for the same shuffles of the outcome. The variance of the mean of their differences is
    added to that of the comparison. The degrees of freedom are the smaller ones. Below two shuffles there is no interval.
    Source: the distances of two intervals from their values, squared and added: Zou & Donner 2008, Statistics in Medicine
    27:1693-1702.
    """
    floors = np.asarray(first, dtype=float) - np.asarray(second, dtype=float)
    n_shuffles = len(floors)
    difference = comparison.difference - (float(floors.mean()) if n_shuffles else np.nan)
    if n_shuffles < 2 or not np.isfinite(difference) or np.isnan(comparison.low):
        reason = comparison.reason or "fewer than two shuffles of the outcome have a value for both"
        return replace(comparison, difference=difference, low=np.nan, high=np.nan, se=np.nan, p_value=np.nan, reason=reason)
    freedom = max(1, min(comparison.n_units, n_shuffles) - 1)
    error = float(floors.std(ddof=1) / np.sqrt(n_shuffles))
    wide = critical_value(comparison.level, n_shuffles - 1) * error
    below, above = (
        float(np.hypot(side, wide)) for side in (comparison.difference - comparison.low, comparison.high - comparison.difference)
    )
    return replace(
        comparison,
        difference=difference,
        low=difference - below,
        high=difference + above,
        se=float(np.hypot(comparison.se, error)),
        p_value=p_value_from_limit(difference, below if difference > 0 else above, comparison.level, freedom),
    )


def refuse_incomparable(first, second, paired, definition, interval):
    """Raise InputError for runs that cannot be compared, or an interval that does not exist."""
    if first.n_features != second.n_features or first.features != second.features:
        raise InputError("The two selectors have different features. A comparison needs the same features.")
    _refuse_other_pairs(first, second, paired)
    refuse_interval(interval, definition)
    if interval == "published" and paired:
        raise InputError("The published test is for selectors without paired runs. Set paired=False, or omit interval=.")


def _refuse_other_pairs(first, second, paired):
    if paired and first.n_runs != second.n_runs:
        raise InputError(
            f"Paired runs must be equal in number. Found {first.n_runs} and {second.n_runs}. Keep the runs that both have, or "
            "set paired=False."
        )
    first_units, second_units = (np.arange(runs.n_runs) if runs.units is None else runs.units for runs in (first, second))
    if paired and not np.array_equal(first_units, second_units):
        raise InputError(
            "Paired runs are left out together, so both selectors need the same units. Give both the same units "
            "(Selections.in_units), or set paired=False."
        )


def variance_of_difference(left_out, paired):
    """(variance, degrees of freedom) of the difference of two values by the jackknife. left_out: both without each unit in turn."""
    if paired:
        return float(jackknife_variance(left_out[0] - left_out[1])), len(left_out[0]) - 1
    parts = np.array([jackknife_variance(part) for part in left_out])
    if not parts.sum() > 0:
        return float(parts.sum()), None
    return float(parts.sum()), float(parts.sum() ** 2 / sum(part**2 / (len(left) - 1) for part, left in zip(parts, left_out)))


def _widened_limits(half, spread):
    """(below, above) of a difference: half, and at least the allowance of both intervals if few runs deviate."""
    if not any(extent_.note or extent_.lower_only for extent_ in spread):
        return half, half
    (first_below, first_above), (second_below, second_above) = (
        (extent.below, 0 if extent.lower_only else extent.above) for extent in spread
    )
    return max(half, float(np.hypot(first_below, second_above))), max(half, float(np.hypot(first_above, second_below)))


def p_value_from_limit(difference, distance_to_limit, level, freedom):
    """Two-sided p-value of no difference when the interval reaches `distance_to_limit` from the difference towards 0."""
    if not distance_to_limit > 0:
        return 0.0 if abs(difference) > TOLERANCE else 1.0
    distance = abs(difference) * critical_value(level, freedom) / distance_to_limit
    if freedom is None:
        from scipy.special import ndtr

        return float(2 * ndtr(-distance))
    from scipy.special import stdtr

    return float(2 * stdtr(freedom, -distance))


def compare_sizes(first: Selections, second: Selections, *, level: float = 0.95, paired: bool = True) -> Comparison:
    """Difference of the mean numbers of features, first − second, by the jackknife of the means as in `compare`.

    Sizes that never vary were requested. Their difference is known, its interval has width 0, and p is 0 (1 if equal).
    Raises InputError if paired runs differ in number or in their units.
    """
    _refuse_other_pairs(first, second, paired)
    both = [PairStatistic(lambda n, mean: mean, runs.n_runs, runs=(runs.sizes,), units=runs.units) for runs in (first, second)]
    difference, few = both[0].value() - both[1].value(), min((first, second), key=lambda runs: runs.n_units)
    comparison = partial(Comparison, "size", difference, level=level, paired=paired, n_runs=few.n_runs, n_units=few.n_units)
    variance, freedom = variance_of_difference([side.leave_one_out_values() for side in both], paired)
    if not np.isfinite(variance):
        return comparison(reason=too_few_reason(few))
    se = float(np.sqrt(variance))
    half = critical_value(level, freedom) * se
    return comparison(
        low=difference - half, high=difference + half, se=se, p_value=p_value_from_limit(difference, half, level, freedom)
    )


def rank_correlations(frame):
    """DataFrame column × column: Spearman correlation. Columns are ranked once among known values, with ties at mean ranks."""
    return frame.rank().corr()


# ---- changes by another measure or another similarity ----

MIN_UNITS = 5  # smallest number of units: with fewer, 20 of 100 results show a change by chance


@dataclass(frozen=True)
class Shift:
    """after − before of the same runs. Units are left out of both together, so that common effects of a run cancel."""

    before: PairStatistic
    after: PairStatistic

    def value(self):
        """The change over all runs."""
        return self.after.value() - self.before.value()

    def leave_one_out_values(self):
        """(G,) the change without each unit in turn."""
        return self.after.leave_one_out_values() - self.before.leave_one_out_values()

    @property
    def reason(self) -> str:
        """The reason why the change is undefined, because one of the two values is."""
        return next((part.reason for part in (self.after, self.before) if not np.isfinite(part.value())), "")

    @property
    def chance_error(self):
        """The part of the standard error from simulated chance terms."""
        return float(np.hypot(self.before.chance_error, self.after.chance_error))


def measure_change(
    runs: Selections,
    before: MeasureLike = "nogueira",
    after: MeasureLike = "effective",
    *,
    similarity: Similarity | None = None,
    similarity_before: Similarity | None = None,
    level: float = 0.95,
) -> Comparison:
    """Difference of one measure and another on the same runs: after − before, by the jackknife of the difference.

    similarity: C of both. relation_before: C of `before`, if another C is the change.
    Units are left out of both together, as in `compare`. Common effects of a run cancel, including those of unseen runs, so the
    interval needs no extension if few runs deviate. A change that depends on one run has a standard error of the same size.
    Raises InputError as `stability`.
    """
    earlier = similarity if similarity_before is None else similarity_before
    shift = Shift(measure_terms(runs, entry(before), earlier, {}), measure_terms(runs, entry(after), similarity, {}))
    comparison = partial(Comparison, entry(after).key, float(shift.value()), level=level, n_runs=runs.n_runs, n_units=runs.n_units)
    left_out = shift.leave_one_out_values()
    return _change_comparison(comparison, [shift], runs, (float(jackknife_variance(left_out)), len(left_out) - 1), level)


def compare_changes(
    first: Selections,
    second: Selections,
    before: Similarity,
    after: Similarity,
    *,
    measure: MeasureLike = "effective",
    level: float = 0.95,
    paired: bool = True,
) -> Comparison:
    """Difference of two changes: the gain of the first runs minus that of the second, if C is `after` instead of `before`.

    (Φ_after − Φ_before) of the first − the same of the second, by the jackknife. Each unit is left out of all four values
    together. If not paired, it is left out of the two of each selector, and variances are added (Welch-Satterthwaite degrees of
    freedom). It must differ from 0 before a lead that is clear under only one C can be said to depend on C. Raises InputError as
    `compare` does.
    """
    definition = entry(measure)
    refuse_incomparable(first, second, paired, definition, "jackknife")
    both = [
        Shift(measure_terms(runs, definition, before, {}), measure_terms(runs, definition, after, {})) for runs in (first, second)
    ]
    few, difference = min((first, second), key=lambda runs: runs.n_units), float(both[0].value() - both[1].value())
    comparison = partial(Comparison, definition.key, difference, level=level, paired=paired, n_runs=few.n_runs, n_units=few.n_units)
    return _change_comparison(
        comparison, both, few, variance_of_difference([side.leave_one_out_values() for side in both], paired), level
    )


def _change_comparison(comparison, shifts, few, spread, level):
    """The Comparison of one change, or of two. comparison: without its uncertainty. spread: (variance, degrees of freedom)."""
    if reason := next((shift.reason for shift in shifts if shift.reason), ""):
        return comparison(reason=reason)
    variance, freedom = spread
    if not np.isfinite(variance):
        return comparison(reason=too_few_reason(few))
    if few.n_units < MIN_UNITS:
        needs = f"the uncertainty of a change needs at least {MIN_UNITS} independent runs"
        return comparison(reason=f"{needs}. There are {few.n_units}")
    if variance < TOLERANCE**2:
        return comparison(reason=NO_VARIATION)
    half = critical_value(level, freedom) * float(np.sqrt(variance + sum(moved.chance_error**2 for moved in shifts)))
    difference = comparison().difference
    return comparison(
        low=difference - half,
        high=difference + half,
        se=half / critical_value(level, freedom),
        p_value=p_value_from_limit(difference, half, level, freedom),
    )


# ---- the sign-flip test ----

MAX_SUMS = 2**16  # largest number of sums to list, beyond which their tail is approximated
SUM_DECIMALS = 9  # decimals of stored sums, so that equal ones coincide
SUM_TOLERANCE = 1e-6  # tolerance of equal sums for sizes up to 1, because roundings add up


def sign_flip_p_value(differences) -> float:
    """Two-sided p-value of differences (n,), one per unit (row, patient, study): P(|Σ ±d| ≥ |Σ d|) with random signs.

    Division by the standard error would change nothing, because Σd² is the same under every flip. So this is the studentised test,
    which holds its level for a mean of 0 and any shape from some dozens of units on. With differences −1, 0 and 1 it is McNemar's
    exact test. It is exact if the sums can be listed (any 15 units, or any number with few different sizes). Otherwise it uses the
    saddlepoint approximation, which is within 5% for p ≥ 0.01 and within 15% for smaller p. NaN without units, 1 if all
    differences are 0.
    Source: Fisher 1935, The Design of Experiments, .21, and Robinson 1982, JRSS B 44:91-101 (saddlepoint).
    """
    differences = np.asarray(differences, dtype=float)
    if not len(differences):
        return np.nan
    largest = np.abs(differences).max()
    if largest == 0:
        return 1.0
    sizes, reached = np.abs(differences[differences != 0]) / largest, abs(differences.sum()) / largest
    sums = _signed_sums(sizes)
    if sums is None:
        return _tail_probability(sizes, reached)
    return float(min(1.0, sums[1][np.abs(sums[0]) >= reached - SUM_TOLERANCE].sum()))


def _signed_sums(sizes):
    """(sums, probability of each) of Σ ±size, equal sizes merged. None if there are too many sums to list."""
    from scipy.special import gammaln

    sums: np.ndarray = np.zeros(1)
    chance: np.ndarray = np.ones(1)
    for size, count in zip(*np.unique(sizes.round(SUM_DECIMALS), return_counts=True), strict=True):
        if len(sums) * (count + 1) > MAX_SUMS:
            return None
        plus = np.arange(count + 1)
        binomial = np.exp(gammaln(count + 1) - gammaln(plus + 1) - gammaln(count - plus + 1) - count * np.log(2))
        both = (sums[:, None] + size * (2 * plus - count)).round(SUM_DECIMALS)
        sums, place = np.unique(both.ravel(), return_inverse=True)
        chance = np.bincount(place, np.outer(chance, binomial).ravel())
    return sums, chance


def _tail_probability(sizes, reached) -> float:
    """2 P(Σ ±size ≥ reached) by the saddlepoint of Σ log cosh(t size): Lugannani and Rice's formula."""
    normal, spread = NormalDist(), np.sqrt((sizes**2).sum())
    if reached > sizes.sum() - SUM_TOLERANCE:  # all on one side, so no sum is larger
        return float(2.0 ** (1 - len(sizes)))
    if reached < 0.01 * spread:  # the formula is 0/0 at 0, where the normal is exact
        return 2 * normal.cdf(-reached / spread)
    from scipy.optimize import brentq

    def short(t):
        return (sizes * np.tanh(t * sizes)).sum() - reached

    high = 1.0
    while short(high) < 0:
        high *= 2
    t = brentq(short, 0, high)
    generating = (np.logaddexp(t * sizes, -t * sizes) - np.log(2)).sum()
    curvature = (sizes**2 / np.cosh(t * sizes) ** 2).sum()
    w, v = np.sqrt(2 * (t * reached - generating)), t * np.sqrt(curvature)
    return float(2 * (normal.cdf(-w) + normal.pdf(w) * (1 / v - 1 / w)))
