"""Pictures of the panel: every feature with its interval beside the threshold, choices of k and threshold, paths, shared panels."""

from __future__ import annotations

import numpy as np

from stabcore.analysis.panel import IN as OF
from stabcore.figures.ends import LINE, log_ticks, name_ends
from stabcore.figures.names import starred
from stabcore.figures.style import (
    FLOOR,
    FLOOR_COLOUR,
    FLOOR_DASH,
    GREY,
    PALETTE,
    beside_rows,
    blank,
    brief,
    channels,
    mark_at,
    name_rows,
    safe,
)
from stabcore.wording import be, plural, rounded, several, verb_for

MOST_SHOWN = 40         # rows of the picture; the table behind it has all
MORE = [[0, "rgba(0,114,178,0.04)"], [1, "rgba(0,114,178,1)"]]     # from what is behind, so that no zero is the brightest
COLOURS = {"stays": "stay", "false": "false", "score": "part"}      # what colours of the map of choices tell, at their scale
COUNTED = (0, 1, 3, 10, 30, 100, 300, 1000, 3000)
MOST_TICKS = 10         # of an axis that counts features one by one
MOST_DOTS = 12          # selectors that have dots of their own look
MOST_COLUMNS = 25       # intersections shown
UNDER = 34              # pixels of a selector below them, whose name may have two lines
BESIDE = 72             # pixels of the axis of their sizes, with its title
IN, OUT = PALETTE[0], GREY
INTERVALS = ("Intervals: where the share would be if more such runs were made of this table; they hold it in about 95 of "
             "100 (90 to 100, wherever it lies). An end so near to never or always that the runs cannot tell it from that is put "
             "there. They do not speak of other patients.")
BOUNDED = ("At most so many false features are in such a panel on average over many studies made in this way. A bound below 1 is "
           "also at most the share of these studies with any false feature. It speaks of how panels are made, not of yours: where "
           "there is nothing to find, every feature that stays is false, however small the bound. The bounds are of theorems about "
           "separate halves; false means selected no more often than by lot. They hold for a threshold and a number of features "
           "set before looking: a slider that was moved until the panel looked good has none.")

EACH = " Each line is about the panel of one selector alone: of selectors taken together no such bound is known."


def finding_panel(table, threshold, false=None) -> str:
    """Which features stay and how many of them are false at most, in one or two sentences.

    table: an analysis.panel.panel; false: the row of the selector in analysis.panel.false_features, None for several selectors.
    """
    many = int(table["stays"].sum())
    unsure = int(((table["low"] < threshold) & (table["high"] >= threshold)).sum())
    who = several(many, "feature") if many else "No feature"
    sentence = f"{who} {'comes' if many < 2 else 'come'} back in at least {threshold:.0%} of the runs"
    if len(table) and table["selectors"].iloc[0] > 1:
        sentence += f", on average over {several(int(table['selectors'].iloc[0]), 'selector')}"
    if unsure:
        sentence += f"; of all features, {unsure} {be(unsure)} so near to that share that more such runs could decide otherwise"
    bound = np.nan if false is None else false["unimodal"]
    return f"{sentence}." if not many or np.isnan(bound) else f"{sentence}. {_false(bound, many)}"


def _false(bound, many):
    """What a bound on the expected number of false features says of a panel of so many: P(V ≥ 1) ≤ E V, by Markov's inequality."""
    told = f"panels made in this way hold at most {rounded(bound)} false features on average over studies"
    if bound >= many:
        return f"{'It' if many == 1 else 'All of them'} may be false: {told}."
    if bound < 1:
        return f"P{told[1:]}: any at all in at most {np.ceil(100 * bound - 1e-9):.0f} of 100."
    return f"P{told[1:]}, and more in some."


def frame_panel(table, threshold, highlighted=()):
    """The first rows of an analysis.panel.panel as they are drawn; place: the number of the row, which a click gives."""
    own = table.head(MOST_SHOWN)
    return own.assign(threshold=threshold, place=range(len(own)), highlighted=own["feature"].isin(list(highlighted)))


