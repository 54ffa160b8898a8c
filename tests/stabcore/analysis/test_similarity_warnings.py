"""Warnings about C are given exactly when they hold, against dense matrices."""

import numpy as np
import pytest
from support import random_selection

import stabcore as sc
from stabcore.analysis import similarity_warnings as room
from stabcore.analysis.similarity_warnings import chance_share, similarity_warnings


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


def test_the_chance_share_equals_that_of_dense_matrices():
    rng = np.random.default_rng(0)
    Z, C = random_selection(rng, 6, 9), random_similarity(rng, 9)
    similarity = sc.Similarity.from_matrix(C)
    assert chance_share(similarity, Z.sum(axis=1)) == pytest.approx(dense_share(C, Z))
    equal = np.array([rng.permutation(np.r_[np.ones(4, int), np.zeros(5, int)]) for _ in range(6)])
    assert chance_share(similarity) == pytest.approx(dense_share(C, equal)) == pytest.approx(chance_share(similarity, [4] * 6))
    assert chance_share(sc.Similarity.identity(5)) == chance_share(sc.Similarity.identity(1)) == 1
    assert chance_share(sc.Similarity.from_matrix(np.ones((5, 5)))) == pytest.approx(0)
    assert np.isnan(chance_share(sc.Similarity.from_matrix(np.ones((5, 5))), [5, 5]))


def test_c_is_tested_among_the_features_selected_most_often():
    rng = np.random.default_rng(0)
    C, Z = random_similarity(rng, 12), random_selection(rng, 8, 12)
    similarity, often = sc.Similarity.from_matrix(C), np.argsort(-Z.sum(axis=0), kind="stable")
    np.testing.assert_allclose(room._most_selected_block(similarity, None, 500), C)
    np.testing.assert_allclose(room._most_selected_block(similarity, selected(Z), 4), C[np.ix_(often[:4], often[:4])])
    assert len(room._most_selected_block(similarity, selected(np.zeros((3, 12))), 4)) == 0


def test_a_semidefinite_matrix_has_no_negative_eigenvalue():
    for seed in range(20):
        rng = np.random.default_rng(seed)
        A = rng.normal(size=(9, 4 + seed % 8))
        gram = A @ A.T  # of low rank, or not
        scale = np.sqrt(np.diag(gram))
        for C in (gram / np.outer(scale, scale), random_similarity(rng, 9), np.ones((5, 5)), np.zeros((0, 0))):
            assert room._is_semidefinite(C) == bool((np.linalg.eigvalsh(C) > -1e-8).all())
    assert similarity_warnings(sc.Similarity.from_groups({"a": [0, 1], "b": [2, 3, 4]}, n_features=20)) == []


CHAIN = np.array([[1, 1, 0], [1, 1, 1], [0, 1, 1.0]])


def extended(C, d):
    """C for the first features, and no similarity for the others of d."""
    whole = np.eye(d)
    whole[: len(C), : len(C)] = C
    return sc.Similarity.from_matrix(whole)


def test_features_that_no_run_selected_cause_no_warning():
    Z = np.zeros((3, 20), dtype=int)
    Z[:, 10:13] = 1
    Z[0, 13] = 1
    assert similarity_warnings(extended(CHAIN, 20), selected(Z)) == []
    Z[1, :3] = 1
    assert len(similarity_warnings(extended(CHAIN, 20), selected(Z))) == 1
    everything = sc.Similarity.from_groups({"g": range(20)}, n_features=20)
    assert len(similarity_warnings(everything, selected(np.eye(4, 20)))) == 2
    with pytest.raises(sc.InputError):
        similarity_warnings(sc.Similarity.identity(3), selected(Z))
