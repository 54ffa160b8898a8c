"""The settings of a new study: three questions, their summary in one sentence, and everything else under Settings."""

import json
import tomllib
from contextlib import suppress
from dataclasses import replace
from typing import Any

import streamlit as st

from pages.parts import figures, glossary, scenarios, session
from pages.parts.text import escape_label, plain, show_errors
from pages.workspace.project import home
from pages.workspace.speed import read_speeds
from stabcore.base.errors import InputError
from stabcore.base.text import counted, format_duration, format_span, join_tied, listed, rounded
from stabcore.classifiers.catalog import MAX_NEIGHBOURS, n_neighbours, plain_sentence
from stabcore.glossary.term import named_strips
from stabcore.inference.noise_floor import DEFAULT_SHUFFLES, RUNS_PER_SHUFFLE, noise_floor
from stabcore.plots.rendering import DARK
from stabcore.plots.style import INK
from stabcore.resampling.catalog import PLANS, plan_from_settings
from stabcore.resampling.draws import possible_site_columns
from stabcore.resampling.scheme import scheme
from stabcore.selectors.base import kind_of_target, refuse_given, refuse_missing_library
from stabcore.selectors.catalog import BY_KEY, ENCODINGS, selector
from stabcore.selectors.classifier_importance import SELECTOR, importance_kinds
from stabcore.study.choices import possible_classifiers, resolve_k
from stabcore.study.forecast import describe_size, describe_study_settings, runs_for_seconds, seconds_range
from stabcore.study.loading import study_from_settings
from stabcore.study.machine import default_workers, is_machine_busy
from stabcore.study.presets import FIRST_TIMED_SELECTORS, PRESETS
from stabcore.study.settings import parse_k, tables_of_values, values_of_tables

DEFAULT_K = "sqrt"  # min(20, √d), the size of a panel for a table of any size
HALF, FIFTH, TWENTIETH, OTHER = "complementary_pairs", "fifth", "twentieth", "other"
HELD_OUT = {HALF: "one half (recommended)", FIFTH: "one fifth", TWENTIETH: "one twentieth", OTHER: "as under Settings"}
HELD_OUT_SHARES = {FIFTH: 20, TWENTIETH: 5}  # per cent
TIME_LIMITS = {60: "a minute", 300: "5 minutes", 1200: "20 minutes", 3600: "an hour", 36000: "a night"}
FIRST_LIMIT = 300  # seconds
MIN_RUNS, MAX_RUNS = 10, 50  # limits of runs: fewer are imprecise, and more can be set under Settings
SCHEME_WIDTH, SCHEME_WIDTH_TELEPHONE = 640, 340  # pixels of the picture of the resampling scheme, also on a telephone
MAX_IMPUTATIONS = 20  # 5 are usual
TYPED_KINDS = ("text", "table")  # kinds of options that are typed
SWITCH_VALUES = {None: "automatic", True: "yes", False: "no"}  # values of a switch whose default depends on the table
ABOUT_NO_CONTROL = "Without the permutation control the noise floor is not known. Then selectors are not judged."


def first_study(data):
    """The study of a form that nobody has changed. None if it asks for a decision. Raises InputError for impossible studies."""
    preset = _preset("first", data)
    settings = {
        "study": {"k": resolve_k(DEFAULT_K, data.n_features), "n_permutations": DEFAULT_SHUFFLES},
        "plan": preset["plan"],
        "selector": [selector for selector in preset["selector"] if not _describe_impossible(selector["key"], data)],
    }
    study = study_from_settings(settings, data)
    if study.plan.repetition(data.target, study.random_state, data.patients):
        return None
    n_pairs = _number_of_runs(study, FIRST_LIMIT) // 2
    return study_from_settings({**settings, "plan": {**preset["plan"], session.N_PAIRS: n_pairs}}, data)


def study_seconds(study) -> tuple[float, float]:
    """(lowest, highest) seconds that a study takes on this computer."""
    return seconds_range(study, default_workers(), read_speeds(home()))


def fill_form(data, possible, last):
    """Fill a form that is drawn for the first time."""
    st.session_state[session.PRESET] = None if last else "first"
    if session.TIME_LIMIT in last:
        st.session_state[session.TIME_LIMIT] = last[session.TIME_LIMIT]
    set_controls(last or _preset("first", data), data, possible)
    if not last:
        st.session_state.setdefault(session.TIME_LIMIT, FIRST_LIMIT)
        set_number_of_runs(data)


