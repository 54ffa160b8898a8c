"""Panels that a person takes along: kept with the work under a name, as a file, as a list to paste."""

import streamlit as st

from pages.parts import session, text
from pages.parts.panel.view import TOGETHER
from stabcore.data.spreadsheets import csv_bytes, xlsx_bytes
from stabcore.wording import shown

XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


def take(view, table):
    """Take the panel as it is now, and those that were taken before."""
    st.header("Take this panel", divider="gray")
    stay = table.loc[table["stays"], "feature"].tolist()
    if not stay:
        st.caption("There is nothing to take: no feature passes the threshold.")
        return
    here = session.workspace()
    panel = table[table["stays"]]
    first, second, _ = st.columns([1, 1, 2])
    first.download_button("Download as CSV", lambda: csv_bytes(panel), "panel.csv", "text/csv", key="panel-csv", on_click="ignore",
                          icon=":material/download:")
    second.download_button("Download for Excel", lambda: xlsx_bytes({"Panel": panel}), "panel.xlsx", XLSX,
                           key="panel-xlsx", on_click="ignore",
                           icon=":material/download:")
    st.caption("To paste elsewhere:")
    st.code("\n".join(stay), language=None)
    with st.form("take-panel", clear_on_submit=True):
        name = st.text_input("Name of the panel", placeholder="for example: first draft")
        if st.form_submit_button("Keep it with this work") and name.strip():
            _keep(here, name.strip(), {"features": stay, "threshold": view.threshold, "k": view.k,
                                       "selector": "all selectors together" if view.who == TOGETHER else view.who})
    for name, about in (here.settings.get("panels") or {}).items():
        st.markdown(f"- **{text.plain(name)}**: {len(about['features'])} of {text.plain(about['selector'])}, at least "
                    f"{about['threshold']:.0%} of the runs: {text.plain(', '.join(about['features'][:12]))}"
                    f"{' …' if len(about['features']) > 12 else ''}")


def _keep(here, name, about):
    """One more panel of this work; one that is there already under this name is left as it is."""
    panels = here.settings.get("panels") or {}
    if panels.get(name, about) == about:
        here.save(panels={**panels, name: about})
    else:
        st.warning(text.plain(f"There is another panel named {shown(name)} already, which was left as it is: choose another name."),
                   icon=":material/warning:")
