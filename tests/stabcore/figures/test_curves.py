"""Curves: what is drawn stands in the frame, and the frame is the profile."""

import numpy as np
import pytest

from stabcore.figures.labels import END_LINE, label_curve_ends
from stabcore.figures.style import blank


@pytest.mark.parametrize("at", [[0.0] * 9, [1.0] * 9, [0.0, 0.01, 0.02, 0.9, 0.99, 1.0], [-0.09, 0.3]])
def test_no_name_at_the_end_of_a_curve_is_on_the_edge_where_it_would_not_be_drawn(at):
    figure = label_curve_ends(blank(height=400).update_xaxes(range=[0, 1]), [
        (f"a selector of {i}", 1.0, y, "#000000") for i, y in enumerate(at)], (-0.1, 1.1))
    margin, places = figure.layout.margin, np.sort(figure.data[-1].y)
    letter = 1.2 / (figure.layout.height - margin.t - margin.b)
    assert places[0] >= -0.1 + END_LINE / 2 * letter - 1e-9 and places[-1] <= 1.1 - END_LINE / 2 * letter + 1e-9
    assert (np.diff(places) >= END_LINE * letter - 1e-9).all()
