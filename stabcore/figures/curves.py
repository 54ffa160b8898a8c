"""Stability against cardinality: one curve a selector, and the band that random ranking stays in."""

from __future__ import annotations

import numpy as np

from stabcore.figures.estimates import two
from stabcore.figures.style import blank, channels, safe
from stabcore.measures.catalog import entry
from stabcore.profiles import profile, random_profile

ALL_SIZES, MOST_SIZE = 500, 500
RANDOM = "random ranking (expected)"


def frame_curves(runs, measure, relation=None, sizes=None):
    """DataFrame(selector, k, value, low, high): a profile of each selector in {label: Preferences}, then random ranking.

    sizes: which k; by default all, but for `effective` with many features some thirty up to 500, denser for small ones.
    """
    import pandas as pd

    any_run = next(iter(runs.values()))
    if sizes is None and measure == "effective" and any_run.n_features > ALL_SIZES:
        sizes = np.unique(np.geomspace(1, MOST_SIZE, 30).round().astype(int))
    parts = [profile(one, measure, relation=relation, sizes=sizes, baseline=False).assign(selector=label)
             for label, one in runs.items()]
    ks = sorted(set().union(*(part["k"] for part in parts)))
    parts.append(random_profile(any_run.n_runs, any_run.n_features, ks, measure, relation=relation).assign(selector=RANDOM))
    return pd.concat(parts, ignore_index=True)[["selector", "k", "value", "low", "high"]]


def finding_curves(frame, k, measure) -> str:
    """The curves at one cardinality in one sentence."""
    if frame["k"].min() <= k <= frame["k"].max():
        k = int(frame["k"].iloc[(frame["k"] - k).abs().argmin()])   # the nearest size that was computed
    here = frame[(frame["k"] == k) & (frame["selector"] != RANDOM)].dropna(subset="value").sort_values("value")
    if here.empty:
        return f"No selector has a value at {k} features."
    best, last = here.iloc[-1], here.iloc[0]
    if len(here) == 1:
        return f"With {k} features, {best['selector']} agrees with itself to {two(best['value'])} by {entry(measure).label}."
    return (f"With {k} features, {best['selector']} agrees with itself most ({two(best['value'])}) and {last['selector']} least "
            f"({two(last['value'])}) by {entry(measure).label}.")


def draw_curves(frame, k=None, intervals=()):
    """Curves over k with the random band; `intervals`: selectors whose own band is drawn; k: the chosen cardinality."""
    import plotly.graph_objects as go

    names = [name for name in frame["selector"].unique() if name != RANDOM]
    figure = blank(x="Number of selected features", y="Stability", height=480)
    _band(figure, frame[frame["selector"] == RANDOM], "rgba(128,128,128,0.25)")
    styles = channels(names)
    for name in intervals:
        colour = styles[name][0].lstrip("#")
        red, green, blue = (int(colour[i:i + 2], 16) for i in (0, 2, 4))
        _band(figure, frame[frame["selector"] == name], f"rgba({red},{green},{blue},0.18)")
    for name, (colour, _, dash) in styles.items():
        own = frame[frame["selector"] == name]
        figure.add_trace(go.Scatter(x=own["k"], y=own["value"], mode="lines", name=safe(name),
                                    line={"color": colour, "dash": dash, "width": 2.2},
                                    hovertemplate="k = %{x}: %{y:.3f}<extra>%{fullData.name}</extra>"))
    own = frame[frame["selector"] == RANDOM]
    figure.add_trace(go.Scatter(x=own["k"], y=own["value"], mode="lines", name=RANDOM, line={"color": "grey", "width": 1.5},
                                hovertemplate="k = %{x}: %{y:.3f}<extra>%{fullData.name}</extra>"))
    if k is not None:
        figure.add_vline(x=k, line={"dash": "dot", "color": "grey"}, annotation_text=f"k = {k}")
    return figure


def _band(figure, own, colour):
    import plotly.graph_objects as go

    for edge, fill in ((own["high"], None), (own["low"], "tonexty")):
        figure.add_trace(go.Scatter(x=own["k"], y=edge, mode="lines", line={"width": 0}, fill=fill, fillcolor=colour,
                                    showlegend=False, hoverinfo="skip"))
