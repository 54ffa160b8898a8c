"""Maps: run by run, which features were selected and how much each counted; two selectors side by side."""

import streamlit as st

from pages.parts import controls, guards, layout, maps
from pages.parts.maps import choose
from pages.parts.view import View


def screen():
    """The grid above what can be chosen about it, then the map of importances."""
    results = guards.require_results()
    top = st.container()
    view = choose(View(results, controls.cardinality(results), top))
    maps.grids(view)
    maps.rectangle_maps(view)


layout.title("What did each run select?")
screen()
