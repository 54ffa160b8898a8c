"""From which correlation on do features stand for each other, and what would another threshold change?"""

from dataclasses import replace
from functools import partial

import streamlit as st

from pages.parts import cache, callbacks, scenarios, session, words
from pages.parts.controls import relation_line
from pages.parts.figures import figure, table
from pages.parts.text import bullets, plain
from stabcore.analysis.pairs import stability_pairs
from stabcore.figures.floor import frame_floor, sentence_floor
from stabcore.figures.thresholds import (
    at_threshold,
    count_pairs,
    draw_thresholds,
    finding_thresholds,
    frame_thresholds,
    sentence_doubtful,
    sentences_crossings,
    table_bands,
    table_crossings,
    table_doubtful,
)
from stabcore.figures.uncertainty import draw_uncertainty, finding_uncertainty, frame_uncertainty
from stabcore.relation.correlation import METHODS

DRAWS = 200


def ask(view):
    """Curves of all selectors over the threshold; a click or the slider takes one everywhere."""
    data = cache.matching_data()
    if data is None:
        where = "Bring it beside your selections on Start" if view.results.plan is None else "Add it on Study"
        st.info(f"Correlations need the data table, which is not loaded. {where}, or ask one of the other questions.",
                icon=":material/info:")
        return
    results, k, now = view.results, view.k, view.scenario
    controls(now)
    question = ["thresholds", results.ready, k, data.fingerprint, now.method, now.binary]
    bins = cache.bins(data, now.method, now.binary)
    frame = cache.cached(lambda: frame_thresholds(view.selections(results.ready), bins), question)
    here = replace(now, base="correlation", edits=())           # the curves leave aside what was set by hand

    def answered(make, name):
        return cache.cached(lambda: make(cache.relation_of(here)), name, question, here.settings())

    pairs = answered(lambda C: stability_pairs(results, "effective", C, k), "pairs at threshold")
    floor = (answered(lambda C: frame_floor(results, k, "effective", C), "floor at threshold") if results.has_control
             else cache.cached(lambda: frame_floor(results, k, "nogueira"), "floor where nothing is related", k))
    spread = count_pairs(bins) if bins.binary else None
    doubt = cache.cached(lambda: table_doubtful(view.selections(results.ready), bins), "doubtful", question)
    with_band = session.kept(session.THRESHOLD_BANDS, lambda **at: st.multiselect(
        "Show the interval of", results.ready, **at), [], results.ready)
    bands = cache.cached(lambda: table_bands(view.selections(with_band), bins), "bands", question, with_band) if with_band else None
    crossings = cache.cached(lambda: table_crossings(frame), "crossings", question)
    passing = sentences_crossings(crossings, now.threshold)
    cache.cautions(view.relation)               # asked now: what is below comes with the picture, so a browser places all at once
    with view.top:
        figure(draw_thresholds(frame, now.threshold, floor, bins.unrelated, spread, bands, doubt),
               finding_thresholds(frame, now.threshold, pairs), frame, "thresholds",
               pick=lambda clicked: clicked and take(min(float(clicked[0]), 1.0)), by="x")
    words.tell(*below(view, at_threshold(frame, now.threshold), doubt, floor, bins.unrelated))
    crossed(crossings, passing, len(results.ready))
    uncertain(view, data)
    relation_line(view)


def below(view, here, doubt, floor, unrelated):
    """What has to be known of the picture, a paragraph each; here: the curves at the chosen threshold."""
    shuffled = len(floor) and floor["shuffles"].any()
    drawn = len(floor) and (shuffled or unrelated is not None)
    reasons = here[here["reason"] != ""].groupby("reason", sort=False)["selector"]
    return [
        plain(sentence_doubtful(doubt)),
        "Features that rise and fall together may count as one and the same: each curve is the **effective stability** of "
        "one selector, whatever the correlation |ρ| from which on they do. Selectors named together cannot be told apart. "
        "Click a curve to take that threshold to every screen. Where a curve rises, runs swap features that correlate so. "
        "Near 0 nearly all features would be one; there curves may dive out of the picture.",
        plain(sentence_floor(floor if drawn else floor.iloc[:0], view.results, view.k)
              + (" Drawn where no features are related any more." if drawn and not shuffled else "")),
        *(plain(f"No value here for {', '.join(selectors)}: {reason}.") for reason, selectors in reasons)]


def uncertain(view, data):
    """On request: how far the effective stability moves because C is estimated from these patients."""
    now = view.scenario
    st.markdown("**How much hangs on the correlations themselves?**")
    words.tell(f"They are estimated from these {len(data.target):,} rows. As if they came from other patients like these, the rows "
               f"are drawn with replacement {DRAWS} times, and the same runs measured with each C.")
    if not session.kept(session.UNCERTAIN, lambda **at: st.toggle(
            "Draw other patients for C (takes a while with many features)", **at), default=False):
        return
    how = {"method": now.method, "threshold": now.threshold, "binary": now.binary, "draws": DRAWS}
    frame = cache.cached(lambda: frame_uncertainty(view.selections(view.results.ready), data, **how,
                                                   edits={(a, b): v for a, b, v in now.edits}),
                         "uncertainty", view.k, data.fingerprint, now.settings())
    figure(draw_uncertainty(frame), finding_uncertainty(frame), frame, "uncertainty")


def controls(now):
    """Threshold, method and how pairs count; every change is taken everywhere."""
    left, right = st.columns(2)
    session.set_widget(session.THRESHOLD, now.threshold)
    left.slider("Features stand for each other from |ρ| =", 0.0, 1.0, step=0.01, key=session.THRESHOLD,
                on_change=callbacks.when_moved(session.THRESHOLD, take))
    if now.base != "correlation":
        left.button(f"Use |ρ| ≥ {now.threshold:.2f} on every screen", key="take-threshold", icon=":material/hub:",
                    on_click=lambda: take(now.threshold))
    for field, widget, *shown in (("method", right.selectbox, "Correlation", METHODS),
                                  ("binary", right.toggle, "Fully, whatever the correlation (off: by |ρ| itself)")):
        key = session.setting("whatif", field)
        st.session_state[key] = getattr(now, field)
        widget(*shown, key=key, on_change=callbacks.when_moved(key, partial(change, field)),
               **({"format_func": METHODS.get} if field == "method" else {}))
    if now.base != "correlation":
        words.tell("The other screens do not use a correlation now; moving the threshold or clicking a curve makes them.")
    elif now.edits:
        words.tell(f"The curves leave aside what was set by hand ({len(now.edits)} pair{'s' * (len(now.edits) != 1)}).")
    else:
        st.caption("Every screen uses this threshold.")


def change(field, value):
    """Another method, or another way to count."""
    scenarios.change(replace(scenarios.chosen(), **{field: value}))


def take(threshold):
    """Correlations from this threshold on, everywhere."""
    scenarios.change(replace(scenarios.chosen(), base="correlation", threshold=round(threshold, 2)))


def crossed(crossings, passing, many):
    """Where selectors change places; passing: sentences on the nearest of the crossings."""
    if many < 2:
        return
    if crossings.empty:
        st.markdown("**No two selectors change places as measured**, whatever the threshold.")
        return
    bullets(passing, "**Where selectors change places** (nearest to the chosen threshold first). The curves are exact for these "
                     "runs; the sentence above the picture says which selectors really differ here.")
    table(lambda: crossings, "crossings", f"All {len(crossings):,} places where two curves cross")
