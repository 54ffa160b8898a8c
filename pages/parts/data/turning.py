"""A table on its side, turned when asked; classes of samples from a second file. What lay there before is kept and comes back."""

from __future__ import annotations

import streamlit as st

from pages.parts import cache, session, text
from stabcore.data.redcap import join_events
from stabcore.io.decode import TABLE_UPLOADS
from stabcore.wording import shown

KEPT = ("table", "about", "said", "again", "roles", "choices", "kept_columns", "named_groups")   # settings of the table that was
OF_A_TABLE = (session.TARGET, session.EXCLUDE, session.SAME_PATIENT)    # widgets whose choices belong to the table that was


def turning(view):
    """The question whether the table lies on its side, the way back, and what else can be done about samples."""
    here = view.here
    if here.sample:         # the table of a bundled study is as it should be
        return
    text.notes(here.settings.get("said", []))
    sideways = cache.sideways() if not here.settings.get("upright") and not here.settings.get("earlier") else None
    if sideways is not None:
        _ask(view, sideways)
    export = view.guessed.redcap if sideways is None and not here.settings.get("events_apart") else None
    if export is not None and export.events:
        _ask_to_join(view, export)
    if here.settings.get("earlier") and st.button("Undo: the table as it was before", key="turn-back", icon=":material/undo:"):
        _bring_back(here)
    with st.expander("Are the samples in columns, or their classes in another file?", key="turning"):
        if sideways is None and st.button("Turn the table: each column becomes a row", key="turn-anyway"):
            _turn(view, None)
        _second_file(view)


def _ask(view, sideways):
    with st.container(border=True):
        st.warning(text.plain("This table seems to lie on its side, with a sample in each column and what was measured in the "
                              "rows: "
                              f"{'; '.join(sideways.why)}. A study needs one row a sample."), icon=":material/screen_rotation_alt:")
        names_in, by = sideways.naming[0] if sideways.naming else None, None
        if len(sideways.naming) > 1:
            names_in = st.selectbox("Which column names what was measured?", [None, *sideways.naming], key="names-in",
                                    format_func=lambda name: "The first whose cells all differ" if name is None else name)
            by = st.selectbox("Which column makes groups of what was measured?", [None, *sideways.naming], key="groups-in",
                              format_func=lambda name: "None" if name is None else name,
                              help="Lines with the same cell, such as the probes of one gene, become a group that Groups offers.")
        turn, leave = st.columns(2)
        if turn.button("Turn it: each column becomes a row", key="turn", type="primary"):
            _turn(view, names_in, by)
        if leave.button("No, each row is a sample", key="upright"):
            view.here.save(upright=True)
            st.rerun()


def _ask_to_join(view, export):
    with st.container(border=True):
        st.warning(text.plain(f"This is an export of REDCap with several rows per patient, as {shown(export.record)} tells. Each "
                              "row fills other columns. A study needs one row per patient."), icon=":material/call_merge:")
        join, leave = st.columns(2)
        if join.button("Join events of one patient", key="join-events", type="primary"):
            with text.sentences():
                joined, notes = join_events(view.read.frame)
                _change(view.here, joined, view.about, notes, {})
        if leave.button("No, keep the rows as they are", key="events-apart"):
            view.here.save(events_apart=True)
            st.rerun()


def _turn(view, names_in, by=None):
    from stabcore.io.orientation import groups_by, turn

    with text.sentences():
        turned, about, numbered, notes = turn(view.read.frame, names_in)
        groups = groups_by(view.read.frame, by, list(turned.columns)[1:], len(about)) if by else {}
        _change(view.here, turned, about, notes, numbered, groups)


def _second_file(view):
    from stabcore.io.orientation import add_samples
    from stabcore.io.table import read_table

    second = st.file_uploader("A file with one line a sample: its name, and its class", type=TABLE_UPLOADS, key="second-file")
    if st.button("Add its columns to the table", key="add-second", disabled=second is None):
        with text.sentences():
            frame, new, notes = add_samples(view.read.frame, read_table(second.getvalue(), second.name).frame)
            _change(view.here, frame, (*view.about, *new), [*view.here.settings.get("said", []), *notes], cache.numbered())


def _change(here, frame, about, notes, numbered, groups=None):
    """Another table in the place of this one, read as any other file is; this one can be brought back."""
    before = {key: here.settings.get(key) for key in KEPT}
    here.save(table=here.keep("turned.csv", frame.to_csv(index=False).encode()),
              about=list(about), said=list(notes), again=numbered, roles={}, choices={}, kept_columns=[],
              named_groups=groups or {},
              earlier=[*here.settings.get("earlier", []), before])
    _begin_anew()


def _bring_back(here):
    *rest, last = here.settings["earlier"]
    empty = {"about": [], "said": [], "again": {}, "roles": {}, "choices": {}, "kept_columns": [], "named_groups": {}}
    here.save(**{**last, **{key: last.get(key) or nothing for key, nothing in empty.items()}, "earlier": rest})
    _begin_anew()


def _begin_anew():
    for key in OF_A_TABLE:
        st.session_state.pop(key, None)
    st.rerun()
