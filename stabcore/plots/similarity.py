"""C: its heat map, the tree of suggested groups, its uncertainty, and stability under several scenarios."""

import numpy as np
import pandas as pd

from stabcore.analysis.compare_selectors import LEVEL
from stabcore.analysis.noise_floors import blind_selectors
from stabcore.analysis.scenarios import LOST, MAYBE, SHIFTED, TURNS, compare_scenarios
from stabcore.analysis.whatif import similarity_uncertainty
from stabcore.base.text import counted, joined, listed, quote, rounded
from stabcore.plots.estimates import format_estimate
from stabcore.plots.marks import bars, error_bar, line, points, tick
from stabcore.plots.names import (
    ROW_LETTERS,
    SHORT_LENGTH,
    WIDE_LENGTH,
    safe,
    selector_rows,
    short_names,
    shorten,
    shorten_distinctly,
    show_row_names,
)
from stabcore.plots.noise_floor import BEYOND_PARTS, INTERVAL, draw_beyond, floor_is_measured, frame_beyond
from stabcore.plots.style import (
    BEYOND,
    FLOOR_AREA,
    GREY,
    INK,
    MEASURED,
    PALETTE,
    PAPER,
    SCALE_HEIGHT,
    TOOL_BAR,
    empty_figure,
    fade,
    make_square,
    mark_value,
)
from stabcore.selectors.baseline import drop_baselines, is_baseline

MAX_LABELS, MAX_HEIGHT = 40, 430  # named features, and pixels of height, so that the matrix fits on a screen with its controls
MAX_LEAVES, LEAF_HEIGHT = 400, 15  # features of a tree that all have names, and pixels of each
# Transparent where C is small, so that small values look small on a dark background, too
SCALE = [[0, "rgba(128,128,128,0.07)"], [1e-6, fade(MEASURED, 0.15)], [1, MEASURED]]
BEFORE_ROW, LEGEND_HEIGHT = 34, 22  # pixels of a row, whose name may have two lines, and of a line of the legend
NAMED_ROW, NAMED_HEAD = 14, TOOL_BAR + LEGEND_HEIGHT + 10  # pixels of a row with a name, and of all around the rows
PAIR_ROW, PAIR_LETTERS = 40, 14  # pixels of a row of a pair, and letters of each name
MAX_PAIRS = 4  # largest number of pairs of similar features next to the matrix
WHY_FLOOR_FALLS = (
    "Without signal, one run can select several similar features and another none of them, which counts as disagreement."
)
WHY_FLOOR_RISES = (
    "Without signal, one run can select one of several similar features and another run another one, which counts as agreement."
)
MIN_CHANGE = 0.01  # change of stability below which nothing is explained
SMALL_SHARE = 0.1  # share of the disagreement, 1 − stability, up to which a change of stability makes little difference
BELOW_CUT = "less similar than the cut"
NOT_JUDGED = "The scenarios are not judged, because no noise floor is known."
VERDICTS = {
    TURNS: "the order reverses",
    LOST: "depends on the scenario",
    SHIFTED: "its size depends on the scenario",
    MAYBE: "not distinguishable",
    "holds": "the same in all",
    "never clear": "never clear",
}


# ---- C and its tree ----


def frame_similarity(excerpt, features):
    """DataFrame(feature_a, feature_b, place_a, place_b, value): the upper triangle of an excerpt, diagonal included."""
    names = np.array([features[i] for i in excerpt.index], dtype=object)
    a, b = np.triu_indices(len(names))
    values = {"place_a": a + 1, "place_b": b + 1, "value": excerpt.C[a, b]}
    return pd.DataFrame({"feature_a": names[a], "feature_b": names[b], **values})


