"""Accuracy against stability beyond the noise floor: the Pareto front, who is equally accurate, and size as a third criterion."""

from __future__ import annotations

import numpy as np

from stabcore.analysis.compare_selectors import above
from stabcore.analysis.noise_floors import needed_difference, ties
from stabcore.analysis.pareto import BEATEN, CRITERIA, ON, within
from stabcore.base.text import be, join_tied, joined, rounded, several
from stabcore.measures.catalog import entry
from stabcore.plots.labels import label_box_at_right
from stabcore.plots.names import safe
from stabcore.plots.pareto_points import (
    NOT_MEASURED,
    STANDING_WORDS,
    add_points,
    by_criterion,
    describe_standing,
    floor_is_known,
    join_settings,
    place_points,
    selector_points,
    set_axis,
)
from stabcore.plots.style import GREY, POINT_COLOUR, POINT_PALE, REST, blank, plot_height
from stabcore.plots.values import format_estimate
from stabcore.selectors.baseline import is_baseline, rivals

GUESSING = "No selector predicts better than always naming the larger class."
NONE_CLEAR = "No selector is clearly more stable than with the outcome shuffled."
BEYOND_TITLE, MEASURED_TITLE = "Stability beyond the noise floor<br>(0: outcome shuffled)", "{}<br>(noise floor not measured)"
LARGER_CLASS = "always the larger class: {:.2f}"
# pixels: the strip of bars above and at the right, from bar to bar, of a bar
BARS_HEIGHT, BARS_WIDTH, BAR_STEP, BAR_WIDTH = 26, 34, 8, 5
SCORE_NAMES = {"accuracy": "accuracy", "balanced_accuracy": "balanced accuracy", "auc": "the area under the ROC curve"}
PERCENT = ("accuracy", "balanced_accuracy")
SIZE_TITLE = "Mean number of selected features<br>(fewer is better)"


# ---- the front ----


def frame_fronts(table, key, accuracy="accuracy", pairs=None, shares=None, guessing=None):
    """The points of a result table, one row a selector, and what is clear of them.

    DataFrame(selector, measure, stability, stability_low, stability_high, measured, floor, clear, accuracy, accuracy_low,
    accuracy_high, size, beaten_by, on_front, standing, stability_ties, accuracy_ties, stability_behind, accuracy_behind,
    difference_needed, better, share).

    table: as noise_floors.beyond_floor gives it; stability is what lies beyond the noise floor, or as measured where that is
    not known (floor is missing then, and standing makes no verdict). pairs: {measure or score: DataFrame of its differences between
    every two selectors, see compare_selectors}. beaten_by, on_front: by the numbers; standing says what is clear. _ties: numbers
    of the runs of selectors that are not distinguishable (see noise_floors.ties); _behind: is another clearly better in this?
    difference_needed: the difference in accuracy that would be seen; better: does it predict better than always naming the larger
    class, of `guessing`, as result.beats_guessing gives it; share: of random halves of the runs with it on the front, of a Series
    as analysis.pareto.front_shares gives it.
    """
    import pandas as pd

    differences = by_criterion(pairs, key, accuracy)
    frame = place_points(selector_points(table, key, accuracy), differences)
    compete = rivals(frame)
    if not floor_is_known(frame):
        differences = {**differences, "stability": None}
    for criterion in CRITERIA:
        clear = above(differences[criterion], compete["selector"])
        numbers = pd.Series("", index=compete.index)
        for number, rows in enumerate(ties(compete[criterion], clear) if differences[criterion] is not None else (), start=1):
            numbers.iloc[list(rows)] += f" {number}"
        frame[f"{criterion}_ties"] = numbers.str.strip().reindex(frame.index).fillna("")
        frame[f"{criterion}_behind"] = pd.Series(clear.any(axis=0), index=compete.index).reindex(frame.index).eq(True)
    better = {} if guessing is None else guessing["better"].to_dict()
    shares = {} if shares is None else shares.to_dict()
    needed = needed_difference(differences["accuracy"], compete["selector"])
    return frame.assign(
        difference_needed=needed, better=frame["selector"].map(better), share=frame["selector"].map(shares).astype(float)
    )


