"""Areas around points that cannot be told apart."""

from __future__ import annotations

import numpy as np

ALIKE, DARKEST = 0.13, 0.3          # how much grey an area has, and areas that all lie on each other
CORNERS = 24            # of a disc around a point
NEAR = 0.045            # of an axis: how far an area reaches beyond its points


def shade(figure, own, reach):
    """A grey area behind each set of points that cannot be told apart, as wide as a name is high around them."""
    import plotly.graph_objects as go

    numbers = sorted({one for many in own["alike"] for one in many.split()}, key=int)
    grey = f"rgba(128,128,128,{min(ALIKE, DARKEST / max(len(numbers), 1)):.3f})"
    for number in numbers:
        members = own[[number in many.split() for many in own["alike"]]]
        if len(members) > 1:
            x, y = _around(members["stability"].to_numpy(), members["accuracy"].to_numpy(), reach)
            figure.add_trace(go.Scatter(x=x, y=y, mode="lines", fill="toself", fillcolor=grey, hoverinfo="skip", name="alike",
                                        line={"color": grey, "width": 1, "shape": "spline"}))


def _around(x, y, reach):
    """(x, y) of the corners of the convex hull of discs around points (P,); reach: {"stability", "accuracy": (low, high)}."""
    wide, high = (NEAR * (ends[1] - ends[0]) for ends in (reach["stability"], reach["accuracy"]))
    turn = np.linspace(0, 2 * np.pi, CORNERS, endpoint=False)
    corners = np.column_stack([(x[:, None] / wide + np.cos(turn)).ravel(), (y[:, None] / high + np.sin(turn)).ravel()])
    hull = _hull(corners)
    return hull[:, 0] * wide, hull[:, 1] * high


def _hull(corners):
    """(h, 2) of the corners that the convex hull of (n, 2) points has, closed. Source: Andrew 1979, monotone chain."""
    def side(points):
        kept = []
        for one in points:
            while len(kept) > 1 and np.linalg.det([kept[-1] - kept[-2], one - kept[-2]]) <= 0:
                kept.pop()
            kept.append(one)
        return kept[:-1]

    ordered = np.unique(corners, axis=0)
    corner_points = side(ordered) + side(ordered[::-1])
    return np.array([*corner_points, corner_points[0]])
