"""Places that cannot be told apart: the places among the first features that each of them may hold."""

from __future__ import annotations

from stabcore.figures.names import starred
from stabcore.figures.style import PALETTE, REST, blank, name_rows, safe
from stabcore.wording import several

MOST_SHOWN = 50
PLACES = ("Places by importance; by mean rank where several selectors are asked, or one that only ranks. In 95 of 100 tables all "
          "ranges together hold the places that come out on average over tables of other patients, of the same kind and number. "
          "Every two features are asked at once, which is strict: with few patients a feature can lead in every run of this table "
          "and still not be surely ahead of others in a new one.")


def finding_places(table) -> str:
    """How far the order of the first features is known, of an analysis.places.places."""
    if table.empty:
        return "Between which places features lie is not known of these runs."
    many, firsts = len(table), int((table["low"] == 1).sum())
    first = table.iloc[0]
    if ((table["low"] == 1) & (table["high"] == many)).all():
        return (f"The order of the first {several(many, 'feature')} cannot be told from these runs for other patients: no two of "
                f"them are surely apart, not even {first['feature']}, the first here, from the last.")
    if firsts == 1:
        return f"{first['feature']} surely holds the first place in other patients too{_wide(table)}."
    return (f"Any of {several(firsts, 'feature')} may hold the first place in other patients; {first['feature']}, first here, may "
            f"lie anywhere from place {first['low']:.0f} to {first['high']:.0f}{_wide(table)}.")


def _wide(table):
    """How many features may lie nearly anywhere."""
    wide = int((table["high"] - table["low"] + 1 > len(table) / 2).sum())
    return f"; {wide} of the {len(table)} may hold more than half of the places" if wide else ""


def frame_places(table, highlighted=()):
    """The first rows of an analysis.places.places; alone: does a feature hold one place only?"""
    own = table.head(MOST_SHOWN)
    return own.assign(alone=own["low"] == own["high"], highlighted=own["feature"].isin(list(highlighted)))


def draw_places(frame):
    """A row a feature: a bar over the places that it may hold, a dot at the one that it has here."""
    import plotly.graph_objects as go

    shown = frame.iloc[::-1].reset_index(drop=True)
    figure = blank(x="Place (1 = most important)", height=130 + 20 * max(len(shown), 2))
    told = [f"{safe(row.feature)}: place {row.place} here, {row.low} to {row.high} in other patients" for row in shown.itertuples()]
    figure.add_trace(go.Bar(x=shown["high"] - shown["low"] + 1, base=shown["low"] - 0.5, y=shown.index, orientation="h", width=0.6,
                            name="may hold in other patients", marker={"color": REST}, hoverinfo="text",
                            hovertext=told))
    figure.add_trace(go.Scatter(x=shown["place"], y=shown.index, mode="markers", name="holds here", hoverinfo="text", text=told,
                                marker={"size": 8, "color": PALETTE[5]}))
    names = starred(shown["feature"], shown["highlighted"])
    figure.update_xaxes(range=[0.4, max([2, *shown["high"]]) + 0.6], zeroline=False)
    return name_rows(figure, list(shown.index), names, showgrid=False, range=[-0.7, len(shown) - 0.3])
