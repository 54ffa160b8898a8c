"""Accuracy against stability: which selectors no other beats in both, as points with their intervals."""

from __future__ import annotations

import numpy as np

from stabcore.analysis.pairs import above
from stabcore.analysis.pareto import BEATEN, CRITERIA, ON, OPEN, standings
from stabcore.figures.estimates import written
from stabcore.figures.floor import draw_floor
from stabcore.figures.labels import places
from stabcore.figures.style import GREY, blank, brief, channels, safe
from stabcore.measures.catalog import entry
from stabcore.selectors.baseline import is_baseline, rivals
from stabcore.wording import be, join_tied, joined

AROUND = 48         # corners of an ellipse
BASELINE = "a yardstick"        # the standing of what is drawn beside the front and competes with nobody
FILLS = {ON: "", OPEN: "-open-dot", BEATEN: "-open", BASELINE: "-open"}    # how a symbol says what is clear about its point
SAID = {ON: "on the front", OPEN: "open: on the front or not", BEATEN: "beaten", BASELINE: "no rival: chosen by lot"}
FOR_NEW = "bars: for new patients"
FOR_RESAMPLES = "bars: for other resamples"


def frame_fronts(table, keys, accuracy="accuracy", pairs=None):
    """DataFrame(selector, measure, stability, stability_low, stability_high, accuracy, accuracy_low, accuracy_high, size,
    beaten_by, on_front, standing): one row a selector and measure.

    pairs: {measure or score: DataFrame of its differences between every two selectors, see analysis.pairs}; standing says what is
    clear by these. beaten_by and on_front follow the numbers as they were measured.
    """
    import pandas as pd

    return pd.concat([placed(points(table, key, accuracy), by_criterion(pairs, key, accuracy)) for key in keys],
                     ignore_index=True)


def points(table, key, accuracy):
    """One row a selector of a result table: stability by one measure, one kind of accuracy, mean size."""
    import pandas as pd

    made = pd.DataFrame({"selector": table.index, "measure": key})
    for name, column in (("stability", key), ("accuracy", accuracy)):
        for part in ("", "_low", "_high"):
            made[name + part] = table[column + part].to_numpy(dtype=float) if column + part in table else np.nan
    return made.assign(size=table["mean_size"].to_numpy(dtype=float))


def by_criterion(pairs, key, accuracy):
    """{criterion: the differences of every two selectors in it, or None} of {measure, score or "size": the same}."""
    pairs = pairs or {}
    return {"accuracy": pairs.get(accuracy), "stability": pairs.get(key), "size": pairs.get("size")}


def placed(made, pairs, criteria=CRITERIA, smaller=()):
    """The points with beaten_by, on_front and standing; pairs as by_criterion gives them. Baselines do not compete."""
    own = rivals(made)
    clear = [above(pairs[one], own["selector"], smaller=one in smaller) for one in criteria]
    found = standings(own, clear, criteria, smaller=smaller)[["beaten_by", "on_front", "standing"]].reindex(made.index)
    yardstick = made["selector"].map(is_baseline) & made[list(criteria)].notna().all(axis=1)
    return made.assign(beaten_by=found["beaten_by"].astype(float), on_front=found["on_front"].eq(True),
                       standing=found["standing"].fillna("").mask(yardstick, BASELINE))


def finding_fronts(frame) -> str:
    """Who is on the front beyond what may be chance, and what changes when features may stand for each other."""
    parts = {key: own for key, own in frame.groupby("measure", sort=False)}
    (first, own), *others = parts.items()
    if own["beaten_by"].isna().all():
        return "No selector has both an accuracy and a stability yet."
    sentence = sentence_standing(own, "both more accurate and more stable", f"By {entry(first).label}, ")
    if not others:
        return sentence
    other, theirs = others[0]
    if theirs["beaten_by"].isna().all():
        return f"{sentence} By {entry(other).label}, no selector has a stability that is defined."
    return f"{sentence} By {entry(other).label}, {movement(own, theirs)}."


