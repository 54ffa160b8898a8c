"""The three ways to start: bundled studies, a table, and uploaded selections."""

from functools import partial

import streamlit as st

from pages.parts import cache, scenarios, session, text
from pages.parts.people import current_person, describe_home
from pages.parts.start import questions
from pages.parts.start.picture import panel_html
from pages.parts.study import study_file
from pages.workspace.projects import find_unchanged
from pages.workspace.samples import samples
from stabcore.base.errors import InputError
from stabcore.base.text import counted

PASTED_TABLE = "pasted.txt"
KEY = (
    "Frequencies in {of}. Blue: in the panel (threshold {threshold:.0%}, dotted). Solid line: {shuffled:.0%}, highest mean with "
    "the outcome shuffled."
)
KINDS = {
    None: "Detect",
    "selection matrix": "0/1 matrix",
    "importances": "Importances (0: not selected)",
    "coefficients": "Coefficients (0: not selected)",
    "sets": "Lists of names",
    "scores": "Scores (higher is better)",
    "ranks": "Ranks (1 is best)",
}
SIDES = {None: "Detect", "rows": "rows", "columns": "columns"}
PLACE = "selections"  # place of the questions about files in the session
OF_THE_TABLE = ("roles", "choices", "about", "said", "again", "upright", "table_name")  # settings that belong to the table
OF_C = ("scenarios", "scenario", "scenario_name")


def show_samples():
    """The first bundled study as a card, and the others behind a button."""
    first, *others = samples()
    _show_sample(first, "primary")
    with st.popover(f"Other examples ({len(others)})", icon=":material/folder_open:", key="other-examples"):
        for heading, simulated in (("Real data", False), ("Simulated, with known truth", True)):
            st.markdown(f"**{heading}**")
            for sample in others:
                if sample.is_simulated == simulated:
                    _show_sample(sample, "secondary")


def _show_sample(sample, kind):
    """The subject of a bundled study, and the button that opens it."""
    with st.container(border=True):
        st.markdown(f"**{sample.about['title']}**")
        st.caption(sample.about["description"])
        if "picture" in sample.about:
            picture = sample.about["picture"]
            st.html(panel_html(picture["features"], picture["threshold"], picture["shuffled"]))
            st.caption(KEY.format(**picture))
        ready, project = sample.store.exists(), session.project_or_none()
        is_open = project is not None and project.settings.get("sample") == sample.key
        label = "Open table" if not ready else "See results" if is_open else "Open example"
        if st.button(label, key=f"open-{sample.key}", type=kind):
            _open_sample(sample)
            st.switch_page("pages/stability.py" if ready else "pages/data.py")


def _open_sample(sample):
    """A bundled study with its results, its groups, and correlated features as similar."""
    from stabcore.io.table import read_table

    frame = read_table(sample.groups).frame if sample.groups else None
    groups = {} if frame is None else {str(g): part["feature"].tolist() for g, part in frame.groupby("group", sort=False)}
    settings = {"kind": "sample", "sample": sample.key, "name": sample.about["title"], "roles": sample.roles}
    settings |= first_scenarios(scenarios.CORRELATED, groups)
    there = find_unchanged(settings, current_person())  # a bundled study that is opened often is one project until a change
    session.open_project(there) if there else session.create_project(**settings)


def show_table_upload():
    """Upload a table, which opens it at once, or paste one."""
    project = session.project_or_none()
    beside = bool(project and project.read_only_since is None and project.settings.get("selections")) and st.toggle(
        "Keep my selections",
        value=True,
        key="table-with-selections",
        help="The loaded selections were made from this table. Its correlations can then define similar features.",
    )
    uploaded = st.file_uploader(
        "One row per patient, with outcome",
        key="table",
        help=f"CSV, TSV, Excel, Parquet, SPSS, Stata, SAS, R, GEO or GCT. The file stays on {describe_home()}.",
    )
    with st.popover("Paste table", icon=":material/content_paste:"):
        pasted = st.text_area("Table", key="table-text", height=120, placeholder="ALT\tAST\toutcome\n31\t28\thealthy\n…")
        use_pasted = st.button("Use table", key="use-table", type="primary", disabled=not pasted.strip())
    if uploaded or use_pasted:
        with text.show_errors():
            content, name = (uploaded.getvalue(), uploaded.name) if uploaded else (pasted.encode("utf-8"), PASTED_TABLE)
            _open_table(content, name, beside)
            st.switch_page("pages/data.py")


