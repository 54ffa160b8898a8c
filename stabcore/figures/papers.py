"""Pictures of what the papers show, made again: points, lines, boxes, grids, and scatter plots of every two measures."""

from __future__ import annotations

import numpy as np

from stabcore.figures.scatter_matrix import coloured, scatter_matrix
from stabcore.figures.style import GREY, LINE, STRIP, blank, channels, safe
from stabcore.inference.comparison import rank_correlations
from stabcore.papers.exhibit import BOXES, GRID, LINES, MATRIX, POINTS

BESIDE = 2              # pictures in a row
HEIGHT, LOWEST = 230, 420
NAMED, FEW = 16, 3      # room for the name of each series beyond so many, which are below each other on a telephone
SCALE = [[0, "rgba(0,114,178,0.2)"], [1, "rgba(0,114,178,1)"]]         # seen on white and on black


def frame_exhibit(shown):
    """The numbers of an exhibit, a row a point; see its module in stabcore.papers."""
    return shown.frame


def finding_exhibit(shown) -> str:
    """How many of the claims of the paper show here."""
    return shown.sentence


def draw_exhibit(frame, exhibit):
    """The picture of an exhibit that has one (see `kind` there), a small one for each value of its facet."""
    if exhibit.kind == MATRIX:
        return _matrix(frame, exhibit)
    facets = list(dict.fromkeys(frame[exhibit.facet])) if exhibit.facet else [""]
    names = list(dict.fromkeys(frame[exhibit.series])) if exhibit.series in frame else [""]
    figure = _pictures(exhibit, facets, len(names), LOWEST + NAMED * max(len(names) - FEW, 0) * (exhibit.kind in (LINES, POINTS)))
    styles = channels(names)
    for number, facet in enumerate(facets):
        own = frame[frame[exhibit.facet] == facet] if exhibit.facet else frame
        place = {"row": number // BESIDE + 1, "col": number % BESIDE + 1} if exhibit.facet else {}
        for label in names:
            part = own[own[exhibit.series] == label] if exhibit.series in own else own
            if len(part):
                trace = _cells(part) if exhibit.kind == GRID else _series(part, label, styles[label], exhibit, number == 0)
                figure.add_trace(trace, **place)
    if exhibit.kind == GRID:
        _as_grid(figure, frame)
    return figure


def _pictures(exhibit, facets, named, height):
    """An empty figure of this height, or one picture a facet with the same axes, above them room for so many names."""
    import plotly.graph_objects as go
    from plotly.subplots import make_subplots

    (_, x), (_, y) = exhibit.x, exhibit.y
    if not exhibit.facet:
        figure = blank(x=x, y=y, height=height)
    else:
        rows, deep = -(-len(facets) // BESIDE), max(str(_wrapped(one)).count("<br>") for one in facets)
        grid = make_subplots(rows, BESIDE, shared_xaxes="all", shared_yaxes="all", x_title=x, y_title=y, horizontal_spacing=0.04,
                             subplot_titles=[_wrapped(one) for one in facets], vertical_spacing=(0.12 + 0.05 * deep) / rows)
        figure = go.Figure(grid)
        names = LINE * named * (exhibit.kind != GRID)
        tall = max(LOWEST, HEIGHT * rows + 90) + names
        figure.update_layout(height=tall, margin={"l": 72, "r": 10, "t": STRIP + names + LINE * (deep + 2), "b": 60},
                             legend={**blank().layout.legend.to_plotly_json(), "y": 1 - STRIP / tall})
        figure.update_annotations(font_size=12)
    for axis in exhibit.log:
        (figure.update_xaxes if axis == "x" else figure.update_yaxes)(type="log")
    return figure


def _wrapped(text, most=26):
    """A title in lines that fit beside another picture on a telephone."""
    lines = [""]
    for word in str(text).split():
        if len(lines[-1]) + len(word) >= most and lines[-1]:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return "<br>".join(safe(line) for line in lines[:3])


def _series(part, label, style, exhibit, legend):
    """One series as a line, points or a box."""
    import plotly.graph_objects as go

    colour, symbol, dash = style
    x, y = exhibit.x[0], exhibit.y[0]
    about = {"name": safe(label), "legendgroup": safe(label), "showlegend": legend and exhibit.kind != BOXES}
    if exhibit.kind == BOXES:
        return go.Box(y=part[y], marker={"color": colour, "size": 4}, line={"color": colour}, boxpoints="outliers", **about)
    told = part["label"] if "label" in part else part["feature"] if "feature" in part else part.get("selector")
    hover = {"hoverinfo": "text", "hovertext": [safe(one) for one in told]} if told is not None else {
        "hovertemplate": "%{x:.3g}: %{y:.3f}<extra></extra>"}
    ring = {"marker_line": {"width": np.where(part["chosen"], 3, 0).tolist(), "color": GREY}} if "chosen" in part else {}
    if exhibit.kind == LINES:
        return go.Scatter(x=part[x], y=part[y], mode="lines+markers", line={"color": colour, "dash": dash, "width": 2},
                          marker={"color": colour, "symbol": symbol, "size": 7}, **about, **hover)
    return go.Scatter(x=part[x], y=part[y], mode="markers", marker={"color": colour, "symbol": symbol, "size": 9, "opacity": 0.8},
                      **ring, **about, **hover)


def _cells(part):
    """A square for each thing that is there, the stronger the colour the larger its value."""
    import plotly.graph_objects as go

    told = [safe(one) for one in part["feature"]] if "feature" in part else None
    return go.Scatter(x=part["x"], y=part["y"], mode="markers", showlegend=False, hovertext=told,
                      hoverinfo="text" if told else "x+y", marker={"symbol": "square", "size": 5, "color": part["value"],
                                                                   "colorscale": SCALE, "cmin": 0,
                                                                   "cmax": float(part["value"].max())})


def _as_grid(figure, frame):
    figure.update_yaxes(autorange="reversed")
    if frame["y"].dtype.kind not in "iuf":          # names
        figure.update_yaxes(autorange=True)
    rows = frame["y"].nunique()
    figure.update_layout(height=max(figure.layout.height, min(10 * rows + 120, 700)))


def _matrix(frame, exhibit):
    """Every two measures against each other, coloured by the logarithm of a third column."""
    names, colour = exhibit.x[0].split(), np.log10(frame[exhibit.y[0]].clip(lower=0.1))
    ticks = [one for one in range(-1, 6) if colour.min() - 1 < one < colour.max() + 1]
    scale = coloured(colour, safe(exhibit.y[1]), tickvals=ticks, ticktext=[f"{10.0 ** one:g}" for one in ticks])
    return scatter_matrix(frame[names], [safe(one) for one in names], rank_correlations(frame[names]).to_numpy(),
                          {"text": [safe(one) for one in frame["selector"]], "marker": scale})
