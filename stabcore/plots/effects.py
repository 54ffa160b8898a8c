"""Effects of the features of a panel: direction and size, on the half that did not select them, and the ranks they may have."""

from __future__ import annotations

from collections import Counter

import numpy as np

from stabcore.analysis.effects import EXPLAINED, signed
from stabcore.base.text import joined, rounded, several
from stabcore.plots.names import name_rows, safe, shorten_apart, star_highlighted
from stabcore.plots.style import GREY, PALETTE, REST, blank, error_bar

MOST_SHOWN = 40
MOST_DIRECTIONS = 4
ARROWS = {1: "triangle-right", -1: "triangle-left", 0: "circle"}
AS_MEASURED, SHRUNKEN = "as measured", "shrunken"
CHOSEN = (
    "Features that were chosen in this table look larger here than in new patients. The shrunken effect allows for that, "
    "with all features of the table. In simulated tables of 100 patients it averaged 0.8 to 1.2 times the true effect. Its "
    "intervals held 93% to 99% of the true effects. In blocks of strongly correlated features it averaged 0.4 to 1.1 times "
    "the true effect, and intervals held 84% to 95%."
)
NOT_SHRUNKEN = (
    "Effects of this kind cannot be shrunken here. Features that were chosen in this table look larger here than in "
    "new patients. Their intervals lie too far from 0."
)
REPEATED_ROWS = "Patients have several rows here; what these tell alike counts once in the intervals."
OTHER_HALF = (
    "The first half selected the features. The second half shares no patient with it, so its effects are not overstated. "
    "Its intervals (95%) are for new patients. Another division of the patients selects other features."
)
MOST_RANKED = 50
MOST_NAMED = 5
RANK_INTERVALS = (
    "Features are ranked by the size of their own effect on the outcome, not by a selector's order. In at least 95 "
    "of 100 "
    "tables the bars hold all ranks in other patients at once. A selector's own order describes these runs only."
)
NO_TABLE = "The order of a selector describes these runs only. Ranks in other patients need the table, and at least 20 patients."


# ---- direction and size ----


def describe_chosen(effects) -> str:
    """What to know of the effects of chosen features, of an analysis.effects.effects."""
    lacking = int(effects.loc[effects["effect"].notna(), "shrunken"].isna().sum())
    if lacking == int(effects["effect"].notna().sum()):
        return NOT_SHRUNKEN
    return f"{CHOSEN}{f' Not given for {lacking} of the features, categories with more than two levels.' if lacking else ''}"


def describe_repeated_rows(data) -> str:
    """What to know of the intervals where patients of the table have several rows; "" where each has one."""
    return "" if data is None or data.patients is None else REPEATED_ROWS


def finding_directions(frame) -> str:
    """How many features of the panel go which way, of a frame_directions."""
    staying = frame[frame["stays"]]
    if staying.empty:
        return "No feature is in the panel; which way those that came less often go is shown all the same."
    if staying["measure"].iloc[0] == EXPLAINED:
        least, most = staying["effect"].min(), staying["effect"].max()
        return (
            "Between more than two classes features differ by a size, not a way. The classes explain "
            f"{least:.0%}{f' to {most:.0%}' if len(staying) > 1 else ''} of the variance of "
            f"{several(len(staying), 'feature')} of the panel (η²)."
        )
    ways = Counter(way or "of no known way" for way in staying["direction"]).most_common()
    parts = [f"{count} {way}" for way, count in ways[:MOST_DIRECTIONS]]
    other = sum(count for _, count in ways[MOST_DIRECTIONS:])
    return f"Of the panel: {joined([*parts, f'{other} other ways'] if other else parts)}."


def frame_directions(panel, effects):
    """The first rows of an analysis.panel.panel with the analysis.effects.effects of each feature.

    sign: of the direction, NaN where it is not known; 0 between more classes, and where a feature differs by nothing. value,
    value_low and value_high: what is drawn, the shrunken effect or, without one, the measured one, as `is_shrunken` says.
    """
    frame = panel[["feature", "stays", "frequency"]].head(MOST_SHOWN).merge(effects, on="feature", how="left")
    frame = frame.assign(
        sign=0 if effects["measure"].iloc[0] == EXPLAINED else np.sign(signed(frame)), is_shrunken=frame["shrunken"].notna()
    )
    for name, plain in (("value", "effect"), ("value_low", "low"), ("value_high", "high")):
        frame[name] = frame[name.replace("value", "shrunken")].where(frame["is_shrunken"], frame[plain])
    return frame


