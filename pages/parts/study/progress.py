"""The progress of a study, its results, its continuation, and earlier studies."""

import os
from dataclasses import dataclass
from functools import cached_property, partial
from operator import call

import pandas as pd
import streamlit as st

from pages.parts import cache, controls, figures, glossary, guards, other_studies, session, text
from pages.parts.screen import Screen
from pages.parts.study import study_file
from pages.workspace.project import Project
from pages.workspace.queue import describe_place
from stabcore.analysis.compare_selectors import score_pairs
from stabcore.analysis.noise_floors import blind_selectors, floor_frequencies, noise_floors
from stabcore.analysis.panel import panel, panel_rule
from stabcore.analysis.runs_asked import chosen_selectors
from stabcore.base.text import counted, format_duration
from stabcore.data import Dataset
from stabcore.inference.predictions import default_score
from stabcore.io.choices import Choices
from stabcore.plots.added_value import frame_added_value
from stabcore.plots.names import short_names
from stabcore.plots.noise_floor import finding_beyond, frame_beyond
from stabcore.plots.panel import caption_panel, describe_marks, draw_panel, finding_by_rule, frame_panel
from stabcore.plots.pareto import finding_prediction
from stabcore.selectors.baseline import is_baseline
from stabcore.study.machine import default_workers, is_machine_busy
from stabcore.study.progress import shuffle_run_counts
from stabcore.study.study_result import open_study

FIRST_ROWS = 6  # of the panel
CLUSTER = "STABILITY_SCHEDULER"  # in the environment: the address of a Dask cluster that this installation may use
COLUMNS = {
    **figures.number_columns("%.2f", "floor", value="Stability", harrell="Concordance", seconds_a_run="Seconds per run"),
    **figures.number_columns("%.2f", about=dict.fromkeys(("accuracy", "balanced_accuracy"), glossary.describe_term("accuracy"))),
}


@dataclass(frozen=True, eq=False)
class StudyView:
    """The project and its table. running: whether a study runs while this screen is drawn."""

    project: Project
    data: Dataset
    running: bool

    @property
    def last_file(self):
        """The file of the last started study."""
        return self.project.folder / "study.stab"

    @cached_property
    def ended(self):
        """The last started study once it has ended. None, with an error, for a damaged file."""
        with text.show_errors():
            return None if self.running else cache.last_study(self.project)
        return None


def screen_title() -> str:
    """The title of the screen: what to run, the progress, or the findings."""
    project = session.project_or_none()
    if project is not None and project.is_running:
        return "When will the study finish?"
    return "What did the study find?" if session.has_results() else "What should the study run?"


def show_last_study(view):
    """The study that runs or ran last."""
    if view.running:
        show_running(view)
    elif view.ended is not None:
        show_ended(view.ended, partial(show_study_file, view))
    elif view.last_file not in view.project.studies and view.project.end_message:
        st.error(text.plain(view.project.end_message), icon=":material/error:")


def show_running(view, briefly=False):
    """The progress of the running study, which reads its file every second. briefly: without results."""

    @st.fragment(run_every=1.0)
    def look():
        with text.show_errors():
            show_progress(view, briefly)

    look()


def show_progress(view, briefly=False):
    """The progress of the running study. The page is drawn again at the end."""
    if view.running != view.project.is_running:
        st.rerun()
    if (before := view.project.queue_position) is not None:
        place = describe_place("Your study", *before)
        st.info(f"{place} It starts automatically, also when this page is closed.", icon=":material/hourglass_top:")
        show_cancel_button(view)
        return
    if view.last_file not in view.project.studies:
        st.info("Starting …", icon=":material/hourglass_top:")
        return
    result = open_study(view.last_file, named=True)  # not cached, because a running study changes
    _show_cohort(result)
    progress = result.progress()
    show_progress_bar(view, result, progress)
    if is_machine_busy():
        st.caption("Other programs keep this computer busy, so the study takes longer.")
    show_cancel_button(view)
    if not briefly:
        show_first_results(result, progress)


def _show_cohort(result):
    """The cohort of a study, if it has one."""
    if other_studies.cohort_of(result):
        st.caption(text.plain(f"Studied rows: {other_studies.describe_rows(result)}."))


