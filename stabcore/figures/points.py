"""Points of selectors with their names: one ink for what is measured, filled where a point is on the front, hollow elsewhere."""

from __future__ import annotations

import numpy as np

from stabcore.analysis.pareto import BEATEN, ON, OPEN
from stabcore.figures.estimates import written
from stabcore.figures.labels import POINT, beside
from stabcore.figures.style import GREY, INK, PALETTE, brief, plot_height, safe

MOST_NAMED = 10     # points with a name beside them; more names would cover the points
RINGED = 22         # pixels of a point that is marked, with its ring
MEASURED, PALE = PALETTE[0], "rgba(86,180,233,0.5)"     # a value; a length or a line that belongs to it
BASELINE = "does not compete"   # the standing of what is drawn beside the front and does not compete
SAID = {ON: "on the Pareto front", OPEN: "not distinguishable from the front", BEATEN: "dominated",
        BASELINE: "random ranking, does not compete"}
STEPS = (1, 2, 2.5, 5, 10)      # of the ticks of an axis, times a power of ten
MOST_TICKS = 6


def told(row, *axes):
    """The values of a row on some axes with their intervals, one line each."""
    return "<br>".join(f"{_name_of(axis, row)} {written(row[axis], *_ends(row, axis))}" for axis in axes)


def _name_of(axis, row):
    return "stability beyond the noise floor" if axis == "stability" and np.isfinite(row.get("floor", np.nan)) else axis


def add_points(figure, own, x, y, called, *, bars=("stability",), chosen=(), reach=(None, None), kept=(), ringed=None):
    """A trace for each row of a frame: filled on the front as measured, hollow elsewhere and where no noise floor is known.

    called: all selectors, from which short names are made. bars: axes whose 95% interval is drawn. chosen: marked with a ring.
    reach: of the two axes, where it is fixed. kept: boxes that names leave free, see stabcore.figures.labels. ringed: {selector:
    pixels of its point with a ring around it} which the caller draws. customdata: the row of the frame.
    """
    import plotly.graph_objects as go

    short = brief(list(called))
    for number, row in zip(own.index, own.to_dict("records"), strict=True):
        filled, marked = _filled(row), row["selector"] in chosen
        colour, name = MEASURED if filled else GREY, safe(row["selector"])
        figure.add_trace(go.Scatter(
            x=[row[x]], y=[row[y]], name=short[row["selector"]], legendgroup=name, mode="markers", customdata=[int(number)],
            showlegend=False, selected={"marker": {"opacity": 1}}, unselected={"marker": {"opacity": 1}},
            marker={"color": colour, "size": 16 if marked else 11, "symbol": "circle" if filled else "circle-open",
                    "line": {"width": 4 if marked else 2, "color": INK if marked else colour}},
            error_x=_bar(row, x, colour) if x in bars else None, error_y=_bar(row, y, colour) if y in bars else None,
            hoverinfo="text", hovertext=[f"{name}<br>{told(row, x, y)}<br>{_said(row)}{_halves(row)}"]))
    _name(figure, own, x, y, short, reach, kept, {**dict.fromkeys(chosen, RINGED), **(ringed or {})}, bars)


def _said(row):
    """What is clear about a point; without a noise floor there is no verdict."""
    return SAID[row["standing"]] if row["standing"] == BASELINE or np.isfinite(row.get("floor", np.nan)) else "not judged"


def _filled(row):
    """On the front of those that are judged; who predicts no better than always naming the larger class is nobody's choice."""
    better = row.get("better")                  # unknown where there is no larger class, or too few rows
    useless = isinstance(better, (bool, np.bool_)) and not better
    return bool(row["on_front"]) and np.isfinite(row.get("floor", np.nan)) and not useless


def join_settings(figure, own, x, y, families):
    """A thin line through the points of all settings of one selector, in the order of x; families: {selector: what it is of}."""
    import plotly.graph_objects as go

    for family, settings in own[own["selector"].isin(list(families))].groupby(own["selector"].map(families), sort=False):
        settings = settings.dropna(subset=[x, y]).sort_values(x)
        if len(settings) > 1:
            figure.add_trace(go.Scatter(x=settings[x], y=settings[y], mode="lines", name=safe(family), hoverinfo="skip",
                                        showlegend=False, line={"color": PALE, "width": 1.5}))


def _name(figure, own, x, y, short, reach, kept, ringed, bars):
    """Names beside the points: those that are marked first, then the front, at most MOST_NAMED."""
    first = own.assign(other=~own["selector"].isin(list(ringed)), behind=~own["on_front"]).sort_values(
        ["other", "behind"], kind="stable")
    names = [short[one] if place < MOST_NAMED else "" for place, one in enumerate(first["selector"])]
    ends = [first.filter([f"{axis}_low", f"{axis}_high"]).to_numpy(dtype=float) if axis in bars else None for axis in (x, y)]
    wide = [ringed.get(selector, POINT) for selector in first["selector"]]
    places = beside(first[x], first[y], names, *ends, reach, kept, wide, plot_height(figure))
    for row, name, place in zip(first.to_dict("records"), names, places, strict=True):
        if place is not None:
            figure.add_annotation(x=row[x], y=row[y], xshift=float(place[0]), yshift=float(place[1]), showarrow=False, borderpad=0,
                                  text=f"<b>{name}</b>" if _filled(row) else name,
                                  font={"size": 12, "color": INK if _filled(row) else "grey"})


def unnamed(many) -> str:
    """That not all of so many points have a name; "" where all have one."""
    return "" if many <= MOST_NAMED else f"{MOST_NAMED} of {many} points are named, the front first; point at the others. "


def ticks(low, high) -> list[float]:
    """Round numbers on an axis from low to high, at most MOST_TICKS of them."""
    wide = max(high - low, 1e-9)
    power = 10.0 ** np.floor(np.log10(wide / MOST_TICKS))
    step = next(one for one in np.outer((1, 10), STEPS).ravel() * power if wide / one <= MOST_TICKS)
    return [round(float(one), 10) + 0.0 for one in np.arange(np.ceil(low / step), np.floor(high / step) + 1) * step]


def on_unit(value) -> str:
    """A number on a scale of 0 to 1 as an axis shows it: .38, −.1, 0, 1."""
    return f"{value:.4g}".replace("0.", ".", 1).replace("-", "−") if abs(value) < 1 and value else f"{value:g}".replace("-", "−")


def axis_of(figure, which, ends, percent=False):
    """Range and ticks of an axis of a figure; percent: shares, with the sign on the highest tick alone."""
    at = ticks(*ends) if ends is not None else []
    text = [f"{100 * one:g}" for one in at] if percent else [on_unit(one) for one in at]
    if percent and text:
        text[-1] += "%"
    figure.layout[which].update(range=ends, **({"tickvals": at, "ticktext": text} if at else {}))


def _halves(row):
    """In how many half-samples it is on the front, as a further line."""
    share = row.get("share", np.nan)
    return "" if np.isnan(share) else f"<br>on the front in {share:.0%} of random halves of the runs"


def _ends(row, axis):
    return row.get(f"{axis}_low", np.nan), row.get(f"{axis}_high", np.nan)


def _bar(row, axis, colour):
    """The 95% interval of a value; of a lower limit alone it ends at the value."""
    low, high = _ends(row, axis)
    high = row[axis] if np.isnan(high) and np.isfinite(low) else high
    if not np.isfinite(low + high):
        return None
    return {"type": "data", "symmetric": False, "array": [high - row[axis]], "arrayminus": [row[axis] - low], "thickness": 2.5,
            "width": 0, "color": colour}
