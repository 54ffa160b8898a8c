"""Selection grid (Kalousis): features as rows with their names, how often each was selected, and the runs beside it."""

from __future__ import annotations

import numpy as np

from stabcore.base.text import plural, several
from stabcore.plots.labels import spread_apart
from stabcore.plots.names import safe, shorten_apart
from stabcore.plots.selection_map import (
    OTHER_GROUPS,
    add_legend,
    add_legend_entries,
    column_colours,
    fade,
    legend_height,
    png_data_uri,
    runs_as_columns,
)
from stabcore.plots.style import GREY, PALETTE, TOOL_BAR, blank

MOST_CELLS = 300  # features up to which every cell is drawn by itself, every row has its name and can be clicked
MOST_PIXELS = 700  # rows of a picture: more than a window shows would be left out of it silently
ROW_HEIGHT = 16  # pixels of a row with a name
AXES_HEIGHT = 64  # pixels of the names of the two axes, above the picture so that scrolling begins with them
MOST_NAMED = 30  # features with a name in a picture, beside those highlighted
LETTER_WIDTH = 7  # pixels of a letter
FREQUENCY_DOMAIN = (0, 0.24)  # of the width for the frequencies
MOST_WITH_IMPORTANCE = 45_000  # cells of a picture up to which each says its importance: four bytes each
SHADES = 4  # shades of how many of the features behind a cell were selected
EMPTY, ABSENT = "rgba(128,128,128,0.10)", "rgba(128,128,128,0)"


def frame_grid(seen):
    """DataFrame(run, fold, feature, position, selected, of, importance, frequency, group) of a Map, a row a run and column.

    selected: how many of the `of` features of the column; fold and importance only where there are some.
    """
    import pandas as pd

    columns, m = seen.columns, len(seen.runs)
    frame = {
        **seen.by_run(seen.counts.astype(int), "selected"),
        **{
            name: np.tile(columns[key].to_numpy(), m)
            for name, key in (
                ("feature", "feature"),
                ("position", "position"),
                ("of", "features"),
                ("frequency", "frequency"),
                ("group", "group"),
            )
        },
    }
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
    always, seldom = (f"{count:,}" if count else "none" for count in ((share == 1).sum(), ((share > 0) & (share <= 0.1)).sum()))
    return (
        f"{ever:,} {what} {'was' if ever == 1 else 'were'} selected at least once in {several(len(seen.runs), 'run')}; "
        f"{always} in every run, {seldom} in at most one run in ten."
    )


