"""A small facet for each selector: a curve with its interval, and the same curve with the outcome shuffled."""

from dataclasses import dataclass

import numpy as np

from stabcore.analysis.compare_selectors import LEVEL
from stabcore.plots.estimates import few_ticks, format_number, format_on_unit_scale
from stabcore.plots.marks import line, note, points, rule
from stabcore.plots.names import safe, short_names, shorten
from stabcore.plots.noise_floor import floor_is_measured
from stabcore.plots.style import (
    FLOOR_COLOUR,
    GREY,
    GRID,
    INK,
    LEGEND_LINE,
    MEASURED,
    PAPER,
    SECOND_INK,
    TITLE_LINE,
    TOOL_BAR,
    empty_figure,
    fade,
    translucent,
)
from stabcore.selectors.baseline import is_baseline

MAX_FACETS = 12
# pixels of a small facet, between two rows of them, and above the first
FACET_HEIGHT, HEADING_HEIGHT, TOP_HEIGHT = 104, 56, 32 + TITLE_LINE
MAX_POINTS = 120  # points of a curve that fit in a small facet
MAX_CLIPPED_SHARE = 0.005  # share of the lowest values that do not determine the height of a facet
LOWEST_VALUE = -3.0  # lowest value of the axis, because effective stability has no lower limit
WIDE_FACET, NARROW_LETTERS = 0.4, 13  # share of the width of a facet on a telephone, and letters of a name that fit in it
NARROW_COLUMNS = 2  # facets in a row on a telephone
FACET_SHARE = 0.82  # of a column, so that the numbers below two facets are apart
# height of the axis that areas may need above and below the lines: its share, at least and at most
AREA_SHARE, LEAST_AREA, MOST_AREA = 0.5, 0.25, 0.5
OUTSIDE = ". Areas continue outside."
THIN, THICK = 1.2, 3.5  # pixels of a measured curve, and of its parts above the shuffles
RANGE = fade(FLOOR_COLOUR, 0.18)  # pale, because ranges of few shuffles are wide
LEFT_MARGIN, BOTTOM_MARGIN = 46, 46  # pixels of the numbers at the left, and of the numbers and the title below


@dataclass(frozen=True)
class CurveAxis:
    """The x axis of curves: the column x from start to end, title, ticks {value: text}, and the hover text of a point (of %{x})."""

    x: str
    start: float
    end: float
    title: str
    ticks: dict[float, str]
    hover: str
    log: bool = False

    def place(self, value):
        """Return a position on the axis for ranges and shapes of Plotly."""
        return float(np.log10(value)) if self.log else float(value)


def shown_selectors(frame, beyond) -> list[str]:
    """Return the selectors that have a facet, in the order of a frame_beyond: no baselines, at most MAX_FACETS."""
    in_frame = set(frame["selector"].unique())
    return [name for name in dict.fromkeys(beyond["selector"]) if name in in_frame and not is_baseline(name)][:MAX_FACETS]


def ordered_rows(frame, beyond):
    """The rows of a frame in the order of the selectors of a frame_beyond, as the facets are."""
    places = {name: place for place, name in enumerate(dict.fromkeys(beyond["selector"]))}
    return frame.sort_values("selector", key=lambda names: names.map(places), kind="stable", ignore_index=True)