def finding_fronts(frame, score="accuracy") -> str:
    """Whether anything predicts better than guessing, and which selectors accuracy and stability set apart.

    score: which one accuracy is, for two scores of the same runs need not agree.
    """
    placed = rivals(frame)
    placed = placed[placed["beaten_by"].notna()]
    if placed.empty:
        return "No selector has both an accuracy and a stability yet."
    if no_better_than_guessing(placed):
        return GUESSING
    if not floor_is_known(frame):
        return NOT_MEASURED
    if len(placed) == 1:
        return f"{placed['selector'].iloc[0]} is the only selector with an accuracy and a stability."
    if not placed["clear"].any():
        return NONE_CLEAR
    return " ".join([_describe_leaders(placed, SCORE_NAMES[score]), *_describe_dominated(placed)])


def no_better_than_guessing(frame) -> bool:
    """Whether no selector predicts better than always naming the larger class, as far as that is known."""
    better = rivals(frame)["better"].dropna()
    return bool(len(better)) and not better.any()


def _describe_leaders(placed, accuracy):
    """Who leads in what separates the selectors; accuracy: what the score is called."""
    every = f"these {len(placed)} selectors"
    apart = {criterion: placed[f"{criterion}_behind"].any() for criterion in CRITERIA}
    stable = placed[~placed["stability_behind"] & placed["clear"]]
    accurate = placed[~placed["accuracy_behind"]]["selector"].tolist()
    if not any(apart.values()):
        return f"Neither {accuracy} nor stability beyond the noise floor separates {every}."
    if not apart["stability"]:
        return f"{_join_most(accurate)} the most accurate. Stability beyond the noise floor does not separate {every}."
    if not apart["accuracy"]:
        return f"{accuracy[0].upper()}{accuracy[1:]} does not separate {every}. {_describe_most_stable(stable)}"
    on = placed[(placed["standing"] == ON) & placed["clear"]]["selector"].tolist()
    if not on:
        return f"{_join_most(accurate)} the most accurate. {_describe_most_stable(stable)}"
    return f"{joined(on)} {be(len(on))} on the Pareto front of accuracy and stability."


def _join_most(names):
    return f"{join_tied(names)} {be(len(names))}"


def _describe_most_stable(stable):
    """The most stable selectors, best first; one alone with its number."""
    stable = stable.sort_values("stability", ascending=False, kind="stable")
    names = stable["selector"].tolist()
    if not names:
        return "None of the most stable selectors is clear of its noise floor."
    if len(names) > 1:
        return f"{_join_most(names)} the most stable beyond their noise floors."
    row = stable.iloc[0]
    return (
        f"{names[0]} is the most stable beyond its noise floor ({rounded(row['stability'])}, 95% CI "
        f"{rounded(row['stability_low'])} to {rounded(row['stability_high'])})."
    )


def _describe_dominated(placed):
    beaten = placed[placed["standing"] == BEATEN]["selector"].tolist()
    return [f"{join_tied(beaten, 5)} {be(len(beaten))} dominated."] if beaten else []


def stability_title(frame) -> str:
    """The title of the axis of stability."""
    key = frame["measure"].iloc[0] if len(frame) else "nogueira"
    return BEYOND_TITLE if floor_is_known(frame) else MEASURED_TITLE.format(entry(key).label)


def draw_fronts(frame, score="accuracy", label="Accuracy", *, chosen=(), guessed=np.nan, families=None):
    """A point for each selector; pale steps join the front as measured.

    Bars above: selectors whose stability is not distinguishable; at the right the same for accuracy, and the difference that would
    be seen as a thin line. score: which one accuracy is; label: what it is called. chosen: with a ring. guessed: the score of
    always naming the larger class, a line, or an arrow where that lies far below. families: as `settings_of_one` gives them, joined
    by a line each. The customdata of a point is the row of its selector in the frame.
    """
    placed = frame[frame["standing"] != ""]
    figure = blank(x=stability_title(frame), y=f"{label} on held-out rows", height=460)
    figure.update_layout(showlegend=False)
    edge = placed[placed["on_front"]].sort_values("stability")
    figure.add_scatter(
        x=edge["stability"],
        y=edge["accuracy"],
        mode="lines",
        name="front",
        hoverinfo="skip",
        line={"color": POINT_PALE, "width": 4, "shape": "vh"},
    )
    up, always, named = _place_larger_class(_widened(axis_range(placed, "accuracy"), placed["accuracy"]), guessed)
    across = _widened(axis_range(placed, "stability"), [0.0]) if floor_is_known(frame) else axis_range(placed, "stability")
    join_settings(figure, placed, "stability", "accuracy", families or {})
    tall = plot_height(figure) - BARS_HEIGHT
    add_points(
        figure,
        placed,
        "stability",
        "accuracy",
        frame["selector"].unique(),
        chosen=chosen,
        reach=(across, up),
        free=label_box_at_right(named, always, up, tall) if named else (),
    )
    set_axis(figure, "xaxis", across)
    set_axis(figure, "yaxis", up, percent=score in PERCENT)
    _add_lines(figure, floor_is_known(frame), guessed if always == guessed else np.nan)
    if named:
        figure.add_annotation(
            text=named,
            x=1,
            xref="x domain",
            y=always,
            xanchor="right",
            yanchor="bottom",
            showarrow=False,
            font={"size": 11, "color": "grey"},
        )
    if up is not None:
        _add_ties(figure, placed, up)
    return figure


