"""Figures of lessons and papers: the last draw, a dot per draw, the known answer as a line, and the guesses."""

from textwrap import wrap

import pandas as pd

from stabcore.base.text import rounded
from stabcore.plots.marks import line, note, points
from stabcore.plots.names import safe
from stabcore.plots.style import INK, MEASURED, TITLE_LINE, TOOL_BAR, empty_figure, legend_layout, name_styles
from stabcore.teaching.classroom import pool_numbers
from stabcore.teaching.lesson import NOT_SELECTED, SELECTED, SELECTED_BY_BOTH

KNOWN_ANSWER, LOW, HIGH, DRAW, MEAN, LAST, GUESS = "known", "95% from", "95% to", "draw", "mean", "this draw", "your guess"
CELLS = "cells"
CELL_COLOURS = {NOT_SELECTED: "rgba(128,128,128,0.22)", SELECTED: "#0072B2", SELECTED_BY_BOTH: "#E69F00"}
ROWS_HEIGHT, FEW_ROWS = 80, 4  # pixels of the cells of a draw, and rows from which they are low
GUESS_HEIGHT = 240  # pixels of a curve that is being drawn
CURVES_HEIGHT, TOP_MARGIN, MIDDLE_MARGIN, BOTTOM_MARGIN = (
    160,
    TOOL_BAR + TITLE_LINE,
    18,
    48,
)  # pixels of the other parts of the picture
NAMES_BELOW = 96  # pixels below an axis with names, which are upright on a telephone
WIDE_LEFT_MARGIN = 110  # cells from which there is no space between them
LEGEND_LINE, LEGEND_LETTERS = 18, 54  # names of series: pixels of a line, and letters on a telephone
MARKS = {"solid": "<b>━━</b>", "dash": "<b>╍╍</b>", "dot": "<b>┅┅</b>"}
NAME_WIDTH = 66  # pixels for the names of rows
FROM_0 = {"nticks": 5, "autorangeoptions": {"include": [0, 4]}}  # whole numbers, also of one draw
CURVES, DOTS = (0.0, 0.58), (0.64, 1.0)  # shares of the width
GUESS_LOOK = {"symbol": "star", "size": 17, "color": "#CC79A7", "line": {"width": 1, "color": "white"}}
LAST_LOOK = {"symbol": "circle", "size": 11, "color": "#D55E00", "line": {"width": 1.5, "color": "white"}}
DOT_SIZES = ((10, 9), (100, 6), (1000, 4))  # (up to this number of draws, size of a dot)


def frame_lesson(answer, guess=None, guessed_at=None):
    """DataFrame(kind, series, x, y, place): lines, draws with their places in a pile, their means, the last draw, and the guess.

    guess: as asked, at these settings.
    """
    lesson, x_of_draws = answer.lesson, answer.settings[answer.lesson.controls[0].key]
    rows = [row for name, curve in answer.lines.items() for row in _curve_rows(lesson.series[name], curve)]
    piles = answer.piles()
    for name, pile in piles.items():
        rows += [(DRAW, lesson.series[name], x_of_draws, float(y), float(place)) for y, place in pile if y == y]
    rows += [(MEAN, lesson.series[name], x_of_draws, mean, None) for name, mean in answer.means.items()]
    last = {name: map(float, pile[-1, :2]) for name, pile in piles.items() if pile[-1, 0] == pile[-1, 0]}
    rows += [(LAST, lesson.series[name], x_of_draws, *place) for name, place in last.items()]
    if guess is not None:
        rows += [(GUESS, "", x, float(y), None) for x, y in lesson.points(guessed_at or answer.settings, guess)]
    frame = pd.DataFrame(rows, columns=["kind", "series", "x", "y", "place"])
    names = lesson.controls[0].names
    return frame.assign(x=frame["x"].map(names)) if names else frame


def _curve_rows(series, curve):
    """The rows of a line, or of the two lines of a range."""
    if isinstance(curve[0][1], tuple):
        return [(kind, series, x, float(ends[end]), None) for end, kind in enumerate((LOW, HIGH)) for x, ends in curve]
    return [(KNOWN_ANSWER, series, x, float(y), None) for x, y in curve]


