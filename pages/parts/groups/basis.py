"""What a scenario rests on: nothing, correlations, groups or a matrix; and the relation it makes."""

from dataclasses import replace

import streamlit as st

from pages.parts import cache, callbacks, scenarios, session
from pages.parts.text import plain
from stabcore.analysis.similarity_warnings import on_categories
from stabcore.errors import InputError
from stabcore.relation.correlation import METHODS
from stabcore.relation.scenario import BASES
from stabcore.wording import listed


def possible_bases() -> list[str]:
    """What a scenario can rest on here; the chosen one is changed where it asks for correlations and there is no table."""
    data, now = cache.matching_data(), scenarios.chosen()
    bases = [key for key in BASES if key != "correlation" or data is not None]
    known = session.workspace().settings
    if data is None and known.get("table") and not known.get("roles"):
        st.info("Once the outcome of the table is chosen on Data, its correlations can say what stands for what.",
                icon=":material/info:")
        st.page_link("pages/data.py", label="Choose the outcome on Data", icon=":material/arrow_forward:")
    if data is None and cache.dataset() is not None:
        st.info("Correlations cannot be asked for: the results are about other features than those that are chosen on Data now.")
    if now.base not in bases:
        st.info("This scenario asks for correlations, which need the data table with the features of the results.")
        scenarios.change(replace(now, base="none"))
    return bases


def control(view, field, widget, *args, **options):
    """A widget that shows one setting of the scenario and changes it."""
    key = session.setting("scenario", field)
    session.set_widget(key, getattr(view.scenario, field))

    def change(value):
        scenarios.change(replace(scenarios.chosen(), **{field: value}))

    widget(*args, key=key, on_change=callbacks.when_moved(key, change), **options)


def correlation_controls(view):
    """From which |ρ| on, of which kind, and how far features stand for each other."""
    left, right = st.columns(2)
    with left:
        control(view, "threshold", st.slider, "Stand for each other from |ρ| =", 0.0, 1.0, step=0.01)
    with right:
        control(view, "method", st.selectbox, "Correlation", METHODS, format_func=METHODS.get)
        control(view, "binary", st.toggle, "Fully, whatever the correlation (off: by |ρ| itself)")
    if on_categories(view.data):
        st.caption(plain(on_categories(view.data)))


def say_relation(view):
    """The relation of the scenario in a sentence; where it cannot be made, why, and the way out."""
    try:
        relation = view.relation
    except InputError as error:
        st.error(plain(error), icon=":material/error:")
    else:
        st.success(plain(view.scenario.sentence(relation)), icon=":material/hub:")
        return
    strangers = view.scenario.unknown(view.names)
    if strangers:
        st.button(f"Take out what is not a feature here: {plain(listed(strangers, 3))}", key="take-out",
                  on_click=lambda: scenarios.change(view.scenario.among(view.names)))
    st.stop()