def _open_table(content, file_name, beside):
    """Read the table once here, so that a wrong file changes nothing that is loaded.

    If the table may only be in another place of the file, Data opens, where the place can be chosen.
    beside: keep the loaded selections, which were made from it.
    """
    from stabcore.data.roles import MIN_ROWS
    from stabcore.io.contents import MisplacedError
    from stabcore.io.table import read_table

    try:
        read = read_table(content, file_name)
    except MisplacedError as error:
        if beside or (len(error.place.head) < MIN_ROWS and len(error.place.sheets) < 2):
            raise
        read = None
    if beside:
        add_table(content, file_name, read)
        return
    project = session.create_project(kind="table", name=file_name, **first_scenarios())
    project.save(table=project.save_upload(file_name, content))
    if read is not None:
        cache.store_table(project, read)


def ask_pasted_selections(key, forget) -> str:
    """Selections as pasted text. forget: called when it changes."""
    with st.popover("Paste selections", icon=":material/content_paste:"):
        return st.text_area(
            "Selections", key=key, height=120, on_change=forget, placeholder="ALT, AST, EGFR\nALT, EGFR\nAST, EGFR, TP53"
        )


def show_selections_upload():
    """Upload or paste selections. What is asked about them appears with them."""
    files = st.file_uploader(
        "Selections of several runs",
        key="selections",
        accept_multiple_files=True,
        on_change=questions.forget_question,
        args=(PLACE,),
        help="A matrix of runs and features (0/1, importances or coefficients), or a long table (run, feature, value, selector). "
        "Lists of names also work, as JSON, R or Python print them. Several files count as one run each. A study file (.stab) "
        "opens as it was.",
    )
    pasted = ask_pasted_selections("selections-text", partial(questions.forget_question, PLACE))
    if files or pasted.strip():
        _show_description([(file.getvalue(), file.name) for file in files] or [(pasted.encode("utf-8"), questions.PASTED)])
    if st.button(
        "Check selections of a paper",
        icon=":material/fact_check:",
        key="to-check",
        help="Their stability, noise floor and panel. It needs the selected features of each run, for instance from a supplement. "
        "Nothing is saved.",
    ):
        st.switch_page("pages/check.py")


def _show_description(sources):
    """The description of the files, the button that opens them, and the questions that they leave open."""
    with st.expander("Describe selections", key="more-about-selections"):
        kind = st.selectbox(
            "Kind", KINDS, format_func=KINDS.__getitem__, key="selections-kind", on_change=questions.forget_question, args=(PLACE,)
        )
        total = st.number_input(
            "Number of candidate features",
            min_value=0,
            value=0,
            key="selections-d",
            help="Needed where the file lists only what was selected. 0 takes the names that occur. The chance correction "
            "depends on this number.",
        )
        runs_in = st.selectbox(
            "Runs are",
            SIDES,
            format_func=SIDES.__getitem__,
            key="selections-side",
            on_change=questions.forget_question,
            args=(PLACE,),
        )
        every = st.text_area("Names of all candidate features (instead of their number)", key="selections-all", height=80)
        beside = _project_with_table()
    about = {"kind": kind, "runs_in": runs_in, "n_features": int(total) or None, "all_features": every.strip()}
    if st.button("Compute stability", key="use-selections", type="primary"):
        _try_selections(sources, about, beside)
    questions.ask_question(PLACE, lambda: _try_selections(sources, about, beside))


def _project_with_table():
    """The project whose table is kept beside the selections, or None."""
    project = session.project_or_none()
    if project is None or project.table_file is None:
        return None
    name = text.plain(project.settings.get("table_name") or project.settings.get("name", ""))
    bundled = project.sample is not None  # bundled studies are usually opened first, and rarely the source of these selections
    keep = st.toggle(
        f"Keep the bundled table {name}" if bundled else "Keep my table",
        value=not bundled,
        key="selections-with-table",
        help=f"The selections were made from {name}. Its correlations can then define similar features, and it gives the "
        "number of candidates.",
    )
    return project if keep else None


def _try_selections(files, about, beside):
    """Open the files, or ask what they leave open."""
    with text.show_errors():
        if len(files) == 1 and files[0][1].lower().endswith(".stab"):
            study_file.open_file(*files[0])
        elif not questions.try_reading(PLACE, lambda: open_selections(files, about, beside)):
            return
        is_study = session.project().settings["kind"] == "study"
        st.switch_page("pages/study.py" if is_study else "pages/stability.py")


