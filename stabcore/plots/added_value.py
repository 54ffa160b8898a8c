"""The added value of the selected features over the columns that are always in the model."""

import numpy as np

from stabcore.base.text import format_with_interval, join_tied, rounded
from stabcore.plots.marks import error_bar, points
from stabcore.plots.names import safe, safe_short_names, show_row_names
from stabcore.plots.style import MEASURED, empty_figure
from stabcore.selectors.baseline import drop_baselines

SCORE_NAMES = {
    "accuracy": "accuracy",
    "balanced_accuracy": "balanced accuracy",
    "auc": "AUC",
    "harrell": "Harrell's concordance",
    "uno": "Uno's concordance",
    "r2": "R²",
}
ABOUT_ADDED_VALUE = (
    "Both models learn from the same rows and predict the same held-out rows. One has the selected features and the given columns, "
    "the other the given columns alone. The 95% interval is for other patients. In simulations it held the mean over tables in 90 "
    "to 100%, most where features add nothing."
)


def frame_added_value(table, given):
    """Return one row per selector of StudyResult.added_value, the largest difference first, with the names of the given columns."""
    frame = table.reset_index().rename(columns={"difference": "added"}).assign(given=join_tied(list(given)))
    return frame.sort_values("added", ascending=False, ignore_index=True)


def finding_added_value(frame) -> str:
    """Describe the score of the given columns alone, and the added value of the features of the best selector."""
    measured = drop_baselines(frame[frame["added"].notna()])
    if measured.empty:
        return "The added value is not known, because no run predicted rows."
    best, clear = measured.iloc[0], measured[measured["low"] > 0]
    alone = f"With {best['given']} alone, {SCORE_NAMES[best['score']]} is {rounded(best['given_alone'])}."
    first = clear.iloc[0] if len(clear) else best
    value = format_with_interval(*first[["added", "low", "high"]])
    if len(clear) or measured["low"].isna().all():
        return f"{alone} The features of {first['selector']} add {value}."
    return f"{alone} No selector clearly adds to it. The largest difference is with {first['selector']}: {value}."


def draw_added_value(frame):
    """Draw the difference of each selector with its interval, filled where it is clearly above or below 0."""
    shown = frame.dropna(subset="added").iloc[::-1]
    name = SCORE_NAMES[frame["score"].iloc[0]] if len(frame) else "score"
    figure, positions = empty_figure(x=f"Added to {name}", height=110 + 34 * max(len(shown), 4)), np.arange(len(shown))
    clear = ((shown["low"] > 0) | (shown["high"] < 0)).to_numpy()
    for part, label, colour, symbol in (
        (clear, "interval without 0", MEASURED, "circle"),
        (~clear, "interval with 0", "#8A8A8A", "circle-open"),
    ):
        rows = shown[part]
        if rows.empty:
            continue
        hovers = [
            f"{safe(row['selector'])}: {row['value']:.3f}, {safe(row['given'])} alone: {row['given_alone']:.3f}<br>"
            f"difference {row['added']:z.3f} [{row['low']:z.3f}, {row['high']:z.3f}]"
            for row in rows.to_dict("records")
        ]
        interval = error_bar(rows["added"], rows["low"], rows["high"], color=colour, thickness=2, width=4)
        look = {"color": colour, "symbol": symbol, "size": 9}
        figure.add_trace(points(rows["added"], positions[part], look, hovers, name=label, error_x=interval))
    figure.add_vline(x=0, line={"width": 1, "color": "grey"})
    short = safe_short_names(shown["selector"])
    return show_row_names(figure, positions, [short[label] for label in shown["selector"]], range=[-0.7, len(shown) - 0.3])
