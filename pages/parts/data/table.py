"""Data: the place of the table in its file, its orientation, and the treatment of its cells."""

from dataclasses import replace
from typing import Any

import pandas as pd
import streamlit as st

from pages.parts import cache, session, text
from stabcore.base.errors import InputError
from stabcore.base.target import target_columns
from stabcore.base.text import counted, joined, listed, plural, quote
from stabcore.data.redcap import join_events
from stabcore.io.check import first_answers, narrow_mend
from stabcore.io.contents import MisplacedError
from stabcore.io.mends import automatic_mends, private_texts

_PREVIEWED = 12  # rows of the preview
_DECIMAL = {None: "Detect", ".": "Point (1.5)", ",": "Comma (1,5)"}
_MAX_QUESTIONS = 12  # limit of questions on the screen at once
_ANSWERS_PER_LINE = 4  # answers per line
REPLACED_SETTINGS = ("table", "about", "said", "again", "roles", "choices", "kept_columns", "named_groups")  # of the table
TABLE_SETTINGS = (session.TARGET, session.EXCLUDE, session.SAME_PATIENT)  # widgets with choices about the replaced table


def ask_place(place, last=None, notes=(), expanded=False):
    """The reading of the file, with its first rows. place: the position of the table. notes: assumptions."""
    if not place.head:
        text.show_notes(notes)
        return
    more = f" ({counted(len(notes), 'note')})" if notes else ""
    label = "Choose sheet and rows" if expanded else f"How the file was read{more}"
    with st.expander(label, key="place-of-table", expanded=expanded, icon=":material/table_view:"):
        text.show_notes(notes)
        _show_place_controls(place, last)
        header = next((i for i, (line, _) in enumerate(place.head) if line == place.layout.header), 0)
        rows = place.head[: max(_PREVIEWED, header + 4)]
        st.dataframe(_show_preview(rows, place.layout), hide_index=True, alt="The first rows of the file and how each is read")


def show_sheet_note(place):
    """Name the sheet if the workbook has others, which may hold other patients."""
    if len(place.sheets) > 1:
        others = listed([name for name in place.sheets if name != place.layout.sheet])
        st.caption(text.plain(f"Sheet {quote(place.layout.sheet)}. Not read: {others}. Choose another sheet under More settings."))


def _show_place_controls(place, last):
    first, second, third, fourth = st.columns(4)
    layout, lines = place.layout, [line for line, _ in place.head]
    if len(place.sheets) > 1:
        sheets = list(place.sheets)
        first.selectbox("Sheet", sheets, **_bound("sheet", sheets, layout.sheet))
    signs = list(_DECIMAL)
    box = _bound("decimal", signs, cache.choices().layout.decimal)
    first.selectbox("Decimal sign", signs, format_func=_DECIMAL.__getitem__, **box)
    second.selectbox("Row of column names", lines, **_bound("header", lines, layout.header or lines[0]))
    below = [0, *[line for line in lines if line > (layout.header or 0)][:6]]
    box = _bound("units", below, layout.units or 0)
    third.selectbox("Row of units", below, format_func=lambda line: str(line) if line else "None", **box)
    fourth.number_input("Last row of the table", min_value=1, value=None, **_bound("last", [last], last))


def _bound(name, options, now) -> dict[str, Any]:
    """Arguments of a control about the place. It shows the current value, and a change reads the table again."""
    session.set_widget(f"place-{name}", now if now in options else options[0])
    return {"key": f"place-{name}", "on_change": _set_place, "args": (name,)}


@session.if_project_exists
def _set_place(name):
    """Keep a choice. Another sheet or line of names starts at other lines."""
    below = {"sheet": ("header", "units", "last"), "header": ("units",)}.get(name, ())
    changed = {name: st.session_state[f"place-{name}"], **dict.fromkeys(below)}
    session.project().save(choices=cache.choices().placed(**changed).settings())


def _show_preview(rows, layout):
    what = {layout.header: "column names", layout.units or -1: "units"}
    width = min(max(len(cells) for _, cells in rows), 12)
    table = pd.DataFrame([[*cells, *[""] * width][:width] for _, cells in rows], columns=[f"{j + 1}" for j in range(width)])
    lines = [line for line, _ in rows]
    table.insert(0, "line", lines)
    table.insert(1, "read as", [what.get(line, "not read" if line < (layout.header or 0) else "data") for line in lines])
    return table


def show_unreadable(error):
    """Show why the table cannot be read, and all choices that may be the cause."""
    st.error(text.plain(error), icon=":material/error:")
    ask_place(error.place if isinstance(error, MisplacedError) else cache.unmended_table().place, expanded=True)