def draw_panel(frame):
    """A row a feature: its frequency with its interval, small dots for each selector, the threshold, and the shuffled control."""
    shown = frame.iloc[::-1].reset_index(drop=True)
    labels = [name.removeprefix(OF) for name in frame.columns if name.startswith(OF)]
    legend = 20 * (2 + (len(labels) if len(labels) <= MOST_DOTS else 1))            # on a telephone each of its names takes a line
    figure = blank(x="Share of the runs", height=120 + legend + 22 * max(len(shown), 2))
    figure.add_traces([*(_dots_of(shown, labels) if len(labels) > 1 else ()), *_panel_points(shown)])
    if len(shown):
        mark_at(figure, shown["threshold"].iloc[0], f"threshold {shown['threshold'].iloc[0]:.0%}")
        if np.isfinite(shown["line"].iloc[0]):
            figure.add_vline(x=shown["line"].iloc[0], line={"color": FLOOR_COLOUR, "dash": FLOOR_DASH}, name=FLOOR)
            figure.add_annotation(x=shown["line"].iloc[0], y=0, yref="paper", yanchor="top", showarrow=False, text=FLOOR,
                                  font={"color": FLOOR_COLOUR})
    names = starred(shown["feature"], shown["highlighted"])
    figure.layout.xaxis.range, figure.layout.xaxis.tickformat = [-0.02, 1.03], ".0%"
    return name_rows(figure, list(shown.index), names, showgrid=False, range=[-0.7, len(shown) - 0.3])


def _dots_of(shown, labels):
    """Small dots of each selector, as dictionaries: plotly checks objects twice. A click on one of them is on its feature.

    Those of many selectors look the same, and stand in the legend once.
    """
    styles, called, names = channels(labels), brief(labels), [safe(one) for one in shown["feature"]]
    if len(labels) > MOST_DOTS:
        styles, called = dict.fromkeys(labels, (GREY, "circle")), dict.fromkeys(labels, f"each of {len(labels)} selectors")
    for number, label in enumerate(labels):
        share, who = shown[f"{OF}{label}"].to_numpy(), safe(label)
        yield {"type": "scatter", "x": share, "y": shown.index.to_numpy(), "mode": "markers", "name": called[label],
               "showlegend": len(labels) <= MOST_DOTS or not number, "legendgroup": called[label],
               "opacity": 0.85, "hoverinfo": "text", "text": [f"{name}, {who}: {one:.0%}" for name, one in zip(names, share)],
               "customdata": shown["place"].to_numpy(),
               "marker": {"size": 8, "color": styles[label][0], "symbol": styles[label][1]}}


def _panel_points(shown):
    """Each feature with its interval, those in the panel full, the others hollow."""
    for stays, name, colour in ((True, "in the panel", IN), (False, "not in it", OUT)):
        own = shown[shown["stays"] == stays]
        often, low, high = (own[column].to_numpy() for column in ("frequency", "low", "high"))
        if len(own):
            yield {"type": "scatter", "x": often, "y": own.index.to_numpy(), "mode": "markers", "name": name, "hoverinfo": "text",
                   "customdata": own["place"].to_numpy(),
                   "marker": {"size": 10, "color": colour, "symbol": "circle" if stays else "circle-open", "line": {"width": 2}},
                   "error_x": {"type": "data", "symmetric": False, "array": high - often, "arrayminus": often - low, "width": 4,
                               "thickness": 2},
                   "text": [f"{safe(one)}: {share:.0%} [{least:.0%}, {most:.0%}]" for one, share, least, most in
                            zip(own["feature"], often, low, high, strict=True)]}


def finding_choices(frame, whose) -> str:
    """Which number of features and threshold part the features that come back from the others best, of an analysis.panel_map.

    whose: the selector of the map.
    """
    known = frame.dropna(subset="score")
    if known.empty or not (known["stays"] > 0).any():
        return f"{whose}: no number of features and threshold leave any feature."
    best = known.loc[known["score"].idxmax()]
    size, many = several(int(best["k"]), "feature"), int(best["stays"])
    return (f"{whose}: the features that come back part best from those that do not with {size} a run and a threshold of "
            f"{best['threshold']:.0%}: {several(many, 'feature')} {verb_for(many, 'stay')}.")


