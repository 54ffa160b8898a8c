"""What becomes of each selector when features may stand for each other: a dumbbell from classic to effective stability."""

from __future__ import annotations

import numpy as np

from stabcore.analysis.pareto import BEATEN, ON, changes
from stabcore.figures.estimates import written
from stabcore.figures.names import short
from stabcore.figures.placed import NOT_MEASURED, by_criterion, measured, movement, placed, points
from stabcore.figures.points import MEASURED, PALE
from stabcore.figures.style import GREY, blank, initials, name_rows, safe
from stabcore.measures.catalog import entry
from stabcore.selectors.baseline import is_baseline, rivals

MOVED = ("enters", "leaves")
ROW = 40                # pixels of a selector
FRONTS = ("on_front_before", "on_front_after")


def frame_changes(table, before, after, accuracy="accuracy", pairs=None):
    """DataFrame(selector, accuracy, before, after, on_front_before, on_front_after, change, standing_before, standing_after, floor)
    of a result table: change follows the numbers, standing is what is clear by pairs, as in frame_fronts.

    table: as analysis.beyond.beyond_floor gives it of both measures; floor: that of the measure after, missing where it is not
    known."""
    every = table.rename_axis("selector").reset_index()
    frame = changes(rivals(every), before, after, accuracy).reindex(every.index)
    frame = frame.assign(change=frame["change"].fillna(""), **{one: frame[one].eq(True) for one in FRONTS})
    frame = frame.assign(selector=every["selector"], **{accuracy: every[accuracy], "before": every[before], "after": every[after]})
    ends = {f"{part}_{end}": every.get(f"{key}_{end}", np.nan) for part, key in (("before", before), ("after", after))
            for end in ("low", "high")}
    frame = frame[["selector", accuracy, "before", "after", *FRONTS, "change"]].assign(**ends)
    for part, key in (("before", before), ("after", after)):
        own = placed(points(table, key, accuracy), by_criterion(pairs, key, accuracy))
        frame[f"standing_{part}"], frame["floor"] = own["standing"].to_numpy(), own["floor"].to_numpy()
    return frame.rename(columns={accuracy: "accuracy"})


def finding_changes(frame, before, after) -> str:
    """What becomes of the front beyond what may be chance, in one sentence."""
    if not (frame["on_front_before"].any() and frame["on_front_after"].any()):
        return f"{entry(before).label} and {entry(after).label} cannot be compared: one of them is not defined for any selector."
    if not measured(frame):
        return NOT_MEASURED
    was, now = (frame.rename(columns={f"standing_{part}": "standing"}) for part in ("before", "after"))
    return f"From {entry(before).label} to {entry(after).label}, {movement(was, now)}."


def _moved(row):
    """enters or leaves, with a question mark where that may be chance."""
    if row["change"] not in MOVED:
        return "no change"
    clear = row["standing_after"] == (ON if row["change"] == "enters" else BEATEN) != row["standing_before"]
    return row["change"] + ("" if clear else "?")


def draw_changes(frame, before, after):
    """One row for each selector, the highest after on top: hollow before, filled after, a line between, whiskers of both intervals.

    Beside the name what it does to the front, with a question mark where that may be chance. customdata: rows of the frame.
    """
    import plotly.graph_objects as go

    known = frame[frame["before"].notna() & frame["after"].notna()]
    known = known.assign(rival=~known["selector"].map(is_baseline)).sort_values(["rival", "after"], kind="stable")
    what = "Stability beyond the noise floor" if measured(frame) else "Stability, noise floor not measured"
    figure = blank(x=f"{what}:<br>hollow {_called(before)}, filled {_called(after)}", height=100 + ROW * max(len(known), 2))
    place, called = dict(zip(known["selector"], range(len(known)), strict=True)), initials(frame["selector"])
    for number, row in zip(known.index, known.to_dict("records"), strict=True):
        colour = GREY if is_baseline(row["selector"]) else MEASURED
        at, name = place[row["selector"]], safe(row["selector"])
        figure.add_trace(go.Scatter(x=[row["before"], row["after"]], y=[at, at], mode="lines", hoverinfo="skip", showlegend=False,
                                    line={"color": PALE, "width": 4}))
        for column, key, shape in (("before", before, "circle-open"), ("after", after, "circle")):
            figure.add_trace(go.Scatter(
                x=[row[column]], y=[at], mode="markers", name=name, showlegend=False, customdata=[int(number)],
                error_x=_whisker(row, column, colour), selected={"marker": {"opacity": 1}}, unselected={"marker": {"opacity": 1}},
                marker={"color": colour, "size": 12, "symbol": shape, "line": {"width": 2, "color": colour}}, hoverinfo="text",
                hovertext=[f"{name}<br>{entry(key).label}: {written(row[column], *_ends(row, column))}<br>{_moved(row)}"]))
    name_rows(figure, list(place.values()), [_beside(row, called) for row in known.to_dict("records")],
              range=[-0.6, max(len(known), 1) - 0.4])
    return figure


def _called(key):
    """A measure in a word or two, for an axis."""
    return {"nogueira": "classic", "effective": "effective"}.get(key, entry(key).label.split(" (")[0])


def _ends(row, column):
    return row[f"{column}_low"], row[f"{column}_high"]


def _whisker(row, column, colour):
    """The interval of a value, thin; none where there is none."""
    low, high = _ends(row, column)
    if not np.isfinite(low + high):
        return None
    return {"type": "data", "symmetric": False, "array": [high - row[column]], "arrayminus": [row[column] - low],
            "thickness": 1 if column == "after" else 0.6, "width": 4 if column == "after" else 2, "color": colour}


def _beside(row, called):
    """The name of a selector, and on a second line whether it enters or leaves the front."""
    return short(called[row["selector"]]) + (f"<br>({_moved(row)})" if row["change"] in MOVED else "")
