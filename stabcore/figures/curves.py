"""Stability against cardinality: one curve a selector, and the band that random ranking stays in."""

from __future__ import annotations

from math import log10

import numpy as np

from stabcore.analysis.profiles import profile, random_profile
from stabcore.figures.ends import log_ticks, name_ends
from stabcore.figures.floor import draw_floor
from stabcore.figures.standing import sentence_ends
from stabcore.figures.style import FLOOR, FLOOR_COLOUR, FLOOR_DASH, blank, brief, channels, initials, mark_at, safe
from stabcore.measures.catalog import ENTRIES, entry
from stabcore.selectors.baseline import is_baseline
from stabcore.wording import rounded, several

RANDOM = "random sets"
YARDSTICKS = (RANDOM, FLOOR)
KNOT = "diamond-open"       # how the end of a ranking is marked
WIDE, FEWEST = 20, 10       # sizes from which on an axis of all of them is logarithmic; sizes that are always shown
EVERY, DRAWN = 300, 600     # sizes up to EVERY are drawn one by one, and no more than about DRAWN points a curve


def profiled() -> list[str]:
    """Keys of the measures that have a profile, the usual ones first."""
    return [one.key for one in sorted(ENTRIES, key=lambda one: one.pair is not None) if one.profiled]


def frame_curves(runs, measure, relation=None, sizes=None, floor=None):
    """DataFrame(selector, k, value, low, high): a profile of each selector in {label: Preferences}, then the yardsticks: random
    ranking, and the floor. floor: gives it as DataFrame(k, value, low, high) for a list of k.
    """
    import pandas as pd

    any_run = next(iter(runs.values()))
    parts = [profile(one, measure, relation=relation, sizes=sizes, baseline=False).assign(selector=label)
             for label, one in runs.items()]
    ks = sorted(set().union(*(part["k"] for part in parts)))
    parts.append(random_profile(any_run.n_runs, any_run.n_features, ks, measure, relation=relation).assign(selector=RANDOM))
    if floor is not None:
        parts.append(floor(ks).dropna(subset="value").assign(selector=FLOOR))
    return pd.concat(parts, ignore_index=True)[["selector", "k", "value", "low", "high"]]


def finding_curves(frame, k, measure, pairs=None) -> str:
    """The curves at one cardinality in one sentence.

    pairs: every two selectors compared at that k (see stabcore.analysis.pairs): only what is clear by these is said. Baselines are
    yardsticks and neither best nor least.
    """
    if frame["k"].min() <= k <= frame["k"].max():
        k = int(frame["k"].iloc[(frame["k"] - k).abs().argmin()])   # the nearest size that was computed
    at = frame[frame["k"] == k].dropna(subset="value")
    here = at[[label not in YARDSTICKS and not is_baseline(label) for label in at["selector"]]]
    size, label = several(k, "feature"), entry(measure).label
    if here.empty:
        return f"No selector has a value at {size}."
    floor = at.loc[at["selector"] == FLOOR, "value"]
    without = f"; a filter such as a t-test {FLOOR}: {rounded(floor.iloc[0])}" if len(floor) else ""
    return f"{sentence_ends(here['selector'], here['value'], pairs, f'With {size}, by {label},')}{without}."


