"""Data: what was read, what a study would get of it, what speaks against that, and how each column was understood."""

from __future__ import annotations

import streamlit as st

from pages.parts import cache, figures, session, text
from pages.parts.report.asked import about_table
from stabcore.data.encoding import encoding_table

SHOWN = {"error": st.error, "warning": st.warning, "note": st.info}


def brought(view):
    """What was read, and what was assumed on the way."""
    text.notes(view.read.notes)
    st.markdown(f"{len(view.read.frame) + view.read.elsewhere:,} rows and {len(view.columns):,} columns were read from "
                f"{text.plain(view.here.settings.get('table_name') or view.here.settings.get('name', ''))}.")


def settled(view, roles):
    """The Dataset that a study would get with these roles, which are kept, and where to go on; None where they do not work."""
    with text.sentences():
        if roles != view.roles:
            view.here.save(roles=roles)
        data = cache.dataset()
        with st.container(horizontal=True, gap="medium"):           # beside each other on a telephone too
            for name, value in data.extent.items():
                number, _, beside = str(value).partition(" (")      # in one line with what stands beside it, it would be cut
                with st.container(width="content"):
                    st.metric(name, number)
                    if beside:
                        st.caption(beside.removesuffix(")"))
        _findings(view, roles)
        figures.table(lambda: encoding_table(data), "encoding", "What selectors make of each column: intervals, levels, gaps")
        about_table()
        st.page_link("pages/groups.py", label="Next: say which features stand for each other", icon=":material/arrow_forward:")
        st.page_link("pages/study.py", label="or go straight to running a study", icon=":material/arrow_forward:")
        return data
    return None


def _findings(view, roles):
    """What speaks against columns and rows, with a click that leaves them out where that is a remedy."""
    for number, finding in enumerate(cache.findings(roles)):
        words, mend = st.columns([5, 1], vertical_alignment="center")
        with words:
            SHOWN[finding.severity](text.plain(finding.sentence))
        if finding.remedy == "leave out" and mend.button("Leave out", key=f"mend-{number}"):
            exclude = roles["exclude"]
            view.here.save(roles={**roles, "exclude": [*exclude, *(name for name in finding.columns if name not in exclude)]})
            st.session_state.pop(session.EXCLUDE, None)
            st.rerun()


def columns(view, data):
    """How each column was understood, with its unit; data: the Dataset, which knows what became of each, or None."""
    st.header("How each column was understood", divider="gray")
    told = view.described if data is None else data.columns
    if view.read.units:
        told = told.copy()
        told.insert(1, "unit", told["column"].map(view.read.units).fillna(""))
    figures.numbers(told, hide_index=True, alt="What was understood of each column and why")
