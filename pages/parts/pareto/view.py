"""What the sections of Pareto share: what is looked at, the words for it, and what a click on a point does."""

from dataclasses import dataclass
from typing import Any

import pandas as pd
import streamlit as st

from pages.parts import cache, controls, session, words
from pages.parts.controls import measure_name
from pages.parts.view import View
from stabcore.analysis.beyond import beyond_floor
from stabcore.analysis.half_samples import front_shares
from stabcore.analysis.pairs import score_pairs, size_pairs
from stabcore.figures.pareto import frame_fronts
from stabcore.inference.guessing import default_score
from stabcore.study.several import settings_of_one

SCORES = {"accuracy": "Accuracy", "balanced_accuracy": "Balanced accuracy", "auc": "Area under the ROC curve"}


@dataclass(frozen=True, eq=False, kw_only=True)
class ParetoView(View):
    """The table of the results, the measure and the score that were chosen, the scores that are known.

    The number of features is always that of each run: the accuracy was measured with these.
    """

    measure: str
    keys: list[str]             # of the measures in the table, the chosen one first
    measured: Any               # the result table
    table: Any                  # the same with each stability beyond its noise floor
    scores: dict[str, str]      # {score: what it is called}
    score: str

    @property
    def score_label(self):
        """What the score is called."""
        return SCORES[self.score]

    def families(self):
        """{selector: what it is a setting of}: settings of one selector are joined by a line."""
        return settings_of_one(self.results)

    @property
    def threads(self):
        """What thin lines are, where there are any."""
        return "Thin lines join settings of one selector. " if self.families() else ""

    @property
    def sizes_differ(self):
        """Do selectors select different numbers of features, so that size can decide anything?"""
        return self.table["mean_size"].round(6).nunique() > 1

    @property
    def guessing(self):
        """Which selectors predict better than always naming the larger class; None where no score is known."""
        return cache.computed(self.results.beats_guessing, self.score) if self.scores else None

    def front(self):
        """Accuracy against stability of each selector, with what is clear of it, see stabcore.figures.pareto."""
        return frame_fronts(self.table, self.measure, self.score, self.pairs(self.measure), self.front_shares(), self.guessing)

    def front_shares(self):
        """In what share of halves of the runs each selector is on the front, see stabcore.analysis.half_samples."""
        floors = self.table[f"{self.measure}_floor"]
        return cache.computed(_front_shares, self.results, self.measure, self.score, self.relation_for(self.measure),
                              floors.to_dict() if floors.notna().any() else None)

    def pairs(self, *measures, sizes=False):
        """{measure, score or "size": every two selectors compared by it}: what is clear rests on these."""
        compared = {one: self.stability_pairs(one) for one in measures}
        if self.table[self.score].notna().any():
            compared[self.score] = cache.computed(score_pairs, self.results, self.score)
        return compared | ({"size": cache.computed(size_pairs, self.results)} if sizes else {})


def _front_shares(results, measure, score, relation, floors):
    return front_shares(results, measure, score, relation=relation, floors=None if floors is None else pd.Series(floors))


def choose(view) -> ParetoView:
    """Ask for the measure of stability and the score."""
    measure = st.selectbox("Measure of stability", view.measures, format_func=measure_name, help=words.about("measure"),
                           **session.bound(session.PARETO_MEASURE, "nogueira", view.measures))
    keys = list(dict.fromkeys([measure, "nogueira", "effective"]))
    if controls.asked_cardinality(view.results) is not None:
        words.tell("Here the features count that each run selected, whatever the what-if of other screens asks: the accuracy was "
                   "measured with these.")
    table = cache.computed(view.results.table, keys, relation=view.relation)
    scores = {key: label for key, label in SCORES.items() if table[key].notna().any()}
    score = _score(scores, default_score(view.results, table))
    controls.score_notes(table)
    beyond = beyond_floor(table, {key: view.floors(key) for key in keys})
    return view.extended(ParetoView, measure=measure, keys=keys, measured=table, table=beyond, scores=scores, score=score)


def _score(scores, usual):
    """The score that is chosen among those that are known, at first the usual one; where none is, why."""
    score = usual or "accuracy"
    if len(scores) > 1:
        score = st.segmented_control("How well they predict held-out rows", scores, format_func=scores.get, required=True,
                                     **session.bound(session.PARETO_SCORE, score, scores))
    if not scores:
        st.info("Nothing is known about how well these features predict: selections that were brought along have no accuracy, and "
                "a study has one only with a classifier. Stability and the number of features can still be weighed.",
                icon=":material/info:")
        st.page_link("pages/study.py", label="Run a study", icon=":material/arrow_forward:")
    return score


def chosen_selectors(results):
    """The selectors that are compared, as far as these results have them."""
    return [one for one in st.session_state.get(session.PARETO_CHOSEN, []) if one in results.ready]


def choose_on_click(frame):
    """What marking points does: one adds its selector to the comparison, several replace it; the last is explored elsewhere."""
    def pick(rows):
        numbers = [row[0] if isinstance(row, list) else row for row in rows if row is not None]
        marked = list(dict.fromkeys(frame.loc[number, "selector"] for number in numbers if number in frame.index))
        if not marked:
            return
        others = [one for one in st.session_state.get(session.PARETO_CHOSEN, []) if one not in marked]
        st.session_state[session.PARETO_CHOSEN] = [*(others if len(marked) == 1 else []), *marked]
        st.session_state[session.EXPLORED] = marked[-1]
    return pick