def ask_about_cells(without, target, classes):
    """Ask about cells that cannot be read, with a button per answer.

    without: columns that are left out. target: the outcome, or None. classes: whether it has classes.
    """
    asked = cache.cell_questions(without, target if classes else None)
    if not asked or cache.transposition_evidence() is not None:  # the cells of a column then belong to different measurements
        return
    st.header(f"{counted(len(asked), 'question')} about the cells", divider="gray")
    proposed = first_answers(asked, target)
    if len(proposed) > 1:
        about = "Undo each below. The outcome is not changed."
        st.button("Accept all suggestions", key="mend-all", on_click=_add_decision, args=proposed, help=about)
    for number, question in enumerate(asked[:_MAX_QUESTIONS]):
        with st.container(border=True):
            st.markdown(text.plain(question.sentence))
            _show_answers(number, question, bool(first_answers([question], target)))
    if asked[_MAX_QUESTIONS:]:
        st.caption(f"{counted(len(asked) - _MAX_QUESTIONS, 'question')} more will follow.")


def _show_answers(number, question, suggests):
    """A button per answer. suggests: whether the first answer is the suggested one."""
    if not question.offers:
        return
    columns, several_columns = question.columns, len(question.columns) > 1
    lines = range(0, len(question.offers), _ANSWERS_PER_LINE)
    spare = max(_ANSWERS_PER_LINE - len(question.offers) - several_columns, 0)
    first = min(len(question.offers), _ANSWERS_PER_LINE)
    places = st.columns([*[2] * first, *[3] * several_columns, *[2] * spare])
    if several_columns:
        with places[first].popover("In these columns only"):
            key = f"columns-{number}-{question.kind}-{len(question.columns)}"
            columns = st.multiselect("Columns", question.columns, default=question.columns, key=key) or question.columns
    places = [*places[:first], *(place for _ in lines[1:] for place in st.columns(_ANSWERS_PER_LINE))]
    for position, (place, (label, mend)) in enumerate(zip(places, question.offers, strict=False)):
        place.button(
            text.plain(label) + " (suggested)" * (suggests and not position),
            key=f"offer-{question.kind}-{number}-{mend.do}{f'-{position}' if mend.into else ''}",
            on_click=_add_decision,
            args=(narrow_mend(mend, columns),),
            width="stretch",
        )


@session.if_project_exists
def _add_decision(*mends):
    session.project().save(choices=cache.choices().mended(*mends).settings())


@session.if_project_exists
def _undo_decision(number):
    session.project().save(choices=cache.choices().without(number).settings())


def show_decisions(read):
    """All changes of cells, automatic or chosen, each with its undo. read: None if the table cannot be read."""
    mends, by_itself = cache.choices().mends, automatic_mends(read) if read else []
    if not mends and not by_itself:
        return
    st.header("Answered questions", divider="gray")
    for number, (mend, sentence) in enumerate(by_itself):
        _show_decision(f"{sentence} This was done automatically.", f"keep-{number}", _add_decision, replace(mend, do="keep"))
    for number, mend in enumerate(mends):
        sentence = read.mended[number] if read else f"{mend.do}: {listed(mend.columns)}"
        private = private_texts(mend) if read else []
        _show_decision(
            f"{sentence} {plural(len(private), 'Text')}: {listed(private)}." if private else sentence,
            f"undo-{number}",
            _undo_decision,
            number,
        )


def _show_decision(sentence, key, undo, what):
    row = st.container(horizontal=True, vertical_alignment="center")
    row.markdown(text.plain(sentence))
    row.button("Undo", key=key, on_click=undo, args=(what,), icon=":material/undo:")


def ask_replacement():
    """Replace the table by a corrected file with the same roles and decisions."""
    project = session.project()
    if project.sample:
        return
    with st.expander("Replace table", key="replacing", icon=":material/sync:"):
        st.caption("Upload a corrected file of the same shape. Outcome, columns and changes of cells are kept.")
        key = f"corrected-{project.settings['table']}"  # a new widget after each upload, so that the file is not offered again
        uploaded = st.file_uploader("Corrected table", key=key)
        if uploaded and st.button("Replace table", key="replace-table"):
            with text.show_errors():
                _replace_table(project, uploaded)
                st.rerun()


def _replace_table(project, uploaded):
    """Use the new file if all choices are possible there."""
    from stabcore.io.table import read_table

    reading = read_table(uploaded.getvalue(), uploaded.name, cache.choices())
    roles = project.settings.get("roles", {})
    named = [*target_columns(roles.get("target")), *roles.get("exclude", []), *roles.get("given", []), roles.get("same_patient")]
    gone = [name for name in named if name and name not in reading.frame.columns]
    if gone:
        raise InputError(
            f"The new table has no {plural(len(gone), 'column')} {listed(gone)}, which this project uses. Rename the columns, or "
            "upload the table on Start. Nothing was replaced."
        )
    file = project.save_upload(uploaded.name, uploaded.getvalue())
    project.save(table=file, name=uploaded.name, about=[], said=[], again={}, earlier=[])


