"""Importance map: widths of rectangles, order of runs, colours, and the rectangle of all other features."""

from dataclasses import replace

import numpy as np
import pytest
from figure_support import drawn, runs, seen, trace

import stabcore as sc
from stabcore.plots import importance_map, style


def test_widths_are_importances_scaled_to_the_mean_size():
    selections, similarity = runs(), sc.Similarity.from_groups({"g": [0, 1], "h": [4, 5]}, n_features=9)
    made = seen(selections, similarity)
    frame = importance_map.frame_importance_map(made)
    scaled = selections.importances / selections.importances.sum(axis=1, keepdims=True) * selections.sizes.mean()
    for row in frame.itertuples():
        f = int(row.feature[1:]) - 1
        assert row.width == pytest.approx(scaled[row.run - 1, f])
        assert row.share == pytest.approx(row.width / selections.sizes.mean())
        assert row.frequency == selections.frequencies[f] and row.group == {0: "g", 1: "g", 4: "h", 5: "h"}.get(f, "")
    assert len(frame) == np.count_nonzero(selections.importances)
    for _, run in frame.groupby("run"):
        assert run["width"].sum() == pytest.approx(selections.sizes.mean())
        assert (run["start"] + run["width"]).to_numpy()[:-1] == pytest.approx(run["start"].to_numpy()[1:])
        assert run["start"].iloc[0] == pytest.approx(0) and run["frequency"].is_monotonic_decreasing
    bars = trace(drawn(importance_map.draw_importance_map(frame, made)), "bar")
    for key, name in (("y", "row"), ("hovertext", "run"), ("x", "width"), ("base", "start"), ("customdata", "position")):
        assert list(bars[key]) == pytest.approx(frame[name].tolist(), rel=1e-6, abs=1e-5)
    assert bars["text"] == [f"{row.feature}<br>in {row.frequency:.0%} of runs<br>{row.share:.1%}" for row in frame.itertuples()]
    by_group = dict(zip(frame["group"], bars["marker"]["color"]))
    assert all(by_group[group] == colour for group, colour in zip(frame["group"], bars["marker"]["color"]))
    assert len(set(by_group.values())) == 3 and by_group[""] == style.PALE_GREY
    equal = importance_map.frame_importance_map(seen(runs(weights=False)))
    assert equal["width"].to_numpy() == pytest.approx(np.ones(28)) and equal["share"].to_numpy() == pytest.approx(np.full(28, 0.25))


def test_runs_are_sorted_by_coloured_importance_or_number():
    made = seen(runs(d=30, k=20, M=10, noise=0.5))
    frame = importance_map.frame_importance_map(made)
    coloured = frame[frame["position"].isin(importance_map.coloured_positions(made))].groupby("row")["width"].sum()
    assert sorted(frame["row"].unique()) == list(range(1, 11)) and coloured.sort_index(ascending=False).is_monotonic_increasing
    assert dict(zip(frame["run"], frame["row"])) == frame.attrs["rows"] and list(frame.attrs["rows"]) != list(range(1, 11))
    folds = replace(made, folds=np.repeat([1, 2], 5))
    grouped = seen(runs(), sc.Similarity.from_groups({"g": [0, 1]}, n_features=9))
    for shown in (folds, grouped):
        by_number = importance_map.frame_importance_map(shown)
        assert (by_number["row"] == by_number["run"]).all()


def test_features_beyond_the_limit_share_one_rectangle():
    made = seen(runs())
    whole, cut = importance_map.frame_importance_map(made), importance_map.frame_importance_map(made, most=3)
    rest = cut[cut["position"] == 0]
    n_features = whole["feature"].nunique()
    assert set(cut["feature"]) - set(rest["feature"]) == set(made.columns["feature"][:3])
    assert set(rest["feature"]) == {f"all others ({n_features - 3})"}
    assert rest["frequency"].isna().all() and (rest["group"] == "").all() and not rest["highlighted"].any()
    assert cut.groupby("run")["width"].sum().to_numpy() == pytest.approx(whole.groupby("run")["width"].sum().to_numpy())
    colours = trace(drawn(importance_map.draw_importance_map(cut, made)), "bar")["marker"]["color"]
    assert {colour for colour, position in zip(colours, cut["position"]) if position == 0} == {style.PALE_GREY}
