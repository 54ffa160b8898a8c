"""The scenario of Groups & C: what it rests on, three ways to begin, copies and files, and what its relation does."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import streamlit as st

from pages.parts import cache, controls, figures, scenarios, session, text, words
from pages.parts.text import plain, sentences
from pages.parts.view import View
from stabcore.analysis.similarity_warnings import on_categories, similarity_warnings
from stabcore.base.errors import InputError
from stabcore.base.text import listed, several, shown
from stabcore.inference.comparison import change
from stabcore.inference.estimate import stability
from stabcore.plots.similarity import draw_similarity, finding_similarity, frame_similarity
from stabcore.plots.values import format_estimate
from stabcore.similarity.correlation import METHODS
from stabcore.similarity.excerpt import MOST_SHOWN, excerpt
from stabcore.similarity.files import read_scenario, write_scenario
from stabcore.similarity.scenario import BASES

if TYPE_CHECKING:
    from stabcore.data.dataset import Dataset

CARDS = {
    "none": ("Nothing", "Every marker stands for itself: another one in its place is another answer."),
    "groups": ("My groups", "Members of a group that I know stand for each other, such as readings of the same thing."),
    "correlation": ("Correlated", "Markers that rise and fall together in these patients stand for each other."),
}
AT_ONCE = 2000  # features whose correlations are computed before somebody asks for them


@dataclass(frozen=True, eq=False)
class GroupView(View):
    """Results, or None, and the features that the similarity is about."""

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The features of the results, else of the table."""
        return cache.features() or ()

    @cached_property
    def data(self) -> Dataset | None:
        """The table, if it has these features."""
        return cache.matching_data()

    @property
    def has_runs(self) -> bool:
        """Are there runs to see what the similarity does to?"""
        return self.results is not None and bool(self.results.finished_selectors)


def possible_bases() -> list[str]:
    """What a scenario can rest on here; the chosen one is changed where it asks for correlations and there is no table."""
    data, now = cache.matching_data(), scenarios.chosen()
    bases = [key for key in BASES if key != "correlation" or data is not None]
    settings = session.work().settings
    if data is None and settings.get("table") and not settings.get("roles"):
        st.info(
            "Once the outcome of the table is chosen on Data, its correlations can say what stands for what.",
            icon=":material/info:",
        )
        st.page_link("pages/data.py", label="Choose the outcome on Data", icon=":material/arrow_forward:")
    if data is None and cache.dataset() is not None:
        st.info("Correlations cannot be asked for: the results are about other features than those that are chosen on Data now.")
    if now.base not in bases:
        st.info("This scenario asks for correlations, which need the data table with the features of the results.")
        scenarios.change(replace(now, base="none"))
    return bases


def correlation_controls(view):
    """From which |ρ| on, of which kind, and how far features stand for each other."""
    left, right = st.columns(2)
    left.slider("Stand for each other from |ρ| =", 0.0, 1.0, step=0.01, **scenarios.bound_setting("scenario", "threshold"))
    right.selectbox("Correlation", METHODS, format_func=METHODS.__getitem__, **scenarios.bound_setting("scenario", "method"))
    right.toggle("Fully, whatever the correlation (off: by |ρ| itself)", **scenarios.bound_setting("scenario", "binary"))
    if on_categories(view.data):
        st.caption(plain(on_categories(view.data)))


def say_similarity(view):
    """The relation of the scenario in a sentence; where it cannot be made, why, and the way out."""
    try:
        similarity = view.similarity
    except InputError as error:
        st.error(plain(error), icon=":material/error:")
    else:
        st.success(plain(view.scenario.sentence(similarity)), icon=":material/hub:")
        return
    strangers = view.scenario.unknown(view.names)
    if strangers:
        st.button(
            f"Take out what is not a feature here: {plain(listed(strangers, 3))}",
            key="take-out",
            on_click=scenarios.change,
            args=(view.scenario.among(view.names),),
        )
    st.stop()


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
        _card_effect(view, label, replace(now, base=base, edits=now.edits if now.base == base else ()))
    words.tell(sentence)
    used = now.base == base
    st.button(
        "Used now" if used else "Make groups" if missing and base == "groups" else "Use this",
        key=session.card(base),
        disabled=used or bool(missing and base != "groups"),
        type="secondary" if used else "primary",
        on_click=_use_base,
        args=(base,),
    )


