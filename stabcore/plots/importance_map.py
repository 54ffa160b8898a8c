"""Hamer–Dupont map: one bar a run, in it a segment a feature, as wide as the feature counted."""

from __future__ import annotations

import numpy as np

from stabcore.base.text import plural, rounded, several
from stabcore.plots.labels import spread_apart
from stabcore.plots.names import safe, shorten_apart
from stabcore.plots.selection_map import MOST_COLOURS, add_legend, column_colours, fade, legend_height, png_data_uri, runs_as_rows
from stabcore.plots.style import GREY, PALETTE, REST, TOOL_BAR, blank

MOST_SEGMENTS = 5000  # beyond, a picture is drawn
PICTURE_WIDTH = 1500  # its width
MOST_ROWS = 60  # up to which there is room for words in a row
FREQUENT = 0.8  # of the runs, from which on every feature has its name
# names above the picture at most; pixels of each; of the picture on a telephone
MOST_NAMED, NAME_WIDTH, TELEPHONE_WIDTH = 20, 13, 270
NAMES_HEIGHT = 118  # pixels of the names
EDGE_COLOUR = "rgba(127,127,127,0.5)"  # between two pieces
LEAST_SHOWN, NAMED_ROOM = 0.4, 1.08  # of the width that is always drawn; of the part that is named
PATTERNS = ("/", "\\", "x", "-", "|", "+", ".", "/")


def frame_importance_map(seen, most=40, values=None):
    """DataFrame(run, fold, feature, position, start, width, share, frequency, group, highlighted) of a Map, a row a segment.

    Width is the importance, scaled so that a run's widths sum to the mean number of selected features. Columns beyond the
    `most` first and those highlighted are one segment, "all others", at position 0. attrs: "runs" and how many are "empty",
    because they selected nothing or nothing of importance; "values", {key of a measure: value} of these runs, to stand below.
    Source: Hamer & Dupont, JMLR 2021, section 3.
    """
    import pandas as pd

    columns, share = seen.columns, seen.shares()
    shown = (columns["position"] <= most).to_numpy() | columns["highlighted"].to_numpy()
    table = columns.loc[shown, ["feature", "position", "frequency", "group", "highlighted"]]
    rest = int((~shown).sum())
    if rest:
        others = {"feature": f"all others ({rest:,})", "position": 0, "frequency": np.nan, "group": "", "highlighted": False}
        table = pd.concat([table, pd.DataFrame([others])], ignore_index=True)
        share = np.column_stack([share[:, shown], share[:, ~shown].sum(axis=1)])
    width = share * (seen.counts.sum() / max(len(seen.runs), 1))
    frame = pd.DataFrame(
        {
            **seen.by_run(np.cumsum(width, axis=1) - width, "start"),
            "width": width.ravel(),
            "share": share.ravel(),
            **{name: np.tile(table[name].to_numpy(), len(share)) for name in table},
        }
    )
    first = [name for name in ("run", "fold", "feature", "position") if name in frame]
    frame = frame[[*first, *(name for name in frame if name not in first)]]
    frame = frame[frame["width"] > 0].reset_index(drop=True)
    frame.attrs.update(runs=len(seen.runs), empty=len(empty_runs(seen)), values=values or {})
    return frame


def empty_runs(seen):
    """The numbers of the runs in which no feature counted anything."""
    return seen.runs[~(seen.shares() > 0).any(axis=1)]


def finding_importance_map(frame, merged=False) -> str:
    """The map in one sentence."""
    if frame.empty:
        return "No run gave any feature importance."
    share = frame.groupby("position")["share"].sum() / frame["share"].sum()
    often = frame.drop_duplicates("position").set_index("position")["frequency"].dropna()  # "all others" has none
    steady = often[often >= 0.8].index
    noun, largest = ("groups and single features", "one of them") if merged else (plural(len(often), "feature"), "one feature")
    carry = "carries" if len(steady) == 1 else "carry"
    carried = f" and {carry} {share[steady].sum():.0%} of all importance" if len(steady) else ""
    sentence = (
        f"Of the {len(often)} {noun} drawn one by one, {len(steady) or 'none'} {'was' if len(steady) < 2 else 'were'} "
        f"selected "
        f"in at least 80% of the runs{carried}; the largest share of {largest} is {share[often.index].max():.0%}."
    )
    empty = frame.attrs.get("empty", 0)
    return f"{sentence} {_describe_empty(empty, frame.attrs['runs'])}" if empty else sentence


