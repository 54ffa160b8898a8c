"""Stability: each selector with its noise floor, and the sections. Only the open section computes."""

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pandas as pd
import streamlit as st

from pages.parts import cache, controls, figures, glossary, session, text
from pages.parts.computing import parse_progress, show_progress
from stabcore.analysis.measure_settings import measure_settings, values_with_settings
from stabcore.analysis.noise_floors import blind_selectors, noise_floors
from stabcore.base.errors import InputError
from stabcore.base.text import counted, format_duration
from stabcore.measures.catalog import WANTED_PROPERTIES, entry, measures_with_properties
from stabcore.measures.entry import FAMILIES
from stabcore.plots.comparisons import (
    ABOUT_P,
    draw_agreement,
    draw_comparisons,
    finding_agreement,
    finding_comparisons,
    frame_agreement,
    frame_comparisons,
    table_agreement,
)
from stabcore.plots.disagreement import draw_disagreement, finding_disagreement, frame_disagreement
from stabcore.plots.estimates import describe_notes, finding_patient_intervals, table_estimates, wide_estimates
from stabcore.plots.noise_floor import (
    FACETS,
    describe_few_runs,
    describe_marks_beyond,
    describe_shared_features,
    describe_unknown_floor,
    draw_beyond,
    finding_beyond,
    floor_facets,
    frame_beyond,
    table_beyond,
)
from stabcore.study import new_patients
from stabcore.study.pieces import INTERVALS, piece_file_name, read_from_study, read_models

LEGEND_LINES = 4  # lines of the legend on a telephone
PATIENT_MEASURES = ("nogueira", "effective")
INTERVAL_ENDS = ["patients_low", "patients_high"]
CAPTION = "Dot: stability with its 95% interval. Grey: the same selector with the outcome shuffled, mean and range."
ABOUT_PATIENTS = (
    "Other patients of the same population give another value. The study is computed ten times, each time without one fifth of "
    "the patients. The 95% interval is for the mean over such tables. In simulations, 88 to 100% contained it."
)
COLUMNS = {
    "of": "Compared",
    **figures.number_columns("%.2f", "value", patients_low="From", patients_high="To"),
    "note": st.column_config.TextColumn(width="large"),
}
DEFAULT_MEASURES = ("nogueira", "effective", "jaccard", "importance_weighted")
FOLD_MEASURES = ("jaccard", "pearson_scores", "spearman_ranks", "nogueira")  # offered first: the three measures of Kalousis et al.
MAX_COMPARED = 7
BEYOND = "stability beyond the noise floor"
DEFAULT_COMPARED = ("jaccard", "hamming", "nogueira", "effective", "importance_weighted")


def show_stability(view):
    """The figure, its sentence, and its numbers in the same order."""
    facets = floor_facets(
        view.results,
        view.similarity,
        lambda measure: cache.computed(view.results.split_half, measure, view.similarity, view.k),
        lambda measure: cache.computed(noise_floors, view.results, measure, view.similarity_for(measure), view.k),
    )
    frame = frame_beyond(facets, blind_selectors(view.results))
    finding = finding_beyond(frame, view.results, view.stability_pairs("nogueira"))
    view.screen.numbers = partial(_show_numbers, view, frame)
    figures.show_by_width(draw_beyond(frame), lambda: one_facet(frame), finding, frame, "stability", screen=view.screen)
    glossary.show_caption(text.plain(describe_shared_features(frame)) or CAPTION)
    view.screen.explain(*map(text.plain, describe_marks_beyond(frame)), describe_few_runs(view.results))


def _show_numbers(view, frame):
    """The values of the figure in its order."""
    table = table_beyond(frame)
    if view.missing_run_notes:
        table["runs"] = [view.missing_run_notes.get(label, "") for label in table["selector"]]
    columns = figures.number_columns("%.3f", "p")
    figures.show_dataframe(table, alt="Each selector beside its noise floor", column_config=columns)
    figures.show_csv_button(frame, "stability")


def one_facet(frame):
    """The figure for a telephone, with one quantity: the headline, or the chosen one."""
    facets = list(dict.fromkeys(frame["facet"]))
    chosen = facets[0]
    if len(facets) > 1:
        titles = {key: FACETS[key][0] for key in facets}
        chosen = controls.ask_section(session.TELEPHONE_FACET, titles, "Quantity")
    return draw_beyond(frame, [chosen], lines=LEGEND_LINES)


@dataclass(frozen=True)
class NumberRange:
    """Numbers from low to high, or none: the allowed values of a field."""

    low: float
    high: float

    def __contains__(self, value):
        return value is None or isinstance(value, float | int) and self.low <= value <= self.high


KINDS_OF_INTERVAL = {"usual": "usual", "published": "as published", "jackknife": "jackknife over runs"}


