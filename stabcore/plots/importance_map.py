"""Hamer–Dupont map: one bar per run, with a segment per feature as wide as its importance."""

from __future__ import annotations

import numpy as np
import pandas as pd

from stabcore.base.text import plural, rounded, several
from stabcore.plots.labels import spread_apart
from stabcore.plots.marks import note, points
from stabcore.plots.names import safe, shorten_apart
from stabcore.plots.selection_map import MAX_COLOURS, add_legend, column_colours, fade, legend_height, png_data_uri, runs_as_rows
from stabcore.plots.style import GREY, PALETTE, REST, TOOL_BAR, blank, plot_height

MAX_SEGMENTS = 5000  # number of segments beyond which an image is drawn
PICTURE_WIDTH = 1500  # its width
MOST_ROWS = 60  # largest number of rows with space for words
FREQUENT = 0.8  # share of runs from which every feature has its name
# names above the picture at most; pixels of each; of the picture on a telephone
MAX_NAMED, NAME_WIDTH, TELEPHONE_WIDTH = 20, 13, 270
NAMES_HEIGHT = 118  # pixels of the names
EDGE_COLOUR = "rgba(127,127,127,0.5)"  # between two segments
LEAST_SHOWN, NAMED_ROOM = 0.4, 1.08  # share of the width that is always drawn, and factor for the named part
PATTERNS = ("/", "\\", "x", "-", "|", "+", ".", "/")


