"""Lessons: a question, a guess, the known answer and draws one after the other, and the address of a lesson."""

from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any
from urllib.parse import urlencode

import streamlit as st

from pages.parts import figures, glossary, session, text
from pages.parts.learn import classes, own
from stabcore.plots.lessons import (
    draw_cells,
    draw_guess,
    draw_lesson,
    finding_lesson,
    frame_cells,
    frame_guess,
    frame_lesson,
    table_lesson,
)
from stabcore.teaching.catalog import LESSONS
from stabcore.teaching.classroom import answer_key, question_sheet
from stabcore.teaching.lesson import (
    LARGEST_SEED,
    SEPARATOR,
    Answer,
    Lesson,
    answer,
    describe_verdict,
    n_draws_on_ladder,
    new_seed,
    next_n_draws,
    read_seed,
)

GUESS_SETTINGS = "at"  # the settings of the guess in the address, if the controls have moved
CLASS, TEACHES = "class", "teaches"  # code of the class of a student, and of the class that a teacher has opened
NAMES = {"lesson", "seed", "guess", "draws", GUESS_SETTINGS, CLASS, TEACHES} | {
    control.key for lesson in LESSONS.values() for control in lesson.controls
}
DRAW_COUNTS = (10, 100, 1000)  # numbers of draws at once
MAX_QUICK = 100  # most draws after a control has moved, so that the picture moves with it
FORM_WIDTH = 740  # pixels of the form with the guess, and of the box for teachers
EACH = "each"  # instead of a seed: everybody who opens the link draws with another one


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
        """The known answer and the draws with these settings, kept because controls are often moved back."""
        return _answer(self.lesson, self.lesson.key, tuple(self.settings.items()), self.seed, number_of_draws(self.lesson))


@st.cache_resource(max_entries=300, show_spinner=False)
def _answer(_lesson, key, settings, seed, n):
    """key: that of the lesson, which a user-defined lesson derives from its content."""
    return answer(_lesson, dict(settings), seed, n)


def control_key(lesson, control) -> str:
    """Key of a control of a lesson in the session."""
    return f"learn-{lesson.key}-{control.key}"


def settings_of(lesson) -> dict:
    """Values of the controls of a lesson, from a link or the defaults before they are moved."""
    return lesson.settings(
        {control.key: st.session_state.get(control_key(lesson, control), control.default) for control in lesson.controls}
    )


def _save_setting(key, lesson, value):
    st.session_state[key] = {**st.session_state.get(key, {}), lesson.key: value}


def save_guess(lesson, guess, settings):
    """Keep the guess and its settings."""
    _save_setting(session.LESSON_GUESSES, lesson, {"guess": guess, "at": settings})


def read_address():
    """Read the address unless this screen wrote it. Unknown values are ignored."""
    asked = {name: value for name, value in st.query_params.items() if name in NAMES}
    code = asked.get(TEACHES) or asked.get(CLASS, "")
    lesson = own.lessons_by_key().get(asked.get("lesson", "")) or classes.own_lesson(code, asked.get("lesson"))
    if lesson is None or asked == st.session_state.get(session.LESSON_ADDRESS):
        return
    if lesson.key not in LESSONS:
        own.open_lesson(lesson)
    st.session_state[session.LESSON] = lesson.key
    st.session_state[session.LESSON_CLASS] = asked.get(CLASS)
    if classes.is_open(asked.get(TEACHES)):
        st.session_state[session.TEACHERS_CLASS] = asked[TEACHES]
    if "seed" in asked:
        st.session_state[session.LESSON_SEED] = new_seed() if asked["seed"] == EACH else read_seed(asked["seed"])
    for control in lesson.controls:
        st.session_state[control_key(lesson, control)] = control.nearest(asked.get(control.key))
    guess = lesson.read_guess(asked.get("guess"))
    if guess is not None:
        settings = settings_of(lesson)
        if GUESS_SETTINGS in asked:
            texts = dict(zip(settings, asked[GUESS_SETTINGS].split(SEPARATOR), strict=False))
            settings |= {control.key: control.nearest(texts[control.key]) for control in lesson.controls if control.key in texts}
        save_guess(lesson, guess, settings)
    set_draws(lesson, n_draws_on_ladder(asked.get("draws")))


