"""Where the form starts: the settings of a paper, or of the last study, put into every control, which can still be changed."""

import json

import streamlit as st

from pages.parts import session, words
from pages.parts.text import plain
from stabcore.classifiers.catalog import neighbours_of
from stabcore.inference.noise_floor import USUAL
from stabcore.resampling.catalog import PLANS
from stabcore.selectors.classifier_importance import SELECTOR
from stabcore.study.choices import how_many
from stabcore.study.presets import PRESETS
from stabcore.study.settings import values_of_settings

USUAL_K = "sqrt"        # min(20, √d): what a panel can hold, whatever the size of the table


def begin_with(data, possible, last) -> bool:
    """Fill a form that is drawn for the first time; was it?"""
    if session.SELECTORS in st.session_state:
        return False
    st.session_state[session.PRESET] = None if last else "first"
    if session.HOW_LONG in last:
        st.session_state[session.HOW_LONG] = last[session.HOW_LONG]
    take(last or PRESETS["first"].settings(data.n_features), data, possible)
    return True


def ask(data, possible):
    """Start from the settings of a paper: every control takes its values."""
    def chosen_now():
        take(PRESETS[st.session_state[session.PRESET]].settings(data.n_features), data, possible)

    chosen = st.selectbox("Start from", PRESETS, format_func=lambda key: PRESETS[key].label, key=session.PRESET,
                          on_change=chosen_now, placeholder="The settings that were used last")
    if chosen:
        words.tell(plain(" ".join(filter(None, [PRESETS[chosen].plain, PRESETS[chosen].reference]))))


def take(settings, data, possible):
    """Let every control show these settings, and its usual value where they say nothing."""
    for key in list(st.session_state):
        if str(key).startswith("option_") or key in session.FORM and key not in (session.PRESET, session.SEED, session.HOW_LONG):
            del st.session_state[key]
    selectors = values_of_settings(settings["selector"])
    for key, (given, varied, values) in selectors.items():
        if varied:
            st.session_state.update({f"option_{key}_several_of": varied, f"option_{key}_several": values})
        for name, value in given.items():
            if name != "key":
                st.session_state[f"option_{key}_{name}"] = (_inline(value) if isinstance(value, dict) else
                                                            str(value) if name == "k" else value)
    study = {"k": USUAL_K, "classifier": "3nn", **settings.get("study", {})}
    plan = {"kind": "subsample", **settings.get("plan", {})}
    wanted = min(study["k"], data.n_features) if isinstance(study["k"], int) else study["k"]
    kind = plan.pop("kind")
    kinds = {name: option.kind for name, option in PLANS[kind].options.items()}
    st.session_state.update({
        session.SELECTORS: [key for key in selectors if key in possible],
        session.K: how_many(wanted, data.n_features), session.PLAN: kind,
        session.CLASSIFIER: "3nn" if neighbours_of(study["classifier"]) else study["classifier"],
        session.NEIGHBOURS: neighbours_of(study["classifier"]) or 3, session.IMPORTANCES: study.get("importances", SELECTOR),
        session.CONTROL: study.get("control", USUAL) > 0, session.REPEAT_SEEDS: study.get("repeat_seeds", 1) > 1,
        **{name: percent(value) if kinds[name] == "share" else value for name, value in plan.items()}})
    if "seed" in study:
        st.session_state[session.SEED] = study["seed"]


def percent(share) -> int:
    """A share of the rows as a slider shows it."""
    return round(100 * share)


def _inline(table) -> str:
    """A table as it is typed: a = 1, b = 2."""
    return ", ".join(f"{name} = {{{_inline(value)}}}" if isinstance(value, dict) else f"{name} = {json.dumps(value)}"
                     for name, value in table.items())
