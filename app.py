"""The dashboard: `streamlit run app.py`. The menu, and the server of its pages."""

from pathlib import Path

import streamlit as st

from pages.parts import layout, session

if __name__ == "__main__":  # as a page of Streamlit. On import, only the server is needed
    st.set_page_config(page_title="Feature stability", page_icon=Path(__file__).parent / ".streamlit" / "icon.png", layout="wide")

    with session.counted_rerun():
        show = layout.page_visibilities()  # a page with nothing to show is not in the menu, but its address works
        menu = {
            "": [
                st.Page("pages/start.py", title="Start", icon=":material/home:", default=True),
                st.Page("pages/check.py", title="Check", icon=":material/fact_check:", visibility=show["check"]),
            ],
            "Prepare": [
                st.Page("pages/data.py", title="Data", icon=":material/table:", visibility=show["data"]),
                st.Page("pages/study.py", title="Study", icon=":material/play_circle:", visibility=show["study"]),
            ],
            "Results": [
                st.Page("pages/stability.py", title="Stability", icon=":material/verified:", visibility=show["stability"]),
                st.Page("pages/panel.py", title="Panel", icon=":material/checklist:", visibility=show["panel"]),
                st.Page("pages/pareto.py", title="Accuracy", icon=":material/scatter_plot:", visibility=show["pareto"]),
            ],
            "Explore": [
                st.Page("pages/similarity.py", title="Similarity", icon=":material/hub:", visibility=show["similarity"]),
                st.Page("pages/whatif.py", title="What if", icon=":material/tune:", visibility=show["whatif"]),
                st.Page("pages/maps.py", title="Maps", icon=":material/grid_on:", visibility=show["maps"]),
                st.Page(
                    "pages/feature_count.py", title="Feature count", icon=":material/show_chart:", visibility=show["feature_count"]
                ),
                st.Page(
                    "pages/feature_profile.py", title="Feature profile", icon=":material/badge:", visibility=show["feature_profile"]
                ),
            ],
            "Share": [st.Page("pages/report.py", title="Report", icon=":material/description:", visibility=show["report"])],
            "Learn": [st.Page("pages/learn.py", title="Lessons", icon=":material/school:")],
        }
        page = st.navigation(menu, expanded=True)  # otherwise the menu hides all beyond ten behind "View more"
        with layout.app_page(page.title):
            layout.show_sidebar()
            page.run()
else:
    from pages.parts.text import show_error
    from pages.server.app import DashboardServer

    server = DashboardServer()
    app = st.App(__file__, middleware=server.middleware(), lifespan=server.lifespan, on_script_error=show_error)