def number_of_draws(lesson) -> int:
    """The number of draws of a lesson."""
    return st.session_state.get(session.LESSON_DRAWS, {}).get(lesson.key, 1)


def set_draws(lesson, n):
    """Keep the number of draws of a lesson."""
    _save_setting(session.LESSON_DRAWS, lesson, n)


def write_address(view):
    """Write the state to the address, so that a reload restores it."""
    in_address = _format_address(view, str(view.seed))
    if code := st.session_state.get(session.LESSON_CLASS):
        in_address[CLASS] = code
    if code := st.session_state.get(session.TEACHERS_CLASS):
        in_address[TEACHES] = code
    if view.guess is not None:
        guess = view.guess["guess"]
        in_address["guess"] = SEPARATOR.join(map(str, guess)) if isinstance(guess, tuple) else str(guess)
        in_address["draws"] = str(number_of_draws(view.lesson))
        if view.guess["at"] != view.settings:
            in_address[GUESS_SETTINGS] = SEPARATOR.join(map(str, view.guess["at"].values()))
    if in_address != st.session_state.get(session.LESSON_ADDRESS) or "lesson" not in st.query_params:
        others = {name: value for name, value in st.query_params.items() if name not in NAMES | {"paper"}}
        st.query_params.from_dict({**others, **in_address})
        st.session_state[session.LESSON_ADDRESS] = in_address


def class_address(view, code) -> str:
    """The address for a class: the lesson and its settings, another seed for everybody, without guess and project."""
    here = (st.context.url or "").split("?")[0]
    return f"{here}?{urlencode({**_format_address(view, EACH), CLASS: code})}"


def _format_address(view, seed):
    return {"lesson": view.lesson.key, "seed": seed, **{key: str(value) for key, value in view.settings.items()}}


def ask_lesson(place):
    """The open lesson, under its question. place: of the list of all lessons, and of the button that opens the next one."""
    lessons = own.lessons_by_key()
    keys = list(lessons)
    if st.session_state.get(session.LESSON) not in lessons:
        st.session_state[session.LESSON] = keys[0]
    number = keys.index(st.session_state[session.LESSON]) + 1
    with place:
        with st.popover(f"Lesson {number} of {len(keys)}", icon=":material/list:"):  # another one is closed
            titles = {key: f"{i} · {text.plain(lessons[key].question)}" for i, key in enumerate(keys, 1)}
            key = st.radio("Choose lesson", keys, format_func=titles.__getitem__, **session.bound(session.LESSON))
        if number < len(keys):
            icon, following = ":material/arrow_forward:", {session.LESSON: keys[number]}
            click = partial(st.session_state.update, following)
            st.button("Next lesson", key="next-lesson", icon=icon, icon_position="right", on_click=click)
    st.header(text.plain(lessons[key].question))
    return lessons[key]


def _show_setting(view):
    """The setting of the question, before the guess."""
    st.markdown(text.plain(view.lesson.story))
    if view.lesson.shown_first:
        cells = frame_cells(view.answer)
        figures.show_figure(
            draw_cells(cells, view.answer), view.lesson.story, cells, "lesson-cells", with_finding=False, with_numbers=False
        )


