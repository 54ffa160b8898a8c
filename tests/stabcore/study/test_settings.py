"""Settings files: checked keys, one selector at several settings, and ready-made studies."""

import tomllib
from types import SimpleNamespace

import pytest
from snapshot_support import check_refusals
from study_support import frame
from support import ROOT

import stabcore as sc
from pages.workspace.samples import samples
from stabcore.base.user_objects import CODE_MARK
from stabcore.selectors.catalog import BY_KEY
from stabcore.study.choices import resolve_k
from stabcore.study.loading import load_study
from stabcore.study.presets import PRESETS
from stabcore.study.settings import (
    MAX_SETTINGS,
    check_settings,
    parse_k,
    read_settings,
    selectors_from_tables,
    tables_of_values,
    values_of_tables,
)
from stabcore.study.summary import settings_of_one_selector


def test_unknown_keys_and_wrong_types_are_refused():
    wrong = [
        *("[plans]\nruns = 2", "runs = 2", "[data]\nfiel = 'a.csv'", "[study]\nseeds = 2", "[plan]\nn_run = 2"),
        *("[plan]\nkind = 'repeated_kfold'\nn_runs = 2", "[[selector]]\nkey = 'lasso'\n[[selector]]\nkey = 'mim'\nbin = 3"),
        *(f"{name} = 3" for name in ("about", "data", "study", "plan", "selector")),
        *("selector = ['mim']", "[selector]\nkey = 'mim'", "[data]\nfile = 3", "[data]\nexclude = 3"),
        *("[study]\nrandom_state = 'x'", "[study]\nrandom_state = true", "[study]\nclassifier = []"),
        *("[plan]\nkind = []", "[plan]\nn_runs = 'many'", "[plan]\ntest_size = 'x'", "[plan]\nstratified = 'no'"),
        *("[[selector]]\nkey = []", "[[selector]]\nown = 3", "[[selector]]\nkey = 'mim'\nlabel = 3"),
        *("[[selector]]\nkey = 'mim'\nbins = '3'", "[[selector]]\nkey = 'svm'\ncost = [1]"),
        "[[selector]]\nkey = 'group_lasso'\ngroups = 3",
    ]
    check_refusals(
        "study/wrong_settings",
        lambda text: check_settings(tomllib.loads(text), "x.toml"),
        {text.replace("\n", " "): text for text in wrong},
    )


@pytest.mark.parametrize("text", ["[study", "a = " + "[" * 50_000, "[study]\nseed = " + "9" * 9999, "[study]\nseed = \xff"])
def test_invalid_settings_files_are_refused(text, tmp_path):
    (tmp_path / "x.toml").write_text(text, encoding="latin-1")
    with pytest.raises(sc.InputError):
        read_settings(tmp_path / "x.toml")


def test_built_in_settings_are_accepted():
    assert len([read_settings(sample.settings) for sample in samples()]) == len(list((ROOT / "sample_data").glob("*.toml"))) > 0
    for preset in PRESETS.values():
        check_settings(preset.settings(30), preset.key)


@pytest.mark.parametrize("second", [{"key": "mim"}, {"key": "mim", "bins": 3}, {"key": "lasso", "label": "mim"}])
def test_two_selectors_of_one_name_are_refused(second):
    with pytest.raises(sc.InputError, match="Two .* 'mim'"):
        selectors_from_tables([{"key": "mim"}, second])
    assert list(selectors_from_tables([{"key": "mim"}, {**second, "label": "other"}])) == ["mim", "other"]


@pytest.mark.parametrize("table", [{}, {"label": "x"}, {"key": ""}, {"own": ""}, {"key": "mim", "own": "a:B"}])
def test_a_selector_needs_a_key_or_a_class(table):
    with pytest.raises(sc.InputError):
        selectors_from_tables([table])


def test_broken_module_is_an_input_error(tmp_path, monkeypatch):
    (tmp_path / "half_written.py").write_text("def fit(:")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(sc.InputError, match="half_written:One"):
        selectors_from_tables([{"own": "half_written:One"}], tmp_path)


