"""The sections of Profiles; only the one that is open computes."""

import streamlit as st

from pages.parts import cache, figures, session, text
from stabcore.analysis.floors import closed_form
from stabcore.figures.convergence import draw_convergence, finding_convergence, frame_convergence, runs_ahead, sentence_ahead
from stabcore.figures.curves import DRAWN, EVERY, draw_curves, finding_curves, frame_curves, profiled
from stabcore.figures.floor import sentence_floor, sentences_floor
from stabcore.figures.knots import (
    draw_knots,
    draw_marginal,
    finding_knots,
    finding_marginal,
    frame_knots,
    frame_marginal,
    sentences_knots,
)
from stabcore.measures.catalog import entry
from stabcore.wording import several

MOST_PANELS = 4
HEIGHT = 460            # of a panel, its legend included
FIRST = 3               # selectors whose knots are looked for to begin with
WITHIN = (0.01, 0.02, 0.05, 0.1, 0.2)


def name(key):
    """The name of a measure on screen."""
    return entry(key).label


def one_measure():
    """The measure that a section rests on, the same in all of them."""
    return session.kept("profile-measure", lambda **at: st.selectbox("Measure", profiled(), format_func=name, **at),
                       default="nogueira")


def some_selectors(label, among, first, key):
    """Selectors to look at, kept while other sections are open."""
    st.session_state[key] = [one for one in st.session_state.get(key, among[:first]) if one in among]
    return session.kept(key, lambda **at: st.multiselect(label, among, **at))


def relation_for(measure):
    """(The relation that a measure needs or None, all that it depends on)."""
    return (cache.relation(), cache.relation_key()) if entry(measure).needs_relation else (None, None)


def profiles_of(found, labels, measure):
    """Profiles of these selectors, computed once."""
    relation, key = relation_for(measure)
    return cache.cached(lambda: frame_curves({one: found.preferences(one) for one in labels}, measure, relation,
                                               floor=lambda ks: closed_form(found, ks, measure, relation)),
                         "curves", measure, labels, key)


def knots_of(found, labels, related=False):
    """Knots of these selectors, computed once. related: features that stand for each other count as shared."""
    relation, key = relation_for("effective") if related else (None, None)
    return cache.cached(lambda: frame_knots({one: found.preferences(one) for one in labels}, relation), "knots", labels, key)


def curves(found, rankers, k, top):
    """Up to four measures as small multiples, every number of features at once."""
    measures = session.kept("profile-measures", lambda **at: st.multiselect(
        "Measures, up to four", profiled(), format_func=name, max_selections=MOST_PANELS, **at), default=["nogueira", "effective"])
    bands = some_selectors("Show the interval of", rankers, 1, "profile-bands")
    marked = session.kept("profile-marks", lambda **at: st.toggle("Mark where their stability seems to end", **at), default=False)
    if not measures:
        st.info("Choose at least one measure.", icon=":material/info:")
        return
    floors = {name(measure): cache.floor(measure, relation_for(measure)[0], k) for measure in measures}
    places = top.columns(2) if len(measures) > 1 else [top]
    for number, measure in enumerate(measures):
        frame, relation = profiles_of(found, rankers, measure), relation_for(measure)[0]
        marks = knots_of(found, bands, entry(measure).needs_relation) if marked and bands else None
        said = finding_curves(frame, k, measure, cache.stability_pairs(measure, relation, k))
        with places[number % len(places)]:
            figures.figure(draw_curves(frame, k, bands, marks, HEIGHT, floors[name(measure)]), said, frame, f"profile-{measure}")
    for sentence in sentences_floor(floors, found, k):
        st.caption(text.plain(sentence))
    st.caption("Grey: what ranking at random would give on average, and the band it stays in 95 times of 100. Dashed: a filter "
               "without any signal, with the range of 95 of 100 tables, on the same resamples; a selector that prefers correlated "
               "features, or does not look at the outcome, has another floor. Most and least: beyond the interval of the "
               "difference of two selectors (Holm); those named together cannot be told apart. A curve stops where a selector "
               "stops ranking. Models with a penalty (such as the lasso) are taken with what they would select at each number, "
               "which may be fewer features.")
    if frame["k"].max() > DRAWN:
        st.caption(f"Every number of features was computed and is in the table; beyond {EVERY} the picture draws as many as there "
                   "is room for.")
    if marked:
        st.caption("Diamonds: where agreement beyond that of random sets comes to an end, with its interval. A selector without "
                   "one has no end that these runs could tell.")


