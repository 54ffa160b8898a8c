"""Effects of the features of a panel: direction and size, the half that did not select them, and rank intervals."""

from collections import Counter

import numpy as np

from stabcore.analysis.effects import EXPLAINED, signed_effects
from stabcore.base.text import counted, format_definite, format_span, format_with_interval, join_tied, joined, rounded
from stabcore.plots.marks import bars, error_bar, note, points, tick
from stabcore.plots.names import safe, shorten_distinctly, show_row_names, star_highlighted
from stabcore.plots.style import GREY, MEASURED, PALE_GREY, empty_figure

MAX_SHOWN = 20
MAX_DIRECTIONS = 4
ARROWS = {1: "triangle-right", -1: "triangle-left", 0: "circle"}
AS_MEASURED, SHRUNKEN = "as measured", "shrunken"
ABOUT_SELECTION_BIAS = (
    "Effects of selected features are overestimated on average. Shrinkage, which uses all features of the table, reduces this "
    "bias. The interval of a shrunken effect spans those before and after shrinkage. In simulations it contained 95 to 100% of the "
    "true effects, and 86 to 100% of the largest ones."
)
NOT_SHRUNKEN = (
    "Effects of this kind cannot be shrunk here. Effects of features that were selected on this table are overestimated on "
    "average. Their intervals lie too far from 0."
)
ABOUT_NO_ADJUSTMENT = (
    "Each effect, also the shrunken one, is that of the feature alone. The adjusted effect, among the numbers, is that beyond {}. "
    "It is not shrunk, so it is too large for selected features."
)
ABOUT_REPEATED_ROWS = "Patients have several rows here. The intervals account for correlated rows of a patient."
ABOUT_OTHER_HALF = (
    "The first half selected the features. The second half shares no patient with it, so its effects are not overestimated. "
    "Its intervals (95%) are for new patients. Another division of the patients may select other features."
)
MAX_RANKED, MAX_NAMED = 50, 5
ABOUT_RANK_INTERVALS = (
    "Features are ranked by the size of their association with the outcome, not by a selector. In simulations, the bars covered "
    "all ranks in other patients at once in 92 to 100% of tables. A selector's ranking describes these runs only."
)
NO_TABLE_NO_RANKS = (
    "A selector's ranking describes these runs only. Ranks in other patients need the table, 20 patients, and 10 of each class or "
    "with the event."
)


def describe_selection_bias(effects) -> str:
    """Describe the bias of effects of selected features, of analysis.effects.effects."""
    lacking = int(effects.loc[effects["effect"].notna(), "shrunken"].isna().sum())
    if lacking == int(effects["effect"].notna().sum()):
        return NOT_SHRUNKEN
    without = (
        f" Categories of three or more levels have no shrunken effect ({counted(lacking, 'feature')}). The level that differs most "
        "is shown, so their intervals hold for all levels at once."
    )
    return ABOUT_SELECTION_BIAS + (without if lacking else "")


def describe_adjustment(given) -> str:
    """Describe what effects are adjusted for, "" without given columns."""
    return ABOUT_NO_ADJUSTMENT.format(join_tied(list(given))) if given else ""


def describe_repeated_rows(data) -> str:
    """Describe the intervals if patients have several rows, "" otherwise."""
    return "" if data is None or data.patients is None else ABOUT_REPEATED_ROWS


def finding_directions(frame) -> str:
    """Describe the number of features of the panel with each direction, clear if its interval excludes 0, of frame_directions."""
    members = frame[frame["in_panel"]]
    if members.empty:
        return "No feature is in the panel. The figure shows the directions of the most frequent features."
    if members["measure"].iloc[0] == EXPLAINED:
        shares = format_span(f"{members['effect'].min():.0%}", f"{members['effect'].max():.0%}")
        return (
            f"The classes explain {shares} of the variance of {format_definite(len(members), 'feature')} in the panel (η²). "
            "With more than two classes an effect has no direction."
        )
    unclear = (members["value_low"] <= 0) & (members["value_high"] >= 0)
    words = members["direction"].where(~unclear, "of unclear direction")
    counts = Counter(direction or "of unknown direction" for direction in words).most_common()
    parts = [f"{count} {direction}" for direction, count in counts[:MAX_DIRECTIONS]]
    other = sum(count for _, count in counts[MAX_DIRECTIONS:])
    return f"Features of the panel: {joined([*parts, f'{other} in other directions'] if other else parts)}."


def frame_directions(panel, effects):
    """Return the first rows of analysis.panel.panel with the analysis.effects.effects of each feature.

    sign: of the direction, NaN if unknown, 0 with more than two classes or without a difference. value, value_low,
    value_high: the shrunken effect or, without one, the measured effect, as `is_shrunken` says.
    """
    frame = panel[["feature", "in_panel", "frequency"]].head(MAX_SHOWN).merge(effects, on="feature", how="left")
    frame = frame.assign(
        sign=0 if effects["measure"].iloc[0] == EXPLAINED else np.sign(signed_effects(frame)), is_shrunken=frame["shrunken"].notna()
    )
    for name, measured in (("value", "effect"), ("value_low", "low"), ("value_high", "high")):
        frame[name] = frame[name.replace("value", "shrunken")].where(frame["is_shrunken"], frame[measured])
    return frame