def show_tuned_measure(view):
    """The measure, a control for each of its options, and the resulting value of every selector."""
    key = controls.ask_measure(view.measures, session.TUNED_MEASURE)
    settings = measure_settings(key)
    columns = st.columns(3) if settings else ()  # empty columns would be a gap on a telephone
    options = {
        name: _ask_option(columns[number % 3], key, name, setting) for number, (name, setting) in enumerate(settings.items())
    }
    how, tested = st.columns(2)
    kinds = list(KINDS_OF_INTERVAL) if key == "nogueira" and not view.compared.of_halves else ["usual", "jackknife"]
    box = session.bound(session.TUNED_INTERVAL, "usual", kinds)
    interval = how.selectbox("Choose 95% interval", kinds, format_func=KINDS_OF_INTERVAL.__getitem__, **box)
    against = tested.number_input(
        "Test against value",
        -1.0,
        1.0,
        None,
        0.05,
        placeholder="none",
        help="p value of these runs if the stability were at most this value. The runs share "
        "rows, so the test holds for other resamples, not for new patients.",
        **session.bound(session.TUNED_REFERENCE, None, NumberRange(-1.0, 1.0)),
    )
    asked = {"interval": None if interval == "usual" else interval, "against": against, **options}
    table = values_with_settings(view.compared, key, view.similarity_for(key), view.k, **asked)
    shown = table.round(3).assign(p_value=table["p_value"].map(_format_p))
    shown = shown.rename(columns={"p_value": f"p (at most {against:g})" if against is not None else "p"})
    digits = figures.number_columns("%.3f", "value", "low", "high")
    figures.show_dataframe(
        shown.dropna(axis="columns", how="all"), column_config=digits, alt=f"{glossary.measure_label(key)} with these settings"
    )
    figures.show_folded_table(lambda: table, f"tuned-{key}", "All digits")


def _format_p(value) -> str | None:
    """A p-value as text: never 0, and none without a test."""
    return None if value != value else "< 0.001" if value < 0.001 else f"{value:.3f}"


def _ask_option(place, key, name, setting):
    usual: Any = entry(key).options[name]
    if setting.values:
        called = list(setting.values)
        first = next((name for name in called if setting.values[name] == usual), called[0])
        box = session.bound(session.tuned_key(key, name), first, called)
        return setting.values[place.selectbox(setting.label, called, help=setting.meaning, **box)]
    box = session.bound(session.tuned_key(key, name), float(usual), NumberRange(setting.low, setting.high))
    number = place.number_input(setting.label, setting.low, setting.high, help=setting.meaning, **box)
    return float(usual) if number is None else number


def _patient_intervals(view):
    """DataFrame(selector, measure, of, value, patients_low, patients_high, note) of all intervals that exist or are quick."""
    data, parts = view.study_data(), []
    related = view.similarity.n_related > 0
    chosen = [key for key in PATIENT_MEASURES if related or key != "effective"]
    folder = str(session.project().folder)
    for label in view.results.finished_selectors if data is not None else ():
        try:
            asked = new_patients.interval_question(data, view.results, label, view.k)
        except InputError:  # it has no interval
            continue
        pieces = _stored_parts(view.results, asked, folder)
        if not pieces and new_patients.interval_seconds(view.results, label) <= new_patients.MAX_SECONDS:
            pieces = cache.computed(new_patients.interval_pieces, data, view.results, asked)
        if pieces:
            table = cache.computed(_patient_table, data, view.results, asked, folder, len(pieces), chosen, view.similarity)
            if table is not None:
                parts.append(table.assign(selector=label).rename(columns={"low": INTERVAL_ENDS[0], "high": INTERVAL_ENDS[1]}))
    columns = ["selector", "measure", "of", "value", *INTERVAL_ENDS, "note"]
    return pd.concat(parts, ignore_index=True)[columns] if parts else pd.DataFrame(columns=columns)


def show_patient_intervals(view):
    """The table of known intervals, and a button for each selector that takes longer."""
    data = view.study_data()
    if data is None or view.results.plan is None:
        st.info("An interval for new patients needs the table of the study.", icon=":material/info:")
        return
    table = _patient_intervals(view)
    view.screen.show_answer(text.plain(finding_patient_intervals(table)))
    if len(table):
        named = table.replace({"of": {new_patients.ALL: "all runs", new_patients.HALVES: "two halves"}})
        figures.show_dataframe(named, column_config=COLUMNS, alt="Stability of each selector with an interval for new patients")
    view.screen.explain(ABOUT_PATIENTS)
    if left := [label for label in view.results.finished_selectors if label not in set(table["selector"])]:
        with text.show_errors():
            _show_computation(view, data, left)


