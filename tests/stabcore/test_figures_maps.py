"""Maps: what is drawn stands in the frame cell by cell, however large; highlights, folds and merged groups; nothing at all."""

import base64
import json
import re
import struct
import zlib
from dataclasses import replace

import numpy as np
import pytest
from scipy.sparse import csr_array

import stabcore as sc
from stabcore.figures import image, maps, rectangles, style
from stabcore.figures.columns import ORDERS, arrange
from stabcore.seriation import by_coselection

NAMES = ["f", "b", "e", "a", "d", "c", "i", "h", "g"]
GROUPS = {"two": ["a", "e"], "one": ["b", "h"]}
OF = {"a": "two", "e": "two", "b": "one", "h": "one"}


def runs(names=None, M=7, d=9, k=4, seed=0, weights=True, noise=2.0):
    rng = np.random.default_rng(seed)
    scores = np.linspace(2, 0, d) + noise * rng.normal(size=(M, d))
    made = sc.Preferences.from_scores(scores, names)
    return replace(made, given=csr_array(rng.random((M, d))) if weights else None).top(k)


def seen(one, relation=None, order="frequency", **how):
    return arrange([one], relation, order, **how)[0]


def drawn(figure):
    """The figure as a browser gets it, number arrays unpacked."""
    def unpack(value):
        if isinstance(value, dict) and "bdata" in value:
            found = np.frombuffer(base64.b64decode(value["bdata"]), dtype=value["dtype"])
            return found.reshape([int(n) for n in str(value.get("shape", len(found))).split(",")])
        if isinstance(value, dict):
            return {key: unpack(one) for key, one in value.items()}
        return [unpack(one) for one in value] if isinstance(value, list) else value

    return unpack(json.loads(figure.to_json()))


def trace(figure, kind, **having):
    return next(one for one in figure["data"] if one["type"] == kind and all(one.get(k) == v for k, v in having.items()))


def cells(figure):
    """(rows, columns) of the colour of each cell of a heat map."""
    heat = trace(figure, "heatmap")
    scale, low, high = heat["colorscale"], heat["zmin"], heat["zmax"]
    at = (np.array(heat["z"], dtype=float) - low) / (high - low)
    return np.array([[next(colour for (edge, colour), (above, _) in zip(scale, scale[1:]) if edge < one < above) for one in row]
                     for row in at], dtype=object)


def pixels(source):
    """(rows, columns, rgba) of a PNG with a palette, read by hand."""
    data, at, parts = base64.b64decode(source.split(",")[1]), 8, {}
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + length]
        assert struct.unpack(">I", data[at + 8 + length:at + 12 + length])[0] == zlib.crc32(kind + body)
        parts[kind], at = body, at + 12 + length
    width, height = struct.unpack(">II", parts[b"IHDR"][:8])
    rows = np.frombuffer(zlib.decompress(parts[b"IDAT"]), dtype=np.uint8).reshape(height, width + 1)
    assert (rows[:, 0] == 0).all()
    palette = np.frombuffer(parts[b"PLTE"], dtype=np.uint8).reshape(-1, 3)
    return np.dstack([palette[rows[:, 1:]], np.frombuffer(parts[b"tRNS"], dtype=np.uint8)[rows[:, 1:]]])


# ---- columns ----

@pytest.mark.parametrize("order", ["frequency", "name", "group"])
def test_the_frame_holds_what_was_selected_in_the_order_asked_for(order):
    one, relation = runs(NAMES), sc.Relation.from_groups(GROUPS, features=NAMES)
    made = seen(one, relation, order)
    often, weight = dict(zip(NAMES, one.frequencies)), dict(zip(NAMES, (one.importances / one.importances.sum(1)[:, None]).sum(0)))
    keys = {"frequency": lambda f: (-often[f], -weight[f], f), "name": lambda f: f,
            "group": lambda f: (f not in OF, OF.get(f, ""), -often[f], -weight[f])}
    assert made.columns["feature"].tolist() == sorted((f for f in NAMES if often[f]), key=keys[order])
    frame = maps.frame_grid(made)
    assert len(frame) == 7 * len(made.columns) and set(frame["run"]) == set(range(1, 8))
    for row in frame.itertuples():
        f = NAMES.index(row.feature)
        assert row.selected == one.selected[row.run - 1, f] and row.importance == one.importances[row.run - 1, f]
        assert row.frequency == often[row.feature] and row.group == OF.get(row.feature, "") and row.of == 1
        assert made.members(row.position - 1) == [f]


