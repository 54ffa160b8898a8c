"""The keys of a session, and its recovery after a reload by the id in the URL."""

from __future__ import annotations

import json
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from functools import wraps
from typing import Any

import streamlit as st

from pages.server.sign_in import current_person
from pages.workspace.project import Project
from pages.workspace.projects import refuse_when_full
from stabcore.base.errors import InputError

ID = "id"  # in the URL and in the session: the open project

DEFAULTS = "defaults"  # {key: default}. The address omits defaults
UNKNOWN_PROJECT = "unknown_project"  # whether an unknown project was requested, to be shown once
MESSAGE = "message"  # a message to show once after a rerun
INSIDE_APP = "inside_app"  # whether app.py runs this page, as it should
PAGE = "page"  # name of the open page
RERUN_PAGE = "rerun_page"  # whether a change in a part of a page affects the rest of it

# Shared by several screens.
CARDINALITY = "feature_count"  # number of features in the what-if on it
CARDINALITY_ASKED = "other_feature_count"  # whether that what-if is on. If not, the selections of each run count
SELECTOR = "shown_selector"  # the selector on display
HIGHLIGHTED = "highlighted"  # names of the highlighted features, whose numbers are in the URL
HIGHLIGHTED_CHOICE = "highlighted__widget"  # list of the highlighted features in the sidebar
FEATURE = "feature"  # the feature of the feature profile
STEPS = "steps"  # the choices step by step, for undo
STEPS_DRAWN = "steps_drawn"  # pages of the steps that undo and redo currently offer
LAST_STEP = "last_step"  # (number of the rerun of the last step, its start, its end)
RERUN_COUNT = "rerun_count"  # number of reruns of pages and parts
CHANGES_OF_C = "changes_of_c"  # the scenarios after each control that changed them since the last step, see undoing.begin
PROJECT_CHANGED = "project_changed"  # whether this tab changed undoing.KEPT_PARTS of the project since its last step
SCENARIO_REVISION = "scenario_revision"  # number of changes of the scenarios, with undo
SCENARIO_SWITCH = "scenario_switch"  # the scenario in the sidebar
SCENARIO_OF_TAB = "scenario"  # name of the scenario of this tab, from its address
SCENARIO_SEEN = "scenario_seen"  # the scenario when this tab last showed it

# Data.
TARGET, EXCLUDE, GIVEN, SAME_PATIENT = "target", "exclude", "given", "same_patient"  # roles of columns
TIME, LAST_DATE, EVENT, HAPPENED = "time", "last_date", "event", "happened"  # columns of a time to an event, its values
COHORT_COLUMN, COHORT = "cohort_column", "cohort_value"  # column and value of the cohort

# Similarity. Settings of the scenario are at "scenario-" and their name.
SCENARIO_HERE = "scenario_here"  # the scenario on the page
SCENARIO_NOTES = "scenario_notes"  # assumptions of reading a scenario file, to be shown once
GROUPS_BY = "groups_by"  # the way to define groups
CUT_AT, CUT_METHOD, CUT_LINKAGE = "cut_at", "cut_method", "cut_linkage"  # the tree of suggested groups
PAIRS_BY = "pairs_by"  # the way to set single pairs
GRID = "grid_features"  # features in the grid of C
GRID_REFUSED = "grid_refused"  # the error of an edit of the grid, to be shown once

# Stability.
STABILITY_SECTION = "stability_section"  # the open section
TELEPHONE_FACET = "one_facet"  # of the figure on a telephone
MEASURES = "measures"  # keys of the measures in the table, with "_" and a family
INSIDE_FOLDS = "measure_within_folds"  # the measure within outer folds
COMPARING_MEASURE = "comparing_measure"  # the measure that compares selectors
MEASURES_COMPARED = "compared_measures"  # the compared measures
MEASURE_PROPERTIES = "measure_properties"  # the required properties of a measure
# The measure with settings, its interval and test
TUNED_MEASURE, TUNED_INTERVAL, TUNED_REFERENCE = "tuned_measure", "tuned_interval", "tuned_reference"