def _stored_parts(results, asked, folder):
    """The parts in the study file or in a folder."""
    size = new_patients.piece_size(results)
    path = Path(folder) / piece_file_name(asked, INTERVALS)
    return read_from_study(results, asked, size, INTERVALS) or read_models(path, asked, size, INTERVALS)


def _patient_table(data, results, asked, folder, count, measures, similarity):
    """The table of a given number of parts, which grows during the computation."""
    pieces = _stored_parts(results, asked, folder) or cache.computed(new_patients.interval_pieces, data, results, asked)
    return new_patients.interval_table(data, results, asked, pieces, measures, measures, similarity=similarity)


def _show_computation(view, data, left):
    """The selector, the expected time, and the progress. Raises InputError for a table or a plan without an interval."""
    project = session.project()
    if project.intervals.is_running:
        show_progress(
            project.intervals,
            lambda: _interval_progress(project),
            "The interval",
            "Cancel (keep finished parts)",
            "patients-cancel",
        )
        return
    if project.intervals.last_line and not project.intervals.last_line.startswith("Done"):
        st.warning(text.plain(project.intervals.last_line), icon=":material/pause_circle:")
    label = st.selectbox("Choose selector", left, key="patients-selector")
    asked = new_patients.interval_question(data, view.results, label, view.k)
    takes = format_duration(new_patients.interval_seconds(view.results, label))
    if st.button(f"Compute interval (about {takes})", key="patients-compute", icon=":material/play_arrow:"):
        project.start_computation(project.intervals, asked, data.choices)
        st.rerun()


def _interval_progress(project):
    done, total = parse_progress(project.intervals.last_line)
    return done, total, f"{done / max(total, 1):.0%} of the runs"


def allowed_analyses(view):
    """{name: (title, function that draws)} of the analyses that these results allow."""
    offered = dict(ANALYSES)
    if view.results.folds(view.results.finished_selectors[0]):
        offered["folds"] = ("Stability within folds", show_folds)
    if view.results.plan is not None:
        offered["disagreement"] = ("Sources of disagreement", show_disagreement)
    return offered


def show_measures(view):
    """Measures by family, a table selector × measure with intervals, and their definitions."""
    chosen = _ask_measures(view.measures)
    if not chosen:
        return
    table = view.compared.table(chosen, similarity=view.similarity, k=view.k)
    shown = table_estimates(table, chosen, {key: view.noise_floors(key) for key in chosen})
    wide = wide_estimates(shown).loc[table.index]
    if view.missing_run_notes:
        wide["runs"] = controls.format_run_counts(view.results, table.index)
    figures.show_dataframe(wide, alt="Stability of each selector by each measure", hide_index=False)
    view.screen.add_limitations(*map(text.plain, describe_notes(shown)))
    figures.show_folded_table(lambda: shown.drop(columns="text"), "measures", "All values with their intervals")
    for measure in map(entry, chosen):
        zero = "corrected for chance" if measure.corrected else "not corrected for chance: it grows with the number of features"
        st.markdown(f"**{measure.label}** ({measure.range}; {zero}). {measure.plain} *{text.plain(measure.reference)}*")
        st.latex(measure.formula)
        glossary.show_letters(st, measure.formula, measure.key)


def _ask_measures(possible):
    chosen: list[str] = []
    with st.expander("Choose measures", key="choosing-measures", expanded=True):
        for family, title in FAMILIES.items():
            keys = [key for key in possible if entry(key).family == family]
            if keys:
                box = session.bound(f"{session.MEASURES}_{family}", [key for key in DEFAULT_MEASURES if key in keys], keys)
                chosen += st.pills(title, keys, selection_mode="multi", format_func=glossary.measure_label, **box)
    return chosen


def show_folds(view):
    """A measure within each outer fold, averaged over the folds."""
    keys = [*(key for key in FOLD_MEASURES if key in view.measures), *(key for key in view.measures if key not in FOLD_MEASURES)]
    key = controls.ask_measure(keys, session.INSIDE_FOLDS, keys[0])
    st.markdown(f"**{glossary.measure_label(key)} inside each outer fold, averaged over the folds**")
    figures.show_dataframe(
        view.results.within_folds(key, view.similarity, view.k).drop(columns="measure").round(2),
        alt="Stability inside the outer folds: average, lowest and highest fold",
    )
    view.screen.explain(
        text.plain("Runs of one outer fold share more patients than runs of different folds."),
        text.plain("Kalousis et al. 2005 report S_S (Jaccard), S_W (weights) and S_R (ranks) within folds."),
    )


