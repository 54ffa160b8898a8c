"""Kalousis grid: which features each run selected, under the share of the runs that selected each of them."""

from __future__ import annotations

import numpy as np

from stabcore.figures.columns import OTHERS, colours_of, legend, runs_axis
from stabcore.figures.image import data_uri, faded
from stabcore.figures.style import GREY, PALETTE, blank, safe
from stabcore.wording import plural, several

MOST_CELLS = 300            # columns up to which every cell is drawn by itself and every column can be clicked
MOST_PIXELS = 700           # columns of a picture: more than a window is wide would be left out of it silently
MOST_TOLD = 45_000          # cells of a picture up to which each says its importance: four bytes each
MOST_LABELS = 30
LEVELS = 4                  # shades of how many of the features behind a cell were selected
EMPTY, ABSENT = "rgba(128,128,128,0.10)", "rgba(128,128,128,0)"
BARS = 110                  # height of the frequencies, in pixels


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
    return (f"{ever:,} {what} {'was' if ever == 1 else 'were'} selected at least once in {several(len(seen.runs), 'run')}; "
            f"{(share == 1).sum():,} in every run, {((share > 0) & (share <= 0.1)).sum():,} in at most one run in ten.")


def columns_a_pixel(seen, beside=1) -> int:
    """How many columns one pixel of the picture of a Map covers; 1: every column has its own."""
    return -(-len(seen.columns) // (MOST_PIXELS // beside))


def draw_grid(seen, beside=1):
    """Runs × columns of a Map: a filled cell where a run selected a feature; above, the share of the runs that did.

    Beyond MOST_CELLS columns a picture; where a pixel of it covers several features, its shade is the share of them selected.
    The points of the frequencies carry the number of their column, from 1.
    beside: how many figures share the width of the page.
    """
    number, colours, entries = colours_of(seen)
    n_columns = len(seen.columns)
    few = n_columns <= MOST_LABELS // beside
    rows = int(np.ptp(seen.runs)) + 1 if len(seen.runs) else 1
    height = max(340, min(900, 12 * rows + 160)) + BARS
    figure = blank(x="Place in the order" if not few else "", y="Run", height=height)
    _frequencies(figure, seen.columns, [colours[i] for i in number], entries)
    _cells(figure, seen, number, colours, columns_a_pixel(seen, beside) if n_columns > MOST_CELLS else None)
    legend(figure, entries)
    runs_axis(figure, seen.runs, seen.folds)
    split = 1 - BARS / (height - 60)
    first = seen.columns["position"].iloc[0] if n_columns else 1
    figure.update_xaxes(range=[first - 0.5, first + max(n_columns, 1) - 0.5], showgrid=False, zeroline=False,
                        unifiedhovertitle_text="place %{x}", tickangle=-90 if few else 0,
                        tickvals=seen.columns["position"] if few else None,
                        ticktext=[safe(name) for name in seen.columns["feature"]] if few else None)
    figure.update_layout(hovermode="x unified", hoversubplots="axis",
                         yaxis={"domain": [0, split - 0.02], "scaleanchor": False},
                         yaxis2={"domain": [split, 1], "range": [0, 1.25], "tickvals": [0, 0.5, 1], "tickformat": ".0%",
                                 "title": {"text": "of runs"}, "anchor": "x"})
    return figure


def _frequencies(figure, columns, colours, entries):
    """Bars or a line, on them a point for each of the most frequent columns; marks over what is highlighted.

    The points are what a click selects: over cells and bars together a browser takes no bar for clicked, but it does a point.
    """
    import plotly.graph_objects as go

    def points(index, hoverinfo, **look):
        always = {"marker": {"opacity": look["marker"].get("opacity", 1)}}
        return go.Scatter(x=columns["position"].iloc[index], customdata=columns["position"].iloc[index], mode="markers", yaxis="y2",
                          showlegend=False, hoverinfo=hoverinfo, selected=always, unselected=always, **look)

    words = [f"{safe(name)}" + (f"<br>group {safe(group)}" if group and group != name else "")
             + (f"<br>{many} features" if many > 1 else "")
             for name, group, many in columns[["feature", "group", "features"]].itertuples(index=False)]
    share = columns["frequency"].to_numpy()
    place = {"x0": int(columns["position"].min()) if len(columns) else 1, "dx": 1, "y": share, "text": words, "yaxis": "y2",
             "showlegend": False, "hovertemplate": "%{text}<br>selected in %{y:.0%} of runs<extra></extra>"}
    lit = np.flatnonzero(columns["highlighted"])
    few = len(columns) <= MOST_CELLS
    if few:
        figure.add_trace(go.Bar(textposition="none", width=0.85, marker={"color": colours, "line": {"width": 0}},
                                unselected={"marker": {"opacity": 1}}, **place))
    else:
        figure.add_trace(go.Scatter(mode="lines", fill="tozeroy", **place,
                                    line={"shape": "hvh", "width": 1, "color": GREY if len(lit) else PALETTE[0]}))
    often = np.sort(np.argsort(-share, kind="stable")[:MOST_CELLS])
    figure.add_trace(points(often, "none", y=share[often], marker={
        "size": 4, "opacity": 0 if few else 1, "color": [colours[i] for i in often]}))
    if len(lit):
        figure.add_trace(points(lit, "skip", y=[1.13] * len(lit), cliponaxis=False, marker={
            "size": 11, "color": [colour for _, colour, _ in entries[:-1]], "symbol": [symbol for _, _, symbol in entries[:-1]]}))


def _cells(figure, seen, number, colours, a_pixel):
    """A heat map, or a picture of which a pixel covers so many columns."""
    import plotly.graph_objects as go

    steps, mixed = _steps(seen, number, a_pixel or 1, len(colours))
    palette = [ABSENT, EMPTY, *(faded(colour, (level + 1) / LEVELS) for colour in [*colours, OTHERS] for level in range(LEVELS))]
    z, first = _by_number(seen, steps, np.uint8), int(seen.runs.min()) if len(seen.runs) else 1
    if a_pixel is None:
        scale = [[edge, colour] for i, colour in enumerate(palette) for edge in (i / len(palette), (i + 1) / len(palette))]
        extra, says = _cell_words(seen)
        figure.add_trace(go.Heatmap(z=z, x=seen.columns["position"], y=np.arange(first, first + len(z)), colorscale=scale,
                                    zmin=-0.5, zmax=len(palette) - 0.5, showscale=False, xgap=1 if z.shape[1] <= 200 else 0,
                                    ygap=1 if len(z) <= 60 else 0, hovertemplate=f"run %{{y}}{says}<extra></extra>", **extra))
        return
    start = seen.columns["position"].iloc[0]
    extra, says = {}, f"; a pixel covers {a_pixel} places" if a_pixel > 1 else ""
    if a_pixel == 1 and seen.weights is not None and z.size <= MOST_TOLD:
        extra, says = {"customdata": _by_number(seen, seen.weights, np.float32)}, ", importance %{customdata:.3~g}"
    figure.add_trace(go.Image(source=data_uri(z, palette), x0=start + (a_pixel - 1) / 2, dx=a_pixel, y0=first, dy=1,
                              hovertemplate=f"run %{{y}}{says}<extra></extra>", **extra))
    if mixed:
        legend(figure, [("several groups in one pixel", OTHERS, "square")])


def _cell_words(seen):
    """What a cell says beside its run: how many of merged features, and the importance."""
    extra, says = {}, ""
    if seen.merged:
        extra["customdata"], says = _by_number(seen, seen.counts, np.uint16), ": %{customdata} selected"
    if seen.weights is not None:
        extra["text"], says = _by_number(seen, seen.weights, np.float32), says + ", importance %{text:.3~g}"
    return extra, says


def _by_number(seen, values, dtype):
    """(from the first run to the last, columns) the values of each run at its number; 0 for runs that are not there."""
    first, last = (seen.runs.min(), seen.runs.max()) if len(seen.runs) else (1, 1)
    made = np.zeros((last - first + 1, values.shape[1]), dtype=dtype)
    made[seen.runs - first] = values
    return made


def _steps(seen, number, width, n_colours):
    """((M, pixels) number in the palette, whether a pixel mixes groups) of pixels that cover `width` columns each.

    Of each pixel the share of its features that a run selected, in LEVELS shades; highlighted columns are never averaged away.
    """
    columns = seen.columns
    if columns.empty:
        return np.zeros((len(seen.runs), 0), dtype=np.uint8), False
    lit = np.flatnonzero(columns["highlighted"])
    starts = np.arange(0, len(columns), width)
    behind = np.where(columns["highlighted"], 0, number) if len(lit) else number
    least, most = np.minimum.reduceat(behind, starts), np.maximum.reduceat(behind, starts)
    colour = np.where(least == most, least, n_colours).astype(int)
    share = np.add.reduceat(seen.counts, starts, axis=1) / np.add.reduceat(columns["features"].to_numpy(), starts)
    steps = np.where(share > 0, 1 + LEVELS * colour + np.ceil(LEVELS * share - 1e-9), 1)
    for i in lit:
        own = seen.counts[:, i] / columns["features"].iloc[i]
        steps[:, i // width] = np.where(own > 0, 1 + LEVELS * number[i] + np.ceil(LEVELS * own - 1e-9), steps[:, i // width])
    return steps.astype(np.uint8), bool((least != most).any())
