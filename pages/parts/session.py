"""What a session holds, every key by name, and how it is found again after a reload: by the id in the URL."""

from __future__ import annotations

import json
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from functools import wraps
from typing import Any

import streamlit as st

from pages.server.sign_in import who
from pages.workspace.project import Project
from pages.workspace.projects import refuse_when_full
from stabcore.base.errors import InputError

ID = "id"  # in the URL and in the session: which workspace

USUAL = "usual"  # {key: what is kept there unless somebody chooses}; the address is silent on it
UNKNOWN_WORK = "unknown_work"  # was a work asked for that is not here? To be said once
MESSAGE = "said"  # what is to be said once, after what was done drew the page anew
INSIDE_APP = "inside"  # is this page run by app.py, as it should?
PAGE = "page"  # name of the page that is open
RERUN_PAGE = "everywhere"  # did what was just done in a part of a page change what is beside it?

# Shared by several screens.
CARDINALITY = "cardinality"  # how many features are selected, in the what-if on that
CARDINALITY_ASKED = "cardinality_free"  # is that what-if on? If not, what each run selected counts
SELECTOR = "explored"  # the selector whose runs are looked at
HIGHLIGHTED = "picked"  # names of the features that are highlighted everywhere
HIGHLIGHTED_CHOICE = "picked__widget"  # the list of them in the sidebar
HIGHLIGHTED_IN_ADDRESS = "f"  # their numbers, in the URL
FEATURE = "passport-feature"  # the feature that Passport is about
STEPS = "steps"  # what was chosen, step by step, to be taken back
STEPS_DRAWN = "steps_drawn"  # pages of the steps that the buttons above a page offer to take back and to do again
LAST_STEP = "step_at"  # (number of the rerun of the last step, when it began, when it was drawn)
RERUN_COUNT = "reruns"  # how many reruns of pages and parts there were
CHANGES_OF_C = "changes_of_c"  # the scenarios after each control that changed them since the last step, see undoing.begin
WORK_CHANGED = "work_changed"  # did this tab change what the work keeps, see undoing.KEPT, since its last step?
SCENARIO_REVISION = "scenario_changes"  # how often the scenarios were changed or undone
SCENARIO_SWITCH = "scenario-switch"  # the scenario as the sidebar shows it
SCENARIO_OF_TAB = "scenario_of_tab"  # name of the scenario that this tab looks at, as its address says
SCENARIO_SEEN = "scenario_seen"  # what was chosen about C when this tab looked last

# Data.
TARGET, EXCLUDE, GIVEN, SAME_PATIENT = "target", "exclude", "given", "same_patient"  # what the columns are for
TIME, LAST_DATE, EVENT, HAPPENED = "time", "last-date", "event", "happened"  # columns of a time to an event, values of the last
COHORT_COLUMN, COHORT = "cohort-column", "cohort-value"  # whose rows are used alone

# Groups & C. Settings of the scenario are at "scenario-" and their name.
SCENARIO_HERE = "scenario-here"  # the scenario as the page shows it
SCENARIO_NOTES = "scenario_said"  # what was assumed while a scenario was read from a file, to be shown once
GROUPS_BY = "group_way"  # how groups are made
CUT_AT, CUT_METHOD, CUT_LINKAGE = "cut_at", "cut_method", "cut_linkage"  # the tree that suggests groups
PAIRS_BY = "by_hand"  # how single pairs are set
GRID = "grid-features"  # features in the grid of C
GRID_REFUSED = "grid_refused"  # why what was typed into the grid was not taken, to be said once

# Stability.
STABILITY_SECTION = "section"  # which section is open
TELEPHONE_PANEL = "one-panel"  # of Stability's figure on a telephone
MEASURES = "measures"  # keys of the measures in the table; "_" and a family behind it
INSIDE_FOLDS = "inside-folds"  # the measure inside outer folds
COMPARING_MEASURE = "compared_by"  # the measure by which selectors are compared
MEASURES_COMPARED = "agreeing"  # the measures that are compared
MEASURE_WISHES = "wishes"  # what the measure that is looked for has to do
# The measure that is set, how it is judged
TUNED_MEASURE, TUNED_INTERVAL, TUNED_AGAINST = "tuned", "tuned-interval", "tuned-against"

