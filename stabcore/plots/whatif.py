"""What if: groups off, two features counted as similar, or a feature, a run or an outer fold left out."""

import numpy as np
import pandas as pd

from stabcore.analysis.compare_selectors import LEVEL
from stabcore.analysis.whatif import groups, without_blocks, without_features, without_runs
from stabcore.analysis.whatif.groups import NO_GROUP
from stabcore.base.text import counted, join_tied, rounded
from stabcore.plots.estimates import format_estimate
from stabcore.plots.marks import bars, line, note, points
from stabcore.plots.names import safe, short_names, shorten_distinctly, show_row_names
from stabcore.plots.noise_floor import draw_floor
from stabcore.plots.style import GREY, MEASURED, PALE_GREY, PALETTE, SCALE_HEIGHT, empty_figure, make_square

MAX_BARS = 15
MIN_CHANGE = 5e-4  # smaller changes are shown as 0.000
MAX_FEATURES, DEFAULT_FEATURES = 40, 20
MAX_PAIRS = 20_000  # pairs requested from influence(), enough to include those of the drawn features
# Transparent without a change, on light and dark screens
SCALE = [[0, "rgba(213,94,0,1)"], [0.5, "rgba(128,128,128,0.06)"], [1, MEASURED]]
MAX_RANKED, PAIR_ROW = 10, 36  # pairs in the ranked list, and pixels of each
PAIR_LETTERS = 46  # letters that fit on a telephone
INTERVAL_COLOUR = "rgba(128,128,128,0.16)"
ALWAYS_SEEN, NEVER_SEEN = {"marker": {"opacity": 1}}, {"marker": {"opacity": 0}}  # with and without a selection


def _click_targets(x, y, size, hover, rows):
    """Invisible marks for clicks on thin bars and heat maps, where Plotly reports none."""
    look = {"showlegend": False, "selected": NEVER_SEEN, "unselected": NEVER_SEEN}
    return points(x, y, {"symbol": "square", "size": size, "opacity": 0}, hover, customdata=rows, **look)


# ---- groups ----


def frame_group_effects(runs, similarity):
    """DataFrame(group, features, alone, effect_alone, without, effect_last, reason), the largest effect first."""
    frame = groups(runs, similarity)
    size = frame[["effect_alone", "effect_last"]].abs().max(axis=1)
    ordered = frame.iloc[np.argsort(-size.fillna(-1).to_numpy(), kind="stable")].reset_index(drop=True)
    ordered.attrs.update(frame.attrs)
    return ordered


def finding_group_effects(frame, half=np.nan) -> str:
    """Describe the group with the largest effect. half: half-width of the interval of the stability."""
    defined = frame.dropna(subset=["effect_alone", "effect_last"])
    if defined.empty:
        return "The effect of the groups is undefined."
    size = defined[["effect_alone", "effect_last"]].abs().max(axis=1)
    if within := describe_within_interval("group", size.max(), half):
        return within
    row = defined.loc[size.idxmax()]
    return (
        f"{row['group']} has the largest effect on stability: {format_signed(row['effect_alone'])} as the only group, "
        f"{format_signed(row['effect_last'])} when added to all others."
    )


