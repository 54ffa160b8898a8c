"""What Learn shows in one rerun: a lesson, what its controls are at, the seed, the guess."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import streamlit as st

from pages.parts import session
from stabcore.lessons.catalog import LESSONS
from stabcore.lessons.lesson import answer

if TYPE_CHECKING:
    from stabcore.lessons.lesson import Answer, Lesson


@dataclass(frozen=True, eq=False)
class LearnView:
    """A lesson at some settings and a seed."""

    lesson: Lesson
    settings: dict
    seed: int

    @property
    def guess(self):
        """What was guessed, {"guess", "at"}; None before."""
        return st.session_state.get(session.LESSON_GUESSES, {}).get(self.lesson.key)

    @cached_property
    def answer(self) -> Answer:
        """Theory and simulation here; kept, as a control is moved back more often than not."""
        return _answer(self.lesson.key, tuple(self.settings.items()), self.seed)


@st.cache_resource(max_entries=300, show_spinner=False)
def _answer(key, settings, seed):
    return answer(LESSONS[key], dict(settings), seed)


def control_key(lesson, control) -> str:
    """Where the session keeps what a control of a lesson is at."""
    return f"learn-{lesson.key}-{control.key}"


def settings_of(lesson) -> dict:
    """What the controls of a lesson are at, those of a link or the usual ones before they were moved."""
    return lesson.settings({one.key: st.session_state.get(control_key(lesson, one), one.default) for one in lesson.controls})


def keep_guess(lesson, guess, settings):
    """Remember what was guessed, and for which settings."""
    st.session_state[session.LESSON_GUESSES] = {**st.session_state.get(session.LESSON_GUESSES, {}),
                                                lesson.key: {"guess": guess, "at": settings}}
