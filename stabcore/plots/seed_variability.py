"""Seed variability: how much of the disagreement of each selector is its own, and how much comes with the rows."""

from __future__ import annotations

import numpy as np

from stabcore.base.text import join_tied
from stabcore.plots.names import name_rows, row_name, safe
from stabcore.plots.style import PALETTE, REST, blank, error_bar

WHISKER = ((4, "#F0F0F0"), (2, "#303030"))  # a dark line with light edges: seen on a bar, and beside it in the dark
NEARLY_ALL, LITTLE = 0.75, 0.25  # of the disagreement: what counts as nearly all of it, and as little


def frame_seed_variability(dice):
    """DataFrame(selector, share, low, high, rows, runs, text, note, baseline, sentence) of result.seed_variability, largest first.

    rows: 1 − share, what other rows bring; text: the share with its interval; baseline: does it pick by lot, so that it is no
    finding that its disagreement is its own? sentence: what it means.
    """
    frame = dice.reset_index().sort_values("share", ascending=False, kind="stable", ignore_index=True)
    frame["rows"] = 1 - frame["share"]
    frame["text"] = [_format_share(*row) for row in frame[["share", "low", "high"]].itertuples(index=False)]
    frame["baseline"] = frame["steadied_by"] == "nothing"
    frame["sentence"] = [describe_seed_variability(row) for row in frame.to_dict("records")]
    return frame[["selector", "share", "low", "high", "rows", "runs", "text", "note", "baseline", "sentence"]]


def _format_share(share, low, high) -> str:
    if np.isnan(share):
        return "undefined"
    return f"{share:.0%}" + ("" if np.isnan(low) else f", {low:.0%} to {high:.0%}")


def describe_seed_variability(row) -> str:
    """What the share of one selector means, and what would help. Nearly all, little: only where its whole interval says so."""
    who, share, low, high = row["selector"], row["share"], row["low"], row["high"]
    if np.isnan(share):
        return f"{who}: {row['note']}, so there is nothing to explain."
    if share == 0:
        return f"{who}: {row['note']}, so its disagreement comes with the patients that a run happens to have."
    if row["baseline"]:
        return f"{who} picks by lot: its disagreement is its own ({_format_share(share, low, high)}), as it must be."
    helps = row["steadied_by"] or "the mean of several fits"
    text = _format_share(share, low, high)
    if low >= NEARLY_ALL:
        return f"Nearly all of the disagreement of {who} is its own ({text}): {helps}, not more patients, would make it steadier."
    if high <= LITTLE:
        return f"Little of the disagreement of {who} is its own ({text}): it comes with the patients that a run happens to have."
    return f"Of the disagreement of {who} a part is its own ({text}), which {helps} would lessen; the rest comes with the patients."


def finding_seed_variability(frame) -> str:
    """Whose disagreement is nearly all its own; else whose most, where that is clear."""
    defined = frame.dropna(subset="share")
    if defined.empty:
        return "No two fits of any selector disagree."
    if not defined["baseline"].all():
        defined = defined[~defined["baseline"]]
    nearly_all = defined.loc[defined["low"] >= NEARLY_ALL, "selector"].tolist()
    if len(defined) == 1 or len(nearly_all) == 1:
        return defined["sentence"].iloc[0]
    if nearly_all:
        return (
            f"Nearly all of the disagreement of {join_tied(nearly_all)} is their own: it would come with the same patients as well."
        )
    if not defined["share"].any():
        return f"Fitted again to the same patients, {join_tied(defined['selector'].tolist())} always selected the same."
    first, others = defined.iloc[0], defined.iloc[1:]
    if first["low"] > others["high"].max():
        return (
            f"With the same patients and other dice, {first['selector']} keeps the largest share of its disagreement "
            f"({first['text']})."
        )
    low, high = f"{defined['share'].min():.0%}", f"{defined['share'].max():.0%}"
    return (
        f"With the same patients and other dice, {len(defined)} selectors keep "
        f"{low if low == high else f'{low} to {high}'} of their disagreement; whose share is largest, these runs cannot tell."
    )


def draw_seed_variability(frame):
    """A bar a selector: the part of its disagreement that is its own, with its interval, and the part that comes with the rows."""
    shown = frame.dropna(subset="share").iloc[::-1]
    figure = blank(x="Share of the disagreement<br>between runs", height=110 + 44 * max(len(shown), 2))
    positions = np.arange(len(shown))
    parts = (("share", "its own: other dice, same patients", PALETTE[1]), ("rows", "comes with the patients of a run", REST))
    for column, name, colour in parts:
        figure.add_bar(
            x=shown[column],
            y=positions,
            orientation="h",
            name=name,
            marker={"color": colour},
            width=0.5,
            text=[f"{safe(who)}: {text} its own" for who, text in zip(shown["selector"], shown["text"])],
            textposition="none",
            hovertemplate="%{text}<extra></extra>",
        )
    low, high = (shown[end].fillna(shown["share"]) for end in ("low", "high"))
    for thick, colour in WHISKER:
        figure.add_scatter(
            x=shown["share"],
            y=positions,
            mode="markers",
            marker={"color": colour, "size": 1},
            showlegend=False,
            hoverinfo="skip",
            error_x=error_bar(shown["share"], low, high, color=colour, thickness=thick, width=6),
        )
    figure.update_layout(barmode="stack")
    figure.update_xaxes(range=[0, 1.04], tickvals=[0, 0.25, 0.5, 0.75, 1], tickformat=".0%")
    name_rows(figure, positions, [row_name(name) for name in shown["selector"]])
    return figure