def draw_group_effects(frame, half=np.nan):
    """Draw two bars per group: its effect alone, and added to all others. Effects within the interval are dim."""
    shown = frame.head(MAX_BARS).iloc[::-1]
    positions = np.arange(len(shown))
    figure = empty_figure(x=title_with_interval("Change of stability", half), height=130 + 34 * max(3, len(shown)))
    shade_interval(figure, half)
    kinds = (("effect_last", "added to all others", PALETTE[1], "/"), ("effect_alone", "alone", MEASURED, ""))
    for column, name, colour, pattern in kinds:
        hovers = [f"{safe(group)}, {name}: {change:+z.4f}" for group, change in zip(shown["group"], shown[column])]
        look = {"customdata": shown.index, "unselected": ALWAYS_SEEN, "showlegend": False, "offsetgroup": column}
        colours, marker = change_colours(shown[column], half, colour), {"pattern": {"shape": pattern}}
        figure.add_trace(bars(shown[column], positions, colours, hovers, name=name, marker=marker, **look))
    hovers = [f"{safe(row.group)}: alone {row.effect_alone:+z.4f}, added {row.effect_last:+z.4f}" for row in shown.itertuples()]
    figure.add_trace(_click_targets([0.0] * len(shown), positions, 24, hovers, shown.index))
    for column, name, colour, pattern in kinds:  # the legend shows full colours, also for dim bars
        figure.add_bar(x=[None], y=[None], name=name, legendgroup=column, marker={"color": colour, "pattern": {"shape": pattern}})
    figure.add_vline(x=0, line={"width": 1, "color": "grey"})
    figure.update_layout(barmode="group", bargap=0.25, legend_traceorder="reversed")
    changes = np.append(shown[["effect_alone", "effect_last"]].to_numpy(dtype=float), [0.0, -half, half])
    low, high = 1.05 * np.nanmin(changes), 1.05 * np.nanmax(changes)  # fixed, because the click targets would extend the axis
    if high > low:
        figure.update_xaxes(range=[low, high])
    return show_row_names(figure, positions, shorten_distinctly(shown["group"]), range=[-0.5, max(len(shown), 1) - 0.5])


def describe_substitution(frame) -> str:
    """Describe the share of the variance due to substitution within groups, from within_between."""
    row = frame.iloc[-1]
    part, expected, whole = (rounded(row[name]) for name in ("substitution", "by_random_sets", "variance"))
    found = f"One group member replacing another (substitution) makes up {part} of the variance of single features ({whole})."
    if part.startswith("−"):
        found = f"Over all groups, members are selected together more often than one instead of another (substitution: {part})."
    return (
        f"{found} In random subsets with the same selection frequencies, substitution is {expected}. Correlations with features "
        "outside the groups also change it. Panel tests pairs of substitutes."
    )


# ---- without a feature, a run, an outer fold ----


def frame_left_out_features(runs, similarity):
    """DataFrame(feature, frequency, value, change, reason): Φ_C without each feature, the largest change first."""
    return without_features(runs, similarity)


def finding_left_out_features(frame, half=np.nan) -> str:
    """Describe the feature whose absence changes stability most. half: half-width of its interval."""
    return _describe_largest_change(frame, frame["feature"], "feature", half)


def draw_left_out_features(frame, picked=(), half=np.nan):
    """Draw a bar per feature, dim within the interval. customdata is its row. Highlighted features are bold."""
    shown = frame.dropna(subset="change").head(MAX_BARS).iloc[::-1]
    positions = np.arange(len(shown))
    figure = empty_figure(x=title_with_interval("Change of stability", half), height=130 + 22 * max(4, len(shown)))
    shade_interval(figure, half)
    for which, name, colour, pattern in (
        (shown["change"] >= 0, "rises", MEASURED, ""),
        (shown["change"] < 0, "falls", PALETTE[5], "/"),
    ):
        part = shown[which]
        hovers = [
            f"{safe(row.feature)}: to {row.value:z.4f} ({row.change:+z.4f})<br>selected in {row.frequency:.0%} of the runs"
            for row in part.itertuples(index=False)
        ]
        colours, marker = change_colours(part["change"], half, colour), {"pattern": {"shape": pattern}}
        look = {"name": f"stability {name} without it", "customdata": part.index, "unselected": ALWAYS_SEEN}
        figure.add_trace(bars(part["change"], positions[which], colours, hovers, marker=marker, **look))
    figure.add_vline(x=0, line={"width": 1, "color": "grey"})
    return show_row_names(figure, positions, _bold_names(shown["feature"], picked))


def _bold_names(names, picked):
    picked = set(picked)
    return [f"<b>{short}</b>" if name in picked else short for name, short in zip(names, shorten_distinctly(names), strict=True)]


def frame_left_out_runs(runs, similarity, numbers=None, folds=None):
    """DataFrame(part, value, change, reason): effective stability without each run, or without each outer fold.

    numbers: (M,) names of the runs. folds: (M,) outer fold of each run, if folds are left out.
    """
    if folds is not None:
        return without_blocks(runs, folds, "effective", similarity=similarity).rename(columns={"block": "part"})
    frame = without_runs(runs, "effective", similarity=similarity).rename(columns={"run": "part"})
    return frame if numbers is None or runs.within_units else frame.assign(part=numbers)