def show_ended(result, end=None):
    """An ended study: its predictions, and its finished and failed runs. end: draws the end of a study of this project."""
    screen, progress = Screen(), result.progress()
    is_complete = len(result.store.finished()) == result.total
    with text.show_errors():
        _show_cohort(result)
        if result.finished_selectors:
            added = frame_added_value(result.added_value(), result.given) if result.given else ()
            judged = cache.computed(result.beats_guessing).reset_index()
            pairs = cache.computed(score_pairs, result, judged["score"].iloc[0]) if len(judged) else None
            predicted = finding_prediction(judged, added, pairs)
            screen.explain(
                "The screen Accuracy shows which selectors differ clearly in accuracy and stability." if predicted else ""
            )
            _show_panel(result, screen, predicted or finding_beyond(cache.computed(_headline, result), result))
        _show_size(result, progress)
        if end is not None:
            end()
        elif is_complete:
            show_end(result, None)
        screen.numbers = partial(
            show_first_results, result, None if is_complete and result.finished_selectors else progress, cache.computed
        )
        guards.add_settings_drawer(screen, result)
        if len(table := result.messages()):
            screen.others[f"Messages ({len(table)})"] = partial(figures.show_table, table, "messages", alt="Messages of runs")
        screen.show_drawers()


def _show_panel(result, screen, predicted):
    """The answer of an ended study, and the first rows of its panel. predicted: the sentence on its predictions."""
    rule, table = panel_rule(result), cache.computed(panel, result, with_substitutes=False)
    luckiest = cache.computed(floor_frequencies, result, chosen_selectors(result))[1]
    drawn = frame_panel(table, rule.threshold, luckiest=luckiest, least=FIRST_ROWS)
    drawn["between"] = False  # Panel tells what more runs could change
    finding = f"{finding_by_rule(table, rule, given=result.given, brief=True)} {predicted}"
    figures.show_row_figure(partial(draw_panel, drawn), finding, table, "panel-picture", key="found", screen=screen)
    glossary.show_caption(text.plain(caption_panel(drawn)))
    screen.explain(*describe_marks(drawn, *shuffle_run_counts(result)))


def _show_size(result, progress):
    """The size of the study in one line."""
    selectors, shuffles = sum(not is_baseline(label) for label in result.selectors), result.settings["n_permutations"]
    failed = int(progress["failed"].sum())
    sizes = (
        counted(selectors, "selector"),
        f"{counted(result.n_runs, 'run')} each",
        f"{result.describe_sizes()} of {len(result.features)} features per run",
        *([f"outcome shuffled {counted(shuffles, 'time')}"] if shuffles else []),
        counted(failed, "failed run") if failed else "no failed runs",
    )
    st.caption(f"{', '.join(sizes)}.")


def _headline(result):
    """The stability that screens show first, with its noise floor: of disjoint halves, or of all runs without them."""
    table = {"halves": result.split_half("nogueira")} if result.has_halves else {"runs": noise_floors(result)}
    return frame_beyond(table, blind_selectors(result))


def show_first_results(result, progress=None, computed=call):
    """The first numbers of each selector, farthest beyond the noise floor first, with its progress if unfinished."""
    shown = [] if progress is None else [progress]
    if result.finished_selectors:
        headline = computed(_headline, result).set_index("selector")
        shown.insert(0, headline[["value", "floor"] if result.has_control else ["value"]].round(2) + 0.0)  # no −0.00
        table = computed(result.table, ["nogueira"])
        controls.show_score_notes(table)
        shown.append(table[[default_score(result, table) or "accuracy"]])
    combined = pd.concat(shown, axis="columns")
    combined = combined.rename(index=short_names(list(combined.index)))  # on a telephone, long ones hide the numbers
    figures.show_dataframe(combined, alt="First results of each selector", column_config=COLUMNS, hide_index=False)
    if result.finished_selectors:
        of = "agreement of two disjoint halves of the patients" if result.has_halves else "agreement of all runs"
        floor = " Noise floor: stability with the outcome shuffled." if result.has_control else ""
        so_far = "" if progress is None else " so far"
        baseline = " Random ranking: a baseline for comparison." if any(map(is_baseline, result.finished_selectors)) else ""
        glossary.show_caption(f"Stability{so_far}: {of}, 1 if identical, 0 by chance.{floor}{baseline}")


def show_cancel_button(view):
    if st.button("Cancel study (keep results)", key="cancel", icon=":material/stop_circle:"):
        view.project.cancel_study()


def show_progress_bar(view, result, progress):
    """One line: tried selectors of a trial, else finished tasks and the remaining time."""
    done = int(progress[["done", "failed"]].to_numpy().sum())
    left = result.seconds_left(default_workers())
    if view.running and view.project.settings.get("trial"):
        tried = int((progress[["done", "failed"]].sum(axis="columns") > 0).sum())
        st.progress(tried / len(progress), text=f"Trial: {tried} of {counted(len(progress), 'selector')} tried once")
        return
    parts = [f"{done} of {result.total} tasks done"]
    if view.running and (so_far := view.project.run_seconds) is not None:
        parts.append(f"running for {format_duration(so_far)}")
    if view.running and left is not None:
        parts.append(f"about {format_duration(left)} left")
    st.progress(done / result.total, text=", ".join(parts))


