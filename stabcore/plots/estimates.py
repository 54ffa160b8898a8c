"""Measured stabilities with their intervals, one row a selector."""

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
    "Intervals (95%) say how much the number would move with other resamples of this dataset; the runs share rows, so "
    "they do not speak of new patients."
)
INTERVALS_OF_UPLOADED = (
    "Intervals (95%) say how much the number would move with other runs made in the same way. Where these are "
    "resamples "
    "of one dataset, that does not speak of new patients."
)
FEW_RUNS = (
    f"With fewer than {ENOUGH} runs Nogueira has the interval of the jackknife, as all others have: in simulations the "
    "published one held the truth too seldom (with 10 runs 83 times of 100, with 3 runs 46)."
)


def describe_intervals(result) -> str:
    """What the intervals of a result say and do not say: of a study, or of runs of which nobody knows how they were made."""
    return INTERVALS if getattr(result, "plan", None) is not None else INTERVALS_OF_UPLOADED


def table_estimates(table, keys, floors=None):
    """DataFrame(selector, measure, label, value, low, high, floor, floor_low, floor_high, note, text) of a result table.

    One row a selector and measure. keys: the measures (keys, or one's own) that the table was asked for. floors: {key: DataFrame as
    stabcore.analysis.noise_floors gives it} of those whose floor is known.
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
    """What is to be known of values of a table_estimates, each note once: whose by which measure, unless it is about all."""
    everybody, sentences = frame["selector"].nunique(), []
    for note, rows in frame[frame["note"] != ""].groupby("note", sort=False):
        alike: dict[tuple, list] = {}
        for label, named in rows.groupby("label", sort=False):
            alike.setdefault(tuple(named["selector"]), []).append(label)
        of = "; ".join(
            f"{joined(labels)} of {'every selector' if len(who) == everybody > 1 else join_tied(list(who), 5)}"
            for who, labels in alike.items()
        )
        sentences.append(f"{note.rstrip('.')}." if len(rows) == len(frame) > 1 else f"{of}: {note.rstrip('.')}.")
    return sentences


def wide_estimates(frame):
    """DataFrame selector × measure of what is written, and beside each measure its floor where that of any selector is known."""
    wide = frame.pivot(index="selector", columns="label", values="text")
    columns = {}
    for label, rows in frame.groupby("label", sort=False):
        columns[label] = wide[label]
        floor = rows.set_index("selector")["floor"]
        if floor[~floor.index.map(is_baseline)].notna().any():
            columns[f"{label}: {FLOOR}"] = floor.map(lambda value: "not known" if np.isnan(value) else rounded(value))
    return wide.assign(**columns)[list(columns)]