# Maps.
SECOND_SELECTOR = "explored_beside"  # the selector beside the explored one
HAS_SECOND_SELECTOR = "beside"  # is there one?
FEATURE_ORDER, GROUPS_MERGED = "order", "merged"  # of the features; are members of groups one row?
DIRECTIONS_COLOURED = "ways"  # do colours tell which way features go with the outcome?
RUNS_CLUSTERED = "alike"  # do runs that selected alike stand beside each other?
FOLDS_LEFT_OUT = "folds-left-out"  # outer folds that count nowhere
FEATURES_DRAWN, PLACES_SHOWN = "pieces", "span"  # features drawn one by one; first and last place in the order that is looked at

# Profiles.
PROFILE_SECTION = "profile"  # which section is open
PROFILE_MEASURE = "profile-measure"  # of stability
PROFILE_SELECTORS, PROFILE_RUNS = "profile-knots", "profile-runs"  # selectors of each section
PROFILE_RELATED = "profile-related"  # do features that stand for each other count as shared?
PROFILE_WINDOW, PROFILE_HALF = "profile-window", "profile-half"  # how many features further; how precisely

# What if. Settings of the scenario are at "whatif-" and their name.
WHAT_IF_QUESTION = "what_if"  # the question that is open
PARETO_EACH = "pareto-each"  # are the fronts of other studies drawn one by one?
INFLUENCE_MATRIX = "as-matrix"  # are the pairs that matter drawn as a matrix?
PAIR, PAIR_CHOICE = "pair", "pair-choice"  # names of the two features whose entry of C is looked at; the list of pairs
PAIR_VALUE = "pair-value"  # that entry
INFLUENCE_FEATURES = "influence_features"  # how many are in the picture
C_RESAMPLED = "uncertain"  # are other patients drawn for C?
TELEPHONE_SCENARIO = "one-scenario"  # of the figure on a telephone
SCENARIOS_COMPARED, REFERENCE_SCENARIO = "side_by_side", "held_against"  # scenarios, and which one the rest is held against
GROUPS_OFF = "groups_off"  # names of the groups that are switched off on What if only
GROUPS_ON_CHOICE, GROUPS_OFF_CHOICE = "groups-on", "groups-off"  # the buttons, the list for them

# Panel.
PANEL_SECTION = "panel"  # which section is open
PANEL_SELECTOR, PANEL_THRESHOLD = "panel-of", "panel-threshold"  # whose it is; the least share of the runs, in per cent
PANEL_RULE, PANEL_AT_MOST, PANEL_SHARE = (
    "panel-rule",
    "panel-at-most",
    "panel-fdr",
)  # what decides; how many false features; per cent
PANEL_COLOURS = "panel-colours"  # what colours of the map of choices tell: stays, score, or a bound
PANEL_OTHER_HALF = "panel-other-half"  # are effects shown on the half of the patients that selected nothing?
PANEL_GROUPED = "panel-grouped"  # do members of a group count as one feature?
RISK_CLASSIFIER, RISK_THRESHOLD = "risk-classifier", "risk-threshold"  # what tells risks; the risk in per cent
RISK_EVENT = "risk-event"  # the class whose risk it is
RISK_PATIENT = "risk-patient"  # number of the row that is looked at
OTHER_STUDY = "panel-other"  # the file of the study that is compared with
TRANSFER_CLASSIFIER = "transfer-classifier"  # what a panel is trained by, to be tested in another study

# Report, and Data.
ASKED_FILTERED, ASKED_SOURCE = "asked-filtered", "asked-source"  # two questions about the table
REPORT_SHOWN = "report-shown"  # is the report itself shown?
REPORT_INTERACTIVE = "report-interactive"  # does it hold figures that its reader can change?
REPORT_PARTS, REPORT_FIGURES = "report-parts", "report-figures"  # numbers of the parts, names of the figures that are shown

