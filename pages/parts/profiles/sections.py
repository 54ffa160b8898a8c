"""The sections of Profiles; only the one that is open computes."""

import streamlit as st

from pages.parts import cache, figures, session, text, words
from pages.parts.controls import measure_name
from stabcore.analysis.convergence import runs_ahead
from stabcore.figures.convergence import draw_convergence, finding_convergence, frame_convergence, sentence_ahead
from stabcore.figures.curves import DRAWN, EVERY, draw_curves, finding_curves, profiled
from stabcore.figures.floor import sentence_floor, sentences_floor
from stabcore.figures.knots import (
    draw_knots,
    draw_marginal,
    finding_knots,
    finding_marginal,
    frame_marginal,
    sentences_knots,
)
from stabcore.measures.catalog import entry
from stabcore.wording import several

MOST_PANELS = 4
HEIGHT = 460            # of a panel, its legend included
FIRST = 3               # selectors whose knots are looked for to begin with
WITHIN = (0.01, 0.02, 0.05, 0.1, 0.2)


def one_measure():
    """The measure that a section rests on, the same in all of them."""
    return session.kept(session.PROFILE_MEASURE, lambda **at: st.selectbox("Measure", profiled(), format_func=measure_name, **at),
                       "nogueira", profiled())


def some_selectors(label, among, first, key):
    """Selectors to look at, kept while other sections are open."""
    return session.kept(key, lambda **at: st.multiselect(label, among, **at), list(among[:first]), among)


def curves(view):
    """Up to four measures as small multiples, every number of features at once."""
    measures = session.kept(session.PROFILE_MEASURES, lambda **at: st.multiselect(
        "Measures, up to four", profiled(), format_func=measure_name, max_selections=MOST_PANELS, **at),
        ["nogueira", "effective"], profiled(), MOST_PANELS)
    bands = some_selectors("Show the interval of", view.rankers, 1, session.PROFILE_BANDS)
    marked = session.kept(session.PROFILE_MARKS, lambda **at: st.toggle(
        "Mark where their stability seems to end", **at), default=False)
    if not measures:
        st.info("Choose at least one measure.", icon=":material/info:")
        return
    floors = {measure_name(measure): view.drawn_floor(measure) for measure in measures}
    # by their lower edges, as their sentences differ in length
    places = view.top.columns(2, vertical_alignment="bottom") if len(measures) > 1 else [view.top]
    for number, measure in enumerate(measures):
        frame = view.profiles(measure)
        marks = view.knots(bands, entry(measure).needs_relation) if marked and bands else None
        finding = finding_curves(frame, view.k, measure, view.stability_pairs(measure))
        drawn = draw_curves(frame, view.k, bands, marks, HEIGHT, floors[measure_name(measure)])
        with places[number % len(places)]:
            figures.figure(drawn, finding, frame, f"profile-{measure}")
    for sentence in sentences_floor(floors, view.results, view.k):
        words.tell(text.plain(sentence))
    words.tell("Grey: what ranking at random would give on average, and the band it stays in 95 times of 100. Dashed: a filter "
               "such as a t-test without any signal, with the range of 95 of 100 tables, on the same resamples; a selector that "
               "scores by bins (as MIM), prefers correlated features, or does not look at the outcome, has another floor. Most and "
               "least: beyond the interval of the difference of two selectors (Holm); those named together cannot be told apart. "
               "A curve stops where a selector stops ranking. Models with a penalty (such as the lasso) are taken with what they "
               "would select at each number, which may be fewer features.")
    if view.k and frame["k"].max() > 2 * view.k:
        words.tell(f"The pictures reach to twice the number of features that is chosen; the tables hold all {frame['k'].max():,}.")
    if frame["k"].max() > DRAWN:
        words.tell(f"Every number of features was computed and is in the table; beyond {EVERY} the picture draws as many as there "
                   "is room for.")
    if marked:
        words.tell("Diamonds: where agreement beyond that of random sets comes to an end, with its interval. A selector without "
                   "one has no end that these runs could tell.")