def draw_directions(frame):
    """One row per feature: the shrunken effect with its interval, and the measured effect as a grey tick.

    A row without an effect says why: nothing varies inside the classes, so that the way has no exception; or it is not known.
    """
    shown = frame.iloc[::-1].reset_index(drop=True)
    measure = shown["measure"].iloc[0] if len(shown) else ""
    figure = blank(x=measure[:1].upper() + measure[1:], height=140 + 22 * max(len(shown), 2))
    measured = shown[shown["effect"].notna()]
    figure.add_scatter(
        x=measured["effect"],
        y=measured.index,
        mode="markers",
        name=AS_MEASURED,
        hoverinfo="text",
        marker={"symbol": "line-ns", "size": 12, "line": {"width": 2, "color": GREY}},
        text=[_hover(row, row.effect, row.low, row.high, AS_MEASURED) for row in measured.itertuples()],
    )
    for is_shrunken, name, colour in ((True, SHRUNKEN, PALETTE[0]), (False, "measured, with its interval", GREY)):
        part = measured[measured["is_shrunken"] == is_shrunken]
        if part.empty:
            continue
        symbols = [ARROWS.get(sign, "circle") + ("" if stays else "-open") for sign, stays in zip(part["sign"], part["stays"])]
        figure.add_scatter(
            x=part["value"],
            y=part.index,
            mode="markers",
            name=name,
            hoverinfo="text",
            marker={"size": 10, "color": colour, "symbol": symbols, "line": {"width": 2, "color": colour}},
            error_x=error_bar(part["value"], part["value_low"], part["value_high"], thickness=2, width=4),
            text=[
                f"{_hover(row, row.value, row.value_low, row.value_high, name)}<br>{safe(row.direction)}"
                for row in part.itertuples()
            ],
        )
    for row in shown[shown["effect"].isna()].itertuples():
        way = f"goes {'up' if row.sign > 0 else 'down'}, without exception" if abs(row.sign) == 1 else "not known"
        figure.add_annotation(x=0, xref="paper", xanchor="left", y=row.Index, text=way, showarrow=False, font={"size": 12})
    figure.add_vline(x=0, line={"dash": "dot", "color": "grey"}, layer="below")
    name_rows(figure, list(shown.index), shorten_apart(shown["feature"]), showgrid=False, range=[-0.7, len(shown) - 0.3])
    return figure


def _hover(row, value, low, high, what):
    return f"{safe(row.feature)}, {what}: {rounded(value)} [{rounded(low)}, {rounded(high)}]"


def frame_other_half(table):
    """An analysis.effects.split_effects with its size on both halves.

    size: on the half that selected, without its sign; same_way: on the other half, positive in the direction of the first.
    """
    return table.assign(same_way=np.sign(table["chosen_effect"]) * table["effect"], size=table["chosen_effect"].abs())


def finding_other_half(frame) -> str:
    """How large chosen effects are on both halves, of a frame_other_half."""
    measured = frame.dropna(subset=["size", "same_way"])
    if measured.empty:
        return "The first half selected no feature with a known effect."
    features, measure = several(len(measured), "feature"), measured["measure"].iloc[0]
    leaves_out_0 = measured["low"] > 0 if measure == EXPLAINED else np.sign(measured["low"]) == np.sign(measured["high"])
    clear = int(leaves_out_0.sum())
    single = len(measured) == 1
    chosen, on_other = rounded(measured["size"].mean()), rounded(measured["same_way"].mean())
    return (
        f"On the half that selected {'it' if single else 'them'}, {features} {'has' if single else 'have'} a mean effect of "
        f"{chosen} ({measure}). On the other half it is {on_other}, and {clear or 'no'} "
        f"{'interval leaves' if clear < 2 else 'intervals leave'} out 0."
    )


def draw_other_half(frame):
    """One row per feature: its effect with interval on the half that did not select it, and a grey tick on the half that did."""
    shown = frame.head(MOST_SHOWN).iloc[::-1].reset_index(drop=True)
    measure = shown["measure"].iloc[0] if len(shown) else ""
    figure = blank(x=measure[:1].upper() + measure[1:], height=140 + 22 * max(len(shown), 2))
    figure.add_scatter(
        x=shown["chosen_effect"],
        y=shown.index,
        mode="markers",
        name="half that selected",
        hoverinfo="text",
        marker={"symbol": "line-ns", "size": 12, "line": {"width": 2, "color": GREY}},
        text=[f"{safe(row.feature)}: {rounded(row.chosen_effect)}" for row in shown.itertuples()],
    )
    figure.add_scatter(
        x=shown["effect"],
        y=shown.index,
        mode="markers",
        name="other half",
        hoverinfo="text",
        marker={"size": 10, "color": PALETTE[0]},
        error_x=error_bar(shown["effect"], shown["low"], shown["high"], thickness=2, width=4),
        text=[_hover(row, row.effect, row.low, row.high, "other half") for row in shown.itertuples()],
    )
    figure.add_vline(x=0, line={"dash": "dot", "color": "grey"}, layer="below")
    return name_rows(figure, list(shown.index), shorten_apart(shown["feature"]), showgrid=False, range=[-0.7, len(shown) - 0.3])


