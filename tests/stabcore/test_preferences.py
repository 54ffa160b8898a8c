"""Preferences: every way to bring runs gives the same object, wrong input gets a sentence that says where, ties fall by lot."""

import tracemalloc

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
    "array": np.array, "list": lambda v: np.array(v).tolist(), "floats": lambda v: np.array(v, dtype=float), "frame": frame,
    "texts": lambda v: np.array(v).astype(str), "objects": lambda v: frame(v).astype(object),
    "nullable frame": lambda v: frame(v).convert_dtypes(), "csr": sparse.csr_array, "csc": sparse.csc_array,
    "coo": sparse.coo_array, "lil": sparse.lil_array, "old csr": sparse.csr_matrix,
}


# ---- every form gives the same ----

@pytest.mark.parametrize("form", FORMS)
def test_selection_matrix_in_every_form(form):
    runs = sc.Preferences.from_selection_matrix(FORMS[form](Z))
    assert (runs.selected == Z.astype(bool)).all() and runs.sizes.tolist() == [2, 0, 4] and runs.counts.tolist() == [2, 1, 2, 1]
    assert (runs.n_runs, runs.n_features) == (3, 4) and runs.weights is None and runs.importances is None
    assert (runs.shared == Z @ Z.T).all() and runs.frequencies == pytest.approx(Z.mean(axis=0))
    assert runs.features == (NAMES if "frame" in form or form == "objects" else ("f1", "f2", "f3", "f4"))


@pytest.mark.parametrize("form", FORMS)
def test_importances_in_every_form(form):
    runs = sc.Preferences.from_importances(FORMS[form](W))
    assert (runs.importances == W).all() and (runs.selected == (W > 0)).all()


@pytest.mark.parametrize("form", FORMS)
def test_scores_in_every_form(form):
    runs = sc.Preferences.from_scores(FORMS[form](W))
    assert (runs.scores == W).all() and (runs.top(1).selected[[0, 2]] == [[0, 0, 1, 0], [0, 1, 0, 0]]).all()


def test_a_boolean_matrix_and_frame():
    for form in (Z.astype(bool), frame(Z.astype(bool)), sparse.csr_array(Z.astype(bool))):
        assert (sc.Preferences.from_selection_matrix(form).selected == Z.astype(bool)).all()


@settings(max_examples=60, deadline=None)
@given(matrices)
def test_sets_of_names_and_of_indices_equal_the_matrix(matrix):
    d = matrix.shape[1]
    names = [f"gene {i}" for i in range(d)]
    indices = [np.flatnonzero(row) for row in matrix]
    forms = [sc.Preferences.from_sets(indices, n_features=d), sc.Preferences.from_sets([set(i) for i in indices], features=names),
             sc.Preferences.from_sets([[names[f] for f in i] for i in indices], features=names),
             sc.Preferences.from_sets([(names[f] for f in [*i, *i]) for i in indices], features=names)]
    for runs in forms:
        assert (runs.selected == matrix.astype(bool)).all()
        assert (runs.sizes == matrix.sum(axis=1)).all() and (runs.counts == matrix.sum(axis=0)).all()


def test_empty_sets_are_runs_that_selected_nothing():
    runs = sc.Preferences.from_sets([[], set(), ()], n_features=3)
    assert runs.sizes.tolist() == [0, 0, 0] and not runs.selected.any() and runs.shared.sum() == 0


def test_names_given_beside_an_array_or_instead_of_those_of_a_frame():
    assert sc.Preferences.from_selection_matrix(Z, NAMES).features == NAMES
    assert sc.Preferences.from_selection_matrix(frame(Z), list("abcd")).features == ("a", "b", "c", "d")
    assert sc.Preferences.from_selection_matrix(pd.DataFrame(Z)).features == ("0", "1", "2", "3")


def test_hostile_names_are_only_names():
    d = len(HOSTILE)
    runs = sc.Preferences.from_selection_matrix(pd.DataFrame(np.eye(d, dtype=int), columns=list(HOSTILE)))
    assert runs.features == HOSTILE and runs.sizes.tolist() == [1] * d
    by_name = sc.Preferences.from_sets([[name] for name in HOSTILE], features=HOSTILE)
    assert (by_name.selected == runs.selected).all()


def test_whole_numbers_are_names_where_features_are_called_so_and_never_half():
    runs = sc.Preferences.from_sets([{1, 2}, {"3"}], features=["1", "2", "3"])
    assert runs.selected.tolist() == [[True, True, False], [False, False, True]]
    with pytest.raises(sc.InputError, match="not among the 3 known: '0'"):
        sc.Preferences.from_sets([{0}, {1}], features=["1", "2", "3"])      # an index here and a name there would be two readings
    assert sc.Preferences.from_sets([{0}, {1}], features=["a", "b"]).selected.tolist() == [[True, False], [False, True]]