def draw_directions(frame):
    """Draw one row per feature: the shrunk effect with its interval, and the measured effect as a grey tick.

    A row without an effect gives the reason: no variation within classes, or an unknown effect.
    """
    shown = frame.iloc[::-1].reset_index(drop=True)
    figure = _effects_figure(shown)
    measured = shown[shown["effect"].notna()]
    hovers = [_hover_text(row, row.effect, row.low, row.high, AS_MEASURED) for row in measured.itertuples()]
    figure.add_trace(points(measured["effect"], measured.index, tick(12), hovers, name=AS_MEASURED))
    for is_shrunken, name, colour in ((True, SHRUNKEN, MEASURED), (False, "measured, with its interval", GREY)):
        part = measured[measured["is_shrunken"] == is_shrunken]
        if part.empty:
            continue
        symbols = [
            ARROWS.get(sign, "circle") + ("" if in_panel else "-open") for sign, in_panel in zip(part["sign"], part["in_panel"])
        ]
        hovers = [
            f"{_hover_text(row, row.value, row.value_low, row.value_high, name)}<br>{safe(row.direction)}"
            for row in part.itertuples()
        ]
        look = {"size": 10, "color": colour, "symbol": symbols, "line": {"width": 2, "color": colour}}
        interval = error_bar(part["value"], part["value_low"], part["value_high"], thickness=2, width=4)
        figure.add_trace(points(part["value"], part.index, look, hovers, name=name, error_x=interval))
    for row in shown[shown["effect"].isna()].itertuples():
        text = f"goes {'up' if row.sign > 0 else 'down'}, without exception" if abs(row.sign) == 1 else "unknown"
        figure.add_annotation(note(text, 0, row.Index, yanchor=None, colour=None, yref="y"))
    return _show_feature_names(figure, shown)


def _effects_figure(shown):
    measure = shown["measure"].iloc[0] if len(shown) else ""
    return empty_figure(x=measure[:1].upper() + measure[1:], height=140 + 22 * max(len(shown), 2))


def _show_feature_names(figure, shown):
    figure.add_vline(x=0, line={"dash": "dot", "color": "grey"}, layer="below")
    names = shorten_distinctly(shown["feature"])
    return show_row_names(figure, list(shown.index), names, showgrid=False, range=[-0.7, len(shown) - 0.3])


def _hover_text(row, value, low, high, what):
    return f"{safe(row.feature)}, {what}: {rounded(value)} [{rounded(low)}, {rounded(high)}]"


def frame_other_half(table):
    """Return analysis.effects.split_effects with `size`, the absolute effect on the half that selected, and `same_way`.

    same_way: the effect on the other half, positive in the direction of the first.
    """
    return table.assign(same_way=np.sign(table["chosen_effect"]) * table["effect"], size=table["chosen_effect"].abs())


def finding_other_half(frame) -> str:
    """Describe the mean effect on both halves, of frame_other_half."""
    measured = frame.dropna(subset=["size", "same_way"])
    if measured.empty:
        return "The first half selected no feature with a known effect."
    measure, size = measured["measure"].iloc[0], counted(len(measured), "feature")
    clear = measured["low"] > 0 if measure == EXPLAINED else np.sign(measured["low"]) == np.sign(measured["high"])
    return (
        f"On the half that selected {size}, the mean effect is {rounded(measured['size'].mean())} ({measure}). On the other half "
        f"it is {rounded(measured['same_way'].mean())}, and {int(clear.sum())} of {counted(len(measured), 'interval')} exclude 0."
    )


def draw_other_half(frame):
    """Draw one row per feature: its effect with interval on the other half, and a grey tick for the half that selected it."""
    shown = frame.head(MAX_SHOWN).iloc[::-1].reset_index(drop=True)
    figure = _effects_figure(shown)
    chosen = [f"{safe(row.feature)}: {rounded(row.chosen_effect)}" for row in shown.itertuples()]
    hovers = [_hover_text(row, row.effect, row.low, row.high, "other half") for row in shown.itertuples()]
    interval = error_bar(shown["effect"], shown["low"], shown["high"], thickness=2, width=4)
    look = {"size": 10, "color": MEASURED}
    figure.add_trace(points(shown["chosen_effect"], shown.index, tick(12), chosen, name="half that selected"))
    figure.add_trace(points(shown["effect"], shown.index, look, hovers, name="other half", error_x=interval))
    return _show_feature_names(figure, shown)


