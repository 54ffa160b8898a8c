"""Effects beyond given columns, against least squares, R's adjusted Cox models, and known effects of simulated tables."""

import numpy as np
import pandas as pd
import pytest
from given_support import slow_partial_f, with_constant
from support import slow
from survival_support import of_r

import stabcore as sc
from stabcore.base.target import survival_target
from stabcore.data.feature_table import as_table
from stabcore.inference.adjusted_effects import (
    difference_beyond,
    log_hazard_ratio_beyond,
    rank_correlation_beyond,
    share_explained_beyond,
)
from stabcore.inference.effect_sizes import rank_correlation, ranks, share_explained, standardised_difference
from stabcore.selectors.given import Given


def table(seed, n=120):
    """(X (n, 3) with gaps, classes, age). Feature 0 differs by 0.5 beyond age, 1 depends on age only, 2 is a copy of age."""
    rng = np.random.default_rng([4, seed])
    age = rng.standard_normal(n)
    y = (rng.random(n) < 1 / (1 + np.exp(-1.5 * age))).astype(int)
    X = np.column_stack([0.5 * y + 0.8 * age, 0.8 * age, 3 * age]) + rng.standard_normal((n, 3)) * [1, 1, 0]
    X[rng.random(n) < 0.1, 0] = np.nan
    return X, y, age


def test_the_difference_is_that_of_least_squares():
    X, y, age = table(0)
    value, low, high = difference_beyond(X, y, Given.from_table(as_table(age[:, None])))
    rows = ~np.isnan(X[:, 0])
    design = np.column_stack([with_constant(age[rows, None]), y[rows]])
    inverse = np.linalg.inv(design.T @ design)
    weights = inverse @ design.T @ X[rows, 0]
    residual = X[rows, 0] - design @ weights
    free = rows.sum() - 3
    d = weights[2] / np.sqrt(residual @ residual / free)
    half = 1.959963984540054 * np.sqrt(inverse[2, 2] + d**2 / (2 * free))
    np.testing.assert_allclose([value[0], low[0], high[0]], [d, d - half, d + half], rtol=1e-9)
    assert np.isnan(value[2])


@pytest.mark.parametrize("name", ["actg175", "pbc"])
def test_hazard_ratios_equal_those_of_r(name):
    printed, columns, target = of_r(name)
    given = Given.from_table(as_table(np.column_stack([columns[feature] for feature in printed["given"]])))
    X = np.column_stack([columns[row["feature"]] for row in printed["adjusted"]])
    two = [len(np.unique(x)) == 2 for x in X.T]
    unit = np.where(two, np.ptp(X, axis=0), X.std(axis=0, ddof=1))
    value, low, high = log_hazard_ratio_beyond(X, target, given)
    np.testing.assert_allclose(value / unit, [row["coef"] for row in printed["adjusted"]], rtol=1e-6, atol=1e-9)
    np.testing.assert_allclose((high - low) / 2 / 1.959963984540054 / unit, [row["se"] for row in printed["adjusted"]], rtol=1e-6)


def test_the_explained_share_is_that_of_two_sums_of_squares():
    X, _, age = table(7)
    y = np.digitize(age + np.random.default_rng(1).standard_normal(120), [-0.7, 0.7])
    value, low, high = share_explained_beyond(X, y, Given.from_table(as_table(age[:, None])))
    rows = ~np.isnan(X[:, 0])
    assert value[0] == pytest.approx((F := slow_partial_f(X[rows, 0], y[rows], age[rows, None])) * 2 / (F * 2 + rows.sum() - 4))
    assert low[0] <= value[0] <= high[0] and np.isnan([value[2], low[2], high[2]]).all()
    constant = Given.from_table(as_table(np.zeros((120, 1))))
    for found, expected in zip(share_explained_beyond(X, y, constant), share_explained(X, y), strict=True):
        np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-9)
    twice, patients = (np.repeat(X[:, :2], 2, axis=0), np.repeat(y, 2)), np.repeat(np.arange(120), 2)
    alone, together = (
        share_explained_beyond(*twice, Given.from_table(as_table(np.repeat(age, 2)[:, None])), who) for who in (None, patients)
    )
    assert (together[2] - together[1] > 1.1 * (alone[2] - alone[1])).all()


def test_intervals_cover_the_explained_share_of_three_classes():
    """Three equal classes with means 0, 0.3 and 0.6 beyond age, in units of the standard deviation within classes."""
    truth, covered = np.array([0.06 / 1.06, 0.0]), []
    for seed in range(100):
        rng = np.random.default_rng([8, seed])
        age, y = rng.standard_normal(150), np.arange(150) % 3
        X = rng.standard_normal((150, 2)) + 0.8 * age[:, None] + np.outer(0.3 * y, [1, 0])
        _, low, high = share_explained_beyond(X, y, Given.from_table(as_table(age[:, None])))
        covered.append((low <= truth) & (truth <= high))
    share = np.mean(covered, axis=0)
    assert 0.9 <= share[0] <= 0.99 and share[1] >= 0.94  # without an effect, low is 0 in 97.5 of 100


