"""Replication in other patients: the panel and the ranking of another study, and the accuracy in other centres."""

import numpy as np
import pandas as pd

from stabcore.base.text import counted, format_with_interval, rounded
from stabcore.plots.estimates import format_p
from stabcore.plots.marks import error_bar, line, points, segments, tick
from stabcore.plots.names import safe, shorten, shorten_distinctly, show_row_names
from stabcore.plots.style import GREY, MEASURED, PALETTE, empty_figure, fade, mark_value, set_share_axes

SAME_FEATURE, SAME_OR_SIMILAR = "the same", "the same or a similar one"
REFERENCE = {"shuffled": "noise floor", "chance": "chance"}
MAX_SHOWN = 40
VERDICTS = {
    "yes": "in both panels",
    "related": "a similar feature in the other panel",
    "no": "in one panel only",
    "unknown": "not in the other table",
}


def finding_concordance(frame, k) -> str:
    """Describe the features that two studies share among their first k features, of analysis.concordance.concordance."""
    row = frame.iloc[int((frame["k"] - k).abs().argmin())]
    shuffled, size = row["beside"] == "shuffled", counted(int(row["k"]), "feature")
    reference = "The noise floor (outcome shuffled in both)" if shuffled else "Chance"
    sentences = [
        f"The studies share {_format_count(row['common'])} of the first {size}.",
        f"{reference} gives {_format_count(row['expected'])} ({row['low']:.0f} to {row['high']:.0f}).",
    ]
    if "related" in frame:
        sentences.append(
            f"Similar features counted as one: {_format_count(row['related'])} shared, {_format_count(row['related_expected'])} "
            f"({row['related_low']:.0f} to {row['related_high']:.0f}) by {REFERENCE[row['beside']]}."
        )
    if shuffled:
        sentences.append(f"The overlap is {'' if row['clear'] else 'not '}clearly above the floor (p = {format_p(row['p'])}).")
    return " ".join(sentences)


def _format_count(value) -> str:
    """A number of features, with a decimal where tied features share ranks."""
    return f"{value:.1f}".removesuffix(".0")


def frame_concordance(table):
    """DataFrame(what, k, shared, low, high, beside): shares of the first k, of analysis.concordance.concordance."""
    kinds = [(SAME_FEATURE, "common", ""), *([(SAME_OR_SIMILAR, "related", "related_")] if "related" in table else [])]
    parts = [
        table.assign(
            what=what, shared=table[column] / table["k"], **{end: table[f"{of}{end}"] / table["k"] for end in ("low", "high")}
        )
        for what, column, of in kinds
    ]
    return pd.concat(parts, ignore_index=True)[["what", "k", "shared", "low", "high", "beside"]]


def draw_concordance(frame, k=None):
    """Draw the shared part of the first k features against k, over the 95% range of shuffled outcomes or random rankings."""
    figure = empty_figure(x="First features of both", y="Share that is common", height=420)
    for what, colour, dash in ((SAME_FEATURE, MEASURED, "solid"), (SAME_OR_SIMILAR, PALETTE[1], "dash")):
        part = frame[frame["what"] == what]
        if part.empty:
            continue
        reference = REFERENCE[part["beside"].iloc[0]]
        x, y = [*part["k"], *part["k"][::-1]], [*part["high"], *part["low"][::-1]]
        hovers = [
            f"first {row.k}: {row.shared:.0%} {what}, {reference} {row.low:.0%} to {row.high:.0%}" for row in part.itertuples()
        ]
        figure.add_trace(line(x, y, None, 0, fill="toself", fillcolor=fade(colour, 0.15), name=f"{reference}: {what}"))
        figure.add_trace(line(part["k"], part["shared"], colour, 2, hovers, line={"dash": dash}, name=what))
    figure.update_xaxes(type="log" if frame["k"].max() > 50 else "linear")
    if k is not None:
        mark_value(figure, k, f"k = {k}")
    return set_share_axes(figure, "y")


def finding_replicated(table) -> str:
    """Describe how many features of the first panel are in the other panel, of analysis.concordance.replication."""
    panel = table[table["in_first"]]
    if panel.empty:
        return "The panel of these results is empty."
    counts = panel["replicates"].value_counts()
    shared, related, unknown = (int(counts.get(verdict, 0)) for verdict in ("yes", "related", "unknown"))
    return (
        f"The other study's panel has {shared} of the {counted(len(panel), 'feature')} of this panel"
        + (f", and similar features for {related} more" if related else "")
        + (f". Its table lacks {unknown}." if unknown else ".")
    )


def frame_replicated(table):
    """Return the first rows of analysis.concordance.replication, with the verdict in words."""
    return table.head(MAX_SHOWN).assign(verdict=[VERDICTS[verdict] for verdict in table["replicates"].head(MAX_SHOWN)])


def draw_replicated(frame, threshold):
    """Draw one row per feature: its selection frequency in both studies, joined by a line."""
    here = ("first", "these results", "these results", "circle", MEASURED)
    return frequency_pairs(
        frame, "verdict", threshold, here, ("second", "the other study", "the other study", "diamond-open", PALETTE[5])
    )


