"""Two questions about a table that no file answers, and the report needs; the answers stay with the work."""

import streamlit as st

from pages.parts import session
from stabcore.report.subject import UNKNOWN

ANSWERS = {UNKNOWN: "Not answered", "no": "No", "yes": "Yes, in these very patients"}
LONGEST = 2000          # letters of the answer where patients come from


def about_table() -> dict:
    """{filtered, source} as answered."""
    here = session.workspace()
    told = {"filtered": UNKNOWN, "source": ""} | (here.settings.get("asked") or {})
    unanswered = told["filtered"] == UNKNOWN or not told["source"]
    with st.expander("Two questions that no file answers", key="two-questions", expanded=unanswered):
        filtered = st.radio("Were columns chosen beforehand by looking at the outcome of these patients?", list(ANSWERS),
                            index=list(ANSWERS).index(told["filtered"]) if told["filtered"] in ANSWERS else 0,
                            format_func=ANSWERS.get, key="asked-filtered", horizontal=True,
                            help="For example, only genes kept that differ between the groups. Then stability and accuracy look "
                            "better than they are.")
        source = st.text_area("Where do the patients come from?", str(told["source"]), key="asked-source", max_chars=LONGEST,
                              placeholder="Hospital, years, how they were chosen").strip()
    new = {"filtered": filtered, "source": source}
    if new != told:
        here.save(asked=new)
    return new