def ask_guess(view):
    """The guess, before the answer."""
    lesson, guess = view.lesson, view.lesson.guess
    if guess.curve:
        _ask_curve(view)
        return
    _show_setting(view)
    key = f"guess-{lesson.key}"

    def settle():
        if st.session_state.get(key) is not None:
            save_guess(lesson, st.session_state[key], settings_of(lesson))
            classes.send_reply(view, st.session_state[key])

    with st.form(f"form-{lesson.key}", width=FORM_WIDTH):
        asked = text.escape_label(lesson.ask(view.settings))
        if guess.choices:
            st.radio(asked, guess.choices, index=None, format_func=text.plain, key=key)
        else:
            low, high, step = map(float, (guess.low, guess.high, guess.step))
            digits = "%.0f" if step == 1 else "%.2f"
            st.number_input(asked, low, high, None, step, digits, key=key, placeholder="Your guess")
            most = view.settings[guess.limit] if guess.limit else guess.high
            st.caption(f"A number from {guess.low:g} to {most:g}.")  # another value is only marked in the field
        if st.form_submit_button("Show answer", type="primary", on_click=settle):
            st.info("Enter a guess first.", icon=":material/info:")


def _ask_curve(view):
    """A slider per point of the curve, and the curve beside them, or above them on a telephone."""
    lesson, guess, first = view.lesson, view.lesson.guess, view.lesson.controls[0]
    middle = (guess.low + guess.high) / 2
    low, high, step = map(float, (guess.low, guess.high, guess.step))
    digits = "%d" if step == 1 else "%.2f"
    picture, points = st.columns([9, 4], gap="medium")
    with points, st.container(key="lesson-curve", gap="xsmall"):
        curve = tuple(
            st.slider(f"{first.label}: {first.name_of(value)}", low, high, middle, step, digits, key=f"curve-{lesson.key}-{value}")
            for value in first.values
        )
        if st.button("Show answer", key="show-curve", type="primary", on_click=_save_curve, args=(view, curve, middle)):
            st.info("Draw your curve first.", icon=":material/info:")
    with picture:
        _show_setting(view)
        st.markdown(f"**{text.plain(lesson.ask(view.settings))}**")
        if lesson.shown_first:  # the picture that is rated
            return
        frame = frame_guess(lesson, view.settings, curve)
        figures.show_figure(
            draw_guess(frame, lesson), lesson.ask(view.settings), frame, "lesson-guess", with_finding=False, with_numbers=False
        )


def _save_curve(view, curve, middle):
    """Keep a curve, unless it was never touched."""
    if any(height != middle for height in curve):
        save_guess(view.lesson, curve, view.settings)
        classes.send_reply(view, curve)


def show_answer(view):
    """The guess and the answer above the figure, the controls beside it. On a telephone the first control is above the figure."""
    lesson, guess = view.lesson, view.guess
    picture, controls = st.columns([9, 4], gap="medium")
    answered = picture.container()
    for number, control in enumerate(lesson.controls):
        with picture if figures.is_telephone() and not number else controls:
            _show_control(lesson, control)
    with controls:
        _show_draw_buttons(view)
        _show_story(view)
        with st.container(horizontal=True, gap="xsmall", key="lesson-again"):
            st.button("Guess again", key="guess-again", icon=":material/psychology_alt:", on_click=_ask_again, args=(lesson,))
            st.button("Other draws", key="draw-again", icon=":material/casino:", on_click=_draw_again, args=(lesson,))
    frame = frame_lesson(view.answer, guess["guess"], guess["at"])
    finding = finding_lesson(view.answer)
    with answered:
        if lesson.asked(guess["at"]) == lesson.asked(view.settings):
            finding = f"{describe_verdict(lesson, guess['guess'], guess['at'])} {finding}"
        glossary.show_sentence(finding)
    with picture:
        figures.show_figure(
            draw_lesson(frame, view.answer), finding, frame, _figure_name(lesson), with_finding=False, with_numbers=False
        )
    st.markdown(f"**Remember:** {text.plain(lesson.insight)}")
    figures.show_folded_table(lambda: table_lesson(frame, view.answer), _figure_name(lesson), "Numbers of this figure")


def _figure_name(lesson):
    return f"lesson-{lesson.key}"