def draw_curves(frame, k=None, intervals=(), knots=None, height=480, shuffled=None):
    """Curves over k with the random band and the floor; `intervals`: selectors whose own band is drawn; k: the chosen cardinality:
    the picture reaches to twice as many, and without one to all of them, on a logarithmic axis.

    knots: a frame_knots, drawn as marks on the curves of its selectors. shuffled: a frame_floor of a control at k, drawn as ticks.
    """
    import plotly.graph_objects as go

    frame = thinned(frame)
    last = _shown_to(frame, k, knots)
    log = bool(k is None and last >= WIDE)
    names = [name for name in frame["selector"].unique() if name not in YARDSTICKS]
    figure = blank(x="Number of selected features", y="Stability", height=height)
    for name, colour in ((RANDOM, "rgba(128,128,128,0.15)"), (FLOOR, see_through(FLOOR_COLOUR))):
        if name in set(frame["selector"]):
            band(figure, frame[frame["selector"] == name], "k", colour)
    styles = channels(names)
    for name in intervals:
        band(figure, frame[frame["selector"] == name], "k", see_through(styles[name][0]))
    lines = {name: {"color": colour, "dash": dash, "width": 2.2} for name, (colour, _, dash) in styles.items()}
    lines |= {RANDOM: {"color": "grey", "width": 1}, FLOOR: {"color": FLOOR_COLOUR, "dash": FLOOR_DASH, "width": 2}}
    called = brief(list(lines))
    for name, line in lines.items():
        own = frame[frame["selector"] == name]
        if len(own):
            figure.add_trace(go.Scatter(x=own["k"], y=own["value"], mode="lines", name=called[name], line=line,
                                        hovertemplate="k = %{x}: %{y:.3f}<extra>%{fullData.name}</extra>"))
    if knots is not None:
        _mark(figure, frame, knots, styles)
    if k is not None:
        mark_at(figure, k, f"k = {k}")
        if shuffled is not None and shuffled["shuffles"].max() > 0:
            draw_floor(shuffled, figure, at=dict.fromkeys(names, k), styles=styles)
    figure.update_xaxes(range=[0, log10(last)] if log else [min(1, last - 1), last])
    if log:
        log_ticks(figure, last)
    frame = frame[frame["k"] <= last]
    short = initials(list(lines))
    ends = [(short[name], own["k"].iloc[-1], own["value"].iloc[-1], line["color"]) for name, line in lines.items()
            if len(own := frame[(frame["selector"] == name) & frame["value"].notna()])]
    shown = frame[["value", *(["low", "high"] if intervals else [])]].to_numpy(dtype=float)
    return name_ends(figure, ends, reach_of(shown), log)


def _shown_to(frame, k, knots):
    """The largest number of features in the picture: twice the chosen one, further where an end of agreement lies, else all."""
    most = frame["k"].max() if len(frame) else 1
    if k is None:
        return most
    far = [] if knots is None else knots[["k", "high"]].to_numpy(dtype=float).ravel()
    return min(most, max(2 * k, FEWEST, *(end for end in far if end == end)))         # nan where nothing ends


def reach_of(values):
    """(low, high) of the axis of all values; 0 is always in it, as what random sets give."""
    low, high = np.nanmin(values, initial=0.0), np.nanmax(values, initial=0.1)
    return low - 0.04 * (high - low), high + 0.06 * (high - low)


def _mark(figure, frame, knots, styles):
    """A mark where each knot lies on the curve of its selector, and a bar as wide as its interval."""
    import plotly.graph_objects as go

    for row in knots[knots["k"].notna() & knots["selector"].isin(list(styles))].itertuples():
        own = frame[frame["selector"] == row.selector]
        nearest = own.iloc[(own["k"] - row.k).abs().argsort().iloc[:1]]
        figure.add_trace(go.Scatter(
            x=[row.k], y=nearest["value"], mode="markers", showlegend=False, hoverinfo="text",
            marker={"color": styles[row.selector][0], "size": 13, "symbol": KNOT,
                    "line": {"width": 2, "color": styles[row.selector][0]}},
            error_x={"type": "data", "symmetric": False, "array": [row.high - row.k], "arrayminus": [row.k - row.low],
                     "color": styles[row.selector][0], "thickness": 2},
            hovertext=[f"{safe(row.selector)}<br>agreement ends: {row.k:.0f} [{row.low:.0f}, {row.high:.0f}]"]))


def thinned(frame):
    """The rows that a screen has pixels for: every k up to EVERY, then as many steps as there is room for."""
    stride = max(1, round((frame["k"].max() - EVERY) / (DRAWN - EVERY))) if len(frame) else 1
    last = frame.groupby("selector")["k"].transform("max") if stride > 1 else frame["k"]
    return frame[(frame["k"] <= EVERY) | (frame["k"] % stride == 0) | (frame["k"] == last)]


def see_through(colour) -> str:
    """A palette colour for the band around a line of that colour."""
    red, green, blue = (int(colour.lstrip("#")[i:i + 2], 16) for i in (0, 2, 4))
    return f"rgba({red},{green},{blue},0.18)"


def band(figure, own, x, colour):
    """The area between `low` and `high` over a column, one without a name and without a word under the pointer.

    Where there is a lower limit only, it ends at the value.
    """
    import plotly.graph_objects as go

    high = own["high"].fillna(own["value"].where(own["low"].notna()))
    for edge, fill in ((high, None), (own["low"], "tonexty")):
        figure.add_trace(go.Scatter(x=own[x], y=edge, mode="lines", line={"width": 0}, fill=fill, fillcolor=colour,
                                    showlegend=False, hoverinfo="skip"))
