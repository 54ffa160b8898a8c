"""Measured stabilities with their intervals, one row per selector."""

from __future__ import annotations

import numpy as np

from stabcore.base.text import join_tied, joined, rounded
from stabcore.inference.estimate import ENOUGH
from stabcore.measures.catalog import entries
from stabcore.plots.style import FLOOR
from stabcore.plots.values import format_estimate
from stabcore.selectors.baseline import is_baseline

INTERVAL_PARTS = {"value": "", "low": "_low", "high": "_high", "note": "_note"}
FLOOR_PARTS = ("floor", "floor_low", "floor_high")
INTERVALS = (
    "Intervals (95%) show how much a value would vary with other resamples of this dataset. The runs share rows, so the intervals "
    "do not cover new patients."
)
INTERVALS_OF_UPLOADED = (
    "Intervals (95%) show how much a value would vary with other runs made in the same way. For resamples of one dataset they do "
    "not cover new patients."
)
FEW_RUNS = (
    f"With fewer than {ENOUGH} runs, Nogueira's measure has a jackknife interval, as the other measures have. In simulations the "
    "published interval covered the truth in 83 of 100 studies with 10 runs, and in 46 with 3 runs."
)


def describe_intervals(result) -> str:
    """Describe what the intervals of a study, or of uploaded selections, cover."""
    return INTERVALS if getattr(result, "plan", None) is not None else INTERVALS_OF_UPLOADED


def table_estimates(table, keys, floors=None):
    """DataFrame(selector, measure, label, value, low, high, floor, floor_low, floor_high, note, text) of a result table.

    One row per selector and measure. keys: the measures of the table (keys, or user-defined measures). floors: {key: DataFrame as
    stabcore.analysis.noise_floors gives it}, where the floor is known.
    """
    import pandas as pd

    parts = []
    for measure in entries(keys):
        columns = {"selector": table.index, "measure": measure.key, "label": measure.label}
        columns |= {name: table[f"{measure.key}{end}"].to_numpy() for name, end in INTERVAL_PARTS.items()}
        floor = (floors or {}).get(measure.key)
        columns |= {name: np.nan if floor is None else floor[name].reindex(table.index).to_numpy() for name in FLOOR_PARTS}
        parts.append(pd.DataFrame(columns))
    frame = pd.concat(parts, ignore_index=True)
    frame["text"] = [format_estimate(*row) for row in frame[["value", "low", "high"]].itertuples(index=False)]
    return frame


def describe_notes(frame) -> list[str]:
    """List the notes on values of a table_estimates, each once, with measure and selectors unless it concerns all values."""
    n_selectors, sentences = frame["selector"].nunique(), []
    for note, rows in frame[frame["note"] != ""].groupby("note", sort=False):
        labels_of: dict[tuple, list] = {}
        for label, part in rows.groupby("label", sort=False):
            labels_of.setdefault(tuple(part["selector"]), []).append(label)
        for selectors, labels in labels_of.items():
            names = "every selector" if len(selectors) == n_selectors > 1 else join_tied(list(selectors), 5)
            lead = "" if len(rows) == len(frame) > 1 else f"{joined(labels)} of {names}: "
            sentences.append(f"{lead}{note.rstrip('.')}.")
    return sentences


def wide_estimates(frame):
    """DataFrame selector × measure of the values in words, with a column for each noise floor that is known."""
    wide = frame.pivot(index="selector", columns="label", values="text")
    columns = {}
    for label, rows in frame.groupby("label", sort=False):
        columns[label] = wide[label]
        floor = rows.set_index("selector")["floor"]
        if floor[~floor.index.map(is_baseline)].notna().any():
            columns[f"{label}: {FLOOR}"] = floor.map(lambda value: "unknown" if np.isnan(value) else rounded(value))
    return wide.assign(**columns)[list(columns)]
