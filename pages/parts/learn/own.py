"""A user-defined lesson: uploaded in this session, or that of the class whose link was opened."""

import streamlit as st

from pages.parts import session, text
from stabcore.base.errors import InputError
from stabcore.teaching.catalog import LESSONS
from stabcore.teaching.lesson import Lesson
from stabcore.teaching.own import EXAMPLE, read_lesson


def lessons_by_key() -> dict[str, Lesson]:
    """Return all lessons by key, and that of this session."""
    lesson = st.session_state.get(session.OWN_LESSON)
    return LESSONS if lesson is None else {**LESSONS, lesson.key: lesson}


def open_lesson(lesson):
    """Keep a lesson in this session and open it."""
    st.session_state[session.OWN_LESSON] = lesson
    st.session_state[session.LESSON] = lesson.key


def show_upload():
    """A file with a lesson, and an example to begin with."""
    with st.expander("A lesson of your own", key="own-lesson", icon=":material/edit_note:"):
        st.caption("Your question and settings for one of the simulations. The answer and the draws are computed as in the others.")
        st.download_button("Download example", EXAMPLE.encode(), "lesson.toml", "text/plain", key="own-example", on_click="ignore")
        uploaded = st.file_uploader("Lesson (.toml)", type=["toml"], key="own-file", max_upload_size=1)
        if uploaded is None:
            return
        try:
            lesson = read_lesson(uploaded.getvalue(), uploaded.name)
        except InputError as error:
            st.error(text.plain(str(error)))
            return
        if lesson.key not in lessons_by_key():
            open_lesson(lesson)
            st.rerun()
