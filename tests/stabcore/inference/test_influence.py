"""Contributions of patients to effects: against the jackknife over patients, for three effects, with gaps, ties and repeats."""

import numpy as np
import pytest

from stabcore.inference import effect_sizes

N = 80
Y = np.arange(N) % 2


def table():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(N, 6)) + Y[:, None] * np.array([0, 0.5, 1, 2, 0, 1])
    X[:, 2] += X[:, 1]
    X[:, 4] = np.round(X[:, 4])
    X[rng.random((N, 6)) < 0.05] = np.nan
    X[:, 5] = X[:, 5] > 0.5
    return X, Y + rng.normal(size=N), np.round(Y + rng.normal(size=N))


def jackknife(estimate):
    each = np.array([estimate(np.delete(np.arange(N), i)) for i in range(N)])
    return (N - 1) / N * (each - each.mean(axis=0)).T @ (each - each.mean(axis=0))


CASES = {"difference": (effect_sizes.of_difference, effect_sizes.standardised_difference, 0),
         "area": (effect_sizes.of_area, effect_sizes.area_under_curve, 0),
         "rank": (effect_sizes.of_rank_correlation, effect_sizes.rank_correlation, 1),
         "rank of few values": (effect_sizes.of_rank_correlation, effect_sizes.rank_correlation, 2)}


@pytest.mark.parametrize("name", CASES)
def test_the_covariance_is_that_of_the_jackknife(name):
    contributions, estimate, which = CASES[name]
    X, *outcomes = table()
    y = [Y, *outcomes][which]
    parts, slow = contributions(X, y), jackknife(lambda rows: estimate(X[rows], y[rows])[0])
    fast = parts.T @ parts
    scale = np.sqrt(np.outer(np.diag(slow), np.diag(slow)))
    assert np.abs(fast - slow).max() < 0.12 * scale.max() and np.diag(fast) / np.diag(slow) == pytest.approx(1, abs=0.12)
    off = (fast / np.sqrt(np.outer(np.diag(fast), np.diag(fast))) - slow / scale)[np.triu_indices(6, 1)]
    assert np.abs(off).max() < 0.03 and np.abs(parts.sum(axis=0)).max() < 0.05


def test_rows_of_one_patient_are_one_contribution():
    X, *_ = table()
    patients = np.arange(N) // 2
    whole, of_patients = effect_sizes.of_area(X, Y), effect_sizes.of_area(X, Y, patients)
    assert of_patients == pytest.approx(whole[::2] + whole[1::2])
    assert (effect_sizes.of_difference(np.zeros((N, 1)), Y) == 0).all(), "nothing varies"
