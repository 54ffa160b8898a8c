"""Stability beyond the noise floor of each selector: in the columns of a result table, compared, tied, and whether there is any."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from stabcore.inference.comparison import holm

if TYPE_CHECKING:
    from collections.abc import Mapping

    import pandas as pd

DEVIATE = 1.959964          # of a 95% interval of a normal
LEVEL = 0.05
COLUMNS = ("floor", "beyond", "beyond_low", "beyond_high", "clear", "shuffles")


def beyond_floor(table: pd.DataFrame, floors: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """A result table in which each measure is what lies beyond the noise floor of its selector: value − floor, with its interval.

    floors: {measure: DataFrame with the columns of COLUMNS, one row a selector}, as analysis.floors gives it. Columns <measure>,
    <measure>_low and <measure>_high change; <measure>_measured keeps the value, <measure>_floor is the floor and <measure>_clear
    whether the value is clear of it. Where the outcome was not shuffled, the columns stay as measured and the floor is NaN.
    """
    result = table.copy()
    for key, own in floors.items():
        if key not in table:
            continue
        own = own.reindex(index=table.index, columns=list(COLUMNS))
        measured = (own["shuffles"] > 0).any()
        result[f"{key}_measured"] = table[key]
        result[f"{key}_floor"] = own["floor"].astype(float) if measured else np.nan
        result[f"{key}_clear"] = own["clear"].eq(True) if measured else False
        if measured:
            for end in ("", "_low", "_high"):
                result[key + end] = own["beyond" + end].astype(float)
    return result


def ties(values: np.ndarray, clear: np.ndarray) -> list[tuple[int, ...]]:
    """Every longest run of points, in order of their values, of which no two are clearly apart; as numbers of their rows.

    values: (n,), missing ones belong to no run; clear: (n, n) bool, [a, b] where a is clearly above b. A point can be in several
    runs; runs of one are left out. Source: the bars of Demšar 2006, JMLR 7:1-30.
    """
    values = np.asarray(values, dtype=float)
    order = [int(i) for i in np.argsort(values, kind="stable") if np.isfinite(values[i])]
    apart, runs, last = clear | clear.T, [], 0
    for first in range(len(order)):
        end = first + 1
        while end < len(order) and not apart[order[end], order[first:end]].any():
            end += 1
        if end > last and end - first > 1:
            runs.append(tuple(order[first:end]))
        last = max(last, end)
    return runs


def needed_difference(pairs: pd.DataFrame | None, labels) -> float:
    """By how much two of these selectors would have to differ to be told apart: the median half width of the pairwise intervals.

    pairs: a DataFrame of all pairs as analysis.pairs gives it, or None. NaN where no pair has an interval.
    """
    if pairs is None:
        return np.nan
    own = pairs[pairs["first"].isin(list(labels)) & pairs["second"].isin(list(labels))]
    half = ((own["high"] - own["low"]) / 2).dropna()
    return float(half.median()) if len(half) else np.nan


def any_beyond(frame) -> bool:
    """Is any of several selectors more stable than with the outcome shuffled, though it was looked for in all of them?

    frame: DataFrame(value, floor, floor_sd, clear, shuffles). Each by itself is clear in up to 5 of 100 tables without any signal,
    so one of many is more often. Here the value is compared with S shuffles as one more draw of a normal: t = (Φ − Φ₀)/(s √(1 +
    1/S)), S − 1 degrees of freedom, one-sided, with Holm's correction over the selectors. Source: Holm 1979.
    """
    from scipy.special import stdtr

    known = frame[(frame["shuffles"] > 1) & frame["value"].notna()]
    many = known["shuffles"].to_numpy(dtype=float)
    spread = known["floor_sd"].to_numpy() * np.sqrt(1 + 1 / many)
    with np.errstate(invalid="ignore", divide="ignore"):
        p = stdtr(many - 1, -(known["value"] - known["floor"]).to_numpy() / spread)
    return bool(((holm(p) <= LEVEL) & known["clear"].to_numpy(dtype=bool)).any()) if len(known) else False


def beyond_pairs(frame, level=0.95):
    """DataFrame(first, second, difference, low, high, p_value, p_holm), one row per pair: how much farther the first is beyond.

    frame: DataFrame(selector, beyond, beyond_low, beyond_high), the 95% interval with the uncertainty of value and floor. The
    variances of two selectors are added: their runs share resamples and their floors share shuffles, which makes the difference
    surer than said where both move together. p_holm: with Holm's correction over the pairs. Missing where an interval is. Source:
    Holm 1979.
    """
    import pandas as pd
    from scipy.special import ndtr, ndtri

    rows = []
    for one, other in combinations(frame.to_dict("records"), 2):
        se = np.hypot(*(((row["beyond_high"] - row["beyond_low"]) / (2 * DEVIATE)) for row in (one, other)))
        difference = one["beyond"] - other["beyond"]
        half = ndtri((1 + level) / 2) * se
        p = 2 * ndtr(-abs(difference) / se) if se > 0 else np.nan
        rows.append((one["selector"], other["selector"], difference, difference - half, difference + half, p))
    pairs = pd.DataFrame(rows, columns=["first", "second", "difference", "low", "high", "p_value"])
    return pairs.assign(p_holm=holm(pairs["p_value"].to_numpy(dtype=float)))
