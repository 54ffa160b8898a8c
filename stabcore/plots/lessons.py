"""Figures of lessons and papers: the known answer as a line, simulations as points, the guess and the draws of a class as marks."""

from __future__ import annotations

import pandas as pd

from stabcore.plots.marks import line, points
from stabcore.plots.names import safe
from stabcore.plots.style import PALETTE, SYMBOLS, TITLE_LINE, TOOL_BAR, blank, channels, legend_at
from stabcore.teaching.lesson import EXACT, SIMULATED, THEORY

GUESS, CLASS = "your guess", "your class"
AXIS_TOP = 0.95  # the end of the axis, so that its last number is clear of the legend


def frame_lesson(answer, guess=None, guessed_at=None, drawn=()):
    """DataFrame(series, kind, x, y) of the answer, a numeric guess at the settings it was made for, and the draws of a class."""
    place = answer.lesson.controls[0].key
    rows = [("", CLASS, answer.settings[place], float(value)) for value in drawn]
    if isinstance(guess, (int, float)) and answer.lesson.right is None:
        rows.append(("", GUESS, (guessed_at or answer.settings)[place], float(guess)))
    frame = pd.concat([answer.table, pd.DataFrame(rows, columns=list(answer.table))]) if rows else answer.table
    frame = frame.assign(series=frame["series"].map(answer.lesson.series).fillna(""))
    names = answer.lesson.controls[0].names
    return (frame.assign(x=frame["x"].map(names)) if names else frame).reset_index(drop=True)


def table_lesson(frame, answer):
    """Return the frame with the columns named as the axes of the figure."""
    axes = {"x": answer.lesson.controls[0].label, "y": answer.lesson.y.replace("<br>", " ")}
    return frame.rename(columns={"series": "Line", **axes})


def finding_lesson(answer) -> str:
    """Describe the answer with the numbers of theory and simulation."""
    return answer.sentence


def draw_lesson(frame, answer):
    """Draw lines of theory and points of the simulation: full at the current setting, open elsewhere."""
    lesson, control = answer.lesson, answer.lesson.controls[0]
    figure = blank(x=control.label, y=lesson.y, height=400)
    current = answer.settings[control.key]
    current = control.names.get(current, current)
    hover = {"hoverinfo": None, "hovertemplate": "%{x}: %{y:.3f}<extra></extra>"}
    for name, (colour, symbol, dash) in channels(lesson.series.values()).items():
        series = frame[frame["series"] == name]
        theory = series[series["kind"].isin([THEORY, EXACT])]
        if len(theory):
            bar = {"mode": "markers", "marker": {"symbol": "line-ew-open", "size": 44, "line": {"width": 3, "color": colour}}}
            look = {"line": {"dash": dash}, "name": safe(name), "legendgroup": name, **(bar if control.names else {})}
            figure.add_trace(line(theory["x"], theory["y"], colour, 2.5, **look, **hover))
        simulated = series[series["kind"] == SIMULATED]
        for part, shape, size, width in (
            (simulated[simulated["x"] != current], f"{symbol}-open", 6, 1.5),
            (simulated[simulated["x"] == current], symbol, 8, 0),
        ):
            if len(part):
                look = {"color": colour, "symbol": shape, "size": size, "line": {"width": width, "color": colour}}
                legend = {"name": safe(name), "legendgroup": name, "showlegend": False}
                figure.add_trace(points(part["x"], part["y"], look, **legend, **hover))
    # one entry of the legend for the points of all series: separate ones would take the space of the picture on a telephone
    look = {"color": PALETTE[-1], "symbol": SYMBOLS[0], "size": 8}
    figure.add_trace(points([None], [None], look, name="drawn now" if lesson.exact else "simulated now"))
    for kind, look in (
        (CLASS, {"symbol": "x-thin-open", "size": 9, "color": "#D55E00", "line": {"width": 2}}),
        (GUESS, {"symbol": "star", "size": 17, "color": "#D55E00", "line": {"width": 1, "color": "white"}}),
    ):
        part = frame[frame["kind"] == kind]
        if len(part):
            text = {"hoverinfo": None, "hovertemplate": f"{kind}: %{{y}}<extra></extra>"}
            figure.add_trace(points(part["x"], part["y"], look, name=kind, **text))
    figure.update_yaxes(domain=[0, AXIS_TOP])
    if lesson.log:
        names = [control.name_of(value) for value in control.values]
        figure.update_xaxes(type="log", tickvals=list(control.values), ticktext=names)
    if control.names:
        figure.update_xaxes(type="category", categoryorder="array", categoryarray=list(control.names.values()), automargin=True)
    return figure