def frame_choices(table):
    """An analysis.panel_map with what each cell of the picture says: a column `text`."""
    return table.assign(text=[f"{one.threshold:.0%} of the runs, {one.k} a run: {one.stays} {verb_for(one.stays, 'stay')}"
                              + ("" if np.isnan(one.false) else f", at most {rounded(one.false)} false on average")
                              for one in table.itertuples()])


def draw_choices(frame, k=None, threshold=None, colours="stays"):
    """How many features stay at every number of features a run and every threshold; the chosen pair is marked.

    colours: what they tell, a key of COLOURS. What is not defined has none.
    """
    import plotly.graph_objects as go

    grid, hovers = (frame.pivot(index="threshold", columns="k", values=name) for name in (colours, "text"))
    figure = blank(x="Features each run selects", y="Threshold", height=420)
    places, counts = [str(size) for size in grid.columns], colours != "score"
    scale = {"tickvals": np.log1p(COUNTED), "ticktext": [f"{one:g}" for one in COUNTED]} if counts else {}
    figure.add_trace(go.Heatmap(z=np.log1p(grid.to_numpy()) if counts else grid.to_numpy(), x=places, y=grid.index,
                                text=hovers.to_numpy(), hoverinfo="text", hoverongaps=False, colorscale=MORE,
                                colorbar={"title": {"text": COLOURS[colours]}, **scale}))
    if k is not None and threshold is not None:
        near = min(range(len(places)), key=lambda i: abs(grid.columns[i] - k))
        figure.add_trace(go.Scatter(x=[places[near]], y=[threshold], mode="markers", showlegend=False, hoverinfo="skip",
                                    marker={"symbol": "x-thin", "size": 14, "line": {"width": 3, "color": PALETTE[5]}}))
    figure.update_xaxes(type="category")
    figure.update_yaxes(tickformat=".0%", showgrid=False)
    return figure


def finding_paths(frame, threshold) -> str:
    """How many features pass the threshold at some number of features, of an analysis.panel_map.stability_paths."""
    passing = frame[frame["frequency"] >= threshold - 1e-9]["feature"].nunique()
    return (f"{several(passing, 'feature')} of the {frame['feature'].nunique()} drawn {'passes' if passing == 1 else 'pass'} "
            f"{threshold:.0%} of the runs at some number of features.")


def frame_paths(table, threshold, highlighted=()):
    """An analysis.panel_map.stability_paths with two more columns: strong, is the path highlighted, or does it pass the threshold
    where none is; text: what a point of it says."""
    passes = table["feature"].isin(table.loc[table["frequency"] >= threshold - 1e-9, "feature"])
    return table.assign(strong=table["feature"].isin(list(highlighted)) if len(highlighted) else passes,
                        text=[f"{safe(one.feature)}: {one.frequency:.0%} with {one.k}" for one in table.itertuples()])


def draw_paths(frame, threshold, k=None):
    """The share of the runs that select each feature against the number of features a run; strong ones named at their ends."""
    import plotly.graph_objects as go

    ends = frame[frame["strong"]].groupby("feature", sort=False).tail(1)
    figure = blank(x="Features each run selects", y="Share of the runs", height=max(420, 150 + 2 * LINE * len(ends)))
    for name, own in frame.groupby("feature", sort=False):
        strong = own["strong"].iloc[0]
        figure.add_trace(go.Scatter(x=own["k"], y=own["frequency"], mode="lines", name=safe(name), showlegend=False,
                                    hoverinfo="text", text=own["text"],
                                    line={"color": IN if strong else GREY, "width": 2 if strong else 1}))
    figure.add_hline(y=threshold, line={"dash": "dot", "color": "grey"}, layer="below")
    first, last = frame["k"].min(), max(frame["k"].max(), k or 0)
    log = bool(last > 30)
    if log:
        log_ticks(figure, last)
    figure.update_xaxes(range=np.log10([first, last]) if log else [first, max(last, first + 1)])
    figure.update_yaxes(tickformat=".0%")
    if k is not None:
        mark_at(figure, k, f"k = {k}")
    return name_ends(figure, [(one.feature, one.k, one.frequency, IN) for one in ends.itertuples()], (-0.02, 1.03), log)


