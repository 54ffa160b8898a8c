"""What holds in other patients: the panel and the order of another study, and how well other centres are predicted."""

from __future__ import annotations

import numpy as np

from stabcore.base.text import be, rounded, several
from stabcore.plots.names import name_rows, safe, shorten, shorten_apart
from stabcore.plots.style import GREY, PALETTE, blank, error_bar, mark_value
from stabcore.plots.values import format_p

SAME_FEATURE, OR_STAND_IN = "the same", "the same or a stand-in"
REFERENCE = {"shuffled": "noise floor", "chance": "chance"}
MOST_SHOWN = 40
VERDICTS = {
    "yes": "in both panels",
    "related": "a stand-in in the other panel's runs",
    "no": "in one panel only",
    "unknown": "not in the other table",
}
VERDICTS_OF_ONE = {
    "yes": "is in that of the other study too",
    "related": "is not in that of the other study, but a stand-in is",
    "no": "is not in that of the other study",
    "unknown": "is not known to the other study",
}


# ---- another study ----


def finding_concordance(frame, k) -> str:
    """What two studies share among their first k features, of an analysis.concordance.concordance, in one or two sentences."""
    row = frame.iloc[int((frame["k"] - k).abs().argmin())]
    shuffled = row["beside"] == "shuffled"
    by = "the noise floor (outcome shuffled in both)" if shuffled else "chance"
    sentence = (
        f"The studies share {_format_count(row['common'])} of the first {several(int(row['k']), 'feature')}. "
        f"{by[0].upper()}{by[1:]} "
        f"gives {_format_count(row['expected'])} ({row['low']:.0f} to {row['high']:.0f})"
    )
    if "related" in frame:
        sentence += (
            f". With similar features counted as one they share {_format_count(row['related'])}, and {by} gives "
            f"{_format_count(row['related_expected'])} ({row['related_low']:.0f} to {row['related_high']:.0f})"
        )
    if not shuffled:
        return f"{sentence}."
    return f"{sentence}, so the overlap is {'' if row['clear'] else 'not '}clearly beyond noise (p = {format_p(row['p'])})."


def _format_count(value) -> str:
    """A number of features, with a decimal where ties share places."""
    return f"{value:.1f}".removesuffix(".0")


def frame_concordance(table):
    """DataFrame(what, k, shared, low, high, beside): shares of the first k, of an analysis.concordance.concordance."""
    import pandas as pd

    parts = [
        table.assign(
            what=SAME_FEATURE, shared=table["common"] / table["k"], low=table["low"] / table["k"], high=table["high"] / table["k"]
        )
    ]
    if "related" in table:
        parts.append(
            table.assign(
                what=OR_STAND_IN,
                shared=table["related"] / table["k"],
                low=table["related_low"] / table["k"],
                high=table["related_high"] / table["k"],
            )
        )
    return pd.concat(parts, ignore_index=True)[["what", "k", "shared", "low", "high", "beside"]]


def draw_concordance(frame, k=None):
    """The share of the first k features that are the same against k, over the range (95%) of shuffled outcomes or random orders."""
    figure = blank(x="First features of both", y="Share that is common", height=420)
    for what, colour, dash in ((SAME_FEATURE, PALETTE[0], "solid"), (OR_STAND_IN, PALETTE[1], "dash")):
        part = frame[frame["what"] == what]
        if part.empty:
            continue
        by = REFERENCE[part["beside"].iloc[0]]
        tint = f"rgba({','.join(str(int(colour[i : i + 2], 16)) for i in (1, 3, 5))},0.15)"
        figure.add_scatter(
            x=[*part["k"], *part["k"][::-1]],
            y=[*part["high"], *part["low"][::-1]],
            fill="toself",
            mode="lines",
            fillcolor=tint,
            line={"width": 0},
            hoverinfo="skip",
            name=f"{by}: {what}",
        )
        figure.add_scatter(
            x=part["k"],
            y=part["shared"],
            mode="lines",
            name=what,
            hoverinfo="text",
            text=[f"first {row.k}: {row.shared:.0%} {what}, {by} {row.low:.0%} to {row.high:.0%}" for row in part.itertuples()],
            line={"color": colour, "dash": dash, "width": 2},
        )
    figure.update_xaxes(type="log" if frame["k"].max() > 50 else "linear")
    if k is not None:
        mark_value(figure, k, f"k = {k}")
    figure.update_yaxes(range=[-0.02, 1.03], tickformat=".0%")
    return figure


def finding_replicated(table) -> str:
    """How many features of the first panel are in the other one too, of an analysis.concordance.replication."""
    panel = table[table["in_first"]]
    if panel.empty:
        return "There is no feature in the panel of these results, so there is nothing to find again."
    counts = panel["replicates"].value_counts()
    yes, related, unknown = (int(counts.get(verdict, 0)) for verdict in ("yes", "related", "unknown"))
    if len(panel) == 1:
        return f"The only feature of this panel {VERDICTS_OF_ONE[panel['replicates'].iloc[0]]}."
    sentence = f"{yes or 'None'} of the {len(panel):,} features of this panel {be(yes or 1)} in that of the other study too"
    if related:
        sentence += f"; for {related} more a stand-in is"
    if unknown:
        sentence += f"; the other study does not know {unknown}"
    return f"{sentence}."


def frame_replicated(table):
    """The first rows of an analysis.concordance.replication, with the verdict in words."""
    return table.head(MOST_SHOWN).assign(verdict=[VERDICTS[verdict] for verdict in table["replicates"].head(MOST_SHOWN)])


