"""The front held against others: by another measure of stability (a dumbbell a selector), and over several studies."""

from __future__ import annotations

import numpy as np

from stabcore.analysis.compare_selectors import LEVEL
from stabcore.analysis.pareto import BEATEN, ON, changes, mean_nondominated_rank
from stabcore.base.text import all_of, join_tied, joined, rounded, several
from stabcore.measures.catalog import entry
from stabcore.plots.names import name_rows, row_name, safe, short_names, shorten
from stabcore.plots.pareto_points import (
    NOT_MEASURED,
    by_criterion,
    describe_movement,
    floor_is_known,
    interval_of,
    place_points,
    selector_points,
)
from stabcore.plots.style import GREY, POINT_COLOUR, POINT_PALE, blank, channels
from stabcore.plots.values import format_estimate, highest_and_lowest
from stabcore.selectors.baseline import is_baseline, rivals

FRONT_CHANGES = ("enters", "leaves")
CHANGE_ROW = 40  # pixels of a selector
FRONTS = ("on_front_before", "on_front_after")
STUDY_ROW, STUDY_SPREAD = 46, 0.24  # pixels of a selector, and how far from its middle the first and last study stand
MEAN_COLOUR, LEGEND_LETTERS = "#8A8A8A", 28
MOST_TICKS = 12  # of an axis that counts selectors one by one


# ---- from classic to effective stability ----


def frame_changes(table, before, after, accuracy="accuracy", pairs=None):
    """What becomes of each selector and of the front from one measure to another.

    DataFrame(selector, accuracy, before, after, on_front_before, on_front_after, change, standing_before, standing_after, floor)
    and the ends of both intervals: change follows the numbers, standing is what is clear by pairs, as in frame_fronts. table: as
    analysis.noise_floors.beyond_floor gives it of both measures; floor: that of the measure after, missing where it is not known.
    """
    every = table.rename_axis("selector").reset_index()
    frame = changes(rivals(every), before, after, accuracy).reindex(every.index)
    frame = frame.assign(change=frame["change"].fillna(""), **{column: frame[column].eq(True) for column in FRONTS})
    frame = frame.assign(selector=every["selector"], **{accuracy: every[accuracy], "before": every[before], "after": every[after]})
    ends = {
        f"{part}_{end}": every.get(f"{key}_{end}", np.nan)
        for part, key in (("before", before), ("after", after))
        for end in ("low", "high")
    }
    frame = frame[["selector", accuracy, "before", "after", *FRONTS, "change"]].assign(**ends)
    for part, key in (("before", before), ("after", after)):
        placed = place_points(selector_points(table, key, accuracy), by_criterion(pairs, key, accuracy))
        frame[f"standing_{part}"], frame["floor"] = placed["standing"].to_numpy(), placed["floor"].to_numpy()
    return frame.rename(columns={accuracy: "accuracy"})


def finding_changes(frame, before, after) -> str:
    """What becomes of the front beyond what may be chance, in one sentence."""
    if not (frame["on_front_before"].any() and frame["on_front_after"].any()):
        return f"{entry(before).label} and {entry(after).label} cannot be compared: one of them is not defined for any selector."
    if not floor_is_known(frame):
        return NOT_MEASURED
    was, now = (frame.rename(columns={f"standing_{part}": "standing"}) for part in ("before", "after"))
    return f"From {entry(before).label} to {entry(after).label}, {describe_movement(was, now)}."


def _describe_change(row):
    """Enters or leaves, with a question mark where that may be chance."""
    if row["change"] not in FRONT_CHANGES:
        return "no change"
    clear = row["standing_after"] == (ON if row["change"] == "enters" else BEATEN) != row["standing_before"]
    return row["change"] + ("" if clear else "?")