# Pareto.
PARETO_SECTION = "pareto"  # which section is open
PARETO_MEASURE, PARETO_SELECTORS = "pareto-measure", "pareto-chosen"  # of stability; selectors that are compared in the table
PARETO_SCORE = "score"
PARETO_GAMMA, PARETO_MARGIN, PARETO_SPACE = "pareto-gamma", "pareto-margin", "pareto-space"
COMPARED_CHOICE = "compared__widget"  # the studies that are laid over

# Learn. Settings of a lesson are at "learn-", its key and theirs.
LESSON = "lesson"  # the lesson that is open
LESSON_SEED = "lesson-seed"  # of its simulations
LESSON_GUESSES = "lesson-guesses"  # {lesson: what was guessed, and the settings it was asked for}
LESSON_DRAWS = "lesson-draws"  # what a class drew, as it was typed
LEARN_SECTION = "learn"  # which part is open: lessons or papers
PAPER, PAPER_ADDRESS = "paper-exhibit", "paper-address"  # the figure or table that is open, and as the address said it last
LESSON_ADDRESS = "lesson-address"  # what the address says of a lesson, as it was written last

# Glossary.
SEARCHED_WORD, EXPLAINED = "word", "explained"  # what is looked for in it; (page, its sentences of which words are explained)
PICTURE_FORMAT = "picture-format"  # as what the camera of a picture saves it

# Study: the settings of the next one. Options of plans are kept by their names, those of selectors at `option_` and theirs.
PRESET, SELECTORS, K, CLASSIFIER, PLAN = "preset", "selectors", "k", "classifier", "plan"
NEIGHBOURS, IMPORTANCES = "neighbours", "importances"  # K of nearest neighbours; whose importances are kept
# How much is taken away, how long it may take: answers that set the plan and its runs
ROWS_TAKEN_AWAY, TIME_LIMIT = "away", "how_long"
N_RUNS, N_PAIRS, TEST_SIZE = "n_runs", "n_pairs", "test_size"
RANDOM_STATE, STRATIFIED, N_PERMUTATIONS, N_SEEDS = "random_state", "stratified", "n_permutations", "n_seeds"
FORM_AT_FIRST = "form_began"  # the settings that the form began with
SCHEDULER = "scheduler"  # does the study run on the cluster of the server?
FORM = (
    PRESET,
    SELECTORS,
    K,
    CLASSIFIER,
    PLAN,
    N_RUNS,
    TEST_SIZE,
    "n_splits",
    "n_repeats",
    "n_outer",
    "n_inner",
    N_PAIRS,
    "column",
    RANDOM_STATE,
    STRATIFIED,
    N_PERMUTATIONS,
    N_SEEDS,
    TIME_LIMIT,
    NEIGHBOURS,
    IMPORTANCES,
)
NEW_STUDY = "new_study"  # is the form of another study open, below one that has ended?
PROFILE_OPENED = "profile_opened"  # the feature that was clicked, until its profile is shown
MAP_KIND = "map_kind"  # selections or importances
TRIED_HERE = "tried"  # key of the session: settings that it has tried in a read-only copy
TRIED = {"scenarios", "scenario", "scenario_name", "compared", "asked", "panels"}


def remember() -> bool:
    """Take the workspace from the URL after a reload, and keep it in the URL when pages change; keep what forms hold.

    Returns whether the URL named the workspace of the session, so that what else it says is of this one.
    """
    for key in list(st.session_state):
        if key in FORM or str(key).startswith("option_"):
            st.session_state[key] = st.session_state[key]  # else Streamlit drops it on a page that does not draw it
    asked = st.query_params.get(ID)
    if asked and asked != st.session_state.get(ID):  # a link, or Back: the address says which work, as in every tab
        work = Project.find(asked, who())
        if work is not None:
            take_up(work)
        else:
            st.session_state[UNKNOWN_WORK] = True
    if ID in st.session_state and workspace() is None:
        del st.session_state[ID]  # forgotten in another tab
        st.session_state[UNKNOWN_WORK] = True
    if ID not in st.session_state or st.query_params.get(ID) == st.session_state[ID]:
        return ID in st.session_state
    st.query_params[ID] = st.session_state[ID]
    return False


