"""Each selector beside its own noise floor: what it gives with the outcome shuffled, and what is beyond that."""

from __future__ import annotations

import numpy as np

from stabcore.figures.screen import GRID, PAPER
from stabcore.figures.style import (
    BEYOND,
    FLOOR_AREA,
    FLOOR_COLOUR,
    GREY,
    INK,
    MEASURED,
    SECOND,
    STRIP,
    beside_rows,
    blank,
    name_rows,
    safe,
)
from stabcore.selectors.baseline import is_baseline, rivals
from stabcore.wording import rounded

PANELS = {"halves": ("Separate halves", "no patient in both"), "runs": ("All runs", "Nogueira’s Φ"),
          "effective": ("Similar features count as one", "effective, other scale")}
COLUMNS = ("value", "low", "high", "floor", "floor_low", "floor_high", "floor_se", "floor_sd", "beyond", "beyond_low",
           "beyond_high", "p", "clear", "shuffles", "note")
ROW, LOW_ROW, MANY = 36, 20, 12         # pixels of a row, and of one of more than so many
HEADS, LEGEND, FOOT = 48, 24, 30        # pixels of the two lines above a panel, of a line of the legend, of numbers below
RULE = "rgba(128,128,128,0.25)"         # between rows: faint on white and on black
NUMBERS = 0.2               # of the width of a panel, for the number at its right
STEPS = (0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50)
GAP = 0.02                  # of the width, before every panel but the first


def panels_of(result, relation, halves, runs) -> dict:
    """{a key of PANELS: what is drawn there}, the headline first: separate halves where the plan makes them, else all runs.

    halves, runs: measure -> what StudyResult.split_half, analysis.floors.floors give. Where no feature is similar to another one
    the effective stability would say all again, and is left out.
    """
    separate = getattr(result.plan, "separate_halves", False)
    panels = {"halves": halves("kappa")} if separate else {}
    panels["runs"] = runs("nogueira")
    if relation is not None and relation.n_related > 0:
        panels["effective"] = halves("effective") if separate else runs("effective")
    return panels


def frame_beyond(panels, blind=()):
    """DataFrame, one row per panel and selector: a stability beside its noise floor, in the order of the figure.

    panels: {a key of PANELS: DataFrame indexed by selector, as StudyResult.split_half or analysis.floors.floors gives it}. The
    first is the headline, by which selectors are sorted: farthest beyond the floor first, and as they come where no floor was
    measured; baselines last. blind: selectors that do not look at the outcome.
    """
    import pandas as pd

    first = next(iter(panels.values()))
    names = pd.Series(first.index)
    known = (first["shuffles"] > 0).any()
    farthest = -first["beyond"].fillna(-np.inf).to_numpy() if known else np.zeros(len(names))
    order = np.lexsort((np.arange(len(names)), farthest, names.map(is_baseline)))
    parts = [own.reindex(names[order]).reset_index(names="selector").assign(panel=key) for key, own in panels.items()]
    frame = pd.concat(parts, ignore_index=True)
    more = [name for name in ("shared", "by_luck", "size") if name in frame]
    frame = frame.assign(clear=frame["clear"].eq(True), blind=frame["selector"].isin(blind),
                         shuffles=frame["shuffles"].fillna(0).astype(int))
    return frame[["panel", "selector", *COLUMNS, "blind", *more]]


def headline(frame):
    """The rows of the panel that selectors are sorted by, without baselines."""
    return rivals(frame[frame["panel"] == frame["panel"].iloc[0]])


def measured(frame) -> bool:
    """Was the outcome shuffled, so that anything can be judged?"""
    return bool((headline(frame)["shuffles"] > 0).any())


def with_interval(value, low, high) -> str:
    """A value as journals print it: 0.41 (95% CI 0.38 to 0.43)."""
    if np.isnan(value):
        return "undefined"
    if np.isnan(low):
        return rounded(value)
    return f"{rounded(value)} (95% CI {rounded(low)} to {rounded(high)})" if not np.isnan(high) else \
        f"{rounded(value)} (95% CI from {rounded(low)})"


