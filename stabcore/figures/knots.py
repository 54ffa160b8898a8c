"""Where stability comes to an end: knots by two methods, and how stable the features ranked next are."""

from __future__ import annotations

import numpy as np

from stabcore.errors import InputError
from stabcore.figures.curves import KNOTS, band, see_through, thinned
from stabcore.figures.style import blank, channels, safe
from stabcore.knots import knots, marginal_stability
from stabcore.words import does, several


def frame_knots(runs, measure="nogueira", relation=None):
    """DataFrame(selector, method, k, low, high, reason): the knots of each selector in {label: Preferences}."""
    import pandas as pd

    parts = []
    for label, one in runs.items():
        try:
            found = knots(one, measure, relation=relation)
        except InputError as error:
            found = pd.DataFrame({"method": list(KNOTS), "k": np.nan, "low": np.nan, "high": np.nan, "reason": str(error)})
        parts.append(found.assign(selector=label))
    frame = pd.concat(parts, ignore_index=True)[["selector", "method", "k", "low", "high", "reason"]]
    return frame.astype({"k": float, "low": float, "high": float})


def sentences_knots(frame) -> dict[str, str]:
    """{selector: what both methods say of it}, never as a verdict."""
    said = {}
    for label, own in frame.groupby("selector", sort=False):
        by = {row.method: row for row in own.itertuples()}
        known = [row for row in by.values() if not np.isnan(row.k)]
        words = {row.method: f"{row.method} after about {row.k:.0f} [{row.low:z.0f}, {row.high:.0f}]" for row in known}
        reasons = list(dict.fromkeys(row.reason.rstrip(".") for row in by.values() if np.isnan(row.k)))
        if not known and len(reasons) == 1:
            said[label] = f"{label}: neither method sees an end: {reasons[0]}."
            continue
        words |= {row.method: f"{row.method} sees none ({row.reason.rstrip('.')})" for row in by.values() if np.isnan(row.k)}
        agree = ""
        if len(known) == 2:
            overlap = known[0].low <= known[1].high and known[1].low <= known[0].high
            agree = "; their intervals overlap" if overlap else "; the two disagree, so read neither as the answer"
        said[label] = f"{label}: {', '.join(words[method] for method in by)}{agree}."
    return said


def finding_knots(frame) -> str:
    """How many selectors seem to come to an end, and where, in one sentence."""
    known = frame.dropna(subset="k")
    total, some = frame["selector"].nunique(), known["selector"].nunique()
    if known.empty:
        return f"Neither method sees an end of stability in {several(total, 'selector')}."
    first, last = round(known["k"].min()), round(known["k"].max())
    after = f"about {several(last, 'feature')}" if first == last else f"{first} to {last} features"
    by = "by one method or both" if len(known) > 1 else "by one of two methods"
    return f"In {some} of {several(total, 'selector')} stability seems to come to an end, after {after}, {by}."


def draw_knots(frame, k=None):
    """A row a selector, a mark with its interval for each method that sees an end; k: the chosen cardinality."""
    import plotly.graph_objects as go

    labels = list(frame["selector"].unique())[::-1]
    figure = blank(x="Number of selected features", height=110 + 44 * len(labels))
    for shift, (method, (colour, _, _)) in zip((0.14, -0.14), channels(KNOTS).items(), strict=True):
        own = frame[(frame["method"] == method) & frame["k"].notna()]
        figure.add_trace(go.Scatter(
            x=own["k"], y=[labels.index(label) + shift for label in own["selector"]], mode="markers", name=method,
            marker={"color": colour, "symbol": KNOTS[method].removesuffix("-open"), "size": 12}, hoverinfo="text",
            error_x={"type": "data", "symmetric": False, "array": own["high"] - own["k"], "arrayminus": own["k"] - own["low"],
                     "thickness": 2, "width": 5},
            hovertext=[f"{safe(row.selector)}<br>{method}: {row.k:.0f} [{row.low:z.0f}, {row.high:.0f}]"
                       for row in own.itertuples()]))
    if k is not None:
        figure.add_vline(x=k, line={"dash": "dot", "color": "grey"}, annotation_text=f"k = {k}")
    figure.update_xaxes(rangemode="tozero")
    figure.update_yaxes(tickvals=list(range(len(labels))), ticktext=[safe(name) for name in labels],
                        range=[-0.6, len(labels) - 0.4])
    return figure


# ---- the features ranked next ----

def frame_marginal(runs, window=None):
    """DataFrame(selector, k, value, low, high): marginal stability of each selector in {label: Preferences} that allows it."""
    import pandas as pd

    parts = []
    for label, one in runs.items():
        try:
            parts.append(marginal_stability(one, window).assign(selector=label))
        except InputError:              # too few runs or features: left out, which frame_knots explains
            continue
    frame = pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=["k", "value", "low", "high", "selector"])
    return frame[["selector", "k", "value", "low", "high"]]


def finding_marginal(frame, k) -> str:
    """Of which selectors the features after the k best are still more stable than chance."""
    here = frame[frame["k"] == min(k, frame["k"].max())].dropna(subset=["value", "low"]) if len(frame) else frame
    if here.empty:
        return f"After {several(k, 'feature')}, the rankings leave too few features to say how stable the next ones are."
    still = here[here["low"] > 0]["selector"].tolist()
    after = f"After the best {several(k, 'feature') if k > 1 else 'feature'},"
    if not still:
        return f"{after} no selector adds further features more stably than chance would."
    if len(still) == len(here):
        return f"{after} every selector still adds features more stably than chance would."
    return (f"{after} {len(still)} of {len(here)} selectors still {does(len(still), 'add')} features more stably than chance "
            f"would: {', '.join(still)}.")


def draw_marginal(frame, k=None, intervals=()):
    """Marginal stability over k, 0 is chance; `intervals`: selectors whose interval is drawn."""
    import plotly.graph_objects as go

    frame = thinned(frame)
    styles = channels(frame["selector"].unique())
    figure = blank(x="Features already selected", y="Stability of the features ranked next")
    for name in [one for one in intervals if one in styles]:
        band(figure, frame[frame["selector"] == name], "k", see_through(styles[name][0]))
    for name, (colour, _, dash) in styles.items():
        own = frame[frame["selector"] == name]
        figure.add_trace(go.Scatter(x=own["k"], y=own["value"], mode="lines", name=safe(name), showlegend=True,
                                    line={"color": colour, "dash": dash, "width": 2},
                                    hovertemplate="after %{x} features: %{y:.3f}<extra>%{fullData.name}</extra>"))
    figure.add_hline(y=0, line={"width": 1, "color": "grey"}, annotation_text="chance")
    if k is not None:
        figure.add_vline(x=k, line={"dash": "dot", "color": "grey"}, annotation_text=f"k = {k}")
    return figure
