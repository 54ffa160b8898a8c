"""Accuracy against stability beyond the noise floor: the Pareto front, equal accuracies, and size as a third criterion."""

import numpy as np
import pandas as pd

from stabcore.analysis.compare_selectors import LEVEL, clearly_above, needed_difference, p_above_baselines
from stabcore.analysis.noise_floors import tied_groups
from stabcore.analysis.pareto import CRITERIA, DOMINATED, near_best
from stabcore.base.text import counted, format_count_of, is_or_are, join_tied, joined, rounded
from stabcore.inference.predictions import CONCORDANCES
from stabcore.measures.catalog import entry
from stabcore.plots.estimates import format_estimate, format_range
from stabcore.plots.labels import label_box_at_right
from stabcore.plots.marks import line, note, rule
from stabcore.plots.names import short_names, text_width
from stabcore.plots.pareto_points import (
    NOT_MEASURED,
    add_family_lines,
    add_points,
    criterion_differences,
    describe_standing,
    floor_is_known,
    place_points,
    selector_points,
    set_axis,
)
from stabcore.plots.style import GREY, POINT_COLOUR, TITLE_LINE, TOOL_BAR, empty_figure, fade, plot_height
from stabcore.selectors.baseline import drop_baselines, is_baseline

NO_BETTER_THAN_GUESSING = "No selector predicts clearly better than a model without features."
NONE_CLEAR = "No selector is clearly more stable than with the outcome shuffled."
NONE_ABOVE_RANDOM = "No selector is clearly more accurate than another or than random ranking."
BEYOND_TITLE, MEASURED_TITLE = ("Stability beyond the noise floor<br>(0: outcome shuffled)", "{}<br>(noise floor not measured)")
NO_CLEAR_DIFFERENCE, FRONT = "no clear difference", "Pareto front"  # the meanings of bars and of the dotted steps, above the plot
NO_FEATURES = "without features: {}"  # the name of the line of the largest class alone, or of the same risk for all
# pixels: the strip of bars above and at the right, from bar to bar, of a bar, and the length of the one beside its meaning
BARS_HEIGHT, BARS_WIDTH, BAR_STEP, BAR_WIDTH, BAR_SAMPLE = 26, 30, 8, 5, 28
LEGEND_GAP = 10  # pixels between the bars above and their meaning
FRONT_LINE = {"color": fade(POINT_COLOUR, 0.4), "width": 7}  # below the intervals, so that both are seen
BEYOND_COLUMNS = {f"stability{end}": f"beyond_floor{end}" for end in ("", "_low", "_high")}
FAR_BELOW = 0.1  # share of the axis below which the line without features would take the space of the points
SCORE_NAMES = {
    "accuracy": "accuracy",
    "balanced_accuracy": "balanced accuracy",
    "auc": "the area under the ROC curve",
    "harrell": "Harrell's concordance",
    "uno": "Uno's concordance",
}
MAX_UNJOINED, MAX_DOMINATED = 4, 2  # pairs of selectors, and dominated selectors, that are named
MAX_WORDS = 30  # of the answer
PERCENT = ("accuracy", "balanced_accuracy")
SIZE_TITLE = "Mean number of selected features<br>(fewer is better)"


# ---- the front ----