def finding_left_out_runs(frame, noun, half=np.nan) -> str:
    """Describe the run or outer fold whose absence changes stability most. half: half-width of its interval."""
    return _describe_largest_change(frame, [f"{noun} {part}" for part in frame["part"]], noun, half)


def draw_left_out_runs(frame, noun, floor=None, half=np.nan):
    """Draw the stability without each run or outer fold, dim within the shaded interval. floor: a frame_floor."""
    defined = frame.dropna(subset="change")
    figure = empty_figure(x=f"Left out: {noun}", y="Stability without it", height=320)
    look = {"color": change_colours(defined["change"], half, MEASURED, marks=True), "size": 8}
    hover = {"hovertemplate": f"without {noun} " + "%{x}: %{y:.4f} (%{text})<extra></extra>", "showlegend": False}
    changes = [f"{change:+z.4f}" for change in defined["change"]]
    figure.add_trace(points(defined["part"], defined["value"], look, changes, **hover))
    if len(defined):
        every = float((defined["value"] - defined["change"]).iloc[0])
        shade_interval(figure, half, every, "y")
        figure.add_hline(y=every, line={"dash": "dot", "color": "grey"}, name=f"with all: {every:z.3f}", showlegend=True)
    if floor is not None:
        draw_floor(floor, figure)
    if len(defined) <= 12:
        figure.update_xaxes(tickvals=list(defined["part"]))
    return figure


def _describe_largest_change(frame, names, noun, half):
    """Describe which of the names changes stability most when left out."""
    defined = frame.assign(name=names).dropna(subset="change")
    if defined.empty:
        return f"The effect of a single {noun} is undefined."
    size = defined["change"].abs()
    if within := describe_within_interval(f"single {noun}", size.max(), half):
        return within
    row = defined.loc[size.idxmax()]
    before = rounded(row["value"] - row["change"])
    return f"Without {row['name']}, stability changes most: from {before} to {rounded(row['value'])}."


# ---- two features counted as similar ----


def frame_influence(pairs, most=DEFAULT_FEATURES):
    """DataFrame(feature_a, feature_b, place_a, place_b, derivative, change, value, together) among the most influential features.

    pairs: from sc.whatif.influence. most: number of features, in the order of the most influential pairs. A missing pair has a
    smaller influence than all requested pairs.
    """
    defined = pairs.dropna(subset="derivative")
    names = defined[["feature_a", "feature_b"]].to_numpy().ravel()
    place = {name: i for i, name in enumerate(list(pd.unique(names))[:most], 1)}
    cells = defined[defined["feature_a"].isin(place) & defined["feature_b"].isin(place)].reset_index(drop=True)
    a, b = (cells[column].map(place).to_numpy(dtype=int) for column in ("feature_a", "feature_b"))
    swap = a < b  # below the diagonal, where the later position is the row
    cells = cells.assign(place_a=np.maximum(a, b), place_b=np.minimum(a, b))
    cells.loc[swap, ["feature_a", "feature_b"]] = cells.loc[swap, ["feature_b", "feature_a"]].to_numpy()
    return cells[["feature_a", "feature_b", "place_a", "place_b", "derivative", "change", "value", "together"]]


def frame_ranked_pairs(pairs, value):
    """DataFrame(feature_a, feature_b, change, value, together, before, after, place): the most influential pairs first.

    pairs: from stabcore.analysis.whatif.influence. value: the current stability, which each pair changes from `before` to `after`.
    """
    defined = pairs.dropna(subset="derivative").head(MAX_RANKED).reset_index(drop=True)
    columns = defined[["feature_a", "feature_b", "change", "value", "together"]]
    return columns.assign(before=value, after=value + columns["change"], place=range(len(columns)))


