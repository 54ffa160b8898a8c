"""Start: what this is, and three doors: a bundled study, my dataset, my selections."""

import streamlit as st

from pages.parts import layout, pictures
from pages.parts.start import doors, works

ABOUT = (
    "Feature selection often selects other features when the patients change a little. This dashboard measures how often, and "
    "shows which features remain. **Stable does not mean true:** a selector can repeat the same wrong feature."
)


def screen():
    """What there is already, then a column for each door."""
    st.markdown(ABOUT)
    works.section()
    by_title = {
        "Open an example": doors.samples_door,
        "Upload a table": doors.table_door,
        "Upload selections": doors.selections_door,
    }
    for column, (title, door) in zip(st.columns(len(by_title), gap="large"), by_title.items()):
        with column:
            st.header(title, divider="gray")
            door()
    pictures.load_plotly()


layout.title("How stable is your feature selection?")
screen()