def frame_fronts(table, key, accuracy="accuracy", pairs=None, shares=None, guessing=None):
    """Return the points of a result table, one row per selector, with clear differences.

    DataFrame(selector, measure, stability, stability_low, stability_high, measured, floor, clear, accuracy, accuracy_low,
    accuracy_high, size, dominated_by, on_front, standing, stability_ties, accuracy_ties, stability_behind, accuracy_behind,
    difference_needed, better, random_p, share).

    table: from noise_floors.beyond_floor. stability is the part beyond the noise floor, or as measured if no floor is known
    (floor is then NaN, and nothing is judged). pairs: {measure or score: differences of all pairs of selectors, see
    compare_selectors}. dominated_by, on_front: by the values. standing: by clear differences. _ties: numbers of the runs of
    selectors that are not distinguishable (see noise_floors.tied_groups). _behind: whether the highest is clearly above it.
    difference_needed: see compare_selectors.needed_difference. better: whether it predicts better than a model without features, of
    `guessing`, from result.beats_guessing. random_p: see compare_selectors.p_above_baselines, NaN without a baseline. share: of
    random halves of the runs with it on the front, see analysis.pareto.front_shares.
    """
    differences = criterion_differences(pairs, key, accuracy)
    frame = place_points(selector_points(table, key, accuracy), differences)
    compete = drop_baselines(frame)
    if not floor_is_known(frame):
        differences = {**differences, "stability": None}
    for criterion in CRITERIA:
        clear = clearly_above(differences[criterion], compete["selector"])
        numbers = pd.Series("", index=compete.index)
        for number, rows in enumerate(
            tied_groups(compete[criterion], clear) if differences[criterion] is not None else (), start=1
        ):
            numbers.iloc[list(rows)] += f" {number}"
        frame[f"{criterion}_ties"] = numbers.str.strip().reindex(frame.index).fillna("")
        highest = compete[criterion].fillna(-np.inf).to_numpy(dtype=float).argmax() if len(compete) else ()
        frame[f"{criterion}_behind"] = pd.Series(clear[highest], index=compete.index).reindex(frame.index).eq(True)
    better = {} if guessing is None else guessing["better"].to_dict()
    baselines = frame.loc[frame["selector"].map(is_baseline) & frame["accuracy"].notna(), "selector"].tolist()
    if baselines and differences["accuracy"] is not None:
        p = p_above_baselines(differences["accuracy"], compete["selector"].tolist(), baselines)
        frame["random_p"] = pd.Series(p, index=compete.index).reindex(frame.index)
    else:
        frame["random_p"] = np.nan
    shares = {} if shares is None else shares.to_dict()
    needed = needed_difference(differences["accuracy"], compete["selector"])
    return frame.assign(
        difference_needed=needed, better=frame["selector"].map(better), share=frame["selector"].map(shares).astype(float)
    )


def finding_fronts(frame, score="accuracy") -> str:
    """Describe the selectors that accuracy and stability separate. score: the kind of accuracy."""
    placed = drop_baselines(frame)
    placed = placed[placed["dominated_by"].notna()]
    if placed.empty:
        return "No selector has both an accuracy and a stability yet."
    if is_no_better_than_guessing(placed):
        return NO_BETTER_THAN_GUESSING
    if not floor_is_known(frame):
        return NOT_MEASURED
    if len(placed) == 1:
        return f"{placed['selector'].iloc[0]} is the only selector with an accuracy and a stability."
    if not placed["clear"].any():
        return NONE_CLEAR
    placed = placed.assign(selector=placed["selector"].map(short_names(frame["selector"].tolist())))  # as in the figure
    beaten = placed.loc[placed["standing"] == DOMINATED, "selector"].tolist()
    dominated = f" Clearly dominated: {join_tied(beaten)}." if 0 < len(beaten) <= MAX_DOMINATED else ""
    leaders = _describe_leaders(placed, score)
    return f"{leaders}{dominated}" if len(f"{leaders}{dominated}".split()) <= MAX_WORDS else leaders


