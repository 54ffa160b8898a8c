"""Selection grid: cells, orders, groups, folds, large grids and empty ones."""

import base64
import struct
import zlib

import numpy as np
import pytest
from figure_support import cells, drawn, runs, seen, trace

import stabcore as sc
from stabcore.plots import importance_map, selection_grid, style
from stabcore.plots.selection_grid import EMPTY
from stabcore.plots.selection_map import ORDERS, column_colours, selection_maps

NAMES = ["f", "b", "e", "a", "d", "c", "i", "h", "g"]


@pytest.mark.parametrize("weights", [True, False])
def test_selection_grid_draws_the_frame(weights):
    made = seen(runs(NAMES, weights=weights))
    figure = drawn(selection_grid.draw_grid(made))
    heat, bar = trace(figure, "heatmap"), trace(figure, "bar")
    frame = selection_grid.frame_grid(made)
    selected = frame.pivot(index="run", columns="position", values="selected").to_numpy()
    assert ((cells(figure) != selection_grid.EMPTY) == selected).all()
    assert list(heat["y"]) == made.columns["position"].tolist() and list(heat["x"]) == list(range(1, 8))
    assert ("text" in heat) == weights == ("importance" in frame)
    if weights:
        assert np.asarray(heat["text"]) == pytest.approx(made.weights.T, rel=1e-6)
    assert bar["orientation"] == "h" and list(bar["x"]) == made.columns["frequency"].tolist()
    assert bar["text"] == made.columns["feature"].tolist()
    clicked = trace(figure, "scatter", mode="markers", xaxis="x2")
    assert list(clicked["customdata"]) == made.columns["position"].tolist() == list(clicked["y"])
    assert figure["layout"]["yaxis"]["ticktext"] == made.columns["feature"].tolist()


@pytest.mark.parametrize("n_lit", [1, 9])
def test_highlighted_features_are_coloured_marked_and_named(n_lit):
    selections = runs(d=30, k=20, M=10, noise=0.5)
    made = seen(selections, sc.Similarity.from_groups({"g": [0, 1, 2]}, n_features=30), picked=[f"f{i + 1}" for i in range(n_lit)])
    lit = made.columns["highlighted"]
    assert set(made.columns.loc[lit, "feature"]) == {f"f{i + 1}" for i in range(n_lit)}
    figure = drawn(selection_grid.draw_grid(made))
    colours = cells(figure)
    for column, on in enumerate(lit):
        inside = set(colours[made.counts[:, column] > 0, column])
        assert len(inside) == 1 and (inside == {style.PALE_GREY}) == (not on)
    marks = [entry for entry in figure["data"] if entry.get("xaxis") == "x2"][-1]
    assert list(marks["y"]) == made.columns.loc[lit, "position"].tolist() == list(marks["customdata"])
    assert len(set(zip(marks["marker"]["color"], marks["marker"]["symbol"]))) == n_lit
    assert not [entry for entry in figure["data"] if "name" in entry], "their names are beside their rows"
    bold = [name for name in figure["layout"]["yaxis"]["ticktext"] if name.startswith("<b>")]
    assert bold == [f"<b>{name}</b>" for name in made.columns.loc[lit, "feature"]]
    frame = importance_map.frame_importance_map(made, most=5)
    assert set(frame.loc[frame["highlighted"], "feature"]) == set(made.columns.loc[lit, "feature"]), "also beyond the first five"
    bars = trace(drawn(importance_map.draw_importance_map(frame, made)), "bar")
    for on, colour, pattern in zip(frame["highlighted"], bars["marker"]["color"], bars["marker"]["pattern"]["shape"]):
        assert (colour != style.PALE_GREY) == (pattern != "") == on


def test_outer_folds_are_bands_and_runs_left_out_stay_blank():
    selections = runs(M=9)
    folds = np.repeat([1, 2, 3], 3)
    whole = drawn(selection_grid.draw_grid(seen(selections, folds=[folds])))
    assert whole["layout"]["xaxis"]["ticktext"] == ["fold 1", "fold 2", "fold 3"]
    assert list(whole["layout"]["xaxis"]["tickvals"]) == [2, 5, 8]
    assert [shape["x0"] for shape in whole["layout"]["shapes"] if shape["type"] == "line"] == [3.5, 6.5]
    assert [(shape["x0"], shape["x1"]) for shape in whole["layout"]["shapes"] if shape["type"] == "rect"] == [(3.5, 6.5)]
    places = [0, 1, 2, 6, 7, 8]
    made = seen(selections.take(places), runs=[[i + 1 for i in places]], folds=[folds[places]])
    figure = drawn(selection_grid.draw_grid(made))
    colours = cells(figure)
    assert (colours[3:6] == selection_grid.ABSENT).all() and (colours[[0, 1, 2, 6, 7, 8]] != selection_grid.ABSENT).all()
    assert figure["layout"]["xaxis"]["ticktext"] == ["fold 1", "fold 3"]
    frame = selection_grid.frame_grid(made)
    assert set(frame["run"]) == set(importance_map.frame_importance_map(made)["run"]) == {1, 2, 3, 7, 8, 9}
    assert set(frame["fold"]) == {1, 3}
    alone = drawn(selection_grid.draw_grid(seen(selections)))
    assert "shapes" not in alone["layout"]