def range_written(value, low, high):
    return "" if np.isnan(value) else rounded(value) if np.isnan(low) else f"{rounded(value)} ({rounded(low)} to {rounded(high)})"


# ---- the figure ----

def draw_beyond(frame, panels=None, lines=2, titles=None):
    """A row per selector: the floor's range and mean in grey, what is beyond it in pale blue, the value with its interval in blue.

    panels: which of the frame, all by default; lines: those that the legend takes; titles: {panel: (what stands above it, below
    that)}. Baselines are not drawn: their floor is themselves.
    """
    shown = list(dict.fromkeys(frame["panel"])) if panels is None else list(panels)
    frame = rivals(frame)
    names = list(dict.fromkeys(frame["selector"]))
    row = ROW if len(names) <= MANY else LOW_ROW
    top = STRIP + LEGEND * lines + HEADS
    figure = blank(height=top + row * max(len(names), 1) + FOOT)
    figure.layout.margin.t, figure.layout.margin.b = top, FOOT
    figure.update_layout(barmode="overlay", bargap=0)
    place = {name: len(names) - 1 - at for at, name in enumerate(names)}
    for number, key in enumerate(shown):
        own = frame[frame["panel"] == key]
        _panel(figure, own.assign(at=own["selector"].map(place)), number, len(shown), row)
        _axis(figure, number, len(shown), _reach(frame, key))
        _words(figure, own.assign(at=own["selector"].map(place)), (titles or PANELS)[key], number, len(shown))
    rules = [{"type": "line", "xref": "paper", "x0": 0, "x1": 1, "yref": "y", "y0": at + 0.5, "y1": at + 0.5, "layer": "below",
              "line": {"width": 1, "color": RULE}} for at in range(len(names) - 1)]
    figure.layout.shapes += tuple(rules)
    name_rows(figure, list(place.values()), [beside_rows(name) for name in names], range=[-0.5, len(names) - 0.5], showgrid=False)
    return figure


def _reach(frame, key):
    """(low, high) of the axis of a panel; the two of classic stability share one, every other has its own."""
    classic = ("halves", "runs")
    own = frame[frame["panel"].isin(classic) if key in classic else frame["panel"] == key]
    ends = own[["value", "low", "high", "floor_low", "floor_high"]].to_numpy(dtype=float)
    low, high = min(np.nanmin(ends, initial=0.0), 0.0), max(np.nanmax(ends, initial=0.1), 0.1)
    pad = 0.04 * (high - low)
    return low - pad, high + pad


def _axis(figure, number, many, reach):
    """The x axis of a panel, with three to five ticks."""
    at, width = ticks_between(*reach), 1 / many
    name = f"xaxis{number + 1 if number else ''}"
    figure.layout[name] = {"domain": [number * width + (GAP if number else 0), (number + 1 - NUMBERS) * width],
                           "range": list(reach), "tickvals": at, "ticktext": [short_number(one, digits=1) for one in at],
                           "showgrid": True, "gridcolor": GRID, "anchor": "y", "automargin": False, "fixedrange": True}
    figure.layout.shapes += ({"type": "line", "xref": name.replace("axis", ""), "x0": 0, "x1": 0, "yref": "paper", "y0": 0, "y1": 1,
                              "layer": "below", "line": {"width": 1.5, "color": GREY}},)


def ticks_between(low, high) -> list[float]:
    """Up to five round numbers between two ends."""
    step = next((one for one in STEPS if (high - low) / one <= 4.5), STEPS[-1])
    return [round(step * i, 9) for i in range(int(np.ceil(low / step)), int(np.floor(high / step)) + 1)]


def short_number(value, sign=False, digits=2) -> str:
    """A number of figures: no leading 0, a proper minus, and with `sign` a plus."""
    text = f"{abs(value):.{digits}f}"
    zero = not float(text)
    text = "0" if zero and not sign else text.removeprefix("0")
    return ("−" if value < 0 and not zero else "+" if sign else "") + text


