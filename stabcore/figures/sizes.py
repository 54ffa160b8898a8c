"""The number of features as a third criterion: all three at once, two at a time, and small among the accurate ones."""

from __future__ import annotations

from stabcore.analysis.pareto import within
from stabcore.figures.pareto import stability_title
from stabcore.figures.placed import by_criterion, placed, points, sentence_standing
from stabcore.figures.points import MEASURED, PALE, SAID, add_points, join_settings
from stabcore.figures.style import GREY, REST, blank, safe
from stabcore.selectors.baseline import rivals
from stabcore.wording import rounded, several

SIZE = "Mean number of selected features<br>(fewer is better)"


def frame_space(table, key, accuracy="accuracy", pairs=None):
    """DataFrame: the points with beaten_by, on_front and standing by accuracy, stability and fewer features; without accuracy by
    two. pairs: as in frame_fronts, "size" among them."""
    frame = points(table, key, accuracy)
    criteria = ("accuracy", "stability", "size") if frame["accuracy"].notna().any() else ("stability", "size")
    return placed(frame, by_criterion(pairs, key, accuracy), criteria, ["size"])


def finding_space(frame) -> str:
    """Who is on the front of all criteria beyond what may be chance, in one sentence."""
    if frame["beaten_by"].isna().all():
        return "No selector has all of the criteria yet."
    words = "more accurate, more stable and smaller" if frame["accuracy"].notna().any() else "more stable and smaller"
    return sentence_standing(frame, f"at once {words}")


def draw_space(frame, axes=("size", "stability"), chosen=(), families=None):
    """A projection on two criteria, or all three in space. Points as in draw_fronts. customdata: rows of the frame.

    families: as `settings_of_one` gives them, joined by a line each in the plane.
    """
    own = frame[frame["standing"] != ""]
    if len(axes) == 3:
        return _in_space(own, axes)
    figure = blank(x=_title(frame, axes[0]), y=_title(frame, axes[1]), height=420)
    join_settings(figure, own, *axes, families or {})
    add_points(figure, own, *axes, frame["selector"].unique(), chosen=chosen)
    return figure


def _title(frame, axis):
    return {"size": SIZE, "stability": stability_title(frame), "accuracy": "Accuracy on held-out rows"}[axis]


def _in_space(own, axes):
    import plotly.graph_objects as go

    figure = blank(height=560)
    for row in own.to_dict("records"):
        name = safe(row["selector"])
        figure.add_trace(go.Scatter3d(
            x=[row[axes[0]]], y=[row[axes[1]]], z=[row[axes[2]]], mode="markers+text", name=name, text=[name], hoverinfo="text",
            showlegend=False, textfont={"color": GREY},
            marker={"color": MEASURED if row["on_front"] else GREY, "size": 7,
                    "symbol": "circle" if row["on_front"] else "circle-open"},
            hovertext=[f"{name}<br>" + "<br>".join(f"{axis} {rounded(row[axis])}" for axis in axes)
                       + f"<br>{SAID[row['standing']]}"]))
    figure.update_layout(scene={f"{letter}axis": {      # it is no part of the page, and no style sheet turns it dark
        "title": {"text": _title(own, axis).split("<br>")[0]}, "color": GREY, "gridcolor": REST, "zerolinecolor": REST}
        for letter, axis in zip("xyz", axes, strict=True)})
    return figure


def frame_sizes(table, key, accuracy="accuracy", margin=0.05, pairs=None):
    """DataFrame: only the points measured within `margin` of the best accuracy, with beaten_by, on_front and standing by stability
    and fewer features; without any accuracy, all points. pairs: as in frame_space."""
    frame = points(table, key, accuracy)
    if rivals(frame)["accuracy"].notna().any():          # a baseline sets no standard, but is drawn where it meets it
        least = within(rivals(frame), "accuracy", margin)["accuracy"].min()
        frame = frame[frame["accuracy"] >= least]
    return placed(frame, by_criterion(pairs, key, accuracy), ("stability", "size"), ["size"])


def finding_sizes(frame, margin, total) -> str:
    """Who is small and stable among those that are accurate enough, in one sentence."""
    if frame["beaten_by"].isna().all():
        return "No selector has all of the criteria yet."
    accurate = f"{len(rivals(frame))} of " if frame["accuracy"].notna().any() else ""
    within = f" measured within {margin:g} of the best accuracy" if accurate else ""
    return sentence_standing(frame, "both smaller and more stable", f"Of {accurate}{several(total, 'selector')}{within}, ")


def draw_sizes(frame, chosen=(), families=None):
    """Number of features against stability with the front. customdata: rows of the frame.

    families: as `settings_of_one` gives them, joined by a line each.
    """
    import plotly.graph_objects as go

    figure = blank(x=SIZE, y=stability_title(frame), height=420)
    figure.update_layout(showlegend=False)
    edge = frame[frame["on_front"]].sort_values("size")
    figure.add_trace(go.Scatter(x=edge["size"], y=edge["stability"], mode="lines", name="front", hoverinfo="skip",
                                line={"color": PALE, "width": 4, "shape": "hv"}))
    own = frame[frame["standing"] != ""]
    join_settings(figure, own, "size", "stability", families or {})
    add_points(figure, own, "size", "stability", frame["selector"].unique(), chosen=chosen)
    return figure
