"""Pareto: accuracy, stability and size against each other; which selectors no other beats, and how to choose among them."""

import streamlit as st

from pages.parts import cache, controls, guards, layout, session, text
from pages.parts.pareto import sections, studies
from pages.parts.pareto.view import SCORES, View, name
from stabcore.figures.floor import sentences_floor
from stabcore.figures.pareto import frame_fronts
from stabcore.measures.catalog import available

SECTIONS = {"front": ("The front", sections.front), "weigh": ("Weigh them", sections.weigh),
            "change": ("Classic → effective", sections.change), "size": ("Number of features", sections.size),
            "errors": ("Equally accurate?", sections.errors), "studies": ("Other studies", studies.studies)}
WITHOUT_SCORES = ("size", "studies")

layout.title("Accurate and stable: which selectors give both?")
found = guards.require_results()
which, picture = st.container(), st.container()             # above the controls below
possible = [one.key for one in available(found.preferences(found.ready[0]))]
measure = session.kept("pareto-measure", lambda **at: st.selectbox("Measure of stability", possible, format_func=name, **at),
                      default="nogueira")
if measure not in possible:
    measure = "nogueira"
keys = list(dict.fromkeys([measure, "nogueira", "effective"]))
if controls.asked_cardinality(found) is not None:
    st.caption("Here the features count that each run selected, whatever the what-if of other screens asks: the accuracy was "
               "measured with these.")
relation = cache.relation()
table = cache.cached(lambda: found.table(keys, relation=relation), "table", keys, cache.relation_key())
scores = {key: label for key, label in SCORES.items() if table[key].notna().any()}
score = next(iter(scores), "accuracy")
if len(scores) > 1:
    score = st.segmented_control("How well they predict held-out rows", scores, format_func=scores.get, default=score,
                                 required=True, key="score")
titles = {key: title for key, (title, _) in SECTIONS.items() if scores or key in WITHOUT_SCORES}
if not scores:
    st.info("Nothing is known about how well these features predict: selections that were brought along have no accuracy, and a "
            "study has one only with a classifier. Stability and the number of features can still be weighed.",
            icon=":material/info:")
    st.page_link("pages/study.py", label="Run a study", icon=":material/arrow_forward:")
controls.score_notes(table)
if st.session_state.get(session.PARETO) not in titles:
    st.session_state[session.PARETO] = next(iter(titles))
section = session.kept(session.PARETO, lambda **at: which.segmented_control(
    "What to look at", titles, format_func=titles.get, required=True, label_visibility="collapsed", **at))
view = View(found, table, keys, measure, score, relation, picture)
SECTIONS[section][1](view)
if section not in ("errors", "studies"):
    sections.chosen(view, frame_fronts(table, keys[:1], score))
for sentence in sentences_floor({name(key): view.floor(key) for key in dict.fromkeys([measure, "effective"])}, found):
    st.caption(text.plain(sentence))
st.caption("Intervals (95 %) are of two kinds here: that of an accuracy is about new patients (Nadeau and Bengio), that of a "
           "stability about other resamples of the same patients.")
controls.relation_line(found)
