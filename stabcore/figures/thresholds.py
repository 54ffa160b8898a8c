"""What if C came from another threshold? Curves of effective stability, and what to keep in mind where they are hard to read."""

from __future__ import annotations

import numpy as np

from stabcore.figures.curves import DRAWN, band, see_through
from stabcore.figures.ends import name_ends
from stabcore.figures.floor import draw_floor
from stabcore.figures.standing import sentence_ends
from stabcore.figures.style import FLOOR, FLOOR_COLOUR, GREY, REST, blank, brief, channels, initials, mark_at, taller
from stabcore.selectors.baseline import is_baseline
from stabcore.whatif import crossings, threshold_curve
from stabcore.whatif.doubtful import doubtful
from stabcore.wording import joined

CURVES = 0.78               # of the height for the curves, the rest for the histogram
SENTENCES = 5
NEAR = 0.1                  # of the chosen threshold: no crossing inside is left out
WILD = 0.1                  # thresholds below do not decide how high the picture is
MARKED = 11                 # symbols on a curve, the second channel beside its colour; all its points can be clicked


def frame_thresholds(runs, bins):
    """DataFrame(selector, threshold, value, reason): effective stability of {selector: Preferences} at every threshold."""
    return threshold_curve(runs, bins)


def at_threshold(frame, chosen):
    """The rows of frame_thresholds at the threshold that is nearest to the chosen one."""
    grid = frame["threshold"].unique()
    return frame[frame["threshold"] == grid[np.abs(grid - chosen).argmin()]]


def finding_thresholds(frame, chosen, pairs=None) -> str:
    """The curves at the chosen threshold in one sentence.

    pairs: every two selectors compared there (see stabcore.analysis.pairs): only what is clear by these is said. Baselines are
    yardsticks and neither best nor least.
    """
    here = at_threshold(frame, chosen).dropna(subset="value")
    here = here[[not is_baseline(label) for label in here["selector"]]]
    if here.empty:
        return f"From |ρ| = {chosen:.2f} on, no selector has a stability that is defined."
    condition = f"If features stand for each other from |ρ| = {chosen:.2f} on,"
    return f"{sentence_ends(here['selector'], here['value'], pairs, condition)}."


def table_bands(runs, bins):
    """DataFrame(selector, threshold, low, high): the intervals of the curves of {selector: Preferences} (jackknife over runs)."""
    return threshold_curve(runs, bins, level=0.95)[["selector", "threshold", "value", "low", "high"]]


def table_doubtful(runs, bins):
    """DataFrame(threshold, left, negative, doubtful): where the curves are hard to read, see stabcore.whatif.doubtful."""
    return doubtful(runs, bins)


def sentence_doubtful(frame) -> str:
    """What is hatched, and why, in one sentence; "" where nothing is."""
    if not frame["doubtful"].any():
        return ""
    spans = [f"{low:.2f} to {high:.2f}" if high > low else f"{low:.2f}" for low, high in _spans(frame)]
    return (f"Hatched (|ρ| from {joined(spans)}): there effective stability is hard to read, because almost all features are one "
            "(tr(CΣ⁰) is small), or because one stands for a second and that for a third, but the first not for the third (C is "
            "far from positive semi-definite). Compare selectors there; do not read the value as a share.")


def _spans(frame):
    """[(first, last)] threshold of each stretch that is doubtful."""
    on = np.concatenate([[False], frame["doubtful"], [False]])
    starts, stops = np.flatnonzero(on[1:] & ~on[:-1]), np.flatnonzero(on[:-1] & ~on[1:]) - 1
    at = frame["threshold"].to_numpy()
    return list(zip(at[starts], at[stops], strict=True))


def draw_thresholds(frame, chosen, floor=None, unrelated=None, pairs=None, bands=None, hatched=None):
    """A curve a selector, named at its end; x of a point is its threshold; the chosen one is a dotted line.

    pairs: a count_pairs, drawn as a histogram below: how many pairs of features come in at each threshold. bands: a table_bands.
    hatched: a table_doubtful.
    floor: a frame_floor, of each selector at the chosen threshold, or the closed form, which holds from the threshold `unrelated`
    on, where no features stand for each other any more, and is drawn there.
    """
    figure = blank(x="Features stand for each other<br>from this |ρ| on", y="Effective stability", height=480)
    points = frame[["threshold", "value"]].to_numpy()
    curves = {name: points[_thinned(rows)].T for name, rows in frame.groupby("selector", sort=False).indices.items()}
    known = {name: (at[~np.isnan(value)], value[~np.isnan(value)]) for name, (at, value) in curves.items()}
    styles = channels(list(curves))
    called = brief(list(styles))
    reach = _reach([value[at >= WILD] for at, value in known.values()])
    if hatched is not None:
        _hatch(figure, hatched, reach)
    for name, own in (bands.groupby("selector", sort=False) if bands is not None else ()):
        band(figure, own[own["threshold"] >= WILD], "threshold", see_through(styles[name][0]))
    figure.add_traces([_curve(*one, called[name], *styles[name]) for name, one in curves.items()])
    if pairs is not None:
        _histogram(figure, pairs)
    mark_at(figure, chosen, f"|ρ| ≥ {chosen:.2f}")
    if floor is not None and len(floor) and (floor["shuffles"].max() > 0 or unrelated is not None):
        draw_floor(floor, figure, at=dict.fromkeys(styles, chosen), styles=styles, reach=(unrelated, 1))
    figure.layout.xaxis.range = [-0.01, 1.01]
    short = initials(list(styles))
    ends = [(short[name], at[-1], value[-1], styles[name][0]) for name, (at, value) in known.items() if len(at)]
    if floor is not None and len(floor) == 1 and unrelated is not None:
        ends.append((FLOOR, 1, floor["floor"].iloc[0], FLOOR_COLOUR))
    return name_ends(figure, ends, reach)