def _add_lines(figure, floor, guessed):
    """The zero line, which is the noise floor, and the larger class."""
    if floor:
        figure.add_vline(x=0, line={"color": GREY, "width": 2}, layer="below")
    if np.isfinite(guessed):
        figure.add_hline(y=guessed, line={"color": GREY, "width": 2}, layer="below")


def _add_ties(figure, placed, up):
    """Bars of what is not distinguishable, above the plot and at its right, where the difference that is needed stands too."""
    tall = plot_height(figure)
    figure.layout.yaxis.domain = (0, 1 - BARS_HEIGHT / tall)
    figure.layout.margin.r = BARS_WIDTH
    bars = {criterion: _tie_spans(placed, criterion) for criterion in CRITERIA}
    for level, low, high in bars["stability"]:
        height = 1 - (2 + BAR_STEP * level) / tall
        _add_line(figure, "not distinguishable in stability", BAR_WIDTH, GREY, x0=low, x1=high, y0=height, y1=height, yref="paper")
    for level, low, high in bars["accuracy"]:
        _add_line_beside(figure, "not distinguishable in accuracy", 10 + BAR_STEP * level, low, high, BAR_WIDTH, GREY)
    needed, lowest = (placed["difference_needed"].iloc[0], rivals(placed)["accuracy"].min()) if len(placed) else (np.nan, np.nan)
    if np.isfinite(needed) and bars["accuracy"]:
        _add_line_beside(figure, "difference needed", BARS_WIDTH - 4, max(lowest - needed, up[0]), lowest, 2, GREY)


def _add_line_beside(figure, name, right, low, high, width, colour):
    """An upright line in the margin, so many pixels right of the plot."""
    _add_line(figure, name, width, colour, x0=right, x1=right, xref="paper", xsizemode="pixel", xanchor=1, y0=low, y1=high)


def _add_line(figure, name, width, colour, **ends):
    figure.add_shape(type="line", line={"color": colour, "width": width}, name=name, **ends)


def _tie_spans(placed, criterion):
    """[(level, low, high)] of each run of selectors that are not distinguishable; runs that overlap lie on different levels."""
    numbers = sorted({int(number) for numbers_of in placed[f"{criterion}_ties"] for number in numbers_of.split()})
    ends: list[float] = []
    spans = []
    for number in numbers:
        values = placed[criterion][[str(number) in numbers_of.split() for numbers_of in placed[f"{criterion}_ties"]]]
        low, high = float(values.min()), float(values.max())
        level = next((i for i, end in enumerate(ends) if low > end), len(ends))
        ends[level : level + 1] = [high]
        spans.append((min(level, 2), low, high))
    return spans


def axis_range(frame, name):
    """[low, high] of one axis: all intervals that are drawn, with some room."""
    columns = [name, f"{name}_low", f"{name}_high"] if name == "stability" else [name]
    ends = frame[columns].to_numpy(dtype=float).ravel()
    ends = ends[np.isfinite(ends)]
    return [ends.min() - 0.08 * np.ptp(ends) - 0.01, ends.max() + 0.08 * np.ptp(ends) + 0.01] if len(ends) else None


def _widened(ends, values):
    """Ends of an axis that reach some values, too."""
    finite = np.asarray(values, dtype=float)
    finite = finite[np.isfinite(finite)]
    return ends if ends is None or not len(finite) else [min(ends[0], finite.min() - 0.01), max(ends[1], finite.max() + 0.01)]


def _place_larger_class(ends, guessed):
    """([low, high] of the axis of accuracy, where on it the larger class is named, its name).

    It is named beside its line; or, where that lies so far below that it would take more than half of the picture from the points,
    at the lower edge with an arrow.
    """
    if ends is None or not np.isfinite(guessed):
        return ends, np.nan, ""
    wider = _widened(ends, [guessed])
    if ends[0] - wider[0] > ends[1] - ends[0]:
        return ends, ends[0], f"{LARGER_CLASS.format(guessed)} ↓"
    return wider, guessed, LARGER_CLASS.format(guessed)


