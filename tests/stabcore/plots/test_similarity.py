"""Heat map of C and tree of suggested groups."""

import numpy as np
import pandas as pd
import pytest
from scipy.cluster.hierarchy import dendrogram

import stabcore as sc
from stabcore.plots.similarity import draw_similarity, draw_tree, frame_similarity, frame_tree
from stabcore.similarity.excerpt import excerpt
from stabcore.similarity.grouping import cut, suggest

NAMES = tuple("abcdefgh")


def similarity():
    return sc.Similarity.from_groups({"x": ["b", "g", "h"], "y": ["c", "d"]}, names=NAMES).edited({("a", "e"): 0.25})


def table(d=8, random_state=0):
    rng = np.random.default_rng(random_state)
    values = rng.normal(size=(25, d)) + 1.5 * rng.normal(size=(25, 3))[:, np.arange(d) % 3]
    return pd.DataFrame(values, columns=[f"f{i}" for i in range(d)])


def test_heat_map_shows_c_in_the_order_of_the_excerpt():
    seen = excerpt(similarity())
    frame = frame_similarity(seen, NAMES)
    heat = draw_similarity(frame).data[0]
    order = [NAMES[i] for i in seen.index]
    assert list(heat.x) == list(heat.y) == order and (np.asarray(heat.z) == similarity().block(seen.index)).all()
    assert len(frame) == 36 and frame.loc[(frame["feature_a"] == "a") & (frame["feature_b"] == "e"), "value"].tolist() == [0.25]


@pytest.mark.parametrize("linkage", ["average", "complete", "single"])
def test_branches_match_those_of_scipy(linkage):
    tree = suggest(table(), linkage=linkage)
    frame = frame_tree(tree, 0.5)
    drawn = dendrogram(tree.linkage, no_plot=True)
    assert drawn["leaves"] == tree.order.tolist()
    expected = sorted(
        (x[0] / 10 + 0.5, x[2] / 10 + 0.5, 1 - y[0], 1 - y[1], 1 - y[3]) for x, y in zip(drawn["icoord"], drawn["dcoord"])
    )
    found = sorted(frame[["left", "right", "left_from", "joined_at", "right_from"]].itertuples(index=False, name=None))
    assert np.allclose(found, expected)


@pytest.mark.parametrize("threshold", [0.0, 0.4, 0.8])
def test_groups_in_the_tree_are_those_of_the_cut(threshold):
    tree = suggest(table(12))
    frame, groups = frame_tree(tree, threshold), cut(tree, threshold)
    inside = frame[frame["group"] > 0]
    assert sorted(inside.groupby("group")["features"].max()) == sorted(map(len, groups.values()))
    assert (frame["group"] > 0).equals(frame["joined_at"] >= threshold)
    starts = inside.groupby("group")["left"].min()
    assert list(starts.index) == list(range(1, len(groups) + 1)) and starts.is_monotonic_increasing


def test_one_feature_is_a_tree_without_branches():
    tree = suggest(table(1))
    assert frame_tree(tree, 0.5).empty and not draw_tree(frame_tree(tree, 0.5), tree.features, 0.5).data
