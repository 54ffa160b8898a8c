"""Pareto fronts: candidates that no other dominates, and choices among them.

Points are DataFrames with one row per candidate. More is better in every criterion except those in `smaller`.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from stabcore.base.errors import InputError
from stabcore.base.holm import holm
from stabcore.base.public import public
from stabcore.base.text import listed
from stabcore.base.validation import is_between
from stabcore.inference.comparison import sign_flip_p_value
from stabcore.inference.estimate import measure_terms
from stabcore.inference.predictions import default_score
from stabcore.measures.catalog import entry
from stabcore.measures.effective import ChanceVariance
from stabcore.selectors.baseline import is_baseline

if TYPE_CHECKING:
    from collections.abc import Sequence

    from stabcore.measures.entry import MeasureLike
    from stabcore.similarity.similarity import Similarity
    from stabcore.study.results import AnyResult

CRITERIA = ("accuracy", "stability")
ROUNDING = 1e-12  # smaller differences are rounding
ON_FRONT, NOT_DISTINGUISHABLE, DOMINATED = "on the front", "not distinguishable", "dominated"


@public
def pareto_front(points: pd.DataFrame, criteria: Sequence[str] = CRITERIA, *, smaller: Sequence[str] = ()) -> pd.DataFrame:
    """Return the points with dominated_by (the number of others that dominate each) and on_front.

    Parameters
    ----------
    points : DataFrame
        DataFrame, one row per point.
    criteria : list of str, optional
        Columns in which more is better, unless also named in `smaller`. A point is dominated by another that is at least as
        good in every criterion and better in one. Ties and duplicates are not dominated. If a criterion is missing, dominated_by is
        missing and on_front is False.
    smaller : list of str, optional
        Those of the criteria where lower is better.

    Raises
    ------
    InputError
        For an unknown column, and without criteria.

    References
    ----------
    Source: Sechidis et al. 2019 (non-dominated rank, Table 2).

    Examples
    --------
    >>> points = pd.DataFrame({"accuracy": [0.9, 0.8, 0.7], "nogueira": [0.2, 0.6, 0.5]}, index=["a", "b", "c"])
    >>> list(sc.pareto_front(points, ("accuracy", "nogueira")))
    ['accuracy', 'nogueira', 'dominated_by', 'on_front']
    """
    values = _values(points, criteria, smaller)
    complete = ~np.isnan(values).any(axis=1)
    dominated_by = _dominates(values).sum(axis=0)
    result = points.copy()
    result["dominated_by"] = np.where(complete, dominated_by, np.nan)
    result["on_front"] = complete & (dominated_by == 0)
    return result


def standings(
    points: pd.DataFrame, above: Sequence[np.ndarray], criteria: Sequence[str] = CRITERIA, *, smaller: Sequence[str] = ()
) -> pd.DataFrame:
    """Return the points as `pareto_front` does, with the column standing.

    above: for every criterion (n, n) bool, [a, b] if a is clearly better than b (see compare_selectors.clearly_above). ON_FRONT:
    every other point is clearly worse in one criterion, so none can dominate it. DOMINATED: another dominates it and is clearly
    better in one. NOT_DISTINGUISHABLE: neither. Empty if a criterion is missing.
    """
    values = _values(points, criteria, smaller)
    result = pareto_front(points, criteria, smaller=smaller)
    complete = result["dominated_by"].notna().to_numpy()
    clear = np.logical_or.reduce(list(above))
    on = complete & (clear | np.eye(len(points), dtype=bool))[:, complete].all(axis=1)
    beaten = complete & (_dominates(values) & clear).any(axis=0)
    result["standing"] = np.select([on, beaten, complete], [ON_FRONT, DOMINATED, NOT_DISTINGUISHABLE], default="")
    return result


def _dominates(values):
    """(n, n): [a, b] if a is at least as good as b in every criterion (values, more is better) and better in one."""
    at_least = np.ones((len(values),) * 2, dtype=bool)  # never true for missing values
    for column in values.T:
        at_least &= column[:, None] >= column[None, :]
    return at_least & ~at_least.T


@public
def mean_nondominated_rank(
    points: pd.DataFrame,
    criteria: Sequence[str] = CRITERIA,
    *,
    of: str = "selector",
    by: str = "dataset",
    smaller: Sequence[str] = (),
) -> pd.DataFrame:
    """DataFrame(of, rank, dominated_by, on_front, counted, missing, p_holm), best first: non-dominated ranks over datasets.

    dominated_by: mean number of candidates that dominate it. rank: 1 + dominated_by. on_front: number of datasets with it on
    the front. counted, missing: number of datasets with and without both criteria. p_holm: of being dominated as often as the best
    of those counted most often, by the sign-flip test over datasets with both, with Holm's correction over all pairs.

    Parameters
    ----------
    points : DataFrame
        One row per candidate (`of`) and dataset (`by`).
    criteria : list of str, optional
        Columns to compare, higher is better.
    of : str, optional
        Column that names the points.
    by : str, optional
        A measure, a score or "size".
    smaller : list of str, optional
        Those of the criteria where lower is better.

    Raises
    ------
    InputError
        For an unknown column.

    References
    ----------
    Source: Sechidis et al. 2019, Table 2.

    Examples
    --------
    >>> points = pd.DataFrame({"selector": ["a", "b"] * 2, "dataset": [1, 1, 2, 2]})
    >>> points = points.assign(accuracy=[0.9, 0.8] * 2, nogueira=[0.6, 0.5] * 2)
    >>> sc.mean_nondominated_rank(points, ("accuracy", "nogueira"))["selector"].tolist()
    ['a', 'b']
    """
    _refuse_missing_columns(points, (of, by))
    _values(points, criteria, smaller)
    parts = [pareto_front(group, criteria, smaller=smaller) for _, group in points.groupby(by, sort=False)]
    if not parts:
        return pd.DataFrame(columns=[of, "rank", "dominated_by", "on_front", "counted", "missing", "p_holm"])
    placed = pd.concat(parts)
    grouped = placed.groupby(of, sort=False)
    result = grouped["dominated_by"].agg(dominated_by="mean", counted="count", missing="size")
    result = result.assign(missing=result["missing"] - result["counted"])
    result.insert(0, "rank", 1 + result["dominated_by"])
    result.insert(2, "on_front", grouped["on_front"].sum())
    result = result.sort_values("rank", kind="stable").reset_index()
    wide = placed.pivot_table(index=by, columns=of, values="dominated_by", aggfunc="mean").reindex(columns=result[of])
    best = int((result["counted"] == result["counted"].max()).argmax())
    return result.assign(p_holm=_p_against_best(best, wide.to_numpy()))


def _p_against_best(best, dominated_by):
    """(n,) corrected p-values of each column of (datasets, n) against the one numbered best, which has no p-value."""
    pairs = list(combinations(range(dominated_by.shape[1]), 2))
    differences = [dominated_by[:, i] - dominated_by[:, j] for i, j in pairs]
    corrected = holm(np.array([sign_flip_p_value(difference[~np.isnan(difference)]) for difference in differences]))
    p_values = np.full(dominated_by.shape[1], np.nan)
    for (i, j), p in zip(pairs, corrected, strict=True):
        if best in (i, j):
            p_values[i + j - best] = p
    return p_values


@public
def weighted_choice(
    points: pd.DataFrame, gamma: float | None = None, criteria: Sequence[str] = CRITERIA, *, smaller: Sequence[str] = ()
) -> pd.DataFrame:
    """Return the points with dominated_by, on_front, gamma_low, gamma_high and, for a gamma, score and chosen.

    A point of the front is chosen where γ·first + (1−γ)·second is largest, γ in [0, 1]. gamma_low and gamma_high bound these γ, and
    are missing below the convex hull. Equal bounds mean a tie with the two neighbours on the hull. Duplicates share their range. At
    a bound neighbours tie, and all of them are chosen. Dominated points are never chosen, although they may tie at γ = 0 or 1.

    Parameters
    ----------
    points : DataFrame
        As in `pareto_front`, with two criteria.
    gamma : float, optional
        Weight of the first criterion, 0 to 1.
    criteria, smaller : list of str, optional
        As in `pareto_front`, with two criteria.

    Raises
    ------
    InputError
        For an unknown column.

    References
    ----------
    Source: Hamer & Dupont 2021, section 7.1.

    Examples
    --------
    >>> points = pd.DataFrame({"accuracy": [0.9, 0.8, 0.7], "nogueira": [0.2, 0.6, 0.5]}, index=["a", "b", "c"])
    >>> sc.weighted_choice(points, 0.5, ("accuracy", "nogueira"))["chosen"].tolist()
    [False, True, False]
    """
    if len(criteria) != 2:
        raise InputError(f"A compromise needs two criteria. Found {listed(criteria) or 'none'}.")
    if gamma is not None and not is_between(gamma, 0, 1):
        raise InputError(f"γ must be between 0 (only the second criterion counts) and 1 (only the first). Found {gamma!r}.")
    values = _values(points, criteria, smaller)
    if np.isinf(values).any():
        raise InputError("An infinite criterion cannot be weighed against another. Leave that point out.")
    result = pareto_front(points, criteria, smaller=smaller)
    on_front = result["on_front"].to_numpy(dtype=bool)
    low, high = np.full((2, len(points)), np.nan)
    low[on_front], high[on_front] = _gamma_ranges(*values[on_front].T)
    result["gamma_low"], result["gamma_high"] = low, high
    if gamma is not None:
        result["score"] = gamma * values[:, 0] + (1 - gamma) * values[:, 1]
        result["chosen"] = (low <= gamma + ROUNDING) & (gamma - ROUNDING <= high)
    return result


def _gamma_ranges(first, second):
    """(low, high) of γ for which each point of a front has the highest score, NaN if there is none.

    On a front, of two different points one has more of the first criterion and less of the second. It scores more from
    γ = loss/(gain + loss) on.
    """
    gain, loss = first[:, None] - first[None, :], second[None, :] - second[:, None]  # [a, b]: by replacing b with a
    with np.errstate(invalid="ignore", divide="ignore"):
        even = loss / (gain + loss)
    low = np.where(gain > 0, even, 0.0).max(axis=1, initial=0.0)
    high = np.where(gain < 0, even, 1.0).min(axis=1, initial=1.0)
    meet = np.abs(low - high) <= ROUNDING  # on the straight line between two others
    low = np.where(meet, high, low)
    return np.where(low <= high, low, np.nan), np.where(low <= high, high, np.nan)


def near_best(points: pd.DataFrame, score: str = "accuracy", margin: float = 0.05) -> pd.DataFrame:
    """Return the points whose score lies within `margin` of the highest, without points that have none.

    Source: Bommert et al. 2017, section 5.
    """
    if not margin >= 0:
        raise InputError(f"The margin is the allowed loss from the best score, 0 or more. Found {margin}.")
    values = _values(points, (score,), ())[:, 0]
    best = np.max(values, initial=-np.inf, where=~np.isnan(values))
    return points[values >= best - margin - ROUNDING]


def front_changes(points: pd.DataFrame, before: str, after: str, criterion: str = "accuracy") -> pd.DataFrame:
    """DataFrame(criterion, before, after, on_front_before, on_front_after, change): the front by two kinds of stability.

    points: one row per candidate with the columns `criterion`, `before` and `after` (for example nogueira and effective). change:
    "enters", "leaves", "stays" or "" (on neither front). Source: Sechidis et al. 2019, Table 1 and Figure 2.
    """
    was, now = (pareto_front(points, (criterion, stability))["on_front"].to_numpy(dtype=bool) for stability in (before, after))
    values = {criterion: points[criterion], "before": points[before], "after": points[after]}
    change = np.select([was & now, was, now], ["stays", "leaves", "enters"], default="")
    return pd.DataFrame({**values, "on_front_before": was, "on_front_after": now, "change": change}, index=points.index)


def _refuse_missing_columns(points, columns):
    missing = [name for name in columns if name not in points.columns]
    if missing:
        raise InputError(f"The points have no column {listed(missing)}. Their columns are {listed(points.columns, 20)}.")


def _values(points, criteria, smaller):
    """(n, criteria) with reversed sign if less is better."""
    if not criteria:
        raise InputError("A front needs at least one criterion: a column in which more is better, or less (smaller=).")
    _refuse_missing_columns(points, criteria)
    stray = [name for name in smaller if name not in criteria]
    if stray:
        raise InputError(f"smaller= names {listed(stray)}, which is not among the criteria {listed(criteria)}.")
    return points[list(criteria)].to_numpy(dtype=float) * np.where([name in smaller for name in criteria], -1.0, 1.0)


# ---- frequency of each selector on the front of half of the runs ----

HALVES = 100
MIN_RUNS = 4  # smallest number of common runs for halves
LINEAR_MEASURES = ("nogueira", "effective")


def front_shares(
    result: AnyResult,
    measure: MeasureLike = "nogueira",
    score: str | None = None,
    *,
    similarity: Similarity | None = None,
    floors: dict[str, float] | None = None,
    halves: int = HALVES,
) -> pd.Series:
    """Series {selector: share of random halves of the runs in which it is on the front of score and stability as measured}.

    score: accuracy, balanced_accuracy or auc. None: that of predictions.default_score. floors: noise floor of each selector,
    which is subtracted from its stability. None: stability without subtraction.

    Halves are drawn without replacement from the runs common to all selectors, the same for all. Units of runs that belong
    together are drawn as one. NaN for selectors without a score or a stability, and for baselines, which are not compared. Empty
    if fewer than four units are common. Halves are of the same runs, so a share is no probability. In simulations, equal selectors
    had shares of 75% (two), 50% (four) and 33% (eight) on average, (1 + 1/2 + … + 1/n)/n. The largest was 84 to 98% on average.
    """
    score = score or default_score(result) or "accuracy"
    scores = {label: result.run_scores(label, score) for label in result.finished_selectors if not is_baseline(label)}
    scores = {label: of_runs for label, of_runs in scores.items() if of_runs}
    if not scores:
        return pd.Series(dtype=float)
    common = sorted(set.intersection(*(set(of_runs) & set(result.run_numbers(label)) for label, of_runs in scores.items())))
    places = {label: _run_positions(result.run_numbers(label), common) for label in scores}
    chosen = _halves(_units(result, scores, common), halves, np.random.default_rng(0))
    if not len(chosen):
        return pd.Series(dtype=float)
    stability = [stability_of_halves(result.selections(label).take(places[label]), chosen, measure, similarity) for label in scores]
    if floors is not None:
        stability = [of_halves - floors[label] for of_halves, label in zip(stability, scores, strict=True)]
    accuracy = [chosen @ np.array([of_half[run] for run in common]) / chosen.sum(axis=1) for of_half in scores.values()]
    on = _on_front(np.stack([np.round(accuracy, 12), stability]))
    defined = np.isfinite(stability).any(axis=1)
    return pd.Series(np.where(defined, on.mean(axis=1), np.nan), index=list(scores)).reindex(result.finished_selectors)


def _on_front(values):
    """(n, halves) bool: the nondominated ones of n points with (2, n, halves) criteria, as in pareto.pareto_front."""
    mine, other = values[:, :, None], values[:, None, :]
    beaten = (other >= mine).all(axis=0) & (other > mine).any(axis=0)
    return np.isfinite(values).all(axis=0) & ~beaten.any(axis=1)


def _run_positions(numbers, common):
    place_of = {number: place for place, number in enumerate(numbers)}
    return [place_of[run] for run in common]


def _units(result, scores, common):
    """(common runs,) the unit of each, from 0."""
    label = next(iter(scores))
    units = result.selections(label).take(_run_positions(result.run_numbers(label), common)).units if len(common) > 1 else None
    return np.arange(len(common)) if units is None else np.unique(units, return_inverse=True)[1]


def _halves(units, draws, rng):
    """(many, runs) bool: the runs of each random half of the units. No rows if there are too few units."""
    n = int(units.max()) + 1 if len(units) else 0
    if n < MIN_RUNS:
        return np.zeros((0, len(units)), dtype=bool)
    return (np.argsort(rng.random((draws, n)), axis=1) < n // 2)[:, units]


def stability_of_halves(runs, chosen, measure, similarity):
    """(halves,) a measure of each half of some runs."""
    definition = entry(measure)
    if definition.key not in LINEAR_MEASURES:
        return np.array([measure_terms(runs.take(np.flatnonzero(half)), definition, similarity, {}).value() for half in chosen])
    similarity = similarity if definition.needs_similarity else None
    products = runs.shared if similarity is None else similarity.cross_products(runs.selection_matrix)
    w, m, compared = chosen.astype(float), chosen.sum(axis=1), runs.compared
    shared, n_pairs = (np.einsum("hi,ij,hj->h", w, amounts, w, optimize=True) for amounts in (products * compared, compared))
    related = 0.0 if similarity is None else similarity.total - runs.n_features
    sizes = runs.sizes.astype(float)
    chance = ChanceVariance.of(w @ sizes / m, w @ sizes**2 / m, runs.n_features)
    return chance.stability(w @ np.diag(products) / m - shared / n_pairs, related)


# ---- candidates of a search for a second look, and its results ----


def configurations_to_evaluate(table: pd.DataFrame, margin: float = 0.05, most: int = 6) -> pd.DataFrame:
    """Configurations of a search for evaluation on other rows, up to `most`, those with the fewest features first.

    They lie within `margin` of the best accuracy, and among these no other has better stability and fewer features.

    table: from `Results.table`. Source: Bommert et al. 2017, section 5.
    """
    points = near_best(table, "accuracy", margin)
    small = pareto_front(points, ("nogueira", "mean_size"), smaller=("mean_size",)).query("on_front")
    return table.loc[small.sort_values("mean_size", kind="stable").index[:most]]


def compare_search_halves(searched: pd.DataFrame, again: pd.DataFrame) -> pd.DataFrame:
    """DataFrame of the configurations of `again`: accuracy, stability and number of features on both halves of the rows.

    searched, again: from `Results.table`, of the half on which they were chosen, the first, and of the other one.
    """
    names = {"accuracy": "accuracy", "nogueira": "stability", "mean_size": "features"}
    looks = {"first half": searched.reindex(again.index), "other half": again}
    return pd.DataFrame({f"{name}, {half}": table[column] for column, name in names.items() for half, table in looks.items()})
