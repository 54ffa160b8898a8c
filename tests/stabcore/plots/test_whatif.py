"""Figures of What if?: influence of pairs, effects of groups, and parts left out."""

import numpy as np
import pandas as pd
import pytest
from whatif_support import NAMES, D, effective, groups, runs

import stabcore as sc
from stabcore.plots import whatif
from stabcore.similarity.scenario import Scenario


def test_cells_show_the_most_influential_pairs():
    all_pairs = sc.whatif.influence(runs(), groups())
    cells = whatif.frame_influence(all_pairs, most=4)
    assert (cells["place_a"] > cells["place_b"]).all() and cells["place_a"].max() == 4
    first = all_pairs.iloc[0]
    assert {cells["feature_a"][0], cells["feature_b"][0]} == {first["feature_a"], first["feature_b"]}
    slopes = all_pairs.set_index([all_pairs["feature_a"], all_pairs["feature_b"]])["derivative"]
    for cell in cells.itertuples():
        assert cell.derivative == slopes.get((cell.feature_a, cell.feature_b), slopes.get((cell.feature_b, cell.feature_a)))
    figure = whatif.draw_influence(cells, (first["feature_b"], first["feature_a"]), [first["feature_a"]])
    heat, clicks, ring = figure.data
    for row, cell in cells.iterrows():
        assert heat.z[cell["place_a"] - 1][cell["place_b"] - 1] == pytest.approx(cell["change"], rel=1e-5)
        assert (clicks.x[row], clicks.y[row], clicks.customdata[row]) == (cell["place_b"], cell["place_a"], row)
    assert np.isnan(heat.z).sum() == 16 - len(cells) and len(ring.x) == 1
    assert [label for label in figure.layout.yaxis.ticktext if label.startswith("<b>")] == [f"<b>{first['feature_a']}</b>"]


def test_effects_of_groups_are_ordered_and_drawn():
    frame = whatif.frame_group_effects(runs(), groups())
    measured = sc.whatif.groups(runs(), groups())
    pd.testing.assert_frame_equal(frame.sort_values("group", ignore_index=True), measured.sort_values("group", ignore_index=True))
    assert frame[["effect_alone", "effect_last"]].abs().max(axis=1).is_monotonic_decreasing and frame.attrs == measured.attrs
    figure = whatif.draw_group_effects(frame)
    assert list(figure.data[1].x) == list(frame["effect_alone"][::-1]) and list(figure.data[0].customdata) == [2, 1, 0]
    assert all("<b>" not in label for label in figure.layout.yaxis.ticktext)
    assert frame["group"][0] in whatif.finding_group_effects(frame)


def test_dropping_groups_also_drops_edits_inside_them():
    edits = (("a", "b", 0.3), ("d", "e", 0.4), ("a", "d", 0.5), ("f", "g", 0.6))
    scenario = Scenario("groups", {"one": ["a", "b", "c"], "two": ["d", "e"]}, edits=edits)
    reduced = scenario.with_only_groups(["two"])
    assert reduced.groups == {"two": ["d", "e"]} and reduced.edits == (("d", "e", 0.4), ("a", "d", 0.5), ("f", "g", 0.6))
    C = scenario.build_similarity(tuple(NAMES))
    index = np.arange(D)
    assert (reduced.build_similarity(tuple(NAMES)).block(index) == C.with_groups(["two"]).block(index)).all()


def test_each_run_and_each_fold_is_left_out_in_turn():
    some, C, folds, columns = runs(), groups(), [1, 1, 2, 2, 2, 4], ["value", "change"]
    single = whatif.frame_left_out_runs(some, C, numbers=[3, 4, 5, 8, 9, 10])
    outer = whatif.frame_left_out_runs(some, C, folds=folds)
    assert list(single["part"]) == [3, 4, 5, 8, 9, 10] and list(outer["part"]) == [1, 2, 4]
    pd.testing.assert_frame_equal(single[columns], sc.whatif.without_runs(some, "effective", similarity=C)[columns])
    pd.testing.assert_frame_equal(outer[columns], sc.whatif.without_blocks(some, folds, "effective", similarity=C)[columns])
    figure = whatif.draw_left_out_runs(outer, "outer fold")
    assert list(figure.data[0].y) == list(outer["value"]) and figure.layout.shapes[0].y0 == pytest.approx(effective(some, C))
    top = outer.loc[outer["change"].abs().idxmax()]
    assert f"outer fold {top['part']}" in whatif.finding_left_out_runs(outer, "outer fold")


def same(M=4):
    return sc.Selections.from_matrix(np.ones((M, D), dtype=int), NAMES)


def test_undefined_changes_are_stated_and_drawn_empty():
    movers, single = whatif.frame_left_out_features(same(), groups()), whatif.frame_left_out_runs(same(), groups())
    sentences = whatif.finding_left_out_features(movers), whatif.finding_left_out_runs(single, "run")
    for frame, sentence in zip((movers, single), sentences):
        assert frame["change"].isna().all() and (frame["reason"] != "").all() and "undefined" in sentence
    whatif.draw_left_out_features(movers), whatif.draw_left_out_runs(single, "run")


def test_the_sentence_about_substitution_names_its_number_and_direction():
    row = pd.DataFrame({"substitution": [0.3], "by_random_sets": [0.1], "variance": [2.0]})
    assert "0.30" in whatif.describe_substitution(row)
    for substitution, together in ((-0.3, True), (-0.001, False)):
        assert ("together" in whatif.describe_substitution(row.assign(substitution=substitution))) == together
