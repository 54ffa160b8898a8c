"""Curves over the number of features beside those of the same selectors with the outcome shuffled."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from stabcore.analysis.knots import marginal_terms
from stabcore.analysis.profiles import profile, profile_terms
from stabcore.errors import InputError
from stabcore.inference.control import steadied
from stabcore.inference.estimate import deviate

if TYPE_CHECKING:
    import pandas as pd

    from stabcore.measures.entry import MeasureLike
    from stabcore.preferences import Preferences
    from stabcore.relation.relation import Relation

COLUMNS = ("k", "floor", "floor_low", "floor_high", "p", "shuffles")
SAME = 1e-12            # values closer than this are equal but for rounding


def profiles_beside(runs: dict[str, Preferences], shuffled: dict[str, list[Preferences]], measure: MeasureLike = "nogueira", *,
                    relation: Relation | None = None, share: float | None = None) -> pd.DataFrame:
    """DataFrame(selector, k, value, low, high, floor, floor_low, floor_high, p, shuffles): `profile` of each selector beside it.

    runs: {selector: Preferences}; shuffled: {selector: one Preferences for each shuffle of the outcome}; share: of the pairs of
    runs of the study that lie within a unit of the shuffles, see inference.control.against. floor: mean over the shuffles that
    rank so many features; floor_low, floor_high: their range; p = (1 + #{shuffles ≥ value})/(S + 1); NaN without a shuffle.
    Source: of the measure, see sc.list_measures().
    """
    parts = []
    for label, one in runs.items():
        curve = profile(one, measure, relation=relation, baseline=False)
        floors, few = [], None
        for few in shuffled.get(label, ()):
            try:
                terms, ks = profile_terms(few, measure, relation=relation, sizes=curve["k"])
            except InputError:                  # this shuffle ranks nothing
                continue
            floors.append((ks, terms.value() if share is None else terms.value_with(share)))
        noise = 0.0
        if few is not None and share is not None:           # of the interval's wider side, the variance of so few runs
            value, low, high = (curve[name].to_numpy(dtype=float) for name in ("value", "low", "high"))
            reach = np.fmax(value - low, high - value)
            noise = (reach / deviate(0.95)) ** 2 * one.n_runs / few.n_runs
        parts.append(beside(curve, floors, noise).assign(selector=label))
    return _joined(parts, "k")


def marginal_beside(frame: pd.DataFrame, shuffled: dict[str, list[Preferences]], share: float | None = None) -> pd.DataFrame:
    """The DataFrame of analysis.knots.marginal_stabilities with the columns floor, floor_low, floor_high, p, shuffles.

    shuffled, share: as profiles_beside takes them. The window is that of the frame, attrs["window"].
    """
    parts, window = [], frame.attrs.get("window")
    for label, curve in frame.groupby(frame["selector"].astype(str), sort=False):
        floors = []
        for few in shuffled.get(str(label), ()):
            try:
                ks, terms = marginal_terms(few, window)
            except InputError:                  # this shuffle ranks too few
                continue
            floors.append((ks, terms.value() if share is None else terms.value_with(share)))
        parts.append(beside(curve, floors))
    joined = _joined(parts, "k")
    joined.attrs["window"] = window
    return joined


def beside(curve, floors, noise=0.0):
    """A curve DataFrame(k, value, …) with the columns of its floor; floors: [((K,) k, (K,) value)] of each shuffle.

    noise: (K,) what few runs add to the variance of a shuffle, see inference.control.beside_floor.
    """
    values = np.full((len(floors), len(curve)), np.nan)
    for row, (ks, value) in zip(values, floors, strict=True):
        row[:] = curve["k"].map(dict(zip(np.asarray(ks).tolist(), np.asarray(value).tolist(), strict=True))).to_numpy(dtype=float)
    known = (~np.isnan(values)).sum(axis=0)
    whole = known == len(values)
    values[:, whole] = steadied(values[:, whole], np.broadcast_to(noise, whole.shape)[whole])
    at_least = np.count_nonzero(values >= curve["value"].to_numpy() - SAME, axis=0)
    some = np.where((known > 0) & curve["value"].notna().to_numpy(), 1, np.nan)
    filled = np.where(known > 0, values, 0.0)
    return curve.assign(
        floor=some * np.nanmean(filled, axis=0) if len(floors) else np.nan,
        floor_low=some * np.nanmin(filled, axis=0) if len(floors) else np.nan,
        floor_high=some * np.nanmax(filled, axis=0) if len(floors) else np.nan,
        p=some * (1 + at_least) / (known + 1), shuffles=known)


def _joined(parts, k):
    import pandas as pd

    columns = ["selector", k, "value", "low", "high", *COLUMNS[1:]]
    return pd.concat(parts, ignore_index=True)[columns] if parts else pd.DataFrame(columns=columns)