# Maps.
SECOND_SELECTOR = "second_selector"  # the selector beside the first one
HAS_SECOND_SELECTOR = "two_selectors"  # whether there is one
FEATURE_ORDER, GROUPS_MERGED = "feature_order", "groups_merged"  # order of features, and whether members of a group share a row
DIRECTIONS_COLOURED = "directions_coloured"  # whether colours show directions
RUNS_CLUSTERED = "runs_clustered"  # whether runs with similar selections are side by side
FOLDS_LEFT_OUT = "folds_left_out"  # outer folds that are left out
ALL_ROWS_SHOWN = "all_rows"  # whether a map has a row for every feature, not for the first ones only
FEATURES_DRAWN = "features_drawn"  # number of separate features
POSITIONS_SHOWN = "positions_shown"  # first and last shown place in the order

# Feature count.
COUNT_SECTION = "count_section"  # the open section
COUNT_MEASURE = "count_measure"  # the measure of stability
COUNT_SELECTORS, COUNT_RUNS_OF = "count_selectors", "count_runs_of"  # selectors of each section
COUNT_RELATED = "count_related"  # whether similar features count as shared
COUNT_WINDOW, COUNT_PRECISION = "count_window", "count_precision"  # number of further features; precision

# What if. Settings of the scenario are at "whatif-" and their name.
WHAT_IF_QUESTION = "what_if"  # the open question
PARETO_EACH = "pareto_each_study"  # whether the fronts of other studies are drawn separately
PAIRS_AS_MATRIX = "pairs_as_matrix"  # whether the influential pairs are drawn as a matrix
PAIR, PAIR_CHOICE = "pair", "pair_choice"  # names of the two features of an entry of C; the list of pairs
PAIR_VALUE = "pair_value"  # that entry
PAIR_FEATURES = "pair_features"  # number of features in the figure
WHAT_IF_SECTION = "threshold_section"  # the open further analysis of the threshold
TELEPHONE_SCENARIO = "one_scenario"  # of the figure on a telephone
SCENARIOS_COMPARED, REFERENCE_SCENARIO = "compared_scenarios", "reference_scenario"  # compared scenarios, and the reference
GROUPS_OFF = "groups_off"  # names of the groups that are off on What if only
GROUPS_ON_CHOICE, GROUPS_OFF_CHOICE = "groups_on_choice", "groups_off_choice"  # the buttons, and the list for them

# Panel.
PANEL_SECTION = "panel_section"  # the open section
PANEL_SELECTOR, PANEL_THRESHOLD = "panel_selector", "panel_threshold"  # selector of the panel; its threshold in per cent
# The rule of the panel, a limit on the number of false features, and a limit on their share in per cent
PANEL_RULE, PANEL_AT_MOST, PANEL_SHARE = "panel_rule", "panel_false_features", "panel_fdr"
PANEL_COLOURS = "panel_colours"  # meaning of the colours of the grid of choices: size, or a bound
PANEL_OTHER_HALF = "panel_other_half"  # whether effects are shown on the half of the patients that did not select
PANEL_SUBGROUPS, SUBGROUPS_ASKED = "panel_subgroups", "subgroups_asked"  # column of the subgroups; what was asked to be computed
PANEL_GROUPED = "panel_grouped"  # whether members of a group count as one feature
RISK_CLASSIFIER, RISK_THRESHOLD = "risk_classifier", "risk_threshold"  # classifier of risks; the risk threshold in per cent
RISK_EVENT = "risk_event"  # the class of the risk
RISK_PATIENT = "risk_patient"  # number of the shown row
OTHER_STUDY = "other_study"  # the file of the other study
TRANSFER_CLASSIFIER = "transfer_classifier"  # classifier of a panel that is tested in another study

# Report, and Data.
ASKED_FILTERED, ASKED_SOURCE = "asked_filtered", "asked_source"  # two questions about the table
REPORT_SHOWN = "report_shown"  # whether the preview is shown
REPORT_INTERACTIVE = "report_interactive"  # whether its readers can change figures
REPORT_PARTS, REPORT_FIGURES = "report_parts", "report_figures"  # numbers of the parts, names of the figures

