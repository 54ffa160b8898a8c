"""The sections of Pareto about one study; only the one that is open computes."""

import streamlit as st

from pages.parts import cache, controls, figures, session, text, words
from pages.parts.controls import measure_name
from pages.parts.pareto.view import choose_on_click, chosen_selectors
from stabcore.analysis.half_samples import HALVES
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
from stabcore.figures.pareto import draw_fronts, finding_fronts, no_better, table_chosen
from stabcore.figures.placed import measured, missing
from stabcore.figures.points import unnamed
from stabcore.figures.sizes import draw_sizes, draw_space, finding_sizes, finding_space, frame_sizes, frame_space
from stabcore.inference.guessing import guessed
from stabcore.measures.catalog import entry
from stabcore.selectors.baseline import rivals
from stabcore.wording import rounded

FILLED = "Filled: on the Pareto front as measured, which the pale steps join. Hollow: dominated{}. "
NO_BETTER = ", or no better than always naming the larger class"
BARS = ("Thick bars: selectors under one bar are not distinguishable, above in stability, at the right in accuracy. "
        "Horizontal lines: 95% interval of the stability, for other resamples of these patients. ")
NEEDED = "To be told apart here, two accuracies would have to differ by about {}, as the thin line at the right shows. "
NO_FLOOR = ("The noise floor was not measured: run the study with the outcome shuffled, a setting on Study. Until then the points "
            "are drawn at their stability as measured, hollow, and no selector is judged. ")
SHARES = f"The table gives the share of {HALVES} random halves of the runs in which each selector is on the front. "


def say_missing(frame):
    """Which selectors could not be placed."""
    if missing(frame):
        words.tell(text.plain(missing(frame)))


def filled(frame):
    """Which points are filled."""
    useless = "better" in frame and frame["better"].eq(False).any()
    return FILLED.format(NO_BETTER if useless else "")


def front(view):
    """Accuracy against stability beyond the noise floor."""
    frame = view.front()
    drawn = draw_fronts(frame, view.score, view.score_label, chosen=chosen_selectors(view.results),
                        guessed=guessed(view.results, view.score), families=view.families())
    with view.top:
        figures.figure(drawn, finding_fronts(frame, view.score), frame, "front", pick=choose_on_click(frame), lasso=True)
    say_missing(frame)
    needed = frame["difference_needed"].dropna()
    words.tell((filled(frame) + BARS if measured(frame) else NO_FLOOR)
               + (NEEDED.format(rounded(needed.iloc[0])) if len(needed) and measured(frame) else "") + view.threads
               + unnamed(len(frame)) + (SHARES if frame["share"].notna().any() else ""))


def weigh(view):
    """How much accuracy counts against stability, who is chosen then, and how long that stands."""
    gamma = session.kept_slider(session.PARETO_GAMMA, "γ: how much accuracy counts against stability", 0.0, 1.0,
                                default=0.5, step=0.01, help=words.about("gamma"))
    frame = frame_compromise(view.table, view.measure, view.score, gamma, view.pairs(view.measure), view.guessing)
    with view.top:
        figures.figure(draw_compromise(frame, view.score, view.score_label, view.families()), finding_compromise(frame, gamma),
                       frame.rename(columns={"level": "Not distinguishable from the choice"}), "compromise",
                       pick=choose_on_click(frame))
    if measured(frame) and not no_better(frame):
        if sentence_ties(frame):
            st.markdown(text.plain(sentence_ties(frame)))
        reach = frame_reach(frame)
        if len(reach):
            figures.figure(draw_reach(reach, gamma), "For which γ each would be chosen, by the measured numbers", reach, "reach")
            text.bullets(sentences_reach(frame))
    say_missing(frame)
    words.tell("The choice maximises γ · accuracy + (1 − γ) · stability; only selectors on the dashed line can be chosen. "
               "Stability is what lies beyond the noise floor, where that was measured. Ring: the choice. "
               + unnamed(len(rivals(frame))) + view.threads)


