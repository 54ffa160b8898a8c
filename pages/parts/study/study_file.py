"""An uploaded study file: its description, its scenarios, and its table, with which it can be continued."""

from pathlib import Path
from tempfile import TemporaryDirectory

import streamlit as st

from pages.parts import cache, figures, glossary, scenarios, session
from pages.parts.text import plain, show_errors
from pages.server.sign_in import current_person
from pages.workspace.project import Project
from pages.workspace.projects import refuse_when_full
from stabcore.base.errors import InputError
from stabcore.base.text import counted
from stabcore.data import Dataset
from stabcore.similarity.files import read_scenario, write_scenario
from stabcore.study.rerun import continued_tables, matching_roles, reread_table
from stabcore.study.store import Store
from stabcore.study.study_result import open_study
from stabcore.study.summary import run_table, selector_options, study_table


def open_file(content, name):
    """Open a downloaded study file as a project. The open project stays if the file cannot be read."""
    refuse_when_full(current_person())
    project = Project.create(current_person())
    try:
        file = project.save_upload(name, content)
        store = Store(project.folder / file)
        for label in store.limits.selectors:  # to its end, so that errors are shown at the upload
            store.every_task(selector=label)
        project.save(kind="study", name=name, store=file)
        _add_scenarios(project)
    except InputError:
        project.delete()
        raise
    session.open_project(project)


def _add_scenarios(project):
    """Keep the scenarios of C of a study file. The first one is the chosen one."""
    result = open_study(project.store)
    settings_of: dict[str, dict] = {}
    for text in result.store.meta("scenarios", []):
        name, scenario, matrix, _ = read_scenario(text.encode("utf-8"), result.features)
        settings = scenario.settings()
        if matrix is not None:
            settings["matrix"] = project.save_upload("matrix.csv", matrix)
        settings_of[" ".join(name.split())[: scenarios.MAX_NAME_LENGTH] or f"scenario {len(settings_of) + 1}"] = settings
    if settings_of:
        first = next(iter(settings_of))
        project.save(scenarios=settings_of, scenario=settings_of[first], scenario_name=first)


def packing_function(project, path):
    """A function that makes the study file for a colleague, with the scenarios of this project."""
    every, chosen = scenarios.by_name(), scenarios.chosen_name()
    readers = {name: cache.matrix_reader(scenario) for name, scenario in every.items() if scenario.base == "matrix"}

    def content() -> bytes:
        texts = []
        for name in sorted(every, key=lambda other: other != chosen):  # the chosen one first
            read = readers.get(name)
            texts.append(write_scenario(name, every[name], read and read().similarity))
        with TemporaryDirectory(dir=project.folder) as folder:
            Store(path).copy(Path(folder) / "study.stab", scenarios=texts)
            return (Path(folder) / "study.stab").read_bytes()

    return content


def show_study_file(project):
    """The description, and the table if it is missing."""
    result = cache.results()
    st.header("This study file", divider="gray")
    st.caption(plain(result.sentence()))
    columns = {"what": st.column_config.TextColumn(width="medium"), "value": st.column_config.TextColumn(width="large")}
    table = cache.computed(study_table, result, cache.computed(result.digest))
    figures.show_dataframe(table, height="content", alt="This study file", column_config=columns)
    figures.show_folded_table(lambda: selector_options(result), "selector-options", "Selectors with all options")
    figures.show_folded_table(lambda: run_table(result), "run-progress", "Progress of each run")
    if len(messages := cache.computed(result.messages)):
        figures.show_folded_table(lambda: messages, "study-messages", f"Messages of single runs ({len(messages)})")
    if written := result.store.meta("scenarios", []):
        st.caption(f"{counted(len(written), 'scenario')} came with it. Choose one in the sidebar.")
    if sentence := st.session_state.pop(session.MESSAGE, ""):
        st.warning(plain(sentence), icon=":material/info:")
    if project.table_file is None:
        _ask_for_table(project)


def _ask_for_table(project):
    st.header("Add table", divider="gray")
    glossary.show_caption(
        "A study file does not hold its table. With the table it can be continued and changed, and correlation can define similar "
        "features. A fingerprint checks that it is the same table."
    )
    uploaded = st.file_uploader("Table of this study", key="study-table")
    if st.button("Add table", key="add-study-table", disabled=uploaded is None) and uploaded:
        with show_errors():
            add_table(project, uploaded.getvalue(), uploaded.name)
            st.rerun()


def add_table(project, content, name):
    """Add the table of the uploaded study, so that it can be continued. Raises InputError for another table."""
    store = Store(project.store)
    settings, read = open_study(project.store).settings, reread_table(content, store, name)
    roles = matching_roles(read.frame, settings, store.meta("features"), store.meta("patients"))
    of_data, choices = settings["data"]["name"], store.meta("choices", {})
    data, title = Dataset.from_frame(read.frame, **roles, name=of_data), project.title
    project.save(table=project.save_upload(name, content), roles=roles, name=of_data, title=title, choices=choices)
    if not choices:  # otherwise the kept table would lack the choices about it
        cache.store_table(project, read)
    try:
        project.adopt_study(project.store, continued_tables(settings, data))
    except InputError as error:
        st.session_state[session.MESSAGE] = str(error)
