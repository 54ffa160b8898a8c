"""Points of selectors by accuracy, stability and size: who dominates whom, what of that is clear, and how they are drawn."""

from __future__ import annotations

import numpy as np

from stabcore.analysis.compare_selectors import above
from stabcore.analysis.pareto import BEATEN, CRITERIA, ON, OPEN, standings
from stabcore.base.text import be, join_tied, joined
from stabcore.plots.labels import POINT_SIZE, place_labels
from stabcore.plots.names import safe, safe_short_names
from stabcore.plots.style import GREY, INK, POINT_COLOUR, POINT_PALE, plot_height
from stabcore.plots.values import axis_ticks, format_estimate, format_on_unit_scale
from stabcore.selectors.baseline import is_baseline, rivals

NOT_MEASURED = "The noise floor of these selectors was not measured, so none of them is judged."
MOST_NAMED = 10  # points with a name beside them; more names would cover the points
RINGED_SIZE = 22  # pixels of a point that is marked, with its ring
BASELINE = "does not compete"  # the standing of what is drawn beside the front and does not compete
STANDING_WORDS = {
    ON: "on the Pareto front",
    OPEN: "not distinguishable from the front",
    BEATEN: "dominated",
    BASELINE: "random ranking, does not compete",
}


# ---- who dominates whom ----


def selector_points(table, key, accuracy):
    """One row a selector of a result table: stability by one measure, its noise floor, one kind of accuracy, mean size."""
    import pandas as pd

    frame = pd.DataFrame({"selector": table.index, "measure": key})
    for name, column in (("stability", key), ("accuracy", accuracy)):
        for part in ("", "_low", "_high"):
            frame[name + part] = table[column + part].to_numpy(dtype=float) if column + part in table else np.nan
    for name, other in (("measured", frame["stability"]), ("floor", np.nan), ("clear", False)):
        frame[name] = table[f"{key}_{name}"].to_numpy() if f"{key}_{name}" in table else other
    return frame.assign(size=table["mean_size"].to_numpy(dtype=float))


def by_criterion(pairs, key, accuracy):
    """{criterion: the differences of every two selectors in it, or None} of {measure, score or "size": the same}."""
    pairs = pairs or {}
    return {"accuracy": pairs.get(accuracy), "stability": pairs.get(key), "size": pairs.get("size")}


def floor_is_known(frame) -> bool:
    """Whether the noise floor of these points was measured, so that they can be judged."""
    return bool(rivals(frame)["floor"].notna().any())


def place_points(frame, pairs, criteria=CRITERIA, smaller=()):
    """The points with beaten_by, on_front and standing; pairs as by_criterion gives them. Baselines do not compete.

    Without a measured noise floor nothing is clear, in any criterion: there is no verdict.
    """
    competing, judged = rivals(frame), floor_is_known(frame)
    clear = [
        above(pairs[criterion] if judged else None, competing["selector"], smaller=criterion in smaller) for criterion in criteria
    ]
    standing = standings(competing, clear, criteria, smaller=smaller)[["beaten_by", "on_front", "standing"]].reindex(frame.index)
    yardstick = frame["selector"].map(is_baseline) & frame[list(criteria)].notna().all(axis=1)
    return frame.assign(
        beaten_by=standing["beaten_by"].astype(float),
        on_front=standing["on_front"].eq(True),
        standing=standing["standing"].fillna("").mask(yardstick, BASELINE),
    )


def describe_standing(frame, better, lead="") -> str:
    """Who is not dominated as far as these runs tell, and of whom they leave it open. better: what dominating is, in words."""
    placed = frame[frame["beaten_by"].notna() & (frame["standing"] != BASELINE)]
    if not floor_is_known(placed):
        return NOT_MEASURED
    on, open_, beaten = (placed[placed["standing"] == standing]["selector"].tolist() for standing in (ON, OPEN, BEATEN))
    if len(placed) == 1:
        return f"{lead}{placed['selector'].iloc[0]} is the only selector that can be placed."
    first = (
        f"no other selector is {better} than {joined(on, 'or')}"
        if on
        else (f"{join_tied(open_, 5)} {be(len(open_))} not distinguishable")
        if open_
        else ""
    )
    sentence = lead + first
    sentences = [f"{sentence[0].upper()}{sentence[1:]}."] if first else []
    return " ".join([*sentences, *([f"{join_tied(beaten, 5)} {be(len(beaten))} dominated."] if beaten else [])])


def describe_movement(before, after) -> str:
    """What becomes clear, and what does not stay clear, from one front to another, as part of a sentence."""
    was, now = (frame.set_index("selector")["standing"] for frame in (before, after))
    changed = [name for name in now.index if was.get(name) and now[name] and was[name] != now[name]]
    parts = []
    for standing, words in ((ON, "clearly on the front"), (BEATEN, "dominated"), (OPEN, "not distinguishable from the front")):
        names = [name for name in changed if now[name] == standing]
        parts += [f"{joined(names)} {be(len(names))} now {words}"] if names else []
    return joined(parts) if parts else "nothing changes that these runs can tell"


def describe_missing(frame) -> str:
    """Which selectors cannot be placed, or nothing."""
    lost = list(dict.fromkeys(frame[frame["standing"] == ""]["selector"]))
    return f"Not drawn, because a criterion is missing: {joined(lost)}." if lost else ""


# ---- the points ----


def _hover_values(row, *axes):
    """The values of a row on some axes with their intervals, one line each."""
    return "<br>".join(f"{_name_of(axis, row)} {format_estimate(row[axis], *interval_of(row, axis))}" for axis in axes)


def _name_of(axis, row):
    return "stability beyond the noise floor" if axis == "stability" and np.isfinite(row.get("floor", np.nan)) else axis


