"""Survival by predicted risk: Kaplan–Meier curves of thirds of the held-out rows, with the rows at risk below."""

from stabcore.analysis.risk_groups import GROUPS, risk_groups
from stabcore.base.target import target_columns
from stabcore.plots.marks import line
from stabcore.plots.names import safe
from stabcore.plots.style import FLOOR_COLOUR, MEASURED, SECOND_CLASS, empty_figure, translucent

COLOURS = dict(zip(GROUPS, (MEASURED, FLOOR_COLOUR, SECOND_CLASS), strict=True))
ABOUT_AT_RISK = "Below: rows at risk. Bands: 95% interval at each time, the thirds taken as given."


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
    figure = empty_figure(x=safe(frame.attrs["time"]), y="Share without the event", height=460)
    for group in GROUPS:
        part, colour = frame[frame["group"] == group], COLOURS[group]
        band = part.dropna(subset=["low", "high"])
        steps = {"shape": "hv"}
        for name, fill in (("high", None), ("low", "tonexty")):
            figure.add_trace(line(band["time"], band[name], colour, 0, line=steps, fill=fill, fillcolor=translucent(colour)))
        name = f"{group}: {part['events'].iloc[0]:,} events in {part['rows'].iloc[0]:,} rows"
        hover = {"hovertemplate": "%{x}: %{y:.0%}<extra></extra>", "hoverinfo": None}
        figure.add_trace(line([0, *part["time"]], [1, *part["survival"]], colour, 2, line=steps, name=name, **hover))
    for count in sorted(frame.attrs["counts"], key=lambda count: GROUPS.index(count["group"])):
        place = {"x": count["time"], "y": -0.32 - 0.07 * GROUPS.index(count["group"]), "yref": "paper", "showarrow": False}
        figure.add_annotation(text=f"{count['at_risk']:,}", font={"color": COLOURS[count["group"]]}, **place)
    figure.update_yaxes(range=[0, 1.02], tickformat=".0%")
    figure.update_xaxes(rangemode="tozero")
    figure.update_layout(margin={"b": 150})
    return figure
