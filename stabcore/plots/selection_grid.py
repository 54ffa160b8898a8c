"""Selection grid (Kalousis): features as rows with their selection frequency, and the runs next to them."""

import numpy as np
import pandas as pd

from stabcore.analysis.panel import frequency_interval
from stabcore.base.text import counted, join_tied
from stabcore.plots.labels import spread_positions
from stabcore.plots.marks import note, points, rule
from stabcore.plots.names import SHORT_LENGTH, WIDE_LENGTH, safe, shorten_distinctly
from stabcore.plots.selection_map import (
    OTHER_GROUPS,
    add_legend,
    add_legend_entries,
    column_colours,
    legend_height,
    png_data_uri,
    runs_as_columns,
)
from stabcore.plots.style import GREY, MEASURED, TOOL_BAR, empty_figure, fade

MAX_CELLS = 300  # largest number of features with separate cells, names and clicks
MAX_PIXELS = 700  # largest number of rows of an image, beyond which a window would silently omit some
ROW_HEIGHT = 16  # pixels of a row with a name
AXES_HEIGHT = 42  # pixels of the names of the two axes, above the picture, so that they are visible before scrolling
MAX_ALWAYS_NAMED = 2  # features of all runs that are named in the answer
MAX_NAMED = 30  # features with a name in an image, in addition to highlighted ones
LETTER_WIDTH = 7  # pixels of a letter
FREQUENCY_DOMAIN = (0, 0.24)  # share of the width for the frequencies
MAX_WITH_IMPORTANCE = 45_000  # largest number of cells of an image with importances, four bytes each
SHADES = 4  # shades of the share of selected features behind a cell
EMPTY, ABSENT = "rgba(128,128,128,0.10)", "rgba(128,128,128,0)"


def frame_grid(grid):
    """DataFrame(run, fold, feature, position, selected, of, importance, frequency, group) of a Map, one row per run and column.

    selected: number of the `of` features of the column. fold and importance only if present.
    """
    columns, m = grid.columns, len(grid.runs)
    frame = {
        **grid.long_columns(grid.counts.astype(int), "selected"),
        **{name: np.tile(columns[name].to_numpy(), m) for name in ("feature", "position")},
        "of": np.tile(columns["features"].to_numpy(), m),
        **{name: np.tile(columns[name].to_numpy(), m) for name in ("frequency", "group")},
    }
    if grid.weights is not None:
        frame["importance"] = grid.weights.ravel()
    first = [name for name in ("run", "fold", "feature", "position") if name in frame]
    return pd.DataFrame(frame)[[*first, *(name for name in frame if name not in first)]]


def finding_grid(grid, n_features, label="The selector") -> str:
    """Describe the number of features that the selector `label` selects at least once, and in every run."""
    if grid.columns.empty:
        return "No run selected any feature."
    frequency = grid.columns["frequency"]
    what = "groups and single features" if grid.merged else f"of {counted(n_features, 'feature')}"
    always = grid.columns.loc[frequency == 1, "feature"].tolist()
    in_all = join_tied(always) if 0 < len(always) <= MAX_ALWAYS_NAMED and not grid.merged else f"{len(always):,}"
    return (
        f"{label} selects {int((frequency > 0).sum()):,} {what} in at least one of {counted(len(grid.runs), 'run')}, and "
        f"{in_all if always else 'none'} in every run."
    )


