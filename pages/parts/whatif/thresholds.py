"""From which correlation on do similar features count as one, and what would another threshold change?"""

from dataclasses import replace
from functools import partial

import streamlit as st

from pages.parts import cache, callbacks, figures, scenarios, session, words
from pages.parts.controls import relation_line
from pages.parts.figures import figure
from pages.parts.text import plain
from stabcore.analysis.floors import blind, floors
from stabcore.figures.noise_floor import frame_beyond
from stabcore.figures.similarity import draw_uncertainty, finding_uncertainty, frame_uncertainty
from stabcore.figures.small_multiples import MOST_PANELS
from stabcore.figures.thresholds import (
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
from stabcore.relation.correlation import METHODS
from stabcore.whatif.floor_curves import affordable

DRAWS = 200
MEASURED = ("Blue: measured over all runs, which is another quantity than the agreement of halves. Grey: the same runs with the "
            "outcome shuffled, mean and range. Dotted: the chosen threshold, with what is beyond the noise floor there.")
ALONE = "Grey lines: measured over all runs. No noise floor is known, so no selector is said to lead."
CLICK = "Click a curve to take its threshold to every screen."


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
    here = replace(now, base="correlation", edits=())           # the curves leave aside what was set by hand
    runs = view.selections(results.ready)
    doubt = cache.cached(lambda: table_doubtful(runs, bins), "doubtful", question)
    shuffled = {label: [one for _, one in results.shuffled(label, k)] for label in results.ready} if results.has_control else None
    share = results.cluster_share if results.has_control else None
    level = 0.95 if affordable(runs) else None
    frame = cache.cached(lambda: frame_thresholds(runs, bins, shuffled, share, level), question)
    beyond = cache.cached(lambda: frame_beyond({"runs": floors(results, "effective", cache.relation_of(here), k)}, blind(results)),
                          "beyond at threshold", question, here.settings())
    lead = cache.cached(lambda: table_standings(runs, frame, bins), "standings", question) if shuffled and level else None
    cache.cautions(view.relation)               # asked now: what is below comes with the picture, so a browser places all at once
    drawn = partial(draw_thresholds, frame, now.threshold, beyond, lead, readable_from(doubt, now.threshold),
                    related_pairs(bins) if bins.binary else None)
    finding = finding_thresholds(beyond, now.threshold, results)
    with view.top:
        figures.at_width(drawn(), partial(drawn, columns=2), finding, frame, "thresholds", by="x",
                         pick=lambda clicked: clicked and take(min(float(clicked[0]), 1.0)))
    words.tell(*below(at_threshold(frame, now.threshold), doubt, results.has_control))
    uncertain(view, data)
    relation_line(view)


def below(here, doubt, control):
    """What has to be known of the picture, a paragraph each; here: the curves at the chosen threshold."""
    reasons = here[here["reason"] != ""].groupby("reason", sort=False)["selector"]
    more = max(0, here["selector"].nunique() - MOST_PANELS)
    told = [f"{MEASURED if control else ALONE} {CLICK}", plain(describe_doubtful(doubt)),
            f"{more} more selectors are in the table." if more else "",
            *(plain(f"No value here for {', '.join(selectors)}: {reason}.") for reason, selectors in reasons)]
    return [one for one in told if one]


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
