"""The settings of a new study: three questions, what they come to in one sentence, and everything else under Details."""

from contextlib import suppress

import streamlit as st

from pages.parts import session, words
from pages.parts.study import questions, starting
from pages.parts.study.options import options_of
from pages.parts.text import label, plain
from stabcore.classifiers.catalog import MOST_NEIGHBOURS, plain_words
from stabcore.errors import InputError
from stabcore.inference.noise_floor import RUNS, USUAL, noise_floor
from stabcore.resampling.catalog import PLANS, plan_from
from stabcore.resampling.centres import possible_columns
from stabcore.selectors.base import kind_of_target
from stabcore.selectors.catalog import BY_KEY, selector
from stabcore.selectors.classifier_importance import SELECTOR, importances_of
from stabcore.study.choices import classifiers_for
from stabcore.wording import join_tied, rounded

NO_CONTROL = ("Without the permutation control no noise floor is known. Then no screen says which selector is stable or leads.")


def study_form(data, last) -> dict:
    """Draw the form; returns the tables `study`, `plan` and `selector`, which is empty while an option cannot be read.

    last: tables of the study that was started last, from which a form that is drawn for the first time starts.
    """
    possible = [key for key, entry in BY_KEY.items() if kind_of_target(data.target) in entry.targets]
    if starting.begin_with(data, possible, last) and not last:
        st.session_state.setdefault(session.HOW_LONG, 300)
        questions.fit_runs(data)
    questions.ask(data)
    summary = st.container()
    with st.expander("Details: selectors and their settings, resampling, score, seed, settings of papers", key="study-details"):
        chosen = _details(data, possible)
    with summary:
        questions.told(chosen, data)
        _warnings(chosen, data)
    return chosen


def _details(data, possible) -> dict:
    """Everything that can be set."""
    starting.ask(data, possible)
    keys = st.multiselect("Selectors", possible, format_func=lambda key: BY_KEY[key].label, key=session.SELECTORS)
    if len(possible) < len(BY_KEY):
        others = ", ".join(entry.label for key, entry in BY_KEY.items() if key not in possible)
        words.tell(plain(f"Not offered, because they are not defined for this outcome: {others}."))
    left, middle, right = st.columns(3)
    with left:
        classifier = _classifier(keys, data)
    with middle:
        plan = _plan(data)
    with right:
        st.session_state.setdefault(session.SEED, 1)
        seed = st.number_input("Seed", 0, 2 ** 31, key=session.SEED, help="The same seed gives the same study, bit by bit.")
        st.session_state.setdefault(session.STRATIFIED, True)
        parted = "stratified" in PLANS[plan["kind"]].options
        if not st.toggle("Same share of every class in each run", key=session.STRATIFIED,
                         disabled=data.numeric_target or not parted) and parted:
            plan["stratified"] = False
        if data.patients is not None:
            st.caption("Rows of one patient stay together.")
    switches = st.container()
    st.markdown("**What each selector does, and its settings**")
    tables = [options_of(key) for key in keys]
    if None in tables:
        st.error("A setting of a selector cannot be read; see above.", icon=":material/error:")
        tables = []
    selectors = [one for several in tables for one in several]
    with switches:
        beside = _beside(selectors)
    study = {"k": int(st.session_state[session.K]), "classifier": classifier.pop("classifier"), "seed": int(seed), **classifier,
             **beside}
    return {"study": study, "plan": plan, "selector": selectors}


def _classifier(keys, data) -> dict:
    """What scores the selected features, and whose importances are kept, as settings."""
    learners = classifiers_for(keys, data.numeric_target)
    scored = [*learners, "none"]
    if st.session_state.get(session.CLASSIFIER) not in scored:
        st.session_state[session.CLASSIFIER] = scored[0]
    chosen = st.selectbox("Score the selected features by", scored, key=session.CLASSIFIER,
                          format_func=lambda key: _learner_name(key, learners))
    settings = {"classifier": chosen}
    if chosen == "3nn":
        st.session_state.setdefault(session.NEIGHBOURS, 3)
        settings["classifier"] = f"{st.number_input('Nearest neighbours', 1, MOST_NEIGHBOURS, key=session.NEIGHBOURS)}nn"
    if chosen in learners:
        words.tell(plain_words(settings["classifier"]))
    kinds = importances_of(chosen, len(data.classes))
    if st.session_state.get(session.IMPORTANCES) not in kinds:
        st.session_state[session.IMPORTANCES] = SELECTOR
    kind = st.selectbox("How much a feature counts", kinds, format_func=kinds.get, key=session.IMPORTANCES,
                        help="For maps and measures of importance. In the classifier it is the same for all selectors, which makes "
                             "them comparable.") if len(kinds) > 1 else SELECTOR
    return settings | ({} if kind == SELECTOR else {"importances": kind})


