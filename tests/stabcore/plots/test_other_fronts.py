"""Fronts by size, by another measure and over several studies, one choice of them, and baselines in all."""

import numpy as np
import pandas as pd
import pytest
from figure_support import drawn as as_sent
from fronts_support import known, named, table

import stabcore as sc
from stabcore.analysis.pareto import BEATEN, ON, OPEN
from stabcore.plots import front_comparison, pareto, weighted_choice
from stabcore.plots.pareto_points import describe_missing

# ---- one choice ----


@pytest.mark.parametrize("gamma", [0.0, 0.77, 1.0])
def test_the_compromise_is_the_largest_weighted_sum(gamma):
    rng = np.random.default_rng(3)
    accuracy, stability = rng.random(8), rng.random(8)
    made = table(accuracy, stability)
    frame = weighted_choice.frame_weighted_choice(made, "nogueira", gamma=gamma, pairs=known(made))
    best = "abcdefgh"[int((gamma * accuracy + (1 - gamma) * stability).argmax())]
    assert frame.loc[frame["chosen"], "selector"].tolist() == [best]
    figure = weighted_choice.draw_weighted_choice(frame)
    ring = next(trace for trace in figure.data if trace.name == "chosen")
    row = frame.set_index("selector").loc[best]
    assert (ring.x[0], ring.y[0]) == (row["stability"], row["accuracy"])
    level = frame[frame["level"] & ~frame["chosen"]]["selector"].tolist()
    weights, chosen = np.array([gamma, 1 - gamma]), "abcdefgh".index(best)
    for i, label in enumerate("abcdefgh"):  # known exactly: only what costs as much as it gives is level
        gap = (weights * [accuracy[chosen] - accuracy[i], stability[chosen] - stability[i]]).sum()
        assert (label in level) == (gap <= 0 and label != best)


# ---- size ----


def test_size_is_a_criterion_in_which_less_is_better():
    made = table([0.9, 0.9, 0.8, 0.7], [0.5, 0.5, 0.6, 0.6], size=[5.0, 4.0, 9.0, 9.0])
    frame = pareto.frame_space(made, "nogueira", pairs=known(made))
    expected = sc.pareto_front(
        pd.DataFrame({"x": made["accuracy"], "y": made["nogueira"], "z": -made["mean_size"]}), ("x", "y", "z")
    )
    assert frame["on_front"].tolist() == expected["on_front"].tolist() == [False, True, True, False]
    unsure = pareto.frame_space(made, "nogueira", pairs=known(made, size=1))
    assert unsure["standing"].tolist() == [OPEN, OPEN, ON, BEATEN]
    for trace, row in zip(pareto.draw_space(frame, ("size", "stability", "accuracy")).data, frame.itertuples(), strict=True):
        assert (trace.x[0], trace.y[0], trace.z[0]) == (row.size, row.stability, row.accuracy)
        assert trace.marker.symbol.endswith("-open") == (not row.on_front)
    seen = named(pareto.draw_space(frame, ("size", "accuracy")))
    assert {label: (trace.x[0], trace.y[0]) for label, trace in seen.items()} == {
        row.selector: (row.size, row.accuracy) for row in frame.itertuples()
    }


@pytest.mark.parametrize(("margin", "kept", "on"), [(0.05, "ab", "ab"), (0.0, "a", "a"), (0.3, "abc", "abc"), (0.04, "a", "a")])
def test_only_the_accurate_compete_for_size(margin, kept, on):
    made = table([0.95, 0.9, 0.7, 0.2], [0.5, 0.6, 0.9, 0.95], size=[4.0, 6.0, 7.0, 1.0])
    frame = pareto.frame_sizes(made, "nogueira", margin=margin)
    assert "".join(frame["selector"]) == kept and "".join(frame[frame["on_front"]]["selector"]) == on
    assert list(pareto.draw_sizes(frame).data[0].x) == sorted(frame[frame["on_front"]]["size"])


# ---- studies ----


def test_studies_are_laid_over_each_other_and_ranks_are_averaged():
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
    for trace, (study, own) in zip(each, frame.dropna(subset="dominated_by").groupby("study", sort=False), strict=True):
        assert list(trace.x) == own["dominated_by"].tolist() and trace.name == study
        assert [not one.endswith("-open") for one in trace.marker.symbol] == own["on_front"].tolist()
        assert [round(y) for y in trace.y] == [["c", "b", "a"].index(one) for one in own["selector"]]
    nothing = front_comparison.frame_studies({"one": table([np.nan], [0.5])}, "nogueira")
    assert front_comparison.finding_studies(nothing).startswith("No selector has both")


def with_baseline():
    return table([0.9, 0.8, 0.99], [0.5, 0.6, 0.99], labels=["a", "b", "random"])


def test_a_baseline_is_drawn_and_on_no_front():
    frame = pareto.frame_fronts(with_baseline(), "nogueira")
    assert frame["dominated_by"].tolist()[:2] == [0, 0] and np.isnan(frame["dominated_by"][2]) and not frame["on_front"][2]
    assert describe_missing(frame) == "" and "random" in [trace["name"] for trace in as_sent(pareto.draw_fronts(frame))["data"]]
    weighed = weighted_choice.frame_weighted_choice(with_baseline(), "nogueira", gamma=0.9)
    assert weighed["chosen"].sum() == 1 and not weighed["chosen"][2] and np.isnan(weighed["score"][2])
    assert pareto.frame_sizes(with_baseline(), "nogueira", margin=0.2)["selector"].tolist() == ["a", "b", "random"]
    ranks = front_comparison.table_ranks(front_comparison.frame_studies({"one": with_baseline()}, "nogueira"))
    assert ranks["selector"].tolist() == ["a", "b"]