@pytest.mark.parametrize(
    "make", [lambda: sc.Selections.from_matrix(np.zeros((4, 3), dtype=int)), lambda: sc.Selections.from_weights(np.zeros((4, 3)))]
)
@pytest.mark.parametrize("merged", [True, False])
def test_runs_without_selections_have_empty_figures(make, merged):
    similarity = sc.Similarity.from_groups({"g": [0, 1]}, n_features=3)
    for order in ORDERS:
        made = seen(make(), similarity, order, merged=merged)
        grid = selection_grid.frame_grid(made)
        assert grid.empty and list(grid)[:3] == ["run", "feature", "position"]
        drawn(selection_grid.draw_grid(made))
    frame = importance_map.frame_importance_map(made)
    assert frame.empty
    drawn(importance_map.draw_importance_map(frame, made))
    for sentence in (selection_grid.finding_grid(made, 3), importance_map.finding_importance_map(frame)):
        assert sentence.startswith("No run")


def test_few_selections_of_a_million_features():
    sets = [np.arange(i, i + 20) * 997 for i in range(5)]
    made = seen(sc.Selections.from_lists(sets, n_features=1_000_000))
    assert len(made.columns) == 24 and len(importance_map.frame_importance_map(made)) == 100


def test_colours_show_the_direction_of_features():
    chosen = sc.Selections.from_matrix([[1, 1, 0], [1, 0, 1], [1, 1, 0]], ["a", "b", "c"])
    coloured = selection_maps([chosen])[0].group_by_direction({"a": "higher in sick", "b": "lower in sick", "c": ""})
    number, colours, entries = column_colours(coloured)
    assert [name for name, *_ in entries] == ["higher in sick", "lower in sick", "unknown direction"]
    assert len({colours[i] for i in number}) == 3
    text = str(drawn(selection_grid.draw_grid(coloured)))
    assert "higher in sick" in text and "group higher" not in text and "single features" not in text


GROUPS = {"two": ["a", "e"], "one": ["b", "h"]}
OF = {name: group for group, names in GROUPS.items() for name in names}


@pytest.mark.parametrize("order", ["frequency", "name", "group"])
def test_frame_holds_the_selections_in_the_chosen_order(order):
    selections, similarity = runs(NAMES), sc.Similarity.from_groups(GROUPS, names=NAMES)
    made = seen(selections, similarity, order)
    often = dict(zip(NAMES, selections.frequencies))
    weight = dict(zip(NAMES, (selections.importances / selections.importances.sum(1)[:, None]).sum(0)))
    keys = {
        "frequency": lambda f: (-often[f], -weight[f], f),
        "name": lambda f: f,
        "group": lambda f: (f not in OF, OF.get(f, ""), -often[f], -weight[f]),
    }
    assert made.columns["feature"].tolist() == sorted((f for f in NAMES if often[f]), key=keys[order])
    frame = selection_grid.frame_grid(made)
    assert len(frame) == 7 * len(made.columns) and set(frame["run"]) == set(range(1, 8))
    for row in frame.itertuples():
        f = NAMES.index(row.feature)
        assert row.selected == selections.selected[row.run - 1, f] and row.importance == selections.importances[row.run - 1, f]
        assert row.frequency == often[row.feature] and row.group == OF.get(row.feature, "") and row.of == 1
        assert made.members(row.position - 1) == [f]


