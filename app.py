"""The dashboard: `streamlit run app.py`. The list of its pages, and the server that shows them."""

from pathlib import Path

import streamlit as st

from pages.parts import layout

if __name__ == "__main__":  # as a page is drawn; imported, it is the server that is asked for
    st.set_page_config(page_title="Feature stability", page_icon=Path(__file__).parent / ".streamlit" / "icon.png", layout="wide")

    page = st.navigation(
        [
            st.Page("pages/start.py", title="Start", icon=":material/home:", default=True),
            st.Page("pages/data.py", title="Data", icon=":material/table:"),
            st.Page("pages/groups.py", title="Groups & C", icon=":material/hub:"),
            st.Page("pages/study.py", title="Study", icon=":material/play_circle:"),
            st.Page("pages/stability.py", title="Stability", icon=":material/verified:"),
            st.Page("pages/maps.py", title="Maps", icon=":material/grid_on:"),
            st.Page("pages/profiles.py", title="Profiles", icon=":material/show_chart:"),
            st.Page("pages/whatif.py", title="What if", icon=":material/tune:"),
            st.Page("pages/passport.py", title="Passport", icon=":material/badge:"),
            st.Page("pages/panel.py", title="Panel", icon=":material/checklist:"),
            st.Page("pages/pareto.py", title="Pareto", icon=":material/scatter_plot:"),
            st.Page("pages/report.py", title="Report", icon=":material/description:"),
            st.Page("pages/learn.py", title="Learn", icon=":material/school:"),
        ],
        expanded=True,
    )  # else the menu hides all beyond ten behind "View more"
    with layout.inside_app(page.title):
        layout.sidebar()
        page.run()
else:
    from pages.parts.text import show_error
    from pages.server.app import DashboardServer

    server = DashboardServer()
    app = st.App(__file__, middleware=server.middleware(), lifespan=server.lifespan, on_script_error=show_error)
