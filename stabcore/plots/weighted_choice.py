"""One choice from the front: how much accuracy counts against stability, and how long the choice stands."""

from __future__ import annotations

from stabcore.analysis.compare_selectors import weighed_above
from stabcore.analysis.pareto import OPEN, weighted_choice
from stabcore.base.text import be, join_tied, joined, plural, rounded
from stabcore.plots.names import name_rows, row_name, safe
from stabcore.plots.pareto import GUESSING, PERCENT, axis_range, no_better_than_guessing, stability_title
from stabcore.plots.pareto_points import (
    BASELINE,
    NOT_MEASURED,
    add_points,
    by_criterion,
    floor_is_known,
    join_settings,
    place_points,
    selector_points,
    set_axis,
)
from stabcore.plots.style import GREY, POINT_COLOUR, blank, mark_value
from stabcore.selectors.baseline import rivals

RING_SIZE, RING_WIDTH = 28, 4  # pixels of the ring around the choice


def frame_weighted_choice(table, key, accuracy="accuracy", gamma=0.5, pairs=None, guessing=None):
    """The points of a result table with what is chosen at γ, and for which other γ each would be.

    DataFrame with beaten_by, on_front, standing, gamma_low, gamma_high, score, chosen, level and better. table, pairs, guessing: as
    in frame_fronts. level: its score is not distinguishable from that of the first that is chosen.
    """
    differences = by_criterion(pairs, key, accuracy)
    every = place_points(selector_points(table, key, accuracy), differences)
    every["better"] = every["selector"].map({} if guessing is None else guessing["better"].to_dict())
    weighed = weighted_choice(rivals(every), gamma).reindex(every.index)[["gamma_low", "gamma_high", "score", "chosen"]]
    frame = every.assign(**weighed).assign(chosen=weighed["chosen"].eq(True))
    best = frame.index[frame["chosen"]]
    if not len(best):
        return frame.assign(level=False)
    clear = weighed_above([differences["accuracy"], differences["stability"]], [gamma, 1 - gamma], frame["selector"])
    return frame.assign(level=frame["score"].notna() & ~clear[best[0]])


def finding_weighted_choice(frame, gamma) -> str:
    """Who is chosen, who is not distinguishable from that choice, and for which γ it stands, in one sentence."""
    best = frame[frame["chosen"]]
    if best.empty:
        return "No selector has both an accuracy and a stability yet."
    if no_better_than_guessing(frame):
        return GUESSING
    if not floor_is_known(frame):
        return NOT_MEASURED
    names, row = best["selector"].tolist(), best.iloc[0]
    level = frame[frame["level"] & ~frame["chosen"]]["selector"].tolist()
    if len(names) > 1:
        return f"With γ = {gamma:.2f}, {joined(names)} are equally good choices."
    if level:
        return f"With γ = {gamma:.2f}, {names[0]} scores highest. {join_tied(level)} {be(len(level))} not distinguishable from it."
    if row["gamma_low"] <= 0 and row["gamma_high"] >= 1:
        return f"{names[0]} is the choice however much accuracy counts against stability."
    return (
        f"With γ = {gamma:.2f}, {names[0]} is the choice; it stands for γ from {rounded(row['gamma_low'])} to "
        f"{rounded(row['gamma_high'])}."
    )


def describe_weight_ranges(frame) -> list[str]:
    """For each selector of the front as measured, the γ for which it would be chosen, the most accurate last; and what is open."""
    sentences = []
    for row in frame[frame["on_front"]].sort_values(["gamma_low", "gamma_high"]).to_dict("records"):
        if row["gamma_low"] != row["gamma_low"]:
            sentences.append(f"{row['selector']} is on the front but below the line that joins the others: never chosen by any γ.")
        elif row["gamma_low"] == row["gamma_high"]:
            sentences.append(f"{row['selector']} only ties, at γ = {rounded(row['gamma_low'])}.")
        else:
            sentences.append(f"{row['selector']} for γ from {rounded(row['gamma_low'])} to {rounded(row['gamma_high'])}.")
    unsure = frame[frame["on_front"] & (frame["standing"] == OPEN)]["selector"].tolist()
    if unsure:
        sentences.append(
            f"{joined(unsure)} {be(len(unsure))} on the front as measured only. The {plural(len(unsure), 'range')} may be chance."
        )
    return sentences


