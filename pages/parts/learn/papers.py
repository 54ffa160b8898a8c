"""The papers, computed again: figures, tables, and the claims that are shown here."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from pages.parts import figures, glossary, session, text
from pages.parts.computing import show_progress
from pages.server.sign_in import current_person
from pages.workspace.files import home
from pages.workspace.queue import PLACE_LOST, BackgroundTask, was_lost
from stabcore.base.text import format_duration

if TYPE_CHECKING:
    from stabcore.papers.exhibit import CheckedExhibit

LESSONS, PAPERS = "lessons", "papers"
PART_TITLES = {LESSONS: "Lessons", PAPERS: "Published figures"}
FOLDER = "papers"  # folder of long studies, among the projects


def read_address():
    """Open the figure or table of the address, unless this screen wrote it."""
    asked = st.query_params.get("paper")
    if asked is not None and asked != st.session_state.get(session.PAPER_ADDRESS):
        st.session_state[session.LEARN_SECTION], st.session_state[session.PAPER] = PAPERS, asked


def show_papers():
    """Choose an exhibit, compute it, and list the claims of the paper that are shown here."""
    from stabcore.papers.catalog import EXHIBITS

    exhibit = EXHIBITS[_ask_exhibit(EXHIBITS)]
    st.header(text.plain(f"{exhibit.number}. {exhibit.title}"), divider="gray")
    st.markdown(f"**In the paper:** {text.plain(exhibit.shows)}")
    st.markdown(f"**Here:** {text.plain(exhibit.here)}")
    result = _exhibit_result(exhibit)
    if result is not None:
        _show_exhibit(result)
    st.markdown("**With your own data**")
    st.page_link(exhibit.page, icon=":material/arrow_forward:")
    with st.expander("On the command line", key="paper-shell"):
        st.code(f"python -m stabcore papers {exhibit.key}", language=None)
        for name in exhibit.protocols:
            settings = partial(_show_source().settings_text, name)
            figures.show_file_button(f"Download settings ({name}.toml)", settings, f"{name}.toml", f"paper-settings-{name}")


def _ask_exhibit(exhibits):
    """The open exhibit, which the address names."""
    papers = list(dict.fromkeys(exhibit.paper for exhibit in exhibits.values()))
    names = {
        key: f"{exhibit.paper}: {exhibit.number}. {exhibit.title}"
        for key, exhibit in sorted(exhibits.items(), key=lambda item: papers.index(item[1].paper))
    }
    box = session.bound(session.PAPER, next(iter(names)), names)
    key = st.selectbox("Choose figure or table", list(names), format_func=names.__getitem__, **box)
    st.session_state[session.PAPER_ADDRESS] = key
    st.query_params["paper"] = key
    return key


def _exhibit_result(exhibit) -> CheckedExhibit | None:
    """The exhibit, at once, or on request with its progress."""
    from stabcore.papers.exhibit import check_exhibit

    if not exhibit.seconds:
        return _computed_exhibit(exhibit.key)
    making = _running_tasks().get(exhibit.key)
    if making is not None and making.is_running:
        cancel = "Cancel (keep finished runs)" * (making.person == (current_person() or ""))  # only for the person who started it
        show_progress(making, lambda: _show_progress(making), cancel=cancel, key="paper-cancel")
        return None
    if making is not None and making.result is not None:
        return making.result
    why = making.failure if making is not None else PLACE_LOST if was_lost(home(), _queue_name(exhibit)) else ""
    if why:
        st.warning(text.plain(why), icon=":material/pause_circle:")
    label = f"Compute (about {format_duration(exhibit.seconds)})"
    if st.button(label, key=f"make-{exhibit.key}", type="primary", icon=":material/play_circle:"):
        make = partial(check_exhibit, exhibit, _show_source())
        _running_tasks()[exhibit.key] = BackgroundTask(home(), _queue_name(exhibit), current_person() or "", make)
        st.rerun()
    st.caption("The computation continues while this page is closed. The result stays until the server ends.")
    return None


def _queue_name(exhibit):
    """Its name in the queue."""
    return f"paper-{exhibit.key}"


def _show_progress(making):
    done, total = making.progress
    return done, total, f"{done} of {total} done" if total else "Starting …"


@st.cache_resource(show_spinner=False)
def _running_tasks() -> dict[str, BackgroundTask]:
    """{exhibit: task since the program started}, shared by all people."""
    return {}


@st.cache_resource(show_spinner=False)
def _computed_exhibit(key) -> CheckedExhibit:
    from stabcore.papers.catalog import EXHIBITS
    from stabcore.papers.exhibit import check_exhibit

    return check_exhibit(EXHIBITS[key], _show_source())


@st.cache_resource(show_spinner=False)
def _show_source():
    from pages.workspace.samples import SAMPLE_FOLDER
    from stabcore.papers.exhibit import Source

    return Source(SAMPLE_FOLDER / "papers", studies=home() / FOLDER)


def _show_exhibit(result):
    from stabcore.papers.exhibit import TABLE
    from stabcore.plots.lessons import draw_exhibit, finding_exhibit, frame_exhibit

    frame, exhibit = frame_exhibit(result), result.exhibit
    if exhibit.kind == TABLE:
        glossary.show_sentence(finding_exhibit(result))
        figures.show_dataframe(frame.round(3), alt=exhibit.title)
    else:
        figures.show_figure(draw_exhibit(frame, exhibit), finding_exhibit(result), frame, exhibit.key, subject=exhibit.title)
    figures.show_dataframe(result.table.drop(columns="holds"), alt="Claims of the paper")
    glossary.show_caption(
        "A claim is shown if it holds for at least 8 of 10 seeds, and for at most 1 of 10 with the outcome shuffled. "
        "These trials were run in advance, simulations with fewer tables. The numbers above are from one seed."
    )
