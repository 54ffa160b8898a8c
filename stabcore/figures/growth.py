"""How many patients it takes: agreement of separate groups against their size, what was seen and what is guessed."""

from __future__ import annotations

import numpy as np

from stabcore.figures.style import GREY, PALETTE, blank
from stabcore.wording import joined, rounded

GUESSED = ("The guess fits a simple picture to what was seen: some features differ between the classes, all by the same, the rest "
           "not at all, and with more patients the difference stands out by their root. Features that are related, or of many "
           "strengths, go another way. Halves of one table share patients from pair to pair, so the curve of another table may lie "
           "elsewhere.")


def finding_growth(frame) -> str:
    """What groups of each size agree on, and the guess of how it goes on, in two sentences; of the rows of one selector."""
    known = frame.dropna(subset="value")
    seen, ahead = known[~known["guess"]], known[known["guess"]]
    if seen.empty:
        return "What separate groups of patients agree on is not known: no two runs of one size are finished."
    told = (f"Two separate groups of {joined([f'{size}' for size in seen['patients']])} patients agree at "
            f"{joined([rounded(value) for value in seen['value']])} (0: as random sets, 1: the same features).")
    if ahead.empty:
        return told
    guesses = [f"{rounded(row.value)}, somewhere from {rounded(row.low)} to {rounded(row.high)}, with {row.patients} in each group"
               for row in ahead.itertuples()]
    return f"{told} A guess of how it goes on: {joined(guesses, 'and')}."


def frame_growth(table, selector):
    """The rows of one selector of an analysis.growth.growth."""
    return table[table["selector"] == selector].reset_index(drop=True)


def draw_growth(frame):
    """Agreement against the number of patients in each group: seen (points, intervals) and guessed (diamonds, dashed)."""
    import plotly.graph_objects as go

    figure = blank(x="Patients in each of the two groups", y="Agreement (kappa)", height=420)
    figure.add_hline(y=0, line={"dash": "dot", "color": "grey"}, layer="below")
    seen, ahead = frame[~frame["guess"]], frame[frame["guess"]]
    if len(seen) and len(ahead):
        joint = [seen.iloc[-1], *(row for _, row in ahead.iterrows())]
        figure.add_trace(go.Scatter(x=[row["patients"] for row in joint], y=[row["value"] for row in joint], mode="lines",
                                    hoverinfo="skip", showlegend=False, line={"color": GREY, "dash": "dash", "width": 2}))
    for part, name, colour, symbol, mode in ((seen, "seen", PALETTE[0], "circle", "lines+markers"),
                                             (ahead, "guessed", PALETTE[5], "diamond-open", "markers")):
        if part.empty:
            continue
        figure.add_trace(go.Scatter(
            x=part["patients"], y=part["value"], mode=mode, name=name, hoverinfo="text", line={"color": colour, "width": 2},
            marker={"size": 10, "color": colour, "symbol": symbol, "line": {"width": 2, "color": colour}},
            error_y={"type": "data", "symmetric": False, "array": np.nan_to_num(part["high"] - part["value"]), "width": 4,
                     "arrayminus": np.nan_to_num(part["value"] - part["low"])},
            text=[f"{row.patients} in each group: {rounded(row.value)} [{rounded(row.low)}, {rounded(row.high)}], {name}"
                  for row in part.itertuples()]))
    figure.update_xaxes(type="log", tickvals=frame["patients"].tolist(), ticktext=[f"{size}" for size in frame["patients"]])
    figure.update_yaxes(range=[min(-0.05, frame["low"].min(skipna=True) - 0.03), 1.03])
    return figure