def test_merged_groups_count_their_members():
    one, relation = runs(NAMES, M=30, k=3), sc.Relation.from_groups(GROUPS, features=NAMES)
    made = seen(one, relation, merged=True)
    assert set(made.columns["feature"]) == {"one", "two", *(f for f, n in zip(NAMES, one.counts) if n and f not in OF)}
    for row in maps.frame_grid(made).itertuples():
        own = [NAMES.index(f) for f in GROUPS.get(row.feature, [row.feature])]
        assert row.selected == one.selected[row.run - 1, own].sum() and row.of == len(own)
        assert row.importance == pytest.approx(one.importances[row.run - 1, own].sum())
        assert row.frequency == pytest.approx(one.selected[:, own].any(axis=1).mean())
        assert made.members(row.position - 1) == sorted(own)
    assert made.merged and not seen(one, relation).merged
    levels = cells(drawn(maps.draw_grid(made)))
    place = made.columns["feature"].tolist().index("one")
    shades = {count: set(levels[made.counts[:, place] == count, place]) for count in (0, 1, 2)}
    assert shades[0] == {maps.EMPTY} and len(shades[1]) == len(shades[2]) == 1 and shades[1] != shades[2]


def test_two_selectors_have_the_same_columns_and_the_same_colours():
    relation = sc.Relation.from_groups(GROUPS, features=NAMES)
    pair = [runs(NAMES, k=2, seed=1), runs(NAMES, k=3, seed=2, M=9)]
    for order in ORDERS:
        first, second = arrange(pair, relation, order)
        assert first.columns["feature"].tolist() == second.columns["feature"].tolist() and first.groups == second.groups
        assert set(first.columns["feature"]) == {f for f, a, b in zip(NAMES, pair[0].counts, pair[1].counts) if a or b}
        for made, one in zip((first, second), pair):
            expected = [one.frequencies[NAMES.index(f)] for f in made.columns["feature"]]
            assert made.columns["frequency"].tolist() == pytest.approx(expected)
    both = sum(one.frequencies for one in pair)
    shown = [both[NAMES.index(f)] for f in arrange(pair)[0].columns["feature"]]
    assert shown == sorted(shown, reverse=True)


def test_a_part_of_the_columns_keeps_places_and_members():
    made = seen(runs(d=30, k=12))
    part = made.part(4, 9)
    assert part.columns["position"].tolist() == [4, 5, 6, 7, 8, 9] and (part.counts == made.counts[:, 3:9]).all()
    assert [part.members(i) for i in range(6)] == [made.members(i) for i in range(3, 9)]
    assert list(trace(drawn(maps.draw_grid(part)), "heatmap")["x"]) == [4, 5, 6, 7, 8, 9]


# ---- the order of those that are selected together ----

def test_columns_that_the_same_runs_selected_are_neighbours():
    rng = np.random.default_rng(0)
    for limit in (3, 50):
        blocks = np.zeros((40, 12), dtype=bool)
        blocks[:20, :6], blocks[20:, 6:] = rng.random((20, 6)) < 0.9, rng.random((20, 6)) < 0.8
        mixed = rng.permutation(12)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("stabcore.seriation.MOST_CLUSTERED", limit)
            order = by_coselection(blocks[:, mixed])
        assert sorted(order) == list(range(12))
        block = mixed[order] < 6
        assert np.count_nonzero(np.diff(block)) == 1 and block[0], "the block that is selected more often comes first"


@pytest.mark.parametrize("selected, expected", [(np.ones((4, 5)), [0, 1, 2, 3, 4]), (np.zeros((4, 0)), []), (np.ones((4, 1)), [0]),
                                                ([[0, 1], [0, 1], [1, 1]], [1, 0]), (np.zeros((3, 4)), [0, 1, 2, 3])])