# ---- what was given stays as it is ----

@pytest.mark.parametrize("kind", [int, float])
def test_a_sparse_matrix_with_stored_zeros_is_left_alone(kind):
    given_ = sparse.csr_array((np.array([0, 1, 1, 0, 1], dtype=kind), [0, 1, 0, 1, 2], [0, 2, 5]), shape=(2, 3))
    runs = sc.Preferences.from_selection_matrix(given_)
    assert runs.sizes.tolist() == [1, 2] and runs.counts.tolist() == [1, 1, 1]
    assert given_.toarray().tolist() == [[0, 1, 0], [1, 0, 1]] and given_.nnz == 5


@pytest.mark.parametrize("make", [sc.Preferences.from_selection_matrix, sc.Preferences.from_importances])
@pytest.mark.parametrize("form", [np.array, sparse.csr_array])
def test_changing_the_input_later_changes_nothing(make, form):
    given_ = form(np.eye(3))
    runs = make(given_)
    given_[0, 0] = 5
    assert runs.selection_matrix.toarray().tolist() == np.eye(3).tolist()
    assert runs.weights is None or runs.weights.toarray().tolist() == np.eye(3).tolist()


def test_entries_that_a_sparse_matrix_holds_twice_are_added_before_they_are_checked():
    for twice in (sparse.coo_array((np.ones(3), ([0, 0, 1], [0, 0, 1])), shape=(2, 2)),
                  sparse.csr_array((np.ones(3), [0, 0, 1], [0, 2, 3]), shape=(2, 2))):
        with pytest.raises(sc.InputError, match="Found 2.0 in row 1, column 1"):
            sc.Preferences.from_selection_matrix(twice)
        assert sc.Preferences.from_importances(twice).importances.tolist() == [[2, 0], [0, 1]]


def test_empty_cells_of_a_nullable_frame_are_features_that_a_run_did_not_rank():
    scores = pd.DataFrame({"a": [1, None, 3], "b": [2, 5, None]}).convert_dtypes()
    assert np.isnan(sc.Preferences.from_scores(scores).scores).tolist() == [[False, False], [True, False], [False, True]]


# ---- wrong input: what was found, where, and what is allowed ----

def put(values, value, row=2, column=1):
    changed = np.array(values, dtype=object)
    changed[row, column] = value
    return changed


