"""One feature: its selection frequency with each selector, and its ranks."""

from __future__ import annotations

import numpy as np

from stabcore.analysis.feature_profile import ranks_of, usual_ranks
from stabcore.base.text import join_tied, several
from stabcore.plots.marks import bars, points, tick
from stabcore.plots.names import name_rows, row_name, safe
from stabcore.plots.noise_floor import describe_without_signal
from stabcore.plots.style import FLOOR_COLOUR, blank, channels
from stabcore.selectors.baseline import rivals


def finding_frequency(table, feature) -> str:
    """Describe the range of the selection frequencies, of feature_profile, without baselines."""
    table = rivals(table)
    if table.empty:
        return f"Only a random ranking was asked for {feature}."
    highest, lowest = (table.loc[table["frequency"].idxmax()], table.loc[table["frequency"].idxmin()])
    if highest["frequency"] == lowest["frequency"]:
        return f"{feature} is selected in {highest['frequency']:.0%} of the runs of {several(len(table), 'selector')}."
    return (
        f"{feature} is selected in {lowest['frequency']:.0%} ({lowest['selector']}) to {highest['frequency']:.0%} "
        f"({highest['selector']}) of the runs."
    )


def frame_frequency(table, result, k=None):
    """DataFrame(selector, frequency, line) of analysis.feature_profile.feature_profile.

    line: the largest selection frequency of any feature with the outcome shuffled; missing without a permutation control.
    """
    return table[["selector", "frequency"]].assign(
        line=[result.frequency_line(selector, k) if result.has_control else np.nan for selector in table["selector"]]
    )


def describe_frequency_line(frame, result) -> str:
    """Describe which selectors select the feature more often than any in the shuffles; "" without a permutation control."""
    judged = rivals(frame).dropna(subset="line")
    above = judged[judged["frequency"] > judged["line"]]["selector"].tolist()
    if judged.empty:
        return ""
    if not above:
        return "No selector selects it more often than the most frequent feature with the outcome shuffled."
    return (
        f"It is selected more often than any feature with the outcome shuffled by {join_tied(above)} "
        f"({describe_without_signal(result)})."
    )


def draw_frequency(frame):
    """Draw a bar per selector: the selection frequency, and the largest one of the shuffles as a tick."""
    shown = frame.iloc[::-1].reset_index(drop=True)
    figure, styles = blank(x="Share of the runs", height=120 + 36 * len(shown)), channels(frame["selector"])
    hovers = [f"{safe(row.selector)}: {row.frequency:.0%}" for row in shown.itertuples()]
    colours = [styles[name][0] for name in shown["selector"]]
    figure.add_trace(bars(shown["frequency"], shown.index, colours, hovers, showlegend=False, width=0.55))
    judged = shown.dropna(subset="line")
    if len(judged):
        look = {"name": "most frequent feature, outcome shuffled", "hovertemplate": "%{x:.0%}<extra></extra>"}
        figure.add_trace(points(judged["line"], judged.index, tick(20, 3, FLOOR_COLOUR), **look))
    figure.update_xaxes(range=[0, 1.04], tickformat=".0%")
    return name_rows(figure, list(shown.index), [row_name(name) for name in shown["selector"]])


def frame_ranks(runs_of, feature):
    """DataFrame(selector, run, rank): every rank of a feature, of the selectors that rank."""
    return ranks_of(runs_of, feature)


def finding_ranks(frame, feature, n_features) -> str:
    """Describe the narrowest and the widest range of ranks of a feature, without baselines."""
    frame = rivals(frame)
    if frame.empty:
        return f"No selector here ranks {feature}."
    ranks = usual_ranks(frame)
    width = ranks["high"] - ranks["low"]
    narrow, wide = width.idxmin(), width.idxmax()
    sentence = (
        f"Among {several(n_features, 'feature')}, {feature} ranks {_format_ranks(ranks.loc[narrow])} with {narrow} in at least 90% "
        "of the runs."
    )
    if width.min() == width.max():
        return sentence
    return f"{sentence} The range is widest with {wide}: {_format_ranks(ranks.loc[wide])}."


def _format_ranks(row) -> str:
    return f"{row['low']:.0f} to {row['high']:.0f}" if row["high"] > row["low"] else f"{row['low']:.0f}"


def draw_ranks(frame):
    """Draw a box per selector over the ranks of all runs. The best rank is at the left."""
    styles = channels(frame["selector"].unique())
    figure = blank(x="Rank (1 = best)", height=120 + 36 * len(styles))
    look = {"type": "box", "orientation": "h", "boxpoints": "outliers", "showlegend": False, "width": 0.55}
    for position, (label, (colour, _, _)) in enumerate(styles.items()):
        ranks = frame.loc[frame["selector"] == label, "rank"]
        place = {"x": ranks, "y": [position] * len(ranks), "name": safe(label)}
        figure.add_trace({**place, "marker": {"color": colour}, **look})
    return name_rows(figure, range(len(styles)), [row_name(name) for name in styles], autorange="reversed", showgrid=False)
