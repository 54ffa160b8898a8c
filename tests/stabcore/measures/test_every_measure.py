"""Every measure of the catalogue has a slow version, rows of degenerate input, and a reference."""

import ast
import re
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

from stabcore import measures
from stabcore.measures.catalog import ENTRIES

HERE = Path(__file__).parent


def loaded(name):
    """The module of another test file of this folder."""
    spec = spec_from_file_location(name, HERE / f"{name}.py")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


SLOW = {  # file::test with the slow version of a measure, from its definition
    "test_slow.py::test_measures_of_pairs_of_sets": tuple(loaded("test_slow").PAIR),
    "test_slow.py::test_measures_of_all_sets_at_once": ("novovicova", "davis", "somol", "nogueira"),
    "test_slow.py::test_kuncheva": ("kuncheva",),
    "test_slow.py::test_rank_and_weight_measures": ("pearson_weights", "pearson_scores", "spearman_ranks", "canberra"),
    "test_slow.py::test_rank_biased_overlap": ("rbo",),
    "test_slow.py::test_importance_weighted": ("importance_weighted",),
    "test_slow.py::test_uncorrected_shared_information": ("shared_information",),
    "test_related.py::test_amounts_shared_through_related_features": (
        "intersection_count",
        "intersection_mean",
        "intersection_mbm",
        "intersection_greedy",
        "yu",
    ),
    "test_related.py::test_pogr_npogr_and_zucknick_and_their_chance": ("pogr", "npogr", "zucknick"),
    "test_related.py::test_effective_of_matrix_groups_and_edits": ("effective",),
}


def source(place):
    """The source of a test and of the tables that parametrise it."""
    file, name = place.split("::")
    tree = ast.parse((HERE / file).read_text(encoding="utf-8"))
    test = next((node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == name), None)
    assert test, f"SLOW names {place}, but there is no such test"
    named = {node.id for node in ast.walk(test) if isinstance(node, ast.Name)}
    tables = [
        node
        for node in tree.body
        if isinstance(node, ast.Assign) and {target.id for target in node.targets if isinstance(target, ast.Name)} & named
    ]
    return " ".join(map(ast.unparse, [test, *tables]))


def test_every_measure_of_the_files_has_an_entry():
    modules = [import_module(f"stabcore.measures.{path.stem}") for path in Path(measures.__file__).parent.glob("[!_]*.py")]
    written = {function for module in modules for function in vars(module).values() if hasattr(function, "terms")}
    lacking = {function.__name__ for function in written - {entry.function for entry in ENTRIES}}
    assert not lacking, f"an Entry in stabcore/measures/entries.py: {lacking}"


def test_every_measure_has_a_slow_version():
    slow_keys = [key for keys in SLOW.values() for key in keys]
    lacking = {entry.key for entry in ENTRIES} ^ set(slow_keys)
    assert not lacking, f"write a slow version from the definition, in test_slow.py, and name its test in SLOW: {lacking}"
    for place, keys in SLOW.items():
        assert [key for key in keys if not re.search(rf"\b{key}\b", source(place))] == [], place


def test_undefined_input_of_every_measure_is_listed():
    lacking = {entry.key for entry in ENTRIES} ^ set(loaded("test_degenerate").UNDEFINED)
    assert not lacking, f"say in UNDEFINED of test_degenerate.py where the formula is 0/0: {lacking}"
