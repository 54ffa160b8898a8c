"""Two selectors compared on the same resamples: the difference of their stabilities, with its uncertainty."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from stabcore.errors import InputError
from stabcore.inference import deviate, terms_of
from stabcore.measures.catalog import entry

NOTHING = 1e-12         # differences and standard errors up to this are rounding


@dataclass(frozen=True)
class Comparison:
    """How much more stable the first runs are than the second.

    difference  first − second; NaN when one of them is undefined, and then `reason` says why
    low, high   confidence interval at `level`
    p_value     of no difference, two-sided
    paired      whether the runs of both rest on the same resamples, one by one
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
    reason: str = ""


def _published(key, difference, variances, level, n_runs) -> Comparison:
    """The test of two independent selectors as published: T = (Φ_A − Φ_B)/√(v_A + v_B), normal, two-sided.

    Source: Nogueira, Sechidis & Brown 2018.
    """
    se = float(np.sqrt(sum(variances)))
    half = deviate(level) * se
    p_value = 2 * NormalDist().cdf(-abs(difference) / se) if se > 0 else float(abs(difference) < 1e-12)
    return Comparison(key, difference, difference - half, difference + half, se, p_value, level, False, n_runs)


def compare(first, second, measure="nogueira", *, relation=None, level=0.95, paired=True, **options) -> Comparison:
    """Difference of a measure between two selectors, with its interval and p-value by the jackknife.

    paired: run i of both was made on the same resample (a study's selectors are); leaving out run i of both together keeps what
    the resample does to both, which an independent test throws away. se² = (M−1)/M Σ(δ₍ᵢ₎ − δ₍·₎)², t with M − 1 degrees of
    freedom. Not paired: both variances added; for nogueira the published test. Runs that share their rows are alike beyond
    that: the test speaks of the resampling, not of new patients.
    Raises InputError when paired runs differ in number, or the features differ.
    """
    from scipy.special import stdtr

    one = entry(measure)
    if first.n_features != second.n_features or first.features != second.features:
        raise InputError("The two selectors are about different features; only the same features can be compared.")
    if paired and first.n_runs != second.n_runs:
        raise InputError(f"Paired runs come in pairs; found {first.n_runs} and {second.n_runs}. Keep the runs that both have, or "
                         "ask for paired=False.")
    terms = [terms_of(runs, one, relation, options) for runs in (first, second)]
    difference = terms[0].value() - terms[1].value()
    n_runs = min(first.n_runs, second.n_runs)
    if not np.isfinite(difference):
        reason = next(part.reason for part in terms if not np.isfinite(part.value()))
        return Comparison(one.key, np.nan, level=level, paired=paired, n_runs=n_runs, reason=reason)
    if one.published_variance and not paired:
        return _published(one.key, difference, [one.published_variance(runs) for runs in (first, second)], level, n_runs)
    left_out = [part.leaving_one_out() for part in terms]
    parts = [left_out[0] - left_out[1]] if paired else left_out
    variance = sum((len(part) - 1) / len(part) * ((part - part.mean()) ** 2).sum() for part in parts)
    se = float(np.sqrt(variance + sum(part.chance_error ** 2 for part in terms)))
    if not np.isfinite(se) or n_runs < 3:
        return Comparison(one.key, difference, level=level, paired=paired, n_runs=n_runs,
                          reason="an interval needs at least 3 runs, and a value without each")
    if se < NOTHING < abs(difference):        # with few runs a coincidence: three runs of equal overlaps are enough
        return Comparison(one.key, difference, level=level, paired=paired, n_runs=n_runs,
                          reason="whichever run is left out the difference is the same, so how much it varies cannot be told")
    half = deviate(level, n_runs - 1) * se
    p_value = float(2 * stdtr(n_runs - 1, -abs(difference) / se)) if se > 0 else 1.0
    return Comparison(one.key, difference, difference - half, difference + half, se, p_value, level, paired, n_runs)


def compare_sizes(first, second, *, level=0.95, paired=True) -> Comparison:
    """How many more features the first runs select than the second, on average: Student's t over the runs.

    Paired runs: of their differences; else Welch's, with the fewer runs' degrees of freedom. Sizes that never vary were asked for:
    their difference is known, its interval has no width and p is 0 (1 when they are the same).
    Raises InputError when paired runs differ in number.
    """
    if paired and first.n_runs != second.n_runs:
        raise InputError(f"Paired runs come in pairs; found {first.n_runs} and {second.n_runs}.")
    parts = [first.sizes - second.sizes] if paired else [first.sizes, second.sizes]
    difference, n_runs = float(first.sizes.mean() - second.sizes.mean()), min(first.n_runs, second.n_runs)
    if n_runs < 3:
        return Comparison("size", difference, level=level, paired=paired, n_runs=n_runs, reason="an interval needs at least 3 runs")
    from scipy.special import stdtr

    se = float(np.sqrt(sum(part.var(ddof=1) / len(part) for part in parts)))
    half = deviate(level, n_runs - 1) * se
    p_value = float(2 * stdtr(n_runs - 1, -abs(difference) / se)) if se > 0 else float(difference == 0)
    return Comparison("size", difference, difference - half, difference + half, se, p_value, level, paired, n_runs)


def holm(p):
    """Holm's step-down correction; NaN stays NaN and is not counted."""
    order = np.argsort(p)
    known = np.count_nonzero(~np.isnan(p))
    stepped = np.maximum.accumulate(p[order][:known] * (known - np.arange(known)))
    result = np.full(len(p), np.nan)
    result[order[:known]] = np.minimum(stepped, 1)
    return result


def rank_correlations(frame):
    """DataFrame column × column: Spearman correlation; columns ranked once, among their known values, ties sharing places."""
    return frame.rank().corr()
