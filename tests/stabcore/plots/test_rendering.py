"""Figures as sent to the browser: unchanged numbers, layout of axes, and colours for dark screens."""

import json

import numpy as np
import plotly.graph_objects as go
import plotly.io

from stabcore.plots.rendering import DARK, STYLE, screen_figure
from stabcore.plots.selection_map import OTHER_GROUPS, png_data_uri
from stabcore.plots.style import GRID, INK, MEASURED, PALETTE, PAPER, empty_figure, fade


def sent(figure, dark=False):
    return json.loads(plotly.io.to_json(screen_figure(figure, dark), validate=False))


def test_non_finite_values_are_gaps_and_arrays_keep_their_shape():
    figure = go.Figure(
        [
            go.Scatter(y=np.array([1.5, np.nan, np.inf, -np.inf, 1 / 3])),
            go.Heatmap(z=np.arange(6).reshape(2, 3)),
            go.Image(z=np.arange(12, dtype=np.uint8).reshape(2, 2, 3)),
        ]
    )
    line, heat, image = sent(figure)["data"]
    assert line["y"] == [1.5, None, None, None, 0.3333333]
    assert heat["z"] == [[0, 1, 2], [3, 4, 5]]
    assert image["z"] == [[[0, 1, 2], [3, 4, 5]], [[6, 7, 8], [9, 10, 11]]]


def test_axes_get_the_common_style_and_keep_their_own():
    figure = empty_figure(x="k", y="Stability").update_layout(
        yaxis2={"title": {"text": "Pairs"}, "automargin": False}, margin_pad=2
    )
    layout = sent(figure)["layout"]
    assert layout["yaxis2"] == {"title": {"text": "Pairs", "font": {"size": 14}, "standoff": 24}, "automargin": False}
    assert layout["xaxis"]["title"] == {"text": "k", "font": {"size": 14}, "standoff": 20} and layout["xaxis"]["showgrid"] is False
    assert layout["margin"]["pad"] == 2 and layout["margin"]["l"] == figure.layout.margin.l


def brightness(colour):
    """Relative luminance of a colour, from 0 to 1 (WCAG 2.2)."""
    parts = np.array(list(bytes.fromhex(colour[1:]))) / 255
    return np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4) @ [0.2126, 0.7152, 0.0722]


def test_contrast_of_text_and_grid_in_both_themes():
    """WCAG 2.2 requires 4.5 to 1 for text. Grid lines carry no information and stay below 2 to 1."""
    for ink, grid, paper in ((INK, GRID, PAPER), (DARK[INK], DARK[GRID], DARK[PAPER])):
        low, mid, high = sorted(map(brightness, (ink, grid, paper)))
        assert (high + 0.05) / (low + 0.05) > 4.5
        back, front = sorted((brightness(grid), brightness(paper)))
        assert 1.1 < (front + 0.05) / (back + 0.05) < 2


def test_cells_are_sent_in_the_colours_of_the_theme():
    cells, dark = np.array([[0, 1], [2, 0]], dtype=np.uint8), DARK[MEASURED]

    def drawn(blue):
        colours = [PALETTE[1], blue, fade(blue, 0.2)]
        scale = [[place / 2, colour] for place, colour in enumerate(colours)]
        return go.Figure([go.Heatmap(z=[[0, 1]], colorscale=scale), go.Image(source=png_data_uri(cells, colours))])

    assert sent(drawn(MEASURED), dark=True) == sent(drawn(dark)) != sent(drawn(MEASURED))


def test_group_colours_are_distinct_on_dark_screens():
    """WCAG 2.2 requires 3 to 1 for marks."""
    dark = [DARK.get(colour, colour) for colour in (*PALETTE, OTHER_GROUPS)]
    assert all((brightness(colour) + 0.05) / (brightness(DARK[PAPER]) + 0.05) > 4 for colour in dark)
    assert len(set(dark)) == len(dark) and DARK[PALETTE[0]] == DARK[MEASURED]
    assert all(f"light-dark({light}, {dark})" in STYLE for light, dark in DARK.items())
