"""Docstrings of public names: parameters in numpydoc form, and examples that run with the objects of docs/reference/api.md."""

import doctest
import functools
import inspect
import re

import pytest
from face_support import functions
from support import ROOT

import stabcore as sc
from stabcore.plots import plot

ARITHMETIC = ("among", "cross_products", "in_one_group", "same_group", "self_products", "times")
PLANS = ("Plan", "RandomDrawPlan", "NestedKFold", "RepeatedKFold", "ComplementaryPairs", "LearningCurve", "LeaveOneSiteOut")
DRAWN = ("parts", "kind_of", "kinds")
CONTRACT = (
    *("block", "cluster", "measures_stability", "most", "n_distinct", "of_table", "part", "permutation_runs"),
    *(*DRAWN, "repetition", "shared_rows", "unit", "resample", "sentence"),
)
STORED = (
    *("entry_of", "finished_tasks", "agreeing_tasks", "run_status", "finished_shuffles", "finished_refits", "refitted", "folds"),
    *("n_selected_by", "selections_of_tasks"),
)
INSIDE = {  # methods for other modules, and why they have no example
    **dict.fromkeys((f"Similarity.{name}" for name in ARITHMETIC), "arithmetic of measures"),
    "Dataset.from_reading": "takes the result of the reader of files",
    **{
        f"{plan}.{name}": "the contract of plans, see stabcore.resampling.plan"
        for plans, names in ((PLANS, CONTRACT), (("Subsample", "Bootstrap"), ("sentence", "shared_rows", *DRAWN)))
        for plan in plans
        for name in names
    },
    **{
        f"{of}.{name}": "raw content of the study file, for other functions"
        for of in ("ResultData", "StudyResult")
        for name in STORED
    },
    **{f"CorrelationBins.{name}": "sums for several curves" for name in ("at_least", "blocks", "remembered")},
}
WITHOUT_EXAMPLE = {"InputError": "an error", "Plan.resample": "see Subsample.resample"}


@functools.cache
def documented():
    """[(qualified name, object, parameters) of every public function, class and method]."""
    seen, found = set(), []
    for name, function in functions():
        *way, last = name.split(".")
        owner = functools.reduce(getattr, way, sc)
        of = owner if last == "__init__" else function
        is_property = isinstance(inspect.getattr_static(owner, last), (property, functools.cached_property))
        if of.__qualname__ in seen or is_property:
            continue
        seen.add(of.__qualname__)
        names = set(inspect.signature(of).parameters) - {"self", "cls", "arguments", "unknown"}
        found.append((of.__qualname__, of, {name for name in names if not name.startswith("_")}))
    return found


def named(text):
    """Names in the section Parameters of a docstring."""
    part = re.search(r"Parameters\n-+\n(.*?)(?=\n\w[^\n]*\n-{4,}|\Z)", text, re.DOTALL)
    return [name for line in re.findall(r"^(\w+(?:, \w+)*) : ", part[1], re.MULTILINE) for name in line.split(", ")] if part else []


@pytest.fixture(scope="module")
def objects():
    """Objects for examples, made by the page of public names."""
    code = re.search(r"```\{code-cell\} python\n(.*?)```", (ROOT / "docs/reference/api.md").read_text(encoding="utf-8"), re.DOTALL)
    made = {}
    exec(code[1], made)
    return made


def test_every_parameter_is_named_in_numpydoc_form():
    unnamed = {name: parameters - set(named(inspect.getdoc(of) or "")) for name, of, parameters in documented()}
    assert {name: missing for name, missing in unnamed.items() if missing and name not in INSIDE} == {}


def test_every_docstring_has_an_example_or_a_reason():
    without = {name for name, of, _ in documented() if ">>>" not in (inspect.getdoc(of) or "")}
    assert without - INSIDE.keys() - WITHOUT_EXAMPLE.keys() == set()
    assert len(documented()) - len(without) > 180


def test_examples_run(objects, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("stabcore.study.search.Study", functools.partial(sc.Study, n_permutations=2))
    monkeypatch.setattr(plot, "clinical_worth", functools.partial(sc.clinical_worth, n_bootstrap=20))
    monkeypatch.setattr(plot, "subgroup_agreement", functools.partial(sc.subgroup_agreement, n_permutations=19))
    runner, parser, printed = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE), doctest.DocTestParser(), []
    for name, of, _ in documented():
        test = parser.get_doctest(inspect.getdoc(of) or "", dict(objects), name, None, 0)
        if test.examples:
            runner.run(test, out=printed.append)
    assert runner.summarize(verbose=False).failed == 0, "".join(printed)
    assert runner.tries > 200
