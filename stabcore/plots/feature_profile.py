"""One feature: how often each selector takes it, and the ranks that it got in their runs."""

from __future__ import annotations

import numpy as np

from stabcore.analysis.feature_profile import ranks_of, usual_ranks
from stabcore.base.text import all_of, join_tied, several
from stabcore.plots.names import name_rows, row_name, safe
from stabcore.plots.noise_floor import describe_without_signal
from stabcore.plots.style import FLOOR_COLOUR, blank, channels
from stabcore.plots.values import highest
from stabcore.selectors.baseline import rivals


def finding_frequency(table, feature) -> str:
    """Which selectors take the feature most often, of a feature_profile, in one sentence; without baselines."""
    table = rivals(table)
    if table.empty:
        return f"Nobody but the random ranking was asked for {feature}."
    often = table["frequency"].max()
    if often == 0:
        return f"No selector takes {feature} in any run."
    best = highest(table["selector"], 100 * table["frequency"], decimals=0)
    if len(best) == len(table) > 1:
        return f"{feature} is selected in {often:.0%} of the runs of {all_of(len(best), 'selector')}."
    most = ", where it comes most often" if len(table) > 1 else ""
    return f"{feature} is selected in {often:.0%} of the runs of {join_tied(best)}{most}."


def frame_frequency(table, result, k=None):
    """DataFrame(selector, frequency, line) of a analysis.feature_profile.feature_profile.

    line: the largest share of the runs in which any feature came with the outcome shuffled; missing where nobody shuffled it.
    """
    return table[["selector", "frequency"]].assign(
        line=[result.frequency_line(selector, k) if result.has_control else np.nan for selector in table["selector"]]
    )


def describe_frequency_line(frame, result) -> str:
    """How often a feature is selected beside the luckiest one with the outcome shuffled, in one sentence; "" without a control."""
    judged = rivals(frame).dropna(subset="line")
    if judged.empty:
        return ""
    above = judged[judged["frequency"] > judged["line"]]["selector"].tolist()
    if not above:
        return "No selector selects it more often than the luckiest feature with the outcome shuffled."
    who = "selects" if len(above) == 1 else "select"
    return f"{join_tied(above)} {who} it more often than any feature with the outcome shuffled ({describe_without_signal(result)})."


def draw_frequency(frame):
    """A bar a selector: the share of its runs that take the feature, and the line that it has to pass."""
    shown = frame.iloc[::-1].reset_index(drop=True)
    figure = blank(x="Share of the runs", height=120 + 36 * len(shown))
    styles = channels(frame["selector"])
    figure.add_bar(
        x=shown["frequency"],
        y=shown.index,
        orientation="h",
        showlegend=False,
        width=0.55,
        marker={"color": [styles[name][0] for name in shown["selector"]]},
        hoverinfo="text",
        textposition="none",
        text=[f"{safe(row.selector)}: {row.frequency:.0%}" for row in shown.itertuples()],
    )
    judged = shown.dropna(subset="line")
    if len(judged):
        figure.add_scatter(
            x=judged["line"],
            y=judged.index,
            mode="markers",
            name="most of any feature, outcome shuffled",
            marker={"symbol": "line-ns-open", "size": 20, "color": FLOOR_COLOUR, "line": {"width": 3, "color": FLOOR_COLOUR}},
            hovertemplate="%{x:.0%}<extra></extra>",
        )
    figure.update_xaxes(range=[0, 1.04], tickformat=".0%")
    name_rows(figure, list(shown.index), [row_name(name) for name in shown["selector"]])
    return figure


def frame_ranks(runs_of, feature):
    """DataFrame(selector, run, rank): every rank of a feature, of the selectors that rank."""
    return ranks_of(runs_of, feature)


def finding_ranks(frame, feature, n_features) -> str:
    """Where the feature stands among so many in one sentence; ranks drawn by lot are no news."""
    frame = rivals(frame)
    if frame.empty:
        return f"No selector here ranks {feature}."
    ranks, whose = usual_ranks(frame), f"Among {several(n_features, 'feature')} {feature}"
    reach = ranks["high"] - ranks["low"]
    steady = highest(ranks.index, -reach, decimals=0)
    if len(steady) > 1:
        who = (
            f"equally steadily with {all_of(len(steady), 'selector')}"
            if len(steady) == len(ranks)
            else f"most steadily with {join_tied(steady)}"
        )
        apart = f"its ranks lie up to {reach.min():.0f} apart" if reach.min() else "its rank is the same"
        every = (ranks.loc[steady, "inside"] == ranks.loc[steady, "runs"]).all()
        return f"{whose} ranks {who}: in {'all' if every else 'at least nine of ten'} runs {apart}."
    rest = reach.drop(steady[0])
    if rest.empty:
        return f"{whose} ranks with {steady[0]} {_describe_ranks(ranks.loc[steady[0]])}."
    after = highest(rest.index, -rest, decimals=0)
    beside = (
        f"with the next, {after[0]}, {_describe_ranks(ranks.loc[after[0]])}"
        if len(after) == 1
        else f"with {join_tied(after)}, the next, nine of ten lie up to {rest.min():.0f} apart"
    )
    return f"{whose} ranks most steadily with {steady[0]}: {_describe_ranks(ranks.loc[steady[0]])}; {beside}."


def _describe_ranks(row) -> str:
    """From which rank to which in how many runs."""
    where = f"between {row['low']:.0f} and {row['high']:.0f}" if row["high"] > row["low"] else f"at {row['low']:.0f}"
    return f"{where} in " + (
        f"all {row['runs']:.0f} runs" if row["inside"] == row["runs"] else f"{row['inside']:.0f} of {row['runs']:.0f} runs"
    )


def draw_ranks(frame):
    """One box a selector over the ranks of all runs; the best rank is at the left."""
    styles = channels(frame["selector"].unique())
    figure = blank(x="Rank (1 = best)", height=120 + 36 * len(styles))
    for place, (label, (colour, _, _)) in enumerate(styles.items()):
        ranks = frame.loc[frame["selector"] == label, "rank"]
        figure.add_box(
            x=ranks,
            y=[place] * len(ranks),
            orientation="h",
            name=safe(label),
            marker_color=colour,
            boxpoints="outliers",
            showlegend=False,
            width=0.55,
        )
    name_rows(figure, range(len(styles)), [row_name(name) for name in styles], autorange="reversed", showgrid=False)
    return figure
