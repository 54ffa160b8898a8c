"""Stability against the number of features: profiles, agreement cutoffs, and the features ranked next."""

from dataclasses import replace

import numpy as np
import pandas as pd

from stabcore.analysis.agreement_cutoff import STILL_AGREE, agreement_cutoffs, marginal_stabilities
from stabcore.analysis.compare_selectors import LEVEL
from stabcore.analysis.noise_floors import is_any_beyond_floor, marginal_with_floor, profiles_with_floor
from stabcore.base.text import counted, is_or_are, join_tied, rounded, verb_for
from stabcore.measures.catalog import ENTRIES, entry
from stabcore.plots.estimates import few_ticks, format_range
from stabcore.plots.marks import line, points
from stabcore.plots.names import safe, selector_rows, short_names, show_row_names
from stabcore.plots.noise_floor import describe_unknown_floor, finding_beyond, headline_rows, range_above_shuffles
from stabcore.plots.small_multiples import CurveAxis, small_multiples
from stabcore.plots.style import MEASURED, empty_figure, mark_value
from stabcore.selectors.baseline import drop_baselines

LOGARITHMIC_FROM = 20  # smallest number of features for a logarithmic axis
PEAK_COLOUR = "#7F7F7F"  # colour of non-findings, on white and on black
LARGE_FLOOR = 0.25  # smallest mean stability with the outcome shuffled that needs an explanation
MAX_SHARE = 0.9  # of the features up to which profiles are shown
CUTOFF_MARK, PEAK_MARK = "agreement cutoff", "no cutoff: largest agreement"


def profiled_measures() -> list[str]:
    """Return the keys of the measures that have a profile, the default ones first."""
    return [measure.key for measure in sorted(ENTRIES, key=lambda measure: measure.pair is not None) if measure.has_profile]


def frame_profiles(runs, measure, similarity=None, shuffled=None, share=None, sizes=None):
    """DataFrame(selector, k, value, low, high, floor, floor_low, floor_high, p, shuffles): profile and floor of each selector.

    runs: {selector: Selections}. shuffled, share: see analysis.noise_floors.profiles_with_floor, None without a permutation
    control. A selector with an empty run has no profile. sizes: numbers of features, by default all up to 90% of the features: if
    nearly all are selected, few pairs of runs differ, and intervals become very wide.
    """
    ranked = {label: selections for label, selections in runs.items() if selections.n_ranked}
    frame = profiles_with_floor(ranked, shuffled or {}, measure, similarity=similarity, share=share, sizes=sizes)
    most = max((selections.n_features for selections in ranked.values()), default=1)
    return frame if sizes is not None else frame[frame["k"] <= max(1, int(MAX_SHARE * most))].reset_index(drop=True)


def finding_profiles(beyond, k, result=None, pairs=None, frame=None) -> str:
    """Describe stability beyond the noise floor with k features, from a frame_beyond. See finding_beyond.

    frame: a frame_profiles, for the numbers of features with the largest part beyond the noise floor, and those around k at which
    all selectors are above their shuffles.
    """
    headline = headline_rows(beyond).dropna(subset="value")
    headline = headline[~headline["blind"]]
    reach = (k, k) if frame is None else range_above_shuffles(frame[frame["selector"].isin(headline["selector"])], "k", k)
    if len(headline) > 1 and headline["clear"].all() and is_any_beyond_floor(headline) and reach[0] < reach[1]:
        first, last = (int(end) for end in reach)
        peak = _numbers_at_peak(frame, headline["selector"])
        return (
            f"As measured, stability beyond the noise floor is highest with {peak}. "
            f"With {first} to {last} features, all {len(headline)} selectors are above the shuffles (p ≤ {LEVEL} each)."
        )
    return f"{finding_beyond(beyond, result, pairs)} This holds for {counted(k, 'feature')} per run."


def _numbers_at_peak(frame, selectors) -> str:
    """The number of features per run with the largest part beyond the noise floor, or its range over selectors."""
    curves = frame[frame["selector"].isin(selectors)]
    beyond = (curves["value"] - curves["floor"]).dropna()
    peaks = curves.loc[beyond.groupby(curves["selector"]).idxmax(), "k"]
    first, last = int(peaks.min()), int(peaks.max())
    if first == last:
        return f"{counted(first, 'feature')} per run"
    return f"{first} {'or' if last == first + 1 else 'to'} {last} features per run, depending on the selector"


