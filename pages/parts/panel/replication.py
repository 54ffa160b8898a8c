"""Replication: the panel of the open results beside that of another study of the same features."""

import streamlit as st

from pages.parts import cache, figures, glossary, other_studies, session, text
from pages.parts.panel.view import ask_classifier
from pages.parts.study import other_cohort
from stabcore.analysis.concordance import add_directions, concordance, replication
from stabcore.base.errors import InputError
from stabcore.plots.replication import (
    describe_same_directions,
    draw_concordance,
    draw_replicated,
    finding_concordance,
    finding_external_validation,
    finding_replicated,
    frame_concordance,
    frame_replicated,
)
from stabcore.study.transfer import external_validation

NO_OTHER_STUDY = (
    "Add the study file (.stab) of other patients with the same features. The figure then shows which features are selected in "
    "both. For two cohorts in one table, choose the rows of one on Data, run the study, and study the other cohort with one click."
)
SCORES = {"auc": "AUC", "harrell": "Concordance"}
ABOUT = {
    "shuffled": (
        "Features are ordered by their mean rank over the runs. Features with equal ranks share their places.",
        "The shaded range holds 95% of the pairs of shuffled outcomes. Patients in both studies add to the overlap.",
    ),
    "chance": (
        "Features are ordered by their mean rank over the runs. Features with equal ranks share their places.",
        "The shaded range is for random orders. Correlated features widen it, so it is no test.",
        "Run both studies with the permutation control to test the overlap.",
    ),
}
COLUMNS = {
    "first": st.column_config.NumberColumn("Here", help="Share of the runs of these results that select it", format="percent"),
    "second": st.column_config.NumberColumn("There", help="Share of the runs of the other study that select it", format="percent"),
    **figures.number_columns(
        "percent", related_first="It or a similar feature here", related_second="It or a similar feature there"
    ),
    **{"in_first": "In this panel", "in_second": "In the other", "verdict": "Replicated", "same_way": "Same direction"},
    **figures.number_columns("%.2f", first_effect="Effect here", second_effect="Effect there"),
}


def show_replication(view):
    """The first features of both studies at every number of features, and each feature of their panels."""
    project = session.project_or_none()
    compared = _ask_other_study(project, view.results)
    if compared is None:
        st.info(NO_OTHER_STUDY, icon=":material/info:")
        return
    other = other_studies.open_study(project, compared)
    selector, there, note = _compared_selectors(view, other)
    try:
        table = cache.computed(concordance, view.results, other, view.similarity, selector, there)
    except InputError as error:
        st.info(text.plain(error), icon=":material/info:")
        return
    _show_warnings(view, other, compared, note)
    k = view.k or view.results.n_selected or len(table)
    drawn = draw_concordance(frame_concordance(table), min(k, len(table)))
    figures.show_figure(drawn, finding_concordance(table, k), table, "concordance", screen=view.screen)
    view.screen.explain(*ABOUT[table["beside"].iloc[0]])
    _show_panels(view, other, compared, selector, there)


def _ask_other_study(project, results):
    """Choose the other study among other cohorts of this table and added files, or add one."""
    added = {
        entry["file"]: entry for entry in [*other_studies.other_cohorts(project, results), *other_studies.added_studies(project)]
    }
    if added:
        if st.session_state.get(session.OTHER_STUDY) not in added:
            st.session_state[session.OTHER_STUDY] = next(iter(added))
        st.selectbox(
            "Choose other study", list(added), format_func=lambda file: added[file]["name"], **session.bound(session.OTHER_STUDY)
        )
    other_cohort.show_cohort_button(results)
    if entry := other_studies.ask_study_file(project, "replicate", "Accuracy offers it, too, and can remove it."):
        st.session_state[session.OTHER_STUDY] = entry["file"]
        st.rerun()
    return added.get(st.session_state.get(session.OTHER_STUDY))


def _compared_selectors(view, other):
    """(selector here, selector there, note). None: all of them."""
    if len(view.selectors) > 1:
        return None, None, ""
    label = view.selectors[0]
    if label in other.finished_selectors:
        return label, label, ""
    return label, None, f"The other study has no runs of {label}. All its selectors are compared with {label} here."


