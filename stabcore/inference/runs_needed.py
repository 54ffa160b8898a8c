"""Stability by the number of runs, and the number of runs for a given precision."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from stabcore.base.errors import InputError
from stabcore.base.validation import is_between
from stabcore.inference.estimate import MIN_UNITS, critical_value, measure_terms, skewed_lower_distance, stability
from stabcore.measures.catalog import BY_KEY, entry
from stabcore.measures.statistic import pair_values

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import ArrayLike

    from stabcore.inference.estimate import Estimate
    from stabcore.measures.entry import MeasureLike
    from stabcore.selections.selections import Selections
    from stabcore.similarity.similarity import Similarity

MAX_SIZES, MAX_RUNS = 30, 1_000_000


def stability_by_runs(
    selections: Selections,
    measure: MeasureLike = "nogueira",
    *,
    similarity: Similarity | None = None,
    n_runs: ArrayLike | None = None,
    orders: int = 200,
    level: float = 0.95,
    random_state: int = 0,
) -> pd.DataFrame:
    """DataFrame(runs, value, low, high, spread_low, spread_high): the measure with only m of the M runs.

    n_runs: values of m, 2 … M (default: up to 30). value: mean over `orders` random orders of the first m runs, and at M the
    measure itself. Runs of one unit stay together. low, high: the expected interval with m runs of this table, the standard error
    of all M times √(M/m). spread: the middle `level` of the orders, which has width 0 at M and is not an interval. More runs do
    not add information about patients. Missing if two of the runs have no value. Measures that are not averages over pairs are
    slow. Use fewer orders. Raises InputError for m outside 2 … M or unsuitable input.
    """
    import pandas as pd

    sizes = _sizes(n_runs, selections.n_runs)
    estimate = stability(selections, measure, similarity=similarity, level=level)
    rng, definition = np.random.default_rng(random_state), entry(measure)
    turn, units = rng.random((orders, selections.n_runs)), selections.units
    of_units = () if units is None else (rng.random((orders, selections.n_units))[:, units],)  # runs of one unit stay together
    run_orders = np.lexsort((turn, *of_units), axis=1)
    values = _values(selections, definition, similarity, run_orders, sizes)
    values[sizes == selections.n_runs] = estimate.value  # exactly, for any order of summation
    value = values.mean(axis=1)
    tails = np.quantile(values, [(1 - level) / 2, (1 + level) / 2], axis=1)
    half = np.array([_upper_half(estimate, m) for m in sizes])
    low, high = definition.interval(value, half)
    if definition.uses_similar_overlaps:
        low = definition.interval(value, skewed_lower_distance(value, half))[0]
    return pd.DataFrame({"runs": sizes, "value": value, "low": low, "high": high, "spread_low": tails[0], "spread_high": tails[1]})


def half_width(estimate: Estimate, n_runs: float) -> float:
    """Half width of the interval of an Estimate with n runs, on its wider side. NaN below 3 units. See `_upper_half`."""
    half, definition = _upper_half(estimate, n_runs), BY_KEY.get(estimate.measure)
    return (
        float(skewed_lower_distance(estimate.value, half)) if definition is not None and definition.uses_similar_overlaps else half
    )


def _upper_half(estimate, n_runs) -> float:
    """Distance of the upper limit of an Estimate with n runs: t·√(se²·M/n). NaN below 3 units.

    The chance_error (from simulated chance agreement) does not decrease with more runs. t has as many degrees
    of freedom as the units of n runs, less 1.
    """
    units = int(n_runs * (estimate.n_units or estimate.n_runs) / max(estimate.n_runs, 1) + 1e-9)
    if units < MIN_UNITS:
        return np.nan
    of_runs = estimate.se**2 - estimate.chance_error**2
    se = np.sqrt(max(of_runs, 0.0) * estimate.n_runs / n_runs + estimate.chance_error**2) if np.isfinite(of_runs) else np.nan
    return float(critical_value(estimate.level, units - 1 if estimate.method == "jackknife" else None) * se)


def runs_needed(estimate: Estimate, half: float) -> float:
    """The smallest number of runs for which the expected half-width of the interval of an Estimate is at most `half`.

    inf if no number up to a million is enough. NaN if the estimate has no interval, as when the runs never differ, which gives no
    information on the required number. Raises InputError unless half > 0.
    """
    if not is_between(half, 0, np.inf) or half == 0:
        raise InputError(f"The half width of an interval is above 0, for example 0.05. Found {half!r}.")
    if not np.isfinite(estimate.se):
        return np.nan
    low, high = 2, 3
    while not half_width(estimate, high) <= half:  # NaN while there are too few units
        low, high = high, 2 * high
        if high > MAX_RUNS:
            return np.inf
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if half_width(estimate, middle) <= half else (middle, high)
    return high


def _sizes(asked, n_runs):
    if asked is None:
        return np.unique(np.linspace(2, n_runs, min(n_runs - 1, MAX_SIZES)).round().astype(int))
    sizes = np.unique(np.asarray(asked))
    if not len(sizes) or (sizes % 1).any() or sizes[0] < 2 or sizes[-1] > n_runs:
        raise InputError(f"The numbers of runs must be whole numbers from 2 to {n_runs}. Found n_runs={asked}.")
    return sizes.astype(int)


def _values(selections, definition, similarity, run_orders, sizes):
    """(len(sizes), orders) the measure over the first m runs of each order."""
    pairs = _pair_values(selections, definition, similarity)
    if pairs is None:
        return np.array([[definition.function(selections.take(turn[:m]), similarity) for turn in run_orders] for m in sizes])
    terms, values = measure_terms(selections, definition, similarity, {}), []
    place, compared = np.argsort(run_orders, axis=1), selections.compared  # the position of each run in each order
    for m in sizes:
        among = (place < m).astype(float)
        mean = [((among @ amounts) * among).sum(axis=1) for amounts in (pairs, compared)]
        with np.errstate(invalid="ignore", divide="ignore"):
            values.append(
                np.broadcast_to(terms.formula(m, mean[0] / mean[1], *(among @ run / m for run in terms.runs)), len(run_orders))
            )
    return np.array(values)


def _pair_values(selections, definition, similarity):
    """(M, M) values that the measure averages over pairs of runs. None for a measure of another kind."""
    if definition.uses_similar_overlaps:
        similarity.check_covers(selections)
        values = similarity.cross_products(selections.selection_matrix)
    elif definition.overlap_terms:
        values = selections.shared
    elif definition.pair:
        values = np.array(pair_values(definition.pair, selections), dtype=float)
    else:
        return None
    return np.where(selections.compared > 0, values, 0.0)
