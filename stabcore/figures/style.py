"""How every figure looks: colours that colour-blind people tell apart, a second channel beside colour, safe names."""

from __future__ import annotations

import re
from html import escape, unescape
from math import log10
from textwrap import wrap

# Okabe & Ito 2008, without the yellow that vanishes on white; grey is for everything that is not highlighted, as far from white as
# from black: a lighter one would be the brightest in the dark
PALETTE = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#8A6FDF", "#6B6B6B")
GREY = "#808080"
INK = "#4D4D4D"                         # letters on paper, which a dark screen turns light; those on a colour have their own
REST = "rgba(128,128,128,0.4)"          # of areas that do not matter: dim on white and on black
SYMBOLS = ("circle", "square", "diamond", "triangle-up", "x", "star", "triangle-down", "hexagon")
DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot", "solid", "dash")
FLOOR = "noise floor"                   # what it is called in every picture and sentence
# Measured is blue, what the shuffled outcome gives is grey; each also as an area, and as a colour of its own that no selector has,
# so that the style sheet of dark screens finds it
MEASURED, BEYOND = "#0071B2", "#9CC9E6"
FLOOR_COLOUR, FLOOR_AREA, FLOOR_DASH = "#6E7681", "#CDD2D8", "6px,3px"
SECOND = "#59636E"                      # letters of what is second: headings below headings, what is not clear
SENDING = ["sendDataToCloud", "sendChartToCloud"]               # buttons that no tool bar may have
CONFIG = {"displaylogo": False, "showSendToCloud": False, "toImageButtonOptions": {"format": "svg"},
          "modeBarButtonsToRemove": [*SENDING, "lasso2d", "select2d", "autoScale2d"]}
LONGEST = 40
SHORT = re.compile(r" \(([A-Za-z0-9-]{2,6})\)$")
YARDSTICK = re.compile(r" \(baseline\)$")       # of names of selectors that are drawn beside the others
DRAWN = re.compile(r"^(\d+) \w+ \+ \w+$")       # of names of configurations of a random search, which its tables tell in full
LINE = 18                   # pixels of a further line of a title
STRIP = 32                  # pixels above every picture that are left to the tool bar
SCALE_ROOM = STRIP + 48     # the same and a scale of colours below it
TELEPHONE, NAMED_ROW = 368, 11      # pixels of a picture on a screen of 400, and of the lowest row that has room for a name
MARK = 16                   # pixels of the name of a mark, between the picture and what is above it
LETTERS = 16                # of a name beside a row: a telephone has no room for more
# Pixels of letters on screens (Source Sans at 12 px), the widest of each kind
NARROW, BROAD = set(" !'(),-./:;I[\\]fijlrt{|}·"), set("MWmw%@…★Φ")
PIXELS = {"narrow": 4.0, "usual": 6.7, "capital": 7.8, "broad": 11.5}
TICK = 18                   # from a name to its row, and from the edge to the name
TAG = re.compile(r"<[^>]*>")


def safe(name) -> str:
    """A name from somebody's data, fit for a figure: no live markup, no formula, not longer than a label may be.

    Quotes stay as they are: plotly draws &quot; letter by letter, and outside of tags they do nothing.
    """
    name = str(name)
    return escape(name if len(name) <= LONGEST else name[:LONGEST - 1] + "…", quote=False).replace("$", "&#36;")


