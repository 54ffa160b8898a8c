"""Effective stability at every threshold of |ρ| at once."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import partial
from itertools import combinations
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from stabcore.analysis.runs_asked import is_single_selector, runs_by_selector
from stabcore.base.errors import InputError
from stabcore.base.holm import holm
from stabcore.base.public import public
from stabcore.data.feature_table import TableLike
from stabcore.inference.estimate import (
    critical_value,
    distances_from_error,
    jackknife_error,
    jackknife_variance,
    skewed_lower_distance,
)
from stabcore.inference.noise_floor import shrunken_floors
from stabcore.measures.effective import ChanceVariance, effective_terms, undefined_reasons
from stabcore.measures.statistic import unit_sums
from stabcore.selections.selections import Selections
from stabcore.similarity.correlation import Correlations
from stabcore.similarity.similarity import Similarity, smallest_value_rounding_to
from stabcore.study.results import RunsLike

GRID = np.arange(1001) / 1000
LOOKUP_CELLS = 2**14  # cells of a table that gives the bin of most |ρ| without a search
ALL_PAIRS_SHARE = 0.7  # share of ever-selected features at which all pairs are faster than a selection of pairs
MAX_CACHED_PAIRS = 80_000_000  # largest number of cached bins of pairs, two bytes each


@public
@dataclass(frozen=True, eq=False)
class CorrelationBins:
    """All pairs of features by the thresholds that their |ρ| reaches: shared and cached for the curves of all selectors.

    Parameters
    ----------
    correlations : Correlations
        Correlations of all pairs.
    thresholds : array
        (T,) rising.
    binary : bool
        Whether similar features count fully (1) or by |ρ|.
    amount : array
        (T,) sum over the pairs with |ρ| ≥ threshold of 1 (binary) or of |ρ|.

    Examples
    --------
    >>> bins = sc.whatif.CorrelationBins.of(data)
    >>> len(bins.thresholds)
    1001
    """

    correlations: Correlations
    thresholds: np.ndarray
    binary: bool
    amount: np.ndarray
    _cache: dict = field(default_factory=dict)

    @classmethod
    def of(
        cls, X: TableLike, method: str = "spearman", thresholds: ArrayLike | None = None, binary: bool = True
    ) -> CorrelationBins:
        """From a Dataset, DataFrame or (n, d) array. Every pair is correlated once, in blocks, and only counted.

        Parameters
        ----------
        X : DataFrame, array or Dataset
            Table of features (n, d).
        method : str, optional
            Correlation: 'spearman', 'pearson' or 'kendall'.
        thresholds : array_like, optional
            Thresholds in [0, 1]. By default 0, 0.001, …, 1.
        binary : bool, optional
            Whether similar features count fully (1) or by |ρ|.

        Raises
        ------
        InputError
            For a threshold outside [0, 1], and as Correlations.of does.

        Examples
        --------
        >>> len(sc.whatif.CorrelationBins.of(data, thresholds=[0.3, 0.7]).thresholds)
        2
        """
        grid = GRID if thresholds is None else np.unique(np.asarray(thresholds, dtype=float))
        if not len(grid) or not (grid[0] >= 0 and grid[-1] <= 1):
            raise InputError("Give at least one threshold. Thresholds must be between 0 and 1.")
        bins = cls(Correlations.of(X, method), grid, bool(binary), np.zeros(len(grid)))
        for block in bins.blocks(np.arange(bins.correlations.n_features)):
            bins.amount[:] += bins.at_least(*block[2:])
        return bins

    def blocks(self, index: np.ndarray) -> Iterable[tuple]:
        """Yield (rows, columns, number of thresholds that |ρ| reaches, C at these) of every pair rows < columns of features.

        index: (f,) rising feature numbers. rows, columns: positions in it. Up to a limit, the pairs are cached for the next call
        with some of the same features.
        """
        features, cached = self._cache.get("last", (np.empty(0, dtype=int), ()))
        if len(index) and np.isin(index, features).all():
            return _restricted_blocks(cached, features, index)
        if len(index) ** 2 / 2 > MAX_CACHED_PAIRS / (1 if self.binary else 4):
            return self._counted_blocks(index)
        blocks = list(self._counted_blocks(index))
        self._cache["last"] = index, blocks
        return blocks

    def remembered(self, question: tuple, answer: Callable[[], Any]) -> Any:
        """The result of answer() for a question about these pairs. The last one is kept."""
        last = self._cache.get(question[0])
        if last is None or last[0] != question:
            last = self._cache[question[0]] = question, answer()
        return last[1]

    def at_least(self, reached: np.ndarray, weight: np.ndarray | None) -> np.ndarray:
        """(T,) sum of the weights (None: 1 each) of the pairs that reach each threshold. reached: the bin of each."""
        weight = None if weight is None else np.broadcast_to(weight, reached.shape).ravel()
        sums = np.bincount(reached.ravel(), weights=weight, minlength=len(self.thresholds) + 1)
        return np.cumsum(sums[:0:-1])[::-1]

    def _counted_blocks(self, index):
        lowest = smallest_value_rounding_to(self.thresholds)
        edges = np.arange(LOOKUP_CELLS + 1) / LOOKUP_CELLS
        below = np.searchsorted(lowest, edges, side="right")
        divided = np.append(below[1:] > below[:-1], False)
        for rows, columns, rho in self.correlations.blocks(index):
            cell = (np.maximum(rho, 0) * LOOKUP_CELLS).astype(np.intp)
            reached, search = below[cell].astype(np.uint16 if len(lowest) < 2**16 else np.int64), divided[cell]
            reached[search] = np.searchsorted(lowest, rho[search], side="right")
            yield rows, columns, reached, None if self.binary else np.maximum(rho, 0)


def _restricted_blocks(blocks, features, index):
    """The blocks of `features` with only the pairs of `index`, a subset, and positions in it."""
    place = np.searchsorted(index, features)
    place = np.where(np.append(index, -1)[place] == features, place, -1)
    for rows, columns, reached, weight in blocks:
        i, j = place[rows] >= 0, place[columns] >= 0
        if i.all() and j.all():
            yield place[rows], place[columns], reached, weight
        elif i.any() and j.any():
            pairs = np.ix_(i, j)
            yield place[rows[i]], place[columns[j]], reached[pairs], None if weight is None else weight[pairs]


@public
def threshold_curve(
    runs: RunsLike,
    X: TableLike | CorrelationBins,
    *,
    method: str = "spearman",
    thresholds: ArrayLike | None = None,
    binary: bool = True,
    level: float | None = None,
) -> pd.DataFrame:
    """DataFrame(threshold, value, reason): effective stability at every threshold of |ρ|.

    C is 1 (binary) or |ρ| where |ρ| ≥ threshold, else 0. Both tr(CS) and tr(CΣ⁰) are sums over pairs, so the curve is exact. Each
    value is that of sc.stability(runs, "effective", similarity=Similarity.from_correlation(X, threshold=…)). If it is undefined, it
    is NaN, and reason says why.

    Parameters
    ----------
    runs : StudyResult, Results, dict or Selections
        Selections, or {selector: Selections}, which adds `selector` as the first column.
    X : DataFrame, array, Dataset or CorrelationBins
        The data: a Dataset, a DataFrame or an (n, d) array. With CorrelationBins.of(X, …), many calls share one computation of the
        correlations. The bins then determine method, thresholds and binary.
    method : str, optional
        Correlation: 'spearman', 'pearson' or 'kendall'.
    thresholds : array_like, optional
        Thresholds, 0 to 1.
    binary : bool, optional
        Whether similar features count fully (1) or by |ρ|.
    level : float, optional
        Confidence level of an interval (columns low and high, see sc.stability). It costs one pass over the pairs for each run. If
        the runs never differ, only high is missing.

    Raises
    ------
    InputError
        If the runs and X have different features.

    References
    ----------
    Source: Sechidis et al., ECML-PKDD 2019, for effective stability. The exact curve is ours.

    Examples
    --------
    >>> sc.whatif.threshold_curve(runs, data, thresholds=[0.3, 0.7])["threshold"].tolist()
    [0.3, 0.7]
    """
    bins = X if isinstance(X, CorrelationBins) else CorrelationBins.of(X, method, thresholds, binary)
    named, alone = runs_by_selector(runs), is_single_selector(runs)
    if not named:
        raise InputError("A curve needs runs. Give the runs of at least one selector.")
    for of_selector in named.values():
        Similarity.identity(bins.correlations.n_features, bins.correlations.names).check_covers(of_selector)
    selected = np.any([selections.counts > 0 for selections in named.values()], axis=0)
    index = np.flatnonzero(selected | (selected.mean() > ALL_PAIRS_SHARE))
    curves = []
    for (label, of_selector), vary in zip(named.items(), _selection_variances(named.values(), bins, index)):
        value = _stability(of_selector, vary, bins)
        curve = pd.DataFrame({"threshold": bins.thresholds, "value": value})
        if level is not None:
            se = jackknife_error(_terms(of_selector, bins, index))
            half = critical_value(level, of_selector.n_units - 1) * se
            below, above, _ = distances_from_error(of_selector, value, se, half, partial(_values, bins=bins), level)
            below = np.fmax(below, skewed_lower_distance(value, half))
            curve["low"], curve["high"] = value - below, value + above  # effective has no limits
        curve["reason"] = undefined_reasons(value)
        if not alone:
            curve.insert(0, "selector", label)
        curves.append(curve)
    return pd.concat(curves, ignore_index=True)


def _values(runs, bins):
    """(T,) effective stability at every threshold."""
    (vary,) = _selection_variances([runs], bins, np.flatnonzero(runs.counts))
    return _stability(runs, vary, bins)


def _stability(runs, vary, bins):
    """(T,) effective stability of tr(CS) at every threshold."""
    return ChanceVariance.of_runs(runs).stability(vary, 2 * bins.amount)


def _selection_variances(named, bins, index):
    """One (T,) tr(CS) per selector: variances, and the covariances of the similar pairs at each threshold."""
    sides, sums = [_covariance_factors(runs, index) for runs in named], np.zeros((len(named), len(bins.thresholds)))
    for rows, columns, reached, weight in bins.blocks(index):
        reached = reached.astype(np.intp)  # once for all selectors
        for total, (left, right, moves) in zip(sums, sides):
            inside: Any = ...
            i, j = rows, columns
            if moves[rows].mean() * moves[columns].mean() < 0.5:  # covariances with the others are always 0
                inside = np.ix_(moves[rows], moves[columns])
                i, j = rows[moves[rows]], columns[moves[columns]]
            if len(i) and len(j):
                covariance = (left[:, i].T @ right[:, j]).astype(float)
                total += bins.at_least(reached[inside], covariance if weight is None else covariance * weight[inside])
    return [_trace_from_sums(runs, total) for runs, total in zip(named, sums)]


def _trace_from_sums(runs, total):
    """(T,) tr(CS) of the sums over pairs of features of what `_covariance_factors` multiply to."""
    if runs.within_units:
        return runs.moments.variances.sum() + 2 * total / runs.moments.divisor
    share = runs.frequencies
    return (runs.n_runs * (share * (1 - share)).sum() + 2 * total / runs.n_runs) / (runs.n_runs - 1)


def _covariance_factors(runs, index):
    """Two matrices whose columns f and f' multiply to M(M − 1) S_ff', and the features that are in some but not all runs.

    Of runs that are compared within P pairs, they multiply to 2P S_ff'.
    """
    if runs.within_units:
        D = runs.differences[:, index].toarray().astype(np.float32)
        return D, D, np.any(D != 0, axis=0)
    n = runs.n_runs
    Z = runs.selection_matrix[:, index].toarray().astype(np.float32 if n <= 4000 else float)  # exact, because sums stay below 2²⁴
    counts = Z.sum(axis=0)
    return np.vstack([n * Z, -counts]), np.vstack([Z, counts]), (counts > 0) & (counts < n)


def _terms(runs, bins, index):
    """Terms of `effective` at all thresholds: the effective size of each run and its effective intersections with the others."""
    Z, counts, n_thresholds = runs.selection_matrix[:, index].toarray(), runs.counts[index], len(bins.thresholds)
    diagonal, every = np.zeros((2, runs.n_runs, n_thresholds))
    of_units = np.zeros((0, len(index))) if runs.units is None else runs.unit_counts[:, index].toarray()
    together = np.zeros((len(of_units), n_thresholds))
    for rows, columns, reached, weight in bins.blocks(index):
        for total, features in (*zip(diagonal, Z, strict=True), *zip(together, of_units, strict=True)):
            i, j = np.flatnonzero(features[rows]), np.flatnonzero(features[columns])
            pairs = np.ix_(i, j)
            products = features[rows[i], None] * features[columns[j]]
            total += 2 * bins.at_least(reached[pairs], products if weight is None else products * weight[pairs])
        if weight is None:  # whole numbers, whose sums do not depend on their order
            sums = Z[:, rows] @ _bin_sums(reached, counts[columns], n_thresholds + 1)
            sums += Z[:, columns] @ _bin_sums(reached.T, counts[rows], n_thresholds + 1)
            every += np.cumsum(sums[:, :0:-1], axis=1)[:, ::-1]
        else:
            for total, z in zip(every, Z, strict=True):
                total += bins.at_least(reached, (z[rows, None] * counts[columns] + counts[rows, None] * z[columns]) * weight)
    sizes = runs.sizes[:, None]
    every, diagonal = every + (runs.selection_matrix @ runs.counts)[:, None], diagonal + sizes
    total = SimpleNamespace(n_features=runs.n_features, total=runs.n_features + 2 * bins.amount)  # all of C that chance depends on
    inside: tuple[np.ndarray, ...] = ()
    if runs.units is not None:
        together += np.asarray((runs.unit_counts * runs.unit_counts).sum(axis=1)).reshape(-1, 1)
        inside = (together - unit_sums(diagonal, runs.units),)
    terms = effective_terms(total, diagonal, every - diagonal, np.broadcast_to(sizes, diagonal.shape), runs.units, inside)
    return terms.within_units() if runs.within_units else terms


def _bin_sums(reached, weights, n_bins):
    """(r, n_bins) sums of weights (c,) by the bin of each pair, one row for each row of reached (r, c)."""
    cells = np.arange(len(reached))[:, None] * n_bins + reached
    return np.bincount(cells.ravel(), np.tile(weights, len(reached)), len(reached) * n_bins).reshape(-1, n_bins)


@public
def crossings(curves: pd.DataFrame) -> pd.DataFrame:
    """DataFrame(threshold_low, threshold_high, above, below, until, then): thresholds at which the curves of two selectors cross.

    `above` is behind `below` up to threshold_low, and ahead from threshold_high up to `until`: "from 0.62 on, cmim is above gbm".
    then: "" if it stays ahead up to the last threshold, else the state after `until`: "equal", "undefined" or "below". Thresholds
    at which the two are equal (up to 10⁻¹²) or one is undefined are not crossings. Rows are sorted by threshold. Source: ours.

    Parameters
    ----------
    curves : DataFrame
        Result of threshold_curve for several selectors.

    Raises
    ------
    InputError
        For the curve of a single selector.

    Examples
    --------
    >>> curves = sc.whatif.threshold_curve(result, data)
    >>> list(sc.whatif.crossings(curves))[:2]
    ['threshold_low', 'threshold_high']
    """
    if not hasattr(curves, "columns") or "selector" not in curves:
        raise InputError("Crossings need several curves. Give threshold_curve a {selector: runs}.")
    table = curves.pivot(index="threshold", columns="selector", values="value")[list(curves["selector"].unique())]
    thresholds, rows = table.index.to_numpy(), []
    for first, second in combinations(table.columns, 2):
        ahead = (table[first] - table[second]).to_numpy()
        decided = np.flatnonzero(np.abs(ahead) > 1e-12)  # NaN is undecided
        sign = ahead[decided] > 0
        for turn in np.flatnonzero(sign[1:] != sign[:-1]):
            above, below = (first, second) if sign[turn + 1] else (second, first)
            last, then = _lead_end(ahead if sign[turn + 1] else -ahead, decided[turn + 1])
            rows.append((thresholds[decided[turn]], thresholds[decided[turn + 1]], above, below, thresholds[last], then))
    frame = pd.DataFrame(rows, columns=["threshold_low", "threshold_high", "above", "below", "until", "then"])
    return frame.sort_values(["threshold_high", "threshold_low"], kind="stable", ignore_index=True)


def _lead_end(ahead, start):
    """(the last position up to which `ahead` stays above 0 from `start` on, the state after it)."""
    ends = np.flatnonzero(~(ahead[start:] > 1e-12))
    if not len(ends):
        return len(ahead) - 1, ""
    after = ahead[start + ends[0]]
    return start + ends[0] - 1, "undefined" if np.isnan(after) else "below" if after < -1e-12 else "equal"


# ---- the same selectors with the outcome shuffled ----

COLUMNS = ("selector", "threshold", "floor", "floor_low", "floor_high", "floor_se", "floor_sd", "p")
LEADS, TIED, BEHIND = "leads", "not distinguishable from the first", "behind, or not clearly above its floor"
MAX_SUMS = 400_000_000  # largest number of pairs of features times runs for immediate intervals of all curves
LEVEL, TOLERANCE = 0.05, 1e-12  # level of a test, and tolerance of equal values


@public
def floor_curves(
    runs: dict[str, Selections], shuffled: dict[str, list[Selections]], bins: CorrelationBins, share: float | None = None
) -> pd.DataFrame:
    """DataFrame(selector, threshold, floor, floor_low, floor_high, floor_se, p): noise floor of each selector at every threshold.

    floor: mean over the shuffles. floor_low, floor_high, floor_sd: their range and standard deviation, without the variance due to
    few runs (see inference.noise_floor.difference_from_floor). floor_se: standard error of the mean. p = (1 + #{shuffles ≥
    value})/(S + 1). A selector without a shuffle has no rows.

    Parameters
    ----------
    runs : dict
        {selector: Selections} as measured.
    shuffled : dict
        {selector: one Selections for each shuffle of the outcome}.
    bins : CorrelationBins
        Correlations in bins, CorrelationBins.of(X).
    share : float, optional
        Share of the pairs of runs of the study within a unit of the shuffles, see inference.noise_floor.stability_with_floor.

    References
    ----------
    Source: see threshold_curve for the measure, and inference.noise_floor for the control.

    Examples
    --------
    >>> bins, runs = sc.whatif.CorrelationBins.of(data), {"mim": result.selections("mim")}
    >>> shuffled = {"mim": [runs for _, runs in result.shuffled("mim")]}
    >>> list(sc.whatif.floor_curves(runs, shuffled, bins))[:2]
    ['selector', 'threshold']
    """
    every = [run_set for group in (*shuffled.values(), list(runs.values())) for run_set in group]
    bins.blocks(np.flatnonzero(np.any([run_set.counts > 0 for run_set in every], axis=0)))  # cached for the following curves
    parts = []
    for label, controls in shuffled.items():
        if not controls:
            continue
        shuffled_terms = [_terms(control, bins, np.flatnonzero(control.counts)) for control in controls]
        values = np.array([run_set.value() if share is None else run_set.weighted_value(share) for run_set in shuffled_terms])
        spread = values.std(axis=0, ddof=1) if len(values) > 1 else np.full(values.shape[1], np.nan)
        error, real = spread / np.sqrt(len(values)), runs[label]
        noise = 0.0 if share is None else _run_variance(real, bins) * real.n_runs / controls[0].n_runs
        values = shrunken_floors(values, noise)
        spread = values.std(axis=0, ddof=1) if len(values) > 1 else spread
        measured = _values(real, bins)
        p = np.where(np.isnan(measured), np.nan, (1 + np.count_nonzero(values >= measured - TOLERANCE, axis=0)) / (len(values) + 1))
        curves = (values.mean(axis=0), values.min(axis=0), values.max(axis=0), error, spread, p)
        parts.append(pd.DataFrame(dict(zip(COLUMNS, (label, bins.thresholds, *curves)))))
    return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=list(COLUMNS))


def _run_variance(runs, bins):
    """(K,) variance of a curve by leaving out units. 0 if that is slow, which makes the range of the shuffles too wide."""
    if not can_afford_intervals({"": runs}):
        return 0.0
    return jackknife_variance(_terms(runs, bins, np.flatnonzero(runs.counts)).leave_one_out_values())


def can_afford_intervals(runs: dict[str, Selections]) -> bool:
    """Whether intervals of all curves take only seconds. Each takes one pass over the pairs of features per run."""
    n_selected = np.count_nonzero(np.any([run.counts > 0 for run in runs.values()], axis=0))
    return bool(n_selected**2 * sum(selections.n_runs for selections in runs.values()) <= MAX_SUMS)


@public
def standings(runs: dict[str, Selections], floors: pd.DataFrame, bins: CorrelationBins) -> pd.DataFrame:
    """DataFrame(selector, threshold, standing): the first selector beyond the noise floor at each threshold.

    LEADS: clearly ahead of all others. TIED: the first, or not clearly behind it. BEHIND: all others. Each selector is compared
    with the first one, by the difference of their parts beyond the floor. Its variance is that of the measured difference
    (jackknife, paired if both have the same units) plus those of both floors. The test is normal, with Holm's correction over the
    comparisons at one threshold. Source: ours, with the correction of Holm 1979.

    Parameters
    ----------
    runs : dict
        {selector: Selections}.
    floors : DataFrame
        Result of floor_curves. Selectors without a floor are left out. The first selector at a threshold must be clearly above its
        floor there.
    bins : CorrelationBins
        Correlations in bins, CorrelationBins.of(X).

    Raises
    ------
    InputError
        For other floors or bins.

    Examples
    --------
    >>> bins = sc.whatif.CorrelationBins.of(data, thresholds=[0.5])
    >>> runs = {label: result.selections(label) for label in result.selectors}
    >>> shuffled = {label: [part for _, part in result.shuffled(label)] for label in runs}
    >>> floors = sc.whatif.floor_curves(runs, shuffled, bins)
    >>> list(sc.whatif.standings(runs, floors, bins))
    ['selector', 'threshold', 'standing']
    """
    runs = runs_by_selector(runs)
    labels = [label for label in runs if label in set(floors["selector"])]
    if len(labels) < 2:
        return pd.DataFrame(columns=["selector", "threshold", "standing"])
    parts = [_terms(runs[label], bins, np.flatnonzero(runs[label].counts)) for label in labels]
    of_selector = [floors[floors["selector"] == label] for label in labels]
    left_out, grid = [terms.leave_one_out_values() for terms in parts], np.arange(len(bins.thresholds))
    beyond = np.array([terms.value() - frame["floor"].to_numpy() for terms, frame in zip(parts, of_selector, strict=True)])
    noise, above = (np.array([frame[name].to_numpy() for frame in of_selector]) for name in ("floor_se", "p"))
    noise, above = noise**2, above <= LEVEL
    first = np.where(above & ~np.isnan(beyond), beyond, -np.inf).argmax(axis=0)
    p = _p_against_first(first, beyond, noise, left_out)
    others = np.arange(len(labels))[:, None] != first
    corrected = np.ones(p.shape)
    for t in grid:
        corrected[others[:, t], t] = holm(p[others[:, t], t])
    behind = (corrected < LEVEL) & others
    standing = np.where(behind | ~above, BEHIND, TIED)
    alone = above[first, grid] & (behind.sum(axis=0) == len(labels) - 1)
    standing[first[alone], grid[alone]] = LEADS
    return pd.DataFrame(
        {"selector": np.repeat(labels, len(grid)), "threshold": np.tile(bins.thresholds, len(labels)), "standing": standing.ravel()}
    )


def _p_against_first(first, beyond, noise, left_out):
    """(S, T) p of the difference between each selector and the first one at each threshold, before any correction. 1 for the first.

    first: (T,) its number. beyond, noise: (S, T) what is beyond the floor, and the variance of the floor. left_out: a selector's
    values without each of its units.
    """
    from scipy.special import ndtr

    p = np.ones(beyond.shape)
    for leader in np.unique(first):
        where_first = np.flatnonzero(first == leader)
        for other in set(range(len(beyond))) - {leader}:
            of_leader, of_other = left_out[leader][:, where_first], left_out[other][:, where_first]
            paired = len(of_leader) == len(of_other)
            variance = (
                jackknife_variance(of_leader - of_other) if paired else jackknife_variance(of_leader) + jackknife_variance(of_other)
            )
            apart = beyond[leader, where_first] - beyond[other, where_first]
            spread = np.sqrt(variance + noise[leader, where_first] + noise[other, where_first])
            z = np.divide(apart, spread, out=np.zeros(apart.shape), where=spread > 0)  # 0 if both always select the same
            p[other, where_first] = 2 * ndtr(-np.abs(z))
    return p


# ---- thresholds at which effective stability is hard to read, for any runs ----

MAX_TESTED = 100  # largest number of features to test C, the most frequently selected
THRESHOLD_STEP = 0.02  # distance of tested thresholds
MIN_CHANCE_VARIANCE = 0.05  # smallest share of the chance variance without C for a meaningful value
MAX_NEGATIVE_SHARE = 0.25  # largest share of negative eigenvalues of C in absolute size


def doubtful_thresholds(runs: dict[str, Selections], bins: CorrelationBins) -> pd.DataFrame:
    """DataFrame(threshold, left, negative, doubtful): problems of Φ_C with C from each threshold.

    left       the smallest tr(CΣ⁰)/tr(Σ⁰) of the selectors, the remaining share of the chance variance
    negative   Σ|λ| of the negative eigenvalues of C over Σ|λ| of all, in [0, 1], among up to 100 features, 0 if C is positive
               semi-definite
    doubtful   left < 0.05 or negative > 0.25
    One row every 0.02 from 0 to 1. The limits are our own. Effective stability is defined on both sides of them.
    """
    thresholds = np.round(np.arange(0, 1 + THRESHOLD_STEP / 2, THRESHOLD_STEP), 9)
    related = 2 * np.append(bins.amount, 0)[np.searchsorted(bins.thresholds, thresholds - 1e-9)]
    chances, unknown = [ChanceVariance.of_runs(run) for run in runs.values()], np.full(len(thresholds), np.nan)
    left = np.min([chance.total(related) / chance.variance if chance.variance > 0 else unknown for chance in chances], axis=0)
    counts = np.sum([selections.counts for selections in runs.values()], axis=0)
    index = np.sort(np.argsort(-counts, kind="stable")[:MAX_TESTED])

    def negative_at():
        rho = _correlations(index, bins)
        return np.array([_negative_share(np.where(rho >= limit - 1e-9, 1.0 if bins.binary else rho, 0.0)) for limit in thresholds])

    negative = bins.remembered(("negative", index.tobytes()), negative_at)
    hard = (left < MIN_CHANCE_VARIANCE) | (negative > MAX_NEGATIVE_SHARE)
    return pd.DataFrame({"threshold": thresholds, "left": left, "negative": negative, "doubtful": hard})


def _correlations(index, bins):
    """(f, f) |ρ| of some features, 1 with themselves."""
    rho = np.zeros((len(index), len(index)))
    for rows, columns, part in bins.correlations.blocks(index):
        rho[np.ix_(rows, columns)] = np.maximum(part, rho[np.ix_(rows, columns)])
    rho = np.maximum(rho, rho.T)
    np.fill_diagonal(rho, 1.0)
    return rho


def _negative_share(C):
    np.fill_diagonal(C, 1.0)
    related = np.count_nonzero(C, axis=1) > 1  # each other feature has the eigenvalue 1
    values = np.linalg.eigvalsh(C[np.ix_(related, related)])
    return float(-values[values < -1e-9].sum() / (np.abs(values).sum() + (~related).sum())) if len(C) else 0.0