def knots(found, rankers, k, top):
    """Where agreement comes to an end."""
    labels = some_selectors("Selectors", rankers, FIRST, "profile-knots")
    related = session.kept("profile-related", lambda **at: st.toggle("Features that stand for each other count as shared", **at),
                          default=False)
    if not labels:
        st.info("Choose at least one selector.", icon=":material/info:")
        return
    frame = knots_of(found, labels, related)
    with top:
        figures.figure(draw_knots(frame, k), finding_knots(frame, found.plan), frame, "knots")
    for said in sentences_knots(frame).values():
        st.markdown(f"- {text.plain(said)}")
    st.caption("The end (knot) is the number of features at which two runs share most beyond what random sets would: up to there "
               "the same features come first, what is ranked next comes as if at random. Where agreement only fades, there is no "
               "end. Runs that share most of their rows rank noise alike too, so an end can hardly be seen; halves show it best.")


def marginal(found, rankers, k, top):
    """How stable the features are that come next, given those before them."""
    labels = some_selectors("Selectors", rankers, FIRST, "profile-knots")
    widest = max(1, found.longest(rankers) // 3)
    window = st.number_input("How many features further to look", 1, widest, None, key="profile-window",
                             placeholder="Automatic: the square root of the number of features")
    frame = cache.cached(lambda: frame_marginal({one: found.preferences(one) for one in labels}, window, found.plan),
                          "marginal", labels, window) if labels else None
    if frame is None or frame.empty:
        st.info("Choose a selector with at least three runs that each rank eight features." if labels else
                "Choose at least one selector.", icon=":material/info:")
        return
    with top:
        figures.figure(draw_marginal(frame, k, labels), finding_marginal(frame, k), frame, "marginal")
    st.caption("0: each run goes on at random among the features it has left. 1: all runs go on with the same features. Dashed, "
               "with its band: what filters give without any signal in 95 of 100 tables, because the runs share rows; only what "
               "lies above it is said. "
               "The curve says nothing of the features before; a ranking can be stable at its head and random after it. Bands are "
               "intervals that hold for all these selectors together (95 %).")


def convergence(found, rankers, k, top):
    """Would more runs say more?"""
    measure = one_measure()
    half = st.select_slider("How precisely must stability be known?", WITHIN, 0.05, format_func=lambda one: f"± {one:g}",
                            key="profile-half")
    labels = some_selectors("Show the interval of", found.ready, 1, "profile-runs")
    relation, key = relation_for(measure)

    def runs():
        return {one: found.preferences(one, k if one in rankers else None) for one in found.ready}

    ahead = cache.cached(lambda: runs_ahead(runs(), measure, relation, half), "runs ahead", measure, k, half, key)
    frame = cache.cached(lambda: frame_convergence(runs(), measure, relation), "convergence", measure, k, key)
    with top:
        floor = cache.floor(measure, relation, k if rankers else None)
        figures.figure(draw_convergence(frame, labels, floor), finding_convergence(ahead, half), frame, "convergence")
    for row in ahead.itertuples():
        st.markdown(f"- {text.plain(sentence_ahead(row, half))}")
    st.caption(text.plain(sentence_floor(floor, found, k if rankers else None)))
    figures.table(lambda: ahead, "runs-needed", f"How many runs it would take ({several(len(ahead), 'selector')})")
    st.caption(("Selectors that rank are taken at the number of features chosen above. " if rankers else "")
               + "Each curve averages over random orders of the runs; the band is the interval to expect with so many runs, the "
               "dotted lines are where other choices among these runs lie. More runs sharpen what resampling this dataset says, "
               "not what new patients would.")


SECTIONS = {"curves": ("Every number of features", curves), "knots": ("Where does it seem to end?", knots),
            "marginal": ("The features ranked next", marginal), "runs": ("Are the runs enough?", convergence)}