def _describe_leaders(placed, score):
    """Name the leaders in accuracy and in stability, or the largest difference of a criterion that does not separate selectors."""
    accurate, stable = (_leaders(placed, criterion) for criterion in CRITERIA)
    name, stability = SCORE_NAMES[score], "stability beyond the noise floor"
    clear = bool(stable) and bool(placed.set_index("selector").loc[stable[0], "clear"])
    if clear and set(accurate) == set(stable):
        return f"{join_tied(stable, 5)} {is_or_are(len(stable))} highest in {name} and in {stability}."
    equal = [_describe_equal(placed, "accuracy", score)] if not accurate else []
    equal += [_describe_equal(placed, "stability")] if not stable else []
    level = f"No two selectors differ clearly in {' or '.join(equal)}."
    if len(equal) == 2:
        return level
    above_random = placed.loc[placed["random_p"] < LEVEL, "selector"].tolist()
    if not accurate and placed["random_p"].notna().any() and len(above_random) < len(placed):
        level = NONE_ABOVE_RANDOM
        if above_random:
            level = f"No two of the {len(placed)} differ clearly in {equal[0]}. "
            rest = placed.loc[placed["random_p"] >= LEVEL, "random_p"]
            level += f"{join_tied(above_random)} {is_or_are(len(above_random))} clearly more accurate than random ranking."
            level += _describe_smallest_p(rest)
    limit = 3 if accurate and stable else 5
    first = _describe_lead(accurate, f"highest in {name}", len(placed), limit) if accurate else level
    if not stable:
        second = level
    elif not clear:
        second = f"{stable[0]} is highest in {stability}, but not clearly above its noise floor."
    else:
        second = _describe_lead(stable, "most stable beyond the noise floor", len(placed), limit)
    return f"{first} {second}" if accurate or not clear else f"{second} {first}"


def _describe_equal(placed, criterion, score=None):
    """Name a criterion without clear differences, with the range of its values."""
    name = SCORE_NAMES[score] if score else "stability beyond the noise floor"
    return f"{name} ({format_range(placed[criterion], score in PERCENT)})"


def _format_difference(difference, score=None):
    """A difference of a score in words."""
    return f"{100 * difference:.2g} percentage points" if score in PERCENT else rounded(difference)


def _leaders(placed, criterion):
    """The selector with the highest value and those that it does not exceed clearly. [] if no two selectors differ clearly."""
    behind, bars = placed[f"{criterion}_behind"], [set(numbers.split()) for numbers in placed[f"{criterion}_ties"]]
    if not behind.any() and (set.intersection(*bars) or not any(bars)):
        return []
    return placed[~behind].sort_values(criterion, ascending=False, kind="stable")["selector"].tolist()


def _describe_lead(names, leading, total, limit):
    """Give "a is highest in accuracy, but not clearly above b and c.". total: the number of all selectors."""
    first, *others = names
    tied = f", but not clearly above {join_tied(others, limit)}" if others else ""
    tied = ", but clearly above no other selector" if len(names) == total else tied
    return f"{first} is {leading}{tied}."


def is_no_better_than_guessing(frame) -> bool:
    """Whether no selector is known to predict better than a model without features."""
    better = drop_baselines(frame)["better"].dropna()
    return bool(len(better)) and not better.any()


def finding_prediction(frame, added=(), pairs=None) -> str:
    """Compare the scores on held-out rows, of result.beats_guessing, with random ranking or without features. "" if there are none.

    added: frame_added_value of the same score, where columns are always in the model and so part of every prediction. pairs: the
    score_pairs of the same score.
    """
    judged = drop_baselines(frame).dropna(subset="value")
    if judged.empty:
        return ""
    score = judged["score"].iloc[0]
    useless = f"{NO_BETTER_THAN_GUESSING} " if is_no_better_than_guessing(frame) else ""
    if len(added) and added["score"].iloc[0] == score and added["given_alone"].notna().any():
        names, name = added["given"].iloc[0], SCORE_NAMES[score]
        return (
            f"{useless}With {names}, the features of each run predict held-out rows with {name} "
            f"{format_range(judged['value'], score in PERCENT)}. "
            f"{names} alone reach {format_range(added['given_alone'].dropna(), score in PERCENT)}."
        )
    short, values = short_names(judged["selector"]), judged.set_index("selector")["value"]
    least, most = (
        f"{format_range([values[name]], score in PERCENT)} ({short[name]})" for name in (values.idxmin(), values.idxmax())
    )
    reached = f"{least} to {most}" if judged["value"].nunique() > 1 else format_range(judged["value"], score in PERCENT)
    return f"{useless}On held-out rows, {SCORE_NAMES[score]} is {reached}.{_compare_with_chance(judged, pairs)}"