def table_chosen(table, keys, frame, selectors):
    """DataFrame of some selectors side by side as people read it: stabilities, accuracies, size, how many dominate each."""
    import pandas as pd

    rows = table.loc[[name for name in selectors if name in table.index]]
    chosen = pd.DataFrame({"selector": rows.index})
    for key in [*keys, "accuracy", "balanced_accuracy", "auc"]:
        if key in rows and (key in keys or rows[key].notna().any()):
            label = entry(key).label if key in keys else key
            chosen[label] = [format_estimate(*row) for row in rows[[key, f"{key}_low", f"{key}_high"]].itertuples(index=False)]
    chosen["mean_size"] = rows["mean_size"].round(1).to_numpy()
    placed_ = frame.set_index("selector").reindex(rows.index)
    return chosen.assign(
        beyond_floor=placed_["stability"].where(placed_["floor"].notna()).to_numpy(), beaten_by=placed_["beaten_by"].to_numpy()
    )


# ---- equally accurate ----


def table_equal_accuracy(groups, predictions, table, key, stabilities=None):
    """DataFrame(group, selector, accuracy, stability, floor, most_stable, reach, detectable): selectors of one accuracy.

    groups, predictions: as `indistinguishable` gives them; table: with each stability beyond its noise floor, where that was
    measured, as analysis.noise_floors.beyond_floor gives it; stabilities: the differences of every two selectors by the measure
    `key`, see compare_selectors. most_stable: none of the group is clearly more stable. reach: how large a difference the intervals
    of the group leave possible; detectable: from where on each two of them would have differed in 8 of 10 such studies. A baseline
    can be as accurate as others, but is not compared in stability.
    """
    import pandas as pd

    rows = []
    for number, group in enumerate(groups, start=1):
        members = table.reindex(list(group))
        no_rival = members[key].isna().to_numpy() | members.index.map(is_baseline).to_numpy(dtype=bool)
        beaten = above(stabilities, list(group)).any(axis=0) | no_rival
        inside = predictions[predictions["first"].isin(group) & predictions["second"].isin(group)]
        reach = inside[["low", "high"]].abs().max().max()
        rows += [
            [number, label, row["accuracy"], row[key], row[f"{key}_floor"], not below, reach, inside["detectable"].max()]
            for (label, row), below in zip(members.iterrows(), beaten, strict=True)
        ]
    return pd.DataFrame(rows, columns=["group", "selector", "accuracy", "stability", "floor", "most_stable", "reach", "detectable"])


def describe_equal_accuracy(members) -> str:
    """One group of table_equal_accuracy in one sentence: who is equally accurate as far as can be seen, and who is stable."""
    names, best, first = members["selector"].tolist(), members[members["most_stable"]], members.iloc[0]
    if len(names) == 1:
        return f"The accuracy of {names[0]} differs from that of every other selector that predicted the same rows."
    seen = (
        f"only from about {rounded(first['detectable'])} on would a difference be seen in 8 of 10 such studies"
        if first["detectable"] < 1
        else "on so few patients no difference would be seen, however large"
    )
    reach = rounded(first["reach"])
    alike = f"The accuracies of {joined(names)} cannot be told apart: they may differ by up to {reach}, and {seen}"
    beyond = " beyond its noise floor" if members["floor"].notna().any() else ""
    rivals = sum(not is_baseline(name) for name in names)
    if rivals < 2:
        return f"{alike}."
    if best.empty:
        return f"{alike}. None of them has a stability that is defined."
    if len(best) == 1:
        return f"{alike}. The most stable of them{beyond} is {best['selector'].iloc[0]} ({rounded(best['stability'].iloc[0])})."
    than = "another" if len(best) == rivals else joined(best["selector"].tolist(), "or")
    return f"{alike}. None of them is clearly more stable{beyond} than {than}."


# ---- with the number of features ----


def frame_space(table, key, accuracy="accuracy", pairs=None):
    """DataFrame: the points with beaten_by, on_front and standing by accuracy, where there is any, stability and fewer features.

    pairs: as in frame_fronts, "size" among them.
    """
    frame = selector_points(table, key, accuracy)
    criteria = ("accuracy", "stability", "size") if frame["accuracy"].notna().any() else ("stability", "size")
    return place_points(frame, by_criterion(pairs, key, accuracy), criteria, ["size"])