def _preset(key, data):
    """The settings of a paper, without selectors for a time to an event only."""
    settings = PRESETS[key].settings(data.n_features)
    return settings | {"selector": [*({"key": timed} for timed in FIRST_TIMED_SELECTORS), *settings["selector"]]}


def ask_preset(data, possible):
    """Start from the settings of a paper: every control takes its values."""
    chosen = st.selectbox(
        "Load settings of a paper",
        PRESETS,
        format_func=lambda key: PRESETS[key].label,
        key=session.PRESET,
        on_change=lambda: set_controls(_preset(st.session_state[session.PRESET], data), data, possible),
        placeholder="Last settings",
    )
    if chosen:
        glossary.show_caption(plain(" ".join(filter(None, [PRESETS[chosen].plain, PRESETS[chosen].reference]))))


def set_controls(settings, data, possible):
    """Let every control show these settings, and its default for missing ones."""
    staying = session.PRESET, session.RANDOM_STATE, session.TIME_LIMIT
    for key in list(st.session_state):
        if str(key).startswith("option_") or key in session.FORM and key not in staying:
            del st.session_state[key]
    selectors = values_of_tables(settings["selector"])
    for key, (given, varied, values) in selectors.items():
        if varied:
            st.session_state.update({f"option_{key}_several_of": varied, f"option_{key}_several": values})
        for name, value in given.items():
            if name != "key":
                text = _format_table(value) if isinstance(value, dict) else str(value)
                st.session_state[f"option_{key}_{name}"] = text if isinstance(value, dict) or name == "k" else value
    study = {"k": DEFAULT_K, "classifier": "3nn", **settings.get("study", {})}
    plan = {"kind": "subsample", **settings.get("plan", {})}
    wanted = min(study["k"], data.n_features) if isinstance(study["k"], int) else study["k"]
    kind = plan.pop("kind")
    kinds = {name: option.kind for name, option in PLANS[kind].options.items()}
    st.session_state.update(
        {
            session.SELECTORS: [key for key in selectors if key in possible],
            session.K: resolve_k(wanted, data.n_features),
            session.PLAN: kind,
            session.CLASSIFIER: "3nn" if n_neighbours(study["classifier"]) else study["classifier"],
            session.NEIGHBOURS: n_neighbours(study["classifier"]) or 3,
            session.IMPORTANCES: study.get("importances", SELECTOR),
            session.N_PERMUTATIONS: study.get("n_permutations", DEFAULT_SHUFFLES) > 0,
            session.N_SEEDS: study.get("n_seeds", 1) > 1,
            session.N_IMPUTATIONS: study.get("n_imputations", 0),
            **{name: percent(value) if kinds[name] == "share" else value for name, value in plan.items()},
        }
    )
    if "random_state" in study:
        st.session_state[session.RANDOM_STATE] = study["random_state"]


def percent(share) -> int:
    """A share of the rows as the slider shows it."""
    return round(100 * share)


def _format_table(table) -> str:
    """A table as it is typed: a = 1, b = 2."""
    texts = {name: f"{{{_format_table(value)}}}" if isinstance(value, dict) else json.dumps(value) for name, value in table.items()}
    return ", ".join(f"{name} = {text}" for name, text in texts.items())


def ask_questions(data):
    """The three questions side by side, whose answers set the controls under Settings."""
    first, second, third = st.columns(3)
    first.number_input(
        "Set features per run",
        1,
        data.n_features,
        key=session.K,
        help="Every run selects this many features at most. Other numbers can be examined later without a new study. Accuracy "
        "is known for this number only.",
    )
    st.session_state[session.ROWS_HELD_OUT] = _held_out_answer()
    second.selectbox(
        "Hold out in each run",
        HELD_OUT,
        format_func=HELD_OUT.__getitem__,
        key=session.ROWS_HELD_OUT,
        on_change=_set_held_out,
        args=(data,),
        help="With halves, the two runs of a pair share no patient. Smaller shares make runs agree more, also without signal.",
    )
    st.session_state.setdefault(session.TIME_LIMIT, FIRST_LIMIT)
    third.select_slider(
        "Limit time",
        list(TIME_LIMITS),
        format_func=TIME_LIMITS.__getitem__,
        key=session.TIME_LIMIT,
        on_change=set_number_of_runs,
        args=(data,),
    )