def finding_shared(frame, n_selectors) -> str:
    """What the panels of the selectors have in common, of an analysis.consensus.shared_panels."""
    if frame.empty:
        return "No selector has a feature above the threshold."
    if n_selectors == 1:
        return f"{several(int(frame['size'].sum()), 'feature')} {be(int(frame['size'].sum()))} in the panel of the one selector."
    every = int(frame.loc[frame["n_selectors"] == n_selectors, "size"].sum())
    alone = int(frame.loc[frame["n_selectors"] == 1, "size"].sum())
    return (f"{every or 'No'} {plural(every or 1, 'feature')} {be(every or 1)} in the panel of all "
            f"{several(n_selectors, 'selector')}, {alone or 'none'} in that of one only.")


def sentence_same_sets(table) -> str:
    """How many different sets there were, of an analysis.consensus.same_sets: the selectors with fewest and most of them."""
    if len(table) > 1 and table["different"].nunique() == table["runs"].nunique() == 1:
        many, runs = int(table["different"].iloc[0]), int(table["runs"].iloc[0])
        sets = "One and the same set" if many == 1 else f"{many} different sets"
        never = "; no set came back" if many == runs else ""
        return f"{sets} in {several(runs, 'run')} of each of the {len(table)} selectors{never}."
    told = [f"{row.different} different sets in {several(row.runs, 'run')} of {row.selector}" for row in
            table.sort_values("different", kind="stable").itertuples()]
    return f"{told[0]}." if len(told) == 1 else f"From {told[0]} to {told[-1]}."


def frame_shared(table, labels):
    """DataFrame(place, selectors, features, size, and a column a selector: is it one of them) of consensus.shared_panels."""
    own = table.head(MOST_COLUMNS).reset_index(drop=True)
    frame = own.assign(place=own.index, features=[", ".join(names) for names in own["features"]],
                       **{label: [label in who for who in own["selectors"]] for label in labels})
    return frame.assign(selectors=[", ".join(who) for who in own["selectors"]])


def draw_shared(frame, labels):
    """UpSet picture: bars of how many features, under each the selectors in whose panel, and nobody else's, they are."""
    figure, places = blank(height=260 + UNDER * len(labels)), frame["place"].tolist()
    told = [f"{size}: {safe(names)}" for size, names in zip(frame["size"], frame["features"])]
    rows = np.arange(len(labels))[::-1]
    inside = frame[labels].to_numpy(dtype=bool)
    held = [rows[one] for one in inside]
    under = {"type": "scatter", "yaxis": "y2", "showlegend": False, "hoverinfo": "skip"}
    figure.add_traces([             # one trace of all dots: a trace a selector takes four times as long
        {"type": "bar", "x": places, "y": frame["size"].to_numpy(), "marker": {"color": IN}, "text": frame["size"].to_numpy(),
         "textposition": "outside", "hovertext": told, "hoverinfo": "text", "showlegend": False, "cliponaxis": False},
        {**under, "x": np.repeat(places, len(labels)), "y": np.tile(rows, len(frame)), "mode": "markers",
         "marker": {"size": 10, "color": np.where(inside.ravel(), IN, "rgba(128,128,128,0.2)")}},
        {**under, "x": [part for place in places for part in (place, place, None)], "mode": "lines",
         "y": [part for own in held for part in (own.min(), own.max(), None)], "line": {"color": IN, "width": 2}}])
    low = UNDER * len(labels) / (200 + UNDER * len(labels))
    figure.layout.margin.l = BESIDE
    figure.layout.xaxis = {"showticklabels": False, "showgrid": False, "zeroline": False, "automargin": False}
    figure.layout.yaxis = {"domain": [low + 0.03, 0.96], "title": {"text": "Features"}, "automargin": False,
                           **({"dtick": 1} if frame["size"].max() < MOST_TICKS else {})}
    figure.layout.yaxis2 = {"domain": [0, low], "anchor": "x", "showgrid": False, "zeroline": False}
    return name_rows(figure, rows, map(beside_rows, labels), "yaxis2", range=[-0.6, len(labels) - 0.4])
