"""The door to the bundled studies, real and simulated."""

import streamlit as st

from pages.parts import scenarios, session
from pages.server.sign_in import who
from pages.workspace.samples import samples
from pages.workspace.works import unchanged


def door():
    """One card a study, the simulated ones under a heading of their own."""
    real = [sample for sample in samples() if not sample.simulated]
    for number, sample in enumerate(real):
        _offer(sample, "primary" if number == 0 else "secondary")
    with st.expander("Simulated tables, of which the truth is known", key="simulated", icon=":material/school:"):
        for sample in samples():
            if sample.simulated:
                _offer(sample, "secondary")


def _offer(sample, kind):
    """What a bundled study is about, and the button that opens it."""
    with st.container(border=True):
        st.markdown(f"**{sample.about['title']}**")
        st.caption(sample.about["description"])
        ready = sample.store.exists()
        if st.button("Open with results" if ready else "Open the table", key=f"open-{sample.key}", type=kind):
            _open(sample)
            st.switch_page("pages/stability.py" if ready else "pages/data.py")


def _open(sample):
    """A bundled study with its results, its groups at hand and correlated features standing for each other."""
    from stabcore.data.reading import read_table

    frame = read_table(sample.groups).frame if sample.groups else None
    groups = {} if frame is None else {str(g): part["feature"].tolist() for g, part in frame.groupby("group", sort=False)}
    kept = scenarios.usual(groups)
    settings = {"kind": "sample", "sample": sample.key, "name": sample.about["title"], "roles": sample.roles, "scenarios": kept,
                "scenario": kept[scenarios.CORRELATED], "scenario_name": scenarios.CORRELATED}
    there = unchanged(settings, who())         # opened often, a bundled study is one work until something is changed in it
    session.take_up(there) if there else session.begin(**settings)
