"""What-ifs in the address: read when a session opens a project, and written after each choice, so a link shows the same numbers.

The address is read once, because a rerun may receive an address that an earlier rerun has already replaced. This module checks the
type of each value. The owner of a key (`session.bound`) checks whether the value is allowed.
"""

from collections.abc import Callable
from typing import Any

import streamlit as st

from pages.parts import scenarios, session
from pages.parts.session import ID
from stabcore.analysis.measure_settings import measure_settings
from stabcore.measures.catalog import BY_KEY
from stabcore.measures.entry import FAMILIES

WHOLE, NUMBER, SWITCH, NAME, NAMES, WHOLES = "whole", "number", "switch", "name", "names", "wholes"
MAX_NAME_LENGTH, MAX_NAMES, MAX_DIGITS = (
    300,
    200,
    12,
)  # limits of an address, which anybody can write: characters of a name, names of a list, digits
MAX_NUMBER = 1e12
MAX_CHOICE_LENGTH = 2000  # limit of characters of one what-if
ADDRESS_READ = "address_read"  # in the session: whether its address was read

# {key in the session: (name in the address, type)}, without the names of lessons, see pages/parts/learn/lessons.py
FIELDS = {
    session.CARDINALITY: ("features", WHOLE),
    session.CARDINALITY_ASKED: ("other-k", SWITCH),
    session.SELECTOR: ("explored", NAME),
    session.SCENARIO_OF_TAB: ("scenario", NAME),
    session.STABILITY_SECTION: ("section", NAME),
    session.TELEPHONE_FACET: ("quantity", NAME),
    session.TELEPHONE_SCENARIO: ("one-scenario", NAME),
    session.SCENARIO_SEEN: ("as", NAME),
    **{f"{session.MEASURES}_{family}": (f"measures-{family}", NAMES) for family in FAMILIES},
    session.INSIDE_FOLDS: ("inside", NAME),
    session.COMPARING_MEASURE: ("compared-by", NAME),
    session.MEASURES_COMPARED: ("agreeing", NAMES),
    session.MEASURE_WISHES: ("wishes", NAMES),
    session.SECOND_SELECTOR: ("beside", NAME),
    session.HAS_SECOND_SELECTOR: ("two", SWITCH),
    session.MAP_KIND: ("map", NAME),
    session.FEATURE_ORDER: ("order", NAME),
    session.GROUPS_MERGED: ("merged", SWITCH),
    session.RUNS_CLUSTERED: ("alike", SWITCH),
    session.FOLDS_LEFT_OUT: ("without-folds", WHOLES),
    session.FEATURES_DRAWN: ("pieces", WHOLE),
    session.PLACES_SHOWN: ("span", WHOLES),
    session.ALL_ROWS_SHOWN: ("all", SWITCH),
    session.FEATURE: ("feature", NAME),
    session.RISK_PATIENT: ("patient", WHOLE),
    session.GROUPS_BY: ("groups-by", NAME),
    session.CUT_AT: ("cut", NUMBER),
    session.CUT_METHOD: ("cut-by", NAME),
    session.CUT_LINKAGE: ("linkage", NAME),
    session.PAIRS_BY: ("by-hand", NAME),
    session.GRID: ("grid", NAMES),
    session.PROFILE_SECTION: ("profile", NAME),
    session.PROFILE_MEASURE: ("of", NAME),
    session.PROFILE_SELECTORS: ("knots", NAMES),
    session.PROFILE_RUNS: ("runs-of", NAMES),
    session.PROFILE_RELATED: ("related", SWITCH),
    session.PROFILE_WINDOW: ("window", WHOLE),
    session.PROFILE_HALF: ("within", NUMBER),
    session.INFLUENCE_MATRIX: ("matrix", SWITCH),
    session.PARETO_EACH: ("each", SWITCH),
    session.WHAT_IF_QUESTION: ("question", NAME),
    session.PAIR: ("pair", NAMES),
    session.INFLUENCE_FEATURES: ("influences", WHOLE),
    session.GROUPS_OFF: ("groups-off", NAMES),
    session.WHAT_IF_SECTION: ("more", NAME),
    session.PANEL_SECTION: ("panel", NAME),
    session.PANEL_SELECTOR: ("panel-of", NAME),
    session.PANEL_THRESHOLD: ("share", WHOLE),
    session.PANEL_RULE: ("rule", NAME),
    session.PANEL_AT_MOST: ("false", NUMBER),
    session.PANEL_SHARE: ("fdr", WHOLE),
    session.PANEL_COLOURS: ("colours", NAME),
    session.PANEL_GROUPED: ("grouped", SWITCH),
    session.PANEL_SUBGROUPS: ("subgroups", NAME),
    session.PANEL_OTHER_HALF: ("other-half", SWITCH),
    session.OTHER_STUDY: ("against", NAME),
    session.RISK_CLASSIFIER: ("risk-by", NAME),
    session.RISK_THRESHOLD: ("risk", WHOLE),
    session.RISK_EVENT: ("risk-of", NAME),
    session.TRANSFER_CLASSIFIER: ("transfer-by", NAME),
    session.TUNED_MEASURE: ("tuned", NAME),
    session.TUNED_INTERVAL: ("tuned-interval", NAME),
    session.TUNED_AGAINST: ("at-most", NUMBER),
    **{
        session.tuned_key(measure, option): (f"{measure}-{option}", NAME if setting.values else NUMBER)
        for measure in BY_KEY
        for option, setting in measure_settings(measure).items()
    },
    session.DIRECTIONS_COLOURED: ("ways", SWITCH),
    session.SCENARIOS_COMPARED: ("side-by-side", NAMES),
    session.REFERENCE_SCENARIO: ("held-against", NAME),
    session.NEW_STUDY: ("new-study", SWITCH),
    session.REPORT_PARTS: ("parts", WHOLES),
    session.REPORT_FIGURES: ("figures", NAMES),
    session.REPORT_SHOWN: ("report", SWITCH),
    session.REPORT_INTERACTIVE: ("interactive", SWITCH),
    session.PARETO_SECTION: ("front", NAME),
    session.PARETO_MEASURE: ("measure", NAME),
    session.PARETO_SCORE: ("score", NAME),
    session.PARETO_SELECTORS: ("chosen", NAMES),
    session.PARETO_GAMMA: ("gamma", NUMBER),
    session.PARETO_MARGIN: ("margin", NUMBER),
}
SCENARIO_TRIED = "tried"  # in a read-only copy, which keeps nothing: the changes of its scenario
# Names about C that are not undone as a what-if
SCENARIO_NAMES = {FIELDS[session.SCENARIO_OF_TAB][0], FIELDS[session.SCENARIO_SEEN][0], SCENARIO_TRIED}
ADDRESS_NAMES = {short for short, _ in FIELDS.values()} | SCENARIO_NAMES