def columns_per_pixel(grid) -> int:
    """Return the number of features per row of pixels, 1 if every feature has its own."""
    return -(-len(grid.columns) // MAX_PIXELS)


def draw_grid(grid, line=None, wide=False):
    """Draw features × runs of a Map: a filled cell if a run selected a feature, with its frequency next to the name.

    Up to MAX_CELLS features every row has its name. Beyond it, an image names the first MAX_NAMED and highlighted features. If a
    pixel covers several features, its shade is their selected share. The points at the ends of the frequencies carry the
    position of their feature, from 1. line: the highest selection frequency with the outcome shuffled, if known. wide: whether
    there is space for long names.
    """
    number, colours, entries = column_colours(grid)
    columns, as_picture = grid.columns, len(grid.columns) > MAX_CELLS
    rows = -(-len(columns) // columns_per_pixel(grid)) if as_picture else max(len(columns), 4) * ROW_HEIGHT
    legend_room = 0 if columns["highlighted"].any() else legend_height(entries)  # they have their names next to their rows
    figure = empty_figure(height=rows + TOOL_BAR + AXES_HEIGHT + legend_room + 20)
    _set_axes(figure, columns, as_picture, TOOL_BAR + AXES_HEIGHT + legend_room, WIDE_LENGTH if wide else SHORT_LENGTH)
    _add_frequencies(figure, columns, [colours[i] for i in number], entries, line, len(grid.runs))
    if line is not None:
        figure.add_shape(rule(line, line, 0, 1, 1.5, xref="x2", yref="paper", name="highest of the shuffles", layer="above"))
    add_cells(figure, grid, number, colours, columns_per_pixel(grid) if as_picture else None)
    runs_as_columns(figure, grid)
    if as_picture:
        _add_names(figure, columns, rows)
    if legend_room:
        add_legend(figure, entries)
    return figure


def _set_axes(figure, columns, as_picture, above, letters):
    """Features downwards by name, with the frequencies and the runs at the top, where scrolling does not hide them."""
    first, count = (columns["position"].iloc[0], len(columns)) if len(columns) else (1, 1)
    top: dict = {"side": "top", "showgrid": False, "zeroline": False, "title_standoff": 4, "automargin": False}
    top |= {"fixedrange": True, "anchor": "y", "ticks": ""}
    figure.update_layout(hovermode="y unified", hoversubplots="axis", dragmode=False, margin={"t": above, "b": 20})
    figure.update_layout(xaxis={**top, "domain": [FREQUENCY_DOMAIN[1] + 0.04, 1], "title_text": "Run"})
    shares = {"range": [0, 1.12], "tickvals": [0, 1], "ticktext": ["0", "100%"], "title_text": "Frequency"}
    figure.update_layout(xaxis2={**top, "domain": FREQUENCY_DOMAIN, **shares})
    rows: dict = {"anchor": "x2", "range": [first + count - 0.5, first - 0.5], "unifiedhovertitle": {"text": "place %{y}"}}
    rows |= {"ticks": "", "showgrid": False, "zeroline": False, "scaleanchor": False}
    if as_picture:
        names = shorten_distinctly(_named_columns(columns)["feature"])
        figure.layout.margin.l = 30 + LETTER_WIDTH * max(map(len, names), default=0)
        rows |= {"showticklabels": False, "tickvals": [], "ticktext": [], "automargin": False}
    else:
        pairs = zip(shorten_distinctly(columns["feature"], letters), columns["highlighted"], strict=True)
        names = [f"<b>{name}</b>" if highlighted else name for name, highlighted in pairs]
        rows |= {"showticklabels": True, "tickvals": columns["position"], "ticktext": names, "automargin": True}
    figure.update_layout(yaxis=rows)


def _named_columns(columns):
    """The columns whose names fit in an image: the first ones and those highlighted."""
    return columns[(np.arange(len(columns)) < MAX_NAMED) | columns["highlighted"]]


def _add_names(figure, columns, rows):
    """Names next to an image, pushed apart, each with a line to its row."""
    named = _named_columns(columns)
    middles = (named["position"] - columns["position"].iloc[0] + 0.5).to_numpy() * (rows / len(columns))
    shifts = spread_positions(middles, 13, 0, rows) - middles
    arrow = {"showarrow": True, "arrowhead": 0, "arrowwidth": 0.7, "arrowcolor": GREY, "ax": -22, "standoff": 2}
    for row, name, shift in zip(named.itertuples(), shorten_distinctly(named["feature"]), shifts, strict=True):
        text = f"<b>{name}</b>" if row.highlighted else name
        place = {"yref": "y", "ay": float(shift)}
        figure.add_annotation(note(text, 0, row.position, "right", None, size=11, colour=None, **place, **arrow))


def _add_frequencies(figure, columns, colours, entries, line, n_runs):
    """Bars or a line, with a point for each of the most frequent features, and marks next to highlighted ones.

    line: the highest selection frequency with the outcome shuffled, or None. Bars whose interval reaches it are pale.
    Clicks select the points, because a browser does not detect clicks on bars together with cells.
    """
    kind = "" if "way" in columns else "group "
    hovers = [
        f"{safe(name)}"
        + (f"<br>{kind}{safe(group)}" if group and group != name else "")
        + (f"<br>{count} features" if count > 1 else "")
        for name, group, count in columns[["feature", "group", "features"]].itertuples(index=False)
    ]
    frequency, positions = columns["frequency"].to_numpy(), columns["position"]
    highlighted, few = np.flatnonzero(columns["highlighted"]), len(columns) <= MAX_CELLS
    place = {"y0": int(positions.min()) if len(columns) else 1, "dy": 1, "x": frequency, "xaxis": "x2", "showlegend": False}
    place |= {"text": hovers, "hovertemplate": "%{text}<br>selected in %{x:.0%} of runs<extra></extra>"}
    if few:
        clear = np.full(len(columns), True) if line is None else frequency_interval(frequency, n_runs)[0] > line
        shades = [colour if beyond else fade(colour, 0.45) for colour, beyond in zip(colours, clear)]
        fill = {"color": shades, "line": {"width": 0}}
        figure.add_bar(orientation="h", textposition="none", width=0.7, marker=fill, unselected={"marker": {"opacity": 1}}, **place)
    else:
        look = {"shape": "vhv", "width": 1, "color": GREY if len(highlighted) else MEASURED}
        figure.add_scatter(mode="lines", fill="tozerox", orientation="h", line=look, **place)
    frequent = np.sort(np.argsort(-frequency, kind="stable")[:MAX_CELLS])
    look = {"size": 4, "opacity": 0 if few else 1, "color": [colours[i] for i in frequent]}
    figure.add_trace(_click_targets(frequency[frequent], positions.iloc[frequent], look, hoverinfo="none"))
    if len(highlighted):
        look = {"size": 10, "color": [entry[1] for entry in entries[:-1]], "symbol": [entry[2] for entry in entries[:-1]]}
        figure.add_trace(_click_targets([1.16] * len(highlighted), positions.iloc[highlighted], look, cliponaxis=False))


def _click_targets(x, positions, marker, **more):
    always = {"marker": {"opacity": marker.get("opacity", 1)}}
    look = {"xaxis": "x2", "showlegend": False, "selected": always, "unselected": always}
    return points(x, positions, marker, customdata=positions, **look, **more)


# ---- the cells ----


def add_cells(figure, grid, number, colours, per_pixel):
    """Add features as rows and runs as columns: a heat map (per_pixel None), or an image with this number of features per pixel.

    number, colours: from column_colours.
    """
    steps, mixed = _palette_numbers(grid, number, per_pixel or 1, len(colours))
    shades = [fade(colour, (level + 1) / SHADES) for colour in [*colours, OTHER_GROUPS] for level in range(SHADES)]
    palette = [ABSENT, EMPTY, *shades]
    z, across = _values_by_run(grid, steps, np.uint8), _run_positions(grid)
    if per_pixel is None:
        scale = [[edge, colour] for i, colour in enumerate(palette) for edge in (i / len(palette), (i + 1) / len(palette))]
        extra, hover = _hover_texts(grid)
        look = {"colorscale": scale, "zmin": -0.5, "zmax": len(palette) - 0.5, "showscale": False}
        gaps = {"ygap": 1, "xgap": 1 if z.shape[1] <= 30 else 0.5, "hovertemplate": f"run %{{x}}{hover}<extra></extra>"}
        figure.add_heatmap(z=z, y=grid.columns["position"], x=across, **look, **gaps, **extra)
        return
    start = grid.columns["position"].iloc[0]
    extra, hover = {}, f", a pixel covers {per_pixel} positions" if per_pixel > 1 else ""
    if per_pixel == 1 and grid.weights is not None and z.size <= MAX_WITH_IMPORTANCE:
        extra, hover = {"customdata": _values_by_run(grid, grid.weights, np.float32)}, ", importance %{customdata:.3~g}"
    place = {"x0": int(across[0]) if grid.is_in_order else 0, "dx": 1, "y0": start + (per_pixel - 1) / 2, "dy": per_pixel}
    figure.add_image(source=png_data_uri(z, palette), hovertemplate=f"run %{{x}}{hover}<extra></extra>", **place, **extra)
    if mixed:
        add_legend_entries(figure, [("several groups in one pixel", OTHER_GROUPS, "square")])


def _hover_texts(grid):
    """The hover text of a cell: the number of merged features, and the importance."""
    extra, hover = {}, ""
    if grid.merged:
        extra["customdata"], hover = _values_by_run(grid, grid.counts, np.uint16), ": %{customdata} selected"
    if grid.weights is not None:
        extra["text"], hover = _values_by_run(grid, grid.weights, np.float32), hover + ", importance %{text:.3~g}"
    return extra, hover


def _run_positions(grid):
    """Names of the columns of cells: numbers of runs without gaps, or words if runs are ordered by similarity."""
    if not grid.is_in_order:
        return [str(run) for run in grid.runs]
    first, last = (grid.runs.min(), grid.runs.max()) if len(grid.runs) else (1, 1)
    return np.arange(first, last + 1)


def _values_by_run(grid, values, dtype):
    """(features, first to last run) the values of each run at its number, 0 for missing runs."""
    if not grid.is_in_order:
        return np.ascontiguousarray(values.T.astype(dtype))
    first, last = (grid.runs.min(), grid.runs.max()) if len(grid.runs) else (1, 1)
    cells = np.zeros((values.shape[1], last - first + 1), dtype=dtype)
    cells[:, grid.runs - first] = values.T
    return cells


def _palette_numbers(grid, number, width, n_colours):
    """((M, pixels) number in the palette, whether a pixel mixes groups) of pixels that cover `width` columns each.

    A pixel shows the share of its features that a run selected, in SHADES shades. Highlighted columns are never averaged.
    """
    columns = grid.columns
    if columns.empty:
        return np.zeros((len(grid.runs), 0), dtype=np.uint8), False
    highlighted = np.flatnonzero(columns["highlighted"])
    starts = np.arange(0, len(columns), width)
    behind = np.where(columns["highlighted"], 0, number) if len(highlighted) else number
    least, most = np.minimum.reduceat(behind, starts), np.maximum.reduceat(behind, starts)
    colour = np.where(least == most, least, n_colours).astype(int)
    share = np.add.reduceat(grid.counts, starts, axis=1) / np.add.reduceat(columns["features"].to_numpy(), starts)
    steps = np.where(share > 0, 1 + SHADES * colour + np.ceil(SHADES * share - 1e-9), 1)
    for i in highlighted:
        share, pixel = grid.counts[:, i] / columns["features"].iloc[i], i // width
        steps[:, pixel] = np.where(share > 0, 1 + SHADES * number[i] + np.ceil(SHADES * share - 1e-9), steps[:, pixel])
    return steps.astype(np.uint8), bool((least != most).any())