P = sc.Preferences
WRONG = {
    "one run": (lambda: P.from_selection_matrix(Z[:1]), "at least 2 are needed; found 1"),
    "no runs": (lambda: P.from_selection_matrix(np.zeros((0, 3))), "at least 2 are needed; found 0"),
    "one set": (lambda: P.from_sets([{1}], n_features=3), "at least 2 are needed; found 1"),
    "no sets": (lambda: P.from_sets([], n_features=3), "at least 2 are needed; found 0"),
    "no features": (lambda: P.from_selection_matrix(np.zeros((3, 0))), "There are no features"),
    "no names": (lambda: P.from_sets([[], []], features=[]), "There are no features"),
    "a two": (lambda: P.from_selection_matrix(frame(put(Z, 2))),
              r"Found 2.0 in row 3, column 2 \('AST'\); .* only 0 .* 1 .*from_importances"),
    "a half, sparse": (lambda: P.from_selection_matrix(sparse.csr_array(put(Z, 0.5).astype(float)), NAMES),
                       r"Found 0.5 in row 3, column 2 \('AST'\)"),
    "a half, no names": (lambda: P.from_selection_matrix(put(Z, 0.5)), r"Found 0.5 in row 3, column 2; "),
    "a gap": (lambda: P.from_selection_matrix(frame(put(Z, None))), r"Found nan in row 3, column 2 \('AST'\)"),
    "a gap, sparse": (lambda: P.from_selection_matrix(sparse.csr_array(put(Z, np.nan).astype(float))),
                      "Found nan in row 3, column 2"),
    "a word": (lambda: P.from_selection_matrix(frame(put(Z, "yes"))),
               r"Found 'yes' in row 3, column 2 \('AST'\); every entry must be a number"),
    "a list": (lambda: P.from_scores(put(Z, [1, 2])), r"Found '\[1, 2\]' in row 3, column 2"),
    "below 0": (lambda: P.from_importances(frame(put(W, -1))),
                r"Found -1.0 in row 3, column 2 \('AST'\); an importance is .*from_scores"),
    "unknown importance": (lambda: P.from_importances(frame(put(W, np.nan))), r"Found nan in row 3, column 2 \('AST'\)"),
    "infinite importance": (lambda: P.from_importances(put(W, np.inf)), "Found inf in row 3, column 2"),
    "infinite score": (lambda: P.from_scores(frame(put(W, -np.inf))),
                       r"Found -inf in row 3, column 2 \('AST'\); a score is a finite number"),
    "a run without scores": (lambda: P.from_scores([[1, 2], [np.nan, np.nan]]), "Run 2 scores no feature at all"),
    "one dimension": (lambda: P.from_selection_matrix([1, 0, 1]), "two dimensions.*found 1"),
    "three dimensions": (lambda: P.from_selection_matrix(np.zeros((2, 2, 2))), "two dimensions.*found 3"),
    "uneven rows": (lambda: P.from_selection_matrix([[1, 0], [1]]), "not equally long"),
    "too few names": (lambda: P.from_selection_matrix(Z, NAMES[:3]), "Found 3 feature names for 4 features"),
    "names twice": (lambda: P.from_selection_matrix(Z, ["a", "b", "b", "a"]), "more than once: 'a', 'b'"),
    "columns twice": (lambda: P.from_scores(pd.DataFrame(Z, columns=["a", "b", "b", 1])), "more than once: 'b'"),
    "names alike as text": (lambda: P.from_scores(pd.DataFrame(Z, columns=["a", "b", "1", 1])), "more than once: '1'"),
    "d not given": (lambda: P.from_sets([{"a"}, {"b"}]), "How many features were there to choose from"),
    "d is 0": (lambda: P.from_sets([[], []], n_features=0), "How many features were there to choose from"),
    "d is not whole": (lambda: P.from_sets([[0], [1]], n_features=2.5), "How many features were there to choose from"),
    "unknown name": (lambda: P.from_sets([{"a"}, {"a", "c"}], features=["a", "b"]),
                     "Run 2 names features that are not among the 2 known: 'c'"),
    "names without all names": (lambda: P.from_sets([{"a"}, {"b"}], n_features=2), r"Run 1 holds names \('a'\)"),
    "yes and no": (lambda: P.from_sets([[True], [False]], n_features=2), r"Run 1 holds names \('True'\)"),
    "index too large": (lambda: P.from_sets([[0], [0, 3]], n_features=3), "Run 2 names feature number 3; .*from 0 to 2"),
    "index below 0": (lambda: P.from_sets([[0], [-1]], n_features=3), "Run 2 names feature number -1"),
    "text for a set": (lambda: P.from_sets(["ab", "ba"], features=["a", "b"]), "Run 1 is the text 'ab'"),
}


@pytest.mark.parametrize("case", WRONG)
def test_wrong_input_gets_a_sentence_with_the_place(case):
    make, said = WRONG[case]
    with pytest.raises(sc.InputError, match=said):
        make()


def test_many_wrong_names_are_listed_briefly():
    with pytest.raises(sc.InputError) as raised:
        P.from_sets([{f"g{i}" for i in range(900)}, {"a"}], features=["a"])
    assert "and 895 more" in str(raised.value) and len(str(raised.value)) < 200


# ---- the k best ----

def test_top_takes_the_best_and_leaves_what_was_not_ranked():
    runs = P.from_scores([[3, 1, 2, np.nan], [np.nan, -5, np.nan, -7]])
    assert runs.top(2).selected.tolist() == [[True, False, True, False], [False, True, False, True]]
    assert runs.top(4).sizes.tolist() == [3, 2]                 # no order is invented
    assert np.isnan(runs.ranking()).tolist() == np.isnan(runs.scores).tolist()
    assert runs.ranking()[0, :3].tolist() == [1, 3, 2]


@settings(max_examples=60, deadline=None)
@given(arrays(float, st.tuples(st.integers(2, 5), st.integers(1, 8)), elements=st.integers(-2, 2).map(float)), st.integers(0, 9))
def test_top_is_nested_and_never_prefers_a_lower_score(scores, seed):
    runs = P.from_scores(scores)
    before = np.zeros(scores.shape, dtype=bool)
    for k in range(1, scores.shape[1] + 1):
        chosen = runs.top(k, seed).selected
        assert (chosen.sum(axis=1) == k).all() and (chosen >= before).all()
        for row, picked in zip(scores, chosen):
            assert picked.all() or row[picked].min() >= row[~picked].max()
        before = chosen


