"""Pareto over several studies: bundled ones and study files that are added, laid over the results that are open."""

import streamlit as st

from pages.parts import cache, callbacks, controls, figures, kept_answers, other_studies, session, text, words
from stabcore.analysis.beyond import beyond_floor
from stabcore.analysis.floors import floors
from stabcore.figures.pareto import draw_fronts, frame_fronts
from stabcore.figures.studies import draw_studies, finding_studies, frame_studies, sentence_quantity, table_ranks
from stabcore.measures.catalog import entry
from stabcore.study.several import settings_of_one
from stabcore.wording import several


def studies(view):
    """All studies in one picture, and how often each selector is dominated on average."""
    here = session.workspace()
    _add(here)
    own, absent = _own_name(here), []
    tables, families = {own: view.table}, {own: view.families()}
    for one in other_studies.compared(here):
        label, table, settings = _table_of(here, one, view)
        while label in tables:
            label += " (again)"
        tables[label], families[label] = table, settings
        if view.measure not in table:
            absent.append(label)
            tables[label] = table.assign(**{view.measure + part: float("nan") for part in ("", "_low", "_high")})
    if absent:
        words.tell(text.plain(f"{entry(view.measure).label} is missing for {', '.join(absent)}: what stands for what is not known "
                              "for its features. Let a correlation say it (on Groups & C), which every study that is bundled has, "
                              "or choose Nogueira to compare them."))
    for name, table in list(tables.items())[1:]:
        controls.score_notes(table, f"{name}: ")
    frame = frame_studies(tables, view.measure, view.score)
    if frame["beaten_by"].isna().all():
        st.info(finding_studies(frame), icon=":material/info:")
        return
    with view.top:
        figures.figure(draw_studies(frame), finding_studies(frame), frame, "studies")
    words.tell(text.plain(sentence_quantity(frame)))
    ranks = table_ranks(frame)
    st.markdown("**Ranks by how many others dominate a selector, averaged over the studies**")
    figures.numbers(ranks.round(2), hide_index=True, alt="Averaged ranks", column_config={
        "rank": st.column_config.NumberColumn("Rank", help="1: never dominated"),
        "beaten_by": "Dominated by (others)", "on_front": "On the front of (studies)", "counted": "Studies",
        "missing": "Studies without it",
        "p_holm": st.column_config.NumberColumn("p (Holm)", help="That it is dominated as often as the best")})
    figures.table(lambda: ranks, "averaged-ranks", f"These ranks ({several(len(ranks), 'row')})")
    words.tell("One symbol for each study, filled where the selector is on its front as measured. The bar is the mean. "
               "Selectors compete within a study. Selectors of one name count as the same."
               + (" What stands for what follows the same rule in every study, on its own table." if entry(
                   view.measure).needs_relation else ""))
    each(tables, view, families)


def each(tables, view, families):
    """Accuracy against stability of each study by itself, on request."""
    if len(tables) < 2 or not st.toggle("Show accuracy against stability in each study",
                                        **session.bound(session.PARETO_EACH, False)):
        return
    places = st.columns(2)
    for number, (name, table) in enumerate(tables.items()):
        frame = frame_fronts(table, view.measure, view.score)
        if frame["beaten_by"].notna().any():
            with places[number % 2]:
                st.markdown(f"**{text.plain(name)}**")
                drawn = draw_fronts(frame, view.score, view.score_label, families=families[name])
                figures.figure(drawn, f"{name}: the front as measured", frame, f"each-{number}", of=name, heading=False)


def _own_name(here):
    return here.settings.get("name") or "these results"


def _add(here):
    """Choose among the bundled studies and those that were added; add one more."""
    added = other_studies.added(here)
    offered = [*other_studies.bundled(here), *added]
    st.session_state[session.COMPARED_CHOICE] = [offered.index(one) for one in other_studies.compared(here) if one in offered]

    @callbacks.of_work
    def changed():
        kept = [offered[number] for number in st.session_state[session.COMPARED_CHOICE]]
        for one in added:
            if one not in kept and here.frozen is None:
                (here.folder / one["file"]).unlink(missing_ok=True)
        kept_answers.save(compared=kept)

    st.multiselect("Lay other studies over this one", range(len(offered)), key=session.COMPARED_CHOICE, on_change=changed,
                   format_func=lambda number: offered[number]["name"], placeholder="Bundled or added studies")
    upload = st.file_uploader("Add a study file (.stab) to compare", type=["stab"], key="compare-file",
                              help="It is kept with this work; taking it out of the list above deletes it.")
    if st.button("Add it", key="compare-add", disabled=upload is None):
        with text.sentences():
            other_studies.keep(here, upload.name, upload.getvalue())
            st.rerun()


def _table_of(here, one, view):
    """(name, result table with each stability beyond its noise floor, settings of one selector) of a study that is laid over.

    By the same measures, as far as they are known for its features.
    """
    study = other_studies.study_of(here, one)
    same = study.features == view.results.features
    relation = view.relation if same else other_studies.relation_of(one, view.scenario)
    keys = [key for key in view.keys if relation is not None or not entry(key).needs_relation]

    return one["name"], cache.computed(_beyond, study, keys, relation), settings_of_one(study)


def _beyond(study, keys, relation):
    by_measure = {key: floors(study, key, relation if entry(key).needs_relation else None) for key in keys}
    return beyond_floor(study.table(keys, relation=relation), by_measure)
