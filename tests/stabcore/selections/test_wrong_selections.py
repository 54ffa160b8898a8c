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
    "one run": lambda: P.from_matrix(Z[:1]),
    "no runs": lambda: P.from_matrix(np.zeros((0, 3))),
    "one set": lambda: P.from_lists([{1}], n_features=3),
    "no sets": lambda: P.from_lists([], n_features=3),
    "no features": lambda: P.from_matrix(np.zeros((3, 0))),
    "no names": lambda: P.from_lists([[], []], names=[]),
    "a two": lambda: P.from_matrix(frame(put(Z, 2))),
    "a half, sparse": lambda: P.from_matrix(sparse.csr_array(put(Z, 0.5).astype(float)), NAMES),
    "a half, no names": lambda: P.from_matrix(put(Z, 0.5)),
    "a gap": lambda: P.from_matrix(frame(put(Z, None))),
    "a gap, sparse": lambda: P.from_matrix(sparse.csr_array(put(Z, np.nan).astype(float))),
    "a word": lambda: P.from_matrix(frame(put(Z, "yes"))),
    "a list": lambda: P.from_scores(put(Z, [1, 2])),
    "below 0": lambda: P.from_weights(frame(put(W, -1))),
    "unknown importance": lambda: P.from_weights(frame(put(W, np.nan))),
    "infinite importance": lambda: P.from_weights(put(W, np.inf)),
    "infinite score": lambda: P.from_scores(frame(put(W, -np.inf))),
    "a run without scores": lambda: P.from_scores([[1, 2], [np.nan, np.nan]]),
    "one dimension": lambda: P.from_matrix([1, 0, 1]),
    "three dimensions": lambda: P.from_matrix(np.zeros((2, 2, 2))),
    "uneven rows": lambda: P.from_matrix([[1, 0], [1]]),
    "too few names": lambda: P.from_matrix(Z, NAMES[:3]),
    "names twice": lambda: P.from_matrix(Z, ["a", "b", "b", "a"]),
    "columns twice": lambda: P.from_scores(pd.DataFrame(Z, columns=["a", "b", "b", 1])),
    "names alike as text": lambda: P.from_scores(pd.DataFrame(Z, columns=["a", "b", "1", 1])),
    "d not given": lambda: P.from_lists([{"a"}, {"b"}]),
    "d is 0": lambda: P.from_lists([[], []], n_features=0),
    "d is not whole": lambda: P.from_lists([[0], [1]], n_features=2.5),
    "unknown name": lambda: P.from_lists([{"a"}, {"a", "c"}], names=["a", "b"]),
    "names without all names": lambda: P.from_lists([{"a"}, {"b"}], n_features=2),
    "yes and no": lambda: P.from_lists([[True], [False]], n_features=2),
    "index too large": lambda: P.from_lists([[0], [0, 3]], n_features=3),
    "index below 0": lambda: P.from_lists([[0], [-1]], n_features=3),
    "text for a set": lambda: P.from_lists(["ab", "ba"], names=["a", "b"]),
}


@pytest.mark.parametrize("case", WRONG)
def test_wrong_input_is_refused(case):
    with pytest.raises(sc.InputError):
        WRONG[case]()


def test_many_wrong_names_are_listed_briefly():
    with pytest.raises(sc.InputError) as raised:
        P.from_lists([{f"g{i}" for i in range(900)}, {"a"}], names=["a"])
    assert "and 895 more" in str(raised.value) and len(str(raised.value)) < 200
