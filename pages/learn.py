"""Lessons with known answers, each with a question and a guess first, and the papers. Nothing has to be loaded."""

import streamlit as st

from pages.parts import controls, figures, layout, session
from pages.parts.learn import lessons, papers
from pages.parts.learn.lessons import LearnView, settings_of
from stabcore.teaching.lesson import read_seed


def screen():
    """One lesson with its question, and its answer after a guess. Or a figure or table of a paper."""
    papers.read_address()
    row = st.container(horizontal=True, vertical_alignment="center")
    if controls.section(session.LEARN_SECTION, papers.PARTS, place=row) == papers.PAPERS:
        papers.part()
        return
    lessons.read_address()
    lesson = lessons.choose(row)
    view = LearnView(lesson, settings_of(lesson), read_seed(st.session_state.get(session.LESSON_SEED)))
    if view.guess is None:
        lessons.ask(view)
    else:
        lessons.show(view)
        lessons.take_along(view)
    if not st.session_state.get(session.LESSON_CLASS):  # not for those who opened the link of a class
        lessons.classroom(view)
    lessons.write_address(view)


layout.title("What would you expect?")
figures.fragment(screen)
