"""Stability: whose dice, for studies in which selectors with chance inside were fitted again to the same rows."""

import streamlit as st

from pages.parts import figures, text
from stabcore.figures.dice import draw_dice, finding_dice, frame_dice


def dice_section(found, k):
    """How much of the disagreement of each selector is its own."""
    frame = frame_dice(found.own_dice(k))
    figures.figure(draw_dice(frame), finding_dice(frame), frame, "dice")
    if len(frame) > 1:
        for said in frame["sentence"]:
            st.markdown(f"- {text.plain(said)}")
    st.caption("The runs of a study differ in their patients and, for selectors that draw by lot inside, in their dice. These were "
               "fitted again to the same rows with other dice; what differs then is their own. Selectors without chance inside are "
               "left out: fitted again they select the same.")


def how_to_ask(found):
    """One line on how to learn it, where a study has not asked."""
    if hasattr(found, "plan"):
        st.caption("Do runs disagree because of their patients, or because a selector draws by lot inside? Switch on “Whose dice?” "
                   "on Study to learn it.")
