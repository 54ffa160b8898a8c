"""Pictures of exhibits: every number of the frame is drawn, by facet and series, and names stay text."""

from types import SimpleNamespace

import pandas as pd
import pytest

from stabcore.plots.papers import draw_exhibit

FRAME = pd.DataFrame(
    {"series": ["a", "a", "<b>", "<b>"], "facet": ["one", "two", "one", "two"], "x": [1, 2, 1, 3], "y": [0.1, 0.2, 0.3, 0.4]}
)


def exhibit(**other):
    return SimpleNamespace(**{"x": ("x", "X"), "y": ("y", "Y"), "facet": "", "log": (), **other})


@pytest.mark.parametrize("facet", ["", "facet"])
def test_every_number_of_the_frame_is_drawn_once(facet):
    figure = draw_exhibit(FRAME, exhibit(facet=facet))
    assert sorted(y for trace in figure.data for y in trace.y) == list(FRAME["y"])
    assert not any("<b>" in str(trace.name) for trace in figure.data)
    assert len({trace.xaxis for trace in figure.data}) == (2 if facet else 1)


def test_an_axis_is_logarithmic_where_the_exhibit_says_so():
    figure = draw_exhibit(FRAME, exhibit(log=("x",)))
    assert figure.layout.xaxis.type == "log" and figure.layout.yaxis.type != "log"


def test_what_a_colour_means_stands_above_small_pictures_too():
    layout = draw_exhibit(FRAME, exhibit(facet="facet")).layout
    assert layout.legend.yref == "container" and 0.8 < layout.legend.y < 1


def test_what_a_colour_means_stands_inside_the_picture():
    """Where all pictures have their legend: one moved by the axes lay outside, and colours meant nothing."""
    many = pd.concat([FRAME.assign(series=f"{number}") for number in range(11)])
    few, layout = draw_exhibit(FRAME, exhibit()).layout, draw_exhibit(many, exhibit()).layout
    assert 0 < layout.legend.y < 1 and layout.legend.yref == "container" and layout.height > few.height