def test_an_order_of_few_or_equal_columns(selected, expected, monkeypatch):
    assert by_coselection(selected).tolist() == expected
    monkeypatch.setattr("stabcore.seriation.MOST_CLUSTERED", 2)
    assert by_coselection(selected).tolist() == expected


# ---- the grid ----

@pytest.mark.parametrize("weights", [True, False])
def test_the_grid_draws_the_frame(weights):
    made = seen(runs(NAMES, weights=weights))
    figure = drawn(maps.draw_grid(made))
    heat, bar = trace(figure, "heatmap"), trace(figure, "bar")
    frame = maps.frame_grid(made)
    selected = frame.pivot(index="run", columns="position", values="selected").to_numpy()
    assert ((cells(figure) != maps.EMPTY) == selected).all()
    assert list(heat["x"]) == made.columns["position"].tolist() and list(heat["y"]) == list(range(1, 8))
    assert ("text" in heat) == weights == ("importance" in frame)
    if weights:
        assert np.asarray(heat["text"]) == pytest.approx(made.weights, rel=1e-6)
    assert list(bar["y"]) == made.columns["frequency"].tolist() and bar["text"] == made.columns["feature"].tolist()
    clicked = trace(figure, "scatter", mode="markers", yaxis="y2")
    assert list(clicked["customdata"]) == made.columns["position"].tolist() == list(clicked["x"])
    assert figure["layout"]["xaxis"]["ticktext"] == made.columns["feature"].tolist()


@pytest.mark.parametrize("n_groups", [0, 1, 7, 8, 12])
def test_groups_have_colours_of_their_own_up_to_seven(n_groups):
    names = [f"f{i:02}" for i in range(30)]
    one = sc.Preferences.from_selection_matrix(np.ones((3, 30), dtype=int), names)
    sizes, members, at = [3, 2] + [1] * 40, {}, 0
    for g in range(n_groups):
        members[f"g{g:02}"] = names[at:at + sizes[g]]
        at += sizes[g]
    made = seen(one, sc.Relation.from_groups(members, features=names), "name")
    figure = drawn(maps.draw_grid(made))
    colours = cells(figure)
    assert (colours == colours[0]).all()
    of = dict(zip(names, colours[0]))
    legend = {entry["name"]: entry["marker"]["color"] for entry in figure["data"] if "name" in entry}
    own = [{of[f] for f in group} for group in members.values()]
    assert all(len(one) == 1 for one in own)
    coloured = set().union(*own)
    assert len(coloured) == min(n_groups, 8) and len(legend) == (min(n_groups, 8) + 1 if n_groups else 0)
    for group, (colour,) in zip(members, own):
        assert colour == legend.get(group, legend.get("other groups"))
    alone = {of[f] for f in names[at:]}
    assert len(alone) == 1 and not alone & coloured and (not n_groups or alone == {legend["single features"]})
    by_position = dict(zip(made.columns["position"], colours[0]))
    if n_groups:
        frame = rectangles.frame_rectangles(made)
        bars = trace(drawn(rectangles.draw_rectangles(frame, made)), "bar")
        assert bars["marker"]["color"] == [by_position[p] for p in frame["position"]], "both maps have the same colours"


@pytest.mark.parametrize("n_lit", [1, 3, 9])
def test_what_is_highlighted_is_coloured_marked_and_named_and_all_else_grey(n_lit):
    one = runs(d=30, k=20, M=10, noise=0.5)
    made = seen(one, sc.Relation.from_groups({"g": [0, 1, 2]}, n_features=30), picked=[f"f{i + 1}" for i in range(n_lit)])
    lit = made.columns["highlighted"]
    assert set(made.columns.loc[lit, "feature"]) == {f"f{i + 1}" for i in range(n_lit)}
    figure = drawn(maps.draw_grid(made))
    colours = cells(figure)
    for column, on in enumerate(lit):
        inside = set(colours[made.counts[:, column] > 0, column])
        assert len(inside) == 1 and (inside == {style.GREY}) == (not on)
    marks = [entry for entry in figure["data"] if entry.get("yaxis") == "y2"][-1]
    assert list(marks["x"]) == made.columns.loc[lit, "position"].tolist() == list(marks["customdata"])
    assert len(set(zip(marks["marker"]["color"], marks["marker"]["symbol"]))) == n_lit
    assert [entry["name"] for entry in figure["data"] if "name" in entry] == [*made.columns.loc[lit, "feature"], "all others"]
    frame = rectangles.frame_rectangles(made, most=5)
    assert set(frame.loc[frame["highlighted"], "feature"]) == set(made.columns.loc[lit, "feature"]), "also beyond the first five"
    bars = trace(drawn(rectangles.draw_rectangles(frame, made)), "bar")
    for on, colour, pattern in zip(frame["highlighted"], bars["marker"]["color"], bars["marker"]["pattern"]["shape"]):
        assert (colour != style.GREY) == (pattern != "") == on