def sentence_standing(frame, better, lead="") -> str:
    """Whom no other beats as far as these runs tell, and of whom they leave it open. better: what beating is, in words."""
    known = frame[frame["beaten_by"].notna()]
    on, open_, beaten = (known[known["standing"] == one]["selector"].tolist() for one in (ON, OPEN, BEATEN))
    if len(known) == 1:
        return f"{lead}{on[0]} is the only selector that can be placed."
    if on:
        of = f"; whether others beat {join_tied(open_, 5, 'or')}, these runs leave open" if open_ else ""
        said = f"no other selector is {better} than {joined(on, 'or')}{of}."
    else:
        but = f"; {join_tied(beaten)} {be(len(beaten))} beaten" if beaten else ""
        said = f"these runs leave open whether others beat {join_tied(open_, 5, 'or')}{but}."
    return lead + said if lead else said[0].upper() + said[1:]


def movement(before, after) -> str:
    """What becomes clear, and what does not stay clear, from one front to another, as part of a sentence."""
    was, now = (one.set_index("selector")["standing"] for one in (before, after))
    changed = [one for one in now.index if was.get(one) and now[one] and was[one] != now[one]]
    on, beaten, open_ = ([one for one in changed if now[one] == standing] for standing in (ON, BEATEN, OPEN))
    said = [f"{joined(who)} {be(len(who))} now clearly {words}" for who, words in ((on, "on the front"), (beaten, "beaten")) if who]
    said += [f"it is now open whether others beat {joined(open_, 'or')}"] if open_ else []
    return joined(said) if said else "nothing changes beyond what these runs leave open"


def missing(frame) -> str:
    """Which selectors cannot be placed, or nothing."""
    lost = list(dict.fromkeys(frame[frame["standing"] == ""]["selector"]))
    return f"Not drawn, because a criterion is missing: {joined(lost)}." if lost else ""


def draw_fronts(frame, key=None, score="Accuracy", *, ellipses=False, dominated=True, chosen=(), floor=None):
    """One measure of the frame: a point for each selector, filled on the front, hollow where beaten, hollow with a dot where that
    is open; the same axis for every key. The dotted line joins the front as it was measured.

    ellipses: instead of bars, an ellipse that reaches as far as both intervals. dominated: draw those too that are beaten. chosen:
    with a ring. floor: a frame_floor of this measure, a line or a tick left of each point. The customdata of a point is the row of
    its selector in the frame.
    """
    import plotly.graph_objects as go

    key = key or frame["measure"].iloc[0]
    own = frame[(frame["measure"] == key) & (frame["standing"] != "")]
    figure = blank(x=f"{entry(key).label}<br>({FOR_RESAMPLES})", y=f"{score} on held-out rows<br>({FOR_NEW})", height=480)
    edge = own[own["on_front"]].sort_values("stability")
    figure.add_trace(go.Scatter(x=edge["stability"], y=edge["accuracy"], mode="lines", name="front", hoverinfo="skip",
                                line={"color": "grey", "dash": "dot", "shape": "vh"}))
    shown = own if dominated else own[own["standing"] != BEATEN]
    styles = channels(frame["selector"].unique())
    if floor is not None:
        draw_floor(floor, figure, axis="x", at=shown.set_index("selector")["accuracy"].to_dict(), styles=styles)
    add_points(figure, shown, "stability", "accuracy", styles, chosen=chosen, ellipses=ellipses)
    ends = frame[["accuracy", "accuracy_low", "accuracy_high"]].to_numpy(dtype=float)
    if np.isfinite(ends).any():
        low, high = ends[np.isfinite(ends)].min(), ends[np.isfinite(ends)].max()
        figure.update_yaxes(range=[low - 0.1 * (high - low) - 0.01, high + 0.1 * (high - low) + 0.01])
    return figure