def small_multiples(frame, along, up, chosen, beyond, columns=4, before=None):
    """Draw the measured curve in blue with its interval, and that of the shuffled outcome in grey with its range.

    frame: DataFrame(selector, value, low, high, floor, floor_low, floor_high) and the column along x. up: the title of the
    other axis. chosen: a value of x, marked in each facet with the part beyond the floor, from beyond, a frame_beyond. before:
    {selector: the part beyond the floor that it is compared with}, None for none.
    """
    names = shown_selectors(frame, beyond)
    columns = min(columns, max(2, len(names)))
    n_rows = max(1, -(-len(names) // columns))
    shown = frame[frame["selector"].isin(names) & frame[along.x].between(along.start - 1e-9, along.end + 1e-9)]
    reach, measured = axis_range(shown), floor_is_measured(beyond)
    traces = _legend_marks(shown, measured)
    above = TOOL_BAR + LEGEND_LINE * (1 if columns > NARROW_COLUMNS else len(traces))
    second = 0 if before is None else TITLE_LINE  # two numbers have a line of their own
    step, first_top = FACET_HEIGHT + HEADING_HEIGHT + second, TOP_HEIGHT + second
    inner = first_top + n_rows * step - (step - FACET_HEIGHT)
    figure = empty_figure(height=above + inner + BOTTOM_MARGIN)
    figure.layout.margin.update(t=above, b=BOTTOM_MARGIN, l=LEFT_MARGIN)
    figure.layout.legend.update(itemclick=False, itemdoubleclick=False)
    curves = dict(iter(shown.groupby("selector", sort=False)))
    numbers = beyond.drop_duplicates("selector").set_index("selector").to_dict("index")
    middle = ((len(names) - 1) % columns + FACET_SHARE) / (2 * columns) if names else 0.5  # of the last row
    outside = OUTSIDE if columns > NARROW_COLUMNS and _is_cut(shown, reach) else ""
    titles = [
        note(f"{up}{outside}", 0, 1, "left", "top", colour=SECOND_INK, xshift=-LEFT_MARGIN + 10),
        note(along.title, middle, 0, "center", "top", colour=SECOND_INK, yshift=-24),
    ]
    layout: dict = {"shapes": [], "annotations": titles}
    for number, name in enumerate(names):
        row, column = divmod(number, columns)
        top = 1 - (row * step + first_top) / inner
        across = (column / columns, (column + FACET_SHARE) / columns)
        curve, end = curves.get(name, shown.iloc[:0]), number + 1 if number else ""
        layout |= _facet_axes(end, across, (max(top - FACET_HEIGHT / inner, 0.0), top), reach, along, first=column == 0)
        traces += _curve_traces(curve, end, along, measured)
        traces += _clear_curve(curve, end, along)
        traces += _chosen_point(curve, end, along, chosen, measured, numbers[name]["clear"])
        reference = {"xref": f"x{end}", "yref": f"y{end} domain"}
        layout["shapes"].append(rule(chosen, chosen, 0, 1, 1.5, dash="dot", layer=None, **reference))
        layout["annotations"] += _facet_heading(name, numbers[name], across, top, measured, (before or {}).get(name, np.nan))
    figure.add_traces(traces)  # all at once, like the layout, because single parts take several times as long
    figure.update_layout(layout, overwrite=True)
    return figure


def _legend_marks(shown, measured):
    """A mark without a place for each kind of mark that is drawn."""
    interval = ", 95% interval" if shown["low"].notna().any() else ""
    colour = MEASURED if measured else GREY
    marks = [(colour, THIN, translucent(colour) if interval else None, f"measured{interval}")]
    if measured:
        marks.append((FLOOR_COLOUR, 1.5, RANGE, "outcome shuffled: mean (noise floor), range"))
    if "p" in shown and (shown["p"] <= LEVEL).any():
        marks.append((MEASURED, THICK, None, f"thick: above the shuffles (p ≤ {LEVEL})"))
    return [
        line([None], [None], colour, width, name=name, showlegend=True, fill="toself" if area else "none", fillcolor=area)
        for colour, width, area, name in marks
    ]


def axis_range(shown):
    """Return (low, high) of the axis of all facets. A few extreme values, and parts of wide areas, may be outside."""
    values = shown[["value", "floor"]].to_numpy(dtype=float).ravel()
    values = np.sort(values[~np.isnan(values)])
    if not len(values):
        return -0.05, 1.0
    low, high = max(min(values[int(MAX_CLIPPED_SHARE * len(values))], 0.0), LOWEST_VALUE), max(values[-1], 0.1)
    area = min(max(AREA_SHARE * (high - low), LEAST_AREA), MOST_AREA)
    low = np.nanmin([low, max(shown[["low", "floor_low"]].min().min(), low - area)])
    high = np.nanmax([high, min(shown[["high", "floor_high"]].max().max(), high + area)])
    return low - 0.06 * (high - low), high + 0.06 * (high - low)


def _is_cut(shown, reach):
    """Whether an interval or a range of the shuffles is partly outside of the axis."""
    return bool(
        (shown[["low", "floor_low"]] < reach[0]).any(axis=None) or (shown[["high", "floor_high"]] > reach[1]).any(axis=None)
    )


def _facet_axes(end, across, up, reach, along, first):
    ticks = few_ticks(*reach)
    x = {
        **{"domain": list(across), "anchor": f"y{end}", "type": "log" if along.log else "linear"},
        **{"tickvals": list(along.ticks), "ticktext": list(along.ticks.values())},
        **{"range": [along.place(along.start), along.place(along.end)], "showgrid": False, "zeroline": False, "automargin": False},
    }
    y = {
        **{"domain": list(up), "anchor": f"x{end}", "range": list(reach), "fixedrange": True, "automargin": False},
        **{"tickvals": ticks, "ticktext": list(map(format_on_unit_scale, ticks)), "showticklabels": first},
        **{"showgrid": True, "gridcolor": GRID, "zeroline": True, "zerolinecolor": GREY},
    }
    return {f"xaxis{end}": x, f"yaxis{end}": y}


def _clear_curve(curve, end, along):
    """The curve, thick where the selector is above its shuffles (p ≤ LEVEL)."""
    if "p" not in curve or not (curve["p"] <= LEVEL).any():
        return []
    curve = curve.iloc[_drawn_rows(curve, along)]
    above = curve["p"].le(LEVEL)
    alone = above & ~above.shift(1, fill_value=False) & ~above.shift(-1, fill_value=False)  # a single point has no line
    x, axes = curve[along.x].round(6).to_numpy(), {"xaxis": f"x{end}", "yaxis": f"y{end}", "showlegend": False}
    traces = [line(x, curve["value"].where(above).to_numpy(), MEASURED, THICK, name="above the shuffles", **axes)]
    if alone.any():
        look = {"size": THICK, "color": MEASURED}
        traces.append(points(x[alone], curve["value"][alone].to_numpy(), look, name="above the shuffles", **axes))
    return traces


def _curve_traces(curve, end, along, measured):
    """Floor and measured values, each an area with a line. Invisible points take clicks."""
    traces = []
    axes, hidden = {"xaxis": f"x{end}", "yaxis": f"y{end}", "showlegend": False}, {"marker": {"opacity": 0}}
    curve = curve.iloc[_drawn_rows(curve, along)]
    x = curve[along.x].round(6).to_numpy()
    for value, low, high, colour, width, area, name in (
        ("floor", "floor_low", "floor_high", FLOOR_COLOUR, 1.5, RANGE, "noise floor"),
        ("value", "low", "high", MEASURED if measured else GREY, THIN if measured else 2, None, "measured"),
    ):
        if curve[value].isna().all():
            continue
        if curve[low].notna().any():
            upper = curve[high].fillna(curve[value].where(curve[low].notna())).to_numpy()
            fill = {"fill": "tonexty", "fillcolor": area or translucent(colour)}
            traces += [line(x, upper, None, 0, **axes), line(x, curve[low].to_numpy(), None, 0, **fill, **axes)]
        look = {"mode": "lines+markers", "marker": {"size": 7, "opacity": 0}, "selected": hidden, "unselected": hidden}
        hover = {"hovertemplate": f"{along.hover}: %{{y:.2f}}<extra>{name}</extra>", "hoverinfo": None}
        traces.append(line(x, curve[value].to_numpy(), colour, width, name=name, **look, **hover, **axes))
    return traces


def _drawn_rows(curve, along):
    """The rows of a curve to draw: as many as fit in a small facet, evenly along its axis, and the last."""
    if len(curve) <= MAX_POINTS:
        return np.arange(len(curve))
    places = curve[along.x].to_numpy(dtype=float)
    places = np.log(places) if along.log else places
    rows = np.searchsorted(places, np.linspace(places[0], places[-1], MAX_POINTS)).clip(max=len(places) - 1)
    return np.unique(np.append(rows, len(places) - 1))


def _chosen_point(curve, end, along, chosen, measured, clear):
    """A point on the curve at the value nearest to the chosen one, filled if it is clear."""
    defined = curve[curve["value"].notna()]
    if defined.empty:
        return []
    colour = MEASURED if measured else GREY
    nearest = np.abs(defined[along.x].to_numpy(dtype=float) - chosen).argmin()
    look = {"size": 9, "color": PAPER if measured and not clear else colour, "line": {"width": 2, "color": colour}}
    axes = {"showlegend": False, "xaxis": f"x{end}", "yaxis": f"y{end}"}
    x, y = (float(defined[name].iloc[nearest]) for name in (along.x, "value"))
    return [points([x], [y], look, **axes)]


def _facet_heading(name, row, across, top, measured, before):
    """The name of a facet, and the part beyond the floor at the chosen value.

    before: the part that it is compared with, which is then before it on a line of their own. NaN for none.
    """
    size = 13 if across[1] - across[0] < WIDE_FACET else 11  # a telephone has two facets next to each other
    name = short_names([name])[name]
    short = shorten(name, NARROW_LETTERS) if size < 13 else safe(name)
    alone = np.isnan(before)
    texts = [note(f"<b>{short}</b>", across[0], top, size=size, yshift=3 if alone else 3 + TITLE_LINE)]
    if measured and not np.isnan(row["beyond"]):
        sizes = (row["beyond"],) if alone else (before, row["beyond"])
        number = " → ".join(format_number(size, sign=True) for size in sizes)
        text, colour = (f"<b>{number}</b>", INK) if row["clear"] else (number, SECOND_INK)
        place = (across[1], "right") if alone else (across[0], "left")
        texts.append(note(text, place[0], top, place[1], size=size, colour=colour, yshift=3))
    return texts