def _use_base(base):
    scenarios.change(replace(scenarios.chosen(), base=base))


def why_not(view, base) -> str:
    """What is missing for a card; "" where nothing is."""
    if base == "groups" and not view.scenario.groups:
        return "There is no group yet."
    if base == "correlation" and view.data is None:
        return "This needs the data table with these features."
    return ""


def _card_effect(view, label, scenario):
    """The effective stability of the selector under a scenario, its distance from the classic one, and the related pairs."""
    try:
        similarity = cache.similarity_of(scenario)
    except InputError as error:
        st.caption(f":material/warning: {text.plain(error)}")
        return
    if label is not None:
        value, moved = cache.computed(_effect_of_similarity, view.results, label, view.k, similarity)
        st.metric(
            CARDS[scenario.base][0],
            text.number(value.value),
            label_visibility="collapsed",
            help="Effective stability of the selector that is chosen below.",
        )
        if moved is not None and moved.difference:
            st.caption(text.plain(f"{format_estimate(moved.difference, moved.low, moved.high)} against nothing"))
    st.caption(several(similarity.n_related, "related pair"))


def _effect_of_similarity(results, label, k, similarity):
    """(Estimate of the effective stability, how far it is from the classic one, None where C relates nothing)."""
    runs = results.selections(label, k)
    return (
        stability(runs, "effective", similarity=similarity),
        change(runs, similarity=similarity) if similarity.n_related else None,
    )


def scenario_bar():
    """Which scenario is edited, and what can be done with it as a whole."""
    every, chosen = scenarios.by_name(), scenarios.chosen_name()
    with st.container(border=True):
        st.session_state[session.SCENARIO_HERE] = chosen
        st.selectbox(
            "The scenario that you are editing",
            every,
            key=session.SCENARIO_HERE,
            help="Scenarios are kept side by side; every screen uses the chosen one. Nothing is lost when you switch.",
            on_change=_choose_scenario,
        )
        with st.container(horizontal=True):
            with st.popover("Copy", icon=":material/content_copy:"), sentences():
                if copy := name_form("copy", "Name of the copy", scenarios.free_name(chosen), every, "Make the copy"):
                    scenarios.add(copy, scenarios.chosen())
                    st.rerun()
            with st.popover("Rename", icon=":material/edit:"), sentences():
                if new := name_form("rename", "New name", chosen, [name for name in every if name != chosen], "Rename"):
                    scenarios.rename(new)
                    st.rerun()
            with st.popover("Save or load", icon=":material/save:"):
                file_controls()
            st.button(
                "Delete",
                key="scenario-delete",
                icon=":material/delete:",
                disabled=len(every) < 2,
                help="It can be had back with Undo." if len(every) > 1 else "The only scenario there is cannot be deleted.",
                on_click=scenarios.remove,
                args=(chosen,),
            )
    for sentence in st.session_state.pop(session.SCENARIO_NOTES, ()):
        st.info(plain(sentence), icon=":material/info:")


def _choose_scenario():
    scenarios.choose(st.session_state[session.SCENARIO_HERE])


def name_form(key, label, usual, taken, button) -> str:
    """A name that was typed just now; "" before. Raises InputError for one that a scenario cannot have."""
    with st.form(f"form-{key}", border=False):
        name = " ".join(st.text_input(label, usual, max_chars=scenarios.LONGEST, key=f"name-{key}-{usual}").split())
        if not st.form_submit_button(button, key=f"do-{key}"):
            return ""
    if not name:
        raise InputError("Give the scenario a name.")
    if name in taken:
        raise InputError(f"There is a scenario {shown(name)} already; choose another name.")
    return name


