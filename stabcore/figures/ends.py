"""Names at the ends of curves instead of a legend: nobody has to look up a colour, and nothing is printed over the curves."""

from __future__ import annotations

from textwrap import wrap

import numpy as np

from stabcore.figures.labels import spread
from stabcore.figures.style import LONGEST, safe, taller

LETTERS = 14            # of a name on a line; a telephone has no room for more beside a picture
LETTER, LINE = 6.2, 15  # pixels of a letter, and of a line
BESIDE = 12             # pixels from the mark of a curve to its name, and from there to the edge
GUTTER = 0.03           # of the width, beside the last points, for lines to the names


def name_ends(figure, ends, reach, log=False):
    """The names of curves beside the picture, pushed apart, each with a mark of its colour and a line from its end; no legend.

    ends: [(name, x, y, colour)], names as they are; reach: (low, high) of the y axis, which is set; log: is the x
    axis, whose range is set before, logarithmic?
    """
    ends = [one for one in ends if np.isfinite(one[2])]
    names = [wrapped(name) for name, *_ in ends]
    figure.layout.showlegend = False
    figure.layout.yaxis.range = list(reach)
    if not ends:
        return figure
    wide = max(len(line) for lines in names for line in lines)
    figure.layout.margin.r = int(BESIDE + LETTER * wide)
    margin, (bottom, top) = figure.layout.margin, figure.layout.yaxis.domain or (0, 1)
    height = (top - bottom) * (figure.layout.height - margin.t - margin.b)
    needed = LINE * sum(map(len, names))
    if needed > height:
        taller(figure, int(np.ceil((needed - height) / (top - bottom))))
        height = (top - bottom) * (figure.layout.height - margin.t - margin.b)
    down = np.array([(reach[1] - y) / (reach[1] - reach[0]) * height for _, _, y, _ in ends])
    tall = np.array([LINE * len(lines) for lines in names])
    order = np.argsort(down, kind="stable")         # a name on the very edge of the picture would not be drawn
    places = spread(down, tall, tall[order[0]] / 2, height - tall[order[-1]] / 2)
    up = reach[1] - places / height * (reach[1] - reach[0])
    first, last = figure.layout.xaxis.range
    figure.layout.xaxis.range = [first, last + GUTTER * (last - first)]
    beside = last + 0.99 * GUTTER * (last - first)
    beside = 10 ** beside if log else beside
    colours = [colour for *_, colour in ends]
    kind = {"type": "scatter", "hoverinfo": "skip", "showlegend": False}
    return figure.add_traces([          # one trace of texts: as many annotations take a third of the drawing
        {**kind, "x": [part for _, x, _, _ in ends for part in (x, beside, None)], "mode": "lines",
         "y": [part for (_, _, y, _), there in zip(ends, up, strict=True) for part in (y, there, None)],
         "line": {"color": "grey", "width": 0.7}},
        {**kind, "x": [beside] * len(ends), "y": up, "text": ["<br>".join(map(safe, lines)) for lines in names],
         "mode": "markers+text", "textposition": "middle right", "cliponaxis": False, "textfont": {"size": 11},
         "marker": {"color": colours, "size": 6, "opacity": 1},
         "unselected": {"marker": {"opacity": 1}, "textfont": {"color": "grey"}}}])


def wrapped(name):
    """A name on one or two lines."""
    return wrap(str(name)[:LONGEST], LETTERS, max_lines=2, placeholder="…") or [str(name)]


def log_ticks(figure, most):
    """A logarithmic axis of numbers of features with round numbers at it."""
    ticks = [step * 10 ** power for power in range(8) for step in (1, 2, 5) if step * 10 ** power <= most]
    figure.update_xaxes(type="log", tickvals=ticks, ticktext=[f"{one:,}" for one in ticks])
