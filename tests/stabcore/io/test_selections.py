"""Reading selections: recognised forms, errors that name the cell, and all features."""

import numpy as np
import pytest
from file_support import workbook
from hypothesis import given, settings
from hypothesis import strategies as st
from selection_shapes_support import read_selections
from snapshot_support import check_refusals

from stabcore.base.errors import InputError


def test_scores_and_ranks_only_on_request():
    scores = read_selections("a,b\n-1.5,2\n3,", kind="scores")
    np.testing.assert_array_equal(scores.matrix, [[-1.5, 2], [3, np.nan]])
    assert scores.kind == "scores"
    ranks = read_selections("1,2,3\n3,2,1", kind="ranks")
    assert ranks.kind == "ranks" and ranks.matrix.tolist() == [[1, 2, 3], [3, 2, 1]]
    with pytest.raises(InputError):
        read_selections("1,2,3\n3,2,1")
    assert read_selections("a,b\n1,2\n1,1", kind="importances").kind == "importances"


def test_an_empty_line_between_others_is_an_empty_set():
    found = read_selections("a,b\n\nb\n\n")
    assert found.sets == (("a", "b"), (), ("b",))
    assert read_selections(workbook({"S": [["a", "b"], [None, None], ["b", "c"]]})).sets == (("a", "b"), (), ("b", "c"))


def test_all_features_of_sets():
    found = read_selections("a b\nb c", features=["d", "c", "b", "a"])
    assert found.features == ("d", "c", "b", "a")
    found = read_selections("a b\nb c", n_features=5)
    assert found.features == ("a", "b", "c", "(never selected 1)", "(never selected 2)")
    for wrong in ({"n_features": 2}, {"features": ["a", "b"]}, {"features": ["a", "b", "c"], "n_features": 4}, {"n_features": 0}):
        with pytest.raises(InputError):
            read_selections("a b\nb c", **wrong)


def test_sets_of_numbers():
    assert read_selections("1,5,9\n2,5\n3").sets == (("1", "5", "9"), ("2", "5"), ("3",))
    found = read_selections("1 3\n2 3", n_features=4)
    assert found.features == ("1", "2", "3", "4")
    found = read_selections("0 3\n2 3", features="pqrs")
    assert found.sets == (("p", "s"), ("r", "s"))
    with pytest.raises(InputError):
        read_selections("1 5\n2 3", n_features=4)
    assert read_selections("7 9\n7", features=["7", "8", "9"]).sets == (("7", "9"), ("7",))  # numbers that are names of features


def test_errors_name_their_place():
    unknown = (
        *("a,b,c\n1,0,1\n0,2,1", "a,b\n1,0.5\n0,1\n1,1", "a,b,c\n1,0,\n0,1,1", "a,b\n1,0\n\n0,nan", "1,0,1\n1,x,1\n0,0,0"),
        *("a,b\n1,0,1\n0,1", "1 0 1\n0 1 1 1", "a,b\n0.5,0\n0,-1", "a,a\n1,0\n0,1", "a,b\n1,1", "a b c", ""),
    )
    cases = [
        *((text, None) for text in unknown),
        *(("a,b\n0,3\n0,1", "selection matrix"), ("a,b\n0.5,inf\n0,1", "importances"), ("a,b\n0.5,0\n0,-1", "importances")),
        *(("a,b\n1,0\n2,1", "ranks"), ("a,b\n1,0\n0,1", "votes")),
    ]
    name = "io/wrong_selections"
    check_refusals(name, lambda text, kind: read_selections(text, kind=kind), cases)


def test_given_names_must_fit_a_matrix():
    assert read_selections("1,0\n0,1", features=["x", "y"]).features == ("x", "y")
    with pytest.raises(InputError):
        read_selections("a,b\n1,0\n0,1", features=["a", "c"])
    with pytest.raises(InputError):
        read_selections("1,0\n0,1", features=["x", "y", "z"])


def test_a_text_is_never_taken_as_a_path(tmp_path):
    (tmp_path / "z.csv").write_text("a,b\n1,0\n0,1", encoding="utf-8")
    with pytest.raises(InputError):
        read_selections(str(tmp_path / "z.csv"))


@settings(max_examples=50, deadline=None)
@given(st.integers(2, 6), st.integers(2, 8), st.randoms(use_true_random=False))
def test_matrices_survive(n_runs, d, random):
    values = [[random.choice([0, 0, 0.25, 0.5, 3.75]) for _ in range(d)] for _ in range(n_runs)]
    values[0][:2] = 0.125, 0
    text = "\n".join([",".join(f"m{j}" for j in range(d)), *(",".join(map(str, row)) for row in values)])
    found = read_selections(text)
    assert found.kind == "importances" and found.matrix.tolist() == values


@settings(max_examples=50, deadline=None)
@given(st.lists(st.sets(st.sampled_from(["IL 6", "TNF", "a-b", "µg", "![x](y)", "<b>"]), min_size=1), min_size=2, max_size=6))
def test_sets_survive(sets):
    found = read_selections("\n".join("\t".join(["x", *sorted(members)]) for members in sets), kind="sets", names_are="features")
    assert [set(members) - {"x"} for members in found.sets] == sets
