"""Effective stability against the correlation threshold of C, with the noise floor and the leading selector."""

import numpy as np

from stabcore.analysis.noise_floors import is_any_beyond_floor
from stabcore.analysis.whatif.thresholds import BEHIND, LEADS, LEVEL, TIED, floor_curves, standings, threshold_curve
from stabcore.base.text import counted, is_or_are, join_tied
from stabcore.plots.estimates import format_number, format_on_unit_scale, format_range
from stabcore.plots.marks import bars, note, rule
from stabcore.plots.names import safe_short_names, short_names, show_row_names
from stabcore.plots.noise_floor import finding_beyond, headline_rows, range_above_shuffles
from stabcore.plots.similarity import describe_change, frame_before_after
from stabcore.plots.small_multiples import CurveAxis, small_multiples
from stabcore.plots.style import BEYOND, MEASURED, SECOND_INK, TOOL_BAR, empty_figure, legend_layout
from stabcore.selectors.baseline import is_baseline

SMALLEST_STEP = 0.01  # between thresholds as printed
READABLE_STEP = 0.02  # between the last doubtful threshold and the first readable one
# pixels of a row of the leading selectors, of the legend above them (two lines on a telephone), and of the ticks below
LEAD_ROW, LEGEND_HEIGHT, FOOT_HEIGHT = 24, 50, 44
THRESHOLD_TICKS = tuple(round(step / 10, 1) for step in range(11))


def frame_thresholds(runs, bins, shuffled=None, share=None, level=None):
    """DataFrame(selector, threshold, value, low, high, floor, floor_low, floor_high, floor_se, p, reason): Φ_C at every threshold.

    runs: {selector: Selections}. shuffled, share: see whatif.floor_curves, None without a permutation control. level: of the
    interval, None for none.
    """
    frame = threshold_curve(runs, bins, level=level)
    if "low" not in frame:
        frame = frame.assign(low=np.nan, high=np.nan)
    return frame.merge(floor_curves(runs, shuffled or {}, bins, share), on=["selector", "threshold"], how="left", sort=False)


def frame_leading(runs, frame, bins):
    """DataFrame(selector, threshold, standing) of a frame_thresholds: the first selector beyond the floor, see whatif.standings."""
    rivals = {label: selections for label, selections in runs.items() if not is_baseline(label)}
    return standings(rivals, frame[frame.groupby("selector")["floor"].transform("count") > 0], bins)


def threshold_rows(frame, chosen):
    """Return the rows of frame_thresholds at the threshold nearest to the chosen one."""
    grid = frame["threshold"].unique()
    if not len(grid):  # no selector is beyond a noise floor
        return frame
    return frame[frame["threshold"] == grid[np.abs(grid - chosen).argmin()]]


def finding_thresholds(classic, beyond, chosen, result=None, frame=None) -> str:
    """Describe the change at the chosen threshold, and which selectors are beyond their noise floors.

    classic: from noise_floors.noise_floors, where each feature counts separately. beyond: a frame_beyond of the effective
    stability.
    frame: a frame_thresholds, for the thresholds around the chosen one at which all selectors are above their shuffles.
    """
    change = describe_change(frame_before_after(classic, beyond.set_index("selector")))
    change = f"If features with |ρ| ≥ {chosen:.2f} count as one, {change}." if change else ""
    headline = headline_rows(beyond).dropna(subset="value")
    headline = headline[~headline["blind"]]
    if frame is not None and len(headline) > 1 and headline["clear"].all() and is_any_beyond_floor(headline):
        nearest = float(threshold_rows(frame, chosen)["threshold"].iloc[0])
        low, high = range_above_shuffles(frame[frame["selector"].isin(headline["selector"])], "threshold", nearest)
        low, high = np.ceil(round(100 * low, 6)) / 100, np.floor(round(100 * high, 6)) / 100  # inside the range as printed
        if low < high:
            above = f"all {len(headline)} selectors stay above the shuffles (p ≤ {LEVEL} each)"
            return f"For thresholds |ρ| from {low:.2f} to {high:.2f}, {above}. {change}".strip()
    return f"{change} {finding_beyond(beyond, result, brief=True)}".strip()


