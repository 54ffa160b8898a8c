"""Start: what this is, and three doors: a bundled study, my dataset, my selections."""

import streamlit as st

from pages.parts import layout, pictures
from pages.parts.start import doors, works

ABOUT = (
    "Feature selection picks a few markers out of many. With a little less data it may pick others. Here you see **how often the "
    "same markers come back**, and what changes when some markers can stand for each other. It does not tell you which markers are "
    "true: a wrong choice can be a stable one. **Nor is steady the same as real:** runs share patients, so they agree even where "
    "no marker has anything to do with the outcome. How much, the *floor*, stands beside every number whose runs were made here."
)


def screen():
    """What there is already, then a column for each door."""
    st.markdown(ABOUT)
    works.section()
    by_title = {
        "Look at a finished study": doors.samples_door,
        "My dataset": doors.table_door,
        "My selections": doors.selections_door,
    }
    for column, (title, door) in zip(st.columns(len(by_title), gap="large"), by_title.items()):
        with column:
            st.header(title, divider="gray")
            door()
    pictures.load_plotly()


layout.title("How far can you trust a set of selected features?")
screen()
