"""How the front moves when features may stand for each other: an arrow from classic to effective stability for each selector."""

from __future__ import annotations

from stabcore.analysis.pareto import BEATEN, ON, changes
from stabcore.figures.floor import draw_floor
from stabcore.figures.labels import places
from stabcore.figures.pareto import by_criterion, movement, placed, points
from stabcore.figures.style import GREY, blank, channels, safe
from stabcore.measures.catalog import entry
from stabcore.selectors.baseline import is_baseline, rivals

MOVED = ("enters", "leaves")
FRONTS = ("on_front_before", "on_front_after")


def frame_changes(table, before, after, accuracy="accuracy", pairs=None):
    """DataFrame(selector, accuracy, before, after, on_front_before, on_front_after, change, standing_before, standing_after) of a
    result table: change follows the numbers as measured, standing is what is clear by pairs, as in frame_fronts."""
    every = table.rename_axis("selector").reset_index()
    frame = changes(rivals(every), before, after, accuracy).reindex(every.index)
    frame = frame.assign(change=frame["change"].fillna(""), **{one: frame[one].eq(True) for one in FRONTS})
    frame = frame.assign(selector=every["selector"], **{accuracy: every[accuracy], "before": every[before], "after": every[after]})
    frame = frame[["selector", accuracy, "before", "after", *FRONTS, "change"]]
    for part, key in (("before", before), ("after", after)):
        own = placed(points(table, key, accuracy), by_criterion(pairs, key, accuracy))
        frame[f"standing_{part}"] = own["standing"].to_numpy()
    return frame.rename(columns={accuracy: "accuracy"})


def finding_changes(frame, before, after) -> str:
    """What becomes of the front beyond what may be chance, in one sentence."""
    if not (frame["on_front_before"].any() and frame["on_front_after"].any()):
        return f"{entry(before).label} and {entry(after).label} cannot be compared: one of them is not defined for any selector."
    was, now = (frame.rename(columns={f"standing_{part}": "standing"}) for part in ("before", "after"))
    return f"From {entry(before).label} to {entry(after).label}, {movement(was, now)}."


def _name(row):
    """What stands beside the point of a selector: its name where it is or was on the front, and what it does."""
    return safe(row["selector"]) + (f" ({_moved(row)})" if row["change"] in MOVED else "") if row["change"] else ""


def _moved(row):
    """enters or leaves, with a question mark where that may be chance."""
    if row["change"] not in MOVED:
        return "no change"
    clear = row["standing_after"] == (ON if row["change"] == "enters" else BEATEN) != row["standing_before"]
    return row["change"] + ("" if clear else "?")


def draw_changes(frame, before, after, score="Accuracy", floor=None):
    """Hollow: before; full: after; an arrow between. Large with a name: on the front after. customdata: rows of the frame.

    floor: a frame_floor of the measure before.
    """
    import plotly.graph_objects as go

    figure = blank(x=f"{entry(before).label}<br>→ {entry(after).label}", y=f"{score} on held-out rows", height=500)
    styles = channels(frame["selector"])
    known = frame[frame["accuracy"].notna() & frame["before"].notna() & frame["after"].notna()]
    for column, dash in (("before", "dot"), ("after", "solid")):
        edge = known[known[f"on_front_{column}"]].sort_values(column)
        figure.add_trace(go.Scatter(x=edge[column], y=edge["accuracy"], mode="lines", name=f"front {column}", hoverinfo="skip",
                                    line={"color": "grey", "dash": dash, "shape": "vh", "width": 1.5}))
    if floor is not None:
        draw_floor(floor, figure, axis="x", at=known.set_index("selector")["accuracy"].to_dict(), styles=styles)
    names = [_name(row) for row in known.to_dict("records")]
    words, at = places(known[["after", "before"]].to_numpy().T.ravel(), [*known["accuracy"]] * 2, names + [""] * len(names))
    for number, row, word, place in zip(known.index, known.to_dict("records"), words, at, strict=False):
        colour, symbol, _ = styles[row["selector"]]
        colour = GREY if is_baseline(row["selector"]) else colour
        name, moved = safe(row["selector"]), _moved(row)
        figure.add_trace(go.Scatter(
            x=[row["before"], row["after"]], y=[row["accuracy"]] * 2, mode="markers+text", name=name,
            customdata=[int(number)] * 2, text=["", word], textposition=place,
            marker={"color": colour, "size": [10, 14], "symbol": [f"{symbol}-open", symbol],
                    "line": {"width": 2, "color": colour}}, hoverinfo="text",
            hovertext=[f"{name}<br>{entry(key).label}: {row[column]:z.3f}<br>{moved}"
                       for column, key in (("before", before), ("after", after))]))
        figure.add_annotation(x=row["after"], y=row["accuracy"], ax=row["before"], ay=row["accuracy"], axref="x", ayref="y",
                              xref="x", yref="y", showarrow=True, text="", arrowhead=3, arrowwidth=1.5, arrowcolor=colour,
                              standoff=8, startstandoff=6)
    return figure
