"""Heat map of C and tree of suggested groups."""

import numpy as np
import pandas as pd
import pytest
from scipy.cluster.hierarchy import dendrogram
from snapshot_support import check_snapshot

import stabcore as sc
from stabcore.plots import similarity as plots
from stabcore.similarity.excerpt import excerpt
from stabcore.similarity.grouping import cut_tree, feature_tree

NAMES = tuple("abcdefgh")


def similarity():
    return sc.Similarity.from_groups({"x": ["b", "g", "h"], "y": ["c", "d"]}, names=NAMES).edited({("a", "e"): 0.25})


def table(d=8, random_state=0):
    rng = np.random.default_rng(random_state)
    values = rng.normal(size=(25, d)) + 1.5 * rng.normal(size=(25, 3))[:, np.arange(d) % 3]
    return pd.DataFrame(values, columns=[f"f{i}" for i in range(d)])


def test_heat_map_shows_c_in_the_order_of_the_excerpt():
    seen = excerpt(similarity())
    frame = plots.frame_similarity(seen, NAMES)
    heat = plots.draw_similarity(frame).data[0]
    order = [NAMES[i] for i in seen.index]
    assert list(heat.x) == list(heat.y) == order and (np.asarray(heat.z) == similarity().block(seen.index)).all()
    assert len(frame) == 36 and frame.loc[(frame["feature_a"] == "a") & (frame["feature_b"] == "e"), "value"].tolist() == [0.25]


def test_a_value_above_1_is_inside_the_figure():
    """Effective stability beyond a noise floor below 0 can exceed 1."""
    frame = pd.DataFrame({"selector": ["A", "B"], "value": [0.8, 0.1], "effective": [1.04, 0.2], "judged": True})
    low, high = plots.draw_before_after(
        frame.assign(low=frame["effective"] - 0.1, high=frame["effective"] + 0.05)
    ).layout.xaxis.range
    assert low < 0 and high > 1.09


def test_sentences_on_similarity():
    """The largest cluster is named only if it is alone, and no selector if the draws change none."""
    sentences = []
    for groups in ({"x": "bc"}, {"x": "bc", "y": "de"}, {"x": "bgh", "y": "cd"}):
        C = sc.Similarity.from_groups({name: list(members) for name, members in groups.items()}, names=NAMES)
        sentences.append(plots.finding_similarity(excerpt(C), NAMES))
    for both in (0, 3):
        pair = {"feature_a": ["a"], "feature_b": ["b"], "runs": 50, "both": both, "one": 41, "neither": 9 - both, "pull": 0.1}
        sentences.append(plots.finding_together(pd.DataFrame(pair), "mRMR", 0.44, 0.71))
    frame = pd.DataFrame({"selector": ["A", "B"], "value": 0.51, "low": 0.511, "high": 0.513})
    sentences.append(plots.finding_uncertainty(frame))
    frame = pd.DataFrame({"selector": ["A", "B"] * 3, "scenario": np.repeat(["none", "groups", "mine"], 2), "against": "none"})
    frame = frame.assign(p_holm=[1.0, 1.0, 0.01, 0.02, 0.4, 0.03], change=[0.0, 0.0, 0.2, 0.1, 0.1, -0.2], shuffles=20, floor=0.1)
    sentences.append(plots.finding_scenarios(frame.assign(facet=frame["scenario"], baseline=False, blind=False, value=0.5)))
    check_snapshot("plots/similarity", "\n".join(sentences))


@pytest.mark.parametrize("linkage", ["average", "complete", "single"])
def test_branches_match_those_of_scipy(linkage):
    tree = feature_tree(table(), linkage=linkage)
    frame = plots.frame_tree(tree, 0.5)
    drawn = dendrogram(tree.linkage, no_plot=True)
    assert drawn["leaves"] == tree.order.tolist()
    expected = sorted(
        (x[0] / 10 + 0.5, x[2] / 10 + 0.5, 1 - y[0], 1 - y[1], 1 - y[3]) for x, y in zip(drawn["icoord"], drawn["dcoord"])
    )
    found = sorted(frame[["left", "right", "left_from", "joined_at", "right_from"]].itertuples(index=False, name=None))
    assert np.allclose(found, expected)


@pytest.mark.parametrize("threshold", [0.0, 0.4, 0.8])
def test_groups_in_the_tree_are_those_of_the_cut(threshold):
    tree = feature_tree(table(12))
    frame, groups = plots.frame_tree(tree, threshold), cut_tree(tree, threshold)
    inside = frame[frame["group"] > 0]
    assert sorted(inside.groupby("group")["features"].max()) == sorted(map(len, groups.values()))
    assert (frame["group"] > 0).equals(frame["joined_at"] >= threshold)
    starts = inside.groupby("group")["left"].min()
    assert list(starts.index) == list(range(1, len(groups) + 1)) and starts.is_monotonic_increasing


def test_one_feature_is_a_tree_without_branches():
    tree = feature_tree(table(1))
    assert plots.frame_tree(tree, 0.5).empty and not plots.draw_tree(plots.frame_tree(tree, 0.5), tree.features, 0.5).data
