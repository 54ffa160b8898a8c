"""Stability: one plain sentence a selector, any measure with its interval, selectors compared, measures compared."""

import streamlit as st

from pages.parts import cache, controls, figures, guards, layout, session, text
from pages.parts.stability.dice import dice_section, how_to_ask
from stabcore.analysis.floors import blind
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
from stabcore.figures.estimates import (
    JUDGED,
    draw_estimates,
    finding_estimates,
    frame_estimates,
    judged,
    notes,
    sentence,
    wide_estimates,
)
from stabcore.figures.halves import COST, draw_halves, finding_halves, frame_halves, sentence_halves
from stabcore.measures.catalog import FAMILIES, WISHES, available, entry, fitting

SHOWN = ("nogueira", "effective")
FIRST = ("nogueira", "effective", "jaccard", "importance_weighted")
INSIDE = ("jaccard", "pearson_scores", "spearman_ranks", "nogueira")     # offered first: the three of Kalousis et al.
SECTIONS = {"measures": "Other measures", "selectors": "Compare selectors", "agreement": "Do the measures agree?",
            "which": "Which measure for my question?"}


def label(key):
    """The name of a measure on screen."""
    return entry(key).label


def measures_section():
    """Measures chosen by family; a table selector × measure with intervals; what each says."""
    chosen = []
    with st.expander("Choose measures", expanded=True):
        for family, title in FAMILIES.items():
            keys = [key for key in possible if entry(key).family == family]
            if keys:
                chosen += session.kept(f"{session.MEASURES}_{family}", lambda **at: st.pills(
                    title, keys, selection_mode="multi", format_func=label, **at), default=[k for k in FIRST if k in keys])
    if not chosen:
        return
    floors = {key: cache.floors(key, relation, k) for key in chosen}
    shown = frame_estimates(found.table(chosen, relation=relation, k=k), chosen, floors)
    wide = wide_estimates(shown).loc[headline.index]
    if missing:
        wide["runs"] = controls.of_planned(found, headline.index)
    st.dataframe(wide, alt="Stability of each selector by each measure")
    for note in notes(shown):
        st.caption(text.plain(note))
    figures.table(lambda: shown.drop(columns="text"), "measures", "All values with their intervals")
    for one in map(entry, chosen):
        zero = ("what random sets share is taken out" if one.corrected else
                "what random sets share is left in: it grows with the number of features")
        st.markdown(f"**{one.label}** ({one.range}; {zero}). {one.plain} *{text.plain(one.reference)}*")
        st.latex(one.formula)


def folds_section():
    """A measure inside each outer fold, averaged over the folds."""
    keys = [*(key for key in INSIDE if key in possible), *(key for key in possible if key not in INSIDE)]
    if st.session_state.get("inside-folds") not in keys:
        st.session_state["inside-folds"] = keys[0]
    key = session.kept("inside-folds", lambda **at: st.selectbox("Measure inside each outer fold", keys, format_func=label, **at))
    st.markdown(f"**{label(key)} inside each outer fold, averaged over the folds**")
    st.dataframe(found.within_folds(key, relation, k).drop(columns="measure").round(2), hide_index=True,
                 alt="Stability inside the outer folds: average, lowest and highest fold")
    st.caption(text.plain("Runs of one fold share more rows than others. So Kalousis et al. 2005 report S_S (Jaccard), S_W "
                              "(weights) and S_R (ranks); where folds are missing, the note says why."))


def selectors_section():
    """The difference of every two selectors."""
    if len(found.ready) < 2:
        st.info("A comparison needs two selectors with results.", icon=":material/info:")
        return
    key = session.kept("compared_by", lambda **at: st.selectbox("Measure", possible, format_func=label, **at), default="nogueira")
    frame = frame_comparisons(cache.stability_pairs(key, relation, k))
    figures.figure(draw_comparisons(frame), finding_comparisons(frame), frame, "comparisons")
    st.caption("Differences are paired where both selectors saw the same resamples, which tells smaller differences apart; each "
               "interval (95 %) is by itself. Clearly: p < 0.05 with Holm's correction for asking about all pairs at once. "
               + MORE_RUNS)
    if found.keeps_predictions:
        st.page_link("pages/pareto.py", label="Are they equally accurate? (“Equally accurate?”)", icon=":material/target:")