def _held_out_answer():
    """The answer that matches the controls under Settings."""
    if st.session_state[session.PLAN] == HALF:
        return HALF
    if st.session_state[session.PLAN] == "subsample":
        left_out = st.session_state.get(session.TEST_SIZE, percent(PLANS["subsample"].options[session.TEST_SIZE].default))
        return next((key for key, share in HELD_OUT_SHARES.items() if share == left_out), OTHER)
    return OTHER


def _set_held_out(data):
    """Another plan, with as many runs as the time allows."""
    answer = st.session_state[session.ROWS_HELD_OUT]
    if answer == OTHER:
        return
    st.session_state[session.PLAN] = HALF if answer == HALF else "subsample"
    if answer != HALF:
        st.session_state[session.TEST_SIZE] = HELD_OUT_SHARES[answer]
    set_number_of_runs(data)


def set_number_of_runs(data):
    """As many runs as fit into the time, within both limits."""
    kind = st.session_state[session.PLAN]
    if kind not in (HALF, "subsample", "bootstrap"):
        return
    key, of_one = (session.N_PAIRS, 2) if kind == HALF else (session.N_RUNS, 1)
    with suppress(InputError):  # the error is shown when the study is started
        plan = {"kind": kind, key: 5}
        if session.TEST_SIZE in PLANS[kind].options and session.TEST_SIZE in st.session_state:
            plan[session.TEST_SIZE] = st.session_state[session.TEST_SIZE] / 100
        control = DEFAULT_SHUFFLES if st.session_state.get(session.N_PERMUTATIONS, True) else 0
        basics = {"k": int(st.session_state[session.K]), "n_permutations": control}
        selectors = [{"key": name} for name in st.session_state[session.SELECTORS]]
        study = study_from_settings({"study": basics, "plan": plan, "selector": selectors}, data)
        st.session_state[key] = _number_of_runs(study, st.session_state[session.TIME_LIMIT]) // of_one


def _number_of_runs(study, seconds) -> int:
    """The number of runs that a study can make in this time, within both limits."""
    return min(max(runs_for_seconds(study, seconds, default_workers(), read_speeds(home())), MIN_RUNS), MAX_RUNS)


def show_settings(study) -> str:
    """Show the settings in short with the expected time, and return the full sentence, "" for an impossible study."""
    with suppress(InputError):  # the error is shown when the study is started
        least, most = study_seconds(study)
        glossary.show_sentence(describe_size(study))
        alone = study_seconds(replace(study, n_permutations=0))
        control = format_span(format_duration(least - alone[0]), format_duration(most - alone[1]))
        control = f" The permutation control takes {control} of it."
        busy = " Other programs keep this computer busy now." if is_machine_busy() else ""
        timed = any(selector.key in read_speeds(home()) for selector in study.selectors)
        st.caption(
            f":material/timer: Estimated time: {format_span(format_duration(least), format_duration(most))} "
            f"on {counted(default_workers(), 'worker')}{', from earlier runs on this computer' * timed}."
            f"{control * bool(study.n_permutations)}{busy}"
        )
        if least > st.session_state[session.TIME_LIMIT]:
            st.warning(
                f"This is longer than {TIME_LIMITS[st.session_state[session.TIME_LIMIT]]}. Allow more time, or choose fewer "
                "selectors or runs under Settings.",
                icon=":material/hourglass_top:",
            )
        return describe_study_settings(study)
    return ""


def show_scheme(study):
    """Draw the rows that the first and last runs learn from and hold out."""
    with suppress(InputError):  # the error is shown when the study is started
        drawn = scheme(study.plan, study.data, study.random_state)
        ink, wide = DARK[INK] if figures.is_dark() else INK, SCHEME_WIDTH_TELEPHONE if figures.is_telephone() else SCHEME_WIDTH
        picture = named_strips([f"Run {run}" for run in drawn.runs], drawn.strips, drawn.sentence, ink, wide)
        st.image(picture.svg, width=wide, alt=picture.alt)
        glossary.show_caption(drawn.sentence)


def ask_options(key) -> list[dict] | None:
    """The description of a selector, and a control per option. Returns one table of changed options per setting.

    None if an option cannot be read, which is shown.
    """
    entry = BY_KEY[key]
    st.markdown(entry.plain)
    caveat = " It is known only for the number of features of the study." * entry.importances_of_one_k
    glossary.show_caption(plain(f"{ENCODINGS[entry.encoding]} Importance: {entry.importance}.{caveat} {entry.reference}"))
    chosen = {"key": key}
    with show_errors():
        for name, option in entry.options.items():
            value = _ask_option(f"option_{key}_{name}", name, option)
            if value != option.default:
                chosen[name] = value
        return _ask_varied_option(key, entry, chosen)
    return None


