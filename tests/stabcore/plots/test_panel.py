"""Figures and sentences of the panel against its table."""

import tomllib

import numpy as np
import pandas as pd
import pytest
from figure_support import drawn
from support import ROOT

import stabcore as sc
from stabcore.analysis.effects import EXPLAINED
from stabcore.analysis.panel import panel, panel_at_threshold, stability_paths, threshold_grid
from stabcore.plots import panel as panels
from stabcore.study.results import Results


@pytest.fixture(scope="module")
def study_results():
    rng = np.random.default_rng(0)
    pull = np.r_[9.0, 9.0, 1.5, np.zeros(9)]
    return Results({name: sc.Selections.from_scores(rng.normal(size=(20, 12)) + pull).top(4) for name in ("first", "second")})


def shuffled(table, line=0.4):
    """A panel with frequencies of a shuffled outcome."""
    return panel_at_threshold(table.assign(shuffled=0.2, line=line), 0.75)


def test_rows_of_the_panel_have_all_marks(study_results):
    table = shuffled(panel(study_results, 0.75))
    effect = np.linspace(1, -1, len(table))
    effects = pd.DataFrame({"feature": table["feature"], "effect": effect, "low": -2.0, "high": 2.0, "shrunken": effect / 2})
    effects = effects.assign(shrunken_low=-1.0, shrunken_high=1.0, level="", measure="difference")
    effects = effects.assign(direction=np.where(effect > 0, "higher in <i>", "lower in <i>"))
    effects.loc[1, ["shrunken", "shrunken_low", "shrunken_high"]] = np.nan
    frame = panels.frame_panel(table, 0.75, ["f2"], effects, [0.3, 0.5])
    assert frame["kind"].tolist() == [""] * len(table) + [panels.LUCKIEST] * 2
    assert frame["effect"].tolist()[:2] == [effects["shrunken"][0], effects["effect"][1]] and frame["effect_low"][1] == -2.0
    assert frame["place"].tolist()[:3] == [0, 1, 2]
    figure = drawn(panels.draw_panel(frame))
    traces = {trace["name"]: trace for trace in figure["data"]}
    rows = dict(zip(figure["layout"]["yaxis"]["ticktext"], figure["layout"]["yaxis"]["tickvals"]))
    plain = {name.replace("<b>", "").replace("</b>", "").replace("★ ", ""): row for name, row in rows.items()}
    for name in ("in the panel", "outside", "one selector", "effect"):
        for place, y in zip(traces[name]["customdata"], traces[name]["y"], strict=True):
            assert plain[table["feature"][int(place)]] == y, name
    in_legend = [trace["name"] for trace in figure["data"] if trace.get("showlegend", True)]
    assert in_legend == ["outcome shuffled", "one selector", "in the panel", "outside"], "fit in two lines of half a screen"
    assert list(traces["outcome shuffled"]["x"]) == [0.2] * len(table)
    low, high = figure["layout"]["xaxis2"]["range"]
    assert low < -2.0 < 2.0 < high
    tiny = frame.assign(effect=0.001, effect_low=0.0, effect_high=0.002)
    low, high = drawn(panels.draw_panel(tiny))["layout"]["xaxis2"]["range"]
    assert low < -0.2 < 0.2 < high < 0.3, "effects of noise do not fill the axis"
    lucky = traces["highest in one shuffle"]
    assert list(lucky["x"]) == [0.3, 0.5] and set(lucky["y"]) == {0}
    assert traces["effect"]["marker"]["symbol"][0] == "triangle-right" != traces["effect"]["marker"]["symbol"][-1]
    assert [shape["x0"] for shape in figure["layout"]["shapes"] if shape.get("name") == panels.LUCKIEST] == [0.5]
    assert [name for name in rows if "★" in name] == ["<b>★ f2</b>"]
    assert {annotation["text"] for annotation in figure["layout"]["annotations"]} >= {
        *("<b>100%</b>", "<b>2 of 2</b>", "highest in 2 shuffles 50%", "threshold 75%", "Selectors", "≥ 75%", "Mean"),
        *("<b>Difference</b>", "▶ higher in &lt;i&gt;"),
    }


@pytest.mark.parametrize(("frequency", "text"), [(0.7486, "74.8%"), (0.75, "75%"), (0.744, "74%"), (0.9986, "100%")])
def test_a_frequency_below_the_threshold_is_not_rounded_to_it(frequency, text):
    assert panels._format_frequency(frequency, 0.75) == text and panels._format_frequency(frequency, np.nan)[-1] == "%"


def test_names_of_lines_are_away_from_the_numbers_and_symbols_have_a_direction_only_if_effects_have(study_results):
    table = shuffled(panel(study_results, 0.75), 0.76)
    effects = pd.DataFrame({"feature": table["feature"], "effect": 0.3, "low": 0.2, "high": 0.4, "shrunken": np.nan})
    effects = effects.assign(shrunken_low=np.nan, shrunken_high=np.nan, level="", direction="", measure=EXPLAINED)
    figure = drawn(panels.draw_panel(panels.frame_panel(table, 0.75, (), effects, [0.5, 0.76])))
    lines = [words for words in figure["layout"]["annotations"] if "shuffles 76%" in words["text"] or "threshold" in words["text"]]
    assert [words["xanchor"] for words in lines] == ["right", "right"]
    (effect,) = (trace for trace in figure["data"] if trace["name"] == "effect")
    assert set(effect["marker"]["symbol"]) == {"diamond"}
    narrow = drawn(panels.draw_panel(panels.frame_panel(table, 0.75), narrow=True))
    (named,) = (trace for trace in narrow["data"] if trace.get("text") and trace["name"] == "one selector")
    assert set(named["text"]) == {""}, "a telephone has no space for names of selectors"


def test_frequent_features_similar_to_the_panel_are_named():
    table = pd.DataFrame({"feature": list("abcd"), "in_panel": [True, False, False, False], "frequency": [0.9, 0.5, 0.4, 0.1]})
    names = list("abcd")
    for group, named in (("ab", "b (50%"), ("ad", ""), ("bc", "")):  # d is rarely selected, c similar to no feature of the panel
        sentence = panels.describe_similar_outside(table, sc.Similarity.from_groups({"g": list(group)}, names=names))
        assert named in sentence and bool(sentence) == bool(named)


def test_panels_of_several_selectors_use_mean_frequencies(study_results):
    both = threshold_grid(study_results, ["first", "second"], sizes=[4], thresholds=[0.75])
    mean = np.mean([study_results.selections(label).frequencies for label in ("first", "second")], axis=0)
    assert both["panel_size"].tolist() == [(mean >= 0.75).sum()] and both["score"].isna().all()
    paths = stability_paths(study_results, ["first", "second"], features=["f1"], sizes=[4], always=["f9"])
    assert paths["frequency"].tolist() == pytest.approx([mean[0], mean[8]])


def test_picture_on_start_shows_the_panel_of_its_study():
    picture = tomllib.loads((ROOT / "sample_data" / "alzheimer_ad.toml").read_text("utf-8"))["about"]["picture"]
    table = panel(sc.open_study(ROOT / "sample_data" / "alzheimer_ad.stab"), picture["threshold"])
    first = table.head(len(picture["features"])).set_index("feature")["frequency"]
    assert picture["features"] == first.round(2).to_dict() and picture["shuffled"] == round(table["line"].iloc[0], 2)
