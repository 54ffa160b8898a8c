"""What if features count as one from another correlation on? Each selector's curve beside its own noise floor, and who leads."""

from __future__ import annotations

import numpy as np

from stabcore.analysis.whatif.thresholds import BEHIND, LEADS, TIED, doubtful, floor_curves, standings, threshold_curve
from stabcore.base.text import joined
from stabcore.plots.names import name_rows, safe_short_names, short_names
from stabcore.plots.noise_floor import finding_beyond
from stabcore.plots.small_multiples import BOTTOM_MARGIN, CurveAxis, dotted_line, shown_selectors, small_multiples
from stabcore.plots.style import BEYOND, INK, MEASURED, SECOND_INK, TOOL_BAR
from stabcore.plots.values import format_number
from stabcore.selectors.baseline import is_baseline

READABLE_STEP = 0.02  # between two thresholds at which it is asked whether C can be read
LEAD_ROW, LEGEND_LINE = 24, 20  # pixels of a row of who leads, of a line of its legend
FOOT_HEIGHT = 22  # pixels below these rows, for ticks of two lines
THRESHOLD_TICKS = tuple(round(step / 10, 1) for step in range(11))


def frame_thresholds(runs, bins, shuffled=None, share=None, level=None):
    """DataFrame(selector, threshold, value, low, high, floor, floor_low, floor_high, floor_se, p, reason): Φ_C at every threshold.

    runs: {selector: Selections}; shuffled, share: see whatif.floor_curves, None without a control; level: of the interval of the
    value; None: none.
    """
    frame = threshold_curve(runs, bins, level=level)
    if "low" not in frame:
        frame = frame.assign(low=np.nan, high=np.nan)
    return frame.merge(floor_curves(runs, shuffled or {}, bins, share), on=["selector", "threshold"], how="left", sort=False)


def table_standings(runs, frame, bins):
    """DataFrame(selector, threshold, standing) of a frame_thresholds: who is first beyond the floor, see whatif.floor_curves."""
    rivals = {label: selections for label, selections in runs.items() if not is_baseline(label)}
    return standings(rivals, frame[frame.groupby("selector")["floor"].transform("count") > 0], bins)


def at_threshold(frame, chosen):
    """The rows of frame_thresholds at the threshold that is nearest to the chosen one."""
    grid = frame["threshold"].unique()
    return frame[frame["threshold"] == grid[np.abs(grid - chosen).argmin()]]


def finding_thresholds(beyond, chosen, result=None) -> str:
    """Who is farthest beyond its noise floor at the chosen threshold. beyond: a frame_beyond of the effective stability there."""
    return f"Similar features count as one from |ρ| = {chosen:.2f} on. {finding_beyond(beyond, result)}"


def table_doubtful(runs, bins):
    """DataFrame(threshold, left, negative, doubtful): where the curves are hard to read, see analysis.whatif.thresholds."""
    return doubtful(runs, bins)


def readable_from(frame, chosen=1.0) -> float:
    """The threshold from which on the curves can be read, of a table_doubtful; never above the chosen one."""
    wild = frame.loc[frame["doubtful"], "threshold"]
    return float(min(0.0 if wild.empty else min(wild.max() + READABLE_STEP, 0.9), chosen))


def describe_doubtful(frame) -> str:
    """Where effective stability is hard to read, and why; "" where it is not."""
    if not frame["doubtful"].any():
        return ""
    thresholds = frame["threshold"].to_numpy()
    ends = [(thresholds[first], thresholds[end - 1]) for first, end in _stretches(frame["doubtful"])]
    spans = [f"{low:.2f} to {high:.2f}" if high > low else f"{low:.2f}" for low, high in ends]
    return (
        f"Effective stability is hard to read at |ρ| from {joined(spans)}. There almost all features count as one, or the "
        "similarity matrix is far from positive semi-definite."
    )


def _stretches(inside) -> np.ndarray:
    """(N, 2) where each stretch of True begins, and what comes after it."""
    return np.flatnonzero(np.diff(np.concatenate([[False], inside, [False]]).astype(int))).reshape(-1, 2)


def related_pairs(bins, thresholds=THRESHOLD_TICKS):
    """{threshold: how many pairs of features count as one from it on}; of binary CorrelationBins."""
    amount = np.append(bins.amount, 0)
    return {threshold: int(round(amount[np.searchsorted(bins.thresholds, threshold - 1e-9)])) for threshold in thresholds}


# ---- the figure ----


