"""Feature count: the selectors that rank, their computations, and the sections. Only the open section computes."""

from dataclasses import dataclass
from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.parts import cache, controls, figures, glossary, session, text
from pages.parts.view import View
from stabcore.analysis.noise_floors import shuffled_runs
from stabcore.analysis.stability_by_runs import runs_needed
from stabcore.base.text import counted
from stabcore.plots.learning_curves import (
    describe_runs_needed,
    draw_stability_by_runs,
    finding_stability_by_runs,
    frame_stability_by_runs,
)
from stabcore.plots.noise_floor import describe_floor, describe_p_of_curves, format_compared_runs, result_beyond
from stabcore.plots.profiles import (
    describe_agreement_cutoffs,
    describe_large_floors,
    draw_agreement_cutoffs,
    draw_marginal,
    draw_profiles,
    finding_agreement_cutoffs,
    finding_marginal,
    finding_profiles,
    frame_agreement_cutoffs,
    frame_marginal,
    frame_profiles,
    profiled_measures,
)
from stabcore.plots.small_multiples import ordered_rows

ABOUT_MEASURED = "Stability {}. Number: the part beyond the noise floor at the dotted line."
ABOUT_ACCURACY = "Stability alone does not choose the number of features. Accuracy was measured only with {} per run."
ABOUT_UNKNOWN_FLOOR = "Stability {}. The noise floor is not known, so selectors are not compared."
N_SHOWN_FIRST = 3  # selectors shown first in the agreement cutoff
PRECISIONS = (0.01, 0.02, 0.05, 0.1, 0.2)


@dataclass(frozen=True, eq=False, kw_only=True)
class FeatureCountView(View):
    """The selectors whose runs rank the features, and the place beside the number of features."""

    rankers: list[str]
    beside: DeltaGenerator


def _profiles(results, labels, measure, similarity):
    runs = {label: results.selections(label) for label in labels}
    return frame_profiles(runs, measure, similarity, *shuffled_runs(results, labels))


def _frame_cutoffs(results, labels, similarity):
    return frame_agreement_cutoffs({label: results.selections(label) for label in labels}, similarity)


def ask_cardinality(results, rankers, screen):
    """Choose the number of features."""
    longest = results.longest(rankers)
    if longest == 1:
        return 1
    usual = min(controls.default_cardinality(results), longest)
    box = session.bound_range(session.CARDINALITY, 1, longest, usual, switches_on=session.CARDINALITY_ASKED)
    k = st.slider("Set features per run", help="It moves the dotted line on this screen. Nothing is run again.", **box)
    if short := controls.describe_short_rankings(results, rankers, k):
        screen.add_limitations(text.plain(f"Some runs rank fewer than {k} features, so their curves end before: {short}."))
    if st.session_state.get(session.CARDINALITY_ASKED):
        screen.explain("All screens except Accuracy use this number of features, until it is switched off on one of them.")
    return k


def ask_measure(view):
    """Choose the measure of a section. All sections use the same one."""
    measure = controls.ask_measure(profiled_measures(), session.COUNT_MEASURE, about=glossary.describe_term("measure"))
    controls.explain_similarity(view, measure)
    return measure


def ask_selectors(label, among, first, key):
    """Choose selectors, kept while other sections are open."""
    return st.multiselect(label, among, **session.bound(key, list(among[:first]), among))


def show_profiles(view):
    """All numbers of features: a small figure per selector, with its own noise floor."""
    with view.beside:
        measure = ask_measure(view)
    similarity = view.similarity_for(measure)
    frame = cache.computed(_profiles, view.results, view.rankers, measure, similarity)
    beyond = cache.computed(result_beyond, view.results, measure, similarity, view.k, view.rankers)
    finding = finding_profiles(beyond, view.k, view.results, view.stability_pairs(measure), frame)
    draw, numbers = partial(draw_profiles, frame, view.k, beyond), partial(ordered_rows, frame, beyond)
    figures.show_facets(draw, finding, numbers, f"profile-{measure}", screen=view.screen)
    caption = (ABOUT_MEASURED if view.results.has_control else ABOUT_UNKNOWN_FLOOR).format(format_compared_runs(view.results))
    if view.results.settings.get("classifier") and view.results.n_selected:
        caption += " " + ABOUT_ACCURACY.format(view.results.n_selected)
    glossary.show_caption(caption)
    view.screen.explain(
        "A curve ends at the largest number of features that every run ranks, or at 90% of the features.",
        text.plain(describe_large_floors(frame, measure)),
        describe_p_of_curves(view.results, "number of features"),
        "If you choose the number with the highest stability, that stability is overestimated.",
        "With 1 feature, shuffles hardly ever agree, so their range has no width.",
    )


