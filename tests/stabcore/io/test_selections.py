"""Reading selections: each form is recognised, every wrong cell is named, and what was assumed is said."""

import io

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from selections_support import read_selections

from stabcore.base.errors import InputError
from stabcore.selections.selections import Selections

MATRIX = [[1, 0, 1], [0, 1, 1]]


def xlsx(rows):
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


@pytest.mark.parametrize(
    ("text", "features", "runs"),
    [
        ("a,b,c\n1,0,1\n0,1,1", "abc", ["run 1", "run 2"]),
        ("1,0,1\n0,1,1\n", ["f1", "f2", "f3"], ["run 1", "run 2"]),
        ("1 0 1\n0 1 1", ["f1", "f2", "f3"], ["run 1", "run 2"]),
        ("run;a;b;c\n7;1;0;1\n8;0;1;1", "abc", ["7", "8"]),
        (",a,b,c\n1,1,0,1\n2,0,1,1", "abc", ["1", "2"]),
        ("a\tb\tc\nx\t1\t0\t1\ny\t0\t1\t1", "abc", ["x", "y"]),  # as R writes row names
        ("x,1,0,1\ny,0,1,1", ["f1", "f2", "f3"], ["x", "y"]),
        ("1,2,3\n1,0,1\n0,1,1", "123", ["run 1", "run 2"]),
        ("a,b,c\n1.0,0.0,1.0\n0,1,1", "abc", ["run 1", "run 2"]),
    ],
)
def test_selection_matrix_with_and_without_names(text, features, runs):
    found = read_selections(text)
    assert found.kind == "selection matrix" and found.sets is None
    assert found.features == tuple(features) and found.runs == tuple(runs)
    assert found.matrix.tolist() == MATRIX
    assert any("2 runs" in note and "3 features" in note for note in found.notes)
    Selections.from_matrix(found.matrix, found.features)


def test_row_numbers_are_no_feature():
    found = read_selections("n,a,b\n1,1,0\n2,0,1\n3,1,1")
    assert found.features == ("a", "b") and found.runs == ("1", "2", "3")
    assert any("counts the rows" in note for note in found.notes)


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("a,b\n0.5,0\n0,0.2", [[0.5, 0], [0, 0.2]]),
        ("a;b\n0,5;0\n0;0,2", [[0.5, 0], [0, 0.2]]),
        ("0.5,0\n0,2", [[0.5, 0], [0, 2]]),
        ("a,b\n3,0\n0,7", [[3, 0], [0, 7]]),
    ],
)
def test_importances(text, values):
    found = read_selections(text)
    assert found.kind == "importances" and found.matrix.tolist() == values
    assert any("importances" in note for note in found.notes)
    Selections.from_weights(found.matrix, found.features)


def test_scores_and_ranks_only_when_told():
    scores = read_selections("a,b\n-1.5,2\n3,", kind="scores")
    np.testing.assert_array_equal(scores.matrix, [[-1.5, 2], [3, np.nan]])
    assert scores.kind == "scores"
    ranks = read_selections("1,2,3\n3,2,1", kind="ranks")
    assert ranks.kind == "ranks" and ranks.matrix.tolist() == [[1, 2, 3], [3, 2, 1]]
    with pytest.raises(InputError, match="ranks or sets"):
        read_selections("1,2,3\n3,2,1")
    assert read_selections("a,b\n1,2\n1,1", kind="importances").kind == "importances"


@pytest.mark.parametrize(
    "text",
    [
        "EGFR,ALT\nALT",
        "EGFR;ALT\nALT;",
        "EGFR\tALT\nALT",
        "EGFR ALT\nALT",
        '"EGFR", "ALT"\n"ALT"',
        "{'EGFR', 'ALT'}\n{'ALT'}",
        "run 1: EGFR, ALT\nrun 2: ALT",
        "run1,EGFR,ALT\nrun2,ALT",
        "\n\nEGFR,ALT\nALT\n\n",
    ],
)
def test_sets_of_names(text):
    found = read_selections(text)
    assert found.kind == "sets" and found.matrix is None
    assert found.features == ("ALT", "EGFR") and found.sets == (("EGFR", "ALT"), ("ALT",))
    assert any("depend on how many features" in note and "taken as 2" in note for note in found.notes)
    assert Selections.from_lists(found.sets, names=found.features).sizes.tolist() == [2, 1]


def test_an_empty_line_inside_is_an_empty_set():
    found = read_selections("a,b\n\nb\n\n")
    assert found.sets == (("a", "b"), (), ("b",))
    assert "Taken as runs that selected nothing: 1 empty line (line 2)." in found.notes
    assert read_selections(xlsx([["a", "b"], [None, None], ["b", "c"]])).sets == (("a", "b"), (), ("b", "c"))


def test_a_feature_named_twice_counts_once_and_is_said():
    found = read_selections("a,b,a\nb,c")
    assert found.sets[0] == ("a", "b") and "Line 1 names 'a' more than once; it counts once." in found.notes


