"""A scenario as a file: what is written comes back, and what cannot be read gets a sentence."""

from time import process_time

import numpy as np
import pytest

import stabcore as sc
from stabcore.relation.files import _DEEP, read_relation, read_scenario, write_scenario
from stabcore.relation.scenario import Scenario

NAMES = ("ALT", "AST", "age", "= 1", 'a "b"\n', "ü|")
HOSTILE = Scenario("groups", {'g "1"': ["ALT", 'a "b"\n'], "[x]": ["= 1", "ü|"]}, "kendall", 0.35, False, (("ALT", "ü|", 0.125),))


@pytest.mark.parametrize("scenario", [Scenario(), HOSTILE, Scenario("correlation", threshold=1.0)])
def test_what_is_written_comes_back(scenario):
    text = write_scenario('my "own"', scenario)
    for content in (text, text.encode(), b"\xef\xbb\xbf" + text.encode()):
        assert read_scenario(content, NAMES) == ('my "own"', scenario, None, ())


def test_a_matrix_travels_with_its_scenario():
    names = NAMES[:3]
    C = sc.Relation.from_matrix(np.array([[1, 0.3, 0], [0.3, 1, 1], [0, 1, 1]]), names)
    text = write_scenario("m", Scenario("matrix", matrix="upload-1.csv", edits=(("ALT", "age", 0.5),)), C)
    name, scenario, matrix, notes = read_scenario(text, names)
    assert "upload-1" not in text and scenario == Scenario("matrix", edits=(("ALT", "age", 0.5),)) and notes == ()
    again = read_relation(matrix, "matrix.csv", names).relation
    assert (again.block(range(3)) == C.block(range(3))).all()


def test_a_matrix_that_is_not_in_the_file_is_asked_for():
    text = write_scenario("m", Scenario("matrix", matrix="upload-1.csv"))
    _, scenario, matrix, notes = read_scenario(text, NAMES)
    assert matrix is None and scenario.base == "matrix" and "bring it too" in notes[0]


def test_unknown_features_and_keys_are_left_aside_and_listed():
    text = write_scenario("n", Scenario("groups", {"g": ["ALT", "ATS", "AST"]}, edits=(("ALT", "gone", 1.0), ("ALT", "age", 1.0))))
    _, scenario, _, notes = read_scenario("colour = 'red'\n" + text, NAMES)
    assert scenario.groups == {"g": ["ALT", "AST"]} and scenario.edits == (("ALT", "age", 1.0),)
    assert "'colour'" in notes[0] and "'ATS' (did you mean 'AST'?)" in notes[1] and "'gone'" in notes[1]


@pytest.mark.parametrize("content, said", [
    (b"\xff\xfe", "not TOML"),
    (b"feature,group\nALT,liver\n", "not TOML"),
    ("", "does not say its base"),
    ('[study]\nk = 3', "does not say its base"),
    ('base = "correlations"', "base is 'correlations' .did you mean 'correlation'.*one of none, groups"),
    ('base = 3', "base is '3'"),
    ('base = ["none"]', "base is"),
    ('base = "none"\nmethod = "cosine"', "method is 'cosine'.*spearman"),
    ('base = "none"\nthreshold = 2', "threshold is '2'; it is a number from 0 to 1"),
    ('base = "none"\nthreshold = true', "threshold is 'True'"),
    ('base = "none"\nthreshold = nan', "threshold is 'nan'"),
    ('base = "none"\nbinary = 1', "binary is '1'; it is true"),
    ('base = "none"\ngroups = 1', "groups is not a table"),
    ('base = "none"\ngroups = {a = "ALT"}', "group 'a' is not a list of names"),
    ('base = "none"\ngroups = {a = [1]}', "group 'a' is not a list of names"),
    ('base = "none"\ngroups = {a = ["ALT"], b = ["ALT"]}', "'ALT' is in two groups, 'a', 'b'"),
    ('base = "none"\nedits = "ALT"', "edits is not a list of pairs"),
    ('base = "none"\nedits = [["ALT", "AST"]]', "edits is not a list of pairs"),
    ('base = "none"\nedits = [["ALT", "AST", 7]]', "edits: Row 1 has the value '7'"),
    ('base = "matrix"\npairs = [["ALT", "ALT", 1]]', "pairs: Row 1 pairs 'ALT' with itself"),
    ("a = " + "[" * 50_000, "not TOML"),
    ('base = "none"\nthreshold = ' + "9" * 9999, "not TOML .Exceeds the limit .4300 digits. for integer"),
    *(("#\n" + before + (part + ".") * 5000 + "b" + after, "far too deep") for before, after in (
        ("", " = 1"), (" \t", " = 1"), ("[", "]"), ("[[ ", "]]"), ("x = {", " = 1}"), ("x = {y = 1, ", " = 1}"))
      for part in ("a", '"a"', "'a'", '"\\"x"', '"a.b" ', "a \t", "c" * 300, f"'{'c' * 300}'")),
    ("#" * 20_000_001, "more than any scenario"),
])
def test_what_cannot_be_read_gets_a_sentence(content, said):
    with pytest.raises(sc.InputError, match=said):
        read_scenario(content, NAMES)


def test_names_with_many_dots_are_names():
    name = "a.b" * 60
    _, scenario, _, notes = read_scenario(f'base = "groups"\n[groups]\n"{name}" = ["{name}", "{name}2"]', [name, f"{name}2"])
    assert scenario.groups == {name: [name, f"{name}2"]} and not notes


@pytest.mark.parametrize("text", ["a" + " " * 3_000_000 + ".", "a" * 3_000_000, ",\"" * 1_000_000, "['" * 1_000_000,
                                  ",a" * 1_000_000, "'\n,\"" * 700_000, "[" + "a." * 49 * 20_000])
def test_whether_keys_are_deep_is_seen_at_a_glance(text):
    started = process_time()
    _DEEP.search(text)
    assert process_time() - started < 2
