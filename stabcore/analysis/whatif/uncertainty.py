"""Dependence of effective stability on C, which is estimated from the same patients."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd

from stabcore.analysis.runs_asked import by_selector, is_alone
from stabcore.base.errors import InputError
from stabcore.base.public import public
from stabcore.base.validation import is_between
from stabcore.data.feature_table import TableLike
from stabcore.inference.estimate import refuse_level
from stabcore.measures.effective import Chance, varying
from stabcore.similarity.similarity import Similarity
from stabcore.study.results import RunsLike

MIN_DRAWS = 20  # smallest number of draws for two percentiles


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
    """DataFrame(selector, value, low, high, draws): effective stability if C comes from other patients of the same population.

    The rows of X are drawn with replacement. Each draw gives correlations and thus a C, and the same runs are measured with it.
    value: with C of all rows. low, high: percentiles over the draws at `level`. draws: number of draws with a value. The runs stay
    the same, so this is only the uncertainty of C, which adds to that of resampling.

    Parameters
    ----------
    runs : StudyResult, Results, dict or Selections
        Selections, or {selector: Selections}, all measured with the same draws.
    X : DataFrame, array or Dataset
        Dataset (whole patients are drawn if patients have several rows), DataFrame or (n, d) array.
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
        Confidence level of intervals, 0 to 1.

    Raises
    ------
    InputError
        As Similarity.from_correlation does, or for fewer than 20 draws.

    References
    ----------
    Source: ours, with percentiles of draws with replacement as in Efron 1979, The Annals of Statistics 7:1-26.

    Examples
    --------
    >>> list(sc.whatif.similarity_uncertainty(runs, data, draws=20))
    ['value', 'low', 'high', 'draws']
    """
    if not is_between(draws, MIN_DRAWS, np.inf):
        raise InputError(f"Percentiles need at least {MIN_DRAWS} draws. Found {draws}.")
    refuse_level(level)
    named = by_selector(runs)
    values, names, units = _rows(X)

    def measured(rows):
        C = Similarity.from_correlation(values[rows], method, threshold, binary, names).edited(edits or {})
        return [_value(selections, C) for selections in named.values()]

    every = measured(slice(None))
    rng, values_drawn = np.random.default_rng(random_state), np.empty((draws, len(named)))
    for draw in range(draws):
        values_drawn[draw] = measured(np.concatenate([units[unit] for unit in rng.integers(0, len(units), len(units))]))
    frame = pd.DataFrame({"selector": list(named), "value": every})
    for name, share in (("low", (1 - level) / 2), ("high", (1 + level) / 2)):
        frame[name] = [
            np.quantile(defined, share) if len(defined := column[~np.isnan(column)]) >= MIN_DRAWS else np.nan
            for column in values_drawn.T
        ]
    frame["draws"] = (~np.isnan(values_drawn)).sum(axis=0)
    return frame.drop(columns="selector") if is_alone(runs) else frame


def _rows(X):
    """((n, d) numbers, names or None, the rows of each drawn unit, a row or a patient)."""
    from stabcore.similarity.correlation import numbers_of

    values, names = numbers_of(X)
    patients = getattr(X, "patients", None) if callable(getattr(type(X), "numbers", None)) else None
    if patients is None:
        return values, names, np.arange(len(values))[:, None]
    codes = np.unique(np.asarray(patients), return_inverse=True)[1]
    return values, names, [np.flatnonzero(codes == code) for code in range(codes.max() + 1)]


def _value(runs, C):
    C.check_covers(runs)
    return float(Chance.of_runs(runs).stability(varying(runs, C), C.total - runs.n_features))