def finding_similarity(excerpt, features) -> str:
    """Describe the clusters of an excerpt."""
    drawn, similar = len(excerpt.index), sum(excerpt.sizes)
    if not excerpt.sizes:
        return f"None of the {counted(drawn, 'feature')} shown is similar to another."
    which = f"The {drawn} features" if similar == drawn else f"{similar} of the {counted(drawn, 'feature')}"
    clusters = f"{which} shown form {counted(len(excerpt.sizes), 'cluster')}"
    if apart := _dissimilar_in_cluster(excerpt.C):
        first, second, between = (features[excerpt.index[i]] for i in apart)
        return f"{clusters}. Only similar pairs count as one. {first} and {second} do not, although both are similar to {between}."
    return f"{clusters}{_describe_largest(excerpt.sizes, [features[i] for i in sorted(excerpt.index[: excerpt.sizes[0]])])}"


def _describe_largest(sizes, members):
    """The end of a sentence on clusters: the members of the only one, the size of all, or the largest one."""
    if len(sizes) == 1:
        return f": {listed(members, 3)}."
    same = f" of {max(sizes):,} features." if max(sizes) == min(sizes) else ""
    return same or f". The largest has {max(sizes):,}: {listed(members, 3)}."


def _dissimilar_in_cluster(C):
    """Two features that are not similar and one that is similar to both, as rows of C, () if there are none."""
    similar = C > 0
    apart = np.argwhere(np.triu(~similar & (similar.astype(np.float32) @ similar > 0)))
    return (*apart[0], np.flatnonzero(similar[apart[0][0]] & similar[apart[0][1]])[0]) if len(apart) else ()


def _is_graded(C):
    return bool(((C > 0) & (C < 1)).any())


def describe_cells(excerpt) -> str:
    """Describe the colour of the cells of an excerpt."""
    scale = "Blue: the similarity C, from 0 (not similar) to 1 (counts as the same feature). " if _is_graded(excerpt.C) else ""
    return f"{scale}Every feature is similar to itself."


def draw_similarity(frame, wide=False):
    """Draw a cell per pair of features, darker with larger C. Columns are in the order of the rows. wide: space for long names."""
    diagonal = frame[frame["place_a"] == frame["place_b"]]
    n = len(diagonal)
    C = np.zeros((n, n), dtype=np.float32)
    a, b = frame["place_a"].to_numpy() - 1, frame["place_b"].to_numpy() - 1
    C[a, b] = C[b, a] = frame["value"].round(3)
    labels = _distinct_labels([safe(name) for name in diagonal["feature_a"]])
    named = NAMED_ROW * n + NAMED_HEAD if n <= MAX_LABELS else 0
    figure = empty_figure(height=max(320, min(max(MAX_HEIGHT, named), 18 * n + 150)))
    graded = _is_graded(C)
    figure.layout.margin.t = SCALE_HEIGHT if graded else TOOL_BAR + LEGEND_HEIGHT
    bar = {"orientation": "h", "thickness": 10, "y": 1, "yanchor": "bottom", "x": 0, "xanchor": "left"}
    bar |= {"tickvals": [0, 1], "ticktext": ["different", "the same"], "len": 130, "lenmode": "pixels"}
    gap = int(n <= 60)  # pixels
    look = {"zmin": 0, "zmax": 1, "colorscale": SCALE, "colorbar": bar, "showscale": graded, "xgap": gap, "ygap": gap}
    figure.add_heatmap(z=C, x=labels, y=labels, hovertemplate="%{y}<br>%{x}<br>C = %{z:.3~f}<extra></extra>", **look)
    axis = {"type": "category", "showgrid": False, "ticks": "", "automargin": False}
    figure.update_xaxes(**axis, showticklabels=False)
    figure.update_yaxes(**axis, showticklabels=n <= MAX_LABELS, autorange="reversed")
    # clicks on cells are not reported, so each feature has a mark on the diagonal that takes them
    marks = {"size": 8, "opacity": 0, "color": MEASURED}
    figure.add_trace(points(labels, labels, marks, labels, customdata=list(range(n)), showlegend=False))
    for name, colour in () if graded else (("similar", MEASURED), ("not similar", PAPER)):
        look = {"symbol": "square", "size": 10, "color": colour, "line": {"width": 1, "color": GREY}}
        figure.add_trace(points([None], [None], look, name=name))
    if n <= MAX_LABELS:
        show_row_names(figure, labels, shorten_distinctly(diagonal["feature_a"], WIDE_LENGTH if wide else SHORT_LENGTH))
    return make_square(figure, n)


