"""Three ways to begin: nothing stands for anything, my groups, what is correlated; each with what it does to one selector."""

from dataclasses import replace

import streamlit as st

from pages.parts import cache, scenarios, session, text, words
from stabcore.errors import InputError
from stabcore.figures.estimates import written
from stabcore.inference.changes import change
from stabcore.inference.estimate import stability
from stabcore.wording import several

CARDS = {"none": ("Nothing", "Every marker stands for itself: another one in its place is another answer."),
         "groups": ("My groups", "Members of a group that I know stand for each other, such as readings of the same thing."),
         "correlation": ("Correlated", "Markers that rise and fall together in these patients stand for each other.")}
AT_ONCE = 2000          # features whose correlations are computed before somebody asks for them


def cards(view, label):
    """The three cards; label: the selector whose stability they tell, None where there are no results."""
    for place, (base, (title, sentence)) in zip(st.columns(3), CARDS.items(), strict=True):
        with place, st.container(border=True, height="stretch"):
            st.markdown(f"**{title}**")
            card(view, label, base, sentence)


def card(view, label, base, sentence):
    """What one of them does, above what it is, so that the numbers of all stand in one line; and its button."""
    now, missing = view.scenario, why_not(view, base)
    if missing:
        st.caption(f":material/info: {missing}")
    elif base == "correlation" and now.base != base and len(view.names) > AT_ONCE:
        st.caption(f"With {len(view.names):,} features it takes a while; it is computed when you use it.")
    else:
        effect(view, label, replace(now, base=base, edits=now.edits if now.base == base else ()))
    words.tell(sentence)
    used = now.base == base
    st.button("Used now" if used else "Make groups" if missing and base == "groups" else "Use this", key=session.card(base),
              disabled=used or bool(missing and base != "groups"), type="secondary" if used else "primary",
              on_click=lambda: scenarios.change(replace(scenarios.chosen(), base=base)))


def why_not(view, base) -> str:
    """What is missing for a card; "" where nothing is."""
    if base == "groups" and not view.scenario.groups:
        return "There is no group yet."
    if base == "correlation" and view.data is None:
        return "This needs the data table with these features."
    return ""


def effect(view, label, scenario):
    """The effective stability of the selector under a scenario, its distance from the classic one, and the related pairs."""
    try:
        relation = cache.relation_of(scenario)
    except InputError as error:
        st.caption(f":material/warning: {text.plain(error)}")
        return
    if label is not None:
        value, moved = cache.computed(_answer, view.results, label, view.k, relation)
        st.metric(CARDS[scenario.base][0], text.number(value.value), label_visibility="collapsed",
                  help="Effective stability of the selector that is chosen below.")
        if moved is not None and moved.difference:
            st.caption(text.plain(f"{written(moved.difference, moved.low, moved.high)} against nothing"))
    st.caption(several(relation.n_related, "related pair"))


def _answer(results, label, k, relation):
    """(Estimate of the effective stability, how far it is from the classic one, None where C relates nothing)."""
    runs = results.preferences(label, k)
    return (stability(runs, "effective", relation=relation),
            change(runs, relation=relation) if relation.n_related else None)
