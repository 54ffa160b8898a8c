"""Survival by predicted risk: Kaplan–Meier curves of thirds of the held-out rows, with the rows at risk below."""

from __future__ import annotations

from stabcore.analysis.risk_groups import GROUPS, risk_groups
from stabcore.base.target import target_columns
from stabcore.plots.names import safe
from stabcore.plots.style import FLOOR_COLOUR, MEASURED, SECOND_CLASS, blank, translucent

COLOURS = dict(zip(GROUPS, (MEASURED, FLOOR_COLOUR, SECOND_CLASS), strict=True))
AT_RISK = "Below: rows at risk. Bands: 95% interval at each time, the thirds taken as given."


def frame_survival(result, selector):
    """DataFrame of analysis.risk_groups with the name of the time in attrs."""
    frame = risk_groups(result, selector)
    columns = target_columns(result.settings["data"]["target"])
    time = f"days since {columns[0]}" if len(columns) == 3 else columns[0]
    frame.attrs |= {"selector": selector, "time": time}
    return frame


def finding_survival(frame) -> str:
    """The shares of the third at low and at high risk without the event, in one sentence."""
    counts = frame.attrs["counts"]
    time = counts[len(counts) // len(GROUPS) // 2]["time"]  # in the middle, where rows of each third are still followed
    shares = {}
    for group in (GROUPS[-1], GROUPS[0]):
        before = frame[(frame["group"] == group) & (frame["time"] <= time)]["survival"]
        shares[group] = before.iloc[-1] if len(before) else 1.0
    high, low = shares.values()
    return f"At {frame.attrs['time']} = {time:.3g}, {high:.0%} of the third at high risk and {low:.0%} at low risk had no event."


def draw_survival(frame):
    """One step curve with its band per third, and the rows at risk at even times below the axis."""
    figure = blank(x=safe(frame.attrs["time"]), y="Share without the event", height=460)
    for group in GROUPS:
        part, colour = frame[frame["group"] == group], COLOURS[group]
        band = part.dropna(subset=["low", "high"])
        for name, fill in (("high", None), ("low", "tonexty")):
            figure.add_scatter(
                x=band["time"],
                y=band[name],
                mode="lines",
                line={"width": 0, "shape": "hv", "color": colour},
                fill=fill,
                fillcolor=translucent(colour),
                hoverinfo="skip",
                showlegend=False,
            )
        figure.add_scatter(
            x=[0, *part["time"]],
            y=[1, *part["survival"]],
            mode="lines",
            line={"shape": "hv", "color": colour, "width": 2},
            name=f"{group} ({part['events'].iloc[0]:,} of {part['rows'].iloc[0]:,} rows)",
            hovertemplate="%{x}: %{y:.0%}<extra></extra>",
        )
    for number, group in enumerate(GROUPS):
        for count in (counted for counted in frame.attrs["counts"] if counted["group"] == group):
            figure.add_annotation(
                x=count["time"],
                y=-0.32 - 0.07 * number,
                yref="paper",
                text=f"{count['at_risk']:,}",
                font={"color": COLOURS[group]},
                showarrow=False,
            )
    figure.update_yaxes(range=[0, 1.02], tickformat=".0%")
    figure.update_xaxes(rangemode="tozero")
    figure.update_layout(margin={"b": 150})
    return figure