def draw_changes(frame, before, after):
    """One row for each selector, the highest after on top: hollow before, filled after, a line between, whiskers of both intervals.

    Beside the name what it does to the front, with a question mark where that may be chance. customdata: rows of the frame.
    """
    compared = frame[frame["before"].notna() & frame["after"].notna()]
    compared = compared.assign(rival=~compared["selector"].map(is_baseline)).sort_values(["rival", "after"], kind="stable")
    what = "Stability beyond the noise floor" if floor_is_known(frame) else "Stability, noise floor not measured"
    figure = blank(
        x=f"{what}:<br>hollow {_short_measure(before)}, filled {_short_measure(after)}",
        height=100 + CHANGE_ROW * max(len(compared), 2),
    )
    place, called = dict(zip(compared["selector"], range(len(compared)), strict=True)), short_names(frame["selector"])
    for number, row in zip(compared.index, compared.to_dict("records"), strict=True):
        colour = GREY if is_baseline(row["selector"]) else POINT_COLOUR
        position, name = place[row["selector"]], safe(row["selector"])
        figure.add_scatter(
            x=[row["before"], row["after"]],
            y=[position, position],
            mode="lines",
            hoverinfo="skip",
            showlegend=False,
            line={"color": POINT_PALE, "width": 4},
        )
        for column, key, shape in (("before", before, "circle-open"), ("after", after, "circle")):
            figure.add_scatter(
                x=[row[column]],
                y=[position],
                mode="markers",
                name=name,
                showlegend=False,
                customdata=[int(number)],
                error_x=_whisker(row, column, colour),
                selected={"marker": {"opacity": 1}},
                unselected={"marker": {"opacity": 1}},
                marker={"color": colour, "size": 12, "symbol": shape, "line": {"width": 2, "color": colour}},
                hoverinfo="text",
                hovertext=[
                    f"{name}<br>{entry(key).label}: "
                    f"{format_estimate(row[column], *interval_of(row, column))}<br>{_describe_change(row)}"
                ],
            )
    name_rows(
        figure,
        list(place.values()),
        [_row_name(row, called) for row in compared.to_dict("records")],
        range=[-0.6, max(len(compared), 1) - 0.4],
    )
    return figure


def _short_measure(key):
    """A measure in a word or two, for an axis."""
    return {"nogueira": "classic", "effective": "effective"}.get(key, entry(key).label.split(" (")[0])


def _whisker(row, column, colour):
    """The interval of a value, thin; none where there is none."""
    low, high = interval_of(row, column)
    if not np.isfinite(low + high):
        return None
    return {
        "type": "data",
        "symmetric": False,
        "array": [high - row[column]],
        "arrayminus": [row[column] - low],
        "thickness": 1 if column == "after" else 0.6,
        "width": 4 if column == "after" else 2,
        "color": colour,
    }


def _row_name(row, called):
    """The name of a selector, and on a second line whether it enters or leaves the front."""
    return shorten(called[row["selector"]]) + (f"<br>({_describe_change(row)})" if row["change"] in FRONT_CHANGES else "")


# ---- several studies ----


def frame_studies(tables, key, accuracy="accuracy"):
    """DataFrame of {study: result table}: the points of all with their study; beaten_by and on_front within each study.

    tables: as noise_floors.beyond_floor gives them. Where one of them has a measured noise floor, studies without one are left
    out: one quantity for all. attrs: "left_out", the names of those.
    """
    import pandas as pd

    unknown = by_criterion(None, key, accuracy)
    every = {
        study: place_points(selector_points(table, key, accuracy), unknown).assign(study=study) for study, table in tables.items()
    }
    with_floor = {study: points for study, points in every.items() if floor_is_known(points)} or every
    frame = pd.concat(with_floor.values(), ignore_index=True)
    frame.attrs["left_out"] = [study for study in every if study not in with_floor]
    return frame


def describe_quantity(frame) -> str:
    """Which stability the studies are ranked by, and which are left out."""
    if not floor_is_known(frame):
        return "Stability as measured: the noise floor of these studies was not measured."
    out = frame.attrs.get("left_out", [])
    return "Stability beyond the noise floor of each selector." + (
        f" Left out, because their noise floor was not measured: {joined(out)}." if out else ""
    )


def table_ranks(frame):
    """DataFrame(selector, rank, beaten_by, on_front, counted, missing, p_holm): mean non-dominated ranks, without baselines."""
    return mean_nondominated_rank(rivals(frame), by="study")


