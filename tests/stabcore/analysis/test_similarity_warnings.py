"""Cautions about C: said when they hold and only then, against dense textbook arithmetic."""

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_array
from support import random_selection

import stabcore as sc
from stabcore.analysis import similarity_warnings as room
from stabcore.analysis.similarity_warnings import chance_share, on_categories, similarity_warnings, without_correlation


def selected(Z):
    return sc.Selections.from_matrix(np.asarray(Z))


def random_similarity(rng, d):
    A = np.triu(rng.random((d, d)) * (rng.random((d, d)) < 0.4), 1)
    return A + A.T + np.eye(d)


def dense_share(C, Z):
    """tr(CΣ⁰)/tr(Σ⁰), Σ⁰ written out as a matrix."""
    sizes, d = Z.sum(axis=1), Z.shape[1]
    k = sizes.mean()
    null = np.full((d, d), ((sizes**2).mean() - k) / (d**2 - d) - k**2 / d**2)
    np.fill_diagonal(null, k / d * (1 - k / d))
    return np.trace(C @ null) / np.trace(null)


@pytest.mark.parametrize("seed", range(5))
def test_chance_share_is_that_of_the_written_out_matrices(seed):
    rng = np.random.default_rng(seed)
    Z, C = random_selection(rng, 6, 9), random_similarity(rng, 9)
    similarity = sc.Similarity.from_matrix(C)
    assert chance_share(similarity, Z.sum(axis=1)) == pytest.approx(dense_share(C, Z))
    equal = np.array([rng.permutation(np.r_[np.ones(4, int), np.zeros(5, int)]) for _ in range(6)])
    assert chance_share(similarity) == pytest.approx(dense_share(C, equal)) == pytest.approx(chance_share(similarity, [4] * 6))


def test_chance_share_at_its_ends():
    assert chance_share(sc.Similarity.identity(5)) == chance_share(sc.Similarity.identity(1)) == 1
    assert chance_share(sc.Similarity.from_matrix(np.ones((5, 5)))) == pytest.approx(0)
    assert np.isnan(chance_share(sc.Similarity.from_matrix(np.ones((5, 5))), [5, 5]))


def test_c_is_tested_among_the_features_selected_most_often():
    rng = np.random.default_rng(0)
    C, Z = random_similarity(rng, 12), random_selection(rng, 8, 12)
    similarity, often = sc.Similarity.from_matrix(C), np.argsort(-Z.sum(axis=0), kind="stable")
    np.testing.assert_allclose(room._of_most_often(similarity, None, 500), C)
    np.testing.assert_allclose(room._of_most_often(similarity, selected(Z), 4), C[np.ix_(often[:4], often[:4])])
    assert len(room._of_most_often(similarity, selected(np.zeros((3, 12))), 4)) == 0


@pytest.mark.parametrize("seed", range(20))
def test_positive_semi_definite_is_what_has_no_negative_eigenvalue(seed):
    rng = np.random.default_rng(seed)
    A = rng.normal(size=(9, 4 + seed % 8))
    gram = A @ A.T  # of low rank, or not
    scale = np.sqrt(np.diag(gram))
    for C in (gram / np.outer(scale, scale), random_similarity(rng, 9), np.ones((5, 5)), np.zeros((0, 0))):
        assert room._is_semidefinite(C) == bool((np.linalg.eigvalsh(C) > -1e-8).all())


def test_groups_are_never_said_to_contradict_themselves():
    groups = sc.Similarity.from_groups({"a": [0, 1], "b": [2, 3, 4]}, n_features=20)
    assert np.linalg.eigvalsh(groups.block(range(20))).min() > -1e-9
    assert similarity_warnings(groups) == []


CHAIN = np.array([[1, 1, 0], [1, 1, 1], [0, 1, 1.0]])


def beside(C, d):
    """C among the first features of d."""
    whole = np.eye(d)
    whole[: len(C), : len(C)] = C
    return sc.Similarity.from_matrix(whole)


@pytest.mark.parametrize(
    ("similarity", "said"),
    [
        (sc.Similarity.identity(20), []),
        (beside(CHAIN, 20), ["C contradicts itself"]),
        (beside(np.array([[1, 0.6], [0.6, 1]]), 20), []),
        (sc.Similarity.from_groups({"g": range(7)}, n_features=20), []),
        (sc.Similarity.from_groups({"g": range(8)}, n_features=20), ["'f1' stands for 7 of 19 other features"]),
        (sc.Similarity.from_groups({"g": range(20)}, n_features=20), ["Almost every feature", "'f1' stands for 19 of 19"]),
    ],
)
def test_what_is_said(similarity, said):
    found = similarity_warnings(similarity)
    assert len(found) == len(said) and all(one.startswith(start) for one, start in zip(found, said))


def test_a_contradiction_among_features_that_were_never_selected_changes_nothing():
    Z = np.zeros((3, 20), dtype=int)
    Z[:, 10:13] = 1
    Z[0, 13] = 1
    assert similarity_warnings(beside(CHAIN, 20), selected(Z)) == []
    Z[1, :3] = 1
    assert len(similarity_warnings(beside(CHAIN, 20), selected(Z))) == 1


def test_many_partners_are_counted_by_name_and_weight():
    extra = np.zeros((30, 30))
    extra[3, 10:] = extra[10:, 3] = 0.9
    similarity = sc.Similarity(30, tuple(f"g{i}" for i in range(30)), extra=csr_array(extra))
    assert any("'g3' stands for 18 of 29 other features" in one for one in similarity_warnings(similarity))


def test_categories_without_a_correlation_are_named():
    rng = np.random.default_rng(1)
    frame = pd.DataFrame(
        {
            "age": rng.normal(size=40),
            "sex": rng.choice(["f", "m"], 40),
            "site": rng.choice(list("abc"), 40),
            "outcome": rng.choice(["yes", "no"], 40),
        }
    )
    data = sc.Dataset.from_frame(frame, target="outcome")
    assert without_correlation(data) == ["site"] and "'site' stands for itself only" in on_categories(data)
    assert on_categories(sc.Dataset.from_frame(frame, target="outcome", exclude=["site"])) == ""
