"""The ranks that one feature got in the runs of each selector."""

from __future__ import annotations

from stabcore.figures.style import blank, channels, safe
from stabcore.passport import ranks_of


def frame_ranks(runs_of, feature):
    """DataFrame(selector, run, rank): every rank of a feature, of the selectors that rank."""
    return ranks_of(runs_of, feature)


def finding_ranks(frame, feature) -> str:
    """Where the feature stands in one sentence."""
    if frame.empty:
        return f"No selector here ranks {feature}."
    spread = frame.groupby("selector", sort=False)["rank"].agg(["min", "max"])
    steady = (spread["max"] - spread["min"]).idxmin()
    return (f"{feature} ranks most steadily with {steady}: between {spread.loc[steady, 'min']:.0f} and "
            f"{spread.loc[steady, 'max']:.0f}.")


def draw_ranks(frame):
    """One box a selector over the ranks of all runs; the best rank is at the top."""
    import plotly.graph_objects as go

    figure = blank(y="Rank (1 = best)", height=340)
    for label, (colour, _, _) in channels(frame["selector"].unique()).items():
        ranks = frame.loc[frame["selector"] == label, "rank"]
        figure.add_trace(go.Box(y=ranks, name=safe(label), marker_color=colour, boxpoints="outliers", showlegend=False))
    figure.update_yaxes(autorange="reversed")
    return figure