_WORKS_OF_RERUN: ContextVar[dict | None] = ContextVar("opened", default=None)  # {id: workspace} while a page is drawn


@contextmanager
def one_rerun():
    """Around a page, or a part of it that is run alone, which is counted."""
    if _WORKS_OF_RERUN.get() is None:
        st.session_state[RERUN_COUNT] = st.session_state.get(RERUN_COUNT, 0) + 1
    with read_once():
        yield


@contextmanager
def read_once():
    """What is asked for again and again inside is read once: who is at this session, and what the work keeps."""
    if _WORKS_OF_RERUN.get() is not None:
        yield
        return
    token = _WORKS_OF_RERUN.set({})
    try:
        yield
    finally:
        _WORKS_OF_RERUN.reset(token)


def work() -> Opened:
    """The workspace of this session, where there has to be one. Raises InputError when it was forgotten."""
    project = workspace()
    if project is None:
        raise InputError("No project is open. Open one on Start.")
    return project


def workspace() -> Opened | None:
    """The workspace of this session, if something was loaded."""
    return _opened(st.session_state.get(ID))


def named_work() -> Opened | None:
    """The workspace that the address names, else that of the session: before the page is drawn, which takes it up."""
    return _opened(st.query_params.get(ID) or st.session_state.get(ID))


def _opened(id) -> Opened | None:
    """The workspace of an id, read once a rerun."""
    opened = _WORKS_OF_RERUN.get()
    if opened is None:
        return Opened.find(id, who())
    if id not in opened:
        opened[id] = Opened.find(id, who())
    return opened[id]


def has_results() -> bool:
    """Has the open project results to show?"""
    with suppress(InputError):
        project = workspace()
        return project is not None and project.has_results
    return False


def begin(**settings) -> Project:
    """A new workspace for this session; earlier ones stay on disk, under their own URL. Raises InputError without room for it."""
    refuse_when_full(who())
    work = Project.create(who())
    work.save(**settings)
    return take_up(work)


def take_up(work) -> Project:
    """Make this the work of the session, and of its address; what was open before stays on disk, under its own address."""
    staying = {key: st.session_state[key] for key in (INSIDE_APP, PAGE) if key in st.session_state}
    _empty()  # choices made for other data may not exist for these
    st.session_state.update(staying)
    st.session_state[ID] = work.id
    if st.query_params.get(ID) != work.id:  # nor do those of another address
        st.query_params.from_dict({ID: work.id})
    return work


def leave():
    """No work any more: the session and its address are as new."""
    _empty()
    st.query_params.clear()
    st.session_state[INSIDE_APP] = True


def _empty():
    """Let the session forget everything; `st.session_state.clear` ends, half done, at the first key that is gone already."""
    for key in list(st.session_state):
        with suppress(KeyError):
            del st.session_state[key]


def setting(screen, field) -> str:
    """Key of the widget that shows a setting of the chosen scenario on a screen, "scenario" (Groups & C) or "whatif"."""
    return f"{screen}-{field}"


def tuned(measure, option) -> str:
    """Key of an option of a measure whose settings are asked for."""
    return f"{TUNED_MEASURE}-{measure}-{option}"


def widget_key(key) -> str:
    """Key of the widget of what is `bound`, which Streamlit drops when it is not drawn."""
    return f"{key}__widget"


def usual(key, default):
    """What is kept under `key` while nothing else was chosen; with that, the address need not say it."""
    st.session_state.setdefault(USUAL, {})[key] = default
    return st.session_state.setdefault(key, default)


def allowed(value, default, options, most=None):
    """A value, or those of a list that are among what is offered, at most so many; else the default."""
    if isinstance(default, list):
        return [choice for choice in value if choice in options][:most] if isinstance(value, (list, tuple)) else default
    return value if value in options else default


