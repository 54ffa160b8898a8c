"""Pictures of exhibits: every number of the frame is drawn, by facet and series, and names stay text."""

from types import SimpleNamespace

import pandas as pd
import pytest

from stabcore.plots.lessons import draw_exhibit

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