# Accuracy.
PARETO_SECTION = "pareto_section"  # the open section
PARETO_MEASURE, PARETO_SELECTORS = "pareto_measure", "pareto_selectors"  # measure of stability; selectors of the table
PARETO_SCORE = "pareto_score"
PARETO_GAMMA, PARETO_MARGIN = "pareto_gamma", "pareto_margin"
COMPARED_CHOICE = "compared__widget"  # the other studies

# Check.
CHECKED = "checked"  # the results of the check

# Learn. Settings of a lesson are at "learn-", its key and theirs.
LESSON = "lesson"  # the open lesson
LESSON_SEED = "lesson_seed"  # the seed of its simulations
LESSON_GUESSES = "lesson_guesses"  # {lesson: the guess and its settings}
LESSON_DRAWS = "lesson_draws"  # {lesson: number of draws}
LESSON_CLASS, LESSON_PERSON = "lesson_class", "lesson_person"  # code of the class of the link; a random name in it
TEACHERS_CLASS = "teachers_class"  # code of the class that this page has opened
OWN_LESSON = "own_lesson"  # the one that was uploaded, or came with the link of a class
LESSON_STEP = "lesson_step"  # {lesson: the open step of its story}
LEARN_SECTION = "learn_section"  # the open part: lessons or papers
PAPER, PAPER_ADDRESS = "paper_exhibit", "paper_address"  # the open figure or table, and its last address
LESSON_ADDRESS = "lesson_address"  # the last address of a lesson

# Glossary.
SEARCHED_WORD, EXPLAINED = "word", "explained"  # the search text; (page, its explained sentences)
PICTURE_FORMAT = "picture_format"  # format of the camera of a figure

# Study: the settings of the next one. Options of plans are kept by their names, those of selectors at `option_` and their names.
PRESET, SELECTORS, K, CLASSIFIER, PLAN = "preset", "selectors", "k", "classifier", "plan"
NEIGHBOURS, IMPORTANCES = "neighbours", "importances"  # K of nearest neighbours; the source of importances
# The held-out share, the time limit: answers that set the plan and its runs
ROWS_HELD_OUT, TIME_LIMIT = "rows_held_out", "time_limit"
N_RUNS, N_PAIRS, TEST_SIZE = "n_runs", "n_pairs", "test_size"
RANDOM_STATE, STRATIFIED, N_PERMUTATIONS, N_SEEDS = "random_state", "stratified", "n_permutations", "n_seeds"
N_IMPUTATIONS = "n_imputations"
RUN_AT_ONCE = "run_at_once"  # whether Data asked for a study with the first settings
FIRST_FORM = "first_form"  # the first settings of the form
SCHEDULER = "scheduler"  # whether the study runs on the cluster of the server
FORM = (
    *(PRESET, SELECTORS, K, CLASSIFIER, NEIGHBOURS, IMPORTANCES, RANDOM_STATE, STRATIFIED, TIME_LIMIT),
    *(N_PERMUTATIONS, N_SEEDS, N_IMPUTATIONS),
    *(PLAN, N_RUNS, N_PAIRS, TEST_SIZE, "n_splits", "n_repeats", "n_outer", "n_inner", "column"),
)
NEW_STUDY = "new_study"  # whether the form of another study is open, below a finished one
PROFILE_OPENED = "profile_opened"  # the clicked feature, until its profile is shown
MAP_KIND = "map_kind"  # selections or importances
CHANGED_SETTINGS = "changed_settings"  # key of the session: settings changed in a read-only copy
CHANGEABLE_SETTINGS = {"scenarios", "scenario", "scenario_name", "compared", "asked", "panels"}


def sync_with_address() -> bool:
    """Open the project of the URL after a reload, keep it in the URL when pages change, and keep the values of forms.

    Returns whether the URL named the project of the session, so that its other values apply.
    """
    for key in list(st.session_state):
        if key in FORM or str(key).startswith("option_"):
            st.session_state[key] = st.session_state[key]  # otherwise Streamlit drops it on a page that does not draw it
    asked = st.query_params.get(ID)
    if asked and asked != st.session_state.get(ID):  # a link, or Back: the address names the project, in every tab
        project = Project.find(asked, current_person())
        if project is not None:
            open_project(project)
        else:
            st.session_state[UNKNOWN_PROJECT] = True
    if ID in st.session_state and project_or_none() is None:
        del st.session_state[ID]  # deleted in another tab
        st.session_state[UNKNOWN_PROJECT] = True
    if ID not in st.session_state or st.query_params.get(ID) == st.session_state[ID]:
        return ID in st.session_state
    st.query_params[ID] = st.session_state[ID]
    return False


