"""Rank intervals: the ranks that the effect of each feature may have in other patients."""

from __future__ import annotations

from stabcore.figures.names import starred
from stabcore.figures.style import PALETTE, REST, blank, name_rows, safe
from stabcore.wording import joined, several

MOST_SHOWN = 50
MOST_NAMED = 5
PLACES = ("Features are ranked by the size of their own effect on the outcome, not by a selector's order. In at least 95 of 100 "
          "tables the bars hold all ranks in other patients at once. A selector's own order describes these runs only.")
NO_TABLE = ("The order of a selector describes these runs only. Ranks in other patients need the table, and at least 20 "
            "patients.")


def finding_places(table) -> str:
    """How far the order of the effects is known, of an analysis.places.places."""
    if table.empty:
        return NO_TABLE
    many, clear = len(table), table[table["high"] < len(table)]
    if clear.empty:
        return f"The effects of these {several(many, 'feature')} are not distinguishable."
    firsts = table.loc[table["low"] == 1, "feature"].tolist()
    first = table.iloc[0]
    who = (f"{firsts[0]} has the largest effect" if len(firsts) == 1 else
           f"Any of {several(len(firsts), 'feature')} may have the largest effect")
    return f"{who}. {first['feature']} ranks {_ranks(first)} of {many} in other patients.{_others(clear, first)}"


def _ranks(row):
    return f"{row['low']}" if row["low"] == row["high"] else f"{row['low']} to {row['high']}"


def _others(clear, first):
    """The further features that surely rank above some other feature."""
    names = [name for name in clear["feature"] if name != first["feature"]]
    if not names:
        return ""
    told = names[:MOST_NAMED] if len(names) <= MOST_NAMED else [*names[:MOST_NAMED - 1], f"{len(names) - MOST_NAMED + 1} others"]
    return f" {joined(told)} also {'rank' if len(names) > 1 else 'ranks'} above at least one other."


def frame_places(table, highlighted=()):
    """The first rows of an analysis.places.places; alone: does a feature hold one rank only?"""
    own = table.head(MOST_SHOWN)
    return own.assign(alone=own["low"] == own["high"], highlighted=own["feature"].isin(list(highlighted)))


def draw_places(frame):
    """One row per feature: a bar over the ranks that it may have, a dot at its rank in this table."""
    import plotly.graph_objects as go

    shown = frame.iloc[::-1].reset_index(drop=True)
    figure = blank(x="Rank by effect (1 = largest)", height=130 + 20 * max(len(shown), 2))
    told = [f"{safe(row.feature)}: rank {row.place} here, {row.low} to {row.high} in other patients" for row in shown.itertuples()]
    figure.add_trace(go.Bar(x=shown["high"] - shown["low"] + 1, base=shown["low"] - 0.5, y=shown.index, orientation="h", width=0.6,
                            name="in other patients", marker={"color": REST}, hoverinfo="text", hovertext=told))
    figure.add_trace(go.Scatter(x=shown["place"], y=shown.index, mode="markers", name="in this table", hoverinfo="text", text=told,
                                marker={"size": 8, "color": PALETTE[0]}))
    names = starred(shown["feature"], shown["highlighted"])
    figure.update_xaxes(range=[0.4, max([2, *shown["high"]]) + 0.6], zeroline=False)
    return name_rows(figure, list(shown.index), names, showgrid=False, range=[-0.7, len(shown) - 0.3])
