"""Read the settings file of a study. The first unknown entry, or entry of a wrong kind, raises an error.

One selector at several settings: tables [[selector]] that differ in one option, from a list of its values and back.
"""

import re
import reprlib
import sys
import tomllib
import warnings
from importlib import import_module
from pathlib import Path
from typing import Any

from stabcore.base.errors import InputError
from stabcore.base.text import quote, suggest_name
from stabcore.inference.panel_rule import KINDS
from stabcore.resampling.catalog import PLANS, plan_from_settings
from stabcore.selectors.catalog import BY_KEY, entry
from stabcore.study import earlier
from stabcore.study.choices import SELECTOR_CHOOSES

TYPE_WORDS = {str: "a text", int: "a whole number", float: "a number", bool: "true or false", list: "a list", dict: "a table"}
ANY_TYPE = tuple(TYPE_WORDS)
TABLES = {"about": dict, "data": dict, "study": dict, "plan": dict, "selector": ANY_TYPE, "search": dict}
SEARCH = {
    "n": int,
    **{name: list for name in ("confirm", "filters", "learners", "keep", "rounds", "trees", "node", "penalty", "width", "cost")},
}
DATA = {
    "file": str,
    "target": (str, list),
    "event": list,
    "exclude": (list, str),
    "given": (list, str),
    "same_patient": str,
    "name": str,
    "target_as": str,
    "set_aside": bool,
    "sheet": str,
    "header": int,
    "units": int,
    "last": int,
    "decimal": str,
    "mends": list,
}
STUDY = {
    "k": ANY_TYPE,
    "classifier": str,
    "random_state": int,
    "n_permutations": int,
    "permutation_runs": ANY_TYPE,
    "n_seeds": int,
    "n_imputations": int,
    "importances": str,
    "panel": dict,
}
PANEL = {kind: float for kind in KINDS}
SELECTOR = {"key": str, "own": str, "label": str, "k": ANY_TYPE}
OPTIONS: dict[str, Any] = {"whole": int, "number": float, "switch": bool, "text": str, "table": dict, "groups": dict}


def read_settings(path) -> dict:
    """The tables of a TOML file. Raises InputError if it cannot be read, or has unknown entries."""
    path = Path(path)
    if path.is_dir():
        raise InputError(f"{path} is a folder. Give a settings file, such as {path / 'study.toml'}.")
    try:
        settings = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except FileNotFoundError:
        raise InputError(f"There is no settings file {path}.") from None
    except OSError as error:
        raise InputError(f"The settings file {path} cannot be read: {error.strerror}.") from None
    except (ValueError, RecursionError) as error:
        wanted = "" if path.suffix == ".toml" else " Give a settings file (.toml), which names the table."
        raise InputError(f"{path.name} is not valid TOML: {str(error).partition(';')[0]}.{wanted}") from None
    today = earlier.convert_file_settings(settings)
    if today is not settings:
        warnings.warn(earlier.CONVERTED_NOTE.format(name=path.name), stacklevel=2)
    check_settings(today, path.name)
    return today


def check_settings(settings, name):
    """Raise InputError for an unknown table or entry, with the nearest known one, or for one of a wrong kind."""
    _check_entries(settings, TABLES, name)
    _check_entries(settings.get("data", {}), DATA, f"[data] in {name}")
    _check_entries(settings.get("study", {}), STUDY, f"[study] in {name}")
    _check_entries(settings.get("study", {}).get("panel", {}), PANEL, f"panel of [study] in {name}")
    _check_entries(settings.get("search", {}), SEARCH, f"[search] in {name}")
    plan = settings.get("plan", {})
    options = {kind: {name: type(option.default) for name, option in entry.options.items()} for kind, entry in PLANS.items()}
    if "own" in plan:
        _check_entries({"own": plan["own"]}, {"own": str}, f"[plan] in {name}")
    else:
        _check_options(plan, {"kind": str}, options, plan.get("kind", "subsample"), f"[plan] in {name}")
    tables = settings.get("selector", [])
    if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
        raise InputError(f"selector in {name} must be tables that begin with [[selector]]. Found {reprlib.repr(tables)}.")
    options = {
        key: {name: OPTIONS.get(option.kind, ANY_TYPE) for name, option in entry.options.items()} for key, entry in BY_KEY.items()
    }
    for number, table in enumerate(tables, 1):
        _check_options(table, SELECTOR, options, table.get("key"), f"[[selector]] number {number} in {name}")


def selectors_from_tables(tables, code: Path | None = None) -> dict:
    """{label: (key, options) or user-defined object} of the tables [[selector]], for a Study. code: as in `_user_object`."""
    chosen = {}
    for table in tables:
        options = dict(table)
        key, class_name = options.pop("key", None), options.pop("own", None)
        if bool(key) == bool(class_name):
            raise InputError('Each [[selector]] needs a key, for example key = "lasso", or own = "module:Class".')
        label = options.pop("label", key or class_name.rpartition(":")[2])
        if label in chosen:
            raise InputError(f'Two [[selector]] are called {quote(label)}. Leave one out, or give it another name: label = "…".')
        chosen[label] = (key, options) if key else _user_object(class_name, options, "selector", code)
    return chosen


def plan_from_table(table, code: Path | None = None):
    """The plan of the table [plan], for a Study. code: as in `_user_object`."""
    if "own" not in table:
        return plan_from_settings(table)
    options = dict(table)
    return _user_object(options.pop("own"), options, "plan", code)


def classifier_from_name(name, code: Path | None = None):
    """The classifier of a settings file, for a Study: a key, or an object by "module:Class". code: as in `_user_object`."""
    return _user_object(name, {}, "classifier", code) if isinstance(name, str) and ":" in name else name


