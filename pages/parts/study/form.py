"""The settings of a new study: selectors with their options, cardinality, plan, classifier, seed; or those of a paper."""

import json
import tomllib
from contextlib import suppress

import streamlit as st

from pages.parts import scenarios, session
from pages.parts.text import plain, sentences
from stabcore.errors import InputError
from stabcore.inference.floor import noise_floor
from stabcore.selectors.base import kind_of_target
from stabcore.selectors.catalog import BY_KEY, ENCODINGS, selector
from stabcore.study.choices import classifiers_for
from stabcore.study.plans import PLANS, plan_from
from stabcore.study.presets import PRESETS
from stabcore.study.study import how_many
from stabcore.wording import join_tied, rounded

SHUFFLES = 5                        # of a control
WRITTEN = ("text", "table")         # kinds of options that are typed in


def study_form(data, last) -> dict:
    """Draw the form; returns the tables `study`, `plan` and `selector`, which is empty while an option cannot be read.

    last: tables of the study that was started last, from which a form that is drawn for the first time starts.
    """
    possible = [key for key, entry in BY_KEY.items() if kind_of_target(data.target) in entry.targets]
    _start_from(data, possible, last)
    keys = st.multiselect("Selectors", possible, format_func=lambda key: BY_KEY[key].label, key="selectors")
    if len(possible) < len(BY_KEY):
        others = ", ".join(entry.label for key, entry in BY_KEY.items() if key not in possible)
        st.caption(plain(f"Not offered, because they are not defined for this outcome: {others}."))
    with st.expander("What each selector does, and its settings"):
        selectors = [_selector(key) for key in keys]
    if None in selectors:
        st.error("A setting of a selector cannot be read; see above.", icon=":material/error:")
        selectors = []
    left, middle, right = st.columns(3)
    with left:
        k = st.number_input("Features to select in every run", 1, data.n_features, key="k",
                            help="What other numbers would select can be looked at afterwards without running again, as far as "
                            "the list of a selector goes. How well they predict is known for this number only; so is how much each "
                            "feature counts for selectors that fit their final model to the chosen features: see their settings.")
        if k == data.n_features:
            st.warning("These are all features: every run would select the same, and stability would be undefined.")
        for said in filter(None, (_remark(one, int(k)) for one in selectors)):
            st.warning(said)
        learners = classifiers_for(keys, data.numeric_target)
        scored = [*learners, "none"]
        if st.session_state.get("classifier") not in scored:
            st.session_state["classifier"] = scored[0]
        classifier = st.selectbox("Score the selected features by", scored, key="classifier",
                                  format_func=lambda key: learners[key].label if key in learners else "nothing (no accuracy)")
        if classifier in learners:
            st.caption(learners[classifier].plain)
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
    with suppress(InputError):          # what cannot be drawn is said when it is to be started
        if said := plan_from(plan).repetition(data.target, int(seed), data.patients):
            st.warning(said, icon=":material/content_copy:")
        if k < data.n_features:
            st.info(_without_signal(plan_from(plan), int(k), data.n_features), icon=":material/horizontal_rule:")
    study = {"k": int(k), "classifier": classifier, "seed": int(seed), **_beside(selectors)}
    return {"study": study, "plan": plan, "selector": selectors}


def _beside(selectors) -> dict:
    """Switches for what is run beside the study itself, as settings; nothing where they are off."""
    st.session_state.setdefault("control", False)
    st.session_state.setdefault("repeat_seeds", False)
    chosen = {}
    if st.toggle(f"Control: how stable without any signal? (outcome shuffled {SHUFFLES} times; about {SHUFFLES + 1} times as long)",
                 key="control", help="The same selectors on runs of the same kind, but with the outcomes of the patients exchanged "
                 "by lot: what comes back then has nothing to do with the outcome. First results do not wait for it, and a study "
                 "that is finished can have it added: switch it on and start."):
        chosen["control"] = SHUFFLES
    drawing = [BY_KEY[one["key"]].label for one in selectors if _draws(one) and BY_KEY[one["key"]].family != "baseline"]
    if drawing and st.toggle(plain(f"Whose dice? Fit {join_tied(drawing)} twice to the rows of each run"), key="repeat_seeds",
                             help="They draw by lot inside. Fitted again to the same rows they may select something else, and that "
                             "share of their disagreement is their own: more patients would not change it."):
        chosen["repeat_seeds"] = 2
    return chosen


def _draws(chosen) -> bool:
    """Has this selector, with its options, chance inside? A wrong option is said at the start."""
    with suppress(InputError):
        return bool(selector(chosen["key"], **{name: value for name, value in chosen.items() if name != "key"}).chance_inside)
    return False


