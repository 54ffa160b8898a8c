"""How often each selector takes one feature, and the ranks that it got in their runs."""

from __future__ import annotations

from stabcore.figures.style import blank, channels, safe
from stabcore.figures.ties import top
from stabcore.passport import ranks_of
from stabcore.words import everyone, named


def finding_frequency(table, feature) -> str:
    """Which selectors take the feature most often, of a stabcore.passport.passport, in one sentence."""
    often = table["frequency"].max()
    if often == 0:
        return f"No selector takes {feature} in any run."
    best = top(table["selector"], 100 * table["frequency"], decimals=0)
    if len(best) == len(table) > 1:
        return f"{feature} is selected in {often:.0%} of the runs of {everyone(len(best), 'selector')}."
    most = ", where it comes most often" if len(table) > 1 else ""
    return f"{feature} is selected in {often:.0%} of the runs of {named(best)}{most}."


def frame_ranks(runs_of, feature):
    """DataFrame(selector, run, rank): every rank of a feature, of the selectors that rank."""
    return ranks_of(runs_of, feature)


def finding_ranks(frame, feature) -> str:
    """Where the feature stands in one sentence."""
    if frame.empty:
        return f"No selector here ranks {feature}."
    spread = frame.groupby("selector", sort=False)["rank"].agg(["min", "max"])
    reach = spread["max"] - spread["min"]
    steady = top(spread.index, -reach, decimals=0)
    if len(steady) > 1:
        who = f"equally steadily with {everyone(len(steady), 'selector')}" if len(steady) == len(spread) \
            else f"most steadily with {named(steady)}"
        return f"{feature} ranks {who}: " + (f"its ranks lie up to {reach.min():.0f} apart." if reach.min() else "always the same.")
    low, high = spread.loc[steady[0]]
    between = f"between {low:.0f} and {high:.0f}" if high > low else f"always {low:.0f}"
    return f"{feature} ranks {'' if len(spread) == 1 else 'most steadily '}with {steady[0]}: {between}."


def draw_ranks(frame):
    """One box a selector over the ranks of all runs; the best rank is at the top."""
    import plotly.graph_objects as go

    figure = blank(y="Rank (1 = best)", height=340)
    for label, (colour, _, _) in channels(frame["selector"].unique()).items():
        ranks = frame.loc[frame["selector"] == label, "rank"]
        figure.add_trace(go.Box(y=ranks, name=safe(label), marker_color=colour, boxpoints="outliers", showlegend=False))
    figure.update_yaxes(autorange="reversed")
    return figure
