"""A new study: its form and the buttons that start it. A random search, and its choices evaluated on other rows."""

import json
import os

import streamlit as st

from pages.parts import cache, figures, session, text
from pages.parts.study.form import ask_study
from pages.parts.study.progress import CLUSTER, start_missing
from stabcore.analysis.pareto import compare_search_halves, configurations_to_evaluate
from stabcore.base.errors import InputError
from stabcore.base.text import counted
from stabcore.selectors.base import TWO, kind_of_target
from stabcore.study.loading import study_from_settings
from stabcore.study.machine import default_workers, refuse_excess_memory

FORM = "form"  # in the project: chosen settings of a study that was not started, so that they survive F5
MARGIN, MAX_PROPOSED = 0.05, 6  # accepted loss of accuracy; number of suggested configurations


def show_form(view):
    """The form and its buttons."""
    at_once = st.session_state.pop(session.RUN_AT_ONCE, False)
    begun = session.has_results()
    again = session.bound(session.NEW_STUDY, False) if begun or view.ended is not None else None
    if again and not st.toggle("Change settings and run again", **again):
        return
    last = view.project.last_settings
    chosen = ask_study(view.data, view.project.settings.get(FORM) or ({} if "search" in last else last))
    save_form(view.project, chosen)
    if os.environ.get(CLUSTER):
        st.toggle("Run on the Dask cluster of this server", True, key=session.SCHEDULER)
    if not st.session_state.get(session.SCHEDULER):
        refuse_excess_memory(view.data, default_workers())
    buttons = st.container(horizontal=True)
    now = buttons.button(
        "Run study",
        key="start",
        type="secondary" if begun else "primary",  # the main button leads to results, if there are any
        disabled=not chosen["selector"],
        icon=":material/play_circle:",
    )
    pilot = buttons.button(
        "Run one trial",
        key="pilot",
        disabled=not chosen["selector"],
        icon=":material/timer:",
        help="Runs every selector once and measures the time. The study keeps these runs.",
    )
    if now or pilot or (at_once and chosen["selector"]):
        start_study(view, chosen, pilot)
    show_search(view)


def save_form(project, chosen):
    """Keep the settings once they differ from the first ones of the form."""
    settings = json.loads(json.dumps({**chosen, session.TIME_LIMIT: st.session_state[session.TIME_LIMIT]}))
    began = st.session_state.setdefault(session.FIRST_FORM, settings)
    if settings["selector"] and settings != (project.settings.get(FORM) or began):
        project.save(**{FORM: settings})


def start_study(view, chosen, pilot):
    """Start a study with these settings, unless it exists. Raises InputError."""
    study_from_settings(chosen, view.data)  # errors are shown before an earlier study is put aside
    if same := view.project.finished_study(chosen):
        which = "The study above" if same == view.last_file else "One of the earlier studies, whose results can be shown again,"
        raise InputError(
            f"{which} has these settings and is finished. Running it again gives the same result. Change something, for example "
            "the seed."
        )
    view.project.write_study(chosen)
    view.project.save(**{FORM: None})
    st.session_state.pop(session.FIRST_FORM, None)
    start_missing(pilot)
    st.rerun()


def show_search(view):
    """The number of configurations and folds, and the button that starts the search."""
    if kind_of_target(view.data.target) != TWO:
        return
    with st.expander("Configuration search", key="random-search"):
        st.markdown(
            "Each configuration is a filter and a learner with random settings. All run on one half of the patients. The chosen "
            "ones are then evaluated on the other half."
        )
        st.caption(
            "Bommert, Rahnenführer & Lang 2017, Computational and Mathematical Methods in Medicine, sections 4 and 5, with "
            "nearly their Table 3."
        )
        first, second, third = st.columns(3)
        n = first.number_input("Configurations", 2, 1000, 100, key="search-n")
        folds = second.number_input("Folds of each", 2, 20, 10, key="search-folds")
        seed = third.number_input("Seed of the search", 0, 2**31, 1, key="search-seed")
        chosen = {
            "study": {"random_state": int(seed)},
            "plan": {"kind": "repeated_kfold", "n_splits": int(folds)},
            "search": {"n": int(n)},
        }
        if st.button("Run search", key="search", icon=":material/casino:"):
            start_study(view, chosen, False)


def show_evaluation(view):
    """After a search: choose configurations, and evaluate them on the other half."""
    settings = view.project.last_settings
    if "search" not in settings or not view.ended.finished_selectors:
        return
    if "confirm" in settings["search"]:
        _show_both_halves(view)
        return
    st.header("Evaluate on the other half", divider="gray")
    table = view.ended.table(["nogueira"])
    best = configurations_to_evaluate(table, MARGIN, MAX_PROPOSED)
    st.markdown(
        f"Suggested: configurations within {MARGIN:g} of the best accuracy that are not dominated in stability and number of "
        "features. Their values on this half are too optimistic."
    )
    labels = st.multiselect("Choose configurations", list(table.index), list(best.index), key="search-again")
    label = f"Evaluate {counted(len(labels), 'configuration')} on the other half"
    if labels and st.button(label, key="confirm", type="primary", icon=":material/visibility:"):
        chosen = {**settings, "search": {**settings["search"], "confirm": labels}}
        study_from_settings(chosen, view.data)
        view.project.write_study(chosen)
        start_missing()
        st.rerun()


def _show_both_halves(view):
    """The chosen configurations on the other half, beside the half on which they were chosen."""
    table = view.ended.table(["nogueira"])
    st.header("Results on the other half", divider="gray")
    st.markdown("Every screen now shows the other half, which had no part in the choice. Report these values.")
    chosen = _configurations(view.ended)
    for path in view.project.studies:
        with text.show_errors():
            searched = cache.open_study(path)
            if path != view.last_file and chosen.items() <= _configurations(searched).items():
                both = compare_search_halves(searched.table(["nogueira"]), table)
                figures.show_dataframe(both.round(2), alt="The chosen configurations on both halves of the rows", hide_index=False)
                return


def _configurations(result):
    """{selector: its settings, as text} of a study."""
    return {settings["label"]: repr(sorted(settings.get("options", {}).items())) for settings in result.settings["selectors"]}
