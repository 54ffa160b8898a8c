"""Panels that a person takes along: kept with the work under a name, as a file, as a list to paste."""

import streamlit as st

from pages.parts import kept_panels, pictures, text, words
from pages.parts.panel.view import TOGETHER
from stabcore.data.spreadsheets import csv_bytes, xlsx_bytes
from stabcore.errors import InputError
from stabcore.wording import several

XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


def take(view, table):
    """Take the panel as it is now, and those that were taken before."""
    st.header("Take this panel", divider="gray")
    panel = table[table["stays"]]
    if panel.empty:
        st.caption("There is nothing to take: no feature passes the threshold.")
    else:
        _now(view, panel)
    kept = kept_panels.every()
    if kept:
        st.header("Panels kept with this work", divider="gray")
    for number, (name, about) in enumerate(kept.items(), 1):
        _kept(number, name, about)


def _now(view, panel):
    """The panel of now as files, as a list, and to be kept."""
    first, second, third, _ = st.columns([1, 1, 1, 1])
    file = pictures.file_name("panel-picture", view.who)
    first.download_button("Download as CSV", lambda: csv_bytes(words.in_file(panel)), f"{file}.csv", "text/csv", key="panel-csv",
                          on_click="ignore", icon=":material/download:")
    second.download_button("Download for Excel", lambda: xlsx_bytes({"Panel": words.in_file(panel)}), f"{file}.xlsx", XLSX,
                           key="panel-xlsx", on_click="ignore", icon=":material/download:")
    box = third.popover("Copy the names", key="panel-names", icon=":material/content_copy:", on_change="rerun")
    if box.open:                            # to show them the browser has to read 1.6 MB of scripts
        box.code("\n".join(panel["feature"]), language=None)
    with st.form("take-panel", clear_on_submit=True):
        name = st.text_input("Name of the panel", placeholder="for example: first draft", max_chars=kept_panels.LONGEST)
        if st.form_submit_button("Keep it with this work"):
            about = {"features": panel["feature"].tolist(), "threshold": view.threshold, "k": view.k,
                     "selector": "all selectors together" if view.who == TOGETHER else view.who}
            _try(kept_panels.keep, name, about)


def _kept(number, name, about):
    """One panel that was kept: its features to paste, another name, and away with it."""
    with st.expander(text.plain(f"{name}: {several(len(about['features']), 'feature')} of {about['selector']}, at least "
                                f"{about['threshold']:.0%} of the runs{_with_k(about)}"), key=f"panel-kept-{number}"):
        st.code("\n".join(about["features"]), language=None)
        with st.form(f"rename-panel-{number}", border=False):
            new = st.text_input("Name of the panel", name, max_chars=kept_panels.LONGEST, key=f"panel-name-{number}-{name}")
            if st.form_submit_button("Rename", icon=":material/edit:", key=f"panel-rename-{number}"):
                _try(kept_panels.rename, name, new)
        st.button("Remove", key=f"panel-remove-{number}", icon=":material/delete:", help="It can be had back with Undo.",
                  on_click=kept_panels.remove, args=(name,))


def _with_k(about):
    return f", {several(about['k'], 'feature')} a run" if about.get("k") else ""


def _try(change, *arguments):
    """Do it and draw the page anew; or say why not."""
    try:
        change(*arguments)
    except InputError as error:
        st.warning(text.plain(error), icon=":material/warning:")
    else:
        st.rerun()
