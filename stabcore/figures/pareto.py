"""Accuracy against stability, classic and effective side by side, and which selectors are on each front."""

from __future__ import annotations

from stabcore.figures.estimates import written
from stabcore.figures.style import blank, channels, safe
from stabcore.fronts import front
from stabcore.measures.catalog import entry


def frame_fronts(table, keys, accuracy="accuracy"):
    """DataFrame(selector, measure, stability, low, high, accuracy, accuracy_low, accuracy_high, beaten_by, on_front)."""
    import pandas as pd

    parts = []
    for key in keys:
        points = pd.DataFrame({"selector": table.index, "measure": key, "stability": table[key].to_numpy(),
                               "low": table[f"{key}_low"].to_numpy(), "high": table[f"{key}_high"].to_numpy(),
                               "accuracy": table[accuracy].to_numpy(), "accuracy_low": table[f"{accuracy}_low"].to_numpy(),
                               "accuracy_high": table[f"{accuracy}_high"].to_numpy()})
        parts.append(front(points))
    return pd.concat(parts, ignore_index=True)


def finding_fronts(frame) -> str:
    """Who is on the front, and what changes when features may stand for each other, in one or two sentences."""
    keys = list(frame["measure"].unique())
    on = {key: frame[(frame["measure"] == key) & frame["on_front"]]["selector"].tolist() for key in keys}
    first = on[keys[0]]
    if not first:
        return "No selector has both an accuracy and a stability yet."
    sentence = (f"By {entry(keys[0]).label}, no other selector is both more accurate and more stable than "
                f"{_listed(first, 'or')}.")
    if len(keys) == 1:
        return sentence
    if not on[keys[1]]:
        return f"{sentence} By {entry(keys[1]).label}, no selector has a stability that is defined."
    enter, leave = [s for s in on[keys[1]] if s not in first], [s for s in first if s not in on[keys[1]]]
    changes = [f"{_listed(who, 'and')} {verb} the front" for who, verb in
               ((enter, "enter" if len(enter) > 1 else "enters"), (leave, "leave" if len(leave) > 1 else "leaves")) if who]
    return f"{sentence} By {entry(keys[1]).label}, " + (" and ".join(changes) if changes else "the front stays the same") + "."


def draw_fronts(frame, score="Accuracy"):
    """One panel a measure: a point and its intervals for each selector, filled on the front, hollow where dominated."""
    import plotly.graph_objects as go

    keys = list(frame["measure"].unique())
    figure = blank(height=500)
    styles = channels(frame["selector"].unique())
    for panel, key in enumerate(keys):
        axes = _add_axes(figure, panel, len(keys), entry(key).label, f"{score} on held-out rows")
        own = frame[frame["measure"] == key]
        edge = own[own["on_front"]].sort_values("stability")
        figure.add_trace(go.Scatter(x=edge["stability"], y=edge["accuracy"], mode="lines", name="front", showlegend=panel == 0,
                                    line={"color": "grey", "dash": "dot", "shape": "vh"}, hoverinfo="skip", **axes))
        for row in own.itertuples():
            colour, symbol, _ = styles[row.selector]
            name = safe(row.selector)
            figure.add_trace(go.Scatter(
                x=[row.stability], y=[row.accuracy], name=name, legendgroup=name, showlegend=panel == 0, mode="markers+text",
                text=[name if row.on_front else ""], textposition="top center",
                marker={"color": colour, "size": 13, "symbol": symbol if row.on_front else f"{symbol}-open",
                        "line": {"width": 2, "color": colour}},
                error_x=_bars(row.stability, row.low, row.high, colour),
                error_y=_bars(row.accuracy, row.accuracy_low, row.accuracy_high, colour), hoverinfo="text", hovertext=[
                    f"{name}<br>stability {written(row.stability, row.low, row.high)}<br>"
                    f"accuracy {written(row.accuracy, row.accuracy_low, row.accuracy_high)}"], **axes))
    return figure


def _add_axes(figure, panel, panels, title, score):
    """Axes of one panel beside the others, all with the same accuracy axis; as a trace names them."""
    number = "" if panel == 0 else str(panel + 1)
    left = panel / panels + (0.02 if panel else 0)
    figure.update_layout({
        f"xaxis{number}": {"domain": [left, (panel + 1) / panels - 0.02], "anchor": f"y{number}",
                           "title": {"text": title.replace(" (", "<br>(")}},
        f"yaxis{number}": {"matches": "y" if panel else None, "anchor": f"x{number}", "showticklabels": panel == 0,
                           "title": {"text": "" if panel else score}}})
    return {"xaxis": f"x{number}", "yaxis": f"y{number}"}


def _bars(value, low, high, colour):
    return {"type": "data", "symmetric": False, "array": [high - value], "arrayminus": [value - low], "thickness": 1, "width": 3,
            "color": colour}


def _listed(names, word):
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} {word} {names[-1]}"
