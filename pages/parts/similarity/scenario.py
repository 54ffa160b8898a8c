"""The scenario on Similarity: its basis, copies and files, and its effect."""

from dataclasses import dataclass, replace
from functools import cached_property, partial

import streamlit as st

from pages.parts import cache, controls, feature_profile, figures, glossary, scenarios, session, text
from pages.parts.text import plain, show_errors
from pages.parts.view import View
from stabcore.analysis.similarity_warnings import describe_categories, similarity_warnings
from stabcore.analysis.whatif.pairs import similar_pairs
from stabcore.base.errors import InputError
from stabcore.base.text import counted, listed, quote
from stabcore.data.dataset import Dataset
from stabcore.inference.estimate import stability
from stabcore.plots.similarity import (
    describe_cells,
    describe_parts_of_change,
    draw_before_after,
    draw_similarity,
    draw_together,
    finding_before_after,
    finding_similarity,
    finding_together,
    frame_before_after,
    frame_similarity,
    frame_together,
    most_changed_selector,
)
from stabcore.similarity.correlation import METHODS
from stabcore.similarity.excerpt import MAX_SHOWN, excerpt
from stabcore.similarity.files import read_scenario, write_scenario
from stabcore.similarity.scenario import BASES

BEFORE_AFTER = "The stability of each selector, with and without similar features counting as one."
INTERVALS = "Intervals belong to the dots, and include the uncertainty of the noise floor. Both values are from the same runs."
ABOUT_EFFECTIVE = (
    "Counted as one: two runs agree if they select different ones of several similar features, so effective stability rises. How "
    "many of them a run selects still matters, so it falls if some runs select all of them and others none."
)