_PROJECTS_OF_RERUN: ContextVar[dict | None] = ContextVar("opened", default=None)  # {id: project} while a page is drawn


@contextmanager
def counted_rerun():
    """Around a page or a part that runs alone, which counts as a rerun."""
    if _PROJECTS_OF_RERUN.get() is None:
        st.session_state[RERUN_COUNT] = st.session_state.get(RERUN_COUNT, 0) + 1
    with read_once():
        yield


@contextmanager
def read_once():
    """Read the person of this session and the content of the project once inside."""
    if _PROJECTS_OF_RERUN.get() is not None:
        yield
        return
    token = _PROJECTS_OF_RERUN.set({})
    try:
        yield
    finally:
        _PROJECTS_OF_RERUN.reset(token)


def project() -> OpenProject:
    """The open project, where there must be one. Raises InputError if it was deleted."""
    project = project_or_none()
    if project is None:
        raise InputError("No project is open. Open one on Start.")
    return project


def project_or_none() -> OpenProject | None:
    """The open project, or None."""
    return _find_project(st.session_state.get(ID))


def project_of_address() -> OpenProject | None:
    """The project of the address, else of the session, before the page opens it."""
    return _find_project(st.query_params.get(ID) or st.session_state.get(ID))


def _find_project(id) -> OpenProject | None:
    """The project of an id, read once per rerun."""
    opened = _PROJECTS_OF_RERUN.get()
    if opened is None:
        return OpenProject.find(id, current_person())
    if id not in opened:
        opened[id] = OpenProject.find(id, current_person())
    return opened[id]


def has_results() -> bool:
    """Whether the open project has results."""
    with suppress(InputError):
        project = project_or_none()
        return project is not None and project.has_results
    return False


def has_outcome() -> bool:
    """Whether the outcome of the open project is chosen."""
    with suppress(InputError):
        project = project_or_none()
        return project is not None and bool(project.settings.get("roles"))
    return False


def create_project(**settings) -> Project:
    """Start a new project in this session. Earlier ones keep their URL on disk. Raises InputError without space for it."""
    refuse_when_full(current_person())
    project = Project.create(current_person())
    project.save(**settings)
    return open_project(project)


def open_project(project) -> Project:
    """Make this the project of the session and its address. An earlier one stays on disk, under its own address."""
    kept = {key: st.session_state[key] for key in (INSIDE_APP, PAGE) if key in st.session_state}
    _clear_session()  # choices for other data may be impossible here
    st.session_state.update(kept)
    st.session_state[ID] = project.id
    if st.query_params.get(ID) != project.id:  # and so may those of another address
        st.query_params.from_dict({ID: project.id})
    return project


def close_project():
    """Close the project: the session and its address are as new."""
    _clear_session()
    st.query_params.clear()
    st.session_state[INSIDE_APP] = True


def _clear_session():
    """Empty the session. `st.session_state.clear` would stop halfway at the first key that is already gone."""
    for key in list(st.session_state):
        with suppress(KeyError):
            del st.session_state[key]


def setting_key(screen, field) -> str:
    """Key of the widget of a setting of the chosen scenario on a screen, "scenario" (Similarity) or "whatif"."""
    return f"{screen}-{field}"


def tuned_key(measure, option) -> str:
    """Key of an option of a measure with settings."""
    return f"{TUNED_MEASURE}_{measure}_{option}"


def widget_key(key) -> str:
    """Key of the widget of a `bound` value, which Streamlit drops when the widget is not drawn."""
    return f"{key}__widget"


def value_or_default(key, default):
    """The value of a key, or its default, which is registered because the address omits it."""
    st.session_state.setdefault(DEFAULTS, {})[key] = default
    return st.session_state.setdefault(key, default)


