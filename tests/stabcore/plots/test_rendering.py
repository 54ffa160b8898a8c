"""Figures as they are sent: the same numbers and words, nothing that a browser takes for a change, colours for dark screens."""

import json

import numpy as np
import plotly.graph_objects as go
import plotly.io
import pytest
from every_figure_support import every_figure
from figure_support import brightness, drawn

from stabcore.plots.rendering import DARK, MOST_UNPACKED, STYLE, on_screen
from stabcore.plots.style import GRID, INK, PAPER, blank

NAMES = [f"feature {i}" for i in range(13)]
SELECTORS = (
    "Lasso",
    "Random forest",
    "Boosted stumps (GBM)",
    "Mutual information (MIM)",
    "mRMR",
    "Conditional mutual information (CMIM)",
    "ANOVA F statistic",
    "Random ranking (baseline)",
)


def sent(figure):
    return json.loads(plotly.io.to_json(on_screen(figure), validate=False))


def same(one, other):
    """Are two JSON values equal, numbers to six digits?"""
    if isinstance(one, dict):
        return isinstance(other, dict) and one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, (list, np.ndarray)):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, (float, np.floating)) and not np.isfinite(one):
        return other is None
    if isinstance(one, (int, float, np.number)) and not isinstance(one, bool):
        return other == f"{one:g}" if isinstance(other, str) else other == pytest.approx(one, rel=1e-6)
    return one == other


def within(own, whole):
    """Is all that a figure says of itself in what is sent?"""
    return all(within(value, whole[name]) if isinstance(value, dict) else same(value, whole[name]) for name, value in own.items())


def test_every_figure_is_sent_with_its_own_numbers_and_nothing_that_would_be_drawn_twice():
    for name, figure in every_figure(NAMES, SELECTORS):
        before, made = figure.to_json(), sent(figure)
        assert same(drawn(figure)["data"], made["data"]), name
        own = {key: value for key, value in drawn(figure)["layout"].items() if key != "template"}
        assert within(own, made["layout"]), name
        assert "template" not in made["layout"] and "bdata" not in json.dumps(made) and made["layout"]["datarevision"] == 0, name
        assert figure.to_json() == before, f"{name} was changed by sending it"


def test_what_is_not_finite_is_a_gap_and_tables_keep_their_shape():
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


def test_very_many_numbers_stay_packed():
    many = np.zeros(MOST_UNPACKED)
    assert "bdata" in on_screen(go.Figure(go.Scatter(y=many))).to_dict()["data"][0]["y"]
    assert isinstance(on_screen(go.Figure(go.Scatter(y=many[:1000]))).to_dict()["data"][0]["y"], list)


def test_every_axis_has_the_look_and_keeps_what_is_its_own():
    figure = blank(x="k", y="Stability").update_layout(yaxis2={"title": {"text": "Pairs"}, "automargin": False}, margin_pad=2)
    layout = sent(figure)["layout"]
    assert layout["yaxis2"] == {"title": {"text": "Pairs", "font": {"size": 14}, "standoff": 24}, "automargin": False}
    assert layout["xaxis"]["title"] == {"text": "k", "font": {"size": 14}, "standoff": 20} and layout["xaxis"]["showgrid"] is False
    assert layout["margin"]["pad"] == 2 and layout["margin"]["l"] == figure.layout.margin.l


def test_letters_can_be_read_and_lines_stand_back_in_both_schemes():
    """WCAG 2.2: 4.5 to 1 for letters; a grid says nothing by itself and stays below 2 to 1."""
    for ink, grid, paper in ((INK, GRID, PAPER), (DARK[INK], DARK[GRID], DARK[PAPER])):
        low, mid, high = sorted(map(brightness, (ink, grid, paper)))
        assert (high + 0.05) / (low + 0.05) > 4.5
        back, front = sorted((brightness(grid), brightness(paper)))
        assert 1.1 < (front + 0.05) / (back + 0.05) < 2


def test_every_colour_of_paper_has_one_for_the_dark():
    assert all(f"light-dark({light}, {dark})" in STYLE for light, dark in DARK.items())
