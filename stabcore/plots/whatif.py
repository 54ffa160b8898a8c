"""What if: groups were off, two features stood for each other, or a feature, a run or an outer fold had not been there."""

from __future__ import annotations

import numpy as np

from stabcore.analysis.compare_selectors import LEVEL
from stabcore.analysis.whatif import groups, without_blocks, without_features, without_runs
from stabcore.base.text import all_of, join_tied, plural, rounded, several
from stabcore.plots.names import name_rows, safe, short_names, shorten_apart
from stabcore.plots.noise_floor import draw_floor
from stabcore.plots.style import GREY, PALETTE, REST, SCALE_HEIGHT, blank, square
from stabcore.plots.values import format_estimate, highest

MOST_BARS = 25
LEAST_CHANGE = 5e-4  # changes below are shown as 0.000
MOST_FEATURES, USUAL_FEATURES = 40, 20
MOST_PAIRS = 20_000  # pairs asked of influence(), enough that those of the features drawn are among them
# Transparent where nothing changes, on light ground as on dark
SCALE = [[0, "rgba(213,94,0,1)"], [0.5, "rgba(128,128,128,0.06)"], [1, "rgba(0,114,178,1)"]]
LISTED_PAIRS = 5
MOST_RANKED, PAIR_ROW = 20, 40  # pairs in the ranked list, and pixels of each
PAIR_LETTERS = 46  # letters that a telephone has room for
INTERVAL_COLOUR = "rgba(128,128,128,0.16)"


# ---- what each group does ----


def frame_group_effects(runs, similarity):
    """DataFrame(group, features, alone, effect_alone, without, effect_last, reason), the largest effect first."""
    frame = groups(runs, similarity)
    size = frame[["effect_alone", "effect_last"]].abs().max(axis=1)
    ordered = frame.iloc[np.argsort(-size.fillna(-1).to_numpy(), kind="stable")].reset_index(drop=True)
    ordered.attrs.update(frame.attrs)
    return ordered


def finding_group_effects(frame, half=np.nan) -> str:
    """The group that matters most in one sentence, or that none matters; half: of the interval of the stability."""
    defined = frame.dropna(subset=["effect_alone", "effect_last"])
    if defined.empty:
        return "The effect of the groups is undefined."
    size = defined[["effect_alone", "effect_last"]].abs().max(axis=1)
    if size.max() < LEAST_CHANGE:
        return "No group moves the stability, neither alone nor as the last of all groups."
    if nothing := describe_nothing_moves("group", size.max(), half):
        return nothing
    first = highest(defined["group"], size, decimals=3)
    if len(first) > 1:
        return f"{_describe_level(first, defined, 'group', 'matter')}: each moves stability by up to {size.max():.3f}."
    strongest = defined.loc[size.idxmax()]
    return (
        f"{first[0]} matters most: switched on alone it {_describe_move(strongest['effect_alone'])}, and as the last of all "
        f"groups it "
        f"{_describe_move(strongest['effect_last'])}."
    )


