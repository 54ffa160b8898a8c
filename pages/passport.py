"""Passport: everything that is known about one feature, over all selectors."""

import streamlit as st

from pages.parts import controls, guards, layout
from pages.parts.passport import sections
from pages.parts.view import View


def screen():
    """One feature, above what is asked about its runs."""
    results = guards.require_results()
    asked, top = st.container(), st.container()             # above what is asked below
    view = View(results, controls.cardinality(results), top)
    feature = sections.ask_feature(view, asked)
    runs = {label: results.preferences(label, view.k) for label in results.ready}
    sections.how_often(view, feature, runs)
    sections.ranks(view, feature, runs)
    sections.swaps(view, feature, runs)
    controls.relation_line(view)
    sections.direction(view, feature)
    sections.in_the_table(view, feature)


layout.title("What is known about one feature?")
screen()
