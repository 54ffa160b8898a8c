"""Pareto fronts and the weighted choice: figures, sentences, and no leader without evidence."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from figure_support import drawn as as_sent
from pareto_support import floors_of, named, row_pairs, table
from snapshot_support import check_snapshot

from stabcore.analysis.noise_floors import beyond_floor, tied_groups
from stabcore.analysis.pareto import DOMINATED, NOT_DISTINGUISHABLE, ON_FRONT
from stabcore.inference.predictions import default_score, guessing_score
from stabcore.plots import front_comparison, pareto, weighted_choice
from stabcore.plots.pareto_points import NOT_MEASURED, describe_missing, describe_movement


def framed(made, se=0.0, key="nogueira", **options):
    return pareto.frame_fronts(made, key, pairs=row_pairs(made, se, **options))


def test_fronts_use_stability_beyond_the_noise_floor():
    made = table([0.9, 0.8], [0.5, 0.3], floor=None)
    floors = floors_of(made, "nogueira").assign(floor=[0.45, 0.1])
    floors = floors.assign(beyond=made["nogueira"] - floors["floor"], beyond_low=0.01, beyond_high=0.3)
    frame = framed(beyond_floor(made, {"nogueira": floors}))
    assert frame["stability"].tolist() == pytest.approx([0.05, 0.2]) and frame["measured"].tolist() == [0.5, 0.3]
    assert frame["floor"].tolist() == [0.45, 0.1] and frame["stability_low"].tolist() == [0.01, 0.01]
    assert frame["on_front"].tolist() == [True, True], "as measured a would dominate b"


def test_fronts_without_shuffles_use_measured_stability():
    made = table([0.9, 0.8], [0.5, 0.3], floor=None)
    assert made["nogueira_floor"].isna().all() and made["nogueira"].tolist() == [0.5, 0.3]
    frame = framed(made)
    assert frame["floor"].isna().all() and not frame["clear"].any() and set(frame["standing"]) == {NOT_DISTINGUISHABLE}
    assert pareto.finding_fronts(frame) == NOT_MEASURED


def test_ties_are_the_longest_sets_without_clear_differences():
    values, clear = np.array([0.3, 0.1, 0.2, np.nan, 0.4]), np.zeros((5, 5), dtype=bool)
    assert tied_groups(values, clear) == [(1, 2, 0, 4)]
    clear[0, 1] = clear[4, 1] = clear[4, 2] = True
    assert tied_groups(values, clear) == [(1, 2), (2, 0), (0, 4)], "in order of the values, without the missing one"
    assert tied_groups(values[:1], clear[:1, :1]) == [] == tied_groups(values, ~np.eye(5, dtype=bool))


def test_no_selector_leads_when_none_predicts_better_than_guessing():
    made = table([0.9, 0.8, 0.7], [0.5, 0.6, 0.4])

    def framed_by(**better):
        guessing = pd.DataFrame({"better": pd.Series(better, dtype="boolean")})
        return pareto.frame_fronts(made, "nogueira", pairs=row_pairs(made), guessing=guessing)

    def sentence(**better):
        return pareto.finding_fronts(framed_by(**better))

    def filled(**better):
        points = named(pareto.draw_fronts(framed_by(**better)))
        return {label for label, trace in points.items() if trace.marker.symbol == "circle"}

    useless = pareto.NO_BETTER_THAN_GUESSING
    assert sentence(a=False, b=False, c=False) == useless
    assert sentence(a=False, b=True, c=False) != useless != sentence(a=pd.NA, b=pd.NA, c=pd.NA)
    assert not filled(a=False, b=False, c=False) and filled(a=False, b=True, c=False) == {"b"}
    assert filled(a=pd.NA, b=pd.NA, c=pd.NA) == {"a", "b"}


def test_sentences_name_the_leaders_in_both_criteria():
    """Clear differences are not transitive: in the last two, b is clearly above c, but a is not, or not above both."""
    sentences = []
    for accuracy, stability, clear in (
        *(([0.9, 0.9, 0.9], [0.5, 0.5, 0.5], True), ([0.9, 0.8, 0.7], [0.5, 0.5, 0.5], True)),
        *(([0.9, 0.9, 0.9], [0.4, 0.5, 0.5], True), ([0.9, 0.8, 0.7], [0.4, 0.6, 0.5], True)),
        *(([0.9, 0.8, 0.7], [0.4, 0.6, 0.5], [True, False, True]), ([0.9, 0.8, 0.7], [0.5, 0.6, 0.4], False)),
    ):
        sentences.append(pareto.finding_fronts(framed(table(accuracy, stability).assign(nogueira_clear=clear)), "auc"))
    made = table([0.9, 0.8, 0.7], [0.5, 0.5, 0.5])
    for uncertain in (["b"], ["b", "c"]):
        pairs = row_pairs(made)
        unclear = (pairs["accuracy"]["first"] == "a") & pairs["accuracy"]["second"].isin(uncertain)
        pairs["accuracy"] = pairs["accuracy"].assign(p_holm=pairs["accuracy"]["p_holm"].mask(unclear, 0.5))
        sentences.append(pareto.finding_fronts(pareto.frame_fronts(made, "nogueira", pairs=pairs)))
    assert all(len(sentence.split()) <= 30 for sentence in sentences)
    before, after = (framed(table([0.9, 0.8, 0.7], [0.5, *others])) for others in ([0.6, 0.4], [0.4, 0.6]))
    sentences += [describe_movement(before, after), describe_movement(after, after)]
    check_snapshot("plots/fronts", "\n".join(sentences))


def test_points_match_the_frame_and_only_the_front_is_filled():
    made = table([0.9, 0.8, 0.7, 0.6, 0.5], [0.2, 0.5, 0.4, 0.9, 0.1], [0.3, np.nan, 0.6, 0.2, 0.7])
    for key, on, lost in (("nogueira", "abd", ""), ("effective", "ace", "b")):
        frame = framed(made, key=key)
        figure, rows = pareto.draw_fronts(frame), frame.set_index("selector")
        seen = named(figure)
        assert "".join(rows.index[rows["on_front"]]) == on and set(seen) == set("abcde") - set(lost)
        steps = figure.data[0]
        assert list(steps.x) == sorted(made.loc[list(on), key]) and steps.line.shape == "vh"
        for label, trace in seen.items():
            row = rows.loc[label]
            assert (trace.x[0], trace.y[0]) == (row["stability"], row["accuracy"])
            assert trace.marker.symbol == ("circle" if label in on else "circle-open")
            assert frame.loc[trace.customdata[0], "selector"] == label and f"{row['stability']:.2f}" in trace.text[0]
            assert (trace.error_x.array[0], trace.error_x.arrayminus[0]) == pytest.approx((0.03, 0.02))
            assert trace.error_y.array is None, "the uncertainty of accuracies stands once, at the right"
        assert describe_missing(frame).endswith(f": {lost}." if lost else "") and bool(describe_missing(frame)) == bool(lost)


@pytest.mark.parametrize("seed", range(3))
def test_front_and_chosen_selectors_are_named_among_many(seed):
    rng, labels = np.random.default_rng(seed), [f"method {number}" for number in range(20)]
    made = table(0.7 + 0.1 * rng.random(20), 0.1 + 0.4 * rng.random(20), labels=labels)
    frame = framed(made, 0.05)
    asked = {*frame[frame["on_front"]]["selector"], *frame[~frame["on_front"]]["selector"].iloc[:2]}
    drawn = pareto.draw_fronts(frame, chosen=asked)
    assert asked <= {annotation.text.removeprefix("<b>").removesuffix("</b>") for annotation in drawn.layout.annotations}


def test_scores_of_guessing_and_default_scores():
    """Balanced accuracy is the default if one class has more than 60% of the rows."""
    for score, expected in (("accuracy", 0.75), ("balanced_accuracy", 0.5), ("auc", 0.5)):
        assert guessing_score(SimpleNamespace(target=np.array([0, 1, 1, 1])), score) == expected
        for unknown in (SimpleNamespace(), SimpleNamespace(target=np.array([0.1, 0.2]))):
            assert np.isnan(guessing_score(unknown, score))
    only = pd.DataFrame({"accuracy": [0.5], "balanced_accuracy": [np.nan], "auc": [np.nan]})
    for target, balanced in (([0, 1] * 5, ""), ([0] * 6 + [1] * 4, ""), ([0] * 7 + [1] * 3, "balanced_"), ([0.5, 0.7], "")):
        result = SimpleNamespace(target=np.array(target))
        assert default_score(result) == f"{balanced}accuracy" and default_score(result, only) == "accuracy"
        assert default_score(result, only * np.nan) == ""


@pytest.mark.parametrize("gamma", [0.0, 0.77, 1.0])
def test_the_compromise_is_the_largest_weighted_sum(gamma):
    rng = np.random.default_rng(3)
    accuracy, stability = rng.random(8), rng.random(8)
    made = table(accuracy, stability)
    frame = weighted_choice.frame_weighted_choice(made, "nogueira", gamma=gamma, pairs=row_pairs(made))
    best = "abcdefgh"[int((gamma * accuracy + (1 - gamma) * stability).argmax())]
    assert frame.loc[frame["chosen"], "selector"].tolist() == [best]
    figure = weighted_choice.draw_weighted_choice(frame)
    ring = next(trace for trace in figure.data if trace.name == "chosen")
    row = frame.set_index("selector").loc[best]
    assert (ring.x[0], ring.y[0]) == (row["stability"], row["accuracy"])
    level = frame[frame["level"] & ~frame["chosen"]]["selector"].tolist()
    weights, chosen = np.array([gamma, 1 - gamma]), "abcdefgh".index(best)
    for i, label in enumerate("abcdefgh"):  # known exactly: only an equal weighted sum is level
        gap = (weights * [accuracy[chosen] - accuracy[i], stability[chosen] - stability[i]]).sum()
        assert (label in level) == (gap <= 0 and label != best)


def test_size_is_a_criterion_in_which_less_is_better():
    made = table([0.9, 0.9, 0.8, 0.7], [0.5, 0.5, 0.6, 0.6], size=[5.0, 4.0, 9.0, 9.0])
    frame = pareto.frame_space(made, "nogueira", pairs=row_pairs(made))
    assert frame["on_front"].tolist() == [False, True, True, False]
    unsure = pareto.frame_space(made, "nogueira", pairs=row_pairs(made, size=1))
    assert unsure["standing"].tolist() == [NOT_DISTINGUISHABLE, NOT_DISTINGUISHABLE, ON_FRONT, DOMINATED]
    seen = {label: (trace.x[0], trace.y[0]) for label, trace in named(pareto.draw_space(frame, ("size", "accuracy"))).items()}
    assert seen == {row.selector: (row.size, row.accuracy) for row in frame.itertuples()}


@pytest.mark.parametrize(("margin", "rivals", "on"), [(0.05, "ab", "ab"), (0.0, "a", "a"), (0.3, "abc", "abc"), (0.04, "a", "a")])
def test_only_the_accurate_compete_for_size(margin, rivals, on):
    made = table([0.95, 0.9, 0.7, 0.2], [0.5, 0.6, 0.9, 0.95], size=[4.0, 6.0, 7.0, 1.0])
    frame = pareto.frame_sizes(made, "nogueira", margin=margin)
    assert "".join(frame["selector"]) == rivals and "".join(frame[frame["on_front"]]["selector"]) == on
    assert list(pareto.draw_sizes(frame).data[0].x) == sorted(frame[frame["on_front"]]["size"])


def test_ranks_are_averaged_over_studies():
    tables = {
        "one": table([0.9, 0.8, 0.7], [0.9, 0.8, 0.7]),
        "two": table([0.5, 0.6, 0.7], [0.5, 0.6, 0.7]),
        "three": table([0.9, np.nan], [0.8, 0.3], labels="ad"),
    }
    frame = front_comparison.frame_studies(tables, "nogueira")
    ranks = front_comparison.table_ranks(frame).set_index("selector")
    assert ranks.loc["a", ["dominated_by", "on_front", "counted"]].tolist() == [2 / 3, 2, 3]
    assert ranks.loc["b", ["rank", "counted"]].tolist() == [2, 2] and ranks.loc["d", ["counted", "missing"]].tolist() == [0, 1]
    figure = front_comparison.draw_studies(frame)
    mean, *each = figure.data
    assert list(figure.layout.yaxis.ticktext) == ["c", "b", "a"] and list(mean.x) == [1, 1, 2 / 3] and len(each) == 3
    for trace, (study, rows) in zip(each, frame.dropna(subset="dominated_by").groupby("study", sort=False), strict=True):
        assert list(trace.x) == rows["dominated_by"].tolist() and trace.name == study
        assert [not symbol.endswith("-open") for symbol in trace.marker.symbol] == rows["on_front"].tolist()
        assert [round(y) for y in trace.y] == [["c", "b", "a"].index(label) for label in rows["selector"]]
    nothing = front_comparison.frame_studies({"one": table([np.nan], [0.5])}, "nogueira")
    assert front_comparison.finding_studies(nothing).startswith("No selector has both")


def test_a_baseline_is_drawn_and_on_no_front():
    made = table([0.9, 0.8, 0.99], [0.5, 0.6, 0.99], labels=["a", "b", "random"])
    frame = pareto.frame_fronts(made, "nogueira")
    assert frame["dominated_by"].tolist()[:2] == [0, 0] and np.isnan(frame["dominated_by"][2]) and not frame["on_front"][2]
    assert describe_missing(frame) == "" and "random" in [trace["name"] for trace in as_sent(pareto.draw_fronts(frame))["data"]]
    weighed = weighted_choice.frame_weighted_choice(made, "nogueira", gamma=0.9)
    assert weighed["chosen"].sum() == 1 and not weighed["chosen"][2] and np.isnan(weighed["score"][2])
    assert pareto.frame_sizes(made, "nogueira", margin=0.2)["selector"].tolist() == ["a", "b", "random"]
    ranks = front_comparison.table_ranks(front_comparison.frame_studies({"one": made}, "nogueira"))
    assert ranks["selector"].tolist() == ["a", "b"]


def test_standings_allow_for_the_number_of_criteria():
    """Each criterion at 0.05 made one of two equal selectors of own sizes clearly better in 11.5% of 200 results."""
    made = table([0.8, 0.8], [0.5, 0.3], size=[5.0, 5.2])

    def standing(p_stability, p_others):
        p_of = {"accuracy": p_others, "nogueira": p_stability, "size": p_others}
        pairs = {name: row_pairs(made)[name].assign(p_holm=p) for name, p in p_of.items()}
        return pareto.frame_space(made, "nogueira", pairs=pairs)["standing"].tolist()

    assert standing(0.03, 0.5) == [NOT_DISTINGUISHABLE, NOT_DISTINGUISHABLE] and standing(0.016, 0.5) == [ON_FRONT, DOMINATED]
    assert standing(0.03, 1.0) == [ON_FRONT, DOMINATED], "sizes and accuracies that are equal in all runs are no further tests"
