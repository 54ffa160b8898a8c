"""Pareto: accuracy, stability and size against each other; the Pareto front, and how to choose from it."""

import streamlit as st

from pages.parts import controls, guards, layout, pareto, session
from pages.parts.pareto import choose
from pages.parts.view import View

SECTIONS = {
    "front": ("The front", pareto.front),
    "weigh": ("Weigh them", pareto.weigh),
    "change": ("Classic → effective", pareto.change),
    "size": ("Number of features", pareto.size),
    "errors": ("Equally accurate?", pareto.errors),
    "studies": ("Other studies", pareto.studies),
}
WITHOUT_SCORES = ("size", "studies")
OWN_PICTURE = ("errors", "studies")  # there no selectors are marked


def screen():
    """One section of the page above the controls that all share, and the selectors that were marked."""
    results = guards.require_results()
    which, top = st.container(), st.container()  # above the controls below
    view = choose(View(results, top=top))
    titles = {
        key: title
        for key, (title, _) in SECTIONS.items()
        if (view.scores or key in WITHOUT_SCORES) and (key != "size" or view.sizes_differ or not view.scores)
    }
    section = controls.section(session.PARETO_SECTION, titles, place=which)
    SECTIONS[section][1](view)
    if section not in OWN_PICTURE:
        pareto.chosen(view)
    controls.similarity_line(view)


layout.title("Accurate and stable: which selectors give both?")
screen()
