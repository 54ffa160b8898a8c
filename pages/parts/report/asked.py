"""Two questions about a table that no file answers, and the report needs; the answers stay with the work."""

import streamlit as st

from pages.parts import callbacks, kept_answers, session
from stabcore.reporting.subject import UNKNOWN

ANSWERS = {UNKNOWN: "Not answered", "no": "No", "yes": "Yes, in these very patients"}
LONGEST = 2000          # letters of the answer where patients come from


def about_table() -> dict:
    """{filtered, source} as answered."""
    here = session.workspace()
    told = {"filtered": UNKNOWN, "source": ""} | (here.settings.get(kept_answers.ASKED) or {})
    unanswered = told["filtered"] == UNKNOWN or not told["source"]
    session.set_widget(session.ASKED_FILTERED, told["filtered"] if told["filtered"] in ANSWERS else UNKNOWN)
    session.set_widget(session.ASKED_SOURCE, str(told["source"]))
    with st.expander("Two questions that no file answers", key="two-questions", expanded=unanswered):
        st.radio("Were columns chosen beforehand by looking at the outcome of these patients?", list(ANSWERS),
                 format_func=ANSWERS.get, key=session.ASKED_FILTERED, horizontal=True, on_change=_answered,
                 help="For example, only genes kept that differ between the groups. Then stability and accuracy look "
                 "better than they are.")
        st.text_area("Where do the patients come from?", key=session.ASKED_SOURCE, max_chars=LONGEST, on_change=_answered,
                     placeholder="Hospital, years, how they were chosen")
    return told


@callbacks.of_work
def _answered():
    """Keep both answers."""
    filtered, source = (st.session_state[key] for key in (session.ASKED_FILTERED, session.ASKED_SOURCE))
    kept_answers.save(asked={"filtered": filtered, "source": source.strip()})
