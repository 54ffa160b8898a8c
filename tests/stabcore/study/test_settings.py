"""Settings files: every key is checked; one selector at several settings; ready-made studies."""

import re
import tomllib
from types import SimpleNamespace

import pytest
from support import ROOT

import stabcore as sc
from pages.workspace.samples import samples
from stabcore.selectors.catalog import BY_KEY
from stabcore.study.choices import how_many
from stabcore.study.presets import PRESETS
from stabcore.study.settings import (
    MOST_SETTINGS,
    check_settings,
    number_of_features,
    read_settings,
    selectors_of,
    settings_of_values,
    values_of_settings,
)
from stabcore.study.summary import settings_of_one


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "[plans]\nruns = 2",
            "x.toml cannot have 'plans' (did you mean 'plan'?). It can have: about, data, study, plan, selector, search.",
        ),
        ("runs = 2", "x.toml cannot have 'runs'. It can have"),
        ("[data]\nfiel = 'a.csv'", "[data] in x.toml cannot have 'fiel' (did you mean 'file'?)"),
        ("[study]\nseeds = 2", "[study] in x.toml cannot have 'seeds' (did you mean 'n_seeds'?)"),
        ("[plan]\nn_run = 2", "[plan] in x.toml cannot have 'n_run' (did you mean 'n_runs'?)"),
        (
            "[plan]\nkind = 'repeated_kfold'\nn_runs = 2",
            "cannot have 'n_runs'. It can have: kind, n_splits, n_repeats, stratified.",
        ),
        (
            "[[selector]]\nkey = 'lasso'\n[[selector]]\nkey = 'mim'\nbin = 3",
            "[[selector]] number 2 in x.toml cannot have 'bin' (did you mean 'bins'?). It can have: key, own, label, k, bins, ",
        ),
    ],
)
def test_what_is_not_known_is_refused_with_the_nearest(text, said):
    with pytest.raises(sc.InputError, match=re.escape(said)):
        check_settings(tomllib.loads(text), "x.toml")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        *((f"{name} = 3", f"{name} of x.toml must be a table. Found 3.") for name in ("about", "data", "study", "plan")),
        ("selector = 3", "selector in x.toml must be tables that begin with [[selector]]. Found 3."),
        ("selector = ['mim']", "must be tables"),
        ("[selector]\nkey = 'mim'", "must be tables"),
        ("[data]\nfile = 3", "file of [data] in x.toml must be a text. Found 3."),
        ("[data]\nexclude = 3", "exclude of [data] in x.toml must be a list or a text. Found 3."),
        ("[study]\nrandom_state = 'x'", "random_state of [study] in x.toml must be a whole number. Found 'x'."),
        ("[study]\nrandom_state = true", "must be a whole number. Found True."),
        ("[study]\nclassifier = []", "must be a text. Found []."),
        ("[plan]\nkind = []", "kind of [plan] in x.toml must be a text"),
        ("[plan]\nn_runs = 'many'", "a whole number. Found 'many'."),
        ("[plan]\ntest_size = 'x'", "test_size of [plan] in x.toml must be a number. Found 'x'."),
        ("[plan]\nstratified = 'no'", "stratified of [plan] in x.toml must be true or false. Found 'no'."),
        ("[[selector]]\nkey = []", "key of [[selector]] number 1 in x.toml must be a text"),
        ("[[selector]]\nown = 3", "own of [[selector]] number 1 in x.toml must be a text. Found 3."),
        ("[[selector]]\nkey = 'mim'\nlabel = 3", "be a text. Found 3."),
        ("[[selector]]\nkey = 'mim'\nbins = '3'", "be a whole number"),
        ("[[selector]]\nkey = 'svm'\ncost = [1]", "must be a number. Found [1]."),
        ("[[selector]]\nkey = 'group_lasso'\ngroups = 3", "must be a table"),
    ],
)
def test_what_is_of_the_wrong_kind_is_refused(text, said):
    with pytest.raises(sc.InputError, match=re.escape(said)):
        check_settings(tomllib.loads(text), "x.toml")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[plan]\ntest_size = 0.2",
        "[plan]\nkind = 'jackknife'\nn_splits = 3",
        "[study]\nk = 'sqrt'",
        "[[selector]]\nkey = 'svm'\ncost = 1",
        "[[selector]]\nown = 'mine:One'\npower = 2",
    ],
)
def test_what_is_allowed_or_checked_later_is_let_through(text):
    check_settings(tomllib.loads(text), "x.toml")


@pytest.mark.parametrize("text", ["[study", "a = " + "[" * 50_000, "[study]\nseed = " + "9" * 9999, "[study]\nseed = \xff"])
def test_what_is_no_settings_file_gets_a_sentence(text, tmp_path):
    (tmp_path / "x.toml").write_text(text, encoding="latin-1")
    with pytest.raises(sc.InputError):
        read_settings(tmp_path / "x.toml")


