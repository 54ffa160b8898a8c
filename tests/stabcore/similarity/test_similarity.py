"""Similarity: every quantity equals that of the dense d × d matrix, for every way to make C."""

from functools import reduce

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from scipy.sparse import csr_array
from snapshot_support import check_refusals

import stabcore as sc
from stabcore.similarity.similarity import Similarity, replace_entries

R = sc.Similarity
VALUES = (0.0, 0.1, 0.3, 0.5, 0.7, 0.9, 1.0)  # rounding of 1 − 0.9 and the like must not change a tie


@st.composite
def steps(draw):
    """Draw (d, the first C, changes to it)."""
    d = draw(st.integers(1, 7))
    pair = st.tuples(st.integers(0, d - 1), st.integers(0, d - 1)).filter(lambda p: p[0] != p[1])
    change = st.tuples(st.just("threshold"), st.sampled_from(VALUES), st.booleans())
    if d > 1:
        edits = st.lists(st.tuples(pair, st.sampled_from(VALUES)), max_size=5, unique_by=lambda edit: edit[0])
        change |= st.tuples(st.just("edit"), edits, st.just(None))
    begin = st.one_of(
        st.tuples(st.just("identity"), st.just(None)),
        st.tuples(st.just("groups"), st.lists(st.integers(-1, 2), min_size=d, max_size=d)),
        st.tuples(st.just("matrix"), st.lists(st.sampled_from(VALUES), min_size=d * d, max_size=d * d)),
    )
    return d, draw(begin), draw(st.lists(change, max_size=4))


def begin_with(d, begin):
    """Return (Similarity, dense C)."""
    kind, content = begin
    if kind == "identity":
        return R.identity(d), np.eye(d)
    if kind == "groups":
        labels = np.array(content)
        C = ((labels[:, None] == labels) & (labels >= 0)).astype(float)
        np.fill_diagonal(C, 1)
        return R.from_groups({g: np.flatnonzero(labels == g) for g in range(3)}, n_features=d), C
    C = np.triu(np.reshape(content, (d, d)), 1)
    C = C + C.T + np.eye(d)
    return R.from_matrix(C), C


def step(both, change):
    similarity, C = both
    kind, content, binary = change
    C = C.copy()
    if kind == "threshold":
        C[content > C] = 0
        C = (C > 0).astype(float) if binary else C
        return similarity.thresholded(content, binary=binary), C
    for (i, j), value in content:
        C[i, j] = C[j, i] = value
    return similarity.edited(dict(content)), C


