"""Which way features go with the outcome and by how much: those of a panel beside each other, and one in a sentence."""

from __future__ import annotations

from collections import Counter

import numpy as np

from stabcore.analysis.effects import EXPLAINED, signed
from stabcore.figures.names import told_apart
from stabcore.figures.style import GREY, PALETTE, blank, name_rows, safe
from stabcore.wording import joined, rounded, several

MOST_SHOWN = 40
MOST_WAYS = 4
LOOKS = {1: ("goes up", PALETTE[5], "triangle-right"), -1: ("goes down", PALETTE[0], "triangle-left"),
         0: ("no direction", GREY, "circle")}
CHOSEN = ("On all rows. Intervals (95%) speak of new patients, and are right for a feature that was named before anybody looked "
          "at this table. Features of a panel were chosen because they looked large here, so effects and intervals flatter them: "
          "of 1,164 features that stayed in tables without any signal, made up to try this, every interval told of an effect.")
SEVERAL_ROWS = "Patients have several rows here; what these tell alike counts once in the intervals."


def of_patients(data) -> str:
    """What to know of the intervals where patients of the table have several rows; "" where each has one."""
    return "" if data is None or data.patients is None else SEVERAL_ROWS


def finding_directions(frame) -> str:
    """How many features of the panel go which way, of a frame_directions."""
    own = frame[frame["stays"]]
    if own.empty:
        return "No feature is in the panel; which way those that came less often go is shown all the same."
    if own["measure"].iloc[0] == EXPLAINED:
        least, most = own["effect"].min(), own["effect"].max()
        return ("Between more than two classes features differ by a size, not a way. The classes explain "
                f"{least:.0%}{f' to {most:.0%}' if len(own) > 1 else ''} of the variance of {several(len(own), 'feature')} of the "
                "panel (η²).")
    ways = Counter(way or "of no known way" for way in own["direction"]).most_common()
    told = [f"{many} {way}" for way, many in ways[:MOST_WAYS]]
    other = sum(many for _, many in ways[MOST_WAYS:])
    return f"Of the panel: {joined([*told, f'{other} other ways'] if other else told)}."


def frame_directions(panel, effects):
    """The first rows of an analysis.panel.panel with the analysis.effects.effects of each feature, and `sign`: 1, −1, 0 or NaN.

    sign: of the way, NaN where it is not known; 0 between more classes, and where a feature differs by nothing.
    """
    frame = panel[["feature", "stays", "frequency"]].head(MOST_SHOWN).merge(effects, on="feature", how="left")
    return frame.assign(sign=0 if effects["measure"].iloc[0] == EXPLAINED else np.sign(signed(frame)))


def draw_directions(frame):
    """A row a feature: its effect with its interval for new patients, beside no effect; colour and symbol tell the way.

    A row without an effect says why: nothing varies inside the classes, so that the way has no exception; or it is not known.
    """
    import plotly.graph_objects as go

    shown = frame.iloc[::-1].reset_index(drop=True)
    measure = shown["measure"].iloc[0] if len(shown) else ""
    figure = blank(x=measure[:1].upper() + measure[1:], height=140 + 22 * max(len(shown), 2))
    for sign, (name, colour, symbol) in LOOKS.items():
        own = shown[(shown["sign"] == sign) & shown["effect"].notna()]
        if own.empty:
            continue
        figure.add_trace(go.Scatter(
            x=own["effect"], y=own.index, mode="markers", name=name if measure != EXPLAINED else "effect", hoverinfo="text",
            marker={"size": 10, "color": colour, "symbol": [symbol if stays else f"{symbol}-open" for stays in own["stays"]],
                    "line": {"width": 2, "color": colour}},
            error_x={"type": "data", "symmetric": False, "array": own["high"] - own["effect"], "width": 4, "thickness": 2,
                     "arrayminus": own["effect"] - own["low"]},
            text=[f"{safe(row.feature)}: {rounded(row.effect)} [{rounded(row.low)}, {rounded(row.high)}]<br>{safe(row.direction)}"
                  for row in own.itertuples()]))
    for row in shown[shown["effect"].isna()].itertuples():
        way = f"{LOOKS[row.sign][0]}, without exception" if abs(row.sign) == 1 else "not known"
        figure.add_annotation(x=0, xref="paper", xanchor="left", y=row.Index, text=way, showarrow=False, font={"size": 12})
    figure.add_vline(x=0, line={"dash": "dot", "color": "grey"}, layer="below")
    name_rows(figure, list(shown.index), told_apart(shown["feature"]), showgrid=False,
              range=[-0.7, len(shown) - 0.3])
    return figure


def sentence_effect(row, label="") -> str:
    """Which way one feature goes and by how much, a row of analysis.effects.effects; label: the selector of whose runs it tells."""
    if np.isnan(row["effect"]):
        if row["direction"]:
            return (f"{row['feature']} is {row['direction']} (AUC {row['auc']:.2f}); its {row['measure']} has no value, as it does "
                    "not vary inside the classes.")
        return f"Which way {row['feature']} goes is not known: too few rows, or nothing varies."
    verb = "" if row["direction"].startswith(("rises", "falls")) else "is "
    way = f"{verb}{row['direction']}" if row["direction"] else "has a size but no direction"
    sentence = f"{row['feature']} {way}: a {row['measure']} of {_with_interval(row, 'effect', 'low', 'high', '.2f')}"
    if "auc" in row and not np.isnan(row["auc"]):
        sentence += f", an AUC of {_with_interval(row, 'auc', 'auc_low', 'auc_high', '.2f')}"
    if "median" in row and not np.isnan(row["median"]):
        medians = _with_interval(row, "median", "median_low", "median_high", ".3g")
        sentence += f"; medians differ by {medians} in the units of the table"
    return f"{sentence}. {_in_runs(row, label)}".strip()


def _with_interval(row, value, low, high, digits):
    return f"{row[value]:z{digits}} [{row[low]:z{digits}}, {row[high]:z{digits}}]"


def _in_runs(row, label):
    """What the runs of a selector say of an effect."""
    if "exaggeration" not in row:
        return ""
    sentence = "" if np.isnan(row["same_sign"]) else f"It goes the same way in the rows of {row['same_sign']:.0%} of the runs. "
    if np.isnan(row["exaggeration"]):
        return f"{sentence}No run of {label} selected it."
    return f"{sentence}In the runs of {label} that selected it, it {_larger(row['exaggeration'])}."


def looks(share) -> str:
    """How large a feature looks where it was selected, beside all runs, for an exaggeration of analysis.effects; "" without one.

    A share of a size near 0 is huge and says nothing by its digits: beyond 10 times no number is said.
    """
    if np.isnan(share):
        return ""
    if share < -1:
        return "goes the other way"
    if abs(share) < 0.005:
        return "as large"
    if share >= 1:
        return f"{'more than 10' if share > 9 else f'{1 + share:.1f}'} times as large"
    return f"{abs(share):.0%} {'larger' if share > 0 else 'smaller'}"


def _larger(share):
    """By how much a feature looks larger where it was selected, in a sentence."""
    told = looks(share)
    if share < -1:
        return f"{told} on average than in all"
    return f"looks {told} {'than' if told.endswith('er') else 'as'} in all"
