"""Scenarios of C side by side: which one is edited, copies, other names, files."""

from dataclasses import replace

import streamlit as st

from pages.parts import cache, scenarios, session
from pages.parts.text import plain, sentences
from stabcore.errors import InputError
from stabcore.relation.files import read_scenario, write_scenario
from stabcore.wording import shown


def bar():
    """Which scenario is edited, and what can be done with it as a whole."""
    kept, chosen = scenarios.every(), scenarios.chosen_name()
    with st.container(border=True):
        st.session_state[session.SCENARIO_HERE] = chosen
        st.selectbox("The scenario that you are editing", kept, key=session.SCENARIO_HERE,
                     help="Scenarios are kept side by side; every screen uses the chosen one. Nothing is lost when you switch.",
                     on_change=lambda: scenarios.choose(st.session_state[session.SCENARIO_HERE]))
        with st.container(horizontal=True):
            with st.popover("Copy", icon=":material/content_copy:"):
                name_form("copy", "Name of the copy", scenarios.free_name(chosen), kept,
                          lambda name: scenarios.add(name, scenarios.chosen()), "Make the copy")
            with st.popover("Rename", icon=":material/edit:"):
                name_form("rename", "New name", chosen, [name for name in kept if name != chosen], scenarios.rename, "Rename")
            with st.popover("Save or load", icon=":material/save:"):
                file_controls()
            st.button("Delete", key="scenario-delete", icon=":material/delete:", disabled=len(kept) < 2,
                      help="It can be had back with Undo." if len(kept) > 1 else "The only scenario there is cannot be deleted.",
                      on_click=lambda: scenarios.remove(scenarios.chosen_name()))
    for sentence in st.session_state.pop(session.SCENARIO_NOTES, ()):
        st.info(plain(sentence), icon=":material/info:")


def name_form(key, label, usual, taken, act, button):
    """A name to type and what is done with it; a name that is taken is refused."""
    with st.form(f"form-{key}", border=False):
        name = st.text_input(label, usual, max_chars=scenarios.LONGEST, key=f"name-{key}-{usual}")
        if st.form_submit_button(button, key=f"do-{key}"):
            with sentences():
                act(checked(name, taken))
                st.rerun()


def checked(name, taken) -> str:
    """A name that a scenario can have."""
    name = " ".join(name.split())
    if not name:
        raise InputError("Give the scenario a name.")
    if name in taken:
        raise InputError(f"There is a scenario {shown(name)} already; choose another name.")
    return name


def file_controls():
    """The scenario as a file, and scenarios from files."""
    chosen, now = scenarios.chosen_name(), scenarios.chosen()
    read = cache.matrix_reader(now) if now.base == "matrix" else None
    sets = cache.sets_reader(now) if now.base == "sets" else None

    def text():
        return write_scenario(chosen, now, read and read().relation, sets and sets())

    st.download_button("Download this scenario", text, "scenario.toml", "application/toml", key="scenario-download",
                       on_click="ignore", icon=":material/download:", help="Groups, method, threshold and pairs set by hand.")
    uploaded = st.file_uploader("Load a scenario from a file", type=["toml"], key="scenario-file")
    if uploaded and st.button("Add this scenario", key="scenario-load"):
        with sentences():
            name, scenario, matrix, notes = read_scenario(uploaded.getvalue(), cache.features())
            load(name or uploaded.name.rsplit(".", 1)[0], scenario, matrix, notes)
            st.rerun()


def load(name, scenario, matrix, notes):
    """Keep a scenario that was read and choose it."""
    if matrix is not None:
        brought = {"sets": "sets.json"} if scenario.base == "sets" else {"matrix": "matrix.csv"}
        scenario = replace(scenario, **{field: session.workspace().keep(file, matrix) for field, file in brought.items()})
    if scenario.base == "correlation" and cache.matching_data() is None:
        scenario = replace(scenario, base="none")
        notes = (*notes, "The scenario asks for correlations, which need the data table; it is not loaded, so nothing "
                 "stands for anything.")
    scenarios.add(scenarios.free_name(" ".join(name.split()) or "loaded"), scenario)
    st.session_state[session.SCENARIO_NOTES] = notes
