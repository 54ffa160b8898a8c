"""The address of a lesson: which one, its seed and settings, and after a reload the guess and the draws of a class."""

from __future__ import annotations

from urllib.parse import urlencode

import streamlit as st

from pages.parts import session
from pages.parts.learn.view import control_key, keep_guess, settings_of
from stabcore.lessons.catalog import LESSONS
from stabcore.lessons.lesson import fresh_seed, seed_of

NAMES = {"lesson", "seed", "guess", "draws"} | {control.key for lesson in LESSONS.values() for control in lesson.controls}
EACH = "each"           # in place of a seed: everybody who opens the link draws with another


def read():
    """Take up what the address says, unless this screen wrote it; what it does not know counts as not said."""
    told = {name: value for name, value in st.query_params.items() if name in NAMES}
    lesson = LESSONS.get(told.get("lesson"))
    if lesson is None or told == st.session_state.get(session.LESSON_ADDRESS):
        return
    st.session_state[session.LESSON] = lesson.key
    if "seed" in told:
        st.session_state[session.LESSON_SEED] = fresh_seed() if told["seed"] == EACH else seed_of(told["seed"])
    for control in lesson.controls:
        st.session_state[control_key(lesson, control)] = control.nearest(told.get(control.key))
    guess = lesson.guess.read(told.get("guess"))
    if guess is not None:
        keep_guess(lesson, guess, settings_of(lesson))
    if "draws" in told:
        keep_draws(lesson, told["draws"])


def draws_of(lesson) -> str:
    """What was typed of the draws of a class."""
    return st.session_state.get(session.LESSON_DRAWS, {}).get(lesson.key, "")


def keep_draws(lesson, typed):
    """Keep what was typed of the draws of a class, with single spaces, as the address holds it."""
    st.session_state[session.LESSON_DRAWS] = {**st.session_state.get(session.LESSON_DRAWS, {}), lesson.key: " ".join(typed.split())}


def write(view):
    """Keep in the address what is seen, so that a reload brings it back."""
    told = _told(view, str(view.seed))
    if view.guess is not None:
        told["guess"] = str(view.guess["guess"])
        if draws := draws_of(view.lesson):
            told["draws"] = draws
    if told != st.session_state.get(session.LESSON_ADDRESS) or "lesson" not in st.query_params:
        others = {name: value for name, value in st.query_params.items() if name not in NAMES | {"paper"}}
        st.query_params.from_dict({**others, **told})
        st.session_state[session.LESSON_ADDRESS] = told


def link(view, each: bool) -> str:
    """The address for a class: the same lesson and settings, without the guess, the draws and anybody's work."""
    here = (st.context.url or "").split("?")[0]
    return f"{here}?{urlencode(_told(view, EACH if each else str(view.seed)))}"


def _told(view, seed):
    return {"lesson": view.lesson.key, "seed": seed, **{key: str(value) for key, value in view.settings.items()}}
