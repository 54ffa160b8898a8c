"""Data: where the table lies in its file: sheet, lines of names and units, last line, decimal sign; each can be changed."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from pages.parts import cache, callbacks, session, text
from stabcore.io.contents import MisplacedError

_SHOWN = 12         # rows of the preview
_DECIMAL = {None: "Find out", ".": "Point (1.5)", ",": "Comma (1,5)"}


def choose_place(place, last=None, expanded=False):
    """The first rows of the file and what is made of each. place: where the table was looked for."""
    if not place.head:
        return
    label = "Is the table read from the right place?" if expanded else "Where the table lies in the file"
    with st.expander(label, key="place-of-table", expanded=expanded, icon=":material/table_view:"):
        _choose(place, last)
        header = next((i for i, (line, _) in enumerate(place.head) if line == place.layout.header), 0)
        rows = place.head[:max(_SHOWN, header + 4)]
        st.dataframe(_preview(rows, place.layout), hide_index=True, alt="The first rows of the file and what each was taken for")


def _choose(place, last):
    first, second, third, fourth = st.columns(4)
    layout, lines = place.layout, [line for line, _ in place.head]
    with first:
        if len(place.sheets) > 1:
            _ask(st.selectbox, "Sheet", "sheet", list(place.sheets), layout.sheet)
        chosen = cache.choices().layout.decimal
        _ask(st.selectbox, "Decimal sign", "decimal", list(_DECIMAL), chosen, format_func=_DECIMAL.get)
    with second:
        _ask(st.selectbox, "Line of column names", "header", lines, layout.header or lines[0])
    with third:
        below = [line for line in lines if line > (layout.header or 0)][:6]
        _ask(st.selectbox, "Line of units", "units", [0, *below], layout.units or 0,
             format_func=lambda line: str(line) if line else "There is none")
    with fourth:
        if last is not None:
            _ask(_number, "Last line of the table", "last", [last], last)


def _number(label, options, key, on_change, args):
    st.number_input(label, min_value=1, key=key, on_change=on_change, args=args)


def _ask(widget, label, name, options, now, **more):
    """A choice about the place, which shows what holds now; once another one is made, the table is read anew."""
    session.set_widget(f"place-{name}", now if now in options else options[0])
    widget(label, options, key=f"place-{name}", on_change=_place, args=(name,), **more)


@callbacks.of_work
def _place(name):
    """Keep a choice; another sheet or line of names has other lines below it."""
    below = {"sheet": ("header", "units", "last"), "header": ("units",)}.get(name, ())
    changed = {name: st.session_state[f"place-{name}"], **dict.fromkeys(below)}
    session.workspace().save(choices=cache.choices().placed(**changed).settings())


def _preview(rows, layout):
    what = {layout.header: "column names", layout.units or -1: "units"}
    width = min(max(len(cells) for _, cells in rows), 12)
    table = [(line, what.get(line, "not read" if line < (layout.header or 0) else "data"),
              *(cells[j] if j < len(cells) else "" for j in range(width))) for line, cells in rows]
    return pd.DataFrame(table, columns=["line", "read as", *(f"{j + 1}" for j in range(width))])


def out_of_place(error):
    """The table cannot be read as it is: why, and every choice that may be the cause."""
    st.error(text.plain(error), icon=":material/error:")
    choose_place(error.place if isinstance(error, MisplacedError) else cache.unmended().place, expanded=True)
