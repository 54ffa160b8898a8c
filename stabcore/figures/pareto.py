"""Accuracy against stability: which selectors no other beats in both, as points with their intervals."""

from __future__ import annotations

import numpy as np

from stabcore.analysis.pairs import above
from stabcore.analysis.pareto import BEATEN, CRITERIA, ON, OPEN, standings
from stabcore.analysis.pareto import alike as alike_sets
from stabcore.figures.areas import shade
from stabcore.figures.estimates import written
from stabcore.figures.floor import draw_floor
from stabcore.figures.labels import EDGE, at_left, at_right
from stabcore.figures.points import BASELINE, SAID, add_points, join_settings, told
from stabcore.figures.style import FLOOR, FLOOR_COLOUR, GREY, blank, brief, channels, plot_height, safe
from stabcore.measures.catalog import entry
from stabcore.selectors.baseline import is_baseline, rivals
from stabcore.wording import be, join_tied, joined

NOTHING_ABOVE = "None of them is clearly more stable than without any signal."
FOR_NEW = "bars: for new patients"
FOR_RESAMPLES = "bars: for other resamples"
LARGER = "always the larger class: {:.2f}"


def frame_fronts(table, keys, accuracy="accuracy", pairs=None, shares=None):
    """DataFrame(selector, measure, stability, stability_low, stability_high, accuracy, accuracy_low, accuracy_high, size,
    beaten_by, on_front, alike, standing, share): one row a selector and measure.

    pairs: {measure or score: DataFrame of its differences between every two selectors, see analysis.pairs}; standing says what is
    clear by these, and alike numbers the sets of those that nothing tells apart. beaten_by and on_front follow the numbers as they
    were measured; share: of random halves of the runs, in how many it is on the front, of shares {measure: Series} as
    analysis.half_samples gives it.
    """
    import pandas as pd

    frames = [placed(points(table, key, accuracy), by_criterion(pairs, key, accuracy)) for key in keys]
    of = shares or {}
    return pd.concat([own.assign(share=own["selector"].map(of.get(key, pd.Series(dtype=float))).astype(float))
                      for key, own in zip(keys, frames, strict=True)], ignore_index=True)


def points(table, key, accuracy):
    """One row a selector of a result table: stability by one measure, one kind of accuracy, mean size."""
    import pandas as pd

    frame = pd.DataFrame({"selector": table.index, "measure": key})
    for name, column in (("stability", key), ("accuracy", accuracy)):
        for part in ("", "_low", "_high"):
            frame[name + part] = table[column + part].to_numpy(dtype=float) if column + part in table else np.nan
    return frame.assign(size=table["mean_size"].to_numpy(dtype=float))


def by_criterion(pairs, key, accuracy):
    """{criterion: the differences of every two selectors in it, or None} of {measure, score or "size": the same}."""
    pairs = pairs or {}
    return {"accuracy": pairs.get(accuracy), "stability": pairs.get(key), "size": pairs.get("size")}


def placed(frame, pairs, criteria=CRITERIA, smaller=()):
    """The points with beaten_by, on_front and standing; pairs as by_criterion gives them. Baselines do not compete."""
    own = rivals(frame)
    clear = [above(pairs[one], own["selector"], smaller=one in smaller) for one in criteria]
    standing = standings(own, clear, criteria, smaller=smaller)[["beaten_by", "on_front", "standing"]].reindex(frame.index)
    yardstick = frame["selector"].map(is_baseline) & frame[list(criteria)].notna().all(axis=1)
    return frame.assign(beaten_by=standing["beaten_by"].astype(float), on_front=standing["on_front"].eq(True),
                        alike=_sets(own, clear, [pairs[one] for one in criteria], criteria).reindex(frame.index).fillna(""),
                        standing=standing["standing"].fillna("").mask(yardstick, BASELINE))


def _sets(own, clear, pairs, criteria):
    """Of each point the numbers of the sets that cannot be told apart it is in; none where a criterion was not compared."""
    import pandas as pd

    numbers = pd.Series("", index=own.index)
    known = own[list(criteria)].notna().all(axis=1).to_numpy()
    if any(one is None for one in pairs) or known.sum() < 2:
        return numbers
    for number, rows in enumerate(alike_sets([one[np.ix_(known, known)] for one in clear]), start=1):
        numbers.iloc[np.flatnonzero(known)[list(rows)]] += f" {number}"
    return numbers.str.strip()


def finding_fronts(frame, floor=None) -> str:
    """Who is on the front beyond what may be chance, and what changes when features may stand for each other.

    floor: a frame_floor of the first measure; with it, it is said when no selector is clearly more stable than without any signal.
    """
    parts = {key: own for key, own in frame.groupby("measure", sort=False)}
    (first, own), *others = parts.items()
    if own["beaten_by"].isna().all():
        return "No selector has both an accuracy and a stability yet."
    sentence = sentence_standing(own, "both more accurate and more stable", f"By {entry(first).label}, ") + _none_above(own, floor)
    if not others:
        return sentence
    other, theirs = others[0]
    if theirs["beaten_by"].isna().all():
        return f"{sentence} By {entry(other).label}, no selector has a stability that is defined."
    return f"{sentence} By {entry(other).label}, {movement(own, theirs)}."


