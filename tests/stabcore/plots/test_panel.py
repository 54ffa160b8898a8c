"""Sentences of the panel are what its table says, and pictures carry every number."""

import numpy as np
import pandas as pd
import pytest
from figure_support import drawn

import stabcore as sc
from stabcore.analysis.consensus import shared_panels
from stabcore.analysis.panel import at_threshold, panel, stability_paths, threshold_grid
from stabcore.plots import panel as choices
from stabcore.plots import panel as panels
from stabcore.study.results import Results


@pytest.fixture(scope="module")
def brought():
    rng = np.random.default_rng(0)
    pull = np.r_[9.0, 9.0, 1.5, np.zeros(9)]
    return Results({name: sc.Selections.from_scores(rng.normal(size=(20, 12)) + pull).top(4) for name in ("first", "second")})


def false(number, basis="bound", stays=3):
    return {"pfer_bound": number, "basis": basis, "stays": stays}


def shuffled(table, line=0.4):
    """A panel as if the outcome had been shuffled."""
    return at_threshold(table.assign(shuffled=0.2, line=line), 0.75)


def test_the_sentence_tells_how_many_stay_how_many_are_clear_and_how_many_may_be_false(brought):
    table = panel(brought, 0.75)
    stay = int(table["stays"].sum())
    assert stay > 1 and panels.finding_panel(table, 0.75).startswith(f"{stay} features stay in the panel")
    assert "clear" not in panels.finding_panel(table, 0.75), "nothing was shuffled"
    for line, clear in ((0.4, "All"), (0.999, "None")):
        made = shuffled(table, line)
        assert made["clear"].sum() == (stay if clear == "All" else 0)
        assert f" {clear} of them " in panels.finding_panel(made, 0.75) and f"({line:.0%})" in panels.finding_panel(made, 0.75)
    assert panels.finding_panel(table, 0.75, false(0.4)).endswith(panels.describe_false_features(false(0.4)))
    assert "false" not in panels.finding_panel(table, 0.75, false(np.nan))
    nothing = panels.finding_panel(table.assign(stays=False), 0.75, false(0.5))
    assert nothing.startswith("No feature") and "false" not in nothing
    assert "selectors" not in panels.finding_panel(table.assign(selectors=1), 0.75)


@pytest.mark.parametrize(
    ("number", "basis", "all_of_them", "told"),
    [
        (0.44, "bound", False, "at most 0.4 "),
        (3.0, "bound", True, "at most 3.0 "),
        (1.26, "shuffled", False, "1.3 features"),
        (9.0, "shuffled", True, "9.0 features"),
        (0.0, "shuffled", False, "no features"),
    ],
)
def test_one_number_of_false_features_and_where_it_comes_from(number, basis, all_of_them, told):
    said = panels.describe_false_features(false(number, basis))
    assert told in said and ("outcome shuffled" in said) == (basis == "shuffled")
    assert said.startswith("All of them may be false") == all_of_them
    assert not panels.describe_false_features(false(number, basis) | {"stays": 0}).startswith("All of them"), "none stays"


def test_rows_carry_the_feature_its_shuffles_its_effect_and_the_luckiest(brought):
    table = shuffled(panel(brought, 0.75))
    effects = pd.DataFrame(
        {
            "feature": table["feature"],
            "effect": np.linspace(1, -1, len(table)),
            "low": -2.0,
            "high": 2.0,
            "shrunken": np.linspace(0.5, -0.5, len(table)),
            "shrunken_low": -1.0,
            "shrunken_high": 1.0,
        }
    )
    effects.loc[1, ["shrunken", "shrunken_low", "shrunken_high"]] = np.nan
    frame = panels.frame_panel(table, 0.75, ["f2"], effects, [0.3, 0.5])
    assert frame["kind"].tolist() == [""] * len(table) + [panels.LUCKIEST] * 2
    assert frame["effect"].tolist()[:2] == [effects["shrunken"][0], effects["effect"][1]] and frame["effect_low"][1] == -2.0
    assert frame["place"].tolist()[:3] == [0, 1, 2]
    figure = drawn(panels.draw_panel(frame))
    traces = {one["name"]: one for one in figure["data"]}
    rows = dict(zip(figure["layout"]["yaxis"]["ticktext"], figure["layout"]["yaxis"]["tickvals"]))
    plain = {name.replace("<b>", "").replace("</b>", "").replace("★ ", ""): row for name, row in rows.items()}
    for name in ("in the panel", "not in it", "each selector", "effect"):
        for place, y in zip(traces[name]["customdata"], traces[name]["y"], strict=True):
            assert plain[table["feature"][int(place)]] == y, name
    assert list(traces["outcome shuffled"]["x"]) == [0.2] * len(table)
    low, high = figure["layout"]["xaxis2"]["range"]
    assert low < -2.0 < 2.0 < high
    tiny = frame.assign(effect=0.001, effect_low=0.0, effect_high=0.002)
    low, high = drawn(panels.draw_panel(tiny))["layout"]["xaxis2"]["range"]
    assert low < -0.2 < 0.2 < high < 0.3, "effects of noise do not fill the axis"
    assert list(traces[panels.LUCKIEST]["x"]) == [0.3, 0.5] and set(traces[panels.LUCKIEST]["y"]) == {0}
    assert traces["effect"]["marker"]["symbol"][0] == "triangle-right" != traces["effect"]["marker"]["symbol"][-1]
    assert [one["x0"] for one in figure["layout"]["shapes"] if one.get("name") == panels.LUCKIEST] == [0.5]
    assert [name for name in rows if "★" in name] == ["<b>★ f2</b>"]
    assert {one["text"] for one in figure["layout"]["annotations"]} >= {"<b>100%</b>", "of 2"}


