"""The projects on this computer: open, rename, copy, delete."""

import streamlit as st

from pages.parts import session
from pages.parts.people import describe_home
from pages.parts.text import format_time, plain, show_errors
from pages.server.sign_in import current_person
from pages.workspace.projects import MAX_TITLE, describe_disk_use, describe_retention, duplicate, projects, rename, stale_projects
from stabcore.base.text import counted, format_size, listed


def show_projects():
    """The last changed project unless it is open, and a fold with the others. Nothing without a project."""
    every = projects(current_person())
    last = [summary for summary in every[:1] if summary.id != st.session_state.get(session.ID)]
    for summary in last:
        with st.container(border=True, key="projects"):
            _show_project(summary)
    if len(every) > len(last):
        with st.expander(f"All projects ({len(every)})", key="earlier-projects"):
            for summary in every[len(last) :]:
                _show_project(summary)
            _show_disk_use(every)


def _show_disk_use(every):
    """The disk use of all projects, and deleting old ones."""
    st.divider()
    st.caption(plain(f"Projects are kept on {describe_home()}. {describe_retention()} {describe_disk_use(every)}"))
    days = st.number_input("Projects unchanged for this many days", 1, 3650, 180, key="untouched-days")
    old = [summary for summary in stale_projects(every, days) if summary.id != st.session_state.get(session.ID)]
    if not old:
        st.caption("No project is that old.")
        return
    size = format_size(sum(summary.size for summary in old))
    st.caption(plain(f"{counted(len(old), 'project')}, {size}: {listed([summary.title for summary in old])}."))
    with st.popover(f"Delete {counted(len(old), 'old project')}", icon=":material/delete:"):
        st.write(f"Deletes their tables, settings and results from {describe_home()}. This cannot be undone.")
        if st.button("Delete projects", key="forget-untouched"):
            with show_errors():
                for summary in old:
                    summary.project.delete()
                st.rerun()


def _show_project(summary):
    open_now = summary.id == st.session_state.get(session.ID)
    name, state, act, more = st.columns([5, 5, 2, 1.5], vertical_alignment="center")
    name.markdown(f"**{plain(summary.title)}**")
    state.caption(plain(f"{summary.state}, changed {format_time(summary.changed)}, {format_size(summary.size)}"))
    if act.button("Already open" if open_now else "Continue", key=f"open-project-{summary.id}", disabled=open_now, width="stretch"):
        session.open_project(summary.project)
        st.switch_page(_first_page(summary.project))
    with more.popover("More", width="stretch"):
        _show_menu(summary)


def _first_page(project):
    """Where a project continues: its results, its study, or its table."""
    with show_errors():
        if project.settings.get("kind") == "study" or project.is_running:
            return "pages/study.py"
        return "pages/stability.py" if project.store or "selections" in project.settings else "pages/data.py"
    return "pages/start.py"


def _show_menu(summary):
    with st.form(f"form-name-{summary.id}", border=False):
        name = st.text_input("Name", summary.title, max_chars=MAX_TITLE, key=f"name-{summary.id}")
        if st.form_submit_button("Rename", icon=":material/edit:"):
            with show_errors():
                rename(summary.project, name)
                st.rerun()
    words = "Try something without changing this project."
    if st.button("Copy project", key=f"copy-{summary.id}", icon=":material/content_copy:", help=words):
        with show_errors():
            duplicate(summary.project, current_person())
            st.rerun()
    n_links = len(summary.project.links)
    sent = f", and the read-only copies behind {counted(n_links, 'link')}" if n_links else ""
    st.caption(f"Deletes table, settings and results from {describe_home()}{sent}. This cannot be undone.")
    if st.button("Delete project", key=f"forget-{summary.id}", icon=":material/delete:"):
        with show_errors():
            summary.project.delete()
            if summary.id == st.session_state.get(session.ID):
                session.close_project()
            st.rerun()
