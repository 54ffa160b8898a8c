"""C: its heat map, the tree that suggests groups, how uncertain it is, and stability under several scenarios of it."""

from __future__ import annotations

import numpy as np

from stabcore.analysis.compare_selectors import LEVEL
from stabcore.analysis.noise_floors import blind
from stabcore.analysis.scenarios import LOST, MAYBE, SHIFTED, TURNS, compare_scenarios
from stabcore.analysis.whatif import similarity_uncertainty
from stabcore.base.text import be, join_tied, joined, listed, plural, rounded, several
from stabcore.plots.names import name_rows, row_name, safe, short_names, shorten, shorten_apart
from stabcore.plots.noise_floor import draw_beyond, floor_is_measured, frame_beyond
from stabcore.plots.style import GREY, PALETTE, SCALE_HEIGHT, TOOL_BAR, blank, error_bar, mark_value, square
from stabcore.plots.values import format_estimate
from stabcore.selectors.baseline import is_baseline, rivals

MOST_LABELS = 40
MOST_LEAVES, LEAF_HEIGHT = 400, 15  # features of a tree that all have names, and pixels of each
# Transparent where C is small, so that little looks like little on dark ground too
SCALE = [[0, "rgba(128,128,128,0.07)"], [1e-6, "rgba(0,114,178,0.15)"], [1, "rgba(0,114,178,1)"]]
BELOW_CUT = "less alike than the cut"
NOT_JUDGED = "No noise floor is known, so it is not judged what depends on which features count as the same."
VERDICTS = {
    TURNS: "turns round",
    LOST: "depends on it",
    SHIFTED: "by how much depends on it",
    MAYBE: "cannot be told",
    "holds": "holds under all",
    "never clear": "never clear",
}


# ---- C and its tree ----


def frame_similarity(seen, features):
    """DataFrame(feature_a, feature_b, place_a, place_b, value): the upper half of a Look, diagonal included, in its order."""
    import pandas as pd

    names = np.array([features[i] for i in seen.index], dtype=object)
    a, b = np.triu_indices(len(names))
    return pd.DataFrame({"feature_a": names[a], "feature_b": names[b], "place_a": a + 1, "place_b": b + 1, "value": seen.C[a, b]})


def finding_similarity(seen, features) -> str:
    """The heat map in one sentence."""
    count = f"{len(seen.index):,} {plural(len(seen.index), 'feature')}"
    shown = f"Of {count}" if len(seen.index) == len(features) else f"Of the {count} shown (of {len(features):,})"
    if not seen.sizes:
        return f"{shown}, none stands for another."
    first = [features[i] for i in sorted(seen.index[: seen.sizes[0]])]
    return (
        f"{shown}, {sum(seen.sizes):,} stand for another, in {several(len(seen.sizes), 'cluster')}; "
        f"{_describe_largest(seen.sizes, first)}."
    )


def _describe_largest(sizes, first) -> str:
    """The largest has 3: its names; of several that large, how many these are. first: the names of a largest one."""
    level = sum(size == max(sizes) for size in sizes)
    if level == 1:
        return f"the largest has {max(sizes):,}: {listed(first, 3)}"
    return f"{f'the {level:,} largest' if level < len(sizes) else 'all'} have {max(sizes):,} each"