# ---- its effect on these selections ----


def frame_before_after(classic, effective):
    """DataFrame(selector, value, effective, low, high, measured, measured_effective, judged), the largest effective value first.

    classic, effective: tables of analysis.noise_floors.noise_floors, of nogueira and of effective. value, effective and its
    interval are the parts beyond the noise floor if it is known (judged), else the values as measured.
    """
    effective = effective.reindex(classic.index)
    judged = bool((effective["shuffles"] > 0).any())
    value, low, high = BEYOND_PARTS if judged else INTERVAL
    frame = pd.DataFrame({"value": classic[value], "effective": effective[value], "low": effective[low], "high": effective[high]})
    frame = frame.assign(measured=classic["value"], measured_effective=effective["value"], judged=judged)
    return frame.reset_index(names="selector").sort_values("effective", ascending=False, kind="stable", ignore_index=True)


def finding_before_after(frame) -> str:
    """Describe the largest change when similar features count as one, without baselines. frame: a frame_before_after."""
    change = describe_change(frame)
    return f"If similar features count as one, {change}." if change else ""


def describe_change(frame) -> str:
    """Describe the largest change in a part of a sentence, "" without any."""
    row, change = _largest_change(frame)
    if row is None:
        return ""
    subject = f"{'stability beyond the noise floor' if row['judged'] else 'stability'} changes by"
    words = f"at most {rounded(change)}" if change >= MIN_CHANGE else f"less than {MIN_CHANGE}"
    if change <= SMALL_SHARE * (1 - row["measured"]):
        return f"{subject} {words}, so counting them as one makes little difference"
    rise = row["measured_effective"] - row["measured"]
    way = "falls" if row["effective"] > row["value"] else "rises"
    of_floor = f", whose noise floor {way}" if row["judged"] and abs(rise) < change / 2 else ""
    return f"{subject} {words} ({row['short']}{of_floor})"


def is_due_to_floors(frame) -> bool:
    """Whether falling noise floors are most of the change if similar features count as one. frame: a frame_before_after."""
    judged = drop_baselines(frame[frame["judged"]])
    measured = judged["measured_effective"] - judged["measured"]
    floors = measured - (judged["effective"] - judged["value"])
    return bool(floors.mean() < -MIN_CHANGE and measured.abs().sum() < -floors.sum() / 2)


def describe_parts_of_change(frame) -> str:
    """Split the largest change into that of the measured stability and that of the noise floor, "" without any."""
    row, _ = _largest_change(frame)
    if row is None or not row["judged"]:
        return ""
    before, after = row["measured"] - row["value"], row["measured_effective"] - row["effective"]
    values = [f"{value:z.3f}".replace("-", "−") for value in (row["measured"], row["measured_effective"], before, after)]
    same = abs(row["measured_effective"] - row["measured"]) < MIN_CHANGE <= abs(after - before)
    meaning = f" The runs agree as before. {WHY_FLOOR_FALLS if after < before else WHY_FLOOR_RISES}" if same else ""
    return (
        f"If similar features count as one, the measured stability of {row['short']} goes from {values[0]} to {values[1]}, and its "
        f"noise floor from {values[2]} to {values[3]}.{meaning}"
    )


def _largest_change(frame):
    """(the row of the selector that changes most, with its short name, and the size of the change), (None, NaN) without any."""
    frame = drop_baselines(frame).dropna(subset=["value", "effective"])
    if frame.empty:
        return None, np.nan
    changes = (frame["effective"].round(2) - frame["value"].round(2)).abs().round(2)  # as other screens print the two values
    row = frame.loc[changes.idxmax()]
    return {**row, "short": short_names(frame["selector"])[row["selector"]]}, changes.max()


def most_changed_selector(frame) -> str:
    """Return the selector whose measured stability changes most when similar features count as one, "" without any."""
    changes = (frame["measured_effective"] - frame["measured"]).abs()[drop_baselines(frame).index].dropna()
    return frame.loc[changes.idxmax(), "selector"] if len(changes) and changes.max() >= MIN_CHANGE else ""


