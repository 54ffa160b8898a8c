"""Pareto fronts compared: by another measure of stability, and over several studies."""

import numpy as np
import pandas as pd

from stabcore.analysis.compare_selectors import LEVEL
from stabcore.analysis.pareto import DOMINATED, ON_FRONT, front_changes, mean_nondominated_rank
from stabcore.base.text import join_tied, joined, rounded
from stabcore.measures.catalog import entry
from stabcore.plots.estimates import format_estimate
from stabcore.plots.marks import error_bar, line, points
from stabcore.plots.names import safe, selector_rows, short_names, shorten, show_row_names
from stabcore.plots.pareto_points import (
    ALWAYS_SEEN,
    NOT_MEASURED,
    criterion_differences,
    describe_movement,
    floor_is_known,
    interval_ends,
    place_points,
    selector_points,
)
from stabcore.plots.style import GREY, POINT_COLOUR, POINT_PALE, empty_figure, name_styles
from stabcore.selectors.baseline import drop_baselines, is_baseline

FRONT_CHANGES = ("enters", "leaves")
CHANGE_ROW = 40  # pixels of a selector
FRONTS = ("on_front_before", "on_front_after")
STUDY_ROW, STUDY_SPREAD = 46, 0.24  # pixels of a selector, and distance of the first and last study from its middle
MEAN_COLOUR, LEGEND_LETTERS = "#8A8A8A", 28
MAX_TICKS = 12  # largest number of ticks of an axis that counts selectors


def frame_changes(table, before, after, accuracy="accuracy", pairs=None):
    """Return the values and standings of each selector by two measures.

    DataFrame(selector, accuracy, before, after, on_front_before, on_front_after, change, standing_before, standing_after, floor)
    and the ends of both intervals. change follows the values, and standing the clear differences, as in frame_fronts. table: from
    analysis.noise_floors.beyond_floor for both measures. floor: that of the measure after, missing if unknown.
    """
    every = table.rename_axis("selector").reset_index()
    frame = front_changes(drop_baselines(every), before, after, accuracy).reindex(every.index)
    frame = frame.assign(change=frame["change"].fillna(""), **{column: frame[column].eq(True) for column in FRONTS})
    frame = frame.assign(selector=every["selector"], **{accuracy: every[accuracy], "before": every[before], "after": every[after]})
    frame = frame[["selector", accuracy, "before", "after", *FRONTS, "change"]]
    for part, key in (("before", before), ("after", after)):
        frame = frame.assign(**{f"{part}_{end}": every.get(f"{key}_{end}", np.nan) for end in ("low", "high")})
    for part, key in (("before", before), ("after", after)):
        placed = place_points(selector_points(table, key, accuracy), criterion_differences(pairs, key, accuracy))
        frame[f"standing_{part}"], frame["floor"] = placed["standing"].to_numpy(), placed["floor"].to_numpy()
    return frame.rename(columns={accuracy: "accuracy"})


def finding_changes(frame, before, after) -> str:
    """Describe the clear changes of the front."""
    labels = f"{entry(before).label} to {entry(after).label}"
    if not (frame["on_front_before"].any() and frame["on_front_after"].any()):
        return f"The fronts from {labels} cannot be compared: one measure is undefined for all selectors."
    if not floor_is_known(frame):
        return NOT_MEASURED
    was, now = (frame.rename(columns={f"standing_{part}": "standing"}) for part in ("before", "after"))
    return f"From {labels}: {describe_movement(was, now)}."


def _describe_change(row):
    """Enters or leaves, with a question mark if this may be chance."""
    if row["change"] not in FRONT_CHANGES:
        return "no change"
    clear = row["standing_after"] == (ON_FRONT if row["change"] == "enters" else DOMINATED) != row["standing_before"]
    return row["change"] + ("" if clear else "?")


def draw_changes(frame, before, after):
    """Draw one row per selector: hollow before, filled after, joined by a line, with both intervals.

    The name includes the change on the front, with a question mark if this may be chance. customdata: rows of the frame.
    """
    compared = frame[frame["before"].notna() & frame["after"].notna()]
    compared = compared.assign(rival=~compared["selector"].map(is_baseline)).sort_values(["rival", "after"], kind="stable")
    what = "Stability beyond the noise floor" if floor_is_known(frame) else "Stability, noise floor not measured"
    title = f"{what}:<br>hollow {_short_measure(before)}, filled {_short_measure(after)}"
    figure, short = empty_figure(x=title, height=100 + CHANGE_ROW * max(len(compared), 2)), short_names(frame["selector"])
    rows = compared.to_dict("records")
    for position, (number, row) in enumerate(zip(compared.index, rows, strict=True)):
        colour, name = GREY if is_baseline(row["selector"]) else POINT_COLOUR, safe(row["selector"])
        figure.add_trace(line([row["before"], row["after"]], [position, position], POINT_PALE, 4))
        for column, key, symbol, thickness, width in (("before", before, "circle-open", 0.6, 2), ("after", after, "circle", 1, 4)):
            low, high = interval_ends(row, column)
            interval = error_bar(row[column], np.array([low]), np.array([high]), thickness=thickness, width=width, color=colour)
            hover = f"{name}<br>{entry(key).label}: {format_estimate(row[column], low, high)}<br>{_describe_change(row)}"
            look = {"color": colour, "size": 12, "symbol": symbol, "line": {"width": 2, "color": colour}}
            more = {"name": name, "showlegend": False, "customdata": [int(number)], **ALWAYS_SEEN}
            error_x = interval if np.isfinite(low + high) else None
            figure.add_trace(points([row[column]], [position], look, [hover], error_x=error_x, **more))
    names = [
        shorten(short[row["selector"]]) + (f"<br>({_describe_change(row)})" if row["change"] in FRONT_CHANGES else "")
        for row in rows
    ]
    return show_row_names(figure, list(range(len(rows))), names, range=[-0.6, max(len(rows), 1) - 0.4])


