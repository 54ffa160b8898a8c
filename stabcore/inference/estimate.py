"""Estimate: a stability value with its uncertainty, and the reason if it is missing.

Runs drawn from one dataset overlap, so intervals describe the resampling, not new patients.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from statistics import NormalDist
from typing import TYPE_CHECKING, Protocol, overload

import numpy as np

from stabcore.base.errors import InputError
from stabcore.base.public import public
from stabcore.base.tables import PlainFields
from stabcore.base.text import format_with_interval
from stabcore.base.validation import is_between
from stabcore.inference.deviating_runs import deviating_runs
from stabcore.measures.catalog import BY_KEY, ENTRIES, entries, entry, is_single_measure
from stabcore.selections.selections import Selections
from stabcore.similarity.similarity import Similarity

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    import pandas as pd
    from numpy.typing import ArrayLike

    from stabcore.measures.entry import MeasureLike
    from stabcore.selections.selections import SelectionsLike

RUNS_FOR_PUBLISHED_INTERVAL = (
    50  # runs: with fewer, the published interval of nogueira is too narrow, but the jackknife interval is not
)
MIN_UNITS = 3  # smallest number of units for an interval
TOLERANCE = 1e-9  # a standard error below is 0 up to rounding


@public
@dataclass(frozen=True, eq=False, repr=False)
class Estimate(PlainFields):
    """One stability value with its uncertainty.

    low, high are the confidence interval at `level`, cut at the limits of the measure. If both are NaN, there is none, and
    `no_interval` gives the reason. If only high is NaN, the runs never differ, and `low` is a lower limit (see
    stabcore.inference.deviating_runs).

    Two Estimates are equal if their results are, whatever they were computed from.

    Parameters
    ----------
    measure : str
        Key of sc.list_measures(), or a user-defined measure.
    value : float
        Value of the measure. If it is NaN (undefined), `reason` says why.
    low, high : float, optional
        Limits of the confidence interval.
    se : float, optional
        Standard error. If few runs deviate, the one that corresponds to the wider side of the interval.
    level : float, optional
        Confidence level of intervals, 0 to 1.
    method : str, optional
        Source of the interval: "published" (nogueira) or "jackknife" (leaving out one unit at a time).
    n_runs : int, optional
        Number of runs.
    n_units : int, optional
        Number of units that the jackknife leaves out one at a time. Each run is a unit, unless runs belong together.
    chance_error : float, optional
        Part of se due to a chance term that was drawn at random, 0 if chance is exact.
    reason : str, optional
        Reason for no value.
    no_interval : str, optional
        Reason for no interval or a lower limit only, "" otherwise.
    warnings : tuple, optional
        Warnings for readers of the value.
    similarity : str, optional
        The similarity C that the measure read, in words. "" where it reads none.
    options : dict, optional
        Options of the measure, as given.
    k : int, optional
        As if every run had selected its k best features. None: as the runs select.

    Examples
    --------
    >>> estimate = sc.stability(Z)
    >>> round(estimate.value, 2), estimate.n_runs
    (0.33, 3)
    """

    measure: str
    value: float
    low: float = np.nan
    high: float = np.nan
    se: float = np.nan
    level: float = 0.95
    method: str = ""
    n_runs: int = 0
    n_units: int = 0
    chance_error: float = 0.0
    reason: str = ""
    no_interval: str = ""
    warnings: tuple[str, ...] = ()
    similarity: str = field(default="", compare=False)
    options: dict = field(default_factory=dict, compare=False)
    k: int | None = field(default=None, compare=False)

    def p_value(self, value: float) -> float:
        """One-sided p-value of H₀: stability ≤ value, normal with the published variance, Student's t with the jackknife.

        Parameters
        ----------
        value : float
            Stability to compare with.

        Examples
        --------
        >>> round(sc.stability(runs).p_value(0.1), 3) < 0.05
        True
        """
        if not self.se > 0:
            return np.nan
        below, definition = self.value - value, BY_KEY.get(self.measure)
        if below > 0 and definition is not None and definition.uses_similar_overlaps:  # as skewed_lower_distance
            apart = max(1 - self.value, TOLERANCE)
            below = max(apart * np.log1p(below / apart), below / MAX_SKEW_FACTOR)
        distance = -below / self.se
        if self.method == "published":
            return NormalDist().cdf(distance)
        from scipy.special import stdtr

        return float(stdtr(self.n_units - 1, distance))

    def __float__(self) -> float:
        return float(self.value)

    def __format__(self, style: str) -> str:
        return format(float(self), style) if style else str(self)

    def __round__(self, digits: int | None = None) -> float:
        return round(float(self), digits)

    def __repr__(self) -> str:
        if self.reason:
            return f"{self.measure} undefined: {self.reason}"
        return f"{self.measure} {format_with_interval(self.value, self.low, self.high, self.level)}, {self.n_runs} runs"

    def _repr_html_(self) -> str:
        from html import escape

        return f"<p>{escape(repr(self))}</p>"

    def to_frame(self) -> pd.DataFrame:
        """One row: the columns of `stability` of several selectors, without the selector.

        Examples
        --------
        >>> list(sc.stability(Z).to_frame())
        ['measure', 'value', 'low', 'high', 'se', 'runs', 'note']
        """
        import pandas as pd

        return pd.DataFrame([estimate_row(self)])


@overload
def stability(
    selections: Mapping[str, SelectionsLike] | SeveralSelectors,
    measure: MeasureLike | Iterable[MeasureLike] = ...,
    *,
    similarity: Similarity | None = ...,
    level: float = ...,
    interval: str | None = ...,
    names: Iterable[str] | None = ...,
    n_features: int | None = ...,
    **options: Any,
) -> pd.DataFrame: ...


@overload
def stability(
    selections: SelectionsLike,
    measure: MeasureLike = ...,
    *,
    similarity: Similarity | None = ...,
    level: float = ...,
    interval: str | None = ...,
    names: Iterable[str] | None = ...,
    n_features: int | None = ...,
    **options: Any,
) -> Estimate: ...


@overload  # a text is also a list of texts, but it is one key here
def stability(
    selections: SelectionsLike,
    measure: Iterable[MeasureLike],
    *,
    similarity: Similarity | None = ...,
    level: float = ...,
    interval: str | None = ...,
    names: Iterable[str] | None = ...,
    n_features: int | None = ...,
    **options: Any,
) -> dict[str, Estimate]: ...


@public
def stability(
    selections: SelectionsLike | Mapping[str, SelectionsLike] | SeveralSelectors,
    measure: MeasureLike | Iterable[MeasureLike] = "nogueira",
    *,
    similarity: Similarity | None = None,
    level: float = 0.95,
    interval: str | None = None,
    names: Iterable[str] | None = None,
    n_features: int | None = None,
    **options: Any,
) -> Estimate | dict[str, Estimate] | pd.DataFrame:
    """Stability of the selections of runs, with its uncertainty.

    Parameters
    ----------
    selections : array (M, d), DataFrame, list of lists or sets, Selections, dict or result
        A 0/1 matrix with one row per run, or the names that each run selected (with `n_features` or `names`). See Selections.of.
        A dict {selector: selections} or a result of a study gives a DataFrame.
    measure : str, function or list
        A key of `sc.list_measures()`, a user-defined measure (see stabcore.measures), or a list of these.
    similarity : Similarity, optional
        The similarity of features, for measures that need it.
    level : float
        The confidence level of the interval, 0 to 1.
    interval : {"published", "jackknife"}, optional
        "published" is the default of nogueira with at least 50 independent runs, "jackknife" in all other cases. An explicitly
        requested published interval is as published. Otherwise the interval accounts for few deviating runs (see
        inference.deviating_runs).
    names, n_features : optional
        All d names, or their number, for lists and arrays without names.
    options : object
        Options of the measure, such as `undefined=` or `ties=`.

    Returns
    -------
    Estimate
        For one measure. A list of measures gives {measure: Estimate}. A dict or a result gives a DataFrame with one row per
        selector and measure: selector, measure, value, low, high, se, runs, note.

    Raises
    ------
    InputError
        For invalid selections, an unknown measure, a missing similarity, or unsuitable input. In a list or a DataFrame, the note
        of such a measure gives the reason, and the other measures are computed.

    References
    ----------
    Source: see sc.list_measures() for each measure. Published interval: Nogueira, Sechidis & Brown, JMLR 2018. Few deviating runs:
    Clopper & Pearson 1934, Biometrika 26:404-413.

    Examples
    --------
    >>> import stabcore as sc
    >>> sc.stability([[1, 1, 0, 0], [1, 1, 0, 0], [1, 0, 1, 0]])
    nogueira 0.33 (95% CI −1.00 to 1.00), 3 runs
    """
    source: Any = selections
    if hasattr(source, "finished_selectors"):
        return source.stability(measure, similarity, level=level, interval=interval, **options)
    critical_value(level)  # refuses a wrong one at once, not measure by measure
    similarity = None if similarity is None else Similarity.of(similarity)
    if isinstance(selections, Mapping):
        if not selections:
            raise InputError("There are no selections: the dict is empty.")
        measures = [measure] if is_single_measure(measure) else list(measure)
        asked: Any = partial(stability, measure=measures, similarity=similarity, level=level, interval=interval, **options)
        return estimate_table({label: Selections.of(runs, names, n_features) for label, runs in selections.items()}, asked)
    selections = Selections.of(source, names, n_features)
    if is_single_measure(measure):
        return _estimate(selections, entry(measure), similarity, level, interval, options)
    return _estimates(selections, entries(measure), similarity, level, interval, options)


class SeveralSelectors(Protocol):
    """A result with the selections of several selectors, such as sc.Results or the result of a study."""

    @property
    def finished_selectors(self) -> list[str]:
        """Labels of the selectors with at least two finished runs."""

    def stability(self, *asked: Any, **options: Any) -> pd.DataFrame:
        """DataFrame with one row per selector and measure."""


def estimate_row(estimate: Estimate) -> dict[str, Any]:
    """An Estimate as a row of a table."""
    numbers = {name: getattr(estimate, name) for name in ("measure", "value", "low", "high", "se")}
    return numbers | {"runs": estimate.n_runs, "note": estimate.reason or " ".join(estimate.warnings)}


COLUMNS = ("selector", "measure", "value", "low", "high", "se", "runs", "note")


def estimate_table(runs_of: Mapping[str, Selections], compute: Callable[[Selections], dict[str, Estimate]]) -> pd.DataFrame:
    """DataFrame of COLUMNS: the Estimates from `compute` for the runs of each selector."""
    import pandas as pd

    rows = [{"selector": label} | estimate_row(estimate) for label, runs in runs_of.items() for estimate in compute(runs).values()]
    return pd.DataFrame(rows, columns=list(COLUMNS))


def _estimates(selections, definitions, similarity, level, interval, options):
    """{measure: Estimate}, with the reason in the place of one that these selections do not allow."""
    result = {}
    for definition in definitions:
        try:
            result[definition.key] = _estimate(selections, definition, similarity, level, interval, options)
        except InputError as error:
            result[definition.key] = Estimate(
                definition.key, np.nan, level=level, n_runs=selections.n_runs, reason=str(error), k=selections.k
            )
    return result


def _estimate(selections, definition, similarity, level, interval, options) -> Estimate:
    refuse_interval(interval or "jackknife", definition)
    terms = measure_terms(selections, definition, similarity, options)
    value = terms.value()
    make = partial(
        Estimate,
        definition.key,
        value,
        level=level,
        n_runs=selections.n_runs,
        n_units=selections.n_units,
        chance_error=terms.chance_error,
        similarity=str(similarity) if definition.needs_similarity else "",
        options=dict(options),
        k=selections.k,
    )
    if not np.isfinite(value):
        return make(reason=terms.reason)
    warnings = list(terms.warn(value))
    if terms.skipped:
        warnings.append(f"{terms.skipped} pairs of runs had no value and were left out.")
    if terms.chance_error:
        warnings.append(f"The chance value was simulated, which adds a standard error of {terms.chance_error:.2g}.")
    method = interval or (
        "published"
        if definition.published_variance and selections.n_runs >= RUNS_FOR_PUBLISHED_INTERVAL and selections.units is None
        else "jackknife"
    )
    extent = limit_distances(
        selections, terms, definition, similarity, options, level, method, as_published=interval == "published"
    )
    if extent.reason:
        warning = f"{'Only a lower limit' if extent.lower_only else 'No interval'}: {extent.reason}."
        return make(method=method, low=value - extent.below, no_interval=extent.reason, warnings=(*warnings, warning))
    warnings += [f"{words[0].upper()}{words[1:]}." for words in (extent.note, selections.counted.rstrip(".")) if words]
    (low, _), (_, high) = (definition.interval(value, side, options) for side in (extent.lowest, extent.above))
    return make(low=float(low), high=float(high), se=extent.se, method=method, warnings=tuple(warnings))


@dataclass(frozen=True)
class LimitDistances:
    """Distances of the limits of an interval below and above the value, NaN with a `reason` if missing.

    above     NaN if the runs never differ, when there is only a lower limit
    lowest    that of the lower limit, which is farther than `below` if the value is skewed
    freedom   degrees of freedom, None for normal
    note      for readers, if the interval is wider than the standard error implies
    """

    below: float = np.nan
    above: float = np.nan
    lowest: float = np.nan
    freedom: int | None = None
    level: float = 0.95
    reason: str = ""
    note: str = ""

    @property
    def lower_only(self) -> bool:
        """Whether there is a lower limit without an upper one."""
        return bool(np.isnan(self.above) and not np.isnan(self.below))

    @property
    def se(self) -> float:
        """Standard error that corresponds to the wider side."""
        return float(max(self.below, self.above) / critical_value(self.level, self.freedom))


def limit_distances(
    selections, terms, definition, similarity, options, level, method="jackknife", *, as_published=False
) -> LimitDistances:
    """Distances of the limits of the interval of a measure with these Terms.

    They follow from the standard error, and are larger if few runs deviate from the others. There is only a lower limit if none
    does.
    """
    se = np.sqrt(definition.published_variance(selections)) if method == "published" else jackknife_error(terms)
    if not np.isfinite(se) or selections.n_runs < MIN_UNITS:
        return LimitDistances(reason=too_few_reason(selections))
    freedom = None if method == "published" else selections.n_units - 1
    half = critical_value(level, freedom) * float(np.hypot(se, terms.chance_error))
    if as_published:
        return LimitDistances(half, half, half, freedom, level)
    below, above, deviating = distances_from_error(
        selections,
        terms.value(),
        se,
        half,
        lambda runs: definition.function(runs, similarity, **{**options, **dict(definition.rough)}),
        level,
        by_rank=definition.compares_rankings,
        at_random=None if terms.totals else expected_by_chance(definition, options),
    )
    below, above = float(below), float(above)
    if np.isnan(above):
        return LimitDistances(
            below, above, below, freedom, level, reason=NO_VARIATION if np.isnan(below) else deviating.description()
        )
    lowest = max(below, float(skewed_lower_distance(terms.value(), half))) if definition.uses_similar_overlaps else below
    return LimitDistances(
        below, above, lowest, freedom, level, note=deviating.description() if deviating and max(below, above) > half else ""
    )


def expected_by_chance(definition, options=None):
    """0 for measures (of pairs) whose mean is 0 if the features of one run are random, for any other run.

    None otherwise: if chance is not corrected, or if it is corrected with a similarity over two random sets. A selection of whole
    groups shares less with a random set than two random sets do. shared_information permutes the features of one run.
    """
    beyond = (options or {}).get("corrected", definition.corrected)
    return 0.0 if beyond and ("similarity" not in definition.needs or "importances" in definition.needs) else None


MAX_SKEW_FACTOR = 3  # largest factor by which the lower side of an interval is wider with a similarity


def skewed_lower_distance(value, half):
    """Distance of the lower limit of effective stability from half a symmetric width, numbers or arrays.

    With a similarity C, few runs can have most of the disagreement 1 − Φ, so it is skewed, like a variance. The limit is that of
    log(1 − Φ), at most 3 times as far. With 10 to 50 runs, symmetric intervals covered in 70 to 100% of 72 kinds of simulations,
    and these in 90 to 100% of 69. In the others, it was 84 to 90%: most runs select the same groups, and few other groups.
    """
    distance = np.maximum(1 - value, TOLERANCE)
    return np.minimum(distance * np.expm1(np.minimum(half / distance, 50)), MAX_SKEW_FACTOR * half)


def distances_from_error(selections, value, se, half, value_of, level, **how):
    """(below, above, DeviatingRuns or None): distances of limits from a standard error and half a width, numbers or arrays.

    They are larger if few of the runs deviate from the others. If nothing varies, there is no interval (NaN), never one of width 0.
    If no run deviates by more than the measure can detect, there is only a lower limit. how: see stabcore.inference.deviating_runs.
    """
    below, above, deviating = half, half, deviating_runs(selections, value, value_of, level, **how)
    if deviating is not None:
        below, above = np.fmax(half, value - deviating.low), np.fmax(half, deviating.high - value)
    if deviating is not None and not deviating.deviating:
        return below, np.where(se < TOLERANCE, np.nan, above), deviating
    nothing = below + above < TOLERANCE
    below, above = np.where(nothing, np.nan, below), np.where(nothing, np.nan, above)
    if np.any(nothing):
        copies = value_of(selections.take([0] * selections.n_runs))
        same = nothing & np.isclose(copies, value, rtol=0, atol=TOLERANCE)
        if np.any(same):
            deviating = deviating_runs(selections, value, value_of, level, **how, all_alike=True)
            below = np.where(same, value - deviating.low, below)
    return below, above, deviating


NO_VARIATION = "leaving out any run does not change the value, although runs differ, so its variance is unknown"


def too_few_reason(selections) -> str:
    """The reason why too few runs have no interval."""
    if selections.n_runs < MIN_UNITS or selections.n_units >= MIN_UNITS:
        return f"an interval needs at least {MIN_UNITS} runs, and a value without each"
    return (
        f"an interval needs at least {MIN_UNITS} independent runs, but these {selections.n_runs} count as "
        f"{selections.n_units}, because some were drawn together or learned from the same rows"
    )


def refuse_interval(interval, definition):
    """Raise InputError for an interval that does not exist for this entry."""
    if interval not in ("published", "jackknife") or interval == "published" and not definition.published_variance:
        published = ", ".join(ours.key for ours in ENTRIES if ours.published_variance)
        raise InputError(
            f"Only {published} has a published interval, all others have the jackknife. Found {interval!r} for {definition.key}."
        )


def measure_terms(selections, definition, similarity, options):
    """Terms of a catalogue entry for these runs, after a check of the arguments."""
    refuse_missing_similarity(definition, similarity)
    if similarity is not None:
        Similarity.of(similarity).check_covers(selections)
    if selections.no_importances and definition.needs_importances:
        raise InputError(f"{definition.label}: {selections.no_importances}.")
    unknown = [name for name in options if name not in definition.options]
    if unknown:
        raise InputError(
            f"{definition.key} has no option {unknown[0]!r}. Its options are: {', '.join(definition.options) or 'none'}."
        )
    return definition.function.terms(selections, similarity, **options)


def refuse_missing_similarity(definition, similarity):
    """Raise InputError for an entry that needs C without one."""
    if definition.needs_similarity and similarity is None:
        raise InputError(
            f"{definition.key} needs the similarity of features. Give similarity=, for example "
            "Similarity.from_groups(...) or Similarity.from_correlation(...)."
        )


def refuse_level(level):
    """Raise InputError unless it is the level of an interval."""
    if not is_between(level, 0, 1) or level in (0, 1):
        raise InputError(f"The level of an interval lies between 0 and 1, for example 0.95. Found {level!r}.")


def critical_value(level, freedom=None) -> float:
    """Half-width of an interval in standard errors: normal, or Student's t with degrees of freedom."""
    refuse_level(level)
    if freedom is None:
        return NormalDist().inv_cdf(0.5 + level / 2)
    from scipy.special import stdtrit

    return float(stdtrit(freedom, 0.5 + level / 2))


