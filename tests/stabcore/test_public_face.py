"""Public names for tools: types, sources, the names for type checkers, and a file that uses each of them."""

import ast
import inspect
import re
import subprocess
import sys
from importlib import import_module

import numpy as np
import pandas as pd
import pytest
from face_support import functions
from support import ROOT

import stabcore as sc
from stabcore.plots.plot import FIGURES

FACE = ROOT / "tests" / "typing" / "public_face.py"
WRONG = {  # mistakes that a type checker must find, one per line
    "sc.stability(3)": "call-overload",
    "sc.stability(runs, 3)": "call-overload",
    "sc.stability(runs, lambda: 1.0)": "arg-type",
    "sc.Similarity.from_groups(['a'])": "arg-type",
    "sc.Study(data, object())": "call-overload",
    "sc.Study(data, 'lasso', plan=object())": "call-overload",
    "sc.Study(data, 'lasso', classifier=object())": "call-overload",
    "sc.list_selctors()": "attr-defined",
    "sc.list_measures(1)": "call-arg",
    "sc.Estimate('nogueira', 0.5).lo": "attr-defined",
}


NOTHING_TO_CITE = {  # functions without a formula or published method, and why
    "teaching_data": "simulated tables of our own, described in full",
    "join_events": "puts rows of a table together",
    "selector": "makes an entry of the catalogue, whose reference is there",
    **{
        f"list_{what}": "the catalogue, with the references of its entries"
        for what in ("measures", "selectors", "classifiers", "plans")
    },
    "open_study": "reads a file",
    "evaluate_on_other_half": "runs a study again, and `random_search` has the source",
    "similarity_warnings": "sentences about C with their own bounds",
    "compare_given": "puts two results side by side",
    "report": "its own references are numbered in it",
    **{f"plot.{name}": "draws what other functions compute, which cite their source" for name in FIGURES},
}


@pytest.fixture(scope="module")
def mypy(tmp_path_factory):
    """Errors of mypy from one run on the files of `make lint` and on the mistakes."""
    wrong = tmp_path_factory.mktemp("typing") / "wrong.py"
    head = "import stabcore as sc\ndef use(runs: sc.Selections, data: sc.Dataset) -> None:\n"
    wrong.write_text(head + "".join(f"    {line}\n" for line in WRONG), encoding="utf-8")
    command = [sys.executable, "-m", "mypy", "stabcore", "pages", "app.py", "tests/typing", wrong]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300, check=False)
    assert not done.stderr, done.stderr
    return [line for line in done.stdout.splitlines() if ": error: " in line]


def lacking(function):
    spec = inspect.signature(function)
    bare = [name for name, param in spec.parameters.items() if param.annotation is param.empty and name not in ("self", "cls")]
    return bare + ["what it returns"] * (spec.return_annotation is spec.empty)


def test_everything_public_has_types():
    found = dict(functions())
    assert len(found) > 100
    assert {"stability", "Selections.top", "Results.table", "whatif.influence", "Estimate.p_value"} <= set(found)
    assert {name: lacking(function) for name, function in found.items() if lacking(function)} == {}


def test_every_computation_has_a_source():
    of_no_class = {name: function for name, function in functions() if not re.search(r"(^|\.)[A-Z]", name)}
    assert {name for name, function in of_no_class.items() if "Source:" not in (function.__doc__ or "")} == set(NOTHING_TO_CITE)


def test_type_checkers_see_the_names_that_python_resolves():
    tree = ast.parse((ROOT / "stabcore" / "__init__.py").read_text(encoding="utf-8"))
    block = next(node for node in tree.body if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING")
    names = {alias.asname for node in block.body if isinstance(node, ast.ImportFrom) for alias in node.names if alias.asname}
    targets = [node.targets[0] for node in block.body if isinstance(node, ast.Assign)]
    names |= {name.id for target in targets for name in ast.walk(target) if isinstance(name, ast.Name)}
    assert names == set(sc.__all__)
    assert (ROOT / "stabcore" / "py.typed").exists()


def test_every_public_name_is_used_by_the_checked_file():
    used = set(re.findall(r"\bsc\.(\w+)", FACE.read_text(encoding="utf-8")))
    assert set(sc.__all__) <= used


@pytest.mark.types
def test_mypy_finds_no_error(mypy):
    assert [line for line in mypy if "wrong.py" not in line] == []


@pytest.mark.types
def test_mypy_finds_the_mistakes(mypy):
    found = [re.search(r"wrong\.py:(\d+): error: .*\[([\w-]+)\]$", line) for line in mypy]
    assert {int(match[1]) - 3: match[2] for match in found if match} == dict(enumerate(WRONG.values())), mypy


def test_the_checked_file_runs(tmp_path, monkeypatch):
    rng = np.random.default_rng(0)
    outcome = np.repeat([0, 1], 20)
    frame = pd.DataFrame(rng.normal(size=(40, 9)) + 0.5 * outcome[:, None], columns=list("abcdefghi"))
    monkeypatch.syspath_prepend(FACE.parent)  # worker processes import its classes by the name of the file
    import_module(FACE.stem).everything(frame.assign(outcome=np.where(outcome, "ill", "well"), id=range(40)), tmp_path)