def test_the_universe_of_sets():
    found = read_selections("a b\nb c", features=["d", "c", "b", "a"])
    assert found.features == ("d", "c", "b", "a") and "taken as 4." in found.notes[-1]
    found = read_selections("a b\nb c", n_features=5)
    assert found.features == ("a", "b", "c", "(never selected 1)", "(never selected 2)")
    with pytest.raises(InputError, match="name 3 different features, more than the 2"):
        read_selections("a b\nb c", n_features=2)
    with pytest.raises(InputError, match=r"Line 2 names 'EGRF', .* \(did you mean 'EGFR'\?\)"):
        read_selections("EGFR,x\nEGRF", features=["EGFR", "x"])
    with pytest.raises(InputError, match="2 feature names were given, but 3"):
        read_selections("a b\nb", features=["a", "b"], n_features=3)
    with pytest.raises(InputError, match="between 1 and"):
        read_selections("a b\nb", n_features=0)


def test_sets_of_numbers():
    assert read_selections("1,5,9\n2,5\n3").sets == (("1", "5", "9"), ("2", "5"), ("3",))
    found = read_selections("1 3\n2 3", n_features=4)
    assert found.features == ("1", "2", "3", "4") and any("counted from 1" in note for note in found.notes)
    found = read_selections("0 3\n2 3", features="pqrs")
    assert found.sets == (("p", "s"), ("r", "s")) and any("counted from 0" in note for note in found.notes)
    with pytest.raises(InputError, match="Line 1 names feature number 5, but there are 4 features, numbered 1 to 4"):
        read_selections("1 5\n2 3", n_features=4)
    assert read_selections("7 9\n7", features=["7", "8", "9"]).sets == (("7", "9"), ("7",))  # names, not numbers


@pytest.mark.parametrize(
    ("text", "kind", "words"),
    [
        ("a,b,c\n1,0,1\n0,2,1", None, ["Line 3, column 2 ('b') holds 2", "only 0 (not selected) and 1", "choose 'importances'"]),
        ("a,b\n1,0.5\n0,1\n1,1", None, ["Line 2, column 2 ('b') holds 0.5"]),
        ("a,b\n0,3\n0,1", "selection matrix", ["Line 2, column 2 ('b') holds 3"]),
        ("a,b,c\n1,0,\n0,1,1", None, ["Line 2, column 3 ('c') is empty", "write 0"]),
        ("a,b\n1,0\n\n0,nan", None, ["Line 4, column 2 ('b') holds 'nan'"]),
        ("1,0,1\n1,x,1\n0,0,0", None, ["Line 2, column 2 ('f2') holds 'x'"]),
        ("a,b\n0.5,inf\n0,1", "importances", ["column 2 ('b') holds 'inf'"]),
        ("a,b\n1,0,1\n0,1", None, ["Line 2 has 3 numbers", "2 features"]),
        ("1 0 1\n0 1 1 1", None, ["Line 2 has 4 numbers", "3 features"]),
        ("a,b\n0.5,0\n0,-1", None, ["line 3, column 2 ('b')", "What are they?"]),
        ("a,b\n0.5,0\n0,-1", "importances", ["holds -1", "choose 'scores'"]),
        ("a,b\n1,0\n2,1", "ranks", ["column 2 ('b') holds 0", "best rank is 1"]),
        ("a,a\n1,0\n0,1", None, ["more than once", "'a'"]),
        ("a,b\n1,1", None, ["at least 2", "found 1"]),
        ("a b c", None, ["at least 2", "found 1"]),
        ("", None, ["Nothing was pasted"]),
        ("a,b\n1,0\n0,1", "votes", ["no kind 'votes'", "'importances'"]),
    ],
)
def test_wrong_selections_are_named_with_their_place(text, kind, words):
    with pytest.raises(InputError) as error:
        read_selections(text, kind=kind)
    for word in words:
        assert word in str(error.value)


def test_given_names_must_fit_a_matrix():
    assert read_selections("1,0\n0,1", features=["x", "y"]).features == ("x", "y")
    with pytest.raises(InputError, match="differ from those that were given: 'b', 'c'"):
        read_selections("a,b\n1,0\n0,1", features=["a", "c"])
    with pytest.raises(InputError, match="2 numbers, but 3 feature names"):
        read_selections("1,0\n0,1", features=["x", "y", "z"])


def test_files(tmp_path):
    frame = pd.DataFrame(MATRIX, columns=list("abc"))
    frame.to_parquet(tmp_path / "z.parquet")
    frame.to_csv(tmp_path / "z.csv", index=False)
    (tmp_path / "z.xlsx").write_bytes(xlsx([list("abc"), *MATRIX]))
    for name in ("z.parquet", "z.csv", "z.xlsx"):
        for source in (tmp_path / name, io.BytesIO((tmp_path / name).read_bytes())):
            found = read_selections(source, name)
            assert found.features == ("a", "b", "c") and found.matrix.tolist() == MATRIX
    (tmp_path / "sets.txt").write_text("EGFR, ALT\nALT", encoding="utf-8")
    assert read_selections(tmp_path / "sets.txt").sets == (("EGFR", "ALT"), ("ALT",))


def test_a_text_is_never_taken_as_a_path(tmp_path):
    (tmp_path / "z.csv").write_text("a,b\n1,0\n0,1", encoding="utf-8")
    with pytest.raises(InputError, match="at least 2"):
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


@settings(max_examples=100, deadline=None)
@given(st.text(alphabet="ab01259,.;\t \n{}'\"-+e:", max_size=60), st.sampled_from([None, "sets", "scores"]))
def test_rubbish_gives_selections_or_a_sentence(text, kind):
    try:
        found = read_selections(text, kind=kind)
        assert len(found.runs) == len(found.sets if found.matrix is None else found.matrix) >= 2
    except InputError as error:
        assert str(error).endswith((".", "?"))
