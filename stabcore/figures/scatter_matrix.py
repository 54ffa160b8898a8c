"""Every two columns against each other, below a diagonal of names; above it how far they order things alike.

Drawn as ordinary scatter plots: plotly's own matrix needs WebGL, which remote desktops and old computers do not have.
"""

from __future__ import annotations

from textwrap import wrap

import numpy as np

from stabcore.figures.style import STRIP, blank
from stabcore.wording import rounded

GAP, NAME = 0.08, 11         # between the cells, of a cell; letters of a name in one


def coloured(values, title, **scale):
    """The marker of points that are coloured by a number, its scale above the picture; scale: more about that, as its ticks."""
    return {"size": 5, "color": values, "colorscale": "Cividis", "showscale": True, "line": {"width": 0.4, "color": "white"},
            "colorbar": {"title": {"text": title, "side": "top"}, "orientation": "h", "thickness": 10, "y": 1,
                         "yanchor": "bottom", "ypad": 10, **scale}}


def scatter_matrix(columns, names, correlations, look):
    """A picture of every two columns of a DataFrame of three or more. names: safe; correlations: (columns, columns), or NaN;
    look: text and marker of the points, which are the rows."""
    import plotly.graph_objects as go

    keys = list(columns)
    figure = blank(height=STRIP + 120 + 110 * len(keys))
    cells = _cells(len(keys))
    for i, (low, high) in enumerate(cells):
        axis = {"nticks": 4, "zeroline": False, "title": {"text": ""}, "showticklabels": bool(columns[keys[i]].notna().any())}
        figure.update_layout({f"xaxis{i + 1}": {**axis, "domain": [low, high], "anchor": f"y{len(keys)}"},
                              f"yaxis{i + 1}": {**axis, "domain": [1 - high, 1 - low], "anchor": "x"}})
    for i, j in zip(*np.tril_indices(len(keys), -1), strict=True):
        first = (i, j) == (1, 0)
        figure.add_trace(go.Scatter(x=columns[keys[j]], y=columns[keys[i]], mode="markers", xaxis=f"x{j + 1}", yaxis=f"y{i + 1}",
                                    hoverinfo="x+y+text", showlegend=False, text=look["text"],
                                    marker=look["marker"] if first else {**look["marker"], "showscale": False}))
    _name_and_number(figure, names, correlations, [(low + high) / 2 for low, high in cells])
    return figure


def _cells(many):
    """(low, high) of each row or column of a square of so many cells."""
    step = 1 / (many - GAP)
    return [(step * i, step * (i + 1 - GAP)) for i in range(many)]


def _name_and_number(figure, names, correlations, middle):
    """The name of each measure on the diagonal, and the rank correlations above it. middle: of each column, from 0 to 1."""
    for i, j in zip(*np.triu_indices(len(names)), strict=True):
        own = i == j
        text = "<br>".join(wrap(names[i], NAME)) if own else rounded(correlations[i, j]) if np.isfinite(correlations[i, j]) else "–"
        figure.add_annotation(text=text, xref="paper", yref="paper", x=middle[j], y=1 - middle[i], xanchor="center",
                              yanchor="middle", showarrow=False, font={"size": 12 if own else 15}, borderpad=0)