def draw_thresholds(frame, chosen, beyond, lead=None, start=0.0, pairs=None, columns=4):
    """A small panel for each selector: blue measured with its interval, grey the same with the outcome shuffled; below, who leads.

    beyond: a frame_beyond of the effective stability at the chosen threshold, whose order the panels have; its number stands in
    each. lead: a table_standings; start: the threshold at which the axes begin; pairs: {threshold: related pairs}, told below the
    axis; columns: panels beside each other. A click on a curve takes its threshold: x of a point.
    """
    names, lead = shown_selectors(frame, beyond), lead if lead is not None and len(lead) else None
    leaders = (
        []
        if lead is None
        else [name for name in names if any(_spans(lead[lead["selector"] == name], standing, start) for standing in (LEADS, TIED))]
    )
    legend = LEGEND_LINE * (1 if columns > 2 else 3)
    strip = LEAD_ROW * len(leaders) + 90 + FOOT_HEIGHT + legend if leaders else 0
    ticks = {tick: format_number(tick, digits=1) for tick in THRESHOLD_TICKS[::2] if tick >= start - 1e-9}
    along = CurveAxis("threshold", start, 1.0, ticks, "|ρ| ≥ %{x:.2f}")
    figure = small_multiples(frame, along, chosen, beyond, columns, strip)
    if leaders:
        inner = figure.layout.height - TOOL_BAR - BOTTOM_MARGIN
        _add_leads(
            figure,
            lead,
            leaders,
            len(names),
            (FOOT_HEIGHT / inner, (FOOT_HEIGHT + LEAD_ROW * len(leaders)) / inner, legend),
            start,
            chosen,
            pairs,
        )
    return figure


def _add_leads(figure, lead, leaders, panels, room, start, chosen, pairs):
    """A row for each selector that leads somewhere: where. room: from, to as shares of the height, pixels of the legend."""
    low, share, legend = room
    end, rows = panels + 1, {name: len(leaders) - 1 - position for position, name in enumerate(leaders)}
    axes = {"xaxis": f"x{end}", "yaxis": f"y{end}"}
    for standing, colour, words in (
        (LEADS, MEASURED, "leads clearly"),
        (TIED, BEYOND, "first, or not distinguishable from it"),
        (BEHIND, "rgba(128,128,128,0.18)", "behind, or not clearly above its floor"),
    ):
        pieces = [(rows[name], *piece) for name in leaders for piece in _spans(lead[lead["selector"] == name], standing, start)]
        figure.add_trace(
            {
                "type": "bar",
                "orientation": "h",
                "hoverinfo": "skip",
                "base": [low for _, low, _ in pieces],
                "y": [position for position, _, _ in pieces],
                "x": [high - low for _, low, high in pieces],
                "width": 0.8,
                "name": words,
                "marker": {"color": colour, "line": {"width": 0}},
                "showlegend": True,
                **axes,
            }
        )
    ticks = [tick for tick in (pairs or dict.fromkeys(THRESHOLD_TICKS)) if tick >= start - 1e-9]
    figure.layout[f"xaxis{end}"] = {
        "domain": [0, 1],
        "anchor": f"y{end}",
        "range": [start, 1.0],
        "tickvals": ticks,
        "showgrid": False,
        "zeroline": False,
        "ticktext": [format_number(tick, digits=1) + (f"<br>{pairs[tick]:,}" if pairs else "") for tick in ticks],
        "automargin": False,
    }
    figure.layout[f"yaxis{end}"] = {
        "domain": [low, share],
        "anchor": f"x{end}",
        "range": [-0.5, len(leaders) - 0.5],
        "showgrid": False,
        "zeroline": False,
        "fixedrange": True,
    }
    short = short_names(leaders).values()
    name_rows(figure, list(rows.values()), [safe_short_names([name])[name] for name in short], which=f"yaxis{end}")
    figure.layout.update(barmode="overlay", bargap=0)
    figure.layout.shapes += (dotted_line(chosen, end),)
    figure.layout.annotations += (
        {
            "text": "<b>Who leads beyond its floor</b>",
            "xref": "paper",
            "x": 0,
            "xanchor": "left",
            "yref": "paper",
            "y": share,
            "yanchor": "bottom",
            "yshift": legend + 14,
            "showarrow": False,
            "font": {"size": 13, "color": INK},
        },
    )
    if pairs:
        figure.layout.annotations += (
            {
                "text": "|ρ| ≥<br>pairs",
                "xref": "paper",
                "x": 0,
                "xanchor": "right",
                "xshift": -8,
                "yref": "paper",
                "y": low,
                "yanchor": "top",
                "yshift": -5,
                "showarrow": False,
                "align": "right",
                "font": {"size": 12, "color": SECOND_INK},
            },
        )
    figure.layout.legend = {
        "orientation": "h",
        "yref": "paper",
        "y": share,
        "yanchor": "bottom",
        "xref": "paper",
        "x": 0,
        "xanchor": "left",
        "traceorder": "normal",
    }


def _spans(rows, standing, start):
    """[(from, to)] of the stretches of thresholds at which a selector stands so."""
    rows = rows[rows["threshold"] >= start - 1e-9]
    thresholds = rows["threshold"].to_numpy()
    return [
        (float(thresholds[first]), float(thresholds[min(end, len(thresholds) - 1)]))
        for first, end in _stretches(rows["standing"] == standing)
    ]