def draw_before_after(frame):
    """Draw a row per selector: a dot with its interval where similar features count as one, and a tick where each is separate."""
    y = len(frame) - 1 - np.arange(len(frame))
    names = selector_rows(frame["selector"])
    beyond = " beyond the noise floor" if len(frame) and frame["judged"].iloc[0] else ""
    title = f"Stability{beyond}<br>(95% interval)"
    figure = empty_figure(x=title, height=TOOL_BAR + LEGEND_HEIGHT + 68 + BEFORE_ROW * max(len(frame), 2))
    figure.update_layout(margin={"t": TOOL_BAR + LEGEND_HEIGHT, "b": 68})
    value, low, high = (frame[name].to_numpy(dtype=float) for name in ("effective", "low", "high"))
    hovers = [
        f"{safe(row.selector)}<br>effective {format_estimate(row.effective, row.low, row.high)}<br>classic {rounded(row.value)}"
        for row in frame.itertuples()
    ]
    look = {"size": 9, "color": MEASURED, "line": {"width": 2, "color": MEASURED}}
    interval = error_bar(value, low, high, color=MEASURED, thickness=2, width=0)
    figure.add_trace(points(value, y, look, hovers, name="similar features as one", error_x=interval))
    figure.add_trace(points(frame["value"], y, tick(16, 2, INK), name="each separately"))
    least, most = np.nanmin(np.r_[low, value, 0.0]), np.nanmax(np.r_[high, value, frame["value"], 1.0])
    ticks = {"tickvals": [0, 0.25, 0.5, 0.75, 1], "ticktext": ["0", ".25", ".5", ".75", "1"]}
    figure.update_xaxes(range=[least - 0.03, most + 0.02], zeroline=True, zerolinecolor=GREY, **ticks)
    return show_row_names(figure, y.tolist(), names, showgrid=False, range=[-0.6, max(len(frame), 2) - 0.4])


def frame_together(pairs):
    """The pairs of an analysis.whatif.pairs.similar_pairs that are drawn: those that change the stability most."""
    return pairs.head(MAX_PAIRS)


def finding_together(frame, selector, classic, effective) -> str:
    """Describe why the stability of a selector changes, with the pair of similar features that explains most of it.

    frame: an analysis.whatif.pairs.similar_pairs. classic, effective: the two values.
    """
    change, name = effective - classic, short_names([selector])[selector]
    if not abs(change) >= MIN_CHANGE or frame.empty:
        return f"Counting similar features as one changes the stability of {name} by less than {MIN_CHANGE}."
    falls = change < 0
    moved = f"The measured stability of {name} {'falls' if falls else 'rises'} from {rounded(classic)} to {rounded(effective)}"
    row = frame.loc[frame["pull"].idxmin() if falls else frame["pull"].idxmax()]
    if not (row["pull"] < 0 < row["both"] if falls else row["pull"] > 0 < row["one"]):
        return f"{moved}, because similar features count as one."
    why, alone = "together" if falls else "in place of each other", f"in {row['one']} of them" if row["both"] else "always"
    runs = counted(row["runs"], "run")
    counts = (
        f"selected twice in {row['both']} of {runs}, and never in {row['neither']}"
        if falls
        else f"selected in {row['both'] + row['one']} of {runs}, {alone} only one of the two"
    )
    pair = f"{row['feature_a']} and {row['feature_b']}"
    return f"{moved}, because {name} selects similar features {why}. Counted as one, {pair} are {counts}."


