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
# Limits of an address, which anybody can write: characters of a name, names of a list, digits
MAX_NAME_LENGTH, MAX_NAMES, MAX_DIGITS = 300, 200, 12
MAX_NUMBER = 1e12
MAX_CHOICE_LENGTH = 2000  # limit of characters of one what-if
ADDRESS_READ = "address_read"  # in the session: whether its address was read

# {key in the session and the address: type}, without the keys of lessons, see pages/parts/learn/lessons.py
FIELDS = {
    session.CARDINALITY: WHOLE,
    session.CARDINALITY_ASKED: SWITCH,
    session.SELECTOR: NAME,
    session.SCENARIO_OF_TAB: NAME,
    session.STABILITY_SECTION: NAME,
    session.TELEPHONE_FACET: NAME,
    session.TELEPHONE_SCENARIO: NAME,
    session.SCENARIO_SEEN: NAME,
    **{f"{session.MEASURES}_{family}": NAMES for family in FAMILIES},
    session.INSIDE_FOLDS: NAME,
    session.COMPARING_MEASURE: NAME,
    session.MEASURES_COMPARED: NAMES,
    session.MEASURE_PROPERTIES: NAMES,
    session.SECOND_SELECTOR: NAME,
    session.HAS_SECOND_SELECTOR: SWITCH,
    session.MAP_KIND: NAME,
    session.FEATURE_ORDER: NAME,
    session.GROUPS_MERGED: SWITCH,
    session.RUNS_CLUSTERED: SWITCH,
    session.FOLDS_LEFT_OUT: WHOLES,
    session.FEATURES_DRAWN: WHOLE,
    session.POSITIONS_SHOWN: WHOLES,
    session.ALL_ROWS_SHOWN: SWITCH,
    session.FEATURE: NAME,
    session.RISK_PATIENT: WHOLE,
    session.GROUPS_BY: NAME,
    session.CUT_AT: NUMBER,
    session.CUT_METHOD: NAME,
    session.CUT_LINKAGE: NAME,
    session.PAIRS_BY: NAME,
    session.GRID: NAMES,
    session.COUNT_SECTION: NAME,
    session.COUNT_MEASURE: NAME,
    session.COUNT_SELECTORS: NAMES,
    session.COUNT_RUNS_OF: NAMES,
    session.COUNT_RELATED: SWITCH,
    session.COUNT_WINDOW: WHOLE,
    session.COUNT_PRECISION: NUMBER,
    session.PAIRS_AS_MATRIX: SWITCH,
    session.PARETO_EACH: SWITCH,
    session.WHAT_IF_QUESTION: NAME,
    session.PAIR: NAMES,
    session.PAIR_FEATURES: WHOLE,
    session.GROUPS_OFF: NAMES,
    session.WHAT_IF_SECTION: NAME,
    session.PANEL_SECTION: NAME,
    session.PANEL_SELECTOR: NAME,
    session.PANEL_THRESHOLD: WHOLE,
    session.PANEL_RULE: NAME,
    session.PANEL_AT_MOST: NUMBER,
    session.PANEL_SHARE: WHOLE,
    session.PANEL_COLOURS: NAME,
    session.PANEL_GROUPED: SWITCH,
    session.PANEL_SUBGROUPS: NAME,
    session.PANEL_OTHER_HALF: SWITCH,
    session.OTHER_STUDY: NAME,
    session.RISK_CLASSIFIER: NAME,
    session.RISK_THRESHOLD: WHOLE,
    session.RISK_EVENT: NAME,
    session.TRANSFER_CLASSIFIER: NAME,
    session.TUNED_MEASURE: NAME,
    session.TUNED_INTERVAL: NAME,
    session.TUNED_REFERENCE: NUMBER,
    **{
        session.tuned_key(measure, option): NAME if setting.values else NUMBER
        for measure in BY_KEY
        for option, setting in measure_settings(measure).items()
    },
    session.DIRECTIONS_COLOURED: SWITCH,
    session.SCENARIOS_COMPARED: NAMES,
    session.REFERENCE_SCENARIO: NAME,
    session.NEW_STUDY: SWITCH,
    session.REPORT_PARTS: WHOLES,
    session.REPORT_FIGURES: NAMES,
    session.REPORT_SHOWN: SWITCH,
    session.REPORT_INTERACTIVE: SWITCH,
    session.PARETO_SECTION: NAME,
    session.PARETO_MEASURE: NAME,
    session.PARETO_SCORE: NAME,
    session.PARETO_SELECTORS: NAMES,
    session.PARETO_GAMMA: NUMBER,
    session.PARETO_MARGIN: NUMBER,
}
SCENARIO_CHANGES = "scenario_changes"  # in a read-only copy, which keeps nothing: the changes of its scenario
# Names about C that are not undone as a what-if
SCENARIO_NAMES = {session.SCENARIO_OF_TAB, session.SCENARIO_SEEN, SCENARIO_CHANGES}
ADDRESS_NAMES = {*FIELDS, SCENARIO_CHANGES}


def read_or_write(is_named):
    """Read the what-ifs of a link or after F5 at the start of a rerun, else write those of the session.

    is_named: whether the address names the project of the session. It is empty after a click in the menu.
    """
    if is_named and ADDRESS_READ not in st.session_state:
        for key, kind in FIELDS.items():
            value = parse_value(st.query_params.get_all(key), kind)
            if value is not None:
                st.session_state[key] = value
        scenarios.restore_tried(st.query_params.get(SCENARIO_CHANGES, "")[:MAX_CHOICE_LENGTH])
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
    for key in FIELDS:
        texts = _format_value(values.get(key))
        if (
            texts is not None
            and (key not in usual or texts != _format_value(usual[key]))
            and sum(map(len, texts)) <= MAX_CHOICE_LENGTH
        ):
            differing[key] = texts
    tried = scenarios.format_tried()
    return differing | ({SCENARIO_CHANGES: [tried]} if 0 < len(tried) <= MAX_CHOICE_LENGTH else {})


def undoable_choices() -> dict[str, list[str]]:
    """All choices that can be undone: those of the address without the scenario."""
    picked = st.query_params.get_all(session.HIGHLIGHTED)
    return {name: texts for name, texts in changed_choices().items() if name not in SCENARIO_NAMES} | (
        {session.HIGHLIGHTED: picked} if picked else {}
    )


def restore(texts):
    """Restore the values of these texts in the session, {name in the address: texts}. None: the default."""
    for key, kind in FIELDS.items():
        if key in texts:
            value = parse_value(texts[key] or [], kind)
            st.session_state.pop(key, None)
            if value is not None:
                st.session_state[key] = value
    if session.HIGHLIGHTED in texts:
        st.session_state.pop(session.HIGHLIGHTED, None)  # read from the address again
        st.query_params.pop(session.HIGHLIGHTED, None)
        if texts[session.HIGHLIGHTED]:
            st.query_params[session.HIGHLIGHTED] = texts[session.HIGHLIGHTED]


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