def draw_group_effects(frame, half=np.nan):
    """Two bars a group: what it adds alone, and what it adds when all others are on; dim where that is within the interval.

    half: of the interval of the stability, shaded around nothing.
    """
    shown = frame.head(MOST_BARS).iloc[::-1]
    positions = np.arange(len(shown))
    figure = blank(x=title_with_interval("Change of stability", half), height=130 + 34 * max(3, len(shown)))
    shade_interval(figure, half)
    kinds = (("effect_last", "as the last one, beside all others", PALETTE[1], "/"), ("effect_alone", "alone", PALETTE[0], ""))
    for column, name, colour, pattern in kinds:
        figure.add_bar(
            x=shown[column],
            y=positions,
            orientation="h",
            name=name,
            customdata=shown.index,
            marker={"color": change_colours(shown[column], half, colour), "pattern": {"shape": pattern}},
            unselected={"marker": {"opacity": 1}},
            showlegend=False,
            offsetgroup=column,
            text=[f"{safe(group)}, {name}: {change:+z.4f}" for group, change in shown[["group", column]].itertuples(index=False)],
            textposition="none",
            hovertemplate="%{text}<extra></extra>",
        )
    # bars of less than a pixel cannot be hit: marks that nobody sees lie where they begin
    figure.add_scatter(
        x=[0.0] * len(shown),
        y=positions,
        mode="markers",
        customdata=shown.index,
        showlegend=False,
        marker={"symbol": "square", "size": 24, "opacity": 0},
        unselected={"marker": {"opacity": 0}},
        selected={"marker": {"opacity": 0}},
        hoverinfo="text",
        hovertext=[
            f"{safe(row.group)}: alone {row.effect_alone:+z.4f}, as the last {row.effect_last:+z.4f}" for row in shown.itertuples()
        ],
    )
    for column, name, colour, pattern in kinds:  # bars that are dim would stand in the legend as they are
        figure.add_bar(x=[None], y=[None], name=name, legendgroup=column, marker={"color": colour, "pattern": {"shape": pattern}})
    figure.add_vline(x=0, line={"width": 1, "color": "grey"})
    figure.update_layout(barmode="group", bargap=0.25, legend_traceorder="reversed")
    changes = np.append(shown[["effect_alone", "effect_last"]].to_numpy(dtype=float), [0.0, -half, half])
    low, high = 1.05 * np.nanmin(changes), 1.05 * np.nanmax(changes)  # told, as the marks would want more room
    if high > low:
        figure.update_xaxes(range=[low, high])
    name_rows(figure, positions, shorten_apart(shown["group"]), range=[-0.5, max(len(shown), 1) - 0.5])
    return figure


def describe_substitution(frame) -> str:
    """What of the disagreement is only one member in place of another, beyond what random sets do, of a within_between."""
    every = frame.iloc[-1]
    varies = f"Of {rounded(every['variance'])} that single features vary"
    swapped = f"{rounded(every['swaps'])} is one member in place of another"
    random = f"random sets of features that come as often would have {rounded(every['by_random_sets'])}"
    if every["beyond_low"] > 0:
        return (
            f"{varies}, {swapped}; {random}, so that {rounded(every['beyond'])} [{rounded(every['beyond_low'])}, "
            f"{rounded(every['beyond_high'])}] is swapping."
        )
    if every["beyond_high"] < 0:
        return f"Members come and go together: {varies[0].lower()}{varies[1:]}, {swapped}, and {random}."
    return f"It cannot be seen that members take each other's place: {varies[0].lower()}{varies[1:]}, {swapped}, and {random}."


# ---- without a feature, a run, an outer fold ----


def frame_left_out_features(runs, similarity):
    """DataFrame(feature, frequency, value, change, reason): Φ_C if a feature had not been there, the largest change first."""
    return without_features(runs, similarity)


def finding_left_out_features(frame, half=np.nan) -> str:
    """The feature whose absence changes most in one sentence, or that none matters; half: of the interval of the stability."""
    return _describe_strongest(frame.assign(name=frame["feature"]), "feature", half)


def draw_left_out_features(frame, picked=(), half=np.nan):
    """A bar a feature, rising to the right of 0, dim within the interval; customdata is its row; highlighted features in bold."""
    shown = frame.dropna(subset="change").head(MOST_BARS).iloc[::-1]
    positions = np.arange(len(shown))
    figure = blank(x=title_with_interval("Change of stability", half), height=130 + 22 * max(4, len(shown)))
    shade_interval(figure, half)
    marked = [
        f"<b>{called}</b>" if name in set(picked) else called
        for name, called in zip(shown["feature"], shorten_apart(shown["feature"]), strict=True)
    ]
    kinds = ((shown["change"] >= 0, "rises", PALETTE[0], ""), (shown["change"] < 0, "falls", PALETTE[5], "/"))
    for which, name, colour, pattern in kinds:
        part = shown[which]
        figure.add_bar(
            x=part["change"],
            y=positions[which],
            orientation="h",
            name=f"stability {name} without it",
            customdata=part.index,
            marker={"color": change_colours(part["change"], half, colour), "pattern": {"shape": pattern}},
            unselected={"marker": {"opacity": 1}},
            textposition="none",
            text=[
                f"{safe(row.feature)}: to {row.value:z.4f} ({row.change:+z.4f})<br>selected in {row.frequency:.0%} of the runs"
                for row in part.itertuples(index=False)
            ],
            hovertemplate="%{text}<extra></extra>",
        )
    figure.add_vline(x=0, line={"width": 1, "color": "grey"})
    name_rows(figure, positions, marked)
    return figure


