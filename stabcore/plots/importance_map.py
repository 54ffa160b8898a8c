"""Hamer–Dupont map: one bar per run, with a segment per feature as wide as its importance."""

import numpy as np
import pandas as pd

from stabcore.base.text import counted, rounded
from stabcore.plots.marks import points
from stabcore.plots.names import safe
from stabcore.plots.selection_map import add_legend, column_colours, legend_height, png_data_uri, runs_as_rows
from stabcore.plots.style import PALE_GREY, PALETTE, TOOL_BAR, empty_figure, fade

MAX_SEGMENTS = 5000  # number of segments beyond which an image is drawn
PICTURE_WIDTH = 1500  # pixels of the width of this image
MAX_HEIGHT = 480  # pixels of a map without its legend, so that it fits on a screen
MAX_ROWS = 50  # largest number of rows with space for words
MIN_FREQUENT = 0.8  # share of runs from which every feature has its name
MAX_LEADING = 5  # features with a colour, because a reader does not remember more
EDGE_COLOUR = "rgba(127,127,127,0.5)"  # between two segments
MIN_SHOWN, COLOURED_WIDTH = 0.4, 1.08  # share of the width that is always drawn, and factor for the coloured part
STABILITIES = {"nogueira": "stability", "importance_weighted": "weighted"}  # names of the values in the title
PATTERNS = ("/", "\\", "x", "-", "|", "+", ".", "/")


def frame_importance_map(grid, most=40, values=None):
    """DataFrame(run, row, fold, feature, position, start, width, share, frequency, group, highlighted) of a Map.

    One row per segment. Width is the importance, scaled so that a run's widths sum to the mean number of selected features.
    Columns beyond the `most` first and those highlighted are one segment, "all others", at position 0. row counts the runs from the
    top, by the importance of their coloured features (see `coloured_positions`). With groups or folds it is the number of the run.
    attrs has the runs in "runs", {run: row} in "rows", the number of runs without any importance in "empty", and {key of a measure:
    value} of these runs, for the title, in "values".
    Source: Hamer & Dupont, JMLR 2021, section 3.
    """
    columns, share = grid.columns, grid.shares()
    shown = (columns["position"] <= most).to_numpy() | columns["highlighted"].to_numpy()
    table = columns.loc[shown, ["feature", "position", "frequency", "group", "highlighted"]]
    rest = int((~shown).sum())
    if rest:
        others = {"feature": f"all others ({rest:,})", "position": 0, "frequency": np.nan, "group": "", "highlighted": False}
        table = pd.concat([table, pd.DataFrame([others])], ignore_index=True)
        share = np.column_stack([share[:, shown], share[:, ~shown].sum(axis=1)])
    width = share * (grid.counts.sum() / max(len(grid.runs), 1))
    starts, about = (
        grid.long_columns(np.cumsum(width, axis=1) - width, "start"),
        {name: np.tile(table[name], len(share)) for name in table},
    )
    frame = pd.DataFrame({**starts, "width": width.ravel(), "share": share.ravel(), **about})
    rows = _run_rows(frame, grid)
    frame["row"] = frame["run"].map(rows)
    first = [name for name in ("run", "row", "fold", "feature", "position") if name in frame]
    frame = frame[[*first, *(name for name in frame if name not in first)]]
    frame = frame[frame["width"] > 0].reset_index(drop=True)
    frame.attrs.update(runs=len(grid.runs), rows=rows, empty=len(empty_runs(grid)), values=values or {})
    return frame


def _run_rows(frame, grid) -> dict[int, int]:
    """{run: its row from the top}, by the importance of the coloured features, or its number with groups or folds."""
    numbers = [int(run) for run in grid.runs]
    if grid.folds is not None or grid.groups:
        return dict(zip(numbers, numbers))
    coloured = frame[frame["position"].isin(coloured_positions(grid))]
    sums = coloured.groupby("run")["width"].sum().reindex(numbers, fill_value=0.0)
    return {int(run): row for row, run in enumerate(sums.sort_values(ascending=False, kind="stable").index, 1)}