def _compare_with_chance(judged, pairs):
    """The score of random ranking with the selectors clearly above it, else that without features, "" if unknown."""
    score, guess, random = judged[["score", "guess", "random"]].iloc[0]
    if np.isnan(random):
        return "" if np.isnan(guess) else f" Without features it is {format_range([guess], score in PERCENT)}."
    baseline = f"random ranking ({format_range([random], score in PERCENT)})"
    above_it = _p_above_random(judged["selector"].tolist(), pairs)
    if above_it.isna().all():
        return f" Compare with {baseline}."
    names, rest = above_it.index[above_it < LEVEL].tolist(), above_it[above_it >= LEVEL]
    who = f": {join_tied(names)}" if 0 < len(names) < len(judged) else ""
    count, smallest = format_count_of(len(names), len(judged), "selector"), _describe_smallest_p(rest) if names else ""
    return f" {count} clearly above {baseline}{who}.{smallest}"


def _describe_smallest_p(p):
    """Give the smallest of the p-values of selectors that are not clearly better. "" without any."""
    return "" if p.empty else f" All others: p ≥ {np.floor(100 * p.min()) / 100:.2f}."


def _p_above_random(selectors, pairs):
    """The p of each selector, by short name, that it is not more accurate than a baseline. NaN where pairs are not known."""
    names = pd.Index(short_names(selectors)[name] for name in selectors)
    baselines = [] if pairs is None else [name for name in {*pairs["first"], *pairs["second"]} if is_baseline(name)]
    return pd.Series(p_above_baselines(pairs, selectors, baselines) if baselines else np.nan, index=names)


def describe_above_random(frame) -> str:
    """Name the selectors that are clearly more accurate than the baseline. "" if this is not known. frame: a frame_fronts."""
    judged = frame.set_index("selector")["random_p"].dropna().rename(short_names(frame["selector"].tolist()))
    if judged.empty:
        return ""
    clear, rest = judged.index[judged < LEVEL].tolist(), judged[judged >= LEVEL]
    return (
        "Random ranking selects as many features at random. Random features can predict, too, if many carry signal. The grey bars "
        f"leave out random ranking. Clearly more accurate than that (p ≤ {LEVEL}, Holm over these pairs alone): "
        f"{join_tied(clear or ['no selector'])}.{_describe_smallest_p(rest) if clear else ''}"
    )


def describe_needed_difference(frame, score) -> str:
    """Describe the difference in accuracy from which two selectors typically differ clearly. "" if it is unknown."""
    needed = frame["difference_needed"].dropna()
    if needed.empty:
        return ""
    return (
        f"Two selectors typically differ clearly in {SCORE_NAMES[score]} only if they are at least about "
        f"{_format_difference(needed.iloc[0], score)} apart (paired t-test of scores, Holm over all pairs). Whether a selector is "
        "clearly above random ranking also depends on how much both scores vary between runs. Of two with nearly equal scores, one "
        "can be above it and the other not."
    )


def describe_without_features(guessed, score) -> str:
    """Describe the line of a prediction without features. guessed: its score."""
    if np.isnan(guessed):
        return ""
    value = format_range([guessed], score in PERCENT)
    if score in CONCORDANCES:
        return f"Without features, every row has the same risk. This gives {value}."
    equal = " It counts each class equally, however large." if score == "balanced_accuracy" else ""
    return f"Without features, the largest class is always predicted, and {SCORE_NAMES[score]} is {value}.{equal}"


def stability_title(frame) -> str:
    """Return the title of the axis of stability."""
    key = frame["measure"].iloc[0] if len(frame) else "nogueira"
    return BEYOND_TITLE if floor_is_known(frame) else MEASURED_TITLE.format(entry(key).label)


