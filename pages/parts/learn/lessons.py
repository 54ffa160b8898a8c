"""Lessons: a question, a guess, the answer by simulation and theory, and the address of a lesson."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any
from urllib.parse import urlencode

import streamlit as st

from pages.parts import figures, glossary, people, session, text
from stabcore.base.errors import InputError
from stabcore.base.text import rounded, several
from stabcore.plots.lessons import draw_lesson, finding_lesson, frame_lesson, table_lesson
from stabcore.teaching.catalog import LESSONS
from stabcore.teaching.classroom import pooled, sheet
from stabcore.teaching.lesson import LARGEST_SEED, MANY, Answer, Lesson, answer, fresh_seed, seed_of, verdict

NAMES = {"lesson", "seed", "guess", "draws"} | {control.key for lesson in LESSONS.values() for control in lesson.controls}
EACH = "each"  # instead of a seed: everybody who opens the link draws with another one
NUMBERED = {key: f"{number} · {lesson.question}" for number, (key, lesson) in enumerate(LESSONS.items(), 1)}


@dataclass(frozen=True, eq=False)
class LearnView:
    """A lesson at some settings and a seed."""

    lesson: Lesson
    settings: dict
    seed: int

    @property
    def guess(self):
        """The guess, {"guess", "at"}. None before."""
        return st.session_state.get(session.LESSON_GUESSES, {}).get(self.lesson.key)

    @cached_property
    def answer(self) -> Answer:
        """Theory and simulation with these settings, kept because controls are often moved back."""
        return _answer(self.lesson.key, tuple(self.settings.items()), self.seed)


@st.cache_resource(max_entries=300, show_spinner=False)
def _answer(key, settings, seed):
    return answer(LESSONS[key], dict(settings), seed)


def control_key(lesson, control) -> str:
    """Key of a control of a lesson in the session."""
    return f"learn-{lesson.key}-{control.key}"


def settings_of(lesson) -> dict:
    """Values of the controls of a lesson, from a link or the defaults before they are moved."""
    return lesson.settings(
        {control.key: st.session_state.get(control_key(lesson, control), control.default) for control in lesson.controls}
    )


def keep_guess(lesson, guess, settings):
    """Keep the guess and its settings."""
    st.session_state[session.LESSON_GUESSES] = {
        **st.session_state.get(session.LESSON_GUESSES, {}),
        lesson.key: {"guess": guess, "at": settings},
    }


def read_address():
    """Read the address unless this screen wrote it. Unknown values are ignored."""
    asked = {name: value for name, value in st.query_params.items() if name in NAMES}
    lesson = LESSONS.get(asked.get("lesson"))
    if lesson is None or asked == st.session_state.get(session.LESSON_ADDRESS):
        return
    st.session_state[session.LESSON] = lesson.key
    if "seed" in asked:
        st.session_state[session.LESSON_SEED] = fresh_seed() if asked["seed"] == EACH else seed_of(asked["seed"])
    for control in lesson.controls:
        st.session_state[control_key(lesson, control)] = control.nearest(asked.get(control.key))
    guess = lesson.guess.read(asked.get("guess"))
    if guess is not None:
        keep_guess(lesson, guess, settings_of(lesson))
    if "draws" in asked:
        keep_draws(lesson, asked["draws"])


def draws_of(lesson) -> str:
    """The typed draws of a class."""
    return st.session_state.get(session.LESSON_DRAWS, {}).get(lesson.key, "")


def keep_draws(lesson, typed):
    """Keep the typed draws of a class, with single spaces, as in the address."""
    st.session_state[session.LESSON_DRAWS] = {**st.session_state.get(session.LESSON_DRAWS, {}), lesson.key: " ".join(typed.split())}


def write_address(view):
    """Write the state to the address, so that a reload restores it."""
    in_address = _told(view, str(view.seed))
    if view.guess is not None:
        in_address["guess"] = str(view.guess["guess"])
        if draws := draws_of(view.lesson):
            in_address["draws"] = draws
    if in_address != st.session_state.get(session.LESSON_ADDRESS) or "lesson" not in st.query_params:
        others = {name: value for name, value in st.query_params.items() if name not in NAMES | {"paper"}}
        st.query_params.from_dict({**others, **in_address})
        st.session_state[session.LESSON_ADDRESS] = in_address


def link(view, each: bool) -> str:
    """The address for a class: the lesson and its settings, without guess, draws and project."""
    here = (st.context.url or "").split("?")[0]
    return f"{here}?{urlencode(_told(view, EACH if each else str(view.seed)))}"


def _told(view, seed):
    return {"lesson": view.lesson.key, "seed": seed, **{key: str(value) for key, value in view.settings.items()}}


def choose(place):
    """The open lesson."""
    if st.session_state.get(session.LESSON) not in LESSONS:
        st.session_state[session.LESSON] = next(iter(LESSONS))
    key = place.selectbox("Lesson", list(LESSONS), format_func=NUMBERED.get, **session.bound(session.LESSON))
    return LESSONS[key]


def tell(view):
    """The question and its setting."""
    st.header(text.plain(view.lesson.question), divider="gray")
    st.markdown(text.plain(view.lesson.story))


def ask(view):
    """The guess, before the answer."""
    lesson, guess = view.lesson, view.lesson.guess
    key = f"guess-{lesson.key}"

    def settle():
        if st.session_state.get(key) is not None:
            keep_guess(lesson, st.session_state[key], settings_of(lesson))

    with st.form(f"form-{lesson.key}"):
        asked = text.label(lesson.ask(view.settings))
        if guess.choices:
            st.radio(asked, guess.choices, index=None, format_func=text.plain, key=key)
        else:
            decimals = 0 if guess.step == 1 else 2
            st.number_input(
                asked,
                float(guess.low),
                float(guess.high),
                None,
                float(guess.step),
                f"%.{decimals}f",
                key=key,
                placeholder="Your guess",
            )
            st.caption(f"A number from {guess.low:g} to {guess.high:g}.")  # another value only colours the field
        if st.form_submit_button("Show answer", type="primary", on_click=settle):
            st.info("Enter a guess first.", icon=":material/info:")


def show(view):
    """The guess and the answer, with its sentence and figure right below, visible together also in large type.

    The controls are below, as on other screens.
    """
    lesson, guess = view.lesson, view.guess
    st.success(text.plain(verdict(lesson, guess["guess"], guess["at"])), icon=":material/lightbulb:")
    top = st.container()
    beside = st.columns(max(1, len(lesson.controls)), gap="large")
    for column, control in zip(beside, lesson.controls):
        with column:
            _control(lesson, control)
    frame = frame_lesson(view.answer, guess["guess"], guess["at"], _drawn(view))
    with top:
        figures.figure(
            draw_lesson(frame, view.answer), finding_lesson(view.answer), table_lesson(frame, view.answer), f"lesson-{lesson.key}"
        )
    st.caption(
        "Line: the mean of all values. Points: draws from them."
        if lesson.exact
        else "Lines: known by calculation. Points: simulations, more of them at the chosen value."
    )
    st.button("Draw again", key="draw-again", icon=":material/casino:", on_click=_draw_again)


def _draw_again():
    """Another seed, so other points."""
    st.session_state[session.LESSON_SEED] = fresh_seed()


def _control(lesson, control):
    """One control. Its value is kept while another lesson is open."""
    key = control_key(lesson, control)
    draw: Any = st.selectbox if control.names else st.select_slider
    session.set_widget(session.widget_key(key), session.usual(key, control.default))
    draw(
        control.label,
        control.values,
        format_func=control.name_of,
        key=session.widget_key(key),
        on_change=session.take_over,
        args=(key,),
    )


def take_along(view):
    """The conclusion, its source, and the same question for own data."""
    lesson = view.lesson
    st.markdown(f"**Remember:** {text.plain(lesson.insight)}")
    st.caption(f"Source: {text.plain(lesson.source)}.")
    st.markdown("**With your own data**")  # in a line of its own: the text of a link is cut at the width of a telephone
    st.page_link(lesson.page, label=lesson.page_label, icon=":material/arrow_forward:")
    keys = list(LESSONS)
    later = keys[keys.index(lesson.key) + 1 :]
    if later:
        st.button(
            f"Next: {text.plain(LESSONS[later[0]].question)}",
            key="next-lesson",
            icon=":material/skip_next:",
            on_click=lambda: st.session_state.update({session.LESSON: later[0]}),
        )


def classroom(view):
    """Seed, link for a class, and the draws of all."""
    with st.expander("With a class", expanded=bool(draws_of(view.lesson)), key="with-a-class", icon=":material/groups:"):
        st.number_input(
            "Seed",
            0,
            LARGEST_SEED - 1,
            step=1,
            help="The same seed gives the same points.",
            **session.bound(session.LESSON_SEED, view.seed),
        )
        answer = view.answer
        st.markdown(text.plain(f"My draw with seed {view.seed} ({view.lesson.series[answer.drawable]}): {rounded(answer.drawn)}"))
        glossary.tell(f"This is the first of {MANY} draws. The sentence above the figure gives their mean.")
        each = st.toggle("Give everybody another seed", value=True, key="lesson-each")
        st.caption(f"The link opens this lesson with these settings, before the guess, for people who can {people.needed()}.")
        st.code(link(view, each), language=None)
        st.text_area(
            "Draws of the class, one number per person",
            key=f"draws-{view.lesson.key}",
            on_change=_keep_typed,
            args=(view.lesson,),
            placeholder="3 5 4 4 6",
            value=draws_of(view.lesson),
        )
        _pool(view)


def _drawn(view) -> tuple:
    """The draws of the class for the figure. Errors are shown at the field."""
    try:
        pool = pooled(draws_of(view.lesson))
    except InputError:
        return ()
    return pool.values if pool else ()


def _keep_typed(lesson):
    keep_draws(lesson, st.session_state[f"draws-{lesson.key}"])


def _pool(view):
    with text.sentences():
        pool = pooled(draws_of(view.lesson))
        if pool is None:
            return
        sure = f" ± {rounded(pool.half)} (95% interval)" if pool.half == pool.half else ""
        truth = rounded(view.answer.theory[view.answer.drawable])
        st.markdown(text.plain(f"{several(len(pool.values), 'draw')}: mean {rounded(pool.mean)}{sure}. Known: {truth}."))


def printed(lessons):
    """The sheet for a class."""
    st.download_button(
        "Print questions",
        lambda: sheet(lessons).encode(),
        "questions.html",
        "text/html",
        key="lesson-sheet",
        on_click="ignore",
        icon=":material/print:",
    )