def test_a_legend_never_grows_over_the_figure():
    made = seen(runs(d=30, k=20, M=10), picked=[f"f{i + 1}" for i in range(30)])
    names = [entry["name"] for entry in drawn(maps.draw_grid(made))["data"] if "name" in entry]
    assert len(names) == 12 and names[-2:] == [f"and {len(made.columns) - 10} more", "all others"]


def test_outer_folds_are_bands_and_runs_left_out_stay_blank():
    one = runs(M=9)
    folds = np.repeat([1, 2, 3], 3)
    whole = drawn(maps.draw_grid(seen(one, folds=[folds])))
    assert whole["layout"]["yaxis"]["ticktext"] == ["fold 1", "fold 2", "fold 3"]
    assert list(whole["layout"]["yaxis"]["tickvals"]) == [2, 5, 8]
    assert [shape["y0"] for shape in whole["layout"]["shapes"] if shape["type"] == "line"] == [3.5, 6.5]
    assert [(shape["y0"], shape["y1"]) for shape in whole["layout"]["shapes"] if shape["type"] == "rect"] == [(3.5, 6.5)]
    kept = [0, 1, 2, 6, 7, 8]
    made = seen(one.take(kept), runs=[[i + 1 for i in kept]], folds=[folds[kept]])
    figure = drawn(maps.draw_grid(made))
    colours = cells(figure)
    assert (colours[3:6] == maps.ABSENT).all() and (colours[[0, 1, 2, 6, 7, 8]] != maps.ABSENT).all()
    assert figure["layout"]["yaxis"]["ticktext"] == ["fold 1", "fold 3"]
    assert set(maps.frame_grid(made)["run"]) == {1, 2, 3, 7, 8, 9} and set(maps.frame_grid(made)["fold"]) == {1, 3}
    assert set(rectangles.frame_rectangles(made)["run"]) == {1, 2, 3, 7, 8, 9}
    alone = drawn(maps.draw_grid(seen(one)))
    assert "shapes" not in alone["layout"]


# ---- pictures of many ----

def test_a_picture_shows_every_cell_while_each_has_a_pixel():
    made = seen(runs(d=600, k=300, M=10), picked=["f5"])
    assert maps.MOST_CELLS < len(made.columns) <= maps.MOST_PIXELS and maps.columns_a_pixel(made) == 1
    figure = drawn(maps.draw_grid(made))
    picture = pixels(trace(figure, "image")["source"])
    assert picture.shape[:2] == made.counts.shape
    assert ((picture[:, :, 3] == 255) == (made.counts > 0)).all()
    assert figure["layout"]["yaxis"]["scaleanchor"] is False
    place = made.columns.index[made.columns["feature"] == "f5"][0]
    blue = tuple(bytes.fromhex(style.PALETTE[0][1:]))
    chosen = made.counts[:, place] > 0
    assert {tuple(int(part) for part in one[:3]) for one in picture[chosen, place]} == {blue}
    assert not (np.delete(picture, place, axis=1)[:, :, :3] == blue).all(axis=2).any()
    line = trace(figure, "scatter", mode="lines")
    assert list(line["y"]) == made.columns["frequency"].tolist() and line["x0"] == 1
    points = trace(figure, "scatter", mode="markers", yaxis="y2")
    often = sorted(made.columns["frequency"], reverse=True)[:maps.MOST_CELLS]
    assert sorted(points["y"], reverse=True) == often and len(points["customdata"]) == maps.MOST_CELLS


