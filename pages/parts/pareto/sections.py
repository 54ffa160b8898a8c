"""The sections of Pareto about one study; only the one that is open computes."""

import streamlit as st

from pages.parts import cache, controls, figures, session, text, words
from pages.parts.controls import measure_name
from pages.parts.pareto.view import choose_on_click, chosen_selectors
from stabcore.analysis.half_samples import HALVES
from stabcore.analysis.pareto import guessed
from stabcore.figures.alike import sentence_alike, table_alike
from stabcore.figures.changes import draw_changes, finding_changes, frame_changes
from stabcore.figures.comparisons import draw_comparisons, finding_comparisons, frame_comparisons
from stabcore.figures.compromise import (
    draw_compromise,
    draw_reach,
    finding_compromise,
    frame_compromise,
    frame_reach,
    sentence_ties,
    sentences_reach,
)
from stabcore.figures.floor import with_floor
from stabcore.figures.pareto import draw_fronts, finding_fronts, frame_fronts, missing, table_chosen
from stabcore.figures.points import unnamed
from stabcore.figures.sizes import draw_sizes, draw_space, finding_sizes, finding_space, frame_sizes, frame_space
from stabcore.measures.catalog import entry
from stabcore.selectors.baseline import rivals

FILLED = ("Filled: on the front, every other selector is clearly worse in something. Hollow: beaten, another is at least as good "
          "in everything and clearly better in one. Hollow with a dot: open, it may be the one or the other. Clear is what lies "
          "beyond the interval of the difference of two selectors (run by run on the same resamples, p < 0.05 by Holm), which is "
          "narrower than their own intervals make it look.")
AT_EDGE = "A random ranking is a mark across the left edge, at its accuracy alone: how stable it is stands in the table. "
HALF_SAMPLES = (f"Beside each name: in how many of {HALVES} random halves of the runs it is on the front as measured; of selectors "
                "that cannot be told apart, now the one is and now the other. ")
BARS, ELLIPSES = "bars", "ellipses"


def say_missing(frame):
    """Which selectors could not be placed."""
    if missing(frame):
        words.tell(text.plain(missing(frame)))


def front(view):
    """Accuracy against stability, by the chosen measure and by effective stability beside it."""
    shown = list(dict.fromkeys([view.measure, *([] if view.relation.is_identity else ["effective"])]))
    frame = frame_fronts(view.table, shown, view.score, view.pairs(*shown), {key: view.front_shares(key) for key in shown})
    left, right = st.columns(2)
    with left:
        style = session.kept(session.PARETO_INTERVALS, lambda **at: st.segmented_control(
            "Intervals as", (BARS, ELLIPSES), required=True, **at), BARS, (BARS, ELLIPSES))
    with right:
        dominated = session.kept(session.PARETO_DOMINATED, lambda **at: st.toggle(
            "Show selectors that others beat", **at), default=True)
    floors = {key: view.drawn_floor(key) for key in shown}
    told = finding_fronts(frame, floors[shown[0]])
    view.top.markdown(f"**{text.plain(told)}**", help=words.explained(told))
    for place, key in zip(view.top.columns(len(shown)), shown):
        with place:
            own, floor = frame[frame["measure"] == key], floors[key]
            drawn = draw_fronts(frame, key, view.score_label, ellipses=style == ELLIPSES, dominated=dominated,
                                chosen=chosen_selectors(view.results), floor=floor, others=list(floors.values()),
                                guessed=guessed(view.results, view.score), families=view.families())
            figures.figure(drawn, finding_fronts(own, floor), with_floor(own, floor), f"front-{key}",
                           pick=choose_on_click(frame), lasso=True, heading=False)
    say_missing(frame)
    words.tell(f"{FILLED} The dotted line joins the front as measured; what is shaded together cannot be told apart "
               "in either. " + view.threads
               + ("An ellipse reaches as far as both intervals; it is no joint region. " if style == ELLIPSES else "")
               + unnamed(len(rivals(own)) if dominated else 0) + (AT_EDGE if len(rivals(own)) < len(own) else "")
               + (HALF_SAMPLES if frame["share"].notna().any() else "")
               + "Accuracies rest on the number of features that the study selected.")


def weigh(view):
    """How much accuracy counts against stability, who is chosen then, and how long that stands."""
    gamma = session.kept_slider(session.PARETO_GAMMA, "γ: how much accuracy counts against stability", 0.0, 1.0,
                                default=0.5, step=0.01, help=words.about("gamma"))
    frame = frame_compromise(view.table, view.measure, view.score, gamma, view.pairs(view.measure))
    floor = view.drawn_floor(view.measure)
    with view.top:
        figures.figure(draw_compromise(frame, view.score_label, floor, view.families()), finding_compromise(frame, gamma),
                       with_floor(frame, floor).rename(columns={"level": "Level with the best"}), "compromise",
                       pick=choose_on_click(frame))
    if sentence_ties(frame):
        st.markdown(text.plain(sentence_ties(frame)))
    reach = frame_reach(frame)
    if len(reach):
        drawn = draw_reach(reach, gamma, frame["selector"])
        figures.figure(drawn, "For which γ each would be chosen, by the measured numbers", reach, "reach")
        text.bullets(sentences_reach(frame))
    say_missing(frame)
    words.tell("The choice is where γ · accuracy + (1 − γ) · stability is largest; only the selectors on the dashed line can be "
               "chosen so. A selector is told apart from the choice when it is clearly worse in one of the two, and their weighted "
               "difference is above 0 even at the low ends of both intervals. Ring: the choice. "
               + unnamed(len(rivals(frame))) + view.threads)


