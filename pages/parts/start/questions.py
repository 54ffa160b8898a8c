"""Questions that files of selections leave open, with a button per answer. Start and Check ask them."""

from collections.abc import Callable
from typing import Any

import streamlit as st

from pages.parts import text
from stabcore.io.choices import Question
from stabcore.io.long_table import OneRun

PASTED = "pasted.txt"  # file name of pasted selections


def saved_answers(place: str) -> dict[str, dict[str, Any]]:
    """{file name: {option: value}} of the answers on a page."""
    return st.session_state.setdefault(f"{place}_answers", {})


def forget_question(place: str) -> None:
    """Forget question and answers of a page, because they do not apply to other files."""
    for part in ("asked", "answers"):
        st.session_state.pop(f"{place}_{part}", None)


def try_reading(place: str, reader: Callable[[], None]) -> bool:
    """Call the reader. Returns whether it succeeded: an error is shown, and a question is kept for `ask_question`."""
    try:
        reader()
    except OneRun as question:
        st.error(text.plain(question), icon=":material/error:")
        st.caption("In R, where d is your table and y the outcome:")
        st.code(question.in_r, language="r", wrap_lines=True)
        return False
    except Question as question:
        if not question.answers:
            raise
        st.session_state[f"{place}_asked"] = question
        return False
    return True


def ask_question(place: str, again: Callable[[], None]) -> None:
    """The open question with a button per answer. again: reads once more, with the answer."""
    question = st.session_state.get(f"{place}_asked")
    if question is None:
        return
    file = f"{text.plain(question.file)}: " if question.file and question.file != PASTED else ""
    box, chosen = st.empty(), None
    with box.container():
        st.warning(f"{file}{text.plain(question)}", icon=":material/help:")
        for number, (value, meaning) in enumerate(question.answers.items()):
            if st.button(text.plain(meaning), key=f"answer-{question.option}-{number}"):
                chosen = value
    if chosen is None:
        return
    box.empty()
    saved_answers(place).setdefault(question.file, {})[question.option] = chosen
    st.session_state.pop(f"{place}_asked")
    again()
    if st.session_state.get(f"{place}_asked"):
        st.rerun()