def _ask_varied_option(key, entry, chosen) -> list[dict]:
    """The number of features of this selector, and several values of one of its options, each of which makes a selector."""
    left, middle, right = st.columns(3)
    may = " “free”: all features that its model uses." * bool(entry.build.own_size)
    about = f"A number, or a share such as 0.25. Empty: the number of the study.{may}"
    typed = left.text_input("Features of this selector", key=f"option_{key}_k", placeholder="as the study", help=about)
    if (own_size := parse_k(typed)) is not None:
        chosen = {"key": chosen.pop("key"), "k": own_size, **chosen}
    names = [name for name, option in entry.options.items() if option.kind in ("whole", "number", "choice")]
    if not names:
        return [chosen]
    varied = middle.selectbox(
        "Vary option",
        names,
        index=None,
        placeholder="one setting only",
        format_func=lambda name: name.replace("_", " "),
        key=f"option_{key}_several_of",
    )
    if not varied:
        return [chosen]
    about = "Each value makes one selector of the study, on the same runs."
    text = right.text_input("Values", key=f"option_{key}_several", placeholder="5, 10, 20", help=about)
    return tables_of_values(chosen, varied, str(text)) if text.strip() else [chosen]


def _ask_option(key, name, option):
    is_open = option.kind == "switch" and option.default is None
    usual = SWITCH_VALUES[None] if is_open else option.default
    meaning = f"{option.meaning}." if usual is None else f"{option.meaning}. Usual: {usual}."
    label, about = plain(name.replace("_", " ")), plain(meaning)
    if option.kind == "groups":
        groups = scenarios.chosen().groups
        none = "No groups are defined, so each feature is a group of its own. Define groups on Similarity."
        st.caption(f"{counted(len(groups), 'group')}, as defined on Similarity." if groups else none)
        return groups or option.default
    st.session_state.setdefault(key, option.default if option.kind not in TYPED_KINDS else str(option.default or ""))
    if is_open:
        return st.selectbox(
            label, tuple(SWITCH_VALUES), format_func=SWITCH_VALUES.__getitem__, key=key, help=about, placeholder=SWITCH_VALUES[None]
        )
    if option.kind == "switch":
        return st.toggle(label, key=key, help=about)
    if option.kind == "choice":
        return st.selectbox(label, option.choices, key=key, help=about)
    if option.kind in TYPED_KINDS:
        return _parse_option(st.text_input(label, key=key, help=about), name, option)
    is_whole = option.kind == "whole"
    number: Any = int if is_whole else float
    low, high = (None if end is None else number(end) for end in (option.low, option.high))
    step, form = (1, None) if is_whole else (None, "%g")
    return st.number_input(label, low, high, key=key, help=about, step=step, format=form, placeholder="as needed")


def _parse_option(text, name, option):
    """An option that is typed: text as it is, a table as TOML on one line."""
    if option.kind == "text":
        return text.strip() or option.default
    try:
        return tomllib.loads(f"table = {{{text}}}")["table"] or option.default
    except (ValueError, RecursionError):
        raise InputError(
            f"The setting {name} is written as name = value, separated by commas (such as n_estimators = 300, "
            f"max_depth = 3). Found {text!r}."
        ) from None


def ask_study(data, last) -> dict:
    """Draw the form. Returns the tables `study`, `plan` and `selector`, the last one empty while an option cannot be read.

    last: tables of the last started study, the defaults of a form that is drawn for the first time.
    """
    possible = [key for key in BY_KEY if not _describe_impossible(key, data)]
    if session.SELECTORS in st.session_state:  # the given columns may have changed since
        st.session_state[session.SELECTORS] = [key for key in st.session_state[session.SELECTORS] if key in possible]
    if session.SELECTORS not in st.session_state:
        fill_form(data, possible, last)
    summary = st.container()
    ask_questions(data)
    picture = st.container()
    with st.expander("Settings: selectors, resampling, classifier, controls, seed", key="study-details"):
        sentence = st.container()
        chosen = _ask_details(data, possible)
    study = None
    with suppress(InputError):  # the error is shown when the study is started
        study = study_from_settings(chosen, data) if chosen["selector"] else None
    with summary:
        description = show_settings(study) if study else ""
        _show_warnings(chosen, data)
    if study:
        with picture:
            show_scheme(study)
    with sentence:
        glossary.show_caption(plain(description), _describe_floor(chosen, data.n_features))
    return chosen