def jackknife_error(terms):
    """Standard error from leaving out one unit at a time: √((G−1)/G · Σ(φ₍g₎ − φ₍·₎)²), (K,) for a profile. NaN below 3 units.

    Units are runs, unless some belong together. If negatively correlated runs (the halves of a pair, the folds of one
    cross-validation) are left out one by one, it is too large. For copies it is too small.
    """
    error = np.sqrt(jackknife_variance(terms.leave_one_out_values()))
    return float(error) if np.ndim(error) == 0 else error


def jackknife_variance(left_out):
    """(G−1)/G · Σ(φ₍g₎ − φ₍·₎)² of (G,) or (G, K) values without each unit, NaN below 3 units."""
    n = len(left_out)
    if n < MIN_UNITS:
        return np.nan * left_out[0]
    return (n - 1) / n * ((left_out - left_out.mean(axis=0)) ** 2).sum(axis=0)


# ---- from selection frequencies alone ----

NO_RUNS = "frequencies do not show how much single runs differ"


def stability_from_frequencies(shares: ArrayLike, n_runs: int) -> Estimate:
    """The measure nogueira of M runs, from the selection frequencies of d features.

    With the frequencies p, Φ = 1 − M/(M − 1) · Σ_f p_f (1 − p_f) / (k̄ (1 − k̄/d)), where k̄ = Σ_f p_f. The interval of Φ, and
    every other measure, needs the runs. shares: (d,) share of the runs that selected each feature, also of features that no run
    selected. Raises InputError for shares outside 0 … 1, or fewer than two runs.
    Source: Nogueira, Sechidis & Brown 2018, JMLR 18(174).
    """
    p = np.asarray(shares, dtype=float)
    if p.ndim != 1 or not len(p) or not ((p >= 0) & (p <= 1)).all():
        raise InputError("Selection frequencies are one number from 0 to 1 per feature.")
    if n_runs < 2:
        raise InputError(f"Stability compares runs, so at least 2 are needed. Found {n_runs}.")
    size, d = p.sum(), len(p)
    possible = size * (1 - size / d)
    if possible < 1e-12:
        reason = "no run selects a feature" if size < 0.5 else "every run selects every feature"
        return Estimate("nogueira", np.nan, n_runs=n_runs, reason=reason)
    value = 1 - n_runs / (n_runs - 1) * float((p * (1 - p)).sum()) / possible
    return Estimate("nogueira", value, n_runs=n_runs, no_interval=NO_RUNS, warnings=(f"No interval: {NO_RUNS}.",))
