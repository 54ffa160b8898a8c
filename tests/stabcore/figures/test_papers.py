"""Pictures of exhibits: every number of the frame is drawn, by facet and series, and names stay text."""

from types import SimpleNamespace

import pandas as pd
import pytest

from stabcore.figures.papers import draw_exhibit
from stabcore.papers.exhibit import BOXES, GRID, LINES, MATRIX, POINTS

FRAME = pd.DataFrame({"series": ["a", "a", "<b>", "<b>"], "facet": ["one", "two", "one", "two"], "x": [1, 2, 1, 3],
                      "y": [0.1, 0.2, 0.3, 0.4], "value": 1.0})


def exhibit(kind, **other):
    return SimpleNamespace(**{"kind": kind, "x": ("x", "X"), "y": ("y", "Y"), "series": "series", "facet": "", "log": (), **other})


@pytest.mark.parametrize("kind, facet", [(POINTS, ""), (POINTS, "facet"), (LINES, ""), (LINES, "facet"), (BOXES, ""),
                                         (GRID, "facet")])
def test_every_number_of_the_frame_is_drawn_once(kind, facet):
    figure = draw_exhibit(FRAME, exhibit(kind, facet=facet))
    assert sorted(y for trace in figure.data for y in trace.y) == list(FRAME["y"])
    assert not any("<b>" in str(trace.name) for trace in figure.data)
    assert len({trace.xaxis for trace in figure.data}) == (2 if facet else 1)


def test_an_axis_is_logarithmic_where_the_exhibit_says_so():
    figure = draw_exhibit(FRAME, exhibit(LINES, log=("x",)))
    assert figure.layout.xaxis.type == "log" and figure.layout.yaxis.type != "log"


def test_measures_against_each_other_are_coloured_by_the_logarithm_of_the_size():
    frame = pd.DataFrame({"selector": ["p", "<i>"], "SJ": [0.1, 0.2], "SC": [0.4, 0.3], "SL": [1.0, 1.0], "size": [1.0, 100.0]})
    figure = draw_exhibit(frame, exhibit(MATRIX, x=("SJ SC SL", ""), y=("size", "Size")))
    assert [trace.type for trace in figure.data] == ["scatter"] * 3, "without WebGL"
    assert list(figure.data[0].x) == [0.1, 0.2] and list(figure.data[0].y) == [0.4, 0.3]
    assert list(figure.data[0].marker.color) == [0.0, 2.0] and "<i>" not in figure.data[0].text
    assert [one.text for one in figure.layout.annotations] == ["SJ", "-1.00", "–", "SC", "–", "SL"]


def test_what_a_colour_means_stands_above_small_pictures_too():
    layout = draw_exhibit(FRAME, exhibit(POINTS, facet="facet")).layout
    assert layout.legend.yref == "container" and 0.8 < layout.legend.y < 1


def test_what_a_colour_means_stands_inside_the_picture():
    """Where all pictures have their legend: one moved by the axes lay outside, and colours meant nothing."""
    many = pd.concat([FRAME.assign(series=f"{number}") for number in range(11)])
    for kind in (POINTS, LINES):
        few, layout = draw_exhibit(FRAME, exhibit(kind)).layout, draw_exhibit(many, exhibit(kind)).layout
        assert 0 < layout.legend.y < 1 and layout.legend.yref == "container" and layout.height > few.height
