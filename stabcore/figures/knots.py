"""Where stability comes to an end: the knot of each ranking, and how stable the features ranked next are."""

from __future__ import annotations

import numpy as np

from stabcore.analysis.agreement_cutoff import GOES_ON, knots, marginal_stabilities
from stabcore.analysis.compare_selectors import LEVEL
from stabcore.analysis.noise_floors import marginal_beside
from stabcore.figures.curves import over_sizes
from stabcore.figures.floor import sentence_unknown
from stabcore.figures.small import small_panels
from stabcore.figures.style import beside_rows, blank, channels, mark_at, name_rows, safe
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


def finding_knots(frame) -> str:
    """How many selectors come to an end, and where; that this needs no signal."""
    known, total = frame.dropna(subset="k"), len(frame)
    if known.empty:
        return f"No end of agreement can be seen in {several(total, 'selector')}."
    first, last = round(known["low"].min()), round(known["high"].max())
    return (f"In {len(known)} of {several(total, 'selector')} agreement beyond random sets comes to an end, "
            f"{between(first, last)}. Shared patients and correlated features can give such an end without any signal too.")


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
                                        marker={"color": colour, "symbol": "diamond", "size": 14},
                                        hoverinfo="text", hovertext=hovers))
    if k is not None:
        mark_at(figure, k, f"k = {k}")
    figure.update_xaxes(rangemode="tozero")
    name_rows(figure, range(len(labels)), [beside_rows(name) for name in labels], range=[-0.6, len(labels) - 0.4])
    return figure


# ---- the features ranked next ----

def frame_marginal(runs, window=None, shuffled=None, share=None):
    """DataFrame(selector, k, value, low, high, floor, floor_low, floor_high, p, shuffles): marginal stability of each selector.

    The intervals hold for all the selectors together (Bonferroni), since one sentence is made of all of them. runs: {selector:
    Preferences}; shuffled, share: see analysis.floor_profiles.marginal_beside, None without a control.
    """
    return marginal_beside(marginal_stabilities(runs, window), shuffled or {}, share)


def finding_marginal(frame, k, result=None) -> str:
    """Of which selectors the features after the k best (or the nearest k computed) agree more than with the outcome shuffled."""
    at = k if frame.empty else min(k, frame["k"].max())
    here = rivals(frame[frame["k"] == at].dropna(subset=["value", "low"]))
    after = f"After the best {several(at, 'feature') if at > 1 else 'feature'},"
    if here.empty:
        return f"{after} the rankings leave too few features to say how stable the next ones are."
    judged = here[here["shuffles"] > 0]
    if judged.empty:
        return f"{after} nothing can be judged. {sentence_unknown(result)}"
    still = judged[(judged["low"] > judged["floor_high"]) & (judged["p"] <= LEVEL)]["selector"].tolist()
    if not still:
        return f"{after} no selector clearly adds features more stably than with the outcome shuffled."
    if len(still) == len(judged):
        return f"{after} every selector still adds features more stably than with the outcome shuffled."
    return (f"{after} {len(still)} of {len(judged)} selectors still {verb_for(len(still), 'add')} features more stably than with "
            f"the outcome shuffled: {join_tied(still, 5)}.")


def draw_marginal(frame, k, columns=4):
    """A small panel for each selector: marginal stability over the number of features already selected, beside its noise floor."""
    import pandas as pd

    order = pd.DataFrame({"selector": list(dict.fromkeys(frame["selector"]))}).assign(
        panel="runs", beyond=np.nan, clear=False, shuffles=int(frame["shuffles"].max()) if len(frame) else 0)
    return small_panels(frame, over_sizes(frame), k, order, columns)
