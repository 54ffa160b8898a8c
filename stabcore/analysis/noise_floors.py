"""Noise floors: stability of each selector, its part beyond the floor, and both at every number of features."""

from collections.abc import Mapping
from functools import partial
from itertools import combinations

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from stabcore.analysis.agreement_cutoff import marginal_terms
from stabcore.analysis.stability_profile import profile_terms, stability_profile
from stabcore.base.errors import InputError
from stabcore.base.holm import holm
from stabcore.inference.estimate import critical_value, stability
from stabcore.inference.noise_floor import (
    COLUMNS,
    NO_CONTROL,
    NO_FLOOR_OF_UPLOADED,
    difference_from_floor,
    floor_equal_to_value,
    shrunken_floors,
)
from stabcore.measures.catalog import entry
from stabcore.measures.entry import MeasureLike
from stabcore.selections.selections import Selections
from stabcore.similarity.similarity import Similarity

# ---- floors of the selectors of a result ----


def noise_floors(result, measure="nogueira", similarity=None, k=None):
    """DataFrame, one row per selector: a measure and its noise floor, with the columns of `StudyResult.noise_floor`.

    Without a permutation control the floor and all values from it are missing (NaN, clear False), and the note says so. A
    selector that ignores the outcome always has its own value as floor.
    """
    if result.has_control:
        return result.noise_floor(measure, similarity=similarity, k=k)
    rows, missing = [], NO_FLOOR_OF_UPLOADED if result.plan is None else NO_CONTROL
    for label in result.finished_selectors:
        estimate = stability(result.selections(label, k), [measure], similarity=similarity)[entry(measure).key]
        value, low, high, is_blind = estimate.value, estimate.low, estimate.high, label in result.blind
        floor = floor_equal_to_value(value, low, high) if is_blind else difference_from_floor(value, low, high, ())
        note = estimate.reason or ("" if is_blind else missing)
        rows.append({"selector": label, "value": value, "low": low, "high": high, **floor, "note": note})
    return pd.DataFrame(rows, columns=["selector", *COLUMNS]).set_index("selector")


def floor_frequencies(result, labels, k=None, shuffled=None):
    """Return (d,) the mean selection frequency of each feature over the shuffles, and (S,) the largest one of each shuffle.

    Frequencies are averaged over some selectors, as in their panel. Both arrays are empty without a permutation control, or if
    none of the selectors uses the outcome. shuffled: the result's shuffled_frequencies(labels, k), if a caller has them.
    """
    if shuffled is None:
        shuffled = result.shuffled_frequencies(labels, k) if result.has_control else np.zeros((0, len(result.features)))
    return (shuffled.mean(axis=0), shuffled.max(axis=1)) if len(shuffled) else (np.zeros(0), np.zeros(0))


def blind_selectors(result) -> list[str]:
    """The selectors of a result that do not use the outcome."""
    return [label for label in result.finished_selectors if label in result.blind]


def shuffled_runs(result, labels, k=None) -> tuple[dict[str, list[Selections]], float | None]:
    """({selector: runs of each shuffle of the outcome}, share of the pairs within a cluster of the plan). ({}, None) if unknown."""
    if not result.has_control:
        return {}, None
    return {label: [runs for _, runs in result.shuffled(label, k)] for label in labels}, result.cluster_share


# ---- beyond the floor ----

NORMAL_QUANTILE = 1.959964  # normal quantile of a 95% interval
LEVEL = 0.05
BEYOND_COLUMNS = ("floor", "beyond", "beyond_low", "beyond_high", "clear", "shuffles")


