"""Selection grid (Kalousis): features as rows with their names, how often each was selected, and the runs beside it."""

from __future__ import annotations

import numpy as np

from stabcore.figures.cells import add_cells
from stabcore.figures.columns import colours_of, legend, legend_height, runs_across
from stabcore.figures.labels import spread
from stabcore.figures.names import told_apart
from stabcore.figures.style import GREY, PALETTE, STRIP, blank, safe
from stabcore.wording import plural, several

MOST_CELLS = 300            # features up to which every cell is drawn by itself, every row has its name and can be clicked
MOST_PIXELS = 700           # rows of a picture: more than a window shows would be left out of it silently
ROW = 16                    # pixels of a row with a name
ABOVE = 64                  # pixels of the names of the two axes, above the picture so that scrolling begins with them
NAMED = 30                  # features with a name in a picture, beside those highlighted
LETTERS = 7                 # pixels of a letter
SHARES = (0, 0.24)          # of the width for the frequencies


def frame_grid(seen):
    """DataFrame(run, fold, feature, position, selected, of, importance, frequency, group) of a Map, a row a run and column.

    selected: how many of the `of` features of the column; fold and importance only where there are some.
    """
    import pandas as pd

    columns, m = seen.columns, len(seen.runs)
    frame = {**seen.by_run(seen.counts.astype(int), "selected"),
             **{name: np.tile(columns[key].to_numpy(), m) for name, key in
                (("feature", "feature"), ("position", "position"), ("of", "features"), ("frequency", "frequency"),
                 ("group", "group"))}}
    if seen.weights is not None:
        frame["importance"] = seen.weights.ravel()
    first = [name for name in ("run", "fold", "feature", "position") if name in frame]
    return pd.DataFrame(frame)[[*first, *(name for name in frame if name not in first)]]


def finding_grid(seen, n_features) -> str:
    """The grid in one sentence."""
    if seen.columns.empty:
        return "No run selected any feature."
    share, ever = seen.columns["frequency"], int((seen.columns["frequency"] > 0).sum())
    what = "groups and single features" if seen.merged else f"of {n_features:,} {plural(n_features, 'feature')}"
    always, seldom = (f"{many:,}" if many else "none" for many in ((share == 1).sum(), ((share > 0) & (share <= 0.1)).sum()))
    return (f"{ever:,} {what} {'was' if ever == 1 else 'were'} selected at least once in {several(len(seen.runs), 'run')}; "
            f"{always} in every run, {seldom} in at most one run in ten.")