FACETS_A_ROW = 2  # panels in a row
FACET_HEIGHT, LEAST_HEIGHT = 230, 420
# space for the name of each additional series, which are below each other on a telephone
SERIES_HEIGHT, SERIES_BESIDE = 16, 3


def frame_exhibit(shown):
    """Return the numbers of an exhibit, one row per point. See its module in stabcore.papers."""
    return shown.frame


def finding_exhibit(shown) -> str:
    """Describe how many claims of the paper hold here."""
    return shown.sentence


def draw_exhibit(frame, exhibit):
    """Draw an exhibit of lines, with a panel for each value of its facet."""
    facets = list(dict.fromkeys(frame[exhibit.facet])) if exhibit.facet else [""]
    names = list(dict.fromkeys(frame["series"]))
    figure, styles = _facets(exhibit, facets, len(names)), channels(names)
    for number, facet in enumerate(facets):
        rows = frame[frame[exhibit.facet] == facet] if exhibit.facet else frame
        place = {"row": number // FACETS_A_ROW + 1, "col": number % FACETS_A_ROW + 1} if exhibit.facet else {}
        for label in names:
            part, (colour, symbol, dash) = rows[rows["series"] == label], styles[label]
            if len(part):
                look = {"mode": "lines+markers", "marker": {"color": colour, "symbol": symbol, "size": 7}, "line": {"dash": dash}}
                legend = {"name": safe(label), "legendgroup": safe(label), "showlegend": number == 0}
                hover = {"hoverinfo": None, "hovertemplate": "%{x:.3g}: %{y:.3f}<extra></extra>"}
                trace = line(part[exhibit.x[0]], part[exhibit.y[0]], colour, 2, **look, **legend, **hover)
                figure.add_trace(trace, **place)
    return figure


def _facets(exhibit, facets, n_names):
    """An empty figure, or one panel per facet with the same axes and space for the names above."""
    from plotly.subplots import make_subplots

    (_, x), (_, y) = exhibit.x, exhibit.y
    if not exhibit.facet:
        figure = blank(x=x, y=y, height=LEAST_HEIGHT + SERIES_HEIGHT * max(n_names - SERIES_BESIDE, 0))
    else:
        titles = [_wrap_title(facet) for facet in facets]
        rows, deep = -(-len(facets) // FACETS_A_ROW), max(title.count("<br>") for title in titles)
        share = {"shared_xaxes": "all", "shared_yaxes": "all", "x_title": x, "y_title": y, "subplot_titles": titles}
        spacing = {"horizontal_spacing": 0.04, "vertical_spacing": (0.12 + 0.05 * deep) / rows}
        figure = make_subplots(rows, FACETS_A_ROW, **share, **spacing)
        room = TITLE_LINE * n_names
        height = max(LEAST_HEIGHT, FACET_HEIGHT * rows + 90) + room
        margin = {"l": 72, "r": 10, "t": TOOL_BAR + room + TITLE_LINE * (deep + 2), "b": 60}
        figure.update_layout(height=height, margin=margin, legend=legend_at(1 - TOOL_BAR / height, "container"))
        figure.update_annotations(font_size=12)
    for axis in exhibit.log:
        (figure.update_xaxes if axis == "x" else figure.update_yaxes)(type="log")
    return figure


def _wrap_title(text, most=26):
    """A title in lines that fit next to another picture on a telephone."""
    lines = [""]
    for word in str(text).split():
        if len(lines[-1]) + len(word) >= most and lines[-1]:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return "<br>".join(safe(line) for line in lines[:3])
