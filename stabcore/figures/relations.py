"""C itself: a heat map of its features, those that go together side by side; and the tree that suggests groups."""

from __future__ import annotations

import numpy as np

from stabcore.figures.names import told_apart
from stabcore.figures.style import GREY, PALETTE, SCALE_ROOM, STRIP, blank, mark_at, name_rows, safe, square
from stabcore.wording import listed, plural, several

MOST_LABELS = 40
MOST_ROWS, ROW = 400, 15                # features of a tree that all have names, and pixels of each
# Transparent where C is small, so that little looks like little on dark ground too
SCALE = [[0, "rgba(128,128,128,0.07)"], [1e-6, "rgba(0,114,178,0.15)"], [1, "rgba(0,114,178,1)"]]
BETWEEN = "less alike than the cut"


def frame_relation(seen, features):
    """DataFrame(feature_a, feature_b, place_a, place_b, value): the upper half of a Look, diagonal included, in its order."""
    import pandas as pd

    names = np.array([features[i] for i in seen.index], dtype=object)
    a, b = np.triu_indices(len(names))
    return pd.DataFrame({"feature_a": names[a], "feature_b": names[b], "place_a": a + 1, "place_b": b + 1, "value": seen.C[a, b]})


def finding_relation(seen, features) -> str:
    """The heat map in one sentence."""
    own = f"{len(seen.index):,} {plural(len(seen.index), 'feature')}"
    shown = f"Of {own}" if len(seen.index) == len(features) else f"Of the {own} shown (of {len(features):,})"
    if not seen.sizes:
        return f"{shown}, none stands for another."
    first = [features[i] for i in sorted(seen.index[:seen.sizes[0]])]
    return (f"{shown}, {sum(seen.sizes):,} stand for another, in {several(len(seen.sizes), 'cluster')}; "
            f"{_largest(seen.sizes, first)}.")


def _largest(sizes, first) -> str:
    """The largest has 3: its names; of several that large, how many these are. first: the names of a largest one."""
    level = sum(size == max(sizes) for size in sizes)
    if level == 1:
        return f"the largest has {max(sizes):,}: {listed(first, 3)}"
    return f"{f'the {level:,} largest' if level < len(sizes) else 'all'} have {max(sizes):,} each"


def draw_relation(frame):
    """A square a pair of features, the fuller the more one stands for the other; columns are in the order of the rows."""
    import plotly.graph_objects as go

    own = frame[frame["place_a"] == frame["place_b"]]
    n = len(own)
    C = np.zeros((n, n), dtype=np.float32)
    a, b = frame["place_a"].to_numpy() - 1, frame["place_b"].to_numpy() - 1
    C[a, b] = C[b, a] = frame["value"].round(3)
    labels = _distinct([safe(name) for name in own["feature_a"]])
    figure = blank(height=max(320, min(760, 18 * n + 150)))
    figure.layout.margin.t = SCALE_ROOM
    figure.add_trace(go.Heatmap(z=C, x=labels, y=labels, zmin=0, zmax=1, colorscale=SCALE, xgap=n <= 60, ygap=n <= 60,
                                colorbar={"tickprefix": "C = ", "showtickprefix": "first", "thickness": 10, "orientation": "h",
                                          "y": 1, "yanchor": "bottom", "x": 0, "xanchor": "left", "len": 130,
                                          "lenmode": "pixels"},
                                hovertemplate="%{y}<br>%{x}<br>C = %{z:.3~f}<extra></extra>"))
    figure.update_xaxes(type="category", showticklabels=False, showgrid=False, ticks="", automargin=False)
    figure.update_yaxes(type="category", showticklabels=n <= MOST_LABELS, autorange="reversed", showgrid=False, ticks="",
                        automargin=False)
    if n <= MOST_LABELS:
        name_rows(figure, labels, told_apart(own["feature_a"]))
    return square(figure, n)


