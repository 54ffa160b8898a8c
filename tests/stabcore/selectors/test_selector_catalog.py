"""Catalogue of selectors: complete entries, refusal of unknown keys and options, and a cheap import."""

import inspect
import re
from dataclasses import fields
from importlib import import_module
from pathlib import Path

import pytest

from stabcore.base.errors import InputError
from stabcore.selectors import catalog
from stabcore.selectors.base import Selector
from stabcore.selectors.catalog import ENTRIES, list_selectors, selector


def test_entries_are_complete():
    frame = list_selectors()
    assert {"mim", "mrmr", "jmi", "cmim", "lasso", "random_forest", "gbm", "random"} <= set(frame.index)
    filled = frame.drop(columns="options").ne("")
    assert filled.all(axis=None), {
        key: list(filled.columns[~row]) for key, row in zip(filled.index, filled.to_numpy()) if not row.all()
    }
    assert set(frame["ranks"]) == {"all", "prefix"}
    assert frame["plain"].str.endswith(".").all()
    assert frame.loc["welch_t", "options"] == ""
    assert frame["label"].is_unique


WRAPPERS = {"UserSelector", "EstimatorSelector"}  # wrap objects of users, and have no entries


def test_every_selector_class_has_an_entry_and_described_options():
    modules = [import_module(f"stabcore.selectors.{path.stem}") for path in Path(catalog.__file__).parent.glob("[!_]*.py")]
    written = {
        thing
        for module in modules
        for thing in vars(module).values()
        if inspect.isclass(thing) and issubclass(thing, Selector) and thing.__module__ == module.__name__
    }
    bases = {base for written_class in written for base in written_class.__mro__[1:]}
    lacking = {lacking_class.__name__ for lacking_class in written - bases - {entry.build for entry in ENTRIES}} - WRAPPERS
    assert not lacking, f"an Entry in stabcore/selectors/catalog.py: {lacking}"
    bare = {
        f"{built.__name__}.{field.name}"
        for built in {entry.build for entry in ENTRIES}
        for field in fields(built)
        if "meaning" not in field.metadata
    }
    assert not bare, f"an option is made by option(default, meaning): {bare}"


# tests of no particular selector
EVERYONE = ("test_selector_catalog.py", "test_selector_contract.py", "test_own_selectors.py")


def test_every_selector_has_tests_of_its_own():
    texts = [path.read_text(encoding="utf-8") for path in Path(__file__).parent.glob("test_*.py") if path.name not in EVERYONE]
    untried = [
        entry.key
        for entry in ENTRIES
        if not any(re.search(rf"[\"']{entry.key}[\"']|\b{entry.build.__name__}\b", text) for text in texts)
    ]
    assert not untried, f"a test against a slow version or another program, in tests/stabcore/selectors/: {untried}"
    unsourced = [entry.key for entry in ENTRIES if not re.search(r"\b(1[89]|20)\d\d\b", entry.reference)]
    assert not unsourced, f"reference= with a year: {unsourced}"


def other(option):
    """Return a valid value of an option other than its default."""
    if option.kind == "switch":
        return not option.default
    if option.kind == "choice":
        return next(choice for choice in option.choices if choice != option.default)
    if option.kind == "groups":
        return {"a": ["f1", "f2"]}
    if option.kind == "text":
        return "sklearn.linear_model.LogisticRegression"
    if option.kind == "table":
        return {"verbose": 0}
    tried = {"whole": (7, 3, 2), "number": (0.7, 0.3, 2.5)}[option.kind]
    return next(
        value
        for value in tried
        if value != option.default and value >= option.low and (option.high is None or value <= option.high)
    )


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.key)
def test_options_reach_the_selector(entry):
    made = selector(entry.key, **{name: other(option) for name, option in entry.options.items()})
    for name, option in entry.options.items():
        assert getattr(made, name) == other(option) and option.meaning
        if option.kind != "groups":
            with pytest.raises(InputError):
                selector(entry.key, **{name: -1})


@pytest.mark.parametrize(("key", "options"), [("lassso", {}), ("cmim", {"bin": 3}), ("random", {"random_state": 3})])
def test_unknown_selectors_and_options_are_refused(key, options):
    with pytest.raises(InputError):
        selector(key, **options)
