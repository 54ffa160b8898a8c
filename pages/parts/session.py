"""What a session holds, every key by name, and how it is found again after a reload: by the id in the URL."""

from __future__ import annotations

from contextlib import contextmanager, suppress
from contextvars import ContextVar

import streamlit as st

from pages.parts.opened import Opened
from pages.server.sign_in import who
from pages.workspace.works import refuse_when_full
from pages.workspace.workspace import Workspace

ID = "id"                               # in the URL and in the session: which workspace

USUAL = "usual"                         # {key: what is kept there unless somebody chooses}; the address is silent on it
UNKNOWN = "unknown_work"                # was a work asked for that is not here? To be said once
PICTURE_FORMAT = "picture-format"       # as what the camera of a picture saves it
SAID = "said"                           # what is to be said once, after what was done drew the page anew
INSIDE = "inside"                       # is this page run by app.py, as it should?
PAGE = "page"                           # name of the page that is open
RERUN_PAGE = "everywhere"               # did what was just done in a part of a page change what is beside it?

# Shared by several screens.
CARDINALITY = "cardinality"             # how many features are selected, in the what-if on that
OTHER_CARDINALITY = "cardinality_free"  # is that what-if on? If not, what each run selected counts
EXPLORED = "explored"                   # the selector whose runs are looked at
HIGHLIGHTED = "picked"                  # names of the features that are highlighted everywhere
HIGHLIGHTED_CHOICE = "picked__widget"   # the list of them in the sidebar
PICKED_IN_URL = "f"                     # their numbers, in the URL
PASSPORT = "passport-feature"           # the feature that Passport is about
STEPS = "steps"                         # what was chosen, step by step, to be taken back
STEP_AT = "step_at"                     # (number of the rerun of the last step, when it began, when it was drawn)
RERUNS = "reruns"                       # how many reruns of pages and parts there were
WORK_CHANGED = "work_changed"           # did this tab change what the work keeps, see undoing.KEPT, since its last step?
SCENARIO_REVISION = "scenario_changes"  # how often the scenarios were changed or undone
SCENARIO_SWITCH = "scenario-switch"     # the scenario as the sidebar shows it
SCENARIO_OF_TAB = "scenario_of_tab"     # name of the scenario that this tab looks at, as its address says
SCENARIO_SEEN = "scenario_seen"         # what was chosen about C when this tab looked last

# Data.
TARGET, EXCLUDE, SAME_PATIENT = "target", "exclude", "same_patient"     # what the columns are for
COHORT_COLUMN, COHORT = "cohort-column", "cohort-value"                 # whose rows are used alone

# Groups & C. Settings of the scenario are at "scenario-" and their name.
SCENARIO_HERE = "scenario-here"         # the scenario as the page shows it
SCENARIO_NOTES = "scenario_said"        # what was assumed while a scenario was read from a file, to be shown once
GROUPS_BY = "group_way"                 # how groups are made
CUT_AT, CUT_METHOD, CUT_LINKAGE = "cut_at", "cut_method", "cut_linkage"     # the tree that suggests groups
PAIRS_BY = "by_hand"                    # how single pairs are set
SETS_SHARE = "sets-share"               # do features of sets that overlap count by the share of their sets?
GRID = "grid-features"                  # features in the grid of C
GRID_REFUSED = "grid_refused"           # why what was typed into the grid was not taken, to be said once

# Stability.
SECTION = "section"                     # which section is open
ONE_PANEL = "one-panel"                 # of Stability's figure on a telephone
MEASURES = "measures"                   # keys of the measures in the table; "_" and a family behind it
INSIDE_FOLDS = "inside-folds"           # the measure inside outer folds
COMPARED_BY = "compared_by"             # the measure by which selectors are compared
AGREEING = "agreeing"                   # the measures that are compared
WISHES = "wishes"                       # what the measure that is looked for has to do
TUNED, TUNED_INTERVAL, TUNED_AGAINST = "tuned", "tuned-interval", "tuned-against"     # the measure that is set, how it is judged

# Maps.
EXPLORED_BESIDE = "explored_beside"     # the selector beside the explored one
BESIDE = "beside"                       # is there one?
ORDER, MERGED = "order", "merged"       # of the features; are members of groups one row?
WAYS = "ways"                           # do colours tell which way features go with the outcome?
ALIKE = "alike"                         # do runs that selected alike stand beside each other?
FOLDS_LEFT_OUT = "folds-left-out"       # outer folds that count nowhere
PIECES, SPAN = "pieces", "span"         # features drawn one by one; first and last place in the order that is looked at

# Profiles.
PROFILE = "profile"                     # which section is open
PROFILE_MEASURE = "profile-measure"      # of stability
PROFILE_KNOTS, PROFILE_RUNS = "profile-knots", "profile-runs"       # selectors of each section
PROFILE_RELATED = "profile-related"     # do features that stand for each other count as shared?
PROFILE_WINDOW, PROFILE_HALF = "profile-window", "profile-half"         # how many features further; how precisely