def draw_similarity(frame):
    """A square a pair of features, the fuller the more one stands for the other; columns are in the order of the rows."""
    diagonal = frame[frame["place_a"] == frame["place_b"]]
    n = len(diagonal)
    C = np.zeros((n, n), dtype=np.float32)
    a, b = frame["place_a"].to_numpy() - 1, frame["place_b"].to_numpy() - 1
    C[a, b] = C[b, a] = frame["value"].round(3)
    labels = _distinct([safe(name) for name in diagonal["feature_a"]])
    figure = blank(height=max(320, min(760, 18 * n + 150)))
    figure.layout.margin.t = SCALE_HEIGHT
    figure.add_heatmap(
        z=C,
        x=labels,
        y=labels,
        zmin=0,
        zmax=1,
        colorscale=SCALE,
        xgap=n <= 60,
        ygap=n <= 60,
        colorbar={
            "tickprefix": "C = ",
            "showtickprefix": "first",
            "thickness": 10,
            "orientation": "h",
            "y": 1,
            "yanchor": "bottom",
            "x": 0,
            "xanchor": "left",
            "len": 130,
            "lenmode": "pixels",
        },
        hovertemplate="%{y}<br>%{x}<br>C = %{z:.3~f}<extra></extra>",
    )
    figure.update_xaxes(type="category", showticklabels=False, showgrid=False, ticks="", automargin=False)
    figure.update_yaxes(
        type="category", showticklabels=n <= MOST_LABELS, autorange="reversed", showgrid=False, ticks="", automargin=False
    )
    if n <= MOST_LABELS:
        name_rows(figure, labels, shorten_apart(diagonal["feature_a"]))
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
    first = place.copy()  # place of the leftmost feature
    rows = []
    for node, (branch, other, distance, count) in enumerate(tree.linkage, d):
        left, right = sorted((int(branch), int(other)), key=lambda number: place[number])
        place[node], height[node], size[node] = (place[left] + place[right]) / 2, round(1 - distance, 12), count
        first[node] = min(first[left], first[right])
        rows.append((place[left], place[right], height[left], height[right], height[node], size[node]))
    frame = pd.DataFrame(rows, columns=["left", "right", "left_from", "right_from", "joined_at", "features"])
    frame["group"] = _groups(tree, height, first, threshold)
    return frame


def _groups(tree, height, first, threshold):
    """The number of the group of each joint."""
    d = len(tree.features)
    top: dict[int, float] = {}
    for node in range(2 * d - 2, d - 1, -1):  # from the root down: a branch belongs where its parent belongs
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
    return (
        f"Cut at |ρ| = {threshold:.2f}, {sum(sizes):,} of {len(tree.features):,} features fall into "
        f"{several(len(groups), 'group')}; {_describe_largest(sizes, max(groups.values(), key=len))}."
    )


def draw_tree(frame, leaves, threshold):
    """Branches from the features, one below the other with their names, to the |ρ| where they join.

    Groups are left of the dashed cut, neighbours in two colours. leaves: the names from top to bottom. Beyond MOST_LEAVES features
    a name stands beside the first of each group only.
    """
    leaves = list(leaves)
    rows = min(len(leaves), MOST_LEAVES)
    figure = blank(x="Alike: |ρ|", height=TOOL_BAR + 130 + LEAF_HEIGHT * max(rows, 3))
    kinds = [
        ("a group", PALETTE[0], frame["group"] % 2 == 1),
        ("the group beside it", PALETTE[5], (frame["group"] % 2 == 0) & (frame["group"] > 0)),
        (BELOW_CUT, GREY, frame["group"] == 0),
    ]
    for name, colour, which in kinds:
        part = frame[which]
        if part.empty:
            continue
        y = np.column_stack([part["left"], part["left"], part["right"], part["right"], np.full(len(part), np.nan)])
        x = np.column_stack(
            [part["left_from"], part["joined_at"], part["joined_at"], part["right_from"], np.full(len(part), np.nan)]
        )
        figure.add_scatter(
            x=x.ravel(),
            y=y.ravel(),
            mode="lines",
            name=name,
            line={"color": colour, "width": 1.8},
            hovertemplate="join at |ρ| = %{x:.2f}<extra>%{fullData.name}</extra>",
        )
    mark_value(figure, threshold, f"cut at {threshold:.2f}")
    places = list(range(1, len(leaves) + 1)) if len(leaves) <= MOST_LEAVES else _first_of_groups(frame, len(leaves))
    name_rows(figure, places, shorten_apart(leaves[i - 1] for i in places), showgrid=False, range=[max(len(leaves), 1) + 0.5, 0.5])
    figure.update_xaxes(range=[1.02, -0.05], zeroline=False)
    return figure


def _first_of_groups(frame, n_leaves):
    """The place of the first feature of each group, as far apart as names need to be."""
    starts = frame[frame["group"] > 0].groupby("group")["left"].min()
    firsts: list[int] = []
    for place in starts.astype(int):
        if not firsts or place - firsts[-1] >= n_leaves / MOST_LEAVES:
            firsts.append(place)
    return firsts


