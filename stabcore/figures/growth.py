"""How many patients it takes: agreement of separate groups of patients against their size."""

from __future__ import annotations

import numpy as np

from stabcore.figures.style import PALETTE, blank
from stabcore.wording import joined, rounded


def finding_growth(frame) -> str:
    """What groups of each size agree on, in one sentence; of the rows of one selector."""
    known = frame.dropna(subset="value")
    if known.empty:
        return "What separate groups of patients agree on is not known: no two runs of one size are finished."
    return (f"Two separate groups of {joined([f'{size}' for size in known['patients']])} patients agree at "
            f"{joined([rounded(value) for value in known['value']])} (0: chance, 1: the same features).")


def frame_growth(table, selector):
    """The rows of one selector of a StudyResult.growth."""
    return table[table["selector"] == selector].reset_index(drop=True)


def draw_growth(frame):
    """Agreement against the number of patients in each group, with intervals."""
    import plotly.graph_objects as go

    figure = blank(x="Patients in each of the two groups", y="Agreement (kappa)", height=420)
    figure.add_hline(y=0, line={"dash": "dot", "color": "grey"}, layer="below")
    figure.add_trace(go.Scatter(
        x=frame["patients"], y=frame["value"], mode="lines+markers", hoverinfo="text", line={"color": PALETTE[0], "width": 2},
        marker={"size": 10, "color": PALETTE[0]}, showlegend=False,
        error_y={"type": "data", "symmetric": False, "array": np.nan_to_num(frame["high"] - frame["value"]), "width": 4,
                 "arrayminus": np.nan_to_num(frame["value"] - frame["low"])},
        text=[f"{row.patients} in each group: {rounded(row.value)} [{rounded(row.low)}, {rounded(row.high)}]"
              for row in frame.itertuples()]))
    figure.update_xaxes(type="log", tickvals=frame["patients"].tolist(), ticktext=[f"{size}" for size in frame["patients"]])
    figure.update_yaxes(range=[min(-0.05, frame["low"].min(skipna=True) - 0.03), 1.03])
    return figure