# What if.
WHAT_IF = "what_if"                     # the question that is open
THRESHOLD = "whatif-threshold"          # the slider; other settings of the scenario are at "whatif-" and their name
PARETO_EACH = "pareto-each"             # are the fronts of other studies drawn one by one?
INFLUENCE_MATRIX = "as-matrix"          # are the pairs that matter drawn as a matrix?
PAIR, PAIR_CHOICE = "pair", "pair-choice"       # names of the two features whose entry of C is looked at; the list of pairs
PAIR_VALUE = "pair-value"               # that entry
INFLUENCE_FEATURES = "influence_features"       # how many are in the picture
UNCERTAIN = "uncertain"                 # are other patients drawn for C?
ONE_SCENARIO = "one-scenario"           # of the figure on a telephone
SIDE_BY_SIDE, HELD_AGAINST = "side_by_side", "held_against"     # scenarios, and which one the rest is held against
GROUPS_OFF = "groups_off"               # names of the groups that are switched off on What if only
GROUPS_ON_CHOICE, GROUPS_OFF_CHOICE = "groups-on", "groups-off"             # the buttons, the list for them

# Panel.
PANEL = "panel"                         # which section is open
PANEL_OF, PANEL_THRESHOLD = "panel-of", "panel-threshold"       # whose it is; the least share of the runs, in per cent
PANEL_COLOURS = "panel-colours"         # what colours of the map of choices tell: stays, score, or a bound
PANEL_OTHER_HALF = "panel-other-half"   # are effects shown on the half of the patients that selected nothing?
PANEL_GROUPED = "panel-grouped"         # do members of a group count as one feature?
RISK_CLASSIFIER, RISK_THRESHOLD = "risk-classifier", "risk-threshold"   # what tells risks; the risk in per cent
RISK_EVENT = "risk-event"               # the class whose risk it is
RISK_PATIENT = "risk-patient"           # number of the row that is looked at
PANEL_OTHER = "panel-other"             # the file of the study that is compared with
TRANSFER_CLASSIFIER = "transfer-classifier"     # what a panel is trained by, to be tested in another study

# Report, and Data.
ASKED_FILTERED, ASKED_SOURCE = "asked-filtered", "asked-source"         # two questions about the table
REPORT_SHOWN = "report-shown"           # is the report itself shown?
REPORT_PARTS, REPORT_FIGURES = "report-parts", "report-figures"     # numbers of the parts, names of the figures that are shown

# Pareto.
PARETO = "pareto"                       # which section is open
PARETO_MEASURE, PARETO_CHOSEN = "pareto-measure", "pareto-chosen"       # of stability; selectors that are compared in the table
PARETO_SCORE = "score"
PARETO_GAMMA, PARETO_MARGIN, PARETO_SPACE = "pareto-gamma", "pareto-margin", "pareto-space"
COMPARED_CHOICE = "compared__widget"    # the studies that are laid over

# Learn. Settings of a lesson are at "learn-", its key and theirs.
LESSON = "lesson"                       # the lesson that is open
LESSON_SEED = "lesson-seed"             # of its simulations
LESSON_GUESSES = "lesson-guesses"       # {lesson: what was guessed, and the settings it was asked for}
LESSON_DRAWS = "lesson-draws"           # what a class drew, as it was typed
LEARN = "learn"                         # which part is open: lessons or papers
PAPER, PAPER_ADDRESS = "paper-exhibit", "paper-address"     # the figure or table that is open, and as the address said it last
LESSON_ADDRESS = "lesson-address"       # what the address says of a lesson, as it was written last

# Glossary.
WORD, EXPLAINED = "word", "explained"           # what is looked for in it; (page, sentences on it of which words are explained)

# Study: the settings of the next one. Options of plans are kept by their names, those of selectors at `option_` and theirs.
PRESET, SELECTORS, K, CLASSIFIER, PLAN = "preset", "selectors", "k", "classifier", "plan"
NEIGHBOURS, IMPORTANCES = "neighbours", "importances"       # K of nearest neighbours; whose importances are kept
AWAY, HOW_LONG = "away", "how_long"     # how much is taken away, how long it may take: answers that set the plan and its runs
RUNS, PAIRS, LEAVE_OUT = "runs", "pairs", "leave_out"
SEED, STRATIFIED, CONTROL, REPEAT_SEEDS = "seed", "stratified", "control", "repeat_seeds"
FORM_BEGAN = "form_began"               # the settings that the form began with
SCHEDULER = "scheduler"                 # address of a cluster
FORM = (PRESET, SELECTORS, K, CLASSIFIER, PLAN, RUNS, LEAVE_OUT, "folds", "repeats", "inner", PAIRS, "column", SEED, STRATIFIED,
        CONTROL, REPEAT_SEEDS, HOW_LONG, NEIGHBOURS, IMPORTANCES)


