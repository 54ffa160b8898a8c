"""Checks that a screen has something to show, with a link to the missing step."""

import streamlit as st

from pages.parts import cache, glossary, links
from pages.parts.controls import missing_run_notes
from pages.parts.text import plain
from pages.workspace.project import READ_ONLY
from stabcore.study.progress import sentences_by_selector
from stabcore.study.summary import describe_selectors


def require(needed, what, page, label):
    """Stop the page with a link if something is missing."""
    if needed is None:
        st.info(what, icon=":material/info:")
        st.page_link(page, label=label, icon=":material/arrow_forward:")
        st.stop()
    return needed


def require_results(screen):
    """The runs, or a link to get some. screen: collects the notes on the runs."""
    what = "There are no results yet. Open an example, run a study, or upload selections."
    results = require(cache.results(), what, "pages/start.py", "Go to Start")
    if not results.finished_selectors:
        why = results.most_frequent_failure() or "Stability needs at least two."
        st.info(plain(f"No selector has finished two runs. {why}"), icon=":material/hourglass_top:")
        st.page_link("pages/study.py", label="Go to Study", icon=":material/arrow_forward:")
        st.stop()
    screen.add_limitations(*map(plain, [*results.notes, *sentences_by_selector(missing_run_notes(results), unless_all=False)]))
    if cache.has_changed():
        changed = "The table or its settings have changed since this study. Its results are shown as they were."
        st.warning(changed, icon=":material/history:")
    return results


def add_settings_drawer(screen, results):
    """A drawer with the settings of the study or of the uploaded selections, and what each selector does."""

    def draw():
        each = [f"**{plain(label)}**: {plain(does)}" for label, does in describe_selectors(results).items()]
        glossary.show_caption(plain(cache.computed(results.sentence)), *each)

    screen.others["Settings of the study"] = draw


def require_own_project(project):
    """Stop a page that changes a project if a read-only copy is open."""
    if project is not None and project.read_only_since is not None:
        st.info(READ_ONLY, icon=":material/lock:")
        links.show_copy_button("own-copy-here")
        st.stop()