def finding_space(frame) -> str:
    """Who is on the front of all criteria beyond what may be chance, in one sentence."""
    if frame["beaten_by"].isna().all():
        return "No selector has all of the criteria yet."
    words = "more accurate, more stable and smaller" if frame["accuracy"].notna().any() else "more stable and smaller"
    return describe_standing(frame, f"at once {words}")


def draw_space(frame, axes=("size", "stability"), chosen=(), families=None):
    """A projection on two criteria, or all three in space. Points as in draw_fronts. customdata: rows of the frame.

    families: as `settings_of_one` gives them, joined by a line each in the plane.
    """
    placed = frame[frame["standing"] != ""]
    if len(axes) == 3:
        return _draw_in_space(placed, axes)
    x, y = axes
    figure = blank(x=_axis_title(frame, x), y=_axis_title(frame, y), height=420)
    join_settings(figure, placed, x, y, families or {})
    add_points(figure, placed, x, y, frame["selector"].unique(), chosen=chosen)
    return figure


def _axis_title(frame, axis):
    return {"size": SIZE_TITLE, "stability": stability_title(frame), "accuracy": "Accuracy on held-out rows"}[axis]


def _draw_in_space(placed, axes):
    figure = blank(height=560)
    for row in placed.to_dict("records"):
        name = safe(row["selector"])
        figure.add_scatter3d(
            x=[row[axes[0]]],
            y=[row[axes[1]]],
            z=[row[axes[2]]],
            mode="markers+text",
            name=name,
            text=[name],
            hoverinfo="text",
            showlegend=False,
            textfont={"color": GREY},
            marker={
                "color": POINT_COLOUR if row["on_front"] else GREY,
                "size": 7,
                "symbol": "circle" if row["on_front"] else "circle-open",
            },
            hovertext=[
                f"{name}<br>"
                + "<br>".join(f"{axis} {rounded(row[axis])}" for axis in axes)
                + f"<br>{STANDING_WORDS[row['standing']]}"
            ],
        )
    figure.update_layout(
        scene={
            f"{letter}axis": {  # it is no part of the page, and no style sheet turns it dark
                "title": {"text": _axis_title(placed, axis).split("<br>")[0]},
                "color": GREY,
                "gridcolor": REST,
                "zerolinecolor": REST,
            }
            for letter, axis in zip("xyz", axes, strict=True)
        }
    )
    return figure


def frame_sizes(table, key, accuracy="accuracy", margin=0.05, pairs=None):
    """DataFrame: the points measured within `margin` of the best accuracy; without any accuracy, all points.

    beaten_by, on_front and standing are by stability and fewer features. pairs: as in frame_space.
    """
    frame = selector_points(table, key, accuracy)
    if rivals(frame)["accuracy"].notna().any():  # a baseline sets no standard, but is drawn where it meets it
        least = within(rivals(frame), "accuracy", margin)["accuracy"].min()
        frame = frame[frame["accuracy"] >= least]
    return place_points(frame, by_criterion(pairs, key, accuracy), ("stability", "size"), ["size"])


def finding_sizes(frame, margin, total) -> str:
    """Who is small and stable among those that are accurate enough, in one sentence."""
    if frame["beaten_by"].isna().all():
        return "No selector has all of the criteria yet."
    accurate = f"{len(rivals(frame))} of " if frame["accuracy"].notna().any() else ""
    within = f" measured within {margin:g} of the best accuracy" if accurate else ""
    return describe_standing(frame, "both smaller and more stable", f"Of {accurate}{several(total, 'selector')}{within}, ")


def draw_sizes(frame, chosen=(), families=None):
    """Number of features against stability with the front. customdata: rows of the frame.

    families: as `settings_of_one` gives them, joined by a line each.
    """
    figure = blank(x=SIZE_TITLE, y=stability_title(frame), height=420)
    figure.update_layout(showlegend=False)
    edge = frame[frame["on_front"]].sort_values("size")
    figure.add_scatter(
        x=edge["size"],
        y=edge["stability"],
        mode="lines",
        name="front",
        hoverinfo="skip",
        line={"color": POINT_PALE, "width": 4, "shape": "hv"},
    )
    placed = frame[frame["standing"] != ""]
    join_settings(figure, placed, "size", "stability", families or {})
    add_points(figure, placed, "size", "stability", frame["selector"].unique(), chosen=chosen)
    return figure
