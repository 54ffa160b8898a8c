"""Maps of single runs: which features each run selected (Kalousis grid), how much each counted (Hamer–Dupont rectangles)."""

from __future__ import annotations

import numpy as np

from stabcore.figures.style import GREY, PALETTE, blank, safe

MOST_COLOURS = 7
MOST_LABELS = 60
ORDERS = {"frequency": "how often selected", "name": "name", "group": "group"}


def frame_grid(preferences, relation=None, order="frequency"):
    """DataFrame(run, feature, position, selected, importance, frequency, group): every feature that some run selected.

    order: of the columns, by how often selected, by name or by group (then by how often, single features last).
    """
    import pandas as pd

    ever = np.flatnonzero(preferences.counts)
    groups = _group_of(preferences, relation)
    names = np.array(preferences.features, dtype=object)
    keys = {"frequency": (names[ever], -preferences.counts[ever]), "name": (names[ever],),
            "group": (names[ever], -preferences.counts[ever], groups[ever], groups[ever] == "")}[order]
    ever = ever[np.lexsort(keys)]
    runs = preferences.n_runs
    frame = pd.DataFrame({
        "run": np.repeat(np.arange(1, runs + 1), len(ever)),
        "feature": np.tile(names[ever], runs),
        "position": np.tile(np.arange(1, len(ever) + 1), runs),
        "selected": preferences.sets[:, ever].toarray().ravel() > 0,
        "frequency": np.tile(preferences.frequencies[ever], runs),
        "group": np.tile(groups[ever], runs),
    })
    if preferences.weights is not None:
        frame["importance"] = preferences.weights[:, ever].toarray().ravel()
    return frame


def finding_grid(frame, n_features) -> str:
    """The grid in one sentence."""
    if frame.empty:
        return "No run selected any feature."
    share = frame.groupby("feature", sort=False)["frequency"].first()
    always, runs = int((share == 1).sum()), frame["run"].nunique()
    return (f"{len(share)} of {n_features} features were selected at least once in {runs} runs; {always} in every run, "
            f"{int((share <= 0.1).sum())} in at most one run in ten.")


def draw_grid(frame):
    """Runs × features: a filled cell where a run selected a feature, coloured by the feature's group."""
    import plotly.graph_objects as go

    columns = frame.drop_duplicates("feature").sort_values("position")
    colours = _colours(columns["group"])
    number = {group: i + 1 for i, group in enumerate(colours)}
    shape = (frame["run"].nunique(), len(columns))
    kind = np.tile(columns["group"].map(lambda g: number.get(g, number.get("other groups", 1))).to_numpy(), (shape[0], 1))
    z = np.where(frame["selected"].to_numpy().reshape(shape), kind, 0).astype(np.uint8)
    steps = ["rgba(128,128,128,0.10)", *colours.values()]
    scale = [[edge, colour] for i, colour in enumerate(steps) for edge in (i / len(steps), (i + 1) / len(steps))]
    figure = blank(x="Features, ordered as chosen" if shape[1] > MOST_LABELS else "", y="Run",
                   height=max(320, min(900, 12 * shape[0] + 160)))
    hover = [f"{safe(f)}<br>selected in {p:.0%} of runs" + (f"<br>group {safe(g)}" if g else "")
             for f, p, g in columns[["feature", "frequency", "group"]].itertuples(index=False)]
    figure.add_trace(go.Heatmap(
        z=z, x=columns["position"], y=np.arange(1, shape[0] + 1), colorscale=scale, zmin=-0.5, zmax=len(steps) - 0.5,
        showscale=False, xgap=1 if shape[1] <= 200 else 0, ygap=1, text=[hover] * shape[0],
        hovertemplate="run %{y}<br>%{text}<extra></extra>"))
    if len(colours) > 1:
        _legend(figure, colours)
    labels = shape[1] <= MOST_LABELS
    figure.update_xaxes(tickvals=columns["position"] if labels else None, tickangle=-60,
                        ticktext=[safe(name) for name in columns["feature"]] if labels else None, showgrid=False)
    figure.update_yaxes(autorange="reversed", showgrid=False)
    return figure