def change(view):
    """How the front moves from one stability to effective stability."""
    before = "nogueira" if entry(view.measure).of_related else view.measure
    frame = frame_changes(view.table, before, "effective", view.score, view.pairs(before, "effective"))
    with view.top:
        figures.figure(draw_changes(frame, before, "effective", view.drawn_floor(before)),
                        finding_changes(frame, before, "effective"), frame, "changes", pick=choose_on_click(frame))
    ends = [f"{part}_{end}" for part in ("before", "after") for end in ("low", "high")]
    figures.numbers(frame.drop(columns=ends).rename(columns={"before": measure_name(before), "after": measure_name("effective"),
                                       "on_front_before": "On its front", "on_front_after": "On its front too",
                                       "standing_before": "Clearly", "standing_after": "Clearly too"}).round(3),
                 hide_index=True, alt="Who enters and who leaves the front")
    words.tell("Hollow: the first measure, full: effective stability, each with its interval; the accuracy is the same. In "
               "brackets who enters or leaves the front as measured, with a question mark where that may be chance. Without "
               "features that stand for each other nothing moves. “Without any signal” is that of the first measure.")


def size(view):
    """The number of features as a third criterion."""
    pairs = view.pairs(view.measure, sizes=True)
    frame = frame_space(view.table, view.measure, view.score, pairs)
    known = frame["accuracy"].notna().any()
    chosen, floor = chosen_selectors(view.results), view.drawn_floor(view.measure)
    if known:
        margin = session.kept_slider(session.PARETO_MARGIN, "Accuracy that may be lost on the best", 0.0, 0.5,
                                     default=0.05, step=0.01)
        few = frame_sizes(view.table, view.measure, view.score, margin, pairs)
        with view.top:
            figures.figure(draw_sizes(few, chosen, floor, view.families()), finding_sizes(few, margin, len(rivals(frame))),
                            with_floor(few, floor), "sizes", pick=choose_on_click(few), lasso=True)
        st.markdown("**All three criteria**")
    if known and session.kept(session.PARETO_SPACE, lambda **at: st.toggle("In space", **at), default=False):
        figures.figure(draw_space(frame, ("size", "stability", "accuracy")), finding_space(frame), frame, "space")
        words.tell("Turning this picture needs a pointer; the table below holds the same numbers.")
    else:
        axes = [("size", "stability"), ("size", "accuracy")] if known else [("size", "stability")]
        for place, pair in zip(st.columns(len(axes)), axes):
            with place:
                drawn = draw_space(frame, pair, chosen, floor, view.families())
                figures.figure(drawn, finding_space(frame), with_floor(frame, floor), f"space-{pair[1]}",
                               pick=choose_on_click(frame), lasso=True)
    say_missing(frame)
    shown = frame[["selector", "size", "stability", "accuracy", "standing"]]
    figures.numbers((shown if known else shown.drop(columns="accuracy")).round(3), hide_index=True,
                 alt="Size, stability and accuracy of each selector")
    words.tell(f"{FILLED} {view.threads}")


def errors(view):
    """Selectors whose accuracies cannot be told apart; among them stability decides."""
    if not view.results.keeps_predictions:
        st.info("Only a study with a classifier keeps the predictions that this question needs.", icon=":material/info:")
        return
    pairs, groups = cache.cached(view.results.indistinguishable, "predictions")
    if not groups:
        st.info("Nothing was predicted yet by two selectors on the same rows.", icon=":material/info:")
        return
    differences = frame_comparisons(pairs)
    with view.top:
        figures.figure(draw_comparisons(differences, "accuracy"), finding_comparisons(differences, "accuracy"), differences,
                       "predictions", tallest=figures.TALLEST_PAIRS)
    frame = table_alike(groups, pairs, view.table, view.measure, view.stability_pairs(view.measure))
    st.markdown("**Whose accuracies cannot be told apart?**")
    text.bullets(sentence_alike(own) for _, own in frame.groupby("group"))
    figures.numbers(frame.round(3), hide_index=True, alt="Groups of selectors whose accuracies cannot be told apart")
    words.tell("Every held-out row (all rows of one patient together) counts once, by how much more often the one selector is "
               "right on it than the other: the sign-flip test of the mean, which is McNemar’s where each is predicted once. "
               "p (Holm) is corrected for asking about all pairs at once; each interval is by itself. They are about new patients "
               "for the models of this study; the intervals on the front also allow for other patients to learn from. "
               "detectable: the difference that 8 of 10 such studies would find. A selector can be in several groups: a like b "
               "and b like c does not make a like c. Not to be told apart is not to be the same.")


def chosen(view, frame):
    """The selectors that were marked, side by side, and the way to the map of the last one."""
    st.header("Selectors side by side", divider="gray")
    picked = session.kept(session.PARETO_CHOSEN, lambda **at: st.multiselect(
        "Compare", view.results.ready, placeholder="Click or draw around points above, or choose here", **at), [],
        view.results.ready)
    if not picked:
        return
    side_by_side = table_chosen(view.table, view.keys, frame, picked)
    figures.numbers(side_by_side.assign(runs=controls.of_planned(view.results, picked)), hide_index=True,
                 alt="The chosen selectors side by side")
    figures.table(lambda: view.table.loc[picked].reset_index(), "chosen", "All their numbers")
    label = st.session_state.get(session.EXPLORED)
    if label not in picked:
        label = picked[-1]
        st.session_state[session.EXPLORED] = label
    st.page_link("pages/maps.py", label=f"What {text.plain(label)} selected, run by run", icon=":material/grid_on:")