def _none_above(own, floor):
    """A sentence when the interval of no selector that looks at the outcome lies above its floor; "" where a floor is not known."""
    if floor is None or floor.empty:
        return ""
    own = rivals(own).dropna(subset="stability")
    highest = floor["high"].fillna(floor["floor"]).set_axis(floor["selector"])
    highest = own["selector"].map(highest) if "" not in highest else highest[""]
    above_it = ~(own["stability_low"].fillna(own["stability"]) <= highest)
    return "" if own.empty or above_it.any() else f" {NOTHING_ABOVE}"


def sentence_standing(frame, better, lead="") -> str:
    """Whom no other beats as far as these runs tell, and of whom they leave it open. better: what beating is, in words."""
    known = frame[frame["beaten_by"].notna()]
    on, open_, beaten = (known[known["standing"] == one]["selector"].tolist() for one in (ON, OPEN, BEATEN))
    if len(known) == 1:
        return f"{lead}{on[0]} is the only selector that can be placed."
    but = f"; {join_tied(beaten)} {be(len(beaten))} beaten" if beaten else ""
    if on:
        of = f"; whether others beat {join_tied(open_, 5, 'or')}, these runs leave open" if open_ else ""
        sentence = f"in these runs no other selector is {better} than {joined(on, 'or')}{of}{but}."
    else:
        sentence = f"these runs leave open whether others beat {join_tied(open_, 5, 'or')}{but}."
    return lead + sentence if lead else sentence[0].upper() + sentence[1:]


def movement(before, after) -> str:
    """What becomes clear, and what does not stay clear, from one front to another, as part of a sentence."""
    was, now = (one.set_index("selector")["standing"] for one in (before, after))
    changed = [one for one in now.index if was.get(one) and now[one] and was[one] != now[one]]
    on, beaten, open_ = ([one for one in changed if now[one] == standing] for standing in (ON, BEATEN, OPEN))
    parts = [f"{joined(who)} {be(len(who))} now clearly {words}" for who,
             words in ((on, "on the front"), (beaten, "beaten")) if who]
    parts += [f"it is now open whether others beat {joined(open_, 'or')}"] if open_ else []
    return joined(parts) if parts else "nothing changes beyond what these runs leave open"


def missing(frame) -> str:
    """Which selectors cannot be placed, or nothing."""
    lost = list(dict.fromkeys(frame[frame["standing"] == ""]["selector"]))
    return f"Not drawn, because a criterion is missing: {joined(lost)}." if lost else ""


def draw_fronts(frame, key=None, score="Accuracy", *, ellipses=False, dominated=True, chosen=(), floor=None, others=(),
                guessed=np.nan, families=None):
    """One measure of the frame: a point for each selector with its name, filled on the front, hollow where beaten, hollow with a
    dot where that is open; the same axes for every key. The dotted line joins the front as it was measured; what cannot be told
    apart in either criterion is shaded as one. A random ranking is a tick at the edge, so that it takes no room.

    ellipses: instead of bars, an ellipse that reaches as far as both intervals. dominated: draw those too that are beaten. chosen:
    with a ring. floor: a frame_floor of this measure, a line or a tick left of each point. others: the floors of other measures,
    for which the shared axis has room. guessed: the accuracy of naming always the larger class, a line, or an arrow where that lies
    far below. families: as `settings_of_one` gives them, joined by a line each. The customdata of a point is the row of its
    selector in the frame.
    """
    import plotly.graph_objects as go

    key = key or frame["measure"].iloc[0]
    own = frame[(frame["measure"] == key) & (frame["standing"] != "")]
    figure = blank(x=f"{entry(key).label}<br>({FOR_RESAMPLES})", y=f"{score} on held-out rows<br>({FOR_NEW})", height=480)
    figure.update_layout(showlegend=False)
    edge = own[own["on_front"]].sort_values("stability")
    figure.add_trace(go.Scatter(x=edge["stability"], y=edge["accuracy"], mode="lines", name="front", hoverinfo="skip",
                                line={"color": "grey", "dash": "dot", "shape": "vh"}))
    shown = own if dominated else own[own["standing"] != BEATEN]
    styles, rival = channels(frame["selector"].unique()), shown["standing"] != BASELINE
    room = [one for one in (floor, *others) if one is not None]
    up, always, named = _larger_class(_with(reach_of(frame, "accuracy"), shown[~rival]["accuracy"]), guessed)
    reach = {"stability": reach_of(frame, "stability", room), "accuracy": up}
    shade(figure, shown[rival], reach)
    join_settings(figure, shown[rival], "stability", "accuracy", families or {}, styles)
    if floor is not None:
        draw_floor(floor, figure, axis="x", at=shown[rival].set_index("selector")["accuracy"].to_dict(), styles=styles)
        say_floor(figure, floor)
    free = left_free(figure, shown[~rival], reach["accuracy"], styles)
    if named:
        free += at_right(named, always, up, plot_height(figure))
    add_points(figure, shown[rival], "stability", "accuracy", styles, chosen=chosen, ellipses=ellipses,
               reach=tuple(reach.values()), kept=free)
    at_edge(figure, shown[~rival], reach["stability"], styles)
    if always == guessed:
        figure.add_hline(y=guessed, line={"color": GREY, "width": 1.2}, layer="below")
    if named:
        figure.add_annotation(text=named, x=1, xref="x domain", y=always, xanchor="right", yanchor="bottom", showarrow=False,
                              font={"size": 11, "color": "grey"})
    for axis, ends in (("xaxis", reach["stability"]), ("yaxis", reach["accuracy"])):
        figure.layout[axis].update(range=ends)
    return figure


