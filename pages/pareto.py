"""Pareto: accuracy, stability and size against each other; which selectors no other beats, and how to choose among them."""

import streamlit as st

from pages import _loaded, _pareto_sections, _pareto_studies, _state, _widgets
from pages._pareto_common import SCORES, View, name
from stabcore.figures.floor import sentences_floor
from stabcore.figures.pareto import frame_fronts
from stabcore.measures.catalog import available

SECTIONS = {"front": ("The front", _pareto_sections.front), "weigh": ("Weigh them", _pareto_sections.weigh),
            "change": ("Classic → effective", _pareto_sections.change), "size": ("Number of features", _pareto_sections.size),
            "errors": ("Equally accurate?", _pareto_sections.errors), "studies": ("Other studies", _pareto_studies.studies)}
WITHOUT_SCORES = ("size", "studies")

_widgets.title("Accurate and stable: which selectors give both?")
found = _widgets.need_result()
which, picture = st.container(), st.container()             # above the controls below
possible = [one.key for one in available(found.preferences(found.ready[0]))]
measure = _state.keep("pareto-measure", lambda **at: st.selectbox("Measure of stability", possible, format_func=name, **at),
                      default="nogueira")
if measure not in possible:
    measure = "nogueira"
keys = list(dict.fromkeys([measure, "nogueira", "effective"]))
if _widgets.asked_cardinality(found) is not None:
    st.caption("Here the features count that each run selected, whatever the what-if of other screens asks: the accuracy was "
               "measured with these.")
relation = _loaded.relation()
table = _loaded.answer(lambda: found.table(keys, relation=relation), "table", keys, _loaded.relation_key())
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
_widgets.score_notes(table)
if st.session_state.get(_state.PARETO) not in titles:
    st.session_state[_state.PARETO] = next(iter(titles))
section = _state.keep(_state.PARETO, lambda **at: which.segmented_control(
    "What to look at", titles, format_func=titles.get, required=True, label_visibility="collapsed", **at))
view = View(found, table, keys, measure, score, relation, picture)
SECTIONS[section][1](view)
if section not in ("errors", "studies"):
    _pareto_sections.chosen(view, frame_fronts(table, keys[:1], score))
for sentence in sentences_floor({name(key): view.floor(key) for key in dict.fromkeys([measure, "effective"])}, found):
    st.caption(_widgets.plain(sentence))
st.caption("Intervals (95 %) are of two kinds here: that of an accuracy is about new patients (Nadeau and Bengio), that of a "
           "stability about other resamples of the same patients.")
_widgets.relation_line(found)
