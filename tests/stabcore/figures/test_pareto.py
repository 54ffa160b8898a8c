"""Fronts, compromises, changes, sizes and several studies: what is drawn stands in the frame, what is said follows from it."""

import json
from itertools import combinations
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

import stabcore as sc
from stabcore.analysis.pareto import guessed
from stabcore.figures import alike, changes, compromise, pareto, sizes, studies

KEYS = ["nogueira", "effective"]


def table(accuracy, nogueira, effective=None, size=5.0, labels="abcdefgh"):
    """A result table as the pages have it, every interval ± 0.02 by − and ± 0.03 by +."""
    columns = {}
    effective = nogueira if effective is None else effective
    for key, values in (("accuracy", accuracy), ("nogueira", nogueira), ("effective", effective)):
        values = np.array(values, dtype=float)
        columns |= {key: values, f"{key}_low": values - 0.02, f"{key}_high": values + 0.03}
    return pd.DataFrame({**columns, "mean_size": size}, index=pd.Index(list(labels)[:len(accuracy)], name="selector"))


def apart(made, column, se=0.0):
    """Every two rows compared by a column: clear where they differ by more than 2 se; at se 0 by anything."""
    rows = [(a, b, made.loc[a, column] - made.loc[b, column]) for a, b in combinations(made.index, 2)]
    return pd.DataFrame([(a, b, gap, gap - 2 * se, gap + 2 * se, np.nan if np.isnan(gap) else 0.01 if abs(gap) > 2 * se else 0.9)
                         for a, b, gap in rows], columns=["first", "second", "difference", "low", "high", "p_holm"])


def known(made, se=0.0, **own):
    """{column: every two rows compared}, with a standard error for all or one's own for some."""
    named = {"nogueira": "nogueira", "effective": "effective", "accuracy": "accuracy", "size": "mean_size"}
    return {name: apart(made, column, own.get(name, se)) for name, column in named.items()}


def drawn(figure):
    return json.loads(figure.to_json())["data"]


def named(figure):
    return {trace.legendgroup: trace for trace in figure.data if trace.legendgroup}


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
    assert pareto.finding_fronts(frame) == ("By Nogueira (classic stability), no other selector is both more accurate and more "
                                            "stable than a; whether others beat b, these runs leave open.")


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
        "By Nogueira (classic stability), no other selector is both more accurate and more stable than a or b. By Effective "
        "stability, c is now clearly on the front and b is now clearly beaten.")
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


# ---- compromise ----

@pytest.mark.parametrize("gamma", [0.0, 0.3, 0.5, 0.77, 1.0])
def test_the_compromise_is_the_largest_weighted_sum(gamma):
    rng = np.random.default_rng(3)
    accuracy, stability = rng.random(8), rng.random(8)
    made = table(accuracy, stability)
    frame = compromise.frame_compromise(made, "nogueira", gamma=gamma, pairs=known(made))
    best = "abcdefgh"[int((gamma * accuracy + (1 - gamma) * stability).argmax())]
    assert frame.loc[frame["chosen"], "selector"].tolist() == [best]
    figure = compromise.draw_compromise(frame)
    ring = next(trace for trace in figure.data if trace.name == "chosen")
    row = frame.set_index("selector").loc[best]
    assert (ring.x[0], ring.y[0]) == (row["stability"], row["accuracy"])
    said = compromise.finding_compromise(frame, gamma)
    level = frame[frame["level"] & ~frame["chosen"]]["selector"].tolist()
    assert said.startswith(f"With γ = {gamma:.2f}, {best} " + (
        "scores most, but" if level else f"is the choice; it stands for γ from {row['gamma_low']:.2f}"))
    weights, chosen = np.array([gamma, 1 - gamma]), "abcdefgh".index(best)
    for i, label in enumerate("abcdefgh"):              # known exactly: only what costs as much as it gives is level
        gap = (weights * [accuracy[chosen] - accuracy[i], stability[chosen] - stability[i]]).sum()
        assert (label in level) == (gap <= 0 and label != best)


def test_whoever_cannot_be_told_from_the_choice_is_named():
    made = table([0.9, 0.85, 0.3], [0.5, 0.52, 0.1])

    def said(gamma, **se):
        frame = compromise.frame_compromise(made, "nogueira", gamma=gamma, pairs=known(made, **se))
        return compromise.finding_compromise(frame, gamma)

    assert said(0.5, se=0.05) == "With γ = 0.50, a scores most, but b cannot be told apart from it: either may be the choice."
    assert said(0.5, se=0.005).startswith("With γ = 0.50, a is the choice")
    assert said(1.0, accuracy=0.005, nogueira=9).startswith("With γ = 1.00, a is the choice"), "what has no weight does not count"
    assert said(0.5, se=9).endswith("but b and c cannot be told apart from it: any of them may be the choice.")