def test_rank_correlations_are_those_of_the_residuals_of_ranks():
    X, _, age = table(2)
    number = age + X[:, 1]
    Z = with_constant(age[:, None])
    left = [
        values - Z @ np.linalg.lstsq(Z, values, rcond=None)[0] for values in (ranks(X[:, [1]])[:, 0], ranks(number[:, None])[:, 0])
    ]
    found = rank_correlation_beyond(X[:, [1]], number, Given.from_table(as_table(age[:, None])))
    assert found[0][0] == pytest.approx(np.corrcoef(*left)[0, 1])
    half = (np.arctanh(found[2][0]) - np.arctanh(found[1][0])) / 2
    a, b = (values / np.linalg.norm(values) for values in left)
    rho = a @ b
    influence = np.sqrt(120 / 119 * sum((x * z - rho * (x**2 + z**2) / 2) ** 2 for x, z in zip(a, b, strict=True))) / (1 - rho**2)
    assert half == pytest.approx(1.959963984540054 * max(np.sqrt(1.06 / (120 - 4)), influence))


def test_intervals_hold_for_a_rare_class_that_varies_more():
    """Ten of 100 patients with 2.5 times the spread. By one variance, 69% of 1200 intervals held."""
    covered = []
    for seed in range(60):
        rng, y = np.random.default_rng([seed, 100]), (np.arange(100) < 10).astype(int)
        age = rng.normal(size=100)
        X = np.where(y[:, None] == 1, 2.5, 1) * rng.normal(size=(100, 10)) + 0.5 * age[:, None]
        _, low, high = difference_beyond(X, y, Given.from_table(as_table(age[:, None])))
        covered.append((low <= 0) & (high >= 0))
    assert 0.9 <= np.mean(covered) <= 0.98


def test_intervals_hold_for_an_outcome_that_varies_more_at_the_ends():
    """Sixty patients and no correlation. By Fisher's variance alone, 88% of intervals held, and 89% without given columns."""
    covered = []
    for seed in range(200):
        rng = np.random.default_rng([seed, 60])
        age, x = rng.normal(size=60), rng.normal(size=(60, 1))
        outcome = rng.normal(size=60) * np.abs(x[:, 0])
        beyond = rank_correlation_beyond(x + 0.5 * age[:, None], outcome + age, Given.from_table(as_table(age[:, None])))
        covered.append([low[0] <= 0 <= high[0] for _, low, high in (beyond, rank_correlation(x, outcome))])
    assert (np.mean(covered, axis=0) >= 0.91).all() and (np.mean(covered, axis=0) <= 0.98).all()


def test_rows_of_one_patient_widen_the_interval():
    X, y, age = table(3)
    X, y, age = np.repeat(X[:, :2], 2, axis=0), np.repeat(y, 2), np.repeat(age, 2)
    given, patients = Given.from_table(as_table(age[:, None])), np.repeat(np.arange(120), 2)
    for function, outcome in ((difference_beyond, y), (rank_correlation_beyond, age + X[:, 1])):
        alone, together = function(X, outcome, given), function(X, outcome, given, patients)
        ratio = (together[2] - together[1]) / (alone[2] - alone[1])
        assert (ratio > 1.2).all() and (ratio < 1.7).all()  # √2 if every row is there twice


@pytest.mark.parametrize("n_tables", [100, slow(1000)])
def test_intervals_cover_the_true_effects(n_tables):
    covered = []
    for seed in range(n_tables):
        X, y, age = table(seed)
        given = Given.from_table(as_table(age[:, None]))
        _, low, high = difference_beyond(X[:, :2], y, given)
        rng = np.random.default_rng([6, seed])
        x = rng.standard_normal((120, 2)) + np.outer(age, [0, 0.8])
        eta = 0.5 * x[:, 0] + age
        time, end = rng.exponential(size=120) * np.exp(-eta), 2 * rng.exponential(size=120)
        target = survival_target(np.minimum(time, end), time <= end)
        _, lower, upper = log_hazard_ratio_beyond(x, target, given)
        truth = np.array([0.5 * x[:, 0].std(ddof=1), 0])
        _, least, most = rank_correlation_beyond(x[:, 1:], eta + rng.standard_normal(120), given)
        inside = [low <= [0.5, 0], high >= [0.5, 0], lower <= truth, truth <= upper, least <= [0], most >= [0]]
        covered.append(np.concatenate([above & below for above, below in zip(inside[::2], inside[1::2], strict=True)]))
    share = np.mean(covered, axis=0)
    assert (share >= 0.9).all() and (share <= 0.99).all(), share


def test_tables_of_effects_have_adjusted_and_unadjusted_effects():
    X, y, age = table(5, 600)
    frame = pd.DataFrame(X[:, :2], columns=["own", "by_age"]).assign(age=age)
    found = sc.effects(sc.Dataset(frame, np.where(y == 1, "ill", "well"), given="age")).set_index("feature")
    assert abs(found.loc["by_age", "adjusted"]) < abs(found.loc["by_age", "effect"]) / 2
    assert "adjusted" not in sc.effects(sc.Dataset(frame, np.where(y == 1, "ill", "well")))
    constant = Given.from_table(as_table(np.zeros((600, 1))))  # a constant given column changes nothing
    np.testing.assert_allclose(difference_beyond(X, y, constant), standardised_difference(X, y), rtol=1e-9)