def read_or_write(is_named):
    """Read the what-ifs of a link or after F5 at the start of a rerun, else write those of the session.

    is_named: whether the address names the project of the session. It is empty after a click in the menu.
    """
    if is_named and ADDRESS_READ not in st.session_state:
        for key, (short, kind) in FIELDS.items():
            value = parse_value(st.query_params.get_all(short), kind)
            if value is not None:
                st.session_state[key] = value
        scenarios.restore_tried(st.query_params.get(SCENARIO_TRIED, "")[:MAX_CHOICE_LENGTH])
    st.session_state[ADDRESS_READ] = True
    write()


def write():
    """Write all choices that differ from the defaults to the address."""
    now = changed_choices()
    before = {name: st.query_params.get_all(name) for name in st.query_params}
    wanted = {name: values for name, values in before.items() if name not in ADDRESS_NAMES} | now  # others, as of lessons, stay
    if wanted != before and ID in wanted:
        st.query_params.from_dict(wanted)


def changed_choices() -> dict[str, list[str]]:
    """{name in the address: texts} of all choices that differ from the defaults and are short enough."""
    values, differing = st.session_state.to_dict(), {}  # one copy, because reading key by key takes ten times as long
    usual = values.get(session.DEFAULTS, {})
    for key, (short, _) in FIELDS.items():
        texts = _format_value(values.get(key))
        if (
            texts is not None
            and (key not in usual or texts != _format_value(usual[key]))
            and sum(map(len, texts)) <= MAX_CHOICE_LENGTH
        ):
            differing[short] = texts
    tried = scenarios.format_tried()
    return differing | ({SCENARIO_TRIED: [tried]} if 0 < len(tried) <= MAX_CHOICE_LENGTH else {})


def undoable_choices() -> dict[str, list[str]]:
    """All choices that can be undone: those of the address without the scenario."""
    picked = st.query_params.get_all(session.HIGHLIGHTED_IN_ADDRESS)
    return {name: texts for name, texts in changed_choices().items() if name not in SCENARIO_NAMES} | (
        {session.HIGHLIGHTED_IN_ADDRESS: picked} if picked else {}
    )


def restore(texts):
    """Restore the values of these texts in the session, {name in the address: texts}. None: the default."""
    for key, (short, kind) in FIELDS.items():
        if short in texts:
            value = parse_value(texts[short] or [], kind)
            st.session_state.pop(key, None)
            if value is not None:
                st.session_state[key] = value
    if session.HIGHLIGHTED_IN_ADDRESS in texts:
        st.session_state.pop(session.HIGHLIGHTED, None)  # read from the address again
        st.query_params.pop(session.HIGHLIGHTED_IN_ADDRESS, None)
        if texts[session.HIGHLIGHTED_IN_ADDRESS]:
            st.query_params[session.HIGHLIGHTED_IN_ADDRESS] = texts[session.HIGHLIGHTED_IN_ADDRESS]


def _format_value(value):
    """A value as texts of the address, see parse_value. None without a value."""
    if value is None:
        return None
    if isinstance(value, (list, tuple)):
        return [str(item) for item in value] or [""]
    return [str(int(value)) if isinstance(value, bool) else f"{value:.10g}" if isinstance(value, float) else str(value)]


def parse_value(texts, kind):
    """The value of the texts of an address, or None if they have another type. One empty text is an empty list."""
    texts = [text for text in texts[:MAX_NAMES] if len(text) <= MAX_NAME_LENGTH]
    if kind == NAMES:
        return list(dict.fromkeys(filter(None, texts))) if texts else None
    if kind == WHOLES:
        numbers = [_parse_whole(text) for text in texts if text]
        return None if None in numbers or not texts else numbers
    if not texts or not texts[-1]:
        return None
    read: dict[str, Callable[[str], Any]] = {
        NAME: str,
        WHOLE: _parse_whole,
        NUMBER: _parse_number,
        SWITCH: {"0": False, "1": True}.get,
    }
    return read[kind](texts[-1])


def _parse_whole(text):
    return int(text) if text.isascii() and text.isdigit() and len(text) <= MAX_DIGITS else None


def _parse_number(text):
    try:
        number = float(text) if len(text) <= 2 * MAX_DIGITS else None
    except ValueError:
        return None
    return number if number is not None and -MAX_NUMBER < number < MAX_NUMBER else None  # neither NaN nor infinite