def frame_tree(tree, threshold):
    """DataFrame(left, right, left_from, right_from, joined_at, features, group): a row for each two branches of a Tree that join.

    left, right: where they stand; left_from, right_from: the |ρ| at which each of them joined (1 for a single feature);
    joined_at: |ρ| of this joint; group: number from left to right of the group cut at the threshold, 0 above it.
    """
    import pandas as pd

    d = len(tree.features)
    place, height, size = np.zeros(2 * d - 1), np.ones(2 * d - 1), np.ones(2 * d - 1, dtype=int)
    place[tree.order] = np.arange(1, d + 1)
    first = place.copy()                                # place of the leftmost feature
    rows = []
    for node, (one, other, distance, count) in enumerate(tree.linkage, d):
        left, right = sorted((int(one), int(other)), key=lambda branch: place[branch])
        place[node], height[node], size[node] = (place[left] + place[right]) / 2, round(1 - distance, 12), count
        first[node] = min(first[left], first[right])
        rows.append((place[left], place[right], height[left], height[right], height[node], size[node]))
    frame = pd.DataFrame(rows, columns=["left", "right", "left_from", "right_from", "joined_at", "features"])
    frame["group"] = _groups(tree, height, first, threshold)
    return frame


def _groups(tree, height, first, threshold):
    """The number of the group of each joint."""
    d, top = len(tree.features), {}
    for node in range(2 * d - 2, d - 1, -1):            # from the root down: a branch belongs where its parent belongs
        if height[node] >= round(threshold, 12):
            top.setdefault(node, first[node])
            top.update((int(child), top[node]) for child in tree.linkage[node - d, :2])
    number = {start: i for i, start in enumerate(sorted({top[node] for node in range(d, 2 * d - 1) if node in top}), 1)}
    return [number[top[node]] if node in top else 0 for node in range(d, 2 * d - 1)]


def finding_tree(tree, groups, threshold) -> str:
    """The tree in one sentence; groups as cut at the threshold."""
    if not groups:
        none = "the only feature is not" if len(tree.features) == 1 else f"none of the {len(tree.features):,} features is"
        return f"Cut at |ρ| = {threshold:.2f}, {none} grouped."
    sizes = [len(members) for members in groups.values()]
    return (f"Cut at |ρ| = {threshold:.2f}, {sum(sizes):,} of {len(tree.features):,} features fall into "
            f"{several(len(groups), 'group')}; {_largest(sizes, max(groups.values(), key=len))}.")


def draw_tree(frame, leaves, threshold):
    """Branches from the features, one below the other with their names, to the |ρ| where they join; groups left of the dashed cut,
    neighbours in two colours.

    leaves: the names from top to bottom. Beyond MOST_ROWS features a name stands beside the first of each group only.
    """
    import plotly.graph_objects as go

    leaves = list(leaves)
    rows = min(len(leaves), MOST_ROWS)
    figure = blank(x="Alike: |ρ|", height=STRIP + 130 + ROW * max(rows, 3))
    kinds = [("a group", PALETTE[0], frame["group"] % 2 == 1), ("the group beside it", PALETTE[5], (frame["group"] % 2 == 0)
             & (frame["group"] > 0)), (BETWEEN, GREY, frame["group"] == 0)]
    for name, colour, which in kinds:
        part = frame[which]
        if part.empty:
            continue
        y = np.column_stack([part["left"], part["left"], part["right"], part["right"], np.full(len(part), np.nan)])
        x = np.column_stack([part["left_from"], part["joined_at"], part["joined_at"], part["right_from"],
                             np.full(len(part), np.nan)])
        figure.add_trace(go.Scatter(x=x.ravel(), y=y.ravel(), mode="lines", name=name, line={"color": colour, "width": 1.8},
                                    hovertemplate="join at |ρ| = %{x:.2f}<extra>%{fullData.name}</extra>"))
    mark_at(figure, threshold, f"cut at {threshold:.2f}")
    at = list(range(1, len(leaves) + 1)) if len(leaves) <= MOST_ROWS else _firsts(frame, len(leaves))
    name_rows(figure, at, told_apart(leaves[i - 1] for i in at), showgrid=False,
              range=[max(len(leaves), 1) + 0.5, 0.5])
    figure.update_xaxes(range=[1.02, -0.05], zeroline=False)
    return figure


def _firsts(frame, many):
    """The place of the first feature of each group, as far apart as names need to be."""
    starts = frame[frame["group"] > 0].groupby("group")["left"].min()
    kept = []
    for place in starts.astype(int):
        if not kept or place - kept[-1] >= many / MOST_ROWS:
            kept.append(place)
    return kept


def _distinct(labels):
    """Labels that were cut may be alike; a number tells them apart."""
    seen, names = {}, []
    for label in labels:
        seen[label] = seen.get(label, 0) + 1
        names.append(label if seen[label] == 1 else f"{label} ({seen[label]})")
    return names
