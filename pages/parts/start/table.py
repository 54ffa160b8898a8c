"""The door for a table of one's own, uploaded or pasted, alone or beside the selections that were made of it."""

import streamlit as st

from pages.parts import cache, scenarios, session, text, words
from pages.parts.people import place
from pages.parts.start import selections
from stabcore.io.decode import TABLE_UPLOADS

PASTED = "pasted.txt"


def door():
    """Upload or paste a table."""
    words.tell("One row a patient, one column a measurement, one column with the outcome. CSV, TSV, Excel, Parquet, SPSS, Stata, "
               f"SAS, R, GEO or GCT; it stays on {place()}.")
    uploaded = st.file_uploader("Upload a table", type=TABLE_UPLOADS, key="table")
    pasted = st.text_area("or paste it here", key="table-text", height=120, placeholder="ALT\tAST\toutcome\n31\t28\thealthy\n…")
    here = session.workspace()
    beside = bool(here and here.frozen is None and here.settings.get("selections")) and st.toggle(
        "Together with my selections", value=True, key="table-with-selections",
        help="Those that are loaded were made of this table: then its correlations can say which features stand for each other.")
    if st.button("Use this table", key="use-table", disabled=not (uploaded or pasted.strip())):
        with text.sentences():
            _open(*((uploaded.getvalue(), uploaded.name) if uploaded else (pasted.encode("utf-8"), PASTED)), beside)
            st.switch_page("pages/data.py")


def _open(content, file_name, beside):
    """Read the table once here, so that a wrong file changes nothing that is already loaded.

    A table that may only have been looked for in the wrong place goes on to Data, where another place can be chosen.
    beside: keep the selections that are loaded, which were made of it.
    """
    from stabcore.data.roles import FEWEST_ROWS
    from stabcore.io.contents import MisplacedError
    from stabcore.io.table import read_table

    try:
        read = read_table(content, file_name)
    except MisplacedError as error:
        if beside or (len(error.place.head) < FEWEST_ROWS and len(error.place.sheets) < 2):
            raise
        read = None
    if beside:
        return selections.add_table(content, file_name, read)
    kept = scenarios.usual({})
    here = session.begin(kind="table", name=file_name, scenarios=kept, scenario=kept[scenarios.NOTHING],
                        scenario_name=scenarios.NOTHING)
    here.save(table=here.keep(file_name, content))
    if read is not None:
        cache.know_table(here, read)