def frame_left_out_runs(runs, similarity, numbers=None, folds=None):
    """DataFrame(part, value, change, reason): effective stability without each run in turn, or without each outer fold.

    numbers: (M,) what the runs are called; folds: (M,) the outer fold of each, when these are left out whole.
    """
    if folds is not None:
        return without_blocks(runs, folds, "effective", similarity=similarity).rename(columns={"block": "part"})
    frame = without_runs(runs, "effective", similarity=similarity).rename(columns={"run": "part"})
    return frame if numbers is None else frame.assign(part=numbers)


def finding_left_out_runs(frame, noun, half=np.nan) -> str:
    """Which run or outer fold moves the stability most in one sentence, or that none matters; half: of its interval."""
    return _describe_strongest(frame.assign(name=[f"{noun} {part}" for part in frame["part"]]), noun, half)


def draw_left_out_runs(frame, noun, floor=None, half=np.nan):
    """A point a run or outer fold: the stability without it, beside that with all, dim within its interval, which is shaded.

    floor: a frame_floor of this selector; half: of the interval.
    """
    defined = frame.dropna(subset="change")
    figure = blank(x=f"Left out: {noun}", y="Stability without it", height=320)
    figure.add_scatter(
        x=defined["part"],
        y=defined["value"],
        mode="markers",
        showlegend=False,
        marker={"color": change_colours(defined["change"], half, PALETTE[0], marks=True), "size": 8},
        text=[f"{change:+z.4f}" for change in defined["change"]],
        hovertemplate=f"without {noun} " + "%{x}: %{y:.4f} (%{text})<extra></extra>",
    )
    if len(defined):
        every = float((defined["value"] - defined["change"]).iloc[0])
        shade_interval(figure, half, every, "y")
        figure.add_hline(y=every, line={"dash": "dot", "color": "grey"}, name=f"with all: {every:z.3f}", showlegend=True)
    if floor is not None:
        draw_floor(floor, figure)
    if len(defined) <= 12:
        figure.update_xaxes(tickvals=list(defined["part"]))
    return figure


def _describe_strongest(frame, noun, half):
    """Which name changes most when it is left out, in one sentence; those that change as much are level."""
    defined = frame.dropna(subset="change")
    if defined.empty:
        return f"What a single {noun} does to the stability is undefined."
    size = defined["change"].abs()
    if size.max() < LEAST_CHANGE:
        return f"No single {noun} moves the stability."
    if nothing := describe_nothing_moves(f"single {noun}", size.max(), half):
        return nothing
    first = highest(defined["name"], size, decimals=3)
    if len(first) > 1:
        who = _describe_level(first, defined, noun, "move the stability")
        return f"{who}: by {size.max():.3f} each, when it alone is left out."
    strongest = defined.loc[size.idxmax()]
    return (
        f"Without {first[0]}, stability {_describe_would(strongest['change'])} to {rounded(strongest['value'])}; no other "
        f"{noun} moves "
        "it more."
    )


def _describe_level(first, defined, noun, verb):
    """A and b matter most, or All 3 groups matter equally."""
    every = len(first) == len(defined)
    who = all_of(len(first), noun).capitalize() if every else join_tied(first)
    return f"{who} {verb} {'equally' if every else 'most'}"


def _describe_move(change):
    if abs(change) < LEAST_CHANGE:
        return "changes nothing"
    return f"{'raises' if change > 0 else 'lowers'} stability by {abs(change):.3f}"


