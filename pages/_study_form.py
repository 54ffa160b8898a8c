"""The settings of a new study: selectors with their options, cardinality, plan, classifier, seed; or those of a paper."""

import tomllib

import streamlit as st

from pages import _scenarios
from pages._widgets import plain
from stabcore.classifiers import CLASSIFIERS
from stabcore.errors import InputError
from stabcore.presets import PRESETS
from stabcore.selectors.base import kind_of_target
from stabcore.selectors.catalog import BY_KEY, ENCODINGS
from stabcore.study import how_many

PLANS = {"subsample": "most of the rows (some are left out)", "bootstrap": "a bootstrap sample (drawn with replacement)",
         "kfold": "all folds but one (cross-validation)", "nested": "folds inside folds (nested cross-validation)",
         "half": "one half of the rows (complementary halves)"}
# Of each plan: option, label, smallest, largest, usual.
COUNTS = {"subsample": [("runs", "Runs", 2, 1000, 50)], "bootstrap": [("runs", "Runs", 2, 1000, 50)],
          "kfold": [("folds", "Folds", 2, 100, 10), ("repeats", "Repeats", 1, 100, 5)],
          "nested": [("folds", "Outer folds", 2, 50, 10), ("inner", "Inner folds", 2, 50, 10)],
          "half": [("pairs", "Pairs of halves", 1, 500, 25)]}
WRITTEN = ("text", "table")         # kinds of options that are typed in


def study_form(data) -> dict:
    """Draw the form; returns the tables `study`, `plan` and `selector`. Raises InputError for options that cannot be read."""
    possible = [key for key, entry in BY_KEY.items() if kind_of_target(data.target) in entry.targets]
    _preset(data, possible)
    keys = st.multiselect("Selectors", possible, format_func=lambda key: BY_KEY[key].label, key="selectors")
    if len(possible) < len(BY_KEY):
        others = ", ".join(entry.label for key, entry in BY_KEY.items() if key not in possible)
        st.caption(plain(f"Not offered, because they are not defined for this outcome: {others}."))
    with st.expander("What each selector does, and its settings"):
        selectors = [_selector(key) for key in keys]
    left, middle, right = st.columns(3)
    with left:
        k = st.number_input("Features to select in every run", 1, data.n_features, key="k",
                            help="Every other number can be looked at afterwards, without running again.")
        scored = ["none"] if data.numeric_target else [*CLASSIFIERS, "none"]
        if st.session_state.get("classifier") not in scored:
            st.session_state["classifier"] = scored[0]
        classifier = st.selectbox("Score the selected features by", scored, key="classifier",
                                  format_func=lambda key: CLASSIFIERS[key].label if key in CLASSIFIERS else "nothing (no accuracy)")
        if classifier in CLASSIFIERS:
            st.caption(CLASSIFIERS[classifier].plain)
    with middle:
        plan = _plan()
    with right:
        st.session_state.setdefault("seed", 1)
        seed = st.number_input("Seed", 0, 2 ** 31, key="seed", help="The same seed gives the same study, bit by bit.")
        st.session_state.setdefault("stratified", True)
        if not st.toggle("Same share of every class in each run", key="stratified", disabled=data.numeric_target):
            plan["stratified"] = False
        if data.patients is not None:
            st.caption("Rows of one patient stay together.")
    return {"study": {"k": int(k), "classifier": classifier, "seed": int(seed)}, "plan": plan, "selector": selectors}


def _preset(data, possible):
    """Start from the settings of a paper: every control below takes its values, and can still be changed."""
    def take():
        preset = PRESETS[st.session_state["preset"]]
        st.session_state["selectors"] = [key for key, *_ in map(_pair, preset.selectors) if key in possible]
        for key, options in map(_pair, preset.selectors):
            for name, value in options.items():
                st.session_state[f"option_{key}_{name}"] = value
        wanted = min(preset.k, data.n_features) if isinstance(preset.k, int) else preset.k
        st.session_state["k"] = how_many(wanted, data.n_features)
        st.session_state["classifier"] = preset.classifier
        st.session_state["plan"] = preset.plan["kind"]
        for name, value in preset.plan.items():
            if name == "leave_out":
                st.session_state[name] = round(100 * value)
            elif name != "kind":
                st.session_state[name] = value

    if "selectors" not in st.session_state:
        st.session_state["preset"] = "first"
        take()
    chosen = st.selectbox("Start from", PRESETS, format_func=lambda key: PRESETS[key].label, key="preset", on_change=take)
    st.caption(plain(" ".join(filter(None, [PRESETS[chosen].plain, PRESETS[chosen].reference]))))


def _pair(one):
    return (one, {}) if isinstance(one, str) else one


def _selector(key) -> dict:
    """What a selector does, and a control for each of its options; those that differ from the usual are returned."""
    entry = BY_KEY[key]
    st.markdown(f"**{entry.label}**: {entry.plain}")
    st.caption(plain(f"{ENCODINGS[entry.encoding]} Importance: {entry.importance}. {entry.reference}"))
    chosen = {"key": key}
    for name, option in entry.options.items():
        value = _option(f"option_{key}_{name}", name, option)
        if value != option.default:
            chosen[name] = value
    return chosen


def _option(key, name, option):
    label, about = plain(name.replace("_", " ")), plain(f"{option.meaning}. Usual: {option.default}.")
    if option.kind == "groups":
        groups = _scenarios.chosen().groups
        st.caption(f"Groups: the {len(groups)} of Groups & C." if groups else
                   "No groups are defined yet: every feature is alone. Define them on Groups & C.")
        return groups or option.default
    st.session_state.setdefault(key, option.default if option.kind not in WRITTEN else str(option.default or ""))
    if option.kind == "switch":
        return st.toggle(label, key=key, help=about)
    if option.kind == "choice":
        return st.selectbox(label, option.choices, key=key, help=about)
    if option.kind in WRITTEN:
        return _written(st.text_input(label, key=key, help=about), name, option)
    whole = option.kind == "whole"
    number = int if whole else float
    return st.number_input(label, None if option.low is None else number(option.low),
                           None if option.high is None else number(option.high), key=key, help=about, step=1 if whole else None,
                           format=None if whole else "%g", placeholder="as needed")


def _written(text, name, option):
    """An option that is written: text as it is, a table as TOML on one line."""
    if option.kind == "text":
        return text.strip() or option.default
    try:
        return tomllib.loads("\n".join(text.split(","))) or option.default
    except tomllib.TOMLDecodeError:
        raise InputError(f"The setting {name} is written as name = value, separated by commas (such as n_estimators = 300, "
                         f"max_depth = 3); found {text!r}.") from None


def _plan() -> dict:
    kind = st.selectbox("Each run learns from", PLANS, key="plan", format_func=PLANS.get)
    plan = {"kind": kind}
    for name, label, low, high, usual in COUNTS[kind]:
        st.session_state.setdefault(name, usual)
        plan[name] = int(st.number_input(label, low, high, key=name))
    if kind == "subsample":
        st.session_state.setdefault("leave_out", 5)
        plan["leave_out"] = st.slider("Rows left out in each run (%)", 1, 50, key="leave_out") / 100
    return plan
