"""The sections of Stability; only the one that is open computes."""

import streamlit as st

from pages.parts import controls, figures, session, text, words
from pages.parts.controls import measure_name
from pages.parts.stability import new_patients, one_measure
from stabcore.figures.comparisons import (
    MORE_RUNS,
    draw_agreement,
    draw_comparisons,
    finding_agreement,
    finding_comparisons,
    frame_agreement,
    frame_comparisons,
    table_agreement,
)
from stabcore.figures.dice import draw_dice, finding_dice, frame_dice
from stabcore.figures.estimates import notes, table_estimates, wide_estimates
from stabcore.figures.floor import sentence_unknown
from stabcore.measures.catalog import FAMILIES, WISHES, entry, fitting

FIRST = ("nogueira", "effective", "jaccard", "importance_weighted")
INSIDE = ("jaccard", "pearson_scores", "spearman_ranks", "nogueira")     # offered first: the three of Kalousis et al.
MOST_COMPARED = 7
BEYOND = "stability beyond the noise floor"
USUAL = ("jaccard", "hamming", "nogueira", "effective", "importance_weighted")


def offered(results):
    """{section: (title, what draws it)} of those that have something to say about these results."""
    return SECTIONS | ({"dice": ("Whose dice?", dice)} if results.has_repeats else {})


def measures(view):
    """Measures chosen by family; a table selector × measure with intervals; what each says."""
    chosen = _chosen_measures(view.measures)
    if not chosen:
        return
    table = view.results.table(chosen, relation=view.relation, k=view.k)
    shown = table_estimates(table, chosen, {key: view.floors(key) for key in chosen})
    wide = wide_estimates(shown).loc[table.index]
    if view.missing_runs:
        wide["runs"] = controls.of_planned(view.results, table.index)
    figures.numbers(wide, alt="Stability of each selector by each measure")
    for note in notes(shown):
        words.tell(text.plain(note))
    figures.table(lambda: shown.drop(columns="text"), "measures", "All values with their intervals")
    for one in map(entry, chosen):
        zero = ("what random sets share is taken out" if one.corrected else
                "what random sets share is left in: it grows with the number of features")
        st.markdown(f"**{one.label}** ({one.range}; {zero}). {one.plain} *{text.plain(one.reference)}*")
        st.latex(one.formula)
        words.letters(st, one.formula, one.key)


def _chosen_measures(possible):
    chosen = []
    with st.expander("Choose measures", key="choosing-measures", expanded=True):
        for family, title in FAMILIES.items():
            keys = [key for key in possible if entry(key).family == family]
            if keys:
                chosen += st.pills(title, keys, selection_mode="multi", format_func=measure_name,
                                   **session.bound(f"{session.MEASURES}_{family}", [key for key in FIRST if key in keys], keys))
    return chosen


def folds(view):
    """A measure inside each outer fold, averaged over the folds."""
    keys = [*(key for key in INSIDE if key in view.measures), *(key for key in view.measures if key not in INSIDE)]
    key = st.selectbox("Measure inside each outer fold", keys, format_func=measure_name,
                       **session.bound(session.INSIDE_FOLDS, keys[0], keys))
    st.markdown(f"**{measure_name(key)} inside each outer fold, averaged over the folds**")
    figures.numbers(view.results.within_folds(key, view.relation, view.k).drop(columns="measure").round(2), hide_index=True,
                 alt="Stability inside the outer folds: average, lowest and highest fold")
    words.tell(text.plain("Runs of one fold share more rows than others. So Kalousis et al. 2005 report S_S (Jaccard), S_W "
                          "(weights) and S_R (ranks); where folds are missing, the note says why."))


def selectors(view):
    """The difference of every two selectors."""
    if len(view.results.ready) < 2:
        st.info("A comparison needs two selectors with results.", icon=":material/info:")
        return
    key = st.selectbox("Measure", view.measures, format_func=measure_name,
                       **session.bound(session.COMPARED_BY, "nogueira", view.measures))
    frame = frame_comparisons(view.stability_pairs(key))
    what = BEYOND if view.results.has_control else "stability as measured"
    figures.figure(draw_comparisons(frame, what), finding_comparisons(frame, what), frame, "comparisons",
                   tallest=figures.TALLEST_PAIRS)
    if not view.results.has_control:
        words.tell(text.plain(sentence_unknown(view.results)))
    words.tell("Differences are paired where both selectors saw the same resamples, which tells smaller differences apart; each "
               "interval (95%) is by itself. Clearly: p < 0.05 with Holm's correction for asking about all pairs at once. "
               + MORE_RUNS)
    if view.results.keeps_predictions:
        st.page_link("pages/pareto.py", label="Are they equally accurate? (“Equally accurate?”)", icon=":material/target:")


def agreement(view):
    """Which measures tell the same story, over selectors and numbers of features."""
    chosen = st.multiselect("Measures", view.measures, format_func=measure_name, max_selections=MOST_COMPARED,
                            **session.bound(session.AGREEING, [key for key in USUAL if key in view.measures], view.measures,
                                            MOST_COMPARED))
    if len(chosen) < 2:
        st.info("Choose at least two measures.", icon=":material/info:")
        return
    with st.spinner("Measuring every selector at several numbers of features …"):
        frame = frame_agreement(view.results, chosen, view.relation)
    figures.figure(draw_agreement(frame), finding_agreement(frame), frame, "agreement")
    words.tell("Points on a line: both measures order the selections alike. Colours that spread apart: one of them depends on how "
               "many features were selected.")
    figures.numbers(table_agreement(frame).round(2), alt="Rank correlation of every two measures")


def which(_view):
    """The measures that keep what a person needs, from the properties in the catalogue."""
    wishes = st.pills("What must the measure do?", WISHES, selection_mode="multi", format_func=WISHES.get,
                      **session.bound(session.WISHES, [], WISHES))
    fits = fitting(wishes)
    if fits.empty:
        st.warning("No measure does all of this; give up one of the wishes.", icon=":material/info:")
        return
    st.markdown(f"**{len(fits)} of the measures do:**")
    figures.numbers(fits, hide_index=True, alt="Measures that do what was asked, and their properties", column_config={
        "measure": st.column_config.TextColumn(pinned=True), "What it says": st.column_config.TextColumn(width="large")})
    words.tell("Yes and no as in Table 1 of Bommert et al. 2017 and Table 2 of Hamer & Dupont 2021, and as tested here; empty: not "
               "known, or it depends on the relation.")


def dice(view):
    """How much of the disagreement of each selector is its own, where selectors were fitted again to the same rows."""
    frame = frame_dice(view.results.own_dice(view.k))
    figures.figure(draw_dice(frame), finding_dice(frame), frame, "dice")
    if len(frame) > 1:
        text.bullets(frame["sentence"])
    words.tell("The runs of a study differ in their patients and, for selectors that draw by lot inside, in their dice. These were "
               "fitted again to the same rows with other dice; what differs then is their own. Selectors without chance inside are "
               "left out: fitted again they select the same.")


def how_to_ask_whose_dice(results):
    """One line on how to learn it, where a study has not asked."""
    if results.plan is not None:
        words.tell("Do runs disagree because of their patients, or because a selector draws by lot inside? Switch on “Whose dice?” "
                   "on Study to learn it.")


SECTIONS = {"measures": ("Other measures", measures), "tuned": ("A measure's settings", one_measure.section),
            "selectors": ("Compare selectors", selectors), "patients": ("An interval for new patients", new_patients.section),
            "agreement": ("Do the measures agree?", agreement), "which": ("Which measure for my question?", which)}