def show_study_file(view):
    """The end of the last study, and its file."""
    result = view.ended
    if len(result.store.finished()) < result.total:  # a study without enough memory is unfinished
        show_continue_button(view, result)
    else:
        show_end(result, view.project.run_seconds)
    if (shown := view.project.store) != view.last_file:
        rows = other_studies.describe_rows(cache.open_study(shown))
        st.caption(text.plain(f"The screens show an earlier study, of {rows}. Choose this one under Earlier studies to show it."))
    figures.show_file_button(
        "Download study file",
        study_file.packing_function(view.project, view.last_file),
        "study.stab",
        "download-study",
        help="Settings, seed, versions, every run, and scenarios. It holds the outcome and predictions of every row, and the texts "
        "of corrected cells, but not the table.",
    )


def show_continue_button(view, result):
    """The rest of a study that ended early: its time, and the button that continues it."""
    show_progress_bar(view, result, result.progress())
    left = result.seconds_left(default_workers())
    takes = "" if left is None else f" The rest takes about {format_duration(left)} on {counted(default_workers(), 'worker')}."
    if result.tried:
        st.info(f"Tried one run of every selector.{takes}", icon=":material/timer:")
    else:
        st.warning(f"The study stopped early. {text.plain(view.project.end_message)}{takes}", icon=":material/pause_circle:")
    st.button("Continue study", key="resume", type="primary", icon=":material/play_circle:", on_click=start_missing)


def show_end(result, seconds):
    """A finished study, with failed tasks. seconds: the time of its last run, if known."""
    progress = result.progress()
    lost = [label for label in result.selectors if label not in result.finished_selectors]
    if not lost:
        took = "" if seconds is None else f" It ran for {format_duration(seconds)}."
        st.caption(f"The study is finished.{took}")
        if progress["failed"].any():
            st.warning(f"{counted(int(progress['failed'].sum()), 'run')} failed and are left out. The reasons are under Messages.")
    else:
        why = f"Too few runs of {', '.join(lost)} finished. {result.most_frequent_failure()}"
        st.error(text.plain(f"The study has ended. {why}"), icon=":material/error:")


def show_earlier_studies(view):
    """Other studies of this project, whose results can be shown again."""
    studies = view.project.studies
    before = [path for path in studies if path != view.last_file]
    if not before:
        return
    with st.expander(f"Earlier studies ({len(before)})", key="earlier-studies"):
        for number, path in enumerate(studies):
            with text.show_errors():
                _show_earlier_study(view, number, path, cache.open_study(path))


def _show_earlier_study(view, number, path, result):
    """One study of this project, to show or continue."""
    rows = f"{other_studies.describe_rows(result)}: " if other_studies.cohort_of(result) else ""
    st.caption(text.plain(("The last one: " if path == view.last_file else "") + rows + result.sentence()))
    if path == view.project.store:
        st.markdown("**The screens show these results.**")
    else:
        st.button(
            "Show these results",
            key=f"show-{number}",
            icon=":material/visibility:",
            on_click=set_shown_results,
            args=(path, result),
        )
    if path != view.last_file and path.with_suffix(".toml").exists() and len(result.store.finished()) < result.total:
        st.button(
            "Continue this study", key=f"go-on-{number}", icon=":material/play_circle:", on_click=continue_earlier, args=(path,)
        )


@session.if_project_exists
def set_shown_results(path, result):
    """Show the results of another study, of another cohort together with its rows for C and Data.

    Other changes of the table since then stay.
    """
    then, now = Choices.of(result.store.meta("choices", {})), cache.choices()
    for column, cells in other_studies.cohort_of(result).items():
        now = now.only(column, cells)
    alike = now.layout == then.layout and set(now.mends) == set(then.mends)
    session.project().save(store=path.name, **({"choices": then.settings()} if alike else {}))


@session.if_project_exists
def continue_earlier(path):
    """Continue an earlier study. The last one becomes an earlier one."""
    with text.show_errors():
        session.project().restore_study(path)
        start_missing()


@session.if_project_exists
def start_missing(pilot=False):
    """Run the missing tasks of the study written last.

    Only the administrator names a cluster, because data from its scheduler is unpickled, which runs code.
    """
    session.project().start_study(
        pilot=pilot, scheduler=os.environ.get(CLUSTER) if st.session_state.get(session.SCHEDULER) else None
    )