def show_selector_differences(view):
    """The difference of all pairs of selectors."""
    if len(view.results.finished_selectors) < 2:
        st.info("A comparison needs two selectors with results.", icon=":material/info:")
        return
    frame = frame_comparisons(view.stability_pairs(controls.ask_measure(view.measures, session.COMPARING_MEASURE)))
    what = BEYOND if view.results.has_control else "stability as measured"
    drawn, finding, height = draw_comparisons(frame, what), finding_comparisons(frame, what), figures.MAX_PAIRS_HEIGHT
    figures.show_figure(drawn, finding, frame, "comparisons", max_height=height, screen=view.screen)
    if not view.results.has_control:
        view.screen.add_limitations(text.plain(describe_unknown_floor(view.results)))
    view.screen.explain(
        "Differences are paired where both selectors saw the same resamples. Each 95% interval is for one difference.",
        "A difference is clear where p < 0.05 with Holm's correction for all pairs.",
        ABOUT_P,
    )


def show_measure_agreement(view):
    """Rank correlations of measures, over selectors and numbers of features."""
    usual = [key for key in DEFAULT_COMPARED if key in view.measures]
    box = session.bound(session.MEASURES_COMPARED, usual, view.measures, MAX_COMPARED)
    chosen = st.multiselect(
        "Choose measures", view.measures, format_func=glossary.measure_label, max_selections=MAX_COMPARED, **box
    )
    if len(chosen) < 2:
        st.info("Choose at least two measures.", icon=":material/info:")
        return
    with st.spinner("Measuring every selector at several numbers of features …"):
        frame = frame_agreement(view.compared, chosen, view.similarity)
    figures.show_figure(draw_agreement(frame), finding_agreement(frame), frame, "agreement", screen=view.screen)
    view.screen.explain(
        "Points on a line: both measures rank the selectors alike.",
        "Colours that separate: one of the measures depends on the number of selected features.",
    )
    figures.show_dataframe(table_agreement(frame).round(2), alt="Rank correlation of every two measures", hide_index=False)


def show_measure_search(view):
    """The measures with chosen properties, from the catalogue."""
    box, label = session.bound(session.MEASURE_PROPERTIES, [], WANTED_PROPERTIES), "Choose properties of the measure"
    fits = measures_with_properties(
        st.pills(label, WANTED_PROPERTIES, selection_mode="multi", format_func=WANTED_PROPERTIES.__getitem__, **box)
    )
    if fits.empty:
        st.warning("No measure has all these properties. Remove one of them.", icon=":material/info:")
        return
    st.markdown(f"**{counted(len(fits), 'measure')} with these properties**")
    columns = {"measure": st.column_config.TextColumn(pinned=True), "What it says": st.column_config.TextColumn(width="large")}
    figures.show_dataframe(fits, alt="Measures with the chosen properties", column_config=columns)
    view.screen.explain(
        "Yes and no follow Table 1 of Bommert et al. 2017 and Table 2 of Hamer &amp; Dupont 2021. Tests confirm them.",
        "Empty cells: not known, or dependent on the similarity matrix.",
    )


def show_disagreement(view):
    """The shares of the disagreement due to patients, missing values and the seed, from refits of the same rows."""
    if not view.results.has_refits:
        why = "This study did not refit its runs. Switch on seed variability or imputations under Study, and run the study again."
        st.info(why, icon=":material/info:")
        st.page_link("pages/study.py", label="Go to Study", icon=":material/arrow_forward:")
        return
    frame = frame_disagreement(view.results.disagreement_sources(view.k))
    figures.show_figure(draw_disagreement(frame), finding_disagreement(frame), frame, "disagreement", screen=view.screen)
    if len(frame) > 1:
        text.show_bullets(frame["sentence"])
    view.screen.explain(
        "Runs of a study differ in their patients. Selectors that draw random numbers differ in their seed, too.",
        "Here each run was fitted again to the same patients: with another seed, or with other values in its missing cells.",
        "The line on a bar is the interval of everything that is not due to patients.",
    )
    if (frame["imputations"] > 1).any():
        frequencies = view.results.imputed_frequencies(view.k)
        frequencies = frequencies[frequencies["frequency"] > 0].sort_values(["selector", "frequency"], ascending=[True, False])
        with st.expander("Selection frequencies over all imputations", key="imputation-frequencies"):
            figures.show_dataframe(frequencies, alt="Selection frequencies over all imputations")
        view.screen.explain(
            "Chained equations filled the missing cells, learned from the patients of each run. The outcome took no part."
        )


ANALYSES = {
    "measures": ("Measure table", show_measures),
    "measure_settings": ("Measure settings", show_tuned_measure),
    "selectors": ("Selector differences", show_selector_differences),
    "patients": ("Interval for new patients", show_patient_intervals),
    "agreement": ("Agreement of measures", show_measure_agreement),
    "choose_measure": ("Choose a measure", show_measure_search),
}