def finding_studies(frame) -> str:
    """Which selectors others beat least, averaged over the studies, and of whom that may be chance, in one sentence."""
    ranks, studies = table_ranks(frame), frame["study"].nunique()
    ranked = ranks[ranks["counted"] == ranks["counted"].max()]
    if ranked.empty or not ranked["counted"].iloc[0]:
        return "No selector has both an accuracy and a stability in any of these studies."
    most, best, _, low = highest_and_lowest(ranked["selector"], ranked["beaten_by"])
    if len(best) > 1:
        who = (
            f"{all_of(len(best), 'selector')} are dominated equally often"
            if best == most
            else f"{join_tied(best)} are dominated least"
        )
    else:
        who = f"{best[0]} is dominated least"
    n_studies, everywhere = int(ranked["counted"].iloc[0]), len(ranked) == (ranks["counted"] > 0).sum()
    over = f"{'Over' if everywhere else 'Of the selectors that are in'} {n_studies} of {studies} studies"
    level = ranked[~ranked["selector"].isin(best) & ~(ranked["p_holm"] < LEVEL)]["selector"].tolist()
    if studies == 1:
        chance = f"; in another one {join_tied(level)} may be dominated as little" if level else ""
        return f"In this one study {who}, by {several(int(low), 'other selector')}{chance}."
    chance = f", but over so few that {join_tied(level)} may be dominated as little" if level else ""
    return f"{over}, {who}, by {rounded(low)} other selectors on average{chance}."


def draw_studies(frame):
    """The rank table as dots: a row a selector, the least beaten on top; a small symbol for each study, a bar for the mean.

    A symbol is filled where the selector is on the front of that study as measured; studies stand below each other in a row.
    """
    ranks, placed = table_ranks(frame), rivals(frame).dropna(subset="beaten_by")
    names = ranks.loc[ranks["counted"] > 0, "selector"].tolist()[::-1]
    place, studies = {name: i for i, name in enumerate(names)}, list(frame["study"].unique())
    called, looks = short_names(names), list(channels(studies).values())
    figure = blank(x="Selectors that dominate it<br>(0: on the front)", height=150 + STUDY_ROW * max(len(names), 2))
    means = ranks.set_index("selector")["beaten_by"].reindex(names)
    figure.add_scatter(
        x=means,
        y=list(place.values()),
        mode="markers",
        name="mean",
        hoverinfo="text",
        hovertext=[f"{safe(name)}: {rounded(mean)} on average" for name, mean in means.items()],
        marker={"symbol": "line-ns-open", "size": 26, "color": MEAN_COLOUR, "line": {"width": 4, "color": MEAN_COLOUR}},
    )
    shift = np.linspace(STUDY_SPREAD, -STUDY_SPREAD, len(studies)) if len(studies) > 1 else [0.0]
    for study, (colour, symbol, _), down in zip(studies, looks, shift, strict=True):
        part = placed[placed["study"] == study]
        hovers = [
            f"{safe(study)} · {safe(row.selector)}: beaten by {row.beaten_by:.0f}<br>"
            f"stability {format_estimate(row.stability, row.stability_low, row.stability_high)}<br>"
            f"accuracy {format_estimate(row.accuracy, row.accuracy_low, row.accuracy_high)}"
            for row in part.itertuples()
        ]
        figure.add_scatter(
            x=part["beaten_by"],
            y=[place[name] + down for name in part["selector"]],
            mode="markers",
            name=_shorten_study(study),
            hovertext=hovers,
            hoverinfo="text",
            marker={
                "color": colour,
                "size": 10,
                "line": {"width": 2, "color": colour},
                "symbol": [symbol if on else f"{symbol}-open" for on in part["on_front"]],
            },
        )
    name_rows(figure, list(place.values()), [row_name(called[name]) for name in names], range=[-0.6, max(len(names), 1) - 0.4])
    most = max(placed["beaten_by"].max() if len(placed) else 1, 1)
    figure.update_xaxes(range=[-0.3, most + 0.3], **({"dtick": 1} if most < MOST_TICKS else {"nticks": 6}))
    return figure


def _shorten_study(study):
    """The name of a study in a legend."""
    return safe(study if len(study) <= LEGEND_LETTERS else f"{study[: LEGEND_LETTERS - 1]}…")
