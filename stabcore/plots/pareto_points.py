"""Points of selectors by accuracy, stability and size: dominance and drawing."""

import numpy as np
import pandas as pd

from stabcore.analysis.compare_selectors import LEVEL, clearly_above
from stabcore.analysis.pareto import CRITERIA, DOMINATED, NOT_DISTINGUISHABLE, ON_FRONT, standings
from stabcore.base.text import join_tied, joined
from stabcore.plots.estimates import axis_ticks, format_estimate, format_on_unit_scale
from stabcore.plots.labels import LABEL_HEIGHT, POINT_SIZE, needs_line, place_labels
from stabcore.plots.marks import error_bar, line, note, points
from stabcore.plots.names import safe, safe_short_names
from stabcore.plots.style import GREY, INK, POINT_COLOUR, POINT_PALE, fade, plot_height
from stabcore.selectors.baseline import drop_baselines, is_baseline

NOT_MEASURED = "The noise floor of these selectors was not measured, so none of them is judged."
MAX_NAMED = 10  # largest number of points with a name, because more would cover the points
RINGED_SIZE = 22  # pixels of a marked point with its ring
BASELINE_STANDING = "does not compete"  # the standing of a baseline
STANDING_WORDS = {
    ON_FRONT: "on the Pareto front",
    NOT_DISTINGUISHABLE: "not distinguishable from the front",
    DOMINATED: "dominated",
    BASELINE_STANDING: "random ranking, does not compete",
}
ALWAYS_SEEN = {"selected": {"marker": {"opacity": 1}}, "unselected": {"marker": {"opacity": 1}}}


# ---- dominance ----


def selector_points(table, key, accuracy):
    """Return one row per selector of a result table: stability, its noise floor, one kind of accuracy, mean size."""
    frame = pd.DataFrame({"selector": table.index, "measure": key})
    for name, column in (("stability", key), ("accuracy", accuracy)):
        for part in ("", "_low", "_high"):
            frame[name + part] = table[column + part].to_numpy(dtype=float) if column + part in table else np.nan
    for name, other in (("measured", frame["stability"]), ("floor", np.nan), ("clear", False)):
        frame[name] = table[f"{key}_{name}"].to_numpy() if f"{key}_{name}" in table else other
    return frame.assign(size=table["mean_size"].to_numpy(dtype=float))


def criterion_differences(pairs, key, accuracy):
    """{criterion: the differences of all pairs of selectors, or None}, of {measure, score or "size": differences}."""
    pairs = pairs or {}
    return {"accuracy": pairs.get(accuracy), "stability": pairs.get(key), "size": pairs.get("size")}


def floor_is_known(frame) -> bool:
    """Whether the noise floor of these points was measured, so that they can be judged."""
    return bool(drop_baselines(frame)["floor"].notna().any())


def place_points(frame, pairs, criteria=CRITERIA, smaller=()):
    """Return the points with dominated_by, on_front and standing. pairs: from by_criterion. Baselines are not compared.

    Without a noise floor no difference is clear in any criterion. A standing needs one clear criterion of several, so each is
    tested at 0.05 over their number (Bonferroni), without criteria that are known exactly.
    """
    competing = drop_baselines(frame)
    tested = {criterion: pairs[criterion] if floor_is_known(frame) else None for criterion in criteria}
    level = LEVEL / max(1, sum(of is not None and of["p_holm"].between(0, 1, "neither").any() for of in tested.values()))
    clear = [clearly_above(of, competing["selector"], smaller=name in smaller, level=level) for name, of in tested.items()]
    standing = standings(competing, clear, criteria, smaller=smaller)[["dominated_by", "on_front", "standing"]].reindex(frame.index)
    yardstick = frame["selector"].map(is_baseline) & frame[list(criteria)].notna().all(axis=1)
    return frame.assign(
        dominated_by=standing["dominated_by"].astype(float),
        on_front=standing["on_front"].eq(True),
        standing=standing["standing"].fillna("").mask(yardstick, BASELINE_STANDING),
    )