def file_controls():
    """The scenario as a file, and scenarios from files."""
    chosen, now = scenarios.chosen_name(), scenarios.chosen()
    read = cache.matrix_reader(now) if now.base == "matrix" else None
    sets = cache.sets_reader(now) if now.base == "sets" else None

    def text():
        return write_scenario(chosen, now, read and read().similarity, sets and sets())

    st.download_button(
        "Download this scenario",
        text,
        "scenario.toml",
        "application/toml",
        key="scenario-download",
        on_click="ignore",
        icon=":material/download:",
        help="Groups, method, threshold and pairs set by hand.",
    )
    uploaded = st.file_uploader("Load a scenario from a file", type=["toml"], key="scenario-file")
    if uploaded and st.button("Add this scenario", key="scenario-load"):
        with sentences():
            name, scenario, matrix, notes = read_scenario(uploaded.getvalue(), cache.features())
            load(name or uploaded.name.rsplit(".", 1)[0], scenario, matrix, notes)
            st.rerun()


def load(name, scenario, matrix, notes):
    """Keep a scenario that was read and choose it."""
    if matrix is not None:
        brought = {"sets": "sets.json"} if scenario.base == "sets" else {"matrix": "matrix.csv"}
        scenario = replace(scenario, **{field: session.work().keep(file, matrix) for field, file in brought.items()})
    if scenario.base == "correlation" and cache.matching_data() is None:
        scenario = replace(scenario, base="none")
        notes = (
            *notes,
            "The scenario asks for correlations, which need the data table; it is not loaded, so nothing stands for anything.",
        )
    scenarios.add(scenarios.free_name(" ".join(name.split()) or "loaded"), scenario)
    st.session_state[session.SCENARIO_NOTES] = notes


def selector(view):
    """The selector whose numbers the page tells, of those with results; None where there are none."""
    return controls.selector_choice(view.results, session.SELECTOR, "See what it does to") if view.has_runs else None


def effect_numbers(view, label):
    """What the similarity does to one selector, and what to keep in mind."""
    runs = _of_a_selector(view, label) if label is not None else None
    for sentence in similarity_warnings(view.similarity, runs):
        st.warning(text.plain(sentence), icon=":material/warning:")


def _of_a_selector(view, label):
    runs = view.results.selections(label, view.k)
    estimates = stability(runs, ["nogueira", "effective"], similarity=view.similarity)
    before, after = (estimate.value for estimate in estimates.values())
    undefined = "; ".join(dict.fromkeys(estimate.reason for estimate in estimates.values() if estimate.reason))
    classic, effective = st.columns(2)
    classic.metric("Classic stability", text.number(before), help=words.about("stability"))
    change = round(after - before, 3)
    effective.metric(
        "Effective stability",
        text.number(after),
        delta=f"{change:+.3f}" if change and not undefined else None,
        help=words.about("effective"),
    )
    if view.k is not None:
        words.tell(f"With {several(view.k, 'feature')} in every run, the what-if of the other screens.")
    if undefined:
        st.warning(text.plain(f"Undefined: {undefined}."))
    return runs


def heat_map(view):
    """C of the features that matter most, those that go together side by side."""
    st.header("C as a picture", divider="gray")
    if view.similarity.is_identity:
        words.tell("Nothing was chosen yet: every feature stands for itself alone, so there is nothing to draw.")
        return
    shown, names = excerpt(view.similarity, cache.counts()), view.names
    if len(names) > MOST_SHOWN:
        words.tell(
            f"Of {len(names):,} features the {MOST_SHOWN} that were selected most often are drawn; where there are no "
            "selections, those that stand for most others."
        )
    words.tell(
        "The fuller the colour of a square, the more its two features stand for each other. Columns are in the order of the rows."
    )
    figures.figure(
        draw_similarity(frame_similarity(shown, names)),
        finding_similarity(shown, names),
        lambda: frame_similarity(shown, names),
        "heat",
    )
