"""The panel against loops over runs, its intervals, bounds on false features, and shuffles of the outcome."""

import re

import numpy as np
import pandas as pd
import pytest
from project_support import patients, study_file
from scipy.stats import beta, binom

import stabcore as sc
from stabcore.analysis.consensus import consensus, identical_sets, shared_panels
from stabcore.analysis.noise_floors import floor_frequencies
from stabcore.analysis.panel import (
    false_selection_bounds,
    joint_false_selections,
    no_bound_reason,
    panel,
    panel_at_threshold,
    stability_paths,
    threshold_grid,
)
from stabcore.analysis.substitutes import substitutes
from stabcore.base.errors import InputError
from stabcore.inference.error_bounds import bound_with_source
from stabcore.plots.panel import finding_threshold_grid
from stabcore.study.results import Results


@pytest.fixture(scope="module")
def uploaded():
    rng = np.random.default_rng(0)
    pull = np.r_[2.5, 2.0, 1.5, np.zeros(9)]
    return Results({name: sc.Selections.from_scores(rng.normal(size=(10, 12)) + pull).top(4) for name in ("first", "second")})


@pytest.fixture(scope="module")
def halves(tmp_path_factory):
    path, selectors = tmp_path_factory.mktemp("panel") / "h.stab", ["mim", "lasso", "random"]
    return sc.open_study(study_file(path, patients("abcdefgh"), selectors, sc.ComplementaryPairs(8)))


def test_every_column_equals_a_loop_over_the_runs(uploaded):
    similarity = sc.Similarity.from_groups({"twins": [0, 3], "others": [5, 6, 7]}, n_features=12).edited({(0, 4): 0.3})
    table = panel(uploaded, 0.6, similarity=similarity).set_index("feature")
    runs = [uploaded.selections(label) for label in uploaded.finished_selectors]
    for name, row in table.iterrows():
        f = uploaded.features.index(name)
        often = [sum(line[f] for line in run.selected) / 10 for run in runs]
        assert row["frequency"] == pytest.approx(np.mean(often)) and row[["in first", "in second"]].tolist() == pytest.approx(often)
        assert row["in_panel"] == (np.mean(often) >= 0.6) and row["selectors"] == 2
        assert row["approval"] == sum(share >= 0.6 for share in often)
        h = 10 * np.mean(often)
        low, high = beta.ppf([0.025, 0.975], 1 + h, 11 - h)
        assert (row["low"], row["high"]) == pytest.approx((low if low >= 0.1 else 0, high if high <= 0.98 else 1))
        assert row["rank"] == pytest.approx(np.mean([np.median(run.ranking()[:, f]) for run in runs]))
        related = [any(line[j] and similarity.value(f, j) > 0 for j in range(12)) for run in runs for line in run.selected]
        assert row["any_related"] == pytest.approx(np.mean(related))
        assert row["group"] == {0: "twins", 3: "twins", 5: "others", 6: "others", 7: "others"}.get(f, "")
        assert np.isnan(row["line"])
    assert table["frequency"].is_monotonic_decreasing
    missing = set(uploaded.features) - set(table.index)
    assert all(not run.counts[uploaded.features.index(name)] for run in runs for name in missing)


def test_known_intervals_of_a_frequency():
    for hits, runs, wanted in (
        *((45, 50, (0.786, 0.956)), (50, 50, (0.930, 1.0)), (9, 10, (0.587, 0.977)), (1, 50, (0.0, 0.104))),
        *((1, 10, (0.0, 0.413)), (2, 10, (0.0, 0.518)), (49, 50, (0.896, 1.0)), (3, 3, (0.398, 1.0))),
    ):
        Z = np.zeros((runs, 3))
        Z[:hits, 0], Z[hits:, 1] = 1, 1
        row = panel(Results({"one": sc.Selections.from_matrix(Z)})).set_index("feature").loc["f1"]
        assert (row["low"], row["high"]) == pytest.approx(wanted, abs=6e-4)