def frame_importance_map(grid, most=40, values=None):
    """DataFrame(run, fold, feature, position, start, width, share, frequency, group, highlighted) of a Map, one row per segment.

    Width is the importance, scaled so that a run's widths sum to the mean number of selected features. Columns beyond the
    `most` first and those highlighted are one segment, "all others", at position 0. attrs: "runs"; "empty", the number of runs
    without any importance; "values", {key of a measure: value} of these runs for the title.
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
    frame = pd.DataFrame(
        {
            **grid.by_run(np.cumsum(width, axis=1) - width, "start"),
            "width": width.ravel(),
            "share": share.ravel(),
            **{name: np.tile(table[name].to_numpy(), len(share)) for name in table},
        }
    )
    first = [name for name in ("run", "fold", "feature", "position") if name in frame]
    frame = frame[[*first, *(name for name in frame if name not in first)]]
    frame = frame[frame["width"] > 0].reset_index(drop=True)
    frame.attrs.update(runs=len(grid.runs), empty=len(empty_runs(grid)), values=values or {})
    return frame


def empty_runs(grid):
    """Return the numbers of the runs without importance."""
    return grid.runs[~(grid.shares() > 0).any(axis=1)]


def finding_importance_map(frame, merged=False) -> str:
    """Describe the importance of the frequent features, and the largest share of a single one."""
    if frame.empty:
        return "No run gave any feature importance."
    share = frame.groupby("position")["share"].sum() / frame["share"].sum()
    frequency = frame.drop_duplicates("position").set_index("position")["frequency"].dropna()  # "all others" has none
    frequent = frequency[frequency >= FREQUENT].index
    noun = "groups and single features" if merged else plural(len(frequency), "feature")
    sentence = (
        f"{len(frequent)} of {len(frequency)} separate {noun} have a selection frequency of at least {FREQUENT:.0%}. Their share "
        f"of all importance is {share[frequent].sum():.0%}. The largest single share is {share[frequency.index].max():.0%}."
    )
    empty = frame.attrs.get("empty", 0)
    return f"{sentence} Without importance: {empty} of {several(frame.attrs['runs'], 'run')}." if empty else sentence


def frequent_features(grid) -> list[str]:
    """Return the columns of a Map that are selected in at least 80% of its runs, the most frequent first."""
    frequent = grid.columns[grid.columns["frequency"] >= FREQUENT]
    return frequent.sort_values("frequency", ascending=False, kind="stable")["feature"].tolist()


def draw_importance_map(frame, grid):
    """Draw one bar per run, with segments as wide as the importance of a feature. They carry its position, from 1.

    grid: the Map of the frame. The colours show highlighted features, else the leading groups, else the leading features. The names
    of these, and of features in 80% of the runs, are above the bars. Features without a name are dim, and extend beyond the right
    edge if they would take most of the picture. Beyond MAX_SEGMENTS segments the bars are an image.
    """
    colours, entries = _colours_and_legend(grid, set(frame["position"]))
    colour = [colours.get(position, REST) for position in frame["position"]]
    rows = int(np.ptp(grid.runs)) + 1 if len(grid.runs) else 1
    named = _named_features(frame, grid, colours)
    end, cut = _axis_ends(frame, named)
    with_legend = bool(grid.groups) and not grid.columns["highlighted"].any()
    height = max(320, min(900, 12 * rows + 160)) + NAMES_HEIGHT * bool(len(named)) + with_legend * legend_height(entries)
    figure = blank(x=_title_below(frame, named, cut < end), y="Run", height=height)
    if len(frame) <= MAX_SEGMENTS:
        _add_bars(figure, frame, colour)
    else:
        _add_picture(figure, frame, colour, int(grid.runs.min()), rows)
    empty = empty_runs(grid)
    if rows <= MOST_ROWS and len(empty):
        look = {"mode": "text", "text": ["no feature counted"] * len(empty), "textposition": "middle right"}
        font = {"size": 10, "color": "grey"}
        figure.add_trace(points([0] * len(empty), empty, None, textfont=font, showlegend=False, **look))
    if with_legend:
        figure.update_layout(margin_t=TOOL_BAR + legend_height(entries))
        add_legend(figure, entries)
    runs_as_rows(figure, grid.runs, grid.folds)
    figure.update_xaxes(range=[0, cut], zeroline=False, showgrid=False)
    figure.update_layout(bargap=0.08)
    if len(named):
        _add_names(figure, named, colours, cut)
    return figure


def _named_features(frame, grid, colours):
    """DataFrame(middle, width, feature, highlighted) by position of the features with a name above the picture.

    From left to right, at most MAX_NAMED, highlighted ones first and then the widest.
    """
    columns = grid.columns.set_index("position")
    highlighted = columns["highlighted"]
    leading = columns.index.isin([] if grid.groups or highlighted.any() else list(colours))
    part = frame[frame["position"].isin(columns.index[(columns["frequency"] >= FREQUENT) | highlighted | leading])]
    named = part.assign(middle=part["start"] + part["width"] / 2).groupby("position")[["middle", "width"]].mean()
    named = named.join(columns[["feature", "highlighted"]])
    return named.sort_values(["highlighted", "width"], ascending=False, kind="stable").head(MAX_NAMED).sort_index()


def _axis_ends(frame, named):
    """(end of the longest bar, end of the axis)."""
    ends = frame["start"] + frame["width"]
    end = float(ends.max()) if len(frame) else 1.0
    named_ends = ends[frame["position"].isin(named.index)]
    return end, min(end, max(LEAST_SHOWN * end, NAMED_ROOM * float(named_ends.max()))) if len(named_ends) else end


def _title_below(frame, named, cut):
    """The title below: the meaning of widths, the values of the runs, and the share of all unnamed features."""
    title = "Importance (a run adds up to the<br>mean number of selected features)"
    symbols = {"nogueira": "φ", "importance_weighted": "φ_iw"}
    parts = [f"{symbols[key]} {rounded(value)}" for key, value in frame.attrs["values"].items() if value == value]
    total = frame["width"].sum()
    rest = frame.loc[~frame["position"].isin(named.index), "width"].sum() / total if total else 0.0
    parts += [f"unnamed {rest:.0%}" + (" →" if cut else "")] if rest else []
    return title + ("<br>" + ", ".join(parts) if parts else "")


def _add_names(figure, named, colours, cut):
    """Names above the bars, pushed apart for a telephone, each with a line to the mean place of its segments."""
    high = 1 - NAMES_HEIGHT / plot_height(figure)
    figure.layout.yaxis.domain = (0, high)
    pixels = named["middle"].to_numpy() / cut * TELEPHONE_WIDTH
    shifts = spread_apart(pixels, NAME_WIDTH, NAME_WIDTH / 2, TELEPHONE_WIDTH - NAME_WIDTH / 2) - pixels
    for row, name, shift in zip(named.itertuples(), shorten_apart(named["feature"]), shifts.tolist(), strict=True):
        place = {"x": row.middle, "y": high, "yref": "paper"}
        figure.add_annotation(
            **place, ax=shift, ay=-10, text="", arrowhead=0, arrowwidth=1.5, arrowcolor=colours.get(row.Index, GREY)
        )
        text, look = f"<b>{name}</b>" if row.highlighted else name, {"xref": "x", "textangle": -90, "borderpad": 0}
        figure.add_annotation(note(text, row.middle, high, "center", size=11, colour=None, xshift=shift, yshift=10, **look))


def _add_bars(figure, frame, colours):
    frequency = ["" if np.isnan(p) else f"<br>in {p:.0%} of runs" for p in frame["frequency"]]
    marker = {"color": colours, "line": {"width": 0.5, "color": EDGE_COLOUR}}
    highlighted = frame.loc[frame["highlighted"], "position"].drop_duplicates().sort_values()
    if len(highlighted):
        pattern = {position: PATTERNS[i % len(PATTERNS)] for i, position in enumerate(highlighted)}
        shapes = [pattern.get(position, "") for position in frame["position"]]
        marker["pattern"] = {"shape": shapes, "size": 6, "fillmode": "overlay", "fgcolor": "white", "solidity": 0.25}
    figure.add_bar(
        x=frame["width"].to_numpy(np.float32),
        y=frame["run"],
        base=frame["start"].round(5),
        marker=marker,
        customdata=frame["position"],
        text=[f"{safe(f)}{p}<br>{s:.1%}" for f, p, s in zip(frame["feature"], frequency, frame["share"])],
        hovertemplate="run %{y}<br>%{text} of the run's importance<extra></extra>",
        **{"orientation": "h", "showlegend": False, "unselected": {"marker": {"opacity": 1}}, "textposition": "none"},
    )


def _add_picture(figure, frame, colours, first, rows):
    """The bars as an image: each pixel has the colour of the segment at its middle, neighbours in two shades."""
    end = float((frame["start"] + frame["width"]).max())
    palette = list(dict.fromkeys(colours))
    number = {colour: 2 * i + 1 for i, colour in enumerate(palette)}
    steps = np.array([number[colour] for colour in colours]) + frame["position"].to_numpy() % 2
    cells = np.zeros((rows, PICTURE_WIDTH), dtype=np.uint8)
    middle = (np.arange(PICTURE_WIDTH) + 0.5) * end / PICTURE_WIDTH
    start, width, run = (frame[name].to_numpy() for name in ("start", "width", "run"))
    edges = np.flatnonzero(np.diff(run, prepend=run[0] - 1))
    for begin, stop in zip(edges, [*edges[1:], len(run)]):
        segment = np.searchsorted(start[begin:stop], middle, side="right") - 1 + begin
        cells[run[begin] - first] = np.where(middle < start[segment] + width[segment], steps[segment], 0)
    shades = [shade for colour in palette for shade in (fade(colour, 0.7), colour)]
    place = {"x0": end / PICTURE_WIDTH / 2, "dx": end / PICTURE_WIDTH, "y0": first, "dy": 1}
    source = png_data_uri(cells, ["rgba(0,0,0,0)", *shades])
    figure.add_image(source=source, hovertemplate="run %{y}<extra></extra>", **place)
    figure.update_yaxes(scaleanchor=False)


def _colours_and_legend(grid, drawn):
    """({position: colour}, entries of the legend); drawn: the positions with rectangles."""
    columns = grid.columns
    if columns["highlighted"].any() or grid.groups:
        number, colours, entries = column_colours(grid)
        return {position: colours[i] for position, i in zip(columns["position"], number)}, entries
    leading = columns.sort_values("strength", ascending=False, kind="stable")[:MAX_COLOURS].sort_values("position")
    named = list(zip(leading["position"], leading["feature"], PALETTE))
    colours = {position: colour for position, _, colour in named}
    return {position: colour for position, colour in colours.items() if position in drawn}, []
