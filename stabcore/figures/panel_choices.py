"""Pictures of other choices than that of the panel: number of features and threshold, paths, what the selectors' panels share."""

from __future__ import annotations

import numpy as np

from stabcore.figures.ends import LINE, log_ticks, name_ends
from stabcore.figures.style import GREY, INK, PALETTE, beside_rows, blank, mark_at, name_rows, safe
from stabcore.wording import be, plural, rounded, several, verb_for

MORE = [[0, "rgba(0,114,178,0.04)"], [1, "rgba(0,114,178,1)"]]     # from what is behind, so that no zero is the brightest
COLOURS = {"stays": "stay", "false": "false"}       # what colours of the map of choices tell, at their scale
SAID = {"bound": "at most {} false on average", "shuffled": "{} pass with the outcome shuffled"}
NEAR = 0.1              # of the threshold, how far other choices are looked at
COUNTED = (0, 1, 3, 10, 30, 100, 300, 1000, 3000)
MOST_TICKS = 10         # of an axis that counts features one by one
MOST_COLUMNS = 25       # intersections shown
UNDER = 34              # pixels of a selector below them, whose name may have two lines
BESIDE = 72             # pixels of the axis of their sizes, with its title
IN = PALETTE[0]


def finding_choices(frame, k=None, threshold=0.75) -> str:
    """How many features the chosen number and threshold leave, and how many others near them would, of an analysis.panel_map.

    k: features a run, None where each run selected as many as it did.
    """
    if k is None or frame.empty:
        return "The map shows how many features each choice of number and threshold leaves."
    here = frame.loc[((frame["k"] - k).abs() + (frame["threshold"] - threshold).abs()).idxmin()]
    near = frame[frame["k"].between(k / 2, 2 * k) & ((frame["threshold"] - threshold).abs() < NEAR + 1e-9)]
    if near["stays"].isna().all():
        return "The map shows how many features each choice of number and threshold leaves."
    low, high = int(near["stays"].min()), int(near["stays"].max())
    many = int(here["stays"])
    return (f"The panel has {several(many, 'feature')} ({several(int(here['k']), 'feature')} a run, threshold "
            f"{here['threshold']:.0%}). Half to twice as many features a run, with thresholds within 10 points, leave "
            f"{low if low == high else f'{low} to {high}'}.")


def frame_choices(table):
    """An analysis.panel_map with what each cell of the picture says: a column `text`."""
    return table.assign(text=[f"{one.threshold:.0%} of the runs, {one.k} a run: {one.stays} {verb_for(one.stays, 'stay')}"
                              + ("" if np.isnan(one.false) else f"<br>{SAID[one.basis].format(rounded(one.false))}")
                              for one in table.itertuples()])


def draw_choices(frame, k=None, threshold=None, colours="stays"):
    """How many features stay at every number of features a run and every threshold; the chosen pair is marked.

    colours: what they tell, a key of COLOURS. What is not defined has none.
    """
    import plotly.graph_objects as go

    grid, hovers = (frame.pivot(index="threshold", columns="k", values=name) for name in (colours, "text"))
    figure = blank(x="Features each run selects", y="Threshold", height=420)
    places = [str(size) for size in grid.columns]
    figure.add_trace(go.Heatmap(z=np.log1p(grid.to_numpy()), x=places, y=grid.index, text=hovers.to_numpy(), hoverinfo="text",
                                hoverongaps=False, colorscale=MORE, colorbar={
                                    "title": {"text": COLOURS[colours]}, "tickvals": np.log1p(COUNTED),
                                    "ticktext": [f"{one:g}" for one in COUNTED]}))
    if k is not None and threshold is not None:
        near = min(range(len(places)), key=lambda i: abs(grid.columns[i] - k))
        figure.add_trace(go.Scatter(x=[places[near]], y=[threshold], mode="markers", showlegend=False, hoverinfo="skip",
                                    marker={"symbol": "x-thin", "size": 14, "line": {"width": 3, "color": INK}}))
    figure.update_xaxes(type="category")
    figure.update_yaxes(tickformat=".0%", showgrid=False)
    return figure


def finding_paths(frame, threshold) -> str:
    """How many features of the panel would also pass with half and with twice as many features a run, of a frame_paths."""
    staying = frame[frame["stays"]]
    many = staying["feature"].nunique()
    if not many:
        return f"No feature passes {threshold:.0%} of the runs with this number of features a run."
    passes = staying[staying["near"]].groupby("feature")["frequency"].min() >= threshold - 1e-9
    return (f"{int(passes.sum())} of the {several(many, 'feature')} in the panel {'passes' if passes.sum() == 1 else 'pass'} "
            f"{threshold:.0%} at every number from half to twice that of the panel.")


def frame_paths(table, threshold, k=None, highlighted=()):
    """An analysis.panel_map.stability_paths with four more columns.

    stays: does the feature pass the threshold at the number nearest to k, so that it is in the panel; near: is the number from half
    to twice k; strong: is the path highlighted, or in the panel where none is; text: what a point of it says.
    """
    sizes = table["k"].unique()
    k = k or sizes[-1]
    here = min(sizes, key=lambda one: abs(one - k))
    passing = table.loc[(table["k"] == here) & (table["frequency"] >= threshold - 1e-9), "feature"]
    stays = table["feature"].isin(passing)
    return table.assign(stays=stays, near=table["k"].between(here / 2, 2 * here),
                        strong=table["feature"].isin(list(highlighted)) if len(highlighted) else stays,
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