def test_a_selected_feature_is_described_with_its_substitutes():
    Z = np.random.default_rng(0).random((200, 12)) < 0.3
    Z[:, 0], Z[:, 1], Z[:, 2] = np.arange(200) % 5 > 0, np.arange(200) % 5 == 0, 1  # every fifth run selects b instead of a
    result = Results({"one": sc.Selections.from_matrix(Z.astype(int), list("abcdefghijkl"))})
    table = panel(result, 0.75).set_index("feature")["substitutes"]
    assert table["a"] == "b" and set(table.drop("a")) == {""}  # b is not in the panel, c is in every run
    swaps = substitutes(result)
    assert swaps[["feature", "selector", "partner"]].to_numpy().tolist() == [["a", "one", "b"]]
    assert "substitutes" not in panel(result, with_substitutes=False)


def test_baselines_are_left_out_and_unknown_names_refused(halves):
    assert "in random" not in panel(halves) and "in random" in panel(halves, selectors=["random"])
    assert panel(halves, selectors=["mim"]).attrs["selectors"] == ["mim"]
    for wrong in ({"selectors": ["lass"]}, {"threshold": 75}):
        with pytest.raises(InputError):
            panel(halves, **wrong)


def test_bounds_follow_from_sizes_and_need_complementary_pairs(halves, uploaded, tmp_path):
    """A bound below 1 also limits the share of studies with any false feature."""
    table = false_selection_bounds(halves, 0.8, k=3).set_index("selector")
    for label, row in table.iterrows():
        runs = halves.selections(label, 3)
        assert row["q"] == runs.sizes.mean() and row["panel_size"] == (runs.counts >= 0.8 * runs.n_runs - 1e-9).sum()
        assert row["unimodal"] == pytest.approx(sc.pfer_bound(row["q"], runs.n_features, 0.8, 8)) and not row["reason"]
        assert row["pfer_bound"] == row["unimodal"] and row["basis"] == "bound" and np.isnan(row["shuffled"])
    assert not no_bound_reason(halves, 0.8) and len({"", no_bound_reason(halves, 0.5), no_bound_reason(uploaded)}) == 3
    few = sc.open_study(study_file(tmp_path / "s.stab", patients("abcd"), ["mim"], sc.Subsample(4, 0.1)))
    refused = false_selection_bounds(few)
    assert "complementary halves" in refused["reason"][0] and refused[["unimodal", "r_concave"]].isna().all().all()


@pytest.mark.parametrize("k", [2, 4, 5])
def test_grid_and_paths_include_the_k_of_the_study(k):
    scores = np.random.default_rng(2).normal(size=(20, 6)) + [3, 2, 1, 0, 0, 0]
    runs = Results({"one": sc.Selections.from_scores(scores).top(k)})
    grid, paths = threshold_grid(runs, "one", thresholds=[0.75]).set_index("k"), stability_paths(runs, "one")
    frequencies = runs.selections("one").frequencies
    assert grid.loc[k, "panel_size"] == (frequencies >= 0.75).sum()
    assert paths[paths["k"] == k].set_index("feature")["frequency"][list(runs.features)].tolist() == frequencies.tolist()
    sentence = finding_threshold_grid(grid.reset_index(), k)
    assert f" with {k} per run" in sentence and not re.search(r"\b(\d+) to \1\b", sentence)


def test_grid_and_paths_equal_loops_over_top_k(halves):
    made = threshold_grid(halves, "mim", sizes=[1, 3, 5], thresholds=[0.5, 0.7, 0.9])
    for row in made.itertuples():
        runs = halves.selections("mim", row.k)
        assert row.panel_size == (runs.frequencies >= row.threshold - 1e-9).sum()
        if row.threshold > 0.5:
            assert row.false == pytest.approx(sc.pfer_bound(row.k, runs.n_features, row.threshold, 8), nan_ok=True)
    lasso = threshold_grid(halves, "lasso", sizes=[2, 4], thresholds=[0.75])
    assert lasso["panel_size"].tolist() == [(halves.selections("lasso", k).frequencies >= 0.75).sum() for k in (2, 4)]
    for row in stability_paths(halves, "mim", features=["a", "c"], sizes=[1, 4]).itertuples():
        assert row.frequency == halves.selections("mim", row.k).frequencies[halves.features.index(row.feature)]
    usual = stability_paths(halves, "mim")
    assert usual["frequency"].between(0, 1).all() and halves.n_selected in set(usual["k"])


