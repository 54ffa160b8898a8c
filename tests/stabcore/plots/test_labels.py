"""Positions of names beside points and at the ends of curves."""

from itertools import combinations

import numpy as np
import pytest

from stabcore.plots.labels import AXIS_MARGIN, END_LINE, LABEL_HEIGHT, PLOT_HEIGHT, PLOT_WIDTHS, label_curve_ends, place_labels
from stabcore.plots.names import text_width
from stabcore.plots.style import empty_figure

NAMES = ["lasso", "random_forest", "mim", "gbm", "svm_rfe", "MIM", "CMIM 100%", "mRMR"]


def boxes(x, y, names, shifts, width):
    """(left, right, bottom, top) of each name in pixels of a plot of this width, computed independently."""
    across, up = ((np.array(v) - min(v) + AXIS_MARGIN * np.ptp(v)) / (np.ptp(v) * (1 + 2 * AXIS_MARGIN)) for v in (x, y))
    points = list(zip(across * width, up * PLOT_HEIGHT))
    return [
        (a + right - text_width(name) / 2, a + right + text_width(name) / 2, b + up - LABEL_HEIGHT / 2, b + up + LABEL_HEIGHT / 2)
        for (a, b), (right, up), name in zip(points, shifts, names)
    ]


def overlap(first, second):
    """Area of overlap in square pixels."""
    across, up = min(first[1], second[1]) - max(first[0], second[0]), min(first[3], second[3]) - max(first[2], second[2])
    return max(across, 0) * max(up, 0)


@pytest.mark.parametrize("seed", range(4))
def test_names_overlap_nothing_at_any_width(seed):
    rng = np.random.default_rng(seed)
    x, y = rng.random(8), rng.random(8)
    shifts = place_labels(x, y, NAMES)
    for width in (*PLOT_WIDTHS, 280):
        drawn = boxes(x, y, NAMES, shifts, width)
        crossed = sum(overlap(box, other_box) for box, other_box in combinations(drawn, 2))
        assert crossed <= 60, f"{width} pixels"
        cut = sum(max(-box[0], box[1] - width, -box[2], box[3] - PLOT_HEIGHT, 0) for box in drawn)
        assert cut <= 4, f"{width} pixels"


@pytest.mark.parametrize("heights", [[0.0] * 9, [1.0] * 9, [0.0, 0.01, 0.02, 0.9, 0.99, 1.0], [-0.09, 0.3]])
def test_names_at_ends_of_curves_stay_inside_the_plot(heights):
    figure = label_curve_ends(
        empty_figure(height=400).update_xaxes(range=[0, 1]),
        [(f"a selector of {i}", 1.0, y, "#000000") for i, y in enumerate(heights)],
        (-0.1, 1.1),
    )
    margin, places = figure.layout.margin, np.sort(figure.data[-1].y)
    letter = 1.2 / (figure.layout.height - margin.t - margin.b)
    assert places[0] >= -0.1 + END_LINE / 2 * letter - 1e-9 and places[-1] <= 1.1 - END_LINE / 2 * letter + 1e-9
    assert (np.diff(places) >= END_LINE * letter - 1e-9).all()
