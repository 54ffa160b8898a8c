"""Pareto: accuracy, stability and size against each other; which selectors no other beats, and how to choose among them."""

import streamlit as st

from pages.parts import controls, guards, layout, session, text, words
from pages.parts.pareto import sections, studies
from pages.parts.pareto.view import choose
from pages.parts.view import View
from stabcore.figures.floor import sentences_floor
from stabcore.figures.pareto import frame_fronts

SECTIONS = {"front": ("The front", sections.front), "weigh": ("Weigh them", sections.weigh),
            "change": ("Classic → effective", sections.change), "size": ("Number of features", sections.size),
            "errors": ("Equally accurate?", sections.errors), "studies": ("Other studies", studies.studies)}
WITHOUT_SCORES = ("size", "studies")
OWN_PICTURE = ("errors", "studies")         # there no selectors are marked


def screen():
    """One section of the page above the controls that all share, and the selectors that were marked."""
    results = guards.require_results()
    which, top = st.container(), st.container()             # above the controls below
    view = choose(View(results, top=top))
    titles = {key: title for key, (title, _) in SECTIONS.items() if (view.scores or key in WITHOUT_SCORES)
              and (key != "size" or view.sizes_differ or not view.scores)}
    section = controls.section(session.PARETO, titles, place=which)
    SECTIONS[section][1](view)
    if section not in OWN_PICTURE:
        sections.chosen(view, frame_fronts(view.table, view.keys[:1], view.score))
    for sentence in sentences_floor(view.named_floors(), results):
        words.tell(text.plain(sentence))
    words.tell("Intervals (95%) are of two kinds here: that of an accuracy is about new patients (Nadeau and Bengio), that of a "
               "stability about other resamples of the same patients.")
    controls.relation_line(view)


layout.title("Accurate and stable: which selectors give both?")
screen()