def knots(view):
    """Where agreement comes to an end."""
    labels = some_selectors("Selectors", view.rankers, FIRST, session.PROFILE_KNOTS)
    related = session.kept(session.PROFILE_RELATED, lambda **at: st.toggle(
        "Features that stand for each other count as shared", **at), default=False)
    if not labels:
        st.info("Choose at least one selector.", icon=":material/info:")
        return
    frame = view.knots(labels, related)
    with view.top:
        figures.figure(draw_knots(frame, view.k), finding_knots(frame, view.results.plan), frame, "knots")
    text.bullets(sentences_knots(frame).values())
    words.tell("The end (knot) is the number of features at which two runs share most beyond what random sets would: up to there "
               "the same features come first, what is ranked next comes as if at random. Where agreement only fades, there is no "
               "end. Runs that share most of their rows rank noise alike too, so an end can hardly be seen; halves show it best.")


def marginal(view):
    """How stable the features are that come next, given those before them."""
    labels = some_selectors("Selectors", view.rankers, FIRST, session.PROFILE_KNOTS)
    widest = max(1, view.results.longest(view.rankers) // 3)
    window = session.kept(session.PROFILE_WINDOW, lambda **at: st.number_input(
        "How many features further to look", 1, widest, placeholder="Automatic: the square root of the number of features", **at),
        None, range(1, widest + 1))
    frame = cache.cached(lambda: frame_marginal(view.preferences(labels), window, view.results.plan),
                         "marginal", labels, window) if labels else None
    if frame is None or frame.empty:
        st.info("Choose a selector with at least three runs that each rank eight features." if labels else
                "Choose at least one selector.", icon=":material/info:")
        return
    with view.top:
        figures.figure(draw_marginal(frame, view.k, labels), finding_marginal(frame, view.k), frame, "marginal")
    words.tell("0: each run goes on at random among the features it has left. 1: all runs go on with the same features. Dashed, "
               "with its band: what filters give without any signal in 95 of 100 tables, because the runs share rows; only what "
               "lies above it is said. The curve says nothing of the features before; a ranking can be stable at its head and "
               "random after it. Bands are intervals that hold for all these selectors together (95%).")


def convergence(view):
    """Would more runs say more?"""
    measure = one_measure()
    half = session.kept(session.PROFILE_HALF, lambda **at: st.select_slider(
        "How precisely must stability be known?", WITHIN, format_func=lambda one: f"± {one:g}", **at), 0.05, WITHIN)
    labels = some_selectors("Show the interval of", view.results.ready, 1, session.PROFILE_RUNS)
    relation, key = view.relation_for(measure)

    def runs():
        return {label: view.results.preferences(label, view.k if label in view.rankers else None) for label in view.results.ready}

    ahead = cache.cached(lambda: runs_ahead(runs(), measure, relation=relation, half=half),
                         "runs ahead", measure, view.k, half, key)
    frame = cache.cached(lambda: frame_convergence(runs(), measure, relation), "convergence", measure, view.k, key)
    with view.top:
        floor = cache.drawn_floor(measure, relation, view.k if view.rankers else None)
        figures.figure(draw_convergence(frame, labels, floor), finding_convergence(ahead, half), frame, "convergence")
    text.bullets(sentence_ahead(row, half) for row in ahead.itertuples())
    words.tell(text.plain(sentence_floor(floor, view.results, view.k if view.rankers else None)))
    figures.table(lambda: ahead, "runs-needed", f"How many runs it would take ({several(len(ahead), 'selector')})")
    words.tell(("Selectors that rank are taken at the number of features chosen above. " if view.rankers else "")
               + "Each curve averages over random orders of the runs; the band is the interval to expect with so many runs, the "
               "dotted lines are where other choices among these runs lie. More runs sharpen what resampling this dataset says, "
               "not what new patients would.")


SECTIONS = {"curves": ("Every number of features", curves), "knots": ("Where does it seem to end?", knots),
            "marginal": ("The features ranked next", marginal), "runs": ("Are the runs enough?", convergence)}