def ask_orientation(view, more):
    """Ask whether samples are in columns, offer to restore the table, and in a folded place other changes of samples."""
    project = view.project
    if project.sample:  # the table of a bundled study needs none of this
        return
    text.show_notes(project.settings.get("said", []))
    sideways = cache.transposition_evidence()
    if sideways is not None:
        _ask_to_turn(view, sideways)
    export = view.guessed.redcap if sideways is None and not project.settings.get("events_apart") else None
    if export is not None and export.events:
        _ask_to_join(view, export)
    if project.settings.get("earlier") and st.button("Undo: restore the table", key="turn-back", icon=":material/undo:"):
        _restore_table(project)
    with more, st.expander("Samples in columns, or classes in another file", key="turning"):
        if sideways is None and st.button("Transpose table", key="turn-anyway"):
            _transpose(view, None)
        _ask_second_file(view)


def _ask_to_turn(view, sideways):
    with st.container(border=True):
        why = f"The samples seem to be in columns: {joined(sideways.why)}. A study needs one row per sample."
        st.warning(text.plain(why), icon=":material/screen_rotation_alt:")
        names_in, by = sideways.naming[0] if sideways.naming else None, None
        if len(sideways.naming) > 1:
            names_in = st.selectbox(
                "Choose column of feature names",
                [None, *sideways.naming],
                key="names-in",
                format_func=lambda name: "First column without repeats" if name is None else name,
            )
            by = st.selectbox(
                "Choose column of groups",
                [None, *sideways.naming],
                key="groups-in",
                format_func=str,
                help="Rows with the same cell, such as the probes of one gene, become a group. Similarity offers these groups.",
            )
        turn, leave = st.columns(2)
        if turn.button("Transpose table", key="turn", type="primary"):
            _transpose(view, names_in, by)
        if leave.button("Keep table: each row is a sample", key="upright"):
            view.project.save(upright=True)
            st.rerun()


def _ask_to_join(view, export):
    with st.container(border=True):
        rows = f"This REDCap export has several rows per patient (column {quote(export.record)}). Each row fills other columns."
        st.warning(text.plain(f"{rows} A study needs one row per patient."), icon=":material/call_merge:")
        join, leave = st.columns(2)
        if join.button("Join events of one patient", key="join-events", type="primary"):
            with text.show_errors():
                joined, notes = join_events(view.read.frame)
                _change_table(view.project, joined, view.about, notes, {})
        if leave.button("Keep rows as they are", key="events-apart"):
            view.project.save(events_apart=True)
            st.rerun()


def _transpose(view, names_in, by=None):
    from stabcore.io.orientation import group_columns, transpose_table

    with text.show_errors():
        turned, about, numbered, notes = transpose_table(view.read.frame, names_in)
        groups = group_columns(view.read.frame, by, list(turned.columns)[1:], len(about)) if by else {}
        _change_table(view.project, turned, about, notes, numbered, groups)


def _ask_second_file(view):
    from stabcore.io.orientation import add_samples
    from stabcore.io.table import read_table

    second = st.file_uploader("A file with one row per sample: its name and its class", key="second-file")
    if st.button("Add columns to table", key="add-second", disabled=second is None) and second:
        with text.show_errors():
            frame, new, notes = add_samples(view.read.frame, read_table(second.getvalue(), second.name).frame)
            _change_table(
                view.project, frame, (*view.about, *new), [*view.project.settings.get("said", []), *notes], cache.repeated_names()
            )


def _change_table(project, frame, about, notes, numbered, groups=None):
    """Replace the table by another one, read as any other file. The change can be undone."""
    before = {key: project.settings.get(key) for key in REPLACED_SETTINGS}
    project.save(
        table=project.save_upload("turned.csv", frame.to_csv(index=False).encode()),
        about=list(about),
        said=list(notes),
        again=numbered,
        roles={},
        choices={},
        kept_columns=[],
        named_groups=groups or {},
        earlier=[*project.settings.get("earlier", []), before],
    )
    _restart()


def _restore_table(project):
    *rest, last = project.settings["earlier"]
    lists, tables = ("about", "said", "kept_columns"), ("again", "roles", "choices", "named_groups")
    restored = {key: last.get(key) or [] for key in lists} | {key: last.get(key) or {} for key in tables}
    project.save(**{**last, **restored, "earlier": rest})
    _restart()


def _restart():
    for key in TABLE_SETTINGS:
        st.session_state.pop(key, None)
    st.rerun()
