"""Data: the size of the table, the data of a study, the findings against them, and the description of each column."""

from functools import partial

import streamlit as st

from pages.parts import cache, figures, glossary, session, text
from stabcore.base.text import counted
from stabcore.data import checks
from stabcore.data.describe import class_medians
from stabcore.data.encoding import encoding_table
from stabcore.io.choices import BLANK as BLANK_OR_NOT
from stabcore.io.choices import FIRST, Mend
from stabcore.plots.table_contents import (
    draw_missing,
    draw_outcome,
    finding_missing,
    finding_outcome,
    frame_missing,
    frame_outcome,
    table_contents,
)

SHOWN = {"error": st.error, "warning": st.warning, "note": st.info}


def show_size(view):
    """The size of the table, in a place where the data of a study replace it."""
    place = st.empty()
    came = len(view.read.frame) + view.read.elsewhere + view.read.repeated
    with place.container():
        glossary.show_sentence(f"The table holds {counted(came, 'row')} and {counted(len(view.columns), 'column')}.")
    return place


def show_dataset(view, roles, more, head):
    """Show the Dataset with these roles, keep the roles, and show the next step. None if the roles do not work.

    more: the folded place of settings. head: the place of the answer.
    """
    with text.show_errors():
        if roles != view.roles:
            view.project.save(roles=roles)
            if not view.roles:
                st.rerun()  # includes the button of the next screen
        data = view.data()
        with head.container():
            glossary.show_sentence(data.extent)
        _show_outcome(data, more)
        _show_findings(roles)
        with more:
            label = "How selectors use each column: intervals, levels, missing cells"
            figures.show_folded_table(lambda: encoding_table(data), "encoding", label)
        return data
    return None


def _show_outcome(data, more):
    """The classes beside the missing cells, with their numbers in the folded place of settings."""
    outcome, missing = cache.computed(frame_outcome, data), cache.computed(frame_missing, data)
    left, *right = st.columns(2 if len(missing) else 1, gap="large")
    alone = {"with_finding": False, "with_numbers": False}
    with left:
        figures.show_figure(partial(draw_outcome, outcome), finding_outcome(outcome), outcome, "outcome", **alone)
    for column in right:
        with column:
            figures.show_figure(partial(draw_missing, missing), finding_missing(missing), missing, "missing", **alone)
    if not right:
        st.caption(finding_missing(missing))
    with more:
        for frame, name, what in ((outcome, "outcome", "outcome"), (missing, "missing", "missing cells")):
            if len(frame):
                figures.show_folded_table(lambda frame=frame: table_contents(frame), name, f"Numbers of the figure: {what}")


def _show_findings(roles):
    """The findings against columns and rows, with a button per remedy."""
    for number, finding in enumerate(cache.findings(roles)):
        remedies = REMEDIES.get(finding.remedy, {})
        places = st.columns([4, 1] if remedies else 1, vertical_alignment="center")
        with places[0]:
            SHOWN[finding.severity](text.plain(finding.sentence))
        for label, act in remedies.items():
            key = f"mend-{number}-{act.__name__.strip('_')}"
            places[-1].button(label, key=key, on_click=act, args=(finding.columns, roles), width="stretch")


@session.if_project_exists
def _leave_out(names, roles):
    exclude = roles["exclude"]
    session.project().save(roles={**roles, "exclude": [*exclude, *(name for name in names if name not in exclude)]})
    st.session_state.pop(session.EXCLUDE, None)


@session.if_project_exists
def _keep_columns(names, roles):
    project = session.project()
    project.save(kept_columns=list(dict.fromkeys([*project.settings.get("kept_columns", ()), *names])))


@session.if_project_exists
def _add_given(names, roles):
    session.project().save(roles={**roles, "given": list(dict.fromkeys([*roles.get("given", ()), *names]))})
    st.session_state.pop(session.GIVEN, None)


@session.if_project_exists
def _use_blank_cells(names, roles):
    session.project().save(choices=cache.choices().mended(Mend(BLANK_OR_NOT, tuple(names))).settings())


@session.if_project_exists
def _use_first_rows(names, roles):
    session.project().save(choices=cache.choices().mended(Mend(FIRST, (roles["same_patient"],))).settings())


REMEDIES = {
    checks.LEAVE_OUT: {"Leave out": _leave_out},
    checks.KEEP: {"Leave out": _leave_out, "Keep as a feature": _keep_columns, "Always in the model": _add_given},
    checks.BLANK: {"Leave out": _leave_out, "Keep as a feature": _keep_columns, "Use only blank or not": _use_blank_cells},
    checks.ONE_ROW: {"Use one row of each patient": _use_first_rows},
}


def show_columns(view, data):
    """The description of each column, with its unit. data: the Dataset with the role of each column, or None."""
    st.header("Columns", divider="gray")
    table = view.described if data is None else data.columns
    why = table["why"]
    if data is not None:
        why = why.mask(table["role"] == "target", "")  # the answer of the screen says it
        table = table.assign(role=table["role"].replace("target", "outcome"))
        table = table.merge(cache.computed(class_medians, data), on="column", how="left")
    table = table.drop(columns="why")
    if (why != "").any():  # the longest column last, and the rows with a reason first
        table = table.assign(why=why).sort_values("why", key=lambda why: why == "", kind="stable", ignore_index=True)
    if view.read.units:
        table.insert(1, "unit", table["column"].map(view.read.units).fillna(""))
    looks = {name: st.column_config.TextColumn(alignment="right") for name in table.columns if name.startswith("Median")}
    looks["why"] = st.column_config.TextColumn(width="large")
    figures.show_dataframe(table, alt="Role and kind of each column", column_config=looks)
    several = "" if data is None or data.patients is None else " A patient with several rows counts once, with their mean."
    st.caption(
        "Names and values are those of the file. They may have been transformed before, and so a concentration can be negative."
        + several
    )