def agreement_section():
    """Which measures tell the same story, over selectors and numbers of features."""
    usual = [key for key in ("jaccard", "hamming", "nogueira", "effective", "importance_weighted") if key in possible]
    chosen = session.kept("agreeing", lambda **at: st.multiselect("Measures", possible, format_func=label, max_selections=7, **at),
                         default=usual)
    if len(chosen) < 2:
        st.info("Choose at least two measures.", icon=":material/info:")
        return
    with st.spinner("Measuring every selector at several numbers of features …"):
        frame = frame_agreement(found, chosen, relation)
    figures.figure(draw_agreement(frame), finding_agreement(frame), frame, "agreement")
    st.caption("Points on a line: both measures order the selections alike. Colours that spread apart: one of them depends on how "
               "many features were selected.")
    st.dataframe(table_agreement(frame).round(2), alt="Rank correlation of every two measures")


def which_section():
    """The measures that keep what a person needs, from the properties in the catalogue."""
    wishes = st.pills("What must the measure do?", WISHES, selection_mode="multi", format_func=WISHES.get, key="wishes")
    fits = fitting(wishes)
    if fits.empty:
        st.warning("No measure does all of this; give up one of the wishes.", icon=":material/info:")
        return
    st.markdown(f"**{len(fits)} of the measures do:**")
    st.dataframe(fits, hide_index=True, alt="Measures that do what was asked, and their properties", column_config={
        "measure": st.column_config.TextColumn(pinned=True), "what it says": st.column_config.TextColumn(width="large")})
    st.caption("Yes and no as in Table 1 of Bommert et al. 2017 and Table 2 of Hamer & Dupont 2021, and as tested here; empty: not "
               "known, or it depends on the relation.")


def whole_study():
    """The agreement of all runs beside what they would show without any signal, with one sentence a selector."""
    shown = frame_estimates(headline, SHOWN, known)
    finding = finding_estimates(shown, cache.stability_pairs("nogueira", None, k))
    figures.figure(draw_estimates(shown), finding, shown, "stability")
    changes = cache.changes("nogueira", "effective", relation, k)
    rows = headline.join(known["nogueira"].drop(columns="note")).join(changes)
    _list(lambda name: sentence(name, rows.loc[name]))
    for said in judged(known["nogueira"]):
        st.caption(text.plain(said))


def two_halves():
    """What separate halves of the patients agree on, with one sentence a selector."""
    halves = {key: cache.split_half(key, relation, k) for key in ("kappa", "effective")}
    shown = frame_halves(halves, len(found.features), blind(found))
    figures.figure(draw_halves(shown), finding_halves(shown), shown, "halves")
    by_name = dict(list(shown.groupby("selector")))
    _list(lambda name: sentence_halves(by_name[name]))
    st.caption(COST)
    st.caption(text.plain(JUDGED.format(whom="a study without any signal")))


def _list(of):
    """One sentence a selector."""
    for name in found.ready:
        rests = f" ({missing[name]})" if name in missing else ""
        st.markdown(f"- {text.plain(of(name) + rests)}")


layout.title("How often do the same features come back?")
found = guards.require_results()
k = controls.cardinality(found)
relation = cache.relation()
possible = [one.key for one in available(found.preferences(found.ready[0], k))]
headline = found.table(list(SHOWN), relation=relation, k=k)
known = {key: cache.floors(key, relation, k) for key in SHOWN}
missing = controls.missing_runs(found)
if getattr(getattr(found, "plan", None), "separate_halves", False):
    two_halves()
else:
    whole_study()
st.caption("Every selector is compared with itself: two can each bring their own list back and share no feature.")
controls.interval_caveat()
controls.few_runs_caveat(found)
controls.relation_line(found)
if found.folds(found.ready[0]):
    folds_section()

st.subheader("Look closer", divider="gray")
sections = SECTIONS | ({"dice": "Whose dice?"} if found.has_repeats else {})
if st.session_state.get("section") not in sections:
    st.session_state["section"] = "measures"
section = session.kept("section", lambda **at: st.segmented_control(
    "Look closer", sections, format_func=sections.get, required=True, label_visibility="collapsed", **at))
{"measures": measures_section, "selectors": selectors_section, "agreement": agreement_section, "which": which_section,
 "dice": lambda: dice_section(found, k)}[section]()
if not found.has_repeats:
    how_to_ask(found)
