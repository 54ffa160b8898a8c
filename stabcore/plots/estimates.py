"""Measured stabilities with their intervals, one row per selector, and numbers as text and ticks."""

import numpy as np
import pandas as pd

from stabcore.base.text import counted, join_tied, joined, rounded
from stabcore.inference.estimate import RUNS_FOR_PUBLISHED_INTERVAL
from stabcore.measures.catalog import entries
from stabcore.plots.style import FLOOR_NAME
from stabcore.selectors.baseline import is_baseline

FEW_TICK_STEPS = (0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50)
TICK_STEPS = (1, 2, 2.5, 5, 10)  # times a power of ten
MAX_TICKS = 6


def format_estimate(value, low, high) -> str:
    """Format a value with its interval for a table: 0.41 [0.38, 0.43]."""
    if np.isnan(value):
        return "undefined"
    if np.isnan(high):  # the runs never differ, so there is at most a lower limit
        return rounded(value) if np.isnan(low) else f"{rounded(value)}, at least {rounded(low)}"
    return f"{rounded(value)} [{rounded(low)}, {rounded(high)}]"


def format_with_range(value, low, high) -> str:
    """Format a mean with its range: 0.12 (0.05 to 0.20), "" if missing."""
    if np.isnan(value):
        return ""
    return rounded(value) if np.isnan(low) else f"{rounded(value)} ({rounded(low)} to {rounded(high)})"


def format_range(values, percent=False) -> str:
    """Format the range of some values: 0.40, or 0.40 to 0.70. percent: 40%, or 40.2% to 70%."""
    low, high = (f"{100 * end:.1f}".removesuffix(".0") + "%" if percent else rounded(end) for end in (min(values), max(values)))
    return high if low == high else f"{low} to {high}"


def format_p(p) -> str:
    """Format a p-value for a sentence."""
    return f"{p:.2f}" if p >= 0.01 else f"{p:.3f}"


def format_number(value, sign=False, digits=2) -> str:
    """Format a number for a picture: no leading 0, a proper minus, and with `sign` a plus."""
    text = f"{abs(value):.{digits}f}"
    zero = not float(text)
    text = "0" if zero and not sign else text.removeprefix("0")
    return ("−" if value < 0 and not zero else "+" if sign else "") + text


def format_on_unit_scale(value) -> str:
    """Format a number on an axis from 0 to 1: .38, −.1, 0, 1."""
    return f"{value:.4g}".replace("0.", ".", 1).replace("-", "−") if abs(value) < 1 and value else f"{value:g}".replace("-", "−")


def few_ticks(low, high) -> list[float]:
    """Return up to five round numbers between two ends."""
    step = next((step for step in FEW_TICK_STEPS if (high - low) / step <= 4.5), FEW_TICK_STEPS[-1])
    return [round(step * i, 9) for i in range(int(np.ceil(low / step)), int(np.floor(high / step)) + 1)]


def axis_ticks(low, high) -> list[float]:
    """Return at most MAX_TICKS round numbers on an axis from low to high."""
    width = max(high - low, 1e-9)
    power = 10.0 ** np.floor(np.log10(width / MAX_TICKS))
    step = next(step for step in np.outer((1, 10), TICK_STEPS).ravel() * power if width / step <= MAX_TICKS)
    return [round(float(i), 10) + 0.0 for i in np.arange(np.ceil(low / step), np.floor(high / step) + 1) * step]


INTERVAL_PARTS = {"value": "", "low": "_low", "high": "_high", "note": "_note"}
FLOOR_PARTS = ("floor", "floor_low", "floor_high")
ABOUT_INTERVALS = (
    "Intervals (95%) show how much a value would vary with other resamples of this dataset. All runs use rows of this dataset, so "
    "the intervals do not cover new patients."
)
ABOUT_INTERVALS_OF_UPLOADED = (
    "Intervals (95%) show how much a value would vary with other runs made in the same way. For resamples of one dataset they do "
    "not cover new patients."
)
FEW_RUNS = (
    f"With fewer than {RUNS_FOR_PUBLISHED_INTERVAL} runs, Nogueira's measure has a jackknife interval, as the other measures have. "
    "In simulations the published interval covered the truth in 83 of 100 studies with 10 runs, and in 46 with 3 runs."
)


def describe_intervals(result) -> str:
    """Describe what the intervals of a study, or of uploaded selections, cover."""
    return ABOUT_INTERVALS if getattr(result, "plan", None) is not None else ABOUT_INTERVALS_OF_UPLOADED


def finding_patient_intervals(table, limit=3) -> str:
    """The mean stability over tables of other patients, of two halves if known.

    table: DataFrame(selector, measure, of, patients_low, patients_high).
    """
    known = table[(table["measure"] == "nogueira") & table["patients_low"].notna()]
    known = known[known["of"] == "halves"] if (known["of"] == "halves").any() else known
    if known.empty:
        return "Other patients give another stability. Compute its interval for a selector."
    ends = [f"{rounded(row.patients_low)} to {rounded(row.patients_high)} ({row.selector})" for row in known.itertuples()]
    more = [f"that of {counted(len(ends) - limit, 'other selector')} below"] if len(ends) > limit else []
    halves = " of two halves" if (known["of"] == "halves").all() else ""
    return f"Over tables of other patients, the mean stability{halves} is {joined([*ends[:limit], *more])} (95% CI)."


def table_estimates(table, keys, floors=None):
    """DataFrame(selector, measure, label, value, low, high, floor, floor_low, floor_high, note, text) of a result table.

    One row per selector and measure. keys: the measures of the table (keys, or user-defined measures). floors: {key: DataFrame as
    from stabcore.analysis.noise_floors}, if the floor is known.
    """
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
    """DataFrame selector × measure of the values as text, with a column for each known noise floor."""
    wide = frame.pivot(index="selector", columns="label", values="text")
    columns = {}
    for label, rows in frame.groupby("label", sort=False):
        columns[label] = wide[label]
        floor = rows.set_index("selector")["floor"]
        if floor[~floor.index.map(is_baseline)].notna().any():
            columns[f"{label}: {FLOOR_NAME}"] = floor.map(lambda value: "unknown" if np.isnan(value) else rounded(value))
    return wide.assign(**columns)[list(columns)]