def draw_fronts(frame, score="accuracy", label="Accuracy", *, chosen=(), guessed=np.nan, families=None):
    """Draw a point for each selector, hollow if it is clearly dominated, with pale steps along the front as measured.

    Bars above and at the right join selectors that are not distinguishable in stability and in accuracy. score: the key of the
    accuracy. label: its name. chosen: with a ring. guessed: the score without features, a line unless it is far below all points.
    families: from `settings_of_one_selector`, each joined by a line. The customdata of a point is the row of its selector in the
    frame.
    """
    placed, with_floor = frame[frame["standing"] != ""], floor_is_known(frame)
    figure = empty_figure(x=stability_title(frame), y=f"{label} on held-out rows", height=460 + TITLE_LINE + LEGEND_GAP)
    figure.update_layout(showlegend=False, margin={"t": TOOL_BAR + TITLE_LINE + LEGEND_GAP})
    ends = _widened_ends(axis_range(placed, "accuracy"), placed["accuracy"])
    line_shown = ends is not None and guessed >= ends[0] - FAR_BELOW * (ends[1] - ends[0])
    up = _widened_ends(ends, [guessed]) if line_shown else ends
    text = NO_FEATURES.format(format_range([guessed], score in PERCENT)) if line_shown else ""
    across = _widened_ends(axis_range(placed, "stability"), [0.0]) if with_floor else axis_range(placed, "stability")
    free = label_box_at_right(text, guessed, up, plot_height(figure) - BARS_HEIGHT) if text else []
    if placed["on_front"].any():
        _add_front(figure, placed, "stability", "accuracy", "vh")
    add_family_lines(figure, placed, "stability", "accuracy", families or {})
    selectors, reach = frame["selector"].unique(), (across, up)
    add_points(figure, placed, "stability", "accuracy", selectors, chosen=chosen, reach=reach, free=free)
    set_axis(figure, "xaxis", across)
    set_axis(figure, "yaxis", up, percent=score in PERCENT)
    if with_floor:
        figure.add_vline(x=0, line={"color": GREY, "width": 2}, layer="below")
    if line_shown:
        figure.add_hline(y=guessed, line={"color": GREY, "width": 2}, layer="below")
        figure.add_annotation(note(text, 1, guessed, "right", size=11, colour="grey", xref="x domain", yref="y"))
    if up is not None:
        _add_ties(figure, placed)
    return figure


def _add_front(figure, placed, x, y, shape):
    """Pale steps along the front as measured, from its first point to the last."""
    edge = placed[placed["on_front"]].sort_values(x)
    look = {"line": {"shape": shape}, "name": "front", "showlegend": None}
    figure.add_trace(line(list(edge[x]), list(edge[y]), FRONT_LINE["color"], FRONT_LINE["width"], **look))


def _add_ties(figure, placed):
    """Bars over selectors that are not distinguishable, above the plot and at its right, and their meaning above."""
    tall, at_edge = plot_height(figure), {"xref": "paper", "xsizemode": "pixel"}
    stable, accurate = _tie_spans(placed, "stability"), _tie_spans(placed, "accuracy")
    figure.layout.yaxis.domain = (0, 1 - BARS_HEIGHT / tall)
    figure.layout.margin.r = BARS_WIDTH

    def add(name, x0, x1, y0, y1, **reference):
        figure.add_shape(rule(x0, x1, y0, y1, BAR_WIDTH, name=name, **reference, layer=None))

    for level, low, high in stable:
        height = 1 - (2 + BAR_STEP * level) / tall
        add("not distinguishable in stability", low, high, height, height, yref="paper")
    for level, low, high in accurate:
        right = 10 + BAR_STEP * level
        add("not distinguishable in accuracy", right, right, low, high, xanchor=1, **at_edge)
    shown: list[tuple[str, dict]] = [(NO_CLEAR_DIFFERENCE, {})] if stable or accurate else []
    shown += [(FRONT, {"line": FRONT_LINE})] if placed["on_front"].sum() > 1 else []
    left, middle = 0.0, LEGEND_GAP + TITLE_LINE / 2
    above = {**at_edge, "xanchor": 0, "yref": "paper", "ysizemode": "pixel", "yanchor": 1}
    for meaning, look in shown:
        add(meaning, left, left + BAR_SAMPLE, middle, middle, **above, **look)
        figure.add_annotation(note(meaning, 0, 1, "left", "middle", colour="grey", xshift=left + BAR_SAMPLE + 6, yshift=middle))
        left += BAR_SAMPLE + text_width(meaning) + 26