def describe_large_floors(frame, measure) -> str:
    """Name the selectors whose shuffles agree much at some number of features, of frame_profiles. "" for none.

    measure: its key. Where 0 is not the value of chance, many features agree anyway.
    """
    if not entry(measure).corrected:
        return ""
    highest = drop_baselines(frame).groupby("selector", sort=False)["floor"].max()
    rising = highest[highest >= LARGE_FLOOR]
    if rising.empty:
        return ""
    short = short_names(list(highest.index))
    names = join_tied([f"{short[name]} (up to {rounded(value)})" for name, value in rising.items()])
    return (
        f"Even with the outcome shuffled, {names} {verb_for(len(rising), 'repeat')} features. "
        "Where the grey line rises, a selector prefers some features whatever the outcome."
    )


def describe_above_floor(frame, k) -> str:
    """Describe the stabilities with k features per run, and how many are above their noise floors, of frame_profiles."""
    here = drop_baselines(frame[frame["k"] == k].dropna(subset="value"))
    if here.empty:
        return f"No selector has a defined stability with {counted(k, 'feature')} per run."
    judged = here[here["shuffles"] > 0]
    above = int((judged["p"] <= LEVEL).sum())
    floors = f"{above} of {counted(len(judged), 'selector')} {is_or_are(above)} above the noise floor (p ≤ {LEVEL} each)"
    return (
        f"With {counted(k, 'feature')} per run, stability is {format_range(here['value'])}. "
        f"{floors if len(judged) else 'The noise floor was not measured'}."
    )


def draw_profiles(frame, k, beyond, columns=4):
    """Draw a facet per selector in the order of beyond: its curve, that with the outcome shuffled, and k marked."""
    return small_multiples(frame, size_axis(frame), "Stability", k, beyond, columns)


def size_axis(frame):
    """Return the axis of all numbers of features in a frame, logarithmic if they are many."""
    first, most = (int(frame["k"].min()), int(frame["k"].max())) if len(frame) else (1, 1)
    log = most >= LOGARITHMIC_FROM and first > 0
    leading = (1,) if most > 200 else (1, 2, 5)
    steps = [step * 10**power for power in range(8) for step in leading if first <= step * 10**power <= most]
    if not log:
        steps = [int(step) for step in few_ticks(first, most) if step == int(step)]
    ticks = {step: f"{step:,}" for step in steps}
    return CurveAxis("k", first, max(most, first + 1), "Features per run", ticks, "%{x} features", log)


def frame_agreement_cutoffs(runs, similarity=None):
    """DataFrame(selector, k, low, high, shared, reason): the agreement cutoff of each selector in {label: Selections}."""
    return agreement_cutoffs(runs, similarity=similarity)


def describe_agreement_cutoffs(frame) -> dict[str, str]:
    """{selector: its agreement cutoff, or the reason if it has none}."""
    return {row.selector: f"{row.selector}: {_describe_cutoff(row)}." for row in frame.itertuples()}


def _describe_cutoff(row) -> str:
    interval = "" if np.isnan(row.low) else f"{row.low:.0f} to {row.high:.0f}"
    if np.isnan(row.k):
        largest = f"{row.low:.0f}" if row.low == row.high else interval
        return f"{row.reason}{f'. Agreement is largest with {largest} features' if interval else ''}"
    return (
        f"agreement cutoff {counted(round(row.k), 'feature')} (interval {interval}). There two runs share {row.shared:.1f} "
        "features more than by chance. Later ranks agree by chance only"
    )


def finding_agreement_cutoffs(frame) -> str:
    """Describe how many selectors have an agreement cutoff, and where."""
    ending = frame.dropna(subset="k")
    if ending.empty:
        return f"No agreement cutoff is found for {counted(len(frame), 'selector')}."
    low, high = round(ending["low"].min()), round(ending["high"].max())
    where = f"at {counted(low, 'feature')}" if low == high else f"between {low} and {high} features"
    return (
        f"{len(ending)} of {counted(len(frame), 'selector')} {'has' if len(ending) == 1 else 'have'} an agreement cutoff, {where}. "
        "Shared patients and correlated features can also cause one without signal."
    )