def describe_effect(row) -> str:
    """Describe the direction and size of one feature, a row of analysis.effects.effects."""
    feature, direction = row["feature"], row["direction"]
    if np.isnan(row["effect"]):
        if not direction:
            return f"The direction of {feature} is unknown: it has too few rows or does not vary."
        return (
            f"{feature} is {direction} (AUC {row['auc']:.2f}). It does not vary within the classes, so it has no {row['measure']}."
        )
    effect = _format_interval(row, "effect", "low", "high")
    shrunken = "" if np.isnan(row["shrunken"]) else _format_interval(row, "shrunken", "shrunken_low", "shrunken_high")
    change = f" ({'the same after shrinkage' if shrunken == effect else f'shrunken: {shrunken}'})" if shrunken else ""
    values = [f"{row['measure']} {effect}{change}"]
    if "hazard_ratio" in row and not np.isnan(row["hazard_ratio"]):
        ratio = _format_interval(row, "hazard_ratio", "hazard_ratio_low", "hazard_ratio_high")
        values.insert(0, f"hazard ratio {ratio} for {row['per']}")
    if "auc" in row and not np.isnan(row["auc"]):
        values.append(f"AUC {_format_interval(row, 'auc', 'auc_low', 'auc_high')}")
    if "median" in row and not np.isnan(row["median"]):
        values.append(f"difference of medians {_format_interval(row, 'median', 'median_low', 'median_high', '.3g')}")
    return f"{feature} {_verb(direction) + direction if direction else 'has no direction'}: {', '.join(values)}."


def describe_direction(row) -> str:
    """Describe the direction of one feature in short, a row of analysis.effects.effects. "" where it is unknown.

    The effect after shrinkage decides, because a feature is looked at for having been selected. An interval that includes no effect
    leaves the direction open.
    """
    direction, is_shrunken = row["direction"], np.isfinite(row["shrunken"])
    if not direction:
        return ""
    subject, after = ("It", ", shrunken") if is_shrunken else ("In these patients, it", "")
    claim = f"{subject} {_verb(direction)}{direction}"
    if not is_shrunken and np.isnan(row["effect"]):  # it does not vary within the classes
        return f"{claim}: AUC {rounded(row['auc'])}."
    ends = row[["shrunken", "shrunken_low", "shrunken_high"] if is_shrunken else ["effect", "low", "high"]].to_numpy(dtype=float)
    is_ratio = np.isfinite(row.get("hazard_ratio", np.nan))
    measure, shown, per = ("hazard ratio", np.exp(ends), f" per {row['per']}") if is_ratio else (row["measure"], ends, "")
    is_clear = ends[1] > 0 or ends[2] < 0  # unknown ends are not clear
    return f"{claim if is_clear else 'Its direction is not clear'}: {measure} {format_with_interval(*shown)}{per}{after}."


def _verb(direction):
    return "" if direction.startswith(("rises", "falls")) else "is "


def _format_interval(row, value, low, high, digits=".2f"):
    return f"{row[value]:z{digits}} [{row[low]:z{digits}}, {row[high]:z{digits}}]".replace("-", "−")


def finding_rank_intervals(table) -> str:
    """Describe the uncertainty of the ranking of effects, of analysis.rank_intervals.rank_intervals."""
    if table.empty:
        return NO_TABLE_NO_RANKS
    clear = table.loc[table["high"] < len(table), "feature"].tolist()
    if not clear:
        return f"The effects of these {counted(len(table), 'feature')} are not distinguishable."
    first, possible = table.iloc[0], int((table["low"] == 1).sum())
    return (
        f"In other patients, {first['feature']} may rank {first['low']} to {first['high']} of {len(table)}. {possible} of "
        f"{counted(len(table), 'feature')} may have the largest effect. Clearly larger effects than at least one other: "
        f"{join_tied(clear, MAX_NAMED)}."
    )


def frame_rank_intervals(table, highlighted=()):
    """Return the first rows of analysis.rank_intervals.rank_intervals. alone: whether a feature has a single possible rank."""
    shown = table.head(MAX_RANKED)
    return shown.assign(alone=shown["low"] == shown["high"], highlighted=shown["feature"].isin(list(highlighted)))


def draw_rank_intervals(frame):
    """Draw one row per feature: a bar over its possible ranks, a dot at its rank in this table."""
    shown = frame.iloc[::-1].reset_index(drop=True)
    figure = empty_figure(x="Rank by effect (1 = largest)", height=130 + 20 * max(len(shown), 2))
    hovers = [
        f"{safe(row.feature)}: rank {row.place} here, {row.low} to {row.high} in other patients" for row in shown.itertuples()
    ]
    look = {"base": shown["low"] - 0.5, "width": 0.6, "name": "in other patients"}
    figure.add_trace(bars(shown["high"] - shown["low"] + 1, shown.index, PALE_GREY, hovers, **look))
    figure.add_trace(points(shown["place"], shown.index, {"size": 8, "color": MEASURED}, hovers, name="in this table"))
    figure.update_xaxes(range=[0.4, max([2, *shown["high"]]) + 0.6], zeroline=False)
    names = star_highlighted(shown["feature"], shown["highlighted"])
    return show_row_names(figure, list(shown.index), names, showgrid=False, range=[-0.7, len(shown) - 0.3])