def add_points(figure, placed, x, y, called, *, bars=("stability",), chosen=(), reach=(None, None), free=(), ringed=None):
    """A trace for each row of a frame: filled on the front as measured, hollow elsewhere and where no noise floor is known.

    called: all selectors, from which short names are made. bars: axes whose 95% interval is drawn. chosen: marked with a ring.
    reach: of the two axes, where it is fixed. free: boxes that names leave free, see stabcore.plots.labels. ringed: {selector:
    pixels of its point with a ring around it} which the caller draws. customdata: the row of the frame.
    """
    short = safe_short_names(list(called))
    for number, row in zip(placed.index, placed.to_dict("records"), strict=True):
        filled, marked = _is_filled(row), row["selector"] in chosen
        colour, name = POINT_COLOUR if filled else GREY, safe(row["selector"])
        figure.add_scatter(
            x=[row[x]],
            y=[row[y]],
            name=short[row["selector"]],
            legendgroup=name,
            mode="markers",
            customdata=[int(number)],
            showlegend=False,
            selected={"marker": {"opacity": 1}},
            unselected={"marker": {"opacity": 1}},
            marker={
                "color": colour,
                "size": 16 if marked else 11,
                "symbol": "circle" if filled else "circle-open",
                "line": {"width": 4 if marked else 2, "color": INK if marked else colour},
            },
            error_x=_error_bar(row, x, colour) if x in bars else None,
            error_y=_error_bar(row, y, colour) if y in bars else None,
            hoverinfo="text",
            hovertext=[f"{name}<br>{_hover_values(row, x, y)}<br>{_describe_standing(row)}{_describe_halves(row)}"],
        )
    _add_names(figure, placed, x, y, short, reach, free, {**dict.fromkeys(chosen, RINGED_SIZE), **(ringed or {})}, bars)


def _describe_standing(row):
    """What is clear about a point; without a noise floor there is no verdict."""
    return STANDING_WORDS[row["standing"]] if row["standing"] == BASELINE or np.isfinite(row.get("floor", np.nan)) else "not judged"


def _is_filled(row):
    """On the front of those that are judged; who predicts no better than always naming the larger class is nobody's choice."""
    better = row.get("better")  # unknown where there is no larger class, or too few rows
    useless = isinstance(better, (bool, np.bool_)) and not better
    return bool(row["on_front"]) and np.isfinite(row.get("floor", np.nan)) and not useless


def join_settings(figure, placed, x, y, families):
    """A thin line through the points of all settings of one selector, in the order of x; families: {selector: what it is of}."""
    for family, settings in placed[placed["selector"].isin(list(families))].groupby(placed["selector"].map(families), sort=False):
        settings = settings.dropna(subset=[x, y]).sort_values(x)
        if len(settings) > 1:
            figure.add_scatter(
                x=settings[x],
                y=settings[y],
                mode="lines",
                name=safe(family),
                hoverinfo="skip",
                showlegend=False,
                line={"color": POINT_PALE, "width": 1.5},
            )


def _add_names(figure, placed, x, y, short, reach, free, ringed, bars):
    """Names beside the points: those that are marked first, then the front, at most MOST_NAMED."""
    first = placed.assign(other=~placed["selector"].isin(list(ringed)), behind=~placed["on_front"]).sort_values(
        ["other", "behind"], kind="stable"
    )
    names = [short[selector] if place < MOST_NAMED else "" for place, selector in enumerate(first["selector"])]
    ends_x, ends_y = (
        first.filter([f"{axis}_low", f"{axis}_high"]).to_numpy(dtype=float) if axis in bars else None for axis in (x, y)
    )
    wide = [ringed.get(selector, POINT_SIZE) for selector in first["selector"]]
    places = place_labels(first[x], first[y], names, ends_x, ends_y, reach, free, wide, plot_height(figure))
    for row, name, place in zip(first.to_dict("records"), names, places, strict=True):
        if place is not None:
            figure.add_annotation(
                x=row[x],
                y=row[y],
                xshift=place[0],
                yshift=place[1],
                showarrow=False,
                borderpad=0,
                text=f"<b>{name}</b>" if _is_filled(row) else name,
                font={"size": 12, "color": INK if _is_filled(row) else "grey"},
            )


def describe_unnamed(n_points) -> str:
    """That not all of so many points have a name; "" where all have one."""
    return "" if n_points <= MOST_NAMED else f"{MOST_NAMED} of {n_points} points are named, the front first; point at the others. "


def set_axis(figure, which, ends, percent=False):
    """Range and ticks of an axis of a figure; percent: shares, with the sign on the highest tick alone."""
    values = axis_ticks(*ends) if ends is not None else []
    text = [f"{100 * value:g}" for value in values] if percent else [format_on_unit_scale(value) for value in values]
    if percent and text:
        text[-1] += "%"
    figure.layout[which].update(range=ends, **({"tickvals": values, "ticktext": text} if values else {}))


def _describe_halves(row):
    """In how many half-samples it is on the front, as a further line."""
    share = row.get("share", np.nan)
    return "" if np.isnan(share) else f"<br>on the front in {share:.0%} of random halves of the runs"


def interval_of(row, axis):
    """(low, high) of a value of a row; NaN where there is none."""
    return row.get(f"{axis}_low", np.nan), row.get(f"{axis}_high", np.nan)


def _error_bar(row, axis, colour):
    """The 95% interval of a value; of a lower limit alone it ends at the value."""
    low, high = interval_of(row, axis)
    high = row[axis] if np.isnan(high) and np.isfinite(low) else high
    if not np.isfinite(low + high):
        return None
    return {
        "type": "data",
        "symmetric": False,
        "array": [high - row[axis]],
        "arrayminus": [row[axis] - low],
        "thickness": 2.5,
        "width": 0,
        "color": colour,
    }