def beyond_floor(table: pd.DataFrame, floors: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """Return a result table in which each measure is its part beyond the noise floor: value − floor, with its interval.

    floors: {measure: DataFrame with the columns of BEYOND_COLUMNS, one row per selector}, from `noise_floors`. <measure>_measured
    keeps the value, <measure>_floor is the floor, and <measure>_clear whether the value is clearly above it. Without a permutation
    control the columns stay as measured and the floor is NaN.
    """
    result = table.copy()
    for key, floor in floors.items():
        if key not in table:
            continue
        floor = floor.reindex(index=table.index, columns=list(BEYOND_COLUMNS))
        measured = (floor["shuffles"] > 0).any()
        result[f"{key}_measured"] = table[key]
        result[f"{key}_floor"] = floor["floor"].astype(float) if measured else np.nan
        result[f"{key}_clear"] = floor["clear"].eq(True) if measured else False
        if measured:
            for end in ("", "_low", "_high"):
                result[key + end] = floor["beyond" + end].astype(float)
    return result


def tied_groups(values: np.ndarray, clear: np.ndarray) -> list[tuple[int, ...]]:
    """All longest runs of points, in order of their values, without clear differences, as numbers of their rows.

    values: (n,), missing ones belong to no run. clear: (n, n) bool, [a, b] if a is clearly above b. A point can be in several
    runs. Runs of one point are left out. Source: the bars of Demšar 2006, JMLR 7:1-30.
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


def is_any_beyond_floor(frame) -> bool:
    """Whether any of several selectors is more stable than with the outcome shuffled, corrected for their number.

    frame: DataFrame(value, floor, floor_sd, clear, shuffles). The value is compared with S shuffles as an additional draw of a
    normal: t = (Φ − Φ₀)/(s √(1 + 1/S)), with S − 1 degrees of freedom. The test is one-sided, with Holm's correction over the
    selectors. Source: Holm 1979.
    """
    from scipy.special import stdtr

    judged = frame[(frame["shuffles"] > 1) & frame["value"].notna()]
    n_shuffles = judged["shuffles"].to_numpy(dtype=float)
    spread = judged["floor_sd"].to_numpy() * np.sqrt(1 + 1 / n_shuffles)
    with np.errstate(invalid="ignore", divide="ignore"):
        p = stdtr(n_shuffles - 1, -(judged["value"] - judged["floor"]).to_numpy() / spread)
    return bool(((holm(p) <= LEVEL) & judged["clear"].to_numpy(dtype=bool)).any()) if len(judged) else False


def pairs_beyond_floors(frame):
    """DataFrame(first, second, difference, low, high, p_value, p_holm), one row per pair: differences beyond the floor.

    frame: DataFrame(selector, beyond, beyond_low, beyond_high), the 95% interval with the uncertainty of value and floor. The
    variances of two selectors are added. Their runs share resamples and their floors share shuffles, so the difference is
    more precise if both vary together. p_holm: with Holm's correction over the pairs. Missing if an interval is. Source:
    Holm 1979.
    """
    from scipy.special import ndtr, ndtri

    rows = []
    for first, other in combinations(frame.to_dict("records"), 2):
        se = np.hypot(*(((row["beyond_high"] - row["beyond_low"]) / (2 * NORMAL_QUANTILE)) for row in (first, other)))
        difference = first["beyond"] - other["beyond"]
        half = ndtri(0.975) * se
        p = 2 * ndtr(-abs(difference) / se) if se > 0 else np.nan
        rows.append((first["selector"], other["selector"], difference, difference - half, difference + half, p))
    pairs = pd.DataFrame(rows, columns=["first", "second", "difference", "low", "high", "p_value"])
    return pairs.assign(p_holm=holm(pairs["p_value"].to_numpy(dtype=float)))


# ---- profiles and their floors ----

TOLERANCE = 1e-12  # values closer than this are equal up to rounding


def profiles_with_floor(
    runs: dict[str, Selections],
    shuffled: dict[str, list[Selections]],
    measure: MeasureLike = "nogueira",
    *,
    similarity: Similarity | None = None,
    share: float | None = None,
    sizes: ArrayLike | None = None,
) -> pd.DataFrame:
    """DataFrame(selector, k, value, low, high, floor, floor_low, floor_high, p, shuffles): `stability_profile` of each selector.

    runs: {selector: Selections}. shuffled: {selector: one Selections for each shuffle of the outcome}. share: the share of pairs of
    runs of the study within a unit of the shuffles, see inference.noise_floor.stability_with_floor. floor: mean over the shuffles
    that rank this number of features. floor_low, floor_high: their range. p = (1 + #{shuffles ≥ value})/(S + 1), NaN without a
    shuffle.
    sizes: numbers of features, all by default. Source: that of the measure, see sc.list_measures().
    """
    parts = []
    for label, selections in runs.items():
        curve = stability_profile(selections, measure, similarity=similarity, sizes=sizes, baseline=False)
        shuffles, noise = shuffled.get(label, ()), 0.0
        floors = _shuffle_curves(shuffles, partial(profile_terms, measure=measure, similarity=similarity, sizes=curve["k"]), share)
        if shuffles and share is not None:  # variance due to few runs, from the wider side of the interval
            value, low, high = (curve[name].to_numpy(dtype=float) for name in ("value", "low", "high"))
            reach = np.fmax(value - low, high - value)
            noise = (reach / critical_value(0.95)) ** 2 * selections.n_runs / shuffles[-1].n_runs
        parts.append(curve_with_floor(curve, floors, noise).assign(selector=label))
    return _joined(parts)


def marginal_with_floor(frame: pd.DataFrame, shuffled: dict[str, list[Selections]], share: float | None = None) -> pd.DataFrame:
    """The DataFrame of analysis.agreement_cutoff.marginal_stabilities with the columns floor, floor_low, floor_high, p, shuffles.

    shuffled, share: as in profiles_with_floor. The window is that of the frame, attrs["window"].
    """
    parts, window = [], frame.attrs.get("window")
    for label, curve in frame.groupby(frame["selector"].astype(str), sort=False):
        parts.append(
            curve_with_floor(curve, _shuffle_curves(shuffled.get(str(label), ()), partial(marginal_terms, window=window), share))
        )
    joined = _joined(parts)
    joined.attrs["window"] = window
    return joined


def _shuffle_curves(controls, terms_of, share):
    """[((K,) k, (K,) value)] of the shuffles that rank enough features. terms_of: runs -> (Terms, k)."""
    floors = []
    for few in controls:
        try:
            terms, ks = terms_of(few)
        except InputError:
            continue
        floors.append((ks, terms.value() if share is None else terms.weighted_value(share)))
    return floors


def curve_with_floor(curve, floors, noise=0.0):
    """A curve DataFrame(k, value, …) with the columns of its floor. floors: [((K,) k, (K,) value)] of each shuffle.

    noise: (K,) variance of a shuffle due to few runs, see inference.noise_floor.difference_from_floor.
    """
    values = np.full((len(floors), len(curve)), np.nan)
    for row, (ks, value) in zip(values, floors, strict=True):
        row[:] = curve["k"].map(dict(zip(np.asarray(ks).tolist(), np.asarray(value).tolist(), strict=True))).to_numpy(dtype=float)
    n_values = (~np.isnan(values)).sum(axis=0)
    complete = n_values == len(values)
    values[:, complete] = shrunken_floors(values[:, complete], np.broadcast_to(noise, complete.shape)[complete])
    at_least = np.count_nonzero(values >= curve["value"].to_numpy() - TOLERANCE, axis=0)
    some = np.where((n_values > 0) & curve["value"].notna().to_numpy(), 1, np.nan)
    filled = np.where(n_values > 0, values, 0.0)
    floor, low, high = (some * of(filled, axis=0) if len(floors) else np.nan for of in (np.nanmean, np.nanmin, np.nanmax))
    p = some * (1 + at_least) / (n_values + 1)
    return curve.assign(floor=floor, floor_low=low, floor_high=high, p=p, shuffles=n_values)


def _joined(parts):
    columns = ["selector", "k", "value", "low", "high", "floor", "floor_low", "floor_high", "p", "shuffles"]
    return pd.concat(parts, ignore_index=True)[columns] if parts else pd.DataFrame(columns=columns)