def _short_measure(key):
    """A measure in a word or two, for an axis."""
    return {"nogueira": "classic", "effective": "effective"}.get(key, entry(key).label.split(" (")[0])


def frame_studies(tables, key, accuracy="accuracy"):
    """Return the points of {study: result table} with their study, and dominated_by and on_front within each study.

    tables: from noise_floors.beyond_floor. If one has a noise floor, studies without one are left out, so that all
    points have the same quantity. attrs: "left_out", the names of these studies.
    """
    untested = criterion_differences(None, key, accuracy)
    every = {
        study: place_points(selector_points(table, key, accuracy), untested).assign(study=study) for study, table in tables.items()
    }
    with_floor = {study: frame for study, frame in every.items() if floor_is_known(frame)} or every
    frame = pd.concat(with_floor.values(), ignore_index=True)
    frame.attrs["left_out"] = [study for study in every if study not in with_floor]
    return frame


def describe_quantity(frame) -> str:
    """Describe by which stability the studies are ranked, and which studies are left out."""
    if not floor_is_known(frame):
        return "Stability as measured: the noise floor of these studies was not measured."
    left_out = frame.attrs.get("left_out", [])
    why = f" Left out, because their noise floor was not measured: {joined(left_out)}." if left_out else ""
    return f"Stability beyond the noise floor of each selector.{why}"


def table_ranks(frame):
    """DataFrame(selector, rank, dominated_by, on_front, counted, missing, p_holm): mean non-dominated ranks, without baselines."""
    return mean_nondominated_rank(drop_baselines(frame), by="study")


def finding_studies(frame) -> str:
    """Describe which selector is dominated least on average, and which others are not distinguishable from it."""
    ranks, studies = table_ranks(frame), frame["study"].nunique()
    ranked = ranks[ranks["counted"] == ranks["counted"].max()]
    if ranked.empty or not ranked["counted"].iloc[0]:
        return "No selector has both an accuracy and a stability in any of these studies."
    best = ranked.loc[ranked["dominated_by"].idxmin()]
    tied = ranked["dominated_by"] == best["dominated_by"]
    level = ranked[(tied | ~(ranked["p_holm"] < LEVEL)) & (ranked["selector"] != best["selector"])]["selector"].tolist()
    return (
        f"In {int(best['counted'])} of {studies} {'study' if studies == 1 else 'studies'}, {best['selector']} is dominated "
        f"least, by {rounded(best['dominated_by'])} other selectors on average."
        + (f" Not distinguishable from it: {join_tied(level, 5)}." if level else "")
    )


def draw_studies(frame):
    """Draw one row per selector: a small symbol for each study, a bar for the mean, the least dominated on top.

    A symbol is filled if the selector is on the front of that study as measured.
    """
    ranks, placed = table_ranks(frame), drop_baselines(frame).dropna(subset="dominated_by")
    names = ranks.loc[ranks["counted"] > 0, "selector"].tolist()[::-1]
    place, studies = {name: i for i, name in enumerate(names)}, list(frame["study"].unique())
    looks = list(name_styles(studies).values())
    figure = empty_figure(x="Selectors that dominate it<br>(0: on the front)", height=150 + STUDY_ROW * max(len(names), 2))
    means = ranks.set_index("selector")["dominated_by"].reindex(names)
    hovers = [f"{safe(name)}: {rounded(mean)} on average" for name, mean in means.items()]
    look = {"symbol": "line-ns-open", "size": 26, "color": MEAN_COLOUR, "line": {"width": 4, "color": MEAN_COLOUR}}
    figure.add_trace(points(means, list(place.values()), look, hovers, name="mean"))
    shifts = np.linspace(STUDY_SPREAD, -STUDY_SPREAD, len(studies)) if len(studies) > 1 else [0.0]
    for study, (colour, symbol, _), shift in zip(studies, looks, shifts, strict=True):
        part = placed[placed["study"] == study]
        hovers = [
            f"{safe(study)} · {safe(row.selector)}: dominated by {row.dominated_by:.0f}<br>"
            f"stability {format_estimate(row.stability, row.stability_low, row.stability_high)}<br>"
            f"accuracy {format_estimate(row.accuracy, row.accuracy_low, row.accuracy_high)}"
            for row in part.itertuples()
        ]
        symbols = [symbol if on else f"{symbol}-open" for on in part["on_front"]]
        look = {"color": colour, "size": 10, "line": {"width": 2, "color": colour}, "symbol": symbols}
        y = [place[name] + shift for name in part["selector"]]
        figure.add_trace(points(part["dominated_by"], y, look, hovers, name=shorten(study, LEGEND_LETTERS)))
    most = max(placed["dominated_by"].max() if len(placed) else 1, 1)
    figure.update_xaxes(range=[-0.3, most + 0.3], **({"dtick": 1} if most < MAX_TICKS else {"nticks": 6}))
    return show_row_names(figure, list(place.values()), selector_rows(names), range=[-0.6, max(len(names), 1) - 0.4])
