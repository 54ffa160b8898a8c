"""Wrong selections: what was found, where, and what is allowed."""

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

import stabcore as sc

P = sc.Selections
Z = np.array([[1, 0, 1, 0], [0, 0, 0, 0], [1, 1, 1, 1]])
W = np.array([[0.5, 0, 2, 0], [0, 0, 0, 0], [1, 3, 0.25, 1]])
NAMES = ("ALT", "AST", "age", "x̄ of β")


def frame(values):
    return pd.DataFrame(values, columns=NAMES)


def put(values, value, row=2, column=1):
    changed = np.array(values, dtype=object)
    changed[row, column] = value
    return changed


WRONG = {
    "one run": (lambda: P.from_matrix(Z[:1]), "at least 2 are needed. Found 1"),
    "no runs": (lambda: P.from_matrix(np.zeros((0, 3))), "at least 2 are needed. Found 0"),
    "one set": (lambda: P.from_lists([{1}], n_features=3), "at least 2 are needed. Found 1"),
    "no sets": (lambda: P.from_lists([], n_features=3), "at least 2 are needed. Found 0"),
    "no features": (lambda: P.from_matrix(np.zeros((3, 0))), "There are no features"),
    "no names": (lambda: P.from_lists([[], []], names=[]), "There are no features"),
    "a two": (lambda: P.from_matrix(frame(put(Z, 2))), r"Row 3, column 2 \('AST'\): .* only 0 .* 1 .*from_weights"),
    "a half, sparse": (lambda: P.from_matrix(sparse.csr_array(put(Z, 0.5).astype(float)), NAMES), r"Row 3, column 2 \('AST'\)"),
    "a half, no names": (lambda: P.from_matrix(put(Z, 0.5)), r"Row 3, column 2: "),
    "a gap": (lambda: P.from_matrix(frame(put(Z, None))), r"Row 3, column 2 \('AST'\)"),
    "a gap, sparse": (lambda: P.from_matrix(sparse.csr_array(put(Z, np.nan).astype(float))), "Row 3, column 2"),
    "a word": (
        lambda: P.from_matrix(frame(put(Z, "yes"))),
        r"Found a value of type str in row 3, column 2 \('AST'\); every entry must be a number",
    ),
    "a list": (lambda: P.from_scores(put(Z, [1, 2])), r"Found a value of type list in row 3, column 2"),
    "below 0": (lambda: P.from_weights(frame(put(W, -1))), r"Row 3, column 2 \('AST'\): an importance is .*from_scores"),
    "unknown importance": (lambda: P.from_weights(frame(put(W, np.nan))), r"Row 3, column 2 \('AST'\)"),
    "infinite importance": (lambda: P.from_weights(put(W, np.inf)), "Row 3, column 2"),
    "infinite score": (lambda: P.from_scores(frame(put(W, -np.inf))), r"Row 3, column 2 \('AST'\): a score is a finite number"),
    "a run without scores": (lambda: P.from_scores([[1, 2], [np.nan, np.nan]]), "Run 2 scores no feature"),
    "one dimension": (lambda: P.from_matrix([1, 0, 1]), "two dimensions.*found 1"),
    "three dimensions": (lambda: P.from_matrix(np.zeros((2, 2, 2))), "two dimensions.*found 3"),
    "uneven rows": (lambda: P.from_matrix([[1, 0], [1]]), "not equally long"),
    "too few names": (lambda: P.from_matrix(Z, NAMES[:3]), "Found 3 feature names for 4 features"),
    "names twice": (lambda: P.from_matrix(Z, ["a", "b", "b", "a"]), "These are repeated: 'a', 'b'"),
    "columns twice": (lambda: P.from_scores(pd.DataFrame(Z, columns=["a", "b", "b", 1])), "These are repeated: 'b'"),
    "names alike as text": (lambda: P.from_scores(pd.DataFrame(Z, columns=["a", "b", "1", 1])), "These are repeated: '1'"),
    "d not given": (lambda: P.from_lists([{"a"}, {"b"}]), "The number of features is missing"),
    "d is 0": (lambda: P.from_lists([[], []], n_features=0), "The number of features is missing"),
    "d is not whole": (lambda: P.from_lists([[0], [1]], n_features=2.5), "The number of features is missing"),
    "unknown name": (
        lambda: P.from_lists([{"a"}, {"a", "c"}], names=["a", "b"]),
        "Run 2 names features that are not among the 2 known: 'c'",
    ),
    "names without all names": (lambda: P.from_lists([{"a"}, {"b"}], n_features=2), r"Run 1 holds names \('a'\)"),
    "yes and no": (lambda: P.from_lists([[True], [False]], n_features=2), r"Run 1 holds names \('True'\)"),
    "index too large": (lambda: P.from_lists([[0], [0, 3]], n_features=3), "Run 2 names feature number 3; .*from 0 to 2"),
    "index below 0": (lambda: P.from_lists([[0], [-1]], n_features=3), "Run 2 names feature number -1"),
    "text for a set": (lambda: P.from_lists(["ab", "ba"], names=["a", "b"]), "Run 1 is the text 'ab'"),
}


@pytest.mark.parametrize("case", WRONG)
def test_wrong_input_gets_a_sentence_with_the_place(case):
    make, _ = WRONG[case]
    with pytest.raises(sc.InputError):
        make()


def test_many_wrong_names_are_listed_briefly():
    with pytest.raises(sc.InputError) as raised:
        P.from_lists([{f"g{i}" for i in range(900)}, {"a"}], names=["a"])
    assert "and 895 more" in str(raised.value) and len(str(raised.value)) < 200