def _without_signal(plan, k, d) -> str:
    """What to expect of this plan if nothing were related to the outcome, before it is started."""
    halves = ", the two halves of a pair at 0" if plan.separate_halves else ""
    return (f"With this plan, runs agree at {rounded(noise_floor(plan, k, d))} without any signal{halves}, because they share rows "
            "(0: as random sets, 1: always the same). So it is for a filter and features that are not correlated; a control "
            "measures it for these selectors and this table.")


def _start_from(data, possible, last):
    """Start from the settings of a paper, or of the last study: every control below takes its values, and can still be changed."""
    def take():
        _take(PRESETS[st.session_state["preset"]].settings(data.n_features), data, possible)

    if "selectors" not in st.session_state:
        st.session_state["preset"] = None if last else "first"
        _take(last or PRESETS["first"].settings(data.n_features), data, possible)
    chosen = st.selectbox("Start from", PRESETS, format_func=lambda key: PRESETS[key].label, key="preset", on_change=take,
                          placeholder="The settings of the last study")
    if chosen:
        st.caption(plain(" ".join(filter(None, [PRESETS[chosen].plain, PRESETS[chosen].reference]))))


def _take(settings, data, possible):
    """Let every control show these settings, and its usual value where they say nothing."""
    for key in list(st.session_state):
        if str(key).startswith("option_") or key in session.FORM and key not in ("preset", "seed"):
            del st.session_state[key]
    for one in settings["selector"]:
        for name, value in one.items():
            if name != "key":
                st.session_state[f"option_{one['key']}_{name}"] = _inline(value) if isinstance(value, dict) else value
    study, plan = {"k": 0.25, "classifier": "3nn", **settings.get("study", {})}, {"kind": "subsample", **settings.get("plan", {})}
    wanted = min(study["k"], data.n_features) if isinstance(study["k"], int) else study["k"]
    st.session_state.update(selectors=[one["key"] for one in settings["selector"] if one["key"] in possible],
                            k=how_many(wanted, data.n_features), classifier=study["classifier"], plan=plan.pop("kind"))
    kinds = {name: option.kind for name, option in PLANS[st.session_state["plan"]].options.items()}
    st.session_state.update({name: _percent(value) if kinds[name] == "share" else value for name, value in plan.items()})
    st.session_state.update(control=study.get("control", 0) > 0, repeat_seeds=study.get("repeat_seeds", 1) > 1)
    if "seed" in study:
        st.session_state["seed"] = study["seed"]


def _inline(table) -> str:
    """A table as it is typed: a = 1, b = 2."""
    return ", ".join(f"{name} = {{{_inline(value)}}}" if isinstance(value, dict) else f"{name} = {json.dumps(value)}"
                     for name, value in table.items())


def _selector(key) -> dict | None:
    """What a selector does, and a control for each of its options; those that differ from the usual are returned.

    None when one cannot be read, which is said.
    """
    entry = BY_KEY[key]
    st.markdown(f"**{entry.label}**: {entry.plain}")
    known = " This is known for the number of features that the study selects, and for no other." * entry.importances_of_one_k
    st.caption(plain(f"{ENCODINGS[entry.encoding]} Importance: {entry.importance}.{known} {entry.reference}"))
    chosen = {"key": key}
    with sentences():
        for name, option in entry.options.items():
            value = _option(f"option_{key}_{name}", name, option)
            if value != option.default:
                chosen[name] = value
        return chosen
    return None


def _remark(chosen, k) -> str:
    """What to know of a selector with these options before k features are selected; a wrong option is said at the start."""
    options = {name: value for name, value in chosen.items() if name != "key"}
    with suppress(InputError):
        return selector(chosen["key"], **options).remark(k)
    return ""


def _option(key, name, option):
    label, about = plain(name.replace("_", " ")), plain(f"{option.meaning}. Usual: {option.default}.")
    if option.kind == "groups":
        groups = scenarios.chosen().groups
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
        return tomllib.loads(f"table = {{{text}}}")["table"] or option.default
    except tomllib.TOMLDecodeError:
        raise InputError(f"The setting {name} is written as name = value, separated by commas (such as n_estimators = 300, "
                         f"max_depth = 3); found {text!r}.") from None


def _plan() -> dict:
    kind = st.selectbox("Each run learns from", PLANS, key="plan", format_func=lambda key: PLANS[key].learns_from)
    plan = {"kind": kind}
    for name, option in PLANS[kind].options.items():
        usual = option.default if option.offered is None else option.offered
        if option.kind == "whole":
            st.session_state.setdefault(name, usual)
            plan[name] = int(st.number_input(option.meaning, option.low, option.high, key=name))
        elif option.kind == "share":
            st.session_state.setdefault(name, _percent(usual))
            plan[name] = st.slider(f"{option.meaning} (%)", _percent(option.low), _percent(option.high), key=name) / 100
    return plan


def _percent(share) -> int:
    return round(100 * share)
