"""Points, lines, bars, notes and rules for Plotly, as plain dictionaries, which it draws fastest."""

from stabcore.plots.style import GREY, INK


def points(x, y, marker, hover=None, **trace) -> dict:
    """Points without lines. hover: a text for each point, None for none. trace: additional keys of Plotly's scatter."""
    text = {"hoverinfo": "skip"} if hover is None else {"hoverinfo": "text", "text": hover}
    return {"type": "scatter", "mode": "markers", "x": x, "y": y, "marker": marker, **text, **trace}


def line(x, y, colour, width, hover=None, **trace) -> dict:
    """A line without points, absent from the legend unless it has a name."""
    text = {"hoverinfo": "skip"} if hover is None else {"hoverinfo": "text", "text": hover}
    look = {"color": colour, "width": width, **trace.pop("line", {})}
    legend = {} if "name" in trace else {"showlegend": False}
    return {"type": "scatter", "mode": "lines", "x": x, "y": y, "line": look, **legend, **text, **trace}


def segments(pairs) -> tuple[list, ...]:
    """(x, y) of one line trace that draws each pair of (x, y) ends as a separate segment."""
    return tuple([part for ends in pairs for part in (ends[0][axis], ends[1][axis], None)] for axis in (0, 1))


def bars(x, y, colour, hover=None, **trace) -> dict:
    """Horizontal bars of lengths x at the positions y."""
    text = {"hoverinfo": "skip"} if hover is None else {"hoverinfo": "text", "hovertext": hover}
    marker = {"color": colour, **trace.pop("marker", {})}
    return {"type": "bar", "orientation": "h", "x": x, "y": y, "marker": marker, **text, **trace}


def tick(size, width=2, colour=GREY) -> dict:
    """The marker of an upright tick."""
    return {"symbol": "line-ns", "size": size, "color": colour, "line": {"width": width, "color": colour}}


def error_bar(value, low, high, **look) -> dict:
    """The interval of values. look: its color, thickness and the width of its ends."""
    return {"type": "data", "symmetric": False, "array": high - value, "arrayminus": value - low, **look}


def note(text, x, y, xanchor="left", yanchor="bottom", *, size=12, colour: str | None = INK, **look) -> dict:
    """A text in a figure, at shares of its width and height unless look has other references."""
    font = {"size": size} if colour is None else {"size": size, "color": colour}
    place = {"x": x, "xref": "paper", "xanchor": xanchor, "y": y, "yref": "paper", "yanchor": yanchor}
    return {"text": text, **place, "showarrow": False, "font": font, **look}


def rule(x0, x1, y0, y1, width=1.0, colour=GREY, dash="solid", **look) -> dict:
    """A straight line behind the marks. look: the references of its ends, xref and yref, and other keys of a shape."""
    pen = {"width": width, "color": colour, "dash": dash}
    return {"type": "line", "x0": x0, "x1": x1, "y0": y0, "y1": y1, "line": pen, "layer": "below", **look}
