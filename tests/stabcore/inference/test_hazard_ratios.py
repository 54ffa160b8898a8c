"""Hazard ratios of many features at once, against R, single models, and simulated tables."""

import numpy as np
import pandas as pd
import pytest
from support import slow
from survival_support import of_r, simulated

import stabcore as sc
from stabcore.inference.effect_sizes import error_of_hazard_ratio, hazard_ratio_contributions, log_hazard_ratio
from stabcore.survival.cox import fit_cox, fit_cox_each


@pytest.mark.parametrize("name", ["actg175", "pbc"])
def test_hazard_ratios_equal_those_of_r(name):
    printed, columns, target = of_r(name)
    X = np.array(list(columns.values())).T
    value, error = error_of_hazard_ratio(X, target)
    two = np.array([len(np.unique(x)) == 2 for x in X.T])
    unit = np.where(two, X.max(axis=0) - X.min(axis=0), X.std(axis=0, ddof=1))
    np.testing.assert_allclose(value / unit, [row["coef"] for row in printed["univariate"]], rtol=1e-6)
    np.testing.assert_allclose(error / unit, [row["se"] for row in printed["univariate"]], rtol=1e-6)


def test_gaps_remove_rows_of_their_own_feature_only():
    X, target = simulated(np.random.default_rng(0), 80, 4, (0.7,), tied=True)
    X[::4, 0], X[:, 2], X[:, 3] = np.nan, 3.0, np.nan
    value, low, high = log_hazard_ratio(X, target)
    measured = ~np.isnan(X[:, 0])
    x = X[measured, 0]
    model = fit_cox(((x - x.mean()) / x.std(ddof=1))[None], target[measured])
    assert value[0] == pytest.approx(model.weights[0]) and low[0] < value[0] < high[0]
    assert high[0] - low[0] == pytest.approx(2 * 1.959964 * np.sqrt(model.covariance[0, 0]), rel=1e-4)
    assert np.isnan(value[2:]).all() and np.isfinite(value[1])


def test_contributions_are_the_changes_without_a_row():
    X, target = simulated(np.random.default_rng(1), 60, 2, (0.8,), tied=True)
    weights, errors, rows = fit_cox_each(X.T.copy(), target)
    left_out = np.array([fit_cox_each(np.delete(X, i, axis=0).T.copy(), np.delete(target, i))[0] for i in range(60)])
    for f in range(2):
        assert np.corrcoef(weights[f] - left_out[:, f], rows[f])[0, 1] > 0.98
    assert np.abs(rows.sum(axis=1)).max() < 1e-6
    jackknife = np.sqrt(59 / 60 * ((left_out - left_out.mean(axis=0)) ** 2).sum(axis=0))
    np.testing.assert_allclose(np.sqrt((rows**2).sum(axis=1)), jackknife, rtol=0.2)
    assert np.isfinite(errors).all()


def test_a_perfect_order_has_no_hazard_ratio():
    target = simulated(np.random.default_rng(2), 40)[1]
    assert np.isnan(fit_cox_each(-target["time"][None], target)[0]).all()


def test_rows_of_one_patient_count_once():
    X, target = simulated(np.random.default_rng(3), 60, 3, (0.5,))
    twice = np.repeat(np.arange(60), 2)
    once, wide = (np.diff(log_hazard_ratio(*rows)[1:], axis=0)[0] for rows in ((X, target), (X[twice], target[twice], twice)))
    np.testing.assert_allclose(wide, once, rtol=0.25)
    parts = hazard_ratio_contributions(10 * X[twice], target[twice], twice)
    np.testing.assert_allclose(np.sqrt((parts**2).sum(axis=0)), error_of_hazard_ratio(X, target)[1], rtol=0.25)


def test_the_interval_is_for_the_units_of_this_table():
    """Of a skewed feature, another table has another SD, so its own SD is the unit, and named."""
    inside, rng = [], np.random.default_rng(7)
    for _ in range(150):
        x = np.exp(rng.normal(size=100))
        time, end = rng.exponential(size=100) / np.exp(0.4 * x), rng.exponential(size=100)
        frame = pd.DataFrame({"marker": x, "time": np.minimum(time, end), "event": (time <= end).astype(int)})
        row = sc.effects(sc.Dataset.from_frame(frame, target=("time", "event"))).iloc[0]
        units = float(row["per"].split()[0])
        inside.append(row["hazard_ratio_low"] <= np.exp(0.4 * units) <= row["hazard_ratio_high"])
    assert 0.9 < np.mean(inside) < 0.99


@pytest.mark.parametrize(("weight", "n", "censored"), [(0.6, 80, 0.4), slow(0.0, 80, 0.4), slow(0.6, 120, 0.75)])
def test_intervals_cover_and_false_alarms_are_rare(weight, n, censored):
    inside, clear = [], []
    for seed in range(150):
        X, target = simulated(np.random.default_rng([4, seed]), n, 6, [weight] + [0.0] * 5, censored)
        X[:, 0] -= X[:, 0].mean()
        _, low, high = log_hazard_ratio(X, target)
        truth = weight * X.std(axis=0, ddof=1) * (np.arange(6) == 0)
        inside.append((low <= truth) & (truth <= high))
        clear.append((low[1:] > 0) | (high[1:] < 0))
    assert 0.92 < np.mean(inside) < 0.975 and 0.02 < np.mean(clear) < 0.08
