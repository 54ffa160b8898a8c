"""Where stability comes to an end: the knot of each ranking, and how stable the features ranked next are."""

from __future__ import annotations

import numpy as np

from stabcore.analysis.floors import marginal_without_signal
from stabcore.analysis.knots import GOES_ON, knots, marginal_stabilities
from stabcore.figures.curves import KNOT, RANDOM, band, reach_of, see_through, thinned
from stabcore.figures.ends import name_ends
from stabcore.figures.style import (
    FLOOR,
    FLOOR_COLOUR,
    FLOOR_DASH,
    beside_rows,
    blank,
    brief,
    channels,
    initials,
    mark_at,
    name_rows,
    safe,
)
from stabcore.selectors.baseline import rivals
from stabcore.wording import join_tied, several, verb_for

DIM = "#7F7F7F"             # what is no finding, on white and on black
ENDS, FADES = "comes to an end", "fades: where two runs share most"


def frame_knots(runs, relation=None):
    """DataFrame(selector, k, low, high, shared, reason): the knot of each selector in {label: Preferences}; see analysis.knots."""
    return knots(runs, relation=relation)


def sentences_knots(frame) -> dict[str, str]:
    """{selector: where its lists stop agreeing, or why nobody can tell}."""
    return {row.selector: f"{row.selector}: {_told(row)}." for row in frame.itertuples()}


def _told(row) -> str:
    within = "" if np.isnan(row.low) else between(row.low, row.high)
    if np.isnan(row.k):
        return f"{row.reason}{f'; two runs share most beyond random sets {within}' if within else ''}"
    return (f"two runs share most beyond random sets with {several(round(row.k), 'feature')} ({row.shared:.1f} more than these; "
            f"these runs cannot tell it from {within.removeprefix('with ')}), what is ranked next comes as if at random")


def between(low, high) -> str:
    """with 9 to 13 features, or with 12."""
    return f"with {low:.0f} to {high:.0f} features" if high > low else f"with {several(round(low), 'feature')}"


def finding_knots(frame, plan=None) -> str:
    """How many selectors come to an end, and where; of a plan whose runs share rows, that this needs no signal."""
    known, total = frame.dropna(subset="k"), len(frame)
    if known.empty:
        return f"No end of agreement can be seen in {several(total, 'selector')}."
    first, last = round(known["low"].min()), round(known["high"].max())
    shared = plan is not None and not plan.separate_halves
    needless = " Runs that share rows agree beyond random sets, and come to such an end, without any signal too." if shared else ""
    return (f"In {len(known)} of {several(total, 'selector')} agreement beyond random sets comes to an end, {between(first, last)}."
            f"{needless}")


def draw_knots(frame, k=None):
    """A row a selector: a diamond on the range that these runs cannot tell from it where agreement ends.

    Where it fades without an end, the range alone, dotted, with an arrow where it goes on as far as runs tell. k: the chosen one.
    """
    import plotly.graph_objects as go

    labels = list(frame["selector"])[::-1]
    figure = blank(x="Number of selected features", height=110 + 40 * len(labels))
    colour, row = channels(["knot"])["knot"][0], {label: place for place, label in enumerate(labels)}
    for name, own, look in ((ENDS, frame[frame["k"].notna()], {"color": colour, "width": 5}),
                            (FADES, frame[frame["k"].isna() & frame["low"].notna()], {"color": DIM, "width": 3, "dash": "dot"})):
        hovers = [safe(text) for text in sentences_knots(own).values()]
        for number, (one, text) in enumerate(zip(own.itertuples(), hovers, strict=True)):
            at, ends = row[one.selector], np.isfinite(one.k)
            figure.add_trace(go.Scatter(
                x=[one.low, one.high], y=[at, at], mode="lines" if ends else "lines+markers", name=name, legendgroup=name,
                showlegend=not ends and number == 0, line=look, hoverinfo="text", hovertext=[text] * 2,
                marker={"symbol": ["line-ns-open", "arrow-right" if one.reason == GOES_ON else "line-ns-open"], "size": 12,
                        "color": DIM, "line": {"width": 2, "color": DIM}}))
        if name == ENDS and len(own):
            figure.add_trace(go.Scatter(x=own["k"], y=own["selector"].map(row), mode="markers", name=name, legendgroup=name,
                                        marker={"color": colour, "symbol": KNOT.removesuffix("-open"), "size": 14},
                                        hoverinfo="text", hovertext=hovers))
    if k is not None:
        mark_at(figure, k, f"k = {k}")
    figure.update_xaxes(rangemode="tozero")
    name_rows(figure, range(len(labels)), [beside_rows(name) for name in labels], range=[-0.6, len(labels) - 0.4])
    return figure


