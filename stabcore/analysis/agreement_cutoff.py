"""Agreement cutoffs: the number of features up to which rankings agree more than by chance."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import NormalDist
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from stabcore.analysis.runs_asked import is_single_selector, runs_by_selector
from stabcore.analysis.stability_profile import profile_terms, shared_with_others
from stabcore.base.errors import InputError
from stabcore.base.public import public
from stabcore.base.tables import PlainFields
from stabcore.inference.estimate import critical_value, jackknife_error
from stabcore.measures.effective import ChanceVariance
from stabcore.measures.statistic import PairStatistic, ratio, sums_inside_units
from stabcore.selections.model_paths import sizes_at
from stabcore.selections.selections import Selections

if TYPE_CHECKING:
    from stabcore.similarity.similarity import Similarity
    from stabcore.study.results import RunsLike

MIN_RANKED, MIN_RUNS = 8, 5  # smallest numbers of ranked features for a curve, and of runs to exclude chance
STEEP_SLOPE = 0.5  # smallest share of features just before a cutoff that agree beyond chance: below it, agreement fades
STILL_AGREE = "the features ranked next still agree more than by chance"
DRAWS = 200  # multipliers for the critical value of the whole curve


@public
@dataclass(frozen=True, eq=False)
class AgreementCutoff(PlainFields):
    """The number of features k at which the overlap of two runs exceeds chance most, NaN with a `reason` if it is not a cutoff.

    Parameters
    ----------
    k : float
        Number of features up to which the rankings agree.
    low, high : float
        Range of the numbers of features that are not distinguishable from the best one, also if agreement fades without a cutoff.
    shared : float
        Overlap beyond chance at k, or at the best number of features.
    reason : str, optional
        Reason for no value.

    Examples
    --------
    >>> sc.agreement_cutoff(sc.Selections.from_scores(np.random.default_rng(0).normal(size=(20, 30)))).k
    nan
    """

    k: float
    low: float
    high: float
    shared: float
    reason: str = ""


@public
def agreement_cutoff(
    runs: Selections, *, similarity: Similarity | None = None, level: float = 0.95, random_state: int = 0
) -> AgreementCutoff:
    """Return the agreement cutoff: the k that maximises g(k) = mean |V_i ∩ V_j| − k²/d over pairs of runs.

    Features at the head that all runs rank first raise g with every step, and random ones lower it. So g peaks where the next
    features agree by chance only, whatever the number of runs. With a similarity C, g is tr(CΣ⁰) − tr(CS), the same for C = I. low,
    high: every k whose g is not below the peak by more than its standard error (jackknife over runs) times a critical value for the
    whole curve (Gaussian multipliers). A cutoff needs a rise of half a feature per step just before it (the last quarter), and high
    of at most twice low. In simulations (tests/benchmarks/bench_agreement_cutoff.py) the interval covered the end of
    heads, and the peak of fading curves, in 98 to 100% of studies with 5 to 200 runs. No cutoff was claimed without signal or with
    fading agreement. Runs that share rows agree on noise too (see `noise_floor`), so with few rows left out there is mostly none.

    Parameters
    ----------
    runs : Selections
        Selections of one selector.
    similarity : Similarity, optional
        Feature similarity C, for measures that need it.
    level : float, optional
        Confidence level of the interval, 0 to 1.
    random_state : int, optional
        Seed of the multipliers.

    Raises
    ------
    InputError
        For runs without a ranking, or too few runs.

    References
    ----------
    Source: Kalousis, Prados & Hilario 2005, section 4.1, for the question. The estimate is ours.

    Examples
    --------
    >>> sc.agreement_cutoff(runs).reason
    'agreement fades without a cutoff'
    """
    runs = Selections.of(runs)
    ranks = _ranks(runs)
    ks, beyond, pseudo = _shared_beyond_chance(runs, similarity)
    best = int(beyond.argmax())
    shared = float(beyond[best])
    surely = beyond - _band_half_width(pseudo, level, random_state) * _standard_errors(pseudo)
    if surely.max() <= 0:
        reason = f"with {len(ranks)} runs no agreement beyond chance is found at any number of features"
        return AgreementCutoff(np.nan, np.nan, np.nan, shared, reason)
    below = pseudo[:, [best]] - pseudo
    level_with_best = ks[beyond[best] - beyond <= _band_half_width(below, level, random_state) * _standard_errors(below) + 1e-9]
    low, high = int(level_with_best[0]), int(level_with_best[-1])
    back = min(max(2, round(ks[best] / 4)), best)
    steep = best > 0 and beyond[best] - beyond[best - back] >= STEEP_SLOPE * back
    if high == ks[-1]:
        return AgreementCutoff(np.nan, low, high, shared, STILL_AGREE)
    if not steep:
        return AgreementCutoff(np.nan, low, high, shared, "agreement fades without a cutoff")
    if high > 2 * low:
        return AgreementCutoff(np.nan, low, high, shared, f"{len(ranks)} runs do not determine the cutoff")
    return AgreementCutoff(int(ks[best]), low, high, shared)


@public
def agreement_cutoffs(
    runs: RunsLike, *, similarity: Similarity | None = None, level: float = 0.95, random_state: int = 0
) -> pd.DataFrame:
    """DataFrame(selector, k, low, high, shared, reason): the agreement cutoff of every selector, see `agreement_cutoff`.

    k: 1 … d, missing with a reason where there is no cutoff. shared: the overlap of two runs there beyond chance, at most k.
    Source: as `agreement_cutoff`.

    Parameters
    ----------
    runs : StudyResult, Results, dict or Selections
        A result, {selector: Selections}, or Selections (then without the column selector).
    similarity, level, random_state : object, optional
        As in `agreement_cutoff`, whose errors become reasons.

    Examples
    --------
    >>> sc.agreement_cutoffs(result)["selector"].tolist()
    ['mim', 'random_forest']
    """
    rows = []
    for label, runs_of_one in runs_by_selector(runs).items():
        try:
            end = agreement_cutoff(runs_of_one, similarity=similarity, level=level, random_state=random_state)
            rows.append((label, end.k, end.low, end.high, end.shared, end.reason))
        except InputError as error:
            rows.append((label, *[np.nan] * 4, str(error).rstrip(".")))
    frame = pd.DataFrame(rows, columns=["selector", "k", "low", "high", "shared", "reason"])
    frame = frame.astype(dict.fromkeys(("k", "low", "high", "shared"), float))
    return frame.drop(columns="selector") if is_single_selector(runs) else frame


def _shared_beyond_chance(runs, similarity):
    """((K,) k, (K,) g(k), (G, K) its jackknife pseudo-values): a profile times its distance from random sets."""
    terms, ks = profile_terms(runs, "nogueira" if similarity is None else "effective", similarity=similarity)
    d, k = runs.n_features, ks.astype(float) if runs.paths is None else sizes_at(runs.paths, ks).mean(axis=0)
    distance = ChanceVariance.of(k, k * k, d).total(0.0 if similarity is None else similarity.total - d)
    value, without = (
        np.where(distance > 1e-12, np.nan_to_num(curve) * distance, 0.0) for curve in (terms.value(), terms.leave_one_out_values())
    )
    return ks, value, len(without) * value - (len(without) - 1) * without


def _standard_errors(pseudo):
    """(K,) standard errors of means of pseudo-values (G, K)."""
    return pseudo.std(axis=0, ddof=1) / np.sqrt(len(pseudo))


def _band_half_width(pseudo, level, seed):
    """Half-width in standard errors of a simultaneous band for a curve of pseudo-values (G, K) at `level`.

    Gaussian multipliers give the quantile of the largest of K deviations, converted to Student's t with G − 1 degrees of freedom.
    """
    n, error = len(pseudo), _standard_errors(pseudo)
    moves = error > 1e-12
    if not moves.any():
        return critical_value(level, n - 1)
    scaled = (pseudo[:, moves] - pseudo[:, moves].mean(axis=0)) / (n * error[moves])
    drawn = np.abs(np.random.default_rng(seed).standard_normal((DRAWS, n)) @ scaled).max(axis=1)
    largest = max(critical_value(level), float(np.quantile(drawn, level)))
    return critical_value(1 - 2 * NormalDist().cdf(-largest), n - 1)


# ---- the features ranked next ----


def marginal_stability(runs, window=None, *, level=0.95):
    """DataFrame(k, value, low, high): stability of the features ranked k + 1 … k + window, given the k before them, for every k.

    (mean overlap − E)/(window − E) over pairs of runs. E = window²·|neither's k best|/(d − k)² is the overlap if each run continued
    at random among its remaining features. 0 is exactly chance, 1 the same features in all runs. window: default √d.
    low, high: jackknife over runs at `level`. The curve ends when fewer than `window` + 1 features are left.
    """
    ranks = _ranks(runs)
    terms, k = _marginal_terms(runs, ranks, _checked_window(ranks, window))
    value, half = terms.value(), critical_value(level, terms.n_units - 1) * jackknife_error(terms)
    return pd.DataFrame({"k": k, "value": value, "low": value - half, "high": value + half})


def marginal_stabilities(runs, window=None):
    """DataFrame(selector, k, value, low, high) of each selector in {label: Selections} whose runs allow it, with attrs["window"].

    The window is the same for all, so that they are comparable. The intervals hold for all selectors jointly (Bonferroni).
    """
    windows = {}
    for label, runs_of_one in runs.items():
        try:
            windows[label] = _checked_window(_ranks(runs_of_one), window)
        except InputError:  # too few runs or features, which `agreement_cutoffs` explains
            continue
    window = min(windows.values(), default=window)
    parts = [marginal_stability(runs[label], window, level=1 - 0.05 / len(runs)).assign(selector=label) for label in windows]
    columns = ["selector", "k", "value", "low", "high"]
    frame = pd.concat(parts, ignore_index=True)[columns] if parts else pd.DataFrame(columns=columns)
    frame.attrs["window"] = window
    return frame


def _ranks(runs):
    ranks = runs.ranking()
    shortest = _min_ranked(ranks)
    if runs.n_units < MIN_RUNS or shortest < MIN_RANKED:
        raise InputError(
            f"An agreement cutoff needs at least {MIN_RUNS} independent runs, or pairs of halves, that each rank {MIN_RANKED} "
            f"features. Found {runs.n_units}. The shortest ranks {shortest}."
        )
    return ranks


def _min_ranked(ranks):
    """Number of features that every run ranks."""
    return int((~np.isnan(ranks)).sum(axis=1).min())


def _checked_window(ranks, window):
    most = _min_ranked(ranks) // 3
    if window is None:
        return min(round(np.sqrt(_min_ranked(ranks))), most)
    if window != int(window) or not 1 <= window <= most:
        raise InputError(
            f"The window must be a whole number from 1 to {most}, a third of the features ranked by all runs. Found {window}."
        )
    return int(window)


def marginal_terms(runs, window):
    """(Terms of the marginal stability at each k, (K,) k = 0, 1, …) of some runs. Raises InputError if they rank too few."""
    ranks = runs.ranking()
    if _min_ranked(ranks) <= window:
        raise InputError(f"Some of these runs rank {window} features or fewer.")
    return _marginal_terms(runs, ranks, window)


def _marginal_terms(runs, ranks, window):
    d, units = ranks.shape[1], runs.units
    k = np.arange(min(_min_ranked(ranks) - window, d - window - 1) + 1)
    order = np.argsort(ranks, axis=1, kind="stable")  # NaN last

    def shared(some):
        counts = np.empty((np.count_nonzero(some), len(k)))
        for start in k:
            now = order[some, start : start + window]
            counts[:, start] = np.bincount(now.ravel(), minlength=d)[now].sum(axis=1)
        return counts - window

    def expected(some):
        n = np.count_nonzero(some)
        above = np.hstack([np.zeros((n, 1)), *([shared_with_others(ranks[some], k[1:])] if len(k) > 1 else [])])
        left = (n - 1.0) * (d - 2 * k) + above  # features outside the k best of both runs
        return left * window**2 / (d - k) ** 2

    every = np.ones(len(ranks), dtype=bool)
    inside = tuple(part for amount in (shared, expected) for part in sums_inside_units(units, len(k), amount))

    def beyond_chance(n, found, by_chance):
        return ratio(found - by_chance, window - by_chance, scale=window)

    terms = PairStatistic(beyond_chance, len(ranks), pairs=(shared(every), expected(every)), units=units, inside=inside)
    return (terms.within_units() if runs.within_units else terms), k
