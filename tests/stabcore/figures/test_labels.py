"""Names beside points: they keep out of each other, of other points and of the edges."""

import numpy as np
import pytest

from stabcore.figures.labels import HEIGHT, LETTER, LINE, PLACES, POINT, WIDTH, places


def boxes(x, y, names, found):
    """(left, right, below, above) of each name in pixels, from scratch."""
    across, up = (np.ptp(x) or 1), (np.ptp(y) or 1)
    made = []
    for a, b, name, place in zip(x, y, names, found):
        a, b, wide = (a - min(x)) / across * WIDTH, (b - min(y)) / up * HEIGHT, LETTER * len(name)
        vertical, horizontal = place.split()
        left = {"left": a - POINT / 2 - wide, "center": a - wide / 2, "right": a + POINT / 2}[horizontal]
        below = {"bottom": b - LINE - POINT / 2, "middle": b - LINE / 2, "top": b + POINT / 2}[vertical]
        made.append((left, left + wide, below, below + LINE))
    return made


def apart(one, other, leading=3):
    """But for the empty space between lines."""
    return any(a <= b + leading for a, b in ((one[1], other[0]), (other[1], one[0]), (one[3], other[2]), (other[3], one[2])))


def test_a_single_point_has_its_name_above():
    assert places([0.3], [0.8], ["lasso"]) == ["top center"]


def test_no_points():
    assert places([], [], []) == []


@pytest.mark.parametrize("gap", [0.0, 0.01, 0.03, 0.08])
def test_names_of_neighbours_do_not_touch(gap):
    """A cluster of three beside two points that say how long the axes are."""
    x, y = [0, 1, 0.5, 0.5 + gap, 0.5 + 2 * gap], [0, 1, 0.5, 0.5, 0.5 - gap]
    names = ["", "", "lasso", "random_forest", "mim"]
    at = boxes(x, y, names, places(x, y, names))[2:]
    assert all(apart(at[i], at[j]) for i in range(3) for j in range(i))


def test_every_place_is_what_plotly_means_by_it():
    """One name in the middle, and points behind seven of the eight places."""
    def middle(place):
        left, right, below, above = boxes([0, 1, 0.5], [0, 1, 0.5], ["", "", "name"], ["top center", "top center", place])[2]
        return (left + right) / 2 / WIDTH, (below + above) / 2 / HEIGHT

    for wanted in PLACES:
        x, y = zip((0, 0), (1, 1), (0.5, 0.5), *(middle(other) for other in PLACES if other != wanted))
        assert places(x, y, ["", "", "name", *[""] * 7])[2] == wanted


def test_a_long_name_at_an_edge_stays_inside():
    found = places([0, 1], [0, 1], ["a_very_long_name_of_a_selector"] * 2)
    assert [place.split()[1] for place in found] == ["right", "left"]
