"""Data: what is asked about the cells, what was decided, and a corrected table that takes over the decisions."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from pages.parts import cache, callbacks, session, text
from stabcore.errors import InputError
from stabcore.io.check import first_answers, narrowed
from stabcore.io.decode import TABLE_UPLOADS
from stabcore.io.mends import automatic_mends
from stabcore.wording import listed, plural, several

_MOST = 12          # questions on the screen at once; the others come when these are answered
_BESIDE = 4         # answers in a line


def ask_about_cells(without, target, classes):
    """What cannot be read as it stands, and one click for each way to read it. without: columns that are left out; target: the
    outcome, or None; classes: has it classes?"""
    asked = cache.questions(without, target if classes else None)
    if not asked:
        return
    st.header(f"{several(len(asked), 'question')} about the cells", divider="gray")
    proposed = first_answers(asked, target)
    if len(proposed) > 1:
        st.button("Take the first answer to every question", key="mend-all", type="primary", on_click=_decide, args=proposed,
                  help="Each can be taken back below. The outcome is left as it is.")
    for number, question in enumerate(asked[:_MOST]):
        with st.container(border=True):
            st.markdown(text.plain(question.sentence))
            _offers(number, question)
    if asked[_MOST:]:
        st.caption(f"{several(len(asked) - _MOST, 'question')} more will come here.")


def _offers(number, question):
    if not question.offers:
        return
    columns, several_columns = question.columns, len(question.columns) > 1
    lines = range(0, len(question.offers), _BESIDE)
    spare = max(_BESIDE - len(question.offers) - several_columns, 0)
    first = min(len(question.offers), _BESIDE)
    places = st.columns([*[2] * first, *[3] * several_columns, *[2] * spare])
    if several_columns:
        with places[first].popover("In some columns only"):
            columns = st.multiselect("In which columns?", question.columns, default=question.columns,
                                     key=f"columns-{number}-{question.kind}-{len(question.columns)}") or question.columns
    places = [*places[:first], *(place for _ in lines[1:] for place in st.columns(_BESIDE))]
    for at, (place, (label, mend)) in enumerate(zip(places, question.offers, strict=False)):
        place.button(text.plain(label), key=f"offer-{question.kind}-{number}-{mend.do}{f'-{at}' if mend.into else ''}",
                     on_click=_decide, args=(narrowed(mend, columns),), width="stretch")


@callbacks.of_work
def _decide(*mends):
    session.workspace().save(choices=cache.choices().mended(*mends).settings())


@callbacks.of_work
def _undo(number):
    session.workspace().save(choices=cache.choices().without(number).settings())


def decided(read):
    """Everything that was made of cells, by itself or on request, to be taken back. read: None where the table cannot be read."""
    mends, by_itself = cache.choices().mends, automatic_mends(read) if read else []
    if not mends and not by_itself:
        return
    st.header("What was made of the cells", divider="gray")
    for number, (mend, sentence) in enumerate(by_itself):
        _line(f"{sentence} This was done without a question.", f"keep-{number}", _decide, replace(mend, do="keep"))
    for number, mend in enumerate(mends):
        _line(read.mended[number] if read else f"{mend.do}: {listed(mend.columns)}", f"undo-{number}", _undo, number)


def _line(sentence, key, undo, what):
    words, back = st.columns([5, 1], vertical_alignment="center")
    words.markdown(text.plain(sentence))
    back.button("Undo", key=key, on_click=undo, args=(what,), icon=":material/undo:")


def replace_table():
    """A corrected file in the place of this one; roles and decisions stay."""
    here = session.workspace()
    if here.sample:
        return
    with st.expander("Replace the table, keep my choices", key="replacing", icon=":material/sync:"):
        st.caption("A corrected file of the same shape: the outcome, what is left out and all decisions about cells are kept.")
        key = f"corrected-{here.settings['table']}"         # another one once it was taken, so that it is not offered any more
        uploaded = st.file_uploader("Corrected table", type=TABLE_UPLOADS, key=key)
        if uploaded and st.button("Use this file instead", key="replace-table"):
            with text.sentences():
                _replace(here, uploaded)
                st.rerun()


def _replace(here, uploaded):
    """Take the new file once it is sure that everything that was chosen can be chosen there."""
    from stabcore.io.table import read_table

    reading = read_table(uploaded.getvalue(), uploaded.name, cache.choices())
    roles = here.settings.get("roles", {})
    named = [roles.get("target"), *roles.get("exclude", []), roles.get("same_patient")]
    gone = [name for name in named if name and name not in reading.frame.columns]
    if gone:
        raise InputError(f"The new table has no {plural(len(gone), 'column')} {listed(gone)}, which you chose for this one; give "
                         "the columns their names again, or begin with the new table on Start. Nothing was replaced.")
    here.save(table=here.keep(uploaded.name, uploaded.getvalue()), name=uploaded.name, about=[], said=[], again={}, earlier=[])