def _distinct(labels):
    """Labels that were cut may be alike; a number tells them apart."""
    seen: dict[str, int] = {}
    names = []
    for label in labels:
        seen[label] = seen.get(label, 0) + 1
        names.append(label if seen[label] == 1 else f"{label} ({seen[label]})")
    return names


# ---- how uncertain C is ----


def frame_uncertainty(runs, X, **how):
    """DataFrame(selector, value, low, high, draws) of {selector: Selections}; see whatif.similarity_uncertainty."""
    return similarity_uncertainty(runs, X, **how)


def finding_uncertainty(frame) -> str:
    """How far the effective stability moves through C alone, in one sentence."""
    defined = rivals(frame).dropna(subset=["low", "high"])
    if defined.empty:
        return "Nobody can tell how far the effective stability moves through C: it has no value in most draws of the rows."
    widest = defined.loc[(defined["high"] - defined["low"]).idxmax()]
    return (
        f"Estimated from other patients like these, C alone would move the effective stability of {widest['selector']} from "
        f"{rounded(widest['value'])} to anything between {rounded(widest['low'])} and {rounded(widest['high'])}"
        + ("; the others less." if len(defined) > 1 else ".")
    )


def draw_uncertainty(frame):
    """A row a selector: its effective stability with C of all rows, and where it lies with C of drawn rows."""
    shown = frame.iloc[::-1].reset_index(drop=True)
    figure = blank(x="Effective stability<br>(bars: other patients for C)", height=130 + 34 * len(shown))
    figure.add_scatter(
        x=shown["value"],
        y=shown.index,
        mode="markers",
        showlegend=False,
        marker={"color": PALETTE[0], "size": 10},
        error_x=error_bar(shown["value"], shown["low"], shown["high"], thickness=2, width=5),
        text=[
            f"{safe(row.selector)}: {rounded(row.value)} [{rounded(row.low)}, {rounded(row.high)}]" for row in shown.itertuples()
        ],
        hovertemplate="%{text}<extra></extra>",
    )
    name_rows(figure, list(shown.index), [row_name(name) for name in shown["selector"]])
    return figure


# ---- scenarios ----


def frame_scenarios(result, scenarios, against=None, k=None):
    """DataFrame of stabcore.analysis.scenarios.compare_scenarios as a frame_beyond with a panel for each scenario.

    That which others are held against comes first, and selectors are sorted by it. text: the value as people write it.
    """
    frame = compare_scenarios(result, scenarios, against=against, k=k)
    base = frame["against"].iloc[0]
    order = [base, *(name for name in scenarios if name != base)]
    shown = frame_beyond({name: frame[frame["scenario"] == name].set_index("selector") for name in order}, blind(result))
    rest = frame.drop(columns=[name for name in shown if name in frame and name != "selector"])
    shown = shown.merge(rest.rename(columns={"scenario": "panel"}), on=["selector", "panel"])
    shown["scenario"] = shown["panel"]
    return shown.assign(
        text=[format_estimate(*row) for row in shown[["value", "low", "high"]].itertuples(index=False)],
        baseline=shown["selector"].map(is_baseline),
    )


def finding_scenarios(frame) -> str:
    """Under which scenario how many selectors are clearly more or less stable than under the one they are held against."""
    parts, base = [], frame["against"].iloc[0] if len(frame) else ""
    moved = rivals(frame[frame["scenario"] != base])
    if len(moved) and not floor_is_measured(frame):
        return NOT_JUDGED
    for name, rows in moved.groupby("scenario", sort=False):
        changed = rows["p_holm"] < LEVEL
        clear = {word: way[changed & (way > 0)] for word, way in (("more", rows["change"]), ("less", -rows["change"]))}
        moves = [
            f"{len(by)} {be(len(by))} clearly {word} stable (by {'up to ' * (len(by) > 1)}{rounded(by.max())})"
            for word, by in clear.items()
            if len(by)
        ]
        parts.append(f"under {name} {joined(moves) if moves else 'none clearly changes'}")
    if not parts:
        return "There is nothing to hold against each other."
    return (
        f"Beyond the noise floor, held against {base}, of {several(moved['selector'].nunique(), 'selector')}: {', '.join(parts)}."
    )