def draw_agreement_cutoffs(frame, k=None):
    """Draw one row per selector: a diamond at its agreement cutoff on the range that is not distinguishable from it.

    Without a cutoff the range is dotted, with an arrow if it may extend further. k: the chosen number of features.
    """
    labels = list(frame["selector"])[::-1]
    figure = empty_figure(x="Number of selected features", height=110 + 40 * len(labels))
    colour, position_of = MEASURED, {label: place for place, label in enumerate(labels)}
    cut, fading = frame[frame["k"].notna()], frame[frame["k"].isna() & frame["low"].notna()]
    hovers = {name: safe(text) for name, text in describe_agreement_cutoffs(frame).items()}
    for row in cut.itertuples():
        figure.add_trace(_add_range(row, position_of, hovers, CUTOFF_MARK, colour, 5, showlegend=False))
    if len(cut):
        look = {"color": colour, "symbol": "diamond", "size": 14}
        y, texts = cut["selector"].map(position_of), [hovers[name] for name in cut["selector"]]
        figure.add_trace(points(cut["k"], y, look, texts, name=CUTOFF_MARK, legendgroup=CUTOFF_MARK))
    for number, row in enumerate(fading.itertuples()):
        ends = ["line-ns-open", "arrow-right" if row.reason == STILL_AGREE else "line-ns-open"]
        marker = {"symbol": ends, "size": 12, "color": PEAK_COLOUR, "line": {"width": 2, "color": PEAK_COLOUR}}
        look = {"mode": "lines+markers", "marker": marker, "line": {"dash": "dot"}, "showlegend": number == 0}
        figure.add_trace(_add_range(row, position_of, hovers, PEAK_MARK, PEAK_COLOUR, 3, **look))
    if k is not None:
        mark_value(figure, k, f"k = {k}")
    figure.update_xaxes(rangemode="tozero")
    return show_row_names(figure, range(len(labels)), selector_rows(labels), range=[-0.6, len(labels) - 0.4])


def _add_range(row, position_of, hovers, name, colour, width, **look):
    y, hover = [position_of[row.selector]] * 2, [hovers[row.selector]] * 2
    return line([row.low, row.high], y, colour, width, hover, name=name, legendgroup=name, **look)


def frame_marginal(runs, window=None, shuffled=None, share=None):
    """DataFrame(selector, k, value, low, high, floor, floor_low, floor_high, p, shuffles): marginal stability of each selector.

    The intervals hold for all selectors together (Bonferroni). runs: {selector: Selections}. shuffled, share: see
    analysis.noise_floors.marginal_with_floor, None without a permutation control.
    """
    return marginal_with_floor(marginal_stabilities(runs, window), shuffled or {}, share)


def finding_marginal(frame, k, result=None) -> str:
    """Describe for which selectors the features ranked after the best k agree more than with the outcome shuffled."""
    size = k if frame.empty else min(k, frame["k"].max())
    here = drop_baselines(frame[frame["k"] == size].dropna(subset=["value", "low"]))
    after = f"After the best {counted(size, 'feature')}"
    if here.empty:
        return f"{after}, the rankings leave too few features for a marginal stability."
    judged = here[here["shuffles"] > 0]
    if judged.empty:
        return f"{after}, the marginal stability cannot be judged. {describe_unknown_floor(result)}"
    clear = judged[(judged["low"] > judged["floor_high"]) & (judged["p"] <= LEVEL)]["selector"].tolist()
    if not clear:
        return f"{after}, the next features agree no more than with the outcome shuffled ({counted(len(judged), 'selector')})."
    return (
        f"{after}, the next features are more stable than with the outcome shuffled for {len(clear)} of "
        f"{counted(len(judged), 'selector')}: {join_tied(clear, 5)}."
    )


def draw_marginal(frame, k, columns=4):
    """Draw a facet per selector: marginal stability against the number of features already selected, and its noise floor."""
    order = pd.DataFrame({"selector": list(dict.fromkeys(frame["selector"]))}).assign(
        facet="runs", beyond=np.nan, clear=False, shuffles=int(frame["shuffles"].max()) if len(frame) else 0
    )
    along = replace(size_axis(frame), title="Features already selected")
    return small_multiples(frame, along, "Stability of the next features", k, order, columns)
