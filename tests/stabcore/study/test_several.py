"""One selector at several settings: typed, made into tables, and read back."""

from types import SimpleNamespace

import pytest

import stabcore as sc
from stabcore.selectors.catalog import BY_KEY
from stabcore.study.settings import (
    MOST_SETTINGS,
    check_settings,
    number_of_features,
    selectors_of,
    settings_of_values,
    values_of_settings,
)
from stabcore.study.summary import settings_of_one


def test_typed_values_are_tables_with_labels_of_their_own_and_come_back():
    tables = settings_of_values({"key": "relieff", "k": 5}, "neighbours", "5, 10,20")
    assert [one["neighbours"] for one in tables] == [5, 10, 20] and [one["label"] for one in tables] == [
        "ReliefF, neighbours 5", "ReliefF, neighbours 10", "ReliefF, neighbours 20"]
    check_settings({"selector": tables}, "x.toml")
    assert len(selectors_of(tables)) == 3
    assert values_of_settings([*tables, {"key": "mim"}]) == {"relieff": ({"key": "relieff", "k": 5}, "neighbours", "5, 10, 20"),
                                                   "mim": ({"key": "mim"}, "", "")}
    assert settings_of_values({"key": "augmented"}, "learner", "lasso")[0]["learner"] == "lasso"


@pytest.mark.parametrize(("text", "said"), [("5, x", "a whole number; found 'x'"), ("5, 5", "twice"), (" , ", "found 0"),
                                            ("1.5", "a whole number")])
def test_what_cannot_be_read_is_said(text, said):
    with pytest.raises(sc.InputError, match=said):
        settings_of_values({"key": "relieff"}, "neighbours", text)


@pytest.mark.parametrize(("text", "k"), [("", None), (" 12 ", 12), ("0.25", 0.25), ("free", "free"), ("Sqrt", "sqrt")])
def test_a_number_of_features_is_read(text, k):
    assert number_of_features(text) == k
    with pytest.raises(sc.InputError, match="found 'many'"):
        number_of_features("many")


def test_settings_of_one_selector_are_those_that_a_line_can_join():
    def of(options=None, **keys):
        settings = {"selectors": [{"label": label, "options": given} for label, given in (options or {}).items()]}
        return settings_of_one(SimpleNamespace(ready=list(keys), entry_of=lambda label: BY_KEY.get(keys[label]), settings=settings))

    assert of(a="relieff", b="mim", c="relieff", d=None) == {"a": "ReliefF", "c": "ReliefF"}
    assert of(**{f"n{i}": "augmented" for i in range(MOST_SETTINGS + 1)}) == {}, "too many for a line"
    searched = {"a": "augmented", "b": "augmented"}
    assert of({"a": {"filter": "auc", "keep": 3}, "b": {"filter": "auc", "keep": 5}}, **searched) == dict.fromkeys(
        "ab", "Filter, then a learner")
    assert of({"a": {"filter": "auc", "keep": 3}, "b": {"filter": "mim", "keep": 5}}, **searched) == {}, "a random search is none"
