"""What if the correlation threshold of similar features changes."""

from dataclasses import replace
from functools import partial

import streamlit as st

from pages.parts import cache, figures, glossary, scenarios, text
from pages.parts.similarity.scenario import ABOUT_EFFECTIVE
from pages.parts.text import plain
from stabcore.analysis.noise_floors import shuffled_runs
from stabcore.analysis.whatif.thresholds import can_afford_intervals, doubtful_thresholds
from stabcore.base.text import counted
from stabcore.plots.noise_floor import describe_p_of_curves, format_compared_runs, result_beyond
from stabcore.plots.similarity import (
    describe_parts_of_change,
    draw_uncertainty,
    finding_uncertainty,
    frame_before_after,
    frame_uncertainty,
    is_due_to_floors,
)
from stabcore.plots.small_multiples import MAX_FACETS, ordered_rows
from stabcore.plots.thresholds import (
    THRESHOLD_TICKS,
    describe_doubtful,
    describe_leading,
    draw_leading,
    draw_thresholds,
    finding_thresholds,
    frame_leading,
    frame_thresholds,
    readable_threshold,
    similar_pair_counts,
    threshold_rows,
)
from stabcore.similarity.correlation import METHODS

DRAWS = 200
MEASURED = (
    "Stability {}. Numbers: its part beyond the noise floor, for single features → with similar features as one (dotted line)."
)
FALLEN = "Noise floors are below 0 where runs without signal select very different numbers of similar features."
FALLING = (
    "They change mainly because some noise floors fall: without signal, runs can select very different numbers of similar features."
)
FAR_BELOW_0 = -0.1  # a noise floor whose reason is said
ALONE = "Effective stability {}. The noise floor is not known, so selectors are not compared."
LEADING = (
    "Dark: leads clearly. Pale: first, or not distinguishable from the first. Grey: behind, or not clearly above its noise floor."
)
CLICK = (
    "The slider, or a click at a threshold, sets this correlation threshold on every screen. Intervals and ranges can continue "
    "outside the figure."
)


def allowed_analyses(view):
    """Further analyses of the threshold that the results allow."""
    if (data := cache.matching_dataset()) is None:
        return {}
    compared = view.results.has_control and can_afford_intervals(view.selections(view.results.finished_selectors))
    return ({"leading": ("Leading selectors", partial(show_leading, data))} if compared else {}) | {
        "uncertain": ("Uncertainty of the correlations", partial(show_uncertainty, data))
    }


def show_thresholds(view):
    """Curves of all selectors over the threshold. A click or the slider sets the threshold on every screen."""
    data = cache.matching_dataset()
    if data is None:
        where = "Upload it on Start, beside your selections." if view.results.plan is None else "Add it on Study."
        where = "Undo its changes on Data." if cache.has_changed() else where
        st.info(f"Correlations need the table of these features, which is not loaded. {where}", icon=":material/info:")
        return
    show_controls(view)
    threshold = view.scenario.threshold
    _, _, frame, doubt = _curves_of(view, data)
    beyond, classic, start = _floors_at_threshold(view), view.noise_floors("nogueira"), readable_threshold(doubt, threshold)
    shown = frame[frame["threshold"] >= start]
    figures.show_facets(
        partial(draw_thresholds, frame, threshold, beyond, start, classic=classic),
        finding_thresholds(classic, beyond, threshold, view.results, shown),
        partial(ordered_rows, frame, beyond),
        "thresholds",
        by="x",
        pick=lambda clicked: clicked and set_threshold(min(float(clicked[0]), 1.0)),
        screen=view.screen,
    )
    caption = (MEASURED if view.results.has_control else ALONE).format(format_compared_runs(view.results))
    change = frame_before_after(classic, beyond.set_index("selector"))
    why = FALLING if is_due_to_floors(change) else FALLEN if shown["floor"].min() < FAR_BELOW_0 else ""
    glossary.show_caption(f"{caption} {why}".strip())
    view.screen.explain(
        text.plain(describe_parts_of_change(change)),
        ABOUT_EFFECTIVE,
        describe_p_of_curves(view.results, "threshold"),
        *explain_figure(threshold_rows(frame, threshold), doubt),
        "If you choose the threshold with the highest stability, that stability is overestimated.",
    )