def test_what_the_program_brings_is_allowed():
    assert len([read_settings(one.settings) for one in samples()]) == len(list((ROOT / "sample_data").glob("*.toml"))) > 0
    for preset in PRESETS.values():
        check_settings(preset.settings(30), preset.key)


@pytest.mark.parametrize("second", [{"key": "mim"}, {"key": "mim", "bins": 3}, {"key": "lasso", "label": "mim"}])
def test_two_selectors_of_one_name_are_refused(second):
    with pytest.raises(sc.InputError, match="Two .* are called 'mim'. Leave one out, or give it another name"):
        selectors_of([{"key": "mim"}, second])
    assert list(selectors_of([{"key": "mim"}, {**second, "label": "other"}])) == ["mim", "other"]


@pytest.mark.parametrize("one", [{}, {"label": "x"}, {"key": ""}, {"own": ""}, {"key": "mim", "own": "a:B"}])
def test_a_selector_needs_a_key_or_a_class(one):
    with pytest.raises(sc.InputError):
        selectors_of([one])


def test_a_class_whose_module_is_broken_gets_a_sentence(tmp_path, monkeypatch):
    (tmp_path / "half_written.py").write_text("def fit(:")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(sc.InputError, match="'half_written:One' could not be made"):
        selectors_of([{"own": "half_written:One"}], tmp_path)


@pytest.mark.parametrize(("d", "k", "forced"), [(9, 3, 2), (1, 1, 0), (24, 4, 3), (36, 6, 5), (2000, 20, 5)])
def test_hybrid_rfe_as_hamer_and_dupont_have_it_forces_fewer_than_are_selected(d, k, forced):
    settings = PRESETS["hamer"].settings(d)
    assert how_many(settings["study"]["k"], d) == k
    assert next(one for one in settings["selector"] if one["key"] == "hybrid_rfe") == {"key": "hybrid_rfe", "forced": forced}


def test_a_paper_that_selects_ten_features_selects_all_of_fewer():
    assert PRESETS["kalousis"].settings(7)["study"]["k"] == 7 and PRESETS["kalousis"].settings(70)["study"]["k"] == 10


def test_typed_values_are_tables_with_labels_of_their_own_and_come_back():
    tables = settings_of_values({"key": "relieff", "k": 5}, "neighbours", "5, 10,20")
    assert [one["neighbours"] for one in tables] == [5, 10, 20] and [one["label"] for one in tables] == [
        "ReliefF, neighbours 5",
        "ReliefF, neighbours 10",
        "ReliefF, neighbours 20",
    ]
    check_settings({"selector": tables}, "x.toml")
    assert len(selectors_of(tables)) == 3
    assert values_of_settings([*tables, {"key": "mim"}]) == {
        "relieff": ({"key": "relieff", "k": 5}, "neighbours", "5, 10, 20"),
        "mim": ({"key": "mim"}, "", ""),
    }
    assert settings_of_values({"key": "augmented"}, "learner", "lasso")[0]["learner"] == "lasso"


@pytest.mark.parametrize(
    ("text", "said"), [("5, x", "a whole number. Found 'x'"), ("5, 5", "twice"), (" , ", "Found 0"), ("1.5", "a whole number")]
)
def test_what_cannot_be_read_is_said(text, said):
    with pytest.raises(sc.InputError, match=said):
        settings_of_values({"key": "relieff"}, "neighbours", text)


@pytest.mark.parametrize(("text", "k"), [("", None), (" 12 ", 12), ("0.25", 0.25), ("free", "free"), ("Sqrt", "sqrt")])
def test_a_number_of_features_is_read(text, k):
    assert number_of_features(text) == k
    with pytest.raises(sc.InputError, match="Found 'many'"):
        number_of_features("many")


def test_settings_of_one_selector_are_those_that_a_line_can_join():
    def of(options=None, **keys):
        settings = {"selectors": [{"label": label, "options": given} for label, given in (options or {}).items()]}
        return settings_of_one(
            SimpleNamespace(finished_selectors=list(keys), entry_of=lambda label: BY_KEY.get(keys[label]), settings=settings)
        )

    assert of(a="relieff", b="mim", c="relieff", d=None) == {"a": "ReliefF", "c": "ReliefF"}
    assert of(**{f"n{i}": "augmented" for i in range(MOST_SETTINGS + 1)}) == {}, "too many for a line"
    searched = {"a": "augmented", "b": "augmented"}
    assert of({"a": {"filter": "auc", "keep": 3}, "b": {"filter": "auc", "keep": 5}}, **searched) == dict.fromkeys(
        "ab", "Filter, then a learner"
    )
    assert of({"a": {"filter": "auc", "keep": 3}, "b": {"filter": "mim", "keep": 5}}, **searched) == {}, "a random search is none"
