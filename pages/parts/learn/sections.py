"""The parts of a lesson on screen: question, guess, answer, what to take along, the class."""

from __future__ import annotations

import streamlit as st

from pages.parts import figures, people, session, text, words
from pages.parts.learn import address
from pages.parts.learn.view import control_key, keep_guess, settings_of
from stabcore.errors import InputError
from stabcore.figures.lessons import draw_lesson, finding_lesson, frame_lesson, table_lesson
from stabcore.lessons.catalog import LESSONS
from stabcore.lessons.classroom import pooled, sheet
from stabcore.lessons.lesson import LARGEST_SEED, MANY, verdict
from stabcore.wording import rounded, several

NUMBERED = {key: f"{number} · {lesson.question}" for number, (key, lesson) in enumerate(LESSONS.items(), 1)}


def choose(place):
    """The lesson that is open."""
    if st.session_state.get(session.LESSON) not in LESSONS:
        st.session_state[session.LESSON] = next(iter(LESSONS))
    key = place.selectbox("Lesson", list(LESSONS), format_func=NUMBERED.get, **session.bound(session.LESSON))
    return LESSONS[key]


def tell(view):
    """The question and its story."""
    st.header(text.plain(view.lesson.question), divider="gray")
    st.markdown(text.plain(view.lesson.story))


def ask(view):
    """The guess, before anything is shown."""
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
            st.number_input(asked, float(guess.low), float(guess.high), None, float(guess.step), f"%.{decimals}f", key=key,
                            placeholder="Your guess")
            st.caption(f"A number from {guess.low:g} to {guess.high:g}.")       # another one only turns the field red
        if st.form_submit_button("Show the answer", type="primary", on_click=settle):
            st.info("Guess first: you remember what you were wrong about.", icon=":material/info:")
    st.caption("Nobody but you sees the guess. It only stands in the address of this page, so that a reload keeps it.")


def show(view):
    """The guess beside the answer, and right below what the picture says and itself: in large type they are still seen together.

    Below it the controls, as on other screens.
    """
    lesson, told = view.lesson, view.guess
    st.success(text.plain(verdict(lesson, told["guess"], told["at"])), icon=":material/lightbulb:")
    top = st.container()
    beside = st.columns(max(1, len(lesson.controls)), gap="large")
    for column, control in zip(beside, lesson.controls):
        with column:
            _turn(lesson, control)
    frame = frame_lesson(view.answer, told["guess"], told["at"], _drawn(view))
    with top:
        figures.figure(draw_lesson(frame, view.answer), finding_lesson(view.answer), table_lesson(frame, view.answer),
                       f"lesson-{lesson.key}")
    words.tell("Line: the mean of all that was measured. Points: draws from it." if lesson.exact else
               "Lines: what is known by calculation. Points: simulations, more of them where the control stands.")


def _turn(lesson, control):
    """One control; what it is at is kept, also while another lesson is open."""
    key = control_key(lesson, control)
    own = session.widget_key(key)
    st.session_state.setdefault(key, control.default)
    session.set_widget(own, st.session_state[key])

    def changed():
        st.session_state[key] = st.session_state[own]

    if control.names:
        st.selectbox(control.label, control.values, format_func=control.called, key=own, on_change=changed)
    else:
        st.select_slider(control.label, control.values, format_func=control.called, key=own, on_change=changed)


def take_along(view):
    """What to remember, where it stands, and the same for one's own data."""
    lesson = view.lesson
    st.markdown(f"**To remember.** {text.plain(lesson.insight)}")
    st.caption(f"To read: {text.plain(lesson.source)}.")
    st.markdown("**The same with my data**")            # by itself: the text of a link is cut where a telephone ends
    st.page_link(lesson.page, label=lesson.page_label, icon=":material/arrow_forward:")
    keys = list(LESSONS)
    later = keys[keys.index(lesson.key) + 1:]
    if later:
        st.button(f"Next: {text.plain(LESSONS[later[0]].question)}", key="next-lesson", icon=":material/skip_next:",
                  on_click=lambda: st.session_state.update({session.LESSON: later[0]}))


def classroom(view):
    """Seed, link for a class, and what everybody drew."""
    with st.expander("With a class", expanded=bool(_draws(view)), key="with-a-class", icon=":material/groups:"):
        st.number_input("Seed of the simulations", 0, LARGEST_SEED - 1, step=1,
                        help="The same seed draws the same points everywhere.",
                        **session.bound(session.LESSON_SEED, view.seed))
        answer = view.answer
        st.markdown(text.plain(f"My draw with seed {view.seed} ({view.lesson.series[answer.drawable]}): {rounded(answer.drawn)}"))
        words.tell(f"One draw, the first of the {MANY} of which the sentence over the picture tells the mean.")
        each = st.toggle("Everybody who opens the link draws with another seed", value=True, key="lesson-each")
        st.caption("The link opens this lesson with these settings, before the guess. It reaches others only if they can "
                   f"{people.needed()}; on their own computers the part from ? on works after their own address.")
        st.code(address.link(view, each), language=None)
        st.text_area("Draws of the class, one number a person", key=f"draws-{view.lesson.key}", on_change=lambda: _keep_draws(view),
                     placeholder="3 5 4 4 6", value=_draws(view))
        _pool(view)


def _draws(view) -> str:
    """What was typed of this lesson's draws."""
    return address.draws_of(view.lesson)


def _drawn(view) -> tuple:
    """The draws of the class for the picture; what is wrong with them is said where they are typed."""
    try:
        pool = pooled(_draws(view))
    except InputError:
        return ()
    return pool.values if pool else ()


def _keep_draws(view):
    address.keep_draws(view.lesson, st.session_state[f"draws-{view.lesson.key}"])


def _pool(view):
    with text.sentences():
        pool = pooled(_draws(view))
        if pool is None:
            return
        sure = f" ± {rounded(pool.half)} (95% interval)" if pool.half == pool.half else ""
        truth = rounded(view.answer.theory[view.answer.drawable])
        st.markdown(text.plain(f"{several(len(pool.values), 'draw')}: mean {rounded(pool.mean)}{sure}; known: {truth}."))


def printed(lessons):
    """The sheet for a class."""
    st.download_button("All questions to print, without answers", lambda: sheet(lessons).encode(), "questions.html", "text/html",
                       key="lesson-sheet", on_click="ignore", icon=":material/print:")
