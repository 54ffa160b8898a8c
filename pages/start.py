"""Start: the purpose, and three ways to begin: a bundled study, a table, selections."""

import streamlit as st

from pages.parts import layout, pictures
from pages.parts.start import doors, project_list

ABOUT = (
    "With slightly different patients, feature selection often gives different features. This dashboard measures how much the "
    "selections agree, and shows which features are selected most often. **Stable does not mean true:** a selector can repeat "
    "the same wrong feature."
)


def show_screen():
    """Present projects, then a column for each way to begin."""
    st.markdown(ABOUT)
    project_list.show_projects()
    titles = {
        doors.show_samples: "Open an example",
        doors.show_table_upload: "Upload a table",
        doors.show_selections_upload: "Upload selections",
    }
    for column, (door, title) in zip(st.columns(len(titles), gap="medium"), titles.items()):
        with column:
            st.header(title)
            door()
    pictures.load_plotly()


layout.show_title("How stable is your feature selection?")
show_screen()