def draw_scenarios(frame, panels=None, lines=2):
    """Each scenario as a panel: every selector beside its own noise floor under it; panels, lines: see draw_beyond."""
    titles = {name: (safe(shorten(name)), "") for name in dict.fromkeys(frame["panel"])}
    return draw_beyond(frame, panels, lines=lines, titles=titles)


def table_scenarios(frame):
    """DataFrame selector × scenario of a frame_scenarios: each value with its interval, as people write it."""
    return frame.pivot(index="selector", columns="scenario", values="text")[list(dict.fromkeys(frame["scenario"]))].reindex(
        list(dict.fromkeys(frame["selector"]))
    )


def table_conclusions(frame):
    """DataFrame, a row a pair, of scenarios.scenario_contrasts: one column a scenario, and what becomes of the lead."""
    import pandas as pd

    rows, called = [], short_names({*frame["first"], *frame["second"]})
    for (first, second), of_pair in frame.groupby(["first", "second"], sort=False):
        leads = {
            row["scenario"]: format_estimate(row["difference"], row["low"], row["high"]) + (" *" if row["ahead"] else "")
            for row in of_pair.to_dict("records")
        }
        rows.append({"pair": f"{called[first]} − {called[second]}", "verdict": VERDICTS[of_pair["verdict"].iloc[0]], **leads})
    order = {verdict: i for i, verdict in enumerate(VERDICTS.values())}
    table = pd.DataFrame(rows, columns=["pair", "verdict", *dict.fromkeys(frame["scenario"])])
    return table.sort_values("verdict", key=lambda verdicts: verdicts.map(order), kind="stable", ignore_index=True)


def finding_conclusions(frame) -> str:
    """Which lead of one selector over another depends on what counts as the same, beyond what may be chance."""
    pairs = [rows for _, rows in frame.groupby(["first", "second"], sort=False)]
    if not pairs:
        return "There are no two selectors of which one could lead."
    by_verdict = {verdict: [rows for rows in pairs if rows["verdict"].iloc[0] == verdict] for verdict in VERDICTS}
    leads = [describe_lead(rows) for rows in by_verdict[TURNS] + by_verdict[LOST]]
    if leads:
        more = f" The same holds for {several(len(leads) - 2, 'more pair')}." if len(leads) > 2 else ""
        return f"Who leads depends on what counts as the same: {'; '.join(leads[:2])}.{more}"
    parts = []
    if by_verdict[SHIFTED]:
        apart = join_tied([f"{rows['first'].iloc[0]} and {rows['second'].iloc[0]}" for rows in by_verdict[SHIFTED]])
        parts.append(f"how far {apart} are apart clearly changes")
    for verdict, word in (
        ("holds", "clear under every scenario"),
        (MAYBE, "clear under some only, which may be chance"),
        ("never clear", "never clear"),
    ):
        if by_verdict[verdict]:
            parts.append(f"{several(len(by_verdict[verdict]), 'lead')} {be(len(by_verdict[verdict]))} {word}")
    return f"No lead clearly depends on what counts as the same: of {several(len(pairs), 'pair')} of selectors, {', '.join(parts)}."


def describe_lead(rows) -> str:
    """Who leads under which scenario, of the rows of one pair of conclusions(); "not under" only where the difference differs."""
    first, second = rows[["first", "second"]].iloc[0]
    parts = []
    for leader, other in ((first, second), (second, first)):
        where = rows.loc[rows["ahead"] == leader]
        if len(where):
            by = abs(where["difference"].iloc[0])
            parts.append(f"{leader} is clearly ahead of {other} under {joined(list(where['scenario']))} (by {rounded(by)})")
    lost = (rows["ahead"] == "") & ((rows["shift_p_holm"] < LEVEL) | (rows["scenario"] == rows["against"]))
    nobody = rows.loc[lost, "scenario"]
    return " and ".join(parts) + (f", not under {joined(list(nobody), 'or')}" if len(nobody) else "")