def _describe_would(change):
    return f"would {'rise' if change > 0 else 'fall'} by {abs(change):.3f}"


# ---- two features that stand for each other ----


def frame_influence(pairs, most=USUAL_FEATURES):
    """DataFrame(feature_a, feature_b, place_a, place_b, derivative, change, value, together) among the most influential features.

    pairs: as sc.whatif.influence gives; most: how many features. These come in the order in which the most influential
    pairs name them; a pair that is not there was smaller than all pairs asked for.
    """
    import pandas as pd

    defined = pairs.dropna(subset="derivative")
    named = defined[["feature_a", "feature_b"]].to_numpy().ravel()
    place = {name: i for i, name in enumerate(list(pd.unique(named))[:most], 1)}
    cells = defined[defined["feature_a"].isin(place) & defined["feature_b"].isin(place)].reset_index(drop=True)
    a, b = (cells[column].map(place).to_numpy(dtype=int) for column in ("feature_a", "feature_b"))
    swap = a < b  # below the diagonal: the later place is the row
    cells = cells.assign(place_a=np.maximum(a, b), place_b=np.minimum(a, b))
    cells.loc[swap, ["feature_a", "feature_b"]] = cells.loc[swap, ["feature_b", "feature_a"]].to_numpy()
    return cells[["feature_a", "feature_b", "place_a", "place_b", "derivative", "change", "value", "together"]]


def frame_ranked_pairs(pairs, value):
    """DataFrame(feature_a, feature_b, change, value, together, before, after, place): the pairs that matter most, the first on top.

    pairs: as stabcore.analysis.whatif.influence gives; value: the stability now, which each pair moves from `before` to `after`.
    """
    defined = pairs.dropna(subset="derivative").head(MOST_RANKED).reset_index(drop=True)
    columns = defined[["feature_a", "feature_b", "change", "value", "together"]]
    return columns.assign(before=value, after=value + columns["change"], place=range(len(columns)))


def draw_ranked_pairs(frame, half=np.nan, chosen=(), picked=()):
    """A row a pair under its whole names: the stability now (hollow) and if C of the pair were the other (full), joined by a line.

    half: of the interval of the stability, shaded; what moves it less is dim. customdata: the row of the frame; chosen: ringed.
    """
    names = [
        " – ".join(f"<b>{safe(name)}</b>" if name in set(picked) else safe(name) for name in pair)
        for pair in frame[["feature_a", "feature_b"]].to_numpy()
    ]
    long = max(map(len, names), default=0) > PAIR_LETTERS  # then each has two lines
    figure = blank(
        x=title_with_interval("Effective stability<br>now (hollow) and then (full)", half),
        height=120 + (PAIR_ROW + 14 * long) * max(len(frame), 2),
    )
    if len(frame):
        shade_interval(figure, half, frame["before"].iloc[0])
    looks = ((frame["change"] >= 0, PALETTE[0], "circle"), (frame["change"] < 0, PALETTE[5], "diamond"))
    for which, colour, symbol in looks:
        part = frame[which]
        shades = change_colours(part["change"], half, colour, marks=True)
        for row, shown in zip(part.itertuples(), shades, strict=True):
            figure.add_scatter(
                x=[row.before, row.after],
                y=[row.place] * 2,
                mode="lines",
                hoverinfo="skip",
                showlegend=False,
                line={"color": shown, "width": 3},
            )
        always = {"marker": {"opacity": 1}}
        for column, shape in (("before", f"{symbol}-open"), ("after", symbol)):
            figure.add_scatter(
                x=part[column],
                y=part["place"],
                mode="markers",
                showlegend=False,
                customdata=part["place"],
                selected=always,
                unselected=always,
                marker={
                    "color": shades,
                    "symbol": shape,
                    "line": {"width": 0},
                    "opacity": 1,
                    "size": [17 if {a, b} == set(chosen) else 11 for a, b in zip(part["feature_a"], part["feature_b"])],
                },
                text=_hover(part),
                hovertemplate="%{text}<extra></extra>",
            )
    for place, name in zip(frame["place"], names, strict=True):
        figure.add_annotation(
            x=0,
            xref="paper",
            xanchor="left",
            yanchor="bottom",
            y=place - 0.2,
            showarrow=False,
            align="left",
            text=name.replace(" – ", " –<br>") if len(name) > PAIR_LETTERS else name,
            font={"size": 12},
            borderpad=0,
        )
    figure.update_yaxes(range=[max(len(frame), 1) - 0.5, -0.9], showticklabels=False, showgrid=False, zeroline=False)
    return figure


