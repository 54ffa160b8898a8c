"""The look of every figure: colours for colour-blind readers, a second channel in addition to colour, an empty figure."""

import re
from math import log10

# Okabe & Ito 2008, without the yellow that vanishes on white. Grey is for marks without highlight, midway between white and black
PALETTE = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#8A6FDF", "#6B6B6B")
GREY = "#808080"
INK = "#4D4D4D"  # letters on paper, which a dark screen turns light, except those on a colour
PALE_GREY = "rgba(128,128,128,0.4)"  # colour of unimportant areas, dim on white and on black
SYMBOLS = ("circle", "square", "diamond", "triangle-up", "x", "star", "triangle-down", "hexagon")
DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot", "solid", "dash")
FLOOR_NAME = "noise floor"  # name of the noise floor in every figure and sentence
# Measured values are blue, and those of the shuffled outcome grey. Each also has an area colour. No selector has these colours,
# so that the style sheet of dark screens finds it
MEASURED, BEYOND = "#0071B2", "#9CC9E6"
SECOND_CLASS = "#C44E00"  # the predicted one of two classes
FLOOR_COLOUR, FLOOR_AREA, FLOOR_DASH = "#6E7681", "#CDD2D8", "6px,3px"
SECOND_INK = "#59636E"  # letters of secondary texts: subheadings, results that are not clear
SENDING_BUTTONS = ["sendDataToCloud", "sendChartToCloud"]  # buttons that tool bars must not have
CONFIG = {
    "displaylogo": False,
    "showSendToCloud": False,
    "toImageButtonOptions": {"format": "svg"},
    "modeBarButtonsToRemove": [*SENDING_BUTTONS, "lasso2d", "select2d", "autoScale2d"],
}
TITLE_LINE = 18  # pixels of an additional line of a title
LEGEND_LINE = 23  # pixels of a line of a legend
TOOL_BAR = 32  # pixels above every picture for the tool bar
SCALE_HEIGHT = TOOL_BAR + 48  # pixels for the tool bar and a scale of colours below it
MARK_HEIGHT = 16  # pixels of the name of a mark, between the picture and what is above it
GRID, PAPER = "#E3E3E3", "#FFFFFF"
POINT_COLOUR, POINT_PALE = MEASURED, "rgba(86,180,233,0.5)"  # a value, and a length or a line that belongs to it


def name_styles(names) -> dict:
    """{name: (colour, symbol, dash)}. Beyond eight names, colours repeat with another symbol."""
    n = len(PALETTE)
    return {name: (PALETTE[i % n], SYMBOLS[(i + i // n) % n], DASHES[(i + i // n) % n]) for i, name in enumerate(names)}


def empty_figure(*, x="", y="", height=420):
    """Return an empty figure with the common margins.

    x, y: titles of axes with numbers. An axis without a title may have names, which Plotly measures while drawing. A title of
    more than about 35 letters is cut off on a telephone, and needs <br> for a second line.
    """
    import plotly.graph_objects as go

    beside, below = 72 + TITLE_LINE * y.count("<br>"), 54 + TITLE_LINE * x.count("<br>")
    return go.Figure(
        layout={  # all at once, because updating a layout takes ten times as long as creating one
            "height": height,
            "margin": {"l": beside if y else 10, "r": 10, "t": TOOL_BAR, "b": below if x else 10},
            "hoverlabel": {"align": "left"},
            "xaxis": {"title": {"text": x}, "automargin": not x, "ticklabeloverflow": "allow"},
            "yaxis": {"title": {"text": y}, "automargin": not y, "ticklabeloverflow": "allow"},
            "legend": legend_layout(1 - TOOL_BAR / height, "container"),
        }
    )


def legend_layout(y, reference="paper", x=0.0, **look) -> dict:
    """Return a horizontal legend that begins at x, below y of the container or above y of the paper."""
    anchor = "top" if reference == "container" else "bottom"
    place = {"yref": reference, "y": y, "yanchor": anchor, "xref": reference, "x": x, "xanchor": "left"}
    return {"orientation": "h", **place, "traceorder": "normal", **look}


def set_share_axes(figure, axes="x", low=-0.02):
    """Set axes of shares: from 0 to 100%, with some space at both ends."""
    for axis in axes:
        figure.layout[f"{axis}axis"].update(range=[low, 1.03], tickformat=".0%")
    return figure


def plot_height(figure) -> int:
    """Height of the plot in pixels, without the margins."""
    return figure.layout.height - figure.layout.margin.t - figure.layout.margin.b


def make_taller(figure, by):
    """Make a figure taller by some pixels. Its legend stays below the tool bar."""
    figure.layout.height += by
    figure.layout.legend.y = 1 - TOOL_BAR / figure.layout.height
    return figure


def make_square(figure, rows):
    """Set the width that makes a matrix of this number of rows and columns square, with the present margins.

    On a narrower screen it is smaller. Cells of rows with names become narrower, not lower, so that the names have space.
    `meta` holds the number of rows for saved pictures. An object there would count as changed when the page draws again.
    """
    margin = figure.layout.margin
    beside = margin.l + margin.r
    if figure.layout.yaxis.showticklabels is False:
        figure.update_yaxes(scaleanchor="x", constrain="domain", constraintoward="top")
        figure.update_xaxes(constrain="domain", constraintoward="left")
    return figure.update_layout(width=beside + plot_height(figure), meta=rows)


def mark_value(figure, x, text):
    """Draw a dotted vertical line at a chosen value, with its name in a strip above the curves.

    A logarithmic axis must be set first, because Plotly places shapes by value and texts by its logarithm.
    """
    low, high = figure.layout.yaxis.domain or (0, 1)
    high -= MARK_HEIGHT / plot_height(figure)
    figure.layout.yaxis.domain = (low, high)
    line, label = {"dash": "dot", "color": "grey"}, {"text": text, "font": {"color": "grey"}, "showarrow": False, "borderpad": 0}
    figure.layout.shapes += (dict(type="line", x0=x, x1=x, y0=0, y1=high, yref="paper", layer="below", line=line),)
    x = log10(x) if figure.layout.xaxis.type == "log" else x
    figure.layout.annotations += ({**label, "x": x, "y": high, "yref": "paper", "yanchor": "bottom"},)
    return figure


def translucent(colour) -> str:
    """Return a palette colour for the band around a line of that colour."""
    return fade(colour, 0.18)


def fade(colour, share) -> str:
    """Return a colour, "#RRGGBB" or "rgba(r,g,b,a)", more transparent."""
    red, green, blue, alpha = rgba(colour)
    return colour if share >= 1 else f"rgba({red},{green},{blue},{alpha / 255 * share:.3g})"


def rgba(colour) -> tuple[int, int, int, int]:
    """Return the four bytes of a colour, "#RRGGBB" or "rgba(r,g,b,a)"."""
    if colour.startswith("#"):
        red, green, blue = bytes.fromhex(colour[1:])
        return red, green, blue, 255
    *rgb, alpha = re.findall(r"[\d.]+", colour)
    red, green, blue = map(int, rgb)
    return red, green, blue, round(255 * float(alpha))


def set_log_axis(figure, most):
    """Set a logarithmic axis of numbers of features with round ticks."""
    ticks = [step * 10**power for power in range(8) for step in (1, 2, 5) if step * 10**power <= most]
    figure.update_xaxes(type="log", tickvals=ticks, ticktext=[f"{tick:,}" for tick in ticks])
