"""How stability is known better, or grows, with more data: by the number of runs, and by the number of patients."""

from __future__ import annotations

import numpy as np

from stabcore.analysis.stability_by_runs import stability_by_runs
from stabcore.base.text import joined, rounded
from stabcore.plots.labels import label_curve_ends
from stabcore.plots.names import safe_short_names, short_names
from stabcore.plots.noise_floor import draw_floor
from stabcore.plots.style import FLOOR, FLOOR_COLOUR, PALETTE, blank, channels, error_bar, translucent
from stabcore.selectors.baseline import rivals

N_ORDERS = 100


# ---- runs ----


def frame_stability_by_runs(runs, measure="nogueira", similarity=None):
    """DataFrame(selector, runs, value, low, high, spread_low, spread_high) of each selector in {label: Selections}."""
    return stability_by_runs(runs, measure, similarity=similarity, orders=N_ORDERS)


def describe_runs_needed(row, half=0.05, more=2) -> str:
    """Whether the runs of one selector are enough for an interval of ± half, in one sentence."""
    if row.reason:
        return f"{row.selector}: not known, because {row.reason.rstrip('.')}."
    now = f"{row.selector}: {rounded(row.value)} ± {rounded(row.half_width)} with {row.runs} runs"
    if row.needed <= row.runs:
        return f"{now}, which is enough for ± {half:g} on this table."
    needed = f"about {row.needed:,.0f}" if np.isfinite(row.needed) else "more than a million"
    if rounded(row.with_more) == rounded(half):  # about as many are needed: two sentences would seem to differ
        return f"{now}; ± {half:g} would take {needed}."
    return f"{now}; {more * row.runs} runs would give about ± {rounded(row.with_more)}, and ± {half:g} would take {needed}."


def finding_stability_by_runs(ahead, half=0.05) -> str:
    """For how many selectors the runs are enough, in one sentence; a random ranking is asked only where it is alone."""
    asked = rivals(ahead)
    estimated = (ahead if asked.empty else asked).query("reason == ''")
    if estimated.empty:
        return "No selector has an interval yet, so nobody can say whether the runs are enough."
    enough = int((estimated["needed"] <= estimated["runs"]).sum())
    runs = f"{estimated['runs'].max()} runs" if estimated["runs"].nunique() == 1 else "The runs"
    if enough == len(estimated):
        return f"{runs} are enough to know the stability of every selector on this table to ± {half:g}."
    if not enough:
        return f"{runs} are not enough to know the stability of any selector on this table to ± {half:g}."
    return f"{runs} are enough to know the stability of {enough} of {len(estimated)} selectors on this table to ± {half:g}."


def draw_stability_by_runs(frame, intervals=(), floor=None):
    """A curve a selector over the number of runs, with the interval to expect; for `intervals` also where other runs would lie.

    floor: a frame_floor of the measure: a line, or a tick for each selector at all of its runs.
    """
    styles = channels(frame["selector"].unique())
    called = safe_short_names(list(styles))
    figure = blank(x="Number of runs used", y="Stability")
    for name in [name for name in intervals if name in styles]:
        _add_band(figure, frame[frame["selector"] == name], "runs", translucent(styles[name][0]))
    for name, (colour, symbol, dash) in styles.items():
        curve = frame[frame["selector"] == name]
        figure.add_scatter(
            x=curve["runs"],
            y=curve["value"],
            mode="lines+markers",
            name=called[name],
            line={"color": colour, "dash": dash, "width": 2},
            marker={"symbol": symbol, "size": 6},
            hovertemplate="%{x} runs: %{y:.3f}<extra>%{fullData.name}</extra>",
        )
    for name in [name for name in intervals if name in styles]:
        curve = frame[frame["selector"] == name]
        for edge in ("spread_low", "spread_high"):
            figure.add_scatter(
                x=curve["runs"],
                y=curve[edge],
                mode="lines",
                showlegend=False,
                hoverinfo="skip",
                line={"color": styles[name][0], "dash": "dot", "width": 1},
            )
    last = {
        name: curve.dropna(subset="value").iloc[-1]
        for name, curve in frame.groupby("selector", sort=False)
        if curve["value"].notna().any()
    }
    short, ends = short_names(list(styles)), []
    if floor is not None:
        draw_floor(floor, figure, positions=frame.groupby("selector")["runs"].max().to_dict(), styles=styles)
        if len(floor) == 1:
            ends.append((FLOOR, frame["runs"].max(), floor["floor"].iloc[0], FLOOR_COLOUR))
    ends += [(short[name], row["runs"], row["value"], styles[name][0]) for name, row in last.items()]
    shown = frame[["value", *(["low", "high"] if intervals else [])]].to_numpy(dtype=float)
    if len(frame):
        figure.update_xaxes(range=[0, frame["runs"].max()])
    return label_curve_ends(figure, ends, range_with_zero(shown))


def range_with_zero(values):
    """(low, high) of the axis of all values; 0 is always in it, as what random sets give."""
    low, high = np.nanmin(values, initial=0.0), np.nanmax(values, initial=0.1)
    return low - 0.04 * (high - low), high + 0.06 * (high - low)


def _add_band(figure, curve, x, colour):
    """The area between `low` and `high` over a column, one without a name and without a word under the pointer.

    Where there is a lower limit only, it ends at the value.
    """
    high = curve["high"].fillna(curve["value"].where(curve["low"].notna()))
    for edge, fill in ((high, None), (curve["low"], "tonexty")):
        figure.add_scatter(
            x=curve[x], y=edge, mode="lines", line={"width": 0}, fill=fill, fillcolor=colour, showlegend=False, hoverinfo="skip"
        )


# ---- patients ----


def finding_learning_curve(frame) -> str:
    """What groups of each size agree on, in one sentence; of the rows of one selector."""
    measured = frame.dropna(subset="value")
    if measured.empty:
        return "What separate groups of patients agree on is not known: no two runs of one size are finished."
    return (
        f"Two separate groups of {joined([f'{size}' for size in measured['patients']])} patients agree at "
        f"{joined([rounded(value) for value in measured['value']])} (0: chance, 1: the same features)."
    )


def frame_learning_curve(table, selector):
    """The rows of one selector of a StudyResult.growth."""
    return table[table["selector"] == selector].reset_index(drop=True)


def draw_learning_curve(frame):
    """Agreement against the number of patients in each group, with intervals."""
    figure = blank(x="Patients in each of the two groups", y="Agreement (kappa)", height=420)
    figure.add_hline(y=0, line={"dash": "dot", "color": "grey"}, layer="below")
    figure.add_scatter(
        x=frame["patients"],
        y=frame["value"],
        mode="lines+markers",
        hoverinfo="text",
        line={"color": PALETTE[0], "width": 2},
        marker={"size": 10, "color": PALETTE[0]},
        showlegend=False,
        error_y=error_bar(frame["value"], frame["low"].fillna(frame["value"]), frame["high"].fillna(frame["value"]), width=4),
        text=[
            f"{row.patients} in each group: {rounded(row.value)} [{rounded(row.low)}, {rounded(row.high)}]"
            for row in frame.itertuples()
        ],
    )
    figure.update_xaxes(type="log", tickvals=frame["patients"].tolist(), ticktext=[f"{size}" for size in frame["patients"]])
    figure.update_yaxes(range=[min(-0.05, frame["low"].min(skipna=True) - 0.03), 1.03])
    return figure