@pytest.mark.parametrize("beside", [1, 2])
def test_a_pixel_over_several_columns_is_as_dark_as_many_were_selected(beside):
    made = seen(runs(d=3000, k=1000, M=6), picked=[])
    a_pixel = maps.columns_a_pixel(made, beside)
    assert a_pixel == -(-len(made.columns) // (700 // beside)) > 1
    figure = drawn(maps.draw_grid(made, beside))
    picture = trace(figure, "image")
    alpha = pixels(picture["source"])[:, :, 3]
    for pixel in range(alpha.shape[1]):
        behind = made.counts[:, pixel * a_pixel:(pixel + 1) * a_pixel]
        expected = np.ceil(maps.LEVELS * behind.mean(axis=1) - 1e-9) / maps.LEVELS
        assert alpha[:, pixel] == pytest.approx(np.where(behind.sum(axis=1) > 0, np.round(255 * expected), 26), abs=1)
    assert picture["x0"] == 1 + (a_pixel - 1) / 2 and picture["dx"] == a_pixel
    assert f"covers {a_pixel} places" in picture["hovertemplate"]


def test_highlights_are_never_averaged_away():
    one = runs(d=3000, k=1000, M=6)
    rare = one.features[int(np.flatnonzero(one.counts == 1)[0])]
    made = seen(one, picked=[rare])
    picture = pixels(trace(drawn(maps.draw_grid(made)), "image")["source"])
    blue = (picture[:, :, :3] == tuple(bytes.fromhex(style.PALETTE[0][1:]))).all(axis=2) & (picture[:, :, 3] == 255)
    place = made.columns.index[made.columns["feature"] == rare][0]
    assert np.argwhere(blue).tolist() == [[np.flatnonzero(made.counts[:, place])[0], place // maps.columns_a_pixel(made)]]


def test_payloads_stay_small():
    def size(figure):
        return len(figure.to_json())

    names = [f"a_gene_with_a_name_{i}" for i in range(300)]
    made = seen(runs(names, M=100, d=300, k=150), sc.Relation.from_groups({"g": [0, 1]}, n_features=300))
    assert len(made.columns) == 300 and size(maps.draw_grid(made)) < 300_000
    large = seen(runs(M=100, d=10_000, k=3000))
    assert len(trace(drawn(maps.draw_grid(large)), "image")["source"]) < 100_000 and size(maps.draw_grid(large)) < 600_000


def test_a_png_of_any_colours():
    cells_ = np.array([[0, 1, 2], [2, 1, 0]])
    found = pixels(image.data_uri(cells_, ["#0072B2", "rgba(1,2,3,0.5)", image.faded("#FF0000", 0.25)]))
    assert found[0].tolist() == [[0, 0x72, 0xB2, 255], [1, 2, 3, 128], [255, 0, 0, 64]] and (found[1] == found[0][::-1]).all()
    assert image.faded("#FF0000", 1) == "#FF0000"


# ---- sentences ----

def test_the_finding_of_the_grid_counts():
    matrix = np.zeros((10, 6), dtype=int)
    matrix[:, 0], matrix[:9, 1], matrix[0, 2], matrix[:2, 3] = 1, 1, 1, 1
    one = sc.Preferences.from_selection_matrix(matrix)
    assert maps.finding_grid(seen(one), 6) == (
        "4 of 6 features were selected at least once in 10 runs; 1 in every run, 1 in at most one run in ten.")
    relation = sc.Relation.from_groups({"g": [0, 1]}, n_features=6)
    assert maps.finding_grid(seen(one, relation, merged=True), 6).startswith("3 groups and single features were selected")
    other = sc.Preferences.from_selection_matrix(np.roll(matrix, 2, axis=1))
    assert maps.finding_grid(arrange([other, one])[1], 6).startswith("4 of 6 features")
    assert "importance" not in maps.frame_grid(seen(one))


def test_the_finding_of_the_rectangles_shares_out_all_importance_and_never_counts_the_rest_as_a_feature():
    importances = np.array([[6, 2, 1, 1, 0], [6, 2, 0, 1, 1], [0, 0, 0, 0, 0], [6, 2, 1, 0, 1.0]])      # the third run is empty
    one = seen(sc.Preferences.from_importances(importances))
    assert rectangles.finding_rectangles(rectangles.frame_rectangles(one)) == (
        "Of the 5 features drawn one by one, 0 were selected in at least 80 % of the runs and carry 0% of all importance; the "
        "largest share of one feature is 60%.")
    three = seen(sc.Preferences.from_importances(importances[[0, 1, 3]]))
    said = rectangles.finding_rectangles(rectangles.frame_rectangles(three))
    assert "5 features drawn one by one, 2 were selected in at least 80 % of the runs and carry 80%" in said
    even = seen(sc.Preferences.from_selection_matrix(np.ones((3, 50), dtype=int)))
    assert rectangles.finding_rectangles(rectangles.frame_rectangles(even, most=10), merged=True) == (
        "Of the 10 groups and single features drawn one by one, 10 were selected in at least 80 % of the runs and carry 20% of all "
        "importance; the largest share of one of them is 2%.")


# ---- the rectangles ----

def test_the_rectangles_are_the_importances_scaled_to_the_mean_size():
    one, relation = runs(), sc.Relation.from_groups({"g": [0, 1], "h": [4, 5]}, n_features=9)
    made = seen(one, relation)
    frame = rectangles.frame_rectangles(made)
    scaled = one.importances / one.importances.sum(axis=1, keepdims=True) * one.sizes.mean()
    for row in frame.itertuples():
        f = int(row.feature[1:]) - 1
        assert row.width == pytest.approx(scaled[row.run - 1, f]) and row.share == pytest.approx(row.width / one.sizes.mean())
        assert row.frequency == one.frequencies[f] and row.group == {0: "g", 1: "g", 4: "h", 5: "h"}.get(f, "")
    assert len(frame) == np.count_nonzero(one.importances)
    for _, run in frame.groupby("run"):
        assert run["width"].sum() == pytest.approx(one.sizes.mean())
        assert (run["start"] + run["width"]).to_numpy()[:-1] == pytest.approx(run["start"].to_numpy()[1:])
        assert run["start"].iloc[0] == pytest.approx(0) and run["frequency"].is_monotonic_decreasing
    bars = trace(drawn(rectangles.draw_rectangles(frame, made)), "bar")
    for key, name in (("y", "run"), ("x", "width"), ("base", "start"), ("customdata", "position")):
        assert list(bars[key]) == frame[name].tolist()
    assert bars["text"] == [f"{row.feature}<br>selected in {row.frequency:.0%} of runs<br>{row.share:.1%} of the run's importance"
                            for row in frame.itertuples()]
    by_group = dict(zip(frame["group"], bars["marker"]["color"]))
    assert all(by_group[group] == colour for group, colour in zip(frame["group"], bars["marker"]["color"]))
    assert len(set(by_group.values())) == 3 and by_group[""] == style.GREY


def test_without_groups_the_leading_features_have_colours():
    made = seen(runs(d=30, k=20, M=10, noise=0.5))
    frame = rectangles.frame_rectangles(made)
    figure = drawn(rectangles.draw_rectangles(frame, made))
    leading = set(frame.groupby("feature")["share"].sum().sort_values()[-7:].index)
    colours = dict(zip(frame["feature"], trace(figure, "bar")["marker"]["color"]))
    assert {f for f, colour in colours.items() if colour != style.GREY} == leading
    legend = {entry["name"]: entry["marker"]["color"] for entry in figure["data"] if "name" in entry}
    assert legend == {**{f: colours[f] for f in leading}, "all other features": style.GREY}


def test_columns_beyond_the_most_are_one_rectangle():
    made = seen(runs())
    whole, cut = rectangles.frame_rectangles(made), rectangles.frame_rectangles(made, most=3)
    rest = cut[cut["position"] == 0]
    kept = whole["feature"].nunique()
    assert set(cut["feature"]) - set(rest["feature"]) == set(made.columns["feature"][:3])
    assert set(rest["feature"]) == {f"all others ({kept - 3})"}
    assert rest["frequency"].isna().all() and (rest["group"] == "").all() and not rest["highlighted"].any()
    assert cut.groupby("run")["width"].sum().to_numpy() == pytest.approx(whole.groupby("run")["width"].sum().to_numpy())
    colours = trace(drawn(rectangles.draw_rectangles(cut, made)), "bar")["marker"]["color"]
    assert {colour for colour, position in zip(colours, cut["position"]) if position == 0} == {style.GREY}


def test_beyond_the_most_segments_a_picture_has_the_same_colours_at_the_same_places():
    made = seen(runs(M=60, d=120, k=100))
    frame = rectangles.frame_rectangles(made, most=200)
    assert len(frame) > rectangles.MOST_SEGMENTS
    found = trace(drawn(rectangles.draw_rectangles(frame, made)), "image")
    picture = pixels(found["source"])
    few = frame[frame["run"] <= 40]
    bars = trace(drawn(rectangles.draw_rectangles(few, made)), "bar")
    rng, middles = np.random.default_rng(0), found["x0"] + found["dx"] * np.arange(rectangles.PIXELS)
    for i in rng.choice(len(few), 200, replace=False):
        row, inside = few.iloc[i], (middles > few["start"].iloc[i]) & (middles < few["start"].iloc[i] + few["width"].iloc[i])
        colour = tuple(bytes.fromhex(bars["marker"]["color"][i][1:]))
        assert {tuple(int(part) for part in one[:3]) for one in picture[row["run"] - 1, inside]} <= {colour}
        assert {int(one) for one in picture[row["run"] - 1, inside, 3]} <= {255 if row["position"] % 2 else 178}


def test_without_importances_every_selected_feature_is_as_wide():
    frame = rectangles.frame_rectangles(seen(runs(weights=False)))
    assert frame["width"].to_numpy() == pytest.approx(np.ones(28)) and frame["share"].to_numpy() == pytest.approx(np.full(28, 0.25))


# ---- nothing at all, or hardly anything ----

@pytest.mark.parametrize("make", [lambda: sc.Preferences.from_selection_matrix(np.zeros((4, 3), dtype=int)),
                                  lambda: sc.Preferences.from_importances(np.zeros((4, 3)))])
@pytest.mark.parametrize("merged", [True, False])
def test_runs_that_selected_nothing_have_empty_figures(make, merged):
    relation = sc.Relation.from_groups({"g": [0, 1]}, n_features=3)
    for order in ORDERS:
        made = seen(make(), relation, order, merged=merged)
        grid = maps.frame_grid(made)
        assert grid.empty and list(grid)[:3] == ["run", "feature", "position"]
        drawn(maps.draw_grid(made))
    frame = rectangles.frame_rectangles(made)
    assert frame.empty
    drawn(rectangles.draw_rectangles(frame, made))
    assert maps.finding_grid(made, 3) == "No run selected any feature."
    assert rectangles.finding_rectangles(frame) == "No run gave any feature importance."


def test_some_empty_runs_are_empty_rows():
    made = seen(sc.Preferences.from_selection_matrix(np.array([[1, 0, 1], [0, 0, 0], [1, 0, 0]])))
    assert (cells(drawn(maps.draw_grid(made))) != maps.EMPTY).tolist() == [[1, 1], [0, 0], [1, 0]]
    frame = rectangles.frame_rectangles(made)
    assert frame["run"].tolist() == [1, 1, 3] and frame["width"].tolist() == [0.5, 0.5, 1]


def test_a_million_features_of_which_few_were_selected():
    sets = [np.arange(i, i + 20) * 997 for i in range(5)]
    made = seen(sc.Preferences.from_sets(sets, n_features=1_000_000))
    assert len(made.columns) == 24 and len(rectangles.frame_rectangles(made)) == 100


def test_no_text_stands_in_a_template():
    """A browser evaluates templates; names travel beside them."""
    for one in drawn(maps.draw_grid(seen(runs(["%{x}", *NAMES[1:]]))))["data"]:
        assert not re.search(r"%\{x\}", one.get("hovertemplate", ""))
