"""Convergence: every point against the measure of the same runs, and the precision expected with more runs."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import t
from snapshot_support import check_refusals
from support import random_selection

import stabcore as sc
from stabcore.inference.estimate import Estimate
from stabcore.inference.runs_needed import half_width, runs_needed, stability_by_runs

RUNS = sc.Selections.from_matrix(random_selection(np.random.default_rng(0), 9, 12))
EVEN = sc.Selections.from_scores(np.linspace(1, 0, 12) + np.random.default_rng(1).normal(size=(9, 12))).top(4)
SIMILARITY = sc.Similarity.from_groups({"a": [0, 1, 2], "b": [5, 7]}, n_features=12).edited({(3, 4): 0.6})


@pytest.mark.parametrize("measure", ["nogueira", "jaccard", "effective", "somol", "spearman_ranks"])
def test_each_point_is_the_measure_of_random_subsets_of_runs(measure):
    """Each order of the runs is taken one at a time."""
    runs = EVEN if measure == "spearman_ranks" else RUNS
    similarity = SIMILARITY if measure == "effective" else None
    found = stability_by_runs(runs, measure, similarity=similarity, n_runs=[2, 5, 8, 9], orders=25, random_state=4, level=0.8)
    whole = sc.stability(runs, measure, similarity=similarity, level=0.8)
    assert list(found) == ["runs", "value", "low", "high", "spread_low", "spread_high"] and found["runs"].tolist() == [2, 5, 8, 9]
    orders = np.argsort(np.random.default_rng(4).random((25, 9)), axis=1)
    for row in found.itertuples():
        values = np.array([sc.stability(runs.take(turn[: row.runs]), measure, similarity=similarity).value for turn in orders])
        expected = values.mean(), *np.quantile(values, [0.1, 0.9])
        assert (row.value, row.spread_low, row.spread_high) == pytest.approx(expected, abs=1e-12, nan_ok=True)
    last = found.iloc[-1]
    assert (last["low"], last["high"]) == pytest.approx((whole.low, whole.high))
    assert last["spread_low"] == pytest.approx(last["spread_high"]) == pytest.approx(whole.value)
    assert found["low"].isna().tolist() == [True, False, False, False]


def test_all_pairs_of_runs_average_to_the_measure():
    """Every run is equally often among the first m, so a mean over pairs does not depend on m."""
    found = stability_by_runs(EVEN, "jaccard", orders=1000)
    spread = found["spread_high"] - found["spread_low"]
    assert abs(found["value"] - found["value"].iloc[-1]).max() < 0.02 and (np.diff(spread) < 0).all()
    assert found["runs"].tolist() == list(range(2, 10))


def test_the_expected_interval_equals_that_of_new_runs():
    """The standard error for 15 runs, predicted from 60, equals the spread of studies of 15 new runs."""
    rng = np.random.default_rng(0)

    def runs(m):
        return sc.Selections.from_scores(np.linspace(2, 0, 30) + rng.normal(size=(m, 30))).top(8)

    estimate = sc.stability(runs(60), "jaccard")
    shown = np.std([sc.stability(runs(15), "jaccard").value for _ in range(150)])
    assert half_width(replace(estimate, method="published"), 15) / 1.96 == pytest.approx(shown, rel=0.3)


@pytest.mark.parametrize(("measure", "half"), [("nogueira", 0.1), ("jaccard", 0.02), ("jaccard", 0.5), ("effective", 0.1)])
def test_runs_needed_is_the_smallest_sufficient_number(measure, half):
    """The wider side of an interval counts, which is the lower one of effective stability."""
    estimate = sc.stability(RUNS, measure, similarity=SIMILARITY)
    needed = runs_needed(estimate, half)
    assert half_width(estimate, needed) <= half and (needed == 3 or half_width(estimate, needed - 1) > half)
    row = sc.runs_needed(RUNS, measure, half=half, similarity=SIMILARITY).iloc[0]
    assert row[["half_width", "with_more", "needed"]].tolist() == [half_width(estimate, 9), half_width(estimate, 18), needed]
    below, above = estimate.value - estimate.low, estimate.high - estimate.value
    assert half_width(estimate, 9) == pytest.approx(max(below, above)) and (below > above + 0.01) == (measure == "effective")
    assert np.isnan(runs_needed(sc.stability(RUNS.take([0, 1])), 0.1)) and np.isnan(half_width(estimate, 2))


def test_twice_the_runs_divide_the_width_by_the_root_of_two():
    estimate = sc.stability(RUNS, interval="published")
    assert half_width(estimate, 18) == pytest.approx(half_width(estimate, 9) / np.sqrt(2))
    drawn = Estimate("x", 0.5, se=0.05, chance_error=0.03, n_runs=100, method="published")
    assert half_width(drawn, 400) == pytest.approx(1.959964 * np.sqrt(0.02**2 + 0.03**2))
    assert runs_needed(drawn, 0.05) == np.inf and np.isfinite(runs_needed(drawn, 0.07))


def test_runs_that_never_differ_give_no_number_of_runs_needed():
    perfect = sc.Selections.from_matrix(np.tile([1, 0, 1], (5, 1)))
    found = sc.stability(perfect)
    assert np.isnan(runs_needed(found, 0.5)) and np.isnan(half_width(found, 100))
    assert stability_by_runs(perfect)[["low", "high"]].isna().all(axis=None)
    Z = np.zeros((4, 6))
    Z[:2, :3] = 1  # two of the runs are empty, so their pair gives 0/0
    assert stability_by_runs(sc.Selections.from_matrix(Z), "jaccard", orders=50)[["value", "low"]].isna().all(axis=None)


def test_runs_of_one_unit_count_and_are_added_together():
    pairs = sc.stability(RUNS.take([*range(9), 0]).in_units([0, 0, 1, 1, 2, 2, 3, 3, 4, 4]))
    assert pairs.n_units == 5 and half_width(pairs, 10) == pytest.approx(pairs.high - pairs.value)
    assert np.isnan(half_width(pairs, 5)) and half_width(pairs, 6) == pytest.approx(t.ppf(0.975, 2) * pairs.se * np.sqrt(10 / 6))
    assert runs_needed(pairs, 100) == 6
    blocks = np.repeat(np.eye(3), 2, axis=0)
    runs = sc.Selections.from_matrix(blocks).in_units([0, 0, 1, 1, 2, 2])
    found = stability_by_runs(runs, "jaccard", n_runs=[2, 3, 4], orders=9)
    assert found["value"].tolist() == pytest.approx([1, 1 / 3, 1 / 3])


def test_wrong_arguments_are_refused():
    cases = [
        lambda: stability_by_runs(RUNS, n_runs=[1, 3]),
        lambda: stability_by_runs(RUNS, n_runs=[10]),
        lambda: stability_by_runs(RUNS, n_runs=[2.5]),
        lambda: stability_by_runs(RUNS, n_runs=[]),
        lambda: stability_by_runs(RUNS, "effective"),
        lambda: stability_by_runs(RUNS, "kuncheva"),
        lambda: runs_needed(sc.stability(RUNS), 0),
    ]
    check_refusals("inference/wrong_questions_of_runs_needed", lambda make: make(), cases)