def _tie_spans(placed, criterion):
    """[(level, low, high)] of each run of selectors that are not distinguishable. Overlapping runs have different levels."""
    numbers_of = [{int(number) for number in numbers.split()} for numbers in placed[f"{criterion}_ties"]]
    ends: list[float] = []
    spans = []
    for number in sorted(set().union(*numbers_of)):
        values = placed[criterion][[number in numbers for numbers in numbers_of]]
        low, high = float(values.min()), float(values.max())
        level = next((i for i, end in enumerate(ends) if low > end), len(ends))
        ends[level : level + 1] = [high]
        spans.append((min(level, 2), low, high))
    return spans


def axis_range(frame, name):
    """Return [low, high] of one axis: all drawn intervals, with some space."""
    columns = [name, f"{name}_low", f"{name}_high"] if name == "stability" else [name]
    ends = frame[columns].to_numpy(dtype=float).ravel()
    ends = ends[np.isfinite(ends)]
    return [ends.min() - 0.08 * np.ptp(ends) - 0.01, ends.max() + 0.08 * np.ptp(ends) + 0.01] if len(ends) else None


def _widened_ends(ends, values):
    """[low, high] of an axis, widened to contain some values."""
    finite = np.asarray(values, dtype=float)
    finite = finite[np.isfinite(finite)]
    return ends if ends is None or not len(finite) else [min(ends[0], finite.min() - 0.01), max(ends[1], finite.max() + 0.01)]


def table_chosen(table, keys, frame, selectors):
    """DataFrame of some selectors as text: stabilities, accuracies, size, number of selectors that dominate each."""
    rows = table.loc[[name for name in selectors if name in table.index]]
    chosen = pd.DataFrame({"selector": rows.index})
    for key in [*keys, *SCORE_NAMES]:
        if key in rows and (key in keys or rows[key].notna().any()):
            label = entry(key).label if key in keys else key
            chosen[label] = [format_estimate(*row) for row in rows[[key, f"{key}_low", f"{key}_high"]].itertuples(index=False)]
    chosen["mean_size"] = rows["mean_size"].round(1).to_numpy()
    standing = frame.set_index("selector").reindex(rows.index)
    return chosen.assign(
        beyond_floor=standing["stability"].where(standing["floor"].notna()).to_numpy(),
        dominated_by=standing["dominated_by"].to_numpy(),
    )


# ---- equally accurate ----


def table_equal_accuracy(frame, pairs, stabilities=None):
    """DataFrame(group, selector, accuracy, stability, floor, most_stable, reach): the selectors under each bar at the right.

    frame: from frame_fronts. pairs, stabilities: differences of all pairs of selectors in accuracy and stability, see
    compare_selectors. most_stable: no other in the group is clearly more stable. reach: the largest difference in the intervals.
    """
    numbers_of = [{int(number) for number in numbers.split()} for numbers in frame["accuracy_ties"]]
    rows = []
    for number in sorted(set().union(*numbers_of)):
        members = frame[[number in numbers for numbers in numbers_of]].sort_values("accuracy", ascending=False, kind="stable")
        names = members["selector"].tolist()
        behind = clearly_above(stabilities, names).any(axis=0) | members["stability"].isna().to_numpy()
        inside = pairs[pairs["first"].isin(names) & pairs["second"].isin(names)]
        rows.append(
            members[["selector", "accuracy", "stability", "floor"]].assign(
                group=number, most_stable=~behind, reach=inside[["low", "high"]].abs().max().max()
            )
        )
    columns = ["group", "selector", "accuracy", "stability", "floor", "most_stable", "reach"]
    return pd.concat(rows, ignore_index=True)[columns] if rows else pd.DataFrame(columns=columns)


