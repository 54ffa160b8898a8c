"""Swaps beyond those of random sets, and effective stability under resampled C, against slow versions and known answers."""

import numpy as np
import pandas as pd
import pytest
from support import slow

import stabcore as sc
from stabcore.analysis.substitutes import product_factors
from stabcore.analysis.whatif.groups import within_between
from stabcore.base.errors import InputError
from stabcore.plots.similarity import finding_uncertainty, frame_uncertainty

GROUPS = sc.Similarity.from_groups({"g": [0, 1, 2], "h": [3, 4, 8]}, n_features=12)


def matrix(rng, runs=20, d=12, k=4, spread=1.0):
    """Sets of k features with unequal probabilities."""
    weight = np.exp(spread * rng.normal(size=d))
    Z = np.zeros((runs, d), dtype=int)
    for row in Z:
        row[rng.choice(d, k, replace=False, p=weight / weight.sum())] = 1
    return Z


def shuffled(rng, Z, steps=120):
    """A random matrix with the same row and column sums: two runs at a time exchange features that only one selected."""
    Z = Z.copy()
    for _ in range(steps):
        a, b = rng.choice(len(Z), 2, replace=False)
        only = rng.permutation(np.flatnonzero(Z[a] != Z[b]))
        n_first = Z[a, only].sum()
        Z[a, only], Z[b, only] = 0, 0
        Z[a, only[:n_first]], Z[b, only[n_first:]] = 1, 1
    return Z


@pytest.mark.parametrize("seed", [1, slow(2)])
def test_expected_swaps_are_those_of_matrices_with_the_same_sums(seed):
    rng = np.random.default_rng(seed)
    Z = matrix(rng)
    expected = [within_between(sc.Selections.from_matrix(shuffled(rng, Z)), GROUPS)["substitution"].to_numpy() for _ in range(12)]
    frame = within_between(sc.Selections.from_matrix(Z), GROUPS)
    error = np.std(expected, axis=0, ddof=1) / np.sqrt(12)
    assert (np.abs(frame["by_random_sets"].to_numpy() - np.mean(expected, axis=0)) <= 4 * error + 0.01).all()
    for column in ("substitution", "by_random_sets"):
        assert frame[column].iloc[:-1].sum() == pytest.approx(frame[column].iloc[-1])


def test_the_factors_of_expected_swaps_give_each_variance():
    variance = np.array([0.25, 0.2, 0.1, 0.24, 0.0, 0.15])
    x = product_factors(variance)
    assert x * (x.sum() - x) == pytest.approx(variance, abs=1e-9)


def test_members_that_take_turns_have_more_substitution_than_random_sets():
    rng = np.random.default_rng(7)
    Z = matrix(rng, 40)
    Z[:, :2] = 0
    Z[np.arange(40), rng.integers(0, 2, 40)] = 1
    turns = within_between(sc.Selections.from_matrix(Z), GROUPS).iloc[-1]
    Z[:, 1] = Z[:, 0]
    together = within_between(sc.Selections.from_matrix(Z), GROUPS).iloc[-1]
    assert turns["substitution"] > turns["by_random_sets"] + 0.2 and together["substitution"] < together["by_random_sets"] - 0.2


def table(rng, rows=60):
    related = rng.normal(size=(rows, 1)) + 0.9 * rng.normal(size=(rows, 3))
    return pd.DataFrame(np.hstack([related, rng.normal(size=(rows, 9))])).add_prefix("f")


def named_runs(rng, X):
    return sc.Selections.from_matrix(matrix(rng), names=list(X.columns))


def test_c_is_computed_again_from_resampled_rows():
    rng = np.random.default_rng(0)
    X = table(rng)
    runs = named_runs(rng, X)
    found = sc.whatif.similarity_uncertainty(runs, X, threshold=0.5, draws=40, random_state=3).iloc[0]
    slow, draws = [], np.random.default_rng(3)
    for _ in range(40):
        C = sc.Similarity.from_correlation(X.iloc[draws.permutation(60)[:20]].reset_index(drop=True), threshold=0.5)
        slow.append(sc.stability(runs, "effective", similarity=C).value)
    assert found["low"] == pytest.approx(np.quantile(slow, 0.025)) and found["high"] == pytest.approx(np.quantile(slow, 0.975))
    every = sc.stability(runs, "effective", similarity=sc.Similarity.from_correlation(X, threshold=0.5)).value
    assert found["value"] == pytest.approx(every) and found["low"] < every < found["high"] and found["draws"] == 40


def test_whole_patients_are_drawn_and_pairs_set_by_hand_stay():
    rng = np.random.default_rng(1)
    X = table(rng, 40)
    twice = pd.concat([X, X], ignore_index=True).assign(who=[*range(40)] * 2, outcome=["a", "b"] * 40)
    data = sc.Dataset.from_frame(twice, target="outcome", same_patient="who")
    runs = {"one": named_runs(rng, X)}
    by_patient = sc.whatif.similarity_uncertainty(runs, data, draws=30, edits={("f0", "f1"): 0.0})
    by_row = sc.whatif.similarity_uncertainty(runs, X, draws=30, edits={("f0", "f1"): 0.0})
    assert by_patient.iloc[0].tolist()[1:4] == pytest.approx(by_row.iloc[0].tolist()[1:4])


def test_ranges_over_draws_hold_for_c_of_other_patients():
    rng, held = np.random.default_rng(4), []
    loadings = rng.uniform(0.5, 0.95, 12)
    for _ in range(50):
        runs = sc.Selections.from_matrix((rng.random((30, 12)) < rng.beta(0.5, 2, 12).clip(0.02, 0.98)).astype(int))
        here, elsewhere = (
            np.repeat(rng.normal(size=(150, 3)), 4, axis=1) * loadings + rng.normal(size=(150, 12)) * np.sqrt(1 - loadings**2)
            for _ in range(2)
        )
        found = sc.whatif.similarity_uncertainty(runs, here, threshold=0.5, draws=30).iloc[0]
        value = sc.stability(runs, "effective", similarity=sc.Similarity.from_correlation(elsewhere, threshold=0.5)).value
        held.append(found["low"] - 1e-12 <= value <= found["high"] + 1e-12)
    assert np.mean(held) >= 0.8


def test_too_few_draws_or_patients_are_refused():
    rng = np.random.default_rng(2)
    X = table(rng)
    for few, draws in ((X, 5), (X.iloc[:14], 200)):
        with pytest.raises(InputError):
            sc.whatif.similarity_uncertainty(named_runs(rng, X), few, draws=draws)
    frame = frame_uncertainty({"a": named_runs(rng, X), "b": named_runs(rng, X)}, X, draws=20)
    widest = frame.loc[(frame["high"] - frame["low"]).idxmax(), "selector"]
    assert f"most for {widest}:" in finding_uncertainty(frame)