def channels(names) -> dict:
    """{name: (colour, symbol, dash)}; beyond eight names, colours repeat with another symbol."""
    n = len(PALETTE)
    return {name: (PALETTE[i % n], SYMBOLS[(i + i // n) % n], DASHES[(i + i // n) % n]) for i, name in enumerate(names)}


def brief(names) -> dict:
    """{name: what it is called where there is little room, safe}: MIM of Mutual information (MIM), itself where it has none."""
    return {name: safe(short) for name, short in initials(names).items()}


def initials(names) -> dict:
    """{name: what it is called where there is little room}, as it is: still to be made safe. Of a random search the number."""
    inside = {name: match[1] for name in names if (match := SHORT.search(str(name)))}
    inside |= {name: YARDSTICK.sub("", str(name)) for name in names if YARDSTICK.search(str(name))}
    inside |= {name: match[1] for name in names if (match := DRAWN.match(str(name)))}
    taken = [inside.get(name, name) for name in names]
    return {name: inside[name] if name in inside and taken.count(inside[name]) == 1 else name for name in names}


def blank(*, x="", y="", height=420):
    """An empty figure with the margins that all share. x, y: titles of axes with numbers; an axis without one may hold names.

    A title of more than about 35 letters is cut off on a telephone: <br> gives it a second line.

    Room for names is measured while drawing, which takes longer than the rest; numbers need always the same.
    """
    import plotly.graph_objects as go

    beside, below = 72 + LINE * y.count("<br>"), 54 + LINE * x.count("<br>")
    return go.Figure(layout={               # at once: to update a layout takes ten times as long as to make one
        "height": height, "margin": {"l": beside if y else 10, "r": 10, "t": STRIP, "b": below if x else 10},
        "hoverlabel": {"align": "left"}, "xaxis": {"title": {"text": x}, "automargin": not x, "ticklabeloverflow": "allow"},
        "yaxis": {"title": {"text": y}, "automargin": not y, "ticklabeloverflow": "allow"},
        "legend": {"orientation": "h", "yref": "container", "y": 1 - STRIP / height, "yanchor": "top", "xref": "container", "x": 0,
                   "xanchor": "left", "traceorder": "normal"}})


def plot_height(figure) -> int:
    """Pixels between the axes of a figure, from the bottom to the top."""
    return figure.layout.height - figure.layout.margin.t - figure.layout.margin.b


def taller(figure, by):
    """The same figure by so many pixels taller; its legend stays below the tool bar."""
    figure.layout.height += by
    figure.layout.legend.y = 1 - STRIP / figure.layout.height
    return figure


def beside_rows(name) -> str:
    """A name beside its row, on two lines where it is long, safe; what stands in its brackets where that is too long as well."""
    if len(wrap(str(name), LETTERS)) > 2 and (match := SHORT.search(str(name))):
        return safe(match[1])
    return "<br>".join(safe(part) for part in wrap(str(name)[:LONGEST], LETTERS, max_lines=2, placeholder="…")) or safe(name)


def name_rows(figure, at, names, which="yaxis", **axis):
    """Names beside rows, each as it is drawn: at their places on a y axis, in a margin that has room for them.

    The margin is told from the letters: plotly would draw everything, measure the names, and draw everything again.
    """
    names = list(names)
    lines = [line for name in names for line in str(name).split("<br>")]
    margin = figure.layout.margin
    margin.l = max(margin.l or 0, TICK + int(max(map(pixels, lines), default=0)))
    for key, value in {"tickvals": list(at), "ticktext": names, "automargin": False, "zeroline": False, **axis}.items():
        figure.layout[which][key] = value
    return figure


def square(figure, rows):
    """As wide as makes a matrix of so many rows and columns square; its margins are those that it has now.

    On a narrower screen it is smaller; but where its rows would lose the room for their names, cells are narrower, not lower.
    `meta` tells who saves it: a number, as an object would count as changed when the toolkit draws again.
    """
    margin = figure.layout.margin
    beside = margin.l + margin.r
    if figure.layout.yaxis.showticklabels is False or (TELEPHONE - beside) / rows >= NAMED_ROW:
        figure.update_yaxes(scaleanchor="x", constrain="domain", constraintoward="top")
        figure.update_xaxes(constrain="domain", constraintoward="left")
    return figure.update_layout(width=beside + plot_height(figure), meta=rows)


def pixels(line) -> float:
    """How long a line of text beside an axis is on screens, rather too long."""
    text = unescape(TAG.sub("", line))
    kinds = ("narrow" if one in NARROW else "broad" if one in BROAD or ord(one) > 0x2E80 else "capital" if one.isupper() else
             "usual" for one in text)
    return (1.08 if text != line else 1) * sum(PIXELS[kind] for kind in kinds)


def mark_at(figure, x, text):
    """A dotted line across the picture at a chosen value, its name in a strip above the curves, which it does not cover.

    On a logarithmic axis, which has to be made one before, plotly takes shapes by their value and texts by its logarithm.
    """
    low, high = figure.layout.yaxis.domain or (0, 1)
    high -= MARK / plot_height(figure)
    figure.layout.yaxis.domain = (low, high)
    figure.layout.shapes += ({"type": "line", "x0": x, "x1": x, "y0": 0, "y1": high, "yref": "paper", "layer": "below",
                              "line": {"dash": "dot", "color": "grey"}},)
    figure.layout.annotations += ({"x": log10(x) if figure.layout.xaxis.type == "log" else x, "y": high, "yref": "paper",
                                   "yanchor": "bottom", "text": text, "showarrow": False, "font": {"color": "grey"},
                                   "borderpad": 0},)
    return figure


def see_through(colour) -> str:
    """A palette colour for the band around a line of that colour."""
    red, green, blue = (int(colour.lstrip("#")[i:i + 2], 16) for i in (0, 2, 4))
    return f"rgba({red},{green},{blue},0.18)"
