"""The noise floor in pictures: what a selector gives with the outcome shuffled, drawn alike and under one name everywhere."""

from __future__ import annotations

import numpy as np

from stabcore.analysis.noise_floors import blind, floors
from stabcore.figures.style import FLOOR, FLOOR_COLOUR, FLOOR_DASH, blank, channels, safe
from stabcore.inference.noise_floor import NO_FLOOR_OF_UPLOADED
from stabcore.wording import plural, rounded, several

COLUMNS = ("selector", "floor", "low", "high", "shuffles")
NOT_MEASURED = ("The noise floor was not measured, so nothing is judged here. Switch on the permutation control on Study and "
                "continue the study.")
JUDGES_NOTHING = "So nothing is judged here."


def frame_floor(result, k=None, measure="nogueira", relation=None, known=None):
    """DataFrame(selector, floor, low, high, shuffles): each selector's noise floor; no rows without a control.

    k: the number of features that is asked for; None: that of the study. known: what analysis.floors gives for the same question,
    where it was computed already.
    """
    import pandas as pd

    if not result.has_control:
        return pd.DataFrame(columns=list(COLUMNS))
    known = floors(result, measure, relation, k) if known is None else known
    known = known.rename_axis("selector").reset_index()
    known = known.loc[known["shuffles"] > 0, ["selector", "floor", "floor_low", "floor_high", "shuffles"]]
    return known.set_axis(list(COLUMNS), axis="columns").dropna(subset="floor", ignore_index=True)


def sentence_unknown(result=None) -> str:
    """Why no noise floor is known of some runs, and how to get it: runs of a study, or selections that were brought."""
    return f"{NO_FLOOR_OF_UPLOADED} {JUDGES_NOTHING}" if getattr(result, "plan", None) is None else NOT_MEASURED


def sentence_floor(frame, result, k=None) -> str:
    """The noise floors in one sentence, or why they are not known; the range leaves out what does not look at the outcome."""
    looking = frame[~frame["selector"].isin(blind(result))] if len(frame) else frame
    frame = looking if len(looking) else frame
    if frame.empty:
        return sentence_unknown(result)
    low, high = rounded(frame["floor"].min()), rounded(frame["floor"].max())
    span = low if low == high else f"{low} to {high}, depending on the selector"
    return f"Noise floor: {span} (outcome shuffled {several(int(frame['shuffles'].max()), 'time')})."


def sentence_often(result, label, frequencies, k=None) -> str:
    """How many features of a selector come more often than any with the outcome shuffled; "" where nobody shuffled it.

    frequencies: (d,) share of the runs that select each feature.
    """
    if not result.has_control:
        return ""
    line = result.frequency_line(label, k)
    if not np.isfinite(line):
        return ""
    many = int((np.asarray(frequencies) > line).sum())
    told = (f"With the outcome shuffled, no feature is selected in more than {line:.0%} of the runs. "
            f"Here {many or 'no'} {plural(many or 1, 'feature')} {'exceeds' if many <= 1 else 'exceed'} that")
    return f"{told} ({without_signal_too(result)})." if many else f"{told}."


def without_signal_too(result) -> str:
    """How often the first feature passes the line of S shuffles though nothing has a signal: its table is one of S + 1 alike."""
    return f"without signal, the first feature does so in up to 1 of {result.settings['control'] + 1} tables"


def with_floor(frame, floor):
    """The frame of a picture with the floor of each selector in a column, where it is known."""
    return frame if floor.empty else frame.assign(floor=frame["selector"].map(floor.set_index("selector")["floor"]))


def draw_floor(frame, figure=None, *, axis="y", at=None, styles=None):
    """The floor on a figure, named in its legend so that nothing is written over the picture.

    One row: a line across with its range as a band; several selectors: a tick each, `at` {selector: its place on the other axis},
    in the colour of `styles`. axis: "x" or "y", where the stability stands.
    """
    figure = figure or blank()
    if len(frame) == 1:
        level, other = frame.iloc[0], "x" if axis == "y" else "y"
        if np.isfinite(level["low"]) and level["high"] > level["low"]:
            ends = {f"{other}0": 0, f"{other}1": 1, f"{other}ref": f"{other} domain"}
            figure.add_shape(type="rect", **{f"{axis}0": level["low"], f"{axis}1": level["high"]}, **ends, fillcolor=FLOOR_COLOUR,
                             opacity=0.12, line_width=0, layer="below")
        _line(figure, level["floor"], axis)
    elif len(frame):
        _ticks(figure, frame, axis, at or {}, styles or channels(frame["selector"]))
    return figure


def _line(figure, value, axis):
    add = figure.add_hline if axis == "y" else figure.add_vline
    add(**{axis if axis == "x" else "y": value}, line={"color": FLOOR_COLOUR, "dash": FLOOR_DASH, "width": 1.8}, layer="below",
        name=f"{FLOOR}: {rounded(value)}", showlegend=True)


def _ticks(figure, frame, axis, at, styles):
    """A tick for each selector across its floor, with the range over the shuffles; one name for all."""
    import plotly.graph_objects as go

    for number, row in enumerate(frame[frame["selector"].isin(list(at))].itertuples()):
        place = {axis: [row.floor], "x" if axis == "y" else "y": [at[row.selector]]}
        figure.add_trace(go.Scatter(
            **place, mode="markers", name=FLOOR, legendgroup=FLOOR, showlegend=number == 0, hoverinfo="text",
            marker={"symbol": f"line-{'ew' if axis == 'y' else 'ns'}-open", "size": 14,
                    "line": {"width": 3, "color": styles[row.selector][0]}, "color": styles[row.selector][0]},
            **{f"error_{axis}": {"type": "data", "symmetric": False, "array": [row.high - row.floor],
                                 "arrayminus": [row.floor - row.low], "thickness": 1, "width": 0,
                                 "color": styles[row.selector][0]}},
            hovertext=[f"{safe(row.selector)}<br>{FLOOR}: {rounded(row.floor)} [{rounded(row.low)}, {rounded(row.high)}], outcome "
                       f"shuffled {row.shuffles} times"]))