def allowed_value(value, default, options, most=None):
    """A value, or the values of a list, among the options and up to a limit, else the default."""
    if isinstance(default, list):
        return [choice for choice in value if choice in options][:most] if isinstance(value, (list, tuple)) else default
    return value if value in options else default


def bound(key, default=None, options=None, most=None) -> dict[str, Any]:
    """Arguments of a widget that shows the value of `key` and keeps the choice also while it is not drawn.

    The widget has another key, which Streamlit may drop. options, most: the allowed values, and the limit of a list. An address can
    hold anything, and other results have other options.
    """
    value, widget = value_or_default(key, default), widget_key(key)
    st.session_state[key] = value if options is None else allowed_value(value, default, options, most)
    st.session_state[widget] = st.session_state[key]  # every time: the same key can be another widget on another page
    return {"key": widget, "on_change": store_widget_value, "args": (key,)}


def bound_range(key, low, high, default, switches_on=None) -> dict[str, Any]:
    """As `bound`, for a slider from low to high. switches_on: the key of a switch that becomes true when the slider moves."""
    value_or_default(key, default)
    widget, drawn = widget_key(key), f"{key}__drawn"
    here = st.session_state.get(PAGE), low, high
    if st.session_state.get(drawn) != here:  # another page has another slider, which does not know the value
        st.session_state.pop(widget, None)
        st.session_state[drawn] = here
    st.session_state[key] = min(max(st.session_state[key], low), high)  # other results may allow less
    set_widget(widget, st.session_state[key])
    return {"min_value": low, "max_value": high, "key": widget, "on_change": store_widget_value, "args": (key, switches_on)}


def store_widget_value(key, switches_on=None):
    """Keep the value of the widget of a key."""
    st.session_state[key] = st.session_state[widget_key(key)]
    if switches_on is not None:
        st.session_state[switches_on] = True


def set_widget(key, value):
    """Let a widget show a value. If it shows the value already, setting it again would undo keys pressed meanwhile."""
    if key not in st.session_state or st.session_state[key] != value:
        st.session_state[key] = value


def set_watched_widget(key, value, *, folded=False):
    """Let a widget show a value, which `has_moved` compares with a change.

    folded: for a widget in a folded box. A browser has not drawn it yet and would otherwise show its default.
    """
    if folded:
        st.session_state[key] = value
    set_widget(key, value)
    st.session_state[f"{key}__seen"] = value


def has_moved(key) -> bool:
    """Whether a widget holds another value than when it was drawn, or than its last change.

    The browser reports a control once more after another section replaced it, as a change to its old value.
    """
    seen, value = f"{key}__seen", st.session_state[key]
    changed = value != st.session_state.get(seen)
    st.session_state[seen] = value
    return changed


class OpenProject(Project):
    """A project during one rerun: its settings, which a page reads a hundred times, are read once and after each change.

    Another rerun may have to see changes of another tab, and a save always adds to the disk. In a read-only copy, the session alone
    keeps what-ifs that a project would keep (TRIED), so that each viewer has their own.
    """

    def computed_once(self, question: str, make):
        """The result of make(), computed once per rerun and after each change, so that read files are not looked for again."""
        answers = vars(self).setdefault("_answers", {})
        if question not in answers:
            answers[question] = make()
        return answers[question]

    @property
    def settings(self) -> dict:
        """See Project. No cached_property: before Python 3.12, its lock lets one session wait for the disk of every other."""
        return self.computed_once("settings", self._read_settings)

    def _read_settings(self):
        stored = super().settings
        return {**stored, **st.session_state.get(CHANGED_SETTINGS, {})} if "frozen" in stored else stored

    def save(self, **changes):
        """See Project."""
        if self.read_only_since is not None and set(changes) <= CHANGEABLE_SETTINGS:
            st.session_state[CHANGED_SETTINGS] = {**st.session_state.get(CHANGED_SETTINGS, {}), **json.loads(json.dumps(changes))}
        else:
            super().save(**changes)
        vars(self).pop("_answers", None)


def if_project_exists(act):
    """A callback that changes the project. It does nothing if another tab has deleted it, which the next page reports."""

    @wraps(act)
    def if_there(*args, **options):
        with read_once():
            if project_or_none() is not None:
                act(*args, **options)

    return if_there