def table_lesson(frame, answer):
    """Return the frame with the columns named as the axes of the figure."""
    axes = {"x": answer.lesson.controls[0].label, "y": answer.lesson.y.replace("<br>", " "), "place": "Place in its pile"}
    return frame.rename(columns={"kind": "Mark", "series": "Line", **axes})


def finding_lesson(answer) -> str:
    """Describe the known answer, and the draws."""
    return f"{answer.sentence} {answer.drawn_sentence}"


def frame_cells(answer):
    """DataFrame(row, cell, kind) of the last draw, with the meaning of each kind."""
    rows = [(name, cell, int(kind)) for name, kinds in answer.draws[-1].rows.items() for cell, kind in enumerate(kinds)]
    frame = pd.DataFrame(rows, columns=["row", "cell", "kind"])
    return frame.assign(meaning=frame["kind"].map(answer.lesson.cells).fillna(""))


def draw_cells(frame, answer):
    """Draw the cells of a draw alone."""
    figure = _add_cells(empty_figure(height=TOP_MARGIN + ROWS_HEIGHT + 10), frame, answer.lesson)
    figure.update_layout(
        margin={"l": NAME_WIDTH, "r": 10, "t": TOP_MARGIN, "b": 10}, yaxis={"visible": False}, xaxis={"visible": False}
    )
    return figure


def _add_cells(figure, frame, lesson):
    """The rows of a draw, from the top, below the meaning of their kinds."""
    rows = {name: part["kind"].tolist() for name, part in frame.groupby("row", sort=False)}
    longest = max(len(kinds) for kinds in rows.values())
    padded = [[kind if kind >= 0 else None for kind in kinds] + [None] * (longest - len(kinds)) for kinds in rows.values()]
    colours = [[share, colour] for kind, colour in CELL_COLOURS.items() for share in (kind / 3, (kind + 1) / 3)]
    gaps = {"xgap": int(longest <= WIDE_LEFT_MARGIN), "ygap": 2 if len(rows) <= FEW_ROWS else int(longest <= WIDE_LEFT_MARGIN)}
    look = {"colorscale": colours, "zmin": -0.5, "zmax": 2.5, "showscale": False, "hoverinfo": "skip", "meta": {"kind": CELLS}}
    figure.add_heatmap(z=padded, y=list(rows), xaxis="x3", yaxis="y3", **look, **gaps)
    inside = (
        figure.layout.height
        - TOP_MARGIN
        - (_bottom_height(lesson) if figure.layout.height > TOP_MARGIN + ROWS_HEIGHT + BOTTOM_MARGIN else 10)
    )
    names = {"tickfont": {"size": 11 if len(rows) <= FEW_ROWS else 9}, "ticks": "", "automargin": False}
    place = {"domain": [1 - ROWS_HEIGHT / inside, 1], "anchor": "x3", "autorange": "reversed", "showgrid": False}
    figure.update_layout(xaxis3={"domain": [0, 1], "anchor": "y3", "visible": False}, yaxis3={**place, **names})
    words = "  ".join(f'<span style="color:{CELL_COLOURS[kind]}">■</span> {safe(text)}' for kind, text in lesson.cells.items())
    figure.add_annotation(note(words, 0, 1, size=12, colour=INK, yshift=4))
    return figure


def draw_lesson(frame, answer):
    """Draw the cells of the last draw, below them the known answer over the first control, and beside it the dots of all draws.

    `meta` of a trace holds its kind and series, for the file of lessons.
    """
    lesson, legend = answer.lesson, _legend(answer.lesson)
    height = TOP_MARGIN + ROWS_HEIGHT + MIDDLE_MARGIN + LEGEND_LINE * len(legend) + CURVES_HEIGHT + _bottom_height(lesson)
    figure = empty_figure(x=lesson.controls[0].label, y=lesson.y, height=height)
    _add_cells(figure, frame_cells(answer), lesson)
    for key, (colour, _, dash) in zip(lesson.series, name_styles(lesson.series.values()).values(), strict=True):
        rows = frame[frame["series"] == lesson.series[key]]
        colour = MEASURED if len(lesson.series) == 1 else colour  # this colour is lighter on a dark screen
        _add_known_answer(figure, rows, lesson, key, colour, dash)
        if key in answer.values:
            _add_draws(figure, rows, answer, key, colour)
    figure.add_trace(_guess_trace(frame[frame["kind"] == GUESS]))
    top = CURVES_HEIGHT / (height - TOP_MARGIN - _bottom_height(lesson))
    figure.add_annotation(note("<br>".join(legend), 0, top, size=11, colour=INK, xshift=4 - NAME_WIDTH, yshift=6, align="left"))
    return _arrange_axes(figure, lesson)


