"""Data: the reading of each column, the outcome, and the columns to leave out."""

import streamlit as st

from pages.parts import cache, guards, layout, session
from pages.parts.data import account, roles, table
from pages.parts.data.roles import DataView
from stabcore.base.errors import InputError
from stabcore.base.text import counted


def show_screen():
    """The place of the table in its file, the role of each column, changes of cells, and the resulting data."""
    guards.require_own_project(session.project_or_none())
    try:
        missing = "No table is loaded. Uploaded selections do not need one."
        read = guards.require(cache.table_reading(), missing, "pages/start.py", "Upload a table on Start")
    except InputError as error:  # another position of the table, or undoing a change, may help
        table.show_unreadable(error)
        table.show_decisions(None)
        table.ask_replacement()
        return
    view = DataView(session.project(), read)
    head = account.show_size(view)
    table.show_sheet_note(read.place)
    questions = st.container()
    notes = f" ({counted(len(read.notes), 'note')})" if read.notes else ""
    more = st.expander(
        f"More settings: how the file was read{notes}, columns always in the model (such as age), classes, cohort",
        key="data-settings",
        expanded=roles.is_adjusted(view),
    )
    with more:
        table.ask_place(read.place, cache.unmended_table().last, read.notes)
    with questions:
        table.ask_orientation(view, more)
        chosen = roles.ask_roles(view, more)
        data = None if chosen is None else account.show_dataset(view, chosen, more, head)
    with more:
        table.ask_replacement()
    account.show_columns(view, data)


layout.show_title("What is in the table?", then=("study", "Study") if session.has_outcome() else None)
show_screen()
