"""The projects on this computer: open, rename, copy, delete."""

import streamlit as st

from pages.parts import session
from pages.parts.people import place
from pages.parts.text import plain, sentences, when
from pages.server.sign_in import who
from pages.workspace.projects import MAX_TITLE, describe_disk_use, describe_keeping, duplicate, projects, rename, untouched
from stabcore.base.text import listed, several, size_words


def section():
    """The last changed project unless it is open, and a fold with the others. Nothing without a project."""
    every = projects(who())
    last = [work for work in every[:1] if work.id != st.session_state.get(session.ID)]
    for work in last:
        with st.container(border=True, key="projects"):
            _row(work)
    if len(every) > len(last):
        with st.expander(f"All projects ({len(every)})", key="earlier-works"):
            for work in every[len(last) :]:
                _row(work)
            _room(every)


def _room(every):
    """The disk use of all projects, and deleting old ones."""
    st.divider()
    st.caption(plain(f"Projects are kept on {place()}. {describe_keeping()} {describe_disk_use(every)}"))
    days = st.number_input("Projects unchanged for this many days", 1, 3650, 180, key="untouched-days")
    old = [work for work in untouched(every, days) if work.id != st.session_state.get(session.ID)]
    if not old:
        st.caption("No project is that old.")
        return
    size = size_words(sum(work.size for work in old))
    st.caption(plain(f"{several(len(old), 'project')}, {size}: {listed([work.title for work in old])}."))
    with st.popover(f"Delete {several(len(old), 'old project')}", icon=":material/delete:"):
        st.write(f"Deletes their tables, settings and results from {place()}. This cannot be undone.")
        if st.button("Delete projects", key="forget-untouched"):
            with sentences():
                for work in old:
                    work.project.forget()
                st.rerun()


def _row(work):
    open_now = work.id == st.session_state.get(session.ID)
    name, state, act, more = st.columns([5, 5, 2, 1.5], vertical_alignment="center")
    name.markdown(f"**{plain(work.title)}**")
    state.caption(plain(f"{work.state}, changed {when(work.changed)}, {size_words(work.size)}"))
    if act.button("Already open" if open_now else "Continue", key=f"open-work-{work.id}", disabled=open_now, width="stretch"):
        session.take_up(work.project)
        st.switch_page(_first_page(work.project))
    with more.popover("More", width="stretch"):
        _more(work)


def _first_page(project):
    """Where a project continues: its results, its study, or its table."""
    with sentences():
        if project.settings.get("kind") == "study" or project.running:
            return "pages/study.py"
        return "pages/stability.py" if project.store or "selections" in project.settings else "pages/data.py"
    return "pages/start.py"


def _more(work):
    with st.form(f"form-name-{work.id}", border=False):
        name = st.text_input("Name", work.title, max_chars=MAX_TITLE, key=f"name-{work.id}")
        if st.form_submit_button("Rename", icon=":material/edit:"):
            with sentences():
                rename(work.project, name)
                st.rerun()
    if st.button(
        "Copy project", key=f"copy-{work.id}", icon=":material/content_copy:", help="Try something without changing this project."
    ):
        with sentences():
            duplicate(work.project, who())
            st.rerun()
    n_links = len(work.project.links)
    sent = f", and the read-only copies behind {several(n_links, 'link')}" if n_links else ""
    st.caption(f"Deletes table, settings and results from {place()}{sent}. This cannot be undone.")
    if st.button("Delete project", key=f"forget-{work.id}", icon=":material/delete:"):
        with sentences():
            work.project.forget()
            if work.id == st.session_state.get(session.ID):
                session.leave()
            st.rerun()
