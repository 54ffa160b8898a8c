"""Accuracy against stability: which selectors no other beats in both, as points with their intervals."""

from __future__ import annotations

import numpy as np

from stabcore.figures.estimates import written
from stabcore.figures.labels import places
from stabcore.figures.style import GREY, blank, channels, safe
from stabcore.figures.ties import top
from stabcore.fronts import front
from stabcore.measures.catalog import entry
from stabcore.words import does, everyone, joined, named, two

AROUND = 48         # corners of an ellipse


def frame_fronts(table, keys, accuracy="accuracy"):
    """DataFrame(selector, measure, stability, stability_low, stability_high, accuracy, accuracy_low, accuracy_high, size,
    beaten_by, on_front): one row a selector and measure."""
    import pandas as pd

    return pd.concat([front(points(table, key, accuracy)) for key in keys], ignore_index=True)


def points(table, key, accuracy):
    """One row a selector of a result table: stability by one measure, one kind of accuracy, mean size."""
    import pandas as pd

    made = pd.DataFrame({"selector": table.index, "measure": key})
    for name, column in (("stability", key), ("accuracy", accuracy)):
        for part in ("", "_low", "_high"):
            made[name + part] = table[column + part].to_numpy(dtype=float) if column + part in table else np.nan
    return made.assign(size=table["mean_size"].to_numpy(dtype=float))


def finding_fronts(frame) -> str:
    """Who is on the front, and what changes when features may stand for each other, in one or two sentences."""
    keys = list(frame["measure"].unique())
    on = {key: frame[(frame["measure"] == key) & frame["on_front"]]["selector"].tolist() for key in keys}
    first = on[keys[0]]
    if not first:
        return "No selector has both an accuracy and a stability yet."
    sentence = (f"By {entry(keys[0]).label}, no other selector is both more accurate and more stable than "
                f"{joined(first, 'or')}.")
    if len(keys) == 1:
        return sentence
    if not on[keys[1]]:
        return f"{sentence} By {entry(keys[1]).label}, no selector has a stability that is defined."
    return f"{sentence} By {entry(keys[1]).label}, {movement(first, on[keys[1]])}."


def movement(before, after) -> str:
    """Who enters and who leaves a front, as part of a sentence."""
    enter, leave = [s for s in after if s not in before], [s for s in before if s not in after]
    return " and ".join(f"{joined(who)} {does(len(who), verb)} the front"
                        for who, verb in ((enter, "enter"), (leave, "leave")) if who) or "the front stays the same"


def missing(frame) -> str:
    """Which selectors cannot be placed, or nothing."""
    lost = list(dict.fromkeys(frame[frame["beaten_by"].isna()]["selector"]))
    return f"Not drawn, because a criterion is missing: {joined(lost)}." if lost else ""


def draw_fronts(frame, key=None, score="Accuracy", *, ellipses=False, dominated=True, chosen=()):
    """One measure of the frame: a point for each selector, filled on the front, hollow where dominated; same axis for every key.

    ellipses: instead of bars, an ellipse that reaches as far as both intervals. dominated: draw those too. chosen: with a ring.
    The customdata of a point is the row of its selector in the frame.
    """
    import plotly.graph_objects as go

    key = key or frame["measure"].iloc[0]
    own = frame[(frame["measure"] == key) & frame["beaten_by"].notna()]
    figure = blank(x=entry(key).label, y=f"{score} on held-out rows", height=480)
    edge = own[own["on_front"]].sort_values("stability")
    figure.add_trace(go.Scatter(x=edge["stability"], y=edge["accuracy"], mode="lines", name="front", hoverinfo="skip",
                                line={"color": "grey", "dash": "dot", "shape": "vh"}))
    add_points(figure, own if dominated else own[own["on_front"]], "stability", "accuracy", channels(frame["selector"].unique()),
               chosen=chosen, ellipses=ellipses)
    ends = frame[["accuracy", "accuracy_low", "accuracy_high"]].to_numpy(dtype=float)
    if np.isfinite(ends).any():
        low, high = ends[np.isfinite(ends)].min(), ends[np.isfinite(ends)].max()
        figure.update_yaxes(range=[low - 0.1 * (high - low) - 0.01, high + 0.1 * (high - low) + 0.01])
    return figure