def coloured_positions(grid) -> list[int]:
    """Positions of the columns with a colour: the highlighted ones, those in groups, or the ones with most importance."""
    columns = grid.columns
    if columns["highlighted"].any():
        return columns.loc[columns["highlighted"], "position"].tolist()
    if grid.groups:
        return columns.loc[columns["group"] != "", "position"].tolist()
    return sorted(columns.sort_values("strength", ascending=False, kind="stable")["position"].head(MAX_LEADING))


def empty_runs(grid):
    """Return the numbers of the runs without importance."""
    return grid.runs[~(grid.shares() > 0).any(axis=1)]


def finding_importance_map(frame, merged=False) -> str:
    """Describe the importance of the frequent features, and the largest share of a single one."""
    if frame.empty:
        return "No run gave any feature importance."
    share = frame.groupby("position")["share"].sum() / frame["share"].sum()
    frequency = frame.drop_duplicates("position").set_index("position")["frequency"].dropna()  # "all others" has none
    frequent = frequency[frequency >= MIN_FREQUENT].index
    noun = "Groups and single features" if merged else "Features"
    largest = share[frequency.index].idxmax()
    name = frame.loc[frame["position"] == largest, "feature"].iloc[0]
    sentence = (
        f"{noun} selected in at least {MIN_FREQUENT:.0%} of runs ({len(frequent)}) carry {share[frequent].sum():.0%} of all "
        f"importance. {name} has the largest share ({share[largest]:.0%})."
    )
    empty = frame.attrs.get("empty", 0)
    return f"{sentence} Without importance: {empty} of {counted(frame.attrs['runs'], 'run')}." if empty else sentence


def frequent_features(grid) -> list[str]:
    """Return the columns of a Map that are selected in at least 80% of its runs, the most frequent first."""
    frequent = grid.columns[grid.columns["frequency"] >= MIN_FREQUENT]
    return frequent.sort_values("frequency", ascending=False, kind="stable")["feature"].tolist()


def draw_importance_map(frame, grid):
    """Draw one bar per run, with segments as wide as the importance of a feature. They carry its position, from 1.

    grid: the Map of the frame. The colours show highlighted features, else the leading groups, else the leading features. All
    others are grey, and extend beyond the right edge if they would take most of the picture. Beyond MAX_SEGMENTS segments the bars
    are an image.
    """
    colours, entries = _colours_and_legend(grid, set(frame["position"]))
    colour = [colours.get(position, PALE_GREY) for position in frame["position"]]
    rows = frame.attrs["rows"]
    places = np.array(sorted(rows.values()))
    tall = int(np.ptp(places)) + 1 if len(places) else 1
    coloured = frame["position"].isin(coloured_positions(grid))
    end, cut = _axis_ends(frame, coloured)
    height = max(320, min(MAX_HEIGHT, 7 * tall + 130)) + legend_height(entries)
    figure = empty_figure(x=_title_below(frame, coloured, cut < end), y="Run", height=height)
    if len(frame) <= MAX_SEGMENTS:
        _add_bars(figure, frame, colour)
    else:
        _add_picture(figure, frame, colour, int(places.min()), tall)
    empty = [rows[int(run)] for run in empty_runs(grid)]
    if tall <= MAX_ROWS and empty:
        look = {"mode": "text", "text": ["no feature counted"] * len(empty), "textposition": "middle right"}
        font = {"size": 11, "color": "grey"}
        figure.add_trace(points([0] * len(empty), empty, None, textfont=font, showlegend=False, **look))
    figure.update_layout(margin_t=TOOL_BAR + legend_height(entries))
    add_legend(figure, entries)
    runs_as_rows(figure, places, grid.folds)
    if list(rows) != list(rows.values()):
        figure.update_yaxes(title_text="Runs, most coloured first", showticklabels=False)
    figure.update_xaxes(range=[0, cut], zeroline=False, showgrid=False)
    figure.update_layout(bargap=0.08)
    return figure


def _axis_ends(frame, coloured):
    """(end of the longest bar, end of the axis). coloured: whether each segment is."""
    ends = frame["start"] + frame["width"]
    end = float(ends.max()) if len(frame) else 1.0
    return end, min(end, max(MIN_SHOWN * end, COLOURED_WIDTH * float(ends[coloured].max()))) if coloured.any() else end


