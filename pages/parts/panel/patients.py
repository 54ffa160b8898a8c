"""How many patients, and in every centre: what plans of growing numbers and of centres left out tell."""

import streamlit as st

from pages.parts import cache, controls, figures, session, text, words
from stabcore.errors import InputError
from stabcore.figures.centres import draw_centres, finding_centres, frame_centres
from stabcore.figures.growth import draw_growth, finding_growth, frame_growth

COLUMNS = {"accuracy": "Predicted right", "accuracy_low": "From", "accuracy_high": "To", "auc": "AUC", "auc_low": "AUC from",
           "auc_high": "AUC to", "largest": "Most frequent class"}


def how_many(view):
    """Agreement of separate groups against their size."""
    label = of_ready(view)
    table = cache.computed(view.results.growth, k=view.k)
    frame = frame_growth(table, label)
    with view.top:
        figures.figure(draw_growth(frame), finding_growth(frame), frame, "growth")
    words.tell("Groups of one pair share no patient. The intervals are for other divisions of the same patients, not for other "
               "patients. How agreement continues beyond this table cannot be told from it.")


def each_centre(view):
    """How well each centre is predicted by models of all others."""
    label = of_ready(view)
    try:
        table = cache.computed(view.results.centres)
    except InputError as error:
        with view.top:
            st.info(text.plain(error), icon=":material/info:")
        return
    frame = frame_centres(table, label)
    with view.top:
        figures.figure(draw_centres(frame), finding_centres(frame), frame, "centres")
    figures.numbers(frame.drop(columns="selector"), hide_index=True, alt="Accuracy in each centre", column_config={
        name: st.column_config.NumberColumn(label, format="%.2f") for name, label in COLUMNS.items()})
    words.tell("What was selected, and the classifier, learned from all other centres; intervals (95%) take the patients of a "
               "centre to be independent of each other. With few centres this says little about a centre that is not among them.")


def of_ready(view):
    """The selector of a section that looks at one alone."""
    return view.who if view.who in view.results.ready else controls.selector_choice(view.results, session.EXPLORED, "Selector")