def test_the_score_is_the_log_likelihood_of_three_boxes(halves):
    (row,) = threshold_grid(halves, "mim", sizes=[3], thresholds=[0.8]).itertuples()
    runs = halves.selections("mim", 3)
    M, share = runs.n_runs, 3 / runs.n_features
    law, likelihood = binom.pmf(np.arange(M + 1), M, share), 1.0
    for count in runs.counts:
        h = np.arange(M + 1)
        box = ((h >= 0.8 * M) == (count >= 0.8 * M)) & ((h <= 0.2 * M + 1e-9) == (count <= 0.2 * M + 1e-9))
        likelihood *= law[box].sum()
    assert row.score == pytest.approx(-np.log(likelihood))
    rng = np.random.default_rng(1)  # ten features always lead, ninety are random: the best setting keeps exactly the ten
    scores = rng.normal(size=(40, 100)) + np.r_[np.full(10, 8.0), np.zeros(90)]
    made = threshold_grid(Results({"one": sc.Selections.from_scores(scores)}), "one")
    assert made.loc[made["score"].idxmax(), "panel_size"] == 10


def test_borda_and_votes_are_those_of_a_loop(uploaded):
    made = consensus(uploaded, 0.6).set_index("feature")
    ranks = np.stack([uploaded.selections(label).ranking() for label in uploaded.finished_selectors])
    points = 1 - (ranks - 1) / 11
    for name, row in made.iterrows():
        f = uploaded.features.index(name)
        assert row["borda"] == pytest.approx(points[:, :, f].mean())
        together, M = points[:, :, f].mean(axis=0), 10
        left_out = np.array([np.delete(together, i).mean() for i in range(M)])
        error = np.sqrt((M - 1) / M * ((left_out - left_out.mean()) ** 2).sum())
        assert row["borda_high"] - row["borda_low"] == pytest.approx(2 * 2.2621571628 * error, rel=1e-6)
        chosen = np.mean([uploaded.selections(label).selected[:, f] for label in uploaded.finished_selectors], axis=0)
        assert row["frequency"] == pytest.approx(chosen.mean())
        if chosen.std():
            half = 2.2621571628 * chosen.std(ddof=1) / np.sqrt(M)
            ends = np.clip([chosen.mean() - half, chosen.mean() + half], 0, 1)
            assert row[["frequency_low", "frequency_high"]].tolist() == pytest.approx(ends.tolist())
        else:
            assert np.isnan(row["frequency_low"])
    assert (made["approval_low"] <= made["approval"]).all() and (made["approval"] <= made["approval_high"]).all()


def test_shared_parts_and_repeated_sets_are_counted(uploaded):
    made = shared_panels(uploaded, 0.5)
    assert made["n_selectors"].is_monotonic_decreasing
    for label in uploaded.finished_selectors:
        features = {name for row in made.itertuples() if label in row.selectors for name in row.features}
        runs = uploaded.selections(label)
        assert features == {uploaded.features[f] for f in np.flatnonzero(runs.frequencies >= 0.5)}
    grouped = shared_panels(uploaded, 0.5, similarity=sc.Similarity.from_groups({"top": [0, 1]}, n_features=12))
    names = {name for row in grouped.itertuples() for name in row.features}
    assert "top" in names and not names & {"f1", "f2"}
    Z = np.array([[1, 1, 0], [1, 1, 0], [0, 1, 1], [1, 1, 0]])
    table = identical_sets(Results({"one": sc.Selections.from_matrix(Z)}))
    assert table[["runs", "different", "most_often"]].to_numpy().tolist() == [[4, 2, 3]]