def columns_a_pixel(seen) -> int:
    """How many features one row of pixels of the picture of a Map covers; 1: every feature has its own."""
    return -(-len(seen.columns) // MOST_PIXELS)


def draw_grid(seen):
    """Features × runs of a Map: a filled cell where a run selected a feature; beside its name the share of the runs that did.

    Up to MOST_CELLS features every row has its name; beyond a picture, in which the first NAMED and those highlighted have theirs;
    where a pixel of it covers several features, its shade is the share of them selected. The points at the ends of the frequencies
    carry the number of their feature in the order, from 1.
    """
    number, colours, entries = colours_of(seen)
    columns, many = seen.columns, len(seen.columns) > MOST_CELLS
    rows = -(-len(columns) // columns_a_pixel(seen)) if many else max(len(columns), 4) * ROW
    told = 0 if columns["highlighted"].any() else legend_height(entries)        # those have their names beside their rows
    figure = blank(height=rows + STRIP + ABOVE + told + 20)
    _axes(figure, columns, many, STRIP + ABOVE + told)
    _frequencies(figure, columns, [colours[i] for i in number], entries)
    add_cells(figure, seen, number, colours, columns_a_pixel(seen) if many else None)
    runs_across(figure, seen)
    if many:
        _names(figure, columns, rows)
    if told:
        legend(figure, entries)
    return figure


def _axes(figure, columns, many, above):
    """Features downwards by name, the shares and the runs above them; everything that scrolling must not hide is on top."""
    first, count = (columns["position"].iloc[0], len(columns)) if len(columns) else (1, 1)
    bold = ("<b>%s</b>", "%s")
    names = [bold[not lit] % name for name, lit in zip(told_apart(columns["feature"]), columns["highlighted"], strict=True)]
    top = {"side": "top", "showgrid": False, "zeroline": False, "title_standoff": 4, "automargin": False, "fixedrange": True,
           "anchor": "y"}
    figure.update_layout(
        hovermode="y unified", hoversubplots="axis", dragmode=False, margin={"t": above, "b": 10},
        xaxis={**top, "domain": [SHARES[1] + 0.04, 1], "title_text": "Run"},
        xaxis2={**top, "domain": SHARES, "range": [0, 1.12], "tickvals": [0, 1], "ticktext": ["0", "100%"],
                "title_text": "of runs", "anchor": "y"},
        yaxis={"anchor": "x2", "ticks": "", "range": [first + count - 0.5, first - 0.5], "showgrid": False, "zeroline": False,
               "scaleanchor": False, "unifiedhovertitle": {"text": "place %{y}"}, "showticklabels": not many,
               "tickvals": [] if many else columns["position"], "ticktext": [] if many else names, "automargin": not many})
    if many:
        figure.update_layout(margin_l=30 + LETTERS * max(map(len, told_apart(_told(columns)["feature"])), default=0))


def _told(columns):
    """The columns whose names a picture has room for: the first ones and those highlighted."""
    return columns[(np.arange(len(columns)) < NAMED) | columns["highlighted"]]


def _names(figure, columns, rows):
    """Names beside a picture, pushed apart, each with a line to its row."""
    told = _told(columns)
    pixel = rows / len(columns)
    at = (told["position"] - columns["position"].iloc[0] + 0.5).to_numpy() * pixel
    for name, position, lit, here, there in zip(told_apart(told["feature"]), told["position"], told["highlighted"], at,
                                                spread(at, 13, 0, rows), strict=True):
        figure.add_annotation(x=0, xref="paper", y=position, yref="y", ax=-22, ay=float(there - here), showarrow=True, arrowhead=0,
                              arrowwidth=0.7, arrowcolor=GREY, text=f"<b>{name}</b>" if lit else name, xanchor="right",
                              font={"size": 11}, standoff=2)


def _frequencies(figure, columns, colours, entries):
    """Bars or a line, on them a point for each of the most frequent features; marks beside what is highlighted.

    The points are what a click selects: over cells and bars together a browser takes no bar for clicked, but it does a point.
    """
    import plotly.graph_objects as go

    def points(index, hoverinfo, **look):
        always = {"marker": {"opacity": look["marker"].get("opacity", 1)}}
        return go.Scatter(y=columns["position"].iloc[index], customdata=columns["position"].iloc[index], mode="markers", xaxis="x2",
                          showlegend=False, hoverinfo=hoverinfo, selected=always, unselected=always, **look)

    kind = "" if "way" in columns else "group "
    words = [f"{safe(name)}" + (f"<br>{kind}{safe(group)}" if group and group != name else "")
             + (f"<br>{many} features" if many > 1 else "")
             for name, group, many in columns[["feature", "group", "features"]].itertuples(index=False)]
    share = columns["frequency"].to_numpy()
    place = {"y0": int(columns["position"].min()) if len(columns) else 1, "dy": 1, "x": share, "text": words, "xaxis": "x2",
             "showlegend": False, "hovertemplate": "%{text}<br>selected in %{x:.0%} of runs<extra></extra>"}
    lit = np.flatnonzero(columns["highlighted"])
    few = len(columns) <= MOST_CELLS
    if few:
        figure.add_trace(go.Bar(orientation="h", textposition="none", width=0.7, marker={"color": colours, "line": {"width": 0}},
                                unselected={"marker": {"opacity": 1}}, **place))
    else:
        figure.add_trace(go.Scatter(mode="lines", fill="tozerox", orientation="h", **place,
                                    line={"shape": "vhv", "width": 1, "color": GREY if len(lit) else PALETTE[0]}))
    often = np.sort(np.argsort(-share, kind="stable")[:MOST_CELLS])
    figure.add_trace(points(often, "none", x=share[often], marker={
        "size": 4, "opacity": 0 if few else 1, "color": [colours[i] for i in often]}))
    if len(lit):
        figure.add_trace(points(lit, "skip", x=[1.16] * len(lit), cliponaxis=False, marker={
            "size": 10, "color": [colour for _, colour, _ in entries[:-1]], "symbol": [symbol for _, _, symbol in entries[:-1]]}))
