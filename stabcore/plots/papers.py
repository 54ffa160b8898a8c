"""Pictures of the exhibits of the papers: lines, one small picture per facet."""

from __future__ import annotations

from stabcore.plots.names import safe
from stabcore.plots.style import TITLE_LINE, TOOL_BAR, blank, channels

FACETS_A_ROW = 2  # pictures in a row
FACET_HEIGHT, LEAST_HEIGHT = 230, 420
# room for the name of each series beyond so many, which are below each other on a telephone
SERIES_HEIGHT, SERIES_BESIDE = 16, 3


def frame_exhibit(shown):
    """The numbers of an exhibit, one row per point. See its module in stabcore.papers."""
    return shown.frame


def finding_exhibit(shown) -> str:
    """How many of the claims of the paper are shown here."""
    return shown.sentence


def draw_exhibit(frame, exhibit):
    """The picture of an exhibit of lines, with a small picture for each value of its facet."""
    facets = list(dict.fromkeys(frame[exhibit.facet])) if exhibit.facet else [""]
    names = list(dict.fromkeys(frame["series"]))
    figure, styles = (
        _facets(exhibit, facets, len(names), LEAST_HEIGHT + SERIES_HEIGHT * max(len(names) - SERIES_BESIDE, 0)),
        channels(names),
    )
    for number, facet in enumerate(facets):
        rows = frame[frame[exhibit.facet] == facet] if exhibit.facet else frame
        place = {"row": number // FACETS_A_ROW + 1, "col": number % FACETS_A_ROW + 1} if exhibit.facet else {}
        for label in names:
            part = rows[rows["series"] == label]
            if len(part):
                figure.add_trace(_series_line(part, label, styles[label], exhibit, number == 0), **place)
    return figure


def _facets(exhibit, facets, named, height):
    """An empty figure of this height, or one picture per facet with the same axes and room for the names above."""
    import plotly.graph_objects as go
    from plotly.subplots import make_subplots

    (_, x), (_, y) = exhibit.x, exhibit.y
    if not exhibit.facet:
        figure = blank(x=x, y=y, height=height)
    else:
        rows, deep = -(-len(facets) // FACETS_A_ROW), max(str(_wrap_title(facet)).count("<br>") for facet in facets)
        grid = make_subplots(
            rows,
            FACETS_A_ROW,
            shared_xaxes="all",
            shared_yaxes="all",
            x_title=x,
            y_title=y,
            horizontal_spacing=0.04,
            subplot_titles=[_wrap_title(facet) for facet in facets],
            vertical_spacing=(0.12 + 0.05 * deep) / rows,
        )
        figure = go.Figure(grid)
        names = TITLE_LINE * named
        tall = max(LEAST_HEIGHT, FACET_HEIGHT * rows + 90) + names
        figure.update_layout(
            height=tall,
            margin={"l": 72, "r": 10, "t": TOOL_BAR + names + TITLE_LINE * (deep + 2), "b": 60},
            legend={**blank().layout.legend.to_plotly_json(), "y": 1 - TOOL_BAR / tall},
        )
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


def _series_line(part, label, style, exhibit, legend):
    import plotly.graph_objects as go

    colour, symbol, dash = style
    return go.Scatter(
        x=part[exhibit.x[0]],
        y=part[exhibit.y[0]],
        mode="lines+markers",
        name=safe(label),
        legendgroup=safe(label),
        showlegend=legend,
        hovertemplate="%{x:.3g}: %{y:.3f}<extra></extra>",
        line={"color": colour, "dash": dash, "width": 2},
        marker={"color": colour, "symbol": symbol, "size": 7},
    )