def describe_standing(frame, lead="") -> str:
    """Describe which selectors are clearly on the front, and which are dominated."""
    placed = frame[frame["dominated_by"].notna() & (frame["standing"] != BASELINE_STANDING)]
    if placed.empty:
        return "No selector has all of the criteria yet."
    if not floor_is_known(placed):
        return NOT_MEASURED
    on, beaten = (placed[placed["standing"] == standing]["selector"].tolist() for standing in (ON_FRONT, DOMINATED))
    front = f"Clearly on the Pareto front: {join_tied(on, 5)}." if on else "No selector is clearly on the Pareto front."
    return lead + front + (f" Clearly dominated: {join_tied(beaten, 5)}." if beaten else "")


def describe_movement(before, after) -> str:
    """Describe the selectors that clearly change their standing from one front to another."""
    was, now = (frame.set_index("selector")["standing"] for frame in (before, after))
    changed = [name for name in now.index if was.get(name) and now[name] and was[name] != now[name]]
    parts = []
    for standing in (ON_FRONT, DOMINATED, NOT_DISTINGUISHABLE):
        names = [name for name in changed if now[name] == standing]
        parts += [f"now {STANDING_WORDS[standing]}: {joined(names)}"] if names else []
    return ", ".join(parts) or "no clear change of the front"


def describe_missing(frame) -> str:
    """A sentence with the selectors that cannot be drawn, or ""."""
    missing = list(dict.fromkeys(frame[frame["standing"] == ""]["selector"]))
    return f"Not drawn, because a criterion is missing: {joined(missing)}." if missing else ""


# ---- the points ----


def add_points(figure, placed, x, y, selectors, *, chosen=(), reach=(None, None), free=(), ringed=None):
    """Add a trace for each row: hollow if it is clearly dominated, a baseline, or without a noise floor, else filled.

    selectors: all of them, for short names. Stability has its 95% interval. chosen: marked with a ring.
    reach: fixed ranges of the axes. free: boxes that names leave free, see stabcore.plots.labels. ringed: {selector: pixels of its
    point with a ring} drawn by the caller. customdata: the row of the frame.
    """
    short = safe_short_names(list(selectors))
    for number, row in zip(placed.index, placed.to_dict("records"), strict=True):
        filled, marked, name = is_filled(row), row["selector"] in chosen, safe(row["selector"])
        colour = POINT_COLOUR if filled else GREY
        symbol = "x-thin" if row["standing"] == BASELINE_STANDING else "circle" if filled else "circle-open"
        ring = {"width": 4 if marked else 2, "color": INK if marked else colour}
        look = {"color": colour, "size": 16 if marked else 11, "symbol": symbol, "line": ring}
        axes = [letter for letter, axis in (("x", x), ("y", y)) if axis == "stability"]
        intervals = {f"error_{letter}": _interval_bar(row, colour) for letter in axes}
        legend = {"name": short[row["selector"]], "legendgroup": name, "showlegend": False, "customdata": [int(number)]}
        figure.add_trace(points([row[x]], [row[y]], look, [_hover_text(row, name, x, y)], **legend, **ALWAYS_SEEN, **intervals))
    _add_names(figure, placed, x, y, short, reach, free, {**dict.fromkeys(chosen, RINGED_SIZE), **(ringed or {})})


def _hover_text(row, name, *axes):
    """The values of a row with their intervals, its standing, and its share of random halves on the front."""
    judged, share = np.isfinite(row.get("floor", np.nan)), row.get("share", np.nan)
    titles = {"stability": "stability beyond the noise floor"} if judged else {}
    lines = [name, *(f"{titles.get(axis, axis)} {format_estimate(row[axis], *interval_ends(row, axis))}" for axis in axes)]
    lines.append(STANDING_WORDS[row["standing"]] if judged or row["standing"] == BASELINE_STANDING else "not judged")
    return "<br>".join(lines + ([] if np.isnan(share) else [f"on the front in {share:.0%} of random halves of the runs"]))