def draw_ranked_pairs(frame, half=np.nan, chosen=(), picked=()):
    """Draw a row per pair under its names: the current stability (hollow) and that with the other C of the pair (filled).

    half: half-width of the shaded interval. Smaller changes are dim. customdata: the row of the frame. chosen: with a ring.
    """
    picked = set(picked)
    names = [
        " – ".join(f"<b>{safe(name)}</b>" if name in picked else safe(name) for name in pair)
        for pair in frame[["feature_a", "feature_b"]].to_numpy()
    ]
    two_lines = max(map(len, names), default=0) > PAIR_LETTERS
    title = title_with_interval("Effective stability now (hollow)<br>and with C of the pair changed (filled)", half)
    figure = empty_figure(x=title, height=120 + (PAIR_ROW + 14 * two_lines) * max(len(frame), 2))
    if len(frame):
        shade_interval(figure, half, frame["before"].iloc[0])
    for which, colour, symbol in ((frame["change"] >= 0, MEASURED, "circle"), (frame["change"] < 0, PALETTE[5], "diamond")):
        part = frame[which]
        colours = change_colours(part["change"], half, colour, marks=True)
        for row, shade in zip(part.itertuples(), colours, strict=True):
            figure.add_trace(line([row.before, row.after], [row.place] * 2, shade, 3))
        sizes = [17 if {a, b} == set(chosen) else 11 for a, b in zip(part["feature_a"], part["feature_b"])]
        look = {"customdata": part["place"], "showlegend": False, "selected": ALWAYS_SEEN, "unselected": ALWAYS_SEEN}
        for column, shape in (("before", f"{symbol}-open"), ("after", symbol)):
            marker = {"color": colours, "symbol": shape, "line": {"width": 0}, "opacity": 1, "size": sizes}
            figure.add_trace(points(part[column], part["place"], marker, _pair_hovers(part), **look))
    for place, name in zip(frame["place"], names, strict=True):
        text = name.replace(" – ", " –<br>") if len(name) > PAIR_LETTERS else name
        figure.add_annotation(note(text, 0, place - 0.2, colour=None, yref="y", align="left", borderpad=0))
    figure.update_yaxes(range=[max(len(frame), 1) - 0.5, -0.9], showticklabels=False, showgrid=False, zeroline=False)
    return figure


def _pair_hovers(frame):
    return [
        f"{safe(row.feature_a)}<br>{safe(row.feature_b)}<br>{row.change:+z.4f}, C = {row.value:.2f}, both in "
        f"{counted(row.together, 'run')}"
        for row in frame.itertuples()
    ]


def describe_pair(pair) -> str:
    """Describe a row of influence()."""
    names = f"{pair['feature_a']} and {pair['feature_b']}"
    if np.isnan(pair["change"]):
        return f"The effect of counting {names} as similar is undefined."
    condition = "were counted as similar" if pair["value"] < 1 else "were no longer counted as similar"
    return f"If {names} {condition}, stability would change by about {format_signed(pair['change'])}."


def format_signed(value) -> str:
    """Format a small change with its sign."""
    return f"{value:+z.3f}".replace("-", "−")


def finding_influence(pairs, half=np.nan) -> str:
    """Describe the most influential pair. half: half-width of the interval of the stability."""
    defined = pairs.dropna(subset="derivative")
    if defined.empty:
        return "No pair of features has a defined influence."
    return describe_within_interval("pair", defined["change"].abs().max(), half) or describe_pair(defined.iloc[0])


def draw_influence(frame, chosen=(), picked=()):
    """Draw a cell per pair, blue if the stability would increase. customdata: its row. chosen: with a ring. picked: bold names."""
    names = dict(zip(frame["place_a"], frame["feature_a"])) | dict(zip(frame["place_b"], frame["feature_b"]))
    n, most = max(names, default=1), float(frame["change"].abs().max()) if len(frame) else 1.0
    limit, row, column = most or 1, frame["place_a"].to_numpy(), frame["place_b"].to_numpy()
    cells = np.full((n, n), np.nan, dtype=np.float32)
    cells[row - 1, column - 1] = frame["change"]
    figure = empty_figure(height=max(340, min(760, 15 * n + 170)))
    bar = {"thickness": 10, "orientation": "h", "y": 1, "yanchor": "bottom", "len": 0.9, "tickangle": 0}
    ticks = [f"−{most:.3f}", "0", f"+{most:.3f}"] if most >= MIN_CHANGE else ["", "0", ""]
    bar |= {"tickvals": [-limit, 0, limit], "ticktext": ticks}
    place = {"x0": 1, "dx": 1, "y0": 1, "dy": 1, "xgap": 1, "ygap": 1, "zmin": -limit, "zmax": limit}
    figure.add_heatmap(z=cells, colorscale=SCALE, hoverinfo="skip", colorbar=bar, **place)
    figure.add_trace(_click_targets(column, row, 9, _pair_hovers(frame), frame.index.to_numpy()))
    ring = frame.iloc[[i for i, pair in enumerate(zip(frame["feature_a"], frame["feature_b"])) if set(pair) == set(chosen)]]
    look = {"symbol": "circle-open", "size": 15, "color": "#8A8A8A", "line": {"width": 3}}
    figure.add_trace(points(ring["place_b"], ring["place_a"], look, showlegend=False))
    figure.update_xaxes(zeroline=False, showgrid=False, range=[0.4, n + 0.6], showticklabels=False, automargin=False)
    figure.layout.margin.t = SCALE_HEIGHT
    labels = _bold_names([names[i] for i in range(1, n + 1) if i in names], picked)
    return make_square(show_row_names(figure, range(1, len(labels) + 1), labels, showgrid=False, range=[n + 0.6, 0.4]), n)