# ---- the features ranked next ----

def frame_marginal(runs, window=None, plan=None):
    """DataFrame(selector, k, value, low, high): marginal stability of each selector in {label: Preferences} that allows it.

    The intervals hold for all the selectors together (Bonferroni), since one sentence is made of all of them. plan: how the runs
    were made; then the last rows are the floor, what filters give without any signal on average and in 95 of 100 tables.
    """
    import pandas as pd

    frame = marginal_stabilities(runs, window)
    if frame.empty or plan is None:
        return frame
    ks, any_run = range(int(frame["k"].max()) + 1), next(iter(runs.values()))
    floor = marginal_without_signal(plan, ks, frame.attrs["window"], any_run.n_features).assign(selector=FLOOR)
    return pd.concat([frame, floor[frame.columns]], ignore_index=True) if len(floor) else frame


def finding_marginal(frame, k) -> str:
    """Of which selectors the features after the k best (or the nearest k computed) come back more than without any signal."""
    at = k if frame.empty else min(k, frame["k"].max())
    here = frame[(frame["k"] == at) & (frame["selector"] != FLOOR)].dropna(subset=["value", "low"])
    here = rivals(here)
    if here.empty:
        return f"After {several(at, 'feature')}, the rankings leave too few features to say how stable the next ones are."
    floor = frame.loc[(frame["k"] == at) & (frame["selector"] == FLOOR), "high"]
    than = "a filter such as a t-test would without any signal" if len(floor) else "random sets would"
    still = here[here["low"] > (floor.iloc[0] if len(floor) else 0)]["selector"].tolist()
    after = f"After the best {several(at, 'feature') if at > 1 else 'feature'},"
    if not still:
        return f"{after} of no selector can it be seen that what comes next is more stable than {than.replace(' would', '')}."
    if len(still) == len(here):
        return f"{after} every selector still adds features more stably than {than}."
    return (f"{after} {len(still)} of {len(here)} selectors still {verb_for(len(still), 'add')} features more stably than {than}: "
            f"{join_tied(still, 5)}. Of the others these runs cannot tell.")


def draw_marginal(frame, k=None, intervals=()):
    """Marginal stability over k, 0 is random sets, and the floor; `intervals`: selectors whose interval is drawn."""
    import plotly.graph_objects as go

    frame = thinned(frame)
    styles = channels([one for one in frame["selector"].unique() if one != FLOOR])
    figure = blank(x="Features already selected", y="Stability of the features ranked next")
    for name in [one for one in intervals if one in styles]:
        band(figure, frame[frame["selector"] == name], "k", see_through(styles[name][0]))
    if FLOOR in set(frame["selector"]):
        band(figure, frame[frame["selector"] == FLOOR], "k", see_through(FLOOR_COLOUR))
    lines = {name: {"color": colour, "dash": dash, "width": 2} for name, (colour, _, dash) in styles.items()}
    called = brief([*lines, FLOOR])
    for name, line in (lines | {FLOOR: {"color": FLOOR_COLOUR, "dash": FLOOR_DASH, "width": 2}}).items():
        own = frame[frame["selector"] == name]
        if len(own):
            figure.add_trace(go.Scatter(x=own["k"], y=own["value"], mode="lines", name=called[name], showlegend=True, line=line,
                                        hovertemplate="after %{x} features: %{y:.3f}<extra>%{fullData.name}</extra>"))
    figure.add_hline(y=0, line={"width": 1, "color": "grey"}, name=RANDOM)
    if k is not None:
        mark_at(figure, k, f"k = {k}")
    if len(frame):
        figure.update_xaxes(range=[0, frame["k"].max()])
    shown = frame[["value", *(["low", "high"] if intervals else [])]].to_numpy(dtype=float)
    return name_ends(figure, _ends(frame, lines), reach_of(shown))


def _ends(frame, lines):
    """Where the curves end, and the line of random sets with them."""
    short, known = initials([*lines, FLOOR]), frame.dropna(subset="value")
    colours = {name: line["color"] for name, line in lines.items()} | {FLOOR: FLOOR_COLOUR}
    last = {name: own.iloc[-1] for name, own in known.groupby("selector", sort=False)}
    return [*((short[name], row["k"], row["value"], colours[name]) for name, row in last.items()),
            *([(RANDOM, known["k"].max(), 0.0, "grey")] if len(known) else [])]
