"""How much each pair of features matters: what the stability would do if the two stood for each other, as a list and a matrix."""

from __future__ import annotations

import numpy as np

from stabcore.figures.against import colours, sentence_nothing, shade, title
from stabcore.figures.names import told_apart
from stabcore.figures.style import PALETTE, SCALE_ROOM, blank, name_rows, safe, square
from stabcore.wording import several

MOST_FEATURES, USUAL_FEATURES = 40, 20
ASKED = 20_000              # pairs asked of influence(), enough that those of the features drawn are among them
# Transparent where nothing changes, on light ground as on dark
SCALE = [[0, "rgba(213,94,0,1)"], [0.5, "rgba(128,128,128,0.06)"], [1, "rgba(0,114,178,1)"]]
LIST = 5
RANKED, ROW = 20, 40        # pairs in the ranked list, and pixels of each
LINE = 46                   # letters that a telephone has room for


def frame_influence(pairs, most=USUAL_FEATURES):
    """DataFrame(feature_a, feature_b, place_a, place_b, derivative, change, value, together) among the most influential features.

    pairs: as analysis.whatif.influence gives; most: how many features. These come in the order in which the most influential
    pairs name them; a pair that is not there was smaller than all pairs asked for.
    """
    import pandas as pd

    known = pairs.dropna(subset="derivative")
    named = known[["feature_a", "feature_b"]].to_numpy().ravel()
    place = {name: i for i, name in enumerate(list(pd.unique(named))[:most], 1)}
    cells = known[known["feature_a"].isin(place) & known["feature_b"].isin(place)].reset_index(drop=True)
    a, b = (cells[column].map(place).to_numpy(dtype=int) for column in ("feature_a", "feature_b"))
    swap = a < b                                                # below the diagonal: the later place is the row
    cells = cells.assign(place_a=np.maximum(a, b), place_b=np.minimum(a, b))
    cells.loc[swap, ["feature_a", "feature_b"]] = cells.loc[swap, ["feature_b", "feature_a"]].to_numpy()
    return cells[["feature_a", "feature_b", "place_a", "place_b", "derivative", "change", "value", "together"]]


def frame_ranked(pairs, value):
    """DataFrame(feature_a, feature_b, change, value, together, before, after, place): the pairs that matter most, the first on top.

    pairs: as analysis.whatif.influence gives; value: the stability now, which each pair moves from `before` to `after`.
    """
    known = pairs.dropna(subset="derivative").head(RANKED).reset_index(drop=True)
    kept = known[["feature_a", "feature_b", "change", "value", "together"]]
    return kept.assign(before=value, after=value + kept["change"], place=range(len(kept)))


def draw_ranked(frame, half=np.nan, chosen=(), picked=()):
    """A row a pair under its whole names: the stability now (hollow) and if C of the pair were the other (full), joined by a line.

    half: of the interval of the stability, shaded; what moves it less is dim. customdata: the row of the frame; chosen: ringed.
    """
    import plotly.graph_objects as go

    names = [" – ".join(f"<b>{safe(one)}</b>" if one in set(picked) else safe(one) for one in pair)
             for pair in frame[["feature_a", "feature_b"]].to_numpy()]
    long = max(map(len, names), default=0) > LINE           # then each has two lines
    figure = blank(x=title("Effective stability<br>now (hollow) and then (full)", half),
                   height=120 + (ROW + 14 * long) * max(len(frame), 2))
    if len(frame):
        shade(figure, half, frame["before"].iloc[0])
    looks = ((frame["change"] >= 0, PALETTE[0], "circle"), (frame["change"] < 0, PALETTE[5], "diamond"))
    for which, colour, symbol in looks:
        own = frame[which]
        shades = colours(own["change"], half, colour, marks=True)
        for row, shown in zip(own.itertuples(), shades, strict=True):
            figure.add_trace(go.Scatter(x=[row.before, row.after], y=[row.place] * 2, mode="lines", hoverinfo="skip",
                                        showlegend=False, line={"color": shown, "width": 3}))
        always = {"marker": {"opacity": 1}}
        for column, shape in (("before", f"{symbol}-open"), ("after", symbol)):
            figure.add_trace(go.Scatter(
                x=own[column], y=own["place"], mode="markers", showlegend=False, customdata=own["place"], selected=always,
                unselected=always, marker={"color": shades, "symbol": shape, "line": {"width": 0}, "opacity": 1, "size": [
                    17 if {a, b} == set(chosen) else 11 for a, b in zip(own["feature_a"], own["feature_b"])]},
                text=_told(own), hovertemplate="%{text}<extra></extra>"))
    for place, name in zip(frame["place"], names, strict=True):
        figure.add_annotation(x=0, xref="paper", xanchor="left", yanchor="bottom", y=place - 0.2, showarrow=False, align="left",
                              text=name.replace(" – ", " –<br>") if len(name) > LINE else name, font={"size": 12}, borderpad=0)
    figure.update_yaxes(range=[max(len(frame), 1) - 0.5, -0.9], showticklabels=False, showgrid=False, zeroline=False)
    return figure