def _guess_trace(rows):
    """A guess as a star with its name, or the curve of several, named at its last star."""
    look = {"line": {"color": GUESS_LOOK["color"], "width": 2, "dash": "dot"}, "mode": "lines+markers+text"}
    text = {"text": guess_names(len(rows)), "textposition": "middle right" if len(rows) < 2 else "top left", "cliponaxis": False}
    return points(rows["x"], rows["y"], GUESS_LOOK, name=GUESS, meta={"kind": GUESS}, **look, **text)


def guess_names(n):
    """Return the texts at n stars of a guess."""
    return [""] * (n - 1) + [GUESS] * (n > 0)


def frame_guess(lesson, settings, guess):
    """DataFrame(x, y) of a curve that is being drawn."""
    return pd.DataFrame(lesson.points(settings, guess), columns=["x", "y"])


def draw_guess(frame, lesson):
    """Draw a curve that is being drawn, on the axes of its answer."""
    figure = empty_figure(x=lesson.controls[0].label, y=lesson.y, height=GUESS_HEIGHT)
    figure.add_trace(_guess_trace(frame))
    settings = lesson.settings()
    ends = [y for bound in (lesson.guess.low, lesson.guess.high) for _, y in lesson.points(settings, lesson.flat(bound))]
    room = 0.08 * (max(ends) - min(ends))
    figure.update_yaxes(range=[min(ends) - room, max(ends) + room], nticks=6)
    figure.update_layout(margin={"l": NAME_WIDTH, "r": 10, "t": TOOL_BAR, "b": BOTTOM_MARGIN}, xaxis=_value_ticks(lesson))
    return figure


def _value_ticks(lesson):
    """The x axis of a lesson on a logarithmic scale, with the values of its control."""
    control = lesson.controls[0]
    if not lesson.log:
        return {}
    return {"type": "log", "tickvals": list(control.values), "ticktext": [control.name_of(value) for value in control.values]}


def _bottom_height(lesson):
    """Pixels below the axes: names, but not letters, stand upright on a telephone."""
    return NAMES_BELOW if max(map(len, lesson.controls[0].names.values()), default=0) > 1 else BOTTOM_MARGIN


def _legend(lesson):
    """The names of several series in their colours, in lines that fit a telephone. A legend of Plotly would widen the sides."""
    lines: list[list[str]] = [[]]
    if len(lesson.series) > 1:
        letters = 0
        for name, (colour, _, dash) in name_styles(lesson.series.values()).items():
            letters += len(name) + 5
            if letters > LEGEND_LETTERS and lines[-1]:
                lines, letters = [*lines, []], len(name) + 5
            lines[-1].append(f'<span style="color:{colour}">{MARKS.get(dash, MARKS["solid"])}</span> {safe(name)}')
    return ["   ".join(names) for names in lines if names]


def _add_known_answer(figure, rows, lesson, key, colour, dash):
    """The known answer: a line, two of a range, or bars over names."""
    hover = {"hoverinfo": None, "hovertemplate": "%{x}: %{y:.3f}<extra></extra>"}
    look = {"line": {"dash": dash}, "name": safe(lesson.series[key]), **hover}
    if lesson.controls[0].names:
        look |= {"mode": "markers", "marker": {"symbol": "line-ew-open", "size": 26, "line": {"width": 3, "color": colour}}}
    for kind in (KNOWN_ANSWER, LOW, HIGH):
        part = rows[rows["kind"] == kind]
        if len(part):
            figure.add_trace(line(part["x"], part["y"], colour, 2.5, meta={"kind": kind, "series": key}, **look))


