"""Seed variability: the share of the disagreement between runs of a selector due to its random seed."""

from __future__ import annotations

import numpy as np

from stabcore.base.text import join_tied
from stabcore.plots.marks import bars, error_bar, points
from stabcore.plots.names import name_rows, row_name, safe
from stabcore.plots.style import PALETTE, REST, blank

WHISKER = ((4, "#F0F0F0"), (2, "#303030"))  # a dark line with light edges: visible on a bar, and next to it on dark screens
NEARLY_ALL, LITTLE = 0.75, 0.25  # shares of the disagreement


def frame_seed_variability(table):
    """DataFrame(selector, share, low, high, rows, runs, text, note, baseline, sentence) of result.seed_variability, largest first.

    rows: 1 − share, due to the rows. text: the share with its interval. baseline: whether it selects at random.
    """
    frame = table.reset_index().sort_values("share", ascending=False, kind="stable", ignore_index=True)
    frame["rows"] = 1 - frame["share"]
    frame["text"] = [_format_share(*row) for row in frame[["share", "low", "high"]].itertuples(index=False)]
    frame["baseline"] = frame["steadied_by"] == "nothing"
    frame["sentence"] = [describe_seed_variability(row) for row in frame.to_dict("records")]
    return frame[["selector", "share", "low", "high", "rows", "runs", "text", "note", "baseline", "sentence"]]


def _format_share(share, low, high) -> str:
    if np.isnan(share):
        return "undefined"
    return f"{share:.0%}" + ("" if np.isnan(low) else f" (95% CI {low:.0%} to {high:.0%})")


def describe_seed_variability(row) -> str:
    """Describe the share of one selector, and how to reduce it. Large and small require the whole interval to be."""
    selector, share, low, high = row["selector"], row["share"], row["low"], row["high"]
    if np.isnan(share) or share == 0:
        return f"{selector}: {row['note']}."
    text = f"{selector}: the seed explains {_format_share(share, low, high)} of the disagreement."
    if row["baseline"]:
        return f"{text} It selects at random."
    remedy = row["steadied_by"] or "averaging several fits"
    if high <= LITTLE:
        return f"{text} The patients of each run explain the rest."
    patients = "More patients would not reduce it." if low >= NEARLY_ALL else "The patients of each run explain the rest."
    return f"{text} {patients} Remedy: {remedy}."


def finding_seed_variability(frame) -> str:
    """Describe the selectors whose disagreement is nearly all due to the seed, or the range of the shares."""
    defined = frame.dropna(subset="share")
    if defined.empty:
        return "No two fits of any selector disagree."
    if not defined["baseline"].all():
        defined = defined[~defined["baseline"]]
    if len(defined) == 1:
        return defined["sentence"].iloc[0]
    nearly_all = defined.loc[defined["low"] >= NEARLY_ALL, "selector"].tolist()
    if nearly_all:
        return f"The seed explains nearly all of the disagreement of {join_tied(nearly_all)}."
    sentence = (
        f"The seed explains {defined['share'].min():.0%} to {defined['share'].max():.0%} of the disagreement of {len(defined)} "
        "selectors."
    )
    first, others = defined.iloc[0], defined.iloc[1:]
    return f"{sentence} The share of {first['selector']} is the largest." if first["low"] > others["high"].max() else sentence


def draw_seed_variability(frame):
    """Draw a bar per selector: the part of its disagreement due to the seed, with its interval, and the rest."""
    shown = frame.dropna(subset="share").iloc[::-1]
    figure = blank(x="Share of the disagreement<br>between runs", height=110 + 44 * max(len(shown), 2))
    positions = np.arange(len(shown))
    hovers = [f"{safe(selector)}: seed {text}" for selector, text in zip(shown["selector"], shown["text"])]
    for column, name, colour in (("share", "seed", PALETTE[1]), ("rows", "patients of a run", REST)):
        figure.add_trace(bars(shown[column], positions, colour, hovers, name=name, width=0.5))
    low, high = (shown[end].fillna(shown["share"]) for end in ("low", "high"))
    for thick, colour in WHISKER:
        interval = error_bar(shown["share"], low, high, color=colour, thickness=thick, width=6)
        figure.add_trace(points(shown["share"], positions, {"color": colour, "size": 1}, showlegend=False, error_x=interval))
    figure.update_layout(barmode="stack")
    figure.update_xaxes(range=[0, 1.04], tickvals=[0, 0.25, 0.5, 0.75, 1], tickformat=".0%")
    return name_rows(figure, positions, [row_name(name) for name in shown["selector"]])