def test_merged_groups_count_their_members():
    selections, similarity = runs(NAMES, M=30, k=3), sc.Similarity.from_groups(GROUPS, names=NAMES)
    made = seen(selections, similarity, merged=True)
    assert set(made.columns["feature"]) == {"one", "two", *(f for f, n in zip(NAMES, selections.counts) if n and f not in OF)}
    for row in selection_grid.frame_grid(made).itertuples():
        members = [NAMES.index(f) for f in GROUPS.get(row.feature, [row.feature])]
        assert row.selected == selections.selected[row.run - 1, members].sum() and row.of == len(members)
        assert row.importance == pytest.approx(selections.importances[row.run - 1, members].sum())
        assert row.frequency == pytest.approx(selections.selected[:, members].any(axis=1).mean())
        assert made.members(row.position - 1) == sorted(members)
    assert made.merged and not seen(selections, similarity).merged
    levels = cells(drawn(selection_grid.draw_grid(made)))
    place = made.columns["feature"].tolist().index("one")
    shades = {count: set(levels[made.counts[:, place] == count, place]) for count in (0, 1, 2)}
    assert shades[0] == {EMPTY} and len(shades[1]) == len(shades[2]) == 1 and shades[1] != shades[2]


def pixels(source):
    """Decode the PNG of a grid, whose rows are features, to (runs, features, RGBA), without a library."""
    data, offset, parts = base64.b64decode(source.split(",")[1]), 8, {}
    while offset < len(data):
        length, kind = struct.unpack(">I4s", data[offset : offset + 8])
        body = data[offset + 8 : offset + 8 + length]
        assert struct.unpack(">I", data[offset + 8 + length : offset + 12 + length])[0] == zlib.crc32(kind + body)
        parts[kind], offset = body, offset + 12 + length
    width, height = struct.unpack(">II", parts[b"IHDR"][:8])
    rows = np.frombuffer(zlib.decompress(parts[b"IDAT"]), dtype=np.uint8).reshape(height, width + 1)
    assert (rows[:, 0] == 0).all()
    palette = np.frombuffer(parts[b"PLTE"], dtype=np.uint8).reshape(-1, 3)
    return np.dstack([palette[rows[:, 1:]], np.frombuffer(parts[b"tRNS"], dtype=np.uint8)[rows[:, 1:]]]).swapaxes(0, 1)


def test_image_has_one_pixel_per_cell():
    made = seen(runs(d=600, k=300, M=10), picked=["f5"])
    assert selection_grid.MAX_CELLS < len(made.columns) <= selection_grid.MAX_PIXELS and selection_grid.columns_per_pixel(made) == 1
    figure = drawn(selection_grid.draw_grid(made))
    picture = pixels(trace(figure, "image")["source"])
    assert picture.shape[:2] == made.counts.shape
    assert ((picture[:, :, 3] > 26) == (made.counts > 0)).all()  # cells that were not selected have a tenth of the opacity
    assert figure["layout"]["yaxis"]["scaleanchor"] is False
    place = made.columns.index[made.columns["feature"] == "f5"][0]
    blue = tuple(bytes.fromhex(style.PALETTE[0][1:]))
    chosen = made.counts[:, place] > 0
    assert {tuple(int(part) for part in pixel[:3]) for pixel in picture[chosen, place]} == {blue}
    assert not (np.delete(picture, place, axis=1)[:, :, :3] == blue).all(axis=2).any()
    line = trace(figure, "scatter", mode="lines")
    assert list(line["x"]) == made.columns["frequency"].tolist() and line["y0"] == 1
    points = trace(figure, "scatter", mode="markers", xaxis="x2")
    often = sorted(made.columns["frequency"], reverse=True)[: selection_grid.MAX_CELLS]
    assert sorted(points["x"], reverse=True) == often and len(points["customdata"]) == selection_grid.MAX_CELLS


def test_pixel_of_several_features_shows_the_share_selected():
    made = seen(runs(d=3000, k=1000, M=6), picked=[])
    a_pixel = selection_grid.columns_per_pixel(made)
    assert a_pixel == -(-len(made.columns) // 700) > 1
    figure = drawn(selection_grid.draw_grid(made))
    picture = trace(figure, "image")
    alpha = pixels(picture["source"])[:, :, 3]
    for pixel in range(alpha.shape[1]):
        behind = made.counts[:, pixel * a_pixel : (pixel + 1) * a_pixel]
        expected = np.ceil(selection_grid.SHADES * behind.mean(axis=1) - 1e-9) / selection_grid.SHADES
        assert alpha[:, pixel] == pytest.approx(np.where(behind.sum(axis=1) > 0, np.round(255 * expected), 26), abs=1)
    assert picture["y0"] == 1 + (a_pixel - 1) / 2 and picture["dy"] == a_pixel
    assert f"covers {a_pixel} positions" in picture["hovertemplate"]
