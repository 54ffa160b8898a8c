"""The panel beside shuffles of the outcome: each feature, the luckiest ones, and how many false features are told."""

import numpy as np
import pytest

import stabcore as sc
from stabcore.analysis.noise_floors import panel_floor
from stabcore.analysis.panel import false_selection_bounds, false_together, panel, threshold_grid
from stabcore.inference.error_bounds import checked_by_shuffles
from stabcore.study.results import Results


class Shuffled(Results):
    """Selections of halves with what shuffles of the outcome gave: (S, d) frequencies, the same for every selector and k."""

    has_control, plan, blind, n_selected = True, sc.ComplementaryPairs(10), (), 4

    def __init__(self, selections, shuffled):
        super().__init__(selections)
        self._given = np.asarray(shuffled, dtype=float)

    def shuffled_frequencies(self, labels, k=None):
        return self._given


def made(shuffled, selectors=("one",)):
    """Twenty runs in which f1 comes always, f2 in 16, and two of the other ten by lot."""
    rng, runs = np.random.default_rng(0), {}
    for label in selectors:
        Z = np.zeros((20, 12))
        Z[:, 0], Z[:16, 1] = 1, 1
        for row in Z:
            row[rng.choice(np.arange(2, 12), 2, replace=False)] = 1
        runs[label] = sc.Selections.from_matrix(Z)
    return Shuffled(runs, shuffled)


SHUFFLED = np.full((4, 12), 0.1)
SHUFFLED[:, 3] = 0.5, 0.9, 0.8, 0.3
SHUFFLED[2, 4] = 0.85


def test_every_feature_stands_beside_its_own_shuffles_and_the_panel_beside_the_luckiest():
    result = made(SHUFFLED)
    table = panel(result, 0.75).set_index("feature")
    assert table.loc["f1", "shuffled"] == pytest.approx(0.1) and table.loc["f4", "shuffled"] == pytest.approx(0.625)
    assert (table["line"] == 0.9).all() and panel_floor(result, ["one"])[1].tolist() == [0.5, 0.9, 0.85, 0.3]
    assert table["in_panel"].sum() == 2 and not table["clear"].any(), "20 of 20 runs may be 84%: not wholly above the luckiest"
    clear = panel(made(SHUFFLED * 0.5), 0.75).set_index("feature")["clear"]
    assert clear["f1"] and clear["f2"] and clear.sum() == 2


@pytest.mark.parametrize(
    ("bound", "counted", "told"),
    [(3.0, 1.0, (3.0, "bound")), (3.0, 3.5, (3.5, "shuffled")), (np.nan, 2.0, (2.0, "shuffled")), (3.0, np.nan, (3.0, "bound"))],
)
def test_the_shuffled_count_is_told_where_it_contradicts_the_bound_or_there_is_none(bound, counted, told):
    assert checked_by_shuffles(bound, counted) == told
    nothing = checked_by_shuffles(np.nan, np.nan)
    assert np.isnan(nothing[0]) and nothing[1] == ""


def test_false_features_count_what_passes_under_shuffling():
    row = false_selection_bounds(made(SHUFFLED), 0.75).iloc[0]
    assert row["shuffled"] == pytest.approx(np.mean([0, 1, 2, 0]))
    assert row["unimodal"] == sc.pfer_bound(row["q"], 12, 0.75, 10) > row["shuffled"]
    assert (row["pfer_bound"], row["basis"]) == (row["unimodal"], "bound")
    many = np.full((4, 12), 0.9)
    assert false_selection_bounds(made(many), 0.75).iloc[0][["pfer_bound", "basis"]].tolist() == [12, "shuffled"]


def test_selectors_together_have_no_bound_but_a_count():
    told = false_together(made(SHUFFLED, ("one", "two")), ["one", "two"], 0.75)
    assert told["panel_size"] == 2 and np.isnan(told["unimodal"]) and told["reason"]
    assert (told["pfer_bound"], told["basis"]) == (pytest.approx(0.75), "shuffled")


def test_the_map_tells_the_larger_of_bound_and_count_at_every_threshold():
    ranked = Shuffled({"one": sc.Selections.from_scores(np.random.default_rng(1).normal(size=(20, 12))).top(4)}, SHUFFLED)
    table = threshold_grid(ranked, "one", sizes=[2, 4], thresholds=[0.75, 0.87])
    for row in table.itertuples():
        bound, counted = sc.pfer_bound(row.k, 12, row.threshold, 10), {0.75: 0.75, 0.87: 0.25}[row.threshold]
        assert row.false == pytest.approx(max(bound, counted)) and row.basis == ("bound" if bound >= counted else "shuffled")