# ---- groups of two selectors ----


def table_groups_compared(frame, first, second):
    """DataFrame of stabcore.analysis.whatif.within_between_beside as text, with a star for clear differences."""
    short = short_names([first, second])
    table = pd.DataFrame({"Group": frame["group"], "Features": frame["features"]})
    for part, words in (
        ("stability", "Stability inside"),
        ("variance", "Members vary"),
        ("effective_variance", "Variance of the group"),
        ("substitution", "Only substitution"),
    ):
        for side, name in (("first", first), ("second", second)):
            values = frame[f"{part}_{side}"]
            table[f"{words}, {short[name]}"] = ["none" if np.isnan(value) else rounded(value) for value in values]
    differences = [
        "none" if np.isnan(value) else f"{format_estimate(value, low, high)}{' *' * (p < LEVEL)}"
        for value, low, high, p in frame[["difference", "low", "high", "p_holm"]].itertuples(index=False)
    ]
    table.insert(4, "Difference inside", differences)
    return table


def describe_groups_compared(frame, first, second) -> str:
    """Describe the groups in which one selector is clearly more stable than the other."""
    clear, sentences = frame[frame["p_holm"] < LEVEL], []
    for selector, other, sign in ((first, second, 1), (second, first, -1)):
        rows = clear[sign * clear["difference"] > 0]
        if len(rows):
            by = rounded(rows["difference"].abs().max())
            where = join_tied(["the features in no group" if group == NO_GROUP else group for group in rows["group"]])
            sentences.append(f"{selector} is clearly more stable than {other} within {where}, by up to {by}.")
    return " ".join(sentences) or f"{first} and {second} do not clearly differ within any group."


# ---- the interval of the stability ----


def half_width(estimate) -> float:
    """Return the half-width of the interval of an Estimate, NaN if it has none."""
    return float(estimate.high - estimate.low) / 2 if np.isfinite(estimate.low + estimate.high) else np.nan


def title_with_interval(what, half) -> str:
    """Return the title of an axis of changes."""
    return what if np.isnan(half) else f"{what}<br>(shaded: its interval, ± {half:.3f})"


def shade_interval(figure, half, centre=0.0, axis="x"):
    """Shade the interval around 0 or around the value. axis: that of the stability."""
    if np.isfinite(half):
        add = figure.add_vrect if axis == "x" else figure.add_hrect
        add(**{f"{axis}0": centre - half, f"{axis}1": centre + half}, fillcolor=INTERVAL_COLOUR, line_width=0, layer="below")


def change_colours(changes, half, colour, *, marks=False) -> list:
    """Return a colour for each change, dim within the interval. marks: whether they are marks or lines, not bars."""
    return [(GREY if marks else PALE_GREY) if abs(change) <= half else colour for change in changes]  # NaN is not within


def describe_within_interval(noun, largest, half) -> str:
    """A note that the largest change is zero or within the interval, "" if it is not or if the interval is unknown."""
    if largest < MIN_CHANGE:
        return f"No {noun} changes stability."
    if not largest <= half:
        return ""
    return f"No {noun} changes stability by more than {largest:.3f}. That is less than the half-width of its interval ({half:.3f})."