def points_with_beyond(frame):
    """A frame of points whose column of stability is named as the part beyond the noise floor, where that is known."""
    return frame.rename(columns=BEYOND_COLUMNS) if floor_is_known(frame) else frame


def describe_equal_accuracy(members) -> str:
    """Describe the accuracy and the stability of one group of table_equal_accuracy."""
    names, reach = members["selector"].tolist(), members["reach"].iloc[0]
    stable = members[members["most_stable"]]["selector"].tolist()
    sentence = f"Not distinguishable in accuracy: {joined(names)}."
    sentence += "" if np.isnan(reach) else f" They may differ by up to {rounded(reach)}."
    beyond = " beyond its noise floor" if members["floor"].notna().any() else ""
    if len(stable) == len(names):
        return f"{sentence} None of them is clearly more stable{beyond} than another."
    unclear = ", without a clear difference" * (len(stable) > 1)
    return f"{sentence} Most stable{beyond}{unclear}: {joined(stable)}." if stable else sentence


# ---- with the number of features ----


def frame_space(table, key, accuracy="accuracy", pairs=None):
    """Return the points with dominated_by, on_front and standing by accuracy (if known), stability and fewer features.

    pairs: as in frame_fronts, with "size" among them.
    """
    frame = selector_points(table, key, accuracy)
    criteria = ("accuracy", "stability", "size") if frame["accuracy"].notna().any() else ("stability", "size")
    return place_points(frame, criterion_differences(pairs, key, accuracy), criteria, ["size"])


def finding_space(frame) -> str:
    """Describe which selectors are clearly on the front of all criteria."""
    return describe_standing(frame)


def draw_space(frame, axes=("size", "stability"), chosen=(), families=None):
    """Draw a projection on two criteria. Points are as in draw_fronts. customdata: rows of the frame.

    families: from `settings_of_one_selector`, each joined by a line in the plane.
    """
    placed, (x, y) = frame[frame["standing"] != ""], axes
    figure = empty_figure(x=_axis_title(frame, x), y=_axis_title(frame, y), height=420)
    add_family_lines(figure, placed, x, y, families or {})
    add_points(figure, placed, x, y, frame["selector"].unique(), chosen=chosen)
    return figure


def _axis_title(frame, axis):
    return {"size": SIZE_TITLE, "stability": stability_title(frame), "accuracy": "Accuracy on held-out rows"}[axis]


def frame_sizes(table, key, accuracy="accuracy", margin=0.05, pairs=None):
    """Return the points within `margin` of the best accuracy, or all points without any accuracy.

    dominated_by, on_front and standing are by stability and fewer features. pairs: as in frame_space.
    """
    frame = selector_points(table, key, accuracy)
    if (
        drop_baselines(frame)["accuracy"].notna().any()
    ):  # baselines do not set the best accuracy, but are drawn if they are close to it
        least = near_best(drop_baselines(frame), "accuracy", margin)["accuracy"].min()
        frame = frame[frame["accuracy"] >= least]
    return place_points(frame, criterion_differences(pairs, key, accuracy), ("stability", "size"), ["size"])


def finding_sizes(frame, margin, total) -> str:
    """Describe which selectors are small and stable among those that are accurate enough."""
    if frame["accuracy"].isna().all():
        return describe_standing(frame)
    lead = f"{len(drop_baselines(frame))} of {counted(total, 'selector')} have an accuracy within {margin:g} of the best. "
    return describe_standing(frame, lead)


def draw_sizes(frame, chosen=(), families=None):
    """Draw the number of features against stability with the front. customdata: rows of the frame.

    families: from `settings_of_one_selector`, each joined by a line.
    """
    figure = empty_figure(x=SIZE_TITLE, y=stability_title(frame), height=420)
    figure.update_layout(showlegend=False)
    _add_front(figure, frame, "size", "stability", "hv")
    placed = frame[frame["standing"] != ""]
    add_family_lines(figure, placed, "size", "stability", families or {})
    add_points(figure, placed, "size", "stability", frame["selector"].unique(), chosen=chosen)
    return figure