def describe_leading(threshold, pairs, here, lead=None) -> str:
    """Describe the selectors that are farthest beyond their noise floors at one threshold.

    pairs: number of similar pairs, None if they count by |ρ|. here: the rows of frame_thresholds there. lead: those of
    frame_leading, None if selectors are not compared.
    """
    similar = "" if pairs is None else f" ({counted(pairs, 'pair')})"
    start = f"With |ρ| ≥ {threshold:.2f}{similar}, "
    value, p = here["value"].to_numpy(dtype=float), here["p"].to_numpy(dtype=float)
    value, p = value[~np.isnan(value)], p[~np.isnan(value)]
    if not len(value):
        return f"{start}no effective stability is defined."
    if np.isnan(p).all():
        return f"{start}effective stability is {format_range(value)}. The noise floor was not measured."
    if lead is None or lead.empty:
        above = int((p <= LEVEL).sum())
        return f"{start}{above} of {counted(len(value), 'selector')} {is_or_are(above)} above the noise floor (p ≤ {LEVEL} each)."
    standing_of = dict(zip(lead["selector"], lead["standing"], strict=True))
    first = [label for label, standing in standing_of.items() if standing in (LEADS, TIED)]
    if not first:
        return f"{start}no selector is clearly above its noise floor."
    if LEADS in standing_of.values():
        return f"{start}{first[0]} leads clearly beyond the noise floor."
    if len(first) == 1:
        return f"{start}{first[0]} is first beyond the noise floor."
    return f"{start}{join_tied(first, 4)} are first beyond the noise floor and not distinguishable."


def readable_threshold(frame, chosen=1.0) -> float:
    """Return the threshold above which the curves can be read, never above the chosen one. frame: of `doubtful`."""
    wild = frame.loc[frame["doubtful"], "threshold"]
    return float(min(0.0 if wild.empty else min(wild.max() + READABLE_STEP, 0.9), chosen))


def describe_doubtful(frame) -> str:
    """Describe the thresholds up to which effective stability is hard to read, with the reason. "" if there are none."""
    doubtful = frame.loc[frame["doubtful"], "threshold"]
    if doubtful.empty or doubtful.max() < SMALLEST_STEP / 2:
        return ""
    return (
        f"Effective stability is hard to read for thresholds up to {doubtful.max():.2f}. There almost all features count as one, "
        "or many are similar to two features that are not similar to each other. It can then exceed 1 or fall far below 0. "
        "Curves start above these thresholds, or at the chosen one if that is lower."
    )


def _stretches(inside) -> np.ndarray:
    """(N, 2) start and end of each stretch of True, the end excluded."""
    return np.flatnonzero(np.diff(np.concatenate([[False], inside, [False]]).astype(int))).reshape(-1, 2)


def similar_pair_counts(bins, thresholds=THRESHOLD_TICKS):
    """{threshold: number of pairs of features that count as one}, of binary CorrelationBins."""
    amount = np.append(bins.amount, 0)
    return {threshold: int(round(amount[np.searchsorted(bins.thresholds, threshold - 1e-9)])) for threshold in thresholds}


# ---- the figure ----


def draw_thresholds(frame, chosen, beyond, start=0.0, columns=4, classic=None):
    """Draw a facet per selector. Blue: measured. Grey: outcome shuffled.

    beyond: a frame_beyond of the effective stability at the chosen threshold, which gives the order and the numbers of the
    facets. start: the threshold at which the axes begin. columns: facets per row. classic: from noise_floors.noise_floors, where
    each feature counts separately, to state the part beyond the floor before and after. A click on a curve gives its threshold: x
    of a point.
    """
    ticks = {tick: format_on_unit_scale(tick) for tick in THRESHOLD_TICKS[::2] if tick >= start}
    along = CurveAxis("threshold", start, 1.0, "Threshold |ρ|", ticks, "|ρ| ≥ %{x:.2f}")
    before = None if classic is None else classic["beyond"].to_dict()
    return small_multiples(frame, along, "Effective stability (similar features as one)", chosen, beyond, columns, before)