def _add_draws(figure, rows, answer, key, colour):
    """The draws in their piles, their mean at the current setting, and the last one in both places."""
    size, name = dot_size(len(answer.draws)), safe(answer.lesson.series[key])
    mean = {"color": colour, "symbol": "diamond", "size": 11, "line": {"width": 1, "color": "white"}}
    for kind, x, look in (
        (DRAW, "place", {"color": colour, "size": size}),
        (MEAN, "x", mean),
        (LAST, "x", LAST_LOOK),
        (LAST, "place", LAST_LOOK),
    ):
        part = rows[rows["kind"] == kind]
        place = {"xaxis": "x2"} if x == "place" else {}
        names = {"name": name, "legendgroup": key, "showlegend": kind == DRAW and key not in answer.lines}
        hover = {"hoverinfo": None, "hovertemplate": f"{kind}: %{{y:.3~f}}<extra></extra>"}
        meta = {"kind": kind, "series": key, "x": x}
        figure.add_trace(points(part[x], part["y"], look, meta=meta, **place, **names, **hover))


def dot_size(n) -> int:
    """Return the size of a dot among n."""
    return next(size for most, size in DOT_SIZES if n <= most)


def _arrange_axes(figure, lesson):
    top, control = CURVES_HEIGHT / (figure.layout.height - TOP_MARGIN - _bottom_height(lesson)), lesson.controls[0]
    figure.update_layout(
        margin={"l": NAME_WIDTH, "r": 10, "t": TOP_MARGIN, "b": _bottom_height(lesson)},
        showlegend=False,
        xaxis={"domain": CURVES, "title": {"standoff": 6, "font": {"size": 12}}},
        xaxis2={"domain": DOTS, "anchor": "y", "title": {"text": "Draws", "standoff": 6, "font": {"size": 12}}, **FROM_0},
        yaxis={"domain": [0, top], "title": {"font": {"size": 12}}, "nticks": 6},
    )
    figure.update_layout(xaxis=_value_ticks(lesson))
    if control.names:
        order = list(control.names.values())
        figure.update_layout(xaxis={"type": "category", "categoryorder": "array", "categoryarray": order, "automargin": False})
    return figure


GUESSES, DRAWS, ANSWER = "guess", "first draw", "known answer"
CLASS_HEIGHT = 220


def frame_class(replies, answer=None):
    """DataFrame(what, value, place) of the guesses of a class, and of first draws and the known answer, if it may be shown.

    place: number of equal ones up to this one. The order of guesses and draws does not reveal people. The mean of many draws
    is nearly the answer.
    """
    guesses = sorted((reply.guess for reply in replies), key=str if isinstance(replies[0].guess, str) else None)
    draws = [] if answer is None else sorted(reply.draw for reply in replies if reply.draw == reply.draw)
    rows = [(what, value, place) for what, values in ((GUESSES, guesses), (DRAWS, draws)) for value, place in _pile_heights(values)]
    if answer is not None:
        truth = answer.lesson.shown_truth(answer.settings)
        rows.append((ANSWER, truth if answer.lesson.guess.choices else float(truth), 1))
    return pd.DataFrame(rows, columns=["what", "value", "place"])


def _pile_heights(values):
    lying: dict = {}
    for value in values:
        lying[value] = lying.get(value, 0) + 1
        yield value, lying[value]


def finding_class(frame) -> str:
    """Describe the numbers of guesses and draws of a class, and their means."""
    parts = []
    for what, values in ((name, frame.loc[frame["what"] == name, "value"]) for name in (GUESSES, DRAWS)):
        pool = pool_numbers(value for value in values if not isinstance(value, str))
        sure = f" ± {rounded(pool.half)} (95% interval)" if pool and what == DRAWS and pool.half == pool.half else ""
        if what == DRAWS and not len(values):
            continue
        noun = "guess" if what == GUESSES else what
        count = f"{len(values)} {noun}" + ("" if len(values) == 1 else "es" if what == GUESSES else "s")
        parts.append(f"{count}: mean {rounded(pool.mean)}{sure}." if pool else f"{count}.")
    answers = frame.loc[frame["what"] == ANSWER, "value"]
    parts += [f"Known answer: {value if isinstance(value, str) else f'{value:g}'}." for value in answers]
    return " ".join(parts)


