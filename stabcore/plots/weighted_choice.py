"""The choice of a selector from the front by the weight γ of accuracy against stability."""

from stabcore.analysis.compare_selectors import clearly_above_weighted
from stabcore.analysis.pareto import NOT_DISTINGUISHABLE, weighted_choice
from stabcore.base.text import join_tied, joined, rounded
from stabcore.plots.marks import line, points
from stabcore.plots.names import safe, selector_rows, show_row_names
from stabcore.plots.pareto import NO_BETTER_THAN_GUESSING, PERCENT, axis_range, is_no_better_than_guessing, stability_title
from stabcore.plots.pareto_points import (
    BASELINE_STANDING,
    NOT_MEASURED,
    add_family_lines,
    add_points,
    criterion_differences,
    floor_is_known,
    place_points,
    selector_points,
    set_axis,
)
from stabcore.plots.style import GREY, POINT_COLOUR, empty_figure, mark_value
from stabcore.selectors.baseline import drop_baselines

RING_SIZE, RING_WIDTH = 28, 4  # pixels of the ring around the choice


def frame_weighted_choice(table, key, accuracy="accuracy", gamma=0.5, pairs=None, guessing=None):
    """Return the points of a result table with the choice at γ, and the range of γ that gives each.

    DataFrame with dominated_by, on_front, standing, gamma_low, gamma_high, score, chosen, level and better. table, pairs,
    guessing: as in frame_fronts. level: whether its score is not distinguishable from that of the first choice.
    """
    differences = criterion_differences(pairs, key, accuracy)
    every = place_points(selector_points(table, key, accuracy), differences)
    every["better"] = every["selector"].map({} if guessing is None else guessing["better"].to_dict())
    weighed = weighted_choice(drop_baselines(every), gamma).reindex(every.index)[["gamma_low", "gamma_high", "score", "chosen"]]
    frame = every.assign(**weighed).assign(chosen=weighed["chosen"].eq(True))
    best = frame.index[frame["chosen"]]
    if not len(best):
        return frame.assign(level=False)
    clear = clearly_above_weighted([differences["accuracy"], differences["stability"]], [gamma, 1 - gamma], frame["selector"])
    return frame.assign(level=frame["score"].notna() & ~clear[best[0]])


def finding_weighted_choice(frame, gamma, score="accuracy") -> str:
    """Describe the choice at γ, the selectors not distinguishable from it, and its range of γ."""
    best = frame[frame["chosen"]]
    if best.empty:
        return "No selector has both an accuracy and a stability yet."
    if is_no_better_than_guessing(frame):
        return NO_BETTER_THAN_GUESSING
    if not floor_is_known(frame):
        return NOT_MEASURED
    row = best.iloc[0]
    level = frame[(frame["level"] | frame["chosen"]) & (frame["selector"] != row["selector"])]["selector"].tolist()
    sentence = f"With γ = {gamma:.2f}, {row['selector']} has the highest score."
    if level:
        return f"{sentence} Not distinguishable from it: {join_tied(level)}."
    return f"{sentence} That holds for γ from {rounded(row['gamma_low'])} to {rounded(row['gamma_high'])}."


def describe_weight_ranges(frame) -> list[str]:
    """Describe the range of γ of each selector on the front as measured, the most accurate last."""
    front = frame[frame["on_front"]].sort_values(["gamma_low", "gamma_high"])
    sentences = [
        f"{row.selector} is on the front, but no γ gives it, because it lies below the line between two others."
        if row.gamma_low != row.gamma_low
        else f"{row.selector} for γ from {rounded(row.gamma_low)} to {rounded(row.gamma_high)}."
        for row in front.itertuples()
    ]
    unsure = front[front["standing"] == NOT_DISTINGUISHABLE]["selector"].tolist()
    if unsure:
        sentences.append(f"On the front as measured only, so the range may be chance: {joined(unsure)}.")
    return sentences


def describe_scores(frame) -> str:
    """List all selectors by score: those not distinguishable from the choice, and those clearly below it."""
    scored = frame[frame["score"].notna() & (frame["standing"] != BASELINE_STANDING)].sort_values(
        "score", ascending=False, kind="stable"
    )
    level, below = (
        [f"{row.selector} ({rounded(row.score)})" for row in scored.itertuples() if bool(row.level or row.chosen) == near]
        for near in (True, False)
    )
    if not level:
        return ""
    return f"Scores not distinguishable from the highest: {joined(level)}." + (f" Clearly lower: {joined(below)}." if below else "")


def draw_weighted_choice(frame, score="accuracy", label="Accuracy", families=None):
    """Draw the points, the hull that choices come from, and a ring around the choice. customdata: rows of the frame.

    score: the key of the accuracy. label: its name. families: from `settings_of_one_selector`, each joined by a line.
    """
    figure = empty_figure(x=stability_title(frame), y=f"{label} on held-out rows", height=440)
    figure.update_layout(showlegend=False)
    hull = frame[frame["gamma_low"].notna()].sort_values(["stability", "accuracy"])
    chosen, placed = frame[frame["chosen"]], frame[frame["standing"] != ""]
    ring = {"symbol": "circle-open", "size": RING_SIZE, "color": GREY, "line": {"width": RING_WIDTH}}
    figure.add_trace(line(hull["stability"], hull["accuracy"], "grey", 1, line={"dash": "dash"}, name="reachable by some γ"))
    figure.add_trace(points(chosen["stability"], chosen["accuracy"], ring, name="chosen"))
    reach = tuple(axis_range(placed, name) for name in ("stability", "accuracy"))
    ringed = dict.fromkeys(chosen["selector"], RING_SIZE + RING_WIDTH)
    add_family_lines(figure, placed, "stability", "accuracy", families or {})
    add_points(figure, placed, "stability", "accuracy", frame["selector"].unique(), reach=reach, ringed=ringed)
    set_axis(figure, "xaxis", reach[0])
    set_axis(figure, "yaxis", reach[1], percent=score in PERCENT)
    return figure


def frame_weight_ranges(frame):
    """DataFrame(selector, gamma_low, gamma_high) of the front's choices, in order of γ."""
    choices = frame[frame["gamma_low"].notna()].sort_values(["gamma_low", "gamma_high"])
    return choices[["selector", "gamma_low", "gamma_high"]].reset_index(drop=True)


def draw_weight_ranges(frame, gamma):
    """Draw for each choice a bar over the γ that give it, and a dotted line at the current γ."""
    figure = empty_figure(x="γ: 0 stability only,<br>1 accuracy only", height=136 + 34 * len(frame))
    figure.update_layout(showlegend=False)
    for place, row in enumerate(frame.itertuples()):
        hover = f"{safe(row.selector)}<br>γ from {row.gamma_low:.2f} to {row.gamma_high:.2f}"
        look = {"mode": "lines+markers", "marker": {"size": 9, "color": POINT_COLOUR}, "showlegend": None}
        figure.add_trace(line([row.gamma_low, row.gamma_high], [place, place], POINT_COLOUR, 5, [hover] * 2, **look))
    mark_value(figure, gamma, f"γ = {gamma:.2f}")
    figure.update_xaxes(range=[-0.02, 1.02])
    names = selector_rows(frame["selector"])
    return show_row_names(figure, range(len(frame)), names, range=[-0.6, max(len(frame), 1) - 0.4])