def add_points(figure, own, x, y, styles, *, chosen=(), ellipses=False):
    """A trace for each row of a frame, its symbol by standing, with bars or an ellipse where there are x_low, x_high and so on."""
    import plotly.graph_objects as go

    ends = [own.filter([f"{axis}_low", f"{axis}_high"]).to_numpy(dtype=float) for axis in (x, y)]
    called = brief(list(styles))
    words, at = places(own[x], own[y], [called[row.selector] if row.on_front else "" for row in own.itertuples()], *ends)
    for number, row, word, place in zip(own.index, own.to_dict("records"), words, at, strict=True):
        colour, symbol, _ = styles[row["selector"]]
        colour = GREY if row["standing"] == BASELINE else colour
        name = safe(row["selector"])
        said = "<br>".join(f"{axis} {written(row[axis], *_ends(row, axis))}" for axis in (x, y))
        if ellipses:
            _ellipse(figure, row, x, y, colour)
        ring = {"width": 5, "color": GREY} if row["selector"] in chosen else {"width": 2, "color": colour}
        figure.add_trace(go.Scatter(
            x=[row[x]], y=[row[y]], name=called[row["selector"]], legendgroup=name, mode="markers+text", customdata=[int(number)],
            text=[word], textposition=place,
            marker={"color": colour, "size": 18 if row["selector"] in chosen else 13,
                    "symbol": symbol + FILLS[row["standing"]], "line": ring},
            error_x=None if ellipses else _bars(row, x, colour), error_y=None if ellipses else _bars(row, y, colour),
            hoverinfo="text", hovertext=[f"{name}<br>{said}<br>{SAID[row['standing']]}"]))


def _ends(row, axis):
    return row.get(f"{axis}_low", np.nan), row.get(f"{axis}_high", np.nan)


def _bars(row, axis, colour):
    low, high = _drawn_ends(row, axis)
    if not np.isfinite(low + high):
        return None
    return {"type": "data", "symmetric": False, "array": [high - row[axis]], "arrayminus": [row[axis] - low], "thickness": 1,
            "width": 3, "color": colour}


def _drawn_ends(row, axis):
    """Ends of a bar: of a lower limit only, it ends at the value."""
    low, high = _ends(row, axis)
    return low, row[axis] if np.isnan(high) and np.isfinite(low) else high


def _ellipse(figure, row, x, y, colour):
    """Around a point, as far as both of its intervals; each quarter has its own half widths."""
    import plotly.graph_objects as go

    ends = np.array([*_drawn_ends(row, x), *_drawn_ends(row, y)])
    if not np.isfinite(ends).all():
        return
    turn = np.linspace(0, 2 * np.pi, AROUND + 1)
    across, up = np.cos(turn), np.sin(turn)
    figure.add_trace(go.Scatter(
        x=row[x] + across * np.where(across > 0, ends[1] - row[x], row[x] - ends[0]),
        y=row[y] + up * np.where(up > 0, ends[3] - row[y], row[y] - ends[2]), mode="lines", fill="toself", opacity=0.25,
        line={"color": colour, "width": 1}, showlegend=False, hoverinfo="skip", legendgroup=safe(row["selector"])))


def table_chosen(table, keys, frame, selectors):
    """DataFrame of some selectors side by side as people read it: stabilities, accuracies, size, how many dominate each."""
    import pandas as pd

    own = table.loc[[one for one in selectors if one in table.index]]
    made = pd.DataFrame({"selector": own.index})
    for key in [*keys, "accuracy", "balanced_accuracy", "auc"]:
        if key in own and (key in keys or own[key].notna().any()):
            label = entry(key).label if key in keys else key.replace("_", " ")
            made[label] = [written(*row) for row in own[[key, f"{key}_low", f"{key}_high"]].itertuples(index=False)]
    made["mean size"] = own["mean_size"].round(1).to_numpy()
    for key in frame["measure"].unique():
        beaten = frame[frame["measure"] == key].set_index("selector")["beaten_by"]
        made[f"measured below (others), {entry(key).label}"] = beaten.reindex(own.index).to_numpy()
    return made
