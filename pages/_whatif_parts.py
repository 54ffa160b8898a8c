"""What if a feature, a run or an outer fold had not been there?"""

import streamlit as st

from pages import _state
from pages._widgets import figure, plain, relation_line, selector_choice
from stabcore.figures.whatif import (
    MOST_BARS,
    draw_movers,
    draw_parts,
    finding_movers,
    finding_parts,
    frame_movers,
    frame_parts,
)


def ask(found, k):
    """One feature, run or fold left out at a time."""
    st.markdown("How much hangs on a single feature, or on a single run? Each is left out in turn, and the **effective stability** "
                "is measured again.")
    label = selector_choice(found, _state.EXPLORED, "Selector")
    relation, key = _state.relation(), _state.relation_key()
    runs = _state.selections([label], k)[label]
    features(_state.answer(lambda: frame_movers(runs, relation), "movers", label, k, key))
    numbers = [run + 1 for run in found.runs_done(label)] if hasattr(found, "runs_done") else None
    parts(_state.answer(lambda: frame_parts(runs, relation, numbers), "runs", label, k, key), "run")
    folds = [int(block) + 1 for block in found.blocks(label)] if hasattr(found, "blocks") else []
    if len(set(folds)) > 1:
        parts(_state.answer(lambda: frame_parts(runs, relation, blocks=folds), "folds", label, k, key), "outer fold")
    relation_line()


def features(frame):
    """The features whose absence moves the stability most."""
    st.subheader("Without a feature", divider="gray")
    if frame.empty:
        st.info("No run selected any feature.", icon=":material/info:")
        return
    why_missing(frame, "feature")
    if frame["change"].notna().any():
        figure(draw_movers(frame, _state.picked()), finding_movers(frame), frame, "movers",
               pick=lambda clicked: clicked and toggle([frame["feature"][int(row)] for row in clicked]))
        st.caption(f"As if it had not been in the table; the runs keep what else they selected. Up to {MOST_BARS} are drawn. Click "
                   "a bar to highlight its feature everywhere.")


def parts(frame, noun):
    """Each run or outer fold left out in turn."""
    st.subheader(f"Without {'an' if noun[0] in 'aeiou' else 'a'} {noun}", divider="gray")
    why_missing(frame, noun)
    if frame["change"].notna().any():
        figure(draw_parts(frame, noun), finding_parts(frame, noun), frame, f"without-{noun}")
        st.caption(f"A point above the line: that {noun} disagrees with the others more than most.")


def why_missing(frame, noun):
    """Why values are missing, once a reason."""
    for reason, rows in frame[frame["reason"] != ""].groupby("reason", sort=False):
        st.caption(plain(f"No value without {len(rows):,} {noun}{'s' * (len(rows) != 1)}: {reason}."))


def toggle(names):
    """Highlight these features everywhere, or no more."""
    picked = _state.picked()
    _state.pick([one for one in picked if one not in names] if set(names) <= set(picked) else [*picked, *names])
