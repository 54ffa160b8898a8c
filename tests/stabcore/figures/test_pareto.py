"""Fronts: what is drawn stands in the frame, what is said follows from it."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from fronts_support import KEYS, apart, known, named, table

from stabcore.analysis.pareto import guessed
from stabcore.figures import alike, pareto
from stabcore.figures.areas import ALIKE, DARKEST


def test_fronts_draw_one_measure_of_the_frame_with_its_front():
    made = table([0.9, 0.8, 0.7, 0.6, 0.5], [0.2, 0.5, 0.4, 0.9, 0.1], [0.3, np.nan, 0.6, 0.2, 0.7])
    frame = pareto.frame_fronts(made, KEYS, pairs=known(made))
    for key, on, lost in (("nogueira", "abd", ""), ("effective", "ace", "b")):
        figure = pareto.draw_fronts(frame, key)
        own, seen = frame[frame["measure"] == key].set_index("selector"), named(figure)
        names = {one.text: (one.x, one.y) for one in figure.layout.annotations}
        assert names == {label: (trace.x[0], trace.y[0]) for label, trace in seen.items()} and not figure.layout.showlegend
        assert "".join(own.index[own["on_front"]]) == on and set(seen) == set("abcde") - set(lost)
        assert list(figure.data[0].x) == sorted(made.loc[list(on), key])
        for label, trace in seen.items():
            row = own.loc[label]
            assert (trace.x[0], trace.y[0]) == (row["stability"], row["accuracy"]) == (made.loc[label, key],
                                                                                       made.loc[label, "accuracy"])
            assert trace.marker.symbol.endswith("-open") == (label not in on)
            assert (frame.loc[trace.customdata[0], ["selector", "measure"]] == [label, key]).all()
            assert (trace.error_x.array[0], trace.error_x.arrayminus[0]) == pytest.approx((0.03, 0.02))
            assert (trace.error_y.array[0], trace.error_y.arrayminus[0]) == pytest.approx((0.03, 0.02))
        assert pareto.missing(own.reset_index()) == (f"Not drawn, because a criterion is missing: {lost}." if lost else "")
    one, other = (pareto.draw_fronts(frame, key).layout for key in KEYS)
    assert one.yaxis.range == other.yaxis.range and one.xaxis.range == other.xaxis.range


def test_what_is_open_has_a_dot_and_keeps_its_name():
    """b may be as stable as a, and c is beaten by both: only c is clear."""
    made = table([0.9, 0.8, 0.7], [0.5, 0.52, 0.1])
    frame = pareto.frame_fronts(made, ["nogueira"], pairs=known(made, nogueira=0.05))
    assert frame["standing"].tolist() == ["on the front", "open", "beaten"] and frame["on_front"].tolist() == [True, True, False]
    seen = named(pareto.draw_fronts(frame))
    assert [seen[one].marker.symbol for one in "abc"] == ["circle", "square-open-dot", "diamond-open"]
    assert [seen[one].hovertext[0].split("<br>")[-1] for one in "abc"] == ["on the front", "open: on the front or not", "beaten"]
    assert pareto.finding_fronts(frame) == (
        "By Nogueira (classic stability), in these runs no other selector is both more accurate and more stable than a; whether "
        "others beat b, these runs leave open; c is beaten.")


def test_what_cannot_be_told_apart_is_shaded_as_one():
    made = table([0.9, 0.89, 0.6], [0.5, 0.52, 0.1])
    frame = pareto.frame_fronts(made, ["nogueira"], pairs=known(made, 0.05))
    assert frame["alike"].tolist() == ["1", "1", ""]
    (shade,) = [trace for trace in pareto.draw_fronts(frame).data if trace.name == "alike"]
    for x, y in ((0.5, 0.9), (0.52, 0.89)):
        assert min(shade.x) < x < max(shade.x) and min(shade.y) < y < max(shade.y)
    assert min(shade.x) > 0.1, "c is apart"
    assert set(pareto.frame_fronts(made, ["nogueira"])["alike"]) == {""}, "what was not compared is not said to be alike"
    exact = pareto.frame_fronts(made, ["nogueira"], pairs=known(made))
    assert set(exact["alike"]) == {""} and "alike" not in {trace.name for trace in pareto.draw_fronts(exact).data}


def test_a_random_ranking_is_a_tick_at_the_edge_and_the_larger_class_a_line():
    made = table([0.9, 0.8, 0.5], [0.5, 0.6, 0.0], labels=["a", "b", "random"])
    frame = pareto.frame_fronts(made, ["nogueira"], pairs=known(made))
    figure = pareto.draw_fronts(frame, guessed=0.55)
    tick = next(trace for trace in figure.data if trace.name == "random")
    assert tick.x[0] == figure.layout.xaxis.range[0] > 0.4 and tick.y[0] == 0.5 and "stability 0.00" in tick.hovertext[0]
    assert [shape.y0 for shape in figure.layout.shapes] == [0.55]
    assert "always the larger class: 0.55" in [one.text for one in figure.layout.annotations]
    assert not pareto.draw_fronts(frame).layout.shapes


def test_the_larger_class_far_below_is_told_at_the_edge_and_squeezes_nothing():
    made = table([0.97, 0.95, 0.93], [0.5, 0.6, 0.0], labels=["a", "b", "random"])
    frame = pareto.frame_fronts(made, ["nogueira"], pairs=known(made))
    figure, without = pareto.draw_fronts(frame, guessed=0.63), pareto.draw_fronts(frame)
    assert figure.layout.yaxis.range == without.layout.yaxis.range and 0.9 < figure.layout.yaxis.range[0] < 0.93
    assert not figure.layout.shapes
    assert "always the larger class: 0.63 ↓" in [one.text for one in figure.layout.annotations]


@pytest.mark.parametrize(("score", "expected"), [("accuracy", 0.75), ("balanced_accuracy", 0.5), ("auc", 0.5)])
def test_what_guessing_scores(score, expected):
    assert guessed(SimpleNamespace(target=np.array([0, 1, 1, 1])), score) == expected
    assert np.isnan(guessed(SimpleNamespace(), score))


def test_each_axis_says_of_what_its_bars_speak():
    layout = pareto.draw_fronts(pareto.frame_fronts(table([0.9], [0.5]), ["nogueira"])).layout
    assert layout.xaxis.title.text.endswith("(bars: for other resamples)")
    assert layout.yaxis.title.text.endswith("(bars: for new patients)") and layout.margin.l > 80


def test_ellipses_reach_as_far_as_the_intervals_and_beaten_points_can_go():
    made = table([0.9, 0.8], [0.5, 0.4])
    frame = pareto.frame_fronts(made, ["nogueira"], pairs=known(made))
    figure = pareto.draw_fronts(frame, ellipses=True)
    around = [trace for trace in figure.data if trace.fill == "toself"]
    assert len(around) == 2
    ends = sorted((min(t.x), max(t.x), min(t.y), max(t.y)) for t in around)
    assert ends == [pytest.approx((0.38, 0.43, 0.78, 0.83)), pytest.approx((0.48, 0.53, 0.88, 0.93))]
    assert set(named(pareto.draw_fronts(frame, dominated=False))) == {"a"}
    unsure = pareto.frame_fronts(made, ["nogueira"])
    assert set(named(pareto.draw_fronts(unsure, dominated=False))) == {"a", "b"}, "what may be on the front stays"


def test_points_without_intervals_have_no_bars():
    made = table([0.9], [0.5])
    made[["nogueira_low", "nogueira_high"]] = np.nan
    trace = named(pareto.draw_fronts(pareto.frame_fronts(made, ["nogueira"])))["a"]
    assert trace.error_x.array is None and trace.error_y.array is not None and "nan" not in trace.hovertext[0]


def test_the_finding_says_who_is_on_the_front_and_what_changes():
    def said(effective, accuracy=(0.9, 0.8, 0.7), se=0.0):
        made = table(accuracy, [0.5, 0.6, 0.4], effective)
        return pareto.finding_fronts(pareto.frame_fronts(made, KEYS, pairs=known(made, se)))

    assert said([0.9, 0.6, 0.95]) == (
        "By Nogueira (classic stability), in these runs no other selector is both more accurate and more stable than a or b; c is "
        "beaten. By Effective stability, c is now clearly on the front and b is now clearly beaten.")
    assert said(None).endswith("By Effective stability, nothing changes beyond what these runs leave open.")
    assert said([0.9, 0.6, 0.95], se=1) == (
        "By Nogueira (classic stability), these runs leave open whether others beat a, b or c. By Effective stability, nothing "
        "changes beyond what these runs leave open.")
    assert said([np.nan] * 3).endswith("no selector has a stability that is defined.")
    assert said(None, [np.nan] * 3) == "No selector has both an accuracy and a stability yet."
    assert "), a is the only selector that can be placed." in said(None, [0.9, np.nan, np.nan])


def test_equals_are_named_beside_those_that_are_beaten():
    made = table([0.9, 0.9, 0.5], [0.5, 0.5, 0.2])
    frame = pareto.frame_fronts(made, ["nogueira"], pairs=known(made, 0.05))
    assert pareto.finding_fronts(frame).endswith("these runs leave open whether others beat a or b; c is beaten.")
    two = frame.assign(standing=["beaten", "open", "on the front"])
    assert pareto.movement(frame, two) == "c is now clearly on the front and a is now clearly beaten"
    assert pareto.movement(two, frame) == "c is now clearly beaten and it is now open whether others beat a"


def test_areas_that_lie_on_each_other_hide_no_point():
    made = table(np.linspace(0.9, 0.6, 8), np.linspace(0.2, 0.8, 8))
    frame = pareto.frame_fronts(made, ["nogueira"]).assign(alike="1 2 3 4 5 6 7")
    greys = [float(one.fillcolor.split(",")[-1][:-1]) for one in pareto.draw_fronts(frame).data if one.name == "alike"]
    assert len(greys) == 7 and sum(greys) <= DARKEST + 0.01 and greys[0] < ALIKE
    (alone,) = [one for one in pareto.draw_fronts(frame.assign(alike="1")).data if one.name == "alike"]
    assert f"{ALIKE:.3f}" in alone.fillcolor


def test_chosen_selectors_stand_side_by_side():
    made = table([0.9, 0.8, 0.7], [0.5, 0.6, np.nan])
    frame = pareto.frame_fronts(made, ["nogueira"])
    shown = pareto.table_chosen(made, KEYS, frame, ["c", "a", "gone"])
    assert shown["selector"].tolist() == ["c", "a"]
    assert shown["Nogueira (classic stability)"].tolist() == ["undefined", "0.50 [0.48, 0.53]"]
    assert shown["accuracy"].tolist() == ["0.70 [0.68, 0.73]", "0.90 [0.88, 0.93]"]
    assert shown.iloc[:, -1].tolist()[1] == 0 and np.isnan(shown.iloc[0, -1])


def test_among_those_of_one_accuracy_the_most_stable_is_named_if_it_is_clear():
    made = table([0.9, 0.88, 0.5, 0.4], [0.5, 0.7, np.nan, 0.2])
    predicted = apart(made, "accuracy", 0.05).assign(detectable=[0.11, 0.12, 0.13, 0.14, 0.15, 0.16])
    groups = [("a", "b"), ("c",), ("b", "d"), ("a", "b", "c")]

    def said(se, table=made):
        frame = alike.table_alike(groups, predicted, table, "nogueira", apart(table, "nogueira", se))
        return [alike.sentence_alike(own) for _, own in frame.groupby("group")]

    reach = ("cannot be told apart: they may differ by up to 0.12, and only from about 0.11 on would a difference be seen in 8 of "
             "10 such studies.")
    clear = said(0.01)
    assert clear[0] == f"The accuracies of a and b {reach} The most stable of them is b (0.70)."
    assert clear[1] == "The accuracy of c differs from that of every other selector that predicted the same rows."
    assert "up to 0.58, and only from about 0.15 on" in clear[2] and "The most stable of them is b (0.70)." in clear[3]
    assert said(0.2)[0] == f"The accuracies of a and b {reach} None of them is clearly more stable than another."
    predicted = predicted.assign(detectable=np.inf)
    assert "0.12, and on so few patients no difference would be seen, however large. None" in said(0.2)[0]
    three = made.assign(nogueira=[0.5, 0.6, 0.2, 0.1])
    assert said(0.1, three)[3].endswith("None of them is clearly more stable than a or b.")
    assert said(0.1, made.assign(nogueira=np.nan))[0].endswith("None of them has a stability that is defined.")


def test_that_no_selector_is_more_stable_than_without_any_signal_is_said():
    made = table([0.9, 0.8, 0.1], [0.5, 0.52, 0.1])
    frame = pareto.frame_fronts(made, ["nogueira"], pairs=known(made, nogueira=0.05))
    high = frame["stability_low"].max()
    floor = pd.DataFrame({"selector": list("abc"), "floor": high - 0.1, "low": high - 0.2, "high": high + 0.01, "shuffles": 5})
    assert pareto.finding_fronts(frame, floor).endswith(f" {pareto.NOTHING_ABOVE}")
    assert pareto.finding_fronts(frame, floor.assign(selector="").iloc[:1]).endswith(f" {pareto.NOTHING_ABOVE}")
    for other in (None, floor.iloc[:0], floor.iloc[:2].assign(high=high - 0.01), floor.iloc[2:]):
        assert pareto.NOTHING_ABOVE not in pareto.finding_fronts(frame, other)
