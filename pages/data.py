"""Data: what was understood of each column, which one is the outcome, which ones to leave out."""

from pages.parts import cache, guards, layout, session
from pages.parts.data import account, roles, table
from pages.parts.data.roles import DataView
from stabcore.base.errors import InputError


def screen():
    """Where the table lies, what its columns are for, what is made of its cells, and what a study would get."""
    guards.own_work(session.workspace())
    try:
        read = guards.require(
            cache.reading(), "No table is loaded. Uploaded selections do not need one.", "pages/start.py", "Upload a table on Start"
        )
    except InputError as error:  # another place of the table, or one decision less, may be the way out
        table.out_of_place(error)
        table.decided(None)
        table.replace_table()
        return
    view = DataView(session.work(), read)
    account.brought(view)
    table.turning(view)
    table.choose_place(read.place, cache.unmended().last)
    chosen = roles.ask(view)
    data = None if chosen is None else account.settled(view, chosen)
    table.replace_table()
    account.columns(view, data)


layout.title("What is in the table?", then=("study", "Study"))
screen()