def _hover(frame):
    return [
        f"{safe(a)}<br>{safe(b)}<br>{change:+z.4f}; C = {value:.2f}; both in {several(together, 'run')}"
        for a, b, change, value, together in frame[["feature_a", "feature_b", "change", "value", "together"]].itertuples(
            index=False
        )
    ]


def describe_pair(pair) -> str:
    """A row of influence() in words."""
    change = pair["change"]
    condition = "stood for each other" if pair["value"] < 1 else "no longer stood for each other"
    if np.isnan(change):
        return f"What {pair['feature_a']} and {pair['feature_b']} do to the stability is undefined."
    moves = f"{'rise' if change > 0 else 'fall'} by about {abs(change):.3f}" if abs(change) >= 5e-4 else "hardly move"
    return f"If {pair['feature_a']} and {pair['feature_b']} {condition}, stability would {moves}."


def finding_influence(pairs, half=np.nan) -> str:
    """The pair that matters most in one sentence, or that none does; half: of the interval of the stability."""
    defined = pairs.dropna(subset="derivative")
    if defined.empty:
        return "No pair of features has an influence that is defined."
    return describe_nothing_moves("pair", defined["change"].abs().max(), half) or describe_pair(defined.iloc[0])


def draw_influence(frame, chosen=(), picked=()):
    """A cell a pair, blue where the stability would rise; customdata is its row; chosen: ringed; picked: names in bold."""
    names = dict(zip(frame["place_a"], frame["feature_a"])) | dict(zip(frame["place_b"], frame["feature_b"]))
    n, most = max(names, default=1), float(frame["change"].abs().max()) if len(frame) else 1.0
    row, column = frame["place_a"].to_numpy(), frame["place_b"].to_numpy()
    cells = np.full((n, n), np.nan, dtype=np.float32)
    cells[row - 1, column - 1] = frame["change"]
    figure = blank(height=max(340, min(760, 15 * n + 170)))
    figure.add_heatmap(
        z=cells,
        x0=1,
        dx=1,
        y0=1,
        dy=1,
        zmin=-(most or 1),
        zmax=most or 1,
        colorscale=SCALE,
        xgap=1,
        ygap=1,
        hoverinfo="skip",
        colorbar={
            "thickness": 10,
            "orientation": "h",
            "y": 1,
            "yanchor": "bottom",
            "len": 0.9,
            "tickvals": [-(most or 1), 0, most or 1],
            "tickangle": 0,
            "ticktext": [f"−{most:.3f}", "0", f"+{most:.3f}"] if most >= 5e-4 else ["", "0", ""],
        },
    )
    # a heat map cannot be clicked: marks that nobody sees lie on its cells
    figure.add_scatter(
        x=column,
        y=row,
        mode="markers",
        customdata=frame.index.to_numpy(),
        showlegend=False,
        marker={"symbol": "square", "size": 9, "opacity": 0},
        unselected={"marker": {"opacity": 0}},
        selected={"marker": {"opacity": 0}},
        text=_hover(frame),
        hovertemplate="%{text}<extra></extra>",
    )
    ring = frame.iloc[[i for i, pair in enumerate(zip(frame["feature_a"], frame["feature_b"])) if set(pair) == set(chosen)]]
    figure.add_scatter(
        x=ring["place_b"],
        y=ring["place_a"],
        mode="markers",
        hoverinfo="skip",
        showlegend=False,
        marker={"symbol": "circle-open", "size": 15, "color": "#8A8A8A", "line": {"width": 3}},
    )
    picked, there = set(picked), [names[i] for i in range(1, n + 1) if i in names]
    labels = [f"<b>{called}</b>" if name in picked else called for name, called in zip(there, shorten_apart(there), strict=True)]
    figure.update_xaxes(zeroline=False, showgrid=False, range=[0.4, n + 0.6], showticklabels=False, automargin=False)
    figure.layout.margin.t = SCALE_HEIGHT
    return square(name_rows(figure, range(1, len(labels) + 1), labels, showgrid=False, range=[n + 0.6, 0.4]), n)


