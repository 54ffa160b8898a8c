"""Other studies beside the open results: bundled studies and added study files, kept with the project."""

from contextlib import suppress

import streamlit as st

from pages.parts import cache, text
from pages.parts.project_choices import COMPARED
from pages.workspace.samples import SAMPLE_FOLDER, samples
from stabcore.base.errors import InputError
from stabcore.base.text import counted, joined
from stabcore.io.choices import ONLY, Choices
from stabcore.io.mends import patients_in_both
from stabcore.study.rerun import matching_roles, reread_table


def compared_studies(project):
    """The studies beside the results: {"sample" or "file", "name"} each."""
    return project.settings.get(COMPARED, [])


def bundled_studies(project):
    """The bundled studies without the open one."""
    return [
        {"sample": sample.key, "name": sample.about["title"]}
        for sample in samples()
        if sample.store.exists() and sample.key != project.settings.get("sample")
    ]


def added_studies(project):
    """The added study files."""
    return [study for study in compared_studies(project) if "file" in study]


def other_cohorts(project, results):
    """Studies of this project with the rows of another cohort: {"own", "file", "name", "version"} each.

    They share no row with the results: the same column defines both cohorts, and no value is in both.
    """
    mine, others = cohort_of(results), []
    for path in project.studies if mine else ():
        with suppress(InputError):  # Study reports a damaged file
            study = cache.open_study(path)
            theirs = cohort_of(study)
            if study.finished_selectors and any(not mine[name] & theirs[name] for name in set(mine) & set(theirs)):
                rows, version = describe_rows(study), cache.study_version(path)  # it may be running, and answers are kept
                others.append(
                    {"own": path.name, "file": path.name, "name": f"Other rows of this table: {rows}", "version": version}
                )
    return others


def comparable_cohorts(project, results, column):
    """[{values of a column}] of the cohorts that this project studied with the settings of these results."""
    alike = []
    for path in project.studies:
        with suppress(InputError):
            study = cache.open_study(path)
            if {**study.settings, "data": None} == {**results.settings, "data": None} and column in cohort_of(study):
                alike.append(cohort_of(study)[column])
    return alike


def shared_patients(column, first, second, patient, where="in both cohorts"):
    """(number of patients in both cohorts, None without a patient column, and a sentence)."""
    if patient is None:
        return None, (
            "No column identifies patients, so patients in both cohorts are not counted. Choose the patient column on Data."
        )
    shared = patients_in_both(cache.unmended_table(), column, patient, first, second)
    if not shared:
        return 0, f"By {patient}, no patient has rows {where}."
    return shared, (
        f"{counted(shared, 'patient')} {'has' if shared == 1 else 'have'} rows {where}, by {patient}. One cohort is "
        "then no independent test of the other."
    )


def describe_rows(results):
    """The rows of a study in words, "" for uploaded selections."""
    if results.plan is None:
        return ""
    cells_of = "".join(f", {name} = {joined(sorted(cells), 'or')}" for name, cells in cohort_of(results).items())
    return f"{counted(len(results.target), 'row')} of {results.settings['data']['name'] or 'its table'}{cells_of}"


def cohort_of(results):
    """{column: values} of the cohort of a study. {} for all rows."""
    if results.plan is None:
        return {}
    return {mend.columns[0]: set(mend.cells) for mend in Choices.of(results.store.meta("choices", {})).mends if mend.do == ONLY}


def ask_study_file(project, key, removal):
    """Ask for a study file. Returns its entry once it is added, else None. removal: how people remove it, in a sentence."""
    label, about = "Add a study file (.stab) to compare", f"It is kept with this project. {removal}"
    upload = st.file_uploader(label, type=["stab"], key=f"{key}-file", help=about)
    if st.button("Add study", key=f"{key}-add", disabled=upload is None) and upload:
        with text.show_errors():
            return save_study(project, upload.name, upload.getvalue())
    return None


def save_study(project, name, content):
    """Keep a study file with the project if it can be read to its end."""
    file = project.save_upload(name, content)
    try:
        study = cache.open_study(project.folder / file)
        if not study.finished_selectors:
            raise InputError(f"In {name}, no selector has finished two runs. A comparison needs two.")
        study.table("nogueira")
    except Exception as error:  # whatever the damage, the file must not stay
        (project.folder / file).unlink(missing_ok=True)
        if isinstance(error, InputError):
            raise
        raise InputError(f"{name} is damaged: it cannot be read to the end. Take another copy of the study file.") from error
    entry = {"file": file, "name": name.removesuffix(".stab")}
    project.save(**{COMPARED: [*compared_studies(project), entry]})
    return entry


def similarity_of(entry, scenario):
    """C of a bundled study by the rule of a scenario, on its own table. None if the rule names features or the table is missing."""
    sample = next((s for s in samples() if s.key == entry.get("sample")), None)
    if sample is None or scenario.base != "correlation":
        return None
    data = cache.other_dataset(SAMPLE_FOLDER / sample.data["file"], sample.roles, {})
    return cache.correlation_similarity(data, scenario.method, scenario.threshold, scenario.binary)


def open_study(project, entry):
    """The result of another study."""
    path = project.folder / entry["file"] if "file" in entry else next(s.store for s in samples() if s.key == entry["sample"])
    return cache.open_study(path)


def save_table(project, study_entry, name, content):
    """Keep the table of an added study. Raises InputError for another table."""
    study = open_study(project, study_entry)
    frame, store = reread_table(content, study.store, name).frame, study.store
    roles = matching_roles(frame, study.settings, store.meta("features"), store.meta("patients"))
    entry = {**study_entry, "table": project.save_upload(name, content), "roles": roles, "choices": store.meta("choices", {})}
    project.save(**{COMPARED: [entry if other == study_entry else other for other in compared_studies(project)]})
    return entry


def dataset_of(project, entry):
    """The Dataset of another study, if its table is added or bundled, else None."""
    if "own" in entry:
        return cache.dataset_of_study(open_study(project, entry))
    if "table" in entry:
        return cache.other_dataset(project.folder / entry["table"], entry["roles"], entry.get("choices", {}))
    return None