def test_ties_are_broken_evenly_by_the_seed_and_in_each_run_anew():
    runs = P.from_scores(np.tile([5.0, 1, 1, 1, 1, 0], (4000, 1)))
    chosen = runs.top(3, seed=3).selected
    assert (chosen == runs.top(3, seed=3).selected).all() and (chosen != runs.top(3, seed=4).selected).any()
    assert chosen[:, 0].all() and not chosen[:, 5].any()
    assert chosen[:, 1:5].mean(axis=0) == pytest.approx([0.5] * 4, abs=4 * np.sqrt(0.25 / 4000))
    pairs = chosen[:, 1:5].astype(int)
    together = (pairs.T @ pairs / 4000)[np.triu_indices(4, 1)]
    assert together == pytest.approx([1 / 6] * 6, abs=4 * np.sqrt(5 / 36 / 4000))       # any two of the four, equally often


def test_the_k_best_of_the_k_best_keep_their_order_whatever_the_seed():
    runs = P.from_scores(np.ones((3, 9)))
    six = runs.top(6, seed=1)
    assert (six.top(2, seed=8).selected <= six.selected).all()
    assert (six.ranking(seed=8) == six.ranking(seed=1)).all()


@pytest.mark.parametrize("k", [0, -1, 5, 1.5, np.nan, np.inf])
def test_k_out_of_range(k):
    with pytest.raises(sc.InputError, match="from 1 to 4"):
        P.from_scores(W + 1).top(k)


def test_top_keeps_names_and_importances_of_what_is_selected_only():
    from dataclasses import replace

    scores = np.array([[4, 3, 2, 1], [1, 2, 3, 4.0]])
    runs = replace(P.from_scores(scores, NAMES), raw_importances=sparse.csr_array(scores * 10)).top(2)
    assert runs.features == NAMES and runs.importances.tolist() == [[40, 30, 0, 0], [0, 0, 30, 40]]
    assert runs.top(1).importances.tolist() == [[40, 0, 0, 0], [0, 0, 0, 40]]


def test_what_the_runs_do_not_carry_is_said():
    with pytest.raises(sc.InputError, match="rank the features but select none.*top"):
        assert P.from_scores(W).selection_matrix is None
    for runs in (P.from_selection_matrix(Z), P.from_importances(W)):
        with pytest.raises(sc.InputError, match="no scores or ranks"):
            runs.top(2)


def test_some_of_the_runs_with_all_they_carry():
    from dataclasses import replace

    scores = np.array([[4, 3, 2, 1], [1, 2, 3, 4], [4, 1, 3, 2.0]])
    runs = replace(P.from_scores(scores, NAMES), raw_importances=sparse.csr_array(scores)).top(2)
    some = runs.take([2, 0])
    assert some.scores.tolist() == scores[[2, 0]].tolist() and some.features == NAMES and some.n_runs == 2
    assert (some.selected == runs.selected[[2, 0]]).all() and (some.ranks == runs.ranks[[2, 0]]).all()
    assert some.importances.tolist() == runs.importances[[2, 0]].tolist() and some.counts.tolist() == [2, 1, 1, 0]
    assert P.from_selection_matrix(Z).take([1, 1, 2]).sizes.tolist() == [0, 0, 4]
    with pytest.raises(sc.InputError, match="at least 2 are needed; found 1"):
        runs.take([1])


# ---- a million features ----

def test_sets_out_of_a_million_features_stay_small():
    rng = np.random.default_rng(0)
    sets = [rng.choice(1_000_000, 100, replace=False) for _ in range(50)]
    tracemalloc.start()
    runs = P.from_sets(sets, n_features=1_000_000)
    value = sc.stability(runs).value
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 40e6          # dense it would be 400 MB
    assert abs(value) < 0.01 and runs.shared.shape == (50, 50)


# ---- units: runs that belong together ----

def test_units_survive_whatever_is_done_with_the_runs():
    runs = sc.Preferences.from_scores(np.random.default_rng(0).random((6, 5))).in_units(list("bbaacc"), "why")
    assert runs.units.tolist() == [1, 1, 0, 0, 2, 2] and runs.n_units == 3 and runs.top(2).units.tolist() == runs.units.tolist()
    some = runs.top(2).take([1, 4, 5])
    assert some.units.tolist() == [0, 1, 1] and some.n_units == 2 and some.counted == "why"
    assert some.unit_counts.toarray().tolist() == [some.selected[0].tolist(), some.selected[1:].sum(axis=0).tolist()]
    assert runs.take([0, 2, 4]).units is None and runs.in_units(None).n_units == 6


@pytest.mark.parametrize("units", [[0, 1], 3, [[0] * 6]])
def test_units_are_one_label_a_run(units):
    with pytest.raises(sc.InputError, match="Units are one label a run"):
        sc.Preferences.from_scores(np.random.default_rng(0).random((6, 5))).in_units(units)