def _thinned(rows):
    """The rows of a curve that a screen has pixels for: every so many, and the last; the table behind has all."""
    return rows[np.union1d(np.arange(0, len(rows), -(-len(rows) // DRAWN)), len(rows) - 1)]


def _reach(values):
    """(low, high) of the axis of all values: near 0 nearly all features are one, and curves that dive below may leave it."""
    values = np.concatenate([*values, [0.0, 1.0]])
    return values.min() - 0.05, values.max() + 0.05


def _curve(at, value, name, colour, symbol, dash):
    """The curve of one selector, with symbols on it."""
    return {"type": "scatter", "x": at.astype(np.float32), "y": value.astype(np.float32),
            "name": name, "mode": "lines+markers", "line": {"color": colour, "dash": dash, "width": 2},
            "marker": {"symbol": symbol, "size": 7, "maxdisplayed": MARKED, "opacity": 1},
            "unselected": {"marker": {"opacity": 1}},
            "hovertemplate": "|ρ| ≥ %{x:.3f}: %{y:.3f}<extra>%{fullData.name}</extra>"}


def _hatch(figure, frame, reach):
    """Hatching behind the curves over each stretch of thresholds that is doubtful."""
    import plotly.graph_objects as go

    half = (frame["threshold"].iloc[1] - frame["threshold"].iloc[0]) / 2 if len(frame) > 1 else 0.01
    for low, high in _spans(frame):
        left, right = max(low - half, 0), min(high + half, 1)
        figure.add_trace(go.Scatter(x=[left, right, right, left, left], y=[reach[0], reach[0], reach[1], reach[1], reach[0]],
                                    mode="lines", line={"width": 0}, fill="toself", hoverinfo="skip", showlegend=False,
                                    name="hard to read", fillpattern={"shape": "/", "size": 9, "solidity": 0.08, "fgcolor": GREY,
                                                                      "bgcolor": "rgba(0,0,0,0)"}))


def count_pairs(bins, width=0.04):
    """DataFrame(low, high, pairs): how many pairs of features have a |ρ| in each step of the axis; of binary CorrelationBins."""
    import pandas as pd

    edges = np.arange(0, 1 + width / 2, width)
    at_least = np.append(bins.amount, 0)[np.searchsorted(bins.thresholds, edges - 1e-9)]
    at_least[-1] = 0                # |ρ| = 1 itself belongs to the last step
    return pd.DataFrame({"low": edges[:-1], "high": edges[1:], "pairs": at_least[:-1] - at_least[1:]})


def _histogram(figure, pairs):
    """Bars below the curves on the same axis, logarithmic: few pairs have the large |ρ| that are asked about."""
    low, high, many = (pairs[name].to_numpy() for name in ("low", "high", "pairs"))
    figure.add_traces([{
        "type": "bar", "x": (low + high) / 2, "y": many, "width": high - low, "yaxis": "y2", "showlegend": False,
        "marker": {"color": REST, "line": {"width": 0}}, "name": "pairs of features", "unselected": {"marker": {"opacity": 1}},
        "text": [f"{count:,.0f} pairs with |ρ| from {begin:.2f} to {end:.2f}" for begin, end, count in zip(low, high, many)],
        "textposition": "none", "hovertemplate": "%{text}<extra></extra>"}])
    layout = taller(figure, 70).layout
    layout.yaxis.domain, layout.xaxis.anchor, layout.bargap = [1 - CURVES, 1], "y2", 0
    layout.yaxis2 = {"domain": [0, 0.9 - CURVES], "type": "log", "title": {"text": "Pairs"}, "anchor": "x", "automargin": False,
                     "tickvals": [1, 100, 10_000, 1_000_000], "ticktext": ["1", "100", "10⁴", "10⁶"]}


def sentences_crossings(crossed, chosen):
    """Where one selector passes another, nearest to the chosen threshold first: every place within NEAR of it, those of two
    selectors that change places several times in one sentence; and further ones, up to SENTENCES."""
    away = np.maximum(np.maximum(crossed["threshold_low"] - chosen, chosen - crossed["threshold_high"]), 0)
    ordered = crossed.assign(away=away).sort_values(["away", "threshold_high"], kind="stable")
    near = ordered[ordered["away"] <= NEAR + 1e-9]
    sentences, further = _of_pairs(near), _of_pairs(ordered[ordered["away"] > NEAR + 1e-9])
    return sentences + further[:max(0, SENTENCES - len(sentences))]


def _of_pairs(crossed):
    """A sentence for every two selectors, in their order."""
    pairs = [" ".join(sorted(map(repr, pair))) for pair in crossed[["above", "below"]].to_numpy()]
    return [_passing(own) for _, own in crossed.groupby(pairs, sort=False)]


def _passing(own):
    """All near places where two selectors change places, in one sentence."""
    last = own.loc[own["threshold_high"].idxmax()]
    lies = f"{last.above} lies above {last.below} as measured{_then(last)}."
    if len(own) == 1:
        return f"From |ρ| = {last.threshold_high:.3f} {_until(last)}, {lies}"
    return (f"{last.above} and {last.below} change places {len(own)} times from |ρ| = {own['threshold_high'].min():.3f} to "
            f"{last.threshold_high:.3f}; from there {_until(last)}, {lies}")


def _until(one):
    return "on" if not one.then else f"to {one.until:.3f}" if one.until > one.threshold_high else "only"


def _then(one):
    return {"": "", "equal": "; then the two are equal", "undefined": "; then one of them has no value",
            "below": "; then the other way round"}[one.then]


def table_crossings(frame):
    """DataFrame(threshold_low, threshold_high, above, below, until, then) of frame_thresholds."""
    return crossings(frame)