def draw_together(frame):
    """Draw a row per pair of similar features: the runs that select both, one alone, and neither."""
    y = len(frame) - 1 - np.arange(len(frame))
    # on a telephone the legend has three lines
    figure = empty_figure(height=TOOL_BAR + 3 * LEGEND_HEIGHT + 30 + PAIR_ROW * max(len(frame), 2))
    figure.update_layout(barmode="stack", margin={"t": TOOL_BAR + LEGEND_HEIGHT, "b": 30})
    pairs = [f"{safe(row.feature_a)}, {safe(row.feature_b)}" for row in frame.itertuples()]
    for column, name, colour in (("both", "both", MEASURED), ("one", "one alone", BEYOND), ("neither", "neither", FLOOR_AREA)):
        hovers = [f"{pair}<br>{name}: {count} of {runs} runs" for pair, count, runs in zip(pairs, frame[column], frame["runs"])]
        figure.add_trace(bars(frame[column] / frame["runs"], y, colour, hovers, name=name, width=0.7))
    figure.update_xaxes(range=[0, 1], tickvals=[0, 0.5, 1], ticktext=["0", "50", "100% of runs"], tickangle=0, showgrid=False)
    names = [_name_pair(row.feature_a, row.feature_b) for row in frame.itertuples()]
    return show_row_names(figure, y.tolist(), names, showgrid=False, range=[-0.6, max(len(frame), 2) - 0.4])


def _name_pair(first, second):
    """Two names next to their row, on two lines if they are long."""
    between = ", " if len(f"{first}, {second}") <= ROW_LETTERS else ",<br>"
    return between.join(shorten(name, PAIR_LETTERS) for name in (first, second))


def _distinct_labels(labels):
    counts: dict[str, int] = {}
    names = []
    for label in labels:
        counts[label] = counts.get(label, 0) + 1
        names.append(label if counts[label] == 1 else f"{label} ({counts[label]})")
    return names


def frame_tree(tree, threshold):
    """DataFrame(left, right, left_from, right_from, joined_at, features, group): one row per joint of two branches of a Tree.

    left, right: their positions. left_from, right_from: the |ρ| at which each of them joined (1 for a single feature). joined_at:
    |ρ| of this joint. group: number from left to right of the group cut at the threshold, 0 above it.
    """
    d = len(tree.features)
    place, height, size = np.zeros(2 * d - 1), np.ones(2 * d - 1), np.ones(2 * d - 1, dtype=int)
    place[tree.order] = np.arange(1, d + 1)
    first = place.copy()  # position of the leftmost feature
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
    for node in range(2 * d - 2, d - 1, -1):  # from the root down, because a branch belongs to the group of its parent
        if height[node] >= round(threshold, 12):
            top.setdefault(node, first[node])
            top.update((int(child), top[node]) for child in tree.linkage[node - d, :2])
    number = {start: i for i, start in enumerate(sorted({top[node] for node in range(d, 2 * d - 1) if node in top}), 1)}
    return [number[top[node]] if node in top else 0 for node in range(d, 2 * d - 1)]


def finding_tree(tree, groups, threshold) -> str:
    """Describe the groups of the cut."""
    cut, features = f"The cut at |ρ| = {threshold:.2f}", counted(len(tree.features), "feature")
    if not groups:
        return f"{cut} groups none of the {features}."
    sizes = [len(members) for members in groups.values()]
    largest = _describe_largest(sizes, max(groups.values(), key=len))
    return f"{cut} puts {sum(sizes):,} of {features} into {counted(len(groups), 'group')}{largest}"


def draw_tree(frame, leaves, threshold):
    """Draw branches from the features to the |ρ| where they join.

    Groups are left of the dashed cut, neighbouring ones in two colours. leaves: the names from top to bottom. Beyond MAX_LEAVES
    features only the first of each group has its name.
    """
    leaves = list(leaves)
    figure = empty_figure(x="Similarity: |ρ|", height=TOOL_BAR + 130 + LEAF_HEIGHT * max(min(len(leaves), MAX_LEAVES), 3))
    for name, colour, which in (
        ("a group", MEASURED, frame["group"] % 2 == 1),
        ("the neighbouring group", PALETTE[5], (frame["group"] % 2 == 0) & (frame["group"] > 0)),
        (BELOW_CUT, GREY, frame["group"] == 0),
    ):
        part = frame[which]
        if part.empty:
            continue
        end = np.full(len(part), np.nan)
        y = np.column_stack([part["left"], part["left"], part["right"], part["right"], end])
        x = np.column_stack([part["left_from"], part["joined_at"], part["joined_at"], part["right_from"], end])
        hover = {"hoverinfo": None, "hovertemplate": "join at |ρ| = %{x:.2f}<extra>%{fullData.name}</extra>"}
        figure.add_trace(line(x.ravel(), y.ravel(), colour, 1.8, name=name, **hover))
    mark_value(figure, threshold, f"cut at {threshold:.2f}")
    places = list(range(1, len(leaves) + 1)) if len(leaves) <= MAX_LEAVES else _group_starts(frame, len(leaves))
    figure.update_xaxes(range=[1.02, -0.05], zeroline=False)
    names = shorten_distinctly(leaves[i - 1] for i in places)
    return show_row_names(figure, places, names, showgrid=False, range=[max(len(leaves), 1) + 0.5, 0.5])