def test_what_has_no_row_is_folded_and_a_panel_is_never_folded_before_thirty():
    Z = np.zeros((20, 60))
    Z[:, :25], Z[:3, 25:50] = 1, 1
    table = panel(Results({"one": sc.Selections.from_matrix(Z)}), 0.75)
    frame = panels.frame_panel(table, 0.75)
    assert frame["kind"].eq("").sum() == 25 and frame["kind"].eq(panels.FOLDED).sum() == 25
    figure = drawn(panels.draw_panel(frame))
    (rug,) = [one for one in figure["data"] if one["name"] == panels.FOLDED]
    assert len(rug["x"]) == 25 and figure["layout"]["yaxis"]["ticktext"][-1] == "25 more"
    more = panels.frame_panel(table.assign(stays=True), 0.75)
    assert more["kind"].eq("").sum() == panels.MOST_SHOWN
    few = panels.frame_panel(table.assign(stays=False), 0.75)
    assert few["kind"].eq("").sum() == panels.LEAST_ROWS


def test_without_shuffles_and_effects_there_are_no_blocks_and_one_column(brought):
    figure = drawn(panels.draw_panel(panels.frame_panel(panel(brought, 0.75), 0.75)))
    names = {one["name"] for one in figure["data"]}
    assert names == {"each selector", "in the panel", "not in it"} and "xaxis2" not in figure["layout"]
    assert "shuffled" not in panels.describe_marks(panels.frame_panel(panel(brought, 0.75), 0.75))


def test_other_choices_are_told_as_consequences_and_name_no_other_panel(brought):
    table = threshold_grid(brought, "first")
    k, threshold = int(table["k"].iloc[len(table) // 2]), 0.75
    here = table[(table["k"] == k) & np.isclose(table["threshold"], threshold)]["stays"].iloc[0]
    near = table[table["k"].between(k / 2, 2 * k) & table["threshold"].between(0.65 - 1e-9, 0.85 + 1e-9)]["stays"]
    said = choices.finding_threshold_grid(table, k, threshold)
    assert said.startswith(f"The panel has {here} feature") and said.endswith(
        f"leave {near.min()}." if near.min() == near.max() else f"leave {near.min()} to {near.max()}."
    )
    frame = choices.frame_paths(stability_paths(brought, "first"), 0.75, 4)
    assert set(frame.loc[frame["stays"], "feature"]) == {
        name for name, often in zip(brought.features, brought.selections("first").frequencies) if often >= 0.75
    }
    every = frame[frame["stays"] & frame["near"]].groupby("feature")["frequency"].min() >= 0.75
    assert choices.finding_paths(frame, 0.75).startswith(f"{every.sum()} of the {every.size} feature")


def test_a_map_of_several_selectors_counts_their_mean_frequencies(brought):
    both = threshold_grid(brought, ["first", "second"], sizes=[4], thresholds=[0.75])
    mean = np.mean([brought.selections(label).frequencies for label in ("first", "second")], axis=0)
    assert both["stays"].tolist() == [(mean >= 0.75).sum()] and both["score"].isna().all()
    paths = stability_paths(brought, ["first", "second"], features=["f1"], sizes=[4], always=["f9"])
    assert paths["frequency"].tolist() == pytest.approx([mean[0], mean[8]])


def test_sentences_of_shared_panels(brought):
    shared = shared_panels(brought, 0.75)
    both = shared.loc[shared["n_selectors"] == 2, "size"].sum()
    assert choices.finding_shared(shared, 2).startswith(f"{both} features are in the panel of all 2 selectors")
    same = pd.DataFrame({"selector": ["first", "second"], "runs": 50, "different": [50, 3], "most_often": [1, 40]})
    assert choices.describe_same_sets(same) == (
        "From 3 different sets in 50 runs of second to 50 different sets in 50 runs of first."
    )
    assert choices.describe_same_sets(same[:1]) == "50 different sets in 50 runs of first."
    assert choices.describe_same_sets(same.assign(different=50)) == (
        "50 different sets in 50 runs of each of the 2 selectors; no set came back."
    )
    assert choices.describe_same_sets(same.assign(different=1)) == "One and the same set in 50 runs of each of the 2 selectors."
    assert choices.finding_shared(shared.iloc[:0], 2) == "No selector has a feature above the threshold."


def test_shared_panels_are_drawn_with_a_bar_each(brought):
    frame = choices.frame_shared(shared_panels(brought, 0.5), brought.finished_selectors)
    figure = choices.draw_shared(frame, brought.finished_selectors)
    bars, dots, lines = figure.data
    assert list(bars.y) == frame["size"].tolist()
    row = dict(zip(figure.layout.yaxis2.ticktext, figure.layout.yaxis2.tickvals, strict=True))
    held = {
        (place, row[label]) for label in brought.finished_selectors for place, inside in zip(frame["place"], frame[label]) if inside
    }
    assert {(x, y) for x, y, colour in zip(dots.x, dots.y, dots.marker.color) if colour == choices.PANEL_COLOUR} == held
    assert len(dots.x) == len(frame) * len(brought.finished_selectors) and set(lines.x) == {*frame["place"], None}


def test_the_chosen_k_is_named_where_it_stands_on_a_logarithmic_axis_too():
    frame = pd.DataFrame({"feature": "a", "k": [1, 10, 100], "frequency": [0.1, 0.5, 0.9]})
    for top, at in ((100, 1.0), (10, 10)):
        figure = choices.draw_paths(choices.frame_paths(frame[frame["k"] <= top], 0.6, top), 0.6, 10)
        assert figure.layout.annotations[0].x == at and figure.layout.shapes[-1].x0 == 10
        names = [name for one in figure.data if one.mode == "markers+text" for name in one.text]
        assert names == (["a"] if top == 100 else [])  # passes: named at its end
