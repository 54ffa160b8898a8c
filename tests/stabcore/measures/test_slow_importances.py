"""Measures of importances against slow versions: scaling, transport by a similarity, and chance over all permutations."""

from itertools import combinations, permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from measure_support import over, random_similarity, same
from scipy.optimize import linprog
from scipy.sparse import csr_array
from support import slow

import stabcore as sc
from stabcore.measures import information
from stabcore.measures.information import best_transports

SEED = st.integers(0, 10**6)


def scaled(importances):
    total = importances.sum(axis=1, keepdims=True)
    return np.divide(importances, total, out=np.zeros_like(importances), where=total > 0) * (importances > 0).sum(axis=1).mean()


def slow_importance_weighted(importances):
    d, k_mean = importances.shape[1], (importances > 0).sum(axis=1).mean()
    agreed, by_chance = [], []
    for a, b in combinations(scaled(importances), 2):
        if not a.any() and not b.any():
            agreed.append(k_mean), by_chance.append(k_mean)
        else:
            agreed.append(np.minimum(a, b).sum())
            by_chance.append(np.minimum.outer(a[a > 0], b[b > 0]).sum() / d if a.any() and b.any() else 0.0)
    return over(np.mean(agreed) - np.mean(by_chance), k_mean - np.mean(by_chance))


IMPORTANCES = arrays(float, st.tuples(st.integers(2, 5), st.integers(2, 6)), elements=st.sampled_from([0.0, 0.5, 1.0, 2.0, 7.0]))


@settings(max_examples=80, deadline=None)
@given(IMPORTANCES)
def test_importance_weighted(importances):
    found = information.importance_weighted(sc.Selections.from_weights(importances))
    slow = slow_importance_weighted(importances)
    if np.isnan(found) != np.isnan(slow):
        assert not importances.any() or (importances > 0).all() and np.ptp(importances, axis=1).max() == 0
    else:
        assert same(found, slow)


def dense_transport(first, second, C):
    """The whole d × d linear program."""
    d = len(first)
    rows, columns = np.kron(np.eye(d), np.ones(d)), np.kron(np.ones(d), np.eye(d))
    return -linprog(-C.ravel(), A_ub=np.r_[rows, columns], b_ub=np.r_[first, second], method="highs").fun


@settings(max_examples=40, deadline=None)
@given(
    arrays(float, st.tuples(st.just(2), st.integers(2, 7)), elements=st.sampled_from([0.0, 0.1, 0.5, 1.0, 3.0])),
    SEED,
    st.sampled_from([0.2, 0.5, 1.0]),
)
def test_transports_equal_the_full_dense_linear_program(importances, random_state, filled):
    d = importances.shape[1]
    rng = np.random.default_rng(random_state)
    C = random_similarity(rng, d, filled, (*rng.random(4), 1.0))
    dense = C.block(np.arange(d))
    neighbours = dense * (1 - np.eye(d))
    first, second = csr_array(importances[:1]), csr_array(importances[1:])
    found = best_transports(first, np.array([0]), second, np.array([0]), csr_array(neighbours))[0]
    assert found == pytest.approx(dense_transport(*importances, dense), abs=1e-9)


@settings(max_examples=15, deadline=None)
@given(IMPORTANCES, SEED, st.booleans())
def test_uncorrected_shared_information(importances, random_state, grouped):
    d = importances.shape[1]
    similarity = (
        sc.Similarity.from_groups({"a": range(d // 2), "b": range(d // 2, d)}, n_features=d)
        if grouped
        else random_similarity(np.random.default_rng(random_state), d)
    )
    J, C, k = scaled(importances), similarity.block(np.arange(d)), (importances > 0).sum(axis=1).mean()
    slow = np.mean([k if not a.any() and not b.any() else dense_transport(a, b, C) for a, b in combinations(J, 2)]) / k if k else 1
    runs = sc.Selections.from_weights(importances)
    assert information.shared_information(runs, similarity, corrected=False) == pytest.approx(slow, abs=1e-9)


HUB = np.eye(5) + 0.8 * np.not_equal.outer(np.arange(5) == 0, np.arange(5) == 0)  # all others are similar to feature 0
CHAIN = np.eye(4) + 0.6 * (np.abs(np.subtract.outer(np.arange(4), np.arange(4))) == 1)
PAIRED = np.kron(np.eye(2), np.ones((2, 2)))


@pytest.mark.parametrize(
    ("C", "importances"),
    [
        slow(PAIRED, [[3, 1, 0, 0], [0, 2, 1, 1], [1, 0, 0, 1]]),
        slow(CHAIN, [[3, 1, 0, 0], [0, 2, 1, 1], [1, 0, 0, 1]]),
        slow(HUB, [[8, 1, 1, 0, 0], [0, 1, 0, 6, 2], [7, 0, 2, 0, 1]]),
        (HUB, [[8, 1, 1, 0, 0], [0, 1, 0, 6, 2]]),
    ],
    ids=["groups", "chain", "hub", "hub of two"],
)
def test_chance_of_shared_information_is_the_permutation_mean(C, importances):
    J = np.array(importances) / np.sum(importances, axis=1, keepdims=True)
    A = np.mean([dense_transport(a, b, C) for a, b in combinations(J, 2)])
    # Either run is permuted, and each distinct order of its importances is equally frequent.
    E = np.mean([np.mean([dense_transport(a, np.array(c), C) for c in set(permutations(b))]) for a, b in permutations(J, 2)])
    found = sc.stability(
        sc.Selections.from_weights(np.array(importances, dtype=float)),
        "shared_information",
        similarity=sc.Similarity.from_matrix(C),
        draws=200,
    )
    assert 0 < found.chance_error < 0.05 and abs(found.value - (A - E) / (1 - E)) < 4 * found.chance_error


@pytest.mark.slow
def test_the_error_of_drawn_chance_is_the_spread_over_seeds():
    """20 runs give 190 pairs with two draws of chance each. An error from two values alone would vary by 75%."""
    rows = np.random.default_rng(0).random((20, 12)) * (np.random.default_rng(1).random((20, 12)) < 0.4)
    rows[:, 0] += 0.1
    C = np.eye(12) + 0.7 * np.not_equal.outer(np.arange(12) == 0, np.arange(12) == 0)
    runs, similarity = sc.Selections.from_weights(rows), sc.Similarity.from_matrix(C)
    terms = [
        information.shared_information.terms(runs, similarity, draws=2, random_state=random_state) for random_state in range(16)
    ]
    spread, stated = np.std([term.value() for term in terms], ddof=1), np.array([term.chance_error for term in terms])
    assert 0.7 < np.sqrt((stated**2).mean()) / spread < 1.4 and stated.std() / stated.mean() < 0.35
