"""A baseline is drawn on every picture of Pareto and does not compete; every axis says which stability it shows."""

import numpy as np
import pandas as pd
from figure_support import drawn
from fronts_support import table

from stabcore.figures import comparisons, front_comparison, pareto, weighted_choice
from stabcore.figures.pareto_points import describe_missing


def with_baseline():
    return table([0.9, 0.8, 0.99], [0.5, 0.6, 0.99], labels=["a", "b", "random"])


def test_a_baseline_is_drawn_and_on_no_front():
    frame = pareto.frame_fronts(with_baseline(), "nogueira")
    assert frame["beaten_by"].tolist()[:2] == [0, 0] and np.isnan(frame["beaten_by"][2]) and not frame["on_front"][2]
    assert describe_missing(frame) == "" and "random" in [trace["name"] for trace in drawn(pareto.draw_fronts(frame))["data"]]
    weighed = weighted_choice.frame_weighted_choice(with_baseline(), "nogueira", gamma=0.9)
    assert weighed["chosen"].sum() == 1 and not weighed["chosen"][2] and np.isnan(weighed["score"][2])
    assert pareto.frame_sizes(with_baseline(), "nogueira", margin=0.2)["selector"].tolist() == ["a", "b", "random"]
    ranks = front_comparison.table_ranks(front_comparison.frame_studies({"one": with_baseline()}, "nogueira"))
    assert ranks["selector"].tolist() == ["a", "b"]


def test_every_axis_of_stability_says_whether_it_is_beyond_the_floor():
    for floor, said in ((0.1, "beyond the noise floor"), (None, "not measured")):
        one = table([0.9, 0.8], [0.5, 0.6], floor=floor)
        moved = front_comparison.frame_changes(one, "nogueira", "effective")
        drawn_ = (weighted_choice.draw_weighted_choice(weighted_choice.frame_weighted_choice(one, "nogueira")).layout.xaxis,
                  pareto.draw_sizes(pareto.frame_sizes(one, "nogueira")).layout.yaxis,
                  pareto.draw_space(pareto.frame_space(one, "nogueira")).layout.yaxis,
                  front_comparison.draw_changes(moved, "nogueira", "effective").layout.xaxis)
        assert all(said in axis.title.text for axis in drawn_)


def test_pairs_with_a_baseline_are_marked_and_not_named():
    pairs = pd.DataFrame({"first": ["a", "a", "b"], "second": ["b", "random", "random"], "difference": [0.1, 0.9, 0.8], "low": 0.05,
                          "high": 0.95, "p_holm": 0.01, "note": ""})
    frame = comparisons.frame_comparisons(pairs)
    assert frame["baseline"].tolist() == [True, True, False]
    assert comparisons.finding_comparisons(frame) == (
        "a and b differ most in stability, by 0.10 [0.05, 0.95]; 1 of 1 pair of selectors differs clearly in these runs.")
    assert "no rival" in comparisons.finding_comparisons(frame[frame["baseline"]])
    assert {trace["name"] for trace in drawn(comparisons.draw_comparisons(frame))["data"]} >= {"from a baseline", "differs"}
