"""Where stability comes to an end: the knot of each ranking, and how stable the features ranked next are."""

from __future__ import annotations

import numpy as np

from stabcore.errors import InputError
from stabcore.figures.curves import KNOT, band, see_through, thinned
from stabcore.figures.style import blank, channels, safe
from stabcore.knots import knot, marginal_stability
from stabcore.words import does, named, several


def frame_knots(runs, relation=None):
    """DataFrame(selector, k, low, high, shared, reason): the knot of each selector in {label: Preferences}; see stabcore.knots."""
    import pandas as pd

    rows = []
    for label, one in runs.items():
        try:
            found = knot(one, relation=relation)
            rows.append((label, found.k, found.low, found.high, found.shared, found.reason))
        except InputError as error:
            rows.append((label, *[np.nan] * 4, str(error).rstrip(".")))
    frame = pd.DataFrame(rows, columns=["selector", "k", "low", "high", "shared", "reason"])
    return frame.astype({name: float for name in ("k", "low", "high", "shared")})


def sentences_knots(frame) -> dict[str, str]:
    """{selector: where its lists stop agreeing, or why nobody can tell}."""
    return {row.selector: f"{row.selector}: {_told(row)}." for row in frame.itertuples()}


def _told(row) -> str:
    within = "" if np.isnan(row.low) else between(row.low, row.high)
    if np.isnan(row.k):
        return f"{row.reason}{f'; two runs share most beyond chance {within}' if within else ''}"
    return (f"two runs share most beyond chance with {several(round(row.k), 'feature')} ({row.shared:.1f} more than random sets; "
            f"these runs cannot tell it from {within.removeprefix('with ')}), what is ranked next comes as if at random")


def between(low, high) -> str:
    """with 9 to 13 features, or with 12."""
    return f"with {low:.0f} to {high:.0f} features" if high > low else f"with {several(round(low), 'feature')}"


def finding_knots(frame) -> str:
    """How many selectors come to an end, and where, in one sentence."""
    known, total = frame.dropna(subset="k"), len(frame)
    if known.empty:
        return f"No end of agreement can be seen in {several(total, 'selector')}."
    first, last = round(known["low"].min()), round(known["high"].max())
    return (f"In {len(known)} of {several(total, 'selector')} agreement beyond chance comes to an end, {between(first, last)}.")


def draw_knots(frame, k=None):
    """A row a selector: the knot with its interval; pale where agreement fades without an end. k: the chosen cardinality."""
    import plotly.graph_objects as go

    labels = list(frame["selector"])[::-1]
    figure = blank(x="Number of selected features", height=110 + 40 * len(labels))
    colour = channels(["knot"])["knot"][0]
    for name, own, opacity in (("comes to an end", frame[frame["k"].notna()], 1.0),
                               ("no clear end: where it is largest", frame[frame["k"].isna() & frame["low"].notna()], 0.35)):
        if own.empty:
            continue
        at = own["k"].fillna((own["low"] + own["high"]) / 2)
        figure.add_trace(go.Scatter(
            x=at, y=[labels.index(label) for label in own["selector"]], mode="markers", name=name, opacity=opacity,
            marker={"color": colour, "symbol": KNOT.removesuffix("-open"), "size": 12 if opacity == 1 else 1}, hoverinfo="text",
            error_x={"type": "data", "symmetric": False, "array": own["high"] - at, "arrayminus": at - own["low"],
                     "thickness": 2, "width": 5, "color": colour},
            hovertext=[safe(text) for text in sentences_knots(own).values()]))
    if k is not None:
        figure.add_vline(x=k, line={"dash": "dot", "color": "grey"}, annotation_text=f"k = {k}")
    figure.update_xaxes(rangemode="tozero")
    figure.update_yaxes(tickvals=list(range(len(labels))), ticktext=[safe(name) for name in labels],
                        range=[-0.6, len(labels) - 0.4])
    return figure


# ---- the features ranked next ----

def frame_marginal(runs, window=None):
    """DataFrame(selector, k, value, low, high): marginal stability of each selector in {label: Preferences} that allows it.

    The intervals hold for all the selectors together (Bonferroni), since one sentence is made of all of them.
    """
    import pandas as pd

    parts = []
    for label, one in runs.items():
        try:
            parts.append(marginal_stability(one, window, level=1 - 0.05 / len(runs)).assign(selector=label))
        except InputError:              # too few runs or features: left out, which frame_knots explains
            continue
    frame = pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=["k", "value", "low", "high", "selector"])
    return frame[["selector", "k", "value", "low", "high"]]


def finding_marginal(frame, k) -> str:
    """Of which selectors the features after the k best (or the nearest k that was computed) are more stable than chance."""
    at = k if frame.empty else min(k, frame["k"].max())
    here = frame[frame["k"] == at].dropna(subset=["value", "low"])
    if here.empty:
        return f"After {several(at, 'feature')}, the rankings leave too few features to say how stable the next ones are."
    still = here[here["low"] > 0]["selector"].tolist()
    after = f"After the best {several(at, 'feature') if at > 1 else 'feature'},"
    if not still:
        return f"{after} of no selector can it be seen that what comes next is more stable than chance."
    if len(still) == len(here):
        return f"{after} every selector still adds features more stably than chance would."
    return (f"{after} {len(still)} of {len(here)} selectors still {does(len(still), 'add')} features more stably than chance "
            f"would: {named(still, 5)}. Of the others these runs cannot tell.")


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
