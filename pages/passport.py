"""Passport: everything that is known about one feature, over all selectors."""

import streamlit as st

from pages.parts import controls, guards, layout, passport
from pages.parts.view import View


def screen():
    """One feature, above what is asked about its runs."""
    results = guards.require_results()
    asked, top = st.container(), st.container()  # above what is asked below
    view = View(results, controls.cardinality(results), top)
    feature = passport.ask_feature(view, asked)
    runs = {label: results.selections(label, view.k) for label in results.finished_selectors}
    passport.how_often(view, feature, runs)
    passport.ranks(view, feature, runs)
    passport.swaps(view, feature, runs)
    controls.similarity_line(view)
    passport.direction(view, feature)
    passport.in_the_table(view, feature)


layout.title("What is known about one feature?")
screen()