def describe_scores(frame) -> str:
    """Everybody by score, the highest first: who cannot be told apart from the choice, and who lies clearly below it."""
    scored = frame[frame["score"].notna() & (frame["standing"] != BASELINE)].sort_values("score", ascending=False, kind="stable")
    level = [f"{row.selector} ({rounded(row.score)})" for row in scored.itertuples() if row.level or row.chosen]
    below = [f"{row.selector} ({rounded(row.score)})" for row in scored.itertuples() if not (row.level or row.chosen)]
    if not level:
        return ""
    sentence = f"Scores, the highest first: {joined(level)}" + (" are not distinguishable" if len(level) > 1 else "")
    return f"{sentence}; clearly below: {joined(below)}." if below else f"{sentence}."


def draw_weighted_choice(frame, score="accuracy", label="Accuracy", families=None):
    """The points, the hull that choices come from, and a ring around what is chosen now. customdata: rows of the frame.

    score: which one accuracy is; label: what it is called; families: as `settings_of_one` gives them, joined by a line each.
    """
    figure = blank(x=stability_title(frame), y=f"{label} on held-out rows", height=440)
    figure.update_layout(showlegend=False)
    hull = frame[frame["gamma_low"].notna()].sort_values(["stability", "accuracy"])
    figure.add_scatter(
        x=hull["stability"],
        y=hull["accuracy"],
        mode="lines",
        name="reachable by some γ",
        line={"color": "grey", "dash": "dash", "width": 1},
        hoverinfo="skip",
    )
    now, placed = frame[frame["chosen"]], frame[frame["standing"] != ""]
    figure.add_scatter(
        x=now["stability"],
        y=now["accuracy"],
        mode="markers",
        name="chosen",
        hoverinfo="skip",
        marker={"symbol": "circle-open", "size": RING_SIZE, "color": GREY, "line": {"width": RING_WIDTH}},
    )
    reach = tuple(axis_range(placed, name) for name in ("stability", "accuracy"))
    join_settings(figure, placed, "stability", "accuracy", families or {})
    add_points(
        figure,
        placed,
        "stability",
        "accuracy",
        frame["selector"].unique(),
        reach=reach,
        ringed=dict.fromkeys(now["selector"], RING_SIZE + RING_WIDTH),
    )
    set_axis(figure, "xaxis", reach[0])
    set_axis(figure, "yaxis", reach[1], percent=score in PERCENT)
    return figure


def frame_weight_ranges(frame):
    """DataFrame(selector, gamma_low, gamma_high) of the front's choices, in order of γ."""
    choices = frame[frame["gamma_low"].notna()].sort_values(["gamma_low", "gamma_high"])
    return choices[["selector", "gamma_low", "gamma_high"]].reset_index(drop=True)


def draw_weight_ranges(frame, gamma):
    """For each choice a bar over the γ for which it stands; a dotted line at the γ that is set."""
    figure = blank(x="γ: 0 stability alone,<br>1 accuracy alone", height=136 + 34 * len(frame))
    figure.update_layout(showlegend=False)
    for place, row in enumerate(frame.itertuples()):
        figure.add_scatter(
            x=[row.gamma_low, row.gamma_high],
            y=[place, place],
            mode="lines+markers",
            line={"color": POINT_COLOUR, "width": 5},
            marker={"size": 9, "color": POINT_COLOUR},
            hoverinfo="text",
            hovertext=[f"{safe(row.selector)}<br>γ from {row.gamma_low:.2f} to {row.gamma_high:.2f}"] * 2,
        )
    mark_value(figure, gamma, f"γ = {gamma:.2f}")
    figure.update_xaxes(range=[-0.02, 1.02])
    name_rows(figure, range(len(frame)), [row_name(name) for name in frame["selector"]], range=[-0.6, max(len(frame), 1) - 0.4])
    return figure