def describe_effect(row) -> str:
    """The direction and size of one feature, a row of analysis.effects.effects."""
    if np.isnan(row["effect"]):
        if row["direction"]:
            return (
                f"{row['feature']} is {row['direction']} (AUC {row['auc']:.2f}); its {row['measure']} has no value, as it does "
                "not vary inside the classes."
            )
        return f"Which way {row['feature']} goes is not known: too few rows, or nothing varies."
    verb = "" if row["direction"].startswith(("rises", "falls")) else "is "
    way = f"{verb}{row['direction']}" if row["direction"] else "has a size but no direction"
    sentence = f"{row['feature']} {way}: a {row['measure']} of {_format_interval(row, 'effect', 'low', 'high', '.2f')}"
    if "auc" in row and not np.isnan(row["auc"]):
        sentence += f", an AUC of {_format_interval(row, 'auc', 'auc_low', 'auc_high', '.2f')}"
    if "median" in row and not np.isnan(row["median"]):
        medians = _format_interval(row, "median", "median_low", "median_high", ".3g")
        sentence += f"; medians differ by {medians} in the units of the table"
    if np.isnan(row["shrunken"]):
        return f"{sentence}."
    return f"{sentence}. Shrunken, it is {_format_interval(row, 'shrunken', 'shrunken_low', 'shrunken_high', '.2f')}."


def _format_interval(row, value, low, high, digits):
    return f"{row[value]:z{digits}} [{row[low]:z{digits}}, {row[high]:z{digits}}]"


# ---- rank intervals ----


def finding_rank_intervals(table) -> str:
    """How far the order of the effects is known, of an analysis.rank_intervals.rank_intervals."""
    if table.empty:
        return NO_TABLE
    total, clear = len(table), table[table["high"] < len(table)]
    if clear.empty:
        return f"The effects of these {several(total, 'feature')} are not distinguishable."
    firsts = table.loc[table["low"] == 1, "feature"].tolist()
    first = table.iloc[0]
    who = (
        f"{firsts[0]} has the largest effect"
        if len(firsts) == 1
        else f"Any of {several(len(firsts), 'feature')} may have the largest effect"
    )
    return f"{who}. {first['feature']} ranks {_format_ranks(first)} of {total} in other patients.{_describe_others(clear, first)}"


def _format_ranks(row):
    return f"{row['low']}" if row["low"] == row["high"] else f"{row['low']} to {row['high']}"


def _describe_others(clear, first):
    """The further features that surely rank above some other feature."""
    names = [name for name in clear["feature"] if name != first["feature"]]
    if not names:
        return ""
    named = names[:MOST_NAMED] if len(names) <= MOST_NAMED else [*names[: MOST_NAMED - 1], f"{len(names) - MOST_NAMED + 1} others"]
    return f" {joined(named)} also {'rank' if len(names) > 1 else 'ranks'} above at least one other."


def frame_rank_intervals(table, highlighted=()):
    """The first rows of an analysis.rank_intervals.rank_intervals; alone: whether a feature holds one rank only."""
    shown = table.head(MOST_RANKED)
    return shown.assign(alone=shown["low"] == shown["high"], highlighted=shown["feature"].isin(list(highlighted)))


def draw_rank_intervals(frame):
    """One row per feature: a bar over the ranks that it may have, a dot at its rank in this table."""
    shown = frame.iloc[::-1].reset_index(drop=True)
    figure = blank(x="Rank by effect (1 = largest)", height=130 + 20 * max(len(shown), 2))
    hovers = [
        f"{safe(row.feature)}: rank {row.place} here, {row.low} to {row.high} in other patients" for row in shown.itertuples()
    ]
    figure.add_bar(
        x=shown["high"] - shown["low"] + 1,
        base=shown["low"] - 0.5,
        y=shown.index,
        orientation="h",
        width=0.6,
        name="in other patients",
        marker={"color": REST},
        hoverinfo="text",
        hovertext=hovers,
    )
    figure.add_scatter(
        x=shown["place"],
        y=shown.index,
        mode="markers",
        name="in this table",
        hoverinfo="text",
        text=hovers,
        marker={"size": 8, "color": PALETTE[0]},
    )
    names = star_highlighted(shown["feature"], shown["highlighted"])
    figure.update_xaxes(range=[0.4, max([2, *shown["high"]]) + 0.6], zeroline=False)
    return name_rows(figure, list(shown.index), names, showgrid=False, range=[-0.7, len(shown) - 0.3])
