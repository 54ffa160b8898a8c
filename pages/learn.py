"""Lessons with known answers, each with a question and a guess first, and the papers. Nothing has to be loaded."""

import streamlit as st

from pages.parts import controls, figures, layout, session
from pages.parts.learn import lessons, papers
from pages.parts.learn.lessons import LearnView, settings_of
from stabcore.teaching.lesson import read_seed


def show_screen():
    """One lesson with its question, and its answer after a guess. Or a figure or table of a paper."""
    papers.read_address()
    row = st.container(horizontal=True, vertical_alignment="center")
    if controls.ask_section(session.LEARN_SECTION, papers.PART_TITLES, place=row) == papers.PAPERS:
        papers.show_papers()
        return
    lessons.read_address()
    lesson = lessons.ask_lesson(row)
    view = LearnView(lesson, settings_of(lesson), read_seed(st.session_state.get(session.LESSON_SEED)))
    if view.guess is None:
        lessons.ask_guess(view)
    else:
        lessons.show_answer(view)
        lessons.show_summary(view)
    if not st.session_state.get(session.LESSON_CLASS):  # not for those who opened the link of a class
        lessons.show_classroom(view)
    lessons.write_address(view)


layout.show_title("What would you expect?")
figures.run_fragment(show_screen)