def frame_rectangles(preferences, relation=None, most=40):
    """DataFrame(run, feature, start, width, share, frequency, group): one rectangle a selected feature and run.

    Width is the importance, scaled so that a run's widths sum to the mean number of selected features; features from left to
    right by how often they are selected. The features beyond the `most` often selected are one rectangle, "all others".
    """
    import pandas as pd

    weights = preferences.weights if preferences.weights is not None else preferences.sets
    ever = np.flatnonzero(preferences.counts)
    dense = weights[:, ever].toarray()
    total = dense.sum(axis=1, keepdims=True)
    scaled = np.divide(dense, total, out=np.zeros_like(dense), where=total > 0) * preferences.sizes.mean()
    order = np.lexsort((-scaled.sum(axis=0), -preferences.counts[ever]))
    scaled, order = scaled[:, order], ever[order]
    names, groups = np.array(preferences.features, dtype=object), _group_of(preferences, relation)
    shown, rest = order[:most], order[most:]
    width = np.column_stack([scaled[:, :most], scaled[:, most:].sum(axis=1)]) if len(rest) else scaled
    label = np.append(names[shown], [f"all others ({len(rest)})"] if len(rest) else [])
    start = np.cumsum(width, axis=1) - width
    frame = pd.DataFrame({
        "run": np.repeat(np.arange(1, preferences.n_runs + 1), width.shape[1]),
        "feature": np.tile(label, preferences.n_runs),
        "start": start.ravel(), "width": width.ravel(), "share": (width / max(preferences.sizes.mean(), 1e-300)).ravel(),
        "frequency": np.tile(np.append(preferences.frequencies[shown], [np.nan] if len(rest) else []), preferences.n_runs),
        "group": np.tile(np.append(groups[shown], [""] if len(rest) else []), preferences.n_runs),
    })
    return frame[frame["width"] > 0].reset_index(drop=True)


def finding_rectangles(frame) -> str:
    """The rectangles in one sentence."""
    if frame.empty:
        return "No run gave any feature importance."
    share = frame.groupby("feature")["share"].sum() / frame["share"].sum()
    often = frame.drop_duplicates("feature").set_index("feature")["frequency"].dropna()       # "all others" has none
    steady = often[often >= 0.8].index
    return (f"Of the {len(often)} features drawn one by one, {len(steady)} were selected in at least 80 % of the runs and carry "
            f"{share[steady].sum():.0%} of all importance; the largest share of one feature is {share[often.index].max():.0%}.")


def draw_rectangles(frame):
    """One bar a run; the width of a rectangle is the feature's importance. Colours: the groups, or the leading features."""
    import plotly.graph_objects as go

    by_group = (frame["group"] != "").any()
    key = "group" if by_group else "feature"
    leaders = frame[frame["frequency"].notna()].groupby(key)["share"].sum().sort_values(ascending=False)
    leaders = [name for name in leaders.index if name != ""][:MOST_COLOURS]
    colours = dict(zip(leaders, PALETTE))
    runs = frame["run"].max()
    figure = blank(x="Importance (a run adds up to the mean number of selected features)", y="Run",
                   height=max(320, min(900, 12 * runs + 160)))
    often = ["" if np.isnan(p) else f"<br>selected in {p:.0%} of runs" for p in frame["frequency"]]
    figure.add_trace(go.Bar(
        y=frame["run"], x=frame["width"], base=frame["start"], orientation="h", showlegend=False,
        marker={"color": [colours.get(name, GREY) for name in frame[key]], "line": {"width": 0.6, "color": "white"}},
        text=[f"{safe(f)}{o}<br>{s:.1%} of the run's importance" for f, o, s in zip(frame["feature"], often, frame["share"])],
        textposition="none", hovertemplate="run %{y}<br>%{text}<extra></extra>"))
    rest = {"other groups and single features" if by_group else "all other features": GREY}
    _legend(figure, {**colours, **rest})
    figure.update_yaxes(autorange="reversed", showgrid=False)
    figure.update_layout(bargap=0.08)
    return figure


def _group_of(preferences, relation):
    """(d,) name of each feature's group, "" for none."""
    if relation is None or relation.labels is None:
        return np.full(preferences.n_features, "", dtype=object)
    return np.array([*relation.group_names, ""], dtype=object)[relation.labels]


def _colours(groups):
    """{group: colour}: the most common groups in colours, the others and single features in two greys; all one when no groups."""
    sizes = groups[groups != ""].value_counts()
    if sizes.empty:
        return {"": PALETTE[0]}
    colours = dict(zip(sizes.index[:MOST_COLOURS], PALETTE))
    if len(sizes) > MOST_COLOURS:
        colours["other groups"] = "#5F5F5F"
    return {**colours, "": GREY}


def _legend(figure, colours):
    import plotly.graph_objects as go

    for name, colour in colours.items():
        figure.add_trace(go.Scatter(x=[None], y=[None], mode="markers", name=safe(name) if name else "single features",
                                    marker={"color": colour, "size": 11, "symbol": "square"}))