def _show_warnings(view, other, compared, note):
    mine, theirs = (getattr(study, "settings", {}).get("data", {}).get("fingerprint") for study in (view.results, other))
    rows = {"Here": other_studies.describe_rows(view.results), "There": other_studies.describe_rows(other)}
    view.screen.explain(text.plain(" ".join(f"{where}: {words}." for where, words in rows.items() if words)))
    if (finished := len(other.store.finished())) < other.total:
        view.screen.add_limitations(
            f"The other study has finished {finished} of {other.total} tasks. Its numbers will still change."
        )
    if "own" in compared:
        _show_shared_patients(view.results, other)
        view.screen.explain("To exchange the studies, choose the other one under Earlier studies on Study.")
    if mine is not None and mine == theirs:
        st.warning("Both studies use the same table. Their agreement says nothing about other patients.", icon=":material/warning:")
    if note:
        view.screen.explain(text.plain(note))


def _show_shared_patients(results, other):
    """The number of patients in both cohorts of the table."""
    first, second = map(other_studies.cohort_of, (results, other))
    columns = (
        set() if cache.table_reading() is None else set(cache.unmended_table().frame)
    )  # the column may be elsewhere in the other file
    patient = session.project().settings.get("roles", {}).get("same_patient")
    for column in [name for name in first if name in second and {name, patient} - {None} <= columns]:
        shared, sentence = other_studies.shared_patients(column, first[column], second[column], patient)
        (st.warning if shared else st.caption)(text.plain(sentence))


def _show_panels(view, other, entry, selector, there):
    """Each feature of either panel."""
    st.header("Replicated features", divider="gray")
    k = view.k if all(other.can_rank(label) for label in other.finished_selectors) else None
    question = view.results, other, view.threshold, k, view.similarity, selector, there
    table = cache.computed(replication, *question)
    if table.empty:
        st.caption("No feature passes the threshold in either study.")
        return
    here, theirs = view.study_data(), other_studies.dataset_of(session.project_or_none(), entry)
    if here is not None and theirs is not None:
        table = cache.computed(_with_directions, *question, here, theirs)
    frame = frame_replicated(table)
    figures.show_figure(draw_replicated(frame, view.threshold), finding_replicated(table), table, "replicated")
    same = [column for column in ("first", "second") if table[column].equals(table[f"related_{column}"])]
    shown = frame.drop(columns=["replicates", *(f"related_{column}" for column in same)])
    figures.show_dataframe(shown, column_config=COLUMNS, alt="Features of either panel and whether they replicate")
    view.screen.add_limitations("Both studies have the same threshold. A feature just below it counts as not replicated.")
    if "same_way" in table and table["in_first"].any():
        glossary.show_sentence(describe_same_directions(table))
    _show_external_validation(view, here, theirs, entry, table.loc[table["in_first"], "feature"].tolist())


def _with_directions(*question):
    *of_panels, project, theirs = question
    return add_directions(cache.computed(replication, *of_panels), project, theirs)


def _show_external_validation(view, project, theirs, entry, panel):
    """The panel of these results, trained in one table and tested in the other."""
    st.header("Prediction in the other study", divider="gray")
    if project is None or theirs is None:
        view.screen.explain("The tables of both studies allow training here, testing there, and comparing directions.")
        if project is None:
            st.caption("The table of these results is missing. Add it on Study.")
            return
        upload = st.file_uploader("The table of the other study", key="replicate-table")
        if st.button("Add its table", key="replicate-add-table", disabled=upload is None) and upload:
            with text.show_errors():
                other_studies.save_table(session.project_or_none(), entry, upload.name, upload.getvalue())
                st.rerun()
        return
    shared = [name for name in panel if name in theirs.features]
    learner = None if project.timed else ask_classifier(session.TRANSFER_CLASSIFIER)
    try:
        table = cache.computed(external_validation, project, theirs, shared, learner)
    except InputError as error:
        st.info(text.plain(error), icon=":material/info:")
        return
    lacking = len(panel) - len(shared)
    glossary.show_sentence(finding_external_validation(table, len(shared), lacking))
    figures.show_dataframe(
        table.replace({"first": "these results", "second": "the other study", **SCORES}).dropna(axis="columns", how="all"),
        alt="The panel trained in one study and tested in the other",
        column_config=figures.number_columns("%.2f", "value", "low", "high", given_alone="Always in the model, alone"),
    )
    if any(data.patients is not None for data in (project, theirs)):
        view.screen.explain("The intervals count patients with several rows once.")
    view.screen.explain(
        "AUC: how often a patient of one class has the higher prediction than one of the other. Without signal it is 0.5."
        if not project.timed
        else "Concordance: how often the patient with the earlier event has the higher predicted risk. Without signal it is 0.5.",
        "The first line is the test: these features were chosen here, and tested there.",
        "The second line tests them where they were chosen, so it is too optimistic.",
    )
