"""What each selector does, and its options."""

import tomllib

import streamlit as st

from pages.parts import scenarios, words
from pages.parts.text import plain, sentences
from stabcore.errors import InputError
from stabcore.selectors.catalog import BY_KEY, ENCODINGS
from stabcore.study.settings import number_of_features, settings_of_values

WRITTEN = ("text", "table")         # kinds of options that are typed in
OPEN = {None: "automatic", True: "yes", False: "no"}        # of a switch that the table settles by default


def options_of(key) -> list[dict] | None:
    """What a selector does, and a control for each of its options; tables of those that differ from the usual are returned, one
    for each of several settings.

    None when one cannot be read, which is said.
    """
    entry = BY_KEY[key]
    st.markdown(f"**{entry.label}**: {entry.plain}")
    known = " This is known for the number of features that the study selects, and for no other." * entry.importances_of_one_k
    words.tell(plain(f"{ENCODINGS[entry.encoding]} Importance: {entry.importance}.{known} {entry.reference}"))
    chosen = {"key": key}
    with sentences():
        for name, option in entry.options.items():
            value = _option(f"option_{key}_{name}", name, option)
            if value != option.default:
                chosen[name] = value
        return _several(key, entry, chosen)
    return None


def _several(key, entry, chosen) -> list[dict]:
    """A number of features for this selector alone, and several values of one of its options, each a selector of the study."""
    left, middle, right = st.columns(3)
    may = " “free”: all that its model uses." * bool(entry.build.own_size)
    own = number_of_features(left.text_input("features for this one", key=f"option_{key}_k", placeholder="as the study",
                                             help=f"A number or a share such as 0.25, where it is to select more or fewer.{may}"))
    if own is not None:
        chosen = {"key": chosen.pop("key"), "k": own, **chosen}
    names = [name for name, option in entry.options.items() if option.kind in ("whole", "number", "choice")]
    varied = names and middle.selectbox("at several settings of", names, index=None, placeholder="one setting only",
                                        format_func=lambda name: name.replace("_", " "), key=f"option_{key}_several_of")
    if not varied:
        return [chosen]
    text = right.text_input("values", key=f"option_{key}_several", placeholder="5, 10, 20", help="Each is a selector of its own "
                            "in the study, on the same runs.")
    return settings_of_values(chosen, varied, text) if text.strip() else [chosen]


def _option(key, name, option):
    usual = OPEN[None] if option.kind == "switch" and option.default is None else option.default
    label, about = plain(name.replace("_", " ")), plain(f"{option.meaning}. Usual: {usual}.")
    if option.kind == "groups":
        groups = scenarios.chosen().groups
        st.caption(f"Groups: the {len(groups)} of Groups & C." if groups else
                   "No groups are defined yet: every feature is alone. Define them on Groups & C.")
        return groups or option.default
    st.session_state.setdefault(key, option.default if option.kind not in WRITTEN else str(option.default or ""))
    if option.kind == "switch" and option.default is None:
        return st.selectbox(label, tuple(OPEN), format_func=OPEN.get, key=key, help=about)
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
    except (ValueError, RecursionError):
        raise InputError(f"The setting {name} is written as name = value, separated by commas (such as n_estimators = 300, "
                         f"max_depth = 3); found {text!r}.") from None
