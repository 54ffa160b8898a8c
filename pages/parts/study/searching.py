"""A random search of many configurations, as a study like any other; and chosen ones again, on rows that it has not seen."""

import streamlit as st

from pages.parts import cache, figures, text
from pages.parts.study.progress import start
from stabcore.analysis.pareto import both_halves, second_look
from stabcore.selectors.base import TWO, kind_of_target
from stabcore.study.loading import study_from
from stabcore.wording import several

MARGIN, MOST = 0.05, 6          # accuracy that may be lost; configurations that are proposed


def section(view, begin_with):
    """How many configurations are drawn, how many folds, and the button that starts it."""
    if kind_of_target(view.data.target) != TWO:
        return
    with st.expander("Random search: many configurations of a filter with a learner", key="random-search"):
        st.markdown("Each configuration is a filter that keeps some features and a learner that selects among them, its settings "
                    "drawn by lot. All are run on one half of the rows; what you choose can then be evaluated on the other half, "
                    "which had no part in the choice.")
        st.caption("Bommert, Rahnenführer & Lang 2017, Computational and Mathematical Methods in Medicine, sections 4 and 5, with "
                   "nearly their Table 3.")
        first, second, third = st.columns(3)
        n = first.number_input("Configurations", 2, 1000, 100, key="search-n")
        folds = second.number_input("Folds of each", 2, 20, 10, key="search-folds")
        seed = third.number_input("Seed of the search", 0, 2 ** 31, 1, key="search-seed")
        chosen = {"study": {"seed": int(seed)}, "plan": {"kind": "kfold", "folds": int(folds)}, "search": {"n": int(n)}}
        if st.button("Start the search", key="search", icon=":material/casino:"):
            begin_with(view, chosen, False)


def again(view):
    """Of a search that is finished: choose from it, and evaluate that on the other half."""
    settings = view.here.last_settings
    if "search" not in settings or not view.ended.ready:
        return
    if "confirm" in settings["search"]:
        _beside(view)
        return
    st.header("Look again, on the other half of the rows", divider="gray")
    table = view.ended.table(["nogueira"])
    best = second_look(table, MARGIN, MOST)
    st.markdown(f"Proposed are the configurations within {MARGIN:g} of the best accuracy that no other beats in stability and "
                "number of features. The values by which they were chosen flatter them; those on the other half do not.")
    labels = st.multiselect("Configurations to evaluate again", list(table.index), list(best.index),
                            key="search-again")
    if labels and st.button(f"Evaluate {several(len(labels), 'configuration')} on the other half", key="confirm", type="primary",
                            icon=":material/visibility:"):
        chosen = {**settings, "search": {**settings["search"], "confirm": labels}}
        study_from(chosen, view.data)
        view.here.write_study(chosen)
        start()
        st.rerun()


def _beside(view):
    """What the other half says of the chosen ones, beside the half on which they were chosen."""
    table = view.ended.table(["nogueira"])
    st.header("What the other half says", divider="gray")
    st.markdown("These results, on every screen, are those of the other half of the rows, which had no part in the choice: report "
                "them, not the values of the first half, by which the configurations were chosen.")
    chosen = _configurations(view.ended)
    for path in view.here.studies:
        with text.sentences():
            searched = cache.study_at(path)
            if path != view.own and chosen.items() <= _configurations(searched).items():
                both = both_halves(searched.table(["nogueira"]), table)
                figures.numbers(both.round(2), alt="The chosen configurations on both halves of the rows")
                return


def _configurations(result):
    """{selector: its settings, as text} of a study."""
    return {one["label"]: repr(sorted(one.get("options", {}).items())) for one in result.settings["selectors"]}
