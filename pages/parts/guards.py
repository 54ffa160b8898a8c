"""What a screen needs before it can show anything, and the way to get it."""

from __future__ import annotations

import streamlit as st

from pages.parts import cache, links, undoing, words
from pages.parts.controls import missing_runs
from pages.parts.text import notes, plain
from pages.workspace.project import READ_ONLY
from stabcore.study.progress import by_whom


def require(needed, what, page, label):
    """Stop the page with the way out when something is not there yet."""
    if needed is None:
        st.info(what, icon=":material/info:")
        st.page_link(page, label=label, icon=":material/arrow_forward:")
        st.stop()
    return needed


def require_results():
    """The runs to look at, or the way to get some."""
    results = require(
        cache.results(),
        "There are no results to look at yet. Open a bundled study, run one, or bring selections.",
        "pages/start.py",
        "Go to Start",
    )
    if not results.finished_selectors:
        why = results.most_frequent_failure()
        st.info(
            plain(f"No selector has finished two runs{'. ' + why if why else ' yet; agreement needs at least two.'}"),
            icon=":material/hourglass_top:",
        )
        st.page_link("pages/study.py", label="See how the study gets on", icon=":material/arrow_forward:")
        st.stop()
    undoing.bar()
    summary = cache.computed(results.sentence)
    words.tell(plain(summary))
    notes(results.notes)
    for sentence in by_whom(missing_runs(results), unless_all=False):
        st.caption(f":material/warning: {plain(sentence)}")
    if cache.changed_since():
        st.warning(
            "The table or what was chosen on Data has changed since these runs: they are shown as they were.",
            icon=":material/history:",
        )
    return results


def own_work(here):
    """Stop a page that changes a work where a read-only copy is open."""
    if here is not None and here.frozen is not None:
        st.info(READ_ONLY, icon=":material/lock:")
        links.copy_button("own-copy-here")
        st.stop()