def _panel(figure, own, number, many, row):
    """The marks of one panel."""
    import plotly.graph_objects as go

    axes = {"xaxis": f"x{number + 1 if number else ''}", "yaxis": "y"}
    told_already = {trace.name for trace in figure.data if trace.showlegend}

    def named(name):
        return {"name": name, "legendgroup": name, "showlegend": name not in told_already, **axes}

    known = own[(own["shuffles"] > 0) & own["floor"].notna() & own["value"].notna()]
    told = {label: _told(one) for label, one in zip(own["selector"], own.to_dict("records"))}
    if len(known):
        block = known["floor_high"] - known["floor_low"]
        figure.add_trace(go.Bar(x=block, base=known["floor_low"], y=known["at"], orientation="h", width=0.5, hoverinfo="skip",
                                marker={"color": FLOOR_AREA, "line": {"width": 0}}, **named("outcome shuffled: mean and range")))
        figure.add_trace(go.Bar(x=known["value"] - known["floor"], base=known["floor"], y=known["at"], orientation="h", width=0.17,
                                hoverinfo="skip", marker={"color": BEYOND, "line": {"width": 0}},
                                **named("beyond the noise floor")))
        figure.add_trace(go.Scatter(x=known["floor"], y=known["at"], mode="markers", showlegend=False, hoverinfo="skip",
                                    marker={"symbol": "line-ns", "size": row / 2 - 2, "color": FLOOR_COLOUR,
                                            "line": {"width": 2, "color": FLOOR_COLOUR}}, **axes))
    judged = (own["shuffles"] > 0).any()
    usual = "measured, 95% interval"
    for clear, name in ((True, usual), (False, "not clearly above the floor" if judged else usual)):
        some = own[own["clear"].eq(clear) & own["value"].notna()]
        if some.empty:
            continue
        colour = MEASURED if judged else GREY
        figure.add_trace(go.Scatter(
            x=some["value"], y=some["at"], mode="markers", **named(name),
            marker={"symbol": "circle", "size": 10 if row == ROW else 8, "color": colour if clear else PAPER,
                    "line": {"width": 2, "color": colour}},
            error_x={"type": "data", "symmetric": False, "array": (some["high"] - some["value"]).fillna(0.0),
                     "arrayminus": (some["value"] - some["low"]).fillna(0.0), "color": colour, "thickness": 2.5, "width": 0},
            text=[told[one] for one in some["selector"]], hovertemplate="%{text}<extra></extra>"))


def _told(row):
    """What a point says when pointed at."""
    lines = [safe(row["selector"]), f"measured {with_interval(row['value'], row['low'], row['high'])}"]
    if row["shuffles"]:
        lines += [f"noise floor {range_written(row['floor'], row['floor_low'], row['floor_high'])}",
                  f"beyond {with_interval(row['beyond'], row['beyond_low'], row['beyond_high'])}"]
    return "<br>".join(lines)


def _words(figure, own, titles, number, many):
    """What stands above a panel, and the numbers at its right."""
    left, right = (number / many + (GAP if number else 0), (number + 1) / many - 0.005)
    notes = [{"text": text, "x": left, "xref": "paper", "xanchor": "left", "y": 1, "yref": "paper", "yanchor": "bottom",
              "yshift": up, "showarrow": False, "font": {"size": 13, "color": colour}, "align": "left"}
             for text, up, colour in ((f"<b>{titles[0]}</b>", 22, INK), (titles[1], 4, SECOND)) if text]
    known = own[(own["shuffles"] > 0) & own["beyond"].notna()]
    if len(known):
        notes.append({"text": "beyond", "x": right, "xref": "paper", "xanchor": "right", "y": 1, "yref": "paper", "yshift": 4,
                      "yanchor": "bottom", "showarrow": False, "font": {"size": 13, "color": SECOND}})
    for one in known.itertuples():
        number = short_number(one.beyond, sign=True)
        notes.append({"text": f"<b>{number}</b>" if one.clear else number, "x": right, "xref": "paper", "xanchor": "right",
                      "y": one.at, "yref": "y", "yanchor": "middle", "showarrow": False,
                      "font": {"size": 13, "color": INK if one.clear else SECOND}})
    figure.layout.annotations += tuple(notes)
