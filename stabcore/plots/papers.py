"""Figures of the exhibits of the papers: lines, one small panel per facet."""

from __future__ import annotations

from stabcore.plots.marks import line
from stabcore.plots.names import safe
from stabcore.plots.style import TITLE_LINE, TOOL_BAR, blank, channels, legend_at

FACETS_A_ROW = 2  # panels in a row
FACET_HEIGHT, LEAST_HEIGHT = 230, 420
# room for the name of each series beyond so many, which are below each other on a telephone
SERIES_HEIGHT, SERIES_BESIDE = 16, 3


def frame_exhibit(shown):
    """Return the numbers of an exhibit, one row per point. See its module in stabcore.papers."""
    return shown.frame


def finding_exhibit(shown) -> str:
    """Say how many claims of the paper are found here."""
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
    """An empty figure, or one panel per facet with the same axes and room for the names above."""
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
    """A title in lines that fit beside another picture on a telephone."""
    lines = [""]
    for word in str(text).split():
        if len(lines[-1]) + len(word) >= most and lines[-1]:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return "<br>".join(safe(line) for line in lines[:3])
