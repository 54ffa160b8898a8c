"""Sentences of the panel are what its table says, and pictures carry every number."""

import numpy as np
import pandas as pd
import pytest
from figure_support import drawn

import stabcore as sc
from stabcore.analysis.consensus import shared_panels
from stabcore.analysis.panel import panel
from stabcore.analysis.panel_map import panel_map, stability_paths
from stabcore.figures import panel as panels
from stabcore.study.results import Results


@pytest.fixture(scope="module")
def brought():
    rng = np.random.default_rng(0)
    pull = np.r_[9.0, 9.0, 1.5, np.zeros(9)]
    return Results({name: sc.Preferences.from_scores(rng.normal(size=(20, 12)) + pull).top(4) for name in ("first", "second")})


def false(bound):
    return pd.Series({"unimodal": bound})


def test_the_sentence_tells_how_many_stay_and_how_many_are_open(brought):
    table = panel(brought, 0.75)
    stay, near = int(table["stays"].sum()), int(((table["low"] < 0.75) & (table["high"] >= 0.75)).sum())
    said = panels.finding_panel(table, 0.75)
    assert said.startswith(f"{stay} features come back in at least 75% of the runs, on average over 2 selectors")
    assert (f"; of all features, {near} " in said) == (near > 0) and "false" not in said
    assert panels.finding_panel(table, 0.75, false(0.404)).endswith(
        "Panels made in this way hold at most 0.40 false features on average over studies: any at all in at most 41 of 100.")
    assert panels.finding_panel(table, 0.75, false(stay - 0.5)).endswith(
        f"hold at most {stay - 0.5:.2f} false features on average over studies, and more in some.")
    assert panels.finding_panel(table, 0.75, false(9.0)).endswith(
        "All of them may be false: panels made in this way hold at most 9.00 false features on average over studies.")
    assert "false" not in panels.finding_panel(table, 0.75, false(np.nan))
    nothing = table.assign(stays=False, low=0.0, high=0.1)
    assert panels.finding_panel(nothing, 0.75, false(0.5)) == (
        "No feature comes back in at least 75% of the runs, on average over 2 selectors.")
    alone = panels.finding_panel(table.assign(selectors=1), 0.75)
    assert alone.startswith(f"{stay} features come back in at least 75% of the runs;")


def test_the_picture_has_a_dot_an_interval_and_a_selector(brought):
    table = panel(brought, 0.75)
    figure = drawn(panels.draw_panel(panels.frame_panel(table, 0.75)))
    names = [one["name"] for one in figure["data"]]
    assert names[:2] == ["first", "second"] and set(names[2:]) <= {"in the panel", "not in it"}
    told = [text for one in figure["data"][2:] for text in one["text"]]
    first = f"{table['feature'][0]}: {table['frequency'][0]:.0%} ["
    assert len(told) == len(table) and any(text.startswith(first) for text in told)
    rows = {name: row for name, row in zip(figure["layout"]["yaxis"]["ticktext"], figure["layout"]["yaxis"]["tickvals"])}
    for one in figure["data"]:                      # whatever dot of its row is clicked, it is of the feature
        assert [rows[table["feature"][place]] for place in one["customdata"]] == list(one["y"]), one["name"]
    marked = drawn(panels.draw_panel(panels.frame_panel(table, 0.75, ["f2"])))["layout"]["yaxis"]["ticktext"]
    assert [name for name in marked if "★" in name] == ["<b>★ f2</b>"]
    line = drawn(panels.draw_panel(panels.frame_panel(table.assign(line=0.4), 0.75)))
    assert any(one.get("name") == "without any signal" for one in line["layout"]["shapes"])


def test_sentences_of_choices_paths_and_shared_panels(brought):
    table = panel_map(brought, "first")
    best = table.loc[table["score"].idxmax()]
    said = panels.finding_choices(table, "first")
    assert said.startswith("first: the features that come back part best")
    assert f"with {best['k']:.0f} features a run and a threshold of {best['threshold']:.0%}" in said
    assert panels.finding_choices(table.assign(score=np.nan), "first").startswith("first: no number of features")
    paths = stability_paths(brought, "first")
    many = sum((own["frequency"] >= 0.9).any() for _, own in paths.groupby("feature"))
    assert panels.finding_paths(paths, 0.9).startswith(f"{many} feature")
    shared = shared_panels(brought, 0.75)
    both = shared.loc[shared["n_selectors"] == 2, "size"].sum()
    assert panels.finding_shared(shared, 2).startswith(f"{both} features are in the panel of all 2 selectors")
    same = pd.DataFrame({"selector": ["first", "second"], "runs": 50, "different": [50, 3], "most_often": [1, 40]})
    assert panels.sentence_same_sets(same) == "From 3 different sets in 50 runs of second to 50 different sets in 50 runs of first."
    assert panels.sentence_same_sets(same[:1]) == "50 different sets in 50 runs of first."
    assert panels.sentence_same_sets(same.assign(different=50)) == (
        "50 different sets in 50 runs of each of the 2 selectors; no set came back.")
    assert panels.sentence_same_sets(same.assign(different=1)) == "One and the same set in 50 runs of each of the 2 selectors."
    assert panels.finding_shared(shared.iloc[:0], 2) == "No selector has a feature above the threshold."


def test_shared_panels_are_drawn_with_a_bar_each(brought):
    frame = panels.frame_shared(shared_panels(brought, 0.5), brought.ready)
    figure = panels.draw_shared(frame, brought.ready)
    bars, dots, lines = figure.data
    assert list(bars.y) == frame["size"].tolist()
    row = dict(zip(figure.layout.yaxis2.ticktext, figure.layout.yaxis2.tickvals, strict=True))
    held = {(place, row[label]) for label in brought.ready for place, inside in zip(frame["place"], frame[label]) if inside}
    assert {(x, y) for x, y, colour in zip(dots.x, dots.y, dots.marker.color) if colour == panels.IN} == held
    assert len(dots.x) == len(frame) * len(brought.ready) and set(lines.x) == {*frame["place"], None}


def test_the_chosen_k_is_named_where_it_stands_on_a_logarithmic_axis_too():
    frame = pd.DataFrame({"feature": "a", "k": [1, 10, 100], "frequency": [0.1, 0.5, 0.9]})
    for top, at in ((100, 1.0), (10, 10)):
        figure = panels.draw_paths(panels.frame_paths(frame[frame["k"] <= top], 0.6), 0.6, 10)
        assert figure.layout.annotations[0].x == at and figure.layout.shapes[-1].x0 == 10
        names = [name for one in figure.data if one.mode == "markers+text" for name in one.text]
        assert names == (["a"] if top == 100 else [])                           # passes: named at its end