def change(view):
    """How the front moves from one stability to effective stability."""
    before = "nogueira" if entry(view.measure).of_related else view.measure
    frame = frame_changes(view.table, before, "effective", view.score, view.pairs(before, "effective"))
    with view.top:
        figures.figure(draw_changes(frame, before, "effective"), finding_changes(frame, before, "effective"), frame, "changes",
                       pick=choose_on_click(frame))
    ends = [f"{part}_{end}" for part in ("before", "after") for end in ("low", "high")]
    figures.numbers(frame.drop(columns=[*ends, "floor"]).rename(columns={
        "before": measure_name(before), "after": measure_name("effective"), "on_front_before": "On its front",
        "on_front_after": "On its front too", "standing_before": "Clearly", "standing_after": "Clearly too"}).round(3),
        hide_index=True, alt="Which selectors enter and leave the front")
    words.tell("Hollow: the first measure; filled: effective stability; each beyond its own noise floor, where that was measured. "
               "In brackets: enters or leaves the front as measured, with a question mark where that may be chance. The two noise "
               "floors differ, so compare selectors, not the two points of one selector.")


def size(view):
    """The number of features as a third criterion."""
    pairs = view.pairs(view.measure, sizes=True)
    frame = frame_space(view.table, view.measure, view.score, pairs)
    known = frame["accuracy"].notna().any()
    chosen = chosen_selectors(view.results)
    if known:
        margin = session.kept_slider(session.PARETO_MARGIN, "Accuracy that may be lost on the best", 0.0, 0.5,
                                     default=0.05, step=0.01)
        few = frame_sizes(view.table, view.measure, view.score, margin, pairs)
        with view.top:
            figures.figure(draw_sizes(few, chosen, view.families()), finding_sizes(few, margin, len(rivals(frame))), few, "sizes",
                           pick=choose_on_click(few), lasso=True)
        st.markdown("**All three criteria**")
    if known and session.kept(session.PARETO_SPACE, lambda **at: st.toggle("In space", **at), default=False):
        figures.figure(draw_space(frame, ("size", "stability", "accuracy")), finding_space(frame), frame, "space")
        words.tell("Turning this picture needs a pointer; the table below holds the same numbers.")
    else:
        axes = [("size", "stability"), ("size", "accuracy")] if known else [("size", "stability")]
        for place, pair in zip(st.columns(len(axes)), axes):
            with place:
                figures.figure(draw_space(frame, pair, chosen, view.families()), finding_space(frame), frame, f"space-{pair[1]}",
                               pick=choose_on_click(frame), lasso=True)
    say_missing(frame)
    shown = frame[["selector", "size", "stability", "accuracy", "standing"]]
    figures.numbers((shown if known else shown.drop(columns="accuracy")).round(3), hide_index=True,
                 alt="Size, stability and accuracy of each selector")
    words.tell((filled(frame) if measured(frame) else NO_FLOOR) + view.threads)


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


def chosen(view):
    """The selectors that were marked, side by side, and the way to the map of the last one."""
    st.header("Selectors side by side", divider="gray")
    picked = session.kept(session.PARETO_CHOSEN, lambda **at: st.multiselect(
        "Compare", view.results.ready, placeholder="Click or draw around points above, or choose here", **at), [],
        view.results.ready)
    if not picked:
        return
    side_by_side = table_chosen(view.measured, view.keys, view.front(), picked)
    figures.numbers(side_by_side.assign(runs=controls.of_planned(view.results, picked)), hide_index=True,
                 alt="The chosen selectors side by side")
    figures.table(lambda: view.measured.loc[picked].reset_index(), "chosen", "All their numbers")
    label = st.session_state.get(session.EXPLORED)
    if label not in picked:
        label = picked[-1]
        st.session_state[session.EXPLORED] = label
    st.page_link("pages/maps.py", label=f"What {text.plain(label)} selected, run by run", icon=":material/grid_on:")