def _show_draw_buttons(view):
    """One more draw, or many at once, or other ones."""
    with st.container(horizontal=True, gap="xsmall", key="lesson-draws-buttons"):
        lesson, now = view.lesson, number_of_draws(view.lesson)
        more = next_n_draws(now)
        st.button("Draw", key="draw-one", type="primary", disabled=more == now, on_click=set_draws, args=(lesson, more))
        for n in DRAW_COUNTS:
            st.button(f"{n:,}", key=f"draw-{n}", help=f"{n:,} draws", on_click=set_draws, args=(lesson, n))


def _draw_again(lesson):
    st.session_state[session.LESSON_SEED] = new_seed()
    set_draws(lesson, 1)


def _ask_again(lesson):
    """Ask again, with the present settings."""
    guesses = st.session_state.get(session.LESSON_GUESSES, {})
    st.session_state[session.LESSON_GUESSES] = {key: guess for key, guess in guesses.items() if key != lesson.key}
    set_draws(lesson, 1)


def _show_story(view):
    """The story of a lesson, step by step: words, with the settings and draws that show them."""
    steps = view.lesson.steps
    if not steps:
        return
    number = st.session_state.get(session.LESSON_STEP, {}).get(view.lesson.key)
    if number is not None:
        st.info(f"{number + 1} of {len(steps)}. {text.plain(steps[number].words)}")
    with st.container(horizontal=True, gap="xsmall", key="lesson-story-buttons"):
        if number is None:
            st.button("Show the story", key="story", icon=":material/auto_stories:", on_click=_open_step, args=(view.lesson, 0))
            return
        st.button("Back", key="story-back", disabled=number == 0, on_click=_open_step, args=(view.lesson, number - 1))
        st.button("Next", key="story-next", disabled=number == len(steps) - 1, on_click=_open_step, args=(view.lesson, number + 1))


def _open_step(lesson, number):
    step = lesson.steps[number]
    settings = lesson.settings() | dict(step.settings)
    for control in lesson.controls:
        st.session_state[control_key(lesson, control)] = settings[control.key]
    set_draws(lesson, step.draws)
    _save_setting(session.LESSON_STEP, lesson, number)


def _store_control(lesson, key):
    """Take over a moved control, which ends a story."""
    session.store_widget_value(key)
    set_draws(lesson, min(number_of_draws(lesson), MAX_QUICK))
    _save_setting(session.LESSON_STEP, lesson, None)


def _show_control(lesson, control):
    """One control. Its value is kept while another lesson is open."""
    key = control_key(lesson, control)
    draw: Any = st.selectbox if control.names else st.select_slider
    widget = session.widget_key(key)
    session.set_widget(widget, session.value_or_default(key, control.default))
    draw(control.label, control.values, format_func=control.name_of, key=widget, on_change=_store_control, args=(lesson, key))


def show_summary(view):
    """The setting again, its source, and the same question for own data."""
    lesson = view.lesson
    st.caption(f"{text.plain(lesson.story)} Source: {text.plain(lesson.source)}.")
    st.markdown("**With your own data**")
    st.page_link(lesson.page, label=lesson.page_label, icon=":material/arrow_forward:")


def show_classroom(view):
    """For teachers: the seed, a class whose guesses and draws arrive automatically, a user-defined lesson, and printed sheets."""
    is_open = session.TEACHERS_CLASS in st.session_state
    with st.expander("For teachers", key="with-a-class", expanded=is_open, width=FORM_WIDTH):
        box = session.bound(session.LESSON_SEED, view.seed)
        st.number_input("Seed", 0, LARGEST_SEED - 1, step=1, help="The same seed gives the same draws.", **box)
        classes.show_class(view, partial(class_address, view))
        own.show_upload()
        _printed_files(own.lessons_by_key())


def _printed_files(lessons):
    """The sheet for a class, and the answers for its teacher."""
    with st.container(horizontal=True):
        for label, page, name in (
            ("Print questions", question_sheet, "questions"),
            ("Answers for teachers", answer_key, "answers"),
        ):
            figures.show_file_button(label, partial(page, lessons), f"{name}.html", f"lesson-{name}", icon=":material/print:")