def _title_below(frame, coloured, cut):
    """The title below: the meaning of widths, the values of the runs, and the share of all grey features."""
    title = "Importance (sum of a run:<br>mean number of selected features)"
    parts = [f"{STABILITIES[key]} {rounded(value)}" for key, value in frame.attrs["values"].items() if value == value]
    total = frame["width"].sum()
    rest = frame.loc[~coloured, "width"].sum() / total if total else 0.0
    parts += [f"grey: {rest:.0%}" + (" →" if cut else "")] if rest else []
    return title + ("<br>" + ", ".join(parts) if parts else "")


def _add_bars(figure, frame, colours):
    frequency = ["" if np.isnan(p) else f"<br>in {p:.0%} of runs" for p in frame["frequency"]]
    marker = {"color": colours, "line": {"width": 0.5, "color": EDGE_COLOUR}}
    highlighted = frame.loc[frame["highlighted"], "position"].drop_duplicates().sort_values()
    if len(highlighted):
        pattern = {position: PATTERNS[i % len(PATTERNS)] for i, position in enumerate(highlighted)}
        shapes = [pattern.get(position, "") for position in frame["position"]]
        marker["pattern"] = {"shape": shapes, "size": 6, "fillmode": "overlay", "fgcolor": "white", "solidity": 0.25}
    width, base = frame["width"].to_numpy(np.float32), frame["start"].round(5)
    texts = [f"{safe(f)}{p}<br>{s:.1%}" for f, p, s in zip(frame["feature"], frequency, frame["share"])]
    hover = {"hovertext": frame["run"], "hovertemplate": "run %{hovertext}<br>%{text} of the run's importance<extra></extra>"}
    look = {"orientation": "h", "showlegend": False, "unselected": {"marker": {"opacity": 1}}, "textposition": "none"}
    figure.add_bar(x=width, y=frame["row"], base=base, marker=marker, customdata=frame["position"], text=texts, **hover, **look)


def _add_picture(figure, frame, colours, first, rows):
    """The bars as an image: each pixel has the colour of the segment at its middle, neighbours in two shades."""
    end = float((frame["start"] + frame["width"]).max())
    palette = list(dict.fromkeys(colours))
    number = {colour: 2 * i + 1 for i, colour in enumerate(palette)}
    steps = np.array([number[colour] for colour in colours]) + frame["position"].to_numpy() % 2
    cells = np.zeros((rows, PICTURE_WIDTH), dtype=np.uint8)
    middle = (np.arange(PICTURE_WIDTH) + 0.5) * end / PICTURE_WIDTH
    start, width, row = (frame[name].to_numpy() for name in ("start", "width", "row"))
    edges = np.flatnonzero(np.diff(row, prepend=row[0] - 1))
    for begin, stop in zip(edges, [*edges[1:], len(row)]):
        segment = np.searchsorted(start[begin:stop], middle, side="right") - 1 + begin
        cells[row[begin] - first] = np.where(middle < start[segment] + width[segment], steps[segment], 0)
    shades = [shade for colour in palette for shade in (fade(colour, 0.7), colour)]
    place = {"x0": end / PICTURE_WIDTH / 2, "dx": end / PICTURE_WIDTH, "y0": first, "dy": 1}
    source = png_data_uri(cells, ["rgba(0,0,0,0)", *shades])
    figure.add_image(source=source, hovertemplate="row %{y}<extra></extra>", **place)
    figure.update_yaxes(scaleanchor=False)


def _colours_and_legend(grid, drawn):
    """({position: colour}, entries of the legend). drawn: the positions with rectangles."""
    columns = grid.columns
    if columns["highlighted"].any() or grid.groups:
        number, colours, entries = column_colours(grid)
        return {position: colours[i] for position, i in zip(columns["position"], number)}, entries
    leading = columns[columns["position"].isin(set(coloured_positions(grid)) & drawn)]
    colours = dict(zip(leading["position"], PALETTE))
    entries = [(name, colour, "square") for name, colour in zip(leading["feature"], PALETTE)]
    return colours, [*entries, *([("all others", PALE_GREY, "square")] if drawn - set(colours) else [])]
