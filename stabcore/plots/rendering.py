"""Figures for browsers, on screens and in a report.

On a screen a figure has the colours of paper, which a style sheet turns dark on dark screens. Cells are pictures, which no style
sheet reaches, so they are sent in dark colours. The toolkit draws every figure twice. Plotly skips the second time if nothing
changed, but a template and packed numbers always count as changed, and so do lists without `datarevision`. Everything is therefore
written out.
"""

import base64
import re
from math import isfinite

import numpy as np

from stabcore.plots.selection_map import OTHER_GROUPS, recolour_png
from stabcore.plots.style import (
    BEYOND,
    FLOOR_AREA,
    FLOOR_COLOUR,
    GREY,
    GRID,
    INK,
    MEASURED,
    PALETTE,
    PAPER,
    SECOND_CLASS,
    SECOND_INK,
    fade,
    rgba,
)

DARK = {
    INK: "#C4C7CE",
    GRID: "#34353C",
    PAPER: "#171614",
    SECOND_INK: "#A3ABB5",
    MEASURED: "#56B4E9",
    BEYOND: "#2B5F80",
    SECOND_CLASS: "#FF9248",
    FLOOR_COLOUR: "#A3ABB5",
    FLOOR_AREA: "#3F4853",
}
DARK |= dict(zip((PALETTE[0], PALETTE[4], *PALETTE[6:], OTHER_GROUPS), ("#56B4E9", "#A9DDFF", "#A793F0", "#A0A0A0", "#8F8F8F")))
MARK_COLOURS = [colour for colour in DARK if colour not in (GRID, PAPER, SECOND_INK)]  # that differ on dark screens
FONT = {"family": '"Source Sans", sans-serif', "size": 12, "color": INK}
ACTIVE_COLOUR = "#2E8BC9"  # colour of an active button, visible on white and on black
TITLE_FONT = {"size": 14}
# No colours, because a colour of a grid or of ticks would switch these on
X_AXIS = {"automargin": True, "showgrid": False, "zeroline": False, "title": {"font": TITLE_FONT, "standoff": 20}}
Y_AXIS = {"automargin": True, "title": {"font": TITLE_FONT, "standoff": 24}}
LAYOUT = {
    "font": FONT,
    "paper_bgcolor": PAPER,
    "plot_bgcolor": PAPER,
    "margin": {"pad": 8, "l": 0, "r": 0},
    "datarevision": 0,
    "legend": {"valign": "top"},
    "modebar": {"bgcolor": "rgba(0,0,0,0)", "color": GREY, "activecolor": ACTIVE_COLOUR},
    "hoverlabel": {"bgcolor": PAPER, "bordercolor": GREY, "font": FONT},
}
AXIS_NAME = re.compile(r"[xy]axis\d*")
# Letters of packed numbers above which they stay packed, because unpacking takes longer than drawing twice
MAX_UNPACKED = 200_000
PAGE_WIDTH = 660  # pixels between the margins of A4 and of letter paper
PAGE_HEIGHT = 800  # pixels: the same, below a sentence of four lines


# ---- on screens ----


def _rgb(colour):
    return "rgb({}, {}, {})".format(*bytes.fromhex(colour[1:]))


def _light_dark(colour):
    return f"light-dark({colour}, {DARK[colour]}) !important"


# Other colours stay. Names have a halo over lines. A browser of before 2024, without light-dark, shows paper on a dark screen.
_MARKS_STYLE = "\n".join(
    f'.js-plotly-plot :is(path, rect)[style*="{kind}: {_rgb(colour)}"] {{{kind}: {_light_dark(colour)};}}'
    for colour in MARK_COLOURS
    for kind in ("fill", "stroke")
)


STYLE = f"""
@supports (color: light-dark(red, red)) {{
.js-plotly-plot .main-svg {{background: none !important;}}
.js-plotly-plot :is(.bglayer, .infolayer .legend) .bg {{fill: transparent !important;}}
.js-plotly-plot text[style*="fill: {_rgb(INK)}"] {{fill: {_light_dark(INK)};}}
.js-plotly-plot text[style*="fill: {_rgb(SECOND_INK)}"] {{fill: {_light_dark(SECOND_INK)};}}
.js-plotly-plot :is(.points, .legendpoints) path[style*="fill: {_rgb(PAPER)}"] {{fill: {_light_dark(PAPER)};}}
{_MARKS_STYLE}
.js-plotly-plot :is(.gridlayer, .zerolinelayer) path, .js-plotly-plot path.ticks {{stroke: {_light_dark(GRID)};}}
.js-plotly-plot .hoverlayer :is(path, rect)[style*="fill: {_rgb(PAPER)}"] {{fill: {_light_dark(PAPER)};}}
.js-plotly-plot .selectionlayer path {{stroke: {_light_dark(INK)};}}
.js-plotly-plot .annotation-text {{paint-order: stroke; stroke: light-dark({PAPER}, {DARK[PAPER]}); stroke-width: 3px;}}
}}
"""