def add_points(figure, own, x, y, styles, *, chosen=(), ellipses=False):
    """A trace for each row of a frame: filled if on_front, with bars or an ellipse where there are x_low, x_high and so on."""
    import plotly.graph_objects as go

    ends = [own.filter([f"{axis}_low", f"{axis}_high"]).to_numpy(dtype=float) for axis in (x, y)]
    words, at = places(own[x], own[y], [safe(row.selector) if row.on_front else "" for row in own.itertuples()], *ends)
    for number, row, word, place in zip(own.index, own.to_dict("records"), words, at, strict=True):
        colour, symbol, _ = styles[row["selector"]]
        name, front_word = safe(row["selector"]), "on the front" if row["on_front"] else f"beaten by {row['beaten_by']:.0f}"
        said = "<br>".join(f"{axis} {written(row[axis], *_ends(row, axis))}" for axis in (x, y))
        if ellipses:
            _ellipse(figure, row, x, y, colour)
        ring = {"width": 5, "color": GREY} if row["selector"] in chosen else {"width": 2, "color": colour}
        figure.add_trace(go.Scatter(
            x=[row[x]], y=[row[y]], name=name, legendgroup=name, mode="markers+text", customdata=[int(number)],
            text=[word], textposition=place,
            marker={"color": colour, "size": 18 if row["selector"] in chosen else 13,
                    "symbol": symbol if row["on_front"] else f"{symbol}-open", "line": ring},
            error_x=None if ellipses else _bars(row, x, colour), error_y=None if ellipses else _bars(row, y, colour),
            hoverinfo="text", hovertext=[f"{name}<br>{said}<br>{front_word}"]))


def _ends(row, axis):
    return row.get(f"{axis}_low", np.nan), row.get(f"{axis}_high", np.nan)


def _bars(row, axis, colour):
    low, high = _ends(row, axis)
    if not np.isfinite(low + high):
        return None
    return {"type": "data", "symmetric": False, "array": [high - row[axis]], "arrayminus": [row[axis] - low], "thickness": 1,
            "width": 3, "color": colour}


def _ellipse(figure, row, x, y, colour):
    """Around a point, as far as both of its intervals; each quarter has its own half widths."""
    import plotly.graph_objects as go

    ends = np.array([*_ends(row, x), *_ends(row, y)])
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
        made[f"beaten by (others), {entry(key).label}"] = beaten.reindex(own.index).to_numpy()
    return made


def table_alike(groups, table, key, score):
    """DataFrame(group, selector, score, stability, most_stable) of groups whose predictions cannot be told apart."""
    import pandas as pd

    rows = []
    for number, group in enumerate(groups, start=1):
        own = table.reindex(list(group))
        known = own[key].dropna()
        best = top(known.index, known) if len(known) else []
        rows += [[number, label, row[score], row[key], label in best] for label, row in own.iterrows()]
    return pd.DataFrame(rows, columns=["group", "selector", score, "stability", "most_stable"])


def sentence_alike(own) -> str:
    """One group of table_alike in one sentence: among equals, stability decides."""
    names, best = own["selector"].tolist(), own[own["most_stable"]]
    if len(names) == 1:
        return f"{names[0]} predicts differently from every other selector."
    if best.empty:
        return f"The predictions of {joined(names)} cannot be told apart; none of them has a stability that is defined."
    alike, stable = f"The predictions of {joined(names)} cannot be told apart", two(best["stability"].iloc[0])
    if len(best) == len(names):
        return f"{alike}; {everyone(len(best), 'selector')} are equally stable ({stable})."
    return f"{alike}; most stable of them: {named(best['selector'].tolist())} ({stable})."
