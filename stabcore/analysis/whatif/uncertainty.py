"""Dependence of effective stability on C, which is estimated from the same patients."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd

from stabcore.analysis.runs_asked import is_single_selector, runs_by_selector
from stabcore.base.errors import InputError
from stabcore.base.public import public
from stabcore.base.validation import is_between
from stabcore.data.feature_table import TableLike
from stabcore.inference.estimate import refuse_level
from stabcore.measures.effective import ChanceVariance, selection_variance
from stabcore.similarity.similarity import Similarity
from stabcore.study.results import RunsLike

MIN_DRAWS = 20  # smallest number of draws for two percentiles
MIN_PATIENTS = 15  # a third of fewer patients is too few for a correlation


@public
def similarity_uncertainty(
    runs: RunsLike,
    X: TableLike,
    *,
    method: str = "spearman",
    threshold: float = 0.5,
    binary: bool = True,
    edits: Mapping[tuple[str | int, str | int], float] | None = None,
    draws: int = 200,
    random_state: int = 0,
    level: float = 0.95,
) -> pd.DataFrame:
    """DataFrame(selector, value, low, high, draws): effective stability if C comes from as many other patients.

    value: with C of all rows. low, high: the central share `level` of draws of a third of the patients, without replacement. Each
    draw gives correlations and thus a C, and the same runs are measured with it. Correlations of a third of n patients vary around
    those of all with variance 3/n − 1/n = 2/n, as the difference of two samples of n patients does. draws: number of draws with a
    value. The runs stay the same, so this is only the uncertainty of C, which adds to that of resampling.

    These ranges are no confidence intervals. In simulations, 83% to 100% of them held the value with C of as many other patients,
    the fewest where many correlations are at the threshold.

    Parameters
    ----------
    runs : StudyResult, Results, dict or Selections
        Selections, or {selector: Selections}, all measured with the same draws.
    X : DataFrame, array or Dataset
        Dataset (whole patients are drawn if patients have several rows), DataFrame or (n, d) array, of at least 15 patients.
    method, threshold, binary : object, optional
        As in Similarity.from_correlation.
    edits : dict, optional
        Pairs set by hand, the same in every draw. With few rows, draws overstate small correlations, so a low threshold makes more
        features similar than in the table.
    draws : int, optional
        Number of draws, at least 20.
    random_state : int, optional
        Seed of everything drawn at random.
    level : float, optional
        Share of the draws in each range, 0 to 1.

    Raises
    ------
    InputError
        As Similarity.from_correlation does, or for fewer than 20 draws or 15 patients.

    References
    ----------
    Source: ours, with subsamples as in Politis & Romano 1994, The Annals of Statistics 22:2031-2050.

    Examples
    --------
    >>> list(sc.whatif.similarity_uncertainty(runs, data, draws=20))
    ['value', 'low', 'high', 'draws']
    """
    if not is_between(draws, MIN_DRAWS, np.inf):
        raise InputError(f"Percentiles need at least {MIN_DRAWS} draws. Found {draws}.")
    refuse_level(level)
    named = runs_by_selector(runs)
    values, names, units = _sampled_units(X)
    if len(units) < MIN_PATIENTS:
        raise InputError(f"The uncertainty of correlations needs at least {MIN_PATIENTS} patients. Found {len(units)}.")

    def measured(rows):
        C = Similarity.from_correlation(values[rows], method, threshold, binary, names).edited(edits or {})
        return [_value(selections, C) for selections in named.values()]

    every = measured(slice(None))
    rng, values_drawn = np.random.default_rng(random_state), np.empty((draws, len(named)))
    for draw in range(draws):
        values_drawn[draw] = measured(np.concatenate([units[unit] for unit in rng.permutation(len(units))[: len(units) // 3]]))
    frame = pd.DataFrame({"selector": list(named), "value": every})
    for name, share in (("low", (1 - level) / 2), ("high", (1 + level) / 2)):
        frame[name] = [
            np.quantile(defined, share) if len(defined := column[~np.isnan(column)]) >= MIN_DRAWS else np.nan
            for column in values_drawn.T
        ]
    frame["draws"] = (~np.isnan(values_drawn)).sum(axis=0)
    return frame.drop(columns="selector") if is_single_selector(runs) else frame


def _sampled_units(X):
    """((n, d) numbers, names or None, the rows of each drawn unit, a row or a patient)."""
    from stabcore.similarity.correlation import numeric_columns

    values, names = numeric_columns(X)
    patients = getattr(X, "patients", None) if callable(getattr(type(X), "numbers", None)) else None
    if patients is None:
        return values, names, np.arange(len(values))[:, None]
    codes = np.unique(np.asarray(patients), return_inverse=True)[1]
    return values, names, [np.flatnonzero(codes == code) for code in range(codes.max() + 1)]


def _value(runs, C):
    C.check_covers(runs)
    return float(ChanceVariance.of_runs(runs).stability(selection_variance(runs, C), C.total - runs.n_features))