@settings(max_examples=50, deadline=None)
@given(steps(), st.integers(0, 10**6), st.sampled_from([0, 512]), st.integers(0, 30))
def test_quantities_match_the_dense_matrix(drawn, seed, dense, most):
    """Pairs are sorted by their value, and by their names where values are equal."""
    d, begin, changes = drawn
    similarity, C = reduce(step, changes, begin_with(d, begin))
    rng = np.random.default_rng(seed)
    Z = (rng.random((4, d)) < 0.5).astype(float)
    A = rng.normal(size=(d, 3))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("stabcore.similarity.similarity.MAX_DENSE_FEATURES", dense)
        assert similarity.times(A) == pytest.approx(C @ A, abs=1e-12)
        assert similarity.times(A[:, 0]) == pytest.approx(C @ A[:, 0], abs=1e-12)
    sparse = sc.Selections.from_matrix(Z).selection_matrix
    assert similarity.total == pytest.approx(C.sum(), abs=1e-9)
    assert similarity.self_products(sparse) == pytest.approx(np.diag(Z @ C @ Z.T), abs=1e-9)
    assert similarity.cross_products(sparse) == pytest.approx(Z @ C @ Z.T, abs=1e-9)
    assert [[similarity.value(i, j) for j in range(d)] for i in range(d)] == pytest.approx(C, abs=1e-12)
    assert similarity.block(np.arange(d)) == pytest.approx(C, abs=1e-12)
    some = rng.permutation(d)[: d // 2 + 1]
    assert similarity.block(some) == pytest.approx(C[np.ix_(some, some)], abs=1e-12)
    twice = np.array([0, 0, d - 1])
    assert similarity.block(twice) == pytest.approx(C[np.ix_(twice, twice)], abs=1e-12)
    i, j = np.triu_indices(d, 1)
    assert similarity.values(j, i) == pytest.approx(C[i, j], abs=1e-12)
    expected = sorted((-round(C[a, b], 12), a, b) for a, b in zip(i, j) if C[a, b] > 0)
    assert similarity.n_related == len(expected) == len(similarity.pairs(None))
    found = similarity.pairs(most)
    assert found.attrs["total"] == len(expected) and found["value"].to_numpy() == pytest.approx([-v for v, *_ in expected[:most]])
    assert found[["feature_a", "feature_b"]].to_numpy().tolist() == [[f"f{a + 1}", f"f{b + 1}"] for _, a, b in expected[:most]]


@pytest.mark.parametrize("threshold", VALUES[1:])
def test_entries_equal_to_the_threshold_count(threshold):
    C = [[1, threshold], [threshold, 1]]
    in_group, late = R.from_groups({"g": [0, 1]}, n_features=2), R.identity(2).edited({(0, 1): 0.3})
    made = [
        R.from_matrix(C),
        R.identity(2).edited({(0, 1): threshold}),
        in_group.edited({(0, 1): threshold}),
        in_group.edited({(0, 1): 0.7}).edited({(0, 1): threshold}),
        late.edited({(0, 1): threshold}),
    ]
    for similarity in made:
        assert similarity.thresholded(threshold).value(0, 1) == pytest.approx(threshold)
        assert similarity.thresholded(threshold, binary=True).value(0, 1) == 1
        assert similarity.thresholded(min(1, threshold + 1e-6)).n_related == (threshold == 1)
    assert R.from_matrix(C, threshold=threshold).n_related == 1


def test_stored_zeros_never_count():
    stored = sparse.csr_array((np.array([1.0, 0, 0, 1]), [0, 1, 0, 1], [0, 2, 4]), shape=(2, 2))
    by_hand = R.identity(2).edited({(0, 1): 0.6}).edited({(0, 1): 0.0})
    out_of_group = R.from_groups({"g": [0, 1]}, n_features=2).edited({(0, 1): 0.3}).edited({(0, 1): 0.0})
    for similarity in (R.from_matrix(stored), R.identity(2).edited({(0, 1): 0}), by_hand, out_of_group):
        for now in (similarity, similarity.thresholded(0), similarity.thresholded(0, binary=True)):
            assert now.n_related == 0 and now.value(0, 1) == 0 and now.pairs().empty and now.total == 2


def test_a_pair_and_its_mirror_image_in_one_edit_are_one_pair():
    similarity = R.identity(3, ["a", "b", "c"]).edited({("a", "b"): 1.0, ("b", "a"): 0.5, (0, 2): 0.2, ("c", "a"): 0.4})
    assert similarity.block([0, 1, 2]).tolist() == [[1, 0.5, 0.4], [0.5, 1, 0], [0.4, 0, 1]]


def test_names_of_frames_groups_and_pairs():
    names = ["ALT", "AST", "<b>", "sex"]
    similarity = R.from_groups({"liver": {"ALT", "AST"}, "rest": ["sex"]}, names=names).edited({("sex", "<b>"): 0.25})
    assert similarity.groups == {"liver": ["ALT", "AST"], "rest": ["sex"]} and similarity.group_sizes.tolist() == [2, 1]
    assert similarity.pairs().to_numpy().tolist() == [["ALT", "AST", 1.0], ["<b>", "sex", 0.25]]
    C = pd.DataFrame(similarity.block(range(4)), index=names, columns=names)
    assert R.from_matrix(C).names == tuple(names) and R.from_matrix(C).pairs().equals(similarity.pairs())
    assert R.identity(2).groups == {}


def C_of(i, j, value, mirror=True):
    C = np.eye(3)
    C[i, j] = value
    if mirror:
        C[j, i] = value
    return C


NAMES = ["a", "b", "c"]
WRONG = {
    "not square": lambda: R.from_matrix(np.ones((2, 3))),
    "one dimension": lambda: R.from_matrix([1, 0]),
    "nothing": lambda: R.from_matrix(np.zeros((0, 0))),
    "uneven rows": lambda: R.from_matrix([[1, 0], [1]]),
    "a word": lambda: R.from_matrix([["1", "x"], ["x", "1"]], NAMES[:2]),
    "not symmetric": lambda: R.from_matrix(C_of(0, 2, 0.5, False), NAMES),
    "not symmetric, sparse": lambda: R.from_matrix(sparse.csr_array(C_of(2, 1, 0.5, False)), NAMES),
    "below 0": lambda: R.from_matrix(C_of(0, 1, -0.5), NAMES),
    "above 1": lambda: R.from_matrix(C_of(1, 2, 1.01), NAMES),
    "unknown": lambda: R.from_matrix(C_of(1, 2, np.nan), NAMES),
    "no names": lambda: R.from_matrix(C_of(1, 2, 2)),
    "diagonal": lambda: R.from_matrix(C_of(1, 1, 0.9), NAMES),
    "empty diagonal": lambda: R.from_matrix(sparse.csr_array((3, 3)), NAMES),
    "rows in another order": lambda: R.from_matrix(pd.DataFrame(np.eye(3), columns=NAMES, index=NAMES[::-1])),
    "names twice": lambda: R.from_matrix(np.eye(3), ["a", "a", "b"]),
    "threshold above 1": lambda: R.from_matrix(np.eye(3), threshold=1.5),
    "thresholded above 1": lambda: R.from_groups({"g": [0, 1]}, n_features=3).thresholded(1.5),
    "thresholded below 0": lambda: R.identity(3).thresholded(-0.1, binary=True),
    "threshold unknown": lambda: R.from_correlation(np.eye(5), threshold=np.nan),
    "edit above 1": lambda: R.identity(3, NAMES).edited({("a", "b"): 2}),
    "edit unknown value": lambda: R.identity(3, NAMES).edited({("a", "b"): np.nan}),
    "edit of the diagonal": lambda: R.identity(3, NAMES).edited({("b", "b"): 1}),
    "edit of a stranger": lambda: R.identity(3, NAMES).edited({("a", "x"): 1}),
    "edit out of range": lambda: R.identity(3).edited({(0, 3): 1}),
    "group of strangers": lambda: R.from_groups({"g": ["a", "x", "y"]}, names=NAMES),
    "group as text": lambda: R.from_groups({"g": "ab"}, names=NAMES),
    "in two groups": lambda: R.from_groups({"g": ["a", "b"], "h": ["c", "b"]}, names=NAMES),
    "in two groups by number": lambda: R.from_groups({"g": [0, 1], "h": [1]}, n_features=3),
    "how many": lambda: R.from_groups({"g": [0, 1]}),
    "identity of nothing": lambda: R.identity(0),
}


def test_wrong_similarities_are_refused_with_the_place():
    check_refusals("similarity/wrong_similarities", lambda make: make(), WRONG)


def runs_about(names):
    return sc.Selections.from_matrix(np.eye(len(names), dtype=int), names)


def test_similarity_of_other_features_is_refused():
    for similarity, names in (
        (R.identity(3, NAMES), ["a", "x", "c"]),
        (R.identity(3, NAMES), ["a", "c", "b"]),
        (R.identity(3, NAMES), ["a", "b", "c", "d"]),
        (R.identity(4), NAMES),
        (R.identity(50, [f"g{i}" for i in range(50)]), [f"h{i}" for i in range(50)]),
    ):
        with pytest.raises(sc.InputError):
            sc.stability(runs_about(names), "effective", similarity=similarity)
    for similarity in (R.identity(3, NAMES), R.identity(3)):
        assert np.isfinite(sc.stability(runs_about(NAMES), "effective", similarity=similarity).value)
    assert np.isfinite(sc.stability(sc.Selections.from_matrix(np.eye(3)), "effective", similarity=R.identity(3, NAMES)).value)


def test_sorting_a_derived_matrix_keeps_the_original():
    """Without new entries both share their indices. Sorting those of one must not affect the values of the other."""
    matrix = csr_array((np.array([1.0, 2, 3]), np.array([2, 0, 1]), np.array([0, 3, 3, 3])), shape=(3, 3))
    dense = matrix.toarray()
    made = replace_entries(matrix, np.array([0]), np.array([2]), np.array([9.0]))
    made.sum_duplicates()
    assert made.toarray()[0].tolist() == [2, 3, 9] and np.array_equal(matrix.toarray(), dense)


def test_shared_arrays_of_thresholds_are_read_only():
    C = np.array([[1, 0.5, 0.9], [0.5, 1, 0], [0.9, 0, 1]])
    similarity = Similarity.from_matrix(C)
    cut, all_pairs = similarity.thresholded(0.8, binary=True), similarity.thresholded(0.2, binary=True)
    assert cut.block(range(3)).tolist() == [[1, 0, 1], [0, 1, 0], [1, 0, 1]] and all_pairs.extra.data.tolist() == [1, 1, 1, 1]
    assert np.shares_memory(cut.extra.data, all_pairs.extra.data)
    assert not cut.extra.data.flags.writeable and np.array_equal(similarity.block(range(3)), C)
