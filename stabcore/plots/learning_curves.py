"""Stability by the number of runs, and agreement by the number of patients."""

import numpy as np

from stabcore.analysis.stability_by_runs import stability_by_runs
from stabcore.base.text import counted, joined, rounded
from stabcore.plots.labels import label_curve_ends
from stabcore.plots.marks import error_bar, line, points
from stabcore.plots.names import safe_short_names, short_names
from stabcore.plots.noise_floor import draw_floor
from stabcore.plots.style import FLOOR_COLOUR, FLOOR_NAME, GREY, MEASURED, empty_figure, translucent
from stabcore.selectors.baseline import drop_baselines

N_ORDERS = 100


def frame_stability_by_runs(runs, measure="nogueira", similarity=None):
    """DataFrame(selector, runs, value, low, high, spread_low, spread_high) of each selector in {label: Selections}."""
    return stability_by_runs(runs, measure, similarity=similarity, orders=N_ORDERS)


def describe_runs_needed(row, half=0.05) -> str:
    """Describe whether the runs of one selector suffice for an interval of ± half."""
    if row.reason:
        return f"{row.selector}: unknown, because {row.reason.rstrip('.')}."
    now = f"{row.selector}: {rounded(row.value)} ± {rounded(row.half_width)} with {row.runs} runs"
    if row.needed <= row.runs:
        return f"{now}. That is enough for ± {half:g} on this table."
    needed = f"about {row.needed:,.0f}" if np.isfinite(row.needed) else "more than a million"
    return f"{now}. Expected with {2 * row.runs} runs: ± {rounded(row.with_more)}. Needed for ± {half:g}: {needed} runs."


def finding_stability_by_runs(needed, half=0.05) -> str:
    """Describe the number of selectors with enough runs. A baseline counts only if it is alone."""
    competing = drop_baselines(needed)
    estimated = (needed if competing.empty else competing).query("reason == ''")
    if estimated.empty:
        return "No selector has an interval yet."
    enough, total = int((estimated["needed"] <= estimated["runs"]).sum()), len(estimated)
    who = "All" if enough == total > 1 else f"{enough or 'None'} of"
    has = "have" if enough > 1 else "has"
    return f"{who} {counted(total, 'selector')} {has} enough runs for an interval of ± {half:g} on this table."


def draw_stability_by_runs(frame, intervals=(), floor=None):
    """Draw a curve per selector over the number of runs. `intervals`: the blue ones, with the expected interval and other runs.

    floor: a frame_floor of the measure, drawn as a line, or as a tick of each blue selector at all of its runs.
    """
    labels = list(frame["selector"].unique())
    short, names = short_names(labels), safe_short_names(labels)
    curves = {name: frame[frame["selector"] == name] for name in labels}
    with_interval = [name for name in intervals if name in labels]
    colours = {name: MEASURED if name in with_interval else GREY for name in labels}
    figure = empty_figure(x="Number of runs used", y="Stability")
    for curve in (curves[name] for name in with_interval):
        high = curve["high"].fillna(
            curve["value"].where(curve["low"].notna())
        )  # with a lower limit only, the band ends at the value
        for edge, fill in ((high, None), (curve["low"], "tonexty")):
            figure.add_trace(line(curve["runs"], edge, None, 0, fill=fill, fillcolor=translucent(MEASURED)))
    for name in sorted(labels, key=with_interval.__contains__):  # the blue ones above the others
        hover = {"hovertemplate": "%{x} runs: %{y:.3f}<extra>%{fullData.name}</extra>", "hoverinfo": None}
        width = 2.5 if name in with_interval else 1.2
        figure.add_trace(line(curves[name]["runs"], curves[name]["value"], colours[name], width, name=names[name], **hover))
    for name in with_interval:
        for edge in ("spread_low", "spread_high"):
            figure.add_trace(line(curves[name]["runs"], curves[name][edge], MEASURED, 1, line={"dash": "dot"}))
    ends = []
    if floor is not None:
        floor = floor if len(floor) == 1 else floor[floor["selector"].isin(with_interval)]
        draw_floor(floor, figure, positions=frame.groupby("selector")["runs"].max().to_dict())
        if len(floor) == 1:
            ends.append((FLOOR_NAME, frame["runs"].max(), floor["floor"].iloc[0], FLOOR_COLOUR))
    for name, curve in curves.items():
        if curve["value"].notna().any():
            last = curve.dropna(subset="value").iloc[-1]
            ends.append((short[name], last["runs"], last["value"], colours[name]))
    shown = frame[["value", *(["low", "high"] if intervals else [])]].to_numpy(dtype=float)
    if len(frame):
        figure.update_xaxes(range=[0, frame["runs"].max()])
    low, high = np.nanmin(shown, initial=0.0), np.nanmax(shown, initial=0.1)  # 0, expected by chance, is always visible
    return label_curve_ends(figure, ends, (low - 0.04 * (high - low), high + 0.06 * (high - low)))


def finding_learning_curve(frame) -> str:
    """Describe the agreement of groups of each size. frame: the rows of one selector."""
    measured = frame.dropna(subset="value")
    if measured.empty:
        return "The agreement of disjoint groups of patients is unknown, because no two runs of one size are finished."
    sizes, values = ([*map(form, measured[name])] for name, form in (("patients", str), ("value", rounded)))
    return f"Two disjoint groups of {joined(sizes)} patients have an agreement of {joined(values)} (0: chance, 1: identical)."


def frame_learning_curve(table, selector):
    """Return the rows of one selector of StudyResult.growth."""
    return table[table["selector"] == selector].reset_index(drop=True)


def draw_learning_curve(frame):
    """Draw the agreement against the number of patients per group, with intervals."""
    figure = empty_figure(x="Patients in each of the two groups", y="Agreement (kappa)", height=420)
    figure.add_hline(y=0, line={"dash": "dot", "color": "grey"}, layer="below")
    value, low, high = frame["value"], frame["low"].fillna(frame["value"]), frame["high"].fillna(frame["value"])
    hovers = [
        f"{row.patients} in each group: {rounded(row.value)} [{rounded(row.low)}, {rounded(row.high)}]"
        for row in frame.itertuples()
    ]
    look = {"mode": "lines+markers", "line": {"color": MEASURED, "width": 2}, "error_y": error_bar(value, low, high, width=4)}
    marker = {"size": 10, "color": MEASURED}
    figure.add_trace(points(frame["patients"], value, marker, hovers, showlegend=False, **look))
    figure.update_xaxes(type="log", tickvals=frame["patients"].tolist(), ticktext=[f"{size}" for size in frame["patients"]])
    figure.update_yaxes(range=[min(-0.05, frame["low"].min(skipna=True) - 0.03), 1.03])
    return figure