def has_user_classes(settings) -> bool:
    """Whether a settings file names user-defined classes, which are in modules next to it."""
    return (
        any("own" in table for table in settings.get("selector", []))
        or "own" in settings.get("plan", {})
        or ":" in settings.get("study", {}).get("classifier", "")
    )


REQUIRED_METHODS = {
    "selector": ("fit",),
    "plan": ("resample", "split"),
    "classifier": ("fit",),
}  # a class needs one of these methods


def _user_object(name, options, what, code):
    """A user-defined object by the name of its class, "module:Class".

    code: the folder whose modules may be run. None: no code is run. The class is checked before it is called.
    """
    module, _, called = name.partition(":")
    if code is None:
        raise InputError(
            f"The settings name the user-defined {what} {quote(name)}, which is code. It runs only on request: python -m stabcore "
            "run SETTINGS --allow-code. Do so only with settings and modules whose origin you know."
        )
    place = code.joinpath(*module.split("."))
    if not re.fullmatch(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*", module) or not (place.with_suffix(".py").is_file() or place.is_dir()):
        raise InputError(
            f'The module of the user-defined {what} {quote(name)} is not next to the settings file. Write own = "module:Class" and '
            f"put {quote(module + '.py')} there."
        )
    if str(code) not in sys.path:
        sys.path.insert(0, str(code))
    try:
        loaded = import_module(module)
        found = getattr(loaded, called, None)
        if code not in Path(loaded.__file__ or "").resolve().parents:
            raise InputError(f"there is another module called {quote(module)}. Rename yours")
        if not isinstance(found, type) or not any(callable(getattr(found, method, None)) for method in REQUIRED_METHODS[what]):
            raise InputError(f"{quote(called)} is not a class with {' or '.join(REQUIRED_METHODS[what])}")
        return found(**options)
    except Exception as error:  # a user-defined module may raise anything
        raise InputError(f"The user-defined {what} {name!r} could not be made: {error}.") from None


def _check_options(table, common, options, key, where):
    """Check a table with a key and the options of that key. Without a key, only the common entries are checked."""
    _check_entries({name: value for name, value in table.items() if name in common}, common, where)
    if key in options:
        _check_entries(table, common | options[key], where)


def _check_entries(table, allowed, where):
    for name, value in table.items():
        if name not in allowed:
            raise InputError(f"{where} cannot have {quote(name)}{suggest_name(name, allowed)}. It can have: {', '.join(allowed)}.")
        kinds = allowed[name] if isinstance(allowed[name], tuple) else (allowed[name],)
        # TOML gives plain types: true is not a number, and 1 is accepted for 1.0
        if kinds != ANY_TYPE and type(value) not in kinds and not (float in kinds and type(value) is int):
            words = " or ".join(TYPE_WORDS[kind] for kind in kinds)
            raise InputError(f"{name} of {where} must be {words}. Found {reprlib.repr(value)}.")


MAX_SETTINGS = 20  # largest number of settings of one selector


def parse_k(text: str) -> Any:
    """K from typed text: nothing, a whole number, a share such as 0.25, "sqrt" or "free". Raises InputError."""
    word = text.strip().lower()
    if word in ("", "sqrt", SELECTOR_CHOOSES):
        return word or None
    return _parsed_value(word, "whole" if word.isdecimal() else "number", "The number of features")


def tables_of_values(table: dict[str, Any], option: str, text: str) -> list[dict[str, Any]]:
    """One [[selector]] for each typed value of an option, separated by commas, each with a label that shows it.

    Raises InputError for a value that is not a number or choice, a repeated value, no value, and more than 20.
    """
    about = entry(table["key"]).options[option]
    parts = [part.strip() for part in text.split(",") if part.strip()]
    if not 1 <= len(parts) <= MAX_SETTINGS:
        raise InputError(f"{option} takes 1 to {MAX_SETTINGS} values, separated by commas, such as 5, 10, 20. Found {len(parts)}.")
    values = [_parsed_value(part, about.kind, option) for part in parts]
    if len(set(values)) < len(values):
        raise InputError(f"{option} has the same value twice in {quote(text)}. Leave one out.")
    name = option.replace("_", " ")
    return [
        {**table, "label": f"{entry(table['key']).label}, {name} {part}", option: value}
        for part, value in zip(parts, values, strict=True)
    ]


def values_of_tables(tables: list[dict[str, Any]]) -> dict[str, tuple[dict[str, Any], str, str]]:
    """{key: (common part of its tables, the option that differs, its values as text)}, "" and "" for a single table.

    If tables differ in more than one option, only the first is used.
    """
    by_key: dict[str, tuple[dict[str, Any], str, str]] = {}
    for key in dict.fromkeys(table["key"] for table in tables if "key" in table):
        of_key = [{name: value for name, value in table.items() if name != "label"} for table in tables if table.get("key") == key]
        differ = differing_options(of_key)
        if len(of_key) > 1 and len(differ) == 1 and differ[0] in entry(key).options:
            usual = entry(key).options[differ[0]].default
            values = ", ".join(str(table.get(differ[0], usual)) for table in of_key)
            by_key[key] = {name: value for name, value in of_key[0].items() if name != differ[0]}, differ[0], values
        else:
            by_key[key] = of_key[0], "", ""
    return by_key


def differing_options(tables: list[dict[str, Any]]) -> list[str]:
    """The options in which some tables differ."""
    options = dict.fromkeys(name for table in tables for name in table)
    return [name for name in options if len({repr(table.get(name)) for table in tables}) > 1]


def _parsed_value(text, kind, name):
    if kind == "choice":
        return text
    try:
        return int(text) if kind == "whole" else float(text)
    except ValueError:
        raise InputError(f"{name} must be {'a whole number' if kind == 'whole' else 'a number'}. Found {quote(text)}.") from None