def bound(key, default=None, options=None, most=None) -> dict[str, Any]:
    """Arguments of a widget that shows what is kept under `key`, and keeps what is chosen also while it is not drawn.

    The key of the widget is another one, which Streamlit may drop. options, most: what may be chosen and how many of a list. An
    address may say anything, and other results offer other things.
    """
    value, widget = usual(key, default), widget_key(key)
    st.session_state[key] = value if options is None else allowed(value, default, options, most)
    st.session_state[widget] = st.session_state[key]  # every time: the same key may be another widget on another page
    return {"key": widget, "on_change": take_over, "args": (key,)}


def bound_range(key, low, high, default, switches_on=None) -> dict[str, Any]:
    """The same of a slider from low to high; switches_on: the key of what is true from then on, once it was moved."""
    usual(key, default)
    widget, drawn = widget_key(key), f"{key}__drawn"
    here = st.session_state.get(PAGE), low, high
    if st.session_state.get(drawn) != here:  # on another page it is another slider, which does not know the value
        st.session_state.pop(widget, None)
        st.session_state[drawn] = here
    st.session_state[key] = min(max(st.session_state[key], low), high)  # other results may allow less
    set_widget(widget, st.session_state[key])
    return {"min_value": low, "max_value": high, "key": widget, "on_change": take_over, "args": (key, switches_on)}


def take_over(key, switches_on=None):
    """Keep what was chosen in the widget of a key."""
    st.session_state[key] = st.session_state[widget_key(key)]
    if switches_on is not None:
        st.session_state[switches_on] = True


def set_widget(key, value):
    """Let a widget show a value; told again what it shows already, it would take back keys that were pressed meanwhile."""
    if key not in st.session_state or st.session_state[key] != value:
        st.session_state[key] = value


def watch(key, value, *, folded=False):
    """Let a widget show a value, from which `moved` tells a change.

    folded: of a widget in what has to be opened. A browser has not drawn it yet and would then show its default.
    """
    if folded:
        st.session_state[key] = value
    set_widget(key, value)
    st.session_state[f"{key}__seen"] = value


def moved(key) -> bool:
    """Does a widget hold another value than when it was drawn, or than its last change?

    A control that another section has replaced is told of once more by the browser: as a change, to what it was at.
    """
    seen, value = f"{key}__seen", st.session_state[key]
    changed = value != st.session_state.get(seen)
    st.session_state[seen] = value
    return changed


class Opened(Project):
    """A workspace during one rerun: its settings, which a page asks for a hundred times, are read once and after each change.

    Another rerun may have another tab's changes to see, and what is saved is always added to what lies on the disk. In a read-only
    copy, what-ifs that a work would keep (TRIED) are kept by the session alone, so that each viewer has their own.
    """

    def once(self, question: str, make):
        """What make() gives, asked for once a rerun and after each change: files that were read need not be looked for again."""
        answers = vars(self).setdefault("_answers", {})
        if question not in answers:
            answers[question] = make()
        return answers[question]

    @property
    def settings(self) -> dict:
        """See Project. No cached_property: before Python 3.12, its lock lets one session wait for the disk of every other."""
        return self.once("settings", self._read_settings)

    def _read_settings(self):
        stored = super().settings
        return {**stored, **st.session_state.get(TRIED_HERE, {})} if "frozen" in stored else stored

    def save(self, **changes):
        """See Project."""
        if self.frozen is not None and set(changes) <= TRIED:
            st.session_state[TRIED_HERE] = {**st.session_state.get(TRIED_HERE, {}), **json.loads(json.dumps(changes))}
        else:
            super().save(**changes)
        vars(self).pop("_answers", None)


def if_work_exists(act):
    """What a click changes in the work: nothing where another tab has forgotten the work, which the page that follows says."""

    @wraps(act)
    def if_there(*args, **options):
        with read_once():
            if workspace() is not None:
                act(*args, **options)

    return if_there
