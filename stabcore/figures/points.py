"""Points of selectors with their intervals, each with its name: symbols say what is clear about their standing."""

from __future__ import annotations

import numpy as np

from stabcore.analysis.pareto import BEATEN, ON, OPEN
from stabcore.figures.estimates import written
from stabcore.figures.labels import POINT, lead
from stabcore.figures.style import GREY, brief, plot_height, safe

AROUND = 48         # corners of an ellipse
MOST_NAMED = 16     # points with a name beside them; more names would cover the points
RINGED = 26         # pixels of a point that is marked, with its ring
BASELINE = "a yardstick"        # the standing of what is drawn beside the front and competes with nobody
FILLS = {ON: "", OPEN: "-open-dot", BEATEN: "-open", BASELINE: "-open"}    # how a symbol says what is clear about its point
SAID = {ON: "on the front", OPEN: "open: on the front or not", BEATEN: "beaten", BASELINE: "no rival: chosen by lot"}


def told(row, *axes):
    """The values of a row on some axes with their intervals, a line each."""
    return "<br>".join(f"{axis} {written(row[axis], *_ends(row, axis))}" for axis in axes)


def add_points(figure, own, x, y, styles, *, chosen=(), ellipses=False, reach=(None, None), kept=(),
               ringed=None):
    """A trace for each row of a frame, its symbol by standing, with bars or an ellipse where there are x_low, x_high and so on.

    Names stand beside their points, with lines where there is no room; those on the front have the first choice. reach: of the two
    axes, where it is fixed. kept: boxes that names leave free, see stabcore.figures.labels. ringed: {selector: pixels of its point
    with a ring around it} which the caller draws.
    """
    import plotly.graph_objects as go

    called = brief(list(styles))
    for number, row in zip(own.index, own.to_dict("records"), strict=True):
        colour, symbol, _ = styles[row["selector"]]
        colour = GREY if row["standing"] == BASELINE else colour
        name = safe(row["selector"])
        if ellipses:
            _ellipse(figure, row, x, y, colour)
        ring = {"width": 5, "color": GREY} if row["selector"] in chosen else {"width": 2, "color": colour}
        figure.add_trace(go.Scatter(
            x=[row[x]], y=[row[y]], name=called[row["selector"]], legendgroup=name, mode="markers", customdata=[int(number)],
            showlegend=False, selected={"marker": {"opacity": 1}}, unselected={"marker": {"opacity": 1}},
            marker={"color": colour, "size": 18 if row["selector"] in chosen else 13,
                    "symbol": symbol + FILLS[row["standing"]], "line": ring},
            error_x=None if ellipses else _bars(row, x, colour), error_y=None if ellipses else _bars(row, y, colour),
            hoverinfo="text", hovertext=[f"{name}<br>{told(row, x, y)}<br>{SAID[row['standing']]}{_halves(row)}"]))
    _name(figure, own.sort_values("on_front", ascending=False, kind="stable"), x, y, called, reach, kept,
          {**dict.fromkeys(chosen, RINGED), **(ringed or {})})


def join_settings(figure, own, x, y, families, styles):
    """A thin line through the points of all settings of one selector, in the order of x; families: {selector: what it is of}."""
    import plotly.graph_objects as go

    for family, settings in own[own["selector"].isin(list(families))].groupby(own["selector"].map(families), sort=False):
        settings = settings.dropna(subset=[x, y]).sort_values(x)
        if len(settings) > 1:
            figure.add_trace(go.Scatter(x=settings[x], y=settings[y], mode="lines", name=safe(family), hoverinfo="skip",
                                        showlegend=False, opacity=0.6,
                                        line={"color": styles[settings["selector"].iloc[0]][0], "width": 1.5}))


def with_share(name, row):
    """A name with the share of half-samples in which it is on the front, where that is known."""
    share = row.get("share", np.nan)
    return name if np.isnan(share) else f"{name} {share:.0%}"


def _name(figure, own, x, y, called, reach, kept, ringed):
    ends = [own.filter([f"{axis}_low", f"{axis}_high"]).to_numpy(dtype=float) for axis in (x, y)]
    first = own.assign(other=~own["selector"].isin(list(ringed)), beaten=own["standing"] == BEATEN).sort_values(
        ["other", "beaten"], kind="stable").index[:MOST_NAMED]
    names = [with_share(called[row["selector"]], row) if number in first else ""
             for number, row in zip(own.index, own.to_dict("records"), strict=True)]
    wide = [ringed.get(selector, POINT) for selector in own["selector"]]
    shifts = lead(own[x], own[y], names, *ends, reach, kept, wide, plot_height(figure))
    for row, name, place in zip(own.to_dict("records"), names, shifts, strict=True):
        if place is None:
            continue
        figure.add_annotation(x=row[x], y=row[y], ax=float(place[0]), ay=-float(place[1]), text=name, showarrow=True, arrowhead=0,
                              arrowwidth=0.8, arrowcolor=GREY, standoff=8, font={"size": 12}, borderpad=0)


def unnamed(many) -> str:
    """That not all of so many points have a name, and which have; "" where all have one."""
    return "" if many <= MOST_NAMED else (f"{MOST_NAMED} of {many} points have a name beside them, first the marked ones and those "
                                          "that are not beaten; the others say theirs under the pointer. ")


def _halves(row):
    """In how many half-samples it is on the front, as a further line."""
    share = row.get("share", np.nan)
    return "" if np.isnan(share) else f"<br>on the front in {share:.0%} of the half-samples"


def _ends(row, axis):
    return row.get(f"{axis}_low", np.nan), row.get(f"{axis}_high", np.nan)


def _bars(row, axis, colour):
    low, high = _drawn_ends(row, axis)
    if not np.isfinite(low + high):
        return None
    return {"type": "data", "symmetric": False, "array": [high - row[axis]], "arrayminus": [row[axis] - low], "thickness": 1,
            "width": 3, "color": colour}


def _drawn_ends(row, axis):
    """Ends of a bar: of a lower limit only, it ends at the value."""
    low, high = _ends(row, axis)
    return low, row[axis] if np.isnan(high) and np.isfinite(low) else high


def _ellipse(figure, row, x, y, colour):
    """Around a point, as far as both of its intervals; each quarter has its own half widths."""
    import plotly.graph_objects as go

    ends = np.array([*_drawn_ends(row, x), *_drawn_ends(row, y)])
    if not np.isfinite(ends).all():
        return
    turn = np.linspace(0, 2 * np.pi, AROUND + 1)
    across, up = np.cos(turn), np.sin(turn)
    figure.add_trace(go.Scatter(
        x=row[x] + across * np.where(across > 0, ends[1] - row[x], row[x] - ends[0]),
        y=row[y] + up * np.where(up > 0, ends[3] - row[y], row[y] - ends[2]), mode="lines", fill="toself", opacity=0.25,
        line={"color": colour, "width": 1}, showlegend=False, hoverinfo="skip", legendgroup=safe(row["selector"])))
