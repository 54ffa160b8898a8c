"""What if the correlation threshold of similar features changes."""

from dataclasses import replace
from functools import partial

import streamlit as st

from pages.parts import cache, figures, scenarios, session
from pages.parts.figures import figure
from pages.parts.text import plain
from stabcore.analysis.noise_floors import blind, floors
from stabcore.analysis.whatif.thresholds import affordable
from stabcore.base.text import several
from stabcore.plots.noise_floor import frame_beyond
from stabcore.plots.similarity import draw_uncertainty, finding_uncertainty, frame_uncertainty
from stabcore.plots.small_multiples import MAX_PANELS
from stabcore.plots.thresholds import (
    at_threshold,
    describe_doubtful,
    draw_thresholds,
    finding_thresholds,
    frame_thresholds,
    readable_from,
    related_pairs,
    table_doubtful,
    table_standings,
)
from stabcore.similarity.correlation import METHODS

DRAWS = 200
MEASURED = "Blue: effective stability over all runs. Grey: outcome shuffled, mean and range. Dotted: the chosen threshold."
ALONE = "Grey lines: effective stability over all runs. The noise floor is not known, so selectors are not compared."
CLICK = "Click a curve to use its threshold on every screen."


def ask(view):
    """Curves of all selectors over the threshold. A click or the slider sets it on every screen."""
    data = cache.matching_data()
    if data is None:
        where = "Upload it on Start, beside your selections." if view.results.plan is None else "Add it on Study."
        st.info(f"Correlations need the data table, which is not loaded. {where}", icon=":material/info:")
        return
    results, k, now = view.results, view.k, view.scenario
    controls(view, now)
    bins, runs = cache.bins(data, now.method, now.binary), view.selections(results.finished_selectors)
    doubt = cache.computed(table_doubtful, runs, bins)
    question = results, runs, bins, k, 0.95 if affordable(runs) else None
    frame = cache.computed(_curves, *question)
    here = replace(now, base="correlation", edits=())  # the curves ignore pairs set by hand
    beyond = cache.computed_step(_beyond, results, cache.similarity_question(here), k)
    lead = cache.computed(_standings, *question) if results.has_control and affordable(runs) else None
    drawn = partial(
        draw_thresholds,
        frame,
        now.threshold,
        beyond,
        lead,
        readable_from(doubt, now.threshold),
        related_pairs(bins) if bins.binary else None,
    )
    finding = finding_thresholds(beyond, now.threshold, results)
    figures.panels(
        drawn,
        finding,
        frame,
        "thresholds",
        by="x",
        pick=lambda clicked: clicked and take(min(float(clicked[0]), 1.0)),
        screen=view.frame,
    )
    view.frame.explain(*below(at_threshold(frame, now.threshold), doubt, results.has_control))
    uncertain(view, data)


def _curves(results, runs, bins, k, level):
    control = results.has_control
    shuffled = {label: [drawn for _, drawn in results.shuffled(label, k)] for label in runs} if control else None
    return frame_thresholds(runs, bins, shuffled, results.cluster_share if control else None, level)


def _standings(results, runs, bins, k, level):
    return table_standings(runs, cache.computed(_curves, results, runs, bins, k, level), bins)


def _beyond(results, question, k):
    return frame_beyond({"runs": floors(results, "effective", cache.made_similarity(question), k)}, blind(results))


def below(here, doubt, control):
    """Explain the figure, one paragraph per topic, for the chosen threshold."""
    reasons = here[here["reason"] != ""].groupby("reason", sort=False)["selector"]
    more = max(0, here["selector"].nunique() - MAX_PANELS)
    paragraphs = [
        f"{MEASURED if control else ALONE} {CLICK}",
        plain(describe_doubtful(doubt)),
        f"{more} more selectors are in the table." if more else "",
        *(plain(f"No value here for {', '.join(selectors)}: {reason}.") for reason, selectors in reasons),
    ]
    return [text for text in paragraphs if text]


def uncertain(view, data):
    """The change of effective stability because C is estimated from these patients, on request."""
    now = view.scenario
    st.markdown("**Uncertainty of the correlations**")
    view.frame.explain(
        f"The correlations are estimated from {len(data.target):,} rows. The rows are resampled with replacement {DRAWS} times. "
        "Each sample gives another similarity matrix for the same runs."
    )
    if not st.toggle("Resample correlations (slow with many features)", **session.bound(session.C_RESAMPLED, False)):
        return
    frame = cache.computed(_uncertainty, view.selections(view.results.finished_selectors), data, now)
    figure(draw_uncertainty(frame), finding_uncertainty(frame), frame, "uncertainty")


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


def controls(view, now):
    """Threshold, method and weighting of pairs. Every change applies on every screen."""
    left, right = st.columns([3, 1], vertical_alignment="bottom")
    left.slider("Set threshold |ρ|", 0.0, 1.0, step=0.01, **scenarios.bound_setting("whatif", "threshold", base="correlation"))
    if now.base != "correlation":
        left.button(
            f"Use |ρ| ≥ {now.threshold:.2f} on every screen",
            key="take-threshold",
            icon=":material/hub:",
            on_click=take,
            args=(now.threshold,),
        )
    with right.popover("More settings", key="threshold-settings"):
        st.selectbox("Choose correlation", METHODS, format_func=METHODS.__getitem__, **scenarios.bound_setting("whatif", "method"))
        st.toggle("Count fully (off: weight by |ρ|)", **scenarios.bound_setting("whatif", "binary"))
    if now.base != "correlation":
        view.frame.explain("Other screens do not use a correlation now. Move the threshold to use it everywhere.")
    elif now.edits:
        view.frame.limit(f"The curves ignore pairs set by hand ({several(len(now.edits), 'pair')}).")


def take(threshold):
    """Set the correlation threshold on every screen."""
    scenarios.change(replace(scenarios.chosen(), base="correlation", threshold=round(threshold, 2)))
