"""Logistic regression and support vector machines from products of rows or columns, against scikit-learn and plain minimisation."""

import numpy as np
import pytest
from recursive_support import data, standardised
from scipy.optimize import minimize
from sklearn.linear_model import LogisticRegression
from sklearn.svm import SVC

from stabcore.selectors.solvers import dual_linear
from stabcore.selectors.solvers.dual_linear import Columns, logistic_weights, support_weights, svm_weights


@pytest.mark.parametrize(("n", "d"), [(50, 90), (50, 30), (50, 20), (120, 5), (30, 1), (2, 3)])
@pytest.mark.parametrize("penalty", [1e-4, 0.1, 1, 100])
def test_logistic_weights_minimise_their_objective(n, d, penalty):
    X, y = data(n, d)
    Z, sign = standardised(X) if n > 2 else X, 2 * y - 1
    found, _ = logistic_weights(Columns(Z.T, np.arange(d)), y, penalty)

    def objective(v):
        return np.logaddexp(0, -sign * (Z @ v[:-1] + v[-1])).sum() + penalty * v[:-1] @ v[:-1]

    def slope(v):
        pull = -sign / (1 + np.exp(sign * (Z @ v[:-1] + v[-1])))
        return np.append(Z.T @ pull + 2 * penalty * v[:-1], pull.sum())

    slow = minimize(objective, np.zeros(d + 1), jac=slope, method="BFGS", options={"gtol": 1e-9, "maxiter": 5000}).x[:-1]
    np.testing.assert_allclose(found, slow, atol=2e-4 * np.abs(slow).max())
    model = LogisticRegression(C=1 / (2 * penalty), solver="newton-cholesky", tol=1e-10, max_iter=1000).fit(Z, y)
    np.testing.assert_allclose(found, model.coef_[0], atol=1e-6 * np.abs(slow).max())


def newton_step(K, margin, penalty, duals, slope):
    """Step and intercept from the whole system, the sum of the row coefficients 0."""
    n, chance = len(K), 1 / (1 + np.exp(-margin))
    bend = np.diag(2 * penalty / (chance * (1 - chance)))
    system = np.block([[K + bend, np.ones((n, 1))], [np.ones((1, n)), np.zeros((1, 1))]])
    found = np.linalg.solve(system, np.append(-bend @ (duals + slope / (2 * penalty)), -duals.sum()))
    return found[:-1], found[-1]


@pytest.mark.parametrize("penalty", [0.01, 1, 100])
def test_conjugate_gradients_come_near_a_newton_step(penalty, monkeypatch):
    X, y = data(40, 200)
    Z, rng = standardised(X), np.random.default_rng(0)
    K, margin, duals = Z @ Z.T, rng.normal(size=40), rng.normal(size=40)
    slope = 1 / (1 + np.exp(-margin)) - y
    expected, level = newton_step(K, margin, penalty, duals, slope)
    for near in (1e-2, 1e-9):
        monkeypatch.setattr(dual_linear, "_NEAR", near)
        step, intercept = dual_linear._near_step(K, margin, penalty, duals, slope)
        np.testing.assert_allclose(step, expected, atol=10 * near * np.abs(expected).max())
        np.testing.assert_allclose(intercept, level, atol=10 * near * max(abs(level), np.abs(K @ expected).max()))
        assert abs((duals + step).sum()) < 1e-10
    monkeypatch.setattr(dual_linear, "_MOST_GRADIENTS", 3)
    assert dual_linear._near_step(K, margin, penalty, duals, slope) is None


@pytest.mark.parametrize(("n", "d", "penalty"), [(50, 90, 1), (50, 30, 1), (200, 600, 1e-4), (200, 600, 1e-2)])
def test_both_ways_to_a_newton_step_end_at_the_same_weights(n, d, penalty, monkeypatch):
    """Classes that are far apart and a small penalty: rows from barely curved to hardly at all, and steps that are shortened."""
    X, y = data(n, d)
    X[:, :20] += np.linspace(0.1, 1, 20) * y[:, None]
    near, asked = dual_linear._near_step, []
    monkeypatch.setattr(dual_linear, "_near_step", lambda *given: asked.append(1) or near(*given))
    found, _ = logistic_weights(Columns(standardised(X).T, np.arange(d)), y, penalty)
    assert asked
    for gives_up in (0, 2):  # at once, and after two steps
        calls = iter(range(1000))
        monkeypatch.setattr(
            dual_linear, "_near_step", lambda *given, i=calls, end=gives_up: near(*given) if next(i) < end else None
        )
        other, (_, _, factor) = logistic_weights(Columns(standardised(X).T, np.arange(d)), y, penalty)
        assert factor is not None
        np.testing.assert_allclose(found, other, atol=1e-6 * np.abs(other).max())


@pytest.mark.parametrize(("n", "d"), [(50, 90), (60, 25), (60, 4), (150, 1)])
@pytest.mark.parametrize("classes", [2, 4])
def test_svm_weights_are_those_of_libsvm(n, d, classes):
    X, y = data(n, d, classes=classes)
    Z = standardised(X)
    found = svm_weights(Columns(Z.T, np.arange(d)), y, 0.5)
    model = SVC(kernel="linear", C=0.5, tol=1e-7).fit(Z, y)
    np.testing.assert_allclose(np.abs(found), np.abs(model.coef_), atol=2e-5)


@pytest.mark.parametrize("cost", [1e-6, 0.5, 1000.0])
def test_the_interior_point_on_separable_rows_copies_and_small_classes(cost):
    rng = np.random.default_rng(0)
    Z = rng.normal(size=(60, 4))
    sign = np.where(np.arange(60) < 57, 1.0, -1.0)
    Z[:, 0] += 8 * sign
    Z[:, 2] = Z[:, 0]
    expected = SVC(kernel="linear", C=cost, tol=1e-9).fit(Z, sign).coef_[0]
    found = support_weights(Z, sign, cost)
    np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-6 * np.abs(expected).max())
    np.testing.assert_allclose(found[0], found[2], rtol=1e-9)


def test_columns_taken_away_leave_the_sums_of_the_rest():
    X, _ = data(20, 64)
    feature = np.repeat(np.arange(32), 2)
    columns = Columns(X.T, feature)
    left = list(range(32))
    rng = np.random.default_rng(0)
    while left:
        Z = X[:, np.isin(feature, left)]
        np.testing.assert_allclose(columns.gram, Z @ Z.T, atol=1e-12)
        assert columns.feature.tolist() == [f for f in feature if f in left]
        assert np.array_equal(columns.values, Z.T)
        duals = rng.normal(size=(3, 20))
        np.testing.assert_allclose(columns.weights(duals), duals @ Z, atol=1e-12)
        gone = rng.choice(left, max(len(left) // 4, 1), replace=False)
        columns.drop(gone)
        left = [f for f in left if f not in gone]