def is_filled(row):
    """Whether a judged point is not clearly dominated, unless it is known to predict no better than the largest class."""
    better = row.get("better")  # unknown without classes, or with too few rows
    useless = isinstance(better, (bool, np.bool_)) and not better
    return row["standing"] in (ON_FRONT, NOT_DISTINGUISHABLE) and np.isfinite(row.get("floor", np.nan)) and not useless


def add_family_lines(figure, placed, x, y, families):
    """Add a thin line through all settings of one selector, in the order of x. families: {selector: its family}."""
    for family, settings in placed[placed["selector"].isin(list(families))].groupby(placed["selector"].map(families), sort=False):
        settings = settings.dropna(subset=[x, y]).sort_values(x)
        if len(settings) > 1:
            figure.add_trace(line(settings[x], settings[y], POINT_PALE, 1.5, name=safe(family), showlegend=False))


def _add_names(figure, placed, x, y, short, reach, free, ringed):
    """Names beside the points: all that are ringed or on the front, and others up to MAX_NAMED."""
    first = placed.assign(other=~placed["selector"].isin(list(ringed)), behind=~placed["on_front"]).sort_values(
        ["other", "behind"], kind="stable"
    )
    named = max(MAX_NAMED, int((~first["other"] | first["on_front"]).sum()))
    names = [short[selector] if place < named else "" for place, selector in enumerate(first["selector"])]
    ends_x, ends_y = (
        first.filter([f"{axis}_low", f"{axis}_high"]).to_numpy(dtype=float) if axis == "stability" else None for axis in (x, y)
    )
    sizes = [ringed.get(selector, POINT_SIZE) for selector in first["selector"]]
    places = place_labels(first[x], first[y], names, ends_x, ends_y, reach, free, sizes, plot_height(figure))
    notes = []
    for row, name, place, size in zip(first.to_dict("records"), names, places, sizes, strict=True):
        if place is not None:
            if needs_line(place[1], size):
                away = abs(place[1]) - LABEL_HEIGHT / 2
                arrow = {"arrowhead": 0, "arrowwidth": 1, "arrowcolor": GREY, "standoff": size / 2}
                notes.append({"x": row[x], "y": row[y], "text": "", "ax": 0, "ay": -np.sign(place[1]) * away, **arrow})
            text, colour = (f"<b>{name}</b>", INK) if is_filled(row) else (name, "grey")
            look = {"xref": "x", "yref": "y", "xshift": place[0], "yshift": place[1], "borderpad": 0}
            notes.append(note(text, row[x], row[y], None, None, colour=colour, **look))
    figure.layout.annotations += tuple(notes)


def describe_unnamed(n_points) -> str:
    """A note that not all points have a name, "" if all have one."""
    return "" if n_points <= MAX_NAMED else "Points on the front and chosen points have names. Hover over the others."


def set_axis(figure, which, ends, percent=False):
    """Set range and ticks of an axis. percent: shares, with the sign on the highest tick only."""
    values = axis_ticks(*ends) if ends is not None else []
    text = [f"{100 * value:g}" for value in values] if percent else [format_on_unit_scale(value) for value in values]
    if percent and text:
        text[-1] += "%"
    figure.layout[which].update(range=ends, **({"tickvals": values, "ticktext": text} if values else {}))


def interval_ends(row, axis):
    """Return (low, high) of a value of a row, NaN if it has none."""
    return row.get(f"{axis}_low", np.nan), row.get(f"{axis}_high", np.nan)


def _interval_bar(row, colour):
    """The 95% interval of the stability. With a lower limit only, it ends at the value."""
    (low, high), value = interval_ends(row, "stability"), row["stability"]
    high = value if np.isnan(high) and np.isfinite(low) else high
    if not np.isfinite(low + high):
        return None
    return error_bar(value, np.array([low]), np.array([high]), thickness=2, width=0, color=fade(colour, 0.4))