def show_agreement_cutoffs(view):
    """The number of features up to which rankings agree."""
    labels = ask_selectors("Choose selectors", view.rankers, N_SHOWN_FIRST, session.COUNT_SELECTORS)
    related = st.toggle("Count similar features as shared", **session.bound(session.COUNT_RELATED, False))
    if not labels:
        st.info("Choose at least one selector.", icon=":material/info:")
        return
    if related:
        controls.explain_similarity(view)
    frame = cache.computed(_frame_cutoffs, view.results, labels, view.similarity if related else None)
    figures.show_figure(
        draw_agreement_cutoffs(frame, view.k), finding_agreement_cutoffs(frame), frame, "agreement-cutoff", screen=view.screen
    )
    text.show_bullets(describe_agreement_cutoffs(frame).values())
    view.screen.explain(
        "The agreement cutoff is the number of features at which two runs share most, compared with random subsets.",
        "Up to the cutoff the same features come first. Beyond it the order looks random.",
        "Where agreement only fades, there is no cutoff.",
    )
    view.screen.add_limitations(
        "Runs that share most of their patients rank noise alike, too. Complementary pairs show a cutoff best."
    )


def show_marginal_stability(view):
    """The stability of the next features, given those before them."""
    labels = ask_selectors("Choose selectors", view.rankers, N_SHOWN_FIRST, session.COUNT_SELECTORS)
    widest = max(1, view.results.longest(view.rankers) // 3)
    window = st.number_input(
        "Set number of following features",
        1,
        widest,
        placeholder="Automatic: the square root of the number of features",
        **session.bound(session.COUNT_WINDOW, None, range(1, widest + 1)),
    )
    frame = cache.computed(_marginal, view.results, labels, window) if labels else None
    if frame is None or frame.empty:
        few = "Choose a selector with at least five runs, or pairs of halves, that each rank eight features."
        st.info(few if labels else "Choose at least one selector.", icon=":material/info:")
        return
    finding = finding_marginal(frame, view.k, view.results)
    figures.show_facets(partial(draw_marginal, frame, view.k), finding, frame, "marginal", screen=view.screen)
    view.screen.explain(
        "0: each run continues at random among the features that are left. 1: all runs continue with the same features.",
        "Grey: the same with the outcome shuffled. The curve does not describe the features before.",
        "The bands are 95% intervals that hold for all these selectors at once.",
    )


def _marginal(results, labels, window):
    runs = {label: results.selections(label) for label in labels}
    return frame_marginal(runs, window, *shuffled_runs(results, labels))


def show_runs_needed(view):
    """The interval of stability by the number of runs."""
    box = session.bound(session.COUNT_PRECISION, 0.05, PRECISIONS)
    half = view.beside.select_slider("Set precision of stability", PRECISIONS, format_func=lambda width: f"± {width:g}", **box)
    with st.popover("More settings", key="runs-settings"):
        measure = ask_measure(view)
        labels = ask_selectors("Show interval of", view.results.finished_selectors, 1, session.COUNT_RUNS_OF)
    similarity = view.similarity_for(measure)
    sizes = {label: view.k if label in view.rankers else None for label in view.results.finished_selectors}
    ahead = cache.computed(_runs_needed, view.results, sizes, measure, similarity, half)
    frame = cache.computed(_convergence, view.results, sizes, measure, similarity)
    floor, finding = view.floor_frame(measure), finding_stability_by_runs(ahead, half)
    figures.show_figure(draw_stability_by_runs(frame, labels, floor), finding, frame, "convergence", screen=view.screen)
    text.show_bullets(describe_runs_needed(row, half) for row in ahead.itertuples() if row.selector in labels)
    view.screen.explain(text.plain(describe_floor(floor, view.results, view.k)))
    figures.show_folded_table(lambda: ahead, "runs-needed", f"Number of runs needed ({counted(len(ahead), 'selector')})")
    view.screen.explain(
        "Selectors that rank count with the number of features chosen above." if view.rankers else "",
        "Each curve is a mean over random orders of the runs. The band is the expected interval for this number of runs.",
        "Blue: the selectors chosen under More settings. The dotted lines show other choices among their runs.",
    )
    view.screen.add_limitations("More runs make the resampling of this dataset more precise. They do not describe new patients.")


def _runs_needed(results, sizes, measure, similarity, half):
    runs = {label: results.selections(label, k) for label, k in sizes.items()}
    return runs_needed(runs, measure, similarity=similarity, half=half)


def _convergence(results, sizes, measure, similarity):
    return frame_stability_by_runs({label: results.selections(label, k) for label, k in sizes.items()}, measure, similarity)


ANALYSES = {
    "agreement_cutoff": ("Agreement cutoff", show_agreement_cutoffs),
    "marginal": ("Later ranks", show_marginal_stability),
    "runs": ("Number of runs needed", show_runs_needed),
}
