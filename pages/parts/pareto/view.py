"""What the sections of Pareto share: what is looked at, the words for it, and what a click on a point does."""

from dataclasses import dataclass
from typing import Any

import streamlit as st

from pages.parts import cache, session
from stabcore.measures.catalog import entry

SCORES = {"accuracy": "Accuracy", "balanced_accuracy": "Balanced accuracy", "auc": "Area under the ROC curve"}
CHOSEN = "pareto-chosen"        # selectors that are compared in the table


@dataclass(frozen=True, eq=False)
class View:
    """Runs with their result table, the measure and the score that were chosen, and the relation."""

    found: Any
    table: Any
    keys: list[str]
    measure: str
    score: str
    relation: Any
    top: Any                    # the place for the picture, above the controls

    @property
    def score_label(self):
        return SCORES[self.score]

    def floor(self, measure):
        """What these runs would show without any signal by this measure."""
        return cache.drawn_floor(measure, self.relation if entry(measure).needs_relation else None)

    def pairs(self, *measures, sizes=False):
        """{measure, score or "size": every two selectors compared by it}: what is clear rests on these."""
        made = {one: cache.stability_pairs(one, self.relation) for one in measures}
        if self.table[self.score].notna().any():
            made[self.score] = cache.score_pairs(self.score)
        return made | ({"size": cache.size_pairs()} if sizes else {})


def name(key):
    """The name of a measure on screen."""
    return entry(key).label


def chosen_selectors(found):
    """The selectors that are compared, as far as these results have them."""
    return [one for one in st.session_state.get(CHOSEN, []) if one in found.ready]


def choose(frame):
    """What marking points does: one adds its selector to the comparison, several replace it; the last is explored elsewhere."""
    def pick(rows):
        numbers = [row[0] if isinstance(row, list) else row for row in rows if row is not None]
        marked = list(dict.fromkeys(frame.loc[number, "selector"] for number in numbers if number in frame.index))
        if not marked:
            return
        before = [one for one in st.session_state.get(CHOSEN, []) if one not in marked] if len(marked) == 1 else []
        st.session_state[CHOSEN] = [*before, *marked]
        st.session_state[session.EXPLORED] = marked[-1]
    return pick