def columns_a_pixel(seen) -> int:
    """How many features one row of pixels of the picture of a Map covers; 1: every feature has its own."""
    return -(-len(seen.columns) // MOST_PIXELS)


def draw_grid(seen):
    """Features × runs of a Map: a filled cell where a run selected a feature; beside its name the share of the runs that did.

    Up to MOST_CELLS features every row has its name; beyond, a picture: in it the first MOST_NAMED and those highlighted have it;
    where a pixel of it covers several features, its shade is the share of them selected. The points at the ends of the frequencies
    carry the number of their feature in the order, from 1.
    """
    number, colours, entries = column_colours(seen)
    columns, as_picture = seen.columns, len(seen.columns) > MOST_CELLS
    rows = -(-len(columns) // columns_a_pixel(seen)) if as_picture else max(len(columns), 4) * ROW_HEIGHT
    legend_room = 0 if columns["highlighted"].any() else legend_height(entries)  # those have their names beside their rows
    figure = blank(height=rows + TOOL_BAR + AXES_HEIGHT + legend_room + 20)
    _set_axes(figure, columns, as_picture, TOOL_BAR + AXES_HEIGHT + legend_room)
    _add_frequencies(figure, columns, [colours[i] for i in number], entries)
    add_cells(figure, seen, number, colours, columns_a_pixel(seen) if as_picture else None)
    runs_as_columns(figure, seen)
    if as_picture:
        _add_names(figure, columns, rows)
    if legend_room:
        add_legend(figure, entries)
    return figure


def _set_axes(figure, columns, as_picture, above):
    """Features downwards by name, the shares and the runs above them; everything that scrolling must not hide is on top."""
    first, count = (columns["position"].iloc[0], len(columns)) if len(columns) else (1, 1)
    bold = ("<b>%s</b>", "%s")
    names = [bold[not lit] % name for name, lit in zip(shorten_apart(columns["feature"]), columns["highlighted"], strict=True)]
    top = {
        "side": "top",
        "showgrid": False,
        "zeroline": False,
        "title_standoff": 4,
        "automargin": False,
        "fixedrange": True,
        "anchor": "y",
    }
    figure.update_layout(
        hovermode="y unified",
        hoversubplots="axis",
        dragmode=False,
        margin={"t": above, "b": 10},
        xaxis={**top, "domain": [FREQUENCY_DOMAIN[1] + 0.04, 1], "title_text": "Run"},
        xaxis2={
            **top,
            "domain": FREQUENCY_DOMAIN,
            "range": [0, 1.12],
            "tickvals": [0, 1],
            "ticktext": ["0", "100%"],
            "title_text": "of runs",
            "anchor": "y",
        },
        yaxis={
            "anchor": "x2",
            "ticks": "",
            "range": [first + count - 0.5, first - 0.5],
            "showgrid": False,
            "zeroline": False,
            "scaleanchor": False,
            "unifiedhovertitle": {"text": "place %{y}"},
            "showticklabels": not as_picture,
            "tickvals": [] if as_picture else columns["position"],
            "ticktext": [] if as_picture else names,
            "automargin": not as_picture,
        },
    )
    if as_picture:
        figure.update_layout(
            margin_l=30 + LETTER_WIDTH * max(map(len, shorten_apart(_named_columns(columns)["feature"])), default=0)
        )


def _named_columns(columns):
    """The columns whose names a picture has room for: the first ones and those highlighted."""
    return columns[(np.arange(len(columns)) < MOST_NAMED) | columns["highlighted"]]


def _add_names(figure, columns, rows):
    """Names beside a picture, pushed apart, each with a line to its row."""
    named = _named_columns(columns)
    pixel = rows / len(columns)
    middles = (named["position"] - columns["position"].iloc[0] + 0.5).to_numpy() * pixel
    for name, position, lit, here, there in zip(
        shorten_apart(named["feature"]),
        named["position"],
        named["highlighted"],
        middles,
        spread_apart(middles, 13, 0, rows),
        strict=True,
    ):
        figure.add_annotation(
            x=0,
            xref="paper",
            y=position,
            yref="y",
            ax=-22,
            ay=float(there - here),
            showarrow=True,
            arrowhead=0,
            arrowwidth=0.7,
            arrowcolor=GREY,
            text=f"<b>{name}</b>" if lit else name,
            xanchor="right",
            font={"size": 11},
            standoff=2,
        )


def _add_frequencies(figure, columns, colours, entries):
    """Bars or a line, on them a point for each of the most frequent features; marks beside what is highlighted.

    The points are what a click selects: over cells and bars together a browser takes no bar for clicked, but it does a point.
    """
    import plotly.graph_objects as go

    def points(index, hoverinfo, **look):
        always = {"marker": {"opacity": look["marker"].get("opacity", 1)}}
        return go.Scatter(
            y=columns["position"].iloc[index],
            customdata=columns["position"].iloc[index],
            mode="markers",
            xaxis="x2",
            showlegend=False,
            hoverinfo=hoverinfo,
            selected=always,
            unselected=always,
            **look,
        )

    kind = "" if "way" in columns else "group "
    words = [
        f"{safe(name)}"
        + (f"<br>{kind}{safe(group)}" if group and group != name else "")
        + (f"<br>{count} features" if count > 1 else "")
        for name, group, count in columns[["feature", "group", "features"]].itertuples(index=False)
    ]
    share = columns["frequency"].to_numpy()
    place = {
        "y0": int(columns["position"].min()) if len(columns) else 1,
        "dy": 1,
        "x": share,
        "text": words,
        "xaxis": "x2",
        "showlegend": False,
        "hovertemplate": "%{text}<br>selected in %{x:.0%} of runs<extra></extra>",
    }
    lit = np.flatnonzero(columns["highlighted"])
    few = len(columns) <= MOST_CELLS
    if few:
        figure.add_bar(
            orientation="h",
            textposition="none",
            width=0.7,
            marker={"color": colours, "line": {"width": 0}},
            unselected={"marker": {"opacity": 1}},
            **place,
        )
    else:
        figure.add_scatter(
            mode="lines",
            fill="tozerox",
            orientation="h",
            **place,
            line={"shape": "vhv", "width": 1, "color": GREY if len(lit) else PALETTE[0]},
        )
    often = np.sort(np.argsort(-share, kind="stable")[:MOST_CELLS])
    figure.add_trace(
        points(often, "none", x=share[often], marker={"size": 4, "opacity": 0 if few else 1, "color": [colours[i] for i in often]})
    )
    if len(lit):
        figure.add_trace(
            points(
                lit,
                "skip",
                x=[1.16] * len(lit),
                cliponaxis=False,
                marker={
                    "size": 10,
                    "color": [colour for _, colour, _ in entries[:-1]],
                    "symbol": [symbol for _, _, symbol in entries[:-1]],
                },
            )
        )


# ---- the cells ----


def add_cells(figure, seen, number, colours, a_pixel):
    """Features as rows, runs as columns: a heat map (a_pixel None), or a picture of which a pixel covers so many features.

    number, colours: as column_colours gives them.
    """
    steps, mixed = _palette_numbers(seen, number, a_pixel or 1, len(colours))
    palette = [
        ABSENT,
        EMPTY,
        *(fade(colour, (level + 1) / SHADES) for colour in [*colours, OTHER_GROUPS] for level in range(SHADES)),
    ]
    z, across = _by_run_number(seen, steps, np.uint8), _run_positions(seen)
    if a_pixel is None:
        scale = [[edge, colour] for i, colour in enumerate(palette) for edge in (i / len(palette), (i + 1) / len(palette))]
        extra, says = _hover(seen)
        figure.add_heatmap(
            z=z,
            y=seen.columns["position"],
            x=across,
            colorscale=scale,
            zmin=-0.5,
            zmax=len(palette) - 0.5,
            showscale=False,
            ygap=1,
            xgap=1 if z.shape[1] <= 30 else 0.5,
            hovertemplate=f"run %{{x}}{says}<extra></extra>",
            **extra,
        )
        return
    start = seen.columns["position"].iloc[0]
    extra, says = {}, f"; a pixel covers {a_pixel} places" if a_pixel > 1 else ""
    if a_pixel == 1 and seen.weights is not None and z.size <= MOST_WITH_IMPORTANCE:
        extra, says = {"customdata": _by_run_number(seen, seen.weights, np.float32)}, ", importance %{customdata:.3~g}"
    figure.add_image(
        source=png_data_uri(z, palette),
        y0=start + (a_pixel - 1) / 2,
        dy=a_pixel,
        dx=1,
        x0=int(across[0]) if seen.in_order else 0,
        hovertemplate=f"run %{{x}}{says}<extra></extra>",
        **extra,
    )
    if mixed:
        add_legend_entries(figure, [("several groups in one pixel", OTHER_GROUPS, "square")])


def _hover(seen):
    """What a cell says beside its run: how many of merged features, and the importance."""
    extra, says = {}, ""
    if seen.merged:
        extra["customdata"], says = _by_run_number(seen, seen.counts, np.uint16), ": %{customdata} selected"
    if seen.weights is not None:
        extra["text"], says = _by_run_number(seen, seen.weights, np.float32), says + ", importance %{text:.3~g}"
    return extra, says


def _run_positions(seen):
    """What the columns of the cells are called: numbers of runs without gaps, or words where runs stand beside their like."""
    if not seen.in_order:
        return [str(run) for run in seen.runs]
    first, last = (seen.runs.min(), seen.runs.max()) if len(seen.runs) else (1, 1)
    return np.arange(first, last + 1)


def _by_run_number(seen, values, dtype):
    """(features, from the first run to the last) the values of each run at its number; 0 for runs that are not there."""
    if not seen.in_order:
        return np.ascontiguousarray(values.T.astype(dtype))
    first, last = (seen.runs.min(), seen.runs.max()) if len(seen.runs) else (1, 1)
    cells = np.zeros((values.shape[1], last - first + 1), dtype=dtype)
    cells[:, seen.runs - first] = values.T
    return cells


def _palette_numbers(seen, number, width, n_colours):
    """((M, pixels) number in the palette, whether a pixel mixes groups) of pixels that cover `width` columns each.

    Of each pixel the share of its features that a run selected, in SHADES shades; highlighted columns are never averaged away.
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
    steps = np.where(share > 0, 1 + SHADES * colour + np.ceil(SHADES * share - 1e-9), 1)
    for i in lit:
        share_of_column = seen.counts[:, i] / columns["features"].iloc[i]
        steps[:, i // width] = np.where(
            share_of_column > 0, 1 + SHADES * number[i] + np.ceil(SHADES * share_of_column - 1e-9), steps[:, i // width]
        )
    return steps.astype(np.uint8), bool((least != most).any())
