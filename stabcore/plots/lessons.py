"""Figures of lessons: the known answer as a line, simulations as points, the guess and the draws of a class as marks."""

from __future__ import annotations

from stabcore.plots.marks import line, points
from stabcore.plots.names import safe
from stabcore.plots.style import PALETTE, SYMBOLS, blank, channels
from stabcore.teaching.lesson import EXACT, SIMULATED, THEORY

GUESS, CLASS = "your guess", "your class"
AXIS_TOP = 0.95  # the end of the axis, so that its last number is clear of the legend


def frame_lesson(answer, guess=None, guessed_at=None, drawn=()):
    """DataFrame(series, kind, x, y) of the answer, a numeric guess at the settings it was made for, and the draws of a class."""
    import pandas as pd

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
    # one entry of the legend for the points of all series: on a telephone one for each would take the room of the picture
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
