"""Several studies laid over each other: the same selectors on other data, and how often each is beaten on average."""

from __future__ import annotations

import numpy as np

from stabcore.analysis.compare_selectors import LEVEL
from stabcore.analysis.pareto import averaged_ranks
from stabcore.figures.estimates import written
from stabcore.figures.placed import by_criterion, measured, placed, points
from stabcore.figures.style import beside_rows, blank, channels, initials, name_rows, safe
from stabcore.figures.ties import ends
from stabcore.selectors.baseline import rivals
from stabcore.wording import all_of, join_tied, joined, rounded, several

ROW, SPREAD = 46, 0.24      # pixels of a selector, and how far from its middle the first and last study stand
INK, LEGEND = "#8A8A8A", 28
MOST_TICKS = 12             # of an axis that counts selectors one by one


def frame_studies(tables, key, accuracy="accuracy"):
    """DataFrame of {study: result table}: the points of all with their study; beaten_by and on_front within each study.

    tables: as analysis.beyond.beyond_floor gives them. Where one of them has a measured noise floor, studies without one are left
    out: one quantity for all. attrs: "left_out", the names of those.
    """
    import pandas as pd

    unknown = by_criterion(None, key, accuracy)
    every = {study: placed(points(table, key, accuracy), unknown).assign(study=study) for study, table in tables.items()}
    with_floor = {study: one for study, one in every.items() if measured(one)} or every
    frame = pd.concat(with_floor.values(), ignore_index=True)
    frame.attrs["left_out"] = [study for study in every if study not in with_floor]
    return frame


def sentence_quantity(frame) -> str:
    """Which stability the studies are ranked by, and which are left out."""
    if not measured(frame):
        return "Stability as measured: the noise floor of these studies was not measured."
    out = frame.attrs.get("left_out", [])
    return "Stability beyond the noise floor of each selector." + (
        f" Left out, because their noise floor was not measured: {joined(out)}." if out else "")


def table_ranks(frame):
    """DataFrame(selector, rank, beaten_by, on_front, counted, missing, p_holm): non-dominated ranks averaged over the studies,
    without baselines."""
    return averaged_ranks(rivals(frame), by="study")


def finding_studies(frame) -> str:
    """Which selectors others beat least, averaged over the studies, and of whom that may be chance, in one sentence."""
    ranks, studies = table_ranks(frame), frame["study"].nunique()
    known = ranks[ranks["counted"] == ranks["counted"].max()]
    if known.empty or not known["counted"].iloc[0]:
        return "No selector has both an accuracy and a stability in any of these studies."
    most, best, _, low = ends(known["selector"], known["beaten_by"])
    if len(best) > 1:
        who = (f"{all_of(len(best), 'selector')} are dominated equally often" if best == most else
               f"{join_tied(best)} are dominated least")
    else:
        who = f"{best[0]} is dominated least"
    many, everywhere = int(known["counted"].iloc[0]), len(known) == (ranks["counted"] > 0).sum()
    over = f"Over {many} of {studies} studies" if everywhere else f"Of the selectors that are in {many} of {studies} studies"
    level = known[~known["selector"].isin(best) & ~(known["p_holm"] < LEVEL)]["selector"].tolist()
    if studies == 1:
        chance = f"; in another one {join_tied(level)} may be dominated as little" if level else ""
        return f"In this one study {who}, by {several(int(low), 'other selector')}{chance}."
    chance = f", but over so few that {join_tied(level)} may be dominated as little" if level else ""
    return f"{over}, {who}, by {rounded(low)} other selectors on average{chance}."


def draw_studies(frame):
    """The rank table as dots: a row a selector, the least beaten on top; a small symbol for each study, a bar for the mean.

    A symbol is filled where the selector is on the front of that study as measured; studies stand below each other in a row.
    """
    import plotly.graph_objects as go

    ranks, own = table_ranks(frame), rivals(frame).dropna(subset="beaten_by")
    names = ranks.loc[ranks["counted"] > 0, "selector"].tolist()[::-1]
    place, studies = {name: i for i, name in enumerate(names)}, list(frame["study"].unique())
    called, looks = initials(names), list(channels(studies).values())
    figure = blank(x="Selectors that dominate it<br>(0: on the front)", height=150 + ROW * max(len(names), 2))
    means = ranks.set_index("selector")["beaten_by"].reindex(names)
    figure.add_trace(go.Scatter(x=means, y=list(place.values()), mode="markers", name="mean", hoverinfo="text",
                                hovertext=[f"{safe(name)}: {rounded(mean)} on average" for name, mean in means.items()],
                                marker={"symbol": "line-ns-open", "size": 26, "color": INK, "line": {"width": 4, "color": INK}}))
    shift = np.linspace(SPREAD, -SPREAD, len(studies)) if len(studies) > 1 else [0.0]
    for study, (colour, symbol, _), down in zip(studies, looks, shift, strict=True):
        part = own[own["study"] == study]
        hovers = [f"{safe(study)} · {safe(row.selector)}: beaten by {row.beaten_by:.0f}<br>"
                  f"stability {written(row.stability, row.stability_low, row.stability_high)}<br>"
                  f"accuracy {written(row.accuracy, row.accuracy_low, row.accuracy_high)}" for row in part.itertuples()]
        figure.add_trace(go.Scatter(
            x=part["beaten_by"], y=[place[name] + down for name in part["selector"]], mode="markers", name=_short(study),
            hovertext=hovers, hoverinfo="text", marker={"color": colour, "size": 10, "line": {"width": 2, "color": colour},
                                                        "symbol": [symbol if on else f"{symbol}-open" for on in part["on_front"]]}))
    name_rows(figure, list(place.values()), [beside_rows(called[name]) for name in names],
              range=[-0.6, max(len(names), 1) - 0.4])
    most = max(own["beaten_by"].max() if len(own) else 1, 1)
    figure.update_xaxes(range=[-0.3, most + 0.3], **({"dtick": 1} if most < MOST_TICKS else {"nticks": 6}))
    return figure


def _short(study):
    """The name of a study in a legend."""
    return safe(study if len(study) <= LEGEND else f"{study[:LEGEND - 1]}…")