def _describe_impossible(key, data) -> str:
    """The reason why a selector cannot be chosen for this table, "" if it can."""
    entry = BY_KEY[key]
    if kind_of_target(data.target) not in entry.targets:
        return "Not defined for this outcome"
    try:
        refuse_missing_library(entry.build.library)
    except InputError:
        return f"Needs {entry.build.library}, which is not installed here"
    try:
        refuse_given(entry.build(), data.given, data.table)
    except InputError:
        return f"Cannot adjust for {listed(data.given_names)}"
    return ""


def _ask_details(data, possible) -> dict:
    ask_preset(data, possible)
    keys = st.multiselect("Selectors", possible, format_func=lambda key: BY_KEY[key].label, key=session.SELECTORS)
    because = {key: reason for key in BY_KEY if (reason := _describe_impossible(key, data))}
    for reason in dict.fromkeys(because.values()):
        others = ", ".join(BY_KEY[key].label for key in because if because[key] == reason)
        glossary.show_caption(plain(f"{reason}: {others}."))
    left, middle, right = st.columns(3)
    with left:
        classifier = _ask_classifier(keys, data)
    with middle:
        plan = _ask_plan(data)
    with right:
        st.session_state.setdefault(session.RANDOM_STATE, 1)
        seed = st.number_input("Seed", 0, 2**31, key=session.RANDOM_STATE, help="The same seed gives the same results.")
        st.session_state.setdefault(session.STRATIFIED, True)
        parted = "stratified" in PLANS[plan["kind"]].options
        strata = "Stratify by event" if data.timed else "Stratify by class"
        if not st.toggle(strata, key=session.STRATIFIED, disabled=data.numeric_target or not parted) and parted:
            plan["stratified"] = False
        if data.patients is not None:
            st.caption("Rows of one patient stay together.")
    switches = st.container()
    st.markdown("**Settings of each selector**")
    tables = []
    for key in keys:
        with st.expander(BY_KEY[key].label, key=f"options-{key}"):
            tables.append(ask_options(key))
    if unread := [BY_KEY[key].label for key, table in zip(keys, tables, strict=True) if table is None]:
        st.error(f"A setting of {', '.join(unread)} cannot be read. Open its settings above.", icon=":material/error:")
    selectors = [] if None in tables else [settings for table in tables for settings in table or ()]
    with switches:
        beside = _ask_repetitions(selectors, data)
    study = {"k": int(st.session_state[session.K]), "classifier": classifier.pop("classifier"), "random_state": int(seed)}
    return {"study": study | classifier | beside, "plan": plan, "selector": selectors}


def _ask_classifier(keys, data) -> dict:
    """The classifier and the source of importances, as settings."""
    learners = possible_classifiers(keys, kind_of_target(data.target), data.given is not None)
    names = {**{key: learner.label for key, learner in learners.items()}, "none": "nothing (no accuracy)"}
    if "3nn" in names:
        names["3nn"] = "Nearest neighbours"  # their number is below
    if st.session_state.get(session.CLASSIFIER) not in names:
        st.session_state[session.CLASSIFIER] = next(iter(names))
    chosen = st.selectbox("Score the selected features by", list(names), key=session.CLASSIFIER, format_func=names.__getitem__)
    settings = {"classifier": chosen}
    if chosen == "3nn":
        st.session_state.setdefault(session.NEIGHBOURS, 3)
        settings["classifier"] = f"{st.number_input('Nearest neighbours', 1, MAX_NEIGHBOURS, key=session.NEIGHBOURS)}nn"
    if chosen in learners:
        glossary.show_caption(plain_sentence(settings["classifier"]) if data.classes else learners[chosen].plain)
    kinds = importance_kinds(chosen, len(data.classes)) if data.classes else {SELECTOR: ""}
    if st.session_state.get(session.IMPORTANCES) not in kinds:
        st.session_state[session.IMPORTANCES] = SELECTOR
    kind = SELECTOR
    if len(kinds) > 1:
        kind = st.selectbox(
            "Importance of a feature",
            kinds,
            format_func=kinds.__getitem__,
            key=session.IMPORTANCES,
            help="For maps and measures of importance. In the classifier it is the same for all selectors, which makes "
            "them comparable.",
        )
    return settings | ({} if kind == SELECTOR else {"importances": kind})