def frequent_features(seen) -> list[str]:
    """The features or groups of a Map that come in at least 80% of its runs, the most frequent first."""
    often = seen.columns[seen.columns["frequency"] >= FREQUENT]
    return often.sort_values("frequency", ascending=False, kind="stable")["feature"].tolist()


def _describe_empty(count, runs) -> str:
    rows = "its row is" if count == 1 else "their rows are"
    return f"In {count} of {several(runs, 'run')} no feature counted anything, so {rows} empty."


def draw_importance_map(frame, seen):
    """One bar a run; the width of a segment is the importance of a feature. The segments carry their position, from 1.

    seen: the Map of the frame. Highlighted features have the colours, else the leading groups, else the leading features; above the
    bars stand the names of those, and of what comes in 80% of the runs. What has no name is dim, and where it would take most of
    the picture it goes on beyond its right edge. Beyond MOST_SEGMENTS segments a picture.
    """
    colours, entries = _colours_and_legend(seen, set(frame["position"]))
    colour = [colours.get(position, REST) for position in frame["position"]]
    rows = int(np.ptp(seen.runs)) + 1 if len(seen.runs) else 1
    named = _named_features(frame, seen, colours)
    end, cut = _axis_ends(frame, named)
    with_legend = bool(seen.groups) and not seen.columns["highlighted"].any()
    figure = blank(
        x=_title_below(frame, named, cut < end),
        y="Run",
        height=max(320, min(900, 12 * rows + 160)) + NAMES_HEIGHT * bool(len(named)) + with_legend * legend_height(entries),
    )
    if len(frame) <= MOST_SEGMENTS:
        _add_bars(figure, frame, colour)
    else:
        _add_picture(figure, frame, colour, int(seen.runs.min()), rows)
    if rows <= MOST_ROWS:
        _mark_empty(figure, empty_runs(seen))
    if with_legend:
        figure.update_layout(margin_t=TOOL_BAR + legend_height(entries))
        add_legend(figure, entries)
    runs_as_rows(figure, seen.runs, seen.folds)
    figure.update_xaxes(range=[0, cut], zeroline=False, showgrid=False)
    figure.update_layout(bargap=0.08)
    _add_names(figure, named, colours, cut)
    return figure


def _named_features(frame, seen, colours):
    """DataFrame(middle, width, feature, highlighted) by position of the features that have a name above the picture.

    From left to right; where there are more than MOST_NAMED, those highlighted before others and then the widest of them.
    """
    columns = seen.columns.set_index("position")
    often, lit = columns["frequency"] >= FREQUENT, columns["highlighted"]
    leading = columns.index.isin([] if seen.groups or lit.any() else list(colours))
    part = frame[frame["position"].isin(columns.index[often | lit | leading])]
    named = part.assign(middle=part["start"] + part["width"] / 2).groupby("position")[["middle", "width"]].mean()
    named = named.join(columns[["feature", "highlighted"]])
    return named.sort_values(["highlighted", "width"], ascending=False, kind="stable").head(MOST_NAMED).sort_index()


def _axis_ends(frame, named):
    """(where the longest bar ends, where the picture does)."""
    ends = frame["start"] + frame["width"]
    end = float(ends.max()) if len(frame) else 1.0
    named_ends = ends[frame["position"].isin(named.index)]
    return end, min(end, max(LEAST_SHOWN * end, NAMED_ROOM * float(named_ends.max()))) if len(named_ends) else end


def _title_below(frame, named, cut):
    """The title below: what widths are, the values of the runs, and what is left for all that has no name."""
    title = "Importance (a run adds up to the<br>mean number of selected features)"
    symbols = {"nogueira": "φ", "importance_weighted": "φ_iw"}
    parts = [f"{symbols[key]} {rounded(value)}" for key, value in frame.attrs["values"].items() if value == value]
    total = frame["width"].sum()
    rest = frame.loc[~frame["position"].isin(named.index), "width"].sum() / total if total else 0.0
    parts += [f"unnamed {rest:.0%}" + (" →" if cut else "")] if rest else []
    return title + ("<br>" + ", ".join(parts) if parts else "")