def test_the_reach_of_every_choice_is_drawn_and_told():
    made = table([1.0, 0.9, 0.5, 0.6, 0.1], [0.0, 0.5, 0.9, 0.6, 0.1])
    frame = compromise.frame_compromise(made, "nogueira", pairs=known(made))
    reach = compromise.frame_reach(frame)
    assert reach["selector"].tolist() == ["c", "b", "a"] and reach["gamma_high"].tolist()[:2] == reach["gamma_low"].tolist()[1:]
    figure = compromise.draw_reach(reach, 0.5)
    assert [tuple(trace.x) for trace in figure.data] == [tuple(row) for row in reach[["gamma_low", "gamma_high"]].to_numpy()]
    said = compromise.sentences_reach(frame)
    assert said == ["c for γ from 0.00 to 0.50.", "b for γ from 0.50 to 0.83.", "a for γ from 0.83 to 1.00.",
                    "d is on the front but below the line that joins the others: never chosen by any γ."]
    assert list(figure.layout.yaxis.ticktext) == ["c", "b", "a"]
    unsure = compromise.sentences_reach(compromise.frame_compromise(made, "nogueira", pairs=known(made, 0.1)))
    assert unsure[:4] == said and unsure[4] == (
        "That a and d are on the front may be chance, and so may their ranges: these runs leave open whether others beat them.")


def test_compromises_of_one_selector_and_of_nothing():
    one = compromise.frame_compromise(table([0.5], [0.5]), "nogueira")
    assert compromise.finding_compromise(one, 0.5) == "a is the choice however much accuracy counts against stability."
    nothing = compromise.frame_compromise(table([np.nan], [0.5]), "nogueira")
    assert compromise.finding_compromise(nothing, 0.5) == "No selector has both an accuracy and a stability yet."
    drawn(compromise.draw_compromise(nothing))
    drawn(compromise.draw_reach(compromise.frame_reach(nothing), 0.5))
    equal = compromise.frame_compromise(table([0.5, 0.5], [0.5, 0.5]), "nogueira")
    assert "a and b are equally good choices" in compromise.finding_compromise(equal, 0.5)


# ---- changes ----

def test_changes_draw_a_dumbbell_from_before_to_after():
    made = table([0.9, 0.8, 0.7, 0.6], [0.5, 0.6, 0.4, 0.2], [0.9, 0.6, 0.95, np.nan])
    frame = changes.frame_changes(made, *KEYS, pairs=known(made))
    assert frame.set_index("selector")["change"].to_dict() == {"a": "stays", "b": "leaves", "c": "enters", "d": ""}
    assert changes.finding_changes(frame, *KEYS) == (
        "From Nogueira (classic stability) to Effective stability, c is now clearly on the front and b is now "
        "clearly beaten.")
    figure = changes.draw_changes(frame, *KEYS)
    bars = {round(trace.y[0]): tuple(trace.x) for trace in figure.data if trace.mode == "lines"}
    assert bars == {0: (0.6, 0.6), 1: (0.5, 0.9), 2: (0.4, 0.95)}, "the highest after on top; what has no value is not drawn"
    assert list(figure.layout.yaxis.ticktext) == ["b<br>(leaves)", "a", "c<br>(enters)"]
    ends = [trace for trace in figure.data if trace.mode == "markers"]
    assert [(one.x[0], one.marker.symbol.endswith("-open")) for one in ends[-2:]] == [(0.4, True), (0.95, False)]
    assert all(one.error_x.array[0] == pytest.approx(0.03) and one.error_x.arrayminus[0] == pytest.approx(0.02) for one in ends)
    assert {frame.loc[one.customdata[0], "selector"] for one in ends} == set("abc")
    unsure = changes.frame_changes(made, *KEYS)
    assert list(changes.draw_changes(unsure, *KEYS).layout.yaxis.ticktext) == ["b<br>(leaves?)", "a", "c<br>(enters?)"]
    assert changes.finding_changes(unsure, *KEYS).endswith("nothing changes beyond what these runs leave open.")
    assert "cannot be compared" in changes.finding_changes(changes.frame_changes(made.assign(effective=np.nan), *KEYS), *KEYS)


# ---- size ----