def _show_warnings(chosen, data):
    k, seed, plan = chosen["study"]["k"], chosen["study"]["random_state"], chosen["plan"]
    if k == data.n_features:
        st.warning("These are all features: every run would select the same, and stability would be undefined.")
    for settings in chosen["selector"]:
        with suppress(InputError):
            if sentence := _selector_of(settings).remark(k):
                st.warning(sentence)
    with suppress(InputError):  # the error is shown when the study is started
        if sentence := plan_from_settings(plan).repetition(data.target, seed, data.patients):
            st.warning(sentence, icon=":material/content_copy:")


def _ask_repetitions(selectors, data) -> dict:
    """The permutation control, seed variability and imputations, as settings. Nothing if they are off."""
    st.session_state.setdefault(session.N_PERMUTATIONS, True)
    st.session_state.setdefault(session.N_SEEDS, False)
    chosen = {"n_permutations": DEFAULT_SHUFFLES}
    if not st.toggle(
        f"Permutation control ({DEFAULT_SHUFFLES} shuffles of {RUNS_PER_SHUFFLE} runs)",
        key=session.N_PERMUTATIONS,
        help="Measures the noise floor of each selector: its stability without real signal. It can be added to a finished study.",
    ):
        chosen["n_permutations"] = 0
        st.info(ABOUT_NO_CONTROL, icon=":material/horizontal_rule:")
    drawing = []
    for settings in selectors:
        with suppress(InputError):  # a wrong option is reported at the start
            if _selector_of(settings).chance_inside and BY_KEY[settings["key"]].family != "baseline":
                drawing.append(BY_KEY[settings["key"]].label)
    if drawing and st.toggle(
        escape_label(f"Seed variability: fit {join_tied(drawing)} twice on each resample"),
        key=session.N_SEEDS,
        help="These selectors draw random numbers. A second fit with another seed shows which share of the disagreement is due to "
        "the seed.",
    ):
        chosen["n_seeds"] = 2
    if data.n_incomplete:
        st.session_state.setdefault(session.N_IMPUTATIONS, 0)
        imputations = st.number_input(
            "Imputations of missing cells",
            0,
            MAX_IMPUTATIONS,
            key=session.N_IMPUTATIONS,
            help="Chained equations fill the missing cells this many times in each run. With 5, Stability shows which share of the "
            "disagreement is due to missing cells. With 0, each selector treats missing cells itself.",
        )
        chosen |= {"n_imputations": imputations} if imputations else {}
    return chosen


def _selector_of(settings):
    """The selector with these settings. Raises InputError for a wrong option."""
    return selector(settings["key"], **{name: value for name, value in settings.items() if name != "key"})


def _describe_floor(chosen, d) -> str:
    """The expected noise floor of a plan, before the start, "" if it is not known."""
    with suppress(InputError):  # the error is shown when the study is started
        k = chosen["study"]["k"]
        if k < d:
            floor = rounded(noise_floor(plan_from_settings(chosen["plan"]), k, d))
            return (
                f"Expected noise floor: {floor} over all runs, because they share "
                "rows. This is for a t-test on features that are not correlated. The permutation control measures it for these "
                "selectors on this table."
            )
    return ""


def _ask_plan(data) -> dict:
    kind = st.selectbox("Each run learns from", PLANS, key=session.PLAN, format_func=lambda key: PLANS[key].learns_from)
    plan: dict[str, Any] = {"kind": kind}
    for name, option in PLANS[kind].options.items():
        usual = option.default if option.offered is None else option.offered
        if option.kind == "whole":
            st.session_state.setdefault(name, usual)
            plan[name] = int(st.number_input(option.meaning, option.low, option.high, key=name))
        elif option.kind == "share":
            st.session_state.setdefault(name, percent(usual))
            low, high = percent(option.low), percent(option.high)
            plan[name] = st.slider(f"{option.meaning} (%)", low, high, key=name) / 100
        elif option.kind == "column":
            plan[name] = _ask_column(name, option, data)
    return plan


def _ask_column(name, option, data) -> str:
    """A left-out column that could name centres, "" without one, which is reported at the start."""
    columns = possible_site_columns(data)
    if st.session_state.get(name) not in columns:
        st.session_state.pop(name, None)
    chosen = st.selectbox(option.meaning, columns, key=name, disabled=not columns)
    if not columns:
        st.caption("No column names the centres. Leave that column out of the features on Data, and fill it in every row.")
    return chosen or ""
