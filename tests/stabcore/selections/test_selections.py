"""Selections: equal objects from every form of input, unchanged inputs, and random ties."""

import tracemalloc
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import sparse

import stabcore as sc

Z = np.array([[1, 0, 1, 0], [0, 0, 0, 0], [1, 1, 1, 1]])
W = np.array([[0.5, 0, 2, 0], [0, 0, 0, 0], [1, 3, 0.25, 1]])
NAMES = ("ALT", "AST", "age", "x̄ of β")
HOSTILE = ("tocsr", "numbers", "columns", "<b>", "", " ", "a,b", "=1+1", "nan", "None", "0.1", "'; DROP", "x" * 300, "é")

matrices = arrays(int, st.tuples(st.integers(2, 6), st.integers(1, 9)), elements=st.integers(0, 1))


def frame(values):
    return pd.DataFrame(values, columns=NAMES)


FORMS = {
    "array": np.array,
    "list": lambda v: np.array(v).tolist(),
    "floats": lambda v: np.array(v, dtype=float),
    "frame": frame,
    "texts": lambda v: np.array(v).astype(str),
    "objects": lambda v: frame(v).astype(object),
    "nullable frame": lambda v: frame(v).convert_dtypes(),
    "csr": sparse.csr_array,
    "csc": sparse.csc_array,
    "coo": sparse.coo_array,
    "lil": sparse.lil_array,
    "old csr": sparse.csr_matrix,
}


@pytest.mark.parametrize("form", FORMS)
def test_every_form_gives_equal_selections(form):
    runs = sc.Selections.from_matrix(FORMS[form](Z))
    assert (runs.selected == Z.astype(bool)).all() and runs.sizes.tolist() == [2, 0, 4] and runs.counts.tolist() == [2, 1, 2, 1]
    assert (runs.n_runs, runs.n_features) == (3, 4) and runs.weights is None and runs.importances is None
    assert (runs.shared == Z @ Z.T).all() and runs.frequencies == pytest.approx(Z.mean(axis=0))
    assert runs.features == (NAMES if "frame" in form or form == "objects" else ("f1", "f2", "f3", "f4"))
    weighed, scored = sc.Selections.from_weights(FORMS[form](W)), sc.Selections.from_scores(FORMS[form](W))
    assert (weighed.importances == W).all() and (weighed.selected == (W > 0)).all()
    assert (scored.scores == W).all() and (scored.top(1).selected[[0, 2]] == [[0, 0, 1, 0], [0, 1, 0, 0]]).all()


@settings(max_examples=60, deadline=None)
@given(matrices)
def test_sets_of_names_and_of_indices_equal_the_matrix(matrix):
    d = matrix.shape[1]
    names = [f"gene {i}" for i in range(d)]
    indices = [np.flatnonzero(row) for row in matrix]
    forms = [
        sc.Selections.from_lists(indices, n_features=d),
        sc.Selections.from_lists([set(i) for i in indices], names=names),
        sc.Selections.from_lists([[names[f] for f in i] for i in indices], names=names),
        sc.Selections.from_lists([(names[f] for f in [*i, *i]) for i in indices], names=names),
    ]
    for runs in forms:
        assert (runs.selected == matrix.astype(bool)).all()
        assert (runs.sizes == matrix.sum(axis=1)).all() and (runs.counts == matrix.sum(axis=0)).all()


def test_hostile_names_and_names_that_are_numbers_are_kept():
    d = len(HOSTILE)
    runs = sc.Selections.from_matrix(pd.DataFrame(np.eye(d, dtype=int), columns=list(HOSTILE)))
    assert runs.features == HOSTILE and runs.sizes.tolist() == [1] * d
    beside = sc.Selections.from_lists([["b", "a"], {"a"}], n_features=4)
    assert beside.selected.tolist() == [[True, True, False, False], [True, False, False, False]] and beside.names[:2] == ("a", "b")
    assert sc.stability([["b", "a"], ["a"]], n_features=4).value == sc.stability([[1, 1, 0, 0], [1, 0, 0, 0]]).value
    by_name = sc.Selections.from_lists([[name] for name in HOSTILE], names=HOSTILE)
    assert (by_name.selected == runs.selected).all()
    runs = sc.Selections.from_lists([{1, 2}, {"3"}], names=["1", "2", "3"])
    assert runs.selected.tolist() == [[True, True, False], [False, False, True]]
    with pytest.raises(sc.InputError):
        sc.Selections.from_lists([{0}, {1}], names=["1", "2", "3"])  # 0 is no name, and some numbers are names here
    assert sc.Selections.from_lists([{0}, {1}], names=["a", "b"]).selected.tolist() == [[True, False], [False, True]]


@pytest.mark.parametrize("kind", [int, float])
def test_sparse_input_with_stored_zeros_is_not_changed(kind):
    given_ = sparse.csr_array((np.array([0, 1, 1, 0, 1], dtype=kind), [0, 1, 0, 1, 2], [0, 2, 5]), shape=(2, 3))
    runs = sc.Selections.from_matrix(given_)
    assert runs.sizes.tolist() == [1, 2] and runs.counts.tolist() == [1, 1, 1]
    assert given_.toarray().tolist() == [[0, 1, 0], [1, 0, 1]] and given_.nnz == 5


