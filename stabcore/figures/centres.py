"""How well models of all other centres predict the patients of each centre."""

from __future__ import annotations

from stabcore.figures.names import short
from stabcore.figures.style import GREY, PALETTE, blank, name_rows, safe
from stabcore.wording import be, several


def finding_centres(frame) -> str:
    """From what to what accuracy goes, and where it is clearly above the most frequent class; of the rows of one selector."""
    known = frame.dropna(subset="accuracy")
    if known.empty:
        return "No centre was predicted."
    worst, best = known.loc[known["accuracy"].idxmin()], known.loc[known["accuracy"].idxmax()]
    clear = int((known["accuracy_low"] > known["largest"]).sum())
    spread = (f"{worst['accuracy']:.0%} ({worst['centre']}) to {best['accuracy']:.0%} ({best['centre']})"
              if worst["centre"] != best["centre"] else f"{worst['accuracy']:.0%}")
    overlap = known["accuracy_low"].max() <= known["accuracy_high"].min()
    return (f"Models of all other centres are right about {spread} of the patients of the centre left out"
            f"{'; the intervals overlap, so the centres may not differ' if overlap and len(known) > 1 else ''}. In "
            f"{clear or 'none'} of {several(len(known), 'centre')} that {be(1)} clearly more than naming its most frequent class.")


def frame_centres(table, selector):
    """The rows of one selector of a StudyResult.centres, the largest centre first."""
    own = table[table["selector"] == selector]
    return own.sort_values("rows", ascending=False, kind="stable", ignore_index=True)


def draw_centres(frame):
    """A row a centre: accuracy with its interval, beside the share of its most frequent class."""
    import plotly.graph_objects as go

    shown = frame.iloc[::-1].reset_index(drop=True)
    figure = blank(x="Share of its patients<br>predicted right", height=140 + 30 * max(len(shown), 2))
    figure.add_trace(go.Scatter(
        x=shown["accuracy"], y=shown.index, mode="markers", name="models of all other centres", hoverinfo="text",
        marker={"size": 10, "color": PALETTE[0]},
        error_x={"type": "data", "symmetric": False, "array": shown["accuracy_high"] - shown["accuracy"], "width": 4,
                 "arrayminus": shown["accuracy"] - shown["accuracy_low"]},
        text=[f"{safe(row.centre)}, {row.rows} rows: {row.accuracy:.0%} [{row.accuracy_low:.0%}, {row.accuracy_high:.0%}]"
              for row in shown.itertuples()]))
    figure.add_trace(go.Scatter(x=shown["largest"], y=shown.index, mode="markers", name="its most frequent class", hoverinfo="skip",
                                marker={"size": 12, "color": GREY, "symbol": "line-ns", "line": {"width": 3, "color": GREY}}))
    name_rows(figure, list(shown.index), [f"{short(row.centre)} ({row.rows})" for row in shown.itertuples()],
              showgrid=False, range=[-0.7, len(shown) - 0.3])
    figure.update_xaxes(range=[-0.02, 1.03], tickformat=".0%")
    return figure