def screen_figure(figure, dark=False):
    """Return a figure for the browser, without a template and with its defaults written out. dark: whether its cells are."""
    import plotly.graph_objects as go

    as_dict = figure.to_dict()
    as_dict["layout"].pop("template", None)
    layout = _unpack_arrays(as_dict["layout"])
    axes = {name: X_AXIS if name.startswith("x") else Y_AXIS for name in ("xaxis", "yaxis", *layout) if AXIS_NAME.fullmatch(name)}
    traces = map(_darken_cells, as_dict["data"]) if dark else as_dict["data"]
    sent = go.Figure({"data": [_unpack_arrays(trace) for trace in traces], "layout": _merge_defaults({**LAYOUT, **axes}, layout)})
    sent.layout.template = None  # a new figure has the default template
    return sent


def _darken_cells(trace):
    """A trace with the dark colours of cells: of the scale of a heat map, or of the palette of a picture."""
    if trace["type"] == "heatmap" and "colorscale" in trace:
        return {**trace, "colorscale": [(place, _dark_colour(colour)) for place, colour in trace["colorscale"]]}
    return {**trace, "source": recolour_png(trace["source"], DARK)} if "source" in trace else trace


def _dark_colour(colour):
    red, green, blue, alpha = rgba(colour)
    dark = DARK.get(f"#{red:02X}{green:02X}{blue:02X}")
    return fade(dark, alpha / 255) if dark else colour


def _merge_defaults(defaults, values):
    """The given values, and defaults for the others, at every depth."""
    both = [key for key in defaults if key in values and isinstance(defaults[key], dict)]
    return {**defaults, **values, **{key: _merge_defaults(defaults[key], values[key]) for key in both}}


def _unpack_arrays(value):
    """The same with lists in place of packed numbers, seven digits of each."""
    if isinstance(value, dict) and "bdata" in value:
        return value if len(value["bdata"]) > MAX_UNPACKED else _unpack_numbers(value)
    if isinstance(value, dict):
        return {name: _unpack_arrays(part) for name, part in value.items()}
    return [_unpack_arrays(part) for part in value] if isinstance(value, list) and value and isinstance(value[0], dict) else value


def _unpack_numbers(packed):
    """Packed numbers as lists, with null if not finite."""
    values = np.frombuffer(base64.b64decode(packed["bdata"]), packed["dtype"])
    flat = values.tolist()
    if values.dtype.kind == "f":
        flat = [_round_number(number) if isfinite(number) else None for number in flat]
    for size in [int(number) for number in str(packed.get("shape", "")).split(",")[:0:-1]]:
        flat = [flat[i : i + size] for i in range(0, len(flat), size)]
    return flat


def _round_number(number):
    """A float with seven digits. Whole numbers have no point, as in a browser."""
    number = float(f"{number:.7g}")
    return int(number) if abs(number) < 1e15 and number.is_integer() else number


# ---- in a report ----


def drawing_script() -> str:
    """Return plotly.js, which draws without a network."""
    from plotly.offline import get_plotlyjs

    return get_plotlyjs()


def figure_json(figure) -> str:
    """Return a figure as JSON that is safe inside a script of a page."""
    import plotly.graph_objects as go

    drawn = go.Figure(figure).update_yaxes(automargin=True)  # margins fit the letters of screens, and others are wider
    drawn.update_layout(
        template="plotly_white", font={"size": 12, "color": "#111"}, autosize=True, paper_bgcolor="#fff", plot_bgcolor="#fff"
    )
    return drawn.to_json().replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def page_scale(figure) -> float:
    """Return the factor by which a figure must shrink to fit a page of paper."""
    return round(min(1, PAGE_HEIGHT / (figure.layout.height or PAGE_HEIGHT)), 3)