def frequency_pairs(frame, verdict, threshold, *kinds):
    """Draw one row per feature: two frequencies, joined by a line. verdict: the column with the words on both.

    kinds: (column, name in the hover text, name in the legend, symbol, colour) of each of the two.
    """
    shown = frame.iloc[::-1].reset_index(drop=True)
    figure = empty_figure(x="Share of the runs", height=180 + 22 * max(len(shown), 2))
    ends = shown[[column for column, *_ in kinds]].itertuples()
    x, y = segments([((first, row), (second, row)) for row, first, second in ends])
    figure.add_trace(line(x, y, GREY, 1))
    for column, word, name, symbol, colour in kinds:
        rows = zip(shown["feature"], shown[column], shown[verdict])
        hovers = [f"{safe(feature)}, {word}: {share:.0%}<br>{words}" for feature, share, words in rows]
        look = {"size": 9, "color": colour, "symbol": symbol, "line": {"width": 2}}
        figure.add_trace(points(shown[column], shown.index, look, hovers, name=name))
    mark_value(figure, threshold, f"threshold {threshold:.0%}")
    names = shorten_distinctly(shown["feature"])
    return set_share_axes(show_row_names(figure, list(shown.index), names, showgrid=False, range=[-0.7, len(shown) - 0.3]))


def describe_same_directions(table) -> str:
    """Describe how many features of the panel have the same direction in both tables, of analysis.concordance.add_directions."""
    directions = table.loc[table["in_first"], "same_way"].dropna()
    if directions.empty:
        return "The directions of this panel's features are unknown in at least one of the tables."
    same = int(directions.astype(bool).sum())
    return (
        f"{same} of {counted(len(directions), 'feature')} of this panel have the same direction in both studies. Half would "
        "have it by chance."
    )


def finding_external_validation(table, n_features, lacking=0) -> str:
    """Describe the AUC or concordance of a panel in another study. lacking: number of features that the other table lacks."""
    test = table.iloc[0]
    of_classes = test["score"] == "auc"
    score, few = ("an AUC", "5 patients of a class") if of_classes else ("a concordance", "two patients with the event")
    unknown = "" if np.isfinite(test["low"]) else f" This has no interval, because fewer than {few} were tested."
    alone = f" The columns that are always in the model reach {rounded(test['given_alone'])} alone."
    return (
        f"Trained here and tested on {test['rows']:,} rows of the other study, {counted(n_features, 'feature')} of this panel "
        f"reach {score} of {format_with_interval(*test[['value', 'low', 'high']])}.{unknown}"
        + ("" if np.isnan(test["given_alone"]) else alone)
        + ("" if test["low"] > 0.5 or unknown else " This is not clearly above chance (0.5).")
        + (f" The other table lacks {counted(lacking, 'feature')}." if lacking else "")
    )


def finding_centres(frame) -> str:
    """Describe the range of accuracies over centres, and the number that clearly exceed the most frequent class."""
    predicted = frame.dropna(subset="accuracy")
    if predicted.empty:
        return "No centre was predicted."
    worst, best = predicted.loc[predicted["accuracy"].idxmin()], predicted.loc[predicted["accuracy"].idxmax()]
    clear = int((predicted["joint_low"] > predicted["largest"]).sum())
    overlap = len(predicted) > 1 and predicted["joint_low"].max() <= predicted["joint_high"].min()
    return (
        f"Models trained on all other centres predict {worst['accuracy']:.0%} ({worst['centre']}) to {best['accuracy']:.0%} "
        f"({best['centre']}) of the patients correctly. In {clear} of {counted(len(predicted), 'centre')} this is clearly more "
        f"than the most frequent class.{' Intervals that hold for all centres overlap, so they may not differ.' if overlap else ''}"
    )


def frame_centres(table, selector):
    """Return the rows of one selector of StudyResult.centres, the largest centre first."""
    rows = table[table["selector"] == selector]
    return rows.sort_values("rows", ascending=False, kind="stable", ignore_index=True)


def draw_centres(frame):
    """Draw one row per centre: accuracy with its interval, and the share of the most frequent class."""
    shown = frame.iloc[::-1].reset_index(drop=True)
    figure = empty_figure(x="Share of its patients<br>predicted correctly", height=140 + 30 * max(len(shown), 2))
    hovers = [
        f"{safe(row.centre)}, {row.rows} rows: {row.accuracy:.0%} [{row.accuracy_low:.0%}, {row.accuracy_high:.0%}]"
        for row in shown.itertuples()
    ]
    interval = error_bar(shown["accuracy"], shown["accuracy_low"], shown["accuracy_high"], width=4)
    look = {"size": 10, "color": MEASURED}
    figure.add_trace(points(shown["accuracy"], shown.index, look, hovers, name="models of all other centres", error_x=interval))
    figure.add_trace(points(shown["largest"], shown.index, tick(12, 3), name="its most frequent class"))
    names = [f"{shorten(row.centre)} ({row.rows})" for row in shown.itertuples()]
    return set_share_axes(show_row_names(figure, list(shown.index), names, showgrid=False, range=[-0.7, len(shown) - 0.3]))
