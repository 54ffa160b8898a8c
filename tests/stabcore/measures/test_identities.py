"""Theorems about measures, and cases in which two measures are equal."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from measure_support import random_similarity, with_sets
from support import random_selection

import stabcore as sc
from stabcore.measures import chance, information, overlap, weights
from stabcore.measures.catalog import BY_KEY

Z = arrays(int, st.tuples(st.integers(2, 5), st.integers(2, 7)), elements=st.integers(0, 1))
SEED = st.integers(0, 10**6)


def same(a, b, tolerance=1e-9):
    assert a == pytest.approx(b, abs=tolerance, nan_ok=True)


ALONE = {
    **{"effective": chance.nogueira, "yu": chance.kappa, "npogr": chance.npog, "pogr": overlap.pog},
    **{"zucknick": overlap.jaccard, "shared_information": information.importance_weighted},
    **{f"intersection_{kind}": chance.unadjusted for kind in ("count", "mean", "mbm", "greedy")},
}


@pytest.mark.parametrize("key", [key for key, entry in BY_KEY.items() if "similarity" in entry.needs])
@settings(max_examples=12, deadline=None)
@given(Z, SEED)
def test_measures_without_similar_features(key, matrix, random_state):
    rng, d = np.random.default_rng(random_state), matrix.shape[1]
    runs = with_sets(matrix, rng)
    below = random_similarity(rng, d, 0.6, (0.2, 0.4)).thresholded(0.5)
    for similarity in (sc.Similarity.identity(d), sc.Similarity.from_groups({}, n_features=d), below):
        same(BY_KEY[key].function(runs, similarity), ALONE[key](runs))


@settings(max_examples=12, deadline=None)
@given(SEED, st.integers(2, 4))
def test_splitting_importance_over_copies_changes_nothing(random_state, copies):
    """Every run splits the importance of feature 0 in its own way.

    Without similarity, only a split that is equal in every run changes nothing.
    """
    rng, d = np.random.default_rng(random_state), 6
    importances = rng.random((5, d)) * (rng.random((5, d)) < 0.6)
    importances[~importances.any(axis=1), 1] = 1
    base = random_similarity(rng, d, 0.4)
    origin = np.r_[np.zeros(copies, dtype=int), np.arange(1, d)]
    copied = sc.Similarity.from_matrix(base.block(np.arange(d))[np.ix_(origin, origin)])  # copies relate as the feature did
    share = rng.dirichlet(np.full(copies, 0.7), 5)
    split = np.c_[importances[:, :1] * share, importances[:, 1:]]
    fixed = np.c_[importances[:, :1] * share[:1], importances[:, 1:]]
    whole, by_run, by_rule = (sc.Selections.from_weights(rows) for rows in (importances, split, fixed))
    expected = information.shared_information(whole, base, corrected=False)
    same(information.shared_information(by_run, copied, corrected=False), expected)
    same(information.shared_information(by_rule, copied, corrected=False), expected)
    alone = information.shared_information(whole, sc.Similarity.identity(d), corrected=False)
    same(information.shared_information(by_rule, sc.Similarity.identity(d + copies - 1), corrected=False), alone)


def test_canberra_of_figures_3_and_6_of_hamer_and_dupont():
    """Figure 3: the same 20 of very many features in random order. The paper prints D/χ there, not 1 − D/χ.

    Figure 6: features of equal importance share their mean rank. The χ of the paper is that of many features.
    """
    M, d, rng = 40, 40_000, np.random.default_rng(0)
    same_set, half = np.zeros((2, M, d))
    for i in range(M):
        same_set[i, :20] = 1 + rng.permutation(20)
        half[i, :15], half[i, 15 + 5 * i : 20 + 5 * i] = 2 / 3, 2
    assert weights.canberra(sc.Selections.from_weights(half)) == pytest.approx(0.507, abs=1e-3)
    assert weights.canberra(sc.Selections.from_weights(half), ties="random") == pytest.approx(0.31, abs=0.02)
    assert weights.canberra(sc.Selections.from_weights(same_set)) == pytest.approx(1 - 0.47, abs=0.01)


@pytest.mark.parametrize(("d", "k", "apart"), [(10, 2, 0.1), (10, 5, 0.04), (200, 40, 5e-4), (5000, 500, 3e-6)])
def test_the_chance_of_canberra_approaches_the_published_closed_form(d, k, apart):
    published = (k + 1) * (2 * d - k) / d * np.log(4) - (2 * k * d + 3 * d - k - k * k) / d
    assert apart / 2 < abs(published / weights._chance_distance(k, d) - 1) < apart


def test_shared_information_favours_long_lists_unless_corrected():
    """Known values for random sets of 3 and of 10 out of 30 features."""
    rng, alone = np.random.default_rng(0), sc.Similarity.from_groups({"a": [0, 1]}, n_features=30)
    for k, by_chance in ((3, 0.10), (10, 1 / 3)):
        runs = sc.Selections.from_weights(random_selection(rng, 60, 30, k, k).astype(float))
        assert information.shared_information(runs, alone, corrected=False) == pytest.approx(by_chance, abs=0.02)
        assert information.shared_information(runs, alone, draws=4000) == pytest.approx(0, abs=0.02)
