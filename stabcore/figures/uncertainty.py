"""How far effective stability moves because C is estimated from the same patients."""

from __future__ import annotations

from stabcore.analysis.whatif import relation_uncertainty
from stabcore.figures.style import PALETTE, beside_rows, blank, name_rows, safe
from stabcore.selectors.baseline import rivals
from stabcore.wording import rounded


def frame_uncertainty(runs, X, **how):
    """DataFrame(selector, value, low, high, draws) of {selector: Preferences}; see analysis.whatif.relation_uncertainty."""
    return relation_uncertainty(runs, X, **how)


def finding_uncertainty(frame) -> str:
    """How far the effective stability moves through C alone, in one sentence."""
    known = rivals(frame).dropna(subset=["low", "high"])
    if known.empty:
        return "Nobody can tell how far the effective stability moves through C: it has no value in most draws of the rows."
    widest = known.loc[(known["high"] - known["low"]).idxmax()]
    return (f"Estimated from other patients like these, C alone would move the effective stability of {widest['selector']} from "
            f"{rounded(widest['value'])} to anything between {rounded(widest['low'])} and {rounded(widest['high'])}"
            + ("; the others less." if len(known) > 1 else "."))


def draw_uncertainty(frame):
    """A row a selector: its effective stability with C of all rows, and where it lies with C of drawn rows."""
    import plotly.graph_objects as go

    shown = frame.iloc[::-1].reset_index(drop=True)
    figure = blank(x="Effective stability<br>(bars: other patients for C)", height=130 + 34 * len(shown))
    figure.add_trace(go.Scatter(
        x=shown["value"], y=shown.index, mode="markers", showlegend=False, marker={"color": PALETTE[0], "size": 10},
        error_x={"type": "data", "symmetric": False, "array": shown["high"] - shown["value"],
                 "arrayminus": shown["value"] - shown["low"], "thickness": 2, "width": 5},
        text=[f"{safe(one.selector)}: {rounded(one.value)} [{rounded(one.low)}, {rounded(one.high)}]"
              for one in shown.itertuples()],
        hovertemplate="%{text}<extra></extra>"))
    name_rows(figure, list(shown.index), [beside_rows(name) for name in shown["selector"]])
    return figure
