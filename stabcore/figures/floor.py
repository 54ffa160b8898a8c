"""The floor in pictures: what a study without any signal would show, drawn alike and under one name wherever a stability stands."""

from __future__ import annotations

import numpy as np

from stabcore.analysis.floors import blind, closed_form, expected_often, floors
from stabcore.figures.style import FLOOR, FLOOR_COLOUR, FLOOR_DASH, blank, channels, safe
from stabcore.wording import plural, rounded, several, verb_for

COLUMNS = ("selector", "floor", "low", "high", "shuffles")


def frame_floor(result, k=None, measure="nogueira", relation=None, known=None):
    """DataFrame(selector, floor, low, high, shuffles) of some runs: what each selector gives with the outcome shuffled.

    Where nobody shuffled it, one row with the selector "": the closed form for filters with the range of 95 of 100 tables, and no
    rows where that is not known either. k: the number of features that is asked for; None: that of the study. known: what
    analysis.floors gives for the same question, where it was computed already.
    """
    if result.has_control:
        known = floors(result, measure, relation, k) if known is None else known
        known = known.rename_axis("selector").reset_index()
        known = known[known["shuffles"] > 0].rename(columns={"floor_low": "low", "floor_high": "high"})
        return known[list(COLUMNS)].dropna(subset="floor", ignore_index=True)
    size = k or result.n_selected
    value = closed_form(result, [size] if size else [], measure, relation).dropna(subset="value")
    return value.rename(columns={"value": "floor"}).assign(selector="", shuffles=0)[list(COLUMNS)]


def sentence_floor(frame, result, k=None) -> str:
    """The floor in one sentence, or why it is not known; the range leaves out what does not look at the outcome."""
    looking = frame[~frame["selector"].isin(blind(result))]
    frame = looking if len(looking) else frame
    if len(frame) and frame["shuffles"].max() > 0:
        low, high = rounded(frame["floor"].min()), rounded(frame["floor"].max())
        times = int(frame["shuffles"].max())
        return (f"Without any signal (outcome shuffled {times} time{'s' * (times != 1)}) the stability of these selectors "
                f"comes to {low if low == high else f'{low} to {high}'}.")
    if len(frame):
        size = several(k or result.n_selected, "feature")
        return (f"Without any signal a filter such as a t-test would come to a stability of about {rounded(frame['floor'][0])} "
                f"with {size}, because the runs share rows (one by bins, as MIM, to less); 0 is what random sets give.")
    if result.plan is None:
        return ("What these runs would show without any signal is not known, because nobody knows how they came about; 0 is what "
                "random sets give.")
    return ("What this would be without any signal, only shuffling the outcome can tell (a switch on Study); 0 is what random sets "
            "give.")


def sentences_floor(floors, result, k=None) -> list[str]:
    """The floors of several measures {what the measure is called: frame_floor}, each sentence once."""
    sentences = {name: sentence_floor(frame, result, k) for name, frame in floors.items()}
    names = {one: [name for name, other in sentences.items() if other == one] for one in sentences.values()}
    return [one if len(who) == len(sentences) else f"{who[0]}: {one}" for one, who in names.items()]


def sentence_often(result, label, frequencies, k=None, share=0.9) -> str:
    """How many features of a selector come back, beside how many would without any signal; "" where that is not known.

    frequencies: (d,) share of the runs that select each feature.
    """
    if result.has_control:
        line = result.frequency_line(label, k)
        many = int((np.asarray(frequencies) > line).sum())
        does_so = "does" if many == 1 else "do"
        told = f"With the outcome shuffled no feature came in more than {line:.0%} of the runs; here {many} {does_so}"
        return f"{told}; {without_signal_too(result)}." if many else f"{told}."
    expected = expected_often(result, k, share, result.n_runs)
    if not np.isfinite(expected):
        return ""
    many = int((np.asarray(frequencies) >= share - 1e-9).sum())
    return (f"{many} {plural(many, 'feature')} {verb_for(many, 'come')} in at least {share:.0%} of the runs; without any signal "
            f"about {expected:.0f} of {len(frequencies):,} would.")


def without_signal_too(result) -> str:
    """How often the first feature passes the line of S shuffles though nothing has a signal: its table is one of S + 1 alike."""
    return f"without any signal the first feature of a selector does so in up to 1 of {result.settings['control'] + 1} tables"


def with_floor(frame, floor):
    """The frame of a picture with the floor of each selector in a column, where it is known."""
    known = floor.set_index("selector")["floor"]
    return frame if floor.empty else frame.assign(floor=frame["selector"].map(known) if "" not in known else known[""])


def draw_floor(frame, figure=None, *, axis="y", at=None, styles=None, reach=None):
    """The floor on a figure, named in its legend so that nothing is written over the picture.

    One row: a line across (with its range as a band where there is one); several selectors: a tick each, `at` {selector: its place
    on the other axis}, in the colour of `styles`. axis: "x" or "y", where the stability stands. reach: (from, to) on the x axis
    where the line holds, when it does not hold everywhere.
    """
    figure = figure or blank()
    if len(frame) == 1 and (reach is None or not frame["shuffles"][0]):
        level = frame.iloc[0]
        if np.isfinite(level["low"]) and level["high"] > level["low"]:
            other = "x" if axis == "y" else "y"
            ends = {f"{other}0": 0, f"{other}1": 1, f"{other}ref": f"{other} domain"}
            if reach is not None:
                ends = {"x0": reach[0], "x1": reach[1]}
            figure.add_shape(type="rect", **{f"{axis}0": level["low"], f"{axis}1": level["high"]}, **ends, fillcolor=FLOOR_COLOUR,
                             opacity=0.12, line_width=0, layer="below")
        if reach is None:
            _line(figure, level["floor"], axis)
        else:
            figure.add_trace(_part(level["floor"], *reach))
    elif len(frame):
        _ticks(figure, frame, axis, at or {}, styles or channels(frame["selector"]))
    return figure


def _line(figure, value, axis):
    add = figure.add_hline if axis == "y" else figure.add_vline
    add(**{axis if axis == "x" else "y": value}, line={"color": FLOOR_COLOUR, "dash": FLOOR_DASH, "width": 1.8}, layer="below",
        name=f"{FLOOR}: {rounded(value)}", showlegend=True)


def _part(value, low, high):
    import plotly.graph_objects as go

    return go.Scatter(x=[low, high], y=[value] * 2, mode="lines", line={"color": FLOOR_COLOUR, "dash": FLOOR_DASH, "width": 2},
                      name=f"{FLOOR}: {rounded(value)}", hoverinfo="skip")


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