def selector_label(file_name):
    """A file name without its ending, as the name of a selector."""
    return file_name.rsplit(".", 1)[0] or file_name


def open_selections(files, about, beside=None, answers=None):
    """Uploaded or pasted selections [(content, file name)], read once here, so that a wrong file changes nothing that is loaded."""
    from stabcore.io.selection_lists import read_universe
    from stabcore.study.results import Results

    answers = questions.saved_answers(PLACE) if answers is None else answers
    every = about.get("all_features")
    about = {key: value for key, value in about.items() if value is not None and key != "all_features"}
    names = read_universe(every) if every else None
    if names and about.get("n_features") not in (None, len(names)):
        raise InputError(
            f"{counted(len(names), 'feature')} are named, but the number {about['n_features']} was given. Give one of them."
        )
    entries = [{"label": selector_label(name), "name": name, **about, **answers.get(name, {})} for _, name in files]
    contents = [(content, {**entry, "features": names}) for (content, _), entry in zip(files, entries)]
    runs = Results.from_files(contents, *(cache.table_names(beside) if beside else ()))
    project = create_selections_project(", ".join(name for _, name in files), beside)
    universe = {"features_file": project.save_upload("all.txt", every.encode())} if every else {}
    project.save(
        selections=[
            {**entry, **universe, "file": project.save_upload(name, content)} for (content, name), entry in zip(files, entries)
        ]
    )
    cache.store_selections(project, runs)


def create_selections_project(name, beside):
    """A new project for selections, with the table of another project, which stays as it is."""
    if beside is None:
        return session.create_project(kind="selections", name=name)
    table, content = beside.table_file.name, beside.table_file.read_bytes()
    of_table = {key: beside.settings[key] for key in OF_THE_TABLE if key in beside.settings}
    of_table.setdefault("table_name", beside.settings.get("name", ""))
    of_scenarios = {key: beside.settings[key] for key in OF_C if key in beside.settings} or first_scenarios()
    project = session.create_project(**of_table, **of_scenarios, kind="selections", name=f"{name} with {of_table['table_name']}")
    project.save(table=project.save_upload(table, content))
    _copy_matrices(beside, project)
    return project


def _copy_matrices(before, project):
    """The files of C in the scenarios of another project."""
    for scenario in project.settings.get("scenarios", {}).values():
        if scenario.get("matrix") and (before.folder / scenario["matrix"]).is_file():
            (project.folder / scenario["matrix"]).write_bytes((before.folder / scenario["matrix"]).read_bytes())


def add_table(content, file_name, read):
    """A table that was just read, beside the selections of this project, in a new project."""
    from stabcore.study.results import Results

    before = session.project()
    entries = [dict(source) for source in before.settings["selections"]]
    contents = {entry["file"]: (before.folder / entry["file"]).read_bytes() for entry in entries}
    lists = {name: (before.folder / name).read_bytes() for entry in entries if (name := entry.get("features_file"))}
    Results.from_files(cache.selection_sources(before), None, [str(name) for name in read.frame.columns])  # before any change
    named = before.settings.get("selections_name") or before.settings.get("name", "")
    names = {"name": f"{named} with {file_name}", "selections_name": named, "table_name": file_name}
    project = session.create_project(**first_scenarios(), kind="selections", **names)
    moved = {old: project.save_upload("all.txt", content) for old, content in lists.items()}
    for entry in entries:
        entry["file"] = project.save_upload(entry["name"], contents[entry["file"]])
        if "features_file" in entry:
            entry["features_file"] = moved[entry["features_file"]]
    project.save(selections=entries, table=project.save_upload(file_name, content))
    cache.store_table(project, read)


@session.if_project_exists
def open_table_alone():
    """The table of this project as a new project. This one stays as it is."""
    before = session.project()
    content = (before.folder / before.settings["table"]).read_bytes()
    settings = {key: before.settings[key] for key in (*OF_THE_TABLE, *OF_C) if key in before.settings and key != "table_name"}
    project = session.create_project(
        **settings, kind="table", name=before.settings.get("table_name") or before.settings.get("name", "")
    )
    project.save(table=project.save_upload(before.settings["table"], content))
    _copy_matrices(before, project)


def first_scenarios(chosen=scenarios.NONE_SIMILAR, groups=None) -> dict:
    """Settings of a project with the first scenarios, one of them chosen."""
    settings_of = scenarios.default_settings(groups or {})
    return {"scenarios": settings_of, "scenario": settings_of[chosen], "scenario_name": chosen}
