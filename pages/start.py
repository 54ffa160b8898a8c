"""Start: what this is, and three doors: a bundled study, my dataset, my selections."""

import streamlit as st

from pages.parts import cache, layout, scenarios, session, text
from stabcore.app.samples import samples
from stabcore.data.reading.files import UPLOADS
from stabcore.errors import InputError

layout.title("How far can you trust a set of selected features?")
st.markdown(
    "Feature selection picks a few markers out of many. With a little less data it may pick others. Here you see **how often the "
    "same markers come back**, and what changes when some markers can stand for each other. It does not tell you "
    "which markers are true: a wrong choice can be a stable one. **Nor is steady the same as real:** runs share "
    "patients, so they agree even where no marker has anything to do with the outcome. How much, the *floor*, stands beside every "
    "number whose runs were made here.")


def open_sample(sample):
    """A bundled study with its results, its groups at hand and correlated features standing for each other."""
    from stabcore.data.reading import read_table

    frame = read_table(sample.groups).frame if sample.groups else None
    groups = {} if frame is None else {str(g): part["feature"].tolist() for g, part in frame.groupby("group", sort=False)}
    kept = scenarios.usual(groups)
    session.begin(kind="sample", sample=sample.key, name=sample.about["title"], roles=sample.roles, scenarios=kept,
                 scenario=kept[scenarios.CORRELATED], scenario_name=scenarios.CORRELATED)


def open_table(content, file_name):
    """An uploaded or pasted table: read once here, so that a wrong file changes nothing that is already loaded.

    A table that may only have been looked for in the wrong place goes on to Data, where another place can be chosen.
    """
    from stabcore.data.reading import read_table
    from stabcore.data.reading.layout import MisplacedError
    from stabcore.data.roles import FEWEST_ROWS

    try:
        read = read_table(content, file_name)
    except MisplacedError as error:
        if len(error.head) < FEWEST_ROWS and len(error.sheets) < 2:
            raise
        read = None
    kept = scenarios.usual({})
    here = session.begin(kind="table", name=file_name, scenarios=kept, scenario=kept[scenarios.NOTHING],
                        scenario_name=scenarios.NOTHING)
    here.save(table=here.keep(file_name, content))
    if read is not None:
        cache.know_table(here, read)


def open_selections(files, kind, n_features):
    """Uploaded or pasted selections [(content, file name)], or one study file."""
    from stabcore.study.results import Results

    if len(files) == 1 and files[0][1].lower().endswith(".stab"):
        return open_study_file(*files[0])
    entries = [{"label": name.rsplit(".", 1)[0] or name, "name": name, "kind": kind, "n_features": n_features}
               for _, name in files]
    runs = Results.from_files([(content, entry) for (content, _), entry in zip(files, entries)])
    here = session.begin(kind="selections", name=", ".join(name for _, name in files))
    here.save(selections=[{**entry, "file": here.keep(name, content)} for (content, name), entry in zip(files, entries)])
    cache.know_selections(here, runs)


def open_study_file(content, name):
    """A study file that somebody downloaded earlier."""
    earlier = session.workspace()
    here = session.begin(kind="study", name=name)
    kept = here.keep(name, content)
    try:
        cache.study_at(here.folder / kept)
    except InputError:
        here.forget()
        if earlier:
            st.session_state[session.ID] = st.query_params[session.ID] = earlier.id
        raise
    here.save(store=kept)


first, second, third = st.columns(3, gap="large")

with first:
    st.subheader("Look at a finished study", divider="gray")
    for number, sample in enumerate(samples()):
        with st.container(border=True):
            st.markdown(f"**{sample.about['title']}**")
            st.caption(sample.about["description"])
            ready = sample.store.exists()
            if st.button("Open with results" if ready else "Open the table", key=f"open-{sample.key}",
                         type="primary" if number == 0 else "secondary"):
                open_sample(sample)
                st.switch_page("pages/stability.py" if ready else "pages/data.py")

with second:
    st.subheader("My dataset", divider="gray")
    st.caption("One row a patient, one column a measurement, one column with the outcome. CSV, TSV, Excel or Parquet; it stays on "
               "this computer.")
    uploaded = st.file_uploader("Upload a table", type=UPLOADS, key="table")
    pasted = st.text_area("or paste it here", key="table-text", height=120, placeholder="ALT\tAST\toutcome\n31\t28\thealthy\n…")
    if st.button("Use this table", key="use-table", disabled=not (uploaded or pasted.strip())):
        with text.sentences():
            if uploaded:
                open_table(uploaded.getvalue(), uploaded.name)
            else:
                open_table(pasted.encode("utf-8"), "pasted.txt")
            st.switch_page("pages/data.py")

with third:
    st.subheader("My selections", divider="gray")
    st.caption("You already ran feature selection several times: bring a 0/1 matrix (one row a run), importances, or one list of "
               "names a line. Several files are compared. A study file (.stab) opens as it was.")
    files = st.file_uploader("Upload selections", type=[*UPLOADS, "stab"], key="selections", accept_multiple_files=True)
    pasted = st.text_area("or paste them here", key="selections-text", height=120,
                          placeholder="ALT, AST, EGFR\nALT, EGFR\nAST, EGFR, TP53")
    kinds = {None: "Find out", "selection matrix": "0/1 matrix", "importances": "Importances (0: not selected)",
             "sets": "Lists of names", "scores": "Scores (higher is better)", "ranks": "Ranks (1 is best)"}
    kind = st.selectbox("What are they?", kinds, format_func=kinds.get, key="selections-kind")
    total = st.number_input("Features there were to choose from", min_value=0, value=0, key="selections-d",
                            help="Only for lists of names: 0 takes the names that occur. What random sets share depends on "
                            "this number.")
    if st.button("Measure these", key="use-selections", disabled=not (files or pasted.strip())):
        with text.sentences():
            given = [(one.getvalue(), one.name) for one in files] if files else [(pasted.encode("utf-8"), "pasted.txt")]
            open_selections(given, kind, int(total) or None)
            st.switch_page("pages/stability.py")

session.warm_up()
