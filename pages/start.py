"""Start: what this is, and three doors: a bundled study, my dataset, my selections."""

import streamlit as st

from pages.parts import cache, layout, scenarios, session, text
from pages.parts.start import selections, works
from pages.parts.study import mailed
from stabcore.app.room import unchanged
from stabcore.app.samples import samples
from stabcore.app.workspace import Workspace
from stabcore.data.reading.files import TABLE_UPLOADS
from stabcore.errors import InputError

layout.title("How far can you trust a set of selected features?")
st.markdown(
    "Feature selection picks a few markers out of many. With a little less data it may pick others. Here you see **how often the "
    "same markers come back**, and what changes when some markers can stand for each other. It does not tell you which markers are "
    "true: a wrong choice can be a stable one. **Nor is steady the same as real:** runs share patients, so they agree even where "
    "no marker has anything to do with the outcome. How much, the *floor*, stands beside every number whose runs were made here.")


def open_sample(sample):
    """A bundled study with its results, its groups at hand and correlated features standing for each other."""
    from stabcore.data.reading import read_table

    frame = read_table(sample.groups).frame if sample.groups else None
    groups = {} if frame is None else {str(g): part["feature"].tolist() for g, part in frame.groupby("group", sort=False)}
    kept = scenarios.usual(groups)
    settings = {"kind": "sample", "sample": sample.key, "name": sample.about["title"], "roles": sample.roles, "scenarios": kept,
                "scenario": kept[scenarios.CORRELATED], "scenario_name": scenarios.CORRELATED}
    there = unchanged(settings)         # opened often, a bundled study is one work until something is changed in it
    session.take_up(there) if there else session.begin(**settings)


def open_table(content, file_name, beside=False):
    """An uploaded or pasted table: read once here, so that a wrong file changes nothing that is already loaded.

    A table that may only have been looked for in the wrong place goes on to Data, where another place can be chosen.
    beside: keep the selections that are loaded, which were made of it.
    """
    from stabcore.data.reading import read_table
    from stabcore.data.reading.layout import MisplacedError
    from stabcore.data.roles import FEWEST_ROWS

    try:
        read = read_table(content, file_name)
    except MisplacedError as error:
        if beside or len(error.head) < FEWEST_ROWS and len(error.sheets) < 2:
            raise
        read = None
    if beside:
        return selections.add_table(content, file_name, read)
    kept = scenarios.usual({})
    here = session.begin(kind="table", name=file_name, scenarios=kept, scenario=kept[scenarios.NOTHING],
                        scenario_name=scenarios.NOTHING)
    here.save(table=here.keep(file_name, content))
    if read is not None:
        cache.know_table(here, read)


def open_study_file(content, name):
    """A study file that somebody downloaded earlier."""
    work = Workspace.create()
    try:
        kept = work.keep(name, content)
        mailed.check(work.folder / kept)
        work.save(kind="study", name=name, store=kept)
        mailed.take_scenarios(work)
    except InputError:              # what was open stays open
        work.forget()
        raise
    session.take_up(work)


def offer(sample, kind):
    """A bundled study: what it is about, and the button that opens it."""
    with st.container(border=True):
        st.markdown(f"**{sample.about['title']}**")
        st.caption(sample.about["description"])
        ready = sample.store.exists()
        if st.button("Open with results" if ready else "Open the table", key=f"open-{sample.key}", type=kind):
            open_sample(sample)
            st.switch_page("pages/stability.py" if ready else "pages/data.py")


works.section()
first, second, third = st.columns(3, gap="large")

with first:
    st.header("Look at a finished study", divider="gray")
    real = [sample for sample in samples() if not sample.simulated]
    for number, sample in enumerate(real):
        offer(sample, "primary" if number == 0 else "secondary")
    with st.expander("Simulated tables, of which the truth is known", icon=":material/school:"):
        for sample in samples():
            if sample.simulated:
                offer(sample, "secondary")

with second:
    st.header("My dataset", divider="gray")
    st.caption("One row a patient, one column a measurement, one column with the outcome. CSV, TSV, Excel, Parquet, SPSS, Stata, "
               "SAS, R, GEO or GCT; it stays on this computer.")
    uploaded = st.file_uploader("Upload a table", type=TABLE_UPLOADS, key="table")
    pasted = st.text_area("or paste it here", key="table-text", height=120, placeholder="ALT\tAST\toutcome\n31\t28\thealthy\n…")
    here = session.workspace()
    beside = bool(here and here.frozen is None and here.settings.get("selections")) and st.toggle(
        "Together with my selections", value=True, key="table-with-selections",
        help="Those that are loaded were made of this table: then its correlations can say which features stand for each other.")
    if st.button("Use this table", key="use-table", disabled=not (uploaded or pasted.strip())):
        with text.sentences():
            if uploaded:
                open_table(uploaded.getvalue(), uploaded.name, beside)
            else:
                open_table(pasted.encode("utf-8"), "pasted.txt", beside)
            st.switch_page("pages/data.py")

with third:
    st.header("My selections", divider="gray")
    selections.door(open_study_file)

session.warm_up()
