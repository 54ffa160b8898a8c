"""Figures as a browser draws them: once, in the colours of paper, which a style sheet turns dark where the screen is.

The toolkit draws every figure a second time as soon as it stands. Plotly does nothing then if nothing changed; but a template,
packed numbers and lists count as changed always, the lists unless `datarevision` says that they stay. So all else is written out.
"""

from __future__ import annotations

import base64
import re
from math import isfinite

import numpy as np

from stabcore.figures.style import BEYOND, FLOOR_AREA, FLOOR_COLOUR, GREY, INK, MEASURED, SECOND

GRID, PAPER = "#E3E3E3", "#FFFFFF"
DARK = {INK: "#C4C7CE", GRID: "#34353C", PAPER: "#171614", SECOND: "#A3ABB5", MEASURED: "#56B4E9", BEYOND: "#2B5F80",
        FLOOR_COLOUR: "#A3ABB5", FLOOR_AREA: "#3F4853"}
MARKS = (MEASURED, BEYOND, FLOOR_COLOUR, FLOOR_AREA)        # colours of marks that have another one on dark screens
LETTERS = {"family": '"Source Sans", sans-serif', "size": 12, "color": INK}
ACTIVE = "#2E8BC9"          # of a button that is on: as GREY seen on white and on black
HEAD = {"size": 14}
# Nothing of colours: who names one of a grid or of ticks asks for them where there are none
X = {"automargin": True, "showgrid": False, "zeroline": False, "title": {"font": HEAD, "standoff": 20}}
Y = {"automargin": True, "title": {"font": HEAD, "standoff": 24}}
LAYOUT = {"font": LETTERS, "paper_bgcolor": PAPER, "plot_bgcolor": PAPER, "margin": {"pad": 8, "l": 0, "r": 0}, "datarevision": 0,
          "legend": {"valign": "top"}, "modebar": {"bgcolor": "rgba(0,0,0,0)", "color": GREY, "activecolor": ACTIVE},
          "hoverlabel": {"bgcolor": PAPER, "bordercolor": GREY, "font": LETTERS}}
AXIS = re.compile(r"[xy]axis\d*")
PACKED = 200_000            # letters of packed numbers from which on they stay so: reading them takes longer than drawing twice


def _rgb(colour):
    return "rgb({}, {}, {})".format(*bytes.fromhex(colour[1:]))


def _both(colour):
    return f"light-dark({colour}, {DARK[colour]}) !important"


# What has a colour of its own keeps it. Names stand off the lines that they lie on. A browser that does not know light-dark, of
# before 2024, shows paper on a dark screen.
_OF_MARKS = "\n".join(f'.js-plotly-plot :is(path, rect)[style*="{kind}: {_rgb(one)}"] {{{kind}: {_both(one)};}}'
                      for one in MARKS for kind in ("fill", "stroke"))
STYLE = f"""
@supports (color: light-dark(red, red)) {{
.js-plotly-plot .main-svg {{background: none !important;}}
.js-plotly-plot :is(.bglayer, .infolayer .legend) .bg {{fill: transparent !important;}}
.js-plotly-plot text[style*="fill: {_rgb(INK)}"] {{fill: {_both(INK)};}}
.js-plotly-plot text[style*="fill: {_rgb(SECOND)}"] {{fill: {_both(SECOND)};}}
.js-plotly-plot :is(.points, .legendpoints) path[style*="fill: {_rgb(PAPER)}"] {{fill: {_both(PAPER)};}}
{_OF_MARKS}
.js-plotly-plot :is(.gridlayer, .zerolinelayer) path, .js-plotly-plot path.ticks {{stroke: {_both(GRID)};}}
.js-plotly-plot .hoverlayer :is(path, rect)[style*="fill: {_rgb(PAPER)}"] {{fill: {_both(PAPER)};}}
.js-plotly-plot .selectionlayer path {{stroke: {_both(INK)};}}
.js-plotly-plot .annotation-text {{paint-order: stroke; stroke: light-dark({PAPER}, {DARK[PAPER]}); stroke-width: 3px;}}
}}
"""


def on_screen(figure):
    """A figure as it is sent: without a template, everything that one would add is written out."""
    import plotly.graph_objects as go

    whole = figure.to_dict()
    whole["layout"].pop("template", None)
    own = _listed(whole["layout"])
    axes = {name: X if name.startswith("x") else Y for name in ("xaxis", "yaxis", *own) if AXIS.fullmatch(name)}
    sent = go.Figure({"data": [_listed(trace) for trace in whole["data"]], "layout": _under({**LAYOUT, **axes}, own)})
    sent.layout.template = None         # the usual one, which a figure is born with
    return sent


def _under(usual, own):
    """What is usual, where a figure has nothing of its own."""
    both = {name: _under(usual[name], own[name]) for name in usual.keys() & own.keys() if isinstance(usual[name], dict)}
    return {**usual, **own, **both}


def _listed(value):
    """The same with lists in the place of packed numbers, seven digits of each: more than a screen shows."""
    if isinstance(value, dict) and "bdata" in value:
        return value if len(value["bdata"]) > PACKED else _numbers(value)
    if isinstance(value, dict):
        return {name: _listed(one) for name, one in value.items()}
    return [_listed(one) for one in value] if isinstance(value, list) and value and isinstance(value[0], dict) else value


def _numbers(packed):
    """Packed numbers as lists; null where one is not finite."""
    values = np.frombuffer(base64.b64decode(packed["bdata"]), packed["dtype"])
    flat = values.tolist()
    if values.dtype.kind == "f":
        flat = [_short(value) if isfinite(value) else None for value in flat]
    for size in [int(one) for one in str(packed.get("shape", "")).split(",")[:0:-1]]:
        flat = [flat[i:i + size] for i in range(0, len(flat), size)]
    return flat


def _short(value):
    """A float with seven digits; a whole one without a point, as a browser writes it."""
    value = float(f"{value:.7g}")
    return int(value) if abs(value) < 1e15 and value.is_integer() else value
