"""A small panel for each selector: a curve with its interval beside the same with the outcome shuffled."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from stabcore.plots.names import safe, short_names
from stabcore.plots.noise_floor import floor_is_measured
from stabcore.plots.style import (
    FLOOR_AREA,
    FLOOR_COLOUR,
    GREY,
    GRID,
    INK,
    MEASURED,
    PAPER,
    SECOND_INK,
    TOOL_BAR,
    blank,
    translucent,
)
from stabcore.plots.values import few_ticks, format_number
from stabcore.selectors.baseline import is_baseline

MOST_PANELS = 12
# pixels of a small panel, between two rows of them, and above the first
PANEL_HEIGHT, HEADING_HEIGHT, TOP_HEIGHT = 104, 56, 24
MOST_POINTS = 120  # of a curve, for which a small panel has room
WILD_SHARE = 0.02  # of the values at the low end that do not decide how high a panel is
LOWEST_VALUE = -3.0  # of the axis; effective stability has no lower end
# of the width, from which on a panel has few beside it; letters of a name there is room for then
WIDE_PANEL, NARROW_LETTERS = 0.4, 13
LEFT_MARGIN, BOTTOM_MARGIN = 46, 26  # pixels of the numbers at the left and below


@dataclass(frozen=True)
class CurveAxis:
    """What curves run along: the column x from start to end, its ticks {value: text}, what a point says (of %{x})."""

    x: str
    start: float
    end: float
    ticks: dict[float, str]
    hover: str
    log: bool = False

    def at(self, value):
        """A place on the axis as plotly takes it in ranges and shapes."""
        return float(np.log10(value)) if self.log else float(value)


def shown_selectors(frame, beyond) -> list[str]:
    """The selectors that have a panel, in the order of a frame_beyond: baselines have none, and no more than MOST_PANELS."""
    there = set(frame["selector"])
    return [name for name in dict.fromkeys(beyond["selector"]) if name in there and not is_baseline(name)][:MOST_PANELS]


def small_multiples(frame, along, chosen, beyond, columns=4, below=0):
    """The figure: blue measured with its interval, grey the same with the outcome shuffled, mean and range.

    frame: DataFrame(selector, value, low, high, floor, floor_low, floor_high) and the column along x; chosen: a value of it,
    marked in each panel with what is beyond the floor there, of beyond, a frame_beyond; below: pixels left free under the panels.
    """
    names = shown_selectors(frame, beyond)
    rows = max(1, -(-len(names) // columns))
    figure = blank(height=TOOL_BAR + TOP_HEIGHT + rows * (PANEL_HEIGHT + HEADING_HEIGHT) - HEADING_HEIGHT + BOTTOM_MARGIN + below)
    figure.layout.margin.update(t=TOOL_BAR, b=BOTTOM_MARGIN, l=LEFT_MARGIN)
    inner = figure.layout.height - TOOL_BAR - BOTTOM_MARGIN
    shown = frame[frame["selector"].isin(names) & frame[along.x].between(along.start - 1e-9, along.end + 1e-9)]
    reach, measured = _axis_range(shown), floor_is_measured(beyond)
    numbers = beyond.drop_duplicates("selector").set_index("selector")
    for place, name in enumerate(names):
        row, column = divmod(place, columns)
        top, across = 1 - (row * (PANEL_HEIGHT + HEADING_HEIGHT) + TOP_HEIGHT) / inner, (column / columns, (column + 0.9) / columns)
        curve = shown[shown["selector"] == name]
        _set_axes(figure, place, across, (max(top - PANEL_HEIGHT / inner, 0.0), top), reach, along, first=column == 0)
        _add_curves(figure, curve, place, along, measured)
        _mark_chosen(figure, curve, place, along, chosen, measured, numbers.loc[name, "clear"])
        _add_heading(figure, name, numbers.loc[name], across, top, measured)
    return figure


def _axis_range(shown):
    """(low, high) of the axis of all panels; a few wild values may leave it."""
    values = shown[["value", "floor", "floor_low"]].to_numpy(dtype=float).ravel()
    values = np.sort(values[~np.isnan(values)])
    if not len(values):
        return -0.05, 1.0
    low, high = max(min(values[int(WILD_SHARE * len(values))], 0.0), LOWEST_VALUE), max(values[-1], 0.1)
    return low - 0.05 * (high - low), high + 0.08 * (high - low)


def _set_axes(figure, place, across, up, reach, along, first):
    end = place + 1 if place else ""
    figure.layout[f"xaxis{end}"] = {
        "domain": list(across),
        "anchor": f"y{end}",
        "tickvals": list(along.ticks),
        "ticktext": list(along.ticks.values()),
        "range": [along.at(along.start), along.at(along.end)],
        "type": "log" if along.log else "linear",
        "showgrid": False,
        "zeroline": False,
        "automargin": False,
    }
    ticks = few_ticks(*reach)
    figure.layout[f"yaxis{end}"] = {
        "domain": list(up),
        "anchor": f"x{end}",
        "range": list(reach),
        "tickvals": ticks,
        "showticklabels": first,
        "showgrid": True,
        "ticktext": [format_number(tick, digits=1) for tick in ticks],
        "gridcolor": GRID,
        "automargin": False,
        "zeroline": True,
        "zerolinecolor": GREY,
        "fixedrange": True,
    }


def _add_curves(figure, curve, place, along, measured):
    """Floor and measured, each an area with a line; points that cannot be seen take clicks."""
    end = place + 1 if place else ""
    axes = {"xaxis": f"x{end}", "yaxis": f"y{end}", "showlegend": False, "type": "scatter"}
    curve = curve.iloc[_drawn_rows(curve, along)]
    x = curve[along.x].round(6).tolist()
    for value, low, high, line, area, called in (
        ("floor", "floor_low", "floor_high", FLOOR_COLOUR, FLOOR_AREA, "noise floor"),
        ("value", "low", "high", MEASURED if measured else GREY, None, "measured"),
    ):
        if curve[value].isna().all():
            continue
        if curve[low].notna().any():
            edge = {"x": x, "mode": "lines", "line": {"width": 0}, "hoverinfo": "skip", **axes}
            figure.add_traces(
                [
                    {**edge, "y": curve[high].fillna(curve[value].where(curve[low].notna())).tolist()},
                    {**edge, "y": curve[low].tolist(), "fill": "tonexty", "fillcolor": area or translucent(line)},
                ]
            )
        unseen = {"marker": {"opacity": 0}}
        figure.add_trace(
            {
                "x": x,
                "y": curve[value].tolist(),
                "mode": "lines+markers",
                "name": called,
                "selected": unseen,
                "line": {"color": line, "width": 1.5 if value == "floor" else 2},
                "marker": {"size": 7, "opacity": 0},
                "unselected": unseen,
                "hovertemplate": f"{along.hover}: %{{y:.2f}}<extra>{called}</extra>",
                **axes,
            }
        )


def _drawn_rows(curve, along):
    """Which rows of a curve are drawn: as many as a small panel has room for, evenly along its axis, and the last."""
    if len(curve) <= MOST_POINTS:
        return np.arange(len(curve))
    places = np.log(curve[along.x].to_numpy(dtype=float)) if along.log else curve[along.x].to_numpy(dtype=float)
    return np.unique(
        np.append(
            np.searchsorted(places, np.linspace(places[0], places[-1], MOST_POINTS)).clip(max=len(places) - 1), len(places) - 1
        )
    )


def _mark_chosen(figure, curve, place, along, chosen, measured, clear):
    """The chosen value: a dotted line, and a point on the curve at the nearest that there is, filled where it is clear."""
    end, colour = place + 1 if place else "", MEASURED if measured else GREY
    figure.layout.shapes += (dotted_line(chosen, end),)
    here = curve.dropna(subset="value")
    if len(here):
        nearest = here.iloc[(here[along.x] - chosen).abs().argmin()]
        figure.add_trace(
            {
                "type": "scatter",
                "x": [float(nearest[along.x])],
                "y": [float(nearest["value"])],
                "mode": "markers",
                "hoverinfo": "skip",
                "showlegend": False,
                "marker": {"size": 9, "color": PAPER if measured and not clear else colour, "line": {"width": 2, "color": colour}},
                "xaxis": f"x{end}",
                "yaxis": f"y{end}",
            }
        )


def dotted_line(position, end) -> dict:
    """A dotted line across a panel, whose axes end in `end`."""
    return {
        "type": "line",
        "xref": f"x{end}",
        "x0": position,
        "x1": position,
        "yref": f"y{end} domain",
        "y0": 0,
        "y1": 1,
        "line": {"dash": "dot", "width": 1.5, "color": GREY},
    }


def _add_heading(figure, name, row, across, top, measured):
    """The name of a panel, and what is beyond the floor at the chosen value."""
    above = {"xref": "paper", "yref": "paper", "y": top, "yanchor": "bottom", "yshift": 3, "showarrow": False}
    size = 13 if across[1] - across[0] < WIDE_PANEL else 11  # a telephone has two panels beside each other
    name = short_names([name])[name]
    short = safe(f"{name[: NARROW_LETTERS - 1]}…" if size < 13 and len(name) > NARROW_LETTERS else name)
    texts = [{"text": f"<b>{short}</b>", "x": across[0], "xanchor": "left", "font": {"size": size, "color": INK}, **above}]
    if measured and not np.isnan(row["beyond"]):
        number = format_number(row["beyond"], sign=True)
        texts.append(
            {
                "text": f"<b>{number}</b>" if row["clear"] else number,
                "x": across[1],
                "xanchor": "right",
                "font": {"size": size, "color": INK if row["clear"] else SECOND_INK},
                **above,
            }
        )
    figure.layout.annotations += tuple(texts)