def test_size_is_a_criterion_in_which_less_is_better():
    made = table([0.9, 0.9, 0.8, 0.7], [0.5, 0.5, 0.6, 0.6], size=[5.0, 4.0, 9.0, 9.0])
    frame = sizes.frame_space(made, "nogueira", pairs=known(made))
    expected = sc.front(pd.DataFrame({"x": made["accuracy"], "y": made["nogueira"], "z": -made["mean_size"]}), ("x", "y", "z"))
    assert frame["on_front"].tolist() == expected["on_front"].tolist() == [False, True, True, False]
    assert sizes.finding_space(frame) == "No other selector is at once more accurate, more stable and smaller than b or c."
    unsure = sizes.frame_space(made, "nogueira", pairs=known(made, size=1))
    assert unsure["standing"].tolist() == ["open", "open", "on the front", "beaten"]
    for trace, row in zip(sizes.draw_space(frame, ("size", "stability", "accuracy")).data, frame.itertuples(), strict=True):
        assert (trace.x[0], trace.y[0], trace.z[0]) == (row.size, row.stability, row.accuracy)
        assert trace.marker.symbol.endswith("-open") == (not row.on_front)
    seen = named(sizes.draw_space(frame, ("size", "accuracy")))
    assert {label: (trace.x[0], trace.y[0]) for label, trace in seen.items()} == {
        row.selector: (row.size, row.accuracy) for row in frame.itertuples()}


def test_without_accuracy_stability_and_size_remain():
    made = table([np.nan] * 3, [0.5, 0.6, 0.4], size=[4.0, 6.0, 7.0])
    frame = sizes.frame_space(made, "nogueira", pairs=known(made))
    assert frame["on_front"].tolist() == [True, True, False]
    assert sizes.finding_space(frame) == "No other selector is at once more stable and smaller than a or b."
    assert len(sizes.frame_sizes(made, "nogueira")) == 3


@pytest.mark.parametrize(("margin", "kept", "on"), [(0.05, "ab", "ab"), (0.0, "a", "a"), (0.3, "abc", "abc"), (0.04, "a", "a")])
def test_only_the_accurate_compete_for_size(margin, kept, on):
    made = table([0.95, 0.9, 0.7, 0.2], [0.5, 0.6, 0.9, 0.95], size=[4.0, 6.0, 7.0, 1.0])
    frame = sizes.frame_sizes(made, "nogueira", margin=margin)
    assert "".join(frame["selector"]) == kept and "".join(frame[frame["on_front"]]["selector"]) == on
    assert sizes.finding_sizes(frame, margin, 4).startswith(f"Of {len(kept)} of 4 selectors measured within {margin:g} of the best "
                                                              "accuracy, ")
    assert list(sizes.draw_sizes(frame).data[0].x) == sorted(frame[frame["on_front"]]["size"])


# ---- studies ----

def test_studies_are_laid_over_each_other_and_ranks_are_averaged():
    tables = {"one": table([0.9, 0.8, 0.7], [0.9, 0.8, 0.7]), "two": table([0.5, 0.6, 0.7], [0.5, 0.6, 0.7]),
              "three": table([0.9, np.nan], [0.8, 0.3], labels="ad")}
    frame = studies.frame_studies(tables, "nogueira")
    ranks = studies.table_ranks(frame).set_index("selector")
    assert ranks.loc["a", ["beaten_by", "on_front", "counted"]].tolist() == [2 / 3, 2, 3]
    assert ranks.loc["b", ["rank", "counted"]].tolist() == [2, 2] and ranks.loc["d", ["counted", "missing"]].tolist() == [0, 1]
    assert studies.finding_studies(frame) == "Over 3 of 3 studies, a is dominated least, by 0.67 other selectors on average."
    figure = studies.draw_studies(frame)
    mean, *each = figure.data
    assert list(figure.layout.yaxis.ticktext) == ["c", "b", "a"] and list(mean.x) == [1, 1, 2 / 3] and len(each) == 3
    for trace, (study, own) in zip(each, frame.dropna(subset="beaten_by").groupby("study", sort=False), strict=True):
        assert list(trace.x) == own["beaten_by"].tolist() and trace.name == study
        assert [not one.endswith("-open") for one in trace.marker.symbol] == own["on_front"].tolist()
        assert [round(y) for y in trace.y] == [["c", "b", "a"].index(one) for one in own["selector"]]
    nothing = studies.frame_studies({"one": table([np.nan], [0.5])}, "nogueira")
    assert studies.finding_studies(nothing).startswith("No selector has both")