def test_a_panel_can_be_cut_at_another_threshold(uploaded):
    for least in (0.2, 0.5, 1.0):
        pd.testing.assert_frame_equal(panel_at_threshold(panel(uploaded, 0.75), least), panel(uploaded, least), check_dtype=False)


class Shuffled(Results):
    """Selections on complementary pairs with (S, d) frequencies in shuffles, the same for every selector and k."""

    has_control, plan, blind, n_selected = True, sc.ComplementaryPairs(10), (), 4

    def __init__(self, selections, shuffled):
        super().__init__(selections)
        self._given = np.asarray(shuffled, dtype=float)

    def shuffled_frequencies(self, labels, k=None):
        return self._given


def twenty_runs(shuffled, selectors=("one",)):
    """Twenty runs: f1 in all, f2 in 16, and two of the other ten at random."""
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


def test_features_and_panel_are_compared_with_shuffles():
    result = twenty_runs(SHUFFLED)
    table = panel(result, 0.75).set_index("feature")
    assert table.loc["f1", "shuffled"] == pytest.approx(0.1) and table.loc["f4", "shuffled"] == pytest.approx(0.625)
    assert (table["line"] == 0.9).all() and floor_frequencies(result, ["one"])[1].tolist() == [0.5, 0.9, 0.85, 0.3]
    assert table["in_panel"].sum() == 2 and not table["clear"].any()  # the interval of 20 of 20 runs starts at 84%
    clear = panel(twenty_runs(SHUFFLED * 0.5), 0.75).set_index("feature")["clear"]
    assert clear["f1"] and clear["f2"] and clear.sum() == 2


@pytest.mark.parametrize(
    ("bound", "counted", "larger", "basis"),
    [
        *((3.0, 1.0, 3.0, "bound"), (3.0, 3.5, 3.5, "shuffled"), (np.nan, 2.0, 2.0, "shuffled"), (3.0, np.nan, 3.0, "bound")),
        (np.nan, np.nan, np.nan, ""),
    ],
)
def test_the_shuffled_count_is_given_if_it_exceeds_the_bound(bound, counted, larger, basis):
    found = bound_with_source(bound, counted)
    assert found[0] == pytest.approx(larger, nan_ok=True) and found[1] == basis


def test_false_features_are_those_selected_under_shuffling_and_have_no_joint_bound():
    row = false_selection_bounds(twenty_runs(SHUFFLED), 0.75).iloc[0]
    assert row["shuffled"] == pytest.approx(np.mean([0, 1, 2, 0]))
    assert row["unimodal"] == sc.pfer_bound(row["q"], 12, 0.75, 10) > row["shuffled"]
    assert (row["pfer_bound"], row["basis"]) == (row["unimodal"], "bound")
    frequencies = np.full((4, 12), 0.9)
    assert false_selection_bounds(twenty_runs(frequencies), 0.75).iloc[0][["pfer_bound", "basis"]].tolist() == [12, "shuffled"]
    row = joint_false_selections(twenty_runs(SHUFFLED, ("one", "two")), ["one", "two"], 0.75)
    assert row["panel_size"] == 2 and np.isnan(row["unimodal"]) and row["reason"]
    assert (row["pfer_bound"], row["basis"]) == (pytest.approx(0.75), "shuffled")


def test_the_grid_has_the_larger_of_bound_and_count():
    ranked = Shuffled({"one": sc.Selections.from_scores(np.random.default_rng(1).normal(size=(20, 12))).top(4)}, SHUFFLED)
    table = threshold_grid(ranked, "one", sizes=[2, 4], thresholds=[0.75, 0.87])
    for row in table.itertuples():
        bound, counted = sc.pfer_bound(row.k, 12, row.threshold, 10), {0.75: 0.75, 0.87: 0.25}[row.threshold]
        assert row.false == pytest.approx(max(bound, counted)) and row.basis == ("bound" if bound >= counted else "shuffled")