def draw_class(frame, answer):
    """Draw the guesses of a class as piles of dots, with the known answer if the frame holds it."""
    first = answer.lesson.controls[0]
    setting = f" at {first.label}: {first.name_of(answer.settings[first.key])}" if answer.lesson.guess.curve else ""
    figure = empty_figure(
        x=f"Guesses{setting}", height=CLASS_HEIGHT + (NAMES_BELOW - BOTTOM_MARGIN) * bool(answer.lesson.guess.choices)
    )
    part = frame[frame["what"] == GUESSES]
    figure.add_trace(points(part["value"], part["place"], {"color": GUESS_LOOK["color"], "size": 9}, name=GUESSES))
    answers = frame[frame["what"] == ANSWER]
    if len(answers):
        look = {"symbol": "diamond", "size": 13, "color": MEASURED}
        figure.add_trace(points(answers["value"], answers["place"] * 0, look, name=ANSWER))
    figure.update_yaxes(visible=False, range=[-0.8, max(part["place"].max(), 4) + 1])
    if answer.lesson.guess.choices:
        choices = list(answer.lesson.guess.choices)
        categories = {"type": "category", "categoryorder": "array", "categoryarray": choices, "range": [-0.5, len(choices) - 0.5]}
        figure.update_xaxes(automargin=True, **categories)
    return figure


FACETS_PER_ROW = 2  # facets in a row
FACET_HEIGHT, MIN_HEIGHT = 230, 420
# space for the name of each additional series, which are below each other on a telephone
SERIES_HEIGHT, SERIES_PER_LINE = 16, 3


def frame_exhibit(shown):
    """Return the numbers of an exhibit, one row per point. See its module in stabcore.papers."""
    return shown.frame


def finding_exhibit(shown) -> str:
    """Describe how many claims of the paper hold here."""
    return shown.sentence


def draw_exhibit(frame, exhibit):
    """Draw an exhibit of lines, with one facet per value."""
    facets = list(dict.fromkeys(frame[exhibit.facet])) if exhibit.facet else [""]
    names = list(dict.fromkeys(frame["series"]))
    figure, styles = _facets(exhibit, facets, len(names)), name_styles(names)
    for number, facet in enumerate(facets):
        rows = frame[frame[exhibit.facet] == facet] if exhibit.facet else frame
        place = {"row": number // FACETS_PER_ROW + 1, "col": number % FACETS_PER_ROW + 1} if exhibit.facet else {}
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
    """An empty figure, or one part per facet with the same axes and space for the names above."""
    from plotly.subplots import make_subplots

    (_, x), (_, y) = exhibit.x, exhibit.y
    if not exhibit.facet:
        figure = empty_figure(x=x, y=y, height=MIN_HEIGHT + SERIES_HEIGHT * max(n_names - SERIES_PER_LINE, 0))
    else:
        titles = [_wrap_title(facet) for facet in facets]
        rows, deep = -(-len(facets) // FACETS_PER_ROW), max(title.count("<br>") for title in titles)
        share = {"shared_xaxes": "all", "shared_yaxes": "all", "x_title": x, "y_title": y, "subplot_titles": titles}
        spacing = {"horizontal_spacing": 0.04, "vertical_spacing": (0.12 + 0.05 * deep) / rows}
        figure = make_subplots(rows, FACETS_PER_ROW, **share, **spacing)
        room = TITLE_LINE * n_names
        height = max(MIN_HEIGHT, FACET_HEIGHT * rows + 90) + room
        margin = {"l": 72, "r": 10, "t": TOOL_BAR + room + TITLE_LINE * (deep + 2), "b": 60}
        figure.update_layout(height=height, margin=margin, legend=legend_layout(1 - TOOL_BAR / height, "container"))
        figure.update_annotations(font_size=12)
    for axis in exhibit.log:
        (figure.update_xaxes if axis == "x" else figure.update_yaxes)(type="log")
    return figure


def _wrap_title(text):
    """A title in lines that fit next to another picture on a telephone."""
    lines = wrap(" ".join(str(text).split()), 26, break_long_words=False, break_on_hyphens=False)
    return "<br>".join(map(safe, lines[:3]))