def draw_replicated(frame, threshold):
    """A row a feature: its share of the runs in both studies, joined by a line."""
    shown = frame.iloc[::-1].reset_index(drop=True)
    figure = blank(x="Share of the runs", height=180 + 22 * max(len(shown), 2))
    joined = [point for row in shown.itertuples() for point in ((row.first, row.Index), (row.second, row.Index), (np.nan, np.nan))]
    figure.add_scatter(
        x=[x for x, _ in joined],
        y=[y for _, y in joined],
        mode="lines",
        hoverinfo="skip",
        line={"color": GREY, "width": 1},
        showlegend=False,
    )
    for column, name, symbol, colour in (
        ("first", "these results", "circle", PALETTE[0]),
        ("second", "the other study", "diamond-open", PALETTE[5]),
    ):
        figure.add_scatter(
            x=shown[column],
            y=shown.index,
            mode="markers",
            name=name,
            hoverinfo="text",
            text=[f"{safe(row.feature)}, {name}: {getattr(row, column):.0%}<br>{row.verdict}" for row in shown.itertuples()],
            marker={"size": 9, "color": colour, "symbol": symbol, "line": {"width": 2}},
        )
    mark_value(figure, threshold, f"threshold {threshold:.0%}")
    name_rows(figure, list(shown.index), shorten_apart(shown["feature"]), showgrid=False, range=[-0.7, len(shown) - 0.3])
    figure.update_xaxes(range=[-0.02, 1.03], tickformat=".0%")
    return figure


def describe_same_directions(table) -> str:
    """How many features of the panel go the same way in both tables, of an analysis.concordance.same_ways."""
    directions = table.loc[table["in_first"], "same_way"].dropna()
    if directions.empty:
        return "Which way the features of this panel go is not known in both tables."
    same = int(directions.astype(bool).sum())
    return (
        f"{same or 'None'} of {several(len(directions), 'feature')} of this panel {'goes' if same < 2 else 'go'} the same way "
        f"with "
        "the outcome in both studies; of features without any signal in the other one, half would."
    )


def finding_external_validation(table, n_features, lacking=0) -> str:
    """How well a panel predicts where it was not chosen, of an `external_validation`; lacking: features the other table lacks."""
    test = table.iloc[0]
    auc, low, high = (rounded(test[name]) for name in ("auc", "auc_low", "auc_high"))
    sentence = (
        f"Trained here and tested in the {test['rows']:,} rows of the other study, {several(n_features, 'feature')} of "
        f"this "
        f"panel {'has' if n_features == 1 else 'have'} an AUC of {auc} [{low}, {high}]"
    )
    sentence += "" if test["auc_low"] > 0.5 else ", which is not clearly more than without any signal (0.5)"
    return f"{sentence}; {several(lacking, 'feature')} {be(lacking)} not in its table." if lacking else f"{sentence}."


# ---- other centres ----


def finding_centres(frame) -> str:
    """From what to what accuracy goes, and where it is clearly above the most frequent class; of the rows of one selector."""
    predicted = frame.dropna(subset="accuracy")
    if predicted.empty:
        return "No centre was predicted."
    worst, best = predicted.loc[predicted["accuracy"].idxmin()], predicted.loc[predicted["accuracy"].idxmax()]
    clear = int((predicted["accuracy_low"] > predicted["largest"]).sum())
    spread = (
        f"{worst['accuracy']:.0%} ({worst['centre']}) to {best['accuracy']:.0%} ({best['centre']})"
        if worst["centre"] != best["centre"]
        else f"{worst['accuracy']:.0%}"
    )
    overlap = predicted["accuracy_low"].max() <= predicted["accuracy_high"].min()
    return (
        f"Models of all other centres are right about {spread} of the patients of the centre left out"
        f"{'; the intervals overlap, so the centres may not differ' if overlap and len(predicted) > 1 else ''}. In "
        f"{clear or 'none'} of {several(len(predicted), 'centre')} that {be(1)} clearly more than naming its most frequent "
        f"class."
    )


def frame_centres(table, selector):
    """The rows of one selector of a StudyResult.centres, the largest centre first."""
    rows = table[table["selector"] == selector]
    return rows.sort_values("rows", ascending=False, kind="stable", ignore_index=True)


def draw_centres(frame):
    """A row a centre: accuracy with its interval, beside the share of its most frequent class."""
    shown = frame.iloc[::-1].reset_index(drop=True)
    figure = blank(x="Share of its patients<br>predicted right", height=140 + 30 * max(len(shown), 2))
    figure.add_scatter(
        x=shown["accuracy"],
        y=shown.index,
        mode="markers",
        name="models of all other centres",
        hoverinfo="text",
        marker={"size": 10, "color": PALETTE[0]},
        error_x=error_bar(shown["accuracy"], shown["accuracy_low"], shown["accuracy_high"], width=4),
        text=[
            f"{safe(row.centre)}, {row.rows} rows: {row.accuracy:.0%} [{row.accuracy_low:.0%}, {row.accuracy_high:.0%}]"
            for row in shown.itertuples()
        ],
    )
    figure.add_scatter(
        x=shown["largest"],
        y=shown.index,
        mode="markers",
        name="its most frequent class",
        hoverinfo="skip",
        marker={"size": 12, "color": GREY, "symbol": "line-ns", "line": {"width": 3, "color": GREY}},
    )
    name_rows(
        figure,
        list(shown.index),
        [f"{shorten(row.centre)} ({row.rows})" for row in shown.itertuples()],
        showgrid=False,
        range=[-0.7, len(shown) - 0.3],
    )
    figure.update_xaxes(range=[-0.02, 1.03], tickformat=".0%")
    return figure
