"""Names at the ends of curves instead of a legend: nobody has to look up a colour, and nothing is printed over the curves."""

from __future__ import annotations

from textwrap import wrap

import numpy as np

from stabcore.figures.labels import spread
from stabcore.figures.style import LONGEST, safe

LETTERS = 14            # of a name on a line; a telephone has no room for more beside a picture
LETTER, LINE = 6.2, 13  # pixels of a letter, and of a line
BESIDE = 10             # pixels from the end of a curve to its name


def name_ends(figure, ends, reach, log=False):
    """The names of curves beside their last points, pushed apart, each with a line to its curve; no legend.

    ends: [(name, x, y, colour)], names as they are; reach: (low, high) of the y axis, which is set; log: is the x
    axis logarithmic?
    """
    ends = [one for one in ends if np.isfinite(one[2])]
    names = [wrapped(name) for name, *_ in ends]
    figure.layout.showlegend = False
    figure.layout.yaxis.range = list(reach)
    if not ends:
        return figure
    wide = max(len(line) for lines in names for line in lines)
    figure.layout.margin.r = int(BESIDE + 6 + LETTER * wide)
    margin, (bottom, top) = figure.layout.margin, figure.layout.yaxis.domain or (0, 1)
    height = (top - bottom) * (figure.layout.height - margin.t - margin.b)
    down = np.array([(reach[1] - y) / (reach[1] - reach[0]) * height for _, _, y, _ in ends])
    places = spread(down, [LINE * len(lines) for lines in names], 0, height)
    beside = [{"x": float(np.log10(x)) if log else x, "y": y, "ax": BESIDE, "ay": float(there - here), "xanchor": "left",
               "align": "left", "text": "<br>".join(map(safe, lines)), "showarrow": True, "arrowhead": 0, "arrowwidth": 1,
               "arrowcolor": colour, "font": {"size": 11}, "borderpad": 0}
              for (_, x, y, colour), lines, here, there in zip(ends, names, down, places, strict=True)]
    figure.layout.annotations += tuple(beside)          # at once: each by itself would have plotly check all before it again
    return figure


def wrapped(name):
    """A name on one or two lines."""
    return wrap(str(name)[:LONGEST], LETTERS, max_lines=2, placeholder="…") or [str(name)]


def log_ticks(figure, most):
    """A logarithmic axis of numbers of features with round numbers at it."""
    ticks = [step * 10 ** power for power in range(8) for step in (1, 2, 5) if step * 10 ** power <= most]
    figure.update_xaxes(type="log", tickvals=ticks, ticktext=[f"{one:,}" for one in ticks])
