"""The sign-flip test: every flip listed one by one, McNemar's test, a finer listing for many units, and a wrong spread of zeros."""

from itertools import product

import numpy as np
import pytest
from scipy.stats import binomtest

from stabcore.inference.comparison import sign_flip


def listed(differences):
    """Every one of the 2^n flips."""
    flips = np.array(list(product([1, -1], repeat=len(differences))))
    return (np.abs((flips * differences).sum(axis=1)) >= abs(differences.sum()) - 1e-9).mean()


def on_a_grid(differences, step):
    """By adding one unit after another to the distribution of the sum; differences: multiples of the step."""
    chance = np.ones(1)
    for size in np.abs(np.round(np.asarray(differences) / step)).astype(int):
        wider = np.zeros(len(chance) + 2 * size)
        wider[:len(chance)] += chance / 2
        wider[2 * size:] += chance / 2
        chance = wider
    sums = np.arange(len(chance)) - len(chance) // 2
    return chance[np.abs(sums) >= abs(round(sum(differences) / step))].sum()


@pytest.mark.parametrize("seed", range(12))
def test_few_units_are_listed(seed):
    rng = np.random.default_rng(seed)
    for differences in (rng.uniform(-1, 1, 10), rng.integers(-3, 4, 11) / 3, np.abs(rng.uniform(0, 1, 7)), rng.normal(size=1)):
        assert sign_flip(differences) == pytest.approx(listed(differences), abs=1e-12)


@pytest.mark.parametrize(("b", "c"), [(6, 16), (59, 121), (1, 0), (0, 5), (4, 4), (150, 86), (900, 1100)])
def test_of_one_prediction_a_unit_it_is_mcnemars_test(b, c):
    assert sign_flip(np.repeat([1, -1, 0], [b, c, 40])) == pytest.approx(binomtest(b, b + c).pvalue, rel=1e-9)


@pytest.mark.parametrize("repeats", [3, 5])
def test_many_units_on_a_grid_are_exact(repeats):
    rng = np.random.default_rng(repeats)
    differences = (rng.binomial(repeats, 0.85, 300) - rng.binomial(repeats, 0.8, 300)) / repeats
    assert sign_flip(differences) == pytest.approx(on_a_grid(differences, 1 / repeats), rel=1e-9)


@pytest.mark.parametrize(("units", "centre"), [(25, 0.1), (25, 0.5), (60, 0.05), (60, 0.3), (200, 0.02), (200, 0.2)])
def test_many_units_of_any_size_are_approximated(units, centre):
    """The grid of 0.01 is fine enough to know the truth, and too fine to be listed."""
    rng = np.random.default_rng(units)
    for _ in range(20):
        differences = np.clip(rng.uniform(-1, 1, units) + centre * rng.normal(), -1, 1).round(2)
        truth = on_a_grid(differences, 0.01)
        if truth > 1e-12:
            assert sign_flip(differences) == pytest.approx(truth, rel=0.05 if truth >= 0.01 else 0.15)


def test_units_without_a_difference_and_the_sign_change_nothing():
    rng = np.random.default_rng(1)
    differences = rng.uniform(-0.5, 1, 40)
    p = sign_flip(differences)
    assert 0 < p < 1 and sign_flip(-differences) == p
    assert sign_flip(np.append(differences, np.zeros(100))) == pytest.approx(p)
    assert sign_flip(np.zeros(5)) == 1 and np.isnan(sign_flip([]))
    assert sign_flip(rng.uniform(0.5, 1, 40)) == pytest.approx(2.0 ** -39)      # all on one side, and too many to list
    balanced = np.append(differences, -differences)
    assert sign_flip(balanced) == pytest.approx(1, abs=1e-3)