def test_ready_made_studies_fit_few_features():
    """As in the papers, hybrid RFE forces fewer features than it selects, and k = 10 is all of fewer features."""
    for d, k, forced in ((9, 3, 2), (1, 1, 0), (36, 6, 5), (2000, 20, 5)):
        settings = PRESETS["hamer"].settings(d)
        assert resolve_k(settings["study"]["k"], d) == k
        assert {"key": "hybrid_rfe", "forced": forced} in settings["selector"]
    assert PRESETS["kalousis"].settings(7)["study"]["k"] == 7 and PRESETS["kalousis"].settings(70)["study"]["k"] == 10


def test_typed_values_become_labelled_tables_and_back():
    tables = tables_of_values({"key": "relieff", "k": 5}, "neighbours", "5, 10,20")
    assert [table["neighbours"] for table in tables] == [5, 10, 20]
    assert [table["label"] for table in tables] == [f"ReliefF, neighbours {value}" for value in (5, 10, 20)]
    check_settings({"selector": tables}, "x.toml")
    assert len(selectors_from_tables(tables)) == 3
    assert values_of_tables([*tables, {"key": "mim"}]) == {
        "relieff": ({"key": "relieff", "k": 5}, "neighbours", "5, 10, 20"),
        "mim": ({"key": "mim"}, "", ""),
    }
    assert tables_of_values({"key": "augmented"}, "learner", "lasso")[0]["learner"] == "lasso"


def test_unreadable_values_are_refused():
    for text in ("5, x", "5, 5", " , ", "1.5"):
        with pytest.raises(sc.InputError):
            tables_of_values({"key": "relieff"}, "neighbours", text)
    with pytest.raises(sc.InputError):
        parse_k("many")


@pytest.mark.parametrize(("text", "k"), [("", None), (" 12 ", 12), ("0.25", 0.25), ("free", "free"), ("Sqrt", "sqrt")])
def test_numbers_of_features_are_parsed(text, k):
    assert parse_k(text) == k


def test_settings_of_one_selector_can_form_a_curve():
    def of(options=None, **keys):
        settings = {"selectors": [{"label": label, "options": given} for label, given in (options or {}).items()]}
        entry_of = {label: BY_KEY.get(key) for label, key in keys.items()}.get
        return settings_of_one_selector(SimpleNamespace(finished_selectors=list(keys), entry_of=entry_of, settings=settings))

    assert of(a="relieff", b="mim", c="relieff", d=None) == {"a": "ReliefF", "c": "ReliefF"}
    assert of(**{f"n{i}": "augmented" for i in range(MAX_SETTINGS + 1)}) == {}, "too many for a line"
    searched = {"a": "augmented", "b": "augmented"}
    keep_3, keep_5 = ({"filter": "auc", "keep": keep} for keep in (3, 5))
    assert of({"a": keep_3, "b": keep_5}, **searched) == dict.fromkeys("ab", "Filter, then a learner")
    assert of({"a": keep_3, "b": {**keep_5, "filter": "mim"}}, **searched) == {}, "a random search is none"


def test_settings_file_names_user_plans_and_classifiers(tmp_path):
    settings = tmp_path / "s.toml"
    frame().to_csv(tmp_path / "toy.csv", index=False)
    (tmp_path / "mine_here.py").write_text("from own_support import Blocks, Nearest\n")
    text = (
        '[data]\nfile = "toy.csv"\ntarget = "outcome"\n[plan]\nown = "mine_here:Blocks"\nn_runs = 4\n'
        '[study]\nclassifier = "mine_here:Nearest"\n[[selector]]\nkey = "mim"\n'
    )
    settings.write_text(text)
    made = load_study(settings, allow_code=True).settings()
    described = [CODE_MARK.sub("", made[part]["own"]) for part in ("plan", "classifier")]
    assert described == ["Blocks(n_runs=4, share=0.8)", "Nearest(power=2)"]
    for right, wrong in (("n_runs", "folds"), ("Nearest", "Furthest")):
        settings.write_text(text.replace(right, wrong))
        with pytest.raises(sc.InputError):
            load_study(settings, allow_code=True)
