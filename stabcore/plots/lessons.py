"""Pictures of lessons: the known answer as a line, what happens as points, one's guess and what a class drew as marks."""

from __future__ import annotations

from stabcore.plots.names import safe
from stabcore.plots.style import PALETTE, SYMBOLS, blank, channels
from stabcore.teaching.lesson import EXACT, SIMULATED, THEORY

GUESS, CLASS = "your guess", "your class"
AXIS_TOP = 0.95  # where the axis ends, so that its last number is clear of the legend


def frame_lesson(answer, guess=None, guessed_at=None, drawn=()):
    """DataFrame(series, kind, x, y) of all that is drawn.

    That is the answer, a guess that is a number, at the place where it was asked, and what a class drew, where the first control
    stands.
    """
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
    """The same as people read it: places and values are called as the axes of the picture are."""
    axes = {"x": answer.lesson.controls[0].label, "y": answer.lesson.y.replace("<br>", " ")}
    return frame.rename(columns={"series": "Line", **axes})


def finding_lesson(answer) -> str:
    """What is shown, in the numbers of theory and simulation."""
    return answer.sentence


def draw_lesson(frame, answer):
    """Lines of theory, points of the simulation: open where the control stands elsewhere, full where it stands."""
    figure = blank(x=answer.lesson.controls[0].label, y=answer.lesson.y, height=400)
    lesson, control = answer.lesson, answer.lesson.controls[0]
    styles, here = channels(lesson.series.values()), answer.settings[control.key]
    here = control.names.get(here, here)
    for name in lesson.series.values():
        series = frame[frame["series"] == name]
        _add_theory(figure, series[series["kind"].isin([THEORY, EXACT])], name, styles[name], joined=not control.names)
        _add_simulations(figure, series[series["kind"] == SIMULATED], name, styles[name], here)
    _name_simulations(figure, "drawn now" if lesson.exact else "simulated now")
    _add_marks(figure, frame)
    figure.update_yaxes(domain=[0, AXIS_TOP])
    if lesson.log:
        figure.update_xaxes(
            type="log", tickvals=list(control.values), ticktext=[control.name_of(value) for value in control.values]
        )
    if control.names:
        figure.update_xaxes(type="category", categoryorder="array", categoryarray=list(control.names.values()), automargin=True)
    return figure


def _add_theory(figure, series, name, style, joined):
    """Theory: a line, or a short bar at each name."""
    colour, _, dash = style
    if len(series):
        marker = {} if joined else {"marker": {"symbol": "line-ew-open", "size": 44, "line": {"width": 3, "color": colour}}}
        figure.add_scatter(
            x=series["x"],
            y=series["y"],
            mode="lines" if joined else "markers",
            name=safe(name),
            legendgroup=name,
            line={"color": colour, "dash": dash, "width": 2.5},
            hovertemplate="%{x}: %{y:.3f}<extra></extra>",
            **marker,
        )


def _add_simulations(figure, series, name, style, here):
    """Simulations, those where the control stands larger and full."""
    colour, symbol, _ = style
    for now, part in ((False, series[series["x"] != here]), (True, series[series["x"] == here])):
        if len(part):
            figure.add_scatter(
                x=part["x"],
                y=part["y"],
                mode="markers",
                name=safe(name),
                legendgroup=name,
                showlegend=False,
                marker={
                    "color": colour,
                    "symbol": symbol if now else f"{symbol}-open",
                    "size": 8 if now else 6,
                    "line": {"width": 0 if now else 1.5, "color": colour},
                },
                hovertemplate="%{x}: %{y:.3f}<extra></extra>",
            )


def _name_simulations(figure, what):
    """One line of the legend for the points of all series: on a telephone one for each would take the room of the picture."""
    figure.add_scatter(
        x=[None],
        y=[None],
        mode="markers",
        name=what,
        hoverinfo="skip",
        marker={"color": PALETTE[-1], "symbol": SYMBOLS[0], "size": 8},
    )


def _add_marks(figure, frame):
    """The guess, and the draws of a class."""
    for kind, marker in (
        (CLASS, {"symbol": "x-thin-open", "size": 9, "color": "#D55E00", "line": {"width": 2}}),
        (GUESS, {"symbol": "star", "size": 17, "color": "#D55E00", "line": {"width": 1, "color": "white"}}),
    ):
        marks = frame[frame["kind"] == kind]
        if len(marks):
            figure.add_scatter(
                x=marks["x"], y=marks["y"], mode="markers", name=kind, marker=marker, hovertemplate=f"{kind}: %{{y}}<extra></extra>"
            )
