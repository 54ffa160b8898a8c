"""Names beside points: they keep out of each other, of other points and of the edges, or are not written."""

from itertools import combinations

import numpy as np
import pytest

from stabcore.figures import labels
from stabcore.figures.labels import HEIGHT, LETTER, LINE, MOST, PLACES, POINT, WIDTH, places


def boxes(x, y, words, found):
    """(left, right, below, above) of each name in pixels, from scratch."""
    across, up = (np.ptp(x) or 1), (np.ptp(y) or 1)
    made = []
    for a, b, word, place in zip(x, y, words, found):
        a, b, wide = (a - min(x)) / across * WIDTH, (b - min(y)) / up * HEIGHT, LETTER * len(word)
        vertical, horizontal = place.split()
        left = {"left": a - POINT / 2 - wide, "center": a - wide / 2, "right": a + POINT / 2}[horizontal]
        below = {"bottom": b - LINE - POINT / 2, "middle": b - LINE / 2, "top": b + POINT / 2}[vertical]
        made.append((left, left + wide, below, below + LINE))
    return made


def area(box):
    return (box[1] - box[0]) * (box[3] - box[2])


def over(one, other):
    """Square pixels in both."""
    across, up = min(one[1], other[1]) - max(one[0], other[0]), min(one[3], other[3]) - max(one[2], other[2])
    return max(across, 0) * max(up, 0)


def test_a_single_point_has_its_name_above():
    assert places([0.3], [0.8], ["lasso"]) == (["lasso"], ["top center"])


def test_no_points():
    assert places([], [], []) == ([], [])


@pytest.mark.parametrize("seed", range(20))
def test_names_that_are_written_hardly_touch_others_or_points(seed):
    rng = np.random.default_rng(seed)
    x, y = rng.random(12) ** 3, rng.random(12)
    names = ["lasso", "random_forest", "mim", "gbm", "svm_rfe", "jmi"] * 2
    words, at = places(x, y, names)
    assert all(word in ("", name) for word, name in zip(words, names)) and any(words)
    drawn = [box for box, word in zip(boxes(x, y, words, at), words) if word]
    assert all(over(one, other) <= MOST * max(area(one), area(other)) for one, other in combinations(drawn, 2))
    half, pixels = POINT / 2, zip((x - x.min()) / np.ptp(x) * WIDTH, (y - y.min()) / np.ptp(y) * HEIGHT)
    points = [(a - half, a + half, b - half, b + half) for a, b in pixels]
    assert all(over(box, point) <= MOST * area(box) + 1e-9 for box in drawn for point in points)


def test_names_with_room_around_them_are_all_written():
    names = ["lasso", "random_forest", "mim", "gbm"]
    assert places([0, 0.4, 0.7, 1], [1, 0.7, 0.4, 0], names)[0] == names


def test_where_everything_lies_together_legends_tell_the_names():
    x, y = [0, 1, *[0.5] * 12], [0, 1, *[0.5] * 12]
    assert not any(places(x, y, ["", "", *["a_long_name"] * 12])[0])


def test_a_name_is_not_written_where_it_would_be_taken_for_another_points():
    beside = 30 / WIDTH
    assert places([0, 1, 0.5, 0.5 + beside], [0, 1, 0.5, 0.5], ["", "", "a_long_name", ""])[1][2].endswith("left")


def test_every_place_is_what_plotly_means_by_it(monkeypatch):
    """One name in the middle, and points behind seven of the eight places."""
    def middle(place):
        left, right, below, above = boxes([0, 1, 0.5], [0, 1, 0.5], ["", "", "name"], ["top center", "top center", place])[2]
        return (left + right) / 2 / WIDTH, (below + above) / 2 / HEIGHT

    monkeypatch.setattr(labels, "NEAR", POINT)
    for wanted in PLACES:
        x, y = zip((0, 0), (1, 1), (0.5, 0.5), *(middle(other) for other in PLACES if other != wanted))
        assert places(x, y, ["", "", "name", *[""] * 7])[1][2] == wanted


def test_a_name_keeps_off_the_bars():
    at = [0.5, 0, 1], [0.5, 0, 1], ["cmim", "", ""]
    cross = np.array([[0.2, 0.8], [np.nan] * 2, [np.nan] * 2])
    assert places(*at, cross, None)[1][0] == "top center"
    assert places(*at, None, cross)[1][0] == "middle right"
    assert places(*at, cross, cross)[1][0] == "top right"
    neighbour = np.array([[0.2, 0.8], [0, 1], [np.nan] * 2]), np.array([[0.2, 0.8], [np.nan] * 2, [0.5, 1]])
    assert places(*at, *neighbour)[0][0] == "cmim"
    assert places([0.3], [0.8], ["lasso"], np.empty((1, 0)), [[0.8, 0.8]]) == (["lasso"], ["top center"])


def test_a_long_name_at_an_edge_stays_inside():
    _, at = places([0, 1], [0, 1], ["a_very_long_name"] * 2)
    assert [place.split()[1] for place in at] == ["right", "left"]


def test_names_that_are_too_near_are_pushed_apart_as_little_as_possible():
    assert labels.spread([0, 100, 50], 10, 0, 200).tolist() == [0, 100, 50], "those with room stay"
    assert labels.spread([50, 50], 10, 0, 200).tolist() == [45, 55] and labels.spread([52, 50], 10, 0, 200).tolist() == [56, 46]
    assert labels.spread([0, 1, 2], 10, 0, 200).tolist() == [0, 10, 20], "never beyond the beginning"
    assert labels.spread([199, 200], 10, 0, 200).tolist() == [190, 200], "nor beyond the end"
    assert len(labels.spread([], 10, 0, 200)) == 0
    rng = np.random.default_rng(0)
    made = np.sort(labels.spread(rng.uniform(0, 100, 30), 10, 0, 500))
    assert (np.diff(made) >= 10 - 1e-9).all()
