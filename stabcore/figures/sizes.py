"""The number of features as a third criterion: all three at once, two at a time, and small among the accurate ones."""

from __future__ import annotations

from stabcore.figures.pareto import add_points, points
from stabcore.figures.style import blank, channels, safe
from stabcore.fronts import front, within
from stabcore.words import joined, several, two

AXES = {"size": "Mean number of selected features<br>(fewer is better)", "stability": "Stability", "accuracy": "Accuracy"}
SYMBOLS_3D = ("circle", "square", "diamond")            # those that there are hollow, too


def frame_space(table, key, accuracy="accuracy"):
    """DataFrame: the points with beaten_by and on_front by accuracy, stability and fewer features; without accuracy by two."""
    made = points(table, key, accuracy)
    criteria = ("accuracy", "stability", "size") if made["accuracy"].notna().any() else ("stability", "size")
    return front(made, criteria, smaller=["size"])


def finding_space(frame) -> str:
    """Who is on the front of all criteria, in one sentence."""
    on = frame[frame["on_front"]]["selector"].tolist()
    if not on:
        return "No selector has all of the criteria yet."
    words = "more accurate, more stable and smaller" if frame["accuracy"].notna().any() else "both more stable and smaller"
    return f"No other selector is at once {words} than {joined(on, 'or')}."


def draw_space(frame, axes=("size", "stability"), chosen=()):
    """A projection on two criteria, or all three in space. Filled: on the front of all criteria. customdata: rows of the frame."""
    own, styles = frame[frame["beaten_by"].notna()], channels(frame["selector"].unique())
    if len(axes) == 3:
        return _in_space(own, axes, styles)
    figure = blank(x=AXES[axes[0]], y=AXES[axes[1]], height=420)
    add_points(figure, own, *axes, styles, chosen=chosen)
    return figure


def _in_space(own, axes, styles):
    import plotly.graph_objects as go

    figure = blank(height=560)
    for row in own.to_dict("records"):
        colour, symbol, _ = styles[row["selector"]]
        name = safe(row["selector"])
        shape = SYMBOLS_3D[list(styles).index(row["selector"]) % len(SYMBOLS_3D)]
        figure.add_trace(go.Scatter3d(
            x=[row[axes[0]]], y=[row[axes[1]]], z=[row[axes[2]]], mode="markers+text", name=name,
            text=[name if row["on_front"] else ""], hoverinfo="text",
            marker={"color": colour, "size": 7, "symbol": shape if row["on_front"] else f"{shape}-open"},
            hovertext=[f"{name}<br>" + "<br>".join(f"{axis} {two(row[axis])}" for axis in axes)]))
    figure.update_layout(scene={f"{letter}axis": {"title": {"text": AXES[axis].split("<br>")[0]}}
                                for letter, axis in zip("xyz", axes, strict=True)})
    return figure


def frame_sizes(table, key, accuracy="accuracy", margin=0.05):
    """DataFrame: only the points within `margin` of the best accuracy, with beaten_by and on_front by stability and fewer
    features; without any accuracy, all points."""
    made = points(table, key, accuracy)
    if made["accuracy"].notna().any():
        made = within(made, "accuracy", margin)
    return front(made, ("stability", "size"), smaller=["size"])


def finding_sizes(frame, margin, total) -> str:
    """Who is small and stable among those that are accurate enough, in one sentence."""
    on = frame[frame["on_front"]]["selector"].tolist()
    if not on:
        return "No selector has all of the criteria yet."
    accurate = f"{len(frame)} of " if frame["accuracy"].notna().any() else ""
    within = f" within {margin:g} of the best accuracy" if accurate else ""
    return f"Of {accurate}{several(total, 'selector')}{within}, no other is both smaller and more stable than {joined(on, 'or')}."


def draw_sizes(frame, chosen=()):
    """Number of features against stability with the front. customdata: rows of the frame."""
    import plotly.graph_objects as go

    figure = blank(x=AXES["size"], y=AXES["stability"], height=420)
    edge = frame[frame["on_front"]].sort_values("size")
    figure.add_trace(go.Scatter(x=edge["size"], y=edge["stability"], mode="lines", name="front", hoverinfo="skip",
                                line={"color": "grey", "dash": "dot", "shape": "hv"}))
    add_points(figure, frame[frame["beaten_by"].notna()], "size", "stability", channels(frame["selector"].unique()),
               chosen=chosen)
    return figure