@pytest.mark.parametrize("make", [sc.Selections.from_matrix, sc.Selections.from_weights])
@pytest.mark.parametrize("form", [np.array, sparse.csr_array])
def test_changing_the_input_later_changes_nothing(make, form):
    given_ = form(np.eye(3))
    runs = make(given_)
    given_[0, 0] = 5
    assert runs.selection_matrix.toarray().tolist() == np.eye(3).tolist()
    assert runs.weights is None or runs.weights.toarray().tolist() == np.eye(3).tolist()


def test_duplicate_sparse_entries_are_added_before_checks():
    for twice in (
        sparse.coo_array((np.ones(3), ([0, 0, 1], [0, 0, 1])), shape=(2, 2)),
        sparse.csr_array((np.ones(3), [0, 0, 1], [0, 2, 3]), shape=(2, 2)),
    ):
        with pytest.raises(sc.InputError):
            sc.Selections.from_matrix(twice)
        assert sc.Selections.from_weights(twice).importances.tolist() == [[2, 0], [0, 1]]


@settings(max_examples=60, deadline=None)
@given(arrays(float, st.tuples(st.integers(2, 5), st.integers(1, 8)), elements=st.integers(-2, 2).map(float)), st.integers(0, 9))
def test_top_k_is_nested_and_follows_scores(scores, seed):
    runs = sc.Selections.from_scores(scores)
    before = np.zeros(scores.shape, dtype=bool)
    for k in range(1, scores.shape[1] + 1):
        chosen = runs.top(k, seed).selected
        assert (chosen.sum(axis=1) == k).all() and (chosen >= before).all()
        for row, picked in zip(scores, chosen):
            assert picked.all() or row[picked].min() >= row[~picked].max()
        before = chosen


def test_ties_are_broken_at_random_by_seed_and_run():
    runs = sc.Selections.from_scores(np.tile([5.0, 1, 1, 1, 1, 0], (4000, 1)))
    chosen = runs.top(3, random_state=3).selected
    assert (chosen == runs.top(3, random_state=3).selected).all() and (chosen != runs.top(3, random_state=4).selected).any()
    assert chosen[:, 0].all() and not chosen[:, 5].any()
    assert chosen[:, 1:5].mean(axis=0) == pytest.approx([0.5] * 4, abs=4 * np.sqrt(0.25 / 4000))
    pairs = chosen[:, 1:5].astype(int)
    together = (pairs.T @ pairs / 4000)[np.triu_indices(4, 1)]
    assert together == pytest.approx([1 / 6] * 6, abs=4 * np.sqrt(5 / 36 / 4000))  # each pair of the four is equally frequent


@pytest.mark.parametrize("k", [0, -1, 5, 1.5, np.nan, np.inf])
def test_k_out_of_range(k):
    with pytest.raises(sc.InputError):
        sc.Selections.from_scores(W + 1).top(k)


def test_missing_selections_or_scores_are_reported():
    with pytest.raises(sc.InputError):
        assert sc.Selections.from_scores(W).selection_matrix is None
    for runs in (sc.Selections.from_matrix(Z), sc.Selections.from_weights(W)):
        with pytest.raises(sc.InputError):
            runs.top(2)


def test_taking_runs_keeps_all_their_data():
    scores = np.array([[4, 3, 2, 1], [1, 2, 3, 4], [4, 1, 3, 2.0]])
    runs = replace(sc.Selections.from_scores(scores, NAMES), raw_importances=sparse.csr_array(scores)).top(2)
    some = runs.take([2, 0])
    assert some.scores.tolist() == scores[[2, 0]].tolist() and some.features == NAMES and some.n_runs == 2
    assert (some.selected == runs.selected[[2, 0]]).all() and (some.ranks == runs.ranks[[2, 0]]).all()
    assert some.importances.tolist() == runs.importances[[2, 0]].tolist() and some.counts.tolist() == [2, 1, 1, 0]
    assert sc.Selections.from_matrix(Z).take([1, 1, 2]).sizes.tolist() == [0, 0, 4]
    with pytest.raises(sc.InputError):
        runs.take([1])


def test_sets_of_a_million_features_need_little_memory():
    rng = np.random.default_rng(0)
    sets = [rng.choice(1_000_000, 100, replace=False) for _ in range(50)]
    tracemalloc.start()
    runs = sc.Selections.from_lists(sets, n_features=1_000_000)
    value = sc.stability(runs).value
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 40e6  # a dense matrix takes 400 MB
    assert abs(value) < 0.01 and runs.shared.shape == (50, 50)


def test_units_are_kept_by_top_and_take():
    runs = sc.Selections.from_scores(np.random.default_rng(0).random((6, 5))).in_units(list("bbaacc"), "why")
    assert runs.units.tolist() == [1, 1, 0, 0, 2, 2] and runs.n_units == 3 and runs.top(2).units.tolist() == runs.units.tolist()
    some = runs.top(2).take([1, 4, 5])
    assert some.units.tolist() == [0, 1, 1] and some.n_units == 2 and some.counted == "why"
    assert some.unit_counts.toarray().tolist() == [some.selected[0].tolist(), some.selected[1:].sum(axis=0).tolist()]
    assert runs.take([0, 2, 4]).units is None and runs.in_units(None).n_units == 6


@pytest.mark.parametrize("units", [[0, 1], 3, [[0] * 6]])
def test_units_need_one_label_per_run(units):
    with pytest.raises(sc.InputError):
        sc.Selections.from_scores(np.random.default_rng(0).random((6, 5))).in_units(units)


P = sc.Selections


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
    "more names than features": lambda: P.from_lists([{"a"}, {"b"}, {"c"}], n_features=2),
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