# ---- groups of two selectors ----


def table_groups_compared(frame, first, second):
    """DataFrame of stabcore.analysis.whatif.within_between_beside as people read it; a clear difference has a star."""
    import pandas as pd

    called = short_names([first, second])
    wide = pd.DataFrame({"Group": frame["group"], "Features": frame["features"]})
    for part, words in (
        ("stability", "Stability inside"),
        ("variance", "Members vary"),
        ("effective_variance", "The group varies"),
        ("swaps", "Only swaps"),
    ):
        for side, name in (("first", first), ("second", second)):
            wide[f"{words}, {called[name]}"] = [
                format_estimate(value, float("nan"), float("nan")) if value == value else "none"
                for value in frame[f"{part}_{side}"]
            ]
    wide.insert(
        4,
        "Difference inside",
        [_format_difference(*row) for row in frame[["difference", "low", "high", "p_holm"]].itertuples(index=False)],
    )
    return wide


def _format_difference(value, low, high, p):
    """A difference with its interval, starred where it is clear after asking about all groups at once."""
    return f"{format_estimate(value, low, high)}{' *' * (p < LEVEL)}" if value == value else "none"


def describe_groups_compared(frame, first, second) -> str:
    """Inside which groups the picks of one selector come back clearly more often than those of the other."""
    clear, parts = frame[frame["p_holm"] < LEVEL], []
    for selector, other, sign in ((first, second, 1), (second, first, -1)):
        rows = clear[sign * clear["difference"] > 0]
        if len(rows):
            by = f"by {'up to ' if len(rows) > 1 else ''}{rounded(rows['difference'].abs().max())}"
            parts.append(
                f"inside {plural(len(rows), 'group')} {join_tied(list(rows['group']))} the picks of {selector} "
                f"come back clearly more often than those of {other} ({by})"
            )
    if not parts:
        return f"Inside no group do {first} and {second} clearly differ."
    sentence = "; ".join(parts)
    return f"{sentence[0].upper()}{sentence[1:]}."


# ---- beside the interval of the stability ----


def half_width(estimate) -> float:
    """Half of the interval of an Estimate; NaN where it has none."""
    return float(estimate.high - estimate.low) / 2 if np.isfinite(estimate.low + estimate.high) else np.nan


def title_with_interval(what, half) -> str:
    """The title of an axis of changes."""
    return what if np.isnan(half) else f"{what}<br>(shaded: its interval, ± {half:.3f})"


def shade_interval(figure, half, centre=0.0, axis="x"):
    """The interval behind the changes, around nothing or around the value itself; axis: where the stability stands."""
    if np.isfinite(half):
        add = figure.add_vrect if axis == "x" else figure.add_hrect
        add(**{f"{axis}0": centre - half, f"{axis}1": centre + half}, fillcolor=INTERVAL_COLOUR, line_width=0, layer="below")


def change_colours(changes, half, usual, *, marks=False) -> list:
    """A colour for each change: dim where it is within the interval. marks: whether they are marks or lines, not bars."""
    within = GREY if marks else REST
    return [within if abs(change) <= half else usual for change in changes]  # of NaN nothing is within


def describe_nothing_moves(noun, largest, half) -> str:
    """That no change goes beyond the interval; "" where one does, or where the interval is not known.

    largest: the size of the largest change.
    """
    if not largest <= half:
        return ""
    return (
        f"Nothing here matters: no {noun} moves the stability by more than {largest:.3f}, and its interval alone reaches "
        f"± {half:.3f}."
    )