def _group_starts(frame, n_leaves):
    """The position of the first feature of each group, with space for names."""
    firsts: list[int] = []
    for place in frame[frame["group"] > 0].groupby("group")["left"].min().astype(int):
        if not firsts or place - firsts[-1] >= n_leaves / MAX_LEAVES:
            firsts.append(place)
    return firsts


# ---- the uncertainty of C ----


def frame_uncertainty(runs, X, **options):
    """DataFrame(selector, value, low, high, draws) of {selector: Selections}. See whatif.similarity_uncertainty."""
    return similarity_uncertainty(runs, X, **options)


def finding_uncertainty(frame) -> str:
    """Describe the widest range over draws of patients for C."""
    defined = drop_baselines(frame).dropna(subset=["low", "high"])
    if defined.empty:
        return "The uncertainty from C is unknown: effective stability is undefined in most draws of the rows."
    row = defined.loc[(defined["high"] - defined["low"]).idxmax()]
    if rounded(row["low"]) == rounded(row["high"]):
        return f"Correlations from a third of the patients change no effective stability by {MIN_CHANGE} or more, in 95% of draws."
    return (
        f"Correlations from a third of the patients move effective stability most for {row['selector']}: "
        f"{rounded(row['value'])} ({rounded(row['low'])} to {rounded(row['high'])} in 95% of draws)."
    )


def draw_uncertainty(frame):
    """Draw one row per selector: its effective stability with C of all rows, and the range over draws of patients."""
    shown = frame.iloc[::-1].reset_index(drop=True)
    figure = empty_figure(x="Effective stability<br>(bars: 95% of draws)", height=130 + 34 * len(shown))
    hovers = [f"{safe(row.selector)}: {rounded(row.value)} [{rounded(row.low)}, {rounded(row.high)}]" for row in shown.itertuples()]
    interval = error_bar(shown["value"], shown["low"], shown["high"], thickness=2, width=5)
    look = {"color": MEASURED, "size": 10}
    figure.add_trace(points(shown["value"], shown.index, look, hovers, showlegend=False, error_x=interval))
    return show_row_names(figure, list(shown.index), selector_rows(shown["selector"]))


# ---- scenarios ----


def frame_scenarios(result, scenarios, against=None, k=None):
    """Return analysis.scenarios.compare_scenarios as a frame_beyond with a facet per scenario, the reference first.

    Selectors are sorted by the reference scenario. text: the value with its interval.
    """
    frame = compare_scenarios(result, scenarios, against=against, k=k)
    base = frame["against"].iloc[0]
    order = [base, *(name for name in scenarios if name != base)]
    shown = frame_beyond({name: frame[frame["scenario"] == name].set_index("selector") for name in order}, blind_selectors(result))
    rest = frame.drop(columns=[name for name in shown if name in frame and name != "selector"])
    shown = shown.merge(rest.rename(columns={"scenario": "facet"}), on=["selector", "facet"])
    shown["scenario"] = shown["facet"]
    return shown.assign(
        text=[format_estimate(*row) for row in shown[["value", "low", "high"]].itertuples(index=False)],
        baseline=shown["selector"].map(is_baseline),
    )


