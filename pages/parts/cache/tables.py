"""The table of a work: as it was read and mended, what was understood of it, and as data."""

from __future__ import annotations

import json

import streamlit as st

from pages.parts import session
from stabcore.errors import InputError


def stamp(path):
    """A file as text for a key: another one whenever it was written again."""
    try:
        state = path.stat()
    except OSError:
        raise InputError("A file of this work is not in its folder any more, so this cannot be shown. Bring it again on "
                         "Start, or open another work there.") from None
    return f"{path}|{state.st_mtime_ns}|{state.st_size}"


@st.cache_resource(max_entries=8, show_spinner="Reading the table …")
def _unmended(file, layout, _path, _known=None):
    from stabcore.io.choices import Choices
    from stabcore.io.table import read_table

    return read_table(_path, choices=Choices.of(json.loads(layout))) if _known is None else _known


@st.cache_resource(max_entries=8, show_spinner="Reading the table …")
def _reading(file, choices, _path):
    from stabcore.io.choices import Choices
    from stabcore.io.mends import apply_mends

    decisions = Choices.of(json.loads(choices))
    return apply_mends(_unmended(file, json.dumps(decisions.layout.settings()), _path), decisions.mends)


@st.cache_resource(max_entries=8, show_spinner="Looking at every column …")
def _described(file, choices, _path):
    from stabcore.data import describe

    return describe(_reading(file, choices, _path).frame)


@st.cache_resource(max_entries=8, show_spinner="Looking at every cell …")
def _questions(file, choices, without, outcome, _path):
    from stabcore.io.check import cell_questions
    from stabcore.io.choices import Choices

    decisions = Choices.of(json.loads(choices))
    return cell_questions(_unmended(file, json.dumps(decisions.layout.settings()), _path), decisions.mends, json.loads(without),
                   outcome)


@st.cache_resource(max_entries=8, show_spinner=False)
def _cohorts(file, choices, _path):
    from stabcore.io.mends import cohorts, may_tell_cohorts

    read = _unmended(file, choices, _path)
    return {name: cohorts(read, name) for name in may_tell_cohorts(read)}


@st.cache_resource(max_entries=8, show_spinner="Looking at every column …")
def _presets(file, choices, about, _path):
    from stabcore.data.presets import presets

    return presets(_reading(file, choices, _path).frame, about)


@st.cache_resource(max_entries=8, show_spinner=False)
def _sideways(file, choices, _path):
    from stabcore.io.orientation import recognise

    return recognise(_reading(file, choices, _path).frame)


@st.cache_resource(max_entries=8, show_spinner="Checking the table …")
def _findings(file, choices, roles, kept, _path):
    from stabcore.data import check
    from stabcore.io.mends import differing_columns

    read = _reading(file, choices, _path)
    return check(read.frame, **json.loads(roles), confirmed=kept, apart=differing_columns(read.choices.mends))


@st.cache_resource(max_entries=8, show_spinner="Checking the table …")
def _dataset(file, choices, roles, _path, name):
    from stabcore.data import Dataset

    return Dataset.from_reading(_reading(file, choices, _path), **{**json.loads(roles), "name": name})


def table_of(here):
    """(features, columns) of the table of a workspace; no features before its outcome is chosen; ((), ()) where there is none."""
    if here.table_file is None:
        return (), ()
    columns = [str(name) for name in _reading(*_table(here)).frame.columns]
    try:
        data = _data_of(here)
    except InputError:          # roles that do not work are told on Data
        data = None
    return (data.features if data is not None else ()), columns


def _table(here):
    """(stamp of the file, choices about it, path): all that the table of a workspace depends on."""
    return stamp(here.table_file), json.dumps(here.settings.get("choices", {}), sort_keys=True), here.table_file


def reading():
    """The table as it was read and mended, or None."""
    here = session.workspace()
    return _reading(*_table(here)) if here and here.table_file else None


def numbered():
    """{column: its name in the file} of names that came again there, as far as this work knows; None without a table."""
    here, read = session.workspace(), reading()
    return None if read is None else here.settings.get("again") or read.numbered


def unmended():
    """The table as it was read from where it was chosen to lie, before anything is mended."""
    file, _, path = _table(session.workspace())
    return _unmended(file, json.dumps(choices().layout.settings()), path)


def cohorts():
    """{column: {cohort: its rows}} of the columns that may tell the cohort of a row, in the whole table."""
    file, _, path = _table(session.workspace())
    return _cohorts(file, json.dumps(choices().layout.settings()), path)


def choices():
    """Where the table lies and how its cells are mended, as far as that was chosen."""
    from stabcore.io.choices import Choices

    return Choices.of(session.workspace().settings.get("choices", {}))


def questions(without, outcome=None):
    """What is to be asked about the cells, but for these columns; outcome: the column of classes, if it is known."""
    file, decisions, path = _table(session.workspace())
    return _questions(file, decisions, json.dumps(without), outcome, path)


def know_table(here, read):
    """Keep what was read from the table of a workspace, whose file now lies there."""
    _unmended(stamp(here.table_file), json.dumps({}), here.table_file, read)


def described():
    """What was understood of each column of the table, before a target is chosen."""
    return _described(*_table(session.workspace()))


def presets(about):
    """What the columns of the table seem to be for; about: those that tell about the samples."""
    file, decisions, path = _table(session.workspace())
    return _presets(file, decisions, about, path)


def sideways():
    """What speaks for a table on its side, or None."""
    return _sideways(*_table(session.workspace()))


def findings(roles):
    """What the check of the table finds with these roles."""
    file, decisions, path = _table(session.workspace())
    kept = tuple(session.workspace().settings.get("kept_columns", ()))
    return _findings(file, decisions, json.dumps(roles, sort_keys=True), kept, path)


def dataset():
    """The Dataset once a target is chosen, or None. Raises InputError for roles that do not work."""
    here = session.workspace()
    return here.once("data", lambda: _data_of(here)) if here else None


def _data_of(here):
    roles = here.settings.get("roles")
    if not roles or not here.table_file:
        return None
    file, decisions, path = _table(here)
    return _dataset(file, decisions, json.dumps(roles, sort_keys=True), path, here.settings.get("name", ""))


def dataset_of(study):
    """The table of this work as a study was run on it, of one cohort, say; None where it is another table, or not at hand."""
    here, data = session.workspace(), dataset()
    if data is None or study.plan is None:
        return None
    fingerprint, then = study.settings["data"]["fingerprint"], study.store.meta("choices", {})
    if data.fingerprint == fingerprint or then == data.choices:
        return data if data.fingerprint == fingerprint else None
    try:
        data = other_dataset(here.table_file, here.settings["roles"], then)
    except InputError:          # the table was replaced by one that lacks what was chosen then
        return None
    return data if data.fingerprint == fingerprint else None


def other_dataset(path, roles, choices):
    """The Dataset of another table than that of the work, with its roles and what was chosen about it."""
    return _dataset(stamp(path), json.dumps(choices, sort_keys=True), json.dumps(roles, sort_keys=True), path, "")
