"""One measure of every selector with chosen settings: options, kind of interval, a value to test against."""

from typing import Any, NamedTuple

import pandas as pd

from stabcore.base.errors import InputError
from stabcore.inference.estimate import stability
from stabcore.measures.catalog import entry
from stabcore.similarity.similarity import Similarity
from stabcore.study.results import AnyResult

UNDEFINED, SKIP, ZERO = "undefined", "leave these pairs out", "count them as 0"


class Setting(NamedTuple):
    """An option of a measure in a form. values: {label: value}. Empty for a number from low to high."""

    label: str
    meaning: str
    values: dict[str, Any]
    low: float = 0.0
    high: float = 1.0


SETTINGS = {
    "penalty": Setting(
        "Penalty for long lists (α)",
        "α of Davis et al.: penalty for a list of all features, with values 0, 1, 2 and 10 in Bommert et al. 2017",
        {},
        high=100.0,
    ),
    "corrected": Setting(
        "Correction for chance",
        "Chance-corrected: (value − expected)/(largest − expected)",
        {"corrected": True, "not corrected": False},
    ),
    "undefined": Setting(
        "Pairs of runs without a value", "Some measures are undefined for an empty run", {UNDEFINED: None, SKIP: "skip", ZERO: 0.0}
    ),
    "ties": Setting(
        "Ties",
        "Average ranks overstate the stability of a selector with many equal scores (Kalousis et al. 2005, section 4)",
        {"at random": "random", "average rank": "average"},
    ),
    "threshold": Setting("Similar from (θ)", "Entries of C below it count as 0", {}),
    "p": Setting("Weight of the first ranks (p)", "A larger p compares further down the two rankings", {}, 0.01, 0.999),
}


def measure_settings(measure: str) -> dict[str, Setting]:
    """Return {option: Setting} of a measure."""
    return {name: SETTINGS[name] for name in entry(measure).options if name in SETTINGS}


def values_with_settings(
    result: AnyResult,
    measure: str,
    similarity: Similarity | None = None,
    k: int | None = None,
    *,
    interval: str | None = None,
    against: float | None = None,
    **options: Any,
) -> pd.DataFrame:
    """DataFrame(selector, value, low, high, method, p_value, note), one row per selector: one measure with these options.

    interval: "published" (nogueira), "jackknife", or None for the default. against: p_value is the one-sided p-value
    of the hypothesis that the stability is at most this. Values that cannot be computed have a note instead. Raises InputError for
    an unknown measure or option.
    """
    allowed = entry(measure).options
    unknown = [name for name in options if name not in allowed]
    if unknown:
        raise InputError(f"{measure} has no option {unknown[0]!r}. Its options are: {', '.join(allowed) or 'none'}.")
    rows: list[dict[str, Any]] = []
    for label in result.finished_selectors:
        try:
            estimate = stability(result.selections(label, k), measure, similarity=similarity, interval=interval, **options)
        except InputError as error:
            rows.append({"selector": label, "note": str(error)})
            continue
        p_value = float("nan") if against is None else estimate.p_value(against)
        note = estimate.reason or estimate.no_interval or " ".join(estimate.warnings)
        rows.append({"selector": label, **vars(estimate), "p_value": p_value, "note": note})
    return pd.DataFrame(rows, columns=["selector", "value", "low", "high", "method", "p_value", "note"])