def _learner_name(key, learners) -> str:
    """What a classifier is called in the list; how many neighbours is asked below it."""
    if key == "3nn":
        return "Nearest neighbours"
    return learners[key].label if key in learners else "nothing (no accuracy)"


def _warnings(chosen, data):
    """What to know before it is started."""
    k, seed, plan = chosen["study"]["k"], chosen["study"]["seed"], chosen["plan"]
    if k == data.n_features:
        st.warning("These are all features: every run would select the same, and stability would be undefined.")
    for sentence in filter(None, (_remark(one, k) for one in chosen["selector"])):
        st.warning(sentence)
    with suppress(InputError):          # what cannot be drawn is said when it is to be started
        if sentence := plan_from(plan).repetition(data.target, seed, data.patients):
            st.warning(sentence, icon=":material/content_copy:")
        if k < data.n_features:
            st.info(_without_signal(plan_from(plan), k, data.n_features), icon=":material/horizontal_rule:")


def _beside(selectors) -> dict:
    """Switches for what is run beside the study itself, as settings; nothing where they are off."""
    st.session_state.setdefault(session.CONTROL, True)
    st.session_state.setdefault(session.REPEAT_SEEDS, False)
    chosen = {"control": USUAL}
    if not st.toggle(f"Permutation control: shuffle the outcome {USUAL} times, {RUNS} runs each", key=session.CONTROL,
                     help="Measures the noise floor of each selector: how stable it is when nothing is related to the outcome. "
                     "First results do not wait for it. A finished study can have it added: switch it on and start."):
        chosen["control"] = 0
        st.info(NO_CONTROL, icon=":material/horizontal_rule:")
    drawing = [BY_KEY[one["key"]].label for one in selectors if _draws(one) and BY_KEY[one["key"]].family != "baseline"]
    if drawing and st.toggle(label(f"Whose dice? Fit {join_tied(drawing)} twice to the rows of each run"), key=session.REPEAT_SEEDS,
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
    return (f"Expected noise floor: {rounded(noise_floor(plan, k, d))} over all runs, because they share rows. This is for a "
            "t-test on features that are not correlated. The permutation control measures it for these selectors on this table.")


def _remark(chosen, k) -> str:
    """What to know of a selector with these options before k features are selected; a wrong option is said at the start."""
    options = {name: value for name, value in chosen.items() if name != "key"}
    with suppress(InputError):
        return selector(chosen["key"], **options).remark(k)
    return ""


def _plan(data) -> dict:
    kind = st.selectbox("Each run learns from", PLANS, key=session.PLAN, format_func=lambda key: PLANS[key].learns_from)
    plan = {"kind": kind}
    for name, option in PLANS[kind].options.items():
        usual = option.default if option.offered is None else option.offered
        if option.kind == "whole":
            st.session_state.setdefault(name, usual)
            plan[name] = int(st.number_input(option.meaning, option.low, option.high, key=name))
        elif option.kind == "share":
            st.session_state.setdefault(name, starting.percent(usual))
            low, high = starting.percent(option.low), starting.percent(option.high)
            plan[name] = st.slider(f"{option.meaning} (%)", low, high, key=name) / 100
        elif option.kind == "column":
            plan[name] = _column(name, option, data)
    return plan


def _column(name, option, data) -> str:
    """One of the columns left out that could tell centres; "" where there is none, which is said when it is to be started."""
    columns = possible_columns(data)
    if st.session_state.get(name) not in columns:
        st.session_state.pop(name, None)
    chosen = st.selectbox(option.meaning, columns, key=name, disabled=not columns)
    if not columns:
        st.caption("None: leave the column that tells the centre out of the features on Data. It has to be filled in every row.")
    return chosen or ""