def _told(frame):
    return [f"{safe(a)}<br>{safe(b)}<br>{change:+z.4f}; C = {value:.2f}; both in {several(together, 'run')}"
            for a, b, change, value, together in frame[["feature_a", "feature_b", "change", "value", "together"]].itertuples(
                index=False)]


def sentence_pair(one) -> str:
    """A row of influence() in words."""
    change = one["change"]
    condition = "stood for each other" if one["value"] < 1 else "no longer stood for each other"
    if np.isnan(change):
        return f"What {one['feature_a']} and {one['feature_b']} do to the stability is undefined."
    moves = f"{'rise' if change > 0 else 'fall'} by about {abs(change):.3f}" if abs(change) >= 5e-4 else "hardly move"
    return f"If {one['feature_a']} and {one['feature_b']} {condition}, stability would {moves}."


def finding_influence(pairs, half=np.nan) -> str:
    """The pair that matters most in one sentence, or that none does; half: of the interval of the stability."""
    known = pairs.dropna(subset="derivative")
    if known.empty:
        return "No pair of features has an influence that is defined."
    return sentence_nothing("pair", known["change"].abs().max(), half) or sentence_pair(known.iloc[0])


def draw_influence(frame, chosen=(), picked=()):
    """A cell a pair, blue where the stability would rise; customdata is its row; chosen: ringed; picked: names in bold."""
    import plotly.graph_objects as go

    names = dict(zip(frame["place_a"], frame["feature_a"])) | dict(zip(frame["place_b"], frame["feature_b"]))
    n, most = max(names, default=1), float(frame["change"].abs().max()) if len(frame) else 1.0
    row, column = frame["place_a"].to_numpy(), frame["place_b"].to_numpy()
    cells = np.full((n, n), np.nan, dtype=np.float32)
    cells[row - 1, column - 1] = frame["change"]
    figure = blank(height=max(340, min(760, 15 * n + 170)))
    figure.add_trace(go.Heatmap(z=cells, x0=1, dx=1, y0=1, dy=1, zmin=-(most or 1), zmax=most or 1, colorscale=SCALE, xgap=1,
                                ygap=1, hoverinfo="skip", colorbar={
                                    "thickness": 10, "orientation": "h", "y": 1, "yanchor": "bottom", "len": 0.9,
                                    "tickvals": [-(most or 1), 0, most or 1], "tickangle": 0,
                                    "ticktext": [f"−{most:.3f}", "0", f"+{most:.3f}"] if most >= 5e-4 else ["", "0", ""]}))
    # a heat map cannot be clicked: marks that nobody sees lie on its cells
    figure.add_trace(go.Scatter(x=column, y=row, mode="markers", customdata=frame.index.to_numpy(), showlegend=False,
                                marker={"symbol": "square", "size": 9, "opacity": 0}, unselected={"marker": {"opacity": 0}},
                                selected={"marker": {"opacity": 0}},
                                text=_told(frame),
                                hovertemplate="%{text}<extra></extra>"))
    ring = frame.iloc[[i for i, pair in enumerate(zip(frame["feature_a"], frame["feature_b"])) if set(pair) == set(chosen)]]
    figure.add_trace(go.Scatter(x=ring["place_b"], y=ring["place_a"], mode="markers", hoverinfo="skip", showlegend=False,
                                marker={"symbol": "circle-open", "size": 15, "color": "#8A8A8A", "line": {"width": 3}}))
    picked, there = set(picked), [names[i] for i in range(1, n + 1) if i in names]
    labels = [f"<b>{called}</b>" if name in picked else called for name, called in zip(there, told_apart(there), strict=True)]
    figure.update_xaxes(zeroline=False, showgrid=False, range=[0.4, n + 0.6], showticklabels=False, automargin=False)
    figure.layout.margin.t = SCALE_ROOM
    return square(name_rows(figure, range(1, len(labels) + 1), labels, showgrid=False, range=[n + 0.6, 0.4]), n)