def finding_scenarios(frame) -> str:
    """Describe how many selectors are clearly more or less stable than under the reference scenario."""
    base = frame["against"].iloc[0] if len(frame) else ""
    moved = drop_baselines(frame[frame["scenario"] != base])
    if moved.empty:
        return "There is only one scenario."
    if not floor_is_measured(frame):
        return NOT_JUDGED
    clear = moved[moved["p_holm"] < LEVEL]["change"].reindex(moved.index)
    clear = moved.assign(more=clear > 0, less=clear < 0)
    counts = clear.groupby("scenario", sort=False)[["more", "less"]].sum()
    of = counted(moved["selector"].nunique(), "selector")
    if not counts.to_numpy().any():
        return f"None of {of} is clearly more or less stable, beyond its noise floor, than under {quote(base)}."
    parts = [f"{row['more'] or 'none'} more and {row['less'] or 'none'} less under {name}" for name, row in counts.iterrows()]
    return f"Of {of}, clearly more or less stable beyond the noise floor than under {quote(base)}: {', '.join(parts)}."


def draw_scenarios(frame, facets=None, lines=2):
    """Draw a facet per scenario with every selector and its noise floor. facets, lines: see draw_beyond."""
    titles = {name: (safe(shorten(name)), "") for name in dict.fromkeys(frame["facet"])}
    return draw_beyond(frame, facets, lines=lines, titles=titles)


def table_scenarios(frame):
    """DataFrame selector × scenario of a frame_scenarios: each value with its interval."""
    wide = frame.pivot(index="selector", columns="scenario", values="text")
    return wide[list(dict.fromkeys(frame["scenario"]))].reindex(list(dict.fromkeys(frame["selector"])))


def table_conclusions(frame):
    """DataFrame, one row per pair, of scenarios.scenario_contrasts: a column per scenario, and the verdict on the lead."""
    rows, short = [], short_names({*frame["first"], *frame["second"]})
    for (first, second), of_pair in frame.groupby(["first", "second"], sort=False):
        leads = {
            row["scenario"]: format_estimate(row["difference"], row["low"], row["high"]) + (" *" if row["ahead"] else "")
            for row in of_pair.to_dict("records")
        }
        rows.append({"pair": f"{short[first]} − {short[second]}", "verdict": VERDICTS[of_pair["verdict"].iloc[0]], **leads})
    order = {verdict: i for i, verdict in enumerate(VERDICTS.values())}
    table = pd.DataFrame(rows, columns=["pair", "verdict", *dict.fromkeys(frame["scenario"])])
    return table.sort_values("verdict", key=lambda verdicts: verdicts.map(order), kind="stable", ignore_index=True)


def finding_conclusions(frame) -> str:
    """Describe whether a lead of one selector over another depends on the scenario beyond chance."""
    pairs = [rows for _, rows in frame.groupby(["first", "second"], sort=False)]
    if not pairs:
        return "There are no two selectors to compare."
    verdicts = [rows["verdict"].iloc[0] for rows in pairs]
    changed = [rows for rows, verdict in zip(pairs, verdicts) if verdict in (TURNS, LOST)]
    if changed:
        more = f" So do {counted(len(changed) - 1, 'more lead')}." if len(changed) > 1 else ""
        return f"The lead depends on the scenario: {describe_lead(changed[0])}.{more}"
    return (
        f"No lead among {counted(len(pairs), 'pair')} of selectors clearly depends on the scenario. Clear in all scenarios: "
        f"{verdicts.count('holds')}. Clear in some only, which may be chance: {verdicts.count(MAYBE)}. With a clear change of "
        f"size: {verdicts.count(SHIFTED)}."
    )


def describe_lead(rows) -> str:
    """Describe the leading selector under each scenario, from the rows of one pair of scenario_contrasts."""
    first, second = rows[["first", "second"]].iloc[0]
    parts = []
    for leader, other in ((first, second), (second, first)):
        where = rows.loc[rows["ahead"] == leader]
        if len(where):
            by = rounded(abs(where["difference"].iloc[0]))
            parts.append(f"{leader} is clearly ahead of {other} under {joined(list(where['scenario']))} (by {by})")
    lost = (rows["ahead"] == "") & ((rows["shift_p_holm"] < LEVEL) | (rows["scenario"] == rows["against"]))
    without = rows.loc[lost, "scenario"]
    return " and ".join(parts) + (f", not under {joined(list(without), 'or')}" if len(without) else "")