@dataclass(frozen=True, eq=False)
class SimilarityView(View):
    """Results, or None, and the features of the similarity."""

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The features of the results, else of the table."""
        return cache.features() or ()

    @cached_property
    def data(self) -> Dataset | None:
        """The table, if it has these features."""
        return cache.matching_dataset()

    @property
    def has_runs(self) -> bool:
        """Whether there are runs that show the effect of the similarity."""
        return self.results is not None and bool(self.results.finished_selectors)


def allowed_bases() -> list[str]:
    """Choose the basis of the scenario. It changes if it needs correlations and there is no table."""
    data, now = cache.matching_dataset(), scenarios.chosen()
    bases = [key for key in BASES if key != "correlation" or data is not None]
    settings = session.project().settings
    if data is None and settings.get("table") and not settings.get("roles"):
        st.info(
            "Choose the outcome of the table on Data first. Then correlation can define similar features.", icon=":material/info:"
        )
        st.page_link("pages/data.py", label="Go to Data", icon=":material/arrow_forward:")
    if data is None and cache.dataset() is not None:
        st.info("Correlation is not available. The results have other features than the table has now.")
    if now.base not in bases:
        st.info("This scenario needs the data table with the features of the results.")
        scenarios.change(replace(now, base="none"))
    return bases


def ask_threshold(view):
    """Set the threshold of the correlation."""
    st.slider("Set threshold |ρ|", 0.0, 1.0, step=0.01, **scenarios.bound_setting("scenario", "threshold"))
    if describe_categories(view.data):
        view.screen.add_limitations(plain(describe_categories(view.data)))


def ask_correlation():
    """Choose the correlation coefficient, and the weighting of pairs."""
    st.selectbox("Choose correlation", METHODS, format_func=METHODS.__getitem__, **scenarios.bound_setting("scenario", "method"))
    st.toggle("Count fully (off: weight by |ρ|)", **scenarios.bound_setting("scenario", "binary"))


def show_similarity(view):
    """The similarity as a sentence, or the reason and the remedy if it cannot be computed."""
    try:
        similarity = view.similarity
    except InputError as error:
        st.error(plain(error), icon=":material/error:")
    else:
        view.screen.show_answer(f"{view.scenario.sentence(similarity)} {_describe_change(view, similarity)}".strip())
        return
    strangers = view.scenario.unknown_names(view.names)
    if strangers:
        st.button(
            f"Remove names that are no features: {plain(listed(strangers, 3))}",
            key="take-out",
            on_click=scenarios.change,
            args=(view.scenario.limited_to(view.names),),
        )
    st.stop()


def _describe_change(view, similarity):
    """The largest change of a stability, "" without runs or similar features."""
    return "" if not view.has_runs or similarity.is_identity else finding_before_after(_before_and_after(view))


def _before_and_after(view):
    """The stability of each selector, where each feature counts separately and where similar ones count as one."""
    return frame_before_after(view.noise_floors("nogueira"), view.noise_floors("effective"))


def show_scenario_bar():
    """Choose the scenario to edit, and copy, rename, save or delete it."""
    every, chosen = scenarios.by_name(), scenarios.chosen_name()
    with st.expander(f"Scenarios ({len(every)})", key="scenario-bar"):
        st.session_state[session.SCENARIO_HERE] = chosen
        st.selectbox(
            "Choose scenario",
            every,
            key=session.SCENARIO_HERE,
            help="Every screen uses the chosen scenario. Nothing is lost when you switch.",
            on_change=_ask_scenario,
        )
        with st.container(horizontal=True):
            with st.popover("Copy", icon=":material/content_copy:"), show_errors():
                if copy := ask_name("copy", "Name of the copy", scenarios.free_name(chosen), every, "Copy scenario"):
                    scenarios.add(copy, scenarios.chosen())
                    st.rerun()
            with st.popover("Rename", icon=":material/edit:"), show_errors():
                if new := ask_name("rename", "New name", chosen, [name for name in every if name != chosen], "Rename"):
                    scenarios.rename(new)
                    st.rerun()
            with st.popover("Save or upload", icon=":material/save:"):
                show_file_controls()
            st.button(
                "Delete",
                key="scenario-delete",
                icon=":material/delete:",
                disabled=len(every) < 2,
                help="Undo restores it." if len(every) > 1 else "The only scenario cannot be deleted.",
                on_click=scenarios.remove,
                args=(chosen,),
            )
    for sentence in st.session_state.pop(session.SCENARIO_NOTES, ()):
        st.info(plain(sentence), icon=":material/info:")


def _ask_scenario():
    scenarios.choose(st.session_state[session.SCENARIO_HERE])


def ask_name(key, label, usual, taken, button) -> str:
    """The typed name, "" before. Raises InputError for a name that a scenario cannot have."""
    with st.form(f"form-{key}", border=False):
        name = " ".join(st.text_input(label, usual, max_chars=scenarios.MAX_NAME_LENGTH, key=f"name-{key}-{usual}").split())
        if not st.form_submit_button(button, key=f"do-{key}"):
            return ""
    if not name:
        raise InputError("Give the scenario a name.")
    if name in taken:
        raise InputError(f"There is a scenario {quote(name)} already. Choose another name.")
    return name


def show_file_controls():
    """Download the scenario, and upload scenarios."""
    chosen, now = scenarios.chosen_name(), scenarios.chosen()
    read = cache.matrix_reader(now) if now.base == "matrix" else None
    sets = cache.sets_reader(now) if now.base == "sets" else None

    def content():
        return write_scenario(chosen, now, read and read().similarity, sets and sets())

    about = "Groups, method, threshold and pairs set by hand."
    figures.show_file_button("Download scenario", content, "scenario.toml", "scenario-download", help=about)
    uploaded = st.file_uploader("Scenario file (.toml)", type=["toml"], key="scenario-file")
    if uploaded and st.button("Add scenario", key="scenario-load"):
        with show_errors():
            name, scenario, matrix, notes = read_scenario(uploaded.getvalue(), cache.features())
            add_uploaded(name or uploaded.name.rsplit(".", 1)[0], scenario, matrix, notes)
            st.rerun()


def add_uploaded(name, scenario, matrix, notes):
    """Keep and choose an uploaded scenario."""
    if matrix is not None:
        brought = {"sets": "sets.json"} if scenario.base == "sets" else {"matrix": "matrix.csv"}
        scenario = replace(scenario, **{field: session.project().save_upload(file, matrix) for field, file in brought.items()})
    if scenario.base == "correlation" and cache.matching_dataset() is None:
        scenario = replace(scenario, base="none")
        notes = (*notes, "The scenario needs the data table, which is not loaded. So no features count as similar.")
    scenarios.add(scenarios.free_name(" ".join(name.split()) or "loaded"), scenario)
    st.session_state[session.SCENARIO_NOTES] = notes


def show_effect_numbers(view):
    """The number of similar pairs, and their effect on the stability of a selector."""
    st.metric("Similar pairs", f"{view.similarity.n_related:,}")
    if not view.has_runs:
        return
    label = controls.ask_selector(view.results, session.SELECTOR, "Choose selector")
    estimates = stability(view.compared.selections(label, view.k), ["nogueira", "effective"], similarity=view.similarity)
    for name, (key, estimate) in zip(("Stability", "Effective stability"), estimates.items(), strict=True):
        st.metric(
            name,
            text.format_stability(estimate.value),
            help=glossary.describe_term("effective" if key == "effective" else "stability"),
        )
        if estimate.reason:
            view.screen.add_limitations(text.plain(f"{name} of {label} is undefined: {estimate.reason}."))


def explain_warnings(view):
    """Warn of a similarity with which effective stability is hard to read."""
    if view.k is not None:
        view.screen.explain(f"With {counted(view.k, 'feature')} per run, as chosen on another screen.")
    runs = view.results.selections(view.results.finished_selectors[0], view.k) if view.has_runs else None
    warnings = similarity_warnings(view.similarity, runs)
    view.screen.add_limitations(*map(text.plain, warnings))
    if warnings:
        st.warning("Effective stability with this similarity is hard to read. See Limitations.", icon=":material/warning:")


def show_effect(view):
    """The effect of similar features on every selector, and the pairs that explain the largest change."""
    frame = _before_and_after(view)
    figures.show_figure(draw_before_after(frame), BEFORE_AFTER, frame, "before-after", with_finding=False, with_numbers=False)
    view.screen.explain(INTERVALS if view.results.has_control else "", text.plain(describe_parts_of_change(frame)))
    label = most_changed_selector(frame)
    if not label:
        return
    pairs = cache.computed(similar_pairs, view.compared.selections(label, view.k), view.similarity)
    sentence = finding_together(pairs, label, *frame.set_index("selector").loc[label, ["measured", "measured_effective"]])
    glossary.show_caption(text.plain(sentence))
    figures.show_figure(draw_together(frame_together(pairs)), sentence, pairs, "together", with_finding=False, with_numbers=False)


def show_heat_map(view):
    """C of the most frequent features, with clusters side by side. Returns the sentence on the clusters."""
    if view.similarity.is_identity:
        return ""
    shown, names = excerpt(view.similarity, cache.selection_counts()), view.names
    view.screen.explain(
        describe_cells(shown),
        "Rows and columns have the same order, the largest cluster first.",
        f"{len(shown.index)} of {counted(len(names), 'feature')} are shown: "
        f"{'those with a similar one' if len(shown.index) < MAX_SHOWN else 'the most frequent with a similar one'}."
        if len(shown.index) < len(names)
        else "",
    )
    view.screen.numbers = partial(figures.show_table, view.similarity.pairs, "similarity")
    finding = finding_similarity(shown, names)
    figures.show_figure(
        draw_similarity(frame_similarity(shown, names), wide=not figures.is_telephone()),
        finding,
        lambda: frame_similarity(shown, names),
        "similarity-matrix",
        with_finding=False,
        with_numbers=False,
        pick=lambda places: feature_profile.open_or_highlight(
            [names[shown.index[int(place)]] for place in places if place is not None]
        ),
    )
    if view.has_runs:
        feature_profile.show_opened_profile(view)
    return finding