def show_leading(data, view):
    """The selectors that are first beyond their noise floors, at every threshold."""
    show_controls(view)
    threshold = view.scenario.threshold
    runs, bins, frame, doubt = _curves_of(view, data)
    standings = cache.computed(frame_leading, runs, frame, bins)
    beyond = _floors_at_threshold(view)
    names = list(dict.fromkeys(beyond["selector"]))
    pairs = similar_pair_counts(bins, (*THRESHOLD_TICKS, threshold)) if bins.binary else None
    ticks = pairs and {tick: pairs[tick] for tick in THRESHOLD_TICKS}
    figures.show_figure(
        partial(draw_leading, standings, names, threshold, readable_threshold(doubt, threshold), ticks),
        describe_leading(
            threshold, pairs and pairs[threshold], threshold_rows(frame, threshold), threshold_rows(standings, threshold)
        ),
        partial(ordered_rows, standings, beyond),
        "leading",
        screen=view.screen,
    )
    view.screen.explain(LEADING)


def _curves_of(view, data):
    """(Selections of each selector, correlations in bins, curves, thresholds that are hard to read)"""
    now, results = view.scenario, view.results
    bins, runs = cache.correlation_bins(data, now.method, now.binary), view.selections(results.finished_selectors)
    frame = cache.computed(_curves, results, runs, bins, view.k, 0.95 if can_afford_intervals(runs) else None)
    return runs, bins, frame, cache.computed(doubtful_thresholds, runs, bins)


def _floors_at_threshold(view):
    """Effective stability and noise floors at the chosen threshold, without pairs set by hand, as in the curves."""
    here = replace(view.scenario, base="correlation", edits=())
    return cache.computed_step(_floors, view.results, cache.similarity_question(here), view.k)


def _floors(results, question, k):
    return result_beyond(results, "effective", cache.similarity_of_question(question), k)


def _curves(results, runs, bins, k, level):
    return frame_thresholds(runs, bins, *shuffled_runs(results, runs, k), level)


def explain_figure(here, doubt):
    """Explain the figure, one paragraph per topic, for the chosen threshold."""
    reasons = here[here["reason"] != ""].groupby("reason", sort=False)["selector"]
    more = max(0, here["selector"].nunique() - MAX_FACETS)
    paragraphs = [
        CLICK,
        plain(describe_doubtful(doubt)),
        f"{more} more selectors are in the table." if more else "",
        *(plain(f"No value here for {', '.join(selectors)}: {reason}.") for reason, selectors in reasons),
    ]
    return [text for text in paragraphs if text]


def show_uncertainty(data, view):
    """The change of effective stability because C is estimated from these patients."""
    show_controls(view)
    view.screen.explain(
        f"A third of the patients is drawn {DRAWS} times, and each draw gives another similarity matrix for the same runs. "
        "Correlations of a third vary around those of all as those of other patients would.",
        "In simulations, 83% to 100% of these ranges held the value with C of as many other patients. The fewest did where many "
        "correlations were at the threshold.",
    )
    with st.spinner("Drawing patients"):
        frame = cache.computed(_uncertainty, view.selections(view.results.finished_selectors), data, view.scenario)
    figures.show_figure(draw_uncertainty(frame), finding_uncertainty(frame), frame, "uncertainty", screen=view.screen)


def _uncertainty(runs, data, scenario):
    return frame_uncertainty(
        runs,
        data,
        method=scenario.method,
        threshold=scenario.threshold,
        binary=scenario.binary,
        draws=DRAWS,
        edits={(a, b): value for a, b, value in scenario.edits},
    )


def show_controls(view):
    """Threshold, method and weighting of pairs. Every change applies on every screen."""
    now = view.scenario
    left, right = st.columns([3, 1], vertical_alignment="bottom")
    left.slider("Set threshold |ρ|", 0.0, 1.0, step=0.01, **scenarios.bound_setting("whatif", "threshold", base="correlation"))
    if now.base != "correlation":
        left.button(
            f"Use |ρ| ≥ {now.threshold:.2f} on every screen",
            key="take-threshold",
            icon=":material/hub:",
            on_click=set_threshold,
            args=(now.threshold,),
        )
    with right.popover("More settings", key="threshold-settings"):
        st.selectbox("Choose correlation", METHODS, format_func=METHODS.__getitem__, **scenarios.bound_setting("whatif", "method"))
        st.toggle("Count fully (off: weight by |ρ|)", **scenarios.bound_setting("whatif", "binary"))
    if now.base != "correlation":
        view.screen.explain("Other screens do not use a correlation now. Move the threshold to use it everywhere.")
    elif now.edits:
        view.screen.add_limitations(f"The curves ignore pairs set by hand ({counted(len(now.edits), 'pair')}).")


def set_threshold(threshold):
    """Set the correlation threshold on every screen."""
    scenarios.change(replace(scenarios.chosen(), base="correlation", threshold=round(threshold, 2)))