def draw_leading(lead, names, chosen, start=0.0, pairs=None):
    """Draw a row per selector that leads anywhere: the thresholds at which it is first beyond its noise floor.

    lead: a frame_leading. names: selectors in the order of the rows. chosen: a threshold, marked. start: the threshold at which
    the axis begins. pairs: {threshold: number of similar pairs} below the axis, None if they count by |ρ|.
    """
    spans = _lead_spans(lead, start)
    leaders = [name for name in names if any((name, standing) in spans for standing in (LEADS, TIED))]
    figure = empty_figure(height=TOOL_BAR + LEGEND_HEIGHT + LEAD_ROW * max(len(leaders), 1) + FOOT_HEIGHT)
    figure.layout.margin.update(t=TOOL_BAR + LEGEND_HEIGHT, b=FOOT_HEIGHT)
    figure.add_traces(_lead_bars(spans, leaders))
    figure.layout.shapes = (rule(chosen, chosen, 0, 1, 1.5, dash="dot", layer=None, yref="paper"),)
    if pairs:
        figure.add_annotation(note("|ρ| ≥<br>pairs", 0, 0, "right", "top", colour=SECOND_INK, xshift=-8, yshift=-5, align="right"))
    ticks = [tick for tick in (pairs or dict.fromkeys(THRESHOLD_TICKS)) if tick >= start - 1e-9]
    texts = [format_number(tick, digits=1) + (f"<br>{pairs[tick]:,}" if pairs else "") for tick in ticks]
    figure.update_layout(barmode="overlay", bargap=0, legend=legend_layout(1.0))
    figure.update_xaxes(range=[start, 1.0], tickvals=ticks, ticktext=texts, showgrid=False, zeroline=False, automargin=False)
    figure.update_yaxes(range=[-0.5, max(len(leaders), 1) - 0.5], fixedrange=True, showgrid=False, zeroline=False)
    ticks = [safe_short_names([name])[name] for name in short_names(leaders).values()]
    return show_row_names(figure, range(len(leaders) - 1, -1, -1), ticks)


def _lead_bars(spans, leaders):
    """Bars over the thresholds at which each selector leads, one row per selector that leads anywhere."""
    rows, traces = {name: len(leaders) - 1 - position for position, name in enumerate(leaders)}, []
    for standing, colour, words in (
        (LEADS, MEASURED, "leads clearly"),
        (TIED, BEYOND, "first, or tied"),
        (BEHIND, "rgba(128,128,128,0.18)", "behind"),
    ):
        drawn = [(rows[name], *span) for name in leaders for span in spans.get((name, standing), ())]
        x, y = [high - low for _, low, high in drawn], [row for row, _, _ in drawn]
        look = {"base": [low for _, low, _ in drawn], "width": 0.8, "marker": {"line": {"width": 0}}}
        traces.append(bars(x, y, colour, name=words, showlegend=True, **look))
    return traces


def _lead_spans(lead, start):
    """{(selector, standing): [(from, to)] of the stretches of thresholds with this standing}. Empty without a lead."""
    spans: dict[tuple[str, str], list[tuple[float, float]]] = {}
    for name, rows in lead[lead["threshold"] >= start - 1e-9].groupby("selector", sort=False):
        thresholds, standings = rows["threshold"].to_numpy(), rows["standing"].to_numpy()
        for standing in (LEADS, TIED, BEHIND):
            ends = [(first, min(end, len(thresholds) - 1)) for first, end in _stretches(standings == standing)]
            if ends:
                spans[name, standing] = [(float(thresholds[first]), float(thresholds[last])) for first, last in ends]
    return spans