def remember() -> bool:
    """Take the workspace from the URL after a reload, and keep it in the URL when pages change; keep what forms hold.

    Returns whether the URL named the workspace of the session, so that what else it says is of this one.
    """
    for key in list(st.session_state):
        if key in FORM or str(key).startswith("option_"):
            st.session_state[key] = st.session_state[key]       # else Streamlit drops it on a page that does not draw it
    asked = st.query_params.get(ID)
    if asked and asked != st.session_state.get(ID):         # a link, or Back: the address says which work, as in every tab
        work = Workspace.find(asked, who())
        if work is not None:
            take_up(work)
        else:
            st.session_state[UNKNOWN] = True
    if ID in st.session_state and workspace() is None:
        del st.session_state[ID]                            # forgotten in another tab
        st.session_state[UNKNOWN] = True
    if ID not in st.session_state or st.query_params.get(ID) == st.session_state[ID]:
        return ID in st.session_state
    st.query_params[ID] = st.session_state[ID]
    return False


_OPENED = ContextVar("opened", default=None)        # {id: workspace} of the rerun that is going on


@contextmanager
def one_rerun():
    """Around a page, or a part of it that is run alone: what is asked for again and again meanwhile is read once."""
    if _OPENED.get() is not None:
        yield
        return
    token = _OPENED.set({})
    st.session_state[RERUNS] = st.session_state.get(RERUNS, 0) + 1
    try:
        yield
    finally:
        _OPENED.reset(token)


def workspace() -> Workspace | None:
    """The workspace of this session, if something was loaded."""
    id, opened = st.session_state.get(ID), _OPENED.get()
    if opened is None:
        return Opened.find(id, who())
    if id not in opened:
        opened[id] = Opened.find(id, who())
    return opened[id]


def begin(**settings) -> Workspace:
    """A new workspace for this session; earlier ones stay on disk, under their own URL. Raises InputError without room for it."""
    refuse_when_full(who())
    work = Workspace.create(who())
    work.save(**settings)
    return take_up(work)


def take_up(work) -> Workspace:
    """Make this the work of the session, and of its address; what was open before stays on disk, under its own address."""
    kept = {key: st.session_state[key] for key in (INSIDE, PAGE) if key in st.session_state}
    _empty()                            # choices made for other data may not exist for these
    st.session_state.update(kept)
    st.session_state[ID] = work.id
    if st.query_params.get(ID) != work.id:      # nor do those of another address
        st.query_params.from_dict({ID: work.id})
    return work


def leave():
    """No work any more: the session and its address are as new."""
    _empty()
    st.query_params.clear()
    st.session_state[INSIDE] = True


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
    return f"{TUNED}-{measure}-{option}"


def card(base) -> str:
    """Key of the button of a card on Groups & C."""
    return f"card-{base}"


def widget_key(key) -> str:
    """Key of the widget of what is `kept`, which Streamlit drops when it is not drawn."""
    return f"{key}__widget"


def usual(key, default):
    """What is kept under `key` while nothing else was chosen; with that, the address need not say it."""
    st.session_state.setdefault(USUAL, {})[key] = default
    return st.session_state.setdefault(key, default)


def allowed(value, default, among, most=None):
    """A value, or those of a list that are `among` what is offered, at most so many; else the default."""
    if isinstance(default, list):
        return [one for one in value if one in among][:most] if isinstance(value, (list, tuple)) else default
    return value if value in among else default


def kept(key, widget, default=None, among=None, most=None):
    """Give a widget the value kept under `key` and keep what is chosen, also while the widget is not drawn.

    widget: called with key= and on_change=; its own key is another one, which Streamlit may drop.
    among, most: what may be chosen and how many of a list. An address may say anything, and other results offer other things.
    """
    value = usual(key, default)
    own = widget_key(key)
    st.session_state[key] = value if among is None else allowed(value, default, among, most)
    st.session_state[own] = st.session_state[key]       # every time: the same key may be another widget on another page

    def changed():
        st.session_state[key] = st.session_state[own]

    widget(key=own, on_change=changed)
    return st.session_state[key]


def kept_slider(key, label, low, high, default, step=None, then=None, help=None):
    """A slider whose value is kept as `keep` does it. then: called when it was moved."""
    usual(key, default)
    own, drawn = widget_key(key), f"{key}__drawn"
    here = st.session_state.get(PAGE), low, high
    if st.session_state.get(drawn) != here:             # on another page it is another slider, which does not know the value
        st.session_state.pop(own, None)
        st.session_state[drawn] = here
    st.session_state[key] = min(max(st.session_state[key], low), high)      # other results may allow less
    set_widget(own, st.session_state[key])

    def changed():
        st.session_state[key] = st.session_state[own]
        if then is not None:
            then()

    st.slider(label, low, high, step=step, key=own, on_change=changed, help=help)
    return st.session_state[key]


def set_widget(key, value):
    """Let a widget show a value; told again what it shows already, it would take back keys that were pressed meanwhile."""
    if key not in st.session_state or st.session_state[key] != value:
        st.session_state[key] = value