def reach_of(frame, name, floors=()):
    """[low, high] of one axis, the same for every measure of the frame: all intervals of rivals and the floors, with some room."""
    own = frame[~frame["selector"].map(is_baseline)]
    own = own if own[name].notna().any() else frame
    parts = [own[[name, f"{name}_low", f"{name}_high"]].to_numpy(dtype=float).ravel()]
    parts += [one["floor"].to_numpy(dtype=float) for one in floors]
    ends = np.concatenate(parts)
    ends = ends[np.isfinite(ends)]
    return [ends.min() - 0.08 * np.ptp(ends) - 0.01, ends.max() + 0.08 * np.ptp(ends) + 0.01] if len(ends) else None


def _with(ends, values):
    """Ends of an axis that reach some values, too."""
    known = np.asarray(values, dtype=float)
    known = known[np.isfinite(known)]
    return ends if ends is None or not len(known) else [min(ends[0], known.min() - 0.01), max(ends[1], known.max() + 0.01)]


def _larger_class(ends, guessed):
    """([low, high] of the axis of accuracy, where on it the larger class is named, its name): beside its line; or, where that
    lies so far below that it would take more than half of the picture from the points, at the lower edge with an arrow."""
    if ends is None or not np.isfinite(guessed):
        return ends, np.nan, ""
    wider = _with(ends, [guessed])
    if ends[0] - wider[0] > ends[1] - ends[0]:
        return ends, ends[0], f"{LARGER.format(guessed)} ↓"
    return wider, guessed, LARGER.format(guessed)


def say_floor(figure, floor):
    """The name of the line, since there is no legend; ticks say theirs under the pointer and in the sentence below."""
    if len(floor) == 1:
        figure.add_annotation(x=floor["floor"].iloc[0], y=1, yref="paper", yanchor="top", xanchor="left", showarrow=False,
                              text=FLOOR, font={"size": 11, "color": FLOOR_COLOUR}, textangle=-90)


def left_free(figure, own, reach, styles):
    """Boxes of the names that `at_edge` writes; reach: of the accuracy."""
    return at_left([brief(list(styles))[one] for one in own["selector"]], own["accuracy"], reach,
                   plot_height(figure))


def at_edge(figure, own, ends, styles):
    """Random rankings as ticks at the left edge, at their accuracy."""
    import plotly.graph_objects as go

    for number, row in zip(own.index, own.to_dict("records"), strict=True):
        name = safe(row["selector"])
        figure.add_trace(go.Scatter(
            x=[ends[0]], y=[row["accuracy"]], mode="markers", name=brief(list(styles))[row["selector"]], cliponaxis=False,
            customdata=[int(number)],
            marker={"symbol": "line-ew-open", "size": 22, "color": GREY, "line": {"width": 3, "color": GREY}},
            hoverinfo="text", hovertext=[f"{name}<br>{told(row, 'stability', 'accuracy')}<br>{SAID[row['standing']]}"]))
        figure.add_annotation(x=ends[0], y=row["accuracy"], text=brief(list(styles))[row["selector"]], showarrow=False,
                              xanchor="left", yanchor="top", xshift=EDGE, font={"size": 11, "color": "grey"})


def table_chosen(table, keys, frame, selectors):
    """DataFrame of some selectors side by side as people read it: stabilities, accuracies, size, how many dominate each."""
    import pandas as pd

    own = table.loc[[one for one in selectors if one in table.index]]
    chosen = pd.DataFrame({"selector": own.index})
    for key in [*keys, "accuracy", "balanced_accuracy", "auc"]:
        if key in own and (key in keys or own[key].notna().any()):
            label = entry(key).label if key in keys else key
            chosen[label] = [written(*row) for row in own[[key, f"{key}_low", f"{key}_high"]].itertuples(index=False)]
    chosen["mean_size"] = own["mean_size"].round(1).to_numpy()
    for key in frame["measure"].unique():
        beaten = frame[frame["measure"] == key].set_index("selector")["beaten_by"]
        chosen[f"Measured below (others), {entry(key).label}"] = beaten.reindex(own.index).to_numpy()
    return chosen