def _add_names(figure, named, colours, cut):
    """Names above the bars, pushed apart as far as a telephone needs it, each with a line to where its pieces are on average."""
    if not len(named):
        return
    high = 1 - NAMES_HEIGHT / (figure.layout.height - figure.layout.margin.t - figure.layout.margin.b)
    figure.layout.yaxis.domain = (0, high)
    pixels = named["middle"].to_numpy() / cut * TELEPHONE_WIDTH
    for row, name, here, there in zip(
        named.itertuples(),
        shorten_apart(named["feature"]),
        pixels,
        spread_apart(pixels, NAME_WIDTH, NAME_WIDTH / 2, TELEPHONE_WIDTH - NAME_WIDTH / 2),
        strict=True,
    ):
        away = float(there - here)
        figure.add_annotation(
            x=row.middle,
            y=high,
            yref="paper",
            ax=away,
            ay=-10,
            text="",
            arrowhead=0,
            arrowwidth=1.5,
            arrowcolor=colours.get(row.Index, GREY),
        )
        figure.add_annotation(
            x=row.middle,
            y=high,
            yref="paper",
            xshift=away,
            yshift=10,
            textangle=-90,
            xanchor="center",
            yanchor="bottom",
            text=f"<b>{name}</b>" if row.highlighted else name,
            showarrow=False,
            font={"size": 11},
            borderpad=0,
        )


def _mark_empty(figure, runs):
    """Words in the rows that are empty, so that nobody takes them for a fault."""
    if len(runs):
        figure.add_scatter(
            x=[0] * len(runs),
            y=runs,
            mode="text",
            text=["no feature counted"] * len(runs),
            textposition="middle right",
            textfont={"size": 10, "color": "grey"},
            showlegend=False,
            hoverinfo="skip",
        )


def _add_bars(figure, frame, colours):
    often = ["" if np.isnan(p) else f"<br>in {p:.0%} of runs" for p in frame["frequency"]]
    marker = {"color": colours, "line": {"width": 0.5, "color": EDGE_COLOUR}}
    lit = frame.loc[frame["highlighted"], "position"].drop_duplicates().sort_values()
    if len(lit):
        pattern = {position: PATTERNS[i % len(PATTERNS)] for i, position in enumerate(lit)}
        marker["pattern"] = {
            "shape": [pattern.get(position, "") for position in frame["position"]],
            "size": 6,
            "fillmode": "overlay",
            "fgcolor": "white",
            "solidity": 0.25,
        }
    figure.add_bar(
        y=frame["run"],
        x=frame["width"].to_numpy(np.float32),
        base=frame["start"].round(5),
        orientation="h",
        showlegend=False,
        marker=marker,
        customdata=frame["position"],
        unselected={"marker": {"opacity": 1}},
        text=[f"{safe(f)}{o}<br>{s:.1%}" for f, o, s in zip(frame["feature"], often, frame["share"])],
        textposition="none",
        hovertemplate="run %{y}<br>%{text} of the run's importance<extra></extra>",
    )


def _add_picture(figure, frame, colours, first, rows):
    """The same as one picture: each pixel has the colour of the segment at its middle, neighbours in two shades."""
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
    figure.add_image(
        source=png_data_uri(cells, ["rgba(0,0,0,0)", *shades]),
        x0=end / PICTURE_WIDTH / 2,
        dx=end / PICTURE_WIDTH,
        y0=first,
        dy=1,
        hovertemplate="run %{y}<extra></extra>",
    )
    figure.update_yaxes(scaleanchor=False)


def _colours_and_legend(seen, drawn):
    """({position: colour}, entries of the legend); drawn: the positions that there are rectangles for."""
    columns = seen.columns
    if columns["highlighted"].any() or seen.groups:
        number, colours, entries = column_colours(seen)
        return {position: colours[i] for position, i in zip(columns["position"], number)}, entries
    leading = columns.sort_values("strength", ascending=False, kind="stable")[:MOST_COLOURS].sort_values("position")
    named = list(zip(leading["position"], leading["feature"], PALETTE))
    colours = {position: colour for position, _, colour in named}
    return {position: colour for position, colour in colours.items() if position in drawn}, []
