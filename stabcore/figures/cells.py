"""The cells of the selection grid: a heat map that tells every cell, or a picture whose pixels cover several features."""

from __future__ import annotations

import numpy as np

from stabcore.figures.columns import OTHERS, add_names
from stabcore.figures.image import data_uri, faded

MOST_TOLD = 45_000          # cells of a picture up to which each says its importance: four bytes each
LEVELS = 4                  # shades of how many of the features behind a cell were selected
EMPTY, ABSENT = "rgba(128,128,128,0.10)", "rgba(128,128,128,0)"


def add_cells(figure, seen, number, colours, a_pixel):
    """Features as rows, runs as columns: a heat map (a_pixel None), or a picture of which a pixel covers so many features.

    number, colours: as columns.colours_of gives them.
    """
    import plotly.graph_objects as go

    steps, mixed = _steps(seen, number, a_pixel or 1, len(colours))
    palette = [ABSENT, EMPTY, *(faded(colour, (level + 1) / LEVELS) for colour in [*colours, OTHERS] for level in range(LEVELS))]
    z, across = _by_number(seen, steps, np.uint8), _across(seen)
    if a_pixel is None:
        scale = [[edge, colour] for i, colour in enumerate(palette) for edge in (i / len(palette), (i + 1) / len(palette))]
        extra, says = _cell_words(seen)
        figure.add_trace(go.Heatmap(z=z, y=seen.columns["position"], x=across, colorscale=scale, zmin=-0.5,
                                    zmax=len(palette) - 0.5, showscale=False, ygap=1, xgap=1 if z.shape[1] <= 30 else 0.5,
                                    hovertemplate=f"run %{{x}}{says}<extra></extra>", **extra))
        return
    start = seen.columns["position"].iloc[0]
    extra, says = {}, f"; a pixel covers {a_pixel} places" if a_pixel > 1 else ""
    if a_pixel == 1 and seen.weights is not None and z.size <= MOST_TOLD:
        extra, says = {"customdata": _by_number(seen, seen.weights, np.float32)}, ", importance %{customdata:.3~g}"
    figure.add_trace(go.Image(source=data_uri(z, palette), y0=start + (a_pixel - 1) / 2, dy=a_pixel, dx=1,
                              x0=int(across[0]) if seen.in_turn else 0, hovertemplate=f"run %{{x}}{says}<extra></extra>", **extra))
    if mixed:
        add_names(figure, [("several groups in one pixel", OTHERS, "square")])


def _cell_words(seen):
    """What a cell says beside its run: how many of merged features, and the importance."""
    extra, says = {}, ""
    if seen.merged:
        extra["customdata"], says = _by_number(seen, seen.counts, np.uint16), ": %{customdata} selected"
    if seen.weights is not None:
        extra["text"], says = _by_number(seen, seen.weights, np.float32), says + ", importance %{text:.3~g}"
    return extra, says


def _across(seen):
    """What the columns of the cells are called: numbers of runs without gaps, or words where runs stand beside their like."""
    if not seen.in_turn:
        return [str(one) for one in seen.runs]
    first, last = (seen.runs.min(), seen.runs.max()) if len(seen.runs) else (1, 1)
    return np.arange(first, last + 1)


def _by_number(seen, values, dtype):
    """(features, from the first run to the last) the values of each run at its number; 0 for runs that are not there."""
    if not seen.in_turn:
        return np.ascontiguousarray(values.T.astype(dtype))
    first, last = (seen.runs.min(), seen.runs.max()) if len(seen.runs) else (1, 1)
    cells = np.zeros((values.shape[1], last - first + 1), dtype=dtype)
    cells[:, seen.runs - first] = values.T
    return cells


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
