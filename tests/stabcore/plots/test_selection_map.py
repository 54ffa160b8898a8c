"""Columns of the maps in their orders, and maps so large that they are pictures."""

import base64
import struct
import zlib

import numpy as np
import pytest
from figure_support import cells, drawn, runs, seen, trace

import stabcore as sc
from stabcore.plots import selection_grid, style
from stabcore.plots.selection_grid import EMPTY

NAMES = ["f", "b", "e", "a", "d", "c", "i", "h", "g"]

GROUPS = {"two": ["a", "e"], "one": ["b", "h"]}

OF = {"a": "two", "e": "two", "b": "one", "h": "one"}


@pytest.mark.parametrize("order", ["frequency", "name", "group"])
def test_the_frame_holds_what_was_selected_in_the_order_asked_for(order):
    one, similarity = runs(NAMES), sc.Similarity.from_groups(GROUPS, names=NAMES)
    made = seen(one, similarity, order)
    often, weight = dict(zip(NAMES, one.frequencies)), dict(zip(NAMES, (one.importances / one.importances.sum(1)[:, None]).sum(0)))
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
        assert row.selected == one.selected[row.run - 1, f] and row.importance == one.importances[row.run - 1, f]
        assert row.frequency == often[row.feature] and row.group == OF.get(row.feature, "") and row.of == 1
        assert made.members(row.position - 1) == [f]


def test_merged_groups_count_their_members():
    one, similarity = runs(NAMES, M=30, k=3), sc.Similarity.from_groups(GROUPS, names=NAMES)
    made = seen(one, similarity, merged=True)
    assert set(made.columns["feature"]) == {"one", "two", *(f for f, n in zip(NAMES, one.counts) if n and f not in OF)}
    for row in selection_grid.frame_grid(made).itertuples():
        own = [NAMES.index(f) for f in GROUPS.get(row.feature, [row.feature])]
        assert row.selected == one.selected[row.run - 1, own].sum() and row.of == len(own)
        assert row.importance == pytest.approx(one.importances[row.run - 1, own].sum())
        assert row.frequency == pytest.approx(one.selected[:, own].any(axis=1).mean())
        assert made.members(row.position - 1) == sorted(own)
    assert made.merged and not seen(one, similarity).merged
    levels = cells(drawn(selection_grid.draw_grid(made)))
    place = made.columns["feature"].tolist().index("one")
    shades = {count: set(levels[made.counts[:, place] == count, place]) for count in (0, 1, 2)}
    assert shades[0] == {EMPTY} and len(shades[1]) == len(shades[2]) == 1 and shades[1] != shades[2]


def pixels(source):
    """(rows, columns, rgba) of a PNG with a palette, read by hand."""
    data, at, parts = base64.b64decode(source.split(",")[1]), 8, {}
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at : at + 8])
        body = data[at + 8 : at + 8 + length]
        assert struct.unpack(">I", data[at + 8 + length : at + 12 + length])[0] == zlib.crc32(kind + body)
        parts[kind], at = body, at + 12 + length
    width, height = struct.unpack(">II", parts[b"IHDR"][:8])
    rows = np.frombuffer(zlib.decompress(parts[b"IDAT"]), dtype=np.uint8).reshape(height, width + 1)
    assert (rows[:, 0] == 0).all()
    palette = np.frombuffer(parts[b"PLTE"], dtype=np.uint8).reshape(-1, 3)
    return np.dstack([palette[rows[:, 1:]], np.frombuffer(parts[b"tRNS"], dtype=np.uint8)[rows[:, 1:]]])


def across(source):
    """(runs, features, rgba) of the picture of a grid, in which features are the rows."""
    return pixels(source).swapaxes(0, 1)


def test_a_picture_shows_every_cell_while_each_has_a_pixel():
    made = seen(runs(d=600, k=300, M=10), picked=["f5"])
    assert selection_grid.MAX_CELLS < len(made.columns) <= selection_grid.MAX_PIXELS and selection_grid.columns_a_pixel(made) == 1
    figure = drawn(selection_grid.draw_grid(made))
    picture = across(trace(figure, "image")["source"])
    assert picture.shape[:2] == made.counts.shape
    assert ((picture[:, :, 3] > 26) == (made.counts > 0)).all()  # what was not selected is a tenth as opaque
    assert figure["layout"]["yaxis"]["scaleanchor"] is False
    place = made.columns.index[made.columns["feature"] == "f5"][0]
    blue = tuple(bytes.fromhex(style.PALETTE[0][1:]))
    chosen = made.counts[:, place] > 0
    assert {tuple(int(part) for part in one[:3]) for one in picture[chosen, place]} == {blue}
    assert not (np.delete(picture, place, axis=1)[:, :, :3] == blue).all(axis=2).any()
    line = trace(figure, "scatter", mode="lines")
    assert list(line["x"]) == made.columns["frequency"].tolist() and line["y0"] == 1
    points = trace(figure, "scatter", mode="markers", xaxis="x2")
    often = sorted(made.columns["frequency"], reverse=True)[: selection_grid.MAX_CELLS]
    assert sorted(points["x"], reverse=True) == often and len(points["customdata"]) == selection_grid.MAX_CELLS


def test_a_pixel_over_several_columns_is_as_dark_as_many_were_selected():
    made = seen(runs(d=3000, k=1000, M=6), picked=[])
    a_pixel = selection_grid.columns_a_pixel(made)
    assert a_pixel == -(-len(made.columns) // 700) > 1
    figure = drawn(selection_grid.draw_grid(made))
    picture = trace(figure, "image")
    alpha = across(picture["source"])[:, :, 3]
    for pixel in range(alpha.shape[1]):
        behind = made.counts[:, pixel * a_pixel : (pixel + 1) * a_pixel]
        expected = np.ceil(selection_grid.SHADES * behind.mean(axis=1) - 1e-9) / selection_grid.SHADES
        assert alpha[:, pixel] == pytest.approx(np.where(behind.sum(axis=1) > 0, np.round(255 * expected), 26), abs=1)
    assert picture["y0"] == 1 + (a_pixel - 1) / 2 and picture["dy"] == a_pixel
    assert f"covers {a_pixel} positions" in picture["hovertemplate"]
