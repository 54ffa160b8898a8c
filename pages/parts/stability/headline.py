"""Stability, the headline: each selector beside its own noise floor, by halves where the study made them, else by all runs."""

from functools import partial

import streamlit as st

from pages.parts import cache, figures, session, text, words
from stabcore.analysis.floors import blind
from stabcore.figures.beyond import PANELS, draw_beyond, frame_beyond, panels_of
from stabcore.figures.beyond_words import finding_beyond, notes_beyond, table_beyond

LINES = 4           # of the legend on a telephone


def draw(view):
    """The figure, what it shows in one sentence, and the numbers in its order."""
    panels = panels_of(view.results, view.relation, partial(_halves, view), view.floors)
    frame = frame_beyond(panels, blind(view.results))
    pairs = view.stability_pairs("nogueira") if "halves" not in panels else None
    finding = finding_beyond(frame, view.results, pairs)
    figures.at_width(draw_beyond(frame), lambda: one_panel(frame), finding, frame, "stability")
    words.tell(*(text.plain(one) for one in notes_beyond(frame)))
    numbers = table_beyond(frame)
    if view.missing_runs:
        numbers["runs"] = [view.missing_runs.get(label, "") for label in numbers["selector"]]
    figures.numbers(numbers, hide_index=True, alt="Each selector beside its noise floor",
                    column_config={"p": st.column_config.NumberColumn("p (shuffles)", format="%.3f")})


def _halves(view, measure):
    """What two separate halves of the patients agree on, of a study of complementary halves."""
    return cache.computed(view.results.split_half, measure, view.relation, view.k)


def one_panel(frame):
    """The figure for a telephone, which has room for one quantity: the headline, or the one that is chosen."""
    panels = list(dict.fromkeys(frame["panel"]))
    chosen = panels[0] if len(panels) == 1 else st.segmented_control(
        "Quantity", panels, format_func=lambda key: PANELS[key][0], required=True, label_visibility="collapsed",
        **session.bound(session.ONE_PANEL, panels[0], panels))
    return draw_beyond(frame, [chosen], lines=LINES)
